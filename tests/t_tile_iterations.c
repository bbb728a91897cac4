/* Loops whose pattern ends far from where it was seen, or in the last of their iterations; and how many of their
   iterations are left out: all that can be, and not one more.  Every program is played by all ways (support_ways.h). */
#include "pebble/extrapolate/forward.h"
#include "tests/support.h"
#include "tests/support_ways.h"
#include <stdio.h>
#include <stdlib.h>

#define WORDS                                                                                                          \
  "param n = 1000\ninput X[-5000..100000], P[-20..600, 3], Y[n], D[i:n, j:3, k:j+1]\noutput O[1] = Y[0]\nQ[i:n] = "    \
  "D[i,*,*]\nS[i:n] = S[i-1], X[i]\nR[i:33] = X[i], P[i-23,0]\nT[i:33] = X[i], P[i+582,1]\nG[i:400, j:400] = "         \
  "X[i]\ninput H[i:60, j:i+1]\nN[i:60, j:i+1, k:2] = X[j]\n"
#define DONE "\nload Y[0] compute O[0] dropping Y store O[0] drop O[0]\n"
#define PINWHEEL(t)                                                                                                    \
  "load P[10*" t ",0..2] load P[10*" t "..10*" t "+2,2] load P[10*" t "+2,1..3] load P[10*" t "+1..10*" t              \
  "+3,0] load P[10*" t "+1,1] "
