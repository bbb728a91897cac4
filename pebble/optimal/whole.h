/* pebble/optimal/whole.h -- placing and sliding: positions and macro-moves of the exact solver.

   A macro-move computes one vertex x: pebbles are given up until its predecessors and x fit, the predecessors that are
   not red are loaded, x is computed, and an output is stored at once.  docs/optimal.md proves that some optimal
   pebbling consists of such macro-moves (lazy loads, lazy stores, lazy drops), and that the moves made in `settle` lose
   nothing. Included with WORDS defined, once for each width. */
#include "pebble/optimal/chain.h"
#include "pebble/optimal/orbits.h"
#include "pebble/optimal/paths.h"
#include <assert.h>

/* One-shot: blue holds only vertices still needed.  Recomputation: a store that is followed by no load is never made,
   so a vertex stored for later owes a load. */
typedef struct {
  bits red, blue;
  union {
    bits done;          /* one-shot: computed */
    bits owed;          /* recomputation: stored, no output, not loaded since */
  };
} position;

typedef struct {
  optimal_game base;
  int n, m;
  bool sliding, one_shot;
  bits *pred, *succ;
  bits *reach;          /* recomputation: the outputs a vertex leads to, itself included */
  bits input, output, all;
  orbits orbits;
  core_chain *chain;    /* one-shot, placing, after `learn`: how far the cost of the graph is known, */
  core *core;           /* and what a part of it, or all of it, still costs; or NULL */
} whole;

/* Keys begin with what positions must share to be compared by `surplus`. */
static void pack(const whole *w, const position *p, uint64_t *key)
{
  position q = *p;
  if (w->one_shot)
    q = (position){ .red = p->done, .blue = p->red, .done = p->blue };
  memcpy(key, &q, sizeof q);
}

static position unpack(const whole *w, const uint64_t *key)
{
  position q;
  memcpy(&q, key, sizeof q);
  return w->one_shot ? (position){ .red = q.blue, .blue = q.done, .done = q.red } : q;
}

/* The macro-move being put together. */
typedef struct {
  const whole *w;
  optimal_emit emit;
  void *context;
  position before;      /* the position expanded */
  int x;                /* the vertex to compute */
  int slide;            /* the predecessor whose pebble it takes, or -1 */
  bits given_up, stored;
  uint32_t cost;
  int64_t spare;        /* I/O by which cost + bound may still grow */
  int64_t aside;        /* that of it which vertices outside the core may take */
} macro;

static void write(const whole *w, pebble_kind kind, int v)
{
  if (w->base.record)
    pebble_trace_add(w->base.record, kind, (uint32_t)v);
}

static void write_all(const whole *w, pebble_kind kind, bits set)
{
  if (w->base.record)
    for (int v; bits_take(&set, &v);)
      pebble_trace_add(w->base.record, kind, (uint32_t)v);
}

static void write_compute(const whole *w, int x, int slide)
{
  if (w->base.record && slide >= 0)
    pebble_trace_slide(w->base.record, (uint32_t)x, (uint32_t)slide);
  else
    write(w, PEBBLE_COMPUTE, x);
}

/* ---- what is still of use ---- */

static bool dead_after(const whole *w, bits done, int v) { return bits_within(w->succ[v], done); }

/* Recomputation: vertices that lead to an output that is not blue. */
static bits useful(const whole *w, bits among, bits blue)
{
  bits wanted = bits_less(w->output, blue), use = { { 0 } };
  for (int v; bits_take(&among, &v);)
    if (bits_meet(w->reach[v], wanted))
      use = bits_with(use, v);
  return use;
}

/* Predecessors of x that nothing needs once x is computed (one-shot). */
static bits dying(const whole *w, const position *p, int x)
{
  bits done = bits_with(p->done, x), dies = { { 0 } };
  int u;
  for (bits t = w->pred[x]; bits_take(&t, &u);)
    if (dead_after(w, done, u))
      dies = bits_with(dies, u);
  return dies;
}

static void forget(const whole *w, position *p, bits set)
{
  write_all(w, PEBBLE_DROP, bits_and(set, p->red));
  p->red = bits_less(p->red, set);
  p->blue = bits_less(p->blue, set);
}

