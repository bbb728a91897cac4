#include "cdag/unite.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/random.h"
#include "cdag/cdag_internal.h"
#include "cdag/polyhedral/normal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const cdag *g;
  normal_form form;
  cdag_united *u;
  const char *rule;            /* of the whole, and what is put out of it */
  char lifted[CDAG_NAME];      /* the name of an index that the first slice has not */
} uniter;

const cdag_slice *cdag_slice_of(const cdag_united *u, int array)
{
  for (int k = 0; k < u->slices; k++)
    if (u->slice[k].array == array)
      return &u->slice[k];
  return NULL;
}

static const cdag_array *whole_of(const uniter *w) { return &w->g->array[w->u->slice[0].array]; }

/* ---- the space ---- */

static const polyhedron *domain_of(const uniter *w, int array)
{
  const array_form *a = &w->form.array[array];
  return a->known && a->whole && a->domain.n == 1 && a->domain.item[0]->vars == a->rank ? a->domain.item[0] : NULL;
}

/* One rule for all of its elements, of which none is an input. */
static bool may_unite(const uniter *w, int array)
{
  const cdag_array *a = &w->g->array[array];
  return a->terms > 0 && a->count > 0 && !a->declared_input && w->g->priv->piece[array].n == 0 &&
         domain_of(w, array) != NULL;
}

/* The indices of the whole, in the place of these elements of the slice. */
static polyhedron *space_of(uniter *w, const cdag_slice *s, const polyhedron *on)
{
  int rank = w->u->rank, own = w->g->array[s->array].rank;
  linear value[CDAG_RANK];
  bool given[CDAG_RANK] = { false };
  polyhedron *p = polyhedron_new(&w->form.memory, rank);
  for (int q = 0; q < rank; q++) {
    linear x = linear_variable(q), c = linear_constant(s->value[q]);
    if (s->at[q] < 0)
      polyhedron_same(&w->form.memory, p, &x, &c);
    else if (given[s->at[q]])
      polyhedron_same(&w->form.memory, p, &x, &value[s->at[q]]);
    else {
      value[s->at[q]] = x;
      given[s->at[q]] = true;
    }
  }
  for (int v = 0; v < own; v++) {
    const cdag_box *hull = &w->g->array[s->array].hull;
    if (!given[v] && hull->hi[v] - hull->lo[v] != 1)
      return NULL;
    if (!given[v])
      value[v] = linear_constant(hull->lo[v]);
  }
  polyhedron_include(&w->form.memory, p, on, value, own);
  return p;
}

static polyhedron *slice_space(uniter *w, int k)
{
  const cdag_slice *s = &w->u->slice[k];
  return space_of(w, s, domain_of(w, s->array));
}

/* The space of all slices, where it is one and they have nothing in common. */
static polyhedron *whole_space(uniter *w)
{
  polyhedron *all = slice_space(w, 0);
  for (int k = 1; k < w->u->slices && all; k++) {
    polyhedron *one = slice_space(w, k);
    if (!one)
      return NULL;
    polyhedron *both = polyhedron_copy(&w->form.memory, all);
    polyhedron_meet(&w->form.memory, both, one, w->u->rank);
    all = polyhedron_empty(both) ? polyhedron_join(&w->form.memory, all, one) : NULL;
  }
  return all ? polyhedron_tidy(&w->form.memory, all) : NULL;
}

/* ---- its text ---- */

static const char *name_at(const uniter *w, int q)
{
  const cdag_slice *s = &w->u->slice[0];
  return s->at[q] < 0 ? w->lifted : w->g->array[s->array].var[s->at[q]];
}

static void print_form(const uniter *w, const linear *f, text *out)
{
  const char *name[CDAG_RANK];
  for (int q = 0; q < w->u->rank; q++)
    name[q] = name_at(w, q);
  linear_print(f, name, w->u->rank, out);
}

/* The greatest of the lower ends, or the least of the upper ones, that rows say whose last variable is r. */
static bool print_end(const uniter *w, const polyhedron *p, int r, bool hi, text *out)
{
  SCOPED_TEXT ends = { 0 };
  linear end, x = linear_variable(r);
  int n = 0;
  bool good = true;
  for (int i = 0; i < p->n; i++)
    if (constraint_end(&p->row[i], r, hi, &end, &good)) {
      text_add(&ends, n++ ? ", " : "");
      print_form(w, &end, &ends);
    }
  if (n == 0) {
    int64_t value = 0;
    good = hi ? polyhedron_most(p, &x, &value) : polyhedron_least(p, &x, &value);
    text_printf(&ends, "%lld", (long long)(value + hi));
  }
  text_printf(out, n > 1 ? "%s(%s)" : "%s%s", n > 1 ? hi ? "min" : "max" : "", text_str(&ends));
  return good;
}

