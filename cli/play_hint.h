/* play_hint.h -- a next move for someone who is stuck. */
#ifndef REDBLUE_CLI_PLAY_HINT_H
#define REDBLUE_CLI_PLAY_HINT_H

#include "base/text.h"
#include "pebble/game.h"

/* A move towards the outputs that are owed, in the words of the schedule language, by looking one vertex ahead: plain,
   not the cheapest, and legal unless the one-shot game forbids to compute again what was lost.  False: every output is
   blue, or the predecessors of no vertex fit beside what is red.  Not for the partial game. */
bool cli_play_hint(const cdag *g, const pebble_game *game, const pebble_rules *rules, text *line);

#endif
