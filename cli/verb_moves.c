/* verb_moves.c -- a schedule's elementary moves, one a line: itself a schedule. */
#include "base/mem.h"
#include "cli/common.h"
#include "schedules/play/elementary.h"
#include <stdio.h>

typedef struct { const cdag *g; bool json; text line; json list; } printer;

static bool print_line(printer *p)
{
  if (!p->json)
    return puts(text_str(&p->line)) >= 0;
  json_string(&p->list, text_str(&p->line));
  bool written = fputs(text_str(&p->list.out), stdout) >= 0;
  p->list.out.n = 0; /* a list of any length is not held */
  return written;
}

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
  return print_line(p);
}

static void begin_list(json *j)
{
  json_open(j, '{');
  json_key(j, "moves");
  json_open(j, '[');
}

/* The moves before an expression without a value are printed too. */
static void end_list(const cli_args *a, const pebble_rules *rules, printer *p, const diag *d)
{
  json_close(&p->list, ']');
  if (d)
    json_put_error(&p->list, d);
  else
    json_put_string(&p->list, "error", NULL);
  cli_json_asked(&p->list, a, &rules->m);
  cli_json_end(&p->list, NULL);
}

static status print_moves(const cli_args *a, const schedule *s, const pebble_rules *rules, diag *d)
{
  printer p = { .g = s->g, .json = a->json };
  if (a->json)
    begin_list(&p.list);
  status st = schedule_each_step(s, rules, print_step, &p, d);
  if (a->json)
    end_list(a, rules, &p, st == OK ? NULL : d);
  text_clear(&p.line);
  return st;
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
  else if ((st = print_moves(a, s, &rules, &d)) != OK) { /* a value met on the way, or no end in sight */
    fflush(stdout);
    cli_say(&d);
    code = st == GAVE_UP ? EXIT_GAVE_UP : EXIT_NO;
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
  .description = "Prints one move a line, in the schedule language, so that the list can be verified in its turn. "
                 "`dropping` becomes\n"
                 "`compute X[..] dropping Y[..]` with the first pebble dropped, which keeps its meaning under sliding, "
                 "and a drop for each other.\n"
                 "The moves are not judged: use verify for that. --json makes them the strings of one array, `moves`.",
  .examples = "$ redblue moves matmul:m=1,n=1,k=2 naive -M 4",
  .options = options,
  .run = run,
};
