/* The most work of a segment, local and carried pairs together (docs/theory-lp.md, section 2).

   With c = keep_num / keep_den and Y = X - c p:
     f(p) = scale Y^2 / 4 + min(each p, sides/2 sqrt(p) Y).
   each p <= sides/2 sqrt(p) Y holds exactly up to some p* (the left side over sqrt(p) grows, the right falls); there f
   is convex, so its maximum is at 0 or p*.  Beyond, f' has the sign of sides (X - 3 c p) - 2 scale c Y sqrt(p) while 3
   c p < X, and is negative after; the first term falls and the second grows while 3 c p < X, so f' changes sign once:
   the maximum is at p* + 1 or at the last p where f' >= 0 or the one after it.  All comparisons are between integers.
 */
#include "base/scoped.h"
#include "bounds/program/covering.h"
#include <assert.h>
#include <math.h>

typedef struct {
  const bound_carry *k;
  int64_t x;
  mpz_t y, u, v; /* y: keep_den X - keep_num p */
} scratch;

static void scratch_init(scratch *s, const bound_carry *k, int64_t x)
{
  s->k = k;
  s->x = x;
  mpz_inits(s->y, s->u, s->v, NULL);
}
static void scratch_clear(scratch *s) { mpz_clears(s->y, s->u, s->v, NULL); }

static void left_words(scratch *s, int64_t p, int64_t factor)
{
  mpz_set_si(s->y, s->x);
  mpz_mul_si(s->y, s->y, s->k->keep_den);
  mpz_set_si(s->u, p);
  mpz_mul_si(s->u, s->u, s->k->keep_num);
  mpz_mul_si(s->u, s->u, factor);
  mpz_sub(s->y, s->y, s->u);
}

/* each p <= sides/2 sqrt(p) Y, that is 4 each^2 p keep_den^2 <= sides^2 y^2 (p > 0, y >= 0) */
static bool pairs_bind(scratch *s, int64_t p)
{
  left_words(s, p, 1);
  if (mpz_sgn(s->y) < 0)
    return false;
  mpz_mul_si(s->v, s->y, s->k->sides);
  mpz_mul(s->v, s->v, s->v);
  mpz_set_si(s->u, s->k->each);
  mpz_mul_si(s->u, s->u, 2 * s->k->keep_den);
  mpz_mul(s->u, s->u, s->u);
  mpz_mul_si(s->u, s->u, p);
  return mpz_cmp(s->u, s->v) <= 0;
}

/* f'(p) >= 0 where the words bind: sides (keep_den X - 3 keep_num p) keep_den >= 2 scale keep_num y sqrt(p) */
static bool still_rises(scratch *s, int64_t p)
{
  left_words(s, p, 3);
  if (mpz_sgn(s->y) < 0)
    return false;
  mpz_mul_si(s->v, s->y, s->k->sides);
  mpz_mul_si(s->v, s->v, s->k->keep_den);
  mpz_mul(s->v, s->v, s->v);
  left_words(s, p, 1);
  mpz_mul_si(s->u, s->y, 2 * s->k->scale);
  mpz_mul_si(s->u, s->u, s->k->keep_num);
  mpz_mul(s->u, s->u, s->u);
  mpz_mul_si(s->u, s->u, p);
  return mpz_cmp(s->v, s->u) >= 0;
}

/* The last p in lo .. hi where the test holds, given that it holds at lo and never again once it failed; guess: where
 * to look first. */
static int64_t last_true(scratch *s, bool (*test)(scratch *, int64_t), int64_t lo, int64_t hi, double guess)
{
  int64_t step = 1 + (int64_t)(fabs(guess) * 1e-12);
  if (guess > (double)lo && guess < (double)hi) {
    int64_t at = (int64_t)guess;
    if (test(s, at)) {
      lo = at;
      while (lo + step < hi && test(s, lo + step))
        lo += step, step *= 8;
      hi = lo + step < hi ? lo + step : hi;
    } else {
      hi = at;
      while (hi - step > lo && !test(s, hi - step))
        hi -= step, step *= 8;
      lo = hi - step > lo ? hi - step : lo;
    }
  }
  while (lo < hi) {
    int64_t middle = lo + (hi - lo + 1) / 2;
    if (test(s, middle))
      lo = middle;
    else
      hi = middle - 1;
  }
  return lo;
}

