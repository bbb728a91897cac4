/* args.c -- options and arguments of one verb.  Our own small parser rather than getopt or argp, because a usage error
   must be a JSON object under --json and must suggest the nearest name (docs/architecture.md). */
#include "cli/cli_internal.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/output.h"
#include "report/machine.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool always_taken(cli_option_id id)
{
  return id == CLI_HELP || id == CLI_JSON || id == CLI_QUIET || id == CLI_LIMIT_MEMORY || id == CLI_LIMIT_TIME;
}

static bool lists(const cli_verb *verb, cli_option_id id)
{
  for (const cli_option_id *o = verb->options; *o != CLI_OPTIONS; o++)
    if (*o == id)
      return true;
  return false;
}

/* Where M is asked for, a machine can give it. */
bool cli_verb_takes(const cli_verb *verb, cli_option_id id)
{
  return always_taken(id) || lists(verb, id) || (id == CLI_MACHINE && lists(verb, CLI_M));
}

static status no_such_option(const cli_verb *verb, const char *word, diag *d)
{
  const char *names[CLI_OPTIONS];
  int n = 0;
  for (int id = 0; id < CLI_OPTIONS; id++)
    if (cli_verb_takes(verb, (cli_option_id)id))
      names[n++] = cli_option_table[id].name;
  const char *near = diag_nearest(word, names, n);
  return diag_set(d, BAD_USAGE, "usage", "'%s' has no option --%s%s%s%s", verb->name, word,
                  near ? "; did you mean --" : "", near ? near : "", near ? "?" : "");
}

static int find_long(const cli_verb *verb, const char *name, size_t length)
{
  for (int id = 0; id < CLI_OPTIONS; id++)
    if (strlen(cli_option_table[id].name) == length && memcmp(cli_option_table[id].name, name, length) == 0 &&
        cli_verb_takes(verb, (cli_option_id)id))
      return id;
  return -1;
}

static int find_letter(const cli_verb *verb, char letter)
{
  for (int id = 0; id < CLI_OPTIONS; id++)
    if (cli_option_table[id].letter == letter && letter && cli_verb_takes(verb, (cli_option_id)id))
      return id;
  return -1;
}

static void put(cli_args *a, int id, const char *value)
{
  a->value[id] = value;
  a->repeated[id] = mem_grow(a->repeated[id], (size_t)a->times[id] + 1, sizeof(char *));
  a->repeated[id][a->times[id]++] = value;
}

typedef struct { int argc, at; char **argv; } cursor;

/* Value of option id: attached text if any, else the next word. */
static status take_value(cli_args *a, cursor *c, int id, const char *attached, diag *d)
{
  const cli_option *o = &cli_option_table[id];
  if (!o->argument) {
    if (attached)
      return diag_set(d, BAD_USAGE, "usage", "--%s takes no value", o->name);
    put(a, id, "");
    return OK;
  }
  if (!attached && c->at >= c->argc)
    return diag_set(d, BAD_USAGE, "usage", "--%s needs a value: %s", o->name, o->argument);
  put(a, id, attached ? attached : c->argv[c->at++]);
  return OK;
}

static status take_long(const cli_verb *verb, cli_args *a, cursor *c, const char *word, diag *d)
{
  const char *equals = strchr(word, '=');
  size_t length = equals ? (size_t)(equals - word) : strlen(word);
  int id = find_long(verb, word, length);
  if (id >= 0)
    return take_value(a, c, id, equals ? equals + 1 : NULL, d);
  char *name = mem_text_n(word, length);
  status st = no_such_option(verb, name, d);
  mem_free(name);
  return st;
}

static status take_letters(const cli_verb *verb, cli_args *a, cursor *c, const char *letters, diag *d)
{
  for (; *letters; letters++) {
    int id = find_letter(verb, *letters);
    if (id < 0)
      return diag_set(d, BAD_USAGE, "usage", "'%s' has no option -%c%s", verb->name, *letters,
                      *letters == 'M' && cli_verb_takes(verb, CLI_SWEEP) ? "; sweep it: --sweep M=16K" : "");
    if (cli_option_table[id].argument && !letters[1] && c->at >= c->argc)
      return diag_set(d, BAD_USAGE, "usage", "-%c needs a value: %s", *letters, cli_option_table[id].argument);
    if (cli_option_table[id].argument)
      return take_value(a, c, id, letters[1] ? letters + 1 : NULL, d);
    put(a, id, "");
  }
  return OK;
}

