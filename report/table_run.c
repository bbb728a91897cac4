/* table_run.c -- the rows, computed by one process or several.

   Worker w of J computes the rows w, w + J, ... of those still missing and writes each to its pipe as one record; the
   parent reads the pipes, keeps the cells and hands rows on in order.  An interrupt ends the workers; the rows that
   came before are kept. */
#include "report/table.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- one row ---- */

static const report_case *case_of(const report_table *t, size_t row)
{
  return t->n_cases ? &t->cases[row / report_sweep_rows(&t->sweep)] : NULL;
}

/* SPEC with the swept variables that are no M put behind it. */
static void row_spec(text *out, const report_table *t, const report_case *c, const int64_t *value, uint64_t *m)
{
  text_add(out, c ? c->spec : text_str(&t->spec));
  bool colon = strchr(text_str(out), ':') != NULL;
  *m = c ? c->m : 0;
  for (int i = 0; i < t->sweep.variables; i++) {
    if (strcmp(t->sweep.variable[i].name, "M") == 0)
      *m = (uint64_t)value[i];
    else {
      text_printf(out, "%c%s=%lld", colon ? ',' : ':', t->sweep.variable[i].name, (long long)value[i]);
      colon = true;
    }
  }
}

/* What an expression of this row may name: the sweep's variables, the case's names, the columns so far. */
enum { NAMES = REPORT_SWEEP_VARIABLES + REPORT_CASE_NAMES + 3 + REPORT_COLUMNS };
typedef struct {
  int n;
  const char *name[NAMES];
  report_value value[NAMES];
} row_names;

static report_value *add_name(row_names *r, const char *name)
{
  r->name[r->n] = name;
  report_value_init(&r->value[r->n]);
  return &r->value[r->n++];
}

static void add_number(row_names *r, const char *name, int64_t number)
{
  report_value *v = add_name(r, name);
  mpq_set_si(v->q, number, 1);
  v->number = true;
}

static void add_word(row_names *r, const char *name, const char *word)
{
  int64_t number;
  if (num_parse(word, &number)) {
    add_number(r, name, number);
    return;
  }
  report_value *v = add_name(r, name);
  snprintf(v->word, sizeof v->word, "%s", word);
}

static void fill_names(row_names *r, const report_table *t, size_t row, const int64_t *swept)
{
  const report_case *c = case_of(t, row);
  size_t iteration = row % report_sweep_rows(&t->sweep);
  const char *machine = c && c->m ? c->machine : report_sweep_machine(&t->sweep, iteration);
  for (int i = 0; i < t->sweep.variables; i++)
    add_number(r, t->sweep.variable[i].name, swept[i]);
  add_word(r, "machine", machine ? machine : "none");
  if (!c)
    return;
  add_number(r, "case", (int64_t)(row / report_sweep_rows(&t->sweep)) + 1);
  if (c->m)
    add_number(r, "M", (int64_t)c->m);
  for (int i = 0; i < c->names; i++)
    add_word(r, c->name[i], c->value[i]);
}

/* No number, where there could be one. */
static bool is_missing(const report_value *v)
{
  static const char *const missing[] = { "overflow", "illegal", "none", "undefined" };
  for (size_t i = 0; i < sizeof missing / sizeof *missing && !v->number; i++)
    if (strcmp(v->word, missing[i]) == 0)
      return true;
  return false;
}

static status columns_of_row(const report_table *t, report_setting *s, row_names *r, char **cell, diag *d)
{
  status st = OK;
  for (int c = 0; c < t->columns && st == OK; c++) {
    report_names names = { r->n, r->name, r->value };
    report_value *v = add_name(r, t->column[c].title);
    st = report_evaluate(s, t->column[c].expression, &names, v, d);
    SCOPED_TEXT out = { 0 };
    report_value_print(&out, v);
    cell[c] = mem_text(t->says_missing && is_missing(v) ? text_str(&t->missing) : text_str(&out));
  }
  return st;
}

