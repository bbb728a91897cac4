/* scene.c -- marks, as SVG and as TikZ. */
#include "report/scene.h"
#include "base/mem.h"
#include "report/table.h"
#include <math.h>
#include <string.h>

void scene_add(scene *s, const scene_mark *m)
{
  s->mark = mem_room(s->mark, s->n, &s->room, sizeof *s->mark);
  s->mark[s->n++] = *m;
}

void scene_words(scene *s, double x, double y, double share, double size, scene_colour ink, const char *words)
{
  scene_add(s, &(scene_mark){ .kind = SCENE_WORDS, .x = x, .y = y, .share = share, .size = size, .ink = ink,
                              .words = mem_text(words) });
}

void scene_clear(scene *s)
{
  for (size_t i = 0; i < s->n; i++)
    mem_free(s->mark[i].words);
  mem_free(s->mark);
  *s = (scene){ 0 };
}

void scene_pull(const scene_mark *line, double *x, double *y)
{
  double dx = line->to_x - line->x, dy = line->to_y - line->y, length = hypot(dx, dy);
  *x = (line->x + line->to_x) / 2 + (length > 0 ? 2 * line->bend * dy / length : 0);
  *y = (line->y + line->to_y) / 2 - (length > 0 ? 2 * line->bend * dx / length : 0);
}

void scene_head(const scene_mark *line, double corner[3][2])
{
  double x, y, length = 3 + 3 * line->width;
  scene_pull(line, &x, &y);
  double dx = line->to_x - x, dy = line->to_y - y, far = hypot(dx, dy);
  dx = far > 0 ? dx / far : 1, dy = far > 0 ? dy / far : 0;
  for (int i = 0; i < 3; i++) {
    double side = i == 0 ? 0 : i == 1 ? 0.36 : -0.36;
    corner[i][0] = line->to_x - (i ? length * dx : 0) + side * length * dy;
    corner[i][1] = line->to_y - (i ? length * dy : 0) - side * length * dx;
  }
}

/* ---- SVG ---- */

static void svg_colour(text *out, const char *what, scene_colour c)
{
  text_printf(out, " %s=\"#%02x%02x%02x\"", what, (unsigned)c.r, (unsigned)c.g, (unsigned)c.b);
}

static void svg_line(text *out, const scene_mark *m)
{
  double x, y, head[3][2];
  scene_pull(m, &x, &y);
  text_printf(out, "<path d=\"M%.2f %.2f", m->x, m->y);
  if (m->bend != 0)
    text_printf(out, "Q%.2f %.2f ", x, y);
  else
    text_char(out, 'L');
  text_printf(out, "%.2f %.2f\" fill=\"none\" stroke-width=\"%.2f\"", m->to_x, m->to_y, m->width);
  svg_colour(out, "stroke", m->ink);
  text_add(out, "/>\n");
  if (!m->arrow)
    return;
  scene_head(m, head);
  text_printf(out, "<path d=\"M%.2f %.2fL%.2f %.2fL%.2f %.2fZ\"", head[0][0], head[0][1], head[1][0], head[1][1],
              head[2][0], head[2][1]);
  svg_colour(out, "fill", m->ink);
  text_add(out, "/>\n");
}

static void svg_words(text *out, const scene_mark *m)
{
  text_printf(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.2f\" text-anchor=\"%s\"", m->x, m->y + 0.35 * m->size,
              m->size, m->share == 0 ? "start" : m->share == 1 ? "end" : "middle");
  svg_colour(out, "fill", m->ink);
  text_char(out, '>');
  text_add_xml(out, m->words);
  text_add(out, "</text>\n");
}

static void svg_shape(text *out, const scene_mark *m)
{
  if (m->kind == SCENE_DISC)
    text_printf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"", m->x, m->y, m->size);
  else
    text_printf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"", m->x - m->size, m->y - m->size,
                2 * m->size, 2 * m->size);
  svg_colour(out, "fill", m->fill);
  if (m->width > 0) {
    svg_colour(out, "stroke", m->ink);
    text_printf(out, " stroke-width=\"%.2f\"", m->width);
  }
  text_add(out, "/>\n");
}

