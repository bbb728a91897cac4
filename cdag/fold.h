/* fold.h -- a ring folded in two.

   On a ring of n places, A[t,i] reads A[t-1,(i+1)%n]: place n - 1 reads place 0, and no order of the places has all
   reads near.  With the upper half an array of its own, counted from the other end, place x of the one half lies beside
   place x of the other wherever they meet, so every read is near again, and what finds schedules for stencils finds
   one.  Elements are the same but for their names. */
#ifndef REDBLUE_CDAG_FOLD_H
#define REDBLUE_CDAG_FOLD_H

#include "cdag/respell.h"

/* False: there is no ring, or it cannot be said. */
bool cdag_fold(const cdag *g, cdag_respelled *out);

#endif
