#include "schedules/tiler/sweeps/strips_plan.h"
#include "base/mem.h"
#include "base/num.h"
#include "cdag/polyhedral/normal.h"
#include "schedules/tiler/circles/circle.h"
#include "schedules/tiler/nests/words.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int member_of(const strips *s, int array)
{
  for (int p = 0; p < s->n; p++)
    if (s->of[p].array == array)
      return p;
  return -1;
}

/* ---- axes ---- */

static int list_forms(int rank, linear *out)
{
  int n = 0;
  for (int sign = 1; sign >= -1; sign -= 2)
    for (int a = 0; a < rank; a++)
      for (int b = a; b < rank + (rank > 1 ? rank : 0) && n < FORMS; b++) { /* alone; plus or minus another */
        linear f = linear_constant(0);
        int other = b < rank ? b : b - rank;
        if (b >= rank && other <= a)
          continue;
        f.coef[a] = sign;
        if (other != a)
          f.coef[other] += b < rank ? sign : -sign;
        out[n++] = f;
      }
  return n;
}

/* The same with axes that are not shifted; UNBOUNDED: no bound is known. */
static int64_t unshifted_ahead(const strips *s, const strip_read *r, int axis)
{
  linear f, of = s->of[r->from].axis[axis], own = s->of[r->reader].axis[axis];
  int64_t most;
  of.base = own.base = 0;
  return linear_substitute(&of, r->a->index, s->of[r->from].rank, 0, &f) && linear_add(&f, &own, -1) &&
         polyhedron_most(r->a->where, &f, &most) && most < UNBOUNDED ? most : UNBOUNDED;
}

/* How far before its reader a read lies: at most `most`; false: no bound is known.  Each two forms are asked once. */
static bool ahead(const strips *s, strip_read *r, int axis, int64_t *most)
{
  const member *from = &s->of[r->from], *reader = &s->of[r->reader];
  if (!r->asked[from->form][reader->form])
    r->ahead[from->form][reader->form] = unshifted_ahead(s, r, axis);
  r->asked[from->form][reader->form] = true;
  *most = r->ahead[from->form][reader->form] + from->axis[axis].base - reader->axis[axis].base;
  return r->ahead[from->form][reader->form] < UNBOUNDED && *most <= FAR_OFF;
}

/* The least shifts with which no read goes forward. */
static bool shift_axis(strips *s, int axis)
{
  for (int round = 0; round <= s->n; round++) {
    bool moved = false;
    for (int i = 0; i < s->reads; i++) {
      int64_t most;
      if (s->read[i].from < 0)
        continue;
      if (!ahead(s, &s->read[i], axis, &most))
        return false;
      if (most > 0) {
        s->of[s->read[i].reader].axis[axis].base += most;
        moved = true;
      }
    }
    if (!moved)
      return true;
  }
  return false;
}

static bool fits_so_far(strips *s, int axis, int known)
{
  int64_t most;
  for (int i = 0; i < s->reads; i++)
    if (s->read[i].from >= 0 && num_max(s->read[i].from, s->read[i].reader) == known &&
        !ahead(s, &s->read[i], axis, &most))
      return false;
  return true;
}

typedef struct { linear form[MEMBERS]; } axis_forms;

/* All axes, member by member, as far as tries go: many statements that read few others have them by the million. */
enum { TRIES_MOST = 1 << 13 };
static void list_axes(strips *s, int p, axis_forms *out, int most, int *n)
{
  linear form[FORMS];
  int forms = list_forms(s->of[p].rank, form);
  for (int k = 0; k < forms && *n < most && s->tries++ < TRIES_MOST; k++) {
    s->of[p].axis[U] = form[k];
    s->of[p].form = k;
    if (!fits_so_far(s, U, p))
      continue;
    if (p + 1 < s->n)
      list_axes(s, p + 1, out, most, n);
    else {
      axis_forms keep;
      for (int q = 0; q < s->n; q++)
        keep.form[q] = s->of[q].axis[U];
      if (shift_axis(s, U)) {
        for (int q = 0; q < s->n; q++)
          out[*n].form[q] = s->of[q].axis[U];
        ++*n;
      }
      for (int q = 0; q < s->n; q++)
        s->of[q].axis[U] = keep.form[q];
    }
  }
}

