/* Statements: the steps at which all counted reads exist, what the reads are there, and when two never meet. */
#include "bounds/check/affine/claim.h"
#include "base/num.h"
#include "bounds/checker.h"
#include <string.h>

static int read_array(const affine_facts *f, const claim_statement *s, const claim_item *i)
{
  return i->kind == ITEM_OWN ? s->array : f->form.access[i->access]->to;
}

/* Forms that only know loops. */
static bool in_loops(const linear *l, int n, int rank)
{
  for (int i = 0; i < n; i++)
    for (int v = rank; v < POLYHEDRON_VARS; v++)
      if (l[i].coef[v])
        return false;
  return true;
}

static bool item_forms(affine_facts *f, const claim_statement *s, int i, statement_facts *t)
{
  const claim_item *item = &s->item[i];
  int rank = f->form.array[s->array].rank;
  linear loop[CDAG_RANK];
  for (int r = 0; r < CDAG_RANK; r++)
    loop[r] = linear_variable(r);
  t->to[i] = read_array(f, s, item);
  t->component[i] = f->words.component[t->to[i]];
  const linear *index = item->kind == ITEM_OWN ? loop : f->form.access[item->access]->index;
  if (item->kind == ITEM_OPERAND) {
    t->forms[i] = f->form.array[t->to[i]].rank;
    memcpy(t->form[i], index, (size_t)t->forms[i] * sizeof *index);
  } else
    t->forms[i] = words_label_of(&f->words, t->to[i], index, t->form[i]);
  return t->forms[i] >= 0 && in_loops(t->form[i], t->forms[i], rank);
}

/* An operand is computed: steps that read an input there do not count. */
static bool only_computed(affine_facts *f, statement_facts *t, int i)
{
  const array_form *to = &f->form.array[t->to[i]];
  polyhedra computed = { 0 }, steps = { 0 };
  if (!f->form.g->array[t->to[i]].declared_input)
    return true;
  if (!polyhedra_disjoint(&f->scratch, &to->computed, to->rank, &computed))
    return false;
  for (int k = 0; k < t->steps.n; k++)
    for (int j = 0; j < computed.n; j++) {
      polyhedron *p = polyhedron_copy(&f->scratch, t->steps.item[k]);
      polyhedron_include(&f->scratch, p, computed.item[j], t->form[i], to->rank);
      if (p->open)
        return false;
      if (!polyhedron_empty(p))
        polyhedra_add(&f->scratch, &steps, polyhedron_tidy(&f->scratch, p));
    }
  t->steps = steps;
  return true;
}

bool statement_facts_of(affine_facts *f, const claim_statement *s, statement_facts *t, text *reason)
{
  int rank = f->form.array[s->array].rank, reads = 0;
  const polyhedra *live = &f->form.array[s->array].live;
  *t = (statement_facts){ .s = s, .rank = rank };
  for (int i = 0; i < s->items; i++) {
    const access *a = s->item[i].kind == ITEM_OWN ? NULL : f->form.access[s->item[i].access];
    reads += a != NULL;
    if (a && (a->from != s->array || !a->single))
      return bound_refuse(reason, "access %d is not one of the statement's", s->item[i].access);
    if (!item_forms(f, s, i, t))
      return bound_refuse(reason, "what access %d reads is not told by the loops", s->item[i].access);
    if (s->item[i].kind == ITEM_READ && f->words.unrooted[t->component[i]])
      return bound_refuse(reason, "the words that access %d reads may begin with a computed element", s->item[i].access);
  }
  if (reads == 0)
    return bound_refuse(reason, "a statement counts no read");
  for (int k = 0; k < live->n; k++) {
    polyhedron *p = polyhedron_copy(&f->scratch, live->item[k]);
    for (int i = 0; i < s->items; i++)
      if (s->item[i].kind != ITEM_OWN)
        polyhedron_meet(&f->scratch, p, f->form.access[s->item[i].access]->where, rank);
    if (p->open)
      return bound_refuse(reason, "the steps have too many quotients");
    if (!polyhedron_empty(p))
      polyhedra_add(&f->scratch, &t->steps, polyhedron_tidy(&f->scratch, p));
  }
  for (int i = 0; i < s->items; i++)
    if (s->item[i].kind == ITEM_OPERAND && !only_computed(f, t, i))
      return bound_refuse(reason, "access %d may read inputs", s->item[i].access);
  return t->steps.n > 0 || bound_refuse(reason, "there are no such steps");
}

bool steps_count(const statement_facts *t, mpz_t work)
{
  mpz_t part;
  bool good = true;
  mpz_init(part);
  mpz_set_ui(work, 0);
  for (int i = 0; i < t->steps.n && good; i++) {
    good = polyhedron_count(t->steps.item[i], part);
    mpz_add(work, work, part);
  }
  mpz_clear(part);
  return good;
}

