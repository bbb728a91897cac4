/* pebble/extrapolate/bounds.c -- bounds of boxes as functions of the iteration, and for how long they keep their order
   (docs/tile-engine.md, "Fast-forward"). */
#include "base/mem.h"
#include "pebble/extrapolate/internal.h"
#include <stdlib.h>
#include <string.h>

static bool same_bound(const moving *p, const moving *q)
{
  return p->value == q->value && p->step == q->step && p->group == q->group && p->side == q->side;
}

/* Where the bound is in the table, or would be. */
static place_of_bound *look_up(const pebble_forward *f, const moving *m)
{
  uint64_t mixed = ((uint64_t)m->value + (uint64_t)m->step * 0x9e3779b97f4a7c15 +
                    ((uint64_t)m->group * TILE_SIDES + m->side) * 0xc2b2ae3d27d4eb4f) *
                   0x9e3779b97f4a7c15;
  for (size_t i = mixed >> 32;; i++) {
    place_of_bound *at = &f->table[i & (f->table_room - 1)];
    if (at->epoch != f->epoch || same_bound(&f->bound[at->bound], m))
      return at;
  }
}

static void put_all(pebble_forward *f)
{
  f->epoch++;
  for (size_t i = 0; i < f->bounds; i++)
    *look_up(f, &f->bound[i]) = (place_of_bound){ f->epoch, (uint32_t)i };
}

static void forget_bounds(pebble_forward *f)
{
  f->bounds = f->entries = 0;
  f->moving = 0;
  f->epoch++;
}

/* A table at most half full. */
static void make_room(pebble_forward *f)
{
  if (f->bounds < f->table_room / 2)
    return;
  f->table_room = f->table_room ? 2 * f->table_room : 256;
  mem_free(f->table);
  f->table = MEM_NEW(place_of_bound, f->table_room);
  f->epoch = 0;
  put_all(f);
}

/* Ends of one side may meet in a game that only counts; elsewhere no two bounds may. */
static tile_side side_of(const pebble_forward *f, tile_side side)
{
  return !f->t->blind ? TILE_OTHER : tile_is_low(side) ? TILE_LOW : tile_is_high(side) ? TILE_HIGH : TILE_OTHER;
}

static void put_bound(pebble_forward *f, int32_t group, tile_side side, int64_t value, int64_t step)
{
  moving m = { .group = group, .side = side_of(f, side), .value = value, .step = step };
  if (!f->moves[group])
    return;
  make_room(f);
  place_of_bound *at = look_up(f, &m);
  if (at->epoch != f->epoch) {
    f->bound = mem_room(f->bound, f->bounds, &f->bound_room, sizeof *f->bound);
    m.number = m.step ? ++f->moving : 0;
    f->bound[f->bounds] = m;
    *at = (place_of_bound){ f->epoch, (uint32_t)f->bounds++ };
  }
  if (f->entries == f->entry_room) /* asked here: this is called most often of all */
    f->which = mem_room(f->which, f->entries, &f->entry_room, sizeof *f->which);
  f->which[f->entries++] = at->bound;
}

static bool add_logged(pebble_forward *f, const tile_logged *before, const tile_logged *now)
{
  __int128 step = (__int128)now->value - before->value;
  if (f->moves[now->group] && !tile_tame(now->value, step))
    return false;
  put_bound(f, now->group, now->side, now->value, (int64_t)step);
  return true;
}

static bool add_moved(pebble_forward *f, int32_t group, tile_side side, int64_t before, int64_t now)
{
  int64_t step = now - before;
  put_bound(f, group, side, now, step);
  put_bound(f, group, side, before, step);
  return tile_tame(now, step);
}

static bool add_box(pebble_forward *f, const set_groups *of, const cdag_box *before, const cdag_box *now)
{
  bool tame = true;
  for (int r = 0; r < of->rank; r++) {
    tame &= !f->moves[of->low[r]] || add_moved(f, of->low[r], TILE_LOW, before->lo[r], now->lo[r]);
    tame &= !f->moves[of->high[r]] || add_moved(f, of->high[r], TILE_HIGH, before->hi[r], now->hi[r]);
  }
  return tame;
}

/* Positions before and after iteration b..c. */
static bool add_places(pebble_forward *f, const int *sets, int n, const pebble_mark *b, const pebble_mark *c)
{
  size_t k = 0;
  for (int i = 0; i < n; i++)
    for (; k < c->place.ends[i]; k++)
      if (!forward_is_tilted(f->t, sets[i]) && !add_box(f, &f->of_set[sets[i]], &b->place.box[k], &c->place.box[k]))
        return false;
  return true;
}

/* What never moves: domains and sources, in the names of their array. */
static void add_domain(pebble_forward *f, int array)
{
  const tile_array *a = &f->t->array[array];
  const cdag_box *hull = &f->t->rules.rule[array].hull;
  const set_groups *plain = &f->of_set[PEBBLE_SETS * array + PEBBLE_COMPUTED_SET];
  add_box(f, plain, hull, hull);
  for (size_t s = 0; s < a->source.n; s++)
    add_box(f, plain, &a->source.box[s], &a->source.box[s]);
}

static void add_domains(pebble_forward *f, const int *sets, int n)
{
  for (int i = 0; i < n; i++)
    if (i == 0 || forward_array_of(sets[i]) != forward_array_of(sets[i - 1]))
      add_domain(f, forward_array_of(sets[i]));
}