/* ---- cells ---- */

/* Indices a and b as forms in u and v, where both axes read no others. */
static bool solve(strips *s, member *x)
{
  int pair[2] = { -1, -1 }, found = 0, free = 2;
  for (int d = 0; d < x->rank; d++)
    if (x->axis[U].coef[d] || x->axis[V].coef[d]) {
      if (found == 2)
        return false;
      pair[found++] = d;
    }
  if (found < 2)
    return false;
  int64_t a = s->sign[U] * x->axis[U].coef[pair[0]], b = s->sign[U] * x->axis[U].coef[pair[1]],
          c = s->sign[V] * x->axis[V].coef[pair[0]], d = s->sign[V] * x->axis[V].coef[pair[1]], det = a * d - b * c;
  if (det != 1 && det != -1)
    return false;
  linear u = linear_variable(U), v = linear_variable(V);
  u.base = -s->sign[U] * x->axis[U].base;
  v.base = -s->sign[V] * x->axis[V].base;
  for (int r = 0; r < x->rank; r++) {
    x->at[r] = linear_constant(0);
    if (r == pair[0])
      linear_add(&x->at[r], &u, det * d), linear_add(&x->at[r], &v, -det * b);
    else if (r == pair[1])
      linear_add(&x->at[r], &u, -det * c), linear_add(&x->at[r], &v, det * a);
    else {
      x->dim[free] = r;
      x->at[r] = linear_variable(free++);
    }
  }
  return true;
}

polyhedron *strips_in_cells(strips *s, const member *x, const polyhedron *p)
{
  polyhedron *q = polyhedron_new(&s->memory, x->rank);
  polyhedron_include(&s->memory, q, p, x->at, x->rank);
  return q;
}

void strips_tell(const polyhedron *where, linear *index, int n)
{
  linear value[POLYHEDRON_VARS];
  linear_variables(value, POLYHEDRON_VARS, 0);
  for (int k = 2; k < where->vars; k++)
    for (int v = -1; v < 2; v++) {
      linear f = linear_variable(k), plain;
      if (circle_is_variable(where, &f, v, &plain)) {
        value[k] = plain;
        break;
      }
    }
  for (int q = 0; q < n; q++) {
    linear f;
    if (linear_substitute(&index[q], value, where->vars, 0, &f))
      index[q] = f;
  }
}

static bool is_told(const linear *index, int n)
{
  for (int q = 0; q < n; q++)
    for (int k = 2; k < POLYHEDRON_VARS; k++)
      if (index[q].coef[k])
        return false;
  return true;
}

static bool place_read(strips *s, strip_read *r)
{
  const member *x = &s->of[r->reader];
  int rank = s->f.array[r->a->to].rank;
  r->where = strips_in_cells(s, x, r->a->where);
  for (int q = 0; q < rank; q++)
    if (!linear_substitute(&r->a->index[q], x->at, x->rank, 0, &r->index[q]))
      return false;
  strips_tell(r->where, r->index, rank);
  if (r->from < 0)
    return true;
  bool still[2];
  for (int t = 0; t < 2; t++) {
    linear f = linear_constant(0), by;
    if (!linear_substitute(&s->of[r->from].axis[t], r->index, rank, 0, &by) || !linear_add(&f, &by, s->sign[t]))
      return false;
    r->to[t] = f;
    by = linear_variable(t);
    still[t] = linear_add(&f, &by, -1) && polyhedron_implies(r->where, &f, true);
  }
  r->kind = still[U] && still[V] ? OWN : still[U] ? ROW : still[V] ? COLUMN : NEAR;
  return r->kind != NEAR || is_told(r->index, rank);
}

/* ---- what stays ---- */

static bool reads_one(strips *s, const strip_read *a, const strip_read *b)
{
  int shift;
  if (a->a->to != b->a->to)
    return false;
  polyhedron *both = polyhedron_beside(&s->memory, a->a->where, b->a->where, &shift);
  for (int q = 0; q < s->f.array[a->a->to].rank; q++) {
    linear f;
    if (!linear_substitute(&b->a->index[q], NULL, 0, shift, &f))
      return true;
    polyhedron_same(&s->memory, both, &a->a->index[q], &f);
  }
  return !polyhedron_empty(both);
}

