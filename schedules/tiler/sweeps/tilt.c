/* tilt.c -- sweeps in tilted strips (docs/tiling.md, "Tilted strips").

   With u = slope t - x1, the forms p = u + x2 + lag and q = u - x2 + lag never fall from a value to its reader.  Blocks
   of both make strips along which level after level takes the place of the one before, one row further on: nothing
   crosses the end of a block of levels, as there is none.  Of an array that reads its own level, row after row, such
   forms are p = u + lift t + x2 + lag and q = u + lag with u = slope t + x1: strips are *upright*. */
#include "base/num.h"
#include "schedules/tiler/sweeps/plan.h"
#include "schedules/tiler/sweeps/sweep.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEEPEST = 6, FEW = 4 };

/* How far behind its reader a value stands on p (0) or q (1), lags apart. */
static int64_t behind(const sweep *w, const sweep_read *r, int h)
{
  if (w->tilt.upright)
    return -w->tilt.slope * r->d[0] - r->d[1] - (h ? 0 : w->tilt.lift * r->d[0] + r->d[2]);
  return -w->tilt.slope * r->d[0] + r->d[1] + (h ? r->d[2] : -r->d[2]);
}

static int64_t between(const sweep *w, const sweep_read *r, int h)
{
  return behind(w, r, h) + w->tilt.lag[h][r->to] - w->tilt.lag[h][r->from];
}

/* The least lags with which no value stands before its reader; false: none do. */
static bool find_lags(sweep *w, int h)
{
  for (int k = 0; k < w->n; k++)
    w->tilt.lag[h][k] = 0;
  for (int round = 0; round <= w->n; round++) {
    bool moved = false;
    for (int i = 0; i < w->reads; i++) {
      int64_t d = between(w, &w->read[i], h);
      w->tilt.lag[h][w->read[i].to] -= d < 0 ? d : 0;
      moved = moved || d < 0;
    }
    if (!moved)
      return true;
  }
  return false;
}

static bool find_forms(sweep *w)
{
  for (int upright = 0; upright < 2; upright++)
    for (w->tilt.slope = 1; w->tilt.slope <= STEEPEST; w->tilt.slope++)
      for (w->tilt.lift = 0; w->tilt.lift <= (upright ? STEEPEST : 0); w->tilt.lift++) {
        w->tilt.upright = upright;
        if (find_lags(w, 0) && find_lags(w, 1))
          return true;
      }
  return false;
}

/* ---- what comes and goes ---- */

static const int64_t never = INT64_MAX;

/* One more read of what comes from there: by statement `to`, so many levels later. */
static void note_read(const sweep *w, tilt_source *s, const sweep_read *r)
{
  int64_t at = -r->d[0] * w->n + r->to;
  s->first = num_min(s->first, at);
  s->last = num_max(s->last, at);
  for (int h = 0; h < 2; h++)
    s->most[h] = num_max(s->most[h], behind(w, r, h) + w->tilt.lag[h][r->to] - s->lag[h]);
}

/* Is a made in a later row than b, of the same element?  Rows of an upright strip go up. */
static bool is_later(const sweep *w, const sweep_read *a, const sweep_read *b)
{
  return w->tilt.upright ? a->d[1] < b->d[1] : a->d[1] > b->d[1];
}

/* The only read of the last statement that is of the last row, which it may drop: not in upright strips, where some
   rows are computed and then those dropped that they read last. */
static void note_last(const sweep *w, tilt_source *s, const sweep_read *read, int n)
{
  int alone = 0;
  s->in_place = false;
  for (int i = 0; i < n; i++) {
    const sweep_read *r = &read[i];
    if (-r->d[0] * w->n + r->to != s->last)
      continue;
    if (!alone || is_later(w, r, &s->read)) {
      s->read = *r;
      alone = 1;
    } else if (!is_later(w, &s->read, r))
      alone++;
  }
  s->in_place = alone == 1 && !w->tilt.upright;
  for (int h = 0; h < 2; h++)
    s->gap[h] = behind(w, &s->read, h) + w->tilt.lag[h][s->read.to] - s->lag[h];
}

static bool list_arrays(sweep *w)
{
  for (int k = 0; k < w->n; k++) {
    tilt_source *s = &w->tilt.source[w->tilt.sources++];
    *s = (tilt_source){ .array = w->stmt[k], .place = k, .input = -1, .first = never, .last = -1 };
    sweep_read of[READS];
    int n = 0;
    for (int h = 0; h < 2; h++)
      s->lag[h] = w->tilt.lag[h][k];
    for (int i = 0; i < w->reads; i++)
      if (w->read[i].from == k) {
        note_read(w, s, &w->read[i]);
        of[n++] = w->read[i];
        bool itself = w->read[i].to == k && w->tilt.upright;
        if (w->read[i].d[0] < -1 || (w->read[i].d[0] == 0 && w->read[i].to <= k && !itself))
          return false;
      }
    if (n == 0)
      return false;
    note_last(w, s, of, n);
    s->out = tiler_output_levels(w->s->g, w->stmt[k], w->dim[k][0], w->most[0] + w->level[k]);
    if (s->out > 1 && s->out <= OUT_MOST)
      return false;
    if (w->s->g->array[w->stmt[k]].declared_input)
      return false;
  }
  return true;
}

