/* verb_table.c -- sweeps and tables. */
#include "base/mem.h"
#include "base/output.h"
#include "cli/common.h"
#include "report/table.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  report_table t;
  report_cells c;
  report_run run;
  report_format format;
  const char *path;            /* of the output, or NULL */
  output out;
  bool open;
  text kept;                   /* of a CSV: what goes out before the first row that is new */
  diag trouble;                /* with writing, found while rows are made */
  status written;
} table_work;

static status read_file(report_table *t, const char *path, diag *d)
{
  SCOPED_TEXT source = { 0 };
  status st = text_read_plain(&source, path, 1 << 20, d);
  if (st == OK)
    st = report_table_parse(t, text_str(&source), path, d);
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
  if (a->value[CLI_MISSING])
    t->says_missing = true, text_clear(&t->missing), text_add(&t->missing, a->value[CLI_MISSING]);
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
  const char *format = a->value[CLI_FORMAT], *fit = a->value[CLI_FIT];
  if (fit && !report_fit_find(fit, &w->t.fit))
    return diag_set(d, BAD_USAGE, "usage", "--fit is none, column, page or landscape, not '%s'", fit);
  if (format && !report_format_find(format, &w->format))
    return diag_set(d, BAD_USAGE, "usage", "--format is text, markdown, csv, json or latex, not '%s'", format);
  status st = cli_integer(a, CLI_JOBS, 1, 1, &jobs, d);
  w->run.jobs = jobs > 256 ? 256 : (int)jobs;
  w->run.progress = isatty(STDERR_FILENO) && !a->value[CLI_QUIET];
  return st == OK ? read_shard(a, &w->run, d) : st;
}

/* ---- output ---- */

/* CSV goes out row by row, so that nothing kills a row that is done.  The file has its name from the first new row on:
   what stood there stays until then, and every row of it that was kept is written before. */
static void put_kept(table_work *w)
{
  if (!w->open && w->written == OK) {
    w->written = output_open(&w->out, w->path, &w->trouble);
    w->open = w->written == OK;
  }
  if (w->written == OK)
    fputs(text_str(&w->kept), w->out.to);
  text_clear(&w->kept);
  if (w->written == OK)
    w->written = output_commit(&w->out, &w->trouble);
}

/* Rows that were kept are there before any that is computed; false stops the run. */
static bool put_csv_row(void *context, size_t row, bool is_new)
{
  table_work *w = context;
  report_csv_row(&w->kept, &w->t, &w->c, row);
  if (is_new)
    put_kept(w);
  return w->written == OK && (!w->open || (fflush(w->out.to) == 0 && !ferror(w->out.to)));
}

static status print_whole(table_work *w, diag *d)
{
  SCOPED_TEXT whole = { 0 };
  report_table_print(&whole, &w->t, &w->c, w->format);
  return text_write(&whole, w->path, d);
}

/* What is done is kept where it is a CSV, and only there. */
static void say_what_is_kept(const table_work *w, diag *d)
{
  size_t n = strlen(d->message), room = sizeof d->message - n;
  if (w->format != REPORT_CSV)
    snprintf(d->message + n, room, "; none is kept: only a CSV can be resumed (--format csv -o FILE)");
  else if (w->path && strcmp(w->path, "-") != 0)
    snprintf(d->message + n, room, "; --resume %s goes on from there", w->path);
  else
    snprintf(d->message + n, room, "; what was printed, in a file, is what --resume FILE goes on from");
}

static status fill_csv(table_work *w, diag *d)
{
  report_csv_header(&w->kept, &w->t);
  w->run.sink = put_csv_row;
  w->run.context = w;
  status st = report_table_run(&w->t, &w->run, &w->c, d);
  if (st == OK || w->open)
    put_kept(w);
  if (w->open && w->written == OK)
    w->written = output_close(&w->out, &w->trouble);
  else if (w->open)
    output_drop(&w->out);
  if (w->written != OK)
    *d = w->trouble, st = w->written;
  return st;
}

static status fill_table(table_work *w, diag *d)
{
  status st = w->format == REPORT_CSV ? fill_csv(w, d) : report_table_run(&w->t, &w->run, &w->c, d);
  if (st == OK && w->format != REPORT_CSV)
    return print_whole(w, d);
  if (st == GAVE_UP || st == SOLVER)
    say_what_is_kept(w, d);
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
    st = fill_table(w, d);
  report_cells_clear(&w->c, &w->t);
  text_clear(&w->kept);
  return st;
}

static status join(const cli_args *a, diag *d)
{
  SCOPED_TEXT out = { 0 };
  status st = a->n < 1 ? diag_set(d, BAD_USAGE, "usage", "--join wants the CSV files of all shards, in order")
                       : report_csv_join(a->argument, a->n, &out, d);
  if (st == OK)
    st = text_write(&out, a->value[CLI_OUTPUT], d);
  return st;
}

static cli_exit run(const cli_args *a)
{
  diag d = { 0 };
  table_work w = { .path = a->value[CLI_OUTPUT] };
  status st = a->value[CLI_JOIN] ? join(a, &d) : make_table(a, &w, &d);
  report_table_clear(&w.t);
  return st == OK ? EXIT_YES : cli_fail(a, st, &d);
}

static const cli_option_id options[] = { CLI_SPEC,    CLI_SWEEP, CLI_COLUMNS, CLI_FORMAT, CLI_RULES,   CLI_ONE_SHOT,
                                         CLI_JOBS,    CLI_SHARD, CLI_JOIN,    CLI_RESUME, CLI_MISSING, CLI_FIT,
                                         CLI_CAPTION, CLI_LABEL, CLI_OUTPUT,  CLI_OPTIONS };
const cli_verb cli_verb_table = {
  .name = "table",
  .arguments = "[FILE]",
  .least = 0,
  .most = -1,
  .summary = "sweep parameters and print a table",
  .description =
      "FILE describes the table (docs/tables.md); --spec, --sweep and --columns do the same from the command line;\n"
      "without FILE the computation is attention unless --spec says otherwise.\n"
      "--format is text, markdown, csv, json or latex.  A CSV is written row by row; --resume FILE keeps the rows FILE "
      "has.\n"
      "--shard I/N does every N-th row; --join FILE... puts the shards' CSV files together.",
  .examples =
      "$ redblue table --sweep n=1K..128K*2 d=64,128 M=96K,256K\n"
      "$ redblue table --spec attention --sweep 'd=64,128 n=8K..128K*2 M=256K' --columns 'bound,tuned(attenio),gap'\n"
      "$ redblue table examples/paper/attenio.table --format latex",
  .options = options,
  .run = run,
};
