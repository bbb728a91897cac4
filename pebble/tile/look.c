/* pebble/tile/look.c -- the tile engine's position, read only. */
#include "pebble/tile/look.h"
#include "pebble/tile/internal.h"

uint64_t pebble_red_count(const pebble_game *game) { return game->red; }

const pebble_tiles *pebble_red_tiles(const pebble_game *by_tile, int array)
{
  return &((const tile_game *)by_tile)->array[array].red;
}

const pebble_tiles *pebble_blue_tiles(const pebble_game *by_tile, int array)
{
  return &((const tile_game *)by_tile)->array[array].blue;
}

void pebble_tiles_tight(pebble_game *by_tile) { ((tile_game *)by_tile)->tight = true; }
