/* The bound of Cholesky's factorisation, re-derived (docs/theory.md, section 10).  {"statement": U, "finished": L,
   "from": c, "to": n, "apart": g} and a cut, of the steps with j - k > g: for c <= k < j < i < n the step U[i,j,k]
   reads U[i,j,k-1], unless k = c, and L[i,k] and L[j,k]; L[i,j] reads U[i,j,j-1], unless j = c; there, where k = c or j
   = c, each reads an input of i and j alone.  What is named is affine, so it exists everywhere when it exists at the
   corners. */
#include "base/scoped.h"
#include "base/mem.h"
#include "bounds/check/cut.h"
#include "bounds/checker.h"
#include "bounds/check/reading/factoring.h"
#include "bounds/check/reading/read.h"

enum { SIDE_MOST = 1 << 20 };
typedef struct {
  checker_factoring f;
  int64_t apart;
} factoring;

/* ---- the certificate ---- */

static bool read_array(const bound_claim *c, const char *key, int rank, int *array, text *reason)
{
  const char *name = json_get_string(c->parameters, key);
  *array = name && !c->g->graph ? cdag_find_array(c->g, name) : -1;
  return (*array >= 0 && c->g->array[*array].rank == rank) ||
         bound_refuse(reason, "'%s' is no array of rank %d", key, rank);
}

static bool read_side(const bound_claim *c, const char *key, int64_t *side)
{
  return json_get_int(c->parameters, key, side) && *side >= -SIDE_MOST && *side <= SIDE_MOST;
}

/* x = r (r - 1) / 2 + s edges, s < r, make at most r (r - 1) (r - 2) / 6 + s (s - 1) / 2 triangles. */
static bool can_near(const mpz_t work, const mpz_t x)
{
  SCOPED_MPZ r, edges, most;
  mpz_inits(r, edges, most, NULL);
  mpz_mul_2exp(r, x, 1);
  mpz_sqrt(r, r); /* r^2 <= 2 x: at most one too small or one too large */
  for (mpz_add_ui(r, r, 1); mpz_bin_ui(edges, r, 2), mpz_cmp(edges, x) > 0;)
    mpz_sub_ui(r, r, 1);
  mpz_sub(edges, x, edges);
  mpz_bin_ui(edges, edges, 2);
  mpz_bin_ui(most, r, 3);
  mpz_add(most, most, edges);
  return mpz_cmp(work, most) <= 0;
}

/* Of steps with j - k > apart: at most sqrt(2) (x/3)^(3/2), where 9 x <= (apart + 1)^2. */
static bool can(const void *context, const mpz_t work, const mpz_t x)
{
  const factoring *f = context;
  SCOPED_MPZ words, reach;
  mpz_init_set_si(reach, f->apart + 1);
  mpz_init(words);
  mpz_mul_ui(words, x, 9);
  mpz_mul(reach, reach, reach);
  bool far = mpz_cmp(words, reach) <= 0;
  return far ? checker_within_cube(work, x, 2) : can_near(work, x);
}

static bool is_live(const cdag *g, int array, text *reason)
{
  bool *live = checker_live(g), whole = live[array];
  mem_free(live);
  return whole || bound_refuse(reason, "not every finished value is seen to matter");
}

static bool check_elimination(const bound_claim *c, mpz_t value, text *reason)
{
  factoring k = { .apart = 0 };
  checker_factoring *f = &k.f;
  if (!read_array(c, "statement", 3, &f->update, reason) || !read_array(c, "finished", 2, &f->finished, reason))
    return false;
  if (!read_side(c, "from", &f->from) || !read_side(c, "to", &f->to) || f->to - f->from < 3)
    return bound_refuse(reason, "'from' and 'to' leave no steps");
  if (!json_get_int(c->parameters, "apart", &k.apart) || k.apart < 0 || k.apart > f->to - f->from - 3)
    return bound_refuse(reason, "no steps are 'apart'");
  if (!checker_factors(c->g, f, reason) || !is_live(c->g, f->finished, reason))
    return false;
  uint64_t n = (uint64_t)(f->to - f->from - k.apart);
  checker_cut cut;
  checker_cut_init(&cut);
  bool good = checker_equal(c->parameters, "work", n * (n - 1) / 2 * (n - 2) / 3, reason) &&
              checker_equal(c->parameters, "births", 0, reason) &&
              checker_at_most(c->parameters, "stores", checker_outputs(c->g), reason) &&
              checker_cut_read(&cut, c->parameters, reason) && checker_cut_holds(&cut, c->m, can, &k, reason);
  checker_cut_value(&cut, value);
  checker_cut_clear(&cut);
  return good;
}

BOUND_CHECKER(elimination) = { "elimination", BOUND_ANY, check_elimination };
