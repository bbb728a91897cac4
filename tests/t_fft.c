/* The FFT's segment bounds: reach against all sets of words of small FFT graphs, values against known optima. */
#include "bounds/bound.h"
#include "bounds/certificate.h"
#include "bounds/graph/fft.h"
#include "pebble/optimal.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static cdag_graph g;
static diag d;

START_TEST(edges_are_ones)
{
  uint64_t ones = 0;
  for (uint64_t x = 0; x < 5000; x++) {
    ck_assert_uint_eq(bound_fft_edges(x), ones);
    ones += (uint64_t)__builtin_popcountll(x);
  }
}
END_TEST

/* Vertices within reach of the set, itself included, vertices being in topological order; and for each lane those that
 * read only such vertices. */
static uint32_t within_reach(uint64_t set, uint32_t lanes, uint32_t *lane)
{
  uint64_t reach = 0;
  memset(lane, 0, lanes * sizeof *lane);
  for (uint32_t v = 0; v < g.n; v++) {
    bool all = g.pred_at[v] < g.pred_at[v + 1];
    for (uint64_t e = g.pred_at[v]; e < g.pred_at[v + 1]; e++)
      all &= reach >> g.pred[e] & 1;
    lane[v % lanes] += all;
    if (all || (set >> v & 1))
      reach |= UINT64_C(1) << v;
  }
  return (uint32_t)__builtin_popcountll(reach);
}

