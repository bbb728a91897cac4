/* bounds/check/reading/boxes.h -- how many points lie in a union of boxes. */
#ifndef REDBLUE_BOUNDS_CHECKER_BOXES_H
#define REDBLUE_BOUNDS_CHECKER_BOXES_H

#include "cdag/cdag.h"

typedef struct {
  int rank;
  cdag_box *box;
  size_t n, room;
} checker_boxes;                                               /* begins as { .rank = r } */
/* The box joins them unless it is empty; false when they are too many for that. */
bool checker_boxes_add(checker_boxes *u, const cdag_box *b);
/* Points in at least one of them; less where that is too much work.  They lie in one array, so nothing overflows. */
uint64_t checker_boxes_count(const checker_boxes *u);
void checker_boxes_clear(checker_boxes *u);

#endif
