/* support_ways.h -- one schedule, every way of playing and counting it that claims the same answer. */
#ifndef REDBLUE_TESTS_SUPPORT_WAYS_H
#define REDBLUE_TESTS_SUPPORT_WAYS_H
#include "schedules/schedule.h"

/* Plays by tiles with and without fast-forward, by elements too when asked, and counts; the test fails, naming `what`,
   when two of them differ.  Gives the number of turns that fast-forward inferred; *legal may be NULL. */
uint64_t ways_compare(const schedule *s, const pebble_rules *rules, bool by_element, const char *what, bool *legal);
#endif
