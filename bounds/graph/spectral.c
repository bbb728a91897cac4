/* From eigenvalue counts to the bound.

   Each count says that all but so many eigenvalues lie above a shift.  Shifts are placed right below where LAPACK or
   ARPACK sees an eigenvalue, so nothing is lost there; an eigenvalue they miss, or miss the multiplicity of, is counted
   all the same. */
#include "bounds/graph/spectral.h"
#include "base/mem.h"
#include "bounds/graph/graph_tools.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void bound_spectrum_clear(bound_spectrum *s)
{
  mem_free(s->step);
  *s = (bound_spectrum){ 0 };
}

static int by_below(const void *a, const void *b)
{
  const bound_spectral_step *x = a, *y = b;
  return x->below != y->below ? (x->below > y->below ? 1 : -1) : (x->value > y->value) - (x->value < y->value);
}

void bound_spectrum_add(bound_spectrum *s, uint64_t below, int64_t value)
{
  if (value <= 0)
    return; /* no eigenvalue of a Laplacian is negative */
  s->step = mem_room(s->step, s->n, &s->room, sizeof *s->step);
  s->step[s->n++] = (bound_spectral_step){ below, value };
  qsort(s->step, s->n, sizeof *s->step, by_below);
  size_t kept = 0;
  for (size_t i = 0; i < s->n; i++) {
    while (kept > 0 && s->step[kept - 1].below == s->step[i].below && s->step[kept - 1].value <= s->step[i].value)
      kept--;
    if (kept == 0 || s->step[i].value > s->step[kept - 1].value)
      s->step[kept++] = s->step[i];
  }
  s->n = kept;
}

/* ---- the bound ---- */

/* sum of the first `count` lower bounds, for counts asked in ascending order */
typedef struct {
  const bound_spectrum *s;
  size_t next;
  uint64_t count;
  __int128 sum;
} running_sum;

static __int128 sum_to(running_sum *r, uint64_t count)
{
  while (r->count < count) {
    while (r->next < r->s->n && r->s->step[r->next].below <= r->count)
      r->next++;
    uint64_t until = r->next < r->s->n && r->s->step[r->next].below < count ? r->s->step[r->next].below : count;
    r->sum += (__int128)(until - r->count) * (r->next > 0 ? r->s->step[r->next - 1].value : 0);
    r->count = until;
  }
  return r->sum;
}

static __int128 sum_of_first(const bound_spectrum *s, uint64_t count)
{
  running_sum r = { s, 0, 0, 0 };
  return sum_to(&r, count);
}

uint64_t bound_spectrum_best(const bound_spectrum *s, uint64_t n, uint64_t words, int free, uint64_t *best_k)
{
  enum { MOST_RUNS = 1 << 20 };
  running_sum first = { s, 0, 0, 0 };
  __int128 best = 0;
  *best_k = 0;
  /* the sum is at most n times the last step, which more runs than `enough` cannot pay for */
  __int128 enough =
      s->n ? ((__int128)n * s->step[s->n - 1].value >> SPECTRAL_BITS) / (2 * (__int128)(words ? words : 1)) + 2 : 0;
  for (uint64_t k = 1; s->n > 0 && k <= n && k <= MOST_RUNS && k <= enough; k++) {
    __int128 weighted = (__int128)(n / k) * sum_to(&first, k);
    if (n % k > s->step[0].below)
      weighted += sum_of_first(s, n % k);
    __int128 whole = (weighted + (((__int128)1 << SPECTRAL_BITS) - 1)) >> SPECTRAL_BITS;
    __int128 value = whole - 2 * ((__int128)k - free) * words;
    if (value > best) {
      best = value;
      *best_k = k;
    }
  }
  return (uint64_t)best;
}

/* ---- the matrix ---- */

static double edge_weight(const cdag_graph *g, bool halved, uint32_t u)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  double w = 1.0 / (double)(succ->at[u + 1] - succ->at[u]);
  return halved && (cdag_graph_is_input(g, u) || g->output[u]) ? w / 2 : w;
}

void bound_spectral_matrix(const cdag_graph *g, bool halved, bound_matrix *a)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  uint64_t k = 0;
  *a = (bound_matrix){ .n = g->n,
                       .at = MEM_NEW(uint64_t, (size_t)g->n + 1),
                       .column = MEM_NEW(uint32_t, 2 * g->m),
                       .value = MEM_NEW(double, 2 * g->m),
                       .diagonal = MEM_NEW(double, g->n) };
  for (uint32_t v = 0; v < g->n; v++) {
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++, k++) {
      a->column[k] = g->pred[e];
      a->value[k] = -edge_weight(g, halved, g->pred[e]);
      a->diagonal[v] -= a->value[k];
    }
    for (uint64_t e = succ->at[v]; e < succ->at[v + 1]; e++, k++) {
      a->column[k] = succ->to[e];
      a->value[k] = -edge_weight(g, halved, v);
      a->diagonal[v] -= a->value[k];
    }
    a->at[v + 1] = k;
    /* each weight is off by at most half an ulp, the sum by one for each term */
    double degree = (double)(a->at[v + 1] - a->at[v]);
    a->slack = fmax(a->slack, (degree + 4) * 0x1p-52 * a->diagonal[v]);
  }
}

/* ---- where the eigenvalues are, roughly ---- */

enum { DENSE = 150, SOME = 16, MOST_COUNTS = 64 };

