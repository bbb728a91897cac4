/* sugar.c -- what the language says shortly, said in the rest of it, so that no other file knows it.

   A condition.  `TERM if COND` is the term with + if[COND == 0] in one of its indices, where `if` is a table of one
   entry, 0: a table read outside its bounds makes the term absent.  The reserved word is a name no text can give.

   A sum.  `C[i:n] = FIRST, sum a:p, b:q { TERMS }` is a chain with one vertex a step: the array has the indices i, a,
   b, and reads its own element before in lexicographic order, the TERMS, and on the first step FIRST.  C[i] names the
   last step.  A sum without steps has no vertex: who reads its end reads FIRST instead.

   Several rules.  The array's domain is the union of theirs; each rule's terms stand under the condition that tells its
   elements. */
#include "cdag/domain/points.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/patience.h"
#include <stdio.h>
#include <string.h>

/* ---- expressions ---- */

static expr *placed(expr *e, int line, int column)
{
  e->line = line;
  e->column = column;
  return e;
}

static expr *truth(expr *e) { return expr_is_truth(e) ? e : expr_binary(EXPR_NE, e, expr_const(0)); }

/* Both conditions, of which NULL is none. */
static expr *both(expr *a, expr *b) { return !a ? b : !b ? a : expr_binary(EXPR_MIN, truth(a), truth(b)); }

static expr *plus(expr *e, int64_t c)
{
  if (e->op == EXPR_CONST) {
    e->value += c;
    return e;
  }
  return c < 0 ? expr_binary(EXPR_SUB, e, expr_const(-c)) : expr_binary(EXPR_ADD, e, expr_const(c));
}

static expr *variable(const cdag_array *a, int r) { return expr_slot(CDAG_VARIABLE + r, a->var[r]); }

/* ---- conditions ---- */

int cdag_guard_table(cdag *g)
{
  if (g->priv->guard_table)
    return g->priv->guard_table - 1;
  table_text def = { .kind = TABLE_LIST, .values = 1 };
  def.size[0] = expr_const(1);
  def.value = MEM_NEW(expr *, 1);
  def.value[0] = expr_const(0);
  g->table = mem_grow(g->table, (size_t)g->tables + 1, sizeof *g->table);
  g->priv->table = mem_grow(g->priv->table, (size_t)g->tables + 1, sizeof *g->priv->table);
  g->table[g->tables] = (expr_table){ .name = mem_text("if"), .rank = 1 };
  g->priv->table[g->tables++] = def;
  g->priv->guard_table = g->tables;
  return g->tables - 1;
}

/* An index that can hold a condition: `*` becomes the range of the first index, which depends on no other. */
static int guardable(cdag_term *t, const cdag_array *target)
{
  for (int r = 0; r < target->rank; r++)
    if (t->index[r].kind != CDAG_ALL)
      return r;
  t->index[0].kind = CDAG_RANGE;
  t->index[0].lo = placed(expr_copy(target->lo[0]), t->line, t->column);
  t->index[0].hi = placed(expr_copy(target->hi[0]), t->line, t->column);
  return 0;
}

void cdag_guard_term(cdag *g, cdag_term *t, const cdag_array *target, expr *condition)
{
  if (t->guarded) {
    expr *never = t->index[t->guarded - 1].lo->arg[1]->arg[0];
    never->arg[0] = both(never->arg[0], condition);
    return;
  }
  int r = guardable(t, target);
  expr *read = expr_copy(&(expr){ .op = EXPR_TABLE, .slot = cdag_guard_table(g), .name = "if" });
  read->nargs = 1;
  read->arg = MEM_NEW(expr *, 1);
  read->arg[0] = expr_binary(EXPR_EQ, condition, expr_const(0));
  placed(read, t->line, t->column);
  t->index[r].lo = placed(expr_binary(EXPR_ADD, t->index[r].lo, read), t->line, t->column);
  t->guarded = r + 1;
}

const expr *cdag_term_condition(const cdag_term *t)
{
  return t->guarded ? t->index[t->guarded - 1].lo->arg[1]->arg[0]->arg[0] : NULL;
}

cdag_index cdag_plain_index(const cdag *g, int array, const cdag_term *t, int q)
{
  cdag_index x = t->index[q];
  expr_env env = { g->param_value, g->table };
  int named = 0, rank = g->array[array].rank;
  if (t->guarded != q + 1)
    return x;
  x.lo = x.lo->arg[0];
  x.affine = expr_affine(x.lo, &env, g->params, rank, &x.base, x.coef) &&
             (x.kind != CDAG_RANGE || expr_affine(x.hi, &env, g->params, rank, &x.hi_base, x.hi_coef));
  x.var = x.affine && x.kind == CDAG_AT ? -1 : -2;
  for (int r = 0; r < rank && x.var > -2; r++)
    if (x.coef[r])
      x.var = named++ || x.coef[r] != 1 ? -2 : r;
  return x;
}

/* ---- sums ---- */

