/* plot.h -- pictures for papers (docs/plots.md): I/O against M or against a length, the gap as a heat map over both,
   and bars.

   The numbers are those of a table (table.h): a curve is a column, a point a row.  What has no number (a schedule that
   does not fit, a bound that does not apply) is no point: the line is broken there, and the figure says which curve has
   none. */
#ifndef REDBLUE_REPORT_PLOT_H
#define REDBLUE_REPORT_PLOT_H

#include "base/json.h"
#include "pebble/game.h"

typedef enum { REPORT_PLOT_MEMORY, REPORT_PLOT_LENGTH, REPORT_PLOT_GAP, REPORT_PLOT_BAR } report_plot_kind;
typedef enum { REPORT_SVG, REPORT_PDF, REPORT_PNG, REPORT_PGFPLOTS } report_picture;
bool report_plot_kind_find(const char *name, report_plot_kind *kind);
/* By name: svg, pdf, png, pgfplots or tex. */
bool report_picture_find(const char *name, report_picture *how);

typedef struct {
  report_plot_kind kind;
  int specs;                   /* one; of REPORT_PLOT_LENGTH any number */
  char *const *spec;
  const char *sweep;           /* settings as of a table, or NULL: a usual range */
  const char *columns; /* one curve each (table.h), or NULL: the library's schedules, tuned, and the best bound */
  const char *caption, *label; /* or NULL */
  const char *title;           /* "": none; NULL: what is drawn */
  double width;                /* in points; 0: a usual one */
  pebble_rules rules;          /* m: 0 when M is swept */
  int jobs;
  bool progress;
} report_plot;

typedef struct report_figure report_figure;
/* Compute every point.  Owned by the caller, also after a failure (then NULL). */
status report_figure_new(report_figure **f, const report_plot *p, diag *d);
void report_figure_free(report_figure *f);
/* The picture's bytes, the same on every call: no date, no random name. */
status report_figure_draw(const report_figure *f, report_picture how, text *out, diag *d);
/* The points, as fields of an object the caller has opened. */
void report_figure_json(const report_figure *f, json *j);

#endif
