/* stretch.h -- where a function of one integer, such as a table, is affine.

   Tables of block lengths are constant but for the last entry; fast-forward may treat them as affine while the index
   stays inside one stretch (docs/tile-engine.md). */
#ifndef REDBLUE_STRETCH_H
#define REDBLUE_STRETCH_H

#include <stdbool.h>
#include <stdint.h>

enum { CDAG_STRETCHES = 8 };

/* Value at x; false when there is none. */
typedef bool (*cdag_of_one)(void *context, int64_t x, int64_t *value);

/* Stretches found so far of one function, the latest few; zeroed before its first use. */
typedef struct {
  int n, next;
  int64_t from[CDAG_STRETCHES], to[CDAG_STRETCHES];
} cdag_stretches;

/* The stretch [*from, *to) around x, inside [lo, hi), on which the function has values and is affine; lo <= x < hi.
   The time is that of evaluating the stretch once.  False when it has no value at x. */
bool cdag_stretch_of(cdag_stretches *known, cdag_of_one value, void *context, int64_t x, int64_t lo, int64_t hi,
                     int64_t *from, int64_t *to);

#endif
