#include "tests/support_trial.h"
#include "base/mem.h"
#include "schedules/play/run.h"
#include "tests/support_damage.h"
#include "tests/support_program.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const trial_words[] = { "load ",
                                    "store ",
                                    "compute ",
                                    "drop ",
                                    "erase ",
                                    "dropping ",
                                    "for ",
                                    " in ",
                                    " by ",
                                    "reversed ",
                                    "snake ",
                                    "if ",
                                    "else ",
                                    "param ",
                                    "auto",
                                    "schedule ",
                                    "M",
                                    "{",
                                    "}",
                                    "[",
                                    "]",
                                    ",",
                                    "..",
                                    "*",
                                    "+",
                                    "-",
                                    "/",
                                    "%",
                                    "(",
                                    ")",
                                    "==",
                                    "<",
                                    "0",
                                    "1",
                                    "2",
                                    "99999999999999999999",
                                    "9223372036854775807",
                                    "lo(",
                                    "hi(",
                                    "len(",
                                    "first(",
                                    "last(",
                                    "min(",
                                    "x0",
                                    "x1",
                                    "\n",
                                    "#",
                                    " ",
                                    "=",
                                    "\xef\xbb\xbf",
                                    "\xff",
                                    NULL };

void trial_text(text *out, const cdag *g, uint64_t seed)
{
  support_random r = { seed };
  support_random_program(out, g, seed);
  support_damage(&r, out, trial_words, (int)support_between(&r, 0, 6));
}

/* ---- playing with an end ---- */

enum { ITERATIONS = 20000, MOVES = 5000 };

typedef struct { schedule_run run; pebble_game *game; uint64_t iterations, moves; bool gave_up; } bounded;

static uint64_t count_iteration(void *context, schedule_run *run)
{
  bounded *b = context;
  if (b->iterations++ < ITERATIONS)
    return 0;
  b->gave_up = true;
  return run->iterations[run->depth - 1] - run->iteration[run->depth - 1];
}

static bool play_box(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  bounded *b = context;
  (void)at, (void)box, (void)slot;
  b->gave_up |= b->moves++ > MOVES;
  return !b->gave_up && pebble_play(b->game, move);
}

/* The verdict of one engine; false when the program is too long or a value stops it. */
static bool play(const schedule *s, pebble_engine engine, const pebble_rules *rules, pebble_verdict *v)
{
  bounded b = { 0 };
  diag d;
  if (pebble_new(&b.game, s->g, engine, rules, &d) != OK)
    return false;
  schedule_run_init(&b.run, s, play_box, &b);
  b.run.skip = count_iteration;
  b.run.context = &b;
  schedule_flow flow = schedule_run_node(&b.run, s->body);
  if (flow == SCHEDULE_ON && !b.gave_up)
    pebble_end(b.game);
  *v = *pebble_verdict_of(b.game);
  schedule_run_clear(&b.run);
  pebble_free(b.game);
  return flow != SCHEDULE_BAD && !b.gave_up;
}

static bool same(const cdag *g, const pebble_verdict *a, const pebble_verdict *b)
{
  return a->legal == b->legal && a->rule == b->rule && a->loads == b->loads && a->stores == b->stores &&
         a->computes == b->computes && a->peak == b->peak &&
         (a->legal ||
          (a->element.array == b->element.array &&
           memcmp(a->element.x, b->element.x, sizeof *a->element.x * (size_t)g->array[a->element.array].rank) == 0));
}

static const char *by_both(const schedule *s, const pebble_rules *rules, text *why)
{
  pebble_verdict v, w;
  if (!play(s, PEBBLE_BY_ELEMENT, rules, &v) || !play(s, PEBBLE_BY_TILE, rules, &w) || same(s->g, &v, &w))
    return NULL;
  text_printf(why, "element: %s, peak %" PRIu64 "; tile: %s, peak %" PRIu64, pebble_rule_name(v.rule), v.peak,
              pebble_rule_name(w.rule), w.peak);
  return text_str(why);
}

static const char *print_again(const schedule *s, text *why)
{
  text t = { 0 }, u = { 0 };
  schedule *again = NULL;
  diag d = { 0 };
  bool same_text = false;
  schedule_print(&t, s);
  status st = schedule_parse(&again, s->g, s->m, "again", text_str(&t), "", &d);
  if (st == OK) {
    schedule_print(&u, again);
    same_text = strcmp(text_str(&t), text_str(&u)) == 0;
  }
  if (!same_text)
    text_printf(why, "printed, it is another text: %s\n%s", d.message, text_str(&t));
  schedule_free(again);
  text_clear(&t);
  text_clear(&u);
  return same_text ? NULL : text_str(why);
}

/* ---- the same text as a list ---- */

