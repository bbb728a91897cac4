/* plot_cairo.c -- a figure drawn by cairo: SVG, PDF, PNG.  Nothing that changes from run to run goes into the bytes. */
#include "report/plot_internal.h"
#include "report/scene.h"
#include "base/mem.h"
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <string.h>
#include "late_cairo.h"

enum { WIDTH = 640, PNG_SCALE = 2, TICKS = 8, FEW_TICKS = 5 };
#define LABEL_SIZE (is_narrow(v) ? 8.0 : 10.0)
#define SMALL 8.5

typedef struct {
  cairo_t *c;
  const report_figure *f;
  text *words;                 /* of an SVG: its <text> elements; NULL elsewhere */
  int *ink;                    /* the colour that was set last */
  double width, height;        /* of the whole picture */
  double left, right, top, bottom;
  double x_lo, x_hi, y_lo, y_hi;
  bool even;                   /* the y axis is no logarithm */
  int ticks;
} canvas;

static bool is_narrow(const canvas *v) { return v->width < 400; }

static double place_x(const canvas *v, double x)
{
  return v->left + (v->right - v->left) * log(x / v->x_lo) / log(v->x_hi / v->x_lo);
}
static double place_y(const canvas *v, double y)
{
  double share = v->even ? (y - v->y_lo) / (v->y_hi - v->y_lo) : log(y / v->y_lo) / log(v->y_hi / v->y_lo);
  return v->bottom - (v->bottom - v->top) * share;
}

static void colour(const canvas *v, const int rgb[3])
{
  memcpy(v->ink, rgb, 3 * sizeof *rgb);
  cairo_set_source_rgb(v->c, rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0);
}

static void grey(const canvas *v, double g)
{
  int of_255 = (int)lround(255 * g);
  colour(v, (int[]){ of_255, of_255, of_255 });
}

static double text_width(const canvas *v, const char *s, double size)
{
  cairo_text_extents_t e;
  cairo_set_font_size(v->c, size);
  cairo_text_extents(v->c, s, &e);
  return e.x_advance;
}

/* cairo would draw the letters' outlines: as text they can be found, edited and given another font. */
static void put_words(const canvas *v, const char *s, double size, double x, double y, double share, bool upright)
{
  text_printf(v->words, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.2f\" text-anchor=\"%s\" fill=\"#%02x%02x%02x\"", x,
              y, size,
              share == 0   ? "start"
              : share == 1 ? "end"
                           : "middle",
              v->ink[0], v->ink[1], v->ink[2]);
  if (upright)
    text_printf(v->words, " transform=\"rotate(-90 %.2f %.2f)\"", x, y);
  text_printf(v->words, " dy=\"%.2f\">", 0.35 * size);
  text_add_xml(v->words, s);
  text_add(v->words, "</text>\n");
}

/* share of the width left of x: 0, 0.5, 1; y is the middle of a small letter */
static void draw_words(const canvas *v, const char *s, double size, double x, double y, double share)
{
  cairo_move_to(v->c, x - share * text_width(v, s, size), y + size * 0.35);
  cairo_show_text(v->c, s);
  cairo_new_path(v->c);
}

static void words(const canvas *v, const char *s, double size, double x, double y, double share)
{
  if (v->words)
    put_words(v, s, size, x, y, share, false);
  else
    draw_words(v, s, size, x, y, share);
}

static void words_upright(const canvas *v, const char *s, double size, double x, double y, double share)
{
  if (v->words) {
    put_words(v, s, size, x, y, share, true);
    return;
  }
  cairo_save(v->c);
  cairo_translate(v->c, x, y);
  cairo_rotate(v->c, -M_PI / 2);
  draw_words(v, s, size, 0, 0, share);
  cairo_restore(v->c);
}

static void line(const canvas *v, double x0, double y0, double x1, double y1)
{
  cairo_move_to(v->c, x0, y0);
  cairo_line_to(v->c, x1, y1);
  cairo_stroke(v->c);
}

/* ---- axes ---- */

static void draw_x_ticks(const canvas *v)
{
  double tick[PLOT_TICKS];
  cairo_set_line_width(v->c, 0.5);
  for (size_t n = plot_ticks(v->x_lo, v->x_hi, v->ticks, tick), i = 0; i < n; i++) {
    SCOPED_TEXT s = { 0 };
    double x = place_x(v, tick[i]);
    plot_number(&s, tick[i]);
    grey(v, 0.86);
    line(v, x, v->top, x, v->bottom);
    grey(v, 0.2);
    words(v, s.s, LABEL_SIZE, x, v->bottom + 11, 0.5);
  }
}

