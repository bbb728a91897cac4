/* The search for the best cut of a play into segments.

   With n segments it is best to give each the same work, W/n: the others M + length = X words with h(X) = W/n, and the
   first, which starts with nothing, X events: n X - (n - 1) M in all.  The X that makes the work of an event least is
   searched in doubles; then n is W / h(X) or near it, and X and the first segment are fixed exactly, by bisection on
   integers.  Only that last step is trusted. */
#include "base/scoped.h"
#include "bounds/segment/segment.h"
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

/* An x with h(x) = work, nearly.  h is close to a power of x, so its logarithm is interpolated (the Illinois method:
   an end that stays counts half); where that is slow or there is no logarithm, halves. */
static double inverse_guess(const segment_problem *p, double work)
{
  double hi = p->m > 1 ? (double)p->m : 1, at = p->guess(p->context, hi), lo, weight_lo = 1, weight_hi = 1;
  while (at < work && hi < 1e18)
    hi *= 2, at = p->guess(p->context, hi);
  for (lo = hi / 2; hi > 0.5 && (at = p->guess(p->context, lo)) >= work; lo /= 2)
    hi = lo;
  double f_lo = log(at / work), f_hi = log(p->guess(p->context, hi) / work);
  for (int i = 0; i < 60 && hi - lo > 1e-13 * hi; i++) {
    double a = weight_lo * f_lo, b = weight_hi * f_hi, share = a / (a - b);
    double x = i % 8 < 6 && share > 0 && share < 1 ? lo * pow(hi / lo, share) : (lo + hi) / 2;
    double f = log(p->guess(p->context, x) / work);
    if (fabs(f) < 1e-14 && p->guess(p->context, x * (1 - 1e-12)) < work) /* the least x of a level stretch */
      return x;
    bool low = f < 0;
    weight_lo = low ? 1 : weight_lo / 2, weight_hi = low ? weight_hi / 2 : 1;
    *(low ? &lo : &hi) = x;
    *(low ? &f_lo : &f_hi) = f;
  }
  return lo;
}

/* Events for each unit of work when a segment has e^y events. */
static double rate(const segment_problem *p, double y)
{
  double length = exp(y);
  return length / p->guess(p->context, (double)p->m + length);
}

/* Work for each event: what the best X makes least.  (X - M) / h(X) rises and then falls when h is convex and h(0) = 0,
   so golden section finds it; on the logarithm, since X runs from M to all there is. */
double segment_best_words(const segment_problem *p)
{
  const double ratio = 0.6180339887498949;
  double m = (double)p->m, lo = 0, hi = log(2 + inverse_guess(p, mpz_get_d(p->work)));
  double a = hi - ratio * (hi - lo), b = lo + ratio * (hi - lo);
  double fa = rate(p, a), fb = rate(p, b);
  for (int i = 0; i < 60 && hi - lo > 1e-9; i++) {
    if (fa < fb)
      lo = a, a = b, fa = fb, b = lo + ratio * (hi - lo), fb = rate(p, b);
    else
      hi = b, b = a, fb = fa, a = hi - ratio * (hi - lo), fa = rate(p, a);
  }
  return m + exp((lo + hi) / 2);
}

/* Is times * h(x) <= limit? */
static bool fits(const segment_problem *p, int64_t x, int64_t times, const mpz_t limit, mpz_t scratch)
{
  SCOPED_MPZ at;
  mpz_init_set_si(at, x);
  p->most(p->context, at, scratch);
  mpz_mul_si(scratch, scratch, times);
  return mpz_cmp(scratch, limit) <= 0;
}

/* The largest x with times * h(x) <= limit (0 when there is none), looked for around the guess. */
static int64_t inverse(const segment_problem *p, int64_t times, const mpz_t limit)
{
  SCOPED_MPZ scratch;
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
  return lo;
}

