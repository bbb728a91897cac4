/* walk.h -- a box of a respelled array (cdag/respell.h), legal in the order of its indices there, under those given.

   A box is played in lexicographic order, so one with turned indices goes backwards in those.  Where a read inside the
   box forbids that, loops walk some of its indices, and what is left of the box is legal as it is.  They walk those,
   too, beside which other indices, distances under the names given, are told. */
#ifndef REDBLUE_SCHEDULES_TILER_WALK_H
#define REDBLUE_SCHEDULES_TILER_WALK_H

#include "cdag/polyhedral/normal.h"
#include "cdag/respell.h"

typedef struct {
  uint32_t wide, beside, walked;
  int array;
} tiler_walk;

typedef struct {
  const cdag_respelled *r;
  bool read;
  normal_form form;            /* of r->g, when it was read */
  size_t n, room;
  tiler_walk *known;
} tiler_walks;

/* The fewest indices to be walked, those of `beside` among them, where the box has more than one value in those of
   `wide`. */
uint32_t tiler_walked(tiler_walks *w, int array, uint32_t wide, uint32_t beside);
/* The indices that some of those that are told are distances from. */
uint32_t tiler_beside(const cdag_respelled *r, int array, uint32_t told);
void tiler_walks_clear(tiler_walks *w);

#endif
