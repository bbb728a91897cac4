/* Statements in one space: each step has a place, no two the same, and forms of the place are functions of the words.
 */
#include "bounds/check/affine/together.h"
#include "base/num.h"
#include "bounds/checker.h"
#include <string.h>

/* Coordinate r of the place of a step, in its loops. */
static linear place_of(const claim_statement *s, int r)
{
  linear f = linear_constant(s->place[r][CDAG_RANK]);
  memcpy(f.coef, s->place[r], CDAG_RANK * sizeof *f.coef);
  return f;
}

static void places_of(const claim_statement *s, int rank, linear *place)
{
  for (int r = 0; r < rank; r++)
    place[r] = place_of(s, r);
}

/* The first statement's places are its loops, each times a number: the least common multiple of these. */
static int64_t common_scale(const claim_statement *s, int rank)
{
  int64_t common = 1;
  for (int r = 0; r < rank; r++)
    for (int k = 0; k <= CDAG_RANK; k++) {
      int64_t c = s->place[r][k];
      if (k == r ? c < 1 || c > 64 : c != 0)
        return 0;
      common = k == r ? common / num_gcd(common, c) * c : common;
    }
  return common;
}

/* The first statement's forms, in places and times the common scale. */
static bool forms_of(affine_facts *f, const statement_facts *first, int64_t common, statement_facts *u)
{
  for (int i = 0; i < first->s->items; i++) {
    u->form[i] = ARENA_NEW(&f->scratch, linear, CDAG_RANK);
    u->forms[i] = first->forms[i];
    for (int k = 0; k < first->forms[i]; k++) {
      u->form[i][k] = first->form[i][k];
      u->form[i][k].base = 0;
      for (int r = 0; r < first->rank; r++)
        if (!num_mul(u->form[i][k].coef[r], common / first->s->place[r][r], &u->form[i][k].coef[r]))
          return false;
    }
  }
  return true;
}

static void add_places(affine_facts *f, const statement_facts *t, statement_facts *u)
{
  for (int p = 0; p < t->steps.n; p++) {
    polyhedron *q = polyhedron_new(&f->scratch, u->rank);
    polyhedron_include(&f->scratch, q, t->steps.item[p], NULL, 0);
    for (int r = 0; r < u->rank; r++) {
      linear x = linear_variable(r), place = place_of(t->s, r), moved;
      if (linear_substitute(&place, NULL, 0, u->rank, &moved))
        polyhedron_same(&f->scratch, q, &x, &moved);
      else
        q->open = true;
    }
    polyhedra_add(&f->scratch, &u->steps, polyhedron_tidy(&f->scratch, q));
  }
}

/* ---- two steps ---- */

/* Steps of a and b, of these pieces, with what they use of items i and k, one way and the other, the same word or
   vertex. */
typedef struct {
  const statement_facts *a, *b;
  int p, q, i, k, v, w;
} two_steps;

/* Both say the same; where one is not kept, more points are left. */
static void forms_meet(arena *memory, polyhedron *both, const linear *x, const linear *y, int n, int shift)
{
  for (int r = 0; r < n; r++) {
    linear moved;
    if (linear_substitute(&y[r], NULL, 0, shift, &moved))
      polyhedron_same(memory, both, &x[r], &moved);
  }
}

/* A word and an operand of its component may have one vertex in memory for both when the operand is on the word. */
static bool may_share(const affine_facts *f, const two_steps *s, arena *memory, polyhedron *both, int shift)
{
  const way_facts *x = &s->a->way[s->i][s->v], *y = &s->b->way[s->k][s->w];
  const claim_way *of_x = &s->a->s->item[s->i].way[s->v], *of_y = &s->b->s->item[s->k].way[s->w];
  linear label[2][LABELS_MOST], loop[CDAG_RANK];
  bool elements = of_x->kind == ITEM_OPERAND && of_y->kind == ITEM_OPERAND;
  if (elements ? x->to != y->to : x->component != y->component)
    return false;
  for (int r = 0; r < s->b->rank; r++)
    loop[r] = linear_variable(shift + r);
  if (x->where)
    polyhedron_meet(memory, both, x->where, s->a->rank);
  if (y->where)
    polyhedron_include(memory, both, y->where, loop, s->b->rank);
  if (elements)
    forms_meet(memory, both, x->index, y->index, x->indices, shift);
  else if (words_label_of(&f->words, x->to, x->index, label[0]) >= 0)
    forms_meet(memory, both, label[0], label[1], words_label_of(&f->words, y->to, y->index, label[1]), shift);
  return true;
}

