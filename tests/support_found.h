/* support_found.h -- what the search for a schedule prints, played again by both engines. */
#ifndef REDBLUE_TESTS_SUPPORT_FOUND_H
#define REDBLUE_TESTS_SUPPORT_FOUND_H
#include "schedules/tiler/find.h"
#include "tests/support.h"

/* Is a schedule's text legal by that engine?  why: else the reason. */
bool support_plays(const cdag *g, const pebble_rules *rules, const char *source, pebble_engine engine,
                   pebble_verdict *v, text *why);
/* Is it legal by each engine, with the loads, stores and peak that were found?  what: for the message. */
void support_check_found(const cdag *g, const pebble_rules *rules, const schedule_found *f, const char *what);

#endif
