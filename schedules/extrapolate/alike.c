/* schedules/extrapolate/alike.c -- see schedules/extrapolate/alike.h.

   Let I be the variable of the loop.  Elements of arrays with a rule must be named with I, alone, for their first
   index, in the text and in rules.  Other expressions may read I through tables only, t[I], t[I,e] and u[t[I,e]]: where
   two rows of these hold the same numbers, all such expressions have the same values in both iterations.  An index of
   an input may also be

     c I + e              then elements of the one iteration are those of the other, shifted;
     c t[I,x] + e         with 0 <= e < c: those in the x-th block of the one iteration are those in the x-th of the
   other.  No two x may have one block.

   So what is gathered is a list of readings: whether iterations are alike is asked of the tables, row by row. */
#include "schedules/extrapolate/alike.h"
#include "base/mem.h"
#include "base/num.h"
#include "schedules/sign/span.h"

/* ENTRY t[I];  ROW t[I,x], from <= x < to;  THROUGH u[t[I,x]];  BLOCKS c t[I,x] + 0..c of an index lo <= y < hi;  SHIFT
 * c I + from..to of such an index. */
typedef enum { ENTRY, ROW, THROUGH, BLOCKS, SHIFT } reading_kind;
typedef struct { reading_kind kind; int table, through; int64_t from, to, step, lo, hi; } reading;

/* How an index of an input is named: not yet, as it is, or by a reading of kind BLOCKS or SHIFT. */
typedef struct { enum { UNNAMED, AS_IT_IS, MOVED } how; reading_kind kind; int table; int64_t step; } naming;

typedef struct {
  const schedule *s;
  const cdag *g;
  int own, own_end; /* slots of I where the expression at hand stands: I's loop, or the first variable of a rule */
  span *span, *text_span, *rule_span; /* by slot: where the expression stands, in the text, in a rule */
  bool *known, *text_known, *rule_known;
  reading *reading;
  size_t n, room;
  naming *input;               /* by input array and index */
  bool *reached;               /* by array: named in the body, or read by such an array's rule */
} alike_walk;

/* ---- readings ---- */

static bool is_own(const alike_walk *w, const expr *e) { return e->op == EXPR_SLOT && e->slot == w->own; }
static bool reads_own(const alike_walk *w, const expr *e) { return expr_uses(e, w->own, w->own_end); }

static bool same_reading(const reading *a, const reading *b)
{
  return a->kind == b->kind && a->table == b->table && a->through == b->through && a->from == b->from &&
         a->to == b->to && a->step == b->step && a->lo == b->lo && a->hi == b->hi;
}

static void add_reading(alike_walk *w, reading r)
{
  for (size_t i = 0; i < w->n; i++)
    if (same_reading(&w->reading[i], &r))
      return;
  w->reading = mem_room(w->reading, w->n, &w->room, sizeof *w->reading);
  w->reading[w->n++] = r;
}

/* Of a table read through another all entries: to look for those that can be meant takes longer. */
static bool span_here(const alike_walk *w, const expr *e, span *out)
{
  if (e->op == EXPR_TABLE && e->nargs == 1)
    return span_of_table(&w->g->table[e->slot], out);
  span_env env = { w->span, w->g->table, true };
  int slots = w->span == w->text_span ? w->s->slots : w->g->params + CDAG_RANK;
  for (int i = 0; i < slots; i++)
    if (!w->known[i] && expr_uses(e, i, i + 1))
      return false;
  return span_of(e, &env, out);
}

static bool same_value(alike_walk *w, const expr *e);

/* t[I,x]: for which x?  What lies outside the table lies outside in every row. */
static bool columns_read(alike_walk *w, const expr *e, int64_t *from, int64_t *to)
{
  span at;
  if (e->op != EXPR_TABLE || e->nargs != 2 || !is_own(w, e->arg[0]) || !same_value(w, e->arg[1]) ||
      !span_here(w, e->arg[1], &at))
    return false;
  *from = num_max(at.least, 0);
  *to = num_min(at.most, w->g->table[e->slot].extent[1] - 1) + 1;
  return true;
}

