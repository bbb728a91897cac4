/* schedules/symbolic/condition.c -- which way a program's conditions go, and whether they always do. */
#include "schedules/symbolic/internal.h"

static bool reads_loops(const formula *f, const expr *e)
{
  return expr_uses(e, f->s->slot_param + f->s->params, f->s->slots);
}

static void take_for_granted(formula *f, const expr *e, bool holds)
{
  SCOPED_TEXT t = { 0 };
  if (!f->holds || reads_loops(f, e) || !expr_uses(e, 0, f->s->slots))
    return;
  text_printf(&t, "%s", holds ? "" : "not (");
  expr_print(&t, e);
  text_printf(&t, "%s", holds ? "" : ")");
  formula_grant(f, t.s);
}

/* ---- what is so for all values ---- */

/* a - b >= least, for the polynomials? */
static bool is_apart(formula *f, poly a, poly b, int64_t least)
{
  return formula_at_most(f, b, NULL, least, a, NULL);
}

/* A comparison whose sides move together, so that their values do not tell: 1 when it holds for the polynomials, 0 when
 * not, -1 when that is unclear. */
static int compared(formula *f, expr_op op, poly a, poly b)
{
  bool above = is_apart(f, a, b, 1), below = is_apart(f, b, a, 1), same = poly_equal(a, b);
  bool least = above || is_apart(f, a, b, 0), most = below || is_apart(f, b, a, 0);
  switch (op) {
  case EXPR_EQ: return same ? 1 : above || below ? 0 : -1;
  case EXPR_NE: return same ? 0 : above || below ? 1 : -1;
  case EXPR_LT: return below ? 1 : least ? 0 : -1;
  case EXPR_LE: return most ? 1 : above ? 0 : -1;
  case EXPR_GT: return above ? 1 : most ? 0 : -1;
  case EXPR_GE: return least ? 1 : below ? 0 : -1;
  default: return -1;
  }
}

typedef struct { expr_op op; poly a, b; span a_span, b_span; } sides;

/* Of a comparison; what is none is compared with 0. */
static bool sides_of(formula *f, const expr *e, sides *s)
{
  s->op = expr_is_comparison(e) ? e->op : EXPR_NE;
  if (!expr_is_comparison(e))
    return formula_bound(f, e, &s->a, &s->a_span);
  return formula_bound(f, e->arg[0], &s->a, &s->a_span) && formula_bound(f, e->arg[1], &s->b, &s->b_span);
}


static int comparison(formula *f, const expr *e)
{
  sides s = { 0 };
  return expr_is_comparison(e) && sides_of(f, e, &s) ? compared(f, s.op, s.a, s.b) : -1;
}

/* ---- what is so here: and for other values? ---- */

/* a + by <= b? */
static bool sure_apart(formula *f, poly a, int64_t by, poly b)
{
  return formula_is_most(f, poly_shift(&f->world, a, by), b);
}

static bool sure_sides(formula *f, bool holds, const sides *s)
{
  switch (s->op) {
  case EXPR_LT: return holds ? sure_apart(f, s->a, 1, s->b) : sure_apart(f, s->b, 0, s->a);
  case EXPR_LE: return holds ? sure_apart(f, s->a, 0, s->b) : sure_apart(f, s->b, 1, s->a);
  case EXPR_GT: return holds ? sure_apart(f, s->b, 1, s->a) : sure_apart(f, s->a, 0, s->b);
  case EXPR_GE: return holds ? sure_apart(f, s->b, 0, s->a) : sure_apart(f, s->a, 1, s->b);
  default: break;
  }
  if (holds == (s->op == EXPR_EQ))
    return sure_apart(f, s->a, 0, s->b) && sure_apart(f, s->b, 0, s->a);
  return s->a_span.most < s->b_span.least ? sure_apart(f, s->a, 1, s->b) : sure_apart(f, s->b, 1, s->a);
}

static bool sure_comparison(formula *f, const expr *e, bool holds)
{
  sides s = { 0 };
  formula_said so_far = formula_so_far(f);
  bool read = sides_of(f, e, &s);
  if (!read)
    formula_unsay(f, so_far);
  return read ? sure_sides(f, holds, &s) : formula_grant_values(f, (poly){ 0 }, e);
}

