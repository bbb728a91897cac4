/* The search for the best cut of a play into segments.

   With n segments it is best to give each the same work, W/n: the others M + length = X words with h(X) = W/n, and the first,
   which starts with nothing, X events.  f(n) = n X - (n - 1) M is concave in n when h is convex, so a golden-section search in doubles
   finds n; then X and the first segment are fixed exactly, by bisection on integers.  Only that last step is trusted. */
#include "bounds/segment.h"
#include <math.h>

void segment_cut_init(segment_cut *c)
{
  *c = (segment_cut){ 0 };
  mpz_inits(c->most_first, c->most, c->events, NULL);
}

void segment_cut_clear(segment_cut *c)
{
  mpz_clears(c->most_first, c->most, c->events, NULL);
}

static double inverse_guess(const segment_problem *p, double work)
{
  double lo = 0, hi = 1;
  while (p->guess(p->context, hi) < work && hi < 1e18)
    hi *= 2;
  lo = hi / 2;
  for (int i = 0; i < 52; i++) {
    double middle = (lo + hi) / 2;
    *(p->guess(p->context, middle) < work ? &lo : &hi) = middle;
  }
  return lo;
}

static double events_guess(const segment_problem *p, double work, double n)
{
  return n * inverse_guess(p, work / n) - (n - 1) * (double)p->m;
}

/* Golden section on the logarithm of n: n runs from 1 to W. */
static double best_n_guess(const segment_problem *p, double work)
{
  const double ratio = 0.6180339887498949;
  double lo = 0, hi = log(work > 2 ? work : 2);
  double a = hi - ratio * (hi - lo), b = lo + ratio * (hi - lo);
  double fa = events_guess(p, work, exp(a)), fb = events_guess(p, work, exp(b));
  for (int i = 0; i < 60 && hi - lo > 1e-12; i++) {
    if (fa < fb)
      lo = a, a = b, fa = fb, b = lo + ratio * (hi - lo), fb = events_guess(p, work, exp(b));
    else
      hi = b, b = a, fb = fa, a = hi - ratio * (hi - lo), fa = events_guess(p, work, exp(a));
  }
  return exp((lo + hi) / 2);
}

/* Is times * h(x) <= limit? */
static bool fits(const segment_problem *p, int64_t x, int64_t times, const mpz_t limit, mpz_t scratch)
{
  mpz_t at;
  mpz_init_set_si(at, x);
  p->most(p->context, at, scratch);
  mpz_clear(at);
  mpz_mul_si(scratch, scratch, times);
  return mpz_cmp(scratch, limit) <= 0;
}

/* The largest x with times * h(x) <= limit (0 when there is none), looked for around the guess. */
static int64_t inverse(const segment_problem *p, int64_t times, const mpz_t limit)
{
  mpz_t scratch;
  mpz_init(scratch);
  double guess = inverse_guess(p, mpz_get_d(limit) / (double)times);
  int64_t lo = guess < 1e18 ? (int64_t)guess : (int64_t)1e18, hi, step = 1;
  while (lo > 0 && !fits(p, lo, times, limit, scratch))
    lo = lo > step ? lo - step : 0, step *= 2;
  for (step = 1, hi = lo + 1; hi < INT64_MAX / 4 && fits(p, hi, times, limit, scratch); step *= 2)
    lo = hi, hi += step;
  while (hi - lo > 1) {
    int64_t middle = lo + (hi - lo) / 2;
    *(fits(p, middle, times, limit, scratch) ? &lo : &hi) = middle;
  }
  mpz_clear(scratch);
  return lo;
}

static void most_of(const segment_problem *p, int64_t x, mpz_t work)
{
  mpz_t at;
  mpz_init_set_si(at, x);
  p->most(p->context, at, work);
  mpz_clear(at);
}

/* The best cut into n segments, exactly. */
static bool cut_into(const segment_problem *p, int64_t n, segment_cut *c)
{
  mpz_t limit, left;
  mpz_init(limit);
  mpz_init(left);
  mpz_sub_ui(limit, p->work, 1);
  c->n = n;
  c->length = 0;
  mpz_set_ui(c->most, 0);
  if (n > 1) {
    int64_t x = inverse(p, n, limit);
    c->length = x - p->m;
    most_of(p, x, c->most);
  }
  bool good = n == 1 || c->length > 0;
  if (good) {
    mpz_mul_si(left, c->most, n - 1);
    mpz_sub(left, limit, left);
    c->first = inverse(p, 1, left);
    most_of(p, c->first, c->most_first);
    mpz_set_si(c->events, c->length);
    mpz_mul_si(c->events, c->events, n - 1);
    mpz_add_ui(c->events, c->events, (unsigned long)c->first + 1);
  }
  mpz_clear(limit);
  mpz_clear(left);
  return good;
}

static void keep_better(segment_cut *best, segment_cut *c)
{
  if (mpz_cmp(c->events, best->events) <= 0)
    return;
  best->n = c->n;
  best->first = c->first;
  best->length = c->length;
  mpz_swap(best->most_first, c->most_first);
  mpz_swap(best->most, c->most);
  mpz_swap(best->events, c->events);
}

bool segment_search(const segment_problem *p, segment_cut *best)
{
  segment_cut c;
  if (mpz_sgn(p->work) <= 0)
    return false;
  segment_cut_init(&c);
  double work = mpz_get_d(p->work), guess = best_n_guess(p, work);
  int64_t middle = guess < 1e17 ? (int64_t)guess : (int64_t)1e17;
  for (int64_t n = middle > 1 ? middle - 1 : 1; n <= middle + 2; n++)
    if (cut_into(p, n, &c))
      keep_better(best, &c);
  if (middle > 2 && cut_into(p, 1, &c)) /* one segment: when everything fits */
    keep_better(best, &c);
  segment_cut_clear(&c);
  return mpz_sgn(best->events) > 0;
}
