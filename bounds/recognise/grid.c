/* Grids: the array is a box, and each of two indices moves alone by one in some term. */
#include "bounds/recognise/grid.h"
#include "bounds/check/reading/form.h"
#include "bounds/check/reading/grid.h"
#include "bounds/recognise/shape.h"

bool bound_grid_find(const cdag *g, int array, bound_grid *grid)
{
  const cdag_array *a = &g->array[array];
  int found = 0;
  if (a->terms == 0 || a->count == 0 || !form_whole_box(g, array))
    return false;
  *grid = (bound_grid){ .array = array, .slices = 1 };
  for (int r = 0; r < a->rank; r++) {
    int64_t width = a->hull.hi[r] - a->hull.lo[r];
    if (found < 2 && checker_grid_reads_along(g, array, r)) {
      grid->width[found] = width;
      grid->along[found++] = r;
    } else {
      grid->slices *= width; /* no more than the array has */
    }
  }
  return found == 2;
}

void bound_grid_extents(const cdag *g, const bound_grid *grid, text *out)
{
  const cdag_array *a = &g->array[grid->array];
  for (int r = 0; r < a->rank; r++) {
    bound_loop_text(g, grid->array, r, a->hull.hi[r] - a->hull.lo[r], out);
    text_char(out, ' ');
  }
}

void bound_grid_put(const cdag *g, const bound_grid *grid, json *j)
{
  json_put_string(j, "statement", g->array[grid->array].name);
  json_put_int(j, "along", grid->along[0]);
  json_put_int(j, "across", grid->along[1]);
}
