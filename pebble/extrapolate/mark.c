/* pebble/extrapolate/mark.c -- marks between iterations: counts, and the places of the boxes. */
#include "base/mem.h"
#include "pebble/extrapolate/internal.h"
#include <stdlib.h>
#include <string.h>

enum { PLACE_MOST = 1 << 14 };   /* longer positions are not worth comparing */

static int by_corner(const void *a, const void *b)
{
  const cdag_box *p = a, *q = b;
  for (int r = 0; r < CDAG_RANK; r++) /* unreachable: disjoint boxes have different corners */
    if (p->lo[r] != q->lo[r])
      return p->lo[r] < q->lo[r] ? -1 : 1;
  return 0;
}

const pebble_tiles *forward_set_of(const tile_game *t, int set)
{
  const tile_array *a = &t->array[forward_array_of(set)];
  int kind = set % PEBBLE_SETS;
  return kind == PEBBLE_RED_SET ? &a->red : kind == PEBBLE_BLUE_SET ? &a->blue : &a->computed;
}

bool forward_is_tilted(const tile_game *t, int set)
{
  return set % PEBBLE_SETS != PEBBLE_COMPUTED_SET && t->array[forward_array_of(set)].tilt.on;
}

bool pebble_forward_tilted(const pebble_forward *f)
{
  bool any = false;
  for (int a = 0; a < f->t->base.g->arrays; a++)
    any |= f->t->array[a].tilt.on;
  return any;
}

bool forward_leans(const tile_game *t, int set)
{
  return set % PEBBLE_SETS == PEBBLE_RED_SET && t->array[forward_array_of(set)].red_lean.leans;
}

/* Under which bounds of that set are compared. */
static int32_t group_of(const tile_game *t, int set, int r, bool high)
{
  int array = forward_array_of(set), kind = set % PEBBLE_SETS;
  if (high && forward_leans(t, set) && r == t->array[array].red_lean.side)
    return tile_group(tile_high_group(t, array), r);
  return tile_group(kind == PEBBLE_RED_SET    ? tile_red_group(t, array)
                    : kind == PEBBLE_BLUE_SET ? tile_blue_group(t, array)
                                              : array,
                    r);
}

void forward_groups_of_sets(pebble_forward *f)
{
  int sets = PEBBLE_SETS * f->t->base.g->arrays;
  f->of_set = MEM_NEW(set_groups, (size_t)sets);
  for (int set = 0; set < sets; set++) {
    set_groups *of = &f->of_set[set];
    of->rank = f->t->rules.rule[forward_array_of(set)].rank;
    for (int r = 0; r < of->rank; r++) {
      of->low[r] = group_of(f->t, set, r, false);
      of->high[r] = group_of(f->t, set, r, true);
    }
  }
}

/* Of a tilted set those that may be looked at: the others stay where they are. */
static size_t boxes_of(const tile_game *t, int set)
{
  const tile_array *a = &t->array[forward_array_of(set)];
  return forward_is_tilted(t, set) ? a->window[set % PEBBLE_SETS == PEBBLE_RED_SET].near : forward_set_of(t, set)->n;
}

static bool take_place(const tile_game *t, const int *sets, int n, pebble_place *p)
{
  p->n = 0;
  if (!p->ends)
    p->ends = MEM_NEW(size_t, PEBBLE_SETS * (size_t)t->base.g->arrays);
  for (int i = 0; i < n; i++) {
    const pebble_tiles *s = forward_set_of(t, sets[i]);
    size_t from = p->n, boxes = boxes_of(t, sets[i]);
    if (from + boxes > PLACE_MOST)
      return false;
    for (size_t k = 0; k < boxes; k++) {
      p->box = mem_room(p->box, p->n, &p->room, sizeof *p->box);
      memset(&p->box[p->n], 0, sizeof *p->box);
      pebble_box_copy(&p->box[p->n++], &s->box[k], s->rank);
    }
    if (s->n > 1 && !forward_is_tilted(t, sets[i])) /* those are in order already, see pebble_forward_mark */
      qsort(p->box + from, s->n, sizeof *p->box, by_corner);
    p->ends[i] = p->n;
  }
  return true;
}

void pebble_forward_counts(pebble_forward *f, pebble_mark *m)
{
  const pebble_game *game = &f->t->base;
  size_t bytes = (size_t)game->g->arrays * sizeof(num_count);
  m->loads = game->verdict.loads;
  m->stores = game->verdict.stores;
  m->computes = game->verdict.computes;
  m->moves = game->verdict.moves;
  m->red = game->red;
  if (!m->loads_by) {
    m->loads_by = MEM_NEW(num_count, (size_t)game->g->arrays);
    m->stores_by = MEM_NEW(num_count, (size_t)game->g->arrays);
  }
  memcpy(m->loads_by, game->loads, bytes);
  memcpy(m->stores_by, game->stores, bytes);
}

void pebble_forward_mark(pebble_forward *f, const int *sets, int n, bool with_place, pebble_mark *m)
{
  for (int i = 0; i < n; i++)
    if (forward_is_tilted(f->t, sets[i]))
      tile_tilt_sort(f->t, forward_array_of(sets[i]), sets[i] % PEBBLE_SETS == PEBBLE_RED_SET);
  tile_log_part(&f->log);
  m->orders = f->log.orders;
  m->signs = f->log.signs;
  m->equals = f->log.equals;
  m->reaches = f->log.reaches;
  m->volumes = f->log.volumes;
  m->products = f->log.products;
  m->irregular = f->log.irregular;
  pebble_forward_counts(f, m);
  m->whole = with_place && take_place(f->t, sets, n, &m->place);
  f->spent += with_place ? m->place.n * PLACE_COST : 0;
}

void pebble_mark_clear(pebble_mark *m)
{
  mem_free(m->loads_by);
  mem_free(m->stores_by);
  mem_free(m->place.box);
  mem_free(m->place.ends);
  *m = (pebble_mark){ 0 };
}

uint64_t pebble_forward_peak(pebble_forward *f)
{
  uint64_t peak = f->t->base.verdict.peak;
  f->t->base.verdict.peak = f->t->base.red;
  return peak;
}

void pebble_forward_restore_peak(pebble_forward *f, uint64_t peak)
{
  if (f->t->base.verdict.peak < peak)
    f->t->base.verdict.peak = peak;
}
