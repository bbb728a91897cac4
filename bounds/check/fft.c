/* Certificates of the FFT's segment bounds (docs/theory-graphs.md, section 3): the edges are checked to be those of an
   FFT graph, the counts are made with plain loops from {"levels": l, "T": T, "first": h_0, "later": h}, and for
   fft-segments "counted": "loads" or "moves". */
#include "base/mem.h"
#include "base/num.h"
#include "bounds/check/reading/graph.h"
#include <inttypes.h>
#include <string.h>

/* ---- is it an FFT graph? ---- */

/* Every vertex of the rank reads its own lane and the lane that differs in one bit, the same for all; vertices are
   numbered rank by rank. */
static bool rank_is_paired(const cdag_graph *g, uint64_t lanes, uint64_t rank, uint64_t *bit)
{
  for (uint64_t j = 0, below = (rank - 1) * lanes; j < lanes; j++) {
    uint64_t v = rank * lanes + j;
    if (g->pred_at[v + 1] - g->pred_at[v] != 2)
      return false;
    uint64_t a = g->pred[g->pred_at[v]] - below,
             b = g->pred[g->pred_at[v] + 1] - below; /* in other ranks: no lanes, and more bits differ */
    if ((a != j && b != j) || (j > 0 && (a ^ b) != *bit))
      return false;
    *bit = a ^ b;
  }
  return __builtin_popcountll(*bit) == 1;
}

bool checker_is_fft(const cdag_graph *g, int64_t levels)
{
  uint64_t l = 1, seen = 0, bit = 0;
  while ((l + 1) << l < g->n)
    l++;
  uint64_t lanes = UINT64_C(1) << l;
  if (levels != (int64_t)l || (l + 1) * lanes != g->n)
    return false;
  for (uint64_t j = 0; j < lanes; j++)
    if (!cdag_graph_is_input(g, (uint32_t)j))
      return false;
  for (uint64_t rank = 1; rank <= l; rank++) {
    if (!rank_is_paired(g, lanes, rank, &bit))
      return false;
    seen |= bit;
  }
  return seen == lanes - 1; /* l bits for l ranks: each has one of its own */
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

typedef enum {
  LOADS,
  PARTIAL_LOADS,
  LOADS_AND_STORES,
  MOVES
} kind; /* loads and stores: when nothing is computed twice */

typedef struct {
  kind kind;
  int64_t m, lanes, work; /* m: at most lanes + 1, for more makes no difference */
  int64_t *edges;         /* edges[x], x <= 4 lanes */
} counts;

/* All lanes together can do everything. */
static int64_t forward(const counts *c, int64_t x)
{
  x = num_min(x, c->lanes);
  return num_min(c->work, 2 * c->edges[x] + (c->kind == PARTIAL_LOADS ? x : 0));
}

static int64_t backward(const counts *c, int64_t y)
{
  y = num_min(y, c->lanes);
  return num_min(c->work, 2 * c->edges[y] + y);
}

static bool counts_moves(const counts *c) { return c->kind == LOADS_AND_STORES || c->kind == MOVES; }

/* Words and lanes are red + t + M: e(words) + e(lanes) when words are no fewer, twice e(words) otherwise; M is at most
 * lanes. */
static int64_t in_few_lanes(const counts *c, int64_t red, int64_t t)
{
  int64_t both = red + t + c->m;
  return num_min(c->work, c->edges[both] - num_min(c->m, both / 2));
}

static int64_t of_segment(const counts *c, int64_t red, int64_t t)
{
  int64_t most = 0;
  if (c->kind == MOVES)
    return in_few_lanes(c, red, t);
  if (c->kind != LOADS_AND_STORES)
    return forward(c, red + t);
  for (int64_t loads = 0; loads <= t; loads++)
    most = num_max(most, num_min(forward(c, red + loads), backward(c, c->m + t - loads)));
  return most;
}

static bool derive(const counts *c, const json_value *p, mpz_t value, text *reason)
{
  int64_t t, first, later;
  if (!json_get_int(p, "T", &t) || t < 1 || t > 2 * c->lanes || !json_get_int(p, "first", &first) ||
      !json_get_int(p, "later", &later))
    return bound_refuse(reason, "'T', 'first' and 'later' are not three numbers in range");
  int64_t one = of_segment(c, 0, t), next = of_segment(c, c->m - !counts_moves(c), t);
  if (first != one || later != next)
    return bound_refuse(reason, "a first segment computes at most %" PRId64 " vertices, a later one %" PRId64, one,
                        next);
  if (one == c->work || next == 0)
    return bound_refuse(reason, "one segment may compute everything");
  mpz_set_si(value, (c->work - one + next - 1) / next);
  mpz_mul_si(value, value, t);
  mpz_add_ui(value, value, 1 + (counts_moves(c) ? 0 : (uint64_t)c->lanes));
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

static bool read_kind(const bound_claim *c, kind *k)
{
  static const struct {
    const char *theorem;
    kind kind;
  } kinds[] = { { "fft-segments", LOADS },
                { "fft-segments-partial", PARTIAL_LOADS },
                { "fft-segments-one-shot", LOADS_AND_STORES } };
  const char *said = json_get_string(c->parameters, "counted");
  for (int i = 0; i < 3; i++)
    if (strcmp(c->theorem, kinds[i].theorem) == 0)
      *k = kinds[i].kind;
  if (*k == LOADS && said && strcmp(said, "moves") == 0)
    *k = MOVES;
  return *k != LOADS || (said && strcmp(said, "loads") == 0);
}

static bool check_fft(const bound_claim *c, mpz_t value, text *reason)
{
  int64_t levels;
  counts k = { .kind = LOADS };
  if (!read_kind(c, &k.kind))
    return bound_refuse(reason, "'counted' is neither loads nor moves");
  if (!json_get_int(c->parameters, "levels", &levels))
    return bound_refuse(reason, "'levels' is missing");
  if (!check_graph(c, levels, reason))
    return false;
  k.lanes = INT64_C(1) << levels;
  k.work = k.lanes * levels;
  if (k.kind == MOVES && c->m > k.lanes)
    return bound_refuse(reason, "with more words than lanes all is done at once");
  k.m = num_min(c->m, k.lanes + 1);
  k.edges = MEM_NEW(int64_t, (size_t)(4 * k.lanes) + 1);
  for (int64_t x = 0; x < 4 * k.lanes; x++)
    k.edges[x + 1] = k.edges[x] + __builtin_popcountll((uint64_t)x);
  bool valid = derive(&k, c->parameters, value, reason);
  mem_free(k.edges);
  return valid;
}

BOUND_CHECKER(fft_segments) = { "fft-segments", BOUND_ANY, check_fft };
BOUND_CHECKER(fft_segments_partial) = { "fft-segments-partial", BOUND_PARTIAL | BOUND_ONE_SHOT, check_fft };
BOUND_CHECKER(fft_segments_one_shot) = { "fft-segments-one-shot", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING,
                                         check_fft };
