/* interpret.c -- a schedule's program unfolded into box moves
   (docs/schedule-language.md, section "Loops and conditions").

   An index that is constant while the program runs, one loop slot plus such a constant, or a small linear combination
   of loop slots is compiled to that; anything else is evaluated each time.  Most boxes need nothing but slots and
   constants: those are compiled to a row of additions. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "schedules/play/form.h"
#include "schedules/play/rows.h"
#include "schedules/play/tilted.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHORT_ROW = 6 };          /* fewer iterations are as quick one by one */
enum { PATIENCE = 1 << 22 };     /* iterations: part of a second */
#define ENDLESS ((num_count)100000000000000) /* iterations: weeks at least */

typedef schedule_form form;

struct schedule_code {
  bool quick;                  /* bound[] says it all: slot + add; the slot after the last is zero */
  int indices;
  struct { int lo_slot, hi_slot; int64_t lo_add, hi_add; } bound[CDAG_RANK];
  pebble_drop *drops;          /* of a move whose first box this is: all its drops, when they are whole arrays */
  struct { cdag_index_kind kind; int loop; form lo, hi; } index[CDAG_RANK];
};

/* ---- compiling ---- */

static bool fixed(const schedule_run *r, const expr *e, int64_t *value)
{
  return schedule_form_fixed(r->s, r->slot, e, value);
}

static form compile(const schedule_run *r, const expr *e) { return schedule_form_of(r->s, r->slot, e); }

static bool small(int64_t v, int64_t limit) { return v >= -limit && v <= limit; }

/* f as slot + add? */
static bool short_form(const schedule_run *r, const form *f, int *slot, int64_t *add)
{
  *slot = f->mode == FORM_FIXED ? r->s->slots : f->slot[0];
  *add = f->add;
  return f->mode == FORM_FIXED || (f->mode == FORM_SHIFTED && small(f->add, FORM_VALUE));
}

/* Index i of box b as two sums, if that is possible. */
static bool quicken(const schedule_run *r, const schedule_box *b, struct schedule_code *c, int i)
{
  const cdag_box *hull = &r->s->g->array[b->array].hull;
  int zero = r->s->slots, slot = c->index[i].loop >= 0 ? r->s->loop[c->index[i].loop].slot : zero;
  c->bound[i].lo_slot = c->index[i].loop >= 0 ? slot + SCHEDULE_LO : zero;
  c->bound[i].hi_slot = c->index[i].loop >= 0 ? slot + SCHEDULE_HI : zero;
  c->bound[i].lo_add = c->index[i].kind == CDAG_ALL ? hull->lo[i] : 0;
  c->bound[i].hi_add = c->index[i].kind == CDAG_ALL ? hull->hi[i] : 0;
  if (c->index[i].kind == CDAG_ALL || c->index[i].loop >= 0)
    return true;
  if (!short_form(r, &c->index[i].lo, &c->bound[i].lo_slot, &c->bound[i].lo_add))
    return false;
  if (c->index[i].kind == CDAG_RANGE)
    return short_form(r, &c->index[i].hi, &c->bound[i].hi_slot, &c->bound[i].hi_add);
  c->bound[i].hi_slot = c->bound[i].lo_slot;
  return num_add(c->bound[i].lo_add, 1, &c->bound[i].hi_add);
}

static void compile_box(schedule_run *r, const schedule_box *b)
{
  struct schedule_code *c = &r->code[b->number];
  c->quick = true;
  c->indices = b->indices;
  for (int i = 0; i < b->indices; i++) {
    const schedule_index *x = &b->index[i];
    c->index[i].kind = x->kind;
    c->index[i].loop = x->loop;
    c->index[i].lo = compile(r, x->lo);
    c->index[i].hi = compile(r, x->hi);
    c->quick &= quicken(r, b, c, i);
  }
}

static void compile_drops(schedule_run *r, const schedule_node *n)
{
  bool whole = n->drops > 0;
  for (int i = 0; i < n->drops; i++)
    whole &= n->drop[i].whole;
  if (!whole)
    return;
  pebble_drop *drops = MEM_NEW(pebble_drop, (size_t)n->drops);
  for (int i = 0; i < n->drops; i++)
    drops[i] = (pebble_drop){ .array = n->drop[i].array, .whole = true };
  r->code[n->box[0].number].drops = drops;
}

