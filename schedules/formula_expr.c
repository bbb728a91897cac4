/* formula_expr.c -- the expressions of a program as polynomials, with all values they can take, and which way its conditions go. */
#include "schedules/formula_turns.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool granted(const text *holds, const char *what)
{
  size_t n = strlen(what);
  const char *from = text_str(holds), *at = from;
  while ((at = strstr(at, what)) && ((at > from && at[-1] != ' ') || (at[n] && at[n] != ','))) /* b = 8 in nb = 8 */
    at++;
  return at;
}

void formula_grant(formula *f, const char *what)
{
  if (f->holds && !granted(f->holds, what))
    text_printf(f->holds, "%s%s", f->holds->n ? ", " : "", what);
}

formula_said formula_so_far(const formula *f) { return (formula_said){ f->reason->n, f->holds ? f->holds->n : 0 }; }

void formula_forget(text *t, size_t from)
{
  if (t && t->n > from)
    t->s[t->n = from] = '\0';
}

void formula_unsay(formula *f, formula_said so_far)
{
  formula_forget(f->reason, so_far.reason);
  formula_forget(f->holds, so_far.holds);
}

/* A parameter that is a number in the formula. */
static void grant_number(formula *f, const expr *e)
{
  char what[CDAG_NAME + 32];
  snprintf(what, sizeof what, "%s = %" PRId64, e->name, f->slot[e->slot]);
  formula_grant(f, what);
}

static bool to_poly(formula *f, const expr *e, poly *out);

static bool slot_poly(formula *f, const expr *e, poly *out)
{
  int first_loop = f->s->slot_param + f->s->params, i = e->slot - first_loop;
  if (i < 0) {
    if (f->number[e->slot]) {
      if (f->turns)
        grant_number(f, e);
      poly_set(out, f->slot[e->slot]);
      return true;
    }
    if (f->alias[e->slot])
      return to_poly(f, f->alias[e->slot], out);
    poly_set_atom(out, poly_slot(&f->world, e->slot, e->name));
    return true;
  }
  const turn_kind *k = &f->kind[i / SCHEDULE_LOOP_SLOTS];
  switch (i % SCHEDULE_LOOP_SLOTS) {
  case SCHEDULE_LO: poly_copy(out, &k->lo); return true;
  case SCHEDULE_HI: poly_copy(out, &k->hi); return true;
  case SCHEDULE_LEN: poly_copy(out, &k->len); return true;
  case SCHEDULE_FIRST: poly_set(out, k->first); return true;
  default: break;
  }
  int slot = first_loop + i;
  if (f->span[slot].least != f->span[slot].most)
    return formula_fail(f, e->line, "last() is not known here");
  poly_set(out, k->last);
  return true;
}

static bool sum_poly(formula *f, const expr *e, poly *out)
{
  poly b = { 0 };
  bool ok = to_poly(f, e->arg[0], out) && to_poly(f, e->arg[1], &b);
  if (ok && e->op == EXPR_MUL)
    poly_multiply(&f->world, out, &b);
  else if (ok && e->op == EXPR_CEIL) {
    poly a = *out;
    *out = (poly){ 0 };
    poly_set_ceil(&f->world, out, &a, &b);
    poly_clear(&a);
  } else if (ok)
    poly_add(&f->world, out, &b, e->op == EXPR_ADD ? 1 : -1, 1);
  poly_clear(&b);
  return ok;
}

/* Does it read nothing that is written by name? */
static bool is_number(const formula *f, const expr *e)
{
  for (int i = 0; i < f->s->slots; i++)
    if (!f->number[i] && expr_uses(e, i, i + 1))
      return false;
  return true;
}

void formula_grant_tables(formula *f, const expr *e)
{
  char what[CDAG_NAME + 32];
  snprintf(what, sizeof what, "the table %s is as it is here", e->op == EXPR_TABLE ? e->name : "");
  if (e->op == EXPR_TABLE)
    formula_grant(f, what);
  if (f->turns && e->op == EXPR_SLOT && e->slot < f->s->slot_param + f->s->params && f->number[e->slot])
    grant_number(f, e);
  for (int i = 0; i < e->nargs; i++)
    formula_grant_tables(f, e->arg[i]);
}

