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

/* How an input comes: whole, before everything; whole in a strip; its rows, as the strip is walked, for all levels or
   for each; or what one row of one statement reads, and only for that. */
typedef enum { KEPT, BY_STRIP, BY_ROW, BY_LEVEL, BY_STATEMENT } coming;
enum { NO_VARIABLE = -1, ALL_OF_IT = -2 };
typedef struct {
  bool read;
  coming how;
  int var[CDAG_RANK], row;     /* the variable in each index; the index that has the row, or -1 */
  int64_t lo[CDAG_RANK], hi[CDAG_RANK]; /* what is read is there: from the place less slope and lean, all readers' lags
                                           in; a row: from the step less slope; a level: from it */
} moving_input;

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
  int64_t near[SWEPT];         /* so many of a block's last levels are read by no later one of the block */
  int last[SWEPT];             /* the read after which a row is not needed any more; -1: nothing reads it */
  int64_t least[1 + AXES], most[1 + AXES];
  int64_t levels, width[AXES]; /* of a block; of a strip, by axis, from the second on */
  bool hurried;                /* its play must not take long */
  moving_input *input;         /* by array */
} sweep;

static const tiler_statement *at(const sweep *w, int k) { return &w->s->s[w->stmt[k]]; }

static double extent(const sweep *w, int r) { return (double)(w->most[r] - w->least[r]); }

/* ---- is it one? ---- */

static int place_of(const sweep *w, int array)
{
  for (int k = 0; k < w->n; k++)
    if (w->stmt[k] == array)
      return k;
  return -1;
}

/* Index q of an access: a variable's own place, by some distances. */
static bool distances(const sweep *w, int to, const tiler_access *a, int q, int64_t *from, int64_t *before)
{
  const tiler_index *i = &a->at[q];
  tiler_form lo = i->lo, hi = i->kind == CDAG_RANGE ? i->hi : i->lo;
  *from = lo.base;
  *before = i->kind == CDAG_RANGE ? hi.base : lo.base + 1;
  lo.base = hi.base = 0;
  return i->kind != CDAG_ALL && i->affine && tiler_form_plain(&lo, at(w, to)->rank) == q &&
         tiler_form_plain(&hi, at(w, to)->rank) == q;
}

/* Does the element of `to` come after what it reads there? */
static bool comes_after(const read_at *r, int axes)
{
  for (int q = 0; q <= axes; q++)
    if (r->d[q])
      return r->d[0] < 0 || (r->d[0] == 0 && (r->from != r->to || r->d[q] < 0));
  return r->from != r->to;
}

/* A range is each of its elements. */
static bool add_read(sweep *w, int to, const tiler_access *a)
{
  read_at r = { .from = place_of(w, a->array), .to = to };
  int64_t from[1 + AXES], before[1 + AXES];
  if (r.from < 0)
    return true;
  for (int q = 0; q <= w->axes; q++) {
    if (!distances(w, to, a, q, &from[q], &before[q]))
      return false;
    r.d[q] = from[q];
  }
  while (r.d[0] < before[0]) {
    if (w->reads == READS || !comes_after(&r, w->axes))
      return false;
    w->read[w->reads++] = r;
    for (int q = w->axes; ++r.d[q] == before[q] && q > 0; q--)
      r.d[q] = from[q];
  }
  return true;
}

static bool box_domain(const tiler_statement *s)
{
  for (int r = 0; r < s->rank; r++)
    if (!tiler_bound_constant(&s->lo[r], s->rank) || !tiler_bound_constant(&s->hi[r], s->rank))
      return false;
  return true;
}

bool tiler_last_level_output(const cdag *g, int array, int64_t last)
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
    if (!levels || !tiler_last_level_output(g, a, s->most[0] - 1))
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
    int64_t near = INT64_MAX;
    for (int i = 0; i < w->reads; i++) {
      const read_at *r = &w->read[i];
      if (r->from != k)
        continue;
      for (int q = 0; q < w->axes; q++)
        w->stay[k][q] = num_max(w->stay[k][q], distance(w, r, q));
      w->brought[k] = num_max(w->brought[k], -r->d[0]);
      near = num_min(near, -r->d[0]);
    }
    w->near[k] = near == INT64_MAX ? 0 : near;
    w->carried[k] = num_max(w->carried[k], w->brought[k]);
    for (int i = 0; i < w->reads; i++)
      if (w->read[i].from == k && distance(w, &w->read[i], 0) == w->stay[k][0] &&
          (w->last[k] < 0 || is_later(&w->read[i], &w->read[w->last[k]])))
        w->last[k] = i;
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

