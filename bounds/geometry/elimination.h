/* elimination.h -- Cholesky's factorisation and what has its shape: updates by products of finished values
 * (docs/theory.md, section 10). */
#ifndef REDBLUE_BOUNDS_ELIMINATION_H
#define REDBLUE_BOUNDS_ELIMINATION_H

#include <gmp.h>

/* The most triangles that x edges can make (Kruskal and Katona). */
void bound_triangles_most(const mpz_t x, mpz_t most);

#endif