static bool print_space(const uniter *w, const polyhedron *p, text *out)
{
  bool good = !p->open && p->vars == w->u->rank;
  text_printf(out, "%s[", whole_of(w)->name);
  for (int r = 0; r < p->vars && good; r++) {
    text_printf(out, "%s%s:", r ? ", " : "", name_at(w, r));
    good = print_end(w, p, r, false, out);
    text_add(out, "..");
    good = print_end(w, p, r, true, out) && good;
  }
  text_char(out, ']');
  return good;
}

/* ---- its rule ---- */

/* The loops of a slice under the names of the whole. */
static void rename_loops(const uniter *w, const cdag_slice *s, expr *e)
{
  int v = e->slot - w->g->params, q = 0;
  for (int i = 0; i < e->nargs; i++)
    rename_loops(w, s, e->arg[i]);
  if (e->op != EXPR_SLOT || v < 0)
    return;
  while (q < w->u->rank && s->at[q] != v)
    q++;
  mem_free(e->name);
  e->name = q < w->u->rank ? mem_text(name_at(w, q)) : NULL;
  if (!e->name) {
    e->op = EXPR_CONST;
    e->value = s->own[v];
  }
}

/* What tells the slice's elements from the others: `i == j && k == -1`, or nothing where no equality does. */
static void print_place(const uniter *w, const cdag_slice *s, text *out)
{
  for (int q = 0; q < w->u->rank; q++) {
    int first = 0;
    while (s->at[q] >= 0 && s->at[first] != s->at[q])
      first++;
    if (s->at[q] >= 0 && first == q)
      continue;
    text_printf(out, "%s%s == ", out->n ? " && " : "", name_at(w, q));
    if (s->at[q] < 0)
      text_printf(out, "%lld", (long long)s->value[q]);
    else
      text_add(out, name_at(w, first));
  }
}

static void print_place_of(const uniter *w, const cdag_slice *s, const polyhedron *space, text *out)
{
  print_place(w, s, out);
  for (int i = 0; i < space->n && !out->n; i++)
    if (space->row[i].equal) {
      print_form(w, &space->row[i].form, out);
      text_add(out, " == 0");
    }
}

/* Of a slice, what is read of the whole: its index is one of the term's, or a constant. */
static bool print_of_whole(const cdag_view *v, int array, const cdag_term *t, text *out)
{
  const uniter *w = v->own;
  const cdag_slice *s = cdag_slice_of(w->u, t->array);
  (void)array;
  if (!s)
    return false;
  text_add(out, whole_of(w)->name);
  for (int q = 0; q < w->u->rank; q++) {
    text_char(out, q ? ',' : '[');
    if (s->at[q] >= 0)
      cdag_print_index(out, t, s->at[q]);
    else
      text_printf(out, "%lld", (long long)s->value[q]);
  }
  text_char(out, ']');
  cdag_print_condition(out, t);
  return true;
}

static int parts_of(const cdag_view *v, int array)
{
  const cdag_slice *s = cdag_slice_of(((const uniter *)v->own)->u, array);
  return !s || s == ((const uniter *)v->own)->u->slice;
}

static bool print_whole(const cdag_view *v, int array, int part, text *out)
{
  const uniter *w = v->own;
  (void)part;
  if (cdag_slice_of(w->u, array))
    text_add(out, w->rule);
  return cdag_slice_of(w->u, array) != NULL;
}

static bool is_told(const cdag_view *v, const cdag_selection *s, int part)
{
  (void)part;
  return !cdag_slice_of(((const uniter *)v->own)->u, s->array);
}

static cdag_view view_of(uniter *w)
{
  return (cdag_view){ .own = w, .parts = parts_of, .rule = print_whole, .term = print_of_whole, .puts_out = is_told };
}

