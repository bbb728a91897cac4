/* Several statements over one pool of words (docs/theory-lp.md, section 7, "Several statements").

   Steps of statement s weigh omega_s.  A segment of X words does at most the largest of omega_s h_s(X), h_s by the main
   way with fixed exponents, provided bound_proj_largest_rules holds for these, plus what the other ways of each allow.
 */
#include "base/scoped.h"
#include "base/mem.h"
#include "bounds/program/projective_bound.h"
#include <math.h>

typedef struct {
  int which; /* of the statements found */
  proj_statement p;
  int main, main_known; /* the way, and which of its exponents */
  proj_exponents main_exponents;
  mpz_t weight;
  double rate, promise;
} member;

typedef struct {
  int n;
  member *m[PROJECTIVE_STATEMENTS];
} group;

/* ---- the most work of a segment ---- */

/* Of the ways beside the main one, added. */
static void add_other_ways(const member *m, const mpz_t words, mpz_t work)
{
  SCOPED_MPZ least, one;
  mpz_inits(least, one, NULL);
  for (int b = 0; b < m->p.ways; b++) {
    for (int k = 0; k < m->p.known[b] && b != m->main; k++) {
      bound_proj_steps(&m->p.way[b], &m->p.exponents[b][k], words, one);
      if (k == 0 || mpz_cmp(one, least) < 0)
        mpz_set(least, one);
    }
    if (b != m->main)
      mpz_addmul(work, least, m->weight);
  }
}

static void group_work(const void *context, const mpz_t words, mpz_t work)
{
  const group *g = context;
  SCOPED_MPZ one, most;
  mpz_inits(one, most, NULL);
  mpz_set_ui(work, 0);
  for (int i = 0; i < g->n; i++) {
    const member *m = g->m[i];
    bound_proj_steps(&m->p.way[m->main], &m->main_exponents, words, one);
    mpz_add_ui(one, one, 1); /* a share of the words may allow part of a step */
    mpz_mul(one, one, m->weight);
    if (mpz_cmp(one, most) > 0)
      mpz_set(most, one);
    add_other_ways(m, words, work);
  }
  mpz_add(work, work, most);
}

/* The steps of one way, as a statement of its own. */
static double way_guess(const member *m, int way, double words)
{
  SCOPED_MEM proj_statement *one = MEM_NEW(proj_statement, 1);
  one->ways = 1;
  one->way[0] = m->p.way[way];
  one->known[0] = way == m->main ? 1 : m->p.known[way];
  for (int k = 0; k < one->known[0]; k++)
    one->exponents[0][k] = way == m->main ? m->main_exponents : m->p.exponents[way][k];
  return bound_proj_guess(one, words);
}

static double group_guess(const void *context, double words)
{
  const group *g = context;
  double most = 0, others = 0;
  for (int i = 0; i < g->n; i++)
    for (int b = 0; b < g->m[i]->p.ways; b++) {
      double work = mpz_get_d(g->m[i]->weight) * way_guess(g->m[i], b, words);
      if (b == g->m[i]->main)
        most = fmax(most, work);
      else
        others += work;
    }
  return most + others;
}

/* ---- who belongs ---- */

static bool rules(const group *g)
{
  proj_term term[PROJECTIVE_STATEMENTS];
  for (int i = 0; i < g->n; i++)
    term[i] = (proj_term){ &g->m[i]->p.way[g->m[i]->main], &g->m[i]->main_exponents };
  return bound_proj_largest_rules(term, g->n);
}

static void choose_main(member *m, double words)
{
  proj_term term[PROJ_WAYS];
  m->main = bound_proj_widest(&m->p, words, term);
  m->main_exponents = *term[m->main].exponents;
  m->main_known = (int)(term[m->main].exponents - m->p.exponents[m->main]);
}

/* Best first; one that brings more births than events, or breaks the rule, stays out. */
static void choose_members(member *const *m, int n, group *g)
{
  bool used[PROJECTIVE_STATEMENTS] = { false };
  for (int round = 0; round < n; round++) {
    int best = -1;
    for (int i = 0; i < n; i++)
      if (!used[i] && m[i]->promise > 0 && (best < 0 || m[i]->promise > m[best]->promise))
        best = i;
    if (best < 0)
      return;
    used[best] = true;
    g->m[g->n++] = m[best];
    if (!rules(g))
      g->n--;
  }
}

/* Steps weigh so that each statement alone would do the same work in a segment. */
static void choose_weights(const group *g, double words)
{
  double largest = 0;
  for (int i = 0; i < g->n; i++)
    largest = fmax(largest, way_guess(g->m[i], g->m[i]->main, words));
  for (int i = 0; i < g->n; i++) {
    double weight = largest / way_guess(g->m[i], g->m[i]->main, words) * 4096;
    mpz_set_d(g->m[i]->weight, fmin(fmax(weight, 1), 1e30));
  }
}

/* ---- the record ---- */

