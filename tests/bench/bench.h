/* bench.h -- what the benchmarks share: processor time in seconds, and calls that must succeed. */
#ifndef REDBLUE_BENCH_H
#define REDBLUE_BENCH_H

#include "base/diag.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void need(status st, const diag *d)
{
  if (st == OK)
    return;
  fprintf(stderr, "%s: %s\n", d->kind, d->message);
  exit(1);
}

#endif
