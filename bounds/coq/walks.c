#include "bounds/coq/walks.h"
#include <inttypes.h>
#include <string.h>

/* Unknowns of a walk, how often and what runs, stand before the box's variables. */
enum { UNKNOWNS = 12, WAYS = 128, ENDS_MOST = 3000, NEAR = 2 };

typedef struct {
  int access, first, n;        /* unknowns */
  bool often;
} walk_link;

typedef struct {
  const coq_walk *w, *end;     /* end: says where it may end */
  const coq_text *t;
  arena *memory;
  bool *reaches;               /* of each array: does a read lead on to the end's? */
  int links, unknowns, array, ends;
  walk_link link[WALK_LINKS];
  linear at[CDAG_RANK];
  coq_forms asked;
  coq_cases cases;
  coq_case item[WAYS];
} walking;

bool coq_form_same(const coq_box *b, const coq_forms *known, const linear *f, const linear *g)
{
  linear more = *f, fewer = *g;
  return linear_add(&more, g, -1) && linear_add(&fewer, f, -1) && coq_implies(b, known, &more) &&
         coq_implies(b, known, &fewer);
}

bool coq_forms_moved(arena *a, const coq_forms *l, const linear *value, int n, coq_forms *moved)
{
  for (int i = 0; i < l->n; i++) {
    linear f;
    if (!linear_substitute(&l->item[i], value, n, 0, &f))
      return false;
    coq_forms_add(a, moved, &f);
  }
  return true;
}

bool coq_reads_there(const coq_text *t, int a)
{
  const access *x = t->form.access[a];
  const coq_box *b = &t->loops[a], *to = &t->box[x->to];
  bool there = false;
  for (int r = 0; r < to->n; r++) {
    linear last = linear_constant(to->size[r] - 1);
    if (!linear_add(&last, &x->index[r], -1) || !coq_implies(b, &t->where[a], &x->index[r]) ||
        !coq_implies(b, &t->where[a], &last))
      return false;
  }
  for (int i = 0; i < t->form.array[x->to].domain.n && !there; i++) {
    SCOPED_ARENA memory = { 0 };
    coq_forms moved = { 0 };
    there = coq_forms_moved(&memory, &t->piece[x->to][i], x->index, to->n, &moved) &&
            coq_implies_all(b, &t->where[a], &moved);
  }
  return there;
}

/* ---- forms that others tell ---- */

bool coq_tell_from(arena *a, const linear *f, int forms, const coq_box *b, const coq_forms *known, linear *value)
{
  int n = b->n;
  coq_unknowns *u = ARENA_NEW(a, coq_unknowns, 1);
  linear place[POLYHEDRON_VARS] = { 0 };
  u->n = n;
  for (int i = 0; i < forms; i++) {
    u->equation[u->equations] = f[i];
    u->equation[u->equations++].coef[n + i] -= 1;
  }
  for (int i = 0; i < known->n && u->equations < CDAG_RANK * 4; i++) { /* equalities among what is known */
    linear other = { 0 };
    linear_add(&other, &known->item[i], -1);
    for (int j = 0; j < i; j++)
      if (linear_equal(&known->item[j], &other))
        u->equation[u->equations++] = known->item[i];
  }
  for (int v = 0; v < n; v++)
    if (b->size[v] == 1)
      u->equation[u->equations++] = linear_variable(v);
  if (!coq_solve(u))
    return false;
  linear_variables(&place[n], forms, 0);
  for (int v = 0; v < n; v++) {
    if (!u->told[v] || !linear_substitute(&u->value[v], place, n + forms, 0, &value[v]))
      return false;
    for (int w = 0; w < n; w++)
      if (u->value[v].coef[w])
        return false;
  }
  return true;
}

bool coq_same_moved(const coq_box *b, const coq_forms *known, const linear *f, const linear *value, int n,
                    const linear *as)
{
  linear moved;
  return linear_substitute(f, value, n, 0, &moved) && coq_form_same(b, known, &moved, as);
}

bool coq_names_kept(const normal_form *f)
{
  int64_t least, most;
  for (int x = 0; x < f->arrays; x++)
    for (int r = 0; r < f->array[x].rank; r++) {
      linear v = linear_variable(r);
      if (!polyhedra_span(&f->array[x].domain, &v, &least, &most) || least < 0)
        return false;
    }
  return true;
}