static void most_of(const segment_problem *p, int64_t x, mpz_t work)
{
  SCOPED_MPZ at;
  mpz_init_set_si(at, x);
  p->most(p->context, at, work);
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

/* The events of a cut into n segments, the others of this length. */
static void count_events(int64_t n, int64_t first, int64_t length, mpz_t events)
{
  mpz_set_si(events, length);
  mpz_mul_si(events, events, n - 1);
  mpz_add_ui(events, events, (unsigned long)first + 1);
}

/* Would a cut with so much work left for its first segment have more events than the best so far?  It would when as
   long a first segment as that takes still allows no more. */
static bool is_better(const segment_problem *p, int64_t n, int64_t length, const mpz_t left, const segment_cut *best)
{
  SCOPED_MPZ first, work;
  mpz_inits(first, work, NULL);
  count_events(n, 0, length, first);
  mpz_sub(first, best->events, first);
  mpz_add_ui(first, first, 1);
  bool better = mpz_sgn(first) <= 0;
  if (!better && mpz_fits_slong_p(first)) {
    p->most(p->context, first, work);
    better = mpz_cmp(work, left) <= 0;
  }
  return better;
}

/* The cut into n segments, the others of this length and this work, the first as long as it may be. */
static void cut_at(const segment_problem *p, int64_t n, int64_t length, const mpz_t most, segment_cut *best)
{
  mpz_t left;
  segment_cut c;
  segment_cut_init(&c);
  mpz_init_set(left, p->work);
  mpz_sub_ui(left, left, 1);
  mpz_submul_ui(left, most, (unsigned long)n - 1);
  if (mpz_sgn(left) >= 0 && is_better(p, n, length, left, best)) {
    mpz_set(c.most, most);
    c.n = n;
    c.length = length;
    c.first = inverse(p, 1, left);
    most_of(p, c.first, c.most_first);
    count_events(n, c.first, length, c.events);
    if (mpz_cmp(c.most_first, left) <= 0) /* else even no words allow too much */
      keep_better(best, &c);
  }
  mpz_clear(left);
  segment_cut_clear(&c);
}

/* n segments of equal work. */
static void cut_into(const segment_problem *p, int64_t n, segment_cut *best)
{
  SCOPED_MPZ limit, most;
  mpz_init_set(limit, p->work);
  mpz_init(most);
  mpz_sub_ui(limit, limit, 1);
  int64_t length = n > 1 ? inverse(p, n, limit) - p->m : 0;
  if (length > 0)
    most_of(p, p->m + length, most);
  if (n == 1 || length > 0)
    cut_at(p, n, length, most, best);
}

/* As many segments of this length as the work allows, or one fewer and a longer first. */
static void cut_by(const segment_problem *p, int64_t length, segment_cut *best)
{
  SCOPED_MPZ most, n;
  mpz_init(most);
  mpz_init_set(n, p->work);
  most_of(p, p->m + length, most);
  if (mpz_sgn(most) > 0) {
    mpz_sub_ui(n, n, 1);
    mpz_fdiv_q(n, n, most);
    for (int64_t k = mpz_fits_slong_p(n) ? mpz_get_si(n) : 0, i = 0; i < 2 && k - i >= 0; i++)
      cut_at(p, k - i + 1, length, most, best);
  }
}

void segment_refresh(const segment_problem *p, segment_cut *c)
{
  most_of(p, c->first, c->most_first);
  if (c->n > 1)
    most_of(p, p->m + c->length, c->most);
}

/* Where work is counted in few whole steps the best length is one where rounding down helps, and of a short length the
   rounding of equal shares loses much: try those around. */
enum { COARSE = 10000, AROUND = 24 };

bool segment_search(const segment_problem *p, segment_cut *best)
{
  if (mpz_sgn(p->work) <= 0)
    return false;
  double words = segment_best_words(p), each = p->guess(p->context, words), guess = mpz_get_d(p->work) / each;
  int64_t n = guess < 1e17 ? (int64_t)guess : (int64_t)1e17, length = (int64_t)words - p->m;
  for (int64_t i = n > 1 ? n - 1 : 1; i <= n + 2; i++)
    cut_into(p, i, best);
  cut_into(p, 1, best); /* when everything fits */
  for (int64_t i = length - AROUND; (each < COARSE || length < COARSE) && i <= length + AROUND; i++)
    if (i > 0)
      cut_by(p, i, best);
  return mpz_sgn(best->events) > 0;
}
