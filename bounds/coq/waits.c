/* Paths that wait at gates, as Coq is told of them (proofs/certify/WaitsCertificate.v). */
#include "base/mem.h"
#include "base/scoped.h"
#include "bounds/coq/gates_internal.h"
#include <inttypes.h>
#include <string.h>

/* The paths of one family. */
typedef struct {
  const gate_wait *of;
  gate_use end;                /* their last elements, told as a use is */
  coq_node node[GATE_LINKS];
  linear back[GATE_LINKS][CDAG_RANK], turn[GATE_LINKS];
  text begins;
} waiting;

typedef struct {
  gated k;
  waiting wait[GATE_FAMILIES];
} waited;

/* Families of one lag and of one kind of paths, which count once more wherever they count. */
static bool is_simple(const gates_claim *c)
{
  bool good = c->reading == READ_AS_IT_IS && c->families > 0 && c->cells.least == 0 && c->stays.scale == 0 &&
              !gates_by_way(c);
  for (int q = 0; q < c->families && good; q++) {
    const gate_family *y = &c->family[q];
    const gate_cut *cut = &y->cut, *twice = &y->twice;
    good = y->uses == 0 && y->waits == 1 && y->fork.paths == 0 && !y->chained && y->partner < 0 &&
           y->lag == c->family[0].lag && twice->key == cut->key && twice->lo == cut->lo && twice->hi == cut->hi;
  }
  return good;
}

/* The last elements of paths, in one piece. */
static bool find_ends(gated *k, int q)
{
  coq_family *y = &k->family[q];
  coq_use *u = &y->use[0];
  polyhedra all = { 0 };
  const polyhedra *z = &k->in.g.set[q].user[0];
  for (int i = 0; i < z->n; i++)
    polyhedra_add(k->in.memory, &all, z->item[i]);
  polyhedra_join(k->in.memory, &all);
  u->part = ARENA_NEW(k->in.memory, coq_part, 1);
  u->array = u->use->array;
  coq_gate_keys(y, u);
  return all.n == 1 && coq_gate_part(k, u, y, all.item[0]) && u->parts == 1;
}

/* From each element of the gate down to the path's first. */
static bool find_begun(gated *k, const coq_family *y, const coq_use *u, const coq_node *first)
{
  coq_box box;
  coq_walk w;
  if (!coq_gate_from(k, y, u, &u->part[0], 0, false, &box, &w))
    return false;
  w.to = first->array;
  w.told = k->in.t.box[first->array].n;
  linear_variables(w.form, w.told, 0);
  memcpy(w.value, first->at, sizeof first->at);
  return coq_walk_put(&w, &u->part[0].begun);
}

static bool find_path(waited *s, int q)
{
  gated *k = &s->k;
  const coq_family *y = &k->family[q];
  const coq_use *u = &y->use[0];
  waiting *x = &s->wait[q];
  const coq_box *loops = &k->in.t.box[u->array];
  const coq_forms *where = &u->part[0].where;
  if (!coq_path_nodes(&k->in.t, k->in.memory, loops, where, u->array, x->of->link, x->of->links, x->node))
    return false;
  for (int l = 0; l < x->of->links; l++) {
    const coq_node *node = &x->node[l];
    int n = k->in.t.box[node->array].n;
    if (node->array == y->of->array || coq_is_put_out(&k->in.t, loops, where, node) ||
        !coq_tell_from(k->in.memory, node->at, n, loops, where, x->back[l]) ||
        !linear_substitute(&u->key[y->kinds], x->back[l], loops->n, 0, &x->turn[l]))
      return false;
    for (int r = 0; r < loops->n; r++) {
      linear v = linear_variable(r);
      if (!coq_same_moved(loops, where, &x->back[l][r], node->at, n, &v))
        return false;
    }
  }
  const coq_node *first = &x->node[x->of->links - 1];
  coq_walk w = { .t = &k->in.t, .memory = k->in.memory, .box = loops, .known = *where, .array = first->array, .to = -1,
                 .least = 1, .most = 1 };
  memcpy(w.from, first->at, sizeof w.from);
  text_add(&u->part[0].next, "Walks.Nowhere");
  return coq_walk_put(&w, &x->begins) && coq_gate_up(k, y, u, &u->part[0]) && find_begun(k, y, u, first);
}

