/* support_library.h -- every schedule of the library on small random computations. */
#ifndef REDBLUE_TESTS_SUPPORT_LIBRARY_H
#define REDBLUE_TESTS_SUPPORT_LIBRARY_H
#include "schedules/schedule.h"
#include "tests/support.h"

/* The i-th schedule of the library (modulo their number). */
const schedule_listing *library_at(int i);
/* The i-th of the family's, likewise. */
const schedule_listing *library_of(const char *family, int i);
/* A small computation of that family; NULL when this build has no such family, or it is an explicit graph. */
cdag *library_cdag(const char *family, support_random *r);
#endif