static int descending(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

/* However few lanes, the fullest hold at most e(lanes) + e(words), no more lanes counted than words. */
static bool few_lanes_hold_less(uint32_t *lane, uint32_t lanes, uint32_t words)
{
  uint64_t sum = 0;
  qsort(lane, lanes, sizeof *lane, descending);
  for (uint32_t c = 1; c <= lanes; c++) {
    sum += lane[c - 1];
    if (sum > bound_fft_edges(c < words ? c : words) + bound_fft_edges(words))
      return false;
  }
  return true;
}

static const struct {
  int levels, words;
} sets[] = { { 1, 2 }, { 2, 1 }, { 2, 2 }, { 2, 3 }, { 2, 4 }, { 2, 5 }, { 3, 2 }, { 3, 3 }, { 3, 4 }, { 3, 5 } };

START_TEST(reach_of_all_sets)
{
  uint32_t most = 0, words = (uint32_t)sets[_i].words, lanes = 1u << sets[_i].levels, lane[8];
  ck_assert_int_eq(cdag_graph_fft(&g, sets[_i].levels, &d), OK);
  /* all sets of that many bits, by Gosper's step */
  for (uint64_t set = (UINT64_C(1) << words) - 1; set >> g.n == 0;) {
    uint32_t reach = within_reach(set, lanes, lane);
    ck_assert_msg(few_lanes_hold_less(lane, lanes, words), "words %#llx", (unsigned long long)set);
    most = reach > most ? reach : most;
    uint64_t low = set & -set, up = set + low;
    set = (((up ^ set) >> 2) / low) | up;
  }
  uint64_t formula = words + 2 * bound_fft_edges(words);
  ck_assert_uint_eq(most, words <= 1u << sets[_i].levels ? formula : g.n);
  cdag_graph_clear(&g);
}
END_TEST

/* optima of the placing game: 4 points with recomputation, 8 points without */
static const struct {
  int levels;
  bool one_shot;
  uint64_t m, optimum;
} known[] = {
  { 2, false, 3, 14 }, { 2, false, 4, 11 }, { 2, false, 5, 9 }, { 2, false, 6, 8 },
  { 3, true, 4, 31 },  { 3, true, 5, 27 },  { 3, true, 6, 24 },
};

START_TEST(at_most_known_optima)
{
  ck_assert_uint_le(bound_fft_segments(known[_i].levels, known[_i].m, known[_i].one_shot, false).value,
                    known[_i].optimum);
  ck_assert_uint_le(bound_fft_segments(known[_i].levels, known[_i].m, false, false).value, known[_i].optimum);
  ck_assert_uint_le(bound_fft_hong_kung(known[_i].levels, known[_i].m), known[_i].optimum);
}
END_TEST

/* every game on the FFTs small enough to solve */
START_TEST(at_most_the_optimum)
{
  ck_assert_int_eq(cdag_graph_fft(&g, 1 + _i % 2, &d), OK);
  for (int variant = 0; variant < 3; variant++)
    for (int one_shot = variant == 2; one_shot < 2; one_shot++) {
      pebble_rules rules = { .variant = (pebble_variant)variant, .one_shot = one_shot };
      for (rules.m = pebble_least_memory(&g, &rules); rules.m < 7; rules.m++) {
        cdag c = { .graph = &g, .vertices = g.n };
        bound_question q = { .g = &c, .m = rules.m, .one_shot = one_shot, .variant = variant };
        bound_list l = { 0 };
        pebble_optimum o = { 0 };
        ck_assert_int_eq(bound_theorem_find("fft-segments")->apply(&q, &l, &d), OK);
        ck_assert_int_eq(pebble_optimal(&g, &rules, NULL, &o, &d), OK);
        ck_assert_uint_ge(l.n, 2);
        for (size_t i = 0; i < l.n; i++)
          if (bound_holds_in(&l.item[i], &q))
            ck_assert_int_le(mpz_cmp_ui(l.item[i].value, o.upper), 0);
        bound_list_clear(&l);
        pebble_optimum_clear(&o);
      }
    }
  cdag_graph_clear(&g);
}
END_TEST

/* Hong and Kung's formula in floating point, and what the exact count makes of it. */
START_TEST(formula)
{
  for (uint64_t m = 2; m < 300; m += 1 + m / 3) {
    double n = ldexp(1, _i), value = n * (_i + 1) / (2 * log2(4 * (double)m)) - (double)m;
    ck_assert_double_le((double)bound_fft_hong_kung(_i, m), fmax(0, ceil(value + 1e-6)));
    ck_assert_double_ge((double)bound_fft_hong_kung(_i, m), value * (1 - 1e-6));
    if (m < n / 4)
      ck_assert_uint_ge(bound_fft_segments(_i, m, false, false).value, bound_fft_hong_kung(_i, m));
  }
}
END_TEST

/* never more than playing rank by rank in groups of 2^k lanes: ceil(l / k) passes of n loads and n stores, M = 2^k + 2
 */
START_TEST(below_the_blocked_play)
{
  for (int k = 1; k <= _i; k++) {
    uint64_t m = (UINT64_C(1) << k) + 2, passes = (uint64_t)((_i + k - 1) / k), io = passes * 2 << _i;
    ck_assert_uint_le(bound_fft_segments(_i, m, true, false).value, io);
    ck_assert_uint_le(bound_fft_segments(_i, m, false, false).value, io);
  }
}
END_TEST

/* ---- certificates ---- */

static cdag *fft;

static void each_alteration_fails(const bound *b, int64_t m)
{
  const char *p = text_str(&b->parameters);
  int k = 0;
  for (text altered = { 0 }; bound_claim_alter(p, k, &altered); k++) {
    ck_assert_msg(!bound_claim_gives(b->name, fft, m, text_str(&altered), b->value), "%s: number %d of %s", b->name, k,
                  p);
    text_clear(&altered);
  }
  ck_assert_int_ge(k, 4);
}

START_TEST(certificates)
{
  static const int64_t memories[] = { 3, 5, 8, 20 };
  ck_assert_int_eq(cdag_open(&fft, "fft:l=7", &d), OK);
  bound_question q = { .g = fft, .m = (uint64_t)memories[_i], .one_shot = true };
  bound_list l = { 0 };
  ck_assert_int_eq(bound_theorem_find("fft-segments")->apply(&q, &l, &d), OK);
  q.variant = 2;
  ck_assert_int_eq(bound_theorem_find("fft-segments")->apply(&q, &l, &d), OK);
  int certified = 0;
  for (size_t i = 0; i < l.n; i++)
    if (bound_has_certificate(&l.item[i])) {
      ck_assert(bound_claim_gives(l.item[i].name, fft, memories[_i], text_str(&l.item[i].parameters), l.item[i].value));
      if (memories[_i] < 20) /* where one later segment may do everything, one word more changes nothing */
        ck_assert(!bound_claim_gives(l.item[i].name, fft, memories[_i] + 1, text_str(&l.item[i].parameters),
                                     l.item[i].value));
      each_alteration_fails(&l.item[i], memories[_i]);
      certified++;
    }
  ck_assert_int_eq(certified, 3);
  /* and no other graph passes for an FFT */
  uint32_t *read = &fft->graph->pred[fft->graph->pred_at[300]], keep = read[0];
  read[0] ^= 4;
  for (size_t i = 0; i < l.n; i++)
    if (bound_has_certificate(&l.item[i]))
      ck_assert(
          !bound_claim_gives(l.item[i].name, fft, memories[_i], text_str(&l.item[i].parameters), l.item[i].value));
  read[0] = keep;
  bound_list_clear(&l);
  cdag_free(fft);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("fft");
  TCase *c = support_case(s, "fft");
  tcase_add_test(c, edges_are_ones);
  tcase_add_loop_test(c, reach_of_all_sets, 0, COUNT(sets));
  tcase_add_loop_test(c, at_most_known_optima, 0, COUNT(known));
  tcase_add_loop_test(c, at_most_the_optimum, 0, 2);
  tcase_add_loop_test(c, formula, 1, 20);
  tcase_add_loop_test(c, below_the_blocked_play, 1, 20);
  tcase_add_loop_test(c, certificates, 0, 4);
  return support_run(s);
}