static bool is_put_out(strips *s, const strip_read *r)
{
  const array_form *f = &s->f.array[r->a->to];
  for (int i = 0; i < f->outputs.n; i++) {
    polyhedron *p = polyhedron_copy(&s->memory, r->a->where);
    polyhedron_include(&s->memory, p, f->outputs.item[i], r->a->index, f->rank);
    if (!polyhedron_empty(p))
      return true;
  }
  return s->f.g->array[r->a->to].declared_output && f->outputs.n == 0;
}

static void find_takers(strips *s)
{
  for (int i = 0; i < s->reads; i++) {
    strip_read *r = &s->read[i];
    r->takes = r->from >= 0 && r->kind == OWN && r->a->single && !is_put_out(s, r);
    for (int k = 0; k < s->reads && r->takes; k++)
      r->takes = k == i || !reads_one(s, r, &s->read[k]);
  }
}

linear strips_sum_of_axes(const strips *s)
{
  linear z = linear_constant(0);
  z.coef[U] = s->sign[U];
  z.coef[V] = s->sign[V];
  return z;
}

static bool find_pieces(strips *s)
{
  linear z = strips_sum_of_axes(s);
  for (int p = 0; p < s->n; p++) {
    const array_form *f = &s->f.array[s->of[p].array];
    polyhedra taken = { 0 }, rest = { 0 };
    for (int i = 0; i < s->reads; i++) {
      bool exact;
      if (s->read[i].from != p || !s->read[i].takes)
        continue;
      polyhedra_add(&s->memory, &taken,
                    access_image(&s->memory, s->read[i].a, s->read[i].a->where, f->rank, &exact));
      if (!exact)
        return false;
    }
    if (!polyhedra_minus(&s->memory, &f->computed, &taken, f->rank, &rest))
      return false;
    polyhedra_join(&s->memory, &rest);
    for (int i = 0; i < rest.n; i++) {
      const polyhedron *where = strips_in_cells(s, &s->of[p], rest.item[i]);
      if (polyhedron_empty(where))
        continue;
      if (s->pieces == PIECES)
        return false;
      piece *x = &s->piece[s->pieces++];
      x->member = p;
      memcpy(x->index, s->of[p].at, sizeof x->index);
      strips_tell(where, x->index, f->rank);
      if (!is_told(x->index, f->rank) || !polyhedron_span(where, &z, &x->least, &x->most))
        return false;
      x->always = x->least <= s->z && x->most >= s->farthest;
    }
  }
  return s->pieces > 0;
}

/* ---- inputs ---- */

static double words_of(const strips *s, int array) { return (double)s->f.g->array[array].count; }

bool strips_stay_whole(const strips *s, int array)
{
  bool whole = false;
  for (int i = 0; i < s->reads; i++)
    whole = whole || (s->read[i].from < 0 && s->read[i].a->to == array && s->read[i].kind == WHOLE);
  return whole;
}

static bool place_inputs(strips *s)
{
  for (int i = 0; i < s->reads; i++) {
    strip_read *r = &s->read[i];
    int rank = s->f.array[r->a->to].rank, others = 0;
    bool told = is_told(r->index, rank), whole = false;
    if (r->from >= 0)
      continue;
    for (int k = 0; k < s->reads; k++) {
      others += k != i && s->read[k].a->to == r->a->to;
      whole = whole || (s->read[k].a->to == r->a->to &&
                        !is_told(s->read[k].index, rank) && words_of(s, r->a->to) <= s->m / 2);
    }
    if (whole || words_of(s, r->a->to) <= s->m / 16)
      r->kind = WHOLE;
    else if (!told && (others || !r->a->single))
      return false;
    else
      r->kind = told ? OF_CELL : OF_STEP;
  }
  for (int a = 0; a < s->f.g->arrays; a++)
    s->whole += strips_stay_whole(s, a) ? words_of(s, a) : 0;
  return true;
}

/* ---- the order in a cell, and the plan ---- */

