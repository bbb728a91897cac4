/* One computation in several spellings gets schedules that move the same within 2 %: sums that begin with a value as it
   is, with a copy of it under another name, or with their first step under another name, their indices in any order;
   factorisations whose matrix is one array, or one below the diagonal and one above it, or on it. */
#include "cdag/unite.h"
#include "tests/support_found.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- sums ---- */

typedef enum { PLAIN, COPIED, COPIED_UNIT, PEELED, BEGINNINGS } beginning;
typedef struct {
  bool triangle, twice;        /* j up to i; two products */
  beginning begin;
  int place;                   /* of the sum's own index, from the left */
} sum_spelling;

static void put_index(text *out, int place, const char *k)
{
  const char *rest[] = { "i", "j" };
  for (int q = 0, r = 0; q < 3; q++)
    text_printf(out, "%s%s", q ? "," : "", q == place ? k : rest[r++]);
}

static void put_range(text *out, const sum_spelling *s)
{
  const char *rest[] = { "i:n", s->triangle ? "j:i+1" : "j:m" };
  for (int q = 0, r = 0; q < 3; q++)
    text_printf(out, "%s%s", q ? ", " : "", q == s->place ? s->begin == PEELED ? "k:1..l" : "k:l" : rest[r++]);
}

static void put_sum(const sum_spelling *s, text *out)
{
  static const char *const step[] = { "C[i,j] if k == 0", "F[i,j] if k == 0", "F[i,j,k]", "F[i,j] if k == 1" };
  const char *j = s->triangle ? "j:i+1" : "j:m", *b = s->triangle ? "A" : "B";
  text_printf(out, "param n, m, l\ninput A[n,l], B[m,l], D[n,l], E[m,l], C[i:n, %s]\n", j);
  if (s->begin != PLAIN)
    text_printf(out, "F[i:n, %s%s] = C[i,j]", j, s->begin == COPIED_UNIT ? ", z:1" : "");
  if (s->begin == PEELED)
    text_printf(out, ", A[i,0], %s[j,0]%s", b, s->twice ? ", D[i,0], E[j,0]" : "");
  text_add(out, s->begin != PLAIN ? "\nS[" : "S[");
  put_range(out, s);
  text_add(out, "] = S[");
  put_index(out, s->place, "k-1");
  text_printf(out, "], %s, A[i,k], %s[j,k]%s\noutput S[", step[s->begin], b, s->twice ? ", D[i,k], E[j,k]" : "");
  const char *last[] = { "*", "*" };
  for (int q = 0, r = 0; q < 3; q++)
    text_printf(out, "%s%s", q ? "," : "", q == s->place ? "l-1" : last[r++]);
  text_add(out, "]\n");
}

/* ---- factorisations ---- */

static const char *const lu[] = {
  "param n\ninput A[n,n]\n"
  "U[i:1..n, j:1..n, k:min(i,j)] = U[i,j,k-1], A[i,j] if k == 0, L[i,k], U[k,j,k-1], A[0,j] if k == 0\n"
  "output L[i:1..n, j:i] = U[i,j,j-1], A[i,0] if j == 0, U[j,j,j-1], A[0,0] if j == 0\n"
  "output U[i:1..n, j:i..n, i-1]\n",
  "param n\ninput A[n,n]\n"
  "X[i:2..n, j:1..i, k:j] = X[i,j,k-1], A[i,j] if k == 0, L[i,k], Y[k,j,k-1], A[0,j] if k == 0\n"
  "output L[i:1..n, j:i] = X[i,j,j-1], A[i,0] if j == 0, Y[j,j,j-1], A[0,0] if j == 0\n"
  "Y[i:1..n, j:i..n, k:i] = Y[i,j,k-1], A[i,j] if k == 0, L[i,k], Y[k,j,k-1], A[0,j] if k == 0\n"
  "output Y[i:1..n, j:i..n, i-1]\n",
  "param n\ninput A[n,n]\n"
  "X[i:2..n, j:1..i, k:j] = X[i,j,k-1], A[i,j] if k == 0, L[i,k], Y[k,j,k-1], A[0,j] if k == 0\n"
  "output L[i:1..n, j:i] = X[i,j,j-1], A[i,0] if j == 0, Z[j,j-1], A[0,0] if j == 0\n"
  "Y[i:1..n-1, j:i+1..n, k:i] = Y[i,j,k-1], A[i,j] if k == 0, L[i,k], Y[k,j,k-1], A[0,j] if k == 0\n"
  "Z[i:1..n, k:i] = Z[i,k-1], A[i,i] if k == 0, L[i,k], Y[k,i,k-1], A[0,i] if k == 0\n"
  "output Y[i:1..n, j:i+1..n, i-1], Z[i:1..n, i-1]\n",
};

