/* support_oracle.h -- the optimum of a tiny graph by brute force, for comparison with everything clever. */
#ifndef REDBLUE_TESTS_ORACLE_H
#define REDBLUE_TESTS_ORACLE_H
#include "pebble/game.h"
#include "tests/support.h"

#define ORACLE_IMPOSSIBLE UINT64_MAX

/* Breadth-first over every position of the rules as printed, deletions of either colour included, one pebble or edge a
   move; no normal form.  Positions take (red, blue, computed or edges) bits, at most 27 of them. */
uint64_t oracle_optimum(const cdag_graph *g, const pebble_rules *rules);

/* A random DAG of n vertices with about `density` percent of the possible edges, its labels shuffled, some inner
   vertices outputs too and a few sinks not. */
void oracle_random_graph(cdag_graph *g, support_random *r, uint32_t n, int density);
/* The same graph with vertex v called name[v]. */
void oracle_relabel(cdag_graph *h, const cdag_graph *g, const uint32_t *name);
void oracle_shuffle(support_random *r, uint32_t *name, uint32_t n);
#endif
