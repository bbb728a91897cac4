/* Patches of a table: affine, the same from whichever entry one asks, and all of what is affine. */
#include "cdag/domain/patch.h"
#include "base/mem.h"
#include "tests/support.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS = 12, COLUMNS = 14, ENTRIES = ROWS * COLUMNS };
typedef struct { int64_t value[ENTRIES]; expr_table t; } sample;

/* Noise far apart, or close together so that pieces arise by chance. */
static void random_sample(sample *s, support_random *r)
{
  int64_t far = support_between(r, 0, 2) ? 1000000000 : 2;
  s->t = (expr_table){ .rank = (int)support_between(r, 1, 2), .wide = s->value };
  s->t.extent[0] = s->t.rank == 1 ? ENTRIES : ROWS;
  s->t.extent[1] = COLUMNS;
  for (int i = 0; i < ENTRIES; i++)
    s->value[i] = support_between(r, -far, far);
}

static int64_t rows(const sample *s) { return s->t.rank == 1 ? 1 : s->t.extent[0]; }
static int64_t columns(const sample *s) { return s->t.extent[s->t.rank - 1]; }

static cdag_patch random_patch(const sample *s, support_random *r)
{
  cdag_patch p;
  for (int k = 0; k < 2; k++) {
    p.from[k] = support_between(r, 0, (k ? columns(s) : rows(s)) - 1);
    p.to[k] = support_between(r, p.from[k] + 1, k ? columns(s) : rows(s));
    p.slope[k] = support_between(r, -3, 3);
  }
  return p;
}

static void write(sample *s, const cdag_patch *p, int64_t base)
{
  for (int64_t i = p->from[0]; i < p->to[0]; i++)
    for (int64_t j = p->from[1]; j < p->to[1]; j++)
      s->value[i * columns(s) + j] = base + i * p->slope[0] + j * p->slope[1];
}

static cdag_patch patch_of(cdag_patches *known, const sample *s, int64_t i, int64_t j)
{
  int64_t at[2] = { s->t.rank == 1 ? j : i, j };
  const cdag_patch *p = cdag_patch_at(known, &s->t, at);
  ck_assert_ptr_nonnull(p);
  return *p;
}

static void check_affine(const sample *s, const cdag_patch *p)
{
  const int64_t *corner = &s->value[p->from[0] * columns(s) + p->from[1]];
  for (int64_t i = p->from[0]; i < p->to[0]; i++)
    for (int64_t j = p->from[1]; j < p->to[1]; j++)
      ck_assert_int_eq(s->value[i * columns(s) + j],
                       *corner + (i - p->from[0]) * p->slope[0] + (j - p->from[1]) * p->slope[1]);
}

/* A patch too wide is not affine; one that depends on the entry asked for is not the same. */
START_TEST(of_random_tables)
{
  support_random r = { (uint64_t)_i };
  cdag_patches known = { 0 };
  sample s;
  random_sample(&s, &r);
  for (int64_t k = support_between(&r, 0, 6); k > 0; k--) {
    cdag_patch p = random_patch(&s, &r);
    write(&s, &p, support_between(&r, -9, 9));
  }
  for (int asked = 0; asked < 60; asked++) {
    int64_t i = support_between(&r, 0, rows(&s) - 1), j = support_between(&r, 0, columns(&s) - 1);
    cdag_patch p = patch_of(&known, &s, i, j), other;
    ck_assert(p.from[0] <= i && i < p.to[0] && p.from[1] <= j && j < p.to[1]);
    check_affine(&s, &p);
    cdag_patches fresh = { 0 };
    other =
        patch_of(&fresh, &s, support_between(&r, p.from[0], p.to[0] - 1), support_between(&r, p.from[1], p.to[1] - 1));
    ck_assert_msg(!memcmp(&p, &other, sizeof p), "entry %ld,%ld of %d", (long)i, (long)j, _i);
    cdag_patches_clear(&fresh);
  }
  cdag_patches_clear(&known);
}
END_TEST

/* Entries of 16 bits are looked at in a way of their own. */
START_TEST(of_16_bits)
{
  support_random r = { (uint64_t)_i };
  cdag_patches known[2] = { 0 };
  sample wide, same;
  int16_t narrow[ENTRIES];
  random_sample(&wide, &r);
  for (int k = 0; k < ENTRIES; k++)
    wide.value[k] %= 1000;
  for (int64_t k = support_between(&r, 0, 6); k > 0; k--) {
    cdag_patch p = random_patch(&wide, &r);
    write(&wide, &p, support_between(&r, -9, 9));
  }
  same.t = wide.t;
  same.t.wide = NULL;
  same.t.narrow = narrow;
  for (int k = 0; k < ENTRIES; k++)
    narrow[k] = (int16_t)wide.value[k];
  for (int64_t i = 0; i < rows(&wide); i++)
    for (int64_t j = 0; j < columns(&wide); j++) {
      cdag_patch p = patch_of(&known[0], &wide, i, j), other = patch_of(&known[1], &same, i, j);
      ck_assert_msg(!memcmp(&p, &other, sizeof p), "entry %ld,%ld of %d", (long)i, (long)j, _i);
    }
  cdag_patches_clear(&known[0]);
  cdag_patches_clear(&known[1]);
}
END_TEST

