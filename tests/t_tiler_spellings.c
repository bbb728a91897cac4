/* One stencil in many spellings is one schedule: the first level in an input of its own, under a condition or in the
   array itself; borders in arrays of their own, in one, or in the input that holds the first level; taps listed or as
   ranges; the level as the first index or the last, from any number on; outputs as `*` or as ranges; a loop nest in
   C. */
#include "base/mem.h"
#include "cdag/import/import.h"
#include "schedules/tiler/sweeps/sweep.h"
#include "tests/support_found.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WAYS = 7 };
typedef struct { int by[2]; } tap;
typedef struct {
  int axes, n, levels, taps;   /* n points and a border around them; taps[0..taps) */
  bool turns, in_place;        /* two arrays that read one another; an array that reads its own level */
  tap tap[9];
} stencil;

typedef enum { FIRST_INDEX, FIRST_CONDITION, FIRST_OWN, FIRSTS } first_level;
typedef enum { SIDES, ONE_BORDER, WITH_FIRST, BORDERS } border;
typedef struct {
  first_level first;
  border border;
  bool level_last, ranges, constants, either; /* either: `if t == 0 || i == 1` */
  int from, outputs;           /* the first level's number; how outputs are said */
  const char *level, *axis[2];
} spelling;

/* ---- which stencil ---- */

static bool is_ahead(const tap *p) { return p->by[0] < 0 || (p->by[0] == 0 && p->by[1] < 0); }

/* All neighbours, those along an axis, or some; those along the first axis always. */
static void draw(support_random *r, stencil *c)
{
  int kind = (int)support_between(r, 0, 2);
  *c = (stencil){ .axes = (int)support_between(r, 1, 2), .turns = support_between(r, 0, 1) };
  c->in_place = !c->turns && support_between(r, 0, 2) == 0;
  c->n = (int)(c->axes == 1 ? support_between(r, 400, 800) : support_between(r, 100, 160));
  c->levels = (int)support_between(r, 20, 40);
  for (int d = 0; d < (c->axes == 1 ? 3 : 9); d++) {
    tap p = { { d % 3 - 1, c->axes == 1 ? 0 : d / 3 - 1 } };
    int far = (p.by[0] != 0) + (p.by[1] != 0);
    bool always = far == 0 || (p.by[0] && far == 1) || kind == 0 || (kind == 1 && far == 1);
    if (always || (kind == 2 && support_between(r, 0, 1)))
      c->tap[c->taps++] = p;
  }
}

static spelling spell(support_random *r, const stencil *c, int way)
{
  static const char *const levels[] = { "t", "s", "step" };
  static const char *const first[] = { "i", "x", "row" }, *const second[] = { "j", "y", "col" };
  int names = (int)support_between(r, 0, 2);
  spelling s = { .first = way % FIRSTS, .border = way / FIRSTS % BORDERS };
  s.first = way < 3 ? s.first : (first_level)support_between(r, 0, FIRSTS - 1);
  s.border = way == 0 ? SIDES : (border)support_between(r, 0, BORDERS - 1);
  s.border = s.border == WITH_FIRST && s.first != FIRST_CONDITION ? ONE_BORDER : s.border;
  s.level_last = way && support_between(r, 0, 2) == 0 && !c->in_place;
  s.ranges = way && support_between(r, 0, 1);
  s.constants = way && support_between(r, 0, 1);
  s.either = s.border == WITH_FIRST && support_between(r, 0, 1);
  s.from = way && s.first != FIRST_INDEX ? (int)support_between(r, 0, 5) : 0;
  s.outputs = way ? (int)support_between(r, 0, 2) : 0;
  s.level = levels[names];
  s.axis[0] = first[names];
  s.axis[1] = second[names];
  return s;
}

/* ---- the text ---- */

/* "i-1" or, of a level, "t-1" */
static void put_by(text *t, const char *name, int by)
{
  text_add(t, name);
  if (by)
    text_printf(t, "%+d", by);
}

/* An array's indices, level (if it is not NULL) and axes in the spelling's order. */
static void put_indices(text *t, const stencil *c, const spelling *s, const char *level, const char *const *axis)
{
  text_char(t, '[');
  if (level && !s->level_last)
    text_printf(t, "%s, ", level);
  text_printf(t, c->axes == 1 ? "%s" : "%s, %s", axis[0], c->axes == 1 ? "" : axis[1]);
  if (level && s->level_last)
    text_printf(t, ", %s", level);
  text_char(t, ']');
}

