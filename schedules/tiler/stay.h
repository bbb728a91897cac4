/* stay.h -- what stays on chip while a loop over several statements runs.

   A recurrence hands a state from one iteration to the next: y and r in Levinson and Durbin's, h and c in an LSTM.
   Where the state fits, its arrays are neither stored nor loaded again; and so are arrays from before the loop that
   every iteration reads. */
#ifndef REDBLUE_SCHEDULES_TILER_STAY_H
#define REDBLUE_SCHEDULES_TILER_STAY_H

#include "schedules/tiler/order.h"

typedef struct {
  enum { STAY_NOT, STAY_SLICES, STAY_WHOLE } kind;
  int dim, lag;                /* slices along the loop's dimension: of this iteration and of the last `lag` */
  int64_t shift;               /* that dimension is the loop's variable less this */
  bool stored;                 /* elements are outputs as they are made; else the last slice may hold outputs */
} tiler_stay;

/* By array, for m words: those whose reads are most for a word come first.  The words that they take. */
double tiler_stays(const tiler_shape *s, const order_node *loop, double m, tiler_stay *stay);

#endif