/* How far apart an input's first and last word are that are read along index q by one step and level. */
static int64_t spread(const moving_input *in, int q) { return in->hi[q] - in->lo[q]; }

static int64_t size_of(const sweep *w, int array, int q)
{
  const cdag_box *hull = &w->s->g->array[array].hull;
  return hull->hi[q] - hull->lo[q];
}

/* What statement k reads joins what others do; false: in another way. */
static bool join_hull(const sweep *w, int k, const tiler_access *hull, moving_input *in)
{
  int row = -1;
  unsigned used = 0;
  for (int q = 0; q < hull->rank; q++)
    if (hull->at[q].kind != CDAG_ALL) {
      tiler_form f = hull->at[q].lo;
      f.base = 0;
      row = tiler_form_plain(&f, at(w, k)->rank) == 1 ? q : row;
    }
  for (int q = 0; q < hull->rank; q++) {
    tiler_form f = hull->at[q].lo;
    int64_t lo = f.base, hi = hull->at[q].hi.base;
    f.base = 0;
    bool whole = hull->at[q].kind == CDAG_ALL, constant = !whole && tiler_form_constant(&f, at(w, k)->rank);
    int v = whole ? ALL_OF_IT : constant ? NO_VARIABLE : tiler_form_plain(&f, at(w, k)->rank);
    if ((v < 0 && !whole && !constant) || (v >= 0 && (used >> v & 1)) || (in->read && v != in->var[q]) ||
        (!whole && memcmp(hull->at[q].lo.coef, hull->at[q].hi.coef, sizeof f.coef) != 0))
      return false;
    used |= v >= 0 ? 1u << v : 0;
    if (v >= 1)
      lo -= w->lag[k][v - 1], hi -= w->lag[k][v - 1];
    if (v >= 2 && w->lean[v - 1] && row < 0)
      return false;
    if (v >= 2 && row >= 0) {
      lo += w->lean[v - 1] * hull->at[row].lo.base;
      hi += w->lean[v - 1] * (hull->at[row].hi.base - 1);
    }
    in->var[q] = v;
    in->lo[q] = in->read ? num_min(in->lo[q], lo) : lo;
    in->hi[q] = in->read ? num_max(in->hi[q], hi) : hi;
  }
  in->row = row;
  in->read = true;
  return true;
}

static int index_with(const moving_input *in, int rank, int v)
{
  for (int q = 0; q < rank; q++)
    if (in->var[q] == v)
      return q;
  return -1;
}

/* Its rows are read at few steps. */
static bool has_few_rows(const sweep *w, int array)
{
  const moving_input *in = &w->input[array];
  return in->read && in->row >= 0 && size_of(w, array, in->row) < num_max(2, spread(in, in->row));
}

/* Many of its rows are not read at all. */
static bool has_idle_rows(const sweep *w, int array)
{
  const moving_input *in = &w->input[array];
  double read = in->row >= 0 ? extent(w, 1) + (double)spread(in, in->row) : 0;
  return in->row >= 0 && (double)size_of(w, array, in->row) > 16 + 1.1 * read;
}

static coming way_of(const sweep *w, int array, double m)
{
  const moving_input *in = &w->input[array];
  int rank = w->s->g->array[array].rank, level = index_with(in, rank, 0);
  double volume = 1;
  for (int q = 0; q < rank; q++)
    volume *= (double)size_of(w, array, q);
  if (volume <= m / 64)
    return KEPT;
  if (has_few_rows(w, array) || has_idle_rows(w, array))
    return BY_STATEMENT;
  if (level >= 0 && in->row >= 0)
    return spread(in, level) == 1 ? BY_LEVEL : BY_STATEMENT;
  return in->row >= 0 ? BY_ROW : BY_STRIP;
}

