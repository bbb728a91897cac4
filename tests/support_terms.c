#include "tests/support_terms.h"
#include <string.h>

static const int own_extent[TERMS_RANK] = { 3, 5, 6 };
const int terms_rank[TERMS_ARRAYS] = { 2, 1, TERMS_RANK };

int terms_extent(int array, int r) { return array == TERMS_X ? own_extent[r] : TERMS_SIDE; }

static int pick(support_random *r, int lo, int hi) { return (int)support_between(r, lo, hi); }
static bool chance(support_random *r, int in) { return pick(r, 1, in) == 1; }

static terms_index any_index(support_random *r, int array, int dim)
{
  int extent = terms_extent(array, dim);
  if (chance(r, 4)) {
    int lo = chance(r, 2) ? 0 : pick(r, 0, 2), hi = chance(r, 2) ? extent : pick(r, lo + 1, lo + 3);
    return (terms_index){ TERMS_RANGE, 0, lo, hi };
  }
  if (chance(r, 8))
    return chance(r, 2) ? (terms_index){ TERMS_UPTO, pick(r, 0, 2), pick(r, 0, 2), pick(r, 0, 3) }
                        : (terms_index){ chance(r, 2) ? TERMS_FROM : TERMS_BACK_FROM, pick(r, 0, 2), pick(r, -1, 2),
                                         pick(r, 3, extent) };
  if (chance(r, 10))
    return (terms_index){ TERMS_BACK, pick(r, 0, 2), pick(r, 1, 6), 0 };
  if (chance(r, 6))
    return (terms_index){ TERMS_AT, 0, pick(r, 0, 3), 0 };
  return (terms_index){ TERMS_ALONG, array == TERMS_X && !chance(r, 3) ? dim : pick(r, 0, 2), pick(r, -2, 2), 0 };
}

static void put_index(text *out, const terms_index *x)
{
  switch (x->kind) {
  case TERMS_AT: text_printf(out, "%d", x->lo); break;
  case TERMS_ALONG: text_printf(out, "%c%+d", "ijk"[x->var], x->lo); break;
  case TERMS_RANGE: text_printf(out, "%d..%d", x->lo, x->hi); break;
  case TERMS_UPTO: text_printf(out, "%d..%c+%d", x->lo, "ijk"[x->var], x->hi); break;
  case TERMS_BACK: text_printf(out, "%d-%c", x->lo, "ijk"[x->var]); break;
  case TERMS_BACK_FROM: text_printf(out, "%d-%c..%d", x->lo, "ijk"[x->var], x->hi); break;
  case TERMS_FROM: text_printf(out, "%c%+d..%d", "ijk"[x->var], x->lo, x->hi); break;
  }
}

static void put_term(text *out, support_random *r, terms_term *t)
{
  *t = (terms_term){ .array = chance(r, 3) ? TERMS_X : chance(r, 3) ? TERMS_B : TERMS_A };
  text_printf(out, ", %c[", "ABX"[t->array]);
  for (int dim = 0; dim < terms_rank[t->array]; dim++) {
    t->index[dim] = any_index(r, t->array, dim);
    text_add(out, dim ? ", " : "");
    put_index(out, &t->index[dim]);
  }
  text_add(out, "]");
}

static bool is_new(const terms_term *term, int t)
{
  for (int s = 0; s < t; s++)
    if (!memcmp(&term[s], &term[t], sizeof *term))
      return false;
  return true;
}

int support_terms(text *out, support_random *r, bool sources, terms_term *term)
{
  int wanted = pick(r, 1, TERMS_MOST), n = 0;
  text_printf(out, "input A[%d,%d], B[%d], C[1]\n", TERMS_SIDE, TERMS_SIDE, TERMS_SIDE);
  text_printf(out, "%sX[i:%d, j:%d, k:%d] = %s", sources ? "input " : "", own_extent[0], own_extent[1], own_extent[2],
              sources ? "A[9,k]" : "C[0]");
  for (size_t end = out->n; n < wanted; end = out->n, n++) {
    put_term(out, r, &term[n]);
    if (!is_new(term, n)) {
      out->n = end;
      break;
    }
  }
  text_add(out, "\noutput X[*,0,*]\n");
  return n;
}

void terms_read(const terms_term *t, int r, const int64_t *x, int64_t *lo, int64_t *hi)
{
  const terms_index *e = &t->index[r];
  bool along = e->kind == TERMS_ALONG || e->kind == TERMS_FROM,
       back = e->kind == TERMS_BACK || e->kind == TERMS_BACK_FROM;
  bool one = e->kind == TERMS_AT || e->kind == TERMS_ALONG || e->kind == TERMS_BACK;
  *lo = e->lo + (along ? x[e->var] : back ? -x[e->var] : 0);
  *hi = one ? *lo + 1 : e->kind == TERMS_UPTO ? x[e->var] + e->hi : e->hi;
  *lo = *lo > 0 ? *lo : 0;
  *hi = *hi < terms_extent(t->array, r) ? *hi : terms_extent(t->array, r);
}
