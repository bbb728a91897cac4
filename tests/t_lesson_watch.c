/* What a large lesson shows: every sight against the element engine at the same move, every schedule of the library. */
#include "base/mem.h"
#include "pebble/tile/look.h"
#include "schedules/play/watch.h"
#include "tests/support_library.h"
#include <stdio.h>
#include <string.h>

/* ---- the play, one elementary move count at a time ---- */

typedef struct { uint64_t moves, loads, stores, computes, red; } moment;
typedef struct {
  const cdag *g;
  pebble_game *game;
  moment *at;
  size_t n, room;
  uint64_t peak;
} diary;

static void note(diary *y)
{
  const pebble_verdict *v = pebble_verdict_of(y->game);
  y->at = mem_room(y->at, y->n, &y->room, sizeof *y->at);
  y->at[y->n++] = (moment){ v->moves, v->loads, v->stores, v->computes, pebble_red_count(y->game) };
}

static bool play_plainly(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  (void)at, (void)box, (void)slot;
  diary *y = context;
  bool legal = pebble_play(y->game, move);
  if (legal)
    note(y);
  return legal;
}

static const moment *moment_of(const diary *y, uint64_t moves)
{
  for (size_t i = y->n; i > 0; i--)
    if (y->at[i - 1].moves == moves)
      return &y->at[i - 1];
  return NULL;
}

/* ---- what is seen ---- */

typedef struct { const diary *y; size_t sights, leaps; uint64_t peak, moves; } viewer;

static uint64_t red_by_tiles(const pebble_game *game, const cdag *g)
{
  uint64_t n = 0;
  for (int a = 0; a < g->arrays; a++)
    n += pebble_tiles_volume(pebble_red_tiles(game, a));
  return n;
}

static bool look(void *context, const schedule_sight *s)
{
  viewer *w = context;
  const pebble_verdict *v = pebble_verdict_of(s->game);
  const moment *m = moment_of(w->y, v->moves);
  ck_assert_msg(m != NULL, "move %lu is the end of no statement", (unsigned long)v->moves);
  ck_assert_uint_eq(v->loads, m->loads);
  ck_assert_uint_eq(v->stores, m->stores);
  ck_assert_uint_eq(v->computes, m->computes);
  ck_assert_uint_eq(pebble_red_count(s->game), m->red);
  ck_assert_uint_eq(red_by_tiles(s->game, w->y->g), m->red);
  ck_assert_uint_ge(s->peak, m->red);
  ck_assert_uint_ge(s->peak, w->peak);
  ck_assert(!s->at || !w->sights || v->moves >= w->moves);
  w->moves = v->moves;
  w->peak = s->peak;
  w->sights++;
  w->leaps += s->at && !s->move;
  return true;
}

static void open_diary(diary *y, const schedule *s, const pebble_rules *rules)
{
  diag d = { 0 };
  *y = (diary){ .g = s->g };
  ck_assert_int_eq(pebble_new(&y->game, s->g, PEBBLE_BY_ELEMENT, rules, &d), OK);
  note(y);
  ck_assert(schedule_each_move(s, play_plainly, y, &d) == OK || strcmp(d.kind, "value") == 0);
}

static void close_diary(diary *y)
{
  mem_free(y->at);
  pebble_free(y->game);
}

/* Watch s with so many iterations at both ends; the sights and the verdict must be those of the plain play. */
static void watch(const schedule *s, uint64_t first, uint64_t last, uint64_t m, size_t *leaps)
{
  diag d = { 0 };
  pebble_rules rules = { .m = m };
  diary y;
  schedule_verdict v, w;
  open_diary(&y, s, &rules);
  viewer seen = { .y = &y };
  schedule_watching o = { .rules = rules, .first = first, .last = last, .visit = look, .context = &seen };
  ck_assert_int_eq(schedule_watch(s, &o, &w, &d), OK);
  schedule_play_options plain = { .rules = rules, .engine = PEBBLE_BY_ELEMENT };
  ck_assert_int_eq(schedule_play(s, &plain, &v, &d), OK);
  ck_assert_int_eq(w.verdict.legal, v.verdict.legal);
  ck_assert_int_eq(w.verdict.rule, v.verdict.rule);
  ck_assert_uint_eq(w.verdict.loads, v.verdict.loads);
  ck_assert_uint_eq(w.verdict.stores, v.verdict.stores);
  ck_assert_uint_eq(w.verdict.peak, v.verdict.peak);
  ck_assert_int_eq(w.line, v.line);
  ck_assert_str_eq(text_str(&w.loops), text_str(&v.loops));
  if (v.verdict.legal && v.verdict.moves > 0 && seen.moves == v.verdict.moves)
    ck_assert_uint_eq(seen.peak, v.verdict.peak);
  *leaps += seen.leaps;
  schedule_verdict_clear(&v);
  schedule_verdict_clear(&w);
  close_diary(&y);
}

