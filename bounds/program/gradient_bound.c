/* The gradient of attention by X, whose rows pass over the keys twice (docs/theory-lp.md, section 10). */
#include "base/scoped.h"
#include "bounds/check/reading/gradient.h"
#include "bounds/program/covering.h"
#include "bounds/segment/record.h"

enum { ATTEMPTS = 8 };

typedef struct {
  checker_gradient of;
  bound_carry carry;
  segment_problem problem;
  segment_account account;
  segment_cut cut;
  mpz_t words; /* no segment has more */
} gradient;

static void longest_segment(const gradient *x, mpz_t words)
{
  mpz_set_si(words, x->cut.length);
  mpz_add_ui(words, words, (unsigned long)x->problem.m);
  if (mpz_cmp_si(words, x->cut.first) < 0)
    mpz_set_si(words, x->cut.first);
}

/* What is gained in the segment between both passes is known when the cut is, and the cut when the work is: so the
   words of a segment are chosen first, and more of them when the cut does not keep to them. */
static bool find_cut(gradient *x)
{
  SCOPED_MPZ longest;
  mpz_init(longest);
  mpz_set_si(x->words, x->problem.m);
  mpz_mul_ui(x->words, x->words, 2);
  for (int i = 0; i < ATTEMPTS; i++) {
    checker_gradient_work(&x->of, x->words, x->problem.work);
    mpz_set_ui(x->cut.events, 0);
    if (!segment_search(&x->problem, &x->cut))
      return false;
    longest_segment(x, longest);
    if (mpz_cmp(longest, x->words) <= 0)
      return true;
    mpz_tdiv_q_2exp(x->words, longest, 6);
    mpz_add(x->words, x->words, longest);
  }
  return false;
}

static void write_proof(const bound_question *q, const gradient *x, bound *record)
{
  proof say = { &record->proof, &record->proof_latex };
  long d = (long)x->of.d;
  long second = (long)x->of.second;
  proof_tell(&say, "program/gradient_bound/proof",
             "pairs %ld, d %ld, second %ld, each %ld, gain %ld, words %Zd, work %Zd", (long)x->of.pairs, d, second,
             second + 4, second - 4, x->words, x->problem.work);
  segment_proof(&say, q, &x->problem, &x->cut, &x->account, "units of weight");
}

static void add_record(const bound_question *q, const gradient *x, bound_list *out)
{
  bound *r = bound_list_add(out, "attention-gradient", BOUND_PROVED, BOUND_ANY, "docs/theory-lp.md, section 10");
  SCOPED_JSON j = { 0 };
  segment_value(&x->cut, &x->account, r->value);
  text_add(&r->leading, x->of.second == 6 ? "10 n^2 d^2 / M" : "");
  json_open(&j, '{');
  json_put_int(&j, "second", x->of.second);
  json_put_big(&j, "words", x->words);
  segment_write(&j, &x->problem, &x->cut, &x->account);
  json_close(&j, '}');
  text_add(&r->parameters, text_str(&j.out));
  if (q->want_proof)
    write_proof(q, x, r);
}

static bool prepare(const bound_question *q, int64_t second, gradient *x)
{
  *x = (gradient){ 0 };
  if (!checker_gradient_read(q->g, second, &x->of))
    return false;
  x->carry = (bound_carry){
    .scale = 1, .each = x->of.each, .sides = x->of.sides, .keep_num = 1, .keep_den = 1, .pairs = x->of.pairs
  };
  x->problem = (segment_problem){ bound_carry_work, bound_carry_guess, &x->carry, { { 0 } }, (int64_t)q->m };
  x->account = (segment_account){ .births = x->of.births, .stores = x->of.outputs };
  mpz_init(x->problem.work);
  mpz_init(x->words);
  segment_cut_init(&x->cut);
  return true;
}

static void clear(gradient *x)
{
  segment_cut_clear(&x->cut);
  mpz_clears(x->words, x->problem.work, NULL);
}

/* Heavy steps of p are best where M is large, even ones where pairs are carried. */
static status apply_gradient(const bound_question *q, bound_list *out, diag *d)
{
  gradient x[3];
  int best = -1;
  (void)d;
  if (q->m > INT64_MAX / 4096 || !prepare(q, 4, &x[0]) || !prepare(q, 5, &x[1]) || !prepare(q, 6, &x[2]))
    return OK;
  for (int i = 0; i < 3; i++)
    if (find_cut(&x[i]) && (best < 0 || mpz_cmp(x[i].cut.events, x[best].cut.events) > 0))
      best = i;
  if (best >= 0)
    add_record(q, &x[best], out);
  for (int i = 0; i < 3; i++)
    clear(&x[i]);
  return OK;
}

BOUND_THEOREM(86, gradient) = {
  .name = "attention-gradient",
  .summary = "the gradient of attention by X: two passes over the keys",
  .source = "docs/theory-lp.md, section 10",
  .apply = apply_gradient,
};