static void write_parameters(const projective_statements *f, const group *g, const segment_problem *problem,
                             const segment_cut *c, const segment_account *account, text *out)
{
  SCOPED_JSON j = { 0 };
  json_open(&j, '{');
  json_key(&j, "statements");
  json_open(&j, '[');
  for (int i = 0; i < g->n; i++) {
    json_open(&j, '{');
    projective_write_statement(&j, f->q->g, &f->s[g->m[i]->which], &g->m[i]->p);
    json_put_int(&j, "main", g->m[i]->main);
    json_put_int(&j, "main_exponents", g->m[i]->main_known);
    json_put_big(&j, "weight", g->m[i]->weight);
    json_close(&j, '}');
  }
  json_close(&j, ']');
  segment_write(&j, problem, c, account);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
}

static void write_proof(const projective_statements *f, const group *g, const segment_problem *problem,
                        const segment_cut *c, const segment_account *account, bound *record)
{
  proof say = { &record->proof, &record->proof_latex };
  int64_t words = c->n > 1 ? (int64_t)f->q->m + c->length : c->first;
  proof_tell(&say, "program/projective_sum/steps", "n %d", g->n);
  for (int i = 0; i < g->n; i++) {
    const member *m = g->m[i];
    const bound_statement *s = &f->s[m->which];
    proj_term term[PROJ_WAYS];
    proof_say(&say, "%s has {%lu} steps, of weight {%Zd} each. ", f->q->g->array[s->array].name,
              (unsigned long)s->steps, m->weight);
    projective_say_needs(&say, f->q->g, &m->p);
    bound_proj_widest(&m->p, (double)words, term);
    for (int b = 0; b < m->p.ways; b++)
      projective_say_way(&say, f->q->g, &term[b], b == m->main ? "In the main way" : "In another way", words);
    proof_paragraph(&say);
  }
  proof_tell(&say, "program/projective_sum/ways", "");
  segment_proof(&say, f->q, problem, c, account, "units of weight");
}

static segment_account account_of(const projective_statements *f, const group *g)
{
  segment_account a = { .births = 0, .stores = f->stores };
  for (int i = 0; i < g->n; i++)
    a.births += projective_births(&f->s[g->m[i]->which]);
  return a;
}

static void total_of(const projective_statements *f, const group *g, mpz_t total)
{
  for (int i = 0; i < g->n; i++)
    mpz_addmul_ui(total, g->m[i]->weight, f->s[g->m[i]->which].steps);
}

static void add_record(const projective_statements *f, const group *g, bound_list *out)
{
  segment_problem problem = { group_work, group_guess, g, { { 0 } }, (int64_t)f->q->m };
  segment_account account = account_of(f, g);
  segment_cut c;
  segment_cut_init(&c);
  mpz_init(problem.work);
  choose_weights(g, 3. * (double)f->q->m);
  total_of(f, g, problem.work);
  if (segment_search(&problem, &c)) {
    bound *b = bound_list_add(out, "projective-sum", BOUND_PROVED, BOUND_ANY, "docs/theory-lp.md, section 7");
    segment_value(&c, &account, b->value);
    write_parameters(f, g, &problem, &c, &account, &b->parameters);
    if (f->q->want_proof)
      write_proof(f, g, &problem, &c, &account, b);
  }
  mpz_clear(problem.work);
  segment_cut_clear(&c);
}

/* ---- */

/* The statements that may take part, their purses numbered together. */
static int members_of(const projective_statements *f, member **m)
{
  SCOPED_MEM proj_objects *o = mem_new(1, sizeof *o);
  proj_statement *p[PROJECTIVE_STATEMENTS];
  int n = 0;
  o->g = f->q->g;
  for (int i = 0; i < f->n; i++) {
    m[n] = mem_new(1, sizeof **m);
    mpz_init(m[n]->weight);
    m[n]->which = i;
    p[n] = &m[n]->p;
    if (bound_proj_of_statement(o, &f->s[i], p[n]))
      n++;
    else {
      mpz_clear(m[n]->weight);
      mem_free(m[n]);
    }
  }
  bool numbered = bound_proj_number(o, p, n);
  return numbered ? n : -n;
}

static status learn(const projective_statements *f, member *m, diag *d)
{
  const bound_statement *s = &f->s[m->which];
  SCOPED_MPZ steps;
  mpz_init_set_ui(steps, s->steps);
  status st = bound_proj_learn(&m->p, (int64_t)f->q->m, steps, &m->rate, d);
  m->promise = m->rate * (double)s->steps - (double)projective_births(s);
  if (st == OK)
    choose_main(m, 3. * (double)f->q->m);
  return st;
}

status projective_add_sum(const projective_statements *f, bound_list *out, diag *d)
{
  member *m[PROJECTIVE_STATEMENTS];
  group g = { 0 };
  status st = OK;
  int n = members_of(f, m);
  for (int i = 0; i < n && st == OK; i++)
    st = learn(f, m[i], d);
  if (st == OK && n > 0)
    choose_members(m, n, &g);
  if (g.n > 1)
    add_record(f, &g, out);
  for (int i = 0; i < (n < 0 ? -n : n); i++) {
    mpz_clear(m[i]->weight);
    mem_free(m[i]);
  }
  return st;
}
