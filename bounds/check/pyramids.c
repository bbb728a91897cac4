/* The bound on grids, re-derived (docs/theory.md, section 11).  {"statement", "along", "across": the two indices along
   which a point reads a neighbour, "pyramids", and either "half", "first" or "base"}.

   A pyramid of base b costs b - M loads of points of its own, and as many stores.  With b = 2 half those that have
   their corners at the multiples (a half, d half) for which a - d leaves the rest `first` by 3 are disjoint; `pyramids`
   of them fit into the box of these two indices, and the same again for every value of the others.  With b = base they
   are in all places, and no point is in more than b (b + 1) / 2. */
#include "base/scoped.h"
#include "base/num.h"
#include "bounds/check/cut.h"
#include "bounds/check/reading/grid.h"
#include "bounds/checker.h"

typedef struct {
  bool everywhere;
  int64_t width[2], half, first, base;
} claim;

static bool read_claim(const bound_claim *c, claim *k, text *reason)
{
  k->everywhere = json_get(c->parameters, "base");
  if (k->everywhere)
    return (json_get_int(c->parameters, "base", &k->base) && k->base >= 1 && k->base < INT64_MAX) ||
           bound_refuse(reason, "'base' must be positive");
  return (json_get_int(c->parameters, "half", &k->half) && k->half >= 1 && k->half <= INT64_MAX / 4 &&
          json_get_int(c->parameters, "first", &k->first) && k->first >= 0 && k->first <= 2) ||
         bound_refuse(reason, "'half' must be positive, 'first' one of 0, 1, 2");
}

/* Corners of squares of this side. */
static uint64_t count_places(const claim *k)
{
  uint64_t places = 1;
  for (int i = 0; i < 2; i++)
    places *= (uint64_t)num_max(0, k->width[i] - (k->base - 1));
  return places;
}

/* Corners at 0 .. last in either direction: those rows a that leave a rest, times those columns d that go with it. */
static uint64_t count(const claim *k)
{
  uint64_t rows[3] = { 0 }, columns[3] = { 0 };
  for (int i = 0; i < 2; i++) {
    int64_t corners = k->width[i] / k->half - 1;
    for (int rest = 0; rest < 3 && rest < corners; rest++)
      (i ? columns : rows)[rest] = (uint64_t)(corners - rest + 2) / 3;
  }
  uint64_t all = 0;
  for (int rest = 0; rest < 3; rest++)
    all += rows[(rest + k->first) % 3] * columns[rest];
  return all;
}

/* For each of so many pyramids base - M points, of which each may be counted b (b + 1) / 2 times. */
static void share(const claim *k, mpz_t stores)
{
  SCOPED_MPZ each;
  mpz_init_set_si(each, k->base);
  mpz_mul(each, each, each);
  mpz_add_ui(each, each, (unsigned long)k->base);
  mpz_mul_ui(stores, stores, 2);
  mpz_cdiv_q(stores, stores, each);
}

static bool check_pyramids(const bound_claim *c, mpz_t value, text *reason)
{
  checker_grid grid;
  claim k;
  if (!checker_grid_read(c, &grid, reason) || !read_claim(c, &k, reason))
    return false;
  for (int i = 0; i < 2; i++)
    k.width[i] = checker_grid_width(c->g, &grid, i);
  uint64_t pyramids = k.everywhere ? count_places(&k) : count(&k);
  mpz_set_si(value, num_max(0, (k.everywhere ? k.base : 2 * k.half) - c->m));
  mpz_mul_ui(value, value, pyramids);
  checker_grid_times_slices(c->g, &grid, value);
  if (k.everywhere)
    share(&k, value);
  mpz_mul_ui(value, value, 2);
  return checker_equal(c->parameters, "pyramids", pyramids, reason);
}

BOUND_CHECKER(pyramids) = { "pyramids", BOUND_ANY, check_pyramids };
