/* Stencils, re-read from the rules (docs/theory.md, section 9). */
#include "bounds/check/reading/stencil.h"
#include "bounds/check/reading/live.h"

/* A step back in time, and at most one place aside. */
static void read_term(const cdag *g, int array, int time, const cdag_term *t, checker_stencil *s)
{
  int64_t by[CDAG_RANK];
  int aside = -1, rank = g->array[array].rank;
  if (t->array != array || !checker_moves(g, array, t, by) || by[time] != -1)
    return;
  for (int r = 0; r < rank; r++) {
    if (r == time || by[r] == 0)
      continue;
    if (aside >= 0 || by[r] > 1 || by[r] < -1)
      return;
    aside = r;
  }
  if (aside < 0)
    s->straight = true;
  else
    s->aside[aside][(by[aside] + 1) / 2] = true;
}

/* An input of its own for every column, on the first level: the term is always there, and each index of space stands
 * alone in some index. */
static bool own_input(const cdag *g, int array, int time, const cdag_term *t)
{
  const cdag_array *a = &g->array[array];
  form index[CDAG_RANK];
  unsigned alone = 1u << time;
  form_domain hull;
  if (g->array[t->array].terms > 0 || !form_indices(g, array, t, index))
    return false;
  form_hull(g, array, &hull);
  hull.hi[time] = hull.lo[time] + 1;
  for (int r = 0; r < g->array[t->array].rank; r++)
    for (int q = 0; q < a->rank; q++)
      if (form_uses(&index[r]) == 1u << q)
        alone |= 1u << q;
  return alone == (1u << a->rank) - 1 && form_inside(g, t->array, index, &hull);
}

void checker_stencil_read(const cdag *g, int array, int time, checker_stencil *s)
{
  *s = (checker_stencil){ .given = checker_sources_at(g, array, time) };
  for (int t = 0; t < g->array[array].terms; t++) {
    const cdag_term *term = &g->array[array].term[t];
    read_term(g, array, time, term, s);
    s->given = s->given || own_input(g, array, time, term);
  }
}
