/* formula_turns.c -- the turns of a listed loop, parted into those that are alike (formula_turns.h).

   They are taken for alike at first.  The walk over the body stops at what differs between them, as the number of columns of a block does in a ragged
   mask; they are parted by what differs, and each part is walked for itself. */
#include "schedules/formula_turns.h"
#include "base/mem.h"
#include "base/num.h"
#include <stdlib.h>

enum { TURNS_MOST = 1 << 22, WALKS_MOST = 1 << 14 };

static turn_level *innermost(const formula *f) { return &f->turns->level[f->turns->depth]; }

int64_t formula_alike(const formula *f) { return (int64_t)innermost(f)->alike; }
bool formula_are_apart(const formula *f) { return f->turns->apart_at == f->turns->depth; }

/* ---- writing turns down ---- */

typedef struct { int64_t lo, hi, by; } turn_range;

static bool evaluate(formula *f, const expr *e, int64_t fallback, int64_t *v)
{
  expr_env env = { f->turns->slot, f->s->g->table };
  *v = fallback;
  if (!e)
    return true;
  formula_grant_tables(f, e);
  return expr_eval(e, &env, v, NULL) == EXPR_OK || formula_fail(f, e->line, "an expression has no value in some turns");
}

static bool range_of(formula *f, const schedule_loop *l, turn_range *r)
{
  const int64_t *over = l->over_loop >= 0 ? f->turns->slot + f->s->loop[l->over_loop].slot : NULL;
  bool ok = evaluate(f, l->lo, over ? over[SCHEDULE_LO] : 0, &r->lo) && evaluate(f, l->hi, over ? over[SCHEDULE_HI] : 0, &r->hi) && evaluate(f, l->by, 1, &r->by);
  return ok && (r->by >= 1 || r->lo >= r->hi || formula_fail(f, l->line, "a block size below 1"));
}

static void write_turn(turn_level *to, const turn_range *r, int64_t lo, uint32_t of, bool reversed)
{
  int64_t hi = r->hi - lo <= r->by ? r->hi : lo + r->by;
  bool least = lo == r->lo, most = hi == r->hi;
  to->turn = mem_room(to->turn, to->n, &to->room, sizeof *to->turn);
  to->turn[to->n++] = (listed_turn){ lo, hi, of, reversed ? most : least, reversed ? least : most };
}

/* The turns of the loop in one turn of those around it, whose values the slots have. */
static bool write_turns(formula *f, const schedule_loop *l, turn_level *to, uint32_t of)
{
  turn_range r;
  int64_t length, turns;
  if (!range_of(f, l, &r))
    return false;
  if (r.hi <= r.lo)
    return true;
  if (!num_sub(r.hi, r.lo, &length) || (turns = (length - 1) / r.by + 1) > TURNS_MOST - (int64_t)to->n)
    return formula_fail(f, l->line, "tables tell the turns of loop %s apart, and it has more than %d", l->name, (int)TURNS_MOST);
  for (int64_t i = 0; i < turns; i++)
    write_turn(to, &r, r.lo + i * r.by, of, l->reversed);
  return true;
}

static bool write_level(formula *f, const schedule_loop *l, const turn_level *around, turn_level *to)
{
  for (size_t i = 0; i < around->alike; i++) {
    uint32_t of = around->order[around->from + i];
    formula_put_turn(f->turns, f->s, of);
    if (!write_turns(f, l, to, of))
      return false;
  }
  to->order = mem_grow(to->order, to->n + 1, sizeof *to->order);
  for (size_t i = 0; i < to->n; i++)
    to->order[i] = (uint32_t)i;
  return true;
}

/* ---- parting them ---- */

typedef struct { int64_t key; uint32_t turn; } keyed;
typedef struct { size_t from, n; } part;
typedef struct { part *p; size_t n, room; } part_list;

static void part_add(part_list *l, size_t from, size_t n)
{
  l->p = mem_room(l->p, l->n, &l->room, sizeof *l->p);
  l->p[l->n++] = (part){ from, n };
}

static int by_key(const void *p, const void *q)
{
  const keyed *a = p, *b = q;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  return a->turn < b->turn ? -1 : a->turn > b->turn;
}

/* Those at hand are put in the order of what told them apart. */
static bool sort_turns(formula *f, keyed *k)
{
  turn_level *l = innermost(f);
  for (size_t i = 0; i < l->alike; i++) {
    k[i].turn = l->order[l->from + i];
    formula_put_turn(f->turns, f->s, k[i].turn);
    if (!formula_key_value(f, &f->turns->apart, &k[i].key))
      return false;
  }
  qsort(k, l->alike, sizeof *k, by_key);
  for (size_t i = 0; i < l->alike; i++)
    l->order[l->from + i] = k[i].turn;
  return true;
}

static bool part_turns(formula *f, part_list *parts)
{
  turn_level *l = innermost(f);
  keyed *k = MEM_NEW(keyed, l->alike);
  bool ok = sort_turns(f, k);
  for (size_t i = 0, from = 0; i < l->alike && ok; i++)
    if (i + 1 == l->alike || k[i + 1].key != k[i].key) {
      part_add(parts, l->from + from, i + 1 - from);
      from = i + 1;
    }
  mem_free(k);
  return ok;
}

static bool walk_part(formula *f, const schedule_node *n, const part *p, poly *sum)
{
  turn_level *l = innermost(f);
  l->from = p->from;
  l->alike = p->n;
  l->answers = 0;
  f->turns->apart_at = 0;
  if (f->turns->walks++ == WALKS_MOST)
    return formula_fail(f, n->line, "the turns of loop %s are of too many kinds", f->s->loop[n->loop].name);
  return formula_add(f, n->child[0], sum);
}

/* Sum up the turns of the innermost level. */
static bool add_parts(formula *f, const schedule_node *n, poly *total)
{
  part_list parts = { 0 };
  bool ok = true;
  if (innermost(f)->n > 0)
    part_add(&parts, 0, innermost(f)->n);
  while (ok && parts.n > 0) {
    part p = parts.p[--parts.n];
    size_t said = f->reason->n, granted = f->holds ? f->holds->n : 0;
    poly sum = { 0 };
    if (walk_part(f, n, &p, &sum)) {
      poly_add(&f->world, total, &sum, 1, 1);
    } else if ((ok = formula_are_apart(f) && part_turns(f, &parts))) {
      formula_forget(f->reason, said);
      formula_forget(f->holds, granted);
    }
    poly_clear(&sum);
  }
  mem_free(parts.p);
  return ok;
}

static void level_begin(turn_level *l, int loop)
{
  l->loop = loop;
  l->n = l->from = l->alike = l->answers = 0;
}

bool formula_add_listed(formula *f, const schedule_node *n, poly *total)
{
  formula_turns *t = f->turns;
  const schedule_loop *l = &f->s->loop[n->loop];
  turn_level *inner = &t->level[t->depth + 1];
  if (l->snake)
    return formula_fail(f, n->line, "tables tell the turns of loop %s apart, and it goes to and fro", l->name);
  level_begin(inner, n->loop);
  bool ok = write_level(f, l, innermost(f), inner);
  t->depth++;
  ok = ok && add_parts(f, n, total);
  t->depth--;
  t->apart_at = 0;
  return ok;
}
