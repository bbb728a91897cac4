/* t_schedule.c -- the schedule language: what its words mean, every error with its place, print and parse. */
#include "base/mem.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include "tests/support_program.h"
#include "tests/support_random_cdag.h"
#include "tests/support_trial.h"
#include <stdio.h>
#include <string.h>

static const char small[] =
  "param n, m = 3\n"
  "table t[4] = 2, 0, 1, 5\n"
  "input A[i:n], B[n,m]\n"
  "C[i:n, j:m] = C[i,j-1], A[i], B[i,j]\n"
  "T[i:n, j:i+1] = T[i,j-1], A[i]\n"
  "output D[i:n] = C[i,m-1], T[i,i]\n";

static cdag *computation(const char *assign)
{
  cdag *g;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "small", small, assign, &d) == OK, "%d:%d: %s", d.line, d.column, d.message);
  return g;
}

/* ---- errors ---- */

static const struct { const char *source, *kind; int line, column; } bad[] = {
  { "load", "syntax", 1, 5 },
  { "load A", "syntax", 1, 7 },
  { "load A[", "syntax", 1, 8 },
  { "load A[0", "syntax", 1, 9 },
  { "load A[0]]", "syntax", 1, 10 },
  { "load A[0],", "syntax", 1, 11 },
  { "load A[0..]", "syntax", 1, 11 },
  { "load A[..2]", "syntax", 1, 8 },
  { "load A[]", "syntax", 1, 8 },
  { "load A[0 1]", "syntax", 1, 10 },
  { "load A[0,1]", "index", 1, 6 },
  { "load B[0]", "index", 1, 6 },
  { "load B[0,1,2,3,4,5,6,7,8,9]", "index", 1, 6 },
  { "load A[0]\nload B[0, *], A[0,*]", "index", 2, 15 },
  { "load X[0]", "name", 1, 6 },
  { "load t[0]", "name", 1, 6 },
  { "load A[x]", "name", 1, 8 },
  { "load A[A]", "name", 1, 8 },
  { "load A[A[0]]", "name", 1, 8 },
  { "load A[t]", "syntax", 1, 9 },
  { "load A[t[0,1]]", "index", 1, 8 },
  { "load A[foo(1)]", "name", 1, 8 },
  { "load A[min(1)]", "index", 1, 8 },
  { "load A[0] dropping B", "syntax", 1, 11 },
  { "compute C[0,0] dropping", "syntax", 1, 24 },
  { "compute C[0,0] dropping X", "name", 1, 25 },
  { "compute C[0,0] dropping A[0,0]", "index", 1, 25 },
  { "compute C[0,0] dropping C, D", "name", 1, 28 },
  { "compute C[0,0]\ndropping B, D[0]", "name", 2, 13 },
  { "compute C[0,0] dropping C dropping A", "syntax", 1, 27 },
  { "fetch A[0]", "syntax", 1, 1 },
  { "} load A[0]", "syntax", 1, 1 },
  { "for", "syntax", 1, 4 },
  { "for 3 in n { }", "syntax", 1, 5 },
  { "for i of n { }", "syntax", 1, 7 },
  { "for i in { }", "syntax", 1, 10 },
  { "for i in n by { }", "syntax", 1, 15 },
  { "for i in n load A[i]", "syntax", 1, 12 },
  { "for i in n {", "syntax", 1, 13 },
  { "for i in n { } }", "syntax", 1, 16 },
  { "for i in n reversed reversed { }", "syntax", 1, 21 },
  { "for i in n reversed by 2 { }", "syntax", 1, 21 },
  { "for A in n { }", "name", 1, 5 },
  { "for t in n { }", "name", 1, 5 },
  { "for n in 3 { }", "name", 1, 5 },
  { "for M in 3 { }", "name", 1, 5 },
  { "for load in 3 { }", "name", 1, 5 },
  { "for i in n { for i in n { } }", "name", 1, 18 },
  { "for I in n by 2 { load A[I+1] }", "name", 1, 26 },
  { "for I in n by 2 { load A[I..n] }", "name", 1, 26 },
  { "for I in n by 2 { load A[0..I] }", "name", 1, 29 },
  { "for I in n by 2 { for J in I+1 { } }", "name", 1, 28 },
  { "for I in n by 2 { for J in 0..I { } }", "name", 1, 31 },
  { "for I in n by I { }", "name", 1, 15 },
  { "for I in n by 2 { if I { } }", "name", 1, 22 },
  { "for I in n { }\nload A[lo(I)]", "name", 2, 11 },
  { "load A[lo(3)]", "syntax", 1, 11 },
  { "if { }", "syntax", 1, 4 },
  { "if n load A[0]", "syntax", 1, 6 },
  { "else { }", "syntax", 1, 1 },
  { "if n { } else load A[0]", "syntax", 1, 15 },
  { "param", "syntax", 1, 6 },
  { "param 3", "syntax", 1, 7 },
  { "param a = ", "syntax", 1, 11 },
  { "param a = b, b = 1", "name", 1, 11 },
  { "param a = a", "name", 1, 11 },
  { "param a = 1 param a = 2", "name", 1, 19 },
  { "param n = 1", "name", 1, 7 },
  { "param M = 1", "name", 1, 7 },
  { "param A = 1", "name", 1, 7 },
  { "load A[0] param a = 1", "syntax", 1, 11 },
  { "param a = 1 / 0", "value", 1, 13 },
  { "param a = t[9]", "value", 1, 11 },
  { "schedule", "syntax", 1, 9 },
  { "schedule x for", "syntax", 1, 15 },
  { "load A[0]\nschedule x for y", "syntax", 2, 1 },
  { "load A[0] $", "syntax", 1, 11 },
  { "load A[99999999999999999999]", "syntax", 1, 8 },
  { "load A[2k]", "syntax", 1, 8 },
  { "# fine\n\n  load A[0]\n  lod A[1]", "syntax", 4, 3 },
};