/* An input in the place of the level before the first. */
static bool add_first_level(sweep *w, int input)
{
  const sweep_input *in = &w->input[input];
  tilt_source *s = &w->tilt.source[w->tilt.sources];
  sweep_read of[READS];
  int n = 0, side = -1;
  for (int q = 0; q < w->s->g->array[in->array].rank; q++)
    side = in->var[q] == 2 ? q : side;
  if (w->tilt.sources == TILT_SOURCES || in->row < 0 || side < 0)
    return false;
  *s = (tilt_source){
    .array = in->array, .place = -1, .input = input, .lag = { never, never }, .first = never, .last = -1
  };
  for (int k = 0; k < w->n; k++)
    for (int i = 0; i < w->own[k].accesses; i++) {
      const tiler_access *a = &w->own[k].access[i];
      tiler_access u;
      if (a->array != in->array || !sweep_use(&w->own[k], a, &in->box, &u))
        continue;
      for (int64_t y = u.at[in->row].lo.base; y < u.at[in->row].hi.base; y++)
        for (int64_t z = u.at[side].lo.base; z < u.at[side].hi.base; z++) {
          if (n == READS)
            return false;
          of[n++] = (sweep_read){ .to = k, .d = { 0, y, z } };
        }
    }
  for (int i = 0; i < n; i++)
    for (int h = 0; h < 2; h++)
      s->lag[h] = num_min(s->lag[h], behind(w, &of[i], h) + w->tilt.lag[h][of[i].to]);
  for (int i = 0; i < n; i++)
    note_read(w, s, &of[i]);
  if (n)
    note_last(w, s, of, n);
  w->tilt.sources += n > 0;
  return true;
}

/* Is it a border: words that are read in one row, or in one column, by every statement? */
static bool is_border(const sweep *w, const sweep_input *in)
{
  for (int k = 0; k < w->n; k++) {
    tiler_access hull;
    bool line = false;
    if (!sweep_hull(w, k, in, &hull))
      return false;
    if (hull.rank < 0)
      continue;
    for (int r = 1; r <= 2; r++)
      line = line || hull.to[r] - hull.from[r] == 1;
    for (int q = 0; q < hull.rank; q++) {
      const tiler_index *x = &hull.at[q];
      for (int r = 0; r <= 2; r++)
        line = line && (x->kind == CDAG_ALL || (x->lo.coef[r] == x->hi.coef[r] && x->lo.coef[r] >= 0));
      line = line && (x->kind != CDAG_ALL || (in->box.hi[q] - in->box.lo[q] <= FEW));
    }
    if (!line)
      return false;
  }
  return true;
}

static bool list_inputs(sweep *w)
{
  for (int i = 0; i < w->inputs; i++) {
    const sweep_input *in = &w->input[i];
    if (in->how == KEPT || is_border(w, in))
      continue;
    if (in->how != BY_LEVEL || in->past != w->least[0] + 1 || !add_first_level(w, i))
      return false;
  }
  return true;
}

/* ---- lengths ---- */

/* Elements of so many values of both forms at one level. */
static double cells(const sweep *w, int64_t a, int64_t b) { return (double)a * (double)b / (w->tilt.upright ? 1 : 2); }

static double region(const sweep *w, const tilt_source *s, int64_t a, int64_t b, bool sides)
{
  return cells(w, a + (sides ? s->most[0] : 0), b + (sides ? s->most[1] : 0));
}

/* Of an upright strip of b rows: so many are computed, and then so many dropped. */
int64_t sweep_rows_at_once(int64_t b)
{
  enum { TIMES = 10 };
  return (b + TIMES - 1) / TIMES;
}

/* Words that are there while statement k is computed. */
static double words_at(const sweep *w, int k, int64_t a, int64_t b)
{
  double sum = cells(w, a, b);
  for (int i = 0; i < w->tilt.sources; i++) {
    const tilt_source *s = &w->tilt.source[i];
    if (s->place < 0)
      continue;                   /* there is no level before then */
    for (int e = 0; e < 2; e++) { /* of this level, of the one before */
      int64_t at = e * w->n + k;
      bool made = e || s->place < k, sides = s->first <= at;
      if (e == 0 && s->place == k && sides) /* it reads its own level */
        sum += region(w, s, a, b, true) - cells(w, a, b);
      if (!made || s->last < at)
        continue;
      sum += region(w, s, a, b, sides);
      if (s->last == at && s->read.to == k && (s->in_place || w->tilt.upright))
        sum -= cells(w, a, b - (w->tilt.upright ? num_min(sweep_rows_at_once(b), b) : 0));
    }
  }
  return sum;
}

static double kept_words(const sweep *w)
{
  double sum = 0;
  for (int i = 0; i < w->inputs; i++) {
    double z = w->input[i].how == KEPT ? 1 : 0;
    for (int q = 0; q < w->s->g->array[w->input[i].array].rank; q++)
      z *= (double)(w->input[i].box.hi[q] - w->input[i].box.lo[q]);
    sum += z;
  }
  return sum;
}

