/* The page made through the library: whole, with nothing left in memory, also when it cannot be made. */
#include "report/lesson.h"
#include "tests/support.h"
#include <string.h>

static const struct {
  const char *spec, *schedule;
  uint64_t m;
  pebble_variant variant;
  bool by_tiles;
  status wanted;
} pages[] = {
  { "attention:n=3,d=2", "attenio", 12, PEBBLE_PLACING, false, OK },
  { "attention:n=3,d=2", NULL, 12, PEBBLE_PLACING, false, OK },
  { "attention:n=3,d=2", "attenio", 14, PEBBLE_PARTIAL, false, OK },
  { "attention:n=3,d=2", "attenio", 12, PEBBLE_SLIDING, true, OK },
  { "attention:n=3,d=2", "attenio", 3, PEBBLE_PLACING, false, BAD_INPUT }, /* a block size of 0 is met while playing */
  { "attention:n=500,d=4", "attenio", 200, PEBBLE_PLACING, false, OK },    /* too large for single vertices: tiles */
  { "attention:n=500,d=4", NULL, 200, PEBBLE_PLACING, false, GAVE_UP },
  { "attention:n=500,d=4", "attenio", 200, PEBBLE_PARTIAL, false, GAVE_UP },
  { "attention:n=3,d=2", NULL, 12, PEBBLE_PLACING, true, BAD_USAGE },
  { "fft:l=2", NULL, 4, PEBBLE_PLACING, true, BAD_USAGE },
  { "attention-backward:n=200,d=2", "two-pass", 60, PEBBLE_PLACING, false, OK },
  { "attention-causal:n=300,d=4", "attenio", 100, PEBBLE_PLACING, false, OK },
};

START_TEST(page)
{
  diag d = { 0 };
  cdag *g = NULL;
  schedule *s = NULL;
  bound_list bounds = { 0 };
  text out = { 0 };
  report_lesson l = { .spec = pages[_i].spec,
                      .rules = { .m = pages[_i].m, .variant = pages[_i].variant },
                      .bounds = &bounds,
                      .best = -1,
                      .by_tiles = pages[_i].by_tiles };
  ck_assert_int_eq(cdag_open(&g, pages[_i].spec, &d), OK);
  if (pages[_i].schedule)
    ck_assert_int_eq(schedule_open(&s, g, pages[_i].m, pages[_i].schedule, &d), OK);
  bound_question q = { .g = g, .m = pages[_i].m, .variant = (int)pages[_i].variant, .want_proof = true };
  ck_assert_int_eq(bound_all(&q, &bounds, &l.best, &d), OK);
  l.g = g;
  l.s = s;
  status st = report_lesson_page(&l, &out, &d);
  ck_assert_int_eq(st, pages[_i].wanted);
  ck_assert_int_eq(out.n > 0, st == OK);
  if (st == OK) {
    ck_assert_ptr_nonnull(strstr(out.s, "</html>"));
    ck_assert_ptr_null(strstr(out.s, "@DATA@"));
    ck_assert_ptr_null(strstr(out.s, "@STYLE@"));
    ck_assert_ptr_null(strstr(out.s, "@PROGRAM@"));
    ck_assert_uint_lt(out.n, 400000);
  } else
    ck_assert_uint_gt(strlen(d.message), 10);
  text_clear(&out);
  bound_list_clear(&bounds);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("lesson_page");
  TCase *t = support_case(s, "page");
  tcase_add_loop_test(t, page, 0, COUNT(pages));
  return support_run(s);
}
