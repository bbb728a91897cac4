/* form.c -- an expression with its parameters bound, as base + sum coef[r] x[r] + rest(x).

   rest is read off a table of its values over the hull of the variables it reads, when that is small; where it is the
   same on all points of the nest it is part of the base.  Else it is evaluated each time, and interval arithmetic must
   show beforehand that it always has a value (or is absent). */
#include "cdag/domain/points.h"
#include "cdag/language/expr_run.h"
#include "base/mem.h"
#include "base/num.h"
#include <string.h>

enum { MEMO = 1 << 20 };

/* ---- parameters into constants ---- */

static void bind_slots(expr *e, const cdag *g)
{
  if (e->op == EXPR_SLOT && e->slot < g->params) {
    e->op = EXPR_CONST;
    e->value = g->param_value[e->slot];
  } else if (e->op == EXPR_SLOT)
    e->slot -= g->params;
  for (int i = 0; i < e->nargs; i++)
    bind_slots(e->arg[i], g);
}

expr *form_bound_expr(const expr *e, const cdag *g)
{
  expr *bound = expr_copy(e);
  bind_slots(bound, g);
  return bound;
}

/* ---- splitting ---- */

typedef struct { form *f; const expr_env *env; int guard_table; } splitting;

/* Is it the condition of a term?  Then it is 0 or has no value, whatever the scale. */
static bool is_guard(const splitting *s, const expr *e) { return e->op == EXPR_TABLE && e->slot + 1 == s->guard_table; }

static void add_rest(splitting *s, expr *e, int64_t scale)
{
  bool guard = is_guard(s, e), first = !s->f->rest;
  s->f->guard = guard && (first || s->f->guard);
  s->f->plain_guard = s->f->guard && (first || s->f->plain_guard) && e->arg[0]->op == EXPR_EQ &&
                      points_affine_condition(e->arg[0]->arg[0]);
  scale = guard ? 1 : scale;
  expr *part = scale == 1 ? expr_copy(e) : expr_binary(EXPR_MUL, expr_const(scale), expr_copy(e));
  s->f->rest = s->f->rest ? expr_binary(EXPR_ADD, s->f->rest, part) : part;
}

static bool split(splitting *s, expr *e, int64_t scale);

static bool split_product(splitting *s, expr *e, int64_t scale)
{
  int64_t value;
  for (int i = 0; i < 2; i++)
    if (!expr_uses(e->arg[i], 0, CDAG_RANK) && expr_eval(e->arg[i], s->env, &value, NULL) == EXPR_OK)
      return num_mul(scale, value, &value) && split(s, e->arg[1 - i], value);
  add_rest(s, e, scale);
  return true;
}

/* f += scale * e; false on overflow */
static bool split(splitting *s, expr *e, int64_t scale)
{
  int64_t value;
  if (scale == 0 && expr_uses_table(e)) { /* 0 * t[...] is still absent outside the table */
    add_rest(s, e, scale);
    return true;
  }
  switch (e->op) {
  case EXPR_CONST: return num_mul(scale, e->value, &value) && num_add(s->f->base, value, &s->f->base);
  case EXPR_SLOT: return num_add(s->f->coef[e->slot], scale, &s->f->coef[e->slot]);
  case EXPR_NEG: return num_sub(0, scale, &value) && split(s, e->arg[0], value);
  case EXPR_ADD: return split(s, e->arg[0], scale) && split(s, e->arg[1], scale);
  case EXPR_SUB: return split(s, e->arg[0], scale) && num_sub(0, scale, &value) && split(s, e->arg[1], value);
  case EXPR_MUL: return split_product(s, e, scale);
  default:
    if (!expr_uses(e, 0, CDAG_RANK) && expr_eval(e, s->env, &value, NULL) == EXPR_OK)
      return num_mul(scale, value, &value) && num_add(s->f->base, value, &s->f->base);
    add_rest(s, e, scale);
    return true;
  }
}

/* ---- the table of rest ---- */

static bool hull_is_empty(const cdag_box *hull, int vars) { return cdag_box_empty(hull, vars); }

