#include "bounds/check/reading/monomials.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/check/reading/form.h"
#include <stdlib.h>
#include <string.h>

static bool is_loop(const cdag *g, const cdag_index *x, int loop)
{
  form loops[CDAG_RANK], f, want = form_loop(loop);
  for (int i = 0; i < CDAG_RANK; i++)
    loops[i] = form_loop(i);
  return x->kind == CDAG_AT && form_index(g, x, false, loops, 2, &f) && form_same(&f, &want);
}

/* Does the term read its array, all of whose indices but `at` is one, at the element's own row? */
static bool of_its_row(const cdag *g, const cdag_term *t, int at, int token)
{
  return g->array[t->array].rank == 2 && is_loop(g, &t->index[at], token);
}

/* All rows of the array are rows of the other. */
static bool holds_rows(const cdag *g, int array, int token, int other, int row)
{
  const cdag_box *a = &g->array[array].hull, *b = &g->array[other].hull;
  return b->lo[row] <= a->lo[token] && a->hi[token] <= b->hi[row];
}

static bool shape(const cdag *g, int array, int token, checker_monomials *m)
{
  const cdag_array *a = &g->array[array];
  *m = (checker_monomials){ array, token, -1, 0 };
  for (int i = 0; i < a->terms; i++) {
    const cdag_term *t = &a->term[i];
    bool input = t->array != array;
    if (input && m->input < 0) {
      m->input = t->array;
      m->row = is_loop(g, &t->index[0], token) ? 0 : 1;
    }
    if (input ? t->array != m->input || g->array[m->input].terms > 0 || !of_its_row(g, t, m->row, token)
              : !of_its_row(g, t, token, token))
      return false;
  }
  return m->input >= 0 && form_whole_box(g, m->input) && holds_rows(g, array, token, m->input, m->row);
}

bool checker_monomials_shape(const cdag *g, int array, checker_monomials *m)
{
  const cdag_array *a = &g->array[array];
  return a->rank == 2 && a->terms > 0 && !a->declared_input && form_whole_box(g, array) &&
         (shape(g, array, 0, m) || shape(g, array, 1, m));
}

enum { DEGREE_MOST = 8, NO_PARENT = -1 };

/* A monomial: its own variables and those of its parents, in order; unused places are -1. */
typedef struct {
  int64_t parent; /* from the first of the array */
  int own, n;
  int64_t variable[DEGREE_MOST];
} monomial;

typedef struct {
  const cdag *g;
  const checker_monomials *m;
  monomial *list;
  int64_t first, n;
} reading;

/* The elements that the term names besides its row: lo <= x < hi. */
static bool named(const reading *r, const cdag_term *t, const form *loop, int64_t *lo, int64_t *hi)
{
  const cdag_array *b = &r->g->array[t->array];
  int at = t->array == r->m->array ? 1 - r->m->token : 1 - r->m->row;
  const cdag_index *x = &t->index[at];
  form from, to;
  *lo = b->hull.lo[at];
  *hi = b->hull.hi[at];
  if (x->kind == CDAG_ALL)
    return true;
  if (!form_index(r->g, x, false, loop, 2, &from) || !form_is_number(&from))
    return false;
  to = from;
  to.c++;
  if (x->kind == CDAG_RANGE && (!form_index(r->g, x, true, loop, 2, &to) || !form_is_number(&to)))
    return false;
  *lo = num_max(*lo, from.c);
  *hi = num_min(*hi, to.c);
  return true;
}

static bool take(reading *r, monomial *a, bool parent, int64_t lo, int64_t hi)
{
  if (hi - lo > DEGREE_MOST)
    return false;
  for (int64_t x = lo; x < hi; x++) {
    if (parent ? a->parent != NO_PARENT : a->own == DEGREE_MOST)
      return false;
    if (parent)
      a->parent = x - r->first;
    else
      a->variable[a->own++] = x;
  }
  return true;
}

static bool read_one(void *context, const form_domain *s)
{
  reading *r = context;
  const cdag_array *a = &r->g->array[r->m->array];
  int at = 1 - r->m->token;
  monomial *to = &r->list[s->lo[at] - r->first];
  form loop[CDAG_RANK];
  int64_t lo, hi;
  *to = (monomial){ .parent = NO_PARENT };
  form_loops(s, 1u << at, loop);
  for (int i = 0; i < a->terms; i++)
    if (!named(r, &a->term[i], loop, &lo, &hi) || !take(r, to, a->term[i].array == r->m->array, lo, hi))
      return false;
  return true;
}

static int by_variables(const void *a, const void *b)
{
  const monomial *x = a, *y = b;
  return memcmp(x->variable, y->variable, sizeof x->variable);
}

/* All the variables of the element: its own, and its parents' own. */
static bool gather(const reading *r, int64_t i, monomial *all)
{
  *all = (monomial){ .n = 0 };
  for (int steps = 0; i != NO_PARENT; i = r->list[i].parent, steps++) {
    const monomial *m = &r->list[i];
    if (steps > DEGREE_MOST || all->n + m->own > DEGREE_MOST)
      return false;
    for (int v = 0; v < m->own; v++)
      all->variable[all->n++] = m->variable[v];
  }
  qsort(all->variable, (size_t)all->n, sizeof *all->variable, num_by_value);
  for (int v = all->n; v < DEGREE_MOST; v++)
    all->variable[v] = -1;
  return all->n > 0;
}

static bool all_different(const reading *r, int64_t *degree)
{
  monomial *all = MEM_NEW(monomial, (size_t)r->n);
  bool good = true;
  *degree = 0;
  for (int64_t i = 0; i < r->n && good; i++) {
    good = gather(r, i, &all[i]);
    *degree = num_max(*degree, all[i].n);
  }
  qsort(all, (size_t)r->n, sizeof *all, by_variables);
  for (int64_t i = 1; i < r->n && good; i++)
    good = by_variables(&all[i - 1], &all[i]) != 0;
  mem_free(all);
  return good;
}

static void find_runs(const reading *r, int64_t *run)
{
  int64_t greatest = -1;
  for (int64_t x = 0; x < r->n; x++)
    greatest = num_max(greatest, r->list[x].own > 0 ? r->list[x].variable[0] : -1);
  for (int64_t first = 0, end; first < r->n; first = end) {
    const monomial *m = &r->list[first];
    for (end = first + 1; end < r->n && m->own > 0 && r->list[end].own > 0; end++)
      if (r->list[end].variable[0] != m->variable[0] + (end - first))
        break;
    bool whole = m->own > 0 && r->list[end - 1].variable[0] == greatest;
    for (int64_t x = first; x < end; x++)
      run[x] = whole ? end - first : 0;
  }
}

bool checker_monomials_degree(const cdag *g, const checker_monomials *m, int64_t *degree, int64_t *run)
{
  const cdag_box *hull = &g->array[m->array].hull;
  int at = 1 - m->token;
  reading r = { .g = g, .m = m, .first = hull->lo[at], .n = hull->hi[at] - hull->lo[at] };
  if (r.n < 1 || r.n > 1 << 17)
    return false;
  r.list = MEM_NEW(monomial, (size_t)r.n);
  bool good = form_each(g, m->array, 1u << at, read_one, &r) && all_different(&r, degree);
  if (good && run)
    find_runs(&r, run);
  mem_free(r.list);
  return good;
}
