/* text.c -- the plan's loops as a schedule's text. */
#include "base/num.h"
#include "schedules/tiler/circles/print.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

static void number(text *out, const char *name, int64_t by)
{
  text_add(out, name);
  if (by)
    text_printf(out, " %c %" PRId64, by > 0 ? '+' : '-', by > 0 ? by : -by);
}

/* ---- ranges ---- */

static void add_end(circle_ends *e, bool hi, const char *name, int64_t by)
{
  text *t = hi ? &e->hi : &e->lo;
  int *n = hi ? &e->his : &e->los;
  if ((*n)++)
    text_add(t, ", ");
  if (name[0])
    number(t, name, by);
  else
    text_printf(t, "%" PRId64, by);
}

static void add_tile(const circle_printer *w, circle_ends *e, bool hi, int t, bool end, int64_t by)
{
  char name[CDAG_NAME + 8];
  snprintf(name, sizeof name, "%s(%s)", end ? "hi" : "lo", w->name->tile[t]);
  add_end(e, hi, name, by);
}

static void add_tile_end(const circle_printer *w, circle_ends *e, bool hi, int t, int64_t by)
{
  add_tile(w, e, hi, t, hi, by);
}

void circle_print_end(text *out, const circle_ends *e, bool hi, const char *shift)
{
  const text *t = hi ? &e->hi : &e->lo;
  text_printf(out, (hi ? e->his : e->los) > 1 ? hi ? "min(%s)%s" : "max(%s)%s" : "%s%s", text_str(t), shift);
}

void circle_clear_ends(circle_ends *e)
{
  text_clear(&e->lo);
  text_clear(&e->hi);
}

static bool is_early(circle_printer *w, int t, int64_t by);
static bool is_late(circle_printer *w, int t, int64_t by);

/* All tiles are cut from the same places on, so two ranges are equal or disjoint. */
static int64_t origin(const circle *c)
{
  int64_t o = INT64_MAX;
  for (int t = 0; t < c->tiles; t++)
    o = num_min(o, circle_end(c, &c->tile[t], false));
  return o - c->early;
}

/* Does one row name both? */
static bool is_coupled(const polyhedron *where, int u, int v)
{
  for (int i = 0; i < where->n; i++)
    if (where->row[i].form.coef[u] && where->row[i].form.coef[v])
      return true;
  return false;
}

/* What the index that is walked leaves of another one. */
static void add_walked_ends(const circle_printer *w, int v, const polyhedron *where, circle_ends *e)
{
  linear diff = linear_variable(v);
  int64_t below, above;
  if (w->walked < 0 || v == w->walked || !is_coupled(where, v, w->walked))
    return;
  diff.coef[w->walked]--;
  if (polyhedron_least(where, &diff, &below))
    add_end(e, false, w->name->walk, below);
  if (polyhedron_most(where, &diff, &above))
    add_end(e, true, w->name->walk, above + 1);
}

