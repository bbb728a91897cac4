/* pebble/optimal/whole8.c -- placing and sliding on graphs of up to 512 vertices. */
#define WORDS 8
#include "pebble/optimal/whole.h"

optimal_game *optimal_whole_8(const cdag_graph *g, const pebble_rules *rules) { return new_whole(g, rules); }