static const char *const cholesky[] = {
  "param n\ninput A[i:n, j:i+1]\n"
  "C[i:1..n, j:1..i+1, k:j] = C[i,j,k-1], A[i,j] if k == 0, L[i,k], L[j,k]\n"
  "output L[i:1..n, j:i] = C[i,j,j-1], A[i,0] if j == 0, D[j]\noutput D[i:n] = C[i,i,i-1], A[0,0] if i == 0\n",
  "param n\ninput A[i:n, j:i+1]\n"
  "C[i:2..n, j:1..i, k:j] = C[i,j,k-1], A[i,j] if k == 0, L[i,k], L[j,k]\n"
  "output L[i:1..n, j:i] = C[i,j,j-1], A[i,0] if j == 0, D[j]\n"
  "E[i:1..n, k:i] = E[i,k-1], A[i,i] if k == 0, L[i,k]\noutput D[i:n] = E[i,i-1], A[0,0] if i == 0\n",
};

/* Levinson's recursion: what is read once, by an index that leaves its array, and under a condition. */
static const char *const levinson[] = {
  "param n\ninput r[n]\ny0[k:1, z:1] = r[0]\na0[k:1] = r[0]\nb[k:1..n] = b[k-1], a[k-1,0], a0[k-1]\n"
  "S[k:1..n, i:k] = S[k,i-1], r[k-i-1], Z[k-1,i], a[k-1,i-k+1], y0[k-1,i-k+1]\na[k:1..n, z:1] = r[k], S[k,k-1], b[k]\n"
  "Z[k:1..n, i:k] = a[k,0], Z[k-1,i], a[k-1,i-k+1], y0[k-1,i-k+1], Z[k-1,k-1-i], a[k-1,-i], y0[k-1,-i]\n"
  "output Z[n-1,*], a[n-1,0]\n",
  "param n\ninput r[n]\ny0[z:1] = r[0]\na0[z:1] = r[0]\nb[k:1..n] = a0[0] if k == 1, a[k-1], b[k-1]\n"
  "S[k:1..n, i:k] = S[k,i-1], r[k-i-1], y0[0] if k == 1, a[k-1] if i+1 == k, Z[k-1,i]\n"
  "a[k:1..n] = r[k], S[k,k-1], b[k]\n"
  "Z[k:1..n, i:k] = a[k-1] if i+1 == k, Z[k-1,i], y0[0] if k == 1, a[k], a[k-1] if i == 0, Z[k-1,k-i-1]\n"
  "output a[n-1], Z[n-1,*]\n",
};

/* ---- all alike ---- */

static num_count found_io(const char *source, const char *sizes, const pebble_rules *rules)
{
  cdag *g;
  diag d = { 0 };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  ck_assert_msg(cdag_parse(&g, "spelling", source, sizes, &d) == OK, "%s: %s", source, d.message);
  ck_assert_msg(schedule_find(g, rules, &options, &f, &d) == OK, "%s %s: %s", source, sizes, d.message);
  support_check_found(g, rules, &f, source);
  num_count io = num_plus(f.loads, f.stores);
  schedule_found_clear(&f);
  cdag_free(g);
  return io;
}

/* some: words that do not count. */
static void check_alike(int seed, const char *first, const char *source, const char *sizes, const pebble_rules *rules,
                        int some)
{
  num_count io = found_io(first, sizes, rules), other = found_io(source, sizes, rules);
  double apart = (double)other - (double)io;
  ck_assert_msg(fabs(apart) <= 0.02 * (double)io + some, "seed %d, %s M=%d: %s words, but %s for\n%s", seed, sizes,
                (int)rules->m, num_digits(io).s, num_digits(other).s, source);
}

