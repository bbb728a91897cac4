#include "cdag/polyhedral/eliminate.h"
#include "base/num.h"
#include <limits.h>
#include <string.h>

static int64_t magnitude(int64_t a) { return a < 0 ? -a : a; }

/* ---- one constraint ---- */

/* Coefficients without common divisor; the constant rounded down.  An equality whose constant is no multiple has no
   solution.  *mark: the same for parallel constraints; 0 for a constant. */
static reduction divide(constraint *c, int vars, uint32_t *mark)
{
  int64_t g = 0, *coef = c->form.coef;
  int last = 0;
  uint64_t h = 0, flip = 0;
  for (int v = 0; v < vars; v++)
    if (coef[v]) {
      if (coef[v] == INT64_MIN)
        return LOST;
      g = g ? num_gcd(g, magnitude(coef[v])) : magnitude(coef[v]);
      last = v + 1;
    }
  *mark = 0;
  if (g == 0)
    return (c->equal ? c->form.base != 0 : c->form.base < 0) ? NO_POINT : TIDY;
  if (c->equal && c->form.base % g != 0)
    return NO_POINT;
  for (int v = 0; v < last; v++)
    if (coef[v]) {
      coef[v] = g > 1 ? coef[v] / g : coef[v];
      flip = flip ? flip : coef[v] < 0 ? (uint64_t)-1 : 1;
      h = h * 0x9e3779b97f4a7c15ULL + ((uint64_t)coef[v] * flip) * 31 + (uint64_t)v;
    }
  if (g > 1)
    c->form.base = num_floor_div(c->form.base, g);
  *mark = (uint32_t)(h >> 32) | 1;
  return TIDY;
}

/* 1: the same coefficients; -1: the opposite ones; 0: neither. */
static int parallel(const constraint *c, const constraint *e, int vars)
{
  uint64_t differ = 0, sum = 0;
  for (int v = 0; v < vars; v++) {
    differ |= (uint64_t)c->form.coef[v] ^ (uint64_t)e->form.coef[v];
    sum |= (uint64_t)c->form.coef[v] + (uint64_t)e->form.coef[v];
  }
  return differ == 0 ? 1 : sum == 0 ? -1 : 0;
}

/* c and e are parallel: c takes both in (TIDY with *merged), or they contradict. */
static reduction merge(constraint *c, const constraint *e, int sign, bool *merged)
{
  int64_t other = sign * e->form.base, sum;
  *merged = false;
  if (c->equal || e->equal) {
    if (c->equal && e->equal ? c->form.base != other
        : c->equal ? (sign > 0 ? e->form.base < c->form.base : !num_add(c->form.base, e->form.base, &sum) || sum < 0)
                   : (sign > 0 ? c->form.base < e->form.base : !num_add(c->form.base, e->form.base, &sum) || sum < 0))
      return NO_POINT;
    if (!c->equal)
      *c = *e;
    *merged = true;
    return TIDY;
  }
  if (sign > 0) {
    c->defines = c->form.base <= e->form.base ? c->defines : e->defines;
    c->form.base = num_min(c->form.base, e->form.base);
    *merged = true;
    return TIDY;
  }
  if (!num_add(c->form.base, e->form.base, &sum))
    return TIDY;
  if (sum < 0)
    return NO_POINT;
  if (sum == 0)
    c->equal = *merged = true;
  return TIDY;
}

enum { ROWS_MOST = 2048 };

/* The rows of p that were taken in so far, and what marks them.  stable: to take them in again would change nothing. */
typedef struct {
  polyhedron *p;
  bool stable;
  uint32_t print[ROWS_MOST];
} tidying;

/* `from` may be one of p's rows that comes later, or any other. */
static reduction take_in(tidying *t, const constraint *from)
{
  polyhedron *p = t->p;
  constraint *c = &p->row[p->n];
  uint32_t mark;
  if (c != from)
    *c = *from;
  reduction r = divide(c, p->vars, &mark);
  if (r != TIDY)
    return r;
  bool merged = mark == 0;
  for (int k = 0; k < p->n && !merged; k++) {
    int sign = t->print[k] == mark ? parallel(&p->row[k], c, p->vars) : 0;
    if (sign && merge(&p->row[k], c, sign, &merged) == NO_POINT)
      return NO_POINT;
    t->stable = t->stable && !merged; /* a row that has become tighter may meet another one */
  }
  if (!merged)
    t->print[p->n++] = mark;
  return TIDY;
}

