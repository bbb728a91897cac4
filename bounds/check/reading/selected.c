/* Which ends of chains the lists of outputs name. */
#include "bounds/check/reading/named.h"
#include "base/mem.h"
#include "base/patience.h"
#include <string.h>

bool checker_selection_box(const cdag *g, const cdag_selection *sel, cdag_box *box)
{
  form loop[CDAG_RANK], lo, hi;
  unsigned used = 0;
  *box = g->array[sel->array].hull;
  for (int q = 0; q < sel->vars; q++)
    loop[q] = form_loop(q);
  for (int r = 0; r < g->array[sel->array].rank; r++) {
    const cdag_index *x = &sel->index[r];
    if (x->kind == CDAG_ALL)
      continue;
    if (!form_read(g, x->lo, loop, sel->vars, &lo))
      return false;
    unsigned uses = form_uses(&lo);
    int q = uses ? __builtin_ctz(uses) : -1;
    if (q < 0) {
      hi = lo, hi.c++;
      if (x->kind == CDAG_RANGE && (!form_read(g, x->hi, loop, sel->vars, &hi) || !form_is_number(&hi)))
        return false;
    } else if (uses & used || !form_read(g, sel->var_lo[q], loop, q, &lo) ||
               !form_read(g, sel->var_hi[q], loop, q, &hi) || !form_is_number(&lo) ||
               !form_is_number(&hi)) /* of an index that uses a loop not used before that loop is all there is */
      return false;
    used |= uses;
    box->lo[r] = lo.c;
    box->hi[r] = hi.c;
  }
  return used == (1u << sel->vars) - 1;
}

/* Narrow the box to one element of each chain whose end is in it, along loop r.  The chains have been counted: they
 * begin, or end, in one place. */
static bool end_in_box(const cdag *g, int array, const checker_chain *c, int r, cdag_box *box)
{
  const cdag_box *hull = &g->array[array].hull;
  int64_t end = c->step[r] < 0 ? hull->hi[r] - 1 : hull->lo[r];
  bool first = checker_fixed_bound(g, array, r, false), last = checker_fixed_bound(g, array, r, true);
  if (box->lo[r] <= hull->lo[r] &&
      box->hi[r] >= hull->hi[r]) /* whole chains: count their other ends if need be, one of which is fixed */
    end = first ? hull->lo[r] : hull->hi[r] - 1;
  else if (!(c->step[r] < 0 ? last : first) || box->lo[r] > end || box->hi[r] <= end)
    return false;
  box->lo[r] = end;
  box->hi[r] = end + 1;
  return true;
}

/* Ends named by a selection that is a box. */
static bool box_names_ends(const cdag *g, const checker_chain *c, const cdag_selection *sel, uint64_t *count)
{
  const cdag_array *a = &g->array[sel->array];
  cdag_box box;
  if (!checker_selection_box(g, sel, &box))
    return false;
  for (int r = 0; r < a->rank; r++) {
    if (c->loops >> r & 1 && !end_in_box(g, sel->array, c, r, &box))
      return false;
  }
  *count = cdag_box_count(g, sel->array, &box);
  return true;
}

/* Any other selection: its loops with constant ranges, telling what it names apart. */
static bool loops_name_ends(const cdag *g, const checker_chain *c, const cdag_selection *sel, uint64_t *count)
{
  naming k = { .g = g, .target = sel->array, .loops = sel->vars, .c = c, .index = sel->index };
  form loop[CDAG_RANK], lo, hi;
  form_domain s = { .slanted = 0 };
  unsigned places;
  *count = naming_everything(&k);
  for (int i = 0; i < FORM_PLACES; i++)
    s.lo[i] = 0, s.hi[i] = 1;
  for (int q = 0; q < sel->vars; q++) {
    loop[q] = form_loop(q);
    if (!form_read(g, sel->var_lo[q], loop, q, &lo) || !form_read(g, sel->var_hi[q], loop, q, &hi) ||
        !form_is_number(&lo) || !form_is_number(&hi) || lo.c >= hi.c)
      return false;
    s.lo[q] = k.lo[q] = lo.c;
    s.hi[q] = k.hi[q] = hi.c;
    *count *= (uint64_t)(hi.c - lo.c);
  }
  unsigned many = 0;
  for (int q = 0; q < sel->vars; q++)
    many |= (unsigned)(s.hi[q] - s.lo[q] > 1) << q;
  return naming_telling(&k, &s, &places) && places == many && naming_names_ends(&k, loop, &s);
}

bool checker_selection_names(const cdag *g, const checker_chain *c, const cdag_selection *sel, uint64_t *count)
{
  return box_names_ends(g, c, sel, count) || loops_name_ends(g, c, sel, count);
}

/* ---- selections whose indices come from tables: point by point ---- */

enum { POINTS = PATIENCE(1 << 17) };

typedef struct {
  const cdag *g;
  const cdag_selection *sel;
  const checker_chain *c;
  int64_t *slot;               /* parameters, then the selection's loops */
  int left;
} pointwise;

static bool value_at(const pointwise *p, const expr *e, int64_t *value)
{
  expr_env env = { p->slot, p->g->table };
  return expr_eval(e, &env, value, NULL) == EXPR_OK;
}

/* Are the elements named at this point ends of chains?  An index that takes everything is at its first value for the
   others' ranges, which do not ask for it. */
static bool at_ends(const pointwise *p)
{
  int64_t x[CDAG_RANK] = { 0 }, lo, hi;
  for (int r = 0; r < p->g->array[p->sel->array].rank; r++) {
    bool chain = p->c->loops >> r & 1;
    cdag_range(p->g, p->sel->array, r, x, &lo, &hi);
    x[r] = lo;
    if (p->sel->index[r].kind == CDAG_AT && !value_at(p, p->sel->index[r].lo, &x[r]))
      return false;
    if (chain && (p->sel->index[r].kind != CDAG_AT || x[r] != (p->c->step[r] < 0 ? hi - 1 : lo)))
      return false;
  }
  return true;
}

/* Depth: one level a loop. */
static bool each_point(pointwise *p, int q)
{
  int64_t lo, hi, *x = &p->slot[p->g->params + q];
  if (q == p->sel->vars)
    return p->left-- > 0 && at_ends(p);
  if (!value_at(p, p->sel->var_lo[q], &lo) || !value_at(p, p->sel->var_hi[q], &hi))
    return false;
  for (*x = lo; *x < hi; ++*x)
    if (!each_point(p, q + 1))
      return false;
  return true;
}

bool checker_selections_point_at(const cdag *g, int array, const checker_chain *c, uint64_t ends)
{
  pointwise p = { .g = g, .c = c, .left = POINTS };
  uint64_t outputs;
  for (int i = 0; i < g->selections; i++)
    if (g->selection[i].array == array) {
      if (p.sel)
        return false;
      p.sel = &g->selection[i];
    }
  if (!p.sel || !cdag_array_outputs(g, array, &outputs) || outputs != ends)
    return false;
  for (int q = 0; q < g->array[array].rank; q++)
    for (int r = q + 1; r < g->array[array].rank; r++)
      if (p.sel->index[q].kind != CDAG_AT && form_depends(g, array, r, q))
        return false;
  p.slot = MEM_NEW(int64_t, g->params + CDAG_RANK);
  memcpy(p.slot, g->param_value, (size_t)g->params * sizeof *p.slot);
  bool good = each_point(&p, 0);
  mem_free(p.slot);
  return good;
}