static bool find_order(strips *s)
{
  bool done[MEMBERS] = { false };
  for (int k = 0; k < s->n; k++) {
    int pick = -1;
    for (int p = 0; p < s->n && pick < 0; p++) {
      bool ready = !done[p];
      for (int i = 0; i < s->reads; i++) {
        const strip_read *r = &s->read[i];
        ready = ready && !(r->reader == p && r->kind == OWN && r->from >= 0 && r->from != p && !done[r->from]);
      }
      pick = ready ? p : -1;
    }
    if (pick < 0)
      return false;
    done[pick] = true;
    s->order[k] = pick;
  }
  return true;
}

static bool find_ranges(strips *s)
{
  linear z = strips_sum_of_axes(s);
  s->z = INT64_MAX;
  s->farthest = INT64_MIN;
  for (int t = 0; t < 2; t++) {
    s->lo[t] = INT64_MAX;
    s->hi[t] = INT64_MIN;
  }
  for (int p = 0; p < s->n; p++)
    for (int i = 0; i < s->f.array[s->of[p].array].computed.n; i++) {
      const polyhedron *where = strips_in_cells(s, &s->of[p], s->f.array[s->of[p].array].computed.item[i]);
      int64_t least, most;
      for (int t = 0; t < 2; t++) {
        linear f = linear_variable(t);
        if (!polyhedron_span(where, &f, &least, &most))
          return false;
        s->lo[t] = num_min(s->lo[t], least);
        s->hi[t] = num_max(s->hi[t], most + 1);
      }
      if (!polyhedron_span(where, &z, &least, &most))
        return false;
      s->z = num_min(s->z, least);
      s->farthest = num_max(s->farthest, most);
    }
  return true;
}

/* The sum of x - c, of those that are positive, over x in from..to. */
static double sum_above(int64_t from, int64_t to, int64_t c)
{
  from = num_max(from, c + 1);
  return from > to ? 0 : 0.5 * (double)(from + to - 2 * c) * (double)(to - from + 1);
}

static int64_t height_of(int64_t most, int64_t reach)
{
  return num_max(1, most / num_max(reach, 1) - (most >= 3 * reach));
}

/* A strip of so many rows, whose columns have first..last words: what stays of each row comes once, and so does what
 * stays of each column; the rest comes with each step. */
static double expected_of_strip(const strips *s, int64_t rows, int64_t first, int64_t last)
{
  int64_t kept = num_max(0, s->most - rows * last);
  double words = sum_above(first, last, 0), rest = sum_above(first, last, kept);
  return (double)rows * (double)num_min(first, s->most) + words - rest + (double)rows * rest +
         (double)rows * sum_above(first, last, s->most);
}

/* What a plan is expected to move. */
static double expected(const strips *s, int64_t width, int64_t block)
{
  double sum = 0;
  int64_t n[2] = { s->hi[U] - s->lo[U], s->hi[V] - s->lo[V] };
  int64_t y = s->sign[V] < 0 ? 1 - s->hi[V] : s->lo[V], x = s->sign[U] < 0 ? 1 - s->hi[U] : s->lo[U];
  for (int64_t j = 0; j < n[V]; j += width)
    for (int64_t i = n[U]; i > 0; i -= block) { /* rows in the order they go, cut into blocks from the end */
      int64_t before = num_min(j + width, n[V]) + y + x - s->z, from = num_max(0, num_max(i - block, 1 - before));
      int64_t rows = i - from, last = before + i - 1, height = num_min(height_of(s->most, last), rows);
      if (rows < 1)
        break;
      for (int64_t k = from; k < i; k += height) {
        int64_t end = num_min(k + height, i);
        sum += expected_of_strip(s, end - k, num_max(0, j + y + x + end - 1 - s->z), before + end - 1);
      }
    }
  return sum;
}

static bool find_plan(strips *s)
{
  double best = INFINITY;
  int64_t n[2] = { s->hi[U] - s->lo[U], s->hi[V] - s->lo[V] };
  s->most = (int64_t)(s->m - s->whole - SPARE);
  for (int parts = 1; parts <= 32 && parts <= n[V] && s->most > 0; parts++)
    for (int64_t block = n[U]; block > 0; block = block * 2 / 3) {
      int64_t width = (n[V] + parts - 1) / parts;
      double io = expected(s, width, block);
      if (io < 0.99 * best) {
        best = io;
        s->width = width;
        s->rows = block;
      }
    }
  return best < 2 * s->known;
}

