/* Formulas of random programs whose loops choose entries of tables, against the count at other values of what they
 * name. */
#include "schedules/schedule.h"
#include "tests/support.h"
#include "tests/support_formula.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  support_random r;
  text computation, program;
  int64_t n;
  bool group, row, entry, block, column; /* the loops at hand: G, I, q, X, Y */
  int loops;
} maker;

static int64_t pick(maker *m, int64_t lo, int64_t hi) { return support_between(&m->r, lo, hi); }
static bool chance(maker *m, int in) { return pick(m, 1, in) == 1; }

static void put_entries(maker *m, const char *head, int64_t n, int64_t lo, int64_t hi)
{
  int64_t same = pick(m, lo, hi);
  text_printf(&m->computation, "table %s =", head);
  for (int64_t i = 0; i < n; i++)
    text_printf(&m->computation, "%s %ld", i ? "," : "", (long)(chance(m, 2) ? same : pick(m, lo, hi)));
  text_add(&m->computation, "\n");
}

static void put_computation(maker *m)
{
  char head[32];
  m->n = pick(m, 1, 7);
  text_add(&m->computation, "param n, d\n");
  snprintf(head, sizeof head, "len[%ld]", (long)m->n);
  put_entries(m, head, m->n, 1, 3);
  snprintf(head, sizeof head, "off[%ld]", (long)m->n);
  put_entries(m, head, m->n, 0, 9);
  snprintf(head, sizeof head, "pick[%ld,3]", (long)m->n);
  put_entries(m, head, 3 * m->n, 0, 4);
  text_add(&m->computation, "input A[I:n, i:len[I], k:d], B[j:8, k:d], D[I:n, q:3, i:pick[I,q]+1], E[I:n, i:I+1, k:d], "
                            "F[I:1..n, k:d], W[1]\noutput R[1] = W[0]\n");
}

static const char *one_of(maker *m, const char *const *word, int n) { return word[pick(m, 0, n - 1)]; }

static const char *row_index(maker *m)
{
  static const char *const of_row[] = { "I", "I", "I", "I+1", "I-1", "0..I", "I..n", "off[I]", "n-1-I" };
  static const char *const of_group[] = { "G", "G", "lo(G)", "hi(G)-1", "hi(G)", "lo(G)..n", "0..lo(G)" };
  return m->row         ? one_of(m, of_row, COUNT(of_row))
         : m->group     ? one_of(m, of_group, COUNT(of_group))
         : chance(m, 2) ? "*"
                        : "0";
}

static const char *entry_index(maker *m)
{
  static const char *const of_block[] = { "X", "X", "lo(X)", "hi(X)-1", "lo(X)-1", "hi(X)" };
  static const char *const of_entry[] = { "q", "q", "q+1", "q-1", "0..q", "last(q)" };
  bool block = m->block && (!m->entry || chance(m, 2));
  return block                       ? one_of(m, of_block, COUNT(of_block))
         : m->entry && !chance(m, 4) ? one_of(m, of_entry, COUNT(of_entry))
         : chance(m, 2)              ? "*"
                                     : "1";
}

static const char *column_index(maker *m)
{
  static const char *const of_column[] = { "Y", "Y", "lo(Y)", "lo(Y)..d", "hi(Y)-1" };
  return m->column ? one_of(m, of_column, COUNT(of_column)) : chance(m, 3) ? "d-1" : "*";
}

static const char *far_index(maker *m)
{
  static const char *const of_entry[] = { "off[I]+q", "pick[I,q]", "pick[I,q]..pick[I,q]+len[I]", "len[I]*q" };
  static const char *const of_block[] = { "off[I]+lo(X)..off[I]+hi(X)", "len[I]+lo(X)", "X" };
  static const char *const of_row[] = { "off[I]..off[I]+3", "len[I]", "2*I", "I*3..I*3+2" };
  if (!m->row)
    return m->group ? "2*lo(G)..2*hi(G)" : "*";
  return m->entry && chance(m, 2)   ? one_of(m, of_entry, COUNT(of_entry))
         : m->block && chance(m, 2) ? one_of(m, of_block, COUNT(of_block))
                                    : one_of(m, of_row, COUNT(of_row));
}

