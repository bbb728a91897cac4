/* Choosing a chain: some vertices of every depth that much depends on, then the best path through them. */
#include "bounds/graph/chain.h"
#include "base/mem.h"
#include "base/num.h"
#include <assert.h>
#include <string.h>

/* ---- depths, and how much a vertex is comparable with ---- */

/* Longest path from an input. */
static uint32_t *find_levels(const cdag_graph *g, uint32_t *top)
{
  uint32_t *level = MEM_NEW(uint32_t, g->n);
  *top = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
      level[v] = level[g->pred[e]] >= level[v] ? level[g->pred[e]] + 1 : level[v];
    *top = level[v] > *top ? level[v] : *top;
  }
  return level;
}

static uint64_t bit(uint32_t i) { return UINT64_C(1) << i; }

/* From above down or from below up: a vertex has the marks of those that it reads (that read it). */
static void spread_marks(const cdag_graph *g, bool down, uint64_t *mark)
{
  cdag_rows rows = down ? *cdag_graph_successors(g) : (cdag_rows){ g->pred_at, g->pred };
  for (uint32_t i = 0; i < g->n; i++) {
    uint32_t v = down ? g->n - 1 - i : i;
    for (uint64_t e = rows.at[v]; e < rows.at[v + 1]; e++)
      mark[v] |= mark[rows.to[e]];
  }
}

/* comparable[v]: how many of some vertices, spread over the graph, lie above or below v. */
static void count_comparable(const cdag_graph *g, uint32_t *comparable)
{
  enum { ROUNDS = 16, EACH = 64 };
  uint64_t *mark = MEM_NEW(uint64_t, g->n);
  uint32_t sample = g->n < ROUNDS * EACH ? g->n : ROUNDS * EACH;
  for (uint32_t first = 0; first < sample; first += EACH)
    for (int down = 0; down < 2; down++) {
      memset(mark, 0, g->n * sizeof *mark);
      for (uint32_t i = first; i < sample && i < first + EACH; i++)
        mark[(uint64_t)i * g->n / sample] |= bit(i - first);
      spread_marks(g, down, mark);
      for (uint32_t v = 0; v < g->n; v++)
        comparable[v] += (uint32_t)__builtin_popcountll(mark[v]);
    }
  mem_free(mark);
}

/* ---- candidates, by depth ---- */

struct bound_chain {
  const cdag_graph *g;
  uint32_t n, vertex[BOUND_CHAIN_LONGEST];   /* in topological order */
  uint64_t *above, *below;                   /* g->n: candidates at or before v, and at or after it */
  uint64_t early[BOUND_CHAIN_LONGEST][BOUND_CHAIN_LONGEST + 1], late[BOUND_CHAIN_LONGEST][BOUND_CHAIN_LONGEST + 1];
  uint64_t inputs[BOUND_CHAIN_LONGEST];      /* before candidate i */
  uint64_t gain[BOUND_CHAIN_LONGEST][BOUND_CHAIN_LONGEST + 1]; /* promised, then asked */
  bool asked[BOUND_CHAIN_LONGEST][BOUND_CHAIN_LONGEST + 1];
};

static void choose_candidates(bound_chain *c)
{
  const cdag_graph *g = c->g;
  uint32_t top, *level = find_levels(g, &top), *comparable = MEM_NEW(uint32_t, g->n);
  uint32_t places = top < BOUND_CHAIN_LONGEST ? top : BOUND_CHAIN_LONGEST, best[BOUND_CHAIN_LONGEST];
  for (uint32_t p = 0; p < places; p++)
    best[p] = g->n;
  count_comparable(g, comparable);
  for (uint32_t v = 0; v < g->n; v++)
    if (level[v] > 0) {
      uint32_t *b = &best[(uint64_t)(level[v] - 1) * places / top];
      if (*b == g->n || comparable[v] > comparable[*b])
        *b = v;
    }
  for (uint32_t v = 0; v < g->n && c->n < places; v++)
    for (uint32_t p = 0; p < places; p++)
      if (best[p] == v)
        c->vertex[c->n++] = v;
  mem_free(level);
  mem_free(comparable);
}

