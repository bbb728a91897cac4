#include "base/num.h"
#include "schedules/tiler/sweeps/plan.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the text ---- */

static const char *const block[] = { "", "J", "K" }, *const length[] = { "", "b", "c" };

/* A level: t + by, or lo(T) + by, or hi(T) + by. */
typedef struct { const char *name; int64_t by; } level;

/* The first index of what is computed at level t and step x, but for its lag. */
static void add_row(const sweep *w, tiler_words *out)
{
  tiler_words_add_name(out, "x", 1);
  tiler_words_add_name(out, "t", -w->slope[0]);
  tiler_words_add_name(out, "lo(T)", w->slope[0]);
}

/* x[axis] of what stands at place `name` + by: the step x, or an end of a strip.  The row is that of step x - back. */
static void add_place(const sweep *w, int k, int axis, level l, const char *name, int64_t by, int64_t back,
                      tiler_words *out)
{
  int64_t lean = w->lean[axis], tilt = lean * w->slope[0] - w->slope[axis];
  tiler_words_add_name(out, name, 1);
  tiler_words_add_name(out, "x", -lean);
  out->base += by - w->lag[k][axis] + lean * (back + w->lag[k][0]) + tilt * l.by;
  tiler_words_add_name(out, l.name, tilt);
  tiler_words_add_name(out, "lo(T)", -tilt);
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
    tiler_words_add_name(p == RIGHT ? &from : &to, lo, stay);
  print_range(out, &from, &to);
}

static void print_level(level l, text *out)
{
  tiler_words w = { .base = l.by };
  tiler_words_add_name(&w, l.name, 1);
  tiler_words_print(out, &w);
}

/* Array k at a level, the row of step x - back, in these parts of the strip's axes; all steps of a sum or its last. */
static void print_box(const sweep *w, int k, level l, int64_t back, const part *p, bool all, text *out)
{
  const tiler_statement *s = &w->s->s[w->stmt[k]];
  tiler_words row = { .base = -back - w->lag[k][0] - w->slope[0] * l.by };
  tiler_words_add_name(&row, "x", 1);
  tiler_words_add_name(&row, l.name, -w->slope[0]);
  tiler_words_add_name(&row, "lo(T)", w->slope[0]);
  text_printf(out, "%s[", w->s->g->array[w->stmt[k]].name);
  for (int i = 0; i < s->rank; i++) { /* in the array's own order of indices */
    int r = 0;
    while (r <= w->axes && w->dim[k][r] != i)
      r++;
    text_add(out, i ? "," : "");
    if (sweep_in_sum(w, s, i) && all)
      text_char(out, '*');
    else if (sweep_in_sum(w, s, i))
      text_printf(out, "%" PRId64, s->most[i] - 1);
    else if (r == 0)
      print_level((level){ l.name, l.by + w->level[k] }, out);
    else if (r == 1)
      tiler_words_print(out, &row);
    else
      print_axis(w, k, r - 1, l, p[r - 1], back, out);
  }
  text_char(out, ']');
}

