#include "bounds/coq/gates.h"
#include "base/mem.h"
#include "base/scoped.h"
#include "bounds/coq/walks.h"
#include <inttypes.h>
#include <string.h>

static const linear never = { .base = -1 };

/* Elements of a use where the forms hold. */
typedef struct {
  coq_forms where;
  text up, next, begun;
} coq_part;

typedef struct {
  const gate_use *use;
  int array, word, labels, parts; /* word: the array whose labels tell the words, after the reads of `access` */
  coq_part *part;
  linear key[CDAG_RANK + 1];      /* the class, then the time */
  linear label[LABELS_MOST];
  linear class[CDAG_RANK], back[CDAG_RANK];
} coq_use;

typedef struct {
  const gate_family *of;
  int least, last;             /* of the families that alternate with it */
  int64_t ahead, end;          /* its times are moved so far; of times that run downwards the last one, else 0 */
  int kinds, index[CDAG_RANK]; /* which indices of the gate tell the class */
  coq_box keys;                /* its extents, then that of the time */
  linear role[CDAG_RANK];      /* of each index in the keys */
  bool told[CDAG_RANK];        /* or it may be any */
  coq_forms held, where;
  text made;
  int first_use, first_part;
  linear first[CDAG_RANK];
  coq_use use[GATE_USES];
} coq_family;

typedef struct {
  coq_text t;
  coq_ends ends;
  affine_facts f;
  gates_facts g;
  gates_claim c;
  arena *memory;
  bool beside, *told; /* told: of each array, may an input be one of its elements? */
  linear (*back)[CDAG_RANK];
  text *start;
  coq_family family[GATE_FAMILIES];
} gated;

static int component(const gated *k, int array) { return k->f.words.component[array]; }

static bool is_used(const gated *k, int of)
{
  for (int q = 0; q < k->c.families; q++)
    for (int i = 0; i < k->family[q].of->uses; i++)
      if (component(k, k->family[q].use[i].word) == of)
        return true;
  return false;
}

/* ---- where words begin ---- */

typedef struct { gated *k; int array; } start_place;

/* An input, which its labels tell. */
static bool put_input(void *with, const coq_forms *known, text *out)
{
  start_place *s = with;
  gated *k = s->k;
  const coq_box *b = &k->t.box[s->array];
  if (k->f.form.array[s->array].inputs.n == 0)
    return false;
  for (int a = 0; a < k->t.form.accesses; a++)
    if (k->t.form.access[a]->from == s->array) {
      coq_forms both = coq_forms_both(k->memory, known, &k->t.where[a]);
      if (!coq_implies(&k->t.loops[a], &both, &never))
        return false;
    }
  for (int r = 0; r < b->n; r++) {
    linear x = linear_variable(r);
    if (!coq_same_moved(b, known, &k->back[s->array][r], k->f.words.label[s->array], LABELS_MOST, &x))
      return false;
  }
  k->told[s->array] = true;
  text_add(out, "(Walks.Path [::])");
  return true;
}

/* Of each array of the component. */
static const linear **labels_of(const gated *k, int of)
{
  const linear **l = arena_new(k->memory, (size_t)k->t.form.arrays, sizeof *l);
  for (int x = 0; x < k->t.form.arrays; x++)
    l[x] = component(k, x) == of ? k->f.words.label[x] : NULL;
  return l;
}

/* Each element of the array reads one of its word, or is an input. */
static bool find_start(gated *k, int x)
{
  start_place place = { k, x };
  int n = k->f.words.labels[component(k, x)];
  coq_walk w = { .t = &k->t, .memory = k->memory, .box = &k->t.box[x], .array = x, .to = -1, .told = n, .least = 1,
                 .most = 1, .otherwise = put_input, .with = &place };
  if (k->t.form.array[x].domain.n == 1)
    w.known = k->t.piece[x][0];
  if (k->f.form.array[x].inputs.n > 0 &&
      !coq_tell_from(k->memory, k->f.words.label[x], n, &k->t.box[x], &w.known, k->back[x]))
    return false;
  linear_variables(w.from, k->t.box[x].n, 0);
  memcpy(w.value, k->f.words.label[x], (size_t)n * sizeof *w.value);
  w.form_of = labels_of(k, component(k, x));
  return coq_walk_put(&w, &k->start[x]);
}

