/* Lower bounds for the backward pass of attention (docs/theory-lp.md, sections 4 and 5).

   With E pairs of width d the loads give 12 d^2 E / M and loads with stores 14 d^2 E / M to leading order.  The second
   inequality charges a store with M + d^2, a segment of t events with H(M + t); the first bounds the events alone.  Of
   all (events, stores) that obey both and stores >= outputs, the least sum is where the two lines meet, or at the
   fewest stores: it is this least sum that is returned, so the d^2 in M + d^2 weighs on the stores only. */
#include "base/scoped.h"
#include "bounds/program/backward.h"
#include <math.h>

enum { WIDTH_BITS = 28 };

bound_carry bound_backward_carry(const backward_case *b, bool with_stores)
{
  int64_t weight = with_stores ? 14 : 12, heaviest = with_stores ? 6 : 4;
  return (bound_carry){
    .scale = 1, .each = weight * b->d * b->d, .sides = heaviest * b->d, .keep_num = 1, .keep_den = 1, .pairs = b->pairs
  };
}

static bool fits(const backward_case *b)
{
  return b->d >= 1 && b->d <= (int64_t)1 << WIDTH_BITS && b->pairs >= 1 && b->m >= 1 && b->m < INT64_MAX / 256;
}

static void total_weight(const backward_case *b, int weight, mpz_t total)
{
  mpz_set_si(total, b->pairs);
  mpz_mul_si(total, total, weight * b->d * b->d);
}

bool bound_backward_loads(const backward_case *b, segment_cut *c)
{
  if (!fits(b))
    return false;
  bound_carry k = bound_backward_carry(b, false);
  segment_problem p = { bound_carry_work, bound_carry_guess, &k, { { 0 } }, b->m };
  mpz_init(p.work);
  total_weight(b, 12, p.work);
  bool found = segment_search(&p, c);
  mpz_clear(p.work);
  return found;
}

void bound_backward_balance_init(backward_balance *r)
{
  r->f = r->t = 0;
  mpz_inits(r->first, r->later, r->value, NULL);
  mpq_init(r->stores);
}

void bound_backward_balance_clear(backward_balance *r)
{
  mpz_clears(r->first, r->later, r->value, NULL);
  mpq_clear(r->stores);
}

/* Events that the second inequality does not ask about: 1 when the first segment is no longer than the others. */
static void set_unasked(const backward_balance *r, mpq_t events) { mpq_set_si(events, r->f - r->t + 1, 1); }

/* events = max(floor, f - t + 1 + t (need - (M + d^2) stores) / later): the least number of events beside so many
 * stores */
static void events_beside(const backward_case *b, const backward_balance *r, const mpz_t need, const mpz_t floor_events,
                          const mpq_t stores, mpq_t events)
{
  SCOPED_MPQ t;
  mpq_init(t);
  mpq_set_si(t, b->m + b->d * b->d, 1);
  mpq_mul(t, t, stores);
  mpq_set_z(events, need);
  mpq_sub(events, events, t);
  mpq_set_si(t, r->t, 1);
  mpq_mul(events, events, t);
  mpq_set_z(t, r->later);
  mpq_div(events, events, t);
  set_unasked(r, t);
  mpq_add(events, events, t);
  mpq_set_z(t, floor_events);
  if (mpq_cmp(events, t) < 0)
    mpq_set(events, t);
}

/* The stores at which the second inequality asks for exactly floor_events events: (need - (floor - (f - t + 1))
 * later / t) / (M + d^2) */
static void meeting_point(const backward_case *b, const backward_balance *r, const mpz_t need, const mpz_t floor_events,
                          mpq_t stores)
{
  SCOPED_MPQ t;
  mpq_init(t);
  mpq_set_z(stores, floor_events);
  set_unasked(r, t);
  mpq_sub(stores, stores, t);
  mpz_mul(mpq_numref(stores), mpq_numref(stores), r->later);
  mpz_set_si(mpq_denref(stores), r->t);
  mpq_canonicalize(stores);
  mpq_set_z(t, need);
  mpq_sub(stores, t, stores);
  mpq_set_si(t, b->m + b->d * b->d, 1);
  mpq_div(stores, stores, t);
}

/* The least of events + stores over stores >= outputs: a convex piecewise linear function, bent at the meeting point
 * only. */
static void least_sum(const backward_case *b, backward_balance *r, const mpz_t need, const mpz_t floor_events,
                      mpq_t sum)
{
  SCOPED_MPQ fewest, other;
  mpq_inits(fewest, other, NULL);
  mpq_set_si(fewest, b->outputs, 1);
  events_beside(b, r, need, floor_events, fewest, sum);
  mpq_add(sum, sum, fewest);
  meeting_point(b, r, need, floor_events, r->stores);
  if (mpq_cmp(r->stores, fewest) > 0) {
    events_beside(b, r, need, floor_events, r->stores, other);
    mpq_add(other, other, r->stores);
    if (mpq_cmp(other, sum) < 0)
      mpq_set(sum, other);
    else
      mpq_set(r->stores, fewest);
  } else
    mpq_set(r->stores, fewest);
}

void bound_backward_balance_at(const backward_case *b, const mpz_t floor_events, int64_t t, backward_balance *r)
{
  bound_carry k = bound_backward_carry(b, true);
  int64_t p;
  mpz_t need;
  mpq_t sum;
  mpz_init(need);
  mpq_init(sum);
  r->t = t;
  r->f = mpz_cmp_si(floor_events, b->m + t) >= 0 ? b->m + t : t;
  bound_carry_most(&k, r->f, r->first, &p);
  bound_carry_most(&k, b->m + t, r->later, &p);
  total_weight(b, 14, need);
  mpz_sub(need, need, r->first);
  if (mpz_sgn(r->later) > 0)
    least_sum(b, r, need, floor_events, sum);
  else
    mpq_set_z(sum, floor_events);
  mpz_cdiv_q(r->value, mpq_numref(sum), mpq_denref(sum));
  mpz_set_si(need, b->births);
  mpz_sub(r->value, r->value, need);
  mpz_clear(need);
  mpq_clear(sum);
}

static void keep_better(backward_balance *best, const backward_balance *r)
{
  if (best->t && mpz_cmp(r->value, best->value) <= 0)
    return;
  best->t = r->t;
  best->f = r->f;
  mpz_set(best->first, r->first);
  mpz_set(best->later, r->later);
  mpq_set(best->stores, r->stores);
  mpz_set(best->value, r->value);
}

bool bound_backward_balance_best(const backward_case *b, const mpz_t floor_events, backward_balance *r)
{
  static const struct {
    double ratio;
    int each_side;
  } round[] = { { 1.5, 5 }, { 1.1, 4 }, { 1.02, 5 }, { 1.004, 4 }, { 1.0008, 5 } };
  if (!fits(b))
    return false;
  backward_balance one;
  bound_backward_balance_init(&one);
  r->t = 0;
  for (size_t i = 0; i < sizeof round / sizeof *round; i++) {
    double center = r->t ? (double)r->t : (double)b->m;
    for (int k = -round[i].each_side; k <= round[i].each_side; k++) {
      double t = center * pow(round[i].ratio, k);
      bound_backward_balance_at(b, floor_events, t < 1 ? 1 : (int64_t)t, &one);
      keep_better(r, &one);
    }
  }
  bound_backward_balance_clear(&one);
  return true;
}
