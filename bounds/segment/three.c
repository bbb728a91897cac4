/* Three kinds of words, a + b + t <= x, and H steps with H^2 <= a b t (Loomis and Whitney) and a >= H/p, b >= H/q, t >=
   H/r, where p <= q <= r: the largest H.

   g(H) = min a + b + t is found by putting the variables that would fall below their limit on it, the highest limit H/p
   first: H <= p^3:    none is limited,   g = 3 H^(2/3),              so H = (x/3)^(3/2) H <= p q^2:  the first is, g =
   H/p + 2 sqrt(H p),      so H = p (sqrt(p^2 + x) - p)^2 beyond:      two are,           g = H/p + H/q + p q,        so
   H = (x - p q) p q / (p + q). Steps are whole, so each is rounded down. */
#include "base/scoped.h"
#include "bounds/segment/segment.h"
#include <math.h>

/* floor((x/3)^(3/2)): the root of floor(x^3 / 27). */
static void free_of_limits(const mpz_t x, unsigned long times, mpz_t most)
{
  mpz_pow_ui(most, x, 3);
  mpz_mul_ui(most, most, times);
  mpz_fdiv_q_ui(most, most, 27);
  mpz_sqrt(most, most);
}

/* floor(p (2 p^2 + x) - sqrt(4 p^4 (p^2 + x))). */
static void one_limit(int64_t p, const mpz_t x, mpz_t most)
{
  SCOPED_MPZ square, root, rest;
  mpz_inits(square, root, rest, NULL);
  mpz_set_si(square, p);
  mpz_mul(square, square, square);
  mpz_add(root, square, x);
  mpz_mul(root, root, square);
  mpz_mul(root, root, square);
  mpz_mul_2exp(root, root, 2);
  mpz_sqrtrem(root, rest, root);
  if (mpz_sgn(rest) > 0)
    mpz_add_ui(root, root, 1);
  mpz_mul_2exp(square, square, 1);
  mpz_add(square, square, x);
  mpz_mul_si(square, square, p);
  mpz_sub(most, square, root);
}

static void two_limits(int64_t p, int64_t q, const mpz_t x, mpz_t most)
{
  SCOPED_MPZ product;
  mpz_init_set_si(product, p);
  mpz_mul_si(product, product, q);
  mpz_sub(most, x, product);
  mpz_mul(most, most, product);
  mpz_set_si(product, p);
  mpz_add_ui(product, product, (unsigned long)q);
  mpz_fdiv_q(most, most, product);
}

/* x where the second limit is reached: q^2 + 2 p q. */
static void second_limit(int64_t p, int64_t q, mpz_t x)
{
  mpz_set_si(x, q);
  mpz_add_ui(x, x, 2 * (unsigned long)p);
  mpz_mul_si(x, x, q);
}

void segment_three(const int64_t fiber[3], const mpz_t x, mpz_t most)
{
  int64_t p = fiber[0], q = fiber[1];
  SCOPED_MPZ end;
  mpz_init_set_si(end, p);
  mpz_mul_si(end, end, p);
  mpz_mul_ui(end, end, 3);
  if (mpz_cmp(x, end) <= 0)
    free_of_limits(x, 1, most);
  else {
    second_limit(p, q, end);
    if (mpz_cmp(x, end) <= 0)
      one_limit(p, x, most);
    else
      two_limits(p, q, x, most);
  }
}

double segment_three_guess(const int64_t fiber[3], double x)
{
  double p = (double)fiber[0], q = (double)fiber[1];
  if (x <= 3 * p * p)
    return pow(x / 3, 1.5);
  if (x <= q * q + 2 * p * q) {
    double s = x / (sqrt(p * p + x) + p); /* sqrt(p^2 + x) - p without cancellation */
    return p * s * s;
  }
  return (x - p * q) * p * q / (p + q);
}

/* a and b may be the same words: max(a, b) + t <= x, so (a + b)/2 + t <= x and H <= 2 (x/3)^(3/2). */
void segment_twice(const mpz_t x, mpz_t most) { free_of_limits(x, 4, most); }
double segment_twice_guess(double x) { return 2 * pow(x / 3, 1.5); }

void segment_symmetric(const mpz_t x, mpz_t most) { free_of_limits(x, 2, most); }
double segment_symmetric_guess(double x) { return sqrt(2) * pow(x / 3, 1.5); }
