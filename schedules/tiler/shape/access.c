/* access.c -- what a term reads: its indices, and what its condition says of them. */
#include "base/num.h"
#include "schedules/tiler/shape/internal.h"
#include <string.h>

static bool read_index(const cdag_index *i, tiler_index *out)
{
  out->kind = i->kind;
  out->affine = true;
  if (i->kind == CDAG_ALL)
    return true;
  out->lo.base = i->base;
  memcpy(out->lo.coef, i->coef, sizeof out->lo.coef);
  out->hi.base = i->hi_base;
  memcpy(out->hi.coef, i->hi_coef, sizeof out->hi.coef);
  return out->affine = i->affine;
}

/* Does it hold, whatever the element, that f >= 0 where the access names one?  An index is within its array's hull. */
static bool implied(const tiler_shape *sh, const tiler_statement *s, const tiler_access *a, const tiler_form *f)
{
  const tiler_statement *to = &sh->s[a->array];
  if (tiler_form_extreme(s, f, false) >= 0)
    return true;
  for (int q = 0; q < a->rank; q++)
    for (int side = 0; a->at[q].kind == CDAG_AT && a->at[q].affine && side < 2; side++) {
      tiler_form room = *f;
      tiler_form_add(&room, &a->at[q].lo, side ? 1 : -1);
      room.base += side ? 1 - to->most[q] : to->least[q];
      if (tiler_form_constant(&room, s->rank) && room.base >= 0)
        return true;
    }
  return false;
}

/* f == 0, said by index q: it lies outside of its array elsewhere. */
static bool pin(const tiler_shape *sh, const tiler_statement *s, tiler_access *a, int q, const tiler_form *f)
{
  enum { LARGE = 1 << 30 };
  const tiler_statement *to = &sh->s[a->array];
  tiler_index *i = &a->at[q];
  const tiler_form *hi = i->kind == CDAG_RANGE ? &i->hi : &i->lo;
  int64_t far = to->most[q] - to->least[q] + tiler_form_extreme(s, hi, true) - tiler_form_extreme(s, &i->lo, false) + 1;
  if (far > LARGE)
    return false;
  tiler_form_add(&i->lo, f, far);
  if (i->kind == CDAG_RANGE)
    tiler_form_add(&i->hi, f, far);
  return true;
}

/* A comparison as f >= 0, or f == 0 (equal). */
static bool comparison_form(const tiler_shape *sh, const tiler_statement *s, const expr *e, tiler_form *f, bool *equal)
{
  expr_env env = { sh->g->param_value, sh->g->table };
  tiler_form right = { 0 };
  *f = (tiler_form){ 0 };
  *equal = e->op == EXPR_EQ;
  if (!expr_is_comparison(e) || e->op == EXPR_NE ||
      !expr_affine(e->arg[0], &env, sh->g->params, s->rank, &f->base, f->coef) ||
      !expr_affine(e->arg[1], &env, sh->g->params, s->rank, &right.base, right.coef))
    return false;
  tiler_form_add(f, &right, -1);
  if (e->op == EXPR_LT || e->op == EXPR_LE) {
    tiler_form down = { 0 };
    tiler_form_add(&down, f, -1);
    *f = down;
  }
  f->base -= e->op == EXPR_LT || e->op == EXPR_GT;
  return true;
}

/* A condition of comparisons, as index q says it; false when it cannot.  What the existence of the element says
   already (`X[t-1,i] if t > 0`) needs no saying. */
static bool read_condition(const tiler_shape *sh, const tiler_statement *s, const expr *e, tiler_access *a, int q)
{
  tiler_form f;
  bool equal;
  if (e->op == EXPR_MIN && expr_is_truth(e))
    return read_condition(sh, s, e->arg[0], a, q) && read_condition(sh, s, e->arg[1], a, q);
  if (!comparison_form(sh, s, e, &f, &equal))
    return false;
  if (equal)
    return pin(sh, s, a, q, &f);
  return implied(sh, s, a, &f) || (tiler_form_extreme(s, &f, true) == 0 && pin(sh, s, a, q, &f));
}

