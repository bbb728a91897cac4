/* bounds/coq/affine.h -- claims on affine computations as Coq is told of them (proofs/certify/AffineCertificate.v):
   groups of statements of any text that is read as it is, their own words and words that begin with inputs. */
#ifndef REDBLUE_BOUNDS_COQ_AFFINE_H
#define REDBLUE_BOUNDS_COQ_AFFINE_H

#include "base/json_read.h"
#include "bounds/bound.h"

/* Does Coq's check hold of b, an `affine` bound on q's computation with parameters v?  Then the text, the ends, the
   claim and the cuts (of each group first, length, segments - 1, and what these do at most) are what it is given; each
   may be NULL. */
bool coq_affine_proves(const bound_question *q, const bound *b, const json_value *v, text *computation, text *ends,
                       text *claim, text *cuts);

#endif
