/* nest.c -- loop nests: bounds, counting and numbering their points (cdag_internal.h says how). */
#include "cdag/domain/summed.h"
#include "base/mem.h"
#include "base/num.h"
#include <assert.h>
#include <string.h>

enum { SUM_ENTRIES = 1 << 24, SUM_ENTRIES_CHEAP = 1 << 20 };

/* ---- building ---- */

static bool is_zero(const expr *e) { return e->op == EXPR_CONST && e->value == 0; }

static status set_hull(nest *n, int r, const expr_table *table, bool empty)
{
  int64_t lo_least, lo_most, hi_least, hi_most;
  n->hull.lo[r] = n->hull.hi[r] = 0;
  if (empty || !form_interval(&n->lo[r], &n->hull, r, table, &lo_least, &lo_most) ||
      !form_interval(&n->hi[r], &n->hull, r, table, &hi_least, &hi_most) || hi_most <= lo_least)
    return OK;
  n->hull.lo[r] = lo_least;
  n->hull.hi[r] = hi_most;
  return lo_least <= -FORM_LIMIT || hi_most >= FORM_LIMIT ? BAD_INPUT : OK;
}

status nest_add_forms(nest *n, const form *lo, const form *hi, const expr_table *table)
{
  int r = n->rank++;
  bool empty = cdag_box_empty(&n->hull, r);
  n->lo[r] = *lo;
  n->hi[r] = *hi;
  n->bound_vars[r] = form_vars(lo) | form_vars(hi);
  return set_hull(n, r, table, empty);
}

status nest_add(nest *n, const expr *lo, const expr *hi, const cdag *g, const char *what, diag *d)
{
  int r = n->rank;
  form low, high;
  status st = form_make(&low, lo, g, n, d);
  if (st != OK) {
    form_clear(&low);
    return st;
  }
  st = form_make(&high, hi, g, n, d);
  status limits = nest_add_forms(n, &low, &high, g->table); /* in any case, so that nest_clear sees them */
  if (st != OK)
    return st;
  if (is_zero(lo) && !expr_uses(hi, g->params, g->params + r) && high.base < 0)
    return diag_at(d, BAD_INPUT, "cdag", g->priv->file, hi->line, hi->column, "%s has a negative size here, %lld", what,
                   (long long)high.base);
  if (limits != OK)
    return diag_at(d, BAD_INPUT, "cdag", g->priv->file, hi->line, hi->column, "no limit of this index of %s is known",
                   what);
  return OK;
}

/* Is hi - lo of dimension r the same everywhere? */
static bool constant_length(const nest *n, int r)
{
  const form *lo = &n->lo[r], *hi = &n->hi[r];
  return !lo->rest && !hi->rest && memcmp(lo->coef, hi->coef, sizeof lo->coef) == 0;
}

static bool never_crosses(const nest *n, int r)
{
  form length = n->hi[r];
  int64_t least, most;
  if (length.rest || n->lo[r].rest)
    return false;
  length.base -= n->lo[r].base;
  for (int q = 0; q < r; q++)
    length.coef[q] -= n->lo[r].coef[q];
  return form_interval(&length, &n->hull, r, NULL, &least, &most) && least >= 0;
}

static uint64_t polynomial(const nest_sum *s, uint64_t y)
{
  uint64_t value = (uint64_t)s->c[1] * y;
  if (s->degree < 2)
    return value;
  unsigned __int128 binomial = (unsigned __int128)y * (y - 1) / 2;
  value += (uint64_t)s->c[2] * (uint64_t)(y ? binomial : 0);
  for (uint64_t k = 3; k <= (uint64_t)s->degree && y >= k; k++) {
    binomial = binomial * (y - k + 1) / k;
    value += (uint64_t)s->c[k] * (uint64_t)binomial;
  }
  return value;
}

