/* rows.c -- many turns of an innermost loop at once (docs/schedule-language.md, section "Playing").

   On an explicit graph every move is one vertex, and an FFT has millions.  In a loop that holds nothing but such moves each index is evaluated for
   all turns together: base + slope x + row[x] in turn x.  Numbers are kept below 2^61, of which slope x is twice
   that at most, so that plain arithmetic does; what is larger, or has no value,
   is left to the way that does one turn after the other. */
#include "schedules/rows.h"
#include "base/mem.h"
#include "base/num.h"
#include <assert.h>

enum { BOXES = 16, SCRATCH = 16 };
#define LIMIT (INT64_C(1) << 61)

typedef struct { int64_t base, slope, most; int64_t *row; } line;  /* most: no absolute value in any turn is greater; row: or NULL */

typedef struct {
  const schedule_node *node;
  int box;
  const expr *vertex, *dropped; /* dropped: or NULL */
  uint32_t slide;               /* when it is NULL */
  line at, drop;
} unfolded;

struct schedule_rows {
  const schedule *s;
  bool *can;                   /* by loop */
  unfolded box[BOXES];
  int boxes;
  int64_t *scratch[SCRATCH];   /* rows */
  int used;
  expr_env env;
  int variable;                /* its slot */
  int64_t from, step, turns;
  pebble_step *out;
  size_t steps;
};

/* ---- which loops ---- */

/* One vertex, named without the ends of the loop's range? */
static bool is_single(const schedule_box *b, const schedule_loop *l)
{
  const schedule_index *x = &b->index[0];
  return !b->whole && b->indices == 1 && x->kind == CDAG_AT && x->loop < 0 && !expr_uses(x->lo, l->slot + SCHEDULE_HI, l->slot + SCHEDULE_LOOP_SLOTS);
}

static bool good_move(const schedule_node *n, const schedule_loop *l)
{
  bool good = n->kind == SCHEDULE_MOVE && n->drops <= 1 && (n->drops == 0 || n->drop[0].whole || is_single(&n->drop[0], l));
  for (int i = 0; i < n->boxes && good; i++)
    good = is_single(&n->box[i], l);
  return good;
}

static bool good_loop(const schedule *s, const schedule_node *n)
{
  const schedule_loop *l = &s->loop[n->loop];
  const schedule_node *body = n->child[0];
  int boxes = 0;
  bool good = s->g->graph && !l->blocked && l->over_loop < 0;
  for (int i = 0; i < body->children && good; i++) {
    good = good_move(body->child[i], l);
    boxes += body->child[i]->boxes;
  }
  return good && boxes > 0 && boxes <= BOXES;
}

/* Depth: SCHEDULE_DEPTH. */
static void find_loops(schedule_rows *w, const schedule_node *n)
{
  if (n->kind == SCHEDULE_FOR)
    w->can[n->loop] = good_loop(w->s, n);
  for (int i = 0; i < n->children; i++)
    find_loops(w, n->child[i]);
}

schedule_rows *schedule_rows_new(const schedule *s)
{
  schedule_rows *w = MEM_NEW(schedule_rows, 1);
  w->s = s;
  w->can = MEM_NEW(bool, (size_t)s->loops);
  w->out = MEM_NEW(pebble_step, BOXES * SCHEDULE_ROW);
  for (int i = 0; i < SCRATCH; i++)
    w->scratch[i] = MEM_NEW(int64_t, SCHEDULE_ROW);
  find_loops(w, s->body);
  return w;
}

void schedule_rows_free(schedule_rows *w)
{
  if (!w)
    return;
  for (int i = 0; i < SCRATCH; i++)
    mem_free(w->scratch[i]);
  mem_free(w->can);
  mem_free(w->out);
  mem_free(w);
}

bool schedule_rows_can(const schedule_rows *w, const schedule_node *n) { return w->can[n->loop]; }

/* ---- values ---- */

