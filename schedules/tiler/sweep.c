#include "schedules/tiler/sweep.h"
#include "base/mem.h"
#include "base/num.h"
#include "schedules/tiler/words.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SWEPT = 8, AXES = 3, READS = 128, STEEPEST = 6 };
typedef struct { int from, to; int64_t d[1 + AXES]; } read_at; /* from at (t, x...) + d, for an element of `to` */

/* Place of an element on axis k: x[k] + slope[k] (t - lo(T)) + lean[k] x[0] + lag. */
typedef struct {
  const tiler_shape *s;
  int axes, n, stmt[SWEPT];    /* arrays, in the order in which they are computed at one step and level */
  read_at read[READS];
  int reads;
  int64_t slope[AXES], lean[AXES], lag[SWEPT][AXES];
  int64_t stay[SWEPT][AXES];   /* how many places further on it is read last */
  int64_t brought[SWEPT];      /* so many levels are read by the next block */
  int64_t carried[SWEPT];      /* the same, or are output */
  int last[SWEPT];             /* the read after which a row is not needed any more; -1: nothing reads it */
  int64_t least[1 + AXES], most[1 + AXES];
  int64_t levels, width[AXES]; /* of a block; of a strip, by axis, from the second on */
} sweep;

static const tiler_statement *at(const sweep *w, int k) { return &w->s->s[w->stmt[k]]; }

/* ---- is it one? ---- */

static int place_of(const sweep *w, int array)
{
  for (int k = 0; k < w->n; k++)
    if (w->stmt[k] == array)
      return k;
  return -1;
}

static bool add_read(sweep *w, int to, const tiler_access *a)
{
  int from = place_of(w, a->array);
  if (from < 0)
    return true;
  if (w->reads == READS)
    return false;
  read_at *r = &w->read[w->reads++];
  *r = (read_at){ .from = from, .to = to };
  for (int q = 0; q <= w->axes; q++) {
    tiler_form f = a->at[q].lo;
    if (a->at[q].kind != CDAG_AT || !a->at[q].affine)
      return false;
    r->d[q] = f.base;
    f.base = 0;
    if (tiler_form_plain(&f, at(w, to)->rank) != q)
      return false;
  }
  for (int q = 0; q <= w->axes; q++)
    if (r->d[q])
      return r->d[0] < 0 || (r->d[0] == 0 && (from != to || r->d[q] < 0));
  return from != to;
}

static bool box_domain(const tiler_statement *s)
{
  for (int r = 0; r < s->rank; r++)
    if (!tiler_bound_constant(&s->lo[r], s->rank) || !tiler_bound_constant(&s->hi[r], s->rank))
      return false;
  return true;
}

/* Only what stands at the last level may be output. */
static bool last_level_output(const cdag *g, int array, int64_t last)
{
  if (g->array[array].declared_output)
    return false;
  for (int i = 0; i < g->selections; i++) {
    const cdag_index *q = &g->selection[i].index[0];
    if (g->selection[i].array == array && (q->kind != CDAG_AT || q->var != -1 || q->base != last))
      return false;
  }
  return true;
}

static bool list_statements(sweep *w)
{
  const cdag *g = w->s->g;
  for (int a = 0; a < g->arrays; a++) {
    const tiler_statement *s = &w->s->s[a];
    if (!s->computed)
      continue;
    if (w->n == SWEPT || s->rank < 2 || s->rank > 1 + AXES || !box_domain(s) || (s->bare && !s->started))
      return false;
    if (w->n == 0)
      w->axes = s->rank - 1;
    for (int r = 0; r < s->rank; r++) {
      w->least[r] = w->n ? num_min(w->least[r], s->least[r]) : s->least[r];
      w->most[r] = w->n ? num_max(w->most[r], s->most[r]) : s->most[r];
    }
    bool levels = s->rank == w->axes + 1 && s->least[0] == w->least[0] && s->most[0] == w->most[0];
    if (!levels || !last_level_output(g, a, s->most[0] - 1))
      return false;
    w->stmt[w->n++] = a;
  }
  return w->n > 0;
}

