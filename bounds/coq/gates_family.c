/* Families of gates: keys and times, elements, and walks from and to them. */
#include "bounds/coq/gates_internal.h"
#include "base/mem.h"
#include "base/scoped.h"
#include <inttypes.h>
#include <string.h>

void coq_gate_ring(gated *k, int q, int least, int last)
{
  coq_family *y = &k->family[q];
  y->of = &k->in.c.family[q];
  y->uses = y->of->uses + y->of->waits;
  y->least = least;
  y->last = last;
  for (int i = least; i <= last; i++) {
    const gate_family *of = &k->in.c.family[i];
    if (of->phase - y->of->phase > y->ahead)
      y->ahead = of->phase - y->of->phase;
    if (of->time >= 0 && of->back && k->in.t.box[of->array].size[of->time] - 1 > y->end)
      y->end = k->in.t.box[of->array].size[of->time] - 1;
  }
}

/* The moment of a time, and the time of a moment. */
static linear moved_time(const coq_family *y, const linear *f, bool of_moment)
{
  linear moved = linear_constant(y->of->back ? y->end + y->ahead : of_moment ? -y->ahead : y->ahead);
  linear_add(&moved, f, y->of->back ? -1 : 1);
  return moved;
}

void coq_gate_time_last(const gated *k, coq_family *y)
{
  const gate_family *of = y->of;
  const coq_box *b = &k->in.t.box[of->array];
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
  for (int r = 0; r < b->n; r++) {
    linear fixed = gates_fixed(of, r);
    if (of->role[r] == GATE_AT && of->along[r])
      linear_substitute(&fixed, y->role, b->n, 0, &y->role[r]);
  }
}

bool coq_gate_held(gated *k, coq_family *y, int q)
{
  const gate_sets *s = &k->in.g.set[q];
  polyhedra all = { 0 };
  linear place[CDAG_RANK] = { 0 };
  for (int i = 0; i < s->keys; i++)
    place[i] = y->role[s->index[i]];
  for (int i = 0; i < s->gates.n; i++) {
    polyhedron *p = polyhedron_new(k->in.memory, y->keys.n), *cut = polyhedron_copy(k->in.memory, s->gates.item[i]);
    linear zero = linear_constant(0), last = linear_variable(y->kinds);
    for (int v = 0; v < s->keys; v++) {
      linear key = linear_variable(v), lo = linear_constant(y->of->cut.lo), hi = linear_constant(y->of->cut.hi);
      if (s->index[v] == y->of->cut.key) {
        polyhedron_require(k->in.memory, cut, &lo, &key);
        polyhedron_require(k->in.memory, cut, &key, &hi);
      }
    }
    polyhedron_include(k->in.memory, p, cut, place, s->keys);
    if (y->of->time < 0)
      polyhedron_same(k->in.memory, p, &last, &zero);
    if (p->open || !polyhedron_empty(p))
      polyhedra_add(k->in.memory, &all, polyhedron_tidy(k->in.memory, p));
  }
  polyhedra_join(k->in.memory, &all);
  return all.n == 1 && coq_forms_beyond(k->in.memory, &y->keys, all.item[0], &y->held);
}

