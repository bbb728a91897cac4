/* bind.c -- a parsed CDAG and values of its parameters: domains, numbering, terms as forms, who reads whom. */
#include "cdag/cdag_internal.h"
#include "base/mem.h"
#include "base/num.h"
#include <stdio.h>
#include <string.h>

/* ---- domains ---- */

/* Of arrays before array i one that has the same bounds up to index r, or NULL: tables are read over all rows of a mask
 * once. */
static const nest *same_bounds(const cdag *g, int i, int r)
{
  const cdag_array *a = &g->array[i];
  for (int k = 0; k < i; k++) {
    const cdag_array *b = &g->array[k];
    bool same = b->rank > r;
    for (int q = 0; q <= r && same; q++)
      same = expr_equal(a->lo[q], b->lo[q]) && expr_equal(a->hi[q], b->hi[q]);
    if (same)
      return &g->priv->dom[k];
  }
  return NULL;
}

static status bind_bounds(cdag *g, int i, int r, const char *what, diag *d)
{
  const nest *same = same_bounds(g, i, r);
  if (!same)
    return nest_add(&g->priv->dom[i], g->array[i].lo[r], g->array[i].hi[r], g, what, d);
  form lo = form_lent(&same->lo[r]), hi = form_lent(&same->hi[r]);
  return nest_add_forms(&g->priv->dom[i], &lo, &hi, g->table);
}

static status bind_domain(cdag *g, int i, diag *d)
{
  cdag_array *a = &g->array[i];
  nest *n = &g->priv->dom[i];
  char what[CDAG_NAME + 16];
  snprintf(what, sizeof what, "array %s", a->name);
  status st = OK;
  for (int r = 0; r < a->rank && st == OK; r++)
    st = bind_bounds(g, i, r, what, d);
  if (st == OK)
    st = nest_finish(n, g, what, a->line, a->column, d);
  a->rectangular = n->rectangular;
  a->hull = n->hull;
  a->count = n->count;
  a->first = g->vertices;
  if (st == OK && n->count > INT64_MAX - g->vertices)
    st = diag_at(d, BAD_INPUT, "cdag", g->priv->file, a->line, a->column,
                 "with array %s there are more than 2^63 vertices", a->name);
  g->vertices += n->count;
  return st;
}

/* ---- terms ---- */

static void publish_form(const form *f, bool *affine, int64_t *base, int64_t coef[CDAG_RANK])
{
  *affine = *affine && !f->rest;
  *base = f->base;
  memcpy(coef, f->coef, sizeof f->coef);
}

static status bind_index(const cdag *g, cdag_index *x, bound_index *b, const nest *n, diag *d)
{
  status st = OK;
  b->kind = x->kind;
  x->affine = x->kind != CDAG_ALL;
  x->var = -2;
  if (x->kind == CDAG_ALL)
    return OK;
  st = form_make(&b->lo, x->lo, g, n, d);
  if (st == OK && x->kind == CDAG_RANGE)
    st = form_make(&b->hi, x->hi, g, n, d);
  publish_form(&b->lo, &x->affine, &x->base, x->coef);
  if (x->kind == CDAG_RANGE)
    publish_form(&b->hi, &x->affine, &x->hi_base, x->hi_coef);
  else
    x->var = b->lo.var;
  return st;
}

static status bind_term(const cdag *g, int array, cdag_index *x, bound_term *b, const nest *n, diag *d)
{
  status st = OK;
  b->array = array;
  b->rank = g->array[array].rank;
  b->single = true;
  for (int r = 0; r < b->rank && st == OK; r++) {
    st = bind_index(g, &x[r], &b->index[r], n, d);
    b->single = b->single && x[r].kind == CDAG_AT;
  }
  return st;
}

/* Everything outside the hull of the array named, for every element: then the term is on none. */
static bool never_present(const cdag *g, const nest *n, const bound_term *b)
{
  const nest *target = &g->priv->dom[b->array];
  int64_t least, most, unused;
  if (n->count == 0 || target->count == 0)
    return true;
  for (int r = 0; r < b->rank; r++) {
    const bound_index *x = &b->index[r];
    if (x->kind == CDAG_ALL)
      continue;
    if (!form_interval(&x->lo, &n->hull, n->rank, g->table, &least, &most) ||
        (x->kind == CDAG_RANGE && !form_interval(&x->hi, &n->hull, n->rank, g->table, &unused, &most)))
      return true;
    if (least >= target->hull.hi[r] || most < target->hull.lo[r] + (x->kind == CDAG_RANGE))
      return true;
  }
  return false;
}

