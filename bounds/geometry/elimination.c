/* elimination.c -- Cholesky's factorisation with recomputation (docs/theory.md, section 10).

   The word of i, j is the input it starts from, its partial sums and its finished value: a path.  Whoever does step
   (i,j,k) in a segment has a vertex of the words ij, ik and jk red or loaded, however often values are made again.  So
   the steps of a segment are triangles in a graph whose edges are its words.  Where j and k are far apart in comparison
   with the number of words, a word serves as ij or as ik and jk, but hardly as both, and the triangles are as few as
   the steps of a matrix times its transpose. */
#include "base/scoped.h"
#include "bounds/geometry/elimination.h"
#include "base/num.h"
#include "bounds/segment/record.h"
#include "bounds/check/reading/factoring.h"
#include <math.h>

/* ---- the shape ---- */

static bool find_shape(const cdag *g, int update, checker_factoring *s)
{
  const cdag_array *u = &g->array[update];
  bool found = false;
  if (u->rank != 3 || u->terms == 0 || u->count == 0)
    return false;
  *s = (checker_factoring){ .update = update, .from = u->hull.lo[2], .to = u->hull.hi[0] };
  if (s->to - s->from < 4 || s->to - s->from > 1 << 20)
    return false;
  for (int a = 0; a < g->arrays && !found; a++) {
    s->finished = a;
    found = g->array[a].rank == 2 && checker_factors(g, s, NULL);
  }
  return found;
}

/* ---- triangles ---- */

/* x = r (r - 1) / 2 + s, 0 <= s < r: a clique on r corners, and one more corner with s edges. */
void bound_triangles_most(const mpz_t x, mpz_t most)
{
  SCOPED_MPZ r, s;
  mpz_inits(r, s, NULL);
  mpz_mul_ui(r, x, 8);
  mpz_add_ui(r, r, 1);
  mpz_sqrt(r, r);
  mpz_add_ui(r, r, 1);
  mpz_fdiv_q_2exp(r, r, 1);
  mpz_bin_ui(s, r, 2);
  mpz_sub(s, x, s);
  mpz_bin_ui(most, r, 3);
  mpz_bin_ui(s, s, 2);
  mpz_add(most, most, s);
}

/* Steps with j - k > apart, and their most in x words: those of a matrix times its transpose where 9 x <= (apart +
 * 1)^2. */
static void far_most(const void *context, const mpz_t x, mpz_t most)
{
  const int64_t *apart = context;
  SCOPED_MPZ reach;
  mpz_init_set_si(reach, *apart + 1);
  mpz_mul(reach, reach, reach);
  mpz_fdiv_q_ui(reach, reach, 9);
  (mpz_cmp(x, reach) <= 0 ? segment_symmetric : bound_triangles_most)(x, most);
}

static double far_guess(const void *context, double x)
{
  const int64_t *apart = context;
  double reach = (double)(*apart + 1);
  return 9 * x <= reach * reach ? segment_symmetric_guess(x) : sqrt(8 * x) * x / 6;
}

/* ---- the best cut ---- */

typedef struct {
  segment_problem problem;
  segment_cut cut;
  int64_t apart;
} found;

static void found_init(found *f, int64_t m)
{
  *f = (found){ .problem = { far_most, far_guess, NULL, { { 0 } }, m } };
  segment_cut_init(&f->cut);
  mpz_init(f->problem.work);
}

static void found_clear(found *f)
{
  mpz_clear(f->problem.work);
  segment_cut_clear(&f->cut);
}

/* A better cut with the steps that are more than this apart? */
static void try_apart(const checker_factoring *s, int64_t m, int64_t apart, found *best)
{
  found f;
  found_init(&f, m);
  f.apart = apart;
  mpz_bin_uiui(f.problem.work, (unsigned long)(s->to - s->from - apart), 3);
  f.problem.context = &apart;
  segment_search(&f.problem, &f.cut);
  f.problem.context = NULL;
  if (mpz_cmp(f.cut.events, best->cut.events) > 0) {
    found worse = *best;
    *best = f;
    f = worse;
  }
  found_clear(&f);
}

