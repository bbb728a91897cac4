/* tilted.h -- loops over single values whose body is one move of a row whose ends lean (docs/tile-engine.md, "Rows
   whose ends lean").  Private to the room. */
#ifndef REDBLUE_SCHEDULES_TILTED_H
#define REDBLUE_SCHEDULES_TILTED_H

#include "schedules/play/form.h"

/* A number that is a form, apart from the loop's own variable, and so many times that one. */
typedef struct {
  schedule_form rest;
  int64_t slope;
} tilted_line;

typedef struct schedule_tilted {
  const schedule_node *move;
  int row, side, sign; /* index `row` is sign times the variable, and more; `side` has ends, or is -1 */
  int lows, highs;
  tilted_line low[PEBBLE_LINES], high[PEBBLE_LINES], at; /* at: index `row` */
  /* the other indices, and those of drops */
  tilted_line lo[1 + PEBBLE_ROW_DROPS][CDAG_RANK], hi[1 + PEBBLE_ROW_DROPS][CDAG_RANK];
  int drop_row[PEBBLE_ROW_DROPS];
} schedule_tilted;

/* By loop; NULL for a loop that is none. */
schedule_tilted **schedule_tilted_new(const schedule *s, const int64_t *slot);
void schedule_tilted_free(schedule_tilted **w, const schedule *s);
/* The loop runs from lo to hi now, all others have their slots set: its rows.  False: some number is too large. */
bool schedule_tilted_rows(const schedule_tilted *w, const int64_t *slot, int64_t lo, int64_t hi,
                          bool backwards, pebble_move *move, pebble_drop *drop, pebble_rows *rows);
/* Tell the engine which arrays have such rows. */
void schedule_lay_tilted(schedule_tilted *const *w, const schedule *s, pebble_game *game);

#endif
