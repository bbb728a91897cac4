#include "tests/support_ways.h"
#include "schedules/count/counter.h"
#include "schedules/extrapolate/forward.h"
#include "tests/support.h"
#include "tests/support_tile.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void play(const schedule *s, pebble_engine engine, bool forward, const pebble_rules *rules, schedule_verdict *v)
{
  diag d = { 0 };
  schedule_play_options o = { .rules = *rules, .engine = engine, .fast_forward = forward, .want_smallest = true };
  ck_assert_msg(schedule_play(s, &o, v, &d) == OK, "%s", d.message);
}

static void same(const schedule *s, const schedule_verdict *a, const schedule_verdict *b, const char *way,
                 const char *what)
{
  const char *difference = tile_difference(s->g, &a->verdict, &b->verdict);
  size_t bytes = (size_t)s->g->arrays * sizeof(num_count);
  ck_assert_msg(!difference, "%s: %s differs (rules %s, %s) in\n%s", way, difference, pebble_rule_name(a->verdict.rule),
                pebble_rule_name(b->verdict.rule), what);
  ck_assert_msg(!memcmp(a->loads_by_array, b->loads_by_array, bytes) &&
                    !memcmp(a->stores_by_array, b->stores_by_array, bytes),
                "%s: tables by array differ in\n%s", way, what);
  ck_assert_msg(a->line == b->line && a->column == b->column && !strcmp(text_str(&a->loops), text_str(&b->loops)),
                "%s: places differ (%s, %s) in\n%s", way, text_str(&a->loops), text_str(&b->loops), what);
  ck_assert_msg(a->has_smallest == b->has_smallest && a->smallest_memory == b->smallest_memory,
                "%s: smallest memory differs in\n%s", way, what);
}

static uint64_t floor_of(const schedule *s, const pebble_rules *rules)
{
  schedule_counts c;
  schedule_counts_init(&c, s->g);
  schedule_counter *k = schedule_counter_new(s, rules, &c);
  uint64_t floor = k ? schedule_counter_floor(k, UINT64_MAX) : 0;
  schedule_counter_free(k);
  schedule_counts_clear(&c);
  return floor;
}

static num_count io_of(const schedule *s, const pebble_rules *rules)
{
  schedule_counts c;
  schedule_counts_init(&c, s->g);
  schedule_counter *k = schedule_counter_new(s, rules, &c);
  num_count io = schedule_counter_io(k, NUM_TOO_MANY);
  schedule_counter_free(k);
  schedule_counts_clear(&c);
  return io;
}

static void same_count(const schedule *s, const pebble_rules *rules, const schedule_verdict *v, const char *what)
{
  schedule_counts c;
  diag d = { 0 };
  size_t bytes = (size_t)s->g->arrays * sizeof(num_count);
  ck_assert_int_eq(schedule_count(s, rules, &c, &d), OK);
  ck_assert_msg(c.countable || !v->verdict.legal, "not counted: %s:\n%s", c.reason, what);
  /* where more is dropped than was loaded each iteration begins with less, and the last ones alone do not */
  ck_assert_msg(!v->verdict.legal || !c.countable || floor_of(s, rules) <= c.peak,
                "the last iterations peak at more than %ld in\n%s", (long)c.peak, what);
  bool same = c.loads == v->verdict.loads && c.stores == v->verdict.stores && c.computes == v->verdict.computes &&
              c.peak == v->verdict.peak && !memcmp(c.loads_by_array, v->loads_by_array, bytes) &&
              !memcmp(c.stores_by_array, v->stores_by_array, bytes);
  ck_assert_msg(!v->verdict.legal || same, "count %ld %ld %ld %ld, play %ld %ld %ld %ld in\n%s", (long)c.loads,
                (long)c.stores, (long)c.computes, (long)c.peak, (long)v->verdict.loads, (long)v->verdict.stores,
                (long)v->verdict.computes, (long)v->verdict.peak, what);
  ck_assert_msg(!c.countable || io_of(s, rules) == c.loads + c.stores, "words alone %ld, counted %ld in\n%s",
                (long)io_of(s, rules), (long)(c.loads + c.stores), what);
  ck_assert_msg(!v->has_smallest || !c.countable || c.peak == v->smallest_memory,
                "smallest memory %ld, counted %ld in\n%s", (long)v->smallest_memory, (long)c.peak, what);
  schedule_counts_clear(&c);
}

uint64_t ways_compare(const schedule *s, const pebble_rules *rules, bool by_element, const char *what, bool *legal)
{
  schedule_verdict plain, forward, element;
  play(s, PEBBLE_BY_TILE, false, rules, &plain);
  play(s, PEBBLE_BY_TILE, true, rules, &forward);
  same(s, &plain, &forward, "fast-forward", what);
  if (by_element) {
    play(s, PEBBLE_BY_ELEMENT, false, rules, &element);
    same(s, &element, &plain, "tiles", what);
    schedule_verdict_clear(&element);
  }
  if (plain.verdict.rule != PEBBLE_VALUE)
    same_count(s, rules, &plain, what);
  uint64_t inferred = forward.inferred;
  if (legal)
    *legal = plain.verdict.legal;
  schedule_verdict_clear(&plain);
  schedule_verdict_clear(&forward);
  return inferred;
}

