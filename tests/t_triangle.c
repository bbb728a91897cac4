/* Triangles stored and read back in blocks of every shape and order: both engines, with and without fast-forward, and
   the count.  What the tile engine gives away to blue and computed boxes must never be seen. */
#include "base/mem.h"
#include "tests/support.h"
#include "tests/support_ways.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  support_random r;
  text *out;
  int loops;
  bool deep;                   /* T has a third index */
} maker;

static int64_t pick(maker *m, int64_t lo, int64_t hi) { return support_between(&m->r, lo, hi); }
static bool chance(maker *m, int in) { return pick(m, 1, in) == 1; }

static const char *const shapes[] = { "j:i+1",        "j:i..n",    "j:n-i", "j:max(0,i-5)..i+1", "j:2*i+1", "j:i/2+1",
                                      "j:min(i+1,7)", "j:-i..i+1", "j:w[i]" };

/* U reads T here or beside, where that exists: its own side may be steeper, or end sooner. */
static void put_reader(maker *m)
{
  static const char *const term[] = { "T[i,j]",   "T[i,j]", "T[i,j-1]", "T[i,j+1]", "T[i-1,j]",
                                      "T[i+1,j]", "T[i,0]", "T[n-1,j]", "T[j,i]",   "T[0,0]" };
  text_printf(m->out, "U[i:n, %s] = A[i], %s", shapes[pick(m, 0, 2)], term[pick(m, 0, COUNT(term) - 1)]);
  text_printf(m->out, "%s\n", chance(m, 3) ? ", U[i,j-1]" : "");
  text_printf(m->out, "V[i:n, %s, k:2] = A[i], T[i,k]\n", shapes[pick(m, 0, 1)]);
  text_printf(m->out, "D[i:n, l:%d] = A[i], T[i,i%s]\n", (int)pick(m, 1, 2),
              chance(m, 3)   ? "+1"
              : chance(m, 3) ? "-1"
                             : "");
}

/* What reads along a diagonal, in blocks of rows. */
static void read_diagonal(maker *m)
{
  static const char *const dropping[] = { "", " dropping T", " dropping T", " dropping T[0..5,0..9]",
                                          " dropping T[0..9,3..n], T[11..n,0..n]" };
  text_printf(m->out, "for x%d in n by %d { compute D[x%d,*]%s }\n", m->loops, (int)pick(m, 1, 6), m->loops,
              dropping[pick(m, 0, COUNT(dropping) - 1)]);
  m->loops++;
}

static void put_computation(maker *m)
{
  m->deep = chance(m, 3);
  text_printf(m->out, "param n = %d\ntable w[J:n] = %s\ninput A[n], B[3*n]\n", (int)pick(m, 6, 26),
              chance(m, 2) ? "min(J+1, 9)" : "J*2%7+1");
  text_printf(m->out, "%sT[i:n, %s%s] = A[i]%s\n", chance(m, 2) ? "output " : "",
              shapes[pick(m, 0, chance(m, 2) ? 2 : COUNT(shapes) - 1)], m->deep ? ", k:2" : "",
              !chance(m, 3) ? ""
              : m->deep     ? ", T[i,j-1,k]"
                            : ", T[i,j-1]");
  text_add(m->out, "output R[i:n] = A[i]\n");
  if (!m->deep)
    put_reader(m);
}

/* A nest over the points of T, rows or columns outermost, in blocks or one by one, either way; the words for its
 * indices. */
static int open_nest(maker *m, char word[2][16])
{
  bool columns = chance(m, 2);
  for (int k = 0; k < 2; k++) {
    int r = columns ? 1 - k : k, id = m->loops++;
    if (chance(m, 4)) {
      snprintf(word[r], sizeof word[r], "*");
      continue;
    }
    snprintf(word[r], sizeof word[r], "x%d", id);
    text_printf(m->out, "for x%d in %s", id, r == 0 ? "n" : chance(m, 3) ? "-n..2*n" : "-2..n+1");
    if (!chance(m, 3))
      text_printf(m->out, " by %d", (int)pick(m, 2, 7));
    text_printf(m->out, "%s { ", chance(m, 4) ? " reversed" : chance(m, 8) ? " snake" : "");
  }
  return (word[0][0] == 'x') + (word[1][0] == 'x');
}

