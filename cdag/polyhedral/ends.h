/* ends.h -- inputs that matter and outputs, counted in the normal form: it tells of parts of arrays. */
#ifndef REDBLUE_CDAG_POLYHEDRAL_ENDS_H
#define REDBLUE_CDAG_POLYHEDRAL_ENDS_H

#include "cdag/polyhedral/normal.h"
#include <gmp.h>

/* Of the array's elements but these: inputs that lead to outputs, and outputs that are computed.  0 where it is not
   found out. */
void array_ends(const array_form *x, arena *a, const polyhedra *but, mpz_t inputs, mpz_t outputs);
/* Of all arrays, at least; what is given, where no more are found.  The graph is not explicit. */
void cdag_ends(const cdag *g, uint64_t *inputs, uint64_t *outputs);

#endif
