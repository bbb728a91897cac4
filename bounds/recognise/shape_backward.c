/* The hypotheses of the backward theorems, checked on an interaction program (docs/theory-lp.md, sections 4 and 5).

   With widths all d: dV needs Q whole on the row and K whole on the column, its operand is dO of the row; dQ and dK
   need Q, dO and K, V whole; dQ's operand is a word of the column, dK's is of Q (not dO: the arrays of carried steps
   must be disjoint).  "Row" is the side of the one chain dQ. */
#include "bounds/recognise/shape_backward.h"
#include "bounds/check/reading/live.h"

/* An array of the side that both kinds need whole and the small one too, or not: -1 when there is none that wide. */
static int whole_array(const cover_program *p, unsigned whole, bool column, int64_t width)
{
  for (int a = 0; a < p->arrays; a++)
    if (whole >> a & 1 && p->array[a].column == column && p->array[a].width >= width)
      return a;
  return -1;
}

static bool roles(const cover_program *p, backward_shape *b)
{
  const cover_kind *v = &p->kind[b->dv], *q = &p->kind[b->dq], *k = &p->kind[b->dk];
  bool column = p->array[v->chain].column;
  int64_t d = v->width;
  b->q = whole_array(p, v->whole & q->whole & k->whole, !column, d);
  b->k = whole_array(p, v->whole & q->whole & k->whole, column, d);
  b->g = v->operand;
  if (b->q < 0 || b->k < 0 || b->g == b->q || !(q->whole & k->whole & 1u << b->g) || p->array[b->g].width < d)
    return false;
  b->v = whole_array(p, q->whole & k->whole & ~(1u << b->k), column, d);
  return b->v >= 0 && k->operand != b->g && (q->whole >> q->operand & 1) && (k->whole >> k->operand & 1);
}

/* dv, dk with chains on one side, dq on the other, in any order of the kinds. */
static bool assign(const cover_program *p, backward_shape *b)
{
  for (b->dv = 0; b->dv < 3; b->dv++)
    for (b->dq = 0; b->dq < 3; b->dq++) {
      b->dk = 3 - b->dv - b->dq;
      if (b->dv == b->dq)
        continue;
      bool v = p->array[p->kind[b->dv].chain].column, q = p->array[p->kind[b->dq].chain].column,
           k = p->array[p->kind[b->dk].chain].column;
      if (v == k && v != q && roles(p, b))
        return true;
    }
  return false;
}

static bool every_step(const cover_program *p)
{
  for (int w = 0; w < p->kinds; w++)
    if (p->kind[w].width != p->kind[0].width || p->kind[w].steps != (uint64_t)p->pairs * (uint64_t)p->kind[w].width)
      return false;
  return true;
}

bool bound_backward_find(const cdag *g, const bound_live *known, backward_shape *b)
{
  *b = (backward_shape){ .dv = 0 };
  if (!bound_cover_find(g, known, &b->shape))
    return false;
  const cover_program *p = &b->shape.p;
  if (p->kinds != 3 || b->shape.seeded || p->pairs > INT64_MAX >> 28 || !every_step(p) || !assign(p, b))
    return false;
  uint64_t taken = 0;
  for (int w = 0; w < 3; w++)
    if (!checker_ends_stored(g, b->shape.statement[w], &taken))
      return false;
  b->of = (backward_case){ p->kind[0].width, p->pairs, (int64_t)p->births, (int64_t)p->outputs, 0 };
  return b->of.d < 1 << 28;
}
