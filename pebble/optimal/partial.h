/* pebble/optimal/partial.h -- the partial game (Papp, Sobczyk and Yzelman 2025): positions and macro-moves of the exact
   solver.

   A macro-move aggregates one edge u -> x: pebbles are given up until u and x fit, those not red are loaded, and every
   red complete predecessor of x goes in with u.  docs/optimal.md proves that some optimal pebbling consists of such
   moves. Included with WORDS defined, once for each width. */
#include "pebble/optimal/orbits.h"
#include <assert.h>

/* edges: those aggregated.  Only vertices still needed have pebbles; a red incomplete vertex is never blue. */
typedef struct {
  bits red, blue, edges;
} position;

typedef struct {
  optimal_game base;
  const cdag_graph *g;
  int m;
  bits *into, *out_of;  /* edges of each vertex */
  bits output;
  orbits orbits;
} partial;

/* The macro-move being put together. */
typedef struct {
  const partial *w;
  optimal_emit emit;
  void *context;
  position before;
  int u, x;
  bits given_up, stored;
  uint32_t cost;
  int64_t spare;        /* I/O by which cost + bound may still grow */
} macro;

static void write(const partial *w, pebble_kind kind, int v)
{
  if (w->base.record)
    pebble_trace_add(w->base.record, kind, (uint32_t)v);
}

static void write_all(const partial *w, pebble_kind kind, bits set)
{
  if (w->base.record)
    for (int v; bits_take(&set, &v);)
      pebble_trace_add(w->base.record, kind, (uint32_t)v);
}

static bool complete(const partial *w, const position *p, int v) { return bits_within(w->into[v], p->edges); }
static bool begun(const partial *w, const position *p, int v) { return bits_meet(w->into[v], p->edges); }

/* Edges into x whose tail is red and complete, not yet aggregated. */
static bits ready(const partial *w, const position *p, int x)
{
  bits set = { { 0 } };
  int e;
  for (bits t = bits_less(w->into[x], p->edges); bits_take(&t, &e);) {
    int u = (int)w->g->pred[e];
    if (bits_has(p->red, u) && complete(w, p, u))
      set = bits_with(set, e);
  }
  return set;
}

/* Aggregate these edges into x: it is red, its blue copy stale; an output is stored when complete.  Returns the I/O. */
static uint32_t aggregate(const partial *w, position *p, int x, bits edges)
{
  write(w, PEBBLE_COMPUTE, x);
  p->red = bits_with(p->red, x);
  p->blue = bits_without(p->blue, x);
  p->edges = bits_or(p->edges, edges);
  if (!bits_has(w->output, x) || !complete(w, p, x))
    return 0;
  write(w, PEBBLE_STORE, x);
  p->blue = bits_with(p->blue, x);
  return 1;
}

/* Take the pebbles off complete vertices all of whose edges are aggregated: what was read last, or completed, in this
   macro-move, and is red. */
static void forget_dead(const partial *w, position *p)
{
  int v;
  for (bits t = p->red; bits_take(&t, &v);) {
    if (!bits_within(w->out_of[v], p->edges) || !complete(w, p, v))
      continue;
    write(w, PEBBLE_DROP, v);
    p->red = bits_without(p->red, v);
    p->blue = bits_without(p->blue, v);
  }
}

/* A red vertex begun and incomplete takes in whatever is red, which is free.  True if there was something. */
static bool absorb(const partial *w, position *p, uint32_t *cost)
{
  int v;
  for (bits t = p->red; bits_take(&t, &v);) {
    bits edges = ready(w, p, v);
    if (bits_empty(edges))
      continue;
    *cost += aggregate(w, p, v, edges);
    return true;
  }
  return false;
}

static uint32_t settle(const partial *w, position *p)
{
  uint32_t cost = 0;
  while (absorb(w, p, &cost))
    ;
  forget_dead(w, p);
  return cost;
}

/* What giving up the pebbles that are in the way of u and x adds at least: each must be loaded again, and what is not
 * blue stored. */
static uint32_t least_to_fit(const partial *w, const position *p, int u, int x)
{
  bits both = bits_with(bits_one(u), x), pool = bits_less(p->red, both);
  int count = bits_count(bits_or(p->red, both)) - w->m, clean = bits_count(bits_and(pool, p->blue));
  return count <= 0 ? 0 : (uint32_t)(count <= clean ? count : 2 * count - clean);
}

/* What the next macro-move adds at least to cost + the bound of what is owed already. */
static uint32_t next_adds(const partial *w, const position *p)
{
  bits at_hand = bits_or(p->red, p->blue);
  uint32_t least = UINT32_MAX;
  for (int x = 0; x < (int)w->g->n && least > 0; x++)
    for (uint64_t e = w->g->pred_at[x]; e < w->g->pred_at[x + 1] && least > 0; e++) {
      int u = (int)w->g->pred[e];
      if (bits_has(p->edges, (int)e) || !bits_has(at_hand, u) || !complete(w, p, u))
        continue;
      uint32_t here = least_to_fit(w, p, u, x);
      least = here < least ? here : least;
    }
  return least == UINT32_MAX ? 0 : least;
}

/* Each incomplete output will be stored, each blue vertex still needed and not red loaded. */
static uint32_t bound(const optimal_game *game, const uint64_t *key)
{
  const partial *w = (const partial *)game;
  position p;
  memcpy(&p, key, sizeof p);
  uint32_t owed = (uint32_t)bits_count(bits_less(p.blue, p.red));
  int v;
  for (bits t = w->output; bits_take(&t, &v);)
    owed += !complete(w, &p, v);
  return owed + next_adds(w, &p);
}