/* Strides over the hull of rest_vars; the number of entries, or 0 when more than MEMO. */
static int64_t plan_memo(form *f, const cdag_box *hull, int vars)
{
  int64_t entries = 1;
  for (int r = vars - 1; r >= 0; r--)
    if (f->rest_vars >> r & 1) {
      f->memo_lo[r] = hull->lo[r];
      f->memo_size[r] = hull->hi[r] - hull->lo[r];
      f->memo_stride[r] = entries;
      if (!num_mul(entries, f->memo_size[r], &entries) || entries > MEMO)
        return 0;
    }
  return entries;
}

/* The next point of the box over the variables of mask; false after the last. */
static bool next_point(uint32_t mask, const cdag_box *box, int vars, int64_t *x)
{
  for (int r = vars - 1; r >= 0; r--)
    if (mask >> r & 1) {
      if (++x[r] < box->hi[r])
        return true;
      x[r] = box->lo[r];
    }
  return false;
}

static bool in_limit(int64_t v) { return v > -FORM_LIMIT && v < FORM_LIMIT; }

bool form_rest(const form *f, const int64_t *x, const expr_table *table, int64_t *value)
{
  if (!f->memo) {
    expr_env env = { x, table };
    return expr_eval(f->rest, &env, value, NULL) == EXPR_OK && in_limit(*value);
  }
  int64_t at = 0;
  for (uint32_t left = f->rest_vars; left; left &= left - 1) {
    int r = __builtin_ctz(left);
    int64_t y = x[r] - f->memo_lo[r];
    if (y < 0 || y >= f->memo_size[r])
      return false;
    at += y * f->memo_stride[r];
  }
  *value = f->memo[at];
  return *value != FORM_ABSENT;
}

/* ---- interval arithmetic ---- */

typedef struct { int64_t lo, hi; } span;
typedef struct { const cdag_box *hull; const expr_table *table; } spanning;

static bool span_of(const spanning *s, const expr *e, span *r);

static span table_span(const expr_table *t)
{
  span r = { 0, 0 };
  int64_t n = 1;
  for (int q = 0; q < t->rank; q++)
    n *= t->extent[q];
  if (n > 0)
    expr_table_span(t, n, &r.lo, &r.hi);
  return r;
}

/* op at the four corners; fails when one of them has no value */
static bool corners(expr_op op, span a, span b, span *r)
{
  int64_t x[] = { a.lo, a.lo, a.hi, a.hi }, y[] = { b.lo, b.hi, b.lo, b.hi };
  for (int i = 0; i < 4; i++) {
    int64_t v = 0;
    expr left = { .op = EXPR_CONST, .value = x[i] }, right = { .op = EXPR_CONST, .value = y[i] },
         *arg[] = { &left, &right };
    expr whole = { .op = op, .nargs = 2, .arg = arg };
    if (expr_eval(&whole, &(expr_env){ NULL, NULL }, &v, NULL) != EXPR_OK)
      return false;
    *r = i ? (span){ num_min(r->lo, v), num_max(r->hi, v) } : (span){ v, v };
  }
  return true;
}

static bool power_span(span a, span b, span *r)
{
  r->lo = 0;
  r->hi = 1;
  return a.lo >= 0 && b.lo >= 0 && num_pow(a.hi, b.hi, &r->hi) && (r->hi = num_max(r->hi, 1), true);
}

static bool binomial_span(span a, span b, span *r)
{
  r->lo = r->hi = 0;
  return a.lo >= 0 && (b.hi < 0 || num_binomial(a.hi, num_min(b.hi, a.hi / 2), &r->hi));
}

static bool binary_span(const expr *e, span a, span b, span *r)
{
  switch (e->op) {
  case EXPR_ADD: case EXPR_SUB: case EXPR_MUL: case EXPR_MIN: case EXPR_MAX: return corners(e->op, a, b, r);
  case EXPR_DIV: case EXPR_CEIL: return (b.lo > 0 || b.hi < 0) && corners(e->op, a, b, r);
  case EXPR_MOD:
    *r = b.lo > 0 ? (span){ 0, b.hi - 1 } : (span){ b.lo + 1, 0 };
    return b.lo > 0 || b.hi < 0;
  case EXPR_POW: return power_span(a, b, r);
  case EXPR_BINOMIAL: return binomial_span(a, b, r);
  default: *r = (span){ 0, 1 }; return true; /* comparisons */
  }
}

