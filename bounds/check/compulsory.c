/* Compulsory traffic: inputs with a path to a computed output, and computed outputs.  Counted over every vertex, by
   marking backwards from the outputs; or, when the certificate gives "inputs" and "outputs", read off the description:
   how many different inputs the elements that matter name, or how many points the sets of its normal form have.  What
   these do not tell is marked. */
#include "base/mem.h"
#include "bounds/check/cut.h"
#include "bounds/check/reading/mark.h"
#include "bounds/check/reading/read.h"
#include "cdag/polyhedral/ends.h"
#include "bounds/checker.h"
#include <inttypes.h>

/* Inputs that matter and computed outputs, one by one. */
static bool marked(const cdag *g, uint64_t *inputs, uint64_t *outputs)
{
  *inputs = 0;
  if (g->vertices > MARK_VERTICES)
    return false;
  SCOPED_MEM uint8_t *seen = MEM_NEW(uint8_t, g->vertices);
  bool done = checker_mark(g, MARK_VERTICES, MARK_EDGES, seen, outputs);
  for (uint64_t id = 0; id < g->vertices; id++) {
    cdag_element e;
    cdag_at(g, id, &e);
    *inputs += seen[id] && cdag_is_input(g, e.array, e.x);
  }
  return done;
}

static bool within(const bound_claim *c, uint64_t inputs, uint64_t outputs, mpz_t value, text *reason)
{
  mpz_set_ui(value, 0);
  return checker_add_at_most(c->parameters, "inputs", inputs, value, reason) &&
         checker_add_at_most(c->parameters, "outputs", outputs, value, reason);
}

static bool from_description(const bound_claim *c, mpz_t value, text *reason)
{
  uint64_t all, ends;
  if (c->g->graph)
    return bound_refuse(reason, "a graph's inputs are counted one by one");
  bool *live = checker_live(c->g);
  uint64_t inputs = checker_inputs(c->g, live), outputs = checker_outputs(c->g);
  bool good = within(c, inputs, outputs, value, reason);
  if (!good) {
    cdag_ends(c->g, &inputs, &outputs);
    text_clear(reason);
    good = within(c, inputs, outputs, value, reason);
  }
  if (!good && marked(c->g, &all, &ends)) {
    text_clear(reason);
    good = within(c, all, ends, value, reason);
  }
  mem_free(live);
  return good;
}

static bool check_compulsory(const bound_claim *c, mpz_t value, text *reason)
{
  uint64_t inputs, outputs;
  if (json_get(c->parameters, "inputs"))
    return from_description(c, value, reason);
  if (c->g->vertices > MARK_VERTICES)
    return bound_refuse(reason, "%" PRIu64 " vertices are too many to mark one by one", c->g->vertices);
  if (!marked(c->g, &inputs, &outputs))
    return bound_refuse(reason, "more than %d edges are too many to go along one by one", MARK_EDGES);
  mpz_set_ui(value, inputs + outputs);
  return true;
}

BOUND_CHECKER(compulsory) = { "compulsory", BOUND_ANY | BOUND_PARTIAL, check_compulsory };
