/* once.c -- a play in which nothing is computed twice, seen by counting.

   A legal play ends with every output blue.  An output that is no input became blue by a store, so it was red, so it
   was computed: nothing else makes the first pebble of such a vertex.  When it was computed its predecessors were red,
   and of those that are no inputs the same is true.  So every vertex that leads to an output and is no input is
   computed once at least, with recomputation allowed.  Let there be W of them.  A legal play that computes W times
   in all computes each of them once and nothing else: it is legal in the one-shot game, too. */
#include "schedules/play/once.h"
#include "cdag/polyhedral/normal.h"

/* Elements of x that are known to lead to an output and to be no inputs. */
static bool count_live(normal_form *f, const array_form *x, mpz_t n)
{
  polyhedra others = { 0 }, computed = { 0 };
  return polyhedra_minus(&f->memory, &x->live, &x->computed, x->rank, &others) &&
         polyhedra_minus(&f->memory, &x->live, &others, x->rank, &computed) && polyhedra_count(&computed, n);
}

num_count schedule_least_computes(const cdag *g)
{
  normal_form f;
  num_count sum = 0;
  mpz_t n;
  if (g->graph)
    return 0;
  normal_form_init(&f, g);
  mpz_init(n);
  for (int x = 0; x < f.arrays; x++)
    if (f.array[x].known && count_live(&f, &f.array[x], n) && mpz_fits_slong_p(n))
      sum = num_plus(sum, (num_count)mpz_get_si(n));
  mpz_clear(n);
  normal_form_clear(&f);
  return sum;
}