START_TEST(sums_in_spellings)
{
  support_random r = { (uint64_t)_i + 1 };
  sum_spelling s = { .triangle = _i % 2, .twice = support_between(&r, 0, 1), .place = 2 };
  text first = { 0 };
  char sizes[64];
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 24, 60), .one_shot = support_between(&r, 0, 1) };
  snprintf(sizes, sizeof sizes, "n=%d,m=%d,l=%d", (int)support_between(&r, 14, 30), (int)support_between(&r, 14, 30),
           (int)support_between(&r, 30, 60)); /* so long that no row of operands stays on chip */
  put_sum(&s, &first);
  for (s.begin = PLAIN; s.begin < BEGINNINGS; s.begin++) {
    text source = { 0 };
    s.place = s.begin == COPIED_UNIT ? 2 : (int)support_between(&r, 0, 2);
    put_sum(&s, &source);
    check_alike(_i, text_str(&first), text_str(&source), sizes, &rules, 0);
    text_clear(&source);
  }
  text_clear(&first);
}
END_TEST

/* But for some rows' ends. */
static void check_texts(int seed, const char *const *source, int n)
{
  support_random r = { (uint64_t)seed + 1 };
  char sizes[32];
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 30, 60), .one_shot = true };
  int size = (int)support_between(&r, 16, 28); /* the matrix does not fit */
  if (rules.m >= 2 * (uint64_t)size && rules.m < 2 * (uint64_t)size + 12)
    rules.m += 12; /* two rows fit, and the few words that only some spellings want beside them */
  snprintf(sizes, sizeof sizes, "n=%d", size);
  for (int k = 1; k < n; k++)
    check_alike(seed, source[0], source[k], sizes, &rules, 2 * size);
}

START_TEST(factorisations_in_spellings)
{
  check_texts(_i, lu, COUNT(lu));
  check_texts(_i, cholesky, COUNT(cholesky));
}
END_TEST

START_TEST(recursions_in_spellings) { check_texts(_i, levinson, COUNT(levinson)); }
END_TEST

/* ---- the whole is the same computation ---- */

typedef struct { const cdag *g; const cdag_united *u; } whole;

static uint64_t id_in_whole(const void *context, const cdag_element *e)
{
  const cdag *g = ((const whole *)context)->g;
  const cdag_united *u = ((const whole *)context)->u;
  const cdag_slice *s = cdag_slice_of(u, e->array);
  int array = cdag_find_array(u->g, g->array[s ? u->slice[0].array : e->array].name);
  int64_t x[CDAG_RANK];
  for (int q = 0; q < u->g->array[array].rank; q++)
    x[q] = !s ? e->x[q] : s->at[q] >= 0 ? e->x[s->at[q]] : s->value[q];
  ck_assert(cdag_exists(u->g, array, x));
  return cdag_id(u->g, array, x);
}

/* How many steps there were. */
static int unite_all(const char *source, const char *sizes)
{
  cdag *g;
  cdag_united u;
  diag d = { 0 };
  int steps = 0;
  ck_assert_msg(cdag_parse(&g, "spelling", source, sizes, &d) == OK, "%s: %s", source, d.message);
  while (cdag_unite(g, &u)) {
    support_same_computation(g, u.g, id_in_whole, &(whole){ g, &u }, source);
    cdag_free(g);
    g = u.g;
    steps++;
  }
  cdag_free(g);
  return steps;
}

START_TEST(wholes_of_slices)
{
  support_random r = { (uint64_t)_i + 1 };
  sum_spelling s = { .triangle = _i % 2, .twice = support_between(&r, 0, 1) };
  for (s.begin = PLAIN; s.begin < BEGINNINGS; s.begin++) {
    text source = { 0 };
    s.place = s.begin == COPIED_UNIT ? 2 : (int)support_between(&r, 0, 2);
    put_sum(&s, &source);
    ck_assert_int_eq(unite_all(text_str(&source), "n=5,m=4,l=6"), s.begin != PLAIN);
    text_clear(&source);
  }
  for (int k = 0; k < (int)COUNT(lu); k++)
    ck_assert_int_eq(unite_all(lu[k], "n=7"), k);
  for (int k = 0; k < (int)COUNT(cholesky); k++)
    ck_assert_int_eq(unite_all(cholesky[k], "n=7"), k);
}
END_TEST

/* ---- borders through time ---- */

