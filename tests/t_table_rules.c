/* Tables whose rows repeat themselves, against the same rules written so that nobody sees it. */
#include "cdag/cdag.h"
#include "tests/support.h"
#include <stdio.h>
#include <string.h>

enum { ROWS = 9, COLUMNS = 300 };

static void add_part(text *t, support_random *r)
{
  static const char *const operator[] = { "<", "<=", ">", ">=", "==", "!=" };
  int c = (int)support_between(r, -3, 3), k = (int)support_between(r, -20, 320), m = (int)support_between(r, 0, 12);
  const char *compare = operator[support_between(r, 0, COUNT(operator) - 1)];
  switch (support_between(r, 0, 6)) {
  case 0: text_printf(t, "(%d*I + %d %s J)", c, k, compare); break;
  case 1: text_printf(t, "J %% %d", m ? m : 300); break;
  case 2: text_printf(t, "(J %% max(I, %d) == %d)", m, c); break;
  case 3: text_printf(t, "w[J %% %d]", m > 10 ? m : 7); break; /* of ten entries */
  case 4: text_printf(t, "%s * %d", support_between(r, 0, 2) ? "I" : "J", c); break;
  case 5: text_printf(t, "%d / (J %% %d - %d)", k, m + 2, m + 1 + (int)support_between(r, 0, 8)); break;
  default: text_printf(t, "(J %s I * %d + %d)", compare, 7 * c, k); break;
  }
}

static void add_rule(text *t, support_random *r)
{
  static const char *const between[] = { " + ", " * ", " - ", ", " };
  int64_t parts = support_between(r, 1, 4);
  const char *sign = between[support_between(r, 0, parts > 1 ? 3 : 2)];
  text_add(t, *sign == ',' ? "max(" : "(");
  for (int64_t i = 0; i < parts; i++) {
    text_add(t, i ? sign : "");
    add_part(t, r);
  }
  text_add(t, ")");
}

static status open_with(cdag **g, const char *rule, const char *unseen, diag *d)
{
  text source = { 0 };
  text_printf(&source, "table w[J:10] = 3*J - 11\ntable t[I:%d, J:%d] = %s%s\ninput A[1]\noutput A[0]\n", ROWS, COLUMNS,
              rule, unseen);
  status st = cdag_parse(g, "rule.cdag", text_str(&source), "", d);
  text_clear(&source);
  return st;
}

START_TEST(rows_that_repeat_themselves)
{
  support_random r = { (uint64_t)_i };
  text rule = { 0 };
  cdag *g = NULL, *plain = NULL;
  diag d = { 0 }, e = { 0 };
  add_rule(&rule, &r);
  status st = open_with(&g, text_str(&rule), "", &d), other = open_with(&plain, text_str(&rule), " + (J - J)", &e);
  ck_assert_msg(st == other, "%d, not %d: %s %s in %s", st, other, d.message, e.message, text_str(&rule));
  ck_assert_str_eq(d.kind ? d.kind : "", e.kind ? e.kind : "");
  for (int i = 0; st == OK && i < ROWS * COLUMNS; i++)
    ck_assert_msg(expr_entry(&g->table[1], i) == expr_entry(&plain->table[1], i), "entry %d, %d: %ld, not %ld, in %s",
                  i / COLUMNS, i % COLUMNS, (long)expr_entry(&g->table[1], i), (long)expr_entry(&plain->table[1], i),
                  text_str(&rule));
  cdag_free(g);
  cdag_free(plain);
  text_clear(&rule);
}
END_TEST

/* Rows whose entries have 16 bits, up to one, or to the last, or to none, that has not. */
START_TEST(entries_grow_long)
{
  static const int64_t slope[] = { 0, 1, -1, 13, -14, 15, 4000, (int64_t)1 << 40 },
                       shift[] = { 0, 32767, 32768, -32768, -32769, 32767 - 299, 32767 - 300, -32768 - 8 * 299 };
  int64_t a = slope[_i % (int)COUNT(slope)], b = shift[_i / (int)COUNT(slope)];
  text rule = { 0 };
  cdag *g = NULL;
  diag d = { 0 };
  text_printf(&rule, "%ld*I*J + %ld", (long)a, (long)b);
  ck_assert_int_eq(open_with(&g, text_str(&rule), "", &d), OK);
  for (int64_t i = 0; i < ROWS * COLUMNS; i++)
    ck_assert_int_eq(expr_entry(&g->table[1], i), a * (i / COLUMNS) * (i % COLUMNS) + b);
  cdag_free(g);
  text_clear(&rule);
}
END_TEST

/* Rows longer than memory, and none of them. */
START_TEST(no_long_rows)
{
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_int_eq(
      cdag_parse(
          &g, "rule.cdag",
          "param n = 2000000000000\ntable t[I:0, J:n] = I\ntable u[I:3, K:0, J:n] = J\ntable c[0] = nonzero_count(t)\n"
          "table k[0,n] = nonzero_column(t)\ninput A[1]\noutput A[0]\n",
          "", &d),
      OK);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("table_rules");
  TCase *c = support_case(s, "rules");
  tcase_add_loop_test(c, rows_that_repeat_themselves, 0, support_rounds(600));
  tcase_add_loop_test(c, entries_grow_long, 0, 64);
  tcase_add_test(c, no_long_rows);
  return support_run(s);
}