/* ARRAY[level + back, taps]; level NULL: without. */
static void put_read(text *t, const stencil *c, const spelling *s, const char *array, const char *level, int back,
                     const tap *p)
{
  text at[3] = { { 0 }, { 0 }, { 0 } };
  for (int q = 0; q < c->axes; q++)
    put_by(&at[q], s->axis[q], p->by[q]);
  if (level)
    put_by(&at[2], level, back);
  text_printf(t, ", %s", array);
  put_indices(t, c, s, level ? text_str(&at[2]) : NULL, (const char *[]){ text_str(&at[0]), text_str(&at[1]) });
  for (int q = 0; q < 3; q++)
    text_clear(&at[q]);
}

/* The words around the points that this tap names: in one array, where a condition says that it leaves the points, or
   in one for each side. */
static void put_border(text *t, const stencil *c, const spelling *s, const char *array, const tap *p)
{
  static const char *const sides[2][2] = { { "n", "s" }, { "w", "e" } };
  for (int q = 0; q < c->axes; q++) {
    if (p->by[q] == 0)
      continue;
    char name[16];
    bool after = p->by[q] > 0;
    snprintf(name, sizeof name, "%s%s", array, s->border == SIDES ? sides[q][after] : "");
    if (s->constants && s->border != SIDES && c->axes == 1)
      text_printf(t, ", %s[%s]", name, after ? "n+1" : "0");
    else
      put_read(t, c, s, name, NULL, 0, p);
    if (s->border != SIDES)
      text_printf(t, " if %s == %s", s->axis[q], after ? "n" : "1");
  }
}

static const char *first_name(const spelling *s) { return s->border == WITH_FIRST ? "BA" : "S"; }

/* Do the taps fill their hull, and all are of the level before? */
static bool is_window(const stencil *c) { return !c->in_place && c->taps == (c->axes == 1 ? 3 : 9); }

/* What an array reads: of `from`, so many levels back. */
static void put_reads(text *t, const stencil *c, const spelling *s, const char *from, int back)
{
  text all = { 0 };
  char border_name[8];
  snprintf(border_name, sizeof border_name, "B%s", from);
  bool window = s->ranges && is_window(c);
  if (window) {
    text at[3] = { { 0 }, { 0 }, { 0 } };
    for (int q = 0; q < c->axes; q++)
      text_printf(&at[q], "%s-1..%s+2", s->axis[q], s->axis[q]);
    put_by(&at[2], s->level, -back);
    text_printf(&all, ", %s", from);
    put_indices(&all, c, s, text_str(&at[2]), (const char *[]){ text_str(&at[0]), text_str(&at[1]) });
    for (int q = 0; q < 3; q++)
      text_clear(&at[q]);
  }
  for (int i = 0; i < c->taps; i++) {
    const tap *p = &c->tap[i];
    bool own = c->in_place && is_ahead(p);
    if (!window)
      put_read(&all, c, s, from, s->level, own ? 0 : -back, p);
    bool first = !own && back && s->first != FIRST_OWN;
    if (!first || !s->either)
      put_border(&all, c, s, border_name, p);
    if (!first)
      continue;
    put_read(&all, c, s, first_name(s), s->first == FIRST_INDEX ? s->level : NULL, 0, p);
    if (s->first == FIRST_CONDITION)
      text_printf(&all, " if %s == %d", s->level, s->from);
    for (int q = 0; q < c->axes && s->either; q++)
      if (p->by[q])
        text_printf(&all, " || %s == %s", s->axis[q], p->by[q] > 0 ? "n" : "1");
  }
  text_add(t, text_str(&all) + 2);
  text_clear(&all);
}

static void put_domain(text *t, const stencil *c, const spelling *s, const char *array, int from, int levels)
{
  text at[3] = { { 0 }, { 0 }, { 0 } };
  for (int q = 0; q < c->axes; q++)
    text_printf(&at[q], "%s:1..n+1", s->axis[q]);
  text_printf(&at[2], "%s:%d..%d", s->level, from, from + levels);
  text_add(t, array);
  put_indices(t, c, s, levels ? text_str(&at[2]) : NULL, (const char *[]){ text_str(&at[0]), text_str(&at[1]) });
  for (int q = 0; q < 3; q++)
    text_clear(&at[q]);
}

