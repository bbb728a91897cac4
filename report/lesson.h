/* lesson.h -- one self-contained page: the game on a small computation, played, to be played, and why it cannot be
 * cheaper. */
#ifndef REDBLUE_REPORT_LESSON_H
#define REDBLUE_REPORT_LESSON_H

#include "base/text.h"
#include "bounds/bound.h"
#include "schedules/schedule.h"

enum { REPORT_LESSON_VERTICES = 5000, REPORT_LESSON_MOVES = 40000 };

typedef struct report_lesson {
  const cdag *g;
  const char *spec;
  pebble_rules rules;
  const schedule *s;           /* or NULL: the reader plays alone */
  const char *schedule_text;   /* what is shown beside the board, or NULL */
  const bound_list *bounds;
  int best;                    /* index into bounds, or -1 */
  bool has_optimum;
  uint64_t optimum;
  bool by_tiles;               /* show tiles however small it is */
  const struct report_lesson *run;   /* the same lesson with other M, for the page's slider of M; not by tiles */
  size_t runs;
} report_lesson;

/* The page into out.  With more vertices or moves than a reader can watch one by one the arrays are shown as tiles and
   the schedule's statements as steps; that wants arrays and a schedule: GAVE_UP with a sentence otherwise. */
status report_lesson_page(const report_lesson *l, text *out, diag *d);

#endif
