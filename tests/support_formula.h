/* support_formula.h -- evaluate a printed formula: 2 n d + 1/2 a ceil(n/a)^2 - (n % b) c. */
#ifndef REDBLUE_TESTS_SUPPORT_FORMULA_H
#define REDBLUE_TESTS_SUPPORT_FORMULA_H
#include "base/text.h"
#include "schedules/schedule.h"
/* Its value with the names standing for the parameters of s and its computation; the test fails on anything unknown. */
double formula_text_value(const char *formula, const schedule *s);
/* Do the conditions printed beside it let it speak of s?  Tables are as they are, and loops said to have no iterations
   have none; what reads loops' variables is taken not to hold. */
bool formula_covers(const text *holds, const schedule *s);
/* "n = 3, a = 2": the values of its parameters. */
void formula_say_setting(text *out, const schedule *s);
/* The printed formula is the I/O that is counted; where it is not, the test fails, and says the setting and what is
 * told.  False: there is no count. */
bool formula_gives_count(const text *io, const schedule *s, const char *told);
/* The I/O of s as it is counted; false: it has no count. */
bool formula_counted_io(const schedule *s, uint64_t *io);
#endif
