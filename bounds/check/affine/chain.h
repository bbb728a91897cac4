/* chain.h -- what it takes to make the last elements of a word again (docs/theory-affine.md, section 4.1). */
#ifndef REDBLUE_BOUNDS_CHECK_CHAIN_H
#define REDBLUE_BOUNDS_CHECK_CHAIN_H

#include "bounds/check/affine/claim.h"

/* The elements of the statement's array whose own predecessor is one step before in it; those that follow an input. */
typedef struct {
  polyhedra regular, first;
  int64_t step[CDAG_RANK];     /* from an element to its own predecessor */
  bool found;
} chain;

/* The chain of array s. */
bool chain_find(affine_facts *f, int s, chain *c);
/* Only the regular elements at which item i of its statement is read, one way or the other. */
void chain_reads(affine_facts *f, const statement_facts *t, int i, chain *c);
/* Does every element base + m step, 0 <= m < run, that array s has follow another of the chain, or an input, or is one?
   `from` holds the settings of base's loops. */
bool chain_runs(affine_facts *f, int s, const polyhedron *from, const linear *base, int64_t run, const chain *c);
/* Is what is read way w at p, when it and the g - 1 before it on its word are computed, made by g - 1 steps of the
   chain, those before it? */
bool chain_makes(affine_facts *f, int s, const way_facts *w, const polyhedron *p, int64_t g, const chain *c);
/* Do the labels of items a and b move along the chain of their statement, and the rest of them tell the chain? */
bool chain_told(const affine_facts *f, const statement_facts *t, int a, int b, const chain *c);

#endif