static const struct { const char *program; uint64_t m, inferred;
} iterations[] = {
  /* one loop: a pebble in the way, memory that ends, a condition that turns, a place that ends */
  { "for t in n { load X[t] drop X[t] }", 9, 998 },
  { "load X[1500] for t in n { load X[2*t] drop X[2*t] }", 9, 748 },
  { "load X[1501] for t in n { load X[2*t] drop X[2*t] }", 9, 995 },
  { "load X[1500] for t in n { load X[3000-2*t] drop X[3000-2*t] }", 9, 748 },
  { "for t in n { load X[t] }", 900, 898 },
  { "for t in n { load X[t] }", 1000, 998 },
  { "for t in n { load X[t] load X[5000+t] drop X[t] }", 900, 897 },
  { "for t in n { load X[3*t..3*t+3] drop X[3*t..3*t+2] }", 900, 0 },
  { "for t in n { load X[t] if t > 800 { load X[5000+t] } }", 1200, 995 },
  { "for t in n { load X[t] drop X[t] if 3*t > 2400 { load X[5000+t] } }", 1200, 995 },
  { "for t in n { load X[t] drop X[t] if 7*t == 4900 { load X[5000+t] } }", 1200, 995 },
  { "for t in n { load X[t] drop X[t] if (7*t == 4900) == 0 { load X[5000+t] drop X[5000+t] } }", 1200, 995 },
  { "for t in n { load X[t] drop X[t] if (t >= 300) * ((t == 700) < (t > 99)) { load X[5000+t] drop X[5000+t] } }", 12,
    989 },
  { "for t in n { load X[t] drop X[t] if t >= 300 { if t < 700 { load X[5000+t] drop X[5000+t] } } }", 12, 992 },
  { "for t in n { load X[200*t..200*t+300] drop X[200*t..200*t+300] }", 400, 995 },
  { "for t in n { load X[t] drop X[t] } for t in n { store X[t] }", 12, 998 },
  { "load X[0..900] for t in n { store X[t] }", 1200, 0 },
  { "load X[0..900] for t in n { drop X[t] }", 1200, 897 },
  { "load X[0..900] for t in n { erase X[t] store X[t] }", 1200, 897 },
  { "for t in 900 { erase X[t] } for t in n { load X[1999-2*t] drop X[1999-2*t] }", 12, 1446 },
  /* loops that become longer, or shorter, to nothing and beyond */
  { "for t in n { for j in t { load X[j] } for j in t { drop X[j] } }", 700, 2832 },
  { "for t in n { for j in n-t { load X[j] drop X[j] } }", 700, 2992 },
  { "for t in n { for j in 700-t { load X[j] drop X[j] } }", 700, 2385 },
  { "for t in n { for j in 701-2*t by 2 { load X[j] drop X[j] } }", 700, 1685 },
  { "for t in n { for j in 2*t..n { load X[j] drop X[j] } }", 700, 2983 },
  { "for t in n { for j in t..900 { load X[j] } for j in t..900 { drop X[j] } }", 899, 897 },
  { "for t in n { load X[0..900-t] drop X[0..900-t] }", 1000, 985 },
  /* loops in loops: more iterations are needed to tell */
  { "for x in 60 { for y in x { for z in y { load X[z] drop X[z] } } }", 9, 816 },
  { "for x in 60 { for y in 60-x { for z in x+y { load X[z] drop X[z] } } }", 9, 2017 },
  { "for x in 25 { for y in x { for z in x { for w in y { load X[w] drop X[w] } } } }", 9, 4112 },
  { "for x in 60 { for y in x { for z in y { load X[z] } for z in y { drop X[z] } } }", 59, 2979 },
  { "for x in 60 { for y in x { for z in y { load X[z] } for z in y { drop X[z] } } }", 50, 2999 },
  /* of the loop inside, the one before the pebble is left out, then the one behind it: its iterations go up by one in
     every other iteration */
  { "for x in 40 { load X[1001+2*x] for y in x { for z in x { load X[z] drop X[z] } } for j in 300 { load X[400+4*j] "
    "drop X[400+4*j] } drop X[1001+2*x] }",
    9, 13929 },
  { "for x in 40 { load X[1002+4*x] for y in x { for z in x { load X[z] drop X[z] } } for j in 300 { load X[400+4*j] "
    "drop X[400+4*j] } drop X[1002+4*x] }",
    9, 3799 },
  /* memory might end: of each loop inside so many iterations are left out that the numbers lie on no line */
  { "for x in 60 { load X[2000..2000+x] for y in 80 { for z in y { load X[z] } for z in y { drop X[z] } for z in y { "
    "load X[z] } for z in y { drop X[z] } } drop X[2000..2000+x] }",
    170, 14378 },
  { "for t in n { load X[t..2*t+1] drop X[t..2*t+1] }", 700, 680 },
  /* elements that are computed one by one, as what they read is no box */
  { "for t in n { load D[t,*,*] compute Q[t] dropping D drop Q[t] }", 9, 0 },
  { "for t in 1000 { load D[t,*,*] } drop D[700,2,1] for t in n { compute Q[t] drop Q[t] }", 9000, 997 },
  /* blocks like the one before, but for what lies outside an array */
  { "for t in n by 5 { load X[t] compute S[t] dropping S drop X[t] } drop S[999]", 19, 196 },
  { "load P[-20..10,0] for t in 33 by 5 { load X[t] compute R[t] dropping P drop R[t], X[t] }", 99, 3 },
  { "load P[582..600,1] for t in 33 by 5 { load X[t] compute T[t] dropping P drop T[t], X[t] }", 99, 1 },
  /* as many boxes as in the iteration before, but not of the same sets */
  { "for t in 100 { load P[t,0] } for t in 60 { load X[2*t] } for t in 45 { load X[2*t+1] drop P[2*t+1,0] }", 999, 98 },
  /* three boxes in a row, in whichever order their list is */
  { "load X[0] load X[10] load X[20] for t in n { load X[10*t+30] drop X[10*t] }", 9, 998 },
  /* a diagonal with a gap */
  { "load X[0..400] for t in 400 { compute G[t,t] if t != 300 { store G[t,t] } drop G[t,t] } for t in 400 { load "
    "G[t,t] drop G[t,t] }",
    999, 691 },
  { "load X[0..400] for t in 400 { compute G[t,t] store G[t,t] drop G[t,t] } load G[300,300] for t in 400 { load "
    "G[t,t] drop G[t,t] }",
    999, 694 },
  /* in each iteration outside fewer rows go before room is wanted, and the longest stay: there is room in all
     iterations, and not so */
  { "for x in 20 { for y in 60 { load H[59-y,*] } for y in 50-2*x { drop H[y,*] } load X[0..1500] drop X[0..1500] drop "
    "H[59,*] for y in 9+2*x { drop H[58-y,*] } }",
    2700, 924 },
  { "for x in 20 { for y in 60 { load H[59-y,*] } for y in 50-2*x { drop H[y,*] } load X[0..1500] drop X[0..1500] drop "
    "H[59,*] for y in 9+2*x { drop H[58-y,*] } }",
    3300, 2100 },
  /* a column that gets longer */
  { "load X[0..400] for t in 400 { compute G[0..t+1,0] drop G[0..t+1,0] }", 999, 393 },
  /* rows that reach over a slanted side, wholly beyond it, and from a corner on; columns that it cuts */
  { "for t in 30 { load X[t] drop X[t] load H[t,40..44] }", 9, 28 },
  { "for t in 40 { load H[t+3,0..4] drop H[t+3,0..4] }", 9, 38 },
  { "for t in 40 { load H[t,0..4] drop H[t,0..4] }", 9, 30 },
  { "load X[0..60] for t in 60 { compute N[t,*,*] drop N[t,*,*] }", 999, 56 },
  { "for t in 40 { load H[5..50,t+6] drop H[5..50,t+6] }", 99, 35 },
  /* five boxes in a square, which goes as a whole */
  { "for x in 40 { " PINWHEEL("-1") "for t in 50 { drop P[10*t-10..10*t-7,*] " PINWHEEL("t") "} drop P[490..493,*] }",
    9, 134 },
};

