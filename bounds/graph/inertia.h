/* inertia.h -- how many eigenvalues of a sparse symmetric matrix lie below a shift, with the rounding accounted for
   (docs/theory-graphs.md, section 2).

   A - sigma I = L D L^T, up to an error whose norm is bounded: the number of negative entries of D is then the number
   of eigenvalues below sigma, give or take that norm (Sylvester's law of inertia, Weyl's inequality).  Without
   pivoting: the error bound is computed from the factors themselves and fails loudly when they are bad, so no stability
   is assumed. */
#ifndef REDBLUE_BOUNDS_INERTIA_H
#define REDBLUE_BOUNDS_INERTIA_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint32_t n;
  uint64_t *at;     /* n+1 */
  uint32_t *column; /* both triangles, without the diagonal */
  double *value;
  double *diagonal; /* n */
  double slack;     /* the matrix meant differs from this one by at most so much, in the row-sum norm */
} bound_matrix;
void bound_matrix_clear(bound_matrix *a);

typedef struct bound_inertia bound_inertia;
/* Orders and counts; a is borrowed.  NULL when L would have more than most_entries entries or cost more than most_work
   multiplications. */
bound_inertia *bound_inertia_new(const bound_matrix *a, uint64_t most_entries, uint64_t most_work);
void bound_inertia_free(bound_inertia *f);
uint64_t bound_inertia_work(const bound_inertia *f);    /* multiplications of one factorisation */
uint64_t bound_inertia_entries(const bound_inertia *f); /* of L */

/* Factor A - shift I.  True: the (*below + 1)-th smallest eigenvalue is at least shift - *margin; rigorous in IEEE
   arithmetic.  False: no such statement (a pivot was zero, or the margin is not finite). */
bool bound_inertia_count(bound_inertia *f, double shift, uint32_t *below, double *margin);
/* x <- (A - shift I)^-1 x with the last factors, approximately. */
void bound_inertia_solve(const bound_inertia *f, double *x);

#endif