static reduction reduce(polyhedron *p, bool *stable)
{
  tidying t; /* the marks are written before they are read */
  int n = p->n;
  if (n > ROWS_MOST)
    return LOST;
  t.p = p;
  t.stable = true;
  p->n = 0;
  reduction r = TIDY;
  for (int i = 0; i < n; i++)
    if (r == TIDY)
      r = take_in(&t, &p->row[i]), p->n += r != TIDY; /* what is left then stays as it is */
    else
      p->row[p->n++] = p->row[i];
  *stable = t.stable;
  return r;
}

/* The constraints of p and then those of q, if any: one by one, so that of many that say little anew few are copied. */
static reduction reduce_both(arena *a, const polyhedron *p, const polyhedron *q, int vars, polyhedron **result)
{
  tidying t;
  int more = q ? q->n : 0;
  reduction r = p->n + more > ROWS_MOST ? LOST : TIDY;
  t.p = *result = polyhedron_new(a, vars);
  t.stable = true;
  t.p->room = p->n + more + 1;
  t.p->row = arena_grow(a, NULL, 0, (size_t)t.p->room, sizeof *t.p->row);
  for (int i = 0; i < p->n + more && r == TIDY; i++)
    r = take_in(&t, i < p->n ? &p->row[i] : &q->row[i - p->n]);
  return r;
}

reduction polyhedron_reduce(polyhedron *p)
{
  bool stable;
  return reduce(p, &stable);
}

/* ---- equalities ---- */

/* Put `value`, a form without v, for variable v everywhere. */
static bool replace(polyhedron *p, int v, const linear *value)
{
  for (int i = 0; i < p->n; i++) {
    int64_t times = p->row[i].form.coef[v];
    if (times == 0)
      continue;
    p->row[i].form.coef[v] = 0;
    if (!linear_add(&p->row[i].form, value, times))
      return false;
  }
  return true;
}

/* The equality and variable from `keep` on with the least coefficient; -1 when there is none. */
static int pick(const polyhedron *p, int keep, int *variable)
{
  int best = -1;
  int64_t least = INT64_MAX;
  for (int i = 0; i < p->n; i++)
    for (int v = keep; v < p->vars && p->row[i].equal; v++)
      if (p->row[i].form.coef[v] && magnitude(p->row[i].form.coef[v]) < least) {
        least = magnitude(p->row[i].form.coef[v]);
        best = i;
        *variable = v;
      }
  return best;
}

/* Is v the only variable from `keep` on? */
static bool alone(const linear *f, int keep, int vars, int v)
{
  for (int q = keep; q < vars; q++)
    if (q != v && f->coef[q])
      return false;
  return true;
}

/* a x_v + rest = 0, |a| > 1, where rest is kept: |a| times each other row, minus what x_v is there.  That rest is a
 * multiple of a is forgotten. */
static bool scale_out(polyhedron *p, int row, int v)
{
  const linear f = p->row[row].form;
  int64_t a = f.coef[v], m = magnitude(a);
  for (int i = 0; i < p->n; i++) {
    int64_t c = p->row[i].form.coef[v];
    linear scaled = { 0 };
    if (c == 0 || i == row)
      continue;
    if (!linear_add(&scaled, &p->row[i].form, m) || !linear_add(&scaled, &f, a > 0 ? -c : c))
      return false;
    p->row[i].form = scaled;
  }
  p->row[row] = p->row[--p->n];
  return true;
}

/* a x_v + ... = 0 with |a| > 1: a new variable stands for x_v plus the quotients of the others, and coefficients get
 * smaller. */
static bool shrink(polyhedron *p, int row, int v)
{
  const linear f = p->row[row].form;
  int64_t a = f.coef[v], m = magnitude(a);
  linear value = linear_variable(v);
  /* x_v = sign * (y - sum floor(f_q / m) x_q), so that the row becomes m y + remainders */
  for (int q = 0; q < p->vars; q++)
    value.coef[q] = q == v ? (a > 0 ? 1 : -1) : (a > 0 ? -1 : 1) * num_floor_div(f.coef[q], m);
  value.base = (a > 0 ? -1 : 1) * num_floor_div(f.base, m);
  for (int i = 0; i < p->n; i++) {
    int64_t times = p->row[i].form.coef[v];
    if (times == 0)
      continue;
    p->row[i].form.coef[v] = 0;
    if (!linear_add(&p->row[i].form, &value, times))
      return false;
  }
  return true;
}

