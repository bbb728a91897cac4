/* Heuristic schedules: always legal, never below the optimum, the same for the same seed; and the fast play of changed
   orders agrees with playing them from the beginning. */
#include "base/mem.h"
#include "pebble/optimal.h"
#include "schedules/any.h"
#include "schedules/any/internal.h"
#include "tests/support.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t found(const cdag_graph *g, const pebble_rules *rules, uint64_t seed, double seconds)
{
  pebble_trace t = { 0 };
  schedule_any_info info;
  diag d = { 0 };
  status st = schedule_any(g, rules, seed, seconds, &t, &info, &d);
  ck_assert_msg(st == OK, "%s", d.message);
  ck_assert(info.legal);
  pebble_verdict v = pebble_judge(g, rules, &t);
  ck_assert(v.legal);
  ck_assert_uint_eq(info.io, v.loads + v.stores);
  ck_assert_uint_eq(info.peak, v.peak);
  ck_assert_uint_le(v.peak, rules->m);
  ck_assert_uint_ge(info.io, info.compulsory);
  pebble_trace_clear(&t);
  return info.io;
}

static void random_graph(cdag_graph *g, int seed, int64_t n)
{
  ck_assert_int_eq(cdag_graph_random(g, n, seed, 1 + seed % 4, seed % 3 == 0 ? 1 + seed % 5 : 0, NULL), OK);
}

/* Every variant, from the least memory on. */
START_TEST(between_optimum_and_legality)
{
  cdag_graph g;
  random_graph(&g, _i, 5 + _i % 5);
  for (int game = 0; game < 5; game++) {
    pebble_rules rules = { (pebble_variant)(game / 2), game % 2, 0 };
    uint64_t least = pebble_least_memory(&g, &rules);
    for (rules.m = least; rules.m < least + 3; rules.m++) {
      pebble_optimum o;
      ck_assert_int_eq(pebble_optimal(&g, &rules, NULL, &o, NULL), OK);
      ck_assert_uint_ge(found(&g, &rules, (uint64_t)_i, 0.03), o.upper);
      pebble_optimum_clear(&o);
    }
  }
  cdag_graph_clear(&g);
}
END_TEST

/* Optima known by proof: here the heuristics reach them. */
static const struct { char graph; int64_t size; bool one_shot; uint64_t m, io; } known[] = {
  { 'f', 2, false, 3, 14 }, { 'f', 2, false, 4, 11 }, { 'f', 2, false, 5, 9 }, { 'f', 2, false, 6, 8 },
  { 'f', 3, true, 4, 31 },  { 'f', 3, true, 5, 27 },  { 'f', 3, true, 6, 24 }, { 't', 3, false, 3, 15 },
  { 't', 3, false, 4, 11 }, { 't', 3, false, 5, 9 },  { 't', 8, true, 10, 257 },
};
START_TEST(known_optima_are_found)
{
  cdag_graph g;
  pebble_rules rules = { PEBBLE_PLACING, known[_i].one_shot, known[_i].m };
  status st =
      known[_i].graph == 'f' ? cdag_graph_fft(&g, known[_i].size, NULL) : cdag_graph_tree(&g, known[_i].size, NULL);
  ck_assert_int_eq(st, OK);
  ck_assert_uint_eq(found(&g, &rules, 1, 0.5), known[_i].io);
  cdag_graph_clear(&g);
}
END_TEST

START_TEST(larger_graphs_are_legal)
{
  cdag_graph g;
  random_graph(&g, _i, 300);
  for (int game = 0; game < 5; game++) {
    pebble_rules rules = { (pebble_variant)(game / 2), game % 2, 0 };
    rules.m = pebble_least_memory(&g, &rules) + (uint64_t)(_i % 7);
    found(&g, &rules, (uint64_t)_i, 0.02);
  }
  cdag_graph_clear(&g);
}
END_TEST

/* More memory than the cache that is searched entry by entry. */
START_TEST(large_memories)
{
  cdag_graph g;
  ck_assert_int_eq(cdag_graph_random(&g, 4000, _i + 1, 3, 20, NULL), OK);
  for (int game = 0; game < 5; game++) {
    pebble_rules rules = { (pebble_variant)(game / 2), game % 2, 193 + 40 * (uint64_t)_i };
    found(&g, &rules, 1, 0.1);
  }
  cdag_graph_clear(&g);
}
END_TEST

