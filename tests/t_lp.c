/* Random linear programs against brute force over vertices in exact arithmetic; certificates; life beside igraph's
 * hooks. */
#include "base/mem.h"
#include "bounds/program/lp.h"
#include "tests/support.h"
#include <igraph.h>
#include <math.h>

enum { MOST = 4 };

/* min c.x, A x >= b, x >= 0 with c >= 0: bounded, and feasible exactly when it has a vertex */
static void random_program(lp_problem *p, uint64_t seed)
{
  support_random r = { seed };
  lp_init(p, (int)support_between(&r, 1, MOST), (int)support_between(&r, 1, MOST));
  for (int i = 0; i < p->rows; i++) {
    mpq_set_si(p->b[i], support_between(&r, -3, 6), 1);
    for (int j = 0; j < p->cols; j++)
      lp_set(p, i, j, support_between(&r, -2, 4));
  }
  for (int j = 0; j < p->cols; j++)
    mpq_set_si(p->c[j], support_between(&r, 0, 5), 1);
}

/* Gauss-Jordan on n equations, columns 0..n-1 and the right side n; false when singular */
static bool eliminate(mpq_t e[MOST][MOST + 1], int n)
{
  mpq_t t, u;
  mpq_inits(t, u, NULL);
  bool good = true;
  for (int c = 0; c < n && good; c++) {
    int at = c;
    while (at < n && !mpq_sgn(e[at][c]))
      at++;
    good = at < n;
    for (int k = 0; k <= n && good; k++)
      mpq_swap(e[at][k], e[c][k]);
    for (int i = 0; i < n && good; i++) {
      if (i == c || !mpq_sgn(e[i][c]))
        continue;
      mpq_div(t, e[i][c], e[c][c]);
      for (int k = c; k <= n; k++) {
        mpq_mul(u, t, e[c][k]);
        mpq_sub(e[i][k], e[i][k], u);
      }
    }
  }
  for (int c = 0; c < n && good; c++)
    mpq_div(e[c][n], e[c][n], e[c][c]);
  mpq_clears(t, u, NULL);
  return good;
}

/* the vertex where the constraints of the set `tight` hold with equality (bit i < rows: a row, else a sign) */
static bool vertex(lp_problem *p, unsigned tight, mpq_t *x)
{
  mpq_t e[MOST][MOST + 1];
  int n = 0;
  for (int i = 0; i < MOST; i++)
    for (int k = 0; k <= MOST; k++)
      mpq_init(e[i][k]);
  for (int i = 0; i < p->rows + p->cols; i++) {
    if (!(tight >> i & 1))
      continue;
    for (int j = 0; j < p->cols; j++)
      if (i < p->rows)
        mpq_set(e[n][j], lp_at(p, i, j));
      else
        mpq_set_si(e[n][j], j == i - p->rows, 1);
    if (i < p->rows)
      mpq_set(e[n][p->cols], p->b[i]);
    n++;
  }
  bool good = eliminate(e, n);
  for (int j = 0; j < p->cols && good; j++)
    mpq_set(x[j], e[j][p->cols]);
  for (int i = 0; i < MOST; i++)
    for (int k = 0; k <= MOST; k++)
      mpq_clear(e[i][k]);
  return good;
}

static void add_product(mpq_t sum, mpq_srcptr a, mpq_srcptr b)
{
  mpq_t product;
  mpq_init(product);
  mpq_mul(product, a, b);
  mpq_add(sum, sum, product);
  mpq_clear(product);
}

static bool is_feasible(lp_problem *p, const mpq_t *x, mpq_t value)
{
  bool good = true;
  for (int j = 0; j < p->cols; j++)
    good = good && mpq_sgn(x[j]) >= 0;
  for (int i = 0; i < p->rows; i++) {
    mpq_set_ui(value, 0, 1);
    for (int j = 0; j < p->cols; j++)
      add_product(value, lp_at(p, i, j), x[j]);
    good = good && mpq_cmp(value, p->b[i]) >= 0;
  }
  mpq_set_ui(value, 0, 1);
  for (int j = 0; j < p->cols; j++)
    add_product(value, p->c[j], x[j]);
  return good;
}

