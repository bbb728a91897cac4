/* Every schedule of the library, played by both engines, against what it moves by hand (tests/cases/library.txt):
   numbers that were worked out before there was a formula, and sums for any size, which hold at random ones, too, as
   does the formula that is printed. */
#include "base/mem.h"
#include "pebble/game.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include "tests/support_cases.h"
#include "tests/support_formula.h"
#include "tests/support_library.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static test_cases cases;

/* A row: FAMILY SCHEDULE of the setting, SIZES [PARAMETERS] -M M = IO. */
typedef struct { char spec[96], sched[64]; uint64_t m, io; } row;

static row row_read(const test_case *c)
{
  row r = { .m = 0 };
  char family[48], name[48], sizes[48], parameters[48] = "";
  unsigned long m, io;
  ck_assert_msg(sscanf(c->setting, "%47s %47s", family, name) == 2 &&
                    (sscanf(c->answer, "%47s -M %lu = %lu", sizes, &m, &io) == 3 ||
                     sscanf(c->answer, "%47s %47s -M %lu = %lu", sizes, parameters, &m, &io) == 4),
                "%s:%d: %s", cases.path, c->line, c->answer);
  r.m = m;
  r.io = io;
  snprintf(r.spec, sizeof r.spec, "%s:%s", family, sizes);
  snprintf(r.sched, sizeof r.sched, "%s%s%s", name, *parameters ? ":" : "", parameters);
  return r;
}

/* False: the play is not legal. */
static bool played(const schedule *s, uint64_t m, pebble_engine engine, bool forward, uint64_t *io, uint64_t *peak)
{
  diag d = { 0 };
  schedule_verdict v = { 0 };
  schedule_play_options o = { .rules = { .m = m }, .engine = engine, .fast_forward = forward };
  ck_assert_msg(schedule_play(s, &o, &v, &d) == OK, "%s", d.message);
  bool legal = v.verdict.legal;
  *io = v.verdict.loads + v.verdict.stores;
  *peak = v.verdict.peak;
  schedule_verdict_clear(&v);
  return legal;
}

static void says(const char *formula, const schedule *s, uint64_t io, const char *what)
{
  double v = *formula ? formula_text_value(formula, s) : (double)io;
  ck_assert_msg(fabs(v - (double)io) < 1e-6, "%s: %s is %g, played %lu", what, formula, v, (unsigned long)io);
}

/* The formula that is printed; of a graph whose vertices are numbers there is none. */
static void printed_says(const schedule *s, uint64_t io, const char *what)
{
  text formula = { 0 }, reason = { 0 };
  if (schedule_formula(s, &formula, NULL, &reason))
    says(formula.s, s, io, what);
  text_clear(&formula);
  text_clear(&reason);
}

START_TEST(plays_and_counts_as_written)
{
  const test_case *c = &cases.item[_i];
  row r = row_read(c);
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  ck_assert_msg(cdag_open(&g, r.spec, &d) == OK, "%s: %s", r.spec, d.message);
  ck_assert_msg(schedule_open(&s, g, r.m, r.sched, &d) == OK, "%s %s: %s", r.spec, r.sched, d.message);
  uint64_t io, peak, tile_peak;
  ck_assert_msg(played(s, r.m, PEBBLE_BY_ELEMENT, false, &io, &peak) && io == r.io, "%s:%d: %s %s moves %lu",
                cases.path, c->line, r.spec, r.sched, (unsigned long)io);
  for (int forward = 0; forward < 2 && !g->graph; forward++) {
    ck_assert(played(s, r.m, PEBBLE_BY_TILE, forward, &io, &tile_peak));
    ck_assert_uint_eq(io, r.io);
    ck_assert_uint_eq(tile_peak, peak);
  }
  says(c->ask, s, r.io, c->setting);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

static const test_case *case_of(const schedule_listing *l)
{
  size_t f = strlen(l->family);
  for (int i = 0; i < cases.n; i++)
    if (!strncmp(cases.item[i].setting, l->family, f) && cases.item[i].setting[f] == ' ' &&
        !strcmp(cases.item[i].setting + f + 1, l->name))
      return &cases.item[i];
  return NULL;
}

/* A schedule nobody plays here is a schedule nobody checked. */
START_TEST(every_schedule_has_a_row)
{
  const schedule_listing *list;
  int n = schedule_library(&list);
  ck_assert_int_gt(n, 20);
  for (int k = 0; k < n; k++)
    ck_assert_msg(case_of(&list[k]) != NULL, "%s for %s is not played", list[k].name, list[k].family);
}
END_TEST

START_TEST(at_any_size)
{
  const schedule_listing *l = library_at(_i);
  const test_case *c = case_of(l);
  support_random r = { (uint64_t)_i };
  cdag *g = library_cdag(l->family, &r);
  schedule *s = NULL;
  diag d = { 0 };
  uint64_t m = (uint64_t)support_between(&r, 3, 200), io, peak;
  if (c && g && schedule_parse(&s, g, m, l->path, l->text, "", &d) == OK && schedule_unset(s) < 0 &&
      played(s, m, PEBBLE_BY_ELEMENT, false, &io, &peak)) {
    text what = { 0 };
    text_printf(&what, "%s at ", c->setting);
    formula_say_setting(&what, s);
    says(c->ask, s, io, what.s);
    printed_says(s, io, what.s);
    text_clear(&what);
  }
  schedule_free(s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  cases = cases_read("library");
  Suite *s = suite_create("library");
  TCase *c = support_case(s, "library");
  tcase_add_loop_test(c, plays_and_counts_as_written, 0, cases.n);
  tcase_add_test(c, every_schedule_has_a_row);
  tcase_add_loop_test(c, at_any_size, 0, support_rounds(140));
  return support_run(s);
}
