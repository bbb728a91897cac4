/* step.c -- the lines of one step: loads, what is computed, stores, drops. */
#include "schedules/tiler/circles/print.h"
#include <inttypes.h>
#include <string.h>

static void put_line(circle_printer *w, int depth, const char *when, const char *moves)
{
  text_printf(w->out, when[0] ? "%*sif %s { %s }\n" : "%*s%s%s\n", 2 * depth, "", when, moves);
}

void circle_put_move(circle_printer *w, int depth, const char *when, const char *verb, const char *what)
{
  SCOPED_TEXT move = { 0 };
  text_printf(&move, "%s %s", verb, what);
  put_line(w, depth, when, text_str(&move));
}

/* Does the name that `other` has for what it reads name what r reads, too?  They may be parts of one array. */
static bool names_also(const circle *c, const circle_read *other, const circle_read *r)
{
  const cdag_array *array = c->f->g->array;
  bool same = strcmp(array[r->a->to].name, array[other->a->to].name) == 0;
  for (int q = 0; same && q < array[r->a->to].rank; q++) {
    linear apart = other->a->index[q];
    same = linear_add(&apart, &r->a->index[q], -1) && polyhedron_implies(r->a->where, &apart, true);
  }
  return same;
}

/* A read that takes what it names on these elements: with what another takes that it names as well.  Said twice, one
   pebble would be dropped twice, and the play would look at each element. */
typedef struct { const circle_read *read; const polyhedron *where; } circle_taking;

static bool takes_both(circle *c, circle_taking *t, const circle_read *r)
{
  bool names = names_also(c, t->read, r), named = !names && t->where == t->read->a->where && names_also(c, r, t->read);
  const polyhedron *both = names || named ? polyhedron_join(&c->memory, t->where, r->a->where) : NULL;
  if (both)
    *t = (circle_taking){ named ? r : t->read, both };
  return both != NULL;
}

static int takings_of(circle_printer *w, int p, circle_taking *list)
{
  int n = 0;
  for (int i = 0; i < w->c->reads; i++) {
    const circle_read *r = &w->c->read[i];
    if (r->reader != p || !r->takes || circle_is_past(w, p, r->a->where))
      continue;
    bool said = false;
    for (int k = 0; k < n && !said; k++)
      said = takes_both(w->c, &list[k], r);
    if (!said)
      list[n++] = (circle_taking){ r, r->a->where };
  }
  return n;
}

/* The compute of member p at these steps.  firsts: it takes first words, which come at one step; others: and the rest.
 */
static void put_compute_at(circle_printer *w, int depth, int p, const char *steps, bool firsts, bool others)
{
  text line = { 0 }, when = { 0 };
  circle_taking taking[CIRCLE_READS];
  const char *before = " dropping ";
  text_add(&when, steps);
  if (circle_in_parts(w->c)) /* what lies beside its steps is of another part, and does not fall away */
    circle_print_some_steps(w, p, circle_computed(w->c, p), true, &when);
  circle_print_own(w, p, circle_computed(w->c, p), true, &line);
  for (int i = 0, n = takings_of(w, p, taking); i < n; i++) {
    const access *a = taking[i].read->a;
    if (!(taking[i].read->once ? firsts : others))
      continue;
    text_add(&line, before);
    circle_print_box(w, a->to, a->index, p, taking[i].where, true, &line);
    before = ", ";
  }
  circle_put_move(w, depth, text_str(&when), "compute", text_str(&line));
  text_clear(&line);
  text_clear(&when);
}

/* Does it bring inputs of an array of parts, of which its reader takes elements of the same names at other steps? */
static bool has_taken_names(const circle *c, const circle_read *b)
{
  bool any = false, brings = b->from < 0 && b->once && !b->takes;
  for (int i = 0; i < c->reads && brings && !any; i++) {
    const circle_read *r = &c->read[i];
    any = r->takes && !r->once && r->from >= 0 && r->reader == b->reader && names_also(c, r, b);
  }
  return any;
}

/* First words are named where they are taken alone if other steps read words of that box, and so are others where first
   words of such names stay. */
static void put_compute(circle_printer *w, int depth, int p)
{
  SCOPED_TEXT first = { 0 };
  SCOPED_TEXT others = { 0 };
  const circle_read *crossed = NULL, *kept = NULL;
  linear k = circle_step_of(w->c, p);
  int64_t at;
  for (int i = 0; i < w->c->reads && !crossed; i++)
    if (w->c->read[i].reader == p && w->c->read[i].takes && circle_crosses(w->c, &w->c->read[i], NULL))
      crossed = &w->c->read[i];
  for (int i = 0; i < w->c->reads && !crossed && !kept; i++)
    if (w->c->read[i].reader == p && has_taken_names(w->c, &w->c->read[i]))
      kept = &w->c->read[i];
  if (!(crossed || kept) || !circle_is_single((crossed ? crossed : kept)->a->where, &k, &at)) {
    put_compute_at(w, depth, p, "", true, true);
    return;
  }
  at += w->c->step.shift[p];
  text_printf(&first, "(%s <= %" PRId64 ")", w->name->step, at);
  text_printf(&others, "(%s >= %" PRId64 ")", w->name->step, at + 1);
  put_compute_at(w, depth, p, text_str(&first), true, !kept);
  put_compute_at(w, depth, p, text_str(&others), !crossed, true);
}

