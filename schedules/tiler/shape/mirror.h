/* mirror.h -- a computation with some indices counted from their other end.

   Where x runs from a to b, a + b - x runs from a to b as well.  So what goes downwards (a solve with an upper
   triangle) goes upwards, and whoever knows ascending axes only (circle.h) finds it. */
#ifndef REDBLUE_SCHEDULES_TILER_SHAPE_MIRROR_H
#define REDBLUE_SCHEDULES_TILER_SHAPE_MIRROR_H

#include "cdag/polyhedral/normal.h"

/* An array's: index q of the mask becomes sum[q] - q. */
typedef struct {
  uint32_t turned;
  int64_t sum[CDAG_RANK];
} mirror_turns;

typedef struct {
  cdag g;           /* with the arrays' hulls turned */
  normal_form form; /* of g, in the new indices */
} tiler_mirror;

/* a + b */
int64_t tiler_mirror_sum(const cdag *g, int array, int q);
/* by: by array.  Borrows f, and by. */
void tiler_mirror_init(tiler_mirror *m, const normal_form *f, const mirror_turns *by);
void tiler_mirror_clear(tiler_mirror *m);

#endif
