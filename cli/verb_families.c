/* verb_families.c -- redblue families: the computations that have a name. */
#include "base/json.h"
#include "cdag/cdag.h"
#include "cli/cli.h"
#include <stdio.h>

static void print_json(const cdag_family *list, int n)
{
  json j = { 0 };
  json_open(&j, '{');
  json_key(&j, "families");
  json_open(&j, '[');
  for (int i = 0; i < n; i++) {
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
  if (a->json)
    print_json(list, n);
  else
    for (int i = 0; i < n; i++)
      printf("%s\n  %s\n  parameters: %s\n  source: %s\n", list[i].name, list[i].summary, list[i].parameters, list[i].source);
  return EXIT_YES;
}

static const cli_option_id options[] = { CLI_OPTIONS };
const cli_verb cli_verb_families = {
  .name = "families",
  .arguments = "",
  .least = 0,
  .most = 0,
  .summary = "list the computations that have a name",
  .description = "Each with a line, its parameters and where it comes from. Use one as SPEC: FAMILY:name=value,...",
  .examples = "$ redblue families\n",
  .options = options,
  .run = run,
};
