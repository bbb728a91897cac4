/* plot_pgf.c -- a figure as pgfplots source: the points as numbers, to be changed by hand in a paper. */
#include "report/plot_internal.h"
#include "base/mem.h"
#include <math.h>
#include <string.h>

static void rgb(text *out, const int c[3]) { text_printf(out, "{rgb,255:red,%d;green,%d;blue,%d}", c[0], c[1], c[2]); }

/* Sizes are in points, so that names keep their distance whatever the width of the line.  Bars have swatches, and
   seconds as longer numbers. */
enum { TICKS = 6, LINE = 11, LETTER = 5, BESIDE = 62, BARS = 24, HEIGHT = 150, GAP = 8 };

/* The names beside the axis, and what they, its own ticks and title take of a line.  On a narrow one the axis keeps two
   fifths, and long names go on in a second line. */
typedef struct { double taken, names; int lines; } beside;

static beside names_beside(const report_figure *f)
{
  size_t longest = 0;
  for (size_t i = 0; i < f->curves && f->kind != REPORT_PLOT_GAP; i++)
    if (plot_last(f, &f->curve[i]) >= 0)
      longest = strlen(f->curve[i].name) > longest ? strlen(f->curve[i].name) : longest;
  double own = BESIDE + (f->kind == REPORT_PLOT_BAR ? BARS : 0), names = LETTER * (double)longest;
  beside b = { own + names, names, 1 };
  if (f->width > 0 && b.taken > 0.6 * f->width && own < 0.5 * f->width) {
    b.names = 0.6 * f->width - own;
    b.taken = 0.6 * f->width;
    b.lines = (int)ceil(names / b.names);
  }
  return b;
}

static double axis_height(const report_figure *f)
{
  size_t named = 0;
  for (size_t i = 0; i < f->curves; i++)
    named += plot_last(f, &f->curve[i]) >= 0;
  double least = f->width > 0 ? 0.5 * f->width : HEIGHT;
  return f->kind == REPORT_PLOT_GAP ? least : fmax(least, LINE * names_beside(f).lines * (double)(named + 1));
}

static void put_size(text *out, const report_figure *f)
{
  double taken = names_beside(f).taken;
  if (f->width > 0)
    text_printf(out, "  scale only axis, width=%gpt, height=%gpt,\n", fmax(60, f->width - taken), axis_height(f));
  else
    text_printf(out, "  scale only axis, width={max(60pt,\\linewidth-%gpt)}, height=%gpt,\n", taken, axis_height(f));
}

/* Places and what stands there: xtick={1024,...}, xticklabels={1K,...}. */
static void put_ticks(text *out, char axis, double lo, double hi, bool even)
{
  double tick[PLOT_TICKS];
  size_t n = even ? plot_even_ticks(lo, hi, TICKS, tick) : plot_ticks(lo, hi, TICKS, tick);
  text_printf(out, "  %ctick={", axis);
  for (size_t i = 0; i < n; i++)
    text_printf(out, "%s%.10g", i ? "," : "", tick[i]);
  text_printf(out, "}, %cticklabels={", axis);
  for (size_t i = 0; i < n; i++) {
    text_add(out, i ? "," : "");
    plot_number(out, tick[i]);
  }
  text_add(out, "},\n");
}

static void put_named(text *out, const char *key, const char *value)
{
  text_printf(out, "  %s={", key);
  report_latex_text(out, value);
  text_add(out, "},\n");
}

static void put_names(text *out, const report_figure *f)
{
  put_named(out, "xlabel", text_str(&f->x_name));
  put_named(out, "ylabel", text_str(&f->y_name));
  if (f->titled ? f->title.n : !f->caption.n)
    put_named(out, "title", text_str(&f->title));
}

static void put_coordinates(text *out, const report_figure *f, const plot_curve *c)
{
  text_add(out, "coordinates {");
  for (size_t k = 0; k < f->points; k++)
    if (isfinite(c->y[k]))
      text_printf(out, " (%.10g,%.10g)", f->x[k], c->y[k]);
    else
      text_printf(out, " (%.10g,nan)", f->x[k]);
  text_add(out, " }");
}

static void put_bands(text *out, const report_figure *f, double lo, double hi)
{
  for (size_t i = 0; i < f->bands; i++) {
    const plot_band *b = &f->band[i];
    text_printf(out, "\\fill[%s] (axis cs:%.10g,%.10g) rectangle (axis cs:%.10g,%.10g);\n",
                i % 2 ? "orange!8" : "blue!5", b->from, lo, b->to, hi);
    bool right = b->from * b->to > f->x[0] * f->x[f->points - 1]; /* there curves that fall leave room above */
    text_printf(out, "\\node[font=\\tiny, gray, rotate=90, anchor=%s] at (axis cs:%.10g,%.10g) {",
                right ? "east" : "west", sqrt(b->from * b->to), lo * pow(hi / lo, right ? 0.98 : 0.02));
    report_latex_text(out, b->name);
    text_add(out, "};\n");
  }
}

