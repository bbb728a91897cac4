/* Steps of a factorisation (docs/theory.md, section 10): for from <= k < j < i < to the step U[i,j,k] reads
   U[i,j,k-1], unless k = from, and L[i,k] and L[j,k]; L[i,j] reads U[i,j,j-1], unless j = from; there each reads an
   input of i and j alone.  What is named is affine, so it exists everywhere when it exists at the corners. */
#include "bounds/check/reading/factoring.h"
#include "bounds/check/reading/form.h"

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
    bool same = g->array[by].term[t].array == array && form_indices(g, by, &g->array[by].term[t], index);
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
  return g->array[t->array].terms == 0 && form_indices(g, by, t, index) &&
         is_there(g, t->array, index, g->array[by].rank, p);
}

static bool start_from_inputs(const cdag *g, const checker_factoring *f)
{
  const cdag_array *u = &g->array[f->update], *l = &g->array[f->finished];
  places sums = keys_of(f->from + 1, f->to, f->from), column = column_of(f->from, f->to);
  form x[CDAG_RANK], y[CDAG_RANK];
  for (int s = 0; s < u->terms; s++)
    for (int t = 0; t < l->terms; t++)
      if (is_input(g, f->update, &u->term[s], &sums, x) && is_input(g, f->finished, &l->term[t], &column, y) &&
          tell_apart(g, u->term[s].array, x, l->term[t].array, y))
        return true;
  return false;
}

/* What they name is there: U at (i,j,k-1) and (i,j,j-1), L at (i,k) and (j,k). */
static bool steps_hold(const cdag *g, const checker_factoring *f, text *reason)
{
  static const int ijk[] = { 0, 1, 2 }, ik[] = { 0, 2 }, jk[] = { 1, 2 };
  static const int64_t here[] = { 0, 0, 0 }, before[] = { 0, 0, -1 };
  places steps = steps_of(f->from, f->to);
  return (are_there(g, f->update, &steps) && names(g, f->update, f->update, ijk, before) &&
          names(g, f->update, f->finished, ik, here) && names(g, f->update, f->finished, jk, here)) ||
         bound_refuse(reason, "the steps do not read the step before and two finished values");
}

static bool finished_hold(const cdag *g, const checker_factoring *f, text *reason)
{
  static const int ijj[] = { 0, 1, 1 };
  static const int64_t before[] = { 0, 0, -1 };
  places keys = keys_of(f->from, f->to, f->from);
  if (!are_there(g, f->finished, &keys) || !names(g, f->finished, f->update, ijj, before))
    return bound_refuse(reason, "the finished values are not made from the last steps");
  return start_from_inputs(g, f) || bound_refuse(reason, "something does not start from an input of its own");
}

bool checker_factors(const cdag *g, const checker_factoring *f, text *reason)
{
  return steps_hold(g, f, reason) && finished_hold(g, f, reason);
}
