/* Loops that were made one: an index f whose readers ask for f / c and f % c becomes two indices. */
#include "cdag/polyhedral/normal.h"
#include "base/num.h"
#include <string.h>

enum { PARTS_MOST = 4, TIMES_MOST = 4 };

/* Index r of array x becomes index r, the quotient, and a new last one, the rest. */
typedef struct {
  normal_form *f;
  int x, r, rank;              /* the rank before */
  int64_t c;
  linear value[CDAG_RANK];     /* the old indices in the new ones */
} splitting;

/* A row x_r - c q >= 0 that says what q is: c, or 0. */
static int64_t divisor_of(const constraint *row, int rank, int r)
{
  int64_t c = 0;
  if (!row->defines || row->equal || row->form.base != 0 || row->form.coef[r] != 1)
    return 0;
  for (int v = 0; v < POLYHEDRON_VARS; v++) {
    if (v == r || row->form.coef[v] == 0)
      continue;
    if (v < rank || c || row->form.coef[v] > -2)
      return 0;
    c = -row->form.coef[v];
  }
  return c;
}

/* The least divisor that a reader asks for. */
static bool find_split(normal_form *f, int x, splitting *s)
{
  *s = (splitting){ .f = f, .x = x, .rank = f->array[x].rank };
  for (int i = 0; i < f->accesses; i++)
    for (int k = 0; f->access[i]->from == x && k < f->access[i]->where->n; k++)
      for (int r = 0; r < s->rank && f->array[x].part[r].of == 0; r++) { /* rests come last */
        int64_t c = divisor_of(&f->access[i]->where->row[k], s->rank, r);
        if (c && (s->c == 0 || c < s->c))
          s->c = c, s->r = r;
      }
  for (int r = 0; r < s->rank; r++)
    s->value[r] = linear_variable(r);
  s->value[s->r].coef[s->r] = s->c;
  s->value[s->r].coef[s->rank] = 1;
  return s->c && s->rank < CDAG_RANK;
}

static void put_rest(splitting *s, polyhedron *p)
{
  linear rest = linear_variable(s->rank), none = linear_constant(0), most = linear_constant(s->c - 1);
  polyhedron_require(&s->f->memory, p, &none, &rest);
  polyhedron_require(&s->f->memory, p, &rest, &most);
}

static bool all_small(const linear *f)
{
  for (int v = 0; v < POLYHEDRON_VARS; v++)
    if (f->coef[v] > 1 || f->coef[v] < -1)
      return false;
  return true;
}

/* With what rounding says; of rows that follow from each other those with small coefficients stay. */
static polyhedron *simplest(arena *a, const polyhedron *p)
{
  const polyhedron *sharp = polyhedron_sharpen(a, p);
  polyhedron *q = polyhedron_copy(a, sharp);
  q->n = 0;
  for (int large = 0; large < 2; large++)
    for (int i = 0; i < sharp->n; i++)
      if (all_small(&sharp->row[i].form) != large)
        q->row[q->n++] = sharp->row[i];
  return polyhedron_tidy(a, q);
}

static polyhedron *split_set(splitting *s, const polyhedron *p)
{
  polyhedron *q = polyhedron_new(&s->f->memory, s->rank + 1);
  polyhedron_include(&s->f->memory, q, p, s->value, s->rank);
  put_rest(s, q);
  return simplest(&s->f->memory, q);
}

static void split_sets(splitting *s, polyhedra *l)
{
  polyhedra to = { 0 };
  for (int i = 0; i < l->n; i++)
    polyhedra_add(&s->f->memory, &to, split_set(s, l->item[i]));
  *l = to;
}

/* Variable v of the access goes: it is this form. */
static bool put_for(splitting *s, access *a, int v, const linear *is)
{
  linear value[POLYHEDRON_VARS];
  int vars = a->where->vars;
  polyhedron *p = polyhedron_new(&s->f->memory, 0);
  for (int k = 0; k < vars; k++)
    value[k] = linear_variable(k < v ? k : k - 1);
  value[v] = *is;
  p->vars = vars - 1;
  for (int i = 0; i < a->where->n; i++) {
    linear form;
    if (!linear_substitute(&a->where->row[i].form, value, vars, 0, &form))
      return false;
    if (!linear_is_constant(&form) || form.base < 0 || (a->where->row[i].equal && form.base)) {
      polyhedron_add(&s->f->memory, p, &form, a->where->row[i].equal);
      for (int q = s->rank + 1; q < vars; q++) /* of a quotient that is left */
        p->row[p->n - 1].defines = p->row[p->n - 1].defines || (a->where->row[i].defines && form.coef[q]);
    }
  }
  a->where = p;
  for (int k = 0; k < s->f->array[a->to].rank; k++)
    if (!linear_substitute(&a->index[k], value, vars, 0, &a->index[k]))
      return false;
  return true;
}