/* S_r(y); x gives the variables before r */
static inline uint64_t running_sum(const nest *n, int r, const int64_t *x, int64_t y)
{
  const nest_sum *s = &n->sum[r];
  if (s->kind == SUM_POLY)
    return polynomial(s, (uint64_t)(y - n->hull.lo[r]));
  if (s->kind == SUM_PIECES)
    return summed_at(s->pieces, r, x, y);
  int64_t at = y - n->hull.lo[r];
  for (int q = 0; q < r; q++)
    if (s->stride[q])
      at += s->stride[q] * (x[q] - n->hull.lo[q]);
  return s->table[at];
}

uint64_t nest_weight(const nest *n, int r, const int64_t *x)
{
  uint64_t w = 1;
  int top = r; /* the first running sum that is not linear knows all below it; variables from r on are not read */
  while (top < n->rank && n->sum[top].kind == SUM_LINEAR)
    top++;
  for (int q = top < n->rank ? top : n->rank - 1; q >= r; q--) {
    int64_t lo, hi;
    nest_range(n, q, x, &lo, &hi);
    if (hi <= lo)
      w = 0;
    else if (n->sum[q].kind == SUM_LINEAR)
      w *= (uint64_t)(hi - lo);
    else
      w = running_sum(n, q, x, hi) - running_sum(n, q, x, lo);
  }
  return w;
}

static void find_weight_vars(nest *n)
{
  n->weight_vars[n->rank] = 0;
  for (int r = n->rank - 1; r >= 0; r--) {
    uint32_t below = n->weight_vars[r + 1];
    bool linear = !(below >> r & 1);
    n->later_vars[r] = r + 1 < n->rank ? n->later_vars[r + 1] | n->bound_vars[r + 1] : 0;
    n->sum[r].kind = linear ? SUM_LINEAR : SUM_TABLE;
    n->weight_vars[r] = (below & ~(1u << r)) | (linear && constant_length(n, r) ? 0 : n->bound_vars[r]);
  }
}

/* S_r as a polynomial of this degree, from differences of W(r+1) at the first values; false when they do not fit. */
static bool make_polynomial(nest *n, int r, int degree)
{
  __int128 w[NEST_SUMS];
  int64_t x[CDAG_RANK] = { 0 };
  nest_sum *s = &n->sum[r];
  int points = (int)num_min(degree, n->hull.hi[r] - n->hull.lo[r]);
  memcpy(x, n->hull.lo, sizeof x);
  for (int k = 0; k < points; k++) {
    x[r] = n->hull.lo[r] + k;
    w[k] = (__int128)nest_weight(n, r + 1, x);
  }
  for (int k = 0; k < points; k++) {
    if (w[0] > INT64_MAX || w[0] < INT64_MIN)
      return false;
    s->c[k + 1] = (int64_t)w[0];
    for (int i = 0; i + 1 < points - k; i++)
      w[i] = w[i + 1] - w[i];
  }
  s->degree = points;
  s->kind = SUM_POLY;
  return true;
}

/* A table over the variables W(r + 1) depends on, unless it has more than `most` entries. */
static bool make_table(nest *n, int r, int64_t most)
{
  nest_sum *s = &n->sum[r];
  int64_t entries = n->hull.hi[r] - n->hull.lo[r] + 1, x[CDAG_RANK];
  uint32_t others = n->weight_vars[r + 1] & ~(1u << r);
  if (entries > most)
    return false;
  for (int q = r - 1; q >= 0; q--)
    if (others >> q & 1) {
      s->stride[q] = entries;
      if (!num_mul(entries, n->hull.hi[q] - n->hull.lo[q], &entries) || entries > most)
        return false;
    }
  s->kind = SUM_TABLE;
  s->table = MEM_NEW(uint64_t, (size_t)entries);
  memcpy(x, n->hull.lo, sizeof x);
  for (int64_t at = 0; at < entries;) {
    uint64_t sum = 0;
    for (x[r] = n->hull.lo[r]; x[r] < n->hull.hi[r]; x[r]++, at++) {
      s->table[at] = sum;
      sum += nest_weight(n, r + 1, x);
    }
    s->table[at++] = sum;
    for (int q = r - 1; q >= 0; q--)
      if (others >> q & 1) {
        if (++x[q] < n->hull.hi[q])
          break;
        x[q] = n->hull.lo[q];
      }
  }
  return true;
}

