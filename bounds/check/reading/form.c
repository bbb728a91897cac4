#include "bounds/check/reading/form.h"
#include "base/mem.h"
#include "base/num.h"
#include <string.h>

form form_number(int64_t c)
{
  form f = { 0 };
  f.c = c;
  return f;
}

form form_loop(int i)
{
  form f = { 0 };
  f.k[i] = 1;
  return f;
}

unsigned form_uses(const form *f)
{
  unsigned bits = 0;
  for (int i = 0; i < FORM_PLACES; i++)
    if (f->k[i])
      bits |= 1u << i;
  return bits;
}

bool form_is_number(const form *f) { return form_uses(f) == 0; }

bool form_same(const form *f, const form *g)
{
  bool same = f->c == g->c;
  for (int i = 0; i < FORM_PLACES; i++)
    same = same && f->k[i] == g->k[i];
  return same;
}

bool form_plus(form *f, const form *g, int64_t times)
{
  int64_t part;
  if (!num_mul(g->c, times, &part) || !num_add(f->c, part, &f->c))
    return false;
  for (int i = 0; i < FORM_PLACES; i++)
    if (!num_mul(g->k[i], times, &part) || !num_add(f->k[i], part, &f->k[i]))
      return false;
  return true;
}

/* A sum so far out is not followed further: one more product cannot overflow. */
#define FAR ((__int128)1 << 100)

static bool extreme(const form *f, const form_domain *s, bool largest, int64_t *value)
{
  form left = *f;
  __int128 sum = 0;
  for (int i = FORM_PLACES; i-- > 0;) {
    int64_t k = left.k[i];
    bool end = (k > 0) == largest; /* at the end of its range */
    left.k[i] = 0;
    if (k != 0 && s->slanted >> i & 1) {
      if (!form_plus(&left, end ? &s->to[i] : &s->from[i], k) || (end && !num_sub(left.c, k, &left.c)))
        return false;
    } else
      sum += (__int128)k * (end ? s->hi[i] - 1 : s->lo[i]);
    if (sum < -FAR || sum > FAR)
      return false;
  }
  sum += left.c;
  *value = (int64_t)sum;
  return sum >= INT64_MIN / 2 && sum <= INT64_MAX / 2;
}

bool form_extremes(const form *f, const form_domain *s, int64_t *least, int64_t *largest)
{
  return extreme(f, s, false, least) && extreme(f, s, true, largest);
}

/* ---- expressions ---- */

static bool moves(const cdag *g, const expr *e, const form *loop, int n)
{
  for (int i = 0; i < n; i++)
    if (!form_is_number(&loop[i]) && expr_uses(e, g->params + i, g->params + i + 1))
      return true;
  return false;
}

static bool number_of(const cdag *g, const expr *e, const form *loop, int n, form *f)
{
  SCOPED_MEM int64_t *slot = MEM_NEW(int64_t, g->params + n);
  for (int i = 0; i < g->params + n; i++)
    slot[i] = i < g->params ? g->param_value[i] : loop[i - g->params].c;
  expr_env env = { slot, g->table };
  *f = form_number(0);
  return expr_eval(e, &env, &f->c, NULL) == EXPR_OK;
}

bool form_read(const cdag *g, const expr *e, const form *loop, int n, form *f)
{
  form a, b;
  if (!moves(g, e, loop, n))
    return number_of(g, e, loop, n, f);
  if (e->op == EXPR_SLOT) {
    *f = loop[e->slot - g->params];
    return true;
  }
  *f = form_number(0);
  if (e->op == EXPR_NEG)
    return form_read(g, e->arg[0], loop, n, &a) && form_plus(f, &a, -1);
  if (e->op != EXPR_ADD && e->op != EXPR_SUB && e->op != EXPR_MUL)
    return false;
  if (!form_read(g, e->arg[0], loop, n, &a) || !form_read(g, e->arg[1], loop, n, &b))
    return false;
  if (e->op == EXPR_MUL && form_is_number(&a))
    return form_plus(f, &b, a.c);
  if (e->op == EXPR_MUL)
    return form_is_number(&b) && form_plus(f, &a, b.c);
  *f = a;
  return form_plus(f, &b, e->op == EXPR_ADD ? 1 : -1);
}

bool form_index(const cdag *g, const cdag_index *x, bool end, const form *loop, int n, form *f)
{
  const int64_t *coef = end ? x->hi_coef : x->coef;
  if (!x->affine)
    return form_read(g, end ? x->hi : x->lo, loop, n, f);
  *f = form_number(end ? x->hi_base : x->base);
  for (int r = 0; r < n; r++)
    if (coef[r] != 0 && !form_plus(f, &loop[r], coef[r]))
      return false;
  return true;
}