static void compile_node(schedule_run *r, const schedule_node *n)
{
  for (int i = 0; i < n->children; i++)
    compile_node(r, n->child[i]);
  for (int i = 0; i < n->boxes; i++)
    compile_box(r, &n->box[i]);
  for (int i = 0; i < n->drops; i++)
    compile_box(r, &n->drop[i]);
  compile_drops(r, n);
}

void schedule_run_init(schedule_run *r, const schedule *s, schedule_visit visit, void *context)
{
  *r = (schedule_run){ .s = s, .visit = visit, .context = context, .share_size = 1 };
  r->slot = MEM_NEW(int64_t, (size_t)s->slots + 1);
  r->entered = MEM_NEW(uint64_t, (size_t)s->loops);
  r->skipped = MEM_NEW(bool, (size_t)s->loops);
  r->ask = s->most_iterations ? s->most_iterations : PATIENCE;
  r->code = MEM_NEW(struct schedule_code, (size_t)s->boxes);
  schedule_fixed_slots(s, r->slot);
  compile_node(r, s->body);
}

void schedule_run_clear(schedule_run *r)
{
  mem_free(r->slot);
  mem_free(r->entered);
  mem_free(r->skipped);
  for (int i = 0; r->code && i < r->s->boxes; i++)
    mem_free(r->code[i].drops);
  mem_free(r->code);
  schedule_rows_free(r->rows);
  schedule_tilted_free(r->tilted, r->s);
  *r = (schedule_run){ 0 };
}

void schedule_run_tilted(schedule_run *r, schedule_play_rows play_rows)
{
  r->play_rows = play_rows;
  r->tilted = schedule_tilted_new(r->s, r->slot);
}

void schedule_run_by_rows(schedule_run *r, size_t (*steps)(void *context, const pebble_step *step, size_t n))
{
  r->steps = steps;
  r->rows = schedule_rows_new(r->s);
}

/* ---- values ---- */

static bool bad_value(schedule_run *r, const expr *at, const char *why)
{
  r->line = at->line;
  r->column = at->column;
  snprintf(r->why, sizeof r->why, "%s", why);
  return false;
}

static bool evaluate(schedule_run *r, const expr *e, int64_t *value)
{
  expr_env env = { r->slot, r->s->g->table };
  const char *why = "it has no value";
  expr_result result = expr_eval(e, &env, value, &why);
  if (result == EXPR_OK)
    return true;
  return bad_value(r, e, result == EXPR_ABSENT ? "a table is read outside its bounds" : why);
}

static bool value_of(schedule_run *r, const form *f, int64_t *value)
{
  if (f->mode == FORM_FIXED) {
    *value = f->add;
    return true;
  }
  if (f->mode == FORM_SHIFTED && num_add(r->slot[f->slot[0]], f->add, value))
    return true;
  if (f->mode == FORM_LINEAR && schedule_form_sum(f, r->slot, value))
    return true;
  return evaluate(r, f->e, value);
}

/* ---- boxes ---- */

static bool bounds_of(schedule_run *r, const schedule_box *b, int i, int64_t *lo, int64_t *hi)
{
  const struct schedule_code *c = &r->code[b->number];
  if (c->index[i].kind == CDAG_ALL) {
    const cdag_box *hull = &r->s->g->array[b->array].hull;
    *lo = hull->lo[i];
    *hi = hull->hi[i];
    return true;
  }
  if (c->index[i].loop >= 0) {
    int slot = r->s->loop[c->index[i].loop].slot;
    *lo = r->slot[slot + SCHEDULE_LO];
    *hi = r->slot[slot + SCHEDULE_HI];
    return true;
  }
  if (!value_of(r, &c->index[i].lo, lo))
    return false;
  if (c->index[i].kind == CDAG_RANGE)
    return value_of(r, &c->index[i].hi, hi);
  if (!num_add(*lo, 1, hi))
    *hi = *lo; /* no array reaches there */
  return true;
}

static bool quick_box(const schedule_run *r, const struct schedule_code *c, cdag_box *box)
{
  bool far = false;
  for (int i = 0; i < c->indices; i++) {
    far |= __builtin_add_overflow(r->slot[c->bound[i].lo_slot], c->bound[i].lo_add, &box->lo[i]);
    far |= __builtin_add_overflow(r->slot[c->bound[i].hi_slot], c->bound[i].hi_add, &box->hi[i]);
  }
  return !far;
}

static bool box_of(schedule_run *r, const schedule_box *b, cdag_box *box)
{
  const struct schedule_code *c = &r->code[b->number];
  if (c->quick && quick_box(r, c, box))
    return true;
  for (int i = 0; i < b->indices; i++)
    if (!bounds_of(r, b, i, &box->lo[i], &box->hi[i]))
      return false;
  return true;
}

