/* The two backward bounds of a CDAG (docs/theory-lp.md, sections 4 and 5). */
#include "base/scoped.h"
#include "bounds/segment/record.h"
#include "bounds/recognise/shape_backward.h"

typedef struct {
  const bound_question *q;
  backward_shape b;
  segment_cut loads;
  backward_balance both;
  segment_problem problem; /* of the loads */
  segment_account account;
  bound_carry carry;
} backward;

static const char *word_name(const backward *x, int a) { return x->b.shape.p.array[a].name; }
static const char *kind_name(const backward *x, int w) { return x->b.shape.p.kind[w].name; }

/* ---- writing ---- */

static void write_roles(json *j, const backward *x)
{
  json_put_int(j, "d", x->b.of.d);
  json_put_int(j, "pairs", x->b.of.pairs);
  json_put_string(j, "pairs_of", x->q->g->array[x->b.shape.anchor].name);
  json_key(j, "kinds");
  json_open(j, '[');
  for (int w = 0; w < 3; w++) {
    json_open(j, '{');
    bound_cover_write_terms(j, &x->b.shape.p.kind[w]);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_put_string(j, "dQ", kind_name(x, x->b.dq));
  json_put_string(j, "dK", kind_name(x, x->b.dk));
  json_put_string(j, "dV", kind_name(x, x->b.dv));
  json_put_string(j, "Q", word_name(x, x->b.q));
  json_put_string(j, "dO", word_name(x, x->b.g));
  json_put_string(j, "K", word_name(x, x->b.k));
  json_put_string(j, "V", word_name(x, x->b.v));
}

static void write_loads(const backward *x, text *out)
{
  SCOPED_JSON j = { 0 };
  json_open(&j, '{');
  write_roles(&j, x);
  segment_write(&j, &x->problem, &x->loads, &x->account);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
}

static void write_both(const backward *x, text *out)
{
  SCOPED_JSON j = { 0 };
  json_open(&j, '{');
  write_roles(&j, x);
  json_key(&j, "loads");
  json_open(&j, '{');
  segment_write(&j, &x->problem, &x->loads, &x->account);
  json_close(&j, '}');
  json_put_int(&j, "first", x->both.f);
  json_put_int(&j, "length", x->both.t);
  json_put_big(&j, "most_first", x->both.first);
  json_put_big(&j, "most", x->both.later);
  SCOPED_MPZ sum;
  mpz_init_set_si(sum, x->b.of.births);
  mpz_add(sum, sum, x->both.value);
  json_put_big(&j, "events_and_stores", sum);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
}

/* ---- the arguments ---- */

static void say_setting(const proof *say, const backward *x)
{
  long d = (long)x->b.of.d;
  proof_tell(say, "program/backward_bound/setting",
             "pairs %ld, d %ld, dQ %s, dK %s, dV %s, births %ld, Q %s, K %s, dO %s, V %s", (long)x->b.of.pairs, d,
             kind_name(x, x->b.dq), kind_name(x, x->b.dk), kind_name(x, x->b.dv), (long)x->b.of.births,
             word_name(x, x->b.q), word_name(x, x->b.k), word_name(x, x->b.g), word_name(x, x->b.v));
}

static void say_loads(const proof *say, const backward *x)
{
  proof_tell(say, "program/backward_bound/loads", "dV %s, dQ %s, dK %s", kind_name(x, x->b.dv), kind_name(x, x->b.dq),
             kind_name(x, x->b.dk));
  segment_proof(say, x->q, &x->problem, &x->loads, &x->account, "units of weight");
}

static void say_inequality(const proof *say, const backward *x)
{
  proof_tell(say, "program/backward_bound/inequality", "dV %s, dQ %s, dK %s", kind_name(x, x->b.dv),
             kind_name(x, x->b.dq), kind_name(x, x->b.dk));
}

static void say_charge(const proof *say, const backward *x)
{
  const char *k = word_name(x, x->b.k), *v = word_name(x, x->b.v), *q = word_name(x, x->b.q);
  proof_tell(say, "program/backward_bound/charge", "k %s, v %s, q %s", k, v, q);
}

static void say_balance(const proof *say, const backward *x)
{
  SCOPED_MPZ need;
  mpz_init_set_si(need, x->b.of.pairs);
  mpz_mul_si(need, need, 14 * x->b.of.d * x->b.of.d);
  proof_tell(say, "program/backward_bound/balance",
             "f %ld, t %ld, need %Zd, first %Zd, later %Zd, words %ld, events %Zd, outputs %ld, stored %.6g, "
             "births %ld, value %Zd",
             (long)x->both.f, (long)x->both.t, need, x->both.first, x->both.later,
             (long)(x->q->m + (uint64_t)(x->b.of.d * x->b.of.d)), x->loads.events, (long)x->b.of.outputs,
             mpq_get_d(x->both.stores), (long)x->b.of.births, x->both.value);
}

/* ---- records ---- */

static void add_loads(const backward *x, bound_list *out)
{
  bound *b = bound_list_add(out, "backward-12", BOUND_PROVED, BOUND_ANY, "docs/theory-lp.md, section 4");
  proof say = { &b->proof, &b->proof_latex };
  segment_value(&x->loads, &x->account, b->value);
  text_add(&b->leading, "12 pairs d^2 / M");
  write_loads(x, &b->parameters);
  if (x->q->want_proof) {
    say_setting(&say, x);
    say_loads(&say, x);
  }
}

static void add_both(const backward *x, bound_list *out)
{
  bound *b = bound_list_add(out, "backward-14", BOUND_PROVED, BOUND_ANY, "docs/theory-lp.md, section 5");
  proof say = { &b->proof, &b->proof_latex };
  mpz_set(b->value, x->both.value);
  text_add(&b->leading, "14 pairs d^2 / M");
  write_both(x, &b->parameters);
  if (x->q->want_proof) {
    say_setting(&say, x);
    say_loads(&say, x);
    say_inequality(&say, x);
    say_charge(&say, x);
    say_balance(&say, x);
  }
}

static status apply_backward(const bound_question *q, bound_list *out, diag *d)
{
  backward x = { .q = q };
  (void)d;
  if (q->g->graph || q->m > INT64_MAX / 4096 || !bound_backward_find(q->g, q->live, &x.b))
    return OK;
  x.b.of.m = (int64_t)q->m;
  x.account = (segment_account){ .births = (uint64_t)x.b.of.births, .stores = (uint64_t)x.b.of.outputs };
  x.carry = bound_backward_carry(&x.b.of, false);
  x.problem = (segment_problem){ bound_carry_work, bound_carry_guess, &x.carry, { { 0 } }, x.b.of.m };
  mpz_init_set_si(x.problem.work, x.b.of.pairs);
  mpz_mul_si(x.problem.work, x.problem.work, 12 * x.b.of.d * x.b.of.d);
  segment_cut_init(&x.loads);
  bound_backward_balance_init(&x.both);
  if (bound_backward_loads(&x.b.of, &x.loads))
    add_loads(&x, out);
  if (bound_backward_balance_best(&x.b.of, x.loads.events, &x.both))
    add_both(&x, out);
  mpz_clear(x.problem.work);
  segment_cut_clear(&x.loads);
  bound_backward_balance_clear(&x.both);
  return OK;
}

BOUND_THEOREM(70, backward) = {
  .name = "backward",
  .summary = "backward pass of attention: loads (12 d^2 a pair), loads and stores (14)",
  .source = "docs/theory-lp.md, sections 4 and 5",
  .apply = apply_backward,
};