/* A slice's terms in the indices of the whole, one in a line, but for those of array `without`. */
static void print_terms(uniter *w, const cdag_slice *s, int without, text *out)
{
  const cdag_array *a = &w->g->array[s->array];
  cdag_view view = view_of(w);
  for (int t = 0; t < a->terms; t++) {
    cdag_term own = a->term[t];
    if (own.array == without)
      continue;
    for (int r = 0; r < w->g->array[own.array].rank; r++) {
      cdag_index *x = &own.index[r];
      x->lo = x->lo ? expr_copy(x->lo) : NULL;
      x->hi = x->hi ? expr_copy(x->hi) : NULL;
      if (x->lo)
        rename_loops(w, s, x->lo);
      if (x->hi)
        rename_loops(w, s, x->hi);
    }
    cdag_print_terms(out, w->g, s->array, 0, &own, 1, "", &view);
    text_char(out, '\n');
    for (int r = 0; r < w->g->array[own.array].rank; r++) {
      expr_free(own.index[r].lo);
      expr_free(own.index[r].hi);
    }
  }
}

/* Each line of `terms` that is not in the rule yet, under the condition where there is one, but not line `skipped`. */
static void add_terms(const char *terms, const char *condition, uint32_t skipped, text *rule)
{
  for (int k = 0; *terms; k++) {
    size_t n = strcspn(terms, "\n");
    char *one = mem_text_n(terms, n);
    if (!(k < 32 && (skipped >> k & 1)) && !strstr(text_str(rule), one)) {
      text_printf(rule, "%s%s", rule->n ? ", " : "", one);
      if (condition[0])
        text_printf(rule, strstr(one, " if ") ? " && %s" : " if %s", condition);
    }
    mem_free(one);
    terms += n + 1;
  }
}

/* ---- what is put out ---- */

/* Where what a slice puts out lies in the whole.  False: it cannot be said. */
static bool print_outputs(uniter *w, bool all, text *out)
{
  bool good = true;
  for (int k = 0; k < w->u->slices && !all; k++) {
    const cdag_slice *s = &w->u->slice[k];
    const array_form *a = &w->form.array[s->array];
    good = good && !a->outputs_missing;
    for (int i = 0; i < a->outputs.n && good; i++) {
      text_add(out, "output ");
      good = print_space(w, polyhedron_tidy(&w->form.memory, space_of(w, s, a->outputs.item[i])), out);
      text_char(out, '\n');
    }
  }
  return good;
}

/* ---- tried on elements ---- */

typedef struct {
  const uniter *w;
  const cdag *g;               /* whose elements are read */
  uint64_t *id;
  size_t n, room;
} listing;

/* The number, in the new computation, of an element of the old one; false: it has none. */
static bool new_id(const uniter *w, const cdag_element *e, uint64_t *id)
{
  const cdag_slice *s = cdag_slice_of(w->u, e->array);
  int array = cdag_find_array(w->u->g, s ? whole_of(w)->name : w->g->array[e->array].name);
  int64_t x[CDAG_RANK] = { 0 };
  for (int q = 0; q < w->u->g->array[array].rank; q++)
    x[q] = !s ? e->x[q] : s->at[q] >= 0 ? e->x[s->at[q]] : s->value[q];
  if (!cdag_exists(w->u->g, array, x))
    return false;
  *id = cdag_id(w->u->g, array, x);
  return true;
}

static bool add_read(void *context, const cdag_element *e, int term)
{
  listing *r = context;
  uint64_t id = 0;
  (void)term;
  bool good = r->n < 4096;
  if (r->g == r->w->g)
    good = good && new_id(r->w, e, &id);
  else
    id = cdag_id(r->g, e->array, e->x);
  if (!good)
    return false;
  r->id = mem_room(r->id, r->n, &r->room, sizeof *r->id);
  r->id[r->n++] = id;
  return true;
}

static bool alike(const uniter *w, const cdag_element *e)
{
  listing old = { .w = w, .g = w->g }, new = { .w = w, .g = w->u->g };
  cdag_element to;
  uint64_t id;
  bool good = new_id(w, e, &id);
  if (good)
    cdag_at(w->u->g, id, &to);
  good = good && cdag_is_output(w->g, e->array, e->x) == cdag_is_output(w->u->g, to.array, to.x) &&
         cdag_each_predecessor(w->g, e->array, e->x, add_read, &old) &&
         cdag_each_predecessor(w->u->g, to.array, to.x, add_read, &new) && old.n == new.n;
  if (good && old.n) {
    qsort(old.id, old.n, sizeof *old.id, num_by_size);
    qsort(new.id, new.n, sizeof *new.id, num_by_size);
    good = memcmp(old.id, new.id, old.n * sizeof *old.id) == 0;
  }
  mem_free(old.id);
  mem_free(new.id);
  return good;
}

