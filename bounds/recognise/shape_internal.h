/* bounds/recognise/shape_internal.h -- what the files of the recognition share. */
#ifndef REDBLUE_BOUNDS_SHAPE_INTERNAL_H
#define REDBLUE_BOUNDS_SHAPE_INTERNAL_H

#include "bounds/recognise/affine.h"
#include "bounds/recognise/shape.h"

/* ---- settings: domains with tables are cut into pieces on which bounds and indices are affine ---- */

enum { SHAPE_SETTINGS = 1 << 17 };   /* more pieces are not looked at: the shape is then not recognised */

/* The loops that must be held for the bounds of the array, and the indices of its rule when `rule`, to be affine. */
unsigned shape_pinned(const cdag *g, int array, bool rule);
/* Every setting of these loops (closed under the loops their bounds use) in lexicographic order; visit returns false to
   stop. False when stopped or when there are more than SHAPE_SETTINGS. */
typedef bool (*shape_visit)(void *context, const int64_t *x);
bool shape_each_setting(const cdag *g, int array, unsigned loops, shape_visit visit, void *context);
unsigned shape_close(const cdag *g, int array, unsigned loops);

/* ---- chains ---- */

/* How an array chains to itself.  A link is a term that shifts one loop by one.  A carry is a term that shifts loop
   `outer` by one and leads from the first value of loop `inner` to the last of the block before. */
typedef struct {
  unsigned links;              /* loops with a link */
  int direction[CDAG_RANK];    /* -1: x reads x - 1;  +1: x reads x + 1 */
  int outer, inner;            /* a carry; -1, -1: none */
  int terms;                   /* terms to the own array, of any form */
  unsigned link_terms;         /* bits: the terms that are links or the carry */
} shape_chain;
void shape_chain_find(const cdag *g, int array, shape_chain *c);
/* With a carry: is each block entered from the end of the one before, so that the blocks make one chain? */
bool shape_carries(const cdag *g, int array, const shape_chain *c);
/* Do chains run straight to their ends: does no other range move along them, and does a carry carry? */
bool shape_straight(const cdag *g, int array, const shape_chain *c);
static inline unsigned shape_chain_loops(const shape_chain *c)
{
  return c->links | (c->outer >= 0 ? 1u << c->outer : 0);
}

/* The loop of an array that is inputs at that loop's first value and computed at every other (the steps of a stencil),
   or -1: all its terms read the array itself at smaller values, and one of them the element one before. */
int shape_source_loop(const cdag *g, int array);

/* ---- statements looked for before, by array ---- */
struct bound_seen *bound_seen_new(int arrays);
void bound_seen_free(struct bound_seen *seen, int arrays);

/* ---- elements of a selection, when they can be counted (else 0) ---- */
uint64_t shape_selection_count(const cdag *g, const cdag_selection *s);

/* The index tuple of a term as forms, with form[r] for loop r of the rule; false unless every index is a single affine
 * value. */
bool shape_index_forms(const cdag *g, const cdag_term *t, int indices, const affine *form, int n, affine *index);
/* Does the element with these indices (forms over domain d) always exist? */
bool shape_exists(const cdag *g, int array, const affine *index, const affine_domain *d);
/* Does the term exist at every element of the array? */
bool shape_always(const cdag *g, int array, const cdag_term *t);
/* Values a form takes on the hull of an array. */
bool shape_hull_domain(const cdag *g, int array, affine_domain *d);

#endif