/* ---- what two candidates promise ---- */

/* In the interval from candidate i on, u is held by the least (early) and by the largest (late) set of vertices
   computed before: for the candidates in the mask as its end, or for any. */
static void count_held(bound_chain *c, uint32_t i, uint32_t u)
{
  const cdag_rows *succ = cdag_graph_successors(c->g);
  uint64_t early = 0, late = 0;
  bool is_before = c->below[u] & bit(i) && u != c->vertex[i], any = false, leaves = false;
  for (uint64_t e = succ->at[u]; e < succ->at[u + 1]; e++) {
    uint32_t w = succ->to[e];
    bool after = c->above[w] & bit(i), outside = !(c->below[w] & bit(i)) || w == c->vertex[i];
    late |= after ? c->below[w] : 0;
    early |= is_before && outside ? c->below[w] : 0;
    any |= after;
    leaves |= is_before && outside;
  }
  c->late[i][c->n] += any;
  c->early[i][c->n] += leaves;
  for (; late; late &= late - 1)
    c->late[i][__builtin_ctzll(late)]++;
  for (; early; early &= early - 1)
    c->early[i][__builtin_ctzll(early)]++;
}

static void count_promises(bound_chain *c)
{
  const cdag_graph *g = c->g;
  for (uint32_t i = 0; i < c->n; i++)
    c->above[c->vertex[i]] = c->below[c->vertex[i]] = bit(i);
  spread_marks(g, false, c->above);
  spread_marks(g, true, c->below);
  for (uint32_t i = 0; i < c->n; i++)
    for (uint32_t u = 0; u < g->n; u++) {
      c->inputs[i] += cdag_graph_is_input(g, u) && c->below[u] & bit(i);
      if (!(c->above[u] & bit(i)))
        count_held(c, i, u);
    }
}

static void promise(bound_chain *c, const bound_chain_wish *wish)
{
  for (uint32_t i = 0; i < c->n; i++)
    for (uint32_t end = i + 1; end <= c->n; end++) {
      uint64_t held = (uint64_t)num_min((int64_t)c->early[i][end], (int64_t)c->late[i][end]);
      if (wish->dominators && held > c->inputs[i])
        held = c->inputs[i];
      held = held * (uint64_t)wish->share / 16;
      c->gain[i][end] = held > wish->red ? held - wish->red : 0;
    }
}

/* The path of the largest sum, from any candidate to the end: their numbers. */
static uint32_t best_path(const bound_chain *c, uint32_t *chain)
{
  uint64_t most[BOUND_CHAIN_LONGEST + 1] = { 0 };
  uint32_t next[BOUND_CHAIN_LONGEST + 1], first = c->n, n = 0;
  for (uint32_t i = c->n; i-- > 0;) {
    next[i] = c->n;
    most[i] = c->gain[i][c->n];
    for (uint32_t j = i + 1; j < c->n; j++) {
      bool needs = c->above[c->vertex[j]] & bit(i);
      uint64_t sum = needs ? most[j] + c->gain[i][j] : 0;
      if (sum > most[i]) {
        most[i] = sum;
        next[i] = j;
      }
    }
    if (most[i] > (first < c->n ? most[first] : 0))
      first = i;
  }
  for (uint32_t i = first; i < c->n; i = next[i])
    chain[n++] = i;
  return n;
}

/* Ask the intervals of the path that were not.  False when all were, or time is over. */
static bool ask_path(bound_chain *c, const uint32_t *chain, uint32_t n, const bound_chain_wish *wish)
{
  bool more = false;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t i = chain[k], end = k + 1 < n ? chain[k + 1] : c->n;
    if (c->asked[i][end])
      continue;
    if (!wish->ask(wish->context, c->vertex[i], end < c->n ? c->vertex[end] : c->g->n, &c->gain[i][end]))
      return false;
    c->asked[i][end] = more = true;
  }
  return more;
}

