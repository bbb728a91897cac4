/* support_pair.h -- a computation and a schedule in one text file, with the game they are tried in:

     rules placing 12
     # the .cdag text
     ----
     # the .sched text */
#ifndef REDBLUE_TESTS_SUPPORT_PAIR_H
#define REDBLUE_TESTS_SUPPORT_PAIR_H
#include "base/text.h"
#include "pebble/game.h"
#include <stdbool.h>

typedef struct {
  pebble_rules rules;
  text computation, schedule;
} pair;

void pair_print(text *out, const pair *p);
void pair_write(const pair *p, const char *path);      /* "-": stdout */
bool pair_parse(pair *p, const char *bytes);           /* false: this is no such file */
void pair_clear(pair *p);
/* Every reading of the schedule agrees: NULL, or what does not (in *why, which the caller clears).  A pair whose
   computation is refused has nothing to disagree. */
const char *pair_trial(const pair *p, text *why);
#endif