static void classify_term(cdag_term *t, const bound_term *b, int vars)
{
  uint32_t used = 0;
  t->boxy = true;
  for (int r = 0; r < b->rank; r++) {
    const cdag_index *x = &t->index[r];
    if (x->kind == CDAG_AT && x->var >= 0) {
      t->boxy = t->boxy && !(used >> x->var & 1);
      used |= 1u << x->var;
    } else if (x->kind == CDAG_AT)
      t->boxy = t->boxy && x->var == -1;
    else if (x->kind == CDAG_RANGE)
      t->boxy = t->boxy && b->index[r].lo.var == -1 && b->index[r].hi.var == -1;
  }
  t->injective = t->boxy && b->single && used == (1u << vars) - 1;
}

/* Where it has a value, is it affine? */
static bool has_no_rest(const form *f) { return !f->rest || f->guard; }

/* Can two terms of one rule never name the same element?  Yes when an index of both differs by a constant. */
static bool differ(const bound_term *a, const bound_term *b)
{
  for (int r = 0; r < a->rank; r++) {
    const bound_index *x = &a->index[r], *y = &b->index[r];
    if (x->kind == CDAG_AT && y->kind == CDAG_AT && has_no_rest(&x->lo) && has_no_rest(&y->lo) &&
        x->lo.base != y->lo.base && memcmp(x->lo.coef, y->lo.coef, sizeof x->lo.coef) == 0)
      return true;
  }
  return false;
}

static void find_clashes(const cdag_array *a, bound_term *b)
{
  for (int t = 0; t < a->terms; t++)
    for (int s = 0; s < t; s++)
      if (b[s].array == b[t].array && !a->term[s].never && !a->term[t].never && !differ(&b[s], &b[t]))
        b[t].clashes[s / 64] |= (uint64_t)1 << s % 64;
}

static status bind_rule(cdag *g, int i, diag *d)
{
  cdag_array *a = &g->array[i];
  bound_term *b = g->priv->term[i] = MEM_NEW(bound_term, (size_t)a->terms);
  status st = OK;
  for (int t = 0; t < a->terms && st == OK; t++)
    st = bind_term(g, a->term[t].array, a->term[t].index, &b[t], &g->priv->dom[i], d);
  for (int t = 0; t < a->terms && st == OK; t++) {
    classify_term(&a->term[t], &b[t], a->rank);
    a->term[t].never = never_present(g, &g->priv->dom[i], &b[t]);
  }
  if (st == OK)
    find_clashes(a, b);
  return st;
}

static status bind_selection(cdag *g, int i, diag *d)
{
  cdag_selection *s = &g->selection[i];
  bound_selection *b = &g->priv->selection[i];
  char what[CDAG_NAME + 32];
  snprintf(what, sizeof what, "the selection of %s", g->array[s->array].name);
  status st = OK;
  for (int r = 0; r < s->vars && st == OK; r++)
    st = nest_add(&b->dom, s->var_lo[r], s->var_hi[r], g, what, d);
  if (st == OK)
    st = nest_finish(&b->dom, g, what, s->line, s->column, d);
  if (st == OK)
    st = bind_term(g, s->array, s->index, &b->pick, &b->dom, d);
  return st;
}

/* ---- who reads an array ---- */

static void find_users(cdag *g)
{
  struct cdag_private *p = g->priv;
  p->users = MEM_NEW(int, (size_t)g->arrays);
  p->use = MEM_NEW(term_use *, (size_t)g->arrays);
  for (int i = 0; i < g->arrays; i++)
    for (int t = 0; t < g->array[i].terms; t++) {
      const cdag_term *term = &g->array[i].term[t];
      if (term->never)
        continue;
      int n = p->users[term->array]++;
      p->use[term->array] = mem_grow(p->use[term->array], (size_t)n + 1, sizeof(term_use));
      p->use[term->array][n] = (term_use){ i, term, &p->term[i][t], t };
    }
}

status cdag_bind(cdag *g, diag *d)
{
  status st = cdag_fill_tables(g, d);
  if (st == OK)
    st = cdag_join_pieces(g, d);
  g->priv->dom = MEM_NEW(nest, (size_t)g->arrays);
  g->priv->term = MEM_NEW(bound_term *, (size_t)g->arrays);
  g->priv->selection = MEM_NEW(bound_selection, (size_t)g->selections);
  g->vertices = 0;
  for (int i = 0; i < g->arrays && st == OK; i++)
    st = bind_domain(g, i, d);
  for (int i = 0; i < g->arrays && st == OK; i++)
    st = bind_rule(g, i, d);
  for (int i = 0; i < g->selections && st == OK; i++)
    st = bind_selection(g, i, d);
  if (st == OK)
    find_users(g);
  return st;
}
