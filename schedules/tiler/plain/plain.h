/* plain.h -- the schedule every computation with a legal affine order has: element by element.

   Each element's operands are loaded, it is computed, stored, and all of it is dropped; a chain whose steps nothing
   else orders stays on chip until its end.  It needs as many pebbles as an element has predecessors and one more. Where
   nothing else is known it is legal. */
#ifndef REDBLUE_SCHEDULES_TILER_PLAIN_H
#define REDBLUE_SCHEDULES_TILER_PLAIN_H

#include "schedules/tiler/shape/order.h"

/* False when no order was found. */
bool tiler_plain(const tiler_shape *s, text *out);

/* Some statements as nests of their own: what others read of them is stored.  names: " a b ", those in use, to which it
   adds; params: the lines of its lengths.  False: nothing was written. */
typedef struct {
  bool (*print)(void *context, const tiler_shape *part, double m, text *names, text *params, text *out);
  void *context;
} tiler_nests;

/* The plain schedule, but what the loops read again stays on chip (stay.h), as far as m words go; false where nothing
   would.  fusion: statements share loops that nothing orders (order.h).  bare: so many loops, the outermost, keep
   nothing, so that those inside have all the room.  nests, if not NULL: what no loop must order any more, inside loops
   that statements share, goes by nests in the room that is left: a recurrence over time whose steps are products, or a
   convolution a row behind another. */
typedef struct { order_fusion fusion; int bare; } tiler_stay_plan;
bool tiler_staying(const tiler_shape *s, double m, const tiler_stay_plan *plan, const tiler_nests *nests, text *out);

/* The plain schedule, but statements that read one another in a circle go by tiles (circle.h), and those between
   circles by nests (if not NULL), which are expected to fit m words; false when none do.  which: so many plans of each
   circle are expected to be better; TILER_APART and TILER_WHOLE: the best one, with arrays in parts that save little,
   and with none that may be whole; TILER_JOINED: circles are joined with statements before and behind them;
   TILER_STREAMED: what comes for several members of a circle stays between them in part.  *parts:
   arrays are in parts (split.h), whose steps repeat no others, so that a play of the text is long. */
enum { TILER_APART = -1, TILER_WHOLE = -2, TILER_JOINED = -3, TILER_STREAMED = -4 };
bool tiler_circles(const tiler_shape *s, double m, int which, const tiler_nests *nests, text *out, bool *parts);

#endif
