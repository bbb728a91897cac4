/* bounds/coq/forks.h -- claims of gates whose own elements wait, when nothing is computed twice, as Coq is told of them
   (proofs/certify/ForksCertificate.v): one path for each element, on one side of the first one or on the other. */
#ifndef REDBLUE_BOUNDS_COQ_FORKS_H
#define REDBLUE_BOUNDS_COQ_FORKS_H

#include "base/json_read.h"
#include "bounds/bound.h"

/* Does Coq's check hold of b, a bound by gates on q's computation with parameters v?  Then the text, the ends and the
   claim are what it is given; each may be NULL. */
bool coq_forks_proves(const bound_question *q, const bound *b, const json_value *v, text *computation, text *ends,
                      text *claim);

#endif
