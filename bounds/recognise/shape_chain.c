/* How an array chains to itself, and the cutting of a domain with tables into pieces with affine bounds. */
#include "base/num.h"
#include "bounds/recognise/shape_internal.h"
#include <string.h>

/* ---- settings ---- */

unsigned shape_close(const cdag *g, int array, unsigned loops)
{
  const cdag_array *a = &g->array[array];
  for (int r = a->rank; r-- > 0;)
    if (loops >> r & 1)
      for (int q = 0; q < r; q++)
        if (affine_range_uses(g, array, r, q))
          loops |= 1u << q;
  return loops;
}

typedef struct {
  const cdag *g;
  int array;
  unsigned loops;
  shape_visit visit;
  void *context;
  int64_t x[CDAG_RANK];
  int64_t left;
} settings;

/* Depth: one level a loop. */
static bool each_setting(settings *s, int r)
{
  int64_t lo, hi;
  while (r < s->g->array[s->array].rank && !(s->loops >> r & 1))
    r++;
  if (r == s->g->array[s->array].rank)
    return s->left-- > 0 && s->visit(s->context, s->x);
  cdag_range(s->g, s->array, r, s->x, &lo, &hi);
  for (int64_t v = lo; v < hi; v++) {
    s->x[r] = v;
    if (!each_setting(s, r + 1))
      return false;
  }
  s->x[r] = 0;
  return true;
}

bool shape_each_setting(const cdag *g, int array, unsigned loops, shape_visit visit, void *context)
{
  settings s = { g, array, shape_close(g, array, loops), visit, context, { 0 }, SHAPE_SETTINGS };
  return each_setting(&s, 0);
}

/* Loops below n of e that keep it from being affine. */
static unsigned blocking(const cdag *g, const expr *e, int n)
{
  affine form[CDAG_RANK] = { { 0 } }, value;
  if (!e)
    return 0;
  for (int r = 0; r < n; r++)
    form[r] = affine_slot(r);
  if (affine_of_expr(g, e, form, n, &value))
    return 0;
  unsigned inside = 0, loops = expr_slots(e, g->params, n);
  if (e->op == EXPR_ADD || e->op == EXPR_SUB || e->op == EXPR_NEG) { /* the sum is affine once its parts are */
    for (int i = 0; i < e->nargs; i++)
      inside |= blocking(g, e->arg[i], n);
    return inside;
  }
  return loops;
}

unsigned shape_pinned(const cdag *g, int array, bool rule)
{
  const cdag_array *a = &g->array[array];
  unsigned loops = 0;
  for (int r = 0; r < a->rank; r++)
    if (!affine_is_box(g, array))
      loops |= blocking(g, a->lo[r], r) | blocking(g, a->hi[r], r);
  for (int t = 0; rule && t < a->terms; t++)
    for (int r = 0; r < g->array[a->term[t].array].rank; r++)
      loops |= blocking(g, a->term[t].index[r].lo, a->rank) | blocking(g, a->term[t].index[r].hi, a->rank);
  return shape_close(g, array, loops);
}

/* ---- index forms ---- */

bool shape_index_forms(const cdag *g, const cdag_term *t, int indices, const affine *form, int n, affine *index)
{
  for (int r = 0; r < indices; r++)
    if (t->index[r].kind != CDAG_AT || !affine_of_expr(g, t->index[r].lo, form, n, &index[r]))
      return false;
  return true;
}

bool shape_exists(const cdag *g, int array, const affine *index, const affine_domain *d)
{
  const cdag_array *a = &g->array[array];
  for (int r = 0; r < a->rank; r++) {
    affine lo, hi, above = index[r];
    if (!affine_range(g, array, r, index, &lo, &hi))
      return false;
    hi.base -= 1;
    if (!affine_add(&above, &lo, -1) || !affine_nonnegative(d, &above) || !affine_add(&hi, &index[r], -1) ||
        !affine_nonnegative(d, &hi))
      return false;
  }
  return true;
}

typedef struct {
  const cdag *g;
  int array;
  const cdag_term *t;
  unsigned pinned;
} existing;

static bool exists_at(void *context, const int64_t *x)
{
  const existing *k = context;
  affine_domain d;
  affine form[CDAG_RANK], index[CDAG_RANK];
  for (int r = 0; r < CDAG_RANK; r++)
    form[r] = k->pinned >> r & 1 ? affine_const(x[r]) : affine_slot(r);
  return affine_domain_of(k->g, k->array, k->pinned, x, &d) &&
         shape_index_forms(k->g, k->t, k->g->array[k->t->array].rank, form, d.rank, index) &&
         shape_exists(k->g, k->t->array, index, &d);
}