static status parse(const cli_verb *verb, cli_args *a, int argc, char **argv, char **rest, diag *d)
{
  cursor c = { argc, 0, argv };
  bool only_arguments = false;
  status st = OK;
  while (st == OK && c.at < c.argc) {
    char *word = c.argv[c.at++];
    if (only_arguments || word[0] != '-' || word[1] == '\0')
      rest[a->n++] = word;
    else if (strcmp(word, "--") == 0)
      only_arguments = true;
    else if (word[1] == '-')
      st = take_long(verb, a, &c, word + 2, d);
    else
      st = take_letters(verb, a, &c, word + 1, d);
  }
  a->argument = rest;
  return st;
}

/* The first example of the verb itself, others may lead up to it. */
static const char *example_of(const cli_verb *verb)
{
  for (const char *e = verb->examples; e; e = strchr(e, '\n') ? strchr(e, '\n') + 1 : NULL)
    if (strncmp(e, "$ redblue ", 10) == 0 && strncmp(e + 10, verb->name, strlen(verb->name)) == 0)
      return e + 2;
  return verb->examples + 2;
}

static status check_count(const cli_verb *verb, const cli_args *a, diag *d)
{
  const char *example = example_of(verb);
  if (a->n < verb->least || (verb->most >= 0 && a->n > verb->most))
    return diag_set(d, BAD_USAGE, "usage", "%s arguments; usage: redblue %s%s%s, for example %.*s",
                    a->n < verb->least ? "too few" : "too many", verb->name, *verb->arguments ? " " : "",
                    verb->arguments, (int)strcspn(example, "\n"), example);
  return OK;
}

bool cli_wants_json(int argc, char **argv)
{
  for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "--json") == 0)
      return true;
  return false;
}

/* A file that cannot be written is found out before the search for what shall stand in it. */
static status try_outputs(const cli_args *a, diag *d)
{
  static const cli_option_id files[] = { CLI_OUTPUT, CLI_MOVES, CLI_CERTIFICATE, CLI_COQ };
  status st = OK;
  for (size_t i = 0; st == OK && i < sizeof files / sizeof *files; i++)
    st = output_try(a->value[files[i]], d);
  return st;
}

cli_exit cli_run(const cli_verb *verb, int argc, char **argv)
{
  cli_args a = { .json = cli_wants_json(argc, argv) };
  char **rest = MEM_NEW(char *, (size_t)argc + 1);
  diag d = { 0 };
  cli_exit code = EXIT_YES;
  status st = parse(verb, &a, argc, argv, rest, &d);
  if (st == OK && a.value[CLI_HELP])
    cli_print_help(stdout, verb);
  else {
    if (st == OK)
      st = check_count(verb, &a, &d);
    if (st == OK)
      st = cli_limits(verb, &a, &d);
    if (st == OK)
      st = try_outputs(&a, &d);
    code = st == OK ? verb->run(&a) : cli_fail(&a, st, &d);
  }
  for (int id = 0; id < CLI_OPTIONS; id++)
    mem_free(a.repeated[id]);
  mem_free(rest);
  return code;
}

static cli_exit exit_of(status st)
{
  switch (st) {
  case OK: return EXIT_YES;
  case BAD_USAGE: return EXIT_USAGE;
  case GAVE_UP: return EXIT_GAVE_UP;
  case CONTRADICTION: return EXIT_CONTRADICTION;
  default: return EXIT_BAD_INPUT;
  }
}

void cli_say(const diag *d)
{
  fprintf(stderr, "redblue: ");
  if (d->file[0])
    fprintf(stderr, "%s:", d->file);
  if (d->line)
    fprintf(stderr, "%d:%d:", d->line, d->column);
  fprintf(stderr, "%s%s\n", d->file[0] || d->line ? " " : "", d->message);
}

cli_exit cli_side_failed(const diag *d)
{
  cli_say(d);
  return EXIT_BAD_INPUT;
}

