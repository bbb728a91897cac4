/* words.h -- the words a program loads and stores, without running it.  Private to the room. */
#ifndef REDBLUE_SCHEDULES_WORDS_H
#define REDBLUE_SCHEDULES_WORDS_H

#include "schedules/schedule.h"

/* Loads and stores of s if it is legal, which is not asked: iterations of a loop whose bodies move the same are
   multiplied.  For arrays with rectangular domains, explicit graphs among them.  False: not found, or not quickly. */
bool schedule_words(const schedule *s, num_count *words);
/* moves, by loop: is something loaded or stored in it?  True: in n. */
bool schedule_note_moves(const schedule_node *n, bool *moves);

#endif