/* What a condition says of single variables: f >= 0 is x >= -base/c, or x <= -base/c where c < 0. */
static void read_limits(const tiler_shape *sh, const tiler_statement *s, const expr *e, tiler_access *a)
{
  tiler_form f;
  bool equal;
  int v = -1, many = 0;
  if (e->op == EXPR_MIN && expr_is_truth(e)) {
    read_limits(sh, s, e->arg[0], a);
    read_limits(sh, s, e->arg[1], a);
    return;
  }
  if (!comparison_form(sh, s, e, &f, &equal))
    return;
  for (int r = 0; r < s->rank; r++)
    if (f.coef[r]) {
      v = r;
      many++;
    }
  if (many != 1)
    return;
  int64_t c = f.coef[v];
  if (c > 0 || equal)
    a->from[v] = num_max(a->from[v], c > 0 ? -num_floor_div(f.base, c) : -num_floor_div(-f.base, -c));
  if (c < 0 || equal)
    a->to[v] = num_min(a->to[v], 1 + (c < 0 ? num_floor_div(f.base, -c) : num_floor_div(-f.base, c)));
}

/* Alternative *k of a condition; NULL: it has fewer, and *k is so many less. */
static const expr *alternative(const expr *e, int *k)
{
  if (e->op == EXPR_MAX && expr_is_truth(e)) {
    const expr *first = alternative(e->arg[0], k);
    return first ? first : alternative(e->arg[1], k);
  }
  return (*k)-- == 0 ? e : NULL;
}

bool tiler_alternative(const tiler_shape *s, const tiler_statement *reader, const tiler_access *a, int k,
                       tiler_access *out)
{
  *out = *a;
  if (a->held < 0)
    return k == 0;
  const expr *e = alternative(cdag_term_condition(&s->g->array[reader->array].term[a->term]), &k);
  if (e)
    read_limits(s, reader, e, out);
  return e != NULL;
}

bool tiler_index_unguarded(const cdag *g, int rank, const cdag_term *t, int q, tiler_index *out)
{
  expr_env env = { g->param_value, g->table };
  const cdag_index *i = &t->index[q];
  *out = (tiler_index){ .kind = i->kind };
  out->affine = t->guarded == q + 1 && expr_affine(i->lo->arg[0], &env, g->params, rank, &out->lo.base, out->lo.coef) &&
                (i->kind != CDAG_RANGE || expr_affine(i->hi, &env, g->params, rank, &out->hi.base, out->hi.coef));
  return out->affine;
}

bool tiler_compose(const tiler_form *f, const tiler_access *a, tiler_form *out)
{
  *out = (tiler_form){ .base = f->base };
  for (int q = 0; q < a->rank; q++) {
    if (!f->coef[q])
      continue;
    if (a->at[q].kind != CDAG_AT || !a->at[q].affine)
      return false;
    tiler_form_add(out, &a->at[q].lo, f->coef[q]);
  }
  return true;
}

/* An index that is not affine is one below the least of all upper bounds of the array read, in some order: a sum's
   last step, min(n, i + w) - 1.  Then one of these forms stands for it. */
static bool read_least_end(const tiler_shape *sh, const tiler_statement *s, const cdag_index *i, tiler_access *a, int q)
{
  const tiler_bound *hi = &sh->s[a->array].hi[q];
  tiler_bound own = { .affine = true };
  tiler_form end;
  if (i->kind != CDAG_AT || !hi->affine)
    return false;
  tiler_read_bound(sh->g, i->lo, s->rank, EXPR_MIN, 1, &own);
  bool same = own.affine && own.n == hi->n;
  for (int k = 0; k < hi->n && same; k++) {
    bool found = false;
    for (int l = 0; l < own.n && tiler_compose(&hi->f[k], a, &end); l++)
      found |= memcmp(&end, &own.f[l], sizeof end) == 0;
    same = found;
  }
  if (!same)
    return false;
  a->at[q] = (tiler_index){ .kind = CDAG_AT, .affine = true, .lo = own.f[0] };
  a->at[q].lo.base--;
  return true;
}