static bool fits(const sweep *w, int64_t a, int64_t b, double m)
{
  double most = 0;
  for (int k = 0; k < w->n; k++)
    most = fmax(most, words_at(w, k, a, b));
  return most + kept_words(w) + 2 <= m;
}

/* Words stored for each element of a level: what crosses both sides. */
static double crossing(const sweep *w, int64_t a, int64_t b)
{
  double sum = 0;
  for (int i = 0; i < w->tilt.sources; i++) {
    const tilt_source *s = &w->tilt.source[i];
    sum += s->place < 0 ? 0 : (double)s->most[0] / (double)a + (double)s->most[1] / (double)b;
  }
  return sum;
}

/* The longest of b .. 4 b that fits beside b, which does. */
static int64_t longest_beside(const sweep *w, int64_t b, double m)
{
  int64_t lo = b, hi = 4 * b;
  while (lo < hi) {
    int64_t a = hi - (hi - lo) / 2;
    if (fits(w, 2 * a, 2 * b, m))
      lo = a;
    else
      hi = a - 1;
  }
  return lo;
}

/* One by one up to some hundreds, then by steps of a part of it: memory may be as large as numbers go. */
static bool choose_lengths(sweep *w, double m)
{
  enum { ONE_BY_ONE = 512 };
  double best = INFINITY;
  int64_t least = 2;
  for (int i = 0; i < w->tilt.sources; i++)
    for (int h = 0; h < 2; h++)
      least = num_max(least, w->tilt.source[i].most[h] + 1);
  least = (least + 1) / 2;
  for (int64_t b = least; fits(w, 2 * b, 2 * b, m); b += 1 + b / ONE_BY_ONE) {
    int64_t a = longest_beside(w, b, m);
    if (crossing(w, 2 * a, 2 * b) < best) {
      best = crossing(w, 2 * a, 2 * b);
      w->tilt.a = a;
      w->tilt.b = b;
    }
  }
  return isfinite(best);
}

/* Levels of upright strips that are like no other: some where a strip meets each border, and of those that pass
   through a corner of the domain all at which rows are cut by both borders, which move apart. */
static double upright_levels(const sweep *w, double each_strip)
{
  double a = (double)w->tilt.a, b = (double)w->tilt.b, levels = sweep_extent(w, 0), slope = (double)w->tilt.slope;
  double rows = ceil((sweep_extent(w, 1) + slope * levels) / (2 * b)),
         columns = ceil((sweep_extent(w, 2) + (double)w->tilt.lift * levels + 2 * b) / (2 * a)),
         corners = 2 * fmin(1 + 2 * b / a, columns); /* strips of a row of them that pass through a corner */
  return rows * (columns * each_strip + corners * fmin(levels, 2 * b / slope));
}

static int borders_of(const sweep *w)
{
  int n = 0;
  for (int i = 0; i < w->inputs; i++)
    n += w->input[i].how != KEPT && is_border(w, &w->input[i]);
  return n;
}

/* Millionths of a second or so that the referee takes.  Rows are judged together part by part, and the levels of a
   strip alike, but for those at which it enters the domain through its first row and leaves it through its last. */
static double time_to_judge(const sweep *w)
{
  enum { STATEMENT = 11, UPRIGHT = 260, BORDER = 15, LEVELS = 10 }; /* of a level; of a strip */
  double a = (double)w->tilt.a, b = (double)w->tilt.b, steps = (double)w->tilt.slope * sweep_extent(w, 0);
  double each = sweep_extent(w, 2) / (2 * a * b);
  double strips = (sweep_extent(w, 1) + steps) * each, crossing = 2 * fmin(sweep_extent(w, 1), steps) * each;
  double levels = strips * LEVELS + crossing * fmin(sweep_extent(w, 0), (a + b) / (double)w->tilt.slope);
  if (w->tilt.upright)
    levels = upright_levels(w, LEVELS);
  return levels * (w->n * (w->tilt.upright ? UPRIGHT : STATEMENT) + borders_of(w) * BORDER);
}

/* What takes long is another way, as it is tried later. */
static bool soon_judged(const sweep *w)
{
  enum { SOON = 7000000, LONG = 18000000 };
  double time = time_to_judge(w);
  return w->lengthy ? time > SOON && time <= LONG : time <= SOON;
}

/* Ranges that move with the element are played row by row, which takes long, but for those of inputs. */
static bool only_shifts(const sweep *w)
{
  for (int k = 0; k < w->n; k++)
    for (int i = 0; i < w->own[k].accesses + w->own[k].selves; i++) {
      const tiler_statement *s = &w->own[k];
      const tiler_access *a = i < s->accesses ? &s->access[i] : &s->self[i - s->accesses];
      if (sweep_place(w, a->array) < 0)
        continue;
      for (int q = 0; q < a->rank; q++)
        if (a->at[q].kind == CDAG_RANGE && !tiler_form_constant(&a->at[q].lo, s->rank))
          return false;
    }
  return true;
}

bool sweep_plan_tilt(sweep *w, double m)
{
  w->tilt.sources = 0;
  if (w->axes != 2 || w->flat || w->sums || !only_shifts(w) || !find_forms(w) || !list_arrays(w))
    return false;
  sweep_plan_inputs(w, m);
  return list_inputs(w) && choose_lengths(w, m) && soon_judged(w);
}