START_TEST(too_little_memory_is_an_answer)
{
  cdag_graph g;
  pebble_trace t = { 0 };
  schedule_any_info info;
  pebble_rules rules = { PEBBLE_PLACING, false, 2 };
  ck_assert_int_eq(cdag_graph_fft(&g, 2, NULL), OK);
  ck_assert_int_eq(schedule_any(&g, &rules, 1, 0, &t, &info, NULL), OK);
  ck_assert(!info.legal);
  ck_assert_uint_eq(info.needed, 3);
  ck_assert_uint_eq(t.n, 0);
  cdag_graph_clear(&g);
}
END_TEST

START_TEST(nothing_to_compute_costs_nothing)
{
  cdag_graph g;
  pebble_rules rules = { PEBBLE_PLACING, false, 0 };
  ck_assert_int_eq(cdag_graph_init(&g, (uint32_t)_i, 0, NULL, NULL, NULL, NULL), OK);
  ck_assert_uint_eq(found(&g, &rules, 1, 0), 0);
  cdag_graph_clear(&g);
}
END_TEST

START_TEST(same_seed_same_moves)
{
  cdag_graph g;
  pebble_trace a = { 0 }, b = { 0 };
  schedule_any_info info;
  random_graph(&g, 7, 14);
  pebble_rules rules = { PEBBLE_PLACING, _i % 2, 0 };
  rules.m = pebble_least_memory(&g, &rules);
  ck_assert_int_eq(schedule_any(&g, &rules, 5, 0, &a, &info, NULL), OK);
  ck_assert(!info.stopped);
  ck_assert_int_eq(schedule_any(&g, &rules, 5, 0, &b, &info, NULL), OK);
  ck_assert_uint_eq(a.n, b.n);
  ck_assert_mem_eq(a.step, b.step, a.n * sizeof *a.step);
  pebble_trace_clear(&a);
  pebble_trace_clear(&b);
  cdag_graph_clear(&g);
}
END_TEST

/* ---- playing a changed order ---- */

static bool depends(const any_program *p, uint32_t e, uint32_t f)
{
  for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
    if (p->read[r] == p->write[f])
      return true;
  return false;
}

/* Every event once, and none before what it reads is complete. */
static void check_legal(const any_program *p, const uint32_t *order)
{
  uint32_t *left = MEM_NEW(uint32_t, p->items), *met = MEM_NEW(uint32_t, p->events);
  memcpy(left, p->writes, p->items * sizeof *left);
  for (uint32_t t = 0; t < p->events; t++) {
    uint32_t e = order[t];
    ck_assert(e < p->events && !met[e]++);
    for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
      ck_assert_uint_eq(left[p->read[r]], 0);
    left[p->write[e]]--;
  }
  mem_free(left);
  mem_free(met);
}

START_TEST(first_orders_are_legal)
{
  cdag_graph g;
  any_program p;
  support_random r = { (uint64_t)_i };
  pebble_rules rules = { (pebble_variant)(_i % 3), true, 0 };
  random_graph(&g, _i, support_between(&r, 8, 200));
  rules.m = pebble_least_memory(&g, &rules) + (uint64_t)support_between(&r, 0, 40);
  any_program_init(&p, &g, &rules);
  uint32_t *order = MEM_NEW(uint32_t, p.room_events);
  for (uint64_t seed = 0; seed < 4; seed++) {
    any_taste taste = { .back = (int)support_between(&r, 0, 4),
                        .fresh = (int)support_between(&r, 0, 4),
                        .live = (int)support_between(&r, 0, 9),
                        .crowded = (int)support_between(&r, 0, 9),
                        .there = (int)support_between(&r, 0, 4),
                        .room = (int)support_between(&r, 0, 8),
                        .largest = (uint32_t)support_between(&r, 1, 90),
                        .depth = (int)support_between(&r, 0, 2) };
    any_order_cones(&p, seed, &taste, CLOCK_NEVER, order);
    check_legal(&p, order);
    any_order_cones(&p, seed, &taste, 0, order); /* out of time at once */
    check_legal(&p, order);
    if (!p.partial) {
      any_order_words(&p, (uint32_t)support_between(&r, 1, 50), seed ? CLOCK_NEVER : 0, order);
      check_legal(&p, order);
    }
    any_order_depth_first(&p, seed, seed % 2, order);
    check_legal(&p, order);
    any_order_greedy(&p, seed, order);
    check_legal(&p, order);
  }
  mem_free(order);
  any_program_clear(&p);
  cdag_graph_clear(&g);
}
END_TEST