static void draw_y_ticks(const canvas *v)
{
  double tick[PLOT_TICKS];
  size_t n = v->even ? plot_even_ticks(v->y_lo, v->y_hi, v->ticks, tick) : plot_ticks(v->y_lo, v->y_hi, v->ticks, tick);
  cairo_set_line_width(v->c, 0.5);
  for (size_t i = 0; i < n; i++) {
    SCOPED_TEXT s = { 0 };
    double y = place_y(v, tick[i]);
    plot_number(&s, tick[i]);
    grey(v, 0.86);
    line(v, v->left, y, v->right, y);
    grey(v, 0.2);
    words(v, s.s, LABEL_SIZE, v->left - 5, y, 1);
  }
}

static void draw_titles(const canvas *v)
{
  const report_figure *f = v->f;
  const char *title = f->caption.n && !f->titled ? f->caption.s : text_str(&f->title);
  double size = 12, width = text_width(v, title, size);
  grey(v, 0);
  if (*title)
    words(v, title, width > v->width - 20 ? size * (v->width - 20) / width : size, 10, 15, 0);
  words(v, text_str(&f->x_name), LABEL_SIZE, (v->left + v->right) / 2, v->bottom + 29, 0.5);
  double long_name = text_width(v, text_str(&f->y_name), LABEL_SIZE), room = v->height - 20;
  words_upright(v, text_str(&f->y_name), long_name > room ? LABEL_SIZE * room / long_name : LABEL_SIZE, 12,
                fmax((v->top + v->bottom) / 2, fmin(long_name, room) / 2 + 8), 0.5);
  grey(v, 0.4);
  if (f->note.n)
    words(v, f->note.s, SMALL, 10, v->height - 9, 0);
}

static void draw_frame(const canvas *v)
{
  cairo_set_line_width(v->c, 0.8);
  grey(v, 0.3);
  cairo_rectangle(v->c, v->left, v->top, v->right - v->left, v->bottom - v->top);
  cairo_stroke(v->c);
}

/* ---- what lies behind the curves ---- */

static void draw_bands(const canvas *v)
{
  for (size_t i = 0; i < v->f->bands; i++) {
    const plot_band *b = &v->f->band[i];
    double x0 = place_x(v, b->from), x1 = place_x(v, b->to);
    if (i % 2 == 0)
      cairo_set_source_rgb(v->c, 0.955, 0.965, 0.985);
    else
      cairo_set_source_rgb(v->c, 0.995, 0.97, 0.93);
    cairo_rectangle(v->c, x0, v->top, x1 - x0, v->bottom - v->top);
    cairo_fill(v->c);
  }
}

/* The name of a regime: above the frame where it is wide enough, else upright inside, where curves that fall leave
 * room. */
static void name_bands(const canvas *v)
{
  grey(v, 0.4);
  for (size_t i = 0; i < v->f->bands; i++) {
    const plot_band *b = &v->f->band[i];
    double x0 = place_x(v, b->from), x1 = place_x(v, b->to);
    if (text_width(v, b->name, SMALL) <= x1 - x0 - 4)
      words(v, b->name, SMALL, (x0 + x1) / 2, v->top - 8, 0.5);
    else if (is_narrow(v))
      continue;
    else if (x1 - x0 >= 9 && x0 + x1 > v->left + v->right)
      words_upright(v, b->name, SMALL, (x0 + x1) / 2, v->top + 6, 1);
    else if (x1 - x0 >= 9)
      words_upright(v, b->name, SMALL, (x0 + x1) / 2, v->bottom - 6, 0);
  }
}

/* From point k of the curve on, to the last one before a hole: a path; gives the first point after it. */
static size_t piece(const canvas *v, const plot_curve *c, size_t k)
{
  for (; k < v->f->points && isfinite(c->y[k]); k++)
    cairo_line_to(v->c, place_x(v, v->f->x[k]), place_y(v, c->y[k]));
  return k;
}

static void shade_floor(const canvas *v)
{
  const plot_curve *c = plot_floor(v->f);
  for (size_t k = 0, next; c && k < v->f->points; k = next + 1) {
    next = piece(v, c, k);
    if (next > k) {
      cairo_line_to(v->c, place_x(v, v->f->x[next - 1]), v->bottom);
      cairo_line_to(v->c, place_x(v, v->f->x[k]), v->bottom);
      cairo_close_path(v->c);
      cairo_set_source_rgba(v->c, 0, 0, 0, 0.13);
      cairo_fill(v->c);
    }
  }
}

