/* table.h -- tables for papers: a sweep, columns, and the rows in several dresses (docs/tables.md).

   A table file has one statement a line; # starts a comment:

     caption TEXT                      label TEXT
     spec attention                    or attention:d=64; what is swept is added
     case attention:d=64 M=h100-sm model="GPT-2"   or several of these: one computation after the other, each with the
   whole sweep; M, a number or a machine, where it is not swept; any other name is for columns to show rules sliding
   one-shot sweep n = 8K..128K*2              the last variable is the fastest column TITLE = EXPRESSION         see
   setting.h; TITLE may be in quotes column TITLE [2] = EXPRESSION     shown with 2 decimals column TITLE [math] =
   EXPRESSION  a word that is a formula: 4*n^2*d^2/M; LaTeX sets it as one hidden TITLE = EXPRESSION         for later
   columns only summary geomean                   after the rows: geometric mean of every column that is not a swept
   variable summary geomean by d              after the rows of each value of d (which is swept before the others), or
   of each `case` missing NaN                       what stands where there is no number (overflow, none, undefined);
   `missing empty`: nothing

   A word that names a file beside the table file, as seen from there, is that file. */
#ifndef REDBLUE_REPORT_TABLE_H
#define REDBLUE_REPORT_TABLE_H

#include "report/setting.h"
#include "report/sweep.h"
#include <stdio.h>

enum { REPORT_COLUMNS = 64, REPORT_CASES = 256, REPORT_CASE_NAMES = 16 };

typedef struct {
  char *title, *expression;
  int decimals;                /* < 0: integers whole, other numbers with three decimals */
  bool math;
  bool hidden;
  bool swept;                  /* is a variable of the sweep */
} report_column;

typedef struct {
  char *spec;
  uint64_t m;                  /* 0: M is swept, or there is none */
  char *machine;               /* whose memory m is, or NULL */
  int names;
  char *name[REPORT_CASE_NAMES], *value[REPORT_CASE_NAMES];
} report_case;

typedef struct {
  text caption, label, spec, missing;
  bool says_missing;
  report_case *cases;          /* or none: then spec alone */
  size_t n_cases, cases_room;
  pebble_rules rules;
  report_sweep sweep;
  report_column column[REPORT_COLUMNS];
  int columns;
  bool summary;
  char summary_by[64];
  int fit;                     /* of LaTeX: report_fit_find's, or 0 */
  uint64_t digest;             /* of all that its rows depend on, once it is settled */
} report_table;

status report_table_parse(report_table *t, const char *source, const char *file, diag *d);
status report_table_add_column(report_table *t, const char *title, const char *expression, int decimals, bool hidden,
                               diag *d);
/* "n,d,bound,io = tuned(attenio),"gap of it" [2] = gap": each part is TITLE = EXPRESSION, or both in one. */
status report_table_add_columns(report_table *t, const char *list, diag *d);
/* Defaults, and the swept variables in front where no column shows them. */
status report_table_settle(report_table *t, diag *d);
void report_table_clear(report_table *t);

/* Cells as text with all digits, row by row; cell[k * columns + c], NULL where row k is not there. */
typedef struct {
  size_t rows;
  char **cell;
} report_cells;
void report_cells_init(report_cells *c, const report_table *t);
void report_cells_clear(report_cells *c, const report_table *t);

/* Every row of this shard (index i of N, 1-based) that is not there yet, by `jobs` processes; each row in order to sink
   as soon as it and those before it are done.  GAVE_UP when interrupted, SOLVER when a worker died: what is done is in
   c. */
typedef struct {
  int jobs;
  size_t shard, shards;
  bool (*sink)(void *context, size_t row, bool is_new);   /* is_new: computed by this run; false ends the run */
  void *context;
  bool progress;
} report_run;
status report_table_run(const report_table *t, const report_run *r, report_cells *c, diag *d);

/* Does the cell hold a number? */
bool report_is_number(const char *cell, double *value);

/* CSV: a header, then a line a row that ends in its check (table_csv.c); the form that is resumed and joined. */
uint64_t report_table_digest(const report_table *t);
void report_csv_header(text *out, const report_table *t);
void report_csv_row(text *out, const report_table *t, const report_cells *c, size_t row);
/* Rows of a CSV written for this table, whole lines only, into c; BAD_INPUT with the line of the first row that is not
 * one. */
status report_csv_read(const report_table *t, report_cells *c, const char *file, diag *d);
/* Shards 1 .. n of one table, as one.  BAD_USAGE when a file is named twice, BAD_INPUT with the line of a row that has
 * no place. */
status report_csv_join(char *const *file, int n, text *out, diag *d);

typedef enum { REPORT_TEXT, REPORT_MARKDOWN, REPORT_CSV, REPORT_JSON, REPORT_LATEX } report_format;
bool report_format_find(const char *name, report_format *f);
/* none, column, page, landscape: what a LaTeX table is made to fit; without a word, a column when it has many. */
bool report_fit_find(const char *name, int *fit);
/* The whole table, summaries included. */
void report_table_print(text *out, const report_table *t, const report_cells *c, report_format f);
/* Text, or a formula such as 4*n^2*d/sqrt(M), as LaTeX prints it. */
void report_latex_text(text *out, const char *s);
void report_latex_formula(text *out, const char *s);
/* May it stand in \label{}?  Letters, digits, blanks and :._+/- */
bool report_latex_label(const char *s);

#endif
