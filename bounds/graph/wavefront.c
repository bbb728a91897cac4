/* Which moments to take, and in what order: waves are packed greedily under the common capacities.

   An order of the vertices is a play without limits on memory: the vertices it holds when it comes to x are one
   possible set of needed ones.  So every order bounds what a wave at x can gain, and the x where even the best of a few
   orders holds much are tried first. */
#include "bounds/graph/wavefront.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/graph/chain.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

void bound_wave_list_clear(bound_wave_list *l)
{
  for (size_t i = 0; i < l->n; i++)
    mem_free(l->item[i].arc);
  mem_free(l->item);
  mem_free(l->chain);
  *l = (bound_wave_list){ 0 };
}

/* ---- orders ---- */

enum { ORDERS = 4 };

typedef struct {
  uint32_t *place; /* n: position of v */
  uint32_t *last;  /* n: position of its last successor */
} order;

static void find_last(const cdag_graph *g, order *o)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = succ->at[v]; e < succ->at[v + 1]; e++)
      if (o->place[succ->to[e]] > o->last[v])
        o->last[v] = o->place[succ->to[e]];
}

/* Stable sort by key: vertices are in topological order and keys rise along edges, so places are topological. */
static void place_by_key(const cdag_graph *g, const uint32_t *key, uint32_t keys, order *o)
{
  uint32_t *at = MEM_NEW(uint32_t, (size_t)keys + 1);
  for (uint32_t v = 0; v < g->n; v++)
    at[key[v] + 1]++;
  for (uint32_t k = 0; k < keys; k++)
    at[k + 1] += at[k];
  for (uint32_t v = 0; v < g->n; v++)
    o->place[v] = at[key[v]]++;
  mem_free(at);
}

/* Longest path from a source, or (late) the number of levels less the longest path to a sink. */
static void place_by_level(const cdag_graph *g, bool late, order *o)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  uint32_t *level = MEM_NEW(uint32_t, g->n), top = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
      if (level[g->pred[e]] >= level[v])
        level[v] = level[g->pred[e]] + 1;
    top = level[v] > top ? level[v] : top;
  }
  for (uint32_t i = 0; late && i < g->n; i++) {
    uint32_t v = g->n - 1 - i;
    level[v] = top;
    for (uint64_t e = succ->at[v]; e < succ->at[v + 1]; e++)
      if (level[succ->to[e]] <= level[v])
        level[v] = level[succ->to[e]] - 1;
  }
  place_by_key(g, level, top + 1, o);
  mem_free(level);
}

/* Depth first from the sinks: a vertex right after the last of its predecessors. */
static void place_depth_first(const cdag_graph *g, order *o)
{
  uint32_t *stack = MEM_NEW(uint32_t, g->n), count = 0;
  uint32_t *next = MEM_NEW(uint32_t, g->n);
  uint8_t *seen = MEM_NEW(uint8_t, g->n);
  memcpy(next, g->pred_at, g->n * sizeof *next);
  for (uint32_t root = 0; root < g->n; root++) {
    uint32_t depth = 0;
    if (!cdag_graph_is_sink(g, root))
      continue;
    stack[depth++] = root;
    while (depth > 0) {
      uint32_t v = stack[depth - 1];
      if (next[v] == g->pred_at[v + 1]) {
        o->place[v] = count++;
        depth--;
      } else {
        uint32_t u = g->pred[next[v]++];
        if (!seen[u]) {
          seen[u] = 1;
          stack[depth++] = u;
        }
      }
    }
  }
  assert(count == g->n);
  mem_free(stack);
  mem_free(next);
  mem_free(seen);
}

static void make_orders(const cdag_graph *g, order *o)
{
  for (int i = 0; i < ORDERS; i++)
    o[i] = (order){ MEM_NEW(uint32_t, g->n), MEM_NEW(uint32_t, g->n) };
  for (uint32_t v = 0; v < g->n; v++)
    o[0].place[v] = v;
  place_depth_first(g, &o[1]);
  place_by_level(g, false, &o[2]);
  place_by_level(g, true, &o[3]);
  for (int i = 0; i < ORDERS; i++)
    find_last(g, &o[i]);
}