/* x is computed on the pebble of slide, or on a free one; its store, and what became useless.  Returns the I/O. */
static uint32_t put(const whole *w, position *p, int x, int slide)
{
  uint32_t cost = 0;
  write_compute(w, x, slide);
  if (slide >= 0)
    p->red = bits_without(p->red, slide);
  p->red = bits_with(p->red, x);
  if (bits_has(w->output, x) && !bits_has(p->blue, x)) {
    write(w, PEBBLE_STORE, x);
    p->blue = bits_with(p->blue, x);
    cost = 1;
  }
  if (w->one_shot) {
    bits gone = dying(w, p, x);
    p->done = bits_with(p->done, x);
    if (dead_after(w, p->done, x))
      gone = bits_with(gone, x);
    forget(w, p, gone);
  } else if (cost) {
    bits use = useful(w, bits_or(p->red, p->blue), p->blue);
    write_all(w, PEBBLE_DROP, bits_less(p->red, use));
    p->red = bits_and(p->red, use);
    p->blue = bits_and(p->blue, bits_or(use, w->output));
  }
  return cost;
}

/* ---- moves that lose nothing ---- */

/* One-shot: computing x now costs nothing now or later.  *slide: whose pebble it takes, or -1. */
static bool forced_once(const whole *w, const position *p, int x, int *slide)
{
  bits dies = dying(w, p, x);
  bool room = bits_count(p->red) < w->m, sink = bits_empty(w->succ[x]);
  bool frees = bits_count(dies) >= 2 || !bits_within(dies, p->blue) || (bits_has(w->output, x) && !bits_empty(dies));
  bits t = dies;
  *slide = -1;
  if (w->sliding && bits_take(&t, slide))
    return frees;
  return room && (frees || sink);
}

static bool find_forced(const whole *w, const position *p, int *x, int *slide)
{
  bits next = { { 0 } };
  int u;
  for (bits t = p->red; bits_take(&t, &u);)
    next = bits_or(next, w->succ[u]);
  next = bits_less(next, w->one_shot ? p->done : p->red);
  *slide = -1;
  if (!w->one_shot && bits_count(p->red) >= w->m)
    return false;
  if (!w->one_shot)
    next = useful(w, next, p->blue);
  while (bits_take(&next, x))
    if (bits_within(w->pred[*x], p->red) && (!w->one_shot || forced_once(w, p, *x, slide)))
      return true;
  return false;
}

static uint32_t settle(const whole *w, position *p)
{
  uint32_t cost = 0;
  for (int x, slide; find_forced(w, p, &x, &slide);)
    cost += put(w, p, x, slide);
  return cost;
}

/* ---- what must still be paid ---- */

static bits readers(const whole *w, bits set)
{
  bits next = { { 0 } };
  for (int u; bits_take(&set, &u);)
    next = bits_or(next, w->succ[u]);
  return next;
}

/* One-shot: what giving up the pebbles that are in the way of x adds at least. */
static uint32_t least_to_fit(const whole *w, const position *p, int x)
{
  bits with = bits_or(p->red, w->pred[x]), pool = w->sliding ? with : bits_less(p->red, w->pred[x]);
  int count = bits_count(with) + 1 - w->m;
  if (w->sliding && count > 0 && !bits_empty(dying(w, p, x)))
    count--;
  if (count <= 0)
    return 0;
  int clean = bits_count(bits_and(pool, p->blue));
  return (uint32_t)(count <= clean ? count : 2 * count - clean);
}

/* One-shot: what the next macro-move adds at least to cost + the bound of what is owed already. */
static uint32_t next_adds(const whole *w, const position *p)
{
  bits at_hand = bits_or(p->red, p->blue), next = bits_less(readers(w, at_hand), p->done);
  uint32_t least = UINT32_MAX;
  for (int x; least > 0 && bits_take(&next, &x);)
    if (bits_within(w->pred[x], at_hand)) {
      uint32_t here = least_to_fit(w, p, x);
      least = here < least ? here : least;
    }
  return least == UINT32_MAX ? 0 : least;
}

static uint32_t owed_once(const whole *w, const position *p)
{
  return (uint32_t)(bits_count(bits_less(w->output, p->done)) + bits_count(bits_less(p->blue, p->red)));
}

