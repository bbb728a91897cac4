/* support_tile.h -- small computations with every construct of the language, and the comparison of two verdicts. */
#ifndef REDBLUE_TESTS_SUPPORT_TILE_H
#define REDBLUE_TESTS_SUPPORT_TILE_H
#include "schedules/schedule.h"

typedef struct { const char *name, *text, *assign; } tile_example;
extern const tile_example tile_examples[];
extern const int tile_example_count;

/* A new computation; the test fails when the text is refused. */
cdag *tile_open_example(int i);

/* NULL, or what differs first. */
const char *tile_difference(const cdag *g, const pebble_verdict *a, const pebble_verdict *b);
#endif
