/* Grids, re-read from the rules (docs/theory.md, section 11). */
#include "bounds/check/reading/grid.h"
#include "base/mem.h"
#include "bounds/check/reading/live.h"
#include "bounds/check/reading/read.h"

static bool read_index(const bound_claim *c, const checker_grid *k, const char *key, int *r)
{
  int64_t value;
  bool good = json_get_int(c->parameters, key, &value) && value >= 0 && value < c->g->array[k->array].rank;
  *r = good ? (int)value : -1;
  return good;
}

bool checker_grid_reads_along(const cdag *g, int array, int along)
{
  for (int t = 0; t < g->array[array].terms; t++) {
    int64_t by = checker_moves_along(g, array, &g->array[array].term[t], along);
    if (by == 1 || by == -1)
      return true;
  }
  return false;
}

static bool read_shape(const cdag *g, const checker_grid *k, text *reason)
{
  if (!form_whole_box(g, k->array))
    return bound_refuse(reason, "the array is no box");
  if (!checker_grid_reads_along(g, k->array, k->along[0]) || !checker_grid_reads_along(g, k->array, k->along[1]))
    return bound_refuse(reason, "points do not read their neighbours");
  bool *live = checker_live(g);
  bool whole = live[k->array];
  mem_free(live);
  return whole || bound_refuse(reason, "not every point is seen to matter");
}

bool checker_grid_read(const bound_claim *c, checker_grid *grid, text *reason)
{
  const char *name = json_get_string(c->parameters, "statement");
  grid->array = name && !c->g->graph ? cdag_find_array(c->g, name) : -1;
  if (grid->array < 0)
    return bound_refuse(reason, "the statement is no array of the computation");
  if (!read_index(c, grid, "along", &grid->along[0]) || !read_index(c, grid, "across", &grid->along[1]) ||
      grid->along[0] == grid->along[1])
    return bound_refuse(reason, "'along' and 'across' are not two of its indices");
  return read_shape(c->g, grid, reason);
}

int64_t checker_grid_width(const cdag *g, const checker_grid *grid, int which)
{
  const cdag_box *hull = &g->array[grid->array].hull;
  return hull->hi[grid->along[which]] - hull->lo[grid->along[which]];
}

void checker_grid_times_slices(const cdag *g, const checker_grid *grid, mpz_t value)
{
  const cdag_array *a = &g->array[grid->array];
  for (int r = 0; r < a->rank; r++)
    if (r != grid->along[0] && r != grid->along[1])
      mpz_mul_si(value, value, a->hull.hi[r] - a->hull.lo[r]);
}