static void draw_crossings(const canvas *v)
{
  static const double dots[] = { 2, 3 };
  for (size_t i = 0; i < v->f->crossings; i++) {
    double x = place_x(v, v->f->crossing[i].at);
    SCOPED_TEXT s = { 0 };
    text_add(&s, "\xe2\x89\x88 "); /* about */
    plot_number(&s, v->f->crossing[i].at >= 1024 ? v->f->crossing[i].at - fmod(v->f->crossing[i].at, 102.4)
                                                 : floor(v->f->crossing[i].at));
    grey(v, 0.35);
    cairo_set_dash(v->c, dots, 2, 0);
    cairo_set_line_width(v->c, 1);
    line(v, x, v->top, x, v->bottom);
    cairo_set_dash(v->c, NULL, 0, 0);
    words(v, s.s, LABEL_SIZE, x, v->top - 8, 0.5);
  }
}

/* ---- curves ---- */

static void set_dash(const canvas *v, size_t i)
{
  static const double dashes[4][4] = { { 0 }, { 7, 3 }, { 2, 2 }, { 8, 2, 2, 2 } };
  static const int lengths[4] = { 0, 2, 2, 4 };
  size_t dash = plot_dash(v->f, i);
  cairo_set_dash(v->c, dashes[dash], lengths[dash], 0);
}

static void polygon(const canvas *v, double x, double y, int corners, double radius, double iteration)
{
  for (int i = 0; i < corners; i++)
    cairo_line_to(v->c, x + radius * sin(iteration + 2 * M_PI * i / corners),
                  y - radius * cos(iteration + 2 * M_PI * i / corners));
  cairo_close_path(v->c);
}

static void draw_mark(const canvas *v, size_t curve, double x, double y)
{
  size_t shape = plot_mark(v->f, curve);
  cairo_new_path(v->c);
  switch (shape % 4) {
  case 0: cairo_arc(v->c, x, y, 3, 0, 2 * M_PI); break;
  case 1: polygon(v, x, y, 4, 3.9, M_PI / 4); break;
  case 2: polygon(v, x, y, 3, 4.2, 0); break;
  default: polygon(v, x, y, 4, 4.2, 0); break;
  }
  if (shape >= 4) { /* the same shapes, open */
    cairo_path_t *outline = cairo_copy_path(v->c);
    cairo_set_source_rgb(v->c, 1, 1, 1);
    cairo_fill(v->c);
    cairo_append_path(v->c, outline);
    cairo_path_destroy(outline);
    colour(v, plot_colour(v->f, curve));
    cairo_set_line_width(v->c, 1.3);
    cairo_stroke(v->c);
  } else
    cairo_fill(v->c);
}

static void draw_curve(const canvas *v, size_t i)
{
  const plot_curve *c = &v->f->curve[i];
  for (size_t k = 0, next; k < v->f->points; k = next + 1) {
    next = piece(v, c, k);
    colour(v, plot_colour(v->f, i));
    cairo_set_line_width(v->c, c->floor ? 2.2 : 1.6);
    set_dash(v, i);
    cairo_stroke(v->c);
    cairo_set_dash(v->c, NULL, 0, 0);
  }
  for (size_t k = 0; k < v->f->points; k++) {
    colour(v, plot_colour(v->f, i));
    if (isfinite(c->y[k]) && !c->floor)
      draw_mark(v, i, place_x(v, v->f->x[k]), place_y(v, c->y[k]));
  }
}

static void draw_labels(const canvas *v)
{
  static const double dots[] = { 1, 3 };
  SCOPED_MEM double *at = MEM_NEW(double, v->f->curves);
  plot_labels(v->f, 13.5 / (v->bottom - v->top), at);
  for (size_t i = 0; i < v->f->curves; i++) {
    const plot_curve *c = &v->f->curve[i];
    long last = plot_last(v->f, c);
    if (last < 0)
      continue;
    double x = place_x(v, v->f->x[last]), y = place_y(v, c->y[last]), there = v->bottom - at[i] * (v->bottom - v->top);
    colour(v, plot_colour(v->f, i));
    cairo_set_line_width(v->c, 0.6);
    cairo_move_to(v->c, x, y);
    cairo_line_to(v->c, v->right, x < v->right ? there : y);
    cairo_line_to(v->c, v->right + 10, there);
    cairo_set_dash(v->c, dots, x < v->right ? 2 : 0, 0); /* this curve ends earlier: the rest is no curve */
    cairo_stroke(v->c);
    cairo_set_dash(v->c, NULL, 0, 0);
    if (c->floor) {
      cairo_set_line_width(v->c, 2.2);
      set_dash(v, i);
      line(v, v->right + 10, there, v->right + 18, there);
      cairo_set_dash(v->c, NULL, 0, 0);
    } else
      draw_mark(v, i, v->right + 14, there);
    grey(v, 0);
    words(v, c->name, LABEL_SIZE, v->right + 20, there, 0);
  }
}

