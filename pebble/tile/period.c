/* pebble/tile/period.c -- what quotients and remainders come to when one variable goes on by a period.

   e has period p and slope s in variable r when e(.., x[r] + p, ..) = e(.., x[r], ..) + s wherever it has a value.
   Constants and what does not read r have period 1 and slope 0, r itself has 1 and 1.  Let a have p and s: then -a has
   them with -s; floor(a/c) has period p c/g and slope s/g, where g is the gcd of c and s, since what is added to a is
   c s/g; a modulo c has that period and slope 0.  Of several arguments all go on by the least common multiple of their
   periods.  Sums add up; comparisons and products whose arguments have slope 0 then, and tables read there, are the
   same; so is the least or greatest of arguments that go on by as much, but for that much. */
#include "base/num.h"
#include "pebble/tile/value.h"

enum { LONGEST = 1 << 20, STEEPEST = 1 << 30 };
typedef struct { int64_t period, slope; } progress; /* period 0: none is known */

static progress checked(int64_t period, int64_t slope)
{
  bool good = period <= LONGEST && slope >= -STEEPEST && slope <= STEEPEST;
  return good ? (progress){ period, slope } : (progress){ 0, 0 };
}

static progress over(progress a, int64_t c, bool quotient)
{
  if (c <= 0 || c > LONGEST)
    return (progress){ 0, 0 };
  int64_t g = num_gcd(c, a.slope < 0 ? -a.slope : a.slope);
  return checked(a.period * (c / g), quotient ? a.slope / g : 0);
}

/* Two arguments, each after as many of its periods as make one of both. */
static void together(progress *a, progress *b)
{
  int64_t period = a->period / num_gcd(a->period, b->period) * b->period;
  *a = checked(period, a->slope * (period / a->period));
  *b = checked(period, b->slope * (period / b->period));
}

static progress joined(expr_op op, progress a, progress b)
{
  together(&a, &b);
  if (!a.period || !b.period)
    return (progress){ 0, 0 };
  switch (op) {
  case EXPR_ADD: return checked(a.period, a.slope + b.slope);
  case EXPR_SUB: return checked(a.period, a.slope - b.slope);
  case EXPR_MIN:
  case EXPR_MAX: return a.slope == b.slope ? a : (progress){ 0, 0 };
  case EXPR_MUL:
  case EXPR_TABLE: return a.slope || b.slope ? (progress){ 0, 0 } : a;
  default: return a.slope == b.slope ? checked(a.period, 0) : (progress){ 0, 0 };
  }
}

static bool is_constant(const tile_rules *all, const expr *e, int rank, int64_t *value)
{
  int64_t coef[CDAG_RANK];
  bool constant = expr_affine(e, &all->env, all->g->params, rank, value, coef);
  for (int r = 0; r < rank && constant; r++)
    constant = coef[r] == 0;
  return constant;
}

/* Depth: the expression's. */
static progress of(const tile_rules *all, const expr *e, int rank, int r)
{
  int slot = all->g->params + r;
  int64_t c;
  if (!expr_uses(e, slot, slot + 1))
    return (progress){ 1, 0 };
  if (e->op == EXPR_SLOT)
    return (progress){ 1, 1 };
  progress a = e->nargs ? of(all, e->arg[0], rank, r) : (progress){ 0, 0 };
  if (!a.period)
    return a;
  if (e->op == EXPR_NEG)
    return (progress){ a.period, -a.slope };
  if (e->op == EXPR_DIV || e->op == EXPR_MOD)
    return is_constant(all, e->arg[1], rank, &c) ? over(a, c, e->op == EXPR_DIV) : (progress){ 0, 0 };
  if (e->op == EXPR_MUL)
    for (int i = 0; i < 2; i++)
      if (is_constant(all, e->arg[i], rank, &c)) {
        a = of(all, e->arg[!i], rank, r);
        return c >= -LONGEST && c <= LONGEST && a.period ? checked(a.period, a.slope * c) : (progress){ 0, 0 };
      }
  bool known = e->op == EXPR_ADD || e->op == EXPR_SUB || e->op == EXPR_MUL || e->op == EXPR_TABLE ||
               expr_is_comparison(e) || expr_is_extreme(e);
  for (int i = 1; i < e->nargs && a.period; i++) {
    progress b = of(all, e->arg[i], rank, r);
    a = b.period ? joined(e->op, a, b) : b;
  }
  bool moves = e->op == EXPR_TABLE && a.slope;
  return known && !moves ? a : (progress){ 0, 0 };
}

int64_t tile_period(const tile_rules *all, const expr *e, int rank, int r) { return of(all, e, rank, r).period; }
