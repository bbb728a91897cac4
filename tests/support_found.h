/* support_found.h -- what the search for a schedule prints, played again by both engines. */
#ifndef REDBLUE_TESTS_SUPPORT_FOUND_H
#define REDBLUE_TESTS_SUPPORT_FOUND_H
#include "schedules/tiler/find.h"
#include "schedules/tiler/judge.h"
#include "schedules/tiler/shape/shape.h"
#include "tests/support.h"

/* Is a schedule's text legal by that engine?  why: else the reason. */
bool support_plays(const cdag *g, const pebble_rules *rules, const char *source, pebble_engine engine,
                   pebble_verdict *v, text *why);
/* Is it legal by each engine, with the loads, stores and peak that were found?  what: for the message. */
void support_check_found(const cdag *g, const pebble_rules *rules, const schedule_found *f, const char *what);

/* The search on a small text, where borders are most of what there is: no sweep is refused but for its height, and both
 * engines say the same of what is found. */
void support_check_small(const cdag *g, const pebble_rules *rules, int seed, const char *source);
/* Prints a text that is expected to fit so many words; false: there is none. */
typedef bool support_maker(const tiler_shape *s, double promised, const void *context, text *out);
/* Its play, when only so much memory is promised as fits in the end. */
tiler_verdict support_play_made(const cdag *g, uint64_t m, support_maker *make, const void *context, int seed,
                                const char *source);

/* Each element of g reads what its element of `other` reads, and no more. */
typedef uint64_t support_id(const void *context, const cdag_element *e); /* in `other`, of an element of g */
void support_same_computation(const cdag *g, const cdag *other, support_id *id, const void *context,
                              const char *source);

#endif
