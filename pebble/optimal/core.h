/* pebble/optimal/core.h -- what a part of the graph, its core, costs at least, one-shot, placing: all of it, in lists.

   A play of the graph, without the moves on other vertices, is a play of the core.  Backwards a position is what the
   rest of the play asks for: vertices computed, of those the ones to be red and the ones to be stored that need not be.
   A vertex computed last is taken back: pebbles wanted are given up, each for the load that comes later, until its
   predecessors and itself fit.  Forwards a position is what the play so far has left; what is wanted and not there is
   loaded or stored then.  docs/optimal.md, 13, proves that the entries for a set of computed vertices tell the exact
   cost to go of every position with that set, up to a limit, and the cost so far.  Included with WORDS defined. */
#ifndef REDBLUE_OPTIMAL_CORE_H
#define REDBLUE_OPTIMAL_CORE_H
#include "base/mem.h"
#include "pebble/optimal/bits.h"
#include "pebble/optimal/internal.h"
#include <stdlib.h>
#include <string.h>

/* Backwards: wanted red; wanted blue, at the price of a store that is still to be made; loads from here on that are no
   vertex's first, and stores already placed.  Forwards: not red, not stored, and such loads and stores so far. */
typedef struct {
  bits red, saved;
  uint32_t cost;
} core_entry;

/* All entries for one set of computed vertices, none of them as good as another. */
typedef struct {
  bits done;
  core_entry *at;
  size_t n, room;
  uint32_t next;        /* the next group with as many computed, plus one; 0: none */
} core_group;

typedef struct {
  core_group *group;
  size_t groups, group_room;
  uint32_t *slot;       /* number of a group, plus one */
  size_t slots;         /* power of two */
  uint32_t *first;      /* by how many are computed */
  uint64_t entries, most, tried;
  bool full;            /* more than `most` entries, or the time is over */
} core_list;

/* The graph as a whole, for those that pick a core of it. */
typedef struct {
  const bits *pred, *succ;
  bits input, output, all;
} core_whole;

typedef struct core {
  core_whole w;
  int n, m;
  bits *pred, *succ;    /* within the core */
  bits *above, *below;  /* those of the graph that lead to a vertex, and that it leads to, by any way */
  int *room;            /* how many of its vertices may be red while one is computed: it may read others */
  bits within;          /* its vertices */
  bits input, computed; /* of those, inputs that it reads, and the others */
  bits clean;           /* blue without a store of their own: inputs and outputs */
  uint32_t limit;       /* what a play is known to cost, with an entry that is kept */
  core_list back, there;
  bool narrow;          /* `back` holds what plays of at most `limit` come by, and no more */
  const optimal_watch *watch;
} core;

/* ---- a list ---- */

