/* schedules/symbolic/tables/listed.c -- which loops choose entries of tables (schedules/symbolic/tables/iterations.h).

   The iterations of a loop are told apart by tables where its variable stands inside the brackets of one: in the text,
   or in the bound of an array, at the place of an index that the text gives by that variable; so do those of the loops
   on which its range depends.  What their ranges and those brackets read of parameters is a number from then on, and so
   is what tables are made from. */
#include "schedules/symbolic/tables/iterations.h"
#include "base/mem.h"
#include "base/num.h"

typedef struct {
  const formula *f;
  bool *listed, *number;       /* by loop; by fixed slot */
  bool any;                    /* a table */
} reading;

/* Its variables choose entries, or how often something does. */
static void mark(reading *w, const expr *e)
{
  const schedule *s = w->f->s;
  for (int l = 0; l < s->loops && e; l++)
    w->listed[l] |= expr_uses(e, s->loop[l].slot, s->loop[l].slot + SCHEDULE_LOOP_SLOTS);
  for (int i = 0; i < s->slot_param + s->params && e; i++)
    w->number[i] |= expr_uses(e, i, i + 1);
}

/* Depth: an expression's. */
static void read_expr(reading *w, const expr *e)
{
  if (!e)
    return;
  w->any |= e->op == EXPR_TABLE;
  for (int i = 0; i < e->nargs; i++) {
    if (e->op == EXPR_TABLE)
      mark(w, e->arg[i]);
    read_expr(w, e->arg[i]);
  }
}

static void mark_index(reading *w, const schedule_index *x)
{
  if (x->loop >= 0)
    w->listed[x->loop] = true;
  mark(w, x->lo);
  mark(w, x->hi);
}

/* The bound of an array, in whose tables indices of the box stand. */
static void read_bound(reading *w, const schedule_box *b, const expr *e)
{
  int params = w->f->s->g->params;
  w->any |= e->op == EXPR_TABLE;
  for (int i = 0; i < e->nargs; i++) {
    for (int r = 0; r < b->indices && e->op == EXPR_TABLE; r++)
      if (expr_uses(e->arg[i], params + r, params + r + 1))
        mark_index(w, &b->index[r]);
    for (int p = 0; p < params && e->op == EXPR_TABLE; p++)
      w->number[p] |= expr_uses(e->arg[i], p, p + 1);
    read_bound(w, b, e->arg[i]);
  }
}

static void read_box(reading *w, const schedule_box *b)
{
  const cdag_array *a = &w->f->s->g->array[b->array];
  for (int r = 0; r < b->indices; r++) {
    read_expr(w, b->index[r].lo);
    read_expr(w, b->index[r].hi);
    read_bound(w, b, a->lo[r]);
    read_bound(w, b, a->hi[r]);
  }
}

/* Depth: SCHEDULE_DEPTH. */
static void read_node(reading *w, const schedule_node *n)
{
  if (!formula_matters(w->f, n))
    return;
  if (n->kind == SCHEDULE_FOR) {
    const schedule_loop *l = &w->f->s->loop[n->loop];
    read_expr(w, l->lo);
    read_expr(w, l->hi);
    read_expr(w, l->by);
  }
  if (n->kind == SCHEDULE_IF) {
    read_expr(w, n->condition);
    if (expr_uses_table(n->condition))
      mark(w, n->condition);
  }
  for (int i = 0; i < n->boxes; i++)
    read_box(w, &n->box[i]);
  for (int i = 0; i < n->children; i++)
    read_node(w, n->child[i]);
}

static void mark_range(reading *w, const schedule_loop *l)
{
  if (l->over_loop >= 0)
    w->listed[l->over_loop] = true;
  mark(w, l->lo);
  mark(w, l->hi);
  mark(w, l->by);
}

static void read_all(reading *w)
{
  const schedule *s = w->f->s;
  read_node(w, s->body);
  for (int l = s->loops - 1; l >= 0; l--) /* those around it come before it */
    if (w->listed[l])
      mark_range(w, &s->loop[l]);
  for (int p = 0; p < s->g->params && w->any; p++)
    w->number[p] |= cdag_table_reads(s->g, p);
}

static void read_program(const formula *f, reading *w)
{
  *w = (reading){ .f = f, .listed = MEM_NEW(bool, (size_t)f->s->loops), .number = MEM_NEW(bool, (size_t)f->s->slots) };
  read_all(w);
}

static void reading_clear(reading *w)
{
  mem_free(w->listed);
  mem_free(w->number);
}

bool formula_reads_mask(const formula *f)
{
  const cdag *g = f->s->g;
  bool mask = false;
  for (int i = 0; i < g->tables; i++)
    mask |= g->table[i].rank > 1;
  if (!mask)
    return false;
  reading w;
  read_program(f, &w);
  reading_clear(&w);
  return w.any;
}

/* What is written by name may have any value; what stands for a number is none. */
static void name_slots(formula *f, const bool *number)
{
  int fixed = f->s->slot_param + f->s->params;
  for (int i = 0; i < fixed; i++)
    f->number[i] = number[i];
  for (int i = 0; i < fixed; i++) {
    for (int k = 0; k < fixed && f->alias[i]; k++)
      if (number[k] && expr_uses(f->alias[i], k, k + 1))
        f->alias[i] = NULL;
    if (!number[i])
      f->span[i] = (span){ num_min(f->slot[i], 1), num_max(f->slot[i], INT32_MAX) };
  }
}

static void set_slots(formula_iterations *t, const formula *f)
{
  const schedule *s = f->s;
  int params = s->g->params;
  t->slot = MEM_NEW(int64_t, (size_t)s->slots);
  t->index_slot = MEM_NEW(int64_t, (size_t)params + CDAG_RANK);
  for (int i = 0; i < s->slot_param + s->params; i++)
    t->slot[i] = f->slot[i];
  for (int i = 0; i < params; i++)
    t->index_slot[i] = f->slot[i];
}

void formula_list_loops(formula *f)
{
  reading w;
  read_program(f, &w);
  f->iterations = MEM_NEW(formula_iterations, 1);
  f->iterations->listed = w.listed;
  w.listed = NULL;
  name_slots(f, w.number);
  set_slots(f->iterations, f);
  formula_iterations_begin(f->iterations);
  reading_clear(&w);
}