/* Room beside the frame for the names of the curves. */
static void leave_room(canvas *v)
{
  double widest = 0;
  for (size_t i = 0; i < v->f->curves; i++)
    widest = fmax(widest, text_width(v, v->f->curve[i].name, LABEL_SIZE));
  v->right = fmax(v->width * 0.5, v->width - 28 - widest);
}

static void draw_lines(canvas *v)
{
  leave_room(v);
  plot_x_range(v->f, &v->x_lo, &v->x_hi);
  plot_y_range(v->f, &v->y_lo, &v->y_hi);
  draw_bands(v);
  draw_x_ticks(v);
  draw_y_ticks(v);
  shade_floor(v);
  name_bands(v);
  draw_crossings(v);
  draw_frame(v);
  for (int floors = 1; floors >= 0; floors--) /* bounds first, curves over them */
    for (size_t i = 0; i < v->f->curves; i++)
      if (v->f->curve[i].floor == (floors == 1))
        draw_curve(v, i);
  draw_labels(v);
}

/* ---- bars: groups side by side, one bar of each column ---- */

static void draw_group(const canvas *v, size_t k, double wide)
{
  double group = v->left + (v->right - v->left) * ((double)k + 0.5) / (double)v->f->points,
         x = group - wide * (double)v->f->curves / 2;
  SCOPED_TEXT s = { 0 };
  for (size_t i = 0; i < v->f->curves; i++, x += wide)
    if (isfinite(v->f->curve[i].y[k])) {
      double top = place_y(v, v->f->curve[i].y[k]);
      colour(v, plot_colour(v->f, i));
      cairo_rectangle(v->c, x + 0.5, top, wide - 1, v->bottom - top);
      cairo_fill(v->c);
    }
  plot_number(&s, v->f->x[k]);
  grey(v, 0.2);
  words(v, s.s, LABEL_SIZE, group, v->bottom + 11, 0.5);
}

static void name_bars(const canvas *v)
{
  for (size_t i = 0; i < v->f->curves; i++) {
    double y = v->top + 8 + 14 * (double)i;
    colour(v, plot_colour(v->f, i));
    cairo_rectangle(v->c, v->right + 10, y - 4.5, 9, 9);
    cairo_fill(v->c);
    grey(v, 0);
    words(v, v->f->curve[i].name, LABEL_SIZE, v->right + 23, y, 0);
  }
}

static void draw_bars(canvas *v)
{
  leave_room(v);
  v->even = !plot_bar_range(v->f, &v->y_lo, &v->y_hi);
  double wide = 0.8 * (v->right - v->left) / (double)(v->f->points * v->f->curves);
  draw_y_ticks(v);
  for (size_t k = 0; k < v->f->points; k++)
    draw_group(v, k, fmin(wide, 40));
  draw_frame(v);
  name_bars(v);
}

/* ---- heat map: equal cells, whatever the steps of the sweep ---- */

static void draw_cell(const canvas *v, size_t row, size_t k, double w, double h, double greatest)
{
  const plot_curve *c = &v->f->curve[row];
  double x = v->left + (double)k * w, y = v->bottom - (double)(row + 1) * h, size = fmin(LABEL_SIZE, w / 3.2);
  int rgb[3] = { 225, 225, 225 };
  bool white = isfinite(c->y[k]) && plot_heat(c->y[k], greatest, rgb);
  SCOPED_TEXT s = { 0 };
  if (isfinite(c->y[k]))
    text_printf(&s, c->y[k] < 100 ? "%.2f" : "%.4g", c->y[k]);
  else
    text_add(&s, c->cell[k]);
  colour(v, rgb);
  cairo_rectangle(v->c, x, y, w, h);
  cairo_fill_preserve(v->c);
  cairo_set_line_width(v->c, 0.5);
  cairo_set_source_rgb(v->c, 1, 1, 1);
  cairo_stroke(v->c);
  grey(v, white ? 1 : 0.1);
  if (h > 9)
    words(v, s.s, fmin(size, size * (w - 3) / text_width(v, s.s, size)), x + w / 2, y + h / 2, 0.5);
}

