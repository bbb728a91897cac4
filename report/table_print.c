/* table_print.c -- a table's rows in several dresses.  CSV and JSON keep all digits; text, Markdown and LaTeX round. */
#include "report/table.h"
#include "base/json.h"
#include "base/mem.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const format_names[] = { "text", "markdown", "csv", "json", "latex" };

bool report_format_find(const char *name, report_format *f)
{
  for (int i = 0; i < 5; i++)
    if (strcmp(name, format_names[i]) == 0) {
      *f = (report_format)i;
      return true;
    }
  return false;
}

static const char *cell_of(const report_table *t, const report_cells *c, size_t row, int column)
{
  const char *s = c->cell[row * (size_t)t->columns + (size_t)column];
  return s ? s : "";
}

static bool is_number(const char *s, double *value)
{
  char *end;
  *value = strtod(s, &end);
  return end != s && *end == '\0' && (isdigit((unsigned char)*s) || *s == '-');
}

static bool is_integer(const char *s) { return s[strspn(s, "-0123456789")] == '\0'; }

/* As shown: a number with so many decimals; none (< 0) leaves it as it is. */
static void shown(text *out, int decimals, const char *raw)
{
  double value;
  if (is_number(raw, &value) && decimals >= 0)
    text_printf(out, "%.*f", decimals, value);
  else
    text_add(out, raw);
}

/* ---- CSV ---- */

static void csv_cell(text *out, const char *s, bool first)
{
  if (!first)
    text_char(out, ',');
  if (!s[strcspn(s, ",\"\n\r")]) {
    text_add(out, s);
    return;
  }
  text_char(out, '"');
  for (; *s; s++) {
    if (*s == '"')
      text_char(out, '"');
    text_char(out, *s);
  }
  text_char(out, '"');
}

void report_csv_header(text *out, const report_table *t)
{
  bool first = true;
  for (int c = 0; c < t->columns; c++, first = false)
    csv_cell(out, t->column[c].title, first);
  text_char(out, '\n');
}

void report_csv_row(text *out, const report_table *t, const report_cells *c, size_t row)
{
  for (int i = 0; i < t->columns; i++)
    csv_cell(out, cell_of(t, c, row, i), i == 0);
  text_char(out, '\n');
}

/* The next cell of a line, unquoted in place; *at moves behind it.  False at the line's end. */
static bool csv_next(char **at, char **cell)
{
  char *s = *at;
  if (!s)
    return false;
  if (*s != '"') {
    *cell = strsep(at, ",");
    return true;
  }
  char *to = *cell = ++s;
  for (; *s && !(*s == '"' && s[1] != '"'); s++) {
    s += *s == '"';
    *to++ = *s;
  }
  *at = *s && s[1] == ',' ? s + 2 : NULL;
  *to = '\0';
  return true;
}

static bool row_matches(const report_table *t, char *const *cell, size_t row)
{
  int64_t swept[REPORT_SWEEP_VARIABLES];
  size_t iterations = report_sweep_rows(&t->sweep);
  report_sweep_row(&t->sweep, row % iterations, swept);
  for (int c = 0; c < t->columns; c++) {
    for (int i = 0; t->column[c].swept && i < t->sweep.variables; i++)
      if (strcmp(t->column[c].expression, t->sweep.variable[i].name) == 0 && strtoll(cell[c], NULL, 10) != swept[i])
        return false;
    if (t->n_cases && strcmp(t->column[c].expression, "case") == 0 && strtoull(cell[c], NULL, 10) != row / iterations + 1)
      return false;
  }
  return true;
}

