/* affine.h -- affine forms over loop variables and their extremes over the domain of an array: what the recognition of
   shapes computes with.  Every function answers false (or "unknown") rather than overflow. */
#ifndef REDBLUE_BOUNDS_AFFINE_H
#define REDBLUE_BOUNDS_AFFINE_H

#include "cdag/cdag.h"

/* base + sum coef[r] x[r].  Slots 0 .. CDAG_RANK-1 are the loops of an array, the rest belongs to whoever extends them.
 */
enum { AFFINE_SLOTS = 2 * CDAG_RANK };
typedef struct {
  int64_t base, coef[AFFINE_SLOTS];
} affine;

affine affine_const(int64_t value);
affine affine_slot(int slot);
bool affine_add(affine *f, const affine *g, int64_t times);     /* f += times * g */
bool affine_is_const(const affine *f);
bool affine_equal(const affine *f, const affine *g);
unsigned affine_slots(const affine *f);                         /* which slots it uses */

/* The value of a bound or index, with form[r] standing for loop r < n.  Sums, and products with constants, stay affine;
   anything else (tables, min, division ...) must use loops whose form is constant.  False when it is not affine, and
   when it has no value (a table read outside its bounds). */
bool affine_of_expr(const cdag *g, const expr *e, const affine *form, int n, affine *value);
/* The same of an index of a rule, its end if `end`.  What the description knows to be affine on the whole rule is so,
   though it is read from a table: an entry that is the same everywhere. */
bool affine_of_index(const cdag *g, const cdag_index *x, bool end, const affine *form, int n, affine *value);

/* lo[r] <= x[r] < hi[r], each affine in x[0 .. r-1] (any earlier slot). */
typedef struct {
  int rank;
  affine lo[AFFINE_SLOTS], hi[AFFINE_SLOTS];
} affine_domain;

/* Is the domain all of its hull, whatever its bounds look like? */
bool affine_is_box(const cdag *g, int array);
/* The range of loop r of the array, with form[q] for the loops before it. */
bool affine_range(const cdag *g, int array, int r, const affine *form, affine *lo, affine *hi);
/* Does it depend on loop q? */
bool affine_range_uses(const cdag *g, int array, int r, int q);
/* The domain of an array with the loops in `pinned` held at x; false when a bound is not affine even so. */
bool affine_domain_of(const cdag *g, int array, unsigned pinned, const int64_t *x, affine_domain *d);
/* One more slot, from lo to hi. */
bool affine_domain_extend(affine_domain *d, int slot, const affine *lo, const affine *hi);
/* A value that f never goes below on d; exact when every range is nonempty whatever the earlier variables. */
bool affine_min(const affine_domain *d, const affine *f, int64_t *min);
bool affine_max(const affine_domain *d, const affine *f, int64_t *max);
bool affine_nonnegative(const affine_domain *d, const affine *f);   /* provably everywhere */
/* Do different values of the slots in `slots`, with the others kept, always give different values of (f[0], ...,
   f[n-1])?  Sufficient test: each slot appears in one form, and there the coefficients are those of a mixed radix. */
bool affine_injective(const affine_domain *d, const affine *f, int n, unsigned slots);

#endif
