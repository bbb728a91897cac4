/* pebble/extrapolate/copy.c -- iterations that are as the one before under other names. */
#include "base/num.h"
#include "pebble/extrapolate/internal.h"

static bool meets_slices(const pebble_tiles *s, int64_t from, int64_t to)
{
  bool any = false;
  for (size_t i = 0; i < s->n && !any; i++)
    any = s->box[i].lo[0] < to && from < s->box[i].hi[0];
  return any;
}

/* As at the beginning of a play.  An input without elements has no pebbles either. */
static bool all_blue(const tile_game *t, int array)
{
  const pebble_tiles *s = &t->array[array].blue;
  return s->n == 0 ? t->base.g->array[array].count == 0
                   : s->n == 1 && pebble_box_equal(s->box, &t->base.g->array[array].hull, s->rank);
}

static bool bare_slices(const tile_array *a, int64_t from, int64_t to)
{
  return !a->blue_shear.slope && !a->tilt.on && !meets_slices(&a->blue, from, to) &&
         !meets_slices(&a->computed, from, to);
}

bool pebble_forward_bare(pebble_forward *f, const bool *array, int64_t from, int64_t to)
{
  const tile_game *t = f->t;
  bool bare = t->words || t->base.red == 0;
  for (int a = 0; a < t->base.g->arrays && bare && !t->blind; a++)
    bare = (!t->array[a].input || all_blue(t, a)) && (!array[a] || bare_slices(&t->array[a], from, to));
  return bare;
}

/* What the slice holds of a box, the slices after it hold now: the box goes on. */
static void stretch(pebble_forward *f, int array, pebble_tiles *s, int64_t end, int64_t to)
{
  bool any = false;
  for (size_t i = 0; i < s->n; i++)
    if (s->box[i].hi[0] == end) {
      s->box[i].hi[0] = to;
      any = true;
    }
  if (any)
    pebble_tiles_moved(s);
  if (f->recording) {
    tile_log_bound(&f->log, array, 0, TILE_OTHER, end);
    tile_log_bound(&f->log, array, 0, TILE_OTHER, to);
  }
}

static void add_again(num_count *now, num_count before, uint64_t times)
{
  *now = num_plus(*now, num_times(times, *now - before));
}

void pebble_forward_copy(pebble_forward *f, const bool *array, const pebble_mark *m, int64_t value, uint64_t iterations)
{
  tile_game *t = f->t;
  pebble_verdict *v = &t->base.verdict;
  add_again(&v->loads, m->loads, iterations);
  add_again(&v->stores, m->stores, iterations);
  add_again(&v->computes, m->computes, iterations);
  add_again(&v->moves, m->moves, iterations);
  for (int a = 0; a < t->base.g->arrays; a++) {
    add_again(&t->base.loads[a], m->loads_by[a], iterations);
    add_again(&t->base.stores[a], m->stores_by[a], iterations);
    if (array[a] && !t->blind) {
      stretch(f, a, &t->array[a].blue, value + 1, value + 1 + (int64_t)iterations);
      stretch(f, a, &t->array[a].computed, value + 1, value + 1 + (int64_t)iterations);
    }
  }
}
