#include "bounds/coq/gates.h"
#include "base/mem.h"
#include "base/scoped.h"
#include "bounds/coq/walks.h"
#include <inttypes.h>
#include <string.h>

enum { SIDES = 2 };

typedef struct {
  coq_gates in;
  const gate_family *of;
  const coq_box *loops;        /* of the gate's array */
  int kinds, index[CDAG_RANK];
  coq_box keys, pair;          /* pair: an element's loops, and what another of its gate may have for itself */
  coq_forms held, where;
  linear key[CDAG_RANK], role[CDAG_RANK], first[CDAG_RANK];
  coq_node node[SIDES][GATE_LINKS];
  linear (*back)[CDAG_RANK];   /* of each array: the loops of the last element */
  bool *on_path;
  text begins[SIDES], serves;
} forked;

static bool is_simple(const gates_claim *c)
{
  const gate_family *y = &c->family[0];
  return c->reading == READ_AS_IT_IS && c->families == 1 && c->cells.least == 0 && c->stays.scale == 0 &&
         y->fork.paths == 1 && !y->fork.input[0] &&
         (y->twice.key < 0 || (y->twice.key == y->cut.key && y->twice.lo == y->cut.lo && y->twice.hi == y->cut.hi)) &&
         (y->twice.key >= 0 || y->cut.key < 0) && y->twice.lo <= y->twice.hi;
}

static void require_cut(forked *k, polyhedron *p, int variable)
{
  linear key = linear_variable(variable), lo = linear_constant(k->of->cut.lo), hi = linear_constant(k->of->cut.hi);
  polyhedron_require(k->in.memory, p, &lo, &key);
  polyhedron_require(k->in.memory, p, &key, &hi);
}

/* The points of the list that are in the cut, in one piece. */
static bool in_one(forked *k, const polyhedra *l, const int *index, int n, const coq_box *b, coq_forms *forms)
{
  polyhedra all = { 0 };
  for (int i = 0; i < l->n; i++) {
    polyhedron *p = polyhedron_copy(k->in.memory, l->item[i]);
    for (int v = 0; v < n; v++)
      if (k->of->cut.key >= 0 && (index ? index[v] : v) == k->of->cut.key)
        require_cut(k, p, v);
    if (p->open || !polyhedron_empty(p))
      polyhedra_add(k->in.memory, &all, polyhedron_tidy(k->in.memory, p));
  }
  polyhedra_join(k->in.memory, &all);
  return all.n == 1 && coq_forms_beyond(k->in.memory, b, all.item[0], forms);
}

static bool read_keys(forked *k)
{
  const gate_sets *s = &k->in.g.set[0];
  for (int r = 0; r < k->loops->n; r++) {
    k->role[r] = linear_constant(k->of->at[r]);
    if (k->of->role[r] == GATE_KEY) {
      k->key[k->kinds] = linear_variable(r);
      k->role[r] = linear_variable(k->kinds);
      k->keys.size[k->kinds] = k->loops->size[r];
      k->index[k->kinds++] = r;
    }
  }
  k->keys.n = k->kinds;
  return in_one(k, &s->gates, s->index, s->keys, &k->keys, &k->held) &&
         in_one(k, &s->user[0], NULL, k->loops->n, k->loops, &k->where);
}

/* The elements are there, live, and of gates that count. */
static bool are_elements(forked *k)
{
  coq_forms moved = { 0 };
  bool there = false;
  for (int i = 0; i < k->in.t.form.array[k->of->array].domain.n; i++)
    there = there || coq_implies_all(k->loops, &k->where, &k->in.t.piece[k->of->array][i]);
  for (int r = 0; r < k->loops->n; r++) {
    linear x = linear_variable(r), role;
    if (k->of->role[r] != GATE_ANY && (!linear_substitute(&k->role[r], k->key, k->kinds, 0, &role) ||
                                       !coq_form_same(k->loops, &k->where, &x, &role)))
      return false;
  }
  return there && k->in.ends.region[k->of->array] &&
         coq_implies_all(k->loops, &k->where, k->in.ends.region[k->of->array]) &&
         coq_forms_moved(k->in.memory, &k->held, k->key, k->kinds, &moved) &&
         coq_implies_all(k->loops, &k->where, &moved);
}