/* A square of rows by columns: whoever goes row by row reloads every row, and nothing else finds the diagonals at once.
 */
START_TEST(cones_find_the_way_through_a_grid)
{
  enum { SIDE = 60, M = 10 };
  static uint32_t from[2 * SIDE * SIDE], to[2 * SIDE * SIDE];
  uint64_t m = 0;
  cdag_graph g;
  for (uint32_t v = 0; v < SIDE * SIDE; v++) {
    if (v % SIDE)
      from[m] = v - 1, to[m++] = v;
    if (v >= SIDE)
      from[m] = v - SIDE, to[m++] = v;
  }
  ck_assert_int_eq(cdag_graph_init(&g, SIDE * SIDE, m, from, to, NULL, NULL), OK);
  any_program p;
  any_sim s;
  any_taste taste = { .back = 2, .fresh = 2, .live = 2, .there = 2, .largest = 4 };
  any_program_init(&p, &g, &(pebble_rules){ PEBBLE_PLACING, true, M });
  any_sim_init(&s, &p);
  uint32_t *order = MEM_NEW(uint32_t, p.events);
  any_order_natural(&p, order);
  uint64_t natural = any_sim_set(&s, order);
  any_order_cones(&p, 1, &taste, CLOCK_NEVER, order);
  ck_assert_uint_lt(3 * any_sim_set(&s, order), natural);
  mem_free(order);
  any_sim_clear(&s);
  any_program_clear(&p);
  cdag_graph_clear(&g);
}
END_TEST

/* A product of matrices, its vertices in any order: squares are found, which move 2 n^3 / side words and the result. */
START_TEST(words_find_the_blocks_of_a_product)
{
  enum { N = 14, M = 36, A = N * N, C = 2 * A, SIDE = 5 };
  static uint32_t from[3 * N * A], to[3 * N * A], name[C + N * A];
  support_random r = { (uint64_t)_i };
  uint64_t m = 0;
  cdag_graph g;
  for (uint32_t v = 0; v < C + N * A; v++) {
    uint32_t other = (uint32_t)support_between(&r, 0, v);
    name[v] = name[other];
    name[other] = v;
  }
  for (uint32_t i = 0; i < N; i++)
    for (uint32_t j = 0; j < N; j++)
      for (uint32_t k = 0; k < N; k++) {
        uint32_t v = C + (i * N + j) * N + k;
        from[m] = name[i * N + k], to[m++] = name[v];
        from[m] = name[A + k * N + j], to[m++] = name[v];
        if (k > 0)
          from[m] = name[v - 1], to[m++] = name[v];
      }
  ck_assert_int_eq(cdag_graph_init(&g, C + N * A, m, from, to, NULL, NULL), OK);
  pebble_trace t = { 0 };
  schedule_any_info info;
  ck_assert_int_eq(schedule_any_quick(&g, &(pebble_rules){ PEBBLE_PLACING, true, M }, &t, &info, NULL), OK);
  ck_assert_uint_le(info.io, 5 * (2 * N * A / SIDE + A) / 4);
  pebble_trace_clear(&t);
  cdag_graph_clear(&g);
}
END_TEST

/* Every play that computes nothing twice is legal where it is allowed. */
START_TEST(computing_again_is_never_worse)
{
  cdag_graph g;
  random_graph(&g, _i + 40, 20 + 5 * (_i % 5));
  for (int variant = 0; variant < 2; variant++) {
    pebble_rules rules = { (pebble_variant)variant, true, 0 };
    rules.m = pebble_least_memory(&g, &rules) + (uint64_t)_i % 3;
    pebble_trace once = { 0 }, again = { 0 };
    schedule_any_info info, more;
    ck_assert_int_eq(schedule_any_quick(&g, &rules, &once, &info, NULL), OK);
    rules.one_shot = false;
    ck_assert_int_eq(schedule_any_quick(&g, &rules, &again, &more, NULL), OK);
    ck_assert_uint_le(more.io, info.io);
    pebble_trace_clear(&once);
    pebble_trace_clear(&again);
  }
  cdag_graph_clear(&g);
}
END_TEST

