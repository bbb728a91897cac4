/* The S-partition bound: the largest part against all sets of words, the bound against the exact optimum. */
#include "bounds/bound.h"
#include "bounds/graph/partition.h"
#include "pebble/optimal.h"
#include "tests/support.h"

static cdag_graph g;
static diag d;
static bound_explicit e;

static void random_graph(int seed, int64_t least, int64_t most)
{
  support_random r = { (uint64_t)seed };
  int64_t n = support_between(&r, least, most), degree = support_between(&r, 1, 3);
  ck_assert_int_eq(cdag_graph_random(&g, n, seed + 1, degree, 0, &d), OK);
  ck_assert_int_eq(bound_explicit_of(&e, &g, &d), OK);
}

static void forget(void)
{
  bound_explicit_clear(&e);
  cdag_graph_clear(&g);
}

static uint64_t reach_of(uint32_t set)
{
  uint32_t within = set;
  for (uint32_t v = 0; v < e.g.n; v++) {
    bool all = !cdag_graph_is_input(&e.g, v);
    for (uint64_t i = e.g.pred_at[v]; i < e.g.pred_at[v + 1]; i++)
      all &= within >> e.g.pred[i] & 1;
    within |= (uint32_t)all << v;
  }
  return (uint64_t)__builtin_popcount(within & ~set);
}

START_TEST(largest_part)
{
  bool exact;
  random_graph(_i, 5, 10);
  for (uint64_t words = 0; words <= 4; words++) {
    uint64_t most = 0;
    for (uint32_t set = 0; set < 1u << e.g.n; set++)
      if ((uint64_t)__builtin_popcount(set) <= words) {
        uint64_t reach = reach_of(set);
        most = reach > most ? reach : most;
      }
    uint64_t relaxed = bound_partition_reach(&e.g, words, 1, &exact),
             full = bound_partition_reach(&e.g, words, 400, &exact);
    ck_assert(exact);
    ck_assert_uint_eq(full, most);
    ck_assert_uint_ge(relaxed, most);
  }
  forget();
}
END_TEST

/* x words in a row of a pyramid have x (x - 1) / 2 vertices above them, and none do better */
START_TEST(pyramids)
{
  bool exact;
  uint64_t words = (uint64_t)_i;
  ck_assert_int_eq(cdag_graph_pyramid(&g, 5, &d), OK);
  ck_assert_int_eq(bound_explicit_of(&e, &g, &d), OK);
  uint64_t most = bound_partition_reach(&e.g, words, 300, &exact);
  ck_assert_uint_ge(most, words * (words - 1) / 2);
  if (exact)
    ck_assert_uint_eq(most, words * (words - 1) / 2);
  forget();
}
END_TEST

START_TEST(at_most_the_optimum)
{
  random_graph(_i, 6, 11);
  cdag c = { .graph = &g, .vertices = g.n };
  for (int variant = 0; variant < 2; variant++) {
    pebble_rules rules = { .variant = (pebble_variant)variant };
    for (rules.m = pebble_least_memory(&g, &rules); rules.m < 5 && e.g.n > 0; rules.m++) {
      bound_question q = { .g = &c, .m = rules.m, .variant = variant, .seconds = 0.02 };
      bound_list l = { 0 };
      pebble_optimum o = { 0 };
      ck_assert_int_eq(bound_theorem_find("s-partition")->apply(&q, &l, &d), OK);
      ck_assert_int_eq(pebble_optimal(&g, &rules, NULL, &o, &d), OK);
      for (size_t i = 0; i < l.n; i++)
        ck_assert_int_le(mpz_cmp_ui(l.item[i].value, o.upper), 0);
      bound_list_clear(&l);
      pebble_optimum_clear(&o);
    }
  }
  forget();
}
END_TEST

int main(void)
{
  Suite *s = suite_create("partition");
  TCase *c = support_case(s, "partition");
  tcase_add_loop_test(c, largest_part, 0, support_rounds(25));
  tcase_add_loop_test(c, pyramids, 1, 5);
  tcase_add_loop_test(c, at_most_the_optimum, 0, support_rounds(30));
  return support_run(s);
}
