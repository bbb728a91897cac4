/* find.h -- looking for claims about an affine computation (docs/theory-affine.md, section 5).  What is found is only
   worth what affine_derive says of it. */
#ifndef REDBLUE_BOUNDS_AFFINE_FIND_H
#define REDBLUE_BOUNDS_AFFINE_FIND_H

#include "bounds/check/affine/claim.h"
#include "bounds/check/affine/stencil.h"

/* Own predecessors, greedily.  Kinds of reads, in this order: 0 of the same array a constant way off, 1 of it
   otherwise, 2 of another computed array of as many indices, 3 of others, 4 of inputs; what is not named (-1) is none.
   Of one kind those come first that keep more loops; or that comes before the kind.  Of several of these those come
   first whose array reads the reader's in turn, as coefficients do not; then the first in the text, or the last: where
   two statements read one array, the later one's. */
enum { WORD_LEVELS = 5 };
typedef struct { bool kept_first; int level[WORD_LEVELS]; bool late; } word_order;
/* More accesses into own, which has `owns` already and room for WORDS_MOST: how many there are then. */
int affine_choose_words(const normal_form *f, const word_order *order, int owns, int *own);

/* The best claims found: [0] also when vertices may be computed again, [1] when none is computed twice. */
typedef struct {
  affine_claim claim;
  mpz_t value;
} affine_best;
/* PLAIN: what X words allow is a power of X that does not depend on M. */
typedef enum { AFFINE_ALL, AFFINE_PLAIN } affine_what;
void affine_find(affine_facts *f, int64_t m, affine_what what, affine_best best[2]);

/* Places for the steps of the group's statements in one space, when some are seen; g->together. */
bool affine_embed(affine_facts *f, claim_group *g);

/* The readings of a computation before `end` that there are, each in its place: 1 << reading for each. */
unsigned bound_readings(const cdag *g, affine_reading end, affine_facts f[READINGS]);
void bound_readings_clear(affine_facts f[READINGS], unsigned there);

/* The same for stencils. */
typedef struct {
  stencil_claim claim;
  mpz_t value;
} stencil_best;
void affine_find_stencil(affine_facts *f, int64_t m, stencil_best best[2]);

#endif