/* Is W(r) a polynomial in its one variable over the whole hull?  Its degree, or -1. */
static int weight_degree(const nest *n, int r, int below)
{
  uint32_t vars = n->weight_vars[r];
  if (below < 0 || (vars & (vars - 1)) || n->sum[r].kind >= SUM_TABLE || !never_crosses(n, r))
    return -1;
  if (n->sum[r].kind == SUM_POLY) /* the bounds must be in that variable too, or constant */
    return n->bound_vars[r] & ~vars ? -1 : n->sum[r].degree;
  return below + !constant_length(n, r);
}

static bool make_sums(nest *n)
{
  int degree = 0;
  for (int r = n->rank - 1; r >= 0; r--) {
    if (n->sum[r].kind != SUM_LINEAR) {
      bool good = degree >= 0 && degree + 1 < NEST_SUMS && n->weight_vars[r + 1] == 1u << r &&
                  make_polynomial(n, r, degree + 1);
      if (!good && !make_table(n, r, SUM_ENTRIES_CHEAP) && !summed_make(n, r) && !make_table(n, r, SUM_ENTRIES))
        return false;
    }
    degree = weight_degree(n, r, degree);
  }
  return true;
}

static void make_strides(nest *n)
{
  uint64_t stride = 1;
  for (int r = n->rank - 1; r >= 0; r--) {
    n->stride[r] = stride;
    stride *= (uint64_t)(n->hull.hi[r] - n->hull.lo[r]);
  }
}

status nest_finish(nest *n, const cdag *g, const char *what, int line, int column, diag *d)
{
  int64_t volume = 1;
  bool empty = cdag_box_empty(&n->hull, n->rank);
  n->table = g->table;
  n->rectangular = true;
  for (int r = 0; r < n->rank; r++) {
    if (n->bound_vars[r] || n->lo[r].rest || n->hi[r].rest)
      n->rectangular = false;
    if (!empty && !num_mul(volume, n->hull.hi[r] - n->hull.lo[r], &volume))
      return diag_at(d, BAD_INPUT, "cdag", g->priv->file, line, column, "%s has more than 2^63 elements", what);
  }
  find_weight_vars(n);
  if (empty)
    return OK;
  if (n->rectangular)
    make_strides(n);
  else if (!make_sums(n))
    return diag_at(
        d, BAD_INPUT, "cdag", g->priv->file, line, column,
        "the domain of %s is too irregular to number: its bounds would need a table of more than 2^24 entries", what);
  n->count = nest_weight(n, 0, n->hull.lo);
  return OK;
}

void nest_clear_sums(nest *n)
{
  for (int r = 0; r < n->rank; r++) {
    mem_free(n->sum[r].table);
    summed_clear(n->sum[r].pieces);
  }
}

void nest_clear(nest *n)
{
  nest_clear_sums(n);
  for (int r = 0; r < n->rank; r++) {
    form_clear(&n->lo[r]);
    form_clear(&n->hi[r]);
  }
  *n = (nest){ .rank = 0 };
}

/* ---- numbering ---- */

uint64_t nest_position(const nest *n, const int64_t *x)
{
  uint64_t position = 0, w = 1;
  if (n->rectangular) {
    for (int r = 0; r < n->rank; r++)
      position += (uint64_t)(x[r] - n->hull.lo[r]) * n->stride[r];
    return position;
  }
  for (int r = n->rank - 1; r >= 0; r--) {
    int64_t lo, hi;
    nest_range(n, r, x, &lo, &hi);
    if (n->sum[r].kind == SUM_LINEAR) {
      position += (uint64_t)(x[r] - lo) * w;
      w *= (uint64_t)(hi - lo);
    } else {
      uint64_t before = running_sum(n, r, x, lo);
      position += running_sum(n, r, x, x[r]) - before;
      w = running_sum(n, r, x, hi) - before;
    }
  }
  return position;
}

