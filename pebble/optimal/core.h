/* pebble/optimal/core.h -- what a part of the graph, its core, still costs at least, one-shot, placing: all of it, from
   the goal back.

   A play of the graph, without the moves on other vertices, is a play of the core.  Backwards a position is what the
   rest of the play asks for: vertices computed, of those the ones to be red and the ones to be stored that need not be.
   A vertex computed last is taken back: pebbles wanted are given up, each for the load that comes later, until its
   predecessors and itself fit.  docs/optimal.md, 13, proves that the entries for a set of computed vertices
   tell the exact cost to go of every position with that set, up to a limit.  Included with WORDS defined. */
#include "base/mem.h"
#include "base/random.h"
#include "pebble/optimal/bits.h"
#include "pebble/optimal/internal.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  bits red, saved;      /* wanted red; wanted blue, at the price of a store that is still to be made */
  uint32_t cost;        /* loads from here on that are no vertex's first, and stores already placed */
} core_entry;

/* All entries for one set of computed vertices, none of them as good as another. */
typedef struct {
  bits done;
  core_entry *at;
  size_t n, room;
  uint32_t next;        /* the next group with as many computed, plus one; 0: none */
} core_group;

typedef struct {
  int n, m;
  bits *pred, *succ;    /* within the core */
  bits within;          /* its vertices */
  bits input, computed; /* of those, inputs that it reads, and the others */
  bits clean;           /* blue without a store of their own: inputs and outputs */
  uint32_t limit;       /* cost + stores wanted of entries kept */
  uint32_t excess;      /* what all plays cost beyond the moves that every play makes, at least */
  core_group *group;
  size_t groups, group_room;
  uint32_t *slot;       /* number of a group, plus one */
  size_t slots;         /* power of two */
  uint32_t *first;      /* n + 1: by how many are computed */
  uint64_t entries, most, tried;
  bool cut;             /* the limit kept entries out */
  bool full;            /* more than `most` entries, or the time is over */
  const optimal_watch *watch;
} core;

/* ---- the groups ---- */

