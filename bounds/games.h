/* games.h -- which games a statement about I/O is for: a set of flags, and its words. */
#ifndef REDBLUE_BOUNDS_GAMES_H
#define REDBLUE_BOUNDS_GAMES_H

#include "base/text.h"
#include <stdbool.h>

/* May a vertex be computed twice, and how it is computed.  A set means every pair of one of the first two and one of
   the last three; the partial game computes each vertex once. */
enum {
  BOUND_RECOMPUTE = 1,
  BOUND_ONE_SHOT = 2,
  BOUND_PLACING = 4,
  BOUND_SLIDING = 8,
  BOUND_PARTIAL = 16,
  BOUND_GAMES = 5
};
#define BOUND_ANY (BOUND_RECOMPUTE | BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING)

const char *bound_game_name(int i);            /* of the flag 1 << i, i < BOUND_GAMES */
unsigned bound_game_flag(const char *name);    /* 0 when there is none */
/* NULL when the set says both things about each of its games, else what is unsaid. */
const char *bound_games_unsaid(unsigned games);
void bound_games_text(unsigned games, text *out);     /* "recompute, one-shot, placing, sliding" */
void bound_games_sentence(unsigned games, text *out); /* "placing or sliding, with or without recomputation" */

#endif
