/* plot.c -- the points of a figure, from the table of each computation; regimes, crossings, and where labels and ticks
 * go. */
#include "report/plot_internal.h"
#include "base/mem.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find_word(const char *word, const char *const *words, int n)
{
  for (int i = 0; i < n; i++)
    if (strcmp(word, words[i]) == 0)
      return i;
  return -1;
}

bool report_plot_kind_find(const char *name, report_plot_kind *kind)
{
  static const char *const names[] = { "memory", "length", "gap", "bar" };
  int i = find_word(name, names, 4);
  *kind = (report_plot_kind)(i < 0 ? 0 : i);
  return i >= 0;
}

bool report_picture_find(const char *name, report_picture *how)
{
  static const char *const names[] = { "svg", "pdf", "png", "tex", "pgfplots", "tikz" }; /* the last three are one */
  int i = find_word(name, names, 6);
  *how = (report_picture)(i < 0 ? 0 : i > REPORT_PGFPLOTS ? REPORT_PGFPLOTS : i);
  return i >= 0;
}

/* ---- the table behind the picture ---- */

/* tuned(NAME) of every schedule the library has for this computation, and the bound under them. */
static void usual_columns(const report_plot *p, text *columns)
{
  if (p->columns || p->kind == REPORT_PLOT_GAP || p->specs > 1) {
    text_add(columns, p->columns ? p->columns : p->kind == REPORT_PLOT_GAP ? "gap" : "best,bound");
    return;
  }
  const schedule_listing *list;
  int n = schedule_library(&list);
  char family[CDAG_NAME];
  snprintf(family, sizeof family, "%.*s", (int)strcspn(p->spec[0], ":"), p->spec[0]);
  for (int i = 0; i < n; i++)
    if (strcmp(list[i].family, family) == 0)
      text_printf(columns, "tuned(%s),", list[i].name);
  text_add(columns, "bound");
}

static const char *usual_sweep(report_plot_kind kind)
{
  return kind == REPORT_PLOT_MEMORY                              ? "M=256..1M*2"
         : kind == REPORT_PLOT_LENGTH || kind == REPORT_PLOT_BAR ? "n=1K..128K*2"
                                                                 : "n=1K..128K*2 M=4K..1M*2";
}

static int find_variable(const report_sweep *s, const char *name)
{
  for (int i = 0; i < s->variables; i++)
    if (strcmp(s->variable[i].name, name) == 0)
      return i;
  return -1;
}

static status fill_sweep(const report_plot *p, report_sweep *s, diag *d)
{
  status st = report_sweep_parse(s, p->sweep ? p->sweep : usual_sweep(p->kind), d);
  if (st == OK && find_variable(s, "M") < 0) {
    char setting[40];
    if (!p->rules.m)
      return diag_set(d, BAD_USAGE, "usage", "which fast memory: -M WORDS, or sweep M");
    snprintf(setting, sizeof setting, "M=%llu", (unsigned long long)p->rules.m);
    st = report_sweep_add(s, setting, d);
  }
  return st;
}

static status fill_table(const report_plot *p, int which, report_table *t, diag *d)
{
  SCOPED_TEXT columns = { 0 };
  t->rules = p->rules;
  text_add(&t->spec, p->spec[which]);
  text_add(&t->label, p->label ? p->label : "");
  status st = fill_sweep(p, &t->sweep, d);
  usual_columns(p, &columns);
  if (st == OK)
    st = report_table_add_columns(t, text_str(&columns), d);
  if (st == OK && p->kind == REPORT_PLOT_MEMORY)
    st = report_table_add_column(t, "regime", "theorem", -1, true, d);
  return st == OK ? report_table_settle(t, d) : st;
}

/* ---- axes ---- */

static status rising(const report_variable *v, diag *d)
{
  for (size_t i = 0; i < v->n; i++)
    if (v->value[i] < 1 || (i && v->value[i] <= v->value[i - 1]))
      return diag_set(d, BAD_USAGE, "usage", "the values of %s must be positive and rise: the axis is logarithmic",
                      v->name);
  return OK;
}

