/* formula.c -- the I/O of a schedule as a formula in its parameters (docs/counting.md, "The formula").

   A loop is its first turn, its middle turns and its last one.  In each of the three the bounds of the loop variable are
   polynomials (the middle ones in the number of the turn), and every box loaded or stored has a volume that is a
   polynomial too.  Whether a box reaches outside its array, and which way a condition goes, is decided with the numbers at
   hand: where the answer is not the same for all turns of a kind there is no formula.  Adding up first + middle + last
   gives the count; the result is compared with the count before it is shown. */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/formula_poly.h"
#include "schedules/formula_span.h"
#include "schedules/schedule.h"
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* A loop variable in one kind of turn. */
typedef struct { poly lo, hi, len; bool first, last; } turn_kind;

typedef struct {
  const schedule *s;
  poly_world world;
  int64_t *slot;               /* the fixed slots */
  span *span;                  /* by slot */
  turn_kind *kind;             /* by loop */
  const expr **alias;          /* by fixed slot: what it stands for, or NULL: itself */
  text *reason;
} formula;

static bool fail(formula *f, int line, const char *format, ...)
{
  va_list args;
  char why[160];
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  if (f->reason->n == 0) {
    if (line)
      text_printf(f->reason, "line %d: ", line);
    text_add(f->reason, why);
  }
  return false;
}

/* ---- expressions ---- */

static bool to_poly(formula *f, const expr *e, poly *out);

static bool slot_poly(formula *f, const expr *e, poly *out)
{
  int first_loop = f->s->slot_param + f->s->params, i = e->slot - first_loop;
  if (i < 0) {
    if (f->alias[e->slot])
      return to_poly(f, f->alias[e->slot], out);
    poly_set_atom(out, poly_slot(&f->world, e->slot, e->name));
    return true;
  }
  const turn_kind *k = &f->kind[i / SCHEDULE_LOOP_SLOTS];
  switch (i % SCHEDULE_LOOP_SLOTS) {
  case SCHEDULE_LO: poly_copy(out, &k->lo); return true;
  case SCHEDULE_HI: poly_copy(out, &k->hi); return true;
  case SCHEDULE_LEN: poly_copy(out, &k->len); return true;
  case SCHEDULE_FIRST: poly_set(out, k->first); return true;
  default: poly_set(out, k->last); return true;
  }
}

static bool sum_poly(formula *f, const expr *e, poly *out)
{
  poly b = { 0 };
  bool ok = to_poly(f, e->arg[0], out) && to_poly(f, e->arg[1], &b);
  if (ok && e->op == EXPR_MUL)
    poly_multiply(&f->world, out, &b);
  else if (ok && e->op == EXPR_CEIL) {
    poly a = *out;
    *out = (poly){ 0 };
    poly_set_ceil(&f->world, out, &a, &b);
    poly_clear(&a);
  } else if (ok)
    poly_add(&f->world, out, &b, e->op == EXPR_ADD ? 1 : -1, 1);
  poly_clear(&b);
  return ok;
}

static bool to_poly(formula *f, const expr *e, poly *out)
{
  int first_loop = f->s->slot_param + f->s->params;
  expr_env env = { f->slot, f->s->g->table };
  int64_t v;
  switch (e->op) {
  case EXPR_CONST: poly_set(out, e->value); return true;
  case EXPR_SLOT: return slot_poly(f, e, out);
  case EXPR_NEG: {
    if (!to_poly(f, e->arg[0], out))
      return false;
    poly_add(&f->world, out, out, -2, 1);
    return true;
  }
  case EXPR_ADD: case EXPR_SUB: case EXPR_MUL: case EXPR_CEIL: return sum_poly(f, e, out);
  default: break;
  }
  if (expr_uses(e, first_loop, f->s->slots) || expr_eval(e, &env, &v, NULL) != EXPR_OK)
    return fail(f, e->line, "an expression bends with a loop variable");
  if (!expr_uses(e, 0, f->s->slots))
    poly_set(out, v);
  else
    poly_set_atom(out, poly_expression(&f->world, e));
  return true;
}

