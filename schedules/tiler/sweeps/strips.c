#include "schedules/tiler/sweeps/strips.h"
#include "base/mem.h"
#include "base/num.h"
#include "cdag/polyhedral/normal.h"
#include "schedules/tiler/circles/circle.h"
#include "schedules/tiler/nests/words.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MEMBERS = 8, READS = 64, PIECES = 16, FORMS = 20, FAR_OFF = 8, U = 0, V = 1, SPARE = 24 };
enum { OF_WORDS = 5, MOST_WORDS, WIDTH, MOST_ROWS, NAMES };

/* One array; in the coordinates of its cell: u, v, then the indices that these two do not tell. */
typedef struct {
  int array, rank;
  linear axis[2];              /* in its indices, ascending: no read goes forward */
  linear at[CDAG_RANK];        /* its indices, in those coordinates */
  int dim[CDAG_RANK];          /* which index is coordinate 2, 3, ... */
} member;

/* Where what is read lies: in the reader's cell, its row, its column, a constant way off; or an input: once for all,
 * with a cell, or with each step of a sum. */
typedef enum { OWN, ROW, COLUMN, NEAR, WHOLE, OF_CELL, OF_STEP } read_kind;

typedef struct {
  const access *a;
  int reader, from;            /* members; from -1: an input */
  read_kind kind;
  bool takes;                  /* its reader takes its place */
  polyhedron *where;
  linear index[CDAG_RANK], to[2];
} strip_read;

/* What a member leaves: one word a cell, where z is in a range. */
typedef struct {
  int member;
  bool always;                 /* wherever the member is */
  int64_t least, most;         /* of z */
  linear index[CDAG_RANK];
} piece;

typedef struct {
  normal_form f;
  arena memory;
  int n, reads, pieces, order[MEMBERS];
  member of[MEMBERS];
  strip_read read[READS];
  piece piece[PIECES];
  int64_t sign[2], lo[2], hi[2]; /* an axis ascends by sign times u or v; their ranges */
  int64_t z, farthest;         /* the sum of both axes, at least and at most */
  double m, whole;             /* words; of inputs that stay */
  int64_t most, width, rows;   /* the plan: words of a strip, columns of a chunk, the most rows */
  char name[NAMES][CDAG_NAME]; /* of the loops J, U, u, v, q, over words of a row or column; of the lengths */
  char step[CDAG_RANK][CDAG_NAME];
  text *out;
  int depth;
} strips;

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