/* The variables along the axes; every other one may have one value only. */
static status find_axes(report_plot_kind kind, const report_sweep *s, int *x, int *y, diag *d)
{
  int m = find_variable(s, "M");
  *x = kind == REPORT_PLOT_MEMORY ? m : -1;
  *y = kind == REPORT_PLOT_GAP ? m : -1;
  for (int i = s->variables - 1; kind != REPORT_PLOT_MEMORY && i >= 0; i--)
    if (i != m && (*x < 0 || s->variable[i].n > 1))
      *x = i;
  if (kind == REPORT_PLOT_BAR && (*x < 0 || (s->variable[*x].n == 1 && s->variable[m].n > 1)))
    *x = m;
  if (*x < 0)
    return diag_set(d, BAD_USAGE, "usage", "nothing but M is swept: add a length, such as n=1K..64K*2");
  for (int i = 0; i < s->variables; i++)
    if (i != *x && i != *y && s->variable[i].n > 1)
      return diag_set(d, BAD_USAGE, "usage", "%s has %zu values, but %s is the axis: give it one", s->variable[i].name,
                      s->variable[i].n, s->variable[*x].name);
  status st = rising(&s->variable[*x], d);
  return st == OK && *y >= 0 ? rising(&s->variable[*y], d) : st;
}

static void fill_x(report_figure *f, const report_variable *v)
{
  f->points = v->n;
  f->x = MEM_NEW(double, v->n);
  for (size_t i = 0; i < v->n; i++)
    f->x[i] = (double)v->value[i];
}

/* ---- curves ---- */

/* What a column is called beside its curve: tuned(attenio) is attenio. */
static char *curve_name(const report_plot *p, int which, const char *expression)
{
  text name = { 0 };
  size_t n = strlen(expression);
  if (p->specs > 1)
    text_printf(&name, "%.*s: ", (int)strcspn(p->spec[which], ":"), p->spec[which]);
  if (strcmp(expression, "best") == 0)
    text_add(&name, "best schedule");
  else if (strcmp(expression, "bound") == 0)
    text_add(&name, "lower bound");
  else if (strncmp(expression, "tuned(", 6) == 0 && strchr(expression, ')') == expression + n - 1)
    text_printf(&name, "%.*s", (int)(n - 7), expression + 6);
  else
    text_add(&name, expression);
  return name.s;
}

/* bound, or bound(NAME), and nothing more */
static bool is_bound(const char *expression)
{
  const char *end = strchr(expression, ')');
  return strcmp(expression, "bound") == 0 || (strncmp(expression, "bound(", 6) == 0 && end && end[1] == '\0');
}

static plot_curve *add_curve(report_figure *f, char *name, const char *expression)
{
  f->curve = mem_room(f->curve, f->curves, &f->curve_room, sizeof *f->curve);
  plot_curve *c = &f->curve[f->curves++];
  *c = (plot_curve){ .name = name, .expression = mem_text(expression), .floor = is_bound(expression) };
  c->y = MEM_NEW(double, f->points);
  c->cell = MEM_NEW(char *, f->points);
  return c;
}

static void set_point(plot_curve *c, size_t k, const char *cell)
{
  char *end;
  double v = strtod(cell, &end);
  c->y[k] = isdigit((unsigned char)*cell) && *end == '\0' && v > 0 ? v : NAN;
  c->cell[k] = mem_text(cell);
}

/* Row k of the table is point k: every other variable has one value. */
static void curves_of_table(report_figure *f, const report_plot *p, int which, const report_table *t,
                            const report_cells *cells)
{
  for (int c = 0; c < t->columns; c++) {
    if (t->column[c].swept || t->column[c].hidden)
      continue;
    plot_curve *curve = add_curve(f, curve_name(p, which, t->column[c].title), t->column[c].expression);
    for (size_t k = 0; k < f->points; k++)
      set_point(curve, k, cells->cell[k * (size_t)t->columns + (size_t)c]);
  }
}