/* Forms of a gate's indices: those that the keys tell, and variables from `first` on; *box gets these. */
static bool gate_forms(const gated *k, const coq_family *y, const linear *key, int first, coq_box *box, linear *at)
{
  const coq_box *b = &k->in.t.box[y->of->array];
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

bool coq_gate_elements(gated *k, coq_family *y, int q)
{
  const polyhedra *gate = &k->in.g.set[q].gate;
  coq_box box = y->keys;
  coq_forms all = { 0 };
  linear key[CDAG_RANK + 1];
  coq_walk w = { .t = &k->in.t, .memory = k->in.memory, .box = &box, .array = y->of->array, .to = -1, .least = 1,
                 .most = 1 };
  linear_variables(key, y->keys.n, 0);
  if (gate->n != 1 || !coq_forms_beyond(k->in.memory, &k->in.t.box[y->of->array], gate->item[0], &all) ||
      !gate_forms(k, y, key, y->keys.n, &box, w.from))
    return false;
  w.known = coq_forms_both(k->in.memory, &y->held, &w.known);
  for (int i = 0; i < all.n; i++) {
    linear f;
    if (!linear_substitute(&all.item[i], w.from, CDAG_RANK, 0, &f))
      return false;
    if (coq_implies(&box, &y->held, &f))
      continue;
    coq_forms_add(k->in.memory, &y->where, &all.item[i]);
    coq_forms_add(k->in.memory, &w.known, &f);
  }
  return coq_walk_put(&w, &y->made);
}

void coq_gate_keys(const coq_family *y, coq_use *u)
{
  for (int q = 0; q < y->kinds; q++) {
    u->key[q] = linear_variable(u->use->keys.loop[y->index[q]]);
    u->key[q].base = u->use->keys.offset[y->index[q]];
  }
  if (y->of->time >= 0) {
    linear time = linear_variable(u->use->keys.loop[y->of->time]);
    time.base = u->use->keys.offset[y->of->time];
    u->key[y->kinds] = moved_time(y, &time, false);
  }
}

bool coq_gate_part(gated *k, coq_use *u, const coq_family *y, const polyhedron *b)
{
  const coq_box *box = &k->in.t.box[u->array];
  const coq_forms *lives = k->in.ends.region[u->array];
  polyhedron *p = polyhedron_copy(k->in.memory, b);
  coq_part *part = &u->part[u->parts];
  bool there = false;
  for (int r = 0; r < CDAG_RANK; r++)
    if (r == y->of->cut.key) {
      linear key = linear_variable(u->use->keys.loop[r]), lo = linear_constant(y->of->cut.lo),
             hi = linear_constant(y->of->cut.hi);
      key.base = u->use->keys.offset[r];
      polyhedron_require(k->in.memory, p, &lo, &key);
      polyhedron_require(k->in.memory, p, &key, &hi);
    }
  if (!p->open && polyhedron_empty(p))
    return true;
  if (!lives || !coq_forms_beyond(k->in.memory, box, polyhedron_tidy(k->in.memory, p), &part->where))
    return false;
  for (int i = 0; i < k->in.t.form.array[u->array].domain.n; i++)
    there = there || coq_implies_all(box, &part->where, &k->in.t.piece[u->array][i]);
  coq_forms moved = { 0 };
  for (int i = 0; i < u->parts; i++) {
    coq_forms both = coq_forms_both(k->in.memory, &u->part[i].where, &part->where);
    if (!coq_implies(box, &both, &coq_never))
      return false;
  }
  u->parts++;
  return there && coq_implies_all(box, &part->where, lives) &&
         (u->use->access < 0 || coq_implies_all(box, &part->where, &k->in.t.where[u->use->access])) &&
         coq_forms_moved(k->in.memory, &y->held, u->key, y->keys.n, &moved) &&
         coq_implies_all(box, &part->where, &moved);
}

bool coq_gate_up(gated *k, const coq_family *y, const coq_use *u, coq_part *p)
{
  coq_walk w = { .t = &k->in.t, .memory = k->in.memory, .box = &k->in.t.box[u->array], .known = p->where,
                 .array = u->array, .to = y->of->array, .there = y->where, .most = WALK_LINKS };
  linear_variables(w.from, w.box->n, 0);
  for (int r = 0; r < k->in.t.box[w.to].n; r++)
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
    coq_forms_add(k->in.memory, l, f);
}

bool coq_gate_from(gated *k, const coq_family *y, const coq_use *u, const coq_part *p, int64_t later, bool next,
                      coq_box *box, coq_walk *w)
{
  linear key[CDAG_RANK + 1];
  coq_forms moved = { 0 };
  *box = k->in.t.box[u->array];
  memcpy(key, u->key, sizeof key);
  key[y->kinds].base += later;
  *w = (coq_walk){ .t = &k->in.t, .memory = k->in.memory, .box = box, .array = y->of->array, .most = WALK_LINKS };
  if (!gate_forms(k, y, key, box->n, box, w->from) || box->n > CDAG_RANK * 2)
    return false;
  w->known = coq_forms_both(k->in.memory, &p->where, &w->known);
  if (next) {
    linear left = linear_constant(y->keys.size[y->kinds] - 1);
    if (!linear_add(&left, &key[y->kinds], -1) || !coq_forms_moved(k->in.memory, &y->held, key, y->keys.n, &moved))
      return false;
    add_not_said(k, box, &left, &w->known);
  }
  if (!coq_forms_moved(k->in.memory, &y->where, w->from, CDAG_RANK, &moved))
    return false;
  for (int i = 0; i < moved.n; i++)
    add_not_said(k, box, &moved.item[i], &w->known);
  return true;
}

bool coq_gate_sum(const gated *k, const coq_family *y, uint64_t m, mpz_t sum)
{
  SCOPED_MPZ used, gates;
  bool good = true;
  mpz_inits(used, gates, NULL);
  for (int i = 0; i < y->uses; i++)
    for (int p = 0; p < y->use[i].parts && good; p++)
      good = coq_points(k->in.memory, &k->in.t.box[y->use[i].array], &y->use[i].part[p].where, used);
  good = good && coq_points(k->in.memory, &y->keys, &y->held, gates);
  mpz_submul_ui(used, gates, (unsigned long)m - k->in.beside);
  if (mpz_sgn(used) > 0)
    mpz_add(sum, sum, used);
  return good;
}

void coq_gate_put_use(const gated *k, const coq_family *y, const coq_use *u, text *out)
{
  int rank = k->in.t.box[u->array].n;
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

void coq_gate_put(const gated *k, const coq_family *y, text *out)
{
  int rank = k->in.t.box[y->of->array].n;
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
  coq_put_linears(y->first, k->in.t.box[y->use[y->first_use].array].n, y->keys.n, out);
  text_add(out, ")\n    [::");
  for (int i = 0; i < y->of->uses; i++) {
    text_add(out, i ? ";\n      " : " ");
    coq_gate_put_use(k, y, &y->use[i], out);
  }
  text_char(out, ']');
}

void coq_gate_clear(void *own)
{
  gated *k = own;
  for (int x = 0; x < k->in.t.form.arrays && k->start; x++)
    text_clear(&k->start[x]);
  for (int f = 0; f < k->in.c.families; f++) {
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
