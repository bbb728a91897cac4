/* verb_families.c -- redblue families: the computations that have a name. */
#include "base/json.h"
#include "cdag/cdag.h"
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

/* With a name, that one alone. */
static bool asked(const cli_args *a, const char *name) { return a->n == 0 || strcmp(a->argument[0], name) == 0; }

static void print_json(const cli_args *a, const cdag_family *list, int n)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_open(&j, "families", '[');
  for (int i = 0; i < n; i++) {
    if (!asked(a, list[i].name))
      continue;
    json_open(&j, '{');
    json_put_string(&j, "name", list[i].name);
    json_put_string(&j, "summary", list[i].summary);
    json_put_string(&j, "parameters", list[i].parameters);
    json_put_string(&j, "source", list[i].source);
    json_close(&j, '}');
  }
  json_close(&j, ']');
  cli_json_end(&j, NULL);
}

static cli_exit run(const cli_args *a)
{
  const cdag_family *list;
  int n = cdag_families(&list);
  diag d = { 0 };
  status st = a->n ? cdag_family_known(a->argument[0], &d) : OK;
  if (st != OK)
    return cli_fail(a, st, &d);
  if (a->json)
    print_json(a, list, n);
  for (int i = 0; i < n && !a->json; i++)
    if (asked(a, list[i].name))
      printf("%s\n  %s\n  parameters: %s\n  source: %s\n", list[i].name, list[i].summary, list[i].parameters,
             list[i].source);
  return EXIT_YES;
}

static const cli_option_id options[] = { CLI_OPTIONS };
const cli_verb cli_verb_families = {
  .name = "families",
  .arguments = "[FAMILY]",
  .least = 0,
  .most = 1,
  .summary = "list the computations that have a name",
  .description = "Each (or the one named) with a line, its parameters and where it comes from. Use one as SPEC:\n"
                 "FAMILY:name=value,...",
  .examples = "$ redblue families\n$ redblue families attention",
  .options = options,
  .run = run,
};
