/* trim.h -- what leads to no output is left out.

   A computation over a whole square, of which the outputs need one triangle, is one over the triangle: a schedule need
   not compute the rest.  Where the elements of an array that lead to an output are one set of affine inequalities, each
   that the array's own ranges do not say is one more end of a range. */
#ifndef REDBLUE_CDAG_TRIM_H
#define REDBLUE_CDAG_TRIM_H

#include "cdag/cdag.h"

/* The index is at least (hi: below) base + sum coef[v] x[v], of the indices before it. */
typedef struct {
  int array, index;
  bool hi;
  int64_t base, coef[CDAG_RANK];
} cdag_trim;

typedef struct {
  cdag_trim *of;
  size_t n, room;
} cdag_trims;

/* To be cleared.  Few, or none: where it is not found out what leads to an output. */
void cdag_trims_find(const cdag *g, cdag_trims *out);
void cdag_trims_clear(cdag_trims *t);

#endif
