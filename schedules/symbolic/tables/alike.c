/* schedules/symbolic/tables/alike.c -- what the text reads in iterations of listed loops that are at hand together
 * (schedules/symbolic/tables/iterations.h). */
#include "schedules/symbolic/tables/iterations.h"
#include "base/mem.h"
#include "base/num.h"

/* ---- one iteration ---- */

void formula_put_values(formula_iterations *t, const schedule_loop *l, const listed_iteration *at)
{
  int64_t *slot = t->slot + l->slot;
  slot[SCHEDULE_LO] = at->lo;
  slot[SCHEDULE_HI] = at->hi;
  slot[SCHEDULE_LEN] = at->hi - at->lo;
  slot[SCHEDULE_FIRST] = at->first;
  slot[SCHEDULE_LAST] = at->last;
}

void formula_put_iteration(formula_iterations *t, const schedule *s, const iteration_list *l, size_t i)
{
  for (; l->around; l = l->around->list) {
    formula_put_values(t, &s->loop[l->loop], &l->iteration[i]);
    i = l->iteration[i].of;
  }
}

static bool value_of(const formula *f, const expr *e, int64_t *v)
{
  expr_env env = { f->iterations->slot, f->s->g->table };
  return expr_eval(e, &env, v, NULL) == EXPR_OK;
}

/* The indices that bounds read are single values. */
static bool put_indices(const formula *f, const iteration_key *k)
{
  for (int r = 0; r < k->box->indices; r++)
    if (k->reads >> r & 1 && !value_of(f, k->box->index[r].lo, &f->iterations->index_slot[f->s->g->params + r]))
      return false;
  return true;
}

static bool bound_of(const formula *f, const expr *e, int64_t *v)
{
  expr_env env = { f->iterations->index_slot, f->s->g->table };
  return expr_eval(e, &env, v, NULL) == EXPR_OK;
}

static bool written(const formula *f, const schedule_index *x, int64_t *lo, int64_t *hi)
{
  if (x->loop >= 0) {
    const int64_t *slot = f->iterations->slot + f->s->loop[x->loop].slot;
    *lo = slot[SCHEDULE_LO];
    *hi = slot[SCHEDULE_HI];
    return true;
  }
  if (!value_of(f, x->lo, lo))
    return false;
  return x->kind == CDAG_RANGE ? value_of(f, x->hi, hi) : num_add(*lo, 1, hi);
}

static bool inside(const formula *f, const iteration_key *k, int64_t *lo, int64_t *hi)
{
  const cdag_array *a = &f->s->g->array[k->box->array];
  int64_t from, to;
  if (!written(f, &k->box->index[k->r], lo, hi) || !bound_of(f, a->lo[k->r], &from) || !bound_of(f, a->hi[k->r], &to))
    return false;
  *lo = num_max(*lo, from);
  *hi = num_max(*lo, num_min(*hi, to));
  return true;
}

bool formula_key_value(formula *f, const iteration_key *k, int64_t *value)
{
  int64_t lo, hi;
  if (k->kind == KEY_VALUE)
    return value_of(f, k->e, value);
  if (!put_indices(f, k))
    return false;
  if (k->kind == KEY_BOUND)
    return bound_of(f, k->e, value);
  if (!inside(f, k, &lo, &hi))
    return false;
  *value = k->kind == KEY_EXTENT ? hi - lo : lo;
  return true;
}

/* ---- all of them ---- */

static bool same_key(const iteration_key *a, const iteration_key *b)
{
  return a->kind == b->kind && a->e == b->e && a->box == b->box && a->r == b->r;
}

static unsigned indices_in(const formula *f, const schedule_box *b, const expr *bound)
{
  return expr_slots(bound, f->s->g->params, b->indices);
}

iteration_key formula_box_key(const formula *f, key_kind kind, const schedule_box *b, int r, const expr *bound)
{
  const cdag_array *a = &f->s->g->array[b->array];
  unsigned reads = bound ? indices_in(f, b, bound) : indices_in(f, b, a->lo[r]) | indices_in(f, b, a->hi[r]);
  return (iteration_key){ kind, bound, b, r, reads };
}

