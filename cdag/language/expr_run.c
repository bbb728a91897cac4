/* cdag/language/expr_run.c -- see cdag/language/expr_run.h.  What does not read the slot is evaluated once; the rest
 * operation by operation, each over all values. */
#include "cdag/language/expr_run.h"
#include "base/mem.h"
#include "base/num.h"
#include <limits.h>

typedef struct { const expr_env *env; int slot; int64_t from, n; expr_kept *kept; } row;

/* n values, or one for all. */
typedef struct { int64_t *each, one; bool kept; } values;

/* The x-th is at[x * step]. */
typedef struct { const int64_t *at, step; } stream;
static stream stream_of(const values *v) { return v->each ? (stream){ v->each, 1 } : (stream){ &v->one, 0 }; }

#define EACH(value)                                                                                                    \
  do {                                                                                                                 \
    for (int64_t x = 0; x < n; x++, a.at += a.step, b.at += b.step) {                                                  \
      int64_t p = *a.at, q = *b.at;                                                                                    \
      out[x] = (value);                                                                                                \
    }                                                                                                                  \
  } while (0)

/* By 2^shift, as an FFT does millions of times: right shifts of negative numbers round down. */
static void divide_by_power(bool modulo, stream a, int shift, int64_t n, int64_t *out)
{
  for (int64_t x = 0; x < n; x++, a.at += a.step)
    out[x] = modulo ? *a.at & ((INT64_C(1) << shift) - 1) : *a.at >> shift;
}

static bool divide(bool modulo, stream a, stream b, int64_t n, int64_t *out)
{
  for (int64_t x = 0; x < n; x++)
    if (b.at[x * b.step] < 1)
      return false;
  if (b.step == 0 && (*b.at & (*b.at - 1)) == 0)
    divide_by_power(modulo, a, __builtin_ctzll((uint64_t)*b.at), n, out);
  else if (modulo)
    EACH(num_floor_mod(p, q));
  else
    EACH(num_floor_div(p, q));
  return true;
}

static bool sum(expr_op op, stream a, stream b, int64_t n, int64_t *out)
{
  bool wrong = false;
  switch (op) {
  case EXPR_ADD: EACH((wrong |= __builtin_add_overflow(p, q, &p), p)); break;
  case EXPR_SUB: EACH((wrong |= __builtin_sub_overflow(p, q, &p), p)); break;
  default: EACH((wrong |= __builtin_mul_overflow(p, q, &p), p));
  }
  return !wrong;
}

static bool power(stream a, stream b, int64_t n, int64_t *out)
{
  for (int64_t x = 0; x < n; x++)
    if (b.at[x * b.step] < 0 || !num_pow(a.at[x * a.step], b.at[x * b.step], &out[x]))
      return false;
  return true;
}

static bool apply(expr_op op, stream a, stream b, int64_t n, int64_t *out)
{
  switch (op) {
  case EXPR_ADD: case EXPR_SUB: case EXPR_MUL: return sum(op, a, b, n, out);
  case EXPR_DIV: case EXPR_MOD: return divide(op == EXPR_MOD, a, b, n, out);
  case EXPR_POW: return power(a, b, n, out);
  case EXPR_EQ: EACH(p == q); return true;
  case EXPR_NE: EACH(p != q); return true;
  case EXPR_LT: EACH(p < q); return true;
  case EXPR_LE: EACH(p <= q); return true;
  case EXPR_GT: EACH(p > q); return true;
  case EXPR_GE: EACH(p >= q); return true;
  case EXPR_MIN: EACH(num_min(p, q)); return true;
  case EXPR_MAX: EACH(num_max(p, q)); return true;
  default: return false;
  }
}

/* Entries of t at these places from `base` on, of which there are `extent`.  False: one lies outside. */
static bool read_entries(const expr_table *t, int64_t base, stream at, int64_t extent, int64_t n, int64_t *out)
{
  bool outside = false;
  for (int64_t x = 0; x < n && !outside; x++) {
    int64_t k = at.at[x * at.step];
    outside = (uint64_t)k >= (uint64_t)extent;
    out[x] = outside ? 0 : expr_entry(t, base + k);
  }
  return !outside;
}

/* An index, or two, that run. */
static bool look_up(const expr_table *t, stream a, stream b, int64_t n, int64_t *out)
{
  if (t->unstored)
    return false;
  if (t->rank == 1)
    return read_entries(t, 0, a, t->extent[0], n, out);
  if (a.step == 0)
    return (uint64_t)*a.at < (uint64_t)t->extent[0] && read_entries(t, *a.at * t->extent[1], b, t->extent[1], n, out);
  for (int64_t x = 0; x < n; x++) {
    int64_t i = a.at[x], k = b.at[x * b.step];
    if (i < 0 || i >= t->extent[0] || k < 0 || k >= t->extent[1])
      return false;
    out[x] = expr_entry(t, i * t->extent[1] + k);
  }
  return true;
}

