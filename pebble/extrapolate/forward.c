/* pebble/extrapolate/forward.c -- the induction step of fast-forward (docs/tile-engine.md). */
#include "pebble/extrapolate/forward.h"
#include "base/mem.h"
#include "base/num.h"
#include "pebble/extrapolate/amounts.h"
#include "pebble/tile/internal.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A bound as a function of the iteration: value now, step per iteration.  Those that move are numbered, from 1. */
typedef struct { int32_t group; uint32_t number; tile_side side; int64_t value, step; } moving;

typedef struct { uint64_t epoch; uint32_t bound; } place_of_bound;

/* Under which the bounds of a set's boxes are compared, by index. */
typedef struct { int rank; int32_t low[CDAG_RANK], high[CDAG_RANK]; } set_groups;

struct pebble_forward {
  tile_game *t;
  tile_log log;
  int recording;
  uint64_t spent;              /* on positions and bounds, in entries of the log */
  moving *bound, *sorted;      /* scratch: distinct ones, in the order of the log and by value */
  size_t bounds, bound_room, sorted_room;
  uint32_t moving;             /* of those, how many move */
  bool *moves;                 /* by group: some bound of it does; the others are left alone */
  int32_t *group;              /* those that do */
  int groups;
  set_groups *of_set;          /* NULL until they are asked for: sets are sheared before the first move */
  uint32_t *which;             /* by entry collected: its bound */
  size_t entries, entry_room;
  size_t logged, placed;       /* entries from the log, and with those from positions */
  place_of_bound *table;       /* bounds by hash; those of other epochs are gone */
  size_t table_room;           /* a power of two */
  uint64_t epoch;
};

enum { PLACE_MOST = 1 << 14 };   /* longer positions are not worth comparing */
/* Of a box of a position, of a bound looked up and of one put in order; an entry of the log costs 1. */
enum { PLACE_COST = 12, LOOK_COST = 2, BOUND_COST = 20 };

pebble_forward *pebble_forward_new(pebble_game *by_tile)
{
  pebble_forward *f = MEM_NEW(pebble_forward, 1);
  f->t = (tile_game *)by_tile;
  f->log.recent = MEM_NEW(tile_recent, TILE_GROUPS * (size_t)by_tile->g->arrays * CDAG_RANK * TILE_SIDES);
  f->log.codes = f->log.epoch = 1;
  f->moves = MEM_NEW(bool, TILE_GROUPS * (size_t)by_tile->g->arrays * CDAG_RANK);
  f->group = MEM_NEW(int32_t, TILE_GROUPS * (size_t)by_tile->g->arrays * CDAG_RANK);
  return f;
}

void pebble_forward_free(pebble_forward *f)
{
  f->t->log = f->t->rules.log = NULL;
  mem_free(f->log.order);
  mem_free(f->log.sign);
  mem_free(f->log.equal);
  mem_free(f->log.reach);
  mem_free(f->log.recent);
  mem_free(f->log.volume);
  mem_free(f->log.product);
  mem_free(f->bound);
  mem_free(f->sorted);
  mem_free(f->which);
  mem_free(f->moves);
  mem_free(f->group);
  mem_free(f->of_set);
  mem_free(f->table);
  mem_free(f);
}

void pebble_forward_record(pebble_forward *f)
{
  f->recording++;
  f->t->log = f->t->rules.log = &f->log;
}

void pebble_forward_rest(pebble_forward *f)
{
  if (--f->recording)
    return;
  f->t->log = f->t->rules.log = NULL;
  f->log.orders = f->log.signs = f->log.equals = f->log.reaches = f->log.volumes = f->log.products = 0;
  f->log.full = false;
}

bool pebble_forward_recording(const pebble_forward *f) { return f->recording > 0; }
bool pebble_forward_full(const pebble_forward *f) { return f->log.full; }
uint64_t pebble_forward_played(const pebble_forward *f) { return f->t->played; }
uint64_t pebble_forward_spent(const pebble_forward *f) { return f->log.written + f->spent; }
void pebble_forward_equal(pebble_forward *f, int64_t value) { tile_log_equal(&f->log, value); }
void pebble_forward_sign(pebble_forward *f, int64_t value) { tile_log_sign(&f->log, value); }
void pebble_forward_range(pebble_forward *f, int64_t length, int64_t by)
{
  tile_log_equal(&f->log, num_floor_mod(length, by));
  tile_log_sign(&f->log, length);
  tile_log_reach(&f->log, num_floor_div(length, by), 0);
}

