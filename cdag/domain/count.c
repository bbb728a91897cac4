/* count.c -- vertices, edges, inputs, outputs of a whole CDAG. */
#include "cdag/domain/points.h"
#include "cdag/polyhedral/degree.h"
#include "base/mem.h"
#include "base/patience.h"
#include <string.h>

enum { ENUMERATE = PATIENCE(1 << 22) };

/* ---- outputs by looking at every element ---- */

typedef struct { const cdag *g; int array; uint64_t outputs; } looking;

static bool look_at_run(void *context, const int64_t *x, int64_t hi_last)
{
  looking *l = context;
  int last = l->g->array[l->array].rank - 1;
  int64_t y[CDAG_RANK];
  memcpy(y, x, sizeof y);
  for (; y[last] < hi_last; y[last]++)
    l->outputs += cdag_is_output(l->g, l->array, y);
  return true;
}

/* ---- outputs by boxes ---- */

/* A selection without variables is a box. */
static bool selection_box(const cdag *g, const bound_selection *s, cdag_box *box)
{
  int64_t none[CDAG_RANK] = { 0 };
  if (s->dom.rank > 0)
    return false;
  if (!bound_term_box(g, &s->pick, none, 0, box))
    *box = (cdag_box){ { 0 }, { 0 } };
  return true;
}

static void intersect(cdag_box *a, const cdag_box *b, int rank)
{
  for (int r = 0; r < rank; r++) {
    a->lo[r] = a->lo[r] > b->lo[r] ? a->lo[r] : b->lo[r];
    a->hi[r] = a->hi[r] < b->hi[r] ? a->hi[r] : b->hi[r];
  }
}

enum { BOXES = 10 };

/* The union of up to BOXES boxes, by inclusion and exclusion. */
static uint64_t count_union(const cdag *g, int array, const cdag_box *box, int n)
{
  uint64_t sum = 0;
  for (unsigned set = 1; set < 1u << n; set++) {
    cdag_box both = g->array[array].hull;
    for (int k = 0; k < n; k++)
      if (set >> k & 1)
        intersect(&both, &box[k], g->array[array].rank);
    uint64_t count = nest_box_count(&g->priv->dom[array], &both);
    sum += __builtin_popcount(set) % 2 ? count : -count;
  }
  return sum;
}

/* A selection with variables, the only one of its array: does every point name elements of its own?  It does when each
   variable is, alone, an index; then the elements are the points times the extents of the other indices. */
static bool count_single_selection(const cdag *g, const bound_selection *s, uint64_t *outputs)
{
  const nest *target = &g->priv->dom[s->pick.array];
  uint32_t seen = 0;
  uint64_t each = 1, budget = PATIENCE(1 << 22);
  for (int r = 0; r < s->pick.rank; r++) {
    const bound_index *x = &s->pick.index[r];
    if (x->kind == CDAG_AT && x->lo.var >= 0)
      seen |= 1u << x->lo.var;
    if (x->kind == CDAG_RANGE)
      return false;
    if (x->kind == CDAG_ALL && !nest_stands_alone(target, r))
      return false;
    if (x->kind == CDAG_ALL)
      each *= (uint64_t)(target->hull.hi[r] - target->hull.lo[r]);
  }
  if (seen != (1u << s->dom.rank) - 1)
    return false;
  SCOPED_MEM points *p = MEM_NEW(points, 1);
  points_init(p, g, &s->dom);
  bool good = points_require(p, &s->pick) && points_count(p, &budget, outputs);
  *outputs *= each;
  return good;
}

/* The same where the extents of the indices that take everything differ from point to point. */
typedef struct {
  const cdag *g;
  const bound_selection *s;
  uint64_t elements, points;
} pointwise;

static bool each_index_known(const nest *target, const bound_selection *s)
{
  uint32_t alone = 0, everything = 0;
  for (int r = 0; r < s->pick.rank; r++) {
    const bound_index *x = &s->pick.index[r];
    if (x->kind == CDAG_RANGE || target->bound_vars[r] & everything)
      return false;
    everything |= (uint32_t)(x->kind == CDAG_ALL) << r;
    alone |= x->kind == CDAG_AT && x->lo.var >= 0 && x->lo.base == 0 ? 1u << x->lo.var : 0;
  }
  return alone == (1u << s->dom.rank) - 1;
}

