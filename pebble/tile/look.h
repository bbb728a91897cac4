/* pebble/tile/look.h -- a look at the position of a game by tiles, for those who show it. */
#ifndef REDBLUE_TILE_LOOK_H
#define REDBLUE_TILE_LOOK_H

#include "pebble/game.h"
#include "pebble/tile/tiles.h"

/* Red pebbles now; any engine. */
uint64_t pebble_red_count(const pebble_game *game);
/* The red or the blue elements of an array, as the engine keeps them: borrowed, and gone with the next move.  Boxes may
   reach over points that are no elements. */
const pebble_tiles *pebble_red_tiles(const pebble_game *by_tile, int array);
const pebble_tiles *pebble_blue_tiles(const pebble_game *by_tile, int array);
/* Before the first move: boxes shall hold existing elements only, but the blue ones of inputs.  Lists are long in a
 * triangle then. */
void pebble_tiles_tight(pebble_game *by_tile);

#endif