/* What is written into far noise is found, all of it and no more. */
START_TEST(written_patches_are_found)
{
  support_random r = { (uint64_t)_i };
  cdag_patches known = { 0 };
  sample s;
  do
    random_sample(&s, &r);
  while (s.t.rank == 1 || llabs(s.value[0]) < 1000);
  cdag_patch p = random_patch(&s, &r), found;
  write(&s, &p, support_between(&r, -9, 9));
  found =
      patch_of(&known, &s, support_between(&r, p.from[0], p.to[0] - 1), support_between(&r, p.from[1], p.to[1] - 1));
  for (int k = 0; k < 2; k++)
    if (p.to[k] - p.from[k] > 2) { /* shorter ones are not told from chance */
      ck_assert_int_eq(found.from[k], p.from[k]);
      ck_assert_int_eq(found.to[k], p.to[k]);
      ck_assert_int_eq(found.slope[k], p.slope[k]);
    }
  cdag_patches_clear(&known);
}
END_TEST

/* ---- families ---- */

enum { LONG = 72, WIDE = 40 };
typedef struct { int64_t value[LONG * WIDE]; expr_table t; int64_t every; } striped;

/* Where the r-th row, or column, is like the one `every` before it, but for a step that changes in the middle of the
 * table, and some noise. */
static void random_striped(striped *s, support_random *r)
{
  bool across = support_between(r, 0, 2) == 0, both = support_between(r, 0, 2) == 0;
  int64_t every = support_between(r, 2, 6), step = support_between(r, -2, 2), iteration = support_between(r, 0, 99),
          other = support_between(r, -2, 2), by = support_between(r, 0, 9);
  s->every = every;
  s->t = (expr_table){ .rank = (int)support_between(r, 1, 2), .wide = s->value };
  s->t.extent[0] = s->t.rank == 1 ? LONG * WIDE : LONG;
  s->t.extent[1] = WIDE;
  for (int64_t i = 0; i < LONG * WIDE; i++) {
    int64_t high = s->t.rank == 1 ? i : i / WIDE, wide = s->t.rank == 1 ? 0 : i % WIDE, row = across ? wide : high,
            column = across ? high : wide;
    int64_t k = row / every, end = k / 2 + row % every / 2;
    if (both) /* the same again in both directions */
      s->value[i] = row % every * by + column % 4 * 11 * (row > column || by % 2);
    else
      s->value[i] =
          column < end ? column * 7 + by : k * (k < iteration ? step : other) * 3 + (row % every) * by + column;
  }
  for (int64_t n = support_between(r, 0, both ? 90 : 3); n > 0; n--)
    s->value[support_between(r, 0, LONG * WIDE - 1)] = support_between(r, -5, 5);
}

static cdag_patch kin_of(cdag_patches *known, const striped *s, int64_t i, cdag_kin *kin)
{
  int64_t at[2] = { s->t.rank == 1 ? i : i / WIDE, i % WIDE };
  *kin = cdag_patch_kin(known, &s->t, cdag_patch_at(known, &s->t, at));
  return *cdag_patch_at(known, &s->t, at);
}

typedef struct { int64_t number[7]; } described; /* a patch: from, to, corner, slopes */

static described describe(const striped *s, const cdag_patch *p)
{
  int64_t corner = s->t.rank == 1 ? p->from[1] : p->from[0] * WIDE + p->from[1];
  return (described){ { p->from[0], p->to[0], p->from[1], p->to[1], s->value[corner], p->slope[0], p->slope[1] } };
}

/* All its numbers are affine in its place, and its slopes stay: as between the first two, so with all. */
static void check_family(const described *first, const described *second, const described *p, int64_t place)
{
  for (int i = 0; i < 7; i++)
    ck_assert_int_eq(p->number[i], first->number[i] + place * (second->number[i] - first->number[i]));
  ck_assert_int_eq(p->number[5], first->number[5]);
  ck_assert_int_eq(p->number[6], first->number[6]);
}