/* Steps of a and of b at which the items are the same; false when they cannot be, whatever the steps. */
static bool meeting(affine_facts *f, arena *memory, const statement_facts *a, int i, const polyhedron *p, const statement_facts *b, int k,
                    const polyhedron *q, polyhedron **both)
{
  int shift;
  (void)f;
  *both = polyhedron_beside(memory, p, q, &shift);
  for (int r = 0; r < a->forms[i]; r++) {
    linear moved;
    if (linear_substitute(&b->form[k][r], NULL, 0, shift, &moved))
      polyhedron_same(memory, *both, &a->form[i][r], &moved);
  }
  return !polyhedron_empty(*both);
}

/* Can they only meet through words of one component, or elements of one array? */
static bool unrelated(const statement_facts *a, int i, const statement_facts *b, int k)
{
  bool vertex = a->s->item[i].kind == ITEM_OPERAND, other = b->s->item[k].kind == ITEM_OPERAND;
  if (vertex && other)
    return a->to[i] != b->to[k];
  if (vertex != other) { /* operands are the ends of their words, and steps' own words are met before their ends; a read may be of an end */
    const claim_item *word = vertex ? &b->s->item[k] : &a->s->item[i];
    return word->kind == ITEM_OWN || a->to[i] != b->to[k];
  }
  return a->component[i] != b->component[k];
}

/* What a word item reads, as an element, when it is compared with an operand. */
static void as_element(affine_facts *f, statement_facts *t, int i)
{
  if (t->s->item[i].kind == ITEM_READ) {
    const access *x = f->form.access[t->s->item[i].access];
    t->forms[i] = f->form.array[x->to].rank;
    memcpy(t->form[i], x->index, (size_t)t->forms[i] * sizeof *x->index);
  }
}

/* Copies whose forms can be compared with each other. */
static void alike(affine_facts *f, statement_facts *a, int i, statement_facts *b, int k)
{
  if (a->s->item[i].kind == ITEM_OPERAND)
    as_element(f, b, k);
  if (b->s->item[k].kind == ITEM_OPERAND)
    as_element(f, a, i);
}

bool items_apart(affine_facts *f, const statement_facts *a, int i, const statement_facts *b, int k)
{
  statement_facts x = *a, y = *b;
  if (unrelated(a, i, b, k))
    return true;
  alike(f, &x, i, &y, k);
  for (int p = 0; p < x.steps.n; p++)
    for (int q = 0; q < y.steps.n; q++) {
      arena memory = { 0 };
      polyhedron *both;
      bool meet = meeting(f, &memory, &x, i, x.steps.item[p], &y, k, y.steps.item[q], &both);
      arena_clear(&memory);
      if (meet)
        return false;
    }
  return true;
}

static bool has_equality(const polyhedron *p)
{
  for (int i = 0; i < p->n; i++)
    if (p->row[i].equal)
      return true;
  return false;
}

bool items_part(affine_facts *f, statement_facts *a, int i, const statement_facts *b, int k)
{
  statement_facts x = *a, y = *b;
  polyhedra away = { 0 }, rest = { 0 };
  int rank = f->form.array[a->s->array].rank;
  alike(f, &x, i, &y, k);
  for (int p = 0; p < x.steps.n; p++)
    for (int q = 0; q < y.steps.n; q++) {
      polyhedron *both;
      bool exact;
      if (!meeting(f, &f->scratch, &x, i, x.steps.item[p], &y, k, y.steps.item[q], &both))
        continue;
      polyhedron *z = polyhedron_project(&f->scratch, both, rank, &exact);
      polyhedron *thin = polyhedron_new(&f->scratch, rank); /* only a thin part may go: what its equalities say */
      for (int r = 0; r < z->n; r++)
        if (z->row[r].equal)
          polyhedron_add(&f->scratch, thin, &z->row[r].form, true);
      if (z->open || !has_equality(thin))
        return false;
      polyhedra_add(&f->scratch, &away, thin);
    }
  if (!polyhedra_minus(&f->scratch, &a->steps, &away, rank, &rest) || rest.n == 0)
    return false;
  a->steps = rest;
  return true;
}

/* ---- coordinates ---- */

/* The loops that equalities common to all steps determine, as forms in the others. */
static void determined(const statement_facts *t, int rank, linear *value, bool *gone)
{
  for (int r = 0; r < rank; r++)
    value[r] = linear_variable(r), gone[r] = false;
  const polyhedron *first = t->steps.item[0];
  for (int i = 0; i < first->n; i++) {
    linear f = first->row[i].form, g;
    bool all = first->row[i].equal && in_loops(&f, 1, rank);
    for (int p = 1; p < t->steps.n && all; p++)
      all = polyhedron_implies(t->steps.item[p], &f, true);
    if (!all || !linear_substitute(&f, value, rank, 0, &g))
      continue;
    int r = rank - 1;
    while (r >= 0 && g.coef[r] != 1 && g.coef[r] != -1)
      r--;
    if (r < 0)
      continue;
    int64_t sign = -g.coef[r];
    linear of = { 0 };
    g.coef[r] = 0;
    if (!linear_add(&of, &g, sign))
      continue;
    gone[r] = true;
    for (int q = 0; q < rank; q++) { /* forms so far may name r */
      int64_t c = value[q].coef[r];
      value[q].coef[r] = 0;
      linear_add(&value[q], &of, q == r ? 1 : c);
    }
    value[r] = of;
  }
}

