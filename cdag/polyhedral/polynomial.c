/* Faulhaber: with S_k(N) the polynomial 1^k + ... + N^k, the sum of v^k over v = lo .. hi is S_k(hi) - S_k(lo - 1), for
   negative numbers too, as S_k(N) - S_k(N - 1) = N^k holds for polynomials. */
#include "base/scoped.h"
#include "cdag/polyhedral/polynomial.h"
#include "base/mem.h"
#include <string.h>

void polynomial_clear(polynomial *p)
{
  for (size_t i = 0; i < p->n; i++)
    mpq_clear(p->term[i].c);
  mem_free(p->term);
  *p = (polynomial){ 0 };
}

static void add_term(polynomial *p, const mpq_t c, const uint8_t *power)
{
  if (mpq_sgn(c) == 0)
    return;
  for (size_t i = 0; i < p->n; i++)
    if (memcmp(p->term[i].power, power, POLYHEDRON_VARS) == 0) {
      mpq_add(p->term[i].c, p->term[i].c, c);
      if (mpq_sgn(p->term[i].c) == 0) {
        mpq_clear(p->term[i].c);
        p->term[i] = p->term[--p->n];
      }
      return;
    }
  p->term = mem_room(p->term, p->n, &p->room, sizeof *p->term);
  mpq_init(p->term[p->n].c);
  mpq_set(p->term[p->n].c, c);
  memcpy(p->term[p->n++].power, power, POLYHEDRON_VARS);
}

void polynomial_one(polynomial *p)
{
  uint8_t none[POLYHEDRON_VARS] = { 0 };
  mpq_t one;
  polynomial_clear(p);
  mpq_init(one);
  mpq_set_ui(one, 1, 1);
  add_term(p, one, none);
  mpq_clear(one);
}

void polynomial_copy(polynomial *p, const polynomial *q)
{
  polynomial_clear(p);
  polynomial_add(p, q, 1);
}

void polynomial_add(polynomial *p, const polynomial *q, int sign)
{
  SCOPED_MPQ c;
  mpq_init(c);
  for (size_t i = 0; i < q->n; i++) {
    mpq_set(c, q->term[i].c);
    if (sign < 0)
      mpq_neg(c, c);
    add_term(p, c, q->term[i].power);
  }
}

static void add_times(polynomial *sum, const monomial *t, int64_t factor, int v)
{
  mpq_t c, f;
  uint8_t power[POLYHEDRON_VARS];
  if (factor == 0)
    return;
  mpq_inits(c, f, NULL);
  mpq_set_si(f, factor, 1);
  mpq_mul(c, t->c, f);
  memcpy(power, t->power, sizeof power);
  if (v >= 0)
    power[v]++;
  add_term(sum, c, power);
  mpq_clears(c, f, NULL);
}

void polynomial_times(polynomial *p, const linear *f)
{
  polynomial sum = { 0 };
  for (size_t i = 0; i < p->n; i++) {
    add_times(&sum, &p->term[i], f->base, -1);
    for (int v = 0; v < POLYHEDRON_VARS; v++)
      add_times(&sum, &p->term[i], f->coef[v], v);
  }
  polynomial_clear(p);
  *p = sum;
}

/* S_k's coefficients: of N^j, j <= k + 1.  (k + 1) S_k(N) = (N + 1)^(k+1) - 1 - sum over j < k of binomial(k + 1, j)
 * S_j(N). */
static void power_sums(int most, mpq_t **s)
{
  SCOPED_MPQ t, b;
  mpq_inits(t, b, NULL);
  for (int k = 0; k <= most; k++) {
    for (int i = 1; i <= k + 1; i++) {
      mpz_bin_uiui(mpq_numref(s[k][i]), (unsigned long)k + 1, (unsigned long)i);
      mpz_set_ui(mpq_denref(s[k][i]), 1);
    }
    for (int j = 0; j < k; j++) {
      mpz_bin_uiui(mpq_numref(b), (unsigned long)k + 1, (unsigned long)j);
      mpz_set_ui(mpq_denref(b), 1);
      for (int i = 1; i <= j + 1; i++) {
        mpq_mul(t, b, s[j][i]);
        mpq_sub(s[k][i], s[k][i], t);
      }
    }
    mpq_set_ui(b, (unsigned long)k + 1, 1);
    for (int i = 1; i <= k + 1; i++)
      mpq_div(s[k][i], s[k][i], b);
  }
}

