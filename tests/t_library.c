/* Every schedule of the library, played by both engines and counted, against I/O counts worked out by hand from the
   papers and the theory (docs/theory.md); the rows are spec, schedule, M, I/O. */
#include "base/mem.h"
#include "pebble/game.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include <string.h>

static const struct { const char *spec, *sched; uint64_t m, io; } rows[] = {
#include "tests/library_rows.inc"
};

static void open_row(int i, cdag **g, schedule **s)
{
  diag d = { 0 };
  ck_assert_msg(cdag_open(g, rows[i].spec, &d) == OK, "%s: %s", rows[i].spec, d.message);
  ck_assert_msg(schedule_open(s, *g, rows[i].m, rows[i].sched, &d) == OK, "%s %s: %d:%d %s", rows[i].spec,
                rows[i].sched, d.line, d.column, d.message);
}

static uint64_t played(int i, const schedule *s, pebble_engine engine, bool forward, uint64_t *peak)
{
  diag d = { 0 };
  schedule_verdict v = { 0 };
  schedule_play_options o = { .rules = { .m = rows[i].m }, .engine = engine, .fast_forward = forward };
  ck_assert_msg(schedule_play(s, &o, &v, &d) == OK, "%s %s: %s", rows[i].spec, rows[i].sched, d.message);
  ck_assert_msg(v.verdict.legal, "%s %s M=%lu: %s at line %d, %s %s", rows[i].spec, rows[i].sched,
                (unsigned long)rows[i].m, pebble_rule_name(v.verdict.rule), v.line, text_str(&v.loops), v.why);
  uint64_t io = v.verdict.loads + v.verdict.stores;
  *peak = v.verdict.peak;
  schedule_verdict_clear(&v);
  return io;
}

START_TEST(plays_and_counts_as_written)
{
  cdag *g = NULL;
  schedule *s = NULL;
  open_row(_i, &g, &s);
  uint64_t peak, tile_peak;
  ck_assert_msg(played(_i, s, PEBBLE_BY_ELEMENT, false, &peak) == rows[_i].io, "%s %s M=%lu: played %lu, expected %lu",
                rows[_i].spec, rows[_i].sched, (unsigned long)rows[_i].m,
                (unsigned long)played(_i, s, PEBBLE_BY_ELEMENT, false, &peak), (unsigned long)rows[_i].io);
  if (!g->graph)
    for (int forward = 0; forward < 2; forward++) {
      ck_assert_uint_eq(played(_i, s, PEBBLE_BY_TILE, forward, &tile_peak), rows[_i].io);
      ck_assert_uint_eq(tile_peak, peak);
    }
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* A schedule nobody plays here is a schedule nobody checked. */
START_TEST(every_schedule_has_a_row)
{
  const schedule_listing *list;
  int n = schedule_library(&list);
  ck_assert_int_gt(n, 20);
  for (int k = 0; k < n; k++) {
    bool found = false;
    for (int i = 0; i < COUNT(rows) && !found; i++) {
      size_t f = strlen(list[k].family), s = strlen(list[k].name);
      found = strncmp(rows[i].spec, list[k].family, f) == 0 && rows[i].spec[f] == ':' &&
              strncmp(rows[i].sched, list[k].name, s) == 0 && (rows[i].sched[s] == '\0' || rows[i].sched[s] == ':');
    }
    ck_assert_msg(found, "%s for %s is not played", list[k].name, list[k].family);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("library");
  TCase *c = support_case(s, "library");
  tcase_add_loop_test(c, plays_and_counts_as_written, 0, COUNT(rows));
  tcase_add_test(c, every_schedule_has_a_row);
  return support_run(s);
}