static int shown_column(const report_table *t)
{
  int found = -1, n = 0;
  for (int c = 0; c < t->columns; c++)
    if (!t->column[c].swept && !t->column[c].hidden) {
      found = c;
      n++;
    }
  return n == 1 ? found : -1;
}

static status heat_of_table(report_figure *f, const report_table *t, const report_cells *cells, int x, int y, diag *d)
{
  int column = shown_column(t);
  if (column < 0)
    return diag_set(d, BAD_USAGE, "usage", "a heat map shows one column");
  const report_variable *rows = &t->sweep.variable[y];
  for (size_t i = 0; i < rows->n; i++) {
    text name = { 0 };
    plot_number(&name, (double)rows->value[i]);
    add_curve(f, name.s, t->column[column].expression)->level = (double)rows->value[i];
  }
  for (size_t row = 0; row < cells->rows; row++) {
    size_t along = x > y ? row % f->points : row / rows->n, up = x > y ? row / f->points : row % rows->n;
    set_point(&f->curve[up], along, cells->cell[row * (size_t)t->columns + (size_t)column]);
  }
  return OK;
}

/* Neighbouring points whose best bound is the same theorem's are one regime; it ends halfway to the next point. */
static void find_regimes(report_figure *f, const report_table *t, const report_cells *cells)
{
  int column = 0;
  while (column < t->columns && strcmp(t->column[column].expression, "theorem") != 0)
    column++;
  for (size_t k = 0; k < f->points && column < t->columns; k++) {
    const char *name = cells->cell[k * (size_t)t->columns + (size_t)column];
    plot_band *last = f->bands ? &f->band[f->bands - 1] : NULL;
    double start = k ? sqrt(f->x[k - 1] * f->x[k]) : f->x[0];
    if (last)
      last->to = start;
    if (!last || strcmp(last->name, name) != 0) {
      f->band = mem_room(f->band, f->bands, &f->band_room, sizeof *f->band);
      f->band[f->bands++] = (plot_band){ .from = start, .name = mem_text(name) };
    }
    f->band[f->bands - 1].to = f->x[k];
  }
}

/* ---- crossings ---- */

static int least_at(const report_figure *f, size_t k)
{
  int least = -1;
  for (size_t i = 0; i < f->curves; i++)
    if (!f->curve[i].floor && isfinite(f->curve[i].y[k]) && (least < 0 || f->curve[i].y[k] < f->curve[least].y[k]))
      least = (int)i;
  return least;
}

/* Straight lines between the points, in logarithms. */
static double meeting(const report_figure *f, size_t k, int from, int to)
{
  const double *a = f->curve[from].y, *b = f->curve[to].y;
  double before = log(b[k] / a[k]), after = log(a[k + 1] / b[k + 1]);
  double share = isfinite(before) && isfinite(after) && before + after > 0 ? before / (before + after) : 0.5;
  return f->x[k] * pow(f->x[k + 1] / f->x[k], share);
}

static void find_crossings(report_figure *f)
{
  for (size_t k = 0; k + 1 < f->points; k++) {
    int from = least_at(f, k), to = least_at(f, k + 1);
    if (from < 0 || to < 0 || from == to)
      continue;
    f->crossing = mem_room(f->crossing, f->crossings, &f->crossing_room, sizeof *f->crossing);
    f->crossing[f->crossings++] = (plot_crossing){ f->x[k], f->x[k + 1], meeting(f, k, from, to), from, to };
  }
}

/* ---- words ---- */

static bool counts_words(const report_figure *f)
{
  for (size_t i = 0; i < f->curves; i++) {
    const char *e = f->curve[i].expression;
    if (strpbrk(e, "+*/^") ||
        (strncmp(e, "tuned(", 6) && strncmp(e, "io(", 3) && strncmp(e, "bound", 5) && strcmp(e, "best")))
      return false;
  }
  return true;
}

static bool all_begin_with(const report_figure *f, const char *word)
{
  for (size_t i = 0; i < f->curves; i++)
    if (strncmp(f->curve[i].expression, word, strlen(word)) != 0 || strpbrk(f->curve[i].expression, "+*/^"))
      return false;
  return true;
}