/* ---- a family ---- */

/* Which families it alternates with, and how far times are moved: then their gates of one time come one after the
   other. */
static void find_ring(gated *k, int q)
{
  coq_family *y = &k->family[q];
  y->of = &k->c.family[q];
  y->least = y->last = q;
  while (k->c.family[y->least].alternates)
    y->least--;
  while (y->last + 1 < k->c.families && k->c.family[y->last + 1].alternates)
    y->last++;
  for (int i = y->least; i <= y->last; i++) {
    const gate_family *of = &k->c.family[i];
    if (of->phase - y->of->phase > y->ahead)
      y->ahead = of->phase - y->of->phase;
    if (of->time >= 0 && of->back && k->t.box[of->array].size[of->time] - 1 > y->end)
      y->end = k->t.box[of->array].size[of->time] - 1;
  }
}

/* The moment of a time, and the time of a moment. */
static linear moved_time(const coq_family *y, const linear *f, bool of_moment)
{
  linear moved = linear_constant(y->of->back ? y->end + y->ahead : of_moment ? -y->ahead : y->ahead);
  linear_add(&moved, f, y->of->back ? -1 : 1);
  return moved;
}

static void put_time_last(const gated *k, coq_family *y)
{
  const gate_family *of = y->of;
  const coq_box *b = &k->t.box[of->array];
  for (int r = 0; r < b->n; r++)
    if (of->role[r] == GATE_KEY && r != of->time)
      y->index[y->kinds++] = r;
  y->keys.n = y->kinds + 1;
  for (int i = 0; i < y->kinds; i++)
    y->keys.size[i] = b->size[y->index[i]];
  y->keys.size[y->kinds] = y->ahead + (of->time < 0 ? 1 : of->back ? y->end + 1 : b->size[of->time]);
  if (of->time >= 0 && !of->back && of->cut.key == of->time && of->cut.hi < b->size[of->time])
    y->keys.size[y->kinds] = y->ahead + of->cut.hi + 1;
  for (int r = 0; r < b->n; r++) {
    linear moment = linear_variable(y->kinds);
    y->told[r] = of->role[r] != GATE_ANY;
    y->role[r] = r == of->time ? moved_time(y, &moment, true) : linear_constant(of->at[r]);
    for (int i = 0; i < y->kinds && of->role[r] == GATE_KEY; i++)
      if (y->index[i] == r)
        y->role[r] = linear_variable(i);
  }
}

/* Keys of gates, in one piece. */
static bool find_held(gated *k, coq_family *y, int q)
{
  const gate_sets *s = &k->g.set[q];
  polyhedra all = { 0 };
  linear place[CDAG_RANK] = { 0 };
  for (int i = 0; i < s->keys; i++)
    place[i] = y->role[s->index[i]];
  for (int i = 0; i < s->gates.n; i++) {
    polyhedron *p = polyhedron_new(k->memory, y->keys.n), *cut = polyhedron_copy(k->memory, s->gates.item[i]);
    linear zero = linear_constant(0), last = linear_variable(y->kinds);
    for (int v = 0; v < s->keys; v++) {
      linear key = linear_variable(v), lo = linear_constant(y->of->cut.lo), hi = linear_constant(y->of->cut.hi);
      if (s->index[v] == y->of->cut.key) {
        polyhedron_require(k->memory, cut, &lo, &key);
        polyhedron_require(k->memory, cut, &key, &hi);
      }
    }
    polyhedron_include(k->memory, p, cut, place, s->keys);
    if (y->of->time < 0)
      polyhedron_same(k->memory, p, &last, &zero);
    if (p->open || !polyhedron_empty(p))
      polyhedra_add(k->memory, &all, polyhedron_tidy(k->memory, p));
  }
  polyhedra_join(k->memory, &all);
  return all.n == 1 && coq_forms_beyond(k->memory, &y->keys, all.item[0], &y->held);
}

