/* degree.c -- the elements of an array in cells, in each of which the number of reads is one affine form.

   Reads that may name one element twice are told apart first: where two single ones meet, the later one is left out.  A
   read whose index runs is counted above each element (count.c). */
#include "base/scoped.h"
#include "cdag/polyhedral/degree.h"
#include "cdag/polyhedral/polynomial.h"
#include <string.h>

enum { CELLS_MOST = 512 };

/* Elements that each read so many. */
typedef struct { polyhedron *where; linear reads; } cell;
typedef struct { int n, room; cell *item; } cells;

typedef struct {
  normal_form *f;
  arena memory;
  int array, rank;
} counting;

static bool add_cell(counting *c, cells *l, polyhedron *where, const linear *reads)
{
  if (where->open || l->n >= CELLS_MOST)
    return false;
  l->item = arena_room(&c->memory, l->item, l->n, &l->room, sizeof *l->item);
  l->item[l->n++] = (cell){ where, *reads };
  return true;
}

/* ---- reads that never name one element twice ---- */

/* The elements on which a and b read the same; NULL: none.  Both single: then it is exact. */
static polyhedron *meeting(counting *c, const access *a, const polyhedron *of_a, const access *b,
                           const polyhedron *of_b)
{
  int r = c->rank, shift = of_a->vars - r;
  polyhedron *p = polyhedron_copy(&c->memory, of_a);
  polyhedron_meet(&c->memory, p, of_b, r);
  for (int k = 0; k < c->f->array[a->to].rank; k++) {
    linear other, value[CDAG_RANK];
    for (int v = 0; v < r; v++)
      value[v] = linear_variable(v);
    if (!linear_substitute(&b->index[k], value, r, shift, &other))
      p->open = true;
    else
      polyhedron_same(&c->memory, p, &a->index[k], &other);
  }
  return polyhedron_empty(p) ? NULL : p;
}

/* The points of access b at which it names what no earlier access does. */
static bool apart_from_earlier(counting *c, int b, polyhedra *where)
{
  const access *x = c->f->access[b];
  polyhedra_add(&c->memory, where, x->where);
  for (int a = 0; a < b; a++) {
    const access *y = c->f->access[a];
    if (y->from != c->array || y->to != x->to)
      continue;
    polyhedra both = { 0 }, rest = { 0 };
    for (int i = 0; i < where->n; i++) {
      polyhedron *p = meeting(c, y, y->where, x, where->item[i]);
      if (p)
        polyhedra_add(&c->memory, &both, p);
    }
    if (both.n == 0)
      continue;
    if (!x->single || !y->single || !polyhedra_minus(&c->memory, where, &both, c->rank, &rest))
      return false;
    *where = rest;
  }
  return true;
}

/* ---- how many above each element ---- */

static bool affine_count(const polynomial *p, linear *f)
{
  *f = linear_constant(0);
  for (size_t k = 0; k < p->n; k++) {
    int v = -1, degree = 0;
    for (int q = 0; q < POLYHEDRON_VARS; q++)
      if (p->term[k].power[q])
        v = q, degree += p->term[k].power[q];
    if (degree > 1 || mpz_cmp_ui(mpq_denref(p->term[k].c), 1) || !mpz_fits_slong_p(mpq_numref(p->term[k].c)))
      return false;
    *(v < 0 ? &f->base : &f->coef[v]) = mpz_get_si(mpq_numref(p->term[k].c));
  }
  return true;
}

/* What the access adds, in cells; they may overlap. */
static bool cells_of(counting *c, const access *x, const polyhedra *where, cells *l)
{
  linear one = linear_constant(1);
  bool good = true;
  for (int i = 0; i < where->n && x->single && good; i++)
    good = add_cell(c, l, where->item[i], &one);
  for (int i = 0; i < where->n && !x->single && good; i++) {
    point_counts above = { 0 };
    good = polyhedron_count_above(&c->memory, where->item[i], ((uint64_t)1 << c->rank) - 1, &above);
    for (int k = 0; k < above.n && good; k++) {
      linear reads;
      good = affine_count(above.item[k].count, &reads);
      for (int v = c->rank; v < POLYHEDRON_VARS && good; v++)
        good = reads.coef[v] == 0;
      good = good && add_cell(c, l, above.item[k].where, &reads);
    }
    point_counts_clear(&above);
  }
  return good;
}