static void draw_scale(const canvas *v, double greatest)
{
  enum { STEPS = 64 };
  double x = v->right + 18, h = (v->bottom - v->top) / STEPS;
  for (int i = 0; i < STEPS; i++) {
    int rgb[3];
    plot_heat(pow(greatest, (i + 0.5) / STEPS), greatest, rgb);
    colour(v, rgb);
    cairo_rectangle(v->c, x, v->bottom - (i + 1) * h, 12, h + 0.3);
    cairo_fill(v->c);
  }
  grey(v, 0.2);
  for (int i = 0; i <= 4; i++) {
    SCOPED_TEXT s = { 0 };
    text_printf(&s, "%.3g", pow(greatest, i / 4.0));
    words(v, s.s, LABEL_SIZE, x + 17, v->bottom - (v->bottom - v->top) * i / 4, 0);
    if (greatest <= 1)
      break;
  }
}

static void draw_heat(canvas *v)
{
  const report_figure *f = v->f;
  double w = (v->right - v->left) / (double)f->points, h = (v->bottom - v->top) / (double)f->curves,
         greatest = plot_greatest(f);
  size_t skip_x = 1 + (f->points - 1) / 16, skip_y = 1 + (f->curves - 1) / 24;
  for (size_t row = 0; row < f->curves; row++)
    for (size_t k = 0; k < f->points; k++)
      draw_cell(v, row, k, w, h, greatest);
  grey(v, 0.2);
  for (size_t k = 0; k < f->points; k += skip_x) {
    SCOPED_TEXT s = { 0 };
    plot_number(&s, f->x[k]);
    words(v, s.s, LABEL_SIZE, v->left + ((double)k + 0.5) * w, v->bottom + 11, 0.5);
  }
  for (size_t row = 0; row < f->curves; row += skip_y)
    words(v, f->curve[row].name, LABEL_SIZE, v->left - 5, v->bottom - ((double)row + 0.5) * h, 1);
  draw_scale(v, greatest);
  draw_frame(v);
}

/* ---- surfaces ---- */

static cairo_status_t take(void *out, const unsigned char *bytes, unsigned n)
{
  text_add_n(out, (const char *)bytes, n);
  return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *surface_of(report_picture how, double width, double height, text *out)
{
  if (how == REPORT_PNG) {
    cairo_surface_t *s =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(width * PNG_SCALE), (int)(height * PNG_SCALE));
    cairo_surface_set_device_scale(s, PNG_SCALE, PNG_SCALE);
    return s;
  }
  if (how == REPORT_SVG)
    return cairo_svg_surface_create_for_stream(take, out, width, height);
  cairo_surface_t *s = cairo_pdf_surface_create_for_stream(take, out, width, height);
  cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z"); /* else it would be now */
  return s;
}