static uint64_t elements_at(const pointwise *p, const int64_t *x)
{
  const nest *target = &p->g->priv->dom[p->s->pick.array];
  int64_t at[CDAG_RANK] = { 0 }, lo, hi;
  uint64_t each = 1;
  for (int r = 0; r < p->s->pick.rank; r++) {
    const bound_index *i = &p->s->pick.index[r];
    nest_range(target, r, at, &lo, &hi);
    at[r] = lo;
    if (i->kind == CDAG_ALL)
      each *= (uint64_t)(hi > lo ? hi - lo : 0);
    else if (!form_at(&i->lo, x, p->s->dom.rank, p->g->table, &at[r]) || at[r] < lo || at[r] >= hi)
      return 0;
    if (each == 0)
      return 0;
  }
  return each;
}

static bool elements_of_run(void *context, const int64_t *x, int64_t hi_last)
{
  pointwise *p = context;
  int last = p->s->dom.rank - 1;
  int64_t at[CDAG_RANK] = { 0 };
  memcpy(at, x, (size_t)p->s->dom.rank * sizeof *at);
  for (; at[last] < hi_last; at[last]++) {
    p->elements += elements_at(p, at);
    if (p->points++ == ENUMERATE)
      return false;
  }
  return true;
}

static bool count_by_points(const cdag *g, const bound_selection *s, uint64_t *outputs)
{
  pointwise p = { .g = g, .s = s };
  bool good = s->dom.rank > 0 && each_index_known(&g->priv->dom[s->pick.array], s) &&
              nest_each_run(&s->dom, &s->dom.hull, elements_of_run, &p);
  *outputs = p.elements;
  return good;
}

static bool count_selected(const cdag *g, int array, uint64_t *outputs)
{
  cdag_box box[BOXES];
  const bound_selection *one = NULL;
  int n = 0, boxes = 0;
  for (int i = 0; i < g->selections; i++) {
    const bound_selection *s = &g->priv->selection[i];
    if (s->pick.array != array)
      continue;
    one = s;
    n++;
    if (boxes < BOXES && selection_box(g, s, &box[boxes]))
      boxes++;
  }
  if (boxes == n) {
    *outputs = count_union(g, array, box, n);
    return true;
  }
  return n == 1 && (count_single_selection(g, one, outputs) || count_by_points(g, one, outputs));
}

static bool outputs_by_normal_form(const cdag *g, int array, uint64_t *outputs)
{
  normal_form f;
  normal_form_ends(&f, g);
  bool good = polyhedral_outputs_of(&f, array, outputs);
  normal_form_clear(&f);
  return good;
}

static bool count_outputs(const cdag *g, int array, uint64_t *outputs)
{
  looking l = { .g = g, .array = array };
  *outputs = g->array[array].declared_output ? g->array[array].count : 0;
  if (g->array[array].count == 0 || g->array[array].declared_output)
    return true;
  if (!g->graph && count_selected(g, array, outputs))
    return true;
  if (g->array[array].count > ENUMERATE && !g->graph)
    return outputs_by_normal_form(g, array, outputs);
  nest_each_run(&g->priv->dom[array], &g->priv->dom[array].hull, look_at_run, &l);
  *outputs = l.outputs;
  return true;
}

bool cdag_array_outputs(const cdag *g, int array, uint64_t *outputs)
{
  if (!g->priv->outputs)
    g->priv->outputs = MEM_NEW(array_outputs, (size_t)g->arrays);
  array_outputs *known = &g->priv->outputs[array];
  if (!known->counted)
    known->known = count_outputs(g, array, &known->n);
  known->counted = true;
  *outputs = known->n;
  return known->known;
}

/* ---- all together ---- */

static status uncountable(const cdag *g, int array, diag *d)
{
  return diag_set(d, GAVE_UP, "limit", "array %s is too large and its rule too irregular to be counted",
                  g->array[array].name);
}

status cdag_count(const cdag *g, cdag_counts *c, diag *d)
{
  *c = (cdag_counts){ .vertices = g->vertices };
  for (int i = 0; i < g->arrays; i++) {
    array_degrees deg = cdag_array_degrees(g, i);
    uint64_t outputs;
    if (!deg.known || deg.edges > INT64_MAX - c->edges || !cdag_array_outputs(g, i, &outputs))
      return uncountable(g, i, d);
    c->edges += deg.edges;
    c->inputs += deg.sources;
    c->outputs += outputs;
    if (deg.max_in_degree > c->max_in_degree)
      c->max_in_degree = deg.max_in_degree;
  }
  return OK;
}
