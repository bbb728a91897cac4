/* Each expression is read where it stands: comparisons, min and max cut the points in two, a quotient is one more
 * variable. */
#include "cdag/polyhedral/read.h"
#include "base/num.h"
#include <string.h>

enum { CHOICES_MOST = 96, RUNS_MOST = 64, ENTRIES_MOST = 1 << 17 };

static void emit(const affine_reader *r, choices *out, const polyhedron *where, const linear *value)
{
  if (out->n >= CHOICES_MOST || where->open) {
    out->unread = true;
    return;
  }
  out->item = arena_room(r->memory, out->item, out->n, &out->room, sizeof *out->item);
  out->item[out->n++] = (choice){ where, *value };
}

/* The part of `where` with f >= 0 (f == 0), unless it is empty. */
static void emit_part(const affine_reader *r, choices *out, const polyhedron *where, const linear *f, bool equal,
                      const linear *value)
{
  polyhedron *part = polyhedron_copy(r->memory, where);
  polyhedron_add(r->memory, part, f, equal);
  if (!polyhedron_empty(part))
    emit(r, out, part, value);
}

typedef bool (*binary)(const affine_reader *r, const polyhedron *where, const linear *a, const linear *b, expr_op op,
                       choices *out);

/* `false && e` and `true || e`: e need not be read, which would cut the points for nothing. */
static bool settles(const expr *e, int arg, const linear *so_far)
{
  return expr_is_extreme(e) && linear_is_constant(so_far) && so_far->base == (e->op == EXPR_MAX) &&
         expr_is_truth(e->arg[arg]) && !expr_uses_table(e->arg[arg]);
}

/* The arguments one after another, each on the parts of those before. */
static void each_pair(const affine_reader *r, const expr *e, const polyhedron *where, binary with, choices *out)
{
  choices a = { 0 };
  affine_read(r, e->arg[0], where, &a);
  for (int arg = 1; arg < e->nargs; arg++) {
    choices both = { .unread = a.unread };
    for (int i = 0; i < a.n; i++) {
      choices b = { 0 };
      if (settles(e, arg, &a.item[i].value)) {
        emit(r, &both, a.item[i].where, &a.item[i].value);
        continue;
      }
      affine_read(r, e->arg[arg], a.item[i].where, &b);
      both.unread = both.unread || b.unread;
      for (int k = 0; k < b.n; k++)
        if (!with(r, b.item[k].where, &a.item[i].value, &b.item[k].value, e->op, &both))
          both.unread = true;
    }
    a = both;
  }
  *out = a;
}

static bool add_pair(const affine_reader *r, const polyhedron *where, const linear *a, const linear *b, expr_op op,
                     choices *out)
{
  linear sum = *a;
  if (!linear_add(&sum, b, op == EXPR_SUB ? -1 : 1))
    return false;
  emit(r, out, where, &sum);
  return true;
}

static bool multiply_pair(const affine_reader *r, const polyhedron *where, const linear *a, const linear *b, expr_op op,
                          choices *out)
{
  (void)op;
  linear product = { 0 };
  if (!linear_is_constant(a) && !linear_is_constant(b))
    return false;
  if (!(linear_is_constant(a) ? linear_add(&product, b, a->base) : linear_add(&product, a, b->base)))
    return false;
  emit(r, out, where, &product);
  return true;
}

/* The quotient floor(f / c) as a variable: 0 <= f - c q < c.  One that is there already serves again. */
static int quotient(const affine_reader *r, polyhedron *where, const linear *f, int64_t c)
{
  for (int i = 0; i < where->n; i++) {
    linear rest = where->row[i].form;
    for (int v = 0; v < where->vars && where->row[i].defines; v++)
      if (rest.coef[v] == -c && f->coef[v] == 0) {
        rest.coef[v] = 0;
        if (linear_equal(&rest, f))
          return v;
        rest.coef[v] = -c;
      }
  }
  int q = polyhedron_variable(where);
  linear low = *f, high = linear_constant(c - 1);
  if (q < 0 || !linear_add(&high, f, -1))
    return -1;
  low.coef[q] = -c;
  high.coef[q] = c;
  polyhedron_add(r->memory, where, &low, false);
  where->row[where->n - 1].defines = true;
  polyhedron_add(r->memory, where, &high, false);
  where->row[where->n - 1].defines = true;
  return q;
}

static bool all_divisible(const linear *f, int64_t c)
{
  for (int v = 0; v < POLYHEDRON_VARS; v++)
    if (f->coef[v] % c)
      return false;
  return true;
}

static bool is_variable(const linear *f)
{
  int some = 0;
  for (int v = 0; v < POLYHEDRON_VARS; v++)
    some += f->coef[v] != 0;
  return some <= 1 && f->base == 0;
}

static bool emit_quotient(const affine_reader *r, choices *out, polyhedron *where, linear f, int64_t c,
                          const linear *quotient, bool rest)
{
  if (rest && !linear_add(&f, quotient, -c))
    return false;
  emit(r, out, where, rest ? &f : quotient);
  return true;
}

