/* The bound on affine computations: the claim is read and derived again, by proofs on integer polyhedra. */
#include "bounds/check/affine/claim.h"
#include "bounds/check/gates/gates.h"
#include "bounds/check/affine/stencil.h"
#include "bounds/check/affine/stored.h"
#include "bounds/checker.h"
#include <string.h>

static bool read_facts(affine_facts *f, const cdag *g, affine_reading reading, affine_reading most, text *reason)
{
  static const char *const none[READINGS] = { NULL, "there are no copies to merge", "there are no windows",
                                              "no element is a part of another",
                                              "there are no sums of few steps and no parts" };
  if (reading > most)
    return bound_refuse(reason, "the theorem does not speak of windows");
  return affine_facts_init(f, g, reading) || bound_refuse(reason, "%s", none[reading]);
}

static bool check_affine(const bound_claim *b, mpz_t value, text *reason)
{
  affine_claim c;
  affine_facts f;
  if (b->g->graph)
    return bound_refuse(reason, "an explicit graph has no affine rules");
  if (!affine_claim_read(b->parameters, &c, reason))
    return false;
  if (!read_facts(&f, b->g, c.reading, READ_FUSED, reason))
    return false;
  bool good = affine_derive(&f, &c, reason) && affine_value(&f, &c, affine_pebbles(&f, b->m), value, reason);
  if (good && f.operands && strcmp(b->theorem, "affine") == 0)
    good = bound_refuse(reason, "operands count only when nothing is computed twice");
  affine_facts_clear(&f);
  return good;
}

static bool check_stencil(const bound_claim *b, mpz_t value, text *reason)
{
  stencil_claim c;
  affine_facts f;
  if (b->g->graph || b->m > INT32_MAX)
    return bound_refuse(reason, "an explicit graph has no affine rules, and M must not be huge");
  if (!stencil_claim_read(b->parameters, &c, reason))
    return false;
  c.once = strcmp(b->theorem, "columns-one-shot") == 0;
  if (!read_facts(&f, b->g, c.reading, c.reading == READ_ENDS ? READ_ENDS : READ_MERGED, reason))
    return false;
  bool good = stencil_value(&f, &c, b->m, value, reason);
  affine_facts_clear(&f);
  return good;
}

static bool check_gates(const bound_claim *b, mpz_t value, text *reason)
{
  gates_claim c;
  affine_facts f;
  gates_facts g;
  if (b->g->graph || b->m > INT64_MAX / 4)
    return bound_refuse(reason, "an explicit graph has no affine rules");
  if (!gates_claim_read(b->parameters, &c, reason))
    return false;
  if (gates_once(&c) && strcmp(b->theorem, "gates") == 0)
    return bound_refuse(reason, "what waits counts only when nothing is computed twice");
  if (!read_facts(&f, b->g, c.reading, READ_MERGED, reason))
    return false;
  gates_facts_init(&g, &f);
  bool good = gates_derive(&g, &c, reason) && gates_value(&g, &c, b->m, value, reason);
  gates_facts_clear(&g);
  affine_facts_clear(&f);
  return good;
}

/* Loads and stores of outputs by the one claim, moves of what waits by the other. */
static bool check_stores(const bound_claim *b, mpz_t value, text *reason)
{
  const json_value *affine = json_get(b->parameters, "affine"), *gates = json_get(b->parameters, "gates");
  affine_claim loads;
  gates_claim waits;
  affine_facts f;
  if (b->g->graph || b->m > INT64_MAX / 4 || !affine || !gates || b->parameters->n != 2)
    return bound_refuse(reason, "it needs two claims on affine rules, 'affine' and 'gates', and nothing else");
  if (!affine_claim_read(affine, &loads, reason) || !gates_claim_read(gates, &waits, reason))
    return false;
  if (!affine_facts_init(&f, b->g, READ_AS_IT_IS))
    return bound_refuse(reason, "the computation cannot be read");
  bool behind, good = gates_with_affine(&f, &loads, &waits, b->m, value, &behind, reason);
  affine_facts_clear(&f);
  return good;
}

static bool check_stored(const bound_claim *b, mpz_t value, text *reason)
{
  const json_value *affine = json_get(b->parameters, "affine");
  affine_claim loads;
  stored_claim c;
  affine_facts f;
  stored_facts s;
  if (b->g->graph || b->m > INT32_MAX || !affine || b->parameters->n != 5)
    return bound_refuse(reason, "it needs a claim on affine rules, 'affine', prices, a degree and a length, no more");
  if (!affine_claim_read(affine, &loads, reason) || !stored_claim_read(b->parameters, &c, reason) ||
      !read_facts(&f, b->g, loads.reading, READ_TAPPED, reason))
    return false;
  stored_facts_init(&s);
  bool good = stored_derive(&f, &loads, c.degree, &s, reason) &&
              stored_value(&s, &c, affine_pebbles(&f, b->m), value, reason);
  stored_facts_clear(&s);
  affine_facts_clear(&f);
  return good;
}

BOUND_CHECKER(affine_stored) = { "affine-stored", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, check_stored };
BOUND_CHECKER(affine_and_gates) = { "affine-and-gates", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, check_stores };
BOUND_CHECKER(gates) = { "gates", BOUND_ANY, check_gates };
BOUND_CHECKER(gates_one_shot) = { "gates-one-shot", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, check_gates };
BOUND_CHECKER(columns) = { "columns", BOUND_ANY, check_stencil };
BOUND_CHECKER(columns_one_shot) = { "columns-one-shot", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, check_stencil };
BOUND_CHECKER(affine) = { "affine", BOUND_ANY, check_affine };
BOUND_CHECKER(affine_one_shot) = { "affine-one-shot", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, check_affine };
