/* element.c -- one element at a time: does it exist, its number, its predecessors and successors, is it an input, an
 * output. */
#include "cdag/cdag_internal.h"
#include "base/mem.h"
#include "base/num.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

void cdag_range(const cdag *g, int array, int r, const int64_t *x, int64_t *lo, int64_t *hi)
{
  nest_range(&g->priv->dom[array], r, x, lo, hi);
}

bool cdag_exists(const cdag *g, int array, const int64_t *x) { return nest_has(&g->priv->dom[array], x); }

uint64_t cdag_id(const cdag *g, int array, const int64_t *x)
{
  assert(cdag_exists(g, array, x));
  return g->array[array].first + nest_position(&g->priv->dom[array], x);
}

/* The array of a vertex: the last that begins at or before it and has elements. */
static int array_of(const cdag *g, uint64_t id)
{
  int lo = 0, hi = g->arrays - 1;
  while (lo < hi) {
    int mid = hi - (hi - lo) / 2;
    if (g->array[mid].first <= id)
      lo = mid;
    else
      hi = mid - 1;
  }
  while (g->array[lo].count == 0)
    lo--;
  return lo;
}

void cdag_at(const cdag *g, uint64_t id, cdag_element *e)
{
  assert(id < g->vertices);
  e->array = array_of(g, id);
  nest_at(&g->priv->dom[e->array], id - g->array[e->array].first, e->x);
}

void cdag_element_print(text *out, const cdag *g, const cdag_element *e)
{
  text_add(out, g->array[e->array].name);
  for (int r = 0; r < g->array[e->array].rank; r++) {
    text_char(out, r ? ',' : '[');
    text_int(out, e->x[r]);
  }
  text_char(out, ']');
}

/* ---- terms ---- */

bool bound_term_box(const cdag *g, const bound_term *t, const int64_t *x, int rank, cdag_box *box)
{
  const nest *target = &g->priv->dom[t->array];
  for (int s = 0; s < t->rank; s++) {
    const bound_index *i = &t->index[s];
    if (i->kind == CDAG_ALL) {
      box->lo[s] = target->hull.lo[s];
      box->hi[s] = target->hull.hi[s];
      continue;
    }
    if (!form_at(&i->lo, x, rank, g->table, &box->lo[s]))
      return false;
    if (i->kind == CDAG_AT)
      box->hi[s] = box->lo[s] + 1;
    else if (!form_at(&i->hi, x, rank, g->table, &box->hi[s]))
      return false;
  }
  return true;
}

static bool in_box(const int64_t *x, const cdag_box *b, int rank)
{
  for (int r = 0; r < rank; r++)
    if (x[r] < b->lo[r] || x[r] >= b->hi[r])
      return false;
  return true;
}

/* Was this element of term t named by an earlier term of the rule? */
static bool named_before(const cdag *g, const bound_term *terms, int t, const int64_t *x, int rank, const int64_t *y)
{
  for (int word = 0; word < 4; word++)
    for (uint64_t left = terms[t].clashes[word]; left; left &= left - 1) {
      cdag_box box;
      const bound_term *s = &terms[64 * word + __builtin_ctzll(left)];
      if (bound_term_box(g, s, x, rank, &box) && in_box(y, &box, s->rank))
        return true;
    }
  return false;
}

typedef struct {
  const cdag *g;
  const bound_term *terms;
  int t, rank;
  const int64_t *x;
  cdag_visit visit;
  void *context;
} walk;

static bool visit_one(const walk *w, const cdag_element *e)
{
  return named_before(w->g, w->terms, w->t, w->x, w->rank, e->x) || w->visit(w->context, e, w->t);
}

static bool visit_run(void *context, const int64_t *x, int64_t hi_last)
{
  const walk *w = context;
  cdag_element e = { .array = w->terms[w->t].array };
  int last = w->terms[w->t].rank - 1;
  memcpy(e.x, x, sizeof e.x);
  for (; e.x[last] < hi_last; e.x[last]++)
    if (!visit_one(w, &e))
      return false;
  return true;
}

static bool each_explicit(const uint32_t *list, const uint32_t *at, int64_t v, cdag_visit visit, void *context)
{
  for (uint64_t i = at[v]; i < at[v + 1]; i++) {
    cdag_element e = { .array = 0, .x = { list[i] } };
    if (!visit(context, &e, 0))
      return false;
  }
  return true;
}

/* The element of a term that names at most one; false when it is absent. */
static bool single_element(const cdag *g, const bound_term *b, const int64_t *x, int rank, cdag_element *e)
{
  for (int s = 0; s < b->rank; s++)
    if (!form_at(&b->index[s].lo, x, rank, g->table, &e->x[s]))
      return false;
  return nest_has(&g->priv->dom[b->array], e->x);
}