static bool find_first(forked *k)
{
  return coq_find_first(k->in.memory,
                        &(coq_keyed){ .loops = k->loops, .keys = &k->keys, .where = &k->where, .held = &k->held,
                                      .key = k->key },
                        k->first);
}

/* ---- paths ---- */

/* Each array stands in paths at one place, which tells the last element. */
static bool add_node(forked *k, const coq_node *node)
{
  int n = k->in.t.box[node->array].n;
  if (!k->on_path[node->array] &&
      !coq_tell_from(k->in.memory, node->at, n, k->loops, &k->where, k->back[node->array]))
    return false;
  k->on_path[node->array] = true;
  k->in.beside = k->in.beside && node->array != k->of->array;
  for (int r = 0; r < k->loops->n; r++) {
    linear x = linear_variable(r);
    if (!coq_same_moved(k->loops, &k->where, &k->back[node->array][r], node->at, n, &x))
      return false;
  }
  return !coq_is_put_out(&k->in.t, k->loops, &k->where, node);
}

static bool find_side(forked *k, int side)
{
  const fork_path *path = &k->of->fork.side[side][0];
  const coq_node *begin = &k->node[side][path->links > 0 ? path->links - 1 : 0];
  if (!coq_path_nodes(&k->in.t, k->in.memory, k->loops, &k->where, k->of->array, path->link, path->links,
                      k->node[side]))
    return false;
  for (int l = 0; l < path->links; l++)
    if (!add_node(k, &k->node[side][l]))
      return false;
  coq_walk w = { .t = &k->in.t, .memory = k->in.memory, .box = k->loops, .known = k->where,
                 .array = begin->array, .to = -1, .least = 1, .most = 1 };
  memcpy(w.from, begin->at, sizeof w.from);
  return coq_walk_put(&w, &k->begins[side]);
}

/* From another element of the gate to where a path begins, on either side. */
static bool find_serves(forked *k)
{
  coq_walk w = { .t = &k->in.t, .memory = k->in.memory, .box = &k->pair, .array = k->of->array, .most = WALK_LINKS },
           also;
  coq_forms moved = { 0 }, none = { 0 };
  k->pair = *k->loops;
  for (int r = 0; r < k->loops->n; r++)
    if (k->of->role[r] == GATE_ANY) {
      w.from[r] = linear_variable(k->pair.n);
      k->pair.size[k->pair.n++] = k->loops->size[r];
    } else if (!linear_substitute(&k->role[r], k->key, k->kinds, 0, &w.from[r]))
      return false;
  w.known = coq_forms_both(k->in.memory, &k->where, &none);
  if (k->in.t.form.array[k->of->array].domain.n == 1) {
    if (!coq_forms_moved(k->in.memory, &k->in.t.piece[k->of->array][0], w.from, CDAG_RANK, &moved))
      return false;
    for (int i = 0; i < moved.n; i++)
      if (!coq_implies(&k->pair, &none, &moved.item[i]))
        coq_forms_add(k->in.memory, &w.known, &moved.item[i]);
  }
  also = w;
  for (int side = 0; side < SIDES; side++) {
    coq_walk *end = side ? &also : &w;
    const coq_node *node = &k->node[side][k->of->fork.side[side][0].links - 1];
    end->to = node->array;
    end->told = k->in.t.box[node->array].n;
    linear_variables(end->form, end->told, 0);
    memcpy(end->value, node->at, sizeof node->at);
  }
  w.also = &also;
  return coq_walk_put(&w, &k->serves);
}

/* ---- the whole ---- */

