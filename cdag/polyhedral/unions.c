#include "cdag/polyhedral/eliminate.h"

/* Of parallel constraints one is enough; what a quotient is stays said as it was. */
static polyhedron *without_repeats(arena *a, const polyhedron *p)
{
  polyhedron *q = polyhedron_copy(a, p);
  if (!polyhedron_has_quotients(p))
    polyhedron_reduce(q);
  return q;
}

bool polyhedron_minus(arena *a, const polyhedron *p, const polyhedron *q, int n, polyhedra *rest)
{
  char near[NEAR];
  SCOPED_ARENA scratch = arena_within(near, sizeof near);
  polyhedron *said = polyhedron_new(&scratch, p->vars); /* what q says, of p's variables and its own */
  polyhedron_meet(&scratch, said, q, n);
  if (p->open || q->open || said->open)
    return false;
  /* p and what q's auxiliary variables are; then q's others one by one */
  polyhedron *kept = polyhedron_copy(&scratch, p);
  kept->vars = said->vars;
  for (int i = 0; i < said->n; i++)
    if (said->row[i].defines)
      polyhedron_add(&scratch, kept, &said->row[i].form, said->row[i].equal), kept->row[kept->n - 1].defines = true;
  for (int i = 0; i < said->n; i++) {
    const constraint *c = &said->row[i];
    if (c->defines)
      continue;
    bool follows = true;
    for (int side = 0; side <= c->equal; side++) {
      linear no = linear_constant(-1);
      if (!linear_add(&no, &c->form, side ? 1 : -1))
        return false;
      polyhedron_add(&scratch, kept, &no, false);
      if (!polyhedron_empty(kept)) {
        follows = false;
        polyhedra_add(a, rest, without_repeats(a, kept));
      }
      kept->n--;
    }
    if (!follows)
      polyhedron_add(&scratch, kept, &c->form, c->equal);
  }
  return true;
}

enum { PIECES_MOST = 256 };

bool polyhedra_minus(arena *a, const polyhedra *l, const polyhedra *take, int n, polyhedra *rest)
{
  SCOPED_ARENA made = { 0 }; /* of the pieces that come and go most are gone at the end */
  polyhedra now = *l, left = { 0 };
  for (int k = 0; k < take->n; k++) {
    polyhedra next = { 0 };
    for (int i = 0; i < now.n; i++) {
      char near[NEAR];
      SCOPED_ARENA scratch = arena_within(near, sizeof near);
      polyhedron *taken = polyhedron_new(&scratch, now.item[i]->vars);
      polyhedron_meet(&scratch, taken, take->item[k], n);
      bool apart = polyhedra_none_has_both(&scratch, now.item[i], taken, taken->vars);
      if (apart)
        polyhedra_add(&made, &next, now.item[i]);
      else if (!polyhedron_minus(&made, now.item[i], take->item[k], n, &next) || next.n > PIECES_MOST)
        return false;
    }
    now = next;
  }
  for (int i = 0; i < now.n; i++)
    polyhedra_add(a, &left, take->n > 0 ? polyhedron_copy(a, now.item[i]) : now.item[i]);
  *rest = left;
  return true;
}

bool polyhedra_cover(const polyhedra *l, const polyhedron *p, int n)
{
  SCOPED_ARENA a = { 0 };
  polyhedra one = { 0 }, rest = { 0 };
  polyhedra_add(&a, &one, polyhedron_copy(&a, p));
  bool covered = polyhedra_minus(&a, &one, l, n, &rest) && rest.n == 0;
  return covered || polyhedron_empty(p);
}

static void put_common(arena *a, polyhedron *both, const polyhedron *p, const polyhedron *q)
{
  for (int i = 0; i < p->n; i++)
    for (int side = 0; side <= p->row[i].equal; side++) { /* of an equality a half may hold */
      linear f = { 0 };
      if (linear_add(&f, &p->row[i].form, side ? -1 : 1) && polyhedron_implies(q, &f, false))
        polyhedron_add(a, both, &f, false);
    }
}

polyhedron *polyhedron_join(arena *a, const polyhedron *p, const polyhedron *q)
{
  if (p->vars != q->vars || polyhedron_has_quotients(p) || polyhedron_has_quotients(q) || p->open || q->open)
    return NULL;
  polyhedron *both = polyhedron_new(a, p->vars);
  polyhedra two = { 0 };
  put_common(a, both, p, q);
  put_common(a, both, q, p);
  both = polyhedron_tidy(a, both);
  polyhedra_add(a, &two, polyhedron_copy(a, p));
  polyhedra_add(a, &two, polyhedron_copy(a, q));
  return polyhedra_cover(&two, both, p->vars) ? both : NULL;
}

void polyhedra_join(arena *a, polyhedra *l)
{
  for (int i = 0; i < l->n; i++)
    for (int k = 0; k < i; k++) {
      polyhedron *both = polyhedron_join(a, l->item[i], l->item[k]);
      if (!both)
        continue;
      l->item[k] = both;
      l->item[i] = l->item[--l->n];
      i = 0; /* from the start: it may join others now */
      break;
    }
}

bool polyhedra_disjoint(arena *a, const polyhedra *l, int n, polyhedra *pieces)
{
  polyhedra done = { 0 };
  for (int i = 0; i < l->n; i++) {
    polyhedra one = { 0 }, rest = { 0 };
    polyhedra_add(a, &one, l->item[i]);
    if (!polyhedra_minus(a, &one, &done, n, &rest))
      return false;
    for (int k = 0; k < rest.n; k++)
      polyhedra_add(a, &done, rest.item[k]);
  }
  *pieces = done;
  return true;
}