START_TEST(errors)
{
  cdag *g = computation("n=3");
  schedule *s = NULL;
  diag d = { 0 };
  status st = schedule_parse(&s, g, 10, "bad.sched", bad[_i].source, "", &d);
  ck_assert_msg(st == BAD_INPUT && s == NULL, "accepted: %s", bad[_i].source);
  ck_assert_msg(strcmp(d.kind, bad[_i].kind) == 0 && d.line == bad[_i].line && d.column == bad[_i].column,
                "%s: %s at %d:%d (%s)", bad[_i].source, d.kind, d.line, d.column, d.message);
  ck_assert_str_eq(d.file, "bad.sched");
  cdag_free(g);
}
END_TEST

static const struct { const char *source, *assign;
} bad_settings[] = {
  { "param a = 1", "b=2" }, { "", "a=2" },       { "param a", "a" },
  { "param a", "a=x" },     { "param a", "a=" }, { "param a", "a=99999999999999999999" },
};

START_TEST(settings)
{
  cdag *g = computation("n=3");
  schedule *s = NULL;
  diag d = { 0 };
  ck_assert_int_eq(schedule_parse(&s, g, 10, "bad.sched", bad_settings[_i].source, bad_settings[_i].assign, &d),
                   BAD_USAGE);
  ck_assert_str_eq(d.kind, "parameter");
  ck_assert_ptr_null(s);
  cdag_free(g);
}
END_TEST

START_TEST(too_deep)
{
  cdag *g = computation("n=3");
  for (int how = 0; how < 3; how++) {
    text t = { 0 };
    schedule *s = NULL;
    diag d = { 0 };
    for (int i = 0; i < 100000; i++)
      if (how == 0)
        text_printf(&t, "for x%d in n { ", i);
      else
        text_add(&t, how == 1 ? "if 1 { " : i ? "else if 1 { } " : "if 1 { } ");
    ck_assert_int_eq(schedule_parse(&s, g, 10, "deep", text_str(&t), "", &d), BAD_INPUT);
    ck_assert_str_eq(d.kind, "syntax");
    text_clear(&t);
  }
  cdag_free(g);
}
END_TEST

/* ---- what a program unfolds to ---- */

