/* A schedule told as elementary moves is the same play: every variant of the game, legal and not. */
#include "base/mem.h"
#include "pebble/element/element.h"
#include "schedules/play/elementary.h"
#include "tests/support_boxes.h"
#include "tests/support_random_cdag.h"
#include "tests/support_tile.h"
#include <stdio.h>
#include <string.h>

static const pebble_rules games[] = {
  { PEBBLE_PARTIAL, false, 0 }, { PEBBLE_PLACING, false, 0 }, { PEBBLE_PARTIAL, true, 0 }, { PEBBLE_SLIDING, false, 0 },
  { PEBBLE_PARTIAL, false, 0 }, { PEBBLE_PLACING, true, 0 }, { PEBBLE_PARTIAL, false, 0 }, { PEBBLE_SLIDING, true, 0 }
};

typedef struct { const cdag *g; text out; } list;

static bool put_step(void *context, const schedule_step *step)
{
  list *l = context;
  schedule_step_text(&l->out, l->g, step);
  text_char(&l->out, '\n');
  return true;
}

static void play_list(const cdag *g, const text *moves, const schedule_play_options *o, schedule_verdict *v)
{
  diag d = { 0 };
  const char *s = moves->n ? text_str(moves) : "\n";
  FILE *in = fmemopen((void *)(uintptr_t)s, strlen(s), "r");
  ck_assert_msg(schedule_play_stream(in, "list", g, o, v, &d) == OK, "%d:%d: %s", d.line, d.column, d.message);
  fclose(in);
}

/* Lines that end in a blank are not read at once: the same verdict at the same place. */
static void same_with_blanks(const cdag *g, const text *moves, const schedule_play_options *o,
                             const schedule_verdict *v)
{
  schedule_verdict w;
  text slow = { 0 };
  for (size_t i = 0; i < moves->n; i++) {
    if (text_str(moves)[i] == '\n')
      text_char(&slow, ' ');
    text_char(&slow, text_str(moves)[i]);
  }
  play_list(g, &slow, o, &w);
  const char *difference = tile_difference(g, &v->verdict, &w.verdict);
  ck_assert_msg(!difference, "%s differs with blanks:\n%s", difference, text_str(moves));
  ck_assert_int_eq(v->line, w.line);
  ck_assert_int_eq(v->column, w.column);
  schedule_verdict_clear(&w);
  text_clear(&slow);
}

/* ---- one by one: the way of single elements against the plain one ---- */

typedef struct { pebble_game *quick, *plain; } pair;

static bool play_both(void *context, const schedule_step *step)
{
  pair *p = context;
  pebble_drop drop = { .array = step->slide.array };
  pebble_move move = { .kind = step->kind, .array = step->element.array, .drops = step->slides, .drop = &drop };
  for (int r = 0; r < CDAG_RANK; r++) {
    move.box.hi[r] = (move.box.lo[r] = step->element.x[r]) + 1;
    drop.box.hi[r] = (drop.box.lo[r] = step->slide.x[r]) + 1;
  }
  bool legal = pebble_play(p->quick, &move);
  return pebble_play(p->plain, &move) && legal;
}

/* Returns the most that was red. */
static uint64_t same_one_by_one(const schedule *s, const pebble_rules *rules)
{
  pair p;
  diag d = { 0 };
  ck_assert_int_eq(pebble_new(&p.quick, s->g, PEBBLE_BY_ELEMENT, rules, &d), OK);
  ck_assert_int_eq(pebble_new(&p.plain, s->g, PEBBLE_BY_ELEMENT, rules, &d), OK);
  element_set_plain(p.plain, true);
  ck_assert_int_eq(schedule_each_step(s, rules, play_both, &p, &d), OK);
  uint64_t peak = pebble_verdict_of(p.plain)->peak;
  const char *difference = tile_difference(s->g, pebble_verdict_of(p.quick), pebble_verdict_of(p.plain));
  ck_assert_msg(!difference, "%s differs from the plain path with M = %d", difference, (int)rules->m);
  pebble_free(p.quick);
  pebble_free(p.plain);
  return peak;
}

/* And in no more memory than it takes, and in less. */
static void same_in_less(const schedule *s, const pebble_rules *rules)
{
  pebble_rules less = *rules;
  less.m = same_one_by_one(s, rules);
  same_one_by_one(s, &less);
  less.m--;
  if (less.m > 0)
    same_one_by_one(s, &less);
}

