/* Reduction statements: arrays whose elements form chains, and what a step of a chain reads.

   Two kinds of facts are collected.  Which element a term names (injectivity, on the hull of the domain) does not
   depend on where the step is.  Whether it exists at every step is decided on the domain itself, piece by piece when
   its bounds or the indices come from tables. */
#include "base/mem.h"
#include "base/num.h"
#include "bounds/recognise/shape_internal.h"
#include <inttypes.h>
#include <string.h>

bool bound_boxes_meet(int array_a, const cdag_box *a, int array_b, const cdag_box *b, int rank)
{
  if (array_a != array_b)
    return false;
  for (int r = 0; r < rank; r++)
    if (a->hi[r] <= b->lo[r] || b->hi[r] <= a->lo[r])
      return false;
  return true;
}

static void identity(affine *form)
{
  for (int r = 0; r < CDAG_RANK; r++)
    form[r] = affine_slot(r);
}

/* ---- which element a term names ---- */

typedef struct {
  const cdag *g;
  int array;
  const cdag_index *index;
  unsigned pinned, reads;
  shape_spread spread;
} tabled;

static bool tabled_piece(void *context, const int64_t *x)
{
  tabled *s = context;
  affine_domain d;
  affine form[CDAG_RANK], f;
  int64_t lo, hi;
  for (int r = 0; r < CDAG_RANK; r++)
    form[r] = s->pinned >> r & 1 ? affine_const(x[r]) : affine_slot(r);
  if (!affine_domain_of(s->g, s->array, s->pinned, x, &d) || !affine_of_expr(s->g, s->index->lo, form, d.rank, &f) ||
      !affine_min(&d, &f, &lo) || !affine_max(&d, &f, &hi) || !shape_tells(&d, &f, s->reads, s->pinned))
    return false;
  shape_spread_add(&s->spread, x, lo, hi);
  return !s->spread.bad;
}

/* An index that reads a table: with the loops in `given` held, do different pieces give different values? */
static bool spreads(const cdag *g, int array, const cdag_index *index, unsigned reads, unsigned pinned, unsigned given)
{
  tabled s = { .g = g, .array = array, .index = index, .pinned = pinned, .reads = reads, .spread = { .given = given } };
  bool all = shape_spread_ordered(pinned, given) && shape_each_setting(g, array, pinned, tabled_piece, &s);
  return shape_spread_end(&s.spread) && all;
}

/* The loops an element of the term is told from, and those that must be held for that; false if neither is known.
   `keys` are the loops that may be held. */
static bool names(const cdag *g, int array, const cdag_term *t, unsigned keys, unsigned *loops, unsigned *given)
{
  const cdag_array *a = &g->array[array];
  int rank = g->array[t->array].rank, n = 0;
  affine form[CDAG_RANK], index[CDAG_RANK];
  affine_domain hull;
  unsigned loops_read = 0;
  const cdag_index *table = NULL;
  identity(form);
  shape_hull_domain(g, array, &hull);
  *loops = *given = 0;
  for (int r = 0; r < rank; r++) {
    if (t->index[r].kind != CDAG_AT)
      return false;
    if (affine_of_expr(g, t->index[r].lo, form, a->rank, &index[n])) {
      *loops |= affine_slots(&index[n++]);
      continue;
    }
    if (table)
      return false;
    table = &t->index[r];
    loops_read = expr_slots(table->lo, g->params, a->rank);
  }
  if (!affine_injective(&hull, index, n, *loops) || (loops_read & *loops))
    return false;
  *loops |= loops_read;
  if (!table)
    return true;
  unsigned pinned = shape_pinned(g, array, true) & shape_close(g, array, loops_read);
  *given = pinned & keys & loops_read;
  return spreads(g, array, table, loops_read, shape_close(g, array, pinned), *given);
}

bool shape_tells_within(const cdag *g, int array, const cdag_term *t, unsigned within)
{
  unsigned loops, given;
  return names(g, array, t, within, &loops, &given);
}

