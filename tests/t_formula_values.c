/* Formulas of programs whose boxes leave their arrays, or not, as parameters happen to be: derived at one setting, they
   give what is counted at all others that the conditions printed beside them let them speak of. */
#include "schedules/schedule.h"
#include "tests/support.h"
#include "tests/support_formula.h"
#include <stdio.h>
#include <stdlib.h>

static const char *const computation =
  "param n d\ninput F[d], G[n,d], T[i:n, j:i+1]\noutput R[1] = F[0]\n";

typedef struct {
  support_random r;
  text out;
  int loops;
} writer;

static int64_t any(writer *w, int64_t lo, int64_t hi) { return support_between(&w->r, lo, hi); }

/* A % in it is the number of a loop around. */
static void put(writer *w, const char *words)
{
  for (; *words; words++)
    if (*words == '%')
      text_printf(&w->out, "x%d", (int)any(w, 0, w->loops - 1));
    else
      text_printf(&w->out, "%c", *words);
}

#define PUT(w, list) put(w, (list)[any(w, 0, COUNT(list) - 1)])

static void open_loop(writer *w)
{
  static const char *const plain[] = { "n", "n", "d", "d", "a", "n + 2", "d - 1", "1..n", "c..d", "n - c", "a + b" };
  static const char *const inner[] = { "%",        "%",      "hi(%)",        "lo(%)",    "lo(%)..n",
                                       "hi(%)..d", "len(%)", "lo(%) + 1..n", "n - lo(%)" };
  static const char *const by[] = { "a", "a", "b", "c", "2", "a + 1", "max(1, min(a, b))" };
  text_printf(&w->out, "for x%d in ", w->loops);
  if (w->loops && any(w, 0, 1))
    PUT(w, inner);
  else
    PUT(w, plain);
  if (any(w, 0, 3)) {
    text_add(&w->out, " by ");
    PUT(w, by);
  }
  text_add(&w->out, any(w, 0, 4) ? " {\n" : any(w, 0, 2) ? " snake {\n" : " reversed {\n");
  w->loops++;
}

static void put_index(writer *w)
{
  static const char *const index[] = { "*",
                                       "%",
                                       "%",
                                       "%",
                                       "lo(%)",
                                       "hi(%)",
                                       "lo(%)..lo(%) + c",
                                       "lo(%) - 1..hi(%) + 1",
                                       "0..hi(%) - 1",
                                       "lo(%) + 2..hi(%) + 2",
                                       "0..c",
                                       "c",
                                       "d - 1",
                                       "lo(%) + a",
                                       "0..hi(%)",
                                       "0..a",
                                       "lo(%) - b..hi(%)",
                                       "c..d",
                                       "lo(%)*2..hi(%)*2",
                                       "0 - 1..a",
                                       "max(0, lo(%) - b)..hi(%)",
                                       "min(lo(%), c)",
                                       "lo(%)..min(hi(%) + a, n)" };
  PUT(w, index);
}

static void put_box(writer *w)
{
  int kind = (int)any(w, 0, 4);
  text_add(&w->out, any(w, 0, 1) ? "load " : "store ");
  text_add(&w->out, kind < 2 ? "F[" : kind < 4 ? "G[" : "T[");
  put_index(w);
  if (kind >= 2) {
    text_add(&w->out, ",");
    put_index(w);
  }
  text_add(&w->out, "]\n");
}

static void put_move(writer *w)
{
  static const char *const conditions[] = { "lo(%) < c",
                                            "hi(%) <= n",
                                            "last(%)",
                                            "first(%)",
                                            "a < b",
                                            "lo(%) == 0",
                                            "first(%) + (1 - last(%))",
                                            "hi(%) > d",
                                            "(lo(%) > 0)*(a <= d)",
                                            "len(%) == a",
                                            "lo(%)",
                                            "a != b",
                                            "max(lo(%), b) > c" };
  bool when = any(w, 0, 5) == 0;
  if (when) {
    text_add(&w->out, "if ");
    PUT(w, conditions);
    text_add(&w->out, " { ");
  }
  put_box(w);
  if (when)
    text_add(&w->out, "}\n");
}

