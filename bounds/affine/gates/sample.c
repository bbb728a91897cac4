/* sample.c -- a few elements of each array, and what they read. */
#include "bounds/affine/gates/search.h"
#include "base/random.h"
#include <string.h>

bool gates_holds_at(const polyhedron *p, const int64_t *x, int n)
{
  for (int i = 0; i < p->n; i++) {
    __int128 sum = p->row[i].form.base;
    for (int v = 0; v < n; v++)
      sum += (__int128)p->row[i].form.coef[v] * x[v];
    if (p->row[i].equal ? sum != 0 : sum < 0)
      return false;
  }
  return true;
}

void gates_sample(gate_search *s, const polyhedra *l, int rank, samples *to)
{
  random_source seed = { 1 };
  *to = (samples){ 0 };
  for (int i = 0; i < l->n; i++) {
    bool exact;
    int64_t lo[CDAG_RANK], hi[CDAG_RANK], x[CDAG_RANK];
    const polyhedron *p = polyhedron_project(&s->g->f->memory, l->item[i], rank, &exact);
    bool good = !p->open;
    for (int r = 0; r < rank && good; r++) {
      linear f = linear_variable(r);
      good = polyhedron_span(p, &f, &lo[r], &hi[r]) && lo[r] <= hi[r];
    }
    for (int t = 0; t < TRIES && good && to->n < SAMPLES * (i + 1) / l->n; t++) {
      for (int r = 0; r < rank; r++) {
        x[r] = lo[r] + (int64_t)random_below(&seed, (uint64_t)(hi[r] - lo[r]) + 1);
      }
      if (gates_holds_at(p, x, rank))
        memcpy(to->at[to->n++], x, sizeof x);
    }
  }
}

const samples *gates_elements(gate_search *s, int array)
{
  samples *x = &s->element[array];
  if (x->n == 0)
    gates_sample(s, &s->g->f->form.array[array].live, s->g->f->form.array[array].rank, x);
  return x;
}

bool gates_in_domain(const gate_search *s, int array, const int64_t *x)
{
  const array_form *a = &s->g->f->form.array[array];
  for (int i = 0; i < a->domain.n; i++)
    if (a->domain.item[i]->vars == a->rank && gates_holds_at(a->domain.item[i], x, a->rank))
      return true;
  return false;
}

const struct box *gates_box_of(const gate_search *s, int array)
{
  const array_form *x = &s->g->f->form.array[array];
  struct box *b = &s->box[array];
  for (int r = 0; r < x->rank && !b->read; r++) {
    linear index = linear_variable(r);
    if (!polyhedra_span(&x->domain, &index, &b->lo[r], &b->hi[r]))
      b->lo[r] = INT64_MAX, b->hi[r] = INT64_MIN;
  }
  b->read = true;
  return b;
}

void gates_gate_at(const gate_search *s, const gate_family *k, const gate_keys *keys, const int64_t *x, int later,
                   int64_t *gate)
{
  for (int r = 0; r < s->g->f->form.array[k->array].rank; r++)
    gate[r] = k->role[r] == GATE_KEY ? x[keys->loop[r]] + keys->offset[r] : k->at[r];
  if (later)
    gate[k->time] += k->back ? -later : later;
  for (int r = 0; r < s->g->f->form.array[k->array].rank; r++)
    if (k->along[r])
      gate[r] += k->along[r] < 0 ? -gate[-k->along[r] - 1] : gate[k->along[r] - 1];
}

bool gates_any_index(const gate_search *s, const gate_family *k)
{
  for (int r = 0; r < s->g->f->form.array[k->array].rank; r++)
    if (k->role[r] == GATE_ANY)
      return true;
  return false;
}

bool gates_read_at(const gate_search *s, const access *a, const int64_t *x, int64_t *y)
{
  int rank = s->g->f->form.array[a->from].rank;
  int64_t at[CDAG_RANK] = { 0 };
  if (a->where->vars != rank || !gates_holds_at(a->where, x, rank))
    return false;
  for (int r = 0; r < s->g->f->form.array[a->to].rank; r++) {
    at[r] = a->index[r].base;
    for (int v = 0; v < rank; v++)
      at[r] += a->index[r].coef[v] * x[v];
  }
  memcpy(y, at, sizeof at);
  return true;
}

bool gates_follow(const gate_search *s, const int *link, int links, int64_t *x)
{
  bool exists = true;
  for (int l = 0; l < links && exists; l++)
    exists = gates_read_at(s, s->g->f->form.access[link[l]], x, x);
  return exists;
}

enum { ROOT_STEPS = 20000 };

int gates_root_of(const gate_search *s, int array, int64_t *x)
{
  const normal_form *f = &s->g->f->form;
  for (int n = 0; n < ROOT_STEPS; n++) {
    bool further = false;
    for (int i = 0; i < s->words.owns && !further; i++) {
      const access *a = f->access[s->words.own[i]];
      further = a->from == array && gates_read_at(s, a, x, x);
      array = further ? a->to : array;
    }
    if (!further)
      return array;
  }
  return -1;
}
