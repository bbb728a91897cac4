/* support_near.h -- random computations near those that theorems speak of, and plays of them. */
#ifndef REDBLUE_TESTS_SUPPORT_NEAR_H
#define REDBLUE_TESTS_SUPPORT_NEAR_H
#include "cdag/cdag.h"
#include "tests/support.h"

/* A description of one of many kinds: sums over any domain, stencils of several arrays, columns against those before
   them, intervals, passes, factorisations, products of products, texts of examples and of strangers, loop nests in C.
   `assign` gives its parameters sizes up to `most`. */
void near_text(support_random *r, int most, text *t, text *assign);
/* Other sizes for it. */
void near_sizes(support_random *r, const text *t, int most, text *assign);
/* It is changed in one place: a word, a condition, a term less or more, another output. */
void near_change(support_random *r, text *t);
/* NULL: it cannot be read, or has fewer or more vertices. */
cdag *near_read(const text *t, const char *assign, uint64_t least, uint64_t most);
/* One that can be read, changed in up to three places, of tiny sizes or not; *source is what it says, and the
   caller's.  NULL: none was found. */
cdag *near_computation(support_random *r, bool small, uint64_t most, text *source);

/* What the best of some plays moves, in which nothing is computed twice and a pebble is placed for each vertex: legal
   in every game.  Orders by the indices, in blocks and slanted ones, each vertex after what it needs. */
uint64_t near_play(const cdag *g, const cdag_graph *e, uint64_t m, support_random *r, int orders);
#endif
