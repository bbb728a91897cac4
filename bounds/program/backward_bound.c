/* The two backward bounds of a CDAG (docs/theory-lp.md, sections 4 and 5). */
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
  json j = { 0 };
  json_open(&j, '{');
  write_roles(&j, x);
  segment_write(&j, &x->problem, &x->loads, &x->account);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
  json_clear(&j);
}

static void write_both(const backward *x, text *out)
{
  json j = { 0 };
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
  mpz_t sum;
  mpz_init_set_si(sum, x->b.of.births);
  mpz_add(sum, sum, x->both.value);
  json_put_big(&j, "events_and_stores", sum);
  mpz_clear(sum);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
  json_clear(&j);
}

/* ---- the arguments ---- */

static void say_setting(const proof *say, const backward *x)
{
  long d = (long)x->b.of.d;
  proof_say(say,
            "There are {%ld} pairs (i, j); at each, {d = %ld} steps of each of %s, %s and %s, in {%ld} chains. A step "
            "of %s needs the pair's value made "
            "from the rows {%s(i)} and {%s(j)}, and a word of %s; a step of %s or %s needs the value made from the "
            "rows of %s, %s, %s and %s. A pair is carried in a "
            "segment when a vertex of the tree of its values is red at the beginning or loaded; else, if it works, all "
            "these words are red in it.",
            (long)x->b.of.pairs, d, kind_name(x, x->b.dq), kind_name(x, x->b.dk), kind_name(x, x->b.dv),
            (long)x->b.of.births, kind_name(x, x->b.dv), word_name(x, x->b.q), word_name(x, x->b.k),
            word_name(x, x->b.g), kind_name(x, x->b.dq), kind_name(x, x->b.dk), word_name(x, x->b.q),
            word_name(x, x->b.g), word_name(x, x->b.k), word_name(x, x->b.v));
  proof_paragraph(say);
}

static void say_loads(const proof *say, const backward *x)
{
  proof_say(say,
            "Let {v}, {q}, {k} steps of %s, %s, %s be done at a pair that is not carried. If {q + k > 0} its row has "
            "at least {2d + q} words and its column "
            "{2d + k + v}, and {(2d+q)(2d+k+v) - 4d(v+q+k) = (2d-q)(2d-k-v) >= 0}; else {(d+v)^2 - 4dv = (d-v)^2 >= "
            "0}. So with weight {4d} a step "
            "such pairs weigh at most {R C}, the row and column words of the segment. Of {p} carried pairs each weighs "
            "at most {12 d^2}, and together, by Loomis and "
            "Whitney over three disjoint pairs of arrays, {2d sqrt(p) (X - p)}. So {h(X)} is the largest over {p} of "
            "{(X-p)^2/4 + min(12 d^2 p, 2d sqrt(p) "
            "(X-p))}.",
            kind_name(x, x->b.dv), kind_name(x, x->b.dq), kind_name(x, x->b.dk));
  proof_paragraph(say);
  segment_proof(say, x->q, &x->problem, &x->loads, &x->account, "units of weight");
}

static void say_inequality(const proof *say, const backward *x)
{
  proof_say(say,
            "Now count stores too. Cut each chain where its value is lost and loaded again: each piece, a residency, "
            "begins at its own birth or load and ends at its own store, so there "
            "are at most S, the stores. With weights {4d}, {6d}, {4d} for %s, %s, %s a pair that is not carried weighs "
            "at most {R_(i) C_(j) + q (k + v)}, since {(2d+q)(2d+k+v) + q(k+v) - 4dv - 6dq - 4dk = "
            "2(d-q)(2d-k-v) >= 0}. The extra counts pairs of residencies, a row's and a column's, that meet at one "
            "pair in one segment; two residencies meet at most once in the play.",
            kind_name(x, x->b.dv), kind_name(x, x->b.dq), kind_name(x, x->b.dk));
  proof_paragraph(say);
}

static void say_charge(const proof *say, const backward *x)
{
  const char *k = word_name(x, x->b.k), *v = word_name(x, x->b.v), *q = word_name(x, x->b.q);
  proof_say(
      say,
      "Charge such a meeting to the store that ends the earlier of the two, at time e. Either the other chain is red "
      "at e; or it begins later in the segment and meanwhile no vertex of the pair's tree "
      "is red at some moment, so the words of %s and %s (or of %s) are used again and each is red at e or loaded a "
      "second time; or the pair stays red until the other begins. The first two "
      "number at most {M - 1 - p(e)} and the second loads, {p(e)} being the pairs red at e; the third exceed {p(e)} by "
      "less than {d^2} for each residency, because of the pairs of one column (row) the k-th finds k red.",
      k, v, q);
  proof_say(say, " In all the extra is at most {(M + d^2) S} and what the second loads make up for in {((X-p)/2)^2}. "
                 "The whole argument, case by case, is in docs/theory-lp.md, section 5.");
  proof_paragraph(say);
}

static void say_balance(const proof *say, const backward *x)
{
  mpz_t need;
  mpz_init_set_si(need, x->b.of.pairs);
  mpz_mul_si(need, need, 14 * x->b.of.d * x->b.of.d);
  proof_say(say,
            "With a first segment of {f = %ld} events, others of {T = %ld}, {H(X)} the largest over {p} of {(X-p)^2/4 "
            "+ min(14 d^2 p, 3d "
            "sqrt(p) (X-p))}, and N segments: {%Zd = 14 d^2 E <= H(f) + (N-1) H(M+T) + (M + d^2) S}, where {H(f) = "
            "%Zd}, {H(M+T) = "
            "%Zd}, {M + d^2 = %ld}, and loads and births are at least {f + T (N-2) + 1}.",
            (long)x->both.f, (long)x->both.t, need, x->both.first, x->both.later,
            (long)(x->q->m + (uint64_t)(x->b.of.d * x->b.of.d)));
  proof_say(say,
            " By the first part they are also at least {%Zd}, and {S >= %ld}. Of all numbers that obey these the least "
            "sum of loads, births and stores has {S = %.6g}; "
            "less the {%ld} births, {Q >= %Zd}.",
            x->loads.events, (long)x->b.of.outputs, mpq_get_d(x->both.stores), (long)x->b.of.births, x->both.value);
  proof_paragraph(say);
  mpz_clear(need);
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
