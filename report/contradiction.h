/* contradiction.h -- where a verdict meets a bound.

   No legal play moves fewer words than a bound that holds in its game.  A play that does says that a counter, an
   engine, a proof or its checker is wrong; no number of such an answer may be believed, so none is printed. */
#ifndef REDBLUE_REPORT_CONTRADICTION_H
#define REDBLUE_REPORT_CONTRADICTION_H

#include "base/diag.h"
#include "base/num.h"
#include <gmp.h>

/* OK, or CONTRADICTION with a sentence: `play`, which is legal, moves io words, fewer than `bound`, which `theorem`
 * claims in its game. */
status report_not_below(const char *play, num_count io, const mpz_t bound, const char *theorem, diag *d);
bool report_is_below(num_count io, const mpz_t bound);
void report_set_count(mpz_t z, num_count c);

#endif
