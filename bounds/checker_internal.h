/* checker_internal.h -- one function for each theorem the checker knows. */
#ifndef REDBLUE_BOUNDS_CHECKER_INTERNAL_H
#define REDBLUE_BOUNDS_CHECKER_INTERNAL_H

#include "bounds/checker.h"

bool checker_compulsory(const bound_claim *c, mpz_t value, text *reason);

#endif
