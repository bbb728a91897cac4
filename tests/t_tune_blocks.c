/* The tuner on one parameter that cuts ranges, against playing every setting: texts whose I/O falls with it, grows with
   it, or neither; and the schedules for block masks, on masks of all kinds. */
#include "base/mem.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include <stdio.h>
#include <string.h>

/* The least I/O of a legal play with a = 1, ..., most, or UINT64_MAX. */
static uint64_t least(const cdag *g, const char *program, const char *name, uint64_t m, int64_t most)
{
  uint64_t best = UINT64_MAX;
  for (int64_t a = 1; a <= most; a++) {
    char assign[64];
    schedule *s = NULL;
    diag d = { 0 };
    schedule_verdict v = { 0 };
    schedule_play_options o = { .rules.m = m, .engine = PEBBLE_BY_ELEMENT };
    snprintf(assign, sizeof assign, "%s=%d", name, (int)a);
    ck_assert_msg(schedule_parse(&s, g, m, "blocks.sched", program, assign, &d) == OK, "%s in\n%s", d.message, program);
    ck_assert_int_eq(schedule_play(s, &o, &v, &d), OK);
    uint64_t io = v.verdict.loads + v.verdict.stores;
    best = v.verdict.legal && io < best ? io : best;
    schedule_verdict_clear(&v);
    schedule_free(s);
  }
  return best;
}

/* Did the tuner prove its answer by the argument about blocks? */
static bool compare(const cdag *g, const char *program, const char *name, uint64_t m, int64_t most)
{
  char assign[64];
  schedule *s = NULL;
  diag d = { 0 };
  schedule_tuning t = { 0 };
  pebble_rules rules = { .m = m };
  snprintf(assign, sizeof assign, "%s=auto", name);
  ck_assert_int_eq(schedule_parse(&s, g, m, "blocks.sched", program, assign, &d), OK);
  status st = schedule_tune(s, &rules, &t, &d);
  uint64_t best = least(g, program, name, m, most);
  ck_assert_msg(st == (best == UINT64_MAX ? GAVE_UP : OK), "status %d, best %ld, M = %ld in\n%s", st, (long)best,
                (long)m, program);
  ck_assert_msg(st != OK || t.io == best, "%ld, best %ld, M = %ld: %s in\n%s", (long)t.io, (long)best, (long)m,
                text_str(&t.record), program);
  bool proved = st == OK && strstr(text_str(&t.record), "never grows") != NULL;
  schedule_tuning_clear(&t);
  schedule_free(s);
  return proved;
}

