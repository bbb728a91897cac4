/* stay.h -- what stays on chip while statements share a loop: elements that the loop computes, until their last reader
   is past, and slices of other arrays, as wide as its readers look back and ahead.

   Readers of one array are put together, but for those that read another value of a loop further out and so never the
   same element.  What is said here is a proposal: the referee judges the text. */
#ifndef REDBLUE_SCHEDULES_TILER_PLAIN_STAY_H
#define REDBLUE_SCHEDULES_TILER_PLAIN_STAY_H

#include "schedules/tiler/shape/order.h"

enum { STAY_NOWHERE = -1, STAY_CONSTANT = 0, STAY_READS = 64, STAY_MOST = 16 };
/* The value of a loop (they are counted from 1) plus off; off alone; or none that is known. */
typedef struct { int loop; int64_t off; } stay_at;
typedef struct { stay_at of[CDAG_RANK]; } stay_variables;

typedef struct {
  int array;
  bool made;                   /* by the loop: not loaded */
  int dim;                     /* the loop's value + first .. last are on chip; -1: all there is, or was made so far */
  int64_t first, last;
  stay_at at[CDAG_RANK];       /* the other indices; STAY_NOWHERE: all */
  bool mirrored;               /* an element at x[across] reads those before it there and at the mirror: a pair of new
                                  ones takes the places of the old pair */
  bool by_pairs;               /* and nothing reads the new ones in the iteration that makes them */
  int64_t beyond;              /* so many at the end of a row have no mirror image, and read no row before */
  int across;                  /* dim -1, made: the dimension that the loop walks */
  tiler_form mirror;
  double words, saved;         /* on chip at a time; loads less */
  bool alone;                  /* all that the loop reads of an input, at one value of index `across` each */
  double line;                 /* words with one such value */
  int64_t grows;               /* so many words more in each iteration */
  int64_t part;                /* so many of the first lines stay in the last iteration, and `grows` more in each
                                  before; mirrored: so many of the first, and their mirror images */
  int reads;
  struct { int array, item; } read[STAY_READS];
} stay;

typedef struct {
  const tiler_shape *s;
  const order_node *node;
  int loop;
  const stay_variables *variables;   /* by array: of its variables */
  const uint64_t *served;      /* by array: its items that need no load */
  const bool *chained;         /* by array: the ends of its chains alone come into question */
  bool inputs;                 /* beside what the loop makes, inputs alone: tiles store no more than they must */
} stay_question;

/* The reads of a statement, then those of itself: one item each. */
static inline int stay_items(const tiler_statement *s) { return s->accesses + s->selves; }
tiler_access stay_item(const tiler_shape *s, int array, int item); /* without its condition */
/* Those that save loads and fit m words, the most saved for a word first; then, if `parts`, one of which the first
   words stay (part > 0), as many as the others leave room for: an input, or what is made by pairs. */
int stay_find(const stay_question *q, double m, bool parts, stay *out);

#endif