static void grant_value(formula *f, const expr *e, int64_t value)
{
  text t = { 0 };
  expr_print(&t, e);
  text_printf(&t, " = %" PRId64, value);
  formula_grant(f, t.s);
  text_clear(&t);
}

/* An expression that may bend with a loop variable, such as the length of a block, but has one value in all turns at hand. */
static bool constant_poly(formula *f, const expr *e, poly *out)
{
  span_env env = { f->span, f->s->g->table, false };
  span s;
  if (!span_of(e, &env, &s) || s.least != s.most)
    return formula_fail(f, e->line, e->op == EXPR_TABLE ? "an entry of table %s changes with a loop variable" : "an expression bends with a loop variable", e->name);
  formula_grant_tables(f, e);
  if (!f->turns && !expr_uses_table(e)) /* else they were granted */
    grant_value(f, e, s.least);
  poly_set(out, s.least);
  return true;
}

/* base^k, k a small number. */
static void multiple_product(formula *f, const poly *base, int64_t k, poly *out)
{
  poly_set(out, 1);
  for (; k > 0; k--)
    poly_multiply(&f->world, out, base);
}

/* A quotient that floor does not change; false: not known to be, and nothing said of it. */
static bool quotient_poly(formula *f, const expr *e, poly *out)
{
  poly by = { 0 }, of = { 0 };
  formula_said so_far = formula_so_far(f);
  int64_t d;
  bool ok = to_poly(f, e->arg[0], &of) && to_poly(f, e->arg[1], &by);
  if (ok && poly_constant(&by, &d)) {
    ok = d > 0 && poly_divide_exactly(&f->world, &of, d);
    poly_copy(out, &of);
  } else
    ok = ok && formula_quotient(f, &of, &by, out);
  if (!ok)
    formula_unsay(f, so_far);
  poly_clear(&by);
  poly_clear(&of);
  return ok;
}

/* A power of a number, or a small one of anything; false: neither, and nothing said of it. */
static bool power_poly(formula *f, const expr *e, poly *out)
{
  poly base = { 0 }, exponent = { 0 };
  formula_said so_far = formula_so_far(f);
  int64_t b, k;
  bool ok = to_poly(f, e->arg[0], &base) && to_poly(f, e->arg[1], &exponent);
  bool small = ok && poly_constant(&exponent, &k) && k >= 0 && k <= 3;
  if (small)
    multiple_product(f, &base, k, out);
  ok = small || (ok && poly_constant(&base, &b) && b > 1 && poly_set_power(&f->world, out, b, &exponent));
  if (!ok)
    formula_unsay(f, so_far);
  poly_clear(&base);
  poly_clear(&exponent);
  return ok;
}

static bool to_poly(formula *f, const expr *e, poly *out)
{
  int first_loop = f->s->slot_param + f->s->params;
  expr_env env = { f->slot, f->s->g->table };
  int64_t v;
  switch (e->op) {
  case EXPR_CONST: poly_set(out, e->value); return true;
  case EXPR_SLOT: return f->turns && e->slot >= first_loop && formula_is_listed(f, e) ? formula_listed_poly(f, e, out) : slot_poly(f, e, out);
  case EXPR_NEG: {
    if (!to_poly(f, e->arg[0], out))
      return false;
    poly_add(&f->world, out, out, -2, 1);
    return true;
  }
  case EXPR_ADD: case EXPR_SUB: case EXPR_MUL: case EXPR_CEIL: return sum_poly(f, e, out);
  case EXPR_POW: case EXPR_DIV: {
    if (e->op == EXPR_POW ? power_poly(f, e, out) : quotient_poly(f, e, out))
      return true;
    break;
  }
  default: break;
  }
  if (f->turns && formula_is_listed(f, e))
    return formula_listed_poly(f, e, out);
  if (f->turns && !(e = formula_with_numbers(f, e)))
    return false;
  if (expr_uses(e, first_loop, f->s->slots))
    return constant_poly(f, e, out);
  if (expr_eval(e, &env, &v, NULL) != EXPR_OK)
    return formula_fail(f, e->line, "an expression has no value");
  if (is_number(f, e))
    poly_set(out, v);
  else
    poly_set_atom(out, poly_expression(&f->world, e));
  return true;
}

