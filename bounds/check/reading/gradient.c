#include "bounds/check/reading/gradient.h"
#include "base/scoped.h"

enum { WIDEST = 1 << 14, LONGEST = 1 << 28 };

bool checker_gradient_read(const cdag *g, int64_t second, checker_gradient *x)
{
  int n = cdag_find_param(g, "n"), d = cdag_find_param(g, "d");
  if (g->graph || g->copies > 0 || n < 0 || d < 0 || !cdag_is_family(g, "attention-gradient"))
    return false;
  int64_t rows = g->param_value[n], width = g->param_value[d];
  if (second < 4 || second > 6 || rows < 1 || width < 1 || rows > LONGEST || width > WIDEST)
    return false;
  *x = (checker_gradient){ .d = width,
                           .rows = rows,
                           .pairs = rows * rows,
                           .births = 2 * (uint64_t)rows * (uint64_t)width,
                           .outputs = (uint64_t)width * (uint64_t)width,
                           .second = second,
                           .each = (4 + second) * width * width,
                           .sides = second * width };
  return true;
}

void checker_gradient_work(const checker_gradient *x, const mpz_t words, mpz_t work)
{
  SCOPED_MPZ both, all;
  mpz_init_set_si(both, x->rows); /* (second - 4) d / 2 for each word, of each row once */
  mpz_mul_si(both, both, (x->second - 4) * x->d);
  mpz_mul(both, both, words);
  mpz_fdiv_q_2exp(both, both, 1);
  mpz_init_set_si(all, x->pairs); /* (second - 4) d^2 at each pair */
  mpz_mul_si(all, all, (x->second - 4) * x->d * x->d);
  if (mpz_cmp(both, all) > 0)
    mpz_swap(both, all);
  mpz_set_si(work, x->pairs);
  mpz_mul_si(work, work, x->each);
  mpz_sub(work, work, both);
}
