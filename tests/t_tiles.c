/* Sets of boxes against one byte an element. */
#include "base/mem.h"
#include "pebble/tile/tiles.h"
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

enum { WIDE = 48 };

static void small_box(support_random *r, cdag_box *b, int longest)
{
  for (int i = 0; i < 2; i++) {
    b->lo[i] = support_between(r, 0, WIDE - 1) - WIDE / 2;
    b->hi[i] = support_between(r, b->lo[i] + 1, b->lo[i] + longest);
    b->hi[i] = b->hi[i] > WIDE / 2 ? WIDE / 2 : b->hi[i];
  }
}

static uint64_t count_in(uint8_t cell[WIDE][WIDE], const cdag_box *b)
{
  uint64_t n = 0;
  for (int64_t i = b->lo[0]; i < b->hi[0]; i++)
    for (int64_t j = b->lo[1]; j < b->hi[1]; j++)
      n += cell[i + WIDE / 2][j + WIDE / 2];
  return n;
}

/* Hundreds of boxes, single elements and long ones, some coordinates below zero: the index of a long list. */
START_TEST(long_lists)
{
  support_random r = { (uint64_t)_i };
  static uint8_t cell[WIDE][WIDE];
  uint64_t red = 0;
  size_t indexed = 0;
  pebble_tiles s;
  memset(cell, 0, sizeof cell);
  pebble_tiles_init(&s, 2);
  for (int step = 0; step < 1500; step++) {
    cdag_box b;
    small_box(&r, &b, support_between(&r, 0, 20) ? 1 + _i % 4 : WIDE);
    uint64_t common = count_in(cell, &b), volume = pebble_box_volume(&b, 2);
    ck_assert_uint_eq(pebble_tiles_common(&s, &b), common);
    ck_assert_int_eq(pebble_tiles_meet(&s, &b), common > 0);
    ck_assert_int_eq(pebble_tiles_cover(&s, &b), common == volume);
    ck_assert_int_eq(pebble_tiles_hold(&s, b.lo), cell[b.lo[0] + WIDE / 2][b.lo[1] + WIDE / 2]);
    bool take = support_between(&r, 0, 4) < (step / 300) % 5;
    if (take)
      pebble_tiles_subtract(&s, &b);
    else
      pebble_tiles_unite(&s, &b);
    red += take ? -common : volume - common;
    for (int64_t i = b.lo[0]; i < b.hi[0]; i++)
      memset(&cell[i + WIDE / 2][b.lo[1] + WIDE / 2], !take, (size_t)(b.hi[1] - b.lo[1]));
    ck_assert_uint_eq(pebble_tiles_volume(&s), red);
    if (step % 50 == 0)
      ck_assert_ptr_null(pebble_tiles_check(&s));
    indexed += s.index != NULL;
  }
  ck_assert_ptr_null(pebble_tiles_check(&s));
  ck_assert_uint_gt(indexed, 100);
  pebble_tiles_clear(&s);
}
END_TEST

/* Cells that share a chain: what meets a place, or abuts it where that is asked, is found, and once. */
START_TEST(each_once)
{
  enum { FIRST = 500, BOXES = 999, FAR_OUT = 3000, QUESTIONS = 200 };
  support_random r = { (uint64_t)_i };
  cdag_box box[BOXES];
  for (int i = 0; i < BOXES; i++) {
    box[i].lo[0] = support_between(&r, -FAR_OUT, FAR_OUT);
    box[i].hi[0] = box[i].lo[0] + support_between(&r, 1, 9);
  }
  tiles_index *x = tiles_index_new(box, FIRST, 1);
  ck_assert_ptr_nonnull(x);
  for (size_t i = FIRST; i < BOXES; i++)
    tiles_index_hang(x, box, i);
  for (int k = 0; k < QUESTIONS; k++) {
    int found[BOXES] = { 0 };
    int64_t lo = support_between(&r, -FAR_OUT, FAR_OUT), hi = lo + support_between(&r, 1, FAR_OUT);
    tiles_cursor c;
    if (!tiles_cursor_start(&c, x, box, BOXES, &(cdag_box){ { lo }, { hi } }, k % 2))
      continue;
    for (int32_t i; (i = tiles_cursor_next(&c)) != TILES_NONE;)
      found[i]++;
    for (int i = 0; i < BOXES; i++)
      ck_assert(found[i] == 1 || (!found[i] && (box[i].lo[0] >= hi + k % 2 || box[i].hi[0] <= lo - k % 2)));
  }
  tiles_index_free(x);
}
END_TEST

