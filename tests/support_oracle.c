#include "tests/support_oracle.h"
#include "base/mem.h"
#include <string.h>

typedef struct {
  uint32_t *at;
  size_t n, room;
} heap;

typedef struct {
  const cdag_graph *g;
  const pebble_rules *rules;
  uint32_t inputs;
  uint64_t *settled;    /* bits: positions whose cost is known */
  heap now, later;      /* positions of the cost at hand: settled; and of one more, if nothing cheaper leads there */
} oracle;

typedef struct {
  uint32_t red, blue, third;    /* third: computed vertices (one-shot), aggregated edges (partial) */
} position;

static uint32_t bit(uint32_t v) { return (uint32_t)1 << v; }
static uint32_t pack(const oracle *o, position p) { return p.red | p.blue << o->g->n | p.third << 2 * o->g->n; }

static position unpack(const oracle *o, uint32_t code)
{
  uint32_t all = bit(o->g->n) - 1;
  return (position){ code & all, code >> o->g->n & all, code >> 2 * o->g->n };
}

static void append(heap *h, uint32_t code)
{
  h->at = mem_room(h->at, h->n, &h->room, sizeof *h->at);
  h->at[h->n++] = code;
}

static bool is_settled(const oracle *o, uint32_t code) { return o->settled[code / 64] >> code % 64 & 1; }

static void settle(oracle *o, uint32_t code)
{
  if (is_settled(o, code))
    return;
  o->settled[code / 64] |= UINT64_C(1) << code % 64;
  append(&o->now, code);
}

static void for_nothing(oracle *o, position p) { settle(o, pack(o, p)); }

static void for_one(oracle *o, position p)
{
  if (!is_settled(o, pack(o, p)))
    append(&o->later, pack(o, p));
}

static uint32_t edges_into(const cdag_graph *g, uint32_t v)
{
  uint32_t set = 0;
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    set |= bit((uint32_t)e);
  return set;
}

static uint32_t predecessors(const cdag_graph *g, uint32_t v)
{
  uint32_t set = 0;
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    set |= bit(g->pred[e]);
  return set;
}

static bool fits(const oracle *o, uint32_t red) { return (uint64_t)__builtin_popcount(red) <= o->rules->m; }

static void compute_whole(oracle *o, position p, uint32_t v)
{
  uint32_t pred = predecessors(o->g, v), red = p.red;
  if ((o->inputs | red | (o->rules->one_shot ? p.third : 0)) & bit(v) || pred & ~red)
    return;
  if (o->rules->one_shot)
    p.third |= bit(v);
  p.red = red | bit(v);
  if (fits(o, p.red))
    for_nothing(o, p);
  for (uint32_t u = 0; u < o->g->n && o->rules->variant == PEBBLE_SLIDING; u++)
    if (pred & bit(u)) {
      p.red = (red | bit(v)) & ~bit(u);
      for_nothing(o, p);
    }
}

/* One edge at a time. */
static void compute_partial(oracle *o, position p, uint32_t v)
{
  uint32_t into = edges_into(o->g, v), red = p.red;
  if (!(red & bit(v)) && p.third & into)
    return;
  for (uint64_t e = o->g->pred_at[v]; e < o->g->pred_at[v + 1]; e++) {
    uint32_t u = o->g->pred[e], need = edges_into(o->g, u);
    if (p.third & bit((uint32_t)e) || !(red & bit(u)) || (p.third & need) != need || !fits(o, red | bit(v)))
      continue;
    for_nothing(o, (position){ red | bit(v), p.blue & ~bit(v), p.third | bit((uint32_t)e) });
  }
}

static void moves(oracle *o, position p)
{
  for (uint32_t v = 0; v < o->g->n; v++) {
    uint32_t b = bit(v);
    if (p.blue & ~p.red & b && fits(o, p.red | b))
      for_one(o, (position){ p.red | b, p.blue, p.third });
    if (p.red & ~p.blue & b)
      for_one(o, (position){ p.red, p.blue | b, p.third });
    if (p.red & b)
      for_nothing(o, (position){ p.red & ~b, p.blue, p.third });
    if (p.blue & b)
      for_nothing(o, (position){ p.red, p.blue & ~b, p.third });
    if (o->rules->variant == PEBBLE_PARTIAL)
      compute_partial(o, p, v);
    else
      compute_whole(o, p, v);
  }
}