static bool extent_of(const statement_facts *t, int r, int64_t *lo, int64_t *hi)
{
  linear f = linear_variable(r);
  for (int p = 0; p < t->steps.n; p++) {
    int64_t a, b;
    if (!polyhedron_least(t->steps.item[p], &f, &a) || !polyhedron_most(t->steps.item[p], &f, &b))
      return false;
    *lo = p == 0 ? a : num_min(*lo, a);
    *hi = p == 0 ? b : num_max(*hi, b);
  }
  return *hi >= *lo;
}

static bool add_coordinate(coordinates *c, int name, int64_t extent)
{
  if (c->n == CLAIM_LOOPS)
    return false;
  c->name[c->n] = name;
  c->extent[c->n++] = extent;
  return true;
}

/* A form whose coordinate p has coefficient 1 and fewer values than what divides the others knows p, and the others' sum. */
static bool refine(coordinates *c, int item)
{
  for (int k = 0; k < c->rows[item]; k++)
    for (int p = 0; p < c->n; p++) {
      linear *f = &c->row[item][k];
      int64_t g = 0, one = f->coef[p];
      for (int q = 0; q < c->n; q++)
        if (q != p)
          g = num_gcd(g, f->coef[q] < 0 ? -f->coef[q] : f->coef[q]);
      if ((one != 1 && one != -1) || g < 2 || g < c->extent[p] || c->rows[item] == CLAIM_LOOPS)
        continue;
      f->coef[p] = 0;
      for (int q = 0; q < c->n; q++)
        f->coef[q] /= g;
      c->row[item][c->rows[item]++] = linear_variable(p);
      return true;
    }
  return false;
}

bool coordinates_of(const statement_facts *t, coordinates *c)
{
  int rank = t->rank;
  linear value[CDAG_RANK], place[CDAG_RANK] = { 0 };
  bool gone[CDAG_RANK];
  const claim_statement *s = t->s;
  *c = (coordinates){ 0 };
  determined(t, rank, value, gone);
  for (int r = 0; r < rank; r++) {
    int64_t lo = 0, hi = 0, by = s->split[r];
    if (gone[r])
      continue;
    if (!extent_of(t, r, &lo, &hi))
      return false;
    place[r].coef[c->n] = by > 1 ? by : 1;
    if (!add_coordinate(c, r, by > 1 ? num_floor_div(hi, by) - num_floor_div(lo, by) + 1 : hi - lo + 1))
      return false;
    if (by > 1) {
      place[r].coef[c->n] = 1;
      if (!add_coordinate(c, CDAG_RANK + r, by))
        return false;
    }
  }
  for (int i = 0; i < s->items; i++) {
    for (int k = 0; k < t->forms[i]; k++) {
      linear f;
      if (!linear_substitute(&t->form[i][k], value, rank, 0, &f) || !linear_substitute(&f, place, rank, 0, &f))
        return false;
      f.base = 0;
      c->row[i][c->rows[i]++] = f;
    }
    while (refine(c, i))
      ;
  }
  return true;
}

uint32_t coordinates_pivots(const coordinates *c, int item, const int *place)
{
  __int128 m[CLAIM_LOOPS][CLAIM_LOOPS];
  int rows = c->rows[item], n = c->n, at[CLAIM_LOOPS];
  uint32_t pivots = 0;
  for (int p = 0; p < n; p++)
    at[n - 1 - place[p]] = p; /* the last comes first */
  for (int k = 0; k < rows; k++)
    for (int q = 0; q < n; q++)
      m[k][q] = c->row[item][k].coef[at[q]];
  for (int q = 0, done = 0; q < n && done < rows; q++) {
    int k = done;
    while (k < rows && m[k][q] == 0)
      k++;
    if (k == rows)
      continue;
    for (int v = 0; v < n; v++) {
      __int128 x = m[k][v];
      m[k][v] = m[done][v];
      m[done][v] = x;
    }
    for (int i = done + 1; i < rows; i++) {
      __int128 x = m[i][q], y = m[done][q];
      for (int v = 0; v < n && x; v++) {
        m[i][v] = m[i][v] * y - m[done][v] * x;
        if (m[i][v] > ((__int128)1 << 62) || m[i][v] < -((__int128)1 << 62))
          return pivots;
      }
    }
    pivots |= (uint32_t)1 << at[q];
    done++;
  }
  return pivots;
}