void pebble_forward_table(pebble_forward *f, int table, const int64_t *at)
{
  const cdag *g = f->t->base.g;
  bool in_patch = tile_note_table(&f->t->rules, table, at);
  for (int i = 0; !in_patch && i < g->table[table].rank; i++)
    tile_log_equal(&f->log, at[i]);
}

int64_t pebble_forward_period(pebble_forward *f, int table)
{
  return cdag_table_period(&f->t->rules.table[table].patches, &f->t->base.g->table[table]);
}

void pebble_forward_irregular(pebble_forward *f) { f->log.irregular++; }

/* ---- marks ---- */

static int by_corner(const void *a, const void *b)
{
  const cdag_box *p = a, *q = b;
  for (int r = 0; r < CDAG_RANK; r++) /* unreachable: disjoint boxes have different corners */
    if (p->lo[r] != q->lo[r])
      return p->lo[r] < q->lo[r] ? -1 : 1;
  return 0;
}

static int array_of(int set) { return set / PEBBLE_SETS; }

static const pebble_tiles *set_of(const tile_game *t, int set)
{
  const tile_array *a = &t->array[array_of(set)];
  int kind = set % PEBBLE_SETS;
  return kind == PEBBLE_RED_SET ? &a->red : kind == PEBBLE_BLUE_SET ? &a->blue : &a->computed;
}

/* Its boxes have slopes of their own: how they lie to what was asked for is recorded as signs, not as bounds. */
static bool is_tilted(const tile_game *t, int set)
{
  return set % PEBBLE_SETS != PEBBLE_COMPUTED_SET && t->array[array_of(set)].tilt.on;
}

bool pebble_forward_tilted(const pebble_forward *f)
{
  bool any = false;
  for (int a = 0; a < f->t->base.g->arrays; a++)
    any |= f->t->array[a].tilt.on;
  return any;
}

static bool leans(const tile_game *t, int set)
{
  return set % PEBBLE_SETS == PEBBLE_RED_SET && t->array[array_of(set)].red_lean.leans;
}

/* Under which bounds of that set are compared. */
static int32_t group_of(const tile_game *t, int set, int r, bool high)
{
  int array = array_of(set), kind = set % PEBBLE_SETS;
  if (high && leans(t, set) && r == t->array[array].red_lean.side)
    return tile_group(tile_high_group(t, array), r);
  return tile_group(kind == PEBBLE_RED_SET    ? tile_red_group(t, array)
                    : kind == PEBBLE_BLUE_SET ? tile_blue_group(t, array)
                                              : array,
                    r);
}

static void find_groups_of_sets(pebble_forward *f)
{
  int sets = PEBBLE_SETS * f->t->base.g->arrays;
  f->of_set = MEM_NEW(set_groups, (size_t)sets);
  for (int set = 0; set < sets; set++) {
    set_groups *of = &f->of_set[set];
    of->rank = f->t->rules.rule[array_of(set)].rank;
    for (int r = 0; r < of->rank; r++) {
      of->low[r] = group_of(f->t, set, r, false);
      of->high[r] = group_of(f->t, set, r, true);
    }
  }
}

/* Of a tilted set those that may be looked at: the others stay where they are. */
static size_t boxes_of(const tile_game *t, int set)
{
  const tile_array *a = &t->array[array_of(set)];
  return is_tilted(t, set) ? a->window[set % PEBBLE_SETS == PEBBLE_RED_SET].near : set_of(t, set)->n;
}