/* Open with every `auto` chosen; false when nothing fits into m. */
static bool open_tuned(schedule **s, const cdag *g, const char *name, uint64_t m)
{
  diag d = { 0 };
  pebble_rules rules = { .m = m };
  schedule_tuning t = { 0 };
  if (schedule_open(s, g, m, name, &d) != OK)
    return false;
  bool ok = schedule_unset(*s) < 0 || schedule_tune(*s, &rules, &t, &d) == OK;
  schedule_tuning_clear(&t);
  if (ok && schedule_unset(*s) < 0)
    return true;
  schedule_free(*s);
  *s = NULL;
  return false;
}

START_TEST(library_watched)
{
  support_random r = { (uint64_t)_i + 1 };
  const schedule_listing *l = library_at(_i);
  cdag *g = library_cdag(l->family, &r);
  schedule *s = NULL;
  size_t leaps = 0;
  char name[256];
  if (!g)
    return;
  uint64_t m = (uint64_t)support_between(&r, 12, 60);
  snprintf(name, sizeof name, "%s.%s", l->family, l->name);
  if (open_tuned(&s, g, name, m))
    for (int k = 1; k < 4; k++)
      watch(s, (uint64_t)k, (uint64_t)support_between(&r, 1, 3), m, &leaps);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* Long loops: iterations are left out, and fast-forward infers them. */
static const struct { const char *spec, *schedule; uint64_t m;
} longer[] = {
  { "attention:n=40,d=3", "attenio", 40 },
  { "attention:n=80,d=1", "flash2", 14 },
  { "attention:n=24,d=3", "standard", 40 },
  { "matmul:m=20,n=24,k=9", "resident", 40 },
  { "attention-backward:n=24,d=2", "two-pass", 60 },
  { "attention-causal:n=30,d=2", "attenio", 40 },
  { "stencil:w=24,t=30", "skewed", 30 },
  { "attention-lowrank:n=30,d=2,r=9", "blocked", 50 },
};

START_TEST(long_loops)
{
  diag d = { 0 };
  cdag *g = NULL;
  schedule *s = NULL;
  size_t leaps = 0;
  ck_assert_int_eq(cdag_open(&g, longer[_i].spec, &d), OK);
  ck_assert_msg(open_tuned(&s, g, longer[_i].schedule, longer[_i].m), "%s", longer[_i].schedule);
  watch(s, 1, 1, longer[_i].m, &leaps);
  watch(s, 3, 2, longer[_i].m, &leaps);
  watch(s, 7, 1, longer[_i].m, &leaps);
  ck_assert_uint_gt(leaps, 0);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* An illegal play stops where the referee stops it, seen or not. */
START_TEST(illegal_play)
{
  static const char text_[] =
      "for I in n by 2 {\n load Q[I,*]\n for j in nk { load K[j,*] drop K[j,*] }\n if lo(I) < 20 { drop Q[I,*] }\n}\n";
  diag d = { 0 };
  cdag *g = NULL;
  schedule *s = NULL;
  size_t leaps = 0;
  ck_assert_int_eq(cdag_open(&g, "attention:n=40,d=3", &d), OK);
  ck_assert_int_eq(schedule_parse(&s, g, 12, "text", text_, "", &d), OK);
  watch(s, 2, 1, 12, &leaps);
  ck_assert_uint_gt(leaps, 0);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

static bool stop_at_ten(void *context, const schedule_sight *s)
{
  (void)s;
  return ++*(int *)context < 10;
}

START_TEST(stopped)
{
  diag d = { 0 };
  cdag *g = NULL;
  schedule *s = NULL;
  schedule_verdict v;
  int seen = 0;
  schedule_watching o = { .rules = { .m = 40 }, .first = 3, .last = 1, .visit = stop_at_ten, .context = &seen };
  ck_assert_int_eq(cdag_open(&g, "attention:n=40,d=3", &d), OK);
  ck_assert(open_tuned(&s, g, "attenio", 40));
  ck_assert_int_eq(schedule_watch(s, &o, &v, &d), GAVE_UP);
  ck_assert_int_eq(seen, 10);
  schedule_verdict_clear(&v);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("lesson_watch");
  TCase *t = support_case(s, "watch");
  tcase_add_loop_test(t, library_watched, 0, support_rounds(120));
  tcase_add_loop_test(t, long_loops, 0, COUNT(longer));
  tcase_add_test(t, illegal_play);
  tcase_add_test(t, stopped);
  return support_run(s);
}