static bool reads_index(const formula *f, const schedule_index *x, int loop)
{
  int slot = f->s->loop[loop].slot;
  return x->loop >= 0 ? x->loop == loop
                      : (x->lo && expr_uses(x->lo, slot, slot + SCHEDULE_LOOP_SLOTS)) ||
                            (x->hi && expr_uses(x->hi, slot, slot + SCHEDULE_LOOP_SLOTS));
}

/* Does what is asked read the variable of the loop? */
static bool reads_loop(const formula *f, const iteration_key *k, int loop)
{
  int slot = f->s->loop[loop].slot;
  bool reads = k->kind == KEY_VALUE && expr_uses(k->e, slot, slot + SCHEDULE_LOOP_SLOTS);
  for (int r = 0; k->box && r < k->box->indices && !reads; r++)
    reads = (k->reads >> r & 1 || (k->kind != KEY_BOUND && r == k->r)) && reads_index(f, &k->box->index[r], loop);
  return reads;
}

static bool look(formula *f, const iteration_class *c, const iteration_key *k, int line, span *out)
{
  for (size_t i = 0; i < c->iterations; i++) {
    int64_t v;
    formula_put_iteration(f->iterations, f->s, c->list, c->iteration[i]);
    if (!formula_key_value(f, k, &v))
      return formula_fail(f, line, "an expression has no value in some iterations");
    *out = i ? (span){ num_min(out->least, v), num_max(out->most, v) } : (span){ v, v };
  }
  return true;
}

static const iteration_answer *find_answer(const iteration_class *c, const iteration_key *k)
{
  for (size_t i = 0; i < c->answers; i++)
    if (same_key(&c->answer[i].key, k))
      return &c->answer[i];
  return NULL;
}

static void keep_answer(iteration_class *c, const iteration_key *k, const span *values)
{
  c->answer = mem_room(c->answer, c->answers, &c->answer_room, sizeof *c->answer);
  c->answer[c->answers++] = (iteration_answer){ *k, *values };
}

/* What does not read a loop's variable is the same in its iterations if it is so in those around them. */
static bool same_around(formula *f, iteration_class *c, const iteration_key *k, int line, span *out)
{
  iteration_class *from = c;
  while (from->list->around && !reads_loop(f, k, from->list->loop))
    from = from->list->around;
  if (from == c)
    return false;
  const iteration_answer *known = find_answer(from, k);
  bool ok = known || look(f, from, k, line, out);
  if (known)
    *out = known->values;
  else if (ok)
    keep_answer(from, k, out);
  return ok && out->least == out->most;
}

bool formula_over_iterations(formula *f, const iteration_key *k, int line, span *out)
{
  iteration_class *c = f->iterations->at;
  const iteration_answer *known = find_answer(c, k);
  if (known) {
    *out = known->values;
    return true;
  }
  size_t said = f->reason->n;
  if (!same_around(f, c, k, line, out)) {
    formula_forget(f->reason, said);
    if (!look(f, c, k, line, out))
      return false;
  }
  keep_answer(c, k, out);
  return true;
}

bool formula_tell_apart(formula *f, const iteration_key *k, int line)
{
  f->iterations->by = *k;
  f->iterations->apart = f->iterations->at;
  return formula_fail(f, line, "what tables say changes from iteration to iteration");
}

/* ---- expressions ---- */

static bool is_listed_slot(const formula *f, int slot)
{
  int first_loop = f->s->slot_param + f->s->params;
  return slot < first_loop ? f->number[slot] : f->iterations->listed[(slot - first_loop) / SCHEDULE_LOOP_SLOTS];
}

bool formula_is_listed(const formula *f, const expr *e)
{
  if (e->op == EXPR_SLOT)
    return is_listed_slot(f, e->slot);
  for (int i = 0; i < e->nargs; i++)
    if (!formula_is_listed(f, e->arg[i]))
      return false;
  return true;
}

static bool values_of(formula *f, const expr *e, span *out)
{
  formula_grant_tables(f, e);
  return formula_over_iterations(f, &(iteration_key){ .kind = KEY_VALUE, .e = e }, e->line, out);
}