static bool take_place(const tile_game *t, const int *sets, int n, pebble_place *p)
{
  p->n = 0;
  if (!p->ends)
    p->ends = MEM_NEW(size_t, PEBBLE_SETS * (size_t)t->base.g->arrays);
  for (int i = 0; i < n; i++) {
    const pebble_tiles *s = set_of(t, sets[i]);
    size_t from = p->n, boxes = boxes_of(t, sets[i]);
    if (from + boxes > PLACE_MOST)
      return false;
    for (size_t k = 0; k < boxes; k++) {
      p->box = mem_room(p->box, p->n, &p->room, sizeof *p->box);
      memset(&p->box[p->n], 0, sizeof *p->box);
      pebble_box_copy(&p->box[p->n++], &s->box[k], s->rank);
    }
    if (s->n > 1 && !is_tilted(t, sets[i])) /* those are in order already, see pebble_forward_mark */
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
    if (is_tilted(f->t, sets[i]))
      tile_tilt_sort(f->t, array_of(sets[i]), sets[i] % PEBBLE_SETS == PEBBLE_RED_SET);
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

/* ---- do the two iterations differ by steps only? ---- */

static int sign(int64_t v) { return (v > 0) - (v < 0); }
static int64_t kind_of(const tile_logged *bound) { return (int64_t)bound->group * TILE_SIDES + bound->side; }

static bool same_course(const pebble_forward *f, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c)
{
  const tile_log *l = &f->log;
  size_t orders = b->orders - a->orders, equals = b->equals - a->equals;
  if (l->full || a->irregular != c->irregular || c->orders - b->orders != orders || c->equals - b->equals != equals ||
      c->signs - b->signs != b->signs - a->signs)
    return false;
  if (memcmp(l->equal + a->equals, l->equal + b->equals, equals * sizeof *l->equal) || !tile_amounts_alike(l, a, b, c))
    return false;
  for (size_t i = 0; i < orders; i++)
    if (kind_of(&l->order[a->orders + i]) != kind_of(&l->order[b->orders + i]))
      return false;
  for (size_t i = a->signs, k = b->signs; i < b->signs; i++, k++)
    if (sign(l->sign[i]) != sign(l->sign[k]))
      return false;
  return true;
}

static bool same_outline(const pebble_mark *b, const pebble_mark *c, int n)
{
  return b->whole && c->whole && b->place.n == c->place.n &&
         !memcmp(b->place.ends, c->place.ends, (size_t)n * sizeof *b->place.ends);
}

/* Boxes of tilted sets go on by fixed steps from a to b and from b to c: what was recorded of how they lie to others
 * goes on by these, too.  Their slopes stay. */
static bool steady_box(const cdag_box *a, const cdag_box *b, const cdag_box *c, int rank)
{
  bool steady = a->lo[rank] == c->lo[rank] && a->hi[rank] == c->hi[rank];
  for (int r = 0; r <= rank && steady; r++) {
    __int128 low = (__int128)c->lo[r] - b->lo[r], high = (__int128)c->hi[r] - b->hi[r];
    steady = low == (__int128)b->lo[r] - a->lo[r] && high == (__int128)b->hi[r] - a->hi[r] &&
             tile_tame(c->lo[r], low) && tile_tame(c->hi[r], high);
  }
  return steady;
}

static bool steady_tilts(const pebble_forward *f, const int *sets, int n, const pebble_mark *a, const pebble_mark *b,
                         const pebble_mark *c)
{
  bool same = !pebble_forward_tilted(f) || same_outline(a, c, n);
  size_t k = 0;
  for (int i = 0; i < n && same; i++)
    for (; k < c->place.ends[i] && same; k++)
      same = !is_tilted(f->t, sets[i]) || steady_box(&a->place.box[k], &b->place.box[k], &c->place.box[k],
                                                     f->t->rules.rule[array_of(sets[i])].rank);
  return same;
}

/* ---- the bounds as functions of the iteration ---- */

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
      if (!is_tilted(f->t, sets[i]) && !add_box(f, &f->of_set[sets[i]], &b->place.box[k], &c->place.box[k]))
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
    if (i == 0 || array_of(sets[i]) != array_of(sets[i - 1]))
      add_domain(f, array_of(sets[i]));
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
      for (int r = 0; r < of->rank && !is_tilted(f->t, sets[i]); r++) {
        note_group(f, of->low[r], p->lo[r] != q->lo[r]);
        note_group(f, of->high[r], p->hi[r] != q->hi[r]);
      }
    }
}

