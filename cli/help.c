/* help.c -- what --help prints, from the table of verbs and the table of options. */
#include "cli/cli_internal.h"
#include <string.h>

void cli_print_overview(FILE *out)
{
  fprintf(out, "redblue %s -- red-blue pebble games: bounds, schedules, verdicts\n\n", REDBLUE_VERSION);
  fprintf(out, "Usage: redblue VERB ARGUMENTS [OPTIONS]\n\n");
  for (int i = 0; cli_verbs[i]; i++)
    fprintf(out, "  %-10s %s\n", cli_verbs[i]->name, cli_verbs[i]->summary);
  fprintf(out, "\n'redblue VERB --help' explains a verb.  Exit: 0 yes or done, 1 no, 2 usage, 3 input or I/O, 4 gave up.\n");
}

static void print_option(FILE *out, const cli_option *o)
{
  char left[64];
  snprintf(left, sizeof left, "%s%c%s--%s%s%s", o->letter ? "-" : " ", o->letter ? o->letter : ' ', o->letter ? ", " : "  ",
           o->name, o->argument ? "=" : "", o->argument ? o->argument : "");
  fprintf(out, "  %-28s %s\n", left, o->help);
}

void cli_print_help(FILE *out, const cli_verb *verb)
{
  fprintf(out, "Usage: redblue %s %s [OPTIONS]\n\n%s.\n", verb->name, verb->arguments, verb->summary);
  if (verb->description && *verb->description)
    fprintf(out, "\n%s\n", verb->description);
  fprintf(out, "\nOptions:\n");
  for (int id = 0; id < CLI_OPTIONS; id++)
    if (cli_verb_takes(verb, (cli_option_id)id))
      print_option(out, &cli_option_table[id]);
  if (verb->examples && *verb->examples)
    fprintf(out, "\nExamples:\n%s\n", verb->examples);
}