/* The shaded area stops at the first hole of the bound. */
static void put_floor(text *out, const report_figure *f, double lo)
{
  const plot_curve *c = plot_floor(f);
  if (!c)
    return;
  text_add(out, "\\fill[black, opacity=0.13]");
  size_t k = 0, first;
  while (k < f->points && !isfinite(c->y[k]))
    k++;
  for (first = k; k < f->points && isfinite(c->y[k]); k++)
    text_printf(out, "%s (axis cs:%.10g,%.10g)", k > first ? " --" : "", f->x[k], c->y[k]);
  if (k > first)
    text_printf(out, " -- (axis cs:%.10g,%.10g) -- (axis cs:%.10g,%.10g) -- cycle", f->x[k - 1], lo, f->x[first], lo);
  text_add(out, ";\n");
}

static void put_curve(text *out, const report_figure *f, size_t i)
{
  static const char *const marks[] = { "*", "square*", "triangle*", "diamond*", "o", "square", "triangle", "diamond" };
  text_add(out, "\\addplot[color=");
  rgb(out, plot_colour(f, i));
  static const char *const dashes[] = { "", ", dashed", ", densely dotted", ", dash dot" };
  text_printf(out, f->curve[i].floor ? ", very thick, mark=none" : ", thick, mark=%s, mark options={solid}",
              marks[plot_mark(f, i)]);
  text_add(out, dashes[plot_dash(f, i)]);
  text_add(out, ", unbounded coords=jump] ");
  put_coordinates(out, f, &f->curve[i]);
  text_add(out, ";\n");
}

static void put_labels(text *out, const report_figure *f)
{
  SCOPED_MEM double *at = MEM_NEW(double, f->curves);
  beside b = names_beside(f);
  plot_labels(f, LINE * b.lines / axis_height(f), at);
  for (size_t i = 0; i < f->curves; i++) {
    long last = plot_last(f, &f->curve[i]);
    if (last < 0)
      continue;
    text_add(out, "\\draw[thin, color=");
    rgb(out, plot_colour(f, i));
    text_printf(out, "] (axis cs:%.10g,%.10g) -- (rel axis cs:1.03,%.4f) node[right, font=\\footnotesize, color=black",
                f->x[last], f->curve[i].y[last], at[i]);
    if (b.lines > 1)
      text_printf(out, ", text width=%gpt, align=flush left", b.names - GAP);
    text_add(out, "] {");
    report_latex_text(out, f->curve[i].name);
    text_add(out, "};\n");
  }
}

static void put_crossings(text *out, const report_figure *f, double lo, double hi)
{
  for (size_t i = 0; i < f->crossings; i++) {
    double at = f->crossing[i].at;
    text_printf(out,
                "\\draw[dotted, thick, gray] (axis cs:%.10g,%.10g) -- (axis cs:%.10g,%.10g) node[above, "
                "font=\\footnotesize] {$\\approx$ ",
                at, lo, at, hi);
    plot_number(out, floor(at));
    text_add(out, "};\n");
  }
}

static void put_lines(text *out, const report_figure *f)
{
  double x_lo, x_hi, lo, hi;
  plot_x_range(f, &x_lo, &x_hi);
  plot_y_range(f, &lo, &hi);
  text_add(out, "\\begin{axis}[\n");
  put_size(out, f);
  text_add(out, "  xmode=log, ymode=log, clip=false, axis on top, grid=major, grid style={gray!25}, minor tick "
                "style={draw=none},\n"
                "  tick label style={font=\\footnotesize}, label style={font=\\small}, title style={font=\\small},\n");
  text_add(out, f->crossings ? "  title style={font=\\small, yshift=8pt},\n" : "");
  if (f->width > 0) /* a long title goes on in a second line, over the ticks on the left and as far on the right */
    text_printf(out, "  title style={align=center, text width=%gpt},\n", f->width - names_beside(f).taken + BESIDE);
  text_printf(out, "  xmin=%.10g, xmax=%.10g, ymin=%.10g, ymax=%.10g,\n", x_lo, x_hi, lo, hi);
  put_ticks(out, 'x', x_lo, x_hi, false);
  put_ticks(out, 'y', lo, hi, false);
  put_names(out, f);
  text_add(out, "]\n");
  put_bands(out, f, lo, hi);
  put_floor(out, f, lo);
  put_crossings(out, f, lo, hi);
  for (size_t i = 0; i < f->curves; i++)
    put_curve(out, f, i);
  put_labels(out, f);
}

/* Bars stand at 0, 1, 2 ...; each column is a plot, which pgfplots puts beside the others. */
/* Between a list of ticks along x and what comes after: each tick says its point's value. */
static void put_point_labels(text *out, const report_figure *f)
{
  text_add(out, "}, xticklabels={");
  for (size_t k = 0; k < f->points; k++) {
    text_add(out, k ? "," : "");
    plot_number(out, f->x[k]);
  }
}