static const char *name_of_values(const report_figure *f)
{
  return counts_words(f)                   ? "words moved, loads and stores"
         : all_begin_with(f, "time(")      ? "seconds, by the model of time"
         : all_begin_with(f, "intensity(") ? "multiply-adds a word moved"
                                           : "value";
}

static void fill_words(report_figure *f, const report_plot *p, const report_sweep *s, int x, int y)
{
  f->titled = p->title != NULL;
  f->width = p->width;
  text_add(&f->title, p->title ? p->title : "");
  for (int i = 0; i < p->specs && !p->title; i++)
    text_printf(&f->title, "%s%s", i ? " and " : "", p->spec[i]);
  for (int i = 0; i < s->variables && !p->title; i++)
    if (i != x && i != y) {
      text_printf(&f->title, ", %s = ", s->variable[i].name);
      plot_number(&f->title, (double)s->variable[i].value[0]);
    }
  text_add(&f->caption, p->caption ? p->caption : "");
  text_add(&f->label, p->label ? p->label : "");
  text_add(&f->x_name, s->variable[x].name);
  text_add(&f->x_name, x == find_variable(s, "M") ? ", words of fast memory" : "");
  if (p->kind == REPORT_PLOT_GAP) {
    if (!p->title)
      text_printf(&f->title, ": %s",
                  strcmp(f->curve[0].expression, "gap") == 0 ? "best schedule over best bound"
                                                             : f->curve[0].expression);
    text_add(&f->y_name, "M, words of fast memory");
  } else
    text_add(&f->y_name, name_of_values(f));
}

/* Curves without a single point are named, with the word that stands in their place. */
static void fill_note(report_figure *f)
{
  for (size_t i = 0; i < f->curves && f->kind != REPORT_PLOT_GAP; i++)
    if (plot_last(f, &f->curve[i]) < 0)
      text_printf(&f->note, "%s%s (%s)", f->note.n ? ", " : "no point: ", f->curve[i].name, f->curve[i].cell[0]);
}

/* ---- a figure ---- */

static status one_table(report_figure *f, const report_plot *p, int which, diag *d)
{
  report_table t = { 0 };
  report_cells cells = { 0 };
  int x, y;
  status st = fill_table(p, which, &t, d);
  if (st == OK)
    st = find_axes(p->kind, &t.sweep, &x, &y, d);
  if (st == OK) {
    report_run run = { .jobs = p->jobs > 1 ? p->jobs : 1, .shard = 1, .shards = 1, .progress = p->progress };
    report_cells_init(&cells, &t);
    st = report_table_run(&t, &run, &cells, d);
  }
  if (st == OK && !f->x)
    fill_x(f, &t.sweep.variable[x]);
  if (st == OK && p->kind == REPORT_PLOT_GAP)
    st = heat_of_table(f, &t, &cells, x, y, d);
  else if (st == OK)
    curves_of_table(f, p, which, &t, &cells);
  if (st == OK && p->kind == REPORT_PLOT_MEMORY)
    find_regimes(f, &t, &cells);
  if (st == OK && which == 0 && f->curves)
    fill_words(f, p, &t.sweep, x, y);
  report_cells_clear(&cells, &t);
  report_table_clear(&t);
  return st;
}

static status something_to_draw(const report_figure *f, diag *d)
{
  for (size_t i = 0; i < f->curves; i++)
    if (plot_last(f, &f->curve[i]) >= 0)
      return OK;
  return diag_set(d, BAD_USAGE, "usage", "nothing to draw: no column has a number anywhere%s%s",
                  f->curves ? "; the first says " : "", f->curves ? f->curve[0].cell[0] : "");
}