/* Each after what it reads at its own level. */
static bool order_statements(sweep *w)
{
  bool reads[SWEPT][SWEPT] = { { false } }, done[SWEPT] = { false };
  int order[SWEPT], n = 0;
  for (int i = 0; i < w->reads; i++)
    if (w->read[i].d[0] == 0 && w->read[i].from != w->read[i].to)
      reads[w->read[i].to][w->read[i].from] = true;
  while (n < w->n) {
    int pick = -1;
    for (int k = 0; k < w->n && pick < 0; k++) {
      bool ready = !done[k];
      for (int j = 0; j < w->n; j++)
        ready = ready && (done[j] || !reads[k][j]);
      pick = ready ? k : -1;
    }
    if (pick < 0)
      return false;
    done[pick] = true;
    order[n++] = w->stmt[pick];
  }
  memcpy(w->stmt, order, sizeof order);
  return true;
}

static bool list_reads(sweep *w)
{
  bool good = true;
  w->reads = 0;
  for (int k = 0; k < w->n; k++) {
    for (int i = 0; i < at(w, k)->accesses; i++)
      good = good && add_read(w, k, &at(w, k)->access[i]);
    for (int i = 0; i < at(w, k)->selves; i++)
      good = good && add_read(w, k, &at(w, k)->self[i]);
  }
  return good;
}

/* ---- slopes and lags ---- */

/* How far behind its reader does what is read stand on that axis, lags apart? */
static int64_t behind(const sweep *w, const read_at *r, int k)
{
  return -(r->d[k + 1] + w->slope[k] * r->d[0] + w->lean[k] * r->d[1]);
}

static int64_t distance(const sweep *w, const read_at *r, int k)
{
  return behind(w, r, k) + w->lag[r->to][k] - w->lag[r->from][k];
}

/* The least lags with which nothing read stands ahead; false: none do. */
static bool find_lags(sweep *w, int k)
{
  for (int i = 0; i < w->n; i++)
    w->lag[i][k] = 0;
  for (int round = 0; round <= w->n; round++) {
    bool moved = false;
    for (int i = 0; i < w->reads; i++) {
      int64_t d = distance(w, &w->read[i], k);
      if (d < 0) {
        w->lag[w->read[i].to][k] -= d;
        moved = true;
      }
    }
    if (!moved)
      return true;
  }
  return false;
}

static bool find_slopes(sweep *w)
{
  for (int k = 0; k < w->axes; k++) {
    bool found = false;
    for (int lean = 0; lean < (k ? 3 : 1) && !found; lean++)
      for (int slope = 0; slope <= STEEPEST && !found; slope++) {
        w->lean[k] = lean;
        w->slope[k] = slope;
        found = find_lags(w, k);
      }
    if (!found)
      return false;
  }
  return true;
}

/* Is read a made after read b, of the same element, both at the last place? */
static bool is_later(const read_at *a, const read_at *b)
{
  return a->d[0] != b->d[0] ? a->d[0] < b->d[0] : a->to > b->to;
}

static void find_stays(sweep *w)
{
  for (int k = 0; k < w->n; k++) {
    w->carried[k] = at(w, k)->output;
    w->last[k] = -1;
    for (int i = 0; i < w->reads; i++) {
      const read_at *r = &w->read[i];
      if (r->from != k)
        continue;
      for (int q = 0; q < w->axes; q++)
        w->stay[k][q] = num_max(w->stay[k][q], distance(w, r, q));
      w->brought[k] = num_max(w->brought[k], -r->d[0]);
    }
    w->carried[k] = num_max(w->carried[k], w->brought[k]);
    for (int i = 0; i < w->reads; i++)
      if (w->read[i].from == k && distance(w, &w->read[i], 0) == w->stay[k][0] &&
          (w->last[k] < 0 || is_later(&w->read[i], &w->read[w->last[k]])))
        w->last[k] = i;
  }
}

