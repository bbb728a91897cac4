/* schedules/poly/exact.c -- quotients of polynomials by a number that are integers whatever integers their atoms are,
   as h (h + 1)/2 is.

   A polynomial that has integers for its values at all points of a grid, of each variable as many consecutive values as
   its degree and one more, has integers for its values at all integers (Polya 1915). */
#include "schedules/poly/poly.h"
#include "base/num.h"

enum { VARIABLES = 4, DEGREE = 4 };
typedef struct {
  int atom[VARIABLES], degree[VARIABLES], n;
} grid;

static bool add_variable(grid *g, const poly_factor *f)
{
  int i = 0;
  while (i < g->n && g->atom[i] != f->atom)
    i++;
  if (i == VARIABLES || f->power < 0 || f->power > DEGREE)
    return false;
  if (i == g->n)
    g->degree[g->n++] = 0;
  g->atom[i] = f->atom;
  g->degree[i] = (int)num_max(g->degree[i], f->power);
  return true;
}

/* A common denominator, too. */
static bool find_grid(const poly_world *w, poly p, grid *g, int64_t *den)
{
  bool ok = true;
  *g = (grid){ .n = 0 };
  *den = 1;
  for (uint32_t i = 0; i < p.n && ok; i++) {
    ok = num_mul(*den, p.term[i].den, den) && *den < INT32_MAX;
    for (int k = 0; k < p.term[i].n && ok; k++)
      ok = w->atom[p.term[i].f[k].atom].kind != ATOM_INVERSE && add_variable(g, &p.term[i].f[k]);
  }
  return ok;
}

/* den times a term, modulo den. */
static int64_t term_at(const poly_term *t, const grid *g, const int *x, int64_t den)
{
  int64_t v = num_floor_mod((int64_t)((__int128)t->num * (den / t->den) % den), den);
  for (int k = 0; k < t->n; k++)
    for (int i = 0; i < g->n; i++)
      for (int e = 0; g->atom[i] == t->f[k].atom && e < t->f[k].power; e++)
        v = v * x[i] % den;
  return v;
}

static bool whole_at(poly p, const grid *g, const int *x, int64_t den)
{
  int64_t sum = 0;
  for (uint32_t i = 0; i < p.n; i++)
    sum = (sum + term_at(&p.term[i], g, x, den)) % den;
  return sum == 0;
}

static bool next_point(const grid *g, int *x)
{
  int i = 0;
  while (i < g->n && x[i] == g->degree[i])
    x[i++] = 0;
  if (i < g->n)
    x[i]++;
  return i < g->n;
}

bool poly_divide_exactly(poly_world *w, poly p, int64_t by, poly *out)
{
  grid g;
  int64_t den;
  int x[VARIABLES] = { 0 };
  *out = poly_scale(w, p, 1, by);
  bool whole = find_grid(w, *out, &g, &den);
  for (bool more = whole; more && whole; more = next_point(&g, x))
    whole = whole_at(*out, &g, x, den);
  return whole;
}
