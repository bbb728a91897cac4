/* Loads and stores of single values that leave their arrays in some iterations only: the formula, for all lengths of
 * blocks, against counting. */
#include "schedules/symbolic/walk.h"
#include "tests/support.h"
#include <stdio.h>

static const char *const computation =
  "param n\ninput A[n], B[n,n]\ninput S[s:n+1, i:n] = S[s-1,i-1], S[s-1,i], S[s-1,i+1]\noutput S[n,*]\n"
  "P[i:n, j:i+1] = A[j]\noutput P[*,*]\n";

/* In a block T of a values, of n in all. */
static const char *const inner[] = {
  "for x in n + len(T) { load S[lo(T),x]\n store S[hi(T),x - len(T)] }",
  "for x in n + 3 { load A[x - 2]\n store A[x], B[lo(T),x] }",
  "for x in len(T) { load A[lo(T) + x], A[x + 1]\n for y in 3 { drop A[y] } }",
  "for x in hi(T) { load B[x,*], B[x - 1,T] }",
  "for x in n { load A[x + a], B[x + lo(T),0] }",
  "for x in 2..n { load P[x,0..2], P[n - 1,x] }",
  "for x in lo(T)..n + 2 { load A[x]\n store A[x - lo(T)] }",
  "for x in n + 2 { load A[0 - 1 + x], A[0]\n if x == 2 { drop A[0] } }",
  "for x in n + 2 { load A[x - 1]\n if x == 2 { load A[0] } }",
  "for x in n + 2 { load A[2*x] }",
  "for x in n + 2 { load B[x,x] }",
  "for x in n + 2 { load A[x - 1 + len(x)] }",
  "for x in n + 2 { load A[x - 1 + last(x)] }",
  "for x in n + 2 { load A[2 - x] }",
  "for x in n + 2 { load A[x - x + 1], A[n - 1 - x/2] }",
  "for x in n + 2 { load A[0..x + 1] }",
  "for x in n + 2 { load A[2*x - 1] }",
  "for x in n + 2 { load A[x + 1], B[T,x..x + 1] }",
  "for x in len(T) - 2 { load A[x - 1] }",
  "for x in n - len(T) { load A[x - 1] }",
  "for x in n + 2 reversed { load B[x - 1,1..3], B[lo(T),x - 2] }",
  "for x in len(T) - 1 { load A[x + 4] }",
};

static bool number(const poly_world *w, poly p, const schedule *s, const int64_t *slot, int64_t *v)
{
  expr_env env = { slot, s->g->table };
  return poly_value(w, p, &env, v);
}

static void compare(schedule *s, const formula *f, poly io, const char *source)
{
  pebble_rules rules = { .m = s->m };
  schedule_counts c = { 0 };
  diag d = { 0 };
  int64_t v;
  ck_assert_int_eq(schedule_count(s, &rules, &c, &d), OK);
  uint64_t words = c.loads + c.stores;
  ck_assert_msg(!c.countable || (number(&f->world, io, s, f->slot, &v) && (uint64_t)v == words),
                "%ld, counted %ld at a = %ld in\n%s", (long)v, (long)words, (long)s->param[0].value, source);
  schedule_counts_clear(&c);
}

START_TEST(texts)
{
  support_random r = { (uint64_t)_i };
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  formula f;
  poly io = { 0 };
  text program = { 0 }, reason = { 0 };
  char assign[32];
  int64_t n = support_between(&r, 3, 11);
  snprintf(assign, sizeof assign, "n=%d", (int)n);
  ck_assert_msg(cdag_parse(&g, "spread.cdag", computation, assign, &d) == OK, "%s", d.message);
  text_add(&program, "param a = 1\nfor T in n by a {\n");
  for (int64_t k = support_between(&r, 1, 2); k > 0; k--)
    text_printf(&program, "  %s\n", inner[_i < COUNT(inner) ? _i : support_between(&r, 0, COUNT(inner) - 1)]);
  text_add(&program, "}\n");
  ck_assert_msg(schedule_parse(&s, g, 1 << 20, "spread.sched", text_str(&program), "a=1", &d) == OK, "%s in\n%s",
                d.message, text_str(&program));
  formula_init(&f, s, &reason);
  int slot = s->slot_param;
  for (int i = 0; i <= slot; i++)
    f.number[i] = i < slot;
  f.span[slot] = (span){ 1, n };
  bool ok = formula_add(&f, s->body, &io) && !f.world.failed;
  ck_assert_msg(ok || _i != 0, "no formula: %s", text_str(&reason)); /* the skewed sweep */
  for (int64_t a = 1; a <= n && ok; a++) {
    s->param[0].value = f.slot[slot] = a;
    compare(s, &f, io, text_str(&program));
  }
  formula_clear(&f);
  text_clear(&program);
  text_clear(&reason);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("formula_spread");
  TCase *c = support_case(s, "all values at once");
  tcase_add_loop_test(c, texts, 0, support_rounds(300));
  return support_run(s);
}