static void put_inputs(text *t, const stencil *c, const spelling *s)
{
  for (int k = 0; k < 1 + c->turns; k++) {
    char name = (char)('A' + k);
    if (s->border != SIDES)
      text_printf(t, c->axes == 1 ? "input B%c[n+2]\n" : "input B%c[n+2, n+2]\n", name);
    else
      text_printf(t,
                  c->axes == 1 ? "input B%cn[0..1], B%cs[n+1..n+2]\n" : "input B%cn[0..1, n+2], B%cs[n+1..n+2, n+2]\n",
                  name, name);
    if (s->border == SIDES && c->axes > 1)
      text_printf(t, "input B%cw[1..n+1, 0..1], B%ce[1..n+1, n+1..n+2]\n", name, name);
  }
  if (s->first == FIRST_OWN) {
    text_add(t, "input ");
    put_domain(t, c, s, "A", s->from - 1, 1);
    text_char(t, '\n');
  } else if (s->border != WITH_FIRST) {
    text_add(t, "input ");
    put_domain(t, c, s, "S", 0, s->first == FIRST_INDEX);
    text_char(t, '\n');
  }
}

static void put_outputs(text *t, const stencil *c, const spelling *s)
{
  static const char *const all[] = { "*", "*" }, *const ends[] = { "1..n+1", "1..n+1" };
  char last[40];
  int level = s->from + c->levels - 1;
  snprintf(last, sizeof last, s->outputs == 2 ? "%s:%d..%d" : "%.0s%d", s->level, level, level + 1);
  for (int k = 0; k < 1 + c->turns; k++) {
    text_printf(t, "output %c", 'A' + k);
    put_indices(t, c, s, last, s->outputs == 0 ? all : ends);
    text_char(t, '\n');
  }
}

static void put_text(text *t, const stencil *c, const spelling *s)
{
  text_printf(t, "param n = %d\n", c->n);
  put_inputs(t, c, s);
  if (c->turns) {
    put_domain(t, c, s, "B", s->from, c->levels);
    text_add(t, " = ");
    put_reads(t, c, s, "A", 1);
    text_char(t, '\n');
  }
  put_domain(t, c, s, "A", s->from, c->levels);
  text_add(t, " = ");
  put_reads(t, c, s, c->turns ? "B" : "A", !c->turns);
  text_char(t, '\n');
  put_outputs(t, c, s);
}

/* ---- as a loop nest ---- */

static void put_assignment(text *t, const stencil *c, const char *to, const char *from)
{
  const char *at = c->axes == 1 ? "[i]" : "[i][j]";
  text_add(t, "    for (int i = 1; i <= n; i++)\n");
  text_printf(t, "%s      %s%s = ", c->axes == 1 ? "" : "      for (int j = 1; j <= n; j++)\n", to, at);
  for (int i = 0; i < c->taps; i++) {
    text_printf(t, "%s%s[i%+d]", i ? " + " : "", from, c->tap[i].by[0]);
    if (c->axes > 1)
      text_printf(t, "[j%+d]", c->tap[i].by[1]);
  }
  text_add(t, ";\n");
}

/* Arrays that do not take turns are copied back. */
static void put_nest(text *t, const stencil *c)
{
  const char *size = c->axes == 1 ? "[n+2]" : "[n+2][n+2]";
  text_printf(t, "void f(int n, double A%s, double B%s) {\n#pragma scop\n", size, size);
  text_printf(t, "  for (int t = 0; t < %d; t++) {\n", c->levels);
  put_assignment(t, c, c->in_place ? "A" : "B", "A");
  if (c->turns)
    put_assignment(t, c, "A", "B");
  else if (!c->in_place)
    text_printf(t, "    for (int i = 1; i <= n; i++)\n%s", c->axes == 1 ? "      A[i] = B[i];\n"
                : "      for (int j = 1; j <= n; j++)\n        A[i][j] = B[i][j];\n");
  text_add(t, "  }\n#pragma endscop\n}\n");
}

static void read_nest(const stencil *c, text *out)
{
  text source = { 0 };
  diag d = { 0 };
  cdag *like;
  char size[16];
  put_nest(&source, c);
  snprintf(size, sizeof size, "n=%d", c->n);
  ck_assert_msg(cdag_import_c("f.c", text_str(&source), NULL, out, &d) == OK, "%s\n%s", d.message, text_str(&source));
  ck_assert_msg(cdag_parse(&like, "f", text_str(out), size, &d) == OK, "%s\n%s", d.message, text_str(out));
  text_clear(out);
  ck_assert_int_eq(cdag_import_c("f.c", text_str(&source), like, out, &d), OK);
  cdag_free(like);
  text_clear(&source);
}

/* ---- the property ---- */

static cdag *open_text(const text *source, int n)
{
  cdag *g;
  diag d = { 0 };
  char size[16];
  snprintf(size, sizeof size, "n=%d", n);
  ck_assert_msg(cdag_parse(&g, "spelled", text_str(source), size, &d) == OK, "line %d: %s\n%s", d.line, d.message,
                text_str(source));
  return g;
}