static bool operation_span(const spanning *s, const expr *e, span *r)
{
  span b;
  if (!span_of(s, e->arg[0], r))
    return false;
  if (e->op == EXPR_NEG)
    return corners(EXPR_SUB, (span){ 0, 0 }, *r, r);
  if (e->op == EXPR_ISQRT) {
    bool good = r->lo >= 0;
    *r = good ? (span){ num_isqrt(r->lo), num_isqrt(r->hi) } : *r;
    return good;
  }
  for (int i = 1; i < e->nargs; i++) { /* min and max may have more than two */
    span a = *r;
    if (!span_of(s, e->arg[i], &b) || !binary_span(e, a, b, r))
      return false;
  }
  return true;
}

/* Where the values of e lie, variables within the hull; false when it may have none. */
static bool span_of(const spanning *s, const expr *e, span *r)
{
  span index;
  switch (e->op) {
  case EXPR_CONST: *r = (span){ e->value, e->value }; return true;
  case EXPR_SLOT: *r = (span){ s->hull->lo[e->slot], s->hull->hi[e->slot] - 1 }; return true;
  case EXPR_TABLE:
    for (int i = 0; i < e->nargs; i++)
      if (!span_of(s, e->arg[i], &index))
        return false;
    *r = table_span(&s->table[e->slot]);
    return true;
  default: return operation_span(s, e, r);
  }
}

/* ---- making ---- */

static status limit_rest(form *f, const cdag *g, const cdag_box *hull, const char **why)
{
  span r = { 0, 0 };
  if (!span_of(&(spanning){ hull, g->table }, f->rest, &r) || !in_limit(r.lo) || !in_limit(r.hi)) {
    *why = "there are too many cases to try, and division by zero or overflow is not ruled out";
    return BAD_INPUT;
  }
  f->rest_least = r.lo;
  f->rest_most = r.hi;
  return OK;
}

static bool affine_in_limit(const form *f, const cdag_box *hull, int vars)
{
  __int128 reach = f->base < 0 ? -(__int128)f->base : f->base;
  for (int r = 0; r < vars && reach < FORM_LIMIT; r++) {
    __int128 c = f->coef[r] < 0 ? -(__int128)f->coef[r] : f->coef[r];
    __int128 far = num_max(hull->hi[r] - 1, hull->lo[r] < 0 ? -hull->lo[r] : hull->lo[r]);
    reach += c * far;
  }
  return reach < FORM_LIMIT;
}

static void classify(form *f, int vars)
{
  f->affine_vars = f->rest_vars = 0;
  f->var = f->rest ? -2 : -1;
  for (int r = 0; r < vars; r++) {
    if (f->coef[r] != 0) {
      f->affine_vars |= 1u << r;
      f->var = f->var == -1 && f->coef[r] == 1 ? r : -2;
    }
    if (f->rest && expr_uses(f->rest, r, r + 1))
      f->rest_vars |= 1u << r;
  }
}

void form_constant(form *f, int64_t value) { *f = (form){ .base = value, .var = -1 }; }

/* ---- filling the table ---- */

typedef struct {
  form *f;
  const cdag *g;
  const nest *n;               /* the variables */
  int last;                    /* of those that rest reads */
  int64_t x[CDAG_RANK];
  bool absent;                 /* on some point it has no value */
  const char **why;
} filling;

/* The range of variable r, which rest reads, within its hull: all of it where the bounds read variables that rest does
 * not. */
static void range_of(const filling *w, int r, int64_t *lo, int64_t *hi)
{
  const nest *n = w->n;
  int64_t from, to;
  *lo = n->hull.lo[r];
  *hi = n->hull.hi[r];
  if (n->bound_vars[r] & ~w->f->rest_vars)
    return;
  bool some = form_at(&n->lo[r], w->x, r, w->g->table, &from) && form_at(&n->hi[r], w->x, r, w->g->table, &to);
  *lo = some ? num_max(*lo, from) : *hi;
  *hi = some ? num_min(*hi, to) : *hi;
}

