/* Skewed sweeps, right ones and wrong ones, whose red pebbles lie along a slant: both engines, with and without
   fast-forward, and the count; and whatever the tile engine is told of slants, the same verdict. */
#include "base/mem.h"
#include "tests/support.h"
#include "tests/support_ways.h"
#include <stdio.h>

typedef struct {
  support_random r;
  text computation, program;
  int w, t, b;
  bool mirrored, deep, transposed;
  pebble_rules rules;
} maker;

static int64_t pick(maker *m, int64_t lo, int64_t hi) { return support_between(&m->r, lo, hi); }
static bool chance(maker *m, int in) { return pick(m, 1, in) == 1; }

/* ---- the computation ---- */

static void put_indices(text *out, const maker *m, const char *s, const char *i, const char *j)
{
  text_printf(out, "[%s,%s%s%s]", m->transposed ? i : s, m->transposed ? s : i, m->deep ? "," : "", m->deep ? j : "");
}

static void put_term(maker *m, const char *s, const char *i, const char *j)
{
  text_add(&m->computation, ", A");
  put_indices(&m->computation, m, s, i, j);
}

static void put_computation(maker *m)
{
  text *out = &m->computation;
  text_printf(out, "param w = %d, t = %d, h = %d\ninput B[w]\ninput A", m->w, m->t, (int)pick(m, 1, 6));
  put_indices(out, m, "s:t+1", "i:w", "j:h");
  text_add(out, " = A");
  put_indices(out, m, "s-1", "i", "j");
  if (chance(m, 4))
    put_term(m, "s-1", "i-1..i+2", "j");
  else {
    put_term(m, "s-1", "i-1", "j");
    put_term(m, "s-1", "i+1", "j");
  }
  if (m->deep && chance(m, 2))
    put_term(m, "s-1", "i", "j-1");
  if (chance(m, 8))
    put_term(m, "s-2", "i", "j");
  text_add(out, "\noutput A");
  put_indices(out, m, m->transposed ? "*" : "t", m->transposed ? "t" : "*", "*");
  text_printf(out, "\noutput C[i:w] = B[i]%s\n", !m->transposed && !m->deep && chance(m, 3) ? ", A[*,i]" : "");
}

/* ---- the program: skewed, with a mistake or a habit of its own now and then ---- */

static const char *slip(maker *m)
{
  static const char *const by[] = { "-1", "+1", "-2", "+0" };
  return chance(m, 60) ? by[pick(m, 0, COUNT(by) - 1)] : "";
}

static void put_box(maker *m, const char *s, const char *i)
{
  char at[64];
  snprintf(at, sizeof at, m->mirrored ? "w-1-(%s)" : "%s", i);
  text_add(&m->program, "A");
  put_indices(&m->program, m, s, at, "*");
}

static void put_aside(maker *m)
{
  static const char *const aside[] = { "compute C[x]\n",
                                       "load B[x] compute C[x] dropping B store C[x] drop C[x]\n",
                                       "if x == 9 { drop A[lo(T),5] }\n",
                                       "if x == 13 { load A[lo(T),11] }\n",
                                       "if x == 4 { load A[lo(T),w-5] }\n",
                                       "if x % 7 == 3 { load B[x] drop B[x] }\n" };
  if (chance(m, 5) && !m->deep)
    text_add(&m->program, aside[pick(m, 0, COUNT(aside) - 1)]);
}

static void put_inner(maker *m)
{
  char at[64];
  text_printf(&m->program, "for s in len(T)%s%s {\ncompute ", slip(m), chance(m, 30) ? " reversed" : "");
  put_box(m, "lo(T)+s+1", "x-s-1");
  text_add(&m->program, " dropping ");
  snprintf(at, sizeof at, "x-s-2%s", slip(m));
  if (!chance(m, 30))
    put_box(m, "lo(T)+s", at);
  else
    text_add(&m->program, "A");
  text_printf(&m->program, "\nif x - s == w%s { drop ", slip(m));
  put_box(m, "lo(T)+s", "w-1");
  text_add(&m->program, " }\n");
  if (chance(m, 12)) {
    text_add(&m->program, "store ");
    put_box(m, "lo(T)+s+1", "x-s-1");
    text_add(&m->program, "\n");
  }
  text_add(&m->program, "}\n");
}

/* A row touched on the way to a pebble that lies there; or, by mistake, that one too. */
static void put_touch(maker *m)
{
  if (!chance(m, 4))
    return;
  text_add(&m->program, "if lo(T) > 0 { load ");
  put_box(m, "lo(T)", "w-6");
  text_printf(&m->program, "\nfor y in w-%d { load ", chance(m, 4) ? 4 : 6);
  put_box(m, "lo(T)", "y");
  text_add(&m->program, " drop ");
  put_box(m, "lo(T)", "y");
  text_add(&m->program, " }\ndrop ");
  put_box(m, "lo(T)", "w-6");
  text_add(&m->program, " }\n");
}