/* Forms of a gate's indices: those that the keys tell, and variables from `first` on; *box gets these. */
static bool gate_forms(const gated *k, const coq_family *y, const linear *key, int first, coq_box *box, linear *at)
{
  const coq_box *b = &k->t.box[y->of->array];
  for (int r = 0; r < b->n; r++)
    if (y->told[r]) {
      if (!linear_substitute(&y->role[r], key, y->keys.n, 0, &at[r]))
        return false;
    } else {
      if (first == POLYHEDRON_VARS)
        return false;
      at[r] = linear_variable(first);
      box->size[first++] = b->size[r];
      box->n = first;
    }
  return true;
}

/* Conditions of the gate's elements but for what the keys say, and that each reads something. */
static bool find_gate(gated *k, coq_family *y, int q)
{
  const polyhedra *gate = &k->g.set[q].gate;
  coq_box box = y->keys;
  coq_forms all = { 0 };
  linear key[CDAG_RANK + 1];
  coq_walk w = { .t = &k->t, .memory = k->memory, .box = &box, .array = y->of->array, .to = -1, .least = 1, .most = 1 };
  linear_variables(key, y->keys.n, 0);
  if (gate->n != 1 || !coq_forms_beyond(k->memory, &k->t.box[y->of->array], gate->item[0], &all) ||
      !gate_forms(k, y, key, y->keys.n, &box, w.from))
    return false;
  w.known = coq_forms_both(k->memory, &y->held, &w.known);
  for (int i = 0; i < all.n; i++) {
    linear f;
    if (!linear_substitute(&all.item[i], w.from, CDAG_RANK, 0, &f))
      return false;
    if (coq_implies(&box, &y->held, &f))
      continue;
    coq_forms_add(k->memory, &y->where, &all.item[i]);
    coq_forms_add(k->memory, &w.known, &f);
  }
  return coq_walk_put(&w, &y->made);
}

/* ---- a use ---- */

static bool find_use(gated *k, coq_family *y, int i)
{
  coq_use *u = &y->use[i];
  const access *a;
  int n, rank;
  u->use = &y->of->use[i];
  u->array = u->use->array;
  rank = k->t.box[u->array].n;
  a = u->use->access < 0 ? NULL : k->t.form.access[u->use->access];
  u->word = a ? a->to : u->array;
  n = k->f.words.labels[component(k, u->word)];
  u->labels = n;
  memcpy(u->label, k->f.words.label[u->array], sizeof u->label);
  if (a && (!coq_reads_there(&k->t, u->use->access) || k->t.loops[u->use->access].n != rank ||
            words_label_of(&k->f.words, a->to, a->index, u->label) != n))
    return false;
  for (int q = 0; q < y->kinds; q++) {
    u->key[q] = linear_variable(u->use->keys.loop[y->index[q]]);
    u->key[q].base = u->use->keys.offset[y->index[q]];
  }
  if (y->of->time >= 0) {
    linear time = linear_variable(u->use->keys.loop[y->of->time]);
    time.base = u->use->keys.offset[y->of->time];
    u->key[y->kinds] = moved_time(y, &time, false);
  }
  return true;
}

static bool add_part(gated *k, coq_use *u, const coq_family *y, const polyhedron *b)
{
  const coq_box *box = &k->t.box[u->array];
  const coq_forms *lives = k->ends.region[u->array];
  polyhedron *p = polyhedron_copy(k->memory, b);
  coq_part *part = &u->part[u->parts];
  bool there = false;
  for (int r = 0; r < CDAG_RANK; r++)
    if (r == y->of->cut.key) {
      linear key = linear_variable(u->use->keys.loop[r]), lo = linear_constant(y->of->cut.lo),
             hi = linear_constant(y->of->cut.hi);
      key.base = u->use->keys.offset[r];
      polyhedron_require(k->memory, p, &lo, &key);
      polyhedron_require(k->memory, p, &key, &hi);
    }
  if (!p->open && polyhedron_empty(p))
    return true;
  if (!lives || !coq_forms_beyond(k->memory, box, polyhedron_tidy(k->memory, p), &part->where))
    return false;
  for (int i = 0; i < k->t.form.array[u->array].domain.n; i++)
    there = there || coq_implies_all(box, &part->where, &k->t.piece[u->array][i]);
  coq_forms moved = { 0 };
  for (int i = 0; i < u->parts; i++) {
    coq_forms both = coq_forms_both(k->memory, &u->part[i].where, &part->where);
    if (!coq_implies(box, &both, &never))
      return false;
  }
  u->parts++;
  return there && coq_implies_all(box, &part->where, lives) &&
         (u->use->access < 0 || coq_implies_all(box, &part->where, &k->t.where[u->use->access])) &&
         coq_forms_moved(k->memory, &y->held, u->key, y->keys.n, &moved) &&
         coq_implies_all(box, &part->where, &moved);
}