/* Each index near an end of its range, or anywhere in it. */
static bool pick_element(random_source *r, const cdag *g, int array, cdag_element *e)
{
  *e = (cdag_element){ .array = array };
  for (int q = 0; q < g->array[array].rank; q++) {
    int64_t lo, hi;
    cdag_range(g, array, q, e->x, &lo, &hi);
    if (lo >= hi)
      return false;
    uint64_t way = random_below(r, 6), size = (uint64_t)(hi - lo), near = random_below(r, 2);
    near = near < size ? near : 0;
    e->x[q] = way < 2 ? lo + (int64_t)near
              : way < 4 ? hi - 1 - (int64_t)near : lo + (int64_t)random_below(r, size);
  }
  return true;
}

static bool tried(const uniter *w)
{
  enum { TRIES = 200 };
  random_source r = { 1 };
  bool good = true;
  for (int a = 0; a < w->g->arrays && good; a++)
    for (int k = 0; k < TRIES && good && w->g->array[a].terms; k++) {
      cdag_element e;
      good = !pick_element(&r, w->g, a, &e) || alike(w, &e);
    }
  return good;
}

/* The index along which the array reads itself one step back, or -1. */
static int chain_of(const cdag *g, int array)
{
  const cdag_array *a = &g->array[array];
  int found = -1;
  for (int t = 0; t < a->terms; t++) {
    int moved = -1, many = 0;
    if (a->term[t].array != array)
      continue;
    for (int r = 0; r < a->rank; r++)
      if (a->term[t].index[r].var != r || a->term[t].index[r].base != 0) {
        moved = a->term[t].index[r].var == r && a->term[t].index[r].base == -1 ? r : -1;
        many++;
      }
    if (many == 1 && moved >= 0 && found < 0)
      found = moved;
    else
      return -1;
  }
  return found;
}

/* ---- one try ---- */

static bool open_whole(uniter *w, const text *rule)
{
  w->rule = text_str(rule);
  cdag_view view = view_of(w);
  w->u->g = cdag_view_open(w->g, &view, NULL, NULL);
  if (w->u->g && !tried(w)) {
    cdag_free(w->u->g);
    w->u->g = NULL;
  }
  return w->u->g != NULL;
}

/* Does the second slice hold the values that the first one's sums begin with? */
static bool begins_sums(uniter *w)
{
  int c = chain_of(w->g, w->u->slice[0].array), rank = w->u->rank;
  linear next[CDAG_RANK];
  if (w->u->slices == 1 || c < 0)
    return false;
  polyhedron *p = polyhedron_copy(&w->form.memory, slice_space(w, 1));
  for (int q = 0; q < rank; q++) {
    next[q] = linear_variable(q);
    next[q].base = q == c;
  }
  polyhedron_include(&w->form.memory, p, domain_of(w, w->u->slice[0].array), next, rank);
  return !polyhedron_empty(p);
}

typedef struct { text head, outputs, first, second, place; } rules;

/* The first slice's rule, and of the second's terms those that are not skipped. */
static bool try_rule(uniter *w, const rules *r, uint32_t skipped)
{
  SCOPED_TEXT rule = { 0 }, body = { 0 };
  add_terms(text_str(&r->first), "", 0, &body);
  add_terms(text_str(&r->second), text_str(&r->place), skipped, &body);
  text_printf(&rule, "%s = %s\n%s", text_str(&r->head), text_str(&body), text_str(&r->outputs));
  return open_whole(w, &rule);
}

/* With as few of the second's terms as will do. */
static bool try_terms(uniter *w, const rules *r, int terms)
{
  uint32_t skipped = 0;
  cdag *good = NULL;
  if (!r->place.n || terms >= 32 || !try_rule(w, r, 0))
    return false;
  good = w->u->g;
  for (int k = 0; k < terms; k++)
    if (try_rule(w, r, skipped | 1u << k)) {
      cdag_free(good);
      good = w->u->g;
      skipped |= 1u << k;
    }
  w->u->g = good;
  return true;
}

/* Where sums begin with the second slice, it may read more than the first; and, if that will do, the sum's own step
   reads it, not the terms that are there for it. */
