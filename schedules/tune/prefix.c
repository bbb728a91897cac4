/* schedules/tune/prefix.c -- settings that all begin with the same moves (docs/counting.md, "The tuner").

   The smallest of them is counted until it needs more than M words.  What it played until then is walked through with
   intervals: of the parameter, of what follows it, and of the loops' variables, all iterations of a loop at once.  A
   slot is common if it has the same value in every setting at the same place of the play.  A statement plays the same
   in all settings if its range, its condition and what its boxes hold of the arrays are given by common slots, or by
   intervals that leave no choice; iterations that not all settings have do no harm if they move nothing.  A setting
   that meets a bad value on the way is not legal: it does not fit either. */
#include "schedules/tune/prefix.h"
#include "base/mem.h"
#include "base/num.h"
#include "schedules/sign/span.h"
#include "schedules/play/run.h"

typedef struct { span v; bool common; } value;

typedef struct {
  const schedule *s;
  span *span;                  /* by slot */
  bool *common;                /* by slot */
  const schedule_stop *stop;
} prefix;

static const span ANY = { INT64_MIN, INT64_MAX }, ONCE = { 1, 1 }, EITHER = { 0, 1 };

/* ---- values ---- */

static bool reads_common(const prefix *w, const expr *e)
{
  bool all = e->op != EXPR_SLOT || w->common[e->slot];
  for (int i = 0; i < e->nargs && all; i++)
    all = reads_common(w, e->arg[i]);
  return all;
}

static value value_of(const prefix *w, const expr *e)
{
  span_env env = { w->span, w->s->g->table, false };
  value x = { ANY, reads_common(w, e) };
  if (!span_of(e, &env, &x.v))
    x.v = ANY;
  x.common |= x.v.least == x.v.most;
  return x;
}

static value value_at(const prefix *w, int slot) { return (value){ w->span[slot], w->common[slot] }; }

static void put(prefix *w, int slot, span v, bool common)
{
  w->span[slot] = v;
  w->common[slot] = common || v.least == v.most;
}

/* Ends of intervals: beyond the largest number there is no block. */
static int64_t plus(int64_t a, int64_t b)
{
  int64_t sum;
  return num_add(a, b, &sum) ? sum : a < 0 ? INT64_MIN : INT64_MAX;
}

static int64_t minus(int64_t a, int64_t b)
{
  int64_t rest;
  return num_sub(a, b, &rest) ? rest : a < 0 ? INT64_MIN : INT64_MAX;
}

static value next(value x) { return (value){ { plus(x.v.least, 1), plus(x.v.most, 1) }, x.common }; }

/* ---- moves ---- */

typedef enum { NOTHING, SAME, UNLIKE } part; /* what a box holds in all settings */

static part index_part(const prefix *w, const schedule_index *x, int64_t least, int64_t end)
{
  if (x->kind == CDAG_ALL)
    return SAME;
  int slot = x->loop >= 0 ? w->s->loop[x->loop].slot : 0;
  value lo = x->loop >= 0 ? value_at(w, slot + SCHEDULE_LO) : value_of(w, x->lo);
  value hi = x->loop >= 0 ? value_at(w, slot + SCHEDULE_HI) : x->kind == CDAG_AT ? next(lo) : value_of(w, x->hi);
  if (lo.v.least >= end || hi.v.most <= least)
    return NOTHING;
  return (lo.common || lo.v.most <= least) && (hi.common || hi.v.least >= end) ? SAME : UNLIKE;
}

static part box_part(const prefix *w, const schedule_box *b)
{
  const cdag_box *hull = &w->s->g->array[b->array].hull;
  part all = SAME;
  for (int i = 0; i < b->indices && all != NOTHING; i++) {
    part one = index_part(w, &b->index[i], hull->lo[i], hull->hi[i]);
    all = one == SAME ? all : one;
  }
  return all;
}

static bool same_boxes(const prefix *w, const schedule_node *n, int boxes)
{
  bool same = true, any = false;
  for (int i = 0; i < boxes && same; i++) {
    part p = box_part(w, &n->box[i]);
    same = p != UNLIKE;
    any |= p != NOTHING;
  }
  for (int i = 0; i < n->drops && same && any; i++)
    same = box_part(w, &n->drop[i]) != UNLIKE;
  return same;
}

