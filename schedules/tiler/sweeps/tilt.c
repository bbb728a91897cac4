/* tilt.c -- sweeps in tilted strips (docs/tiling.md, "Tilted strips").

   With u = slope t - x1, the forms p = u + x2 + lag and q = u - x2 + lag never fall from a value to its reader.  Blocks
   of both make strips along which level after level takes the place of the one before, one row further on: nothing
   crosses the end of a block of levels, as there is none.  Of an array that reads its own level, row after row, such
   forms are p = u + lift t + x2 + lag and q = u + lag with u = slope t + x1: strips are *upright*. */
#include "base/num.h"
#include "schedules/tiler/sweeps/plan.h"
#include "schedules/tiler/sweeps/sweep.h"
#include <math.h>

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
    *s = (tilt_source){ .array = w->stmt[k], .place = k, .input = -1, .first = SWEEP_NEVER, .last = -1 };
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
    .array = in->array, .place = -1, .input = input, .lag = { SWEEP_NEVER, SWEEP_NEVER },
    .first = SWEEP_NEVER, .last = -1
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
