/* The bound of Cholesky's factorisation, re-derived (docs/theory.md, section 10).  {"statement": U, "finished": L,
   "from": c, "to": n, "apart": g} and a cut, of the steps with j - k > g: for c <= k < j < i < n the step U[i,j,k]
   reads U[i,j,k-1], unless k = c, and L[i,k] and L[j,k]; L[i,j] reads U[i,j,j-1], unless j = c; there, where k = c or j
   = c, each reads an input of i and j alone.  What is named is affine, so it exists everywhere when it exists at the
   corners. */
#include "base/mem.h"
#include "bounds/check/cut.h"
#include "bounds/checker.h"
#include "bounds/check/reading/live.h"
#include "bounds/check/reading/read.h"
#include <string.h>

enum { SIDE_MOST = 1 << 20 };
typedef struct {
  const cdag *g;
  int u, l;
  int64_t from, to, apart;
} factoring;

/* A place among the numbers i > j > k: three of them, the last of no meaning for a key. */
typedef struct { int n; int64_t at[4][3]; } places;

static places steps_of(int64_t c, int64_t n)
{
  places p = { .n = 4 };
  for (int low = 0; low < 4; low++) /* the first `low` of i, j, k stay at the beginning, the others are at the end */
    for (int v = 0; v < 3; v++)
      p.at[low][v] = v < low ? n - 1 - v : c + 2 - v;
  return p;
}

static places keys_of(int64_t c, int64_t n, int64_t k)
{
  return (places){ 3, { { c + 1, c, k }, { n - 1, c, k }, { n - 1, n - 2, k } } };
}

static places column_of(int64_t c, int64_t n) { return (places){ 2, { { c + 1, c, c }, { n - 1, c, c } } }; }

/* ---- what exists ---- */

static bool bounds_are_linear(const cdag *g, int array)
{
  const cdag_array *a = &g->array[array];
  form loop[CDAG_RANK], f;
  for (int r = 0; r < a->rank; r++) {
    loop[r] = form_loop(r);
    if (!form_read(g, a->lo[r], loop, r, &f) || !form_read(g, a->hi[r], loop, r, &f))
      return false;
  }
  return true;
}

static bool are_there(const cdag *g, int array, const places *p)
{
  bool all = bounds_are_linear(g, array);
  for (int i = 0; i < p->n; i++)
    all = all && cdag_exists(g, array, p->at[i]);
  return all;
}

/* The indices of a term, when they are single and linear. */
static bool term_forms(const cdag *g, int by, const cdag_term *t, form *index)
{
  form loop[CDAG_RANK];
  int vars = g->array[by].rank;
  for (int v = 0; v < vars; v++)
    loop[v] = form_loop(v);
  for (int r = 0; r < g->array[t->array].rank; r++)
    if (t->index[r].kind != CDAG_AT || !form_read(g, t->index[r].lo, loop, vars, &index[r]))
      return false;
  return true;
}

/* Is there what the term names at these places? */
static bool is_there(const cdag *g, int array, const form *index, int vars, const places *p)
{
  if (!bounds_are_linear(g, array))
    return false;
  for (int i = 0; i < p->n; i++) {
    form_domain point = { .slanted = 0 };
    int64_t x[CDAG_RANK], most;
    for (int v = 0; v < vars; v++) {
      point.lo[v] = p->at[i][v];
      point.hi[v] = p->at[i][v] + 1;
    }
    for (int r = 0; r < g->array[array].rank; r++)
      if (!form_extremes(&index[r], &point, &x[r],
                         &most)) /* unreachable: a rule that names places beyond 2^61 is not read */
        return false;
    if (!cdag_exists(g, array, x))
      return false;
  }
  return true;
}

/* Has the rule a term array[var[0] + shift[0], ...]? */
static bool names(const cdag *g, int by, int array, const int *var, const int64_t *shift)
{
  for (int t = 0; t < g->array[by].terms; t++) {
    form index[CDAG_RANK], want;
    bool same = g->array[by].term[t].array == array && term_forms(g, by, &g->array[by].term[t], index);
    for (int r = 0; r < g->array[array].rank && same; r++) {
      want = form_loop(var[r]);
      want.c = shift[r];
      same = form_same(&want, &index[r]);
    }
    if (same)
      return true;
  }
  return false;
}

/* ---- inputs of i and j alone ---- */

static bool is_alone(const form *index, int v) { return form_uses(index) == 1u << v; }

/* Two inputs named by i and j: in different arrays, each with an index of i alone and one of j alone, or in one array
   with the same such indices; then other i, j name others. */
static bool tell_apart(const cdag *g, int one, const form *x, int other, const form *y)
{
  for (int v = 0; v < 2; v++) {
    bool told_x = false, told_y = false, together = false;
    for (int r = 0; r < g->array[one].rank; r++) {
      told_x = told_x || is_alone(&x[r], v);
      together = together || (one == other && is_alone(&x[r], v) && form_same(&x[r], &y[r]));
    }
    for (int r = 0; r < g->array[other].rank; r++)
      told_y = told_y || is_alone(&y[r], v);
    if (one == other ? !together : !told_x || !told_y)
      return false;
  }
  return true;
}