/* Spelling number `way`. */
static cdag *open_spelling(support_random *r, const stencil *c, int way, text *source)
{
  spelling s = spell(r, c, way);
  if (way == WAYS - 1)
    read_nest(c, source);
  else
    put_text(source, c, &s);
  return open_text(source, c->n);
}

/* How large it is with few points. */
static cdag_counts size_of(const text *source)
{
  cdag *small = open_text(source, 9);
  cdag_counts count;
  ck_assert_int_eq(cdag_count(small, &count, NULL), OK);
  cdag_free(small);
  return count;
}

/* Small ones, in which borders are most of what there is: no sweep is refused but for its height, and both engines say
   the same of what is found. */
START_TEST(small_stencils)
{
  support_random r = { (uint64_t)_i };
  stencil c;
  text source = { 0 };
  draw(&r, &c);
  c.n = (int)support_between(&r, 3, c.axes == 1 ? 30 : 12);
  pebble_rules rules = { .m = (uint64_t)support_between(&r, c.axes == 1 ? 16 : 60, c.axes == 1 ? 40 : 150) };
  cdag *g = open_spelling(&r, &c, (int)support_between(&r, 0, WAYS - 1), &source);
  support_check_small(g, &rules, _i, text_str(&source));
  text_clear(&source);
  cdag_free(g);
}
END_TEST

static bool make_sweep(const tiler_shape *s, double promised, const void *context, text *out)
{
  return tiler_sweep(s, promised, *(const sweep_way *)context, out);
}

static tiler_verdict sweep_play(const cdag *g, uint64_t m, sweep_way way, int seed, const char *source)
{
  return support_play_made(g, m, make_sweep, &way, seed, source);
}

/* A level and a half fit, and what is read beside them: nothing is stored but the last level. */
START_TEST(levels_that_fit)
{
  support_random r = { (uint64_t)_i };
  stencil c;
  text source = { 0 };
  draw(&r, &c);
  c.n = (int)support_between(&r, c.axes == 1 ? 40 : 20, c.axes == 1 ? 80 : 30);
  uint64_t level = (uint64_t)(c.axes == 1 ? c.n : c.n * c.n);
  cdag *g = open_spelling(&r, &c, (int)support_between(&r, 0, WAYS - 1), &source);
  cdag_counts count;
  ck_assert_int_eq(cdag_count(g, &count, NULL), OK);
  uint64_t m = level + level / 2 + count.inputs + 40;
  tiler_verdict v = sweep_play(g, m, SWEEP_RESIDENT, _i, text_str(&source));
  ck_assert_msg(v.stores == count.outputs, "seed %d: %s stores\n%s", _i, num_digits(v.stores).s, text_str(&source));
  text_clear(&source);
  cdag_free(g);
}
END_TEST

START_TEST(stencils_in_many_spellings)
{
  support_random r = { (uint64_t)_i };
  stencil c;
  num_count least = NUM_TOO_MANY, most = 0;
  cdag_counts one = { 0 };
  text first = { 0 };
  draw(&r, &c);
  uint64_t m = (uint64_t)(c.axes == 1 ? support_between(&r, 50, 200) : support_between(&r, 1000, 3000));
  for (int way = 0; way < WAYS; way++) {
    text source = { 0 };
    cdag *g = open_spelling(&r, &c, way, &source);
    cdag_counts count = size_of(&source);
    tiler_verdict v = sweep_play(g, m, SWEEP_HURRIED, _i, text_str(&source));
    num_count io = num_plus(v.loads, v.stores);
    if (way == 0) {
      one = count;
      text_add(&first, text_str(&source));
    }
    ck_assert_msg(count.edges == one.edges && count.outputs == one.outputs, "seed %d: another computation\n%s%s", _i,
                  text_str(&first), text_str(&source));
    least = io < least ? io : least;
    most = io > most ? io : most;
    ck_assert_msg((double)most <= 1.02 * (double)least, "seed %d, M = %d: %s words, or %s\n%s\n%s", _i, (int)m,
                  num_digits(most).s, num_digits(least).s, text_str(&first), text_str(&source));
    text_clear(&source);
    cdag_free(g);
  }
  text_clear(&first);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tiler_spellings");
  TCase *t = support_case(s, "spellings");
  tcase_add_loop_test(t, small_stencils, 0, support_rounds(12));
  tcase_add_loop_test(t, levels_that_fit, 0, support_rounds(8));
  tcase_add_loop_test(t, stencils_in_many_spellings, 0, support_rounds(3));
  return support_run(s);
}
