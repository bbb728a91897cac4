/* crew.h -- a second thread that takes a share of a loop's iterations.

   What the iterations do must not allocate: mem.h counts without locks, and its hook belongs to the thread that began.
   Which thread takes which iteration differs from run to run, so each writes to a place of its own, and the answer does
   not depend on it. */
#ifndef REDBLUE_CREW_H
#define REDBLUE_CREW_H

#include <stddef.h>

typedef struct crew crew;

/* NULL: there is one core only, or no thread to be had. */
crew *crew_new(void);
void crew_free(crew *c);        /* NULL is fine */

/* f(context, i) for each i below n, in any order; all are done when this returns.  A thread that the system does not
   wake in time is not waited for.  c may be NULL. */
void crew_each(crew *c, void (*f)(void *context, size_t i), void *context, size_t n);

#endif
