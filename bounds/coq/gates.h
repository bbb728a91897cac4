/* bounds/coq/gates.h -- claims of gates as Coq is told of them, on any text that is read as it is. */
#ifndef REDBLUE_BOUNDS_COQ_GATES_H
#define REDBLUE_BOUNDS_COQ_GATES_H

#include "base/json_read.h"
#include "bounds/bound.h"
#include "bounds/check/gates/gates.h"
#include "bounds/coq/text.h"

/* Does Coq's check hold of b, a bound by gates on q's computation with parameters v?  Nothing is cut.
   First: words that are used between a gate and the next (proofs/certify/GatesCertificate.v). */
coq_prover coq_gates_proves;
/* Gates whose own elements wait, when nothing is computed twice: one path for each, on one side of the first element or
   on the other (proofs/certify/ForksCertificate.v). */
coq_prover coq_forks_proves;
/* Paths that wait, when nothing is computed twice: one kind at each family's gates (proofs/certify/WaitsCertificate.v).
 */
coq_prover coq_waits_proves;

/* What all begin with: the claim, and the computation as Coq and the checker have it, of which the claim is derived. */
typedef struct {
  coq_text t;
  coq_ends ends;               /* the reader lays them out */
  affine_facts f;
  gates_facts g;
  gates_claim c;
  arena *memory;
  bool beside;
} coq_gates;

/* What one theorem asks of its claims.  own: its state, which begins with the coq_gates. */
typedef struct {
  bool (*simple)(const gates_claim *c);
  bool (*read)(void *own, const bound_question *q, const bound *b);
  void (*put)(const void *own, text *claim);
  void (*clear)(void *own);
} coq_gates_theorem;
/* As the functions above. */
bool coq_gates_prove(const coq_gates_theorem *theorem, void *own, const bound_question *q, const bound *b,
                     const json_value *v, text *told);

#endif
