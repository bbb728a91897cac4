/* The checker of wavefront certificates (docs/theory-graphs.md, section 1): plain loops over integers.

   The chain, if there is one: each vertex needs the one before.  Between two of them lies an interval of every play; a
   wave must surely lie in its interval, and its arcs before the interval's end. For each wave the arcs are checked to
   be edges of the live part of the graph; what each arrival receives or lacks must come from an ancestor of x or go to
   a descendant; the departures fix how much passes through each vertex.  In an interval a vertex carries at most what
   pushing it out of fast memory costs beyond the compulsory moves: 1 for inputs and outputs, 2 for others; and over all
   intervals, what it carries beyond 1 in each, its store, is at most 1 for others. "dominators": vertices may be
   computed again.  Then flow springs up at inputs only, never runs backward, and no vertex carries more than 1 in an
   interval. */
#include "bounds/check/reading/graph.h"
#include "base/mem.h"
#include "base/num.h"
#include <string.h>

typedef struct {
  const cdag *cdag;
  cdag_graph made; /* when the CDAG is not explicit */
  const cdag_graph *g;
  uint8_t *weight;            /* n: 0 not live, 1 input or output, 2 other */
  uint8_t *side;              /* n: 1 source, 2 target of the wave at hand */
  int64_t *through, *balance; /* n: of the wave at hand; balance > 0: more leaves the arrival than comes */
  int64_t *used, *stored;     /* n: through, over the waves of the interval; beyond 1, over the intervals before */
  uint32_t *chain;
  int64_t links, interval;
  uint8_t *inside;            /* n: 1 at or after the interval's beginning in every play, 2 at or before its end */
  uint64_t compulsory, sum;
  bool sliding, recompute;
  int64_t m;
  text *reason;
} checker;

/* ---- reading ---- */

static bool number(checker *k, const json_value *v, int64_t least, int64_t most, int64_t *r)
{
  if (!json_integer64(v, r) || *r < least || *r > most)
    return false;
  k->sum = (uint64_t)(((unsigned __int128)k->sum * 1000003 + (uint64_t)*r) % ((UINT64_C(1) << 61) - 1));
  return true;
}

static bool is_edge(const cdag_graph *g, uint32_t u, uint32_t v)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  uint64_t lo = succ->at[u], hi = succ->at[u + 1];
  while (lo < hi) {
    uint64_t middle = lo + (hi - lo) / 2;
    if (succ->to[middle] < v)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo < succ->at[u + 1] && succ->to[lo] == v;
}

/* Triples u, v, amount; amounts below 2^31 keep every sum inside 64 bits. */
static bool read_arcs(checker *k, const json_value *list, bool against)
{
  if (!list || list->type != JSON_ARRAY || list->n % 3 || (against && k->recompute && list->n > 0))
    return bound_refuse(k->reason, "the arcs of a wave are not triples");
  for (size_t i = 0; i < list->n; i += 3) {
    int64_t u, v, amount, last = (int64_t)k->g->n - 1;
    if (!number(k, &list->item[i], 0, last, &u) || !number(k, &list->item[i + 1], 0, last, &v) ||
        !number(k, &list->item[i + 2], 1, INT32_MAX, &amount))
      return bound_refuse(k->reason, "an arc is not two vertices and an amount");
    if (!is_edge(k->g, (uint32_t)u, (uint32_t)v) || !k->weight[v] || !(k->inside[v] & 2))
      return bound_refuse(k->reason, "%lld -> %lld is no edge to a vertex that matters here", (long long)u,
                          (long long)v);
    k->through[u] += against ? 0 : amount;
    k->balance[u] -= against ? amount : 0;
    k->balance[v] += against ? amount : -amount;
  }
  return true;
}

/* ---- one wave ---- */

static void spread(const checker *k, uint32_t x, bool up, uint8_t side, uint8_t *mark)
{
  uint32_t *stack = MEM_NEW(uint32_t, k->g->n), n = 0;
  SCOPED_MEM uint8_t *seen = MEM_NEW(uint8_t, k->g->n);
  cdag_rows rows = up ? *cdag_graph_successors(k->g) : (cdag_rows){ k->g->pred_at, k->g->pred };
  stack[n++] = x;
  while (n > 0) {
    uint32_t v = stack[--n];
    for (uint64_t e = rows.at[v]; e < rows.at[v + 1]; e++)
      if (!seen[rows.to[e]]) {
        seen[rows.to[e]] = 1;
        mark[rows.to[e]] |= side;
        stack[n++] = rows.to[e];
      }
  }
  mem_free(stack);
}

