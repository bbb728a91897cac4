/* Strips of a stencil in the plane whose rows begin and end farther on with each step, on either side: both engines,
   with and without fast-forward, and the count; and whatever the tile engine is told of how they lean, the same
   verdict. */
#include "base/mem.h"
#include "tests/support.h"
#include "tests/support_ways.h"
#include <inttypes.h>
#include <stdio.h>

typedef struct {
  support_random r;
  text computation, program;
  bool large,
      turned; /* too large to be played element by element; the plane is turned, so that time is the last index */
  int64_t far, late;           /* the first column, the first step */
  pebble_rules rules;
} maker;

static int64_t pick(maker *m, int64_t lo, int64_t hi) { return support_between(&m->r, lo, hi); }
static bool chance(maker *m, int in) { return pick(m, 1, in) == 1; }

static const char *slip(maker *m)
{
  static const char *const by[] = { "-1", "+1", "+0", "-2" };
  return chance(m, 120) ? by[pick(m, 0, COUNT(by) - 1)] : "";
}

/* A[s,i,j], perhaps in another order. */
static void put_box(maker *m, const char *s, const char *i, const char *j)
{
  text_printf(&m->program, "A[%s,%s,%s]", m->turned ? i : s, m->turned ? j : i, m->turned ? s : j);
}

static void put_move(maker *m, const char *verb, const char *s, const char *i, const char *j)
{
  text_printf(&m->program, "%s ", verb);
  put_box(m, s, i, j);
  text_add(&m->program, "\n");
}

static void put_computation(maker *m, int t)
{
  static const char *const straight = "A[s:e..e+t+1, i:w, j:f..f+h] = A[s-1,i-1,j], A[s-1,i,j-1], A[s-1,i,j], "
                                      "A[s-1,i,j+1], A[s-1,i+1,j]\noutput A[e+t,*,*]\n";
  static const char *const turned = "A[i:w, j:f..f+h, s:e..e+t+1] = A[i-1,j,s-1], A[i,j-1,s-1], A[i,j,s-1], "
                                    "A[i,j+1,s-1], A[i+1,j,s-1]\noutput A[*,*,e+t]\n";
  static const char *const window = "A[s:e..e+t+1, i:w, j:f..f+h] = A[s-1,i-1..i+2,j], A[s-1,i,j-1], "
                                    "A[s-1,i,j+1]\noutput A[e+t,*,*]\n";
  int scale = m->large ? 4 : 1;
  text_printf(&m->computation, "param w = %d, h = %d, t = %d, f = %" PRId64 ", e = %" PRId64 "\ninput %s",
              (int)pick(m, 2, 25 * scale), (int)pick(m, 2, 25 * scale), t, m->far, m->late,
              m->turned ? turned : chance(m, 3) ? window : straight);
}

/* Each strip computes again what its neighbours do: it narrows on both sides. */
static void put_narrowing(maker *m)
{
  char j[96];
  text_printf(&m->program, "for C in f..f+h by %d {\nfor x in w + len(T) {\n", (int)pick(m, 1, m->large ? 40 : 12));
  snprintf(j, sizeof j, "lo(C)-len(T)%s..hi(C)+len(T)%s", slip(m), slip(m));
  put_move(m, "load", "lo(T)", "x", j);
  text_add(&m->program, "for s in len(T) {\nif (x > s) * (x - s <= w) {\ncompute ");
  snprintf(j, sizeof j, "lo(C)-len(T)+s+1%s..hi(C)+len(T)-s-1%s", slip(m), slip(m));
  put_box(m, "lo(T)+s+1", "x-s-1", j);
  text_add(&m->program, " dropping ");
  put_box(m, "lo(T)+s", "x-s-2", "*");
  text_add(&m->program, "\n");
  put_move(m, "drop", "lo(T)+s", "x-s-2", "lo(C)-len(T)+s");
  put_move(m, "drop", "lo(T)+s", "x-s-2", "hi(C)+len(T)-s-1");
  text_add(&m->program, "}\nif x - s == w { ");
  put_move(m, "drop", "lo(T)+s", "w-1", "lo(C)-len(T)+s..hi(C)+len(T)-s");
  text_add(&m->program, "}\n}\n");
  put_move(m, "store", "hi(T)", "x-len(T)", "C");
  put_move(m, "drop", "hi(T)", "x-len(T)", "C");
}

