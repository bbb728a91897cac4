/* Forward attention by one product (docs/theory.md, section 4): the work at pairs (bounds/segment/pairs.c) cut into
 * segments. */
#include "base/num.h"
#include "bounds/segment/record.h"
#include <string.h>

/* ---- from the shape ---- */

static void attention_of(const bound_attention *shape, segment_pairs *a)
{
  memcpy(a->fiber, shape->sides.fiber, sizeof a->fiber);
  a->dk = num_min(shape->sides.words[0], shape->sides.words[1]);
  a->dv = shape->dv;
  a->pairs = shape->pairs;
}

static void width_text(const bound_attention *shape, text *out)
{
  const bound_operand *p = &shape->z.operand[shape->p];
  for (int i = 0; i < p->leaves; i++)
    if (p->leaf[i].width_text && p->leaf[i].width == num_min(shape->sides.words[0], shape->sides.words[1])) {
      expr_print(out, p->leaf[i].width_text);
      return;
    }
  text_printf(out, "%ld", (long)num_min(shape->sides.words[0], shape->sides.words[1]));
}

/* 4 (steps) dk / M and its relatives: the branch that rules at the cut. */
static void leading(const bound_question *q, const bound_attention *shape, const segment_pairs *a, const segment_cut *c,
                    text *out)
{
  double m = (double)q->m, x = m + (double)c->length;
  SCOPED_TEXT work = { 0 }, dk = { 0 };
  segment_work_text(q->g, &shape->z, &work);
  width_text(shape, &dk);
  if (c->n == 1)
    ;
  else if (segment_made_guess(a, x) >= segment_three_guess(a->fiber, x) && a->dv >= a->dk)
    text_printf(out, "4 %s %s / M", text_str(&work), text_str(&dk));
  else if (segment_made_guess(a, x) >= segment_three_guess(a->fiber, x))
    text_printf(out, "%s (%s + %ld)^2 / (%ld M)", text_str(&work), text_str(&dk), (long)a->dv, (long)a->dv);
  else if (x <= 3 * (double)a->dv * (double)a->dv)
    text_printf(out, "2 %s / sqrt(M)", text_str(&work));
  else
    text_printf(out, "%s (1 / %ld + %ld / M)", text_str(&work), (long)a->dv, (long)a->dv);
}

static void write_parameters(const cdag *g, const bound_attention *shape, const segment_pairs *a,
                             const segment_problem *problem, const segment_cut *c, const segment_account *account,
                             text *out)
{
  SCOPED_JSON j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "statement", g->array[shape->z.array].name);
  json_put_int(&j, "pair", shape->z.operand[shape->p].term);
  json_put_int(&j, "column", shape->z.operand[shape->v].term);
  json_put_int(&j, "dk", a->dk);
  json_put_int(&j, "dv", a->dv);
  json_put_uint(&j, "pairs", a->pairs);
  json_put_int(&j, "seed", shape->z.seed);
  segment_write_fibers(&j, a->fiber);
  segment_write(&j, problem, c, account);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
}

static void write_proof(const bound_question *q, const bound_attention *shape, const segment_pairs *a,
                        const segment_problem *problem, const segment_cut *c, const segment_account *account,
                        bound *record)
{
  const cdag *g = q->g;
  const bound_statement *s = &shape->z;
  const char *z = g->array[s->array].name, *p = g->array[s->operand[shape->p].array].name,
             *v = g->array[s->operand[shape->v].array].name;
  proof say = { &record->proof, &record->proof_latex };
  proof_tell(&say, "segment/attention/steps", "work %Zd, z %s, p %s, v %s", problem->work, z, p, v);
  segment_say_counted(&say, g, s);
  proof_paragraph(&say);
  proof_tell(&say, "segment/attention/words", "v %s, p %s, dk %ld, dv %ld", v, p, (long)a->dk, (long)a->dv);
  if (a->dv >= a->dk)
    proof_say(&say, "; making the pairs gives at most {X^2 / (16 d_k)}. ");
  else
    proof_say(&say, "; making the pairs gives at most {d_v X^2 / (4 (d_k + d_v)^2)}. ");
  proof_say(&say, "The larger of the two is the most, {h(X)}.");
  proof_paragraph(&say);
  segment_proof(&say, q, problem, c, account, "steps");
}

static void add_record(const bound_question *q, const bound_live *l, const bound_attention *shape, bound_list *out)
{
  segment_pairs a;
  attention_of(shape, &a);
  int64_t before = (int64_t)q->m - (shape->z.seed >= 0);
  segment_problem problem = { segment_pairs_most, segment_pairs_guess, &a, { { 0 } }, before };
  segment_account account = segment_account_of(q->g, l, &shape->z);
  segment_cut c;
  segment_cut_init(&c);
  mpz_init_set_ui(problem.work, shape->z.steps);
  if (segment_search(&problem, &c)) {
    bound *r = bound_list_add(out, "attention-segment", BOUND_PROVED, BOUND_ANY, "docs/theory.md, section 4");
    segment_value(&c, &account, r->value);
    leading(q, shape, &a, &c, &r->leading);
    write_parameters(q->g, shape, &a, &problem, &c, &account, &r->parameters);
    if (q->want_proof)
      write_proof(q, shape, &a, &problem, &c, &account, r);
  }
  mpz_clear(problem.work);
  segment_cut_clear(&c);
}

static status apply_attention(const bound_question *q, bound_list *out, diag *d)
{
  bound_live own;
  bound_statement trees;
  bound_attention shape, plain;
  (void)d;
  if (q->g->graph || q->m > INT64_MAX / 8)
    return OK;
  const bound_live *l = bound_live_of(q->g, q->live, &own);
  for (int a = 0; a < q->g->arrays; a++)
    if (bound_attention_find(q->g, l, a, &plain)) {
      trees = plain.z;
      bool whole = bound_statement_gather(q->g, l, &trees) && bound_attention_of(q->g, &trees, &shape);
      add_record(q, l, whole ? &shape : &plain, out);
    }
  bound_live_clear(&own);
  return OK;
}

BOUND_THEOREM(30, attention) = {
  .name = "attention-segment",
  .summary = "segments of forward attention, pairs carried or made",
  .source = "docs/theory.md, section 4",
  .apply = apply_attention,
};