/* Coefficients of v^k, without v. */
static void coefficient(const polynomial *p, int v, int k, polynomial *of)
{
  for (size_t i = 0; i < p->n; i++)
    if (p->term[i].power[v] == k) {
      uint8_t power[POLYHEDRON_VARS];
      memcpy(power, p->term[i].power, sizeof power);
      power[v] = 0;
      add_term(of, p->term[i].c, power);
    }
}

static int degree_in(const polynomial *p, int v)
{
  int d = 0;
  for (size_t i = 0; i < p->n; i++)
    d = p->term[i].power[v] > d ? p->term[i].power[v] : d;
  return d;
}

/* sum += sign * p * c(at), c a polynomial in one number without constant term. */
static void add_composed(polynomial *sum, const polynomial *p, mpq_t *c, int degree, const linear *at, int sign)
{
  polynomial power = { 0 };
  polynomial_copy(&power, p);
  for (int i = 1; i <= degree; i++) {
    polynomial scaled = { 0 };
    polynomial_times(&power, at);
    polynomial_copy(&scaled, &power);
    for (size_t k = 0; k < scaled.n; k++)
      mpq_mul(scaled.term[k].c, scaled.term[k].c, c[i]);
    if (mpq_sgn(c[i]) != 0)
      polynomial_add(sum, &scaled, sign);
    polynomial_clear(&scaled);
  }
  polynomial_clear(&power);
}

/* Rows 0 .. most, row k with places 0 .. k + 1, all 0. */
static mpq_t **new_rows(int most)
{
  mpq_t **s = mem_new((size_t)most + 1, sizeof *s);
  for (int k = 0; k <= most; k++) {
    s[k] = mem_new((size_t)k + 2, sizeof *s[k]);
    for (int i = 0; i <= k + 1; i++)
      mpq_init(s[k][i]);
  }
  return s;
}

static void free_rows(mpq_t **s, int most)
{
  for (int k = 0; k <= most; k++) {
    for (int i = 0; i <= k + 1; i++)
      mpq_clear(s[k][i]);
    mem_free(s[k]);
  }
  mem_free(s);
}

void polynomial_sum(polynomial *p, int v, const linear *lo, const linear *hi)
{
  int most = degree_in(p, v);
  mpq_t **s = new_rows(most);
  polynomial sum = { 0 };
  linear before = *lo;
  before.base--;
  power_sums(most, s);
  for (int k = 0; k <= most; k++) {
    polynomial of = { 0 };
    coefficient(p, v, k, &of);
    add_composed(&sum, &of, s[k], k + 1, hi, 1);
    add_composed(&sum, &of, s[k], k + 1, &before, -1);
    polynomial_clear(&of);
  }
  free_rows(s, most);
  polynomial_clear(p);
  *p = sum;
}

void polynomial_replace(polynomial *p, int v, const linear *value)
{
  polynomial sum = { 0 };
  int most = degree_in(p, v);
  for (int k = 0; k <= most; k++) {
    polynomial of = { 0 };
    coefficient(p, v, k, &of);
    for (int i = 0; i < k; i++)
      polynomial_times(&of, value);
    polynomial_add(&sum, &of, 1);
    polynomial_clear(&of);
  }
  polynomial_clear(p);
  *p = sum;
}

bool polynomial_constant(const polynomial *p, mpq_t value)
{
  static const uint8_t none[POLYHEDRON_VARS];
  mpq_set_ui(value, 0, 1);
  if (p->n == 0)
    return true;
  mpq_set(value, p->term[0].c);
  return p->n == 1 && memcmp(p->term[0].power, none, sizeof none) == 0;
}
