/* tilt_text.c -- the text of a sweep in tilted strips (tilt.c): parts of a strip at one level, loads and stores of what
   crosses its walls, computes that drop what they read last. */
#include "base/num.h"
#include "schedules/tiler/sweeps/plan.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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
    if (s->first % w->n != k || s->first == SWEEP_NEVER)
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
  int64_t slope = w->tilt.slope, low[2] = { SWEEP_NEVER, SWEEP_NEVER }, high[2] = { -SWEEP_NEVER, -SWEEP_NEVER };
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
