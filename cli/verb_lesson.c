/* verb_lesson.c -- the page to play. */
#include "base/mem.h"
#include "cli/common.h"
#include "cli/optimum.h"
#include "report/lesson.h"
#include "report/sweep.h"
#include <stdio.h>
#include <string.h>

enum { LESSON_RUNS = 16 };

/* One value of M: the schedule bound to it, and the bounds. */
typedef struct {
  schedule *s;
  bound_list bounds;
} lesson_run;

typedef struct {
  cdag *g;
  lesson_run first;
  report_sweep sweep;          /* --sweep M=...: further values */
  lesson_run *more;
  report_lesson *run;          /* what the page is told of them */
  text page;
  report_lesson lesson;
} lesson_work;

static void run_clear(lesson_run *r)
{
  bound_list_clear(&r->bounds);
  schedule_free(r->s);
}

static void work_clear(lesson_work *w)
{
  run_clear(&w->first);
  for (size_t i = 0; i < w->lesson.runs; i++)
    run_clear(&w->more[i]);
  mem_free(w->more);
  mem_free(w->run);
  report_sweep_clear(&w->sweep);
  text_clear(&w->page);
  cdag_free(w->g);
}

static status find_bounds(report_lesson *l, bound_list *bounds, diag *d)
{
  bound_question q = { .g = l->g, .m = l->rules.m, .one_shot = l->rules.one_shot, .no_search = true,
                       .variant = (int)l->rules.variant, .seconds = 1, .want_proof = true };
  status st = bound_all(&q, bounds, &l->best, d);
  l->bounds = bounds;
  return st;
}

/* All that depends on M, which is l->rules.m. */
static status fill_run(const cli_args *a, lesson_run *r, report_lesson *l, diag *d)
{
  status st = a->n > 1 ? cli_schedule(a, l->g, &l->rules, a->argument[1], &r->s, d) : OK;
  if (st == OK)
    st = find_bounds(l, &r->bounds, d);
  if (st == OK)
    st = cli_optimum(l->g, &l->rules, &l->has_optimum, &l->optimum, d);
  l->s = r->s;
  l->schedule_text = r->s ? text_str(&r->s->source) : NULL;
  return st;
}

static status read_sweep(const cli_args *a, report_sweep *s, diag *d)
{
  status st = OK;
  for (int i = 0; st == OK && i < a->times[CLI_SWEEP]; i++)
    st = report_sweep_parse(s, a->repeated[CLI_SWEEP][i], d);
  if (st != OK || s->variables == 0)
    return st;
  if (s->variables > 1 || strcmp(s->variable[0].name, "M") != 0)
    return diag_set(d, BAD_USAGE, "usage", "a lesson's slider is one of M: --sweep M=12,16,20");
  if (s->variable[0].n > LESSON_RUNS)
    return diag_set(d, BAD_USAGE, "usage", "at most %d values of M on one page", LESSON_RUNS);
  return OK;
}

static status fill_sweep(const cli_args *a, lesson_work *w, diag *d)
{
  status st = read_sweep(a, &w->sweep, d);
  size_t n = st == OK && w->sweep.variables ? w->sweep.variable[0].n : 0;
  w->more = mem_new(n, sizeof *w->more);
  w->run = mem_new(n, sizeof *w->run);
  for (; st == OK && w->lesson.runs < n; w->lesson.runs++) {
    report_lesson *l = &w->run[w->lesson.runs];
    *l = (report_lesson) { .g = w->g, .spec = w->lesson.spec, .rules = w->lesson.rules };
    l->rules.m = (uint64_t)w->sweep.variable[0].value[w->lesson.runs];
    st = fill_run(a, &w->more[w->lesson.runs], l, d);
  }
  w->lesson.run = w->run;
  return st;
}

static status read_engine(const cli_args *a, lesson_work *w, diag *d)
{
  const char *engine = a->value[CLI_ENGINE];
  w->lesson.by_tiles = engine && strcmp(engine, "tile") == 0;
  if (engine && !w->lesson.by_tiles && strcmp(engine, "element") != 0)
    return diag_set(d, BAD_USAGE, "usage", "a lesson shows elements or tiles: --engine element or tile, not %s",
                    engine);
  return OK;
}

static status make_lesson(const cli_args *a, lesson_work *w, diag *d)
{
  w->lesson.spec = a->argument[0];
  status st = cli_rules(a, &w->lesson.rules, d);
  if (st == OK)
    st = cdag_open(&w->g, a->argument[0], d);
  w->lesson.g = w->g;
  if (st == OK)
    st = read_engine(a, w, d);
  if (st == OK)
    st = fill_run(a, &w->first, &w->lesson, d);
  if (st == OK)
    st = fill_sweep(a, w, d);
  if (st == OK)
    st = report_lesson_page(&w->lesson, &w->page, d);
  bool page = !a->json || (a->value[CLI_OUTPUT] && !cli_prints(a, CLI_OUTPUT));
  return st == OK && page ? text_write(&w->page, a->value[CLI_OUTPUT], d) : st;
}

/* What the page is of: how long, how many values of M, and the bound it proves. */
static void put_numbers(const cli_args *a, const lesson_work *w)
{
  const report_lesson *l = &w->lesson;
  json j = { 0 };
  json_open(&j, '{');
  json_put_uint(&j, "bytes", w->page.n);
  json_put_uint(&j, "runs", 1 + l->runs);
  cli_json_best(&j, l->bounds, l->best);
  cli_json_asked(&j, a, &l->rules.m);
  cli_json_end(&j, NULL);
}

static cli_exit run(const cli_args *a)
{
  diag d = { 0 };
  lesson_work w = { 0 };
  status st = make_lesson(a, &w, &d);
  if (st == OK && a->json)
    put_numbers(a, &w);
  work_clear(&w);
  return st == OK ? EXIT_YES : cli_fail(a, st, &d);
}

static const cli_option_id options[] = { CLI_M, CLI_MEMORY, CLI_WORD, CLI_RULES, CLI_ONE_SHOT, CLI_PARAM, CLI_ENGINE,
                                         CLI_SWEEP, CLI_OUTPUT, CLI_OPTIONS };
const cli_verb cli_verb_lesson = {
  .name = "lesson",
  .arguments = "SPEC [SCHED]",
  .least = 1,
  .most = 2,
  .summary = "write a page that plays the game, lets you play it, and shows the proof",
  .description = "One HTML file without network or build step: the board, the schedule as it runs, the game for the "
                 "reader to play, and the\n"
                 "bound with its argument. Without SCHED the reader plays alone; the name `found` stands for the "
                 "schedule that\n"
                 "redblue tune finds.\n\n"
                 "A computation too large to draw element by element (or --engine tile) is shown with its schedule as "
                 "grids of tiles, one\n"
                 "statement a step: the first and the last iterations of each loop, the iterations between as one\n"
                 "step, all counts exact.\n\n"
                 "--sweep M=12,16,20 puts the runs with these M on the page as well, under a slider of M. The page\n"
                 "opens at page.html#at=100, #tab=proof, #bound=NAME, #m=16; #embed leaves the heading out. --json\n"
                 "prints what the page is of in numbers.",
  .examples = "$ redblue lesson attention:n=8,d=2 attenio -M 20 -o page.html\n"
              "$ redblue lesson attention:n=8,d=2 attenio -M 20 --sweep M=12,16,20,30,40 -o memory.html\n"
              "$ redblue lesson attention:n=131072,d=128 attenio -M 256K -o large.html",
  .options = options,
  .run = run,
};
