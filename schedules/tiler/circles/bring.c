/* bring.c -- what the steps of a tile bring from slow memory, and what of it stays for the next step. */
#include "schedules/tiler/circles/print.h"
#include <inttypes.h>
#include <string.h>

/* The length of what comes first in a list: up to a comma or a range's dots, outside of parentheses. */
static size_t part_length(const char *s)
{
  size_t n = 0;
  for (int depth = 0; s[n] && (depth > 0 || (s[n] != ',' && s[n] != ']' && strncmp(s + n, "..", 2) != 0)); n++)
    depth += (s[n] == '(') - (s[n] == ')');
  return n;
}

/* Is every end of the one, `min(a, b)` or `a`, also one of the other?  Then the other range is within this. */
static bool names_ends(const char *ends, size_t n, const char *in, size_t in_n)
{
  const char *call[] = { "min(", "max(" };
  for (int k = 0; k < 2; k++) {
    if (strncmp(ends, call[k], 4) == 0)
      for (const char *s = ends + 4; s < ends + n;) {
        size_t own = part_length(s);
        own = s + own > ends + n - 1 ? (size_t)(ends + n - 1 - s) : own;
        if (!names_ends(s, own, in, in_n))
          return false;
        s += own + 1 + (s[own] == ',' && s[own + 1] == ' ');
      }
    if (strncmp(ends, call[k], 4) == 0)
      return true;
  }
  for (const char *s = in; s + n <= in + in_n; s++)
    if (strncmp(s, ends, n) == 0 && (s == in || s[-1] == '(' || s[-1] == ' ') &&
        (s + n == in + in_n || s[n] == ',' || s[n] == ')'))
      return true;
  return false;
}

/* Do boxes of one array, as they are printed, say that the one is within the other? */
static bool is_within(const char *small, const char *large)
{
  while (*small && *large) {
    size_t n = part_length(small), m = part_length(large);
    if (!names_ends(large, m, small, n))
      return false;
    small += n;
    large += m;
    if (*small != *large)
      return false;
    for (; *small && strchr(",].", *small) && *small == *large; small++)
      large++;
  }
  return *small == *large;
}

/* A box that is within another one where both ranges are one: on the diagonal it is there already. */
static bool meet_on_diagonal(circle_printer *w, const circle_read *a, const circle_read *b)
{
  circle_names one = *w->name;
  const circle_names *own = w->name;
  text x = { 0 }, y = { 0 };
  memcpy(one.tile[1], one.tile[0], sizeof one.tile[0]);
  w->name = &one;
  w->ends = true;
  circle_print_box(w, a->a->to, a->a->index, a->reader, a->a->where, true, &x);
  circle_print_box(w, b->a->to, b->a->index, b->reader, b->a->where, true, &y);
  w->ends = false;
  w->name = own;
  bool within = is_within(text_str(&y), text_str(&x));
  text_clear(&x);
  text_clear(&y);
  return within;
}

static bool is_same(const text *a, const text *b) { return strcmp(text_str(a), text_str(b)) == 0; }

void circle_clear_op(circle_brought *o)
{
  text_clear(&o->box);
  text_clear(&o->loop);
  text_clear(&o->guard);
  text_clear(&o->when);
  text_clear(&o->there);
  text_clear(&o->stays);
}

/* *guard, or this one: the sum of both. */
static void also_guarded(text *guard, const text *other)
{
  text either = { 0 };
  if (!guard->n || (other->n && strstr(text_str(guard), text_str(other))))
    return;
  if (other->n)
    text_printf(&either, "((%s) + (%s))", text_str(guard), text_str(other));
  text_clear(guard);
  *guard = either;
}

/* Read at one place of both axes alone, it comes for tiles on the diagonal alone. */
static void print_on_diagonal(const circle_printer *w, const circle_read *r, text *out)
{
  const circle *c = w->c;
  if (c->tiles < 2)
    return;
  linear apart = circle_along(&c->tile[0], r->reader), other = circle_along(&c->tile[1], r->reader);
  linear_add(&apart, &other, -1);
  apart.base += c->tile[0].shift[r->reader] - c->tile[1].shift[r->reader];
  if (linear_is_constant(&apart) || !polyhedron_implies(r->a->where, &apart, true))
    return;
  circle_and_also(out);
  text_printf(out, "(lo(%s) == lo(%s))", w->name->tile[0], w->name->tile[1]);
}

static void bring(circle_printer *w, const circle_read *r, int at, const circle_read *const *before, int n,
                  const char *guard)
{
  circle_brought *o = &w->op[w->ops];
  *o = (circle_brought){ .first = at, .last = at, .taken = r->takes, .read = r };
  text_add(&o->guard, guard);
  circle_print_outside(w, r, &o->when);
  print_on_diagonal(w, r, &o->when);
  circle_print_steps(w, r, &o->when);
  circle_print_some_readers(w, r, &o->when);
  circle_print_brought(w, r, &o->loop, &o->box);
  for (int k = 0; k < w->ops; k++)
    if (is_same(&w->op[k].box, &o->box) && is_same(&w->op[k].loop, &o->loop) && is_same(&w->op[k].when, &o->when)) {
      also_guarded(&w->op[k].guard, &o->guard);
      w->op[k].last = at;
      w->op[k].taken |= r->takes;
      circle_clear_op(o);
      return;
    }
  for (int k = 0; k < n; k++)
    if (before[k]->a->to == r->a->to && !before[k]->inside && w->c->tiles > 1 && meet_on_diagonal(w, before[k], r)) {
      circle_and_also(&o->when);
      text_printf(&o->when, "(lo(%s) != lo(%s))", w->name->tile[0], w->name->tile[1]);
      break;
    }
  if (w->ops < CIRCLE_OPS - 1)
    w->ops++;
  else
    w->told = false;
}