/* ---- lengths ---- */

static double extent(const sweep *w, int r) { return (double)(w->most[r] - w->least[r]); }

/* Words of one row of k in a strip. */
static double row_words(const sweep *w, int k)
{
  double z = 1;
  for (int q = 1; q < w->axes; q++)
    z *= (double)(w->width[q] + w->stay[k][q]);
  return z;
}

static double peak_of(const sweep *w)
{
  double sum = 2, input = 0;
  for (int k = 0; k < w->n; k++) {
    sum += ((double)(w->levels + w->brought[k]) * (double)w->stay[k][0] + 1) * row_words(w, k);
    input = fmax(input, 4 * row_words(w, k));
  }
  return sum + input;
}

static double io_of(const sweep *w)
{
  double blocks = ceil(extent(w, 0) / (double)w->levels), strips = 1, inner = 1, sum = 0;
  for (int q = 1; q < w->axes; q++) {
    double n = extent(w, q + 1) + (double)(w->slope[q] * w->levels);
    strips *= ceil(n / (double)w->width[q]);
    inner *= (double)w->width[q];
  }
  for (int k = 0; k < w->n; k++) {
    double rows = extent(w, 1) * strips * (row_words(w, k) - inner);
    double levels = (double)(w->carried[k] + w->brought[k]);
    sum += blocks * (levels * (extent(w, 1) * strips * inner + rows) + 2 * (double)w->levels * rows);
  }
  return sum;
}

static bool fits(sweep *w, int64_t width, double m)
{
  for (int q = 1; q < w->axes; q++)
    w->width[q] = width;
  return peak_of(w) <= m;
}

/* The widest strips that fit, all axes the same. */
static bool widen(sweep *w, double m)
{
  int64_t most = 1, least = 1;
  for (int q = 1; q < w->axes; q++)
    most = num_max(most, (int64_t)extent(w, q + 1) + w->slope[q] * w->levels + w->lean[q] * (int64_t)extent(w, 1) + 8);
  for (int k = 0; k < w->n; k++)
    for (int q = 1; q < w->axes; q++)
      least = num_max(least, w->stay[k][q]);
  while (least < most) {
    int64_t mid = most - (most - least) / 2;
    if (fits(w, mid, m))
      least = mid;
    else
      most = mid - 1;
  }
  return fits(w, least, m);
}

static bool choose_lengths(sweep *w, double m)
{
  double best = INFINITY;
  int64_t all = w->most[0] - w->least[0], shortest = 1;
  sweep keep = *w;
  for (int k = 0; k < w->n; k++)
    shortest = num_max(shortest, w->carried[k]);
  for (int64_t a = shortest; a <= all; a = a < 64 ? a + 1 : a + a / 32) {
    w->levels = all - a < a / 32 ? all : a;
    if ((all % w->levels && all % w->levels < shortest) || !widen(w, m))
      continue;
    double io = io_of(w);
    if (io < best) {
      best = io;
      keep = *w;
    }
  }
  *w = keep;
  return isfinite(best);
}

/* Rows of strips that lean are judged one by one, and strips along two axes strip by strip: few enough? */
static bool soon_judged(const sweep *w)
{
  enum { MOST_ROWS = 300000, MOST_STRIPS = 4000 };
  double rows = extent(w, 0) * extent(w, 1);
  bool leans = false;
  for (int q = 1; q < w->axes; q++) {
    rows *= ceil((extent(w, q + 1) + (double)w->lean[q] * extent(w, 1)) / (double)w->width[q]);
    leans |= w->lean[q] > 0;
  }
  double strips = rows / extent(w, 1) / (double)w->levels;
  return (!leans || rows <= MOST_ROWS) && (w->axes < 3 || strips <= MOST_STRIPS);
}