void bound_carry_at(const bound_carry *k, int64_t words, int64_t p, mpz_t value)
{
  scratch s;
  scratch_init(&s, k, words);
  left_words(&s, p, 1);
  if (mpz_sgn(s.y) < 0)
    mpz_set_ui(s.y, 0);
  /* over 4 keep_den^2: scale y^2 + min(4 keep_den^2 each p, isqrt(4 keep_den^2 sides^2 p y^2)) */
  mpz_mul_si(s.v, s.y, 2 * k->keep_den);
  mpz_mul_si(s.v, s.v, k->sides);
  mpz_mul(s.v, s.v, s.v);
  mpz_mul_si(s.v, s.v, p);
  mpz_sqrt(s.v, s.v);
  mpz_set_si(s.u, k->each);
  mpz_mul_si(s.u, s.u, p);
  mpz_mul_si(s.u, s.u, 4 * k->keep_den);
  mpz_mul_si(s.u, s.u, k->keep_den);
  if (mpz_cmp(s.v, s.u) > 0)
    mpz_set(s.v, s.u);
  mpz_mul(s.y, s.y, s.y);
  mpz_mul_si(s.y, s.y, k->scale);
  mpz_add(s.v, s.v, s.y);
  mpz_set_si(s.u, 4 * k->keep_den);
  mpz_mul_si(s.u, s.u, k->keep_den);
  mpz_fdiv_q(value, s.v, s.u);
  scratch_clear(&s);
}

static void keep_larger(const bound_carry *k, int64_t words, int64_t p, int64_t most_p, mpz_t most, int64_t *at)
{
  if (p < 0 || p > most_p)
    return;
  SCOPED_MPZ value;
  mpz_init(value);
  bound_carry_at(k, words, p, value);
  if (mpz_cmp(value, most) > 0) {
    mpz_set(most, value);
    *at = p;
  }
}

/* sqrt(p) = (sqrt(s^2 X' + e^2) - e) / (s ...): the root of each sqrt(p) = sides/2 (X - c p) in doubles */
static double crossing_guess(const bound_carry *k, double x)
{
  double c = (double)k->keep_num / (double)k->keep_den, b = (double)k->sides / 2, a = (double)k->each;
  if (b * c == 0)
    return 0;
  double root = (sqrt(a * a + 4 * b * b * c * x) - a) / (2 * b * c);
  return root * root;
}

/* sides (X - 3 c p) = 2 scale c (X - c p) sqrt(p), in doubles: the difference falls with u = sqrt(p), so Newton's steps
   are kept between the ends that are known. */
static double peak_guess(const bound_carry *k, double x)
{
  double c = (double)k->keep_num / (double)k->keep_den, sides = (double)k->sides, slope = 2 * (double)k->scale * c;
  if (c <= 0 || x <= 0)
    return x;
  double lo = 0, hi = sqrt(x / (3 * c)), u = slope > 0 ? fmin(hi, sides / slope) : hi;
  for (int i = 0; i < 60 && hi - lo > 1e-14 * hi; i++) {
    double value = sides * (x - 3 * c * u * u) - slope * (x - c * u * u) * u,
           rate = -6 * sides * c * u - slope * (x - 3 * c * u * u);
    *(value >= 0 ? &lo : &hi) = u;
    double next = rate < 0 ? u - value / rate : (lo + hi) / 2;
    if (fabs(next - u) <= 1e-15 * u)
      break;
    u = next > lo && next < hi ? next : (lo + hi) / 2;
  }
  return u * u;
}

void bound_carry_most(const bound_carry *k, int64_t words, mpz_t most, int64_t *p)
{
  assert(k->scale >= 0 && k->each >= 0 && k->sides >= 0 && k->keep_den > 0 && k->keep_num >= 0);
  int64_t last = words < k->pairs ? words : k->pairs;
  scratch s;
  mpz_set_si(most, -1);
  *p = 0;
  if (last < 0)
    last = 0;
  scratch_init(&s, k, words);
  int64_t cross = last_true(&s, pairs_bind, 0, last, crossing_guess(k, (double)words));
  keep_larger(k, words, 0, last, most, p);
  keep_larger(k, words, cross, last, most, p);
  keep_larger(k, words, cross + 1, last, most, p);
  if (cross + 1 <= last && still_rises(&s, cross + 1)) {
    int64_t peak = last_true(&s, still_rises, cross + 1, last, peak_guess(k, (double)words));
    keep_larger(k, words, peak, last, most, p);
    keep_larger(k, words, peak + 1, last, most, p);
  }
  scratch_clear(&s);
}

/* Word counts beyond this are all alike: no play has so many. */
static int64_t clamp(const mpz_t words)
{
  return mpz_cmp_ui(words, 1ul << 60) < 0 ? mpz_get_si(words) : (int64_t)1 << 60;
}

void bound_carry_work(const void *carry, const mpz_t words, mpz_t most)
{
  int64_t p;
  bound_carry_most(carry, clamp(words), most, &p);
}

static double value_guess(const bound_carry *k, double x, double p)
{
  double y = x - p * (double)k->keep_num / (double)k->keep_den;
  return (double)k->scale * y * y / 4 + fmin((double)k->each * p, (double)k->sides / 2 * sqrt(p) * y);
}

double bound_carry_guess(const void *carry, double words)
{
  const bound_carry *k = carry;
  double last = fmin(words, (double)k->pairs),
         p[3] = { 0, fmin(crossing_guess(k, words), last), fmin(peak_guess(k, words), last) }, most = 0;
  for (int i = 0; i < 3; i++)
    most = fmax(most, value_guess(k, words, p[i]));
  return most;
}
