/* schedules/symbolic/tables/join.c -- which iterations of two listed loops meet a condition that names one of theirs:
   `for I { for q { if col[I,q] == J { .. } } }`.

   For each J all iterations of I and q would be listed only to be passed over in all but a few.  Instead the values of
   col[I,q] are written down once, in their order, and the iterations that meet each J are looked up; in those that do
   not nothing is moved. */
#include "schedules/symbolic/tables/iterations.h"
#include "base/mem.h"
#include <stdlib.h>

typedef struct { int64_t value, outer, inner; } joined;

struct iteration_join {
  const schedule_node *outer, *inner;
  bool good;                   /* else it is not of this form, or has a value missing */
  const expr *value, *wanted;  /* read by the two loops, and by those around them */
  joined *row;
  size_t rows, room;
};

/* ---- finding one ---- */

/* The only statement of a block that matters. */
static const schedule_node *only_child(const formula *f, const schedule_node *n)
{
  const schedule_node *only = NULL;
  if (n->kind != SCHEDULE_BLOCK)
    return n;
  for (int i = 0; i < n->children; i++)
    if (formula_matters(f, n->child[i])) {
      if (only)
        return NULL;
      only = n->child[i];
    }
  return only;
}

static bool is_plain_loop(const formula *f, const schedule_node *n)
{
  const schedule_loop *l = n && n->kind == SCHEDULE_FOR ? &f->s->loop[n->loop] : NULL;
  return l && f->iterations->listed[n->loop] && l->over_loop < 0 && !l->blocked && !l->snake;
}

static bool reads(const formula *f, const expr *e, int loop)
{
  int slot = f->s->loop[loop].slot;
  return e && expr_uses(e, slot, slot + SCHEDULE_LOOP_SLOTS);
}

/* Of loops it reads only these two, of the rest numbers. */
static bool reads_only(const formula *f, const expr *e, int one, int other)
{
  for (int l = 0; l < f->s->loops && e; l++)
    if (l != one && l != other && reads(f, e, l))
      return false;
  return !e || formula_is_listed(f, e);
}

static bool set_sides(const formula *f, iteration_join *j, const expr *value, const expr *wanted)
{
  int outer = j->outer->loop, inner = j->inner->loop;
  j->value = value;
  j->wanted = wanted;
  return reads_only(f, value, outer, inner) && reads(f, value, inner) && formula_is_listed(f, wanted) &&
         !reads(f, wanted, outer) && !reads(f, wanted, inner);
}

static bool find(const formula *f, const schedule_node *n, iteration_join *j)
{
  j->outer = n;
  j->inner = is_plain_loop(f, n) ? only_child(f, n->child[0]) : NULL;
  const schedule_node *test = is_plain_loop(f, j->inner) ? only_child(f, j->inner->child[0]) : NULL;
  if (!test || test->kind != SCHEDULE_IF || test->condition->op != EXPR_EQ ||
      (test->children > 1 && formula_matters(f, test->child[1])))
    return false;
  const schedule_loop *outer = &f->s->loop[n->loop], *inner = &f->s->loop[j->inner->loop];
  bool ranges = reads_only(f, outer->lo, -1, -1) && reads_only(f, outer->hi, -1, -1) &&
                reads_only(f, inner->lo, n->loop, -1) && reads_only(f, inner->hi, n->loop, -1);
  expr **side = test->condition->arg;
  return ranges && (set_sides(f, j, side[0], side[1]) || set_sides(f, j, side[1], side[0]));
}

/* ---- writing it down ---- */

static int by_value(const void *p, const void *q)
{
  const joined *a = p, *b = q;
  if (a->value != b->value)
    return a->value < b->value ? -1 : 1;
  if (a->outer != b->outer)
    return a->outer < b->outer ? -1 : 1;
  return a->inner < b->inner ? -1 : a->inner > b->inner;
}