static int64_t absolute(int64_t v) { return v < 0 ? -v : v; }
static bool small(int64_t v) { return v > -LIMIT && v < LIMIT; }
static bool is_constant(const line *a) { return a->slope == 0 && !a->row; }

static bool set_constant(line *out, int64_t v)
{
  *out = (line){ .base = v, .most = small(v) ? absolute(v) : 0 };
  return small(v);
}

static bool set_variable(const schedule_rows *w, line *out)
{
  int64_t last;
  assert(w->turns > 1); /* then no slope is greater than twice `most` */
  *out = (line){ .base = w->from, .slope = w->step };
  if (!small(w->from) || !num_mul(w->step, w->turns - 1, &last) || !num_add(w->from, last, &last) || !small(last))
    return false;
  out->most = num_max(absolute(w->from), absolute(last));
  return true;
}

static bool add(schedule_rows *w, line *a, const line *b, int64_t sign)
{
  if (a->most + b->most >= LIMIT)
    return false;
  a->base += sign * b->base;
  a->slope += sign * b->slope;
  a->most += b->most;
  if (!b->row)
    return true;
  if (!a->row) {
    a->row = b->row;
    for (int64_t x = 0; x < w->turns && sign < 0; x++)
      a->row[x] = -a->row[x];
    return true;
  }
  for (int64_t x = 0; x < w->turns; x++)
    a->row[x] += sign * b->row[x];
  return true;
}

static bool scale(schedule_rows *w, line *a, int64_t by)
{
  int64_t most;
  if (!small(by) || !num_mul(a->most, absolute(by), &most) || most >= LIMIT)
    return false;
  a->base *= by;
  a->slope *= by;
  a->most = most;
  for (int64_t x = 0; a->row && x < w->turns; x++)
    a->row[x] *= by;
  return true;
}

/* Its values, all in the row. */
static bool spread(schedule_rows *w, line *a)
{
  bool had = a->row != NULL;
  if (!had && w->used == SCRATCH)
    return false;
  if (!had)
    a->row = w->scratch[w->used++];
  for (int64_t x = 0; x < w->turns; x++)
    a->row[x] = a->base + a->slope * x + (had ? a->row[x] : 0);
  a->base = a->slope = 0;
  return true;
}

/* Rounded down; by a power of two without dividing. */
static bool divide(schedule_rows *w, line *a, int64_t by)
{
  if (by < 1 || !spread(w, a))
    return false;
  if ((by & (by - 1)) == 0)
    for (int64_t x = 0, shift = __builtin_ctzll((uint64_t)by); x < w->turns; x++)
      a->row[x] >>= shift;
  else
    for (int64_t x = 0; x < w->turns; x++)
      a->row[x] = num_floor_div(a->row[x], by);
  return true;
}

static bool remainder_of(schedule_rows *w, line *a, int64_t by)
{
  if (by < 1 || !spread(w, a))
    return false;
  if ((by & (by - 1)) == 0)
    for (int64_t x = 0; x < w->turns; x++)
      a->row[x] &= by - 1;
  else
    for (int64_t x = 0; x < w->turns; x++)
      a->row[x] = num_floor_mod(a->row[x], by);
  a->most = num_min(by, LIMIT - 1);
  return by < LIMIT;
}

static bool multiply(schedule_rows *w, line *a, line *b)
{
  int64_t most;
  if (is_constant(b))
    return scale(w, a, b->base);
  if (!num_mul(a->most, b->most, &most) || most >= LIMIT || !spread(w, a) || !spread(w, b))
    return false;
  a->most = most;
  for (int64_t x = 0; x < w->turns; x++)
    a->row[x] *= b->row[x];
  return true;
}

static bool apply(schedule_rows *w, expr_op op, line *a, line *b)
{
  switch (op) {
  case EXPR_ADD: return add(w, a, b, 1);
  case EXPR_SUB: return add(w, a, b, -1);
  case EXPR_DIV: return is_constant(b) && divide(w, a, b->base);
  case EXPR_MOD: return is_constant(b) && remainder_of(w, a, b->base);
  default: return multiply(w, a, b);
  }
}