/* ---- statements ---- */

static schedule_flow play_boxes(schedule_run *r, const schedule_node *n, const pebble_drop *drops)
{
  pebble_move move; /* boxes are filled in: clearing them first would take as long as playing them */
  move.kind = n->move;
  move.drops = n->drops;
  move.drop = drops;
  for (int i = 0; i < n->boxes; i++) {
    move.array = n->box[i].array;
    if (!box_of(r, &n->box[i], &move.box))
      return SCHEDULE_BAD;
    if (!r->visit(r->context, &move, n, i, r->slot))
      return SCHEDULE_STOPPED;
  }
  return SCHEDULE_ON;
}

/* A move that drops boxes: they are found first. */
static schedule_flow run_dropping(schedule_run *r, const schedule_node *n)
{
  pebble_drop drop[16], *drops = n->drops <= 16 ? drop : MEM_NEW(pebble_drop, (size_t)n->drops);
  schedule_flow flow = SCHEDULE_ON;
  for (int i = 0; i < n->drops && flow == SCHEDULE_ON; i++) {
    drops[i].array = n->drop[i].array;
    drops[i].whole = n->drop[i].whole;
    if (!drops[i].whole && !box_of(r, &n->drop[i], &drops[i].box))
      flow = SCHEDULE_BAD;
  }
  if (flow == SCHEDULE_ON)
    flow = play_boxes(r, n, drops);
  if (drops != drop)
    mem_free(drops);
  return flow;
}

static schedule_flow run_move(schedule_run *r, const schedule_node *n)
{
  const pebble_drop *drops = r->code[n->box[0].number].drops;
  return n->drops && !drops ? run_dropping(r, n) : play_boxes(r, n, drops);
}

typedef struct { int64_t lo, hi, by; uint64_t iterations; bool backwards; } iterations;

static bool range_of(schedule_run *r, const schedule_loop *l, iterations *t)
{
  t->lo = 0;
  t->by = 1;
  if (l->over_loop >= 0) {
    t->lo = r->slot[r->s->loop[l->over_loop].slot + SCHEDULE_LO];
    t->hi = r->slot[r->s->loop[l->over_loop].slot + SCHEDULE_HI];
  } else if ((l->lo && !evaluate(r, l->lo, &t->lo)) || !evaluate(r, l->hi, &t->hi))
    return false;
  if (l->by && !evaluate(r, l->by, &t->by))
    return false;
  if (t->by < 1) {
    char why[192];
    snprintf(why, sizeof why, "the block size of loop %s is %" PRId64 ", below 1: M is too small", l->name, t->by);
    return bad_value(r, l->by, why);
  }
  t->iterations = t->hi > t->lo ? ((uint64_t)t->hi - (uint64_t)t->lo - 1) / (uint64_t)t->by + 1 : 0;
  return true;
}

static void set_iteration(schedule_run *r, const schedule_loop *l, const iterations *t, uint64_t iteration)
{
  int64_t *slot = r->slot + l->slot;
  uint64_t block = t->backwards ? t->iterations - 1 - iteration : iteration;
  int64_t lo = (int64_t)((uint64_t)t->lo + block * (uint64_t)t->by);
  uint64_t left = (uint64_t)t->hi - (uint64_t)lo;
  slot[SCHEDULE_LO] = lo;
  slot[SCHEDULE_LEN] = left < (uint64_t)t->by ? (int64_t)left : t->by;
  slot[SCHEDULE_HI] = lo + slot[SCHEDULE_LEN];
  slot[SCHEDULE_FIRST] = iteration == 0;
  slot[SCHEDULE_LAST] = iteration + 1 == t->iterations;
  r->iteration[r->depth - 1] = iteration;
}

/* Share of the program done after this many iterations: by the two outermost loops. */
static void tell_progress(const schedule_run *r, uint64_t done)
{
  double share = (double)done / (double)r->iterations[r->depth - 1];
  if (r->depth == 2)
    share = ((double)r->iteration[0] + share) / (double)r->iterations[0];
  r->progress(r->progress_context, r->share_from + r->share_size * share);
}

/* ---- is there an end? ---- */

/* Does every run of the block run the loop? */
static bool always_runs(const schedule_node *block, const schedule_node *loop)
{
  for (int i = 0; i < block->children; i++)
    if (block->child[i] == loop || (block->child[i]->kind == SCHEDULE_BLOCK && always_runs(block->child[i], loop)))
      return true;
  return false;
}

