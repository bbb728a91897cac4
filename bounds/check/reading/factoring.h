/* bounds/check/reading/factoring.h -- the shape of a factorisation such as Cholesky's. */
#ifndef REDBLUE_BOUNDS_CHECKER_FACTORING_H
#define REDBLUE_BOUNDS_CHECKER_FACTORING_H

#include "bounds/checker.h"

typedef struct {
  int update, finished;        /* arrays of rank 3 and 2 */
  int64_t from, to;
} checker_factoring;
/* Are these the steps of a factorisation for all from <= k < j < i < to, where to - from >= 3?  Which elements matter
   is not asked. */
bool checker_factors(const cdag *g, const checker_factoring *f, text *reason);

#endif
