/* bounds/coq/walks.h -- who is an ancestor of whom, as Coq is told (proofs/certify/Walks.v): reads one after another,
   in cases; a read that is a constant way off may be followed many times. */
#ifndef REDBLUE_BOUNDS_COQ_WALKS_H
#define REDBLUE_BOUNDS_COQ_WALKS_H

#include "bounds/coq/cases.h"

enum { WALK_LINKS = 6, WALK_TOLD = 2 * CDAG_RANK };

/* From an element, whose indices are forms on a box, to one of array `to` on whose indices these forms have these
   values, and no others are negative.  to = -1: of any array; then of those that have forms of their own, if any. */
typedef struct coq_walk {
  const coq_text *t;
  arena *memory;
  const coq_box *box;
  coq_forms known;
  int array;
  linear from[CDAG_RANK];
  int to, told;
  linear form[WALK_TOLD], value[WALK_TOLD];
  const linear **form_of;      /* of each array, or NULL */
  const struct coq_walk *also; /* or to where this one ends; NULL: no */
  coq_forms there;
  int least, most;             /* links */
  bool (*otherwise)(void *with, const coq_forms *known, text *out);
  void *with;
} coq_walk;
bool coq_walk_put(const coq_walk *w, text *out);

/* Is what an access reads there, wherever it holds?  Coq asks it of each read of a walk. */
bool coq_reads_there(const coq_text *t, int a);
bool coq_form_same(const coq_box *b, const coq_forms *known, const linear *f, const linear *g);
bool coq_same_moved(const coq_box *b, const coq_forms *known, const linear *f, const linear *value, int n,
                    const linear *as);
/* Values of the box's variables in forms of them, f[i] standing as variable i; false when they do not tell all. */
bool coq_tell_from(arena *a, const linear *f, int forms, const coq_box *b, const coq_forms *known, linear *value);
/* The elements of a path, but for the last one, of `array` where the forms hold: what these accesses read, one after
   the other, in its loops.  False where one does not hold. */
typedef struct {
  int array;
  linear at[CDAG_RANK];
} coq_node;
bool coq_path_nodes(const coq_text *t, arena *a, const coq_box *loops, const coq_forms *where, int array,
                    const int *link, int links, coq_node *node);
/* May one of them be an output? */
bool coq_is_put_out(const coq_text *t, const coq_box *loops, const coq_forms *where, const coq_node *node);
/* Elements where the forms hold, with keys that are forms of their loops; keys that there are. */
typedef struct {
  const coq_box *loops, *keys;
  const coq_forms *where, *held;
  const linear *key;
} coq_keyed;
/* Loops of such an element in the keys, at all keys there are. */
bool coq_find_first(arena *a, const coq_keyed *y, linear *first);
/* No index goes below zero: else it has another name in Coq, and claims do not say it. */
bool coq_names_kept(const normal_form *f);
/* All forms with these values. */
bool coq_forms_moved(arena *a, const coq_forms *l, const linear *value, int n, coq_forms *moved);

#endif