/* The element before in which index `carry` is one less, those after it at their last and this one's at their first. */
static void put_step(cdag_array *a, cdag_term *t, int self, int carry)
{
  *t = (cdag_term){ .array = self, .line = a->line, .column = a->column };
  for (int r = 0; r < a->rank; r++) {
    expr *v = variable(a, r);
    if (r == carry)
      v = plus(v, -1);
    else if (r > carry) /* hi - 1 + v - lo: there at v = lo alone */
      v = expr_binary(
          EXPR_ADD, plus(expr_copy(a->hi[r]), -1),
          a->lo[r]->op == EXPR_CONST && a->lo[r]->value == 0 ? v : expr_binary(EXPR_SUB, v, expr_copy(a->lo[r])));
    t->index[r].lo = placed(v, a->line, a->column);
  }
}

/* The condition that this is the first step. */
static expr *first_step(const cdag_array *a)
{
  expr *first = NULL;
  for (int r = a->rank - a->sums; r < a->rank; r++)
    first = both(first, expr_binary(EXPR_EQ, variable(a, r), expr_copy(a->lo[r])));
  return first;
}

void cdag_chain_sum(cdag *g, int array, int first_terms)
{
  cdag_array *a = &g->array[array];
  cdag_term *old = a->term;
  for (int t = 0; t < first_terms; t++)
    old[t].guard = both(old[t].guard, first_step(a));
  a->term = MEM_NEW(cdag_term, (size_t)(a->terms + a->sums));
  for (int k = 0; k < a->sums; k++)
    put_step(a, &a->term[k], array, a->rank - 1 - k);
  memcpy(a->term + a->sums, old, (size_t)a->terms * sizeof *old);
  a->terms += a->sums;
  a->first_terms = first_terms;
  mem_free(old);
}

/* e with the variables of an array at the values of these indices; false when one of them has no single value. */
static bool substitute(expr **e, const cdag_index *x)
{
  bool good = true;
  if ((*e)->op == EXPR_SLOT && (*e)->slot >= CDAG_VARIABLE) {
    const cdag_index *at = &x[(*e)->slot - CDAG_VARIABLE];
    if (at->kind != CDAG_AT)
      return false;
    expr_free(*e);
    *e = expr_copy(at->lo);
    return true;
  }
  for (int i = 0; i < (*e)->nargs && good; i++)
    good = substitute(&(*e)->arg[i], x);
  return good;
}

status cdag_end_of_sum(const cdag *g, const cdag_array *target, cdag_index *x, int *rank, int line, int column, diag *d)
{
  for (int r = *rank; r < target->rank; r++) {
    expr *last = plus(expr_copy(target->hi[r]), -1);
    bool good = substitute(&last, x);
    x[r] = (cdag_index){ .lo = placed(last, line, column) };
    if (!good)
      return diag_at(d, BAD_INPUT, "index", g->priv->file, line, column,
                     "where the sum of %s ends depends on an index that has many values here: write its last index "
                     "out, or 'output' before its rule",
                     target->name);
  }
  *rank = target->rank;
  return OK;
}

/* The ends of a sum, or one rule's elements, as a selection of outputs: variables for the indices that are named; the
 * first has slot `first` (CDAG_VARIABLE while parsing). */
static void select_rule(cdag *g, int array, const cdag_array *rule, int first)
{
  g->selection = mem_grow(g->selection, (size_t)g->selections + 1, sizeof *g->selection);
  cdag_selection *s = &g->selection[g->selections++];
  *s = (cdag_selection){ .array = array, .line = rule->line, .column = rule->column };
  for (int r = 0; r < rule->rank - rule->sums; r++) {
    int v = s->vars++;
    snprintf(s->var[v], CDAG_NAME, "%s", rule->var[r]);
    s->var_lo[v] = expr_copy(rule->lo[r]);
    s->var_hi[v] = expr_copy(rule->hi[r]);
    s->index[r].lo = placed(expr_slot(first + v, s->var[v]), rule->line, rule->column);
  }
}

/* e = *base + what is returned */
static int64_t offset(const expr *e, const expr **base)
{
  bool shifted = (e->op == EXPR_ADD || e->op == EXPR_SUB) && e->arg[1]->op == EXPR_CONST;
  *base = e->op == EXPR_CONST ? NULL : shifted ? e->arg[0] : e;
  return e->op == EXPR_CONST ? e->value : !shifted ? 0 : e->op == EXPR_ADD ? e->arg[1]->value : -e->arg[1]->value;
}

/* A sum of a few variables and parameters, each times a number. */
enum { SLOTS_MOST = 8, TIMES_MOST = 1 << 20 };
typedef struct {
  int64_t base;
  int n, slot[SLOTS_MOST];
  int64_t times[SLOTS_MOST];
} slot_sum;

static bool add_slot(slot_sum *s, int slot, int64_t times)
{
  int at = 0;
  while (at < s->n && s->slot[at] != slot)
    at++;
  if (at == SLOTS_MOST)
    return false;
  s->slot[at] = slot;
  s->times[at] = (at < s->n ? s->times[at] : 0) + times;
  s->n += at == s->n;
  return s->times[at] <= TIMES_MOST && s->times[at] >= -TIMES_MOST;
}

