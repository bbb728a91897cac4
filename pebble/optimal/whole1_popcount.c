/* pebble/optimal/whole1_popcount.c -- whole1.c for processors that count the bits of a word in one instruction: half of
   what a core's list takes is counting. */
#if defined __x86_64__ && !defined __clang__ /* which does not know the pragma */
#pragma GCC target("popcnt")
#endif
#define WORDS 1
#include "pebble/optimal/whole.h"

optimal_game *optimal_whole_1_popcount(const cdag_graph *g, const pebble_rules *rules) { return new_whole(g, rules); }
