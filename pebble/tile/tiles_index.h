/* pebble/tile/tiles_index.h -- which boxes of a long list lie near a place.

   The values of one index of the array are divided into cells of 2^shift, and those of another one too where many boxes
   share a cell.  A box is hung up in every cell it touches, at the first level where these are few: cells of each level
   are four times as long as those of the level before.  The indices are those whose cells part the boxes best when the
   division is made; it is made again when the list has doubled.  Knows numbers of boxes and their bounds in these
   indices, nothing else.  Private to pebble/tile/tiles.c. */
#ifndef REDBLUE_TILES_INDEX_H
#define REDBLUE_TILES_INDEX_H

#include "cdag/cdag.h"

enum { TILES_CELLS = 4 };      /* a box in more cells belongs to a level above */
enum { TILES_NONE = -1 };

typedef struct tiles_index {
  int dim[2], shift[2];        /* of level 0; the other index: TILES_NONE where one serves */
  uint32_t levels;             /* those that have had a box */
  uint64_t mask;               /* heads - 1 */
  int32_t *head;               /* by hash of the cell: an entry, or TILES_NONE */
  int32_t *next;               /* entry TILES_CELLS * box + k: box in its k-th cell */
  uint8_t *level;              /* of each box */
  size_t room;                 /* boxes that next and level have room for */
} tiles_index;

/* For n boxes, n > 0; NULL when no index parts them. */
tiles_index *tiles_index_new(const cdag_box *box, size_t n, int rank);
void tiles_index_free(tiles_index *x);
void tiles_index_hang(tiles_index *x, const cdag_box *box, size_t i);
void tiles_index_unhang(tiles_index *x, const cdag_box *box, size_t i);
const char *tiles_index_check(const tiles_index *x, const cdag_box *box,
                              size_t n); /* NULL or what is wrong: for tests */

/* The boxes that may meet b in the indices of x, or lie no further than `around` from it (1: that abut it), each once,
   in no order; box is the list. */
typedef struct {
  const tiles_index *x;
  const cdag_box *box;
  cdag_box question;           /* in these indices */
  int64_t around;
  int level;
  int64_t from[2], cell[2], last[2]; /* of the question, at this level */
  int32_t entry;
} tiles_cursor;
/* False: b touches too many cells; look at all n boxes instead. */
bool tiles_cursor_start(tiles_cursor *c, const tiles_index *x, const cdag_box *box, size_t n, const cdag_box *b,
                        int64_t around);
/* The number of the next box, or TILES_NONE. */
int32_t tiles_cursor_next(tiles_cursor *c);

#endif
