/* expr_run.c -- see expr_run.h.  What does not read the slot is evaluated once; the rest operation by operation, each over all values. */
#include "cdag/expr_run.h"
#include "base/mem.h"
#include "base/num.h"

typedef struct { const expr_env *env; int slot; int64_t from, n; } row;

/* n values, or one for all. */
typedef struct { int64_t *each, one; } values;

static int64_t at(const values *v, int64_t x) { return v->each ? v->each[x] : v->one; }

static bool divide(bool modulo, const values *a, const values *b, int64_t n, int64_t *out)
{
  for (int64_t x = 0; x < n; x++) {
    int64_t by = at(b, x);
    if (by < 1)
      return false;
    out[x] = modulo ? num_floor_mod(at(a, x), by) : num_floor_div(at(a, x), by);
  }
  return true;
}

static bool sum(expr_op op, const values *a, const values *b, int64_t n, int64_t *out)
{
  bool wrong = false;
  for (int64_t x = 0; x < n; x++) {
    int64_t p = at(a, x), q = at(b, x);
    wrong |= op == EXPR_ADD ? __builtin_add_overflow(p, q, &out[x]) : op == EXPR_SUB ? __builtin_sub_overflow(p, q, &out[x]) : __builtin_mul_overflow(p, q, &out[x]);
  }
  return !wrong;
}

static bool power(const values *a, const values *b, int64_t n, int64_t *out)
{
  for (int64_t x = 0; x < n; x++)
    if (at(b, x) < 0 || !num_pow(at(a, x), at(b, x), &out[x]))
      return false;
  return true;
}

static bool apply(expr_op op, const values *a, const values *b, int64_t n, int64_t *out)
{
  switch (op) {
  case EXPR_ADD: case EXPR_SUB: case EXPR_MUL: return sum(op, a, b, n, out);
  case EXPR_DIV: case EXPR_MOD: return divide(op == EXPR_MOD, a, b, n, out);
  case EXPR_POW: return power(a, b, n, out);
  case EXPR_EQ: for (int64_t x = 0; x < n; x++) out[x] = at(a, x) == at(b, x); return true;
  case EXPR_NE: for (int64_t x = 0; x < n; x++) out[x] = at(a, x) != at(b, x); return true;
  case EXPR_LT: for (int64_t x = 0; x < n; x++) out[x] = at(a, x) < at(b, x); return true;
  case EXPR_LE: for (int64_t x = 0; x < n; x++) out[x] = at(a, x) <= at(b, x); return true;
  case EXPR_GT: for (int64_t x = 0; x < n; x++) out[x] = at(a, x) > at(b, x); return true;
  case EXPR_GE: for (int64_t x = 0; x < n; x++) out[x] = at(a, x) >= at(b, x); return true;
  case EXPR_MIN: for (int64_t x = 0; x < n; x++) out[x] = num_min(at(a, x), at(b, x)); return true;
  case EXPR_MAX: for (int64_t x = 0; x < n; x++) out[x] = num_max(at(a, x), at(b, x)); return true;
  default: return false;
  }
}

/* An index, or two, that run. */
static bool look_up(const expr_table *t, const values *a, const values *b, int64_t n, int64_t *out)
{
  for (int64_t x = 0; x < n; x++) {
    int64_t i = t->rank == 2 ? at(a, x) : 0, k = at(t->rank == 2 ? b : a, x);
    if (i < 0 || (t->rank == 2 && i >= t->extent[0]) || k < 0 || k >= t->extent[t->rank - 1])
      return false;
    out[x] = t->value[i * t->extent[t->rank - 1] + k];
  }
  return true;
}

static bool run(const row *r, const expr *e, int64_t *out);

/* Depth: an expression's. */
static bool operand(const row *r, const expr *e, values *v)
{
  *v = (values){ 0 };
  if (!expr_uses(e, r->slot, r->slot + 1))
    return expr_eval(e, r->env, &v->one, NULL) == EXPR_OK;
  v->each = MEM_NEW(int64_t, (size_t)r->n);
  return run(r, e, v->each);
}

static bool run_two(const row *r, const expr *e, int64_t *out)
{
  values a = { 0 }, b = { 0 };
  bool ok = operand(r, e->arg[0], &a) && (e->nargs < 2 || operand(r, e->arg[1], &b));
  ok = ok && (e->op == EXPR_TABLE ? look_up(&r->env->table[e->slot], &a, &b, r->n, out) : apply(e->op, &a, &b, r->n, out));
  for (int i = 2; ok && i < e->nargs; i++) { /* of least and greatest values there may be more */
    values so_far = { .each = out };
    mem_free(b.each);
    ok = operand(r, e->arg[i], &b) && apply(e->op, &so_far, &b, r->n, out);
  }
  mem_free(a.each);
  mem_free(b.each);
  return ok;
}

static bool run(const row *r, const expr *e, int64_t *out)
{
  if (e->op == EXPR_SLOT) {
    for (int64_t x = 0; x < r->n; x++)
      out[x] = r->from + x;
    return true;
  }
  bool some = e->nargs >= 2 || e->op == EXPR_TABLE, many = e->op == EXPR_MIN || e->op == EXPR_MAX;
  return some && (e->nargs <= 2 || many) && run_two(r, e, out);
}

bool expr_run(const expr *e, const expr_env *env, int slot, int64_t from, int64_t n, int64_t *out)
{
  int64_t one;
  row r = { env, slot, from, n };
  if (expr_uses(e, slot, slot + 1))
    return run(&r, e, out);
  if (expr_eval(e, env, &one, NULL) != EXPR_OK)
    return false;
  for (int64_t x = 0; x < n; x++)
    out[x] = one;
  return true;
}
