#include "bounds/coq/text.h"
#include "base/num.h"
#include <inttypes.h>
#include <string.h>

enum { ACCESSES_MOST = 64, KNOWN_MOST = 24, SUMS_MOST = 4 };

/* ---- what follows ---- */

/* *f less g, in the box's variables; false when a number is too large. */
static bool less_known(const coq_box *b, linear *f, const linear *g)
{
  bool good = num_sub(f->base, g->base, &f->base);
  for (int v = 0; v < b->n && good; v++)
    good = num_sub(f->coef[v], g->coef[v], &f->coef[v]);
  return good;
}

/* The value of g at the corner of the box where f is least; false when it is too large a number. */
static bool value_where_least(const coq_box *b, const linear *f, const linear *g, int64_t *value)
{
  bool good = true;
  *value = g->base;
  for (int v = 0; v < b->n && good; v++) {
    int64_t more;
    good = f->coef[v] >= 0 || (num_mul(g->coef[v], b->size[v] - 1, &more) && num_add(*value, more, value));
  }
  return good;
}

/* f less a sum of `deep` known forms at most, each taken once, is negative nowhere on the box.  At the corner where f
   is least this sum is no more than f, so that one of the forms is negative there, by its share at least. */
static bool follows(const coq_box *b, const coq_forms *known, uint32_t taken, int deep, const linear *f)
{
  int64_t least, value;
  if (!value_where_least(b, f, f, &least))
    return false;
  if (least >= 0 || deep == 0)
    return least >= 0;
  for (int i = 0; i < known->n; i++) {
    linear rest; /* copied when all else holds: most forms are passed by */
    if (!(taken >> i & 1) && value_where_least(b, f, &known->item[i], &value) && value <= least / deep && value < 0 &&
        (rest = *f, less_known(b, &rest, &known->item[i])) &&
        follows(b, known, taken | (uint32_t)1 << i, deep - 1, &rest))
      return true;
  }
  return false;
}

/* Sums of some of what is known, and the least value of the rest.  Coq tries all sums: of very many forms not. */
bool coq_implies(const coq_box *b, const coq_forms *known, const linear *f)
{
  return known->n <= KNOWN_MOST && follows(b, known, 0, SUMS_MOST, f);
}

/* f is one of those that make the sum, of which the others are known not to be enough. */
bool coq_excludes(const coq_box *b, const coq_forms *known, const linear *f)
{
  linear rest = { .base = -1 };
  return known->n < KNOWN_MOST && less_known(b, &rest, f) && follows(b, known, 0, SUMS_MOST - 1, &rest);
}

bool coq_implies_all(const coq_box *b, const coq_forms *known, const coq_forms *all)
{
  for (int i = 0; i < all->n; i++)
    if (!coq_implies(b, known, &all->item[i]))
      return false;
  return true;
}

void coq_forms_add(arena *a, coq_forms *l, const linear *f)
{
  l->item = arena_room(a, l->item, l->n, &l->room, sizeof *l->item);
  l->item[l->n++] = *f;
}

coq_forms coq_forms_both(arena *a, const coq_forms *x, const coq_forms *y)
{
  coq_forms both = { 0 };
  for (int i = 0; i < x->n + y->n; i++)
    coq_forms_add(a, &both, i < x->n ? &x->item[i] : &y->item[i - x->n]);
  return both;
}

coq_forms coq_forms_with(arena *a, const coq_forms *known, const linear *f, bool holds)
{
  linear other = coq_never;
  linear_add(&other, f, -1);
  coq_forms one = { 0 };
  coq_forms_add(a, &one, holds ? f : &other);
  return coq_forms_both(a, &one, known);
}

/* An equality is two; false when p says what a quotient is, or does not say all. */
static bool add_all(arena *a, coq_forms *l, const polyhedron *p)
{
  for (int i = 0; i < p->n; i++) {
    linear other = { 0 };
    if (p->row[i].defines || !linear_add(&other, &p->row[i].form, -1))
      return false;
    coq_forms_add(a, l, &p->row[i].form);
    if (p->row[i].equal)
      coq_forms_add(a, l, &other);
  }
  return !p->open;
}

bool coq_forms_beyond(arena *a, const coq_box *b, const polyhedron *p, coq_forms *l)
{
  coq_forms all = { 0 }, none = { 0 };
  bool good = p->vars == b->n && add_all(a, &all, p);
  for (int i = 0; i < all.n && good; i++)
    if (!coq_implies(b, &none, &all.item[i]))
      coq_forms_add(a, l, &all.item[i]);
  return good;
}

/* ---- reading ---- */

/* ---- indices from zero on: Coq's are natural numbers ---- */

/* Where a variable goes below zero it is counted from its least value; those that do not are left alone. */
static void from_least(const polyhedra *l, int v, linear *value)
{
  int64_t least, most;
  *value = linear_variable(v);
  if (polyhedra_span(l, value, &least, &most) && least < 0)
    value->base = least;
}

