/* What the bounds take from igraph and SuiteSparse, without them: smaller and slower, and by the same contract.
   Eigenvalues are estimates here as there, and counted by whoever uses them. */
#include "bounds/graph/graph_tools.h"
#include "base/mem.h"
#include <math.h>
#include <string.h>

/* ---- elimination order ---- */

typedef struct {
  uint32_t n, words;
  uint64_t *row;               /* bits of neighbours, n rows */
  bool *gone;
} pattern;

static bool meets(const pattern *p, uint32_t a, uint32_t b)
{
  return p->row[(size_t)a * p->words + b / 64] >> b % 64 & 1;
}

static void join(pattern *p, uint32_t a, uint32_t b) { p->row[(size_t)a * p->words + b / 64] |= 1ull << b % 64; }

static uint32_t degree(const pattern *p, uint32_t v)
{
  uint32_t sum = 0;
  for (uint32_t w = 0; w < p->words; w++)
    sum += (uint32_t)__builtin_popcountll(p->row[(size_t)v * p->words + w]);
  return sum;
}

static uint32_t least(const pattern *p)
{
  uint32_t best = p->n, least_degree = UINT32_MAX;
  for (uint32_t v = 0; v < p->n; v++)
    if (!p->gone[v] && degree(p, v) < least_degree)
      least_degree = degree(p, best = v);
  return best;
}

/* The neighbours of v become neighbours of each other, and v of none. */
static void eliminate(pattern *p, uint32_t v)
{
  const uint64_t *of = p->row + (size_t)v * p->words;
  for (uint32_t u = 0; u < p->n; u++) {
    uint64_t *row = p->row + (size_t)u * p->words;
    if (u == v || !meets(p, v, u))
      continue;
    for (uint32_t w = 0; w < p->words; w++)
      row[w] |= of[w];
    row[u / 64] &= ~(1ull << u % 64);
    row[v / 64] &= ~(1ull << v % 64);
  }
  p->gone[v] = true;
}

void bound_tools_order(uint32_t n, const uint64_t *at, const uint32_t *column, uint32_t *order)
{
  enum { FEW = 1500 };
  for (uint32_t v = 0; v < n; v++)
    order[v] = v;
  if (n > FEW)
    return;
  pattern p = { .n = n, .words = (n + 63) / 64 };
  p.row = MEM_NEW(uint64_t, (size_t)n * p.words);
  p.gone = MEM_NEW(bool, n);
  for (uint32_t v = 0; v < n; v++)
    p.gone[v] = false;
  for (size_t i = 0; i < (size_t)n * p.words; i++)
    p.row[i] = 0;
  for (uint32_t v = 0; v < n; v++)
    for (uint64_t e = at[v]; e < at[v + 1]; e++)
      join(&p, v, column[e]), join(&p, column[e], v);
  for (uint32_t i = 0; i < n; i++)
    eliminate(&p, order[i] = least(&p));
  mem_free(p.row);
  mem_free(p.gone);
}

/* ---- eigenvalues: Jacobi's rotations, until nothing is left beside the diagonal ---- */

static void rotate(double *m, uint32_t n, uint32_t p, uint32_t q)
{
  double theta = (m[q * n + q] - m[p * n + p]) / (2 * m[p * n + q]);
  double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
  for (uint32_t k = 0; k < n; k++) {
    double a = m[p * n + k], b = m[q * n + k];
    m[p * n + k] = c * a - s * b;
    m[q * n + k] = s * a + c * b;
  }
  for (uint32_t k = 0; k < n; k++) {
    double a = m[k * n + p], b = m[k * n + q];
    m[k * n + p] = c * a - s * b;
    m[k * n + q] = s * a + c * b;
  }
}

static double sweep(double *m, uint32_t n)
{
  double beside = 0;
  for (uint32_t p = 0; p < n; p++)
    for (uint32_t q = p + 1; q < n; q++) {
      beside = fmax(beside, fabs(m[p * n + q]));
      if (m[p * n + q] != 0)
        rotate(m, n, p, q);
    }
  return beside;
}

static void sort(uint32_t n, double *value)
{
  for (uint32_t i = 1; i < n; i++) {
    double v = value[i];
    uint32_t k = i;
    for (; k > 0 && value[k - 1] > v; k--)
      value[k] = value[k - 1];
    value[k] = v;
  }
}

status bound_tools_eigenvalues_estimate(uint32_t n, const double *a, double *values, diag *d)
{
  enum { SWEEPS = 60 };
  double *m = MEM_NEW(double, (size_t)n * n), largest = 0, beside = 1;
  for (size_t i = 0; i < (size_t)n * n; i++)
    largest = fmax(largest, fabs(m[i] = a[i]));
  for (int i = 0; i < SWEEPS && beside > 1e-14 * largest; i++)
    beside = sweep(m, n);
  for (uint32_t i = 0; i < n; i++)
    values[i] = m[i * n + i];
  sort(n, values);
  mem_free(m);
  return beside <= 1e-12 * largest ? OK : diag_set(d, SOLVER, "solver", "the eigenvalues do not settle");
}

/* Of large matrices none is estimated: the bounds that would use them are left at what they have. */
status bound_tools_largest_estimate(uint32_t n, bound_operator apply, void *context, uint32_t wanted, double *values,
                                    uint32_t *found, diag *d)
{
  (void)n, (void)apply, (void)context, (void)wanted, (void)values;
  *found = 0;
  return diag_set(d, SOLVER, "solver", "this build has no ARPACK");
}