/* ---- the text ---- */

/* Of a part of a strip: p from `p` (by the low side when p_high is not set) and so on. */
typedef struct {
  int64_t by[4];
  bool high[4];
  bool some_rows; /* q from and to: of the rows T of an upright strip */
} tilt_part; /* p from, p to, q from, q to: the side low or high, and more */

static tilt_part part_of(bool h0, int64_t p0, bool h1, int64_t p1, bool h2, int64_t q0, bool h3, int64_t q1)
{
  return (tilt_part){ { p0, p1, q0, q1 }, { h0, h1, h2, h3 }, false };
}

static void put_sum(text *out, int64_t c)
{
  if (c)
    text_printf(out, " %c %" PRId64, c < 0 ? '-' : '+', c < 0 ? -c : c);
}

/* The walls j and k that bound x2 of what has u = `u` at level t - level, from below (max) or above (min). */
static void put_walls(const sweep *w, const tilt_source *s, int64_t level, const tilt_part *p, const char *u, int j,
                      int k, const char *extreme, text *out)
{
  if (w->tilt.upright) {
    text_printf(out, "2*%s - %s", p->high[j] ? "hi(J)" : "lo(J)", u);
    if (w->tilt.lift)
      text_printf(out, " - %" PRId64 "*t", w->tilt.lift);
    put_sum(out, w->tilt.lift * level + p->by[j] - s->lag[0]);
    return;
  }
  text_printf(out, "%s(2*%s - %s", extreme, p->high[j] ? "hi(J)" : "lo(J)", u);
  put_sum(out, p->by[j] - s->lag[0]);
  text_printf(out, ",%s - 2*%s", u, p->high[k] ? "hi(K)" : "lo(K)");
  put_sum(out, s->lag[1] - p->by[k] + 1);
  text_char(out, ')');
}

/* x2 of what has u = `u`, in a part. */
static void put_columns(const sweep *w, const tilt_source *s, int64_t level, const tilt_part *p, const char *u,
                        const sweep_input *in, int q, text *out)
{
  bool below = in && in->below[q], above = in && in->above[q];
  if (below)
    text_printf(out, "max(%" PRId64 ",", in->box.lo[q]);
  put_walls(w, s, level, p, u, 0, 3, "max", out);
  text_add(out, below ? ").." : "..");
  if (above)
    text_printf(out, "min(%" PRId64 ",", in->box.hi[q]);
  put_walls(w, s, level, p, u, 1, 2, "min", out);
  text_add(out, above ? ")" : "");
}

static void put_row(const sweep *w, int64_t level, int64_t by, text *out)
{
  if (w->tilt.upright) {
    text_printf(out, "x - %" PRId64 "*t", w->tilt.slope);
    put_sum(out, by + w->tilt.slope * level);
    return;
  }
  if (w->tilt.slope > 1)
    text_printf(out, "%" PRId64 "*", w->tilt.slope);
  text_add(out, "t");
  put_sum(out, by - w->tilt.slope * level);
  text_add(out, " - x");
}

/* u of row x1 = x at level t - level. */
static void put_u(const sweep *w, int64_t level, int64_t x, char u[64])
{
  int64_t c = w->tilt.upright ? x - w->tilt.slope * level : -(x + w->tilt.slope * level);
  snprintf(u, 64, "(%" PRId64 "*t %c %" PRId64 ")", w->tilt.slope, c < 0 ? '-' : '+', c < 0 ? -c : c);
}

/* Array k at level t - level: row x1 = slope (t - level) + by - x, of an upright strip x - slope (t - level) + by, and
   these columns. */
static void put_array(const sweep *w, const tilt_source *s, int64_t level, int64_t by, const char *row,
                      const char *columns, text *out)
{
  const cdag_array *a = &w->s->g->array[s->array];
  const sweep_input *in = s->input >= 0 ? &w->input[s->input] : NULL;
  text_printf(out, "%s[", a->name);
  for (int i = 0; i < a->rank; i++) {
    int r = 0;
    text_add(out, i ? "," : "");
    if (in)
      r = in->var[i];
    else
      while (r <= w->axes && w->dim[s->place][r] != i)
        r++;
    if (r == 1 && row)
      text_add(out, row);
    else if (r == 1)
      put_row(w, level, by, out);
    else if (r == 2)
      text_add(out, columns);
    else if (in && in->var[i] != 0)
      text_printf(out, "%" PRId64 "..%" PRId64, in->lo[i], in->hi[i]);
    else {
      text_add(out, "t");
      put_sum(out, in ? in->lo[i] : w->level[s->place] - level);
    }
  }
  text_char(out, ']');
}

/* u from the low or the high wall of q. */
static void put_wall_u(const tilt_source *s, const tilt_part *p, int k, text *out)
{
  text_printf(out, p->some_rows ? "%s(T)" : "2*%s(K)", p->high[k] ? "hi" : "lo");
  put_sum(out, p->by[k] - s->lag[1]);
}

