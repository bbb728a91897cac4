/* Counting the points of a polyhedron.

   Some variables may be kept: what is counted is then a polynomial in them, on pieces.

   Equalities are solved, one point for one point.  Then a variable goes whose coefficients are all 1 or -1: for each
   pair of a lower and an upper bound, the part where these two bind (of several that are equal the first) is summed by
   Faulhaber's formulas.  A variable with other coefficients is tried value by value, when it has few. */
#include "base/scoped.h"
#include "cdag/polyhedral/eliminate.h"
#include "cdag/polyhedral/polynomial.h"
#include "base/num.h"
#include <limits.h>

enum { PARTS_MOST = 20000, TRIED_MOST = 1 << 14 };
typedef struct {
  arena *memory;
  int64_t budget;              /* parts that may still be looked at */
  mpq_t total;
  point_counts *pieces;        /* variables stay: what is counted above them; NULL: none stays */
} counting;

static bool mentions(const polyhedron *p, int v)
{
  for (int i = 0; i < p->n; i++)
    if (p->row[i].form.coef[v])
      return true;
  return false;
}

/* The bounds of v: rows with its coefficient positive (lower) or negative. */
static int bounds(const polyhedron *p, int v, int sign, int *row, int room)
{
  int n = 0;
  for (int i = 0; i < p->n; i++)
    if (p->row[i].form.coef[v] * sign > 0 && n < room)
      row[n++] = i;
  return n;
}

/* Ways to choose a lower and an upper bound, when all have coefficient 1; 0: some has another. */
static int pairs(const polyhedron *p, int v)
{
  int low = 0, high = 0;
  for (int i = 0; i < p->n; i++) {
    int64_t c = p->row[i].form.coef[v];
    if (c > 1 || c < -1)
      return 0;
    low += c > 0;
    high += c < 0;
  }
  return low * high;
}

/* row: v + f >= 0 gives -f; -v + f >= 0 gives f. */
static linear bound_of(const constraint *c, int v)
{
  linear f = { 0 }, rest = c->form;
  int64_t sign = rest.coef[v];
  rest.coef[v] = 0;
  linear_add(&f, &rest, -sign);
  return f;
}

static bool count_part(counting *c, polyhedron *p, polynomial *weight, uint64_t left);

/* The part where bound number `low` is the greatest lower one and `high` the least upper one. */
static bool count_between(counting *c, const polyhedron *p, const polynomial *weight, uint64_t left, int v,
                          const int *lows, int nl, int low, const int *highs, int nh, int high)
{
  linear l = bound_of(&p->row[lows[low]], v), h = bound_of(&p->row[highs[high]], v);
  polyhedron *part = polyhedron_new(c->memory, p->vars);
  for (int i = 0; i < p->n; i++)
    if (p->row[i].form.coef[v] == 0)
      polyhedron_add(c->memory, part, &p->row[i].form, p->row[i].equal);
  for (int i = 0; i < nl; i++) {
    linear other = bound_of(&p->row[lows[i]], v);
    other.base += i < low;
    if (i != low)
      polyhedron_require(c->memory, part, &other, &l);
  }
  for (int i = 0; i < nh; i++) {
    linear other = bound_of(&p->row[highs[i]], v);
    other.base -= i < high;
    if (i != high)
      polyhedron_require(c->memory, part, &h, &other);
  }
  polyhedron_require(c->memory, part, &l, &h);
  if (part->open)
    return false;
  if (polyhedron_empty(part))
    return true;
  polynomial sum = { 0 };
  polynomial_copy(&sum, weight);
  polynomial_sum(&sum, v, &l, &h);
  bool good = count_part(c, part, &sum, left & ~((uint64_t)1 << v));
  polynomial_clear(&sum);
  return good;
}

enum { BOUNDS_MOST = 64 };

static bool count_over(counting *c, const polyhedron *p, const polynomial *weight, uint64_t left, int v)
{
  int lows[BOUNDS_MOST], highs[BOUNDS_MOST], nl = bounds(p, v, 1, lows, BOUNDS_MOST),
                                             nh = bounds(p, v, -1, highs, BOUNDS_MOST);
  for (int i = 0; i < nl; i++)
    for (int k = 0; k < nh; k++)
      if (!count_between(c, p, weight, left, v, lows, nl, i, highs, nh, k))
        return false;
  return nl < BOUNDS_MOST && nh < BOUNDS_MOST;
}

static bool count_each(counting *c, const polyhedron *p, const polynomial *weight, uint64_t left, int v)
{
  linear f = linear_variable(v);
  int64_t least, most;
  if (!polyhedron_span(p, &f, &least, &most))
    return false;
  if (most - least >= TRIED_MOST)
    return false;
  for (int64_t x = least; x <= most; x++) {
    arena scratch = { 0 }, *outer = c->memory;
    linear value = linear_constant(x);
    polyhedron *part = polyhedron_copy(&scratch, p);
    polynomial at = { 0 };
    polyhedron_same(&scratch, part, &f, &value);
    polynomial_copy(&at, weight);
    c->memory = &scratch;
    bool good = count_part(c, part, &at, left);
    c->memory = outer;
    polynomial_clear(&at);
    arena_clear(&scratch);
    if (!good)
      return false;
  }
  return true;
}

