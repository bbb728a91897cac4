/* Loops around loops whose lengths change with both: what their iterations move is a polynomial of a higher degree.
   Both engines, with and without fast-forward, and the count, in plenty of memory, in what is just enough, and in less.
 */
#include "tests/support.h"
#include "tests/support_ways.h"
#include <stdio.h>

enum { DEEP = 4 };
typedef struct {
  support_random r;
  text *out;
  int loops;
  int deepest;
} maker;

static int64_t pick(maker *m, int64_t lo, int64_t hi) { return support_between(&m->r, lo, hi); }
static bool chance(maker *m, int in) { return pick(m, 1, in) == 1; }

static void put_computation(maker *m, int n)
{
  text_printf(m->out,
              "param n = %d\ninput B[d:9, 5*n+20], T[d:9, i:n, j:i+1], S[d:9, i:n, j:i..n], G[d:9, 5*n+20, 2*n], "
              "W[4*n]\noutput R[9] = B[0,0]\n",
              n);
  text_add(m->out, "C[d:9, i:4*n] = W[i]\nV[d:9, i:4*n] = C[d,i]\n");
  text_printf(m->out, "X[d:9, i:4*n] = C[d,i], X[d,i-1]\nY[d:9, i:4*n, j:%d] = C[d,i], Y[d,i,j-1]\n",
              (int)pick(m, 1, 2));
  text_printf(m->out, "Z[d:9, i:4*n] = W[i], W[i+1]\nE[d:9, i:%s] = W[i]\nQ[d:9, i:4*n] = C[d,i], E[d,i]\n",
              chance(m, 2) ? "n/2" : "n");
}

/* A number that goes with the loops x0 .. x(depth-1), of which the last two are the likeliest; blocks by their ends. */
static void put_number(maker *m, int depth)
{
  static const char *const one[] = { "lo(x%d)",   "hi(x%d)",   "n-lo(x%d)",    "2*lo(x%d)",
                                     "n-hi(x%d)", "lo(x%d)+n", "n+n/2-lo(x%d)" };
  static const char *const two[] = { "lo(x%d)+lo(x%d)", "n+lo(x%d)-hi(x%d)", "hi(x%d)+lo(x%d)", "2*n-lo(x%d)-lo(x%d)" };
  int a = (int)pick(m, depth > 2 ? depth - 2 : 0, depth - 1), b = (int)pick(m, 0, depth - 1);
  if (chance(m, 4))
    text_printf(m->out, two[pick(m, 0, COUNT(two) - 1)], a, b);
  else
    text_printf(m->out, one[pick(m, 0, COUNT(one) - 1)], a);
}

static void put_range(maker *m, int depth)
{
  static const char *const by[] = { "", "", "", "", " by 2", " by 3", " reversed", " snake" };
  int kind = depth == 0 ? 0 : (int)pick(m, 1, 6);
  if (kind >= 2) {
    if (kind == 4 || kind == 5)
      text_add(m->out, kind == 4 ? "0.." : "2..");
    put_number(m, depth);
  }
  if (kind < 2)
    text_add(m->out, "n");
  if (kind == 3)
    text_add(m->out, "..n");
  text_add(m->out, by[pick(m, 0, COUNT(by) - 1)]);
}

/* Words that are brought by one loop and taken by another like it, with something in between. */
static void put_nest(maker *m, int depth);

static void inside(maker *m, int depth)
{
  if (depth < m->deepest && !chance(m, 6))
    put_nest(m, depth);
}

static void bring_and_take(maker *m, int depth, const char *box)
{
  text_printf(m->out, "load %s ", box);
  inside(m, depth);
  text_printf(m->out, "drop %s ", box);
}

