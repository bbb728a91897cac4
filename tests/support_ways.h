/* support_ways.h -- one schedule, every way of playing and counting it that claims the same answer. */
#ifndef REDBLUE_TESTS_SUPPORT_WAYS_H
#define REDBLUE_TESTS_SUPPORT_WAYS_H
#include "schedules/schedule.h"

/* Plays by tiles with and without fast-forward, by elements too when asked, and counts; the test fails, naming `what`,
   when two of them differ.  Gives the number of iterations that fast-forward inferred; *legal may be NULL. */
uint64_t ways_compare(const schedule *s, const pebble_rules *rules, bool by_element, const char *what, bool *legal);

/* Many plays: how many, how many of them legal, in how many iterations were left out, and how many iterations. */
typedef struct { uint64_t plays, legal, jumping, inferred; } ways_tally;
void ways_add(const schedule *s, const pebble_rules *rules, bool by_element, const char *what, ways_tally *of);
/* ways_add of a program; `what` is the seed, the rules and both texts.  False, with the reason in d, when they cannot
 * be read. */
bool ways_add_texts(uint64_t seed, const text *computation, const text *program, const pebble_rules *rules,
                    bool by_element, ways_tally *of, diag *d);
/* ways_add_texts; what cannot be read is said, and why, when the environment has this variable. */
void ways_try_texts(uint64_t seed, const text *computation, const text *program, const pebble_rules *rules,
                    bool by_element, const char *variable, ways_tally *of);
/* By tiles, legally, iterations left out. */
void ways_play_library(const char *spec, const char *schedule, uint64_t m, schedule_verdict *v);
/* By tiles, with these hints in the place of those that the text gives, all iterations that can be left out left out.
 */
typedef void ways_hints(void *context, const cdag *g, pebble_game *game);
void ways_play_told(const schedule *s, const pebble_rules *rules, ways_hints *tell, void *context, pebble_verdict *v);
/* The same verdict as without hints, by elements or by tiles, if the texts can be read. */
void ways_compare_told(uint64_t seed, const text *computation, const text *program, const pebble_rules *rules,
                       bool by_element, ways_hints *tell, void *context);
/* Said when the environment has this variable. */
void ways_say(const char *variable, const ways_tally *of);
#endif
