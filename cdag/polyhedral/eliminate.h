/* eliminate.h -- the steps by which a polyhedron's variables go, for those who prove and those who count. */
#ifndef REDBLUE_CDAG_ELIMINATE_H
#define REDBLUE_CDAG_ELIMINATE_H

#include "cdag/polyhedral/polyhedron.h"

/* TIDY: nothing wrong was found.  NO_POINT: there is none.  LOST: a number or the work became too large. */
typedef enum { TIDY, NO_POINT, LOST } reduction;

/* Divide each constraint by the gcd of its coefficients and round; of parallel ones keep the tightest; two that meet
   become an equality. */
reduction polyhedron_reduce(polyhedron *p);
/* Solve equalities for variables from `keep` on, until none is left there.  Other variables may take the place of the
   old ones, one for one, so that the number of points stays.  *exact: only then, and when no equality had to be given
   up. */
reduction polyhedron_solve(polyhedron *p, int keep, bool *exact);
/* Proved: no point has both, of so many variables; q may be NULL. */
bool polyhedra_none_has_both(arena *a, const polyhedron *p, const polyhedron *q, int vars);
bool polyhedron_has_quotients(const polyhedron *p);

/* What most questions need, on the stack. */
enum { NEAR = 1 << 15 };

#endif
