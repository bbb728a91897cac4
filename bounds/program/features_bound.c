/* Attention by features, dense or monomials: what few words of a token give (docs/theory-lp.md, section 6). */
#include "bounds/segment/record.h"
#include "bounds/recognise/shape_lowrank.h"

static void most_work(const void *context, const mpz_t x, mpz_t most)
{
  checker_features_where where;
  checker_features_most(context, x, most, &where);
}

static double guess_work(const void *context, double x)
{
  mpz_t words, most;
  mpz_init_set_d(words, x < 0 ? 0 : x);
  mpz_init(most);
  most_work(context, words, most);
  double work = mpz_get_d(most);
  mpz_clears(words, most, NULL);
  return work;
}

static const char *name(const bound_question *q, int array) { return array < 0 ? "" : q->g->array[array].name; }

static void write_parameters(const bound_question *q, const lowrank_shape *l, const segment_problem *p,
                             const segment_cut *c, const segment_account *a, text *out)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "W", name(q, l->w));
  json_put_string(&j, "N", name(q, l->n));
  json_put_string(&j, "U", name(q, l->u));
  json_put_string(&j, "S", name(q, l->s));
  segment_write(&j, p, c, a);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
  json_clear(&j);
}

static void say_features(const proof *say, const bound_question *q, const lowrank_shape *l)
{
  const checker_features *f = &l->read;
  proof_say(say,
            "%s is summed over {%ld} keys for {r = %ld} features and {%ld} slices; %s over the features for {%ld} "
            "queries. ",
            name(q, l->w), (long)f->keys, (long)f->features, (long)f->dv, name(q, l->n), (long)f->queries);
  if (f->degree == 0)
    proof_say(say,
              "A feature depends on a whole row of {d = %ld} words of %s or %s: with {q < d} words for its features a "
              "token has at most {f(q) = min(q, r)}, those that are there, with {d} words {f(q) = r}.",
              (long)f->d, name(q, f->k), name(q, f->q));
  else
    proof_say(say,
              "A feature is a product of at most {g = %ld} variables of a row of %s or %s, each made of one other and "
              "of variables; no two are the same product; {%ld} are no vertices. Of {x} variables and {c} features "
              "that are there a token has the products of variables and those of a feature and variables, at most "
              "{binomial(x + g, g) + c binomial(x + g - 1, g - 1)}, which is no more than {x + c} variables give: "
              "with {q} words at most {f(q) = min(r, binomial(q + g, g) - 1 + %ld)}.",
              (long)f->degree, name(q, f->k), name(q, f->q), (long)f->free, (long)f->free);
  proof_paragraph(say);
}

static void say_steps(const proof *say, const bound_question *q, const lowrank_shape *l)
{
  proof_say(say,
            "Of the words of a segment let a key have {q_j} of its row and its features and {v_j} of %s, a query {q_i} "
            "of its row and its features and {v_i} chains of %s%s%s: together {R}. The chains of %s%s%s with a vertex "
            "among the words are {C}, and {R + C <= X}. A step of %s needs its feature, its word of %s and its chain: "
            "a key has at most {min(f(q_j) v_j, C)}. A step of %s needs its feature, its chain, and the end of a chain "
            "of %s, which is one of the {C} or is made anew in the segment: at most {min(f(q_i) v_i, C + k)} steps.",
            name(q, l->read.v), name(q, l->n), l->s < 0 ? "" : " and ", name(q, l->s), name(q, l->w),
            l->u < 0 ? "" : " and ", name(q, l->u), name(q, l->w), name(q, l->read.v), name(q, l->n), name(q, l->w));
  proof_paragraph(say);
}

/* What the other segments do, said with the numbers of the cut. */
static void say_most(const proof *say, const bound_question *q, const lowrank_shape *l, const segment_cut *c)
{
  int64_t words = (int64_t)q->m + c->length;
  checker_features_where where;
  mpz_t x, most;
  mpz_init_set_si(x, words);
  mpz_init(most);
  checker_features_most(&l->read, x, most, &where);
  proof_say(say,
            "A chain made anew takes for every key its feature, and a slice of %s its word of each: some key has at "
            "most {X / %ld} of the words, so there are at most {k} of them, the largest of {f(q) (v%s)} over {q + v "
            "<= X / %ld}. All steps are at most {h(X)}, the largest over {q}, {v} and {C} of {(X - C) min(f(q) v, C + "
            "k) / (q + v)}.",
            name(q, l->read.v), (long)l->read.keys, l->read.normaliser ? " + 1" : "", (long)l->read.keys);
  if (c->n > 1)
    proof_say(say, " At {X = %ld}, where {k = %ld}, that is at {q = %ld}, {v = %ld}, {C = %ld}.", (long)words,
              (long)checker_features_reruns(&l->read, words), (long)where.q, (long)where.v, (long)where.c);
  proof_paragraph(say);
  mpz_clears(x, most, NULL);
}

static void add_record(const bound_question *q, const lowrank_shape *l, bound_list *out)
{
  segment_problem problem = { most_work, guess_work, &l->read, { { 0 } }, (int64_t)q->m };
  segment_account account = { .births = l->read.births, .stores = (uint64_t)l->of.outputs };
  segment_cut c;
  segment_cut_init(&c);
  mpz_init_set_ui(problem.work, l->read.steps);
  if (segment_search(&problem, &c)) {
    bound *b = bound_list_add(out, "features", BOUND_PROVED, BOUND_ANY, "docs/theory-lp.md, section 6");
    segment_value(&c, &account, b->value);
    write_parameters(q, l, &problem, &c, &account, &b->parameters);
    if (q->want_proof) {
      proof say = { &b->proof, &b->proof_latex };
      say_features(&say, q, l);
      say_steps(&say, q, l);
      say_most(&say, q, l, &c);
      segment_proof(&say, q, &problem, &c, &account, "steps");
    }
  }
  mpz_clear(problem.work);
  segment_cut_clear(&c);
}

static status apply_features(const bound_question *q, bound_list *out, diag *d)
{
  lowrank_shape l;
  (void)d;
  if (!q->g->graph && q->m <= INT64_MAX / 4096 && bound_lowrank_find(q->g, q->live, &l))
    add_record(q, &l, out);
  return OK;
}

BOUND_THEOREM(81, features) = {
  .name = "features",
  .summary = "attention by features, dense or monomials: what few words of a token give",
  .source = "docs/theory-lp.md, section 6",
  .apply = apply_features,
};