circle_ends circle_range_of(circle_printer *w, int p, int v, const polyhedron *where, bool step)
{
  const circle *c = w->c;
  const cdag_box *hull = &circle_array(c, p)->hull;
  int s = c->step.dim[p];
  linear x = linear_variable(v), k = circle_step_of(c, p), diff = x;
  int64_t least = hull->lo[v], most = hull->hi[v] - 1, from = INT64_MIN, to = 0, b, below = 0, above = 0;
  circle_ends e = { .plain = true };
  bool tiled = circle_tiled(c, p, v);
  least = polyhedron_least(where, &x, &b) ? num_max(least, b) : least;
  most = polyhedron_most(where, &x, &b) ? num_min(most, b) : most;
  for (int t = 0; t < c->tiles; t++)
    if (c->tile[t].dim[p] == v) {
      e.plain = e.plain && c->tile[t].shift[p] == 0 && e.los == 0;
      add_tile_end(w, &e, false, t, -c->tile[t].shift[p]);
      add_tile_end(w, &e, true, t, -c->tile[t].shift[p]);
      from = num_max(from, origin(c) - c->tile[t].shift[p]);
      to = num_max(to, circle_end(c, &c->tile[t], true) - c->tile[t].shift[p]);
    }
  int tiles = e.los;
  linear_add(&diff, &k, -1);
  step = step && s != CIRCLE_STANDS;
  int64_t last = polyhedron_most(where, &k, &b) ? b : step ? hull->hi[s] - 1 : 0,
          first = polyhedron_least(where, &k, &b) ? b : step ? hull->lo[s] : 0;
  bool lower = step && v != s && polyhedron_least(where, &diff, &below) && last + below > least;
  bool upper = step && v != s && polyhedron_most(where, &diff, &above) && first + above < most;
  if ((!tiled || least > from) && !(lower && first + below >= least))
    add_end(&e, false, "", least);
  if ((!tiled || most + 1 < to) && !(upper && last + above <= most))
    add_end(&e, true, "", most + 1);
  for (int t = 0; t < c->tiles && lower; t++)
    if (c->tile[t].dim[p] == v && is_early(w, t, below - c->step.shift[p] + c->tile[t].shift[p]))
      lower = false;
  for (int t = 0; t < c->tiles && upper; t++)
    if (c->tile[t].dim[p] == v && is_late(w, t, above + 1 - c->step.shift[p] + c->tile[t].shift[p]))
      upper = false;
  add_walked_ends(w, v, where, &e);
  if (lower)
    add_end(&e, false, w->name->step, below - c->step.shift[p]);
  if (upper)
    add_end(&e, true, w->name->step, above + 1 - c->step.shift[p]);
  e.plain = e.plain && tiles == 1 && e.los == 1 && e.his == 1;
  return e;
}

static const char *tile_of(const circle_printer *w, int p, int v)
{
  for (int t = 0; t < w->c->tiles; t++)
    if (w->c->tile[t].dim[p] == v)
      return w->name->tile[t];
  return "";
}

/* step + by <= lo(tile) is so in plain steps, if there are such. */
static bool is_early(circle_printer *w, int t, int64_t by)
{
  if (w->past[t] || (w->by_lo[t] > INT64_MIN && 1 - by <= w->by_lo[t]))
    return false;
  w->until[t] = num_min(w->until[t], 1 - by);
  return w->plain;
}

/* step + by >= hi(tile) is. */
static bool is_late(circle_printer *w, int t, int64_t by)
{
  if (!w->past[t] || by < -CIRCLE_LATE)
    return false;
  w->since[t] = num_max(w->since[t], w->back - by);
  return w->plain;
}

/* ---- boxes ---- */

/* index = variable + constant on all points? */
static bool is_variable(const polyhedron *where, linear *index, int rank)
{
  for (int v = 0; v < rank; v++)
    if (circle_is_variable(where, index, v, index))
      return true;
  return false;
}

static circle_turn turned_sum(const circle *c, int array, int q)
{
  bool turned = c->turned && c->turned[array].turned >> q & 1;
  return (circle_turn){ turned, turned ? c->turned[array].sum[q] : 0 };
}

/* Is it a sum or a difference? */
static bool is_sum(const char *value)
{
  int depth = 0;
  for (; *value; value++) {
    depth += (*value == '(') - (*value == ')');
    if (depth == 0 && (*value == ' ' || *value == '-'))
      return true;
  }
  return false;
}

static void print_value(circle_turn t, const char *value, text *out)
{
  char *rest;
  long long number = strtoll(value, &rest, 10);
  if (!t.turned)
    text_add(out, value);
  else if (!*rest)
    text_printf(out, "%" PRId64, t.sum - (int64_t)number);
  else
    text_printf(out, is_sum(value) ? "%" PRId64 " - (%s)" : "%" PRId64 " - %s", t.sum, value);
}

/* From lo to hi, or from the image of the last one to that of the first. */
static void print_range(circle_turn t, const circle_ends *e, const char *shift, text *out)
{
  for (int end = 0; end < 2; end++) {
    text value = { 0 };
    circle_print_end(&value, e, t.turned ? !end : end, shift);
    text_add(out, end ? ".." : "");
    print_value((circle_turn){ t.turned, t.sum + 1 }, text_str(&value), out);
    text_clear(&value);
  }
}

