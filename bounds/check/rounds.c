/* Rounds one after another, and what each reads, derived anew from the description. */
#include "base/mem.h"
#include "bounds/check/cut.h"
#include "bounds/check/reading/read.h"
#include "bounds/checker.h"
#include "cdag/rounds.h"

/* Adds the loads of round t; false when it reads nothing that is known. */
static bool add_round(const bound_claim *c, const cdag_rounds *r, int64_t t, mpz_t loads, text *reason)
{
  diag d = { 0 };
  cdag *round;
  uint64_t words = 0, m = (uint64_t)c->m;
  mpz_t more;
  if (cdag_round_open(&round, c->g, r, t, &d) != OK)
    return bound_refuse(reason, "round %lld is no computation by itself: %s", (long long)t, d.message);
  bool *fresh = MEM_NEW(bool, (size_t)c->g->arrays), *live = checker_live(round);
  cdag_round_fresh(c->g, r, round, fresh);
  for (int a = 0; a < c->g->arrays; a++)
    words += fresh[a] ? checker_inputs_of(round, live, a) : 0;
  mem_free(fresh);
  mem_free(live);
  cdag_free(round);
  uint64_t missing = words > m ? words - m : 0;
  mpz_init(more);
  mpz_add_ui(loads, loads, t == r->first ? words : missing);
  mpz_set_ui(more, r->alike ? missing : 0);
  mpz_addmul_ui(loads, more, (uint64_t)(r->end - r->first - 1));
  mpz_clear(more);
  return words > 0 || bound_refuse(reason, "round %lld reads no input that must be red in it", (long long)t);
}

static bool derive_rounds(const bound_claim *c, const cdag_rounds *r, mpz_t value, text *reason)
{
  int64_t rounds;
  if (!json_get_int(c->parameters, "rounds", &rounds) || rounds != r->end - r->first)
    return bound_refuse(reason, "there are %lld rounds to look at", (long long)(r->end - r->first));
  if (!cdag_rounds_put_out(c->g, r))
    return bound_refuse(reason, "the end of the last round is not put out");
  mpz_set_ui(value, 0);
  if (!checker_add_at_most(c->parameters, "outputs", checker_outputs(c->g), value, reason))
    return false;
  for (int64_t t = r->first; t < (r->alike ? r->first + 1 : r->end); t++)
    if (!add_round(c, r, t, value, reason))
      return false;
  return true;
}

static bool check_rounds(const bound_claim *c, mpz_t value, text *reason)
{
  cdag_rounds r;
  if (c->g->graph || c->parameters->type != JSON_OBJECT || c->parameters->n != 2)
    return bound_refuse(reason,
                        "the certificate needs 'rounds' and 'outputs', and nothing else, of a computation with rules");
  bool good = cdag_rounds_find(c->g, &r) ? derive_rounds(c, &r, value, reason)
                                         : bound_refuse(reason, "no round waits for all of the round before");
  cdag_rounds_clear(&r);
  return good;
}

BOUND_CHECKER(rounds) = {
  .theorem = "rounds",
  .models = BOUND_ANY,
  .check = check_rounds,
};
