/* play.c -- a schedule played: its box moves handed to an engine, and the verdict with the place where it broke. */
#include "base/mem.h"
#include "schedules/extrapolate/forward.h"
#include "schedules/language/parse.h"
#include "schedules/play/once.h"
#include "schedules/play/tilted.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  schedule_run run;
  pebble_game *game;
  schedule_forward *forward;   /* or NULL: every iteration is played */
  const schedule_node *at;     /* the box move played last */
  int box;
} player;

static bool play_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  player *p = context;
  (void)slot;
  p->at = at;
  p->box = box;
  return pebble_play(p->game, move);
}

static size_t play_steps(void *context, const pebble_step *step, size_t n)
{
  return pebble_play_steps(((player *)context)->game, step, n);
}

static uint64_t play_rows(void *context, const pebble_move *move, const pebble_rows *rows, const schedule_node *of)
{
  player *p = context;
  p->at = of;
  p->box = 0;
  return pebble_play_rows(p->game, move, rows);
}

static uint64_t skip_iterations(void *context, schedule_run *run)
{
  return schedule_forward_iteration(((player *)context)->forward, run);
}

void schedule_verdict_fill(schedule_verdict *v, const pebble_game *game)
{
  size_t bytes = (size_t)v->arrays * sizeof(num_count);
  v->verdict = *pebble_verdict_of(game);
  if (bytes == 0)
    return;
  memcpy(v->loads_by_array, pebble_loads_by_array(game), bytes);
  memcpy(v->stores_by_array, pebble_stores_by_array(game), bytes);
}

void schedule_verdict_init(schedule_verdict *v, const cdag *g)
{
  *v = (schedule_verdict){ .arrays = g->arrays };
  v->loads_by_array = MEM_NEW(num_count, (size_t)g->arrays);
  v->stores_by_array = MEM_NEW(num_count, (size_t)g->arrays);
}

void schedule_verdict_clear(schedule_verdict *v)
{
  text_clear(&v->loops);
  mem_free(v->loads_by_array);
  mem_free(v->stores_by_array);
  *v = (schedule_verdict){ 0 };
}

void schedule_verdict_value(schedule_verdict *v, const schedule_run *r)
{
  v->verdict.legal = false;
  v->verdict.rule = PEBBLE_VALUE;
  v->line = r->line;
  v->column = r->column;
  snprintf(v->why, sizeof v->why, "%s", r->why);
}

void schedule_verdict_end(schedule_verdict *v, schedule_flow flow, const schedule_run *run, pebble_game *game,
                          const schedule_box *at)
{
  if (flow == SCHEDULE_ON)
    pebble_end(game);
  schedule_verdict_fill(v, game);
  if (flow == SCHEDULE_BAD)
    schedule_verdict_value(v, run);
  if (flow == SCHEDULE_STOPPED) {
    v->line = at->line;
    v->column = at->column;
  }
  if (flow != SCHEDULE_ON)
    schedule_run_loops(run, &v->loops);
}

/* Play all of p's program and fill the verdict. */
static status play_through(player *p, schedule_verdict *v, diag *d)
{
  schedule_flow flow = schedule_run_node(&p->run, p->run.s->body);
  if (p->run.at) {
    p->at = p->run.at;
    p->box = p->run.box;
  }
  if (p->forward)
    v->inferred = schedule_forward_finish(p->forward);
  schedule_verdict_end(v, flow, &p->run, p->game, p->at ? &p->at->box[p->box] : NULL);
  return schedule_run_ends(&p->run, flow, d);
}

static status play_once(const schedule *s, const schedule_play_options *o, schedule_verdict *v, diag *d)
{
  player p = { 0 };
  status st = pebble_new(&p.game, s->g, o->engine, &o->rules, d);
  if (st != OK)
    return st;
  schedule_lay_out(s, p.game);
  schedule_run_init(&p.run, s, play_move, &p);
  p.run.progress = o->progress;
  p.run.progress_context = o->progress_context;
  if (o->fast_forward && o->engine == PEBBLE_BY_TILE) {
    p.forward = schedule_forward_new(s, p.game);
    p.run.skip = skip_iterations;
    schedule_run_tilted(&p.run, play_rows);
    schedule_lay_tilted(p.run.tilted, s, p.game);
  }
  if (pebble_takes_steps(p.game))
    schedule_run_by_rows(&p.run, play_steps);
  st = play_through(&p, v, d);
  schedule_forward_free(p.forward);
  schedule_run_clear(&p.run);
  pebble_free(p.game);
  return st == OK ? schedule_counts_known(pebble_io(&v->verdict), v->verdict.computes, d) : st;
}

/* The same moves with M unlimited: their peak is the least M that would do, if nothing else is wrong with them. */
static status find_smallest(const schedule *s, const schedule_play_options *o, schedule_verdict *v, diag *d)
{
  schedule_play_options unlimited = *o;
  schedule_verdict w;
  unlimited.rules.m = UINT64_MAX;
  schedule_verdict_init(&w, s->g);
  status st = play_once(s, &unlimited, &w, d);
  v->has_smallest = st == OK && w.verdict.legal;
  v->smallest_memory = w.verdict.peak;
  schedule_verdict_clear(&w);
  return st;
}