static void plan_inputs(sweep *w, double m)
{
  for (int a = 0; a < w->s->g->arrays; a++) {
    moving_input *in = &w->input[a];
    bool good = true;
    for (int k = 0; k < w->n && place_of(w, a) < 0; k++) {
      tiler_access hull = { .rank = -1 };
      hull_of(at(w, k), a, &hull);
      good = good && (hull.rank < 0 || join_hull(w, k, &hull, in));
    }
    in->how = good && in->read ? way_of(w, a, m) : BY_STATEMENT;
  }
}

/* Words of an input on chip while a strip is walked; 0 when it is there at the ends of an axis only. */
static double words_of(const sweep *w, int array)
{
  const moving_input *in = &w->input[array];
  double z = 1, later = (double)(in->how == BY_LEVEL ? 0 : w->levels - 1);
  for (int q = 0; q < w->s->g->array[array].rank; q++) {
    int v = in->var[q];
    double all = (double)size_of(w, array, q), need = all;
    if (v == 0)
      need = (double)(w->levels + spread(in, q) - 1);
    else if (v == 1)
      need = (double)w->slope[0] * later + (double)spread(in, q);
    else if (v >= 2)
      need = (double)(w->width[v - 1] + spread(in, q) - 1) + (double)w->slope[v - 1] * later;
    if (v >= 1 && all < need / 2 && in->how != KEPT)
      return 0;
    z *= in->how == KEPT ? all : fmin(need, all);
  }
  return z;
}

/* Is it read at the first level of all only, where it stands for the level before? */
static bool is_first_level(const sweep *w, int array)
{
  int level = index_with(&w->input[array], w->s->g->array[array].rank, 0);
  return level >= 0 && size_of(w, array, level) == 1;
}

static double input_words(const sweep *w)
{
  double sum = 0;
  for (int a = 0; a < w->s->g->arrays; a++)
    if (w->input[a].read && w->input[a].how != BY_STATEMENT && !is_first_level(w, a))
      sum += words_of(w, a);
  return sum;
}

/* ---- lengths ---- */

/* Words of one row of k in a strip: no more than there are. */
static double row_words(const sweep *w, int k)
{
  double z = 1;
  for (int q = 1; q < w->axes; q++)
    z *= fmin((double)(w->width[q] + w->stay[k][q]), extent(w, q + 1));
  return z;
}

/* Rows stay at all levels but those that nothing in the block reads; one more is computed, and one not dropped yet. */
static double peak_of(const sweep *w)
{
  double sum = input_words(w), most = 0;
  for (int k = 0; k < w->n; k++) {
    sum += (double)(num_max(w->levels - w->near[k], 0) + w->brought[k]) * (double)w->stay[k][0] * row_words(w, k);
    most = fmax(most, row_words(w, k));
  }
  return sum + 2 * most;
}

/* Words of a row that are another strip's, for each of its own. */
static double shared_part(const sweep *w, int k)
{
  double part = 1;
  for (int q = 1; q < w->axes; q++) {
    bool whole = w->lean[q] == 0 && (double)w->width[q] >= extent(w, q + 1) + (double)(w->slope[q] * w->levels);
    part *= whole ? 1 : 1 + (double)w->stay[k][q] / (double)w->width[q];
  }
  return part - 1;
}

static double io_of(const sweep *w)
{
  double blocks = ceil(extent(w, 0) / (double)w->levels), cells = 1, sum = 0;
  for (int r = 1; r <= w->axes; r++)
    cells *= extent(w, r);
  for (int k = 0; k < w->n; k++) {
    double part = shared_part(w, k), levels = (double)(w->carried[k] + w->brought[k]);
    sum += cells * ((blocks - 1) * levels * (1 + part) + 2 * part * blocks * (double)(w->levels - w->near[k]));
  }
  return sum;
}

static bool fits(sweep *w, int64_t width, double m)
{
  for (int q = 1; q < w->axes; q++)
    w->width[q] = width;
  return peak_of(w) <= m;
}

