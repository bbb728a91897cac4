/* The exact optimum of a small graph, or as far as a search of fixed size proves it: the one bound that needs no
 * theorem. */
#include "base/clock.h"
#include "base/mem.h"
#include "bounds/bound.h"
#include "bounds/check/graph/excess.h"
#include "bounds/graph/pieces.h"
#include "bounds/proof.h"
#include "bounds/recognise/explicit.h"
#include "pebble/optimal.h"
#include <math.h>

enum { LARGEST = 300, LEAST = 20000, PER_SECOND = 10000, PER_SECOND_ONCE = 100000, FEW = 1 << 17 };
static const double least_bytes = 4e6, bytes_per_second = 2e7;

static void put_proof(bound *b, const pebble_optimum *o, const bound_explicit *e)
{
  proof say = { &b->proof, &b->proof_latex };
  proof_tell(&say, "graph/optimum/proof", "vertices %lu, states %lu, lower %lu", (unsigned long)e->g.n,
             (unsigned long)o->states, (unsigned long)o->lower);
}

/* The excess of each part, 0 of vertices that need no move. */
static uint32_t *excess_of_parts(const bound_explicit *e, const pebble_optimum *o)
{
  uint32_t *excess = MEM_NEW(uint32_t, o->parts + 1);
  for (uint32_t p = 0; p < o->parts; p++)
    excess[p] = (uint32_t)o->part_lower[p];
  for (uint32_t v = 0; v < e->g.n; v++)
    if (o->part[v] < o->parts && (cdag_graph_is_input(&e->g, v) || e->g.output[v]))
      excess[o->part[v]]--;
  return excess;
}

/* Does the checker's search come as far, with so many positions for all parts? */
static bool is_followed(const bound_question *q, const bound_explicit *e, const pebble_optimum *o,
                        const uint32_t *excess, uint64_t positions)
{
  excess_piece *piece = MEM_NEW(excess_piece, 1);
  uint8_t *weight = bound_explicit_weights(e);
  uint32_t *number = MEM_NEW(uint32_t, e->g.n), *vertex = MEM_NEW(uint32_t, e->g.n), least;
  bool good = true;
  for (uint32_t p = 0; p < o->parts && good; p++) {
    uint32_t n = 0;
    for (uint32_t v = 0; v < e->g.n; v++)
      if (o->part[v] == p)
        vertex[n++] = v;
    good = excess[p] == 0 ||
           (excess_piece_init(piece, &e->g, weight, vertex, n, number) &&
            (q->one_shot ? excess_least : excess_again)(piece, q->m, q->variant == PEBBLE_SLIDING, excess[p],
                                                        &positions, &least) != EXCESS_GAVE_UP);
  }
  mem_free(piece);
  mem_free(weight);
  mem_free(number);
  mem_free(vertex);
  return good;
}

/* A certificate is for a checker that follows it.  Its search has fewer tricks: where words may be computed again it
   meets some four times as many positions, now and then far more; where not, far more once the solver has learned what
   a part of the graph costs, which it does behind FEW positions.  So it is tried, if half of the time is left. */
static void put_parameters(const bound_question *q, const bound_explicit *e, const pebble_optimum *o, double began,
                           bound *b)
{
  uint32_t *excess = excess_of_parts(e, o);
  double seconds = fmin(q->seconds, 1000);
  uint64_t positions = LEAST + (uint64_t)((q->one_shot ? PER_SECOND_ONCE : PER_SECOND) * seconds);
  positions = positions < EXCESS_POSITIONS ? positions : EXCESS_POSITIONS;
  if ((q->one_shot && o->states <= FEW) ||
      (clock_seconds() < began + q->seconds / 2 && is_followed(q, e, o, excess, positions)))
    bound_pieces_parameters(&b->parameters, e, o->parts, o->part, excess);
  mem_free(excess);
}

static void add_record(const bound_question *q, const bound_explicit *e, const pebble_optimum *o, double began,
                       bound_list *out)
{
  unsigned models = q->one_shot ? BOUND_ONE_SHOT : BOUND_RECOMPUTE | BOUND_ONE_SHOT;
  models |= q->variant == PEBBLE_SLIDING ? BOUND_SLIDING | BOUND_PLACING : BOUND_PLACING;
  bound *b = bound_list_add(out, "optimum", BOUND_PROVED, models, "docs/optimal.md");
  mpz_set_ui(b->value, o->lower);
  text_add(&b->leading, o->proved ? "all plays tried" : "as far as tried");
  put_parameters(q, e, o, began, b);
  if (q->want_proof)
    put_proof(b, o, e);
}

/* The search is limited by what it stores, so that it proves the same wherever the time lasts for that. */
static status apply(const bound_question *q, bound_list *out, diag *d)
{
  bound_explicit e;
  double began = clock_seconds();
  if (q->no_search || q->variant == PEBBLE_PARTIAL || !bound_explicit_fits(q->g, LARGEST))
    return OK;
  status st = bound_explicit_init(&e, q->g, LARGEST, d);
  if (st == OK && e.g.n > 0 && q->m >= bound_explicit_least_memory(&e, q->variant == PEBBLE_PLACING)) {
    pebble_rules rules = { (pebble_variant)q->variant, q->one_shot, q->m };
    pebble_optimal_limits limits = { .seconds = q->seconds,
                                     .bytes = (uint64_t)(least_bytes + bytes_per_second * fmin(q->seconds, 1000)) };
    pebble_optimum o = { 0 };
    st = pebble_optimal(&e.g, &rules, &limits, &o, d);
    if (st == GAVE_UP)
      st = OK;
    if (st == OK && o.possible)
      add_record(q, &e, &o, began, out);
    pebble_optimum_clear(&o);
  }
  bound_explicit_clear(&e);
  return st;
}

BOUND_THEOREM(200, optimum) = {
  .name = "optimum",
  .summary = "small graphs: every play is tried, as far as a search of fixed size comes",
  .source = "docs/optimal.md",
  .apply = apply,
  .slow = true,
};
