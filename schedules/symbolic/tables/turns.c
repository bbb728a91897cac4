/* schedules/symbolic/tables/turns.c -- the turns of a listed loop, parted into those that are alike (schedules/symbolic/tables/turns.h).

   They are taken for alike at first.  The walk over the body stops at what differs between them, as the number of columns of a block does in a ragged
   mask; they are parted by what differs, and each part is walked for itself. */
#include "schedules/symbolic/tables/turns.h"
#include "base/mem.h"
#include <stdlib.h>

enum { WALKS_MOST = 1 << 14 };

int64_t formula_alike(const formula *f) { return (int64_t)f->turns->at->turns; }
bool formula_are_apart(const formula *f) { return f->turns->apart == f->turns->at; }

/* ---- lists and classes ---- */

static turn_class *new_class(formula_turns *t, turn_list *l, uint32_t *turn, size_t turns)
{
  turn_class *c = MEM_NEW(turn_class, 1);
  *c = (turn_class){ .list = l, .turn = turn, .turns = turns };
  t->class = mem_room(t->class, t->classes, &t->class_room, sizeof *t->class);
  return t->class[t->classes++] = c;
}

static turn_list *new_list(formula_turns *t, turn_class *around, int loop)
{
  turn_list *l = MEM_NEW(turn_list, 1);
  *l = (turn_list){ .loop = loop, .around = around };
  t->list = mem_room(t->list, t->lists, &t->list_room, sizeof *t->list);
  return t->list[t->lists++] = l;
}

/* It has all its turns. */
static void close_list(formula_turns *t, turn_list *l)
{
  l->order = MEM_NEW(uint32_t, l->n);
  for (size_t i = 0; i < l->n; i++)
    l->order[i] = (uint32_t)i;
  l->all = new_class(t, l, l->order, l->n);
}

void formula_turns_begin(formula_turns *t)
{
  turn_list *l = new_list(t, NULL, -1);
  l->n = 1;
  close_list(t, l);
  t->at = l->all;
}