/* Each strip leaves two columns of every step to the next one: both its sides lean the same way. */
static void put_slanting(maker *m)
{
  char j[96];
  text_printf(&m->program, "for C in f..f+h + len(T) by %d {\nfor x in w + len(T) {\n",
              (int)pick(m, 1, m->large ? 40 : 12));
  put_move(m, "load", "lo(T)", "x", "lo(C)-2..hi(C)");
  text_add(&m->program, "for s in len(T) {\nif s > 0 {");
  snprintf(j, sizeof j, "lo(C)-s-2%s..lo(C)-s", slip(m));
  put_move(m, "load", "lo(T)+s", "x-s", j);
  put_move(m, "erase", "lo(T)+s", "x-s", "lo(C)-s-2..lo(C)-s");
  text_add(&m->program, "}\ncompute ");
  snprintf(j, sizeof j, "lo(C)-s-1%s..hi(C)-s-1%s", slip(m), slip(m));
  put_box(m, "lo(T)+s+1", "x-s-1", j);
  text_add(&m->program, " dropping ");
  put_box(m, "lo(T)+s", "x-s-2", "*");
  text_add(&m->program, "\nif x - s <= w {");
  put_move(m, "drop", "lo(T)+s", "x-s-2", "lo(C)-s-2");
  put_move(m, "drop", "lo(T)+s", "x-s-2", "hi(C)-s-1");
  text_add(&m->program, "}\nif x - s == w {");
  put_move(m, "drop", "lo(T)+s", "w-1", "lo(C)-s-2..hi(C)-s");
  text_printf(&m->program, "}\nif (s + 1 < len(T)) * (hi(C) < f + h + len(T)%s) {", slip(m));
  put_move(m, "store", "lo(T)+s+1", "x-s-1", "hi(C)-s-3..hi(C)-s-1");
  text_add(&m->program, "}\n}\n");
  put_move(m, "store", "hi(T)", "x-len(T)", "lo(C)-len(T)..hi(C)-len(T)");
  put_move(m, "drop", "hi(T)", "x-len(T)", "lo(C)-len(T)..hi(C)-len(T)");
}

static int64_t somewhere(maker *m)
{
  return chance(m, 12) ? (INT64_C(1) << 60) + 7 : chance(m, 12) ? -(INT64_C(1) << 60) - 7 : 0;
}

static void make(maker *m, uint64_t seed, bool large)
{
  *m = (maker){ .r = { seed ^ 0x1ea4 }, .large = large };
  m->rules = (pebble_rules){ .variant = chance(m, 4) ? PEBBLE_SLIDING : PEBBLE_PLACING,
                             .m = chance(m, 3) ? (uint64_t)pick(m, 20, 400) : 100000 };
  m->turned = chance(m, 3);
  m->far = somewhere(m);
  m->late = somewhere(m);
  int t = (int)pick(m, 1, m->large ? 40 : 12);
  put_computation(m, t);
  text_printf(&m->program, "schedule strips\nfor T in e..e+t by %d {\n", (int)pick(m, 1, t));
  if (chance(m, 3))
    put_slanting(m);
  else
    put_narrowing(m);
  text_add(&m->program, "}\n}\n}\n");
  m->rules.one_shot = chance(m, 6);
}

static void maker_clear(maker *m)
{
  text_clear(&m->computation);
  text_clear(&m->program);
}

/* ---- the same by all ways ---- */

static void compare(uint64_t seed, bool large, ways_tally *of)
{
  maker m;
  make(&m, seed, large);
  ways_try_texts(seed, &m.computation, &m.program, &m.rules, !large, "LEAN_SAY", of);
  maker_clear(&m);
}

START_TEST(agree)
{
  ways_tally of = { 0 };
  compare((uint64_t)_i, false, &of);
}
END_TEST

START_TEST(agree_when_large)
{
  ways_tally of = { 0 };
  compare((uint64_t)_i, true, &of);
}
END_TEST

/* Worth something only if these programs can be read, many are legal, and iterations are left out. */
START_TEST(leave_iterations_out)
{
  ways_tally of = { 0 };
  for (uint64_t seed = 0; seed < 100; seed++)
    compare(seed, false, &of);
  ways_say("LEAN_SAY", &of);
  ck_assert_uint_gt(of.plays, 95);
  ck_assert_uint_gt(of.legal, 40);
  ck_assert_uint_gt(of.jumping, 40);
}
END_TEST

/* ---- told anything ---- */

static void tell(void *context, const cdag *g, pebble_game *game)
{
  maker *m = context;
  int r = (int)pick(m, 0, 2), q = (r + (int)pick(m, 1, 2)) % 3;
  if (chance(m, 2)) { /* time, a row, and what is left may lean */
    r = m->turned ? 2 : 0;
    q = m->turned ? 0 : 1;
  }
  int steep = chance(m, 4) ? PEBBLE_STEEPEST : 1;
  pebble_lay_sheared(game, 0, r, q, (chance(m, 4) ? -1 : 1) * (int)pick(m, 1, steep));
  pebble_lay_leaning(game, 0, 3 - r - q, (int)pick(m, -steep, steep), (int)pick(m, -steep, steep));
  (void)g;
}

