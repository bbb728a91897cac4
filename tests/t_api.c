/* The calls for other languages: the same answers as the parts they are made of, and every kind of failure told apart.
 */
#include "base/json_read.h"
#include "base/mem.h"
#include "report/api.h"
#include "tests/support.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const char chain[] = "param n = 4\ninput x[n]\ns[i:n] = s[i-1], x[i]\noutput s[n-1]\n";
static const char good[] = "for i in n {\n  load x[i]\n  compute s[i] dropping s, x\n}\nstore s[n-1]\n";
static const char hasty[] = "load x[0]\ncompute s[1]\nstore s[n-1]\n";

static int64_t number(const json_value *v, const char *key)
{
  int64_t n = -1;
  ck_assert_msg(json_get_int(v, key, &n), "no number %s", key);
  return n;
}

static json_value read(char *answer)
{
  json_value v = { 0 };
  diag d = { 0 };
  ck_assert_msg(json_read(&v, answer, strlen(answer), "answer", &d) == OK, "%s: %s", d.message, answer);
  redblue_free(answer);
  return v;
}

START_TEST(verifies)
{
  char *answer;
  ck_assert_int_eq(redblue_verify(chain, good, 3, "", &answer), 0);
  json_value v = read(answer);
  ck_assert_int_eq(json_get(&v, "legal")->type, JSON_TRUE);
  ck_assert_int_eq(number(&v, "loads"), 4);
  ck_assert_int_eq(number(&v, "io"), 5);
  ck_assert_int_eq(number(&v, "peak"), 3);
  ck_assert_int_eq(number(json_get(&v, "lower_bound"), "value"), 5);
  json_value_clear(&v);
}
END_TEST

START_TEST(says_what_is_wrong)
{
  char *answer;
  ck_assert_int_eq(redblue_verify(chain, hasty, 3, NULL, &answer), 1);
  json_value v = read(answer);
  const json_value *e = json_get(&v, "error");
  ck_assert_int_eq(number(e, "line"), 2);
  ck_assert_str_eq(json_get_string(e, "rule"), "predecessor");
  ck_assert_str_eq(json_get_string(e, "element"), "s[1]");
  ck_assert_str_eq(json_get_string(e, "missing"), "s[0]");
  json_value_clear(&v);
}
END_TEST

START_TEST(counts)
{
  char *answer;
  ck_assert_int_eq(redblue_count("attention:n=8,d=2", "attenio", 40, "", &answer), 0);
  json_value v = read(answer);
  ck_assert_int_eq(number(json_get(&v, "params"), "a"), 6);
  ck_assert_int_eq(number(&v, "io"), 2 * 8 * 2 + 2 * 8 * 2 * 2);
  ck_assert_str_eq(json_get_string(&v, "formula"), "2 n d + 2 n d ceil(n/a)");
  json_value_clear(&v);
}
END_TEST

START_TEST(bounds)
{
  char *answer;
  ck_assert_int_eq(redblue_bound("matmul:m=40,n=40,k=40", 100, "sliding", &answer), 0);
  json_value v = read(answer);
  const json_value *list = json_get(&v, "bounds"), *best = json_get(&v, "best");
  ck_assert_uint_gt(list->n, 1);
  for (size_t i = 0; i < list->n; i++) { /* the best is the largest of those that count */
    const char *trust = json_get_string(&list->item[i], "trust");
    if (json_get(&list->item[i], "holds")->type == JSON_TRUE &&
        (!strcmp(trust, "proved") || !strcmp(trust, "certified")))
      ck_assert_int_le(number(&list->item[i], "value"), number(best, "value"));
  }
  ck_assert_int_ge(number(best, "value"), 3 * 1600);
  json_value_clear(&v);
}
END_TEST

static const struct {
  const char *computation, *schedule;
  uint64_t m;
  const char *game;
  int code;
  const char *kind;
} failures[] = {
  { "matmull:m=2", "naive", 5, "", 2, "parameter" },
  { "matmul:m=2,n=2,k=2", "naive", 0, "", 2, "usage" },
  { "matmul:m=2,n=2,k=2", "naive", 5, "jumping", 2, "usage" },
  { "matmul:m=2,n=2,k=2", "nothing", 5, "", 2, "usage" },
  { "input x[2]\n", "load x[0]\n", 5, "one-shot placing", 3, "cdag" },
  { chain, "load y[0]\n", 5, "sliding", 3, "name" },
  { chain, "param a\nload x[a]\n", 5, "", 2, "parameter" },
  { "./nothing.cdag", "load x[0]\n", 5, "", 3, "file" },
};

START_TEST(fails)
{
  char *answer;
  ck_assert_int_eq(
      redblue_verify(failures[_i].computation, failures[_i].schedule, failures[_i].m, failures[_i].game, &answer),
      failures[_i].code);
  json_value v = read(answer);
  ck_assert_str_eq(json_get_string(json_get(&v, "error"), "kind"), failures[_i].kind);
  ck_assert(json_get_string(json_get(&v, "error"), "message"));
  json_value_clear(&v);
}
END_TEST

START_TEST(uncountable_is_said)
{
  char *answer;
  ck_assert_int_eq(redblue_count("tree:h=2", "depth-first", 5, "", &answer), 3);
  json_value v = read(answer);
  ck_assert(json_get(&v, "error"));
  json_value_clear(&v);
}
END_TEST

/* A list of moves in a file is read as it is played: its 40000 lines as a tree would be some 100 MB. */
START_TEST(lists_are_not_held)
{
  char path[] = "/tmp/redblue-list-XXXXXX.sched", *answer;
  FILE *out = fdopen(mkstemps(path, 6), "w");
  struct rusage before, after;
  for (int i = 0; i < 40000; i++)
    fputs("load x[0] drop x[0]\n", out);
  for (int i = 0; i < 4; i++)
    fprintf(out, "load x[%d] compute s[%d] dropping s, x\n", i, i);
  fputs("store s[3]\n", out);
  fclose(out);
  getrusage(RUSAGE_SELF, &before);
  int verified = redblue_verify(chain, path, 3, "", &answer);
  json_value v = read(answer);
  ck_assert_int_eq(verified, 0);
  ck_assert_int_eq(number(&v, "loads"), 40004);
  json_value_clear(&v);
  ck_assert_int_eq(redblue_count(chain, path, 3, "", &answer), 0);
  v = read(answer);
  ck_assert_int_eq(number(&v, "io"), 40005);
  json_value_clear(&v);
  getrusage(RUSAGE_SELF, &after);
  remove(path);
  ck_assert_msg(support_sanitized() || after.ru_maxrss - before.ru_maxrss < 20000, "%ld KB",
                after.ru_maxrss - before.ru_maxrss);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("api");
  TCase *c = support_case(s, "api");
  tcase_add_test(c, verifies);
  tcase_add_test(c, says_what_is_wrong);
  tcase_add_test(c, counts);
  tcase_add_test(c, bounds);
  tcase_add_loop_test(c, fails, 0, COUNT(failures));
  tcase_add_test(c, uncountable_is_said);
  tcase_add_test(c, lists_are_not_held);
  return support_run(s);
}