bool formula_listed_poly(formula *f, const expr *e, poly *out)
{
  span s;
  if (!values_of(f, e, &s))
    return false;
  if (s.least == s.most)
    *out = poly_number(&f->world, s.least);
  else
    *out = poly_variable(&f->world, poly_expression(&f->world, e));
  return true;
}

/* Slots beyond the schedule's, for parts that have several values. */
typedef struct { span *span; size_t n, room; } more_slots;

static bool new_slot(formula *f, more_slots *more, const span *s, expr **with)
{
  more->span = mem_room(more->span, more->n, &more->room, sizeof *more->span);
  *with = expr_slot(f->s->slots + (int)more->n, "");
  more->span[more->n++] = *s;
  return true;
}

/* Put numbers for listed parts of e into its copy; where a part has several values a new slot, or, when more is NULL,
 * say so.  Depth: an expression's. */
static bool replace(formula *f, const expr *e, expr **copy, more_slots *more)
{
  span s;
  bool ok = true;
  if (e->op == EXPR_CONST)
    return true;
  if (!formula_is_listed(f, e)) {
    for (int i = 0; i < e->nargs && ok; i++)
      ok = replace(f, e->arg[i], &(*copy)->arg[i], more);
    return ok;
  }
  if (!values_of(f, e, &s))
    return false;
  if (s.least != s.most && !more)
    return formula_tell_apart(f, &(iteration_key){ .kind = KEY_VALUE, .e = e }, e->line);
  expr_free(*copy);
  if (s.least != s.most)
    return new_slot(f, more, &s, copy);
  *copy = expr_const(s.least);
  return true;
}

const expr *formula_with_numbers(formula *f, const expr *e)
{
  formula_iterations *t = f->iterations;
  expr *copy = expr_copy(e);
  if (!replace(f, e, &copy, NULL)) {
    expr_free(copy);
    return NULL;
  }
  t->own = mem_room(t->own, t->owns, &t->own_room, sizeof *t->own);
  t->own[t->owns++] = copy;
  return copy;
}

void formula_tell_condition(formula *f, const expr *e)
{
  expr *copy = expr_copy(e);
  replace(f, e, &copy, NULL);
  expr_free(copy);
}

static bool span_with(const formula *f, const expr *e, const more_slots *more, span *out)
{
  int n = f->s->slots;
  SCOPED_MEM span *slot = MEM_NEW(span, (size_t)n + more->n);
  span_env env = { slot, f->s->g->table, false };
  for (int i = 0; i < n; i++)
    slot[i] = f->span[i];
  for (size_t i = 0; i < more->n; i++)
    slot[(size_t)n + i] = more->span[i];
  return span_of(e, &env, out);
}

bool formula_listed_span(formula *f, const expr *e, span *out)
{
  more_slots more = { 0 };
  expr *copy = expr_copy(e);
  bool ok = replace(f, e, &copy, &more) && span_with(f, copy, &more, out);
  expr_free(copy);
  mem_free(more.span);
  return ok;
}

/* Something whose values differ stands for the variable of a listed loop, or is made from one. */
static const expr *several(const formula *f, poly p)
{
  int first_loop = f->s->slot_param + f->s->params;
  for (int i = 0; i < f->world.n; i++) {
    const poly_atom *a = &f->world.atom[i];
    if (a->kind == ATOM_EXPR && expr_uses(a->e, first_loop, f->s->slots) && poly_uses(&f->world, p, i))
      return a->e;
  }
  return NULL;
}

bool formula_same_in_all(formula *f, poly p, int line)
{
  const expr *e = several(f, p);
  return !e || formula_tell_apart(f, &(iteration_key){ .kind = KEY_VALUE, .e = e }, line);
}

/* ---- indices of boxes ---- */

static bool is_single(const formula *f, const schedule_index *x)
{
  return x->kind == CDAG_AT && x->loop < 0 && formula_is_listed(f, x->lo);
}

