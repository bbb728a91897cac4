/* box.c -- ranges of indices in a tile, and boxes, in the text of a circle. */
#include "base/num.h"
#include "schedules/tiler/circles/print.h"
#include <inttypes.h>
#include <stdlib.h>

void circle_print_number(text *out, const char *name, int64_t by)
{
  text_add(out, name);
  if (by)
    text_printf(out, " %c %" PRId64, by > 0 ? '+' : '-', by > 0 ? by : -by);
}

void circle_add_end(circle_ends *e, bool hi, const char *name, int64_t by)
{
  text *t = hi ? &e->hi : &e->lo;
  int *n = hi ? &e->his : &e->los;
  if ((*n)++)
    text_add(t, ", ");
  if (name[0])
    circle_print_number(t, name, by);
  else
    text_printf(t, "%" PRId64, by);
}

void circle_add_tile(const circle_printer *w, circle_ends *e, bool hi, int t, bool end, int64_t by)
{
  char name[CDAG_NAME + 8];
  snprintf(name, sizeof name, "%s(%s)", end ? "hi" : "lo", w->name->tile[t]);
  circle_add_end(e, hi, name, by);
}

void circle_add_tile_end(const circle_printer *w, circle_ends *e, bool hi, int t, int64_t by)
{
  circle_add_tile(w, e, hi, t, hi, by);
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

int64_t circle_origin(const circle *c)
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
    circle_add_end(e, false, w->name->walk, below);
  if (polyhedron_most(where, &diff, &above))
    circle_add_end(e, true, w->name->walk, above + 1);
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
      circle_add_tile_end(w, &e, false, t, -c->tile[t].shift[p]);
      circle_add_tile_end(w, &e, true, t, -c->tile[t].shift[p]);
      from = num_max(from, circle_origin(c) - c->tile[t].shift[p]);
      to = num_max(to, circle_end(c, &c->tile[t], true) - c->tile[t].shift[p]);
    }
  int tiles = e.los;
  linear_add(&diff, &k, -1);
  step = step && s != CIRCLE_STANDS;
  int64_t last = polyhedron_most(where, &k, &b) ? b
                 : step                         ? hull->hi[s] - 1
                                                : 0,
          first = polyhedron_least(where, &k, &b) ? b
                  : step                          ? hull->lo[s]
                                                  : 0;
  bool lower = step && v != s && polyhedron_least(where, &diff, &below) && last + below > least;
  bool upper = step && v != s && polyhedron_most(where, &diff, &above) && first + above < most;
  bool held = w->held && w->row_read[p] && w->row[p] == v;
  if (held)
    circle_add_end(&e, false, w->name->hold, 0);
  if ((!tiled || least > from) && !(held && least == hull->lo[v]) && !(lower && first + below >= least))
    circle_add_end(&e, false, "", least);
  if ((!tiled || most + 1 < to) && !(upper && last + above <= most))
    circle_add_end(&e, true, "", most + 1);
  for (int t = 0; t < c->tiles && lower; t++)
    if (c->tile[t].dim[p] == v && circle_is_early(w, t, below - c->step.shift[p] + c->tile[t].shift[p]))
      lower = false;
  for (int t = 0; t < c->tiles && upper; t++)
    if (c->tile[t].dim[p] == v && circle_is_late(w, t, above + 1 - c->step.shift[p] + c->tile[t].shift[p]))
      upper = false;
  add_walked_ends(w, v, where, &e);
  if (lower)
    circle_add_end(&e, false, w->name->step, below - c->step.shift[p]);
  if (upper)
    circle_add_end(&e, true, w->name->step, above + 1 - c->step.shift[p]);
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

bool circle_is_early(circle_printer *w, int t, int64_t by)
{
  if (w->past[t] || (w->by_lo[t] > INT64_MIN && 1 - by <= w->by_lo[t]))
    return false;
  w->until[t] = num_min(w->until[t], 1 - by);
  return w->plain;
}

bool circle_is_late(circle_printer *w, int t, int64_t by)
{
  if (!w->past[t] || by < -CIRCLE_LATE)
    return false;
  w->since[t] = num_max(w->since[t], w->back - by);
  return w->plain;
}

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
      circle_print_number(&value, text_str(&shift), base);
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
  if (e.plain && by.n == 0 && !t.turned && !w->ends)
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

void circle_print_own(circle_printer *w, int p, const polyhedron *where, bool step, text *out)
{
  linear own[CDAG_RANK];
  for (int q = 0; q < circle_form(w->c, p)->rank; q++)
    own[q] = linear_variable(q);
  circle_print_box(w, w->c->member[p], own, p, where, step, out);
}