static tiler_access new_access(const tiler_shape *sh, const tiler_statement *s, const cdag_term *t, int number)
{
  tiler_access a = { .array = t->array, .rank = sh->g->array[t->array].rank, .term = number, .held = -1 };
  for (int r = 0; r < s->rank; r++) {
    a.from[r] = s->least[r];
    a.to[r] = s->most[r];
  }
  return a;
}

bool tiler_read_access(const tiler_shape *sh, const tiler_statement *s, const cdag_term *t, int number,
                       tiler_access *out)
{
  bool affine = true;
  *out = new_access(sh, s, t, number);
  for (int q = 0; q < out->rank; q++)
    affine &= read_index(&t->index[q], &out->at[q]) || tiler_index_unguarded(sh->g, s->rank, t, q, &out->at[q]);
  int held = out->held = t->guarded - 1;
  if (held >= 0) {
    out->unheld = out->at[held];
    read_limits(sh, s, cdag_term_condition(t), out);
  }
  if (held >= 0 && !read_condition(sh, s, cdag_term_condition(t), out, held) && !sh->widened)
    return out->at[held].affine = false;
  for (int q = 0; q < out->rank && sh->widened; q++)
    if (!out->at[q].affine && !read_least_end(sh, s, &t->index[q], out, q)) {
      cdag_index i = t->index[q];
      i.lo = held == q ? i.lo->arg[0] : i.lo;
      tiler_widen_index(sh->g, &i, s, held == q, &out->at[q]);
      out->unheld = held == q ? out->at[q] : out->unheld;
      out->widened = true;
    }
  return affine || sh->widened;
}

static bool same_pair(const expr *a, const expr *b)
{
  return a->nargs == 2 && b->nargs == 2 &&
         ((expr_equal(a->arg[0], b->arg[0]) && expr_equal(a->arg[1], b->arg[1])) ||
          (expr_equal(a->arg[0], b->arg[1]) && expr_equal(a->arg[1], b->arg[0])));
}

bool tiler_read_both_ways(const tiler_shape *sh, const tiler_statement *s, const cdag_term *t, int number,
                          tiler_access *a, tiler_access *b)
{
  expr_env env = { sh->g->param_value, sh->g->table };
  int most = -1, least = -1;
  for (int q = 0; q < sh->g->array[t->array].rank && !t->guarded; q++) {
    const expr *e = t->index[q].kind == CDAG_AT ? t->index[q].lo : NULL;
    most = e && e->op == EXPR_MAX ? q : most;
    least = e && e->op == EXPR_MIN ? q : least;
  }
  if (most < 0 || least < 0 || !same_pair(t->index[most].lo, t->index[least].lo))
    return false;
  tiler_form f[2] = { { 0 }, { 0 } };
  for (int i = 0; i < 2; i++) {
    const expr *e = t->index[most].lo->arg[i];
    if (!expr_affine(e, &env, sh->g->params, s->rank, &f[i].base, f[i].coef))
      return false;
  }
  *a = new_access(sh, s, t, number);
  for (int q = 0; q < a->rank; q++)
    if (q != most && q != least && !read_index(&t->index[q], &a->at[q]))
      return false;
  a->at[most] = a->at[least] = (tiler_index){ .kind = CDAG_AT, .affine = true };
  *b = *a;
  a->at[most].lo = b->at[least].lo = f[0];
  a->at[least].lo = b->at[most].lo = f[1];
  return true;
}

bool tiler_reads_end(const tiler_shape *s, const tiler_statement *reader, const tiler_access *a, int q)
{
  const tiler_bound *hi = &s->s[a->array].hi[q];
  tiler_form end;
  (void)reader;
  for (int i = 0; hi->affine && i < hi->n; i++) {
    if (a->at[q].kind != CDAG_AT || !a->at[q].affine || !tiler_compose(&hi->f[i], a, &end))
      continue;
    end.base--;
    if (memcmp(&end, &a->at[q].lo, sizeof end) == 0)
      return true;
  }
  return false;
}