static status compute_row(const report_table *t, size_t row, char **cell, diag *d)
{
  int64_t swept[REPORT_SWEEP_VARIABLES];
  SCOPED_TEXT spec = { 0 };
  pebble_rules rules = t->rules;
  report_setting *s = NULL;
  row_names names = { 0 };
  report_sweep_row(&t->sweep, row % report_sweep_rows(&t->sweep), swept);
  fill_names(&names, t, row, swept);
  row_spec(&spec, t, case_of(t, row), swept, &rules.m);
  status st = report_setting_new(&s, text_str(&spec), &rules, d);
  if (st == OK)
    st = columns_of_row(t, s, &names, cell, d);
  for (int i = 0; i < names.n; i++)
    report_value_clear(&names.value[i]);
  report_setting_free(s);
  return st;
}

/* ---- workers ---- */

typedef struct {
  pid_t pid;
  int fd;
  text buffer;
} worker;

typedef struct {
  const report_table *t;
  const report_run *r;
  report_cells *c;
  bool *there;                 /* which rows were there before */
  bool refused;                /* by the sink */
  size_t next;                 /* first row not yet handed on */
  size_t done, wanted;
} running;

static bool in_shard(const report_run *r, size_t row) { return row % r->shards == r->shard - 1; }
static bool is_there(const running *x, size_t row) { return x->c->cell[row * (size_t)x->t->columns] != NULL; }

static bool over(const running *x) { return x->refused || clock_interrupted(); }

static void hand_on(running *x)
{
  for (; x->next < x->c->rows && (!in_shard(x->r, x->next) || is_there(x, x->next)); x->next++)
    if (in_shard(x->r, x->next) && x->r->sink && !x->refused)
      x->refused = !x->r->sink(x->r->context, x->next, !x->there[x->next]);
}

static void show(const running *x)
{
  if (x->r->progress)
    fprintf(stderr, "\r%zu of %zu rows", x->done, x->wanted);
}

/* A record: the row, its cells after tabs, a line end; or "!" and the trouble.  Cells hold neither tab nor line end. */
static void write_record(text *out, const report_table *t, size_t row, char *const *cell)
{
  text_printf(out, "%zu", row);
  for (int c = 0; c < t->columns; c++)
    text_printf(out, "\t%s", cell[c]);
  text_char(out, '\n');
}

static bool send_all(int fd, const text *t)
{
  for (size_t sent = 0; sent < t->n;) {
    ssize_t n = write(fd, t->s + sent, t->n - sent);
    if (n < 0 && errno != EINTR)
      return false;
    sent += n > 0 ? (size_t)n : 0;
  }
  return true;
}

static _Noreturn void work(const running *x, int which, int fd)
{
  size_t nth = 0;
  for (size_t row = 0; row < x->c->rows; row++) {
    if (!in_shard(x->r, row) || is_there(x, row) || nth++ % (size_t)x->r->jobs != (size_t)which)
      continue;
    char *cell[REPORT_COLUMNS] = { 0 };
    diag d = { 0 };
    SCOPED_TEXT record = { 0 };
    status st = compute_row(x->t, row, cell, &d);
    if (st == OK)
      write_record(&record, x->t, row, cell);
    else
      text_printf(&record, "!%d\t%s\n", (int)st, d.message);
    bool sent = send_all(fd, &record);
    for (int c = 0; c < REPORT_COLUMNS; c++)
      mem_free(cell[c]);
    if (st != OK || !sent)
      break;
  }
  _exit(0);
}

static status take_record(running *x, char *line, diag *d)
{
  if (*line == '!') {
    char *message = strchr(line, '\t');
    return diag_set(d, (status)atoi(line + 1), "usage", "%s", message ? message + 1 : "a row could not be computed");
  }
  char *rest = line;
  size_t row = strtoul(strsep(&rest, "\t"), NULL, 10);
  for (int c = 0; c < x->t->columns; c++)
    x->c->cell[row * (size_t)x->t->columns + (size_t)c] = mem_text(strsep(&rest, "\t"));
  x->done++;
  hand_on(x);
  show(x);
  return OK;
}

static status take_records(running *x, text *buffer, diag *d)
{
  status st = OK;
  char *start = buffer->s, *end;
  while (st == OK && buffer->n && (end = memchr(start, '\n', buffer->n - (size_t)(start - buffer->s)))) {
    *end = '\0';
    st = take_record(x, start, d);
    start = end + 1;
  }
  if (buffer->n) {
    size_t used = (size_t)(start - buffer->s);
    memmove(buffer->s, start, buffer->n - used);
    buffer->n -= used;
  }
  return st;
}