static void put_box(maker *m, const char *kind, char word[2][16])
{
  text_printf(m->out, "%s T[%s,%s%s] ", kind, word[0], word[1], m->deep ? ",*" : "");
}

/* U or V computed from T, which goes or stays, and dropped. */
static void read_triangle(maker *m)
{
  static const char *const dropping[] = { "", "", " dropping T", " dropping T", " dropping U", " dropping T, U" };
  char word[2][16];
  int open = open_nest(m, word);
  text_printf(m->out, chance(m, 4) ? "compute V[%s,%s,*]%s " : "compute U[%s,%s]%s ", word[0], word[1],
              dropping[pick(m, 0, COUNT(dropping) - 1)]);
  for (int i = 0; i < open; i++)
    text_add(m->out, "} ");
  text_add(m->out, "\n");
}

static void sweep(maker *m, const char *first, const char *second)
{
  char word[2][16];
  int open = open_nest(m, word);
  bool some = chance(m, 6) && open > 0;
  if (some)
    text_printf(m->out, "if lo(%s) %% 5 != 3 { ", word[word[0][0] != 'x']);
  put_box(m, first, word);
  if (second)
    put_box(m, second, word);
  for (int i = 0; i < open + some; i++)
    text_add(m->out, "} ");
  text_add(m->out, "\n");
}

/* Only the diagonal goes through slow memory, wholly or in part, and comes back in blocks. */
static void diagonal(maker *m, const char *first, const char *second, const char *k)
{
  int id = m->loops;
  m->loops += 2;
  if (chance(m, 2))
    text_printf(m->out, "for x%d in n by %d { for x%d in x%d {", id, (int)pick(m, 1, 5), id + 1, id);
  else
    text_printf(m->out, "for x%d in 1 { for x%d in %s%s {", id, id + 1, chance(m, 4) ? "n-2" : "n",
                chance(m, 6) ? " reversed" : "");
  text_printf(m->out, " %s T[x%d,x%d%s]", first, id + 1, id + 1, k);
  if (second)
    text_printf(m->out, " %s T[x%d,x%d%s]", second, id + 1, id + 1, k);
  text_add(m->out, " } }\n");
}

static void put_diagonals(maker *m, const char *k)
{
  text_printf(m->out, "for i in n { compute T[i,*%s] }\n", k);
  bool clear = chance(m, 2); /* nothing red is left to say where the diagonal ends */
  diagonal(m, "store", clear || chance(m, 3) ? NULL : "drop", k);
  if (clear)
    text_printf(m->out, "for i in n { drop T[i,*%s] }\n", k);
  for (int times = (int)pick(m, 0, 3); times > 0; times--)
    switch (pick(m, 0, 3)) {
    case 0: diagonal(m, "load", chance(m, 2) ? NULL : "drop", k); break;
    case 1: diagonal(m, "erase", "store", k); break;
    case 2: diagonal(m, "load", "erase", k); break;
    default: diagonal(m, "store", "drop", k);
    }
}

static void put_program(maker *m)
{
  text_add(m->out, "load A[*]\ncompute R[*]\nstore R[*]\ndrop R[*]\n");
  if (!m->deep && chance(m, 2)) {
    text_add(m->out, "for i in n { compute T[i,*] store T[i,*] }\n");
    if (chance(m, 2))
      read_triangle(m);
    else
      read_diagonal(m);
    return;
  }
  if (chance(m, 4)) {
    put_diagonals(m, m->deep ? ",*" : "");
    return;
  }
  if (chance(m, 2))
    sweep(m, "compute", NULL);
  else
    text_printf(m->out, "for i in n { compute T[i,*%s] }\n", m->deep ? ",*" : "");
  sweep(m, "store", chance(m, 2) ? "drop" : NULL);
  for (int k = (int)pick(m, 0, 3); k > 0; k--)
    switch (pick(m, 0, 3)) {
    case 0: sweep(m, "load", "drop"); break;
    case 1: sweep(m, "erase", chance(m, 2) ? "store" : NULL); break;
    case 2: sweep(m, "load", NULL); break;
    default: sweep(m, "store", "drop");
    }
}