static void note_group(pebble_forward *f, int32_t group, bool moves)
{
  if (!moves || f->moves[group])
    return;
  f->moves[group] = true;
  f->group[f->groups++] = group;
}

/* Which arrays' boxes move, and along which index? */
static void find_groups(pebble_forward *f, const int *sets, int n, const pebble_mark *a, const pebble_mark *b,
                        const pebble_mark *c)
{
  const tile_logged *order = f->log.order;
  while (f->groups)
    f->moves[f->group[--f->groups]] = false;
  for (size_t i = b->orders, k = a->orders; i < c->orders; i++, k++)
    note_group(f, order[i].group, order[i].value != order[k].value);
  for (size_t i = 0, k = 0; i < (size_t)n; i++)
    for (; k < c->place.ends[i]; k++) {
      const cdag_box *p = &b->place.box[k], *q = &c->place.box[k];
      const set_groups *of = &f->of_set[sets[i]];
      for (int r = 0; r < of->rank && !forward_is_tilted(f->t, sets[i]); r++) {
        note_group(f, of->low[r], p->lo[r] != q->lo[r]);
        note_group(f, of->high[r], p->hi[r] != q->hi[r]);
      }
    }
}

bool forward_collect_bounds(pebble_forward *f, const int *sets, int n, const pebble_mark *a, const pebble_mark *b,
                            const pebble_mark *c)
{
  const tile_log *l = &f->log;
  forget_bounds(f);
  if (!f->of_set)
    forward_groups_of_sets(f);
  find_groups(f, sets, n, a, b, c);
  for (size_t i = b->orders, k = a->orders; i < c->orders; i++, k++)
    if (!add_logged(f, &l->order[k], &l->order[i]))
      return false;
  f->logged = f->entries;
  if (!add_places(f, sets, n, b, c))
    return false;
  f->placed = f->entries;
  add_domains(f, sets, n);
  f->spent += c->orders - b->orders + f->entries * LOOK_COST + f->bounds * BOUND_COST;
  return true;
}
/* ---- for how many iterations do they keep their order? ---- */

static int by_value(const void *a, const void *b)
{
  const moving *p = a, *q = b;
  if (p->group != q->group)
    return p->group < q->group ? -1 : 1;
  if (p->value != q->value)
    return p->value < q->value ? -1 : 1;
  return p->step < q->step ? -1 : p->step > q->step;
}

/* p < q or p = q now; for how many more iterations does that hold?  Ends that may meet: p <= q.  They did not pass each
   other from the iteration before to this one: there, the lesser of two was the other, and what stayed the same may
   have done so by chance. */
static uint64_t keeps(const moving *p, const moving *q, uint64_t most)
{
  __int128 gap = (__int128)q->value - p->value;
  int64_t closing = p->step - q->step;
  if (gap + closing < 0)
    return 0;
  if (closing <= 0) /* as where they are equal: the slower is p */
    return most;
  bool may_meet = p->side == q->side && p->side != TILE_OTHER;
  __int128 iterations = (gap - !may_meet) / closing;
  return iterations < (__int128)most ? (uint64_t)iterations : most;
}

uint64_t forward_order_keeps(pebble_forward *f, uint64_t most)
{
  if (f->bounds == 0) /* nothing red or blue moves with the iterations */
    return most;
  if (f->sorted_room < f->bound_room) {
    f->sorted_room = f->bound_room;
    f->sorted = mem_grow(f->sorted, f->sorted_room, sizeof *f->sorted);
  }
  memcpy(f->sorted, f->bound, f->bounds * sizeof *f->bound);
  qsort(f->sorted, f->bounds, sizeof *f->sorted, by_value);
  for (size_t i = 1; i < f->bounds && most; i++)
    if (f->sorted[i - 1].group == f->sorted[i].group)
      most = keeps(&f->sorted[i - 1], &f->sorted[i], most);
  return most;
}

uint64_t forward_signs_keep(const pebble_forward *f, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c,
                            uint64_t most)
{
  const tile_log *l = &f->log;
  for (size_t i = b->signs, k = a->signs; i < c->signs && most; i++, k++) {
    __int128 step = (__int128)l->sign[i] - l->sign[k];
    if (!tile_tame(l->sign[i], step))
      return 0;
    moving zero = { .side = TILE_OTHER }, v = { .side = TILE_OTHER, .value = l->sign[i], .step = (int64_t)step };
    most = v.value < 0 ? keeps(&v, &zero, most) : keeps(&zero, &v, most);
  }
  return most;
}

/* ---- for the loop outside ---- */

void forward_log_bounds(pebble_forward *f, int64_t iterations)
{
  tile_log *l = &f->log;
  uint32_t seen = 0;
  for (int i = 0; i < f->groups; i++)
    tile_log_equal(l, f->group[i]);
  for (size_t i = 0; i < f->placed; i++) {
    const moving *m = &f->bound[f->which[i]];
    bool first = m->number > seen;
    seen += first;
    tile_log_equal(l, m->number);
    if (i >= f->logged && (first || !m->number))
      tile_log_order(l, m->group, m->side, m->value);
    if (!first)
      continue;
    tile_log_order(l, m->group, m->side, m->value + iterations * m->step);
    tile_log_equal(l, m->step);
  }
}
