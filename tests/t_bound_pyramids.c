/* The bound on grids: pebbles that a pyramid needs, by trying all ways; pyramids side by side, point by point;
   descriptions that have the shape and that have not; certificates; and optima that it must not exceed. */
#include "bounds/geometry/pyramids.h"
#include "base/mem.h"
#include "pebble/optimal.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <string.h>

/* ---- a pyramid needs as many pebbles as its base ---- */

enum { BASE = 4, POINTS = BASE * (BASE + 1) / 2 };

/* Points of a square of b x b with i + j >= b - 1, row by row; -1: outside. */
static int point(int b, int i, int j)
{
  int at = 0;
  if (i < 0 || j < 0 || i >= b || j >= b || i + j < b - 1)
    return -1;
  for (int row = 0; row < i; row++)
    at += row + 1;
  return at + j - (b - 1 - i);
}

typedef struct { int n; unsigned reads[POINTS]; } small_pyramid;

static void make_pyramid(int b, bool diagonal, small_pyramid *p)
{
  static const int di[] = { 1, 0, 1 }, dj[] = { 0, 1, 1 };
  *p = (small_pyramid){ 0 };
  for (int i = 0; i < b; i++)
    for (int j = b - 1 - i; j < b; j++, p->n++)
      for (int d = 0; d < 2 + diagonal; d++)
        if (point(b, i - di[d], j - dj[d]) >= 0)
          p->reads[p->n] |= 1u << point(b, i - di[d], j - dj[d]);
}

/* Can the top get a pebble, what lies outside being known at any time?  sliding: a pebble may move onto the point. */
static bool can(const small_pyramid *p, int pebbles, bool sliding)
{
  bool seen[1 << POINTS] = { true };
  unsigned stack[1 << POINTS], n = 1;
  stack[0] = 0;
  while (n > 0) {
    unsigned now = stack[--n];
    if (now >> (p->n - 1) & 1)
      return true;
    for (int v = 0; v < p->n; v++) {
      unsigned without[POINTS + 2] = { now & ~(1u << v), now | 1u << v }, ways = 2;
      bool ready = !(now >> v & 1) && (p->reads[v] & ~now) == 0;
      for (int u = 0; u < p->n && ready && sliding; u++)
        if (p->reads[v] >> u & 1)
          without[ways++] = (now | 1u << v) & ~(1u << u);
      for (unsigned w = 0; w < ways; w++)
        if (!seen[without[w]] && (w == 0 || ready) && __builtin_popcount(without[w]) <= pebbles) {
          seen[without[w]] = true;
          stack[n++] = without[w];
        }
    }
  }
  return false;
}

START_TEST(pebbles_of_a_pyramid)
{
  small_pyramid p;
  for (int diagonal = 0; diagonal < 2; diagonal++) {
    make_pyramid(_i, diagonal, &p);
    ck_assert(!can(&p, _i - 1, true));
    ck_assert(!can(&p, _i, false) || _i == 1);
    ck_assert(can(&p, _i + 1, false));
    ck_assert(diagonal || can(&p, _i, true));
  }
}
END_TEST

/* ---- side by side ---- */

START_TEST(none_overlap)
{
  support_random r = { (uint64_t)_i };
  enum { WIDE = 60 };
  bool taken[WIDE][WIDE] = { { false } };
  int64_t half = support_between(&r, 1, 9), width[2] = { support_between(&r, 1, WIDE), support_between(&r, 1, WIDE) };
  int first = (int)support_between(&r, 0, 2);
  uint64_t found = 0;
  for (int64_t a = 0; (a + 2) * half <= width[0]; a++)
    for (int64_t d = 0; (d + 2) * half <= width[1]; d++) {
      if ((a - d + 3 * WIDE) % 3 != first)
        continue;
      found++;
      for (int64_t i = 0; i < 2 * half; i++)
        for (int64_t j = 2 * half - 1 - i; j < 2 * half; j++) {
          bool *at = &taken[a * half + i][d * half + j];
          ck_assert_msg(!*at, "seed %d: two pyramids share (%ld, %ld)", _i, (long)(a * half + i), (long)(d * half + j));
          *at = true;
        }
    }
  ck_assert_uint_eq(bound_pyramids_in(half, width, first), found);
}
END_TEST