/* The greatest y of [lo, hi) with S(y) - S(lo) <= position; that difference is taken off. */
static int64_t search(const nest *n, int r, const int64_t *x, int64_t lo, int64_t hi, uint64_t *position)
{
  uint64_t before = running_sum(n, r, x, lo);
  int64_t low = lo;
  while (hi - low > 1) {
    int64_t mid = low + (hi - low) / 2;
    if (running_sum(n, r, x, mid) - before <= *position)
      low = mid;
    else
      hi = mid;
  }
  *position -= running_sum(n, r, x, low) - before;
  return low;
}

void nest_at(const nest *n, uint64_t position, int64_t *x)
{
  assert(position < n->count);
  for (int r = 0; r < n->rank; r++) {
    int64_t lo, hi;
    nest_range(n, r, x, &lo, &hi);
    if (n->rectangular || n->sum[r].kind == SUM_LINEAR) {
      x[r] = lo; /* for each of its values as many lie below */
      uint64_t w = n->rectangular ? n->stride[r] : nest_weight(n, r + 1, x);
      x[r] = lo + (int64_t)(position / w);
      position %= w;
    } else
      x[r] = search(n, r, x, lo, hi, &position);
  }
}

/* ---- boxes ---- */

static void clip(const nest *n, const cdag_box *b, int r, const int64_t *x, int64_t *lo, int64_t *hi)
{
  nest_range(n, r, x, lo, hi);
  *lo = num_max(*lo, b->lo[r]);
  *hi = num_min(*hi, b->hi[r]);
}

/* free_from: the box holds the hull in all dimensions from there on */
static uint64_t count_below(const nest *n, const cdag_box *b, int free_from, int r, int64_t *x)
{
  int64_t lo, hi;
  uint64_t sum = 0;
  if (r == n->rank)
    return 1;
  clip(n, b, r, x, &lo, &hi);
  if (lo >= hi)
    return 0;
  if (r + 1 >= free_from)
    return n->sum[r].kind == SUM_LINEAR ? (uint64_t)(hi - lo) * nest_weight(n, r + 1, x)
                                        : running_sum(n, r, x, hi) - running_sum(n, r, x, lo);
  x[r] = lo;
  if (!(n->later_vars[r] >> r & 1))
    return (uint64_t)(hi - lo) * count_below(n, b, free_from, r + 1, x);
  for (; x[r] < hi; x[r]++)
    sum += count_below(n, b, free_from, r + 1, x);
  return sum;
}

static uint64_t count_rectangular(const nest *n, const cdag_box *b)
{
  uint64_t volume = 1;
  for (int r = 0; r < n->rank; r++) {
    int64_t lo = num_max(n->hull.lo[r], b->lo[r]), hi = num_min(n->hull.hi[r], b->hi[r]);
    if (lo >= hi)
      return 0;
    volume *= (uint64_t)(hi - lo);
  }
  return volume;
}

uint64_t nest_box_count(const nest *n, const cdag_box *b)
{
  int64_t x[CDAG_RANK] = { 0 };
  int free_from = n->rank;
  if (n->count == 0)
    return 0;
  if (n->rectangular)
    return count_rectangular(n, b);
  while (free_from > 0 && b->lo[free_from - 1] <= n->hull.lo[free_from - 1] &&
         b->hi[free_from - 1] >= n->hull.hi[free_from - 1])
    free_from--;
  return count_below(n, b, free_from, 0, x);
}

static bool runs_below(const nest *n, const cdag_box *b, int r, int64_t *x, cdag_visit_run visit, void *context)
{
  int64_t lo, hi;
  clip(n, b, r, x, &lo, &hi);
  if (r == n->rank - 1) {
    x[r] = lo;
    return lo >= hi || visit(context, x, hi);
  }
  for (x[r] = lo; x[r] < hi; x[r]++)
    if (!runs_below(n, b, r + 1, x, visit, context))
      return false;
  return true;
}

bool nest_each_run(const nest *n, const cdag_box *b, cdag_visit_run visit, void *context)
{
  int64_t x[CDAG_RANK] = { 0 };
  return n->count == 0 || runs_below(n, b, 0, x, visit, context);
}