void circle_put_piece(circle_printer *w, int depth, const circle_piece *x, const char *verb)
{
  if (circle_comes_later(w, x))
    return;
  text box = { 0 }, when = { 0 };
  circle_print_own(w, x->member, x->p, true, &box);
  if (circle_is_fixed(w, x) || x->taken || circle_in_parts(w->c))
    circle_print_some_steps(w, x->member, x->p, true, &when);
  circle_put_move(w, depth, text_str(&when), verb, text_str(&box));
  text_clear(&box);
  text_clear(&when);
}

static void put_op(circle_printer *w, int depth, const circle_brought *o, const char *verb, bool guarded)
{
  text when = { 0 };
  if (!guarded)
    text_add(&when, text_str(&o->guard));
  if (o->when.n) {
    circle_and_also(&when);
    text_add(&when, text_str(&o->when));
  }
  const text *but = verb[0] == 'd' ? &o->stays : &o->there;
  if (but->n) {
    circle_and_also(&when);
    text_printf(&when, "(%s == 0)", text_str(but));
  }
  SCOPED_TEXT moves = { 0 };
  text_printf(&moves, o->loop.n ? "%s { %s %s }" : "%s%s %s", text_str(&o->loop), verb, text_str(&o->box));
  put_line(w, depth, text_str(&when), text_str(&moves));
  text_clear(&when);
}

/* The rows that come by, then those that stay. */
static void put_rows(circle_printer *w, int depth, int p)
{
  SCOPED_TEXT head = { 0 };
  SCOPED_TEXT box = { 0 };
  circle_print_stream(w, p, &head, &box);
  text_printf(w->out, "%*s%s", 2 * depth, "", text_str(&head));
  circle_put_move(w, depth + 1, "", "load", text_str(&box));
  put_compute(w, depth + 1, p);
  circle_put_move(w, depth + 1, "", "drop", text_str(&box));
  text_printf(w->out, "%*s}\n", 2 * depth, "");
  w->walked = -1;
  w->held = true;
  put_compute(w, depth, p);
  w->held = false;
}

static void put_member(circle_printer *w, int depth, int k)
{
  int p = w->c->order[k];
  for (int i = 0; i < w->ops; i++)
    if (w->op[i].first == k && w->op[i].last == k)
      put_op(w, depth, &w->op[i], "load", true);
  (w->row_read[p] ? put_rows : put_compute)(w, depth, p);
  for (int i = 0; i < w->pieces; i++)
    if (w->piece[i].member == p && w->piece[i].stored)
      circle_put_piece(w, depth, &w->piece[i], "store");
  for (int i = 0; i < w->ops; i++)
    if (w->op[i].first == k && w->op[i].last == k && !w->op[i].taken)
      put_op(w, depth, &w->op[i], "drop", true);
}

/* Elements before its first step are no part of it, but may be of its array. */
static void print_begun(const circle_printer *w, const circle_piece *x, text *out)
{
  int s = w->c->step.dim[x->member];
  linear k = circle_step_of(w->c, x->member);
  int64_t first;
  bool whole = !circle_in_parts(w->c);
  if (!x->late || s == CIRCLE_STANDS || !polyhedron_least(x->p, &k, &first) ||
      (whole && first <= circle_array(w->c, x->member)->hull.lo[s]))
    return;
  circle_and_also(out);
  text_printf(out, "(%s >= %" PRId64 ")", w->name->step, first + w->c->step.shift[x->member]);
}

void circle_drop_piece(circle_printer *w, int depth, const circle_piece *x)
{
  const circle_names *now = w->name;
  circle_names then;
  text guard = { 0 }, box = { 0 };
  circle_go_back(w, x->late, &then);
  bool there = circle_print_guard(w, x->member, &guard);
  circle_print_own(w, x->member, x->p, true, &box);
  if (circle_is_fixed(w, x))
    circle_print_some_steps(w, x->member, x->p, true, &guard);
  else
    print_begun(w, x, &guard);
  if (there)
    circle_put_move(w, depth, text_str(&guard), "drop", text_str(&box));
  circle_come_back(w, now);
  text_clear(&guard);
  text_clear(&box);
}

void circle_put_step(circle_printer *w, int depth)
{
  const circle *c = w->c;
  for (int k = 0; k < c->n; k++) {
    text guard = { 0 };
    if (!circle_print_guard(w, c->order[k], &guard))
      continue;
    for (int i = 0; i < w->ops; i++)
      if (w->op[i].first == k && w->op[i].last != k)
        put_op(w, depth, &w->op[i], "load", false);
    if (guard.n)
      text_printf(w->out, "%*sif %s {\n", 2 * depth, "", text_str(&guard));
    put_member(w, depth + (guard.n > 0), k);
    if (guard.n)
      text_printf(w->out, "%*s}\n", 2 * depth, "");
    for (int i = 0; i < w->ops; i++)
      if (w->op[i].first != k && w->op[i].last == k && !w->op[i].taken)
        put_op(w, depth, &w->op[i], "drop", false);
    text_clear(&guard);
  }
  for (int i = 0; i < w->pieces; i++)
    if (w->piece[i].late < CIRCLE_LATE)
      circle_drop_piece(w, depth, &w->piece[i]);
}