void formula_turns_free(formula_turns *t)
{
  if (!t)
    return;
  for (size_t i = 0; i < t->lists; i++) {
    mem_free(t->list[i]->turn);
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

/* ---- writing turns down ---- */

static bool evaluate(formula *f, const expr *e, int64_t fallback, int64_t *v)
{
  expr_env env = { f->turns->slot, f->s->g->table };
  *v = fallback;
  if (!e)
    return true;
  formula_grant_tables(f, e);
  return expr_eval(e, &env, v, NULL) == EXPR_OK || formula_fail(f, e->line, "an expression has no value in some turns");
}

bool formula_turn_range(formula *f, const schedule_loop *l, turn_range *r)
{
  const int64_t *over = l->over_loop >= 0 ? f->turns->slot + f->s->loop[l->over_loop].slot : NULL;
  bool ok = evaluate(f, l->lo, over ? over[SCHEDULE_LO] : 0, &r->lo) && evaluate(f, l->hi, over ? over[SCHEDULE_HI] : 0, &r->hi) && evaluate(f, l->by, 1, &r->by);
  return ok && (r->by >= 1 || r->lo >= r->hi || formula_fail(f, l->line, "a block size below 1"));
}

/* How many values there are from lo on. */
static uint64_t length_from(const turn_range *r, int64_t lo) { return (uint64_t)r->hi - (uint64_t)lo; }

listed_turn formula_turn_at(const schedule_loop *l, const turn_range *r, int64_t lo, uint32_t of)
{
  int64_t hi = length_from(r, lo) <= (uint64_t)r->by ? r->hi : lo + r->by;
  bool least = lo == r->lo, most = hi == r->hi;
  return (listed_turn){ lo, hi, of, l->reversed ? most : least, l->reversed ? least : most };
}

bool formula_write_turn(formula *f, const schedule_loop *l, turn_list *to, const turn_range *r, int64_t lo, uint32_t of)
{
  if (f->turns->written++ == FORMULA_TURNS)
    return formula_fail(f, l->line, "tables tell the turns of loop %s apart, and there are more than %d", l->name, (int)FORMULA_TURNS);
  to->turn = mem_room(to->turn, to->n, &to->room, sizeof *to->turn);
  to->turn[to->n++] = formula_turn_at(l, r, lo, of);
  return true;
}

/* The turns of the loop in one turn of those around it, whose values the slots have. */
static bool write_turns(formula *f, const schedule_loop *l, turn_list *to, uint32_t of)
{
  turn_range r;
  bool ok = formula_turn_range(f, l, &r);
  uint64_t turns = ok && r.lo < r.hi ? (length_from(&r, r.lo) - 1) / (uint64_t)r.by + 1 : 0;
  for (uint64_t i = 0; i < turns && ok; i++)
    ok = formula_write_turn(f, l, to, &r, (int64_t)((uint64_t)r.lo + i * (uint64_t)r.by), of);
  return ok;
}

static turn_list *write_list(formula *f, const schedule_node *n)
{
  turn_class *around = f->turns->at;
  turn_list *l = new_list(f->turns, around, n->loop);
  const turn_join *j = formula_join_of(f, n);
  bool ok = true;
  for (size_t i = 0; i < around->turns && ok; i++) {
    formula_put_turn(f->turns, f->s, around->list, around->turn[i]);
    ok = j ? formula_join_turns(f, j, n, l, around->turn[i]) : write_turns(f, &f->s->loop[n->loop], l, around->turn[i]);
  }
  if (!ok)
    return NULL;
  close_list(f->turns, l);
  around->inner = mem_room(around->inner, around->inners, &around->inner_room, sizeof *around->inner);
  return around->inner[around->inners++] = l;
}

static turn_list *list_of(formula *f, const schedule_node *n)
{
  const turn_class *around = f->turns->at;
  for (size_t i = 0; i < around->inners; i++)
    if (around->inner[i]->loop == n->loop)
      return around->inner[i];
  return write_list(f, n);
}

/* ---- parting them ---- */

typedef struct { int64_t key; uint32_t turn; } keyed;

static int by_key(const void *p, const void *q)
{
  const keyed *a = p, *b = q;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  return a->turn < b->turn ? -1 : a->turn > b->turn;
}

/* They are put in the order of what told them apart. */
static bool sort_turns(formula *f, turn_class *c, keyed *k)
{
  for (size_t i = 0; i < c->turns; i++) {
    k[i].turn = c->turn[i];
    formula_put_turn(f->turns, f->s, c->list, c->turn[i]);
    if (!formula_key_value(f, &f->turns->by, &k[i].key))
      return false;
  }
  qsort(k, c->turns, sizeof *k, by_key);
  for (size_t i = 0; i < c->turns; i++)
    c->turn[i] = k[i].turn;
  return true;
}

static void add_part(formula_turns *t, turn_class *c, size_t from, size_t end)
{
  c->part = mem_room(c->part, c->parts, &c->part_room, sizeof *c->part);
  c->part[c->parts++] = new_class(t, c->list, c->turn + from, end - from);
}

static bool part_class(formula *f, turn_class *c)
{
  keyed *k = MEM_NEW(keyed, c->turns);
  bool ok = sort_turns(f, c, k);
  for (size_t i = 1, from = 0; i <= c->turns && ok; i++)
    if (i == c->turns || k[i].key != k[i - 1].key) {
      add_part(f->turns, c, from, i);
      from = i;
    }
  mem_free(k);
  return ok;
}

/* ---- walking them ---- */

static bool walk_class(formula *f, const schedule_node *n, turn_class *c, poly *sum)
{
  f->turns->at = c;
  f->turns->apart = NULL;
  if (f->turns->walks++ == WALKS_MOST)
    return formula_fail(f, n->line, "the turns of loop %s are of too many kinds", f->s->loop[n->loop].name);
  return formula_add(f, n->child[0], sum);
}

/* Sum up the body in the turns of a class, or part it; false: neither. */
static bool add_class(formula *f, const schedule_node *n, turn_class *c, poly *total)
{
  formula_said so_far = formula_so_far(f);
  poly sum = { 0 };
  bool ok = walk_class(f, n, c, &sum);
  if (ok)
    poly_add(&f->world, total, &sum, 1, 1);
  else if ((ok = formula_are_apart(f) && part_class(f, c)))
    formula_unsay(f, so_far);
  poly_clear(&sum);
  return ok;
}

typedef struct { turn_class **c; size_t n, room; } class_stack;

static void push(class_stack *s, turn_class *c)
{
  s->c = mem_room(s->c, s->n, &s->room, sizeof *s->c);
  s->c[s->n++] = c;
}

static bool add_classes(formula *f, const schedule_node *n, turn_class *all, poly *total)
{
  class_stack todo = { 0 };
  bool ok = true;
  push(&todo, all);
  while (todo.n > 0 && ok) {
    turn_class *c = todo.c[--todo.n];
    ok = c->turns == 0 || c->parts > 0 || add_class(f, n, c, total);
    for (size_t i = 0; i < c->parts; i++)
      push(&todo, c->part[i]);
  }
  mem_free(todo.c);
  return ok;
}

bool formula_add_listed(formula *f, const schedule_node *n, poly *total)
{
  formula_turns *t = f->turns;
  const schedule_loop *l = &f->s->loop[n->loop];
  turn_class *around = t->at;
  if (l->snake)
    return formula_fail(f, n->line, "tables tell the turns of loop %s apart, and it goes to and fro", l->name);
  turn_list *turns = list_of(f, n);
  bool ok = turns && add_classes(f, n, turns->all, total);
  t->at = around;
  t->apart = NULL;
  return ok;
}
