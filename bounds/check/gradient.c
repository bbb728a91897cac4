/* The bound on the gradient of attention by X, re-derived: docs/theory-lp.md, section 10. */
#include "base/scoped.h"
#include "bounds/check/cut.h"
#include "bounds/check/pairs.h"
#include "bounds/check/reading/gradient.h"
#include "bounds/checker.h"

/* No segment has more than `words` words: neither the first nor the others, which begin with m. */
static bool words_enough(const checker_cut *c, int64_t m, const mpz_t words, text *reason)
{
  SCOPED_MPZ others;
  mpz_init(others);
  mpz_add_ui(others, c->length, (unsigned long)m);
  return (mpz_cmp(c->first, words) <= 0 && mpz_cmp(others, words) <= 0) ||
         bound_refuse(reason, "a segment has more than 'words' words");
}

static bool check_gradient(const bound_claim *c, mpz_t value, text *reason)
{
  checker_gradient x;
  checker_cut cut;
  mpz_t words, work;
  int64_t second;
  if (!json_get_int(c->parameters, "second", &second) || !checker_gradient_read(c->g, second, &x))
    return bound_refuse(reason, "the computation is not the gradient of attention by X, or 'second' is not 4, 5 or 6");
  checker_carried carried = {
    .scale = 1, .each = x.each, .sides = x.sides, .keep_num = 1, .keep_den = 1, .pairs = (uint64_t)x.pairs
  };
  mpz_inits(words, work, NULL);
  checker_cut_init(&cut);
  bool good = (json_get_big(c->parameters, "words", words) && mpz_sgn(words) >= 0) ||
              bound_refuse(reason, "'words' is missing or no natural number");
  if (good)
    checker_gradient_work(&x, words, work);
  good = good && checker_equal(c->parameters, "births", x.births, reason) &&
         checker_equal(c->parameters, "stores", x.outputs, reason) &&
         checker_cut_weighs(&cut, c->parameters, work, c->m, checker_carried_can, &carried, reason) &&
         words_enough(&cut, c->m, words, reason);
  checker_cut_value(&cut, value);
  checker_cut_clear(&cut);
  mpz_clears(words, work, NULL);
  return good;
}

BOUND_CHECKER(gradient) = { "attention-gradient", BOUND_ANY, check_gradient };
