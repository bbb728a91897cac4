/* form.h -- numbers of a schedule's text that are quick to find: constants while the program runs, sums of a few loop
   slots.  Private to the room. */
#ifndef REDBLUE_SCHEDULES_FORM_H
#define REDBLUE_SCHEDULES_FORM_H

#include "schedules/play/run.h"

enum { FORM_TERMS = 4 };
#define FORM_VALUE (INT64_C(1) << 40) /* of a slot and of the constant, so that no sum can overflow */

/* value = add, slot + add, sum coef[i] slot[i] + add, or the expression */
typedef struct {
  enum { FORM_FIXED, FORM_SHIFTED, FORM_LINEAR, FORM_GENERAL } mode;
  int terms;
  int slot[FORM_TERMS];
  int64_t coef[FORM_TERMS];
  int64_t add;
  const expr *e;
} schedule_form;

/* The same whatever the loops do?  slot: the parameters have their values. */
bool schedule_form_fixed(const schedule *s, const int64_t *slot, const expr *e, int64_t *value);
schedule_form schedule_form_of(const schedule *s, const int64_t *slot, const expr *e);
/* Of a form that is LINEAR; false: a slot is too large. */
bool schedule_form_sum(const schedule_form *f, const int64_t *slot, int64_t *value);

#endif
