#include "cdag/polyhedral/eliminate.h"
#include "base/num.h"
#include <limits.h>
#include <string.h>

/* Copying rows is most of the work of an elimination: here they are as wide as there are variables, not as wide as
   there may be. */
typedef struct {
  int64_t base;
  bool equal, defines;
  int64_t coef[];
} row;

enum { ROWS_MOST = 2048 };

/* Rows that were taken in are tidy: without a common divisor, and no two say the same of one form.  mark: of a row that
   is divided, the same for parallel ones; else 0. */
typedef struct {
  arena *a;
  int vars, n;
  size_t width;
  char *bytes;
  uint32_t *mark;
} rows;

static int64_t magnitude(int64_t a) { return a < 0 ? -a : a; }

static row *at(const rows *s, int i) { return (row *)(s->bytes + (size_t)i * s->width); }

/* Room for so many, and for one that is at work. */
static reduction make_room(arena *a, int vars, int room, rows *s)
{
  *s = (rows){ .a = a, .vars = vars, .width = sizeof(row) + (size_t)vars * sizeof(int64_t) };
  if (room > ROWS_MOST)
    return LOST;
  s->bytes = arena_grow(a, NULL, 0, (size_t)room + 1, s->width);
  s->mark = ARENA_NEW(a, uint32_t, (size_t)room + 1);
  return TIDY;
}

/* ---- one row ---- */

/* Coefficients without common divisor; the constant rounded down.  An equality whose constant is no multiple has no
   solution.  *mark: 0 for a constant. */
static reduction divide(row *c, int vars, uint32_t *mark)
{
  int64_t g = 0, *coef = c->coef;
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
    return (c->equal ? c->base != 0 : c->base < 0) ? NO_POINT : TIDY;
  if (c->equal && c->base % g != 0)
    return NO_POINT;
  for (int v = 0; v < last; v++)
    if (coef[v]) {
      coef[v] = g > 1 ? coef[v] / g : coef[v];
      flip = flip ? flip : coef[v] < 0 ? (uint64_t)-1 : 1;
      h = h * 0x9e3779b97f4a7c15ULL + ((uint64_t)coef[v] * flip) * 31 + (uint64_t)v;
    }
  if (g > 1)
    c->base = num_floor_div(c->base, g);
  *mark = (uint32_t)(h >> 32) | 1;
  return TIDY;
}

/* 1: the same coefficients; -1: the opposite ones; 0: neither. */
static int parallel(const row *c, const row *e, int vars)
{
  if (memcmp(c->coef, e->coef, (size_t)vars * sizeof *c->coef) == 0)
    return 1;
  for (int v = 0; v < vars; v++)
    if ((uint64_t)c->coef[v] + (uint64_t)e->coef[v])
      return 0;
  return -1;
}

/* c and e are parallel: c takes both in (TIDY with *merged), or they contradict. */
static reduction merge(const rows *s, row *c, const row *e, int sign, bool *merged)
{
  int64_t other = sign * e->base, sum;
  *merged = false;
  if (c->equal || e->equal) {
    if (c->equal && e->equal ? c->base != other
        : c->equal ? (sign > 0 ? e->base < c->base : !num_add(c->base, e->base, &sum) || sum < 0)
                   : (sign > 0 ? c->base < e->base : !num_add(c->base, e->base, &sum) || sum < 0))
      return NO_POINT;
    if (!c->equal)
      memcpy(c, e, s->width);
    *merged = true;
    return TIDY;
  }
  if (sign > 0) {
    c->defines = c->base <= e->base ? c->defines : e->defines;
    c->base = num_min(c->base, e->base);
    *merged = true;
    return TIDY;
  }
  if (!num_add(c->base, e->base, &sum))
    return TIDY;
  if (sum < 0)
    return NO_POINT;
  if (sum == 0)
    c->equal = *merged = true;
  return TIDY;
}

/* sum = a f + b g; it may be f. */
static bool add_both(const row *f, int64_t a, const row *g, int64_t b, int vars, row *sum)
{
  int64_t x, y;
  bool good = num_mul(f->base, a, &x) && num_mul(g->base, b, &y) && num_add(x, y, &sum->base);
  for (int v = 0; v < vars && good; v++)
    if (f->coef[v] | g->coef[v])
      good = num_mul(f->coef[v], a, &x) && num_mul(g->coef[v], b, &y) && num_add(x, y, &sum->coef[v]);
    else
      sum->coef[v] = 0;
  return good;
}

static bool add_times(row *f, const row *g, int64_t times, int vars)
{
  return add_both(f, 1, g, times, vars, f);
}

/* ---- rows that are tidy ---- */

