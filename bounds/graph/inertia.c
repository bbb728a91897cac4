/* Sparse L D L^T, row by row (Davis 2005, "Algorithm 849"): the pattern of row i of L is what the elimination tree
   reaches from the entries of row i of A.  The error bound is the one of Higham, Accuracy and Stability of Numerical
   Algorithms, section 9.3 (entrywise, for any order of summation): |A - L D L^T| <= gamma |L| |D| |L^T| with gamma = t
   u / (1 - t u), t the most operations any entry takes part in. */
#include "bounds/graph/inertia.h"
#include "base/mem.h"
#include "bounds/graph/graph_tools.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { NONE = -1 };

struct bound_inertia {
  uint32_t n;
  uint32_t *place; /* n: vertex -> row */
  uint64_t *at;    /* n+1: entries of A left of the diagonal, by row */
  uint32_t *column;
  double *value, *diagonal;
  double slack, largest; /* largest: of |diagonal| */
  int64_t *parent;       /* elimination tree */
  uint64_t *start;       /* n+1: columns of L */
  uint32_t *filled;      /* n: entries of the column so far */
  uint32_t *row;
  double *l, *d;
  uint32_t longest; /* entries of the longest row of L */
  uint64_t work;
  uint32_t *mark, *pattern, *stack; /* n each */
  double *y;                        /* n: zero between rows */
};

void bound_matrix_clear(bound_matrix *a)
{
  void *const blocks[] = { a->at, a->column, a->value, a->diagonal };
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    mem_free(blocks[i]);
  *a = (bound_matrix){ 0 };
}

/* ---- once ---- */

static void permute(bound_inertia *f, const bound_matrix *a)
{
  uint64_t k = 0;
  uint32_t *vertex = MEM_NEW(uint32_t, a->n);
  bound_tools_order(a->n, a->at, a->column, vertex);
  for (uint32_t i = 0; i < a->n; i++)
    f->place[vertex[i]] = i;
  for (uint32_t i = 0; i < a->n; i++) {
    uint32_t v = vertex[i];
    f->diagonal[i] = a->diagonal[v];
    f->largest = fmax(f->largest, fabs(a->diagonal[v]));
    for (uint64_t e = a->at[v]; e < a->at[v + 1]; e++)
      if (f->place[a->column[e]] < i) {
        f->column[k] = f->place[a->column[e]];
        f->value[k++] = a->value[e];
      }
    f->at[i + 1] = k;
  }
  mem_free(vertex);
}

/* The columns in which row i of L has an entry, in an order in which they can be eliminated; returns how many. */
static uint32_t find_pattern(bound_inertia *f, uint32_t i)
{
  uint32_t top = f->n;
  f->mark[i] = i;
  for (uint64_t e = f->at[i]; e < f->at[i + 1]; e++) {
    uint32_t length = 0;
    for (int64_t j = f->column[e]; j != NONE && f->mark[j] != i; j = f->parent[j]) {
      f->stack[length++] = (uint32_t)j;
      f->mark[j] = i;
    }
    while (length > 0)
      f->pattern[--top] = f->stack[--length];
  }
  return f->n - top;
}

/* The tree and the length of every column.  False when the factor grows too large. */
static bool analyse(bound_inertia *f, uint64_t most_entries, uint64_t most_work)
{
  uint64_t entries = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    f->parent[i] = NONE;
    f->mark[i] = i;
    uint32_t length = 0;
    for (uint64_t e = f->at[i]; e < f->at[i + 1]; e++)
      for (int64_t j = f->column[e]; f->mark[j] != i; j = f->parent[j]) {
        if (f->parent[j] == NONE)
          f->parent[j] = i;
        f->start[j + 1]++;
        f->mark[j] = i;
        length++;
      }
    f->longest = length > f->longest ? length : f->longest;
    if ((entries += length) > most_entries)
      return false;
  }
  for (uint32_t j = 0; j < f->n; j++) {
    f->work += f->start[j + 1] * (f->start[j + 1] + 1) / 2;
    f->start[j + 1] += f->start[j];
  }
  return f->work <= most_work;
}