/* A star whose sides are rows of words of their own, which stay as they are or take what is beside them: how many. */
static int put_borders(support_random *r, text *out)
{
  static const char *const side[] = { "N", "S", "W", "E" };
  static const char *const row[] = { "j", "j", "i", "i" };
  static const char *const beside[] = { "1,j", "n-2,j", "i,1", "i,n-2" };
  static const char *const reader[] = { "i == 1", "i == n-2", "j == 1", "j == n-2" };
  unsigned some = (unsigned)support_between(r, 1, 15);
  text_add(out, "param n, T\ninput f[n,n]\n");
  for (int k = 0; k < 4; k++)
    if (some >> k & 1) {
      text_printf(out, "%s[t:T, %s:1..n-1] = ", side[k], row[k]);
      if (support_between(r, 0, 1))
        text_printf(out, "%s[t-1,%s], f[%s] if t == 0\n", side[k], row[k], beside[k]);
      else
        text_printf(out, "A[t,%s]\n", beside[k]);
    }
  text_add(out, "A[t:T, i:1..n-1, j:1..n-1] = f[i,j] if t == 0, A[t-1,i,j], A[t-1,i-1,j], A[t-1,i+1,j], A[t-1,i,j-1], "
                "A[t-1,i,j+1]");
  for (int k = 0; k < 4; k++)
    if (some >> k & 1)
      text_printf(out, ", %s[t-1,%s] if %s", side[k], row[k], reader[k]);
  text_add(out, "\noutput A[T-1,*,*]\n");
  return __builtin_popcount(some);
}

START_TEST(borders_through_time)
{
  support_random r = { (uint64_t)_i + 1 };
  text source = { 0 }, flat = { 0 };
  char sizes[32];
  int borders = put_borders(&r, &source);
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 100, 160), .one_shot = true };
  ck_assert_int_eq(unite_all(text_str(&source), "n=7,T=4"), borders);
  text_add(&flat, "param n, T\ninput f[n,n]\nA[t:T, i:1..n-1, j:1..n-1] = f[i,j] if t == 0, A[t-1,i,j], A[t-1,i-1,j], "
                  "A[t-1,i+1,j], A[t-1,i,j-1], A[t-1,i,j+1]\noutput A[T-1,*,*]\n");
  snprintf(sizes, sizeof sizes, "n=%d,T=%d", (int)support_between(&r, 30, 40), (int)support_between(&r, 12, 20));
  num_count io = found_io(text_str(&source), sizes, &rules), without = found_io(text_str(&flat), sizes, &rules);
  ck_assert_msg(io < 3 * without, "seed %d, %s M=%d: %s words, without borders %s\n%s", _i, sizes, (int)rules.m,
                num_digits(io).s, num_digits(without).s, text_str(&source));
  text_clear(&source);
  text_clear(&flat);
}
END_TEST

/* Levels that become shorter at one end or both, or longer: less than half a word an element is moved. */
START_TEST(wedges)
{
  static const char *const domain[] = { "i:n-t", "i:t..n", "i:t..2*n-t", "i:n+t" };
  static const char *const reads[] = { "V[t-1,i], V[t-1,i+1], p[i] if t == 0, p[i+1] if t == 0",
                                       "V[t-1,i], V[t-1,i-1], p[i] if t == 0",
                                       "V[t-1,i-1], V[t-1,i], V[t-1,i+1], p[i] if t == 0",
                                       "V[t-1,i], V[t-1,i-1], p[i] if t == 0 || i == n+t-1" };
  support_random r = { (uint64_t)_i + 1 };
  text source = { 0 };
  char sizes[32];
  int n = (int)support_between(&r, 60, 90), k = _i % 4;
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 30, 40), .one_shot = true };
  text_printf(&source, "param n\ninput p[2*n]\nV[t:n, %s] = %s\noutput V[n-1,*]\n", domain[k], reads[k]);
  snprintf(sizes, sizeof sizes, "n=%d", n);
  num_count io = found_io(text_str(&source), sizes, &rules);
  ck_assert_msg(io < (num_count)(n * n / 2), "seed %d, %s M=%d: %s words\n%s", _i, sizes, (int)rules.m,
                num_digits(io).s, text_str(&source));
  text_clear(&source);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tiler_slices");
  TCase *t = support_case(s, "spellings");
  tcase_add_loop_test(t, wholes_of_slices, 0, 4);
  tcase_add_loop_test(t, sums_in_spellings, 0, support_rounds(4));
  tcase_add_loop_test(t, factorisations_in_spellings, 0, support_rounds(3));
  tcase_add_loop_test(t, recursions_in_spellings, 0, support_rounds(3));
  tcase_add_loop_test(t, borders_through_time, 0, support_rounds(6));
  tcase_add_loop_test(t, wedges, 0, support_rounds(8));
  return support_run(s);
}