static bool spans(formula *f, const expr *e, span *out)
{
  span_env env = { f->span, f->s->g->table, false };
  return (f->turns ? formula_listed_span(f, e, out) : span_of(e, &env, out)) || formula_fail(f, e->line, "the values of an expression are not bounded");
}

bool formula_bound(formula *f, const expr *e, poly *p, span *s) { return to_poly(f, e, p) && spans(f, e, s); }

/* ---- conditions ---- */

static void take_for_granted(formula *f, const expr *e, bool holds)
{
  text t = { 0 };
  int first_loop = f->s->slot_param + f->s->params;
  if (!f->holds || expr_uses(e, first_loop, f->s->slots) || !expr_uses(e, 0, first_loop))
    return;
  text_printf(&t, "%s", holds ? "" : "not (");
  expr_print(&t, e);
  text_printf(&t, "%s", holds ? "" : ")");
  formula_grant(f, t.s);
  text_clear(&t);
}

/* a - b >= least, or b - a >= least, for the polynomials? */
static bool is_apart(formula *f, const poly *a, const poly *b, int64_t least)
{
  poly d = { 0 }, by = { 0 };
  poly_copy(&d, a);
  poly_set(&by, least);
  poly_add(&f->world, &d, b, -1, 1);
  poly_add(&f->world, &d, &by, -1, 1);
  bool good = formula_not_negative(f, &d);
  poly_clear(&d);
  poly_clear(&by);
  return good;
}

/* A comparison whose sides move together, so that their values do not tell: 1 when it holds for the polynomials, 0 when not, -1 when that is unclear. */
static int compared(formula *f, expr_op op, const poly *a, const poly *b)
{
  bool above = is_apart(f, a, b, 1), below = is_apart(f, b, a, 1), same = poly_equal(a, b);
  bool least = above || is_apart(f, a, b, 0), most = below || is_apart(f, b, a, 0);
  switch (op) {
  case EXPR_EQ: return same ? 1 : above || below ? 0 : -1;
  case EXPR_NE: return same ? 0 : above || below ? 1 : -1;
  case EXPR_LT: return below ? 1 : least ? 0 : -1;
  case EXPR_LE: return most ? 1 : above ? 0 : -1;
  case EXPR_GT: return above ? 1 : most ? 0 : -1;
  case EXPR_GE: return least ? 1 : below ? 0 : -1;
  default: return -1;
  }
}

static int comparison(formula *f, const expr *e)
{
  poly a = { 0 }, b = { 0 };
  if (!expr_is_comparison(e))
    return -1;
  int way = to_poly(f, e->arg[0], &a) && to_poly(f, e->arg[1], &b) ? compared(f, e->op, &a, &b) : -1;
  poly_clear(&a);
  poly_clear(&b);
  return way;
}

int formula_condition(formula *f, const schedule_node *n)
{
  span s;
  if (!spans(f, n->condition, &s))
    return -1;
  bool always = s.least > 0 || s.most < 0, never = s.least == 0 && s.most == 0;
  int way = always ? 1 : never ? 0 : comparison(f, n->condition);
  if (always || never)
    take_for_granted(f, n->condition, always);
  if (way < 0 && f->turns)
    formula_tell_condition(f, n->condition);
  if (way < 0)
    formula_fail(f, n->condition->line, "a condition goes both ways in turns of one kind");
  return way;
}