/* ---- paths ---- */

bool coq_path_nodes(const coq_text *t, arena *a, const coq_box *loops, const coq_forms *where, int array,
                    const int *link, int links, coq_node *node)
{
  coq_node here = { .array = array };
  linear_variables(here.at, loops->n, 0);
  for (int l = 0; l < links; l++) {
    const access *x = t->form.access[link[l]];
    int rank = t->box[x->from].n;
    coq_forms asked = { 0 };
    if (x->from != here.array || t->loops[link[l]].n != rank || !coq_reads_there(t, link[l]) ||
        !coq_forms_moved(a, &t->where[link[l]], here.at, rank, &asked) || !coq_implies_all(loops, where, &asked))
      return false;
    node[l] = (coq_node){ .array = x->to };
    for (int r = 0; r < t->box[x->to].n; r++)
      if (!linear_substitute(&x->index[r], here.at, rank, 0, &node[l].at[r]))
        return false;
    here = node[l];
  }
  return links > 0;
}

bool coq_is_put_out(const coq_text *t, const coq_box *loops, const coq_forms *where, const coq_node *node)
{
  bool no = true;
  for (int o = 0; o < t->outputs && no; o++) {
    no = t->output_of[o] != node->array;
    for (int i = 0; i < t->output[o].n && !no; i++) {
      linear f, less = { .base = -1 };
      no = linear_substitute(&t->output[o].item[i], node->at, CDAG_RANK, 0, &f) && linear_add(&less, &f, -1) &&
           coq_implies(loops, where, &less);
    }
  }
  return !no;
}

/* ---- an element for each key ---- */

typedef struct {
  arena *memory;
  const coq_keyed *y;
  linear *first;
  bool found;
} witness;

static void keep_first(void *with, const coq_unknowns *u)
{
  witness *w = with;
  const coq_keyed *y = w->y;
  int n = y->loops->n, keys = y->keys->n;
  linear place[POLYHEDRON_VARS] = { 0 }, value[CDAG_RANK];
  coq_forms asked = { 0 };
  linear_variables(&place[n], keys, 0);
  for (int v = 0; v < n; v++) {
    linear last = linear_constant(y->loops->size[v] - 1);
    if (!linear_substitute(&u->value[v], place, n + keys, 0, &value[v]) || !linear_add(&last, &value[v], -1))
      return;
    coq_forms_add(w->memory, &asked, &value[v]);
    coq_forms_add(w->memory, &asked, &last);
  }
  if (w->found || !coq_forms_moved(w->memory, y->where, value, n, &asked) ||
      !coq_implies_all(y->keys, y->held, &asked))
    return;
  for (int q = 0; q < keys; q++) {
    linear x = linear_variable(q);
    if (!coq_same_moved(y->keys, y->held, &y->key[q], value, n, &x))
      return;
  }
  w->found = true;
  memcpy(w->first, value, sizeof value);
}

bool coq_find_first(arena *a, const coq_keyed *y, linear *first)
{
  coq_unknowns *u = ARENA_NEW(a, coq_unknowns, 1);
  witness w = { .memory = a, .y = y, .first = first };
  coq_trial trial = { .found = keep_first, .to = &w };
  u->n = y->loops->n;
  for (int q = 0; q < y->keys->n; q++) {
    u->equation[u->equations] = y->key[q];
    u->equation[u->equations++].coef[u->n + q] -= 1;
  }
  if (coq_add_limits(u, y->loops, y->where) && coq_solve(u))
    coq_try_limits(&trial, u);
  return w.found;
}

/* ---- the end of a walk ---- */

/* The form, whose unknowns have values, in the box's variables alone. */
static bool in_box(const walking *s, const coq_unknowns *u, const linear *f, linear *to)
{
  linear value[POLYHEDRON_VARS] = { 0 };
  memcpy(value, u->value, (size_t)u->n * sizeof *value);
  linear_variables(&value[UNKNOWNS], s->w->box->n, UNKNOWNS);
  linear told;
  if (!linear_substitute(f, value, UNKNOWNS + s->w->box->n, 0, &told))
    return false;
  linear_variables(&value[UNKNOWNS], s->w->box->n, 0);
  return linear_substitute(&told, value, UNKNOWNS + s->w->box->n, 0, to);
}

