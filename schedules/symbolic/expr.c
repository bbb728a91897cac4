/* schedules/symbolic/expr.c -- the expressions of a program as polynomials, with all values they can take. */
#include "schedules/symbolic/internal.h"
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

formula_said formula_so_far(const formula *f)
{
  return (formula_said){ f->reason->n, f->holds ? f->holds->n : 0, f->granted.n };
}

void formula_forget(text *t, size_t from)
{
  if (t && t->n > from)
    t->s[t->n = from] = '\0';
}

void formula_unsay(formula *f, formula_said so_far)
{
  formula_forget(f->reason, so_far.reason);
  formula_forget(f->holds, so_far.holds);
  f->granted.n = so_far.granted < f->granted.n ? so_far.granted : f->granted.n;
}

static bool to_poly(formula *f, const expr *e, poly *out);

static bool slot_poly(formula *f, const expr *e, poly *out)
{
  int first_loop = f->s->slot_param + f->s->params, i = e->slot - first_loop;
  if (i < 0) {
    if (!f->number[e->slot] && f->alias[e->slot])
      return to_poly(f, f->alias[e->slot], out);
    *out = f->number[e->slot] ? poly_number(&f->world, f->slot[e->slot])
                              : poly_variable(&f->world, poly_slot(&f->world, e->slot, e->name));
    return true;
  }
  const iteration_kind *k = &f->kind[i / SCHEDULE_LOOP_SLOTS];
  switch (i % SCHEDULE_LOOP_SLOTS) {
  case SCHEDULE_LO: *out = k->lo; return true;
  case SCHEDULE_HI: *out = k->hi; return true;
  case SCHEDULE_LEN: *out = k->len; return true;
  case SCHEDULE_FIRST: *out = poly_number(&f->world, k->first); return true;
  default: break;
  }
  int slot = first_loop + i;
  if (f->span[slot].least != f->span[slot].most)
    return formula_fail(f, e->line, "last() is not known here");
  *out = poly_number(&f->world, k->last);
  return true;
}

static bool sum_poly(formula *f, const expr *e, poly *out)
{
  poly a, b;
  if (!to_poly(f, e->arg[0], &a) || !to_poly(f, e->arg[1], &b))
    return false;
  *out = (e->op == EXPR_MUL    ? poly_mul
          : e->op == EXPR_CEIL ? poly_ceil
          : e->op == EXPR_ADD  ? poly_add
                               : poly_sub)(&f->world, a, b);
  return true;
}

static bool is_written(const formula *f, int slot)
{
  bool fixed = slot < f->s->slot_param + f->s->params;
  return !f->number[slot] && !(fixed && f->alias[slot] && f->alias[slot]->op == EXPR_CONST);
}

/* Does it read nothing that is written by name? */
static bool is_number(const formula *f, const expr *e)
{
  for (int i = 0; i < f->s->slots; i++)
    if (is_written(f, i) && expr_uses(e, i, i + 1))
      return false;
  return true;
}

void formula_grant_tables(formula *f, const expr *e)
{
  char what[CDAG_NAME + 32];
  snprintf(what, sizeof what, "the table %s is as it is here", e->op == EXPR_TABLE ? e->name : "");
  if (e->op == EXPR_TABLE)
    formula_grant(f, what);
  for (int i = 0; i < e->nargs; i++)
    formula_grant_tables(f, e->arg[i]);
}

static void grant_value(formula *f, const expr *e, int64_t value)
{
  SCOPED_TEXT t = { 0 };
  expr_print(&t, e);
  text_printf(&t, " = %" PRId64, value);
  formula_grant(f, t.s);
}

/* An expression that may bend with a loop variable, such as the length of a block, but has one value in all iterations
 * at hand. */
static bool constant_poly(formula *f, const expr *e, poly *out)
{
  span_env env = { f->span, f->s->g->table, false };
  span s;
  if (!span_of(e, &env, &s) || s.least != s.most)
    return formula_fail(f, e->line,
                        e->op == EXPR_TABLE ? "an entry of table %s changes with a loop variable"
                                            : "an expression bends with a loop variable",
                        e->name);
  formula_grant_tables(f, e);
  if (!expr_uses_table(e)) /* else they were granted */
    grant_value(f, e, s.least);
  *out = poly_number(&f->world, s.least);
  return true;
}

