/* tails.h -- computed operands that may be made again (docs/theory-affine.md, section 4.1). */
#ifndef REDBLUE_BOUNDS_CHECK_TAILS_H
#define REDBLUE_BOUNDS_CHECK_TAILS_H

#include "bounds/check/affine/claim.h"

/* Prove that the group's needs of kind TAIL, its one statement's, cost a word each but for few that are made; steps at
   which a word is continued in a tail go.  What x words allow then is said in the group's tails; births are added. */
bool tails_hold(affine_facts *f, statement_facts *t, const claim_group *c, group_facts *g, text *reason);
/* In x words, work^degree * taken <= room * x^power would hold without any that are made; with them this is more. */
void tails_most(const group_facts *g, const mpz_t x, mpz_t work);

/* The most work x words allow by the law: floor of the root. */
void law_most(const power_law *law, const mpz_t x, mpz_t work);
/* The same where the words are x and many s^2 / d more, s <= most of the x and these being those whose powers in the
   law add up to `power`. */
void square_most(const power_law *law, unsigned long power, int64_t many, const mpz_t d, const mpz_t x,
                 const mpz_t most, mpz_t work);

#endif
