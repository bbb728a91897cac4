/* The shrinker: what it leaves still fails, and nothing of it can go. */
#include "base/mem.h"
#include "schedules/schedule.h"
#include "tests/support_pair.h"
#include "tests/support_random_cdag.h"
#include "tests/support_shrink.h"
#include "tests/support_trial.h"
#include <string.h>

static bool has_both(void *context, const char *s)
{
  ++*(int *)context;
  const char *x = strstr(s, "load"), *y = x ? strstr(x, "7") : NULL;
  return y != NULL;
}

static const struct { const char *from, *to; } known[] = {
  { "a line\nfor i in 3 {\n  load v[17]\n  drop v[170]\n}\n", "load 17" },
  { "load 7", "load 7" },
  { "for a in 9 {\n for b in 8 {\n  load x[a,b]\n  load x[b,7]\n }\n}\nstore 12\n", "load 7" },
};

START_TEST(reaches_the_least)
{
  int asked = 0;
  text t = { 0 };
  text_add(&t, known[_i].from);
  support_shrink(&t, has_both, &asked);
  ck_assert_str_eq(text_str(&t), known[_i].to);
  ck_assert_int_lt(asked, 400);
  text_clear(&t);
}
END_TEST

/* ---- pairs: illegal for the same rule, and small ---- */

static pebble_rule rule_of(const char *bytes)
{
  pair p = { 0 };
  cdag *g = NULL;
  schedule *s = NULL;
  schedule_verdict v = { 0 };
  diag d = { 0 };
  pebble_rule rule = PEBBLE_LEGAL;
  schedule_play_options o = { .engine = PEBBLE_BY_ELEMENT };
  if (pair_parse(&p, bytes) && cdag_parse(&g, "pair", text_str(&p.computation), "", &d) == OK &&
      schedule_parse(&s, g, p.rules.m, "pair", text_str(&p.schedule), "", &d) == OK && schedule_unset(s) < 0) {
    o.rules = p.rules;
    if (schedule_play(s, &o, &v, &d) == OK && !v.verdict.legal)
      rule = v.verdict.rule;
  }
  schedule_verdict_clear(&v);
  schedule_free(s);
  cdag_free(g);
  pair_clear(&p);
  return rule;
}

static bool same_rule(void *context, const char *bytes) { return rule_of(bytes) == *(pebble_rule *)context; }

static size_t lines(const char *s)
{
  size_t n = 0;
  for (; *s; s++)
    n += *s == '\n';
  return n;
}

START_TEST(keeps_the_fault)
{
  support_random r = { (uint64_t)_i };
  random_cdag_options o = { .plain = true, .most = 30 };
  pair p = { .rules = { .m = 3 } };
  text t = { 0 };
  cdag *g = support_random_cdag(&r, &o, &p.computation);
  trial_text(&p.schedule, g, (uint64_t)_i);
  cdag_free(g);
  pair_print(&t, &p);
  pebble_rule rule = rule_of(text_str(&t));
  if (rule != PEBBLE_LEGAL) {
    support_shrink(&t, same_rule, &rule);
    ck_assert_int_eq(rule_of(text_str(&t)), rule);
    /* a computation of three lines and five moves break any rule there is */
    ck_assert_msg(lines(text_str(&t)) <= 12, "left:\n%s", text_str(&t));
  }
  text_clear(&t);
  pair_clear(&p);
}
END_TEST

START_TEST(pairs_read_back)
{
  pair p = { .rules = { .variant = (pebble_variant)(_i % 3), .one_shot = _i >= 3, .m = 12 } }, q = { 0 };
  text t = { 0 }, u = { 0 };
  text_add(&p.computation, "input x[1]\noutput x[*]\n");
  text_add(&p.schedule, "load x[0]\n");
  pair_print(&t, &p);
  ck_assert(pair_parse(&q, text_str(&t)));
  pair_print(&u, &q);
  ck_assert_str_eq(text_str(&t), text_str(&u));
  text_clear(&t);
  text_clear(&u);
  pair_clear(&p);
  pair_clear(&q);
}
END_TEST

/* Bytes decide, then the generator. */
START_TEST(a_tape_decides)
{
  support_random r = { 1 }, s = { 1 };
  const uint8_t bytes[] = { 3, 1, 0, 200 };
  support_tape(bytes, sizeof bytes);
  ck_assert_int_eq(support_between(&r, 0, 9), 3);
  ck_assert_int_eq(support_between(&r, 0, 999), 256);
  ck_assert_int_eq(support_between(&r, -5, 250), 195);
  ck_assert_int_eq(support_between(&r, 0, 1 << 20), support_between(&s, 0, 1 << 20));
  support_tape(NULL, 0);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("shrink");
  TCase *c = support_case(s, "shrink");
  tcase_add_loop_test(c, reaches_the_least, 0, COUNT(known));
  tcase_add_loop_test(c, keeps_the_fault, 0, support_rounds(20));
  tcase_add_loop_test(c, pairs_read_back, 0, 6);
  tcase_add_test(c, a_tape_decides);
  return support_run(s);
}
