/* bounds/coq/statement.h -- one statement over a box of loops that sums products of inputs, each read at affine forms:
   the computation of proofs/cdags/Statement.v, and the certificates of proofs/certify/StatementCertificate.v.

   The theorem there is about a text of numbers, so any such text of a user has it.  What a certificate gives are
   exponents; what X words allow follows from them, here as there. */
#ifndef REDBLUE_BOUNDS_COQ_STATEMENT_H
#define REDBLUE_BOUNDS_COQ_STATEMENT_H

#include "bounds/coq/text.h"

/* Of b, a bound on q's computation with parameters v: is the computation such a statement, and does the theorem's check
   hold?  Then Coq is told the text, as the claim its exponents, and the cut: first, length, segments - 1, and what
   these do at most. */
coq_prover coq_statement_proves;

void coq_put_big(text *out, const mpz_t v);

#endif
