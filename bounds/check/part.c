#include "bounds/check/part.h"
#include "base/scoped.h"

/* The part's theorem, and what it claims; NULL when v is no such thing. */
static const bound_checker *theorem_of_part(const json_value *v, mpz_t claimed)
{
  const char *theorem = json_get_string(v, "theorem");
  bool whole = theorem && v->n == 3 && json_get(v, "parameters") && json_get_big(v, "value", claimed);
  return whole ? bound_checker_find(theorem) : NULL;
}

bool checker_part(const bound_claim *c, const cdag *g, const json_value *v, mpz_t value, text *reason)
{
  SCOPED_MPZ claimed;
  mpz_init(claimed);
  const bound_checker *k = theorem_of_part(v, claimed);
  if (!k)
    return bound_refuse(reason, "it needs a 'theorem' that can be checked, its 'value' and 'parameters'");
  if (c->models & ~k->models)
    return bound_refuse(reason, "%s does not hold in every game the certificate names", k->theorem);
  bound_claim of_part = { k->theorem, g, c->m, json_get(v, "parameters"), c->models };
  return k->check(&of_part, value, reason) && bound_value_agrees(value, claimed, reason);
}
