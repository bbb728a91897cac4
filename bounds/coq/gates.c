#include "bounds/coq/gates_internal.h"
#include "base/mem.h"
#include "base/scoped.h"
#include <inttypes.h>
#include <string.h>

static int component(const gated *k, int array) { return k->in.f.words.component[array]; }

static bool is_used(const gated *k, int of)
{
  for (int q = 0; q < k->in.c.families; q++)
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
  const coq_box *b = &k->in.t.box[s->array];
  if (k->in.f.form.array[s->array].inputs.n == 0)
    return false;
  for (int a = 0; a < k->in.t.form.accesses; a++)
    if (k->in.t.form.access[a]->from == s->array) {
      coq_forms both = coq_forms_both(k->in.memory, known, &k->in.t.where[a]);
      if (!coq_implies(&k->in.t.loops[a], &both, &coq_never))
        return false;
    }
  for (int r = 0; r < b->n; r++) {
    linear x = linear_variable(r);
    if (!coq_same_moved(b, known, &k->back[s->array][r], k->in.f.words.label[s->array], LABELS_MOST, &x))
      return false;
  }
  k->told[s->array] = true;
  text_add(out, "(Walks.Path [::])");
  return true;
}

/* Of each array of the component. */
static const linear **labels_of(const gated *k, int of)
{
  const linear **l = arena_new(k->in.memory, (size_t)k->in.t.form.arrays, sizeof *l);
  for (int x = 0; x < k->in.t.form.arrays; x++)
    l[x] = component(k, x) == of ? k->in.f.words.label[x] : NULL;
  return l;
}

/* Each element of the array reads one of its word, or is an input. */
static bool find_start(gated *k, int x)
{
  start_place place = { k, x };
  int n = k->in.f.words.labels[component(k, x)];
  coq_walk w = { .t = &k->in.t, .memory = k->in.memory, .box = &k->in.t.box[x], .array = x, .to = -1, .told = n,
                 .least = 1, .most = 1, .otherwise = put_input, .with = &place };
  if (k->in.t.form.array[x].domain.n == 1)
    w.known = k->in.t.piece[x][0];
  if (k->in.f.form.array[x].inputs.n > 0 &&
      !coq_tell_from(k->in.memory, k->in.f.words.label[x], n, &k->in.t.box[x], &w.known, k->back[x]))
    return false;
  linear_variables(w.from, k->in.t.box[x].n, 0);
  memcpy(w.value, k->in.f.words.label[x], (size_t)n * sizeof *w.value);
  w.form_of = labels_of(k, component(k, x));
  return coq_walk_put(&w, &k->start[x]);
}

/* ---- a family ---- */

/* ---- a use ---- */

static bool find_use(gated *k, coq_family *y, int i)
{
  coq_use *u = &y->use[i];
  const access *a;
  int n, rank;
  u->use = &y->of->use[i];
  u->array = u->use->array;
  rank = k->in.t.box[u->array].n;
  a = u->use->access < 0 ? NULL : k->in.t.form.access[u->use->access];
  u->word = a ? a->to : u->array;
  n = k->in.f.words.labels[component(k, u->word)];
  u->labels = n;
  memcpy(u->label, k->in.f.words.label[u->array], sizeof u->label);
  if (a && (!coq_reads_there(&k->in.t, u->use->access) || k->in.t.loops[u->use->access].n != rank ||
            words_label_of(&k->in.f.words, a->to, a->index, u->label) != n))
    return false;
  coq_gate_keys(y, u);
  return true;
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
  int rank = k->in.t.box[u->array].n, keys = y->keys.n;
  linear by_labels[CDAG_RANK] = { 0 }, all[CDAG_RANK + 1 + LABELS_MOST];
  coq_forms none = { 0 };
  coq_unknowns *e = ARENA_NEW(k->in.memory, coq_unknowns, 1);
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
  if (!coq_tell_from(k->in.memory, all, keys + u->labels, &k->in.t.box[u->array], known, u->back))
    return false;
  for (int p = 0; p < u->parts; p++) {
    for (int q = 0; q < y->kinds; q++)
      if (!coq_same_moved(&k->in.t.box[u->array], &u->part[p].where, &lead->class[q], u->label, LABELS_MOST,
                          &u->key[q]))
        return false;
    for (int v = 0; v < rank; v++) {
      linear x = linear_variable(v);
      if (!coq_same_moved(&k->in.t.box[u->array], &u->part[p].where, &u->back[v], all, keys + u->labels, &x))
        return false;
    }
  }
  return true;
}