static inline uint64_t core_hash(bits done)
{
  uint64_t h = 0;
  EACH_WORD(i) h = (h ^ done.w[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
  return h;
}

/* Where done is or belongs. */
static inline size_t core_at(const core *c, bits done)
{
  size_t i = core_hash(done) & (c->slots - 1);
  while (c->slot[i] && bits_compare(c->group[c->slot[i] - 1].done, done) != 0)
    i = (i + 1) & (c->slots - 1);
  return i;
}

static inline void core_widen(core *c)
{
  mem_free(c->slot);
  c->slots *= 2;
  c->slot = MEM_NEW(uint32_t, c->slots);
  for (size_t g = 0; g < c->groups; g++)
    c->slot[core_at(c, c->group[g].done)] = (uint32_t)g + 1;
}

static inline core_group *core_group_of(core *c, bits done)
{
  if (2 * c->groups >= c->slots)
    core_widen(c);
  size_t i = core_at(c, done);
  if (!c->slot[i]) {
    uint32_t *first = &c->first[bits_count(done)];
    c->group = mem_room(c->group, c->groups, &c->group_room, sizeof *c->group);
    c->group[c->groups] = (core_group){ .done = done, .next = *first };
    *first = c->slot[i] = (uint32_t)++c->groups;
  }
  return &c->group[c->slot[i] - 1];
}

/* What it costs to come to ask for a where b is to be had: loads, and stores. */
static inline uint32_t core_short(const core_entry *a, bits red, bits blue)
{
  return (uint32_t)(bits_count(bits_less(a->red, red)) + bits_count(bits_less(a->saved, blue)));
}

static inline void core_enter(core *c, bits done, core_entry e)
{
  c->tried++;
  if (e.cost + (uint32_t)bits_count(e.saved) > c->limit) {
    c->cut = true;
    return;
  }
  core_group *g = core_group_of(c, done);
  for (size_t i = 0; i < g->n; i++)
    if (g->at[i].cost <= e.cost && g->at[i].cost + core_short(&g->at[i], e.red, e.saved) <= e.cost)
      return;
  for (size_t i = 0; i < g->n;)
    if (e.cost <= g->at[i].cost && e.cost + core_short(&e, g->at[i].red, g->at[i].saved) <= g->at[i].cost) {
      g->at[i] = g->at[--g->n];
      c->entries--;
    } else
      i++;
  g->at = mem_room(g->at, g->n, &g->room, sizeof *g->at);
  g->at[g->n++] = e;
  c->full = ++c->entries > c->most;
}

/* ---- one step back ---- */

typedef struct {
  core *c;
  bits done;            /* without x */
  int x;
  core_entry e;
  uint32_t spare;       /* by which cost + stores wanted may grow */
} core_step;

/* Inputs that nothing computed reads are wanted no more: their first load comes then. */
static inline void core_finish(const core_step *k)
{
  core *c = k->c;
  core_entry e = k->e;
  int u;
  e.red = bits_without(bits_or(e.red, c->pred[k->x]), k->x);
  if (bits_has(e.saved, k->x)) {
    e.saved = bits_without(e.saved, k->x);
    e.cost++;
  }
  for (bits t = bits_and(c->pred[k->x], c->input); bits_take(&t, &u);)
    if (!bits_meet(c->succ[u], k->done))
      e.red = bits_without(e.red, u);
  core_enter(c, k->done, e);
}

/* Give up count more of what is wanted red, in every way. */
static inline void core_choose(const core_step *k, bits pool, int count)
{
  if (count <= 0) {
    core_finish(k);
    return;
  }
  for (int v; !k->c->full && bits_count(pool) >= count && bits_take(&pool, &v);) {
    bool owes = bits_has(k->c->clean, v) || bits_has(k->e.saved, v);
    core_step next = *k;
    if (k->spare < (owes ? 1u : 2u)) {
      k->c->cut = true;
      continue;
    }
    next.spare -= owes ? 1 : 2;
    next.e.cost++;
    next.e.red = bits_without(k->e.red, v);
    if (!owes)
      next.e.saved = bits_with(k->e.saved, v);
    core_choose(&next, pool, count - 1);
  }
}

static inline void core_expand(core *c, bits done, const core_entry *e)
{
  core_step k = { .c = c, .e = *e, .spare = c->limit - e->cost - (uint32_t)bits_count(e->saved) };
  for (bits t = done; !c->full && bits_take(&t, &k.x);) {
    if (bits_meet(c->succ[k.x], done))
      continue;
    bits fit = bits_with(c->pred[k.x], k.x);
    k.done = bits_without(done, k.x);
    core_choose(&k, bits_less(e->red, fit), bits_count(bits_or(e->red, fit)) - c->m);
  }
}

static inline int core_by_cost(const void *a, const void *b)
{
  uint32_t x = ((const core_entry *)a)->cost, y = ((const core_entry *)b)->cost;
  return x < y ? -1 : x > y;
}

static inline void core_forget(core *c)
{
  for (size_t g = 0; g < c->groups; g++)
    mem_free(c->group[g].at);
  memset(c->slot, 0, c->slots * sizeof *c->slot);
  memset(c->first, 0, ((size_t)c->n + 1) * sizeof *c->first);
  c->groups = 0;
  c->entries = 0;
  c->cut = c->full = false;
}

/* All entries of at most `limit`. */
static inline void core_build(core *c, uint32_t limit, uint64_t most)
{
  core_forget(c);
  c->limit = limit;
  c->most = most;
  core_enter(c, c->computed, (core_entry){ .cost = 0 });
  for (int level = bits_count(c->computed); level > 0 && !c->full; level--)
    for (uint32_t i = c->first[level]; i && !c->full; i = c->group[i - 1].next) {
      core_group g = c->group[i - 1];
      qsort(g.at, g.n, sizeof *g.at, core_by_cost);
      for (size_t j = 0; j < g.n && !c->full; j++)
        core_expand(c, g.done, &g.at[j]);
      c->full |= clock_seconds() >= c->watch->deadline;
    }
}

/* What all plays cost beyond the moves that every play makes; limit + 1 if that is not known. */
static inline uint32_t core_least(const core *c)
{
  uint32_t i = c->first[0], least = c->limit + 1;
  for (size_t j = 0; i && j < c->group[i - 1].n; j++)
    least = c->group[i - 1].at[j].cost < least ? c->group[i - 1].at[j].cost : least;
  return least;
}

/* ---- asking ---- */

static inline bits core_live(const core *c, bits done)
{
  bits live = { { 0 } };
  int v;
  for (bits t = bits_and(done, c->computed); bits_take(&t, &v);)
    if (!bits_within(c->succ[v], done))
      live = bits_with(live, v);
  for (bits t = c->input; bits_take(&t, &v);)
    if (bits_meet(c->succ[v], done) && !bits_within(c->succ[v], done))
      live = bits_with(live, v);
  return live;
}

/* What the core costs beyond the first load of each input, the store of each output and one load for what is blue
   only. */
static inline uint32_t core_beyond(const core *c, bits done, bits red, bits blue)
{
  done = bits_and(done, c->computed);
  bits live = core_live(c, done), saved = bits_and(blue, live);
  uint32_t owed = (uint32_t)bits_count(bits_less(saved, red)), i = c->slot[core_at(c, done)];
  uint32_t stores = (uint32_t)bits_count(bits_less(saved, c->clean)), least = c->limit + 1;
  least = least > stores ? least - stores : 0;
  if (i)
    for (const core_entry *e = c->group[i - 1].at, *end = e + c->group[i - 1].n; e < end && e->cost < least; e++) {
      uint32_t cost = e->cost + core_short(e, red, saved);
      least = cost < least ? cost : least;
    }
  return least > owed ? least - owed : 0;
}

/* ---- which core ---- */

static inline void core_init(core *c, int n, int m, const optimal_watch *watch)
{
  *c = (core){ .n = n, .m = m, .slots = 1 << 10, .watch = watch };
  c->pred = MEM_NEW(bits, (size_t)n);
  c->succ = MEM_NEW(bits, (size_t)n);
  c->slot = MEM_NEW(uint32_t, c->slots);
  c->first = MEM_NEW(uint32_t, (size_t)n + 1);
}

static inline void core_clear(core *c)
{
  core_forget(c);
  mem_free(c->pred);
  mem_free(c->succ);
  mem_free(c->group);
  mem_free(c->slot);
  mem_free(c->first);
}

/* The graph as a whole, for those that pick a core of it. */
typedef struct {
  const bits *pred, *succ;
  bits input, output, all;
} core_whole;

static inline void core_take(core *c, const core_whole *w, bits within)
{
  c->within = within;
  c->input = bits_and(w->input, within);
  c->computed = bits_less(within, w->input);
  c->clean = bits_and(bits_or(w->input, w->output), within);
  for (int v = 0; v < c->n; v++) {
    bool in = bits_has(within, v);
    c->pred[v] = in ? bits_and(w->pred[v], within) : (bits){ { 0 } };
    c->succ[v] = in ? bits_and(w->succ[v], within) : (bits){ { 0 } };
  }
}

/* From `least` on, which is known: the least excess of the core, or one not reached with so many entries. */
static inline uint32_t core_excess(core *c, uint32_t least, uint64_t most)
{
  for (core_build(c, least, most); !c->full && core_least(c) > c->limit;)
    core_build(c, c->limit + 1, most);
  return c->full ? c->limit : core_least(c);
}

/* Without the vertices of the fewest edges, until `size` are left. */
static inline bits core_peel(const core_whole *w, int size)
{
  bits within = w->all;
  for (int left = bits_count(within); left > size; left--) {
    int v, worst = -1, fewest = 0;
    for (bits t = within; bits_take(&t, &v);) {
      int edges = bits_count(bits_and(bits_or(w->pred[v], w->succ[v]), within));
      if (worst < 0 || edges < fewest)
        worst = v, fewest = edges;
    }
    within = bits_without(within, worst);
  }
  return within;
}

static inline int core_any(random_source *r, bits of)
{
  int v = -1;
  for (uint64_t i = random_below(r, (uint64_t)bits_count(of)) + 1; i > 0; i--)
    bits_take(&of, &v);
  return v;
}

/* A core to improve on. */
typedef struct {
  const core_whole *w;
  random_source random;
  bits within;
  uint32_t least;       /* its excess; that much at least, if `open` */
  bool open;
  uint64_t few;         /* entries that the vertex added last has left; 0: not known */
} core_search;

/* One exchange, kept unless the core has less excess then, or too many entries where it had not. */
static inline void core_try(core *c, core_search *s, uint64_t most)
{
  bits trial = bits_without(s->within, core_any(&s->random, s->within));
  trial = bits_with(trial, core_any(&s->random, bits_less(s->w->all, s->within)));
  core_take(c, s->w, trial);
  c->tried += 1000; /* what a trial costs anyway */
  if (s->least > 0)
    core_build(c, s->least - 1, most);
  if (s->least > 0 && (c->full || core_least(c) <= c->limit))
    return;
  uint32_t least = core_excess(c, s->least, most);
  if (least > s->least || s->open || !c->full)
    *s = (core_search){ s->w, s->random, trial, least, c->full, 0 };
}

/* The vertex outside that leaves the fewest entries up to `limit`, or the first that leaves no more than there were or
   no play within the excess.  -1: none leaves at most `most`. */
static inline int core_next(core *c, core_search *s, uint32_t limit, uint64_t most)
{
  int v, best = -1;
  uint64_t fewest = most + 1;
  for (bits t = bits_less(s->w->all, s->within); fewest > s->few && bits_take(&t, &v);) {
    core_take(c, s->w, bits_with(s->within, v));
    core_build(c, limit, fewest - 1);
    if (c->full)
      continue;
    best = v;
    fewest = limit >= s->least && core_least(c) > limit ? 0 : c->entries;
  }
  if (best >= 0)
    s->few = fewest;
  return best;
}

/* More vertices, while entries up to the excess are few. */
static inline void core_grow(core *c, core_search *s, uint64_t work, uint64_t most)
{
  for (uint64_t end = c->tried + work; c->tried < end && clock_seconds() < c->watch->deadline;) {
    int v = core_next(c, s, s->least, most);
    if (v < 0)
      return;
    s->within = bits_with(s->within, v);
    if (s->few == 0) {
      core_take(c, s->w, s->within);
      s->least = core_excess(c, s->least, most);
    }
  }
}

/* More vertices, chosen by entries up to less than the excess, while those up to `top` are at most `large`. */
static inline void core_stretch(core *c, core_search *s, uint32_t top, uint64_t work, uint64_t most, uint64_t large)
{
  uint32_t limit = s->least;
  for (uint64_t end = c->tried + work; c->tried < end && clock_seconds() < c->watch->deadline;) {
    uint64_t few = s->few;
    int v = core_next(c, s, limit, most);
    if (v < 0 && limit == 0)
      return;
    if (v < 0) {
      limit--;
      s->few = 0;
      continue;
    }
    if (s->few != few || s->few == 0) {
      core_take(c, s->w, bits_with(s->within, v));
      core_build(c, top, large);
      if (c->full)
        return;
      limit += core_least(c) - s->least;
      s->few = core_least(c) > s->least ? 0 : s->few;
      s->least = core_least(c);
    }
    s->within = bits_with(s->within, v);
  }
}

/* Three fifths of the vertices, those with the most edges; then by exchanges as much excess as is found, and more
   vertices. */
static inline void core_pick(core *c, const core_whole *w, uint64_t work, uint64_t most)
{
  core_search s = { .w = w, .random = { 1 }, .within = core_peel(w, 3 * bits_count(w->all) / 5) };
  core_take(c, w, s.within);
  s.least = core_excess(c, 0, most);
  s.open = c->full;
  for (uint64_t end = c->tried + work; c->tried < end && clock_seconds() < c->watch->deadline;)
    core_try(c, &s, most);
  core_grow(c, &s, work, most);
  core_take(c, w, s.within);
  c->excess = s.least;
}

/* The core there is, with more vertices. */
static inline void core_add(core *c, const core_whole *w, uint32_t top, uint64_t work, uint64_t most, uint64_t large)
{
  core_search s = { .w = w, .within = c->within, .least = c->excess };
  core_stretch(c, &s, top > s.least ? top : s.least, work, most, large);
  core_take(c, w, s.within);
  c->excess = s.least;
}

/* Up to the highest limit, `limit` at most, with no more than so many entries.  False: there is none, or the time is
   over. */
static inline bool core_raise(core *c, uint32_t limit, uint64_t most)
{
  core_build(c, limit, most);
  if (c->full && c->excess < limit)
    core_build(c, c->excess, most);
  while (c->full && c->limit > 0)
    core_build(c, c->limit - 1, most);
  while (!c->full && c->cut && c->limit < limit) {
    core_build(c, c->limit + 1, most);
    if (c->full) {
      core_build(c, c->limit - 1, most);
      break;
    }
  }
  return !c->full;
}
