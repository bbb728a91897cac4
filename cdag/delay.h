/* delay.h -- what a loop leaves for its next iteration, computed in that one.

   In a loop over k a sum of iteration k + 1 may read what iteration k computes last, and that waits for a sum of
   iteration k: of R[k,j,i] = R[k,j,i-1], Q[i,k], V[i,j,k-1] and V[i,j,k] = V[i,j,k-1], Q[i,k], R[k,j,m-1] each one
   reads V twice, and stores it.  With V of iteration k - 1 computed in iteration k, beside the sum that reads it, V
   comes and goes once.  What else waits in that one (Q[i,k] reads V[i,k,k-1]) is an array of its own. */
#ifndef REDBLUE_CDAG_DELAY_H
#define REDBLUE_CDAG_DELAY_H

#include "cdag/cut.h"

/* The which-th way: one array's elements have 1 more at index[] than in g (cut.h: `later`), and those of a diagonal are
   an array of their own.  False: there is none, or it cannot be said. */
bool cdag_delay(const cdag *g, int which, cdag_cut *out);

#endif
