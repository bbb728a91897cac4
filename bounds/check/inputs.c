/* Work at pairs derived anew by its own theorem, and the inputs besides, counted on the description. */
#include "base/mem.h"
#include "bounds/check/cut.h"
#include "bounds/check/reading/cover.h"
#include "bounds/checker.h"
#include <string.h>

/* Only theorems that speak of words, chains and trees of the interaction program. */
static const bound_checker *theorem_of(const bound_claim *c)
{
  const char *name = json_get_string(c->parameters, "theorem");
  bool of_pairs = name && (strcmp(name, "covering") == 0 || strcmp(name, "backward-12") == 0 ||
                           strcmp(name, "backward-14") == 0);
  return of_pairs ? bound_checker_find(name) : NULL;
}

static bool check_inputs(const bound_claim *c, mpz_t value, text *reason)
{
  const bound_checker *k = theorem_of(c);
  bound_claim of = *c;
  of.parameters = json_get(c->parameters, "parameters");
  if (!k || !of.parameters)
    return bound_refuse(reason, "it needs the 'theorem' of the work at pairs, and its 'parameters'");
  of.theorem = k->theorem;
  checker_cover cover;
  if (!k->check(&of, value, reason) || !checker_cover_read(&of, &cover, reason))
    return false;
  bool *live = checker_live(c->g);
  uint64_t others = checker_cover_others(c->g, live, &cover);
  mem_free(live);
  return checker_add_at_most(c->parameters, "inputs", others, value, reason);
}

BOUND_CHECKER(inputs) = { "pairs-and-inputs", BOUND_ANY, check_inputs };