/* Put a line's cells where its row is, searching from *row on; lines of no row are another sweep's. */
static status keep_line(const report_table *t, report_cells *c, char *line, size_t *row, const char *file, diag *d)
{
  char *cell[REPORT_COLUMNS];
  int n = 0;
  while (n < t->columns && csv_next(&line, &cell[n]))
    n++;
  if (n < t->columns || line)
    return diag_set(d, BAD_INPUT, "file", "%s: a line has not %d cells", file, t->columns);
  while (*row < c->rows && !row_matches(t, cell, *row))
    ++*row;
  if (*row == c->rows)
    return diag_set(d, BAD_INPUT, "file", "%s: a line is no row of this sweep, or not in its order", file);
  for (int i = 0; i < t->columns; i++) {
    char **to = &c->cell[*row * (size_t)t->columns + (size_t)i];
    mem_free(*to);
    *to = mem_text(cell[i]);
  }
  ++*row;
  return OK;
}

status report_csv_read(const report_table *t, report_cells *c, const char *file, diag *d)
{
  text bytes = { 0 }, header = { 0 };
  status st = text_read(&bytes, file, 0, d);
  report_csv_header(&header, t);
  size_t row = 0;
  if (st == OK && bytes.n && (bytes.n < header.n || memcmp(bytes.s, header.s, header.n) != 0))
    st = diag_set(d, BAD_INPUT, "file", "%s has other columns than this table", file);
  char *line = st == OK && bytes.n ? bytes.s + header.n : NULL, *end;
  for (; line && st == OK && (end = strchr(line, '\n')); line = end + 1) {
    *end = '\0';
    st = keep_line(t, c, line, &row, file, d);
  }
  text_clear(&bytes);
  text_clear(&header);
  return st;
}

/* Row k of the whole is the next line of shard k mod n. */
static status interleave(text *file, char **at, int n, text *out, char *const *name, diag *d)
{
  for (int k = 0;; k = (k + 1) % n) {
    char *end = at[k] ? strchr(at[k], '\n') : NULL;
    if (!end)
      break;
    text_add_n(out, at[k], (size_t)(end + 1 - at[k]));
    at[k] = end + 1;
  }
  for (int k = 0; k < n; k++)
    if (at[k] < file[k].s + file[k].n)
      return diag_set(d, BAD_INPUT, "file", "%s has more rows than its place among the shards allows: is a shard unfinished or out of order?", name[k]);
  return OK;
}

static bool same_file(const char *a, const char *b)
{
  struct stat of_a, of_b;
  return strcmp(a, b) == 0 || (stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino);
}

/* Equal rows are no sign of it: a sweep may take a value twice. */
static status refuse_twice(char *const *name, int n, diag *d)
{
  for (int k = 1; k < n; k++)
    for (int i = 0; i < k; i++)
      if (same_file(name[i], name[k]))
        return diag_set(d, BAD_USAGE, "usage", "%s is named twice: as shard %d and as shard %d", name[k], i + 1, k + 1);
  return OK;
}

status report_csv_join(char *const *name, int n, text *out, diag *d)
{
  text *file = MEM_NEW(text, (size_t)n);
  char **at = MEM_NEW(char *, (size_t)n);
  status st = refuse_twice(name, n, d);
  size_t header = 0;
  for (int k = 0; k < n && st == OK; k++) {
    st = text_read(&file[k], name[k], 0, d);
    char *end = st == OK && file[k].n ? strchr(file[k].s, '\n') : NULL;
    if (k == 0 && end)
      header = (size_t)(end + 1 - file[0].s);
    if (st == OK && (!end || (size_t)(end + 1 - file[k].s) != header || memcmp(file[0].s, file[k].s, header) != 0))
      st = diag_set(d, BAD_INPUT, "file", "%s is no shard of the same table as %s", name[k], name[0]);
    at[k] = st == OK ? end + 1 : NULL;
  }
  if (st == OK) {
    text_add_n(out, file[0].s, header);
    st = interleave(file, at, n, out, name, d);
  }
  for (int k = 0; k < n; k++)
    text_clear(&file[k]);
  mem_free(file);
  mem_free(at);
  return st;
}

/* ---- rows as shown, summaries among them ---- */

typedef struct {
  int columns;                 /* visible */
  int from[REPORT_COLUMNS];    /* column of the table */
  bool right[REPORT_COLUMNS];  /* numbers */
  int decimals[REPORT_COLUMNS];/* as asked for, or 3 where a cell is no whole number, or -1 */
  size_t width[REPORT_COLUMNS];
  char **cell;                 /* shown */
  bool *summary;               /* of a row */
  size_t rows, room;
} sheet;

