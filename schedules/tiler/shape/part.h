/* part.h -- some statements of a computation, to be scheduled alone; perhaps inside loops.

   What other statements read of them is stored.  Inside loops around, the dimensions that those walk have one value,
   and what an earlier iteration computed is read as inputs are: it was stored there. */
#ifndef REDBLUE_SCHEDULES_TILER_SHAPE_PART_H
#define REDBLUE_SCHEDULES_TILER_SHAPE_PART_H

#include "schedules/tiler/shape/shape.h"

enum { TILER_READS = 64 };
typedef struct {
  const char *value[CDAG_RANK]; /* of a dimension that a loop around walks; or NULL */
  uint64_t earlier;            /* reads of what earlier iterations computed: the statement's, then those of itself */
  uint64_t held;               /* reads of what is on chip anyway */
  bool stays, unstored;        /* what it computes stays on chip, and need not be stored */
} tiler_around;

/* array: each after those it reads in one iteration; around: by place in it, or NULL. */
void tiler_part_init(tiler_shape *part, const tiler_shape *whole, const int *array, int n, const tiler_around *around);
void tiler_part_clear(tiler_shape *part);

#endif
