/* cdag/language/expr_run.h -- the values of an expression while one slot runs: a row of a table at a time. */
#ifndef REDBLUE_EXPR_RUN_H
#define REDBLUE_EXPR_RUN_H

#include "cdag/language/expr.h"

/* What reads the slot that runs, but none of those in [from, to), is the same in all rows: it is kept from one to the
   next.  For one expression, slot and range; zeroed but for from and to before its first use. */
enum { EXPR_KEPT = 8 };
typedef struct {
  int from, to, n;
  struct { const expr *e; int64_t *each; } part[EXPR_KEPT];
} expr_kept;
void expr_kept_clear(expr_kept *k);

/* out[k] = e with from + k in the slot, for k = 0 .. n-1; the other slots as in env.  kept may be NULL.  False, and out
   is void: some value is not there, or beyond what is done here; then expr_eval, one by one, says which. */
bool expr_run(const expr *e, const expr_env *env, int slot, int64_t from, int64_t n, expr_kept *kept, int64_t *out);

/* The same expression with the values of slots 0 .. fixed-1 put in, and what then is known evaluated: it has a value
 * where e has, and that one. */
expr *expr_with(const expr *e, const expr_env *env, int fixed);

#endif