static bool same_entry(alike_walk *w, const expr *e)
{
  reading r = { .kind = e->nargs == 1 ? ENTRY : ROW, .table = e->slot };
  if (e->nargs == 2 && !columns_read(w, e, &r.from, &r.to))
    return false;
  add_reading(w, r);
  return e->nargs <= 2;
}

static bool same_entry_through(alike_walk *w, const expr *e)
{
  reading r = { .kind = THROUGH, .table = e->arg[0]->slot, .through = e->slot };
  if (!columns_read(w, e->arg[0], &r.from, &r.to))
    return false;
  add_reading(w, r);
  return true;
}

static bool is_through(const alike_walk *w, const expr *e)
{
  return e->op == EXPR_TABLE && e->nargs == 1 && e->arg[0]->op == EXPR_TABLE && e->arg[0]->nargs == 2 &&
         is_own(w, e->arg[0]->arg[0]);
}

/* Has e the same value in iterations whose readings agree, other variables being the same?  Depth: an expression's. */
static bool same_value(alike_walk *w, const expr *e)
{
  if (!e || !reads_own(w, e))
    return true;
  if (e->op == EXPR_TABLE && is_own(w, e->arg[0]))
    return same_entry(w, e);
  if (is_through(w, e))
    return same_entry_through(w, e);
  bool all = e->op != EXPR_SLOT;
  for (int i = 0; i < e->nargs; i++)
    all = all && same_value(w, e->arg[i]);
  return all;
}

/* ---- inputs ---- */

/* A number of the computation. */
static bool is_fixed(const alike_walk *w, const expr *e, int64_t *v)
{
  expr_env env = { w->g->param_value, w->g->table };
  return !expr_uses(e, w->g->params, INT32_MAX) && !expr_uses_table(e) && expr_eval(e, &env, v, NULL) == EXPR_OK;
}

/* I or t[I,x], times a number: *of is the former, *step the latter. */
static bool is_base(const alike_walk *w, const expr *e, const expr **of, int64_t *step)
{
  *of = e;
  *step = 1;
  for (int i = 0; i < 2 && e->op == EXPR_MUL; i++)
    if (is_fixed(w, e->arg[i], step))
      *of = e->arg[1 - i];
  return *step > 0 && (is_own(w, *of) || ((*of)->op == EXPR_TABLE && (*of)->nargs == 2 && is_own(w, (*of)->arg[0])));
}

/* e = base + rest, where rest, if there is one, is the same in both iterations. */
static bool part_base(const alike_walk *w, const expr *e, const expr **of, int64_t *step, const expr **rest)
{
  *rest = NULL;
  if (is_base(w, e, of, step))
    return true;
  for (int i = 0; i < 2 && e->op == EXPR_ADD; i++) {
    *rest = e->arg[1 - i];
    if (is_base(w, e->arg[i], of, step))
      return true;
  }
  return false;
}

/* All names of one index of an input must go from iteration to iteration in one way. */
static bool agree(naming *all, naming one)
{
  if (all->how == UNNAMED)
    *all = one;
  return all->how == one.how &&
         (one.how == AS_IT_IS || (all->kind == one.kind && all->step == one.step && all->table == one.table));
}

/* Index r of input a is e, or ends there (end: 1). */
static bool same_place(alike_walk *w, int a, int r, const expr *e, int end)
{
  const cdag_box *hull = &w->g->array[a].hull;
  const expr *of, *rest;
  span at = { 0, 0 };
  reading x = { .table = -1, .lo = hull->lo[r], .hi = hull->hi[r] };
  naming *all = &w->input[a * CDAG_RANK + r];
  if (!part_base(w, e, &of, &x.step, &rest))
    return same_value(w, e) && agree(all, (naming){ .how = AS_IT_IS });
  if (rest && (!same_value(w, rest) || !span_here(w, rest, &at)))
    return false;
  if (is_own(w, of)) {
    x.kind = SHIFT;
    x.from = at.least;
    x.to = at.most + 1 - end;
  } else if (at.least < 0 || at.most > x.step - 1 + end || !columns_read(w, of, &x.from, &x.to)) {
    return false;
  } else {
    x.kind = BLOCKS;
    x.table = of->slot;
    x.from = 0; /* whatever others read, all are compared with each other */
  }
  add_reading(w, x);
  return agree(all, (naming){ MOVED, x.kind, x.table, x.step });
}