/* The row at s->n is taken in.  *stable becomes false where to take them all in again might change something. */
static reduction take_in(rows *s, bool *stable)
{
  row *c = at(s, s->n);
  reduction r = s->mark[s->n] ? TIDY : divide(c, s->vars, &s->mark[s->n]);
  if (r != TIDY)
    return r;
  uint32_t mark = s->mark[s->n];
  bool merged = mark == 0;
  for (int k = 0; k < s->n && !merged; k++) {
    int sign = s->mark[k] == mark ? parallel(at(s, k), c, s->vars) : 0;
    if (sign && merge(s, at(s, k), c, sign, &merged) == NO_POINT)
      return NO_POINT;
    *stable = *stable && !merged; /* a row that has become tighter may meet another one */
  }
  s->n += !merged;
  return TIDY;
}

static reduction reduce(rows *s, bool *stable)
{
  int n = s->n;
  reduction r = TIDY;
  *stable = true;
  s->n = 0;
  for (int i = 0; i < n && r == TIDY; i++) {
    if (i != s->n) {
      memcpy(at(s, s->n), at(s, i), s->width);
      s->mark[s->n] = s->mark[i];
    }
    r = take_in(s, stable);
  }
  return r;
}

/* The constraints of p, its variables `shift` further on. */
static reduction take_all(rows *s, const polyhedron *p, int shift)
{
  reduction r = TIDY;
  bool stable = true;
  for (int i = 0; i < p->n && r == TIDY; i++) {
    const constraint *from = &p->row[i];
    row *c = at(s, s->n);
    c->base = from->form.base;
    c->equal = from->equal;
    c->defines = from->defines;
    for (int v = 0; v < shift; v++)
      c->coef[v] = 0;
    memcpy(c->coef + shift, from->form.coef, (size_t)(s->vars - shift) * sizeof *c->coef);
    s->mark[s->n] = 0;
    r = take_in(s, &stable);
  }
  return r;
}

static reduction rows_of(arena *a, const polyhedron *p, rows *s)
{
  reduction r = make_room(a, p->vars, p->n, s);
  return r == TIDY ? take_all(s, p, 0) : r;
}

/* Back into p, of whose rows there are no fewer. */
static void write_back(const rows *s, polyhedron *p)
{
  for (int i = 0; i < s->n; i++) {
    const row *c = at(s, i);
    p->row[i] = (constraint){ .form.base = c->base, .equal = c->equal, .defines = c->defines };
    memcpy(p->row[i].form.coef, c->coef, (size_t)s->vars * sizeof *c->coef);
  }
  p->n = s->n;
}

reduction polyhedron_reduce(polyhedron *p)
{
  char near[NEAR];
  SCOPED_ARENA a = arena_within(near, sizeof near);
  rows s;
  reduction r = rows_of(&a, p, &s);
  if (r == TIDY)
    write_back(&s, p);
  return r;
}

/* ---- equalities ---- */

/* The equality and variable from `keep` on with the least coefficient; -1 when there is none. */
static int pick(const rows *s, int keep, int *variable)
{
  int best = -1;
  int64_t least = INT64_MAX;
  for (int i = 0; i < s->n; i++) {
    const row *c = at(s, i);
    for (int v = keep; v < s->vars && c->equal; v++)
      if (c->coef[v] && magnitude(c->coef[v]) < least) {
        least = magnitude(c->coef[v]);
        best = i;
        *variable = v;
      }
  }
  return best;
}

/* Is v the only variable from `keep` on? */
static bool alone(const row *c, int keep, int vars, int v)
{
  for (int q = keep; q < vars; q++)
    if (q != v && c->coef[q])
      return false;
  return true;
}

static void leave_out(rows *s, int i)
{
  if (i != --s->n) {
    memcpy(at(s, i), at(s, s->n), s->width);
    s->mark[i] = s->mark[s->n];
  }
}

/* Put `value`, a row without v but for the variable that takes its place, for variable v everywhere. */
static bool replace(rows *s, int v, const row *value)
{
  bool good = true;
  for (int i = 0; i < s->n && good; i++) {
    int64_t times = at(s, i)->coef[v];
    if (times == 0)
      continue;
    at(s, i)->coef[v] = 0;
    s->mark[i] = 0;
    good = add_times(at(s, i), value, times, s->vars);
  }
  return good;
}

/* a x_v + rest = 0, |a| > 1, where rest is kept: |a| times each other row, minus what x_v is there.  That rest is a
 * multiple of a is forgotten. */