bool cdag_each_predecessor(const cdag *g, int array, const int64_t *x, cdag_visit visit, void *context)
{
  if (g->graph)
    return each_explicit(g->graph->pred, g->graph->pred_at, x[0], visit, context);
  const cdag_array *a = &g->array[array];
  walk w = { g, g->priv->term[array], 0, a->rank, x, visit, context };
  cdag_box box;
  for (; w.t < a->terms; w.t++) {
    const bound_term *b = &w.terms[w.t];
    if (a->term[w.t].never)
      continue;
    if (b->single) {
      cdag_element e = { .array = b->array };
      if (single_element(g, b, x, a->rank, &e) && !visit_one(&w, &e))
        return false;
    } else if (bound_term_box(g, b, x, a->rank, &box) && !nest_each_run(&g->priv->dom[b->array], &box, visit_run, &w))
      return false;
  }
  return true;
}

static bool stop(void *context, const cdag_element *e, int term)
{
  (void)context, (void)e, (void)term;
  return false;
}

bool cdag_is_input(const cdag *g, int array, const int64_t *x)
{
  const cdag_array *a = &g->array[array];
  if (g->graph)
    return cdag_graph_is_input(g->graph, (uint32_t)x[0]);
  return a->declared_input && (a->terms == 0 || cdag_each_predecessor(g, array, x, stop, NULL));
}

/* ---- outputs ---- */

static bool found(void *context, const int64_t *v)
{
  (void)context, (void)v;
  return false;
}

bool cdag_is_output(const cdag *g, int array, const int64_t *x)
{
  if (g->graph)
    return g->graph->output[x[0]];
  if (g->array[array].declared_output)
    return true;
  for (int i = 0; i < g->selections; i++) {
    const bound_selection *s = &g->priv->selection[i];
    if (s->pick.array == array && !cdag_invert(g, &s->dom, &s->pick, x, found, NULL))
      return true;
  }
  return false;
}

bool cdag_has_output(const cdag *g, int array)
{
  bool has = g->graph || g->array[array].declared_output;
  for (int i = 0; i < g->selections; i++)
    has = has || g->selection[i].array == array;
  return has;
}

/* ---- successors ---- */

typedef struct {
  const cdag *g;
  int owner, t;
  cdag_visit visit;
  void *context;
  uint64_t *id;                /* when several terms of one rule read the array: their solutions, sorted afterwards */
  size_t ids, room;
} backward;

static bool pass_on(void *context, const int64_t *v)
{
  backward *b = context;
  cdag_element e = { .array = b->owner };
  memcpy(e.x, v, sizeof e.x);
  return b->visit(b->context, &e, b->t);
}

static bool keep(void *context, const int64_t *v)
{
  backward *b = context;
  b->id = mem_room(b->id, b->ids, &b->room, sizeof *b->id);
  b->id[b->ids++] = nest_position(&b->g->priv->dom[b->owner], v);
  return true;
}

static bool visit_kept(backward *b)
{
  if (b->ids > 1)
    qsort(b->id, b->ids, sizeof *b->id, num_by_size);
  for (size_t i = 0; i < b->ids; i++) {
    cdag_element e = { .array = b->owner };
    if (i && b->id[i] == b->id[i - 1])
      continue;
    nest_at(&b->g->priv->dom[b->owner], b->id[i], e.x);
    if (!b->visit(b->context, &e, b->t))
      return false;
  }
  return true;
}

/* The successors in one array: its uses number `from` up to `to`. */
static bool successors_in(backward *b, const term_use *use, int from, int to, const int64_t *y)
{
  const nest *n = &b->g->priv->dom[use[from].owner];
  b->owner = use[from].owner;
  b->t = use[from].t;
  if (to == from + 1)
    return cdag_invert(b->g, n, use[from].bound, y, pass_on, b);
  b->ids = 0;
  for (int i = from; i < to; i++)
    cdag_invert(b->g, n, use[i].bound, y, keep, b);
  return visit_kept(b);
}

bool cdag_each_successor(const cdag *g, int array, const int64_t *x, cdag_visit visit, void *context)
{
  if (g->graph) {
    const cdag_rows *succ = cdag_graph_successors(g->graph);
    return each_explicit(succ->to, succ->at, x[0], visit, context);
  }
  const term_use *use = g->priv->use[array];
  backward b = { .g = g, .visit = visit, .context = context };
  bool good = true;
  for (int from = 0, to, n = g->priv->users[array]; from < n && good; from = to) {
    for (to = from + 1; to < n && use[to].owner == use[from].owner; to++)
      ;
    good = successors_in(&b, use, from, to, x);
  }
  mem_free(b.id);
  return good;
}
