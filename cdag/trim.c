#include "cdag/trim.h"
#include "base/mem.h"
#include "cdag/cdag_internal.h"
#include "cdag/polyhedral/normal.h"

static void note(cdag_trims *out, int array, int index, bool hi, const linear *end)
{
  out->of = mem_room(out->of, out->n, &out->room, sizeof *out->of);
  cdag_trim *t = &out->of[out->n++];
  *t = (cdag_trim){ .array = array, .index = index, .hi = hi, .base = end->base };
  for (int v = 0; v < index; v++)
    t->coef[v] = end->coef[v];
}

/* Do the array's ranges say so? */
static bool is_said(const array_form *a, const constraint *row)
{
  bool said = true;
  for (int i = 0; i < a->domain.n && said; i++)
    said = polyhedron_implies(a->domain.item[i], &row->form, row->equal);
  return said;
}

/* The ends that the inequalities say; false: one is no end of a range. */
static bool note_ends(const array_form *a, const polyhedron *live, int array, cdag_trims *out)
{
  for (int i = 0; i < live->n; i++) {
    int last = linear_last(&live->row[i].form);
    if (last < 0 || is_said(a, &live->row[i]))
      continue;
    for (int hi = 0; hi < 2; hi++) {
      linear end;
      bool exact = true;
      if (!constraint_end(&live->row[i], last, hi, &end, &exact))
        continue;
      if (!exact)
        return false;
      note(out, array, last, hi, &end);
    }
  }
  return true;
}

void cdag_trims_find(const cdag *g, cdag_trims *out)
{
  normal_form f;
  *out = (cdag_trims){ 0 };
  normal_form_init(&f, g);
  for (int x = 0; x < g->arrays; x++) {
    const array_form *a = &f.array[x];
    polyhedra live = { 0 };
    size_t before = out->n;
    for (int i = 0; i < a->live.n; i++)
      polyhedra_add(&f.memory, &live, a->live.item[i]);
    polyhedra_join(&f.memory, &live);
    bool one = g->array[x].terms > 0 && a->known && live.n == 1 && !live.item[0]->open &&
               live.item[0]->vars == g->array[x].rank;
    if (one && !note_ends(a, live.item[0], x, out))
      out->n = before;
  }
  normal_form_clear(&f);
}

void cdag_trims_clear(cdag_trims *t)
{
  mem_free(t->of);
  *t = (cdag_trims){ 0 };
}
