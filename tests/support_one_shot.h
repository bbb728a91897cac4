/* support_one_shot.h -- a plain one-shot player for graphs too large to solve: any order, farthest next use evicted. */
#ifndef REDBLUE_TESTS_SUPPORT_ONE_SHOT_H
#define REDBLUE_TESTS_SUPPORT_ONE_SHOT_H
#include "pebble/game.h"
/* I/O of playing what leads to an output of g (placing) in the given topological order with m words, as counted by the
 * referee, who must call it legal. */
uint64_t support_one_shot_io(const cdag_graph *g, uint64_t m, const uint32_t *order);
/* And its moves, to be cleared. */
uint64_t support_one_shot_trace(const cdag_graph *g, uint64_t m, const uint32_t *order, pebble_trace *trace);
/* A topological order: seed 0 by number, otherwise random, now and then going deep. */
void support_one_shot_order(const cdag_graph *g, uint64_t seed, uint32_t *order);
#endif