static void put_box(maker *m)
{
  text *t = &m->program;
  switch (pick(m, 0, 4)) {
  case 0: text_printf(t, "load A[%s,", row_index(m)); text_printf(t, "%s,%s] ", entry_index(m), column_index(m)); break;
  case 1: text_printf(t, "load B[%s,", far_index(m)); text_printf(t, "%s] ", column_index(m)); break;
  case 2:
    text_printf(t, "load D[%s,", m->row ? "I" : row_index(m));
    text_printf(t, "%s,", m->entry ? "q" : chance(m, 2) ? "1" : "*");
    text_printf(t, "%s] ", chance(m, 2) ? "*" : "1..3");
    break;
  case 3:
    text_printf(t, "load E[%s,", row_index(m));
    text_printf(t, "%s,%s] ", chance(m, 2) ? "*" : "1", column_index(m));
    break;
  default: text_printf(t, "load F[%s,", row_index(m)); text_printf(t, "%s] ", column_index(m)); break;
  }
}

static void put_condition(maker *m)
{
  static const char *const of_entry[] = { "pick[I,q] == 2", "first(q)", "q < len[I] - 1", "pick[I,q] == off[I]",
                                          "last(q)" };
  static const char *const of_row[] = { "len[I] > 1", "last(I)", "off[I] >= 4", "I > 1" };
  if (!m->row)
    return;
  text_printf(&m->program, "if %s { load B[0,*] } else { load B[1..3,0] } ",
              m->entry ? one_of(m, of_entry, COUNT(of_entry)) : one_of(m, of_row, COUNT(of_row)));
}

/* Open a loop over something that is not yet at hand. */
static void put_loop(maker *m)
{
  static const char *const rows[] = { "n", "n", "n", "1..n", "n reversed", "off[0]..n" };
  text_add(&m->program, "for ");
  if (!m->group && !m->row && chance(m, 3)) {
    m->group = true;
    text_add(&m->program, "G in n by g { ");
  } else if (!m->row && !chance(m, 5)) {
    m->row = true;
    text_printf(&m->program, "I in %s { ", m->group ? "G" : one_of(m, rows, COUNT(rows)));
  } else if (m->row && !m->entry && chance(m, 2)) {
    m->entry = true;
    text_printf(&m->program, "q in %s { ", chance(m, 3) ? "min(3, len[I])" : "len[I]");
  } else if (m->row && !m->block && chance(m, 2)) {
    m->block = true;
    text_printf(&m->program, "X in %s by a { ",
                chance(m, 4)               ? "len[I] + 1"
                : chance(m, 4) && m->entry ? "pick[I,q]+1"
                                           : "len[I]");
  } else if (!m->column) {
    m->column = true;
    text_printf(&m->program, "Y in d by %s { ", chance(m, 3) && m->row ? "min(c, len[I])" : "c");
  } else
    text_printf(&m->program, "z%d in 2 { ", m->loops);
  m->loops++;
}

/* Depth: 5. */
static void put_nest(maker *m, int depth)
{
  bool group = m->group, row = m->row, entry = m->entry, block = m->block, column = m->column;
  put_loop(m);
  put_box(m);
  if (depth < 4 && !chance(m, 4))
    put_nest(m, depth + 1);
  if (chance(m, 3))
    put_condition(m);
  if (chance(m, 3))
    put_box(m);
  text_add(&m->program, "} ");
  m->group = group;
  m->row = row;
  m->entry = entry;
  m->block = block;
  m->column = column;
}

/* Two loops that look for the iterations in which a condition holds, or nearly. */
static void put_search(maker *m)
{
  static const char *const outer[] = { "n", "n", "n", "1..n", "J..n", "min(n, J+1)", "n reversed" };
  static const char *const inner[] = { "len[I]",       "len[I]",    "len[I]",         "min(3, J+1)",
                                       "min(2, J)..3", "1..len[I]", "len[I] reversed" };
  static const char *const test[] = { "pick[I,q] == J",      "J == pick[I,q]",      "pick[I,q] == J - q",
                                      "pick[I,q] + J == 4",  "pick[I,q] == len[J]", "pick[I,q] == q + 1",
                                      "J - 1 == len[I] - q", "pick[I,J] == q" };
  static const char *const rest[] = { "", "", "", "load F[1,*]", "else { load A[I,q,*] }" };
  text *t = &m->program;
  m->row = m->entry = true;
  text_printf(t, "for J in min(3, n) { for Y in d by c { for I in %s { ", one_of(m, outer, COUNT(outer)));
  text_printf(t, "for q in %s { if ", one_of(m, inner, COUNT(inner)));
  text_printf(t, "%s { ", one_of(m, test, COUNT(test)));
  put_box(m);
  text_printf(t, "load B[J,%s] ", chance(m, 2) ? "Y" : "*");
  put_condition(m);
  text_printf(t, "} %s } } } } ", one_of(m, rest, COUNT(rest)));
}

