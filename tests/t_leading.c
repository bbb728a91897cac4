/* A formula beside a bound is the formula of that number: over the families, at many memories, it evaluates to the
 * value within 1 %. */
#include "bounds/leading.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct { const char *formula; double value; } known[] = {
  { "2 m n k / sqrt(M)", 2.0 * 20 * 30 * 40 / 8 }, { "m", 20 },
  { "m^2 (1 / 4 + n / M) - k", 400 * (0.25 + 30.0 / 64) - 40 }, { "m k / (2 n)", 20 * 40 / 60.0 },
  { "2^m log2 (4 M) - 1", 1048576.0 * 8 - 1 }, { "3 m + ceil(n/7)", 65 }, { "m/n/k", 20.0 / 30 / 40 },
};

START_TEST(formulas_have_their_values)
{
  cdag *g = bound_text_open("param m n k\ninput A[m]\noutput B[i:m] = A[i]\n", "m=20,n=30,k=40");
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = 64 };
  double v = 0;
  ck_assert_msg(bound_leading_value(&q, known[_i].formula, &v) && fabs(v - known[_i].value) < 1e-6 * fabs(v),
                "%s is %g, not %g", known[_i].formula, v, known[_i].value);
  cdag_free(g);
}
END_TEST

static const char *const nonsense[] = { "",        "2 pairs",   "m n /", "(m",  "m)",
                                        "m + + n", "sqrt m n)", "* m",   "m ^", "m & n" };

START_TEST(nonsense_has_none)
{
  cdag *g = bound_text_open("param m n k\ninput A[m]\noutput B[i:m] = A[i]\n", "m=20,n=30,k=40");
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = 64 };
  double v;
  ck_assert_msg(!bound_leading_value(&q, nonsense[_i], &v), "'%s' is %g", nonsense[_i], v);
  cdag_free(g);
}
END_TEST

/* And how many formulas are printed at the memories below, at the least: one that is not that of its number is none. */
static const struct { const char *spec; int least; } family[] = {
  { "attention:n=4096,d=64", 3 },
  { "attention-causal:n=2000,d=16", 0 },
  { "attention-sparse:n=1024,d=16,b=64,w=4", 0 },
  { "attention-backward:n=2048,d=32", 1 },
  { "attention-lowrank:n=5000,d=16,r=200", 0 },
  { "matmul:m=900,n=800,k=700", 3 },
  { "mlp:m=500,k=60,h=700,n=80", 3 },
  { "cholesky:n=900", 0 },
  { "grid:r=3000,c=2000", 0 },
  { "stencil:w=5000,t=2000", 0 },
  { "syrk:n=600,k=200", 0 },
  { "matvec:m=300,n=500", 1 },
  { "attention-causal-backward:n=2048,d=32", 0 },
  { "attention-sparse-backward:n=384,d=16,b=128,w=2", 0 },
  { "attention-block:n=512,d=16,b=128,r=8", 0 },
  { "attention-gradient:n=1024,d=16", 0 },
  { "attention-online:n=2048,d=16", 4 },
  { "attention-split:n=2048,d=16", 2 },
  { "attention-decode:n=500,d=16,T=40", 0 },
  { "attention-lowrank:n=2000,d=8,g=2", 0 },
  { "stencil2d:w=100,t=50", 1 },
  { "dot:k=5000", 0 },
  { "chain:n=5000", 0 },
};

enum { MEMORIES = 3 };

/* From a few words to more than a computation asks for, each family's its own, ROUNDS for each of a round; where none
 * need be printed one of them, as the row goes, and all from ROUNDS=2 on. */
static uint64_t memory(int row, int k)
{
  return (uint64_t)((8 + row) * pow(97, (double)k / support_rounds(1)));
}

static bool is_asked(int row, int k)
{
  bool all = family[row].least > 0 || support_rounds(1) > 1;
  return !support_left_out(row + k) && (all || (row + k + 2) % MEMORIES == 0);
}