/* Swap neighbours where that is legal, within the first stretch (so that every decision is taken again): the cost tried
   is that of a fresh play, whether kept or undone before. */
START_TEST(changed_orders_cost_what_fresh_plays_cost)
{
  cdag_graph g;
  any_program p;
  any_sim s, fresh;
  random_source random = { (uint64_t)_i };
  pebble_rules rules = { (pebble_variant)(_i % 3), _i / 3 % 2, 0 };
  int converged = 0;
  random_graph(&g, _i, 120);
  rules.m = pebble_least_memory(&g, &rules) + 2 + (uint64_t)(_i % 5);
  if (_i % 4 == 3)
    rules.m += 200; /* the queue instead of the scan */
  any_program_init(&p, &g, &rules);
  any_sim_init(&s, &p);
  any_sim_init(&fresh, &p);
  uint32_t *order = MEM_NEW(uint32_t, p.events);
  any_order_natural(&p, order);
  any_sim_set(&s, order);
  for (int i = 0; i < 200 && p.events > 1; i++) {
    uint32_t a = (uint32_t)random_below(&random, s.spacing < p.events ? s.spacing : p.events - 1), before[2];
    memcpy(before, s.order + a, sizeof before);
    if (a + 1 >= p.events || depends(&p, before[1], before[0]))
      continue;
    s.order[a] = before[1];
    s.order[a + 1] = before[0];
    uint64_t work = s.work, cost = any_sim_try(&s, a, a + 1, UINT64_MAX);
    converged += s.work - work < p.events; /* half of what playing everything takes, or less */
    memcpy(order, s.order, p.events * sizeof *order);
    ck_assert_uint_eq(any_sim_set(&fresh, order), cost);
    if (random_below(&random, 2))
      any_sim_keep(&s, cost);
    else
      any_sim_undo(&s, a, a + 1, before);
    memcpy(order, s.order, p.events * sizeof *order);
    ck_assert_uint_eq(any_sim_set(&fresh, order), s.total);
  }
  if (p.events > 60)
    ck_assert_int_gt(converged, 0); /* or this tested nothing */
  any_sim_clear(&s);
  any_sim_clear(&fresh);
  any_program_clear(&p);
  mem_free(order);
  cdag_graph_clear(&g);
}
END_TEST

/* Weaving leaves every order legal, and what it says the result costs is what it costs. */
START_TEST(weaves_are_legal)
{
  cdag_graph g;
  any_program p;
  any_sim s;
  support_random r = { (uint64_t)_i };
  pebble_rules rules = { (pebble_variant)(_i % 3), true, 0 };
  random_graph(&g, _i, 150);
  rules.m = pebble_least_memory(&g, &rules) + (uint64_t)(_i % 4);
  any_program_init(&p, &g, &rules);
  any_sim_init(&s, &p);
  any_weaver w;
  any_weaver_init(&w, &p);
  uint32_t *order = MEM_NEW(uint32_t, p.room_events);
  any_order_depth_first(&p, (uint64_t)_i, _i % 2, order);
  uint64_t first = any_sim_set(&s, order);
  for (int i = 0; i < 20 && p.events > 8; i++) { /* any blocks anywhere, whether that saves or not */
    uint32_t start[4] = { 0 }, a = (uint32_t)support_between(&r, 0, p.events - 8);
    for (int b = 1; b < 4; b++)
      start[b] = start[b - 1] + (uint32_t)support_between(&r, 1, 2 + (p.events - 8 - a) / 3);
    any_sim_set(&s, order);
    any_weave(&w, &s, a, start, 3, order + a);
    check_legal(&p, order);
  }
  any_order_depth_first(&p, (uint64_t)_i, _i % 2, order);
  any_sim_set(&s, order);
  ck_assert_uint_le(any_weave_sweeps(&s, _i / 2 % 2, UINT64_MAX, 100000, CLOCK_NEVER), first);
  check_legal(&p, s.order);
  memcpy(order, s.order, p.events * sizeof *order);
  uint64_t says = s.total;
  ck_assert_uint_eq(any_sim_set(&s, order), says);
  mem_free(order);
  any_weaver_clear(&w);
  any_sim_clear(&s);
  any_program_clear(&p);
  cdag_graph_clear(&g);
}
END_TEST

