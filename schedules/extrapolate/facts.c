/* schedules/extrapolate/facts.c -- is the body of a loop affine in its iteration? (docs/tile-engine.md, "What the
   runner vouches for")

   A number varies with the iteration when it reads lo or hi of the loop, or of a loop inside whose range varies.  Such
   a number must be an affine function of the bounds of the loop and of the loops inside taken together, so that it is
   affine in the iteration also while inner iterations are left out; conditions must be comparisons of such numbers.  A
   table of one or two indices counts as affine, and so do min and max: the runner notes, iteration by iteration, that
   the table is read inside one patch, and which argument is the least or greatest. */
#include "base/mem.h"
#include "pebble/extrapolate/forward.h"
#include "schedules/extrapolate/facts.h"
#include <string.h>

typedef struct {
  const schedule *s;
  int loop;
  bool *inside, *varies;       /* by loop */
  bool *touched;               /* by set */
  forward_facts *out;
} facts_walk;

static bool uses_bounds(const facts_walk *w, const expr *e, const bool *of)
{
  for (int l = 0; e && l < w->s->loops; l++)
    if (of[l] && expr_uses(e, w->s->loop[l].slot + SCHEDULE_LO, w->s->loop[l].slot + SCHEDULE_HI + 1))
      return true;
  return false;
}

typedef enum { CONSTANT, AFFINE, BENT } bend;

/* Affine as long as a table is read inside one patch, and one argument is the least or greatest: forward.c sees to
 * that. */
static bool has_pieces(const expr *e) { return e->op == EXPR_TABLE || expr_is_extreme(e); }

/* As a function of the bounds of the loop and those inside. */
static bend bend_of(const facts_walk *w, const expr *e)
{
  bend most = CONSTANT;
  if (!uses_bounds(w, e, w->inside))
    return CONSTANT;
  if (e->op == EXPR_SLOT)
    return AFFINE;
  bool pieces = has_pieces(e) && (e->op != EXPR_TABLE || e->nargs <= 2);
  if (!pieces && e->op != EXPR_NEG && e->op != EXPR_ADD && e->op != EXPR_SUB && e->op != EXPR_MUL)
    return BENT;
  int moving = 0;
  for (int i = 0; i < e->nargs; i++) {
    bend b = bend_of(w, e->arg[i]);
    moving += b != CONSTANT;
    most = b > most ? b : most;
  }
  return e->op == EXPR_MUL && moving > 1 ? BENT : most;
}

static bool good(const facts_walk *w, const expr *e)
{
  return !e || !uses_bounds(w, e, w->varies) || bend_of(w, e) != BENT;
}

/* Part of a condition: comparisons of good numbers (of which others may be made: it is not so), and what does not
 * vary. */
static bool good_part(const facts_walk *w, const expr *e)
{
  if (!uses_bounds(w, e, w->varies))
    return true;
  if (expr_compares_numbers(e))
    return good(w, e->arg[0]) && good(w, e->arg[1]);
  if (!expr_some(e, expr_is_comparison) || e->op == EXPR_TABLE)
    return false;
  for (int i = 0; i < e->nargs; i++)
    if (!good_part(w, e->arg[i]))
      return false;
  return true;
}

static bool good_condition(const facts_walk *w, const expr *e)
{
  return expr_some(e, expr_is_comparison) ? good_part(w, e) : good(w, e);
}

static void ask(facts_walk *w, const expr *e)
{
  int slot = w->s->loop[w->loop].slot;
  if (!e)
    return;
  w->out->first |= expr_uses(e, slot + SCHEDULE_FIRST, slot + SCHEDULE_FIRST + 1);
  w->out->last |= expr_uses(e, slot + SCHEDULE_LAST, slot + SCHEDULE_LAST + 1);
}

static void touch(facts_walk *w, int array, int kind) { w->touched[PEBBLE_SETS * array + kind] = true; }

/* A move of pebbles of one color looks for those of the other, but for a drop or an erasure: there a blue one changes
 * nothing, or a red one. */
