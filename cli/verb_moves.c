/* verb_moves.c -- a schedule's elementary moves, one a line: itself a schedule. */
#include "base/mem.h"
#include "cli/common.h"
#include "schedules/elementary.h"
#include <stdio.h>

typedef struct { const cdag *g; text line; } printer;

static bool print_step(void *context, const schedule_step *step)
{
  printer *p = context;
  p->line.n = 0;
  text_printf(&p->line, "%s ", pebble_kind_name(step->kind));
  cdag_element_print(&p->line, p->g, &step->element);
  if (step->slides) {
    text_add(&p->line, " dropping ");
    cdag_element_print(&p->line, p->g, &step->slide);
  }
  text_char(&p->line, '\n');
  return fputs(text_str(&p->line), stdout) >= 0;
}

static cli_exit run(const cli_args *a)
{
  pebble_rules rules = { 0 };
  diag d = { 0 };
  cdag *g = NULL;
  schedule *s = NULL;
  cli_exit code = EXIT_YES;
  status st = cli_rules(a, &rules, &d);
  if (st == OK)
    st = cdag_open(&g, a->argument[0], &d);
  if (st == OK)
    st = cli_schedule(a, g, &rules, a->argument[1], &s, &d);
  if (st != OK)
    code = cli_fail(a, st, &d);
  else {
    printer p = { .g = g };
    st = schedule_each_step(s, &rules, print_step, &p, &d);
    text_clear(&p.line);
    if (st != OK) { /* a value met on the way */
      fflush(stdout);
      cli_fail(a, st, &d);
      code = EXIT_NO;
    }
  }
  schedule_free(s);
  cdag_free(g);
  return code;
}

static const cli_option_id options[] = { CLI_M, CLI_MEMORY, CLI_WORD, CLI_RULES, CLI_ONE_SHOT, CLI_PARAM, CLI_OPTIONS };

const cli_verb cli_verb_moves = {
  .name = "moves",
  .arguments = "SPEC SCHED",
  .least = 2,
  .most = 2,
  .summary = "print the elementary moves of a schedule",
  .description = "Prints one move a line, in the schedule language, so that the list can be verified in its turn. `dropping` becomes\n"
                 "`compute X[..] dropping Y[..]` with the first pebble dropped, which keeps its meaning under sliding, and a drop for each other.\n"
                 "The moves are not judged: use verify for that.",
  .examples = "$ redblue moves matmul:m=1,n=1,k=2 naive -M 4",
  .options = options,
  .run = run,
};
