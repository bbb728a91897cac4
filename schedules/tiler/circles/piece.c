/* piece.c -- what members compute and nobody takes the place of, in pieces. */
#include "base/num.h"
#include "schedules/tiler/circles/print.h"

static bool meets(circle *c, const polyhedron *p, const access *a, polyhedron **both)
{
  *both = polyhedron_copy(&c->memory, a->where);
  polyhedron_include(&c->memory, *both, p, a->index, c->f->array[a->to].rank);
  return !polyhedron_empty(*both);
}

static bool is_stored(circle *c, int p, const polyhedron *part)
{
  const array_form *f = circle_form(c, p);
  polyhedron *both;
  if (circle_array(c, p)->declared_output)
    return true;
  for (int i = 0; i < f->outputs.n; i++) {
    both = polyhedron_copy(&c->memory, part);
    polyhedron_meet(&c->memory, both, f->outputs.item[i], f->rank);
    if (!polyhedron_empty(both))
      return true;
  }
  for (int i = 0; i < c->f->accesses; i++)
    if (c->f->access[i]->to == c->member[p] && circle_member(c, c->f->access[i]->from) < 0 &&
        meets(c, part, c->f->access[i], &both))
      return true;
  for (int i = 0; i < c->reads; i++)
    if (c->read[i].from == p && !c->read[i].inside && meets(c, part, c->read[i].a, &both))
      return true;
  return false;
}

/* How many steps later is it read? */
static int64_t lateness(circle *c, int p, const polyhedron *part)
{
  int64_t late = 0;
  for (int i = 0; i < c->reads; i++) {
    polyhedron *both;
    if (c->read[i].from == p && meets(c, part, c->read[i].a, &both))
      late = num_max(late, circle_lateness(c, &c->read[i], both));
  }
  return late;
}

static void add_piece(circle_printer *w, const circle_piece *x)
{
  w->told = w->told && w->pieces < CIRCLE_PIECES;
  if (w->told)
    w->piece[w->pieces++] = *x;
}

/* What of these is put out. */
static void list_taken_outputs(circle_printer *w, int p, const polyhedra *taken)
{
  arena *memory = &w->c->memory;
  const array_form *f = circle_form(w->c, p);
  const polyhedra *all = circle_array(w->c, p)->declared_output ? &f->computed : &f->outputs;
  polyhedra outputs = { 0 };
  w->told = polyhedra_disjoint(memory, all, f->rank, &outputs) && w->told;
  for (int i = 0; i < outputs.n; i++)
    for (int k = 0; k < taken->n; k++) {
      polyhedron *both = polyhedron_copy(memory, taken->item[k]);
      polyhedron_meet(memory, both, outputs.item[i], f->rank);
      if (!polyhedron_empty(both))
        add_piece(w, &(circle_piece){ p, polyhedron_tidy(memory, both), true, CIRCLE_LATE, true });
    }
}

void circle_list_pieces(circle_printer *w)
{
  circle *c = w->c;
  for (int p = 0; p < c->n; p++) {
    const array_form *f = circle_form(c, p);
    polyhedra taken = { 0 }, rest = { 0 };
    for (int i = 0; i < c->reads; i++) {
      bool exact;
      if (c->read[i].from != p || !c->read[i].takes)
        continue;
      polyhedra_add(&c->memory, &taken, access_image(&c->memory, c->read[i].a, c->read[i].a->where, f->rank, &exact));
      w->told = w->told && exact;
    }
    w->told = polyhedra_minus(&c->memory, &f->computed, &taken, f->rank, &rest) && w->told;
    polyhedra_join(&c->memory, &rest);
    for (int i = 0; i < rest.n && w->told; i++)
      add_piece(w, &(circle_piece){ p, rest.item[i], is_stored(c, p, rest.item[i]), lateness(c, p, rest.item[i]),
                                    false });
    list_taken_outputs(w, p, &taken);
  }
}
