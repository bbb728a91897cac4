/* Stencils computed once (docs/theory.md, section 9): sets that no path leaves and comes back to, against the disjoint
   paths that enter them and those that leave them, which flows count on a line; that hexagons and roofs come near what
   is allowed; and in the plane against the lines that the proof sees in each of its planes. */
#include "bounds/geometry/lines.h"
#include "tests/support.h"
#include "tests/support_flow.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points level by level, level 0 the inputs.  Counted are those of levels 1 .. LEVELS with ROOM columns on either side.
 */
enum { LEVELS = 8, ROOM = LEVELS + 1, INNER = 16, WIDTH = INNER + 2 * ROOM, POINTS = (LEVELS + 1) * WIDTH };

static uint32_t at(int level, int x) { return (uint32_t)(level * WIDTH + x); }

/* ---- the most disjoint paths between a set and a level, each vertex on one of them ---- */

static uint64_t paths(const bool *in, int step, int goal)
{
  support_flow f = support_flow_new(POINTS);
  for (int level = 0; level <= LEVELS; level++)
    for (int x = 0; x < WIDTH; x++) {
      uint32_t p = at(level, x);
      support_flow_through(&f, p, 1);
      if (in[p])
        support_flow_arc(&f, f.source, support_flow_in(p));
      if (level == goal)
        support_flow_arc(&f, support_flow_out(p), f.target);
      for (int y = x - 1; level != goal && y <= x + 1; y++)
        if (y >= 0 && y < WIDTH)
          support_flow_arc(&f, support_flow_out(p), support_flow_in(at(level + step, y)));
    }
  return support_flow_most(&f);
}

static int64_t most_of(lines_way way, uint64_t lines)
{
  mpz_t x, most;
  mpz_init_set_ui(x, lines);
  mpz_init(most);
  bound_lines_once(way, x, most);
  int64_t value = mpz_get_si(most);
  mpz_clears(x, most, NULL);
  return value;
}

/* ---- the lines that the proof sees ---- */

enum { SIDE = 40 };
typedef struct { int width, low[SIDE], n[SIDE]; } section;  /* of each column the lowest level, and how many */

static int at_most(int a, int b) { return a < b ? a : b; }

static int highest(const section *s)
{
  int p = 0;
  for (int j = 1; j < s->width; j++)
    p = s->n[j] > s->n[p] ? j : p;
  return p;
}

static int height(const section *s, int j) { return j < 0 || j >= s->width ? 0 : s->n[j]; }
static bool is_thin(const section *s, int j, int before)
{
  return height(s, j) == 1 && height(s, before) == 1 && s->low[j] != s->low[before];
}

/* Lines that a column adds on the side where `before` is. */
static int lines_of_column(const section *s, int j, int before)
{
  if (height(s, j) == 0)
    return 0;
  return height(s, before) == 0 ? 2 * s->n[j] : 2 + s->n[j] - s->n[before] - is_thin(s, j, before);
}

/* Cut beside a highest column, on a side where there are others. */
static int lines_of_core(const section *s, int p)
{
  int lines = 0, cut = height(s, p + 1) > 0 ? p + 1 : p;
  for (int j = 0; j < s->width; j++)
    lines += lines_of_column(s, j, j < cut ? j - 1 : j + 1);
  return lines;
}

/* Highest columns by themselves away, with two lines for each vertex: how many lines those are. */
static int take_single_columns(section *s)
{
  int lines = 0;
  for (int p = highest(s); s->n[p] > 2 && height(s, p - 1) == 0 && height(s, p + 1) == 0; p = highest(s)) {
    lines += 2 * s->n[p];
    s->n[p] = 0;
  }
  return lines;
}

static int lines_of(section s)
{
  int single = take_single_columns(&s), p = highest(&s);
  return single + (s.n[p] ? lines_of_core(&s, p) : 0);
}

/* Few columns are high. */
static void heights_fall(const section *whole)
{
  section s = *whole;
  take_single_columns(&s);
  int most = s.n[highest(&s)], lines = most ? lines_of_core(&s, highest(&s)) : 0;
  for (int h = 2; h <= most; h++) {
    int columns = 0;
    for (int j = 0; j < s.width; j++)
      columns += s.n[j] >= h;
    ck_assert_int_le(2 * columns, lines + 6 - 2 * most - 2 * h);
  }
}

/* ---- sets ---- */

typedef struct { int level, x; } point;

static bool above(int level, int x, point p) { return level >= p.level && abs(x - p.x) <= level - p.level; }
static bool below(int level, int x, point p) { return level <= p.level && abs(x - p.x) <= p.level - level; }

/* All that lies between some of these points and some of those. */
static int between(const point *low, const point *high, int n, bool *in)
{
  int count = 0;
  memset(in, 0, POINTS * sizeof *in);
  for (int level = 1; level <= LEVELS; level++)
    for (int x = ROOM; x < ROOM + INNER; x++) {
      bool up = false, down = false;
      for (int i = 0; i < n; i++) {
        up |= above(level, x, low[i]);
        down |= below(level, x, high[i]);
      }
      in[at(level, x)] = up && down;
      count += up && down;
    }
  return count;
}

static point some_point(support_random *r)
{
  return (point){ (int)support_between(r, 1, LEVELS), ROOM + (int)support_between(r, 0, INNER - 1) };
}

static section section_of(const bool *in)
{
  section s = { .width = INNER };
  for (int x = 0; x < INNER; x++)
    for (int level = LEVELS; level > 0; level--)
      if (in[at(level, ROOM + x)]) {
        s.n[x]++;
        s.low[x] = level;
      }
  return s;
}