static bool spans(formula *f, const expr *e, span *out)
{
  span_env env = { f->span, f->s->g->table };
  return span_of(e, &env, out) || fail(f, e->line, "the values of an expression are not bounded");
}

/* ---- boxes ---- */

typedef struct { poly lo, hi; span lo_span, hi_span; } interval;

static void interval_clear(interval *x)
{
  poly_clear(&x->lo);
  poly_clear(&x->hi);
}

static bool bound(formula *f, const expr *e, poly *p, span *s)
{
  return to_poly(f, e, p) && spans(f, e, s);
}

/* Index r of a box as written, before clipping; `*` is left to the domain. */
static bool index_interval(formula *f, const schedule_index *x, interval *out)
{
  if (x->loop >= 0) {
    int slot = f->s->loop[x->loop].slot;
    poly_copy(&out->lo, &f->kind[x->loop].lo);
    poly_copy(&out->hi, &f->kind[x->loop].hi);
    out->lo_span = f->span[slot + SCHEDULE_LO];
    out->hi_span = f->span[slot + SCHEDULE_HI];
    return true;
  }
  if (!bound(f, x->lo, &out->lo, &out->lo_span))
    return false;
  if (x->kind == CDAG_RANGE)
    return bound(f, x->hi, &out->hi, &out->hi_span);
  poly one = { 0 };
  poly_set(&one, 1);
  poly_copy(&out->hi, &out->lo);
  poly_add(&f->world, &out->hi, &one, 1, 1);
  poly_clear(&one);
  return num_add(out->lo_span.least, 1, &out->hi_span.least) && num_add(out->lo_span.most, 1, &out->hi_span.most);
}

/* Bounds of a domain may read only the parameters: a triangular array is left to the count. */
static bool domain_interval(formula *f, const schedule_box *b, int r, interval *out)
{
  const cdag *g = f->s->g;
  const cdag_array *a = &g->array[b->array];
  const expr *lo = a->lo[r], *hi = a->hi[r];
  if (expr_uses(lo, g->params, g->params + a->rank) || expr_uses(hi, g->params, g->params + a->rank))
    return fail(f, b->line, "array %s is not rectangular", a->name);
  return bound(f, lo, &out->lo, &out->lo_span) && bound(f, hi, &out->hi, &out->hi_span);
}

typedef enum { INSIDE, CUT, EMPTY, UNCLEAR } clip;

static clip clip_low(const interval *x, const interval *domain)
{
  if (x->lo_span.least >= domain->lo_span.most)
    return INSIDE;
  if (x->hi_span.most <= domain->lo_span.least)
    return EMPTY;
  return x->lo_span.most <= domain->lo_span.least && x->hi_span.least > domain->lo_span.most ? CUT : UNCLEAR;
}

static clip clip_high(const interval *x, const interval *domain)
{
  if (x->hi_span.most <= domain->hi_span.least)
    return INSIDE;
  if (x->lo_span.least >= domain->hi_span.most)
    return EMPTY;
  return x->hi_span.least >= domain->hi_span.most && x->lo_span.most < domain->hi_span.least ? CUT : UNCLEAR;
}

/* The extent of index r of a box inside the array's domain, times *volume. */
static bool times_extent(formula *f, const schedule_box *b, int r, poly *volume)
{
  interval x = { 0 }, domain = { 0 };
  bool all = b->index[r].kind == CDAG_ALL, ok = domain_interval(f, b, r, &domain) && (all || index_interval(f, &b->index[r], &x));
  clip low = ok && !all ? clip_low(&x, &domain) : CUT, high = ok && !all ? clip_high(&x, &domain) : CUT;
  if (ok && (low == EMPTY || high == EMPTY)) {
    poly_set(volume, 0);
  } else if (ok && (low == UNCLEAR || high == UNCLEAR)) {
    ok = fail(f, b->line, "a box of %s leaves the array in some turns of a loop only", f->s->g->array[b->array].name);
  } else if (ok) {
    poly extent = { 0 };
    poly_copy(&extent, high == CUT ? &domain.hi : &x.hi);
    poly_add(&f->world, &extent, low == CUT ? &domain.lo : &x.lo, -1, 1);
    poly_multiply(&f->world, volume, &extent);
    poly_clear(&extent);
  }
  interval_clear(&x);
  interval_clear(&domain);
  return ok;
}

