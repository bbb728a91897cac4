/* Block-approximate attention, keys and features together (docs/theory-lp.md, section 9). */
#include "bounds/check/reading/block.h"
#include "bounds/segment/record.h"
#include <math.h>

/* The larger of what is made, x^2 / 4, and what is carried, and the rows' own share. */
static void most_work(const void *context, const mpz_t x, mpz_t most)
{
  const checker_block *b = context;
  mpz_t made;
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
  mpz_clear(made);
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
  proof_say(&say,
            "A row meets a key block by its keys or by its {r = %ld} features, never by both. Of the words of a "
            "segment let {R_i} be those of row i (Q, its features, sums Z and N), {C_J} those of key block J (K, V, "
            "its features, sums W), and {p} exact pairs have a vertex of their own among them: with {R} and {C} the "
            "sums, {R + C <= Y = X - p}. A step of Z weighs {4 d = %ld}, one of N {z + 1 = %ld}, {z = min(d, r)}.",
            (long)b->features, 4 * d, less + 1);
  proof_paragraph(&say);
  proof_say(&say,
            "Exact pairs. {s} steps at a pair need {s} words of its row and {s} of its key, and where no vertex of the "
            "pair is there {d} more of each: then {4 d s <= (d + s)^2}, at most the row's words times the key's. At "
            "each of the {p} others {4 d s - s^2} is left, so their {H} steps leave at most {4 d H - H^2 / p} in all; "
            "{H <= d_v p}, and {H <= sqrt(p) Y / 2} (Loomis and Whitney).");
  proof_paragraph(&say);
  proof_say(&say,
            "Sums W that are made anew. In a block {s} slices of {t} features take, for every key, {s} words of V and "
            "its row or {t} features that are there: at least as many words as sums are made, since the block has "
            "keys enough. So row i finds at most {C_J} sums in a far block J, and does no more steps than these, each "
            "weighing {z + 1}.");
  proof_paragraph(&say);
  proof_say(&say,
            "Features of rows. If one that row i uses is made in the segment, the row has {d} words and a sum: {R_i >= "
            "z + 1}. Else all are there. Let {w} be the most steps of one of its sums: they are consecutive, so they "
            "use {min(w, r)} different features. For {w >= r} again {R_i >= z + 1}. For {w < r} the row has {w} words "
            "and {c} sums and does at most {w c <= R_i^2 / 4} steps and at most {C}: with weight {z + 1} at most "
            "{(z + 1) R_i sqrt(C) / 2 <= R_i (C + (z + 1)^2 / 16)}.");
  proof_paragraph(&say);
  proof_say(&say,
            "Summed over rows the work is at most {Y^2 / 4 + 4 d H - H^2 / p + %ld X}. With {m = min(d_v, 2 d) = %ld} "
            "that is at most {Y^2 / 4 + (4 d m - m^2) p} where {Y >= 2 m sqrt(p)}, convex in {p}, and {2 d sqrt(p) Y} "
            "beyond: so {h(X)} is the larger of {X^2 / 4} and {4 d} times {(X/3)^(3/2)} (up to {X = 3 m^2}) or {m "
            "(sqrt(m^2 + X) - m)^2}, plus {%ld X}. Z and N of one output and slice are a tree, whose root is the "
            "output.",
            (long)b->alone, (long)b->fiber[0], (long)b->alone);
  proof_paragraph(&say);
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
    json j = { 0 };
    segment_value(&c, &account, r->value);
    json_open(&j, '{');
    segment_write(&j, &problem, &c, &account);
    json_close(&j, '}');
    text_add(&r->parameters, text_str(&j.out));
    json_clear(&j);
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
