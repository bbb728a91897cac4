/* reads.c -- what the members of a circle read, and reads in two. */
#include "schedules/tiler/circles/internal.h"
#include <math.h>

double circle_points(const polyhedron *p, double otherwise)
{
  mpz_t n;
  mpz_init(n);
  double d = polyhedron_count(p, n) ? mpz_get_d(n) : otherwise;
  mpz_clear(n);
  return d;
}

static bool add_read(circle *c, const access *a)
{
  int reader = circle_member(c, a->from);
  if (reader < 0 || polyhedron_empty(a->where))
    return true;
  if (c->reads == CIRCLE_READS || !a->single || a->where->vars > circle_rank(c, reader))
    return false;
  double times = circle_points(a->where, (double)circle_array(c, reader)->count);
  c->read[c->reads++] = (circle_read){ .a = a, .reader = reader, .from = circle_member(c, a->to), .times = times };
  return true;
}

/* And those that are stored for others, whatever the tiles. */
static void count_elements(circle *c, int p)
{
  const array_form *f = circle_form(c, p);
  c->elements[p] = circle_points(f->computed.item[0], (double)circle_array(c, p)->count);
  c->outputs[p] = circle_array(c, p)->declared_output ? c->elements[p] : 0;
  for (int i = 0; i < f->outputs.n; i++)
    c->outputs[p] += circle_points(f->outputs.item[i], c->elements[p]);
  for (int i = 0; i < c->f->accesses; i++)
    if (c->f->access[i]->to == c->member[p] && circle_member(c, c->f->access[i]->from) < 0)
      c->outputs[p] += circle_points(c->f->access[i]->where, c->elements[p]);
  c->outputs[p] = fmin(c->outputs[p], c->elements[p]);
}

bool circle_list_reads(circle *c)
{
  bool good = true;
  for (int p = 0; p < c->n; p++) {
    const array_form *f = &c->f->array[c->member[p]];
    good = good && f->known && f->whole && f->computed.n == 1;
    if (good)
      count_elements(c, p);
  }
  for (int i = 0; i < c->f->accesses && good; i++)
    good = add_read(c, c->f->access[i]);
  return good;
}

polyhedron *circle_both_read(circle *c, const circle_read *a, const circle_read *b)
{
  int shift;
  polyhedron *both = polyhedron_beside(&c->memory, a->a->where, b->a->where, &shift);
  for (int q = 0; q < c->f->array[a->a->to].rank; q++) {
    linear f = linear_constant(b->a->index[q].base);
    for (int v = 0; v < b->a->where->vars; v++)
      f.coef[v + shift] = b->a->index[q].coef[v];
    polyhedron_same(&c->memory, both, &a->a->index[q], &f);
  }
  return both;
}

/* Points of read a whose element b reads, too. */
static polyhedron *meeting(circle *c, const circle_read *a, const circle_read *b, bool *exact)
{
  return polyhedron_project(&c->memory, circle_both_read(c, a, b), a->a->where->vars, exact);
}

static bool same_index(const circle *c, const circle_read *a, const circle_read *b)
{
  for (int q = 0; q < c->f->array[a->a->to].rank; q++)
    if (!linear_equal(&a->a->index[q], &b->a->index[q]))
      return false;
  return a->reader == b->reader;
}

static void restrict_read(circle *c, circle_read *r, const access *a, polyhedron *where)
{
  access *own = ARENA_NEW(&c->memory, access, 1);
  *own = *a;
  own->where = where;
  r->a = own;
  r->times = circle_points(where, r->times);
}

bool circle_split_reads(circle *c)
{
  bool any = false;
  for (int i = 0, n = c->reads; i < n; i++)
    for (int k = 0; k < n && c->reads < CIRCLE_READS; k++) {
      circle_read *r = &c->read[i], *b = &c->read[k];
      bool exact;
      if (r->from != r->reader || b->a->to != r->a->to || same_index(c, r, b))
        continue;
      polyhedron *met = meeting(c, r, b, &exact);
      polyhedra own = { 0 }, take = { 0 }, rest = { 0 };
      polyhedra_add(&c->memory, &own, r->a->where);
      polyhedra_add(&c->memory, &take, met);
      if (!exact || polyhedron_empty(met) || !polyhedra_minus(&c->memory, &own, &take, r->a->where->vars, &rest) ||
          rest.n != 1)
        continue;
      c->read[c->reads] = *r;
      restrict_read(c, &c->read[c->reads++], r->a, polyhedron_tidy(&c->memory, met));
      restrict_read(c, r, r->a, polyhedron_tidy(&c->memory, rest.item[0]));
      any = true;
    }
  return any;
}
