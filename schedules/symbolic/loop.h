/* schedules/symbolic/loop.h -- the iterations of a loop as polynomials: what it runs over, and its variable in
 * iterations of one kind.  Private to the formula. */
#ifndef REDBLUE_SCHEDULES_FORMULA_LOOP_H
#define REDBLUE_SCHEDULES_FORMULA_LOOP_H

#include "schedules/symbolic/internal.h"

/* Iterations from .. to - 1, some of those in the middle of a loop, and which these are at hand. */
typedef struct { poly from, to; int64_t from_here, to_here; } loop_piece;

/* What a loop runs over. */
typedef struct {
  interval range;
  poly by, length, iterations;
  span by_span;
  bool open;                   /* more iterations follow: the last one here is not the loop's */
  bool in_pieces;              /* iterations in the middle are summed in several pieces, or not at all */
  bool even; /* of iterations in the middle, or the last, those that an even number comes before are looked at; else
                those an odd one does */
  const loop_piece *part;      /* not NULL: of iterations in the middle only these, the first of which is iteration 1 */
} loop_range;

bool formula_range_of(formula *f, const schedule_loop *l, loop_range *r);

/* The first block of the range, one in the middle (the iteration-th), the last one, the only one. */
typedef enum { ITERATION_FIRST, ITERATION_MIDDLE, ITERATION_LAST, ITERATION_ONLY } iteration_which;
/* Set the loop's variable to its iterations of one kind. */
void formula_set_kind(formula *f, int loop, const loop_range *r, iteration_which which);
void formula_set_ends(formula *f, int loop, bool first, bool last);      /* what first(I) and last(I) are */
void formula_set_after(formula *f, iteration_kind *k, const loop_range *r,
                       bool others); /* what is known of the blocks after this one */
/* Are there snakes in the body of loop n that go by its iterations, so that it differs in even and odd ones? */
bool formula_weaves(const formula *f, const schedule_node *n, bool backwards);
/* out += the body in the iterations of one kind; backwards, the last block comes first. */
bool formula_body(formula *f, const schedule_node *n, const loop_range *r, iteration_which which, bool backwards,
                  poly *out);

/* ---- schedules/symbolic/pieces.c: iterations in the middle that are of several kinds ---- */

/* out += all iterations, those in the middle cut where what is wanted changes its sign; false: it does nowhere, or that
 * does not help. */
bool formula_in_pieces(formula *f, const schedule_node *n, const loop_range *r, bool backwards, poly *out);

#endif
