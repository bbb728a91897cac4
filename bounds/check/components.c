/* Parts that share nothing, found anew, and each part's bound derived anew by its own theorem. */
#include "base/scoped.h"
#include "bounds/check/part.h"
#include "cdag/parts.h"

static bool add_part(const bound_claim *c, const cdag_part *part, const json_value *v, mpz_t sum, text *reason)
{
  diag d = { 0 };
  cdag *g;
  SCOPED_MPZ value;
  mpz_init(value);
  if (cdag_part_open(&g, c->g, part, &d) != OK)
    return bound_refuse(reason, "it is no computation by itself: %s", d.message);
  bool good = checker_part(c, g, v, value, reason);
  mpz_addmul_ui(sum, value, part->copies);
  cdag_free(g);
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