static void index_box(const cdag *g, int array, const cdag_term *t, cdag_box *box)
{
  affine form[CDAG_RANK], f;
  affine_domain hull;
  identity(form);
  shape_hull_domain(g, array, &hull);
  *box = g->array[t->array].hull;
  for (int r = 0; r < g->array[t->array].rank; r++) {
    int64_t lo, hi;
    if (t->index[r].kind == CDAG_AT && affine_of_expr(g, t->index[r].lo, form, g->array[array].rank, &f) &&
        affine_min(&hull, &f, &lo) && affine_max(&hull, &f, &hi)) {
      box->lo[r] = num_max(lo, box->lo[r]);
      box->hi[r] = num_min(hi + 1, box->hi[r]);
    }
  }
}

void bound_loop_text(const cdag *g, int array, int loop, int64_t extent, text *out)
{
  const cdag_array *a = &g->array[array];
  const expr *hi = a->hi[loop];
  bool whole = a->lo[loop]->op == EXPR_CONST && a->lo[loop]->value == 0 &&
               !(loop > 0 && expr_uses(hi, g->params, g->params + loop));
  if (whole && (hi->op == EXPR_SLOT || hi->op == EXPR_CONST))
    expr_print(out, hi);
  else
    text_printf(out, "%" PRId64, extent);
}

static int64_t loop_extent(const cdag *g, int array, int r)
{
  affine_domain d;
  int64_t n = g->array[array].hull.hi[r] - g->array[array].hull.lo[r], least;
  if (affine_domain_of(g, array, 0, NULL, &d)) {
    affine length = d.hi[r];
    if (affine_add(&length, &d.lo[r], -1) && affine_max(&d, &length, &least))
      n = num_min(n, least);
  }
  return num_max(n, 0);
}

/* Values of loop r: the hull's when its range speaks of a loop that is not among `loops`, for a window that slides
 * meets more values than it has. */
static uint64_t values_of(const cdag *g, const bound_statement *s, unsigned loops, int r)
{
  const cdag_array *a = &g->array[s->array];
  for (int q = 0; q < r; q++)
    if (!(loops >> q & 1) && (expr_uses(a->lo[r], g->params + q, g->params + q + 1) ||
                              expr_uses(a->hi[r], g->params + q, g->params + q + 1)))
      return (uint64_t)(a->hull.hi[r] - a->hull.lo[r]);
  return (uint64_t)s->extent[r];
}

static uint64_t settings_of(const cdag *g, const bound_statement *s, unsigned loops, uint64_t most)
{
  uint64_t n = 1;
  for (int r = 0; r < s->rank; r++)
    if (loops >> r & 1 && __builtin_mul_overflow(n, values_of(g, s, loops, r), &n))
      return most;
  return n < most ? n : most;
}

/* ---- what exists, piece by piece ---- */

typedef struct {
  const cdag *g;
  bound_statement *s;
  unsigned pinned;
  const shape_chain *chain;
  bool first;
  shape_spread (*spread)[BOUND_LEAVES];  /* for each operand and leaf */
  shape_spots *spots;                    /* for each operand */
} piecewise;

/* The domain with the chain at its start: where a seed must be. */
static void at_first(affine_domain *d, const shape_chain *c)
{
  unsigned chain = shape_chain_loops(c);
  for (int r = 0; r < d->rank; r++)
    if (chain >> r & 1 && r != c->outer && c->direction[r] > 0) {
      d->lo[r] = d->hi[r];
      d->lo[r].base -= 1;
    } else if (chain >> r & 1) {
      d->hi[r] = d->lo[r];
      d->hi[r].base += 1;
    }
}

static void widen(cdag_box *box, const cdag_box *by, int rank)
{
  for (int r = 0; r < rank; r++) {
    box->lo[r] = num_min(box->lo[r], by->lo[r]);
    box->hi[r] = num_max(box->hi[r], by->hi[r]);
  }
}

/* Every piece must show the same leaves. */
static bool merge_leaves(piecewise *p, bound_operand *o, shape_spread *spread, const shape_leaf *found, int n,
                         const int64_t *x)
{
  if (!p->first && n != o->leaves)
    return false;
  for (int i = 0; i < n; i++) {
    const bound_leaf *f = &found[i].leaf;
    bound_leaf *known = &o->leaf[i];
    if (p->first)
      *known = *f, spread[i].given = f->given;
    else if (known->array != f->array || known->loops != f->loops || known->width != f->width ||
             known->given != f->given)
      return false;
    widen(&known->box, &f->box, p->g->array[f->array].rank);
    if (found[i].tabled)
      shape_spread_add(&spread[i], x, found[i].lo, found[i].hi);
  }
  o->leaves = n;
  return n > 0;
}

