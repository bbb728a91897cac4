/* given.h -- what is made of an input of its own is given.

   Where each element of an array reads an input that no other of them reads as its own (rotated queries, a scaled or
   normalised matrix, weights that were quantised), the two are one word: whoever has the one red need not have the
   other.  Said as a computation: the array is an input, the one it was made of is gone, and so is what was read to make
   it (docs/theory-collections.md, section 3). */
#ifndef REDBLUE_CDAG_GIVEN_H
#define REDBLUE_CDAG_GIVEN_H

#include "cdag/cdag.h"

/* Without the arrays that lead to no output then; *stored: outputs that are inputs there.  NULL: there is no such
   array, or no computation is left. */
cdag *cdag_given_open(const cdag *g, uint64_t *stored);

#endif