/* The first use of words of this component in the families that alternate: what tells the class of all. */
static const coq_use *first_use(const gated *k, const coq_family *y, const coq_use *u)
{
  for (int q = y->least; q <= y->last; q++)
    for (int i = 0; i < k->family[q].of->uses; i++)
      if (component(k, k->family[q].use[i].word) == component(k, u->word))
        return &k->family[q].use[i];
  return u;
}

/* The class in the word's labels; the loops in class, time and labels. */
static bool find_back(gated *k, coq_use *u, const coq_family *y)
{
  const coq_use *lead = first_use(k, y, u);
  int rank = k->t.box[u->array].n, keys = y->keys.n;
  linear by_labels[CDAG_RANK] = { 0 }, all[CDAG_RANK + 1 + LABELS_MOST];
  coq_forms none = { 0 };
  coq_unknowns *e = ARENA_NEW(k->memory, coq_unknowns, 1);
  const coq_forms *known = u->parts == 1 ? &u->part[0].where : &none;
  /* loops that labels tell are enough for the class */
  linear place[POLYHEDRON_VARS] = { 0 };
  e->n = rank;
  for (int i = 0; i < u->labels; i++) {
    e->equation[e->equations] = u->label[i];
    e->equation[e->equations++].coef[rank + i] -= 1;
  }
  if (!coq_solve(e))
    return false;
  linear_variables(&place[rank], u->labels, 0);
  for (int q = 0; q < y->kinds; q++) {
    linear key;
    for (int v = 0; v < rank; v++)
      by_labels[v] = e->told[v] ? e->value[v] : linear_variable(v);
    if (!linear_substitute(&u->key[q], by_labels, rank, 0, &key))
      return false;
    for (int v = 0; v < rank; v++)
      if (key.coef[v])
        return false;
    if (!linear_substitute(&key, place, rank + u->labels, 0, &u->class[q]))
      return false;
  }
  memcpy(all, u->key, (size_t)keys * sizeof *all);
  memcpy(&all[keys], u->label, (size_t)u->labels * sizeof *all);
  if (!coq_tell_from(k->memory, all, keys + u->labels, &k->t.box[u->array], known, u->back))
    return false;
  for (int p = 0; p < u->parts; p++) {
    for (int q = 0; q < y->kinds; q++)
      if (!coq_same_moved(&k->t.box[u->array], &u->part[p].where, &lead->class[q], u->label, LABELS_MOST, &u->key[q]))
        return false;
    for (int v = 0; v < rank; v++) {
      linear x = linear_variable(v);
      if (!coq_same_moved(&k->t.box[u->array], &u->part[p].where, &u->back[v], all, keys + u->labels, &x))
        return false;
    }
  }
  return true;
}

/* ---- what comes before what ---- */

static bool find_up(gated *k, const coq_family *y, const coq_use *u, coq_part *p)
{
  coq_walk w = { .t = &k->t, .memory = k->memory, .box = &k->t.box[u->array], .known = p->where, .array = u->array,
                 .to = y->of->array, .there = y->where, .most = WALK_LINKS };
  linear_variables(w.from, w.box->n, 0);
  for (int r = 0; r < k->t.box[w.to].n; r++)
    if (y->told[r]) {
      w.form[w.told] = linear_variable(r);
      if (!linear_substitute(&y->role[r], u->key, y->keys.n, 0, &w.value[w.told++]))
        return false;
    }
  return coq_walk_put(&w, &p->up);
}

/* Forms that the box does not say. */
static void add_not_said(gated *k, const coq_box *box, const linear *f, coq_forms *l)
{
  coq_forms none = { 0 };
  if (!coq_implies(box, &none, f))
    coq_forms_add(k->memory, l, f);
}

