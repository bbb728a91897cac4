/* draw.h -- the picture of a computation: its arrays and their edges, and on them a play (docs/plots.md).

   Without a schedule: vertices, edges, inputs, outputs.  With one: the pebbles after so many moves; or, of the whole
   play, in which segment of so many loads and stores each vertex was computed first; or in which order.  Or a moment of
   a wavefront bound. */
#ifndef REDBLUE_REPORT_DRAW_H
#define REDBLUE_REPORT_DRAW_H

#include "report/draw_wave.h"
#include "report/scene.h"
#include "schedules/schedule.h"

enum { REPORT_DRAW_VERTICES = 4000, REPORT_DRAW_EDGES = 40000 };

typedef struct {
  const cdag *g;
  const char *title;           /* "": none */
  const schedule *s;           /* or NULL */
  pebble_rules rules;
  int64_t at;                  /* pebbles after so many moves; < 0: the order */
  int64_t segment;             /* loads and stores of a segment; 0: no segments */
  const report_wave *wave;     /* without a schedule: the flow of a bound; or NULL */
  double width;                /* in points; 0: as wide as it needs */
} report_drawing;

/* What is drawn, in numbers: of the moment, or of the whole play. */
typedef struct {
  uint64_t vertices, edges;
  int64_t moves, loads, stores, red;
} report_drawn;

/* The marks, owned by the caller also after a failure.  GAVE_UP, kind "limit", when there are too many vertices or
   edges to be told apart; BAD_INPUT, kind "illegal", when the schedule breaks a rule of the game; BAD_USAGE when it has
   fewer moves. */
status report_draw(const report_drawing *w, scene *s, report_drawn *n, diag *d);

#endif
