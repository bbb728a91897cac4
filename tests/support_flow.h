/* support_flow.h -- the most paths there are between vertices, each of which lets only so many through: a network
   written down arc by arc, its largest flow by igraph. */
#ifndef REDBLUE_TESTS_SUPPORT_FLOW_H
#define REDBLUE_TESTS_SUPPORT_FLOW_H
#include "tests/support.h"

/* Every vertex v is split: paths come in at one node and go out from another, and an arc between the two says how many.
 * Then two nodes more. */
typedef struct {
  uint32_t source, target;
  uint64_t arcs;
  size_t room;
  uint32_t *from, *to, *capacity;
} support_flow;

support_flow support_flow_new(uint32_t vertices);
static inline uint32_t support_flow_in(uint32_t v) { return 2 * v; }
static inline uint32_t support_flow_out(uint32_t v) { return 2 * v + 1; }
/* At most so many through v; until this is said, none. */
void support_flow_through(support_flow *f, uint32_t v, uint32_t most);
/* From node to node, as many as there are. */
void support_flow_arc(support_flow *f, uint32_t from, uint32_t to);
/* From the source to the target.  Forgets the network. */
uint64_t support_flow_most(support_flow *f);
#endif
