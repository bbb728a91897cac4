/* The two bounds of forward attention for small memory, re-derived with integers. */
#include "base/scoped.h"
#include "base/mem.h"
#include "base/patience.h"
#include "bounds/check/cut.h"
#include "bounds/checker.h"
#include "bounds/check/reading/shape.h"

static bool shape_agrees(const bound_claim *c, checker_statement *s, checker_pairs *k, uint64_t *chains,
                         uint64_t *steps, text *reason)
{
  return checker_statement_read(c, s, reason) && checker_attention_shape(c, s, k, reason) &&
         checker_scores_shape(c, s, k, chains, steps, reason) &&
         (!s->seeded || bound_refuse(reason, "the accumulators are seeded"));
}

/* ---- two products ----
   Half steps: F(s) = (x - s^2) s / 2 + (x - s^2)^2 / (16 d) for s^2 carried pairs.  F is concave up to s^2 = x/3 and
   falls beyond.  On the scale of R points to the unit, walk to the last point where F still grows; the maximum is below
   the tangent there, one point further. */

enum { R = 1024 };

/* 16 d R^4 F(t / R), for t points. */
static void scaled_value(const mpz_t x, const mpz_t t, int64_t d, mpz_t f)
{
  SCOPED_MPZ left;
  mpz_init(left);
  mpz_mul(left, t, t);
  mpz_mul_ui(f, x, R * R);
  mpz_sub(left, f, left);      /* (x - s^2) R^2 */
  mpz_mul(f, left, t);
  mpz_mul_si(f, f, d);
  mpz_mul_ui(f, f, 8 * R);
  mpz_addmul(f, left, left);
}

/* 16 d R^4 times the slope of F for one more point: 4 (2 d R (x R^2 - 3 t^2) - t (x R^2 - t^2)). */
static void scaled_slope(const mpz_t x, const mpz_t t, int64_t d, mpz_t slope)
{
  SCOPED_MPZ square, whole;
  mpz_init(square);
  mpz_init(whole);
  mpz_mul(square, t, t);
  mpz_mul_ui(whole, x, R * R);
  mpz_set(slope, whole);
  mpz_submul_ui(slope, square, 3);
  mpz_mul_si(slope, slope, d);
  mpz_mul_ui(slope, slope, 2 * R);
  mpz_sub(whole, whole, square);
  mpz_submul(slope, whole, t);
  mpz_mul_ui(slope, slope, 4);
}

/* Is the maximum of F at least `work`, by its tangent bound? */
static bool two_can(const void *context, const mpz_t work, const mpz_t x)
{
  int64_t d = *(const int64_t *)context;
  SCOPED_MPZ t, step, slope, f, target;
  mpz_inits(t, step, slope, f, target, NULL);
  mpz_mul_ui(step, x, R * R);
  mpz_sqrt(step, step);
  size_t bits = mpz_sizeinbase(step, 2);
  for (mpz_set_ui(t, 0); bits-- > 0;) { /* the last point with a slope that is not negative, bit by bit */
    mpz_setbit(t, bits);
    scaled_slope(x, t, d, slope);
    if (mpz_sgn(slope) < 0)
      mpz_clrbit(t, bits);
  }
  scaled_slope(x, t, d, slope);
  scaled_value(x, t, d, f);
  mpz_add(f, f, slope);
  mpz_mul_si(target, work, 16 * d);
  mpz_mul_2exp(target, target, 40);
  return mpz_cmp(target, f) <= 0;
}

static bool check_two_products(const bound_claim *c, mpz_t value, text *reason)
{
  checker_statement s;
  checker_pairs k;
  checker_cut cut;
  uint64_t chains, steps;
  if (!shape_agrees(c, &s, &k, &chains, &steps, reason))
    return false;
  if (k.dk != k.dv)
    return bound_refuse(reason, "the theorem asks for equal widths");
  checker_cut_init(&cut);
  bool good = checker_equal(c->parameters, "work", s.steps + steps, reason) &&
              checker_equal(c->parameters, "births", s.chains + chains, reason) &&
              checker_at_most(c->parameters, "stores", s.outputs, reason) &&
              checker_cut_read(&cut, c->parameters, reason) && checker_cut_holds(&cut, c->m, two_can, &k.dk, reason);
  if (good)
    checker_cut_value(&cut, value);
  checker_cut_clear(&cut);
  return good;
}

