/* One play, told by everybody: the tile engine with and without fast-forward, the element engine, the reference player,
   the list of its moves, and the counters, in five games and three memories each. */
#include "base/mem.h"
#include "schedules/play/elementary.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include "tests/support_library.h"
#include "tests/support_player.h"
#include "tests/support_program.h"
#include "tests/support_random_cdag.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 3000, MOVES = 60000 };

static const struct { pebble_variant variant; bool one_shot;
} games[] = {
  { PEBBLE_PLACING, false }, { PEBBLE_PLACING, true }, { PEBBLE_SLIDING, false },
  { PEBBLE_SLIDING, true },  { PEBBLE_PARTIAL, true },
};

static unsigned long plays, legal_plays, tellers;

/* What everybody says; NONE: not told. */
#define NONE UINT64_MAX
typedef struct {
  bool legal;
  const char *rule;
  uint64_t at, missing, needed, peak;
  num_count loads, stores, computes;
} account;

static account account_of(const cdag *g, const pebble_verdict *v)
{
  bool placed = !v->legal && v->rule != PEBBLE_VALUE;
  return (account){ .legal = v->legal,
                    .rule = v->legal ? "" : pebble_rule_name(v->rule),
                    .at = placed ? cdag_id(g, v->element.array, v->element.x) : NONE,
                    .missing = v->has_missing ? cdag_id(g, v->missing.array, v->missing.x) : NONE,
                    .needed = v->rule == PEBBLE_MEMORY ? v->needed : 0,
                    .peak = v->peak,
                    .loads = v->loads,
                    .stores = v->stores,
                    .computes = v->computes };
}

static account account_of_player(const player_verdict *v)
{
  return (account){ .legal = v->legal,
                    .rule = v->legal ? "" : v->rule,
                    .at = v->legal ? NONE : v->vertex,
                    .missing = v->legal || v->missing == UINT32_MAX ? NONE : v->missing,
                    .needed = !v->legal && strcmp(v->rule, "memory") == 0 ? v->needed : 0,
                    .peak = v->peak,
                    .loads = v->loads,
                    .stores = v->stores,
                    .computes = v->computes };
}

typedef struct {
  const char *what;
  cdag *g;
  schedule *s;
  cdag_graph graph;
  pebble_rules rules;
  account first;
} trial;

static void tell(const trial *t, const char *who, const account *b)
{
  const account *a = &t->first;
  bool ordered = strcmp(a->rule, "output") != 0; /* which output comes first, arrays and graph see differently */
  bool same = a->legal == b->legal && strcmp(a->rule, b->rule) == 0 && a->loads == b->loads && a->stores == b->stores &&
              a->computes == b->computes && a->peak == b->peak && a->needed == b->needed &&
              (!ordered || (a->at == b->at && (a->missing == NONE) == (b->missing == NONE)));
  tellers++;
  ck_assert_msg(same,
                "%s: '%s' at %ld, %s loads, %s stores, %s computes, peak %lu, not '%s' at %ld, %s, %s, %s, peak %lu "
                "(variant %d, one-shot %d, M = %lu):\n%s",
                who, b->rule, (long)b->at, num_digits(b->loads).s, num_digits(b->stores).s, num_digits(b->computes).s,
                (unsigned long)b->peak, a->rule, (long)a->at, num_digits(a->loads).s, num_digits(a->stores).s,
                num_digits(a->computes).s, (unsigned long)a->peak, t->rules.variant, t->rules.one_shot,
                (unsigned long)t->rules.m, t->what);
}

static account play(const trial *t, pebble_engine engine, bool fast_forward)
{
  schedule_play_options o = { .rules = t->rules, .engine = engine, .fast_forward = fast_forward };
  schedule_verdict v;
  diag d = { 0 };
  ck_assert_msg(schedule_play(t->s, &o, &v, &d) == OK, "%s", d.message);
  account a = account_of(t->g, &v.verdict);
  schedule_verdict_clear(&v);
  return a;
}

