/* schedules/tune/floor.c -- bounds from below on the peak: the pebbles on the board along some iterations
   (docs/counting.md, "The tuner").

   Followed are the first iterations of all loops, and the last full iteration and the last iteration of the outermost
   ones, in each the first iterations of the loops inside; under a causal mask the last iterations hold the longest
   rows, and the part of `for j in hi(I)` before lo(I), where no box is cut, is summed up. What is on the board when an
   iteration begins, or where a statement has no sum, is not known: none is taken to be there.  What a statement adds
   and drops is the same whatever was there, so that the board never holds fewer than are counted. */
#include "schedules/tune/floor.h"
#include "base/mem.h"

typedef struct {
  tune_floors *out;
  formula *f;
  poly_list where;
} walk;

static bool same(const tune_floor *a, poly p, const poly_list *where)
{
  bool equal = poly_equal(a->p, p) && a->where.n == where->n;
  for (size_t i = 0; equal && i < where->n; i++)
    equal = poly_equal(a->where.p[i], where->p[i]);
  return equal;
}

static void add_floor(walk *w, poly red)
{
  tune_floors *out = w->out;
  for (size_t i = 0; i < out->n; i++)
    if (same(&out->floor[i], red, &w->where))
      return;
  if (w->f->world.failed || red.n == 0)
    return;
  out->floor = mem_room(out->floor, out->n, &out->room, sizeof *out->floor);
  tune_floor *a = &out->floor[out->n++];
  *a = (tune_floor){ .p = red };
  for (size_t i = 0; i < w->where.n; i++)
    poly_list_add(&a->where, w->where.p[i]);
}

static bool after_box(walk *w, const schedule_node *n, const schedule_box *b, poly *red)
{
  poly v = { 0 };
  formula *f = w->f;
  bool ok = n->move == PEBBLE_STORE || n->move == PEBBLE_ERASE || formula_box_volume(f, b, &v);
  if (ok)
    *red = poly_add_times(&f->world, *red, v, n->move == PEBBLE_DROP ? -1 : 1, 1);
  if (ok && n->move == PEBBLE_COMPUTE && (ok = formula_dropped(f, n, b, &v)))
    *red = poly_sub(&f->world, *red, v);
  if (ok && (n->move == PEBBLE_LOAD || n->move == PEBBLE_COMPUTE))
    add_floor(w, *red);
  return ok;
}

static bool after_move(walk *w, const schedule_node *n, poly *red)
{
  bool ok = true;
  for (int i = 0; i < n->boxes && ok; i++)
    ok = after_box(w, n, &n->box[i], red);
  return ok;
}

static bool after(walk *w, const schedule_node *n, bool outermost, poly *red);

/* The peaks of one iteration, with `red` on the board when it begins. */
static void one_iteration(walk *w, const schedule_node *n, formula_iteration which, poly red)
{
  size_t assumed = w->where.n;
  if (formula_set_iteration(w->f, n, which) == 1)
    after(w, n->child[0], false, &red);
  formula_leave(w->f, n);
  w->where.n = assumed; /* what has been assumed since is no longer needed */
}

static void iterations_before(walk *w, const schedule_node *n, poly red)
{
  size_t assumed = w->where.n;
  if (formula_add_before(w->f, n, &red))
    add_floor(w, red);
  w->where.n = assumed;
}

static bool after_loop(walk *w, const schedule_node *n, bool outermost, poly *red)
{
  poly none = { 0 };
  one_iteration(w, n, FORMULA_FIRST, *red);
  if (outermost) {
    one_iteration(w, n, FORMULA_LATE, none);
    one_iteration(w, n, FORMULA_LAST, none);
  }
  iterations_before(w, n, *red);
  bool ok = formula_add(w->f, n, red);
  if (ok)
    add_floor(w, *red);
  return ok;
}

static bool after_if(walk *w, const schedule_node *n, bool outermost, poly *red)
{
  int way = formula_condition(w->f, n);
  if (way == 1)
    return after(w, n->child[0], outermost, red);
  return way == 0 && (n->children < 2 || after(w, n->child[1], outermost, red));
}

static bool after_block(walk *w, const schedule_node *n, bool outermost, poly *red)
{
  poly none = { 0 };
  for (int i = 0; i < n->children && !w->f->world.failed; i++) {
    size_t assumed = w->where.n;
    if (after(w, n->child[i], outermost, red))
      continue;
    *red = none;
    w->where.n = assumed;
  }
  return true;
}

/* red: before the statement, then after it.  False: that is not known.  Depth: SCHEDULE_DEPTH. */
static bool after(walk *w, const schedule_node *n, bool outermost, poly *red)
{
  switch (n->kind) {
  case SCHEDULE_FOR: return after_loop(w, n, outermost, red);
  case SCHEDULE_IF: return after_if(w, n, outermost, red);
  case SCHEDULE_MOVE: return after_move(w, n, red);
  default: return after_block(w, n, outermost, red);
  }
}

static void follow(tune_floors *out, formula *f, bool assuming)
{
  walk w = { .out = out, .f = f };
  poly red = { 0 };
  f->assumed = assuming ? &w.where : NULL;
  after(&w, f->s->body, true, &red);
  f->world.failed = false; /* floors were kept while it held */
  f->assumed = NULL;
  poly_list_clear(&w.where);
}

/* What holds for all parameters first. */
void tune_floors_derive(tune_floors *out, formula *f)
{
  *out = (tune_floors){ 0 };
  f->net = true;
  follow(out, f, false);
  follow(out, f, true);
}

void tune_floors_clear(tune_floors *f)
{
  for (size_t i = 0; i < f->n; i++)
    poly_list_clear(&f->floor[i].where);
  mem_free(f->floor);
  *f = (tune_floors){ 0 };
}