static bool is_input(const cdag *g, int by, const cdag_term *t, const places *p, form *index)
{
  return g->array[t->array].terms == 0 && term_forms(g, by, t, index) &&
         is_there(g, t->array, index, g->array[by].rank, p);
}

static bool start_from_inputs(const factoring *f)
{
  const cdag_array *u = &f->g->array[f->u], *l = &f->g->array[f->l];
  places sums = keys_of(f->from + 1, f->to, f->from), column = column_of(f->from, f->to);
  form x[CDAG_RANK], y[CDAG_RANK];
  for (int s = 0; s < u->terms; s++)
    for (int t = 0; t < l->terms; t++)
      if (is_input(f->g, f->u, &u->term[s], &sums, x) && is_input(f->g, f->l, &l->term[t], &column, y) &&
          tell_apart(f->g, u->term[s].array, x, l->term[t].array, y))
        return true;
  return false;
}

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

/* What they name is there: U at (i,j,k-1) and (i,j,j-1), L at (i,k) and (j,k). */
static bool steps_hold(const factoring *f, text *reason)
{
  static const int ijk[] = { 0, 1, 2 }, ik[] = { 0, 2 }, jk[] = { 1, 2 };
  static const int64_t here[] = { 0, 0, 0 }, before[] = { 0, 0, -1 };
  places steps = steps_of(f->from, f->to);
  return (are_there(f->g, f->u, &steps) && names(f->g, f->u, f->u, ijk, before) && names(f->g, f->u, f->l, ik, here) &&
          names(f->g, f->u, f->l, jk, here)) ||
         bound_refuse(reason, "the steps do not read the step before and two finished values");
}

static bool finished_hold(const factoring *f, text *reason)
{
  static const int ijj[] = { 0, 1, 1 };
  static const int64_t before[] = { 0, 0, -1 };
  places keys = keys_of(f->from, f->to, f->from);
  if (!are_there(f->g, f->l, &keys) || !names(f->g, f->l, f->u, ijj, before))
    return bound_refuse(reason, "the finished values are not made from the last steps");
  if (!start_from_inputs(f))
    return bound_refuse(reason, "something does not start from an input of its own");
  bool *live = checker_live(f->g);
  bool whole = live[f->l];
  mem_free(live);
  return whole || bound_refuse(reason, "not every finished value is seen to matter");
}

/* x = r (r - 1) / 2 + s edges, s < r, make at most r (r - 1) (r - 2) / 6 + s (s - 1) / 2 triangles. */
static bool can_near(const mpz_t work, const mpz_t x)
{
  mpz_t r, edges, most;
  mpz_inits(r, edges, most, NULL);
  mpz_mul_2exp(r, x, 1);
  mpz_sqrt(r, r); /* r^2 <= 2 x: at most one too small or one too large */
  for (mpz_add_ui(r, r, 1); mpz_bin_ui(edges, r, 2), mpz_cmp(edges, x) > 0;)
    mpz_sub_ui(r, r, 1);
  mpz_sub(edges, x, edges);
  mpz_bin_ui(edges, edges, 2);
  mpz_bin_ui(most, r, 3);
  mpz_add(most, most, edges);
  bool yes = mpz_cmp(work, most) <= 0;
  mpz_clears(r, edges, most, NULL);
  return yes;
}

/* Of steps with j - k > apart: at most sqrt(2) (x/3)^(3/2), where 9 x <= (apart + 1)^2. */
static bool can(const void *context, const mpz_t work, const mpz_t x)
{
  const factoring *f = context;
  mpz_t words, reach;
  mpz_init_set_si(reach, f->apart + 1);
  mpz_init(words);
  mpz_mul_ui(words, x, 9);
  mpz_mul(reach, reach, reach);
  bool far = mpz_cmp(words, reach) <= 0;
  mpz_clears(words, reach, NULL);
  return far ? checker_within_cube(work, x, 2) : can_near(work, x);
}

static bool check_elimination(const bound_claim *c, mpz_t value, text *reason)
{
  factoring f = { .g = c->g };
  if (!read_array(c, "statement", 3, &f.u, reason) || !read_array(c, "finished", 2, &f.l, reason))
    return false;
  if (!read_side(c, "from", &f.from) || !read_side(c, "to", &f.to) || f.to - f.from < 3)
    return bound_refuse(reason, "'from' and 'to' leave no steps");
  if (!json_get_int(c->parameters, "apart", &f.apart) || f.apart < 0 || f.apart > f.to - f.from - 3)
    return bound_refuse(reason, "no steps are 'apart'");
  if (!steps_hold(&f, reason) || !finished_hold(&f, reason))
    return false;
  uint64_t n = (uint64_t)(f.to - f.from - f.apart);
  checker_cut k;
  checker_cut_init(&k);
  bool good = checker_equal(c->parameters, "work", n * (n - 1) / 2 * (n - 2) / 3, reason) &&
              checker_equal(c->parameters, "births", 0, reason) &&
              checker_at_most(c->parameters, "stores", checker_outputs(c->g), reason) &&
              checker_cut_read(&k, c->parameters, reason) && checker_cut_holds(&k, c->m, can, &f, reason);
  checker_cut_value(&k, value);
  checker_cut_clear(&k);
  return good;
}

BOUND_CHECKER(elimination) = { "elimination", BOUND_ANY, check_elimination };