/* A range from one base to the same. */
static bool same_range(alike_walk *w, int a, int r, const expr *lo, const expr *hi)
{
  const expr *from, *to, *rest;
  int64_t step, other;
  bool first = part_base(w, lo, &from, &step, &rest), second = part_base(w, hi, &to, &other, &rest);
  return first == second && (!first || (step == other && expr_equal(from, to))) && same_place(w, a, r, lo, 1) &&
         same_place(w, a, r, hi, 1);
}

static bool same_index_of_input(alike_walk *w, int a, int r, cdag_index_kind kind, const expr *lo, const expr *hi)
{
  if (kind == CDAG_ALL)
    return agree(&w->input[a * CDAG_RANK + r], (naming){ .how = AS_IT_IS });
  return kind == CDAG_AT ? same_place(w, a, r, lo, 0) : same_range(w, a, r, lo, hi);
}

/* ---- names of elements ---- */

static bool is_input(const alike_walk *w, int a) { return w->g->array[a].terms == 0; }

static bool same_index(alike_walk *w, int a, int r, cdag_index_kind kind, const expr *lo, const expr *hi)
{
  if (is_input(w, a))
    return same_index_of_input(w, a, r, kind, lo, hi);
  if (r == 0)
    return kind == CDAG_AT && is_own(w, lo);
  return kind == CDAG_ALL || (same_value(w, lo) && (kind == CDAG_AT || same_value(w, hi)));
}

static bool same_box(alike_walk *w, const schedule_box *b)
{
  bool all = true;
  w->reached[b->array] = true;
  for (int i = 0; i < b->indices && all; i++) {
    const schedule_index *x = &b->index[i];
    if (x->loop < 0)
      all = same_index(w, b->array, i, x->kind, x->lo, x->hi);
    else if (is_input(w, b->array)) /* all of a loop inside */
      all = agree(&w->input[b->array * CDAG_RANK + i], (naming){ .how = AS_IT_IS });
    else
      all = i > 0;
  }
  return all;
}

static bool same_term(alike_walk *w, const cdag_term *t)
{
  bool all = true;
  w->reached[t->array] = true;
  for (int r = 0; r < w->g->array[t->array].rank && all; r++)
    all = same_index(w, t->array, r, t->index[r].kind, t->index[r].lo, t->index[r].hi);
  return all;
}

/* ---- rules ---- */

static void set_span(alike_walk *w, int slot, int64_t least, int64_t most)
{
  w->span[slot] = (span){ least, num_max(least, most) };
  w->known[slot] = true;
}

/* The bounds of an array with a rule, below its first index, which is I; and its terms. */
static bool same_rule(alike_walk *w, int a)
{
  const cdag_array *of = &w->g->array[a];
  int var = w->own;
  bool all = true;
  add_reading(w, (reading){ .kind = SHIFT, .step = 1, .to = 1, .lo = of->hull.lo[0], .hi = of->hull.hi[0] });
  for (int r = 1; r < of->rank && all; r++) {
    span lo, hi;
    all = same_value(w, of->lo[r]) && same_value(w, of->hi[r]);
    w->known[var + r] = all && span_here(w, of->lo[r], &lo) && span_here(w, of->hi[r], &hi);
    if (w->known[var + r])
      set_span(w, var + r, lo.least, hi.most - 1);
  }
  for (int t = 0; t < of->terms && all; t++)
    all = same_term(w, &of->term[t]);
  return all;
}

/* Of all arrays reached, which rules may make more. */
static bool same_rules(alike_walk *w)
{
  bool *seen = MEM_NEW(bool, (size_t)w->g->arrays), all = true, more = true;
  w->span = w->rule_span;
  w->known = w->rule_known;
  w->own = w->g->params;
  w->own_end = w->own + 1;
  while (more && all) {
    more = false;
    for (int a = 0; a < w->g->arrays && all; a++) {
      bool fresh = w->reached[a] && !seen[a];
      seen[a] |= fresh;
      more |= fresh;
      all = !fresh || (is_input(w, a) ? w->g->array[a].rectangular : same_rule(w, a));
    }
  }
  mem_free(seen);
  return all;
}