static void move_list(arena *a, polyhedra *l, const linear *value, int n)
{
  polyhedra moved = { 0 };
  for (int i = 0; i < l->n; i++) {
    polyhedron *p = polyhedron_new(a, n);
    polyhedron_include(a, p, l->item[i], value, n);
    p->open = p->open || l->item[i]->open;
    polyhedra_add(a, &moved, p);
  }
  *l = moved;
}

/* Its loops, and what runs there. */
static void move_access(normal_form *f, access *x, linear (*value)[CDAG_RANK])
{
  linear all[POLYHEDRON_VARS];
  int rank = f->array[x->from].rank, n = x->where->vars;
  polyhedra one = { 0 };
  polyhedra_add(&f->memory, &one, x->where);
  for (int v = 0; v < n; v++)
    if (v < rank)
      all[v] = value[x->from][v];
    else
      from_least(&one, v, &all[v]);
  for (int r = 0; r < f->array[x->to].rank; r++) {
    linear index;
    if (!linear_substitute(&x->index[r], all, n, 0, &index))
      return; /* numbers that large are no indices, and within() will say so */
    index.base -= value[x->to][r].base;
    x->index[r] = index;
  }
  move_list(&f->memory, &one, all, n);
  x->where = one.item[0];
}

void coq_from_zero(normal_form *f)
{
  linear(*value)[CDAG_RANK] = arena_new(&f->memory, (size_t)f->arrays, sizeof *value);
  bool below = false;
  for (int x = 0; x < f->arrays; x++)
    for (int r = 0; r < f->array[x].rank; r++) {
      from_least(&f->array[x].domain, r, &value[x][r]);
      below = below || value[x][r].base < 0;
    }
  for (int i = 0; i < f->accesses; i++)
    if (below || f->access[i]->where->vars > f->array[f->access[i]->from].rank)
      move_access(f, f->access[i], value);
  for (int x = 0; x < f->arrays && below; x++) {
    array_form *form = &f->array[x];
    polyhedra *of[] = { &form->domain, &form->inputs, &form->computed, &form->outputs, &form->live };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
      move_list(&f->memory, of[i], value[x], form->rank);
  }
}


/* Indices from 0 to the largest there is. */
static bool span_box(const polyhedra *l, int from, int vars, coq_box *b)
{
  b->n = vars;
  for (int v = from; v < vars; v++) {
    linear x = linear_variable(v);
    int64_t least, most;
    if (!polyhedra_span(l, &x, &least, &most) || least < 0 || most >= INT64_MAX / 2)
      return false;
    b->size[v] = most + 1;
  }
  return true;
}

static bool read_array(coq_text *t, int x)
{
  array_form *form = &t->form.array[x];
  bool good = form->known && form->whole && !form->outputs_missing && form->domain.n > 0 &&
              span_box(&form->domain, 0, form->rank, &t->box[x]);
  t->piece[x] = ARENA_NEW(&t->form.memory, coq_forms, (size_t)form->domain.n + 1);
  for (int i = 0; i < form->domain.n && good; i++)
    good = coq_forms_beyond(&t->form.memory, &t->box[x], form->domain.item[i], &t->piece[x][i]);
  for (int i = 0; i < form->outputs.n && good; i++) {
    t->output = arena_room(&t->form.memory, t->output, t->outputs, &t->room, sizeof *t->output);
    t->output[t->outputs] = (coq_forms){ 0 };
    good = coq_forms_beyond(&t->form.memory, &t->box[x], form->outputs.item[i], &t->output[t->outputs++]);
  }
  return good;
}

static bool is_multiple(const linear *f, int v) { return f->coef[v] > 1 || f->coef[v] < -1; }

/* On all of p f is the same without multiples of variables that have one value there, or that an equality tells.  A
   variable that stands alone tells a reader's loop and stays. */
static void tell_less(const polyhedron *p, linear *f)
{
  for (int v = 0; v < p->vars; v++) {
    linear x = linear_variable(v), less = *f;
    int64_t lo, hi;
    if (is_multiple(f, v) && polyhedron_span(p, &x, &lo, &hi) && lo == hi) {
      x.base = -lo;
      if (linear_add(&less, &x, -f->coef[v]))
        *f = less;
    }
  }
  for (int i = 0; i < p->n; i++) {
    const linear *e = &p->row[i].form;
    int v = POLYHEDRON_VARS - 1;
    while (v >= 0 && e->coef[v] != 1 && e->coef[v] != -1)
      v--;
    linear less = *f;
    if (p->row[i].equal && !p->row[i].defines && v >= 0 && is_multiple(f, v) &&
        linear_add(&less, e, -f->coef[v] * e->coef[v]))
      *f = less;
  }
}

void coq_access_index(const access *a, int n, linear *index)
{
  for (int r = 0; r < n; r++) {
    index[r] = a->index[r];
    tell_less(a->where, &index[r]);
  }
}