static bool add_move(formula *f, const schedule_node *n, poly *total)
{
  bool ok = true;
  if (n->move != PEBBLE_LOAD && n->move != PEBBLE_STORE)
    return true;
  for (int i = 0; i < n->boxes && ok; i++) {
    poly volume = { 0 };
    poly_set(&volume, 1);
    for (int r = 0; r < n->box[i].indices && ok; r++)
      ok = times_extent(f, &n->box[i], r, &volume);
    if (ok)
      poly_add(&f->world, total, &volume, 1, 1);
    poly_clear(&volume);
  }
  return ok;
}

/* ---- statements ---- */

static bool add_node(formula *f, const schedule_node *n, poly *total);

static bool add_if(formula *f, const schedule_node *n, poly *total)
{
  span s;
  if (!spans(f, n->condition, &s))
    return false;
  bool always = s.least > 0 || s.most < 0, never = s.least == 0 && s.most == 0;
  if (!always && !never)
    return fail(f, n->condition->line, "a condition goes both ways in turns of one kind");
  if (always)
    return add_node(f, n->child[0], total);
  return n->children < 2 || add_node(f, n->child[1], total);
}

/* What a loop runs over. */
typedef struct {
  interval range;
  poly by, length, turns;
  span by_span;
} loop_range;

static void range_clear(loop_range *r)
{
  interval_clear(&r->range);
  poly_clear(&r->by);
  poly_clear(&r->length);
  poly_clear(&r->turns);
}

static bool range_of(formula *f, const schedule_loop *l, loop_range *r)
{
  schedule_index x = { .kind = CDAG_RANGE, .loop = l->over_loop, .lo = l->lo, .hi = l->hi };
  expr zero = { .op = EXPR_CONST };
  x.lo = x.lo ? x.lo : &zero;
  poly_set(&r->by, 1);
  r->by_span = (span){ 1, 1 };
  if (!index_interval(f, &x, &r->range) || (l->by && !bound(f, l->by, &r->by, &r->by_span)))
    return false;
  poly_copy(&r->length, &r->range.hi);
  poly_add(&f->world, &r->length, &r->range.lo, -1, 1);
  poly_set_ceil(&f->world, &r->turns, &r->length, &r->by);
  return true;
}

static span at_least(int64_t least, int64_t most) { return (span){ num_min(least, most), most }; }

/* Set the loop's variable to its turns of one kind: which = 0 the first block of the range, 1 a middle one (the
   turn-th), 2 the last one, 3 the only one. */
static void set_kind(formula *f, int loop, const loop_range *r, int which)
{
  const schedule_loop *l = &f->s->loop[loop];
  turn_kind *k = &f->kind[loop];
  poly before = { 0 }, t = { 0 };
  bool ends = which >= 2;
  poly_set_atom(&before, poly_turn(&f->world, loop, l->name));
  if (which == 0 || which == 3)
    poly_set(&before, 0);
  if (which == 2) {
    poly_set(&t, 1);
    poly_copy(&before, &r->turns);
    poly_add(&f->world, &before, &t, -1, 1);
  }
  poly_multiply(&f->world, &before, &r->by);
  poly_copy(&k->lo, &r->range.lo);
  poly_add(&f->world, &k->lo, &before, 1, 1);
  poly_copy(&k->hi, ends ? &r->range.hi : &k->lo);
  if (!ends)
    poly_add(&f->world, &k->hi, &r->by, 1, 1);
  poly_copy(&k->len, &k->hi);
  poly_add(&f->world, &k->len, &k->lo, -1, 1);
  poly_clear(&before);
  poly_clear(&t);
  int64_t least = r->range.lo_span.least, most = r->range.hi_span.most, by = r->by_span.least;
  span *s = f->span + l->slot;
  s[SCHEDULE_LO] = which == 0 || which == 3 ? r->range.lo_span : at_least(least + by, most - 1);
  s[SCHEDULE_HI] = ends ? r->range.hi_span : at_least(which ? least + 2 * by : least + by, which ? most - 1 : most);
  s[SCHEDULE_LEN] = (span){ 1, r->by_span.most };
  if (which < 2)
    s[SCHEDULE_LEN].least = num_min(by, most - least);
}

