/* support_claims.h -- texts and claims on them drawn at random, not found by a prover: for tests of the checker. */
#ifndef REDBLUE_TESTS_SUPPORT_CLAIMS_H
#define REDBLUE_TESTS_SUPPORT_CLAIMS_H
#include "bounds/check/affine/claim.h"
#include "tests/support.h"

bool claims_chance(support_random *r, int percent);
const char *claims_pick(support_random *r, const char *const *of, int n);
#define CLAIMS_ONE_OF(r, of) claims_pick(r, of, COUNT(of))

/* A text in which arrays are read both ways round, operands by a part of their readers, pivots are shifted: of up to 26
   vertices, or (large) up to 900.  NULL: none was found. */
cdag *claims_text(support_random *r, bool large, text *t);
/* Own predecessors that make words. */
void claims_words(support_random *r, affine_facts *f, affine_claim *c);
/* And groups of statements, needs, columns, powers; f has accesses.  Most such claims are refused; cuts are not set. */
void claims_affine(support_random *r, affine_facts *f, affine_claim *c);
#endif