bool circle_print_index(circle_printer *w, int p, linear f, const polyhedron *where, bool step, circle_turn t,
                        text *out)
{
  const circle *c = w->c;
  int rank = circle_form(c, p)->rank, s = c->step.dim[p], ranged = -1, many = 0;
  step = step && s != CIRCLE_STANDS;
  for (int v = 0; v < rank; v++)
    many += f.coef[v] == 1 ? 1 : f.coef[v] ? 2 : 0;
  if (many > 1)
    is_variable(where, &f, rank);
  for (int v = 0; v < where->vars; v++)
    if (f.coef[v] && (v != s || !step)) {
      if (ranged >= 0 || f.coef[v] != 1 || v >= rank)
        return false;
      ranged = v;
    }
  text shift = { 0 };
  int64_t at;
  linear k = circle_step_of(c, p);
  if (step && f.coef[s] && circle_is_single(where, &k, &at)) { /* at one step only: a number */
    f.base += f.coef[s] * at;
    f.coef[s] = 0;
  }
  int64_t times = step ? f.coef[s] : 0, base = f.base - (times ? times * c->step.shift[p] : 0);
  if (times)
    text_printf(&shift, times == 1 ? "%s" : "%s*%" PRId64, w->name->step, times);
  if (ranged < 0 || ranged == w->walked) {
    text value = { 0 };
    if (ranged >= 0)
      text_printf(&value, times ? "%s + " : "%s", w->name->walk);
    if (times || ranged >= 0)
      number(&value, text_str(&shift), base);
    else
      text_printf(&value, "%" PRId64, base);
    print_value(t, text_str(&value), out);
    text_clear(&value);
    text_clear(&shift);
    return true;
  }
  text by = { 0 };
  if (times)
    text_printf(&by, " + %s", text_str(&shift));
  if (base)
    text_printf(&by, " %c %" PRId64, base > 0 ? '+' : '-', base > 0 ? base : -base);
  circle_ends e = circle_range_of(w, p, ranged, where, step);
  if (e.plain && by.n == 0 && !t.turned)
    text_add(out, tile_of(w, p, ranged));
  else
    print_range(t, &e, text_str(&by), out);
  circle_clear_ends(&e);
  text_clear(&by);
  text_clear(&shift);
  return true;
}

void circle_print_box(circle_printer *w, int array, const linear *index, int p, const polyhedron *where, bool step,
                      text *out)
{
  const cdag *g = w->c->f->g;
  text_printf(out, "%s[", g->array[array].name);
  for (int q = 0; q < g->array[array].rank; q++) {
    text_add(out, q ? "," : "");
    w->told = circle_print_index(w, p, index[q], where, step, turned_sum(w->c, array, q), out) && w->told;
  }
  text_char(out, ']');
}

/* The one variable, but the step, that index q of what is read moves with; -1: none, or several. */
static int mover(const circle *c, const circle_read *r, int q)
{
  int found = -1;
  for (int v = 0; v < circle_form(c, r->reader)->rank; v++)
    if (r->a->index[q].coef[v] && v != c->step.dim[r->reader] && !(r->told >> v & 1)) {
      if (found >= 0)
        return -1;
      found = v;
    }
  return found;
}

/* Has the array elements where the indices q and u of what is read break a row that its readers keep? */
static bool holds_more(const circle *c, const circle_read *r, int q, int u)
{
  const array_form *to = &c->f->array[r->a->to];
  const polyhedron *where = r->a->where;
  int v[] = { mover(c, r, q), mover(c, r, u) }, at[] = { q, u };
  if (r->a->index[q].coef[v[0]] != 1 || r->a->index[u].coef[v[1]] != 1)
    return false;
  for (int i = 0; i < where->n; i++) {
    const linear *row = &where->row[i].form;
    linear rest = *row, form = linear_constant(row->base);
    if (!row->coef[v[0]] || !row->coef[v[1]])
      continue;
    for (int k = 0; k < 2; k++) {
      rest.coef[v[k]] = 0;
      form.coef[at[k]] = row->coef[v[k]];
      form.base -= row->coef[v[k]] * r->a->index[at[k]].base;
    }
    if (linear_is_constant(&rest) && !(to->domain.n == 1 && polyhedron_implies(to->domain.item[0], &form, false)))
      return true;
  }
  return false;
}

/* The dimension of the reader that is walked, so that no more is brought than what is read: the one that two indices
   move with, or, where what is brought leaves with its readers, one whose range ends at another.  -1: none. */