static void tell_player(const trial *t)
{
  player_list l = { 0 };
  player_list_of(&l, t->s, &t->graph);
  player_verdict v = player_play(&t->graph, (int)t->rules.variant, t->rules.one_shot, t->rules.m, &l, NULL, NULL);
  account a = account_of_player(&v);
  player_list_clear(&l);
  tell(t, "the reference player", &a);
}

/* ---- the list of its moves ---- */

typedef struct { const cdag *g; text list; size_t moves; } writer;

static bool write_step(void *context, const schedule_step *step)
{
  writer *w = context;
  text_printf(&w->list, "%s ", pebble_kind_name(step->kind));
  cdag_element_print(&w->list, w->g, &step->element);
  if (step->slides) {
    text_add(&w->list, " dropping ");
    cdag_element_print(&w->list, w->g, &step->slide);
  }
  text_char(&w->list, '\n');
  return ++w->moves < MOVES;
}

static schedule_reader *read_list(const text *list, FILE **in)
{
  *in = fmemopen((char *)(uintptr_t)text_str(list), list->n, "r");
  return schedule_reader_of(*in, "list");
}

static void tell_list(const trial *t, const text *list, pebble_engine engine)
{
  FILE *in;
  schedule_reader *r = read_list(list, &in);
  schedule_play_options o = { .rules = t->rules, .engine = engine, .fast_forward = true };
  schedule_verdict v;
  diag d = { 0 };
  ck_assert_msg(schedule_play_list(r, t->g, &o, &v, &d) == OK, "%s\n%s", d.message, t->what);
  account a = account_of(t->g, &v.verdict);
  schedule_verdict_clear(&v);
  schedule_reader_free(r);
  fclose(in);
  tell(t, engine == PEBBLE_BY_TILE ? "the list, by tiles" : "the list, by elements", &a);
}

static void counted(const trial *t, const schedule_counts *c, const char *who)
{
  account a = t->first;
  a.loads = c->loads;
  a.stores = c->stores;
  a.computes = c->computes;
  a.peak = c->peak;
  tell(t, who, &a);
}

static void tell_counted_list(const trial *t, const text *list)
{
  FILE *in;
  schedule_reader *r = read_list(list, &in);
  schedule_counts c;
  schedule_verdict v;
  diag d = { 0 };
  ck_assert_msg(schedule_count_list(r, t->g, &t->rules, &c, &v, &d) == OK, "%s\n%s", d.message, t->what);
  if (c.countable)
    counted(t, &c, "the list, counted");
  schedule_counts_clear(&c);
  schedule_verdict_clear(&v);
  schedule_reader_free(r);
  fclose(in);
}

static void tell_lists(const trial *t)
{
  writer w = { .g = t->g };
  diag d = { 0 };
  if (schedule_each_step(t->s, &t->rules, write_step, &w, &d) == OK && w.moves > 0 && w.moves < MOVES) {
    tell_list(t, &w.list, PEBBLE_BY_ELEMENT);
    if (t->rules.variant != PEBBLE_PARTIAL && !t->g->graph)
      tell_list(t, &w.list, PEBBLE_BY_TILE);
    if (t->first.legal)
      tell_counted_list(t, &w.list);
  }
  text_clear(&w.list);
}

static void tell_count(const trial *t)
{
  schedule_counts c;
  diag d = { 0 };
  ck_assert(schedule_count(t->s, &t->rules, &c, &d) == OK);
  if (c.countable)
    counted(t, &c, "counted");
  schedule_counts_clear(&c);
}