static void put_bars(text *out, const report_figure *f)
{
  double lo, hi;
  bool logarithmic = plot_bar_range(f, &lo, &hi);
  text_add(out, "\\begin{axis}[\n");
  put_size(out, f);
  text_printf(
      out,
      "  ybar=0pt, bar width={0.8*\\pgfkeysvalueof{/pgfplots/width}/%zu}, enlarge x limits={abs=0.6}, %sclip=false,\n",
      f->points * f->curves + 1, logarithmic ? "ymode=log, log origin=infty, " : "");
  text_printf(out,
              "  ymajorgrids, grid style={gray!25}, minor tick style={draw=none}, ymin=%.10g, ymax=%.10g,\n"
              "  tick label style={font=\\footnotesize}, label style={font=\\small}, title style={font=\\small},\n"
              "  legend style={at={(1.03,1)}, anchor=north west, draw=none, font=\\footnotesize}, legend cell "
              "align=left, area legend, xtick style={draw=none},\n  xtick={",
              lo, hi);
  for (size_t k = 0; k < f->points; k++)
    text_printf(out, "%s%zu", k ? "," : "", k);
  put_point_labels(out, f);
  text_add(out, "},\n");
  put_ticks(out, 'y', lo, hi, !logarithmic);
  put_names(out, f);
  text_add(out, "]\n");
  for (size_t i = 0; i < f->curves; i++) {
    text_add(out, "\\addplot[draw=none, fill=");
    rgb(out, plot_colour(f, i));
    text_add(out, "] coordinates {");
    for (size_t k = 0; k < f->points; k++)
      if (isfinite(f->curve[i].y[k]))
        text_printf(out, " (%zu,%.10g)", k, f->curve[i].y[k]);
    text_add(out, " };\n\\addlegendentry{");
    report_latex_text(out, f->curve[i].name);
    text_add(out, "}\n");
  }
}

static void put_cell(text *out, const report_figure *f, size_t row, size_t k, double greatest)
{
  const plot_curve *c = &f->curve[row];
  int shade[3] = { 225, 225, 225 };
  bool white = isfinite(c->y[k]) && plot_heat(c->y[k], greatest, shade);
  text_add(out, "\\path[fill=");
  rgb(out, shade);
  text_printf(out, "] (axis cs:%zu,%zu) rectangle (axis cs:%zu,%zu);\n\\node[font=\\tiny%s] at (axis cs:%zu.5,%zu.5) {",
              k, row, k + 1, row + 1, white ? ", white" : "", k, row);
  if (isfinite(c->y[k]))
    text_printf(out, c->y[k] < 100 ? "%.2f" : "%.4g", c->y[k]);
  else
    report_latex_text(out, c->cell[k]);
  text_add(out, "};\n");
}

static void put_heat(text *out, const report_figure *f)
{
  text_add(out, "\\begin{axis}[\n");
  put_size(out, f);
  text_add(out, "  axis on top, tick style={draw=none}, tick label style={font=\\footnotesize}, label "
                "style={font=\\small}, title style={font=\\small},\n");
  text_printf(out, "  xmin=0, xmax=%zu, ymin=0, ymax=%zu,\n  xtick={", f->points, f->curves);
  for (size_t k = 0; k < f->points; k++)
    text_printf(out, "%s%zu.5", k ? "," : "", k);
  put_point_labels(out, f);
  text_add(out, "},\n  ytick={");
  for (size_t row = 0; row < f->curves; row++)
    text_printf(out, "%s%zu.5", row ? "," : "", row);
  text_add(out, "}, yticklabels={");
  for (size_t row = 0; row < f->curves; row++)
    text_printf(out, "%s%s", row ? "," : "", f->curve[row].name);
  text_add(out, "},\n");
  put_names(out, f);
  text_add(out, "]\n");
  for (size_t row = 0; row < f->curves; row++)
    for (size_t k = 0; k < f->points; k++)
      put_cell(out, f, row, k, plot_greatest(f));
}

void plot_pgfplots(const report_figure *f, text *out)
{
  bool figure = f->caption.n || f->label.n;
  text_add(out, "% needs \\usepackage{pgfplots} and \\pgfplotsset{compat=1.16}\n");
  text_add(out, figure ? "\\begin{figure}\n\\centering\n" : "");
  text_add(out, "\\begin{tikzpicture}\n");
  if (f->kind == REPORT_PLOT_GAP)
    put_heat(out, f);
  else if (f->kind == REPORT_PLOT_BAR)
    put_bars(out, f);
  else
    put_lines(out, f);
  text_add(out, "\\end{axis}\n\\end{tikzpicture}\n");
  if (f->note.n) {
    text_add(out, "% ");
    report_latex_text(out, f->note.s);
    text_char(out, '\n');
  }
  if (f->caption.n) {
    text_add(out, "\\caption{");
    report_latex_text(out, f->caption.s);
    text_add(out, "}\n");
  }
  if (f->label.n)
    text_printf(out, "\\label{%s}\n", f->label.s);
  text_add(out, figure ? "\\end{figure}\n" : "");
}
