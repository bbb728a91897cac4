/* bounds/check/pairs.h -- what the checkers of the bounds on pairs share: can X words do this much work? */
#ifndef REDBLUE_BOUNDS_CHECKER_PAIRS_H
#define REDBLUE_BOUNDS_CHECKER_PAIRS_H

#include "bounds/checker.h"

/* Of X words, p carried values leave Y = X - p keep_num / keep_den.  Work: scale Y^2 / 4 at made values, at most `each`
   at a carried one and sides/2 sqrt(p) Y at all; p <= pairs; and `plus` X more in any case. */
typedef struct {
  int64_t scale, each, sides, keep_num, keep_den, plus;
  uint64_t pairs;
} checker_carried;
/* A checker_feasible.  When it would take too long the answer is yes, which proves nothing. */
bool checker_carried_can(const void *carried, const mpz_t work, const mpz_t x);

#endif
