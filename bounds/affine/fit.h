/* fit.h -- polynomials through values on a grid, exactly. */
#ifndef REDBLUE_BOUNDS_AFFINE_FIT_H
#define REDBLUE_BOUNDS_AFFINE_FIT_H

#include "base/text.h"
#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

enum { FIT_VARS = 8, FIT_DEGREE = 8, FIT_POINTS = 4096 };

/* coef[...]: of the monomials with at most degree[v] of each variable, the last variable fastest. */
typedef struct {
  int vars, degree[FIT_VARS], size;
  mpq_t *coef;
} fit;

/* The polynomial with these values at first[v] .. first[v] + degree[v], in the order of the coefficients. */
void fit_make(fit *f, int vars, const int *degree, const int64_t *first, mpz_t *value);
void fit_clear(fit *f);
void fit_add(fit *f, const fit *g, int times);                     /* of the same size */
bool fit_equal(const fit *f, const fit *g);                         /* of the same size */
bool fit_is(const fit *f, const int64_t *x, const mpz_t value);    /* has it this value? */
double fit_value(const fit *f, const int64_t *x);
bool fit_constant(const fit *f, mpz_t value);                      /* is it a whole number? */
/* times * f as a sum of monomials; `more`: something stands before it. */
void fit_print(const fit *f, const mpq_t times, const char *const *name, bool more, text *out);

#endif