/* ---- windows over triangles of inputs ---- */

static void put_inputs(maker *m)
{
  static const char *const shape[] = { "j:i+1", "j:i..n", "j:i+3", "j:i-2..n", "j:n" };
  text_printf(m->out, "param n = %d\ninput A[i:n, %s], B[i:n, k:2, %s], C[n]\noutput R[i:n] = C[i]\n",
              (int)pick(m, 10, 40), shape[pick(m, 0, COUNT(shape) - 1)], shape[pick(m, 0, COUNT(shape) - 1)]);
}

/* An index over the loops now running, x0 .. x(depth-1). */
static void window_index(maker *m, int depth, char *word, size_t room)
{
  static const char *const form[] = { "x%d",        "x%d",        "x%d", "lo(x%d)..lo(x%d)+%d", "lo(x%d)..hi(x%d)+%d",
                                      "lo(x%d)+%d", "0..hi(x%d)", "*" };
  int x = (int)pick(m, 0, depth - 1), which = (int)pick(m, 0, COUNT(form) - 1), w = (int)pick(m, 1, 4);
  if (which == 3 || which == 4)
    snprintf(word, room, which == 3 ? "lo(x%d)..lo(x%d)+%d" : "lo(x%d)..hi(x%d)+%d", x, x, w);
  else if (which == 5)
    snprintf(word, room, "lo(x%d)+%d", x, w - 2);
  else if (which == 6)
    snprintf(word, room, "0..hi(x%d)", x);
  else
    snprintf(word, room, which == 7 ? "*" : "x%d", x);
}

static void put_window_loop(maker *m, int depth)
{
  static const char *const range[] = { "n", "hi(x%d)", "lo(x%d)..n", "x%d", "n", "2..n-1", "lo(x%d)..hi(x%d)+5", "3" };
  static const char *const by[] = { "", "", " by 2", " by 3", " by 5", " reversed", " by 4 reversed" };
  text_printf(m->out, "for x%d in ", depth);
  const char *r = depth ? range[pick(m, 0, COUNT(range) - 1)] : "n";
  text_printf(m->out, r, depth - 1, depth - 1);
  text_printf(m->out, "%s { ", by[pick(m, 0, COUNT(by) - 1)]);
}

/* A box of A or B comes, what is inside happens, it goes again (most often): so every depth has another array, or C. */
static void put_windows(maker *m, int depth)
{
  char i[48], j[48], box[128];
  put_window_loop(m, depth);
  window_index(m, depth + 1, i, sizeof i);
  window_index(m, depth + 1, j, sizeof j);
  if (depth == 2)
    snprintf(box, sizeof box, "C[%s]", i);
  else
    snprintf(box, sizeof box, depth ? "B[%s,%s,%s]" : "A[%s,%s%s]", i, depth ? chance(m, 2) ? "*" : "1" : j,
             depth ? j : "");
  text_printf(m->out, "load %s ", box);
  if (depth < 2 && !chance(m, 3))
    put_windows(m, depth + 1);
  if (!chance(m, 12))
    text_printf(m->out, "drop %s ", box);
  text_add(m->out, "} ");
}

static void put_window_program(maker *m)
{
  put_windows(m, 0);
  text_add(m->out, "\nfor i in n { load C[i] compute R[i] drop C[i] store R[i] drop R[i] }\n");
}

