/* The checker of lists of positions (docs/optimal.md, 14): what hangs together is listed by itself, and the least costs
   of all such parts are added. */
#include "base/mem.h"
#include "bounds/check/graph/positions.h"
#include "bounds/check/reading/graph.h"

enum { MOST_TURNS = 256, MOST_LEAST = 1 << 20 };

typedef struct {
  const cdag_graph *g;
  uint8_t *weight;          /* n: see checker_weigh */
  uint32_t *part, *number, *vertex; /* n: part + 1; number in it + 1; those of the part at hand */
  int *core, *turn;
  uint32_t at;              /* the part at hand */
  positions_claim claim;    /* of it */
  text *reason;
} checker;

/* The vertices of the next part. */
static bool read_vertices(checker *k, const json_value *list, uint32_t part)
{
  if (!list || list->type != JSON_ARRAY || list->n == 0 || list->n > 64 * POSITIONS_WIDEST)
    return bound_refuse(k->reason, "a part has no list of at most %d vertices", 64 * POSITIONS_WIDEST);
  for (size_t i = 0; i < list->n; i++) {
    int64_t v;
    if (!json_integer64(&list->item[i], &v) || v < 0 || v >= (int64_t)k->g->n || !k->weight[v] || k->part[v])
      return bound_refuse(k->reason, "a vertex of a part does not matter, or stands in two");
    k->part[v] = part + 1;
    k->number[v] = (uint32_t)i + 1;
  }
  return true;
}

static bool read_core(checker *k, const json_value *v, size_t *members)
{
  const json_value *core = json_get(v, "core");
  int n = (int)k->claim.n;
  k->claim.cores = 0;
  if (!core)
    return true;
  ++*members;
  k->claim.cores = json_get_ints(core, "vertices", n, 0, n - 1, k->core);
  return (k->claim.cores > 0 && json_get_int_in(core, "limit", 0, MOST_LEAST, &k->claim.limit) && core->n == 2 &&
          !k->claim.again && !k->claim.sliding && !k->claim.partial) ||
         bound_refuse(k->reason, "a core is wrong, or is one of another game than placing without recomputation");
}

static bool read_turns(checker *k, const json_value *v, size_t *members)
{
  const json_value *list = json_get(v, "symmetries");
  int n = (int)k->claim.n;
  k->claim.turns = 0;
  if (!list)
    return true;
  ++*members;
  k->claim.turns = json_get_ints(v, "symmetries", MOST_TURNS * n, 0, n - 1, k->turn);
  if (k->claim.turns <= 0 || k->claim.turns % n)
    return bound_refuse(k->reason, "the symmetries of a part are not %d numbers each", n);
  k->claim.turns /= n;
  return true;
}

/* Nothing leaves the part, or comes into it, that matters. */
static bool hangs_together(const checker *k)
{
  const cdag_graph *g = k->g;
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = g->pred_at[v]; k->weight[v] && e < g->pred_at[v + 1]; e++)
      if (k->part[v] != k->part[g->pred[e]])
        return bound_refuse(k->reason, "an edge leads from one part into another");
  return true;
}

/* Its vertices were read. */
static bool check_part(checker *k, const json_value *v, mpz_t value)
{
  int least;
  size_t members = 3;
  uint64_t edges = 0;
  k->claim.n = (uint32_t)json_get(v, "vertices")->n;
  for (uint32_t x = 0; x < k->g->n; x++)
    if (k->part[x] == k->at + 1) {
      k->vertex[k->number[x] - 1] = x;
      edges += k->g->pred_at[x + 1] - k->g->pred_at[x];
    }
  k->claim.list = json_get_string(v, "positions");
  if (!json_get_int_in(v, "least", 1, MOST_LEAST, &least) || !k->claim.list)
    return bound_refuse(k->reason, "a part lacks its least cost or its positions");
  if (!read_core(k, v, &members) || !read_turns(k, v, &members))
    return false;
  if (v->n != members)
    return bound_refuse(k->reason, "something stands beside the positions of a part");
  k->claim.least = (uint32_t)least;
  mpz_add_ui(value, value, k->claim.least);
  bool narrow = k->claim.n <= 64 && (edges <= 64 || !k->claim.partial);
  return (narrow ? positions_closed_1 : positions_closed_8)(&k->claim, k->reason);
}

static bool check_all(checker *k, const bound_claim *c, mpz_t value)
{
  const json_value *list = json_get(c->parameters, "parts");
  if (!list || list->type != JSON_ARRAY || c->parameters->n != 1)
    return bound_refuse(k->reason, "there is no list of parts, or something beside it");
  for (size_t i = 0; i < list->n; i++)
    if (!read_vertices(k, json_get(&list->item[i], "vertices"), (uint32_t)i))
      return false;
  bool good = hangs_together(k);
  for (size_t i = 0; i < list->n && good; i++) {
    k->at = (uint32_t)i;
    good = check_part(k, &list->item[i], value);
  }
  return good;
}

/* The hardest game that is named is the one that is looked at: what costs so much there costs no less in the others. */
static bool read_game(checker *k, const bound_claim *c)
{
  k->claim.m = (uint64_t)c->m;
  k->claim.partial = c->models & BOUND_PARTIAL;
  k->claim.sliding = c->models & BOUND_SLIDING;
  k->claim.again = c->models & BOUND_RECOMPUTE && !k->claim.partial;
  return !k->claim.partial || !(c->models & (BOUND_PLACING | BOUND_SLIDING)) ||
         bound_refuse(k->reason, "the partial game is another one than those beside it");
}

static bool check_positions(const bound_claim *c, mpz_t value, text *reason)
{
  checker k = { .reason = reason };
  cdag_graph made = { 0 };
  diag d = { 0 };
  mpz_set_ui(value, 0);
  if (!read_game(&k, c))
    return false;
  if (checker_graph_of(c->g, &made, &k.g, &d) != OK)
    return bound_refuse(reason, "%s", d.message);
  k.weight = MEM_NEW(uint8_t, k.g->n), k.part = MEM_NEW(uint32_t, k.g->n), k.number = MEM_NEW(uint32_t, k.g->n);
  k.vertex = MEM_NEW(uint32_t, 64 * POSITIONS_WIDEST), k.core = MEM_NEW(int, 64 * POSITIONS_WIDEST);
  k.turn = MEM_NEW(int, MOST_TURNS * 64 * POSITIONS_WIDEST);
  checker_weigh(c->g, k.g, k.weight);
  k.claim.g = k.g, k.claim.weight = k.weight, k.claim.vertex = k.vertex, k.claim.number = k.number;
  k.claim.core = k.core, k.claim.turn = k.turn;
  bool valid = check_all(&k, c, value);
  mem_free(k.weight), mem_free(k.part), mem_free(k.number);
  mem_free(k.vertex), mem_free(k.core), mem_free(k.turn);
  cdag_graph_clear(&made);
  return valid;
}

/* {"parts": [{"least": L, "vertices": [v, ...], "positions": "...", "symmetries": [...], "core": {"vertices": [i, ...],
   "limit": l}}, ...]}; the last two where there are such.  Vertices are numbers of the computation, in "symmetries" and
   "core" numbers of the part. */
BOUND_CHECKER(positions) = { "positions", BOUND_ANY | BOUND_PARTIAL, check_positions };
