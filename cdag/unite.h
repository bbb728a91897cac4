/* unite.h -- one space of elements under several names.

   The same sum may be called A_1 below a diagonal and A_3 above it, its first value C_1 and the later ones C_2, or its
   indices may stand in an order in which the sum's own is not the last.  Where two arrays together are one space, and
   one rule says what both read, they are one array here, a slice each: C_2[i,k,j] = C_2[i,k-1,j], C_1[i,j] if k == 0
   and C_1[i,j] = C[i,j] are U[i,k,j] = U[i,k-1,j], C[i,j] if k == -1.

   So is a border that a stencil reads at its first or last place, W[t,i] = W[t-1,i], with an index more: W[t,i,0].

   That each element reads what its slice's element read is tried on elements of all arrays, at random and at the ends
   of their ranges; it is no proof, so what is found for the whole must be judged under the names given. */
#ifndef REDBLUE_CDAG_UNITE_H
#define REDBLUE_CDAG_UNITE_H

#include "cdag/cdag.h"

enum { CDAG_SLICES = 2 };

typedef struct {
  int array;
  int at[CDAG_RANK];           /* index q of the whole is its variable at[q]; or, -1: value[q] */
  int64_t value[CDAG_RANK];
  int64_t own[CDAG_RANK];      /* what a variable is that stands at no index: it has one value */
} cdag_slice;

typedef struct {
  cdag *g;                     /* the same computation, the slices under the first one's name; NULL: none were found */
  int rank;                    /* of the whole */
  int slices;                  /* 1: its indices in another order, or with one more */
  cdag_slice slice[CDAG_SLICES];
} cdag_united;

/* One step: two arrays, or one with its indices in another order. */
bool cdag_unite(const cdag *g, cdag_united *u);
void cdag_united_clear(cdag_united *u);
/* The slice that an array is, or NULL. */
const cdag_slice *cdag_slice_of(const cdag_united *u, int array);

#endif
