/* The bound on block-approximate attention, re-derived: docs/theory-lp.md, section 9. */
#include "base/scoped.h"
#include "bounds/check/cut.h"
#include "bounds/checker.h"
#include "bounds/check/reading/block.h"

/* What is left of the work without the rows' own share: either x words do it where all pairs are made, 4 work <= x^2,
   or where they are carried, as so many steps of Z. */
static bool block_can(const void *context, const mpz_t work, const mpz_t x)
{
  const checker_block *b = context;
  SCOPED_MPZ rest, square;
  mpz_init_set(rest, work);
  mpz_init(square);
  mpz_submul_ui(rest, x, (unsigned long)b->alone);
  mpz_mul(square, x, x);
  mpz_fdiv_q_2exp(square, square, 2);
  bool can = mpz_cmp(rest, square) <= 0;
  if (!can) {
    mpz_fdiv_q_ui(rest, rest, (unsigned long)b->weight_exact);
    can = checker_three_suffice(b->fiber, rest, x);
  }
  return can;
}

static void total(const checker_block *b, mpz_t work)
{
  SCOPED_MPZ far;
  mpz_init_set_ui(far, b->far);
  mpz_mul_si(far, far, b->weight_far);
  mpz_set_ui(work, b->exact);
  mpz_mul_si(work, work, b->weight_exact);
  mpz_add(work, work, far);
}

static bool check_block(const bound_claim *c, mpz_t value, text *reason)
{
  checker_block b;
  checker_cut cut;
  mpz_t work;
  if (!checker_block_read(c->g, &b))
    return bound_refuse(reason, "the computation is not block-approximate attention of one rank with blocks of enough "
                                "keys");
  mpz_init(work);
  checker_cut_init(&cut);
  total(&b, work);
  bool good = checker_equal(c->parameters, "births", b.outputs, reason) &&
              checker_equal(c->parameters, "stores", b.outputs, reason) &&
              checker_cut_weighs(&cut, c->parameters, work, c->m, block_can, &b, reason);
  checker_cut_value(&cut, value);
  checker_cut_clear(&cut);
  mpz_clear(work);
  return good;
}

BOUND_CHECKER(block) = { "block-approximate", BOUND_ANY, check_block };
