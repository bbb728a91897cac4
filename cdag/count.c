/* count.c -- edges, inputs, outputs, in-degrees. */
#include "cdag/cdag_internal.h"
#include "base/mem.h"
#include <string.h>

enum { ENUMERATE = 1 << 24 };

/* ---- by looking at every element ---- */

typedef struct { const cdag *g; int array; array_degrees deg; uint64_t here, outputs; } counter;

static bool count_one(void *context, const cdag_element *e, int term)
{
  (void)e, (void)term;
  ((counter *)context)->here++;
  return true;
}

static bool count_run(void *context, const int64_t *x, int64_t hi_last)
{
  counter *c = context;
  int last = c->g->array[c->array].rank - 1;
  int64_t y[CDAG_RANK];
  memcpy(y, x, sizeof y);
  for (; y[last] < hi_last; y[last]++) {
    c->here = 0;
    cdag_each_predecessor(c->g, c->array, y, count_one, c);
    c->deg.edges += c->here;
    c->deg.sources += c->here == 0;
    if (c->here > c->deg.max_in_degree)
      c->deg.max_in_degree = c->here;
  }
  return true;
}

array_degrees cdag_array_degrees(const cdag *g, int array)
{
  counter c = { .g = g, .array = array };
  c.deg.known = g->array[array].count <= ENUMERATE;
  if (g->array[array].terms == 0 && !g->graph)
    return (array_degrees){ .known = true, .sources = g->array[array].count };
  if (c.deg.known)
    nest_each_run(&g->priv->dom[array], &g->priv->dom[array].hull, count_run, &c);
  return c.deg;
}

static bool count_outputs_run(void *context, const int64_t *x, int64_t hi_last)
{
  counter *c = context;
  int last = c->g->array[c->array].rank - 1;
  int64_t y[CDAG_RANK];
  memcpy(y, x, sizeof y);
  for (; y[last] < hi_last; y[last]++)
    c->outputs += cdag_is_output(c->g, c->array, y);
  return true;
}

bool cdag_array_outputs(const cdag *g, int array, uint64_t *outputs)
{
  counter c = { .g = g, .array = array };
  bool selected = g->graph != NULL;
  for (int i = 0; i < g->selections; i++)
    selected = selected || g->selection[i].array == array;
  *outputs = g->array[array].declared_output ? g->array[array].count : 0;
  if (g->array[array].declared_output || !selected)
    return true;
  if (g->array[array].count > ENUMERATE)
    return false;
  nest_each_run(&g->priv->dom[array], &g->priv->dom[array].hull, count_outputs_run, &c);
  *outputs = c.outputs;
  return true;
}

status cdag_count(const cdag *g, cdag_counts *c, diag *d)
{
  *c = (cdag_counts){ .vertices = g->vertices };
  for (int i = 0; i < g->arrays; i++) {
    array_degrees deg = g->priv->degrees ? g->priv->degrees[i] : cdag_array_degrees(g, i);
    uint64_t outputs;
    if (!deg.known || !cdag_array_outputs(g, i, &outputs))
      return diag_set(d, GAVE_UP, "limit", "array %s is too large and too irregular to be counted", g->array[i].name);
    c->edges += deg.edges;
    c->inputs += deg.sources;
    c->outputs += outputs;
    if (deg.max_in_degree > c->max_in_degree)
      c->max_in_degree = deg.max_in_degree;
  }
  return OK;
}
