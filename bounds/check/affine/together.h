/* together.h -- statements whose steps are points of one space (docs/theory-affine.md, section 3). */
#ifndef REDBLUE_BOUNDS_CHECK_TOGETHER_H
#define REDBLUE_BOUNDS_CHECK_TOGETHER_H

#include "bounds/check/affine/claim.h"

/* All steps of the n statements as points of one space, with what their items are there: *u, whose `s` is *like. False
   when two steps have one place, or what an item's word is does not tell its forms there. */
bool statements_together(affine_facts *f, const statement_facts *const *t, int n, claim_statement *like,
                         statement_facts *u, text *reason);

/* Where steps of a and of b use of items i and k the same word or vertex, x at the one is y at the other. */
bool words_agree(const affine_facts *f, const statement_facts *a, int i, const statement_facts *b, int k,
                 const linear *x, const linear *y);
/* No step of a and other step of b agree in n forms, x at the one and y at the other. */
bool steps_apart(const statement_facts *a, const linear *x, const statement_facts *b, const linear *y, int n);

#endif
