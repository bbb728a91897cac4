/* Forward attention when M is about d^2 or less (docs/theory.md, sections 5 and 6): the scores are worth storing, so
   they are counted too.

   Two products: every score step and every accumulator step weighs a half; the births of score chains are events as
   well. Three ways:   events are loads, births of accumulators and stores; the share w of an accumulator step's weight
   lies on the score it uses. */
#include "base/scoped.h"
#include "base/num.h"
#include "bounds/segment/record.h"
#include <inttypes.h>
#include <math.h>

typedef struct {
  const bound_question *q;
  const bound_live *l;
  const bound_attention *shape;
  const bound_statement *scores;
  int64_t dk, dv;
} small;

static void write_shape(json *j, const small *a)
{
  const cdag *g = a->q->g;
  json_put_string(j, "statement", g->array[a->shape->z.array].name);
  json_put_int(j, "pair", a->shape->z.operand[a->shape->p].term);
  json_put_int(j, "column", a->shape->z.operand[a->shape->v].term);
  json_put_string(j, "scores", g->array[a->scores->array].name);
  json_put_int(j, "dk", a->dk);
  json_put_int(j, "dv", a->dv);
  json_put_uint(j, "pairs", a->shape->pairs);
}

static void say_what_counts(const proof *say, const small *a)
{
  const cdag *g = a->q->g;
  proof_tell(say, "segment/small/steps",
             "pairs %lu, dk %ld, scores %s, p %s, dv %ld, z %s, steps %lu, chains %lu", (unsigned long)a->shape->pairs,
             (long)a->dk, g->array[a->scores->array].name, g->array[a->shape->z.operand[a->shape->p].array].name,
             (long)a->dv, g->array[a->shape->z.array].name, (unsigned long)a->shape->z.steps,
             (unsigned long)a->shape->z.chains);
}

/* ---- two products ---- */

static void two_proof(const small *a, const segment_problem *p, const segment_cut *c, const segment_account *account,
                      bound *r)
{
  proof say = { &r->proof, &r->proof_latex };
  say_what_counts(&say, a);
  proof_tell(&say, "segment/small/two-products", "work %Zd", p->work);
  segment_proof(&say, a->q, p, c, account, "half steps");
}

static void two_products(const small *a, bound_list *out)
{
  segment_problem p = { segment_two_most, segment_two_guess, &a->dk, { { 0 } }, (int64_t)a->q->m };
  segment_account account = { .births = a->shape->z.chains + a->scores->chains, .stores = a->l->outputs };
  segment_cut c;
  if (a->dk != a->dv)
    return;
  segment_cut_init(&c);
  mpz_init_set_ui(p.work, a->shape->z.steps);
  mpz_add_ui(p.work, p.work, a->scores->steps);
  if (segment_search(&p, &c)) {
    bound *r = bound_list_add(out, "attention-two-products", BOUND_PROVED, BOUND_ANY, "docs/theory.md, section 5");
    SCOPED_JSON j = { 0 };
    segment_value(&c, &account, r->value);
    SCOPED_TEXT work = { 0 };
    segment_work_text(a->q->g, &a->shape->z, &work);
    text_printf(&r->leading, "4 %s / sqrt(M)", text_str(&work));
    json_open(&j, '{');
    write_shape(&j, a);
    segment_write(&j, &p, &c, &account);
    json_close(&j, '}');
    text_add(&r->parameters, text_str(&j.out));
    if (a->q->want_proof)
      two_proof(a, &p, &c, &account, r);
  }
  mpz_clear(p.work);
  segment_cut_clear(&c);
}

/* ---- three ways ---- */

typedef struct {
  segment_ways ways;
  int64_t x, n;
  double events;               /* about */
} plan;

static double ways_guess(const void *context, double x) { return segment_ways_guess(context, x); }

/* The best share, and the best number of words for it. */
static void best_plan(const small *a, const mpz_t steps, plan *best)
{
  enum { PARTS = 20 };
  for (int64_t wn = 0; wn <= PARTS / 2; wn++) {
    plan k = { .ways = { a->dk, a->dv, (int64_t)a->q->m, wn, PARTS } };
    segment_problem p = { NULL, ways_guess, &k.ways, { { 0 } }, (int64_t)a->q->m };
    mpz_init_set(p.work, steps);
    mpz_mul_si(p.work, p.work, PARTS * a->dk);
    double x = fmin(segment_best_words(&p), (double)SEGMENT_WAYS_MAX);
    k.events = mpz_get_d(p.work) / segment_ways_guess(&k.ways, x) * (x - (double)a->q->m);
    k.x = (int64_t)x;
    if (k.events > best->events)
      *best = k;
    mpz_clear(p.work);
  }
}

static bool proves(const plan *k, const mpz_t work, int64_t n, int64_t cells)
{
  mpz_t limit;
  if (n < 1)
    return false;
  mpz_init_set(limit, work);
  mpz_sub_ui(limit, limit, 1);
  mpz_fdiv_q_ui(limit, limit, (unsigned long)n);
  bool small_enough = mpz_sizeinbase(limit, 2) <= 126;
  unsigned __int128 wide = 0;
  if (small_enough) {
    SCOPED_MPZ high;
    mpz_init(high);
    mpz_fdiv_q_2exp(high, limit, 64);
    wide = (unsigned __int128)mpz_get_ui(high) << 64;
    mpz_fdiv_r_2exp(high, limit, 64);
    wide |= mpz_get_ui(high);
  }
  mpz_clear(limit);
  return small_enough && segment_ways_within(&k->ways, k->x, wide, cells);
}

