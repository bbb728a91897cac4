/* plot_pgf.c -- a figure as pgfplots source: the points as numbers, to be changed by hand in a paper. */
#include "report/plot_internal.h"
#include "base/mem.h"
#include <math.h>
#include <string.h>

static void rgb(text *out, const int c[3]) { text_printf(out, "{rgb,255:red,%d;green,%d;blue,%d}", c[0], c[1], c[2]); }

/* Places and what stands there: xtick={1024,...}, xticklabels={1K,...}. */
static void put_ticks(text *out, char axis, double lo, double hi)
{
  double tick[PLOT_TICKS];
  size_t n = plot_ticks(lo, hi, tick);
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
  if (!f->caption.n)
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
    text_printf(out, "\\fill[%s] (axis cs:%.10g,%.10g) rectangle (axis cs:%.10g,%.10g);\n", i % 2 ? "orange!8" : "blue!5", b->from, lo, b->to, hi);
    bool right = b->from * b->to > f->x[0] * f->x[f->points - 1]; /* there curves that fall leave room above */
    text_printf(out, "\\node[font=\\tiny, gray, rotate=90, anchor=%s] at (axis cs:%.10g,%.10g) {", right ? "east" : "west", sqrt(b->from * b->to),
                lo * pow(hi / lo, right ? 0.98 : 0.02));
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
  text_printf(out, f->curve[i].floor ? ", very thick, mark=none" : ", thick, mark=%s", marks[plot_mark(f, i) % 8]);
  text_add(out, ", unbounded coords=jump] ");
  put_coordinates(out, f, &f->curve[i]);
  text_add(out, ";\n");
}

static void put_labels(text *out, const report_figure *f)
{
  double *at = MEM_NEW(double, f->curves);
  plot_labels(f, 0.055, at);
  for (size_t i = 0; i < f->curves; i++) {
    long last = plot_last(f, &f->curve[i]);
    if (last < 0)
      continue;
    text_add(out, "\\draw[thin, color=");
    rgb(out, plot_colour(f, i));
    text_printf(out, "] (axis cs:%.10g,%.10g) -- (rel axis cs:1.03,%.4f) node[right, font=\\footnotesize, color=black] {", f->x[last],
                f->curve[i].y[last], at[i]);
    report_latex_text(out, f->curve[i].name);
    text_add(out, "};\n");
  }
  mem_free(at);
}

static void put_crossings(text *out, const report_figure *f, double lo, double hi)
{
  for (size_t i = 0; i < f->crossings; i++) {
    double at = f->crossing[i].at;
    text_printf(out, "\\draw[dotted, thick, gray] (axis cs:%.10g,%.10g) -- (axis cs:%.10g,%.10g) node[above, font=\\footnotesize] {$\\approx$ ",
                at, lo, at, hi);
    plot_number(out, floor(at));
    text_add(out, "};\n");
  }
}

/* What the names beside the axis leave of a line: a letter is about 1.35 % of it. */
static double axis_width(const report_figure *f)
{
  size_t longest = 0;
  for (size_t i = 0; i < f->curves; i++)
    if (plot_last(f, &f->curve[i]) >= 0)
      longest = strlen(f->curve[i].name) > longest ? strlen(f->curve[i].name) : longest;
  return fmax(0.5, fmin(0.85, 0.91 - 0.0135 * (double)longest));
}

static void put_lines(text *out, const report_figure *f)
{
  double x_lo, x_hi, lo, hi;
  plot_x_range(f, &x_lo, &x_hi);
  plot_y_range(f, &lo, &hi);
  text_printf(out, "\\begin{axis}[\n  width=%.2f\\linewidth, height=0.55\\linewidth, xmode=log, ymode=log, clip=false, axis on top,\n"
                   "  grid=major, grid style={gray!25}, minor tick style={draw=none},\n", axis_width(f));
  text_add(out, f->crossings ? "  title style={yshift=8pt},\n" : "");
  text_printf(out, "  xmin=%.10g, xmax=%.10g, ymin=%.10g, ymax=%.10g,\n", x_lo, x_hi, lo, hi);
  put_ticks(out, 'x', x_lo, x_hi);
  put_ticks(out, 'y', lo, hi);
  put_names(out, f);
  text_add(out, "]\n");
  put_bands(out, f, lo, hi);
  put_floor(out, f, lo);
  put_crossings(out, f, lo, hi);
  for (size_t i = 0; i < f->curves; i++)
    put_curve(out, f, i);
  put_labels(out, f);
}

static void put_cell(text *out, const report_figure *f, size_t row, size_t k, double greatest)
{
  const plot_curve *c = &f->curve[row];
  int shade[3] = { 225, 225, 225 };
  bool white = isfinite(c->y[k]) && plot_heat(c->y[k], greatest, shade);
  text_add(out, "\\path[fill=");
  rgb(out, shade);
  text_printf(out, "] (axis cs:%zu,%zu) rectangle (axis cs:%zu,%zu);\n\\node[font=\\tiny%s] at (axis cs:%zu.5,%zu.5) {", k, row, k + 1, row + 1,
              white ? ", white" : "", k, row);
  if (isfinite(c->y[k]))
    text_printf(out, c->y[k] < 100 ? "%.2f" : "%.4g", c->y[k]);
  else
    report_latex_text(out, c->cell[k]);
  text_add(out, "};\n");
}

static void put_heat(text *out, const report_figure *f)
{
  text_add(out, "\\begin{axis}[\n  width=0.9\\linewidth, height=0.6\\linewidth, axis on top, tick style={draw=none},\n");
  text_printf(out, "  xmin=0, xmax=%zu, ymin=0, ymax=%zu,\n  xtick={", f->points, f->curves);
  for (size_t k = 0; k < f->points; k++)
    text_printf(out, "%s%zu.5", k ? "," : "", k);
  text_add(out, "}, xticklabels={");
  for (size_t k = 0; k < f->points; k++) {
    text_add(out, k ? "," : "");
    plot_number(out, f->x[k]);
  }
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