bool form_indices(const cdag *g, int array, const cdag_term *t, form *index)
{
  form loop[CDAG_RANK];
  for (int r = 0; r < CDAG_RANK; r++)
    loop[r] = form_loop(r);
  for (int r = 0; r < g->array[t->array].rank; r++)
    if (t->index[r].kind != CDAG_AT || !form_read(g, t->index[r].lo, loop, g->array[array].rank, &index[r]))
      return false;
  return true;
}

/* ---- domains ---- */

bool form_whole_box(const cdag *g, int array)
{
  const cdag_array *a = &g->array[array];
  unsigned __int128 volume = 1;
  for (int r = 0; r < a->rank; r++) {
    volume *= (unsigned __int128)(uint64_t)(a->hull.hi[r] - a->hull.lo[r]);
    if (volume > a->count)
      return false;
  }
  return volume == a->count;
}

void form_hull(const cdag *g, int array, form_domain *s)
{
  s->slanted = 0;
  for (int r = 0; r < FORM_PLACES; r++) {
    s->lo[r] = r < g->array[array].rank ? g->array[array].hull.lo[r] : 0;
    s->hi[r] = r < g->array[array].rank ? g->array[array].hull.hi[r] : 1;
  }
}

bool form_bounds(const cdag *g, int array, int r, const form *index, form *lo, form *hi)
{
  const cdag_array *a = &g->array[array];
  if (form_whole_box(g, array)) {
    *lo = form_number(a->hull.lo[r]);
    *hi = form_number(a->hull.hi[r]);
    return true;
  }
  return form_read(g, a->lo[r], index, r, lo) && form_read(g, a->hi[r], index, r, hi);
}

bool form_inside(const cdag *g, int array, const form *index, const form_domain *s)
{
  for (int r = 0; r < g->array[array].rank; r++) {
    form lo, hi, above = index[r];
    int64_t least, most;
    if (!form_bounds(g, array, r, index, &lo, &hi) || !form_plus(&above, &lo, -1) ||
        !form_extremes(&above, s, &least, &most) || least < 0)
      return false;
    /* unreachable: more than 2^62 below the end of a range: the index is not below its beginning */
    if (!form_plus(&hi, &index[r], -1) || !form_extremes(&hi, s, &least, &most) || least < 1)
      return false;
  }
  return true;
}

bool form_depends(const cdag *g, int array, int r, int q)
{
  const cdag_array *a = &g->array[array];
  int slot = g->params + q;
  return q < r && !form_whole_box(g, array) &&
         (expr_uses(a->lo[r], slot, slot + 1) || expr_uses(a->hi[r], slot, slot + 1));
}

/* Digits: sorted by size, each step must be longer than all the smaller ones reach together. */
static bool digits(const form *f, unsigned places, const form_domain *s)
{
  __int128 reach = 0;
  for (unsigned left = form_uses(f) & places; left;) {
    int next = -1;
    for (int i = 0; i < FORM_PLACES; i++)
      if (left >> i & 1 && s->hi[i] - s->lo[i] > 1 &&
          (next < 0 || (f->k[i] < 0 ? -f->k[i] : f->k[i]) < (f->k[next] < 0 ? -f->k[next] : f->k[next])))
        next = i;
    if (next < 0)
      return true; /* the rest have one value each */
    __int128 step = f->k[next] < 0 ? -(__int128)f->k[next] : f->k[next];
    if (step <= reach)
      return false;
    reach += step * (s->hi[next] - s->lo[next] - 1);
    left &= ~(1u << next);
  }
  return true;
}

bool form_distinct(const form *f, int n, unsigned places, const form_domain *s)
{
  unsigned once = 0;
  for (int i = 0; i < n; i++) {
    unsigned here = form_uses(&f[i]);
    if (here & ~places || here & once || !digits(&f[i], places, s))
      return false;
    once |= here;
  }
  return once == places;
}

/* ---- pieces ---- */

/* Loops below n inside a part of e that is no sum, difference or multiple. */
static unsigned not_linear(const cdag *g, const expr *e, int n)
{
  form loop[CDAG_RANK], f;
  unsigned loops = 0;
  for (int i = 0; i < n; i++)
    loop[i] = form_loop(i);
  if (!e || form_read(g, e, loop, n, &f))
    return 0;
  if (e->op == EXPR_ADD || e->op == EXPR_SUB || e->op == EXPR_NEG)
    for (int i = 0; i < e->nargs; i++)
      loops |= not_linear(g, e->arg[i], n);
  else
    for (int i = 0; i < n; i++)
      loops |= (unsigned)expr_uses(e, g->params + i, g->params + i + 1) << i;
  return loops;
}