/* A quotient of c z + rest by k c is one of z by k: the rest goes from what defines it; z itself needs no variable. */
static bool lower_quotients(splitting *s, access *a)
{
  for (int i = 0; i < a->where->n; i++) {
    constraint *row = &a->where->row[i];
    bool divides = row->defines && !row->equal && row->form.coef[s->rank] == 1 && row->form.base % s->c == 0;
    int q = -1;
    for (int v = 0; v < POLYHEDRON_VARS; v++)
      if (v != s->rank && row->form.coef[v]) {
        divides = divides && row->form.coef[v] % s->c == 0;
        q = v > s->rank ? v : q;
      }
    if (!divides || q < 0 || row->form.coef[q] >= 0)
      continue;
    int64_t k = -row->form.coef[q] / s->c;
    linear low = row->form;
    low.coef[s->rank] = 0;
    for (int v = 0; v < POLYHEDRON_VARS; v++)
      low.coef[v] /= s->c;
    low.base /= s->c;
    if (k == 1) {
      low.coef[q] = 0;
      if (!put_for(s, a, q, &low))
        return false;
      i = -1;
      continue;
    }
    for (int e = 0; e < a->where->n; e++) { /* its other half: rest <= k c - 1 */
      constraint *other = &a->where->row[e];
      linear sum = other->form;
      if (e == i || !other->defines || !linear_add(&sum, &row->form, 1) || !linear_is_constant(&sum) ||
          sum.base != k * s->c - 1)
        continue;
      other->form = linear_constant(k - 1);
      if (!linear_add(&other->form, &low, -1))
        return false;
    }
    row->form = low;
  }
  return true;
}

static bool split_reader(splitting *s, access *a)
{
  polyhedron *p = polyhedron_new(&s->f->memory, s->rank + 1);
  polyhedron_include(&s->f->memory, p, a->where, s->value, s->rank);
  put_rest(s, p);
  for (int k = 0; k < s->f->array[a->to].rank; k++)
    if (!linear_substitute(&a->index[k], s->value, s->rank, 1, &a->index[k]))
      return false;
  a->where = p;
  return !p->open && lower_quotients(s, a);
}

static void add_access(normal_form *f, const access *a)
{
  normal_form_add_access(f, a, simplest(&f->memory, a->where));
}

/* The rest is within 0 .. c - 1 there, whatever the quotient was. */
static void add_part(splitting *s, const access *a, polyhedron *where, const linear *quotient, const linear *rest)
{
  access part = *a;
  linear none = linear_constant(0), most = linear_constant(s->c - 1);
  part.where = where;
  part.index[s->r] = *quotient;
  part.index[s->rank] = *rest;
  bool defines = where->vars > a->where->vars;
  polyhedron_require(&s->f->memory, where, &none, rest);
  where->row[where->n - 1].defines = defines;
  polyhedron_require(&s->f->memory, where, rest, &most);
  where->row[where->n - 1].defines = defines;
  if (!polyhedron_empty(where))
    add_access(s->f, &part);
}

/* What is read at c z + rest: a few parts, or a quotient more. */
static bool split_target(splitting *s, const access *a)
{
  linear quotient = { .base = num_floor_div(a->index[s->r].base, s->c) }, rest = a->index[s->r];
  int64_t lo, hi;
  for (int v = 0; v < POLYHEDRON_VARS; v++)
    quotient.coef[v] = a->index[s->r].coef[v] % s->c == 0 ? a->index[s->r].coef[v] / s->c : 0;
  if (!linear_add(&rest, &quotient, -s->c) || !polyhedron_span(a->where, &rest, &lo, &hi))
    return false;
  lo = num_floor_div(lo, s->c);
  hi = num_floor_div(hi, s->c);
  if (hi - lo >= PARTS_MOST) {
    polyhedron *where = polyhedron_copy(&s->f->memory, a->where);
    int q = polyhedron_variable(where);
    linear more = linear_variable(q < 0 ? 0 : q);
    if (q < 0 || !a->single || !linear_add(&quotient, &more, 1) || !linear_add(&rest, &more, -s->c))
      return false;
    add_part(s, a, where, &quotient, &rest);
    return true;
  }
  for (int64_t t = lo; t <= hi; t++) {
    linear here = quotient, left = rest;
    here.base += t;
    left.base -= s->c * t;
    add_part(s, a, polyhedron_copy(&s->f->memory, a->where), &here, &left);
  }
  return true;
}

/* All accesses of or to the array anew; false when one cannot be said so: then nothing is changed. */
static bool split_accesses(splitting *s)
{
  normal_form *f = s->f;
  int n = f->accesses, room = f->room;
  access **old = f->access;
  f->accesses = f->room = 0;
  f->access = NULL;
  bool good = true;
  for (int i = 0; i < n && good; i++) {
    access a = *old[i];
    if (a.from == s->x)
      good = split_reader(s, &a);
    if (a.to == s->x)
      good = good && split_target(s, &a);
    else
      add_access(f, &a);
  }
  if (!good) {
    f->access = old;
    f->accesses = n;
    f->room = room;
  }
  return good;
}

static bool split_array(normal_form *f, int x)
{
  splitting s;
  array_form *a = &f->array[x];
  if (!a->known || !find_split(f, x, &s) || !split_accesses(&s))
    return false;
  polyhedra *const sets[] = { &a->domain, &a->inputs, &a->computed, &a->outputs };
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
    split_sets(&s, sets[i]);
  int64_t under = a->part[s.r].by ? a->part[s.r].by : 1;
  a->part[s.r].by = under * s.c;
  a->part[a->rank] = (index_part){ .of = s.r + 1, .by = s.c, .under = under };
  a->rank++;
  return true;
}

void normal_form_unflatten(normal_form *f)
{
  for (int x = 0; x < f->arrays; x++)
    for (int times = 0; times < TIMES_MOST && split_array(f, x); times++)
      ;
  normal_form_join(f);
}