/* Whatever is asked first: a family is one of patches at even distances, each place of which is taken once. */
START_TEST(families_are_affine)
{
  support_random r = { (uint64_t)_i };
  cdag_patches known = { 0 };
  static striped s;
  described *of = MEM_NEW(described, (size_t)(LONG * WIDE) * 2);
  int64_t *taken = MEM_NEW(int64_t, (size_t)(LONG * WIDE));
  random_striped(&s, &r);
  for (int asked = 0; asked < 9; asked++) {
    cdag_kin kin;
    kin_of(&known, &s, support_between(&r, 0, LONG * WIDE - 1), &kin);
  }
  for (int round = 0; round < 3; round++) /* the first two of each family; then all; then how many there were */
    for (int64_t i = 0; i < LONG * WIDE; i++) {
      cdag_kin kin;
      cdag_patch p = kin_of(&known, &s, i, &kin);
      described now = describe(&s, &p);
      ck_assert_int_ge(kin.place, 0);
      ck_assert_int_lt(kin.place, kin.members);
      if (round == 0 && kin.place < 2)
        of[2 * kin.family + kin.place] = now;
      if (round == 1 && kin.members > 1)
        check_family(&of[2 * kin.family], &of[2 * kin.family + 1], &now, kin.place);
      taken[kin.family] +=
          round == 1 && i == p.from[s.t.rank == 1] * (s.t.rank == 1 ? 1 : WIDE) + p.from[1] * (s.t.rank == 2);
      ck_assert(round < 2 || taken[kin.family] == kin.members);
    }
  mem_free(of);
  mem_free(taken);
  cdag_patches_clear(&known);
}
END_TEST

/* Without noise or an iteration there are some, as long as the table lets them be. */
START_TEST(families_are_found)
{
  static striped s;
  for (int64_t every = 2; every < 7; every++) {
    cdag_patches known = { 0 };
    cdag_kin kin;
    s.t = (expr_table){ .rank = 2, .wide = s.value, .extent = { LONG, WIDE } };
    for (int64_t i = 0; i < LONG * WIDE; i++)
      s.value[i] = i % WIDE < i / WIDE / every ? i % WIDE * every : -1;
    ck_assert_int_eq(cdag_table_period(&known, &s.t), every);
    for (int column = 0; column < 2; column++) {
      kin_of(&known, &s, LONG / 2 * WIDE + (column ? WIDE - 1 : 0), &kin);
      ck_assert_int_gt(kin.members, LONG / every / 2);
    }
    cdag_patches_clear(&known);
  }
}
END_TEST

/* The last row of a mask with stripes, each of which begins behind the diagonal: stripes, and the gaps between them. */
START_TEST(families_are_found_along_rows)
{
  static striped s;
  for (int64_t every = 2; every < 6; every++) {
    cdag_patches known = { 0 };
    cdag_kin kin, other;
    s.t = (expr_table){ .rank = 2, .wide = s.value, .extent = { LONG, WIDE } };
    for (int64_t i = 0; i < LONG * WIDE; i++)
      s.value[i] = i % WIDE % every == every - 1 && i / WIDE > i % WIDE;
    int64_t stripe = WIDE / 2 / every * every + every - 1, last = (LONG - 1) * WIDE;
    kin_of(&known, &s, last + stripe, &kin);
    ck_assert_int_gt(kin.members, WIDE / every - 3);
    kin_of(&known, &s, last + stripe + every, &other);
    ck_assert_int_eq(other.family, kin.family);
    ck_assert_int_eq(other.place, kin.place + 1);
    if (every > 3) { /* shorter gaps are single entries */
      kin_of(&known, &s, last + stripe + 1, &other);
      ck_assert_int_gt(other.members, WIDE / every - 3);
    }
    cdag_patches_clear(&known);
  }
}
END_TEST

START_TEST(outside_there_is_none)
{
  int64_t value[6] = { INT64_MIN, INT64_MAX, 0, INT64_MIN, 1, INT64_MIN };
  expr_table line = { .rank = 1, .extent = { 6 }, .wide = value },
             cube = { .rank = 3, .extent = { 1, 2, 3 }, .wide = value };
  expr_table none = { .rank = 2, .extent = { 3, 0 }, .wide = value };
  cdag_patches known = { 0 };
  for (int64_t at = -2; at < 8; at++)
    ck_assert_int_eq(cdag_patch_at(&known, &line, &at) != NULL, at >= 0 && at < 6);
  ck_assert_ptr_null(cdag_patch_at(&known, &cube, (int64_t[3]){ 0, 0, 0 }));
  ck_assert_ptr_null(cdag_patch_at(&known, &none, (int64_t[2]){ 0, 0 }));
  cdag_patches_clear(&known);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("patch");
  TCase *c = support_case(s, "affine");
  tcase_add_loop_test(c, of_random_tables, 0, support_rounds(300));
  tcase_add_loop_test(c, of_16_bits, 0, support_rounds(100));
  tcase_add_loop_test(c, written_patches_are_found, 0, support_rounds(100));
  tcase_add_loop_test(c, families_are_affine, 0, support_rounds(100));
  tcase_add_test(c, families_are_found);
  tcase_add_test(c, families_are_found_along_rows);
  tcase_add_test(c, outside_there_is_none);
  return support_run(s);
}
