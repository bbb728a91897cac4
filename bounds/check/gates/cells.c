/* Cells: of a row and of a column, each in the order of its gates (docs/theory-affine.md, Theorem 16). */
#include "base/scoped.h"
#include "bounds/check/gates/gating.h"
#include "bounds/checker.h"

/* lo or hi of a cell: a form in the keys of the rows' gates, class and time. */
static linear cell_end(const int64_t end[3], int class, int time)
{
  linear f = linear_constant(end[2]);
  f.coef[class] += end[0];
  f.coef[time] += end[1];
  return f;
}

/* Of b's points (class, time, third) with lo <= third <= hi those whose cell has `least` of these, all of them there.
 */
static bool whole_cells(gating *s, polyhedra *b, int class, int time)
{
  int third = 3 - class - time;
  linear lo = cell_end(s->claim->cells.lo, class, time), hi = cell_end(s->claim->cells.hi, class, time);
  linear least = lo, k = linear_variable(third), other = linear_variable(3), place[CDAG_RANK];
  polyhedra in = { 0 }, asked = { 0 }, there = { 0 }, missing = { 0 };
  least.base += s->claim->cells.least - 1;
  for (int i = 0; i < b->n; i++) {
    polyhedron *p = polyhedron_copy(s->memory, b->item[i]);
    polyhedron_require(s->memory, p, &lo, &k);
    polyhedron_require(s->memory, p, &k, &hi);
    polyhedron_require(s->memory, p, &least, &hi);
    if (p->open || !polyhedron_empty(p))
      polyhedra_add(s->memory, &in, p);
  }
  for (int i = 0; i < in.n; i++) { /* another third index of the same cell */
    polyhedron *p = polyhedron_new(s->memory, 4), *q = polyhedron_new(s->memory, 4);
    linear_variables(place, 3, 0);
    polyhedron_include(s->memory, p, in.item[i], place, 3);
    polyhedron_require(s->memory, p, &lo, &other);
    polyhedron_require(s->memory, p, &other, &hi);
    polyhedra_add(s->memory, &asked, p);
    place[third] = other;
    polyhedron_include(s->memory, q, in.item[i], place, 3);
    polyhedra_add(s->memory, &there, q);
  }
  return (polyhedra_minus(s->memory, &asked, &there, 4, &missing) && missing.n == 0 &&
          polyhedra_disjoint(s->memory, &in, 3, b)) ||
         bound_refuse(s->reason, "the cells are not whole");
}

/* Rows and columns: a cell's elements lie between gates of its row and of its column; the words they read are told by
 * the row and the third loop, and by the column and the third loop, and one word at most is of a row and of a column.
 */
bool gating_cells(gating *s)
{
  used use[2];
  int key, label[2], loop[2][2];
  for (int k = 0; k < 2; k++) {
    const gate_use *u = &s->claim->family[k].use[0];
    used *w = &use[k];
    gating_begin(s, k);
    if (s->of->uses != 1 || s->of->waits || s->of->time < 0 || s->of->lag > 1 || s->of->alternates ||
        s->of->partner >= 0 || !gating_between(s, u, w))
      return false;
    if (w->labels != 2 || w->rank != 3 || !gating_class(s, w, &key, &label[k]))
      return bound_refuse(s->reason, "the words of a row or column are not told by it");
    loop[k][0] = u->keys.loop[s->sets->index[key]];
    loop[k][1] = u->keys.loop[s->of->time];
  }
  const used *row = &use[0], *column = &use[1];
  int class = loop[0][0], time = loop[0][1], third = 3 - class - time;
  if (row->array != column->array || row->component != column->component || class == time || class > 2 || time > 2 ||
      loop[1][0] != time || loop[1][1] != class || label[0] == label[1] || row->label[label[1]].coef[third] == 0 ||
      column->label[label[0]].coef[third] == 0)
    return bound_refuse(s->reason, "rows and columns are not told apart");
  polyhedra b = row->b;
  b.room = b.n;
  return gating_keep_in(s, &b, &column->b, 3) && whole_cells(s, &b, class, time) &&
         (polyhedra_count(&b, s->g->set[0].steps) || bound_refuse(s->reason, "the steps are not counted"));
}

void cells_most(int64_t least, const mpz_t x, mpz_t most)
{
  SCOPED_MPZ f, all;
  mpz_inits(f, all, NULL);
  mpz_fdiv_q_ui(f, x, (unsigned long)least);
  mpz_mul(all, f, f);
  mpz_add(all, all, x);
  mpz_mul(all, all, all);
  mpz_fdiv_q_2exp(all, all, 2);
  mpz_fdiv_q_ui(all, all, (unsigned long)least);
  mpz_mul(f, f, x);
  mpz_mul_2exp(most, x, 1);
  mpz_add(most, most, mpz_cmp(f, all) < 0 ? f : all);
}
