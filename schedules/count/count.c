/* count.c -- loads, stores, computes and peak of a schedule without playing it (docs/counting.md).

   Since every legal move changes the position, red counts are sums of box volumes: a game that keeps no position and
   takes every move for legal gives the numbers of the play.  Iterations that differ by a shift only count the same, so
   fast-forward leaves nearly all of them out; what remains is a few iterations of each loop, whatever n. */
#include "base/mem.h"
#include "pebble/extrapolate/forward.h"
#include "schedules/count/counter.h"
#include "schedules/extrapolate/forward.h"
#include "schedules/count/words.h"
#include <stdio.h>
#include <string.h>

struct schedule_counter {
  const schedule *s;
  pebble_game *game;
  schedule_forward *forward;
  uint64_t limit;
  num_count most_io;
  const schedule_node *at;     /* the last move counted, and its box */
  int box;
  bool *moves;                 /* by loop: something is loaded or stored in it */
};

static bool count_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  schedule_counter *k = context;
  (void)slot;
  k->at = at;
  k->box = box;
  const pebble_verdict *v = pebble_verdict_of(k->game);
  return pebble_play(k->game, move) && v->peak <= k->limit && pebble_io(v) <= k->most_io;
}

static uint64_t count_rows(void *context, const pebble_move *move, const pebble_rows *rows, const schedule_node *of)
{
  schedule_counter *k = context;
  const pebble_verdict *v = pebble_verdict_of(k->game);
  k->at = of;
  k->box = 0;
  return v->peak <= k->limit && pebble_io(v) <= k->most_io ? pebble_play_rows(k->game, move, rows) : 0;
}

static uint64_t skip_iterations(void *context, schedule_run *run)
{
  return schedule_forward_iteration(((schedule_counter *)context)->forward, run);
}

static void no(schedule_counts *c, const char *reason)
{
  c->countable = false;
  snprintf(c->reason, sizeof c->reason, "%.255s", reason);
}

void schedule_counts_init(schedule_counts *c, const cdag *g)
{
  *c = (schedule_counts){ .countable = true, .arrays = g->arrays };
  c->loads_by_array = MEM_NEW(num_count, (size_t)c->arrays);
  c->stores_by_array = MEM_NEW(num_count, (size_t)c->arrays);
}

void schedule_counts_clear(schedule_counts *c)
{
  mem_free(c->loads_by_array);
  mem_free(c->stores_by_array);
  *c = (schedule_counts){ 0 };
}

pebble_game *schedule_counting_game(const cdag *g, const pebble_rules *rules, schedule_counts *c)
{
  pebble_game *game = NULL;
  diag d = { 0 };
  if (g->graph)
    no(c, "an explicit graph has no boxes to sum over");
  else if (rules->variant == PEBBLE_PARTIAL)
    no(c, "in the partial game what a compute does depends on the position");
  else if (pebble_blind_new(&game, g, rules, &d) != OK)
    no(c, d.message);
  return game;
}

schedule_counter *schedule_counter_new(const schedule *s, const pebble_rules *rules, schedule_counts *c)
{
  pebble_game *game = schedule_counting_game(s->g, rules, c);
  if (!game)
    return NULL;
  schedule_counter *k = MEM_NEW(schedule_counter, 1);
  k->s = s;
  k->game = game;
  k->moves = MEM_NEW(bool, (size_t)s->loops);
  schedule_note_moves(s->body, k->moves);
  k->forward = schedule_forward_new(s, game);
  return k;
}

void schedule_counter_free(schedule_counter *k)
{
  if (!k)
    return;
  schedule_forward_free(k->forward);
  pebble_free(k->game);
  mem_free(k->moves);
  mem_free(k);
}

static void fill(schedule_counts *c, const pebble_game *game)
{
  const pebble_verdict *v = pebble_verdict_of(game);
  size_t bytes = (size_t)c->arrays * sizeof(num_count);
  c->loads = v->loads;
  c->stores = v->stores;
  c->computes = v->computes;
  c->peak = v->peak;
  if (bytes == 0)
    return;
  memcpy(c->loads_by_array, pebble_loads_by_array(game), bytes);
  memcpy(c->stores_by_array, pebble_stores_by_array(game), bytes);
}

static schedule_flow run_counted(schedule_counter *k, uint64_t limit, num_count most_io, schedule_run *run)
{
  k->limit = limit;
  k->most_io = most_io;
  pebble_blind_restart(k->game);
  schedule_run_init(run, k->s, count_move, k);
  run->skip = skip_iterations;
  schedule_run_tilted(run, count_rows);
  schedule_flow flow = schedule_run_node(run, k->s->body);
  schedule_forward_finish(k->forward);
  return flow;
}

void schedule_counts_take(schedule_counts *c, const pebble_game *game)
{
  c->countable = true;
  fill(c, game);
  if (!pebble_blind_sane(game))
    no(c, c->peak == UINT64_MAX ? "it places more pebbles than there are vertices"
                                : "it drops pebbles that were never placed");
}

void schedule_counter_run(schedule_counter *k, uint64_t limit, num_count most_io, schedule_counts *c)
{
  schedule_run run;
  schedule_flow flow = run_counted(k, limit, most_io, &run);
  if (flow == SCHEDULE_ON)
    schedule_counts_take(c, k->game);
  else
    fill(c, k->game);
  c->countable |= flow == SCHEDULE_STOPPED;
  if (flow == SCHEDULE_BAD || flow == SCHEDULE_ENDLESS)
    no(c, run.why);
  schedule_run_clear(&run);
}

