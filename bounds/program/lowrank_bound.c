/* The low-rank bound of a CDAG (docs/theory-lp.md, section 6). */
#include "bounds/segment/record.h"
#include "bounds/recognise/shape_lowrank.h"

typedef struct {
  const bound_question *q;
  lowrank_shape shape;
  lowrank_weights weights;
  segment_problem problem;
  segment_account account;
  segment_cut cut;
} lowrank;

static const char *name(const lowrank *x, int array) { return array < 0 ? "" : x->q->g->array[array].name; }

static void write_parameters(const lowrank *x, text *out)
{
  const lowrank_case *c = &x->shape.of;
  SCOPED_JSON j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "W", name(x, x->shape.w));
  json_put_string(&j, "N", name(x, x->shape.n));
  json_put_string(&j, "U", name(x, x->shape.u));
  json_put_string(&j, "S", name(x, x->shape.s));
  json_put_int(&j, "keys", c->keys);
  json_put_int(&j, "queries", c->queries);
  json_put_int(&j, "features", c->features);
  json_put_int(&j, "d", c->d);
  json_put_int(&j, "dv", c->dv);
  json_put_bool(&j, "normaliser", c->normaliser);
  json_put_bool(&j, "weigh_normaliser", x->weights.weigh_normaliser);
  segment_write(&j, &x->problem, &x->cut, &x->account);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
}

static void say_local(const proof *say, const lowrank *x)
{
  const lowrank_case *c = &x->shape.of;
  long d = (long)c->d;
  proof_tell(say, "program/lowrank_bound/local",
             "W %s, keys %ld, features %ld, dv %ld, N %s, queries %ld, d %ld, K %s, Q %s, V %s, d_and_1 %ld",
             name(x, x->shape.w), (long)c->keys, (long)c->features, (long)c->dv, name(x, x->shape.n), (long)c->queries,
             d, name(x, x->shape.read.k), name(x, x->shape.read.q), name(x, x->shape.read.v), d + 1);
  if (c->normaliser)
    proof_tell(say, "program/lowrank_bound/normaliser", "U %s, S %s, V %s, weight %ld", name(x, x->shape.u),
               name(x, x->shape.s), name(x, x->shape.read.v), x->weights.weigh_normaliser ? d : 0L);
  proof_paragraph(say);
}

static void say_reruns(const proof *say, const lowrank *x)
{
  const lowrank_case *c = &x->shape.of;
  int64_t words = (int64_t)x->q->m + x->cut.length;
  bound_carry k;
  proof_tell(say, "program/lowrank_bound/reruns", "W %s, V %s, words %ld, rows %ld, left %ld, chains %ld",
             name(x, x->shape.w), name(x, x->shape.read.v), (long)words, (long)(words / c->d),
             (long)(c->keys - words / c->d), words < c->keys ? 0L : (long)(words / c->keys + 1));
  if (bound_lowrank_carry(&x->weights, words, &k))
    proof_tell(say, "program/lowrank_bound/carried", "keep_num %ld, keep_den %ld, each %ld, sides %ld",
               (long)k.keep_num, (long)k.keep_den, (long)k.each, (long)k.sides);
  proof_say(say, "%s.",
            c->normaliser && x->weights.weigh_normaliser ? ", plus {d X} for the normaliser's steps at carried features"
                                                         : "");
  proof_paragraph(say);
}

/* 2 n r dv (d + 1) / M, in the description's letters */
static void leading(const lowrank *x, text *out)
{
  const lowrank_case *c = &x->shape.of;
  const cdag *g = x->q->g;
  if (c->keys == c->queries) {
    text_add(out, "2 ");
    bound_loop_text(g, x->shape.n, x->shape.read.query_loop, c->queries, out);
  } else
    text_printf(out, "%ld", (long)(c->keys + c->queries));
  text_char(out, ' ');
  bound_loop_text(g, x->shape.n, x->shape.read.feature_loop, c->features, out);
  text_char(out, ' ');
  bound_loop_text(g, x->shape.n, x->shape.read.slice_loop, c->dv, out);
  text_printf(out, " (%ld + 1) / M", (long)c->d);
}

static void write_proof(const lowrank *x, bound *b)
{
  proof say = { &b->proof, &b->proof_latex };
  say_local(&say, x);
  say_reruns(&say, x);
  segment_proof(&say, x->q, &x->problem, &x->cut, &x->account, "units of weight");
}

static status apply_lowrank(const bound_question *q, bound_list *out, diag *d)
{
  lowrank x = { .q = q };
  (void)d;
  if (q->g->graph || q->m > INT64_MAX / 4096 || !bound_lowrank_find(q->g, q->live, &x.shape) ||
      x.shape.read.degree > 0)
    return OK;
  x.shape.of.m = (int64_t)q->m;
  x.account = (segment_account){ .births = (uint64_t)x.shape.of.births, .stores = (uint64_t)x.shape.of.outputs };
  x.problem = (segment_problem){ bound_lowrank_work, bound_lowrank_guess, &x.weights, { { 0 } }, x.shape.of.m };
  segment_cut_init(&x.cut);
  mpz_init(x.problem.work);
  if (bound_lowrank_events(&x.shape.of, &x.weights, &x.cut)) {
    bound *b = bound_list_add(out, "lowrank", BOUND_PROVED, BOUND_ANY, "docs/theory-lp.md, section 6");
    bound_lowrank_total(&x.weights, x.problem.work);
    segment_value(&x.cut, &x.account, b->value);
    leading(&x, &b->leading);
    write_parameters(&x, &b->parameters);
    if (q->want_proof)
      write_proof(&x, b);
  }
  mpz_clear(x.problem.work);
  segment_cut_clear(&x.cut);
  return OK;
}

BOUND_THEOREM(80, lowrank) = {
  .name = "lowrank",
  .summary = "attention by dense features, made anew or carried",
  .source = "docs/theory-lp.md, section 6",
  .apply = apply_lowrank,
};
