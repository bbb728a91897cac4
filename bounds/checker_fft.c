/* Certificates of the FFT's segment bounds (docs/theory-graphs.md, section 3): the edges are checked to be those of an FFT graph, the
   counts are made with plain loops from {"levels": l, "T": T, "first": h_0, "later": h}. */
#include "base/mem.h"
#include "bounds/checker_graph.h"
#include <inttypes.h>
#include <string.h>

enum { MOST_LEVELS = 22 };

/* ---- is it an FFT graph? ---- */

/* Every vertex of the rank reads its own lane and the lane that differs in one bit, the same for all; vertices are numbered rank by
   rank. */
static bool rank_is_paired(const cdag_graph *g, uint64_t lanes, uint64_t rank, uint64_t *bit)
{
  for (uint64_t j = 0; j < lanes; j++) {
    uint64_t v = rank * lanes + j, below = (rank - 1) * lanes;
    if (g->pred_at[v + 1] - g->pred_at[v] != 2)
      return false;
    uint64_t a = g->pred[g->pred_at[v]], b = g->pred[g->pred_at[v] + 1];
    if (a < below || b < below || a >= below + lanes || b >= below + lanes || (a - below != j && b - below != j))
      return false;
    uint64_t other = (a - below) ^ (b - below);
    if (j > 0 && other != *bit)
      return false;
    *bit = other;
  }
  return *bit != 0 && (*bit & (*bit - 1)) == 0; /* unreachable: 0, for predecessors are different */
}

bool checker_is_fft(const cdag_graph *g, int64_t levels)
{
  if (levels < 1 || levels > MOST_LEVELS || ((uint64_t)levels + 1) << levels != g->n)
    return false;
  uint64_t lanes = UINT64_C(1) << levels, seen = 0, bit = 0;
  for (uint64_t j = 0; j < lanes; j++)
    if (!cdag_graph_is_input(g, (uint32_t)j))
      return false;
  for (uint64_t rank = 1; rank <= (uint64_t)levels; rank++) {
    if (!rank_is_paired(g, lanes, rank, &bit) || (seen & bit))
      return false;
    seen |= bit;
  }
  return true;
}

bool checker_last_rank_is_output(const cdag *g, const cdag_graph *e, int64_t levels)
{
  for (uint64_t v = (uint64_t)levels << levels; v < e->n; v++) {
    cdag_element x;
    cdag_at(g, v, &x);
    if (!cdag_is_output(g, x.array, x.x))
      return false;
  }
  return true;
}

/* ---- the counts ---- */

typedef enum { LOADS, PARTIAL_LOADS, LOADS_AND_STORES } kind;

typedef struct {
  kind kind;
  uint64_t m, lanes, work;
  uint64_t *edges; /* edges[x], x <= lanes */
} counts;

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t forward(const counts *c, uint64_t x)
{
  return x >= c->lanes ? c->work : least(c->work, 2 * c->edges[x] + (c->kind == PARTIAL_LOADS ? x : 0));
}

static uint64_t backward(const counts *c, uint64_t y)
{
  return y >= c->lanes ? c->work : least(c->work, 2 * c->edges[y] + y);
}

static uint64_t of_segment(const counts *c, uint64_t red, uint64_t t)
{
  uint64_t most = 0;
  if (c->kind != LOADS_AND_STORES)
    return forward(c, red + t);
  for (uint64_t loads = 0; loads <= t; loads++) {
    uint64_t here = least(forward(c, red + loads), backward(c, c->m + t - loads));
    most = here > most ? here : most;
  }
  return most;
}

static bool derive(const counts *c, const json_value *p, int64_t levels, mpz_t value, text *reason)
{
  int64_t t, first, later;
  if (!json_get_int(p, "T", &t) || t < 1 || (uint64_t)t > 2 * c->lanes || !json_get_int(p, "first", &first) ||
      !json_get_int(p, "later", &later))
    return bound_refuse(reason, "'T', 'first' and 'later' are not three numbers in range");
  uint64_t one = of_segment(c, 0, (uint64_t)t), next = of_segment(c, c->m - (c->kind != LOADS_AND_STORES), (uint64_t)t);
  if ((uint64_t)first != one || (uint64_t)later != next)
    return bound_refuse(reason, "a first segment computes at most %" PRIu64 " vertices, a later one %" PRIu64, one,
                        next);
  if (one >= c->work || next == 0)
    return bound_refuse(reason, "one segment may compute everything");
  mpz_set_ui(value, (c->work - one + next - 1) / next);
  mpz_mul_ui(value, value, (uint64_t)t);
  mpz_add_ui(value, value, 1 + (c->kind == LOADS_AND_STORES ? 0 : UINT64_C(1) << levels));
  return true;
}

static bool check_graph(const bound_claim *c, int64_t levels, text *reason)
{
  cdag_graph made = { 0 };
  const cdag_graph *g;
  diag d;
  if (checker_graph_of(c->g, &made, &g, &d) != OK)
    return bound_refuse(reason, "%s", d.message);
  bool fft = checker_is_fft(g, levels) && checker_last_rank_is_output(c->g, g, levels);
  cdag_graph_clear(&made);
  return fft || bound_refuse(reason, "this is not an FFT graph of that many levels");
}

bool checker_fft(const bound_claim *c, mpz_t value, text *reason)
{
  static const struct {
    const char *theorem;
    kind kind;
  } kinds[] = { { "fft-segments", LOADS },
                { "fft-segments-partial", PARTIAL_LOADS },
                { "fft-segments-one-shot", LOADS_AND_STORES } };
  int64_t levels;
  counts k = { .m = (uint64_t)c->m };
  for (int i = 0; i < 3; i++)
    if (strcmp(c->theorem, kinds[i].theorem) == 0)
      k.kind = kinds[i].kind;
  if (!json_get_int(c->parameters, "levels", &levels) || levels < 1 || levels > MOST_LEVELS)
    return bound_refuse(reason, "'levels' is missing or out of range");
  if (!check_graph(c, levels, reason))
    return false;
  k.lanes = UINT64_C(1) << levels;
  k.work = k.lanes * (uint64_t)levels;
  k.edges = MEM_NEW(uint64_t, k.lanes + 1);
  for (uint64_t x = 0; x < k.lanes; x++) {
    uint64_t ones = 0;
    for (uint64_t rest = x; rest; rest /= 2)
      ones += rest % 2;
    k.edges[x + 1] = k.edges[x] + ones;
  }
  bool valid = derive(&k, c->parameters, levels, value, reason);
  mem_free(k.edges);
  return valid;
}
