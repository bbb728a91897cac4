/* relay.h -- a statement whose operands are ends of chains of others, with recomputation (docs/theory-affine.md,
   section 4.2). */
#ifndef REDBLUE_BOUNDS_CHECK_RELAY_H
#define REDBLUE_BOUNDS_CHECK_RELAY_H

#include "bounds/check/affine/claim.h"

/* Prove that each need of kind MADE costs a word of a tail but for few that are made; steps in tails go.  The
   statements become the group's parts, with what is made of them; what x words allow each is not said yet. */
bool relay_holds(affine_facts *f, statement_facts *const *t, int n, const claim_group *c, group_facts *g,
                 text *reason);
/* The most work x words allow. */
void relay_most(const group_facts *g, const mpz_t x, mpz_t work);

#endif
