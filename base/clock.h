/* clock.h -- seconds, and the interrupt that ends them.

   A search that may take long asks clock_seconds() whether its deadline has come.  Once an interrupt has been caught it
   always has: so every such search stops the way it stops when its time is over, and what it has found is kept. */
#ifndef REDBLUE_CLOCK_H
#define REDBLUE_CLOCK_H

#include <stdbool.h>

/* Seconds on a clock that never goes back; after an interrupt CLOCK_OVER, later than any deadline. */
#define CLOCK_OVER 1e18
double clock_seconds(void);
/* The deadline that never comes, but by an interrupt. */
#define CLOCK_NEVER 1e17

/* Seconds of the processor that this process has used; after an interrupt CLOCK_OVER. */
double clock_processor(void);

/* SIGINT, SIGTERM and SIGHUP (unless it was ignored, as by nohup) are caught until clock_release; a second one ends the
   process. For programs: a library leaves its host's signals alone. */
void clock_catch(void);
void clock_release(void);
bool clock_interrupted(void);

#endif
