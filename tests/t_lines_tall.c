/* Inside the plane of a stencil (docs/theory.md, section 9): columns with more vertices than there are columns beside
   them.  The lines that the proof leads through the border, and the words it counts, against flows. */
#include "base/num.h"
#include "bounds/geometry/lines.h"
#include "tests/support.h"
#include "tests/support_flow.h"
#include <string.h>

enum { ROOM = 6, INNER = 4, SIDE = 2 * ROOM + INNER, LEVELS = 20, POINTS = (LEVELS + 1) * SIDE * SIDE };

/* Vertices of the columns inside, on levels 1 .. LEVELS; columns beside them there are `room`, or more. */
typedef struct {
  int room, levels;
  bool in[INNER][INNER][LEVELS + 1];
  int n[INNER][INNER];
} body;

static void fill_column(body *b, support_random *r, int x, int y, int n)
{
  b->n[x][y] = n;
  for (int left = n, level = b->levels; level >= 1; level--)
    left -= b->in[x][y][level] = left == level || (left > 0 && support_between(r, 0, 2) > 0);
}

/* ---- flows ---- */

static int side_of(const body *b) { return 2 * b->room + INNER; }
static bool exists(const body *b, int x, int y) { return x >= 0 && y >= 0 && x < side_of(b) && y < side_of(b); }
static uint32_t at(int level, int x, int y) { return (uint32_t)((level * SIDE + x) * SIDE + y); }

/* Lines that turn in the border only, and go along the rows y elsewhere. */
static bool in_border(const body *b, int x) { return x < b->room || x >= b->room + INNER; }

static void add_moves(support_flow *f, const body *b, bool along_rows)
{
  static const int dx[] = { 0, 1, -1, 0, 0 }, dy[] = { 0, 0, 0, 1, -1 };
  for (int level = 0; level <= b->levels; level++)
    for (int x = 0; x < side_of(b); x++)
      for (int y = 0; y < side_of(b); y++) {
        uint32_t p = at(level, x, y);
        support_flow_through(f, p, 1);
        if (level == 0)
          support_flow_arc(f, f->source, support_flow_in(p));
        for (int d = 0; d < 5; d++)
          if (level < b->levels && exists(b, x + dx[d], y + dy[d]) && !(along_rows && dy[d] && !in_border(b, x)))
            support_flow_arc(f, support_flow_out(p), support_flow_in(at(level + 1, x + dx[d], y + dy[d])));
      }
}

static void add_targets(support_flow *f, const body *b, int x, int y, int aside_x, int aside_y)
{
  for (int level = 1; level <= b->levels; level++)
    if (b->in[x][y][level])
      support_flow_arc(f, support_flow_out(at(level - 1, b->room + x + aside_x, b->room + y + aside_y)), f->target);
}

/* ---- the lines of the proof: in each plane y they enter what one column reads from the left and from the right ----
 */

START_TEST(lines_find_their_way)
{
  support_random r = { (uint64_t)_i };
  support_flow f = support_flow_new(POINTS);
  body b = { .room = (int)support_between(&r, 2, ROOM) };
  int planes = (int)support_between(&r, 1, num_min(INNER, b.room / 2 > 0 ? b.room / 2 : 1)), most = b.room * b.room / 2,
      lines = 0;
  int first = (int)support_between(&r, 0, INNER - planes), x_of[INNER];
  b.levels = (int)support_between(&r, num_min(most, LEVELS), LEVELS);
  add_moves(&f, &b, true);
  for (int p = 0; p < planes; p++) { /* each has room columns' height at least, and in all they are most */
    int rest = most - lines - (planes - 1 - p) * b.room,
        n = p == planes - 1 ? rest : (int)support_between(&r, b.room, rest);
    x_of[p] = (int)support_between(&r, 0, INNER - 1);
    n = (int)num_min(n, b.levels);
    fill_column(&b, &r, x_of[p], first + p, n);
    add_targets(&f, &b, x_of[p], first + p, -1, 0);
    add_targets(&f, &b, x_of[p], first + p, 1, 0);
    lines += n;
  }
  int64_t found = (int64_t)support_flow_most(&f);
  ck_assert_msg(found == 2 * lines, "seed %d: room %d, %d planes: %d lines from either side, %ld in all are found", _i,
                b.room, planes, lines, (long)found);
}
END_TEST

