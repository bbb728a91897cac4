/* bounds/check/reading/gradient.h -- the gradient of attention by X (docs/theory-lp.md, section 10), known by its whole
   text: that a row's sums of p begin after its sums of P are done goes through four arrays. */
#ifndef REDBLUE_BOUNDS_CHECKER_GRADIENT_H
#define REDBLUE_BOUNDS_CHECKER_GRADIENT_H

#include "cdag/cdag.h"
#include <gmp.h>

typedef struct {
  int64_t d, rows, pairs;      /* width; tokens; rows * rows */
  uint64_t births, outputs;    /* sums of P and of p; words of dX */
  int64_t second;              /* a step of the sums of P weighs 4 d, one of the sums of p second d: 4, 5 or 6 */
  int64_t each, sides;         /* weight at a pair; of a step of the sums of p */
} checker_gradient;
/* False where the text is another, or too large. */
bool checker_gradient_read(const cdag *g, int64_t second, checker_gradient *x);
/* All weight, less what rows may gain in the segment in which they do both kinds of sums, when none has more words than
   these. */
void checker_gradient_work(const checker_gradient *x, const mpz_t words, mpz_t work);

#endif
