/* contradiction.c -- see contradiction.h. */
#include "base/scoped.h"
#include "report/contradiction.h"
#include "base/mem.h"

void report_set_count(mpz_t z, num_count c) { mpz_set_str(z, num_digits(c).s, 10); }

bool report_is_below(num_count io, const mpz_t bound)
{
  SCOPED_MPZ moved;
  mpz_init(moved);
  report_set_count(moved, io);
  return mpz_cmp(moved, bound) < 0;
}

status report_not_below(const char *play, num_count io, const mpz_t bound, const char *theorem, diag *d)
{
  if (!report_is_below(io, bound))
    return OK;
  char *digits = mpz_get_str(mem_new(mpz_sizeinbase(bound, 10) + 2, 1), 10, bound);
  status st =
      diag_set(d, CONTRADICTION, "internal",
               "redblue contradicts itself: %s is legal with %s words moved, and by %s no play moves fewer than %.60s; "
               "one of them is wrong, so nothing is answered: please report it",
               play, num_digits(io).s, theorem, digits);
  mem_free(digits);
  return st;
}
