/* pebble/element/end.c -- the goal: every output is blue.  Named is the first that is not, in order of name, then
   index.

   Only outputs are looked at: whole arrays run by run, selections (`output C[*,*,k-1]`) box by box. */
#include "base/mem.h"
#include "pebble/element/element.h"
#include <string.h>

typedef struct {
  const element_game *e;
  int array;
  bool found;
  int64_t first[CDAG_RANK];    /* lexicographically smallest so far */
} search;

static int compare(const int64_t *a, const int64_t *b, int rank)
{
  for (int r = 0; r < rank; r++)
    if (a[r] != b[r])
      return a[r] < b[r] ? -1 : 1;
  return 0;
}

/* Is this output as it must be at the end? */
static bool reached(const search *s, const int64_t *x)
{
  const element_game *e = s->e;
  const element_array *a = &e->array[s->array];
  uint64_t address = element_address(a, x, e->base.g->array[s->array].rank);
  if (!element_is_blue(e, s->array, x, address))
    return false;
  return !e->partial || pebble_bits_get(&a->done, address) || cdag_is_input(e->base.g, s->array, x);
}

static bool look_at_run(void *context, const int64_t *from, int64_t hi_last)
{
  search *s = context;
  int rank = s->e->base.g->array[s->array].rank;
  int64_t x[CDAG_RANK] = { 0 };
  memcpy(x, from, sizeof *x * (size_t)rank);
  do {
    if (reached(s, x))
      continue;
    if (!s->found || compare(x, s->first, rank) < 0)
      memcpy(s->first, x, sizeof x);
    s->found = true;
    return false; /* the rest of this box comes later */
  } while (++x[rank - 1] < hi_last);
  return true;
}

/* ---- selections ---- */

static bool selected_box(const cdag *g, const cdag_selection *sel, const int64_t *slot, cdag_box *box)
{
  const cdag_array *a = &g->array[sel->array];
  expr_env env = { slot, g->table };
  for (int r = 0; r < a->rank; r++) {
    const cdag_index *x = &sel->index[r];
    box->lo[r] = a->hull.lo[r];
    box->hi[r] = a->hull.hi[r];
    if (x->kind == CDAG_ALL)
      continue;
    if (expr_eval(x->lo, &env, &box->lo[r], NULL) != EXPR_OK)
      return false;
    if (x->kind == CDAG_AT)
      box->hi[r] = box->lo[r] + (box->lo[r] < INT64_MAX);
    else if (expr_eval(x->hi, &env, &box->hi[r], NULL) != EXPR_OK)
      return false;
  }
  return true;
}

/* Every value of the selection's variables from number `var` on. */
static void look_at_selection(search *s, const cdag_selection *sel, int64_t *slot, int var)
{
  const cdag *g = s->e->base.g;
  expr_env env = { slot, g->table };
  int64_t lo, hi;
  cdag_box box;
  if (var == sel->vars) {
    if (selected_box(g, sel, slot, &box))
      cdag_each_run(g, sel->array, &box, look_at_run, s);
    return;
  }
  if (expr_eval(sel->var_lo[var], &env, &lo, NULL) != EXPR_OK ||
      expr_eval(sel->var_hi[var], &env, &hi, NULL) != EXPR_OK)
    return;
  for (; lo < hi; lo++) {
    slot[g->params + var] = lo;
    look_at_selection(s, sel, slot, var + 1);
  }
}

static void look_at_selections(search *s)
{
  const cdag *g = s->e->base.g;
  SCOPED_MEM int64_t *slot = MEM_NEW(int64_t, (size_t)g->params + CDAG_RANK);
  for (int i = 0; i < g->params; i++)
    slot[i] = g->param[i].value;
  for (int i = 0; i < g->selections; i++)
    if (g->selection[i].array == s->array)
      look_at_selection(s, &g->selection[i], slot, 0);
}

/* ---- arrays ---- */

static bool graph_missing(const search *s, cdag_element *first)
{
  const cdag_graph *g = s->e->base.g->graph;
  int64_t x[CDAG_RANK] = { 0 };
  for (uint32_t v = 0; v < g->n; v++) {
    x[0] = v;
    if (g->output[v] && !reached(s, x)) {
      memcpy(first->x, x, sizeof x);
      first->array = 0;
      return true;
    }
  }
  return false;
}

static bool array_missing(const element_game *e, int array, cdag_element *first)
{
  search s = { .e = e, .array = array };
  const cdag_array *a = &e->base.g->array[array];
  if (e->base.g->graph)
    return graph_missing(&s, first);
  if (a->declared_output)
    cdag_each_run(e->base.g, array, &a->hull, look_at_run, &s);
  else
    look_at_selections(&s);
  first->array = array;
  memcpy(first->x, s.first, sizeof s.first);
  return s.found;
}

bool element_missing_output(const element_game *e, cdag_element *first)
{
  const cdag *g = e->base.g;
  bool found = false;
  cdag_element here;
  for (int i = 0; i < g->arrays; i++) /* the array of the smallest name that misses one */
    if ((!found || strcmp(g->array[i].name, g->array[first->array].name) < 0) && array_missing(e, i, &here)) {
      *first = here;
      found = true;
    }
  return found;
}
