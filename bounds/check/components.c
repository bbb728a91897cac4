/* Parts that share nothing, found anew, and each part's bound derived anew by its own theorem. */
#include "base/scoped.h"
#include "bounds/checker.h"
#include "cdag/parts.h"

/* The part's theorem, and what it claims; NULL when v is no such thing. */
static const bound_checker *theorem_of_part(const json_value *v, mpz_t claimed)
{
  const char *theorem = json_get_string(v, "theorem");
  bool whole = theorem && v->n == 3 && json_get(v, "parameters") && json_get_big(v, "value", claimed);
  return whole ? bound_checker_find(theorem) : NULL;
}

static bool derive_by(const bound_checker *k, const bound_claim *c, const cdag_part *part, const json_value *parameters,
                      mpz_t value, text *reason)
{
  diag d = { 0 };
  cdag *g;
  if (c->models & ~k->models)
    return bound_refuse(reason, "%s does not hold in every game the certificate names", k->theorem);
  if (cdag_part_open(&g, c->g, part, &d) != OK)
    return bound_refuse(reason, "it is no computation by itself: %s", d.message);
  bound_claim of_part = { k->theorem, g, c->m, parameters, c->models };
  bool good = k->check(&of_part, value, reason);
  cdag_free(g);
  return good;
}

static bool add_part(const bound_claim *c, const cdag_part *part, const json_value *v, mpz_t sum, text *reason)
{
  SCOPED_MPZ value, claimed;
  mpz_inits(value, claimed, NULL);
  const bound_checker *k = theorem_of_part(v, claimed);
  bool good = k ? derive_by(k, c, part, json_get(v, "parameters"), value, reason) &&
                      bound_value_agrees(value, claimed, reason)
                : bound_refuse(reason, "it needs a 'theorem' that can be checked, its 'value' and 'parameters'");
  mpz_addmul_ui(sum, value, part->copies);
  return good;
}

static bool check_components(const bound_claim *c, mpz_t value, text *reason)
{
  const json_value *list = json_get(c->parameters, "parts");
  cdag_parts p;
  SCOPED_TEXT why = { 0 };
  if (c->g->graph || !list || list->type != JSON_ARRAY || c->parameters->n != 1)
    return bound_refuse(reason,
                        "the certificate lacks the list of its parts, and nothing else, of a computation with rules");
  cdag_parts_find(c->g, &p);
  bool good = (size_t)p.n == list->n || bound_refuse(reason, "the computation falls into other parts");
  mpz_set_ui(value, 0);
  for (int i = 0; i < p.n && good; i++) {
    good = add_part(c, &p.part[i], &list->item[i], value, &why);
    if (!good)
      bound_because(reason, "part %d of %d: %s", i + 1, p.n, text_str(&why));
  }
  cdag_parts_clear(&p);
  return good;
}

BOUND_CHECKER(components) = {
  .theorem = "components",
  .models = BOUND_ANY | BOUND_PARTIAL,
  .check = check_components,
};