status report_figure_new(report_figure **out, const report_plot *p, diag *d)
{
  report_figure *f = MEM_NEW(report_figure, 1);
  f->kind = p->kind;
  status st = p->specs > 1 && p->kind != REPORT_PLOT_LENGTH
                  ? diag_set(d, BAD_USAGE, "usage", "only --kind length compares several computations")
                  : OK;
  for (int i = 0; i < p->specs && st == OK; i++)
    st = one_table(f, p, i, d);
  if (st == OK)
    st = something_to_draw(f, d);
  if (st == OK && p->kind == REPORT_PLOT_LENGTH)
    find_crossings(f);
  if (st == OK)
    fill_note(f);
  else {
    report_figure_free(f);
    f = NULL;
  }
  *out = f;
  return st;
}

static void curve_clear(plot_curve *c, size_t points)
{
  for (size_t k = 0; k < points; k++)
    mem_free(c->cell[k]);
  mem_free(c->cell);
  mem_free(c->y);
  mem_free(c->name);
  mem_free(c->expression);
}

void report_figure_free(report_figure *f)
{
  if (!f)
    return;
  for (size_t i = 0; i < f->curves; i++)
    curve_clear(&f->curve[i], f->points);
  for (size_t i = 0; i < f->bands; i++)
    mem_free(f->band[i].name);
  mem_free(f->curve);
  mem_free(f->band);
  mem_free(f->crossing);
  mem_free(f->x);
  text *const texts[] = { &f->title, &f->caption, &f->label, &f->x_name, &f->y_name, &f->note };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    text_clear(texts[i]);
  mem_free(f);
}

status report_figure_draw(const report_figure *f, report_picture how, text *out, diag *d)
{
  if (how != REPORT_PGFPLOTS)
    return plot_cairo(f, how, out, d);
  plot_pgfplots(f, out);
  return OK;
}

/* ---- what the ways of drawing share ---- */

void plot_number(text *out, double v)
{
  static const char suffixes[] = " KMGTPE";
  int i = 0;
  for (; v >= 1024 && i < 6; i++)
    v /= 1024;
  text_printf(out, "%.4g", v);
  if (i)
    text_char(out, suffixes[i]);
}

static size_t powers_of_two(double lo, double hi, int most, double *tick)
{
  int first = (int)ceil(log2(lo) - 1e-9), last = (int)floor(log2(hi) + 1e-9), step = 1;
  while ((last - first) / step + 1 > most)
    step++;
  size_t n = 0;
  first += (step - first % step) % step; /* multiples of the step: 1K, 32K, 1M */
  for (int k = first; k <= last; k += step)
    tick[n++] = ldexp(1, k);
  return n;
}

static size_t powers_of_ten(double lo, double hi, double *tick)
{
  size_t n = 0;
  for (double v = pow(10, ceil(log10(lo) - 1e-9)); v <= hi * (1 + 1e-9) && n < PLOT_TICKS; v *= 10)
    tick[n++] = v;
  return n;
}

size_t plot_ticks(double lo, double hi, int most, double tick[PLOT_TICKS])
{
  size_t n = lo < 1 ? powers_of_ten(lo, hi, tick) : powers_of_two(lo, hi, most, tick);
  return n >= 3 ? n : plot_even_ticks(lo, hi, most, tick);
}

size_t plot_even_ticks(double lo, double hi, int most, double tick[PLOT_TICKS])
{
  double unit = 1;
  while (unit * 1024 <= hi)
    unit *= 1024;
  double step = pow(10, floor(log10((hi - lo) / unit))) * unit;
  static const double factors[] = { 0.1, 0.2, 0.5, 1, 2, 5 };
  for (size_t i = 0; i < 6; i++)
    if ((hi - lo) / (step * factors[i]) < most) {
      step *= factors[i];
      break;
    }
  size_t n = 0;
  for (double k = ceil(lo / step); k * step <= hi * (1 + 1e-9) && n < PLOT_TICKS; k++)
    tick[n++] = k * step;
  return n;
}

static void widen(double *lo, double *hi, double share)
{
  double margin = *hi > *lo ? pow(*hi / *lo, share) : 1.4;
  *lo /= margin;
  *hi *= margin;
}

