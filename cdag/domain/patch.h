/* patch.h -- where a table is affine: its entries parted into rectangles.

   Tables of block lengths are constant but for the last entry, and the columns of a banded mask go up by one from row
   to row; fast-forward may treat such a table as affine while it is read inside one rectangle (docs/tile-engine.md). */
#ifndef REDBLUE_PATCH_H
#define REDBLUE_PATCH_H

#include "cdag/language/expr.h"

/* Rows [from[0], to[0]) and columns [from[1], to[1]); slope: what one row, one column more adds.  A table of one index
   is the row 0. */
typedef struct { int64_t from[2], to[2], slope[2]; } cdag_patch;

/* Patches of one table at even distances, each with the same slopes, whose bounds and whose values at the corner go up
   by fixed numbers from one to the next: which family (the number of its first patch), which of its members, of how
   many.  A patch is of one family only. */
typedef struct { int64_t family, place, members; } cdag_kin;

typedef struct patch_square patch_square;

/* Those of one table found so far; zeroed before its first use. */
typedef struct {
  patch_square *square;        /* of the table, row by row: which patches meet it */
  size_t squares;
  int64_t across_squares;      /* in a row of them */
  int bits[2];                 /* rows and columns of a square: 2 to the power of these */
  cdag_patch *patch;
  cdag_kin *kin;               /* by patch; no members: not yet known */
  size_t n, room, kin_room, last; /* last: the patch asked for last */
  int64_t period;              /* 0: not yet known */
  int64_t across, across_row;  /* of that row's entries: the period; 0: of none yet */
} cdag_patches;

/* The patch of the entry at these indices, found when an entry of it is first asked for.  Patches do not overlap, and
   all of them take the time of reading the table a few times.  NULL when there is no such entry, or the table has more
   than two indices. Good until the next call. */
const cdag_patch *cdag_patch_at(cdag_patches *known, const expr_table *t, const int64_t *at);
cdag_kin cdag_patch_kin(cdag_patches *known, const expr_table *t, const cdag_patch *p);
/* After how many rows (entries, of a table of one index) the patches of the middle of the table come again, a step on;
 * 1: at once, or never. */
int64_t cdag_table_period(cdag_patches *known, const expr_table *t);
void cdag_patches_clear(cdag_patches *known);

#endif
