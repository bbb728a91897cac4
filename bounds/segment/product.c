/* Reductions over two input operands (docs/theory.md, section 3): matrix product and whatever has its shape.

   A step reads one word of A, one of B and one chain, and each loop is told by two of the three.  So H steps on a, b
   words and t chains have H^2 <= a b t (Loomis and Whitney), and a word or chain serves at most as many steps as the
   loops it does not know have settings. */
#include "base/num.h"
#include "bounds/segment/record.h"
#include <math.h>
#include <string.h>

/* A matrix times its transpose, each pair of rows in one order; steps of a row with itself are not counted. */
static bool is_symmetric(const checker_operands *p) { return p->shared && p->diagonal >= 0; }

static void product_most(const void *context, const mpz_t x, mpz_t most)
{
  const checker_operands *p = context;
  if (is_symmetric(p))
    segment_symmetric(x, most);
  else if (p->shared)
    segment_twice(x, most);
  else
    segment_three(p->fiber, x, most);
}

static double product_guess(const void *context, double x)
{
  const checker_operands *p = context;
  return is_symmetric(p) ? segment_symmetric_guess(x)
         : p->shared     ? segment_twice_guess(x)
                         : segment_three_guess(p->fiber, x);
}

/* 2 m n k / sqrt(M), or m n k (1/p + p/M) when the shortest side is limited. */
static void leading(const bound_question *q, const bound_statement *s, const checker_operands *p, const segment_cut *c,
                    text *out)
{
  double m = (double)q->m, x = m + (double)c->length, side = (double)p->fiber[0];
  SCOPED_TEXT work = { 0 };
  segment_work_text(q->g, s, &work);
  if (is_symmetric(p))
    text_printf(out, "sqrt(2) %s / sqrt(M)", text_str(&work));
  else if (p->shared)
    text_printf(out, "%s / sqrt(M)", text_str(&work));
  else if (x <= 3 * side * side)
    text_printf(out, "2 %s / sqrt(M)", text_str(&work));
  else if (c->n > 1)
    text_printf(out, "%s (1 / %ld + %ld / M)", text_str(&work), (long)p->fiber[0], (long)p->fiber[0]);
}

static void write_parameters(const cdag *g, const bound_statement *s, int a, int b, const checker_operands *p,
                             const segment_problem *problem, const segment_cut *c, const segment_account *account,
                             text *out)
{
  SCOPED_JSON j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "statement", g->array[s->array].name);
  json_key(&j, "operands");
  json_open(&j, '[');
  json_int(&j, s->operand[a].term);
  json_int(&j, s->operand[b].term);
  json_close(&j, ']');
  json_put_int(&j, "seed", s->seed);
  json_put_bool(&j, "shared", p->shared);
  if (is_symmetric(p))
    json_put_int(&j, "diagonal", p->diagonal);
  segment_write_fibers(&j, p->fiber);
  segment_write(&j, problem, c, account);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
}

/* What the words of the two operands allow. */
static void say_words(const proof *say, const checker_operands *p)
{
  if (is_symmetric(p))
    proof_tell(say, "segment/product/same-rows", "diagonal %lu", (unsigned long)p->diagonal);
  else if (p->shared)
    proof_tell(say, "segment/product/shared", "");
  else
    proof_tell(say, "segment/product/kinds", "p %ld, q %ld, r %ld", (long)p->fiber[0], (long)p->fiber[1],
               (long)p->fiber[2]);
}

static void write_proof(const bound_question *q, const bound_statement *s, int a, int b, const checker_operands *p,
                        const segment_problem *problem, const segment_cut *c, const segment_account *account,
                        bound *record)
{
  const cdag *g = q->g;
  proof say = { &record->proof, &record->proof_latex };
  proof_tell(&say, "segment/product/steps", "sum %s, A %s, B %s, work %Zd, and %s", g->array[s->array].name,
             g->array[s->operand[a].array].name, g->array[s->operand[b].array].name, problem->work,
             s->sum < 0 ? "" : ", and ");
  if (s->sum < 0)
    proof_say(&say, " in {%lu} chains, and ", (unsigned long)s->chains);
  segment_say_counted(&say, g, s);
  proof_paragraph(&say);
  proof_tell(&say, "segment/product/stretch", "");
  say_words(&say, p);
  proof_paragraph(&say);
  segment_proof(&say, q, problem, c, account, "steps");
}

static void add_record(const bound_question *q, const bound_live *l, const bound_statement *s, int a, int b,
                       const checker_operands *p, bound_list *out)
{
  segment_problem problem = { product_most, product_guess, p, { { 0 } }, (int64_t)q->m - (s->seed >= 0) };
  segment_account account = segment_account_of(q->g, l, s);
  segment_cut c;
  segment_cut_init(&c);
  mpz_init_set_ui(problem.work, s->steps - (is_symmetric(p) ? (uint64_t)p->diagonal : 0));
  if (segment_search(&problem, &c)) {
    bound *r = bound_list_add(out, "product-segment", BOUND_PROVED, BOUND_ANY, "docs/theory.md, section 3");
    segment_value(&c, &account, r->value);
    leading(q, s, p, &c, &r->leading);
    write_parameters(q->g, s, a, b, p, &problem, &c, &account, &r->parameters);
    if (q->want_proof)
      write_proof(q, s, a, b, p, &problem, &c, &account, r);
  }
  mpz_clear(problem.work);
  segment_cut_clear(&c);
}

static bool apply_statement(const bound_question *q, const bound_live *l, const bound_statement *s, bound_list *out)
{
  checker_operands p;
  for (int a = 0; a < s->operands; a++)
    for (int b = a + 1; b < s->operands; b++)
      if (checker_product(q->g, s, &s->operand[a], &s->operand[b], &p, NULL)) {
        add_record(q, l, s, a, b, &p, out);
        return true;
      }
  return false;
}

static status apply_product(const bound_question *q, bound_list *out, diag *d)
{
  bound_live own;
  bound_statement s;
  (void)d;
  if (q->g->graph || q->m > INT64_MAX / 8)
    return OK;
  const bound_live *l = bound_live_of(q->g, q->live, &own);
  for (int a = 0; a < q->g->arrays; a++)
    if (bound_statement_find(q->g, l, a, &s)) {
      bound_statement trees = s;
      if (!bound_statement_gather(q->g, l, &trees) || !apply_statement(q, l, &trees, out))
        apply_statement(q, l, &s, out);
    }
  bound_live_clear(&own);
  return OK;
}

BOUND_THEOREM(20, product) = {
  .name = "product-segment",
  .summary = "segments of a reduction over two operands, such as a matrix product",
  .source = "docs/theory.md, section 3",
  .apply = apply_product,
};
