/* affine.c -- what is affine, and conditions, in isl's words. */
#include "cdag/import/c/reader.h"
#include "base/mem.h"
#include "base/num.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* PolyBench's _PB_N is the parameter n, and so is N where nothing is called so. */
static const char *plain_name(const reader *r, const char *name, char *lower)
{
  const char *from = strncmp(name, "_PB_", 4) == 0 ? name + 4 : name;
  for (size_t i = 0; i <= strlen(from); i++)
    lower[i] = (char)tolower((unsigned char)from[i]);
  bool capitals = strspn(from, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(from);
  bool other = capitals && !c_find_param(r->n, name) && c_find_param(r->n, lower);
  return from > name && !c_find_param(r->n, name) ? lower : other ? lower : name;
}

const alias *c_find_alias(const reader *r, const char *name)
{
  for (int i = r->aliases - 1; i >= 0; i--)
    if (strcmp(r->alias[i].name, name) == 0)
      return r->alias[i].value ? &r->alias[i] : NULL;
  return NULL;
}

const loop *c_find_loop(const reader *r, const char *name)
{
  for (int i = 0; i < r->loops; i++)
    if (strcmp(r->loop[i].name, name) == 0)
      return &r->loop[i];
  return NULL;
}

static bool affine_name(reader *r, const node *e, text *out)
{
  char lower[C_NAME];
  const char *name = plain_name(r, e->text, lower);
  const loop *l = c_find_loop(r, e->text);
  const alias *a = c_find_alias(r, e->text);
  c_param *p = c_find_param(r->n, name);
  if (a && !l && !*a->value)
    return c_rebound(r, a) ? c_refuse(r, e->line, e->column, "a name in what '%s' is means another here", e->text)
                           : c_affine(r, a->of, out);
  if (l || a) {
    text_printf(out, "(%s)", l ? l->value : a->value);
    return true;
  }
  if (!p)
    return c_refuse(r, e->line, e->column, "'%s' is no loop variable and no integer parameter, so this is not affine",
                    e->text);
  text_printf(out, "p_%s", name);
  p->used = true;
  return true;
}

bool c_constant(const node *e)
{
  bool sign = e->kind == N_UNARY && (!strcmp(e->text, "-") || !strcmp(e->text, "+"));
  return e->kind == N_INTEGER || (sign && c_constant(e->arg[0]));
}

int64_t c_constant_value(const node *e)
{
  if (e->kind == N_INTEGER)
    return e->value;
  return e->text[0] == '-' ? -c_constant_value(e->arg[0]) : c_constant_value(e->arg[0]);
}

bool c_fixed_value(reader *r, const node *e, int64_t *value)
{
  char lower[C_NAME];
  int64_t a = 0, b = 0;
  if (c_constant(e)) {
    *value = c_constant_value(e);
    return true;
  }
  if (e->kind == N_NAME && !c_find_loop(r, e->text)) {
    const alias *of = c_find_alias(r, e->text);
    c_param *p = c_find_param(r->n, plain_name(r, e->text, lower));
    int known = p && r->like ? cdag_find_param(r->like, p->name) : -1;
    bool has = p && r->like && (known >= 0 || p->given);
    if (of || !has)
      return of && c_fixed_value(r, of->of, value);
    *value = known >= 0 ? r->like->param[known].value : p->value;
    p->used = p->fixed = true;
    p->value = *value;
    return true;
  }
  if (e->kind != N_BINARY || !strchr("+-*/%", e->text[0]) || e->text[1] || !c_fixed_value(r, e->arg[0], &a) ||
      !c_fixed_value(r, e->arg[1], &b))
    return false;
  if (strchr("/%", e->text[0])) {
    if (a < 0 || b <= 0)
      return false;
    *value = e->text[0] == '/' ? a / b : a % b;
    return true;
  }
  return e->text[0] == '+' ? num_add(a, b, value) : e->text[0] == '-' ? num_sub(a, b, value) : num_mul(a, b, value);
}

/* isl wants the number first, and bare. */
static bool affine_product(reader *r, const node *e, text *out)
{
  int64_t by;
  bool first = c_constant(e->arg[0]) || (!c_constant(e->arg[1]) && c_fixed_value(r, e->arg[0], &by));
  if (!c_fixed_value(r, e->arg[!first], &by))
    return c_refuse(r, e->line, e->column,
                    "a product of variables is not affine; by a parameter it is read once that has a value");
  text_printf(out, "(%lld*(", (long long)by);
  bool good = c_affine(r, e->arg[first], out);
  text_add(out, "))");
  return good;
}

void c_add_claim(reader *r, const node *e, text *wrong, const char *message, bool rows)
{
  c_nest *n = r->n;
  text vars = { 0 };
  for (int i = 0; i < r->loops; i++)
    text_printf(&vars, "%sv_%s", i ? "," : "", r->loop[i].name);
  c_claim c = { c_nest_keep_text(n, &vars),
                c_joined(r, r->condition, r->conditions, " and "),
                c_nest_keep_text(n, wrong),
                message,
                rows,
                e->line,
                e->column };
  n->claim = mem_grow(n->claim, (size_t)n->claims + 1, sizeof *n->claim);
  n->claim[n->claims++] = c;
}

/* e / 2 or e % 2.  isl rounds down and C towards zero, so e must not be negative where it is read. */
static bool affine_quotient(reader *r, const node *e, text *out)
{
  SCOPED_TEXT left = { 0 };
  int64_t by = 0;
  if (!c_constant(e->arg[1]) && c_fixed_value(r, e, &by)) { /* how many blocks of a length that is a parameter */
    text_printf(out, "%lld", (long long)by);
    return true;
  }
  bool good = (c_fixed_value(r, e->arg[1], &by) && by > 0) ||
              c_refuse(r, e->line, e->column, "'%s' by what is no positive number is not affine", e->text);
  good = good && c_affine(r, e->arg[0], &left);
  if (good) {
    text wrong = { 0 };
    text_printf(&wrong, "(%s) < 0", text_str(&left));
    if (e->text[0] == '/')
      text_printf(out, "floor((%s)/%lld)", text_str(&left), (long long)by);
    else
      text_printf(out, "((%s) mod %lld)", text_str(&left), (long long)by);
    c_add_claim(r, e, &wrong, "what is divided here may be negative; only of others a quotient or a remainder is read",
                false);
  }
  return good;
}

static bool affine_binary(reader *r, const node *e, text *out)
{
  char sign = e->text[0];
  if (!strcmp(e->text, "/") || !strcmp(e->text, "%"))
    return affine_quotient(r, e, out);
  if (strcmp(e->text, "+") && strcmp(e->text, "-") && strcmp(e->text, "*"))
    return c_refuse(r, e->line, e->column, "'%s' is not read in a bound or an index", e->text);
  if (sign == '*')
    return affine_product(r, e, out);
  text_char(out, '(');
  bool good = c_affine(r, e->arg[0], out);
  text_printf(out, " %c ", sign);
  good = good && c_affine(r, e->arg[1], out);
  text_char(out, ')');
  return good;
}

bool c_same(const node *a, const node *b)
{
  bool equal = a->kind == b->kind && a->n == b->n && a->value == b->value && strcmp(a->text, b->text) == 0;
  for (int i = 0; i < a->n && equal; i++)
    equal = c_same(a->arg[i], b->arg[i]);
  return equal;
}

static bool affine_pair(reader *r, const char *what, const node *a, const node *b, text *out)
{
  text_printf(out, "%s(", what);
  bool good = c_affine(r, a, out);
  text_char(out, ',');
  good = good && c_affine(r, b, out);
  text_char(out, ')');
  return good;
}

/* min or max of two, and of which: as a call or as a choice, a < b ? a : b. */
static bool extreme_of(const node *e, bool *min, const node **a, const node **b)
{
  *min = !strcmp(e->text, "min") || !strcmp(e->text, "MIN");
  *a = e->arg[0];
  *b = e->arg[1];
  if (e->kind == N_CALL)
    return e->n == 2 && (*min || !strcmp(e->text, "max") || !strcmp(e->text, "MAX"));
  const node *c = e->arg[0];
  if (e->kind != N_CHOICE || c->kind != N_BINARY || (c->text[0] != '<' && c->text[0] != '>'))
    return false;
  bool straight = c_same(c->arg[0], e->arg[1]) && c_same(c->arg[1], e->arg[2]);
  bool crossed = c_same(c->arg[0], e->arg[2]) && c_same(c->arg[1], e->arg[1]);
  *min = (c->text[0] == '<') == straight;
  *a = e->arg[1];
  *b = e->arg[2];
  return straight || crossed;
}

static bool affine_extreme(reader *r, const node *e, text *out)
{
  const node *a, *b;
  bool min;
  if (e->kind == N_CALL && e->n == 2 && strcmp(e->text, "POLYBENCH_LOOP_BOUND") == 0)
    return c_affine(r, e->arg[1], out);
  if (extreme_of(e, &min, &a, &b))
    return affine_pair(r, min ? "min" : "max", a, b, out);
  if (e->kind == N_CALL)
    return c_refuse(r, e->line, e->column, "%s(...) is not read in a bound or an index; min and max of two are",
                    e->text);
  return c_refuse(r, e->line, e->column,
                  "of choices in a bound or an index only those that make a min or max are read");
}

bool c_affine(reader *r, const node *e, text *out)
{
  switch (e->kind) {
  case N_INTEGER: text_printf(out, "%lld", (long long)e->value); return true;
  case N_NAME: return affine_name(r, e, out);
  case N_BINARY: return affine_binary(r, e, out);
  case N_CHOICE:
  case N_CALL: return affine_extreme(r, e, out);
  case N_UNARY:
    if (strcmp(e->text, "-") && strcmp(e->text, "+"))
      break;
    text_printf(out, "(%s", e->text[0] == '-' ? "-" : "");
    bool good = c_affine(r, e->arg[0], out);
    text_char(out, ')');
    return good;
  case N_INDEX:
    return c_refuse(r, e->line, e->column, "%s[...] is data: a bound or an index that reads it is not affine", e->text);
  default: break;
  }
  return c_refuse(r, e->line, e->column, "this is not affine in loop variables and integer parameters");
}

/* One side is the min or max of x and y: both comparisons hold, or one of them.  A bound of its own for each is what
   isl keeps in one piece. */
static bool compare_both(reader *r, const node *x, const node *y, const node *other, bool left, bool both,
                         const char *sign, text *out)
{
  text_char(out, '(');
  bool good = c_comparison(r, left ? x : other, sign, left ? other : x, out);
  text_add(out, both ? " and " : " or ");
  good = good && c_comparison(r, left ? y : other, sign, left ? other : y, out);
  text_char(out, ')');
  return good;
}

bool c_comparison(reader *r, const node *a, const char *sign, const node *b, text *out)
{
  const node *x, *y;
  bool min, less = sign[0] == '<', ordered = less || sign[0] == '>';
  if (ordered && extreme_of(a, &min, &x, &y))
    return compare_both(r, x, y, b, true, min != less, sign, out);
  if (ordered && extreme_of(b, &min, &x, &y))
    return compare_both(r, x, y, a, false, min == less, sign, out);
  text_char(out, '(');
  bool good = c_affine(r, a, out);
  text_printf(out, " %s ", sign);
  good = good && c_affine(r, b, out);
  text_char(out, ')');
  return good;
}

bool c_is_integer_name(const reader *r, const char *name)
{
  char lower[C_NAME];
  return c_find_loop(r, name) || c_find_alias(r, name) || c_find_param(r->n, plain_name(r, name, lower));
}

bool c_integral(const reader *r, const node *e)
{
  static const char *const calls[] = { "min", "max", "MIN", "MAX", "POLYBENCH_LOOP_BOUND", NULL };
  bool place = e->kind == N_UNARY && e->text[0] == '&';
  bool is = e->kind == N_INTEGER || (e->kind == N_UNARY && !place) || e->kind == N_BINARY || e->kind == N_CHOICE;
  is = is || (e->kind == N_NAME && c_is_integer_name(r, e->text));
  for (int i = 0; calls[i] && e->kind == N_CALL; i++)
    is = is || strcmp(calls[i], e->text) == 0;
  for (int i = 0; i < e->n && is; i++)
    is = c_integral(r, e->arg[i]);
  return is;
}

bool c_condition(reader *r, const node *e, text *out)
{
  bool good;
  if (e->kind == N_UNARY && e->text[0] == '!') {
    text_add(out, "(not (");
    good = c_condition(r, e->arg[0], out);
    text_add(out, "))");
    return good;
  }
  int l = e->kind == N_BINARY ? c_level(e->text) : -1;
  if (l == L_EQUAL || l == L_ORDER)
    return c_comparison(r, e->arg[0], strcmp(e->text, "==") == 0 ? "=" : e->text, e->arg[1], out);
  if (l != L_AND && l != L_OR) {
    node zero = { .kind = N_INTEGER };
    return c_comparison(r, e, "!=", &zero, out);
  }
  text_char(out, '(');
  good = c_condition(r, e->arg[0], out);
  text_add(out, l == L_OR ? " or " : " and ");
  good = good && c_condition(r, e->arg[1], out);
  text_char(out, ')');
  return good;
}

bool c_push_condition(reader *r, char *c, int line, int column)
{
  if (r->conditions == LEVELS)
    return c_refuse(r, line, column, "this is nested too deeply");
  r->condition[r->conditions++] = c;
  return true;
}

char *c_condition_text(reader *r, const node *e, bool holds)
{
  text t = { 0 };
  text_add(&t, holds ? "(" : "(not ");
  c_condition(r, e, &t);
  text_char(&t, ')');
  return c_nest_keep_text(r->n, &t);
}

char *c_joined(reader *r, char **part, int n, const char *by)
{
  text t = { 0 };
  for (int i = 0; i < n; i++)
    text_printf(&t, "%s%s", i ? by : "", part[i]);
  return c_nest_keep_text(r->n, &t);
}
