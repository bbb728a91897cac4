/* verb_table.c -- sweeps and tables. */
#include "base/mem.h"
#include "cli/common.h"
#include "report/table.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  report_table t;
  report_cells c;
  report_run run;
  report_format format;
  FILE *out;
} table_work;

static status read_file(report_table *t, const char *path, diag *d)
{
  text source = { 0 };
  status st = text_read_plain(&source, path, 1 << 20, d);
  if (st == OK)
    st = report_table_parse(t, text_str(&source), path, d);
  text_clear(&source);
  return st;
}

/* After --sweep n=1K..8K*2 the shell hands over the further settings, d=64 M=96K, as words of their own. */
static bool is_setting(const cli_args *a, int i)
{
  return a->times[CLI_SWEEP] > 0 && strchr(a->argument[i], '=');
}

static const char *table_file(const cli_args *a, int *files)
{
  const char *file = NULL;
  *files = 0;
  for (int i = 0; i < a->n; i++)
    if (!is_setting(a, i))
      file = a->argument[i], ++*files;
  return file;
}

static status read_sweep(const cli_args *a, report_sweep *s, diag *d)
{
  status st = OK;
  for (int i = 0; st == OK && i < a->times[CLI_SWEEP]; i++)
    st = report_sweep_parse(s, a->repeated[CLI_SWEEP][i], d);
  for (int i = 0; st == OK && i < a->n; i++)
    if (is_setting(a, i))
      st = report_sweep_parse(s, a->argument[i], d);
  return st;
}

static status read_table(const cli_args *a, report_table *t, diag *d)
{
  int files;
  const char *file = table_file(a, &files);
  if (files > 1)
    return diag_set(d, BAD_USAGE, "usage", "one table file at a time (several files are for --join)");
  status st = cli_variant(a, &t->rules, d);
  if (st == OK && file)
    st = read_file(t, file, d);
  const char *spec = a->value[CLI_SPEC] ? a->value[CLI_SPEC] : file ? NULL : "attention";
  if (st == OK && spec)
    text_clear(&t->spec), text_add(&t->spec, spec);
  if (st == OK)
    st = read_sweep(a, &t->sweep, d);
  if (st == OK && a->value[CLI_COLUMNS])
    st = report_table_add_columns(t, a->value[CLI_COLUMNS], d);
  if (a->value[CLI_CAPTION])
    text_clear(&t->caption), text_add(&t->caption, a->value[CLI_CAPTION]);
  if (a->value[CLI_LABEL])
    text_clear(&t->label), text_add(&t->label, a->value[CLI_LABEL]);
  return st == OK ? report_table_settle(t, d) : st;
}

static status read_shard(const cli_args *a, report_run *r, diag *d)
{
  const char *word = a->value[CLI_SHARD];
  char extra;
  r->shard = r->shards = 1;
  if (!word)
    return OK;
  if (sscanf(word, "%zu/%zu%c", &r->shard, &r->shards, &extra) != 2 || r->shard < 1 || r->shard > r->shards)
    return diag_set(d, BAD_USAGE, "usage", "--shard is I/N with 1 <= I <= N, such as 2/8, not '%s'", word);
  return OK;
}

static status read_options(const cli_args *a, table_work *w, diag *d)
{
  int64_t jobs;
  w->format = a->json ? REPORT_JSON : a->value[CLI_RESUME] || a->value[CLI_SHARD] ? REPORT_CSV : REPORT_TEXT;
  const char *format = a->value[CLI_FORMAT];
  if (format && !report_format_find(format, &w->format))
    return diag_set(d, BAD_USAGE, "usage", "--format is text, markdown, csv, json or latex, not '%s'", format);
  status st = cli_integer(a, CLI_JOBS, 1, 1, &jobs, d);
  w->run.jobs = jobs > 256 ? 256 : (int)jobs;
  w->run.progress = isatty(STDERR_FILENO) && !a->value[CLI_QUIET];
  return st == OK ? read_shard(a, &w->run, d) : st;
}

/* CSV goes out row by row, so that an interrupt loses nothing. */
static void put_csv_row(void *context, size_t row)
{
  table_work *w = context;
  text line = { 0 };
  report_csv_row(&line, &w->t, &w->c, row);
  fputs(line.s, w->out);
  fflush(w->out);
  text_clear(&line);
}

