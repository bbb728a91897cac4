#include "cdag/polyhedral/polyhedron.h"
#include "base/num.h"
#include <inttypes.h>
#include <string.h>

/* ---- forms ---- */

linear linear_constant(int64_t value) { return (linear){ .base = value }; }

linear linear_variable(int v)
{
  linear f = { 0 };
  f.coef[v] = 1;
  return f;
}

void linear_variables(linear *f, int n, int v)
{
  for (int i = 0; i < n; i++)
    f[i] = linear_variable(v + i);
}

static bool add_times(int64_t *sum, int64_t a, int64_t times)
{
  int64_t t;
  return num_mul(a, times, &t) && num_add(*sum, t, sum);
}

/* Most coefficients are 0: they are passed over by fours. */
enum { FOURS = POLYHEDRON_VARS / 4 };
_Static_assert(POLYHEDRON_VARS % 4 == 0, "fours");
static bool has_four(const int64_t *c) { return (c[0] | c[1] | c[2] | c[3]) != 0; }

bool linear_add(linear *f, const linear *g, int64_t times)
{
  bool good = add_times(&f->base, g->base, times);
  for (int i = 0; i < FOURS && good; i++)
    if (has_four(g->coef + 4 * i))
      for (int v = 4 * i; v < 4 * i + 4 && good; v++)
        good = add_times(&f->coef[v], g->coef[v], times);
  return good;
}

bool linear_equal(const linear *f, const linear *g) { return memcmp(f, g, sizeof *f) == 0; }

bool linear_is_constant(const linear *f)
{
  for (int v = 0; v < POLYHEDRON_VARS; v++)
    if (f->coef[v])
      return false;
  return true;
}

bool linear_substitute(const linear *f, const linear *value, int n, int shift, linear *result)
{
  linear sum = linear_constant(f->base);
  for (int v = 0; v < POLYHEDRON_VARS; v++)
    if (f->coef[v]) {
      if (v >= n && v + shift >= POLYHEDRON_VARS)
        return false;
      if (v < n ? !linear_add(&sum, &value[v], f->coef[v]) : !add_times(&sum.coef[v + shift], 1, f->coef[v]))
        return false;
    }
  *result = sum;
  return true;
}

int linear_last(const linear *f)
{
  int v = POLYHEDRON_VARS - 1;
  while (v >= 0 && f->coef[v] == 0)
    v--;
  return v;
}

bool constraint_end(const constraint *row, int r, bool hi, linear *end, bool *exact)
{
  int64_t c = row->form.coef[r];
  if (linear_last(&row->form) != r || (!row->equal && (c < 0) != hi))
    return false;
  *end = linear_constant(hi);
  *exact = (c == 1 || c == -1) && linear_add(end, &row->form, -c) && *exact;
  end->coef[r] = 0;
  return true;
}

void linear_print(const linear *f, const char *const *name, int n, text *out)
{
  bool any = false;
  for (int v = 0; v < POLYHEDRON_VARS; v++) {
    int64_t c = f->coef[v];
    if (c == 0)
      continue;
    text_add(out, any ? c < 0 ? " - " : " + " : c < 0 ? "-" : "");
    if (c != 1 && c != -1)
      text_printf(out, "%" PRId64 "*", c < 0 ? -c : c);
    text_add(out, v < n ? name[v] : "?");
    any = true;
  }
  if (!any)
    text_printf(out, "%" PRId64, f->base);
  else if (f->base)
    text_printf(out, f->base < 0 ? " - %" PRId64 : " + %" PRId64, f->base < 0 ? -f->base : f->base);
}

/* ---- building ---- */

polyhedron *polyhedron_new(arena *a, int vars)
{
  polyhedron *p = ARENA_NEW(a, polyhedron, 1);
  p->vars = vars;
  return p;
}

polyhedron *polyhedron_copy(arena *a, const polyhedron *p)
{
  polyhedron *c = ARENA_NEW(a, polyhedron, 1);
  *c = *p;
  c->room = p->n + 8;
  c->row = arena_grow(a, p->row, (size_t)p->n, (size_t)c->room, sizeof *p->row);
  return c;
}

/* Where the next constraint goes, which is there when p->n says so. */
static constraint *next(arena *a, polyhedron *p)
{
  p->row = arena_room(a, p->row, p->n, &p->room, sizeof *p->row);
  return &p->row[p->n];
}

static constraint *put(arena *a, polyhedron *p, const linear *f, bool equal)
{
  constraint *c = next(a, p);
  c->form = *f;
  c->equal = equal;
  c->defines = false;
  return c;
}

void polyhedron_add(arena *a, polyhedron *p, const linear *f, bool equal)
{
  put(a, p, f, equal);
  p->n++;
}

static void put_difference(arena *a, polyhedron *p, const linear *f, const linear *g, bool equal)
{
  if (linear_add(&put(a, p, f, equal)->form, g, -1))
    p->n++;
  else
    p->open = true;
}

void polyhedron_require(arena *a, polyhedron *p, const linear *small, const linear *large)
{
  put_difference(a, p, large, small, false);
}

void polyhedron_same(arena *a, polyhedron *p, const linear *f, const linear *g) { put_difference(a, p, f, g, true); }

int polyhedron_variable(polyhedron *p)
{
  if (p->vars < POLYHEDRON_VARS)
    return p->vars++;
  p->open = true;
  return -1;
}

/* Room for q's variables from the n-th on, behind p's: they are `shift` further on. */
static bool take_variables(polyhedron *p, const polyhedron *q, int n, int *shift)
{
  *shift = p->vars - n;
  bool fits = q->vars + *shift <= POLYHEDRON_VARS;
  p->open = p->open || q->open || !fits;
  if (fits)
    p->vars += q->vars - n;
  return fits;
}

void polyhedron_include(arena *a, polyhedron *p, const polyhedron *q, const linear *value, int n)
{
  int shift;
  if (!take_variables(p, q, n, &shift))
    return;
  for (int i = 0; i < q->n; i++) {
    constraint *c = next(a, p);
    c->equal = q->row[i].equal;
    c->defines = q->row[i].defines;
    if (linear_substitute(&q->row[i].form, value, n, shift, &c->form))
      p->n++;
    else
      p->open = true;
  }
}

void polyhedron_meet(arena *a, polyhedron *p, const polyhedron *q, int n)
{
  int shift;
  if (!take_variables(p, q, n, &shift))
    return;
  for (int i = 0; i < q->n; i++) {
    constraint *c = next(a, p);
    *c = q->row[i];
    if (shift > 0 && q->vars > n) {
      memmove(&c->form.coef[n + shift], &q->row[i].form.coef[n], (size_t)(q->vars - n) * sizeof *c->form.coef);
      memset(&c->form.coef[n], 0, (size_t)shift * sizeof *c->form.coef);
    }
    p->n++;
  }
}

polyhedron *polyhedron_beside(arena *a, const polyhedron *p, const polyhedron *q, int *shift)
{
  polyhedron *both = polyhedron_copy(a, p);
  *shift = p->vars;
  polyhedron_include(a, both, q, NULL, 0);
  return both;
}

bool polyhedron_is_flat(const polyhedron *p)
{
  for (int i = 0; i < p->n; i++)
    if (p->row[i].equal && !p->row[i].defines)
      return true;
  return false;
}

void polyhedra_add(arena *a, polyhedra *l, polyhedron *p)
{
  l->item = arena_room(a, l->item, l->n, &l->room, sizeof *l->item);
  l->item[l->n++] = p;
}
