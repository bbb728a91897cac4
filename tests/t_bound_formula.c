/* Bounds as formulas: never above the bound that is found for the numbers, not far below it, and none where what is
   counted is no polynomial. */
#include "bounds/affine/formula.h"
#include "bounds/bound.h"
#include "bounds/games.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <math.h>
#include <string.h>

typedef struct { const char *what, *text, *name[3]; int params; const char *says; } sample;
static const sample samples[] = {
  { "product",
    "param n, m, k\ninput A[n,k], B[k,m]\nC[i:n,j:m,s:k] = C[i,j,s-1], A[i,s], B[s,j]\noutput C[*,*,k-1]\n",
    { "n", "m", "k" }, 3, "(2 n m k) / sqrt(M) - 2 M + 1" },
  { "lu",
    "param n\ninput A[n,n,1]\nU[i:n,j:n,k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], A[k,j,k]\n"
    "output L[i:n,j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\noutput U[i:1..n,j:i..n,i-1]\n",
    { "n" }, 1, "(2/3 n^3 - n^2 + 1/3 n) / sqrt(M) - 2 M + n" },
  { "below the diagonal",
    "param n, m\ninput A[n,m]\nC[i:n,j:i,k:m] = C[i,j,k-1], A[i,k], A[j,k]\noutput C[*,*,m-1]\n",
    { "n", "m" }, 2, "sqrt(2) (1/2 n^2 m - 1/2 n m) / sqrt(M) - 2 M + 1" },
};

static cdag *open_sample(void *context, const int64_t *value)
{
  const sample *s = context;
  text assign = { 0 };
  for (int i = 0; i < s->params; i++)
    text_printf(&assign, "%s%s=%ld", i ? "," : "", s->name[i], (long)value[i]);
  cdag *g = NULL;
  diag d = { 0 };
  if (cdag_parse(&g, "own", s->text, text_str(&assign), &d) != OK) { /* too small to be a computation */
    cdag_free(g);
    g = NULL;
  }
  text_clear(&assign);
  return g;
}

static int formulas_of(const sample *s, bound_formula *f)
{
  const int64_t base[3] = { 60, 63, 66 };
  formula_question q = { s->params, s->name, base, open_sample, (void *)s };
  return bound_formulas(&q, f);
}

static double number_of(const sample *s, const int64_t *x, uint64_t m, bool one_shot)
{
  cdag *g = open_sample((void *)s, x);
  bound_question q = { .g = g, .m = m, .one_shot = one_shot };
  bound_list list = { 0 };
  diag d = { 0 };
  double value = 0;
  ck_assert_int_eq(bound_theorem_find("affine")->apply(&q, &list, &d), OK);
  for (size_t i = 0; i < list.n; i++)
    if (bound_holds_in(&list.item[i], &q))
      value = fmax(value, mpz_get_d(list.item[i].value));
  bound_list_clear(&list);
  cdag_free(g);
  return value;
}

START_TEST(formulas_say_what_numbers_say)
{
  const sample *s = &samples[_i];
  bound_formula f[FORMULAS_MOST];
  support_random r = { (uint64_t)_i + 1 };
  text last = { 0 };
  int n = formulas_of(s, f);
  ck_assert_msg(n >= 2, "%s: %d formulas", s->what, n);
  bound_formula_print(&f[n - 1], s->name, &last);
  ck_assert_msg(strcmp(text_str(&last), s->says) == 0, "%s: %s", s->what, text_str(&last));
  for (int k = 0; k < support_rounds(1); k++) {
    int64_t x[3], m = support_between(&r, 4, 90);
    for (int i = 0; i < 3; i++)
      x[i] = support_between(&r, 40, 400);
    for (int i = 0; i < n; i++) {
      double formula = bound_formula_value(&f[i], x, (double)m), number = number_of(s, x, (uint64_t)m, f[i].one_shot);
      ck_assert_msg(formula <= number * (1 + 1e-9), "%s: %g above %g", s->what, formula, number);
      ck_assert_msg(i + 1 < n || formula > .7 * number, "%s: %g far below %g", s->what, formula, number);
    }
  }
  for (int i = 0; i < n; i++)
    bound_formula_clear(&f[i]);
  text_clear(&last);
}
END_TEST

START_TEST(no_polynomial_no_formula)
{
  static const sample odd = {
    "every other",
    "param n\ninput A[n,n], B[n,n]\nC[i:n,j:n,k:n/2] = C[i,j,k-1], A[i,2*k], B[k,j]\noutput C[*,*,n/2-1]\n",
    { "n" }, 1, NULL
  };
  bound_formula f[FORMULAS_MOST];
  ck_assert_int_eq(formulas_of(&odd, f), 0);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("formulas of bounds");
  TCase *t = support_case(s, "formulas");
  tcase_add_loop_test(t, formulas_say_what_numbers_say, 0, COUNT(samples));
  tcase_add_test(t, no_polynomial_no_formula);
  return support_run(s);
}