/* ---- what words have within reach ---- */

/* With every path to what it reads cut by k words: the tall columns' share, and all of it. */
static void check_reach(const body *b, int64_t k, int seed)
{
  int64_t tall[2] = { 0 }, all = 0;
  for (int i = 0; i < INNER; i++) {
    int fullest[2] = { 0 };
    for (int j = 0; j < INNER; j++) {
      fullest[0] = (int)num_max(fullest[0], b->n[i][j]);
      fullest[1] = (int)num_max(fullest[1], b->n[j][i]);
      all += b->n[i][j];
    }
    for (int d = 0; d < 2; d++)
      tall[d] += fullest[d] >= b->room ? fullest[d] : 0;
  }
  ck_assert_msg(2 * num_max(tall[0], tall[1]) <= k, "seed %d: %ld words, tall columns of %ld and %ld", seed, (long)k,
                (long)tall[0], (long)tall[1]);
  lines_count c = { .way = LINES_INSIDE, .room = b->room, .levels = b->levels };
  mpz_t x, most, more;
  mpz_inits(x, most, more, NULL);
  mpz_set_si(x, k);
  bound_lines_most(c.way, x, most);
  bound_lines_tall(&c, x, more);
  mpz_add(most, most, more);
  ck_assert_msg(mpz_cmp_si(most, all) >= 0, "seed %d: %ld words reach %ld, at most %ld", seed, (long)k, (long)all,
                mpz_get_si(most));
  mpz_clears(x, most, more, NULL);
}

START_TEST(tall_columns_are_few)
{
  support_random r = { (uint64_t)_i };
  support_flow f = support_flow_new(POINTS);
  body b = { .room = (int)support_between(&r, 5, ROOM), .levels = (int)support_between(&r, 8, 14) };
  add_moves(&f, &b, false);
  for (int64_t n = support_between(&r, 1, 3); n > 0;
       n--) { /* the last is tall, with hardly more paths than are spoken of */
    int x = (int)support_between(&r, 0, INNER - 1), y = (int)support_between(&r, 0, INNER - 1);
    if (b.n[x][y] > 0)
      continue;
    fill_column(&b, &r, x, y, n == 1 ? b.room + (int)support_between(&r, 0, 1) : 1);
    for (int d = 0; d < 5; d++)
      add_targets(&f, &b, x, y, d == 1 ? 1 : d == 2 ? -1 : 0, d == 3 ? 1 : d == 4 ? -1 : 0);
  }
  int64_t k = (int64_t)support_flow_most(&f);
  lines_count c = { .way = LINES_INSIDE, .room = b.room, .levels = b.levels };
  if (bound_lines_speaks(&c, k))
    check_reach(&b, k, _i);
}
END_TEST

/* ---- the count itself: columns of any heights, the fullest of the planes limited ---- */

START_TEST(no_heights_are_more)
{
  support_random r = { (uint64_t)_i };
  int64_t room = support_between(&r, 2, 9), side = support_between(&r, 1, 8), g[2][8], sum[2] = { 0 }, excess = 0;
  for (int d = 0; d < 2; d++)
    for (int i = 0; i < side; i++)
      sum[d] += g[d][i] = room + support_between(&r, 0, _i % 2 ? 2 : 30);
  for (int i = 0; i < side; i++)
    for (int j = 0; j < side; j++)
      excess += num_min(g[0][i], g[1][j]) - (room - 1);
  lines_count c = { .way = LINES_INSIDE, .room = room, .levels = room };
  mpz_t x, most;
  mpz_init(most);
  mpz_init_set_si(x, 2 * num_max(sum[0], sum[1]));
  bound_lines_tall(&c, x, most);
  ck_assert_msg(mpz_cmp_si(most, excess) >= 0, "seed %d: %ld in excess, at most %ld", _i, (long)excess,
                mpz_get_si(most));
  mpz_clears(x, most, NULL);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("lines_tall");
  TCase *c = support_case(s, "flows");
  tcase_add_loop_test(c, lines_find_their_way, 0, support_rounds(30));
  tcase_add_loop_test(c, tall_columns_are_few, 0, support_rounds(30));
  tcase_add_loop_test(c, no_heights_are_more, 0, support_rounds(200));
  return support_run(s);
}