static void svg(const scene *s, text *out)
{
  text_printf(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.2fpt\" height=\"%.2fpt\" viewBox=\"0 0 %.2f %.2f\" "
              "font-family=\"sans-serif\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
              s->width, s->height, s->width, s->height);
  for (size_t i = 0; i < s->n; i++)
    switch (s->mark[i].kind) {
    case SCENE_LINE: svg_line(out, &s->mark[i]); break;
    case SCENE_WORDS: svg_words(out, &s->mark[i]); break;
    case SCENE_DISC:
    case SCENE_SQUARE: svg_shape(out, &s->mark[i]); break;
    }
  text_add(out, "</svg>\n");
}

/* ---- TikZ ---- */

static void tikz_colour(text *out, const char *what, scene_colour c)
{
  text_printf(out, "%s={rgb,255:red,%d;green,%d;blue,%d}", what, c.r, c.g, c.b);
}

static void tikz_line(text *out, const scene_mark *m)
{
  double x, y, head[3][2];
  scene_pull(m, &x, &y);
  text_add(out, "\\draw[");
  tikz_colour(out, "draw", m->ink);
  text_printf(out, ", line width=%.2fpt] (%.2f,%.2f) ", m->width, m->x, m->y);
  if (m->bend != 0) /* a quadratic curve, as the cubic that it is */
    text_printf(out, ".. controls (%.2f,%.2f) and (%.2f,%.2f) .. ", (m->x + 2 * x) / 3, (m->y + 2 * y) / 3,
                (m->to_x + 2 * x) / 3, (m->to_y + 2 * y) / 3);
  else
    text_add(out, "-- ");
  text_printf(out, "(%.2f,%.2f);\n", m->to_x, m->to_y);
  if (!m->arrow)
    return;
  scene_head(m, head);
  text_add(out, "\\fill[");
  tikz_colour(out, "fill", m->ink);
  text_printf(out, "] (%.2f,%.2f) -- (%.2f,%.2f) -- (%.2f,%.2f) -- cycle;\n", head[0][0], head[0][1], head[1][0],
              head[1][1], head[2][0], head[2][1]);
}

/* TeX's small letters are wide: words that begin at the left edge go on in a second line where the picture ends. */
static void tikz_words(const scene *s, text *out, const scene_mark *m)
{
  text_add(out, "\\node[inner sep=0pt, ");
  tikz_colour(out, "text", m->ink);
  if (m->share == 0)
    text_printf(out, ", text width=%.2fpt, align=left", s->width - 2 * m->x);
  text_printf(out, ", anchor=%s, font=\\fontsize{%.1f}{%.1f}\\selectfont] at (%.2f,%.2f) {",
              m->share == 0 ? "west" : m->share == 1 ? "east" : "center", m->size, 1.2 * m->size, m->x, m->y);
  report_latex_text(out, m->words);
  text_add(out, "};\n");
}

static void tikz_shape(text *out, const scene_mark *m)
{
  text_add(out, m->width > 0 ? "\\filldraw[" : "\\fill[");
  tikz_colour(out, "fill", m->fill);
  if (m->width > 0) {
    text_add(out, ", ");
    tikz_colour(out, "draw", m->ink);
    text_printf(out, ", line width=%.2fpt", m->width);
  }
  if (m->kind == SCENE_DISC)
    text_printf(out, "] (%.2f,%.2f) circle (%.2f);\n", m->x, m->y, m->size);
  else
    text_printf(out, "] (%.2f,%.2f) rectangle (%.2f,%.2f);\n", m->x - m->size, m->y - m->size, m->x + m->size,
                m->y + m->size);
}

static void tikz(const scene *s, text *out)
{
  text_add(out, "% needs \\usepackage{tikz}\n\\begin{tikzpicture}[x=1pt, y=-1pt]\n");
  for (size_t i = 0; i < s->n; i++)
    switch (s->mark[i].kind) {
    case SCENE_LINE: tikz_line(out, &s->mark[i]); break;
    case SCENE_WORDS: tikz_words(s, out, &s->mark[i]); break;
    case SCENE_DISC:
    case SCENE_SQUARE: tikz_shape(out, &s->mark[i]); break;
    }
  text_add(out, "\\end{tikzpicture}\n");
}

status scene_draw(const scene *s, report_picture how, text *out, diag *d)
{
  if (how == REPORT_PDF || how == REPORT_PNG)
    return scene_cairo(s, how, out, d);
  (how == REPORT_SVG ? svg : tikz)(s, out);
  return OK;
}
