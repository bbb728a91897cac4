/* The least traffic does not fall when a computation grows or the memory shrinks: the best bound should not either. */
#include "cdag/cdag.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <stdio.h>

/* Of each family the sizes that make it contain the smaller one: %1$d may grow, %2$d may grow. */
static const struct { const char *family, *format; int most, wide; } families[] = {
  { "matmul", "matmul:m=%1$d,n=%1$d,k=%2$d", 1000, 100 },
  { "attention", "attention:n=%1$d,d=%2$d", 2000, 48 },
  { "attention-causal", "attention-causal:n=%1$d,d=%2$d", 2000, 48 },
  { "attention-backward", "attention-backward:n=%1$d,d=%2$d", 2000, 48 },
  { "attention-causal-backward", "attention-causal-backward:n=%1$d,d=%2$d", 2000, 48 },
  { "attention-sparse", "attention-sparse:n=%1$d,d=%2$d,b=16,w=2", 2000, 32 },
  { "attention-sparse-backward", "attention-sparse-backward:n=%1$d,d=%2$d,b=16,w=2", 1000, 32 },
  { "attention-lowrank", "attention-lowrank:n=%1$d,d=%2$d,r=64", 2000, 32 },
  { "attention-split", "attention-split:n=%1$d,d=%2$d,c=1", 2000, 32 },
  { "mlp", "mlp:m=%1$d,k=%2$d,h=%2$d,n=%2$d", 1000, 64 },
  { "matvec", "matvec:m=%1$d,n=%2$d", 1000, 1000 },
  { "syrk", "syrk:n=%1$d,k=%2$d", 1000, 100 },
};

static void best_of(const char *spec, uint64_t m, mpz_t value)
{
  cdag *g = NULL;
  bound_list list = { 0 };
  int best = -1;
  diag d = { 0 };
  ck_assert_msg(cdag_open(&g, spec, &d) == OK, "%s: %s", spec, d.message);
  bound_question q = { .g = g, .m = m };
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  mpz_set_ui(value, 0);
  if (best >= 0)
    mpz_set(value, list.item[best].value);
  bound_list_clear(&list);
  cdag_free(g);
}

START_TEST(no_bound_falls)
{
  support_random r = { (uint64_t)_i };
  int f = (int)support_between(&r, 0, COUNT(families) - 1), way = (int)support_between(&r, 0, 2); /* n, d or M */
  int n = (int)support_between(&r, 2, families[f].most), d = (int)support_between(&r, 1, families[f].wide);
  uint64_t m = (uint64_t)1 << support_between(&r, 4, 20);
  m += (uint64_t)support_between(&r, 0, (int64_t)m - 1);
  int n2 = n + (way == 0) * (int)support_between(&r, 1, n), d2 = d + (way == 1) * (int)support_between(&r, 1, d);
  uint64_t m2 = way == 2 ? m - (uint64_t)support_between(&r, 1, (int64_t)m / 2) : m;
  char small[160], large[160];
  mpz_t a, b;
  snprintf(small, sizeof small, families[f].format, n, d);
  snprintf(large, sizeof large, families[f].format, n2, d2);
  mpz_inits(a, b, NULL);
  best_of(small, m, a);
  best_of(large, m2, b);
  ck_assert_msg(mpz_cmp(a, b) <= 0, "seed %d: the bound of %s, M = %lu, is above that of %s, M = %lu", _i, small,
                (unsigned long)m, large, (unsigned long)m2);
  mpz_clears(a, b, NULL);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_monotone");
  TCase *c = support_case(s, "monotone");
  tcase_add_loop_test(c, no_bound_falls, 0, support_rounds(8));
  return support_run(s);
}
