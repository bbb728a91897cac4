/* limits.c -- --limit-memory and --limit-time for every verb, and what is said when either is reached: a sentence,
   under --json the error object, and exit code 4.  What is said is made ready beforehand, since at that moment nothing
   may be allocated. */
#include "cli/cli_internal.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static struct { bool json, interrupts; char sentence[160]; double seconds, until; } late;

#define WORD(x) #x
#define TEXT(x) WORD(x)
#define BEFORE "{\"error\": {\"kind\": \"limit\", \"message\": \""
#define BEHIND "\"}, \"schema\": " TEXT(CLI_SCHEMA) "}\n"

static void memory_ran_out(size_t bytes)
{
  char message[120];
  snprintf(message, sizeof message, "out of memory (%zu more bytes were asked for)", bytes);
  fprintf(stderr, "redblue: %s\n", message);
  if (late.json)
    printf(BEFORE "%s" BEHIND, message);
  fflush(stdout);
  _exit(EXIT_GAVE_UP);
}

static status limit_memory(const cli_args *a, diag *d)
{
  int64_t bytes;
  const char *given = a->value[CLI_LIMIT_MEMORY];
  mem_set_hook(memory_ran_out);
  if (!given)
    return OK;
  if (!num_parse(given, &bytes) || bytes < 1)
    return diag_set(d, BAD_USAGE, "usage", "--limit-memory needs a positive number of bytes, such as 500M, not '%s'",
                    given);
  mem_limit((uint64_t)bytes);
  return OK;
}

/* ---- time ---- */

static void write_all(int to, const char *s)
{
  if (write(to, s, strlen(s)) < 0)
    return; /* nobody to tell */
}

static void time_ran_out(int signal_number)
{
  (void)signal_number;
  if (late.interrupts) {
    raise(SIGINT);
    return;
  }
  write_all(STDERR_FILENO, "redblue: ");
  write_all(STDERR_FILENO, late.sentence);
  write_all(STDERR_FILENO, "\n");
  if (late.json) {
    write_all(STDOUT_FILENO, BEFORE);
    write_all(STDOUT_FILENO, late.sentence);
    write_all(STDOUT_FILENO, BEHIND);
  }
  _exit(EXIT_GAVE_UP);
}

static void ring_after(double seconds)
{
  double whole, part = modf(seconds, &whole);
  struct itimerval when = { .it_value = { (time_t)whole, (suseconds_t)(1e6 * part) + (seconds < 1e-6) } };
  setitimer(ITIMER_REAL, &when, NULL);
}

static status limit_time(const cli_args *a, diag *d)
{
  status st = cli_seconds(a, CLI_LIMIT_TIME, 0, &late.seconds, d);
  if (st != OK || late.seconds <= 0)
    return st;
  late.until = clock_seconds() + late.seconds;
  snprintf(late.sentence, sizeof late.sentence, "not done after %g second%s, the limit that was given", late.seconds,
           late.seconds == 1 ? "" : "s");
  signal(SIGALRM, time_ran_out);
  ring_after(late.seconds);
  return OK;
}

double cli_seconds_left(void) { return late.until > 0 ? fmax(late.until - clock_seconds(), 1e-9) : INFINITY; }

void cli_keeps_time(void)
{
  if (late.until > 0)
    ring_after(cli_seconds_left() + 3 + late.seconds / 2); /* a verb that looks at the clock may be late by a step */
}

status cli_limits(const cli_verb *verb, const cli_args *a, diag *d)
{
  late.json = a->json;
  late.interrupts = strcmp(verb->name, "table") == 0;
  status st = limit_memory(a, d);
  return st == OK ? limit_time(a, d) : st;
}
