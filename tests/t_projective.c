/* Projective bounds: known constants, and brute force over sets of steps. */
#include "base/mem.h"
#include "bounds/program/projective.h"
#include "tests/support.h"
#include <math.h>
#include <string.h>

static proj_item plain(unsigned loops, int purse, int64_t words)
{
  return (proj_item){ .loops = loops, .parts = 1, .part = { { purse, words, 1, -1, 0 } }, .power_den = 1, .factor = 1 };
}

static double steps_at(const proj_way *w, int64_t words)
{
  proj_exponents e;
  diag d;
  mpz_t h, x;
  mpz_init(h);
  mpz_init_set_si(x, words);
  ck_assert_int_eq(bound_proj_solve(w, words, &e, &d), OK);
  ck_assert(bound_proj_covers(w, &e));
  bound_proj_steps(w, &e, x, h);
  double v = mpz_get_d(h);
  mpz_clears(h, x, NULL);
  return v;
}

static void assert_near(double got, double expected, double most)
{
  ck_assert_msg(got >= expected * (1 - 1e-9) - 1 && got <= expected * most, "%.8g for %.8g", got, expected);
}

/* loops i j l; C(i,j) chain, A(i,l), B(l,j) */
static proj_way matmul(int64_t m, int64_t n, int64_t k)
{
  return (proj_way){
    .loops = 3, .extent = { m, n, k }, .items = 3, .item = { plain(3, 0, 1), plain(5, 1, 1), plain(6, 2, 1) }
  };
}

START_TEST(matmul_constants)
{
  proj_way w = matmul(10000, 10000, 10000);
  for (int64_t x = 300; x < 1000000; x = 2 * x + 1)
    assert_near(steps_at(&w, x), pow((double)x / 3, 1.5), 1 + 1e-9);
  for (int64_t d = 8; d < 200; d *= 2) { /* tall and skinny: d (sqrt(X + d^2) - d)^2 once X > 3 d^2 */
    w = matmul(100000, 100000, d);
    for (int64_t x = 4 * d * d; x < 1000 * d * d; x *= 3)
      assert_near(steps_at(&w, x), (double)d * pow(sqrt((double)(x + d * d)) - (double)d, 2), 1.001);
  }
  w = matmul(7, 5, 3); /* everything fits */
  assert_near(steps_at(&w, 100000), 105, 1);
}
END_TEST

/* Z(i,l,j): loops i l j; pair values from Q and K */
static proj_way attention(int64_t n, int64_t dk, int64_t dv, bool local)
{
  proj_way w = {
    .loops = 3, .extent = { n, dv, n }, .items = 3, .item = { plain(3, 0, 1), plain(6, 1, 1), plain(5, 2, 1) }
  };
  if (local)
    w.item[2] = (proj_item){
      .loops = 5, .parts = 2, .part = { { 2, dk, 1, -1, 0 }, { 3, dk, 1, -1, 0 } }, .power_den = 1, .factor = 1
    };
  return w;
}

START_TEST(attention_constants)
{
  static const struct {
    int64_t dk, dv;
  } shape[] = { { 64, 64 }, { 32, 64 }, { 64, 32 }, { 16, 128 } };
  for (int i = 0; i < COUNT(shape); i++) {
    double dk = (double)shape[i].dk, dv = (double)shape[i].dv;
    for (int64_t x = 20000; x < 3000000; x *= 2) {
      double f = (double)x;
      proj_way w = attention(1 << 20, shape[i].dk, shape[i].dv, false);
      double carried = f <= 3 * dv * dv ? pow(f / 3, 1.5) : dv * pow(sqrt(dv * dv + f) - dv, 2);
      assert_near(steps_at(&w, x), carried, 1.001);
      w = attention(1 << 20, shape[i].dk, shape[i].dv, true);
      assert_near(steps_at(&w, x), dv >= dk ? f * f / (16 * dk) : dv * f * f / (4 * (dk + dv) * (dk + dv)), 1.001);
    }
  }
}
END_TEST

