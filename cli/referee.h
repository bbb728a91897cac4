/* referee.h -- a second opinion where there are no boxes to play: the plain referee's (pebble_judge). */
#ifndef REDBLUE_CLI_REFEREE_H
#define REDBLUE_CLI_REFEREE_H

#include "cli/common.h"

/* Play s again, move by move on the graph as such, and compare: *agree.  v: what the element engine said.  GAVE_UP when
   the graph (2^24 vertices) or the play (2^26 moves) is too large to be held. */
status cli_referee(const schedule *s, const pebble_rules *rules, const pebble_verdict *v, bool *agree, diag *d);

#endif