typedef struct { text t; const cdag *g; int moves; } log_book;

static bool note(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  log_book *l = context;
  int rank = l->g->array[move->array].rank;
  (void)at, (void)box, (void)slot;
  if (cdag_box_empty(&move->box, rank))
    return true;
  text_printf(&l->t, "%s%c%s", l->t.n ? " " : "", pebble_kind_name(move->kind)[0], l->g->array[move->array].name);
  for (int r = 0; r < rank; r++) {
    text_printf(&l->t, "%s%lld", r ? "," : "[", (long long)move->box.lo[r]);
    if (move->box.hi[r] - move->box.lo[r] != 1)
      text_printf(&l->t, "..%lld", (long long)move->box.hi[r]);
  }
  text_add(&l->t, "]");
  return ++l->moves < 1000;
}

static const struct { const char *source, *moves;
} unfolded[] = {
  { "", "" },
  { "load A[*] drop A[0..2]", "lA[0..5] dA[0..2]" },
  { "load A[1], A[2],\nA[3]", "lA[1] lA[2] lA[3]" },
  { "for i in n { load A[i] }", "lA[0] lA[1] lA[2] lA[3] lA[4]" },
  { "for i in 2..4 { load A[i] }", "lA[2] lA[3]" },
  { "for i in 4..2 { load A[i] }", "" },
  { "for I in n by 2 { load A[I] }", "lA[0..2] lA[2..4] lA[4]" },
  { "for I in n by 2 reversed { load A[I] }", "lA[4] lA[2..4] lA[0..2]" },
  { "for I in n by 9223372036854775807 { load A[I] }", "lA[0..5]" },
  { "for I in -9223372036854775807..9223372036854775807 by 9223372036854775807 { load A[lo(I)+9223372036854775807] }",
    "lA[0]" },
  { "for j in 2 { for i in 3 snake { load A[i] } }", "lA[0] lA[1] lA[2] lA[2] lA[1] lA[0]" },
  { "for j in 2 { for i in 3 reversed snake { load A[i] } }", "lA[2] lA[1] lA[0] lA[0] lA[1] lA[2]" },
  { "for I in n by 3 { for J in I by 2 { load A[J] for j in J { drop A[j] } } }",
    "lA[0..2] dA[0] dA[1] lA[2] dA[2] lA[3..5] dA[3] dA[4]" },
  { "for I in n by 2 { load A[lo(I)] drop A[hi(I)-1] store A[len(I)] }",
    "lA[0] dA[1] sA[2] lA[2] dA[3] sA[2] lA[4] dA[4] sA[1]" },
  { "for i in 2 { load A[lo(i)] drop A[hi(i)] store A[len(i)] }", "lA[0] dA[1] sA[1] lA[1] dA[2] sA[1]" },
  { "for I in n by 2 reversed { if first(I) { load A[I] } if last(I) { drop A[I] } }", "lA[4] dA[0..2]" },
  { "for i in 4 { if i == 1 { load A[i] } else if i == 2 { drop A[i] } else { store A[i] } }",
    "sA[0] lA[1] dA[2] sA[3]" },
  { "for i in t[0] { load A[t[i]] }", "lA[2] lA[0]" },
  { "load A[-1] load A[7] load A[2..1]", "lA[-1] lA[7]" },
  { "param a = M/2, b = a+m\nfor I in n by a { load A[I] } load A[b]", "lA[0..2] lA[2..4] lA[4] lA[5]" },
  { "schedule x for small\nfor i in 1 { load A[i] }", "lA[0]" },
  { "schedule x\nfor i in 1 { load A[i] }", "lA[0]" },
  { "load A[1+2*3] load A[(1+2)*1] load A[7/2] load A[-7/2] load A[-7%2]", "lA[7] lA[3] lA[3] lA[-4] lA[1]" },
};

static void check_unfolded(const cdag *g, const schedule *s, const char *moves)
{
  log_book l = { .g = g };
  diag d = { 0 };
  ck_assert_int_eq(schedule_each_move(s, note, &l, &d), OK);
  ck_assert_str_eq(text_str(&l.t), moves);
  text_clear(&l.t);
}