/* MTTKRP: A(i,r) += X(i,j,k) B(j,r) C(k,r): exponent 5/3, X(i,j,k) and A, B, C at (i,r), (j,r), (k,r). */
START_TEST(mttkrp_exponent)
{
  proj_way w = { .loops = 4,
                 .extent = { 100000, 100000, 100000, 100000 },
                 .items = 4,
                 .item = { plain(9, 0, 1), plain(7, 1, 1), plain(10, 2, 1), plain(12, 3, 1) } };
  for (int64_t x = 1000; x < 10000000; x *= 10) { /* s = 2/3 for X, 1/3 for the others: X^(5/3) / ... */
    double s = 5. / 3, v = pow((double)x / s, s) * pow(2. / 3, 2. / 3) * pow(1. / 3, 1);
    assert_near(steps_at(&w, x), v, 1.0001);
  }
}
END_TEST

/* ---- brute force ---- */

static proj_way random_way(support_random *r)
{
  proj_way w = { .loops = (int)support_between(r, 2, 4) };
  for (int i = 0; i < w.loops; i++)
    w.extent[i] = support_between(r, 1, 6);
  w.items = (int)support_between(r, 1, 4);
  for (int t = 0; t < w.items; t++)
    w.item[t] = plain((unsigned)support_between(r, 1, (1 << w.loops) - 1), (int)support_between(r, 0, 3),
                      support_between(r, 1, 3));
  if (support_between(r, 0, 2) == 0) { /* one made of its loops, each from a purse of its own */
    proj_item *o = &w.item[0];
    *o = (proj_item){ .loops = (unsigned)support_between(r, 1, (1 << w.loops) - 1), .power_den = 1, .factor = 1 };
    for (int i = 0; i < w.loops; i++)
      if (o->loops >> i & 1) {
        if (support_between(r, 0, 3) == 0)
          o->factor *= w.extent[i];
        else
          o->part[o->parts++] = (proj_part){ 4 + i, support_between(r, 1, 3), 1, -1, 0 };
      }
  }
  return w;
}

enum { POINTS = 1296 };

static int settings(const proj_way *w, unsigned loops, const int64_t (*x)[PROJ_LOOPS], int n)
{
  static unsigned char seen[POINTS];
  int count = 0;
  memset(seen, 0, sizeof seen);
  for (int p = 0; p < n; p++) {
    int64_t key = 0;
    for (int i = 0; i < w->loops; i++)
      key = loops >> i & 1 ? key * w->extent[i] + x[p][i] : key;
    count += !seen[key];
    seen[key] = 1;
  }
  return count;
}

/* words a set of steps needs: in each purse the most that one of its items needs */
static int64_t words_of(const proj_way *w, const int64_t (*x)[PROJ_LOOPS], int n)
{
  int64_t purse[PROJ_PURSES] = { 0 }, sum = 0;
  for (int t = 0; t < w->items; t++) {
    const proj_item *o = &w->item[t];
    for (int k = 0; k < o->parts; k++) {
      unsigned loops = o->parts == 1 && o->part[k].purse < 4 ? o->loops : 1u << (o->part[k].purse - 4);
      int64_t need = o->part[k].words * settings(w, loops, x, n);
      purse[o->part[k].purse] = need > purse[o->part[k].purse] ? need : purse[o->part[k].purse];
    }
  }
  for (int p = 0; p < PROJ_PURSES; p++)
    sum += purse[p];
  return sum;
}