/* Depth: an expression's. */
static bool value_of(schedule_rows *w, const expr *e, line *out)
{
  int64_t v;
  line b, swapped;
  if (e->op == EXPR_SLOT)
    return e->slot == w->variable ? set_variable(w, out) : set_constant(out, w->env.slot[e->slot]);
  if (!expr_uses(e, w->variable, w->variable + 1))
    return expr_eval(e, &w->env, &v, NULL) == EXPR_OK && set_constant(out, v);
  if (e->op == EXPR_NEG)
    return value_of(w, e->arg[0], out) && scale(w, out, -1);
  if (e->op < EXPR_ADD || e->op > EXPR_MOD)
    return false;
  if (!value_of(w, e->arg[0], out) || !value_of(w, e->arg[1], &b))
    return false;
  if (e->op == EXPR_MUL && is_constant(out)) { /* the constant is on the right */
    swapped = *out;
    *out = b;
    b = swapped;
  }
  return apply(w, e->op, out, &b);
}

/* ---- the moves ---- */

static void list_boxes(schedule_rows *w, const schedule_node *body)
{
  w->boxes = 0;
  for (int i = 0; i < body->children; i++) {
    const schedule_node *n = body->child[i];
    for (int k = 0; k < n->boxes; k++) {
      unfolded *u = &w->box[w->boxes++];
      *u = (unfolded){ .node = n, .box = k, .vertex = n->box[k].index[0].lo, .slide = n->drops ? PEBBLE_SLIDE_ALL : PEBBLE_NO_SLIDE };
      if (n->drops && !n->drop[0].whole)
        u->dropped = n->drop[0].index[0].lo;
    }
  }
}

static inline int64_t at(const line *a, int64_t x) { return a->base + a->slope * x + (a->row ? a->row[x] : 0); }

static uint32_t dropped_at(const schedule_rows *w, const unfolded *u, int64_t x)
{
  if (!u->dropped)
    return u->slide;
  int64_t v = at(&u->drop, x);
  return v >= 0 && v < w->s->g->graph->n ? (uint32_t)v : PEBBLE_NO_SLIDE;
}

/* Vertices that do not exist are no moves. */
static void write_steps(schedule_rows *w)
{
  uint64_t n = w->s->g->graph->n;
  pebble_step *out = w->out;
  for (int64_t x = 0; x < w->turns; x++)
    for (int k = 0; k < w->boxes; k++) {
      uint64_t v = (uint64_t)at(&w->box[k].at, x);
      if (v < n)
        *out++ = (pebble_step){ w->box[k].node->move, (uint32_t)v, dropped_at(w, &w->box[k], x) };
    }
  w->steps = (size_t)(out - w->out);
}

bool schedule_rows_unfold(schedule_rows *w, const schedule_node *n, const int64_t *slot, int64_t from, int64_t step, int64_t turns)
{
  w->env = (expr_env){ slot, w->s->g->table };
  w->variable = w->s->loop[n->loop].slot + SCHEDULE_LO;
  w->from = from;
  w->step = step;
  w->turns = turns;
  w->used = 0;
  list_boxes(w, n->child[0]);
  for (int k = 0; k < w->boxes; k++)
    if (!value_of(w, w->box[k].vertex, &w->box[k].at) || (w->box[k].dropped && !value_of(w, w->box[k].dropped, &w->box[k].drop)))
      return false;
  write_steps(w);
  return true;
}

const pebble_step *schedule_rows_steps(const schedule_rows *w, size_t *n)
{
  *n = w->steps;
  return w->out;
}

void schedule_rows_place(const schedule_rows *w, size_t k, int64_t *turn, const schedule_node **node, int *box)
{
  for (int64_t x = 0; x < w->turns; x++)
    for (int i = 0; i < w->boxes; i++)
      if ((uint64_t)at(&w->box[i].at, x) < w->s->g->graph->n && k-- == 0) {
        *turn = x;
        *node = w->box[i].node;
        *box = w->box[i].box;
        return;
      }
}
