/* plot_internal.h -- a figure: curves over one axis, or the rows of a heat map; and what every way of drawing it
 * shares. */
#ifndef REDBLUE_REPORT_PLOT_INTERNAL_H
#define REDBLUE_REPORT_PLOT_INTERNAL_H

#include "report/plot.h"
#include "report/table.h"

enum { PLOT_TICKS = 64, PLOT_COLOURS = 8 };

typedef struct {
  char *name, *expression;
  bool floor;                  /* a lower bound */
  double *y;                   /* one for each x; NAN: no number there */
  char **cell;                 /* the same with all digits, or the word */
  double level;                /* of a heat map: the M of this row */
} plot_curve;

typedef struct {
  double from, to;
  char *name;                  /* the theorem that gives the best bound here */
} plot_band;

typedef struct {
  double before, after, at;    /* the least curve changes between two points, about at */
  int from, to;
} plot_crossing;

struct report_figure {
  report_plot_kind kind;
  text title, caption, label, x_name, y_name, note;
  bool titled;                 /* the title was asked for */
  double width;                /* in points, or 0 */
  size_t points;
  double *x;
  plot_curve *curve;
  size_t curves, curve_room;
  plot_band *band;
  size_t bands, band_room;
  plot_crossing *crossing;
  size_t crossings, crossing_room;
};

/* 1024-based: 12K, 1.5M, 300. */
void plot_number(text *out, double v);
/* Round places between lo and hi, at most so many: powers of two (of ten below 1), or, where these are fewer than
 * three, multiples of 1, 2 or 5. */
size_t plot_ticks(double lo, double hi, int most, double tick[PLOT_TICKS]);
/* The same for an axis that is no logarithm: multiples of 1, 2 or 5. */
size_t plot_even_ticks(double lo, double hi, int most, double tick[PLOT_TICKS]);
/* Bars: from 0 to a little above the greatest, or, where some are a hundredth of others, logarithmic from below the
 * least. */
bool plot_bar_range(const report_figure *f, double *lo, double *hi);
void plot_x_range(const report_figure *f, double *lo, double *hi);
void plot_y_range(const report_figure *f, double *lo, double *hi);
/* The last point of a curve that is there, or -1. */
long plot_last(const report_figure *f, const plot_curve *c);
/* Where the labels right of the curves stand: at[i] in 0 (bottom) .. 1, at least `apart` from each other; NAN: no
 * label. */
void plot_labels(const report_figure *f, double apart, double *at);
/* The only lower bound of the figure, or NULL: then the area below it is shaded. */
const plot_curve *plot_floor(const report_figure *f);
/* Okabe and Ito's colours, which the colour-blind tell apart; black for bounds.  Curves with the same colour have
   another mark and another dash. */
const int *plot_colour(const report_figure *f, size_t curve);
size_t plot_mark(const report_figure *f, size_t curve);        /* 0 .. 7 */
size_t plot_dash(const report_figure *f, size_t curve);        /* 0: none, 1: long, 2: short, 3: both in turn */
/* Heat map: the greatest value; the colour of v from light (1) to dark; is text on it to be white? */
double plot_greatest(const report_figure *f);
bool plot_heat(double v, double greatest, int colour[3]);

status plot_cairo(const report_figure *f, report_picture how, text *out, diag *d);
void plot_pgfplots(const report_figure *f, text *out);

#endif