bool shape_always(const cdag *g, int array, const cdag_term *t)
{
  existing k = { g, array, t, shape_pinned(g, array, false) };
  return shape_each_setting(g, array, k.pinned, exists_at, &k);
}

bool shape_hull_domain(const cdag *g, int array, affine_domain *d)
{
  const cdag_array *a = &g->array[array];
  *d = (affine_domain){ .rank = a->rank };
  for (int r = 0; r < a->rank; r++) {
    d->lo[r] = affine_const(a->hull.lo[r]);
    d->hi[r] = affine_const(a->hull.hi[r]);
  }
  return true;
}

/* ---- chains ---- */

/* What a term to the own array shifts: the one loop that moves by one, and the loop below it whose index is anything
   else of coefficient one.  False for any other form. */
static bool shift_of(const cdag *g, int array, const cdag_term *t, int *moved, int *step, int *carried)
{
  int rank = g->array[array].rank;
  affine form[CDAG_RANK], index[CDAG_RANK];
  *moved = *carried = -1;
  for (int r = 0; r < rank; r++)
    form[r] = affine_slot(r);
  if (t->array != array || !shape_index_forms(g, t, rank, form, rank, index))
    return false;
  for (int r = 0; r < rank; r++) {
    int64_t by = index[r].base;
    if (affine_slots(&index[r]) != 1u << r || index[r].coef[r] != 1)
      return false;
    if (by == 0)
      continue;
    if (*moved < 0 && (by == 1 || by == -1))
      *moved = r, *step = (int)by;
    else if (*moved >= 0 && *carried < 0)
      *carried = r;
    else
      return false;
  }
  return *moved >= 0;
}

void shape_chain_find(const cdag *g, int array, shape_chain *c)
{
  const cdag_array *a = &g->array[array];
  *c = (shape_chain){ .outer = -1, .inner = -1 };
  for (int t = 0; t < a->terms; t++) {
    int moved, step, carried;
    c->terms += a->term[t].array == array;
    if (!shift_of(g, array, &a->term[t], &moved, &step, &carried))
      continue;
    if (a->hull.hi[moved] - a->hull.lo[moved] <= 1) { /* it never exists */
      c->terms--;
      continue;
    }
    if (carried < 0) {
      c->links |= 1u << moved;
      c->direction[moved] = step;
      c->link_terms |= 1u << t;
    } else if (c->outer < 0 && step < 0 && a->term[t].index[carried].base >= 0) { /* from a first value to a last */
      c->outer = moved;
      c->inner = carried;
      c->direction[moved] = step;
      c->link_terms |= 1u << t;
    }
  }
  if (c->outer >= 0 && c->links != 1u << c->inner) /* a carry makes sense with its block's own link only */
    c->outer = c->inner = -1;
}

typedef struct {
  const cdag *g;
  int array;
  const shape_chain *c;
  int64_t shift;               /* inner index of the carry: x[inner] + shift */
} carrying;

static bool carry_at(void *context, const int64_t *x)
{
  carrying *k = context;
  int64_t before[CDAG_RANK], first, lo, hi, last, jlo, jhi;
  memcpy(before, x, sizeof before);
  cdag_range(k->g, k->array, k->c->outer, x, &first, &hi);
  cdag_range(k->g, k->array, k->c->inner, x, &jlo, &jhi);
  if (jlo >= jhi)
    return false;
  if (x[k->c->outer] == first)
    return true;
  before[k->c->outer]--;
  cdag_range(k->g, k->array, k->c->inner, before, &lo, &last);
  return jlo + k->shift == last - 1;
}

bool shape_carries(const cdag *g, int array, const shape_chain *c)
{
  const cdag_array *a = &g->array[array];
  carrying k = { g, array, c, 0 };
  affine form[CDAG_RANK], index[CDAG_RANK];
  unsigned loops = shape_close(g, array, 1u << c->inner | 1u << c->outer) & ~(1u << c->inner);
  for (int r = 0; r < a->rank; r++)
    form[r] = affine_slot(r);
  for (int t = 0; t < a->terms; t++)
    if (c->link_terms >> t & 1 && shape_index_forms(g, &a->term[t], a->rank, form, a->rank, index) &&
        index[c->outer].base != 0)
      k.shift = index[c->inner].base;
  for (int r = 0; r < a->rank; r++) /* no other range may move along the chain */
    if (r != c->inner && r != c->outer &&
        (affine_range_uses(g, array, r, c->inner) || affine_range_uses(g, array, r, c->outer)))
      return false;
  return c->outer < c->inner && c->direction[c->inner] < 0 && shape_each_setting(g, array, loops, carry_at, &k);
}

