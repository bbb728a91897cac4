#include "schedules/tiler/within.h"
#include <stdio.h>
#include <string.h>

enum { REPLACED_MOST = 4 };

/* e without the number that it ends with. */
static const expr *without_number(const expr *e, int64_t *number)
{
  *number = 0;
  while ((e->op == EXPR_ADD || e->op == EXPR_SUB) && e->nargs == 2 && e->arg[1]->op == EXPR_CONST) {
    *number += e->op == EXPR_ADD ? e->arg[1]->value : -e->arg[1]->value;
    e = e->arg[0];
  }
  return e;
}

static bool is_same(const expr *a, const expr *b)
{
  SCOPED_TEXT x = { 0 };
  SCOPED_TEXT y = { 0 };
  expr_print(&x, a);
  expr_print(&y, b);
  return strcmp(text_str(&x), text_str(&y)) == 0;
}

/* The end of the loop that e is said by: hi, more than it, by *over more; or at most it. */
static const expr *end_of_loop(const schedule *s, const expr *e, bool hi, int64_t *over)
{
  SCOPED_TEXT own = { 0 };
  expr_print(&own, e);
  for (int i = 0; i < s->loops; i++) {
    char end[CDAG_NAME + 4];
    const schedule_loop *l = &s->loop[i];
    snprintf(end, sizeof end, hi ? "hi(%s)" : "lo(%s)", l->name);
    bool value = strcmp(text_str(&own), l->name) == 0;
    *over = hi && value;
    if (l->over_loop < 0 && (hi ? l->hi : l->lo) && (value || strcmp(text_str(&own), end) == 0))
      return hi ? l->hi : l->lo;
  }
  return NULL;
}

/* Is a <= b + more? */
static bool at_most(const schedule *s, const expr *a, const expr *b, int64_t more, int replaced)
{
  int64_t of_a, of_b, over;
  a = without_number(a, &of_a);
  b = without_number(b, &of_b);
  more += of_b - of_a;
  if (a->op == EXPR_CONST && b->op == EXPR_CONST)
    return a->value <= b->value + more;
  if (a->op == EXPR_MAX || b->op == EXPR_MIN) {
    const expr *all = a->op == EXPR_MAX ? a : b;
    for (int i = 0; i < all->nargs; i++)
      if (!at_most(s, all == a ? a->arg[i] : a, all == b ? b->arg[i] : b, more, replaced))
        return false;
    return true;
  }
  for (int i = 0; a->op == EXPR_MIN && i < a->nargs; i++)
    if (at_most(s, a->arg[i], b, more, replaced))
      return true;
  for (int i = 0; b->op == EXPR_MAX && i < b->nargs; i++)
    if (at_most(s, a, b->arg[i], more, replaced))
      return true;
  if (is_same(a, b))
    return more >= 0;
  if (replaced == REPLACED_MOST)
    return false;
  const expr *hi = end_of_loop(s, a, true, &over), *lo = NULL;
  if (hi && at_most(s, hi, b, more + over, replaced + 1))
    return true;
  lo = end_of_loop(s, b, false, &over);
  return lo && at_most(s, a, lo, more, replaced + 1);
}

bool tiler_at_most(const schedule *s, const expr *a, const expr *b) { return at_most(s, a, b, 0, 0); }
