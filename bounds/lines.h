/* lines.h -- stencils: what X words allow, by disjoint straight and slanted lines (docs/theory.md, section 9). */
#ifndef REDBLUE_BOUNDS_LINES_H
#define REDBLUE_BOUNDS_LINES_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum { LINES_BOTH, LINES_ONE, LINES_PLANE, LINES_INSIDE } lines_way;
const char *bound_lines_way(lines_way w);  /* "both", "one", "plane", "inside" */

/* Which vertices are counted: on a line those with `room` columns beside them, on both sides or the one that is read; in the plane all, or
   those inside, with `room` columns on all four sides; on the first `levels` levels.  With fewer than `room` words, or fewer levels than that, the theorem speaks. */
typedef struct {
  lines_way way;
  int64_t room, levels, columns;
} lines_count;
static inline bool bound_lines_speaks(const lines_count *c, int64_t words) { return words < c->room || c->levels < c->room; }

/* The most of them that can be computed for the first time with x words red or loaded, none of them among those. */
void bound_lines_most(lines_way way, const mpz_t x, mpz_t most);

#endif
