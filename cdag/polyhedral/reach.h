/* reach.h -- who is an ancestor of whom, as relations between elements: some of the true ones, each proved.

   A relation is a union of polyhedra over the indices of x, then those of y.  Reads are composed; where an array reads
   itself a constant way off on a convex piece, any number of such reads is one step. */
#ifndef REDBLUE_CDAG_POLYHEDRAL_REACH_H
#define REDBLUE_CDAG_POLYHEDRAL_REACH_H

#include "cdag/polyhedral/normal.h"

enum { REACH_PIECES = 8 };      /* of one relation, at most */
typedef int piece_rows[REACH_PIECES];

typedef struct {
  const normal_form *f;
  arena *memory;
  polyhedra **from;            /* of each array, once asked for: the relations to each array */
  piece_rows **failed;         /* of each piece of these: the row that refused the last pair */
  struct reach_step *step;
  int steps, room;
} reach;

void reach_init(reach *r, const normal_form *f, arena *memory);
/* Pairs (x, y), x of array `of`: y is an ancestor of x, and not x. */
const polyhedra *reach_from(reach *r, int of, int to);
/* Is the pair among them?  x and y are indices. */
bool reach_has(reach *r, int of, const int64_t *x, int to, const int64_t *y);

#endif
