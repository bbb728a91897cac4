/* The tuner on a parameter that others follow, against playing every setting: random texts, random defaults. */
#include "base/mem.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include <stdio.h>
#include <string.h>

/* What follows p: falls or grows with it, has no value for some, is the same for all, follows another. */
static const char *const default_text[] = {
  "(M - p) / (p + 2)",
  "isqrt(40 - p)",
  "isqrt(p * p + M)",
  "max(1, min(p, M) / 3)",
  "ceil(12, p)",
  "p - 3",
  "5 - p",
  "max(2, 0 * p)",
  "60 / (p - 2)",
  "min(4, p * p)",
  "p % 3 + 1",
  "0 * isqrt(3 - p) + 2",
  "(p > 4) * 3 + 1",
  "max(1, 7 - p) + p",
};
static const char *const second_text[] = { "a + 1", "max(1, a - p)", "(M - a) / (a + p)", "a * p - 4", "isqrt(a)" };

static const char *const body_text[] = {
  "for X in n by a { load A[X] drop A[X] }",
  "for X in n by p { for Y in X by a { load A[Y], B[0,*] drop A[Y], B[0,*] } }",
  "for X in n by a { for Y in n by p { load B[X,Y] drop B[X,Y] load A[Y] drop A[Y] } }",
  "for X in n by p { load A[X] for Y in n by a { load B[Y,0] drop B[Y,0] } drop A[X] }",
  "for X in n by a { for Y in hi(X) by a { load A[Y] drop A[Y] } }",
  "for X in n by a { for y in lo(X) { load A[y] drop A[y] } load B[1,X] drop B[1,X] }",
  "for X in n by b { for Y in n by a { load B[X,Y] drop B[X,Y] load A[X] drop A[X] } }",
  "for X in n by max(1, min(b, p)) { load A[X], A[0] drop A[X], A[0] }",
  "for X in n by b { for Y in X by p { load A[Y], B[1,1] drop A[Y], B[1,1] } }",
  "for X in n by p { if first(X) { load B[2,X] drop B[2,X] } }",
};

/* I/O where the play is legal, else UINT64_MAX; so where a default has no value. */
static uint64_t played(const cdag *g, const char *program, const char *name, int64_t value, uint64_t m)
{
  char assign[32];
  schedule *s = NULL;
  diag d = { 0 };
  schedule_verdict v = { 0 };
  schedule_play_options o = { .rules.m = m, .engine = PEBBLE_BY_ELEMENT };
  snprintf(assign, sizeof assign, "%s=%d", name, (int)value);
  if (schedule_parse(&s, g, m, "follow.sched", program, assign, &d) != OK)
    return UINT64_MAX;
  uint64_t io = schedule_play(s, &o, &v, &d) == OK && v.verdict.legal ? v.verdict.loads + v.verdict.stores : UINT64_MAX;
  schedule_verdict_clear(&v);
  schedule_free(s);
  return io;
}

static uint64_t least(const cdag *g, const char *program, uint64_t m, int64_t most, int64_t *at)
{
  uint64_t best = UINT64_MAX;
  for (int64_t p = 1; p <= most; p++) {
    uint64_t io = played(g, program, "p", p, m);
    if (io < best) {
      best = io;
      *at = p;
    }
  }
  return best;
}

static int by_formula, others;

static void compare(const cdag *g, const char *program, uint64_t m, int64_t most)
{
  schedule *s = NULL;
  diag d = { 0 };
  schedule_tuning t = { 0 };
  pebble_rules rules = { .m = m };
  int64_t at = 0;
  uint64_t best = least(g, program, m, most, &at);
  ck_assert_msg(schedule_parse(&s, g, m, "follow.sched", program, "p=auto", &d) == OK, "%s in\n%s", d.message, program);
  status st = schedule_tune(s, &rules, &t, &d);
  ck_assert_msg(st == (best == UINT64_MAX ? GAVE_UP : OK), "status %d, best %ld at %ld, M = %ld in\n%s", st, (long)best,
                (long)at, (long)m, program);
  ck_assert_msg(st != OK || (t.io == best && t.exact), "%ld, best %ld at %ld, M = %ld: %s in\n%s", (long)t.io,
                (long)best, (long)at, (long)m, text_str(&t.record), program);
  bool formula = st == OK && strstr(text_str(&t.record), "for every setting");
  by_formula += formula;
  others += !formula;
  schedule_tuning_clear(&t);
  schedule_free(s);
}