static status start_workers(const running *x, worker *w, diag *d)
{
  for (int i = 0; i < x->r->jobs; i++) {
    int ends[2];
    if (pipe(ends) != 0)
      return diag_set(d, IO_ERROR, "file", "cannot make a pipe: %s", strerror(errno));
    fflush(NULL);
    w[i].pid = fork();
    if (w[i].pid == 0) {
      clock_release();
      for (int k = 0; k < i; k++)
        close(w[k].fd);
      close(ends[0]);
      work(x, i, ends[1]);
    }
    close(ends[1]);
    w[i].fd = ends[0];
    if (w[i].pid < 0)
      return diag_set(d, IO_ERROR, "file", "cannot start a process: %s", strerror(errno));
  }
  return OK;
}

/* Read whatever comes until every pipe is closed. */
static status gather(running *x, worker *w, diag *d)
{
  struct pollfd p[256];
  int open = x->r->jobs;
  status st = OK;
  for (int i = 0; i < x->r->jobs; i++)
    p[i] = (struct pollfd){ w[i].fd, POLLIN, 0 };
  while (open && st == OK && !over(x)) {
    if (poll(p, (nfds_t)x->r->jobs, -1) < 0)
      continue;
    for (int i = 0; i < x->r->jobs && st == OK; i++) {
      char block[65536];
      if (!p[i].revents)
        continue;
      ssize_t n = read(p[i].fd, block, sizeof block);
      if (n > 0) {
        text_add_n(&w[i].buffer, block, (size_t)n);
        st = take_records(x, &w[i].buffer, d);
      } else if (n == 0 || errno != EINTR) {
        p[i].fd = -1;
        open--;
      }
    }
  }
  return st;
}

static void end_workers(worker *w, int n, bool kill_them)
{
  for (int i = 0; i < n; i++) {
    if (w[i].pid > 0 && kill_them)
      kill(w[i].pid, SIGKILL);
    if (w[i].pid > 0)
      waitpid(w[i].pid, NULL, 0);
    if (w[i].fd > 0)
      close(w[i].fd);
    text_clear(&w[i].buffer);
  }
}

static status run_here(running *x, diag *d)
{
  for (size_t row = 0; row < x->c->rows && !over(x); row++) {
    if (!in_shard(x->r, row) || is_there(x, row))
      continue;
    char *cell[REPORT_COLUMNS] = { 0 };
    status st = compute_row(x->t, row, cell, d);
    for (int c = 0; c < x->t->columns; c++)
      if (st == OK)
        x->c->cell[row * (size_t)x->t->columns + (size_t)c] = cell[c];
      else
        mem_free(cell[c]);
    if (st != OK)
      return st;
    x->done++;
    hand_on(x);
    show(x);
  }
  return OK;
}

static status run_there(running *x, diag *d)
{
  SCOPED_MEM worker *w = MEM_NEW(worker, (size_t)x->r->jobs);
  status st = start_workers(x, w, d);
  if (st == OK)
    st = gather(x, w, d);
  end_workers(w, x->r->jobs, st != OK || over(x));
  return st;
}

status report_table_run(const report_table *t, const report_run *r, report_cells *c, diag *d)
{
  running x = { .t = t, .r = r, .c = c, .there = MEM_NEW(bool, c->rows) };
  for (size_t row = 0; row < c->rows; row++) {
    x.there[row] = is_there(&x, row);
    x.wanted += in_shard(r, row) && !x.there[row];
  }
  clock_catch();
  hand_on(&x);
  status st = r->jobs > 1 ? run_there(&x, d) : run_here(&x, d);
  clock_release();
  mem_free(x.there);
  if (r->progress && x.wanted)
    fprintf(stderr, "\r                              \r");
  if (st == OK && clock_interrupted() && x.done < x.wanted)
    return diag_set(d, GAVE_UP, "limit", "interrupted after %zu of %zu rows", x.done, x.wanted);
  if (st == OK && x.done < x.wanted && !x.refused)
    return diag_set(d, SOLVER, "solver", "a worker ended before its rows were done: %zu of %zu are", x.done, x.wanted);
  return st;
}