static void set_ends(formula *f, int loop, bool first, bool last)
{
  span *s = f->span + f->s->loop[loop].slot;
  f->kind[loop].first = first;
  f->kind[loop].last = last;
  s[SCHEDULE_FIRST] = (span){ first, first };
  s[SCHEDULE_LAST] = (span){ last, last };
}

/* The body in the turns of one kind; backwards, the last block comes first. */
static bool body_in(formula *f, const schedule_node *n, const loop_range *r, int which, bool backwards, poly *out)
{
  set_kind(f, n->loop, r, which);
  set_ends(f, n->loop, which == 3 || which == (backwards ? 2 : 0), which == 3 || which == (backwards ? 0 : 2));
  return add_node(f, n->child[0], out);
}

/* first + sum over the middle turns + last */
static bool turns_poly(formula *f, const schedule_node *n, const loop_range *r, bool backwards, poly *out)
{
  poly part[3] = { { 0 } }, between = { 0 }, two = { 0 };
  bool ok = true;
  int64_t one;
  if (poly_constant(&r->turns, &one) && one == 1)
    return body_in(f, n, r, 3, backwards, out);
  for (int which = 0; which < 3 && ok; which++)
    ok = body_in(f, n, r, which, backwards, &part[which]);
  poly_set(&two, 2);
  poly_copy(&between, &r->turns);
  poly_add(&f->world, &between, &two, -1, 1);
  int turn = poly_turn(&f->world, n->loop, f->s->loop[n->loop].name);
  if (ok && !poly_sum(&f->world, &part[1], &part[1], turn, &between))
    ok = fail(f, n->line, "the turns of loop %s do not add up to a closed form", f->s->loop[n->loop].name);
  for (int which = 0; which < 3 && ok; which++)
    poly_add(&f->world, out, &part[which], 1, 1);
  for (int which = 0; which < 3; which++)
    poly_clear(&part[which]);
  poly_clear(&between);
  poly_clear(&two);
  return ok;
}

static bool add_turns(formula *f, const schedule_node *n, const loop_range *r, poly *total)
{
  const schedule_loop *l = &f->s->loop[n->loop];
  poly there = { 0 }, back = { 0 };
  bool ok = turns_poly(f, n, r, l->reversed, &there) && (!l->snake || turns_poly(f, n, r, !l->reversed, &back));
  if (ok && l->snake && !poly_equal(&there, &back))
    ok = fail(f, n->line, "loop %s counts differently to and fro", l->name);
  if (ok)
    poly_add(&f->world, total, &there, 1, 1);
  poly_clear(&there);
  poly_clear(&back);
  return ok;
}

static bool add_for(formula *f, const schedule_node *n, poly *total)
{
  loop_range r = { 0 };
  bool ok = range_of(f, &f->s->loop[n->loop], &r);
  bool block = f->s->loop[n->loop].over_loop >= 0; /* never empty */
  bool never = ok && !block && r.range.hi_span.most <= r.range.lo_span.least;
  bool always = ok && (block || r.range.hi_span.least > r.range.lo_span.most);
  if (ok && !never && !always)
    ok = fail(f, n->line, "loop %s has no turns in some turns of the loops around it", f->s->loop[n->loop].name);
  else if (ok && !never)
    ok = r.by_span.least >= 1 ? add_turns(f, n, &r, total) : fail(f, n->line, "a block size below 1");
  range_clear(&r);
  return ok;
}

