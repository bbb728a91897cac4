/* Stores of operands, beside the loads that a bound on affine computations counts: docs/theory-affine.md,
   Theorem 4c. */
#include "base/json.h"
#include "base/num.h"
#include "base/scoped.h"
#include "bounds/affine/find.h"
#include "bounds/affine/records.h"
#include "bounds/check/affine/stored.h"
#include "bounds/proof.h"

enum { PRICE = 12 };

/* The length at which segments would do most a price, were there no operands. */
static int64_t best_length(int64_t m, int64_t degree, int64_t prices) { return prices * (m + degree * degree); }

/* Better prices than those of `best` for the facts at hand, if there are some. */
static bool better_prices(const stored_facts *s, int64_t m, int64_t degree, stored_claim *best, mpz_t value)
{
  bool found = false;
  SCOPED_MPZ one;
  mpz_init(one);
  for (int64_t ends = 1; ends <= PRICE; ends++) {
    stored_claim c = { ends, PRICE, degree, best_length(m, degree, ends + PRICE) };
    if (!stored_value(s, &c, m, one, NULL) || mpz_cmp(one, value) <= 0)
      continue;
    mpz_set(value, one);
    *best = c;
    found = true;
  }
  return found;
}

static void say_stored(const stored_facts *s, const stored_claim *c, const char *loads, bound *b)
{
  proof say = { &b->proof, &b->proof_latex };
  proof_tell(&say, "affine/stored/stored",
             "affine %s, degree %ld, ends %ld, starts %ld, length %ld, work %Zd, births %Zd, left %Zd, outputs %Zd, "
             "value %Zd",
             loads, (long)c->degree, (long)c->ends, (long)c->starts, (long)c->length, s->work, s->births, s->ends,
             s->outputs, b->value);
}

static void add_stored(const bound_question *q, const affine_claim *a, const stored_facts *s, const stored_claim *c,
                       const mpz_t value, bound_list *out)
{
  json j = { 0 };
  bound *b = bound_list_add(out, "affine-stored", BOUND_PROVED, BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING,
                            "docs/theory-affine.md, section 4");
  mpz_set(b->value, value);
  json_open(&j, '{');
  json_key(&j, "affine");
  json_open(&j, '{');
  affine_claim_write(a, &j);
  json_close(&j, '}');
  stored_claim_write(c, &j);
  json_close(&j, '}');
  text_add(&b->parameters, text_str(&j.out));
  json_clear(&j);
  if (q->want_proof)
    say_stored(s, c, "affine-one-shot", b);
}

static void try_stored(const bound_question *q, const bound *loads, bound_list *out)
{
  affine_claim a;
  affine_facts f;
  stored_claim c;
  stored_facts s;
  SCOPED_MPZ value, root;
  bool found = false;
  mpz_init_set(value, loads->value);
  mpz_init(root);
  if (!affine_record_claim(loads, &a) || a.groups != 1 || a.group[0].statements != 1 ||
      a.group[0].statement[0].items != 3 || a.reading > READ_TAPPED ||
      !affine_facts_init(&f, q->g, a.reading))
    return;
  int64_t m = affine_pebbles(&f, (int64_t)q->m);
  mpz_set_si(root, m);
  mpz_sqrt(root, root);
  stored_facts_init(&s);
  for (int tenths = 10; tenths >= 8; tenths -= 2) { /* of sqrt(M): with less, operands with fewer readers count */
    int64_t degree = num_max(1, mpz_get_si(root) * tenths / 10);
    if (!stored_derive(&f, &a, degree, &s, NULL))
      break;
    found = better_prices(&s, m, degree, &c, value) || found;
  }
  if (found && (!q->want_proof || stored_derive(&f, &a, c.degree, &s, NULL)))
    add_stored(q, &a, &s, &c, value, out);
  stored_facts_clear(&s);
  affine_facts_clear(&f);
}

static status apply_stored(const bound_question *q, bound_list *out, diag *d)
{
  bound_list own = { 0 };
  status st = OK;
  if (q->g->graph || q->m > INT32_MAX)
    return OK;
  if (q->theorem) /* asked alone */
    st = bound_theorem_find("affine")->apply(q, &own, d);
  const bound *loads = affine_larger_record(q->theorem ? &own : out, "affine-one-shot", "affine-one-shot");
  if (loads)
    try_stored(q, loads, out);
  bound_list_clear(&own);
  return st;
}

BOUND_THEOREM(99, affine_stored) = {
  .name = "affine-stored",
  .summary = "the loads of `affine`, and stores of operands that are not read in one stay",
  .source = "docs/theory-affine.md, section 4",
  .apply = apply_stored,
};