/* s += times e, when it is such a sum. */
static bool add_expr(slot_sum *s, const expr *e, int64_t times)
{
  int64_t term;
  if (times > TIMES_MOST || times < -TIMES_MOST)
    return false;
  switch (e->op) {
  case EXPR_CONST: return num_mul(e->value, times, &term) && num_add(s->base, term, &s->base);
  case EXPR_SLOT: return add_slot(s, e->slot, times);
  case EXPR_NEG: return add_expr(s, e->arg[0], -times);
  case EXPR_ADD:
  case EXPR_SUB: return add_expr(s, e->arg[0], times) && add_expr(s, e->arg[1], e->op == EXPR_SUB ? -times : times);
  case EXPR_MUL: return e->arg[0]->op == EXPR_CONST && num_mul(times, e->arg[0]->value, &term) &&
                        add_expr(s, e->arg[1], term);
  default: return false;
  }
}

/* The comparison says that lo <= s <= hi, s without its base. */
static bool says_range(const expr *e, slot_sum *s, int64_t *lo, int64_t *hi)
{
  *s = (slot_sum){ 0 };
  if (!expr_is_comparison(e) || e->op == EXPR_NE || !add_expr(s, e->arg[0], 1) || !add_expr(s, e->arg[1], -1) ||
      s->base > INT64_MAX / 4 || s->base < -(INT64_MAX / 4))
    return false;
  *lo = e->op == EXPR_LT || e->op == EXPR_LE ? INT64_MIN / 2 : -s->base + (e->op == EXPR_GT);
  *hi = e->op == EXPR_GT || e->op == EXPR_GE ? INT64_MAX / 2 : -s->base - (e->op == EXPR_LT);
  return true;
}

/* 1: the same but for the bases; -1: the opposite; 0: neither. */
static int same_sum(const slot_sum *s, const slot_sum *t)
{
  slot_sum less = *t, more = *t;
  bool same = true, opposite = true;
  for (int k = 0; k < s->n; k++) {
    same = same && add_slot(&less, s->slot[k], -s->times[k]);
    opposite = opposite && add_slot(&more, s->slot[k], s->times[k]);
  }
  for (int k = 0; k < less.n; k++)
    same = same && less.times[k] == 0;
  for (int k = 0; k < more.n; k++)
    opposite = opposite && more.times[k] == 0;
  return same ? 1 : opposite ? -1 : 0;
}

/* Is it seen that the two conditions never hold together? */
static bool contradict(const expr *a, const expr *b)
{
  slot_sum x, y;
  int64_t lo, hi, low, high;
  if (!a || !b)
    return false;
  if (a->op == EXPR_MIN)
    return contradict(a->arg[0], b) || contradict(a->arg[1], b);
  if (b->op == EXPR_MIN)
    return contradict(a, b->arg[0]) || contradict(a, b->arg[1]);
  if (!says_range(a, &x, &lo, &hi) || !says_range(b, &y, &low, &high))
    return false;
  int same = same_sum(&x, &y);
  return (same > 0 && (hi < low || high < lo)) || (same < 0 && (hi < -high || -low < lo));
}

/* Is range r empty for some elements and not for others?  The usual ranges that are never empty are seen: k:i+1 and
 * k:i..n, where i begins at 0 and ends before n. */
static bool may_be_empty(const cdag_array *a, int r)
{
  const expr *low, *high, *from;
  int64_t lo = offset(a->lo[r], &low), hi = offset(a->hi[r], &high);
  for (int q = 0; q < r; q++) {
    if (high && !low && expr_is_slot(high, CDAG_VARIABLE + q) && offset(a->lo[q], &from) + hi > lo && !from)
      return false;
    if (low && expr_is_slot(low, CDAG_VARIABLE + q) && lo <= 0 && expr_equal(a->hi[r], a->hi[q]))
      return false;
  }
  return expr_uses(a->lo[r], CDAG_VARIABLE, CDAG_VARIABLE + CDAG_RANK) ||
         expr_uses(a->hi[r], CDAG_VARIABLE, CDAG_VARIABLE + CDAG_RANK);
}

/* A copy of e, which may be none, with the variables at the values of these indices; *good becomes false where one has
 * many. */
static expr *placed_at(const expr *e, const cdag_index *x, bool *good)
{
  expr *copy = e ? expr_copy(e) : NULL;
  *good = *good && (!copy || substitute(&copy, x));
  return copy;
}

/* The condition without what is always so, as that the first step is the first; takes it. */
static expr *what_it_asks(expr *e)
{
  if (!e || (e->op != EXPR_MIN && !(e->op == EXPR_EQ && expr_equal(e->arg[0], e->arg[1]))))
    return e;
  expr *rest = e->op == EXPR_EQ ? NULL : both(what_it_asks(expr_copy(e->arg[0])), what_it_asks(expr_copy(e->arg[1])));
  expr_free(e);
  return rest;
}

