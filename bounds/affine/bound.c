/* The bound on affine computations (docs/theory-affine.md): what the search finds, derived as the checker does. */
#include "bounds/affine/find.h"
#include "bounds/affine/say.h"
#include "base/json.h"
#include "bounds/bound.h"
#include "bounds/proof.h"

static void write_parameters(const affine_claim *c, text *out)
{
  json j = { 0 };
  json_open(&j, '{');
  affine_claim_write(c, &j);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
  json_clear(&j);
}

static status apply_affine(const bound_question *q, bound_list *out, diag *d)
{
  (void)d;
  if (q->g->graph || q->m > INT64_MAX / 4)
    return OK;
  affine_facts f;
  affine_best best[2];
  affine_facts_init(&f, q->g);
  for (int k = 0; k < 2; k++)
    mpz_init(best[k].value);
  affine_find(&f, (int64_t)q->m, best);
  for (int k = 0; k < 2; k++) {
    if (mpz_sgn(best[k].value) <= 0 || (k == 1 && mpz_cmp(best[1].value, best[0].value) <= 0))
      continue;
    bound *b = bound_list_add(out, k ? "affine-one-shot" : "affine", BOUND_PROVED, k ? BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING : BOUND_ANY,
                              "docs/theory-affine.md");
    mpz_set(b->value, best[k].value);
    write_parameters(&best[k].claim, &b->parameters);
    text reason = { 0 };
    if (affine_derive(&f, &best[k].claim, &reason)) {
      affine_say_leading(&f, &best[k].claim, (int64_t)q->m, &b->leading);
      if (q->want_proof)
        affine_say_proof(&f, &best[k].claim, (int64_t)q->m, b);
    }
    text_clear(&reason);
  }
  for (int k = 0; k < 2; k++)
    mpz_clear(best[k].value);
  affine_facts_clear(&f);
  return OK;
}

BOUND_THEOREM(95, affine) = {
  .name = "affine",
  .summary = "any affine computation: which words its steps use, and how many steps X words allow",
  .source = "docs/theory-affine.md",
  .apply = apply_affine,
};
