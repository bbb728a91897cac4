/* The covering bound of a CDAG: its interaction program, the LP's weights, the segments (docs/theory-lp.md, section 2).
 */
#include "bounds/segment/record.h"
#include "bounds/recognise/shape_covering.h"
#include <inttypes.h>
#include <math.h>

typedef struct {
  const bound_question *q;
  cover_shape shape;
  cover_answer answer;
  bound_carry carry;
  segment_problem problem;
  segment_account account;
  segment_cut cut;
} covering;

/* ---- writing ---- */

static void write_arrays(json *j, const cover_program *p)
{
  json_key(j, "words");
  json_open(j, '[');
  for (int a = 0; a < p->arrays; a++) {
    json_open(j, '{');
    json_put_string(j, "array", p->array[a].name);
    json_put_bool(j, "column", p->array[a].column);
    json_put_int(j, "width", p->array[a].width);
    json_close(j, '}');
  }
  json_close(j, ']');
}

void bound_cover_write_terms(json *j, const cover_kind *k)
{
  json_put_string(j, "statement", k->name);
  json_put_int(j, "value", k->value_term);
  json_put_int(j, "term", k->operand_term);
}

static void write_kind(json *j, const cover_program *p, const cover_kind *k, int64_t weight)
{
  json_open(j, '{');
  bound_cover_write_terms(j, k);
  json_put_int(j, "slices", k->width);
  json_put_uint(j, "steps", k->steps);
  json_put_string(j, "operand", p->array[k->operand].name);
  json_key(j, "whole");
  json_open(j, '[');
  for (int a = 0; a < p->arrays; a++)
    if (k->whole >> a & 1)
      json_string(j, p->array[a].name);
  json_close(j, ']');
  json_put_int(j, "weight", weight);
  json_close(j, '}');
}

static void write_parameters(const covering *c, text *out)
{
  const cover_program *p = &c->shape.p;
  SCOPED_JSON j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "pairs_of", c->q->g->array[c->shape.anchor].name);
  json_put_int(&j, "pairs", p->pairs);
  write_arrays(&j, p);
  json_key(&j, "kinds");
  json_open(&j, '[');
  for (int w = 0; w < p->kinds; w++)
    write_kind(&j, p, &p->kind[w], c->answer.weight[w]);
  json_close(&j, ']');
  json_put_int(&j, "scale", c->answer.scale);
  json_put_int(&j, "sides", c->carry.sides);
  segment_write(&j, &c->problem, &c->cut, &c->account);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
}

/* ---- the argument ---- */

static void say_side(text *t, const cover_program *p, unsigned arrays, bool column)
{
  bool first = true;
  for (int a = 0; a < p->arrays; a++)
    if (arrays >> a & 1 && p->array[a].column == column) {
      text_printf(t, "%s%" PRId64 " of %s", first ? "" : ", ", p->array[a].width, p->array[a].name);
      first = false;
    }
}

static void say_kind(const proof *say, const cover_program *p, const cover_kind *k)
{
  SCOPED_TEXT row = { 0 }, column = { 0 };
  say_side(&row, p, k->whole, false);
  say_side(&column, p, k->whole, true);
  proof_tell(say, "program/covering_bound/kind", "name %s, steps %lu, width %ld, row %s, column %s, operand %s",
             k->name, (unsigned long)k->steps, (long)k->width, text_str(&row), text_str(&column),
             p->array[k->operand].name);
}

static void say_weights(const proof *say, const covering *c)
{
  SCOPED_TEXT t = { 0 };
  for (int w = 0; w < c->shape.p.kinds; w++)
    text_printf(&t, "%s%s %" PRId64, w ? ", " : "", c->shape.p.kind[w].name, c->answer.weight[w]);
  proof_say(say, "Give a step the weight %s", text_str(&t));
  if (c->answer.scale > 1)
    proof_say(say, " (all over {%ld})", (long)c->answer.scale);
  proof_tell(say, "program/covering_bound/weights", "");
}