static void compare(uint64_t seed, bool windows, ways_tally *of)
{
  text computation = { 0 }, program = { 0 };
  maker m = { .r = { seed }, .out = &computation };
  pebble_rules rules = { .one_shot = !support_between(&m.r, 0, 2),
                         .m = support_between(&m.r, 0, 3) ? 5000 : (uint64_t)support_between(&m.r, 20, 300) };
  diag d = { 0 };
  if (windows)
    put_inputs(&m);
  else
    put_computation(&m);
  m.out = &program;
  if (windows)
    put_window_program(&m);
  else
    put_program(&m);
  bool read = ways_add_texts(seed, &computation, &program, &rules, true, of, &d);
  ck_assert_msg(read || strstr(d.message, "nothing to drop"), "seed %lu: %s in\n%s\n%s", (unsigned long)seed, d.message,
                text_str(&computation), text_str(&program));
  text_clear(&computation);
  text_clear(&program);
}

START_TEST(agree)
{
  ways_tally of = { 0 };
  for (int k = 0; k < 4; k++)
    compare(4 * (uint64_t)_i + (uint64_t)k, k % 2, &of);
}
END_TEST

/* Rows 1 and 3 are stored column by column; the row between them begins at column _i only.  Up to there one box may
   hold all three; whoever leaves iterations out must know where that ends. */
START_TEST(gap_closes)
{
  static const char computation[] =
      "param n = 5, from = 3\ntable w[J:n] = (J == 2) * from\ninput A[n]\noutput T[i:n, j:w[i]..40] = A[i]\n";
  static const char program[] =
      "load A[*]\ncompute T[1,*], T[3,*]\nfor x in 40 { store T[1,x], T[3,x] }\nload T[2,*]\n";
  char from[24];
  diag d = { 0 };
  cdag *g = NULL;
  schedule *s = NULL;
  bool legal;
  snprintf(from, sizeof from, "from=%d", _i);
  ck_assert_int_eq(cdag_parse(&g, "gap.cdag", computation, from, &d), OK);
  ck_assert_int_eq(schedule_parse(&s, g, 1000, "gap.sched", program, "", &d), OK);
  for (int one_shot = 0; one_shot < 2; one_shot++) {
    uint64_t iterations = ways_compare(s, &(pebble_rules){ .m = 1000, .one_shot = one_shot }, true, from, &legal);
    ck_assert(!legal && iterations > 10);
  }
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* Columns are read back from the last to the first, each one element longer; the rows before _i were not stored:
   nothing but where a column begins tells the first that reaches them. */
START_TEST(column_reaches)
{
  static const char computation[] = "param n = 30, from = 3\ninput A[n]\noutput T[i:n, j:i+1] = A[i]\n";
  static const char program[] =
      "load A[*]\nfor i in n { compute T[i,*] }\nfor i in from..n { store T[i,*] }\nfor i in n { drop T[i,*] }\n"
      "for j in n reversed { load T[*,j] drop T[*,j] }\n";
  char from[24];
  diag d = { 0 };
  cdag *g = NULL;
  schedule *s = NULL;
  bool legal;
  snprintf(from, sizeof from, "from=%d", _i);
  ck_assert_int_eq(cdag_parse(&g, "column.cdag", computation, from, &d), OK);
  ck_assert_int_eq(schedule_parse(&s, g, 1000, "column.sched", program, "", &d), OK);
  uint64_t iterations = ways_compare(s, &(pebble_rules){ .m = 1000 }, true, from, &legal);
  ck_assert(legal == (_i == 0) && iterations > 5);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* Worth something only if most of these can be read, many are legal, and iterations are left out. */
START_TEST(are_played)
{
  ways_tally of = { 0 };
  for (uint64_t seed = 0; seed < 400; seed++)
    compare(seed, _i, &of);
  ways_say("TRIANGLE_SAY", &of);
  ck_assert_msg(of.plays > 300 && of.legal > 40 && of.inferred > 1000, "%lu plays, %lu legal, %lu iterations left out",
                (unsigned long)of.plays, (unsigned long)of.legal, (unsigned long)of.inferred);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("triangle");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, agree, 100, 100 + support_rounds(520));
  tcase_add_loop_test(c, gap_closes, 0, 39);
  tcase_add_loop_test(c, column_reaches, 0, 20);
  tcase_add_loop_test(c, are_played, 0, 2);
  return support_run(s);
}