static void free_term(cdag_term *t)
{
  for (int q = 0; q < CDAG_RANK; q++) {
    expr_free(t->index[q].lo);
    expr_free(t->index[q].hi);
  }
  expr_free(t->guard);
}

/* Is it seen that under this condition the end of a sum that the term names does not exist? */
static bool names_nothing(const cdag *g, const cdag_term *t, const expr *asks, const expr *empty)
{
  const cdag_array *of = &g->array[t->array];
  bool never = false;
  for (int r = 0; r < of->rank - of->sums && t->end_of_sum && !never; r++) {
    bool good = true;
    if (t->index[r].kind != CDAG_AT)
      continue;
    expr *lo = placed_at(of->lo[r], t->index, &good), *hi = placed_at(of->hi[r], t->index, &good);
    expr *from = expr_binary(EXPR_GE, expr_copy(t->index[r].lo), lo),
         *to = expr_binary(EXPR_LT, expr_copy(t->index[r].lo), hi);
    for (int k = 0; k < 2 && good; k++)
      never = never || contradict(asks, k ? to : from) || contradict(empty, k ? to : from);
    expr_free(from);
    expr_free(to);
  }
  return never;
}

/* The first terms of a sum, for a reader of its end, where one of its ranges is empty. */
static void pass_on(cdag *g, int array, int t)
{
  const cdag_term reader = g->array[array].term[t];
  const cdag_array *of = &g->array[reader.array];
  cdag_index at[CDAG_RANK] = { 0 };
  expr *empty = NULL;
  bool good = true;
  int own = of->rank - of->sums;
  memcpy(at, reader.index, (size_t)own * sizeof *at);
  for (int r = own; r < of->rank; r++) { /* as if at the first step */
    at[r] = (cdag_index){ .lo = placed_at(of->lo[r], at, &good) };
    if (may_be_empty(of, r)) {
      expr *none = expr_binary(EXPR_LE, placed_at(of->hi[r], at, &good), expr_copy(at[r].lo));
      empty = empty ? expr_binary(EXPR_MAX, empty, none) : none;
    }
  }
  for (int k = 0; k < of->first_terms && empty; k++) {
    const cdag_term *first = &of->term[of->sums + k];
    cdag_term made = { .array = first->array,
                       .end_of_sum = first->end_of_sum,
                       .passed_on = reader.passed_on + 1,
                       .line = reader.line,
                       .column = reader.column };
    for (int q = 0; q < g->array[first->array].rank; q++)
      made.index[q] = (cdag_index){ .kind = first->index[q].kind,
                                    .lo = placed_at(first->index[q].lo, at, &good),
                                    .hi = placed_at(first->index[q].hi, at, &good) };
    expr *asks = what_it_asks(placed_at(first->guard, at, &good));
    bool never = !good || contradict(asks, empty) || contradict(reader.guard, asks) ||
                 contradict(reader.guard, empty) || names_nothing(g, &made, asks, empty);
    made.guard = both(asks, expr_copy(empty));
    if (reader.guard)
      made.guard = both(expr_copy(reader.guard), made.guard);
    if (!good || never)
      free_term(&made);
    if (!good)
      break;
    if (never)
      continue;
    cdag_array *a = &g->array[array];
    a->term = mem_grow(a->term, (size_t)a->terms + 1, sizeof *a->term);
    a->term[a->terms++] = made;
  }
  for (int r = own; r < of->rank; r++)
    expr_free(at[r].lo);
  expr_free(empty);
}

enum { PASSED_ON = 4 };        /* sums that begin with the ends of sums */

void cdag_pass_on_sums(cdag *g)
{
  for (int i = 0; i < g->arrays; i++)
    for (int t = 0; t < g->array[i].terms; t++) /* what is passed on comes at the end, and may be such an end, too */
      if (g->array[i].term[t].end_of_sum && g->array[i].term[t].passed_on < PASSED_ON)
        pass_on(g, i, t);
}

/* An index without a name gets one, so that a condition can speak of it. */
static void name_index(const cdag *g, cdag_array *a, int r)
{
  for (int k = r; !a->var[r][0]; k++) {
    char name[CDAG_NAME];
    snprintf(name, sizeof name, "i%d", k);
    bool taken = cdag_find_param(g, name) >= 0 || cdag_find_array(g, name) >= 0;
    for (int i = 0; i < g->tables; i++)
      taken = taken || strcmp(g->table[i].name, name) == 0;
    for (int q = 0; q < a->rank; q++)
      taken = taken || strcmp(a->var[q], name) == 0;
    if (!taken)
      snprintf(a->var[r], CDAG_NAME, "%s", name);
  }
}

status cdag_output_of_sum(cdag *g, int array, diag *d)
{
  cdag_array *a = &g->array[array];
  bool fixed = true;
  a->declared_output = false;
  for (int r = a->rank - a->sums; r < a->rank; r++)
    fixed = fixed && !expr_uses(a->hi[r], CDAG_VARIABLE, CDAG_VARIABLE + CDAG_RANK);
  for (int r = 0; r < a->rank - a->sums && !fixed; r++)
    name_index(g, a, r);
  cdag_array heads = *a;
  heads.rank = fixed ? a->sums : a->rank;
  select_rule(g, array, &heads, CDAG_VARIABLE);
  cdag_selection *s = &g->selection[g->selections - 1];
  int rank = a->rank - a->sums;
  for (int r = 0; r < rank && fixed; r++)
    s->index[r].kind = CDAG_ALL;
  return cdag_end_of_sum(g, a, s->index, &rank, a->line, a->column, d);
}