#define TEN(x) x x x x x x x x x x
/* Far apart and far out: too much for a play element by element. */
#define FAR                                                                                                            \
  "param n = 1000\ninput X[-1152921504606846976..1152921504606846976], T[i:8, j:i+1, k:72057594037927936], Y[n], "     \
  "Z[i:20, j:i+1, k:100000000]\noutput O[1] = Y[0]\n"
static const struct { const char *program; uint64_t m, inferred;
} far_iterations[] = {
  { "for t in n { load X[t*1073741824] drop X[t*1073741824] }", 9, 998 },
  { "for t in n { load X[t*1073741825] drop X[t*1073741825] }", 9, 0 },
  { "for t in n { load X[99-t*1073741825] drop X[99-t*1073741825] }", 9, 0 },
  { "for t in n { load X[t] drop X[t] if t*1073741824 > 99 { load X[t] drop X[t] } }", 9, 997 },
  { "for t in n { load X[t] drop X[t] if 99 > t*1073741825 { load X[t] drop X[t] } }", 9, 0 },
  { "for t in n { load X[t] drop X[t] load X[t*1152921504606846976] }", 9, 0 },
  /* a row of pebbles that goes over to another far away: positions move far, and nothing else does */
  { "for t in 100 { load X[2*t] } for t in 90 { drop X[2*t] load X[1152921504606840000+2*t] }", 120, 0 },
  { "for t in 8 { load T[t,*,*] drop T[t,*,*] }", 1152921504606846976, 4 },
  { "for t in 8 { load T[t,*,*] load T[0,*,*] drop T[0,*,*] drop T[t,*,*] }", 500000000000000000, 0 },
  { "for t in 8 { for j in 300 { load T[t,*,*] drop T[t,*,*] } }", 1152921504606846976, 1790 },
  { "for t in 8 { " TEN("load T[t,*,*] drop T[t,*,*] load T[t,*,*] drop T[t,*,*] load T[t,*,*] drop T[t,*,*] load "
                        "T[t,*,*] drop T[t,*,*] ") "}",
    1152921504606846976, 0 },
  /* a loop of no iterations, farther and farther from having any */
  { "for t in n { load X[t] drop X[t] for j in -1-t*1073741824 { load X[0] drop X[0] } }", 9, 997 },
  { "for t in n { load X[t] drop X[t] for j in -1-t*1073741825 { load X[0] drop X[0] } }", 9, 0 },
  /* fewer each time, by a little, and by more than is looked at */
  { "for t in 20 { load Z[19-t,*,*] }", 4611686018427387904, 15 },
  { "for t in 8 { load T[7-t,*,*] }", 4611686018427387904, 0 },
  /* positions of more boxes than are compared */
  { "for t in 17000 { load X[2*t] } for t in n { load X[50000+t] drop X[50000+t] }", 20000, 0 },
  { "for t in 16383 { load X[2*t] } for t in n { load X[50000+t] drop X[50000+t] }", 20000, 998 },
  { "for t in 16382 { load X[2*t] } for t in 9 { load X[50000+2*t] }", 20000, 0 },
  { "for t in 16385 { load X[2*t] } for t in 9 { drop X[2*t] }", 20000, 0 },
};