/* In all places: how many there are, and in how many a point is at most, point by point. */
START_TEST(everywhere)
{
  support_random r = { (uint64_t)_i };
  enum { WIDE = 20 };
  int64_t base = support_between(&r, 2, 9), width[2] = { support_between(&r, 1, WIDE), support_between(&r, 1, WIDE) };
  int in[WIDE][WIDE] = { { 0 } }, most = 0;
  uint64_t places = 0;
  for (int64_t a = 0; a + base <= width[0]; a++)
    for (int64_t d = 0; d + base <= width[1]; d++, places++)
      for (int64_t i = 0; i < base; i++)
        for (int64_t j = base - 1 - i; j < base; j++)
          if (++in[a + i][d + j] > most)
            most = in[a + i][d + j];
  char source[120], claim[160];
  snprintf(source, sizeof source, "input A[i:%d, j:%d] = A[i-1,j], A[i,j-1]\noutput A[%d,%d]\n", (int)width[0],
           (int)width[1], (int)width[0] - 1, (int)width[1] - 1);
  snprintf(claim, sizeof claim, "{\"statement\": \"A\", \"along\": 0, \"across\": 1, \"base\": %d, \"pyramids\": %d}",
           (int)base, (int)places);
  int64_t m = support_between(&r, 1, base), each = base * (base + 1) / 2;
  mpz_t value;
  mpz_init_set_si(value, 2 * (((int64_t)places * (base - m) + each - 1) / each));
  cdag *g = bound_text_open(source, "");
  ck_assert_msg(most <= each, "seed %d: a point in %d pyramids of base %d", _i, most, (int)base);
  ck_assert_msg(width[0] < 2 || width[1] < 2 || bound_claim_gives("pyramids", g, m, claim, value), "seed %d: %s of %s",
                _i, claim, source);
  cdag_free(g);
  mpz_clear(value);
}
END_TEST

/* ---- descriptions ---- */

#define GRID "input A[i:n, j:m] = "
#define BACK "A[i-1,j], A[i,j-1]"
#define END "\noutput A[n-1,m-1]\n"
/* Is it found, and does what is claimed of the first hold of it? */
static const struct { const char *text; bool found, holds;
} shape[] = {
  { GRID BACK END, true, true },
  { GRID BACK ", A[i-1,j-1]" END, true, true },
  { "input X[n], Y[m]\nA[i:n, j:m] = " BACK ", A[i-1,j-1], X[i], Y[j]" END, true, true },
  { GRID "A[i+1,j], A[i,j-1]\noutput A[0,m-1]\n", true, true },
  { GRID "A[i+1,j], A[i,j+1]\noutput A[0,0]\n", true, true },
  { GRID BACK "\noutput A[*,m-1]\n", true, true },
  { "input A[j:m, i:n] = A[j-1,i], A[j,i-1]\noutput A[m-1,n-1]\n", true, true },
  { "input A[i:n, k:3, j:m] = A[i-1,k,j], A[i,k,j-1]\noutput A[n-1,*,m-1]\n", true,
    false }, /* other indices are along, across */
  { "input A[i:n, j:m, k:3] = A[i-1,j,k], A[i,j-1,k]\noutput A[n-1,m-1,*]\n", true,
    true }, /* and gives three times as much */
  { GRID "A[i-1,j], A[i,j-2]" END, false, false },
  { GRID "A[i-1,j], A[i-1,j-1]" END, false, false },
  { GRID "A[i-1,j]\noutput A[n-1,*]\n", false, false },
  { "input X[n,m]\n" GRID "X[i-1,j], A[i,j-1]\noutput A[*,m-1]\n", false, false },
  { "input X[n,m]\n" GRID "A[i-1,j], X[i,j-1]\noutput A[n-1,*]\n", false, false },
  { "input X[n,m]\noutput A[i:n, j:m-i/100] = " BACK ", X[i,j]\n", false, false },
  { GRID BACK "\noutput A[n-2,m-2]\n", false, false }, /* the last row and column do not matter */
  { "input A[i:n, j:m-i/1000] = " BACK "\noutput A[n-1,*], A[*,m-1]\n", true, true },
  { "input A[i:n, j:m-i/100] = " BACK "\noutput A[n-1,*], A[*,m-1]\n", false, false },
  { "input X[n,m]\nA[i:n, j:m] = X[i,j]\noutput B[i:n, j:m] = A[i,j]\n", false, false },
  { "input A[n,m]\noutput B[i:1] = A[0,0]\n", false, false },
};

