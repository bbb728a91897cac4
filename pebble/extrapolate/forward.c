/* pebble/extrapolate/forward.c -- the induction step of fast-forward (docs/tile-engine.md). */
#include "pebble/extrapolate/forward.h"
#include "base/mem.h"
#include "base/num.h"
#include "pebble/extrapolate/amounts.h"
#include "pebble/extrapolate/internal.h"
#include <stddef.h>
#include <string.h>

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
      same = !forward_is_tilted(f->t, sets[i]) || steady_box(&a->place.box[k], &b->place.box[k], &c->place.box[k],
                                                             f->t->rules.rule[forward_array_of(sets[i])].rank);
  return same;
}

/* ---- for how many iterations does the rest stay as it is? ---- */

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
    pebble_tiles *s = (pebble_tiles *)forward_set_of(t, sets[i]);
    for (size_t j = 0; k < c->place.ends[i]; j++, k++)
      for (int r = 0; r < s->rank; r++) {
        s->box[j].lo[r] = c->place.box[k].lo[r] + iterations * (c->place.box[k].lo[r] - b->place.box[k].lo[r]);
        s->box[j].hi[r] = c->place.box[k].hi[r] + iterations * (c->place.box[k].hi[r] - b->place.box[k].hi[r]);
      }
    /* what leans has no index: its ends lie apart, or one behind the other */
    if (!forward_leans(t, sets[i]) && !forward_is_tilted(t, sets[i]))
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

/* For a loop outside that is being recorded: the inner argument at its other end, see "Loops in loops". */
static void log_jump(pebble_forward *f, const pebble_mark *a, const pebble_mark *b, const pebble_mark *c, int64_t bend,
                     int64_t iterations)
{
  tile_log *l = &f->log;
  tile_amounts_sum(l, a, b, c, iterations);
  forward_log_bounds(f, iterations);
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
      !steady_tilts(f, sets, n, a, b, c) || !forward_collect_bounds(f, sets, n, a, b, c))
    return 0;
  int degree = tile_amounts_degree(&f->log, a, b, c);
  int64_t bend = degree > 0 ? bend_of(a, b, c) : 0;
  most = bend ? bend_keeps(f, a, b, c, bend, most) : most;
  uint64_t gain = f->t->words ? 0 : tile_amounts_gain(&f->log, a, b, c),
           iterations =
               forward_order_keeps(f, forward_signs_keep(f, a, b, c, tile_amounts_keep(&f->log, a, b, c, most)));
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