bound_chain *bound_chain_new(const cdag_graph *g)
{
  bound_chain *c = MEM_NEW(bound_chain, 1);
  c->g = g;
  c->above = MEM_NEW(uint64_t, g->n);
  c->below = MEM_NEW(uint64_t, g->n);
  choose_candidates(c);
  count_promises(c);
  return c;
}

void bound_chain_free(bound_chain *c)
{
  mem_free(c->above);
  mem_free(c->below);
  mem_free(c);
}

uint32_t bound_chain_find(bound_chain *c, const bound_chain_wish *wish, uint32_t *chain)
{
  uint32_t n;
  memset(c->asked, 0, sizeof c->asked);
  promise(c, wish);
  do
    n = best_path(c, chain);
  while (wish->ask && ask_path(c, chain, n, wish));
  for (uint32_t i = 0; i < n; i++)
    chain[i] = c->vertex[chain[i]];
  return n;
}

/* ---- the graph of an interval ---- */

static void mark_from(const cdag_graph *g, uint32_t v, bool down, uint8_t *mark)
{
  cdag_rows rows = down ? (cdag_rows){ g->pred_at, g->pred } : *cdag_graph_successors(g);
  uint32_t *queue = MEM_NEW(uint32_t, g->n), n = 0;
  memset(mark, v == g->n, g->n);
  if (v < g->n) {
    queue[n++] = v;
    mark[v] = 1;
  }
  for (uint32_t i = 0; i < n; i++)
    for (uint64_t e = rows.at[queue[i]]; e < rows.at[queue[i] + 1]; e++)
      if (!mark[rows.to[e]]) {
        mark[rows.to[e]] = 1;
        queue[n++] = rows.to[e];
      }
  mem_free(queue);
}

/* Before `from`, and read by nothing but what is before it. */
static bool is_past(const cdag_graph *g, uint32_t v, uint32_t from, const uint8_t *before)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  if (v == from || !before[v])
    return false;
  for (uint64_t e = succ->at[v]; e < succ->at[v + 1]; e++)
    if (succ->to[e] == from || !before[succ->to[e]])
      return false;
  return true;
}

static void build(bound_interval *i, const cdag_graph *g, const uint8_t *kept, const uint8_t *after)
{
  uint32_t n = 0, *number = MEM_NEW(uint32_t, g->n), *from = MEM_NEW(uint32_t, g->m), *to = MEM_NEW(uint32_t, g->m);
  uint64_t m = 0;
  i->id = MEM_NEW(uint32_t, g->n);
  i->moment = MEM_NEW(uint8_t, g->n);
  for (uint32_t v = 0; v < g->n; v++) {
    if (!kept[v])
      continue;
    i->id[n] = v;
    i->moment[n] = after[v] && !cdag_graph_is_input(g, v);
    number[v] = n;
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
      if (kept[g->pred[e]]) {
        from[m] = number[g->pred[e]];
        to[m++] = n;
      }
    n++;
  }
  diag d;
  status st = cdag_graph_init(&i->g, n, m, from, to, NULL, &d);
  assert(st == OK);
  (void)st;
  mem_free(number);
  mem_free(from);
  mem_free(to);
}

void bound_interval_init(bound_interval *i, const cdag_graph *g, uint32_t from, uint32_t until, bool lean)
{
  uint8_t *kept = MEM_NEW(uint8_t, g->n), *after = MEM_NEW(uint8_t, g->n), *before = MEM_NEW(uint8_t, g->n);
  *i = (bound_interval){ 0 };
  mark_from(g, until, true, kept);
  mark_from(g, from, false, after);
  if (from < g->n)
    mark_from(g, from, true, before);
  for (uint32_t v = 0; lean && v < g->n; v++)
    kept[v] = kept[v] && !is_past(g, v, from, before);
  build(i, g, kept, after);
  mem_free(kept);
  mem_free(after);
  mem_free(before);
}

void bound_interval_clear(bound_interval *i)
{
  cdag_graph_clear(&i->g);
  mem_free(i->id);
  mem_free(i->moment);
  *i = (bound_interval){ 0 };
}