bool shape_straight(const cdag *g, int array, const shape_chain *c)
{
  const cdag_array *a = &g->array[array];
  if (c->outer >= 0)
    return shape_carries(g, array, c);
  for (int r = 0; r < a->rank; r++)
    for (int q = 0; q < r; q++)
      if (c->links >> q & 1 && affine_range_uses(g, array, r, q))
        return false;
  return true;
}

/* ---- selections ---- */

/* Does the term read the own array at smaller values of the loop?  *one_before: at the value before, all else the same.
 */
static bool reads_back(const cdag_array *a, int array, const cdag_term *t, int loop, bool *one_before)
{
  const cdag_index *x = &t->index[loop];
  if (t->array != array || x->kind != CDAG_AT || x->var != loop || x->base >= 0)
    return false;
  *one_before = true;
  for (int r = 0; r < a->rank; r++)
    *one_before &= t->index[r].kind == CDAG_AT && t->index[r].var == r && t->index[r].base == (r == loop ? -1 : 0);
  return true;
}

int shape_source_loop(const cdag *g, int array)
{
  const cdag_array *a = &g->array[array];
  if (a->terms == 0 || a->count == 0 || !affine_is_box(g, array))
    return -1;
  for (int loop = 0; loop < a->rank; loop++) {
    bool back = true, straight = false;
    for (int t = 0; t < a->terms && back; t++) {
      bool one = false;
      back = reads_back(a, array, &a->term[t], loop, &one);
      straight |= one;
    }
    if (back && straight)
      return loop;
  }
  return -1;
}

/* Has loop r the same values whatever the others are, and they whatever it is? */
static bool stands_alone(const cdag *g, int array, int r)
{
  bool alone = true;
  for (int q = 0; q < g->array[array].rank; q++)
    alone = alone && !affine_range_uses(g, array, r, q) && !affine_range_uses(g, array, q, r);
  return alone;
}

uint64_t shape_selection_count(const cdag *g, const cdag_selection *s)
{
  const cdag_array *a = &g->array[s->array];
  affine form[CDAG_RANK], index[CDAG_RANK];
  affine_domain d = { .rank = s->vars };
  cdag_box box;
  uint64_t count = 1;
  for (int q = 0; q < s->vars; q++)
    form[q] = affine_slot(q);
  for (int q = 0; q < s->vars; q++)
    if (!affine_of_expr(g, s->var_lo[q], form, q, &d.lo[q]) || !affine_of_expr(g, s->var_hi[q], form, q, &d.hi[q]))
      return 0;
  for (int r = 0; r < a->rank; r++) {
    affine lo = affine_const(a->hull.lo[r]), hi = affine_const(a->hull.hi[r]);
    if (s->index[r].kind != CDAG_ALL && !affine_of_expr(g, s->index[r].lo, form, s->vars, &lo))
      return 0;
    if (s->index[r].kind == CDAG_RANGE && !affine_of_expr(g, s->index[r].hi, form, s->vars, &hi))
      return 0;
    index[r] = lo;
    box.lo[r] = lo.base;
    box.hi[r] = s->index[r].kind == CDAG_AT ? lo.base + 1 : hi.base;
    if (s->vars > 0 && s->index[r].kind != CDAG_AT && (!affine_is_const(&lo) || !affine_is_const(&hi)))
      return 0;
  }
  if (s->vars == 0)
    return cdag_box_count(g, s->array, &box);
  for (int r = 0; r < a->rank; r++) /* with loops: every index inside, no element twice */
    if (s->index[r].kind != CDAG_AT) {
      if (!stands_alone(g, s->array, r))
        return 0;
      count *= (uint64_t)num_max(0, num_min(box.hi[r], a->hull.hi[r]) - num_max(box.lo[r], a->hull.lo[r]));
      index[r] = affine_const(a->hull.lo[r]);
    }
  if (!shape_exists(g, s->array, index, &d))
    return 0;
  unsigned told = 0;
  for (int r = 0; r < a->rank; r++) {
    unsigned slots = affine_slots(&index[r]);
    if ((slots & ~told) == 0)
      index[r] = affine_const(0); /* it tells nothing new, as the second i of X[i,*,i] */
    told |= slots;
  }
  if (!affine_injective(&d, index, a->rank, (1u << s->vars) - 1))
    return 0;
  for (int q = 0; q < s->vars; q++)
    if (!affine_is_const(&d.lo[q]) || !affine_is_const(&d.hi[q]))
      return 0;
    else
      count *= (uint64_t)num_max(0, d.hi[q].base - d.lo[q].base);
  return count;
}
