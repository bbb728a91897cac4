#ifndef REDBLUE_CLI_INTERNAL_H
#define REDBLUE_CLI_INTERNAL_H
#include "cli/cli.h"
#include <stdio.h>

cli_exit cli_run(const cli_verb *verb, int argc,
                 char **argv); /* parse, then verb->run; --help and usage errors included */
/* Set what --limit-memory and --limit-time ask for.  A verb that does not say cli_keeps_time is ended when time is
   over; a sweep is interrupted, as by SIGINT, so that what is done is kept. */
status cli_limits(const cli_verb *verb, const cli_args *a, diag *d);
/* On a terminal, standard output and error show control characters instead of obeying them. */
void cli_guard_terminal(void);
bool cli_wants_json(int argc, char **argv);
void cli_print_overview(FILE *out);
void cli_print_help(FILE *out, const cli_verb *verb);
const cli_verb *cli_find_verb(const char *name); /* or NULL */
bool cli_verb_takes(const cli_verb *verb, cli_option_id id);
#endif