void plot_x_range(const report_figure *f, double *lo, double *hi)
{
  *lo = f->x[0];
  *hi = f->x[f->points - 1];
  if (f->points == 1)
    widen(lo, hi, 0);
}

void plot_y_range(const report_figure *f, double *lo, double *hi)
{
  *lo = INFINITY;
  *hi = 0;
  for (size_t i = 0; i < f->curves; i++)
    for (size_t k = 0; k < f->points; k++)
      if (isfinite(f->curve[i].y[k])) {
        *lo = fmin(*lo, f->curve[i].y[k]);
        *hi = fmax(*hi, f->curve[i].y[k]);
      }
  widen(lo, hi, 0.07);
}

long plot_last(const report_figure *f, const plot_curve *c)
{
  for (size_t k = f->points; k-- > 0;)
    if (isfinite(c->y[k]))
      return (long)k;
  return -1;
}

/* Labels that touch are pushed apart, equally, until none do. */
void plot_labels(const report_figure *f, double apart, double *at)
{
  size_t *order = MEM_NEW(size_t, f->curves), n = 0;
  double lo, hi;
  plot_y_range(f, &lo, &hi);
  for (size_t i = 0; i < f->curves; i++) {
    long last = plot_last(f, &f->curve[i]);
    at[i] = last < 0 ? NAN : log(f->curve[i].y[last] / lo) / log(hi / lo);
    if (last < 0)
      continue;
    size_t k = n++;
    for (; k > 0 && (at[order[k - 1]] > at[i] || (at[order[k - 1]] == at[i] && f->curve[i].floor)); k--)
      order[k] = order[k - 1];
    order[k] = i;
  }
  for (int iteration = 0; iteration < 400; iteration++)
    for (size_t k = 0; k + 1 < n; k++) {
      double missing = apart - (at[order[k + 1]] - at[order[k]]);
      if (missing > 0) {
        at[order[k]] -= missing / 2;
        at[order[k + 1]] += missing / 2;
      }
    }
  double floor_at = 0.01;
  for (size_t k = 0; k < n; k++, floor_at += apart)
    at[order[k]] = fmax(at[order[k]], floor_at);
  double roof = 0.99;
  for (size_t k = n; k-- > 0; roof -= apart)
    at[order[k]] = fmin(at[order[k]], roof);
  mem_free(order);
}

const plot_curve *plot_floor(const report_figure *f)
{
  const plot_curve *found = NULL;
  for (size_t i = 0; i < f->curves; i++)
    if (f->curve[i].floor) {
      if (found)
        return NULL;
      found = &f->curve[i];
    }
  return found;
}

/* Which bound, or which curve that is none. */
static size_t nth(const report_figure *f, size_t curve)
{
  size_t n = 0;
  for (size_t i = 0; i < curve; i++)
    n += f->curve[i].floor == f->curve[curve].floor;
  return n;
}

enum { PLOT_BOUND_COLOURS = 3, PLOT_DASHES = 4 };
static size_t colours_of(const report_figure *f, size_t curve)
{
  return f->curve[curve].floor ? PLOT_BOUND_COLOURS : PLOT_COLOURS;
}

/* Each time the colours are used up, marks move on by one and the dash changes. */
size_t plot_mark(const report_figure *f, size_t curve)
{
  size_t n = nth(f, curve);
  return (n + n / colours_of(f, curve)) % 8;
}

size_t plot_dash(const report_figure *f, size_t curve) { return nth(f, curve) / colours_of(f, curve) % PLOT_DASHES; }

const int *plot_colour(const report_figure *f, size_t curve)
{
  static const int colours[PLOT_COLOURS][3] = { { 0, 114, 178 }, { 213, 94, 0 },   { 0, 158, 115 },  { 204, 121, 167 },
                                                { 230, 159, 0 }, { 86, 180, 233 }, { 110, 80, 40 },
                                                { 110, 120, 130 } };
  static const int bounds[PLOT_BOUND_COLOURS][3] = { { 0, 0, 0 }, { 120, 120, 120 }, { 70, 70, 110 } };
  size_t n = nth(f, curve);
  return f->curve[curve].floor ? bounds[n % PLOT_BOUND_COLOURS] : colours[n % PLOT_COLOURS];
}