/* Disjoint paths from inputs, over vertices that are neither red nor owe a load, to the blue vertices that `must`
   reads: each carries a load of its own.  An input read by must is such a path. */
static uint32_t loads_again(const whole *w, const position *p, bits must, bits reads)
{
  bits off = bits_or(bits_or(p->red, p->owed), must);
  bits to = bits_less(reads, off), trivial = bits_and(to, w->input);
  if (bits_within(to, w->input))
    return (uint32_t)bits_count(to);
  paths r = { .succ = w->succ, .inside = bits_less(w->all, off), .to = to, .used = trivial };
  uint32_t count = (uint32_t)bits_count(trivial);
  int v;
  r.from = bits_and(r.inside, w->input);
  for (bits t = trivial; bits_take(&t, &v);)
    r.before[v] = PATHS_START;
  while (paths_add(&r))
    count++;
  return count;
}

/* Vertices that are neither red nor blue and that a missing output needs must be computed.  Every load owed is to come.
   OPTIMAL_HOPELESS: a load is owed by a vertex of no use any more. */
static uint32_t bound_again(const whole *w, const position *p)
{
  if (!bits_within(p->owed, p->blue))
    return OPTIMAL_HOPELESS;
  bits must = bits_less(w->output, p->blue), todo = must, reads = { { 0 } };
  uint32_t stores = (uint32_t)bits_count(must);
  for (int x; bits_take(&todo, &x);) {
    bits need = bits_less(w->pred[x], p->red), more;
    reads = bits_or(reads, need);
    more = bits_less(bits_less(need, p->blue), must);
    must = bits_or(must, more);
    todo = bits_or(todo, more);
  }
  return stores + (uint32_t)bits_count(p->owed) + loads_again(w, p, must, reads);
}

/* One-shot: what must be paid beyond what is owed. */
static uint32_t beyond(const whole *w, const position *p)
{
  uint32_t next = next_adds(w, p), part = w->core ? core_beyond(w->core, p->done, p->red, p->blue) : 0;
  return next > part ? next : part;
}

static uint32_t bound(const optimal_game *game, const uint64_t *key)
{
  const whole *w = (const whole *)game;
  position p = unpack(w, key);
  return w->one_shot ? owed_once(w, &p) + beyond(w, &p) : bound_again(w, &p);
}

/* ---- learning ---- */

enum { PLAIN = 300000, LISTS = 6 };  /* entries of a core that says nothing of plays; lists a chain holds at once */

/* What no play costs is proved one by one.  Where all vertices are in the core then, it knows the plays that cost the
   least; else some core tells what it can. */
static uint64_t learn(optimal_game *game, optimal_result *r, uint64_t work, uint64_t bytes, optimal_watch *watch)
{
  whole *w = (whole *)game;
  core_whole all = { w->pred, w->succ, w->input, w->output, w->all };
  uint32_t every = (uint32_t)(bits_count(w->input) + bits_count(w->output)), top = r->upper - every;
  uint64_t size = 2 * sizeof(core_entry), most = bytes / size; /* with room to grow */
  if (!w->chain)
    w->chain = chain_new(&all, w->n, w->m, watch);
  core_chain *h = w->chain;
  for (work += h->work; h->limit < top && h->work < work && !h->stuck;) {
    h->stuck = !chain_excludes(h, most / LISTS);
    h->limit += !h->stuck;
    r->lower = every + h->limit > r->lower ? every + h->limit : r->lower;
    optimal_is_over(watch, r, 0);
  }
  if (h->stuck && h->at && !r->list && !h->at->back.full) {
    core_free(w->core);
    w->core = h->at;
    h->at = NULL;
  } else if (!w->core)
    w->core = chain_plain(h, top - 1, most < PLAIN ? most : PLAIN);
  return w->core ? w->core->back.entries * size : 0;
}

/* ---- expanding ---- */

