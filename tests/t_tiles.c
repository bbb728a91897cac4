/* Sets of boxes against one byte an element. */
#include "base/mem.h"
#include "pebble/tiles.h"
#include "tests/support.h"
#include <string.h>

enum { SIDE = 7, CELLS = SIDE * SIDE * SIDE };

static void random_box(support_random *r, cdag_box *b, int rank)
{
  for (int i = 0; i < rank; i++) {
    b->lo[i] = support_between(r, 0, SIDE - 1);
    b->hi[i] = support_between(r, b->lo[i] + 1, SIDE);
  }
}

static bool cell_in(const cdag_box *b, int rank, int cell)
{
  for (int i = rank; i-- > 0; cell /= SIDE)
    if (cell % SIDE < b->lo[i] || cell % SIDE >= b->hi[i])
      return false;
  return true;
}

static void compare(const pebble_tiles *s, const uint8_t *cell, int cells, const cdag_box *b)
{
  uint64_t volume = 0, common = 0, all = 0;
  for (int c = 0; c < cells; c++) {
    int64_t x[3] = { 0 };
    for (int i = s->rank, rest = c; i-- > 0; rest /= SIDE)
      x[i] = rest % SIDE;
    ck_assert_int_eq(pebble_tiles_hold(s, x), cell[c]);
    volume += cell[c];
    all += cell_in(b, s->rank, c);
    common += cell[c] && cell_in(b, s->rank, c);
  }
  ck_assert_ptr_null(pebble_tiles_check(s));
  ck_assert_uint_eq(pebble_tiles_volume(s), volume);
  ck_assert_uint_eq(pebble_tiles_common(s, b), common);
  ck_assert_int_eq(pebble_tiles_meet(s, b), common > 0);
  ck_assert_int_eq(pebble_tiles_cover(s, b), common == all);
}

START_TEST(against_cells)
{
  support_random r = { (uint64_t)_i };
  int rank = (int)support_between(&r, 1, 3), cells = rank == 1 ? SIDE : rank == 2 ? SIDE * SIDE : CELLS;
  uint8_t cell[CELLS] = { 0 };
  pebble_tiles s;
  pebble_tiles_init(&s, rank);
  for (int step = 0; step < 60; step++) {
    cdag_box b;
    random_box(&r, &b, rank);
    bool take = support_between(&r, 0, 1);
    if (take)
      pebble_tiles_subtract(&s, &b);
    else if (pebble_tiles_meet(&s, &b))
      pebble_tiles_unite(&s, &b);
    else
      pebble_tiles_add(&s, &b);
    for (int c = 0; c < cells; c++)
      if (cell_in(&b, rank, c))
        cell[c] = !take;
    random_box(&r, &b, rank);
    compare(&s, cell, cells, &b);
  }
  pebble_tiles_clear(&s);
}
END_TEST

/* Blocks laid row by row join into one box again and again. */
START_TEST(blocks_join)
{
  pebble_tiles s;
  size_t most = 0;
  pebble_tiles_init(&s, 2);
  for (int64_t i = 0; i < 20; i++)
    for (int64_t j = 0; j < 20; j++) {
      cdag_box b = { { 5 * i, 7 * j }, { 5 * i + 5, 7 * j + 7 } };
      pebble_tiles_add(&s, &b);
      most = s.n > most ? s.n : most;
    }
  ck_assert_uint_eq(s.n, 1);
  ck_assert_uint_le(most, 2);
  pebble_tiles_clear(&s);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tiles");
  TCase *c = support_case(s, "sets");
  tcase_add_loop_test(c, against_cells, 0, support_rounds(150));
  tcase_add_test(c, blocks_join);
  return support_run(s);
}