static bool same_range_always(const schedule_run *r, const schedule_loop *l)
{
  int64_t value;
  return l->over_loop < 0 && (!l->lo || fixed(r, l->lo, &value)) && fixed(r, l->hi, &value) &&
         (!l->by || fixed(r, l->by, &value));
}

/* At least so many iterations are left, of open loops that are played iteration by iteration. */
static num_count iterations_left(const schedule_run *r)
{
  num_count left = 0;
  for (int d = 0; d < r->depth; d++) {
    bool patient = r->ran - r->since[d] >= PATIENCE || !r->skipped[r->open[d]->loop];
    bool each_time = d > 0 && always_runs(r->open[d - 1]->child[0], r->open[d]) &&
                     same_range_always(r, &r->s->loop[r->open[d]->loop]);
    if (left && !each_time)
      break;
    if (patient)
      left = left ? num_times(left, r->iterations[d]) : r->iterations[d] - r->iteration[d];
  }
  return left;
}

/* Asked now and then. */
static bool is_endless(schedule_run *r)
{
  r->ask = r->ran + PATIENCE;
  if (r->s->most_iterations) {
    snprintf(r->why, sizeof r->why, "more than %" PRIu64 " iterations would be played one by one",
             r->s->most_iterations);
    return true;
  }
  num_count left = iterations_left(r);
  if (left < ENDLESS)
    return false;
  const expr *at = r->s->loop[r->open[0]->loop].hi;
  r->line = at ? at->line : 0;
  r->column = at ? at->column : 0;
  snprintf(r->why, sizeof r->why,
           "the loops here have %s iterations or more to go, one by one: their end will not be seen",
           num_digits(left).s);
  return true;
}

/* Asked before every iteration, and those that were left out count for one. */
static bool is_late(schedule_run *r)
{
  enum { EACH = 64 };
  if (r->s->until <= 0 || r->asked++ % EACH || clock_processor() < r->s->until)
    return false;
  snprintf(r->why, sizeof r->why, "its time was over before its end was seen");
  return true;
}

static schedule_flow run_iterations(schedule_run *r, const schedule_node *n, const schedule_loop *l,
                                    const iterations *t, uint64_t from, uint64_t to)
{
  for (uint64_t i = from; i < to;) {
    if (is_late(r))
      return SCHEDULE_ENDLESS;
    set_iteration(r, l, t, i);
    uint64_t skipped = r->skip ? r->skip(r->context, r) : 0;
    if (skipped > 0) {
      i += skipped;
      r->since[r->depth - 1] = r->ran;
      r->skipped[n->loop] = true;
      continue;
    }
    schedule_flow flow = ++r->ran >= r->ask && is_endless(r) ? SCHEDULE_ENDLESS : schedule_run_node(r, n->child[0]);
    if (flow != SCHEDULE_ON)
      return flow;
    i++;
    if (r->progress && r->depth <= 2)
      tell_progress(r, i);
  }
  return SCHEDULE_ON;
}

/* The moves of some iterations, unfolded. */
static schedule_flow play_row(schedule_run *r, const schedule_loop *l, const iterations *t, uint64_t from)
{
  size_t n;
  int64_t iteration = 0;
  const pebble_step *step = schedule_rows_steps(r->rows, &n);
  size_t done = r->steps(r->context, step, n);
  r->ran += done;
  if (done == n)
    return r->ran >= r->ask && is_endless(r) ? SCHEDULE_ENDLESS : SCHEDULE_ON;
  schedule_rows_place(r->rows, done, &iteration, &r->at, &r->box);
  set_iteration(r, l, t, from + (uint64_t)iteration);
  return SCHEDULE_STOPPED;
}

static schedule_flow run_rows(schedule_run *r, const schedule_node *n, const schedule_loop *l, const iterations *t)
{
  schedule_flow flow = SCHEDULE_ON;
  for (uint64_t i = 0, to; i < t->iterations && flow == SCHEDULE_ON; i = to) {
    to = t->iterations - i < SCHEDULE_ROW ? t->iterations : i + SCHEDULE_ROW;
    set_iteration(r, l, t, i);
    int64_t from = r->slot[l->slot + SCHEDULE_LO];
    bool unfolds =
        to - i >= SHORT_ROW && schedule_rows_unfold(r->rows, n, r->slot, from, t->backwards, (int64_t)(to - i));
    flow = unfolds ? play_row(r, l, t, i) : run_iterations(r, n, l, t, i, to);
    if (unfolds && r->progress && r->depth <= 2)
      tell_progress(r, to);
  }
  return flow;
}

