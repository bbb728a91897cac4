/* table.c -- reading a table's description. */
#include "report/table.h"
#include "base/mem.h"
#include "base/num.h"
#include "report/machine.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

status report_table_add_column(report_table *t, const char *title, const char *expression, int decimals, bool hidden,
                               diag *d)
{
  if (t->columns == REPORT_COLUMNS)
    return diag_set(d, BAD_USAGE, "usage", "a table has at most %d columns", REPORT_COLUMNS);
  if (!*title || !*expression)
    return diag_set(d, BAD_USAGE, "usage",
                    "a column needs a title and an expression: column gap = tuned(attenio) / bound");
  t->column[t->columns++] = (report_column){
    .title = mem_text(title), .expression = mem_text(expression), .decimals = decimals, .hidden = hidden
  };
  return OK;
}

static bool names_title(const char *part);
static status parse_column(report_table *t, char *line, bool hidden, diag *d);

status report_table_add_columns(report_table *t, const char *list, diag *d)
{
  text part = { 0 };
  status st = OK;
  int depth = 0;
  bool quoted = false;
  for (const char *at = list; st == OK; at++) {
    quoted ^= *at == '"';
    depth += quoted ? 0 : (*at == '(') - (*at == ')');
    if (*at && (*at != ',' || depth || quoted)) {
      text_char(&part, *at);
      continue;
    }
    char *column = mem_text(text_str(&part)), *name = text_trim(column);
    st = names_title(name) ? parse_column(t, name, false, d) : report_table_add_column(t, name, name, -1, false, d);
    if (st == BAD_INPUT)
      st = BAD_USAGE;
    mem_free(column);
    text_clear(&part);
    if (!*at)
      break;
  }
  text_clear(&part);
  return st;
}

/* Does an = stand outside of brackets and quotes?  io(attenio:a=7) has none. */
static bool names_title(const char *part)
{
  int depth = 0;
  bool quoted = false;
  for (; *part; part++) {
    quoted ^= *part == '"';
    depth += quoted ? 0 : (*part == '(') - (*part == ')');
    if (*part == '=' && depth == 0 && !quoted)
      return true;
  }
  return false;
}

/* TITLE [decimals] = EXPRESSION */
static status parse_column(report_table *t, char *line, bool hidden, diag *d)
{
  char *title = line, *rest, *end;
  int decimals = -1;
  if (*line == '"') {
    title = line + 1;
    rest = strchr(title, '"');
    if (!rest)
      return diag_set(d, BAD_INPUT, "syntax", "the title has no closing quote");
    *rest++ = '\0';
  } else {
    rest = line + strcspn(line, "=[");
  }
  char mark = *rest;
  if (mark)
    *rest++ = '\0';
  char *equals = mark == '=' ? rest - 1 : mark ? strchr(rest, '=') : NULL;
  char *bracket = mark == '['                     ? rest - 1
                  : mark && mark != '=' && equals ? memchr(rest, '[', (size_t)(equals - rest))
                                                  : NULL;
  if (!equals)
    return diag_set(d, BAD_INPUT, "syntax", "expected 'column TITLE = EXPRESSION'");
  bool math = bracket && strncmp(bracket + 1, "math]", 5) == 0;
  if (bracket && !math) {
    decimals = (int)strtol(bracket + 1, &end, 10);
    if (end == bracket + 1 || *end != ']' || decimals < 0 || decimals > 15)
      return diag_set(d, BAD_INPUT, "syntax", "expected a number of decimals in brackets, such as [2], or [math]");
  }
  status st = report_table_add_column(t, text_trim(title), text_trim(equals + 1), decimals, hidden, d);
  if (st == OK)
    t->column[t->columns - 1].math = math;
  return st;
}

static status parse_summary(report_table *t, const char *line, diag *d)
{
  char by[64] = "", extra;
  if (strcmp(line, "geomean") != 0 && sscanf(line, "geomean by %63s %c", by, &extra) != 1)
    return diag_set(d, BAD_INPUT, "syntax", "expected 'summary geomean' or 'summary geomean by VARIABLE'");
  t->summary = true;
  memcpy(t->summary_by, by, sizeof by);
  return OK;
}