static bool try_rules(uniter *w, rules *r, bool begin)
{
  const cdag_slice *s = w->u->slice;
  for (int without = begin; without >= 0; without--) {
    text_clear(&r->first);
    text_clear(&r->second);
    print_terms(w, &s[0], without ? s[1].array : -1, &r->first);
    if (try_rule(w, r, 0))
      return true;
    if (begin)
      print_terms(w, &s[1], -1, &r->second);
    if (begin && try_terms(w, r, w->g->array[s[1].array].terms))
      return true;
  }
  return false;
}

static bool try_slices(uniter *w)
{
  polyhedron *space = whole_space(w);
  rules r = { .head = { 0 } };
  bool all = true;
  for (int k = 0; k < w->u->slices; k++)
    all = all && w->g->array[w->u->slice[k].array].declared_output;
  text_add(&r.head, all ? "output " : "");
  if (space && print_space(w, space, &r.head) && print_outputs(w, all, &r.outputs)) {
    bool begin = begins_sums(w);
    if (begin)
      print_place_of(w, &w->u->slice[1], slice_space(w, 1), &r.place);
    try_rules(w, &r, begin);
  }
  text *all_of[] = { &r.head, &r.outputs, &r.first, &r.second, &r.place };
  for (int k = 0; k < 5; k++)
    text_clear(all_of[k]);
  return w->u->g != NULL;
}

/* ---- all tries ---- */

/* Variables of the slice that stand at no index before q yet, and must. */
static int variables_left(const uniter *w, const cdag_slice *s, int q)
{
  const cdag_array *a = &w->g->array[s->array];
  int n = 0;
  for (int v = 0; v < a->rank; v++) {
    bool stands = a->hull.hi[v] - a->hull.lo[v] == 1;
    for (int k = 0; k < q; k++)
      stands = stands || s->at[k] == v;
    n += !stands;
  }
  return n;
}

/* Every way to say the indices of the whole by those of a slice, from index q on; a sum's own index may be the
   constant before its first. */
static bool try_indices(uniter *w, int q, int chain)
{
  cdag_slice *s = &w->u->slice[1];
  const cdag_array *a = whole_of(w);
  if (variables_left(w, s, q) > a->rank - q)
    return false;
  if (q == a->rank)
    return try_slices(w);
  for (int v = 0; v < w->g->array[s->array].rank; v++) {
    s->at[q] = v;
    if (try_indices(w, q + 1, chain))
      return true;
  }
  s->at[q] = -1;
  s->value[q] = a->hull.lo[q] - 1;
  return q == chain && try_indices(w, q + 1, chain);
}

static void all_indices(const uniter *w, cdag_slice *s, int array)
{
  *s = (cdag_slice){ .array = array };
  if (s == w->u->slice)
    w->u->rank = w->g->array[array].rank;
  for (int q = 0; q < w->g->array[array].rank; q++) {
    s->at[q] = q;
    s->own[q] = w->g->array[array].hull.lo[q];
  }
}

static bool ranges_use(const cdag *g, int array, int c)
{
  const cdag_array *a = &g->array[array];
  for (int r = c + 1; r < a->rank; r++)
    if (expr_uses(a->lo[r], g->params + c, g->params + c + 1) || expr_uses(a->hi[r], g->params + c, g->params + c + 1))
      return true;
  return false;
}

/* A sum's own index last, so that its range is said by those that the sum stands at. */
static bool try_order(uniter *w, int array)
{
  int c = chain_of(w->g, array), rank = w->g->array[array].rank;
  if (c < 0 || !ranges_use(w->g, array, c))
    return false;
  w->u->slices = 1;
  all_indices(w, &w->u->slice[0], array);
  for (int q = c; q < rank; q++)
    w->u->slice[0].at[q] = q + 1 < rank ? q + 1 : c;
  return try_slices(w);
}

static bool reads(const cdag *g, int array, int of)
{
  for (int t = 0; t < g->array[array].terms; t++)
    if (g->array[array].term[t].array == of)
      return true;
  return false;
}

/* Does b read nothing but what a does, or begin its sums? */
static bool may_follow(const cdag *g, int a, int b)
{
  bool all = true;
  for (int t = 0; t < g->array[b].terms; t++) {
    int of = g->array[b].term[t].array;
    all = all && (of == a || of == b || reads(g, a, of));
  }
  return all || reads(g, a, b);
}

