/* schedules/sign/span.c -- interval arithmetic over expressions: an interval that holds every value, not always the
 * smallest. */
#include "schedules/sign/span.h"
#include "base/num.h"

enum { TABLE_MOST = 1 << 24 };   /* entries of a table looked at for one answer */

static bool single(const span *s) { return s->least == s->most; }

static bool sum(const span *a, const span *b, bool minus, span *out)
{
  if (minus)
    return num_sub(a->least, b->most, &out->least) && num_sub(a->most, b->least, &out->most);
  return num_add(a->least, b->least, &out->least) && num_add(a->most, b->most, &out->most);
}

static bool product(const span *a, const span *b, span *out)
{
  int64_t p[4];
  if (!num_mul(a->least, b->least, &p[0]) || !num_mul(a->least, b->most, &p[1]) || !num_mul(a->most, b->least, &p[2]) ||
      !num_mul(a->most, b->most, &p[3]))
    return false;
  *out = (span){ p[0], p[0] };
  for (int i = 1; i < 4; i++) {
    out->least = num_min(out->least, p[i]);
    out->most = num_max(out->most, p[i]);
  }
  return true;
}

static span answer(bool always, bool never)
{
  return (span){ always, !never };
}

static span compared(expr_op op, const span *a, const span *b)
{
  bool below = a->most < b->least, above = a->least > b->most, same = single(a) && single(b) && a->least == b->least;
  switch (op) {
  case EXPR_EQ: return answer(same, below || above);
  case EXPR_NE: return answer(below || above, same);
  case EXPR_LT: return answer(below, a->least >= b->most);
  case EXPR_LE: return answer(a->most <= b->least, above);
  case EXPR_GT: return answer(above, a->most <= b->least);
  default: return answer(a->least >= b->most, below);
  }
}

static void widen(span *s, int64_t v)
{
  s->least = num_min(s->least, v);
  s->most = num_max(s->most, v);
}

bool span_of_table(const expr_table *t, span *out)
{
  int64_t entries = 1;
  for (int r = 0; r < t->rank; r++)
    if (!num_mul(entries, t->extent[r], &entries))
      return false;
  if (entries < 1 || entries > TABLE_MOST)
    return false;
  expr_table_span(t, entries, &out->least, &out->most);
  return true;
}

static bool read_table(const expr *e, const span_env *env, span *out)
{
  const expr_table *t = &env->table[e->slot];
  span at;
  if (t->rank > 1 && env->whole)
    return span_of_table(t, out);
  if (t->rank != 1 || !span_of(e->arg[0], env, &at))
    return false;
  if (env->whole) /* beyond the ends there is no value */
    at = (span){ num_max(at.least, 0), num_min(at.most, t->extent[0] - 1) };
  if (at.least > at.most || at.least < 0 || at.most >= t->extent[0] || at.most - at.least >= TABLE_MOST)
    return false;
  *out = (span){ expr_entry(t, at.least), expr_entry(t, at.least) };
  for (int64_t i = at.least; i <= at.most; i++)
    widen(out, expr_entry(t, i));
  return true;
}

static int64_t rounded(expr_op op, int64_t a, int64_t b)
{
  return op == EXPR_DIV ? num_floor_div(a, b) : -num_floor_div(-a, b);
}

/* Rounded quotient by a positive divisor: rises with a, and as b grows goes towards zero. */
static bool quotient(expr_op op, const span *a, const span *b, span *out)
{
  if (b->least <= 0 || a->least == INT64_MIN)
    return false;
  *out = (span){ rounded(op, a->least, a->least < 0 ? b->least : b->most),
                 rounded(op, a->most, a->most < 0 ? b->most : b->least) };
  return true;
}

static bool root(const expr *e, const span_env *env, span *out)
{
  if (e->op != EXPR_ISQRT || !span_of(e->arg[0], env, out) || out->least < 0)
    return false;
  *out = (span){ num_isqrt(out->least), num_isqrt(out->most) };
  return true;
}

/* A power grows with both, from base 1 and exponent 0 on. */
static bool power(const span *a, const span *b, span *out)
{
  return a->least >= 1 && b->least >= 0 && num_pow(a->least, b->least, &out->least) &&
         num_pow(a->most, b->most, &out->most);
}

/* What is left by a positive divisor: a itself, where no division changes it. */
static bool rest(const span *a, const span *b, span *out)
{
  if (b->least <= 0)
    return false;
  *out = a->least >= 0 && a->most < b->least ? *a : (span){ 0, b->most - 1 };
  return true;
}

static bool is_zero(const expr *e, const span_env *env)
{
  span s;
  return span_of(e, env, &s) && s.least == 0 && s.most == 0;
}

static bool binary(const expr *e, const span_env *env, span *out)
{
  span a, b;
  if (e->op == EXPR_MUL && (is_zero(e->arg[0], env) || is_zero(e->arg[1], env))) { /* whatever the other is */
    *out = (span){ 0, 0 };
    return true;
  }
  if (e->nargs != 2 || !span_of(e->arg[0], env, &a) || !span_of(e->arg[1], env, &b))
    return false;
  switch (e->op) {
  case EXPR_ADD: return sum(&a, &b, false, out);
  case EXPR_SUB: return sum(&a, &b, true, out);
  case EXPR_MUL: return product(&a, &b, out);
  case EXPR_MIN: *out = (span){ num_min(a.least, b.least), num_min(a.most, b.most) }; return true;
  case EXPR_MAX: *out = (span){ num_max(a.least, b.least), num_max(a.most, b.most) }; return true;
  case EXPR_DIV:
  case EXPR_CEIL: return quotient(e->op, &a, &b, out);
  case EXPR_POW: return power(&a, &b, out);
  case EXPR_MOD: return (!single(&a) || !single(&b)) && rest(&a, &b, out);
  default:
    if (!expr_is_comparison(e))
      return false;
    *out = compared(e->op, &a, &b);
    return true;
  }
}

/* Every slot it reads has one value: that of the expression. */
static bool fixed_value(const expr *e, const span_env *env, span *out)
{
  switch (e->op) {
  case EXPR_MOD: case EXPR_POW: case EXPR_BINOMIAL: case EXPR_MIN: case EXPR_MAX: break;
  default: return false;
  }
  expr constant[4] = { 0 }, *arg[4], copy = *e;
  for (int i = 0; i < e->nargs && i < 4; i++) {
    span s;
    if (!span_of(e->arg[i], env, &s) || !single(&s))
      return false;
    constant[i] = (expr){ .op = EXPR_CONST, .value = s.least };
    arg[i] = &constant[i];
  }
  copy.arg = arg;
  expr_env none = { 0 };
  if (e->nargs > 4 || expr_eval(&copy, &none, &out->least, NULL) != EXPR_OK)
    return false;
  out->most = out->least;
  return true;
}

bool span_of(const expr *e, const span_env *env, span *out)
{
  span a;
  switch (e->op) {
  case EXPR_CONST: *out = (span){ e->value, e->value }; return true;
  case EXPR_SLOT: *out = env->slot[e->slot]; return true;
  case EXPR_TABLE: return read_table(e, env, out);
  case EXPR_NEG:
    return span_of(e->arg[0], env, &a) && num_sub(0, a.most, &out->least) && num_sub(0, a.least, &out->most);
  default: return binary(e, env, out) || root(e, env, out) || fixed_value(e, env, out);
  }
}
