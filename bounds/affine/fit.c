#include "bounds/affine/fit.h"
#include "base/mem.h"
#include <stdlib.h>

static int stride_of(const fit *f, int v)
{
  int n = 1;
  for (int k = v + 1; k < f->vars; k++)
    n *= f->degree[k] + 1;
  return n;
}

/* From values at first .. first + d to coefficients, `stride` apart: divided differences, then Horner. */
static void fit_line(mpq_t *c, int d, int stride, int64_t first)
{
  mpq_t t;
  mpq_init(t);
  for (int k = 1; k <= d; k++)
    for (int i = d; i >= k; i--) {
      mpq_sub(c[i * stride], c[i * stride], c[(i - 1) * stride]);
      mpq_set_si(t, k, 1);
      mpq_div(c[i * stride], c[i * stride], t);
    }
  for (int k = d - 1; k >= 0; k--) /* p = c_k + (x - first - k) p */
    for (int i = k; i < d; i++) {
      mpz_set_si(mpq_numref(t), first + k);
      mpz_set_ui(mpq_denref(t), 1);
      mpq_mul(t, t, c[(i + 1) * stride]);
      mpq_sub(c[i * stride], c[i * stride], t);
    }
  mpq_clear(t);
}

void fit_make(fit *f, int vars, const int *degree, const int64_t *first, mpz_t *value)
{
  *f = (fit){ .vars = vars, .size = 1 };
  for (int v = 0; v < vars; v++) {
    f->degree[v] = degree[v];
    f->size *= degree[v] + 1;
  }
  f->coef = mem_new((size_t)f->size, sizeof *f->coef);
  for (int i = 0; i < f->size; i++) {
    mpq_init(f->coef[i]);
    mpq_set_z(f->coef[i], value[i]);
  }
  for (int v = 0; v < vars; v++) {
    int stride = stride_of(f, v);
    for (int i = 0; i < f->size; i++)
      if (i / stride % (degree[v] + 1) == 0)
        fit_line(f->coef + i, degree[v], stride, first[v]);
  }
}

void fit_clear(fit *f)
{
  for (int i = 0; i < f->size; i++)
    mpq_clear(f->coef[i]);
  mem_free(f->coef);
  *f = (fit){ 0 };
}

void fit_add(fit *f, const fit *g, int times)
{
  mpq_t t;
  mpq_init(t);
  for (int i = 0; i < f->size; i++) {
    mpq_set_si(t, times, 1);
    mpq_mul(t, t, g->coef[i]);
    mpq_add(f->coef[i], f->coef[i], t);
  }
  mpq_clear(t);
}

bool fit_equal(const fit *f, const fit *g)
{
  bool equal = f->size == g->size;
  for (int i = 0; i < f->size && equal; i++)
    equal = mpq_equal(f->coef[i], g->coef[i]);
  return equal;
}

static int power_of(const fit *f, int i, int v) { return i / stride_of(f, v) % (f->degree[v] + 1); }

static void value_at(const fit *f, const int64_t *x, mpq_t sum)
{
  mpz_t p, m;
  mpq_t t;
  mpz_inits(p, m, NULL);
  mpq_init(t);
  mpq_set_ui(sum, 0, 1);
  for (int i = 0; i < f->size; i++) {
    mpz_set_ui(m, 1);
    for (int v = 0; v < f->vars; v++) {
      mpz_set_si(p, x[v]);
      mpz_pow_ui(p, p, (unsigned long)power_of(f, i, v));
      mpz_mul(m, m, p);
    }
    mpq_set_z(t, m);
    mpq_mul(t, t, f->coef[i]);
    mpq_add(sum, sum, t);
  }
  mpz_clears(p, m, NULL);
  mpq_clear(t);
}

bool fit_is(const fit *f, const int64_t *x, const mpz_t value)
{
  mpq_t sum;
  mpq_init(sum);
  value_at(f, x, sum);
  bool same = mpz_cmp_ui(mpq_denref(sum), 1) == 0 && mpz_cmp(mpq_numref(sum), value) == 0;
  mpq_clear(sum);
  return same;
}

double fit_value(const fit *f, const int64_t *x)
{
  mpq_t sum;
  mpq_init(sum);
  value_at(f, x, sum);
  double d = mpq_get_d(sum);
  mpq_clear(sum);
  return d;
}

bool fit_constant(const fit *f, mpz_t value)
{
  for (int i = 1; i < f->size; i++)
    if (mpq_sgn(f->coef[i]))
      return false;
  mpz_set(value, mpq_numref(f->coef[0]));
  return mpz_cmp_ui(mpq_denref(f->coef[0]), 1) == 0;
}

/* ---- printing ---- */

static int total_of(const fit *f, int i)
{
  int sum = 0;
  for (int v = 0; v < f->vars; v++)
    sum += power_of(f, i, v);
  return sum;
}

static void put_number(const mpq_t q, text *out)
{
  char *s = mem_new(mpz_sizeinbase(mpq_numref(q), 10) + mpz_sizeinbase(mpq_denref(q), 10) + 8, 1);
  gmp_sprintf(s, "%Qd", q);
  text_add(out, s);
  mem_free(s);
}

static void put_monomial(const fit *f, int i, const mpq_t c, const char *const *name, text *out)
{
  bool one = mpz_cmp_ui(mpq_numref(c), 1) == 0 && mpz_cmp_ui(mpq_denref(c), 1) == 0;
  bool some = !one || total_of(f, i) == 0;
  if (some)
    put_number(c, out);
  for (int v = 0; v < f->vars; v++) {
    int p = power_of(f, i, v);
    if (p > 0)
      text_printf(out, "%s%s", some ? " " : "", name[v]);
    if (p > 1)
      text_printf(out, "^%d", p);
    some = some || p > 0;
  }
}

void fit_print(const fit *f, const mpq_t times, const char *const *name, bool more, text *out)
{
  mpq_t c;
  bool some = more;
  mpq_init(c);
  for (int total = FIT_VARS * FIT_DEGREE; total >= 0; total--)
    for (int i = f->size - 1; i >= 0; i--) {
      if (total_of(f, i) != total || mpq_sgn(f->coef[i]) == 0)
        continue;
      mpq_mul(c, f->coef[i], times);
      text_add(out, mpq_sgn(c) < 0 ? (some ? " - " : "-") : some ? " + " : "");
      mpq_abs(c, c);
      put_monomial(f, i, c, name, out);
      some = true;
    }
  if (some == more && !more)
    text_char(out, '0');
  mpq_clear(c);
}
