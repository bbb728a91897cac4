/* source.c -- inputs are exactly the sources: an element without predecessors stands under the word `input`; and
   something is put out. */
#include "cdag/cdag_internal.h"
#include "cdag/polyhedral/normal.h"
#include "base/mem.h"

static status sourceless(const cdag *g, const cdag_array *a, uint64_t n, diag *d)
{
  return diag_at(d, BAD_INPUT, "cdag", g->priv->file, a->line, a->column,
                 "%llu of the %llu elements of %s have no predecessor; only an 'input' may have none",
                 (unsigned long long)n, (unsigned long long)a->count, a->name);
}

/* By polyhedra: has every element a predecessor? */
static bool all_read(const cdag *g, int array)
{
  normal_form f;
  polyhedra readers = { 0 }, rest = { 0 };
  normal_form_relation(&f, g);
  for (int i = 0; i < f.accesses; i++) {
    bool exact;
    polyhedron *p = f.access[i]->from == array
                        ? polyhedron_project(&f.memory, f.access[i]->where, f.array[array].rank, &exact)
                        : NULL;
    if (p && exact)
      polyhedra_add(&f.memory, &readers, p);
  }
  bool all = f.array[array].known &&
             polyhedra_minus(&f.memory, &f.array[array].domain, &readers, f.array[array].rank, &rest) && rest.n == 0;
  normal_form_clear(&f);
  return all;
}

status cdag_check_sources(const cdag *g, diag *d)
{
  g->priv->degrees = MEM_NEW(array_degrees, (size_t)g->arrays);
  for (int i = 0; i < g->arrays; i++) {
    const cdag_array *a = &g->array[i];
    g->priv->degrees[i] = cdag_array_degrees(g, i);
    if (a->declared_input)
      continue;
    if (!g->priv->degrees[i].sources_known && all_read(g, i))
      continue;
    if (!g->priv->degrees[i].sources_known)
      return diag_at(d, GAVE_UP, "limit", g->priv->file, a->line, a->column,
                     "%s is too large and its rule too irregular to see that every element has a predecessor; with "
                     "'input' before it those without are inputs",
                     a->name);
    if (g->priv->degrees[i].sources > 0)
      return sourceless(g, a, g->priv->degrees[i].sources, d);
  }
  return OK;
}

status cdag_check_outputs(const cdag *g, diag *d)
{
  uint64_t outputs = 1;
  if (g->vertices == 0)
    return OK;
  for (int i = 0; i < g->arrays; i++)
    if (!cdag_array_outputs(g, i, &outputs) || outputs > 0)
      return OK; /* one is enough; what is too large to count selects something as far as anyone sees */
  place at = { 0, 0 };
  for (int i = 0; i < g->arrays; i++)
    if (g->array[i].declared_output)
      at = (place){ g->array[i].line, g->array[i].column };
  if (g->selections)
    at = (place){ g->selection[0].line, g->selection[0].column };
  return diag_at(d, BAD_INPUT, "cdag", g->priv->file, at.line, at.column,
                 "nothing is an output: what is put out does not exist, and %llu vertices do",
                 (unsigned long long)g->vertices);
}
