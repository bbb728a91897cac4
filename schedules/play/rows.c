/* rows.c -- many iterations of an innermost loop at once (docs/schedule-language.md, section "Loops and conditions").

   On an explicit graph every move is one vertex, and an FFT has millions.  In a loop that holds nothing but such moves
   each index is evaluated for all iterations together (cdag/language/expr_run.h); where one has no value, or none that
   is found there, iterations are left to the way that does one after the other. */
#include "schedules/play/rows.h"
#include "base/mem.h"
#include "cdag/language/expr_run.h"

enum { BOXES = 16 };

typedef struct {
  const schedule_node *node;
  int box;
  const expr *vertex, *dropped; /* dropped: or NULL */
  uint32_t slide;               /* when it is NULL */
  int64_t *at, *drop;           /* by the variable's value, ascending */
} unfolded;

struct schedule_rows {
  const schedule *s;
  bool *can;                   /* by loop */
  unfolded box[BOXES];         /* their rows stay for the next loop */
  int boxes;
  int64_t iterations;
  bool backwards;
  pebble_step *out;
  size_t steps;
};

/* ---- which loops ---- */

/* One vertex, named without the ends of the loop's range? */
static bool is_single(const schedule_box *b, const schedule_loop *l)
{
  const schedule_index *x = &b->index[0];
  return !b->whole && b->indices == 1 && x->kind == CDAG_AT && x->loop < 0 &&
         !expr_uses(x->lo, l->slot + SCHEDULE_HI, l->slot + SCHEDULE_LOOP_SLOTS);
}

static bool good_move(const schedule_node *n, const schedule_loop *l)
{
  bool good =
      n->kind == SCHEDULE_MOVE && n->drops <= 1 && (n->drops == 0 || n->drop[0].whole || is_single(&n->drop[0], l));
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
  for (int i = 0; i < BOXES; i++) {
    w->box[i].at = MEM_NEW(int64_t, SCHEDULE_ROW);
    w->box[i].drop = MEM_NEW(int64_t, SCHEDULE_ROW);
  }
  find_loops(w, s->body);
  return w;
}

void schedule_rows_free(schedule_rows *w)
{
  if (!w)
    return;
  for (int i = 0; i < BOXES; i++) {
    mem_free(w->box[i].at);
    mem_free(w->box[i].drop);
  }
  mem_free(w->can);
  mem_free(w->out);
  mem_free(w);
}

bool schedule_rows_can(const schedule_rows *w, const schedule_node *n) { return w->can[n->loop]; }

/* ---- the moves ---- */

static void list_boxes(schedule_rows *w, const schedule_node *body)
{
  w->boxes = 0;
  for (int i = 0; i < body->children; i++) {
    const schedule_node *n = body->child[i];
    for (int k = 0; k < n->boxes; k++) {
      unfolded *u = &w->box[w->boxes++];
      u->node = n;
      u->box = k;
      u->vertex = n->box[k].index[0].lo;
      u->dropped = n->drops && !n->drop[0].whole ? n->drop[0].index[0].lo : NULL;
      u->slide = n->drops ? PEBBLE_SLIDE_ALL : PEBBLE_NO_SLIDE;
    }
  }
}

static uint32_t dropped_at(const schedule_rows *w, const unfolded *u, int64_t x)
{
  if (!u->dropped)
    return u->slide;
  int64_t v = u->drop[x];
  return v >= 0 && v < w->s->g->graph->n ? (uint32_t)v : PEBBLE_NO_SLIDE;
}

/* Where its values are, in iteration t. */
static int64_t place_of(const schedule_rows *w, int64_t t) { return w->backwards ? w->iterations - 1 - t : t; }

/* Vertices that do not exist are no moves. */
static void write_steps(schedule_rows *w)
{
  uint64_t n = w->s->g->graph->n;
  pebble_step *out = w->out;
  for (int64_t t = 0; t < w->iterations; t++) {
    int64_t x = place_of(w, t);
    for (int k = 0; k < w->boxes; k++) {
      uint64_t v = (uint64_t)w->box[k].at[x];
      if (v < n)
        *out++ = (pebble_step){ w->box[k].node->move, (uint32_t)v, dropped_at(w, &w->box[k], x) };
    }
  }
  w->steps = (size_t)(out - w->out);
}

bool schedule_rows_unfold(schedule_rows *w, const schedule_node *n, const int64_t *slot, int64_t from, bool backwards,
                          int64_t iterations)
{
  expr_env env = { slot, w->s->g->table };
  int variable = w->s->loop[n->loop].slot + SCHEDULE_LO;
  int64_t least = backwards ? from - (iterations - 1) : from;
  w->iterations = iterations;
  w->backwards = backwards;
  list_boxes(w, n->child[0]);
  for (int k = 0; k < w->boxes; k++) {
    const unfolded *u = &w->box[k];
    if (!expr_run(u->vertex, &env, variable, least, iterations, NULL, u->at) ||
        (u->dropped && !expr_run(u->dropped, &env, variable, least, iterations, NULL, u->drop)))
      return false;
  }
  write_steps(w);
  return true;
}

const pebble_step *schedule_rows_steps(const schedule_rows *w, size_t *n)
{
  *n = w->steps;
  return w->out;
}

void schedule_rows_place(const schedule_rows *w, size_t k, int64_t *iteration, const schedule_node **node, int *box)
{
  for (int64_t t = 0; t < w->iterations; t++)
    for (int i = 0; i < w->boxes; i++)
      if ((uint64_t)w->box[i].at[place_of(w, t)] < w->s->g->graph->n && k-- == 0) {
        *iteration = t;
        *node = w->box[i].node;
        *box = w->box[i].box;
        return;
      }
}
