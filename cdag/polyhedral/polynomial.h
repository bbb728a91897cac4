/* polynomial.h -- polynomials with rational coefficients in the variables of a polyhedron, to sum over its points. */
#ifndef REDBLUE_CDAG_POLYNOMIAL_H
#define REDBLUE_CDAG_POLYNOMIAL_H

#include "cdag/polyhedral/polyhedron.h"

typedef struct {
  mpq_t c;
  uint8_t power[POLYHEDRON_VARS];
} monomial;
struct polynomial {
  size_t n, room;
  monomial *term;              /* no two alike, none 0 */
};

void polynomial_clear(polynomial *p);
void polynomial_one(polynomial *p);
void polynomial_copy(polynomial *p, const polynomial *q);
void polynomial_add(polynomial *p, const polynomial *q, int sign);
/* p times f */
void polynomial_times(polynomial *p, const linear *f);
/* The sum over v = lo .. hi, forms without v, of p; right wherever hi >= lo - 1. */
void polynomial_sum(polynomial *p, int v, const linear *lo, const linear *hi);
void polynomial_replace(polynomial *p, int v, const linear *value);
/* Its value when no variable is left. */
bool polynomial_constant(const polynomial *p, mpq_t value);

#endif