static bool run(const row *r, const expr *e, int64_t *out);

static void drop(values *v)
{
  if (!v->kept)
    mem_free(v->each);
}

static int64_t *find_kept(const row *r, const expr *e)
{
  for (int i = 0; i < r->kept->n; i++)
    if (r->kept->part[i].e == e)
      return r->kept->part[i].each;
  return NULL;
}

static bool same_in_all_rows(const row *r, const expr *e)
{
  return r->kept && !expr_uses(e, r->kept->from, r->kept->to);
}

/* Depth: an expression's. */
static bool operand(const row *r, const expr *e, values *v)
{
  *v = (values){ 0 };
  if (!expr_uses(e, r->slot, r->slot + 1))
    return expr_eval(e, r->env, &v->one, NULL) == EXPR_OK;
  bool same = same_in_all_rows(r, e);
  v->each = same ? find_kept(r, e) : NULL;
  v->kept = v->each != NULL;
  if (v->kept)
    return true;
  v->each = MEM_NEW(int64_t, (size_t)r->n);
  if (!run(r, e, v->each))
    return false;
  v->kept = same && r->kept->n < EXPR_KEPT;
  if (v->kept) {
    r->kept->part[r->kept->n].e = e;
    r->kept->part[r->kept->n++].each = v->each;
  }
  return true;
}

static bool run_two(const row *r, const expr *e, int64_t *out)
{
  values a = { 0 }, b = { 0 };
  bool ok = operand(r, e->arg[0], &a) && (e->nargs < 2 || operand(r, e->arg[1], &b));
  ok = ok && (e->op == EXPR_TABLE ? look_up(&r->env->table[e->slot], stream_of(&a), stream_of(&b), r->n, out)
                                  : apply(e->op, stream_of(&a), stream_of(&b), r->n, out));
  for (int i = 2; ok && i < e->nargs; i++) { /* of least and greatest values there may be more */
    drop(&b);
    ok = operand(r, e->arg[i], &b) && apply(e->op, (stream){ out, 1 }, stream_of(&b), r->n, out);
  }
  drop(&a);
  drop(&b);
  return ok;
}

static bool run(const row *r, const expr *e, int64_t *out)
{
  if (e->op == EXPR_SLOT) {
    for (int64_t x = 0; x < r->n; x++)
      out[x] = r->from + x;
    return true;
  }
  bool some = e->nargs >= 2 || e->op == EXPR_TABLE, many = expr_is_extreme(e);
  return some && (e->nargs <= 2 || many) && run_two(r, e, out);
}

bool expr_run(const expr *e, const expr_env *env, int slot, int64_t from, int64_t n, expr_kept *kept, int64_t *out)
{
  int64_t one;
  row r = { env, slot, from, n, kept };
  if (expr_uses(e, slot, slot + 1))
    return run(&r, e, out);
  if (expr_eval(e, env, &one, NULL) != EXPR_OK)
    return false;
  for (int64_t x = 0; x < n; x++)
    out[x] = one;
  return true;
}

void expr_kept_clear(expr_kept *k)
{
  for (int i = 0; i < k->n; i++)
    mem_free(k->part[i].each);
  k->n = 0;
}

/* ---- known slots ---- */

static bool is(const expr *e, int64_t value) { return e->op == EXPR_CONST && e->value == value; }

/* One of its two arguments in its place. */
static expr *only(expr *e, int i)
{
  expr *kept = e->arg[i];
  e->arg[i] = expr_const(0);
  expr_free(e);
  return kept;
}

/* x * 0 is 0 where x has a value whatever it reads; x * 1 and what is at least x are x. */
static expr *shorten(expr *e)
{
  for (int i = 0; i < 2 && e->op == EXPR_MUL; i++) {
    if (is(e->arg[i], 0) && e->arg[1 - i]->op == EXPR_SLOT)
      return only(e, i);
    if (is(e->arg[i], 1))
      return only(e, 1 - i);
  }
  return e;
}

/* Depth: an expression's. */
static expr *with(expr *e, const expr_env *env, int fixed)
{
  int64_t value;
  for (int i = 0; i < e->nargs; i++)
    e->arg[i] = with(e->arg[i], env, fixed);
  if (e->op == EXPR_CONST || expr_uses(e, fixed, INT_MAX) || expr_eval(e, env, &value, NULL) != EXPR_OK)
    return shorten(e);
  expr_free(e);
  return expr_const(value);
}

expr *expr_with(const expr *e, const expr_env *env, int fixed) { return with(expr_copy(e), env, fixed); }
