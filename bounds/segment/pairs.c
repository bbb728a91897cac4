/* Steps at pairs: H <= sqrt(E v z) steps use E pairs, v words of the columns' operand and z chains.

   A pair's value is either carried (a vertex of its own tree is red or loaded: one word each, so H is what three kinds
   of words allow) or made here, and then all dk words of its row and of its column are here: E pairs cost at least 2 dk
   sqrt(E) words.  With x words in all carried:  segment_three made:     max over E of min(E dv, sqrt(E) (x - 2 dk
   sqrt(E)) / 2): x^2 / (16 dk)                            dv >= dk, x <= 4 dk sqrt(pairs) sqrt(pairs) (x - 2 dk
   sqrt(pairs)) / 2   dv >= dk, beyond dv x^2 / (4 (dk + dv)^2)                 dv < dk. The cost of E pairs is at least
   min(E, 2 dk sqrt(E)) also when some are carried and some made, both costs being concave; so the most is the larger of
   the two. */
#include "base/scoped.h"
#include "bounds/segment/segment.h"
#include <math.h>

/* x^2 / (16 dk) unless that asks for more pairs than there are. */
static void made_wide(const segment_pairs *a, const mpz_t x, mpz_t most)
{
  SCOPED_MPZ side, pairs;
  mpz_init_set_ui(pairs, a->pairs);
  mpz_init_set_si(side, 4 * a->dk);
  mpz_mul(side, side, side);
  mpz_mul(side, side, pairs);
  mpz_mul(most, x, x);
  if (mpz_cmp(most, side) <= 0)
    mpz_fdiv_q_ui(most, most, 16 * (unsigned long)a->dk);
  else { /* floor((sqrt(x^2 pairs) - 2 dk pairs) / 2) */
    mpz_mul(most, most, pairs);
    mpz_sqrt(most, most);
    mpz_submul_ui(most, pairs, 2 * (unsigned long)a->dk);
    mpz_fdiv_q_ui(most, most, 2);
  }
}

static void made_narrow(const segment_pairs *a, const mpz_t x, mpz_t most)
{
  SCOPED_MPZ side;
  mpz_init_set_si(side, 2 * (a->dk + a->dv));
  mpz_mul(side, side, side);
  mpz_mul(most, x, x);
  mpz_mul_si(most, most, a->dv);
  mpz_fdiv_q(most, most, side);
}

void segment_pairs_most(const void *context, const mpz_t x, mpz_t most)
{
  const segment_pairs *a = context;
  SCOPED_MPZ carried;
  mpz_init(carried);
  segment_three(a->fiber, x, carried);
  if (a->dv >= a->dk)
    made_wide(a, x, most);
  else
    made_narrow(a, x, most);
  if (mpz_cmp(carried, most) > 0)
    mpz_swap(carried, most);
}

double segment_made_guess(const segment_pairs *a, double x)
{
  double dk = (double)a->dk, dv = (double)a->dv, side = sqrt((double)a->pairs);
  if (dv < dk)
    return dv * x * x / (4 * (dk + dv) * (dk + dv));
  return x <= 4 * dk * side ? x * x / (16 * dk) : side * (x - 2 * dk * side) / 2;
}

double segment_pairs_guess(const void *context, double x)
{
  const segment_pairs *a = context;
  return fmax(segment_three_guess(a->fiber, x), segment_made_guess(a, x));
}