/* ---- the text ---- */

static const char *const block[] = { "", "J", "K" }, *const length[] = { "", "b", "c" };

/* A level: t + by, or lo(T) + by, or hi(T) + by. */
typedef struct { const char *name; int64_t by; } level;

static void add_atom(tiler_words *w, const char *name, int64_t coef)
{
  tiler_words one = { .n = 1 };
  one.atom[0].coef = 1;
  snprintf(one.atom[0].name, TILER_ATOM, "%s", name);
  if (coef)
    tiler_words_add(w, &one, coef);
}

/* x[axis] of what stands at place `name` + by: the step x, or an end of a strip.  The row is that of step x - back. */
static void add_place(const sweep *w, int k, int axis, level l, const char *name, int64_t by, int64_t back,
                      tiler_words *out)
{
  int64_t lean = w->lean[axis], tilt = lean * w->slope[0] - w->slope[axis];
  add_atom(out, name, 1);
  add_atom(out, "x", -lean);
  out->base += by - w->lag[k][axis] + lean * (back + w->lag[k][0]) + tilt * l.by;
  add_atom(out, l.name, tilt);
  add_atom(out, "lo(T)", -tilt);
}

static void print_range(text *out, const tiler_words *lo, const tiler_words *hi)
{
  tiler_words_print(out, lo);
  if (hi) {
    text_add(out, "..");
    tiler_words_print(out, hi);
  }
}

typedef enum { OWN, WITH_LEFT, LEFT, RIGHT, BUT_RIGHT, DONE } part;

static void strip_end(int axis, bool hi, char *name)
{
  snprintf(name, CDAG_NAME, "%s(%s)", hi ? "hi" : "lo", block[axis]);
}

/* One axis of a strip: its own places, or those left of it too, or these alone, or the last ones, which the next strip
   reads, if there is one; or all but these; or all but these and those left of it. */
static void print_axis(const sweep *w, int k, int axis, level l, part p, int64_t back, text *out)
{
  char lo[CDAG_NAME], hi[CDAG_NAME];
  tiler_words from = { .n = 0 }, to = { .n = 0 };
  int64_t stay = w->stay[k][axis];
  strip_end(axis, p == RIGHT, lo);
  strip_end(axis, p != LEFT, hi);
  add_place(w, k, axis, l, lo, p == OWN || p == BUT_RIGHT ? 0 : -stay, back, &from);
  add_place(w, k, axis, l, hi, p == BUT_RIGHT || p == DONE ? -stay : 0, back, &to);
  snprintf(lo, sizeof lo, "last(%s)", block[axis]);
  if (p == RIGHT || p == BUT_RIGHT || p == DONE)
    add_atom(p == RIGHT ? &from : &to, lo, stay);
  print_range(out, &from, &to);
}

static void print_level(level l, text *out)
{
  tiler_words w = { .base = l.by };
  add_atom(&w, l.name, 1);
  tiler_words_print(out, &w);
}

/* Array k at a level, the row of step x - back, in these parts of the strip's axes. */
static void print_box(const sweep *w, int k, level l, int64_t back, const part *p, text *out)
{
  tiler_words row = { .base = -back - w->lag[k][0] - w->slope[0] * l.by };
  add_atom(&row, "x", 1);
  add_atom(&row, l.name, -w->slope[0]);
  add_atom(&row, "lo(T)", w->slope[0]);
  text_printf(out, "%s[", w->s->g->array[w->stmt[k]].name);
  print_level(l, out);
  text_char(out, ',');
  tiler_words_print(out, &row);
  for (int q = 1; q < w->axes; q++) {
    text_char(out, ',');
    print_axis(w, k, q, l, p[q], back, out);
  }
  text_char(out, ']');
}

static void put(const sweep *w, int depth, const char *verb, int k, level l, int64_t back, const part *p, text *out)
{
  text_printf(out, "%*s%s ", 2 * depth, "", verb);
  print_box(w, k, l, back, p, out);
  text_char(out, '\n');
}

