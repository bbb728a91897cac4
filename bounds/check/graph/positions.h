/* bounds/check/graph/positions.h -- is a list of positions closed (docs/optimal.md, 14)?  Then no play of a part of the
   graph costs less than is claimed.  Nothing is searched: each position is gone on from once, and what follows is
   looked up. */
#ifndef REDBLUE_BOUNDS_CHECKER_POSITIONS_H
#define REDBLUE_BOUNDS_CHECKER_POSITIONS_H

#include "base/text.h"
#include "cdag/cdag.h"

enum { POSITIONS_WIDEST = 8 };        /* words of a set: 512 vertices, or edges in the partial game */

typedef struct {
  const cdag_graph *g;
  const uint8_t *weight;              /* of the vertices of g (checker_weigh) */
  uint32_t n;
  const uint32_t *vertex, *number;    /* of the part, all of weight; of each vertex of g its number there, + 1 */
  uint64_t m;
  bool sliding, again, partial;       /* again: vertices may be computed twice */
  uint32_t least;                     /* claimed: no play costs less */
  const int *core;                    /* vertices of a core, by number, and the limit of its list (section 13) */
  int cores, limit;
  const int *turn;                    /* automorphisms: n numbers each */
  int turns;
  const char *list; /* "a,b,c:cost;" for each position: its sets in hexadecimal, each changed by that of the position
                       before it (exclusive or) */
} positions_claim;

/* For sets of one word, and of more. */
bool positions_closed_1(const positions_claim *c, text *reason);
bool positions_closed_8(const positions_claim *c, text *reason);

#endif