static inline uint64_t core_hash(bits done)
{
  uint64_t h = 0;
  EACH_WORD(i) h = (h ^ done.w[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
  return h;
}

/* Where done is or belongs. */
static inline size_t core_at(const core_list *l, bits done)
{
  size_t i = core_hash(done) & (l->slots - 1);
  while (l->slot[i] && bits_compare(l->group[l->slot[i] - 1].done, done) != 0)
    i = (i + 1) & (l->slots - 1);
  return i;
}

static inline void core_widen(core_list *l)
{
  mem_free(l->slot);
  l->slots *= 2;
  l->slot = MEM_NEW(uint32_t, l->slots);
  for (size_t g = 0; g < l->groups; g++)
    l->slot[core_at(l, l->group[g].done)] = (uint32_t)g + 1;
}

static inline core_group *core_group_of(core_list *l, bits done)
{
  if (2 * l->groups >= l->slots)
    core_widen(l);
  size_t i = core_at(l, done);
  if (!l->slot[i]) {
    uint32_t *first = &l->first[bits_count(done)];
    l->group = mem_room(l->group, l->groups, &l->group_room, sizeof *l->group);
    l->group[l->groups] = (core_group){ .done = done, .next = *first };
    *first = l->slot[i] = (uint32_t)++l->groups;
  }
  return &l->group[l->slot[i] - 1];
}

/* NULL: there is none. */
static inline const core_group *core_find(const core_list *l, bits done)
{
  uint32_t i = l->slot[core_at(l, done)];
  return i ? &l->group[i - 1] : NULL;
}

/* What it costs to come to ask for a where b is to be had: loads, and stores. */
static inline uint32_t core_short(const core_entry *a, bits red, bits blue)
{
  return (uint32_t)(bits_count(bits_less(a->red, red)) + bits_count(bits_less(a->saved, blue)));
}

static inline void core_enter(core_list *l, bits done, core_entry e)
{
  core_group *g = core_group_of(l, done);
  for (size_t i = 0; i < g->n; i++)
    if (g->at[i].cost <= e.cost && g->at[i].cost + core_short(&g->at[i], e.red, e.saved) <= e.cost)
      return;
  for (size_t i = 0; i < g->n;)
    if (e.cost <= g->at[i].cost && e.cost + core_short(&e, g->at[i].red, g->at[i].saved) <= g->at[i].cost) {
      g->at[i] = g->at[--g->n];
      l->entries--;
    } else
      i++;
  g->at = mem_room(g->at, g->n, &g->room, sizeof *g->at);
  g->at[g->n++] = e;
  l->full = ++l->entries > l->most;
}

/* The least cost + core_short of an entry for `done` (cheap ones first), or one found that is `enough`; cap if none is
   less. */
static inline uint32_t core_ask(const core_group *g, bits red, bits blue, uint32_t enough, uint32_t cap)
{
  if (g)
    for (const core_entry *e = g->at, *end = e + g->n; e < end && e->cost < cap && cap > enough; e++) {
      uint32_t cost = e->cost + core_short(e, red, blue);
      cap = cost < cap ? cost : cap;
    }
  return cap;
}

static inline int core_by_cost(const void *a, const void *b)
{
  uint32_t x = ((const core_entry *)a)->cost, y = ((const core_entry *)b)->cost;
  return x < y ? -1 : x > y;
}

static inline void core_list_init(core_list *l, int n)
{
  *l = (core_list){ .slots = 1 << 10 };
  l->slot = MEM_NEW(uint32_t, l->slots);
  l->first = MEM_NEW(uint32_t, (size_t)n + 1);
}

static inline void core_list_forget(core_list *l, int n, uint64_t most)
{
  for (size_t g = 0; g < l->groups; g++)
    mem_free(l->group[g].at);
  memset(l->slot, 0, l->slots * sizeof *l->slot);
  memset(l->first, 0, ((size_t)n + 1) * sizeof *l->first);
  l->groups = 0;
  l->entries = 0;
  l->tried = 0;
  l->most = most;
  l->full = false;
}

static inline void core_list_clear(core_list *l)
{
  for (size_t g = 0; g < l->groups; g++)
    mem_free(l->group[g].at);
  mem_free(l->group);
  mem_free(l->slot);
  mem_free(l->first);
}

/* ---- one step, either way ---- */

typedef struct core_step {
  core *c;
  const core *before;   /* backwards: a smaller core whose list forwards says what leads here; or NULL */
  const core_group *other;      /* of the list that leads the other way, for `done`; NULL: there is none */
  bits done, live;      /* after the step; of the core whose list `other` is of */
  int x;
  core_entry e;         /* forwards: red and stored, not the opposite */
  uint32_t spare;       /* by which the cost of a play may grow */
  void (*finish)(const struct core_step *k);
} core_step;

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

/* Inputs among `of` that nothing computed reads. */
static inline bits core_unread(const core *c, bits of, bits done)
{
  bits set = { { 0 } };
  int u;
  for (bits t = bits_and(of, c->input); bits_take(&t, &u);)
    if (!bits_meet(c->succ[u], done))
      set = bits_with(set, u);
  return set;
}

static inline bits core_not(const core *c, bits a) { return bits_less(c->within, a); }

/* Is there an entry the other way that makes a play of at most the limit? */
static inline bool core_leads(core_step *k, bits red, bits saved)
{
  uint32_t most = k->c->limit - k->e.cost;
  return k->e.cost <= k->c->limit && core_ask(k->other, red, saved, most, most + 1) <= most;
}

/* Inputs that nothing computed reads are wanted no more: their first load comes then. */
static inline void core_finish_back(const core_step *done)
{
  core_step k = *done;
  core *c = k.c;
  k.e.red = bits_without(bits_or(k.e.red, c->pred[k.x]), k.x);
  if (bits_has(k.e.saved, k.x)) {
    k.e.saved = bits_without(k.e.saved, k.x);
    k.e.cost++;
  }
  k.e.red = bits_less(k.e.red, core_unread(c, c->pred[k.x], k.done));
  c->back.tried++;
  if (k.before ? core_leads(&k, core_not(k.before, bits_and(k.e.red, k.live)),
                            core_not(k.before, bits_and(k.e.saved, k.live)))
               : k.e.cost + (uint32_t)bits_count(k.e.saved) <= c->limit)
    core_enter(&c->back, k.done, k.e);
}

static inline void core_finish_there(const core_step *done)
{
  core_step k = *done;
  core *c = k.c;
  bits red = bits_and(bits_with(k.e.red, k.x), k.live), saved = bits_and(k.e.saved, k.live);
  c->there.tried++;
  if (core_leads(&k, red, saved))
    core_enter(&c->there, k.done, (core_entry){ core_not(c, red), core_not(c, saved), k.e.cost });
}

/* Give up count more red ones, in every way: backwards for the load that comes later, forwards for the store. */
static inline void core_choose(const core_step *k, bits pool, int count)
{
  bool back = k->finish == core_finish_back;
  const core_list *l = back ? &k->c->back : &k->c->there;
  if (count <= 0) {
    k->finish(k);
    return;
  }
  for (int v; !l->full && bits_count(pool) >= count && bits_take(&pool, &v);) {
    bool owes = bits_has(k->c->clean, v) || bits_has(k->e.saved, v);
    core_step next = *k;
    if (k->spare < (owes ? 1u : 2u))
      continue;
    next.spare -= owes ? 1 : 2;
    next.e.cost += back || !owes;
    next.e.red = bits_without(k->e.red, v);
    if (!owes)
      next.e.saved = bits_with(k->e.saved, v);
    core_choose(&next, pool, count - 1);
  }
}

/* ---- backwards ---- */

static inline void core_back(core *c, const core *before, const core_group *g)
{
  core_step k = { .c = c, .before = before, .finish = core_finish_back };
  for (bits t = g->done; bits_take(&t, &k.x);) {
    if (bits_meet(c->below[k.x], g->done))
      continue;
    bits fit = bits_with(c->pred[k.x], k.x);
    k.done = bits_without(g->done, k.x);
    if (before) {
      bits done = bits_and(k.done, before->computed);
      k.other = core_find(&before->there, done);
      k.live = core_live(before, done);
    }
    for (size_t j = 0; j < g->n && !c->back.full && (!before || k.other); j++) {
      k.e = g->at[j];
      k.spare = c->limit - k.e.cost - (uint32_t)bits_count(k.e.saved);
      core_choose(&k, bits_less(k.e.red, fit), bits_count(bits_or(k.e.red, fit)) - c->room[k.x]);
    }
  }
}

/* All entries of at most `limit`: of plays, as far as `before` knows; of cost + stores wanted, if it is NULL. */
static inline void core_build_beyond(core *c, const core *before, uint32_t limit, uint64_t most)
{
  core_list *l = &c->back;
  core_list_forget(l, c->n, most);
  c->limit = limit;
  c->narrow = before;
  core_enter(l, c->computed, (core_entry){ .cost = 0 });
  for (int level = bits_count(c->computed); level > 0 && !l->full; level--)
    for (uint32_t i = l->first[level]; i && !l->full; i = l->group[i - 1].next) {
      core_group g = l->group[i - 1];
      qsort(g.at, g.n, sizeof *g.at, core_by_cost);
      core_back(c, before, &g);
      l->full |= clock_seconds() >= c->watch->deadline;
    }
}

static inline void core_build(core *c, uint32_t limit, uint64_t most) { core_build_beyond(c, NULL, limit, most); }

/* What all plays cost beyond the moves that every play makes; limit + 1 if that is not known. */
static inline uint32_t core_least(const core *c)
{
  bits none = { { 0 } };
  return core_ask(core_find(&c->back, none), none, none, 0, c->limit + 1);
}

/* ---- forwards ---- */

static inline void core_on(core *c, const core_group *g)
{
  core_step k = { .c = c, .finish = core_finish_there };
  bits live = core_live(c, g->done), wait = bits_less(c->computed, g->done);
  while (bits_take(&wait, &k.x)) {
    k.done = bits_with(g->done, k.x);
    k.other = bits_within(bits_and(c->above[k.x], c->computed), g->done) ? core_find(&c->back, k.done) : NULL;
    if (!k.other)
      continue;
    bits pred = c->pred[k.x], again = bits_less(pred, core_unread(c, pred, g->done));
    k.live = core_live(c, k.done);
    for (size_t j = 0; j < g->n && !c->there.full; j++) {
      bits red = core_not(c, g->at[j].red), all = bits_or(red, pred);
      k.e = (core_entry){ .red = all, .saved = core_not(c, g->at[j].saved), .cost = g->at[j].cost };
      k.e.cost += (uint32_t)bits_count(bits_less(again, red));
      uint32_t least = k.e.cost + (uint32_t)bits_count(bits_less(live, all));
      if (least > c->limit)
        continue;
      k.spare = c->limit - least;
      core_choose(&k, bits_less(red, pred), bits_count(all) + 1 - c->room[k.x]);
    }
  }
}

/* What plays of at most the limit leave, by the list backwards. */
static inline void core_build_there(core *c, uint64_t most)
{
  core_list *l = &c->there;
  core_list_forget(l, c->n, most);
  core_enter(l, (bits){ { 0 } }, (core_entry){ c->within, c->within, 0 });
  for (int level = 0; level < bits_count(c->computed) && !l->full; level++)
    for (uint32_t i = l->first[level]; i && !l->full; i = l->group[i - 1].next) {
      core_group g = l->group[i - 1];
      qsort(g.at, g.n, sizeof *g.at, core_by_cost);
      core_on(c, &g);
      l->full |= clock_seconds() >= c->watch->deadline;
    }
}

/* ---- asking ---- */

enum { CORE_NEVER = 1 << 15 };  /* no play of at most the limit comes this way */

/* What the core costs beyond the first load of each input, the store of each output and one load for what is blue
   only. */
static inline uint32_t core_beyond(const core *c, bits done, bits red, bits blue)
{
  done = bits_and(done, c->computed);
  bits live = core_live(c, done), saved = bits_and(blue, live);
  uint32_t owed = (uint32_t)bits_count(bits_less(saved, red)), cap = c->limit + 1;
  uint32_t stores = (uint32_t)bits_count(bits_less(saved, c->clean));
  cap = c->narrow ? CORE_NEVER : cap > stores ? cap - stores : 0;
  uint32_t least = core_ask(core_find(&c->back, done), red, saved, 0, cap);
  return least > owed ? least - owed : 0;
}

/* ---- a core of a graph ---- */

/* All that a vertex comes to by one arc after another. */
static inline void core_follow(int n, const bits *arc, bits *all)
{
  memcpy(all, arc, (size_t)n * sizeof *all);
  for (bool more = true; more;) {
    more = false;
    for (int v = 0, u; v < n; v++) {
      bits before = all[v];
      for (bits t = arc[v]; bits_take(&t, &u);)
        all[v] = bits_or(all[v], all[u]);
      more |= bits_compare(all[v], before) != 0;
    }
  }
}

static inline core *core_new(const core_whole *w, int n, int m, const optimal_watch *watch)
{
  core *c = MEM_NEW(core, 1);
  *c = (core){ .w = *w, .n = n, .m = m, .watch = watch };
  c->pred = MEM_NEW(bits, (size_t)n);
  c->succ = MEM_NEW(bits, (size_t)n);
  c->above = MEM_NEW(bits, (size_t)n);
  c->below = MEM_NEW(bits, (size_t)n);
  core_follow(n, w->pred, c->above);
  core_follow(n, w->succ, c->below);
  c->room = MEM_NEW(int, (size_t)n);
  core_list_init(&c->back, n);
  core_list_init(&c->there, n);
  return c;
}

static inline void core_free(core *c)
{
  if (!c)
    return;
  core_list_clear(&c->back);
  core_list_clear(&c->there);
  mem_free(c->pred);
  mem_free(c->succ);
  mem_free(c->above);
  mem_free(c->below);
  mem_free(c->room);
  mem_free(c);
}

static inline void core_take(core *c, bits within)
{
  const core_whole *w = &c->w;
  c->within = within;
  c->input = bits_and(w->input, within);
  c->computed = bits_less(within, w->input);
  c->clean = bits_and(bits_or(w->input, w->output), within);
  for (int v = 0; v < c->n; v++) {
    bool in = bits_has(within, v);
    c->pred[v] = in ? bits_and(w->pred[v], within) : (bits){ { 0 } };
    c->succ[v] = in ? bits_and(w->succ[v], within) : (bits){ { 0 } };
    c->room[v] = c->m - bits_count(bits_less(w->pred[v], within));
  }
}

/* Up to the highest limit, `limit` at most, with no more than so many entries.  False: there is none, or the time is
   over. */
static inline bool core_raise(core *c, uint32_t limit, uint64_t most)
{
  core_build(c, limit, most);
  while (c->back.full && c->limit > 0)
    core_build(c, c->limit - 1, most);
  return !c->back.full;
}
#endif
