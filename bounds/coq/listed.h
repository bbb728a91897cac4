/* bounds/coq/listed.h -- attention on a block mask: the mask as proofs/cdags/Listed.v has it, for the certificates of
   proofs/certify/ListedCertificate.v. */
#ifndef REDBLUE_BOUNDS_COQ_LISTED_H
#define REDBLUE_BOUNDS_COQ_LISTED_H

#include "bounds/coq/text.h"

/* The mask of a text that is one of the family's. */
coq_prover coq_listed_proves;

#endif
