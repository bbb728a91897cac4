/* schedules/poly/poly.h -- polynomials with rational coefficients in the parameters and in a few functions of them.

   The numbers of docs/counting.md: 2 n d + 2 n d ceil(n/a).  An atom is a parameter, the iteration number of a loop
   that is being summed over, ceil(p/q) or min(p, q) of two polynomials, an expression of the schedule that is no
   polynomial, a power b^p of a number, p a product of atoms, or 1/(b^p - 1).  Powers may be factors with a negative
   power: 2^l 2^-s is 2^(l - s) (schedules/poly/power.c). Private to the room. */
#ifndef REDBLUE_SCHEDULES_FORMULA_POLY_H
#define REDBLUE_SCHEDULES_FORMULA_POLY_H

#include "base/arena.h"
#include "cdag/language/expr.h"

enum { POLY_FACTORS = 12 };
typedef struct { int16_t atom, power; } poly_factor;
typedef struct {
  int64_t num, den;            /* den > 0, lowest terms, num != 0 */
  int n;
  poly_factor f[POLY_FACTORS]; /* ascending by atom */
} poly_term;

/* A value: zeroed is 0.  Terms in canonical order: equal polynomials are equal term by term, and may share them. */
typedef struct {
  poly_term *term;             /* in the arena of their world */
  uint32_t n, room;
} poly;

typedef enum { ATOM_SLOT, ATOM_ITERATION, ATOM_CEIL, ATOM_MIN, ATOM_EXPR, ATOM_POWER, ATOM_INVERSE } atom_kind;
typedef struct {
  atom_kind kind;
  int slot;                    /* SLOT: of the environment; ITERATION: the loop */
  char name[64];               /* SLOT, ITERATION */
  int64_t base;                /* POWER, INVERSE: b, 2 at least */
  poly p, q;                   /* CEIL, MIN; POWER, INVERSE: p */
  const expr *e;               /* EXPR: borrowed */
} poly_atom;

/* The atoms of some polynomials, and whether something went beyond what they can hold (then results are void).  All
   polynomials of a world live until it is cleared. */
typedef struct {
  arena memory;
  poly_atom *atom;
  int n;
  size_t room;
  bool failed;
  bool inverses;               /* some are INVERSE */
  const int64_t *iteration;    /* values of iterations for poly_value, or NULL: they have none */
} poly_world;
void poly_world_clear(poly_world *w);

int poly_slot(poly_world *w, int slot, const char *name);
int poly_iteration(poly_world *w, int loop, const char *name);
int poly_expression(poly_world *w, const expr *e);
/* CEIL, MIN, POWER, INVERSE; base 0: has none */
int poly_pair_atom(poly_world *w, atom_kind kind, int64_t base, poly p, poly q);

poly poly_number(poly_world *w, int64_t value);
poly poly_variable(poly_world *w, int atom);
poly poly_add_times(poly_world *w, poly p, poly q, int64_t num, int64_t den); /* p + q num/den */
poly poly_add(poly_world *w, poly p, poly q);
poly poly_sub(poly_world *w, poly p, poly q);
poly poly_shift(poly_world *w, poly p, int64_t by);
poly poly_scale(poly_world *w, poly p, int64_t num, int64_t den);
poly poly_mul(poly_world *w, poly p, poly q);
/* p and a copy of a term, which is not in it. */
poly poly_with_term(poly_world *w, poly p, const poly_term *t);
poly poly_ceil(poly_world *w, poly p, poly q); /* ceil(p/q), simplified where that is exact */
poly poly_min(poly_world *w, poly p, poly q);
bool poly_power(poly_world *w, int64_t base, poly exponent, poly *out); /* base > 1; false: not such an exponent */
/* Use zero = 0 to rid p of an atom (but for those inside ceil or min), if it says what one is. */
poly poly_impose(poly_world *w, poly p, poly zero);
poly poly_substitute(poly_world *w, poly p, int atom, poly value); /* (but for those inside ceil or min) */
bool poly_term_times(const poly_term *a, const poly_term *b, poly_term *out);    /* false: too large */
bool poly_divide(poly_world *w, poly p, poly q, poly *out); /* p/q where that is exact; false: it is not found to be */
/* The same by a number > 0, where it is an integer for all integers. */
bool poly_divide_exactly(poly_world *w, poly p, int64_t by, poly *out);
bool poly_is_atom(poly p, int *atom);                    /* just this atom? */
bool poly_equal(poly p, poly q);
bool poly_constant(poly p, int64_t *value);              /* an integer constant? */
bool poly_uses(const poly_world *w, poly p, int atom);   /* also inside ceil */
/* Sum of p over atom = 1 .. last (a polynomial); false when p bends in it (inside ceil, or a power above 3, or a factor
 * beside a power of a number that has it in its exponent). */
bool poly_sum(poly_world *w, poly p, int atom, poly last, poly *out);

/* Value at the slots of env; false on overflow, division by zero or a fraction. */
bool poly_value(const poly_world *w, poly p, const expr_env *env, int64_t *value);
void poly_print(const poly_world *w, poly p, text *out);

#endif