/* Elements of two places are of two arrays, or of gates that do not count together. */
static bool are_apart(const waited *s)
{
  for (int a = 0; a < s->k.in.c.families * GATE_LINKS; a++)
    for (int b = 0; b < a; b++) {
      const waiting *x = &s->wait[a / GATE_LINKS], *y = &s->wait[b / GATE_LINKS];
      int i = a % GATE_LINKS, j = b % GATE_LINKS;
      linear later = x->turn[i];
      if (i < x->of->links && j < y->of->links && x->node[i].array == y->node[j].array &&
          (!linear_add(&later, &y->turn[j], -1) || !linear_is_constant(&later) ||
           later.base % s->k.in.c.family[0].lag == 0))
        return false;
    }
  return true;
}

static bool is_as_much(const gated *k, const bound_question *q, const bound *b)
{
  SCOPED_MPZ sum;
  bool good = true;
  mpz_init(sum);
  for (int f = 0; f < k->in.c.families && good; f++)
    good = coq_gate_sum(k, &k->family[f], q->m, sum);
  mpz_cdiv_q_ui(sum, sum, (unsigned long)k->in.c.family[0].lag); /* of all rests the best */
  mpz_mul_ui(sum, sum, 2);
  mpz_add(sum, sum, k->in.ends.inputs);
  mpz_add(sum, sum, k->in.ends.outputs);
  return good && mpz_cmp(b->value, sum) <= 0;
}

static bool read_claim(void *own, const bound_question *q, const bound *b)
{
  waited *s = own;
  gated *k = &s->k;
  k->in.beside = true;
  coq_ends_init(&k->in.ends, &k->in.t);
  for (int f = 0; f < k->in.c.families; f++) {
    coq_family *y = &k->family[f];
    coq_gate_ring(k, f, 0, k->in.c.families - 1);
    coq_gate_time_last(k, y);
    s->wait[f].of = &y->of->wait[0];
    s->wait[f].end = (gate_use){ .array = y->of->wait[0].array, .access = -1, .keys = y->of->wait[0].keys };
    y->use[0].use = &s->wait[f].end;
    k->in.beside = k->in.beside && k->in.g.set[f].beside && y->of->wait[0].array != y->of->array;
    if (!coq_gate_held(k, y, f) || !coq_gate_elements(k, y, f) || !find_ends(k, f) || !find_path(s, f))
      return false;
  }
  return are_apart(s) && is_as_much(k, q, b);
}

static void put_wait(const waited *s, int q, text *out)
{
  const gated *k = &s->k;
  const coq_family *y = &k->family[q];
  const waiting *x = &s->wait[q];
  text_add(out, "WaitsCertificate.Wait (");
  coq_gate_put(k, y, out);
  text_add(out, ")\n    (");
  coq_gate_put_use(k, y, &y->use[0], out);
  text_add(out, ")\n    [::");
  for (int l = 0; l < x->of->links; l++)
    text_printf(out, "%s%d%%nat", l ? "; " : " ", x->of->link[l]);
  text_printf(out, "] %s\n    [::", text_str(&x->begins));
  for (int l = 0; l < x->of->links; l++) {
    text_add(out, l ? "; " : " ");
    coq_put_linears(x->back[l], k->in.t.box[y->use[0].array].n, k->in.t.box[x->node[l].array].n, out);
  }
  text_char(out, ']');
}

static void put_claim(const void *own, text *out)
{
  const waited *s = own;
  const gated *k = &s->k;
  text_printf(out, "WaitsCertificate.WaitsClaim %d%%nat %s\n  [::", k->in.c.family[0].lag,
              k->in.beside ? "true" : "false");
  for (int f = 0; f < k->in.c.families; f++) {
    text_add(out, f ? ";\n    " : " ");
    put_wait(s, f, out);
  }
  text_char(out, ']');
}

static void clear_claim(void *own)
{
  waited *s = own;
  for (int f = 0; f < s->k.in.c.families; f++)
    text_clear(&s->wait[f].begins);
  coq_gate_clear(&s->k);
}

bool coq_waits_proves(const bound_question *q, const bound *b, const json_value *v, text *told)
{
  static const coq_gates_theorem theorem = { is_simple, read_claim, put_claim, clear_claim };
  SCOPED_MEM waited *s = MEM_NEW(waited, 1);
  return coq_gates_prove(&theorem, s, q, b, v, told);
}
