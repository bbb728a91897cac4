/* source.c -- inputs are exactly the sources: an element without predecessors stands under the word `input`. */
#include "cdag/cdag_internal.h"
#include "base/mem.h"

status cdag_check_sources(const cdag *g, diag *d)
{
  g->priv->degrees = MEM_NEW(array_degrees, (size_t)g->arrays);
  for (int i = 0; i < g->arrays; i++) {
    const cdag_array *a = &g->array[i];
    g->priv->degrees[i] = cdag_array_degrees(g, i);
    if (!a->declared_input && g->priv->degrees[i].known && g->priv->degrees[i].sources > 0)
      return diag_at(d, BAD_INPUT, "cdag", g->priv->file, a->line, a->column,
                     "%llu elements of %s have no predecessor; only an 'input' may have none",
                     (unsigned long long)g->priv->degrees[i].sources, a->name);
  }
  return OK;
}

status cdag_check_acyclic(const cdag *g, diag *d)
{
  (void)g, (void)d;
  return OK;
}