/* From a gate of this family at the use's class and so many times later, beside an element of the use: what is known,
   and where the walk begins. */
static bool from_gate(gated *k, const coq_family *y, const coq_use *u, const coq_part *p, int64_t later, bool next,
                      coq_box *box, coq_walk *w)
{
  linear key[CDAG_RANK + 1];
  coq_forms moved = { 0 };
  *box = k->t.box[u->array];
  memcpy(key, u->key, sizeof key);
  key[y->kinds].base += later;
  *w = (coq_walk){ .t = &k->t, .memory = k->memory, .box = box, .array = y->of->array, .most = WALK_LINKS };
  if (!gate_forms(k, y, key, box->n, box, w->from) || box->n > CDAG_RANK * 2)
    return false;
  w->known = coq_forms_both(k->memory, &p->where, &w->known);
  if (next) {
    linear left = linear_constant(y->keys.size[y->kinds] - 1);
    if (!linear_add(&left, &key[y->kinds], -1) || !coq_forms_moved(k->memory, &y->held, key, y->keys.n, &moved))
      return false;
    add_not_said(k, box, &left, &w->known);
  }
  if (!coq_forms_moved(k->memory, &y->where, w->from, CDAG_RANK, &moved))
    return false;
  for (int i = 0; i < moved.n; i++)
    add_not_said(k, box, &moved.item[i], &w->known);
  return true;
}

/* From the gate that comes next. */
static bool find_next(gated *k, const coq_family *y, const coq_use *u, coq_part *p)
{
  bool again = y == &k->family[y->last];
  coq_box box;
  coq_walk w;
  if (!from_gate(k, again ? &k->family[y->least] : y + 1, u, p, again ? y->of->lag : 0, true, &box, &w))
    return false;
  w.to = u->array;
  w.told = k->t.box[u->array].n;
  linear_variables(w.form, w.told, 0);
  linear_variables(w.value, w.told, 0);
  return coq_walk_put(&w, &p->next);
}

/* An element of the word, behind its input. */
static bool find_begun(gated *k, const coq_family *y, const coq_use *u, coq_part *p)
{
  coq_box box;
  coq_walk w;
  if (!from_gate(k, y, u, p, 0, false, &box, &w))
    return false;
  w.to = -1;
  w.form_of = labels_of(k, component(k, u->word));
  w.told = u->labels;
  memcpy(w.value, u->label, (size_t)u->labels * sizeof *w.value);
  return coq_walk_put(&w, &p->begun);
}

/* Never an element of its gate, as far as Coq sees. */
static bool is_away(const gated *k, const coq_family *y, const coq_use *u, const coq_part *p)
{
  const coq_box *b = &k->t.box[u->array];
  bool away = u->array != y->of->array;
  for (int r = 0; r < b->n && !away; r++) {
    linear role, more = linear_variable(r), fewer;
    if (!y->told[r] || !linear_substitute(&y->role[r], u->key, y->keys.n, 0, &role))
      continue;
    fewer = role;
    linear_add(&fewer, &more, -1);
    linear_add(&more, &role, -1);
    more.base--;
    fewer.base--;
    away = coq_implies(b, &p->where, &more) || coq_implies(b, &p->where, &fewer);
  }
  for (int i = 0; i < y->where.n && !away; i++) {
    linear less = never;
    away = linear_add(&less, &y->where.item[i], -1) && coq_implies(b, &p->where, &less);
  }
  return away;
}

/* An element at each of the gates. */
static bool find_first(gated *k, coq_family *y)
{
  for (int i = 0; i < y->of->uses; i++)
    for (int p = 0; p < y->use[i].parts; p++) {
      const coq_use *u = &y->use[i];
      y->first_use = i;
      y->first_part = p;
      if (coq_find_first(k->memory,
                         &(coq_keyed){ .loops = &k->t.box[u->array], .keys = &y->keys, .where = &u->part[p].where,
                                       .held = &y->held, .key = u->key },
                         y->first))
        return true;
    }
  return false;
}

