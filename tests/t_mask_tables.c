/* Masks given as rules, stored by what they keep: the lists of rows and columns against the mask itself. */
#include "base/num.h"
#include "cdag/cdag.h"
#include "tests/support.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t entry(const cdag *g, const char *table, int64_t row, int64_t column)
{
  for (int i = 0; i < g->tables; i++)
    if (!strcmp(g->table[i].name, table)) {
      ck_assert(row < g->table[i].extent[0] && (g->table[i].rank == 1 || column < g->table[i].extent[1]));
      return expr_entry(&g->table[i], g->table[i].rank == 1 ? row : row * g->table[i].extent[1] + column);
    }
  ck_abort_msg("no table %s", table);
}

static cdag *open_family(const char *spec)
{
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_msg(cdag_open(&g, spec, &d) == OK, "%s: %s", spec, d.message);
  return g;
}

typedef struct { int nb, w, dilate, global, whole, square, top; } kept;

static bool by_rule(const kept *k, int64_t i, int64_t j)
{
  bool band = k->w >= 0 && llabs(i - j) <= (int64_t)k->w * k->dilate && (i - j) % k->dilate == 0;
  return band || j < k->global || i < k->whole || (k->square > 0 && i / k->square == j / k->square);
}

/* Row i lists its blocks in ascending order: what the rule keeps, and `top` others or the same. */
static void row_is_right(const cdag *g, const kept *k, int64_t i, const char *spec)
{
  int64_t n = entry(g, "cnt", i, 0), last = -1, at = 0, others = 0;
  for (int64_t j = 0; j < k->nb; j++) {
    bool listed = at < n && entry(g, "col", i, at) == j;
    ck_assert_msg(listed || !by_rule(k, i, j), "%s: row %d lacks block %d", spec, (int)i, (int)j);
    others += listed && !by_rule(k, i, j);
    last = listed ? j : last;
    at += listed;
  }
  ck_assert_msg(at == n && last < k->nb && others <= k->top, "%s: row %d lists what is no block of it", spec, (int)i);
  ck_assert_int_eq(n < entry(g, "most", 0, 0) ? entry(g, "col", i, n) : -1, -1);
  if (k->w < 0 && !k->global && !k->whole && !k->square)
    ck_assert_int_eq(n, k->top);
}

/* The rows of column j, ascending, and where each has it. */
static int64_t column_is_right(const cdag *g, int64_t j)
{
  int64_t from = entry(g, "begin", j, 0), to = entry(g, "begin", j + 1, 0);
  for (int64_t u = from; u < to; u++) {
    int64_t i = entry(g, "row", u, 0);
    ck_assert(u == from || entry(g, "row", u - 1, 0) < i);
    ck_assert_int_eq(entry(g, "col", i, entry(g, "place", u, 0)), j);
  }
  return to - from;
}

START_TEST(lists_are_the_mask)
{
  support_random r = { (uint64_t)_i };
  kept k = { .nb = (int)support_between(&r, 1, 40), .w = (int)support_between(&r, -1, 6) };
  char spec[200];
  k.dilate = (int)support_between(&r, 1, 4);
  k.global = (int)support_between(&r, 0, 3) / 2;
  k.whole = (int)support_between(&r, 0, 3) / 2;
  k.square = (int)support_between(&r, 0, 1) * (int)support_between(&r, 1, 7);
  k.top = (int)support_between(&r, k.w < 0, num_min(k.nb, 9));
  snprintf(spec, sizeof spec,
           "attention-sparse:n=%d,d=2,b=3,w=%d,dilate=%d,global=%d,whole=%d,square=%d,top=%d,seed=%d", 3 * k.nb, k.w,
           k.dilate, k.global, k.whole, k.square, k.top, _i);
  cdag *g = open_family(spec);
  int64_t rows = 0, columns = 0;
  for (int64_t i = 0; i < k.nb; i++) {
    row_is_right(g, &k, i, spec);
    rows += entry(g, "cnt", i, 0);
    columns += column_is_right(g, i);
  }
  ck_assert_int_eq(rows, columns);
  cdag_free(g);
}
END_TEST

/* Another seed chooses other blocks, the same seed the same. */
START_TEST(seeds_choose)
{
  cdag *a = open_family("attention-sparse:n=64,d=1,b=1,w=-1,top=5,seed=3");
  cdag *b = open_family("attention-sparse:n=64,d=1,b=1,w=-1,top=5,seed=4");
  cdag *c = open_family("attention-sparse:n=64,d=1,b=1,w=-1,top=5,seed=3");
  int same = 0;
  for (int64_t i = 0; i < 64; i++)
    for (int64_t q = 0; q < 5; q++) {
      same += entry(a, "col", i, q) == entry(b, "col", i, q);
      ck_assert_int_eq(entry(a, "col", i, q), entry(c, "col", i, q));
    }
  ck_assert_int_lt(same, 160);
  cdag_free(a);
  cdag_free(b);
  cdag_free(c);
}
END_TEST

static void refused(const char *given, const char *sentence)
{
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_int_eq(cdag_parse(&g, "big.cdag", given, "", &d), BAD_INPUT);
  ck_assert_msg(strstr(d.message, sentence) != NULL, "%s", d.message);
}

/* 2^14 x 2^14 blocks: the mask is not stored, its lists are; what reads the mask itself is told so. */
START_TEST(large_masks_cost_what_they_keep)
{
  cdag *g = open_family("attention-sparse:n=1M,d=64,b=64,w=2,global=1");
  int64_t kept_blocks = 0;
  for (int64_t i = 0; i < 16384; i++)
    kept_blocks += entry(g, "cnt", i, 0);
  ck_assert_int_eq(kept_blocks, 5 * 16384 - 2 * 3 + 16384 - 3);
  ck_assert_int_eq(entry(g, "col", 9000, 5), 9002);
  cdag_free(g);
#define BIG "param n = 8192\ninput x[n]\ntable t[I:n, J:n] = I == J\n"
  refused(BIG "output y[i:n] = x[t[i,i]]\n", "only generators may read it");
  refused(BIG "table s[I:n, J:4] = I == J\n"
              "table c[n] = nonzero_count(s, t)\noutput y[i:n] = x[c[i]]\n", "at most 2^24 entries");
  refused(BIG "table c[1] = largest(t)\noutput y[i:n] = x[c[0]]\n", "a table that is stored");
}
END_TEST

int main(void)
{
  Suite *s = suite_create("mask_tables");
  TCase *t = support_case(s, "lists");
  tcase_add_loop_test(t, lists_are_the_mask, 0, support_rounds(60));
  tcase_add_test(t, seeds_choose);
  tcase_add_test(t, large_masks_cost_what_they_keep);
  return support_run(s);
}
