/* chain.h -- chains of moments that cut every play into the same intervals (docs/theory-graphs.md, section 1).

   Where each vertex of a chain needs the one before, every play computes them for the first time in this order.  What
   happens between two of them happens at another time than what happens between two others, so loads that each interval
   needs for itself add up, even loads of the same word. */
#ifndef REDBLUE_BOUNDS_CHAIN_H
#define REDBLUE_BOUNDS_CHAIN_H

#include "cdag/cdag.h"

enum { BOUND_CHAIN_LONGEST = 64 };

/* What the interval between `from` and `until` (g->n: the end) gains; false when there is no time to find out. */
typedef bool (*bound_chain_gain)(void *context, uint32_t from, uint32_t until, uint64_t *gain);

/* The candidates for the chains of g, which is borrowed, and what the cuts promise: counted once for all wishes. */
typedef struct bound_chain bound_chain;
bound_chain *bound_chain_new(const cdag_graph *g);
void bound_chain_free(bound_chain *c);

/* A chain that gains much: its length, the vertices in chain[].  Two cuts promise what an interval may gain beside
   `red` words, and `share` / 16 of that is believed.  With `ask`, the intervals of the best chain are asked what they
   do gain, until the best chain was asked in all its intervals.  dominators: inputs in memory are cuts as well. */
typedef struct {
  uint64_t red;
  bool dominators;
  int share;
  bound_chain_gain ask; /* may be NULL */
  void *context;
} bound_chain_wish;
uint32_t bound_chain_find(bound_chain *c, const bound_chain_wish *wish, uint32_t *chain);

/* The part of g in which the interval between the first computations of `from` and of `until` (g->n: from the
   beginning, to the end) is played. */
typedef struct {
  cdag_graph g;
  uint32_t *id;       /* g.n: vertices of the whole */
  uint8_t *moment;    /* g.n: is it computed in this interval in every play? */
} bound_interval;
/* lean: without the vertices before `from` that nothing after it reads. */
void bound_interval_init(bound_interval *i, const cdag_graph *g, uint32_t from, uint32_t until, bool lean);
void bound_interval_clear(bound_interval *i);

#endif
