/* verb_plot.c -- pictures for papers. */
#include "cli/common.h"
#include "report/plot.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_file(const char *path) { return path && strcmp(path, "-") != 0; }

static status read_kind(const cli_args *a, report_plot_kind *kind, diag *d)
{
  const char *name = a->value[CLI_KIND] ? a->value[CLI_KIND] : "memory";
  return report_plot_kind_find(name, kind)
             ? OK
             : diag_set(d, BAD_USAGE, "usage", "--kind is memory, length, gap or bar, not '%s'", name);
}

static status read_plot(const cli_args *a, report_plot *p, text *sweep, diag *d)
{
  int64_t jobs = 1;
  status st = read_kind(a, &p->kind, d);
  if (st == OK && (a->value[CLI_M] || a->value[CLI_MEMORY]))
    st = cli_memory(a, &p->rules.m, d);
  if (st == OK)
    st = cli_variant(a, &p->rules, d);
  if (st == OK)
    st = cli_integer(a, CLI_JOBS, 1, 1, &jobs, d);
  for (int i = 0; i < a->times[CLI_SWEEP]; i++)
    text_printf(sweep, "%s ", a->repeated[CLI_SWEEP][i]);
  p->specs = a->n;
  p->spec = a->argument;
  p->sweep = sweep->s;
  p->columns = a->value[CLI_COLUMNS];
  p->caption = a->value[CLI_CAPTION];
  p->label = a->value[CLI_LABEL];
  p->title = a->value[CLI_TITLE];
  if (st == OK)
    st = cli_width(a, &p->width, d);
  p->jobs = jobs > 256 ? 256 : (int)jobs;
  p->progress = isatty(STDERR_FILENO) && !a->value[CLI_QUIET];
  return st;
}

static status draw(const cli_args *a, const report_figure *f, report_picture how, diag *d)
{
  SCOPED_TEXT bytes = { 0 };
  status st = report_figure_draw(f, how, &bytes, d);
  if (st == OK)
    st = text_write(&bytes, a->value[CLI_OUTPUT], d);
  return st;
}

/* With --json the points go to standard output, and a picture is drawn only into a file. */
static status answer(const cli_args *a, const report_figure *f, report_picture how, diag *d)
{
  if (a->json) {
    json j = { 0 };
    json_open(&j, '{');
    report_figure_json(f, &j);
    cli_json_asked(&j, a, NULL);
    cli_json_end(&j, NULL);
  }
  return a->json && !is_file(a->value[CLI_OUTPUT]) ? OK : draw(a, f, how, d);
}

static cli_exit run(const cli_args *a)
{
  diag d = { 0 };
  report_plot p = { 0 };
  report_figure *f = NULL;
  report_picture how;
  SCOPED_TEXT sweep = { 0 };
  status st = cli_picture(a, &how, &d);
  if (st == OK)
    st = read_plot(a, &p, &sweep, &d);
  if (st == OK)
    st = report_figure_new(&f, &p, &d);
  if (st == OK)
    st = answer(a, f, how, &d);
  report_figure_free(f);
  return st == OK ? EXIT_YES : cli_fail(a, st, &d);
}

static const cli_option_id options[] = { CLI_KIND,   CLI_M,       CLI_MEMORY, CLI_WORD,     CLI_SWEEP, CLI_COLUMNS,
                                         CLI_OUTPUT, CLI_FORMAT,  CLI_RULES,  CLI_ONE_SHOT, CLI_JOBS,  CLI_TITLE,
                                         CLI_WIDTH,  CLI_CAPTION, CLI_LABEL,  CLI_OPTIONS };
const cli_verb cli_verb_plot = {
  .name = "plot",
  .arguments = "SPEC...",
  .least = 1,
  .most = 64,
  .summary = "draw I/O against memory or length, or the gap",
  .description = "--kind memory (default): I/O against M, schedules with their best parameters as curves, the best "
                 "proved bound as floor, the\n"
                 "regimes of the bound shaded. --kind length: against a length, for one computation or several, with "
                 "the places where the\n"
                 "least curve changes. --kind gap: best schedule over best bound as a heat map over a length and M. "
                 "--kind bar: columns side by side.\n\n"
                 "-o FILE.svg, .pdf, .png or .tex (pgfplots source), or --format; SVG on standard output otherwise. "
                 "--json prints the\n"
                 "points. --sweep and --columns are those of redblue table; the same command gives the same bytes.",
  .examples =
      "$ redblue plot attention:n=4096,d=64 -o memory.svg\n"
      "$ redblue plot --kind length attention:d=64 attention-lowrank:d=64 --sweep n=256..4K*2 -M 4K -o cross.pdf\n"
      "$ redblue plot --kind gap attention:d=64 --sweep 'n=1K..64K*2 M=1K..1M*4' -o gap.tex",
  .options = options,
  .run = run,
};
