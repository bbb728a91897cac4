/* stream.c -- of what a step brings for several members the last rows stay between them; those before them come by,
   row by row, for each. */
#include "schedules/tiler/circles/print.h"
#include <string.h>

/* The dimension of its reader that index q of what is read is: no tile's, not the step's; -1: none. */
static int row_of(const circle *c, const circle_read *r, int q)
{
  for (int v = 0; v < circle_form(c, r->reader)->rank; v++) {
    linear own = linear_variable(v);
    if (linear_equal(&r->a->index[q], &own))
      return v == c->step.dim[r->reader] || circle_tiled(c, r->reader, v) ? -1 : v;
  }
  return -1;
}

static bool may_stream(const circle_read *r) { return !r->inside && !r->takes && !r->once; }

/* The index of what is read that may come row by row, for another member as well; -1: none. */
static int stream_index(const circle *c, const circle_read *r)
{
  for (int q = 0; q < c->f->array[r->a->to].rank && may_stream(r) && !c->turned; q++)
    for (int i = 0; i < c->reads && row_of(c, r, q) >= 0; i++) {
      const circle_read *b = &c->read[i];
      if (b->reader != r->reader && b->a->to == r->a->to && may_stream(b) && row_of(c, b, q) >= 0)
        return q;
    }
  return -1;
}

double circle_rows_of(const circle *c, const circle_read *r, int64_t *end)
{
  int q = c->streams ? stream_index(c, r) : -1;
  const cdag_box *h = &c->f->g->array[r->a->to].hull;
  *end = q < 0 ? 0 : h->hi[q];
  return q < 0 ? 1 : (double)(h->hi[q] - h->lo[q]);
}

/* What member p reads of that box; NULL: nothing. */
static const circle_read *read_of(circle_printer *w, const circle_brought *o, int p)
{
  const circle_read *found = NULL;
  for (int i = 0; i < w->c->reads && !found; i++) {
    const circle_read *r = &w->c->read[i];
    SCOPED_TEXT loop = { 0 };
    SCOPED_TEXT box = { 0 };
    if (r->reader != p || r->inside || r->a->to != o->read->a->to)
      continue;
    circle_print_brought(w, r, &loop, &box);
    if (strcmp(text_str(&box), text_str(&o->box)) == 0)
      found = r;
  }
  return found;
}

/* All its readers have the rows as a dimension of their own. */
static bool find_rows(circle_printer *w, const circle_brought *o)
{
  int q = stream_index(w->c, o->read);
  bool good = q >= 0 && o->first != o->last && !o->taken && !o->loop.n && !o->when.n && !o->there.n && !o->stays.n;
  for (int k = o->first; k <= o->last && good; k++) {
    int p = w->c->order[k];
    w->row_read[p] = read_of(w, o, p);
    w->row[p] = w->row_read[p] ? row_of(w->c, w->row_read[p], q) : -1;
    good = !w->row_read[p] || w->row[p] >= 0;
  }
  return good;
}

void circle_find_stream(circle_printer *w)
{
  memset(w->row_read, 0, sizeof w->row_read);
  for (int i = 0; i < w->ops && w->c->hold && w->plain; i++) {
    circle_brought *o = &w->op[i];
    if (!find_rows(w, o)) {
      memset(w->row_read, 0, sizeof w->row_read);
      continue;
    }
    text_clear(&o->box);
    w->held = true;
    circle_print_box(w, o->read->a->to, o->read->a->index, o->read->reader, o->read->a->where, true, &o->box);
    w->held = false;
    w->streamed = true;
    return;
  }
}

void circle_print_stream(circle_printer *w, int p, text *head, text *box)
{
  const circle_read *r = w->row_read[p];
  circle_ends e = circle_range_of(w, p, w->row[p], circle_computed(w->c, p), true);
  text_printf(head, "for %s in ", w->name->walk);
  circle_print_end(head, &e, false, "");
  text_printf(head, "..%s {\n", w->name->hold);
  circle_clear_ends(&e);
  w->walked = w->row[p];
  circle_print_box(w, r->a->to, r->a->index, p, r->a->where, true, box);
}