static status parse_rules(report_table *t, const char *word, diag *d)
{
  if (strcmp(word, "placing") && strcmp(word, "sliding"))
    return diag_set(d, BAD_INPUT, "syntax", "the rules of a table are placing or sliding, not '%s'", word);
  t->rules.variant = strcmp(word, "sliding") == 0 ? PEBBLE_SLIDING : PEBBLE_PLACING;
  return OK;
}

/* The next NAME=VALUE of a line, VALUE in quotes where it holds blanks; both end there, in place.  False at the end. */
static bool next_setting(char **at, char **name, char **value)
{
  char *s = *at + strspn(*at, " \t");
  *name = s;
  s += strcspn(s, "= \t");
  if (*s != '=')
    return false;
  *s++ = '\0';
  bool quoted = *s == '"';
  *value = s += quoted;
  s += strcspn(s, quoted ? "\"" : " \t");
  *at = *s ? s + 1 : s;
  *s = '\0';
  return true;
}

static status case_memory(report_case *c, const char *value, diag *d)
{
  int64_t words;
  report_machine m;
  if (num_parse(value, &words) && words > 0) {
    c->m = (uint64_t)words;
    return OK;
  }
  status st = report_machine_open(&m, value, d);
  c->m = st == OK ? (uint64_t)m.memory : 0;
  c->machine = mem_text(value);
  return st;
}