/* What lies left of the strip (load), or is left of the next one (store): axis by axis, no element twice. */
static void put_sides(const sweep *w, int depth, bool load, int k, text *out)
{
  level l = { "t", 0 };
  for (int q = 1; q < w->axes; q++) {
    part p[AXES] = { OWN, OWN, OWN };
    if (w->stay[k][q] == 0)
      continue;
    p[q] = load ? LEFT : RIGHT;
    for (int r = 1; r < w->axes; r++)
      p[r] = r == q ? p[r] : load && r > q ? WITH_LEFT : !load && r < q ? BUT_RIGHT : OWN;
    put(w, depth, load ? "load" : "store", k, l, 0, p, out);
  }
}

/* ---- inputs ---- */

/* The hull of all reads of one input with these coefficients; false: of other coefficients too. */
static bool hull_of(const tiler_statement *s, int array, tiler_access *hull)
{
  bool any = false, good = true;
  for (int i = 0; i < s->accesses; i++) {
    const tiler_access *a = &s->access[i];
    if (a->array != array)
      continue;
    for (int q = 0; q < a->rank; q++) {
      tiler_form lo = a->at[q].lo, hi = a->at[q].kind == CDAG_RANGE ? a->at[q].hi : a->at[q].lo;
      bool all = a->at[q].kind == CDAG_ALL;
      hi.base += a->at[q].kind != CDAG_RANGE;
      if (!any)
        hull->at[q] = (tiler_index){ .kind = all ? CDAG_ALL : CDAG_RANGE, .affine = true, .lo = lo, .hi = hi };
      good = good && a->at[q].affine && all == (hull->at[q].kind == CDAG_ALL) &&
             memcmp(lo.coef, hull->at[q].lo.coef, sizeof lo.coef) == 0 &&
             memcmp(hi.coef, hull->at[q].hi.coef, sizeof hi.coef) == 0;
      hull->at[q].lo.base = num_min(hull->at[q].lo.base, lo.base);
      hull->at[q].hi.base = num_max(hull->at[q].hi.base, hi.base);
    }
    hull->rank = a->rank;
    any = true;
  }
  return good;
}

/* Least (or greatest) value of a form over the part of level t that statement k computes at one step. */
static void form_end(const sweep *w, int k, const tiler_form *f, bool most, tiler_words *out)
{
  level l = { "t", 0 };
  out->base += f->base;
  add_atom(out, "t", f->coef[0]);
  for (int q = 0; q < w->axes; q++) {
    int64_t c = f->coef[q + 1];
    tiler_words one = { .n = 0 };
    char name[CDAG_NAME] = "x";
    bool up = (c > 0) == most;
    if (q)
      strip_end(q, up, name);
    if (q == 0) {
      one.base = -w->lag[k][0];
      add_atom(&one, "x", 1);
      add_atom(&one, "t", -w->slope[0]);
      add_atom(&one, "lo(T)", w->slope[0]);
    } else
      add_place(w, k, q, l, name, up ? -1 : 0, 0, &one);
    if (c)
      tiler_words_add(out, &one, c);
  }
}

static void put_inputs(const sweep *w, int depth, const char *verb, int k, text *out)
{
  const tiler_statement *s = at(w, k);
  for (int a = 0; a < w->s->g->arrays; a++) {
    tiler_access hull = { .rank = -1 };
    if (place_of(w, a) >= 0)
      continue;
    hull_of(s, a, &hull);
    if (hull.rank < 0)
      continue;
    text_printf(out, "%*s%s %s[", 2 * depth, "", verb, w->s->g->array[a].name);
    for (int q = 0; q < hull.rank; q++) {
      tiler_words lo = { .n = 0 }, hi = { .n = 0 };
      text_add(out, q ? "," : "");
      form_end(w, k, &hull.at[q].lo, false, &lo);
      form_end(w, k, &hull.at[q].hi, true, &hi);
      if (hull.at[q].kind == CDAG_ALL)
        text_char(out, '*');
      else
        print_range(out, &lo, &hi);
    }
    text_add(out, "]\n");
  }
}