static char **new_row(sheet *s, bool summary)
{
  if (s->rows == s->room) {
    s->room = s->room ? 2 * s->room : 64;
    s->cell = mem_grow(s->cell, s->room * (size_t)s->columns, sizeof *s->cell);
    s->summary = mem_grow(s->summary, s->room, sizeof *s->summary);
  }
  s->summary[s->rows] = summary;
  return &s->cell[s->rows++ * (size_t)s->columns];
}

static bool present(const report_table *t, const report_cells *c, size_t row) { return c->cell[row * (size_t)t->columns] != NULL; }

/* Numbers under each other have the same decimals. */
static int decimals_of(const report_table *t, const report_cells *c, int column)
{
  double value;
  int decimals = t->column[column].decimals;
  for (size_t k = 0; k < c->rows && decimals < 0; k++)
    if (is_number(cell_of(t, c, k, column), &value) && !is_integer(cell_of(t, c, k, column)))
      decimals = 3;
  return decimals;
}

/* Geometric mean of column over rows from..to, as shown; empty when a cell is no positive number, and of whole numbers. */
static char *geomean(const report_table *t, const report_cells *c, int column, int decimals, size_t from, size_t to)
{
  double logs = 0, value;
  size_t n = 0;
  text out = { 0 };
  for (size_t k = from; k < to; k++)
    if (present(t, c, k)) {
      if (decimals < 0 || !is_number(cell_of(t, c, k, column), &value) || value <= 0)
        return mem_text("");
      logs += log(value);
      n++;
    }
  if (n)
    text_printf(&out, "%.*f", decimals, exp(logs / (double)n));
  char *s = mem_text(text_str(&out));
  text_clear(&out);
  return s;
}

static void add_summary(sheet *s, const report_table *t, const report_cells *c, size_t from, size_t to)
{
  char **row = new_row(s, true);
  for (int i = 0; i < s->columns; i++) {
    const report_column *column = &t->column[s->from[i]];
    if (strcmp(column->expression, t->summary_by) == 0)
      row[i] = mem_text(cell_of(t, c, from, s->from[i]));
    else if (column->swept)
      row[i] = mem_text(i == 0 || (i == 1 && t->summary_by[0]) ? "mean" : "");
    else
      row[i] = geomean(t, c, s->from[i], s->decimals[i], from, to);
  }
}

static int column_by(const report_table *t)
{
  for (int c = 0; c < t->columns; c++)
    if (t->summary_by[0] && strcmp(t->column[c].expression, t->summary_by) == 0)
      return c;
  return -1;
}

static void fill(sheet *s, const report_table *t, const report_cells *c)
{
  size_t group = 0;
  int by = column_by(t);
  for (size_t k = 0; k < c->rows; k++) {
    if (present(t, c, k)) {
      char **row = new_row(s, false);
      for (int i = 0; i < s->columns; i++) {
        text out = { 0 };
        shown(&out, s->decimals[i], cell_of(t, c, k, s->from[i]));
        row[i] = mem_text(text_str(&out));
        text_clear(&out);
      }
    }
    bool last = k + 1 == c->rows;
    if (t->summary && (last || (by >= 0 && strcmp(cell_of(t, c, k, by), cell_of(t, c, k + 1, by)) != 0))) {
      add_summary(s, t, c, group, k + 1);
      group = k + 1;
    }
  }
}

static void sheet_make(sheet *s, const report_table *t, const report_cells *c)
{
  double value;
  for (int i = 0; i < t->columns; i++)
    if (!t->column[i].hidden) {
      s->decimals[s->columns] = decimals_of(t, c, i);
      s->from[s->columns++] = i;
    }
  fill(s, t, c);
  for (int i = 0; i < s->columns; i++) {
    s->width[i] = strlen(t->column[s->from[i]].title);
    for (size_t k = 0; k < s->rows; k++) {
      const char *cell = s->cell[k * (size_t)s->columns + (size_t)i];
      size_t n = strlen(cell);
      s->width[i] = n > s->width[i] ? n : s->width[i];
      s->right[i] = s->right[i] || is_number(cell, &value);
    }
  }
}