/* The same points, said without multiples of variables that have one value. */
static polyhedron *said_with_less(arena *a, const polyhedron *p)
{
  polyhedron *less = polyhedron_new(a, p->vars);
  bool same = !p->open;
  for (int i = 0; i < p->n && same; i++) {
    linear f = p->row[i].form;
    same = !p->row[i].defines;
    if (!p->row[i].equal)
      tell_less(p, &f);
    polyhedron_add(a, less, &f, p->row[i].equal);
  }
  for (int i = 0; i < p->n && same; i++)
    same = polyhedron_implies(less, &p->row[i].form, p->row[i].equal);
  return same && !less->open ? less : polyhedron_copy(a, p);
}

static bool read_access(coq_text *t, int i)
{
  access *a = t->form.access[i];
  coq_access_index(a, t->form.array[a->to].rank, a->index);
  a->where = said_with_less(&t->form.memory, a->where);
  polyhedra one = { 0 };
  polyhedra_add(&t->form.memory, &one, a->where);
  t->loops[i] = t->box[a->from];
  return a->through == BY_ITSELF && span_box(&one, t->box[a->from].n, a->where->vars, &t->loops[i]) &&
         coq_forms_beyond(&t->form.memory, &t->loops[i], a->where, &t->where[i]);
}

bool coq_text_read(coq_text *t, const cdag *g)
{
  *t = (coq_text){ 0 };
  if (g->graph)
    return false;
  normal_form_init(&t->form, g);
  if (t->form.accesses > ACCESSES_MOST)
    return false;
  coq_from_zero(&t->form);
  arena *a = &t->form.memory;
  size_t arrays = (size_t)t->form.arrays, accesses = (size_t)t->form.accesses;
  t->box = ARENA_NEW(a, coq_box, arrays);
  t->piece = ARENA_NEW(a, coq_forms *, arrays);
  t->loops = ARENA_NEW(a, coq_box, accesses + 1);
  t->where = ARENA_NEW(a, coq_forms, accesses + 1);
  for (int x = 0; x < t->form.arrays; x++)
    if (!read_array(t, x))
      return false;
  for (int i = 0; i < t->form.accesses; i++)
    if (!read_access(t, i))
      return false;
  t->output_of = ARENA_NEW(a, int, (size_t)t->outputs + 1);
  for (int x = 0, o = 0; x < t->form.arrays; x++)
    for (int i = 0; i < t->form.array[x].outputs.n; i++)
      t->output_of[o++] = x;
  return true;
}

void coq_text_clear(coq_text *t)
{
  if (t->form.g)
    normal_form_clear(&t->form);
}

/* ---- writing ---- */

void coq_put_form(const linear *f, int vars, text *out)
{
  int n = vars;
  while (n > 0 && !f->coef[n - 1])
    n--;
  text_printf(out, "(%" PRId64 ", [::", f->base);
  for (int v = 0; v < n; v++)
    text_printf(out, "%s %" PRId64, v ? ";" : "", f->coef[v]);
  text_add(out, "])");
}

void coq_put_forms(const coq_forms *l, int vars, text *out)
{
  text_add(out, "[::");
  for (int i = 0; i < l->n; i++) {
    text_add(out, i ? "; " : " ");
    coq_put_form(&l->item[i], vars, out);
  }
  text_add(out, "]%Z");
}

void coq_put_linears(const linear *f, int n, int vars, text *out)
{
  coq_forms l = { .n = n, .item = (linear *)f };
  coq_put_forms(&l, vars, out);
}

static void put_extents(const coq_box *b, int from, text *out)
{
  text_add(out, "[::");
  for (int v = from; v < b->n; v++)
    text_printf(out, "%s %" PRId64, v > from ? ";" : "", b->size[v]);
  text_add(out, "]%num");
}

static void put_access(const coq_text *t, int i, text *out)
{
  const access *a = t->form.access[i];
  coq_forms index = { .n = t->box[a->to].n, .item = (linear *)a->index };
  text_printf(out, "Affine.Access %d%%nat %d%%nat ", a->from, a->to);
  put_extents(&t->loops[i], t->box[a->from].n, out);
  text_char(out, ' ');
  coq_put_forms(&t->where[i], t->loops[i].n, out);
  text_char(out, ' ');
  coq_put_forms(&index, t->loops[i].n, out);
}

void coq_text_put(const coq_text *t, text *out)
{
  text_add(out, "Affine.Text\n  [::");
  for (int x = 0; x < t->form.arrays; x++) {
    text_add(out, x ? ";\n      (" : " (");
    put_extents(&t->box[x], 0, out);
    text_add(out, ", [::");
    for (int i = 0; i < t->form.array[x].domain.n; i++) {
      text_add(out, i ? "; " : " ");
      coq_put_forms(&t->piece[x][i], t->box[x].n, out);
    }
    text_add(out, "])");
  }
  text_add(out, "]\n  [::");
  for (int i = 0; i < t->form.accesses; i++) {
    text_add(out, i ? ";\n      " : " ");
    put_access(t, i, out);
  }
  text_add(out, "]\n  [::");
  for (int o = 0; o < t->outputs; o++) {
    text_printf(out, "%s(%d%%nat, ", o ? "; " : " ", t->output_of[o]);
    coq_put_forms(&t->output[o], t->box[t->output_of[o]].n, out);
    text_char(out, ')');
  }
  text_add(out, "]");
}
