/* The bound on grids, re-derived (docs/theory.md, section 11).  {"statement", "along", "across": the two indices along which a point reads a neighbour, "half", "first", "pyramids"}.

   Pyramids of base b = 2 half, with their corners at the multiples (a half, d half) for which a - d leaves the rest `first` by 3, are disjoint.  Each costs b - M loads and as many
   stores.  `pyramids` of them fit into the box of these two indices, and the same again for every value of the others. */
#include "base/mem.h"
#include "base/num.h"
#include "bounds/checker_cut.h"
#include "bounds/checker_internal.h"
#include "bounds/checker_live.h"
#include "bounds/checker_read.h"

typedef struct {
  int array, along[2];
  int64_t half, first;
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

bool checker_pyramids(const bound_claim *c, mpz_t value, text *reason)
{
  claim k;
  if (!read_claim(c, &k, reason) || !read_shape(c->g, &k, reason))
    return false;
  const cdag_array *a = &c->g->array[k.array];
  uint64_t pyramids = count(&k, &a->hull);
  mpz_set_si(value, num_max(0, 2 * k.half - c->m));
  mpz_mul_ui(value, value, 2);
  mpz_mul_ui(value, value, pyramids);
  for (int r = 0; r < a->rank; r++)
    if (r != k.along[0] && r != k.along[1])
      mpz_mul_si(value, value, a->hull.hi[r] - a->hull.lo[r]);
  return checker_equal(c->parameters, "pyramids", pyramids, reason);
}