static bool is_as_much(const forked *k, const bound_question *q, const bound *b)
{
  SCOPED_MPZ sum, gates;
  mpz_inits(sum, gates, NULL);
  bool good = coq_points(k->in.memory, k->loops, &k->where, sum) && coq_points(k->in.memory, &k->keys, &k->held, gates);
  mpz_submul_ui(sum, gates, (unsigned long)q->m + 1 - k->in.beside);
  if (mpz_sgn(sum) < 0)
    mpz_set_ui(sum, 0);
  mpz_mul_ui(sum, sum, 2);
  mpz_add(sum, sum, k->in.ends.inputs);
  mpz_add(sum, sum, k->in.ends.outputs);
  return good && mpz_cmp(b->value, sum) <= 0;
}

static bool read_claim(void *own, const bound_question *q, const bound *b)
{
  forked *k = own;
  k->of = &k->in.c.family[0];
  k->loops = &k->in.t.box[k->of->array];
  k->in.beside = k->in.g.set[0].beside;
  k->on_path = ARENA_NEW(k->in.memory, bool, (size_t)k->in.t.form.arrays);
  k->back = arena_new(k->in.memory, (size_t)k->in.t.form.arrays, sizeof *k->back);
  coq_ends_init(&k->in.ends, &k->in.t);
  return read_keys(k) && are_elements(k) && find_first(k) && find_side(k, 0) && find_side(k, 1) && find_serves(k) &&
         is_as_much(k, q, b);
}

static void put_claim(const void *own, text *out)
{
  const forked *k = own;
  bool some = false;
  text_printf(out, "ForksCertificate.Fork %d%%nat [::", k->of->array);
  for (int r = 0; r < k->loops->n; r++) {
    text_add(out, r ? "; " : " ");
    text_add(out, k->of->role[r] == GATE_ANY ? "None" : "Some ");
    if (k->of->role[r] != GATE_ANY) {
      coq_put_form(&k->role[r], k->kinds, out);
      text_add(out, "%Z");
    }
  }
  text_add(out, "]\n  [::");
  for (int q = 0; q < k->kinds; q++)
    text_printf(out, "%s%" PRId64, q ? "; " : " ", k->keys.size[q]);
  text_add(out, "]%num ");
  coq_put_forms(&k->held, k->kinds, out);
  text_char(out, ' ');
  coq_put_linears(k->key, k->kinds, k->loops->n, out);
  text_char(out, ' ');
  coq_put_forms(&k->where, k->loops->n, out);
  text_char(out, ' ');
  coq_put_linears(k->first, k->loops->n, k->kinds, out);
  text_add(out, "\n  [::");
  for (int side = 0; side < SIDES; side++) {
    const fork_path *path = &k->of->fork.side[side][0];
    text_add(out, side ? ";\n      ([::" : " ([::");
    for (int l = 0; l < path->links; l++)
      text_printf(out, "%s%d%%nat", l ? "; " : " ", path->link[l]);
    text_printf(out, "], %s)", text_str(&k->begins[side]));
  }
  text_printf(out, "]\n  %s\n  [::", text_str(&k->serves));
  for (int x = 0; x < k->in.t.form.arrays; x++)
    if (k->on_path[x]) {
      text_printf(out, "%s(%d%%nat, ", some ? "; " : " ", x);
      coq_put_linears(k->back[x], k->loops->n, k->in.t.box[x].n, out);
      text_char(out, ')');
      some = true;
    }
  text_printf(out, "] %s", k->in.beside ? "true" : "false");
}

static void clear_claim(void *own)
{
  forked *k = own;
  for (int side = 0; side < SIDES; side++)
    text_clear(&k->begins[side]);
  text_clear(&k->serves);
}

bool coq_forks_proves(const bound_question *q, const bound *b, const json_value *v, text *told)
{
  static const coq_gates_theorem theorem = { is_simple, read_claim, put_claim, clear_claim };
  SCOPED_MEM forked *k = MEM_NEW(forked, 1);
  return coq_gates_prove(&theorem, k, q, b, v, told);
}
