/* explicit.h -- the part of a computation that every play must touch, written out as a graph.

   A vertex is kept when it is an output that is no input, or leads to one: those are computed (inputs: loaded) in every
   play. A play of the whole computation, restricted to them, is a play of this graph with the same rules and no more
   I/O; so a lower bound for it is one for the whole.  Vertices are renumbered in topological order: every edge goes up,
   every sink is an output, inputs are exactly the sources and each has a successor. */
#ifndef REDBLUE_BOUNDS_EXPLICIT_H
#define REDBLUE_BOUNDS_EXPLICIT_H

#include "cdag/cdag.h"

typedef struct {
  cdag_graph g;
  uint32_t *id;        /* n: the vertex of the computation */
  bool borrowed;       /* g is the computation's own graph, in which nothing had to change */
  uint64_t compulsory; /* inputs + outputs: each input is loaded, each output stored */
} bound_explicit;

/* Could the computation have at most this many vertices?  Costs nothing. */
bool bound_explicit_fits(const cdag *g, uint64_t max_vertices);
status bound_explicit_init(bound_explicit *e, const cdag *g, uint64_t max_vertices, diag *d); /* g outlives e */
status bound_explicit_of(bound_explicit *e, const cdag_graph *g, diag *d); /* of a graph as it is, which outlives e */
/* Of each vertex what its word moves at least when it leaves memory once: 1 for inputs and outputs, 2 for others. */
uint8_t *bound_explicit_weights(const bound_explicit *e);
void bound_explicit_clear(bound_explicit *e);

/* Words of fast memory without which some vertex cannot be computed: the largest in-degree, plus one in the placing
 * game. */
uint64_t bound_explicit_least_memory(const bound_explicit *e, bool placing);

#endif