static void check(const char *computation, const char *loops, uint64_t m, bool by_element, uint64_t expected)
{
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  bool legal;
  text program = { 0 };
  pebble_rules rules = { .m = m };
  text_printf(&program, "schedule iterations\n%s%s", loops, DONE);
  ck_assert_msg(cdag_parse(&g, "iterations.cdag", computation, "", &d) == OK, "%s", d.message);
  ck_assert_msg(schedule_parse(&s, g, m, "iterations.sched", text_str(&program), "", &d) == OK, "%s: %s", d.message,
                loops);
  uint64_t inferred = ways_compare(s, &rules, by_element, loops, &legal);
  if (getenv("ITERATIONS_SAY"))
    fprintf(stderr, "%lu %lu %d %s\n", (unsigned long)inferred, (unsigned long)m, legal, loops);
  ck_assert_msg(inferred == expected, "%lu iterations are left out, not %lu: %s", (unsigned long)inferred,
                (unsigned long)expected, loops);
  text_clear(&program);
  schedule_free(s);
  cdag_free(g);
}

START_TEST(as_many)
{
  check(WORDS, iterations[_i].program, iterations[_i].m, true, iterations[_i].inferred);
}
END_TEST

START_TEST(as_many_far_out)
{
  check(FAR, far_iterations[_i].program, far_iterations[_i].m, false, far_iterations[_i].inferred);
}
END_TEST

/* ---- more than can be played iteration by iteration ---- */

static const struct { const char *program; uint64_t loads, inferred; } long_iterations[] = {
  { "for t in 4294967306 { load X[t] drop X[t] }", 4294967306, 4294967304 },
  { "for t in 9 { for j in t*4294967296 { load X[j] drop X[j] } }", UINT64_C(154618822656), UINT64_C(154618822640) },
  { "for t in 9 { for j in t*4294967296 { load X[0] drop X[0] } }", UINT64_C(154618822656), UINT64_C(154618822640) },
  { "for t in 9 { for j in t*1000000 { load X[j] drop X[j] } }", 36000000, 10999999 },
};