/* ---- three ways ----
   Is the work of every stretch of x words less than `work` / segments?  For a words of rows and columns, b others and p
   = x - a - b pairs, all integers. For each a in turn the values of b are taken in runs as long as the bound of the run
   (its last b, the p of its first) allows. */

typedef struct {
  mpz_t dk, dv, m, x, share, rest, limit; /* rest = share_of - share; limit: (work - 1) / segments, rounded down */
  mpz_t z1, z2, s, u, other;
} ways;

static void ways_each(ways *w, void (*each)(mpz_t))
{
  mpz_ptr all[] = { w->dk, w->dv, w->m, w->x, w->share, w->rest, w->limit, w->z1, w->z2, w->s, w->u, w->other };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    each(all[i]);
}

static void start(mpz_t v) { mpz_init(v); }
static void stop(mpz_t v) { mpz_clear(v); }

static void keep_least(mpz_t a, const mpz_t b)
{
  if (mpz_cmp(b, a) < 0)
    mpz_set(a, b);
}

/* Work at a, b and p at most the limit? */
static bool ways_below(ways *w, int64_t a, int64_t b, int64_t p)
{
  SCOPED_MPZ A, B, P;
  mpz_init_set_si(A, a), mpz_init_set_si(B, b), mpz_init_set_si(P, p);
  /* z1 = min(a b / 4 dk, a^2 dv / 4 dk^2) */
  mpz_mul(w->z1, A, B), mpz_fdiv_q(w->z1, w->z1, w->dk), mpz_fdiv_q_ui(w->z1, w->z1, 4);
  mpz_mul(w->other, A, A), mpz_mul(w->other, w->other, w->dv);
  mpz_mul(w->u, w->dk, w->dk), mpz_mul_ui(w->u, w->u, 4), mpz_fdiv_q(w->other, w->other, w->u);
  keep_least(w->z1, w->other);
  /* z2 = min(sqrt(a^2 + 4 dk^2 p) b / 4 dk, z1 + p dv) */
  mpz_mul(w->z2, w->u, P), mpz_addmul(w->z2, A, A), mpz_mul(w->z2, w->z2, B), mpz_mul(w->z2, w->z2, B);
  mpz_sqrt(w->z2, w->z2), mpz_fdiv_q(w->z2, w->z2, w->dk), mpz_fdiv_q_ui(w->z2, w->z2, 4);
  mpz_mul(w->other, P, w->dv), mpz_add(w->other, w->other, w->z1);
  keep_least(w->z2, w->other);
  /* s = min(sqrt(u) a / 2, u dk), u = p + M */
  mpz_add(w->u, P, w->m);
  mpz_mul(w->s, w->u, A), mpz_mul(w->s, w->s, A), mpz_sqrt(w->s, w->s), mpz_fdiv_q_ui(w->s, w->s, 2);
  mpz_mul(w->other, w->u, w->dk);
  keep_least(w->s, w->other);
  /* share dk z1 + rest dk z2 + share dv s */
  mpz_mul(w->z1, w->z1, w->share), mpz_addmul(w->z1, w->z2, w->rest), mpz_mul(w->z1, w->z1, w->dk);
  mpz_mul(w->s, w->s, w->share), mpz_addmul(w->z1, w->s, w->dv);
  return mpz_cmp(w->z1, w->limit) <= 0;
}

/* All of a0 <= a <= a1, b0 <= b <= b1: as one, or cut along its longer side. */
static bool region_below(ways *w, int64_t x, int64_t a0, int64_t a1, int64_t b0, int64_t b1, int64_t *patience)
{
  if (a0 + b0 > x)
    return true;
  if (--*patience < 0)
    return false;
  if (ways_below(w, a1, b1, x - a0 - b0))
    return true;
  if (a0 == a1 && b0 == b1)
    return false;
  int64_t a = a0 + (a1 - a0) / 2, b = b0 + (b1 - b0) / 2;
  if (a1 - a0 > b1 - b0)
    return region_below(w, x, a0, a, b0, b1, patience) && region_below(w, x, a + 1, a1, b0, b1, patience);
  return region_below(w, x, a0, a1, b0, b, patience) && region_below(w, x, a0, a1, b + 1, b1, patience);
}