static void finish(const macro *k)
{
  const whole *w = k->w;
  position p = k->before;
  bits missing = bits_less(w->pred[k->x], p.red), early = k->given_up;
  if (w->base.record)
    w->base.record->n = 0;
  if (k->slide >= 0)
    early = bits_without(early, k->slide);
  write_all(w, PEBBLE_STORE, bits_and(k->stored, early));
  write_all(w, PEBBLE_DROP, early);
  write_all(w, PEBBLE_LOAD, missing);
  write_all(w, PEBBLE_STORE, bits_less(k->stored, early));
  p.red = bits_or(bits_less(p.red, early), w->pred[k->x]);
  p.blue = bits_or(p.blue, k->stored);
  if (!w->one_shot)
    p.owed = bits_or(bits_less(p.owed, missing), k->stored);
  uint32_t cost = k->cost + (uint32_t)bits_count(missing) + put(w, &p, k->x, k->slide);
  cost += settle(w, &p);
  uint64_t key[3 * WORDS];
  pack(w, &p, key);
  k->emit(k->context, key, cost);
}

/* Give up v: a blue one is free; another is stored, or just dropped when it may be computed again.  A vertex to be
   loaded again raises cost + bound by the load, and by the store. */
static void give_up(const macro *k, int v, void (*then)(const macro *, bits, int), bits pool, int count)
{
  bool blue = bits_has(k->before.blue, v), once = k->w->one_shot;
  macro next = *k;
  next.given_up = bits_with(k->given_up, v);
  bool aside = k->w->core && !bits_has(k->w->core->within, v);
  if (blue && once) {
    next.spare -= 1;
    next.aside -= aside ? 1 : 0;
  }
  if ((blue || !once) && next.spare >= 0 && next.aside >= 0)
    then(&next, pool, count);
  next.spare -= 2;
  next.aside -= aside ? 2 : 0;
  if (blue || next.spare < 0 || next.aside < 0)
    return;
  next.stored = bits_with(k->stored, v);
  next.cost++;
  then(&next, pool, count);
}

/* Give up count more pebbles out of the pool, in every way, then compute. */
static void choose(const macro *k, bits pool, int count)
{
  if (count <= 0) {
    finish(k);
    return;
  }
  /* unreachable: that nothing is left to take, of count > 0 */
  for (int v; !k->w->base.stop && bits_count(pool) >= count && bits_take(&pool, &v);)
    give_up(k, v, choose, pool, count - 1);
}

static void slide_from(macro *k, bits from, bits pool, int count)
{
  for (int u; bits_take(&from, &u);) {
    k->slide = u;
    give_up(k, u, choose, pool, count - 1);
  }
  k->slide = -1;
}

static void compute(macro *k)
{
  const whole *w = k->w;
  const position *p = &k->before;
  bits pred = w->pred[k->x], pool = bits_less(p->red, pred), dies = { { 0 } };
  int count = bits_count(bits_or(p->red, pred)) + 1 - w->m, u;
  if (w->core) {
    bits most = bits_with(bits_or(p->red, pred), k->x);
    k->aside = k->spare - core_beyond(w->core, bits_with(p->done, k->x), most, p->blue);
    if (k->aside < 0)
      return;
  }
  if (w->sliding && w->one_shot)
    dies = dying(w, p, k->x);
  if (bits_take(&dies, &u)) {            /* the pebble of a predecessor nobody needs again */
    k->slide = u;
    choose(k, pool, count - 1);
    k->slide = -1;
    return;
  }
  choose(k, pool, count);
  if (w->sliding && count > 0)
    slide_from(k, pred, pool, count);
}

static void expand(optimal_game *game, const uint64_t *key, optimal_emit emit, void *context)
{
  const whole *w = (const whole *)game;
  macro k = { .w = w, .emit = emit, .context = context, .slide = -1, .spare = game->spare };
  k.before = unpack(w, key);
  if (w->one_shot)
    k.spare += beyond(w, &k.before);  /* give_up counts it move by move */
  bits at_hand = bits_or(k.before.red, k.before.blue), next = readers(w, at_hand);
  next = bits_less(next, w->one_shot ? k.before.done : k.before.red);
  if (!w->one_shot)
    next = useful(w, next, k.before.blue);
  while (!w->base.stop && bits_take(&next, &k.x))
    if (bits_within(w->pred[k.x], at_hand))
      compute(&k);
}

static void start(optimal_game *game, uint64_t *key)
{
  const whole *w = (const whole *)game;
  position p = { .blue = w->input };
  pack(w, &p, key);
}