/* ---- the text ---- */

/* The values of a loop inside; loops stand in the order of the text. */
static void span_loop(alike_walk *w, const schedule_loop *l)
{
  span lo = { 0, 0 }, hi;
  const schedule_loop *over = l->over_loop >= 0 ? &w->s->loop[l->over_loop] : NULL;
  if (over && w->known[over->slot]) {
    lo = w->span[over->slot + SCHEDULE_LO];
    hi = w->span[over->slot + SCHEDULE_HI];
  } else if (over || (l->lo && !span_here(w, l->lo, &lo)) || !span_here(w, l->hi, &hi)) {
    return;
  }
  set_span(w, l->slot + SCHEDULE_LO, lo.least, hi.most - 1);
  set_span(w, l->slot + SCHEDULE_HI, lo.least + 1, hi.most);
}

/* Depth: SCHEDULE_DEPTH. */
static bool same_node(alike_walk *w, const schedule_node *n)
{
  bool all = same_value(w, n->condition);
  if (n->kind == SCHEDULE_FOR) {
    const schedule_loop *l = &w->s->loop[n->loop];
    all = !l->snake && same_value(w, l->lo) && same_value(w, l->hi) && same_value(w, l->by);
    span_loop(w, l);
  }
  for (int i = 0; i < n->boxes && all; i++)
    all = same_box(w, &n->box[i]);
  for (int i = 0; i < n->drops && all; i++)
    all = same_box(w, &n->drop[i]);
  for (int i = 0; i < n->children && all; i++)
    all = same_node(w, n->child[i]);
  return all;
}

/* Does anything take blue pebbles off an input?  Depth: SCHEDULE_DEPTH. */
static bool erases_input(const alike_walk *w, const schedule_node *n)
{
  bool any = false;
  for (int i = 0; i < n->boxes && n->kind == SCHEDULE_MOVE && n->move == PEBBLE_ERASE; i++)
    any |= is_input(w, n->box[i].array);
  for (int i = 0; i < n->children && !any; i++)
    any = erases_input(w, n->child[i]);
  return any;
}

static void span_parameters(alike_walk *w)
{
  for (int i = 0; i < w->g->params; i++) {
    int64_t v = w->g->param_value[i];
    w->text_span[i] = w->rule_span[i] = (span){ v, v };
    w->text_known[i] = w->rule_known[i] = true;
  }
}

static bool gather(alike_walk *w, const schedule_node *n, int64_t first, int64_t last)
{
  const schedule_loop *l = &w->s->loop[n->loop];
  if (l->blocked || l->reversed || l->snake || l->over_loop >= 0 || w->g->graph || erases_input(w, w->s->body))
    return false;
  span_parameters(w);
  w->rule_span[w->g->params] = w->text_span[l->slot + SCHEDULE_LO] = (span){ first, last };
  w->rule_known[w->g->params] = w->text_known[l->slot + SCHEDULE_LO] = true;
  w->span = w->text_span;
  w->known = w->text_known;
  w->own = l->slot + SCHEDULE_LO;
  w->own_end = l->slot + SCHEDULE_LOOP_SLOTS;
  return same_node(w, n->child[0]) && same_rules(w);
}

/* ---- are two iterations alike? ---- */

static bool same_through(const expr_table *u, int64_t x, int64_t y)
{
  bool some = x >= 0 && x < u->extent[0], other = y >= 0 && y < u->extent[0];
  return some == other && (!some || expr_entry(u, x) == expr_entry(u, y));
}

/* Both inside the index's bounds, as are those between. */
static bool shift_inside(const reading *r, int64_t v)
{
  int64_t lo, hi;
  return num_mul(r->step, v, &lo) && num_add(lo, r->to, &hi) && num_add(lo, r->from, &lo) && lo >= r->lo && hi <= r->hi;
}