static cdag *open_shape(size_t i)
{
  text source = { 0 };
  text_printf(&source, "param n m\n%s", shape[i].text);
  cdag *g = bound_text_open(text_str(&source), "n=300,m=200");
  text_clear(&source);
  return g;
}

START_TEST(shapes)
{
  static const char *const numbers[2][3] = { { "\"along\": ", "\"base\": ", "\"pyramids\": " },
                                             { "\"along\": ", "\"half\": ", "\"pyramids\": " } };
  int many =
      _i /
      COUNT(shape); /* pebbles: then pyramids stand side by side; else the grid is wide, and they are in all places */
  cdag *g = open_shape((size_t)(_i % COUNT(shape)));
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = many ? 64 : 16, .theorem = "pyramids" };
  bound_list l = { 0 };
  int best;
  diag d = { 0 };
  ck_assert_int_eq(bound_all(&q, &l, &best, &d), OK);
  const bound *b = bound_named(&l, "pyramids");
  const char *what = shape[_i % COUNT(shape)].text;
  ck_assert_msg((b != NULL) == shape[_i % COUNT(shape)].found, "%s", what);
  if (b)
    bound_certificate_stands(&q, b, what, numbers[many], 3);
  bound_list_clear(&l);
  cdag_free(g);
}
END_TEST

#define EVERYWHERE(base, pyramids)                                                                                     \
  "{\"statement\": \"A\", \"along\": 0, \"across\": 1, \"base\": " base ", \"pyramids\": " pyramids "}"
#define CLAIM(along, across, half, first, pyramids)                                                                    \
  "{\"statement\": \"A\", \"along\": " along ", \"across\": " across ", \"half\": " half ", \"first\": " first         \
  ", \"pyramids\": " pyramids "}"
START_TEST(claims)
{
  static const struct { const char *claim, *why;
  } wrong[] = {
    { "{}", "no array" },
    { "{\"statement\": \"B\"}", "no array" },
    { "{\"statement\": \"A\"}", "two of its indices" },
    { CLAIM("0", "2", "16", "0", "1"), "two of its indices" },
    { CLAIM("-1", "1", "16", "0", "1"), "two of its indices" },
    { CLAIM("1", "1", "16", "0", "1"), "two of its indices" },
    { CLAIM("0", "1", "0", "0", "1"), "must be positive" },
    { CLAIM("0", "1", "4611686018427387904", "0", "0"), "must be positive" },
    { CLAIM("0", "1", "16", "3", "1"), "must be positive" },
    { CLAIM("0", "1", "16", "-1", "1"), "must be positive" },
    { "{\"statement\": \"A\", \"along\": 0, \"across\": 1, \"half\": 16}", "must be positive" },
    { EVERYWHERE("0", "1"), "must be positive" },
    { EVERYWHERE("-3", "1"), "must be positive" },
    { EVERYWHERE("9223372036854775807", "0"), "must be positive" },
    { EVERYWHERE("\"3\"", "1"), "must be positive" },
    { EVERYWHERE("29", "46785"), "'pyramids'" },
    { EVERYWHERE("30", "46784"), "'pyramids'" },
    { CLAIM("0", "1", "16", "0", "64"), "'pyramids'" },
    { CLAIM("0", "1", "16", "1", "63"), "'pyramids'" },
  };
  cdag *g = open_shape(0), *other = NULL;
  diag d = { 0 };
  mpz_t value;
  mpz_init_set_si(value, 63 * 2 * (32 - 16));
  for (size_t i = 0; i < COUNT(wrong); i++)
    bound_claim_refused("pyramids", g, 16, wrong[i].claim, wrong[i].why);
  ck_assert(bound_claim_gives("pyramids", g, 16, CLAIM("0", "1", "16", "0", "63"),
                              value)); /* 300/16 - 1 by 200/16 - 1: 17 by 11 */
  mpz_set_si(value, 0);
  ck_assert(bound_claim_gives("pyramids", g, 16, CLAIM("0", "1", "7", "0", "369"),
                              value)); /* smaller than the memory: nothing */
  ck_assert(
      bound_claim_gives("pyramids", g, 16, CLAIM("0", "1", "101", "0", "0"), value)); /* there is no room for one */
  ck_assert(bound_claim_gives("pyramids", g, 16, CLAIM("0", "1", "2305843009213693951", "0", "0"), value));
  mpz_set_si(value, 2 * 1399);
  ck_assert(bound_claim_gives("pyramids", g, 16, EVERYWHERE("29", "46784"), value)); /* 272 * 172 * 13 / 435 = 1398.1 */
  mpz_set_si(value, 0);
  ck_assert(bound_claim_gives("pyramids", g, 16, EVERYWHERE("1", "60000"), value));
  ck_assert(bound_claim_gives("pyramids", g, 16, EVERYWHERE("201", "0"), value));
  ck_assert(bound_claim_gives("pyramids", g, 16, EVERYWHERE("301", "0"), value));
  ck_assert(bound_claim_gives("pyramids", g, 16, EVERYWHERE("9223372036854775806", "0"), value));
  mpz_set_si(value, 2 * 19834); /* 299 * 199 / 3 = 19833.7 */
  ck_assert(bound_claim_gives("pyramids", g, 1, EVERYWHERE("2", "59501"), value));
  mpz_set_si(value, 62 * 2 * (32 - 16));
  ck_assert(bound_claim_gives("pyramids", g, 16, CLAIM("0", "1", "16", "1", "62"), value));
  ck_assert(bound_claim_gives("pyramids", g, 16, CLAIM("0", "1", "16", "2", "62"), value));
  mpz_set_si(value, 19834 * 2 * (2 - 1));
  ck_assert(bound_claim_gives("pyramids", g, 1, CLAIM("0", "1", "1", "0", "19834"), value)); /* 299 by 199 corners */
  for (size_t i = 0; i < COUNT(shape); i++) {
    cdag_free(other);
    other = open_shape(i);
    ck_assert_msg(bound_claim_holds("pyramids", other, 16, CLAIM("0", "1", "16", "0", "63")) == shape[i].holds, "%s",
                  shape[i].text);
  }
  cdag_free(other);
  ck_assert_int_eq(cdag_open(&other, "fft:l=2", &d), OK);
  bound_claim_refused("pyramids", other, 16, "{\"statement\": \"v\"}", "no array");
  cdag_free(g);
  cdag_free(other);
  mpz_clear(value);
}
END_TEST