START_TEST(what_is_printed_is_the_value)
{
  cdag *g = NULL;
  diag d = { 0 };
  int printed = 0;
  ck_assert_int_eq(cdag_open(&g, family[_i].spec, &d), OK);
  for (int k = 0; k < MEMORIES * support_rounds(1); k++) {
    if (!is_asked(_i, k))
      continue;
    uint64_t m = memory(_i, k);
    bound_question q = { .work = SEARCH_WORK, .g = g, .m = m };
    bound_list list = { 0 };
    int best;
    ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
    for (size_t i = 0; i < list.n; i++) {
      const bound *b = &list.item[i];
      double v, exact = mpz_get_d(b->value);
      if (b->trust != BOUND_PROVED || b->leading.n == 0 ||
          strstr(b->leading.s, "puts")) /* inputs and outputs are those that bound_all found */
        continue;
      ck_assert_msg(bound_leading_value(&q, b->leading.s, &v) && fabs(v - exact) <= 0.01 * exact,
                    "%s, M = %lu: %s is %.0f and prints %s", family[_i].spec, (unsigned long)m, b->name, exact,
                    b->leading.s);
      printed++;
    }
    bound_list_clear(&list);
  }
  ck_assert_msg(support_sanitized() || printed >= family[_i].least, "%s prints %d formulas", family[_i].spec, printed);
  cdag_free(g);
}
END_TEST

/* Of an explicit graph only the theorem knows the size that its formula speaks of. */
static double of_pyramid(const bound *b, int h, double m)
{
  if (strncmp(b->name, "crossings", strlen("crossings")) != 0)
    return NAN;
  return (strstr(b->name, "one-shot") ? 1 : 0.75) * h * h / m;
}

static double of_fft(const bound *b, int l, double m)
{
  double n = ldexp(1, l);
  if (strcmp(b->name, "fft-hong-kung") == 0)
    return n * (l + 1) / (2 * log2(4 * m)) - m;
  if (strncmp(b->name, "fft-segments", strlen("fft-segments")) != 0)
    return NAN;
  return strstr(text_str(&b->parameters), "loads") ? n * l / log2(m) + n : 2 * n * l / log2(m);
}

static const struct {
  const char *family;
  int from, to, by, more; /* the next size is by times this one, and more */
  double (*value)(const bound *b, int size, double m);
} graphs[] = { { "pyramid:h=%d", 40, 320, 2, 0, of_pyramid }, { "fft:l=%d", 6, 12, 1, 1, of_fft } };

START_TEST(graphs_say_theirs_where_it_is_near)
{
  int printed = 0, not = 0;
  int to = support_sanitized() ? 2 * graphs[_i].from : graphs[_i].to;
  for (int h = graphs[_i].from; h <= to; h = h * graphs[_i].by + graphs[_i].more)
    for (uint64_t m = 4; m <= 64; m *= support_rounds(1) > 1 ? 2 : 4) {
      char spec[40];
      cdag *g = NULL;
      diag d = { 0 };
      int best;
      bound_list list = { 0 };
      snprintf(spec, sizeof spec, graphs[_i].family, h);
      ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
      bound_question q = { .work = 0, .g = g, .m = m };
      ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
      for (size_t i = 0; i < list.n; i++) {
        const bound *b = &list.item[i];
        double value = graphs[_i].value(b, h, (double)m), exact = mpz_get_d(b->value);
        if (isnan(value))
          continue;
        ck_assert_msg((b->leading.n > 0) == (fabs(value - exact) <= 0.01 * exact), "%s, M = %lu: %s is %.0f, not %.0f",
                      spec, (unsigned long)m, b->name, exact, value);
        b->leading.n > 0 ? printed++ : not++;
      }
      bound_list_clear(&list);
      cdag_free(g);
    }
  ck_assert_int_gt(printed, 0);
  ck_assert_int_gt(not, 0);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("leading");
  TCase *c = support_case(s, "leading");
  tcase_add_loop_test(c, formulas_have_their_values, 0, COUNT(known));
  tcase_add_loop_test(c, nonsense_has_none, 0, COUNT(nonsense));
  tcase_add_loop_test(c, what_is_printed_is_the_value, 0, COUNT(family));
  tcase_add_loop_test(c, graphs_say_theirs_where_it_is_near, 0, COUNT(graphs));
  return support_run(s);
}