/* ---- what comes before what ---- */

/* From the gate that comes next. */
static bool find_next(gated *k, const coq_family *y, const coq_use *u, coq_part *p)
{
  bool again = y == &k->family[y->last];
  coq_box box;
  coq_walk w;
  if (!coq_gate_from(k, again ? &k->family[y->least] : y + 1, u, p, again ? y->of->lag : 0, true, &box, &w))
    return false;
  w.to = u->array;
  w.told = k->in.t.box[u->array].n;
  linear_variables(w.form, w.told, 0);
  linear_variables(w.value, w.told, 0);
  return coq_walk_put(&w, &p->next);
}

/* An element of the word, behind its input. */
static bool find_begun(gated *k, const coq_family *y, const coq_use *u, coq_part *p)
{
  coq_box box;
  coq_walk w;
  if (!coq_gate_from(k, y, u, p, 0, false, &box, &w))
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
  const coq_box *b = &k->in.t.box[u->array];
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
    linear less = coq_never;
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
      if (coq_find_first(k->in.memory,
                         &(coq_keyed){ .loops = &k->in.t.box[u->array], .keys = &y->keys, .where = &u->part[p].where,
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
    const polyhedra *b = &k->in.g.set[q].user[i];
    u->part = ARENA_NEW(k->in.memory, coq_part, (size_t)b->n + 1);
    for (int p = 0; p < b->n; p++)
      if (!coq_gate_part(k, u, y, b->item[p]))
        return false;
    if (u->parts == 0 || !find_back(k, u, y))
      return false;
    k->in.beside = k->in.beside && k->in.g.set[q].beside && component(k, u->word) != component(k, y->of->array);
    for (int p = 0; p < u->parts; p++) {
      k->in.beside = k->in.beside && is_away(k, y, u, &u->part[p]);
      if (!coq_gate_up(k, y, u, &u->part[p]) || !find_next(k, y, u, &u->part[p]) || !find_begun(k, y, u, &u->part[p]))
        return false;
    }
  }
  return find_first(k, y);
}

/* ---- the whole ---- */

static bool is_simple(const gates_claim *c)
{
  bool good = c->reading == READ_AS_IT_IS && c->families > 0 && c->cells.least == 0 && c->stays.scale == 0 &&
              !gates_by_way(c);
  for (int q = 0; q < c->families && good; q++) {
    const gate_family *y = &c->family[q];
    good = y->uses > 0 && !gates_waits(y) && y->partner < 0;
  }
  return good;
}

/* Words of different uses of a family are of different components, and those of families that do not alternate. */
static bool uses_apart(const gated *k)
{
  int *seen = ARENA_NEW(k->in.memory, int, (size_t)k->in.t.form.arrays + 1); /* the family, 1 and more */
  for (int q = 0; q < k->in.c.families; q++)
    for (int i = 0; i < k->family[q].of->uses; i++) {
      int *at = &seen[component(k, k->family[q].use[i].word)];
      if (*at == q + 1 || (*at > 0 && *at <= k->family[q].least))
        return false;
      *at = q + 1;
    }
  return true;
}

static bool is_as_much(const gated *k, const bound_question *q, const bound *b)
{
  SCOPED_MPZ sum, ring;
  bool good = true;
  mpz_inits(sum, ring, NULL);
  mpz_add(sum, k->in.ends.inputs, k->in.ends.outputs);
  for (int f = 0; f < k->in.c.families && good; f++) {
    const coq_family *y = &k->family[f];
    good = coq_gate_sum(k, y, q->m, ring);
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
  for (int f = 0, least = 0, last = 0; f < k->in.c.families; f++) {
    least = k->in.c.family[f].alternates ? least : f;
    for (last = f; last + 1 < k->in.c.families && k->in.c.family[last + 1].alternates; last++)
      ;
    coq_gate_ring(k, f, least, last);
    coq_gate_time_last(k, &k->family[f]);
    if (k->family[f].kinds != k->family[k->family[f].least].kinds || !coq_gate_held(k, &k->family[f], f) ||
        !coq_gate_elements(k, &k->family[f], f))
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
  for (int f = 0; f < k->in.c.families && good; f++) {
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
           coq_forms_moved(k->in.memory, &next->held, at, y->keys.n, &moved);
    coq_forms_add(k->in.memory, &known, &left);
    known = coq_forms_both(k->in.memory, &known, &y->held);
    good = good && coq_implies_all(&y->keys, &known, &moved);
  }
  return good;
}

static bool read_claim(void *own, const bound_question *q, const bound *b)
{
  gated *k = own;
  size_t arrays = (size_t)k->in.t.form.arrays;
  k->told = ARENA_NEW(k->in.memory, bool, arrays);
  k->start = ARENA_NEW(k->in.memory, text, arrays);
  k->back = arena_new(k->in.memory, arrays, sizeof *k->back);
  k->in.beside = true;
  coq_ends_init(&k->in.ends, &k->in.t);
  if (!read_families(k) || !are_followed(k))
    return false;
  for (int x = 0; x < k->in.t.form.arrays; x++)
    if (is_used(k, component(k, x)) && !find_start(k, x))
      return false;
  for (int x = 0; x < k->in.t.form.arrays; x++) /* a label is one input's */
    for (int y = 0; y < x; y++)
      if (k->told[x] && k->told[y] && component(k, x) == component(k, y))
        return false;
  for (int f = 0; f < k->in.c.families; f++)
    if (!find_family(k, f))
      return false;
  return is_as_much(k, q, b);
}

/* ---- writing ---- */

static void put_claim(const void *own, text *out)
{
  const gated *k = own;
  bool some = false;
  text_add(out, "GatesCertificate.GatesClaim\n  [::");
  for (int x = 0; x < k->in.t.form.arrays; x++) {
    text_printf(out, "%s(%d%%nat, ", x ? "; " : " ", component(k, x));
    coq_put_linears(k->in.f.words.label[x], k->in.f.words.labels[component(k, x)], k->in.t.box[x].n, out);
    text_char(out, ')');
  }
  text_add(out, "]\n  [::");
  for (int x = 0; x < k->in.t.form.arrays; x++)
    if (is_used(k, component(k, x))) {
      text_printf(out, "%s(%d%%nat, (", some ? ";\n      " : " ", x);
      coq_put_linears(k->back[x], k->told[x] ? k->in.t.box[x].n : 0, k->in.f.words.labels[component(k, x)], out);
      text_printf(out, ", %s))", text_str(&k->start[x]));
      some = true;
    }
  text_printf(out, "]\n  %s\n  [::", k->in.beside ? "true" : "false");
  for (int f = 0; f < k->in.c.families; f++) {
    const coq_family *y = &k->family[f];
    if (f == y->least)
      text_printf(out, "%sGatesCertificate.Ring %d%%nat [::", f ? ";\n    " : " ", y->of->lag);
    text_add(out, f > y->least ? ";\n    " : " ");
    coq_gate_put(k, y, out);
    text_add(out, f == y->last ? "]" : "");
  }
  text_char(out, ']');
}

/* False: then nothing is left to be closed. */
static bool open_claim(const coq_gates_theorem *theorem, const bound_question *q, const json_value *v, coq_gates *in)
{
  SCOPED_TEXT reason = { 0 };
  if (!gates_claim_read(v, &in->c, &reason) || !theorem->simple(&in->c))
    return false;
  if (coq_text_read(&in->t, q->g) && affine_facts_init(&in->f, q->g, READ_AS_IT_IS)) {
    gates_facts_init(&in->g, &in->f);
    if (coq_names_kept(&in->f.form) && gates_derive(&in->g, &in->c, &reason) &&
        coq_same_text(&in->t.form, &in->f.form))
      return true;
    gates_facts_clear(&in->g);
    affine_facts_clear(&in->f);
  }
  coq_text_clear(&in->t);
  return false;
}

bool coq_gates_prove(const coq_gates_theorem *theorem, void *own, const bound_question *q, const bound *b,
                     const json_value *v, text *told)
{
  coq_gates *in = own;
  if (!open_claim(theorem, q, v, in))
    return false;
  in->memory = &in->t.form.memory;
  bool proves = theorem->read(own, q, b);
  if (proves && told) {
    coq_text_put(&in->t, &told[COQ_TEXT]);
    text_add(&told[COQ_ENDS], text_str(&in->ends.written));
    theorem->put(own, &told[COQ_CLAIM]);
  }
  theorem->clear(own);
  if (in->ends.region)
    coq_ends_clear(&in->ends);
  gates_facts_clear(&in->g);
  affine_facts_clear(&in->f);
  coq_text_clear(&in->t);
  return proves;
}

bool coq_gates_proves(const bound_question *q, const bound *b, const json_value *v, text *told)
{
  static const coq_gates_theorem theorem = { is_simple, read_claim, put_claim, coq_gate_clear };
  SCOPED_MEM gated *k = MEM_NEW(gated, 1);
  return coq_gates_prove(&theorem, k, q, b, v, told);
}
