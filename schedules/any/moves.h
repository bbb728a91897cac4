/* schedules/any/moves.h -- the moves of local search: an event goes to another place and takes along what must come.

   Each changes a window of the order and leaves it legal.  Moves that mend begin with an item that had to be loaded
   again and bring two of its touches together: an event, a sum with its terms, or a sum of sums, a short way or a long
   one.  Which kind is worth its work differs from graph to graph and is learned on the way. */
#ifndef REDBLUE_SCHEDULES_ANY_MOVES_H
#define REDBLUE_SCHEDULES_ANY_MOVES_H

#include "schedules/any/internal.h"

enum { ANY_LEVELS = 3, ANY_REACHES = 4, ANY_WAYS = 4, ANY_MENDS = ANY_LEVELS * ANY_REACHES * ANY_WAYS };

typedef struct {
  any_sim *s, *other;       /* the current order, and one for changed programs (NULL without recomputation) */
  any_program *p, *other_p; /* their programs */
  uint32_t *order;          /* scratch */
  random_source *random;
  uint32_t *before;         /* the window as it was */
  uint32_t *moved;          /* events that come along */
  uint32_t *mark, stamp;    /* items */
  uint32_t a, b;            /* the window */
  uint32_t base;            /* events without computing anything again */
  uint32_t *reader;         /* items: the one event that reads them, or ANY_NONE */
  uint32_t *unit, units;    /* an event and what only it needs */
  struct { double gain, work; } mend[ANY_MENDS]; /* what each kind saved, and took, of late */
  int kind;                 /* of the last move, or ANY_MENDS */
  bool scarce;              /* little work for so many events: most of it goes into mending */
} any_mover;

void any_mover_init(any_mover *v);  /* s, p, random and scarce are set */
void any_mover_clear(any_mover *v);
/* Permute s->order[a..b]; before[] has it as it was. */
void any_move(any_mover *v);
/* The last move took so much work, and saved so much if it was kept. */
void any_move_was_worth(any_mover *v, uint64_t saved, uint64_t work);

static inline double any_uniform(random_source *r) { return (double)(random_next(r) >> 11) * 0x1p-53; }

#endif
