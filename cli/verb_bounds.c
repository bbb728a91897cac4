/* verb_bounds.c -- list the theorems. */
#include "base/json.h"
#include "bounds/bound.h"
#include "bounds/checker.h"
#include "bounds/coq.h"
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

/* The theorems in Coq for bounds of this row: its name, or one that begins so. */
static const bound_coq_theorem *next_checked(const char *row, int *at)
{
  const bound_coq_theorem *t;
  for (int n = bound_coq_theorems(&t); *at < n; ) {
    const bound_coq_theorem *one = &t[(*at)++];
    if (strncmp(one->bound, row, strlen(row)) == 0)
      return one;
  }
  return NULL;
}

/* With a name, that one alone. */
static bool asked(const cli_args *a, const bound_theorem *t)
{
  return a->n == 0 || strcmp(a->argument[0], t->name) == 0;
}

static bool known(const char *name)
{
  for (const bound_theorem *const *t = bound_theorems; *t; t++)
    if (strcmp((*t)->name, name) == 0)
      return true;
  return false;
}

static void print_json(const cli_args *a)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_open(&j, "bounds", '[');
  for (const bound_theorem *const *t = bound_theorems; *t; t++) {
    if (!asked(a, *t))
      continue;
    json_open(&j, '{');
    json_put_string(&j, "name", (*t)->name);
    json_put_string(&j, "summary", (*t)->summary);
    json_put_string(&j, "source", (*t)->source);
    json_put_bool(&j, "slow", (*t)->slow);
    json_put_bool(&j, "certificate", bound_checker_find((*t)->name) != NULL);
    json_put_open(&j, "machine_checked", '[');
    const bound_coq_theorem *checked;
    for (int at = 0; (checked = next_checked((*t)->name, &at)); )
      json_string(&j, checked->theorem);
    json_close(&j, ']');
    json_close(&j, '}');
  }
  json_close(&j, ']');
  cli_json_end(&j, NULL);
}

static void print_row(const bound_theorem *row)
{
  const bound_coq_theorem *t;
  printf("%s%s\n  %s\n  source: %s\n", row->name, row->slow ? " (needs --limit-time)" : "", row->summary, row->source);
  for (int at = 0; (t = next_checked(row->name, &at)); )
    printf("  machine-checked: %s, for %s%s%s, %s (%s)\n", t->bound, t->family, t->fixed ? " with " : "",
           t->fixed ? t->fixed : "", t->theorem, t->file);
}

static cli_exit run(const cli_args *a)
{
  diag d = { 0 };
  if (a->n && !known(a->argument[0]))
    return cli_fail(a, diag_set(&d, BAD_USAGE, "usage", "no bound is called %s: `redblue bounds` lists them",
                                a->argument[0]), &d);
  if (a->json)
    print_json(a);
  for (const bound_theorem *const *t = bound_theorems; *t && !a->json; t++)
    if (asked(a, *t))
      print_row(*t);
  return EXIT_YES;
}

static const cli_option_id options[] = { CLI_OPTIONS };
const cli_verb cli_verb_bounds = {
  .name = "bounds",
  .arguments = "[NAME]",
  .least = 0,
  .most = 1,
  .summary = "list the theorems that bound I/O from below",
  .description = "Each (or the one named) with a line, where its proof or its source is, and for which\n"
                 "computations it is machine-checked (docs/proofs.md).",
  .examples = "$ redblue bounds\n$ redblue bounds attention-segment",
  .options = options,
  .run = run,
};
