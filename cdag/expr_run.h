/* expr_run.h -- the values of an expression while one slot runs: a row of a table at a time. */
#ifndef REDBLUE_EXPR_RUN_H
#define REDBLUE_EXPR_RUN_H

#include "cdag/expr.h"

/* out[k] = e with from + k in the slot, for k = 0 .. n-1; the other slots as in env.  False, and out is void: some value is not there, or beyond what is
   done here; then expr_eval, one by one, says which. */
bool expr_run(const expr *e, const expr_env *env, int slot, int64_t from, int64_t n, int64_t *out);

#endif
