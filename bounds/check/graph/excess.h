/* bounds/check/graph/excess.h -- what a piece of a graph moves beyond its compulsory moves: its excess, by trying every
   way (docs/theory-graphs.md, section 6).  Small and plain: the checker believes it, and the prover asks nobody else.

   The game of a piece V without recomputation.  Its members are the vertices of V and those that read one of V; its
   steps are the members that are computed, each once, after what it reads of V.  A step holds all it reads and puts its
   own word besides; of V it may hold more words, and what no step to come reads is let go for nothing.  Where this
   comes to more than M words, words of V that the step does not read are given up: each for 1, the load that is to
   come, and the first time for another 1, the store, unless the vertex is an input or an output. */
#ifndef REDBLUE_BOUNDS_CHECKER_EXCESS_H
#define REDBLUE_BOUNDS_CHECKER_EXCESS_H

#include "cdag/cdag.h"

enum { EXCESS_WORDS = 8, EXCESS_MEMBERS = 64 * EXCESS_WORDS };
enum { EXCESS_POSITIONS = 1 << 24 }; /* that the checker meets, over all pieces of a certificate, before it refuses */

typedef struct {
  uint64_t w[EXCESS_WORDS];
} excess_set;

typedef struct {
  int n, own, words;            /* members; the first `own` are V; words of a set that are in use */
  uint32_t vertex[EXCESS_MEMBERS];
  excess_set reads[EXCESS_MEMBERS], readers[EXCESS_MEMBERS]; /* of V; members */
  int beside[EXCESS_MEMBERS];   /* words a step needs besides those of V: others it reads, and its own */
  excess_set inputs, outputs;   /* of V */
} excess_piece;

/* weight: of each vertex, 0 when it does not matter, 2 when it is neither input nor output (checker_weigh).
   number: n zeros, which are zeros again afterwards.  False: too many members. */
bool excess_piece_init(excess_piece *p, const cdag_graph *g, const uint8_t *weight, const uint32_t *vertex, size_t n,
                       uint32_t *number);

/* The least excess, if it is below limit: ways of more are not looked for.  *least: what every way has at least.
   *positions: how many may be met; less those that were.  EXCESS_GAVE_UP: they were not enough. */
typedef enum { EXCESS_KNOWN, EXCESS_LIMIT, EXCESS_GAVE_UP } excess_answer;
excess_answer excess_least(const excess_piece *p, uint64_t m, bool sliding, uint32_t limit, uint64_t *positions,
                           uint32_t *least);
/* The same of a component, in which nothing reads and nothing is read from outside, when words may be computed again
   (again.c). */
excess_answer excess_again(const excess_piece *p, uint64_t m, bool sliding, uint32_t limit, uint64_t *positions,
                           uint32_t *least);
/* Is the piece such a component? */
bool excess_is_component(const excess_piece *p);

#endif
