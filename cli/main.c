/* main.c -- find the verb, parse its options, run it, close stdout and say so if that failed. */
#include "cli/cli.h"
#include "cli/cli_internal.h"
#include "base/mem.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

const cli_verb *cli_find_verb(const char *name)
{
  for (int i = 0; cli_verbs[i]; i++)
    if (strcmp(cli_verbs[i]->name, name) == 0)
      return cli_verbs[i];
  return NULL;
}

static cli_exit unknown_verb(const char *name, bool as_json)
{
  cli_args a = { .json = as_json };
  diag d = { 0 };
  const char *names[128];
  int n = 0;
  for (; cli_verbs[n] && n < 128; n++)
    names[n] = cli_verbs[n]->name;
  const char *near = diag_nearest(name, names, n);
  status st = diag_set(&d, BAD_USAGE, "usage", "there is no verb '%s' (redblue --help lists them)%s%s%s", name,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return cli_fail(&a, st, &d);
}

/* A full disk or a closed pipe must not look like success. */
static int close_stdout(int code)
{
  errno = 0;
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "redblue: cannot write the output: %s\n", errno ? strerror(errno) : "write error");
    return EXIT_BAD_INPUT;
  }
  return code;
}

int main(int argc, char **argv)
{
  signal(SIGPIPE, SIG_IGN);
  mem_serve_gmp();
  mem_keep_pages();
  cli_guard_terminal();
  if (argc < 2) {
    cli_print_overview(stderr);
    return EXIT_USAGE;
  }
  const char *word = argv[1];
  bool help = strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
    printf("redblue %s\n", REDBLUE_VERSION);
    return close_stdout(EXIT_YES);
  }
  if (help && argc < 3) {
    cli_print_overview(stdout);
    return close_stdout(EXIT_YES);
  }
  const cli_verb *verb = cli_find_verb(help ? argv[2] : word);
  if (!verb)
    return close_stdout(unknown_verb(help ? argv[2] : word, cli_wants_json(argc - 2, argv + 2)));
  if (help) {
    cli_print_help(stdout, verb);
    return close_stdout(EXIT_YES);
  }
  return close_stdout(cli_run(verb, argc - 2, argv + 2));
}