bound_inertia *bound_inertia_new(const bound_matrix *a, uint64_t most_entries, uint64_t most_work)
{
  bound_inertia *f = MEM_NEW(bound_inertia, 1);
  uint32_t n = a->n;
  f->n = n;
  f->slack = a->slack;
  f->place = MEM_NEW(uint32_t, n), f->at = MEM_NEW(uint64_t, (size_t)n + 1);
  f->column = MEM_NEW(uint32_t, a->at[n] / 2), f->value = MEM_NEW(double, a->at[n] / 2),
  f->diagonal = MEM_NEW(double, n);
  f->parent = MEM_NEW(int64_t, n), f->start = MEM_NEW(uint64_t, (size_t)n + 1), f->filled = MEM_NEW(uint32_t, n);
  f->mark = MEM_NEW(uint32_t, n), f->pattern = MEM_NEW(uint32_t, n), f->stack = MEM_NEW(uint32_t, n);
  f->d = MEM_NEW(double, n), f->y = MEM_NEW(double, n);
  permute(f, a);
  if (!analyse(f, most_entries, most_work)) {
    bound_inertia_free(f);
    return NULL;
  }
  f->row = MEM_NEW(uint32_t, f->start[n]), f->l = MEM_NEW(double, f->start[n]);
  return f;
}

void bound_inertia_free(bound_inertia *f)
{
  if (!f)
    return;
  void *const blocks[] = { f->place, f->at, f->column, f->value, f->diagonal, f->parent, f->start, f->filled,
                           f->row,   f->l,  f->d,      f->mark,  f->pattern,  f->stack,  f->y,     f };
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    mem_free(blocks[i]);
}

uint64_t bound_inertia_work(const bound_inertia *f) { return f->work; }
uint64_t bound_inertia_entries(const bound_inertia *f) { return f->start[f->n]; }

/* ---- for each shift ---- */

static void factor_row(bound_inertia *f, uint32_t i, double shift)
{
  double d = f->diagonal[i] - shift;
  for (uint64_t e = f->at[i]; e < f->at[i + 1]; e++)
    f->y[f->column[e]] = f->value[e];
  for (uint32_t k = f->n - find_pattern(f, i); k < f->n; k++) {
    uint32_t j = f->pattern[k];
    double y = f->y[j];
    uint64_t end = f->start[j] + f->filled[j];
    f->y[j] = 0;
    for (uint64_t e = f->start[j]; e < end; e++)
      f->y[f->row[e]] -= f->l[e] * y;
    double l = y / f->d[j];
    d -= l * y;
    f->row[end] = i;
    f->l[end] = l;
    f->filled[j]++;
  }
  f->d[i] = d;
}

/* The largest row sum of |L| |D| |L^T|. */
static double growth(const bound_inertia *f)
{
  double *sum = MEM_NEW(double, f->n), most = 0;
  for (uint32_t j = f->n; j-- > 0;) {
    double column = 1;
    for (uint64_t e = f->start[j]; e < f->start[j + 1]; e++)
      column += fabs(f->l[e]);
    double weight = column * fabs(f->d[j]);
    sum[j] += weight;
    for (uint64_t e = f->start[j]; e < f->start[j + 1]; e++)
      sum[f->row[e]] += fabs(f->l[e]) * weight;
  }
  for (uint32_t i = 0; i < f->n; i++)
    most = sum[i] > most || !isfinite(sum[i]) ? sum[i] : most;
  mem_free(sum);
  return most;
}

bool bound_inertia_count(bound_inertia *f, double shift, uint32_t *below, double *margin)
{
  uint32_t negative = 0;
  bool regular = true;
  memset(f->filled, 0, f->n * sizeof *f->filled);
  memset(f->mark, 0xff, f->n * sizeof *f->mark);
  memset(f->y, 0, f->n * sizeof *f->y);
  for (uint32_t i = 0; i < f->n && regular; i++) {
    factor_row(f, i, shift);
    negative += f->d[i] < 0;
    regular = isfinite(f->d[i]) && f->d[i] != 0;
  }
  if (!regular)
    return false;
  /* twice the unit round-off DBL_EPSILON / 2, and a few more operations, cover gamma and the sums here */
  *margin = (f->longest + 8.0) * DBL_EPSILON * growth(f) + DBL_EPSILON * (f->largest + fabs(shift)) + f->slack +
            DBL_MIN * f->n;
  *below = negative;
  return isfinite(*margin);
}

void bound_inertia_solve(const bound_inertia *f, double *x)
{
  double *y = MEM_NEW(double, f->n);
  for (uint32_t v = 0; v < f->n; v++)
    y[f->place[v]] = x[v];
  for (uint32_t j = 0; j < f->n; j++)
    for (uint64_t e = f->start[j]; e < f->start[j + 1]; e++)
      y[f->row[e]] -= f->l[e] * y[j];
  for (uint32_t j = f->n; j-- > 0;) {
    y[j] /= f->d[j];
    for (uint64_t e = f->start[j]; e < f->start[j + 1]; e++)
      y[j] -= f->l[e] * y[f->row[e]];
  }
  for (uint32_t v = 0; v < f->n; v++)
    x[v] = y[f->place[v]];
  mem_free(y);
}