static void put(const sweep *w, int depth, const char *verb, int k, level l, int64_t back, const part *p, text *out)
{
  bool made = strcmp(verb, "compute") == 0;
  text_printf(out, "%*s%s ", 2 * depth, "", verb);
  print_box(w, k, l, back, p, made, out);
  if (made && w->sums && w->s->s[w->stmt[k]].chains)
    text_printf(out, " dropping %s", w->s->g->array[w->stmt[k]].name);
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
  tiler_words_add_name(out, "t", f->coef[0]);
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

/* A range of index q, no further than the input's box where there are other words. */
static void print_clipped(const sweep_input *in, int q, const tiler_words *lo, const tiler_words *hi, text *out)
{
  if (in->below[q])
    text_printf(out, "max(%" PRId64 ",", in->box.lo[q]);
  tiler_words_print(out, lo);
  text_add(out, in->below[q] ? ").." : "..");
  if (in->above[q])
    text_printf(out, "min(%" PRId64 ",", in->box.hi[q]);
  tiler_words_print(out, hi);
  text_add(out, in->above[q] ? ")" : "");
}

static void print_whole(const sweep_input *in, int q, text *out)
{
  if (in->below[q] || in->above[q])
    text_printf(out, "%" PRId64 "..%" PRId64, in->box.lo[q], in->box.hi[q]);
  else
    text_char(out, '*');
}

/* `lo <= what < hi`, as far as it does not hold of all from least to most; *some: another condition stands before. */
static void put_between(const tiler_words *what, int64_t lo, int64_t hi, int64_t least, int64_t most, bool *some,
                        text *out)
{
  for (int side = 0; side < (hi == lo + 1 ? 1 : 2); side++) {
    if (hi > lo + 1 && (side ? hi >= most : lo <= least))
      continue;
    text_add(out, *some ? " && " : "if ");
    tiler_words_print(out, what);
    text_printf(out, " %s %" PRId64, hi == lo + 1 ? "==" : side ? "<" : ">=", side ? hi : lo);
    *some = true;
  }
}

/* What few levels, or few rows, of a statement read comes for these only. */
static bool put_condition(const sweep *w, int depth, int k, const tiler_access *hull, text *out)
{
  const tiler_statement *s = &w->own[k];
  tiler_words x = { .base = -w->lag[k][0] }, t = { .n = 0 };
  bool some = false, few = 2 * (hull->to[1] - hull->from[1]) <= s->most[1] - s->least[1];
  text condition = { 0 };
  add_row(w, &x);
  tiler_words_add_name(&t, "t", 1);
  if (hull->to[0] - hull->from[0] < s->most[0] - s->least[0])
    put_between(&t, hull->from[0], hull->to[0], s->least[0], s->most[0], &some, &condition);
  if (few)
    put_between(&x, hull->from[1], hull->to[1], s->least[1], s->most[1], &some, &condition);
  if (some)
    text_printf(out, "%*s%s {\n", 2 * depth, "", text_str(&condition));
  text_clear(&condition);
  return some;
}

/* What statement k alone reads comes when it is computed, and goes. */
static void put_inputs(const sweep *w, int depth, const char *verb, int k, text *out)
{
  for (int i = 0; i < w->inputs; i++) {
    const sweep_input *in = &w->input[i];
    tiler_access hull;
    if (in->how != BY_STATEMENT)
      continue;
    sweep_hull(w, k, in, &hull);
    if (hull.rank < 0)
      continue;
    bool asked = put_condition(w, depth, k, &hull, out);
    text_printf(out, "%*s%s %s[", 2 * (depth + asked), "", verb, w->s->g->array[in->array].name);
    for (int q = 0; q < hull.rank; q++) {
      tiler_words lo = { .n = 0 }, hi = { .n = 0 };
      text_add(out, q ? "," : "");
      form_end(w, k, &hull.at[q].lo, false, &lo);
      form_end(w, k, &hull.at[q].hi, true, &hi);
      if (hull.at[q].kind == CDAG_ALL)
        print_whole(in, q, out);
      else
        print_clipped(in, q, &lo, &hi, out);
    }
    text_add(out, "]\n");
    if (asked)
      text_printf(out, "%*s}\n", 2 * depth, "");
  }
}

/* The row of an input that comes, or goes, at step x: the newest and the oldest that is read then. */
static tiler_words input_row(const sweep *w, const sweep_input *in, bool newest)
{
  tiler_words row = { .base = newest ? in->hi[in->row] - 1 : in->lo[in->row] };
  if (in->how == BY_LEVEL)
    add_row(w, &row);
  else
    tiler_words_add_name(&row, "x", 1);
  if (in->how != BY_LEVEL && !newest) {
    tiler_words_add_name(&row, "len(T)", -w->slope[0]);
    row.base += w->slope[0];
  }
  return row;
}

/* Along an axis of the strip: what is read of that row, by one level or by all. */
static void print_input_axis(const sweep *w, const sweep_input *in, int q, const tiler_words *row, text *out)
{
  int axis = in->var[q] - 1;
  tiler_words end[2];
  for (int hi = 0; hi < 2; hi++) {
    char name[CDAG_NAME];
    end[hi] = (tiler_words){ .base = hi ? in->hi[q] - 1 : in->lo[q] };
    strip_end(axis, hi, name);
    tiler_words_add_name(&end[hi], name, 1);
    if (in->how == BY_LEVEL) {
      tiler_words_add_name(&end[hi], "t", -w->slope[axis]);
      tiler_words_add_name(&end[hi], "lo(T)", w->slope[axis]);
    } else if (!hi) {
      tiler_words_add_name(&end[hi], "len(T)", -w->slope[axis]);
      end[hi].base += w->slope[axis];
    }
    if (w->lean[axis])
      tiler_words_add(&end[hi], row, -w->lean[axis]);
  }
  print_clipped(in, q, &end[0], &end[1], out);
}

static void print_input_row(const sweep_input *in, int q, const tiler_words *row, text *out)
{
  tiler_words next = *row;
  next.base++;
  if (in->below[q] || in->above[q])
    print_clipped(in, q, row, &next, out);
  else
    tiler_words_print(out, row);
}

static void print_input_box(const sweep *w, const sweep_input *in, bool newest, text *out)
{
  tiler_words row = { .n = 0 };
  if (in->row >= 0)
    row = input_row(w, in, newest);
  text_printf(out, "%s[", w->s->g->array[in->array].name);
  for (int q = 0; q < w->s->g->array[in->array].rank; q++) {
    text_add(out, q ? "," : "");
    if (in->how == KEPT || in->var[q] == ALL_OF_IT)
      print_whole(in, q, out);
    else if (in->var[q] == NO_VARIABLE)
      text_printf(out, "%" PRId64 "..%" PRId64, in->lo[q], in->hi[q]);
    else if (in->var[q] == 0 && in->how == BY_STRIP) {
      print_level((level){ "lo(T)", in->lo[q] }, out);
      text_add(out, "..");
      print_level((level){ "hi(T)", in->hi[q] - 1 }, out);
    } else if (in->var[q] == 0)
      print_level((level){ "t", in->lo[q] }, out);
    else if (q == in->row)
      print_input_row(in, q, &row, out);
    else
      print_input_axis(w, in, q, &row, out);
  }
  text_add(out, "]\n");
}

/* Levels that alone read an input, as a condition on the level or on the block; nothing where all do. */
static void input_condition(const sweep *w, const sweep_input *in, text *out)
{
  tiler_words t = { .n = 0 };
  bool some = false, all = in->first <= w->least[0] && in->past >= w->most[0];
  if (all || in->how == KEPT)
    return;
  if (in->how == BY_LEVEL) {
    tiler_words_add_name(&t, "t", 1);
    put_between(&t, in->first, in->past, w->least[0], w->most[0], &some, out);
    return;
  }
  if (in->past < w->most[0])
    text_printf(out, "if lo(T) < %" PRId64, in->past);
  if (in->first > w->least[0])
    text_printf(out, "%s hi(T) > %" PRId64, in->past < w->most[0] ? " &&" : "if", in->first);
}

/* Inputs under one condition stand together where they follow one another. */
static void put_moving(const sweep *w, int depth, sweep_coming how, bool load, text *out)
{
  text asked = { 0 };
  for (int i = 0; i <= w->inputs; i++) {
    const sweep_input *in = i < w->inputs ? &w->input[i] : NULL;
    text condition = { 0 };
    if (in && in->how != how)
      continue;
    if (in)
      input_condition(w, in, &condition);
    if (strcmp(text_str(&condition), text_str(&asked)) != 0) {
      if (asked.n)
        text_printf(out, "%*s}\n", 2 * depth, "");
      if (condition.n)
        text_printf(out, "%*s%s {\n", 2 * depth, "", text_str(&condition));
    }
    text_clear(&asked);
    asked = condition;
    if (!in)
      break;
    text_printf(out, "%*s%s ", 2 * (depth + (asked.n > 0)), "", load ? "load" : "drop");
    print_input_box(w, in, load, out);
  }
  text_clear(&asked);
}

/* Rows come as the newest and go as the oldest: steps enough for all to come, and to go. */
static void input_steps(const sweep *w, int64_t *first, int64_t *last)
{
  for (int i = 0; i < w->inputs; i++) {
    const sweep_input *in = &w->input[i];
    if (in->how != BY_ROW && in->how != BY_LEVEL)
      continue;
    *first = num_min(*first, in->box.lo[in->row] - in->hi[in->row] + 1);
    *last = num_max(*last, in->box.hi[in->row] - in->lo[in->row]);
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

/* Is a level stored whole: one that the next block reads, or one with outputs?  Or is it not. */
static void ask_whole(const sweep *w, int depth, int k, bool whole, text *out)
{
  int64_t outputs = w->most[0] - w->out[k];
  const char *compare = whole ? ">=" : "<";
  text_printf(out, "%*sif ", 2 * depth, "");
  if (w->brought[k] && w->out[k] > w->brought[k])
    text_printf(out, "(t %s hi(T) - %" PRId64 ") %c (t %s %" PRId64 ")", compare, w->brought[k], whole ? '+' : '*',
                compare, outputs);
  else if (w->brought[k])
    text_printf(out, "t %s hi(T) - %" PRId64, compare, w->brought[k]);
  else
    text_printf(out, "t %s %" PRId64, compare, outputs);
  text_add(out, " {\n");
}

static int64_t whole_levels(const sweep *w, int k) { return num_max(w->brought[k], w->out[k]); }

/* At the last block outputs alone are stored, of a row that is one element. */
static bool ask_wanted(const sweep *w, int depth, int k, text *out)
{
  const int64_t *wanted = w->wanted[k];
  bool none = wanted[0] >= wanted[1];
  if (w->axes > 1 || w->flat || w->all_out[k] || w->out[k] > w->brought[k] || wanted[0] == INT64_MIN)
    return false;
  text_printf(out, none ? "%*sif hi(T) < %" PRId64 : "%*sif (hi(T) < %" PRId64 ")", 2 * depth, "", w->most[0]);
  for (int end = 0; end < 2 && !none; end++) {
    tiler_words row = { .base = -w->lag[k][0] };
    add_row(w, &row);
    text_add(out, end ? " * (" : " + (");
    tiler_words_print(out, &row);
    text_printf(out, end ? " < %" PRId64 ")" : " >= %" PRId64 ")", wanted[end]);
  }
  text_add(out, " {\n");
  return true;
}

/* Levels that are stored whole; those that nothing in the block reads go at once. */
static void put_whole(const sweep *w, int depth, int k, text *out)
{
  bool asked = ask_wanted(w, depth, k, out);
  put(w, depth + asked, "store", k, (level){ "t", 0 }, 0, own, out);
  if (asked)
    text_printf(out, "%*s}\n", 2 * depth, "");
  if (!w->near[k])
    return;
  bool some = w->all_out[k] || w->near[k] < whole_levels(w, k);
  if (some)
    text_printf(out, "%*sif t >= hi(T) - %" PRId64 " {\n", 2 * depth, "", w->near[k]);
  put(w, depth + some, "drop", k, (level){ "t", 0 }, 0, own, out);
  if (some)
    text_printf(out, "%*s}\n", 2 * depth, "");
}

/* Outputs of the last levels alone leave; what nothing in the last one reads goes. */
static void put_last(const sweep *w, int depth, int k, text *out)
{
  if (!w->out[k])
    return;
  text_printf(out, "%*sif t >= %" PRId64 " {\n", 2 * depth, "", w->most[0] - w->out[k]);
  put(w, depth + 1, "store", k, (level){ "t", 0 }, 0, own, out);
  if (w->near[k] && w->out[k] == 1)
    put(w, depth + 1, "drop", k, (level){ "t", 0 }, 0, own, out);
  text_printf(out, "%*s}\n", 2 * depth, "");
}

static void put_stores(const sweep *w, int depth, int k, text *out)
{
  bool sides = has_sides(w, k);
  if (w->resident) {
    if (w->all_out[k])
      put(w, depth, "store", k, (level){ "t", 0 }, 0, own, out);
    else
      put_last(w, depth, k, out);
    return;
  }
  if (w->all_out[k]) {
    put_whole(w, depth, k, out);
    return;
  }
  bool some = whole_levels(w, k) > 0;
  if (some) {
    ask_whole(w, depth, k, true, out);
    put_whole(w, depth + 1, k, out);
    text_printf(out, "%*s}", 2 * depth, "");
    text_add(out, sides ? " else {\n" : "\n");
  }
  if (!sides)
    return;
  put_sides(w, depth + some, false, k, out);
  if (some)
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
  int64_t late = w->near[k], stays = whole_levels(w, k);
  if (!has_sides(w, k))
    return;
  if (late)
    text_printf(out, "%*sif t < hi(T) - %" PRId64 " {\n", 2 * depth, "", late);
  put_sides(w, depth + (late > 0), true, k, out);
  if (stays > late && !w->all_out[k])
    ask_whole(w, depth + (late > 0), k, false, out);
  if (!w->all_out[k])
    put_erase(w, depth + (late > 0) + (stays > late), k, out);
  if (stays > late && !w->all_out[k])
    text_printf(out, "%*s}\n", 2 * (depth + (late > 0)), "");
  if (late)
    text_printf(out, "%*s}\n", 2 * depth, "");
}

static void put_level(const sweep *w, int depth, int k, text *out)
{
  if (!w->resident)
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

/* Levels before the first are inputs of the same array. */
static void put_first(const sweep *w, int depth, int k, int64_t e, text *out)
{
  if (!w->s->g->array[w->stmt[k]].declared_input)
    return;
  text_printf(out, "%*sif lo(T) <= %" PRId64 " {\n", 2 * depth, "", w->least[0]);
  put(w, depth + 1, "load", k, (level){ "lo(T)", -e }, 0, with_left, out);
  text_printf(out, "%*s}\n", 2 * depth, "");
}

static void put_step(const sweep *w, int depth, text *out)
{
  static const part done[AXES] = { DONE, DONE, DONE };
  put_moving(w, depth, BY_ROW, true, out);
  for (int k = 0; k < w->n; k++)
    for (int64_t e = w->brought[k]; e > 0; e--) {
      if (w->resident) {
        put_first(w, depth, k, e, out);
        continue;
      }
      put(w, depth, "load", k, (level){ "lo(T)", -e }, 0, with_left, out);
      if (!w->all_out[k])
        put(w, depth, "erase", k, (level){ "lo(T)", -e }, 0, done, out);
    }
  if (!w->flat)
    text_printf(out, "%*sfor t in T {\n", 2 * depth, "");
  put_moving(w, depth + !w->flat, BY_LEVEL, true, out);
  for (int k = 0; k < w->n; k++)
    put_level(w, depth + !w->flat, k, out);
  put_moving(w, depth + !w->flat, BY_LEVEL, false, out);
  if (!w->flat)
    text_printf(out, "%*s}\n", 2 * depth, "");
  /* whose last reader would stand in the next block, or stood in the one before */
  for (int k = 0; k < w->n && !w->resident; k++) {
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
  int depth = w->flat ? 0 : 1;
  int64_t first = w->least[1], last = w->most[1];
  put_moving(w, 0, KEPT, true, out);
  if (!w->flat)
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

static void put_lengths(const sweep *w, text *out)
{
  if (!w->flat)
    text_printf(out, "param a = %" PRId64 "\n", w->levels);
  for (int q = 1; q < w->axes; q++)
    text_printf(out, "param %s = %" PRId64 "\n", length[q], w->width[q]);
}

void sweep_print(const sweep *w, text *out)
{
  text body = { 0 };
  text_printf(out, "# %s\n",
              w->tilted     ? "Strips lean along both axes and time; in each a level takes the place of the one before."
              : w->flat     ? "In each strip one axis is swept once, array behind array."
              : w->resident ? "Level by level, each in the place of the one before."
                            : "Blocks of time levels; in each strip the first axis is swept once, level behind level.");
  tiler_print_title(w->s->g, "sweep", out);
  if (w->tilted) {
    text_printf(&body, "param a = %" PRId64 "\nparam b = %" PRId64 "\n", w->tilt.a, w->tilt.b);
    if (w->tilt.upright)
      text_printf(&body, "param c = %" PRId64 "\n", sweep_rows_at_once(2 * w->tilt.b));
    put_moving(w, 0, KEPT, true, &body);
    sweep_print_tilt(w, &body);
    put_moving(w, 0, KEPT, false, &body);
  } else {
    put_lengths(w, &body);
    put_loops(w, &body);
  }
  print_renamed(w->s->g, text_str(&body), out);
  text_clear(&body);
}
