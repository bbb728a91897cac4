/* stretch.c -- see stretch.h. */
#include "cdag/domain/stretch.h"

#define FARTHEST (INT64_C(1) << 22) /* from x: longer stretches are cut, which is no harm */

typedef struct {
  cdag_of_one value;
  void *context;
  int64_t slope;
} line;

/* Is the value at `to` the value *at of its neighbour plus slope?  Then *at becomes it. */
static bool follows(const line *l, int64_t to, int64_t slope, int64_t *at)
{
  int64_t expected, value;
  if (__builtin_add_overflow(*at, slope, &expected) || !l->value(l->context, to, &value) || value != expected)
    return false;
  *at = value;
  return true;
}

static bool known_already(const cdag_stretches *known, int64_t x, int64_t *from, int64_t *to)
{
  for (int i = 0; i < known->n; i++)
    if (known->from[i] <= x && x < known->to[i]) {
      *from = known->from[i];
      *to = known->to[i];
      return true;
    }
  return false;
}

/* The slope to the right of x, or to its left when there is nothing there. */
static bool slope_at(line *l, int64_t x, int64_t here, int64_t lo, int64_t hi)
{
  int64_t next;
  if (x + 1 < hi && l->value(l->context, x + 1, &next))
    return !__builtin_sub_overflow(next, here, &l->slope);
  if (x - 1 >= lo && l->value(l->context, x - 1, &next))
    return !__builtin_sub_overflow(here, next, &l->slope);
  l->slope = 0;
  return true;
}

bool cdag_stretch_of(cdag_stretches *known, cdag_of_one value, void *context, int64_t x, int64_t lo, int64_t hi,
                     int64_t *from, int64_t *to)
{
  line l = { value, context, 0 };
  int64_t here, at;
  if (known_already(known, x, from, to))
    return true;
  if (!value(context, x, &here))
    return false;
  *from = x;
  *to = x + 1;
  if (slope_at(&l, x, here, lo, hi) && l.slope != INT64_MIN) {
    for (at = here; *to < hi && *to - x < FARTHEST && follows(&l, *to, l.slope, &at);)
      ++*to;
    for (at = here; *from > lo && x - *from < FARTHEST && follows(&l, *from - 1, -l.slope, &at);)
      --*from;
  }
  known->from[known->next] = *from;
  known->to[known->next] = *to;
  known->next = (known->next + 1) % CDAG_STRETCHES;
  known->n += known->n < CDAG_STRETCHES;
  return true;
}
