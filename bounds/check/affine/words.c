#include "bounds/check/affine/words.h"
#include "base/num.h"
#include <string.h>

/* ---- is it a choice? ---- */

/* Two elements, one read by a and one by b, whose predecessors are the same: no such pair, but for one element and one
 * access. */
static bool never_same(const normal_form *f, const access *a, const access *b)
{
  SCOPED_ARENA memory = { 0 };
  int shift, rank = f->array[a->from].rank;
  bool apart = true;
  polyhedron *both = polyhedron_beside(&memory, a->where, b->where, &shift);
  for (int k = 0; k < f->array[a->to].rank; k++) {
    linear moved;
    if (linear_substitute(&b->index[k], NULL, 0, shift, &moved))
      polyhedron_same(&memory, both, &a->index[k], &moved);
  }
  if (a != b)
    apart = polyhedron_empty(both);
  for (int r = 0; a == b && r < rank && apart; r++) { /* the first index in which they differ */
    polyhedron *differ = polyhedron_copy(&memory, both);
    linear x = linear_variable(r), y = linear_variable(shift + r);
    x.base = 1;
    polyhedron_require(&memory, differ, &x, &y);
    apart = polyhedron_empty(differ);
    x.base = 0;
    polyhedron_same(&memory, both, &x, &y);
  }
  return apart;
}

bool words_apart(const normal_form *f, int a, int b)
{
  const access *x = f->access[a], *y = f->access[b];
  if (!x->single || !y->single || (!f->by_parts && (x->through || y->through)))
    return false;
  if (a != b && x->from == y->from) {
    SCOPED_ARENA memory = { 0 };
    polyhedron *both = polyhedron_copy(&memory, x->where);
    polyhedron_meet(&memory, both, y->where, f->array[x->from].rank);
    bool apart = polyhedron_empty(both);
    if (!apart)
      return false;
  }
  return x->to != y->to || never_same(f, x, y);
}

/* ---- components ---- */

static void components(words *w)
{
  const normal_form *f = w->f;
  for (int x = 0; x < f->arrays; x++)
    w->component[x] = x;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < w->n; i++) {
      int *a = &w->component[f->access[w->own[i]]->from], *b = &w->component[f->access[w->own[i]]->to];
      changed = changed || *a != *b;
      *a = *b = *a < *b ? *a : *b;
    }
  }
}

/* ---- labels: a basis of the forms that are the same along words ---- */

typedef struct {
  int n, rows;                 /* unknowns: for each array of the component its coefficients and constant */
  int *first;                  /* of each array: its first unknown, or -1 */
  __int128 *a;                 /* rows of n numbers, in echelon form */
  int *pivot;
  bool lost;
} equations;

static void lower_terms(equations *e, __int128 *row)
{
  __int128 g = 0, limit = (__int128)1 << 60;
  for (int i = 0; i < e->n; i++)
    g = num_gcd128(g, row[i]);
  for (int i = 0; i < e->n && g > 1; i++)
    row[i] /= g;
  for (int i = 0; i < e->n; i++)
    e->lost = e->lost || row[i] > limit || row[i] < -limit;
}

/* row -= what makes it 0 at the pivot of row k */
static void clear_at(equations *e, __int128 *row, const __int128 *by, int pivot)
{
  __int128 c = row[pivot], p = by[pivot];
  if (c == 0)
    return;
  for (int i = 0; i < e->n; i++)
    row[i] = row[i] * p - by[i] * c;
  lower_terms(e, row);
}

static void add_equation(equations *e, __int128 *row)
{
  lower_terms(e, row);
  for (int k = 0; k < e->rows && !e->lost; k++)
    clear_at(e, row, &e->a[k * e->n], e->pivot[k]);
  int p = 0;
  while (p < e->n && row[p] == 0)
    p++;
  if (p == e->n || e->lost)
    return;
  for (int k = 0; k < e->rows && !e->lost; k++)
    clear_at(e, &e->a[k * e->n], row, p);
  memcpy(&e->a[e->rows * e->n], row, (size_t)e->n * sizeof *row);
  e->pivot[e->rows++] = p;
}

/* The variables that equalities of `where` determine are written in the others: times[v] is a common denominator's
 * share. */
typedef struct {
  int vars;
  int solved[POLYHEDRON_VARS]; /* row of `by` for a variable, or -1 */
  int rows;
  linear by[POLYHEDRON_VARS];
} hull;

static void hull_of(const polyhedron *p, hull *h)
{
  *h = (hull){ .vars = p->vars };
  for (int v = 0; v < POLYHEDRON_VARS; v++)
    h->solved[v] = -1;
  for (int i = 0; i < p->n; i++) {
    linear f = p->row[i].form;
    if (!p->row[i].equal)
      continue;
    for (int v = 0; v < p->vars; v++)
      if (f.coef[v] && h->solved[v] >= 0) { /* f times the pivot's coefficient, minus */
        linear g = { 0 }, by = h->by[h->solved[v]];
        int64_t c = f.coef[v];
        if (!linear_add(&g, &f, by.coef[v]) || !linear_add(&g, &by, -c))
          return;
        f = g;
      }
    int pivot = p->vars - 1;
    while (pivot >= 0 && f.coef[pivot] == 0)
      pivot--;
    if (pivot < 0 || h->rows == POLYHEDRON_VARS)
      continue;
    h->solved[pivot] = h->rows;
    h->by[h->rows++] = f;
  }
}