static reduction solve(polyhedron *p, int keep, bool *exact, bool reduced)
{
  for (int rounds = 0; rounds < 400; rounds++) {
    int v = 0;
    reduction r = reduced ? TIDY : polyhedron_reduce(p);
    if (r != TIDY)
      return r;
    reduced = false;
    int i = pick(p, keep, &v);
    if (i < 0)
      return TIDY;
    linear f = p->row[i].form;
    int64_t a = f.coef[v];
    if (magnitude(a) > 1 && alone(&f, keep, p->vars, v)) {
      *exact = false;
      if (!scale_out(p, i, v))
        return LOST;
      continue;
    }
    if (magnitude(a) > 1) {
      if (!shrink(p, i, v))
        return LOST;
      continue;
    }
    f.coef[v] = 0;
    linear value = { 0 };
    if (!linear_add(&value, &f, -a) || !replace(p, v, &value))
      return LOST;
    p->row[i] = p->row[--p->n]; /* it has become 0 = 0 */
  }
  *exact = false;
  return LOST;
}

reduction polyhedron_solve(polyhedron *p, int keep, bool *exact) { return solve(p, keep, exact, false); }

/* ---- inequalities ---- */

/* The variable from `keep` on whose going makes fewest new constraints, and how many it makes; -1 when none is left. */
static int cheapest(const polyhedron *p, int keep, int *cost)
{
  int below[POLYHEDRON_VARS] = { 0 }, above[POLYHEDRON_VARS] = { 0 }, best = -1;
  for (int i = 0; i < p->n; i++)
    for (int v = keep; v < p->vars; v++) {
      below[v] += p->row[i].form.coef[v] > 0;
      above[v] += p->row[i].form.coef[v] < 0;
    }
  *cost = INT_MAX;
  for (int v = keep; v < p->vars; v++) {
    int made = below[v] * above[v] - below[v] - above[v];
    if (below[v] + above[v] > 0 && made < *cost) {
      *cost = made;
      best = v;
    }
  }
  return best;
}

/* sum = a f + b g, of forms in so many variables. */
static bool add_both(const linear *f, int64_t a, const linear *g, int64_t b, int vars, linear *sum)
{
  int64_t x, y;
  bool good = num_mul(f->base, a, &x) && num_mul(g->base, b, &y) && num_add(x, y, &sum->base);
  for (int v = 0; v < vars && good; v++)
    if (f->coef[v] | g->coef[v])
      good = num_mul(f->coef[v], a, &x) && num_mul(g->coef[v], b, &y) && num_add(x, y, &sum->coef[v]);
  return good;
}

/* c times down plus e times up, whose sum knows nothing of v.  Where it is not negative there is a whole v between the
 * two if one of them has the coefficient 1, or if they are always so far apart that one fits. */
static bool combine(const constraint *c, const constraint *e, int v, int vars, constraint *sum, bool *exact)
{
  int64_t low = c->form.coef[v], high = -e->form.coef[v], g = num_gcd(low, high);
  *sum = (constraint){ 0 };
  if (!add_both(&c->form, high / g, &e->form, low / g, vars, &sum->form))
    return false;
  *exact = *exact && (low == 1 || high == 1 ||
                      (linear_is_constant(&sum->form) &&
                       (__int128)sum->form.base * g >= (__int128)(low - 1) * (high - 1)));
  return true;
}

/* Variable v goes: all sums of a lower and an upper bound stay, `cost` more than there are.  *exact when a bound on
   each side had coefficient 1. */
