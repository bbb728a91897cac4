/* schedules/symbolic/tables/iterations.c -- the iterations of a listed loop, parted into those that are alike
   (schedules/symbolic/tables/iterations.h).

   They are taken for alike at first.  The walk over the body stops at what differs between them, as the number of
   columns of a block does in a ragged mask; they are parted by what differs, and each part is walked for itself. */
#include "schedules/symbolic/tables/iterations.h"
#include "base/mem.h"
#include <stdlib.h>

enum { WALKS_MOST = 1 << 14 };

int64_t formula_alike(const formula *f) { return (int64_t)f->iterations->at->iterations; }
bool formula_are_apart(const formula *f) { return f->iterations->apart == f->iterations->at; }

/* ---- lists and classes ---- */

static iteration_class *new_class(formula_iterations *t, iteration_list *l, uint32_t *iteration, size_t iterations)
{
  iteration_class *c = MEM_NEW(iteration_class, 1);
  *c = (iteration_class){ .list = l, .iteration = iteration, .iterations = iterations };
  t->class = mem_room(t->class, t->classes, &t->class_room, sizeof *t->class);
  return t->class[t->classes++] = c;
}

static iteration_list *new_list(formula_iterations *t, iteration_class *around, int loop)
{
  iteration_list *l = MEM_NEW(iteration_list, 1);
  *l = (iteration_list){ .loop = loop, .around = around };
  t->list = mem_room(t->list, t->lists, &t->list_room, sizeof *t->list);
  return t->list[t->lists++] = l;
}

/* It has all its iterations. */
static void close_list(formula_iterations *t, iteration_list *l)
{
  l->order = MEM_NEW(uint32_t, l->n);
  for (size_t i = 0; i < l->n; i++)
    l->order[i] = (uint32_t)i;
  l->all = new_class(t, l, l->order, l->n);
}

void formula_iterations_begin(formula_iterations *t)
{
  iteration_list *l = new_list(t, NULL, -1);
  l->n = 1;
  close_list(t, l);
  t->at = l->all;
}

void formula_iterations_free(formula_iterations *t)
{
  if (!t)
    return;
  for (size_t i = 0; i < t->lists; i++) {
    mem_free(t->list[i]->iteration);
    mem_free(t->list[i]->order);
    mem_free(t->list[i]);
  }
  for (size_t i = 0; i < t->classes; i++) {
    mem_free(t->class[i]->answer);
    mem_free(t->class[i]->part);
    mem_free(t->class[i]->inner);
    mem_free(t->class[i]);
  }
  for (size_t i = 0; i < t->joins; i++)
    formula_join_free(t->join[i]);
  for (size_t i = 0; i < t->owns; i++)
    expr_free(t->own[i]);
  mem_free(t->join);
  mem_free(t->list);
  mem_free(t->class);
  mem_free(t->own);
  mem_free(t->slot);
  mem_free(t->index_slot);
  mem_free(t->listed);
  mem_free(t);
}

/* ---- writing iterations down ---- */

static bool evaluate(formula *f, const expr *e, int64_t fallback, int64_t *v)
{
  expr_env env = { f->iterations->slot, f->s->g->table };
  *v = fallback;
  if (!e)
    return true;
  formula_grant_tables(f, e);
  return expr_eval(e, &env, v, NULL) == EXPR_OK ||
         formula_fail(f, e->line, "an expression has no value in some iterations");
}

bool formula_iteration_range(formula *f, const schedule_loop *l, iteration_range *r)
{
  const int64_t *over = l->over_loop >= 0 ? f->iterations->slot + f->s->loop[l->over_loop].slot : NULL;
  bool ok = evaluate(f, l->lo, over ? over[SCHEDULE_LO] : 0, &r->lo) &&
            evaluate(f, l->hi, over ? over[SCHEDULE_HI] : 0, &r->hi) && evaluate(f, l->by, 1, &r->by);
  return ok && (r->by >= 1 || r->lo >= r->hi || formula_fail(f, l->line, "a block size below 1"));
}

/* How many values there are from lo on. */
static uint64_t length_from(const iteration_range *r, int64_t lo) { return (uint64_t)r->hi - (uint64_t)lo; }

listed_iteration formula_iteration_at(const schedule_loop *l, const iteration_range *r, int64_t lo, uint32_t of)
{
  int64_t hi = length_from(r, lo) <= (uint64_t)r->by ? r->hi : lo + r->by;
  bool least = lo == r->lo, most = hi == r->hi;
  return (listed_iteration){ lo, hi, of, l->reversed ? most : least, l->reversed ? least : most };
}

bool formula_write_iteration(formula *f, const schedule_loop *l, iteration_list *to, const iteration_range *r,
                             int64_t lo, uint32_t of)
{
  if (f->iterations->written++ == FORMULA_ITERATIONS)
    return formula_fail(f, l->line, "tables tell the iterations of loop %s apart, and there are more than %d", l->name,
                        (int)FORMULA_ITERATIONS);
  to->iteration = mem_room(to->iteration, to->n, &to->room, sizeof *to->iteration);
  to->iteration[to->n++] = formula_iteration_at(l, r, lo, of);
  return true;
}

