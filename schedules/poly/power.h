/* schedules/poly/power.h -- what polynomials do with powers b^p and with 1/(b^p - 1).  Private to the formula. */
#ifndef REDBLUE_SCHEDULES_FORMULA_POWER_H
#define REDBLUE_SCHEDULES_FORMULA_POWER_H

#include "schedules/poly/poly.h"

/* The sum of t over atom = 1 .. last, where powers hold the atom and nothing else does; false: that is not so, or no
 * geometric sum. */
bool power_sum(poly_world *w, const poly_term *t, int atom, poly last, poly *out);
/* Takes the powers out of t that hold the atom: their product with `value` in its place. */
poly power_substitute(poly_world *w, poly_term *t, int atom, poly value);
/* What is divided by b^p - 1 has no factor b^p any more: (b^p)/(b^p - 1) = 1 + 1/(b^p - 1).  Then equal polynomials are
 * equal term by term. */
poly power_settle(poly_world *w, poly p);
/* The atom's value num/den; false: it has none. */
bool power_value(const poly_world *w, const poly_atom *a, const expr_env *env, int64_t *num, int64_t *den);
/* Powers among t's factors as 2^(l - s + 1), with as much of the coefficient num/den as is a power too; then what t is
 * divided by. */
void power_print(const poly_world *w, const poly_term *t, int64_t *num, int64_t *den, text *out);
void power_print_inverses(const poly_world *w, const poly_term *t, text *out);

#endif
