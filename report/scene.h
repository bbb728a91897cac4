/* scene.h -- a drawing as a list of marks, and its printers: SVG and TikZ here, PDF and PNG in plot_cairo.c.

   Lengths are points, x to the right and y down.  The same marks give the same bytes. */
#ifndef REDBLUE_REPORT_SCENE_H
#define REDBLUE_REPORT_SCENE_H

#include "base/diag.h"
#include "base/text.h"
#include "report/plot.h"

typedef enum { SCENE_LINE, SCENE_DISC, SCENE_SQUARE, SCENE_WORDS } scene_kind;

typedef struct { int r, g, b; } scene_colour;

typedef struct {
  scene_kind kind;
  double x, y; /* where a line begins; the middle of a disc or square; words: the middle of a small letter */
  double to_x, to_y;           /* of a line */
  double bend;                 /* of a line: how far its middle is pushed to the left of its way */
  bool arrow;                  /* of a line: a head at its end */
  double size;                 /* radius, half a side, or height of letters */
  double width;                /* of the line or the rim; 0: no rim */
  double share;                /* words: the part of them that stands left of x */
  scene_colour ink, fill;      /* of the line, rim or words; of the inside */
  char *words;
} scene_mark;

typedef struct {
  double width, height;
  scene_mark *mark;
  size_t n, room;
} scene;

void scene_add(scene *s, const scene_mark *m);             /* takes m->words */
void scene_words(scene *s, double x, double y, double share, double size, scene_colour ink,
                 const char *words); /* copies */
void scene_clear(scene *s);

/* The point where a bent line is pulled to (a quadratic curve's), and its head: tip, then the two corners behind. */
void scene_pull(const scene_mark *line, double *x, double *y);
void scene_head(const scene_mark *line, double corner[3][2]);

status scene_draw(const scene *s, report_picture how, text *out, diag *d);
status scene_cairo(const scene *s, report_picture how, text *out, diag *d); /* PDF or PNG */

#endif