/* What a block does, whether the I/O provably never grows with its length. */
static const struct { const char *text; bool never; } body[] = {
  { "load A[X] drop A[X]", true },
  { "load A[3] drop A[3]", true },
  { "load B[X,2..5] drop B[X,2..5]", true },
  { "load B[1..3,lo(X)..hi(X)] drop B[1..3,lo(X)..hi(X)]", true },
  { "load A[w[0]+lo(X)..w[0]+hi(X)] drop A[w[0]+lo(X)..w[0]+hi(X)]", true },
  { "for j in w[2] { load B[X,j] drop B[X,j] }", true },
  { "for i in X { load A[i] drop A[i] load A[0] drop A[0] }", true },
  { "for i in X { for j in w[i] { load B[i,j] drop B[i,j] } }", true },
  { "for Y in n by a { load B[X,Y] drop B[X,Y] }", true },
  { "for Y in w[3] by a { load A[0] drop A[0] }", true },
  { "for j in hi(X) { load A[j] drop A[j] }", false },
  { "for j in len(X)*len(X) { load A[1] drop A[1] }", false },
  { "if len(X) > 3 { load B[1,*] drop B[1,*] }", false },
  { "if last(X) { load B[0,*] drop B[0,*] }", true },
  { "if first(X) { load B[0,*] drop B[0,*] } else { load A[2] drop A[2] }", true },
  { "if 1 - last(X) { load B[3,hi(X)] drop B[3,hi(X)] }", true },
  { "load A[lo(X)-1] drop A[lo(X)-1]", true },
  { "load A[lo(X)] drop A[lo(X)]", true },
  { "load B[1,hi(X)-1] drop B[1,hi(X)-1]", true },
  { "load A[n-1+lo(X)] drop A[n-1+lo(X)]", true },
  { "load B[lo(X),lo(X)-1] drop B[lo(X),lo(X)-1]", true },
  { "load B[lo(X),2..4] drop B[lo(X),2..4]", true },
  { "if last(X) { load A[hi(X)-2] drop A[hi(X)-2] } else { load B[2,hi(X)-1] drop B[2,hi(X)-1] }", true },
  { "load A[lo(X)-2] drop A[lo(X)-2]", false },
  { "load A[hi(X)+1] drop A[hi(X)+1]", true },
  { "load A[lo(X)+n-2] drop A[lo(X)+n-2]", true },
  { "load A[n/2+lo(X)] drop A[n/2+lo(X)]", true },
  { "load A[len(X)-1] drop A[len(X)-1]", false },
  { "load B[lo(X),hi(X)-1] drop B[lo(X),hi(X)-1]", false },
  { "load B[X,hi(X)-1] drop B[X,hi(X)-1]", false },
  { "load B[lo(X)-1..hi(X),lo(X)] drop B[lo(X)-1..hi(X),lo(X)]", false },
  { "load C[4,lo(X)] drop C[4,lo(X)]", true },
  { "load C[*,lo(X)] drop C[*,lo(X)]", true },
  { "load C[*,hi(X)-1] drop C[*,hi(X)-1]", true },
  { "load C[lo(X),lo(X)-1] drop C[lo(X),lo(X)-1]", false },
  { "if last(X) { load B[1,*] drop B[1,*] } else { load C[2..n,hi(X)] drop C[2..n,hi(X)] }", true },
  { "if first(X) { load A[n-1+lo(X)] drop A[n-1+lo(X)] }", true },
  { "if last(X) { load C[*,hi(X)-1] drop C[*,hi(X)-1] }", true },
  { "load C[hi(X)-1,*] drop C[hi(X)-1,*]", false },
  { "load D[3,lo(X)] drop D[3,lo(X)]", false },
  { "load A[a+lo(X)] drop A[a+lo(X)]", false },
  { "if last(X) { load A[X] drop A[X] }", false },
  { "if last(X) { load A[lo(X)] drop A[lo(X)] }", false },
  { "if first(X) { if last(X) { load B[0,*] drop B[0,*] } }", false },
  { "if first(X) * last(X) { load B[0,*] drop B[0,*] }", false },
  { "if lo(X) > 3 { load A[0] drop A[0] }", false },
  { "if last(X) + len(X) > 3 { load A[0] drop A[0] }", false },
  { "for i in X { load A[lo(X)] drop A[lo(X)] }", false },
  { "for i in X { if last(X) { load A[0] drop A[0] } }", false },
  { "if last(X) { for i in X { load A[0] drop A[0] } }", false },
  { "load B[X,X] drop B[X,X]", false },
  { "load B[lo(X)..hi(X),X] drop B[lo(X)..hi(X),X]", false },
  { "load A[0..hi(X)] drop A[0..hi(X)]", false },
  { "load A[2*lo(X)..3*hi(X)] drop A[2*lo(X)..3*hi(X)]", false },
  { "for i in X { if 1 - first(i) { load A[0] drop A[0] } }", false },
  { "for i in X { load A[hi(X)-1] drop A[hi(X)-1] load B[i,0..len(X)] drop B[i,0..len(X)] }", false },
  { "for i in X { for k in X { load B[i,k] drop B[i,k] } }", false },
  { "for i in X { load B[i,X] drop B[i,X] }", false },
  { "for Y in X by 2 { load A[0] drop A[0] }", false },
};

static const char *const order[] = { "", " reversed", " snake" };

static cdag *some_arrays(int n)
{
  char assign[32];
  cdag *g = NULL;
  diag d = { 0 };
  snprintf(assign, sizeof assign, "n=%d", n);
  ck_assert_int_eq(cdag_parse(&g, "blocks.cdag",
                              "param n\ntable w[I:n] = 1 + I*I%4\ninput A[n], B[n,n], C[i:n, j:0..i+1], D[i:n, "
                              "j:i..n]\noutput O[i:n] = A[i]\n",
                              assign, &d),
                   OK);
  return g;
}