/* ---- several rules ---- */

enum { FAR = 40, RULES = 64 }; /* 2^FAR is beyond any index */

typedef struct {
  cdag *g;
  cdag_array *all;             /* what they become; its bounds are at first the widest of theirs */
  int n;
  cdag_array *rule[RULES];
  int apart; /* no two rules have elements that begin with the same so many indices; 0: that is not seen */
} joining;

static expr *own_variable(const joining *j, int r) { return expr_slot(j->g->params + r, j->all->var[r]); }

/* The value of a bound that reads parameters and tables alone. */
static bool number(const joining *j, const expr *e, int64_t *value)
{
  expr_env env = { j->g->param_value, j->g->table };
  return !expr_uses(e, j->g->params, j->g->params + CDAG_RANK) && expr_eval(e, &env, value, NULL) == EXPR_OK;
}

/* A number that e is never above (most) or never below, where the indices before are in the bounds of all rules. */
static bool end_of(const joining *j, const expr *e, bool most, int64_t *value)
{
  int64_t x, y;
  if (number(j, e, value))
    return true;
  switch (e->op) {
  case EXPR_SLOT: {
    int q = e->slot - j->g->params;
    const expr *end = most ? j->all->hi[q] : j->all->lo[q];
    return end && end_of(j, end, most, &x) && num_add(x, -(int64_t)most, value);
  }
  case EXPR_ADD: return end_of(j, e->arg[0], most, &x) && end_of(j, e->arg[1], most, &y) && num_add(x, y, value);
  case EXPR_SUB: return end_of(j, e->arg[0], most, &x) && end_of(j, e->arg[1], !most, &y) && num_sub(x, y, value);
  case EXPR_MIN:
  case EXPR_MAX:
    if (!end_of(j, e->arg[0], most, &x) || !end_of(j, e->arg[1], most, &y))
      return false;
    *value = (x < y) == (e->op == EXPR_MIN) ? x : y;
    return true;
  default: return false;
  }
}

static bool not_above(const joining *j, const expr *a, const expr *b)
{
  int64_t x, y;
  return expr_equal(a, b) || (end_of(j, a, true, &x) && end_of(j, b, false, &y) && x <= y);
}

/* Are the ranges of index r of two rules disjoint, whatever the indices before? */
static bool disjoint(const joining *j, int r, const cdag_array *a, const cdag_array *b)
{
  return not_above(j, a->hi[r], b->lo[r]) || not_above(j, b->hi[r], a->lo[r]);
}

static int find_apart(const joining *j)
{
  int most = 0;
  for (int k = 0; k < j->n; k++)
    for (int i = 0; i < k; i++) {
      int r = 0;
      while (r < j->all->rank && !disjoint(j, r, j->rule[i], j->rule[k]))
        r++;
      if (r == j->all->rank)
        return 0;
      most = r + 1 > most ? r + 1 : most;
    }
  return most;
}

/* The smaller (EXPR_MIN) or greater of two; takes both. */
static expr *extreme(const joining *j, expr_op op, expr *a, expr *b)
{
  const expr *of_a, *of_b;
  if (!a)
    return b;
  bool below = not_above(j, a, b);
  if (!below && !not_above(j, b, a)) {
    int64_t x = offset(a, &of_a), y = offset(b, &of_b);
    if (!expr_equal(of_a, of_b))
      return expr_binary(op, a, b);
    below = x <= y;
  }
  bool first = below == (op == EXPR_MIN);
  expr_free(first ? b : a);
  return first ? a : b;
}

/* The condition that x[0..r-1] begins an element of this rule, when it begins one of the array. */
static expr *within(const joining *j, const cdag_array *rule, int r)
{
  expr *condition = NULL;
  for (int q = 0; q < r && (j->apart == 0 || q < j->apart); q++) {
    if (!not_above(j, rule->lo[q], j->all->lo[q]))
      condition = both(condition, expr_binary(EXPR_GE, own_variable(j, q), expr_copy(rule->lo[q])));
    if (!not_above(j, j->all->hi[q], rule->hi[q]))
      condition = both(condition, expr_binary(EXPR_LT, own_variable(j, q), expr_copy(rule->hi[q])));
  }
  return condition;
}

static bool same_bounds(const joining *j, int r)
{
  bool same = true;
  for (int k = 1; k < j->n && same; k++)
    same = expr_equal(j->rule[k]->lo[r], j->rule[0]->lo[r]) && expr_equal(j->rule[k]->hi[r], j->rule[0]->hi[r]);
  return same;
}

