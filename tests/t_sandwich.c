/* The sandwich: on random graphs every lower bound is at most the exact optimum of every game it claims to hold in, and
   the optimum at most what any schedule found costs; the optimum ignores labels, never rises with M, and orders the
   games as their rules do.

   An instance is a seed: ROUNDS=200 plays 6,400 of them, and FIRST=n begins with seed n. */
#include "base/mem.h"
#include "bounds/bound.h"
#include "pebble/optimal.h"
#include "schedules/any.h"
#include "tests/support_one_shot.h"
#include "tests/support_oracle.h"
#include <stdlib.h>
#include <string.h>

enum { INSTANCES = 32, LEAST = 8, MOST = 16, MEMORIES = 4 };
static const uint64_t SEARCH_BYTES = 96 << 20; /* beyond, an interval is what is compared */

enum { PLACING_AGAIN, PLACING_ONCE, SLIDING_AGAIN, SLIDING_ONCE, PARTIAL, GAMES };
static const struct { pebble_variant variant; bool one_shot;
} game[GAMES] = {
  { PEBBLE_PLACING, false }, { PEBBLE_PLACING, true }, { PEBBLE_SLIDING, false },
  { PEBBLE_SLIDING, true },  { PEBBLE_PARTIAL, true },
};

/* What is known of one game at one M. */
typedef struct {
  bool possible;
  uint64_t lower, upper;
} answer;

/* ---- graphs ---- */

/* In-degree at most `degree`; some vertices isolated, some sources and inner vertices outputs, some sinks not. */
static void narrow_graph(cdag_graph *g, support_random *r, uint32_t n, int64_t degree)
{
  uint32_t from[MOST * 4], to[MOST * 4];
  uint8_t output[MOST];
  uint64_t m = 0;
  for (uint32_t v = 0; v < n; v++) {
    output[v] = support_between(r, 0, 5) == 0;
    for (int64_t k = v ? support_between(r, 0, degree) : 0; k > 0; k--) {
      uint32_t u = (uint32_t)support_between(r, 0, v - 1);
      bool twice = false;
      for (uint64_t e = 0; e < m; e++)
        twice |= from[e] == u && to[e] == v;
      if (!twice)
        from[m] = u, to[m++] = v;
    }
  }
  ck_assert_int_eq(cdag_graph_init(g, n, m, from, to, output, NULL), OK);
}

static void make_graph(cdag_graph *g, support_random *r, int kind)
{
  uint32_t n = (uint32_t)support_between(r, LEAST, MOST);
  int64_t seed = support_between(r, 1, 1000000), degree = support_between(r, 1, 3), layers = support_between(r, 2, 4);
  switch (kind) {
  case 0: oracle_random_graph(g, r, n, (int)support_between(r, 8, 40)); break;
  case 1: ck_assert_int_eq(cdag_graph_random(g, n, seed, degree, 0, NULL), OK); break;
  case 2: ck_assert_int_eq(cdag_graph_random(g, n, seed, degree, layers, NULL), OK); break;
  default: narrow_graph(g, r, n, degree);
  }
}

/* ---- one game ---- */

static pebble_rules rules_of(int which, uint64_t m)
{
  return (pebble_rules){ game[which].variant, game[which].one_shot, m };
}

static answer solve(const cdag_graph *g, int which, uint64_t m)
{
  pebble_rules rules = rules_of(which, m);
  pebble_optimal_limits limits = { .bytes = SEARCH_BYTES };
  pebble_optimum o = { 0 };
  diag d = { 0 };
  status st = pebble_optimal(g, &rules, &limits, &o, &d);
  ck_assert_msg(st == OK || st == GAVE_UP, "%s", d.message);
  ck_assert(o.possible == (m >= pebble_least_memory(g, &rules)));
  ck_assert(st == GAVE_UP || !o.possible || o.proved);
  answer a = { o.possible, o.lower, o.upper };
  if (a.possible) {
    pebble_verdict v = pebble_judge(g, &rules, &o.trace);
    ck_assert(v.legal && v.loads + v.stores == a.upper && v.peak <= m && a.lower <= a.upper);
  }
  pebble_optimum_clear(&o);
  return a;
}