static bool brute_force(lp_problem *p, mpq_t best)
{
  bool found = false;
  mpq_t x[MOST], value;
  mpq_init(value);
  for (int j = 0; j < MOST; j++)
    mpq_init(x[j]);
  for (unsigned tight = 0; tight < 1u << (p->rows + p->cols); tight++)
    if (__builtin_popcount(tight) == p->cols && vertex(p, tight, x) && is_feasible(p, (const mpq_t *)x, value) &&
        (!found || mpq_cmp(value, best) < 0)) {
      found = true;
      mpq_set(best, value);
    }
  for (int j = 0; j < MOST; j++)
    mpq_clear(x[j]);
  mpq_clear(value);
  return found;
}

static void compare(uint64_t seed)
{
  lp_problem p;
  lp_answer a;
  diag d;
  mpq_t best, value, y[MOST];
  mpq_inits(best, value, NULL);
  for (int i = 0; i < MOST; i++)
    mpq_init(y[i]);
  random_program(&p, seed);
  ck_assert_int_eq(lp_solve(&p, &a, &d), OK);
  bool feasible = brute_force(&p, best);
  ck_assert_int_eq(a.verdict, feasible ? LP_OPTIMAL : LP_INFEASIBLE);
  if (feasible) {
    ck_assert(fabs(a.value_estimate - mpq_get_d(best)) < 1e-9);
    ck_assert(lp_dual_certify(&p, a.dual_estimate, 1000, y, value));
    ck_assert_msg(mpq_equal(value, best), "the certified dual is not the optimum");
    ck_assert(lp_dual_feasible(&p, (const mpq_t *)y, value));
  }
  lp_answer_clear(&a);
  lp_clear(&p);
  for (int i = 0; i < MOST; i++)
    mpq_clear(y[i]);
  mpq_clears(best, value, NULL);
}

START_TEST(random_programs)
{
  for (int k = 0; k < support_rounds(10); k++)
    compare((uint64_t)_i * 1000003 + (uint64_t)k);
}
END_TEST

/* Whatever the estimate says, a certified value never exceeds the optimum. */
START_TEST(wild_estimates_stay_below)
{
  lp_problem p;
  mpq_t best, value, y[MOST];
  mpq_inits(best, value, NULL);
  for (int i = 0; i < MOST; i++)
    mpq_init(y[i]);
  random_program(&p, (uint64_t)_i);
  bool feasible = brute_force(&p, best);
  support_random r = { (uint64_t)_i + 77 };
  for (int k = 0; k < 50 && feasible; k++) {
    double wild[MOST];
    for (int i = 0; i < MOST; i++)
      wild[i] = (double)support_between(&r, -50, 300) / 64;
    if (lp_dual_certify(&p, wild, 16, y, value))
      ck_assert(mpq_cmp(value, best) <= 0);
  }
  lp_clear(&p);
  for (int i = 0; i < MOST; i++)
    mpq_clear(y[i]);
  mpq_clears(best, value, NULL);
}
END_TEST

/* min -x - y, x + 2y <= 8, x + z = 5, x <= 3 a bound, y an integer column */
static void mixed_program(lp_problem *p)
{
  lp_init(p, 0, 2);
  lp_add_row(p, LP_LE);
  lp_add_row(p, LP_EQ);
  int z = lp_add_col(p);
  lp_set(p, 0, 0, 1), lp_set(p, 0, 1, 2);
  mpq_set_si(p->b[0], 8, 1);
  lp_set(p, 1, 0, 1), lp_set(p, 1, z, 1);
  mpq_set_si(p->b[1], 5, 1);
  mpq_set_si(p->c[0], -1, 1), mpq_set_si(p->c[1], -1, 1);
  p->has_upper[0] = true;
  mpq_set_si(p->upper[0], 3, 1);
}

