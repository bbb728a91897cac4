/* elimination.h -- Cholesky's factorisation and what has its shape: updates by products of finished values (docs/theory.md, section 10). */
#ifndef REDBLUE_BOUNDS_ELIMINATION_H
#define REDBLUE_BOUNDS_ELIMINATION_H

#include "cdag/cdag.h"
#include <gmp.h>

/* For all first <= k < j < i < last: update[i,j,k] is a step after update[i,j,k-1] and reads finished[i,k] and finished[j,k]; finished[i,j] reads
   update[i,j,j-1].  Where there is nothing to read, at `first`, each reads an input that no other i, j has. */
typedef struct {
  int update, finished;        /* arrays of rank 3 and 2 */
  int64_t first, last;
} elimination_shape;
bool bound_elimination_find(const cdag *g, int update, elimination_shape *s);

/* The most triangles that x edges can make (Kruskal and Katona). */
void bound_triangles_most(const mpz_t x, mpz_t most);

#endif