/* The iterations of the loop in one iteration of those around it, whose values the slots have. */
static bool write_iterations(formula *f, const schedule_loop *l, iteration_list *to, uint32_t of)
{
  iteration_range r;
  bool ok = formula_iteration_range(f, l, &r);
  uint64_t iterations = ok && r.lo < r.hi ? (length_from(&r, r.lo) - 1) / (uint64_t)r.by + 1 : 0;
  for (uint64_t i = 0; i < iterations && ok; i++)
    ok = formula_write_iteration(f, l, to, &r, (int64_t)((uint64_t)r.lo + i * (uint64_t)r.by), of);
  return ok;
}

static iteration_list *write_list(formula *f, const schedule_node *n)
{
  iteration_class *around = f->iterations->at;
  iteration_list *l = new_list(f->iterations, around, n->loop);
  const iteration_join *j = formula_join_of(f, n);
  bool ok = true;
  for (size_t i = 0; i < around->iterations && ok; i++) {
    formula_put_iteration(f->iterations, f->s, around->list, around->iteration[i]);
    ok = j ? formula_join_iterations(f, j, n, l, around->iteration[i])
           : write_iterations(f, &f->s->loop[n->loop], l, around->iteration[i]);
  }
  if (!ok)
    return NULL;
  close_list(f->iterations, l);
  around->inner = mem_room(around->inner, around->inners, &around->inner_room, sizeof *around->inner);
  return around->inner[around->inners++] = l;
}

static iteration_list *list_of(formula *f, const schedule_node *n)
{
  const iteration_class *around = f->iterations->at;
  for (size_t i = 0; i < around->inners; i++)
    if (around->inner[i]->loop == n->loop)
      return around->inner[i];
  return write_list(f, n);
}

/* ---- parting them ---- */

typedef struct { int64_t key; uint32_t iteration; } keyed;

static int by_key(const void *p, const void *q)
{
  const keyed *a = p, *b = q;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  return a->iteration < b->iteration ? -1 : a->iteration > b->iteration;
}

/* They are put in the order of what told them apart. */
static bool sort_iterations(formula *f, iteration_class *c, keyed *k)
{
  for (size_t i = 0; i < c->iterations; i++) {
    k[i].iteration = c->iteration[i];
    formula_put_iteration(f->iterations, f->s, c->list, c->iteration[i]);
    if (!formula_key_value(f, &f->iterations->by, &k[i].key))
      return false;
  }
  qsort(k, c->iterations, sizeof *k, by_key);
  for (size_t i = 0; i < c->iterations; i++)
    c->iteration[i] = k[i].iteration;
  return true;
}

static void add_part(formula_iterations *t, iteration_class *c, size_t from, size_t end)
{
  c->part = mem_room(c->part, c->parts, &c->part_room, sizeof *c->part);
  c->part[c->parts++] = new_class(t, c->list, c->iteration + from, end - from);
}

static bool part_class(formula *f, iteration_class *c)
{
  SCOPED_MEM keyed *k = MEM_NEW(keyed, c->iterations);
  bool ok = sort_iterations(f, c, k);
  for (size_t i = 1, from = 0; i <= c->iterations && ok; i++)
    if (i == c->iterations || k[i].key != k[i - 1].key) {
      add_part(f->iterations, c, from, i);
      from = i;
    }
  return ok;
}

/* ---- walking them ---- */

static bool walk_class(formula *f, const schedule_node *n, iteration_class *c, poly *sum)
{
  f->iterations->at = c;
  f->iterations->apart = NULL;
  if (f->iterations->walks++ == WALKS_MOST)
    return formula_fail(f, n->line, "the iterations of loop %s are of too many kinds", f->s->loop[n->loop].name);
  return formula_add(f, n->child[0], sum);
}

/* Sum up the body in the iterations of a class, or part it; false: neither. */
static bool add_class(formula *f, const schedule_node *n, iteration_class *c, poly *total)
{
  formula_said so_far = formula_so_far(f);
  poly sum = { 0 };
  bool ok = walk_class(f, n, c, &sum);
  if (ok)
    *total = poly_add(&f->world, *total, sum);
  else if ((ok = formula_are_apart(f) && part_class(f, c)))
    formula_unsay(f, so_far);
  return ok;
}

typedef struct { iteration_class **c; size_t n, room; } class_stack;

static void push(class_stack *s, iteration_class *c)
{
  s->c = mem_room(s->c, s->n, &s->room, sizeof *s->c);
  s->c[s->n++] = c;
}

static bool add_classes(formula *f, const schedule_node *n, iteration_class *all, poly *total)
{
  class_stack todo = { 0 };
  bool ok = true;
  push(&todo, all);
  while (todo.n > 0 && ok) {
    iteration_class *c = todo.c[--todo.n];
    ok = c->iterations == 0 || c->parts > 0 || add_class(f, n, c, total);
    for (size_t i = 0; i < c->parts; i++)
      push(&todo, c->part[i]);
  }
  mem_free(todo.c);
  return ok;
}

bool formula_add_listed(formula *f, const schedule_node *n, poly *total)
{
  formula_iterations *t = f->iterations;
  const schedule_loop *l = &f->s->loop[n->loop];
  iteration_class *around = t->at;
  if (l->snake)
    return formula_fail(f, n->line, "tables tell the iterations of loop %s apart, and it goes to and fro", l->name);
  iteration_list *iterations = list_of(f, n);
  bool ok = iterations && add_classes(f, n, iterations->all, total);
  t->at = around;
  t->apart = NULL;
  return ok;
}
