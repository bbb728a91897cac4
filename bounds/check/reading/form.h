/* bounds/check/reading/form.h -- linear forms over loops that run in plain boxes: what the checker reads a description
   with.

   Where a range depends on other loops, or an index on a table, those loops are *held*: the domain is walked setting by
   setting, and in each the remaining loops fill a box.  In a box the least and largest value of a form are at corners.
 */
#ifndef REDBLUE_BOUNDS_CHECKER_FORM_H
#define REDBLUE_BOUNDS_CHECKER_FORM_H

#include "cdag/cdag.h"

/* Loops 0 .. CDAG_RANK-1, then free places in chains. */
enum { FORM_PLACES = 2 * CDAG_RANK };
typedef struct { int64_t c, k[FORM_PLACES]; } form;            /* c + sum k[i] x[i] */
typedef struct { int64_t lo[FORM_PLACES], hi[FORM_PLACES]; } span; /* lo <= x < hi */

form form_number(int64_t c);
form form_loop(int i);
bool form_is_number(const form *f);
bool form_plus(form *f, const form *g, int64_t times);         /* false on overflow */
unsigned form_uses(const form *f);                             /* bits */
bool form_same(const form *f, const form *g);
/* Least and largest value over the span. */
bool form_extremes(const form *f, const span *s, int64_t *least, int64_t *largest);

/* The expression, with loop[i] for loop i < n.  False when it is not linear in what moves, or has no value. */
bool form_read(const cdag *g, const expr *e, const form *loop, int n, form *f);
/* An index of a rule, its end if `end`: the form that the description holds it to be on the whole rule, if there is
 * one, else what is read. */
bool form_index(const cdag *g, const cdag_index *x, bool end, const form *loop, int n, form *f);
/* Range of index r of the array, the earlier indices being `index`. */
bool form_bounds(const cdag *g, int array, int r, const form *index, form *lo, form *hi);
/* Is the element with these indices in the array's domain for every point of the span? */
bool form_inside(const cdag *g, int array, const form *index, const span *s);
/* Do different values of the places in `places` (which must be all that the forms use) always give different tuples?
   Each place in one form, and there like the digits of a number. */
bool form_distinct(const form *f, int n, unsigned places, const span *s);

/* A domain that fills its hull is a box, whatever its bounds look like. */
bool form_whole_box(const cdag *g, int array);
void form_hull(const cdag *g, int array, span *s);
bool form_depends(const cdag *g, int array, int r, int q);     /* range of r on loop q */

/* Loops to hold: those ranges depend on, and with `rule` those the indices of the array's terms are not linear in. */
unsigned form_held(const cdag *g, int array, bool rule);
typedef bool (*form_visit)(void *context, const span *s);      /* held loops have one value */
/* False when visit said so, or after 2^18 values of held loops. */
bool form_each(const cdag *g, int array, unsigned held, form_visit visit, void *context);
/* The loops as forms on such a piece. */
void form_loops(const span *s, unsigned held, form *loop);

#endif