static void sheet_clear(sheet *s)
{
  for (size_t i = 0; i < s->rows * (size_t)s->columns; i++)
    mem_free(s->cell[i]);
  mem_free(s->cell);
  mem_free(s->summary);
}

/* ---- dresses ---- */

static void padded(text *out, const sheet *s, int i, const char *cell)
{
  text_printf(out, s->right[i] ? "%*s" : "%-*s", (int)s->width[i], cell);
}

static void trim_end(text *out)
{
  while (out->n && out->s[out->n - 1] == ' ')
    out->s[--out->n] = '\0';
}

static void print_text(text *out, const report_table *t, const sheet *s)
{
  if (t->caption.n)
    text_printf(out, "%s\n\n", t->caption.s);
  for (int i = 0; i < s->columns; i++) {
    text_add(out, i ? "  " : "");
    padded(out, s, i, t->column[s->from[i]].title);
  }
  trim_end(out);
  text_char(out, '\n');
  for (size_t k = 0; k < s->rows; k++) {
    for (int i = 0; i < s->columns; i++) {
      text_add(out, i ? "  " : "");
      padded(out, s, i, s->cell[k * (size_t)s->columns + (size_t)i]);
    }
    trim_end(out);
    text_add(out, s->summary[k] && k + 1 < s->rows ? "\n\n" : "\n");
  }
}

static void markdown_cell(text *out, const sheet *s, int i, const char *cell)
{
  text escaped = { 0 };
  for (; *cell; cell++) {
    if (*cell == '|')
      text_char(&escaped, '\\');
    text_char(&escaped, *cell);
  }
  text_add(out, "| ");
  padded(out, s, i, text_str(&escaped));
  text_char(out, ' ');
  text_clear(&escaped);
}

static void print_markdown(text *out, const report_table *t, const sheet *s)
{
  for (int i = 0; i < s->columns; i++)
    markdown_cell(out, s, i, t->column[s->from[i]].title);
  text_add(out, "|\n");
  for (int i = 0; i < s->columns; i++) {
    text_add(out, "|");
    for (size_t w = 0; w < s->width[i] + 1; w++)
      text_char(out, '-');
    text_char(out, s->right[i] ? ':' : '-');
  }
  text_add(out, "|\n");
  for (size_t k = 0; k < s->rows; k++) {
    for (int i = 0; i < s->columns; i++)
      markdown_cell(out, s, i, s->cell[k * (size_t)s->columns + (size_t)i]);
    text_add(out, "|\n");
  }
  if (t->caption.n)
    text_printf(out, "\n%s\n", t->caption.s);
}

void report_latex_text(text *out, const char *s)
{
  for (; *s; s++) {
    if (*s == '\\')
      text_add(out, "\\textbackslash{}");
    else if (*s == '^' || *s == '~')
      text_printf(out, "\\%c{}", *s);
    else if (strchr("&%$#_{}", *s))
      text_printf(out, "\\%c", *s);
    else if (*s == '<' || *s == '>')
      text_printf(out, "$%c$", *s);
    else
      text_char(out, *s);
  }
}

static size_t name_end(const char *s)
{
  size_t n = 0;
  while (isalnum((unsigned char)s[n]))
    n++;
  return n;
}

/* dv is d_v, n2 is n_2; a longer word is upright. */
static void latex_name(text *out, const char *s, size_t n)
{
  if (n == 1)
    text_char(out, *s);
  else if (n == 2)
    text_printf(out, "%c_%c", s[0], s[1]);
  else
    text_printf(out, "\\mathrm{%.*s}", (int)n, s);
}