/* Solve the equalities for variables that are counted; the weight follows the variables. */
static reduction solve_weighted(polyhedron *p, polynomial *weight, uint64_t *left)
{
  for (;;) {
    reduction r = polyhedron_reduce(p);
    int row = -1, v = -1;
    if (r != TIDY)
      return r;
    for (int i = 0; i < p->n && row < 0; i++)
      for (int q = 0; q < p->vars && p->row[i].equal && row < 0; q++)
        if ((*left >> q & 1) && (p->row[i].form.coef[q] == 1 || p->row[i].form.coef[q] == -1))
          row = i, v = q;
    if (row < 0)
      return TIDY;
    linear value = bound_of(&p->row[row], v);
    polynomial_replace(weight, v, &value);
    *left &= ~((uint64_t)1 << v);
    for (int i = 0; i < p->n; i++) {
      int64_t times = p->row[i].form.coef[v];
      p->row[i].form.coef[v] = 0;
      if (times && i != row && !linear_add(&p->row[i].form, &value, times))
        return LOST;
    }
    p->row[row] = p->row[--p->n];
  }
}

/* Is there an equality that a variable to be counted is in? */
static bool equalities(const polyhedron *p, uint64_t left)
{
  for (int i = 0; i < p->n; i++)
    for (int v = 0; v < p->vars && p->row[i].equal; v++)
      if ((left >> v & 1) && p->row[i].form.coef[v])
        return true;
  return false;
}

/* Nothing is left to count: the weight is what lies above the settings of the kept variables that p allows. */
static void add_piece(counting *c, const polyhedron *p, const polynomial *weight)
{
  point_counts *l = c->pieces;
  l->item = arena_room(c->memory, l->item, l->n, &l->room, sizeof *l->item);
  l->item[l->n].where = polyhedron_copy(c->memory, p);
  l->item[l->n].count = ARENA_NEW(c->memory, polynomial, 1);
  polynomial_copy(l->item[l->n++].count, weight);
}

static bool count_part(counting *c, polyhedron *p, polynomial *weight, uint64_t left)
{
  reduction r = solve_weighted(p, weight, &left);
  if (r != TIDY)
    return r == NO_POINT;
  if (--c->budget < 0)
    return false;
  int best = -1, least = INT_MAX;
  bool other = equalities(p, left);
  for (int v = 0; v < p->vars; v++)
    if (left >> v & 1) {
      int ways = mentions(p, v) ? pairs(p, v) : -1;
      if (ways < 0)
        return false; /* unbounded */
      other = other || ways == 0;
      if (ways > 0 && ways < least)
        best = v, least = ways;
    }
  if (best >= 0 && !equalities(p, left))
    return count_over(c, p, weight, left, best);
  for (int v = 0; v < p->vars && other; v++)
    if (left >> v & 1) {
      linear f = linear_variable(v);
      int64_t lo, hi;
      if (polyhedron_span(p, &f, &lo, &hi) && hi - lo < least)
        best = v, least = (int)(hi - lo);
    }
  if (left)
    return best >= 0 && least < TRIED_MOST && !c->pieces && count_each(c, p, weight, left, best);
  if (c->pieces) {
    add_piece(c, p, weight);
    return true;
  }
  SCOPED_MPQ value;
  mpq_init(value);
  bool good = polynomial_constant(weight, value);
  mpq_add(c->total, c->total, value);
  return good;
}

bool polyhedron_count(const polyhedron *p, mpz_t count)
{
  SCOPED_ARENA a = { 0 };
  polynomial one = { 0 };
  counting c = { .memory = &a, .budget = PARTS_MOST };
  bool exact = true, good = !p->open;
  mpq_init(c.total);
  polynomial_one(&one);
  polyhedron *q = polyhedron_copy(&a, p);
  reduction r =
      good ? polyhedron_solve(q, 0, &exact) : LOST; /* one for one, with another variable in a place perhaps */
  uint64_t left = 0;
  for (int v = 0; v < q->vars; v++)
    left |= mentions(q, v) ? (uint64_t)1 << v : 0;
  uint64_t free_before = 0;
  for (int v = 0; v < p->vars; v++)
    free_before |= mentions(p, v) ? 0 : (uint64_t)1 << v;
  good = r == NO_POINT || (r == TIDY && exact && free_before == 0 && count_part(&c, q, &one, left) &&
                           mpz_cmp_ui(mpq_denref(c.total), 1) == 0);
  mpz_set_ui(count, 0);
  if (good && r == TIDY)
    mpz_set(count, mpq_numref(c.total));
  polynomial_clear(&one);
  mpq_clear(c.total);
  return good;
}

bool polyhedra_count(const polyhedra *l, mpz_t sum)
{
  mpz_t part;
  bool good = true;
  mpz_init(part);
  mpz_set_ui(sum, 0);
  for (int i = 0; i < l->n && good; i++) {
    good = polyhedron_count(l->item[i], part);
    mpz_add(sum, sum, part);
  }
  mpz_clear(part);
  return good;
}

bool polyhedron_count_above(arena *a, const polyhedron *p, uint64_t kept, point_counts *pieces)
{
  polynomial one = { 0 };
  counting c = { .memory = a, .budget = PARTS_MOST, .pieces = pieces };
  uint64_t left = 0;
  polynomial_one(&one);
  for (int v = 0; v < p->vars; v++)
    left |= mentions(p, v) && !(kept >> v & 1) ? (uint64_t)1 << v : 0;
  bool good = !p->open && count_part(&c, polyhedron_copy(a, p), &one, left);
  polynomial_clear(&one);
  return good;
}

void point_counts_clear(point_counts *pieces)
{
  for (int i = 0; i < pieces->n; i++)
    polynomial_clear(pieces->item[i].count);
  *pieces = (point_counts){ 0 };
}
