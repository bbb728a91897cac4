/* Affine forms and their extremes.  The least value of a form over a domain whose bounds are affine in earlier
   variables is found by eliminating the variables from the last to the first: each takes the end of its range that the
   sign of its coefficient asks for. */
#include "base/mem.h"
#include "bounds/recognise/affine.h"
#include "base/num.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

affine affine_const(int64_t value)
{
  affine f = { 0 };
  f.base = value;
  return f;
}

affine affine_slot(int slot)
{
  affine f = { 0 };
  f.coef[slot] = 1;
  return f;
}

static bool add_times(int64_t *a, int64_t b, int64_t times)
{
  int64_t product;
  return num_mul(b, times, &product) && num_add(*a, product, a);
}

bool affine_add(affine *f, const affine *g, int64_t times)
{
  bool good = add_times(&f->base, g->base, times);
  for (int r = 0; r < AFFINE_SLOTS; r++)
    good = add_times(&f->coef[r], g->coef[r], times) && good;
  return good;
}

unsigned affine_slots(const affine *f)
{
  unsigned slots = 0;
  for (int r = 0; r < AFFINE_SLOTS; r++)
    slots |= (unsigned)(f->coef[r] != 0) << r;
  return slots;
}

bool affine_is_const(const affine *f)
{
  int64_t any = 0; /* asked for most of all: no bits are put together */
  for (int r = 0; r < AFFINE_SLOTS; r++)
    any |= f->coef[r];
  return any == 0;
}

bool affine_equal(const affine *f, const affine *g)
{
  return f->base == g->base && memcmp(f->coef, g->coef, sizeof f->coef) == 0;
}

/* Loops below n whose form is not constant. */
static unsigned moving(const affine *form, int n)
{
  unsigned loops = 0;
  for (int r = 0; r < n; r++)
    loops |= (unsigned)!affine_is_const(&form[r]) << r;
  return loops;
}

static bool uses_loops(const cdag *g, const expr *e, unsigned loops, int n)
{
  return expr_slots(e, g->params, n) & loops;
}

/* e uses constant loops only. */
static bool constant_of(const cdag *g, const expr *e, const affine *form, int n, affine *value)
{
  int64_t *slot = MEM_NEW(int64_t, g->params + n);
  memcpy(slot, g->param_value, (size_t)g->params * sizeof *slot);
  for (int r = 0; r < n; r++)
    slot[g->params + r] = form[r].base;
  expr_env env = { slot, g->table };
  *value = affine_const(0);
  bool good = expr_eval(e, &env, &value->base, NULL) == EXPR_OK;
  mem_free(slot);
  return good;
}

typedef struct {
  const cdag *g;
  const affine *form;
  int n;
  unsigned moving;
} reading;

static bool form_of(const reading *c, const expr *e, affine *value)
{
  affine left, right;
  if (!uses_loops(c->g, e, c->moving, c->n))
    return constant_of(c->g, e, c->form, c->n, value);
  switch (e->op) {
  case EXPR_SLOT:
    *value = c->form[e->slot - c->g->params];
    return true;
  case EXPR_NEG:
    *value = affine_const(0);
    return form_of(c, e->arg[0], &left) && affine_add(value, &left, -1);
  case EXPR_ADD:
  case EXPR_SUB:
    return form_of(c, e->arg[0], value) && form_of(c, e->arg[1], &right) &&
           affine_add(value, &right, e->op == EXPR_ADD ? 1 : -1);
  case EXPR_MUL:
    *value = affine_const(0);
    if (!form_of(c, e->arg[0], &left) || !form_of(c, e->arg[1], &right))
      return false;
    return affine_is_const(&right) ? affine_add(value, &left, right.base)
                                   : affine_is_const(&left) && affine_add(value, &right, left.base);
  default:
    return false;
  }
}

bool affine_of_expr(const cdag *g, const expr *e, const affine *form, int n, affine *value)
{
  reading c = { g, form, n, moving(form, n) };
  return form_of(&c, e, value);
}

bool affine_of_index(const cdag *g, const cdag_index *x, bool end, const affine *form, int n, affine *value)
{
  const int64_t *coef = end ? x->hi_coef : x->coef;
  if (!x->affine)
    return affine_of_expr(g, end ? x->hi : x->lo, form, n, value);
  *value = affine_const(end ? x->hi_base : x->base);
  for (int r = 0; r < n; r++)
    if (coef[r] != 0 && !affine_add(value, &form[r], coef[r]))
      return false;
  return true;
}

