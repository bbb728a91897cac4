/* schedules/tune/order.h -- settings in the order of their I/O.  Private to the tuner.

   The I/O of each is counted first, which takes neither computes nor drops.  Then they are counted in full, or played,
   in that order until one fits and is legal: no other of them moves fewer words. */
#ifndef REDBLUE_SCHEDULES_TUNE_ORDER_H
#define REDBLUE_SCHEDULES_TUNE_ORDER_H

#include "schedules/tune/internal.h"

typedef struct {
  num_count io;
  size_t at;                   /* when it was added: of two with the same I/O the first is looked at first */
  bool set[TUNE_MOST];
  int64_t value[TUNE_MOST];
} tune_candidate;

typedef struct {
  tune_candidate *item;
  size_t n, room;
  bool last;                   /* no setting is looked at later: they are played in their order */
  num_count
      most; /* what moves so many words, or more, is late: counted no further unless no other will do; 0: nothing is */
} tune_order;

/* Before anything is added: what moves more words than the defaults is late. */
void tune_order_expect(tune_order *o, tuner *t);
/* A setting that moves as many words as the best so far, or more, is left out. */
void tune_order_add(tune_order *o, tuner *t, const bool *set, const int64_t *value);
/* The first that fits and is legal becomes the best; false: none does.  o is empty again. */
bool tune_order_try(tune_order *o, tuner *t);

#endif