/* label of `to` at index - label of `from` at x (+ unknown `step`), as numbers for each unknown and each variable of
   where (and the constant, number vars); equalities leave the free variables. */
static void equate(equations *e, const normal_form *f, const access *a, int step)
{
  SCOPED_ARENA memory = { 0 };
  int vars = a->where->vars, from = f->array[a->from].rank, to = f->array[a->to].rank;
  __int128 *m = ARENA_NEW(&memory, __int128, (size_t)(vars + 1) * (size_t)e->n),
           *row = ARENA_NEW(&memory, __int128, (size_t)e->n);
  hull h;
  hull_of(a->where, &h);
  for (int k = 0; k <= to; k++)
    for (int v = 0; v <= vars; v++) {
      int64_t c = k == to ? (v == vars) : v == vars ? a->index[k].base : a->index[k].coef[v];
      m[v * e->n + e->first[a->to] + k] += c;
    }
  for (int k = 0; k <= from; k++)
    m[(k == from ? vars : k) * e->n + e->first[a->from] + k] -= 1;
  if (step >= 0)
    m[vars * e->n + step] += 1;
  for (int v = vars - 1; v >= 0; v--) { /* p x_v = -(the others): everything times p */
    if (h.solved[v] < 0)
      continue;
    const linear *by = &h.by[h.solved[v]];
    int64_t p = by->coef[v];
    __int128 *of = ARENA_NEW(&memory, __int128, (size_t)e->n);
    memcpy(of, &m[v * e->n], (size_t)e->n * sizeof *of);
    for (int q = 0; q <= vars; q++)
      for (int i = 0; i < e->n; i++)
        m[q * e->n + i] = m[q * e->n + i] * p - (q == v ? of[i] * p : of[i] * (q == vars ? by->base : by->coef[q]));
  }
  for (int v = 0; v <= vars; v++) {
    memcpy(row, &m[v * e->n], (size_t)e->n * sizeof *row);
    add_equation(e, row);
  }
}

static bool is_pivot(const equations *e, int u)
{
  for (int k = 0; k < e->rows; k++)
    if (e->pivot[k] == u)
      return true;
  return false;
}

/* The solution with free unknown u = 1 (times what clears denominators), the other free ones 0, as forms of the
 * component's arrays. */
static bool solution(const words *w, const equations *e, int u, int component, int number)
{
  __int128 common = 1;
  for (int k = 0; k < e->rows; k++) {
    __int128 c = e->a[k * e->n + u], p = e->a[k * e->n + e->pivot[k]], g = num_gcd128(c, p),
             d = (p < 0 ? -p : p) / (g ? g : 1);
    if (c)
      common = common / num_gcd128(common, d) * d;
    if (common > (1 << 20))
      return false;
  }
  for (int x = 0; x < w->f->arrays; x++)
    for (int i = 0; w->component[x] == component && i <= w->f->array[x].rank; i++) {
      int at = e->first[x] + i;
      __int128 value = at == u ? common : 0;
      for (int k = 0; k < e->rows; k++)
        if (e->pivot[k] == at)
          value = -common * e->a[k * e->n + u] / e->a[k * e->n + at];
      if (value > (1LL << 40) || value < -(1LL << 40))
        return false;
      *(i == w->f->array[x].rank ? &w->label[x][number].base : &w->label[x][number].coef[i]) = (int64_t)value;
    }
  return true;
}

/* Has the label one value on all of each array? */
static bool says_nothing(const words *w, int component, int number)
{
  for (int x = 0; x < w->f->arrays; x++) {
    const polyhedra *domain = &w->f->array[x].domain;
    int64_t lo, hi, at = 0;
    for (int k = 0; w->component[x] == component && !linear_is_constant(&w->label[x][number]) && k < domain->n; k++) {
      if (!polyhedron_span(domain->item[k], &w->label[x][number], &lo, &hi) || lo != hi || (k > 0 && lo != at))
        return false;
      at = lo;
    }
  }
  return true;
}

static void forget(words *w, int component, int number)
{
  for (int x = 0; x < w->f->arrays; x++)
    if (w->component[x] == component)
      w->label[x][number] = (linear){ 0 };
}

/* What the words of a component that go on say of its forms; stepping: with one unknown more, the last, by which they
 * grow from one element to the next. */