/* A quotient that floor does not change; false: not known to be, and nothing said of it. */
static bool quotient_poly(formula *f, const expr *e, poly *out)
{
  poly of, by;
  formula_said so_far = formula_so_far(f);
  int64_t d;
  bool ok = to_poly(f, e->arg[0], &of) && to_poly(f, e->arg[1], &by);
  if (ok && poly_constant(by, &d))
    ok = d > 0 && poly_divide_exactly(&f->world, of, d, out);
  else
    ok = ok && formula_quotient(f, of, by, out);
  if (!ok)
    formula_unsay(f, so_far);
  return ok;
}

/* A power of a number, or a small one of anything; false: neither, and nothing said of it. */
static bool power_poly(formula *f, const expr *e, poly *out)
{
  poly base, exponent;
  formula_said so_far = formula_so_far(f);
  int64_t b, k;
  bool ok = to_poly(f, e->arg[0], &base) && to_poly(f, e->arg[1], &exponent);
  if (ok && poly_constant(exponent, &k) && k >= 0 && k <= 3)
    for (*out = poly_number(&f->world, 1); k > 0; k--)
      *out = poly_mul(&f->world, *out, base);
  else
    ok = ok && poly_constant(base, &b) && b > 1 && poly_power(&f->world, b, exponent, out);
  if (!ok)
    formula_unsay(f, so_far);
  return ok;
}

/* max(a, b) or min(a, b), where one is the greater in all iterations at hand; false: it is not, and nothing is said of
 * it. */
static bool extreme_poly(formula *f, const expr *e, poly *out)
{
  poly a, b;
  span a_span, b_span;
  formula_said so_far = formula_so_far(f);
  bool ok = formula_bound(f, e->arg[0], &a, &a_span) && formula_bound(f, e->arg[1], &b, &b_span),
       found = false;
  for (int here = 0; here < 2 && ok && !found; here++) {
    bool first = formula_at_most(f, a, here ? &a_span : NULL, 0, b, &b_span);
    found = first || formula_at_most(f, b, here ? &b_span : NULL, 0, a, &a_span);
    *out = first == (e->op == EXPR_MIN) ? a : b;
  }
  if (ok && !found)
    formula_want(f, a, 0, b);
  if (!found)
    formula_unsay(f, so_far);
  return found;
}

static bool to_poly(formula *f, const expr *e, poly *out)
{
  int first_loop = f->s->slot_param + f->s->params;
  expr_env env = { f->slot, f->s->g->table };
  int64_t v;
  switch (e->op) {
  case EXPR_CONST: *out = poly_number(&f->world, e->value); return true;
  case EXPR_SLOT:
    return slot_poly(f, e, out);
  case EXPR_NEG: {
    if (!to_poly(f, e->arg[0], out))
      return false;
    *out = poly_scale(&f->world, *out, -1, 1);
    return true;
  }
  case EXPR_ADD: case EXPR_SUB: case EXPR_MUL: case EXPR_CEIL: return sum_poly(f, e, out);
  case EXPR_POW: case EXPR_DIV: {
    if (e->op == EXPR_POW ? power_poly(f, e, out) : quotient_poly(f, e, out))
      return true;
    break;
  }
  case EXPR_MIN: case EXPR_MAX: {
    if (expr_uses(e, first_loop, f->s->slots) && extreme_poly(f, e, out))
      return true;
    break;
  }
  default: break;
  }
  if (expr_uses(e, first_loop, f->s->slots))
    return constant_poly(f, e, out);
  if (expr_eval(e, &env, &v, NULL) != EXPR_OK)
    return formula_fail(f, e->line, "an expression has no value");
  *out = is_number(f, e) ? poly_number(&f->world, v) : poly_variable(&f->world, poly_expression(&f->world, e));
  return true;
}

bool formula_values(formula *f, const expr *e, span *out)
{
  span_env env = { f->span, f->s->g->table, false };
  return span_of(e, &env, out) ||
         formula_fail(f, e->line, "the values of an expression are not bounded");
}

bool formula_bound(formula *f, const expr *e, poly *p, span *s) { return to_poly(f, e, p) && formula_values(f, e, s); }