static void one_text(support_random *r)
{
  text program = { 0 };
  cdag *g = NULL;
  diag d = { 0 };
  int64_t n = support_between(r, 4, 40), m = support_between(r, 3, 120);
  char assign[32];
  snprintf(assign, sizeof assign, "n=%d", (int)n);
  ck_assert_int_eq(cdag_parse(&g, "follow.cdag", "param n\ninput A[n], B[n,n]\noutput O[i:n] = A[i]\n", assign, &d),
                   OK);
  text_printf(&program, "param p = 1\nparam a = %s\nparam b = %s\n",
              default_text[support_between(r, 0, COUNT(default_text) - 1)],
              second_text[support_between(r, 0, COUNT(second_text) - 1)]);
  for (int64_t k = support_between(r, 1, 3); k > 0; k--)
    text_printf(&program, "%s\n", body_text[support_between(r, 0, COUNT(body_text) - 1)]);
  text_add(&program, "for i in n { load A[i] compute O[i] dropping A store O[i] drop O[i] }\n");
  schedule *s = NULL;
  if (schedule_parse(&s, g, (uint64_t)m, "follow.sched", text_str(&program), "", &d) ==
      OK) /* else p = 1 has no values to follow it */
    compare(g, text_str(&program), (uint64_t)m, n);
  schedule_free(s);
  text_clear(&program);
  cdag_free(g);
}

START_TEST(texts)
{
  support_random r = { (uint64_t)_i };
  for (int k = 0; k < 40; k++)
    one_text(&r);
  ck_assert_int_gt(by_formula, 0);
  ck_assert_int_gt(others, 0);
}
END_TEST

/* Masks have no formula: all that play different moves are counted, and only those. */
START_TEST(masks)
{
  static const char *const name[] = { "sliced", "resident-squares", "flash1" };
  static const char *const parameter[] = { "y", "t", "c" };
  support_random r = { (uint64_t)_i };
  const schedule_listing *list;
  cdag *g = NULL;
  diag d = { 0 };
  char spec[120];
  int n = schedule_library(&list), which = _i % COUNT(name), b = (int)support_between(&r, 2, 5);
  snprintf(spec, sizeof spec, "attention-sparse:n=%d,d=%d,b=%d,w=%d,s=%d", (int)support_between(&r, b, 4 * b),
           (int)support_between(&r, 1, 4), b, (int)support_between(&r, 0, 1), (int)support_between(&r, 0, 3));
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  uint64_t m = (uint64_t)support_between(&r, 5, 80), best = UINT64_MAX;
  for (int i = 0; i < n; i++) {
    schedule *s = NULL;
    schedule_tuning t = { 0 };
    pebble_rules rules = { .m = m };
    if (strcmp(list[i].family, "attention-sparse") != 0 || strcmp(list[i].name, name[which]) != 0)
      continue;
    for (int64_t v = 1; v <= 30; v++) {
      uint64_t io = played(g, list[i].text, parameter[which], v, m);
      best = io < best ? io : best;
    }
    char assign[32];
    snprintf(assign, sizeof assign, "%s=auto", parameter[which]);
    if (schedule_parse(&s, g, m, list[i].path, list[i].text, assign, &d) == OK) {
      status st = schedule_tune(s, &rules, &t, &d);
      ck_assert_msg(st == OK ? t.io <= best && t.exact : best == UINT64_MAX, "%s %s M=%ld: %ld, best %ld (%s)", spec,
                    name[which], (long)m, (long)t.io, (long)best, text_str(&t.record));
    }
    schedule_tuning_clear(&t);
    schedule_free(s);
  }
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tune_follow");
  TCase *c = support_case(s, "follow");
  tcase_add_loop_test(c, texts, 0, support_rounds(20));
  tcase_add_loop_test(c, masks, 0, support_rounds(60));
  return support_run(s);
}