static bool idle_boxes(const prefix *w, const schedule_node *n)
{
  bool idle = true;
  for (int i = 0; i < n->boxes && idle; i++)
    idle = box_part(w, &n->box[i]) == NOTHING;
  return idle;
}

/* ---- the ranges of loops ---- */

typedef struct { value lo, hi, by; bool common, upwards; } range;

static range range_of(const prefix *w, const schedule_loop *l)
{
  value zero = { { 0, 0 }, true }, one = { ONCE, true };
  range r = { .upwards = !l->reversed && !l->snake };
  int over = l->over_loop >= 0 ? w->s->loop[l->over_loop].slot : 0;
  r.lo = l->over_loop >= 0 ? value_at(w, over + SCHEDULE_LO) : l->lo ? value_of(w, l->lo) : zero;
  r.hi = l->over_loop >= 0 ? value_at(w, over + SCHEDULE_HI) : value_of(w, l->hi);
  r.by = l->by ? value_of(w, l->by) : one;
  r.by.v.least = num_max(r.by.v.least, 1); /* below 1 there is no play */
  r.by.v.most = num_max(r.by.v.most, 1);
  r.common = r.lo.common && r.hi.common && r.by.common;
  return r;
}

static bool no_iteration(const range *r) { return r->hi.v.most <= r->lo.v.least; }

/* One iteration, if any, and all settings have it or none. */
static bool one_iteration(const range *r)
{
  int64_t length;
  return r->lo.common && (r->hi.common || r->lo.v.most < r->hi.v.least) &&
         num_sub(r->hi.v.most, r->lo.v.least, &length) && r->by.v.least >= length;
}

/* Blocks that begin at `lo`, of `by` or, where not full, of 1 or more. */
static void put_blocks(prefix *w, const schedule_loop *l, const range *r, span lo, bool full, bool common)
{
  int64_t least = full ? r->by.v.least : 1;
  put(w, l->slot + SCHEDULE_LO, lo, common);
  put(w, l->slot + SCHEDULE_HI, (span){ plus(lo.least, least), num_min(plus(lo.most, r->by.v.most), r->hi.v.most) },
      common);
  put(w, l->slot + SCHEDULE_LEN, (span){ least, r->by.v.most }, common);
  put(w, l->slot + SCHEDULE_FIRST, EITHER, common);
  put(w, l->slot + SCHEDULE_LAST, EITHER, common);
}

/* All iterations of the range that begin at `from` or later. */
static void put_any(prefix *w, const schedule_loop *l, const range *r, int64_t from, bool common)
{
  put_blocks(w, l, r, (span){ num_max(r->lo.v.least, from), minus(r->hi.v.most, 1) }, false, common);
}

/* The first block, which all settings have. */
static void put_first(prefix *w, const schedule_loop *l, const range *r, bool only)
{
  span hi = { num_min(plus(r->lo.v.least, r->by.v.least), r->hi.v.least),
              num_min(plus(r->lo.v.most, r->by.v.most), r->hi.v.most) };
  bool common = r->hi.common && (only || r->by.common);
  hi = only ? r->hi.v : hi;
  put(w, l->slot + SCHEDULE_LO, r->lo.v, true);
  put(w, l->slot + SCHEDULE_HI, hi, common);
  put(w, l->slot + SCHEDULE_LEN, (span){ num_max(minus(hi.least, r->lo.v.most), 1), minus(hi.most, r->lo.v.least) },
      common);
  put(w, l->slot + SCHEDULE_FIRST, ONCE, true);
  put(w, l->slot + SCHEDULE_LAST, only ? ONCE : EITHER, only);
}

/* ---- statements that move nothing ---- */

static bool idle(prefix *w, const schedule_node *n);

/* How often a loop that snakes is entered, which it remembers, may differ. */
static bool idle_for(prefix *w, const schedule_node *n)
{
  const schedule_loop *l = &w->s->loop[n->loop];
  range r = range_of(w, l);
  if (l->snake)
    return false;
  if (no_iteration(&r))
    return true;
  put_any(w, l, &r, INT64_MIN, false);
  return idle(w, n->child[0]);
}