/* The widest strips that fit, all axes the same; then the last ones wider. */
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
  bool good = fits(w, least, m);
  for (int q = w->axes - 1; q > 1 && good; q--) {
    while (peak_of(w) <= m && w->width[q] < most)
      w->width[q]++;
    w->width[q]--;
  }
  return good;
}

/* Is the text judged soon?  One by one are judged the rows of the first and the last steps of a strip, at which not all
   levels are under way, and of strips that lean those where they enter and leave the domain; blocks of levels are found
   alike while what three of them do fits the referee's log. */
static bool soon_judged(const sweep *w)
{
  enum { ALIKE_ROWS = 150000, MOST_ROWS = 600000 };
  double rows = (double)(w->n * w->levels), blocks = ceil(extent(w, 0) / (double)w->levels), both = 90;
  bool leans = false;
  for (int q = 1; q < w->axes; q++) {
    double over = extent(w, q + 1) + (double)w->lean[q] * extent(w, 1) + (double)(w->slope[q] * w->levels);
    double strips = ceil(over / (double)w->width[q]);
    rows *= strips;
    both += strips > 1 ? 2 * (double)w->lean[q] * (double)(w->width[q] + 2 * w->slope[q] * w->levels) : 0;
    leans |= w->lean[q] > 0;
  }
  if (!leans && !w->hurried)
    return true;
  if (!leans)
    both += 2 * (double)(w->slope[0] * w->levels);
  rows *= fmin(both, extent(w, 1));
  return rows * (rows <= ALIKE_ROWS ? fmin(blocks, 4) : blocks) <= (w->hurried ? MOST_ROWS / 3 : MOST_ROWS);
}

static bool choose_lengths(sweep *w, double m)
{
  double best = INFINITY;
  int64_t all = w->most[0] - w->least[0], shortest = 1;
  sweep keep = *w;
  for (int k = 0; k < w->n; k++)
    shortest = num_max(shortest, w->carried[k]);
  for (int64_t a = all; a >= shortest; a--) {
    int64_t blocks = (all + a - 1) / a;
    a = num_max((all + blocks - 1) / blocks, shortest); /* the fewest levels for so many blocks */
    w->levels = a;
    if ((all % a && all % a < shortest) || !widen(w, m) || !soon_judged(w))
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

/* The first index of what is computed at level t and step x, but for its lag. */
static void add_row(const sweep *w, tiler_words *out)
{
  add_atom(out, "x", 1);
  add_atom(out, "t", -w->slope[0]);
  add_atom(out, "lo(T)", w->slope[0]);
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

/* ---- inputs, as text ---- */

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
      add_row(w, &one);
    } else
      add_place(w, k, q, l, name, up ? -1 : 0, 0, &one);
    if (c)
      tiler_words_add(out, &one, c);
  }
}

/* ... and are dropped; the rows of an input that has few of them are read at few steps. */
static bool put_condition(const sweep *w, int depth, int k, int array, const tiler_access *hull, text *out)
{
  int row = w->input[array].row;
  if (!has_few_rows(w, array))
    return false;
  const cdag_box *all = &w->s->g->array[array].hull;
  tiler_words x = { .base = -w->lag[k][0] };
  add_row(w, &x);
  text_printf(out, "%*sif ", 2 * depth, "");
  tiler_words_print(out, &x);
  int64_t from = all->lo[row] - hull->at[row].hi.base + 1, to = all->hi[row] - hull->at[row].lo.base;
  text_printf(out, " %s %" PRId64, to == from + 1 ? "==" : ">=", from);
  if (to != from + 1) {
    text_add(out, " && ");
    tiler_words_print(out, &x);
    text_printf(out, " < %" PRId64, to);
  }
  text_add(out, " {\n");
  return true;
}

/* What statement k alone reads comes when it is computed, and goes. */
static void put_inputs(const sweep *w, int depth, const char *verb, int k, text *out)
{
  const tiler_statement *s = at(w, k);
  for (int a = 0; a < w->s->g->arrays; a++) {
    tiler_access hull = { .rank = -1 };
    if (place_of(w, a) >= 0 || w->input[a].how != BY_STATEMENT)
      continue;
    hull_of(s, a, &hull);
    if (hull.rank < 0)
      continue;
    bool asked = put_condition(w, depth, k, a, &hull, out);
    text_printf(out, "%*s%s %s[", 2 * (depth + asked), "", verb, w->s->g->array[a].name);
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
    if (asked)
      text_printf(out, "%*s}\n", 2 * depth, "");
  }
}