static status open_output(const cli_args *a, table_work *w, diag *d)
{
  const char *path = a->value[CLI_OUTPUT];
  w->out = stdout;
  if (!path || strcmp(path, "-") == 0)
    return OK;
  errno = 0;
  w->out = fopen(path, "wb");
  return w->out ? OK : diag_set(d, IO_ERROR, "file", "cannot write %s: %s", path, strerror(errno));
}

static status close_output(const cli_args *a, table_work *w, diag *d)
{
  if (!w->out || w->out == stdout)
    return OK;
  bool bad = ferror(w->out);
  return fclose(w->out) != 0 || bad ? diag_set(d, IO_ERROR, "file", "cannot write %s", a->value[CLI_OUTPUT]) : OK;
}

static void put_text(FILE *out, text *t)
{
  fputs(text_str(t), out);
  text_clear(t);
}

static status fill_table(table_work *w, diag *d)
{
  text whole = { 0 };
  if (w->format == REPORT_CSV) {
    report_csv_header(&whole, &w->t);
    put_text(w->out, &whole);
    fflush(w->out);
    w->run.sink = put_csv_row;
    w->run.context = w;
  }
  status st = report_table_run(&w->t, &w->run, &w->c, d);
  if (w->format != REPORT_CSV && st == OK) {
    report_table_print(&whole, &w->t, &w->c, w->format);
    put_text(w->out, &whole);
  }
  return st;
}

static status make_table(const cli_args *a, table_work *w, diag *d)
{
  status st = read_options(a, w, d);
  if (st == OK)
    st = read_table(a, &w->t, d);
  if (st != OK)
    return st;
  report_cells_init(&w->c, &w->t);
  const char *resume = a->value[CLI_RESUME];
  if (resume && access(resume, F_OK) == 0)
    st = report_csv_read(&w->t, &w->c, resume, d);
  if (st == OK)
    st = open_output(a, w, d);
  if (st == OK) {
    diag closing;
    st = fill_table(w, d);
    status closed = close_output(a, w, &closing);
    if (st == OK && closed != OK)
      *d = closing, st = closed;
  }
  report_cells_clear(&w->c, &w->t);
  return st;
}

static status join(const cli_args *a, diag *d)
{
  table_work w = { 0 };
  text out = { 0 };
  status st = a->n < 1 ? diag_set(d, BAD_USAGE, "usage", "--join wants the CSV files of all shards, in order") : report_csv_join(a->argument, a->n, &out, d);
  if (st == OK)
    st = open_output(a, &w, d);
  if (st == OK) {
    put_text(w.out, &out);
    st = close_output(a, &w, d);
  }
  text_clear(&out);
  return st;
}

static cli_exit run(const cli_args *a)
{
  diag d = { 0 };
  table_work w = { 0 };
  status st = a->value[CLI_JOIN] ? join(a, &d) : make_table(a, &w, &d);
  report_table_clear(&w.t);
  return st == OK ? EXIT_YES : cli_fail(a, st, &d);
}

static const cli_option_id options[] = { CLI_SPEC, CLI_SWEEP, CLI_COLUMNS, CLI_FORMAT, CLI_RULES, CLI_ONE_SHOT, CLI_JOBS, CLI_SHARD, CLI_JOIN,
                                         CLI_RESUME, CLI_CAPTION, CLI_LABEL, CLI_OUTPUT, CLI_OPTIONS };
const cli_verb cli_verb_table = {
  .name = "table", .arguments = "[FILE]", .least = 0, .most = -1,
  .summary = "sweep parameters and print a table",
  .description = "FILE describes the table (docs/tables.md); --spec, --sweep and --columns do the same from the command line;\n"
                 "without FILE the computation is attention unless --spec says otherwise.\n"
                 "--format is text, markdown, csv, json or latex.  A CSV is written row by row; --resume FILE keeps the rows FILE has.\n"
                 "--shard I/N does every N-th row; --join FILE... puts the shards' CSV files together.",
  .examples = "$ redblue table --sweep n=1K..128K*2 d=64,128 M=96K,256K\n"
              "$ redblue table --spec attention --sweep 'd=64,128 n=8K..128K*2 M=256K' --columns 'bound,tuned(attenio),gap'\n"
              "$ redblue table examples/paper/attenio.table --format latex",
  .options = options, .run = run,
};
