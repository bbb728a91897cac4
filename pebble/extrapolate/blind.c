/* pebble/extrapolate/blind.c -- a game by tiles that only counts. */
#include "pebble/extrapolate/forward.h"
#include "pebble/tile/internal.h"
#include <string.h>

status pebble_blind_new(pebble_game **game, const cdag *g, const pebble_rules *rules, diag *d)
{
  pebble_rules all = *rules;
  all.m = UINT64_MAX;
  status st = pebble_tile_new(game, g, &all, d);
  if (st == OK)
    ((tile_game *)*game)->blind = true;
  return st;
}

void pebble_blind_restart(pebble_game *game)
{
  size_t bytes = (size_t)game->g->arrays * sizeof(num_count);
  game->verdict = (pebble_verdict){ .legal = true };
  game->red = 0;
  ((tile_game *)game)->words = ((tile_game *)game)->below_zero = false;
  memset(game->loads, 0, bytes);
  memset(game->stores, 0, bytes);
}

void pebble_blind_words(pebble_game *game) { ((tile_game *)game)->words = true; }

bool pebble_blind_sane(const pebble_game *game)
{
  return !((const tile_game *)game)->below_zero && game->verdict.peak < UINT64_MAX;
}
