/* help.c -- what --help prints, from the table of verbs and the table of options. */
#include "cli/cli_internal.h"
#include <ctype.h>
#include <string.h>

void cli_print_overview(FILE *out)
{
  fprintf(out, "redblue %s -- red-blue pebble games: bounds, schedules, verdicts\n\n", REDBLUE_VERSION);
  fprintf(out, "Usage: redblue VERB ARGUMENTS [OPTIONS]\n\n");
  for (int i = 0; cli_verbs[i]; i++)
    fprintf(out, "  %-10s %s\n", cli_verbs[i]->name, cli_verbs[i]->summary);
  fprintf(out, "\nTo begin with:\n"
               "  redblue bound attention:n=8192,d=128 -M 256K            how many words must move\n"
               "  redblue verify attention:n=8192,d=128 attenio -M 256K   how many a schedule moves\n"
               "  redblue families                                        what else has a name\n"
               "\n'redblue VERB --help' explains a verb.  Exit: 0 yes or done, 1 no, 2 usage, 3 input or I/O, 4 gave "
               "up, 5 redblue contradicts itself.\n");
}

enum { WIDTH = 80, LEFT = 28 };

/* Words from column `at` on, broken before WIDTH and continued at `indent`; a line end is a blank, two begin a
 * paragraph. */
static void print_filled(FILE *out, const char *s, size_t at, size_t indent)
{
  size_t column = at;
  while (*s) {
    size_t n = strcspn(s, " \n"), gap = strspn(s + n, " \n");
    const char *paragraph = memchr(s + n, '\n', gap);
    bool two = paragraph && memchr(paragraph + 1, '\n', gap - (size_t)(paragraph + 1 - (s + n)));
    if (column > indent && column + 1 + n > WIDTH) {
      fprintf(out, "\n%*s", (int)indent, "");
      column = indent;
    } else if (column > indent) {
      fputc(' ', out);
      column++;
    }
    fprintf(out, "%.*s", (int)n, s);
    column += n;
    s += n + gap;
    if (two && *s) {
      fprintf(out, "\n\n%*s", (int)indent, "");
      column = indent;
    }
  }
  fputc('\n', out);
}

static void print_option(FILE *out, const cli_option *o)
{
  char left[64];
  int n = snprintf(left, sizeof left, "  %s%c%s--%s%s%s", o->letter ? "-" : " ", o->letter ? o->letter : ' ',
                   o->letter ? ", " : "  ", o->name, o->argument ? "=" : "", o->argument ? o->argument : "");
  fputs(left, out);
  if (n >= LEFT)
    fputc('\n', out), n = 0;
  fprintf(out, "%*s", LEFT - n, "");
  print_filled(out, o->help, LEFT, LEFT);
}

void cli_print_help(FILE *out, const cli_verb *verb)
{
  fprintf(out, "Usage: redblue %s %s%s[OPTIONS]\n\n", verb->name, verb->arguments, *verb->arguments ? " " : "");
  fputc(toupper((unsigned char)*verb->summary), out);
  fprintf(out, "%s.\n", verb->summary + 1);
  if (verb->description && *verb->description) {
    fputc('\n', out);
    print_filled(out, verb->description, 0, 0);
  }
  fprintf(out, "\nOptions:\n");
  for (int id = 0; id < CLI_OPTIONS; id++)
    if (cli_verb_takes(verb, (cli_option_id)id))
      print_option(out, &cli_option_table[id]);
  if (verb->examples && *verb->examples)
    fprintf(out, "\nExamples:\n%s%s", verb->examples, verb->examples[strlen(verb->examples) - 1] == '\n' ? "" : "\n");
}