/* Are there points with the values at hand, but for the last variable? */
static bool has_row(const filling *w)
{
  for (uint32_t left = w->f->rest_vars & ~(1u << w->last); left; left &= left - 1) {
    int64_t lo, hi;
    int r = __builtin_ctz(left);
    range_of(w, r, &lo, &hi);
    if (w->x[r] < lo || w->x[r] >= hi)
      return false;
  }
  return true;
}

/* Values for the last variable in [lo, hi), one by one. */
static status fill_slowly(filling *w, int64_t lo, int64_t hi, int64_t *out)
{
  expr_env env = { w->x, w->g->table };
  for (int64_t y = lo; y < hi; y++, out++) {
    w->x[w->last] = y;
    expr_result result = expr_eval(w->f->rest, &env, out, w->why);
    if (result == EXPR_BAD || (result == EXPR_OK && *out == FORM_ABSENT))
      return BAD_INPUT;
    w->absent |= result == EXPR_ABSENT;
    *out = result == EXPR_OK ? *out : FORM_ABSENT;
  }
  return OK;
}

/* all: none is absent. */
static status keep_row(form *f, const int64_t *out, int64_t n, bool all)
{
  for (int64_t k = 0; k < n; k++) {
    if (!all && out[k] == FORM_ABSENT)
      continue;
    if (!in_limit(out[k]))
      return BAD_INPUT;
    f->rest_least = num_min(f->rest_least, out[k]);
    f->rest_most = num_max(f->rest_most, out[k]);
  }
  return OK;
}

/* The last variable in [lo, hi). */
static status fill_part(filling *w, int64_t lo, int64_t hi, int64_t *out)
{
  expr_env env = { w->x, w->g->table };
  bool all = expr_run(w->f->rest, &env, w->last, lo, hi - lo, NULL, out);
  status st = all ? OK : fill_slowly(w, lo, hi, out);
  return st == OK ? keep_row(w->f, out, hi - lo, all) : st;
}

static status fill_row(filling *w, int64_t *row)
{
  int64_t lo, hi, least = w->n->hull.lo[w->last];
  if (!has_row(w))
    return OK;
  range_of(w, w->last, &lo, &hi);
  status st = lo < hi ? fill_part(w, lo, hi, row + (lo - least)) : OK;
  w->x[w->last] = least;
  return st;
}

/* One value on all points: no rest. */
static void fold_rest(form *f, const cdag_box *hull, int vars)
{
  form whole = *f;
  whole.base += f->rest_least;
  whole.rest = NULL;
  whole.guard = whole.plain_guard = false;
  whole.memo = NULL;
  classify(&whole, vars);
  if (!affine_in_limit(&whole, hull, vars))
    return;
  form_clear(f);
  *f = whole;
}

/* One value, so far, on all points? */
static bool is_single(const filling *w) { return w->f->rest_least >= w->f->rest_most && !w->absent; }

/* All rows, each to be written `step` numbers after the one before; while_single: no further than values are the same.
 */
static status fill_rows(filling *w, int64_t *row, int64_t step, bool while_single)
{
  const nest *n = w->n;
  status st = OK;
  w->absent = false;
  w->f->rest_least = INT64_MAX;
  w->f->rest_most = INT64_MIN;
  memcpy(w->x, n->hull.lo, (size_t)n->rank * sizeof *w->x);
  do {
    st = fill_row(w, row);
    row += step;
  } while (st == OK && (!while_single || is_single(w)) &&
           next_point(w->f->rest_vars & ~(1u << w->last), &n->hull, n->rank, w->x));
  return st;
}

/* Most often where tables are read for lengths of blocks: then a row is all the memory it takes. */
static bool has_single_value(filling *w, int64_t size)
{
  SCOPED_MEM int64_t *row = MEM_NEW(int64_t, (size_t)size);
  return fill_rows(w, row, 0, true) == OK && is_single(w) && w->f->rest_least == w->f->rest_most;
}

