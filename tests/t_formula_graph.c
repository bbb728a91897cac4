/* Formulas of schedules for explicit graphs: what is printed, read again, against the moves one by one, at the values it was made for and at others. */
#include "cdag/cdag.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include "tests/support_formula.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct { const cdag *g; uint64_t words; } total;

static bool add_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  total *sum = context;
  (void)at, (void)box, (void)slot;
  if (move->kind == PEBBLE_LOAD || move->kind == PEBBLE_STORE)
    sum->words += cdag_box_count(sum->g, move->array, &move->box);
  return true;
}

typedef struct {
  cdag *g;
  schedule *s;
  text io, holds, reason;
  bool has;
} trial;

static void set_up(trial *t, const char *spec, const char *source, const char *assign)
{
  diag d = { 0 };
  *t = (trial){ 0 };
  ck_assert_msg(cdag_open(&t->g, spec, &d) == OK, "%s", d.message);
  ck_assert_msg(schedule_parse(&t->s, t->g, 100, "text", source, assign, &d) == OK, "%s\n%s", d.message, source);
}

static void clear(trial *t)
{
  text_clear(&t->io);
  text_clear(&t->holds);
  text_clear(&t->reason);
  schedule_free(t->s);
  cdag_free(t->g);
}

static void ask(trial *t)
{
  t->has = schedule_formula(t->s, false, &t->io, &t->holds, &t->reason);
  ck_assert_msg(t->has || t->reason.n > 0, "no formula, and no reason");
}

/* False: the program cannot be run here. */
static bool is_right(const trial *t, const char *formula, const char *source, const char *where)
{
  total sum = { t->g, 0 };
  diag d = { 0 };
  if (schedule_each_move(t->s, add_move, &sum, &d) != OK)
    return false;
  double v = formula_text_value(formula, t->s);
  ck_assert_msg(fabs(v - (double)sum.words) < 1e-3, "%s is %g, moved %ld (%s):\n%s", formula, v, (long)sum.words, where, source);
  return true;
}

static const char *library_text(const char *family)
{
  const schedule_listing *list;
  for (int n = schedule_library(&list), i = 0; i < n; i++)
    if (!strcmp(list[i].family, family))
      return list[i].text;
  ck_abort_msg("no schedule for %s", family);
  return NULL;
}

/* ---- programs that people write: the formula does not depend on the setting it was made for ---- */

#define BLOCKS "for R in l by s { for w in pow(2, l - hi(R)) { for u in pow(2, lo(R)) { for x in pow(2, len(R)) {"
#define LANE "w*pow(2, hi(R)) + x*pow(2, lo(R)) + u"

static const struct { const char *family, *name, *source, *formula; } known[] = { /* formula NULL: it is not proved that all vertices exist */
  { "fft", "l", NULL, "2^(l + 1) ceil(l/s)" },
  { "tree", "h", NULL, "2^h + 1" },
  { "pyramid", "h", NULL, "h + 2" },
  { "fft", "l", "for r in l { for j in pow(2, l) { load v[r*pow(2, l) + j]\n store v[(r + 1)*pow(2, l) + j] } }", "2^(l + 1) l" },
  { "fft", "l", "for r in l { for J in pow(2, l) by pow(2, r) { load v[r*pow(2, l) + lo(J)] } }", "2^(l + 1) - 2" },
  { "fft", "l", "for r in l { for j in pow(4, r) { load v[0] } }", "1/3 * 2^(2 l) - 1/3" },
  { "fft", "l", "param s\n" BLOCKS " load v[lo(R)*pow(2, l) + " LANE "]\n if last(R) { store v[hi(R)*pow(2, l) + " LANE "] } } } } }", "2^l + 2^l ceil(l/s)" },
  { "tree", "h", "for q in h { for u in pow(2, h - q) { load v[pow(2, h + 1) - pow(2, h + 1 - q) + u] } }", "2^(h + 1) - 2" },
  { "tree", "h", "param s\nfor R in h by s { for u in pow(2, h - lo(R)) { load v[pow(2, h + 1) - pow(2, h + 1 - lo(R)) + u] }\n"
    "for u in pow(2, h - hi(R)) { store v[pow(2, h + 1) - pow(2, h + 1 - hi(R)) + u] } }",
    "2^(h + 1)/(2^s - 1) + 2^h + 1 - 2^(h + 1 - s ceil(h/s))/(2^s - 1) - 2^(h + 1 - s ceil(h/s))" },
  { "tree", "h", "for i in pow(2, h) { load v[i]\n for q in h { if (i + 1) % pow(2, q + 1) == 0 { drop v[pow(2, h + 1) - pow(2, h - q) + (i + 1)/pow(2, q + 1) - 1] } } }", "2^h" },
  { "tree", "h", "for i in pow(2, h + 1) - 1 { load v[i] }\nfor i in pow(2, h) - 1 { store v[pow(2, h) + i] }", "3 * 2^h - 2" },
  { "pyramid", "h", "for q in h + 1 { for x in h + 1 - q { load v[q*(h + 1) - q*(q - 1)/2 + x] } }", "1/2 h^2 + 3/2 h + 1" },
  { "pyramid", "h", "param b\nfor I in h + 1 by b { load v[I]\n for q in 1..lo(I) + 1 { load v[q*(h + 1) - q*(q - 1)/2 + lo(I) - q] } }", NULL },
  { "pyramid", "h", "load v[*]\nfor x in h { store v[h + x + 1] }", "1/2 h^2 + 5/2 h + 1" },
  { "hypercube", "l", "load v[0..pow(2, l)]\nstore v[pow(2, l) - 1]", "2^l + 1" },
};

START_TEST(by_hand)
{
  support_random r = { (uint64_t)_i };
  int k = _i % COUNT(known);
  const char *source = known[k].source ? known[k].source : library_text(known[k].family);
  const char *block = strstr(source, "param s") ? "s" : strstr(source, "param b") ? "b" : NULL;
  char spec[32], assign[16] = "", where[64];
  trial made, other;
  int size = 4 + (int)support_between(&r, 0, 3);
  snprintf(spec, sizeof spec, "%s:%s=%d", known[k].family, known[k].name, size);
  if (block)
    snprintf(assign, sizeof assign, "%s=%d", block, (int)support_between(&r, 1, size + 1));
  set_up(&made, spec, source, assign);
  ask(&made);
  snprintf(where, sizeof where, "%s %s", spec, assign);
  ck_assert_msg(made.has, "%s: %s\n%s", where, text_str(&made.reason), source);
  ck_assert_msg(is_right(&made, text_str(&made.io), source, where), "it does not run");
  ck_assert_msg(!strcmp(text_str(&made.holds), known[k].formula ? "" : "every vertex that is named exists"), "%s: it holds while %s:\n%s", where, text_str(&made.holds), source);
  if (known[k].formula)
    ck_assert_str_eq(text_str(&made.io), known[k].formula);
  for (int n = 1; n < 9; n++) {
    snprintf(spec, sizeof spec, "%s:%s=%d", known[k].family, known[k].name, n);
    if (block)
      snprintf(assign, sizeof assign, "%s=%d", block, (int)support_between(&r, 1, n + 2));
    set_up(&other, spec, source, assign);
    is_right(&other, text_str(&made.io), source, where);
    clear(&other);
  }
  clear(&made);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("formula_graph");
  TCase *c = support_case(s, "known by hand");
  tcase_add_loop_test(c, by_hand, 0, support_rounds(COUNT(known) * 6));
  return support_run(s);
}