/* But for what the box says, and once. */
static void add_asked(const walking *s, const linear *f, coq_forms *asked)
{
  coq_forms none = { 0 };
  bool known = coq_implies(s->w->box, &none, f);
  for (int i = 0; i < asked->n && !known; i++)
    known = linear_equal(&asked->item[i], f);
  if (!known)
    coq_forms_add(s->memory, asked, f);
}

/* A walk that asks the same was found before. */
static bool is_found(const walking *s, const coq_forms *asked)
{
  for (int i = 0; i < s->cases.cases; i++) {
    const coq_forms *other = &s->item[i].asked;
    bool same = other->n == asked->n;
    for (int j = 0; j < asked->n && same; j++)
      same = linear_equal(&other->item[j], &asked->item[j]);
    if (same)
      return true;
  }
  return false;
}

/* Of the array where the walk is. */
static const linear *told_forms(const walking *s)
{
  return s->end->form_of ? s->end->form_of[s->array] : s->end->form;
}

/* The end is what it should be.  That two forms are the same somewhere in the midst is asked only of neighbours: near a
   border walks end, elsewhere such ends are many, and of no use. */
static bool ask_told(const walking *s, const linear *end, coq_forms *asked)
{
  const coq_box *b = s->w->box;
  for (int i = 0; i < s->end->told; i++) {
    linear more, fewer = s->end->value[i];
    if (!linear_substitute(&told_forms(s)[i], end, CDAG_RANK, 0, &more) || !linear_add(&fewer, &more, -1) ||
        !linear_add(&more, &s->end->value[i], -1))
      return false;
    if ((more.base > NEAR || more.base < -NEAR) && !coq_implies(b, &s->w->known, &more) &&
        !coq_implies(b, &s->w->known, &fewer))
      return false;
    add_asked(s, &more, asked);
    add_asked(s, &fewer, asked);
  }
  return true;
}

static void put_path(const walking *s, const coq_unknowns *u, text *out)
{
  text_add(out, "(Walks.Path [::");
  for (int i = 0; i < s->links; i++) {
    const walk_link *l = &s->link[i];
    linear value[POLYHEDRON_VARS];
    for (int v = 0; v < l->n; v++) {
      linear unknown = linear_variable(l->first + v);
      in_box(s, u, &unknown, &value[v]);
    }
    coq_forms forms = { .n = l->n, .item = value };
    text_printf(out, "%sWalks.%s %d%%nat ", i ? "; " : " ", l->often ? "Often" : "Once", l->access);
    if (l->often)
      coq_put_form(&value[0], s->w->box->n, out);
    else
      coq_put_forms(&forms, s->w->box->n, out);
    text_add(out, l->often ? "%Z" : "");
  }
  text_add(out, "])");
}

static void keep_walk(void *walking_at_hand, const coq_unknowns *u)
{
  walking *s = walking_at_hand;
  coq_case c = { 0 };
  linear end[CDAG_RANK], f;
  for (int i = 0; i < s->asked.n; i++)
    if (in_box(s, u, &s->asked.item[i], &f))
      add_asked(s, &f, &c.asked);
    else
      return;
  for (int r = 0; r < CDAG_RANK; r++)
    if (!in_box(s, u, &s->at[r], &end[r]))
      return;
  if (!ask_told(s, end, &c.asked) || !coq_forms_moved(s->memory, &s->end->there, end, CDAG_RANK, &c.asked) ||
      s->cases.cases == WAYS || is_found(s, &c.asked) || !coq_case_possible(&s->cases, &s->w->known, &c.asked))
    return;
  put_path(s, u, &c.leaf);
  s->item[s->cases.cases++] = c;
}

