/* What is made of an input of its own, found anew, and the bound of what is left derived anew by its own theorem;
   inputs that matter beyond as many as are left; and outputs among what is given. */
#include "base/mem.h"
#include "bounds/check/cut.h"
#include "bounds/check/part.h"
#include "bounds/check/reading/read.h"
#include "cdag/given.h"

static bool add_besides(const bound_claim *c, const cdag *left, mpz_t value, text *reason)
{
  cdag_counts counts;
  diag d = { 0 };
  bool *live = checker_live(c->g);
  uint64_t inputs = checker_inputs(c->g, live);
  mem_free(live);
  if (cdag_count(left, &counts, &d) != OK)
    return bound_refuse(reason, "the inputs that are left cannot be counted");
  return checker_add_at_most(c->parameters, "besides", inputs > counts.inputs ? inputs - counts.inputs : 0, value,
                             reason);
}

static bool check_given(const bound_claim *c, mpz_t value, text *reason)
{
  const json_value *of_left = json_get(c->parameters, "left");
  if (c->g->graph || !of_left || c->parameters->n != 3)
    return bound_refuse(reason, "the certificate lacks what is 'left', 'besides' and 'stored', and nothing else, of a "
                                "computation with rules");
  uint64_t stored;
  cdag *left = cdag_given_open(c->g, &stored);
  if (!left)
    return bound_refuse(reason, "nothing is made of an input of its own");
  bool good = checker_part(c, left, of_left, value, reason) && add_besides(c, left, value, reason) &&
              checker_add_at_most(c->parameters, "stored", stored, value, reason);
  cdag_free(left);
  return good;
}

BOUND_CHECKER(given) = { "given", BOUND_ANY, check_given };
