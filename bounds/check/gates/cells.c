/* Cells: of a row and of a column, those of a column in the order of its gates, and perhaps those of a row
   (docs/theory-affine.md, Theorems 16 and 24). */
#include "base/scoped.h"
#include "bounds/check/gates/gating.h"
#include "bounds/checker.h"

/* lo or hi of a cell: a form in its row and its column. */
static linear cell_end(const int64_t end[3], int row, int column)
{
  linear f = linear_constant(end[2]);
  f.coef[row] += end[0];
  f.coef[column] += end[1];
  return f;
}

/* Of b's points (row, column, third) with lo <= third <= hi those whose cell has `least` of these, all of them there.
 */
static bool whole_cells(gating *s, polyhedra *b, int row, int column)
{
  if (s->claim->cells.ordered && (b->n != 1 || b->item[0]->vars > 3)) /* quotients leave cells out */
    return bound_refuse(s->reason, "cells of a row may lie apart");
  int third = 3 - row - column;
  linear lo = cell_end(s->claim->cells.lo, row, column), hi = cell_end(s->claim->cells.hi, row, column);
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

/* The sum over b's points of the steps of each one's cell (one less, when they are ordered), of which `cap` at most
   count. */
static bool weigh(gating *s, const polyhedra *b, int row, int column)
{
  linear zero = linear_constant(0), unit = linear_variable(3), cap = linear_constant(s->claim->cells.cap - 1),
         hi = cell_end(s->claim->cells.hi, row, column), lo = cell_end(s->claim->cells.lo, row, column), place[3];
  polyhedra units = { 0 };
  if (!linear_add(&hi, &lo, -1))
    return false;
  hi.base -= s->claim->cells.ordered;
  linear_variables(place, 3, 0);
  for (int i = 0; i < b->n; i++) {
    polyhedron *p = polyhedron_new(s->memory, 4);
    polyhedron_include(s->memory, p, b->item[i], place, 3);
    polyhedron_require(s->memory, p, &zero, &unit);
    polyhedron_require(s->memory, p, &unit, &hi);
    polyhedron_require(s->memory, p, &unit, &cap);
    if (p->open)
      return false;
    polyhedra_add(s->memory, &units, p);
  }
  return polyhedra_count(&units, s->g->set[0].steps);
}

/* Which label is the loop, but for a constant?  -1: none. */
static int label_of(const used *w, int loop)
{
  for (int l = 0; l < w->labels; l++) {
    linear is = linear_variable(loop);
    is.base = w->label[l].base;
    if (linear_equal(&w->label[l], &is))
      return l;
  }
  return -1;
}

/* Does each point of b, but for the first of its cell, have the one before it among its ancestors?  First is lo where
 * `up`, else hi. */
static bool chained(gating *s, const polyhedra *b, int array, int row, int column, bool up)
{
  const polyhedra *above = reach_from(&s->g->reach, array, array);
  int third = 3 - row - column;
  linear first = cell_end(up ? s->claim->cells.lo : s->claim->cells.hi, row, column), k = linear_variable(third);
  linear value[2 * 3];
  polyhedra later = { 0 }, good = { 0 }, bad = { 0 };
  first.base += up ? 1 : -1;
  for (int i = 0; i < b->n; i++) {
    polyhedron *p = polyhedron_copy(s->memory, b->item[i]);
    polyhedron_require(s->memory, p, up ? &first : &k, up ? &k : &first);
    polyhedra_add(s->memory, &later, p);
  }
  linear_variables(value, 3, 0);
  linear_variables(&value[3], 3, 0);
  value[3 + third].base = up ? -1 : 1;
  for (int i = 0; i < above->n; i++) {
    polyhedron *p = polyhedron_new(s->memory, 3);
    polyhedron_include(s->memory, p, above->item[i], value, 6);
    if (!p->open)
      polyhedra_add(s->memory, &good, p);
  }
  return polyhedra_minus(s->memory, &later, &good, 3, &bad) && bad.n == 0;
}

/* One place on along that index (0: the row, 1: the column) a cell has the splits of this one and at most so many
 * more. */
static bool grows(const gate_cells *p, int index, bool back, int64_t most)
{
  int64_t lo = back ? -p->lo[index] : p->lo[index], hi = back ? -p->hi[index] : p->hi[index];
  return lo <= 0 && hi >= 0 && hi - lo <= most;
}

/* Splits of a column are told by their words alone, a cell's come in their order, and cells grow with the time. */
static bool chained_cells(gating *s, const polyhedra *b, int row, int column, const linear *of_column)
{
  int array = s->of->use[0].array;
  return (of_column->coef[row] == 0 && grows(&s->claim->cells, 0, s->of->back, INT64_MAX) &&
          (chained(s, b, array, row, column, true) || chained(s, b, array, row, column, false))) ||
         bound_refuse(s->reason, "splits have no order");
}

/* The second family has the row for its class and the column for its time.  b stays where it lies between those gates,
 * too; splits of a row are told by their words alone, and cells grow by one with both times. */
static bool ordered_cells(gating *s, polyhedra *b, int row, int column, const linear *of_row)
{
  const gate_use *u = s->claim->family[0].use, *v = s->claim->family[1].use;
  bool back = s->of->back;
  used again;
  gating_begin(s, 1);
  bool good = s->of->uses == 2 && !s->of->waits && s->of->lag <= 1 && s->of->partner < 0 && s->sets->keys == 2 &&
              s->of->array == s->claim->family[0].array && s->of->time >= 0 && v[0].keys.loop[s->of->time] == column &&
              v[0].keys.loop[s->sets->index[s->sets->index[0] == s->of->time]] == row && v[0].array == u[1].array &&
              v[0].access == u[1].access && v[1].array == u[0].array && v[1].access == u[0].access &&
              of_row->coef[column] == 0 && s->claim->cells.chained;
  if (!good)
    return bound_refuse(s->reason, "rows are not ordered as columns are");
  if (!gating_between(s, &v[0], &again) || !gating_keep_in(s, b, &again.b, 3))
    return false;
  good = grows(&s->claim->cells, 0, back, 1) && grows(&s->claim->cells, 1, s->of->back, 1);
  gating_begin(s, 0);
  return good || bound_refuse(s->reason, "cells grow by more than one");
}

/* Words that begin with a computed element. */
static bool count_births(gating *s, int component)
{
  bool good = true;
  SCOPED_MPZ n;
  mpz_init(n);
  for (int x = 0; x < s->f->form.arrays && good; x++)
    if (s->f->words.component[x] == component) {
      good = s->f->form.array[x].known && polyhedra_count(&s->f->words.start[x], n);
      mpz_add(s->g->set[0].births, s->g->set[0].births, n);
    }
  return good;
}

/* The class of the gates is the column, their time the row.  A cell's elements lie between its gate and the next one of
 * its column, so that one cell of a column is under way; rows need no order.  The words they read are told by the
 * column and the third loop, and by the row and the third loop, and one word at most is of a row and of a column.
 */
bool gating_cells(gating *s)
{
  gating_begin(s, 0);
  const gate_family *of = s->of;
  const gate_use *u = of->use;
  used in_column, in_row;
  if (of->uses != 2 || of->waits || of->time < 0 || of->lag > 1 || of->partner >= 0 || s->sets->keys != 2)
    return bound_refuse(s->reason, "cells have a row's word and a column's, and gates by both");
  if (!gating_between(s, &u[0], &in_column) || !gating_users(s, &u[1], &in_row))
    return false;
  int class = s->sets->index[s->sets->index[0] == of->time], row = u[0].keys.loop[of->time],
      column = u[0].keys.loop[class], third = 3 - row - column;
  if (in_column.array != in_row.array || in_column.component != in_row.component || in_column.rank != 3 ||
      in_column.labels != 2 || row == column)
    return bound_refuse(s->reason, "rows and columns are not told apart");
  int of_row = label_of(&in_row, row), of_column = label_of(&in_column, column);
  if (of_row < 0 || of_column < 0 || of_row == of_column || in_row.label[of_column].coef[third] == 0 ||
      in_column.label[of_row].coef[third] == 0)
    return bound_refuse(s->reason, "the words of a row or column are not told by it");
  polyhedra b = in_column.b;
  b.room = b.n;
  if (s->claim->cells.once && !count_births(s, in_column.component))
    return bound_refuse(s->reason, "the beginnings of words are not counted");
  if (!gating_keep_in(s, &b, &in_row.b, 3) ||
      (s->claim->cells.ordered && !ordered_cells(s, &b, row, column, &in_row.label[of_column])))
    return false;
  polyhedra_join(s->memory, &b);
  if (!whole_cells(s, &b, row, column) ||
      (s->claim->cells.chained && !chained_cells(s, &b, row, column, &in_column.label[of_row])))
    return false;
  return weigh(s, &b, row, column) || bound_refuse(s->reason, "the steps are not counted");
}

/* The bound of Theorem 24 goes to `most`, which stays as it is where the theorem says nothing; y is x and what rows and
   columns share. */
static void ordered_most(const gate_cells *p, const mpz_t x, const mpz_t y, mpz_t most)
{
  SCOPED_MPZ square, divisor, part, above;
  mpz_inits(square, divisor, part, above, NULL);
  mpz_set_si(divisor, p->least);
  mpz_mul_2exp(above, divisor, 1);
  mpz_sub_ui(above, above, 1);
  mpz_mul(square, divisor, divisor);
  mpz_set(divisor, square);
  mpz_sub_ui(divisor, divisor, 4 * (unsigned long)p->cap);
  if (mpz_cmp(x, above) < 0)
    mpz_mul_si(most, x, p->cap);
  else if (mpz_sgn(divisor) > 0) {
    mpz_mul_2exp(divisor, divisor, 2);
    mpz_set_si(above, p->cap);
    mpz_sub(part, y, above);
    mpz_mul(part, part, part);
    mpz_mul(part, part, square);
    mpz_fdiv_q(part, part, divisor);
    if (mpz_cmp(y, above) < 0)
      mpz_set_ui(part, 0);
    mpz_addmul_ui(divisor, square, 8);
    mpz_add(above, above, y);
    mpz_mul(above, above, above);
    mpz_mul(above, above, square);
    mpz_fdiv_q(above, above, divisor);
    mpz_mul_si(most, y, p->cap);
    mpz_add(most, most, mpz_cmp(part, above) < 0 ? above : part);
  }
}

void cells_most(const gate_cells *p, const mpz_t x, mpz_t most)
{
  enum { ROUNDS = 3 };
  SCOPED_MPZ f, shared, all, least, once;
  mpz_inits(f, shared, all, least, once, NULL);
  mpz_set_si(least, p->least);
  mpz_fdiv_q(f, x, least);
  mpz_mul(shared, f, f);
  mpz_mul(least, least, least);
  for (int round = 0; round < ROUNDS; round++) { /* words of a row and of a column: a pair of these has one at most */
    mpz_add(all, x, shared);
    mpz_mul(all, all, all);
    mpz_fdiv_q_2exp(all, all, 2);
    mpz_fdiv_q(all, all, least);
    if (mpz_cmp(all, shared) < 0)
      mpz_set(shared, all);
  }
  mpz_add(all, x, shared);
  mpz_set(once, all);
  mpz_mul(all, all, all);
  mpz_fdiv_q_2exp(all, all, 2);
  mpz_mul(f, f, x);
  mpz_mul_si(f, f, p->cap);
  mpz_mul_si(most, x, 2 * p->cap);
  mpz_add(most, most, mpz_cmp(f, all) < 0 ? f : all);
  mpz_set(f, most);
  if (p->chained) {
    mpz_set_si(all, p->cap);
    mpz_add(all, all, once);
    mpz_mul(all, all, all);
    mpz_fdiv_q_2exp(f, all, 2);
    mpz_mul_si(all, x, p->cap);
    mpz_add(f, f, all);
  }
  if (mpz_cmp(f, most) < 0)
    mpz_set(most, f);
  if (p->ordered)
    ordered_most(p, x, once, f);
  if (mpz_cmp(f, most) < 0)
    mpz_set(most, f);
}