/* Values of unknowns for which the walk ends where it should. */
static void end_walk(walking *s)
{
  coq_unknowns *u = ARENA_NEW(s->memory, coq_unknowns, 1);
  coq_trial trial = { .found = keep_walk, .to = s };
  linear place[POLYHEDRON_VARS];
  u->n = s->unknowns;
  linear_variables(place, s->w->box->n, UNKNOWNS);
  for (int i = 0; i < s->end->told; i++) {
    linear value;
    if (!linear_substitute(&told_forms(s)[i], s->at, CDAG_RANK, 0, &u->equation[u->equations]) ||
        !linear_substitute(&s->end->value[i], place, s->w->box->n, 0, &value) ||
        !linear_add(&u->equation[u->equations++], &value, -1))
      return;
  }
  for (int i = 0; i < s->asked.n && u->limits < 2 * POLYHEDRON_VARS; i++)
    u->limit[u->limits++] = s->asked.item[i];
  s->ends++;
  if (coq_solve(u))
    coq_try_limits(&trial, u);
}

/* ---- the links ---- */

/* A form without unknowns that never holds ends a walk. */
static bool ask(walking *s, const linear *f)
{
  bool free = true;
  linear value[POLYHEDRON_VARS] = { 0 }, in;
  coq_forms one = { 0 };
  for (int v = 0; v < UNKNOWNS; v++)
    free = free && f->coef[v] == 0;
  coq_forms_add(s->memory, &s->asked, f);
  if (!free)
    return true;
  linear_variables(&value[UNKNOWNS], s->w->box->n, 0);
  if (!linear_substitute(f, value, UNKNOWNS + s->w->box->n, 0, &in))
    return false;
  coq_forms_add(s->memory, &one, &in);
  return coq_case_possible(&s->cases, &s->w->known, &one);
}

/* A constant way off: by how much each index is more. */
static bool shifts(const coq_text *t, int a, int64_t *by)
{
  const access *x = t->form.access[a];
  bool moves = false;
  if (x->from != x->to || t->loops[a].n != t->box[x->from].n)
    return false;
  for (int r = 0; r < t->box[x->from].n; r++) {
    linear more = x->index[r], v = linear_variable(r);
    if (!linear_add(&more, &v, -1) || !linear_is_constant(&more))
      return false;
    by[r] = more.base;
    moves = moves || by[r];
  }
  return moves;
}

/* So much off by another access, gone twice or more. */
static bool is_multiple(const coq_text *t, int a, const int64_t *by)
{
  int rank = t->box[t->form.access[a]->from].n;
  for (int o = 0; o < t->form.accesses; o++) {
    int64_t other[CDAG_RANK], times = 0;
    if (t->form.access[o]->from != t->form.access[a]->from || !shifts(t, o, other))
      continue;
    for (int r = 0; r < rank && times == 0; r++)
      times = other[r] ? by[r] / other[r] : 0;
    bool same = times > 1;
    for (int r = 0; r < rank; r++)
      same = same && by[r] == times * other[r];
    if (same)
      return true;
  }
  return false;
}

static bool follow_often(walking *s, int a, const int64_t *by)
{
  int rank = s->t->box[s->array].n;
  const coq_forms *where = &s->t->where[a];
  linear m = linear_variable(s->unknowns), less = m;
  less.base--;
  s->link[s->links++] = (walk_link){ .access = a, .first = s->unknowns++, .n = 1, .often = true };
  if (!ask(s, &less))
    return false;
  for (int i = 0; i < where->n; i++) {
    linear f;
    int64_t more = 0;
    if (!linear_substitute(&where->item[i], s->at, rank, 0, &f) || !ask(s, &f))
      return false;
    for (int r = 0; r < rank; r++)
      more += where->item[i].coef[r] * by[r];
    if (more && (!linear_add(&f, &less, more) || !ask(s, &f)))
      return false;
  }
  for (int r = 0; r < rank; r++)
    if (!linear_add(&s->at[r], &m, by[r]))
      return false;
  return true;
}

