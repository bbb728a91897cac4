/* support_shrink.h -- make a failing text small while it still fails. */
#ifndef REDBLUE_TESTS_SUPPORT_SHRINK_H
#define REDBLUE_TESTS_SUPPORT_SHRINK_H
#include "base/text.h"
#include <stdbool.h>

/* Is it still what we look for? */
typedef bool (*shrink_still)(void *context, const char *s);

/* t, for which still holds, becomes a text for which it holds and from which no line, no pair of matching braces, no
   run of tokens can be left out, nor any number lowered, without losing it.  still is asked some hundred times for a
   text of a page. */
void support_shrink(text *t, shrink_still still, void *context);
#endif
