/* summed.h -- running sums of a nest whose bounds have min, max or conditions, as polynomials on pieces. */
#ifndef REDBLUE_CDAG_SUMMED_H
#define REDBLUE_CDAG_SUMMED_H

#include "cdag/cdag_internal.h"

/* S_r as polynomials in x[0..r-1] and y on pieces (cdag_internal.h), right where the prefix is in the nest and
   lo <= y <= hi.  False, and nothing made, when that is not found: bounds that are not affine on few pieces. */
bool summed_make(nest *n, int r);
void summed_clear(nest_pieces *p);
uint64_t summed_at(const nest_pieces *p, int r, const int64_t *x, int64_t y);

#endif