static bool never_zero(value c) { return c.v.least > 0 || c.v.most < 0; }
static bool is_zero(value c) { return c.v.least == 0 && c.v.most == 0; }

static bool idle_if(prefix *w, const schedule_node *n)
{
  value c = value_of(w, n->condition);
  return (is_zero(c) || idle(w, n->child[0])) && (never_zero(c) || n->children < 2 || idle(w, n->child[1]));
}

/* In no setting does n move anything.  Depth: SCHEDULE_DEPTH. */
static bool idle(prefix *w, const schedule_node *n)
{
  bool all = true;
  switch (n->kind) {
  case SCHEDULE_FOR: return idle_for(w, n);
  case SCHEDULE_IF: return idle_if(w, n);
  case SCHEDULE_MOVE: return idle_boxes(w, n);
  default:
    for (int i = 0; i < n->children && all; i++)
      all = idle(w, n->child[i]);
    return all;
  }
}

/* ---- statements that play the same ---- */

static bool same(prefix *w, const schedule_node *n);

/* Blocks that end before the shortest range does are common; others, of which there are more or fewer, must not move
 * anything. */
static bool same_but_end(prefix *w, const schedule_node *n, const range *r)
{
  const schedule_loop *l = &w->s->loop[n->loop];
  span full = { r->lo.v.least, minus(r->hi.v.least, r->by.v.least) };
  if (full.least <= full.most) {
    put_blocks(w, l, r, full, true, true);
    put(w, l->slot + SCHEDULE_LAST, EITHER, false);
    if (!same(w, n->child[0]))
      return false;
  }
  put_any(w, l, r, plus(minus(r->hi.v.least, r->by.v.most), 1), false);
  return idle(w, n->child[0]);
}

static bool same_for(prefix *w, const schedule_node *n)
{
  const schedule_loop *l = &w->s->loop[n->loop];
  range r = range_of(w, l);
  if (no_iteration(&r))
    return true;
  if (one_iteration(&r)) {
    put_first(w, l, &r, true);
    return same(w, n->child[0]);
  }
  if (r.common) {
    put_any(w, l, &r, INT64_MIN, true);
    return same(w, n->child[0]);
  }
  return r.lo.common && r.by.common && r.upwards ? same_but_end(w, n, &r) : idle_for(w, n);
}

static bool same_if(prefix *w, const schedule_node *n)
{
  value c = value_of(w, n->condition);
  if (!c.common && !is_zero(c) && !never_zero(c))
    return idle_if(w, n);
  return (is_zero(c) || same(w, n->child[0])) && (never_zero(c) || n->children < 2 || same(w, n->child[1]));
}

/* Does n play the same in all settings?  Depth: SCHEDULE_DEPTH. */
static bool same(prefix *w, const schedule_node *n)
{
  bool all = true;
  switch (n->kind) {
  case SCHEDULE_FOR: return same_for(w, n);
  case SCHEDULE_IF: return same_if(w, n);
  case SCHEDULE_MOVE: return same_boxes(w, n, n->boxes);
  default:
    for (int i = 0; i < n->children && all; i++)
      all = same(w, n->child[i]);
    return all;
  }
}

/* ---- up to where the smallest setting stopped ---- */

static bool holds(const schedule_node *n, const schedule_node *inside)
{
  bool any = n == inside;
  for (int i = 0; i < n->children && !any; i++)
    any = holds(n->child[i], inside);
  return any;
}

static bool reach(prefix *w, const schedule_node *n, int depth);

/* The iteration in which it stopped: common slots have the values they had there. */
static bool reach_iteration(prefix *w, const schedule_node *n, int depth, bool common)
{
  int slot = w->s->loop[n->loop].slot;
  for (int i = SCHEDULE_LO; i < SCHEDULE_LOOP_SLOTS; i++)
    put(w, slot + i, (span){ w->stop->run.slot[slot + i], w->stop->run.slot[slot + i] }, true);
  if (!common)
    put(w, slot + SCHEDULE_LAST, EITHER, false);
  return reach(w, n->child[0], depth + 1);
}

