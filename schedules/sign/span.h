/* schedules/sign/span.h -- the values an expression can take while loops run: an interval.  Private to the formula. */
#ifndef REDBLUE_SCHEDULES_FORMULA_SPAN_H
#define REDBLUE_SCHEDULES_FORMULA_SPAN_H

#include "cdag/language/expr.h"

typedef struct { int64_t least, most; } span;

/* least and most of the slots of an environment, tables as they are.  False when nothing can be said. */
typedef struct {
  const span *slot;
  const expr_table *table;
  bool whole; /* of tables take all entries that may be meant: indices that are not bounded well may lie outside, and
                 there may be several; else nothing is said of those */
} span_env;
bool span_of_table(const expr_table *t, span *out);   /* all its entries; false when there are none, or very many */
bool span_of(const expr *e, const span_env *env, span *out);

#endif
