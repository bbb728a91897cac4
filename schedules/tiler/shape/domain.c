/* domain.c -- forms of a statement's variables, and its bounds as such forms. */
#include "base/num.h"
#include "schedules/tiler/shape/internal.h"

int tiler_form_plain(const tiler_form *f, int rank)
{
  int found = -1;
  for (int r = 0; r < rank; r++)
    if (f->coef[r]) {
      if (found >= 0 || f->coef[r] != 1)
        return -1;
      found = r;
    }
  return f->base == 0 ? found : -1;
}

void tiler_form_add(tiler_form *f, const tiler_form *g, int64_t times)
{
  f->base += times * g->base;
  for (int r = 0; r < CDAG_RANK; r++)
    f->coef[r] += times * g->coef[r];
}

bool tiler_form_constant(const tiler_form *f, int rank)
{
  for (int r = 0; r < rank; r++)
    if (f->coef[r])
      return false;
  return true;
}

bool tiler_is_number(const cdag *g, const expr *e, int rank, int64_t *out)
{
  expr_env env = { g->param_value, g->table };
  tiler_form f = { 0 };
  bool good = expr_affine(e, &env, g->params, rank, &f.base, f.coef) && tiler_form_constant(&f, rank);
  *out = f.base;
  return good;
}

void tiler_read_bound(const cdag *g, const expr *e, int rank, expr_op of, int64_t more, tiler_bound *b)
{
  expr_env env = { g->param_value, g->table };
  int64_t number;
  if (!e) {
    b->f[b->n++] = (tiler_form){ 0 };
    return;
  }
  if (b->n == TILER_BOUNDS) {
    b->affine = false;
    return;
  }
  tiler_form *f = &b->f[b->n];
  *f = (tiler_form){ 0 };
  if (expr_affine(e, &env, g->params, rank, &f->base, f->coef)) {
    f->base += more;
    b->n++;
  } else if (e->op == of)
    for (int i = 0; i < e->nargs; i++)
      tiler_read_bound(g, e->arg[i], rank, of, more, b);
  else if ((e->op == EXPR_ADD || e->op == EXPR_SUB) && tiler_is_number(g, e->arg[1], rank, &number))
    tiler_read_bound(g, e->arg[0], rank, of, e->op == EXPR_ADD ? more + number : more - number, b);
  else
    b->affine = false;
}

int64_t tiler_form_extreme(const tiler_statement *s, const tiler_form *f, bool most)
{
  int64_t sum = f->base;
  for (int r = 0; r < s->rank; r++)
    if (f->coef[r])
      sum += f->coef[r] * ((f->coef[r] > 0) == most ? s->most[r] - 1 : s->least[r]);
  return sum;
}

static void read_range(const cdag *g, tiler_statement *s, int r)
{
  const cdag_array *a = &g->array[s->array];
  tiler_bound *lo = &s->lo[r], *hi = &s->hi[r];
  *lo = *hi = (tiler_bound){ .affine = true };
  tiler_read_bound(g, a->lo[r], r, EXPR_MAX, 0, lo);
  tiler_read_bound(g, a->hi[r], r, EXPR_MIN, 0, hi);
  s->least[r] = a->hull.lo[r];
  s->most[r] = a->hull.hi[r];
  for (int i = 0; lo->affine && i < lo->n; i++)
    s->least[r] = i == 0 ? tiler_form_extreme(s, &lo->f[i], false)
                         : num_max(s->least[r], tiler_form_extreme(s, &lo->f[i], false));
  for (int i = 0; hi->affine && i < hi->n; i++)
    s->most[r] =
        i == 0 ? tiler_form_extreme(s, &hi->f[i], true) : num_min(s->most[r], tiler_form_extreme(s, &hi->f[i], true));
  s->unit[r] = s->least[r] == 0 && s->most[r] <= 1;
}

bool tiler_bound_constant(const tiler_bound *b, int rank)
{
  return b->affine && b->n == 1 && tiler_form_constant(&b->f[0], rank);
}

bool tiler_read_domain(const cdag *g, tiler_statement *s)
{
  bool affine = true;
  for (int r = 0; r < s->rank; r++) {
    read_range(g, s, r);
    affine = affine && s->lo[r].affine && s->hi[r].affine;
  }
  return affine;
}
