/* table_print.c -- a table's rows in several dresses.  CSV and JSON keep all digits; text, Markdown and LaTeX round. */
#include "report/table.h"
#include "base/latex.h"
#include "base/json.h"
#include "base/mem.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

bool report_is_number(const char *s, double *value)
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
  if (report_is_number(raw, &value) && decimals >= 0)
    text_printf(out, "%.*f", decimals, value);
  else
    text_add(out, raw);
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

static bool present(const report_table *t, const report_cells *c, size_t row)
{
  return c->cell[row * (size_t)t->columns] != NULL;
}

/* Numbers under each other have the same decimals: three, or so many that the greatest has three digits that say
 * something. */
static int decimals_of(const report_table *t, const report_cells *c, int column)
{
  double value, greatest = 0;
  bool whole = true;
  for (size_t k = 0; k < c->rows; k++)
    if (report_is_number(cell_of(t, c, k, column), &value)) {
      whole = whole && is_integer(cell_of(t, c, k, column));
      greatest = fmax(greatest, fabs(value));
    }
  if (t->column[column].decimals >= 0 || whole)
    return t->column[column].decimals;
  return greatest > 0 && greatest < 0.1 ? (int)fmin(15, 2 - floor(log10(greatest))) : 3;
}

/* Geometric mean of column over rows from..to, as shown; empty when a cell is no positive number, and of whole numbers.
 */
static char *geomean(const report_table *t, const report_cells *c, int column, int decimals, size_t from, size_t to)
{
  double logs = 0, value;
  size_t n = 0;
  SCOPED_TEXT out = { 0 };
  for (size_t k = from; k < to; k++)
    if (present(t, c, k)) {
      if (decimals < 0 || !report_is_number(cell_of(t, c, k, column), &value) || value <= 0)
        return mem_text("");
      logs += log(value);
      n++;
    }
  if (n)
    text_printf(&out, "%.*f", decimals, exp(logs / (double)n));
  char *s = mem_text(text_str(&out));
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
        SCOPED_TEXT out = { 0 };
        shown(&out, s->decimals[i], cell_of(t, c, k, s->from[i]));
        row[i] = mem_text(text_str(&out));
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
      s->right[i] = s->right[i] || report_is_number(cell, &value);
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

/* Shown as it stands: no mark-up, no link, no HTML. */
static void markdown_text(text *out, const char *s)
{
  for (; *s; s++) {
    if (*s == '&' || *s == '<' || *s == '>')
      text_add(out, *s == '&' ? "&amp;" : *s == '<' ? "&lt;" : "&gt;");
    else {
      text_add(out, strchr("|\\`*[]!~$", *s) ? "\\" : "");
      text_char(out, iscntrl((unsigned char)*s) ? ' ' : *s);
    }
  }
}

static void markdown_cell(text *out, const sheet *s, int i, const char *cell)
{
  SCOPED_TEXT escaped = { 0 };
  markdown_text(&escaped, cell);
  text_add(out, "| ");
  padded(out, s, i, text_str(&escaped));
  text_char(out, ' ');
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
  if (t->caption.n) {
    text_char(out, '\n');
    markdown_text(out, t->caption.s);
    text_char(out, '\n');
  }
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
      text_char(out, iscntrl((unsigned char)*s) ? ' ' : *s);
  }
}

bool report_latex_label(const char *s)
{
  return !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 :._+/-")];
}

static size_t name_end(const char *s)
{
  size_t n = 0;
  while (isalnum((unsigned char)s[n]))
    n++;
  return n;
}

void report_latex_formula(text *out, const char *s)
{
  text_char(out, '$');
  latex_formula(out, s, strlen(s), true);
  text_char(out, '$');
}

static bool is_swept_name(const report_table *t, const char *name, size_t n)
{
  for (int i = 0; i < t->sweep.variables; i++)
    if (strlen(t->sweep.variable[i].name) == n && memcmp(t->sweep.variable[i].name, name, n) == 0)
      return true;
  return false;
}

/* A name of a quantity: M, one small letter, perhaps with a second sign (nk, d2); or a function of formulas. */
static bool is_quantity(const report_table *t, const char *s, size_t n)
{
  static const char *const functions[] = { "sqrt", "ceil", "floor", "min", "max", "log2" };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strlen(functions[i]) == n && memcmp(functions[i], s, n) == 0)
      return s[n] == '(';
  return is_swept_name(t, s, n) || (n == 1 && (*s == 'M' || islower((unsigned char)*s))) ||
         (n == 2 && islower((unsigned char)*s));
}

/* Is the title a formula (M/d^2, 14 n^2 d^2/M) or a quantity (n)?  I/O is none: I and O are no quantities. */
static bool is_formula(const report_table *t, const char *title)
{
  bool operators = strpbrk(title, "*/^=<>") != NULL,
       alone = is_swept_name(t, title, strlen(title)) || (is_quantity(t, title, 1) && !title[1]);
  for (const char *s = title; *s;) {
    size_t n = name_end(s);
    if (n && isalpha((unsigned char)*s) && !is_quantity(t, s, n))
      return false;
    if (!n && !strchr(" *+-/^()=<>.,", *s))
      return false;
    s += n ? n : 1;
  }
  return operators || alone;
}

