/* part.h -- a certificate inside another: the bound of a computation made from the one that is claimed. */
#ifndef REDBLUE_BOUNDS_CHECK_PART_H
#define REDBLUE_BOUNDS_CHECK_PART_H

#include "bounds/checker.h"

/* v is { theorem, value, parameters }, and these prove that value of g, in the games of c. */
bool checker_part(const bound_claim *c, const cdag *g, const json_value *v, mpz_t value, text *reason);

#endif