static bool find_family(gated *k, int q)
{
  coq_family *y = &k->family[q];
  for (int i = 0; i < y->of->uses; i++) {
    coq_use *u = &y->use[i];
    const polyhedra *b = &k->g.set[q].user[i];
    u->part = ARENA_NEW(k->memory, coq_part, (size_t)b->n + 1);
    for (int p = 0; p < b->n; p++)
      if (!add_part(k, u, y, b->item[p]))
        return false;
    if (u->parts == 0 || !find_back(k, u, y))
      return false;
    k->beside = k->beside && k->g.set[q].beside && component(k, u->word) != component(k, y->of->array);
    for (int p = 0; p < u->parts; p++) {
      k->beside = k->beside && is_away(k, y, u, &u->part[p]);
      if (!find_up(k, y, u, &u->part[p]) || !find_next(k, y, u, &u->part[p]) || !find_begun(k, y, u, &u->part[p]))
        return false;
    }
  }
  return find_first(k, y);
}

/* ---- the whole ---- */

static bool is_simple(const gates_claim *c)
{
  bool good = c->reading == READ_AS_IT_IS && c->families > 0 && c->cells.least == 0 && c->stays.scale == 0;
  for (int q = 0; q < c->families && good; q++) {
    const gate_family *y = &c->family[q];
    good = y->uses > 0 && !gates_waits(y) && y->partner < 0;
  }
  return good;
}

/* Words of different uses of a family are of different components, and those of families that do not alternate. */
static bool uses_apart(const gated *k)
{
  int *seen = ARENA_NEW(k->memory, int, (size_t)k->t.form.arrays + 1); /* the family, 1 and more */
  for (int q = 0; q < k->c.families; q++)
    for (int i = 0; i < k->family[q].of->uses; i++) {
      int *at = &seen[component(k, k->family[q].use[i].word)];
      if (*at == q + 1 || (*at > 0 && *at <= k->family[q].least))
        return false;
      *at = q + 1;
    }
  return true;
}

/* What the words of a family's gates cost beyond those that are red. */
static bool add_family(const gated *k, const coq_family *y, uint64_t m, mpz_t sum)
{
  SCOPED_MPZ used, gates;
  bool good = true;
  mpz_inits(used, gates, NULL);
  for (int i = 0; i < y->of->uses; i++)
    for (int p = 0; p < y->use[i].parts && good; p++)
      good = coq_points(k->memory, &k->t.box[y->use[i].array], &y->use[i].part[p].where, used);
  good = good && coq_points(k->memory, &y->keys, &y->held, gates);
  mpz_submul_ui(used, gates, (unsigned long)m - k->beside);
  if (mpz_sgn(used) > 0)
    mpz_add(sum, sum, used);
  return good;
}

static bool is_as_much(const gated *k, const bound_question *q, const bound *b)
{
  SCOPED_MPZ sum, ring;
  bool good = true;
  mpz_inits(sum, ring, NULL);
  mpz_add(sum, k->ends.inputs, k->ends.outputs);
  for (int f = 0; f < k->c.families && good; f++) {
    const coq_family *y = &k->family[f];
    good = add_family(k, y, q->m, ring);
    if (f < y->last)
      continue;
    mpz_cdiv_q_ui(ring, ring, (unsigned long)y->of->lag); /* of all rests the best */
    mpz_add(sum, sum, ring);
    mpz_set_ui(ring, 0);
  }
  return good && mpz_cmp(b->value, sum) <= 0;
}

static bool read_families(gated *k)
{
  for (int f = 0; f < k->c.families; f++) {
    find_ring(k, f);
    put_time_last(k, &k->family[f]);
    if (k->family[f].kinds != k->family[k->family[f].least].kinds || !find_held(k, &k->family[f], f) ||
        !find_gate(k, &k->family[f], f))
      return false;
    for (int i = 0; i < k->family[f].of->uses; i++)
      if (!find_use(k, &k->family[f], i))
        return false;
  }
  return uses_apart(k);
}

/* Classes of families that alternate are in one box, and behind a gate that counts the next one counts, as long as
   there is time. */
