/* sets.c -- inputs that matter and outputs, counted in the normal form: it tells of parts of arrays. */
#include "base/scoped.h"
#include "bounds/check/reading/read.h"
#include "cdag/polyhedral/normal.h"

/* Points of the list's union, its pieces meeting or not, are added; those of which it is not found out are not. */
static void add_points(arena *a, const polyhedra *l, int rank, mpz_t sum)
{
  polyhedra pieces = { 0 };
  mpz_t count;
  mpz_init(count);
  if (polyhedra_disjoint(a, l, rank, &pieces) && polyhedra_count(&pieces, count))
    mpz_add(sum, sum, count);
  mpz_clear(count);
}

static void raise_to(mpz_t count, uint64_t *most)
{
  if (mpz_cmp_ui(count, *most) > 0 && mpz_fits_ulong_p(count))
    *most = mpz_get_ui(count);
}

void checker_ends_of_sets(const cdag *g, uint64_t *inputs, uint64_t *outputs)
{
  SCOPED_ARENA a = { 0 };
  normal_form f;
  SCOPED_MPZ loaded, stored;
  mpz_inits(loaded, stored, NULL);
  normal_form_init(&f, g);
  for (int x = 0; x < f.arrays; x++) {
    const array_form *form = &f.array[x];
    polyhedra matter = { 0 };
    for (int i = 0; i < form->inputs.n; i++)
      for (int k = 0; k < form->live.n; k++) {
        polyhedron *both = polyhedron_copy(&a, form->inputs.item[i]);
        polyhedron_meet(&a, both, form->live.item[k], form->rank);
        if (!both->open)
          polyhedra_add(&a, &matter, both);
      }
    add_points(&a, &matter, form->rank, loaded);
    add_points(&a, &form->outputs, form->rank, stored);
  }
  normal_form_clear(&f);
  raise_to(loaded, inputs);
  raise_to(stored, outputs);
}