/* Only for programs that are known to end. */
static const char *as_list(const schedule *s, const char *source, const pebble_rules *rules, text *why)
{
  schedule_play_options o = { .rules = *rules, .engine = PEBBLE_BY_ELEMENT, .want_smallest = true };
  schedule_verdict v = { 0 }, w = { 0 };
  diag d = { 0 };
  FILE *in = fmemopen((void *)(uintptr_t)source, strlen(source), "r");
  schedule_reader *r = in ? schedule_reader_of(in, s->file) : NULL;
  bool good = true;
  if (r && schedule_reader_is_list(r)) {
    good = schedule_play(s, &o, &v, &d) == OK && schedule_play_list(r, s->g, &o, &w, &d) == OK;
    good = good && same(s->g, &v.verdict, &w.verdict) && v.line == w.line && v.column == w.column &&
           v.has_smallest == w.has_smallest && (!v.has_smallest || v.smallest_memory == w.smallest_memory) &&
           strcmp(text_str(&v.loops), text_str(&w.loops)) == 0;
  }
  if (!good)
    text_printf(why, "as a list: %d:%d %s, as a program: %d:%d %s; %s", w.line, w.column,
                pebble_rule_name(w.verdict.rule), v.line, v.column, pebble_rule_name(v.verdict.rule), d.message);
  schedule_verdict_clear(&v);
  schedule_verdict_clear(&w);
  schedule_reader_free(r);
  if (in)
    fclose(in);
  return good ? NULL : text_str(why);
}

/* With iterations of loops inferred: the same verdict at the same place.  Only for programs that are known to end. */
static const char *inferred(const schedule *s, const pebble_rules *rules, text *why)
{
  schedule_play_options o = { .rules = *rules, .engine = PEBBLE_BY_ELEMENT, .want_smallest = true };
  schedule_verdict v = { 0 }, w = { 0 };
  diag d = { 0 };
  bool good = schedule_play(s, &o, &v, &d) == OK;
  o.engine = PEBBLE_BY_TILE;
  o.fast_forward = true;
  good = good && schedule_play(s, &o, &w, &d) == OK && same(s->g, &v.verdict, &w.verdict) && v.line == w.line &&
         v.column == w.column && v.has_smallest == w.has_smallest &&
         (!v.has_smallest || v.smallest_memory == w.smallest_memory) &&
         strcmp(text_str(&v.loops), text_str(&w.loops)) == 0;
  if (!good)
    text_printf(why,
                "element: %d:%d %s, peak %" PRIu64 ", smallest %d %" PRIu64
                "; with fast-forward (%s iterations): %d:%d %s, peak %" PRIu64 ", smallest %d %" PRIu64,
                v.line, v.column, pebble_rule_name(v.verdict.rule), v.verdict.peak, v.has_smallest, v.smallest_memory,
                num_digits(w.inferred).s, w.line, w.column, pebble_rule_name(w.verdict.rule), w.verdict.peak,
                w.has_smallest, w.smallest_memory);
  schedule_verdict_clear(&v);
  schedule_verdict_clear(&w);
  return good ? NULL : text_str(why);
}

/* Counted without playing: what a legal play came to. */
static const char *counted(const schedule *s, const pebble_rules *rules, const pebble_verdict *v, text *why)
{
  schedule_counts c = { 0 };
  diag d = { 0 };
  bool good = schedule_count(s, rules, &c, &d) == OK &&
              (!c.countable ||
               (c.loads == v->loads && c.stores == v->stores && c.computes == v->computes && c.peak == v->peak));
  if (!good)
    text_printf(why, "played: %s loads, %s stores, %s computes, peak %" PRIu64 "; counted: %s, %s, %s, %" PRIu64,
                num_digits(v->loads).s, num_digits(v->stores).s, num_digits(v->computes).s, v->peak,
                num_digits(c.loads).s, num_digits(c.stores).s, num_digits(c.computes).s, c.peak);
  schedule_counts_clear(&c);
  return good ? NULL : text_str(why);
}

static const char *try_known(const schedule *s, const char *source, const pebble_rules *rules, text *why)
{
  pebble_rules ample = *rules;
  pebble_verdict v, w;
  bool boxes = rules->variant != PEBBLE_PARTIAL;
  ample.m = UINT64_MAX; /* memory is no reason to stop */
  const char *wrong = boxes ? by_both(s, rules, why) : NULL;
  if (wrong || !play(s, PEBBLE_BY_ELEMENT, rules, &v) || !play(s, PEBBLE_BY_ELEMENT, &ample, &w))
    return wrong;
  wrong = as_list(s, source, rules, why);
  if (!wrong && boxes)
    wrong = inferred(s, rules, why);
  if (!wrong && w.legal)
    wrong = counted(s, &ample, &w, why);
  return wrong;
}

const char *trial_by(const cdag *g, const char *source, const pebble_rules *rules, text *why)
{
  schedule *s = NULL;
  diag d = { 0 };
  status st = schedule_parse(&s, g, rules->m, "trial", source, "", &d);
  if (st != OK)
    return st == BAD_INPUT && !s && d.kind && d.message[0] && d.line > 0 && d.column > 0 ? NULL
                                                                                         : "refused without a place";
  const char *wrong = print_again(s, why);
  if (!wrong && schedule_unset(s) < 0)
    wrong = try_known(s, source, rules, why);
  schedule_free(s);
  return wrong;
}

const char *trial(const cdag *g, const char *source, uint64_t m, text *why)
{
  pebble_rules rules = { .m = m };
  return trial_by(g, source, &rules, why);
}