static bool inputs_are_boxes(const sweep *w)
{
  bool good = true;
  for (int k = 0; k < w->n; k++)
    for (int a = 0; a < w->s->g->arrays; a++) {
      tiler_access hull = { .rank = -1 };
      good = good && (place_of(w, a) >= 0 || hull_of(at(w, k), a, &hull));
    }
  return good;
}

/* ---- one step of a strip ---- */

static void put_stores(const sweep *w, int depth, int k, text *out)
{
  static const part own[AXES] = { OWN, OWN, OWN };
  bool sides = false;
  for (int q = 1; q < w->axes; q++)
    sides |= w->stay[k][q] > 0;
  if (w->carried[k]) {
    text_printf(out, "%*sif t >= hi(T) - %" PRId64 " {\n", 2 * depth, "", w->carried[k]);
    put(w, depth + 1, "store", k, (level){ "t", 0 }, 0, own, out);
    text_printf(out, "%*s}", 2 * depth, "");
    text_add(out, sides ? " else {\n" : "\n");
  }
  if (!sides)
    return;
  put_sides(w, depth + (w->carried[k] > 0), false, k, out);
  if (w->carried[k])
    text_printf(out, "%*s}\n", 2 * depth, "");
}

/* Of what lies left, all that no later strip reads, but for the last levels: a board with fewer pebbles on it is judged
   sooner.  put_step does so with the levels before the block. */
static void put_erase(const sweep *w, int depth, int k, text *out)
{
  bool sides = false;
  for (int q = 1; q < w->axes; q++)
    sides |= w->stay[k][q] > 0;
  if (!sides)
    return;
  if (w->carried[k])
    text_printf(out, "%*sif t < hi(T) - %" PRId64 " {\n", 2 * depth, "", w->carried[k]);
  for (int q = 1; q < w->axes; q++) {
    part p[AXES];
    for (int r = 1; r < w->axes; r++)
      p[r] = r < q ? BUT_RIGHT : r == q ? LEFT : DONE;
    if (w->stay[k][q])
      put(w, depth + (w->carried[k] > 0), "erase", k, (level){ "t", 0 }, 0, p, out);
  }
  if (w->carried[k])
    text_printf(out, "%*s}\n", 2 * depth, "");
}

static void put_level(const sweep *w, int depth, int k, text *out)
{
  static const part own[AXES] = { OWN, OWN, OWN }, all[AXES] = { WITH_LEFT, WITH_LEFT, WITH_LEFT };
  put_sides(w, depth, true, k, out);
  put_erase(w, depth, k, out);
  put_inputs(w, depth, "load", k, out);
  put(w, depth, "compute", k, (level){ "t", 0 }, 0, own, out);
  put_inputs(w, depth, "drop", k, out);
  put_stores(w, depth, k, out);
  for (int i = 0; i < w->n; i++)
    if (w->last[i] >= 0 && w->read[w->last[i]].to == k)
      put(w, depth, "drop", i, (level){ "t", w->read[w->last[i]].d[0] }, w->stay[i][0], all, out);
  if (w->last[k] < 0)
    put(w, depth, "drop", k, (level){ "t", 0 }, 0, all, out);
}