/* The rows of a part of an upright strip; those of T in it, when p is of them. */
static void put_upright_loop(const sweep *w, const tilt_source *s, const tilt_part *p, text *out)
{
  const sweep_input *in = s->input >= 0 ? &w->input[s->input] : NULL;
  bool ends[2] = { in && in->below[in->row], in && in->above[in->row] };
  text_add(out, "for x in ");
  for (int e = 0; e < 2; e++) {
    if (ends[e]) {
      text_printf(out, "%s(%" PRId64 "*t", e ? "min" : "max", w->tilt.slope);
      put_sum(out, e ? in->box.hi[in->row] : in->box.lo[in->row]);
      text_add(out, ",");
    }
    put_wall_u(s, p, 2 + e, out);
    text_add(out, ends[e] ? ")" : "");
    text_add(out, e ? " {\n" : "..");
  }
}

/* The loop over the rows of a strip; of an input that has other words, over its own. */
static void put_loop(const sweep *w, const tilt_source *s, const tilt_part *p, text *out)
{
  const sweep_input *in = s->input >= 0 ? &w->input[s->input] : NULL;
  int64_t least = 0, most = 0;
  if (w->tilt.upright) {
    put_upright_loop(w, s, p, out);
    return;
  }
  for (int i = 0; i < w->tilt.sources; i++) {
    const tilt_source *o = &w->tilt.source[i];
    int64_t lags = o->lag[0] + o->lag[1];
    least = num_min(least, num_floor_div(-o->most[0] - o->most[1] - lags, 2));
    most = num_max(most, num_floor_div(-lags, 2) + 1);
  }
  bool below = in && in->below[in->row], above = in && in->above[in->row];
  text_add(out, "for x in ");
  if (above) { /* slope t - x is below the end */
    text_printf(out, "max(%" PRId64 "*t", w->tilt.slope);
    put_sum(out, 1 - in->box.hi[in->row]);
    text_add(out, ",");
  }
  text_add(out, "lo(J) + lo(K)");
  put_sum(out, least);
  text_add(out, above ? ").." : "..");
  if (below) {
    text_printf(out, "min(%" PRId64 "*t", w->tilt.slope);
    put_sum(out, 1 - in->box.lo[in->row]);
    text_add(out, ",");
  }
  text_add(out, "hi(J) + hi(K)");
  put_sum(out, most);
  text_add(out, below ? ") {\n" : " {\n");
}

static void put_part(const sweep *w, int depth, const char *verb, const tilt_source *s, int64_t level,
                     const tilt_part *p, text *out)
{
  const sweep_input *in = s->input >= 0 ? &w->input[s->input] : NULL;
  text columns = { 0 };
  int side = 0;
  for (int q = 0; in && q < w->s->g->array[s->array].rank; q++)
    side = in->var[q] == 2 ? q : side;
  put_columns(w, s, level, p, "x", in, side, &columns);
  text_printf(out, "%*s", 2 * depth, "");
  put_loop(w, s, p, out);
  text_printf(out, "%*s%s ", 2 * depth + 2, "", verb);
  put_array(w, s, level, 0, NULL, text_str(&columns), out);
  text_printf(out, "\n%*s}\n", 2 * depth, "");
  text_clear(&columns);
}

static tilt_part own_part(void) { return part_of(false, 0, true, 0, false, 0, true, 0); }

static tilt_part all_of(const tilt_source *s)
{
  return part_of(false, -s->most[0], true, 0, false, -s->most[1], true, 0);
}

/* What other strips made of it, which lie before this one on p, or only on q. */
static void put_sides(const sweep *w, int depth, const char *verb, const tilt_source *s, int64_t level, bool last,
                      text *out)
{
  int64_t a = s->most[0], b = s->most[1];
  tilt_part left = part_of(false, -a, false, 0, false, -b, true, last ? -b : 0);
  tilt_part right = part_of(false, 0, true, last ? -a : 0, false, -b, false, 0);
  if (a)
    put_part(w, depth, verb, s, level, &left, out);
  if (b)
    put_part(w, depth, verb, s, level, &right, out);
}

static void put_if(int depth, text *out, const char *compare, int64_t level)
{
  text_printf(out, "%*sif t %s %" PRId64 " {\n", 2 * depth, "", compare, level);
}

static void put_end(int depth, text *out) { text_printf(out, "%*s}\n", 2 * depth, ""); }

/* What statement k is the first to read, of its own level or of the one before. */
static void put_first(const sweep *w, int depth, int k, text *out)
{
  for (int i = 0; i < w->tilt.sources; i++) {
    const tilt_source *s = &w->tilt.source[i];
    tilt_part all = all_of(s);
    if (s->first % w->n != k || s->first == never)
      continue;
    int64_t level = s->first / w->n;
    if (s->place < 0) {
      put_if(depth, out, "==", w->least[0]);
      put_part(w, depth + 1, "load", s, 0, &all, out);
      put_end(depth, out);
      continue;
    }
    bool last = level == 0 && s->out == 1;
    put_sides(w, depth, "load", s, level, false, out);
    if (s->out > 1)
      continue;
    if (last)
      put_if(depth, out, "<", w->most[0] - 1);
    put_sides(w, depth + last, "erase", s, level, true, out);
    if (last)
      put_end(depth, out);
  }
}

