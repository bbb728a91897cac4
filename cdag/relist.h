/* relist.h -- steps listed from two sides, under the names of one.

   A mask is kept as lists: row block I sees the key blocks col[I,q], and the rule of a column's sum walks them the
   other way round, dK[J,j,k,u,i] reading dS[row[begin[J]+u], i, place[begin[J]+u], j].  Such a step is a step at the
   element of dS that it reads, so it may be called by that element's indices instead: dK[I,i,q,j,k], with col[I,q] for
   J.

   The names are new, the vertices are not: that every step has one new name and every new name one step is tried for
   each setting of the loops a table is read at.  The links of the chain are left out; in their place stands one more
   term, to an input array NAME_chain whose indices are the old ones outside the chain: which chain the step is in. */
#ifndef REDBLUE_CDAG_RELIST_H
#define REDBLUE_CDAG_RELIST_H

#include "cdag/cdag.h"

typedef struct {
  cdag *g;    /* the same arrays in the same order, then the chains; NULL when nothing was listed that way */
  int *chain; /* by array: the term that says which chain, or -1 when the rule is as it was */
} cdag_relisted;

void cdag_relist(const cdag *g, cdag_relisted *out);
void cdag_relisted_clear(cdag_relisted *r);
/* The term of the array in the old description that is term t of the new rule, and the other way round; -1: none. */
int cdag_relisted_old(const cdag *g, const cdag_relisted *r, int array, int t);
int cdag_relisted_new(const cdag *g, const cdag_relisted *r, int array, int t);

#endif
