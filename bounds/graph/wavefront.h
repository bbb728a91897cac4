/* wavefront.h -- the wavefront bound of one-shot pebbling (Elango et al. 2014), as a packing of flows
   (docs/theory-graphs.md, section 1).

   Just before a vertex x is computed, the vertices that have been red form a set S that holds the ancestors of x and
   none of its descendants, and no edge enters S.  Every vertex of S with a successor outside is still needed; those
   that are not red then are loaded later.  A flow from the ancestors to the descendants that may also run backward
   along edges is at most the weight of the needed vertices, whatever S is; so it proves the bound, and flows that share
   the weights add up. */
#ifndef REDBLUE_BOUNDS_WAVEFRONT_H
#define REDBLUE_BOUNDS_WAVEFRONT_H

#include "bounds/recognise/explicit.h"

/* ---- one flow (bounds/graph/wavefront_flow.c) ---- */

/* Flow along the edge from -> to, or backward: from the in-node of `to` to the in-node of `from`. */
typedef struct {
  uint32_t from, to, amount;
  bool backward;
} bound_wave_arc;

typedef struct {
  uint32_t x;    /* the vertex whose computation is the moment */
  bool after;    /* just after it, x among the sources; otherwise just before, x among the targets */
  uint64_t flow; /* value */
  uint64_t red;  /* the most flow that the vertices red at that moment can carry */
  uint32_t interval; /* of the chain, from 0: the moment lies in it, and so do the loads that the flow counts */
  size_t n, room;
  bound_wave_arc *arc;
} bound_wave;

typedef struct {
  size_t n, room;
  bound_wave *item;                      /* by intervals */
  uint32_t links, *chain;                /* interval i ends when chain[i] is computed first; the last, with the play */
} bound_wave_list;
void bound_wave_list_clear(bound_wave_list *l);

/* Flows in the split graph of g: a node for the arrival at v, one for the departure, `capacity[v]` between them; along
   edges and, between arrivals, against them, without limit. */
typedef struct bound_flow bound_flow;
bound_flow *bound_flow_new(const cdag_graph *g, const uint8_t *capacity); /* capacity is copied; g is borrowed */
/* From now on flows are paths: they spring up at inputs only and never run backward.  So they bound what dominates x
   and its descendants, which is what counts where vertices may be computed again. */
void bound_flow_only_paths(bound_flow *f);
void bound_flow_free(bound_flow *f);
/* A largest flow for x, along paths of at most `longest` arcs (0: any).  Stops early, with a smaller legal flow, when
   *work (arcs it may look at) runs out.  When it is a largest one, a cut of the same value was found, or the program
   stops. */
uint64_t bound_flow_run(bound_flow *f, uint32_t x, bool after, uint32_t longest, uint64_t *work);
/* The most the last flow puts on `words` vertices that include the predecessors of x (after: x itself). */
uint64_t bound_flow_red(bound_flow *f, uint64_t words);
/* Take what the last flow uses off the capacities, and write it down. */
void bound_flow_commit(bound_flow *f, bound_wave *w);
const uint8_t *bound_flow_capacity(const bound_flow *f); /* what is left */

/* ---- the search (wavefront.c) ---- */

typedef struct {
  uint64_t m;
  bool sliding;
  bool recompute; /* vertices may be computed again */
  uint64_t work;  /* arcs to look at */
  double seconds; /* clock; 0: none */
} bound_wavefront_limits;

/* Waves whose gains add up to *gain: Q >= compulsory + *gain in one-shot play, or in any.  Best effort within the
   limits; true when it was the limits that ended it. */
bool bound_wavefront_search(const bound_explicit *e, const bound_wavefront_limits *limits, bound_wave_list *waves,
                            uint64_t *gain);

#endif