START_TEST(mixed_rows_and_bounds)
{
  lp_problem p;
  lp_answer a;
  diag d;
  mpq_t y[2], value;
  mpq_inits(y[0], y[1], value, NULL);
  mixed_program(&p);
  ck_assert_int_eq(lp_solve(&p, &a, &d), OK);
  ck_assert_int_eq(a.verdict, LP_OPTIMAL);
  ck_assert(fabs(a.value_estimate + 5.5) < 1e-9); /* x = 3, y = 5/2 */
  ck_assert(lp_dual_certify(&p, a.dual_estimate, 100, y, value));
  mpq_t expected;
  mpq_init(expected);
  mpq_set_si(expected, -11, 2);
  ck_assert(mpq_equal(value, expected));
  mpq_clear(expected);
  lp_answer_clear(&a);
  lp_clear(&p);
  mpq_clears(y[0], y[1], value, NULL);
}
END_TEST

START_TEST(verdicts)
{
  lp_problem p;
  lp_answer a;
  diag d;
  lp_init(&p, 1, 1);
  mpq_set_si(p.c[0], -1, 1);
  lp_set(&p, 0, 0, 1);
  mpq_set_si(p.b[0], 1, 1);
  ck_assert_int_eq(lp_solve(&p, &a, &d), OK);
  ck_assert_int_eq(a.verdict, LP_UNBOUNDED);
  lp_answer_clear(&a);
  p.sense[0] = LP_LE;
  mpq_set_si(p.b[0], -1, 1);
  ck_assert_int_eq(lp_solve(&p, &a, &d), OK);
  ck_assert_int_eq(a.verdict, LP_INFEASIBLE);
  lp_answer_clear(&a);
  lp_clear(&p);
}
END_TEST

static const struct { double v; long most; long num; unsigned long den; } near[] = {
  { 0.333333333333, 10, 1, 3 }, { -0.75, 100, -3, 4 }, { 4.0000000000000009, 1000, 4, 1 }, { 0, 5, 0, 1 },
  { 3.14159265358979, 10, 22, 7 }, { 3.14159265358979, 1000, 355, 113 }, { 65536.5, 4, 131073, 2 },
};
START_TEST(fractions_near)
{
  mpq_t q, expected;
  mpq_inits(q, expected, NULL);
  lp_fraction_near(near[_i].v, near[_i].most, q);
  mpq_set_si(expected, near[_i].num, near[_i].den);
  ck_assert_msg(mpq_equal(q, expected), "got %g", mpq_get_d(q));
  mpq_clears(q, expected, NULL);
}
END_TEST

/* igraph solves this integer program with GLPK and leaves its hooks installed, with the longjmp target of a dead frame.
 */
static void let_igraph_use_glpk(void)
{
  igraph_t g;
  igraph_vector_int_t edges;
  igraph_small(&g, 4, IGRAPH_DIRECTED, 0, 1, 1, 2, 2, 0, 2, 3, 3, 1, -1);
  igraph_vector_int_init(&edges, 0);
  ck_assert_int_eq(igraph_feedback_arc_set(&g, &edges, NULL, IGRAPH_FAS_EXACT_IP), IGRAPH_SUCCESS);
  ck_assert_int_ge(igraph_vector_int_size(&edges), 1);
  igraph_vector_int_destroy(&edges);
  igraph_destroy(&g);
}

START_TEST(beside_igraph)
{
  for (int k = 0; k < 3; k++) {
    compare((uint64_t)k);
    let_igraph_use_glpk();
    compare((uint64_t)k + 100);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("lp");
  TCase *c = support_case(s, "lp");
  tcase_add_loop_test(c, random_programs, 0, 40);
  tcase_add_loop_test(c, wild_estimates_stay_below, 0, 20);
  tcase_add_test(c, mixed_rows_and_bounds);
  tcase_add_test(c, verdicts);
  tcase_add_loop_test(c, fractions_near, 0, COUNT(near));
  tcase_add_test(c, beside_igraph);
  return support_run(s);
}