/* The I/O of a family's eager depth-first order, plain and woven. */
static void eager_and_woven(const char *spec, uint64_t m, uint64_t *eager, uint64_t *woven)
{
  cdag *c;
  cdag_graph g;
  diag d = { 0 };
  any_program p;
  any_sim s;
  ck_assert_msg(cdag_open(&c, spec, &d) == OK && cdag_materialise(c, 1 << 16, &g, &d) == OK, "%s", spec);
  any_program_init(&p, &g, &(pebble_rules){ PEBBLE_PLACING, true, m });
  any_sim_init(&s, &p);
  uint32_t *order = MEM_NEW(uint32_t, p.room_events);
  any_order_depth_first(&p, 0, true, order);
  *eager = any_sim_set(&s, order);
  *woven = any_weave_sweeps(&s, true, UINT64_MAX, 10000000, CLOCK_NEVER);
  mem_free(order);
  any_sim_clear(&s);
  any_program_clear(&p);
  cdag_graph_clear(&g);
  cdag_free(c);
}

/* Blocks of query rows, and of rows and columns, out of a graph that says nothing of them: the library's
   own schedules move 960 and 864 words. */
START_TEST(weaving_finds_blocks)
{
  uint64_t eager, woven;
  eager_and_woven("attention:n=24,d=4", 64, &eager, &woven);
  ck_assert_uint_gt(eager, 3 * 960);
  ck_assert_uint_le(woven, 1000);
  eager_and_woven("matmul:m=12,n=12,k=12", 32, &eager, &woven);
  ck_assert_uint_gt(eager, 2 * 864);
  ck_assert_uint_le(woven, 1000);
}
END_TEST

/* The local search meets legal orders only, and what it says the result costs is what it costs. */
START_TEST(search_keeps_orders_legal)
{
  cdag_graph g;
  any_program p;
  any_sim s;
  random_source random = { (uint64_t)_i };
  pebble_rules rules = { (pebble_variant)(_i % 3), _i / 3 % 2, 0 };
  any_budget budget = { .work = 200000, .hot = 2, .cold = 0.5 };
  random_graph(&g, _i, 80);
  rules.m = pebble_least_memory(&g, &rules) + (uint64_t)(_i % 4);
  any_program_init(&p, &g, &rules);
  any_sim_init(&s, &p);
  uint32_t *order = MEM_NEW(uint32_t, p.room_events), *left = MEM_NEW(uint32_t, p.items);
  any_order_greedy(&p, (uint64_t)_i, order);
  uint64_t first = any_sim_set(&s, order);
  any_search(&s, &p, &random, &budget);
  ck_assert_uint_le(s.total, first);
  for (uint32_t x = 0; x < p.items; x++)
    left[x] = p.partial ? p.writes[x] : p.writes[x] > 0; /* before it may be read */
  for (uint32_t t = 0; t < p.length; t++) {
    uint32_t e = s.order[t];
    for (uint32_t r = p.read_at[e]; r < p.read_at[e + 1]; r++)
      ck_assert_uint_eq(left[p.read[r]], 0);
    left[p.write[e]] -= left[p.write[e]] > 0;
  }
  for (uint32_t x = 0; x < p.items; x++)
    ck_assert_uint_eq(left[x], 0);
  memcpy(order, s.order, p.length * sizeof *order);
  uint64_t total = s.total;
  ck_assert_uint_eq(any_sim_set(&s, order), total);
  mem_free(order);
  mem_free(left);
  any_sim_clear(&s);
  any_program_clear(&p);
  cdag_graph_clear(&g);
}
END_TEST

