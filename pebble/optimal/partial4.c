/* pebble/optimal/partial4.c -- the partial game on graphs of up to 256 edges. */
#define WORDS 4
#include "pebble/optimal/partial.h"

optimal_game *optimal_partial_4(const cdag_graph *g, const pebble_rules *rules) { return new_partial(g, rules); }