static void look_at_operand(piecewise *p, const shape_piece *piece, int i, const int64_t *x)
{
  bound_operand *o = &p->s->operand[i];
  const cdag_term *t = &p->g->array[p->s->array].term[o->term];
  affine index[CDAG_RANK];
  affine_domain start = piece->d;
  shape_leaf leaf[BOUND_LEAVES];
  bool known = shape_index_forms(p->g, t, p->g->array[o->array].rank, piece->form, p->s->rank, index);
  at_first(&start, p->chain);
  o->always = o->always && known && shape_exists(p->g, o->array, index, &piece->d);
  if (o->term == p->s->seed && !(known && shape_exists(p->g, o->array, index, &start)))
    p->s->seed = -1;
  if (o->input || !(p->first || o->leaves > 0))
    return;
  if (!o->always || !merge_leaves(p, o, p->spread[i], leaf, shape_tree(piece, o, leaf, &p->spots[i]), x))
    o->leaves = 0;
}

static bool look_at_piece(void *context, const int64_t *x)
{
  piecewise *p = context;
  bound_statement *s = p->s;
  shape_piece piece = { .g = p->g, .statement = s->array, .pinned = p->pinned,
                        .keys = ((1u << s->rank) - 1) & ~s->chain };
  if (!affine_domain_of(p->g, s->array, p->pinned, x, &piece.d))
    return false;
  for (int r = 0; r < CDAG_RANK; r++)
    piece.form[r] = p->pinned >> r & 1 ? affine_const(x[r]) : affine_slot(r);
  for (int i = 0; i < s->operands; i++)
    look_at_operand(p, &piece, i, x);
  p->first = false;
  return true;
}

/* Existence and trees, on the whole domain. */
static bool look_everywhere(const cdag *g, bound_statement *s)
{
  shape_chain c;
  shape_chain_find(g, s->array, &c);
  piecewise p = { g,
                  s,
                  shape_pinned(g, s->array, true),
                  &c,
                  true,
                  mem_new(BOUND_OPERANDS, sizeof *p.spread),
                  MEM_NEW(shape_spots, BOUND_OPERANDS) };
  bool good = shape_each_setting(g, s->array, p.pinned, look_at_piece, &p);
  for (int i = 0; i < BOUND_OPERANDS; i++)
    for (int k = 0; k < BOUND_LEAVES; k++)
      if (!shape_spread_end(&p.spread[i][k]) && i < s->operands)
        s->operand[i].leaves = 0;
  mem_free(p.spread);
  mem_free(p.spots);
  return good;
}

/* ---- the statement ---- */

static bool chain_of(const cdag *g, int array, bound_statement *s)
{
  shape_chain c;
  shape_chain_find(g, array, &c);
  s->chain = shape_chain_loops(&c);
  return c.terms == (c.outer >= 0 ? 2 : 1) && c.terms == __builtin_popcount(s->chain) && shape_straight(g, array, &c);
}

static bool uses_a_loop(const cdag *g, int array, const expr *e, int n)
{
  return n > 0 && !affine_is_box(g, array) && expr_uses(e, g->params, g->params + n);
}

/* Chains: the elements at the first (last) value of the chain's loops when that is the same for all; else an upper
 * estimate. */
static uint64_t count_chains(const cdag *g, const bound_statement *s)
{
  const cdag_array *a = &g->array[s->array];
  cdag_box first = a->hull, last = a->hull;
  bool same_first = true, same_last = __builtin_popcount(s->chain) == 1;
  for (int r = 0; r < s->rank; r++)
    if (s->chain >> r & 1) {
      first.hi[r] = first.lo[r] + 1;
      last.lo[r] = last.hi[r] - 1;
      same_first = same_first && !uses_a_loop(g, s->array, a->lo[r], r);
      same_last = same_last && !uses_a_loop(g, s->array, a->hi[r], r);
    }
  if (same_first)
    return cdag_box_count(g, s->array, &first);
  if (same_last)
    return cdag_box_count(g, s->array, &last);
  return settings_of(g, s, ((1u << s->rank) - 1) & ~s->chain, s->steps);
}