/* A form that wraps round, as (i + 1) % n does: its quotient has two neighbouring values.  An index that is divided is
   kept whole: flat.c makes it two. */
static bool wraps(const polyhedron *where, const linear *f, int64_t c, int64_t *first)
{
  int64_t lo, hi;
  if (is_variable(f) || !polyhedron_span(where, f, &lo, &hi))
    return false;
  *first = num_floor_div(lo, c);
  return num_floor_div(hi, c) - *first <= 1;
}

static bool each_round(const affine_reader *r, const polyhedron *where, const linear *f, int64_t c, int64_t first,
                       bool rest, choices *out)
{
  for (int64_t k = first; k <= first + 1; k++) {
    polyhedron *part = polyhedron_copy(r->memory, where);
    linear quotient = linear_constant(k), low = linear_constant(k * c), high = linear_constant(k * c + c - 1);
    polyhedron_require(r->memory, part, &low, f);
    polyhedron_require(r->memory, part, f, &high);
    if (!polyhedron_empty(part) && !emit_quotient(r, out, part, *f, c, &quotient, rest))
      return false;
  }
  return true;
}

/* floor(f / c) or f - c floor(f / c), c > 0 */
static bool divide_form(const affine_reader *r, const polyhedron *where, linear f, int64_t c, bool rest, choices *out)
{
  linear q = { 0 };
  int64_t first;
  polyhedron *part = polyhedron_copy(r->memory, where);
  if (!all_divisible(&f, c) && wraps(where, &f, c, &first))
    return each_round(r, where, &f, c, first, rest, out);
  if (all_divisible(&f, c)) {
    for (int v = 0; v < POLYHEDRON_VARS; v++)
      q.coef[v] = f.coef[v] / c;
    q.base = num_floor_div(f.base, c);
  } else {
    int v = quotient(r, part, &f, c);
    if (v < 0)
      return false;
    q = linear_variable(v);
  }
  return emit_quotient(r, out, part, f, c, &q, rest);
}

static bool divide_pair(const affine_reader *r, const polyhedron *where, const linear *a, const linear *b, expr_op op,
                        choices *out)
{
  linear f = *a, minus = { 0 };
  int64_t c = b->base;
  if (!linear_is_constant(b) || c == 0 || c == INT64_MIN)
    return false;
  if (op == EXPR_CEIL && (c < 0 || !num_add(f.base, c - 1, &f.base)))
    return false;
  if (c < 0 && (op == EXPR_MOD || !linear_add(&minus, &f, -1)))
    return false;
  return divide_form(r, where, c < 0 ? minus : f, c < 0 ? -c : c, op == EXPR_MOD, out);
}

/* The parts where a < b, a == b, a > b, as the comparison wants them. */
static bool compare_pair(const affine_reader *r, const polyhedron *where, const linear *a, const linear *b, expr_op op,
                         choices *out)
{
  linear less = *b, same = *b, more = *a;
  if (!linear_add(&less, a, -1) || !linear_add(&same, a, -1) || !linear_add(&more, b, -1))
    return false;
  less.base--;
  more.base--;
  bool lt = op == EXPR_LT || op == EXPR_LE || op == EXPR_NE, eq = op == EXPR_LE || op == EXPR_GE || op == EXPR_EQ,
       gt = op == EXPR_GT || op == EXPR_GE || op == EXPR_NE;
  linear value = linear_constant(lt);
  if (lt == eq || eq == gt) { /* two parts are enough */
    linear at_most = less, at_least = more;
    at_most.base++;
    at_least.base++;
    value = linear_constant(lt);
    emit_part(r, out, where, lt == eq ? &at_most : &less, false, &value);
    value = linear_constant(gt);
    emit_part(r, out, where, lt == eq ? &more : &at_least, false, &value);
    return true;
  }
  emit_part(r, out, where, &less, false, &value);
  value = linear_constant(eq);
  emit_part(r, out, where, &same, true, &value);
  value = linear_constant(gt);
  emit_part(r, out, where, &more, false, &value);
  return true;
}

static bool extreme_pair(const affine_reader *r, const polyhedron *where, const linear *a, const linear *b, expr_op op,
                         choices *out)
{
  linear most = *b, more = *a;
  if (!linear_add(&most, a, -1) || !linear_add(&more, b, -1))
    return false;
  more.base--;
  emit_part(r, out, where, &most, false, op == EXPR_MIN ? a : b); /* a <= b */
  emit_part(r, out, where, &more, false, op == EXPR_MIN ? b : a);
  return true;
}

/* ---- tables ---- */

/* Where in the table: the arguments, of which at most one is no constant. */
typedef struct {
  const expr_table *t;
  linear at[8];
  int varying;                 /* -1: none */
} lookup;