START_TEST(no_set_is_more)
{
  support_random r = { (uint64_t)_i };
  point low[6], high[6];
  bool in[POINTS];
  int n = (int)support_between(&r, 1, 6);
  for (int i = 0; i < n; i++) {
    low[i] = some_point(&r);
    high[i] = support_between(&r, 0, 1) ? low[i] : some_point(&r);
  }
  int count = between(low, high, n, in);
  uint64_t all = paths(in, -1, 0) + paths(in, 1, LEVELS);
  ck_assert_msg(count <= most_of(LINES_BOTH, all), "seed %d: %d points, allowed %ld", _i, count,
                (long)most_of(LINES_BOTH, all));
  section s = section_of(in);
  ck_assert_msg((uint64_t)lines_of(s) <= all, "seed %d: %d lines seen, %lu there are", _i, lines_of(s),
                (unsigned long)all);
  heights_fall(&s);
}
END_TEST

/* Twice as wide as high, its sides rising one level a column: at least four fifths of what is allowed. */
START_TEST(hexagons_are_nearly_the_most)
{
  point low[INNER], high[INNER];
  bool in[POINTS];
  for (int i = 0; i < INNER; i++) {
    int side = i < INNER - 1 - i ? i : INNER - 1 - i, rise = side < LEVELS / 2 ? side : LEVELS / 2 - 1;
    low[i] = (point){ LEVELS / 2 - rise, ROOM + i };
    high[i] = (point){ LEVELS / 2 + 1 + rise, ROOM + i };
  }
  int count = between(low, high, INNER, in);
  int64_t most = most_of(LINES_BOTH, paths(in, -1, 0) + paths(in, 1, LEVELS));
  ck_assert_int_le(count, most);
  ck_assert_int_ge(5 * count, 4 * most);
}
END_TEST

/* ---- in the plane ---- */

enum { MOST = 8 };
typedef struct { int level, x, y; } spot;
typedef struct {
  int side, spots;
  spot low[MOST], high[MOST];
  int n[SIDE][SIDE], from[SIDE][SIDE], count;
} body;

static int distance(spot p, int x, int y) { return abs(p.x - x) + abs(p.y - y); }

/* What lies between some of the low spots and some of the high ones. */
static void fill_body(body *b)
{
  b->count = 0;
  for (int x = 0; x < b->side; x++)
    for (int y = 0; y < b->side; y++) {
      int low = INT_MAX, high = -INT_MAX;
      for (int i = 0; i < b->spots; i++) {
        low = at_most(low, b->low[i].level + distance(b->low[i], x, y));
        high = -at_most(-high, -(b->high[i].level - distance(b->high[i], x, y)));
      }
      b->from[x][y] = low;
      b->n[x][y] = high >= low ? high - low + 1 : 0;
      b->count += b->n[x][y];
    }
}

/* Of all planes of one direction. */
static int lines_of_planes(const body *b, bool along_x)
{
  int lines = 0;
  for (int at = 0; at < b->side; at++) {
    section s = { .width = b->side };
    for (int j = 0; j < b->side; j++) {
      s.n[j] = along_x ? b->n[j][at] : b->n[at][j];
      s.low[j] = along_x ? b->from[j][at] : b->from[at][j];
    }
    lines += lines_of(s);
    heights_fall(&s);
  }
  return lines;
}

static int64_t allowed_body(const body *b)
{
  int lines = lines_of_planes(b, true), across = lines_of_planes(b, false);
  return most_of(LINES_INSIDE, (uint64_t)(lines > across ? lines : across));
}

static spot some_spot(const body *b, support_random *r)
{
  return (spot){ (int)support_between(r, -b->side, b->side), (int)support_between(r, 0, b->side - 1),
                 (int)support_between(r, 0, b->side - 1) };
}

/* Bodies at random, made fuller of what is allowed step by step. */
START_TEST(no_body_is_more)
{
  support_random r = { (uint64_t)_i };
  body b = { .side = (int)support_between(&r, 1, 24), .spots = (int)support_between(&r, 1, MOST) };
  double best = -1;
  for (int i = 0; i < b.spots; i++) {
    b.low[i] = some_spot(&b, &r);
    b.high[i] = some_spot(&b, &r);
  }
  for (int step = 0; step < 150; step++) {
    spot *moved = (support_between(&r, 0, 1) ? b.low : b.high) + support_between(&r, 0, b.spots - 1), old = *moved;
    *moved = some_spot(&b, &r);
    fill_body(&b);
    int64_t most = allowed_body(&b);
    ck_assert_msg(b.count <= most, "seed %d: %d points, allowed %ld", _i, b.count, (long)most);
    double share = b.count / (most + 1.0);
    if (share < best)
      *moved = old;
    best = fmax(best, share);
  }
}
END_TEST

/* Two roofs base to base: more than half of what is allowed, the part in X included. */
START_TEST(roofs_are_nearly_the_most)
{
  body b = { .side = SIDE };
  for (int x = 0; x < SIDE; x++)
    for (int y = 0; y < SIDE; y++) {
      int i = at_most(x, SIDE - 1 - x), j = at_most(y, SIDE - 1 - y), half = at_most(at_most(i, j) + 1, SIDE / 3);
      b.n[x][y] = 2 * half;
      b.from[x][y] = -half;
      b.count += b.n[x][y];
    }
  int64_t most = allowed_body(&b);
  ck_assert_int_le(b.count, most);
  ck_assert_int_gt(2 * b.count, most);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("lines_once");
  TCase *c = support_case(s, "lemma");
  tcase_add_loop_test(c, no_set_is_more, 0, support_rounds(300));
  tcase_add_test(c, hexagons_are_nearly_the_most);
  tcase_add_loop_test(c, no_body_is_more, 0, support_rounds(100));
  tcase_add_test(c, roofs_are_nearly_the_most);
  return support_run(s);
}