static bool collect_bounds(pebble_forward *f, const int *sets, int n, const pebble_mark *a, const pebble_mark *b,
                           const pebble_mark *c)
{
  const tile_log *l = &f->log;
  forget_bounds(f);
  if (!f->of_set)
    find_groups_of_sets(f);
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

static uint64_t order_keeps(pebble_forward *f, uint64_t most)
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

static uint64_t signs_keep(const pebble_forward *f, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c,
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

static uint64_t longer(uint64_t step, int64_t other)
{
  uint64_t size = other < 0 ? -(uint64_t)other : (uint64_t)other;
  return size > step ? size : step;
}

/* Iterations times the longest step stay well below 2^63.  All steps are tame by now, but those of volumes. */
static uint64_t reach_keeps(const pebble_forward *f, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c,
                            uint64_t most)
{
  const tile_log *l = &f->log;
  uint64_t step = tile_amounts_step(l, a, b, c);
  if (most == 0)
    return 0;
  for (size_t i = 0; i < f->bounds; i++)
    step = longer(step, f->bound[i].step);
  for (size_t i = b->signs, k = a->signs; i < c->signs; i++, k++)
    step = longer(step, l->sign[i] - l->sign[k]);
  uint64_t iterations = (uint64_t)TILE_REACH_MOST / (step ? step : 1);
  return iterations < most ? iterations : most;
}

/* An iteration that gains pebbles, or climbs higher than the one before, meets the end of memory some time. */
static uint64_t memory_keeps(const pebble_forward *f, const pebble_mark *b, const pebble_mark *c, uint64_t peak,
                             uint64_t gain, uint64_t most)
{
  uint64_t m = f->t->base.rules.m, climb = gain + (c->red > b->red ? c->red - b->red : 0);
  if (climb && (m - peak) / climb < most)
    most = (m - peak) / climb;
  return most;
}

/* How much more b..c gained than a..b. */
static int64_t bend_of(const pebble_mark *a, const pebble_mark *b, const pebble_mark *c)
{
  return (int64_t)(c->red - b->red - (b->red - a->red));
}

/* Iterations whose gains go up or down by `bend` from one to the next: how many are there, and one more, in which every
   moment lies higher than in the iteration before, or in which every moment lies lower?  The highest is then in the
   last, or in c's. */
static uint64_t bend_keeps(const pebble_forward *f, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c,
                           int64_t bend, uint64_t most)
{
  uint64_t swing = tile_amounts_swing(&f->log, a, b, c);
  int64_t now = (int64_t)(c->red - b->red), size = now < 0 ? -now : now;
  bool growing = (now > 0) == (bend > 0);
  if (now == 0 || (growing && now > 0) || (uint64_t)size <= swing || swing > INT32_MAX)
    return 0; /* what gains more and more meets the end of memory */
  uint64_t iterations = growing ? most : ((uint64_t)size - swing) / (uint64_t)(bend < 0 ? -bend : bend);
  return iterations < most ? iterations : most;
}

/* ---- the jump ---- */

/* Before the last a and b: the next choose k + 1 of `at`, or NUM_TOO_MANY. */
static num_count choose_next(num_count choose, num_count at, unsigned k)
{
  num_count all = num_times(choose, at - k);
  return num_known(all) ? all / (k + 1) : NUM_TOO_MANY;
}

/* What a count is so many iterations after v[n-1], its values at the iterations before being v[0], v[1], ..., when it
   is a polynomial of degree n-1 at most: Newton's formula.  Differences may be below zero, so what they add and what
   they take away are two sums. */
static num_count newton(num_count *v, int n, uint64_t iterations)
{
  num_count choose = 1, at = (num_count)iterations + (unsigned)n - 1, more = 0, less = 0;
  if (!num_known(v[n - 1])) /* the largest */
    return NUM_TOO_MANY;
  for (int k = 0; k < n; k++) {
    if ((__int128)v[0] < 0)
      less = num_plus(less, num_times(choose, -v[0]));
    else
      more = num_plus(more, num_times(choose, v[0]));
    choose = choose_next(choose, at, (unsigned)k);
    for (int i = 0; i + 1 < n - k; i++)
      v[i] = v[i + 1] - v[i];
  }
  return num_known(more) && num_known(less) ? more - less : NUM_TOO_MANY;
}

static void move_places(tile_game *t, const int *sets, int n, const pebble_mark *b, const pebble_mark *c,
                        int64_t iterations)
{
  size_t k = 0;
  for (int i = 0; i < n; i++) {
    pebble_tiles *s = (pebble_tiles *)set_of(t, sets[i]);
    for (size_t j = 0; k < c->place.ends[i]; j++, k++)
      for (int r = 0; r < s->rank; r++) {
        s->box[j].lo[r] = c->place.box[k].lo[r] + iterations * (c->place.box[k].lo[r] - b->place.box[k].lo[r]);
        s->box[j].hi[r] = c->place.box[k].hi[r] + iterations * (c->place.box[k].hi[r] - b->place.box[k].hi[r]);
      }
    /* what leans has no index: its ends lie apart, or one behind the other */
    if (!leans(t, sets[i]) && !is_tilted(t, sets[i]))
      pebble_tiles_moved(s);
  }
}

static num_count sum_beyond(const pebble_mark *m, int marks, uint64_t iterations, size_t field)
{
  num_count v[PEBBLE_MARKS];
  for (int i = 0; i < marks; i++)
    memcpy(&v[i], (const char *)&m[i] + field, sizeof *v);
  return newton(v, marks, iterations);
}

/* The pebbles, which may become fewer: below 0 they cannot be. */
static bool red_beyond(const pebble_mark *m, int marks, uint64_t iterations, uint64_t *red)
{
  num_count v[PEBBLE_MARKS];
  for (int i = 0; i < marks; i++)
    v[i] = m[i].red;
  num_count sum = newton(v, marks, iterations);
  *red = (uint64_t)sum;
  return sum <= UINT64_MAX;
}

static void sums_by_array(const pebble_mark *m, int marks, uint64_t iterations, size_t array, num_count *loads,
                          num_count *stores)
{
  num_count in[PEBBLE_MARKS], out[PEBBLE_MARKS];
  const pebble_mark *last = &m[marks - 1];
  *loads = last->loads_by[array];
  *stores = last->stores_by[array];
  if (m->loads_by[array] == *loads && m->stores_by[array] == *stores) /* nothing of it moved */
    return;
  for (int i = 0; i < marks; i++) {
    in[i] = m[i].loads_by[array];
    out[i] = m[i].stores_by[array];
  }
  *loads = newton(in, marks, iterations);
  *stores = newton(out, marks, iterations);
}

/* No legal play drops more pebbles than there are; one that only counts may. */
static bool has_pebbles(const pebble_forward *f, const pebble_mark *m, int marks, uint64_t iterations)
{
  uint64_t red;
  return !f->t->blind || red_beyond(m, marks, iterations, &red);
}

/* climb: how much higher each iteration gets than the one before. */
static void add_counts(tile_game *t, const pebble_mark *m, int marks, uint64_t peak, uint64_t climb,
                       uint64_t iterations)
{
  pebble_verdict *v = &t->base.verdict;
  v->loads = sum_beyond(m, marks, iterations, offsetof(pebble_mark, loads));
  v->stores = sum_beyond(m, marks, iterations, offsetof(pebble_mark, stores));
  v->computes = sum_beyond(m, marks, iterations, offsetof(pebble_mark, computes));
  v->moves = sum_beyond(m, marks, iterations, offsetof(pebble_mark, moves));
  red_beyond(m, marks, iterations, &t->base.red);
  for (int i = 0; i < t->base.g->arrays; i++)
    sums_by_array(m, marks, iterations, (size_t)i, &t->base.loads[i], &t->base.stores[i]);
  peak = num_plus64(peak, iterations * climb); /* no more than memory holds, see memory_keeps */
  if (peak > v->peak)
    v->peak = peak;
}

/* Bounds at the other end of the jump, in the order of the log: iterations of the outer loop are compared so.  Those
   that move, once each, and which entries they are; those that do not are in the log already, but for positions. */
static void log_bounds(pebble_forward *f, int64_t iterations)
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

/* For a loop outside that is being recorded: the inner argument at its other end, see "Loops in loops". */
static void log_jump(pebble_forward *f, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c, int64_t bend,
                     int64_t iterations)
{
  tile_log *l = &f->log;
  tile_amounts_sum(l, a, b, c, iterations);
  log_bounds(f, iterations);
  for (size_t i = b->signs, k = a->signs, end = c->signs; i < end; i++, k++) {
    int64_t step = l->sign[i] - l->sign[k];
    tile_log_sign(l, l->sign[i] + iterations * step);
    tile_log_equal(l, step);
  }
  tile_log_equal(l, bend);
  if (bend) /* what they gain together is no multiple of their number */
    tile_log_equal(l, iterations);
  tile_log_reach(l, iterations, (int64_t)(c->red - b->red));
}

/* Do the iterations recorded before a..b go the same way? */
static bool steady(const pebble_forward *f, const pebble_mark *m, int marks)
{
  for (int i = 0; i + 3 < marks; i++)
    if (!tile_amounts_steady(&f->log, &m[i], &m[i + 1], &m[i + 2], &m[i + 3]))
      return false;
  return true;
}

uint64_t pebble_forward_jump(pebble_forward *f, const int *sets, int n, const pebble_mark *m, int marks, uint64_t peak,
                             uint64_t most, bool *few)
{
  const pebble_mark *a = &m[marks - 3], *b = a + 1, *c = a + 2;
  *few = false;
  if (!same_course(f, a, b, c) || !steady(f, m, marks) || !same_outline(b, c, n) ||
      !steady_tilts(f, sets, n, a, b, c) || !collect_bounds(f, sets, n, a, b, c))
    return 0;
  int degree = tile_amounts_degree(&f->log, a, b, c);
  int64_t bend = degree > 0 ? bend_of(a, b, c) : 0;
  most = bend ? bend_keeps(f, a, b, c, bend, most) : most;
  uint64_t gain = f->t->words ? 0 : tile_amounts_gain(&f->log, a, b, c),
           iterations = order_keeps(f, signs_keep(f, a, b, c, tile_amounts_keep(&f->log, a, b, c, most)));
  iterations = memory_keeps(f, b, c, peak, gain, reach_keeps(f, a, b, c, iterations));
  iterations -= degree > 0 && iterations; /* one more like them is played: no moment of those between lies higher than
                                             in c's iteration or that one */
  *few = iterations && degree > marks - 2;
  if (!iterations || *few || !has_pebbles(f, m, marks, iterations))
    return 0;
  if (f->recording > 1) /* a loop outside is recorded too */
    log_jump(f, a, b, c, bend, (int64_t)iterations);
  move_places(f->t, sets, n, b, c, (int64_t)iterations);
  add_counts(f->t, m, marks, peak, degree > 0 || c->red < b->red ? 0 : c->red - b->red, iterations);
  return iterations;
}

/* ---- iterations under other names ---- */

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

/* ---- the counter's game ---- */

status pebble_blind_new(pebble_game **game, const cdag *g, const pebble_rules *rules, diag *d)
{
  pebble_rules all = *rules;
  all.m = UINT64_MAX;
  status st = pebble_tile_new(game, g, &all, d);
  if (st == OK)
    ((tile_game *)*game)->blind = true;
  return st;
}

void pebble_blind_restart(pebble_game *game)
{
  size_t bytes = (size_t)game->g->arrays * sizeof(num_count);
  game->verdict = (pebble_verdict){ .legal = true };
  game->red = 0;
  ((tile_game *)game)->words = ((tile_game *)game)->below_zero = false;
  memset(game->loads, 0, bytes);
  memset(game->stores, 0, bytes);
}

void pebble_blind_words(pebble_game *game) { ((tile_game *)game)->words = true; }

bool pebble_blind_sane(const pebble_game *game)
{
  return !((const tile_game *)game)->below_zero && game->verdict.peak < UINT64_MAX;
}
