/* Segment bounds of products and of forward attention, re-derived.  What a stretch can do is not computed here by the
   prover's closed forms: it is asked, for a given amount of work, whether the words suffice, by inequalities between
   integers. */
#include "base/scoped.h"
#include "bounds/check/cut.h"
#include "bounds/checker.h"
#include "bounds/check/reading/shape.h"
#include <string.h>

/* ---- three kinds of words ----
   Work H on a + b + t <= x words with H^2 <= a b t, a >= H/p, b >= H/q, t >= H/r and p <= q <= r.  The least a + b + t
   has the limits that bind tight, the tightest first, and the rest equal: H <= p^3:    3 H^(2/3) <= x             that
   is 27 H^2 <= x^3 H <= p q^2:  H/p + 2 sqrt(H p) <= x     that is 4 H p^3 <= (x p - H)^2 and H <= x p beyond:      H/p
   + H/q + p q <= x       that is H (p + q) <= (x - p q) p q. */

static bool one_tight(const mpz_t work, const mpz_t x, const mpz_t p)
{
  SCOPED_MPZ left, right;
  mpz_inits(left, right, NULL);
  mpz_mul(right, x, p);
  mpz_sub(right, right, work);
  bool can = mpz_sgn(right) >= 0;
  mpz_mul(right, right, right);
  mpz_pow_ui(left, p, 3);
  mpz_mul(left, left, work);
  mpz_mul_ui(left, left, 4);
  can = can && mpz_cmp(left, right) <= 0;
  return can;
}

static bool two_tight(const mpz_t work, const mpz_t x, const mpz_t p, const mpz_t q)
{
  SCOPED_MPZ left, right, pq;
  mpz_inits(left, right, pq, NULL);
  mpz_add(left, p, q);
  mpz_mul(left, left, work);
  mpz_mul(pq, p, q);
  mpz_sub(right, x, pq);
  mpz_mul(right, right, pq);
  return mpz_cmp(left, right) <= 0;
}

bool checker_three_suffice(const int64_t fiber[3], const mpz_t work, const mpz_t x)
{
  SCOPED_MPZ p, q, end;
  mpz_init_set_si(p, fiber[0]);
  mpz_init_set_si(q, fiber[1]);
  mpz_init(end);
  mpz_pow_ui(end, p, 3);
  bool can;
  if (mpz_cmp(work, end) <= 0)
    can = checker_within_cube(work, x, 1);
  else {
    mpz_mul(end, q, q);
    mpz_mul(end, end, p);
    can = mpz_cmp(work, end) <= 0 ? one_tight(work, x, p) : two_tight(work, x, p, q);
  }
  return can;
}

/* ---- products ---- */

static bool product_can(const void *context, const mpz_t work, const mpz_t x)
{
  const checker_operands *p = context;
  return p->diagonal >= 0 ? checker_within_cube(work, x, 2)
         : p->shared      ? checker_within_cube(work, x, 4)
                          : checker_three_suffice(p->fiber, work, x);
}

/* The members every segment theorem compares with the computation, then the cut.  Seeded chains have no births: then a
   segment begins with a load, which needs a free pebble, and so with M - 1 words at most. */
static bool finish(const bound_claim *c, uint64_t work, const checker_statement *s, uint64_t stores,
                   checker_feasible can, const void *context, mpz_t value, text *reason)
{
  checker_cut cut;
  checker_cut_init(&cut);
  uint64_t births = s->seeded ? 0 : s->chains;
  bool good =
      checker_equal(c->parameters, "work", work, reason) && checker_equal(c->parameters, "births", births, reason) &&
      checker_at_most(c->parameters, "stores", stores, reason) && checker_cut_read(&cut, c->parameters, reason) &&
      checker_cut_holds(&cut, c->m - s->seeded, can, context, reason);
  if (good)
    checker_cut_value(&cut, value);
  checker_cut_clear(&cut);
  return good;
}

static bool check_product(const bound_claim *c, mpz_t value, text *reason)
{
  checker_statement s;
  checker_operands p;
  if (!checker_trees_read(c, &s, reason) || !checker_product_shape(c, &s, &p, reason))
    return false;
  uint64_t work = s.steps - (uint64_t)(p.diagonal > 0 ? p.diagonal : 0);
  return finish(c, work, &s, s.outputs, product_can, &p, value, reason);
}

/* ---- attention ---- */

typedef struct {
  int64_t fiber[3];
  mpz_t dk, dv, pairs;
} attention;

/* 16 dk H <= x^2 while that needs no more than all pairs, that is x^2 <= 16 dk^2 pairs; else (2 H + 2 dk pairs)^2 <=
   x^2 pairs.  For dv < dk: 4 (dk + dv)^2 H <= dv x^2. */
static bool made_suffice(const attention *a, const mpz_t work, const mpz_t x)
{
  SCOPED_MPZ left, right, square;
  mpz_inits(left, right, square, NULL);
  mpz_mul(square, x, x);
  mpz_mul(right, a->dk, a->dk);
  mpz_mul(right, right, a->pairs);
  mpz_mul_ui(right, right, 16);
  if (mpz_cmp(a->dv, a->dk) < 0) {
    mpz_add(left, a->dk, a->dv);
    mpz_mul(left, left, left);
    mpz_mul_ui(left, left, 4);
    mpz_mul(left, left, work);
    mpz_mul(right, square, a->dv);
  } else if (mpz_cmp(square, right) <= 0) {
    mpz_mul(left, a->dk, work);
    mpz_mul_ui(left, left, 16);
    mpz_set(right, square);
  } else {
    mpz_mul(left, a->dk, a->pairs);
    mpz_add(left, left, work);
    mpz_mul_ui(left, left, 2);
    mpz_mul(left, left, left);
    mpz_mul(right, square, a->pairs);
  }
  return mpz_cmp(left, right) <= 0;
}

static bool attention_can(const void *context, const mpz_t work, const mpz_t x)
{
  const attention *a = context;
  return checker_three_suffice(a->fiber, work, x) || made_suffice(a, work, x);
}

static bool check_attention(const bound_claim *c, mpz_t value, text *reason)
{
  checker_statement s;
  checker_pairs k;
  attention a;
  if (!checker_trees_read(c, &s, reason) || !checker_attention_shape(c, &s, &k, reason))
    return false;
  memcpy(a.fiber, k.fiber, sizeof a.fiber);
  mpz_init_set_si(a.dk, k.dk);
  mpz_init_set_si(a.dv, k.dv);
  mpz_init_set_ui(a.pairs, k.pairs);
  bool good = (json_get(c->parameters, "fibers") || bound_refuse(reason, "'fibers' is missing")) &&
              finish(c, s.steps, &s, s.outputs, attention_can, &a, value, reason);
  mpz_clears(a.dk, a.dv, a.pairs, NULL);
  return good;
}

BOUND_CHECKER(product_segment) = { "product-segment", BOUND_ANY, check_product };
BOUND_CHECKER(attention_segment) = { "attention-segment", BOUND_ANY, check_attention };
