/* bounds/check/reading/form.h -- linear forms over loops: what a description is read with.

   Where a range or an index is not linear in loops (it is read from a table, it is a minimum), those loops are *held*:
   the domain is walked setting by setting, and in each the bounds of the remaining loops are forms in the loops before
   them.  The least and the largest value of a form are found from the last loop to the first: each takes the end of its
   range that the sign of its coefficient asks for. */
#ifndef REDBLUE_BOUNDS_CHECKER_FORM_H
#define REDBLUE_BOUNDS_CHECKER_FORM_H

#include "cdag/cdag.h"

/* Loops 0 .. CDAG_RANK-1, then free places in chains. */
enum { FORM_PLACES = 2 * CDAG_RANK };
typedef struct { int64_t c, k[FORM_PLACES]; } form;            /* c + sum k[i] x[i] */
/* lo <= x < hi; of a place in `slanted` moreover from <= x < to, forms in earlier places. */
typedef struct {
  int64_t lo[FORM_PLACES], hi[FORM_PLACES];
  unsigned slanted;
  form from[CDAG_RANK], to[CDAG_RANK];
} form_domain;

form form_number(int64_t c);
form form_loop(int i);
bool form_is_number(const form *f);
bool form_plus(form *f, const form *g, int64_t times);         /* false on overflow */
unsigned form_uses(const form *f);                             /* bits */
bool form_same(const form *f, const form *g);
/* Place r runs from one form in earlier places to another; false when its ends are too far out. */
bool form_range(form_domain *s, int r, const form *from, const form *to);
/* Values that the form neither falls below nor exceeds on the domain; they are attained where no range is empty. */
bool form_extremes(const form *f, const form_domain *s, int64_t *least, int64_t *largest);

/* The expression, with loop[i] for loop i < n.  False when it is not linear in what moves, or has no value. */
bool form_read(const cdag *g, const expr *e, const form *loop, int n, form *f);
/* An index of a rule, its end if `end`: the form that the description holds it to be on the whole rule, if there is
 * one, else what is read. */
bool form_index(const cdag *g, const cdag_index *x, bool end, const form *loop, int n, form *f);
/* The indices of a term of the array's rule, in its loops; false unless each is one value and linear. */
bool form_indices(const cdag *g, int array, const cdag_term *t, form *index);
/* Range of index r of the array, the earlier indices being `index`. */
bool form_bounds(const cdag *g, int array, int r, const form *index, form *lo, form *hi);
/* Is the element with these indices in the array's domain for every point of the domain? */
bool form_inside(const cdag *g, int array, const form *index, const form_domain *s);
/* Do different values of the places in `places` (which must be all that the forms use) always give different tuples?
   Each place in one form, and there like the digits of a number. */
bool form_distinct(const form *f, int n, unsigned places, const form_domain *s);

/* A domain that fills its hull is a box, whatever its bounds look like. */
bool form_whole_box(const cdag *g, int array);
void form_hull(const cdag *g, int array, form_domain *s);
bool form_depends(const cdag *g, int array, int r, int q);     /* range of r on loop q */

/* The loops together with those that their ranges depend on. */
unsigned form_closed(const cdag *g, int array, unsigned loops);
/* Loops to hold: those that ranges and, with `rule`, the indices of the array's terms are not linear in; closed. */
unsigned form_held(const cdag *g, int array, bool rule);
/* Every setting of the held loops; the others are 0.  held: closed.  False when visit said so; where held loops have
   more than 2^18 values it is false at once. */
typedef bool (*form_setting)(void *context, const int64_t *x);
bool form_each_setting(const cdag *g, int array, unsigned held, form_setting visit, void *context);
/* The same, with the domain of the loops that are not held; where that is sure to be empty there is no visit. */
typedef bool (*form_visit)(void *context, const form_domain *s);      /* held loops have one value */
bool form_each(const cdag *g, int array, unsigned held, form_visit visit, void *context);
/* The loops as forms on such a piece. */
void form_loops(const form_domain *s, unsigned held, form *loop);

#endif
