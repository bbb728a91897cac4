/* Boxes that are longer or shorter in each iteration: strips with halos, and rows of every slope; what fast-forward
   takes for amounts must add up to what a play does iteration by iteration. */
#include "base/mem.h"
#include "tests/support.h"
#include "tests/support_ways.h"
#include <stdio.h>

typedef struct {
  support_random r;
  text computation, program;
  bool large;                  /* too large to be played element by element */
  pebble_rules rules;
} maker;

static int64_t pick(maker *m, int64_t lo, int64_t hi) { return support_between(&m->r, lo, hi); }
static bool chance(maker *m, int in) { return pick(m, 1, in) == 1; }
static const char *one_of(maker *m, const char *const *words, int n) { return words[pick(m, 0, n - 1)]; }

/* ---- strips of a stencil in the plane, as the library plays them, with a slip now and then ---- */

static const char *slip(maker *m)
{
  static const char *const by[] = { "-1", "+1", "+0" };
  return chance(m, 80) ? one_of(m, by, COUNT(by)) : "";
}

static void put_strips(maker *m)
{
  text *out = &m->program;
  int scale = m->large ? 4 : 1, t = (int)pick(m, 1, 16 * scale), b = (int)pick(m, 1, t),
      c = (int)pick(m, 1, 20 * scale);
  text_printf(&m->computation,
              "param w = %d, h = %d, t = %d\ninput A[s:t+1, i:w, j:h] = A[s-1,i-1,j], A[s-1,i,j-1], A[s-1,i,j], "
              "A[s-1,i,j+1], A[s-1,i+1,j]\noutput A[t,*,*]\n",
              (int)pick(m, 2, 40 * scale), (int)pick(m, 2, 40 * scale), t);
  text_printf(out,
              "schedule strips\nfor T in t by %d {\nfor C in h by %d {\nfor x in w + len(T) {\nload "
              "A[lo(T),x,lo(C)-len(T)%s..hi(C)+len(T)]\n",
              b, c, slip(m));
  text_printf(out, "for s in len(T) {\nif (x > s) * (x - s <= w) {\n");
  text_printf(out, "compute A[lo(T)+s+1,x-s-1,lo(C)-len(T)+s+1..hi(C)+len(T)-s-1%s] dropping A%s\n", slip(m),
              chance(m, 40) ? "" : "[lo(T)+s,x-s-2,*]");
  text_printf(out, "drop A[lo(T)+s,x-s-2,lo(C)-len(T)+s], A[lo(T)+s,x-s-2,hi(C)+len(T)-s-1%s]\n}\n", slip(m));
  text_printf(out, "if x - s == w { drop A[lo(T)+s,w-1,lo(C)-len(T)+s..hi(C)+len(T)-s] }\n}\n");
  text_printf(out, "store A[hi(T),x-len(T),C%s]\ndrop A[hi(T),x-len(T),C]\n}\n}\n}\n", "");
}

/* ---- rows of X that become rows of Y ---- */

static void put_rows(maker *m)
{
  static const char *const first[] = { "0", "s", "2*s", "a-s", "x", "s-5", "x-s", "3" };
  static const char *const last[] = { "m", "m-s", "s+1", "m-2*s", "a+s", "m-x", "2*s+1", "x+s+2" };
  static const char *const term[] = { "X[x,s,j]", "X[x,s,j]", "X[x,s,j], B[j]", "X[x,s,j], X[x,s,j]",
                                      "X[x,s,j], Y[x,s-1,j]" };
  static const char *const dropping[] = { " dropping X", " dropping X", " dropping X", " dropping X, Y" };
  int scale = m->large ? 4 : 1;
  bool part = chance(m, 4); /* of the row is dropped one by one, the rest together */
  const char *lo = part ? "0" : one_of(m, first, COUNT(first)), *hi = one_of(m, last, COUNT(last));
  const char *drops = part ? " dropping X[x,s,0..9]" : one_of(m, dropping, COUNT(dropping));
  text *out = &m->program;
  text_printf(
      &m->computation,
      "param n = %d, k = %d, m = %d, a = %d\ninput X[n,k,m], B[m]\noutput C[j:m] = B[j]\nY[x:n, s:k, j:m] = %s\n",
      (int)pick(m, 1, 12 * scale), (int)pick(m, 1, 24 * scale), (int)pick(m, 1, 40 * scale), (int)pick(m, 0, 20),
      one_of(m, term, COUNT(term)));
  text_printf(out, "schedule rows\nload B[*]\nfor x in n {\nfor s in %s%s {\nload X[x,s,%s..%s]\n",
              chance(m, 3) ? "x+2" : "k", chance(m, 6) ? " reversed" : "", lo, hi);
  text_printf(out, "compute Y[x,s,%s..%s]%s\nstore Y[x,s,%s..%s]\n", lo, hi, drops, lo, hi);
  if (!chance(m, 4))
    text_printf(out, "drop Y[x,s,%s..%s]\n", lo, hi);
  if (part || chance(m, 20))
    text_printf(out, "drop X[x,s,%s..%s]\n", part ? "9" : lo, hi);
  text_add(out, "}\n}\ncompute C[*]\nstore C[*]\n");
}

/* ---- a heap that grows by more or less each iteration, and may be highest somewhere between ---- */

