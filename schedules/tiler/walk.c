/* walk.c -- let d = reader - what it reads, in the indices of the respelled array.  Those that are not `wide` have one
   value, so d is 0 there.  Loops over the walked ones, outermost, and then the rest in lexicographic order of the
   spelling given are an order of all the box; it is legal when the first d in it that is not 0 is positive, or, in a
   turned index that is not walked, negative.  So for each read and each place of that order one system of inequalities
   must be empty: d is 0 before the place, and goes the wrong way at it.  Distances do not change that: one grows with
   the index that it leads to beside one value of what it is a distance from, which has its place before it. */
#include "schedules/tiler/walk.h"
#include "base/mem.h"

static bool goes_wrong(normal_form *f, const access *x, int q, bool down, polyhedron *equal)
{
  linear reader = linear_variable(q);
  polyhedron *p = polyhedron_copy(&f->memory, equal);
  linear ahead = linear_constant(-1); /* what is read, less the reader, less 1; the other way where it goes down */
  bool fits = linear_add(&ahead, &x->index[q], down ? -1 : 1) && linear_add(&ahead, &reader, down ? 1 : -1);
  if (fits)
    polyhedron_add(&f->memory, p, &ahead, false);
  bool wrong = !fits || !polyhedron_empty(p);
  polyhedron_same(&f->memory, equal, &x->index[q], &reader);
  return wrong;
}

static bool is_turned(const tiler_walks *w, int array, int q) { return w->r->index[array][q].turned; }

static bool keeps_order(tiler_walks *w, const access *x, uint32_t wide, uint32_t walked)
{
  normal_form *f = &w->form;
  polyhedron *equal = polyhedron_copy(&f->memory, x->where);
  int rank = f->array[x->to].rank;
  for (int q = 0; q < rank; q++)
    if (!(wide >> q & 1)) {
      linear reader = linear_variable(q);
      polyhedron_same(&f->memory, equal, &x->index[q], &reader);
    }
  for (int walks = 1; walks >= 0; walks--)
    for (int q = 0; q < rank; q++)
      if ((wide >> q & 1) && (walked >> q & 1) == (uint32_t)walks &&
          goes_wrong(f, x, q, !walks && is_turned(w, x->to, q), equal))
        return false;
  return true;
}

static bool is_legal(tiler_walks *w, int array, uint32_t wide, uint32_t walked)
{
  for (int i = 0; i < w->form.accesses; i++) {
    const access *x = w->form.access[i];
    if (x->from == array && x->to == array && !keeps_order(w, x, wide, walked))
      return false;
  }
  return true;
}

uint32_t tiler_beside(const cdag_respelled *r, int array, uint32_t told)
{
  uint32_t beside = 0;
  for (int q = 0; q < r->g->array[array].rank; q++)
    if ((told >> q & 1) && r->index[array][q].beside)
      beside |= 1u << (r->index[array][q].beside - 1);
  return beside;
}

static uint32_t least_walked(tiler_walks *w, int array, uint32_t wide, uint32_t beside)
{
  uint32_t turned = 0;
  for (int q = 0; q < w->r->g->array[array].rank; q++)
    turned |= (uint32_t)is_turned(w, array, q) << q;
  if (!((turned | beside) & wide))
    return 0;
  if (!w->read)
    normal_form_relation(&w->form, w->r->g);
  w->read = true;
  for (int n = 0; n <= __builtin_popcount(wide) && w->form.array[array].whole; n++)
    for (uint32_t walked = wide;; walked = (walked - 1) & wide) {
      uint32_t needed = beside | (tiler_beside(w->r, array, walked) & wide);
      if (__builtin_popcount(walked) == n && !(needed & ~walked) && is_legal(w, array, wide, walked))
        return walked;
      if (!walked)
        break;
    }
  return (turned & wide) | beside;
}

uint32_t tiler_walked(tiler_walks *w, int array, uint32_t wide, uint32_t beside)
{
  for (size_t i = 0; i < w->n; i++)
    if (w->known[i].array == array && w->known[i].wide == wide && w->known[i].beside == beside)
      return w->known[i].walked;
  w->known = mem_room(w->known, w->n, &w->room, sizeof *w->known);
  tiler_walk own = { wide, beside, least_walked(w, array, wide, beside), array };
  w->known[w->n++] = own;
  return own.walked;
}

void tiler_walks_clear(tiler_walks *w)
{
  if (w->read)
    normal_form_clear(&w->form);
  mem_free(w->known);
  *w = (tiler_walks){ 0 };
}