static bool scale_out(rows *s, int which, int v)
{
  const row *f = at(s, which);
  int64_t a = f->coef[v], m = magnitude(a);
  for (int i = 0; i < s->n; i++) {
    int64_t c = at(s, i)->coef[v];
    if (c == 0 || i == which)
      continue;
    s->mark[i] = 0;
    if (!add_both(at(s, i), m, f, a > 0 ? -c : c, s->vars, at(s, i)))
      return false;
  }
  leave_out(s, which);
  return true;
}

/* a x_v + ... = 0 with |a| > 1: a new variable stands for x_v plus the quotients of the others, and coefficients get
 * smaller: x_v = sign * (y - sum floor(f_q / m) x_q), so that the row becomes m y + remainders. */
static void shrinking(const row *f, int v, int vars, row *value)
{
  int64_t a = f->coef[v], m = magnitude(a);
  for (int q = 0; q < vars; q++)
    value->coef[q] = q == v ? (a > 0 ? 1 : -1) : (a > 0 ? -1 : 1) * num_floor_div(f->coef[q], m);
  value->base = (a > 0 ? -1 : 1) * num_floor_div(f->base, m);
}

/* tidy: they are. */
static reduction solve(rows *s, int keep, bool *exact, bool tidy)
{
  for (int rounds = 0; rounds < 400; rounds++) {
    int v = 0;
    bool stable;
    reduction r = tidy ? TIDY : reduce(s, &stable);
    if (r != TIDY)
      return r;
    tidy = false;
    int i = pick(s, keep, &v);
    if (i < 0)
      return TIDY;
    row *value = at(s, s->n); /* room that is not used */
    int64_t a = at(s, i)->coef[v];
    if (magnitude(a) > 1 && alone(at(s, i), keep, s->vars, v)) {
      *exact = false;
      if (!scale_out(s, i, v))
        return LOST;
      continue;
    }
    if (magnitude(a) > 1) {
      shrinking(at(s, i), v, s->vars, value);
      if (!replace(s, v, value))
        return LOST;
      continue;
    }
    memset(value, 0, s->width);
    if (!add_times(value, at(s, i), -a, s->vars))
      return LOST;
    value->coef[v] = 0;
    if (!replace(s, v, value))
      return LOST;
    leave_out(s, i); /* it has become 0 = 0 */
  }
  *exact = false;
  return LOST;
}

reduction polyhedron_solve(polyhedron *p, int keep, bool *exact)
{
  char near[NEAR];
  SCOPED_ARENA a = arena_within(near, sizeof near);
  rows s;
  reduction r = rows_of(&a, p, &s);
  if (r == TIDY)
    r = solve(&s, keep, exact, true);
  if (r == TIDY)
    write_back(&s, p);
  return r;
}

/* ---- inequalities ---- */

/* The variable from `keep` on whose going makes fewest new rows, and how many it makes; -1 when none is left. */
static int cheapest(const rows *s, int keep, int *cost)
{
  int below[POLYHEDRON_VARS] = { 0 }, above[POLYHEDRON_VARS] = { 0 }, best = -1;
  for (int i = 0; i < s->n; i++) {
    const int64_t *coef = at(s, i)->coef;
    for (int v = keep; v < s->vars; v++) {
      below[v] += coef[v] > 0;
      above[v] += coef[v] < 0;
    }
  }
  *cost = INT_MAX;
  for (int v = keep; v < s->vars; v++) {
    int made = below[v] * above[v] - below[v] - above[v];
    if (below[v] + above[v] > 0 && made < *cost) {
      *cost = made;
      best = v;
    }
  }
  return best;
}

static bool is_constant(const row *c, int vars)
{
  for (int v = 0; v < vars; v++)
    if (c->coef[v])
      return false;
  return true;
}

/* c times down plus e times up, whose sum knows nothing of v.  Where it is not negative there is a whole v between the
 * two if one of them has the coefficient 1, or if they are always so far apart that one fits. */
static bool combine(const row *c, const row *e, int v, int vars, row *sum, bool *exact)
{
  int64_t low = c->coef[v], high = -e->coef[v], g = num_gcd(low, high);
  sum->equal = sum->defines = false;
  if (!add_both(c, high / g, e, low / g, vars, sum))
    return false;
  *exact = *exact && (low == 1 || high == 1 ||
                      (is_constant(sum, vars) && (__int128)sum->base * g >= (__int128)(low - 1) * (high - 1)));
  return true;
}

/* Variable v goes: all sums of a lower and an upper bound stay, `cost` more than there are.  *exact when a bound on
   each side had coefficient 1. */