static int64_t entry(const lookup *l, int64_t x, bool *there)
{
  int64_t position = 0;
  *there = true;
  for (int r = 0; r < l->t->rank; r++) {
    int64_t i = r == l->varying ? x : l->at[r].base;
    *there = *there && i >= 0 && i < l->t->extent[r];
    position = position * l->t->extent[r] + i;
  }
  return *there ? expr_entry(l->t, position) : 0;
}

/* Runs of equal differences along the varying argument. */
static void read_runs(const affine_reader *r, const polyhedron *where, const lookup *l, choices *out)
{
  bool there;
  int64_t n = l->t->extent[l->varying];
  int runs = 0;
  for (int64_t from = 0, to; from < n && !out->unread; from = to) {
    int64_t first = entry(l, from, &there), step = 0;
    if (!there)
      return;
    for (to = from + 1; to < n; to++) {
      int64_t next = entry(l, to, &there);
      if (to == from + 1 && !num_sub(next, first, &step))
        break;
      if (next != first + step * (to - from))
        break;
    }
    if (to - from == 2 && to < n)
      step = 0, to = from + 1; /* two entries make no run: the second may begin one */
    linear value = linear_constant(first - step * from), low = l->at[l->varying], high = linear_constant(to - 1);
    polyhedron *part = polyhedron_copy(r->memory, where);
    low.base -= from;
    if (!linear_add(&value, &l->at[l->varying], step) || !linear_add(&high, &l->at[l->varying], -1)) {
      out->unread = true;
      return;
    }
    polyhedron_add(r->memory, part, &low, false);
    polyhedron_add(r->memory, part, &high, false);
    if (!polyhedron_empty(part))
      emit(r, out, part, &value);
    if (++runs > RUNS_MOST)
      out->unread = true;
  }
}

/* Arguments one after another, each on the parts of those before. */
static void read_table(const affine_reader *r, const expr *e, int arg, const polyhedron *where, lookup *l, choices *out)
{
  if (arg < e->nargs) {
    choices a = { 0 };
    affine_read(r, e->arg[arg], where, &a);
    out->unread = out->unread || a.unread;
    for (int i = 0; i < a.n; i++) {
      lookup next = *l;
      next.at[arg] = a.item[i].value;
      if (!linear_is_constant(&next.at[arg])) {
        if (next.varying >= 0) {
          out->unread = true;
          return;
        }
        next.varying = arg;
      }
      read_table(r, e, arg + 1, a.item[i].where, &next, out);
    }
    return;
  }
  if (l->varying >= 0) {
    if (l->t->extent[l->varying] > ENTRIES_MOST)
      out->unread = true;
    else
      read_runs(r, where, l, out);
    return;
  }
  bool there;
  linear value = linear_constant(entry(l, 0, &there));
  if (there)
    emit(r, out, where, &value);
}

/* ---- */

static bool constant_value(const affine_reader *r, const expr *e, int64_t *value)
{
  expr_env env = { r->param_value, r->table };
  return !expr_uses(e, r->params, r->params + POLYHEDRON_VARS) && expr_eval(e, &env, value, NULL) == EXPR_OK;
}

static void negate(const affine_reader *r, const expr *e, const polyhedron *where, choices *out)
{
  choices a = { 0 };
  affine_read(r, e->arg[0], where, &a);
  out->unread = out->unread || a.unread;
  for (int i = 0; i < a.n; i++) {
    linear minus = { 0 };
    if (linear_add(&minus, &a.item[i].value, -1))
      emit(r, out, a.item[i].where, &minus);
    else
      out->unread = true;
  }
}

void affine_read(const affine_reader *r, const expr *e, const polyhedron *where, choices *out)
{
  static const binary by_op[] = {
    [EXPR_ADD] = add_pair,     [EXPR_SUB] = add_pair,     [EXPR_MUL] = multiply_pair, [EXPR_DIV] = divide_pair,
    [EXPR_MOD] = divide_pair,  [EXPR_CEIL] = divide_pair, [EXPR_EQ] = compare_pair,   [EXPR_NE] = compare_pair,
    [EXPR_LT] = compare_pair,  [EXPR_LE] = compare_pair,  [EXPR_GT] = compare_pair,   [EXPR_GE] = compare_pair,
    [EXPR_MIN] = extreme_pair, [EXPR_MAX] = extreme_pair,
  };
  int64_t number;
  linear value;
  if (constant_value(r, e, &number)) {
    value = linear_constant(number);
    emit(r, out, where, &value);
  } else if (e->op == EXPR_SLOT && e->slot >= r->params) {
    value = linear_variable(e->slot - r->params);
    emit(r, out, where, &value);
  } else if (e->op == EXPR_NEG)
    negate(r, e, where, out);
  else if (e->op == EXPR_TABLE && e->nargs == r->table[e->slot].rank) {
    lookup l = { .t = &r->table[e->slot], .varying = -1 };
    read_table(r, e, 0, where, &l, out);
  } else if ((size_t)e->op < sizeof by_op / sizeof *by_op && by_op[e->op] && e->nargs >= 2)
    each_pair(r, e, where, by_op[e->op], out);
  else
    out->unread = true;
}