/* So many iterations, from the first one on, are played as rows that lean. */
static uint64_t tilted_rows(schedule_run *r, const schedule_node *n, const iterations *t)
{
  const schedule_tilted *w = r->tilted ? r->tilted[n->loop] : NULL;
  pebble_move move;
  pebble_drop drop[PEBBLE_ROW_DROPS];
  pebble_rows rows;
  move.drop = drop;
  if (!w || t->iterations < 2 ||
      !schedule_tilted_rows(w, r->slot, t->lo, t->hi, t->backwards, &move, drop, &rows))
    return 0;
  uint64_t done = r->play_rows(r->context, &move, &rows, w->move);
  r->ran += done > 0;
  return done;
}

static schedule_flow run_for(schedule_run *r, const schedule_node *n)
{
  const schedule_loop *l = &r->s->loop[n->loop];
  iterations t;
  if (!range_of(r, l, &t))
    return SCHEDULE_BAD;
  t.backwards = l->reversed != (l->snake && r->entered[n->loop] % 2 == 1);
  r->entered[n->loop]++;
  if (n->child[0]->children == 0)
    return SCHEDULE_ON;
  r->open[r->depth] = n;
  r->since[r->depth] = r->ran;
  r->first[r->depth] = tilted_rows(r, n, &t);
  r->iterations[r->depth++] = t.iterations;
  schedule_flow flow = r->steps && schedule_rows_can(r->rows, n)
                           ? run_rows(r, n, l, &t)
                           : run_iterations(r, n, l, &t, r->first[r->depth - 1], t.iterations);
  if (flow == SCHEDULE_ON)
    r->depth--; /* otherwise the loops stay, to be named in the verdict */
  return flow;
}

static schedule_flow run_if(schedule_run *r, const schedule_node *n)
{
  int64_t condition;
  if (!evaluate(r, n->condition, &condition))
    return SCHEDULE_BAD;
  if (condition)
    return schedule_run_node(r, n->child[0]);
  return n->children > 1 ? schedule_run_node(r, n->child[1]) : SCHEDULE_ON;
}

static schedule_flow run_block(schedule_run *r, const schedule_node *n)
{
  bool whole = n == r->s->body;
  for (int i = 0; i < n->children; i++) {
    if (whole) {
      r->share_size = 1.0 / n->children;
      r->share_from = i * r->share_size;
    }
    const schedule_node *child = n->child[i];
    schedule_flow flow = child->kind == SCHEDULE_MOVE ? run_move(r, child) : schedule_run_node(r, child);
    if (flow != SCHEDULE_ON)
      return flow;
  }
  return SCHEDULE_ON;
}

schedule_flow schedule_run_node(schedule_run *r, const schedule_node *n)
{
  switch (n->kind) {
  case SCHEDULE_BLOCK: return run_block(r, n);
  case SCHEDULE_FOR: return run_for(r, n);
  case SCHEDULE_IF: return run_if(r, n);
  case SCHEDULE_MOVE: break;
  }
  return run_move(r, n);
}

status schedule_run_ends(const schedule_run *r, schedule_flow flow, diag *d)
{
  return flow == SCHEDULE_ENDLESS ? diag_at(d, GAVE_UP, "limit", r->s->file, r->line, r->column, "%s", r->why) : OK;
}

void schedule_run_loops(const schedule_run *r, text *out)
{
  for (int i = 0; i < r->depth; i++) {
    const schedule_loop *l = &r->s->loop[r->open[i]->loop];
    const int64_t *slot = r->slot + l->slot;
    text_printf(out, "%s%s=%" PRId64, i ? ", " : "", l->name, slot[SCHEDULE_LO]);
    if (l->blocked)
      text_printf(out, "..%" PRId64, slot[SCHEDULE_HI]);
  }
}

status schedule_each_move(const schedule *s, schedule_visit visit, void *context, diag *d)
{
  schedule_run r;
  schedule_run_init(&r, s, visit, context);
  schedule_flow flow = schedule_run_node(&r, s->body);
  status st = schedule_run_ends(&r, flow, d);
  if (flow == SCHEDULE_BAD)
    st = diag_at(d, BAD_INPUT, "value", s->file, r.line, r.column, "%s", r.why);
  schedule_run_clear(&r);
  return st;
}