/* The widest bounds of index r, of all rules or (exact) of those that have elements with this beginning. */
static void join_bounds(joining *j, int r, bool exact, expr **lo, expr **hi)
{
  *lo = *hi = NULL;
  for (int k = 0; k < j->n; k++) {
    expr *in = exact && !same_bounds(j, r) ? within(j, j->rule[k], r) : NULL;
    expr *low = expr_copy(j->rule[k]->lo[r]), *high = expr_copy(j->rule[k]->hi[r]);
    if (in) { /* else far away */
      expr *away = expr_binary(EXPR_MUL, expr_const((int64_t)1 << FAR), expr_binary(EXPR_EQ, in, expr_const(0)));
      low = expr_binary(EXPR_ADD, low, expr_copy(away));
      high = expr_binary(EXPR_SUB, high, away);
    }
    *lo = extreme(j, EXPR_MIN, *lo, low);
    *hi = extreme(j, EXPR_MAX, *hi, high);
  }
  placed(*lo, j->all->line, j->all->column);
  placed(*hi, j->all->line, j->all->column);
}

static void free_bounds(cdag_array *a)
{
  for (int r = 0; r < CDAG_RANK; r++) {
    expr_free(a->lo[r]);
    expr_free(a->hi[r]);
    a->lo[r] = a->hi[r] = NULL;
  }
}

static status count_domain(const cdag *g, const cdag_array *a, uint64_t *count, diag *d)
{
  nest n = { .rank = 0 };
  char what[CDAG_NAME + 16];
  snprintf(what, sizeof what, "a rule of %s", a->name);
  status st = OK;
  for (int r = 0; r < a->rank && st == OK; r++)
    st = nest_add(&n, a->lo[r], a->hi[r], g, what, d);
  if (st == OK)
    st = nest_finish(&n, g, what, a->line, a->column, d);
  *count = n.count;
  nest_clear(&n);
  return st;
}

static void rename_slots(expr *e, const joining *j)
{
  if (!e)
    return;
  if (e->op == EXPR_SLOT && e->slot >= j->g->params) {
    mem_free(e->name);
    e->name = mem_text(j->all->var[e->slot - j->g->params]);
  }
  for (int i = 0; i < e->nargs; i++)
    rename_slots(e->arg[i], j);
}

/* All rules call their indices as the joined one does. */
static void agree_on_names(joining *j)
{
  for (int r = 0; r < j->all->rank; r++) {
    for (int k = 0; k < j->n && !j->all->var[r][0]; k++)
      memcpy(j->all->var[r], j->rule[k]->var[r], CDAG_NAME);
    name_index(j->g, j->all, r);
  }
  for (int k = 0; k < j->n; k++)
    for (int r = 0; r < CDAG_RANK; r++) {
      rename_slots(j->rule[k]->lo[r], j);
      rename_slots(j->rule[k]->hi[r], j);
      for (int t = 0; t < j->rule[k]->terms; t++) {
        rename_slots(j->rule[k]->term[t].index[r].lo, j);
        rename_slots(j->rule[k]->term[t].index[r].hi, j);
      }
    }
}

static void join_terms(joining *j, const cdag_array *rule, const expr *in)
{
  cdag_array *a = j->all;
  a->term = mem_grow(a->term, (size_t)(a->terms + rule->terms), sizeof *a->term);
  for (int t = 0; t < rule->terms; t++) {
    cdag_term *term = &a->term[a->terms++];
    *term = rule->term[t];
    term->own_condition = term->guarded != 0;
    if (in)
      cdag_guard_term(j->g, term, &j->g->array[rule->term[t].array], expr_copy(in));
    term->joined = in != NULL;
  }
}

/* The rule's bounds and flags, kept for printing and checking. */
static rule_piece piece_of(joining *j, int k)
{
  cdag_array *rule = j->rule[k];
  rule_piece p = { .condition = within(j, rule, j->all->rank),
                   .input = rule->declared_input,
                   .output = rule->declared_output,
                   .terms = rule->terms,
                   .line = rule->line,
                   .column = rule->column };
  for (int r = 0; r < j->all->rank; r++) {
    p.lo[r] = expr_copy(rule->lo[r]);
    p.hi[r] = expr_copy(rule->hi[r]);
  }
  return p;
}

/* The bounds of the joined array: plain ones when the rules fill them, else those that say where each rule is. */
static status find_bounds(joining *j, pieces *p, diag *d)
{
  uint64_t sum = 0, whole = 0;
  status st = OK;
  for (int r = 0; r < j->all->rank; r++)
    join_bounds(j, r, false, &j->all->lo[r], &j->all->hi[r]);
  for (int k = 0; k < j->n && st == OK; k++) {
    st = count_domain(j->g, j->rule[k], &p->of[k].count, d);
    sum += p->of[k].count;
  }
  if (st == OK)
    st = count_domain(j->g, j->all, &whole, d);
  p->exact = sum != whole;
  return st;
}