static void tell_all(trial *t)
{
  t->first = play(t, PEBBLE_BY_ELEMENT, false);
  plays++;
  legal_plays += t->first.legal;
  if (t->rules.variant != PEBBLE_PARTIAL && !t->g->graph) {
    account plain = play(t, PEBBLE_BY_TILE, false), forward = play(t, PEBBLE_BY_TILE, true);
    tell(t, "tiles", &plain);
    tell(t, "fast-forward", &forward);
  }
  if (strcmp(t->first.rule, "value") == 0)
    return;
  tell_player(t);
  tell_lists(t);
  if (t->first.legal)
    tell_count(t);
}

/* ---- what is played ---- */

/* Long programs are left to the tests of fast-forward. */
static bool count_box(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  uint64_t *moves = context;
  (void)move, (void)at, (void)box, (void)slot;
  return ++*moves < MOVES / 4;
}

static bool is_short(const schedule *s)
{
  uint64_t moves = 0;
  diag d = { 0 };
  schedule_each_move(s, count_box, &moves, &d);
  return moves < MOVES / 4;
}

static uint64_t ample(const cdag *g) { return g->vertices + 1; }

static void play_games(cdag *g, schedule *(*open)(const cdag *g, uint64_t m, const void *from), const void *from,
                       const char *what, support_random *r)
{
  trial t = { .g = g, .what = what };
  diag d = { 0 };
  if (cdag_materialise(g, VERTICES, &t.graph, &d) != OK)
    return;
  uint64_t least = 0;
  for (int k = 0; k < 3; k++) {
    uint64_t m = k == 0            ? ample(g)
                 : k == 1 && least ? least - (uint64_t)support_between(r, 0, 1)
                                   : (uint64_t)support_between(r, 2, 40);
    t.rules.m = m ? m : 1;
    t.s = open(g, t.rules.m, from);
    for (int i = 0; t.s && i < COUNT(games) && schedule_unset(t.s) < 0 && is_short(t.s); i++) {
      t.rules.variant = games[i].variant;
      t.rules.one_shot = games[i].one_shot;
      tell_all(&t);
      least = k == 0 && t.first.peak ? t.first.peak : least;
    }
    schedule_free(t.s);
  }
  cdag_graph_clear(&t.graph);
}

static schedule *open_text(const cdag *g, uint64_t m, const void *from)
{
  schedule *s = NULL;
  diag d = { 0 };
  return schedule_parse(&s, g, m, "text", from, "", &d) == OK ? s : (schedule_free(s), NULL);
}

START_TEST(random_programs)
{
  support_random r = { (uint64_t)_i };
  random_cdag_options o = { .least = 1, .most = 150, .plain = support_between(&r, 0, 2) > 0 };
  text computation = { 0 }, program = { 0 }, what = { 0 };
  cdag *g = support_random_cdag(&r, &o, &computation);
  support_random_program(&program, g, (uint64_t)_i);
  text_printf(&what, "seed %d\n%s\n%s", _i, text_str(&computation), text_str(&program));
  play_games(g, open_text, text_str(&program), text_str(&what), &r);
  text_clear(&what);
  text_clear(&program);
  text_clear(&computation);
  cdag_free(g);
}
END_TEST

START_TEST(library)
{
  support_random r = { (uint64_t)_i };
  const schedule_listing *l = library_at(_i);
  cdag *g = library_cdag(l->family, &r);
  if (g)
    play_games(g, open_text, l->text, l->path, &r);
  cdag_free(g);
}
END_TEST

START_TEST(enough_was_played)
{
  if (getenv("ENGINES_SAY"))
    printf("%lu plays, %lu of them legal, %lu accounts compared\n", plays, legal_plays, tellers);
  ck_assert_msg(plays > (unsigned long)support_rounds(500) && legal_plays > (unsigned long)support_rounds(100),
                "%lu plays, %lu legal", plays, legal_plays);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("engines");
  TCase *c = support_case(s, "engines");
  tcase_add_loop_test(c, random_programs, 0, support_rounds(40));
  tcase_add_loop_test(c, library, 0, support_rounds(68));
  tcase_add_test(c, enough_was_played);
  return support_run(s);
}