/* Every cell cut along `with`, whose elements read more. */
static bool refine(counting *c, cells *l, const cell *with)
{
  cells cut = { 0 };
  polyhedra away = { 0 };
  polyhedra_add(&c->memory, &away, with->where);
  for (int i = 0; i < l->n; i++) {
    polyhedra of = { 0 }, rest = { 0 };
    polyhedron *both = polyhedron_copy(&c->memory, l->item[i].where);
    linear reads = l->item[i].reads;
    polyhedron_meet(&c->memory, both, with->where, c->rank);
    polyhedra_add(&c->memory, &of, l->item[i].where);
    if (!linear_add(&reads, &with->reads, 1) || !polyhedra_minus(&c->memory, &of, &away, c->rank, &rest) ||
        (!polyhedron_empty(both) && !add_cell(c, &cut, both, &reads)))
      return false;
    for (int k = 0; k < rest.n; k++)
      if (!add_cell(c, &cut, rest.item[k], &l->item[i].reads))
        return false;
  }
  *l = cut;
  return true;
}

static bool all_cells(counting *c, cells *l)
{
  const polyhedra *domain = &c->f->array[c->array].domain;
  linear none = linear_constant(0);
  for (int i = 0; i < domain->n; i++)
    if (!add_cell(c, l, domain->item[i], &none))
      return false;
  for (int b = 0; b < c->f->accesses; b++) {
    const access *x = c->f->access[b];
    polyhedra where = { 0 };
    cells more = { 0 };
    if (x->from != c->array)
      continue;
    if (!apart_from_earlier(c, b, &where) || !cells_of(c, x, &where, &more))
      return false;
    for (int i = 0; i < more.n; i++)
      if (!refine(c, l, &more.item[i]))
        return false;
  }
  return true;
}

/* ---- sums ---- */

/* The elements of the cell that read this many. */
static bool count_where(counting *c, const cell *of, int64_t reads, mpz_t n)
{
  polyhedron *p = polyhedron_copy(&c->memory, of->where);
  linear number = linear_constant(reads);
  polyhedron_same(&c->memory, p, &of->reads, &number);
  return polyhedron_count(p, n);
}

/* Pairs of an element of the cell and one that it reads: more points above each. */
static bool count_pairs(counting *c, const cell *of, mpz_t n)
{
  polyhedron *p = polyhedron_copy(&c->memory, of->where);
  int v = polyhedron_variable(p);
  if (v < 0)
    return false;
  linear x = linear_variable(v), first = linear_constant(1);
  polyhedron_require(&c->memory, p, &first, &x);
  polyhedron_require(&c->memory, p, &x, &of->reads);
  return polyhedron_count(p, n);
}

static bool add_up(counting *c, const cells *l, polyhedral_degrees *d)
{
  mpz_t n, edges, sources;
  bool good = true;
  mpz_inits(n, edges, sources, NULL);
  *d = (polyhedral_degrees){ 0 };
  for (int i = 0; i < l->n && good; i++) {
    const cell *of = &l->item[i];
    int64_t least, most;
    good = polyhedron_span(of->where, &of->reads, &least, &most) && count_pairs(c, of, n);
    mpz_add(edges, edges, n);
    good = good && least >= 0 && count_where(c, of, 0, n);
    mpz_add(sources, sources, n);
    if (!good || (uint64_t)most <= d->most)
      continue;
    good = count_where(c, of, most, n) && (mpz_sgn(n) > 0 || least == most);
    d->most = mpz_sgn(n) > 0 ? (uint64_t)most : d->most;
  }
  good = good && mpz_fits_slong_p(edges) && mpz_fits_slong_p(sources);
  d->edges = good ? mpz_get_ui(edges) : 0;
  d->sources = good ? mpz_get_ui(sources) : 0;
  mpz_clears(n, edges, sources, NULL);
  return good;
}

bool polyhedral_degrees_of(normal_form *f, int array, polyhedral_degrees *d)
{
  counting c = { .f = f, .array = array, .rank = f->array[array].rank };
  cells l = { 0 };
  bool good = f->array[array].known && f->array[array].whole && all_cells(&c, &l) && add_up(&c, &l, d);
  arena_clear(&c.memory);
  return good;
}

bool polyhedral_outputs_of(normal_form *f, int array, uint64_t *outputs)
{
  const array_form *x = &f->array[array];
  polyhedra pieces = { 0 };
  SCOPED_MPZ sum;
  mpz_init(sum);
  bool good = x->known && !x->outputs_missing && !normal_form_text(f, array)->declared_input &&
              polyhedra_disjoint(&f->memory, &x->outputs, x->rank, &pieces) && polyhedra_count(&pieces, sum) &&
              mpz_fits_slong_p(sum);
  *outputs = good ? mpz_get_ui(sum) : 0;
  return good;
}