static void canonical(const optimal_game *game, uint64_t *key, uint16_t *name)
{
  orbits_canonical(&((const whole *)game)->orbits, key, name);
}

/* ---- building ---- */

/* One-shot, the same vertices computed and red: store what b has blue.  Recomputation, the same pebbles: a
   load owed is a load paid for in advance, which nobody is forced to make use of.  That takes plays that lead to both
   positions, of which a list does not tell: there a owes no more than b. */
static uint32_t surplus(const optimal_game *game, const uint64_t *a, const uint64_t *b)
{
  const whole *w = (const whole *)game;
  position p = unpack(w, a), q = unpack(w, b);
  if (w->one_shot)
    return (uint32_t)bits_count(bits_less(q.blue, p.blue));
  return w->base.lists && !bits_within(p.owed, q.owed) ? UINT16_MAX : (uint32_t)bits_count(bits_less(p.owed, q.owed));
}

static uint32_t depth(const optimal_game *game, const uint64_t *key)
{
  const whole *w = (const whole *)game;
  position p = unpack(w, key);
  assert(w->one_shot);
  return (uint32_t)bits_count(p.done);
}

static void explain(const optimal_game *game, pebble_optimal_list *list)
{
  const whole *w = (const whole *)game;
  int v;
  orbits_explain(&w->orbits, list);
  if (!w->core)
    return;
  list->core = MEM_NEW(uint32_t, (size_t)w->n);
  for (bits t = w->core->within; bits_take(&t, &v);)
    list->core[list->cores++] = (uint32_t)v;
  list->limit = w->core->limit;
}

static void free_whole(optimal_game *game)
{
  whole *w = (whole *)game;
  mem_free(w->pred);
  mem_free(w->succ);
  mem_free(w->reach);
  core_free(w->core);
  chain_free(w->chain);
  orbits_clear(&w->orbits);
  mem_free(w);
}

static void adopt(whole *w, const cdag_graph *g)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  uint32_t *order = MEM_NEW(uint32_t, g->n);
  for (uint32_t v = 0; v < g->n; v++) {
    w->all = bits_with(w->all, (int)v);
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
      w->pred[v] = bits_with(w->pred[v], (int)g->pred[e]);
    for (uint64_t e = succ->at[v]; e < succ->at[v + 1]; e++)
      w->succ[v] = bits_with(w->succ[v], (int)succ->to[e]);
    if (cdag_graph_is_input(g, v))
      w->input = bits_with(w->input, (int)v);
    else if (g->output[v])
      w->output = bits_with(w->output, (int)v);
  }
  cdag_graph_topological(g, order);
  for (uint32_t i = g->n; i-- > 0;) {
    int v = (int)order[i], u;
    if (bits_has(w->output, v))
      w->reach[v] = bits_one(v);
    for (bits t = w->succ[v]; bits_take(&t, &u);)
      w->reach[v] = bits_or(w->reach[v], w->reach[u]);
  }
  mem_free(order);
}

static optimal_game *new_whole(const cdag_graph *g, const pebble_rules *rules)
{
  whole *w = MEM_NEW(whole, 1);
  assert(g->n <= 64 * WORDS);
  w->n = (int)g->n;
  w->m = rules->m < g->n + 1 ? (int)rules->m : (int)g->n + 1;
  w->sliding = rules->variant == PEBBLE_SLIDING;
  w->one_shot = rules->one_shot;
  w->pred = MEM_NEW(bits, g->n);
  w->succ = MEM_NEW(bits, g->n);
  w->reach = MEM_NEW(bits, g->n);
  adopt(w, g);
  w->base = (optimal_game){ .size = sizeof *w,
                            .words = 3 * WORDS,
                            .group = 2 * WORDS,
                            .surplus = surplus,
                            .start = start,
                            .expand = expand,
                            .bound = bound,
                            .learn = w->one_shot && !w->sliding ? learn : NULL,
                            .depth = w->one_shot ? depth : NULL,
                            .depths = g->n + 1,
                            .vertices = g->n,
                            .explain = explain,
                            .free = free_whole };
  orbits_init(&w->orbits, g, false);
  if (w->orbits.count)
    w->base.canonical = canonical;
  return &w->base;
}