/* Drops are moves of their own in the list, so that their number is no matter. */
static pebble_rule same_play(const cdag *g, const text *source, const pebble_rules *rules, uint64_t *computes)
{
  schedule_play_options o = { .rules = *rules, .engine = PEBBLE_BY_ELEMENT };
  schedule_verdict v, w;
  schedule *s;
  diag d = { 0 };
  list l = { .g = g };
  ck_assert_msg(schedule_parse(&s, g, rules->m, "text", text_str(source), "", &d) == OK, "%d:%d: %s", d.line, d.column,
                d.message);
  ck_assert_int_eq(schedule_play(s, &o, &v, &d), OK);
  ck_assert_int_eq(schedule_each_step(s, rules, put_step, &l, &d), OK);
  play_list(g, &l.out, &o, &w);
  same_with_blanks(g, &l.out, &o, &w);
  same_in_less(s, rules);
  *computes += v.verdict.computes;
  pebble_rule rule = v.verdict.rule;
  w.verdict.moves = v.verdict.moves;
  const char *difference = tile_difference(g, &v.verdict, &w.verdict);
  ck_assert_msg(!difference, "%s differs (rules %s, %s)\n%s\ntold as\n%s", difference, pebble_rule_name(v.verdict.rule),
                pebble_rule_name(w.verdict.rule), text_str(source), text_str(&l.out));
  text_clear(&l.out);
  schedule_verdict_clear(&v);
  schedule_verdict_clear(&w);
  schedule_free(s);
  return rule;
}

static uint64_t one(const cdag *g, support_random *r, int game)
{
  pebble_rules rules = games[game % COUNT(games)];
  boxes_list l = { 0 };
  text t = { 0 };
  uint64_t computes = 0;
  rules.m = (uint64_t)support_between(r, 4, 60);
  boxes_random(&l, g, &rules, 40, support_next(r));
  boxes_text(&t, &l, g);
  pebble_rule rule = same_play(g, &t, &rules, &computes);
  ck_assert_msg(l.illegal == (rule != PEBBLE_LEGAL && rule != PEBBLE_OUTPUT),
                "the simulation says otherwise than '%s'\n%s", pebble_rule_name(rule), text_str(&t));
  text_clear(&t);
  boxes_clear(&l);
  return computes;
}

START_TEST(of_examples)
{
  support_random r = { (uint64_t)_i };
  cdag *g = tile_open_example(_i % tile_example_count);
  one(g, &r, _i / tile_example_count);
  cdag_free(g);
}
END_TEST

START_TEST(of_random_computations)
{
  support_random r = { (uint64_t)_i };
  cdag *g = support_random_cdag(&r, NULL, NULL);
  one(g, &r, _i);
  cdag_free(g);
}
END_TEST

/* A sum taken in as its terms come by: what is dropped with it is what is red, each time another. */
START_TEST(a_sum_in_parts)
{
  cdag *g;
  diag d = { 0 };
  pebble_rules rules = { PEBBLE_PARTIAL, true, 2 };
  text t = { 0 };
  uint64_t computes = 0;
  ck_assert_int_eq(cdag_parse(&g, "sum", "param n\ninput X[n], Y[n]\noutput Z[i:n] = X[i], Y[i]\n", "n=3", &d), OK);
  text_add(
      &t,
      "for i in 3 { load X[i] compute Z[i] dropping X, Y load Y[i] compute Z[i] dropping X, Y store Z[i] drop Z[i] }");
  same_play(g, &t, &rules, &computes);
  ck_assert_uint_eq(computes, 6);
  text_clear(&t);
  cdag_free(g);
}
END_TEST

/* The comparisons would be worth nothing if the random moves of the partial game computed nothing. */
START_TEST(partial_moves_compute)
{
  uint64_t computes = 0;
  for (int i = 0; i < 50; i++) {
    support_random r = { (uint64_t)i };
    cdag *g = tile_open_example(i % tile_example_count);
    computes += one(g, &r, 0);
    cdag_free(g);
  }
  ck_assert_uint_gt(computes, 200);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("moves");
  TCase *c = support_case(s, "told");
  tcase_add_loop_test(c, of_examples, 0, support_rounds(700));
  tcase_add_loop_test(c, of_random_computations, 0, support_rounds(300));
  tcase_add_test(c, a_sum_in_parts);
  tcase_add_test(c, partial_moves_compute);
  return support_run(s);
}