/* ---- below the optimum ---- */

START_TEST(no_more_than_the_optimum)
{
  support_random r = { (uint64_t)_i };
  cdag *g = NULL;
  cdag_graph e = { 0 };
  diag d = { 0 };
  bound_list l = { 0 };
  int best;
  char spec[40];
  pebble_rules rules = { .variant = _i % 2 ? PEBBLE_SLIDING : PEBBLE_PLACING, .m = _i % 2 ? 2 : 3 };
  pebble_optimal_limits limits = { .seconds = 1, .bytes = 200 << 20 };
  pebble_optimum o = { 0 };
  snprintf(spec, sizeof spec, "grid:r=%d,c=%d", (int)support_between(&r, 4, 6), (int)support_between(&r, 4, 6));
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  ck_assert_int_eq(cdag_materialise(g, 100, &e, &d), OK);
  status st = pebble_optimal(&e, &rules, &limits, &o, &d);
  ck_assert((st == OK || st == GAVE_UP) && o.possible);
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = rules.m, .variant = rules.variant, .theorem = "pyramids" };
  ck_assert_int_eq(bound_all(&q, &l, &best, &d), OK);
  ck_assert_msg(mpz_cmp_ui(bound_named(&l, "pyramids")->value, o.upper) <= 0, "%s", spec);
  bound_list_clear(&l);
  pebble_optimum_clear(&o);
  cdag_graph_clear(&e);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_pyramids");
  TCase *c = support_case(s, "lemma");
  tcase_add_loop_test(c, pebbles_of_a_pyramid, 1, BASE + 1);
  tcase_add_loop_test(c, none_overlap, 0, support_rounds(200));
  tcase_add_loop_test(c, everywhere, 0, support_rounds(200));
  c = support_case(s, "claims");
  tcase_add_loop_test(c, shapes, 0, 2 * COUNT(shape));
  tcase_add_test(c, claims);
  c = support_case(s, "optima");
  tcase_add_loop_test(c, no_more_than_the_optimum, 0, support_rounds(6));
  return support_run(s);
}