/* Bars across each other: hardly a place is far from any. */
START_TEST(crossing)
{
  pebble_tiles s;
  pebble_tiles_init(&s, 2);
  for (int64_t i = 0; i < 20; i++) {
    pebble_tiles_add(&s, &(cdag_box){ { 2 * i, 0 }, { 2 * i + 1, 100 } });
    pebble_tiles_add(&s, &(cdag_box){ { 40, 2 * i }, { 100, 2 * i + 1 } });
  }
  ck_assert_ptr_null(s.index);
  ck_assert_uint_eq(s.n, 40);
  ck_assert_uint_eq(pebble_tiles_common(&s, &(cdag_box){ { 38, 0 }, { 42, 100 } }), 100 + 2 * 20);
  pebble_tiles_clear(&s);
}
END_TEST

/* Boxes of one row, and one so long that it is in no cell. */
static void fill_index(pebble_tiles *s)
{
  pebble_tiles_init(s, 2);
  pebble_tiles_add(s, &(cdag_box){ { -1, 0 }, { 0, 500 } });
  for (int64_t i = 0; i < 60; i++)
    pebble_tiles_add(s, &(cdag_box){ { 2 * i, 3 * i }, { 2 * i + 1, 3 * i + 2 } });
  ck_assert_ptr_nonnull(s->index);
  ck_assert_ptr_null(pebble_tiles_check(s));
}

static void check_broken(const pebble_tiles *s, const char *sentence)
{
  ck_assert_ptr_nonnull(pebble_tiles_check(s));
  ck_assert_str_eq(pebble_tiles_check(s), sentence);
}