bool schedule_counter_stop(schedule_counter *k, uint64_t limit, schedule_stop *stop)
{
  schedule_flow flow = run_counted(k, limit, NUM_TOO_MANY, &stop->run);
  stop->at = k->at;
  stop->box = k->box;
  return flow == SCHEDULE_STOPPED && pebble_verdict_of(k->game)->peak > limit && pebble_blind_sane(k->game);
}

/* ---- loads and stores alone ---- */

static bool count_words(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  schedule_counter *k = context;
  (void)at, (void)box, (void)slot;
  if (move->kind != PEBBLE_LOAD && move->kind != PEBBLE_STORE)
    return true;
  const pebble_verdict *v = pebble_verdict_of(k->game);
  return pebble_play(k->game, move) && pebble_io(v) < k->most_io;
}

static uint64_t count_row_words(void *context, const pebble_move *move, const pebble_rows *rows,
                                const schedule_node *of)
{
  bool words = move->kind == PEBBLE_LOAD || move->kind == PEBBLE_STORE;
  return words ? count_rows(context, move, rows, of) : (uint64_t)(move->box.hi[rows->row] - move->box.lo[rows->row]);
}

static uint64_t skip_still(void *context, schedule_run *run)
{
  schedule_counter *k = context;
  int d = run->depth - 1;
  return k->moves[run->open[d]->loop] ? schedule_forward_iteration(k->forward, run)
                                      : run->iterations[d] - run->iteration[d];
}

num_count schedule_counter_io(schedule_counter *k, num_count least)
{
  schedule_run run;
  k->most_io = least;
  k->limit = UINT64_MAX;
  pebble_blind_restart(k->game);
  pebble_blind_words(k->game);
  schedule_run_init(&run, k->s, count_words, k);
  run.skip = skip_still;
  schedule_run_tilted(&run, count_row_words);
  schedule_flow flow = schedule_run_node(&run, k->s->body);
  schedule_forward_finish(k->forward);
  schedule_run_clear(&run);
  const pebble_verdict *v = pebble_verdict_of(k->game);
  return flow == SCHEDULE_ON ? pebble_io(v) : NUM_TOO_MANY;
}

/* ---- the first and last iterations alone ---- */

typedef struct {
  schedule_counter *k;
  schedule_run run;
  uint64_t floor;
} end_iterations;

static bool count_inside(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  end_iterations *w = context;
  return w->run.depth == 0 || count_move(w->k, move, at, box, slot);
}

/* Where an iteration drops pebbles it did not bring, they were on the board before it, so many at least: the count,
   which does not go below none, still is no higher than the play. */
static void end_iteration(end_iterations *w)
{
  uint64_t peak = pebble_verdict_of(w->k->game)->peak;
  if (peak > w->floor)
    w->floor = peak;
  pebble_blind_restart(w->k->game);
}

static uint64_t only_ends(void *context, schedule_run *run)
{
  end_iterations *w = context;
  bool outermost = run->depth == 1;
  schedule_forward_keep(w->k->forward, outermost ? UINT64_MAX : 0, 0); /* the outermost is not recorded */
  uint64_t done = schedule_forward_iteration(w->k->forward, run);
  if (!outermost)
    return done;
  end_iteration(w);
  return run->iteration[0] > 0 ? run->iterations[0] - 1 - run->iteration[0] : 0;
}

uint64_t schedule_counter_floor(schedule_counter *k, uint64_t limit)
{
  end_iterations w = { .k = k };
  k->limit = limit;
  k->most_io = NUM_TOO_MANY;
  pebble_blind_restart(k->game);
  schedule_run_init(&w.run, k->s, count_inside, &w);
  w.run.skip = only_ends;
  schedule_run_node(&w.run, k->s->body);
  schedule_forward_keep(k->forward, 0, 0);
  schedule_forward_finish(k->forward);
  end_iteration(&w);
  schedule_run_clear(&w.run);
  return w.floor;
}

num_count schedule_counts_io(const schedule_counts *c) { return num_plus(c->loads, c->stores); }

bool schedule_counts_end(const cdag *g, const schedule_counts *c)
{
  uint64_t outputs;
  for (int a = 0; a < g->arrays; a++) /* an input that is an output need not be stored */
    if (g->array[a].terms > 0 && cdag_array_outputs(g, a, &outputs) && c->stores_by_array[a] < outputs)
      return false;
  return true;
}

status schedule_counts_known(num_count io, num_count computes, diag *d)
{
  return num_known(io) && num_known(computes)
           ? OK
           : diag_set(d, GAVE_UP, "limit", "the program makes 2^128 moves or more, which is beyond every count");
}

status schedule_count(const schedule *s, const pebble_rules *rules, schedule_counts *c, diag *d)
{
  schedule_counts_init(c, s->g);
  if (schedule_unset(s) >= 0) {
    no(c, "a parameter has no value");
    return OK;
  }
  schedule_counter *k = schedule_counter_new(s, rules, c);
  if (k)
    schedule_counter_run(k, UINT64_MAX, NUM_TOO_MANY, c);
  schedule_counter_free(k);
  return schedule_counts_known(schedule_counts_io(c), c->computes, d);
}
