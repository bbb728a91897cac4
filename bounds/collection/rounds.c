/* Rounds, such as tokens decoded one after another: what every round reads, and the fast memory cannot keep, is loaded
 * in every round. */
#include "base/scoped.h"
#include "cdag/rounds.h"
#include "base/json.h"
#include "base/mem.h"
#include "bounds/bound.h"
#include "bounds/proof.h"
#include "bounds/recognise/shape.h"

/* Words that round t reads behind its head and needs for its tail; 0: none are known. */
static uint64_t words_of_round(const cdag *g, const cdag_rounds *r, int64_t t)
{
  diag d = { 0 };
  cdag *round;
  uint64_t words = 0;
  if (cdag_round_open(&round, g, r, t, &d) != OK)
    return 0;
  SCOPED_MEM bool *fresh = MEM_NEW(bool, (size_t)g->arrays);
  bound_live live;
  bound_live_find(round, &live);
  cdag_round_fresh(g, r, round, fresh);
  for (int a = 0; a < g->arrays; a++)
    words += fresh[a] && live.whole[a] ? round->array[a].count : 0;
  bound_live_clear(&live);
  cdag_free(round);
  return words;
}

/* So many rounds more, each of which finds M of its words there at best. */
static void for_rounds(mpz_t loads, uint64_t words, uint64_t m, int64_t rounds)
{
  SCOPED_MPZ more;
  mpz_init_set_ui(more, words > m ? words - m : 0);
  mpz_addmul_ui(loads, more, (uint64_t)rounds);
}

typedef struct {
  mpz_t loads;
  uint64_t least;              /* words a round reads, at least */
} round_sum;

/* False when some round reads nothing. */
static bool sum_rounds(const cdag *g, const cdag_rounds *r, uint64_t m, round_sum *s)
{
  uint64_t words = s->least = words_of_round(g, r, r->first);
  mpz_set_ui(s->loads, words);
  for (int64_t t = r->first + 1; t < (r->alike ? r->first + 2 : r->end) && words > 0; t++) {
    words = r->alike ? words : words_of_round(g, r, t);
    s->least = words < s->least ? words : s->least;
    for_rounds(s->loads, words, m, r->alike ? r->end - t : 1);
  }
  return words > 0;
}

static void explain(bound *b, const cdag *g, const cdag_rounds *r, const round_sum *s, uint64_t outputs)
{
  proof say = { &b->proof, &b->proof_latex };
  proof_tell(&say, "collection/rounds/explain", "head %s, tail %s, least %llu, rounds %lld, loads %Zd, outputs %llu",
             g->array[r->head].name, g->array[r->tail].name, (unsigned long long)s->least,
             (long long)(r->end - r->first), s->loads, (unsigned long long)outputs);
}

static void add_rounds(const bound_question *q, const cdag_rounds *r, const round_sum *s, bound_list *out)
{
  bound_live own;
  const bound_live *l = bound_live_of(q->g, q->live, &own);
  bound *b = bound_list_add(out, "rounds", BOUND_PROVED, BOUND_ANY, "docs/theory-collections.md, section 2");
  SCOPED_JSON j = { 0 };
  mpz_add_ui(b->value, s->loads, l->outputs);
  json_open(&j, '{');
  json_put_int(&j, "rounds", r->end - r->first);
  json_put_uint(&j, "outputs", l->outputs);
  json_close(&j, '}');
  text_add(&b->parameters, text_str(&j.out));
  if (q->want_proof)
    explain(b, q->g, r, s, l->outputs);
  bound_live_clear(&own);
}

static status apply_rounds(const bound_question *q, bound_list *out, diag *d)
{
  cdag_rounds r;
  (void)d;
  if (q->g->graph)
    return OK;
  if (cdag_rounds_find(q->g, &r) && cdag_rounds_put_out(q->g, &r)) {
    round_sum s = { 0 };
    mpz_init(s.loads);
    if (sum_rounds(q->g, &r, q->m, &s))
      add_rounds(q, &r, &s, out);
    mpz_clear(s.loads);
  }
  cdag_rounds_clear(&r);
  return OK;
}

BOUND_THEOREM(144, rounds) = {
  .name = "rounds",
  .summary = "rounds one after another: what each reads and M words cannot keep is loaded again",
  .source = "docs/theory-collections.md, section 2",
  .apply = apply_rounds,
};
