/* bounds/coq/affine.h -- claims on affine computations as Coq is told of them (proofs/certify/AffineCertificate.v):
   groups of statements of any text that is read as it is, their own words and words that begin with inputs. */
#ifndef REDBLUE_BOUNDS_COQ_AFFINE_H
#define REDBLUE_BOUNDS_COQ_AFFINE_H

#include "bounds/coq/text.h"

/* Does Coq's check hold of b, an `affine` bound on q's computation with parameters v?  The cuts are of each group
   first, length, segments - 1, and what these do at most. */
coq_prover coq_affine_proves;
/* The same of claims with tails (proofs/certify/TailsCertificate.v). */
coq_prover coq_tails_proves;

#endif
