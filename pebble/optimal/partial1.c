/* pebble/optimal/partial1.c -- the partial game on graphs of up to 64 edges. */
#define WORDS 1
#include "pebble/optimal/partial.h"

optimal_game *optimal_partial_1(const cdag_graph *g, const pebble_rules *rules) { return new_partial(g, rules); }
