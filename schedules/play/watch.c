/* watch.c -- which iterations are seen, and the play around them. */
#include "schedules/play/watch.h"
#include "base/mem.h"
#include "pebble/tile/look.h"
#include "schedules/extrapolate/forward.h"
#include "schedules/language/parse.h"
#include <assert.h>

typedef struct {
  schedule_run run;
  uint64_t first, last;
  bool seen[SCHEDULE_DEPTH];   /* this iteration of the running loop, and the iterations around it, are seen */
  uint64_t inferred[SCHEDULE_DEPTH];
  /* playing: */
  const schedule_watching *o;
  pebble_game *game;
  schedule_forward *forward;
  uint64_t peak;
  bool stopped;                /* by the visitor */
  const schedule_node *at;
  int box;
  /* not playing: */
  schedule_visit visit;
  void *context;
} watcher;

static bool around_seen(const watcher *w, int d) { return d == 0 || w->seen[d - 1]; }

static bool iteration_seen(const watcher *w, uint64_t iteration, uint64_t iterations)
{
  return iteration < w->first || iteration + w->last >= iterations;
}

static bool seen_now(const watcher *w) { return around_seen(w, w->run.depth); }

/* ---- playing ---- */

static void note_peak(watcher *w)
{
  uint64_t peak = pebble_verdict_of(w->game)
                      ->peak; /* fast-forward measures from iteration to iteration: the largest is the play's */
  if (peak > w->peak)
    w->peak = peak;
}

static bool show(watcher *w, schedule_sight *sight)
{
  SCOPED_TEXT loops = { 0 };
  schedule_run_loops(&w->run, &loops);
  sight->game = w->game;
  sight->peak = w->peak;
  sight->loops = text_str(&loops);
  bool on = w->o->visit(w->o->context, sight);
  w->stopped |= !on;
  return on;
}

static bool play_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  watcher *w = context;
  (void)slot;
  w->at = at;
  w->box = box;
  if (w->stopped)
    return false;
  num_count before = pebble_verdict_of(w->game)->moves;
  bool legal = pebble_play(w->game, move);
  note_peak(w);
  if (!legal || !seen_now(w) || pebble_verdict_of(w->game)->moves == before)
    return legal;
  schedule_sight sight = { .at = at, .move = move, .box = box };
  return show(w, &sight);
}

/* The first iteration that is seen again: what was left out is one leap. */
static void leap(watcher *w, int d)
{
  schedule_sight sight = {
    .at = w->run.open[d], .from = w->first, .to = w->run.iteration[d], .inferred = w->inferred[d]
  };
  note_peak(w);
  w->run.depth--; /* the loops around it */
  show(w, &sight);
  w->run.depth++;
}

static uint64_t before_iteration(void *context, schedule_run *run)
{
  watcher *w = context;
  int d = run->depth - 1;
  uint64_t iteration = run->iteration[d], iterations = run->iterations[d];
  bool around = around_seen(w, d), seen = around && iteration_seen(w, iteration, iterations);
  if (iteration == 0) {
    w->inferred[d] = 0;
    schedule_forward_keep(w->forward, around ? w->first : 0, around ? w->last : 0);
  } else if (seen && !w->seen[d])
    leap(w, d);
  w->seen[d] = seen;
  uint64_t done = schedule_forward_iteration(w->forward, run);
  w->inferred[d] += done;
  return done;
}

status schedule_watch(const schedule *s, const schedule_watching *o, schedule_verdict *v, diag *d)
{
  assert(o->first > 0 && o->last > 0);
  watcher w = { .o = o, .first = o->first, .last = o->last };
  schedule_verdict_init(v, s->g);
  status st = pebble_new(&w.game, s->g, PEBBLE_BY_TILE, &o->rules, d);
  if (st != OK)
    return st;
  pebble_tiles_tight(w.game); /* what is shown is counted */
  schedule_lay_out(s, w.game);
  schedule_run_init(&w.run, s, play_move, &w);
  w.forward = schedule_forward_new(s, w.game);
  w.run.skip = before_iteration;
  schedule_sight beginning = { .at = NULL };
  schedule_flow flow = show(&w, &beginning) ? schedule_run_node(&w.run, s->body) : SCHEDULE_STOPPED;
  if (w.stopped)
    st = diag_set(d, GAVE_UP, "limit", "there is more to see than was asked for");
  else {
    v->inferred = schedule_forward_finish(w.forward);
    schedule_verdict_end(v, flow, &w.run, w.game, w.at ? &w.at->box[w.box] : NULL);
    st = schedule_run_ends(&w.run, flow, d);
    st = st == OK ? schedule_counts_known(pebble_io(&v->verdict), v->verdict.computes, d) : st;
  }
  schedule_forward_free(w.forward);
  schedule_run_clear(&w.run);
  pebble_free(w.game);
  return st;
}

/* ---- not playing ---- */

static bool tell_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  watcher *w = context;
  return w->visit(w->context, move, at, box, slot);
}

static uint64_t only_seen(void *context, schedule_run *run)
{
  watcher *w = context;
  int d = run->depth - 1;
  return iteration_seen(w, run->iteration[d], run->iterations[d]) ? 0
                                                                  : run->iterations[d] - w->last - run->iteration[d];
}

status schedule_watch_moves(const schedule *s, uint64_t first, uint64_t last, schedule_visit visit, void *context,
                            diag *d)
{
  watcher w = { .first = first, .last = last, .visit = visit, .context = context };
  schedule_run_init(&w.run, s, tell_move, &w);
  w.run.skip = only_seen;
  schedule_flow flow = schedule_run_node(&w.run, s->body);
  status st = schedule_run_ends(&w.run, flow, d);
  if (flow == SCHEDULE_BAD)
    st = diag_at(d, BAD_INPUT, "value", s->file, w.run.line, w.run.column, "%s", w.run.why);
  schedule_run_clear(&w.run);
  return st;
}
