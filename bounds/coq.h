/* bounds/coq.h -- which bounds are machine-checked (docs/proofs.md), and the certificate of such a bound as a theorem
   in Coq: the certificate's integers in a theorem of proofs/certify/, whose check Coq computes. */
#ifndef REDBLUE_BOUNDS_COQ_H
#define REDBLUE_BOUNDS_COQ_H

#include "base/json_read.h"
#include "bounds/bound.h"

typedef struct bound_coq_theorem {
  const char *bound;    /* the bound's name */
  const char *family;   /* the computation of the theorem: this family's text, or what texts it is about, */
  const char *fixed;    /* with a parameter that is a number or another parameter: "acc=0", "dv=d"; or NULL */
  const char *theorem;  /* in the file below, for all other parameters and all M */
  const char *file;     /* "proofs/certify/NAME.v" */
  const char *graph;    /* the computation in Coq; {n}: the family's parameter n; NULL: of a text that is no family's
                           (bounds/coq/statement.h) */
  const char *integers; /* what the theorem's check is given; {M}, {value}, {.first}: of the certificate; {.segments-1}:
                           one less */
  const char *game;     /* of which the theorem is: "placing"; NULL: of any */
  bool (*accepts)(const bound_question *q, const bound *b,
                  const json_value *v); /* is it about b, of these parameters v?  NULL: yes */
  const struct coq_told *told; /* of texts that are no family's: how b is proved and written; else NULL */
} bound_coq_theorem;
int bound_coq_theorems(const bound_coq_theorem **table);

/* The row for b, which bound_all found for q: the theorem is about the same text.  NULL: there is none. */
struct bound_checked {
  bool known;
  const bound_coq_theorem *theorem;
};
const bound_coq_theorem *bound_machine_checked(const bound_question *q, const bound *b);
/* b, which bound_all found for q, as a file for coqc, whose last theorem says: every legal play costs at least the
   value. GAVE_UP when it is not machine-checked. */
status bound_coq(const bound_question *q, const bound *b, text *out, diag *d);

#endif