/* The same of an upright strip: slope t + x1 = p - lift t - x - lag = q - lag. */
static void put_upright_rows(const sweep *w, const int64_t *lag, int64_t level, int64_t x, const int64_t *by,
                             const bool *high, bool last, text *out)
{
  int64_t slope = w->tilt.slope, both = slope + w->tilt.lift;
  text_printf(out, "%s(2*%s(J) - %" PRId64 "*t", last ? "min" : "max", high[last] ? "hi" : "lo", both);
  put_sum(out, by[last] - lag[0] - x + both * level);
  text_printf(out, ",2*%s(K) - %" PRId64 "*t", high[2 + last] ? "hi" : "lo", slope);
  put_sum(out, by[2 + last] - lag[1] + slope * level);
  text_add(out, ")");
}

/* First row, or the one after the last, of column x2 = x: slope t - x1 = p - x - lag = q + x - lag. */
static void tilt_rows(const sweep *w, const int64_t *lag, int64_t level, int64_t x, const int64_t *by, const bool *high,
                      bool last, text *out)
{
  int p = last ? 0 : 1, q = last ? 2 : 3; /* the last row has the least p */
  int64_t c = 1 - w->tilt.slope * level;
  if (w->tilt.upright) {
    put_upright_rows(w, lag, level, x, by, high, last, out);
    return;
  }
  text_printf(out, "%s(%" PRId64 "*t - 2*%s(J)", last ? "min" : "max", w->tilt.slope, high[p] ? "hi" : "lo");
  put_sum(out, c + x + lag[0] - by[p]);
  text_printf(out, ",%" PRId64 "*t - 2*%s(K)", w->tilt.slope, high[q] ? "hi" : "lo");
  put_sum(out, c - x + lag[1] - by[q]);
  text_add(out, ")");
}

/* Elements whose reader in place would lie outside of its array: rows and columns at the ends of this one. */
static void put_ends(const sweep *w, int depth, const tilt_source *s, int64_t level, const tilt_part *p, text *out)
{
  const tiler_statement *reader = &w->own[s->read.to];
  const sweep_input *in = s->input >= 0 ? &w->input[s->input] : NULL;
  int64_t from[2], to[2];
  int side = 0;
  for (int r = 0; r < 2; r++) {
    int q = 0;
    while (in && in->var[q] != r + 1)
      q++;
    side = q;
    from[r] = in ? in->box.lo[q] : w->own[s->place].least[r + 1];
    to[r] = in ? in->box.hi[q] : w->own[s->place].most[r + 1];
  }
  for (int r = 0; r < 2; r++)
    for (int64_t x = from[r]; x < to[r]; x++) {
      int64_t first = num_max(from[r], reader->least[r + 1] + s->read.d[r + 1]),
              past = num_min(to[r], reader->most[r + 1] + s->read.d[r + 1]);
      if (x == first)
        x = past;
      if (x >= to[r])
        break;
      text line = { 0 }, row = { 0 };
      char u[64];
      text_printf(out, "%*sdrop ", 2 * depth, "");
      if (r == 0) {
        put_u(w, level, x, u);
        put_columns(w, s, level, p, u, in, side, &line);
        text_printf(&row, "%" PRId64, x);
      } else { /* but the rows above, which were dropped */
        int64_t top = num_max(from[0], reader->least[1] + s->read.d[1]),
                end = num_min(to[0], reader->most[1] + s->read.d[1]);
        text_printf(&line, "%" PRId64, x);
        text_printf(&row, "max(%" PRId64 ",", top);
        tilt_rows(w, s->lag, level, x, p->by, p->high, false, &row);
        text_printf(&row, ")..min(%" PRId64 ",", end);
        tilt_rows(w, s->lag, level, x, p->by, p->high, true, &row);
        text_add(&row, ")");
      }
      put_array(w, s, level, 0, text_str(&row), text_str(&line), out);
      text_add(out, "\n");
      text_clear(&line);
      text_clear(&row);
    }
}

/* What statement k is the last to read, but what went with rows T. */
static void put_last_rows(const sweep *w, int depth, const tilt_source *s, int64_t level, text *out)
{
  int64_t a = s->most[0], b = s->most[1], h = s->gap[1];
  tilt_part before = part_of(false, -a, true, 0, false, -b, false, -h),
            behind = part_of(false, -a, true, 0, true, -h, true, 0);
  if (b > h)
    put_part(w, depth, "drop", s, level, &before, out);
  if (h)
    put_part(w, depth, "drop", s, level, &behind, out);
}

/* What statement k is the last to read and has not dropped. */
static void put_last(const sweep *w, int depth, int k, text *out)
{
  for (int i = 0; i < w->tilt.sources; i++) {
    const tilt_source *s = &w->tilt.source[i];
    int64_t a = s->most[0], b = s->most[1], g = s->gap[0], h = s->gap[1], level = s->last / w->n;
    bool input = s->place < 0;
    tilt_part all = all_of(s), core = part_of(false, -g, true, -g, false, -h, true, -h);
    if (s->last < 0 || s->last % w->n != k)
      continue;
    if (input)
      put_if(depth++, out, "==", w->least[0]);
    if (w->tilt.upright)
      put_last_rows(w, depth, s, level, out);
    else if (!s->in_place)
      put_part(w, depth, "drop", s, level, &all, out);
    else {
      tilt_part p = part_of(true, -g, true, 0, false, -b, true, 0);
      if (g)
        put_part(w, depth, "drop", s, level, &p, out);
      p = part_of(false, -a, true, -g, true, -h, true, 0);
      if (h)
        put_part(w, depth, "drop", s, level, &p, out);
      p = part_of(false, -a, false, -g, false, -b, true, -h);
      if (a > g)
        put_part(w, depth, "drop", s, level, &p, out);
      p = part_of(false, -g, true, -g, false, -b, false, -h);
      if (b > h)
        put_part(w, depth, "drop", s, level, &p, out);
      put_ends(w, depth, s, level, &core, out);
    }
    if (input)
      put_end(--depth, out);
  }
}

