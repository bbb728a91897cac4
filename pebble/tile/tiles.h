/* tiles.h -- a set of elements of one array as a short list of disjoint boxes.

   The tile engine's position: red, blue and computed pebbles of an array.  Boxes that abut are joined, so that a
   set grown block by block stays a few boxes long.  A list that is long all the same (the front of a skewed sweep) gets
   an index, so that no operation looks at boxes far away.  No operation allocates unless the list outgrows its room. */
#ifndef REDBLUE_TILES_H
#define REDBLUE_TILES_H

#include "pebble/tile/tiles_index.h"
#include <string.h>

typedef struct {
  int rank;
  size_t n, room;
  cdag_box *box;     /* disjoint, none empty; who writes here says pebble_tiles_moved */
  tiles_index *index;/* of a long list, or NULL */
  size_t index_due;  /* the length at which to make one anew */
  size_t pieces, piece_room;
  cdag_box *piece;   /* scratch of subtraction */
  size_t *hit, hit_room;
} pebble_tiles;

static inline bool pebble_box_empty(const cdag_box *b, int rank)
{
  for (int r = 0; r < rank; r++)
    if (b->lo[r] >= b->hi[r])
      return true;
  return false;
}

static inline uint64_t pebble_box_volume(const cdag_box *b, int rank)
{
  uint64_t v = 1;
  for (int r = 0; r < rank; r++)
    v *= (uint64_t)(b->hi[r] - b->lo[r]);
  return v;
}

static inline bool pebble_box_inside(const cdag_box *in, const cdag_box *out, int rank)
{
  for (int r = 0; r < rank; r++)
    if (in->lo[r] < out->lo[r] || in->hi[r] > out->hi[r])
      return false;
  return true;
}

/* Elements in both. */
static inline uint64_t pebble_box_common(const cdag_box *a, const cdag_box *b, int rank)
{
  uint64_t v = 1;
  for (int r = 0; r < rank; r++) {
    int64_t lo = a->lo[r] > b->lo[r] ? a->lo[r] : b->lo[r], hi = a->hi[r] < b->hi[r] ? a->hi[r] : b->hi[r];
    if (lo >= hi)
      return 0;
    v *= (uint64_t)(hi - lo);
  }
  return v;
}

/* a becomes its part inside b; false when that is empty. */
static inline bool pebble_box_clip(cdag_box *a, const cdag_box *b, int rank)
{
  bool some = true;
  for (int r = 0; r < rank; r++) {
    if (a->lo[r] < b->lo[r])
      a->lo[r] = b->lo[r];
    if (a->hi[r] > b->hi[r])
      a->hi[r] = b->hi[r];
    some &= a->lo[r] < a->hi[r];
  }
  return some;
}

/* Copies at least `rank` indices, in pieces of a size the compiler knows: this is the busiest function of the engine.
 */
static inline void pebble_box_copy(cdag_box *to, const cdag_box *from, int rank)
{
  memcpy(to->lo, from->lo, 4 * sizeof *to->lo);
  memcpy(to->hi, from->hi, 4 * sizeof *to->hi);
  if (rank > 4) {
    memcpy(to->lo + 4, from->lo + 4, 4 * sizeof *to->lo);
    memcpy(to->hi + 4, from->hi + 4, 4 * sizeof *to->hi);
  }
}

static inline bool pebble_box_equal(const cdag_box *a, const cdag_box *b, int rank)
{
  for (int r = 0; r < rank; r++)
    if (a->lo[r] != b->lo[r] || a->hi[r] != b->hi[r])
      return false;
  return true;
}

void pebble_tiles_init(pebble_tiles *s, int rank);
void pebble_tiles_clear(pebble_tiles *s);
void pebble_tiles_copy(pebble_tiles *to, const pebble_tiles *from);  /* to is initialised */

void pebble_tiles_moved(pebble_tiles *s);                            /* its boxes were changed from outside */

/* b is not empty in what follows. */
static inline bool pebble_tiles_meet(const pebble_tiles *s, const cdag_box *b);
uint64_t pebble_tiles_common(const pebble_tiles *s, const cdag_box *b);  /* elements of b in the set */
static inline bool pebble_tiles_cover(const pebble_tiles *s, const cdag_box *b);
bool pebble_tiles_hold(const pebble_tiles *s, const int64_t *x);
void pebble_tiles_add(pebble_tiles *s, const cdag_box *b);               /* b is disjoint from the set */
/* The same for a set of which nobody asks but whether it holds elements of a domain: two boxes may also be joined into
   the smallest box around both, when what that adds meets no other box and is void of elements. */
typedef struct {
  bool (*is_void)(void *context, const cdag_box *b);
  void (*filled)(void *context, const cdag_box *b); /* b, found void, comes into the set or goes */
  void *context;
} pebble_voids;
void pebble_tiles_add_loosely(pebble_tiles *s, const cdag_box *b, const pebble_voids *voids);
void pebble_tiles_subtract(pebble_tiles *s, const cdag_box *b);          /* b may reach outside the set */
/* Of such a set: what is left of a box and void goes too. */
void pebble_tiles_subtract_loosely(pebble_tiles *s, const cdag_box *b, const pebble_voids *voids);
void pebble_tiles_unite(pebble_tiles *s, const cdag_box *b);             /* b may meet the set */
uint64_t pebble_tiles_volume(const pebble_tiles *s);
const char *pebble_tiles_check(const pebble_tiles *s);                   /* NULL or the broken invariant: for tests */

/* Most sets have one box or none: the busiest questions are answered without a call. */
bool pebble_tiles_meet_many(const pebble_tiles *s, const cdag_box *b);
bool pebble_tiles_cover_many(const pebble_tiles *s, const cdag_box *b);

static inline bool pebble_tiles_meet(const pebble_tiles *s, const cdag_box *b)
{
  if (s->n > 1)
    return pebble_tiles_meet_many(s, b);
  return s->n == 1 && cdag_box_meets(s->box, b, s->rank);
}

static inline bool pebble_tiles_cover(const pebble_tiles *s, const cdag_box *b)
{
  if (s->n > 1)
    return pebble_tiles_cover_many(s, b);
  return s->n == 1 && pebble_box_inside(b, s->box, s->rank);
}

#endif
