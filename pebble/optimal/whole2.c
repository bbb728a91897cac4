/* pebble/optimal/whole2.c -- placing and sliding on graphs of up to 128 vertices. */
#define WORDS 2
#include "pebble/optimal/whole.h"

optimal_game *optimal_whole_2(const cdag_graph *g, const pebble_rules *rules) { return new_whole(g, rules); }