/* All steps, or those so far apart that the best segments, of 3 M words or somewhat fewer, do few of them. */
static void search(const checker_factoring *s, int64_t m, found *best)
{
  try_apart(s, m, 0, best);
  for (int quarters = 8; quarters <= 13; quarters++) {
    int64_t apart = num_isqrt(9 * quarters * (m / 4 + 1));
    if (apart < s->to - s->from)
      try_apart(s, m, apart, best);
  }
}

/* ---- the record ---- */

static void write_parameters(const cdag *g, const checker_factoring *s, const found *f, const segment_account *a,
                             text *out)
{
  SCOPED_JSON j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "statement", g->array[s->update].name);
  json_put_string(&j, "finished", g->array[s->finished].name);
  json_put_int(&j, "from", s->from);
  json_put_int(&j, "to", s->to);
  json_put_int(&j, "apart", f->apart);
  segment_write(&j, &f->problem, &f->cut, a);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
}

static void say_words(const proof *say, const cdag *g, const checker_factoring *s, const found *f)
{
  const char *u = g->array[s->update].name, *l = g->array[s->finished].name;
  proof_tell(say, "geometry/elimination/words", "from %ld, to %ld, u %s, l %s", (long)s->from, (long)s->to, u, l);
  if (f->apart > 0)
    proof_say(say, " where {j - k > %ld}", (long)f->apart);
  proof_tell(say, "geometry/elimination/steps", "work %Zd", f->problem.work);
}

static void say_triangles(const proof *say, const checker_factoring *s)
{
  proof_tell(say, "geometry/elimination/triangles", "from %ld, last %ld", (long)s->from, (long)s->to - 1);
}

/* Both kinds of words, and why the second kind is of no use as an operand. */
static void say_far(const proof *say, int64_t apart)
{
  proof_tell(say, "geometry/elimination/far", "apart_and_2 %ld, apart_and_1 %ld", (long)apart + 2, (long)apart + 1);
}

static void write_proof(const bound_question *q, const checker_factoring *s, const found *f, const segment_account *a,
                        bound *b)
{
  proof say = { &b->proof, &b->proof_latex };
  say_words(&say, q->g, s, f);
  if (f->apart > 0)
    say_far(&say, f->apart);
  else
    say_triangles(&say, s);
  proof_paragraph(&say);
  segment_proof(&say, q, &f->problem, &f->cut, a, "steps");
}

static void add_record(const bound_question *q, const bound_live *l, const checker_factoring *s, bound_list *out)
{
  segment_account account = { .births = 0, .stores = l->outputs };
  found f;
  found_init(&f, (int64_t)q->m);
  search(s, (int64_t)q->m, &f);
  if (mpz_sgn(f.cut.events) > 0) {
    bound *b = bound_list_add(out, "elimination", BOUND_PROVED, BOUND_ANY, "docs/theory.md, section 10");
    segment_value(&f.cut, &account, b->value);
    bound_loop_text(q->g, s->update, 0, s->to - s->from, &b->leading);
    text_add(&b->leading, f.apart ? "^3 / (3 sqrt(2 M))" : "^3 / (3 sqrt(6 M))");
    write_parameters(q->g, s, &f, &account, &b->parameters);
    if (q->want_proof)
      write_proof(q, s, &f, &account, b);
  }
  found_clear(&f);
}

static status apply_elimination(const bound_question *q, bound_list *out, diag *d)
{
  bound_live own;
  checker_factoring s;
  (void)d;
  if (q->g->graph || q->m > INT64_MAX / 128)
    return OK;
  const bound_live *l = bound_live_of(q->g, q->live, &own);
  for (int a = 0; a < q->g->arrays; a++)
    if (find_shape(q->g, a, &s) && l->whole[s.finished])
      add_record(q, l, &s, out);
  bound_live_clear(&own);
  return OK;
}

BOUND_THEOREM(110, elimination) = {
  .name = "elimination",
  .summary = "Cholesky's factorisation: steps are triangles in a graph of words",
  .source = "docs/theory.md, section 10",
  .apply = apply_elimination,
};