/* The one-shot game by boxes keeps all that was computed, which has no simple shape where the rest of the position has
   one.  So the moves are played with recomputation allowed, and the computes are counted: as many as there must be (see
   once.c) is a proof that none came twice.  *settled: it was found so, or the play gave up; else nothing is known. */
static status play_counting(const schedule *s, const schedule_play_options *o, schedule_verdict *v, bool *settled,
                            diag *d)
{
  schedule_play_options free_game = *o;
  free_game.rules.one_shot = false;
  schedule_verdict_init(v, s->g);
  status st = play_once(s, &free_game, v, d);
  *settled = st != OK || (v->verdict.legal && v->verdict.computes == schedule_least_computes(s->g));
  if (!*settled)
    schedule_verdict_clear(v);
  return st;
}

status schedule_play(const schedule *s, const schedule_play_options *o, schedule_verdict *v, diag *d)
{
  bool settled = false;
  if (o->rules.one_shot && o->rules.variant != PEBBLE_PARTIAL && o->engine == PEBBLE_BY_TILE && o->fast_forward) {
    status st = play_counting(s, o, v, &settled, d);
    if (settled)
      return st;
  }
  schedule_verdict_init(v, s->g);
  status st = play_once(s, o, v, d);
  if (st == OK && v->verdict.rule == PEBBLE_MEMORY && o->want_smallest)
    st = find_smallest(s, o, v, d);
  return st;
}

/* ---- the order of an array's dimensions that makes the schedule's boxes long runs ---- */

typedef struct { uint64_t single[CDAG_RANK]; } habit;

static bool is_single(const schedule_index *x) { return x->kind == CDAG_AT && x->loop < 0; }

static void note_habits(const schedule_node *n, habit *of, int depth)
{
  bool deeper = n->kind == SCHEDULE_FOR;
  for (int i = 0; i < n->children; i++)
    note_habits(n->child[i], of, depth + deeper);
  for (int i = 0; i < n->boxes; i++)
    for (int r = 0; r < n->box[i].indices; r++)
      of[n->box[i].array].single[r] +=
          is_single(&n->box[i].index[r]) ? UINT64_C(1) << (depth < 10 ? 4 * depth : 40) : 0;
}

/* Dimensions that the schedule holds at single values come first, the most often so outermost. */
static void order_of(const habit *h, int rank, int *order)
{
  for (int r = 0; r < rank; r++) {
    int at = r;
    for (; at > 0 && h->single[order[at - 1]] < h->single[r]; at--)
      order[at] = order[at - 1];
    order[at] = r;
  }
}

/* ---- arrays that go through slow memory along a diagonal ---- */

typedef struct {
  bool moved;
  uint64_t pairs;              /* bit along * CDAG_RANK + across: so far all boxes are single there, at equal values */
} diagonal;

static uint64_t equal_indices(const schedule_box *b)
{
  uint64_t pairs = 0;
  for (int q = 1; q < b->indices; q++)
    for (int p = 0; p < q; p++)
      if (is_single(&b->index[p]) && is_single(&b->index[q]) && expr_equal(b->index[p].lo, b->index[q].lo))
        pairs |= UINT64_C(1) << (p * CDAG_RANK + q);
  return pairs;
}

static void note_diagonals(const schedule_node *n, diagonal *of)
{
  for (int i = 0; i < n->children; i++)
    note_diagonals(n->child[i], of);
  for (int i = 0; n->move != PEBBLE_COMPUTE && n->move != PEBBLE_DROP && i < n->boxes; i++) {
    diagonal *d = &of[n->box[i].array];
    d->pairs = equal_indices(&n->box[i]) & (d->moved ? d->pairs : UINT64_MAX);
    d->moved = true;
  }
}

static void lay_diagonals(const schedule *s, pebble_game *game)
{
  SCOPED_MEM diagonal *of = MEM_NEW(diagonal, (size_t)s->g->arrays);
  note_diagonals(s->body, of);
  for (int a = 0; a < s->g->arrays; a++)
    if (of[a].pairs)
      pebble_lay_blue(game, a, __builtin_ctzll(of[a].pairs) / CDAG_RANK, __builtin_ctzll(of[a].pairs) % CDAG_RANK, -1,
                      false);
}

void schedule_lay_out(const schedule *s, pebble_game *game)
{
  SCOPED_MEM habit *of = MEM_NEW(habit, (size_t)s->g->arrays);
  int order[CDAG_RANK];
  note_habits(s->body, of, 0);
  for (int a = 0; a < s->g->arrays; a++) {
    order_of(&of[a], s->g->array[a].rank, order);
    pebble_lay_out(game, a, order);
  }
  lay_diagonals(s, game);
  schedule_lay_sheared(s, game);
}