static void check_brute_force(const cdag_graph *g, int which, uint64_t m, const answer *a)
{
  uint32_t third = which == PARTIAL ? (uint32_t)g->m : game[which].one_shot ? g->n : 0;
  pebble_rules rules = rules_of(which, m);
  if (2 * g->n + third > 24)
    return;
  uint64_t truth = oracle_optimum(g, &rules);
  ck_assert_msg(a->possible ? a->lower <= truth && truth <= a->upper : truth == ORACLE_IMPOSSIBLE,
                "game %d, M = %lu: %lu..%lu, brute force %lu", which, (unsigned long)m, (unsigned long)a->lower,
                (unsigned long)a->upper, (unsigned long)truth);
}

static void check_schedule(const cdag_graph *g, int which, uint64_t m, uint64_t seed, const answer *a)
{
  pebble_rules rules = rules_of(which, m);
  pebble_trace t = { 0 };
  schedule_any_info info;
  ck_assert_int_eq(schedule_any(g, &rules, seed, 0.004, &t, &info, NULL), OK);
  ck_assert(info.legal == a->possible);
  if (info.legal) {
    pebble_verdict v = pebble_judge(g, &rules, &t);
    ck_assert(v.legal && v.loads + v.stores == info.io && v.peak <= m);
    ck_assert_uint_ge(info.io, a->lower);
  }
  pebble_trace_clear(&t);
}

/* A random order, evicting by next use. */
static void check_random_play(const cdag_graph *g, uint64_t m, uint64_t seed, const answer *a)
{
  uint32_t order[MOST];
  support_one_shot_order(g, seed, order);
  if (a->possible && cdag_graph_useless(g) == 0) /* it computes every vertex */
    ck_assert_uint_ge(support_one_shot_io(g, m, order), a->lower);
}

/* ---- bounds ---- */

static void check_bound(const bound *b, uint64_t m, const answer *all)
{
  if (b->trust != BOUND_PROVED && b->trust != BOUND_CERTIFIED)
    return;
  for (int which = 0; which < GAMES; which++) {
    bound_question asked = { .m = m, .one_shot = game[which].one_shot, .variant = (int)game[which].variant };
    ck_assert_msg(!all[which].possible || !bound_holds_in(b, &asked) || mpz_cmp_ui(b->value, all[which].upper) <= 0,
                  "%s says %ld at M = %lu, game %d is played with %lu", b->name, mpz_get_si(b->value), (unsigned long)m,
                  which, (unsigned long)all[which].upper);
  }
}

/* Every bound against every game it claims, whichever was asked about; and the best holds in the one asked about. */
static void check_bounds(const cdag *c, int which, uint64_t m, double seconds, const answer *all)
{
  bound_question q = {
    .g = c, .m = m, .one_shot = game[which].one_shot, .variant = (int)game[which].variant, .seconds = seconds
  };
  bound_list l = { 0 };
  diag d = { 0 };
  int best;
  ck_assert_msg(bound_all(&q, &l, &best, &d) == OK, "%s", d.message);
  ck_assert(best >= 0 && bound_holds_in(&l.item[best], &q));
  for (size_t i = 0; i < l.n; i++)
    check_bound(&l.item[i], m, all);
  bound_list_clear(&l);
}

/* ---- orders between the answers ---- */

static void check_at_most(const answer *a, const answer *b, const char *why)
{
  ck_assert_msg(!b->possible || (a->possible && a->lower <= b->upper), "%s: at least %lu, at most %lu", why,
                (unsigned long)a->lower, (unsigned long)b->upper);
}

static void check_games(const answer *a)
{
  check_at_most(&a[PLACING_AGAIN], &a[PLACING_ONCE], "computing again may be left alone");
  check_at_most(&a[SLIDING_AGAIN], &a[SLIDING_ONCE], "computing again may be left alone, sliding");
  check_at_most(&a[SLIDING_AGAIN], &a[PLACING_AGAIN], "sliding may be left alone");
  check_at_most(&a[SLIDING_ONCE], &a[PLACING_ONCE], "sliding may be left alone, one-shot");
  check_at_most(&a[PARTIAL], &a[PLACING_ONCE], "all edges at once is one way to aggregate");
}

static void check_memories(const answer *less, const answer *more)
{
  for (int which = 0; which < GAMES; which++)
    check_at_most(&more[which], &less[which], "more memory");
  check_at_most(&more[PLACING_AGAIN], &less[SLIDING_AGAIN], "one pebble more replaces sliding");
  check_at_most(&more[PLACING_ONCE], &less[SLIDING_ONCE], "one pebble more replaces sliding, one-shot");
}

/* ---- an instance ---- */

