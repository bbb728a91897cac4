/* bounds/check/reading/mark.h -- what matters, vertex by vertex: slow, and the definition itself. */
#ifndef REDBLUE_BOUNDS_CHECKER_MARK_H
#define REDBLUE_BOUNDS_CHECKER_MARK_H

#include "base/patience.h"
#include "cdag/cdag.h"

enum { MARK_VERTICES = PATIENCE(1 << 22), MARK_EDGES = PATIENCE(1 << 26) };

/* seen[v], zero before, is set for every output that is no input and for what leads to one; *outputs counts those
   outputs.  False when there are more vertices than `vertices`, or more edges on the way than `edges`. */
bool checker_mark(const cdag *g, uint64_t vertices, uint64_t edges, uint8_t *seen, uint64_t *outputs);

#endif
