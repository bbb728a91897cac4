/* verb_lesson.c -- the page to play. */
#include "base/mem.h"
#include "cli/common.h"
#include "cli/optimum.h"
#include "report/lesson.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  cdag *g;
  schedule *s;
  bound_list bounds;
  text page;
  report_lesson lesson;
} lesson_work;

static void work_clear(lesson_work *w)
{
  bound_list_clear(&w->bounds);
  text_clear(&w->page);
  schedule_free(w->s);
  cdag_free(w->g);
}

static status find_bounds(lesson_work *w, diag *d)
{
  bound_question q = { .g = w->g, .m = w->lesson.rules.m, .one_shot = w->lesson.rules.one_shot, .no_search = true,
                       .variant = (int)w->lesson.rules.variant, .seconds = 1, .want_proof = true };
  status st = bound_all(&q, &w->bounds, &w->lesson.best, d);
  w->lesson.bounds = &w->bounds;
  return st;
}

static status read_engine(const cli_args *a, lesson_work *w, diag *d)
{
  const char *engine = a->value[CLI_ENGINE];
  w->lesson.by_tiles = engine && strcmp(engine, "tile") == 0;
  if (engine && !w->lesson.by_tiles && strcmp(engine, "element") != 0)
    return diag_set(d, BAD_USAGE, "usage", "a lesson shows elements or tiles: --engine element or tile, not %s", engine);
  return OK;
}

static status make_lesson(const cli_args *a, lesson_work *w, diag *d)
{
  w->lesson.spec = a->argument[0];
  status st = cli_rules(a, &w->lesson.rules, d);
  if (st == OK)
    st = cdag_open(&w->g, a->argument[0], d);
  if (st == OK && a->n > 1)
    st = cli_schedule(a, w->g, &w->lesson.rules, a->argument[1], &w->s, d);
  if (st == OK)
    st = read_engine(a, w, d);
  if (st == OK)
    st = find_bounds(w, d);
  if (st == OK)
    st = cli_optimum(w->g, &w->lesson.rules, &w->lesson.has_optimum, &w->lesson.optimum, d);
  w->lesson.g = w->g;
  w->lesson.s = w->s;
  if (st == OK && w->s)
    w->lesson.schedule_text = text_str(&w->s->source);
  if (st == OK)
    st = report_lesson_page(&w->lesson, &w->page, d);
  return st == OK ? text_write(&w->page, a->value[CLI_OUTPUT], d) : st;
}

static cli_exit run(const cli_args *a)
{
  diag d = { 0 };
  lesson_work w = { 0 };
  status st = make_lesson(a, &w, &d);
  work_clear(&w);
  return st == OK ? EXIT_YES : cli_fail(a, st, &d);
}

static const cli_option_id options[] = { CLI_M, CLI_MEMORY, CLI_WORD, CLI_RULES, CLI_ONE_SHOT, CLI_PARAM, CLI_ENGINE, CLI_OUTPUT, CLI_OPTIONS };
const cli_verb cli_verb_lesson = {
  .name = "lesson", .arguments = "SPEC [SCHED]", .least = 1, .most = 2,
  .summary = "write a page that plays the game, lets you play it, and shows the proof",
  .description = "One HTML file without network or build step: the board, the schedule as it runs, the game for the reader to play, and the\n"
                 "bound with its argument. Without SCHED the reader plays alone.\n\n"
                 "A computation too large to draw element by element (or --engine tile) is shown with its schedule as grids of tiles, one\n"
                 "statement a step: the first and the last iterations of each loop, the iterations between as one step, all counts exact.",
  .examples = "$ redblue lesson attention:n=4,d=2 attenio -M 20 -o page.html\n$ redblue lesson attention:n=131072,d=128 attenio -M 256K -o large.html",
  .options = options, .run = run,
};