static void add_operand(const cdag *g, int array, int term, bound_statement *s)
{
  const cdag_term *t = &g->array[array].term[term];
  const cdag_array *b = &g->array[t->array];
  unsigned keys = ((1u << s->rank) - 1) & ~s->chain;
  bound_operand o = { .term = term, .array = t->array, .input = b->terms == 0, .always = true };
  if (t->array == array || s->operands == BOUND_OPERANDS || !names(g, array, t, keys, &o.loops, &o.given))
    return;
  o.words = settings_of(g, s, o.loops, b->count);
  index_box(g, array, t, &o.box);
  s->operand[s->operands++] = o;
}

/* A seed is there when a chain starts, only then, and is that chain's own. */
static void choose_seed(bound_statement *s)
{
  unsigned keys = ((1u << s->rank) - 1) & ~s->chain;
  s->seed = -1;
  for (int i = 0; i < s->operands; i++) {
    const bound_operand *o = &s->operand[i];
    bool apart = true;
    for (int k = 0; k < s->operands; k++)
      apart = apart && (k == i || s->operand[k].array != o->array);
    if (o->input && !o->given && (o->loops & keys) == keys && apart)
      s->seed = o->term;
  }
}

/* What the steps read, with the chain known. */
static bool read_steps(const cdag *g, bound_statement *s)
{
  const cdag_array *a = &g->array[s->array];
  for (int r = 0; r < a->rank; r++)
    s->extent[r] = loop_extent(g, s->array, r);
  for (int t = 0; t < a->terms; t++)
    add_operand(g, s->array, t, s);
  choose_seed(s);
  return look_everywhere(g, s);
}

static void drop_needless_seed(bound_statement *s)
{
  for (int i = 0; i < s->operands; i++)
    if (s->operand[i].term == s->seed && s->operand[i].always)
      s->seed = -1; /* an operand of every step */
}

static bool find_statement(const cdag *g, const bound_live *l, int array, bound_statement *s)
{
  const cdag_array *a = &g->array[array];
  *s = (bound_statement){ .array = array, .rank = a->rank, .steps = a->count, .seed = -1 };
  if (g->graph || a->terms == 0 || a->declared_input || a->count == 0 || !l->whole[array] || !chain_of(g, array, s) ||
      !read_steps(g, s))
    return false;
  s->chains = count_chains(g, s);
  drop_needless_seed(s);
  return true;
}

bool bound_statement_relisted(const cdag *g, int chain_term, const bound_statement *listed, bound_statement *s)
{
  const cdag_array *a = &g->array[listed->array];
  unsigned told = 0;
  *s = (bound_statement){ .array = listed->array, .rank = a->rank, .steps = a->count, .seed = -1 };
  for (int r = 0; r < g->array[a->term[chain_term].array].rank; r++)
    told |= expr_slots(a->term[chain_term].index[r].lo, g->params, a->rank);
  s->chain = ((1u << a->rank) - 1) & ~told;
  s->chains = listed->chains;
  if (listed->seed >= 0 || !read_steps(g, s))
    return false;
  drop_needless_seed(s);
  return s->seed < 0;
}

/* Nearly every theorem asks for the same statements, and of a mask each has many pieces to look at. */
struct bound_seen {
  enum { NOT_ASKED, IS_NONE, IS_STATEMENT } answer;
  bound_statement *s;
};

struct bound_seen *bound_seen_new(int arrays) { return MEM_NEW(struct bound_seen, arrays); }

void bound_seen_free(struct bound_seen *seen, int arrays)
{
  for (int a = 0; seen && a < arrays; a++)
    mem_free(seen[a].s);
  mem_free(seen);
}

bool bound_statement_find(const cdag *g, const bound_live *l, int array, bound_statement *s)
{
  struct bound_seen *seen = &l->seen[array];
  if (seen->answer == NOT_ASKED) {
    seen->s = MEM_NEW(bound_statement, 1);
    seen->answer = find_statement(g, l, array, seen->s) ? IS_STATEMENT : IS_NONE;
  }
  *s = *seen->s;
  return seen->answer == IS_STATEMENT;
}