static reduction drop_variable(rows *s, int v, int cost, bool *exact, bool *stable)
{
  rows rest;
  reduction r = make_room(s->a, s->vars, s->n + (cost > 0 ? cost : 0), &rest);
  *stable = true;
  for (int i = 0; i < s->n && r == TIDY; i++) {
    const row *c = at(s, i);
    if (c->coef[v] == 0) {
      memcpy(at(&rest, rest.n), c, s->width);
      rest.mark[rest.n] = s->mark[i];
      r = take_in(&rest, stable);
    }
    for (int k = 0; k < s->n && c->coef[v] > 0 && r == TIDY; k++)
      if (at(s, k)->coef[v] < 0) {
        rest.mark[rest.n] = 0;
        r = combine(c, at(s, k), v, s->vars, at(&rest, rest.n), exact) ? take_in(&rest, stable) : LOST;
      }
  }
  *s = rest;
  return r;
}

/* ---- the questions ---- */

/* All variables from `keep` on go, cheapest first; equalities that turn up are solved at once. */
static reduction eliminate(rows *s, int keep, bool *exact)
{
  bool tidy = true;
  for (;;) {
    reduction r = solve(s, keep, exact, tidy);
    if (r != TIDY)
      return r;
    int cost, best = cheapest(s, keep, &cost);
    if (best < 0)
      return TIDY;
    r = drop_variable(s, best, cost, exact, &tidy);
    if (r != TIDY)
      return r;
  }
}

bool polyhedra_none_has_both(arena *a, const polyhedron *p, const polyhedron *q, int vars)
{
  rows s;
  bool exact = true;
  reduction r = make_room(a, vars, p->n + (q ? q->n : 0), &s);
  if (r == TIDY)
    r = take_all(&s, p, 0);
  if (r == TIDY && q)
    r = take_all(&s, q, 0);
  return r == NO_POINT || (r == TIDY && eliminate(&s, 0, &exact) == NO_POINT);
}

bool polyhedron_empty(const polyhedron *p)
{
  char near[NEAR];
  SCOPED_ARENA a = arena_within(near, sizeof near);
  return polyhedra_none_has_both(&a, p, NULL, p->vars);
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
    holds = linear_add(&no.form, f, side ? 1 : -1) && polyhedra_none_has_both(&a, p, &q, p->vars);
  }
  return holds;
}

/* A bound of the first variable that the rows say. */
static bool extreme(const rows *s, bool most, int64_t *value)
{
  bool any = false;
  for (int i = 0; i < s->n; i++) {
    int64_t c = at(s, i)->coef[0], b = at(s, i)->base;
    if (c == 0 || (!at(s, i)->equal && (most ? c > 0 : c < 0)))
      continue;
    int64_t end = most ? num_floor_div(c < 0 ? b : -b, magnitude(c)) : -num_floor_div(c > 0 ? b : -b, magnitude(c));
    *value = !any ? end : most ? num_min(*value, end) : num_max(*value, end);
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
  rows s;
  constraint value;
  polyhedron q = { .n = 1, .row = &value };
  linear first = linear_variable(0);
  bool exact = true;
  /* f of variables that are moved up, less the first */
  if (p->vars >= POLYHEDRON_VARS || !linear_substitute(f, NULL, 0, 1, &value.form) ||
      !linear_add(&value.form, &first, -1))
    return false;
  value.equal = true;
  value.defines = false;
  return make_room(&a, p->vars + 1, p->n + 1, &s) == TIDY && take_all(&s, p, 1) == TIDY &&
         take_all(&s, &q, 0) == TIDY && eliminate(&s, 1, &exact) == TIDY && (!least || extreme(&s, false, least)) &&
         (!most || extreme(&s, true, most));
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
  char near[NEAR];
  SCOPED_ARENA scratch = arena_within(near, sizeof near);
  rows s;
  polyhedron *q = polyhedron_new(a, n);
  *exact = !p->open;
  reduction r = rows_of(&scratch, p, &s);
  if (r == TIDY)
    r = eliminate(&s, n, exact);
  if (r == TIDY) {
    s.vars = n; /* of the others nothing is left */
    q->open = p->open;
    q->room = s.n + 8;
    q->row = arena_grow(a, NULL, 0, (size_t)q->room, sizeof *q->row);
    write_back(&s, q);
  } else if (r == NO_POINT) {
    linear no = linear_constant(-1);
    polyhedron_add(a, q, &no, false);
  } else {
    *exact = false;
    q->open = true;
  }
  for (int i = 0; i < q->n; i++)
    q->row[i].defines = false; /* what was said of a quotient is now said of what equals it */
  return q;
}

bool polyhedron_has_quotients(const polyhedron *p)
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
  if (polyhedron_has_quotients(p))
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