static void compare_told(uint64_t seed, bool large)
{
  maker m;
  make(&m, seed, large);
  ways_compare_told(seed, &m.computation, &m.program, &m.rules, !large, tell, &m);
  maker_clear(&m);
}

START_TEST(hints_change_nothing) { compare_told((uint64_t)_i + 10000, false); }
END_TEST

START_TEST(hints_change_nothing_when_large) { compare_told((uint64_t)_i + 20000, true); }
END_TEST

static void tell_narrowing(void *context, const cdag *g, pebble_game *game)
{
  (void)context;
  (void)g;
  pebble_lay_sheared(game, 0, 0, 1, 1);
  pebble_lay_leaning(game, 0, 2, 1, -1);
}

/* What is played of this, told so; legal or not. */
static void play_narrowing(const char *computation, const char *program, pebble_verdict *v)
{
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  pebble_rules rules = { .m = 2000 };
  ck_assert_msg(cdag_parse(&g, "row.cdag", computation, "", &d) == OK, "%s", d.message);
  ck_assert_msg(schedule_parse(&s, g, rules.m, "row.sched", program, "", &d) == OK, "%s", d.message);
  ways_play_told(s, &rules, tell_narrowing, NULL, v);
  schedule_free(s);
  cdag_free(g);
}

/* At step 2 a row of the list has its ends two columns farther out than it stands for: column 6 is not red. */
START_TEST(what_a_row_is_kept_as_is_not_where_it_lies)
{
  pebble_verdict v;
  play_narrowing("input A[s:3, i:2, j:9] = A[s,i,j-1]\noutput A[2,0,8]\n",
                 "load A[2,0,0]\ncompute A[2,0,1..5] dropping A[2,0,*]\ncompute A[2,0,7..9]\n", &v);
  ck_assert(!v.legal);
  ck_assert_int_eq(v.rule, PEBBLE_PREDECESSOR);
  ck_assert_int_eq(v.missing.x[2], 6);
}
END_TEST

/* A pebble goes along a row towards another, from above or from below. */
START_TEST(a_row_in_the_way)
{
  static const struct { const char *program; int64_t met; } row[] = {
    { "load A[10,0,0..100]\nfor t in 750 { load A[10,0,1500-2*t] drop A[10,0,1500-2*t] }\n", 98 },
    { "load A[10,0,1500..1600]\nfor t in 760 { load A[10,0,2*t] drop A[10,0,2*t] }\n", 1500 },
    { "load A[10,0,1500..2000]\nfor t in 760 { load A[10,0,2*t] drop A[10,0,2*t] }\n", 1500 },
    { "load A[10,0,50..100]\nfor t in 750 { load A[10,0,1501-2*t] drop A[10,0,1501-2*t] }\n", 99 },
  };
  pebble_verdict v;
  play_narrowing("input A[s:30, i:2, j:2000]\noutput R[1] = A[0,0,0]\n", row[_i].program, &v);
  ck_assert(!v.legal);
  ck_assert_int_eq(v.rule, PEBBLE_ALREADY_RED);
  ck_assert_int_eq(v.element.x[2], row[_i].met);
}
END_TEST

/* ---- what it is for ---- */

/* Played without an idea of how rows lean, the front is a box for each row. */
START_TEST(a_wide_plane_is_short)
{
  schedule_verdict v;
  ways_play_library("stencil2d:w=131072,h=131072,t=1000", "strips", 262144, &v);
  ck_assert_uint_gt(v.inferred, 1000000);
  schedule_verdict_clear(&v);
}
END_TEST

/* Small ones, of which as many iterations are left out as can be: a recorded number too many, and iterations of the
 * loops outside are played. */
START_TEST(as_many)
{
  static const struct {
    const char *spec;
    uint64_t m, inferred;
  } plane[] = { { "stencil2d:w=40,h=60,t=24", 100, 472 }, { "stencil2d:w=60,h=90,t=30", 300, 812 } };
  schedule_verdict v;
  ways_play_library(plane[_i].spec, "strips", plane[_i].m, &v);
  ck_assert_uint_eq(v.inferred, plane[_i].inferred);
  schedule_verdict_clear(&v);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("lean");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, agree, 100, 100 + support_rounds(150));
  tcase_add_loop_test(c, agree_when_large, 0, support_rounds(30));
  if (!support_sanitized())
    tcase_add_test(c, leave_iterations_out);
  tcase_add_loop_test(c, hints_change_nothing, 0, support_rounds(150));
  tcase_add_loop_test(c, hints_change_nothing_when_large, 0, support_rounds(40));
  tcase_add_test(c, what_a_row_is_kept_as_is_not_where_it_lies);
  tcase_add_loop_test(c, a_row_in_the_way, 0, 4);
  tcase_add_test(c, a_wide_plane_is_short);
  tcase_add_loop_test(c, as_many, 0, 2);
  return support_run(s);
}
