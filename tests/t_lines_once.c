/* Stencils computed once (docs/theory.md, section 9): sets that no path leaves and comes back to, against the disjoint paths that enter them
   and those that leave them, which flows count; and that hexagons come near what is allowed. */
#include "bounds/graph_tools.h"
#include "bounds/lines.h"
#include "tests/support.h"
#include <stdlib.h>
#include <string.h>

/* Points level by level, level 0 the inputs.  Counted are those of levels 1 .. LEVELS with ROOM columns on either side. */
enum { LEVELS = 8, ROOM = LEVELS + 1, INNER = 16, WIDTH = INNER + 2 * ROOM, POINTS = (LEVELS + 1) * WIDTH };

static uint32_t at(int level, int x) { return (uint32_t)(level * WIDTH + x); }

/* ---- the most disjoint paths between a set and a level, each vertex on one of them ---- */

typedef struct {
  uint64_t n;
  uint32_t from[8 * POINTS], to[8 * POINTS], capacity[8 * POINTS];
} arcs;

enum { MANY = 1000, SOURCE = 2 * POINTS, TARGET };

static void arc(arcs *a, uint32_t from, uint32_t to, uint32_t capacity)
{
  a->from[a->n] = from;
  a->to[a->n] = to;
  a->capacity[a->n++] = capacity;
}

static uint64_t paths(const bool *in, int step, int goal)
{
  static arcs a;
  uint64_t value;
  diag d = { 0 };
  a.n = 0;
  for (int level = 0; level <= LEVELS; level++)
    for (int x = 0; x < WIDTH; x++) {
      uint32_t p = at(level, x);
      arc(&a, 2 * p, 2 * p + 1, 1);
      if (in[p])
        arc(&a, SOURCE, 2 * p, MANY);
      if (level == goal)
        arc(&a, 2 * p + 1, TARGET, MANY);
      for (int y = x - 1; level != goal && y <= x + 1; y++)
        if (y >= 0 && y < WIDTH)
          arc(&a, 2 * p + 1, 2 * at(level + step, y), MANY);
    }
  ck_assert_int_eq(bound_tools_maxflow(TARGET + 1, a.n, a.from, a.to, a.capacity, SOURCE, TARGET, &value, &d), OK);
  return value;
}

static int64_t allowed(const bool *in)
{
  mpz_t x;
  mpz_init_set_ui(x, paths(in, -1, 0) + paths(in, 1, LEVELS));
  bound_lines_once(x, x);
  int64_t most = mpz_get_si(x);
  mpz_clear(x);
  return most;
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
  ck_assert_msg(count <= allowed(in), "seed %d: %d points, allowed %ld", _i, count, (long)allowed(in));
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
  ck_assert_int_le(count, allowed(in));
  ck_assert_int_ge(5 * count, 4 * allowed(in));
}
END_TEST

int main(void)
{
  Suite *s = suite_create("lines_once");
  TCase *c = support_case(s, "lemma");
  tcase_add_loop_test(c, no_set_is_more, 0, support_rounds(300));
  tcase_add_test(c, hexagons_are_nearly_the_most);
  return support_run(s);
}