static status all_estimates(const bound_matrix *a, double *values, diag *d)
{
  double *dense = MEM_NEW(double, (size_t)a->n * a->n);
  for (uint32_t v = 0; v < a->n; v++) {
    dense[(size_t)v * a->n + v] = a->diagonal[v];
    for (uint64_t e = a->at[v]; e < a->at[v + 1]; e++)
      dense[(size_t)v * a->n + a->column[e]] = a->value[e];
  }
  status st = bound_tools_eigenvalues_estimate(a->n, dense, values, d);
  mem_free(dense);
  return st;
}

/* ---- counting ---- */

typedef struct {
  bound_inertia *f;
  uint64_t work, words, n;
  int counts;
  bound_spectrum *s;
} counting;

static void spend(counting *c, uint64_t work) { c->work -= c->work < work ? c->work : work; }

static bool count_at(counting *c, double shift)
{
  uint32_t below;
  double margin;
  if (c->counts >= MOST_COUNTS || c->work <= bound_inertia_work(c->f))
    return false;
  c->counts++;
  spend(c, bound_inertia_work(c->f) + 1);
  if (bound_inertia_count(c->f, shift, &below, &margin))
    bound_spectrum_add(c->s, below, (int64_t)floor((shift - margin) * 0x1p40));
  return true;
}

/* Can k runs gain anything?  As lambda_1 = 0, (k - 1) ceil(n / k) lambda_k must exceed 2 (k - 1) words: ask whether the
   k-th eigenvalue is that large, and go on with the first k that the count leaves open. */
static bool worth_it(counting *c)
{
  enum { TRIES = 16 };
  uint64_t k = 2;
  for (int i = 0; i < TRIES && k <= c->n; i++) {
    uint32_t below;
    double margin, least = 2 * (double)c->words / (double)((c->n + k - 1) / k);
    if (c->work <= bound_inertia_work(c->f) || !bound_inertia_count(c->f, least, &below, &margin))
      return false;
    spend(c, bound_inertia_work(c->f));
    if (below < k)
      return true;
    k = (uint64_t)below + 1;
  }
  return false;
}

/* Believing that these are all eigenvalues: how many of them matter? */
static uint32_t needed_estimates(const counting *c, const double *values, uint32_t found)
{
  bound_spectrum s = { 0 };
  uint64_t k;
  for (uint32_t i = 0; i < found; i++)
    bound_spectrum_add(&s, i, (int64_t)floor(values[i] * 0x1p40));
  bound_spectrum_best(&s, c->n, c->words, 1, &k);
  bound_spectrum_clear(&s);
  return (uint32_t)k;
}

/* Right below every estimate that differs from the one before; below every few of them when they are many. */
static void count_below_estimates(counting *c, const double *values, uint32_t found)
{
  double last = 1e-9;
  uint32_t stride = found / (MOST_COUNTS / 2) + 1, distinct = 0;
  for (uint32_t i = 0; i < found; i++) {
    if (values[i] < last * (1 + 1e-7))
      continue;
    last = values[i];
    if (distinct++ % stride == 0 && !count_at(c, values[i] * (1 - 1e-9) - 1e-12))
      return;
  }
}

static void solve(void *context, uint32_t n, const double *x, double *y)
{
  counting *c = context;
  memcpy(y, x, n * sizeof *y);
  bound_inertia_solve(c->f, y);
  spend(c, 2 * bound_inertia_entries(c->f) + 8 * SOME * (uint64_t)n); /* and ARPACK's own */
}

/* Eigenvalues above the shift, ascending: the largest of (A - shift)^-1.  Few of them, and repeated ones perhaps once.
 */
static uint32_t next_estimates(counting *c, double shift, double *values)
{
  uint32_t found = 0, kept = 0, below;
  double margin;
  diag d;
  if (c->work <= bound_inertia_work(c->f) || !bound_inertia_count(c->f, shift, &below, &margin))
    return 0;
  spend(c, bound_inertia_work(c->f));
  if (bound_tools_largest_estimate((uint32_t)c->n, solve, c, SOME, values, &found, &d) != OK)
    return 0;
  while (kept < found && values[kept] > 0) {
    values[kept] = shift + 1 / values[kept];
    kept++;
  }
  return kept;
}

/* Batch after batch of the next eigenvalues, while they raise the bound. */
static void count_upwards(counting *c, double *values)
{
  double shift = -1e-3;
  uint64_t k, before = 0, now = 0;
  for (int idle = 0; idle<2; idle = now> before ? 0 : idle + 1) {
    int counts = c->counts;
    uint32_t found = next_estimates(c, shift, values);
    count_below_estimates(c, values, found);
    if (c->counts == counts)
      return;
    before = now;
    now = bound_spectrum_best(c->s, c->n, c->words, 1, &k);
    shift = fmax(values[found - 1], 1e-9) * (1 + 1e-6);
  }
}

static void count_eigenvalues(counting *c, const bound_matrix *a)
{
  double *values = MEM_NEW(double, a->n + SOME);
  diag d;
  if (!worth_it(c))
    ; /* nothing to count for */
  else if (a->n > DENSE)
    count_upwards(c, values);
  else if (all_estimates(a, values, &d) == OK)
    count_below_estimates(c, values, needed_estimates(c, values, a->n));
  mem_free(values);
}

bool bound_spectral_count(const cdag_graph *g, bool halved, uint64_t words, uint64_t work, bound_spectrum *s)
{
  bound_matrix a;
  bound_spectral_matrix(g, halved, &a);
  /* a few factorisations, and some thousand solutions with the factors */
  counting c = {
    .f = bound_inertia_new(&a, work / 1000 + 1000, work / 4 + 1000), .work = work, .words = words, .n = g->n, .s = s
  };
  if (c.f)
    count_eigenvalues(&c, &a);
  bool counted = c.f != NULL;
  bound_inertia_free(c.f);
  bound_matrix_clear(&a);
  return counted;
}
