/* polyhedron.h -- integer points that satisfy affine inequalities and equalities.

   Everything that is asked about an affine computation ends in one question: has such a system a solution in integers?
   "No" is proved by combining constraints (Fourier and Motzkin), with division by the gcd and rounding; every step is a
   consequence of the constraints, so a "no" is a proof.  "Not proved" is the other answer, also when the work or a
   number grows too large. */
#ifndef REDBLUE_CDAG_POLYHEDRON_H
#define REDBLUE_CDAG_POLYHEDRON_H

#include "base/arena.h"
#include "base/text.h"
#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

enum { POLYHEDRON_VARS = 40 };

/* base + sum coef[v] x[v] */
typedef struct {
  int64_t base, coef[POLYHEDRON_VARS];
} linear;

linear linear_constant(int64_t value);
linear linear_variable(int v);
void linear_variables(linear *f, int n, int v); /* v, v + 1, ... */
bool linear_add(linear *f, const linear *g, int64_t times);          /* f += times g; false on overflow: f is spoilt */
bool linear_equal(const linear *f, const linear *g);
bool linear_is_constant(const linear *f);
int linear_last(const linear *f); /* the last variable that it reads, or -1 */
/* The form with value[v], a form in other variables, for each variable v < n; the others move up by `shift`. */
bool linear_substitute(const linear *f, const linear *value, int n, int shift, linear *result);
/* As the language has it, its n variables with these names; what reads another one is no text: `?` stands for it. */
void linear_print(const linear *f, const char *const *name, int n, text *out);

/* form >= 0, or form == 0.  `defines`: it only says what an auxiliary variable is (a quotient), which always exists. */
typedef struct {
  linear form;
  bool equal, defines;
} constraint;

/* Does it say, of its last variable r, that r is at least *end, or (hi) below it?  *exact becomes false where that is
   said of a multiple of r. */
bool constraint_end(const constraint *row, int r, bool hi, linear *end, bool *exact);

typedef struct {
  int vars;                    /* at most POLYHEDRON_VARS */
  int n, room;
  constraint *row;
  bool open;                   /* a constraint could not be kept: the points are some of these */
} polyhedron;

polyhedron *polyhedron_new(arena *a, int vars);
polyhedron *polyhedron_copy(arena *a, const polyhedron *p);
void polyhedron_add(arena *a, polyhedron *p, const linear *f, bool equal);
void polyhedron_require(arena *a, polyhedron *p, const linear *small, const linear *large); /* small <= large */
void polyhedron_same(arena *a, polyhedron *p, const linear *f, const linear *g);            /* f == g */
/* One more variable: its number.  -1 when there are too many; then the polyhedron is open. */
int polyhedron_variable(polyhedron *p);
/* The constraints of q, whose variable v < n is value[v]; its others become new variables of p. */
void polyhedron_include(arena *a, polyhedron *p, const polyhedron *q, const linear *value, int n);
/* The constraints of q over the same first n variables; its others become new variables of p. */
void polyhedron_meet(arena *a, polyhedron *p, const polyhedron *q, int n);
/* Both, q's variables after p's.  *shift: where q's begin. */
polyhedron *polyhedron_beside(arena *a, const polyhedron *p, const polyhedron *q, int *shift);

/* Does it lie in a hyperplane, by an equality that is not a mere definition? */
bool polyhedron_is_flat(const polyhedron *p);
/* Proved to have no integer point? */
bool polyhedron_empty(const polyhedron *p);
/* Proved: f >= 0 (f == 0) on all points. */
bool polyhedron_implies(const polyhedron *p, const linear *f, bool equal);
/* A number that f never goes below (above) on p; false when none is found.  Both at the price of one. */
bool polyhedron_least(const polyhedron *p, const linear *f, int64_t *least);
bool polyhedron_most(const polyhedron *p, const linear *f, int64_t *most);
bool polyhedron_span(const polyhedron *p, const linear *f, int64_t *least, int64_t *most);
/* The first n variables: a polyhedron that holds all points of the projection, and, when *exact, no others. */
polyhedron *polyhedron_project(arena *a, const polyhedron *p, int n, bool *exact);
/* The same points, with what rounding says: c A + r >= 0 gives A + floor(most of r / c) >= 0. */
polyhedron *polyhedron_sharpen(arena *a, const polyhedron *p);
/* Without constraints that follow from the others. */
polyhedron *polyhedron_tidy(arena *a, const polyhedron *p);

/* Disjoint or not: who has them says it. */
typedef struct {
  int n, room;
  polyhedron **item;
} polyhedra;
void polyhedra_add(arena *a, polyhedra *l, polyhedron *p);
/* Numbers that f never goes below and above on all pieces; false when there are no pieces, or none is found. */
bool polyhedra_span(const polyhedra *l, const linear *f, int64_t *least, int64_t *most);
/* Points of p that q has not, the first n variables compared: disjoint pieces, empty ones left out.  Both have only
   quotients besides; false when one is open. */
bool polyhedron_minus(arena *a, const polyhedron *p, const polyhedron *q, int n, polyhedra *rest);
bool polyhedra_minus(arena *a, const polyhedra *l, const polyhedra *take, int n, polyhedra *rest);
/* Proved: every point of p lies in one of l. */
bool polyhedra_cover(const polyhedra *l, const polyhedron *p, int n);
/* The polyhedron whose points are those of both together, when there is such a one: of the constraints of each, those
   that hold on the other.  NULL when that has other points, or is not seen to have none, or there are quotients. */
polyhedron *polyhedron_join(arena *a, const polyhedron *p, const polyhedron *q);
/* Join what can be joined. */
void polyhedra_join(arena *a, polyhedra *l);
/* The same points in disjoint pieces. */
bool polyhedra_disjoint(arena *a, const polyhedra *l, int n, polyhedra *pieces);

/* How many points p has, all variables counted (quotients are determined by the others).  False when that is not found
 * out. */
bool polyhedron_count(const polyhedron *p, mpz_t count);
/* The sum over the list, where a point that is in two counts twice. */
bool polyhedra_count(const polyhedra *l, mpz_t sum);
/* How many points lie above each setting of the variables of the mask `kept`: the sum of the polynomials of those
   pieces that hold there.  To be cleared, whatever is answered; the conditions are in the arena. */
typedef struct polynomial polynomial;
typedef struct {
  int n, room;
  struct { polyhedron *where; polynomial *count; } *item;
} point_counts;
bool polyhedron_count_above(arena *a, const polyhedron *p, uint64_t kept, point_counts *pieces);
void point_counts_clear(point_counts *pieces);

#endif
