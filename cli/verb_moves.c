/* verb_moves.c -- a schedule's elementary moves, one a line, or in the compact form: itself a schedule. */
#include "base/mem.h"
#include "base/output.h"
#include "cli/common.h"
#include "schedules/play/compact.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const cdag *g;
  bool json;                   /* the moves are strings of an array */
  output out;
  bool aside;                  /* --output: a file */
  compact_writer *compact;     /* or NULL: text */
  text line;
  json list;
  uint64_t moves, bytes;
} printer;

static bool print_line(printer *p)
{
  const text *line = p->json ? &p->list.out : &p->line;
  if (p->json)
    json_string(&p->list, text_str(&p->line));
  else
    text_char(&p->line, '\n');
  p->bytes += line->n;
  bool written = fputs(text_str(line), p->out.to) >= 0;
  p->list.out.n = 0; /* a list of any length is not held */
  return written;
}

static bool print_step(void *context, const schedule_step *step)
{
  printer *p = context;
  p->moves++;
  if (p->compact) {
    compact_add(p->compact, step);
    return !ferror(p->out.to);
  }
  p->line.n = 0;
  schedule_step_text(&p->line, p->g, step);
  return print_line(p);
}

static void begin_list(json *j)
{
  json_open(j, '{');
  json_put_open(j, "moves", '[');
}

/* The moves before an expression without a value are printed too. */
static void end_list(const cli_args *a, const pebble_rules *rules, printer *p, const diag *d)
{
  json_close(&p->list, ']');
  if (d)
    json_put_error(&p->list, d);
  else
    json_put_string(&p->list, "error", NULL);
  cli_json_asked(&p->list, a, &rules->m);
  cli_json_end(&p->list, NULL);
}

/* Of a list in a file. */
static void put_summary(const cli_args *a, const pebble_rules *rules, const printer *p)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_uint(&j, "moves", p->moves);
  json_put_uint(&j, "bytes", p->bytes);
  json_put_string(&j, "error", NULL);
  cli_json_asked(&j, a, &rules->m);
  cli_json_end(&j, NULL);
}

typedef struct { cdag *g; schedule *s; schedule_reader *list; } source;

static status tell(const source *f, const pebble_rules *rules, printer *p, diag *d)
{
  status st = f->list ? schedule_each_list_step(f->list, f->g, rules, print_step, p, d)
                      : schedule_each_step(f->s, rules, print_step, p, d);
  if (p->compact)
    p->bytes = compact_writer_end(p->compact);
  return st;
}

/* *begun: some of the answer may be on standard output already. */
static status print_moves(const cli_args *a, const source *f, const pebble_rules *rules, bool compact, bool *begun,
                          diag *d)
{
  printer p = { .g = f->g, .aside = a->value[CLI_OUTPUT] && !cli_prints(a, CLI_OUTPUT) };
  p.json = a->json && !p.aside;
  *begun = !p.aside;
  status st = output_open(&p.out, p.aside ? a->value[CLI_OUTPUT] : NULL, d);
  if (st != OK)
    return st;
  if (compact)
    p.compact = compact_writer_new(p.out.to, f->g);
  if (p.json)
    begin_list(&p.list);
  st = tell(f, rules, &p, d);
  if (p.json)
    end_list(a, rules, &p, st == OK ? NULL : d);
  if (st == OK)
    st = output_close(&p.out, d);
  else
    output_drop(&p.out);
  if (st == OK && a->json && p.aside)
    put_summary(a, rules, &p);
  text_clear(&p.line);
  return st;
}

static status read_form(const cli_args *a, bool *compact, diag *d)
{
  const char *word = a->value[CLI_FORMAT] ? a->value[CLI_FORMAT] : "text";
  bool aside = a->value[CLI_OUTPUT] && !cli_prints(a, CLI_OUTPUT);
  *compact = strcmp(word, "compact") == 0;
  if (!*compact && strcmp(word, "text") != 0)
    return diag_set(d, BAD_USAGE, "usage", "--format is text or compact, not '%s'", word);
  if (*compact && !aside && (a->json || isatty(STDOUT_FILENO)))
    return diag_set(d, BAD_USAGE, "usage", "the compact form is bytes, for a file or a pipe: give -o FILE");
  return OK;
}

static status read_all(const cli_args *a, pebble_rules *rules, source *f, bool *compact, diag *d)
{
  status st = cli_rules(a, rules, d);
  if (st == OK)
    st = read_form(a, compact, d);
  if (st == OK)
    st = cdag_open(&f->g, a->argument[0], d);
  if (st == OK)
    st = cli_schedule_or_list(a, f->g, rules, a->argument[1], &f->s, &f->list, d);
  return st;
}

/* On the way: a value, no end in sight, a list that is no list.  The moves before are on standard output. */
static cli_exit ended_early(status st, const diag *d)
{
  fflush(stdout);
  cli_say(d);
  bool value = st == BAD_INPUT && strcmp(d->kind, "value") == 0;
  return st == GAVE_UP ? EXIT_GAVE_UP : value ? EXIT_NO : EXIT_BAD_INPUT;
}

static cli_exit run(const cli_args *a)
{
  pebble_rules rules = { 0 };
  diag d = { 0 };
  source f = { 0 };
  bool compact, begun;
  cli_exit code = EXIT_YES;
  status st = read_all(a, &rules, &f, &compact, &d);
  if (st != OK)
    code = cli_fail(a, st, &d);
  else if ((st = print_moves(a, &f, &rules, compact, &begun, &d)) != OK)
    code = begun ? ended_early(st, &d) : cli_fail(a, st, &d);
  schedule_free(f.s);
  schedule_reader_free(f.list);
  cdag_free(f.g);
  return code;
}

static const cli_option_id options[] = { CLI_M, CLI_MEMORY, CLI_WORD, CLI_RULES, CLI_ONE_SHOT, CLI_PARAM,
                                         CLI_FORMAT, CLI_OUTPUT, CLI_OPTIONS };

const cli_verb cli_verb_moves = {
  .name = "moves",
  .arguments = "SPEC SCHED",
  .least = 2,
  .most = 2,
  .summary = "print the elementary moves of a schedule",
  .description = "Prints one move a line, in the schedule language, so that the list can be verified in its turn. "
                 "`dropping` becomes\n"
                 "`compute X[..] dropping Y[..]` with the first pebble dropped, which keeps its meaning under sliding, "
                 "and a drop for each other.\n"
                 "The moves are not judged: use verify for that. --json makes them the strings of one array, `moves`;\n"
                 "with -o FILE it says how many moves and bytes the file has.\n\n"
                 "--format compact writes the list in bytes, one for most moves, for verify and count; given such a\n"
                 "file as SCHED, moves prints its text.",
  .examples = "$ redblue moves matmul:m=1,n=1,k=2 naive -M 4\n"
              "$ redblue moves matmul:m=9,n=9,k=9 naive -M 4 --format compact -o list",
  .options = options,
  .run = run,
};