bool formula_listed_bound(const formula *f, const schedule_box *b, const expr *e)
{
  int params = f->s->g->params;
  for (int p = 0; p < params; p++)
    if (!f->number[p] && expr_uses(e, p, p + 1))
      return false;
  for (int r = 0; r < b->indices; r++)
    if (expr_uses(e, params + r, params + r + 1) && !is_single(f, &b->index[r]))
      return false;
  return true;
}

bool formula_listed_index(const formula *f, const schedule_box *b, int r)
{
  const schedule_index *x = &b->index[r];
  const cdag_array *a = &f->s->g->array[b->array];
  bool listed = x->loop >= 0 ? f->iterations->listed[x->loop]
                             : x->kind != CDAG_ALL && formula_is_listed(f, x->lo) &&
                                   (x->kind == CDAG_AT || formula_is_listed(f, x->hi));
  return listed && formula_listed_bound(f, b, a->lo[r]) && formula_listed_bound(f, b, a->hi[r]);
}

static void grant_index(formula *f, const schedule_box *b, int r)
{
  const expr *read[] = { b->index[r].lo, b->index[r].hi, f->s->g->array[b->array].lo[r],
                         f->s->g->array[b->array].hi[r] };
  for (int i = 0; i < 4; i++)
    if (read[i])
      formula_grant_tables(f, read[i]);
}

/* lo(G), hi(G) or len(G) of a listed loop. */
static const expr *slot_of(formula *f, int loop, int which)
{
  formula_iterations *t = f->iterations;
  t->own = mem_room(t->own, t->owns, &t->own_room, sizeof *t->own);
  return t->own[t->owns++] = expr_slot(f->s->loop[loop].slot + which, f->s->loop[loop].name);
}

/* That its block is as long in all iterations is more often so than that it begins, or ends, at the same place. */
bool formula_listed_range(formula *f, int loop, interval *out)
{
  poly length = { 0 };
  span lengths;
  bool ok = formula_bound(f, slot_of(f, loop, SCHEDULE_LO), &out->lo, &out->lo_span) &&
            formula_bound(f, slot_of(f, loop, SCHEDULE_LEN), &length, &lengths) &&
            formula_bound(f, slot_of(f, loop, SCHEDULE_HI), &out->hi, &out->hi_span);
  out->least = out->lo;
  out->hi = poly_add(&f->world, out->lo, length);
  return ok;
}

/* Where an index begins, as it is written. */
static const expr *beginning(formula *f, const schedule_index *x)
{
  return x->loop < 0 ? x->lo : slot_of(f, x->loop, SCHEDULE_LO);
}

/* A beginning that is not the same in all iterations stands for itself, unless the array begins later in some. */
static bool set_beginning(formula *f, const schedule_box *b, int r, const iteration_key *least, interval *out)
{
  const expr *lo = beginning(f, &b->index[r]), *bound = f->s->g->array[b->array].lo[r];
  iteration_key begins = formula_box_key(f, KEY_BOUND, b, r, bound);
  span written, from;
  if (out->lo_span.least == out->lo_span.most) {
    out->lo = poly_number(&f->world, out->lo_span.least);
    return true;
  }
  if (!formula_bound(f, lo, &out->lo, &written) || !formula_over_iterations(f, &begins, b->line, &from))
    return false;
  return written.least >= from.most || formula_tell_apart(f, least, b->line);
}

bool formula_listed_interval(formula *f, const schedule_box *b, int r, interval *out, bool *empty)
{
  iteration_key extent = formula_box_key(f, KEY_EXTENT, b, r, NULL), least = formula_box_key(f, KEY_LEAST, b, r, NULL);
  span n;
  grant_index(f, b, r);
  if (!formula_over_iterations(f, &extent, b->line, &n) || !formula_over_iterations(f, &least, b->line, &out->lo_span))
    return false;
  if (n.least != n.most)
    return formula_tell_apart(f, &extent, b->line);
  *empty = n.least == 0;
  if (*empty)
    return true;
  bool ok = set_beginning(f, b, r, &least, out);
  out->hi_span = (span){ out->lo_span.least + n.least, out->lo_span.most + n.least };
  out->least = out->lo;
  out->hi = poly_shift(&f->world, out->lo, n.least);
  return ok;
}
