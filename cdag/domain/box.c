/* box.c -- the image of a box under a term.

   A term whose indices are each a constant or one variable plus a constant, each variable used once, maps a box to a
   box; cutting the image to a rectangular domain cuts the box alike.  Any other term does so too once the variables
   that spoil it have single values in the box: their contribution is then a constant. */
#include "cdag/cdag_internal.h"
#include "base/num.h"

static void set_empty(cdag_box *b, int rank)
{
  for (int r = 0; r < rank; r++)
    b->lo[r] = b->hi[r] = 0;
}

/* [*lo, *hi) cut to [low, high); false when nothing is left */
static inline bool cut(int64_t *lo, int64_t *hi, int64_t low, int64_t high)
{
  *lo = num_max(*lo, low);
  *hi = num_min(*hi, high);
  return *lo < *hi;
}

static bool nothing(cdag_box *part, int vars, cdag_box *image, int rank)
{
  set_empty(part, vars);
  set_empty(image, rank);
  return true;
}

/* Boxy term, rectangular target: no questions. */
static bool plain_image(const bound_term *t, const cdag_box *hull, int vars, cdag_box *part, cdag_box *image)
{
  for (int s = 0; s < t->rank; s++) {
    const bound_index *x = &t->index[s];
    int v = x->lo.var;
    bool some;
    if (x->kind == CDAG_AT && v >= 0) {
      some = cut(&part->lo[v], &part->hi[v], hull->lo[s] - x->lo.base, hull->hi[s] - x->lo.base);
      image->lo[s] = part->lo[v] + x->lo.base;
      image->hi[s] = part->hi[v] + x->lo.base;
    } else {
      image->lo[s] = x->kind == CDAG_ALL ? hull->lo[s] : x->lo.base;
      image->hi[s] = x->kind == CDAG_ALL ? hull->hi[s] : x->kind == CDAG_AT ? x->lo.base + 1 : x->hi.base;
      some = cut(&image->lo[s], &image->hi[s], hull->lo[s], hull->hi[s]);
    }
    if (!some)
      return nothing(part, vars, image, t->rank);
  }
  return true;
}

typedef enum { IS_BOX, IS_EMPTY, IS_NONE } verdict;

typedef struct {
  const cdag *g;
  const bound_term *t;
  const nest *target;
  int vars;
  uint32_t ranging, used;      /* variables with several values; those some index has used */
  int var[CDAG_RANK];          /* the ranging variable of each index, or -1 */
  cdag_box *part, *image;
} imaging;

/* Index s before cutting to the domain. */
static verdict raw_index(imaging *m, int s)
{
  const bound_index *x = &m->t->index[s];
  uint32_t moving = x->kind == CDAG_ALL ? 0 : form_vars(&x->lo) & m->ranging;
  const int64_t *at = m->part->lo;
  m->var[s] = -1;
  if (x->kind == CDAG_ALL) {
    m->image->lo[s] = m->target->hull.lo[s];
    m->image->hi[s] = m->target->hull.hi[s];
    return IS_BOX;
  }
  if ((x->lo.rest_vars & m->ranging) || (moving & (moving - 1)) || (moving & m->used))
    return IS_NONE;
  if (!form_at(&x->lo, at, m->vars, m->g->table, &m->image->lo[s]))
    return IS_EMPTY;
  if (x->kind == CDAG_RANGE) {
    if (moving || form_vars(&x->hi) & m->ranging)
      return IS_NONE;
    return form_at(&x->hi, at, m->vars, m->g->table, &m->image->hi[s]) ? IS_BOX : IS_EMPTY;
  }
  m->image->hi[s] = m->image->lo[s] + 1;
  if (moving) {
    int v = m->var[s] = __builtin_ctz(moving);
    if (x->lo.coef[v] != 1)
      return IS_NONE;
    m->image->hi[s] = m->image->lo[s] + (m->part->hi[v] - m->part->lo[v]);
    m->used |= moving;
  }
  return IS_BOX;
}

/* The bounds of dimension s of the domain, when they are the same on the whole image so far; else may the image be kept
   whole, or dropped whole? */
static verdict common_bounds(const imaging *m, int s, int64_t *lo, int64_t *hi)
{
  const nest *n = m->target;
  int64_t lo_most, hi_least;
  if (n->rectangular) {
    *lo = n->hull.lo[s];
    *hi = n->hull.hi[s];
    return IS_BOX;
  }
  bool single = true;
  for (int q = 0; q < s; q++)
    single = single && (!(n->bound_vars[s] >> q & 1) || m->image->hi[q] - m->image->lo[q] == 1);
  if (single) {
    nest_range(n, s, m->image->lo, lo, hi);
    return IS_BOX;
  }
  if (n->lo[s].rest || n->hi[s].rest)
    return IS_NONE; /* where a table has no value nothing exists: an interval would not see it */
  form_interval(&n->lo[s], m->image, s, n->table, lo, &lo_most);
  form_interval(&n->hi[s], m->image, s, n->table, &hi_least, hi);
  if (m->image->hi[s] <= *lo || m->image->lo[s] >= *hi)
    return IS_EMPTY;
  if (*lo == lo_most && *hi == hi_least)
    return IS_BOX;
  bool whole = m->t->index[s].kind != CDAG_ALL && m->image->lo[s] >= lo_most && m->image->hi[s] <= hi_least;
  return whole ? IS_BOX : IS_NONE;
}

static verdict cut_index(imaging *m, int s)
{
  int64_t lo, hi, before = m->image->lo[s];
  verdict v = common_bounds(m, s, &lo, &hi);
  if (v != IS_BOX)
    return v;
  if (!cut(&m->image->lo[s], &m->image->hi[s], lo, hi))
    return IS_EMPTY;
  if (m->var[s] >= 0) {
    int64_t shift = m->part->lo[m->var[s]] - before;
    m->part->lo[m->var[s]] = m->image->lo[s] + shift;
    m->part->hi[m->var[s]] = m->image->hi[s] + shift;
  }
  return IS_BOX;
}

static verdict careful_image(imaging *m)
{
  verdict v = IS_BOX;
  bool empty = false;
  for (int r = 0; r < m->vars; r++)
    if (m->part->hi[r] - m->part->lo[r] > 1)
      m->ranging |= 1u << r;
  for (int s = 0; s < m->t->rank; s++) {
    v = raw_index(m, s);
    if (v == IS_NONE)
      return v;
    empty = empty || v == IS_EMPTY;
  }
  for (int s = 0; s < m->t->rank && !empty; s++) {
    v = cut_index(m, s);
    if (v == IS_NONE)
      return v;
    empty = v == IS_EMPTY;
  }
  return empty ? IS_EMPTY : IS_BOX;
}

bool cdag_term_image(const cdag *g, int array, int t, const cdag_box *b, cdag_box *part, cdag_box *image)
{
  const cdag_term *term = &g->array[array].term[t];
  const bound_term *bound = cdag_bound_term(g, array, t);
  const nest *target = &g->priv->dom[term->array];
  int vars = g->array[array].rank;
  *part = *b;
  if (term->never || target->count == 0 || cdag_box_empty(b, vars))
    return nothing(part, vars, image, bound->rank);
  if (term->boxy && target->rectangular)
    return plain_image(bound, &target->hull, vars, part, image);
  imaging m = { .g = g, .t = bound, .target = target, .vars = vars, .part = part, .image = image };
  verdict v = careful_image(&m);
  if (v == IS_EMPTY)
    return nothing(part, vars, image, bound->rank);
  return v == IS_BOX;
}
