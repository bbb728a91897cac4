/* list.c -- a list of moves counted as it is read. */
#include "schedules/count/counter.h"
#include "schedules/play/stream.h"
#include <stdio.h>

status schedule_count_list(schedule_reader *r, const cdag *g, const pebble_rules *rules, schedule_counts *c,
                           schedule_verdict *v, diag *d)
{
  schedule_play_options o = { .rules = *rules, .engine = PEBBLE_BY_TILE, .fast_forward = true };
  schedule_counts_init(c, g);
  *v = (schedule_verdict){ 0 };
  pebble_game *game = schedule_counting_game(g, rules, c);
  if (!game)
    return OK;
  status st = schedule_stream(r, g, &o, game, true, v, d);
  if (st == OK)
    schedule_counts_take(c, game);
  if (st == OK && v->verdict.rule == PEBBLE_VALUE) {
    c->countable = false;
    snprintf(c->reason, sizeof c->reason, "%s", v->why);
  }
  pebble_free(game);
  return st;
}