static bool check_balance(checker *k, int64_t *flow)
{
  *flow = 0;
  for (uint32_t v = 0; v < k->g->n; v++) {
    int64_t supply = k->balance[v] + k->through[v];
    if (supply > 0 && (k->side[v] != 1 || (k->recompute && !cdag_graph_is_input(k->g, v))))
      return bound_refuse(k->reason, "flow springs up at %lu, which is no source", (unsigned long)v);
    if (supply < 0 && k->side[v] != 2)
      return bound_refuse(k->reason, "flow ends at %lu, which is no target", (unsigned long)v);
    *flow += num_max(supply, 0);
    k->used[v] += k->through[v];
    if (k->used[v] > (k->recompute ? 1 : k->weight[v]) - k->stored[v])
      return bound_refuse(k->reason, "%lu carries more than it weighs", (unsigned long)v);
  }
  return true;
}

/* The most flow on `words` vertices, those that are red for sure among them; all carry 0, 1 or 2. */
static bool check_red(checker *k, uint32_t x, bool after, int64_t words, int64_t claimed)
{
  int64_t count[3] = { 0 }, red = 0;
  for (uint32_t v = 0; v < k->g->n; v++)
    count[k->through[v]]++;
  uint64_t from = after ? 0 : k->g->pred_at[x], to = after ? 1 : k->g->pred_at[x + 1];
  for (uint64_t e = from; e < to; e++, words--) {
    int64_t carried = k->through[after ? x : k->g->pred[e]];
    red += carried;
    count[carried]--;
  }
  if (words < 0)
    return bound_refuse(k->reason, "vertex %lu cannot be computed with this memory", (unsigned long)x);
  for (int carried = 2; carried > 0; carried--) {
    int64_t taken = num_min(words, count[carried]);
    red += carried * taken;
    words -= taken;
  }
  return red == claimed ||
         bound_refuse(k->reason, "the words red at %lu may carry %lld", (unsigned long)x, (long long)red);
}

/* What surely happens after its beginning, and before its end. */
static void mark_interval(checker *k)
{
  bool first = k->interval == 0, last = k->interval == k->links;
  memset(k->inside, first + 2 * last, k->g->n);
  if (!first) {
    uint32_t from = k->chain[k->interval - 1];
    k->inside[from] |= 1;
    spread(k, from, true, 1, k->inside);
  }
  if (!last) {
    uint32_t until = k->chain[k->interval];
    k->inside[until] |= 2;
    spread(k, until, false, 2, k->inside);
  }
}

/* Loads are counted afresh; stores are not. */
static void go_to_interval(checker *k, int64_t interval)
{
  if (interval == k->interval)
    return;
  for (uint32_t v = 0; v < k->g->n; v++) {
    k->stored[v] += num_max(k->used[v] - 1, 0);
    k->used[v] = 0;
  }
  k->interval = interval;
  mark_interval(k);
}

static bool read_chain(checker *k, const json_value *list)
{
  if (!list || list->type != JSON_ARRAY)
    return bound_refuse(k->reason, "there is no chain");
  k->links = (int64_t)list->n;
  k->chain = MEM_NEW(uint32_t, list->n);
  for (size_t i = 0; i < list->n; i++) {
    int64_t v;
    if (!number(k, &list->item[i], 0, (int64_t)k->g->n - 1, &v) || !k->weight[v] ||
        cdag_graph_is_input(k->g, (uint32_t)v))
      return bound_refuse(k->reason, "a vertex of the chain is none that is computed");
    k->chain[i] = (uint32_t)v;
    memset(k->side, 0, k->g->n);
    if (i > 0)
      spread(k, k->chain[i - 1], true, 1, k->side);
    if (i > 0 && !k->side[v])
      return bound_refuse(k->reason, "%lld does not need the vertex before it in the chain", (long long)v);
  }
  mark_interval(k);
  return true;
}

