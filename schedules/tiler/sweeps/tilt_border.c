/* tilt_border.c -- borders of tilted strips (tilt.c): inputs that a row, or a column, of elements reads at every level.

   A strip that meets a border does so at many levels, with nearly the same words at each.  Where one statement alone
   reads them they stay, and each level loads what the one before did not read and drops what the next one does not. */
#include "base/num.h"
#include "schedules/tiler/sweeps/plan.h"
#include <inttypes.h>
#include <string.h>

typedef struct {
  const sweep *w;
  int k;                       /* the statement */
  const sweep_input *in;
  tiler_access hull;           /* what it reads of it */
  bool column;                 /* elements of column x read it; else of row x */
  int64_t x;
} border;

static int moving(const border *b) { return b->column ? 1 : 2; }

/* One end of index q of what is read at level t - level. */
static void put_end(const border *b, int q, int64_t level, bool high, text *out)
{
  const tiler_index *at = &b->hull.at[q];
  int64_t times = at->lo.coef[moving(b)], fixed = b->x * at->lo.coef[3 - moving(b)];
  bool bound = times && (high ? b->in->above[q] : b->in->below[q]);
  text ends[2] = { { 0 }, { 0 } };
  if (at->kind == CDAG_ALL) {
    text_printf(out, "%" PRId64, high ? b->in->box.hi[q] : b->in->box.lo[q]);
    return;
  }
  if (bound)
    text_printf(out, "%s(%" PRId64 ",", high ? "min" : "max", high ? b->in->box.hi[q] : b->in->box.lo[q]);
  if (at->lo.coef[0])
    text_printf(out, "%" PRId64 "*t + ", at->lo.coef[0]);
  if (times) {
    sweep_border_ends(b->w, b->k, level, b->column, b->x, &ends[0], &ends[1]);
    if (times == 1)
      text_printf(out, "%s + ", text_str(&ends[high]));
    else
      text_printf(out, "%" PRId64 "*(%s) + ", times, text_str(&ends[high]));
    text_clear(&ends[0]);
    text_clear(&ends[1]);
  }
  text_printf(out, "%" PRId64, (high ? at->hi.base - times : at->lo.base) + fixed);
  text_add(out, bound ? ")" : "");
}

/* What is read: all of it, or what lies before (behind) what is read at level t - level. */
typedef enum { ALL, BEFORE, BEHIND } piece;

static void put_index(const border *b, int q, piece which, int64_t level, text *out)
{
  if (!b->hull.at[q].lo.coef[moving(b)] || b->hull.at[q].kind == CDAG_ALL)
    which = ALL;
  if (which == BEHIND) {
    text_add(out, "max(");
    put_end(b, q, level, true, out);
    text_add(out, ",");
  }
  put_end(b, q, 0, false, out);
  text_add(out, which == BEHIND ? ").." : "..");
  if (which == BEFORE) {
    text_add(out, "min(");
    put_end(b, q, level, false, out);
    text_add(out, ",");
  }
  put_end(b, q, 0, true, out);
  text_add(out, which == BEFORE ? ")" : "");
}

static void put_move(const border *b, int depth, bool load, piece which, int64_t level, text *out)
{
  text_printf(out, "%*s%s %s[", 2 * depth, "", load ? "load" : "drop", b->w->s->g->array[b->in->array].name);
  for (int q = 0; q < b->hull.rank; q++) {
    text_add(out, q ? "," : "");
    put_index(b, q, which, level, out);
  }
  text_add(out, "]\n");
}

static bool at_all_levels(const border *b)
{
  return b->hull.to[0] - b->hull.from[0] == b->w->most[0] - b->w->least[0];
}

/* Does what one level reads of the input stay for the next?  Then no other statement reads it, one index moves with the
   strip, and none with time. */
static bool stays(const border *b)
{
  int readers = 0, moves = 0;
  bool plain = at_all_levels(b);
  for (int k = 0; k < b->w->n; k++) {
    tiler_access hull;
    readers += sweep_hull(b->w, k, b->in, &hull) && hull.rank >= 0;
  }
  for (int q = 0; q < b->hull.rank; q++) {
    const tiler_index *at = &b->hull.at[q];
    if (at->kind == CDAG_ALL)
      continue;
    plain = plain && at->lo.coef[0] == 0 && (at->lo.coef[moving(b)] == 0 || at->lo.coef[moving(b)] == 1);
    moves += at->lo.coef[moving(b)] != 0;
  }
  return plain && readers == 1 && moves == 1;
}

static void put_border(const border *b, int depth, bool load, text *out)
{
  int64_t level = load ? 1 : -1; /* the one before, the next one */
  text_printf(out, "%*sif ", 2 * depth, "");
  sweep_border_meets(b->w, b->k, 0, b->column, b->x, out);
  if (!at_all_levels(b))
    text_printf(out, " && t >= %" PRId64 " && t < %" PRId64, b->hull.from[0], b->hull.to[0]);
  text_add(out, " {\n");
  bool some = stays(b);
  if (some) {
    text_printf(out, "%*sif t %c %" PRId64 " && ", 2 * depth + 2, "", load ? '>' : '<',
                load ? b->w->least[0] : b->w->most[0] - 1);
    sweep_border_meets(b->w, b->k, level, b->column, b->x, out);
    text_add(out, " {\n");
    put_move(b, depth + 2, load, BEFORE, level, out);
    put_move(b, depth + 2, load, BEHIND, level, out);
    text_printf(out, "%*s} else {\n", 2 * depth + 2, "");
  }
  put_move(b, depth + 1 + some, load, ALL, 0, out);
  if (some)
    text_printf(out, "%*s}\n", 2 * depth + 2, "");
  text_printf(out, "%*s}\n", 2 * depth, "");
}

static bool is_source(const sweep *w, int input)
{
  bool any = false;
  for (int i = 0; i < w->tilt.sources; i++)
    any = any || w->tilt.source[i].input == input;
  return any;
}

void sweep_print_borders(const sweep *w, int depth, bool load, int k, text *out)
{
  for (int i = 0; i < w->inputs; i++) {
    border b = { .w = w, .k = k, .in = &w->input[i] };
    if (b.in->how == KEPT || is_source(w, i))
      continue;
    sweep_hull(w, k, b.in, &b.hull);
    if (b.hull.rank < 0)
      continue;
    b.column = b.hull.to[1] - b.hull.from[1] != 1;
    b.x = b.hull.from[b.column ? 2 : 1];
    put_border(&b, depth, load, out);
  }
}