static void loop_and_loop(maker *m, int depth)
{
  static const char *const row[] = { "B[%d,%c%d]",   "T[%d,%c%d,*]",          "S[%d,%c%d,*]",
                                     "T[%d,*,%c%d]", "G[%d,%c%d,0..lo(x%d)]", "G[%d,%c%d,0..hi(x%d)]" };
  text range = { 0 }, *out = m->out;
  int id = m->loops++, plane = depth + 4, other = depth ? (int)pick(m, 0, depth - 1) : 0;
  const char *box = row[pick(m, 0, COUNT(row) - 1 - (depth ? 0 : 2))];
  m->out = &range;
  put_range(m, depth);
  m->out = out;
  text_printf(out, "for y%d in %s { load ", id, text_str(&range));
  text_printf(out, box, plane, 'y', id, other);
  text_add(out, " } ");
  inside(m, depth);
  text_printf(out, "for z%d in %s { drop ", id, text_str(&range));
  text_printf(out, box, plane, 'z', id, other);
  text_add(out, " } ");
  text_clear(&range);
}

/* A line of elements, longer or shorter in each iteration. */
static void put_line(maker *m, int depth, char *line, size_t room)
{
  static const char *const form[] = {
    "0..hi(x%d)",   "0..hi(x%d)",           "0..n-lo(x%d)",      "lo(x%d)..n", "lo(x%d)..hi(x%d)+lo(x%d)",
    "2..lo(x%d)+3", "lo(x%d)+1..hi(x%d)+4", "hi(x%d)..n+lo(x%d)"
  };
  int a = depth - 1, b = (int)pick(m, 0, depth - 1);
  snprintf(line, room, form[pick(m, 0, COUNT(form) - 1)], chance(m, 3) ? b : a, a, b);
}

static void lines(maker *m, int depth)
{
  static const char *const next[] = { "V[%d,%s]", "X[%d,%s]", "Y[%d,%s,*]", "Q[%d,%s]", "Q[%d,%s]", "Z[%d,%s]" };
  char line[64];
  int which = (int)pick(m, 0, COUNT(next));
  put_line(m, depth, line, sizeof line);
  bool computed = !chance(m, 3);
  text_printf(m->out, "%s %c[%d,%s] ", computed ? "compute" : "load", computed ? 'C' : 'B', depth, line);
  inside(m, depth);
  if (computed && which < (int)COUNT(next)) {
    if (next[which][0] == 'Q')
      text_printf(m->out, "compute E[%d,%s] ", depth, line);
    text_add(m->out, "compute ");
    text_printf(m->out, next[which], depth, line);
    text_printf(m->out, " dropping %s drop ", next[which][0] == 'Q' ? "C, E" : next[which][0] == 'Z' ? "W" : "C");
    text_printf(m->out, next[which], depth, line);
    text_char(m->out, ' ');
  } else
    text_printf(m->out, "drop %c[%d,%s] ", computed ? 'C' : 'B', depth, line);
}

static void put_item(maker *m, int depth)
{
  char box[96];
  int x = (int)pick(m, 0, depth - 1), kind = (int)pick(m, 0, 7);
  if (kind == 0) {
    loop_and_loop(m, depth);
    return;
  }
  if (kind > 5) {
    lines(m, depth);
    return;
  }
  if (kind == 1)
    snprintf(box, sizeof box, "T[%d,x%d,*]", depth, x);
  else if (kind == 2)
    snprintf(box, sizeof box, "S[%d,x%d,*]", depth, x);
  else if (kind == 3)
    snprintf(box, sizeof box, "T[%d,*,x%d]", depth, x);
  else
    snprintf(box, sizeof box, "B[%d,x%d]", depth, x);
  bring_and_take(m, depth, box);
}

static void put_nest(maker *m, int depth)
{
  text_printf(m->out, "for x%d in ", depth);
  put_range(m, depth);
  text_add(m->out, " { ");
  put_item(m, depth + 1);
  if (chance(m, 3))
    put_item(m, depth + 1);
  text_add(m->out, "} ");
}

static void put_program(maker *m)
{
  text_add(m->out, "load B[0,0], W[*] compute R[*] store R[*] drop R[*], B[0,0]\n");
  put_nest(m, 0);
  text_add(m->out, "\n");
}