static bool add_row(formula *f, iteration_join *j, int64_t outer, int64_t inner)
{
  joined r = { .outer = outer, .inner = inner };
  expr_env env = { f->iterations->slot, f->s->g->table };
  if (j->rows == FORMULA_ITERATIONS || expr_eval(j->value, &env, &r.value, NULL) != EXPR_OK)
    return false;
  j->row = mem_room(j->row, j->rows, &j->room, sizeof *j->row);
  j->row[j->rows++] = r;
  return true;
}

static void put(formula *f, const schedule_loop *l, const iteration_range *r, int64_t lo)
{
  listed_iteration at = formula_iteration_at(l, r, lo, 0);
  formula_put_values(f->iterations, l, &at);
}

static bool fill_inner(formula *f, iteration_join *j, int64_t outer)
{
  const schedule_loop *l = &f->s->loop[j->inner->loop];
  iteration_range r;
  bool ok = formula_iteration_range(f, l, &r);
  for (int64_t i = r.lo; ok && i < r.hi; i++) {
    put(f, l, &r, i);
    ok = add_row(f, j, outer, i);
  }
  return ok;
}

static bool fill(formula *f, iteration_join *j)
{
  const schedule_loop *l = &f->s->loop[j->outer->loop];
  iteration_range r;
  bool ok = formula_iteration_range(f, l, &r) && (__int128)r.hi - r.lo <= FORMULA_ITERATIONS;
  for (int64_t i = r.lo; ok && i < r.hi; i++) {
    put(f, l, &r, i);
    ok = fill_inner(f, j, i);
  }
  if (ok && j->rows > 0)
    qsort(j->row, j->rows, sizeof *j->row, by_value);
  return ok;
}

static iteration_join *try_join(formula *f, const schedule_node *n)
{
  formula_iterations *t = f->iterations;
  iteration_join *j = MEM_NEW(iteration_join, 1);
  t->join = mem_room(t->join, t->joins, &t->join_room, sizeof *t->join);
  t->join[t->joins++] = j;
  j->good = find(f, n, j) && fill(f, j);
  return j;
}

const iteration_join *formula_join_of(formula *f, const schedule_node *n)
{
  const formula_iterations *t = f->iterations;
  for (size_t i = 0; i < t->joins; i++)
    if (t->join[i]->outer == n || (t->join[i]->good && t->join[i]->inner == n))
      return t->join[i]->good ? t->join[i] : NULL;
  const iteration_join *j = try_join(f, n);
  return j->good ? j : NULL;
}

void formula_join_free(iteration_join *j)
{
  mem_free(j->row);
  mem_free(j);
}

/* ---- looking it up ---- */

/* The first row that does not come before this one. */
static size_t first_row(const iteration_join *j, const joined *at)
{
  size_t lo = 0, hi = j->rows;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (by_value(&j->row[mid], at) < 0)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

bool formula_join_iterations(formula *f, const iteration_join *j, const schedule_node *n, iteration_list *to,
                             uint32_t of)
{
  const schedule_loop *l = &f->s->loop[n->loop];
  bool outer = n == j->outer;
  const int64_t *slot = f->iterations->slot;
  joined at = { .outer = outer ? INT64_MIN : slot[f->s->loop[j->outer->loop].slot], .inner = INT64_MIN };
  expr_env env = { slot, f->s->g->table };
  iteration_range r;
  if (!formula_iteration_range(f, l, &r) || expr_eval(j->wanted, &env, &at.value, NULL) != EXPR_OK)
    return formula_fail(f, n->line, "an expression has no value in some iterations");
  for (size_t i = first_row(j, &at);
       i < j->rows && j->row[i].value == at.value && (outer || j->row[i].outer == at.outer); i++)
    if (!outer || to->n == 0 || to->iteration[to->n - 1].of != of || to->iteration[to->n - 1].lo != j->row[i].outer)
      if (!formula_write_iteration(f, l, to, &r, outer ? j->row[i].outer : j->row[i].inner, of))
        return false;
  return true;
}
