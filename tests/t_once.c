/* What every legal play computes, counted from the description and on the graph; and the one-shot game by boxes, which
   rests on that count, against the game that keeps all that was computed. */
#include "base/mem.h"
#include "schedules/play/once.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include "tests/support_random_cdag.h"
#include <stdio.h>

/* Vertices with predecessors that lead to an output. */
static uint64_t count_live(const cdag *g)
{
  cdag_graph e = { 0 };
  diag d = { 0 };
  ck_assert_msg(cdag_materialise(g, 0, &e, &d) == OK, "%s", d.message);
  bool *live = MEM_NEW(bool, (size_t)e.n);
  uint64_t n = 0;
  bool changed = true;
  for (uint32_t v = 0; v < e.n; v++)
    live[v] = e.output[v];
  while (changed) {
    changed = false;
    for (uint32_t v = 0; v < e.n; v++)
      for (uint32_t i = e.pred_at[v]; live[v] && i < e.pred_at[v + 1]; i++) {
        changed |= !live[e.pred[i]];
        live[e.pred[i]] = true;
      }
  }
  for (uint32_t v = 0; v < e.n; v++)
    n += live[v] && !cdag_graph_is_input(&e, v);
  mem_free(live);
  cdag_graph_clear(&e);
  return n;
}

START_TEST(random_counts)
{
  support_random r = { (uint64_t)_i };
  random_cdag_options o = { .conditions = _i % 2 };
  text source = { 0 };
  cdag *g = support_random_cdag(&r, &o, &source);
  num_count least = schedule_least_computes(g);
  ck_assert_msg(least <= count_live(g), "%lu of %lu computes in\n%s", (unsigned long)least,
                (unsigned long)count_live(g), text_str(&source));
  text_clear(&source);
  cdag_free(g);
}
END_TEST

/* Families whose every vertex is seen to lead to an output, or not to. */
static const char *const seen[] = {
  "matmul:m=3,n=4,k=5", "attention:n=5,d=3", "attention-causal:n=6,d=2", "attention-backward:n=4,d=2",
  "cholesky:n=6", "stencil:w=9,t=4", "syrk:n=5,k=4", "mlp:m=3,k=4,h=5,n=2", "grid:r=5,c=6",
};

START_TEST(family_counts)
{
  cdag *g;
  diag d = { 0 };
  ck_assert_msg(cdag_open(&g, seen[_i], &d) == OK, "%s", d.message);
  ck_assert_uint_eq((uint64_t)schedule_least_computes(g), count_live(g));
  cdag_free(g);
}
END_TEST

/* D leads to nothing.  Each with the rule the one-shot game finds broken, or none, and the line. */
static const char *const computation = "param n = 3\ninput x[n]\nA[i:n] = x[i]\nD[i:n] = x[i]\nB[i:n] = A[i]\n"
                                       "output B[*]\n";
static const struct { const char *program, *rule; int line; } plays[] = {
  { "load x[*]\ncompute A[*]\ncompute B[*]\nstore B[*]", NULL, 0 },
  { "load x[*]\ncompute A[*]\ncompute D[*]\ncompute B[*]\nstore B[*]", NULL, 0 },
  { "load x[*]\ncompute A[*]\ndrop A[0]\ncompute A[0]\ncompute B[*]\nstore B[*]", "recompute", 4 },
  { "load x[*]\ncompute D[0]\ndrop D[0]\ncompute D[0]\ncompute A[*]\ncompute B[*]\nstore B[*]", "recompute", 4 },
  { "load x[*]\ncompute A[*]\ncompute B[0..2]\ndrop B[1]\ncompute B[1]\nstore B[*]", "recompute", 5 },
  { "load x[*]\ncompute A[*]\ncompute B[0..2]\nstore B[0..2]", "output", 0 },
};

START_TEST(one_shot)
{
  cdag *g;
  schedule *s;
  diag d = { 0 };
  schedule_play_options o = { .rules = { .one_shot = true, .m = 99 }, .engine = PEBBLE_BY_TILE, .fast_forward = true };
  schedule_verdict v;
  ck_assert_int_eq(cdag_parse(&g, "once.cdag", computation, "", &d), OK);
  ck_assert_int_eq(schedule_parse(&s, g, 99, "once.sched", plays[_i].program, "", &d), OK);
  ck_assert_int_eq(schedule_play(s, &o, &v, &d), OK);
  ck_assert_int_eq(v.verdict.legal, plays[_i].rule == NULL);
  ck_assert_pstr_eq(pebble_rule_name(v.verdict.rule), plays[_i].rule);
  ck_assert_int_eq(v.line, plays[_i].line);
  schedule_verdict_clear(&v);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("once");
  TCase *t = support_case(s, "once");
  tcase_add_loop_test(t, random_counts, 0, support_rounds(150));
  tcase_add_loop_test(t, family_counts, 0, COUNT(seen));
  tcase_add_loop_test(t, one_shot, 0, COUNT(plays));
  return support_run(s);
}
