/* pebble/tile/tiles_index.h -- which boxes of a long list lie near a place.

   The values of one index of the array are divided into cells of 2^shift; a box is hung up in every cell it touches, or
   among the wide boxes when these are many.  The index is the one whose cells part the boxes best when the
   division is made; it is made again when the list has doubled.  Knows numbers of boxes and their bounds in that index,
   nothing else.  Private to pebble/tile/tiles.c. */
#ifndef REDBLUE_TILES_INDEX_H
#define REDBLUE_TILES_INDEX_H

#include "cdag/cdag.h"

enum { TILES_CELLS = 4 };      /* a box in more cells is wide */
enum { TILES_NONE = -1 };

typedef struct tiles_index {
  int dim, shift;
  size_t made_for;             /* boxes when it was made */
  uint64_t mask;               /* heads - 1 */
  int32_t *head;               /* by hash of the cell: an entry, or TILES_NONE */
  int32_t wide;                /* the wide boxes: their first entries, chained */
  size_t wides, wides_made;    /* how many, and how many at first */
  int32_t *next;               /* entry TILES_CELLS * box + k: box in its k-th cell */
  size_t room;                 /* boxes that next has room for */
} tiles_index;

/* For n boxes, n > 0; NULL when no index parts them. */
tiles_index *tiles_index_new(const cdag_box *box, size_t n, int rank);
void tiles_index_free(tiles_index *x);
void tiles_index_hang(tiles_index *x, const cdag_box *box, size_t i);
void tiles_index_unhang(tiles_index *x, const cdag_box *box, size_t i);
/* Too many boxes have become wide: other cells would serve better. */
static inline bool tiles_index_worn(const tiles_index *x)
{
  return x->wides > 16 + x->made_for / 8 + 2 * x->wides_made;
}
const char *tiles_index_check(const tiles_index *x, const cdag_box *box,
                              size_t n); /* NULL or what is wrong: for tests */

/* The boxes that may touch or abut b in the dimension of x, each once, in no order; box is the list. */
typedef struct {
  const tiles_index *x;
  const cdag_box *box;
  int64_t from, cell, last;    /* of the question */
  int32_t entry;
} tiles_cursor;
/* False: b touches too many cells; look at all n boxes instead. */
bool tiles_cursor_start(tiles_cursor *c, const tiles_index *x, const cdag_box *box, size_t n, const cdag_box *b);
/* The number of the next box, or TILES_NONE. */
int32_t tiles_cursor_next(tiles_cursor *c);

#endif
