/* draw_wave.h -- the moment that a wavefront bound speaks of, for the picture: a vertex, a flow, and the cut that shows
   it to be the largest (docs/theory-graphs.md, section 1). */
#ifndef REDBLUE_REPORT_DRAW_WAVE_H
#define REDBLUE_REPORT_DRAW_WAVE_H

#include "bounds/bound.h"

typedef struct {
  uint32_t from, to;           /* an edge of the computation */
  bool backward;               /* what flows there takes back what flows along it elsewhere */
} report_arc;

typedef struct {
  uint32_t x;                  /* the moment just before, or after, it is computed; vertices are the computation's */
  bool after;
  int64_t flow, red;           /* units of flow, and what of them red pebbles carry */
  int64_t compulsory, gain;    /* the bound is compulsory moves and the gain of all its moments */
  uint32_t *cut;               /* weighs as much as the flow, where it is the largest of the moment; else none */
  size_t cuts;
  report_arc *arc;
  size_t arcs;
} report_wave;

/* Of the best wavefront bound in the game of q, when nothing is computed twice, the moment with the most gain.
   BAD_INPUT, kind "none", where there is no such bound. */
status report_wave_find(const bound_question *q, report_wave *w, diag *d);
void report_wave_clear(report_wave *w);

#endif