static void free_orders(order *o)
{
  for (int i = 0; i < ORDERS; i++) {
    mem_free(o[i].place);
    mem_free(o[i].last);
  }
}

/* ---- the search ---- */

/* An x and what a wave there gains at most: by the orders, then by the cuts right above and right below x, then by a
 * flow. */
typedef enum { BY_ORDERS, BY_CUTS, BY_FLOW } evidence;
typedef struct {
  int64_t most;
  uint32_t x;
  evidence evidence;
} candidate;

typedef struct {
  const cdag_graph *g;           /* of an interval, or the whole */
  const uint8_t *moment;         /* n: may a wave be at v? */
  const bound_wavefront_limits *limits;
  order order[ORDERS];
  int64_t *most;         /* n: what a wave at v can gain at best, under the capacities left; 0 for none */
  int64_t *held, *heavy; /* n + 1: work space: vertices held, those of capacity 2 */
  int64_t *known;        /* n: what x gained when last tried; capacities only fall, so hardly more now */
  uint8_t *cut;          /* n: known[x] takes the cuts beside x into account */
  candidate *heap;       /* n */
  uint32_t heaped;
  uint32_t *mark, stamp, *queue; /* n: work space for the cuts */
  uint64_t work;
  double until;
  bool after; /* moments just after the computation */
} search;

static bool out_of_time(const search *s) { return s->work == 0 || (s->until > 0 && clock_seconds() > s->until); }

/* Red words at the moment of x.  Placing: x has a pebble of its own waiting, so one less before it is computed. */
static uint64_t red_words(const search *s) { return s->limits->m - (!s->limits->sliding && !s->after); }

/* A wave over `held` vertices of capacity 1 or 2, `heavy` of them of capacity 2, beside those that are red for sure. */
static int64_t most_gain(int64_t held, int64_t heavy, int64_t words)
{
  int64_t gain = held - words + num_max(0, heavy - words);
  return num_max(0, gain);
}

/* The same when the vertices that are red for sure are among those held: the predecessors of x (after: x itself). */
static int64_t most_beside_sure(const search *s, uint32_t x, const uint8_t *capacity, int64_t held, int64_t heavy)
{
  const cdag_graph *g = s->g;
  int64_t words = (int64_t)red_words(s);
  const uint32_t *sure = s->after ? &x : &g->pred[g->pred_at[x]];
  uint64_t count = s->after ? 1 : g->pred_at[x + 1] - g->pred_at[x];
  for (uint64_t i = 0; i < count; i++) {
    words--;
    held -= capacity[sure[i]] > 0;
    heavy -= capacity[sure[i]] > 1;
  }
  assert(words >= 0);
  return most_gain(held, heavy, words);
}

/* Lower most[x] to what order o allows. */
static void estimate_by(search *s, const order *o, const uint8_t *capacity)
{
  const cdag_graph *g = s->g;
  memset(s->held, 0, ((size_t)g->n + 1) * sizeof *s->held);
  memset(s->heavy, 0, ((size_t)g->n + 1) * sizeof *s->heavy);
  for (uint32_t v = 0; v < g->n; v++)
    if (o->last[v] > o->place[v]) {
      /* needed at the moments before the computations in (place, last], after those in [place, last) */
      uint32_t from = o->place[v] + !s->after, to = o->last[v] + !s->after;
      s->held[from] += capacity[v] > 0, s->held[to] -= capacity[v] > 0;
      s->heavy[from] += capacity[v] > 1, s->heavy[to] -= capacity[v] > 1;
    }
  for (uint32_t i = 1; i < g->n; i++) {
    s->held[i] += s->held[i - 1];
    s->heavy[i] += s->heavy[i - 1];
  }
  for (uint32_t x = 0; x < g->n; x++)
    if (s->most[x] > 0) {
      uint32_t at = o->place[x];
      s->most[x] = num_min(s->most[x], most_beside_sure(s, x, capacity, s->held[at], s->heavy[at]));
    }
}

static void estimate(search *s, const uint8_t *capacity)
{
  const cdag_graph *g = s->g;
  for (uint32_t x = 0; x < g->n; x++)
    s->most[x] = s->moment[x] ? s->known[x] : 0;
  for (int i = 0; i < ORDERS; i++)
    estimate_by(s, &s->order[i], capacity);
  uint64_t cost = ORDERS * ((uint64_t)g->n + 1);
  s->work -= s->work < cost ? s->work : cost;
}