/* As many segments more as are proved with few cells: steps and vertices are whole, which the guess does not see. */
static void more_segments(plan *k, const mpz_t work)
{
  enum { FEW_CELLS = 1 << 15 };
  int64_t step = 1;
  for (; proves(k, work, k->n + step, FEW_CELLS); step *= 2)
    k->n += step;
  while ((step /= 2) > 0)
    if (proves(k, work, k->n + step, FEW_CELLS))
      k->n += step;
}

/* The largest number of segments that is proved, starting just below the guess. */
static bool count_segments(plan *k, const mpz_t work)
{
  enum { CELLS = 1 << 18 };
  static const double slack[] = { 0, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.03 };
  double guess = mpz_get_d(work) / segment_ways_guess(&k->ways, (double)k->x);
  for (size_t i = 0; i < sizeof slack / sizeof *slack && guess < 1e17; i++) {
    k->n = (int64_t)(guess * (1 - slack[i]));
    if (proves(k, work, k->n, CELLS)) {
      more_segments(k, work);
      return true;
    }
  }
  return false;
}

static void ways_proof(const small *a, const plan *k, const mpz_t work, const mpz_t events, bound *r)
{
  proof say = { &r->proof, &r->proof_latex };
  SCOPED_MPZ value;
  mpz_init(value);
  mpz_sub_ui(value, events, a->shape->z.chains);
  say_what_counts(&say, a);
  proof_tell(&say, "segment/small/three-ways",
             "wn %ld, wd %ld, x %ld, n %ld, work %Zd, weight %ld, events %Zd, later %ld, length %ld, chains %lu, "
             "value %Zd",
             (long)k->ways.wn, (long)k->ways.wd, (long)k->x, (long)k->n, work, (long)(k->ways.wd * k->ways.dk), events,
             (long)(k->n - 1), (long)(k->x - (int64_t)a->q->m), (unsigned long)a->shape->z.chains, value);
}

static void ways_record(const small *a, const plan *k, const mpz_t work, bound_list *out)
{
  bound *r = bound_list_add(out, "attention-three-way", BOUND_PROVED, BOUND_ANY, "docs/theory.md, section 6");
  SCOPED_JSON j = { 0 };
  SCOPED_MPZ events;
  mpz_init_set_si(events, k->x - (int64_t)a->q->m);
  mpz_mul_si(events, events, k->n - 1);
  mpz_add_ui(events, events, (unsigned long)k->x + 1);
  mpz_sub_ui(r->value, events, a->shape->z.chains);
  text_printf(&r->leading, "%.3f pairs", mpz_get_d(events) / (double)a->shape->pairs);
  json_open(&j, '{');
  write_shape(&j, a);
  json_put_big(&j, "work", work);
  json_put_int(&j, "share", k->ways.wn);
  json_put_int(&j, "share_of", k->ways.wd);
  json_put_int(&j, "segments", k->n);
  json_put_int(&j, "first", k->x);
  json_put_int(&j, "length", k->x - (int64_t)a->q->m);
  json_put_big(&j, "events", events);
  json_put_uint(&j, "births", a->shape->z.chains);
  json_close(&j, '}');
  text_add(&r->parameters, text_str(&j.out));
  if (a->q->want_proof)
    ways_proof(a, k, work, events, r);
}

static void three_ways(const small *a, bound_list *out)
{
  plan best = { .events = 0 };
  mpz_t work;
  if (a->dk > 1 << 14 || a->dv > 1 << 14 || a->q->m > SEGMENT_WAYS_MAX / 4)
    return;
  mpz_init_set_ui(work, a->shape->z.steps);
  best_plan(a, work, &best);
  mpz_mul_si(work, work, best.ways.wd * a->dk);
  if (best.x > (int64_t)a->q->m && count_segments(&best, work))
    ways_record(a, &best, work, out);
  mpz_clear(work);
}

/* ---- the rows of the table ---- */

/* Above this many d^2 words one product is better: nothing is lost by not trying. */
enum { LARGE = 8 };

static void each_shape(const bound_question *q, bound_list *out, void (*apply)(const small *, bound_list *))
{
  bound_live own;
  bound_attention shape;
  bound_statement scores;
  if (q->g->graph)
    return;
  const bound_live *l = bound_live_of(q->g, q->live, &own);
  for (int k = 0; k < q->g->arrays; k++)
    if (bound_attention_find(q->g, l, k, &shape) && shape.z.seed < 0 && bound_scores_find(q->g, l, &shape, &scores)) {
      small a = { q, l, &shape, &scores, shape.sides.words[0], shape.dv };
      if (q->m / LARGE <= (uint64_t)a.dk * (uint64_t)a.dk)
        apply(&a, out);
    }
  bound_live_clear(&own);
}

static status apply_two_products(const bound_question *q, bound_list *out, diag *d)
{
  (void)d;
  each_shape(q, out, two_products);
  return OK;
}

static status apply_three_ways(const bound_question *q, bound_list *out, diag *d)
{
  (void)d;
  each_shape(q, out, three_ways);
  return OK;
}

BOUND_THEOREM(40, two_products) = {
  .name = "attention-two-products",
  .summary = "forward attention, scores and accumulators counted by halves",
  .source = "docs/theory.md, section 5",
  .apply = apply_two_products,
};

BOUND_THEOREM(50, three_ways) = {
  .name = "attention-three-way",
  .summary = "forward attention for M about d^2: loads, births and stores",
  .source = "docs/theory.md, section 6",
  .apply = apply_three_ways,
};