static equations equations_of(const words *w, int component, bool stepping, arena *memory)
{
  const normal_form *f = w->f;
  equations e = { .first = ARENA_NEW(memory, int, (size_t)f->arrays) };
  for (int x = 0; x < f->arrays; x++)
    if (w->component[x] == component) {
      e.first[x] = e.n;
      e.n += f->array[x].rank + 1;
    }
  e.n += stepping;
  e.a = ARENA_NEW(memory, __int128, (size_t)(e.n + 1) * (size_t)e.n);
  e.pivot = ARENA_NEW(memory, int, (size_t)e.n + 1);
  for (int i = 0; i < w->n; i++)
    if (w->component[f->access[w->own[i]]->from] == component)
      equate(&e, f, f->access[w->own[i]], stepping ? e.n - 1 : -1);
  return e;
}

static void find_labels(words *w, int component)
{
  SCOPED_ARENA memory = { 0 };
  equations e = equations_of(w, component, false, &memory);
  for (int u = 0; u < e.n && !e.lost && w->labels[component] < LABELS_MOST; u++)
    if (!is_pivot(&e, u)) {
      int number = w->labels[component];
      if (!solution(w, &e, u, component, number) || says_nothing(w, component, number))
        forget(w, component, number);
      else
        w->labels[component]++;
    }
}

bool words_levels(const words *w, int component, linear *level)
{
  SCOPED_ARENA memory = { 0 };
  const normal_form *f = w->f;
  equations e = equations_of(w, component, true, &memory);
  int step = e.n - 1;
  bool found = !e.lost && !is_pivot(&e, step);
  for (int x = 0; x < f->arrays && found; x++)
    for (int i = 0; w->component[x] == component && i <= f->array[x].rank && found; i++) {
      __int128 value = 0;
      for (int k = 0; k < e.rows; k++)
        if (e.pivot[k] == e.first[x] + i) {
          __int128 p = e.a[k * e.n + e.pivot[k]], c = -e.a[k * e.n + step];
          found = found && c % p == 0;
          value = c / p;
        }
      *(i == f->array[x].rank ? &level[x].base : &level[x].coef[i]) = (int64_t)value;
    }
  for (int i = 0; i < w->n && found; i++) {
    const access *a = f->access[w->own[i]];
    linear change;
    if (w->component[a->from] != component)
      continue;
    found = linear_substitute(&level[a->to], a->index, f->array[a->to].rank, 0, &change) &&
            linear_add(&change, &level[a->from], -1);
    change.base++;
    found = found && polyhedron_implies(a->where, &change, true);
  }
  return found;
}

/* Whatever was found, it is only believed when it is proved. */
static bool labels_hold(const words *w, const access *a)
{
  linear at[LABELS_MOST];
  int n = words_label_of(w, a->to, a->index, at);
  for (int i = 0; i < n; i++) {
    linear change = at[i];
    if (!linear_add(&change, &w->label[a->from][i], -1) || !polyhedron_implies(a->where, &change, true))
      return false;
  }
  return n >= 0;
}

int words_label_of(const words *w, int array, const linear *index, linear *label)
{
  int n = w->labels[w->component[array]];
  for (int i = 0; i < n; i++) {
    linear f = w->label[array][i];
    if (!linear_substitute(&f, index, w->f->array[array].rank, 0, &label[i]))
      return -1;
  }
  return n;
}

/* ---- starts ---- */

static bool find_starts(words *w, int x)
{
  const array_form *form = &w->f->array[x];
  polyhedra has = form->inputs, rest = { 0 };
  has.room = has.n; /* a copy that grows apart */
  for (int i = 0; i < w->n; i++)
    if (w->f->access[w->own[i]]->from == x)
      polyhedra_add(w->memory, &has, w->f->access[w->own[i]]->where);
  if (!form->known || !polyhedra_minus(w->memory, &form->domain, &has, form->rank, &rest))
    return false;
  w->start[x] = rest;
  return true;
}

bool words_is_own(const words *w, int a)
{
  for (int i = 0; i < w->n; i++)
    if (w->own[i] == a)
      return true;
  return false;
}

bool words_init(words *w, const normal_form *f, arena *memory, const int *own, int n)
{
  *w = (words){ .f = f, .memory = memory, .n = n };
  if (n > WORDS_MOST || f->arrays > (int)(sizeof w->labels / sizeof *w->labels))
    return false;
  memcpy(w->own, own, (size_t)n * sizeof *own);
  w->component = ARENA_NEW(memory, int, (size_t)f->arrays);
  w->label = arena_new(memory, (size_t)f->arrays, sizeof *w->label);
  w->start = ARENA_NEW(memory, polyhedra, (size_t)f->arrays);
  w->unrooted = ARENA_NEW(memory, bool, (size_t)f->arrays);
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++)
      if (!words_apart(f, own[i], own[k]))
        return false;
  components(w);
  for (int x = 0; x < f->arrays; x++)
    if (w->component[x] == x)
      find_labels(w, x);
  for (int i = 0; i < n; i++)
    if (!labels_hold(w, f->access[own[i]]))
      return false;
  for (int x = 0; x < f->arrays; x++)
    if (!find_starts(w, x) || w->start[x].n > 0)
      w->unrooted[w->component[x]] = true;
  return true;
}
