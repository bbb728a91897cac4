/* lines.h -- stencils: what X words allow, by disjoint straight and slanted lines (docs/theory.md, section 9). */
#ifndef REDBLUE_BOUNDS_LINES_H
#define REDBLUE_BOUNDS_LINES_H

#include "cdag/cdag.h"
#include <gmp.h>

/* An array over time and one or two indices of space, all of it a box, in which a point reads its own place one step earlier and neighbours:
   on a line those to one side (or both), in the plane all four.  Its first level is inputs, or reads inputs of its own, one each. */
typedef struct {
  int array, time, spaces, space[2];
  bool below, above;           /* on a line: reads x - 1, reads x + 1 */
  int64_t levels, width[2];    /* levels that are computed from earlier ones */
} lines_shape;
bool bound_lines_find(const cdag *g, int array, lines_shape *s);

typedef enum { LINES_BOTH, LINES_ONE, LINES_PLANE } lines_way;
const char *bound_lines_way(lines_way w);  /* "both", "one", "plane" */

/* Which vertices are counted: on a line those with `room` columns beside them, on both sides or the one that is read; in the plane all,
   on the first `levels` levels.  With fewer than `room` words, or fewer levels than that, the theorem speaks. */
typedef struct {
  lines_way way;
  int64_t room, levels, columns;
} lines_count;
static inline bool bound_lines_speaks(const lines_count *c, int64_t words) { return words < c->room || c->levels < c->room; }

/* The most of them that can be computed for the first time with x words red or loaded, none of them among those. */
void bound_lines_most(lines_way way, const mpz_t x, mpz_t most);

#endif
