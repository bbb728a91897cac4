/* bounds/coq/gates.h -- claims of gates as Coq is told of them (proofs/certify/GatesCertificate.v): words that are used
   between a gate and the next, on any text that is read as it is. */
#ifndef REDBLUE_BOUNDS_COQ_GATES_H
#define REDBLUE_BOUNDS_COQ_GATES_H

#include "base/json_read.h"
#include "bounds/bound.h"

/* Does Coq's check hold of b, a bound by gates on q's computation with parameters v?  Then the text, the ends and the
   claim are what it is given; each may be NULL. */
bool coq_gates_proves(const bound_question *q, const bound *b, const json_value *v, text *computation, text *ends,
                      text *claim);

#endif