/* Are there such steps, x at the first and y at the second being different? */
static bool differ(const affine_facts *f, const two_steps *s, const linear *x, const linear *y)
{
  SCOPED_ARENA memory = { 0 };
  int shift;
  linear moved;
  polyhedron *both = polyhedron_beside(&memory, s->a->steps.item[s->p], s->b->steps.item[s->q], &shift);
  if (!linear_substitute(y, NULL, 0, shift, &moved))
    return true;
  if (!may_share(f, s, &memory, both, shift))
    return false;
  for (int side = 0; side < 2; side++) {
    polyhedron *less = polyhedron_copy(&memory, both);
    linear low = side ? moved : *x;
    low.base++;
    polyhedron_require(&memory, less, &low, side ? x : &moved);
    if (!polyhedron_empty(less))
      return true;
  }
  return false;
}

bool words_agree(const affine_facts *f, const statement_facts *a, int i, const statement_facts *b, int k,
                 const linear *x, const linear *y)
{
  two_steps s = { .a = a, .b = b, .i = i, .k = k };
  if (a->way[i][0].reduced || b->way[k][0].reduced) /* told but for multiples */
    return false;
  for (s.v = 0; s.v < a->s->item[i].ways; s.v++)
    for (s.w = 0; s.w < b->s->item[k].ways; s.w++)
      for (s.p = 0; s.p < a->steps.n; s.p++)
        for (s.q = 0; s.q < b->steps.n; s.q++)
          if (differ(f, &s, x, y))
            return false;
  return true;
}

bool steps_apart(const statement_facts *a, const linear *x, const statement_facts *b, const linear *y, int n)
{
  for (int p = 0; p < a->steps.n; p++)
    for (int q = 0; q < b->steps.n; q++) {
      SCOPED_ARENA memory = { 0 };
      int shift;
      polyhedron *both = polyhedron_beside(&memory, a->steps.item[p], b->steps.item[q], &shift);
      forms_meet(&memory, both, x, y, n, shift);
      bool apart = a == b || polyhedron_empty(both);
      for (int r = 0; r < a->rank && a == b && apart; r++)
        for (int side = 0; side < 2 && apart; side++) {
          polyhedron *less = polyhedron_copy(&memory, both);
          linear i = linear_variable(side ? shift + r : r), k = linear_variable(side ? r : shift + r);
          i.base = 1;
          polyhedron_require(&memory, less, &i, &k);
          apart = polyhedron_empty(less);
        }
      if (!apart)
        return false;
    }
  return true;
}

/* ---- in one space ---- */

/* Words and vertices of item i tell its forms. */
static bool words_tell(const affine_facts *f, const statement_facts *a, const statement_facts *b, int i,
                       const statement_facts *u)
{
  linear in_a[CDAG_RANK], in_b[CDAG_RANK], x, y;
  places_of(a->s, u->rank, in_a);
  places_of(b->s, u->rank, in_b);
  for (int k = 0; k < u->forms[i]; k++)
    if (!linear_substitute(&u->form[i][k], in_a, u->rank, 0, &x) ||
        !linear_substitute(&u->form[i][k], in_b, u->rank, 0, &y) || !words_agree(f, a, i, b, i, &x, &y))
      return false;
  return true;
}

/* No step of a and other step of b have one place. */
static bool places_differ(const statement_facts *a, const statement_facts *b, int rank)
{
  linear x[CDAG_RANK], y[CDAG_RANK];
  places_of(a->s, rank, x);
  places_of(b->s, rank, y);
  return steps_apart(a, x, b, y, rank);
}

bool statements_together(affine_facts *f, const statement_facts *const *t, int n, claim_statement *like,
                         statement_facts *u, text *reason)
{
  int64_t common = common_scale(t[0]->s, t[0]->rank);
  *like = *t[0]->s;
  *u = (statement_facts){ .s = like, .rank = t[0]->rank };
  if (common == 0 || !forms_of(f, t[0], common, u))
    return bound_refuse(reason, "the first statement's places are not its loops");
  for (int a = 0; a < n; a++) {
    add_places(f, t[a], u);
    bool alike = t[a]->s->items == like->items;
    for (int i = 0; i < like->items && alike; i++)
      alike = t[a]->s->item[i].column == like->item[i].column &&
              t[a]->s->item[i].power == like->item[i].power;
    if (!alike)
      return bound_refuse(reason, "statements in one space need the same columns and powers");
    for (int b = 0; b <= a; b++) {
      if (!places_differ(t[a], t[b], u->rank))
        return bound_refuse(reason, "two steps have one place");
      for (int i = 0; i < like->items; i++)
        if (!words_tell(f, t[a], t[b], i, u))
          return bound_refuse(reason, "words do not tell what they are in the common space");
    }
  }
  for (int p = 0; p < u->steps.n; p++)
    if (u->steps.item[p]->open)
      return bound_refuse(reason, "the places are not said");
  return true;
}