static reduction drop_variable(arena *a, polyhedron *p, int v, int cost, bool *exact, bool *stable)
{
  polyhedron rest = { .vars = p->vars };
  rest.room = p->n + (cost > 0 ? cost : 0) + 1;
  if (rest.room > ROWS_MOST)
    return LOST;
  rest.row = arena_grow(a, NULL, 0, (size_t)rest.room, sizeof *rest.row);
  for (int i = 0; i < p->n; i++) {
    int64_t c = p->row[i].form.coef[v];
    if (c == 0)
      rest.row[rest.n++] = p->row[i];
    for (int k = 0; k < p->n && c > 0; k++)
      if (p->row[k].form.coef[v] < 0 && !combine(&p->row[i], &p->row[k], v, p->vars, &rest.row[rest.n++], exact))
        return LOST;
  }
  p->n = rest.n;
  p->room = rest.room;
  p->row = rest.row;
  return reduce(p, stable);
}

/* ---- the questions ---- */

/* All variables from `keep` on go, cheapest first; equalities that turn up are solved at once. */
static reduction eliminate(arena *a, polyhedron *p, int keep, bool *exact, bool reduced)
{
  for (;;) {
    reduction r = solve(p, keep, exact, reduced);
    if (r != TIDY)
      return r;
    int cost, best = cheapest(p, keep, &cost);
    if (best < 0)
      return TIDY;
    r = drop_variable(a, p, best, cost, exact, &reduced);
    if (r != TIDY)
      return r;
  }
}

/* What most questions need. */
enum { NEAR = 1 << 15 };

/* Proved: no point has both, of so many variables. */
static bool none_has_both(arena *a, const polyhedron *p, const polyhedron *q, int vars)
{
  polyhedron *both;
  bool exact = true;
  reduction r = reduce_both(a, p, q, vars, &both);
  return r == NO_POINT || (r == TIDY && eliminate(a, both, 0, &exact, true) == NO_POINT);
}

bool polyhedron_empty(const polyhedron *p)
{
  char near[NEAR];
  SCOPED_ARENA a = arena_within(near, sizeof near);
  return none_has_both(&a, p, NULL, p->vars);
}

/* With -f - 1 >= 0 (and with f - 1 >= 0) there is no point. */
bool polyhedron_implies(const polyhedron *p, const linear *f, bool equal)
{
  char near[NEAR];
  SCOPED_ARENA a = arena_within(near, sizeof near);
  bool holds = true;
  for (int side = 0; side <= equal && holds; side++) {
    constraint no = { .form.base = -1 };
    polyhedron q = { .n = 1, .row = &no };
    holds = linear_add(&no.form, f, side ? 1 : -1) && none_has_both(&a, p, &q, p->vars);
  }
  return holds;
}

/* A bound of the first variable that the rows say. */
static bool extreme(const polyhedron *q, bool most, int64_t *value)
{
  bool any = false;
  for (int i = 0; i < q->n; i++) {
    int64_t c = q->row[i].form.coef[0], b = q->row[i].form.base;
    if (c == 0 || (!q->row[i].equal && (most ? c > 0 : c < 0)))
      continue;
    int64_t at = most ? num_floor_div(c < 0 ? b : -b, magnitude(c)) : -num_floor_div(c > 0 ? b : -b, magnitude(c));
    *value = !any ? at : most ? num_min(*value, at) : num_max(*value, at);
    any = true;
  }
  return any;
}

/* Project on a new first variable that equals f; its bounds are what is left.  A bound that is not asked for is
 * NULL. */
static bool extremes(const polyhedron *p, const linear *f, int64_t *least, int64_t *most)
{
  char near[NEAR];
  SCOPED_ARENA a = arena_within(near, sizeof near);
  polyhedron *q = polyhedron_new(&a, 1);
  linear first = linear_variable(0), moved;
  bool exact = true, found = p->vars < POLYHEDRON_VARS && linear_substitute(f, NULL, 0, 1, &moved);
  if (found) {
    polyhedron_include(&a, q, p, NULL, 0);
    polyhedron_same(&a, q, &first, &moved);
    found = eliminate(&a, q, 1, &exact, false) == TIDY && (!least || extreme(q, false, least)) &&
            (!most || extreme(q, true, most));
  }
  return found;
}

bool polyhedron_least(const polyhedron *p, const linear *f, int64_t *least) { return extremes(p, f, least, NULL); }
bool polyhedron_most(const polyhedron *p, const linear *f, int64_t *most) { return extremes(p, f, NULL, most); }
bool polyhedron_span(const polyhedron *p, const linear *f, int64_t *least, int64_t *most)
{
  return extremes(p, f, least, most);
}