static void say_plan(const proof *say, const covering *c)
{
  proof_say(say, "The weights solve a linear program; its other side is a plan of passes:");
  for (int s = 0; s < c->answer.passes; s++) {
    const cover_pass *pass = &c->answer.pass[s];
    SCOPED_TEXT t = { 0 };
    for (int w = 0; w < c->shape.p.kinds; w++)
      if (pass->slice[w])
        text_printf(&t, "%s%" PRId64 " of %s", t.n ? ", " : "", pass->slice[w], c->shape.p.kind[w].name);
    proof_say(say, "%s about %.4g times a pass of %s at cost {%ld} a pair", s ? ";" : "", pass->times_estimate,
              text_str(&t), (long)pass->cost);
  }
  proof_say(say, ".");
  proof_paragraph(say);
}

static void write_proof(const covering *c, bound *record)
{
  proof say = { &record->proof, &record->proof_latex };
  const cover_program *p = &c->shape.p;
  proof_say(&say, "Work is done at the {%ld} pairs of %s. ", (long)p->pairs, c->q->g->array[c->shape.anchor].name);
  for (int w = 0; w < p->kinds; w++)
    say_kind(&say, p, &p->kind[w]);
  proof_paragraph(&say);
  say_weights(&say, c);
  proof_tell(&say, "program/covering_bound/proof", "each %ld, sides %ld, scale %ld", (long)c->carry.each,
             (long)c->carry.sides, (long)c->answer.scale);
  say_plan(&say, c);
  segment_proof(&say, c->q, &c->problem, &c->cut, &c->account, "units of weight");
}

/* ---- */

static void leading(const covering *c, text *out)
{
  double each = mpz_get_d(c->problem.work) / (double)c->answer.scale / (double)c->shape.p.pairs;
  text_printf(out, "%.6g pairs / M", each);
}

static void add_record(const covering *c, bound_list *out)
{
  bound *b = bound_list_add(out, "covering", BOUND_PROVED, BOUND_ANY, "docs/theory-lp.md, section 2");
  segment_value(&c->cut, &c->account, b->value);
  leading(c, &b->leading);
  write_parameters(c, &b->parameters);
  if (c->q->want_proof)
    write_proof(c, b);
}

/* The cut for one set of weights; true when it is better than what is there. */
static bool try_weights(covering *c, const cover_answer *answer)
{
  bound_carry carry;
  segment_problem p = { bound_carry_work, bound_carry_guess, &carry, { { 0 } }, (int64_t)c->q->m };
  segment_cut cut;
  mpz_init(p.work);
  segment_cut_init(&cut);
  bool better = bound_cover_carry(&c->shape.p, answer, &carry, p.work) && segment_search(&p, &cut) &&
                mpz_cmp(cut.events, c->cut.events) > 0;
  if (better) {
    segment_cut old = c->cut;
    c->cut = cut;
    cut = old;
    c->answer = *answer;
    c->carry = carry;
    c->problem.most = p.most;
    c->problem.guess = p.guess;
    c->problem.context = &c->carry;
    c->problem.m = p.m;
    mpz_set(c->problem.work, p.work);
  }
  mpz_clear(p.work);
  segment_cut_clear(&cut);
  return better;
}

static status apply_covering(const bound_question *q, bound_list *out, diag *d)
{
  covering c = { .q = q };
  cover_answer answer;
  bool any = false;
  status st = OK;
  if (q->g->graph || q->m > INT64_MAX / 4096 || !bound_cover_find(q->g, q->live, &c.shape))
    return OK;
  c.account = (segment_account){ .births = c.shape.p.births, .stores = c.shape.p.outputs };
  mpz_init(c.problem.work);
  segment_cut_init(&c.cut);
  for (int level = 0; level < 2 && st == OK; level++) {
    st = bound_cover_solve(&c.shape.p, level == 1, &answer, d);
    any = (st == OK && try_weights(&c, &answer)) || any;
  }
  if (st == OK && any)
    add_record(&c, out);
  mpz_clear(c.problem.work);
  segment_cut_clear(&c.cut);
  return st;
}

BOUND_THEOREM(60, covering) = {
  .name = "covering",
  .summary = "work at pairs: the weights of a linear program over passes",
  .source = "docs/theory-lp.md, section 2",
  .apply = apply_covering,
};
