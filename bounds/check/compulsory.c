/* Compulsory traffic: inputs with a path to a computed output, and computed outputs.  Counted over every vertex, by marking backwards from the
   outputs, predecessor by predecessor; or, when the certificate gives "inputs" and "outputs", read off the description: how many different
   inputs the elements that matter name. */
#include "base/mem.h"
#include "base/patience.h"
#include "bounds/check/cut.h"
#include "bounds/checker.h"
#include "bounds/check/reading/read.h"
#include <inttypes.h>

enum { MOST = PATIENCE(1 << 22), MOST_EDGES = PATIENCE(1 << 26) };

typedef struct {
  const cdag *g;
  uint8_t *seen;
  uint64_t *stack;
  size_t n, room;
  uint64_t edges;
} marking;

static void push(marking *k, uint64_t id)
{
  if (k->seen[id])
    return;
  k->seen[id] = 1;
  k->stack = mem_room(k->stack, k->n, &k->room, sizeof *k->stack);
  k->stack[k->n++] = id;
}

static bool push_element(void *context, const cdag_element *e, int term)
{
  marking *k = context;
  (void)term;
  if (++k->edges > MOST_EDGES)
    return false;
  push(k, cdag_id(k->g, e->array, e->x));
  return true;
}

/* Marks everything an output needs, as long as patience lasts; returns the number of computed outputs. */
static uint64_t mark(marking *k)
{
  uint64_t outputs = 0;
  cdag_element e;
  for (uint64_t id = 0; id < k->g->vertices; id++) {
    cdag_at(k->g, id, &e);
    if (!cdag_is_output(k->g, e.array, e.x) || cdag_is_input(k->g, e.array, e.x))
      continue;
    outputs++;
    push(k, id);
  }
  while (k->n > 0 && k->edges <= MOST_EDGES) {
    cdag_at(k->g, k->stack[--k->n], &e);
    cdag_each_predecessor(k->g, e.array, e.x, push_element, k);
  }
  return outputs;
}

static bool from_description(const bound_claim *c, mpz_t value, text *reason)
{
  mpz_t outputs;
  if (c->g->graph)
    return bound_refuse(reason, "a graph's inputs are counted one by one");
  bool *live = checker_live(c->g);
  bool good = checker_at_most(c->parameters, "inputs", checker_inputs(c->g, live), reason) &&
              checker_at_most(c->parameters, "outputs", checker_outputs(c->g), reason);
  mem_free(live);
  mpz_init(outputs);
  json_get_big(c->parameters, "inputs", value);
  json_get_big(c->parameters, "outputs", outputs);
  mpz_add(value, value, outputs);
  mpz_clear(outputs);
  return good;
}

static bool check_compulsory(const bound_claim *c, mpz_t value, text *reason)
{
  if (json_get(c->parameters, "inputs"))
    return from_description(c, value, reason);
  if (c->g->vertices > MOST)
    return bound_refuse(reason, "%" PRIu64 " vertices are too many to mark one by one", c->g->vertices);
  marking k = { .g = c->g, .seen = MEM_NEW(uint8_t, c->g->vertices) };
  uint64_t moves = mark(&k);
  for (uint64_t id = 0; id < c->g->vertices; id++) {
    cdag_element e;
    cdag_at(c->g, id, &e);
    moves += k.seen[id] && cdag_is_input(c->g, e.array, e.x);
  }
  mem_free(k.seen);
  mem_free(k.stack);
  if (k.edges > MOST_EDGES)
    return bound_refuse(reason, "more than %d edges are too many to go along one by one", MOST_EDGES);
  mpz_set_ui(value, moves);
  return true;
}

BOUND_CHECKER(compulsory) = { "compulsory", BOUND_ANY | BOUND_PARTIAL, check_compulsory };