/* The row of an input that comes, or goes, at step x: the newest and the oldest that is read then. */
static tiler_words input_row(const sweep *w, const moving_input *in, bool newest)
{
  tiler_words row = { .base = newest ? in->hi[in->row] - 1 : in->lo[in->row] };
  if (in->how == BY_LEVEL)
    add_row(w, &row);
  else
    add_atom(&row, "x", 1);
  if (in->how != BY_LEVEL && !newest) {
    add_atom(&row, "len(T)", -w->slope[0]);
    row.base += w->slope[0];
  }
  return row;
}

/* Along an axis of the strip: what is read of that row, by one level or by all. */
static void print_input_axis(const sweep *w, const moving_input *in, int q, const tiler_words *row, text *out)
{
  int axis = in->var[q] - 1;
  for (int hi = 0; hi < 2; hi++) {
    char name[CDAG_NAME];
    tiler_words end = { .base = hi ? in->hi[q] - 1 : in->lo[q] };
    strip_end(axis, hi, name);
    add_atom(&end, name, 1);
    if (in->how == BY_LEVEL) {
      add_atom(&end, "t", -w->slope[axis]);
      add_atom(&end, "lo(T)", w->slope[axis]);
    } else if (!hi) {
      add_atom(&end, "len(T)", -w->slope[axis]);
      end.base += w->slope[axis];
    }
    if (w->lean[axis])
      tiler_words_add(&end, row, -w->lean[axis]);
    text_add(out, hi ? ".." : "");
    tiler_words_print(out, &end);
  }
}

static void print_input_box(const sweep *w, int array, bool newest, text *out)
{
  const moving_input *in = &w->input[array];
  tiler_words row = { .n = 0 };
  if (in->row >= 0)
    row = input_row(w, in, newest);
  text_printf(out, "%s[", w->s->g->array[array].name);
  for (int q = 0; q < w->s->g->array[array].rank; q++) {
    text_add(out, q ? "," : "");
    if (in->how == KEPT || in->var[q] == ALL_OF_IT)
      text_char(out, '*');
    else if (in->var[q] == NO_VARIABLE)
      text_printf(out, "%" PRId64 "..%" PRId64, in->lo[q], in->hi[q]);
    else if (in->var[q] == 0 && in->how == BY_STRIP) {
      print_level((level){ "lo(T)", in->lo[q] }, out);
      text_add(out, "..");
      print_level((level){ "hi(T)", in->hi[q] - 1 }, out);
    } else if (in->var[q] == 0)
      print_level((level){ "t", in->lo[q] }, out);
    else if (q == in->row)
      tiler_words_print(out, &row);
    else
      print_input_axis(w, in, q, &row, out);
  }
  text_add(out, "]\n");
}

/* The only level that reads what there is of the first level alone, so that no other one asks. */
static bool only_level(const sweep *w, int array, int64_t *t)
{
  const moving_input *in = &w->input[array];
  int q = index_with(in, w->s->g->array[array].rank, 0);
  if (in->how != BY_LEVEL || !is_first_level(w, array))
    return false;
  *t = w->s->g->array[array].hull.lo[q] - in->lo[q];
  return true;
}

/* Inputs that one level alone reads stand under one condition where they follow one another. */
static void put_moving(const sweep *w, int depth, coming how, bool load, text *out)
{
  int64_t t = 0, asked = 0;
  bool inside = false;
  for (int a = 0; a <= w->s->g->arrays; a++) {
    bool end = a == w->s->g->arrays;
    if (!end && (!w->input[a].read || w->input[a].how != how))
      continue;
    bool once = !end && only_level(w, a, &t);
    if (inside && (!once || t != asked))
      text_printf(out, "%*s}\n", 2 * depth, "");
    if (once && (!inside || t != asked))
      text_printf(out, "%*sif t == %" PRId64 " {\n", 2 * depth, "", t);
    inside = once;
    asked = t;
    if (end)
      break;
    text_printf(out, "%*s%s ", 2 * (depth + once), "", load ? "load" : "drop");
    print_input_box(w, a, load, out);
  }
}