START_TEST(unfolds)
{
  cdag *g = computation("n=5");
  schedule *s;
  diag d = { 0 };
  ck_assert_msg(schedule_parse(&s, g, 4, "x", unfolded[_i].source, "", &d) == OK, "%d:%d: %s", d.line, d.column,
                d.message);
  check_unfolded(g, s, unfolded[_i].moves);
  text t = { 0 }, u = { 0 };
  schedule *again;
  schedule_print(&t, s);
  ck_assert_msg(schedule_parse(&again, g, 4, "x", text_str(&t), "", &d) == OK, "%d:%d: %s\n%s", d.line, d.column,
                d.message, text_str(&t));
  check_unfolded(g, again, unfolded[_i].moves);
  schedule_print(&u, again);
  ck_assert_str_eq(text_str(&t), text_str(&u));
  text_clear(&t);
  text_clear(&u);
  schedule_free(again);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* ---- values met while playing ---- */

static const struct { const char *source; int line, column; } bad_values[] = {
  { "for I in n by 0 { load A[I] }", 1, 15 },
  { "param a = M - 10\nfor I in n by a { load A[I] }", 2, 15 },
  { "for i in n {\n load A[1/(i-2)] }", 2, 10 },
  { "for i in n { load A[t[i]] }", 1, 21 },
  { "for i in n { if 5 % i { } }", 1, 19 },
  { "for i in 5 { load A[9223372036854775807 + i] }", 1, 41 },
};

START_TEST(values)
{
  cdag *g = computation("n=5");
  schedule *s;
  diag d = { 0 };
  log_book l = { .g = g };
  schedule_verdict v;
  schedule_play_options o = { .rules = { .m = 4 }, .engine = PEBBLE_BY_ELEMENT };
  ck_assert_msg(schedule_parse(&s, g, 4, "x", bad_values[_i].source, "", &d) == OK, "%s", d.message);
  ck_assert_int_eq(schedule_each_move(s, note, &l, &d), BAD_INPUT);
  ck_assert_str_eq(d.kind, "value");
  ck_assert_int_eq(d.line, bad_values[_i].line);
  ck_assert_int_eq(d.column, bad_values[_i].column);
  text_clear(&l.t);
  ck_assert_int_eq(schedule_play(s, &o, &v, &d), OK);
  ck_assert(!v.verdict.legal);
  ck_assert_int_eq(v.line, bad_values[_i].line);
  ck_assert_int_eq(v.column, bad_values[_i].column);
  schedule_verdict_clear(&v);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* ---- parameters ---- */

START_TEST(parameters)
{
  cdag *g = computation("n=5");
  schedule *s;
  diag d = { 0 };
  ck_assert_int_eq(schedule_parse(&s, g, 9, "x", "param a, b = 2*a, c = auto, e = c+1\n", "", &d), OK);
  ck_assert_int_eq(schedule_unset(s), 0);
  ck_assert_int_eq(schedule_set(s, 0, 7), OK);
  ck_assert(s->param[1].known && s->param[1].value == 14 && !s->param[3].known);
  ck_assert_int_eq(schedule_unset(s), 2);
  ck_assert_int_eq(schedule_set(s, 2, -3), OK);
  ck_assert_int_eq(schedule_unset(s), -1);
  ck_assert(s->param[3].value == -2);
  schedule_free(s);
  ck_assert_int_eq(schedule_parse(&s, g, 9, "x", "param a, b = 2*a, c = auto, e = c+1\n", "c=2K,a=-1,b=auto", &d), OK);
  ck_assert(s->param[0].value == -1 && s->param[2].value == 2048 && s->param[3].value == 2049 && !s->param[1].known);
  ck_assert_int_eq(schedule_unset(s), 1);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* ---- print and parse ---- */

START_TEST(round_trip)
{
  cdag *g = computation("n=4");
  text t = { 0 }, u = { 0 }, w = { 0 };
  schedule *s, *again;
  diag d = { 0 };
  text_add(&t, "# what it is\n# source: here\nschedule a-name for small\nparam a = (M - 1)/(2*m + 2)\n");
  support_random_program(&t, g, (uint64_t)_i);
  ck_assert_msg(schedule_parse(&s, g, 9, "x", text_str(&t), "", &d) == OK, "%s\n%s", d.message, text_str(&t));
  schedule_print(&u, s);
  ck_assert_msg(schedule_parse(&again, g, 9, "x", text_str(&u), "", &d) == OK, "%s\n%s", d.message, text_str(&u));
  schedule_print(&w, again);
  ck_assert_str_eq(text_str(&u), text_str(&w));
  ck_assert_str_eq(again->name, "a-name");
  ck_assert_str_eq(again->family, "small");
  ck_assert_str_eq(text_str(&again->comment), "what it is\nsource: here\n");
  log_book x = { .g = g }, y = { .g = g };
  schedule_each_move(s, note, &x, &d);
  schedule_each_move(again, note, &y, &d);
  ck_assert_str_eq(text_str(&x.t), text_str(&y.t));
  text_clear(&x.t), text_clear(&y.t);
  text_clear(&t), text_clear(&u), text_clear(&w);
  schedule_free(s);
  schedule_free(again);
  cdag_free(g);
}
END_TEST

/* ---- lists read from a file ---- */

static const struct { const char *source; bool list;
} kinds_of_text[] = {
  { "load A[0]", true },
  { "# x\n\n# y\n  load A[0]", true },
  { "schedule x for y\nload A[0]", true },
  { "schedule x # load\ndrop A[0]", true },
  { "param a = 1\nload A[0]", false },
  { "for i in n { load A[i] }", false },
  { "schedule x for y\nfor i in n { load A[i] }", false },
  { "", false },
  { "# load A[0]", false },
  { "loader", false },
};

START_TEST(lists)
{
  FILE *in = fmemopen((void *)(uintptr_t)kinds_of_text[_i].source, strlen(kinds_of_text[_i].source), "r");
  if (!in) /* glibc: not of an empty text */
    in = fopen("/dev/null", "r");
  schedule_reader *r = schedule_reader_of(in, "x");
  text t = { 0 };
  diag d = { 0 };
  ck_assert_int_eq(schedule_reader_is_list(r), kinds_of_text[_i].list);
  ck_assert_int_eq(schedule_reader_text(r, &t, &d), OK);
  ck_assert_str_eq(text_str(&t), kinds_of_text[_i].source);
  text_clear(&t);
  schedule_reader_free(r);
  fclose(in);
}
END_TEST

/* Played as a stream and played as a program: the same verdict or the same error, in the same place. */
static const char *const both_ways[] = {
  "load A[0] load B[0,0]\ncompute C[0,0]\n",
  "load A[0], B[0,0],\nB[0,1]\ncompute C[0,0]\ncompute C[0,1]\ndropping C, B\ncompute C[0,2]",
  "load A[0]\n,A[1]\ndrop A[0],\n A[1] # gone\n# so\nload A[0..2]",
  "load A[0]\nload A[0]",
  "load A[0]\n  store A[0]",
  "load A[*] load B[*,*]\nfor i in n { compute C[i,*] dropping C }\nfor I in n by 2 { compute T[I,*] dropping T "
  "}\ncompute D[*] store D[*]\n",
  "load A[*]\nfor i in n { for j in n { compute T[i,j] } drop T[1,0] }",
  "load A[*]\nif 1/0 { }",
  "load A[0]\nload A[1] lod",
  "load A[0]\nload A[0]\nload X[1]\n",
  "load A[0]\nload A[0,0]",
  "schedule x for small\nload A[0]\nstore A[1]\n",
  "load A[99]\nload A[0] load A[98765432109876543210]\n",
  "load A[*]\nload B[*,*]\ncompute C[0,0]\ncompute C[0,1]\n",
};

START_TEST(as_list_or_program)
{
  cdag *g = computation("n=4");
  const char *source = both_ways[_i / 3];
  schedule_play_options o = { .rules = { .m = _i % 3 == 0 ? 100 : 4 + (uint64_t)_i % 3 },
                              .engine = PEBBLE_BY_ELEMENT,
                              .want_smallest = true };
  schedule *s = NULL;
  schedule_verdict v = { 0 }, w = { 0 };
  diag d = { 0 }, e = { 0 };
  FILE *in = fmemopen((void *)(uintptr_t)source, strlen(source), "r");
  status st = schedule_parse(&s, g, o.rules.m, "x", source, "", &d);
  if (st == OK)
    st = schedule_play(s, &o, &v, &d);
  ck_assert_int_eq(schedule_play_stream(in, "x", g, &o, &w, &e), st);
  if (st != OK) {
    ck_assert_str_eq(d.kind, e.kind);
    ck_assert_msg(d.line == e.line && d.column == e.column, "%d:%d and %d:%d: %s", d.line, d.column, e.line, e.column,
                  e.message);
  } else {
    ck_assert_int_eq(v.verdict.legal, w.verdict.legal);
    ck_assert_int_eq(v.verdict.rule, w.verdict.rule);
    ck_assert_msg(v.line == w.line && v.column == w.column, "%d:%d and %d:%d", v.line, v.column, w.line, w.column);
    ck_assert_str_eq(text_str(&v.loops), text_str(&w.loops));
    ck_assert_uint_eq(v.verdict.loads, w.verdict.loads);
    ck_assert_uint_eq(v.verdict.peak, w.verdict.peak);
    ck_assert_uint_eq(v.verdict.needed, w.verdict.needed);
    ck_assert_int_eq(v.has_smallest, w.has_smallest);
    ck_assert_uint_eq(v.has_smallest ? v.smallest_memory : 0, w.has_smallest ? w.smallest_memory : 0);
  }
  schedule_verdict_clear(&v);
  schedule_verdict_clear(&w);
  schedule_free(s);
  fclose(in);
  cdag_free(g);
}
END_TEST

/* Texts made wrong: refused with a place, or read; printed again, played by both engines and as lists with one verdict.
 */
START_TEST(damaged)
{
  support_random r = { (uint64_t)_i };
  random_cdag_options o = { .plain = _i % 2, .most = 60 };
  cdag *g = support_random_cdag(&r, &o, NULL);
  for (int k = 0; k < 20; k++) {
    text source = { 0 }, why = { 0 };
    trial_text(&source, g, (uint64_t)_i * 20 + (uint64_t)k);
    const char *wrong = trial(g, text_str(&source), k % 4 ? INT64_MAX : (uint64_t)support_between(&r, 0, 12), &why);
    ck_assert_msg(wrong == NULL, "%s\n%s", wrong, text_str(&source));
    text_clear(&source);
    text_clear(&why);
  }
  cdag_free(g);
}
END_TEST

START_TEST(library_texts)
{
  const schedule_listing *list;
  int n = schedule_library(&list);
  ck_assert_int_gt(n, 0);
  for (int i = 0; i < n; i++) {
    char line[200];
    snprintf(line, sizeof line, "schedule %s for %s", list[i].name, list[i].family);
    ck_assert_msg(strstr(list[i].text, line) != NULL, "%s has no line '%s'", list[i].path, line);
    ck_assert_msg(list[i].summary[0] != '\0', "%s does not say what it is", list[i].path);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("schedule");
  TCase *c = support_case(s, "language");
  tcase_add_loop_test(c, errors, 0, COUNT(bad));
  tcase_add_loop_test(c, settings, 0, COUNT(bad_settings));
  tcase_add_test(c, too_deep);
  tcase_add_loop_test(c, unfolds, 0, COUNT(unfolded));
  tcase_add_loop_test(c, values, 0, COUNT(bad_values));
  tcase_add_test(c, parameters);
  tcase_add_loop_test(c, round_trip, 0, support_rounds(60));
  tcase_add_loop_test(c, lists, 0, COUNT(kinds_of_text));
  tcase_add_loop_test(c, as_list_or_program, 0, 3 * COUNT(both_ways));
  tcase_add_loop_test(c, damaged, 0, support_rounds(100));
  tcase_add_test(c, library_texts);
  return support_run(s);
}
