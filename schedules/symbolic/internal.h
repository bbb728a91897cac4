/* schedules/symbolic/internal.h -- what schedules/symbolic/box.c and schedules/symbolic/walk.c share. */
#ifndef REDBLUE_SCHEDULES_FORMULA_INTERNAL_H
#define REDBLUE_SCHEDULES_FORMULA_INTERNAL_H

#include "schedules/symbolic/walk.h"

/* Bounds of an index: as polynomials, and all values they take. */
typedef struct { poly lo, hi, least; span lo_span, hi_span; } interval; /* least <= lo */
poly interval_extent(formula *f, const interval *x);

/* All values of loop `loop`, which are single ones, from kind[loop].lo up to hi. */
typedef struct formula_spread {
  int loop;
  poly hi, length;
  span hi_span;
} formula_spread;
/* Sum up the loads and stores of loop n, each box as one of all iterations, if that can be done
 * (schedules/symbolic/spread.c). */
bool formula_add_spread(formula *f, const schedule_node *n, const formula_spread *over, poly *total);
bool formula_matters(const formula *f, const schedule_node *n);  /* does anything in it add to the sum? */

/* A box, of which a slanted side may leave the part x[across] < x[along] + by (upper) or x[across] >= x[along] + by. */
typedef struct {
  interval at[CDAG_RANK];
  bool cut, upper;
  int along, across;
  int64_t by;
} region;
/* Let a slanted side cut it, one that is known to leave some and take some; false: another one does already. */
bool region_cut(region *b, int along, int across, int64_t by, bool upper);
/* Would its volume be known then, whatever the values? */
bool region_can_be_cut(formula *f, const region *b, int along, int across, int64_t by, bool upper);
/* Elements, if it is known which edges of the box the side meets (schedules/symbolic/cut.c). */
bool region_volume(formula *f, const region *b, int rank, poly *volume);
bool formula_vertices(formula *f, const schedule_box *b,
                      poly *volume); /* elements of a box of an explicit graph (schedules/symbolic/graph.c) */
/* Is a sum with powers of numbers in it provably not negative (schedules/symbolic/graph.c)? */
bool formula_powers(formula *f, poly e);
/* q = p/by, where by is a product of powers of numbers that divides p; false: it is not, or not known to divide. */
bool formula_quotient(formula *f, poly p, poly by, poly *q);

/* a + by <= b, provably, by what is known of the polynomials, or (spans may be NULL) because the values lie apart? */
bool formula_at_most(formula *f, poly a, const span *a_span, int64_t by, poly b, const span *b_span);
bool formula_interval(formula *f, const schedule_index *x, interval *out);  /* as written, not clipped; not `*` */
int formula_iteration_atom(formula *f, int loop);                 /* the atom for the number of its iteration */
/* The number of any iteration, besides that atom (-1: none)? */
bool formula_reads_iterations(const formula *f, poly p, int but);
void formula_grant(formula *f, const char *what);       /* say once what a decision rested on */
/* What was said of a reason, and taken for granted, so far; of one of the two, or both, what came since is forgotten.
 */
typedef struct { size_t reason, holds, granted; } formula_said;
formula_said formula_so_far(const formula *f);
void formula_forget(text *t, size_t from);
void formula_unsay(formula *f, formula_said so_far);
void formula_grant_tables(formula *f, const expr *e); /* it rests on the entries that e reads. Depth: an expression's */
bool formula_not_negative(formula *f, poly e);   /* provably? */
/* The same, by how the iterations of loops are related (schedules/sign/sign.c). */
bool formula_related(formula *f, poly e);

bool formula_atom_not_negative(formula *f, int atom);     /* provably, by itself? */
bool formula_plain(formula *f, poly e);     /* no term is negative */
/* How many iterations there are beyond two or three, and beyond the one at hand. */
poly formula_iterations_beyond(formula *f, int loop);
/* As formula_not_negative, from what was said and is known of blocks (schedules/sign/follow.c). */
bool formula_follows(formula *f, poly e);
/* The parameter in the slot is what its default says, for all values that are spoken of. */
void formula_add_default(formula *f, int slot, const expr *e);

/* ---- schedules/sign/certain.c: what is known for the values at hand, is it so for others? ---- */

static inline bool formula_has_iteration(const iteration_kind *k, int64_t iterations)
{
  return k->only ? iterations == 1 : iterations >= (k->middle ? 3 : 2);
} /* of so many one of this kind? */
bool formula_at_hand(const formula *f); /* are decisions made for the values at hand, so that this is asked at all? */
/* e >= 0 here: it is so for all values, or is said to be a condition; false: the iterations it speaks of are not there.
 */
bool formula_certain(formula *f, poly e);
bool formula_is_most(formula *f, poly a, poly b); /* the same of b - a */
/* The same as a condition on the parameters; false: it is none, or is not so here. */
bool formula_require(formula *f, poly e);
void formula_grant_equal(formula *f, poly p, int64_t value);
/* What p, e (if not NULL), and the iterations at hand read has the values it has, but for what tables are made from
   where e reads some: these are as they are.  False: the iterations are not there. */
bool formula_grant_values(formula *f, poly p, const expr *e);
void formula_say_granted(formula *f);                   /* put it in the text, but for what others say */
bool formula_value_here(const formula *f, poly p, int64_t *value); /* false: it has iterations in it, or no value */
/* The iteration of a middle loop in p becomes the one where p is least, where that is known. */
poly formula_least_iteration(formula *f, poly p, int loop);

/* A decision asks for the sign of more + by - less, which is not the same in all iterations at hand: perhaps they can
 * be parted by it (schedules/symbolic/pieces.c). */
void formula_want(formula *f, poly more, int64_t by, poly less);
/* p = coefficient times the atom and a rest without it? */
bool formula_is_linear(formula *f, poly p, int atom, poly *coefficient);

/* Assume big >= small, if that is the same in all iterations at hand; false: it is not, or nothing is assumed. */
bool formula_assume(formula *f, poly big, poly small);
bool formula_values(formula *f, const expr *e, span *out);
bool formula_bound(formula *f, const expr *e, poly *p, span *s);

#endif