bool polyhedra_span(const polyhedra *l, const linear *f, int64_t *least, int64_t *most)
{
  for (int k = 0; k < l->n; k++) {
    int64_t lo, hi;
    if (!polyhedron_span(l->item[k], f, &lo, &hi))
      return false;
    *least = k ? num_min(*least, lo) : lo;
    *most = k ? num_max(*most, hi) : hi;
  }
  return l->n > 0;
}

polyhedron *polyhedron_project(arena *a, const polyhedron *p, int n, bool *exact)
{
  polyhedron *q = polyhedron_copy(a, p);
  *exact = !p->open;
  reduction r = eliminate(a, q, n, exact, false);
  if (r == LOST) {
    *exact = false;
    q = polyhedron_new(a, n);
    q->open = true;
  } else if (r == NO_POINT) {
    linear no = linear_constant(-1);
    q = polyhedron_new(a, n);
    polyhedron_add(a, q, &no, false);
  }
  q->vars = n;
  for (int i = 0; i < q->n; i++)
    q->row[i].defines = false; /* what was said of a quotient is now said of what equals it */
  return q;
}

static bool has_quotients(const polyhedron *p)
{
  for (int i = 0; i < p->n; i++)
    if (p->row[i].defines)
      return true;
  return false;
}

/* What a quotient is must stay said as it was: then nothing is touched. */
polyhedron *polyhedron_tidy(arena *a, const polyhedron *p)
{
  polyhedron *q = polyhedron_copy(a, p);
  if (has_quotients(p))
    return q;
  if (polyhedron_reduce(q) == NO_POINT) {
    linear no = linear_constant(-1);
    q->n = 0;
    polyhedron_add(a, q, &no, false);
    return q;
  }
  for (int i = q->n - 1; i >= 0; i--) {
    constraint last = q->row[i];
    q->row[i] = q->row[--q->n];
    if (last.equal || !polyhedron_implies(q, &last.form, false)) {
      q->row[q->n++] = q->row[i];
      q->row[i] = last;
    }
  }
  return q;
}

/* f = c times whole + rest, with small coefficients in rest. */
static bool parts_of(const linear *f, int vars, int64_t c, linear *whole, linear *rest)
{
  *whole = (linear){ .base = num_floor_div(f->base, c) };
  bool some = false;
  for (int v = 0; v < vars; v++) {
    whole->coef[v] = num_floor_div(2 * f->coef[v] + c, 2 * c); /* the nearest */
    some = some || whole->coef[v];
  }
  *rest = *f;
  return some && linear_add(rest, whole, -c) && !linear_is_constant(rest);
}

polyhedron *polyhedron_sharpen(arena *a, const polyhedron *p)
{
  polyhedron *q = polyhedron_copy(a, p);
  for (int i = 0; i < p->n; i++) {
    int64_t c = 0, most;
    linear whole, rest;
    for (int v = 0; v < p->vars; v++)
      c = num_max(c, magnitude(p->row[i].form.coef[v]));
    if (c < 2 || c > (1 << 30) || p->row[i].equal || p->row[i].defines ||
        !parts_of(&p->row[i].form, p->vars, c, &whole, &rest) || !polyhedron_most(p, &rest, &most))
      continue;
    whole.base += num_floor_div(most, c);
    polyhedron_add(a, q, &whole, false);
  }
  return q;
}

/* ---- unions ---- */

bool polyhedron_minus(arena *a, const polyhedron *p, const polyhedron *q, int n, polyhedra *rest)
{
  char near[NEAR];
  SCOPED_ARENA scratch = arena_within(near, sizeof near);
  polyhedron *said = polyhedron_new(&scratch, p->vars); /* what q says, of p's variables and its own */
  polyhedron_meet(&scratch, said, q, n);
  if (p->open || q->open || said->open)
    return false;
  /* p and what q's auxiliary variables are; then q's others one by one */
  polyhedron *kept = polyhedron_copy(&scratch, p);
  kept->vars = said->vars;
  for (int i = 0; i < said->n; i++)
    if (said->row[i].defines)
      polyhedron_add(&scratch, kept, &said->row[i].form, said->row[i].equal), kept->row[kept->n - 1].defines = true;
  for (int i = 0; i < said->n; i++) {
    const constraint *c = &said->row[i];
    if (c->defines)
      continue;
    for (int side = 0; side <= c->equal; side++) {
      linear no = linear_constant(-1);
      if (!linear_add(&no, &c->form, side ? 1 : -1))
        return false;
      polyhedron_add(&scratch, kept, &no, false);
      if (!polyhedron_empty(kept))
        polyhedra_add(a, rest, polyhedron_copy(a, kept));
      kept->n--;
    }
    polyhedron_add(&scratch, kept, &c->form, c->equal);
  }
  return true;
}

