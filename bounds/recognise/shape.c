/* What the prover asks of a statement's reading: each statement once, and how its loops are written. */
#include "base/mem.h"
#include "bounds/check/reading/read.h"
#include "bounds/recognise/shape.h"
#include <inttypes.h>

void bound_loop_text(const cdag *g, int array, int loop, int64_t extent, text *out)
{
  const cdag_array *a = &g->array[array];
  const expr *hi = a->hi[loop];
  bool whole = a->lo[loop]->op == EXPR_CONST && a->lo[loop]->value == 0 &&
               !(loop > 0 && expr_uses(hi, g->params, g->params + loop));
  if (whole && (hi->op == EXPR_SLOT || hi->op == EXPR_CONST))
    expr_print(out, hi);
  else
    text_printf(out, "%" PRId64, extent);
}

/* Nearly every theorem asks for the same statements, and of a mask each has many pieces to look at. */
struct bound_seen {
  enum { NOT_ASKED, IS_NONE, IS_STATEMENT } answer;
  bound_statement *s;
};

struct bound_seen *bound_seen_new(int arrays) { return MEM_NEW(struct bound_seen, arrays); }

void bound_seen_free(struct bound_seen *seen, int arrays)
{
  for (int a = 0; seen && a < arrays; a++)
    mem_free(seen[a].s);
  mem_free(seen);
}

bool bound_statement_find(const cdag *g, const bound_live *l, int array, bound_statement *s)
{
  struct bound_seen *seen = &l->seen[array];
  if (seen->answer == NOT_ASKED) {
    seen->s = MEM_NEW(bound_statement, 1);
    seen->answer = checker_statement_find(g, l->whole, array, seen->s) ? IS_STATEMENT : IS_NONE;
  }
  *s = *seen->s;
  return seen->answer == IS_STATEMENT;
}

bool bound_statement_gather(const cdag *g, const bound_live *l, bound_statement *s)
{
  for (int a = 0; a < g->arrays; a++)
    if (checker_statement_gather(g, l->whole, a, s))
      return true;
  return false;
}
