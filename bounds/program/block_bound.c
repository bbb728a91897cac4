/* Block-approximate attention, keys and features together (docs/theory-lp.md, section 9). */
#include "base/scoped.h"
#include "bounds/check/reading/block.h"
#include "bounds/segment/record.h"
#include <math.h>

/* The larger of what is made, x^2 / 4, and what is carried, and the rows' own share. */
static void most_work(const void *context, const mpz_t x, mpz_t most)
{
  const checker_block *b = context;
  SCOPED_MPZ made;
  mpz_init(made);
  mpz_mul(made, x, x);
  mpz_fdiv_q_2exp(made, made, 2);
  segment_three(b->fiber, x, most); /* steps, rounded down */
  mpz_add_ui(most, most, 1);
  mpz_mul_si(most, most, b->weight_exact);
  mpz_sub_ui(most, most, 1);
  if (mpz_cmp(made, most) > 0)
    mpz_swap(made, most);
  mpz_addmul_ui(most, x, (unsigned long)b->alone);
}

static double guess_work(const void *context, double x)
{
  const checker_block *b = context;
  return fmax(x * x / 4, (double)b->weight_exact * segment_three_guess(b->fiber, x)) + (double)b->alone * x;
}

static void write_proof(const bound_question *q, const checker_block *b, const segment_problem *problem,
                        const segment_cut *c, const segment_account *account, bound *record)
{
  proof say = { &record->proof, &record->proof_latex };
  long d = (long)b->d, less = (long)b->weight_far - 1;
  proof_tell(&say, "program/block_bound/proof", "features %ld, four_d %ld, weight %ld, alone %ld, m %ld",
             (long)b->features, 4 * d, less + 1, (long)b->alone, (long)b->fiber[0]);
  segment_proof(&say, q, problem, c, account, "units of weight");
}

static void add_record(const bound_question *q, const checker_block *b, bound_list *out)
{
  segment_problem problem = { most_work, guess_work, b, { { 0 } }, (int64_t)q->m };
  segment_account account = { .births = b->outputs, .stores = b->outputs, .sum = "O" };
  segment_cut c;
  mpz_t far;
  segment_cut_init(&c);
  mpz_init_set_ui(problem.work, b->exact);
  mpz_init_set_ui(far, b->far);
  mpz_mul_si(problem.work, problem.work, b->weight_exact);
  mpz_addmul_ui(problem.work, far, (unsigned long)b->weight_far);
  if (segment_search(&problem, &c)) {
    bound *r = bound_list_add(out, "block-approximate", BOUND_PROVED, BOUND_ANY, "docs/theory-lp.md, section 9");
    SCOPED_JSON j = { 0 };
    segment_value(&c, &account, r->value);
    json_open(&j, '{');
    segment_write(&j, &problem, &c, &account);
    json_close(&j, '}');
    text_add(&r->parameters, text_str(&j.out));
    if (q->want_proof)
      write_proof(q, b, &problem, &c, &account, r);
  }
  mpz_clears(problem.work, far, NULL);
  segment_cut_clear(&c);
}

static status apply_block(const bound_question *q, bound_list *out, diag *d)
{
  checker_block b;
  (void)d;
  if (q->m <= INT64_MAX / 4096 && checker_block_read(q->g, &b))
    add_record(q, &b, out);
  return OK;
}

BOUND_THEOREM(85, block) = {
  .name = "block-approximate",
  .summary = "block-approximate attention: keys and features of far blocks together",
  .source = "docs/theory-lp.md, section 9",
  .apply = apply_block,
};