static void put_program(writer *w)
{
  text_add(&w->out, "param a\nparam b\nparam c\n");
  for (int64_t depth = any(w, 1, 3); depth > 0; depth--) {
    open_loop(w);
    if (any(w, 0, 2) == 0)
      put_move(w);
  }
  put_move(w);
  for (int i = 0; i < w->loops; i++)
    text_add(&w->out, "}\n");
}

/* ---- settings ---- */

typedef struct { cdag *g; schedule *s; } setting;

/* Where `like` is given, some values are as they are there. */
static void set_up(setting *t, const char *program, support_random *r, const setting *like)
{
  static const int most[] = { 12, 9, 7, 5, 9 };
  char size[64], blocks[64];
  int v[COUNT(most)];
  diag d = { 0 };
  *t = (setting){ 0 };
  for (int i = 0; i < COUNT(most); i++) {
    bool same = like && support_between(r, 0, 1);
    v[i] = !same ? (int)support_between(r, 1, most[i])
                 : (int)(i < 2 ? like->g->param_value[i] : like->s->param[i - 2].value);
  }
  snprintf(size, sizeof size, "n=%d,d=%d", v[0], v[1]);
  snprintf(blocks, sizeof blocks, "a=%d,b=%d,c=%d", v[2], v[3], v[4]);
  ck_assert_msg(cdag_parse(&t->g, "values.cdag", computation, size, &d) == OK, "%s", d.message);
  ck_assert_msg(schedule_parse(&t->s, t->g, 1 << 20, "values.sched", program, blocks, &d) == OK, "%s\n%s", d.message,
                program);
}

static void clear(setting *t)
{
  schedule_free(t->s);
  cdag_free(t->g);
}

typedef struct { int programs, formulas, general, compared; } tally;

/* 1 if it speaks of the setting, and then it is right. */
static int compare(const setting *at, const setting *made, const text *io, const text *holds, const char *program)
{
  text told = { 0 };
  if (!formula_covers(holds, at->s))
    return 0;
  text_add(&told, "made at ");
  formula_say_setting(&told, made->s);
  text_printf(&told, "; it holds while %s:\n%s", text_str(holds), program);
  bool compared = formula_gives_count(io, at->s, told.s);
  text_clear(&told);
  return compared;
}

static void check(uint64_t seed, tally *sum)
{
  writer w = { .r = { seed } };
  setting made, other;
  text io = { 0 }, holds = { 0 }, reason = { 0 };
  put_program(&w);
  set_up(&made, text_str(&w.out), &w.r, NULL);
  sum->programs++;
  bool found = schedule_formula(made.s, &io, &holds, &reason);
  if (getenv("VALUES_SAY"))
    fprintf(stderr, "%s\n%s\n  if %s\n%s", text_str(&w.out), text_str(&io), text_str(&holds), text_str(&reason));
  if (found) {
    sum->formulas++;
    sum->general += holds.n == 0;
    for (int i = 0; i < 40; i++) {
      set_up(&other, text_str(&w.out), &w.r, &made);
      sum->compared += compare(&other, &made, &io, &holds, text_str(&w.out));
      clear(&other);
    }
  }
  text_clear(&w.out);
  text_clear(&io);
  text_clear(&holds);
  text_clear(&reason);
  clear(&made);
}

START_TEST(hold_where_they_say)
{
  enum { EACH = 50 };
  tally sum = { 0 };
  for (int i = 0; i < EACH; i++)
    check((uint64_t)(EACH * _i + i), &sum);
  if (getenv("VALUES_SAY"))
    fprintf(stderr, "%d programs, %d formulas, %d without conditions, %d comparisons\n", sum.programs, sum.formulas,
            sum.general, sum.compared);
  ck_assert_int_gt(sum.formulas, EACH / 4);
  ck_assert_int_gt(sum.compared, EACH);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("formula_values");
  TCase *c = support_case(s, "other settings");
  tcase_add_loop_test(c, hold_where_they_say, 0, support_rounds(8));
  return support_run(s);
}
