/* Block masks that keep as many blocks in every row: what tables hold is then the same everywhere, and the bounds must
 * see it. */
#include "cdag/cdag.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const theorem[] = { "attention-segment", "attention-two-products", "attention-three-way" };

static void bounds_of(const char *spec, uint64_t m, cdag **g, bound_list *list)
{
  diag d = { 0 };
  int best;
  ck_assert_msg(cdag_open(g, spec, &d) == OK, "%s: %s", spec, d.message);
  for (size_t i = 0; i < COUNT(theorem); i++) {
    bound_question q = { .g = *g, .m = m, .theorem = theorem[i] };
    ck_assert_int_eq(bound_all(&q, list, &best, &d), OK);
    if (bound_named(list, theorem[i]))
      bound_certificate_stands(&q, bound_named(list, theorem[i]), spec, NULL, 0);
  }
}

/* A mask that keeps everything is dense attention, to the unit. */
START_TEST(full_masks_are_dense)
{
  support_random r = { (uint64_t)_i };
  int b = (int)support_between(&r, 2, 16), blocks = (int)support_between(&r, 2, 12),
      d = (int)support_between(&r, 2, 24);
  uint64_t m = (uint64_t)support_between(&r, 8, 4 * d * d);
  char spec[200];
  cdag *sparse = NULL, *dense = NULL;
  bound_list of_sparse = { 0 }, of_dense = { 0 };
  snprintf(spec, sizeof spec, "attention-sparse:n=%d,d=%d,b=%d,w=%d", b * blocks, d, b, blocks);
  bounds_of(spec, m, &sparse, &of_sparse);
  snprintf(spec, sizeof spec, "attention:n=%d,d=%d", b * blocks, d);
  bounds_of(spec, m, &dense, &of_dense);
  for (size_t i = 0; i < COUNT(theorem); i++) {
    const bound *s = bound_named(&of_sparse, theorem[i]), *t = bound_named(&of_dense, theorem[i]);
    ck_assert_msg(!s == !t && (!s || mpz_cmp(s->value, t->value) == 0),
                  "seed %d: %s of a full mask, b = %d, M = %d, is not that of %s", _i, theorem[i], b, (int)m, spec);
  }
  bound_list_clear(&of_sparse);
  bound_list_clear(&of_dense);
  cdag_free(sparse);
  cdag_free(dense);
}
END_TEST

/* With a ragged last block the rows differ, and the bounds may be weaker; they are of the same graph, so none is above
 * a play of it. */
START_TEST(ragged_full_masks_are_no_more_than_dense)
{
  support_random r = { (uint64_t)_i };
  int n = (int)support_between(&r, 20, 120), b = (int)support_between(&r, 2, 12), d = (int)support_between(&r, 2, 64);
  uint64_t m = (uint64_t)support_between(&r, 2 * d + 8, 2 * d * d + 100);
  char spec[200];
  cdag *sparse = NULL, *dense = NULL;
  bound_list of_sparse = { 0 }, of_dense = { 0 };
  snprintf(spec, sizeof spec, "attention-sparse:n=%d,d=%d,b=%d,w=%d", n, d, b, n);
  bounds_of(spec, m, &sparse, &of_sparse);
  snprintf(spec, sizeof spec, "attention:n=%d,d=%d", n, d);
  bounds_of(spec, m, &dense, &of_dense);
  for (size_t i = 0; i < COUNT(theorem); i++) {
    const bound *s = bound_named(&of_sparse, theorem[i]), *t = bound_named(&of_dense, theorem[i]);
    ck_assert_msg(!s || (t && mpz_cmp(s->value, t->value) <= 0),
                  "seed %d: %s of a full mask, n = %d, b = %d, M = %d, is above that of %s", _i, theorem[i], n, b,
                  (int)m, spec);
  }
  bound_list_clear(&of_sparse);
  bound_list_clear(&of_dense);
  cdag_free(sparse);
  cdag_free(dense);
}
END_TEST

/* Which blocks a row keeps does not matter, only how many there are: half of the columns, shifted from row to row, is
 * half of the pairs. */
START_TEST(shifted_rows_keep_their_bound)
{
  enum { BLOCKS = 16, KEPT = 8 };
  support_random r = { (uint64_t)_i };
  char path[] = "/tmp/mask-XXXXXX", spec[200];
  int by = (int)support_between(&r, 0, BLOCKS - 1);
  FILE *f = fdopen(mkstemp(path), "w");
  for (int i = 0; i < BLOCKS; i++)
    for (int j = 0; j < BLOCKS; j++)
      fprintf(f, "%d ", (j + i * by) % BLOCKS < KEPT);
  fclose(f);
  cdag *g = NULL;
  bound_list list = { 0 };
  snprintf(spec, sizeof spec, "attention-sparse:n=1024,d=16,b=64,mask=@%s", path);
  bounds_of(spec, 1024, &g, &list);
  const bound *b = bound_named(&list, "attention-segment");
  double leading = 4.0 * 1024 * 1024 / 2 * 16 * 16 / 1024; /* 4 pairs d^2 / M */
  ck_assert_msg(b && mpz_cmp_d(b->value, leading) >= 0 && mpz_cmp_d(b->value, 1.1 * leading) < 0, "rows shifted by %d",
                by);
  bound_list_clear(&list);
  cdag_free(g);
  unlink(path);
}
END_TEST

/* When the time is over before any theorem was begun there is a bound: each word that must move, once. */
START_TEST(late_answers_are_compulsory)
{
  cdag *g = NULL;
  bound_list list = { 0 };
  diag d = { 0 };
  int best;
  ck_assert_int_eq(cdag_open(&g, "attention-sparse:n=1024,d=16,b=64,w=1", &d), OK);
  bound_question q = { .g = g, .m = 1024, .until = 1e-9 };
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  ck_assert(list.stopped && list.n == 1 && best == 0 && strcmp(list.item[0].name, "compulsory") == 0);
  ck_assert_uint_eq(mpz_get_ui(list.item[0].value), 4 * 1024 * 16);
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_masks");
  TCase *c = support_case(s, "masks");
  tcase_add_loop_test(c, full_masks_are_dense, 0, support_rounds(20));
  tcase_add_loop_test(c, ragged_full_masks_are_no_more_than_dense, 0, support_rounds(20));
  tcase_add_loop_test(c, shifted_rows_keep_their_bound, 0, support_rounds(8));
  tcase_add_test(c, late_answers_are_compulsory);
  return support_run(s);
}