static bool check_wave(checker *k, const json_value *wave, mpz_t value)
{
  int64_t x, after, interval, flow, red, found;
  size_t bytes = k->g->n * sizeof *k->through;
  if (!number(k, json_get(wave, "x"), 0, (int64_t)k->g->n - 1, &x) ||
      !number(k, json_get(wave, "after"), 0, k->sliding, &after) ||
      !number(k, json_get(wave, "interval"), k->interval, k->links, &interval) ||
      !number(k, json_get(wave, "flow"), 0, INT64_MAX, &flow) || !number(k, json_get(wave, "red"), 0, INT64_MAX, &red))
    return bound_refuse(k->reason, "a wave lacks a number, or it is out of range");
  if (cdag_graph_is_input(k->g, (uint32_t)x) || !k->weight[x])
    return bound_refuse(k->reason, "vertex %lld is never computed, or need not be", (long long)x);
  go_to_interval(k, interval);
  if (k->inside[x] != 3)
    return bound_refuse(k->reason, "vertex %lld may be computed outside its interval", (long long)x);
  memset(k->through, 0, bytes);
  memset(k->balance, 0, bytes);
  memset(k->side, 0, k->g->n);
  spread(k, (uint32_t)x, true, 2, k->side);
  spread(k, (uint32_t)x, false, 1, k->side);
  k->side[x] = after ? 1 : 2;
  int64_t words = k->sliding ? k->m : k->m - 1;
  if (!read_arcs(k, json_get(wave, "along"), false) || !read_arcs(k, json_get(wave, "against"), true) ||
      !check_balance(k, &found) || !check_red(k, (uint32_t)x, after, words, red))
    return false;
  if (found != flow)
    return bound_refuse(k->reason, "the flow at %lld is %lld", (long long)x, (long long)found);
  mpz_set_si(value, flow - red + mpz_get_si(value));
  return true;
}

static bool check_all(checker *k, const json_value *p, mpz_t value)
{
  int64_t compulsory, sum;
  const json_value *waves = json_get(p, "waves");
  k->compulsory = checker_weigh(k->cdag, k->g, k->weight);
  mpz_set_ui(value, k->compulsory);
  if (!json_get_int(p, "compulsory", &compulsory) || (uint64_t)compulsory != k->compulsory)
    return bound_refuse(k->reason, "inputs and outputs make %llu compulsory moves", (unsigned long long)k->compulsory);
  if (!read_chain(k, json_get(p, "chain")))
    return false;
  if (!waves || waves->type != JSON_ARRAY)
    return bound_refuse(k->reason, "there is no list of waves");
  for (size_t i = 0; i < waves->n; i++)
    if (!check_wave(k, &waves->item[i], value))
      return false;
  if (!json_get_int(p, "sum", &sum) || (uint64_t)sum != k->sum)
    return bound_refuse(k->reason, "the numbers do not have the sum that was written");
  return true;
}

static bool check_wavefront(const bound_claim *c, mpz_t value, text *reason)
{
  checker k = { .cdag = c->g, .m = c->m, .reason = reason, .sliding = strstr(c->theorem, "-sliding") != NULL,
                .recompute = strncmp(c->theorem, "dominators", strlen("dominators")) == 0 };
  diag d;
  if (checker_graph_of(c->g, &k.made, &k.g, &d) != OK)
    return bound_refuse(reason, "%s", d.message);
  k.weight = MEM_NEW(uint8_t, k.g->n), k.side = MEM_NEW(uint8_t, k.g->n);
  k.through = MEM_NEW(int64_t, k.g->n), k.balance = MEM_NEW(int64_t, k.g->n), k.used = MEM_NEW(int64_t, k.g->n);
  k.stored = MEM_NEW(int64_t, k.g->n), k.inside = MEM_NEW(uint8_t, k.g->n);
  bool valid = check_all(&k, c->parameters, value);
  void *const blocks[] = { k.weight, k.side, k.through, k.balance, k.used, k.stored, k.inside, k.chain };
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    mem_free(blocks[i]);
  cdag_graph_clear(&k.made);
  return valid;
}

/* {"compulsory": C, "chain": [v, ...], "waves": [{"x", "after", "interval", "flow", "red", "along": [u,v,amount,...],
   "against": [u,v,amount,...]}, ...], "sum": S}: vertices are numbers of the computation; "against" flows backward
   along the edge u -> v.  "wavefront" is about the placing game, "wavefront-sliding" about both; "dominators" allow
   recomputation.  S = sum over the numbers of the chain and the waves, in order, s <- (s * 1000003 + number) mod (2^61
   - 1). */
BOUND_CHECKER(wavefront) = { "wavefront", BOUND_ONE_SHOT | BOUND_PLACING, check_wavefront };
BOUND_CHECKER(wavefront_sliding) = { "wavefront-sliding", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING,
                                     check_wavefront };
BOUND_CHECKER(dominators) = { "dominators", BOUND_ANY & ~BOUND_SLIDING, check_wavefront };
BOUND_CHECKER(dominators_sliding) = { "dominators-sliding", BOUND_ANY, check_wavefront };