/* Rows come as the newest and go as the oldest: steps enough for all to come, and to go. */
static void input_steps(const sweep *w, int64_t *first, int64_t *last)
{
  for (int a = 0; a < w->s->g->arrays; a++) {
    const moving_input *in = &w->input[a];
    if (!in->read || (in->how != BY_ROW && in->how != BY_LEVEL))
      continue;
    const cdag_box *all = &w->s->g->array[a].hull;
    *first = num_min(*first, all->lo[in->row] - in->hi[in->row] + 1);
    *last = num_max(*last, all->hi[in->row] - in->lo[in->row]);
  }
}

/* ---- one step of a strip ---- */

static bool has_sides(const sweep *w, int k)
{
  bool sides = false;
  for (int q = 1; q < w->axes; q++)
    sides |= w->stay[k][q] > 0;
  return sides;
}

static const part own[AXES] = { OWN, OWN, OWN }, with_left[AXES] = { WITH_LEFT, WITH_LEFT, WITH_LEFT };

/* Last levels of a block are stored whole; those that nothing in it reads go at once. */
static void put_last_levels(const sweep *w, int depth, int k, text *out)
{
  put(w, depth, "store", k, (level){ "t", 0 }, 0, own, out);
  if (!w->near[k])
    return;
  bool some = w->near[k] < w->carried[k];
  if (some)
    text_printf(out, "%*sif t >= hi(T) - %" PRId64 " {\n", 2 * depth, "", w->near[k]);
  put(w, depth + some, "drop", k, (level){ "t", 0 }, 0, own, out);
  if (some)
    text_printf(out, "%*s}\n", 2 * depth, "");
}