/* ---- many of them ---- */

void ways_add(const schedule *s, const pebble_rules *rules, bool by_element, const char *what, ways_tally *of)
{
  bool legal;
  uint64_t inferred = ways_compare(s, rules, by_element, what, &legal);
  of->plays++;
  of->legal += legal;
  of->jumping += inferred > 0;
  of->inferred += inferred;
}

static bool open_texts(const text *computation, const text *program, const pebble_rules *rules, cdag **g, schedule **s,
                       diag *d)
{
  *g = NULL;
  *s = NULL;
  return cdag_parse(g, "random.cdag", text_str(computation), "", d) == OK &&
         schedule_parse(s, *g, rules->m, "random.sched", text_str(program), "", d) == OK;
}

static void put_what(text *what, uint64_t seed, const text *computation, const text *program, const pebble_rules *rules)
{
  text_printf(what, "seed %lu, M = %lu, variant %d, one-shot %d\n%s\n%s", (unsigned long)seed, (unsigned long)rules->m,
              rules->variant, rules->one_shot, text_str(computation), text_str(program));
}

bool ways_add_texts(uint64_t seed, const text *computation, const text *program, const pebble_rules *rules,
                    bool by_element, ways_tally *of, diag *d)
{
  cdag *g;
  schedule *s;
  bool ok = open_texts(computation, program, rules, &g, &s, d);
  if (ok) {
    text what = { 0 };
    put_what(&what, seed, computation, program, rules);
    ways_add(s, rules, by_element, text_str(&what), of);
    text_clear(&what);
  }
  schedule_free(s);
  cdag_free(g);
  return ok;
}

void ways_try_texts(uint64_t seed, const text *computation, const text *program, const pebble_rules *rules,
                    bool by_element, const char *variable, ways_tally *of)
{
  diag d = { 0 };
  if (!ways_add_texts(seed, computation, program, rules, by_element, of, &d) && getenv(variable))
    fprintf(stderr, "%d:%d: %s\n%s\n%s\n", d.line, d.column, d.message, text_str(computation), text_str(program));
}

/* ---- of the library ---- */

void ways_play_library(const char *spec, const char *name, uint64_t m, schedule_verdict *v)
{
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  pebble_rules rules = { .m = m };
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  ck_assert_int_eq(schedule_open(&s, g, m, name, &d), OK);
  play(s, PEBBLE_BY_TILE, true, &rules, v);
  ck_assert(v->verdict.legal);
  schedule_free(s);
  cdag_free(g);
}

/* ---- told anything ---- */

typedef struct { pebble_game *game; schedule_forward *forward; } told;

static bool play_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  (void)at, (void)box, (void)slot;
  return pebble_play(((told *)context)->game, move);
}

static uint64_t skip_iterations(void *context, schedule_run *run)
{
  return schedule_forward_iteration(((told *)context)->forward, run);
}

void ways_play_told(const schedule *s, const pebble_rules *rules, ways_hints *tell, void *context, pebble_verdict *v)
{
  told p;
  diag d = { 0 };
  schedule_run run;
  ck_assert_int_eq(pebble_new(&p.game, s->g, PEBBLE_BY_TILE, rules, &d), OK);
  tell(context, s->g, p.game);
  p.forward = schedule_forward_new(s, p.game);
  schedule_run_init(&run, s, play_move, &p);
  run.skip = skip_iterations;
  schedule_flow flow = schedule_run_node(&run, s->body);
  schedule_forward_finish(p.forward);
  if (flow == SCHEDULE_ON)
    pebble_end(p.game);
  *v = *pebble_verdict_of(p.game);
  schedule_forward_free(p.forward);
  schedule_run_clear(&run);
  pebble_free(p.game);
}

/* An index that cannot be computed is the player's to say, not the board's. */
static void compare_told(const schedule *s, const pebble_rules *rules, bool by_element, ways_hints *tell, void *context,
                         const char *what)
{
  schedule_verdict plain;
  pebble_verdict with;
  play(s, by_element ? PEBBLE_BY_ELEMENT : PEBBLE_BY_TILE, false, rules, &plain);
  ways_play_told(s, rules, tell, context, &with);
  const char *difference = tile_difference(s->g, &plain.verdict, &with);
  ck_assert_msg(!difference || plain.verdict.rule == PEBBLE_VALUE, "told so, %s differs in\n%s", difference, what);
  schedule_verdict_clear(&plain);
}

void ways_compare_told(uint64_t seed, const text *computation, const text *program, const pebble_rules *rules,
                       bool by_element, ways_hints *tell, void *context)
{
  cdag *g;
  schedule *s;
  diag d = { 0 };
  if (open_texts(computation, program, rules, &g, &s, &d)) {
    text what = { 0 };
    put_what(&what, seed, computation, program, rules);
    compare_told(s, rules, by_element, tell, context, text_str(&what));
    text_clear(&what);
  }
  schedule_free(s);
  cdag_free(g);
}

void ways_say(const char *variable, const ways_tally *of)
{
  if (getenv(variable))
    fprintf(stderr, "%lu plays, %lu legal, %lu jumping, %lu iterations\n", (unsigned long)of->plays,
            (unsigned long)of->legal, (unsigned long)of->jumping, (unsigned long)of->inferred);
}