enum { PIECES_MOST = 256 };

bool polyhedra_minus(arena *a, const polyhedra *l, const polyhedra *take, int n, polyhedra *rest)
{
  SCOPED_ARENA made = { 0 }; /* of the pieces that come and go most are gone at the end */
  polyhedra now = *l, left = { 0 };
  for (int k = 0; k < take->n; k++) {
    polyhedra next = { 0 };
    for (int i = 0; i < now.n; i++) {
      char near[NEAR];
      SCOPED_ARENA scratch = arena_within(near, sizeof near);
      polyhedron *taken = polyhedron_new(&scratch, now.item[i]->vars);
      polyhedron_meet(&scratch, taken, take->item[k], n);
      bool apart = none_has_both(&scratch, now.item[i], taken, taken->vars);
      if (apart)
        polyhedra_add(&made, &next, now.item[i]);
      else if (!polyhedron_minus(&made, now.item[i], take->item[k], n, &next) || next.n > PIECES_MOST)
        return false;
    }
    now = next;
  }
  for (int i = 0; i < now.n; i++)
    polyhedra_add(a, &left, take->n > 0 ? polyhedron_copy(a, now.item[i]) : now.item[i]);
  *rest = left;
  return true;
}

bool polyhedra_cover(const polyhedra *l, const polyhedron *p, int n)
{
  SCOPED_ARENA a = { 0 };
  polyhedra one = { 0 }, rest = { 0 };
  polyhedra_add(&a, &one, polyhedron_copy(&a, p));
  bool covered = polyhedra_minus(&a, &one, l, n, &rest) && rest.n == 0;
  return covered || polyhedron_empty(p);
}

static void put_common(arena *a, polyhedron *both, const polyhedron *p, const polyhedron *q)
{
  for (int i = 0; i < p->n; i++)
    for (int side = 0; side <= p->row[i].equal; side++) { /* of an equality a half may hold */
      linear f = { 0 };
      if (linear_add(&f, &p->row[i].form, side ? -1 : 1) && polyhedron_implies(q, &f, false))
        polyhedron_add(a, both, &f, false);
    }
}

polyhedron *polyhedron_join(arena *a, const polyhedron *p, const polyhedron *q)
{
  if (p->vars != q->vars || has_quotients(p) || has_quotients(q) || p->open || q->open)
    return NULL;
  polyhedron *both = polyhedron_new(a, p->vars);
  polyhedra two = { 0 };
  put_common(a, both, p, q);
  put_common(a, both, q, p);
  both = polyhedron_tidy(a, both);
  polyhedra_add(a, &two, polyhedron_copy(a, p));
  polyhedra_add(a, &two, polyhedron_copy(a, q));
  return polyhedra_cover(&two, both, p->vars) ? both : NULL;
}

void polyhedra_join(arena *a, polyhedra *l)
{
  for (int i = 0; i < l->n; i++)
    for (int k = 0; k < i; k++) {
      polyhedron *both = polyhedron_join(a, l->item[i], l->item[k]);
      if (!both)
        continue;
      l->item[k] = both;
      l->item[i] = l->item[--l->n];
      i = 0; /* from the start: it may join others now */
      break;
    }
}

bool polyhedra_disjoint(arena *a, const polyhedra *l, int n, polyhedra *pieces)
{
  polyhedra done = { 0 };
  for (int i = 0; i < l->n; i++) {
    polyhedra one = { 0 }, rest = { 0 };
    polyhedra_add(a, &one, l->item[i]);
    if (!polyhedra_minus(a, &one, &done, n, &rest))
      return false;
    for (int k = 0; k < rest.n; k++)
      polyhedra_add(a, &done, rest.item[k]);
  }
  *pieces = done;
  return true;
}