/* The check that the other tests rely on sees what is wrong. */
START_TEST(broken)
{
  pebble_tiles s;
  fill_index(&s);
  cdag_box was = s.box[5];
  s.box[5].hi[1] = s.box[5].lo[1];
  check_broken(&s, "an empty box");
  s.box[5] = s.box[6];
  check_broken(&s, "two boxes meet");
  s.box[5] = was;
  tiles_index_unhang(s.index, s.box, 7);
  check_broken(&s, "a box is not in the index");
  tiles_index_hang(s.index, s.box, 7);
  ck_assert_ptr_null(pebble_tiles_check(&s));
  tiles_index_unhang(s.index, s.box, 0);
  check_broken(&s, "a box is not in the index");
  tiles_index_hang(s.index, s.box, 0);
  pebble_tiles_add(&s, &(cdag_box){ { -500, -500 }, { 500, -1 } }); /* wide in both */
  ck_assert_ptr_null(pebble_tiles_check(&s));
  tiles_index_unhang(s.index, s.box, s.n - 1);
  check_broken(&s, "a box is not in the index");
  tiles_index_hang(s.index, s.box, s.n - 1);
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

/* ---- sets of elements of a domain with a stepped edge ---- */

typedef struct {
  int64_t lo[SIDE], hi[SIDE];   /* of each row */
  uint64_t filled;
} steps;

static uint64_t elements(const steps *d, const cdag_box *b)
{
  uint64_t n = 0;
  for (int64_t i = b->lo[0]; i < b->hi[0]; i++)
    for (int64_t j = b->lo[1]; j < b->hi[1]; j++)
      n += d->lo[i] <= j && j < d->hi[i];
  return n;
}

static bool is_void(void *context, const cdag_box *b) { return elements(context, b) == 0; }

static void filled(void *context, const cdag_box *b)
{
  steps *d = context;
  ck_assert_uint_eq(elements(d, b), 0);
  ck_assert(!pebble_box_empty(b, 2));
  d->filled += pebble_box_volume(b, 2);
}

static void random_steps(support_random *r, steps *d)
{
  bool triangle = support_between(r, 0, 1);
  *d = (steps){ .filled = 0 };
  for (int i = 0; i < SIDE; i++) {
    d->lo[i] = triangle ? 0 : support_between(r, 0, SIDE - 1);
    d->hi[i] = triangle ? i + 1 : support_between(r, d->lo[i], SIDE);
  }
}

static void add_elements(uint8_t *cell, const cdag_box *b, uint8_t value)
{
  for (int64_t i = b->lo[0]; i < b->hi[0]; i++)
    for (int64_t j = b->lo[1]; j < b->hi[1]; j++)
      cell[i * SIDE + j] = value;
}

/* What is asked of boxes of elements is answered as if nothing had been given away. */
static void compare_elements(const pebble_tiles *s, const uint8_t *cell, const steps *d, support_random *r)
{
  cdag_box b;
  uint64_t in = 0;
  ck_assert_ptr_null(pebble_tiles_check(s));
  random_box(r, &b, 2);
  if (elements(d, &b) < pebble_box_volume(&b, 2))
    return;
  for (int64_t i = b.lo[0]; i < b.hi[0]; i++)
    for (int64_t j = b.lo[1]; j < b.hi[1]; j++) {
      int64_t x[2] = { i, j };
      ck_assert_int_eq(pebble_tiles_hold(s, x), cell[i * SIDE + j]);
      in += cell[i * SIDE + j];
    }
  ck_assert_uint_eq(pebble_tiles_common(s, &b), in);
  ck_assert_int_eq(pebble_tiles_meet(s, &b), in > 0);
  ck_assert_int_eq(pebble_tiles_cover(s, &b), in == pebble_box_volume(&b, 2));
}

START_TEST(loose_against_cells)
{
  support_random r = { (uint64_t)_i };
  uint8_t cell[SIDE * SIDE] = { 0 };
  steps d;
  pebble_tiles s;
  random_steps(&r, &d);
  pebble_tiles_init(&s, 2);
  for (int step = 0; step < 200; step++) {
    cdag_box b;
    random_box(&r, &b, 2);
    bool take = !support_between(&r, 0, 3);
    if (elements(&d, &b) == pebble_box_volume(&b, 2) && (take || !pebble_tiles_meet(&s, &b))) {
      if (take)
        pebble_tiles_subtract(&s, &b);
      else
        pebble_tiles_add_loosely(&s, &b, &(pebble_voids){ is_void, filled, &d });
      add_elements(cell, &b, !take);
    }
    compare_elements(&s, cell, &d, &r);
  }
  pebble_tiles_clear(&s);
}
END_TEST

/* The rows of a triangle, in any order and in pieces, are one box at the end. */
START_TEST(triangle_joins)
{
  support_random r = { (uint64_t)_i };
  steps d = { .filled = 0 };
  int row[SIDE];
  pebble_tiles s;
  pebble_tiles_init(&s, 2);
  for (int i = 0; i < SIDE; i++) {
    int at = (int)support_between(&r, 0, i);
    row[i] = row[at];
    row[at] = i;
    d.hi[i] = i + 1;
  }
  for (int i = 0; i < SIDE; i++) {
    int64_t cut = support_between(&r, 0, row[i]);
    cdag_box a = { { row[i], 0 }, { row[i] + 1, cut } }, b = { { row[i], cut }, { row[i] + 1, row[i] + 1 } };
    if (cut)
      pebble_tiles_add_loosely(&s, &a, &(pebble_voids){ is_void, filled, &d });
    pebble_tiles_add_loosely(&s, &b, &(pebble_voids){ is_void, filled, &d });
  }
  ck_assert_uint_eq(s.n, 1);
  ck_assert_uint_eq(d.filled, SIDE * (SIDE - 1) / 2);
  pebble_tiles_clear(&s);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tiles");
  TCase *c = support_case(s, "sets");
  tcase_add_loop_test(c, against_cells, 0, support_rounds(150));
  tcase_add_loop_test(c, each_once, 0, support_rounds(10));
  tcase_add_loop_test(c, long_lists, 0, support_rounds(12));
  tcase_add_test(c, blocks_join);
  tcase_add_test(c, crossing);
  tcase_add_test(c, broken);
  tcase_add_loop_test(c, loose_against_cells, 0, support_rounds(200));
  tcase_add_loop_test(c, triangle_joins, 0, support_rounds(50));
  return support_run(s);
}