/* A long order is searched by two: with one thread or two, the same comes out, and it costs what it says. */
START_TEST(search_does_not_depend_on_threads)
{
  enum { N = 3000 };
  cdag_graph g;
  any_program p;
  uint32_t *order = MEM_NEW(uint32_t, N), *found = MEM_NEW(uint32_t, N);
  uint64_t cost[2];
  ck_assert_int_eq(cdag_graph_random(&g, N, 5 + _i, 3, _i ? 8 : 40, NULL), OK);
  any_program_init(&p, &g, &(pebble_rules){ _i ? PEBBLE_SLIDING : PEBBLE_PLACING, true, _i ? 250 : 12 });
  ck_assert_uint_ge(p.length, ANY_SHARED);
  any_order_depth_first(&p, 0, true, order);
  for (int threads = 0; threads < 2; threads++) {
    random_source random = { 7 };
    any_budget budget = { .work = 4000000, .hot = 0.5, .cold = 0.1, .crew = threads ? crew_new() : NULL };
    any_sim s;
    any_sim_init(&s, &p);
    uint64_t first = any_sim_set(&s, order);
    any_search(&s, &p, &random, &budget);
    cost[threads] = s.total;
    ck_assert_uint_lt(s.total, first);
    ck_assert(threads == 0 || memcmp(found, s.order, p.length * sizeof *found) == 0);
    memcpy(found, s.order, p.length * sizeof *found);
    check_legal(&p, found);
    ck_assert_uint_eq(any_sim_set(&s, found), cost[threads]);
    any_sim_clear(&s);
    crew_free(budget.crew);
  }
  ck_assert_uint_eq(cost[0], cost[1]);
  mem_free(order);
  mem_free(found);
  any_program_clear(&p);
  cdag_graph_clear(&g);
}
END_TEST

/* ---- real graphs ---- */

/* I/O that another program's heuristics found, one-shot. */
static const struct { const char *file; uint64_t m, io; } table[] = {
  { "spmv_N50_nzP0d1", 11, 556 },       { "spmv_N50_nzP0d1", 22, 467 },       { "CG_N10_K7_nzP0d25", 11, 1281 },
  { "CG_N10_K7_nzP0d25", 22, 1053 },    { "simple_pagerank_gyro_m", 4, 382 }, { "simple_pagerank_gyro_m", 8, 175 },
  { "bicgstab", 4, 108 },               { "bicgstab", 8, 70 },                { "pregel", 7, 80 },
  { "pregel", 14, 55 },
};

static bool read_dag(cdag_graph *g, const char *name)
{
  const char *folder = getenv("REDBLUE_DAGS");
  char path[600];
  text t = { 0 };
  diag d = { 0 };
  if (!folder)
    return false;
  snprintf(path, sizeof path, "%s/%s.txt", folder, name);
  ck_assert_msg(text_read(&t, path, 0, &d) == OK && cdag_graph_read(g, t.s, t.n, path, &d) == OK, "%s", d.message);
  text_clear(&t);
  return true;
}

START_TEST(real_graphs_beat_the_table)
{
  double product = 0;
  for (int i = 0; i < COUNT(table); i++) {
    cdag_graph g;
    pebble_rules rules = { PEBBLE_PLACING, true, table[i].m };
    if (!read_dag(&g, table[i].file))
      return;
    uint64_t io = found(&g, &rules, 1, 0.2);
    ck_assert_uint_le(io, table[i].io);
    product += log((double)io / (double)table[i].io);
    cdag_graph_clear(&g);
  }
  ck_assert_double_lt(exp(product / COUNT(table)), 0.8);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("any");
  TCase *c = support_case(s, "any");
  tcase_add_loop_test(c, between_optimum_and_legality, 0, support_rounds(10));
  tcase_add_loop_test(c, known_optima_are_found, 0, COUNT(known));
  tcase_add_loop_test(c, larger_graphs_are_legal, 0, support_rounds(6));
  tcase_add_loop_test(c, large_memories, 0, support_rounds(2));
  tcase_add_test(c, too_little_memory_is_an_answer);
  tcase_add_loop_test(c, nothing_to_compute_costs_nothing, 0, 3);
  tcase_add_loop_test(c, same_seed_same_moves, 0, 2);
  tcase_add_loop_test(c, first_orders_are_legal, 0, support_rounds(30));
  tcase_add_loop_test(c, words_find_the_blocks_of_a_product, 0, 2);
  tcase_add_loop_test(c, computing_again_is_never_worse, 0, support_rounds(10));
  tcase_add_test(c, cones_find_the_way_through_a_grid);
  tcase_add_loop_test(c, changed_orders_cost_what_fresh_plays_cost, 0, support_rounds(40));
  tcase_add_loop_test(c, weaves_are_legal, 0, support_rounds(12));
  tcase_add_test(c, weaving_finds_blocks);
  tcase_add_loop_test(c, search_does_not_depend_on_threads, 0, 2);
  tcase_add_loop_test(c, search_keeps_orders_legal, 0, support_rounds(12));
  tcase_add_test(c, real_graphs_beat_the_table);
  return support_run(s);
}