/* Rows of the table begin at these entries.  A block a is inside when r->lo <= step a and step a + step <= r->hi. */
static bool blocks_agree(const reading *r, const expr_table *t, int64_t before, int64_t now)
{
  int64_t last[2] = { INT64_MIN, INT64_MIN }, first = -num_floor_div(-r->lo, r->step),
          end = num_floor_div(r->hi, r->step);
  for (int64_t x = r->from; x < r->to; x++) {
    int64_t a = expr_entry(t, before + x), b = expr_entry(t, now + x);
    bool inside[2] = { a >= first && a < end, b >= first && b < end };
    if ((inside[0] && a <= last[0]) || (inside[1] && b <= last[1]) || (a != b && !(inside[0] && inside[1])))
      return false;
    last[0] = inside[0] ? a : last[0];
    last[1] = inside[1] ? b : last[1];
  }
  return true;
}

static bool rows_agree(const cdag *g, const reading *r, const expr_table *t, int64_t before, int64_t now)
{
  bool all = true;
  for (int64_t x = r->from; x < r->to && all; x++) {
    int64_t a = expr_entry(t, before + x), b = expr_entry(t, now + x);
    all = a == b || (r->kind == THROUGH && same_through(&g->table[r->through], a, b));
  }
  return all;
}

/* Of iterations v - 1 and v. */
static bool agrees(const cdag *g, const reading *r, int64_t v)
{
  if (r->kind == SHIFT)
    return shift_inside(r, v - 1) && shift_inside(r, v);
  const expr_table *t = &g->table[r->table];
  if (v < 1 || v >= t->extent[0])
    return false;
  if (r->kind == ENTRY)
    return expr_entry(t, v - 1) == expr_entry(t, v);
  int64_t before = (v - 1) * t->extent[1], now = v * t->extent[1];
  return r->kind == BLOCKS ? blocks_agree(r, t, before, now) : rows_agree(g, r, t, before, now);
}

static bool iterations_agree(const alike_walk *w, int64_t v)
{
  bool all = true;
  for (size_t i = 0; i < w->n && all; i++)
    all = agrees(w->g, &w->reading[i], v);
  return all;
}

static void find_same(const alike_walk *w, forward_alike *out)
{
  out->same = MEM_NEW(bool, out->iterations);
  out->copied = MEM_NEW(bool, out->iterations);
  out->slices = MEM_NEW(bool, (size_t)w->g->arrays);
  for (uint64_t i = 1; i < out->iterations; i++)
    out->same[i] = iterations_agree(w, out->first + (int64_t)i);
  for (int a = 0; a < w->g->arrays; a++)
    out->slices[a] = w->reached[a] && !is_input(w, a);
}

enum { ITERATIONS_MOST = 1 << 24 };   /* tables have no more rows */

void schedule_forward_alike(const schedule *s, const schedule_node *n, int64_t first, uint64_t iterations,
                            forward_alike *out)
{
  size_t rule_slots = (size_t)s->g->params + CDAG_RANK;
  alike_walk w = { .s = s,
                   .g = s->g,
                   .text_span = MEM_NEW(span, (size_t)s->slots),
                   .text_known = MEM_NEW(bool, (size_t)s->slots),
                   .rule_span = MEM_NEW(span, rule_slots),
                   .rule_known = MEM_NEW(bool, rule_slots),
                   .reached = MEM_NEW(bool, (size_t)s->g->arrays),
                   .input = MEM_NEW(naming, (size_t)s->g->arrays * CDAG_RANK) };
  *out = (forward_alike){ .first = first, .iterations = iterations };
  out->able = iterations > 1 && iterations <= ITERATIONS_MOST && s->g->tables &&
              gather(&w, n, first, first + (int64_t)iterations - 1);
  if (out->able)
    find_same(&w, out);
  mem_free(w.text_span);
  mem_free(w.text_known);
  mem_free(w.rule_span);
  mem_free(w.rule_known);
  mem_free(w.reached);
  mem_free(w.input);
  mem_free(w.reading);
}

void schedule_forward_alike_clear(forward_alike *a)
{
  mem_free(a->same);
  mem_free(a->copied);
  mem_free(a->slices);
  *a = (forward_alike){ 0 };
}