/* ---- the cuts right above and right below x ---- */

/* Mark x and everything above (below) it; returns how many, in s->queue. */
static uint32_t spread(search *s, uint32_t x, bool up)
{
  const cdag_graph *g = s->g;
  cdag_rows rows = up ? *cdag_graph_successors(g) : (cdag_rows){ g->pred_at, g->pred };
  uint32_t n = 1;
  s->stamp++;
  s->queue[0] = x;
  s->mark[x] = s->stamp;
  for (uint32_t i = 0; i < n; i++)
    for (uint64_t e = rows.at[s->queue[i]]; e < rows.at[s->queue[i] + 1]; e++)
      if (s->mark[rows.to[e]] != s->stamp) {
        s->mark[rows.to[e]] = s->stamp;
        s->queue[n++] = rows.to[e];
      }
  return n;
}

static bool leaves(const search *s, uint32_t v, uint32_t stamp)
{
  const cdag_rows *succ = cdag_graph_successors(s->g);
  for (uint64_t e = succ->at[v]; e < succ->at[v + 1]; e++)
    if (s->mark[succ->to[e]] != stamp)
      return true;
  return false;
}

/* S holds as little as it can: the ancestors of x (after: and x). */
static int64_t most_early(search *s, uint32_t x, const uint8_t *capacity)
{
  int64_t held = 0, heavy = 0;
  uint32_t n = spread(s, x, false), stamp = s->stamp;
  s->work -= num_min((int64_t)s->work, n);
  if (!s->after)
    s->mark[x] = 0;
  for (uint32_t i = s->after ? 0 : 1; i < n; i++)
    if (leaves(s, s->queue[i], stamp)) {
      held += capacity[s->queue[i]] > 0;
      heavy += capacity[s->queue[i]] > 1;
    }
  return most_beside_sure(s, x, capacity, held, heavy);
}

/* S holds as much as it can: all but the descendants of x (before: and x). */
static int64_t most_late(search *s, uint32_t x, const uint8_t *capacity)
{
  const cdag_graph *g = s->g;
  int64_t held = 0, heavy = 0;
  uint32_t n = spread(s, x, true), stamp = s->stamp, counted = ++s->stamp;
  s->work -= num_min((int64_t)s->work, n);
  if (s->after)
    s->mark[x] = 0;
  for (uint32_t i = s->after ? 1 : 0; i < n; i++)
    for (uint64_t e = g->pred_at[s->queue[i]]; e < g->pred_at[s->queue[i] + 1]; e++) {
      uint32_t u = g->pred[e];
      if (s->mark[u] == stamp || s->mark[u] == counted)
        continue;
      s->mark[u] = counted;
      held += capacity[u] > 0;
      heavy += capacity[u] > 1;
    }
  return most_beside_sure(s, x, capacity, held, heavy);
}

static int64_t most_by_cuts(search *s, uint32_t x, const uint8_t *capacity)
{
  if (s->stamp > UINT32_MAX - 8) {
    memset(s->mark, 0, s->g->n * sizeof *s->mark);
    s->stamp = 0;
  }
  int64_t early = most_early(s, x, capacity);
  return early == 0 ? 0 : num_min(early, most_late(s, x, capacity));
}

/* ---- candidates, best first ---- */

/* Among equals in an order that has nothing to do with the graph: so a few of them are a fair sample. */
static uint32_t scatter(uint32_t x) { return x * 2654435761u; }
static bool better(candidate a, candidate b)
{
  return a.most != b.most ? a.most > b.most : scatter(a.x) < scatter(b.x);
}

static void sink(search *s, uint32_t i)
{
  candidate c = s->heap[i];
  for (uint32_t child; (child = 2 * i + 1) < s->heaped; i = child) {
    child += child + 1 < s->heaped && better(s->heap[child + 1], s->heap[child]);
    if (!better(s->heap[child], c))
      break;
    s->heap[i] = s->heap[child];
  }
  s->heap[i] = c;
}