bool plot_bar_range(const report_figure *f, double *lo, double *hi)
{
  plot_y_range(f, lo, hi);
  bool logarithmic = *hi / *lo > 100;
  if (!logarithmic)
    *lo = 0;
  return logarithmic;
}

double plot_greatest(const report_figure *f)
{
  double greatest = 1;
  for (size_t i = 0; i < f->curves; i++)
    for (size_t k = 0; k < f->points; k++)
      greatest = fmax(greatest, isfinite(f->curve[i].y[k]) ? f->curve[i].y[k] : 1);
  return greatest;
}

bool plot_heat(double v, double greatest, int colour[3])
{
  static const int stops[5][3] = {
    { 255, 255, 217 }, { 199, 233, 180 }, { 65, 182, 196 }, { 34, 94, 168 }, { 8, 29, 88 }
  };
  double share = greatest > 1 && v > 1 ? log(v) / log(greatest) * 4 : 0;
  int stop = share >= 4 ? 3 : (int)share;
  for (int i = 0; i < 3; i++)
    colour[i] = (int)lround(stops[stop][i] + (share - stop) * (stops[stop + 1][i] - stops[stop][i]));
  return share > 2.2;
}

/* ---- JSON ---- */

static void put_cell(json *j, const plot_curve *c, size_t k)
{
  if (isfinite(c->y[k]))
    json_raw(j, c->cell[k]);
  else
    json_string(j, c->cell[k]);
}

static void put_curves(json *j, const report_figure *f)
{
  json_put_open(j, "curves", '[');
  for (size_t i = 0; i < f->curves; i++) {
    json_open(j, '{');
    json_put_string(j, "name", f->curve[i].name);
    json_put_string(j, "expression", f->curve[i].expression);
    json_put_string(j, "role", f->curve[i].floor ? "bound" : "value");
    json_put_string(j, "trust", report_trust_of(f->curve[i].expression));
    if (f->kind == REPORT_PLOT_GAP)
      json_put_int(j, "M", (int64_t)f->curve[i].level);
    json_put_open(j, "y", '[');
    for (size_t k = 0; k < f->points; k++)
      put_cell(j, &f->curve[i], k);
    json_close(j, ']');
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void put_regimes(json *j, const report_figure *f)
{
  json_put_open(j, "regimes", '[');
  for (size_t i = 0; i < f->bands; i++) {
    json_open(j, '{');
    json_put_string(j, "theorem", f->band[i].name);
    json_put_real(j, "from", f->band[i].from);
    json_put_real(j, "to", f->band[i].to);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void put_crossings(json *j, const report_figure *f)
{
  json_put_open(j, "crossings", '[');
  for (size_t i = 0; i < f->crossings; i++) {
    const plot_crossing *c = &f->crossing[i];
    json_open(j, '{');
    json_put_string(j, "least_before", f->curve[c->from].name);
    json_put_string(j, "least_after", f->curve[c->to].name);
    json_put_int(j, "after", (int64_t)c->before);
    json_put_int(j, "before", (int64_t)c->after);
    json_put_real(j, "estimate", c->at);
    json_close(j, '}');
  }
  json_close(j, ']');
}

void report_figure_json(const report_figure *f, json *j)
{
  static const char *const kinds[] = { "memory", "length", "gap", "bar" };
  json_put_string(j, "kind", kinds[f->kind]);
  json_put_string(j, "title", text_str(&f->title));
  json_put_string(j, "x_axis", text_str(&f->x_name));
  json_put_open(j, "x", '[');
  for (size_t k = 0; k < f->points; k++)
    json_int(j, (int64_t)f->x[k]);
  json_close(j, ']');
  put_curves(j, f);
  if (f->kind == REPORT_PLOT_MEMORY)
    put_regimes(j, f);
  if (f->kind == REPORT_PLOT_LENGTH)
    put_crossings(j, f);
}
