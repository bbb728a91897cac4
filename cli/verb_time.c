/* verb_time.c -- a schedule's counts as time on a machine: a model. */
#include "cli/common.h"
#include "report/time.h"
#include <stdio.h>

typedef struct {
  cdag *g;
  schedule *s;
  pebble_rules rules;
  report_machine machine;
  report_time t;
} timing;

/* M is the machine's own unless another is asked for. */
static status read_all(const cli_args *a, timing *x, diag *d)
{
  status st = report_machine_open(&x->machine, a->value[CLI_MACHINE] ? a->value[CLI_MACHINE] : "attenio", d);
  x->rules.m = (uint64_t)x->machine.memory;
  if (st == OK && (a->value[CLI_M] || a->value[CLI_MEMORY]))
    st = cli_memory(a, &x->rules.m, d);
  if (st == OK)
    st = cli_variant(a, &x->rules, d);
  if (st == OK)
    st = cdag_open(&x->g, a->argument[0], d);
  if (st == OK)
    st = cli_schedule(a, x->g, &x->rules, a->argument[1], &x->s, d);
  return st == OK ? report_time_of(x->s, &x->rules, &x->machine, &x->t, d) : st;
}

static void print(const cli_args *a, const timing *x)
{
  SCOPED_TEXT out = { 0 };
  json j = { 0 };
  if (a->json) {
    json_open(&j, '{');
    report_time_json(&x->t, &x->machine, &j);
    cli_json_asked(&j, a, &x->rules.m);
    cli_json_end(&j, "model");
    return;
  }
  report_time_print(&x->t, &x->machine, &out);
  fputs(text_str(&out), stdout);
}

static cli_exit run(const cli_args *a)
{
  timing x = { 0 };
  diag d = { 0 };
  status st = read_all(a, &x, &d);
  cli_exit code = st != OK ? cli_fail(a, st, &d) : x.t.fits ? EXIT_YES : EXIT_NO;
  if (st == OK)
    print(a, &x);
  schedule_free(x.s);
  cdag_free(x.g);
  return code;
}

static const cli_option_id options[] = { CLI_MACHINE, CLI_M,        CLI_MEMORY, CLI_WORD,
                                         CLI_RULES,   CLI_ONE_SHOT, CLI_PARAM,  CLI_OPTIONS };
const cli_verb cli_verb_time = {
  .name = "time",
  .arguments = "SPEC SCHED",
  .least = 2,
  .most = 2,
  .summary = "a schedule's operations and words as time on a machine (a model)",
  .description = "Divides the operations and words of a schedule by the rates of a machine, at four levels of overlap, "
                 "and lists what it\n"
                 "assumes. --machine is a preset (attenio is the default; redblue machines lists them) or a file "
                 "(docs/time-model.md); M is the\n"
                 "machine's unless -M is given.\n"
                 "Exit 1 when the schedule needs more than M.",
  .examples = "$ redblue time attention:n=8192,d=64 attenio --machine attenio\n$ redblue time matmul:m=64,n=64,k=64 "
              "resident -M 1K --json",
  .options = options,
  .run = run,
};