/* Returns how many of them the cuts were tried on before. */
static int heap_candidates(search *s)
{
  int tried = 0;
  s->heaped = 0;
  for (uint32_t x = 0; x < s->g->n; x++)
    if (s->most[x] > 0) {
      s->heap[s->heaped++] = (candidate){ s->most[x], x, s->cut[x] ? BY_CUTS : BY_ORDERS };
      tried += s->cut[x];
    }
  for (uint32_t i = s->heaped / 2; i-- > 0;)
    sink(s, i);
  return tried;
}

static int64_t gain_at(search *s, bound_flow *f, uint32_t x, uint32_t longest)
{
  uint64_t flow = bound_flow_run(f, x, s->after, longest, &s->work), red = bound_flow_red(f, red_words(s));
  return flow > red ? (int64_t)(flow - red) : 0;
}

static void drop_first(search *s)
{
  s->heap[0] = s->heap[--s->heaped];
  sink(s, 0);
}

/* Lower the first candidate by the next kind of evidence. */
static void look_closer(search *s, bound_flow *f, uint32_t longest)
{
  candidate *c = &s->heap[0];
  int64_t most =
      c->evidence == BY_ORDERS ? most_by_cuts(s, c->x, bound_flow_capacity(f)) : gain_at(s, f, c->x, longest);
  s->cut[c->x] = 1;
  c->evidence++;
  c->most = s->known[c->x] = num_min(c->most, most);
  if (c->most == 0)
    drop_first(s);
  else
    sink(s, 0);
}

/* The x whose wave gains most, among the first few on which cuts and then flows were tried; false when there is none.
 */
static bool find_best(search *s, bound_flow *f, uint32_t longest, uint32_t *x)
{
  enum { CUTS = 512, FLOWS = 12 };
  candidate best = { 0, 0, BY_FLOW };
  int cuts = 0, flows = 0, open = heap_candidates(s); /* open: candidates that the cuts left and no flow was tried on */
  while (s->heaped > 0 && (best.most == 0 || flows < FLOWS) && s->heap[0].most > best.most && !out_of_time(s)) {
    candidate c = s->heap[0];
    if (c.evidence == BY_ORDERS && cuts >= CUTS && (open > 0 || best.most > 0)) {
      drop_first(s);
      continue;
    }
    look_closer(s, f, longest);
    cuts += c.evidence == BY_ORDERS;
    flows += c.evidence == BY_CUTS;
    open += c.evidence == BY_ORDERS ? s->known[c.x] > 0 : c.evidence == BY_CUTS ? -1 : 0;
    if (c.evidence == BY_CUTS && s->known[c.x] > best.most)
      best = (candidate){ s->known[c.x], c.x, BY_FLOW };
  }
  *x = best.x;
  return best.most > 0;
}

/* One more wave, of a list for this graph.  False when nothing gains. */
static bool add_wave(search *s, bound_flow *f, uint32_t longest, bound_wave_list *waves, uint64_t *gain)
{
  uint32_t best;
  if (!find_best(s, f, longest, &best))
    return false;
  uint64_t plenty = UINT64_MAX; /* the same flow once more, now to keep it */
  uint64_t flow = bound_flow_run(f, best, s->after, longest, &plenty), red = bound_flow_red(f, red_words(s));
  if (flow <= red)
    return false; /* the first run was cut short, and more flow may also mean more on the red vertices */
  waves->item = mem_room(waves->item, waves->n, &waves->room, sizeof *waves->item);
  waves->item[waves->n] = (bound_wave){ .flow = flow, .red = red };
  bound_flow_commit(f, &waves->item[waves->n++]);
  *gain += flow - red;
  return true;
}

static void search_init(search *s, const cdag_graph *g)
{
  uint32_t n = g->n;
  s->g = g;
  s->most = MEM_NEW(int64_t, n), s->held = MEM_NEW(int64_t, n + 1), s->heavy = MEM_NEW(int64_t, n + 1);
  s->known = MEM_NEW(int64_t, n), s->heap = MEM_NEW(candidate, n), s->cut = MEM_NEW(uint8_t, n);
  s->mark = MEM_NEW(uint32_t, n), s->queue = MEM_NEW(uint32_t, n);
  s->stamp = 0;
  make_orders(g, s->order);
}

