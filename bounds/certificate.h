/* certificate.h -- writing the certificate of a bound: one JSON object from which `redblue check` derives the bound
   again (docs/certificates.md):

     {"redblue": "certificate", "version": 1, "theorem": NAME, "models": [...], "M": 64, "value": 832,
      "cdag": {"text": ".cdag text", "assign": "n=8,d=2"} or {"edges": "edge list"}, "digest": ...,
      "parameters": { what the theorem needs }}

   The theorem is the bound's name; the parameters are the bound's `parameters`, as they are.  So a theorem becomes
   certifiable by filling that text and writing its checker (bounds/checker.h). */
#ifndef REDBLUE_BOUNDS_CERTIFICATE_H
#define REDBLUE_BOUNDS_CERTIFICATE_H

#include "base/json.h"
#include "bounds/bound.h"

/* Can b be certified: has it parameters, and the checker a row for its name? */
bool bound_has_certificate(const bound *b);
/* The bound of a part as a member of another's parameters: { theorem, value, parameters }. */
void bound_certificate_part(const bound *b, json *j);
/* The certificate of b, which bound_all found for q, with a final newline. */
status bound_certificate(const bound_question *q, const bound *b, text *out, diag *d);
/* The same, once the checker has accepted it.  GAVE_UP with the checker's reason when it does not: it reads some
   descriptions less well than the prover does, and what nobody can check is not written. */
status bound_certify(const bound_question *q, const bound *b, text *out, diag *d);

#endif
