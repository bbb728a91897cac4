/* condition.c -- conditions of the lines in a step, and when none need be printed. */
#include "schedules/tiler/circles/print.h"
#include <inttypes.h>
#include <string.h>

bool circle_is_past(circle_printer *w, int p, const polyhedron *on)
{
  const circle *c = w->c;
  for (int t = 0; t < c->tiles && c->step.dim[p] != CIRCLE_STANDS; t++) {
    int64_t below;
    linear f = linear_variable(c->tile[t].dim[p]), k = circle_step_of(c, p);
    linear_add(&f, &k, -1);
    if (c->tile[t].dim[p] != c->step.dim[p] && polyhedron_least(on, &f, &below) &&
        circle_is_late(w, t, below - c->step.shift[p] + c->tile[t].shift[p]))
      return true;
  }
  return false;
}

/* None of it is in plain steps: it begins at a tile's own end, or ends there. */
static bool comes_later(circle_printer *w, int p, const polyhedron *on)
{
  const circle *c = w->c;
  for (int t = 0; t < c->tiles && c->step.dim[p] != CIRCLE_STANDS; t++) {
    int64_t above;
    linear f = linear_variable(c->tile[t].dim[p]), k = circle_step_of(c, p);
    linear_add(&f, &k, -1);
    if (c->tile[t].dim[p] != c->step.dim[p] && polyhedron_most(on, &f, &above) && above <= 1 &&
        circle_is_early(w, t, above + 1 - c->step.shift[p] + c->tile[t].shift[p]))
      return true;
  }
  return circle_is_past(w, p, on);
}

bool circle_is_fixed(const circle_printer *w, const circle_piece *x)
{
  linear k = circle_step_of(w->c, x->member);
  int64_t at;
  return circle_is_single(x->p, &k, &at);
}

bool circle_comes_later(circle_printer *w, const circle_piece *x)
{
  return !circle_is_fixed(w, x) && comes_later(w, x->member, x->p);
}

void circle_and_also(text *out) { text_add(out, out->n ? " * " : ""); }

/* Loop v of p has values on `where`, which its ends may leave open where there are several. */
static void print_some(circle_printer *w, int p, int v, const polyhedron *where, text *out)
{
  circle_ends e = circle_range_of(w, p, v, where, true);
  if (e.los > 1 || e.his > 1) {
    circle_and_also(out);
    text_char(out, '(');
    circle_print_end(out, &e, false, "");
    text_add(out, " < ");
    circle_print_end(out, &e, true, "");
    text_char(out, ')');
  }
  circle_clear_ends(&e);
}

bool circle_print_guard(circle_printer *w, int p, text *out)
{
  const circle *c = w->c;
  if (comes_later(w, p, circle_computed(c, p)))
    return false;
  if (c->step.dim[p] == CIRCLE_STANDS)
    text_printf(out, "(%s == %" PRId64 ")", w->name->step, c->step.shift[p]);
  for (int t = 0; t < c->tiles; t++)
    if (c->tile[t].dim[p] == c->step.dim[p]) {
      if (circle_is_early(w, t, c->tile[t].shift[p] - c->step.shift[p] + 1) ||
          circle_is_late(w, t, c->tile[t].shift[p] - c->step.shift[p]))
        return false;
      circle_and_also(out);
      text_printf(out, "(lo(%s) <= ", w->name->tile[t]);
      circle_print_number(out, w->name->step, c->tile[t].shift[p] - c->step.shift[p]);
      text_add(out, ") * (");
      circle_print_number(out, w->name->step, c->tile[t].shift[p] - c->step.shift[p]);
      text_printf(out, " < hi(%s))", w->name->tile[t]);
    }
  for (int v = 0; v < circle_form(c, p)->rank; v++)
    if (v != c->step.dim[p])
      print_some(w, p, v, circle_computed(c, p), out);
  return true;
}

void circle_print_outside(circle_printer *w, const circle_read *r, text *out)
{
  text any = { 0 };
  for (int t = 0; t < w->c->tiles && r->from >= 0; t++) {
    if (r->place[t] == CIRCLE_INSIDE)
      continue;
    if (r->place[t] == CIRCLE_AT_STEP && circle_is_early(w, t, r->by[t] + 1)) {
      text_clear(&any);
      return;
    }
    text_add(&any, any.n ? " + (" : "(");
    if (r->place[t] == CIRCLE_AT_STEP) {
      circle_print_number(&any, w->name->step, r->by[t]);
      text_printf(&any, " < lo(%s))", w->name->tile[t]);
    } else
      text_printf(&any, "lo(%s) != lo(%s))", w->name->tile[0], w->name->tile[1]);
  }
  if (any.n) {
    circle_and_also(out);
    text_printf(out, strchr(text_str(&any), '+') ? "(%s)" : "%s", text_str(&any));
  }
  text_clear(&any);
}

void circle_print_some_steps(const circle_printer *w, int p, const polyhedron *on, bool lower, text *out)
{
  const circle *c = w->c;
  linear k = circle_step_of(c, p);
  int64_t its, least, most, shift = c->step.shift[p];
  if (!polyhedra_span(&circle_form(c, p)->computed, &k, &least, &most))
    return;
  /* other members may have steps before its first one and behind its last */
  if (lower && polyhedron_least(on, &k, &its) && (its > least || its + shift > w->lo)) {
    circle_and_also(out);
    text_printf(out, "(%s >= %" PRId64 ")", w->name->step, its + shift);
  }
  if (polyhedron_most(on, &k, &its) && (its < most || (lower && its + shift < w->hi - 1))) {
    circle_and_also(out);
    text_printf(out, "(%s <= %" PRId64 ")", w->name->step, its + shift);
  }
}

void circle_print_steps(const circle_printer *w, const circle_read *r, text *out)
{
  bool said = false, parts = circle_in_parts(w->c);
  int64_t at;
  for (int q = 0; q < w->c->f->array[r->a->to].rank; q++)
    said |= w->c->step.dim[r->reader] != CIRCLE_STANDS && r->a->index[q].coef[w->c->step.dim[r->reader]] != 0 &&
            !circle_is_single(r->a->where, &r->a->index[q], &at);
  circle_print_some_steps(w, r->reader, r->a->where, !said || parts, out);
}

void circle_print_some_readers(circle_printer *w, const circle_read *r, text *out)
{
  bool crosses = false;
  for (int i = 0; i < w->c->reads && !crosses; i++)
    crosses = circle_crosses(w->c, &w->c->read[i], r);
  for (int v = 0; v < circle_form(w->c, r->reader)->rank && crosses; v++) {
    bool named = v == w->c->step.dim[r->reader];
    for (int q = 0; q < w->c->f->array[r->a->to].rank; q++)
      named = named || r->a->index[q].coef[v];
    if (!named)
      print_some(w, r->reader, v, r->a->where, out);
  }
}