/* ---- what the next step takes ---- */

void circle_go_back(circle_printer *w, int64_t steps, circle_names *name)
{
  *name = *w->name;
  if (steps)
    snprintf(name->step, sizeof name->step, "(%.32s %c %" PRId64 ")", w->name->step, steps > 0 ? '-' : '+',
             steps > 0 ? steps : -steps);
  w->name = name;
  w->back = steps;
}

void circle_come_back(circle_printer *w, const circle_names *name)
{
  w->name = name;
  w->back = 0;
}

/* Does r take what b has brought in the step before: one value of an index, and of the others the tile's own ranges?
   *v: the dimension of r's elements that goes with that index. */
static bool takes_next(circle_printer *w, const circle_read *r, const circle_read *b, int *v)
{
  int rank = w->c->f->array[r->a->to].rank, p = r->reader, s = w->c->step.dim[p];
  bool good = !b->takes && r->from < 0 && b->from < 0 && r->a->to == b->a->to && b->reader == p && s != CIRCLE_STANDS;
  *v = -1;
  for (int q = 0; q < rank && good; q++) {
    linear own = r->a->index[q], before = b->a->index[q], plain = before, rest;
    text x = { 0 }, y = { 0 };
    int64_t ahead = before.coef[s];
    plain.coef[s] = 0;
    before.base -= ahead;
    rest = before;
    good = linear_add(&rest, &own, -1) && polyhedron_implies(r->a->where, &rest, true);
    if (ahead) {
      good = good && ahead == 1 && linear_is_constant(&plain) && *v < 0;
      for (int d = 0; d < circle_form(w->c, p)->rank && *v < 0; d++)
        *v = d != s && circle_is_variable(r->a->where, &own, d, &plain) ? d : -1;
    } else {
      good = good && circle_print_index(w, p, own, r->a->where, true, (circle_turn){ .turned = false }, &x) &&
             circle_print_index(w, p, before, b->a->where, true, (circle_turn){ .turned = false }, &y) &&
             is_same(&x, &y);
    }
    text_clear(&x);
    text_clear(&y);
  }
  return good && *v >= 0;
}

/* At the next step there are elements that r begins. */
static void print_begins_next(circle_printer *w, const circle_read *r, int v, text *out)
{
  const circle *c = w->c;
  const circle_names *now = w->name;
  circle_names then;
  bool plain = w->plain;
  linear k = circle_step_of(c, r->reader);
  int64_t shift = c->step.shift[r->reader], its;
  w->plain = false;
  circle_go_back(w, -1, &then);
  circle_ends e = circle_range_of(w, r->reader, v, r->a->where, true);
  text_char(out, '(');
  circle_print_end(out, &e, false, "");
  text_add(out, " < ");
  circle_print_end(out, &e, true, "");
  text_char(out, ')');
  if (polyhedron_least(r->a->where, &k, &its) && its + shift > w->lo)
    text_printf(out, " * (%s >= %" PRId64 ")", w->name->step, its + shift);
  if (polyhedron_most(r->a->where, &k, &its))
    text_printf(out, " * (%s <= %" PRId64 ")", w->name->step, its + shift);
  circle_clear_ends(&e);
  circle_come_back(w, now);
  w->plain = plain;
}

/* In the step before, the member of r computed something. */
static bool print_any_before(circle_printer *w, const circle_read *r, text *out)
{
  const circle_names *now = w->name;
  circle_names then;
  text guard = { 0 };
  linear k = circle_step_of(w->c, r->reader);
  int64_t first;
  circle_go_back(w, 1, &then);
  bool there =
      circle_print_guard(w, r->reader, &guard) && polyhedron_least(circle_computed(w->c, r->reader), &k, &first);
  if (there) {
    circle_and_also(&guard);
    text_printf(&guard, "(%s >= %" PRId64 ")", w->name->step, first + w->c->step.shift[r->reader]);
    circle_and_also(out);
    text_add(out, text_str(&guard));
  }
  circle_come_back(w, now);
  text_clear(&guard);
  return there;
}

/* What one read brings stays for the next step where another takes its place there. */
static void find_stays(circle_printer *w)
{
  for (int i = 0; i < w->ops && w->c->joined; i++)
    for (int k = 0; k < w->ops; k++) {
      circle_brought *b = &w->op[i], *o = &w->op[k];
      int v;
      if (i != k && !b->stays.n && b->first == b->last && o->first == o->last && b->first == o->first && !b->when.n &&
          takes_next(w, o->read, b->read, &v) && print_any_before(w, o->read, &o->there))
        print_begins_next(w, o->read, v, &b->stays);
    }
}

void circle_list_ops(circle_printer *w)
{
  const circle *c = w->c;
  for (; w->ops; w->ops--)
    circle_clear_op(&w->op[w->ops - 1]);
  for (int k = 0; k < c->n; k++) {
    const circle_read *before[CIRCLE_READS];
    text guard = { 0 };
    int n = 0;
    bool there = circle_print_guard(w, c->order[k], &guard);
    for (int i = 0; i < c->reads; i++)
      if (c->read[i].reader == c->order[k] && there) {
        if (!c->read[i].inside && !circle_is_past(w, c->order[k], c->read[i].a->where))
          bring(w, &c->read[i], k, before, n, text_str(&guard));
        before[n++] = &c->read[i];
      }
    text_clear(&guard);
  }
  find_stays(w);
  circle_find_stream(w);
}