START_TEST(long_loops)
{
  cdag *g = NULL;
  schedule *s = NULL;
  schedule_verdict v = { 0 };
  diag d = { 0 };
  text program = { 0 };
  schedule_play_options o = { .rules = { .m = 9 }, .engine = PEBBLE_BY_TILE, .fast_forward = true };
  text_printf(&program, "schedule iterations\n%s%s", long_iterations[_i].program, DONE);
  ck_assert_int_eq(cdag_parse(&g, "iterations.cdag", FAR, "", &d), OK);
  ck_assert_int_eq(schedule_parse(&s, g, o.rules.m, "iterations.sched", text_str(&program), "", &d), OK);
  ck_assert_int_eq(schedule_play(s, &o, &v, &d), OK);
  ck_assert(v.verdict.legal);
  ck_assert_uint_eq(v.verdict.loads, long_iterations[_i].loads + 1);
  ck_assert_uint_eq(v.verdict.peak, 2);
  ck_assert_uint_eq(v.inferred, long_iterations[_i].inferred);
  schedule_counts c;
  ck_assert_int_eq(schedule_count(s, &o.rules, &c, &d), OK);
  ck_assert(c.countable);
  ck_assert_uint_eq(c.loads, v.verdict.loads);
  ck_assert_uint_eq(c.peak, 2);
  schedule_counts_clear(&c);
  schedule_verdict_clear(&v);
  text_clear(&program);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* ---- iterations recorded by hand ---- */

typedef struct {
  cdag *g;
  pebble_game *game;
  pebble_forward *f;
  pebble_mark m[3];
} recorded;

/* A game of boxes, played or counted. */
static void begin(recorded *w, const char *computation, uint64_t memory, bool counted)
{
  diag d = { 0 };
  pebble_rules rules = { .m = memory };
  *w = (recorded){ 0 };
  ck_assert_int_eq(cdag_parse(&w->g, "iterations.cdag", computation, "", &d), OK);
  ck_assert_int_eq(counted ? pebble_blind_new(&w->game, w->g, &rules, &d)
                           : pebble_new(&w->game, w->g, PEBBLE_BY_TILE, &rules, &d),
                   OK);
  w->f = pebble_forward_new(w->game);
}

static uint64_t jump(recorded *w, const int *sets, int n, uint64_t most)
{
  bool few;
  return pebble_forward_jump(w->f, sets, n, w->m, 3, 0, most, &few);
}

static void end(recorded *w)
{
  for (int k = 0; k < 3; k++)
    pebble_mark_clear(&w->m[k]);
  pebble_forward_free(w->f);
  pebble_free(w->game);
  cdag_free(w->g);
}

/* Iterations that record more than there is room for are not compared. */
START_TEST(full_log)
{
  enum { ROOM = 1 << 22, MOST = 7 };
  recorded w;
  begin(&w, WORDS, 9, false);
  for (int entries = 1; entries <= ROOM; entries += ROOM - 1) {
    pebble_forward_record(w.f);
    for (int k = 0; k < 3; k++) {
      pebble_forward_mark(w.f, NULL, 0, k > 0, &w.m[k]);
      for (int i = 0; i < entries && k < 2; i++)
        pebble_forward_equal(w.f, i);
    }
    ck_assert_int_eq(pebble_forward_full(w.f), entries > 1);
    ck_assert_uint_eq(jump(&w, NULL, 0, MOST), entries > 1 ? 0 : MOST);
    pebble_forward_rest(w.f);
  }
  end(&w);
}
END_TEST

/* An iteration that records what the one before did, and one number more, is not like it; the number is what ends an
 * iteration that names no bound twice. */
START_TEST(one_number_more)
{
  enum { MOST = 7, ENDS = 1 };
  recorded w;
  begin(&w, WORDS, 9, false);
  pebble_forward_record(w.f);
  for (int k = 0; k < 3; k++) {
    pebble_forward_mark(w.f, NULL, 0, k > 0, &w.m[k]);
    if (k < 2)
      pebble_forward_equal(w.f, 5);
    if (k == 1 && _i)
      pebble_forward_equal(w.f, ENDS);
  }
  ck_assert_uint_eq(jump(&w, NULL, 0, MOST), _i ? 0 : MOST);
  end(&w);
}
END_TEST

/* Iterations that do the same, but for a pebble that is to go, if there, from another array: the two are not alike. */
START_TEST(other_arrays)
{
  recorded w;
  enum { SETS = 4 * PEBBLE_SETS };
  int sets[SETS];
  for (int i = 0; i < SETS; i++)
    sets[i] = i;
  begin(&w, "input A[9], B[9], C[9]\noutput X[i:9] = A[i]\n", 99, false);
  ck_assert(pebble_play(w.game, &(pebble_move){ .kind = PEBBLE_LOAD, .array = 0, .box = { { 0 }, { 9 } } }));
  pebble_forward_record(w.f);
  for (int k = 0; k < 3; k++) {
    pebble_forward_mark(w.f, sets, SETS, k > 0, &w.m[k]);
    cdag_box box = { { k }, { k + 1 } };
    pebble_drop drop = { .array = k == 1 ? 1 + _i : 1, .box = box };
    ck_assert(k == 2 ||
              pebble_play(w.game,
                          &(pebble_move){ .kind = PEBBLE_COMPUTE, .array = 3, .box = box, .drop = &drop, .drops = 1 }));
  }
  ck_assert_uint_eq(jump(&w, sets, SETS, 7), _i ? 0 : 6);
  end(&w);
}
END_TEST

/* Two iterations load A[0] and A[1]; A[8] is the last, its end that of the array.  A play plays that iteration, a count
 * leaves it out with the others. */
START_TEST(ends_meet_in_a_count)
{
  recorded w;
  int sets[] = { PEBBLE_RED_SET, PEBBLE_BLUE_SET };
  begin(&w, "input A[9]\noutput X[i:9] = A[i]\n", 99, _i);
  pebble_forward_record(w.f);
  for (int k = 0; k < 3; k++) {
    pebble_forward_mark(w.f, sets, COUNT(sets), k > 0, &w.m[k]);
    ck_assert(k == 2 ||
              pebble_play(w.game, &(pebble_move){ .kind = PEBBLE_LOAD, .array = 0, .box = { { k }, { k + 1 } } }));
  }
  ck_assert_uint_eq(jump(&w, sets, COUNT(sets), 99), _i ? 7 : 6);
  end(&w);
}
END_TEST

/* ---- more arrays than a word has bits ---- */

/* A9 and A73 have the same place in the word: the one goes, the other stays. */
START_TEST(many_arrays)
{
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  text computation = { 0 }, program = { 0 };
  pebble_rules rules = { .m = 100 };
  text_add(&computation, "param n = 20\n");
  for (int a = 0; a < 74; a++)
    text_printf(&computation, "input A%d[n]\n", a);
  text_add(&computation, "output X[i:n] = A9[i], A73[i]\n");
  text_printf(
      &program,
      "for t in n { load A9[t], A73[t] compute X[t] dropping A%d store X[t] drop X[t] }\nfor t in n { drop A%d[t] }\n",
      _i ? 9 : 73, _i ? 73 : 9);
  ck_assert_msg(cdag_parse(&g, "many.cdag", text_str(&computation), "", &d) == OK, "%s", d.message);
  ck_assert_msg(schedule_parse(&s, g, rules.m, "many.sched", text_str(&program), "", &d) == OK, "%s", d.message);
  bool legal;
  ways_compare(s, &rules, true, text_str(&program), &legal);
  ck_assert(legal);
  text_clear(&computation);
  text_clear(&program);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* Counted, not played: one element that drops what nobody placed. */
START_TEST(more_dropped_than_there_is)
{
  cdag *g = NULL;
  schedule *s = NULL;
  schedule_counts c;
  diag d = { 0 };
  pebble_rules rules = { .m = 9 };
  ck_assert_int_eq(cdag_parse(&g, "iterations.cdag", WORDS, "", &d), OK);
  ck_assert_int_eq(schedule_parse(&s, g, rules.m, "iterations.sched",
                                  _i ? "load D[5,*,*] compute Q[5] dropping D\n" : "compute Q[5] dropping D\n", "", &d),
                   OK);
  ck_assert_int_eq(schedule_count(s, &rules, &c, &d), OK);
  ck_assert_int_eq(c.countable, _i);
  schedule_counts_clear(&c);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

START_TEST(no_graph)
{
  cdag *g = NULL;
  pebble_game *game;
  diag d = { 0 };
  ck_assert_int_eq(cdag_open(&g, "random:n=9", &d), OK);
  ck_assert_int_eq(pebble_blind_new(&game, g, &(pebble_rules){ .m = 9 }, &d), BAD_INPUT);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tile_iterations");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, as_many, 0, COUNT(iterations));
  tcase_add_loop_test(c, as_many_far_out, 0, COUNT(far_iterations));
  tcase_add_loop_test(c, long_loops, 0, COUNT(long_iterations));
  tcase_add_test(c, full_log);
  tcase_add_loop_test(c, one_number_more, 0, 2);
  tcase_add_loop_test(c, other_arrays, 0, 2);
  tcase_add_loop_test(c, ends_meet_in_a_count, 0, 2);
  tcase_add_loop_test(c, many_arrays, 0, 2);
  tcase_add_loop_test(c, more_dropped_than_there_is, 0, 2);
  tcase_add_test(c, no_graph);
  return support_run(s);
}
