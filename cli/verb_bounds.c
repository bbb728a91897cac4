/* verb_bounds.c -- list the theorems. */
#include "base/json.h"
#include "bounds/bound.h"
#include "bounds/checker.h"
#include "cli/cli.h"
#include <stdio.h>

static void print_json(void)
{
  json j = { 0 };
  json_open(&j, '{');
  json_key(&j, "bounds");
  json_open(&j, '[');
  for (const bound_theorem *const *t = bound_theorems; *t; t++) {
    json_open(&j, '{');
    json_put_string(&j, "name", (*t)->name);
    json_put_string(&j, "summary", (*t)->summary);
    json_put_string(&j, "source", (*t)->source);
    json_put_bool(&j, "slow", (*t)->slow);
    json_put_bool(&j, "certificate", bound_checker_find((*t)->name) != NULL);
    json_close(&j, '}');
  }
  json_close(&j, ']');
  cli_json_end(&j, NULL);
}

static cli_exit run(const cli_args *a)
{
  if (a->json)
    print_json();
  else
    for (const bound_theorem *const *t = bound_theorems; *t; t++)
      printf("%s%s\n  %s\n  source: %s\n", (*t)->name, (*t)->slow ? " (needs --limit-time)" : "", (*t)->summary, (*t)->source);
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
