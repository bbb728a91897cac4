/* say.h -- the argument of a claim in words, and its leading term. */
#ifndef REDBLUE_BOUNDS_AFFINE_SAY_H
#define REDBLUE_BOUNDS_AFFINE_SAY_H

#include "bounds/bound.h"
#include "bounds/check/affine/claim.h"
#include "bounds/check/gates/gates.h"
#include "bounds/proof.h"

/* f holds what was derived from c. */
void affine_say_leading(const affine_facts *f, const affine_claim *c, int64_t m, text *out);
void affine_say_proof(const affine_facts *f, const affine_claim *c, int64_t m, bound *b);
void gates_say_proof(const gates_facts *g, const gates_claim *c, int64_t m, bound *b);

/* How the computation is read, where that is not as it is written: the first words of an argument. */
void affine_say_reading(const proof *say, const affine_facts *f);

#endif