static void finish(const macro *k)
{
  const partial *w = k->w;
  position p = k->before;
  bits load = { { 0 } };
  if (w->base.record)
    w->base.record->n = 0;
  write_all(w, PEBBLE_STORE, k->stored);
  write_all(w, PEBBLE_DROP, k->given_up);
  if (!bits_has(p.red, k->u))
    load = bits_with(load, k->u);
  if (!bits_has(p.red, k->x) && begun(w, &p, k->x))
    load = bits_with(load, k->x);
  write_all(w, PEBBLE_LOAD, load);
  p.red = bits_or(bits_less(p.red, k->given_up), load);
  p.blue = bits_or(p.blue, k->stored);
  uint32_t cost = k->cost + (uint32_t)bits_count(load) + aggregate(w, &p, k->x, ready(w, &p, k->x));
  cost += settle(w, &p);
  uint64_t key[3 * WORDS];
  memcpy(key, &p, sizeof key);
  k->emit(k->context, key, cost);
}

/* Give up count more pebbles out of the pool, in every way; all are needed again, so what is not blue is stored. */
static void choose(const macro *k, bits pool, int count)
{
  if (count <= 0) {
    finish(k);
    return;
  }
  /* unreachable: that nothing is left to take, of count > 0 */
  for (int v; !k->w->base.stop && bits_count(pool) >= count && bits_take(&pool, &v);) {
    macro next = *k;
    next.given_up = bits_with(k->given_up, v);
    next.spare--;                        /* its load */
    if (!bits_has(k->before.blue, v)) {
      next.stored = bits_with(k->stored, v);
      next.cost++;
      next.spare--;
    }
    if (next.spare >= 0)
      choose(&next, pool, count - 1);
  }
}

static void expand(optimal_game *game, const uint64_t *key, optimal_emit emit, void *context)
{
  const partial *w = (const partial *)game;
  macro k = { .w = w, .emit = emit, .context = context, .spare = game->spare };
  memcpy(&k.before, key, sizeof k.before);
  const position *p = &k.before;
  bits at_hand = bits_or(p->red, p->blue);
  k.spare += next_adds(w, p);            /* choose counts it move by move */
  for (k.x = 0; k.x < (int)w->g->n && !w->base.stop; k.x++)
    for (uint64_t e = w->g->pred_at[k.x]; e < w->g->pred_at[k.x + 1]; e++) {
      k.u = (int)w->g->pred[e];
      if (bits_has(p->edges, (int)e) || !bits_has(at_hand, k.u) || !complete(w, p, k.u))
        continue;
      bits both = bits_with(bits_one(k.u), k.x);
      choose(&k, bits_less(p->red, both), bits_count(bits_or(p->red, both)) - w->m);
    }
}

static void start(optimal_game *game, uint64_t *key)
{
  const partial *w = (const partial *)game;
  position p = { .red = { { 0 } } };
  for (uint32_t v = 0; v < w->g->n; v++)
    if (cdag_graph_is_input(w->g, v))
      p.blue = bits_with(p.blue, (int)v);
  memcpy(key, &p, sizeof p);
}

static uint32_t surplus(const optimal_game *game, const uint64_t *a, const uint64_t *b)
{
  (void)game, (void)a, (void)b; /* equal keys */
  return 0;
}

static uint32_t depth(const optimal_game *game, const uint64_t *key)
{
  position p;
  (void)game;
  memcpy(&p, key, sizeof p);
  return (uint32_t)bits_count(p.edges);
}

static void canonical(const optimal_game *game, uint64_t *key, uint16_t *name)
{
  orbits_canonical(&((const partial *)game)->orbits, key, name);
}

static void explain(const optimal_game *game, pebble_optimal_list *list)
{
  orbits_explain(&((const partial *)game)->orbits, list);
}

static void free_partial(optimal_game *game)
{
  partial *w = (partial *)game;
  mem_free(w->into);
  mem_free(w->out_of);
  orbits_clear(&w->orbits);
  mem_free(w);
}

static optimal_game *new_partial(const cdag_graph *g, const pebble_rules *rules)
{
  partial *w = MEM_NEW(partial, 1);
  assert(g->n <= 64 * WORDS && g->m <= 64 * WORDS);
  w->g = g;
  w->m = rules->m < g->n + 1 ? (int)rules->m : (int)g->n + 1;
  w->into = MEM_NEW(bits, g->n);
  w->out_of = MEM_NEW(bits, g->n);
  for (uint32_t v = 0; v < g->n; v++) {
    if (g->output[v] && !cdag_graph_is_input(g, v))
      w->output = bits_with(w->output, (int)v);
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++) {
      w->into[v] = bits_with(w->into[v], (int)e);
      w->out_of[g->pred[e]] = bits_with(w->out_of[g->pred[e]], (int)e);
    }
  }
  w->base = (optimal_game){ .size = sizeof *w,
                            .words = 3 * WORDS,
                            .group = 3 * WORDS,
                            .surplus = surplus,
                            .start = start,
                            .expand = expand,
                            .bound = bound,
                            .depth = depth,
                            .depths = (uint32_t)g->m + 1,
                            .vertices = g->n,
                            .explain = explain,
                            .free = free_partial };
  orbits_init(&w->orbits, g, true);
  if (w->orbits.count)
    w->base.canonical = canonical;
  return &w->base;
}
