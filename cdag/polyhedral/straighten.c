/* Arrays by lengths: intervals told by their length l and their beginning i, that read others of the same end, l + i,
   and of the same beginning.  They count by both ends, and splits, which are told from the beginning on, by their
   place: elements get other names, and that is all (docs/theory-affine.md, section 1). */
#include "cdag/polyhedral/normal.h"

/* A polyhedron over the array's old indices, in the new ones. */
static polyhedron *moved(normal_form *f, const polyhedron *p, const linear *old, int rank)
{
  polyhedron *q = polyhedron_new(&f->memory, rank);
  polyhedron_include(&f->memory, q, p, old, rank);
  return q;
}

/* Index r of the array is from now on what it was plus index `by`. */
static void shear(normal_form *f, int x, int r, int by)
{
  array_form *form = &f->array[x];
  polyhedra *const sets[] = { &form->domain, &form->inputs, &form->computed, &form->outputs };
  linear old[CDAG_RANK];
  linear_variables(old, form->rank, 0);
  old[r].coef[by] = -1;
  form->more[r] = by + 1;
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    polyhedra l = { 0 };
    for (int k = 0; k < sets[i]->n; k++)
      polyhedra_add(&f->memory, &l, moved(f, sets[i]->item[k], old, form->rank));
    *sets[i] = l;
  }
  for (int i = 0; i < f->accesses; i++) {
    access *a = f->access[i];
    for (int k = 0; a->from == x && k < f->array[a->to].rank; k++)
      linear_substitute(&a->index[k], old, form->rank, 0, &a->index[k]);
    if (a->from == x)
      a->where = moved(f, a->where, old, form->rank);
    if (a->to == x)
      linear_add(&a->index[r], &a->index[by], 1);
  }
}

/* Reads of the array itself that are no steps of its sums: some index is not the reader's and a constant. */
static bool is_far(const normal_form *f, const access *a, int x)
{
  if (a->from != x || a->to != x || !a->single || polyhedron_is_flat(a->where))
    return false;
  for (int r = 0; r < f->array[x].rank; r++) {
    linear off = a->index[r], own = linear_variable(r);
    if (!linear_add(&off, &own, -1))
      return false;
    if (!linear_is_constant(&off))
      return true;
  }
  return false;
}

/* What the read changes of the form, which is an index, or (by >= 0) the sum of two: only by a constant? */
static bool keeps(const access *a, int r, int by)
{
  linear off = a->index[r], own = linear_variable(r);
  if (by >= 0)
    own.coef[by] = 1;
  return (by < 0 || linear_add(&off, &a->index[by], 1)) && linear_add(&off, &own, -1) && linear_is_constant(&off);
}

/* One read keeps r + by and neither of the two, another keeps `by` and not r: r is a length, and `by` a beginning. */
static bool is_length(const normal_form *f, int x, int r, int by)
{
  bool end = false, beginning = false;
  for (int i = 0; i < f->accesses; i++) {
    const access *a = f->access[i];
    if (!is_far(f, a, x))
      continue;
    end = end || (keeps(a, r, by) && !keeps(a, r, -1) && !keeps(a, by, -1));
    beginning = beginning || (keeps(a, by, -1) && !keeps(a, r, -1));
  }
  return end && beginning;
}

/* Far reads name elements, at another index than r, by r and `by` together, and none by r alone. */
static bool counts_from(const normal_form *f, int x, int r, int by)
{
  bool together = false;
  for (int i = 0; i < f->accesses; i++)
    for (int k = 0; k < f->array[x].rank && is_far(f, f->access[i], x); k++) {
      linear at = f->access[i]->index[k], sum = linear_variable(r);
      at.base = 0;
      if (k == r)
        continue;
      if (linear_equal(&at, &sum))
        return false;
      sum.coef[by] = 1;
      together = together || linear_equal(&at, &sum);
    }
  return together;
}

void normal_form_straighten(normal_form *f)
{
  for (int x = 0; x < f->arrays; x++)
    for (int pair = 0, n = f->array[x].rank; f->array[x].known && pair < n * n; pair++) {
      int length = pair / n, by = pair % n;
      if (length == by || !is_length(f, x, length, by))
        continue;
      shear(f, x, length, by);
      for (int split = 0; split < n; split++)
        if (split != length && split != by && counts_from(f, x, split, by))
          shear(f, x, split, by);
      break;
    }
}
