/* cdag.c -- making, freeing and checking a CDAG; box questions that are not about one term. */
#include "cdag/cdag.h"
#include "cdag/cdag_internal.h"
#include "base/mem.h"
#include "base/num.h"
#include <stdio.h>
#include <string.h>

/* ---- making ---- */

static cdag *new_cdag(const char *name)
{
  cdag *g = MEM_NEW(cdag, 1);
  g->priv = MEM_NEW(struct cdag_private, 1);
  snprintf(g->name, sizeof g->name, "%s", name);
  snprintf(g->family, sizeof g->family, "%s", name);
  return g;
}

/* The file's name without folder and ending. */
static void base_name(const char *path, char *out, size_t size)
{
  const char *slash = strrchr(path, '/');
  snprintf(out, size, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(out, '.');
  if (dot && dot != out)
    *dot = '\0';
}

static status give_up_unless(status st, cdag **g)
{
  if (st != OK) {
    cdag_free(*g);
    *g = NULL;
  }
  return st;
}

status cdag_parse_unchecked(cdag **out, const char *name, const char *source, const char *assign, diag *d)
{
  char title[CDAG_NAME];
  base_name(name, title, sizeof title);
  cdag *g = *out = new_cdag(title);
  snprintf(g->priv->file, sizeof g->priv->file, "%s", name);
  status st = cdag_parse_text(g, source, d);
  if (st == OK)
    st = cdag_assign(g, assign, d);
  if (st == OK)
    st = cdag_bind(g, d);
  return give_up_unless(st, out);
}

status cdag_parse(cdag **out, const char *name, const char *source, const char *assign, diag *d)
{
  static status (*const check[])(const cdag *, diag *) = { cdag_check_pieces, cdag_check_sources, cdag_check_inputs,
                                                           cdag_check_acyclic, cdag_check_outputs };
  status st = cdag_parse_unchecked(out, name, source, assign, d);
  for (size_t i = 0; i < sizeof check / sizeof *check && st == OK; i++)
    st = check[i](*out, d);
  return give_up_unless(st, out);
}

status cdag_from_graph(cdag **out, cdag_graph *graph, const char *name)
{
  cdag *g = *out = new_cdag(name);
  cdag_array *a = g->array = MEM_NEW(cdag_array, 1);
  nest *n = g->priv->dom = MEM_NEW(nest, 1);
  g->graph = MEM_NEW(cdag_graph, 1);
  *g->graph = *graph;
  *graph = (cdag_graph){ 0 };
  g->arrays = 1;
  snprintf(a->name, sizeof a->name, "v");
  a->rank = n->rank = 1;
  a->lo[0] = expr_const(0);
  a->hi[0] = expr_const(g->graph->n);
  form_constant(&n->lo[0], 0);
  form_constant(&n->hi[0], g->graph->n);
  a->rectangular = n->rectangular = true;
  n->hull.hi[0] = g->graph->n;
  n->stride[0] = 1;
  a->hull = n->hull;
  a->count = n->count = g->vertices = g->graph->n;
  return OK;
}

/* ---- freeing ---- */

static void free_indices(cdag_index *x)
{
  for (int r = 0; r < CDAG_RANK; r++) {
    expr_free(x[r].lo);
    expr_free(x[r].hi);
  }
}

static void free_array(cdag_array *a)
{
  for (int r = 0; r < CDAG_RANK; r++) {
    expr_free(a->lo[r]);
    expr_free(a->hi[r]);
  }
  for (int t = 0; t < a->terms; t++) {
    free_indices(a->term[t].index);
    expr_free(a->term[t].guard);
  }
  mem_free(a->term);
}

static void free_selection(cdag_selection *s)
{
  free_indices(s->index);
  for (int r = 0; r < CDAG_RANK; r++) {
    expr_free(s->var_lo[r]);
    expr_free(s->var_hi[r]);
  }
}

static void free_table(expr_table *t, table_text *def)
{
  mem_free(t->name);
  mem_free(t->wide);
  mem_free(t->narrow);
  for (int r = 0; r < CDAG_RANK; r++)
    expr_free(def->size[r]);
  for (int i = 0; i < def->values; i++)
    expr_free(def->value[i]);
  mem_free(def->value);
}

static void clear_bound_term(bound_term *b)
{
  for (int r = 0; r < CDAG_RANK; r++) {
    form_clear(&b->index[r].lo);
    form_clear(&b->index[r].hi);
  }
}

static void free_bound(cdag *g)
{
  struct cdag_private *p = g->priv;
  for (int i = 0; i < g->arrays && p->dom; i++)
    nest_clear(&p->dom[i]);
  for (int i = 0; i < g->arrays && p->term; i++) {
    for (int t = 0; t < g->array[i].terms && p->term[i]; t++)
      clear_bound_term(&p->term[i][t]);
    mem_free(p->term[i]);
  }
  for (int i = 0; i < g->selections && p->selection; i++) {
    nest_clear(&p->selection[i].dom);
    clear_bound_term(&p->selection[i].pick);
  }
  for (int i = 0; i < g->arrays && p->use; i++)
    mem_free(p->use[i]);
  mem_free(p->dom);
  mem_free(p->term);
  mem_free(p->selection);
  mem_free(p->use);
  mem_free(p->users);
  mem_free(p->degrees);
  mem_free(p->outputs);
}

static void free_private(cdag *g)
{
  struct cdag_private *p = g->priv;
  for (int i = 0; i < g->tables && p->table_file; i++)
    mem_free(p->table_file[i]);
  for (int i = 0; i < g->arrays && p->piece; i++) {
    for (int k = 0; k < p->piece[i].n; k++) {
      expr_free(p->piece[i].of[k].condition);
      for (int r = 0; r < CDAG_RANK; r++) {
        expr_free(p->piece[i].of[k].lo[r]);
        expr_free(p->piece[i].of[k].hi[r]);
      }
    }
    mem_free(p->piece[i].of);
  }
  mem_free(p->piece);
  mem_free(p->table_file);
  mem_free(p->param_place);
  mem_free(p->table);
  mem_free(p->given);
  mem_free(p->var_place);
  mem_free(p);
}

void cdag_free(cdag *g)
{
  if (!g)
    return;
  free_bound(g);
  for (int i = 0; i < g->params; i++)
    expr_free(g->param[i].fallback);
  for (int i = 0; i < g->tables; i++)
    free_table(&g->table[i], &g->priv->table[i]);
  for (int i = 0; i < g->arrays; i++)
    free_array(&g->array[i]);
  for (int i = 0; i < g->selections; i++)
    free_selection(&g->selection[i]);
  if (g->graph)
    cdag_graph_clear(g->graph);
  mem_free(g->graph);
  mem_free(g->param);
  mem_free(g->table);
  mem_free(g->array);
  mem_free(g->selection);
  mem_free((void *)g->param_value);
  free_private(g);
  mem_free(g);
}

/* ---- checking ---- */

static const char *check_array(const cdag *g, int i)
{
  const cdag_array *a = &g->array[i];
  const nest *n = &g->priv->dom[i];
  if (a->rank < 1 || a->rank > CDAG_RANK || n->rank != a->rank)
    return "an array has a rank out of range";
  if (a->count != nest_box_count(n, &n->hull))
    return "an array's count is not that of its domain";
  if (!a->declared_input && a->terms == 0 && !g->graph)
    return "an array that is no input has no rule";
  for (int t = 0; t < a->terms; t++)
    if (a->term[t].array < 0 || a->term[t].array >= g->arrays)
      return "a term names no array";
  return NULL;
}

const char *cdag_check(const cdag *g)
{
  uint64_t sum = 0;
  for (int i = 0; i < g->arrays; i++) {
    const char *broken = check_array(g, i);
    if (broken)
      return broken;
    if (g->array[i].first != sum)
      return "ids are not consecutive";
    sum += g->array[i].count;
  }
  if (sum != g->vertices)
    return "the vertices are not those of the arrays";
  return g->graph ? cdag_graph_check(g->graph) : NULL;
}

/* ---- boxes ---- */

bool cdag_box_empty(const cdag_box *b, int rank)
{
  for (int r = 0; r < rank; r++)
    if (b->lo[r] >= b->hi[r])
      return true;
  return false;
}

uint64_t cdag_box_count(const cdag *g, int array, const cdag_box *b) { return nest_box_count(&g->priv->dom[array], b); }

bool cdag_each_run(const cdag *g, int array, const cdag_box *b, cdag_visit_run visit, void *context)
{
  return nest_each_run(&g->priv->dom[array], b, visit, context);
}

bool cdag_free_index(const cdag *g, int array, int r, int64_t *lo)
{
  const nest *n = &g->priv->dom[array];
  bool alone = n->lo[r].var == -1;
  for (int q = r + 1; q < n->rank; q++)
    alone = alone && !(n->bound_vars[q] >> r & 1);
  *lo = n->lo[r].base;
  return alone;
}