static void put_stores(const sweep *w, int depth, int k, text *out)
{
  bool sides = has_sides(w, k);
  if (w->carried[k]) {
    text_printf(out, "%*sif t >= hi(T) - %" PRId64 " {\n", 2 * depth, "", w->carried[k]);
    put_last_levels(w, depth + 1, k, out);
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
  for (int q = 1; q < w->axes; q++) {
    part p[AXES];
    for (int r = 1; r < w->axes; r++)
      p[r] = r < q ? BUT_RIGHT : r == q ? LEFT : DONE;
    if (w->stay[k][q])
      put(w, depth, "erase", k, (level){ "t", 0 }, 0, p, out);
  }
}

/* What is computed in the strip before and read in this one, at levels that are read in the block. */
static void put_left(const sweep *w, int depth, int k, text *out)
{
  int64_t late = w->near[k], stays = w->carried[k];
  if (!has_sides(w, k))
    return;
  if (late)
    text_printf(out, "%*sif t < hi(T) - %" PRId64 " {\n", 2 * depth, "", late);
  put_sides(w, depth + (late > 0), true, k, out);
  if (stays > late)
    text_printf(out, "%*sif t < hi(T) - %" PRId64 " {\n", 2 * (depth + (late > 0)), "", stays);
  put_erase(w, depth + (late > 0) + (stays > late), k, out);
  if (stays > late)
    text_printf(out, "%*s}\n", 2 * (depth + (late > 0)), "");
  if (late)
    text_printf(out, "%*s}\n", 2 * depth, "");
}

static void put_level(const sweep *w, int depth, int k, text *out)
{
  put_left(w, depth, k, out);
  put_inputs(w, depth, "load", k, out);
  put(w, depth, "compute", k, (level){ "t", 0 }, 0, own, out);
  put_inputs(w, depth, "drop", k, out);
  put_stores(w, depth, k, out);
  for (int i = 0; i < w->n; i++)
    if (w->last[i] >= 0 && w->read[w->last[i]].to == k)
      put(w, depth, "drop", i, (level){ "t", w->read[w->last[i]].d[0] }, w->stay[i][0], with_left, out);
  if (w->last[k] < 0)
    put(w, depth, "drop", k, (level){ "t", 0 }, 0, with_left, out);
}

static void put_step(const sweep *w, int depth, text *out)
{
  static const part done[AXES] = { DONE, DONE, DONE };
  put_moving(w, depth, BY_ROW, true, out);
  for (int k = 0; k < w->n; k++)
    for (int64_t e = w->brought[k]; e > 0; e--) {
      put(w, depth, "load", k, (level){ "lo(T)", -e }, 0, with_left, out);
      put(w, depth, "erase", k, (level){ "lo(T)", -e }, 0, done, out);
    }
  text_printf(out, "%*sfor t in T {\n", 2 * depth, "");
  put_moving(w, depth + 1, BY_LEVEL, true, out);
  for (int k = 0; k < w->n; k++)
    put_level(w, depth + 1, k, out);
  put_moving(w, depth + 1, BY_LEVEL, false, out);
  text_printf(out, "%*s}\n", 2 * depth, "");
  for (int k = 0; k < w->n; k++) { /* whose last reader would stand in the next block, or stood in the one before */
    int64_t by = w->last[k] < 0 ? 0 : -w->read[w->last[k]].d[0];
    for (int64_t e = by; e > w->near[k]; e--)
      put(w, depth, "drop", k, (level){ "hi(T)", -e }, w->stay[k][0], with_left, out);
    for (int64_t e = w->brought[k]; e > by; e--)
      put(w, depth, "drop", k, (level){ "lo(T)", -e }, w->stay[k][0], with_left, out);
  }
  put_moving(w, depth, BY_ROW, false, out);
}

static void put_loops(const sweep *w, text *out)
{
  int depth = 1;
  int64_t first = w->least[1], last = w->most[1];
  put_moving(w, 0, KEPT, true, out);
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
  input_steps(w, &first, &last);
  put_moving(w, depth, BY_STRIP, true, out);
  text_printf(out, "%*sfor x in %" PRId64 "..%" PRId64, 2 * depth, "", first, last);
  if (w->slope[0])
    text_printf(out, " + %" PRId64 "*len(T)", w->slope[0]);
  text_add(out, " {\n");
  put_step(w, depth + 1, out);
  text_printf(out, "%*s}\n", 2 * depth, "");
  put_moving(w, depth, BY_STRIP, false, out);
  while (depth-- > 0)
    text_printf(out, "%*s}\n", 2 * depth, "");
  put_moving(w, 0, KEPT, false, out);
}

/* ---- names ---- */

static const char *const own_names[] = { "T", "J", "K", "x", "t", "a", "b", "c" };

/* The text with our names as the computation lets us have them; an array's stands before a bracket. */
static void print_renamed(const cdag *g, const char *body, text *out)
{
  while (*body) {
    size_t n = strspn(body, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    char name[CDAG_NAME] = "";
    for (int i = 0; n == 1 && body[1] != '[' && i < (int)(sizeof own_names / sizeof *own_names); i++)
      if (own_names[i][0] == *body)
        tiler_fresh_name(g, own_names[i], name);
    if (name[0])
      text_add(out, name);
    else
      text_add_n(out, body, n ? n : 1);
    body += n ? n : 1;
  }
}

bool tiler_sweep(const tiler_shape *s, double m, bool hurried, text *out)
{
  sweep *w = MEM_NEW(sweep, 1);
  w->s = s;
  w->hurried = hurried;
  w->input = MEM_NEW(moving_input, (size_t)s->g->arrays);
  bool good = s->affine && list_statements(w) && list_reads(w) && order_statements(w) &&
              list_reads(w) && inputs_are_boxes(w) && find_slopes(w);
  if (good) {
    find_stays(w);
    plan_inputs(w, m);
    good = choose_lengths(w, m);
  }
  if (good) {
    text_add(out, "# Blocks of time levels; in each strip the first axis is swept once, level behind level.\n");
    tiler_print_title(s->g, "sweep", out);
    text body = { 0 };
    text_printf(&body, "param a = %" PRId64 "\n", w->levels);
    for (int q = 1; q < w->axes; q++)
      text_printf(&body, "param %s = %" PRId64 "\n", length[q], w->width[q]);
    put_loops(w, &body);
    print_renamed(s->g, text_str(&body), out);
    text_clear(&body);
  }
  mem_free(w->input);
  mem_free(w);
  return good;
}