static status case_setting(report_case *c, const char *name, const char *value, diag *d)
{
  if (strcmp(name, "M") == 0)
    return case_memory(c, value, d);
  if (!isalpha((unsigned char)*name) ||
      name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")])
    return diag_set(d, BAD_INPUT, "syntax", "'%s' is no name", name);
  if (c->names == REPORT_CASE_NAMES)
    return diag_set(d, BAD_INPUT, "syntax", "a case has at most %d names", REPORT_CASE_NAMES);
  for (const char *v = value; *v; v++)
    if (iscntrl((unsigned char)*v))
      return diag_set(d, BAD_INPUT, "syntax", "the value of %s holds a tab or the like", name);
  c->name[c->names] = mem_text(name);
  c->value[c->names++] = mem_text(value);
  return OK;
}

/* SPEC NAME=VALUE ... */
static status parse_case(report_table *t, char *line, diag *d)
{
  char *name, *value, *at = line + strcspn(line, " \t");
  if (t->n_cases == REPORT_CASES || !*line)
    return diag_set(d, BAD_INPUT, "syntax",
                    *line ? "a table has at most %d cases" : "expected 'case SPEC NAME=VALUE ...'", REPORT_CASES);
  if (*at)
    *at++ = '\0';
  t->cases = mem_room(t->cases, t->n_cases, &t->cases_room, sizeof *t->cases);
  report_case *c = &t->cases[t->n_cases++];
  *c = (report_case){ .spec = mem_text(line) };
  status st = OK;
  while (st == OK && next_setting(&at, &name, &value))
    st = case_setting(c, name, value, d);
  if (st == OK && *name)
    st = diag_set(d, BAD_INPUT, "syntax", "expected NAME=VALUE, not '%s'", name);
  return st;
}

static void case_clear(report_case *c)
{
  mem_free(c->spec);
  mem_free(c->machine);
  for (int i = 0; i < c->names; i++) {
    mem_free(c->name[i]);
    mem_free(c->value[i]);
  }
}

static void replace(text *to, const char *with)
{
  text_clear(to);
  text_add(to, with);
}

static void remove_blanks(char *s)
{
  char *to = s;
  for (; *s; s++)
    if (!isspace((unsigned char)*s))
      *to++ = *s;
  *to = '\0';
}

/* Names of files beside the table: each word of s that is one, seen from its folder, with the folder before it. */
static char *beside(const char *s, const char *folder, size_t length)
{
  static const char ends[] = ":,=@()+*^ \t\"";
  text out = { 0 }, path = { 0 };
  for (size_t n; *s; s += n) {
    n = strcspn(s, ends);
    text_clear(&path);
    text_add_n(&path, folder, length);
    text_add_n(&path, s, n);
    bool is_file = n && *s != '/' && strpbrk(path.s + length, "./") && access(path.s, R_OK) == 0;
    text_add(&out, is_file ? path.s : "");
    text_add_n(&out, s, is_file ? 0 : n);
    s += n;
    n = strspn(s, ends);
    text_add_n(&out, s, n);
  }
  text_clear(&path);
  return out.s ? out.s : mem_text("");
}

static status parse_line(report_table *t, char *line, diag *d)
{
  static const char *const words[] = { "caption", "label",  "spec",   "case",    "rules",  "one-shot",
                                       "sweep",   "column", "hidden", "summary", "missing" };
  size_t n = strcspn(line, " \t");
  char *rest = text_trim(line + n);
  char word[32];
  snprintf(word, sizeof word, "%.*s", (int)(n < 31 ? n : 31), line);
  if (strcmp(word, "caption") == 0)
    return replace(&t->caption, rest), OK;
  if (strcmp(word, "label") == 0)
    return replace(&t->label, rest), OK;
  if (strcmp(word, "spec") == 0)
    return replace(&t->spec, rest), OK;
  if (strcmp(word, "case") == 0)
    return parse_case(t, rest, d);
  if (strcmp(word, "rules") == 0)
    return parse_rules(t, rest, d);
  if (strcmp(word, "one-shot") == 0)
    return t->rules.one_shot = true, OK;
  if (strcmp(word, "sweep") == 0)
    return remove_blanks(rest), report_sweep_add(&t->sweep, rest, d);
  if (strcmp(word, "column") == 0 || strcmp(word, "hidden") == 0)
    return parse_column(t, rest, *word == 'h', d);
  if (strcmp(word, "summary") == 0)
    return parse_summary(t, rest, d);
  if (strcmp(word, "missing") == 0)
    return replace(&t->missing, strcmp(rest, "empty") == 0 ? "" : rest), t->says_missing = true, OK;
  const char *near = diag_nearest(word, words, 11);
  return diag_set(
      d, BAD_INPUT, "syntax",
      "a line begins with caption, label, spec, case, rules, one-shot, sweep, column, hidden, summary or missing%s%s%s",
      near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/* A # begins a comment, except inside quotes. */
static void cut_comment(char *line)
{
  bool quoted = false;
  for (; *line; line++) {
    quoted ^= *line == '"';
    if (*line == '#' && !quoted)
      *line = '\0';
    if (!*line)
      return;
  }
}

static bool may_name_files(const char *line)
{
  static const char *const words[] = { "spec", "case", "column", "hidden" };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncmp(line, words[i], strlen(words[i])) == 0)
      return true;
  return false;
}

status report_table_parse(report_table *t, const char *source, const char *file, diag *d)
{
  char *copy = mem_text(source), *rest = copy;
  const char *slash = strrchr(file, '/');
  size_t folder = slash ? (size_t)(slash + 1 - file) : 0;
  int number = 0;
  status st = OK;
  for (char *line = strsep(&rest, "\n"); line && st == OK; line = strsep(&rest, "\n")) {
    number++;
    cut_comment(line);
    line = text_trim(line);
    char *here = may_name_files(line) ? beside(line, file, folder) : mem_text(line), *trimmed = text_trim(here);
    if (*trimmed)
      st = parse_line(t, trimmed, d);
    mem_free(here);
  }
  mem_free(copy);
  if (st != OK && d) { /* the sentence is there; here is where */
    st = BAD_INPUT;
    snprintf(d->file, sizeof d->file, "%s", file);
    d->line = number;
    d->column = 1;
  }
  return st;
}

static bool is_swept(const report_table *t, const char *name)
{
  for (int i = 0; i < t->sweep.variables; i++)
    if (strcmp(t->sweep.variable[i].name, name) == 0)
      return true;
  return false;
}

static bool is_shown(const report_table *t, const char *name)
{
  for (int c = 0; c < t->columns; c++)
    if (strcmp(t->column[c].expression, name) == 0)
      return true;
  return false;
}

static status put_first(report_table *t, const char *name, bool hidden, diag *d)
{
  status st = report_table_add_column(t, name, name, -1, hidden, d);
  if (st != OK)
    return st;
  report_column added = t->column[t->columns - 1];
  memmove(&t->column[1], &t->column[0], sizeof *t->column * (size_t)(t->columns - 1));
  t->column[0] = added;
  return OK;
}

static status show_swept(report_table *t, diag *d)
{
  status st = OK;
  for (int i = t->sweep.variables - 1; i >= 0 && st == OK; i--)
    if (!is_shown(t, t->sweep.variable[i].name))
      st = put_first(t, t->sweep.variable[i].name, false, d);
  return st;
}

/* Rows in all: cases times the sweep's; the last variable of the sweep is the fastest, the case the slowest. */
static size_t count_rows(const report_table *t)
{
  size_t rows = report_sweep_rows(&t->sweep);
  return t->n_cases ? rows * t->n_cases : rows;
}

status report_table_settle(report_table *t, diag *d)
{
  if ((t->spec.n == 0) == (t->n_cases == 0))
    return diag_set(d, BAD_USAGE, "usage",
                    t->n_cases ? "a table has either one spec or cases, not both"
                               : "a table needs a computation: a line 'spec SPEC', or --spec SPEC");
  if (t->sweep.variables == 0 && t->n_cases == 0)
    return diag_set(d, BAD_USAGE, "usage",
                    "a table needs something to sweep: a line 'sweep n = 8K..128K*2', or --sweep");
  for (size_t i = 0; i < t->n_cases; i++)
    if (t->cases[i].m && is_swept(t, "M"))
      return diag_set(d, BAD_USAGE, "usage", "M is swept and given by the case %s: once is enough", t->cases[i].spec);
  if (!report_latex_label(text_str(&t->label)))
    return diag_set(d, BAD_USAGE, "usage", "a label is made of letters, digits, blanks and :._+/-");
  if (t->summary_by[0] && !is_swept(t, t->summary_by) && !(t->n_cases && strcmp(t->summary_by, "case") == 0))
    return diag_set(d, BAD_USAGE, "usage", "'summary geomean by %s': %s is not swept", t->summary_by, t->summary_by);
  status st = t->columns ? OK : report_table_add_columns(t, "bound,best,gap,best_name", d);
  if (st == OK)
    st = show_swept(t, d);
  if (st == OK && t->n_cases) /* tells rows of a CSV apart */
    st = put_first(t, "case", true, d);
  for (int c = 0; c < t->columns; c++)
    t->column[c].swept = is_swept(t, t->column[c].expression) || strcmp(t->column[c].expression, "case") == 0;
  t->digest = report_table_digest(t);
  return st;
}

void report_table_clear(report_table *t)
{
  for (int c = 0; c < t->columns; c++) {
    mem_free(t->column[c].title);
    mem_free(t->column[c].expression);
  }
  for (size_t i = 0; i < t->n_cases; i++)
    case_clear(&t->cases[i]);
  mem_free(t->cases);
  report_sweep_clear(&t->sweep);
  text_clear(&t->caption);
  text_clear(&t->label);
  text_clear(&t->spec);
  text_clear(&t->missing);
  *t = (report_table){ 0 };
}

void report_cells_init(report_cells *c, const report_table *t)
{
  c->rows = count_rows(t);
  c->cell = MEM_NEW(char *, c->rows * (size_t)t->columns);
}

void report_cells_clear(report_cells *c, const report_table *t)
{
  for (size_t i = 0; i < c->rows * (size_t)t->columns; i++)
    mem_free(c->cell[i]);
  mem_free(c->cell);
  *c = (report_cells){ 0 };
}