static void search_clear(search *s)
{
  void *const blocks[] = { s->most, s->held, s->heavy, s->known, s->heap, s->cut, s->mark, s->queue };
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    mem_free(blocks[i]);
  free_orders(s->order);
}

/* Waves one after the other while they gain.  The capacities are left as they are then. */
static void pack(search *s, uint8_t *capacity, uint32_t longest, bound_wave_list *waves, uint64_t *gain)
{
  bound_flow *f = bound_flow_new(s->g, capacity);
  if (s->limits->recompute)
    bound_flow_only_paths(f);
  for (uint32_t x = 0; x < s->g->n; x++)
    s->known[x] = INT64_MAX;
  memset(s->cut, 0, s->g->n);
  do
    estimate(s, bound_flow_capacity(f));
  while (!out_of_time(s) && add_wave(s, f, longest, waves, gain));
  memcpy(capacity, bound_flow_capacity(f), s->g->n);
  bound_flow_free(f);
}

/* ---- intervals ---- */

typedef struct {
  const bound_explicit *e;
  const bound_wavefront_limits *limits;
  bound_wave_list *waves;
  uint64_t *gain;
  uint64_t left;      /* of the work */
  uint64_t asking;    /* of the work, what may still be asked about chains */
  double until;
  bool cut_short;
} packing;

/* What a load costs beyond the compulsory moves, and the store that goes before it: an input is loaded once and an
   output stored once in any case.  Where vertices may be computed again, loads alone are counted: paths from inputs
   carry no more. */
static bool may_pay_store(const packing *k, uint32_t v)
{
  const cdag_graph *g = &k->e->g;
  return !k->limits->recompute && !cdag_graph_is_input(g, v) && !g->output[v];
}

/* Every interval has loads of its own; a store is paid once: store[v] is 1 while nobody counted it. */
static void pack_interval(packing *k, bound_wave_list *found, uint32_t number, uint8_t *store, search *s,
                          uint32_t longest, uint64_t *gain)
{
  const cdag_graph *g = &k->e->g;
  bound_interval part;
  bool first = number == 0, last = number == found->links;
  bound_interval_init(&part, g, first ? g->n : found->chain[number - 1], last ? g->n : found->chain[number],
                      !k->limits->recompute);
  size_t from = found->n;
  uint8_t *capacity = MEM_NEW(uint8_t, part.g.n);
  for (uint32_t v = 0; v < part.g.n; v++)
    capacity[v] = 1 + store[part.id[v]];
  search_init(s, &part.g);
  s->moment = part.moment;
  pack(s, capacity, longest, found, gain);
  for (uint32_t v = 0; v < part.g.n; v++)
    store[part.id[v]] = num_min(store[part.id[v]], capacity[v]);
  for (size_t i = from; i < found->n; i++) {
    bound_wave *w = &found->item[i];
    w->interval = number;
    w->x = part.id[w->x];
    for (size_t j = 0; j < w->n; j++) {
      w->arc[j].from = part.id[w->arc[j].from];
      w->arc[j].to = part.id[w->arc[j].to];
    }
  }
  search_clear(s);
  mem_free(capacity);
  bound_interval_clear(&part);
}

/* One way to pack, within its share of the work; it stays if it gains more than what there is. */
static void try_packing(packing *k, bound_wave_list *found, bool after, uint32_t longest, uint64_t share)
{
  bound_wave_list *waves = k->waves;
  search s = { .limits = k->limits, .after = after, .until = k->until };
  uint64_t sum = 0, rest = share;
  uint8_t *store = MEM_NEW(uint8_t, k->e->g.n);
  for (uint32_t v = 0; v < k->e->g.n; v++)
    store[v] = may_pay_store(k, v);
  for (uint32_t i = 0; i <= found->links; i++) {
    uint64_t part = rest / (found->links + 1 - i);
    s.work = part;
    pack_interval(k, found, i, store, &s, longest, &sum);
    k->cut_short |= out_of_time(&s);
    rest -= part - s.work;
  }
  k->left -= num_min((int64_t)k->left, (int64_t)(share - rest));
  if (sum > *k->gain) {
    bound_wave_list swap = *waves;
    *waves = *found;
    *found = swap;
    *k->gain = sum;
  }
  mem_free(store);
  bound_wave_list_clear(found);
}

