/* cdag/domain/patch_internal.h -- what patch.c and cdag/domain/patch_family.c share. */
#ifndef REDBLUE_PATCH_INTERNAL_H
#define REDBLUE_PATCH_INTERNAL_H

#include "cdag/domain/patch.h"

/* Columns [from, to) of one row, on which the table is affine. */
typedef struct { int64_t from, to, slope; } patch_piece;
/* The one at an entry; row 0 of a table of one index. */
patch_piece patch_piece_at(const expr_table *t, int64_t row, int64_t column);

#endif