/* A title over narrow numbers stands in several lines, broken at blanks; a formula is set as one. */
static void latex_title(text *out, const report_table *t, const char *title, size_t width, bool right)
{
  size_t line = 0;
  if (is_formula(t, title)) {
    report_latex_formula(out, title);
    return;
  }
  if (strlen(title) <= width || !strchr(title, ' ')) {
    report_latex_text(out, title);
    return;
  }
  text_printf(out, "\\begin{tabular}[b]{@{}%c@{}}", right ? 'r' : 'l');
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
  text_add(out, "\\end{tabular}");
}

static size_t whole_digits(const char *cell) { return strspn(cell + (*cell == '-'), "0123456789"); }

/* Long numbers in groups of three digits, and short ones that stand under long ones. */
static void latex_cell(text *out, const report_column *column, const char *cell, bool grouped)
{
  double value;
  if (column->math && !report_is_number(cell, &value) && strpbrk(cell, "*/^(<>=")) {
    report_latex_formula(out, cell);
    return;
  }
  size_t digits = whole_digits(cell), sign = *cell == '-';
  if (!report_is_number(cell, &value) || !grouped) {
    report_latex_text(out, cell);
    return;
  }
  text_add(out, sign ? "$-$" : "");
  text_add_groups(out, cell + sign, digits, "\\,");
  text_add(out, cell + sign + digits);
}

static bool has_long_number(const sheet *s, int column)
{
  double value;
  for (size_t k = 0; k < s->rows; k++) {
    const char *cell = s->cell[k * (size_t)s->columns + (size_t)column];
    if (report_is_number(cell, &value) && whole_digits(cell) > 4)
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

static void latex_rows(text *out, const report_table *t, const sheet *s)
{
  for (int i = 0; i < s->columns; i++) {
    text_add(out, i ? " & " : "");
    latex_title(out, t, t->column[s->from[i]].title, cell_width(s, i), s->right[i]);
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
}

/* How a table stands on the page: the environment, what it is made to fit, and the packages that takes.  A table that
   is narrower is not made wider. */
typedef struct { const char *name, *environment, *width, *packages; } latex_fit;
static const latex_fit fits[] = { { "none", "table", NULL, "booktabs" },
                                  { "column", "table", "\\linewidth", "booktabs,graphicx" },
                                  { "page", "table*", "\\textwidth", "booktabs,graphicx" },
                                  { "landscape", "sidewaystable", "\\linewidth", "booktabs,graphicx,rotating" } };

bool report_fit_find(const char *name, int *fit)
{
  for (int i = 0; i < (int)(sizeof fits / sizeof *fits); i++)
    if (strcmp(fits[i].name, name) == 0)
      return *fit = i + 1, true;
  return false;
}

enum { NARROW = 7 };           /* columns that fit a line as they are */

static void print_latex(text *out, const report_table *t, const sheet *s)
{
  const latex_fit *fit = &fits[t->fit ? t->fit - 1 : s->columns > NARROW];
  text_printf(out, "%% needs \\usepackage{%s}\n\\begin{%s}\n  \\centering\n", fit->packages, fit->environment);
  text_add(out, s->columns > NARROW ? "  \\footnotesize\n" : "");
  if (t->caption.n) {
    text_add(out, "  \\caption{");
    report_latex_text(out, t->caption.s);
    text_add(out, "}\n");
  }
  if (t->label.n)
    text_printf(out, "  \\label{%s}\n", t->label.s);
  if (fit->width)
    text_printf(out, "  \\resizebox{\\ifdim\\width>%s %s\\else\\width\\fi}{!}{%%\n", fit->width, fit->width);
  text_add(out, "  \\begin{tabular}{");
  for (int i = 0; i < s->columns; i++)
    text_char(out, s->right[i] ? 'r' : 'l');
  text_add(out, "}\n    \\toprule\n    ");
  latex_rows(out, t, s);
  text_printf(out, "    \\bottomrule\n  \\end{tabular}%s\n\\end{%s}\n", fit->width ? "}" : "", fit->environment);
}

static void json_cell(json *j, const report_table *t, const char *raw)
{
  double value;
  if (report_is_number(raw, &value))
    json_raw(j, raw);
  else if (t->says_missing && strcmp(raw, text_str(&t->missing)) == 0)
    json_raw(j, "null"); /* JSON has no NaN */
  else
    json_string(j, raw);
}

static void json_columns(json *j, const report_table *t)
{
  json_put_open(j, "columns", '[');
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
  SCOPED_JSON j = { 0 };
  json_open(&j, '{');
  json_put_int(&j, "schema", 1);
  json_put_string(&j, "caption", text_str(&t->caption));
  json_put_string(&j, "spec", text_str(&t->spec));
  json_columns(&j, t);
  json_put_open(&j, "rows", '[');
  for (size_t k = 0; k < c->rows; k++) {
    if (!present(t, c, k))
      continue;
    json_open(&j, '{');
    for (int i = 0; i < t->columns; i++)
      if (!t->column[i].hidden) {
        json_key(&j, t->column[i].title);
        json_cell(&j, t, cell_of(t, c, k, i));
      }
    json_close(&j, '}');
  }
  json_close(&j, ']');
  json_put_string(&j, "computation", t->n_cases ? NULL : text_str(&t->spec));
  json_put_string(&j, "version", REDBLUE_VERSION);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
  text_char(out, '\n');
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
