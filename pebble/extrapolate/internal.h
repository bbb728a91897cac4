/* pebble/extrapolate/internal.h -- what fast-forward's files share: marks and places (mark.c), bounds as functions of
   the iteration (bounds.c), the jump (forward.c), iterations under other names (copy.c). */
#ifndef REDBLUE_EXTRAPOLATE_INTERNAL_H
#define REDBLUE_EXTRAPOLATE_INTERNAL_H
#include "pebble/extrapolate/forward.h"
#include "pebble/extrapolate/log.h"
#include "pebble/tile/internal.h"

/* A bound as a function of the iteration: value now, step per iteration.  Those that move are numbered, from 1. */
typedef struct { int32_t group; uint32_t number; tile_side side; int64_t value, step; } moving;

typedef struct { uint64_t epoch; uint32_t bound; } place_of_bound;

/* Under which the bounds of a set's boxes are compared, by index. */
typedef struct { int rank; int32_t low[CDAG_RANK], high[CDAG_RANK]; } set_groups;

struct pebble_forward {
  tile_game *t;
  tile_log log;
  int recording;
  uint64_t spent;              /* on positions and bounds, in entries of the log */
  moving *bound, *sorted;      /* scratch: distinct ones, in the order of the log and by value */
  size_t bounds, bound_room, sorted_room;
  uint32_t moving;             /* of those, how many move */
  bool *moves;                 /* by group: some bound of it does; the others are left alone */
  int32_t *group;              /* those that do */
  int groups;
  set_groups *of_set;          /* NULL until they are asked for: sets are sheared before the first move */
  uint32_t *which;             /* by entry collected: its bound */
  size_t entries, entry_room;
  size_t logged, placed;       /* entries from the log, and with those from positions */
  place_of_bound *table;       /* bounds by hash; those of other epochs are gone */
  size_t table_room;           /* a power of two */
  uint64_t epoch;
};

/* Of a box of a position, of a bound looked up and of one put in order; an entry of the log costs 1. */
enum { PLACE_COST = 12, LOOK_COST = 2, BOUND_COST = 20 };

/* ---- mark.c ---- */

static inline int forward_array_of(int set) { return set / PEBBLE_SETS; }
const pebble_tiles *forward_set_of(const tile_game *t, int set);
/* Its boxes have slopes of their own: how they lie to what was asked for is recorded as signs, not as bounds. */
bool forward_is_tilted(const tile_game *t, int set);
bool forward_leans(const tile_game *t, int set);
/* Fills of_set. */
void forward_groups_of_sets(pebble_forward *f);

/* ---- bounds.c, of iterations a..b and b..c that are alike ---- */

/* All bounds that move, and those beside them, as functions of the iteration; false: a step is too long. */
bool forward_collect_bounds(pebble_forward *f, const int *sets, int n, const pebble_mark *a, const pebble_mark *b,
                            const pebble_mark *c);
/* For how many more iterations, at most `most`, do the bounds keep their order, and the signs recorded stay? */
uint64_t forward_order_keeps(pebble_forward *f, uint64_t most);
uint64_t forward_signs_keep(const pebble_forward *f, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c,
                            uint64_t most);
/* Bounds at the other end of the jump, in the order of the log: iterations of the outer loop are compared so.  Those
   that move, once each, and which entries they are; those that do not are in the log already, but for positions. */
void forward_log_bounds(pebble_forward *f, int64_t iterations);

#endif