/* The iterations before it, and then it, a full one if not all settings end alike. */
static bool reach_iterations(prefix *w, const schedule_node *n, const range *r, int depth)
{
  const schedule_loop *l = &w->s->loop[n->loop];
  int64_t at = w->stop->run.slot[l->slot + SCHEDULE_LO];
  if (!r->common && at > minus(r->hi.v.least, r->by.v.most))
    return false;
  if (w->stop->run.iteration[depth] > 0) {
    if (r->upwards)
      put_blocks(w, l, r, (span){ r->lo.v.least, minus(at, 1) }, true, true);
    else
      put_any(w, l, r, INT64_MIN, true);
    put(w, l->slot + SCHEDULE_LAST, (span){ 0, 0 }, true);
    if (!same(w, n->child[0]))
      return false;
  }
  return reach_iteration(w, n, depth, r->common);
}

static bool reach_for(prefix *w, const schedule_node *n, int depth)
{
  const schedule_loop *l = &w->s->loop[n->loop];
  range r = range_of(w, l);
  if (r.common || (r.lo.common && r.by.common && r.upwards))
    return reach_iterations(w, n, &r, depth);
  bool only = one_iteration(&r);
  if (w->stop->run.iteration[depth] > 0 || !r.lo.common || r.lo.v.most >= r.hi.v.least || (!only && !r.upwards))
    return false;
  put_first(w, l, &r, only);
  return reach(w, n->child[0], depth + 1);
}

static bool reach_if(prefix *w, const schedule_node *n, int depth)
{
  value c = value_of(w, n->condition);
  bool then = holds(n->child[0], w->stop->at);
  return (c.common || (then ? never_zero(c) : is_zero(c))) && reach(w, n->child[!then], depth);
}

static bool reach_block(prefix *w, const schedule_node *n, int depth)
{
  int i = 0;
  for (; !holds(n->child[i], w->stop->at); i++)
    if (!same(w, n->child[i]))
      return false;
  return reach(w, n->child[i], depth);
}

/* Does n, in which it stopped, play the same until then?  Depth: SCHEDULE_DEPTH. */
static bool reach(prefix *w, const schedule_node *n, int depth)
{
  switch (n->kind) {
  case SCHEDULE_FOR: return reach_for(w, n, depth);
  case SCHEDULE_IF: return reach_if(w, n, depth);
  case SCHEDULE_MOVE: return same_boxes(w, n, w->stop->box + 1);
  default: return reach_block(w, n, depth);
  }
}

/* ---- the parameters ---- */

static void put_parameters(prefix *w, const tuner *t)
{
  const schedule *s = t->s;
  for (int i = 0; i < s->slot_param + s->params; i++)
    put(w, i, (span){ w->stop->run.slot[i], w->stop->run.slot[i] }, true);
  for (int i = 0; i < s->params; i++) {
    int slot = s->slot_param + i;
    if (i == t->param[0]) {
      put(w, slot, (span){ w->stop->run.slot[slot], t->most[0] }, false);
    } else if (!s->param[i].given && s->param[i].fallback && !reads_common(w, s->param[i].fallback)) {
      value x = value_of(w, s->param[i].fallback);
      put(w, slot, x.v, x.common);
    }
  }
}

static bool all_begin_alike(const tuner *t, const schedule_stop *stop)
{
  const schedule *s = t->s;
  prefix w = {
    .s = s, .span = MEM_NEW(span, (size_t)s->slots), .common = MEM_NEW(bool, (size_t)s->slots), .stop = stop
  };
  put_parameters(&w, t);
  bool alike = reach(&w, s->body, 0);
  mem_free(w.span);
  mem_free(w.common);
  return alike;
}

bool tune_prefix_bars(tuner *t, int64_t v)
{
  schedule_stop stop;
  if (!tune_put(t, (bool[TUNE_MOST]){ true }, (int64_t[TUNE_MOST]){ v }))
    return false;
  bool bars = schedule_counter_stop(t->counter, t->rules.m, &stop) && all_begin_alike(t, &stop);
  schedule_run_clear(&stop.run);
  return bars;
}