static bool are_followed(gated *k)
{
  bool good = true;
  for (int f = 0; f < k->c.families && good; f++) {
    const coq_family *y = &k->family[f], *next = f < y->last ? y + 1 : &k->family[y->least];
    const int64_t later = f < y->last ? 0 : y->of->lag, *size = y->keys.size, *size_next = next->keys.size;
    linear at[CDAG_RANK + 1], left = linear_constant(size_next[y->kinds] - 1);
    coq_forms known = { 0 }, moved = { 0 };
    if (y->least == y->last)
      continue;
    linear_variables(at, y->keys.n, 0);
    at[y->kinds].base = later;
    good = memcmp(size, size_next, (size_t)y->kinds * sizeof *size) == 0 &&
           size_next[y->kinds] <= size[y->kinds] + later && linear_add(&left, &at[y->kinds], -1) &&
           coq_forms_moved(k->memory, &next->held, at, y->keys.n, &moved);
    coq_forms_add(k->memory, &known, &left);
    known = coq_forms_both(k->memory, &known, &y->held);
    good = good && coq_implies_all(&y->keys, &known, &moved);
  }
  return good;
}

static bool read_claim(gated *k, const bound_question *q, const bound *b)
{
  size_t arrays = (size_t)k->t.form.arrays;
  k->told = ARENA_NEW(k->memory, bool, arrays);
  k->start = ARENA_NEW(k->memory, text, arrays);
  k->back = arena_new(k->memory, arrays, sizeof *k->back);
  k->beside = true;
  coq_ends_init(&k->ends, &k->t);
  if (!read_families(k) || !are_followed(k))
    return false;
  for (int x = 0; x < k->t.form.arrays; x++)
    if (is_used(k, component(k, x)) && !find_start(k, x))
      return false;
  for (int x = 0; x < k->t.form.arrays; x++) /* a label is one input's */
    for (int y = 0; y < x; y++)
      if (k->told[x] && k->told[y] && component(k, x) == component(k, y))
        return false;
  for (int f = 0; f < k->c.families; f++)
    if (!find_family(k, f))
      return false;
  return is_as_much(k, q, b);
}

/* ---- writing ---- */

static void put_use(const gated *k, const coq_family *y, const coq_use *u, text *out)
{
  int rank = k->t.box[u->array].n;
  text_printf(out, "GatesCertificate.Use %d%%nat ", u->array);
  coq_put_linears(u->key, y->kinds, rank, out);
  text_char(out, ' ');
  coq_put_form(&u->key[y->kinds], rank, out);
  text_add(out, "%Z ");
  coq_put_linears(u->class, y->kinds, u->labels, out);
  text_char(out, ' ');
  coq_put_linears(u->back, rank, y->keys.n + u->labels, out);
  text_add(out, "\n      [::");
  for (int p = 0; p < u->parts; p++) {
    text_printf(out, "%sGatesCertificate.Part ", p ? ";\n         " : " ");
    coq_put_forms(&u->part[p].where, rank, out);
    if (u->use->access < 0)
      text_add(out, " None");
    else
      text_printf(out, " (Some (%d%%nat, [::]))", u->use->access);
    text_printf(out, "\n        %s\n        %s\n        %s", text_str(&u->part[p].up), text_str(&u->part[p].next),
                text_str(&u->part[p].begun));
  }
  text_char(out, ']');
}

static void put_family(const gated *k, const coq_family *y, text *out)
{
  int rank = k->t.box[y->of->array].n;
  text_printf(out, "GatesCertificate.Family %d%%nat [::", y->of->array);
  for (int r = 0; r < rank; r++) {
    text_add(out, r ? "; " : " ");
    text_add(out, y->told[r] ? "Some " : "None");
    if (y->told[r]) {
      coq_put_form(&y->role[r], y->keys.n, out);
      text_add(out, "%Z");
    }
  }
  text_add(out, "] ");
  coq_put_forms(&y->where, rank, out);
  text_printf(out, "\n    %s\n    [::", text_str(&y->made));
  for (int q = 0; q < y->kinds; q++)
    text_printf(out, "%s%" PRId64, q ? "; " : " ", y->keys.size[q]);
  text_printf(out, "]%%num %" PRId64 "%%num ", y->keys.size[y->kinds]);
  coq_put_forms(&y->held, y->keys.n, out);
  text_printf(out, " (%d%%nat, %d%%nat, ", y->first_use, y->first_part);
  coq_put_linears(y->first, k->t.box[y->use[y->first_use].array].n, y->keys.n, out);
  text_add(out, ")\n    [::");
  for (int i = 0; i < y->of->uses; i++) {
    text_add(out, i ? ";\n      " : " ");
    put_use(k, y, &y->use[i], out);
  }
  text_char(out, ']');
}