/* Where there are no points it has no value. */
static status fill_memo(form *f, const cdag *g, const nest *n, int64_t entries, const char **why)
{
  filling w = { .f = f, .g = g, .n = n, .last = f->rest_vars ? 31 - __builtin_clz(f->rest_vars) : 0, .why = why };
  int64_t size = f->memo_size[w.last];
  if (f->rest_vars && has_single_value(&w, size)) {
    fold_rest(f, &n->hull, n->rank);
    if (!f->rest)
      return OK;
  }
  f->memo = MEM_NEW(int64_t, (size_t)entries);
  mem_fill_soon(f->memo, (size_t)entries * sizeof *f->memo);
  for (int64_t k = 0; k < entries; k++)
    f->memo[k] = FORM_ABSENT;
  f->rest_least = INT64_MAX;
  f->rest_most = INT64_MIN;
  if (!f->rest_vars) /* a constant that has no value */
    return fill_part(&w, 0, 1, f->memo);
  status st = fill_rows(&w, f->memo, size, false);
  f->everywhere = st == OK && !w.absent;
  return st;
}

status form_make(form *f, const expr *e, const cdag *g, const nest *n, diag *d)
{
  int64_t zero[CDAG_RANK] = { 0 }, entries;
  int vars = n->rank;
  static const char *const too_large = "it is beyond 2^61";
  const char *why = too_large;
  expr_env env = { zero, g->table };
  expr *bound = form_bound_expr(e, g);
  *f = (form){ .base = 0 };
  bool good = split(&(splitting){ f, &env, g->priv->guard_table }, bound, 1);
  expr_free(bound);
  classify(f, vars);
  f->rest_least = -FORM_LIMIT;
  f->rest_most = FORM_LIMIT;
  if (good && hull_is_empty(&n->hull, vars))
    return OK; /* never asked for */
  good = good && affine_in_limit(f, &n->hull, vars);
  if (good && f->rest && (entries = plan_memo(f, &n->hull, vars)) > 0)
    good = fill_memo(f, g, n, entries, &why) == OK;
  else if (good && f->rest)
    good = limit_rest(f, g, &n->hull, &why) == OK;
  return good ? OK : diag_at(d, BAD_INPUT, why == too_large ? "cdag" : "value", g->priv->file, e->line, e->column,
                             "this size or index has no value: %s", why);
}

form form_lent(const form *f)
{
  form same = *f;
  same.lent = true;
  return same;
}

void form_clear(form *f)
{
  if (!f->lent) {
    expr_free(f->rest);
    mem_free(f->memo);
  }
  *f = (form){ .base = 0 };
}

/* ---- intervals ---- */

static bool rest_interval(const form *f, const cdag_box *box, int rank, const expr_table *table, int64_t *least,
                          int64_t *most)
{
  int64_t x[CDAG_RANK], tries = 1, value;
  for (int r = 0; r < rank; r++)
    if (f->rest_vars >> r & 1 && (!num_mul(tries, box->hi[r] - box->lo[r], &tries) || tries > 4096)) {
      *least = f->rest_least;
      *most = f->rest_most;
      return *least <= *most;
    }
  memcpy(x, box->lo, sizeof x);
  *least = INT64_MAX;
  *most = INT64_MIN;
  do
    if (form_rest(f, x, table, &value)) {
      *least = num_min(*least, value);
      *most = num_max(*most, value);
    }
  while (next_point(f->rest_vars, box, rank, x));
  return *least <= *most;
}

bool form_interval(const form *f, const cdag_box *box, int rank, const expr_table *table, int64_t *least, int64_t *most)
{
  int64_t lo = f->base, hi = f->base, rest_lo = 0, rest_hi = 0;
  for (int r = 0; r < rank; r++) {
    int64_t c = f->coef[r];
    lo += c * (c > 0 ? box->lo[r] : c < 0 ? box->hi[r] - 1 : 0);
    hi += c * (c > 0 ? box->hi[r] - 1 : c < 0 ? box->lo[r] : 0);
  }
  if (f->rest && !rest_interval(f, box, rank, table, &rest_lo, &rest_hi))
    return false;
  *least = lo + rest_lo;
  *most = hi + rest_hi;
  return true;
}