static void check_memory(const cdag *c, const cdag_graph *renamed, int seed, uint64_t m, answer *all)
{
  const cdag_graph *g = c->graph;
  for (int which = 0; which < GAMES; which++) {
    all[which] = solve(g, which, m);
    answer other = solve(renamed, which, m);
    check_at_most(&all[which], &other, "renamed");
    check_at_most(&other, &all[which], "renamed");
    check_schedule(g, which, m, (uint64_t)seed, &all[which]);
    if (seed % 25 == 4 && !support_sanitized())
      check_brute_force(g, which, m, &all[which]);
  }
  check_random_play(g, m, (uint64_t)seed, &all[PLACING_ONCE]);
  check_games(all);
  for (int which = 0; which < GAMES; which++)
    check_bounds(c, which, m, seed % 16 == 0 ? 0.005 : 0, all);
}

START_TEST(bounds_optimum_schedules)
{
  support_random r = { (uint64_t)_i };
  cdag_graph g = { 0 }, renamed = { 0 };
  cdag *c = NULL;
  uint32_t name[MOST];
  answer all[MEMORIES][GAMES];
  make_graph(&g, &r, _i % 4);
  oracle_shuffle(&r, name, g.n);
  oracle_relabel(&renamed, &g, name);
  uint64_t least = pebble_least_memory(&g, &(pebble_rules){ .m = 0 });
  ck_assert_int_eq(cdag_from_graph(&c, &g, "random"), OK);
  for (uint64_t k = least > 0 ? 0 : 1; k < MEMORIES; k++) {
    check_memory(c, &renamed, _i, least + k - 1, all[k]);
    if (k > 0 && least + k > 2)
      check_memories(all[k - 1], all[k]);
  }
  cdag_graph_clear(&renamed);
  cdag_free(c);
}
END_TEST

/* ---- one-shot bounds where recomputation is allowed ---- */

/* Each is worth more than everything that holds there, and must not be the best all the same. */
static const struct { const char *spec, *name; uint64_t m; int variant; double seconds; } one_shot_only[] = {
  { "hypercube:l=6", "wavefront", 8, 0, 0 },
  { "hypercube:l=7", "wavefront-sliding", 9, 1, 0 },
  { "hypercube:l=8", "spectral", 10, 0, 0.3 },
  { "hypercube:l=7", "spectral-boundaries", 8, 0, 0 },
  { "hypercube:l=7", "spectral-boundaries-sliding", 7, 1, 0 },
  { "fft:l=8", "fft-segments-one-shot", 4, 0, 0 },
};

static void ask(const cdag *c, int which, bool one_shot, bound_list *l, int *best)
{
  bound_question q = { .work = SEARCH_WORK,
                       .g = c,
                       .m = one_shot_only[which].m,
                       .one_shot = one_shot,
                       .variant = one_shot_only[which].variant,
                       .seconds = one_shot_only[which].seconds };
  diag d = { 0 };
  ck_assert_msg(bound_all(&q, l, best, &d) == OK, "%s", d.message);
  for (size_t i = 0; i < l->n; i++)
    if (strcmp(l->item[i].name, one_shot_only[which].name) == 0) {
      ck_assert(bound_holds_in(&l->item[i], &q) == one_shot);
      ck_assert(one_shot || mpz_cmp(l->item[i].value, l->item[*best].value) > 0);
      ck_assert(!one_shot || mpz_cmp(l->item[i].value, l->item[*best].value) <= 0);
      return;
    }
  ck_abort_msg("no %s", one_shot_only[which].name);
}

START_TEST(one_shot_bounds_stay_out)
{
  cdag *c = NULL;
  diag d = { 0 };
  ck_assert_msg(cdag_open(&c, one_shot_only[_i].spec, &d) == OK, "%s", d.message);
  for (int once = 0; once < 2; once++) {
    bound_list l = { 0 };
    int best = -1;
    ask(c, _i, once, &l, &best);
    bound_list_clear(&l);
  }
  cdag_free(c);
}
END_TEST

int main(void)
{
  const char *first = getenv("FIRST");
  int from = first ? atoi(first) : 0;
  Suite *s = suite_create("sandwich");
  TCase *c = support_case(s, "sandwich");
  tcase_add_loop_test(c, bounds_optimum_schedules, from, from + support_rounds(INSTANCES));
  tcase_add_loop_test(c, one_shot_bounds_stay_out, 0, COUNT(one_shot_only));
  return support_run(s);
}
