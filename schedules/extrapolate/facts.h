/* schedules/extrapolate/facts.h -- what is known of a loop before it runs (schedules/extrapolate/facts.c).  Private to
 * fast-forward. */
#ifndef REDBLUE_SCHEDULES_FORWARD_FACTS_H
#define REDBLUE_SCHEDULES_FORWARD_FACTS_H

#include "schedules/schedule.h"

typedef struct {
  bool known;
  bool able;                   /* the body is affine in the iteration */
  int period;                  /* 2 when something inside goes to and fro */
  bool first, last;            /* the body asks first() or last() of this loop */
  bool pieces;                 /* boxes of the body read tables, or least or greatest numbers */
  int sets; /* that the body can read or change (pebble/extrapolate/forward.h), in increasing order */
  int *set;
} forward_facts;

/* The loop of node n (a FOR). */
void schedule_forward_facts(const schedule *s, const schedule_node *n, forward_facts *out);

#endif
