/* status.h -- how a function of the library says that it could not do its work.

   Three kinds of trouble, three shapes (docs/architecture.md):
   a caller's bug is an assert; bad input, I/O, limits and solver trouble are a
   status, with a diagnostic saying where and why; a mathematical "no" (an
   illegal schedule, a bound that does not apply) is a value, never a status. */
#ifndef REDBLUE_STATUS_H
#define REDBLUE_STATUS_H

typedef enum {
  OK = 0,
  BAD_INPUT, /* a text or file that breaks its format: exit 3 */
  BAD_USAGE, /* an unknown name or a missing value on the command line: exit 2 */
  IO_ERROR,  /* the operating system said no: exit 3 */
  GAVE_UP,   /* a limit of time, memory or size was reached: exit 4 */
  SOLVER,    /* GLPK or igraph failed in a way we cannot use: exit 3 */
  CONTRADICTION /* two answers of ours exclude each other: one is wrong, and neither is given: exit 5 */
} status;

#endif