static void put_claim(const gated *k, text *out)
{
  bool some = false;
  text_add(out, "GatesCertificate.GatesClaim\n  [::");
  for (int x = 0; x < k->t.form.arrays; x++) {
    text_printf(out, "%s(%d%%nat, ", x ? "; " : " ", component(k, x));
    coq_put_linears(k->f.words.label[x], k->f.words.labels[component(k, x)], k->t.box[x].n, out);
    text_char(out, ')');
  }
  text_add(out, "]\n  [::");
  for (int x = 0; x < k->t.form.arrays; x++)
    if (is_used(k, component(k, x))) {
      text_printf(out, "%s(%d%%nat, (", some ? ";\n      " : " ", x);
      coq_put_linears(k->back[x], k->told[x] ? k->t.box[x].n : 0, k->f.words.labels[component(k, x)], out);
      text_printf(out, ", %s))", text_str(&k->start[x]));
      some = true;
    }
  text_printf(out, "]\n  %s\n  [::", k->beside ? "true" : "false");
  for (int f = 0; f < k->c.families; f++) {
    const coq_family *y = &k->family[f];
    if (f == y->least)
      text_printf(out, "%sGatesCertificate.Ring %d%%nat [::", f ? ";\n    " : " ", y->of->lag);
    text_add(out, f > y->least ? ";\n    " : " ");
    put_family(k, y, out);
    text_add(out, f == y->last ? "]" : "");
  }
  text_char(out, ']');
}

static void clear_texts(gated *k)
{
  for (int x = 0; x < k->t.form.arrays && k->start; x++)
    text_clear(&k->start[x]);
  for (int f = 0; f < k->c.families; f++) {
    text_clear(&k->family[f].made);
    for (int i = 0; i < GATE_USES; i++)
      for (int p = 0; k->family[f].use[i].part && p < k->family[f].use[i].parts; p++) {
        coq_part *part = &k->family[f].use[i].part[p];
        text_clear(&part->up);
        text_clear(&part->next);
        text_clear(&part->begun);
      }
  }
}

bool coq_gates_open(const bound_question *q, const json_value *v, bool (*simple)(const gates_claim *c), gates_claim *c,
                    coq_text *t, affine_facts *f, gates_facts *g)
{
  SCOPED_TEXT reason = { 0 };
  if (!gates_claim_read(v, c, &reason) || !simple(c))
    return false;
  if (coq_text_read(t, q->g) && affine_facts_init(f, q->g, READ_AS_IT_IS)) {
    gates_facts_init(g, f);
    if (coq_names_kept(&f->form) && gates_derive(g, c, &reason) && coq_same_text(&t->form, &f->form))
      return true;
    gates_facts_clear(g);
    affine_facts_clear(f);
  }
  coq_text_clear(t);
  return false;
}

void coq_gates_close(coq_text *t, affine_facts *f, gates_facts *g)
{
  gates_facts_clear(g);
  affine_facts_clear(f);
  coq_text_clear(t);
}

bool coq_gates_proves(const bound_question *q, const bound *b, const json_value *v, text *computation, text *ends,
                      text *claim)
{
  gated *k = MEM_NEW(gated, 1);
  bool read = coq_gates_open(q, v, is_simple, &k->c, &k->t, &k->f, &k->g);
  k->memory = &k->t.form.memory;
  bool proves = read && read_claim(k, q, b);
  if (proves && computation) {
    coq_text_put(&k->t, computation);
    text_add(ends, text_str(&k->ends.written));
    put_claim(k, claim);
  }
  if (read) {
    clear_texts(k);
    if (k->ends.region)
      coq_ends_clear(&k->ends);
    coq_gates_close(&k->t, &k->f, &k->g);
  }
  mem_free(k);
  return proves;
}