void sweep_border_ends(const sweep *w, int k, int64_t level, bool column, int64_t x, text *lo, text *hi)
{
  tilt_source own = { .lag = { w->tilt.lag[0][k], w->tilt.lag[1][k] } };
  tilt_part part = own_part();
  char u[64];
  text_printf(lo, "max(%" PRId64 ",", w->own[k].least[column ? 1 : 2]);
  text_printf(hi, "min(%" PRId64 ",", w->own[k].most[column ? 1 : 2]);
  put_u(w, level, x, u);
  for (int e = 0; e < 2; e++) {
    if (column)
      tilt_rows(w, own.lag, level, x, part.by, part.high, e, e ? hi : lo);
    else
      put_walls(w, &own, level, &part, u, e, e ? 2 : 3, e ? "min" : "max", e ? hi : lo);
    text_add(e ? hi : lo, ")");
  }
}

void sweep_border_meets(const sweep *w, int k, int64_t level, bool column, int64_t x, text *out)
{
  text lo = { 0 }, hi = { 0 };
  char u[64];
  sweep_border_ends(w, k, level, column, x, &lo, &hi);
  text_printf(out, "%s < %s", text_str(&lo), text_str(&hi));
  if (w->tilt.upright && !column) { /* and it has row x */
    put_u(w, level, x, u);
    text_printf(out, " && %s >= 2*lo(K)", u);
    put_sum(out, -w->tilt.lag[1][k]);
    text_printf(out, " && %s < 2*hi(K)", u);
    put_sum(out, -w->tilt.lag[1][k]);
  }
  text_clear(&lo);
  text_clear(&hi);
}

/* Rows that rows T of statement k were the last to read. */
static void put_dropped_rows(const sweep *w, int depth, int k, text *out)
{
  for (int i = 0; i < w->tilt.sources; i++) {
    const tilt_source *s = &w->tilt.source[i];
    tilt_part rows = part_of(false, -s->most[0], true, 0, false, -s->gap[1], true, -s->gap[1]);
    rows.some_rows = true;
    if (s->last < 0 || s->last % w->n != k)
      continue;
    if (s->place < 0)
      put_if(depth, out, "==", w->least[0]);
    put_part(w, depth + (s->place < 0), "drop", s, s->last / w->n, &rows, out);
    if (s->place < 0)
      put_end(depth, out);
  }
}

static void put_compute(const sweep *w, int depth, int k, text *out)
{
  tilt_source own = { .array = w->stmt[k], .place = k, .input = -1, .lag = { w->tilt.lag[0][k], w->tilt.lag[1][k] } };
  tilt_part part = own_part();
  text columns = { 0 };
  int n = 0;
  part.some_rows = w->tilt.upright;
  depth += part.some_rows;
  if (part.some_rows)
    text_printf(out, "%*sfor T in 2*lo(K)..2*hi(K) by c {\n", 2 * depth - 2, "");
  put_columns(w, &own, 0, &part, "x", NULL, 0, &columns);
  text_printf(out, "%*s", 2 * depth, "");
  put_loop(w, &own, &part, out);
  text_printf(out, "%*scompute ", 2 * depth + 2, "");
  put_array(w, &own, 0, 0, NULL, text_str(&columns), out);
  for (int i = 0; i < w->tilt.sources; i++) {
    const tilt_source *s = &w->tilt.source[i];
    if (!s->in_place || s->last < 0 || s->last % w->n != k)
      continue;
    int64_t level = s->last / w->n;
    text_add(out, n++ ? ", " : " dropping ");
    put_array(w, s, level, s->read.d[1] + (w->tilt.upright ? -1 : 1) * w->tilt.slope * level, NULL, "*", out);
  }
  text_printf(out, "\n%*s}\n", 2 * depth, "");
  text_clear(&columns);
  if (!part.some_rows)
    return;
  put_dropped_rows(w, depth, k, out);
  put_end(depth - 1, out);
}

/* What other strips read, and outputs. */
static void put_stores(const sweep *w, int depth, int k, text *out)
{
  const tilt_source *s = &w->tilt.source[k];
  int64_t a = s->most[0], b = s->most[1];
  tilt_part all = own_part(), left = part_of(false, 0, true, 0, true, -b, true, 0),
            right = part_of(true, -a, true, 0, false, 0, true, -b);
  if (s->out > 1) {
    put_part(w, depth, "store", s, 0, &all, out);
    return;
  }
  if (s->out == 1) {
    put_if(depth, out, "==", w->most[0] - 1);
    put_part(w, depth + 1, "store", s, 0, &all, out);
    text_printf(out, "%*s} else {\n", 2 * depth, "");
  } else if (s->first >= w->n)
    put_if(depth, out, "<", w->most[0] - 1);
  bool asked = s->out == 1 || s->first >= w->n;
  if (b)
    put_part(w, depth + asked, "store", s, 0, &left, out);
  if (a)
    put_part(w, depth + asked, "store", s, 0, &right, out);
  if (asked)
    put_end(depth, out);
}

