/* The bound on grids, re-derived (docs/theory.md, section 11).  {"statement", "along", "across": the two indices along which a point reads a neighbour, "pyramids", and either "half", "first" or "base"}.

   A pyramid of base b costs b - M loads of points of its own, and as many stores.  With b = 2 half those that have their corners at the multiples (a half, d half) for which a - d leaves the rest `first` by 3
   are disjoint; `pyramids` of them fit into the box of these two indices, and the same again for every value of the others.  With b = base they are in all places, and no point is in more than b (b + 1) / 2. */
#include "base/mem.h"
#include "base/num.h"
#include "bounds/checker_cut.h"
#include "bounds/checker_internal.h"
#include "bounds/checker_live.h"
#include "bounds/checker_read.h"

typedef struct {
  int array, along[2];
  bool everywhere;
  int64_t half, first, base;
} claim;

static bool read_index(const bound_claim *c, const claim *k, const char *key, int *r)
{
  int64_t value;
  bool good = json_get_int(c->parameters, key, &value) && value >= 0 && value < c->g->array[k->array].rank;
  *r = good ? (int)value : -1;
  return good;
}

static bool read_claim(const bound_claim *c, claim *k, text *reason)
{
  const char *name = json_get_string(c->parameters, "statement");
  k->array = name && !c->g->graph ? cdag_find_array(c->g, name) : -1;
  if (k->array < 0)
    return bound_refuse(reason, "the statement is no array of the computation");
  if (!read_index(c, k, "along", &k->along[0]) || !read_index(c, k, "across", &k->along[1]) || k->along[0] == k->along[1])
    return bound_refuse(reason, "'along' and 'across' are not two of its indices");
  k->everywhere = json_get(c->parameters, "base");
  if (k->everywhere)
    return (json_get_int(c->parameters, "base", &k->base) && k->base >= 1 && k->base < INT64_MAX) || bound_refuse(reason, "'base' must be positive");
  return (json_get_int(c->parameters, "half", &k->half) && k->half >= 1 && k->half <= INT64_MAX / 4 && json_get_int(c->parameters, "first", &k->first) && k->first >= 0 && k->first <= 2) ||
         bound_refuse(reason, "'half' must be positive, 'first' one of 0, 1, 2");
}

/* Does a point read its neighbour along this index? */
static bool reads_along(const cdag *g, int array, int along)
{
  const cdag_array *a = &g->array[array];
  int64_t by[CDAG_RANK] = { 0 };
  for (int t = 0; t < a->terms; t++) {
    bool one = a->term[t].array == array && checker_moves(g, array, &a->term[t], by) && (by[along] == 1 || by[along] == -1);
    for (int r = 0; r < a->rank && one; r++)
      one = r == along || by[r] == 0;
    if (one)
      return true;
  }
  return false;
}

static bool read_shape(const cdag *g, const claim *k, text *reason)
{
  if (!form_whole_box(g, k->array))
    return bound_refuse(reason, "the array is no box");
  if (!reads_along(g, k->array, k->along[0]) || !reads_along(g, k->array, k->along[1]))
    return bound_refuse(reason, "points do not read their neighbours");
  bool *live = checker_live(g);
  bool whole = live[k->array];
  mem_free(live);
  return whole || bound_refuse(reason, "not every point is seen to matter");
}

/* Corners of squares of this side. */
static uint64_t count_places(const claim *k, const cdag_box *hull)
{
  uint64_t places = 1;
  for (int i = 0; i < 2; i++)
    places *= (uint64_t)num_max(0, hull->hi[k->along[i]] - hull->lo[k->along[i]] - (k->base - 1));
  return places;
}

/* Corners at 0 .. last in either direction: those rows a that leave a rest, times those columns d that go with it. */
static uint64_t count(const claim *k, const cdag_box *hull)
{
  uint64_t rows[3] = { 0 }, columns[3] = { 0 };
  for (int i = 0; i < 2; i++) {
    int64_t corners = (hull->hi[k->along[i]] - hull->lo[k->along[i]]) / k->half - 1;
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
  mpz_t each;
  mpz_init_set_si(each, k->base);
  mpz_mul(each, each, each);
  mpz_add_ui(each, each, (unsigned long)k->base);
  mpz_mul_ui(stores, stores, 2);
  mpz_cdiv_q(stores, stores, each);
  mpz_clear(each);
}

bool checker_pyramids(const bound_claim *c, mpz_t value, text *reason)
{
  claim k;
  if (!read_claim(c, &k, reason) || !read_shape(c->g, &k, reason))
    return false;
  const cdag_array *a = &c->g->array[k.array];
  uint64_t pyramids = k.everywhere ? count_places(&k, &a->hull) : count(&k, &a->hull);
  mpz_set_si(value, num_max(0, (k.everywhere ? k.base : 2 * k.half) - c->m));
  mpz_mul_ui(value, value, pyramids);
  for (int r = 0; r < a->rank; r++)
    if (r != k.along[0] && r != k.along[1])
      mpz_mul_si(value, value, a->hull.hi[r] - a->hull.lo[r]);
  if (k.everywhere)
    share(&k, value);
  mpz_mul_ui(value, value, 2);
  return checker_equal(c->parameters, "pyramids", pyramids, reason);
}
