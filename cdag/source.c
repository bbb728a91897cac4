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
static bool all_read(normal_form *f, const cdag *g, int array)
{
  polyhedra readers = { 0 }, rest = { 0 };
  if (!f->g)
    normal_form_relation(f, g);
  for (int i = 0; i < f->accesses; i++) {
    bool exact;
    polyhedron *p = f->access[i]->from == array
                        ? polyhedron_project(&f->memory, f->access[i]->where, f->array[array].rank, &exact)
                        : NULL;
    if (p && exact)
      polyhedra_add(&f->memory, &readers, p);
  }
  return f->array[array].known &&
         polyhedra_minus(&f->memory, &f->array[array].domain, &readers, f->array[array].rank, &rest) && rest.n == 0;
}

enum { LOOKED_AT = 1 << 16 }; /* so many elements are soon looked at */

static status check_array(normal_form *f, const cdag *g, int i, diag *d)
{
  const cdag_array *a = &g->array[i];
  bool large = !g->graph && a->count > LOOKED_AT;
  if (large && !cdag_degrees_by_counting(g, i) && all_read(f, g, i))
    return OK;
  array_degrees deg = cdag_array_degrees(g, i);
  if (!deg.sources_known)
    return diag_at(d, GAVE_UP, "limit", g->priv->file, a->line, a->column,
                   "%s is too large and its rule too irregular to see that every element has a predecessor; with "
                   "'input' before it those without are inputs",
                   a->name);
  return deg.sources > 0 ? sourceless(g, a, deg.sources, d) : OK;
}

status cdag_check_sources(const cdag *g, diag *d)
{
  normal_form f = { 0 };
  status st = OK;
  for (int i = 0; i < g->arrays && st == OK; i++)
    if (!g->array[i].declared_input)
      st = check_array(&f, g, i, d);
  normal_form_clear(&f);
  return st;
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
