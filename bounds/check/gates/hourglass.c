/* Hourglasses: each gate has all words of its class after it, and reads those of another class. */
#include "base/scoped.h"
#include "bounds/check/gates/gating.h"
#include "bounds/checker.h"

bool gating_class(gating *s, const used *w, int *key, int *label)
{
  const gate_keys *k = &s->of->use[0].keys;
  *key = *label = -1;
  for (int q = 0; q < s->sets->keys; q++)
    if (s->sets->index[q] != s->of->time)
      *key = q;
  if (s->sets->keys != 2 || *key < 0)
    return false;
  linear of = linear_variable(k->loop[s->sets->index[*key]]);
  of.base = k->offset[s->sets->index[*key]];
  for (int l = 0; l < w->labels; l++)
    if (linear_equal(&w->label[l], &of))
      *label = l;
  return *label >= 0;
}

/* Each gate has all words after it: the set is a product of the gates and of the labels that are not the class.  Their
 * number. */
static bool find_width(gating *s, const used *w, int key, int label)
{
  const polyhedra *of = &s->sets->set[0].of;
  polyhedra rests = { 0 }, pieces = { 0 }, all = { 0 }, missing = { 0 };
  int vars = 2 + w->labels;
  mpz_t n;
  for (int i = 0; i < of->n; i++) { /* labels but the class, in the first variables */
    polyhedron *p = polyhedron_new(s->memory, w->labels - 1);
    bool exact;
    polyhedron_include(s->memory, p, of->item[i], NULL, 0);
    for (int l = 0, at = 0; l < w->labels; l++) {
      linear to = linear_variable(at), from = linear_variable(w->labels - 1 + 2 + l);
      if (l == label)
        continue;
      polyhedron_same(s->memory, p, &to, &from);
      at++;
    }
    p = polyhedron_project(s->memory, p, w->labels - 1, &exact);
    if (!exact || p->open)
      return false;
    polyhedra_add(s->memory, &rests, p);
  }
  if (!polyhedra_disjoint(s->memory, &rests, w->labels - 1, &pieces))
    return false;
  for (int i = 0; i < pieces.n; i++)
    for (int k = 0; k < s->sets->gates.n; k++) {
      polyhedron *p = polyhedron_new(s->memory, vars);
      linear keys[2] = { linear_variable(0), linear_variable(1) }, rest[LABELS_MOST], is = linear_variable(2 + label);
      for (int l = 0, at = 0; l < w->labels; l++)
        if (l != label)
          rest[at++] = linear_variable(2 + l);
      polyhedron_include(s->memory, p, s->sets->gates.item[k], keys, 2);
      polyhedron_include(s->memory, p, pieces.item[i], rest, w->labels - 1);
      polyhedron_same(s->memory, p, &is, &keys[key]);
      if (p->open)
        return false;
      polyhedra_add(s->memory, &all, p);
    }
  if (!polyhedra_minus(s->memory, &all, of, vars, &missing) || missing.n > 0)
    return false;
  mpz_init(n);
  bool good = polyhedra_count(&pieces, n) && mpz_sgn(n) > 0 && mpz_fits_slong_p(n);
  s->sets->width = good ? mpz_get_si(n) : 0;
  mpz_clear(n);
  return good && polyhedra_count(of, s->sets->steps);
}

bool gating_partner(gating *s, const used *w, int label, linear *partner)
{
  const access *a = s->f->form.access[s->of->partner];
  const gate_keys *k = &s->of->use[0].keys;
  linear read[LABELS_MOST], time = linear_variable(k->loop[s->of->time]);
  polyhedra where = { 0 }, rest = { 0 };
  polyhedra_add(s->memory, &where, a->where);
  if (a->from != w->array || !a->single || s->f->words.component[a->to] != w->component ||
      words_label_of(&s->f->words, a->to, a->index, read) != w->labels ||
      !polyhedra_minus(s->memory, &w->b, &where, w->rank, &rest) || rest.n > 0)
    return false;
  for (int l = 0; l < w->labels; l++)
    if (l != label && !linear_equal(&read[l], &w->label[l]))
      return false;
  *partner = read[label];
  return linear_add(&read[label], &time, -1) && linear_is_constant(&read[label]);
}

/* No two classes are partners of each other, nor one of itself. */
static bool one_way(gating *s, const used *w, int label, const linear *partner)
{
  for (int i = 0; i < w->b.n; i++)
    for (int k = 0; k < w->b.n; k++) {
      int shift;
      linear class, other;
      polyhedron *both = polyhedron_beside(s->memory, w->b.item[i], w->b.item[k], &shift);
      if (!linear_substitute(&w->label[label], NULL, 0, shift, &class) ||
          !linear_substitute(partner, NULL, 0, shift, &other))
        return false;
      polyhedron_same(s->memory, both, &class, partner);
      polyhedron_same(s->memory, both, &other, &w->label[label]);
      if (!polyhedron_empty(both))
        return false;
    }
  return true;
}

bool gating_hourglass(gating *s, const used *w)
{
  int key, label;
  linear partner;
  mpz_set_ui(s->sets->steps, 0);
  return (s->of->uses == 1 && s->of->waits == 0 && s->of->use[0].access < 0 && s->of->time >= 0 && s->of->lag == 1 &&
          w->labels >= 1 && gating_class(s, w, &key, &label) && gating_partner(s, w, label, &partner) &&
          one_way(s, w, label, &partner) && find_width(s, w, key, label)) ||
         bound_refuse(s->reason, "the gates are not shown to be an hourglass");
}

void hourglass_most(int64_t width, const mpz_t x, mpz_t most)
{
  SCOPED_MPZ f, pairs;
  mpz_inits(f, pairs, NULL);
  mpz_fdiv_q_ui(f, x, (unsigned long)width);
  mpz_sub_ui(pairs, f, 1);
  mpz_mul(pairs, pairs, f);
  mpz_fdiv_q_2exp(pairs, pairs, 1);
  mpz_mul_si(pairs, pairs, width);
  mpz_mul_2exp(most, x, 1);
  if (mpz_sgn(f) > 0)
    mpz_add(most, most, pairs);
}