unsigned form_closed(const cdag *g, int array, unsigned loops)
{
  for (int r = g->array[array].rank; r-- > 0;)
    for (int q = 0; q < r && loops >> r & 1; q++)
      loops |= (unsigned)form_depends(g, array, r, q) << q;
  return loops;
}

unsigned form_held(const cdag *g, int array, bool rule)
{
  const cdag_array *a = &g->array[array];
  unsigned held = 0;
  for (int t = 0; rule && t < a->terms; t++)
    for (int r = 0; r < g->array[a->term[t].array].rank; r++)
      held |= not_linear(g, a->term[t].index[r].lo, a->rank) | not_linear(g, a->term[t].index[r].hi, a->rank);
  for (int r = 0; r < a->rank && !form_whole_box(g, array); r++)
    held |= not_linear(g, a->lo[r], r) | not_linear(g, a->hi[r], r);
  return form_closed(g, array, held);
}

bool form_range(form_domain *s, int r, const form *from, const form *to)
{
  int64_t other;
  s->from[r] = *from;
  s->to[r] = *to;
  s->slanted &= ~(1u << r);
  if (!form_extremes(from, s, &s->lo[r], &other) || !form_extremes(to, s, &other, &s->hi[r]))
    return false;
  if (!form_is_number(from) || !form_is_number(to))
    s->slanted |= 1u << r;
  return true;
}

enum { SETTINGS = 1 << 18 };

typedef struct {
  const cdag *g;
  int array;
  unsigned held;
  form_setting visit;
  void *context;
  int64_t x[CDAG_RANK], patience;
} walk;

static int next_held(const walk *w, int r)
{
  while (r < CDAG_RANK && !(w->held >> r & 1))
    r++;
  return r;
}

/* Are there so few values that none is left out?  Depth: one level a loop. */
static bool within_patience(walk *w, int r)
{
  int64_t lo, hi;
  int inner = next_held(w, r + 1);
  cdag_range(w->g, w->array, r, w->x, &lo, &hi);
  if (lo < hi && (w->patience -= hi - lo) < 0)
    return false;
  for (int64_t v = lo; v < hi && inner < CDAG_RANK; v++) {
    w->x[r] = v;
    if (!within_patience(w, inner))
      return false;
  }
  w->x[r] = 0;
  return true;
}

/* Depth: one level a loop. */
static bool each(walk *w, int r)
{
  int64_t lo, hi;
  if (r == CDAG_RANK)
    return w->visit(w->context, w->x);
  cdag_range(w->g, w->array, r, w->x, &lo, &hi);
  for (int64_t v = lo; v < hi; v++) {
    w->x[r] = v;
    if (!each(w, next_held(w, r + 1)))
      return false;
  }
  w->x[r] = 0;
  return true;
}

bool form_each_setting(const cdag *g, int array, unsigned held, form_setting visit, void *context)
{
  walk w = { g, array, held, visit, context, { 0 }, SETTINGS }, counted = w;
  int first = next_held(&w, 0);
  return (first == CDAG_RANK || within_patience(&counted, first)) && each(&w, first);
}

typedef struct {
  const cdag *g;
  int array;
  unsigned held;
  form_visit visit;
  void *context;
  form_domain s;
} pieces;

static bool piece_at(void *context, const int64_t *x)
{
  pieces *p = context;
  form loop[CDAG_RANK], lo, hi;
  p->s.slanted = 0;
  for (int r = 0; r < p->g->array[p->array].rank; r++) {
    bool held = p->held >> r & 1;
    loop[r] = held ? form_number(x[r]) : form_loop(r);
    p->s.lo[r] = x[r];
    p->s.hi[r] = x[r] + 1;
    if (held)
      continue;
    if (!form_bounds(p->g, p->array, r, loop, &lo, &hi) || !form_range(&p->s, r, &lo, &hi))
      return false;
    if (p->s.lo[r] >= p->s.hi[r])
      return true;
  }
  return p->visit(p->context, &p->s);
}

bool form_each(const cdag *g, int array, unsigned held, form_visit visit, void *context)
{
  pieces p = { .g = g, .array = array, .held = held, .visit = visit, .context = context };
  for (int i = 0; i < FORM_PLACES; i++)
    p.s.hi[i] = 1;
  return form_each_setting(g, array, held, piece_at, &p);
}

void form_loops(const form_domain *s, unsigned held, form *loop)
{
  for (int i = 0; i < CDAG_RANK; i++)
    loop[i] = held >> i & 1 ? form_number(s->lo[i]) : form_loop(i);
}
