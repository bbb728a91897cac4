/* The loads that a bound on affine computations counts, and the moves of what waits at gates: docs/theory-affine.md,
   section 7, Stores. */
#include "base/json.h"
#include "base/json_read.h"
#include "base/scoped.h"
#include "bounds/affine/records.h"
#include "bounds/bound.h"
#include "bounds/check/gates/gates.h"
#include "bounds/checker.h"
#include "bounds/proof.h"
#include <string.h>

const bound *affine_larger_record(const bound_list *l, const char *name, const char *other)
{
  const bound *best = NULL;
  for (size_t i = 0; i < l->n; i++)
    if ((strcmp(l->item[i].name, name) == 0 || strcmp(l->item[i].name, other) == 0) &&
        (!best || mpz_cmp(l->item[i].value, best->value) > 0))
      best = &l->item[i];
  return best;
}

/* The record's claim, read by `read`. */
typedef bool claim_reader(const json_value *v, void *claim, text *reason);
static bool read_gates(const json_value *v, void *claim, text *reason) { return gates_claim_read(v, claim, reason); }
static bool read_affine(const json_value *v, void *claim, text *reason) { return affine_claim_read(v, claim, reason); }

static bool claim_of(const bound *b, claim_reader *read, void *claim)
{
  json_value v;
  diag d = { 0 };
  SCOPED_TEXT reason = { 0 };
  bool good = json_read(&v, text_str(&b->parameters), b->parameters.n, "claim", &d) == OK && read(&v, claim, &reason);
  json_value_clear(&v);
  return good;
}

bool affine_record_claim(const bound *b, affine_claim *c) { return claim_of(b, read_affine, c); }

static void add_stores(const bound_question *q, const bound *loads, const bound *waits, const mpz_t value, bool behind,
                       bound_list *out)
{
  const char *affine = loads->name, *gates = waits->name; /* a new record may move the old ones */
  SCOPED_TEXT parameters = { 0 };
  SCOPED_MPZ moves, least;
  mpz_init(moves);
  mpz_init_set(least, loads->value);
  mpz_sub(moves, value, least);
  text_printf(&parameters, "{\"affine\": %s, \"gates\": %s}", text_str(&loads->parameters),
              text_str(&waits->parameters));
  bound *b = bound_list_add(out, "affine-and-gates", BOUND_PROVED, BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING,
                            "docs/theory-affine.md, section 7");
  mpz_set(b->value, value);
  text_add(&b->parameters, text_str(&parameters));
  proof say = { &b->proof, &b->proof_latex };
  if (q->want_proof)
    proof_tell(&say, "affine/stores/stores", "affine %s, loads %Zd, gates %s, loaded %s, moves %Zd, value %Zd", affine,
               least, gates,
               behind ? " All steps that the first number counts are ancestors of all gates, so its loads come before "
                        "them; it is loaded behind its gate."
                      : "",
               moves, value);
}

static void try_stores(const bound_question *q, const bound *loads, const bound *waits, bound_list *out)
{
  affine_claim a;
  gates_claim c;
  affine_facts f;
  SCOPED_TEXT reason = { 0 };
  SCOPED_MPZ value;
  mpz_init(value);
  if (!affine_record_claim(loads, &a) || !claim_of(waits, read_gates, &c) || a.reading != READ_AS_IT_IS ||
      c.reading != READ_AS_IT_IS || !gates_once(&c) || !affine_facts_init(&f, q->g, READ_AS_IT_IS))
    return;
  bool behind;
  if (gates_with_affine(&f, &a, &c, (int64_t)q->m, value, &behind, &reason) && mpz_cmp(value, loads->value) > 0 &&
      mpz_cmp(value, waits->value) > 0)
    add_stores(q, loads, waits, value, behind, out);
  affine_facts_clear(&f);
}

static status apply_stores(const bound_question *q, bound_list *out, diag *d)
{
  bound_list own = { 0 };
  status st = OK;
  if (q->g->graph || q->m > INT64_MAX / 4)
    return OK;
  if (q->theorem) { /* asked alone */
    st = bound_theorem_find("affine")->apply(q, &own, d);
    st = st == OK ? bound_theorem_find("gates")->apply(q, &own, d) : st;
  }
  const bound_list *known = q->theorem ? &own : out;
  const bound *loads = affine_larger_record(known, "affine", "affine-one-shot"),
              *waits = affine_larger_record(known, "gates-one-shot", "gates-one-shot");
  if (loads && waits)
    try_stores(q, loads, waits, out);
  bound_list_clear(&own);
  return st;
}

BOUND_THEOREM(98, affine_and_gates) = {
  .name = "affine-and-gates",
  .summary = "the loads of `affine`, and other moves of what waits at gates, with nothing computed twice",
  .source = "docs/theory-affine.md, section 7",
  .apply = apply_stores,
};