/* Blocks by this length, in this order, with these bodies; are all of them of the kind that never grows? */
static bool put_blocks(text *program, const char *by, const char *iterations, const int *which, int bodies)
{
  bool never = true;
  text_printf(program, "param a = auto\nfor y in 2 { for X in n by %s%s {\n", by, iterations);
  for (int k = 0; k < bodies; k++) {
    never &= body[which[k]].never;
    text_printf(program, "  %s\n", body[which[k]].text);
  }
  text_add(program, "} }\nfor i in n { load A[i] compute O[i] dropping A store O[i] drop O[i] }\n");
  return never;
}

static void compare_blocks(int n, uint64_t m, const char *by, const char *iterations, const int *which, int bodies)
{
  text program = { 0 };
  cdag *g = some_arrays(n);
  bool never = put_blocks(&program, by, iterations, which, bodies), proved = compare(g, text_str(&program), "a", m, n);
  ck_assert_msg(never || !proved, "proved, though it may grow:\n%s", text_str(&program));
  text_clear(&program);
  cdag_free(g);
}

START_TEST(one_body)
{
  for (int k = 0; k < COUNT(order); k++)
    compare_blocks(7, 40, "a", order[k], &(int){ _i }, 1);
}
END_TEST

START_TEST(texts)
{
  static const char *const by[] = { "a", "a", "max(1, min(a, 3))", "max(2, a)", "min(4, max(a, 2), n)" };
  support_random r = { (uint64_t)_i };
  int n = (int)support_between(&r, 4, 13), bodies = (int)support_between(&r, 1, 2);
  int which[2] = { (int)support_between(&r, 0, COUNT(body) - 1), (int)support_between(&r, 0, COUNT(body) - 1) };
  uint64_t m = (uint64_t)support_between(&r, 3, 40);
  compare_blocks(n, m, by[support_between(&r, 0, COUNT(by) - 1)], order[support_between(&r, 0, COUNT(order) - 1)],
                 which, bodies);
}
END_TEST

START_TEST(masks)
{
  static const char *const name[] = { "attenio", "flash2", "standard", "flat", "row-by-row" };
  static const char *const parameter[] = { "a", "r", "y", "r", "a" };
  support_random r = { (uint64_t)_i };
  char spec[200];
  const schedule_listing *list;
  cdag *g = NULL;
  diag d = { 0 };
  int n = schedule_library(&list), b = (int)support_between(&r, 2, 5);
  snprintf(spec, sizeof spec, "attention-sparse:n=%d,d=%d,b=%d,w=%d,s=%d,p=%d,seed=%d",
           (int)support_between(&r, b, 4 * b + 3), (int)support_between(&r, 1, 3), b, (int)support_between(&r, 0, 1),
           (int)support_between(&r, 0, 3), (int)support_between(&r, 0, 1) * 40, _i);
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  uint64_t m = (uint64_t)support_between(&r, 5, 60);
  for (int i = 0; i < n; i++)
    if (!strcmp(list[i].family, "attention-sparse") && !strcmp(list[i].name, name[_i % COUNT(name)]))
      compare(g, list[i].text, parameter[_i % COUNT(name)], m, 6);
  cdag_free(g);
}
END_TEST

/* Worth something only if the argument is used: here it is. */
START_TEST(is_used)
{
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_int_eq(cdag_open(&g, "attention-sparse:n=24,d=2,b=6,p=50", &d), OK);
  schedule *s = NULL;
  schedule_tuning t = { 0 };
  pebble_rules rules = { .m = 200 };
  ck_assert_int_eq(schedule_open(&s, g, rules.m, "attenio:a=auto", &d), OK);
  ck_assert_int_eq(schedule_tune(s, &rules, &t, &d), OK);
  ck_assert_ptr_nonnull(strstr(text_str(&t.record), "never grows"));
  ck_assert(t.exact);
  ck_assert_int_eq(s->param[0].value, 6);
  schedule_tuning_clear(&t);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tune_blocks");
  TCase *c = support_case(s, "blocks");
  tcase_add_loop_test(c, one_body, 0, COUNT(body));
  tcase_add_loop_test(c, texts, 0, support_rounds(300));
  tcase_add_loop_test(c, masks, 0, support_rounds(100));
  tcase_add_test(c, is_used);
  return support_run(s);
}
