/* verb_schedules.c -- the schedules of the library, with a line each and the source. */
#include "base/json.h"
#include "cli/common.h"
#include <stdio.h>
#include <string.h>

static void print_json(const schedule_listing *list, int n, const char *family)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_open(&j, "schedules", '[');
  for (int i = 0; i < n; i++) {
    if (family && strcmp(family, list[i].family) != 0)
      continue;
    json_open(&j, '{');
    json_put_string(&j, "name", list[i].name);
    json_put_string(&j, "family", list[i].family);
    json_put_string(&j, "summary", list[i].summary);
    json_put_string(&j, "source", list[i].source);
    json_close(&j, '}');
  }
  json_close(&j, ']');
  cli_json_end(&j, NULL);
}

static void print_text(const schedule_listing *list, int n, const char *family)
{
  const char *last = "";
  for (int i = 0; i < n; i++) {
    if (family && strcmp(family, list[i].family) != 0)
      continue;
    if (strcmp(last, list[i].family) != 0)
      printf("%s%s\n", *last ? "\n" : "", list[i].family);
    last = list[i].family;
    printf("  %-16s %s\n", list[i].name, list[i].summary);
    if (list[i].source[0])
      printf("  %-16s   %s\n", "", list[i].source);
  }
}

static cli_exit run(const cli_args *a)
{
  const schedule_listing *list;
  int n = schedule_library(&list);
  const char *family = a->n ? a->argument[0] : NULL;
  diag d = { 0 };
  status st = family ? cdag_family_known(family, &d) : OK;
  if (st != OK)
    return cli_fail(a, st, &d);
  if (a->json)
    print_json(list, n, family);
  else
    print_text(list, n, family);
  return EXIT_YES;
}

static const cli_option_id options[] = { CLI_OPTIONS };

const cli_verb cli_verb_schedules = {
  .name = "schedules",
  .arguments = "[FAMILY]",
  .least = 0,
  .most = 1,
  .summary = "list the schedules of the library",
  .description = "One line for each schedule, by the family of computations it is for, and where it comes from.",
  .examples = "$ redblue schedules matmul",
  .options = options,
  .run = run,
};
