/* Parts that share nothing, found anew, and each part's bound derived anew by its own theorem. */
#include "bounds/checker.h"
#include "cdag/parts.h"

static bool derive_part(const bound_claim *c, const cdag_part *part, const json_value *v, mpz_t sum, text *reason)
{
  diag d = { 0 };
  mpz_t value, claimed;
  cdag *g;
  const char *theorem = json_get_string(v, "theorem");
  const bound_checker *k = theorem ? bound_checker_find(theorem) : NULL;
  const json_value *parameters = json_get(v, "parameters");
  if (!k || !parameters || v->n != 3)
    return bound_refuse(reason, "a part needs its 'theorem', one that can be checked, its 'value' and 'parameters'");
  if (c->models & ~k->models)
    return bound_refuse(reason, "%s does not hold in every game the certificate names", theorem);
  if (cdag_part_open(&g, c->g, part, &d) != OK)
    return bound_refuse(reason, "a part is no computation by itself: %s", d.message);
  mpz_inits(value, claimed, NULL);
  bound_claim of_part = { theorem, g, c->m, parameters, c->models };
  bool good = k->check(&of_part, value, reason);
  if (good && (!json_get_big(v, "value", claimed) || mpz_cmp(value, claimed) != 0))
    good = bound_refuse(reason, "the value of a part does not follow as claimed");
  mpz_addmul_ui(sum, value, part->copies);
  mpz_clears(value, claimed, NULL);
  cdag_free(g);
  return good;
}

static bool check_components(const bound_claim *c, mpz_t value, text *reason)
{
  const json_value *list = json_get(c->parameters, "parts");
  cdag_parts p;
  if (c->g->graph || !list || list->type != JSON_ARRAY || c->parameters->n != 1)
    return bound_refuse(reason,
                        "the certificate lacks the list of its parts, and nothing else, of a computation with rules");
  cdag_parts_find(c->g, &p);
  bool good = (size_t)p.n == list->n || bound_refuse(reason, "the computation falls into other parts");
  mpz_set_ui(value, 0);
  for (int i = 0; i < p.n && good; i++)
    good = derive_part(c, &p.part[i], &list->item[i], value, reason);
  cdag_parts_clear(&p);
  return good;
}

BOUND_CHECKER(components) = {
  .theorem = "components",
  .models = BOUND_ANY | BOUND_PARTIAL,
  .check = check_components,
};
