/* verb_man.c -- manual pages from the table of verbs and the table of options. */
#include "cli/cli_internal.h"
#include <ctype.h>
#include <string.h>

/* roff: a leading dot or quote and every backslash and hyphen want care. */
static void put_roff(FILE *out, const char *s)
{
  bool start = true;
  for (; *s; s++) {
    if (start && (*s == '.' || *s == '\''))
      fputs("\\&", out);
    if (*s == '\\')
      fputs("\\e", out);
    else if (*s == '-')
      fputs("\\-", out);
    else
      fputc(*s, out);
    start = *s == '\n';
  }
}

static void put_upper(FILE *out, const char *s)
{
  for (; *s; s++)
    fputc(toupper((unsigned char)*s), out);
}

static void put_option(FILE *out, const cli_option *o)
{
  fputs(".TP\n", out);
  if (o->letter)
    fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
  fputs("\\fB\\-\\-", out);
  put_roff(out, o->name);
  fputs("\\fR", out);
  if (o->argument)
    fprintf(out, "=\\fI%s\\fR", o->argument);
  fputc('\n', out);
  put_roff(out, o->help);
  fputc('\n', out);
}

static void put_title(FILE *out, const char *verb)
{
  fputs(".TH REDBLUE", out);
  if (verb)
    fputc('-', out), put_upper(out, verb);
  fprintf(out, " 1 \"\" \"redblue %s\" \"User Commands\"\n.SH NAME\nredblue%s%s \\- ", REDBLUE_VERSION,
          verb ? "\\-" : "", verb ? verb : "");
}

static void put_exit_codes(FILE *out)
{
  fputs(".SH EXIT STATUS\n"
        ".TP\n0\nyes, or done\n.TP\n1\nno: an illegal play, a violated bound, outside \\fB\\-\\-within\\fR, no "
        "pebbling at this memory\n"
        ".TP\n2\nusage: an unknown name or a missing value on the command line\n.TP\n3\nbad input, or the operating "
        "system refused\n"
        ".TP\n4\ngave up: a limit of time, memory or size was reached\n",
        out);
}

static void put_verb_page(FILE *out, const cli_verb *v)
{
  put_title(out, v->name);
  put_roff(out, v->summary);
  fprintf(out, "\n.SH SYNOPSIS\n.B redblue %s\n", v->name);
  put_roff(out, v->arguments);
  fputs(" [OPTIONS]\n", out);
  if (v->description && *v->description) {
    fputs(".SH DESCRIPTION\n", out);
    put_roff(out, v->description);
    fputc('\n', out);
  }
  fputs(".SH OPTIONS\n", out);
  for (int id = 0; id < CLI_OPTIONS; id++)
    if (cli_verb_takes(v, (cli_option_id)id))
      put_option(out, &cli_option_table[id]);
  if (v->examples && *v->examples) {
    fputs(".SH EXAMPLES\n.nf\n", out);
    put_roff(out, v->examples);
    fputs("\n.fi\n", out);
  }
  put_exit_codes(out);
  fputs(".SH SEE ALSO\n.BR redblue (1)\n", out);
}

static void put_json_section(FILE *out)
{
  fprintf(out,
          ".SH JSON\nWith \\fB\\-\\-json\\fR a verb prints one object whose \\fBschema\\fR is %d; fields may be added, "
          "not changed, under that number.\n"
          "Numbers are plain integers of any size. \\fBtrust\\fR says how they were come by:\n",
          CLI_SCHEMA);
  static const char *const words[][2] = {
    { "proved",
      "a theorem whose proof is in the documentation, evaluated in integers; an optimum searched to the end" },
    { "certified", "a certificate was checked with integers alone" },
    { "played", "the referee played every move" },
    { "counted", "summed without playing: what a play gives, if it is legal" },
    { "bracketed", "an interval: the search was stopped" },
    { "numeric", "rests on floating point" },
    { "published", "printed by others, not proved here" },
    { "asymptotic", "without its constant or lower\\-order terms" },
    { "refuted", "printed by others, and false" },
    { "model", "a model, not a measurement" }
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    fprintf(out, ".TP\n%s\n%s\n", words[i][0], words[i][1]);
  fputs(".PP\n\\fBrules\\fR, \\fBone_shot\\fR and \\fBmodel\\fR name the game. Exit codes 2 and 3 print an object "
        "\\fBerror\\fR with its kind, message and place.\n",
        out);
}

static void put_overview_page(FILE *out)
{
  put_title(out, NULL);
  fputs("red\\-blue pebble games: bounds, schedules, verdicts\n.SH SYNOPSIS\n.B redblue\nVERB ARGUMENTS [OPTIONS]\n"
        ".SH DESCRIPTION\nDescribes computations as CDAGs, plays schedules on them under a fast memory of M words, "
        "proves lower bounds on\n"
        "their I/O, finds tile sizes, and says how far a schedule is from optimal.\n"
        "A computation (SPEC) is FAMILY:name=value,... or FILE.cdag:name=value,... or a graph file; a schedule (SCHED) "
        "is a\n"
        "name of the library, optionally with :name=value,..., or a file, or \\- for standard input.\n.SH VERBS\n",
        out);
  for (int i = 0; cli_verbs[i]; i++) {
    fprintf(out, ".TP\n.B %s\n", cli_verbs[i]->name);
    put_roff(out, cli_verbs[i]->summary);
    fputc('\n', out);
  }
  put_exit_codes(out);
  put_json_section(out);
  fputs(".SH ENVIRONMENT\n.TP\nNO_COLOR\nis obeyed by itself: nothing is printed in colour\n.SH SEE ALSO\n", out);
  for (int i = 0; cli_verbs[i]; i++)
    fprintf(out, ".BR redblue\\-%s (1)%s\n", cli_verbs[i]->name, cli_verbs[i + 1] ? "," : "");
}

static cli_exit run(const cli_args *a)
{
  if (a->n == 0) {
    put_overview_page(stdout);
    return EXIT_YES;
  }
  diag d = { 0 };
  const cli_verb *v = cli_find_verb(a->argument[0]);
  if (!v)
    return cli_fail(a, diag_set(&d, BAD_USAGE, "usage", "there is no verb '%s'", a->argument[0]), &d);
  put_verb_page(stdout, v);
  return EXIT_YES;
}

static const cli_option_id options[] = { CLI_OPTIONS };
const cli_verb cli_verb_man = {
  .name = "man", .arguments = "[VERB]", .least = 0, .most = 1,
  .summary = "print a manual page, in roff",
  .description = "Without a verb, the page of the program.",
  .examples = "$ redblue man bound | man -l -",
  .options = options, .run = run,
};
