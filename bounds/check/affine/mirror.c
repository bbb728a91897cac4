/* mirror.c -- two statements with a centre in common that is read both ways round (mirror.h).

   T[i,j] += A[i,k] B[k,j] and U[k,j] += A[i,k] B[i,j], k < i: in forms x, y, z the words are {x,y} of the centre, (x,z)
   of B and (y,z) of the sums, x < y in the first statement and x > y in the second one. */
#include "bounds/check/affine/mirror.h"
#include "bounds/check/affine/together.h"

/* Is the one form less than the other, by so much, on all steps? */
static bool less_by(const statement_facts *t, const linear *less, const linear *more, int64_t by)
{
  linear below = *less;
  below.base += by;
  for (int p = 0; p < t->steps.n; p++) {
    linear d = *more;
    if (!linear_add(&d, &below, -1) || !polyhedron_implies(t->steps.item[p], &d, false))
      return false;
  }
  return true;
}

bool always_less(const statement_facts *t, const linear *less, const linear *more) { return less_by(t, less, more, 1); }

/* One of the two statements: its items, and its forms x, y and z. */
typedef struct {
  statement_facts *t;
  int centre, beside, own;
  linear form[CDAG_RANK + 2];
} half;

/* Which of a statement's three items stands in the column. */
static int item_in(const statement_facts *t, int column)
{
  int i = 0;
  while (t->s->item[i].column != column)
    i++;
  return i;
}

static bool tells(const affine_facts *f, const half *a, int i, const half *b, int k, int x, int y)
{
  return words_agree(f, a->t, i, b->t, k, &a->form[x], &b->form[y]);
}

/* The words beside tell x, in both statements alike, and own words y. */
static bool corners_told(const affine_facts *f, const half *h)
{
  for (int s = 0; s < 2; s++)
    if (!tells(f, &h[s], h[s].beside, &h[s], h[s].beside, 0, 0) || !tells(f, &h[s], h[s].own, &h[s], h[s].own, 1, 1))
      return false;
  return tells(f, &h[0], h[0].beside, &h[1], h[1].beside, 0, 0) &&
         tells(f, &h[0], h[0].centre, &h[1], h[1].centre, 0, 1) &&
         tells(f, &h[0], h[0].centre, &h[1], h[1].centre, 1, 0);
}

/* The third form: what words beside and own ones both tell. */
static int common_forms(const affine_facts *f, half *h)
{
  int n = 0;
  for (int k = 0; k < h[0].t->forms[h[0].beside] && k < h[1].t->forms[h[1].beside]; k++) {
    bool good = true;
    for (int s = 0; s < 2; s++)
      h[s].form[2 + n] = h[s].t->form[h[s].beside][k];
    for (int s = 0; s < 2 && good; s++)
      good = tells(f, &h[s], h[s].own, &h[s], h[s].own, 2 + n, 2 + n);
    n += good && tells(f, &h[0], h[0].beside, &h[1], h[1].beside, 2 + n, 2 + n);
  }
  return n;
}

static bool in_order(const half *low, const half *high)
{
  return less_by(low->t, &low->form[0], &low->form[1], 0) && less_by(high->t, &high->form[1], &high->form[0], 0);
}

/* A row with itself is none of the pairs: such steps do not count. */
static bool diagonal_parts(affine_facts *f, half *h)
{
  polyhedra away = { 0 };
  if (always_less(h->t, &h->form[0], &h->form[1]) || always_less(h->t, &h->form[1], &h->form[0]))
    return true;
  polyhedron *plane = polyhedron_new(&f->scratch, h->t->rank);
  polyhedron_same(&f->scratch, plane, &h->form[0], &h->form[1]);
  polyhedra_add(&f->scratch, &away, plane);
  return steps_part(f, h->t, &away);
}

/* Forms p and q of the centre are x and y in the first statement, and y and x in the second one. */
static bool mirrored_at(affine_facts *f, half *h, int p, int q)
{
  for (int s = 0; s < 2; s++) {
    h[s].form[0] = h[s].t->form[h[s].centre][s ? q : p];
    h[s].form[1] = h[s].t->form[h[s].centre][s ? p : q];
  }
  if (!(in_order(&h[0], &h[1]) || in_order(&h[1], &h[0])) || !corners_told(f, h))
    return false;
  int n = 2 + common_forms(f, h);
  return steps_apart(h[0].t, h[0].form, h[0].t, h[0].form, n) &&
         steps_apart(h[1].t, h[1].form, h[1].t, h[1].form, n) && diagonal_parts(f, &h[0]) && diagonal_parts(f, &h[1]);
}

bool mirrored(affine_facts *f, statement_facts *t, statement_facts *u, int telling)
{
  half h[2] = { { .t = t }, { .t = u } };
  if (t->s->items != 3 || u->s->items != 3)
    return false;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      int centre = t->s->item[i].column, beside = t->s->item[k].column;
      if (i == k || centre == telling || beside == telling)
        continue;
      for (int s = 0; s < 2; s++) {
        h[s].centre = item_in(h[s].t, centre);
        h[s].beside = item_in(h[s].t, beside);
        h[s].own = item_in(h[s].t, telling);
      }
      for (int p = 0; p < t->forms[h[0].centre] && t->forms[h[0].centre] == u->forms[h[1].centre]; p++)
        for (int q = 0; q < t->forms[h[0].centre]; q++)
          if (q != p && mirrored_at(f, h, p, q))
            return true;
    }
  return false;
}
