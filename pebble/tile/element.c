/* pebble/tile/element.c -- one element computed by its list of predecessors.

   For what is no box even at a single element: a term with '*' over a dimension that later bounds depend on, two terms
   that drop the same pebble, more parts than are kept.  Boxes come here only after they were halved down to one
   element. */
#include "pebble/tile/internal.h"

typedef struct {
  tile_game *t;
  const pebble_move *move;
  bool take;                   /* take the dropped ones away, or only count them */
  uint64_t drops;
} one_element;

static bool is_dropped(const pebble_move *move, const cdag_element *p, int rank)
{
  for (int i = 0; i < move->drops; i++) {
    const pebble_drop *d = &move->drop[i];
    bool in = d->array == p->array;
    for (int r = 0; in && !d->whole && r < rank; r++)
      in = d->box.lo[r] <= p->x[r] && p->x[r] < d->box.hi[r];
    if (in)
      return true;
  }
  return false;
}

static bool look_at(void *context, const cdag_element *p, int term)
{
  one_element *o = context;
  int rank = o->t->rules.rule[p->array].rank;
  (void)term;
  if (!is_dropped(o->move, p, rank))
    return true;
  o->drops++;
  if (o->take) {
    cdag_box b;
    for (int r = 0; r < rank; r++)
      b.lo[r] = p->x[r], b.hi[r] = p->x[r] + 1;
    tile_take_red(o->t, p->array, &b);
  }
  return true;
}

bool tile_compute_element(tile_game *t, const pebble_move *move, const cdag_box *b)
{
  const cdag *g = t->base.g;
  one_element o = { .t = t, .move = move };
  cdag_each_predecessor(g, move->array, b->lo, look_at, &o);
  bool slides = o.drops > 0 && t->base.rules.variant == PEBBLE_SLIDING;
  if (t->blind) {
    tile_count_compute(t, 1 - (int64_t)o.drops, !slides);
    return true;
  }
  uint64_t most = t->base.red + !slides;
  if (most > t->base.rules.m)
    return false;
  if (most > t->base.verdict.peak)
    t->base.verdict.peak = most;
  t->base.red = t->base.red + 1 - o.drops;
  o.take = true;
  cdag_each_predecessor(g, move->array, b->lo, look_at, &o);
  tile_add_red(t, move->array, b);
  if (t->base.rules.one_shot)
    tile_add_computed(t, move->array, b);
  return true;
}
