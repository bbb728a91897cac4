/* count.c -- loads, stores, computes and peak of a schedule without playing it (docs/counting.md).

   Since every legal move changes the position, red counts are sums of box volumes: a game that keeps no position and
   takes every move for legal gives the numbers of the play.  Turns that differ by a shift only count the same, so
   fast-forward leaves nearly all of them out; what remains is a few turns of each loop, whatever n. */
#include "base/mem.h"
#include "pebble/tile_forward.h"
#include "schedules/forward.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  pebble_game *game;
  schedule_forward *forward;
} counting;

static bool count_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  (void)at, (void)box, (void)slot;
  return pebble_play(((counting *)context)->game, move);
}

static uint64_t skip_turns(void *context, schedule_run *run)
{
  return schedule_forward_turn(((counting *)context)->forward, run);
}

static void no(schedule_counts *c, const char *reason)
{
  c->countable = false;
  snprintf(c->reason, sizeof c->reason, "%s", reason);
}

static void fill(schedule_counts *c, const pebble_game *game)
{
  const pebble_verdict *v = pebble_verdict_of(game);
  size_t bytes = (size_t)c->arrays * sizeof(uint64_t);
  c->loads = v->loads;
  c->stores = v->stores;
  c->computes = v->computes;
  c->peak = v->peak;
  memcpy(c->loads_by_array, pebble_loads_by_array(game), bytes);
  memcpy(c->stores_by_array, pebble_stores_by_array(game), bytes);
}

static void run_blind(const schedule *s, pebble_game *game, schedule_counts *c)
{
  counting with = { game, schedule_forward_new(s, game) };
  schedule_run run;
  schedule_run_init(&run, s, count_move, &with);
  run.skip = skip_turns;
  schedule_flow flow = schedule_run_node(&run, s->body);
  schedule_forward_finish(with.forward);
  fill(c, game);
  if (flow == SCHEDULE_BAD)
    no(c, run.why);
  else if (!pebble_blind_sane(game))
    no(c, "it drops pebbles that were never placed");
  schedule_run_clear(&run);
  schedule_forward_free(with.forward);
}

status schedule_count(const schedule *s, const pebble_rules *rules, schedule_counts *c, diag *d)
{
  *c = (schedule_counts){ .countable = true, .arrays = s->g->arrays };
  c->loads_by_array = MEM_NEW(uint64_t, (size_t)c->arrays);
  c->stores_by_array = MEM_NEW(uint64_t, (size_t)c->arrays);
  if (s->g->graph)
    no(c, "an explicit graph has no boxes to sum over");
  else if (rules->variant == PEBBLE_PARTIAL)
    no(c, "in the partial game what a compute does depends on the position");
  else if (schedule_unset(s) >= 0)
    no(c, "a parameter has no value");
  if (!c->countable)
    return OK;
  pebble_game *game;
  status st = pebble_blind_new(&game, s->g, rules, d);
  if (st != OK)
    return st;
  run_blind(s, game, c);
  pebble_free(game);
  return OK;
}

void schedule_counts_clear(schedule_counts *c)
{
  mem_free(c->loads_by_array);
  mem_free(c->stores_by_array);
  *c = (schedule_counts){ 0 };
}
