/* Attention by features, dense or monomials: what few words of a token give (docs/theory-lp.md, section 6). */
#include "base/num.h"
#include "bounds/segment/record.h"
#include "bounds/recognise/shape_lowrank.h"

enum { WEIGHT = 16 }; /* of a step of a query for each place of a run: finer than whole words of a key's step */

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
  json_put_int(&j, "key", l->read.weigh.key);
  json_put_int(&j, "query", l->read.weigh.query);
  json_put_int(&j, "low", l->read.weigh.low);
  json_put_int(&j, "high", l->read.weigh.high);
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

static bool weighed(const checker_features *f) { return f->weigh.low < f->weigh.high; }

/* What a sum does with its own order: consecutive steps, of few features in long runs. */
static void say_runs(const proof *say, const bound_question *q, const lowrank_shape *l)
{
  const checker_features_weights *w = &l->read.weigh;
  proof_say(say,
            "The steps that a segment takes of one chain of %s%s%s follow one another. A run is of consecutive "
            "features whose variables ascend by one to the last. With {q} words, at most {q} steps of a chain have "
            "features in runs of more than {q}: each feature that is there or made uses a word of its own variable, "
            "so no such run is done whole; a tail of one and a head of the next have no variable in common, as "
            "together they would have all of the second's. ",
            name(q, l->n), l->s < 0 ? "" : " and ", name(q, l->s));
  proof_say(say,
            "Let a step of %s weigh {%ld}, one of a query {%ld} times the length of its feature's run, at least {%ld} "
            "and at most {%ld} times, {w(q)} with a run of {q}. A query's steps weigh at most {w(q) min(f(q) v, C + k) "
            "+ (%ld - w(q)) min(q v, C + k)}.",
            name(q, l->w), (long)w->key, (long)w->query, (long)w->low, (long)w->high, (long)(w->query * w->high));
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
            "<= X / %ld}. All %s at most {h(X)}, the largest over {q}, {v} and {C} of {X - C} over {q + v} times %s.",
            name(q, l->read.v), (long)l->read.keys, l->read.normaliser ? " + 1" : "", (long)l->read.keys,
            weighed(&l->read) ? "steps weigh" : "steps are",
            weighed(&l->read) ? "the weight of a query or a key" : "{min(f(q) v, C + k)}");
  if (c->n > 1)
    proof_say(say, " At {X = %ld}, where {k = %ld}, that is at {q = %ld}, {v = %ld}, {C = %ld}.", (long)words,
              (long)checker_features_reruns(&l->read, words), (long)where.q, (long)where.v, (long)where.c);
  proof_paragraph(say);
  mpz_clears(x, most, NULL);
}

/* ---- what steps weigh ---- */

/* The words that steps of keys alone, or of queries, need with these weights, in doubles: work over what words do. */
static double words_needed(checker_features f, checker_features_weights w, double x)
{
  mpz_t work;
  f.weigh = w;
  mpz_init(work);
  checker_features_work(&f, work);
  double most = guess_work(&f, x), needed = most > 0 ? mpz_get_d(work) / most : 0;
  mpz_clear(work);
  return needed;
}

/* The least and the greatest weight for which the steps of queries need the most words; of great ones not all are
   tried. */
static void best_weights(const checker_features *f, double x, checker_features_weights *best)
{
  double most = 0;
  checker_features_weights w = *best;
  for (w.low = 0; w.low <= CHECKER_RUN_MOST && (w.low == 0 || f->longer[w.low - 1] > 0); w.low += 1 + w.low / 5)
    for (w.high = num_max(1, w.low); w.high <= CHECKER_RUN_MOST && f->longer[w.high - 1] > 0;
         w.high += 1 + w.high / 5) {
      double needed = words_needed(*f, w, x);
      if (needed > most) {
        most = needed;
        *best = w;
      }
    }
}

/* Monomials in runs: a step of W weighs so much that rows of keys and rows of queries do the same with their words. */
static void weigh(checker_features *f, double m)
{
  checker_features_weights w = { 0, WEIGHT, 0, 1 };
  best_weights(f, 2 * m, &w);
  f->weigh = w;
  double queries = guess_work(f, 2 * m);
  f->weigh = (checker_features_weights){ 1, 0, 0, 1 };
  double keys = guess_work(f, 2 * m);
  w.key = num_max(1, (int64_t)(queries / keys + 0.5));
  f->weigh = w;
}

static void add_record(const bound_question *q, const lowrank_shape *l, bound_list *out)
{
  segment_problem problem = { most_work, guess_work, &l->read, { { 0 } }, (int64_t)q->m };
  segment_account account = { .births = l->read.births, .stores = (uint64_t)l->of.outputs };
  segment_cut c;
  segment_cut_init(&c);
  mpz_init(problem.work);
  checker_features_work(&l->read, problem.work);
  if (segment_search(&problem, &c)) {
    bound *b = bound_list_add(out, "features", BOUND_PROVED, BOUND_ANY, "docs/theory-lp.md, section 6");
    segment_value(&c, &account, b->value);
    write_parameters(q, l, &problem, &c, &account, &b->parameters);
    if (q->want_proof) {
      proof say = { &b->proof, &b->proof_latex };
      say_features(&say, q, l);
      say_steps(&say, q, l);
      if (weighed(&l->read))
        say_runs(&say, q, l);
      say_most(&say, q, l, &c);
      segment_proof(&say, q, &problem, &c, &account, weighed(&l->read) ? "units of weight" : "steps");
    }
  }
  mpz_clear(problem.work);
  segment_cut_clear(&c);
}

static status apply_features(const bound_question *q, bound_list *out, diag *d)
{
  lowrank_shape l;
  (void)d;
  if (q->g->graph || q->m > INT64_MAX / 4096 || !bound_lowrank_find(q->g, q->live, &l))
    return OK;
  add_record(q, &l, out);
  if (l.read.degree > 0 && l.read.longer[1] > 0) {
    weigh(&l.read, (double)q->m);
    add_record(q, &l, out);
  }
  return OK;
}

BOUND_THEOREM(81, features) = {
  .name = "features",
  .summary = "attention by features, dense or monomials: what few words of a token give",
  .source = "docs/theory-lp.md, section 6",
  .apply = apply_features,
};