/* sqrt( and ceil( open what the bracket that closes them closes. */
static size_t latex_call(text *out, const char *s, const char **closing)
{
  static const struct { const char *call, *open, *close; } calls[] = { { "sqrt(", "\\sqrt{", "}" }, { "ceil(", "\\lceil ", "\\rceil " },
    { "floor(", "\\lfloor ", "\\rfloor " }, { "min(", "\\min(", ")" }, { "max(", "\\max(", ")" }, { "log2(", "\\log_2(", ")" }, { "(", "(", ")" } };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (strncmp(s, calls[i].call, strlen(calls[i].call)) == 0) {
      text_add(out, calls[i].open);
      *closing = calls[i].close;
      return strlen(calls[i].call);
    }
  return 0;
}

void report_latex_formula(text *out, const char *s)
{
  enum { DEEP = 32 };
  const char *closing[DEEP];
  int depth = 0;
  text_char(out, '$');
  while (*s) {
    size_t n = depth < DEEP ? latex_call(out, s, &closing[depth]) : 0;
    if (n) {
      depth++;
      s += n;
    } else if (isalpha((unsigned char)*s)) {
      n = name_end(s);
      latex_name(out, s, n);
      s += n;
    } else if (*s == ')' && depth > 0) {
      text_add(out, closing[--depth]);
      s++;
    } else if (*s == '^' && isdigit((unsigned char)s[1])) {
      n = strspn(s + 1, "0123456789.");
      text_printf(out, "^{%.*s}", (int)n, s + 1);
      s += n + 1;
    } else if ((*s == '<' || *s == '>') && (s[1] == *s || s[1] == '=')) {
      text_add(out, s[1] == '=' ? (*s == '<' ? "\\le " : "\\ge ") : *s == '<' ? "\\ll " : "\\gg ");
      s += 2;
    } else {
      text_add(out, *s == '*' ? "\\," : (char[]){ *s, '\0' });
      s++;
    }
  }
  text_char(out, '$');
}

/* A title over narrow numbers stands in several lines, broken at blanks. */
static void latex_title(text *out, const char *title, size_t width, bool right)
{
  size_t line = 0;
  if (strlen(title) <= width || !strchr(title, ' ')) {
    report_latex_text(out, title);
    return;
  }
  text_printf(out, "\\shortstack[%c]{", right ? 'r' : 'l');
  while (*title) {
    size_t n = strcspn(title, " ");
    char *word = mem_text_n(title, n);
    if (line)
      text_add(out, line + 1 + n <= width ? " " : "\\\\");
    line = line && line + 1 + n <= width ? line + 1 + n : n;
    report_latex_text(out, word);
    mem_free(word);
    title += n + strspn(title + n, " ");
  }
  text_char(out, '}');
}

static size_t whole_digits(const char *cell) { return strspn(cell + (*cell == '-'), "0123456789"); }

/* Long numbers in groups of three digits, and short ones that stand under long ones. */
static void latex_cell(text *out, const report_column *column, const char *cell, bool grouped)
{
  double value;
  if (column->math && !is_number(cell, &value) && strpbrk(cell, "*/^(<>=")) {
    report_latex_formula(out, cell);
    return;
  }
  size_t digits = whole_digits(cell), sign = *cell == '-';
  if (!is_number(cell, &value) || !grouped) {
    report_latex_text(out, cell);
    return;
  }
  text_add(out, sign ? "$-$" : "");
  for (size_t i = 0; i < digits; i++) {
    text_add(out, i && (digits - i) % 3 == 0 ? "\\," : "");
    text_char(out, cell[sign + i]);
  }
  text_add(out, cell + sign + digits);
}

static bool has_long_number(const sheet *s, int column)
{
  double value;
  for (size_t k = 0; k < s->rows; k++) {
    const char *cell = s->cell[k * (size_t)s->columns + (size_t)column];
    if (is_number(cell, &value) && whole_digits(cell) > 4)
      return true;
  }
  return false;
}