/* first(I), last(I): the kind of iteration says it. */
static bool is_end(const formula *f, const expr *e)
{
  int i = e->slot - f->s->slot_param - f->s->params, which = i % SCHEDULE_LOOP_SLOTS;
  return e->op == EXPR_SLOT && i >= 0 && (which == SCHEDULE_FIRST || which == SCHEDULE_LAST);
}

static bool has_values(formula *f, const expr *e, int64_t least, int64_t most)
{
  span s;
  return formula_values(f, e, &s) && s.least >= least && s.most <= most;
}

static bool sure(formula *f, const expr *e, bool holds);

/* A product is 0 where a factor is. */
static bool sure_product(formula *f, const expr *e, bool holds)
{
  if (holds)
    return sure(f, e->arg[0], true) && sure(f, e->arg[1], true);
  return sure(f, e->arg[has_values(f, e->arg[0], 0, 0) ? 0 : 1], false);
}

/* A sum of what is not negative, where none is. */
static bool sure_sum(formula *f, const expr *e, bool holds)
{
  if (!holds)
    return sure(f, e->arg[0], false) && sure(f, e->arg[1], false);
  return sure(f, e->arg[has_values(f, e->arg[0], 1, INT64_MAX) ? 0 : 1], true);
}

/* e is 0, or not, in the iterations at hand: in all others, or said to be?  Depth: an expression's. */
static bool sure(formula *f, const expr *e, bool holds)
{
  const expr *const *arg = (const expr *const *)e->arg;
  if (is_end(f, e))
    return true;
  take_for_granted(f, e, holds);
  if (!reads_loops(f, e))
    return true;
  if (e->op == EXPR_MUL)
    return sure_product(f, e, holds);
  if (e->op == EXPR_ADD && has_values(f, arg[0], 0, INT64_MAX) && has_values(f, arg[1], 0, INT64_MAX))
    return sure_sum(f, e, holds);
  if (e->op == EXPR_SUB && has_values(f, arg[0], 1, 1) && has_values(f, arg[1], 0, 1)) /* 1 - first(I) */
    return sure(f, arg[0], true) && sure(f, arg[1], !holds);
  return sure_comparison(f, e, holds);
}

/* ---- either ---- */

/* What holds for the polynomials goes before what only the values here say. */
static int way_at_hand(formula *f, const expr *e, const span *s)
{
  formula_said so_far = formula_so_far(f);
  bool always = s->least > 0 || s->most < 0, never = s->least == 0 && s->most == 0;
  int way = reads_loops(f, e) ? comparison(f, e) : -1;
  if (way >= 0 || (!always && !never))
    return way;
  formula_unsay(f, so_far);
  return sure(f, e, always) ? always : -1;
}

static int way_of(formula *f, const expr *e, const span *s)
{
  bool always = s->least > 0 || s->most < 0, never = s->least == 0 && s->most == 0;
  if (always || never)
    take_for_granted(f, e, always);
  return always ? 1 : never ? 0 : comparison(f, e);
}

/* Where a - b, or a - b - 1, changes its sign, the comparison does. */
static void want_sides(formula *f, const sides *s)
{
  bool strict = s->op == EXPR_LT || s->op == EXPR_GE; /* a < b is the contrary of a - b >= 0 */
  if (s->op == EXPR_EQ || s->op == EXPR_NE || strict)
    formula_want(f, s->a, 0, s->b);
  if (!strict)
    formula_want(f, s->a, -1, s->b);
}

/* Comparisons in e whose sides pass each other.  Depth: an expression's. */
static void want_changes(formula *f, const expr *e)
{
  sides s = { 0 };
  span values;
  formula_said so_far = formula_so_far(f);
  if (expr_is_comparison(e) && sides_of(f, e, &s) && formula_values(f, e, &values) && values.least != values.most)
    want_sides(f, &s);
  for (int i = 0; i < e->nargs; i++)
    want_changes(f, e->arg[i]);
  formula_unsay(f, so_far);
}

int formula_condition(formula *f, const schedule_node *n)
{
  span s;
  if (!formula_values(f, n->condition, &s))
    return -1;
  int way = formula_at_hand(f) ? way_at_hand(f, n->condition, &s) : way_of(f, n->condition, &s);
  if (way < 0 && formula_at_hand(f))
    want_changes(f, n->condition);
  if (way < 0)
    formula_fail(f, n->condition->line, "a condition goes both ways in iterations of one kind");
  return way;
}