static bool follow_once(walking *s, int a)
{
  const access *x = s->t->form.access[a];
  int rank = s->t->box[x->from].n, loops = s->t->loops[a].n;
  linear value[POLYHEDRON_VARS], next[CDAG_RANK] = { 0 };
  if (s->unknowns + loops - rank > UNKNOWNS)
    return false;
  memcpy(value, s->at, (size_t)rank * sizeof *value);
  linear_variables(&value[rank], loops - rank, s->unknowns);
  s->link[s->links++] = (walk_link){ .access = a, .first = s->unknowns, .n = loops - rank };
  s->unknowns += loops - rank;
  for (int v = rank; v < loops; v++) {
    linear last = linear_constant(s->t->loops[a].size[v] - 1);
    if (!linear_add(&last, &value[v], -1) || !ask(s, &value[v]) || !ask(s, &last))
      return false;
  }
  for (int i = 0; i < s->t->where[a].n; i++) {
    linear f;
    if (!linear_substitute(&s->t->where[a].item[i], value, loops, 0, &f) || !ask(s, &f))
      return false;
  }
  for (int r = 0; r < s->t->box[x->to].n; r++)
    if (!linear_substitute(&x->index[r], value, loops, 0, &next[r]))
      return false;
  memcpy(s->at, next, sizeof next);
  s->array = x->to;
  return true;
}

/* All walks of so many links more. */
static void go_on(walking *s, int more)
{
  if (s->ends > ENDS_MOST || s->cases.cases == WAYS)
    return;
  if (more == 0) {
    for (s->end = s->w; s->end; s->end = s->end->also)
      if ((s->end->to < 0 || s->array == s->end->to) && told_forms(s))
        end_walk(s);
    return;
  }
  for (int a = 0; a < s->t->form.accesses; a++) {
    walking before = *s; /* without what was found, which is kept */
    int64_t by[CDAG_RANK];
    if (s->t->form.access[a]->from != s->array || !s->reaches[s->t->form.access[a]->to] || !coq_reads_there(s->t, a) ||
        (s->links > 0 && s->link[s->links - 1].access == a))
      continue;
    bool many = s->w->most > 1 && s->unknowns < UNKNOWNS && shifts(s->t, a, by);
    if (many && is_multiple(s->t, a, by))
      continue;
    s->asked.room = s->asked.n;
    if (many ? follow_often(s, a, by) : follow_once(s, a))
      go_on(s, more - 1);
    s->links = before.links;
    s->unknowns = before.unknowns;
    s->array = before.array;
    memcpy(s->at, before.at, sizeof s->at);
    s->asked = before.asked;
  }
}

static void find_reaches(walking *s)
{
  bool more = true;
  s->reaches = ARENA_NEW(s->memory, bool, (size_t)s->t->form.arrays);
  for (const coq_walk *end = s->w; end; end = end->also)
    for (int x = 0; x < s->t->form.arrays; x++)
      s->reaches[x] = s->reaches[x] || end->to < 0 || x == end->to;
  while (more) {
    more = false;
    for (int a = 0; a < s->t->form.accesses; a++) {
      const access *x = s->t->form.access[a];
      more = more || (s->reaches[x->to] && !s->reaches[x->from]);
      s->reaches[x->from] = s->reaches[x->from] || s->reaches[x->to];
    }
  }
}

bool coq_walk_put(const coq_walk *w, text *out)
{
  walking *s = ARENA_NEW(w->memory, walking, 1);
  linear place[POLYHEDRON_VARS];
  bool good = false;
  if (w->box->n + UNKNOWNS > POLYHEDRON_VARS)
    return false;
  *s = (walking){ .w = w, .t = w->t, .memory = w->memory };
  s->cases = (coq_cases){ .memory = w->memory, .box = w->box, .item = s->item, .split = "Walks.Either",
                          .never = "Walks.Nowhere", .otherwise = w->otherwise, .with = w->with };
  find_reaches(s);
  linear_variables(place, w->box->n, UNKNOWNS);
  for (int links = w->least; links <= w->most && !good; links++) {
    s->array = w->array;
    s->links = s->unknowns = s->ends = 0;
    s->asked = (coq_forms){ 0 };
    for (int r = 0; r < w->t->box[w->array].n; r++)
      if (!linear_substitute(&w->from[r], place, w->box->n, 0, &s->at[r]))
        return false;
    int before = s->cases.cases;
    go_on(s, links);
    size_t n = out->n;
    good = (links == w->least || s->cases.cases > before) && coq_cases_put(&s->cases, &w->known, out);
    if (!good)
      out->n = n;
  }
  for (int i = 0; i < s->cases.cases; i++)
    text_clear(&s->item[i].leaf);
  return good;
}