bool affine_is_box(const cdag *g, int array)
{
  const cdag_array *a = &g->array[array];
  uint64_t volume = 1;
  for (int r = 0; r < a->rank; r++)
    if (a->hull.hi[r] <= a->hull.lo[r] ||
        __builtin_mul_overflow(volume, (uint64_t)(a->hull.hi[r] - a->hull.lo[r]), &volume))
      return false;
  return volume == a->count;
}

bool affine_range(const cdag *g, int array, int r, const affine *form, affine *lo, affine *hi)
{
  const cdag_array *a = &g->array[array];
  if (!affine_is_box(g, array))
    return affine_of_expr(g, a->lo[r], form, r, lo) && affine_of_expr(g, a->hi[r], form, r, hi);
  *lo = affine_const(a->hull.lo[r]);
  *hi = affine_const(a->hull.hi[r]);
  return true;
}

bool affine_range_uses(const cdag *g, int array, int r, int q)
{
  const cdag_array *a = &g->array[array];
  int slot = g->params + q;
  return q < r && !affine_is_box(g, array) &&
         (expr_uses(a->lo[r], slot, slot + 1) || expr_uses(a->hi[r], slot, slot + 1));
}

bool affine_domain_of(const cdag *g, int array, unsigned pinned, const int64_t *x, affine_domain *d)
{
  const cdag_array *a = &g->array[array];
  affine form[CDAG_RANK];
  *d = (affine_domain){ .rank = a->rank };
  for (int r = 0; r < a->rank; r++) {
    form[r] = pinned >> r & 1 ? affine_const(x[r]) : affine_slot(r);
    if (pinned >> r & 1) {
      d->lo[r] = d->hi[r] = affine_const(x[r]);
      d->hi[r].base++;
    } else if (!affine_range(g, array, r, form, &d->lo[r], &d->hi[r]))
      return false;
  }
  return true;
}

bool affine_domain_extend(affine_domain *d, int slot, const affine *lo, const affine *hi)
{
  assert(slot >= d->rank && slot < AFFINE_SLOTS);
  for (; d->rank < slot; d->rank++) /* slots in between exist once, at 0 */
    d->lo[d->rank] = affine_const(0), d->hi[d->rank] = affine_const(1);
  d->lo[slot] = *lo;
  d->hi[slot] = *hi;
  d->rank = slot + 1;
  return true;
}

bool affine_min(const affine_domain *d, const affine *f, int64_t *min)
{
  affine left = *f;
  for (int r = d->rank; r-- > 0;) {
    int64_t c = left.coef[r];
    if (c == 0)
      continue;
    left.coef[r] = 0;
    if (!affine_add(&left, c > 0 ? &d->lo[r] : &d->hi[r], c) || (c < 0 && !num_sub(left.base, c, &left.base)))
      return false;
  }
  *min = left.base;
  return affine_is_const(&left);
}

bool affine_max(const affine_domain *d, const affine *f, int64_t *max)
{
  affine negative = affine_const(0);
  int64_t min;
  return affine_add(&negative, f, -1) && affine_min(d, &negative, &min) && num_sub(0, min, max);
}

bool affine_nonnegative(const affine_domain *d, const affine *f)
{
  int64_t min;
  return affine_min(d, f, &min) && min >= 0;
}

/* Most values slot r takes. */
static bool extent(const affine_domain *d, int r, int64_t *n)
{
  affine length = d->hi[r];
  return affine_add(&length, &d->lo[r], -1) && affine_max(d, &length, n);
}

/* Are the slots of f in `slots` the digits of a mixed radix?  The smaller coefficients must not reach the next one. */
static bool mixed_radix(const affine_domain *d, const affine *f, unsigned slots)
{
  int64_t reach = 0;
  for (unsigned left = affine_slots(f) & slots; left;) {
    int least = -1;
    for (int r = 0; r < AFFINE_SLOTS; r++)
      if (left >> r & 1 && (least < 0 || llabs(f->coef[r]) < llabs(f->coef[least])))
        least = r;
    int64_t n, step = f->coef[least] < 0 ? -f->coef[least] : f->coef[least];
    if (!extent(d, least, &n) || (n > 1 && (step <= reach || !add_times(&reach, n - 1, step))))
      return false;
    left &= ~(1u << least);
  }
  return true;
}

bool affine_injective(const affine_domain *d, const affine *f, int n, unsigned slots)
{
  unsigned seen = 0;
  for (int i = 0; i < n; i++) {
    unsigned here = affine_slots(&f[i]) & slots;
    if (here & seen || !mixed_radix(d, &f[i], slots))
      return false;
    seen |= here;
  }
  return (slots & ~seen) == 0;
}