/* Depth: at most SCHEDULE_DEPTH. */
static bool add_node(formula *f, const schedule_node *n, poly *total)
{
  bool ok = !f->world.failed || fail(f, n->line, "the formula grows too large");
  switch (n->kind) {
  case SCHEDULE_MOVE: return ok && add_move(f, n, total);
  case SCHEDULE_IF: return ok && add_if(f, n, total);
  case SCHEDULE_FOR: return ok && add_for(f, n, total);
  case SCHEDULE_BLOCK: break;
  }
  for (int i = 0; i < n->children && ok; i++)
    ok = add_node(f, n->child[i], total);
  return ok;
}

/* ---- parameters ---- */

/* A default that the reader had better see instead of the name: nk = n, acc = 0.  Not M, nor anything with a function. */
static bool plain(const expr *e, int slot_m)
{
  if (e->op == EXPR_SLOT)
    return e->slot != slot_m;
  return e->op == EXPR_CONST;
}

static void note_alias(formula *f, int slot, const expr *fallback, bool given)
{
  expr_env env = { f->slot, f->s->g->table };
  int64_t v;
  if (!given && fallback && plain(fallback, f->s->slot_m) && expr_eval(fallback, &env, &v, NULL) == EXPR_OK && v == f->slot[slot])
    f->alias[slot] = fallback;
}

static void formula_init(formula *f, const schedule *s, text *reason)
{
  const cdag *g = s->g;
  *f = (formula){ .s = s, .reason = reason };
  f->slot = MEM_NEW(int64_t, (size_t)s->slots);
  f->span = MEM_NEW(span, (size_t)s->slots);
  f->kind = MEM_NEW(turn_kind, (size_t)s->loops);
  f->alias = MEM_NEW(const expr *, (size_t)s->slots);
  schedule_fixed_slots(s, f->slot);
  for (int i = 0; i < s->slot_param + s->params; i++)
    f->span[i] = (span){ f->slot[i], f->slot[i] };
  for (int i = 0; i < g->params; i++) {
    poly_slot(&f->world, i, g->param[i].name); /* in this order in the text */
    note_alias(f, i, g->param[i].fallback, false);
  }
  for (int i = 0; i < s->params; i++) {
    poly_slot(&f->world, s->slot_param + i, s->param[i].name);
    note_alias(f, s->slot_param + i, s->param[i].fallback, s->param[i].given);
  }
}

static void formula_clear(formula *f)
{
  for (int i = 0; i < f->s->loops; i++) {
    poly_clear(&f->kind[i].lo);
    poly_clear(&f->kind[i].hi);
    poly_clear(&f->kind[i].len);
  }
  mem_free(f->slot);
  mem_free(f->span);
  mem_free(f->kind);
  mem_free(f->alias);
  poly_world_clear(&f->world);
}

/* Does the formula give the count here? */
static bool agrees(formula *f, const poly *total)
{
  schedule_counts c;
  diag d;
  pebble_rules rules = { .variant = PEBBLE_PLACING, .m = f->s->m };
  expr_env env = { f->slot, f->s->g->table };
  int64_t v;
  bool counted = schedule_count(f->s, &rules, &c, &d) == OK && c.countable;
  uint64_t io = c.loads + c.stores;
  if (!counted)
    fail(f, 0, "the schedule cannot be counted: %s", c.reason);
  schedule_counts_clear(&c);
  if (!counted)
    return false;
  if (!poly_value(&f->world, total, &env, &v) || (uint64_t)v != io)
    return fail(f, 0, "a loop has too few turns here for its general formula");
  return true;
}

bool schedule_formula(const schedule *s, bool latex, text *io, text *reason)
{
  formula f;
  poly total = { 0 };
  if (s->g->graph || schedule_unset(s) >= 0) {
    text_add(reason, s->g->graph ? "an explicit graph has no boxes to sum over" : "a parameter has no value");
    return false;
  }
  formula_init(&f, s, reason);
  bool ok = add_node(&f, s->body, &total) && (!f.world.failed || fail(&f, 0, "the formula grows too large")) && agrees(&f, &total);
  if (ok)
    poly_print(&f.world, &total, latex, io);
  poly_clear(&total);
  formula_clear(&f);
  return ok;
}
