/* bounds/check/reading/monomials.h -- an array of monomials: every element a product of variables of its row, told by
   tables (docs/theory-lp.md, section 6). */
#ifndef REDBLUE_BOUNDS_CHECKER_MONOMIALS_H
#define REDBLUE_BOUNDS_CHECKER_MONOMIALS_H

#include "cdag/cdag.h"

typedef struct {
  int array, token; /* F, and which of its two indices is the row */
  int input, row;   /* the array of variables, and which of its two indices is the row */
} checker_monomials;
/* Do the elements of the array read elements of it and of one input array, all of their own row? */
bool checker_monomials_shape(const cdag *g, int array, checker_monomials *m);
/* Is each the product of at most one other and of variables, and all different products?  *degree: the most variables
   in one.  A run is of consecutive elements whose first own variables are b, b + 1, .. up to the greatest that is an
   element's first: run[x] is the length of that of the x-th element, 0 where there is none; run may be NULL. */
bool checker_monomials_degree(const cdag *g, const checker_monomials *m, int64_t *degree, int64_t *run);

#endif