static bool try_pair(uniter *w, int a, int b)
{
  int rank = w->g->array[a].rank, own = w->g->array[b].rank;
  if (rank < own || rank > own + 1 || w->g->array[b].count < 2 || !may_follow(w->g, a, b))
    return false; /* one word is soon loaded again */
  w->u->slices = 2;
  all_indices(w, &w->u->slice[0], a);
  all_indices(w, &w->u->slice[1], b);
  return try_indices(w, 0, chain_of(w->g, a));
}

/* ---- borders: an index more ---- */

/* Is all that the array reads of itself, more than once, some way off in each index? */
static bool is_stencil(const cdag *g, int array)
{
  const cdag_array *a = &g->array[array];
  int own = 0;
  for (int t = 0; t < a->terms; t++) {
    bool apart = a->term[t].array == array;
    for (int r = 0; r < a->rank && apart; r++) {
      cdag_passed p;
      apart = cdag_passes(g, array, &a->term[t], r, &p) && p.v == r && p.sign > 0;
    }
    own += apart;
  }
  return own > 1;
}

/* Of a read: the one variable of the reader that is no index of what it reads, if each other one is; else -1. */
static int variable_missing(const cdag *g, int array, int t)
{
  const cdag_term *term = &g->array[array].term[t];
  uint32_t left = (1u << g->array[array].rank) - 1;
  for (int r = 0; r < g->array[term->array].rank; r++) {
    cdag_passed p;
    if (!cdag_passes(g, array, term, r, &p) || p.sign < 0 || !(left >> p.v & 1))
      return -1;
    left &= ~(1u << p.v);
  }
  return __builtin_popcount(left) == 1 ? __builtin_ctz(left) : -1;
}

/* That variable has one value where the stencil reads its border: the border's own is beside it, outside. */
static bool border_place(const uniter *w, int array, int t, int v, int64_t *at)
{
  const cdag_box *hull = &w->g->array[array].hull;
  linear x = linear_variable(v);
  bool any = false;
  for (int i = 0; i < w->form.accesses; i++) {
    const access *read = w->form.access[i];
    int64_t least, most;
    if (read->from != array || read->term != t)
      continue;
    if (any || !polyhedron_span(read->where, &x, &least, &most) || least != most)
      return false;
    any = true;
    *at = least == hull->lo[v] ? least - 1 : least + 1;
    if (least != hull->lo[v] && least != hull->hi[v] - 1)
      return false;
  }
  return any;
}

/* A row of words through time, which a stencil reads at its border (`W[t-1,i] if j == 1`), is a border of its space:
   W[t,i,0]. */
static bool try_border(uniter *w, int array, int t)
{
  int64_t beside;
  int of = w->g->array[array].term[t].array, v = variable_missing(w->g, array, t);
  if (of == array || w->g->array[of].rank + 1 != w->g->array[array].rank || v < 0 || !may_unite(w, of) ||
      !is_stencil(w->g, array) || !border_place(w, array, t, v, &beside))
    return false;
  w->u->slices = 1;
  cdag_slice *s = &w->u->slice[0];
  all_indices(w, s, of);
  for (int q = w->u->rank++; q > v; q--)
    s->at[q] = s->at[q - 1];
  s->at[v] = -1;
  s->value[v] = beside;
  snprintf(w->lifted, sizeof w->lifted, "border");
  return try_slices(w);
}

bool cdag_unite(const cdag *g, cdag_united *u)
{
  uniter w = { .g = g, .u = u };
  *u = (cdag_united){ 0 };
  if (g->graph)
    return false;
  normal_form_ends(&w.form, g);
  for (int a = 0; a < g->arrays && !u->g; a++)
    if (may_unite(&w, a))
      try_order(&w, a);
  for (int a = 0; a < g->arrays && !u->g; a++)
    for (int t = 0; t < g->array[a].terms && !u->g; t++)
      try_border(&w, a, t);
  for (int a = 0; a < g->arrays && !u->g; a++)
    for (int b = 0; b < g->arrays && !u->g; b++)
      if (a != b && may_unite(&w, a) && may_unite(&w, b))
        try_pair(&w, a, b);
  normal_form_clear(&w.form);
  return u->g != NULL;
}

void cdag_united_clear(cdag_united *u)
{
  cdag_free(u->g);
  *u = (cdag_united){ 0 };
}