static void put_program(maker *m)
{
  text *out = &m->program;
  text_printf(out, "schedule skew\nfor T in t by %d {\n", m->b);
  put_touch(m);
  text_printf(out, "for x in w + len(T)%s {\nload ", slip(m));
  put_box(m, "lo(T)", "x");
  text_add(out, "\n");
  put_aside(m);
  put_inner(m);
  text_add(out, "store ");
  put_box(m, "hi(T)", "x-len(T)");
  text_add(out, "\ndrop ");
  put_box(m, "hi(T)", "x-len(T)");
  text_add(out, "\n}\n}\nfor x in w { load B[x] compute C[x] dropping B store C[x] drop C[x] }\n");
}

static void make(maker *m, uint64_t seed)
{
  static const uint64_t memory[] = { 1, 2, 3, 4, 50, 500 };
  *m = (maker){ .r = { seed ^ 0x51a7 } };
  m->t = (int)pick(m, 1, 30);
  m->b = (int)pick(m, 1, m->t);
  m->w = chance(m, 4) ? (int)pick(m, 1, m->b + 2) : (int)pick(m, 20, 70);
  m->mirrored = chance(m, 3);
  m->deep = chance(m, 4);
  m->transposed = chance(m, 4);
  m->rules = (pebble_rules){ .variant = chance(m, 4) ? PEBBLE_SLIDING : PEBBLE_PLACING, .one_shot = chance(m, 4),
                             .m = 2 * (uint64_t)m->b + memory[pick(m, 0, COUNT(memory) - 1)] };
  put_computation(m);
  put_program(m);
}

static void maker_clear(maker *m)
{
  text_clear(&m->computation);
  text_clear(&m->program);
}

/* ---- the same by all ways ---- */

static void compare(uint64_t seed, ways_tally *of)
{
  maker m;
  make(&m, seed);
  ways_try_texts(seed, &m.computation, &m.program, &m.rules, true, "SHEAR_SAY", of);
  maker_clear(&m);
}

START_TEST(agree)
{
  ways_tally of = { 0 };
  compare((uint64_t)_i, &of);
}
END_TEST

/* Worth something only if these programs can be read, many are legal, and iterations are left out. */
START_TEST(leave_iterations_out)
{
  ways_tally of = { 0 };
  for (uint64_t seed = 0; seed < 200; seed++)
    compare(seed, &of);
  ways_say("SHEAR_SAY", &of);
  ck_assert_uint_gt(of.plays, 190);
  ck_assert_uint_gt(of.legal, 40);
  ck_assert_uint_gt(of.jumping, 80);
}
END_TEST

/* ---- told anything ---- */

static void tell(void *context, const cdag *g, pebble_game *game)
{
  maker *m = context;
  for (int a = 0; a < g->arrays; a++) {
    int rank = g->array[a].rank, r = (int)pick(m, 0, rank - 1), q = (int)pick(m, 0, rank - 1);
    if (r != q)
      pebble_lay_sheared(game, a, r, q, (chance(m, 2) ? 1 : -1) * (int)pick(m, 1, chance(m, 2) ? 1 : PEBBLE_STEEPEST));
    if (r != q && chance(m, 2))
      pebble_lay_leaning(game, a, (int)pick(m, 0, rank - 1), (int)pick(m, -2, 2), (int)pick(m, -2, 2));
  }
}

START_TEST(hints_change_nothing)
{
  maker m;
  uint64_t seed = (uint64_t)_i + 10000;
  make(&m, seed);
  ways_compare_told(seed, &m.computation, &m.program, &m.rules, true, tell, &m);
  maker_clear(&m);
}
END_TEST

/* ---- what it is for ---- */

/* Every iteration of the outermost loops played would be 17 thousand million moves. */
START_TEST(a_sweep_is_short)
{
  schedule_verdict v;
  ways_play_library("stencil:w=131072,t=131072", "skewed:b=131071", 262144, &v);
  ck_assert_uint_eq(v.verdict.loads + v.verdict.stores, 4 * 131072);
  ck_assert_uint_eq(v.verdict.computes, UINT64_C(131072) * 131072);
  ck_assert_uint_eq(v.verdict.peak, 262143);
  schedule_verdict_clear(&v);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("shear");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, agree, 200, 200 + support_rounds(400));
  if (!support_sanitized())
    tcase_add_test(c, leave_iterations_out);
  tcase_add_loop_test(c, hints_change_nothing, 0, support_rounds(400));
  tcase_add_test(c, a_sweep_is_short);
  return support_run(s);
}
