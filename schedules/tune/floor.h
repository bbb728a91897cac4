/* schedules/tune/floor.h -- polynomials that the peak of a schedule never falls below.  Private to the tuner. */
#ifndef REDBLUE_SCHEDULES_TUNE_FLOOR_H
#define REDBLUE_SCHEDULES_TUNE_FLOOR_H

#include "schedules/symbolic/walk.h"

/* Where none of `where` is negative, the peak is at least p. */
typedef struct { poly p; poly_list where; } tune_floor;
typedef struct { tune_floor *floor; size_t n, room; } tune_floors;

/* f as for formula_add; it sums up pebbles from here on, and holds the polynomials. */
void tune_floors_derive(tune_floors *out, formula *f);
void tune_floors_clear(tune_floors *f);

#endif