static int walk_of(const circle *c, const circle_read *r)
{
  int rank = c->f->array[r->a->to].rank;
  for (int q = 0; q < rank; q++)
    for (int u = 0; u < q; u++) {
      int v = mover(c, r, q), o = mover(c, r, u);
      if (v >= 0 && o >= 0 && (v == o || (r->takes && holds_more(c, r, q, u))))
        return o;
    }
  return -1;
}

void circle_print_brought(circle_printer *w, const circle_read *r, text *loop, text *out)
{
  int v = walk_of(w->c, r);
  if (v >= 0) {
    circle_ends e = circle_range_of(w, r->reader, v, r->a->where, true);
    text_printf(loop, "for %s in ", w->name->walk);
    circle_print_end(loop, &e, false, "");
    text_add(loop, "..");
    circle_print_end(loop, &e, true, "");
    circle_clear_ends(&e);
  }
  w->walked = v;
  circle_print_box(w, r->a->to, r->a->index, r->reader, r->a->where, true, out);
  w->walked = -1;
}

static void print_own(circle_printer *w, int p, const polyhedron *where, bool step, text *out)
{
  linear own[CDAG_RANK];
  for (int q = 0; q < circle_form(w->c, p)->rank; q++)
    own[q] = linear_variable(q);
  circle_print_box(w, w->c->member[p], own, p, where, step, out);
}

/* ---- what nobody takes ---- */

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

static void list_pieces(circle_printer *w)
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

/* ---- conditions ---- */

bool circle_is_past(circle_printer *w, int p, const polyhedron *on)
{
  const circle *c = w->c;
  for (int t = 0; t < c->tiles && c->step.dim[p] != CIRCLE_STANDS; t++) {
    int64_t below;
    linear f = linear_variable(c->tile[t].dim[p]), k = circle_step_of(c, p);
    linear_add(&f, &k, -1);
    if (c->tile[t].dim[p] != c->step.dim[p] && polyhedron_least(on, &f, &below) &&
        is_late(w, t, below - c->step.shift[p] + c->tile[t].shift[p]))
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
        is_early(w, t, above + 1 - c->step.shift[p] + c->tile[t].shift[p]))
      return true;
  }
  return circle_is_past(w, p, on);
}

/* Is it of some steps only, whatever the tile? */
static bool is_fixed(const circle_printer *w, const circle_piece *x)
{
  linear k = circle_step_of(w->c, x->member);
  int64_t at;
  return circle_is_single(x->p, &k, &at);
}

/* What is of one step says so itself. */
static bool piece_comes_later(circle_printer *w, const circle_piece *x)
{
  return !is_fixed(w, x) && comes_later(w, x->member, x->p);
}

void circle_and_also(text *out) { text_add(out, out->n ? " * " : ""); }