/* ---- all of it ---- */

static bool list_members(strips *s)
{
  for (int a = 0; a < s->f.arrays; a++) {
    const array_form *f = &s->f.array[a];
    if (!f->known || !f->whole)
      return false;
    if (f->computed.n == 0)
      continue;
    if (s->n == MEMBERS || f->rank < 2 || f->inputs.n > 0)
      return false;
    s->of[s->n++] = (member){ .array = a, .rank = f->rank };
  }
  for (int i = 0; i < s->f.accesses; i++) {
    const access *a = s->f.access[i];
    int reader = member_of(s, a->from), from = member_of(s, a->to);
    if (polyhedron_empty(a->where))
      continue;
    if (s->reads == READS || reader < 0 || (from >= 0 && !a->single))
      return false;
    s->read[s->reads++] = (strip_read){ .a = a, .reader = reader, .from = from };
  }
  return s->n > 0 && s->f.arrays == s->f.g->arrays;
}

/* Are the words of a column boxes? */
static bool has_boxes(const strips *s)
{
  for (int i = 0; i < s->pieces; i++) {
    int times = 0;
    for (int q = 0; q < s->of[s->piece[i].member].rank; q++)
      times += s->piece[i].index[q].coef[U] != 0;
    if (times > 1 && s->piece[i].most > s->piece[i].least)
      return false;
  }
  return true;
}

static bool take_axes(strips *s, const axis_forms *u, const axis_forms *v)
{
  bool good = true, row = false, column = false;
  s->pieces = 0;
  s->whole = 0;
  for (int p = 0; p < s->n; p++) {
    s->of[p].axis[U] = u->form[p];
    s->of[p].axis[V] = v->form[p];
  }
  for (int t = 0; t < 2; t++) { /* u and v themselves go upwards in the first index they read */
    s->sign[t] = 1;
    for (int d = s->of[0].rank - 1; d >= 0; d--)
      if (s->of[0].axis[t].coef[d])
        s->sign[t] = s->of[0].axis[t].coef[d] > 0 ? 1 : -1;
  }
  for (int p = 0; p < s->n && good; p++)
    good = solve(s, &s->of[p]);
  for (int i = 0; i < s->reads && good; i++) {
    const strip_read *r = &s->read[i];
    good = place_read(s, &s->read[i]);
    bool many = good && r->from >= 0 && !is_told(r->index, s->of[r->from].rank);
    row = row || (many && r->kind == ROW);
    column = column || (many && r->kind == COLUMN);
  }
  if (!good || !row || !column || !find_order(s) || !find_ranges(s))
    return false;
  find_takers(s);
  return find_pieces(s) && place_inputs(s) && find_plan(s);
}

static void name_loops(strips *s)
{
  static const char *const wanted[] = { "J", "U", "u", "v", "B", "h", "m", "w", "b" };
  for (int k = 0; k < NAMES; k++)
    tiler_fresh_name(s->f.g, wanted[k], s->name[k]);
  for (int k = 0; k < CDAG_RANK; k++) {
    char name[8];
    snprintf(name, sizeof name, k ? "k%d" : "k", k);
    tiler_fresh_name(s->f.g, name, s->step[k]);
  }
}

bool tiler_strips(const tiler_shape *shape, double m, bool loops, double known, text *out)
{
  enum { AXES = 24 };
  strips *s = MEM_NEW(strips, 1);
  axis_forms *axis = MEM_NEW(axis_forms, AXES);
  int axes = 0;
  bool found = false;
  s->m = m;
  s->known = known;
  s->out = out;
  normal_form_init(&s->f, shape->g);
  if (list_members(s)) {
    list_axes(s, 0, axis, AXES, &axes);
    for (int i = 0; i < axes && !found; i++)
      for (int k = 0; k < axes && !found; k++)
        found = i != k && take_axes(s, &axis[i], &axis[k]) && has_boxes(s) != loops;
  }
  if (found) {
    name_loops(s);
    found = strips_print(s);
  }
  normal_form_clear(&s->f);
  arena_clear(&s->memory);
  mem_free(axis);
  mem_free(s);
  return found;
}
