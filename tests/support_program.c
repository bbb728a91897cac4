#include "tests/support_program.h"
#include "base/mem.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  text *out;
  const cdag *g;
  support_random r;
  int loops;                   /* names given so far */
  int wild;                    /* one loop in so many runs backwards */
  int depth;
} writer;

static int64_t any(writer *w, int64_t lo, int64_t hi) { return support_between(&w->r, lo, hi); }
static bool chance(writer *w, int in) { return any(w, 1, in) == 1; }

static void indent(writer *w)
{
  for (int i = 0; i < w->depth; i++)
    text_add(w->out, "  ");
}

/* What stands for dimension r of an array in the nest now open. */
typedef struct { char word[CDAG_RANK][48]; int opened; } nest;

static const char *direction(writer *w) { return chance(w, w->wild) ? " reversed" : chance(w, 20) ? " snake" : ""; }

static void open_loop(writer *w, nest *n, int r, const cdag_box *hull)
{
  int id = w->loops++;
  int64_t lo = hull->lo[r], hi = hull->hi[r];
  bool blocked = !chance(w, 2);
  indent(w);
  if (!blocked)
    text_printf(w->out, "for x%d in %lld..%lld%s {\n", id, (long long)lo, (long long)hi, direction(w));
  else
    text_printf(w->out, "for x%d in %lld..%lld by %lld%s {\n", id, (long long)lo, (long long)hi,
                (long long)any(w, 1, 4), direction(w));
  snprintf(n->word[r], sizeof n->word[r], "x%d", id);
  w->depth++;
  n->opened++;
  if (!blocked || !chance(w, 4))
    return;
  int inner = w->loops++;
  indent(w);
  text_printf(w->out, "for x%d in x%d%s {\n", inner, id, chance(w, 2) ? " by 2" : "");
  snprintf(n->word[r], sizeof n->word[r], "x%d", inner);
  w->depth++;
  n->opened++;
}

static void open_nest(writer *w, nest *n, int array)
{
  const cdag_array *a = &w->g->array[array];
  int order[CDAG_RANK];
  *n = (nest){ 0 };
  for (int r = 0; r < a->rank; r++) {
    int at = (int)any(w, 0, r);
    order[r] = order[at];
    order[at] = r;
    strcpy(n->word[r], "*");
  }
  for (int i = 0; i < a->rank; i++)
    if (chance(w, 2))
      open_loop(w, n, order[i], &a->hull);
}

static void close_nest(writer *w, nest *n)
{
  while (n->opened-- > 0) {
    w->depth--;
    indent(w);
    text_add(w->out, "}\n");
  }
}

static void box(writer *w, const nest *n, int array)
{
  const cdag_array *a = &w->g->array[array];
  text_add(w->out, a->name);
  for (int r = 0; r < a->rank; r++)
    text_printf(w->out, "%s%s", r ? "," : "[", n->word[r]);
  text_add(w->out, "]");
}

/* One kind of move over the whole array, in a random nest. */
static void sweep(writer *w, const char *kind, int array)
{
  nest n;
  open_nest(w, &n, array);
  indent(w);
  text_printf(w->out, "%s ", kind);
  box(w, &n, array);
  text_add(w->out, "\n");
  close_nest(w, &n);
}

static void drop_box(writer *w, const cdag_array *p)
{
  for (int r = 0; r < p->rank; r++)
    text_printf(w->out, "%s%lld..%lld", r ? "," : "[", (long long)any(w, p->hull.lo[r] - 1, p->hull.hi[r]),
                (long long)any(w, p->hull.lo[r], p->hull.hi[r] + 1));
  text_add(w->out, "]");
}

static void dropping(writer *w, int array)
{
  const cdag_array *a = &w->g->array[array];
  const char *before = " dropping ";
  for (int t = 0; t < a->terms; t++) {
    const cdag_array *p = &w->g->array[a->term[t].array];
    bool own = a->term[t].array == array;
    if (!chance(w, own ? 2 : 25))
      continue;
    text_printf(w->out, "%s%s", before, p->name);
    before = ", ";
    if (!chance(w, 4))
      continue;
    drop_box(w, p);
    if (chance(w, 2)) {
      text_printf(w->out, ", %s", p->name);
      drop_box(w, p);
    }
  }
}

static void compute(writer *w, int array)
{
  nest n;
  open_nest(w, &n, array);
  indent(w);
  text_add(w->out, "compute ");
  box(w, &n, array);
  dropping(w, array);
  text_add(w->out, "\n");
  close_nest(w, &n);
}

/* Arrays in an order in which each comes after those it reads. */
static void visit(const cdag *g, int array, char *seen, int *order, int *n)
{
  if (seen[array])
    return;
  seen[array] = 1;
  for (int t = 0; t < g->array[array].terms; t++)
    visit(g, g->array[array].term[t].array, seen, order, n);
  order[(*n)++] = array;
}

static void one_array(writer *w, int array)
{
  const cdag_array *a = &w->g->array[array];
  if (chance(w, 60))
    return; /* forgotten */
  if (a->terms == 0)
    sweep(w, "load", array);
  else
    compute(w, array);
  if (a->terms > 0 && chance(w, 5)) {
    sweep(w, "store", array);
    if (chance(w, 2)) {
      sweep(w, "drop", array);
      sweep(w, "load", array);
    }
    if (chance(w, 6))
      sweep(w, "erase", array);
  }
}

/* `output C[*,*,k-1], dQ[i:n,*,i]` stored. */
static void store_selection(writer *w, const cdag_selection *sel)
{
  const cdag_array *a = &w->g->array[sel->array];
  for (int v = 0; v < sel->vars; v++) {
    text_printf(w->out, "for %s in ", sel->var[v]);
    expr_print(w->out, sel->var_lo[v]);
    text_add(w->out, "..");
    expr_print(w->out, sel->var_hi[v]);
    text_add(w->out, " { ");
  }
  text_printf(w->out, "store %s", a->name);
  for (int r = 0; r < a->rank; r++) {
    const cdag_index *x = &sel->index[r];
    text_char(w->out, r ? ',' : '[');
    if (x->kind == CDAG_ALL)
      text_add(w->out, "*");
    else
      expr_print(w->out, x->lo);
    if (x->kind == CDAG_RANGE) {
      text_add(w->out, "..");
      expr_print(w->out, x->hi);
    }
  }
  text_add(w->out, "]");
  for (int v = 0; v < sel->vars; v++)
    text_add(w->out, " }");
  text_add(w->out, "\n");
}

void support_random_program(text *out, const cdag *g, uint64_t seed)
{
  writer w = { .out = out, .g = g, .r = { seed }, .wild = seed % 4 ? 25 : 3 };
  char *seen = MEM_NEW(char, (size_t)g->arrays);
  int *order = MEM_NEW(int, (size_t)g->arrays), n = 0;
  for (int i = 0; i < g->arrays; i++)
    visit(g, i, seen, order, &n);
  for (int i = 0; i < n; i++)
    one_array(&w, order[i]);
  for (int i = 0; i < g->arrays; i++)
    if (g->array[i].declared_output && !chance(&w, 8))
      sweep(&w, "store", i);
  for (int i = 0; i < g->selections; i++)
    store_selection(&w, &g->selection[i]);
  mem_free(seen);
  mem_free(order);
}