/* Levels that would be read by the next one are not dropped by it: the last goes at its end. */
static void put_rest(const sweep *w, int depth, text *out)
{
  put_if(depth, out, "==", w->most[0] - 1);
  for (int i = 0; i < w->n; i++) {
    const tilt_source *s = &w->tilt.source[i];
    tilt_part p = s->first < w->n ? all_of(s) : own_part();
    if (s->last >= w->n)
      put_part(w, depth + 1, "drop", s, 0, &p, out);
  }
  put_end(depth, out);
}

static void put_range(text *out, const char *name, const char *lo, int64_t from, const char *hi, int64_t to,
                      const char *by)
{
  text_printf(out, "for %s in %s", name, lo);
  if (*lo)
    put_sum(out, from);
  else
    text_printf(out, "%" PRId64, from);
  text_printf(out, "..%s", hi);
  if (*hi)
    put_sum(out, to);
  else
    text_printf(out, "%" PRId64, to);
  text_printf(out, " by %s {\n", by);
}

/* The levels at which a strip has elements, and perhaps more; `far`: more than values are read away, lags included. */
static void put_levels(const sweep *w, int64_t far, text *out)
{
  int64_t slope = w->tilt.slope, lift = w->tilt.lift, up = w->tilt.upright;
  const char *first = up ? "2*lo(K)" : "lo(J) + lo(K)", *last = up ? "2*hi(K)" : "hi(J) + hi(K)";
  text_printf(out, "    for t in max(%" PRId64 ",(%s", w->least[0], first);
  put_sum(out, (up ? -w->most[1] - slope : w->least[1]) - far);
  text_printf(out, ") / %" PRId64, slope);
  if (up && lift) {
    text_add(out, ",(2*lo(J) - 2*hi(K)");
    put_sum(out, -w->most[2] - far - lift);
    text_printf(out, ") / %" PRId64, lift);
  }
  text_printf(out, ")..min(%" PRId64 ",(%s", w->most[0], last);
  put_sum(out, (up ? -w->least[1] : w->most[1]) + far + 2 * slope);
  text_printf(out, ") / %" PRId64, slope);
  if (up && lift) {
    text_add(out, ",(2*hi(J) - 2*lo(K)");
    put_sum(out, -w->least[2] + far + 2 * lift);
    text_printf(out, ") / %" PRId64, lift);
  }
  text_add(out, ") {\n");
}

void sweep_print_tilt(const sweep *w, text *out)
{
  int64_t slope = w->tilt.slope, low[2] = { never, never }, high[2] = { -never, -never };
  for (int k = 0; k < w->n; k++)
    for (int h = 0; h < 2; h++) {
      low[h] = num_min(low[h], w->tilt.lag[h][k]);
      high[h] = num_max(high[h], w->tilt.lag[h][k]);
    }
  int64_t far = 0;
  for (int i = 0; i < w->tilt.sources; i++)
    far = num_max(far, w->tilt.source[i].most[0] + w->tilt.source[i].most[1] + labs(w->tilt.source[i].lag[0]) +
                           labs(w->tilt.source[i].lag[1]));
  int64_t q0 = slope * w->least[0], q1 = slope * (w->most[0] - 1), from, to;
  bool up = w->tilt.upright;
  q0 += low[1] + (up ? w->least[1] : -(w->most[1] - 1) - (w->most[2] - 1));
  q1 += high[1] + 1 + (up ? w->most[1] - 1 : -w->least[1] - w->least[2]);
  /* whole blocks: none is shorter than what its values reach */
  from = num_floor_div(q0, 2);
  to = num_floor_div(q1 + 1, 2);
  put_range(out, "K", "", from, "", to + num_floor_mod(from - to, w->tilt.b), "b");
  text_add(out, "  ");
  int64_t p0 = up ? w->tilt.lift * w->least[0] + w->least[2] : 2 * w->least[2],
          p1 = up ? w->tilt.lift * (w->most[0] - 1) + w->most[2] - 1 : 2 * (w->most[2] - 1);
  from = num_floor_div(p0 + low[0] - high[1], 2);
  to = num_floor_div(p1 + high[0] - low[1] + 1, 2);
  put_range(out, "J", "lo(K)", from, "hi(K)", to + num_floor_mod(from - to - w->tilt.b, w->tilt.a), "a");
  put_levels(w, far, out);
  for (int k = 0; k < w->n; k++) {
    put_first(w, 3, k, out);
    sweep_print_borders(w, 3, true, k, out);
    put_compute(w, 3, k, out);
    sweep_print_borders(w, 3, false, k, out);
    put_stores(w, 3, k, out);
    put_last(w, 3, k, out);
  }
  put_rest(w, 3, out);
  text_add(out, "    }\n  }\n}\n");
}
