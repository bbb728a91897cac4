/* lp.h -- small linear programs: GLPK finds, exact rational arithmetic decides.

   minimise c.x  subject to  A x (>= | <= | =) b,  0 <= x (<= upper).

   The data are rationals.  What GLPK returns is an estimate and is named so; a bound that rests on a dual solution
   takes it through lp_dual_certify, which rounds it to fractions of small denominators and checks feasibility exactly.
   lp.c is the one file that includes <glpk.h>; it sets GLPK's terminal and error hooks on each entry, because igraph
   installs its own and leaves them, and it holds no GLPK object between calls. */
#ifndef REDBLUE_BOUNDS_LP_H
#define REDBLUE_BOUNDS_LP_H

#include "base/diag.h"
#include <gmp.h>
#include <stdbool.h>

typedef enum { LP_GE, LP_LE, LP_EQ } lp_sense;

typedef struct {
  int rows, cols;
  int row_room, col_room;
  lp_sense *sense;           /* rows */
  mpq_t *b;                  /* rows */
  mpq_t *c;                  /* cols */
  mpq_t *upper;              /* cols; used where has_upper */
  bool *has_upper;           /* cols */
  mpq_t *a;                  /* row_room x col_room, row by row */
} lp_problem;

/* All coefficients zero, rows >= 0, no upper bounds.  rows, cols >= 0. */
void lp_init(lp_problem *p, int rows, int cols);
void lp_clear(lp_problem *p);
int lp_add_row(lp_problem *p, lp_sense sense);  /* a row of zeros; its index */
int lp_add_col(lp_problem *p);                  /* a column of zeros; its index */
mpq_ptr lp_at(lp_problem *p, int row, int col); /* the coefficient, to be set */
void lp_set(lp_problem *p, int row, int col, long value);

typedef enum { LP_OPTIMAL, LP_INFEASIBLE, LP_UNBOUNDED } lp_verdict;

typedef struct {
  lp_verdict verdict;
  double value_estimate;
  double *x_estimate;    /* cols */
  double *dual_estimate; /* rows */
} lp_answer;

/* Simplex.  SOLVER when GLPK fails or its answer is neither optimal, infeasible nor unbounded. */
status lp_solve(const lp_problem *p, lp_answer *out, diag *d);
void lp_answer_clear(lp_answer *a);

/* The fraction of denominator at most max_den (>= 1) nearest to v among its continued fraction's convergents. */
void lp_fraction_near(double v, long max_den, mpq_t out);

/* Is y (rows) feasible for the dual -- of the right sign in each row and, in each column without upper bound, y.A <= c?
   Then *value = y.b - sum over columns with an upper bound of upper * max(0, y.A - c): no feasible x costs less. Exact.
 */
bool lp_dual_feasible(const lp_problem *p, const mpq_t *y, mpq_t value);
/* Round the estimate with denominators at most max_den, make it feasible -- as it is, or shrunk by the least common
   factor where that is enough (A y >= 0 and c >= 0) -- and check.  False: no certified dual was found; y and value are
   unspecified. y: rows initialised fractions. */
bool lp_dual_certify(const lp_problem *p, const double *dual_estimate, long max_den, mpq_t *y, mpq_t value);

#endif
