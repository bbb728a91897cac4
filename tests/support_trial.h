/* support_trial.h -- one text tried as a schedule in every way there is: read, printed, played by both engines, as a
   list, with iterations inferred, and counted. */
#ifndef REDBLUE_TESTS_SUPPORT_TRIAL_H
#define REDBLUE_TESTS_SUPPORT_TRIAL_H
#include "pebble/game.h"
#include "tests/support.h"
extern const char *const trial_words[];
/* A random text: a program for g, more or less damaged. */
void trial_text(text *out, const cdag *g, uint64_t seed);
/* NULL, or what went wrong (in *why, which the caller clears).  Long programs are given up quietly. */
const char *trial(const cdag *g, const char *source, uint64_t m, text *why);     /* the placing game */
const char *trial_by(const cdag *g, const char *source, const pebble_rules *rules, text *why);
#endif
