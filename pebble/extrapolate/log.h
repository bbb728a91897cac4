/* pebble/extrapolate/log.h -- what the tile engine's decisions of an iteration depended on, for fast-forward
   (docs/tile-engine.md).

   While an iteration is recorded, the engine writes down every number its decisions read:
   order  bounds of boxes, with the array and index they belong to: only how they compare among themselves matters;
   sign   numbers of which only the sign matters;
   equal  numbers that must not change at all: extents, shapes, which statement;
   reach  how many iterations of a loop inside there are, or were left out, each gaining `net` pebbles;
   volume how many elements, gaining `net` pebbles each, a box had that a slanted side cuts;
   product numbers of the last two kinds that are multiplied in what was moved: each is how many, and then they.
   All of them are affine functions of the iteration, or the iteration is marked irregular.  A bound that was written
   down since the last mark is not again; which one it is, is recorded among the equal numbers.  Private to the room. */
#ifndef REDBLUE_TILE_LOG_H
#define REDBLUE_TILE_LOG_H

#include "base/mem.h"
#include "pebble/tile/tiles.h"

/* What a bound is: the low or the high end of a box or a domain, or something else. */
typedef enum { TILE_LOW, TILE_HIGH, TILE_LEAST, TILE_MOST, TILE_OTHER, TILE_SIDES } tile_side;
static inline bool tile_is_low(tile_side s) { return s == TILE_LOW || s == TILE_LEAST; }
static inline bool tile_is_high(tile_side s) { return s == TILE_HIGH || s == TILE_MOST; }

typedef struct { int32_t group; tile_side side; int64_t value; } tile_logged;
enum { TILE_RECENT = 4 };
typedef struct { uint64_t epoch; uint32_t n; int64_t value[TILE_RECENT]; } tile_recent;
typedef struct { int64_t value, net; } tile_amount; /* iterations or elements */
typedef struct {
  tile_logged *order;
  int64_t *sign, *equal, *product;
  tile_amount *reach, *volume;
  size_t orders, order_room, signs, sign_room, equals, equal_room, reaches, reach_room, volumes, volume_room, products,
      product_room;
  uint64_t irregular;          /* how often something happened that no log describes */
  bool full;                   /* some entries are missing */
  uint64_t written;            /* entries since the beginning of the play */
  tile_recent *recent;         /* by group and side: bounds since the last mark, those of other epochs are gone */
  uint64_t epoch;
  uint64_t codes;              /* which bounds were recent, three bits each behind a 1 */
} tile_log;
enum { TILE_LOG_MOST = 1 << 23 };  /* longer iterations are not worth the memory: these may take 200 MB */

/* Longer steps and farther values could overflow; what stays where it is cannot. */
#define TILE_STEP_MOST ((int64_t)1 << 30)
#define TILE_VALUE_MOST ((int64_t)1 << 62)
#define TILE_REACH_MOST ((int64_t)1 << 61)   /* iterations left out at a time, and these times any step */
static inline bool tile_tame(int64_t value, __int128 step)
{
  return step == 0 ||
         (value < TILE_VALUE_MOST && value > -TILE_VALUE_MOST && step <= TILE_STEP_MOST && step >= -TILE_STEP_MOST);
}

static inline int32_t tile_group(int array, int r) { return array * CDAG_RANK + r; }

static inline bool tile_log_takes(tile_log *l, size_t entries)
{
  l->written++;
  l->full |= entries >= TILE_LOG_MOST;
  return entries < TILE_LOG_MOST;
}

static inline void tile_log_order(tile_log *l, int32_t group, tile_side side, int64_t value)
{
  if (!tile_log_takes(l, l->orders))
    return;
  l->order = mem_room(l->order, l->orders, &l->order_room, sizeof *l->order);
  l->order[l->orders++] = (tile_logged){ group, side, value };
}

static inline void tile_log_sign(tile_log *l, int64_t value)
{
  if (!tile_log_takes(l, l->signs))
    return;
  l->sign = mem_room(l->sign, l->signs, &l->sign_room, sizeof *l->sign);
  l->sign[l->signs++] = value;
}

static inline void tile_log_equal(tile_log *l, int64_t value)
{
  if (!tile_log_takes(l, l->equals))
    return;
  l->equal = mem_room(l->equal, l->equals, &l->equal_room, sizeof *l->equal);
  l->equal[l->equals++] = value;
}

/* Write the codes down, and forget what is recent. */
static inline void tile_log_part(tile_log *l)
{
  tile_log_equal(l, (int64_t)l->codes);
  l->codes = 1;
  l->epoch++;
}

static inline void tile_log_code(tile_log *l, uint32_t code)
{
  l->codes = l->codes << 3 | code;
  if (l->codes >> 60) {
    tile_log_equal(l, (int64_t)l->codes);
    l->codes = 1;
  }
}

/* A bound that is often the same again.  Sides are told apart, lest one that only happens to be the same make an
   iteration unlike the next. */
static inline void tile_log_bound(tile_log *l, int array, int r, tile_side side, int64_t value)
{
  tile_recent *t = &l->recent[tile_group(array, r) * TILE_SIDES + side];
  if (t->epoch != l->epoch)
    *t = (tile_recent){ .epoch = l->epoch };
  for (uint32_t i = 0; i < TILE_RECENT && i < t->n; i++)
    if (t->value[i] == value) {
      tile_log_code(l, i + 1);
      return;
    }
  t->value[t->n++ % TILE_RECENT] = value;
  tile_log_code(l, 0);
  tile_log_order(l, tile_group(array, r), side, value);
}

static inline void tile_log_box(tile_log *l, int array, int rank, const cdag_box *b)
{
  for (int r = 0; r < rank; r++) {
    tile_log_bound(l, array, r, TILE_LOW, b->lo[r]);
    tile_log_bound(l, array, r, TILE_HIGH, b->hi[r]);
  }
}

static inline void tile_log_reach(tile_log *l, int64_t iterations, int64_t net)
{
  if (!tile_log_takes(l, l->reaches))
    return;
  l->reach = mem_room(l->reach, l->reaches, &l->reach_room, sizeof *l->reach);
  l->reach[l->reaches++] = (tile_amount){ iterations, net };
}

static inline void tile_log_volume(tile_log *l, int64_t elements, int64_t net)
{
  if (!tile_log_takes(l, l->volumes))
    return;
  l->volume = mem_room(l->volume, l->volumes, &l->volume_room, sizeof *l->volume);
  l->volume[l->volumes++] = (tile_amount){ elements, net };
}

/* The next number of a product: how many factors, or a factor. */
static inline void tile_log_product(tile_log *l, int64_t value)
{
  if (!tile_log_takes(l, l->products))
    return;
  l->product = mem_room(l->product, l->products, &l->product_room, sizeof *l->product);
  l->product[l->products++] = value;
}

#endif
