/* The exact optimum of a small graph, or as far as a search of fixed size proves it: the one bound that needs no
 * theorem. */
#include "base/mem.h"
#include "bounds/bound.h"
#include "bounds/graph/pieces.h"
#include "bounds/proof.h"
#include "bounds/recognise/explicit.h"
#include "pebble/optimal.h"
#include <math.h>

enum { LARGEST = 300 };
static const double least_bytes = 4e6, bytes_per_second = 2e7;

static void put_proof(bound *b, const pebble_optimum *o, const bound_explicit *e)
{
  proof say = { &b->proof, &b->proof_latex };
  proof_say(&say,
            "The part of the computation that matters has {%lu} vertices, few enough to try every play in order of its "
            "cost. After {%lu} "
            "positions every play that is not yet followed to its end was seen to cost at least {%lu}. (`redblue "
            "optimal` repeats the search.)",
            (unsigned long)e->g.n, (unsigned long)o->states, (unsigned long)o->lower);
  proof_paragraph(&say);
}

/* Of a connected graph, in the placing game without recomputation: one piece, of all vertices. */
static void put_parameters(bound *b, const bound_explicit *e, uint64_t lower)
{
  uint32_t *piece = MEM_NEW(uint32_t, e->g.n), excess = (uint32_t)(lower - e->compulsory);
  if (!(b->models & (BOUND_RECOMPUTE | BOUND_SLIDING)) &&
      bound_pieces_cut(&e->g, e->g.n, piece) == 1)
    bound_pieces_parameters(&b->parameters, e, 1, piece, &excess);
  mem_free(piece);
}

static void add_record(const bound_question *q, const bound_explicit *e, const pebble_optimum *o, bound_list *out)
{
  unsigned models = q->one_shot ? BOUND_ONE_SHOT : BOUND_RECOMPUTE | BOUND_ONE_SHOT;
  models |= q->variant == PEBBLE_SLIDING ? BOUND_SLIDING | BOUND_PLACING : BOUND_PLACING;
  bound *b = bound_list_add(out, "optimum", BOUND_PROVED, models, "docs/optimal.md");
  mpz_set_ui(b->value, o->lower);
  text_add(&b->leading, o->proved ? "all plays tried" : "as far as tried");
  put_parameters(b, e, o->lower);
  if (q->want_proof)
    put_proof(b, o, e);
}

/* The search is limited by what it stores, so that it proves the same wherever the time lasts for that. */
static status apply(const bound_question *q, bound_list *out, diag *d)
{
  bound_explicit e;
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
      add_record(q, &e, &o, out);
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
