/* stride.h -- a computation whose indices count in steps of a number.

   Where a sum goes by quotient and remainder (`A[i,k/2] if k % 2 == 0`), a few steps of it are one that reads what they
   read: k stands for 2 k and 2 k + 1.  So are the last indices of a sum that say which of a few terms is added
   (`A[i,k] if h == 0, B[i,k] if h == 1`).  Another index of which a quotient is read (the group of a channel,
   `K[h/g,j]`), and a sum's of more steps (a window counted through, `X[q/9,y+q%9/3,x+q%3]`), is two, the quotient and
   the rest.  Boxes of such a computation are boxes of the one given. */
#ifndef REDBLUE_CDAG_STRIDE_H
#define REDBLUE_CDAG_STRIDE_H

#include "cdag/respell.h"

bool cdag_stride(const cdag *g, cdag_respelled *out);

#endif