/* How far before its reader a read lies: at most `most`; false: no bound is known. */
static bool ahead(const strips *s, const strip_read *r, int axis, int64_t *most)
{
  linear f, own = s->of[r->reader].axis[axis];
  return linear_substitute(&s->of[r->from].axis[axis], r->a->index, s->of[r->from].rank, 0, &f) &&
         linear_add(&f, &own, -1) && polyhedron_most(r->a->where, &f, most) && *most <= FAR_OFF;
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

static bool fits_so_far(const strips *s, int axis, int known)
{
  int64_t most;
  for (int i = 0; i < s->reads; i++)
    if (s->read[i].from >= 0 && num_max(s->read[i].from, s->read[i].reader) == known &&
        !ahead(s, &s->read[i], axis, &most))
      return false;
  return true;
}

typedef struct { linear form[MEMBERS]; } axis_forms;

/* All axes, member by member. */
static void list_axes(strips *s, int p, axis_forms *out, int most, int *n)
{
  linear form[FORMS];
  int forms = list_forms(s->of[p].rank, form);
  for (int k = 0; k < forms && *n < most; k++) {
    s->of[p].axis[U] = form[k];
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

static polyhedron *in_cells(strips *s, const member *x, const polyhedron *p)
{
  polyhedron *q = polyhedron_new(&s->memory, x->rank);
  polyhedron_include(&s->memory, q, p, x->at, x->rank);
  return q;
}

/* Further coordinates that u or v tell there, replaced. */
static void tell(const polyhedron *where, linear *index, int n)
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
  r->where = in_cells(s, x, r->a->where);
  for (int q = 0; q < rank; q++)
    if (!linear_substitute(&r->a->index[q], x->at, x->rank, 0, &r->index[q]))
      return false;
  tell(r->where, r->index, rank);
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

static linear sum_of_axes(const strips *s)
{
  linear z = linear_constant(0);
  z.coef[U] = s->sign[U];
  z.coef[V] = s->sign[V];
  return z;
}

static bool find_pieces(strips *s)
{
  linear z = sum_of_axes(s);
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
      const polyhedron *where = in_cells(s, &s->of[p], rest.item[i]);
      if (polyhedron_empty(where))
        continue;
      if (s->pieces == PIECES)
        return false;
      piece *x = &s->piece[s->pieces++];
      x->member = p;
      memcpy(x->index, s->of[p].at, sizeof x->index);
      tell(where, x->index, f->rank);
      if (!is_told(x->index, f->rank) || !polyhedron_span(where, &z, &x->least, &x->most))
        return false;
      x->always = x->least <= s->z && x->most >= s->farthest;
    }
  }
  return s->pieces > 0;
}

/* ---- inputs ---- */

static double words_of(const strips *s, int array) { return (double)s->f.g->array[array].count; }

static bool stays_whole(const strips *s, int array)
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
    s->whole += stays_whole(s, a) ? words_of(s, a) : 0;
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
  linear z = sum_of_axes(s);
  s->z = INT64_MAX;
  s->farthest = INT64_MIN;
  for (int t = 0; t < 2; t++) {
    s->lo[t] = INT64_MAX;
    s->hi[t] = INT64_MIN;
  }
  for (int p = 0; p < s->n; p++)
    for (int i = 0; i < s->f.array[s->of[p].array].computed.n; i++) {
      const polyhedron *where = in_cells(s, &s->of[p], s->f.array[s->of[p].array].computed.item[i]);
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

/* What a plan with chunks of so many columns is expected to move: rows come once a chunk, columns once a strip. */
static double expected(const strips *s, int64_t width)
{
  double sum = 0;
  int64_t n[2] = { s->hi[U] - s->lo[U], s->hi[V] - s->lo[V] };
  bool down = s->sign[U] < 0, left = s->sign[V] < 0;
  for (int64_t j = 0; j < n[V]; j += width) {
    int64_t end = num_min(j + width, n[V]); /* columns in the order they go */
    int64_t y = left ? 1 - s->hi[V] : s->lo[V];
    for (int64_t i = 0; i < n[U]; i++) {
      int64_t x = (down ? 1 - s->hi[U] : s->lo[U]) + i, last = y + end - 1 + x - s->z + 1, first = y + j + x - s->z;
      if (last <= 0)
        continue;
      int64_t rows = s->most / last - 1;
      if (rows < 1)
        return INFINITY;
      rows = num_min(rows, n[U]);
      first = num_max(first, 0);
      sum += (double)first + 0.5 * (double)(first + last) * (double)(last - first) / (double)rows;
    }
  }
  return sum;
}

static bool find_plan(strips *s)
{
  double best = INFINITY;
  int64_t n = s->hi[V] - s->lo[V];
  s->most = (int64_t)(s->m - s->whole - SPARE);
  for (int parts = 1; parts <= 32 && parts <= n && s->most > 0; parts++) {
    int64_t width = (n + parts - 1) / parts;
    double io = expected(s, width);
    if (io < 0.99 * best) {
      best = io;
      s->width = width;
    }
  }
  s->rows = num_max(1, num_min(s->hi[U] - s->lo[U], s->most / num_max(s->width, 1) - 1));
  return best < INFINITY;
}

/* ---- words ---- */

static void add_sum(text *out, const char *name, int64_t coef, int64_t base)
{
  tiler_words w = { .base = base };
  tiler_words_add_name(&w, name, coef);
  tiler_words_print(out, &w);
}

/* The form, with these names for u and v. */
static void add_form(const strips *s, const linear *f, const char *u, const char *v, text *out)
{
  tiler_words w = { .base = f->base };
  for (int k = 0; k < CDAG_RANK + 2; k++)
    tiler_words_add_name(&w, k == U ? u : k == V ? v : s->step[k - 2], f->coef[k]);
  tiler_words_print(out, &w);
}

static void add_box(const strips *s, int array, const linear *index, const char *u, const char *v, text *out)
{
  text_printf(out, "%s[", s->f.g->array[array].name);
  for (int q = 0; q < s->f.g->array[array].rank; q++) {
    text_add(out, q ? "," : "");
    add_form(s, &index[q], u, v, out);
  }
  text_char(out, ']');
}

static void line(strips *s, const char *t)
{
  if (t[0] == '}')
    s->depth--;
  text_printf(s->out, "%*s%s\n", 2 * s->depth, "", t);
  if (t[strlen(t) - 1] == '{')
    s->depth++;
}

static void flush(strips *s, text *t)
{
  line(s, text_str(t));
  text_clear(t);
}

/* ---- words of a row or of a column ---- */

/* The values of axis t for which a piece's word is there when the other axis has the value that `other` names, within
   lo..hi. */
static void add_range(const strips *s, const piece *x, int t, const char *other, const char *lo, const char *hi,
                      text *out)
{
  /* sign[t] w + sign[!t] other in least..most */
  int64_t at_least = s->sign[t] > 0 ? x->least : -x->most, at_most = s->sign[t] > 0 ? x->most : -x->least;
  int64_t coef = -s->sign[t] * s->sign[!t];
  text_printf(out, "max(%s, ", lo);
  add_sum(out, other, coef, at_least);
  text_printf(out, ")..min(%s, ", hi);
  add_sum(out, other, coef, at_most + 1);
  text_char(out, ')');
}

/* Words of one row (t is V: over columns) or one column (t is U: over rows). */
static void move_words(strips *s, const char *verb, int t, const char *other, const char *lo, const char *hi)
{
  for (int i = 0; i < s->pieces; i++) {
    const piece *x = &s->piece[i];
    const member *y = &s->of[x->member];
    int at = -1, times = 0;
    text out = { 0 };
    for (int q = 0; q < y->rank; q++)
      if (x->index[q].coef[t]) {
        times++;
        at = x->index[q].coef[t] == 1 ? q : -1;
      }
    if (times == 1 && at >= 0) {
      text range = { 0 }, shift = { 0 };
      linear by = x->index[at];
      by.coef[t] = 0;
      add_range(s, x, t, other, lo, hi, &range);
      if (!linear_is_constant(&by) || by.base) {
        text_add(&shift, " + ");
        add_form(s, &by, other, other, &shift);
      }
      char *dots = strstr(range.s, "..");
      text_printf(&out, "%s %s[", verb, s->f.g->array[y->array].name);
      for (int q = 0; q < y->rank; q++) {
        text_add(&out, q ? "," : "");
        if (q == at)
          text_printf(&out, "%.*s%s%s%s", (int)(dots - range.s), range.s, text_str(&shift), dots, text_str(&shift));
        else
          add_form(s, &x->index[q], other, other, &out);
      }
      text_char(&out, ']');
      flush(s, &out);
      text_clear(&range);
      text_clear(&shift);
      continue;
    }
    text_printf(&out, "for %s in ", s->name[OF_WORDS]);
    add_range(s, x, t, other, lo, hi, &out);
    text_add(&out, " {");
    flush(s, &out);
    text_printf(&out, "%s ", verb);
    add_box(s, y->array, x->index, t == U ? s->name[OF_WORDS] : other, t == V ? s->name[OF_WORDS] : other, &out);
    flush(s, &out);
    line(s, "}");
  }
}

/* ---- a cell ---- */

/* z of that read or piece, where it is not that of all. */
static void add_condition(const strips *s, int64_t least, int64_t most, const linear *to, text *out)
{
  linear z = linear_constant(0);
  for (int t = 0; t < 2; t++)
    linear_add(&z, &to[t], s->sign[t]);
  const char *between = "";
  if (least > s->z || most >= s->farthest || z.base) { /* cells themselves are no nearer */
    text_char(out, '(');
    add_form(s, &z, s->name[2], s->name[3], out);
    text_printf(out, " >= %" PRId64 ")", least);
    between = " * ";
  }
  if (most < s->farthest) {
    text_printf(out, "%s(", between);
    add_form(s, &z, s->name[2], s->name[3], out);
    text_printf(out, " <= %" PRId64 ")", most);
  }
}

static void store_cell(strips *s)
{
  linear here[2] = { linear_variable(U), linear_variable(V) };
  for (int i = 0; i < s->pieces; i++) {
    const piece *x = &s->piece[i];
    text out = { 0 };
    if (!x->always) {
      text_add(&out, "if ");
      add_condition(s, x->least, x->most, here, &out);
      text_add(&out, " { ");
    }
    text_add(&out, "store ");
    add_box(s, s->of[x->member].array, x->index, s->name[2], s->name[3], &out);
    text_add(&out, x->always ? "" : " }");
    flush(s, &out);
  }
}

/* What is read a constant way off, of a row before the strip. */
static void move_near(strips *s, const char *verb)
{
  linear here[2] = { linear_variable(U), linear_variable(V) }, z = sum_of_axes(s);
  int64_t least, most;
  text seen = { 0 };
  for (int i = 0; i < s->reads; i++) {
    const strip_read *r = &s->read[i];
    if (r->from < 0 || r->kind != NEAR)
      continue;
    for (int k = 0; k < s->pieces; k++) {
      const piece *x = &s->piece[k];
      linear index[CDAG_RANK];
      text out = { 0 };
      if (x->member != r->from)
        continue;
      for (int q = 0; q < s->of[x->member].rank; q++)
        if (!linear_substitute(&x->index[q], r->to, 2, 0, &index[q]))
          index[q] = x->index[q]; /* numbers too large: the referee will say so */
      text_add(&out, "if (");
      add_form(s, &r->to[U], s->name[2], s->name[3], &out);
      text_printf(&out, s->sign[U] < 0 ? " >= hi(%s))" : " < lo(%s))", s->name[1]);
      if (polyhedron_span(r->where, &z, &least, &most) && (least > s->z || most < s->farthest)) {
        text_add(&out, " * ");
        add_condition(s, least, most, here, &out);
      }
      if (!x->always) {
        text_add(&out, " * ");
        add_condition(s, x->least, x->most, r->to, &out);
      }
      text_printf(&out, " { %s ", verb);
      add_box(s, s->of[x->member].array, index, s->name[2], s->name[3], &out);
      text_add(&out, " }");
      if (!seen.n || !strstr(text_str(&seen), text_str(&out))) {
        text_printf(&seen, "%s\n", text_str(&out));
        flush(s, &out);
      }
      text_clear(&out);
    }
  }
  text_clear(&seen);
}

/* Inputs of a cell, each once; where a read is of some cells only, of these. */
static void move_inputs(strips *s, const char *verb)
{
  linear here[2] = { linear_variable(U), linear_variable(V) }, z = sum_of_axes(s);
  text seen = { 0 };
  for (int i = 0; i < s->reads; i++) {
    const strip_read *r = &s->read[i];
    text box = { 0 }, out = { 0 };
    int64_t least, most;
    if (r->from >= 0 || r->kind != OF_CELL)
      continue;
    add_box(s, r->a->to, r->index, s->name[2], s->name[3], &box);
    if (polyhedron_span(r->where, &z, &least, &most) && (least > s->z || most < s->farthest)) {
      text_add(&out, "if ");
      add_condition(s, least, most, here, &out);
      text_printf(&out, " { %s %s }", verb, text_str(&box));
    } else
      text_printf(&out, "%s %s", verb, text_str(&box));
    if (!seen.n || !strstr(text_str(&seen), text_str(&box))) {
      text_printf(&seen, "%s\n", text_str(&box));
      flush(s, &out);
    }
    text_clear(&out);
    text_clear(&box);
  }
  text_clear(&seen);
}

/* The ends of coordinate k, seen from those before it. */
static bool add_ends(strips *s, const polyhedron *where, int k, text *out)
{
  bool exact;
  polyhedron *p = polyhedron_tidy(&s->memory, polyhedron_project(&s->memory, where, k + 1, &exact));
  text lo = { 0 }, hi = { 0 };
  int los = 0, his = 0;
  bool good = exact && !p->open;
  for (int i = 0; i < p->n && good; i++) {
    int64_t c = p->row[i].form.coef[k];
    linear f = linear_constant(0);
    if (c == 0)
      continue;
    good = c == 1 || c == -1;
    for (int side = 1; side >= -1 && good; side -= 2) { /* c x + rest >= 0 */
      linear rest = p->row[i].form;
      if (!p->row[i].equal && side != c)
        continue;
      rest.coef[k] = 0;
      f = linear_constant(0);
      linear_add(&f, &rest, -c);
      if (side > 0)
        text_add(&lo, los++ ? ", " : "");
      else {
        f.base++;
        text_add(&hi, his++ ? ", " : "");
      }
      add_form(s, &f, s->name[2], s->name[3], side > 0 ? &lo : &hi);
    }
  }
  good = good && los && his;
  if (good)
    text_printf(out, los > 1 ? "max(%s).." : "%s..", text_str(&lo));
  if (good)
    text_printf(out, his > 1 ? "min(%s)" : "%s", text_str(&hi));
  text_clear(&lo);
  text_clear(&hi);
  return good;
}

static void move_of_step(strips *s, int p, const char *verb)
{
  for (int i = 0; i < s->reads; i++)
    if (s->read[i].reader == p && s->read[i].from < 0 && s->read[i].kind == OF_STEP) {
      text out = { 0 };
      text_printf(&out, "%s ", verb);
      add_box(s, s->read[i].a->to, s->read[i].index, s->name[2], s->name[3], &out);
      flush(s, &out);
    }
}

/* A member's indices in its cell, and the heads of loops over those that the cell does not tell, a line each; false:
 * they have none. */
static bool step_loops(strips *s, int p, linear *at, text *heads)
{
  const member *x = &s->of[p];
  const array_form *f = &s->f.array[x->array];
  bool good = x->rank <= 2 || f->computed.n == 1;
  memcpy(at, x->at, sizeof x->at);
  if (x->rank <= 2 || !good)
    return good;
  const polyhedron *where = in_cells(s, x, f->computed.item[0]);
  tell(where, at, x->rank);
  for (int k = 2; k < x->rank && good; k++) {
    linear own = linear_variable(k);
    if (!linear_equal(&at[x->dim[k]], &own))
      continue;
    text_printf(heads, "for %s in ", s->step[k - 2]);
    good = add_ends(s, where, k, heads);
    text_add(heads, " {\n");
  }
  return good;
}

static void compute_step(strips *s, int p, const linear *at)
{
  const char *between = " dropping ";
  text out = { 0 };
  move_of_step(s, p, "load");
  text_add(&out, "compute ");
  add_box(s, s->of[p].array, at, s->name[2], s->name[3], &out);
  for (int i = 0; i < s->reads; i++)
    if (s->read[i].reader == p && s->read[i].takes) {
      text_add(&out, between);
      add_box(s, s->read[i].a->to, s->read[i].index, s->name[2], s->name[3], &out);
      between = ", ";
    }
  flush(s, &out);
  move_of_step(s, p, "drop");
}

/* Is all that p reads of q in its own cell of p's own step? */
static bool goes_along(const strips *s, int p, int q)
{
  for (int i = 0; i < s->reads; i++) {
    const strip_read *r = &s->read[i];
    bool asked = r->reader == p && r->from == q && r->kind == OWN;
    for (int k = 2; asked && k < s->of[q].rank; k++) {
      linear own = linear_variable(k);
      if (k >= s->of[p].rank || !linear_equal(&r->index[s->of[q].dim[k]], &own))
        return false;
    }
  }
  return true;
}

/* The member at this place of the order; and those behind it that take the same steps, in the same loops, so that what
 * they hand on is a word.  How many; 0: their loops have no ends. */
static int compute(strips *s, int first)
{
  linear at[MEMBERS][CDAG_RANK];
  text heads = { 0 }, other = { 0 };
  int n = step_loops(s, s->order[first], at[0], &heads), loops = 0;
  for (bool more = n > 0 && heads.n > 0; more && first + n < s->n;) {
    text_clear(&other);
    more = step_loops(s, s->order[first + n], at[n], &other) && strcmp(text_str(&heads), text_str(&other)) == 0;
    for (int k = 0; k < n && more; k++)
      more = goes_along(s, s->order[first + n], s->order[first + k]);
    n += more;
  }
  for (char *head = heads.s, *end; n > 0 && heads.n && (end = strchr(head, '\n')); head = end + 1, loops++) {
    *end = '\0';
    line(s, head);
  }
  for (int k = 0; k < n; k++)
    compute_step(s, s->order[first + k], at[k]);
  for (; loops; loops--)
    line(s, "}");
  text_clear(&heads);
  text_clear(&other);
  return n;
}

/* ---- loops ---- */

static void move_whole(strips *s, const char *verb)
{
  for (int a = 0; a < s->f.g->arrays; a++) {
    text out = { 0 };
    if (!stays_whole(s, a))
      continue;
    text_printf(&out, "%s %s[", verb, s->f.g->array[a].name);
    for (int q = 0; q < s->f.g->array[a].rank; q++)
      text_add(&out, q ? ",*" : "*");
    text_char(&out, ']');
    flush(s, &out);
  }
}

static const char *backwards(const strips *s, int t) { return s->sign[t] < 0 ? " reversed" : ""; }

/* Strips whose rows reach so far that q fewer than the most rows fit. */
static void open_strip(strips *s)
{
  const char *J = s->name[0], *W = s->name[1], *q = s->name[4];
  text end = { 0 }, out = { 0 };
  /* how far a row u of the chunk reaches: end + sign u */
  if (s->sign[V] > 0)
    text_printf(&end, "hi(%s)", J);
  else
    text_printf(&end, "1 - lo(%s)", J);
  if (s->z)
    text_printf(&end, " %c %" PRId64, s->z < 0 ? '+' : '-', s->z < 0 ? -s->z : s->z);
  /* rows that reach no farther than so many words, for this number of rows and one more */
  text this = { 0 }, next = { 0 };
  text_printf(&this, "%s / (%s - %s + 1)", s->name[MOST_WORDS], s->name[MOST_ROWS], q);
  text_printf(&next, "(%s > 0) * (%s / (%s - %s + 2))", q, s->name[MOST_WORDS], s->name[MOST_ROWS], q);
  text_printf(&out, "for %s in ", W);
  if (s->sign[U] < 0)
    text_printf(&out, "max(%" PRId64 ", %s - %s)..min(%" PRId64 ", %s - %s)", s->lo[U], text_str(&end), text_str(&this),
                s->hi[U], text_str(&end), text_str(&next));
  else
    text_printf(&out, "max(%" PRId64 ", %s + 1 - (%s))..min(%" PRId64 ", %s + 1 - (%s))", s->lo[U], text_str(&next),
                text_str(&end), s->hi[U], text_str(&this), text_str(&end));
  text_printf(&out, " by %s - %s%s {", s->name[MOST_ROWS], q, backwards(s, U));
  text_clear(&this);
  text_clear(&next);
  flush(s, &out);
  text_clear(&end);
}

static void open_step(strips *s)
{
  const char *J = s->name[0], *W = s->name[1];
  text out = { 0 };
  text_printf(&out, "for %s in ", s->name[3]);
  if (s->sign[V] > 0) {
    text_printf(&out, "max(lo(%s), ", J);
    if (s->sign[U] < 0)
      text_printf(&out, "lo(%s) + %" PRId64, W, s->z);
    else
      text_printf(&out, "%" PRId64 " - hi(%s)", s->z + 1, W);
    text_printf(&out, ")..hi(%s)", J);
  } else {
    text_printf(&out, "lo(%s)..min(hi(%s), ", J, J);
    if (s->sign[U] < 0)
      text_printf(&out, "%" PRId64 " - lo(%s)", 1 - s->z, W);
    else
      text_printf(&out, "hi(%s) - %" PRId64, W, s->z);
    text_char(&out, ')');
  }
  text_printf(&out, "%s {", backwards(s, V));
  flush(s, &out);
}

static void open_cells(strips *s)
{
  const char *W = s->name[1];
  text out = { 0 };
  text_printf(&out, "for %s in ", s->name[2]);
  if (s->sign[U] < 0) {
    text_printf(&out, "lo(%s)..min(hi(%s), ", W, W);
    add_sum(&out, s->name[3], s->sign[V], 1 - s->z);
    text_char(&out, ')');
  } else {
    text_printf(&out, "max(lo(%s), ", W);
    add_sum(&out, s->name[3], -s->sign[V], s->z);
    text_printf(&out, ")..hi(%s)", W);
  }
  text_printf(&out, "%s {", backwards(s, U));
  flush(s, &out);
}

/* Words of each row of the strip, of columns before the chunk, or up to its end. */
static void move_rows(strips *s, const char *verb, bool before)
{
  const char *J = s->name[0];
  text out = { 0 }, lo = { 0 }, hi = { 0 };
  text_printf(&out, "for %s in %s {", s->name[2], s->name[1]);
  flush(s, &out);
  if (s->sign[V] > 0) {
    text_printf(&lo, "%" PRId64, s->lo[V]);
    text_printf(&hi, before ? "lo(%s)" : "hi(%s)", J);
  } else {
    text_printf(&lo, before ? "hi(%s)" : "lo(%s)", J);
    text_printf(&hi, "%" PRId64, s->hi[V]);
  }
  move_words(s, verb, V, s->name[2], text_str(&lo), text_str(&hi));
  line(s, "}");
  text_clear(&lo);
  text_clear(&hi);
}

static void move_column(strips *s, const char *verb)
{
  text lo = { 0 }, hi = { 0 };
  if (s->sign[U] < 0) {
    text_printf(&lo, "hi(%s)", s->name[1]);
    text_printf(&hi, "%" PRId64, s->hi[U]);
  } else {
    text_printf(&lo, "%" PRId64, s->lo[U]);
    text_printf(&hi, "lo(%s)", s->name[1]);
  }
  move_words(s, verb, U, s->name[3], text_str(&lo), text_str(&hi));
  text_clear(&lo);
  text_clear(&hi);
}

static bool print(strips *s)
{
  text out = { 0 };
  bool good = true;
  tiler_print_title(s->f.g, "found", s->out);
  text_printf(s->out,
              "# a strip of rows stays on chip while its columns come by, %s of them a chunk; the shorter the rows, "
              "the more of them\nparam %s = %" PRId64 ", %s = %" PRId64 ", %s = %" PRId64 "\n",
              s->name[WIDTH], s->name[MOST_WORDS], s->most, s->name[WIDTH], s->width, s->name[MOST_ROWS], s->rows);
  move_whole(s, "load");
  text_printf(&out, "for %s in %" PRId64 "..%" PRId64 " by %s%s {", s->name[0], s->lo[V], s->hi[V], s->name[WIDTH],
              backwards(s, V));
  flush(s, &out);
  text_printf(&out, "for %s in %s {", s->name[4], s->name[MOST_ROWS]);
  flush(s, &out);
  open_strip(s);
  move_rows(s, "load", true);
  open_step(s);
  move_column(s, "load");
  open_cells(s);
  move_inputs(s, "load");
  move_near(s, "load");
  for (int k = 0, n; k < s->n && good; k += n) {
    n = compute(s, k);
    good = n > 0;
  }
  store_cell(s);
  move_near(s, "drop");
  move_inputs(s, "drop");
  line(s, "}");
  move_column(s, "drop");
  line(s, "}");
  move_rows(s, "drop", false);
  line(s, "}");
  line(s, "}");
  line(s, "}");
  move_whole(s, "drop");
  return good;
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
  static const char *const wanted[] = { "J", "U", "u", "v", "q", "h", "m", "w", "r" };
  for (int k = 0; k < NAMES; k++)
    tiler_fresh_name(s->f.g, wanted[k], s->name[k]);
  for (int k = 0; k < CDAG_RANK; k++) {
    char name[8];
    snprintf(name, sizeof name, k ? "k%d" : "k", k);
    tiler_fresh_name(s->f.g, name, s->step[k]);
  }
}

bool tiler_strips(const tiler_shape *shape, double m, bool loops, text *out)
{
  enum { AXES = 24 };
  strips *s = MEM_NEW(strips, 1);
  axis_forms *axis = MEM_NEW(axis_forms, AXES);
  int axes = 0;
  bool found = false;
  s->m = m;
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
    found = print(s);
  }
  normal_form_clear(&s->f);
  arena_clear(&s->memory);
  mem_free(axis);
  mem_free(s);
  return found;
}
