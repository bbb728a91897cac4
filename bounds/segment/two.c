/* Two products of equal width d, counted together: a step of a score or of an accumulator weighs one half.

   With p pairs that have a vertex of their tree among the x words (or whose score is born in the stretch), a words of Q
   and K, b of V and the accumulators, a + b <= x - p = 2c: score steps are at most sqrt(p) a/2, accumulator steps at
   most sqrt(p + (a/2d)^2) b/2, since the other pairs' rows and columns are among the a words.  Half of the sum is at
   most c sqrt(p)/2 + c^2/(8d).

   In half steps, with s = sqrt(p):  F(s) = (x - s^2) s / 2 + (x - s^2)^2 / (16 d).  F is concave where 3 s^2 <= x and
   decreases beyond, so with t the last of the points t/R with F' >= 0 the maximum lies in [t/R, (t+1)/R] and is at most
   F(t/R) + F'(t/R) / R.  With U = x R^2 - t^2 and S = 2 d R (x R^2 - 3 t^2) - t U = 4 d R^3 F'(t/R):  F + F'/R = (8 d R
   U t + U^2 + 4 S) / (16 d R^4). */
#include "base/scoped.h"
#include "bounds/segment/segment.h"
#include <math.h>

enum { R = 1024 };

typedef struct {
  mpz_t xr, t, square, u, slope;  /* x R^2, t, t^2, U, S */
} point;

static void slope_at(point *k, int64_t d)
{
  mpz_mul(k->square, k->t, k->t);
  mpz_sub(k->u, k->xr, k->square);
  mpz_mul_ui(k->slope, k->square, 3);
  mpz_sub(k->slope, k->xr, k->slope);
  mpz_mul_si(k->slope, k->slope, d);
  mpz_mul_ui(k->slope, k->slope, 2 * R);
  mpz_submul(k->slope, k->t, k->u);
}

/* The last t with S >= 0, by bisection on [0, R sqrt(x)]. */
static void find_point(point *k, int64_t d)
{
  SCOPED_MPZ lo, hi;
  mpz_init_set_ui(lo, 0);
  mpz_init(hi);
  mpz_fdiv_q_ui(hi, k->xr, 3); /* where S < 0 */
  mpz_sqrt(hi, hi);
  mpz_add_ui(hi, hi, 1);
  for (;;) {
    mpz_add(k->t, lo, hi);
    mpz_fdiv_q_2exp(k->t, k->t, 1);
    slope_at(k, d);
    if (mpz_cmp(k->t, lo) == 0)
      break;
    mpz_set(mpz_sgn(k->slope) >= 0 ? lo : hi, k->t);
  }
}

void segment_two_most(const void *width, const mpz_t x, mpz_t most)
{
  int64_t d = *(const int64_t *)width;
  point k;
  mpz_inits(k.xr, k.t, k.square, k.u, k.slope, NULL);
  mpz_mul_ui(k.xr, x, R * R);
  find_point(&k, d);
  mpz_mul(most, k.u, k.t);
  mpz_mul_si(most, most, d);
  mpz_mul_ui(most, most, 8 * R);
  mpz_addmul(most, k.u, k.u);
  mpz_addmul_ui(most, k.slope, 4);
  mpz_fdiv_q_2exp(most, most, 4 + 40);
  mpz_fdiv_q_ui(most, most, (unsigned long)d);
  mpz_clears(k.xr, k.t, k.square, k.u, k.slope, NULL);
}

double segment_two_guess(const void *width, double x)
{
  double d = (double)*(const int64_t *)width, lo = 0, hi = sqrt(x / 3);
  for (int i = 0; i < 40; i++) {
    double s = (lo + hi) / 2, slope = (x - 3 * s * s) / 2 - s * (x - s * s) / (4 * d);
    *(slope >= 0 ? &lo : &hi) = s;
  }
  double left = x - lo * lo;
  return left * lo / 2 + left * left / (16 * d);
}
