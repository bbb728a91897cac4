/* on_chip.h -- what lies in fast memory when a schedule has run out of it. */
#ifndef REDBLUE_CLI_ON_CHIP_H
#define REDBLUE_CLI_ON_CHIP_H

#include "schedules/schedule.h"

/* "4 of Q, 6 of K, 8 of S": the red pebbles of each array where s breaks a rule.  Plays s once more; false when the
   computation or the play is too long for that (2^20 vertices, 2^24 moves). */
bool cli_on_chip(const schedule *s, const pebble_rules *rules, num_count moves, text *out);

#endif
