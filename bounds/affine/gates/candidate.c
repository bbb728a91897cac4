/* candidate.c -- what may be used after a gate, and what may wait for one. */
#include "bounds/affine/gates/search.h"
#include <math.h>
#include <string.h>

static double extent_of(const polyhedra *l, const linear *f)
{
  int64_t least, most;
  if (l->n == 0)
    return 0;
  if (!polyhedra_span(l, f, &least, &most))
    return 1e18;
  return most >= least ? (double)most - (double)least + 1 : 0;
}

/* Its words and as many paths that wait stay below M, so it brings nothing alone; several such uses together may. */
static bool is_small(const gate_search *s, const use_candidate *u) { return 2 * u->words <= (double)s->m - 1; }

static void add_use(gate_search *s, candidates *c, int array, int at, int via, bool small)
{
  const normal_form *f = &s->g->f->form;
  const words *w = &s->g->f->words;
  const access *a = at < 0 ? NULL : f->access[at];
  access word;
  if (via) {
    if (!gates_read_by_way(&s->g->f->memory, f, a, f->access[via - 1], &word))
      return;
    a = &word;
  }
  int component = w->component[a ? a->to : array], rank = f->array[array].rank;
  linear x[CDAG_RANK], label[LABELS_MOST];
  polyhedra b = { 0 };
  if (w->unrooted[component] || w->labels[component] == 0 || c->uses == CANDIDATES || component >= CANDIDATES)
    return;
  use_candidate *u = &c->use[c->uses];
  *u = (use_candidate){ .use = { .array = array, .access = at, .via = via }, .words = 1 };
  linear_variables(x, rank, 0);
  int labels = words_label_of(w, a ? a->to : array, a ? a->index : x, label);
  for (int i = 0; i < f->array[array].live.n; i++) {
    polyhedron *p = polyhedron_copy(&s->g->f->memory, f->array[array].live.item[i]);
    if (a)
      polyhedron_meet(&s->g->f->memory, p, a->where, rank);
    if (!p->open && !polyhedron_empty(p))
      polyhedra_add(&s->g->f->memory, &b, p);
  }
  for (int i = 0; i < labels; i++) {
    int names = 0, last = -1;
    for (int v = 0; v < POLYHEDRON_VARS; v++)
      if (label[i].coef[v])
        names++, last = v;
    if (last >= rank)
      return;
    if (names == 1)
      u->told |= 1u << last;
    u->words *= extent_of(&b, &label[i]);
  }
  if (is_small(s, u) != small || 2 * GATE_USES * u->words <= (double)s->m - 1)
    return;
  gates_sample(s, &b, rank, &u->b);
  u->component = component;
  for (int i = 0; i < u->b.n; i++) {
    memcpy(u->root_at[i], u->b.at[i], sizeof u->root_at[i]);
    u->root[i] = !a || gates_read_at(s, a, u->root_at[i], u->root_at[i])
                     ? gates_root_of(s, a ? a->to : array, u->root_at[i])
                     : -1;
  }
  c->uses += u->b.n > 0;
}

/* Does the access stay in an array that is short where it leads, a few updates of an element? */
static bool stays_short(gate_search *s, const access *a)
{
  const struct box *b = gates_box_of(s, a->to);
  for (int r = 0; r < s->g->f->form.array[a->to].rank && a->from == a->to; r++) {
    linear step = linear_variable(r);
    step.base = a->index[r].base;
    if (step.base && linear_equal(&step, &a->index[r]) && b->hi[r] - b->lo[r] < GATE_LINKS)
      return true;
  }
  return false;
}

/* Along own predecessors as far as arrays do not repeat, but for those that are short. */
static void add_waits(gate_search *s, candidates *c, wait_candidate *w, int array)
{
  const normal_form *f = &s->g->f->form;
  if (w->wait.links && c->waits < CANDIDATES)
    c->wait[c->waits++] = *w;
  for (int i = 0; i < s->words.owns && w->wait.links < GATE_LINKS; i++) {
    const access *a = f->access[s->words.own[i]];
    bool again = a->from != array || f->array[a->to].computed.n == 0;
    for (int l = 0; l < w->wait.links; l++)
      again = again || (f->access[w->wait.link[l]]->to == a->to && !stays_short(s, a));
    if (again)
      continue;
    w->wait.link[w->wait.links++] = s->words.own[i];
    add_waits(s, c, w, a->to);
    w->wait.links--;
  }
}

static void add_uses(gate_search *s, candidates *c, bool small)
{
  const normal_form *f = &s->g->f->form;
  for (int x = 0; x < f->arrays; x++) {
    if (f->array[x].computed.n == 0 || f->array[x].live.n == 0)
      continue;
    add_use(s, c, x, -1, 0, small);
    for (int i = 0; i < f->accesses; i++)
      if (f->access[i]->from == x && f->access[i]->single && !words_is_own(&s->g->f->words, i))
        add_use(s, c, x, i, 0, small);
  }
}

/* Inputs that an element reads by way of what it reads, and not itself: a matrix whose products are added. */
static void add_uses_by_way(gate_search *s, candidates *c)
{
  const normal_form *f = &s->g->f->form;
  for (int i = 0; i < f->accesses; i++)
    for (int k = 0; k < f->accesses; k++) {
      const access *a = f->access[i], *by = f->access[k];
      bool itself = a->to != by->from || a->from == a->to || !a->single || !by->single ||
                    f->array[by->to].computed.n > 0 || f->array[a->from].live.n == 0;
      for (int l = 0; l < f->accesses && !itself; l++)
        itself = f->access[l]->from == a->from && f->access[l]->to == by->to;
      if (!itself)
        add_use(s, c, a->from, i, k + 1, false);
    }
}

/* The words of all components together; those of a component are as many as its largest use has. */
static double words_together(const candidates *c)
{
  double of[CANDIDATES] = { 0 }, sum = 0;
  for (int i = 0; i < c->uses; i++)
    of[c->use[i].component] = fmax(of[c->use[i].component], c->use[i].words);
  for (int i = 0; i < CANDIDATES; i++)
    sum += of[i];
  return sum;
}

void gates_find_candidates(gate_search *s, candidates *c)
{
  const normal_form *f = &s->g->f->form;
  c->uses = c->waits = 0;
  add_uses(s, c, false);
  add_uses_by_way(s, c);
  int large = c->uses;
  add_uses(s, c, true);
  if (words_together(c) <= (double)s->m)
    c->uses = large;
  for (int x = 0; x < f->arrays; x++) {
    if (f->array[x].computed.n == 0 || f->array[x].live.n == 0)
      continue;
    wait_candidate w = { .wait = { .array = x }, .paths = 1 };
    for (int r = 0; r < f->array[x].rank; r++)
      w.paths *= (double)gates_box_of(s, x)->hi[r] - (double)gates_box_of(s, x)->lo[r] + 1;
    gates_sample(s, &f->array[x].live, f->array[x].rank, &w.z);
    if (w.z.n && w.paths > (double)s->m)
      add_waits(s, c, &w, x);
  }
}