static bool is_goal(const oracle *o, position p)
{
  for (uint32_t v = 0; v < o->g->n; v++) {
    uint32_t into = o->rules->variant == PEBBLE_PARTIAL ? edges_into(o->g, v) : 0;
    if (o->g->output[v] && (!(p.blue & bit(v)) || (p.third & into) != into))
      return false;
  }
  return true;
}

/* All positions of one cost; true when the goal is among them. */
static bool layer(oracle *o)
{
  while (o->now.n) {
    position p = unpack(o, o->now.at[--o->now.n]);
    if (is_goal(o, p))
      return true;
    moves(o, p);
  }
  return false;
}

uint64_t oracle_optimum(const cdag_graph *g, const pebble_rules *rules)
{
  uint64_t third = rules->variant == PEBBLE_PARTIAL ? g->m : rules->one_shot ? g->n : 0, cost = 0;
  oracle o = { .g = g, .rules = rules };
  bool found = false;
  ck_assert(2 * g->n + third <= 27);
  o.settled = MEM_NEW(uint64_t, ((size_t)1 << (2 * g->n + third)) / 64 + 1);
  for (uint32_t v = 0; v < g->n; v++)
    if (cdag_graph_is_input(g, v))
      o.inputs |= bit(v);
  for_nothing(&o, (position){ 0, o.inputs, 0 });
  for (; o.now.n && !(found = layer(&o)); cost++)
    while (o.later.n)
      settle(&o, o.later.at[--o.later.n]);
  mem_free(o.now.at);
  mem_free(o.later.at);
  mem_free(o.settled);
  return found ? cost : ORACLE_IMPOSSIBLE;
}

/* ---- random graphs ---- */

void oracle_shuffle(support_random *r, uint32_t *name, uint32_t n)
{
  for (uint32_t v = 0; v < n; v++)
    name[v] = v;
  for (uint32_t v = n; v-- > 1;) {
    uint32_t u = (uint32_t)support_between(r, 0, v), t = name[u];
    name[u] = name[v];
    name[v] = t;
  }
}

void oracle_relabel(cdag_graph *h, const cdag_graph *g, const uint32_t *name)
{
  uint32_t *from = MEM_NEW(uint32_t, g->m), *to = MEM_NEW(uint32_t, g->m);
  uint8_t *output = MEM_NEW(uint8_t, g->n);
  for (uint32_t v = 0; v < g->n; v++) {
    output[name[v]] = g->output[v];
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++) {
      from[e] = name[g->pred[e]];
      to[e] = name[v];
    }
  }
  ck_assert_int_eq(cdag_graph_init(h, g->n, g->m, from, to, output, NULL), OK);
  memcpy(h->output, output, g->n);
  mem_free(from);
  mem_free(to);
  mem_free(output);
}

void oracle_random_graph(cdag_graph *g, support_random *r, uint32_t n, int density)
{
  uint32_t *name = MEM_NEW(uint32_t, n), *from = MEM_NEW(uint32_t, (size_t)n * n),
           *to = MEM_NEW(uint32_t, (size_t)n * n);
  uint8_t *output = MEM_NEW(uint8_t, n);
  uint64_t m = 0;
  oracle_shuffle(r, name, n);
  for (uint32_t v = 0; v < n; v++) {
    output[v] = support_between(r, 0, 7) == 0;
    for (uint32_t u = 0; u < v; u++)
      if (support_between(r, 0, 99) < density) {
        from[m] = name[u];
        to[m++] = name[v];
      }
  }
  ck_assert_int_eq(cdag_graph_init(g, n, m, from, to, output, NULL), OK);
  for (uint32_t v = 0; v < n; v++) /* a description may have sinks nobody asked for */
    g->output[v] &= support_between(r, 0, 15) != 0;
  mem_free(name);
  mem_free(from);
  mem_free(to);
  mem_free(output);
}
