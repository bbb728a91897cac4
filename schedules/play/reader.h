/* reader.h -- the window on a list of moves while it is read.  Private to the room.

   A text: the window always ends with a whole line (or the whole text), so no word is cut in two.  A list in the
   compact form (schedules/play/compact.h): bytes, as many as are asked for. */
#ifndef REDBLUE_SCHEDULES_READER_H
#define REDBLUE_SCHEDULES_READER_H

#include "schedules/schedule.h"
#include <stdio.h>

struct schedule_reader {
  FILE *in;
  bool close;
  char name[256];
  char *window;                /* size + 1 bytes, '\0' at size */
  size_t size, room;           /* whole lines read so far, from the start of the statement now read */
  size_t tail;                 /* bytes of an unfinished line behind them; cut off by `cut` */
  char cut;                    /* the byte that stands at size, hidden by the '\0' */
  bool ended;                  /* no more bytes */
  const char *at;              /* in window */
  int line, column;            /* of at */
};

/* Forget what was read before `at`, read more behind.  False at the end of the text, or when a statement is too long.
 */
bool schedule_reader_more(schedule_reader *r);
bool schedule_reader_all(const schedule_reader *r); /* nothing more to read */
/* What ended the text: OK, an error of reading, a zero byte. */
status schedule_reader_failed(const schedule_reader *r, diag *d);
/* At least n bytes from `at` on, or all that are left: how many there are.  No lines any more from then on. */
size_t schedule_reader_bytes(schedule_reader *r, size_t n);

#endif