bool circle_print_guard(circle_printer *w, int p, text *out)
{
  const circle *c = w->c;
  if (comes_later(w, p, circle_computed(c, p)))
    return false;
  if (c->step.dim[p] == CIRCLE_STANDS)
    text_printf(out, "(%s == %" PRId64 ")", w->name->step, c->step.shift[p]);
  for (int t = 0; t < c->tiles; t++)
    if (c->tile[t].dim[p] == c->step.dim[p]) {
      if (is_early(w, t, c->tile[t].shift[p] - c->step.shift[p] + 1) ||
          is_late(w, t, c->tile[t].shift[p] - c->step.shift[p]))
        return false;
      circle_and_also(out);
      text_printf(out, "(lo(%s) <= ", w->name->tile[t]);
      number(out, w->name->step, c->tile[t].shift[p] - c->step.shift[p]);
      text_add(out, ") * (");
      number(out, w->name->step, c->tile[t].shift[p] - c->step.shift[p]);
      text_printf(out, " < hi(%s))", w->name->tile[t]);
    }
  for (int v = 0; v < circle_form(c, p)->rank; v++) {
    if (v == c->step.dim[p])
      continue;
    circle_ends e = circle_range_of(w, p, v, circle_computed(c, p), true);
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
  return true;
}

void circle_print_outside(circle_printer *w, const circle_read *r, text *out)
{
  text any = { 0 };
  for (int t = 0; t < w->c->tiles && r->from >= 0; t++) {
    if (r->place[t] == CIRCLE_INSIDE)
      continue;
    if (r->place[t] == CIRCLE_AT_STEP && is_early(w, t, r->by[t] + 1)) {
      text_clear(&any);
      return;
    }
    text_add(&any, any.n ? " + (" : "(");
    if (r->place[t] == CIRCLE_AT_STEP) {
      number(&any, w->name->step, r->by[t]);
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

/* The steps of these points, elements of member p, where they are not all of its steps; the first only with `lower`. */
static void print_some_steps(const circle_printer *w, int p, const polyhedron *on, bool lower, text *out)
{
  const circle *c = w->c;
  linear k = circle_step_of(c, p);
  int64_t its, least, most;
  if (!polyhedra_span(&circle_form(c, p)->computed, &k, &least, &most))
    return;
  if (lower && polyhedron_least(on, &k, &its) && its > least) {
    circle_and_also(out);
    text_printf(out, "(%s >= %" PRId64 ")", w->name->step, its + c->step.shift[p]);
  }
  if (polyhedron_most(on, &k, &its) && its < most) {
    circle_and_also(out);
    text_printf(out, "(%s <= %" PRId64 ")", w->name->step, its + c->step.shift[p]);
  }
}

/* What a part of an array has not, another has. */
static bool in_parts(const circle *c) { return c->f->arrays > c->f->g->arrays; }

void circle_print_steps(const circle_printer *w, const circle_read *r, text *out)
{
  bool said = false, parts = in_parts(w->c);
  for (int q = 0; q < w->c->f->array[r->a->to].rank; q++)
    said |= w->c->step.dim[r->reader] != CIRCLE_STANDS && r->a->index[q].coef[w->c->step.dim[r->reader]] != 0;
  print_some_steps(w, r->reader, r->a->where, !said || parts, out);
}

/* ---- lines ---- */

static void put_line(circle_printer *w, int depth, const char *when, const char *moves)
{
  text_printf(w->out, when[0] ? "%*sif %s { %s }\n" : "%*s%s%s\n", 2 * depth, "", when, moves);
}

static void put_move(circle_printer *w, int depth, const char *when, const char *verb, const char *what)
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

static void put_compute(circle_printer *w, int depth, int p)
{
  text line = { 0 };
  circle_taking taking[CIRCLE_READS];
  print_own(w, p, circle_computed(w->c, p), true, &line);
  for (int i = 0, n = takings_of(w, p, taking); i < n; i++) {
    const access *a = taking[i].read->a;
    text_add(&line, i ? ", " : " dropping ");
    circle_print_box(w, a->to, a->index, p, taking[i].where, true, &line);
  }
  put_move(w, depth, "", "compute", text_str(&line));
  text_clear(&line);
}

static void put_piece(circle_printer *w, int depth, const circle_piece *x, const char *verb)
{
  if (piece_comes_later(w, x))
    return;
  text box = { 0 }, when = { 0 };
  print_own(w, x->member, x->p, true, &box);
  if (is_fixed(w, x) || x->taken)
    print_some_steps(w, x->member, x->p, true, &when);
  put_move(w, depth, text_str(&when), verb, text_str(&box));
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

static void put_member(circle_printer *w, int depth, int k)
{
  int p = w->c->order[k];
  for (int i = 0; i < w->ops; i++)
    if (w->op[i].first == k && w->op[i].last == k)
      put_op(w, depth, &w->op[i], "load", true);
  put_compute(w, depth, p);
  for (int i = 0; i < w->pieces; i++)
    if (w->piece[i].member == p && w->piece[i].stored)
      put_piece(w, depth, &w->piece[i], "store");
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
  bool whole = !in_parts(w->c);
  if (!x->late || s == CIRCLE_STANDS || !polyhedron_least(x->p, &k, &first) ||
      (whole && first <= circle_array(w->c, x->member)->hull.lo[s]))
    return;
  circle_and_also(out);
  text_printf(out, "(%s >= %" PRId64 ")", w->name->step, first + w->c->step.shift[x->member]);
}

/* What nobody wants any more after this step. */
static void drop_piece(circle_printer *w, int depth, const circle_piece *x)
{
  const circle_names *now = w->name;
  circle_names then;
  text guard = { 0 }, box = { 0 };
  circle_go_back(w, x->late, &then);
  bool there = circle_print_guard(w, x->member, &guard);
  print_own(w, x->member, x->p, true, &box);
  if (is_fixed(w, x))
    print_some_steps(w, x->member, x->p, true, &guard);
  else
    print_begun(w, x, &guard);
  if (there)
    put_move(w, depth, text_str(&guard), "drop", text_str(&box));
  circle_come_back(w, now);
  text_clear(&guard);
  text_clear(&box);
}

static void put_step(circle_printer *w, int depth)
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
      drop_piece(w, depth, &w->piece[i]);
}

/* ---- loops ---- */

/* The steps of these points in a tile. */
static void step_range(const circle_printer *w, int p, const polyhedron *on, int64_t *lo, int64_t *hi, int64_t *by_lo,
                       int64_t *by_hi)
{
  const circle *c = w->c;
  int s = c->step.dim[p];
  linear k = circle_step_of(c, p);
  const cdag_box *h = &circle_array(c, p)->hull;
  int64_t b;
  *lo = num_min(*lo, (s == CIRCLE_STANDS ? 0 : polyhedron_least(on, &k, &b) ? b : h->lo[s]) + c->step.shift[p]);
  *hi = num_max(*hi, (s == CIRCLE_STANDS ? 1 : polyhedron_most(on, &k, &b) ? b + 1 : h->hi[s]) + c->step.shift[p]);
  for (int t = 0; t < c->tiles; t++) {
    linear x = linear_variable(c->tile[t].dim[p]), f = k;
    linear_add(&f, &x, -1);
    int64_t by = c->step.shift[p] - c->tile[t].shift[p];
    by_lo[t] = polyhedron_least(on, &f, &b) && by_lo[t] > INT64_MIN ? num_min(by_lo[t], b + by) : INT64_MIN;
    by_hi[t] = polyhedron_most(on, &f, &b) && by_hi[t] < INT64_MAX ? num_max(by_hi[t], b + by) : INT64_MAX;
  }
}

static int64_t least_until(const circle_printer *w)
{
  int64_t least = INT64_MAX;
  for (int t = 0; t < w->c->tiles; t++)
    least = num_min(least, w->until[t]);
  return least;
}

/* Does a tile's lower end say as much as this number? */
static bool fits_early(const circle_printer *w, int64_t hi)
{
  for (int t = 0; t < w->c->tiles; t++)
    if (w->until[t] < INT64_MAX && circle_end(w->c, &w->c->tile[t], true) - 1 + w->until[t] <= hi)
      return true;
  return false;
}

/* Do steps begin, or end, where tiles do? */
static bool begins_with(const circle_printer *w, int t)
{
  return w->by_lo[t] > INT64_MIN && circle_end(w->c, &w->c->tile[t], true) - 1 + w->by_lo[t] > w->lo;
}

static bool ends_with(const circle_printer *w, int t)
{
  return w->by_hi[t] < INT64_MAX && circle_end(w->c, &w->c->tile[t], false) + w->by_hi[t] + 1 < w->hi;
}

/* Of the steps all, the plain ones, those behind them and those before. */
typedef enum { ALL_STEPS, PLAIN_STEPS, STEPS_BEHIND, STEPS_BEFORE } step_part;

/* Plain steps begin behind some tiles. */
static void add_since(const circle_printer *w, step_part part, circle_ends *e)
{
  const circle *c = w->c;
  circle_ends late = { .plain = false };
  for (int t = 0; t < c->tiles; t++)
    if (w->since[t] > INT64_MIN)
      add_tile(w, part == STEPS_BEFORE ? &late : e, part == STEPS_BEFORE, t, true, w->since[t]);
  if (late.his) {
    text_add(&e->hi, e->his++ ? ", " : "");
    text_printf(&e->hi, late.his > 1 ? "max(%s)" : "%s", text_str(&late.hi));
  }
  circle_clear_ends(&late);
}

static void step_ends(const circle_printer *w, step_part part, int64_t lo, int64_t hi, const int64_t *by_lo,
                      const int64_t *by_hi, circle_ends *e)
{
  const circle *c = w->c;
  bool plain = part == PLAIN_STEPS;
  circle_ends early = { .plain = false };
  for (int t = 0; t < c->tiles && (plain || part == STEPS_BEHIND); t++)
    if (w->until[t] < INT64_MAX)
      add_tile(w, plain ? e : &early, true, t, false, w->until[t]);
  if (early.his) {
    text_add(&e->lo, early.his > 1 ? "min(" : "");
    text_printf(&e->lo, "%s%s", text_str(&early.hi), early.his > 1 ? ")" : "");
    e->los++;
  }
  if (early.his == 0 || origin(c) + least_until(w) < lo)
    add_end(e, false, "", lo);
  if (!plain || !fits_early(w, hi))
    add_end(e, true, "", hi);
  if (part != ALL_STEPS)
    add_since(w, part, e);
  for (int t = 0; t < c->tiles; t++) {
    if (by_lo[t] > INT64_MIN && circle_end(c, &c->tile[t], true) - 1 + by_lo[t] > lo &&
        !(plain && w->since[t] >= by_lo[t]))
      add_tile_end(w, e, false, t, by_lo[t]);
    if (by_hi[t] < INT64_MAX && circle_end(c, &c->tile[t], false) + by_hi[t] + 1 < hi &&
        !(plain && by_hi[t] + 1 >= w->until[t]))
      add_tile_end(w, e, true, t, by_hi[t]);
  }
  circle_clear_ends(&early);
}

static void print_step_loop(const circle_printer *w, step_part part, int64_t lo, int64_t hi, const int64_t *by_lo,
                            const int64_t *by_hi, text *out)
{
  circle_ends e = { .plain = false };
  step_ends(w, part, lo, hi, by_lo, by_hi, &e);
  text_printf(out, "for %s in ", w->name->step);
  circle_print_end(out, &e, false, "");
  text_add(out, "..");
  circle_print_end(out, &e, true, "");
  text_add(out, " {\n");
  circle_clear_ends(&e);
}

static void find_steps(circle_printer *w)
{
  w->lo = INT64_MAX;
  w->hi = INT64_MIN;
  for (int t = 0; t < CIRCLE_TILES; t++) {
    w->by_lo[t] = INT64_MAX;
    w->by_hi[t] = -INT64_MAX;
  }
  for (int p = 0; p < w->c->n; p++)
    step_range(w, p, circle_computed(w->c, p), &w->lo, &w->hi, w->by_lo, w->by_hi);
}

/* Which steps need not ask?  The conditions that are printed there say. */
static void find_plain(circle_printer *w)
{
  text *out = w->out, scratch = { 0 };
  int64_t until[CIRCLE_TILES], since[CIRCLE_TILES];
  w->out = &scratch;
  do {
    memcpy(until, w->until, sizeof until);
    memcpy(since, w->since, sizeof since);
    w->plain = true;
    circle_list_ops(w);
    put_step(w, 0);
  } while (memcmp(until, w->until, sizeof until) != 0 || memcmp(since, w->since, sizeof since) != 0);
  text_clear(&scratch);
  w->out = out;
}

static void put_part(circle_printer *w, step_part part, int depth)
{
  w->plain = part == PLAIN_STEPS;
  circle_list_ops(w);
  text_printf(w->out, "%*s", 2 * depth, "");
  print_step_loop(w, part, w->lo, w->hi, w->by_lo, w->by_hi, w->out);
  put_step(w, depth + 1);
  text_printf(w->out, "%*s}\n", 2 * depth, "");
}

static void put_steps(circle_printer *w, int depth)
{
  bool before = false, behind = false;
  for (int t = 0; t < w->c->tiles; t++) {
    behind = behind || w->until[t] < INT64_MAX;
    before = before || w->since[t] > INT64_MIN;
  }
  if (before)
    put_part(w, STEPS_BEFORE, depth);
  if (before || behind)
    put_part(w, PLAIN_STEPS, depth);
  if (behind || !before)
    put_part(w, STEPS_BEHIND, depth);
  w->plain = false;
}

/* What the last steps have left for those behind them. */
static void put_late(circle_printer *w, int depth, const circle_piece *x)
{
  circle_ends e = { .plain = false };
  step_ends(w, STEPS_BEHIND, w->lo, w->hi, w->by_lo, w->by_hi, &e);
  text_printf(w->out, "%*sfor %s in ", 2 * depth, "", w->name->step);
  circle_print_end(w->out, &e, true, "");
  text_add(w->out, "..");
  circle_print_end(w->out, &e, true, "");
  text_printf(w->out, " + %" PRId64 " {\n", x->late);
  drop_piece(w, depth + 1, x);
  text_printf(w->out, "%*s}\n", 2 * depth, "");
  circle_clear_ends(&e);
}

/* At the end of a tile what stayed goes: at once where its step is of the tile, else step by step. */
static void put_end(circle_printer *w, int depth)
{
  for (int i = 0; i < w->pieces; i++) {
    const circle_piece *x = &w->piece[i];
    int64_t lo = INT64_MAX, hi = INT64_MIN, by_lo[CIRCLE_TILES] = { INT64_MAX, INT64_MAX },
            by_hi[CIRCLE_TILES] = { -INT64_MAX, -INT64_MAX };
    if (x->late > 0 && x->late < CIRCLE_LATE)
      put_late(w, depth, x);
    if (x->late < CIRCLE_LATE || x->taken)
      continue;
    if (circle_tiled(w->c, x->member, w->c->step.dim[x->member])) {
      text box = { 0 };
      print_own(w, x->member, x->p, false, &box);
      put_move(w, depth, "", "drop", text_str(&box));
      text_clear(&box);
      continue;
    }
    step_range(w, x->member, x->p, &lo, &hi, by_lo, by_hi);
    text_printf(w->out, "%*s", 2 * depth, "");
    print_step_loop(w, ALL_STEPS, lo, hi, by_lo, by_hi, w->out);
    put_piece(w, depth + 1, x, "drop");
    text_printf(w->out, "%*s}\n", 2 * depth, "");
  }
}

/* The tiles along the second axis that have anything in them go with those along the first. */
static void put_tile_loop(const circle_printer *w, int t)
{
  const circle *c = w->c;
  bool below = t > 0, above = t > 0;
  circle_ends e = { .plain = false };
  for (int p = 0; p < c->n && t > 0; p++) {
    linear f = linear_variable(c->tile[0].dim[p]), x = linear_variable(c->tile[1].dim[p]), back = linear_constant(0);
    linear_add(&f, &x, -1);
    f.base = c->tile[0].shift[p] - c->tile[1].shift[p];
    linear_add(&back, &f, -1);
    below = below && polyhedron_implies(circle_computed(c, p), &f, false);
    above = above && polyhedron_implies(circle_computed(c, p), &back, false);
  }
  text_printf(w->out, "%*sfor %s in ", 2 * t, "", w->name->tile[t]);
  if (above)
    add_tile_end(w, &e, false, 0, 0);
  else
    add_end(&e, false, "", origin(c));
  if (below)
    add_tile_end(w, &e, true, 0, 0);
  else
    add_end(&e, true, "", circle_end(c, &c->tile[t], true));
  text_printf(w->out, "%s..%s by %s {\n", text_str(&e.lo), text_str(&e.hi), w->name->length);
  circle_clear_ends(&e);
}

bool circle_print(circle *c, const circle_names *names, text *out)
{
  circle_printer w = { .c = c, .name = names, .out = out, .told = true, .walked = -1 };
  find_steps(&w);
  for (int t = 0; t < CIRCLE_TILES; t++) {
    w.past[t] = t < c->tiles && begins_with(&w, t) && !ends_with(&w, t);
    w.until[t] = INT64_MAX;
    w.since[t] = INT64_MIN;
  }
  list_pieces(&w);
  circle_list_ops(&w); /* and what they want of plain steps */
  for (int i = 0; i < w.pieces; i++)
    piece_comes_later(&w, &w.piece[i]);
  find_plain(&w);
  for (int t = 0; t < c->tiles; t++)
    put_tile_loop(&w, t);
  put_steps(&w, c->tiles);
  put_end(&w, c->tiles);
  for (int t = c->tiles - 1; t >= 0; t--)
    text_printf(out, "%*s}\n", 2 * t, "");
  for (int i = 0; i < w.ops; i++)
    circle_clear_op(&w.op[i]);
  return w.told;
}
