/* Chains: elements of one array, each the own predecessor of the next, one step on. */
#include "bounds/check/affine/chain.h"
#include "base/num.h"
#include <string.h>

static bool constant_step(const access *a, int rank, int64_t *step)
{
  for (int r = 0; r < rank; r++) {
    linear d = a->index[r], x = linear_variable(r);
    if (!linear_add(&d, &x, -1) || !linear_is_constant(&d))
      return false;
    step[r] = d.base;
  }
  return true;
}

static void add_first(affine_facts *f, const access *a, polyhedra *first)
{
  const array_form *to = &f->form.array[a->to];
  for (int k = 0; k < to->inputs.n; k++) {
    polyhedron *p = polyhedron_copy(&f->scratch, a->where);
    polyhedron_include(&f->scratch, p, to->inputs.item[k], a->index, to->rank);
    if (!p->open && !polyhedron_empty(p))
      polyhedra_add(&f->scratch, first, p);
  }
}

bool chain_find(affine_facts *f, int s, chain *c)
{
  for (int i = 0; i < f->words.n; i++) {
    const access *a = f->form.access[f->words.own[i]];
    int64_t step[CDAG_RANK] = { 0 };
    if (a->from != s)
      continue;
    add_first(f, a, &c->first);
    if (a->to != s || !constant_step(a, f->form.array[s].rank, step))
      continue;
    if (c->found && memcmp(step, c->step, sizeof step) != 0)
      return false;
    memcpy(c->step, step, sizeof step);
    c->found = true;
    polyhedra_add(&f->scratch, &c->regular, polyhedron_copy(&f->scratch, a->where));
  }
  return c->found;
}

/* Only those at which item i is read, one way or the other. */
void chain_reads(affine_facts *f, const statement_facts *t, int i, chain *c)
{
  polyhedra next = { 0 };
  for (int k = 0; k < c->regular.n; k++)
    for (int w = 0; w < t->s->item[i].ways; w++) {
      polyhedron *p = polyhedron_copy(&f->scratch, c->regular.item[k]);
      polyhedron_meet(&f->scratch, p, t->way[i][w].where, t->rank);
      if (!p->open && !polyhedron_empty(p))
        polyhedra_add(&f->scratch, &next, p);
    }
  c->regular = next;
}

bool chain_runs(affine_facts *f, int s, const polyhedron *from, const linear *base, int64_t run, const chain *c)
{
  arena *a = &f->scratch;
  int rank = f->form.array[s].rank;
  polyhedron *p = polyhedron_new(a, rank + 1);
  bool exact;
  linear m = linear_variable(rank), zero = linear_constant(0), last = linear_constant(run - 1);
  polyhedron_require(a, p, &zero, &m);
  polyhedron_require(a, p, &m, &last);
  polyhedron_include(a, p, from, NULL, 0);
  for (int r = 0; r < rank; r++) {
    linear y = linear_variable(r), moved;
    if (!linear_substitute(&base[r], NULL, 0, rank + 1, &moved))
      return false;
    moved.coef[rank] = c->step[r];
    polyhedron_same(a, p, &y, &moved);
  }
  p = polyhedron_project(a, p, rank, &exact);
  const array_form *form = &f->form.array[s];
  for (int k = 0; k < form->domain.n; k++) {
    polyhedra here = { 0 }, rest = { 0 }, more = { 0 }, left = { 0 };
    polyhedron *q = polyhedron_copy(a, p);
    polyhedron_meet(a, q, form->domain.item[k], rank);
    polyhedra_add(a, &here, q);
    if (p->open || q->open || !polyhedra_minus(a, &here, &c->regular, rank, &rest) ||
        !polyhedra_minus(a, &rest, &c->first, rank, &more) || !polyhedra_minus(a, &more, &form->inputs, rank, &left) ||
        left.n > 0)
      return false;
  }
  return true;
}

/* The element that is read follows an input, or is one, or follows an element of s. */
bool chain_makes(affine_facts *f, int s, const way_facts *w, const polyhedron *p, int64_t g, const chain *c)
{
  arena *a = &f->scratch;
  int to = f->form.array[w->to].rank;
  polyhedra here = { 0 }, rest = { 0 }, heads = { 0 };
  polyhedron *image = polyhedron_new(a, to);
  bool exact;
  polyhedron_include(a, image, p, NULL, 0);
  for (int r = 0; r < to; r++) {
    linear y = linear_variable(r), moved;
    if (!linear_substitute(&w->index[r], NULL, 0, to, &moved))
      return false;
    polyhedron_same(a, image, &y, &moved);
  }
  image = polyhedron_project(a, image, to, &exact);
  polyhedra_add(a, &here, image);
  for (int i = 0; i < f->words.n; i++) {
    const access *h = f->form.access[f->words.own[i]];
    if (h->from != w->to)
      continue;
    add_first(f, h, &heads);
    if (h->to != s)
      continue;
    polyhedron *from = polyhedron_copy(a, image);
    polyhedron_meet(a, from, h->where, to);
    if (from->open || h->where->vars != to || (!polyhedron_empty(from) && !chain_runs(f, s, from, h->index, g - 1, c)))
      return false;
    polyhedra_add(a, &heads, polyhedron_copy(a, h->where));
  }
  for (int k = 0; k < f->form.array[w->to].inputs.n; k++)
    polyhedra_add(a, &heads, f->form.array[w->to].inputs.item[k]);
  return !image->open && polyhedra_minus(a, &here, &heads, to, &rest) && rest.n == 0;
}

/* ---- rows and columns ---- */

/* The parts of the item's labels that do not move along a chain, as rows over the loops that vary; false when no part
   moves. */
static bool lines_of(const statement_facts *t, int i, const int64_t *step, const bool *still,
                     __int128 (*row)[CDAG_RANK], int *rows)
{
  int64_t moves[CDAG_RANK] = { 0 };
  int pivot = -1;
  for (int k = 0; k < t->forms[i]; k++) {
    for (int r = 0; r < t->rank; r++)
      moves[k] += t->form[i][k].coef[r] * step[r];
    pivot = moves[k] ? k : pivot;
  }
  for (int k = 0; k < t->forms[i] && pivot >= 0; k++) {
    for (int r = 0; k != pivot && r < t->rank; r++) {
      __int128 here = t->form[i][k].coef[r], there = t->form[i][pivot].coef[r];
      row[*rows][r] = still[r] ? 0 : here * moves[pivot] - there * moves[k];
    }
    *rows += k != pivot;
  }
  return pivot >= 0;
}

/* Do row and column tell the chain? */
bool chain_told(const affine_facts *f, const statement_facts *t, int a, int b, const chain *c)
{
  __int128 row[2 * CDAG_RANK][CDAG_RANK] = { 0 };
  bool still[CDAG_RANK] = { 0 };
  int rows = 0, vary = 0;
  uint32_t columns;
  int64_t gcd = 0;
  const polyhedra *domain = &f->form.array[t->s->array].domain;
  for (int r = 0; r < t->rank; r++) {
    linear v = linear_variable(r);
    int64_t lo, hi;
    still[r] = polyhedra_span(domain, &v, &lo, &hi) && lo == hi;
    vary += !still[r];
    gcd = num_gcd(gcd, c->step[r] < 0 ? -c->step[r] : c->step[r]);
  }
  return gcd == 1 && lines_of(t, a, c->step, still, row, &rows) && lines_of(t, b, c->step, still, row, &rows) &&
         integer_rank(&row[0][0], CDAG_RANK, rows, t->rank, &columns) == vary - 1;
}
