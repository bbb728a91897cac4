/* cli.h -- the program: a verb is a file cli/verb_NAME.c that defines `const cli_verb cli_verb_NAME`; the build
   collects them.  An option is a row of cli/options.def: the row drives the parser, --help, the man pages and
   completion. */
#ifndef REDBLUE_CLI_H
#define REDBLUE_CLI_H

#include "base/diag.h"
#include "base/json.h"
#include "base/text.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum {
  EXIT_YES = 0,
  EXIT_NO = 1,
  EXIT_USAGE = 2,
  EXIT_BAD_INPUT = 3,
  EXIT_GAVE_UP = 4,
  EXIT_CONTRADICTION = 5
} cli_exit;

/* OPTION(ID, "name", 'c', "ARG" or NULL, "help") */
typedef enum {
#define OPTION(id, name, letter, argument, help) CLI_##id,
#include "cli/options.def"
#undef OPTION
  CLI_OPTIONS
} cli_option_id;

typedef struct {
  const char *name;            /* long name without the dashes */
  char letter;                 /* or 0 */
  const char *argument;        /* name of its value, or NULL for a flag */
  const char *help;
} cli_option;
extern const cli_option cli_option_table[CLI_OPTIONS];

typedef struct {
  int n;                       /* arguments that are no options */
  char *const *argument;
  const char *value[CLI_OPTIONS];   /* the last value given; "" for a flag given; NULL: not given */
  const char **repeated[CLI_OPTIONS]; /* every value given, in order */
  int times[CLI_OPTIONS];
  bool json;
} cli_args;

typedef struct cli_verb {
  const char *name;
  const char *arguments;       /* "SPEC SCHED" */
  int least, most;             /* number of arguments; most < 0: any */
  const char *summary;         /* one line */
  const char *description;     /* paragraphs for --help and the man page */
  const char *examples;        /* lines "$ redblue ...", for the man page */
  const cli_option_id *options;/* ended by CLI_OPTIONS */
  cli_exit (*run)(const cli_args *a);
} cli_verb;
extern const cli_verb *const cli_verbs[];   /* ended by NULL; made by the build */

/* Say a failure: a sentence on stderr ("redblue: file:line:column: kind: message"), with --json the error
   object on stdout as well, and give the exit code of st. */
cli_exit cli_fail(const cli_args *a, status st, const diag *d);
/* The sentence alone, for a verb whose object has begun. */
void cli_say(const diag *d);
/* The answer is printed, but a file beside it (--moves, --certificate) could not be written: the sentence, and the exit
 * code. */
cli_exit cli_side_failed(const diag *d);

/* The end of a verb's JSON object: how its numbers were come by (NULL: each says so itself, or there are none) and the
   versions of the program and of the fields; closed, printed, cleared. */
#define CLI_SCHEMA 1
void cli_json_end(json *j, const char *trust);
/* What every answer about a computation names, whatever the verb: computation and schedule as they were given, M (NULL:
   none was asked for); a schedule that was found or not asked for is null. */
void cli_json_asked(json *j, const cli_args *a, const uint64_t *m);

/* M of the command line: -M with K, M, G, or --memory 192KiB with --word 2, or what --machine has. */
status cli_memory(const cli_args *a, uint64_t *m, diag *d);
/* --rules, --one-shot and -M into rules. */
status cli_integer(const cli_args *a, cli_option_id id, int64_t least, int64_t fallback, int64_t *value, diag *d);
status cli_seconds(const cli_args *a, cli_option_id id, double fallback, double *value, diag *d);
/* One deadline for the whole run, reading included: seconds until it, never below a nanosecond; INFINITY without
 * --limit-time. */
double cli_seconds_left(void);
/* From here on the verb looks at its clock itself, and has something to show in the end: it is ended only when it is a
   second and half the limit late. */
void cli_keeps_time(void);

#endif
