/* pebble/optimal/whole1.c -- placing and sliding on graphs of up to 64 vertices. */
#define WORDS 1
#include "pebble/optimal/whole.h"

optimal_game *optimal_whole_1(const cdag_graph *g, const pebble_rules *rules) { return new_whole(g, rules); }