/* The numbers of the certificate: n segments of x = M + length words, the first of x events. */
typedef struct {
  int64_t share, share_of, n, first, length;
  mpz_t events, work;
} ways_claim;

static bool ways_read(const bound_claim *c, ways_claim *k, text *reason)
{
  const json_value *p = c->parameters;
  bool good = json_get_int(p, "share", &k->share) && json_get_int(p, "share_of", &k->share_of) &&
              json_get_int(p, "segments", &k->n) && json_get_int(p, "first", &k->first) &&
              json_get_int(p, "length", &k->length) && json_get_big(p, "events", k->events) &&
              json_get_big(p, "work", k->work);
  if (!good)
    return bound_refuse(reason, "a number of the certificate is missing");
  if (k->share < 0 || k->share_of < 1 || k->share > k->share_of || k->n < 1 || k->length < 1 || k->first < 0 ||
      k->first > INT64_MAX / 4 || k->first - c->m != k->length)
    return bound_refuse(reason, "the share must be between 0 and 1, the first segment M + length events");
  return true;
}

static bool ways_sums(const bound_claim *c, const ways_claim *k, const checker_statement *s, const checker_pairs *pairs,
                      text *reason)
{
  SCOPED_MPZ sum;
  mpz_init_set_ui(sum, s->steps);
  mpz_mul_si(sum, sum, pairs->dk);
  mpz_mul_si(sum, sum, k->share_of);
  bool good = mpz_cmp(sum, k->work) == 0 || bound_refuse(reason, "the work is not steps times dk times share_of");
  mpz_set_si(sum, k->n - 1);
  mpz_mul_si(sum, sum, k->length);
  mpz_add_ui(sum, sum, (unsigned long)k->first + 1);
  good = good &&
         (mpz_cmp(sum, k->events) == 0 || bound_refuse(reason, "the events are not first + (segments - 1) length + 1"));
  return good && checker_equal(c->parameters, "births", s->chains, reason);
}

static bool stretches_below(const bound_claim *c, const ways_claim *k, const checker_pairs *pairs)
{
  ways w;
  int64_t patience = PATIENCE(1 << 18);
  ways_each(&w, start);
  mpz_set_si(w.dk, pairs->dk);
  mpz_set_si(w.dv, pairs->dv);
  mpz_set_si(w.m, c->m);
  mpz_set_si(w.share, k->share);
  mpz_set_si(w.rest, k->share_of - k->share);
  mpz_sub_ui(w.limit, k->work, 1);
  mpz_fdiv_q_ui(w.limit, w.limit, (unsigned long)k->n);
  bool below = region_below(&w, k->first, 0, k->first, 0, k->first, &patience);
  ways_each(&w, stop);
  return below;
}

static bool check_three_ways(const bound_claim *c, mpz_t value, text *reason)
{
  checker_statement s;
  checker_pairs pairs;
  ways_claim k;
  uint64_t chains, steps;
  if (!shape_agrees(c, &s, &pairs, &chains, &steps, reason))
    return false;
  mpz_init(k.events);
  mpz_init(k.work);
  bool good = ways_read(c, &k, reason) && ways_sums(c, &k, &s, &pairs, reason) &&
              (stretches_below(c, &k, &pairs) ||
               bound_refuse(reason, "a stretch of %ld words could do more than its part of the work", (long)k.first));
  if (good)
    mpz_sub_ui(value, k.events, s.chains);
  mpz_clear(k.events);
  mpz_clear(k.work);
  return good;
}

BOUND_CHECKER(attention_two_products) = { "attention-two-products", BOUND_ANY, check_two_products };
BOUND_CHECKER(attention_three_way) = { "attention-three-way", BOUND_ANY, check_three_ways };
