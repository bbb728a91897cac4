/* The checker of sums over pieces (docs/theory-graphs.md, section 6): the pieces share no vertex, and none has a way of
   less excess than is claimed for it. */
#include "bounds/check/graph/excess.h"
#include "base/mem.h"
#include "base/patience.h"
#include "bounds/check/reading/graph.h"
#include <inttypes.h>

typedef struct {
  const cdag_graph *g;
  uint64_t m, positions;    /* that may still be looked at */
  bool sliding, again;      /* words may be computed again */
  uint8_t *weight;          /* n: see checker_weigh */
  uint8_t *taken;           /* n: in a piece */
  uint32_t *number, *vertex; /* n: see excess_piece_init; the piece at hand */
  excess_piece piece;
  text *reason;
} checker;

static bool read_vertices(checker *k, const json_value *list)
{
  if (!list || list->type != JSON_ARRAY || list->n > k->g->n)
    return bound_refuse(k->reason, "a piece has no list of vertices");
  for (size_t i = 0; i < list->n; i++) {
    int64_t v;
    if (!json_integer64(&list->item[i], &v) || v < 0 || v >= (int64_t)k->g->n || !k->weight[v] || k->taken[v])
      return bound_refuse(k->reason, "a vertex of a piece does not matter, or stands in two");
    k->taken[v] = 1;
    k->vertex[i] = (uint32_t)v;
  }
  return excess_piece_init(&k->piece, k->g, k->weight, k->vertex, list->n, k->number) ||
         bound_refuse(k->reason, "a piece and its readers are more than %d vertices", EXCESS_MEMBERS);
}

static bool check_piece(checker *k, const json_value *v, mpz_t value)
{
  int64_t excess;
  uint32_t least;
  excess_answer (*search)(const excess_piece *, uint64_t, bool, uint32_t, uint64_t *, uint32_t *) =
      k->again ? excess_again : excess_least;
  if (!json_get_int(v, "excess", &excess) || excess < 1 || excess > INT32_MAX || v->n != 2)
    return bound_refuse(k->reason, "a piece lacks its excess");
  if (!read_vertices(k, json_get(v, "vertices")))
    return false;
  if (k->again && !excess_is_component(&k->piece))
    return bound_refuse(k->reason, "a piece is not all that hangs together, and words may be computed again");
  if (search(&k->piece, k->m, k->sliding, (uint32_t)excess, &k->positions, &least) == EXCESS_GAVE_UP)
    return bound_refuse(k->reason, "more than %d positions are to be tried", EXCESS_POSITIONS);
  if (least < excess)
    return bound_refuse(k->reason, "a piece of %d vertices has a way of excess %" PRIu32, k->piece.own, least);
  mpz_add_ui(value, value, (unsigned long)excess);
  return true;
}

static bool fits(const checker *k)
{
  for (uint32_t v = 0; v < k->g->n; v++)
    if (k->weight[v] && k->g->pred_at[v + 1] - k->g->pred_at[v] + !k->sliding > k->m)
      return bound_refuse(k->reason, "vertex %" PRIu32 " cannot be computed with this memory", v);
  return true;
}

static bool check_all(checker *k, const bound_claim *c, mpz_t value)
{
  const json_value *list = json_get(c->parameters, "pieces");
  int64_t compulsory;
  mpz_set_ui(value, checker_weigh(c->g, k->g, k->weight));
  if (!json_get_int(c->parameters, "compulsory", &compulsory) || mpz_cmp_si(value, compulsory) != 0)
    return bound_refuse(k->reason, "inputs and outputs make %lu compulsory moves", mpz_get_ui(value));
  if (!list || list->type != JSON_ARRAY || c->parameters->n != 2)
    return bound_refuse(k->reason, "there is no list of pieces, or something beside it");
  bool good = fits(k);
  for (size_t i = 0; i < list->n && good; i++)
    good = check_piece(k, &list->item[i], value);
  return good;
}

static bool check_pieces(const bound_claim *c, mpz_t value, text *reason)
{
  checker k = { .m = (uint64_t)c->m, .positions = PATIENCE(EXCESS_POSITIONS), .reason = reason };
  k.sliding = c->models & BOUND_SLIDING, k.again = c->models & BOUND_RECOMPUTE;
  cdag_graph made = { 0 };
  diag d = { 0 };
  if (checker_graph_of(c->g, &made, &k.g, &d) != OK)
    return bound_refuse(reason, "%s", d.message);
  k.weight = MEM_NEW(uint8_t, k.g->n), k.taken = MEM_NEW(uint8_t, k.g->n);
  k.number = MEM_NEW(uint32_t, k.g->n), k.vertex = MEM_NEW(uint32_t, k.g->n);
  bool valid = check_all(&k, c, value);
  mem_free(k.weight);
  mem_free(k.taken);
  mem_free(k.number);
  mem_free(k.vertex);
  cdag_graph_clear(&made);
  return valid;
}

/* {"compulsory": C, "pieces": [{"excess": E, "vertices": [v, ...]}, ...]}: vertices are numbers of the computation. The
   optimum is the sum over what hangs together.  "pieces-sliding" is about both games, "pieces" about the placing game.
 */
BOUND_CHECKER(pieces) = { "pieces", BOUND_ONE_SHOT | BOUND_PLACING, check_pieces };
BOUND_CHECKER(pieces_sliding) = { "pieces-sliding", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, check_pieces };
BOUND_CHECKER(optimum) = { "optimum", BOUND_ANY, check_pieces };