static void put_step(const sweep *w, int depth, text *out)
{
  static const part all[AXES] = { WITH_LEFT, WITH_LEFT, WITH_LEFT }, done[AXES] = { DONE, DONE, DONE };
  for (int k = 0; k < w->n; k++)
    for (int64_t e = w->brought[k]; e > 0; e--) {
      put(w, depth, "load", k, (level){ "lo(T)", -e }, 0, all, out);
      put(w, depth, "erase", k, (level){ "lo(T)", -e }, 0, done, out);
    }
  text_printf(out, "%*sfor t in T {\n", 2 * depth, "");
  for (int k = 0; k < w->n; k++)
    put_level(w, depth + 1, k, out);
  text_printf(out, "%*s}\n", 2 * depth, "");
  for (int k = 0; k < w->n; k++) { /* whose last reader would stand in the next block, or stood in the one before */
    int64_t by = w->last[k] < 0 ? 0 : -w->read[w->last[k]].d[0];
    for (int64_t e = by; e > 0; e--)
      put(w, depth, "drop", k, (level){ "hi(T)", -e }, w->stay[k][0], all, out);
    for (int64_t e = w->brought[k]; e > by; e--)
      put(w, depth, "drop", k, (level){ "lo(T)", -e }, w->stay[k][0], all, out);
  }
}

static void put_loops(const sweep *w, text *out)
{
  int depth = 1;
  int64_t first = w->least[1], last = w->most[1];
  text_printf(out, "for T in %" PRId64 "..%" PRId64 " by a {\n", w->least[0], w->most[0]);
  for (int k = 0; k < w->n; k++) {
    first = num_min(first, w->least[1] - w->slope[0] * w->brought[k]);
    last = num_max(last, w->most[1] + w->lag[k][0] + w->stay[k][0]);
  }
  for (int q = 1; q < w->axes; q++, depth++) {
    int64_t lo = w->least[q + 1], hi = w->most[q + 1];
    for (int k = 0; k < w->n; k++) {
      lo = num_min(lo, w->least[q + 1] + w->lean[q] * w->least[1] - w->slope[q] * w->brought[k]);
      hi = num_max(hi, w->most[q + 1] + w->lean[q] * (w->most[1] - 1) + w->lag[k][q]);
    }
    text_printf(out, "%*sfor %s in %" PRId64 "..%" PRId64, 2 * depth, "", block[q], lo, hi);
    if (w->slope[q])
      text_printf(out, " + %" PRId64 "*len(T)", w->slope[q]);
    text_printf(out, " by %s {\n", length[q]);
  }
  text_printf(out, "%*sfor x in %" PRId64 "..%" PRId64, 2 * depth, "", first, last);
  if (w->slope[0])
    text_printf(out, " + %" PRId64 "*len(T)", w->slope[0]);
  text_add(out, " {\n");
  put_step(w, depth + 1, out);
  for (; depth >= 0; depth--)
    text_printf(out, "%*s}\n", 2 * depth, "");
}

static bool names_free(const sweep *w)
{
  static const char *const used[] = { "T", "J", "K", "x", "t", "a", "b", "c" };
  const cdag *g = w->s->g;
  for (int i = 0; i < 8; i++) {
    if (cdag_find_param(g, used[i]) >= 0 || cdag_find_array(g, used[i]) >= 0)
      return false;
    for (int t = 0; t < g->tables; t++)
      if (strcmp(g->table[t].name, used[i]) == 0)
        return false;
  }
  return true;
}

bool tiler_sweep(const tiler_shape *s, double m, text *out)
{
  sweep *w = MEM_NEW(sweep, 1);
  w->s = s;
  bool good = s->affine && list_statements(w) && names_free(w) && list_reads(w) && order_statements(w) &&
              list_reads(w) && inputs_are_boxes(w) && find_slopes(w);
  if (good) {
    find_stays(w);
    good = choose_lengths(w, m) && soon_judged(w);
  }
  if (good) {
    text_add(out, "# Blocks of time levels; in each strip the first axis is swept once, level behind level.\n");
    tiler_print_title(s->g, "sweep", out);
    text_printf(out, "param a = %" PRId64 "\n", w->levels);
    for (int q = 1; q < w->axes; q++)
      text_printf(out, "param %s = %" PRId64 "\n", length[q], w->width[q]);
    put_loops(w, out);
  }
  mem_free(w);
  return good;
}