static void make_exact(joining *j)
{
  expr *lo[CDAG_RANK], *hi[CDAG_RANK];
  for (int r = 0; r < j->all->rank; r++)
    join_bounds(j, r, true, &lo[r], &hi[r]);
  free_bounds(j->all);
  memcpy(j->all->lo, lo, (size_t)j->all->rank * sizeof *lo);
  memcpy(j->all->hi, hi, (size_t)j->all->rank * sizeof *hi);
}

static void use_up(joining *j, int first, bool outputs)
{
  for (int k = 0; k < j->n; k++) {
    if (!outputs && j->rule[k]->declared_output) {
      memcpy(j->rule[k]->var, j->all->var, sizeof j->all->var);
      select_rule(j->g, first, j->rule[k], j->g->params);
      j->g->selection[j->g->selections - 1].of_rule = true;
    }
    free_bounds(j->rule[k]);
    mem_free(j->rule[k]->term);
    *j->rule[k] = (cdag_array){ .rank = 0 };
  }
}

/* The rules become one: array `first` of the CDAG; the others lose all they have. */
static status join(joining *j, int first, diag *d)
{
  cdag *g = j->g;
  pieces *p = &g->priv->piece[first];
  cdag_array all = *j->rule[0];
  bool outputs = true;
  all.term = NULL;
  all.terms = 0;
  memset(all.lo, 0, sizeof all.lo);
  memset(all.hi, 0, sizeof all.hi);
  j->all = &all;
  agree_on_names(j);
  j->apart = find_apart(j);
  *p = (pieces){ .n = j->n, .of = MEM_NEW(rule_piece, (size_t)j->n), .apart = j->apart > 0 };
  status st = find_bounds(j, p, d);
  for (int k = 0; k < j->n; k++) {
    uint64_t count = p->of[k].count;
    p->of[k] = piece_of(j, k);
    p->of[k].count = count;
    join_terms(j, j->rule[k], p->of[k].condition);
    all.declared_input = all.declared_input || j->rule[k]->declared_input;
    outputs = outputs && j->rule[k]->declared_output;
  }
  if (st == OK && p->exact)
    make_exact(j);
  use_up(j, first, outputs);
  all.declared_output = outputs;
  all.rules = j->n;
  g->array[first] = all;
  return st;
}

/* Out with the arrays that were joined to another. */
static void close_ranks(cdag *g)
{
  int *new = MEM_NEW(int, (size_t)g->arrays), n = 0;
  for (int i = 0; i < g->arrays; i++) {
    new[i] = n;
    if (g->array[i].rank == 0)
      continue;
    g->array[n] = g->array[i];
    g->priv->piece[n++] = g->priv->piece[i];
  }
  for (int i = n; i < g->arrays; i++)
    g->priv->piece[i] = (pieces){ .n = 0 };
  g->arrays = n;
  for (int i = 0; i < n; i++)
    for (int t = 0; t < g->array[i].terms; t++)
      g->array[i].term[t].array = new[g->array[i].term[t].array];
  for (int i = 0; i < g->selections; i++)
    g->selection[i].array = new[g->selection[i].array];
  mem_free(new);
}

status cdag_join_pieces(cdag *g, diag *d)
{
  bool any = false;
  status st = OK;
  g->priv->piece = MEM_NEW(pieces, (size_t)g->arrays);
  for (int i = 0; i < g->arrays && st == OK; i++) {
    joining j = { .g = g };
    for (int k = i; k < g->arrays && g->array[i].rank > 0; k++)
      if (strcmp(g->array[k].name, g->array[i].name) == 0) {
        if (j.n == RULES)
          return diag_at(d, BAD_INPUT, "syntax", g->priv->file, g->array[k].line, g->array[k].column,
                         "%s has more than %d rules", g->array[i].name, RULES);
        j.rule[j.n++] = &g->array[k];
      }
    any = any || j.n > 1;
    if (j.n > 1)
      st = join(&j, i, d);
  }
  if (any && st == OK)
    close_ranks(g);
  return st;
}

/* ---- what several rules must satisfy ---- */

/* How many elements are in both rules?  False: it is not known. */
static bool count_both(points *p, const rule_piece *a, const rule_piece *b, uint64_t *count)
{
  uint64_t budget = PATIENCE((uint64_t)1 << 25);
  const rule_piece *of[] = { a, b };
  bool good = true;
  for (int k = 0; k < 2 && good; k++)
    if (of[k]->condition) {
      expr *e = form_bound_expr(of[k]->condition, p->g);
      good = points_require_true(p, e);
      expr_free(e);
    }
  return good && points_count(p, &budget, count);
}

static status check_disjoint(const cdag *g, int array, const pieces *p, diag *d)
{
  SCOPED_MEM points *both_of = MEM_NEW(points, 1);
  status st = OK;
  for (int k = 0; k < p->n; k++)
    for (int i = 0; i < k && st == OK; i++) {
      uint64_t n = 0;
      const rule_piece *a = &p->of[i], *b = &p->of[k];
      points_init(both_of, g, &g->priv->dom[array]);
      if (!count_both(both_of, a, b, &n))
        st = diag_at(d, GAVE_UP, "limit", g->priv->file, b->line, b->column,
                     "this rule of %s and that of line %d are too irregular to see that they have no element in common",
                     g->array[array].name, a->line);
      else if (n > 0)
        st = diag_at(d, BAD_INPUT, "cdag", g->priv->file, b->line, b->column,
                     "%llu elements of %s belong to this rule and to that of line %d too", (unsigned long long)n,
                     g->array[array].name, a->line);
    }
  return st;
}