/* Often the usual ones. */
static void put_ends(maker *m, const char *usual, char *ends, size_t size)
{
  static const char *const end[] = { "0..x",   "0..m-x", "0..a",   "x..m",   "0..2*x",   "a..m-2*x",
                                     "x..2*x", "m-x..m", "a..a+1", "x-a..x", "0..m-3*x", "0..3*x" };
  snprintf(ends, size, "%s", chance(m, 2) ? usual : one_of(m, end, COUNT(end)));
}

/* `all` of the rows at hand: a block, or more of them each time. */
static void put_heap_rows(maker *m, const char *all)
{
  char in[32], out[32], aside[32];
  text *o = &m->program;
  put_ends(m, "0..m-x", in, sizeof in);
  put_ends(m, "a..a+1", out, sizeof out);
  put_ends(m, "0..3*m-3*x", aside, sizeof aside);
  text_printf(o, "for x in %s {\nload Y[x,%s] drop Y[x,%s]\n", all, aside, aside);
  text_printf(o, chance(m, 2) ? "load X[x,%s]\n" : "for s in %s { load X[x,s] }\n", in);
  if (chance(m, 2))
    text_printf(o, "drop Z[x,%s]\n}\nfor x in %s { drop X[x,%s]\nload Z[x,%s]\ndrop Z[x,*] }\n", out, all, in, out);
  else
    text_printf(o, "drop Z[x,*]\n}\nfor x in %s%s { drop X[x,%s] }\n", all, chance(m, 2) ? " reversed" : "", in);
}

static void put_heap(maker *m)
{
  int scale = m->large ? 4 : 1;
  bool more = chance(m, 2);
  text *o = &m->program;
  text_printf(&m->computation,
              "param n = %d, m = %d, a = %d\ninput X[n,m], Y[n,m], Z[n,m], B[n]\noutput C[i:n] = B[i]\n",
              (int)pick(m, 1, 30 * scale), (int)pick(m, 1, (chance(m, 3) ? 60 : 20) * scale), (int)pick(m, 0, 20));
  text_printf(o, "schedule heap\nfor I in n by %d {\nload Z[%sI%s,*]\n",
              (int)pick(m, more ? 1 : 10, more ? 4 : 30 * scale), more ? "0..hi(" : "", more ? ")" : "");
  put_heap_rows(m, more ? "hi(I)" : "I");
  text_add(o, "}\nfor x in n { load B[x] compute C[x] dropping B store C[x] drop C[x] }\n");
}

static void make(maker *m, uint64_t seed, bool large)
{
  *m = (maker){ .r = { seed ^ 0x57e7 }, .large = large };
  m->rules = (pebble_rules){ .variant = chance(m, 4) ? PEBBLE_SLIDING : PEBBLE_PLACING,
                             .m = chance(m, 3) ? (uint64_t)pick(m, 2, large ? 2000 : 300) : 100000 };
  int64_t kind = pick(m, 0, 2);
  if (kind == 0)
    put_strips(m);
  else if (kind == 1)
    put_rows(m);
  else
    put_heap(m);
}

/* ---- the same by all ways ---- */

static void compare(uint64_t seed, bool large, ways_tally *of)
{
  maker m;
  make(&m, seed, large);
  ways_try_texts(seed, &m.computation, &m.program, &m.rules, !large, "STRETCH_SAY", of);
  text_clear(&m.computation);
  text_clear(&m.program);
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

/* Worth something only if these programs can be read and many are legal: of others the count says nothing. */
START_TEST(many_are_legal)
{
  ways_tally of = { 0 };
  for (uint64_t seed = 0; seed < 200; seed++)
    compare(seed, false, &of);
  ways_say("STRETCH_SAY", &of);
  ck_assert_uint_gt(of.plays, 180); /* some drop what their rule does not read */
  ck_assert_uint_gt(of.legal, 60);
}
END_TEST

/* A heap that grows by less and less; of what is put aside for a moment there is less each time: the highest moment is
 * not the last one. */
START_TEST(highest_between)
{
  ways_tally of = { 0 };
  text computation = { 0 }, program = { 0 };
  diag d = { 0 };
  text_printf(&computation, "param n = 100, m = %d\ninput X[n,m], Y[n,2*m], Z[n], B[n]\noutput C[i:n] = B[i]\n",
              60 + _i);
  text_printf(&program,
              "schedule heap\nload Z[*]\nfor x in m {\nload Y[x,0..2*m-%d*x]\ndrop Y[x,0..2*m-%d*x]\nload "
              "X[x,0..m-x]\ndrop Z[x]\n}\n",
              _i, _i);
  text_add(&program, "for x in m { drop X[x,0..m-x] }\ndrop Z[m..n]\nfor x in n { load B[x] compute C[x] dropping B "
                     "store C[x] drop C[x] }\n");
  ck_assert(ways_add_texts((uint64_t)_i, &computation, &program, &(pebble_rules){ .m = 100000 }, true, &of, &d));
  ck_assert_uint_eq(of.legal, 1);
  text_clear(&computation);
  text_clear(&program);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("stretch");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, agree, 200, 200 + support_rounds(500));
  tcase_add_loop_test(c, agree_when_large, 0, support_rounds(120));
  if (!support_sanitized())
    tcase_add_test(c, many_are_legal);
  tcase_add_loop_test(c, highest_between, 1, 6);
  return support_run(s);
}
