/* game.c -- what every engine shares: the game's frame around it. */
#include "base/mem.h"
#include "pebble/engine.h"
#include <assert.h>

status pebble_new(pebble_game **game, const cdag *g, pebble_engine engine, const pebble_rules *rules, diag *d)
{
  *game = NULL;
  status st = engine == PEBBLE_BY_TILE ? pebble_tile_new(game, g, rules, d) : pebble_element_new(game, g, rules, d);
  assert((st == OK) == (*game != NULL));
  return st;
}

void pebble_game_init(pebble_game *game, const pebble_engine_calls *calls, const cdag *g, const pebble_rules *rules)
{
  *game = (pebble_game){ .calls = calls, .g = g, .rules = *rules };
  game->verdict.legal = true;
  game->loads = MEM_NEW(num_count, (size_t)g->arrays);
  game->stores = MEM_NEW(num_count, (size_t)g->arrays);
  if (rules->variant == PEBBLE_PARTIAL)
    game->rules.one_shot = true;
}

void pebble_game_clear(pebble_game *game)
{
  mem_free(game->loads);
  mem_free(game->stores);
}

void pebble_free(pebble_game *game)
{
  if (game)
    game->calls->free(game);
}

bool pebble_play(pebble_game *game, const pebble_move *move)
{
  assert(game->verdict.legal);
  return game->calls->play(game, move);
}

bool pebble_resume(pebble_game *game, const pebble_move *move, bool *able)
{
  pebble_verdict *v = &game->verdict;
  assert(v->rule == PEBBLE_MEMORY);
  *able = game->calls->resume != NULL;
  if (!*able) /* unreachable: every engine there is resumes */
    return false;
  game->rules.m = UINT64_MAX;
  v->legal = true;
  v->rule = PEBBLE_LEGAL;
  v->needed = 0;
  return game->calls->resume(game, move);
}

bool pebble_end(pebble_game *game)
{
  assert(game->verdict.legal);
  return game->calls->end(game);
}

/* Explicit graphs are played by element only. */
bool pebble_takes_steps(const pebble_game *game) { return game->g->graph != NULL; }

size_t pebble_play_steps(pebble_game *game, const pebble_step *step, size_t n)
{
  assert(game->verdict.legal && pebble_takes_steps(game));
  return game->calls->play_steps(game, step, n);
}

void pebble_lay_out(pebble_game *game, int array, const int *order)
{
  assert(game->verdict.moves == 0);
  if (game->calls->lay_out)
    game->calls->lay_out(game, array, order);
}

void pebble_lay_blue(pebble_game *game, int array, int along, int across, int slope, bool rows)
{
  assert(pebble_is_slope(slope) && slope != 0);
  if (game->calls->lay_blue)
    game->calls->lay_blue(game, array, along, across, slope, rows);
}

void pebble_lay_sheared(pebble_game *game, int array, int along, int across, int slope)
{
  assert(game->verdict.moves == 0 && along != across && pebble_is_slope(slope) && slope != 0);
  if (game->calls->lay_sheared)
    game->calls->lay_sheared(game, array, along, across, slope);
}

void pebble_lay_leaning(pebble_game *game, int array, int side, int lower, int upper)
{
  assert(game->verdict.moves == 0 && pebble_is_slope(lower) && pebble_is_slope(upper));
  if (game->calls->lay_leaning)
    game->calls->lay_leaning(game, array, side, lower, upper);
}

void pebble_lay_tilted(pebble_game *game, int array, int row, int side, int along, int slope, int aside)
{
  assert(game->verdict.moves == 0 && row != side && row != along && side != along);
  if (game->calls->lay_tilted)
    game->calls->lay_tilted(game, array, row, side, along, slope, aside);
}

uint64_t pebble_play_rows(pebble_game *game, const pebble_move *move, const pebble_rows *rows)
{
  assert(game->verdict.legal);
  return game->calls->play_rows ? game->calls->play_rows(game, move, rows) : 0;
}

const pebble_verdict *pebble_verdict_of(const pebble_game *game) { return &game->verdict; }
const num_count *pebble_loads_by_array(const pebble_game *game) { return game->loads; }
const num_count *pebble_stores_by_array(const pebble_game *game) { return game->stores; }
bool pebble_is_red(const pebble_game *game, int array, const int64_t *x) { return game->calls->is_red(game, array, x); }
bool pebble_is_blue(const pebble_game *game, int array, const int64_t *x)
{
  return game->calls->is_blue(game, array, x);
}
