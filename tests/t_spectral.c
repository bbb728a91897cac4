/* The spectral bound: counts and spectra against a dense Jacobi solver written here, the FFT against its cosines, whole
   bounds against the exact optimum. */
#include "base/mem.h"
#include "bounds/bound.h"
#include "bounds/certificate.h"
#include "bounds/graph/graph_tools.h"
#include "bounds/graph/spectral.h"
#include "pebble/optimal.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static diag d;
static cdag_graph g;

/* ---- Jacobi ---- */

static void rotate(double *a, uint32_t n, uint32_t p, uint32_t q)
{
  double theta = 0.5 * atan2(2 * a[p * n + q], a[q * n + q] - a[p * n + p]), c = cos(theta), s = sin(theta);
  for (uint32_t i = 0; i < n; i++) {
    double x = a[i * n + p], y = a[i * n + q];
    a[i * n + p] = c * x - s * y;
    a[i * n + q] = s * x + c * y;
  }
  for (uint32_t i = 0; i < n; i++) {
    double x = a[p * n + i], y = a[q * n + i];
    a[p * n + i] = c * x - s * y;
    a[q * n + i] = s * x + c * y;
  }
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double *jacobi(const bound_matrix *m)
{
  uint32_t n = m->n;
  double *a = MEM_NEW(double, (size_t)n *n), *values = MEM_NEW(double, n);
  for (uint32_t v = 0; v < n; v++) {
    a[v * n + v] = m->diagonal[v];
    for (uint64_t e = m->at[v]; e < m->at[v + 1]; e++)
      a[v * n + m->column[e]] = m->value[e];
  }
  for (int sweep = 0; sweep < 12; sweep++)
    for (uint32_t p = 0; p < n; p++)
      for (uint32_t q = p + 1; q < n; q++)
        rotate(a, n, p, q);
  for (uint32_t v = 0; v < n; v++)
    values[v] = a[v * n + v];
  qsort(values, n, sizeof *values, ascending);
  mem_free(a);
  return values;
}

static void random_graph(int seed, int64_t least, int64_t most)
{
  support_random r = { (uint64_t)seed };
  int64_t n = support_between(&r, least, most), degree = support_between(&r, 1, 3);
  ck_assert_int_eq(cdag_graph_random(&g, n, seed + 1, degree, 0, &d), OK);
}

/* ---- counting ---- */

START_TEST(counts_are_jacobis)
{
  bound_matrix a;
  uint32_t below;
  double margin;
  random_graph(_i, 5, 30);
  bound_spectral_matrix(&g, _i % 2, &a);
  double *values = jacobi(&a);
  bound_inertia *f = bound_inertia_new(&a, 1000, 100000);
  ck_assert_ptr_nonnull(f);
  support_random r = { (uint64_t)_i };
  for (int i = 0; i < 20; i++) {
    double shift = (double)support_between(&r, -1000, 4000000) * 1e-6;
    uint32_t expected = 0;
    bool close = false;
    for (uint32_t v = 0; v < g.n; v++) {
      expected += values[v] < shift;
      close |= fabs(values[v] - shift) < 1e-9;
    }
    if (close || !bound_inertia_count(f, shift, &below, &margin))
      continue;
    ck_assert_double_lt(margin, 1e-8);
    ck_assert_uint_eq(below, expected);
  }
  bound_inertia_free(f);
  bound_matrix_clear(&a);
  mem_free(values);
  cdag_graph_clear(&g);
}
END_TEST

/* The margin tells when the factors are bad: A - shift I is all but singular at its first pivot. */
START_TEST(bad_pivots_are_noticed)
{
  uint64_t at[] = { 0, 1, 2 };
  uint32_t column[] = { 1, 0 }, below;
  double value[] = { 1, 1 }, diagonal[] = { 1e-17, 1e-17 }, margin = 0;
  bound_matrix a = { 2, at, column, value, diagonal, 0 };
  bound_inertia *f = bound_inertia_new(&a, 10, 10);
  bool counted = bound_inertia_count(f, 0, &below, &margin);
  ck_assert(!counted || margin > 1);
  bound_inertia_free(f);
}
END_TEST

START_TEST(solves_with_the_factors)
{
  bound_matrix a;
  uint32_t below;
  double margin, x[40], b[40];
  random_graph(_i, 5, 30);
  bound_spectral_matrix(&g, false, &a);
  bound_inertia *f = bound_inertia_new(&a, 1000, 100000);
  ck_assert(bound_inertia_count(f, -0.5, &below, &margin));
  for (uint32_t v = 0; v < g.n; v++)
    x[v] = b[v] = (double)(v % 7) - 3;
  bound_inertia_solve(f, x);
  for (uint32_t v = 0; v < g.n; v++) {
    double sum = (a.diagonal[v] + 0.5) * x[v];
    for (uint64_t e = a.at[v]; e < a.at[v + 1]; e++)
      sum += a.value[e] * x[a.column[e]];
    ck_assert_double_eq_tol(sum, b[v], 1e-9);
  }
  bound_inertia_free(f);
  bound_matrix_clear(&a);
  cdag_graph_clear(&g);
}
END_TEST

START_TEST(estimates_are_jacobis)
{
  bound_matrix a;
  random_graph(_i, 5, 30);
  bound_spectral_matrix(&g, false, &a);
  double *values = jacobi(&a), *dense = MEM_NEW(double, (size_t)g.n *g.n), *found = MEM_NEW(double, g.n);
  for (uint32_t v = 0; v < g.n; v++) {
    dense[v * g.n + v] = a.diagonal[v];
    for (uint64_t e = a.at[v]; e < a.at[v + 1]; e++)
      dense[v * g.n + a.column[e]] = a.value[e];
  }
  ck_assert_int_eq(bound_tools_eigenvalues_estimate(g.n, dense, found, &d), OK);
  for (uint32_t v = 0; v < g.n; v++)
    ck_assert_double_eq_tol(found[v], values[v], 1e-9);
  mem_free(values);
  mem_free(dense);
  mem_free(found);
  bound_matrix_clear(&a);
  cdag_graph_clear(&g);
}
END_TEST

/* ---- spectra ---- */

static int64_t step_at(const bound_spectrum *s, uint64_t i)
{
  int64_t value = 0;
  for (size_t j = 0; j < s->n; j++)
    if (s->step[j].below < i)
      value = s->step[j].value;
  return value;
}

START_TEST(steps_are_below_eigenvalues)
{
  bound_matrix a;
  bound_spectrum s = { 0 };
  random_graph(_i, 8, 40);
  bound_spectral_matrix(&g, _i % 2, &a);
  double *values = jacobi(&a);
  ck_assert(bound_spectral_count(&g, _i % 2, 1, 10000000, &s));
  for (uint64_t i = 1; i <= g.n; i++)
    ck_assert_double_le((double)step_at(&s, i) * 0x1p-40, values[i - 1] + 1e-10);
  bound_spectrum_clear(&s);
  bound_matrix_clear(&a);
  mem_free(values);
  cdag_graph_clear(&g);
}
END_TEST

START_TEST(best_is_the_plain_maximum)
{
  support_random r = { (uint64_t)_i };
  bound_spectrum s = { 0 };
  uint64_t n = (uint64_t)support_between(&r, 1, 60), words = (uint64_t)support_between(&r, 0, 4), k;
  int free_runs = (int)support_between(&r, 0, 1);
  for (int i = 0; i < 6; i++)
    bound_spectrum_add(&s, (uint64_t)support_between(&r, 0, 40), support_between(&r, 0, 3) << SPECTRAL_BITS);
  int64_t most = 0;
  for (uint64_t runs = 1; runs <= n; runs++) {
    int64_t sum = 0;
    for (uint64_t i = 1; i <= runs; i++)
      sum += (int64_t)(n / runs + (i <= n % runs)) * (step_at(&s, i) >> SPECTRAL_BITS);
    sum -= 2 * ((int64_t)runs - free_runs) * (int64_t)words;
    most = sum > most ? sum : most;
  }
  ck_assert_int_eq((int64_t)bound_spectrum_best(&s, n, words, free_runs, &k), most);
  bound_spectrum_clear(&s);
}
END_TEST

/* ---- the FFT ---- */

static double *fft_cosines(int l)
{
  const double pi = acos(-1);
  size_t n = 0, all = (size_t)(l + 1) << l;
  double *v = MEM_NEW(double, all);
  for (int j = 0; j <= l; j++)
    v[n++] = 2 - 2 * cos(pi * j / (l + 1));
  for (int i = 1; i <= l; i++)
    for (int j = 0; j < i; j++)
      for (int times = 0; times < 1 << (l - i + 1); times++)
        v[n++] = 2 - 2 * cos(pi * (2 * j + 1) / (2 * i + 1));
  for (int i = 1; i < l; i++)
    for (int j = 1; j <= i; j++)
      for (int times = 0; times < (l - i) << (l - i - 1); times++)
        v[n++] = 2 - 2 * cos(pi * j / (i + 1));
  ck_assert_uint_eq(n, all);
  qsort(v, n, sizeof *v, ascending);
  return v;
}

START_TEST(fft_has_its_cosines)
{
  bound_spectrum s = { 0 };
  double *v = fft_cosines(_i);
  bound_spectral_fft(_i, false, &s);
  for (uint64_t i = 1; i <= (uint64_t)(_i + 1) << _i; i++)
    ck_assert_double_eq_tol((double)step_at(&s, i) * 0x1p-40, v[i - 1], 1e-9);
  bound_spectrum_clear(&s);
  mem_free(v);
}
END_TEST

START_TEST(fft_has_jacobis_eigenvalues)
{
  bound_matrix a;
  bound_spectrum s = { 0 };
  bool halved = _i % 2;
  int l = _i / 2 + 1;
  ck_assert_int_eq(cdag_graph_fft(&g, l, &d), OK);
  bound_spectral_matrix(&g, halved, &a);
  double *v = jacobi(&a);
  bound_spectral_fft(l, halved, &s);
  for (uint64_t i = 1; i <= g.n; i++)
    ck_assert_double_eq_tol((double)step_at(&s, i) * 0x1p-40, v[i - 1], 1e-9);
  bound_spectrum_clear(&s);
  bound_matrix_clear(&a);
  mem_free(v);
  cdag_graph_clear(&g);
}
END_TEST

/* The FFT with its edges in another order of ranks is one, with an edge moved it is none. */
START_TEST(fft_is_recognised)
{
  bound_explicit e;
  int l = 0;
  ck_assert_int_eq(cdag_graph_fft(&g, 4, &d), OK);
  ck_assert_int_eq(bound_explicit_of(&e, &g, &d), OK);
  ck_assert(bound_spectral_is_fft(&e, &l));
  ck_assert_int_eq(l, 4);
  uint32_t *s = &cdag_graph_successors(&e.g)->to[cdag_graph_successors(&e.g)->at[21]], keep = s[0];
  s[0] ^= 1;
  ck_assert(!bound_spectral_is_fft(&e, &l));
  s[0] = keep;
  ck_assert(bound_spectral_is_fft(&e, &l));
  bound_explicit_clear(&e);
  cdag_graph_clear(&g);
}
END_TEST

/* Counting alone, multiplicities and all, comes to what the exact spectrum gives. */
START_TEST(counting_equals_the_fft)
{
  bound_spectrum exact = { 0 }, counted = { 0 };
  uint64_t k, l = 7;
  ck_assert_int_eq(cdag_graph_fft(&g, (int64_t)l, &d), OK);
  bound_spectral_fft((int)l, _i % 2, &exact);
  ck_assert(bound_spectral_count(&g, _i % 2, 3, 1000000000, &counted));
  for (uint64_t words = 2; words < 8; words++)
    ck_assert_uint_eq(bound_spectrum_best(&counted, g.n, words, 1, &k), bound_spectrum_best(&exact, g.n, words, 1, &k));
  ck_assert_uint_gt(bound_spectrum_best(&counted, g.n, 3, 1, &k), 10);
  bound_spectrum_clear(&exact);
  bound_spectrum_clear(&counted);
  cdag_graph_clear(&g);
}
END_TEST

/* ---- what the eigenvalues bound: words that cross between the runs of an order ---- */

static void random_order(support_random *r, uint32_t *place)
{
  const cdag_rows *succ = cdag_graph_successors(&g);
  uint32_t *open = MEM_NEW(uint32_t, g.n), *ready = MEM_NEW(uint32_t, g.n), n = 0, next = 0;
  for (uint32_t v = 0; v < g.n; v++)
    if ((open[v] = (uint32_t)(g.pred_at[v + 1] - g.pred_at[v])) == 0)
      ready[n++] = v;
  while (n > 0) {
    uint32_t i = (uint32_t)support_between(r, 0, n - 1), v = ready[i];
    ready[i] = ready[--n];
    place[v] = next++;
    for (uint64_t e = succ->at[v]; e < succ->at[v + 1]; e++)
      if (--open[succ->to[e]] == 0)
        ready[n++] = succ->to[e];
  }
  mem_free(open);
  mem_free(ready);
}

/* run of the vertex at a place: the first n mod k runs are longer by one */
static uint64_t run_of(uint64_t place, uint64_t n, uint64_t k)
{
  uint64_t longer = (n % k) * (n / k + 1);
  return place < longer ? place / (n / k + 1) : n % k + (place - longer) / (n / k);
}

/* Words in and out of the runs; halved: those of inputs and outputs only when they come in. */
static uint64_t crossings(const uint32_t *place, uint64_t k, bool halved)
{
  const cdag_rows *succ = cdag_graph_successors(&g);
  uint64_t count = 0;
  for (uint32_t u = 0; u < g.n; u++) {
    uint64_t home = run_of(place[u], g.n, k), into = 0;
    for (uint64_t run = home + 1; run < k; run++) {
      bool used = false;
      for (uint64_t e = succ->at[u]; e < succ->at[u + 1]; e++)
        used |= run_of(place[succ->to[e]], g.n, k) == run;
      into += used;
    }
    count += into + (into > 0 && !(halved && (cdag_graph_is_input(&g, u) || g.output[u])));
  }
  return count;
}

START_TEST(eigenvalues_bound_crossings)
{
  bound_matrix a;
  support_random r = { (uint64_t)_i };
  bool halved = _i % 2;
  if (_i % 5 == 0)
    ck_assert_int_eq(cdag_graph_pyramid(&g, 7, &d), OK);
  else
    random_graph(_i, 10, 40);
  uint32_t *place = MEM_NEW(uint32_t, g.n);
  random_order(&r, place);
  bound_spectral_matrix(&g, halved, &a);
  double *values = jacobi(&a);
  for (uint64_t k = 1; k <= g.n; k++) {
    double sum = 0;
    for (uint64_t i = 0; i < k; i++)
      sum += (double)(g.n / k + (i < g.n % k)) * values[i];
    ck_assert_double_le(sum, (double)crossings(place, k, halved) + 1e-9);
  }
  bound_matrix_clear(&a);
  mem_free(values);
  mem_free(place);
  cdag_graph_clear(&g);
}
END_TEST

/* ---- the bound ---- */

static void below_optimum(void)
{
  for (int variant = 0; variant < 2; variant++) {
    pebble_rules rules = { .variant = (pebble_variant)variant, .one_shot = true };
    for (rules.m = pebble_least_memory(&g, &rules); rules.m < 6 && g.m > 0; rules.m++) {
      cdag c = { .graph = &g, .vertices = g.n };
      bound_question q = { .g = &c, .m = rules.m, .one_shot = true, .variant = variant };
      bound_list l = { 0 };
      pebble_optimum o = { 0 };
      ck_assert_int_eq(bound_theorem_find("spectral")->apply(&q, &l, &d), OK);
      ck_assert_int_eq(pebble_optimal(&g, &rules, NULL, &o, &d), OK);
      ck_assert_uint_eq(l.n, 2);
      for (size_t i = 0; i < l.n; i++)
        ck_assert_int_le(mpz_cmp_ui(l.item[i].value, o.upper), 0);
      bound_list_clear(&l);
      pebble_optimum_clear(&o);
    }
  }
}

START_TEST(at_most_the_optimum)
{
  if (_i == 0)
    ck_assert_int_eq(cdag_graph_fft(&g, 3, &d), OK);
  else if (_i == 1)
    ck_assert_int_eq(cdag_graph_hypercube(&g, 4, &d), OK);
  else
    random_graph(_i, 6, 13);
  below_optimum();
  cdag_graph_clear(&g);
}
END_TEST

/* ---- certificates ---- */

static cdag *asked;

/* The parameters with the k-th number of the list `key` changed by `by`. */
static bool change(const char *from, const char *key, int k, int64_t by, text *to)
{
  const char *c = strchr(strstr(from, key), '[') + 1;
  for (; k > 0 && *c != ']'; k--)
    c += strcspn(c, ",]") + (c[strcspn(c, ",]")] == ',');
  if (*c == ']')
    return false;
  char *end;
  long long v = strtoll(c, &end, 10);
  text_add_n(to, from, (size_t)(c - from));
  text_printf(to, "%lld%s", v + by, end);
  return true;
}

/* Each step is as high as it can be: a little more, or one eigenvalue less below it, is refused. */
static void steps_are_tight(const bound *b, int64_t m)
{
  const char *p = text_str(&b->parameters);
  for (int k = 0;; k++) {
    text altered = { 0 };
    if (!change(p, "steps", k, k % 2 ? 1 << 20 : -1, &altered))
      break;
    ck_assert_msg(!bound_claim_gives(b->name, asked, m, text_str(&altered), b->value), "%s: number %d of %.300s",
                  b->name, k, p);
    text_clear(&altered);
  }
}

static const struct {
  const char *spec;
  int64_t m;
  int variant;
  bool gains;
} certified[] = {
  { "fft:l=6", 3, 0, true },
  { "fft:l=6", 3, 1, true },
  { "hypercube:l=6", 7, 0, true },
  { "hypercube:l=6", 7, 1, true },
  { "strassen:l=2", 4, 0, true },
  { "pyramid:h=9", 3, 0, false },
  { "random:n=80,seed=1,degree=2", 3, 0, false },
  { "matmul:m=4,n=4,k=4", 4, 0, false },
};

START_TEST(certificates)
{
  bound_list l = { 0 };
  int64_t m = certified[_i].m;
  bool gains = false;
  ck_assert_int_eq(cdag_open(&asked, certified[_i].spec, &d), OK);
  bound_question q = { .g = asked, .m = (uint64_t)m, .one_shot = true, .variant = certified[_i].variant };
  ck_assert_int_eq(bound_theorem_find("spectral")->apply(&q, &l, &d), OK);
  ck_assert_uint_eq(l.n, 2);
  for (size_t i = 0; i < l.n; i++) {
    const bound *b = &l.item[i];
    ck_assert(bound_has_certificate(b));
    ck_assert_msg(bound_claim_gives(b->name, asked, m, text_str(&b->parameters), b->value), "%s of %s", b->name,
                  certified[_i].spec);
    gains |= strstr(text_str(&b->parameters), "\"runs\":0") == NULL;
    steps_are_tight(b, m);
  }
  ck_assert_int_eq(gains, certified[_i].gains);
  bound_list_clear(&l);
  cdag_free(asked);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("spectral");
  TCase *c = support_case(s, "counting");
  tcase_add_loop_test(c, counts_are_jacobis, 0, support_rounds(40));
  tcase_add_test(c, bad_pivots_are_noticed);
  tcase_add_loop_test(c, solves_with_the_factors, 0, support_rounds(10));
  tcase_add_loop_test(c, estimates_are_jacobis, 0, support_rounds(5));
  c = support_case(s, "spectra");
  tcase_add_loop_test(c, steps_are_below_eigenvalues, 0, support_rounds(30));
  tcase_add_loop_test(c, best_is_the_plain_maximum, 0, support_rounds(100));
  tcase_add_loop_test(c, fft_has_its_cosines, 1, 10);
  tcase_add_loop_test(c, fft_has_jacobis_eigenvalues, 0, 8);
  tcase_add_test(c, fft_is_recognised);
  tcase_add_loop_test(c, counting_equals_the_fft, 0, 2);
  c = support_case(s, "bound");
  tcase_add_loop_test(c, eigenvalues_bound_crossings, 0, support_rounds(60));
  tcase_add_loop_test(c, at_most_the_optimum, 0, support_rounds(30));
  tcase_add_loop_test(c, certificates, 0, COUNT(certified));
  return support_run(s);
}