static cdag *open(const maker *m, int64_t d)
{
  cdag *g = NULL;
  diag why = { 0 };
  char assign[64];
  snprintf(assign, sizeof assign, "n=%ld,d=%ld", (long)m->n, (long)d);
  ck_assert_msg(cdag_parse(&g, "iterations.cdag", text_str(&m->computation), assign, &why) == OK, "%s\n%s", why.message,
                text_str(&m->computation));
  return g;
}

static schedule *parse(const maker *m, const cdag *g, int64_t a, int64_t c, int64_t group)
{
  schedule *s = NULL;
  diag d = { 0 };
  char assign[64];
  snprintf(assign, sizeof assign, "a=%ld,c=%ld,g=%ld", (long)a, (long)c, (long)group);
  ck_assert_msg(schedule_parse(&s, g, 1000, "iterations.sched", text_str(&m->program), assign, &d) == OK, "%s\n%s",
                d.message, text_str(&m->program));
  return s;
}

static int formulas, values;

static void compare(maker *m, const text *io, const text *holds, int64_t group)
{
  int64_t d = pick(m, 1, 6), a = pick(m, 1, 5), c = pick(m, 1, 7);
  cdag *g = open(m, d);
  schedule *s = parse(m, g, a, c, group);
  if (formula_covers(holds, s)) {
    double v = formula_text_value(text_str(io), s);
    uint64_t count;
    bool has = formula_counted_io(s, &count); /* else a table is read where it has no entry */
    ck_assert_msg(has && fabs(v - (double)count) < 1e-3,
                  "%s is %g, counted %ld at d = %ld, a = %ld, c = %ld, g = %ld, n = %ld; it holds while %s\n%s\n%s",
                  text_str(io), v, (long)count, (long)d, (long)a, (long)c, (long)group, (long)m->n, text_str(holds),
                  text_str(&m->computation), text_str(&m->program));
    values++;
  }
  schedule_free(s);
  cdag_free(g);
}

static void try_program(uint64_t seed)
{
  maker m = { .r = { seed } };
  text io = { 0 }, holds = { 0 }, reason = { 0 };
  put_computation(&m);
  text_add(&m.program, "param a = 1\nparam c = 1\nparam g = 1\n");
  if (chance(&m, 3))
    put_search(&m);
  else
    put_nest(&m, 0);
  int64_t group = pick(&m, 1, 4);
  cdag *g = open(&m, pick(&m, 1, 5));
  schedule *s = parse(&m, g, pick(&m, 1, 3), pick(&m, 1, 4), group);
  bool found = schedule_formula(s, false, &io, &holds, &reason);
  bool differs = !found && strstr(text_str(&reason), "too few iterations");
  ck_assert_msg(!differs || strstr(text_str(&holds), " >= 2"),
                "a formula was found that does not give the count: %s\n%s", text_str(&m.computation),
                text_str(&m.program));
  if (found && strstr(text_str(&holds), "the table ")) { /* else no iterations were listed */
    formulas++;
    for (int k = 0; k < 5; k++)
      compare(&m, &io, &holds, group);
  } else if (!found && getenv("ITERATIONS_SAY")) {
    printf("%s: %s\n", text_str(&reason), strchr(text_str(&m.program), 'f') ? text_str(&m.program) + 36 : "");
  }
  text_clear(&io);
  text_clear(&holds);
  text_clear(&reason);
  text_clear(&m.computation);
  text_clear(&m.program);
  schedule_free(s);
  cdag_free(g);
}

START_TEST(programs)
{
  formulas = values = 0;
  for (uint64_t k = 0; k < 50; k++)
    try_program(50 * (uint64_t)_i + k);
  if (getenv("ITERATIONS_SAY"))
    printf("%d formulas, %d values\n", formulas, values);
  ck_assert_int_gt(formulas, 10);
  ck_assert_int_gt(values, 50);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("formula_iterations");
  TCase *c = support_case(s, "programs");
  tcase_add_loop_test(c, programs, 0, support_rounds(20));
  return support_run(s);
}