/* short paths leave more for other waves; moments just after a computation only help where x takes a predecessor's
 * pebble */
static void run_whole(packing *k, uint64_t work)
{
  static const uint32_t longest[] = { 0, 16, 10, 24, 6 };
  const uint64_t enough = 4000000;
  uint32_t kinds = k->limits->sliding ? 2 : 1, count = kinds * sizeof longest / sizeof *longest;
  uint64_t other = k->left > work ? k->left - work : 0;
  for (uint32_t i = 0; i < count && k->left > other; i++) {
    uint64_t left = k->left - other, least = left < enough ? left : enough, share = left / (count - i);
    bound_wave_list found = { 0 };
    try_packing(k, &found, i % kinds, longest[i / kinds], share > least ? share : least);
  }
}

/* What a single wave gains, at the beginning of the interval and by loads alone. */
static bool gain_of(void *context, uint32_t from, uint32_t until, uint64_t *gain)
{
  packing *k = context;
  uint64_t work = k->asking;
  if (work == 0 || clock_seconds() > k->until)
    return false;
  bound_interval part;
  bound_interval_init(&part, &k->e->g, from, until, !k->limits->recompute);
  uint32_t x = 0;
  while (part.id[x] != from)
    x++;
  uint8_t *capacity = MEM_NEW(uint8_t, part.g.n);
  memset(capacity, 1, part.g.n);
  bound_flow *f = bound_flow_new(&part.g, capacity);
  if (k->limits->recompute)
    bound_flow_only_paths(f);
  uint64_t flow = bound_flow_run(f, x, false, 0, &work), red = bound_flow_red(f, k->limits->m - !k->limits->sliding);
  *gain = flow > red ? flow - red : 0;
  k->asking =
      num_min((int64_t)work, (int64_t)(k->asking - num_min((int64_t)k->asking, k->e->g.n + (int64_t)k->e->g.m)));
  bound_flow_free(f);
  mem_free(capacity);
  bound_interval_clear(&part);
  return true;
}

static void run_chains(packing *k, uint64_t work)
{
  static const struct { int share; bool ask; uint32_t longest; } ways[] = {
    { 16, false, 0 }, { 16, true, 0 }, { 12, true, 0 }, { 12, false, 0 }, { 8, false, 0 }, { 16, false, 12 }
  };
  uint32_t kinds = k->limits->sliding ? 2 : 1, count = kinds * sizeof ways / sizeof *ways;
  uint64_t other = k->left > work ? k->left - work : 0;
  bound_chain *chains = bound_chain_new(&k->e->g);
  for (uint32_t i = 0; i < count && k->left > other; i++) {
    bound_wave_list found = { .chain = MEM_NEW(uint32_t, BOUND_CHAIN_LONGEST) };
    uint64_t share = (k->left - other) / (count - i), asking = k->asking = share / 2;
    bound_chain_wish wish = { k->limits->m - !k->limits->sliding, k->limits->recompute, ways[i / kinds].share,
                              ways[i / kinds].ask ? gain_of : NULL, k };
    found.links = bound_chain_find(chains, &wish, found.chain);
    k->left -= asking - k->asking;
    if (found.links == 0)
      bound_wave_list_clear(&found);
    else
      try_packing(k, &found, i % kinds, ways[i / kinds].longest, share - (asking - k->asking));
  }
  bound_chain_free(chains);
}

bool bound_wavefront_search(const bound_explicit *e, const bound_wavefront_limits *limits, bound_wave_list *waves,
                            uint64_t *gain)
{
  packing k = { .e = e, .limits = limits, .waves = waves, .gain = gain, .left = limits->work };
  *gain = 0;
  if (limits->m < bound_explicit_least_memory(e, !limits->sliding))
    return false; /* no play at all */
  k.until = limits->seconds > 0 ? clock_seconds() + limits->seconds : CLOCK_NEVER;
  run_chains(&k, limits->work * 2 / 3);
  run_whole(&k, k.left);
  return k.cut_short;
}