static int random_set(support_random *r, const proj_way *w, int64_t (*x)[PROJ_LOOPS])
{
  int64_t lo[PROJ_LOOPS], hi[PROJ_LOOPS], at[PROJ_LOOPS] = { 0 };
  int n = 0, keep = (int)support_between(r, 1, 4);
  for (int i = 0; i < w->loops; i++) {
    lo[i] = support_between(r, 0, w->extent[i] - 1);
    hi[i] = support_between(r, lo[i] + 1, w->extent[i]);
    at[i] = lo[i];
  }
  for (;;) {
    if (keep == 4 || support_between(r, 0, 3) < keep)
      memcpy(x[n++], at, sizeof at);
    int i = 0;
    while (i < w->loops && ++at[i] == hi[i])
      at[i] = lo[i], i++;
    if (i == w->loops)
      return n;
  }
}

START_TEST(no_set_of_steps_beats_it)
{
  static int64_t x[POINTS][PROJ_LOOPS];
  support_random r = { (uint64_t)_i };
  proj_way w = random_way(&r);
  proj_exponents e;
  diag d;
  mpz_t h, have;
  mpz_inits(h, have, NULL);
  for (int64_t size = 8; size <= 200; size *= 5) {
    ck_assert_int_eq(bound_proj_solve(&w, size, &e, &d), OK);
    ck_assert(bound_proj_covers(&w, &e));
    for (int k = 0; k < support_rounds(60); k++) {
      int n = random_set(&r, &w, x);
      int64_t words = words_of(&w, (const int64_t(*)[PROJ_LOOPS])x, n);
      mpz_set_si(have, words);
      bound_proj_steps(&w, &e, have, h);
      ck_assert_msg(mpz_cmp_si(h, n) >= 0, "%d steps from %ld words, bound %ld", n, (long)words, mpz_get_si(h));
    }
  }
  mpz_clears(h, have, NULL);
}
END_TEST

/* ---- statements ---- */

START_TEST(events_of_matmul)
{
  static const struct {
    int64_t n, m;
  } size[] = { { 1024, 3000 }, { 4096, 65536 }, { 300, 100 } };
  int64_t n = size[_i].n, m = size[_i].m;
  proj_statement s = { .ways = 1, .way = { matmul(n, n, n) }, .best_way_alone = true };
  segment_cut c;
  diag d;
  mpz_t steps;
  mpz_init_set_si(steps, n * n * n);
  segment_cut_init(&c);
  double rate;
  ck_assert_int_eq(bound_proj_learn(&s, m, steps, &rate, &d), OK);
  ck_assert_int_eq(bound_proj_events(&s, steps, m, &c, &d), OK);
  ck_assert(fabs(rate * mpz_get_d(steps) - mpz_get_d(c.events)) < 4 * (double)m);
  double lead = 2 * pow((double)n, 3) / sqrt((double)m);
  ck_assert_msg(mpz_get_d(c.events) <= lead * 1.001 && mpz_get_d(c.events) >= lead - 2.1 * (double)m, "%g, lead %g",
                mpz_get_d(c.events), lead);
  segment_cut_clear(&c);
  mpz_clear(steps);
}
END_TEST

START_TEST(tile_of_matmul)
{
  double tile[PROJ_LOOPS];
  diag d;
  proj_way w = matmul(1000, 1000, 1000);
  ck_assert_int_eq(bound_proj_tile_estimate(&w, 30000, tile, &d), OK);
  for (int i = 0; i < 3; i++)
    ck_assert(fabs(tile[i] - 100) < 2);
  w = matmul(1000, 1000, 10); /* a^2 + 20 a = 30000 */
  ck_assert_int_eq(bound_proj_tile_estimate(&w, 30000, tile, &d), OK);
  ck_assert(fabs(tile[2] - 10) < .2 && fabs(tile[0] - 163.5) < 8);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("projective");
  TCase *c = support_case(s, "constants");
  tcase_add_test(c, matmul_constants);
  tcase_add_test(c, attention_constants);
  tcase_add_test(c, mttkrp_exponent);
  tcase_add_loop_test(c, no_set_of_steps_beats_it, 0, 120);
  c = support_case(s, "statements");
  tcase_add_loop_test(c, events_of_matmul, 0, 3);
  tcase_add_test(c, tile_of_matmul);
  return support_run(s);
}
