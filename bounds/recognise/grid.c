/* grid.c -- recognising grids: the array is a box, and each of two indices moves alone by one in some term. */
#include "bounds/recognise/grid.h"
#include "bounds/recognise/shape.h"
#include "bounds/recognise/shape_internal.h"

bool bound_grid_find(const cdag *g, int array, bound_grid *grid)
{
  const cdag_array *a = &g->array[array];
  shape_chain c;
  int found = 0;
  if (a->terms == 0 || a->count == 0 || !affine_is_box(g, array))
    return false;
  shape_chain_find(g, array, &c);
  *grid = (bound_grid){ .array = array, .slices = 1 };
  for (int r = 0; r < a->rank; r++) {
    int64_t width = a->hull.hi[r] - a->hull.lo[r];
    if (c.links >> r & 1 && found < 2) {
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
