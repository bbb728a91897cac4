/* weigh.h -- steps of a window that moves by more than one place (docs/theory-affine.md, section 3, Weights).

   With a = st a1 + a0 a word of the picture serves as many steps as a1 has values, which are fewer for some rests a0
   than for others.  Steps with such a rest weigh more. */
#ifndef REDBLUE_BOUNDS_CHECK_AFFINE_WEIGH_H
#define REDBLUE_BOUNDS_CHECK_AFFINE_WEIGH_H

#include "bounds/check/affine/claim.h"

enum { WEIGHT_UNIT = 1024 };

/* What the steps of t weigh together, in units, rounded down; false, and nothing is set, where all weigh the same. */
bool steps_weigh(arena *a, const statement_facts *t, int64_t den, mpz_t work);

#endif
