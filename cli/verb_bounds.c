/* verb_bounds.c -- list the theorems. */
#include "base/json.h"
#include "bounds/bound.h"
#include "bounds/checker.h"
#include "cli/cli.h"
#include <stdio.h>

static void print_json(const bound_theorem *row, int n)
{
  json j = { 0 };
  json_open(&j, '{');
  json_key(&j, "bounds");
  json_open(&j, '[');
  for (int i = 0; i < n; i++) {
    json_open(&j, '{');
    json_put_string(&j, "name", row[i].name);
    json_put_string(&j, "summary", row[i].summary);
    json_put_string(&j, "source", row[i].source);
    json_put_bool(&j, "slow", row[i].slow);
    json_put_bool(&j, "certificate", bound_checker_find(row[i].name) != NULL);
    json_close(&j, '}');
  }
  json_close(&j, ']');
  cli_json_end(&j, NULL);
}

static cli_exit run(const cli_args *a)
{
  const bound_theorem *row;
  int n = bound_theorems(&row);
  if (a->json)
    print_json(row, n);
  else
    for (int i = 0; i < n; i++)
      printf("%s%s\n  %s\n  source: %s\n", row[i].name, row[i].slow ? " (needs --limit-time)" : "", row[i].summary, row[i].source);
  return EXIT_YES;
}

static const cli_option_id options[] = { CLI_OPTIONS };
const cli_verb cli_verb_bounds = {
  .name = "bounds",
  .arguments = "",
  .least = 0,
  .most = 0,
  .summary = "list the theorems that bound I/O from below",
  .description = "Each with a line and where its proof or its source is.",
  .examples = "$ redblue bounds\n",
  .options = options,
  .run = run,
};
