/* scoped.h -- GMP's numbers that are cleared where their block ends; what is declared so is initialised at once. */
#ifndef REDBLUE_SCOPED_H
#define REDBLUE_SCOPED_H

#include <gmp.h>

static inline void scoped_mpz_clear(mpz_t *x) { mpz_clear(*x); }
static inline void scoped_mpq_clear(mpq_t *x) { mpq_clear(*x); }
#define SCOPED_MPZ __attribute__((cleanup(scoped_mpz_clear))) mpz_t
#define SCOPED_MPQ __attribute__((cleanup(scoped_mpq_clear))) mpq_t

#endif