static void touch_moved(facts_walk *w, pebble_kind move, int array)
{
  if (move != PEBBLE_ERASE)
    touch(w, array, PEBBLE_RED_SET);
  if (move != PEBBLE_DROP)
    touch(w, array, PEBBLE_BLUE_SET);
}

/* What is blue is no matter to a compute; what it drops is of arrays that its terms read. */
static void touch_computed(facts_walk *w, int array)
{
  const cdag_array *a = &w->s->g->array[array];
  touch(w, array, PEBBLE_RED_SET);
  touch(w, array, PEBBLE_COMPUTED_SET);
  for (int t = 0; t < a->terms; t++)
    touch(w, a->term[t].array, PEBBLE_RED_SET);
}

static bool reads_pieces(const expr *e)
{
  bool any = e && has_pieces(e);
  for (int i = 0; e && i < e->nargs && !any; i++)
    any = reads_pieces(e->arg[i]);
  return any;
}

static void walk_box(facts_walk *w, const schedule_box *b)
{
  for (int i = 0; i < b->indices; i++) {
    ask(w, b->index[i].lo);
    ask(w, b->index[i].hi);
    w->out->able &= good(w, b->index[i].lo) && good(w, b->index[i].hi);
    w->out->pieces |= reads_pieces(b->index[i].lo) || reads_pieces(b->index[i].hi);
  }
}

static void walk_move(facts_walk *w, const schedule_node *n)
{
  for (int i = 0; i < n->boxes; i++) {
    walk_box(w, &n->box[i]);
    if (n->move == PEBBLE_COMPUTE)
      touch_computed(w, n->box[i].array);
    else
      touch_moved(w, n->move, n->box[i].array);
  }
  for (int i = 0; i < n->drops; i++)
    walk_box(w, &n->drop[i]);
}

static void walk_loop(facts_walk *w, const schedule_node *n)
{
  const schedule_loop *l = &w->s->loop[n->loop];
  w->inside[n->loop] = true;
  w->varies[n->loop] = uses_bounds(w, l->lo, w->varies) || uses_bounds(w, l->hi, w->varies) ||
                       (l->over_loop >= 0 && w->varies[l->over_loop]);
  w->out->able &= good(w, l->lo) && good(w, l->hi); /* the block size: forward.c sees that it stays */
  w->out->period = l->snake ? 2 : w->out->period;
  ask(w, l->lo);
  ask(w, l->hi);
  ask(w, l->by);
}

/* Loops outside first, so that inside[] and varies[] are right when an expression is looked at: a body's expressions
   read loops around them only. Depth: SCHEDULE_DEPTH. */
static void walk(facts_walk *w, const schedule_node *n)
{
  if (n->kind == SCHEDULE_FOR && n->loop != w->loop)
    walk_loop(w, n);
  if (n->kind == SCHEDULE_IF) {
    w->out->able &= good_condition(w, n->condition);
    ask(w, n->condition);
  }
  if (n->kind == SCHEDULE_MOVE)
    walk_move(w, n);
  for (int i = 0; i < n->children; i++)
    walk(w, n->child[i]);
}

void schedule_forward_facts(const schedule *s, const schedule_node *n, forward_facts *out)
{
  facts_walk w = { .s = s, .loop = n->loop, .out = out };
  w.inside = MEM_NEW(bool, (size_t)s->loops);
  w.varies = MEM_NEW(bool, (size_t)s->loops);
  w.touched = MEM_NEW(bool, PEBBLE_SETS * (size_t)s->g->arrays);
  *out = (forward_facts){ .known = true, .able = true, .period = 1 };
  w.inside[n->loop] = w.varies[n->loop] = true;
  walk(&w, n);
  out->set = MEM_NEW(int, PEBBLE_SETS * (size_t)s->g->arrays);
  for (int i = 0; i < PEBBLE_SETS * s->g->arrays; i++)
    if (w.touched[i])
      out->set[out->sets++] = i;
  mem_free(w.inside);
  mem_free(w.varies);
  mem_free(w.touched);
}