static size_t cell_width(const sheet *s, int column)
{
  size_t width = 8;
  for (size_t k = 0; k < s->rows; k++) {
    size_t n = strlen(s->cell[k * (size_t)s->columns + (size_t)column]);
    width = n > width ? n : width;
  }
  return width;
}

static void print_latex(text *out, const report_table *t, const sheet *s)
{
  text_add(out, "% needs \\usepackage{booktabs}\n\\begin{table}\n  \\centering\n");
  text_add(out, s->columns > 7 ? "  \\footnotesize\n" : "");
  if (t->caption.n) {
    text_add(out, "  \\caption{");
    report_latex_text(out, t->caption.s);
    text_add(out, "}\n");
  }
  if (t->label.n)
    text_printf(out, "  \\label{%s}\n", t->label.s);
  text_add(out, "  \\begin{tabular}{");
  for (int i = 0; i < s->columns; i++)
    text_char(out, s->right[i] ? 'r' : 'l');
  text_add(out, "}\n    \\toprule\n    ");
  for (int i = 0; i < s->columns; i++) {
    text_add(out, i ? " & " : "");
    latex_title(out, t->column[s->from[i]].title, cell_width(s, i), s->right[i]);
  }
  text_add(out, " \\\\\n    \\midrule\n");
  for (size_t k = 0; k < s->rows; k++) {
    text_add(out, s->summary[k] ? "    \\addlinespace\n    " : "    ");
    for (int i = 0; i < s->columns; i++) {
      text_add(out, i ? " & " : "");
      latex_cell(out, &t->column[s->from[i]], s->cell[k * (size_t)s->columns + (size_t)i], has_long_number(s, i));
    }
    text_add(out, s->summary[k] && k + 1 < s->rows ? " \\\\\n    \\midrule\n" : " \\\\\n");
  }
  text_add(out, "    \\bottomrule\n  \\end{tabular}\n\\end{table}\n");
}

static void json_cell(json *j, const char *raw)
{
  double value;
  if (is_number(raw, &value))
    json_raw(j, raw);
  else
    json_string(j, raw);
}

static void json_columns(json *j, const report_table *t)
{
  json_key(j, "columns");
  json_open(j, '[');
  for (int i = 0; i < t->columns; i++) {
    if (t->column[i].hidden)
      continue;
    json_open(j, '{');
    json_put_string(j, "title", t->column[i].title);
    json_put_string(j, "expression", t->column[i].expression);
    json_put_string(j, "trust", t->column[i].swept ? "set" : report_trust_of(t->column[i].expression));
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void print_json(text *out, const report_table *t, const report_cells *c)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_int(&j, "schema", 1);
  json_put_string(&j, "caption", text_str(&t->caption));
  json_put_string(&j, "spec", text_str(&t->spec));
  json_columns(&j, t);
  json_key(&j, "rows");
  json_open(&j, '[');
  for (size_t k = 0; k < c->rows; k++) {
    if (!present(t, c, k))
      continue;
    json_open(&j, '{');
    for (int i = 0; i < t->columns; i++)
      if (!t->column[i].hidden) {
        json_key(&j, t->column[i].title);
        json_cell(&j, cell_of(t, c, k, i));
      }
    json_close(&j, '}');
  }
  json_close(&j, ']');
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
  text_char(out, '\n');
  json_clear(&j);
}

static void print_csv(text *out, const report_table *t, const report_cells *c)
{
  report_csv_header(out, t);
  for (size_t k = 0; k < c->rows; k++)
    if (present(t, c, k))
      report_csv_row(out, t, c, k);
}

void report_table_print(text *out, const report_table *t, const report_cells *c, report_format f)
{
  sheet s = { 0 };
  sheet_make(&s, t, c);
  switch (f) {
  case REPORT_TEXT: print_text(out, t, &s); break;
  case REPORT_MARKDOWN: print_markdown(out, t, &s); break;
  case REPORT_LATEX: print_latex(out, t, &s); break;
  case REPORT_JSON: print_json(out, t, c); break;
  case REPORT_CSV: print_csv(out, t, c); break;
  }
  sheet_clear(&s);
}
