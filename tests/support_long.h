/* support_long.h -- random computations that are long in one direction, with programs that stream along it: what
   fast-forward leaves iterations out of.  Tables with bends, chains, windows that reach back, loops that grow or shrink
   from iteration to iteration, conditions, loads that touch and go; and mistakes now and then. */
#ifndef REDBLUE_TESTS_SUPPORT_LONG_H
#define REDBLUE_TESTS_SUPPORT_LONG_H
#include "base/text.h"
#include "tests/support.h"
void support_long(text *computation, text *program, uint64_t seed);
#endif