/* White paper, and letters that are laid out alike everywhere. */
static void begin(cairo_t *c)
{
  cairo_font_options_t *o = cairo_font_options_create();
  cairo_font_options_set_hint_style(o, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(o, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(o, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(c, o);
  cairo_font_options_destroy(o);
  cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_source_rgb(c, 1, 1, 1);
  cairo_paint(c);
}

/* Ends both, with the picture's bytes in out. */
static status end(cairo_t *c, cairo_surface_t *s, report_picture how, text *out, diag *d)
{
  cairo_status_t bad = cairo_status(c);
  cairo_destroy(c);
  if (!bad && how == REPORT_PNG)
    bad = cairo_surface_write_to_png_stream(s, take, out);
  cairo_surface_finish(s);
  bad = bad ? bad : cairo_surface_status(s);
  cairo_surface_destroy(s);
  if (bad == CAIRO_STATUS_NO_MEMORY)
    return diag_set(d, GAVE_UP, "limit", "the picture cannot be drawn: %s", cairo_status_to_string(bad));
  return bad ? diag_set(d, BAD_USAGE, "usage", "the picture cannot be drawn: %s", cairo_status_to_string(bad)) : OK;
}

static void draw(canvas *v)
{
  begin(v->c);
  if (v->f->kind == REPORT_PLOT_GAP)
    draw_heat(v);
  else if (v->f->kind == REPORT_PLOT_BAR)
    draw_bars(v);
  else
    draw_lines(v);
  draw_titles(v);
}

/* The words, before the end of the picture: over everything else. */
static void add_words(text *out, const text *said)
{
  static const char end[] = "</svg>";
  size_t at = out->n;
  while (at >= sizeof end && memcmp(out->s + at - (sizeof end - 1), end, sizeof end - 1) != 0)
    at--;
  SCOPED_MEM char *tail = mem_text(out->s + at - (sizeof end - 1));
  out->n = at - (sizeof end - 1);
  text_add(out, "<g font-family=\"sans-serif\">\n");
  text_add(out, text_str(said));
  text_add(out, "</g>\n");
  text_add(out, tail);
}

status plot_cairo(const report_figure *f, report_picture how, text *out, diag *d)
{
  double width = f->width > 0 ? f->width : WIDTH, height = floor(width * (width < 400 ? 0.8 : 0.672));
  cairo_surface_t *s = surface_of(how, width, height, out);
  SCOPED_TEXT said = { 0 };
  int ink[3];
  canvas v = { .c = cairo_create(s),
               .f = f,
               .words = how == REPORT_SVG ? &said : NULL,
               .ink = ink,
               .width = width,
               .height = height,
               .left = width < 400 ? 48 : 62,
               .right = width - 80,
               .top = f->titled && !f->title.n && !f->bands && !f->crossings ? 12 : 44,
               .bottom = height - (f->note.n ? 62 : 44),
               .ticks = width < 400 ? FEW_TICKS : TICKS };
  draw(&v);
  status st = end(v.c, s, how, out, d);
  if (st == OK && how == REPORT_SVG)
    add_words(out, &said);
  return st;
}

/* ---- marks ---- */

static void ink(cairo_t *c, scene_colour k) { cairo_set_source_rgb(c, k.r / 255.0, k.g / 255.0, k.b / 255.0); }

static void paint_line(cairo_t *c, const scene_mark *m)
{
  double x, y, head[3][2];
  scene_pull(m, &x, &y);
  ink(c, m->ink);
  cairo_set_line_width(c, m->width);
  cairo_move_to(c, m->x, m->y);
  cairo_curve_to(c, (m->x + 2 * x) / 3, (m->y + 2 * y) / 3, (m->to_x + 2 * x) / 3, (m->to_y + 2 * y) / 3, m->to_x,
                 m->to_y);
  cairo_stroke(c);
  if (!m->arrow)
    return;
  scene_head(m, head);
  for (int i = 0; i < 3; i++)
    cairo_line_to(c, head[i][0], head[i][1]);
  cairo_fill(c);
}

static void paint_words(cairo_t *c, const scene_mark *m)
{
  cairo_text_extents_t e;
  ink(c, m->ink);
  cairo_set_font_size(c, m->size);
  cairo_text_extents(c, m->words, &e);
  cairo_move_to(c, m->x - m->share * e.x_advance, m->y + 0.35 * m->size);
  cairo_show_text(c, m->words);
  cairo_new_path(c);
}

static void paint_shape(cairo_t *c, const scene_mark *m)
{
  if (m->kind == SCENE_DISC)
    cairo_arc(c, m->x, m->y, m->size, 0, 2 * M_PI);
  else
    cairo_rectangle(c, m->x - m->size, m->y - m->size, 2 * m->size, 2 * m->size);
  ink(c, m->fill);
  cairo_fill_preserve(c);
  ink(c, m->ink);
  cairo_set_line_width(c, m->width);
  if (m->width > 0)
    cairo_stroke(c);
  cairo_new_path(c);
}

static void paint(cairo_t *c, const scene *s)
{
  for (size_t i = 0; i < s->n; i++)
    switch (s->mark[i].kind) {
    case SCENE_LINE: paint_line(c, &s->mark[i]); break;
    case SCENE_WORDS: paint_words(c, &s->mark[i]); break;
    case SCENE_DISC:
    case SCENE_SQUARE: paint_shape(c, &s->mark[i]); break;
    }
}

status scene_cairo(const scene *s, report_picture how, text *out, diag *d)
{
  cairo_surface_t *surface = surface_of(how, s->width, s->height, out);
  cairo_t *c = cairo_create(surface);
  begin(c);
  paint(c, s);
  return end(c, surface, how, out, d);
}
