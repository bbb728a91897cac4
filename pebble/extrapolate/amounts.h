/* pebble/extrapolate/amounts.h -- how what an iteration moves grows from iteration to iteration (docs/tile-engine.md,
   "Triangles").

   The amounts of an iteration are the numbers of iterations of the loops inside and the volumes of the boxes that a
   slanted side cuts.  Each is affine in the iteration; what the iteration moves is a sum of products of amounts.
   Private to the room. */
#ifndef REDBLUE_TILE_AMOUNTS_H
#define REDBLUE_TILE_AMOUNTS_H

#include "pebble/extrapolate/forward.h"
#include "pebble/extrapolate/log.h"

/* Of iterations a..b and b..c that recorded the same equal numbers: have they amounts of the same kinds, which gain as
 * many pebbles each? */
bool tile_amounts_alike(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c);

/* In what follows, the iterations a..b and b..c are alike. */
/* The same from iteration a..b to b..c as from b..c to c..d? */
bool tile_amounts_steady(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c,
                         const pebble_mark *d);
/* What iterations like b..c move is a polynomial in their number, of this degree at most; 0: no amount changes. */
int tile_amounts_degree(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c);
/* How much higher than the one before that can make any moment of an iteration. */
uint64_t tile_amounts_gain(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c);
/* How much higher or lower at most, besides what the iterations before it gained. */
uint64_t tile_amounts_swing(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c);
/* For how many more iterations, at most `most`, is no number of iterations inside below zero? */
uint64_t tile_amounts_keep(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c,
                           uint64_t most);
/* The longest step of any amount from the iteration before. */
uint64_t tile_amounts_step(const tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c);
/* For the loop outside: the amounts of what so many iterations after c move together. */
void tile_amounts_sum(tile_log *l, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c,
                      int64_t iterations);

#endif
