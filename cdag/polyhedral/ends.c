#include "cdag/polyhedral/ends.h"
#include "base/scoped.h"

void array_ends(const array_form *x, arena *a, const polyhedra *but, mpz_t inputs, mpz_t outputs)
{
  polyhedra pieces = { 0 }, put_out = { 0 }, computed = { 0 }, read = { 0 }, loaded = { 0 };
  if (!polyhedra_disjoint(a, &x->outputs, x->rank, &pieces) || !polyhedra_minus(a, &pieces, but, x->rank, &put_out) ||
      !polyhedra_count(&put_out, outputs))
    mpz_set_ui(outputs, 0);
  if (!x->inputs.n || !polyhedra_minus(a, &x->live, &x->inputs, x->rank, &computed) ||
      !polyhedra_minus(a, &x->live, &computed, x->rank, &read) || !polyhedra_minus(a, &read, but, x->rank, &loaded) ||
      !polyhedra_count(&loaded, inputs))
    mpz_set_ui(inputs, 0);
}

static void raise_to(const mpz_t count, uint64_t *most)
{
  if (mpz_cmp_ui(count, *most) > 0 && mpz_fits_ulong_p(count))
    *most = mpz_get_ui(count);
}

void cdag_ends(const cdag *g, uint64_t *inputs, uint64_t *outputs)
{
  SCOPED_ARENA a = { 0 };
  SCOPED_MPZ in, out, all_in, all_out;
  const polyhedra none = { 0 };
  normal_form f;
  mpz_inits(in, out, all_in, all_out, NULL);
  normal_form_init(&f, g);
  for (int x = 0; x < f.arrays; x++) {
    array_ends(&f.array[x], &a, &none, in, out);
    mpz_add(all_in, all_in, in);
    mpz_add(all_out, all_out, out);
  }
  normal_form_clear(&f);
  raise_to(all_in, inputs);
  raise_to(all_out, outputs);
}
