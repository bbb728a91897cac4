/* verb_machines.c -- the machines that --machine knows by name. */
#include "base/json.h"
#include "cli/cli.h"
#include "report/machine.h"
#include <stdio.h>
#include <string.h>

static void put_json(const report_machine_listing *l, const report_machine *m, json *j)
{
  json_open(j, '{');
  json_put_string(j, "name", l->name);
  json_put_string(j, "summary", l->summary);
  json_put_uint(j, "memory", (uint64_t)m->memory);
  json_put_real(j, "word", m->word);
  json_put_real(j, "multiply_adds", m->multiply_adds);
  json_put_real(j, "special", m->special);
  json_put_real(j, "clock", m->clock);
  json_put_real(j, "bandwidth", m->bandwidth);
  json_put_string(j, "source", l->source);
  json_put_string(j, "trust", "published");
  json_close(j, '}');
}

static void put_text(const report_machine_listing *l, const report_machine *m)
{
  printf("%s\n  %s\n  %.0f words of %g bytes\n  source: %s\n", l->name, l->summary, m->memory, m->word, l->source);
}

static status put_all(const report_machine_listing *list, int n, json *j, diag *d)
{
  for (int i = 0; i < n; i++) {
    report_machine m;
    status st = report_machine_open(&m, list[i].name, d);
    if (st != OK)
      return st;
    if (j)
      put_json(&list[i], &m, j);
    else
      put_text(&list[i], &m);
  }
  return OK;
}

static status put_one(const char *name, diag *d)
{
  report_machine_listing *list;
  report_machine m;
  status st = report_machine_open(&m, name, d);
  int n = report_machines(&list);
  for (int i = 0; i < n && st == OK; i++)
    if (strcmp(list[i].name, name) == 0)
      fputs(list[i].text, stdout);
  report_machines_free(list, n);
  return st;
}

static status list_all(bool as_json, diag *d)
{
  report_machine_listing *list;
  SCOPED_JSON j = { 0 };
  int n = report_machines(&list);
  json_open(&j, '{');
  json_put_open(&j, "machines", '[');
  status st = put_all(list, n, as_json ? &j : NULL, d);
  json_close(&j, ']');
  if (st == OK && as_json)
    cli_json_end(&j, NULL);
  report_machines_free(list, n);
  return st;
}

static cli_exit run(const cli_args *a)
{
  diag d = { 0 };
  status st = a->n == 1 ? put_one(a->argument[0], &d) : list_all(a->json, &d);
  return st == OK ? EXIT_YES : cli_fail(a, st, &d);
}

static const cli_option_id options[] = { CLI_OPTIONS };
const cli_verb cli_verb_machines = {
  .name = "machines",
  .arguments = "[NAME]",
  .least = 0,
  .most = 1,
  .summary = "list the machines that --machine knows",
  .description = "Each with its memory in words and the source of its numbers; with NAME, the text of that preset, to "
                 "be copied and changed.",
  .examples = "$ redblue machines\n$ redblue bound attention:n=8192,d=128 --machine h100-sm",
  .options = options,
  .run = run,
};
