/* bounds/check/graph/ways.h -- ways through a piece in the order of what they cost: sets, the positions met, and the
   ones to go on from.  What a step is, excess.c and again.c say. */
#ifndef REDBLUE_BOUNDS_CHECKER_WAYS_H
#define REDBLUE_BOUNDS_CHECKER_WAYS_H

#include "bounds/check/graph/excess.h"

/* done: what a step finds, if it is not held: of the steps that were made, or in blue.  held: in memory.  clean: words
   that are loaded for nothing the next time. */
typedef struct {
  excess_set done, held, clean;
} ways_position;

typedef struct ways ways;
struct ways {
  const excess_piece *p;
  int m;
  bool sliding, full;
  uint32_t limit;         /* only ways of less are followed */
  uint64_t most;          /* positions that may be met */
  uint32_t sure;          /* the excess that all ways not followed yet have at least */
  void (*expand)(ways *k, const ways_position *from, uint32_t excess); /* enters all that comes next */
  bool (*ended)(const ways *k, const ways_position *at);
  size_t each;            /* words in use of a set */
  uint64_t *key;          /* of each position: its three sets */
  uint32_t *least, *slot; /* the least excess it was reached by; slot: number + 1 */
  bool *gone;             /* gone on from, by its least excess */
  size_t n, key_room, least_room, gone_room, slots;
  struct { uint32_t *at; size_t n, room; } *open; /* by what is sure; some of them are gone on from */
  size_t opens, open_room;
};

static inline bool ways_has(const excess_set *s, int v) { return s->w[v / 64] >> v % 64 & 1; }
static inline void ways_put(excess_set *s, int v) { s->w[v / 64] |= UINT64_C(1) << v % 64; }
static inline void ways_take(excess_set *s, int v) { s->w[v / 64] &= ~(UINT64_C(1) << v % 64); }
bool ways_within(const excess_piece *p, const excess_set *a, const excess_set *b);
int ways_size(const excess_piece *p, const excess_set *s);
/* The least element from v on, or EXCESS_MEMBERS. */
int ways_next(const excess_piece *p, const excess_set *s, int v);

#define WAYS_EACH(v, s, p) (int v = ways_next(p, s, 0); v < EXCESS_MEMBERS; v = ways_next(p, s, v + 1))

/* A position that a way of this excess leads to; every way on from it has `more` at least. */
void ways_enter(ways *k, const ways_position *p, uint32_t excess, uint32_t more);
/* From `start` on; see excess_least.  p, m, sliding, expand and ended are set. */
excess_answer ways_run(ways *k, const ways_position *start, uint32_t limit, uint64_t *positions, uint32_t *least);

#endif
