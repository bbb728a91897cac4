/* Several statements over one pool of words (docs/theory-lp.md, section 7, "Several statements"), re-derived.  Each
   statement's steps weigh the same; the main ways weigh at most the largest of them alone, the other ways are added. */
#include "base/scoped.h"
#include "base/mem.h"
#include "bounds/check/cut.h"
#include "bounds/checker.h"
#include "bounds/check/projective.h"

enum { MEMBERS = 16 };

typedef struct {
  bound_statement s;
  claim c;
  int main;
  powers exponents;            /* of the main way */
  mpz_t weight;
} member;

typedef struct {
  int n;
  member *m[MEMBERS];
} group;

static bool read_member(const bound_claim *b, const bool *live, const json_value *v, member *m, text *reason)
{
  const char *name = json_get_string(v, "statement");
  int array = name ? cdag_find_array(b->g, name) : -1;
  int64_t main, set;
  if (array < 0 || !checker_statement_find(b->g, live, array, &m->s))
    return bound_refuse(reason, "an array is no reduction whose every element is seen to matter");
  m->c.g = b->g;
  m->c.s = &m->s;
  if (!claim_read(v, &m->c, reason))
    return false;
  if (!json_get_int(v, "main", &main) || main < 0 || main >= m->c.ways || !json_get_int(v, "main_exponents", &set) ||
      set < 0 || (uint64_t)set >= m->c.way[main].exponents->n)
    return bound_refuse(reason, "'main' or 'main_exponents' is none of the ways, or none of its exponents");
  claim_powers(&m->c, &m->c.way[main], &m->c.way[main].exponents->item[set],
               &m->exponents); /* claim_read has seen that they are some */
  m->main = (int)main;
  return (json_get_big(v, "weight", m->weight) && mpz_sgn(m->weight) > 0 && mpz_sizeinbase(m->weight, 2) < 256) ||
         bound_refuse(reason, "'weight' is missing or out of range");
}

static bool read_group(const bound_claim *b, group *g, text *reason)
{
  const json_value *list = json_get(b->parameters, "statements");
  if (b->g->graph || !list || list->type != JSON_ARRAY || list->n < 1 || list->n > MEMBERS)
    return bound_refuse(reason, "'statements' is missing, or the computation is a graph");
  bool *live = checker_live(b->g), good = true;
  for (size_t i = 0; i < list->n && good; i++) {
    member *m = g->m[g->n++] = mem_new(1, sizeof *m);
    mpz_init(m->weight);
    good = read_member(b, live, &list->item[i], m, reason);
    for (int k = 0; k + 1 < g->n && good; k++)
      good = g->m[k]->s.array != m->s.array || bound_refuse(reason, "a statement is counted twice");
  }
  mem_free(live);
  return good;
}

static void clear_group(group *g)
{
  for (int i = 0; i < g->n; i++) {
    mpz_clear(g->m[i]->weight);
    mem_free(g->m[i]);
  }
}

/* Has each main way an exponent of at least 1 in pools that no other main way uses?  Then, with the shared words held
   fixed, a sum over parts of the other words is convex in the parts, and largest when one statement has them all. */
static bool mains_rule(const group *g)
{
  int pools = g->m[0]->c.pools;
  SCOPED_MEM int *users = MEM_NEW(int, pools);
  int64_t *pool = MEM_NEW(int64_t, pools), den;
  bool good = true;
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < g->n; i++) {
      const member *m = g->m[i];
      int64_t own = 0;
      claim_pool_powers(&m->c, &m->c.way[m->main], &m->exponents, pool, &den);
      for (int k = 0; k < pools; k++) {
        users[k] += round == 0 && pool[k] > 0;
        own += users[k] == 1 ? pool[k] : 0;
      }
      good = good && (round == 0 || own >= den);
    }
  mem_free(pool);
  return good;
}

static bool group_can(const void *context, const mpz_t work, const mpz_t x)
{
  const group *g = context;
  SCOPED_MPZ one, largest, sum;
  mpz_inits(one, largest, sum, NULL);
  for (int i = 0; i < g->n; i++) {
    const member *m = g->m[i];
    claim_most(&m->c, &m->c.way[m->main], &m->exponents, x, one);
    mpz_add_ui(one, one, 1); /* its share of the words may allow part of a step more */
    mpz_mul(one, one, m->weight);
    if (mpz_cmp(one, largest) > 0)
      mpz_set(largest, one);
    for (int b = 0; b < m->c.ways; b++)
      if (b != m->main) {
        claim_most(&m->c, &m->c.way[b], NULL, x, one);
        mpz_addmul(sum, one, m->weight);
      }
  }
  mpz_add(sum, sum, largest);
  return mpz_cmp(sum, work) >= 0;
}

static bool check_cut(const bound_claim *b, const group *g, mpz_t value, text *reason)
{
  checker_cut cut;
  mpz_t work;
  uint64_t births = 0;
  checker_cut_init(&cut);
  mpz_init(work);
  for (int i = 0; i < g->n; i++) {
    mpz_addmul_ui(work, g->m[i]->weight, g->m[i]->s.steps);
    births += g->m[i]->s.seed < 0 ? g->m[i]->s.chains : 0;
  }
  bool good = checker_equal(b->parameters, "births", births, reason) &&
              checker_at_most(b->parameters, "stores", checker_outputs(b->g), reason) &&
              checker_cut_weighs(&cut, b->parameters, work, b->m, group_can, g, reason);
  checker_cut_value(&cut, value);
  checker_cut_clear(&cut);
  mpz_clear(work);
  return good;
}

static bool check_projective_sum(const bound_claim *b, mpz_t value, text *reason)
{
  group g = { 0 };
  claim *c[MEMBERS];
  bool good = read_group(b, &g, reason);
  for (int i = 0; i < g.n; i++)
    c[i] = &g.m[i]->c;
  if (good)
    claim_unite(c, g.n);
  good = good &&
         (mains_rule(&g) ||
          bound_refuse(reason, "the statements' main ways do not grow fast enough in words of their own")) &&
         check_cut(b, &g, value, reason);
  clear_group(&g);
  return good;
}

BOUND_CHECKER(projective_sum) = { "projective-sum", BOUND_ANY, check_projective_sum };
