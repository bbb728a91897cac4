/* tile_look.h -- a look at the position of a game by tiles, for those who show it. */
#ifndef REDBLUE_TILE_LOOK_H
#define REDBLUE_TILE_LOOK_H

#include "pebble/game.h"
#include "pebble/tiles.h"

/* Red pebbles now; any engine. */
uint64_t pebble_red_count(const pebble_game *game);
/* The red or the blue elements of an array, as the engine keeps them: borrowed, and gone with the next move.  A list of blue
   boxes may reach outside the domain of an array of inputs. */
const pebble_tiles *pebble_red_tiles(const pebble_game *by_tile, int array);
const pebble_tiles *pebble_blue_tiles(const pebble_game *by_tile, int array);

#endif