/* What an `input` before one rule must not grant to another: elements without predecessors. */
static status check_inputs(const cdag *g, int array, const pieces *p, diag *d)
{
  const cdag_array *a = &g->array[array];
  uint64_t inputs = 0;
  bool open = false, strict = false;
  for (int k = 0; k < p->n; k++) {
    inputs += p->of[k].input && p->of[k].terms == 0 ? p->of[k].count : 0;
    open = open || (p->of[k].input && p->of[k].terms > 0);
    strict = strict || !p->of[k].input;
  }
  if (!strict || !a->declared_input)
    return OK;
  array_degrees degrees = cdag_array_degrees(g, array);
  if (open || !degrees.sources_known)
    return diag_at(d, GAVE_UP, "limit", g->priv->file, a->line, a->column,
                   "the rules of %s are too irregular to see that every element that is no input has a predecessor",
                   a->name);
  return degrees.sources == inputs
             ? OK
             : diag_at(d, BAD_INPUT, "cdag", g->priv->file, a->line, a->column,
                       "%llu elements of %s have no predecessor and stand under no 'input'",
                       (unsigned long long)(degrees.sources - inputs), a->name);
}

status cdag_check_pieces(const cdag *g, diag *d)
{
  status st = OK;
  for (int i = 0; i < g->arrays && st == OK; i++) {
    const pieces *p = &g->priv->piece[i];
    uint64_t sum = 0;
    for (int k = 0; k < p->n; k++)
      sum += p->of[k].count;
    if (p->n > 0 && !p->apart)
      st = check_disjoint(g, i, p, d);
    if (st == OK && p->n > 0 && sum != g->array[i].count)
      st = diag_at(d, BAD_INPUT, "cdag", g->priv->file, g->array[i].line, g->array[i].column,
                   "the rules of %s leave holes: %llu elements lie between their bounds, and they have %llu",
                   g->array[i].name, (unsigned long long)g->array[i].count, (unsigned long long)sum);
  }
  return st;
}

status cdag_check_inputs(const cdag *g, diag *d)
{
  status st = OK;
  for (int i = 0; i < g->arrays && st == OK; i++)
    if (g->priv->piece[i].n > 0)
      st = check_inputs(g, i, &g->priv->piece[i], d);
  return st;
}

void cdag_sources_hull(const cdag *g, int array, cdag_box *b)
{
  const pieces *p = &g->priv->piece[array];
  expr_env env = { g->param_value, g->table };
  bool strict = false;
  *b = g->array[array].hull;
  for (int k = 0; k < p->n; k++)
    strict = strict || !p->of[k].input;
  for (int r = 0; r < g->array[array].rank && strict; r++) {
    int64_t lo = b->hi[r], hi = b->lo[r];
    for (int k = 0; k < p->n; k++) {
      int64_t low = b->lo[r], high = b->hi[r];
      if (!p->of[k].input)
        continue;
      if (!expr_uses(p->of[k].lo[r], g->params, g->params + CDAG_RANK))
        expr_eval(p->of[k].lo[r], &env, &low, NULL);
      if (!expr_uses(p->of[k].hi[r], g->params, g->params + CDAG_RANK))
        expr_eval(p->of[k].hi[r], &env, &high, NULL);
      lo = low < lo ? low : lo;
      hi = high > hi ? high : hi;
    }
    b->lo[r] = lo > b->lo[r] ? lo : b->lo[r];
    b->hi[r] = hi < b->hi[r] ? hi : b->hi[r];
  }
}

/* ---- terms that are nowhere ---- */

/* At tiny sizes many a term is in vain; and who wrote no text needs no place in it. */
static bool worth_warning(const cdag *g)
{
  bool worth = !g->graph && !g->priv->imported;
  for (int i = 0; i < g->params; i++)
    worth = worth && g->param_value[i] > 4;
  return worth;
}

void cdag_warnings(const cdag *g, text *out)
{
  SCOPED_MEM points *p = MEM_NEW(points, 1);
  bool worth = worth_warning(g);
  for (int i = 0; i < g->arrays && worth; i++)
    for (int t = 0; t < g->array[i].terms; t++) {
      const cdag_term *term = &g->array[i].term[t];
      uint64_t budget = 1 << 16, count = 1;
      points_init(p, g, &g->priv->dom[i]);
      bool nowhere =
          term->never || (points_require(p, &g->priv->term[i][t]) && points_count(p, &budget, &count) && count == 0);
      if (nowhere && !term->passed_on && term->array != i && g->array[i].count > 0)
        text_printf(out, "%s:%d:%d: %s of this rule is absent from every element of %s here\n", g->priv->file,
                    term->line, term->column, g->array[term->array].name, g->array[i].name);
    }
}
