/* lesson_internal.h -- shared by report/lesson*.c. */
#ifndef REDBLUE_REPORT_LESSON_INTERNAL_H
#define REDBLUE_REPORT_LESSON_INTERNAL_H

#include "base/json.h"
#include "report/lesson.h"

/* The members that show a computation too large for single vertices: its arrays cut into tiles, the statements seen
   with the position after each, and the verdict (lesson_tiles.c). */
status report_lesson_tiles(json *j, const report_lesson *l, diag *d);

#endif