cli_exit cli_fail(const cli_args *a, status st, const diag *d)
{
  cli_say(d);
  if (a->json) {
    json j = { 0 };
    json_open(&j, '{');
    json_put_error(&j, d);
    cli_json_end(&j, NULL);
  }
  return exit_of(st);
}

void cli_json_end(json *j, const char *trust)
{
  if (trust)
    json_put_string(j, "trust", trust);
  json_put_string(j, "version", REDBLUE_VERSION);
  json_put_int(j, "schema", CLI_SCHEMA);
  json_close(j, '}');
  puts(text_str(&j->out));
  json_clear(j);
}

/* "192KiB", "192K", "192KB", "196608", "196608B": bytes, 1024-based. */
static bool parse_bytes(const char *s, int64_t *bytes)
{
  size_t n = strlen(s);
  SCOPED_MEM char *copy = mem_text(s);
  if (n > 1 && (copy[n - 1] == 'B' || copy[n - 1] == 'b'))
    copy[--n] = '\0';
  if (n > 1 && copy[n - 1] == 'i' && isalpha((unsigned char)copy[n - 2]))
    copy[--n] = '\0';
  return num_parse(copy, bytes) && *bytes >= 0;
}

static status machine_memory(const char *name, uint64_t *m, diag *d)
{
  report_machine machine;
  status st = report_machine_open(&machine, name, d);
  *m = st == OK ? (uint64_t)machine.memory : 0;
  return st;
}

/* SPEC,M=20 */
static bool names_memory(const cli_args *a)
{
  return a->n > 0 && (strstr(a->argument[0], ",M=") || strstr(a->argument[0], ":M="));
}

status cli_memory(const cli_args *a, uint64_t *m, diag *d)
{
  int64_t words, bytes, word = 2;
  if (a->value[CLI_M]) {
    if (a->value[CLI_MEMORY])
      return diag_set(d, BAD_USAGE, "usage", "give the fast memory once: -M or --memory");
    if (!num_parse(a->value[CLI_M], &words) || words < 0)
      return diag_set(d, BAD_USAGE, "usage", "-M needs a number of words below 2^63, such as 256 or 96K, not '%s'",
                      a->value[CLI_M]);
    *m = (uint64_t)words;
    return OK;
  }
  if (!a->value[CLI_MEMORY] && a->value[CLI_MACHINE])
    return machine_memory(a->value[CLI_MACHINE], m, d);
  if (!a->value[CLI_MEMORY])
    return diag_set(d, BAD_USAGE, "usage",
                    names_memory(a) ? "M is fast memory and no parameter: give it as -M WORDS behind the computation"
                                    : "how much fast memory? give -M WORDS, --memory SIZE --word BYTES, or "
                                      "--machine NAME");
  if (!parse_bytes(a->value[CLI_MEMORY], &bytes))
    return diag_set(d, BAD_USAGE, "usage", "--memory needs a size such as 192KiB, not '%s'", a->value[CLI_MEMORY]);
  status st = cli_integer(a, CLI_WORD, 1, 2, &word, d);
  if (st == OK)
    *m = (uint64_t)(bytes / word);
  return st;
}

status cli_integer(const cli_args *a, cli_option_id id, int64_t least, int64_t fallback, int64_t *value, diag *d)
{
  *value = fallback;
  if (!a->value[id])
    return OK;
  if (!num_parse(a->value[id], value) || *value < least)
    return diag_set(d, BAD_USAGE, "usage", "--%s needs a whole number of at least %lld, not '%s'",
                    cli_option_table[id].name, (long long)least, a->value[id]);
  return OK;
}

status cli_seconds(const cli_args *a, cli_option_id id, double fallback, double *value, diag *d)
{
  *value = fallback;
  if (!a->value[id])
    return OK;
  char *end;
  double seconds = strtod(a->value[id], &end);
  bool digits = a->value[id][strspn(a->value[id], "0123456789.eE+-")] == '\0';
  if (end == a->value[id] || *end || !digits || !(seconds > 0) || seconds > 1e9)
    return diag_set(d, BAD_USAGE, "usage", "--%s needs a number of seconds above 0, such as 0.5 or 60, not '%s'",
                    cli_option_table[id].name, a->value[id]);
  *value = seconds;
  return OK;
}