static void compare(uint64_t seed, ways_tally *of)
{
  text computation = { 0 }, program = { 0 }, what = { 0 };
  maker m = { .r = { seed } };
  pebble_rules rules = { .variant = PEBBLE_PLACING, .m = 1 << 30 };
  cdag *g = NULL;
  schedule *s = NULL;
  schedule_counts c;
  diag d = { 0 };
  m.deepest = (int)pick(&m, 2, DEEP);
  m.out = &computation;
  put_computation(&m, (int)(m.deepest == DEEP ? pick(&m, 9, 13) : pick(&m, 11, 22)));
  m.out = &program;
  put_program(&m);
  text_printf(&what, "seed %lu\n%s%s", (unsigned long)seed, text_str(&computation), text_str(&program));
  ck_assert_msg(cdag_parse(&g, "growing.cdag", text_str(&computation), "", &d) == OK, "%s\n%s", d.message,
                text_str(&what));
  ck_assert_msg(schedule_parse(&s, g, rules.m, "growing.sched", text_str(&program), "", &d) == OK, "%s\n%s", d.message,
                text_str(&what));
  ck_assert_int_eq(schedule_count(s, &rules, &c, &d), OK);
  bool small = c.loads < 50000;
  ways_add(s, &rules, small, text_str(&what), of);
  if (c.countable) {
    rules.m = c.peak;
    ways_add(s, &rules, small, text_str(&what), of);
    rules.m = (uint64_t)pick(&m, 1 + (int64_t)c.peak / 2, (int64_t)c.peak);
    ways_add(s, &rules, small, text_str(&what), of);
  }
  schedule_counts_clear(&c);
  schedule_free(s);
  cdag_free(g);
  text_clear(&computation);
  text_clear(&program);
  text_clear(&what);
}

START_TEST(agree)
{
  ways_tally of = { 0 };
  for (int k = 0; k < 4; k++)
    compare(4 * (uint64_t)_i + (uint64_t)k, &of);
}
END_TEST

START_TEST(leave_iterations_out)
{
  ways_tally of = { 0 };
  for (uint64_t seed = 1000; seed < 1040; seed++)
    compare(seed, &of);
  ways_say("GROWING_SAY", &of);
  ck_assert_uint_gt(of.legal, 30);
  ck_assert_uint_gt(of.inferred, 50000);
}
END_TEST

/* What is computed, and drops nothing, is longer or shorter in each iteration and stays: to the counter a number of
 * pebbles, as a load is. */
static const char *const kept[] = { "compute C[x,0..n-x]",
                                    "compute C[x,0..x+1]",
                                    "compute E[x,0..n-x,*]",
                                    "compute E[x,*,0..x+1]",
                                    "compute C[x,0..n-x] drop C[x,0..n/2-x]",
                                    "load B[x,0..n-x] compute C[x,0..7*n-6*x] drop C[x,0..7*n-6*x]" };

START_TEST(stays)
{
  static const char computation[] =
      "param n = 60\ninput A[1], B[n,n]\nC[n,7*n] = A[0]\nE[n,n,n] = A[0]\noutput R[1] = A[0]\n";
  char program[160];
  bool legal;
  diag d = { 0 };
  cdag *g = NULL;
  schedule *s = NULL;
  snprintf(program, sizeof program, "load A[0] compute R[0] store R[0]\nfor x in n { %s }\n", kept[_i]);
  ck_assert_int_eq(cdag_parse(&g, "stays.cdag", computation, "", &d), OK);
  ck_assert_int_eq(schedule_parse(&s, g, 1 << 20, "stays.sched", program, "", &d), OK);
  ways_compare(s, &(pebble_rules){ .m = 1 << 20 }, true, program, &legal);
  ck_assert(legal);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tile_growing");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, agree, 0, support_rounds(40));
  if (!support_sanitized())
    tcase_add_test(c, leave_iterations_out);
  tcase_add_loop_test(c, stays, 0, COUNT(kept));
  return support_run(s);
}
