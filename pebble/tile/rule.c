/* pebble/tile/rule.c -- domains and images of boxes (docs/tile-engine.md, "What is a box").

   A term whose indices are x[v] + c with each variable used once, constants, `*` or fixed ranges maps a box to a box.
   Everything else becomes one of these when some variables have a single value; until then the answer is TILE_SPLIT. */
#include "pebble/tile/rule.h"
#include "base/mem.h"
#include "base/num.h"
#include <assert.h>
#include <string.h>

/* cdag/domain/form.c sees to it that coordinates and affine values stay below FAR, and others below twice that: sums of
 * two do not overflow. */
#define FAR (INT64_C(1) << 61)

/* ---- reading the CDAG ---- */

static unsigned read_by(const tile_rules *all, const expr *e, int rank)
{
  return expr_slots(e, all->g->params, rank);
}

static bool is_smooth(const expr *e)
{
  return e->op == EXPR_NEG || e->op == EXPR_ADD || e->op == EXPR_SUB || e->op == EXPR_MUL;
}

/* Variables that make e affine in the others when they are held: those a division, ... reads (and a table, unless it
   stays inside one patch), and all of one factor of each product but one. */
static unsigned bent_by(const tile_rules *all, const expr *e, int rank, bool patches)
{
  unsigned vars = read_by(all, e, rank), inner[2] = { 0, 0 };
  bool patch = patches && e->op == EXPR_TABLE && e->nargs <= 2;
  if (!is_smooth(e) && !patch)
    return e->op == EXPR_SLOT ? 0 : vars;
  for (int i = 0; i < e->nargs; i++)
    inner[i] = bent_by(all, e->arg[i], rank, patches);
  if (e->op != EXPR_MUL)
    return inner[0] | inner[1];
  unsigned hold_first = read_by(all, e->arg[0], rank) | inner[1],
           hold_second = read_by(all, e->arg[1], rank) | inner[0];
  return __builtin_popcount(hold_first) <= __builtin_popcount(hold_second) ? hold_first : hold_second;
}

static tile_memo *memo_of(const tile_rules *all, const expr *e)
{
  for (size_t i = 0; i < all->memo->n; i++)
    if (expr_equal(all->memo->of[i]->e, e))
      return all->memo->of[i];
  all->memo->of = mem_room(all->memo->of, all->memo->n, &all->memo->room, sizeof *all->memo->of);
  tile_memo *fresh = all->memo->of[all->memo->n++] = MEM_NEW(tile_memo, 1);
  fresh->e = e;
  return fresh;
}

static void value_init(tile_value *v, const tile_rules *all, const expr *e, const cdag_box *hull, int rank)
{
  *v = (tile_value){ .e = e };
  v->affine = expr_affine(e, &all->env, all->g->params, rank, &v->base, v->coef);
  for (int r = 0; r < rank; r++) {
    bool used = v->affine ? v->coef[r] != 0 : expr_uses(e, all->g->params + r, all->g->params + r + 1);
    v->vars |= (unsigned)used << r;
  }
  v->bent = v->affine ? 0 : bent_by(all, e, rank, false);
  v->held = v->affine ? 0 : bent_by(all, e, rank, true);
  if (!v->affine)
    v->memo = memo_of(all, e);
  if (!v->held || (v->vars & (v->vars - 1)))
    return;
  v->lo = hull->lo[__builtin_ctz(v->vars)];
  v->hi = hull->hi[__builtin_ctz(v->vars)];
  v->stretches = MEM_NEW(cdag_stretches, 1);
}

/* Depth: the expression's. */
static tile_choice *choice_new(const tile_rules *all, const expr *e, int rank)
{
  tile_choice *c = MEM_NEW(tile_choice, 1);
  c->op = e->op;
  c->affine = expr_affine(e, &all->env, all->g->params, rank, &c->form.base, c->form.coef);
  bool decided = expr_is_comparison(e) || expr_is_extreme(e) || e->op == EXPR_ADD || e->op == EXPR_SUB;
  for (int i = 0; i < 2 && !c->affine && e->nargs == 2 && decided; i++)
    c->part[i] = choice_new(all, e->arg[i], rank);
  return c;
}

static void choice_free(tile_choice *c)
{
  for (int i = 0; c && i < 2; i++)
    choice_free(c->part[i]);
  mem_free(c);
}

static void value_clear(tile_value *v)
{
  mem_free(v->stretches);
  choice_free(v->choice);
}

static void term_clear(tile_term *t)
{
  choice_free(t->holds);
  for (int q = 0; q < t->rank; q++) {
    value_clear(&t->lo[q]);
    value_clear(&t->hi[q]);
  }
}

static bool same_value(const tile_value *a, const tile_value *b)
{
  if (a->affine && b->affine)
    return a->base == b->base && !memcmp(a->coef, b->coef, sizeof a->coef);
  return !a->affine && !b->affine && expr_equal(a->e, b->e);
}

static bool same_guard(const expr *a, const expr *b) { return a && b ? expr_equal(a, b) : a == b; }

static bool same_term(const tile_term *a, const tile_term *b)
{
  if (a->array != b->array || !same_guard(a->guard, b->guard))
    return false;
  for (int q = 0; q < a->rank; q++) {
    if (a->kind[q] != b->kind[q])
      return false;
    if (a->kind[q] != CDAG_ALL && !same_value(&a->lo[q], &b->lo[q]))
      return false;
    if (a->kind[q] == CDAG_RANGE && !same_value(&a->hi[q], &b->hi[q]))
      return false;
  }
  return true;
}

/* Does an index have its simple form whatever the box? */
static bool index_init(tile_index *x, cdag_index_kind kind, const tile_value *lo, const tile_value *hi,
                       const cdag_box *hull, int q)
{
  if (kind == CDAG_ALL) {
    *x = (tile_index){ TILE_FREE, -1, hull->lo[q], hull->hi[q] };
    return true;
  }
  if (kind == CDAG_RANGE) {
    *x = (tile_index){ TILE_FREE, -1, lo->base, hi->base };
    return lo->affine && hi->affine && !lo->vars && !hi->vars;
  }
  *x = (tile_index){ TILE_FIXED, -1, lo->base, lo->base + 1 };
  if (!lo->affine)
    return false;
  if (!lo->vars)
    return true;
  x->kind = TILE_SHIFT;
  x->var = __builtin_ctz(lo->vars);
  return !(lo->vars & (lo->vars - 1)) && lo->coef[x->var] == 1;
}

static bool is_near(const tile_value *v, const cdag_box *hull);
static tile_value form_value(const tile_form *f, unsigned vars)
{
  tile_value v = { .affine = true, .vars = vars, .base = f->base };
  memcpy(v.coef, f->coef, sizeof v.coef);
  return v;
}

static bool add_form(tile_form *a, const tile_form *b, int64_t times);

/* Is a condition one of affine comparisons, all of which must hold? */
static bool plain_condition(const tile_rules *all, const expr *e, const cdag_box *hull, int rank)
{
  tile_form side[2] = { { .base = 0 }, { .base = 0 } };
  if (e->op == EXPR_MIN && expr_is_truth(e))
    return plain_condition(all, e->arg[0], hull, rank) && plain_condition(all, e->arg[1], hull, rank);
  if (!expr_is_comparison(e))
    return false;
  for (int i = 0; i < 2; i++)
    if (!expr_affine(e->arg[i], &all->env, all->g->params, rank, &side[i].base, side[i].coef))
      return false;
  if (!add_form(&side[0], &side[1], -1))
    return false;
  tile_value apart = form_value(&side[0], (1u << rank) - 1);
  return is_near(&apart, hull);
}

static void term_init(tile_term *t, const tile_rules *all, const cdag_term *from, const cdag_box *hull, int rank)
{
  const cdag_array *to = &all->g->array[from->array];
  const expr *condition = cdag_term_condition(from);
  unsigned used = 0, straight = 0;
  t->array = from->array;
  t->rank = to->rank;
  t->simple = t->steady = true;
  t->straight = to->rectangular;
  if (condition && plain_condition(all, condition, hull, rank)) {
    t->guard = condition;
    t->holds = choice_new(all, condition, rank);
    t->simple = false;
  }
  for (int q = 0; q < t->rank; q++) {
    bool held = t->guard && from->guarded == q + 1;
    t->kind[q] = from->index[q].kind;
    if (t->kind[q] != CDAG_ALL)
      value_init(&t->lo[q], all, held ? from->index[q].lo->arg[0] : from->index[q].lo, hull, rank);
    if (t->kind[q] == CDAG_RANGE)
      value_init(&t->hi[q], all, from->index[q].hi, hull, rank);
    tile_value *const ends[] = { &t->lo[q], &t->hi[q] };
    for (int i = 0; i < 2; i++)
      if (ends[i]->e && !ends[i]->affine)
        ends[i]->choice = choice_new(all, ends[i]->e, rank);
    bool one = index_init(&t->index[q], t->kind[q], &t->lo[q], &t->hi[q], &to->hull, q);
    unsigned reads = one && t->index[q].kind == TILE_SHIFT ? 1u << t->index[q].var : 0;
    t->simple &= one;
    t->straight &= one && !(straight & reads);
    straight |= reads;
    unsigned var = t->simple && t->index[q].kind == TILE_SHIFT ? 1u << t->index[q].var : 0;
    t->steady &= !(used & var);
    used |= var;
  }
  t->steady &= t->simple;
  t->plain = t->steady && to->rectangular;
  for (int r = 0; r < rank; r++)
    if (!(used & 1u << r))
      t->idle_var[t->idle++] = r;
}

static bool keeps_places(const tile_rule *rule, int own)
{
  for (int i = 0; i < rule->terms; i++) {
    const tile_term *t = &rule->term[i];
    if (!t->plain)
      return false;
    for (int q = 0; t->array == own && q < t->rank; q++)
      if (t->index[q].kind != TILE_SHIFT || t->index[q].var != q)
        return false;
    for (int k = 0; t->array != own && k < i; k++)
      if (rule->term[k].array == t->array)
        return false;
  }
  return true;
}

/* Does v, affine, stay below FAR wherever its variables are? */
static bool is_near(const tile_value *v, const cdag_box *hull)
{
  __int128 sum = v->base < 0 ? -(__int128)v->base : v->base;
  for (unsigned m = v->vars; m; m &= m - 1) {
    int r = __builtin_ctz(m);
    __int128 lo = (__int128)v->coef[r] * hull->lo[r], hi = (__int128)v->coef[r] * hull->hi[r];
    sum += (lo < 0 ? -lo : lo) + (hi < 0 ? -hi : hi);
  }
  return sum < FAR;
}

/* x < min(a, b) is x < a and x < b, and max from below the same: where all of these are affine, each is a bound of its
   own.  `v` is what is left for the index. */
static void split_bound(tile_rule *rule, const tile_rules *all, int r, bool lower, tile_value *v)
{
  const expr *e = v->e;
  int n = e && e->op == (lower ? EXPR_MAX : EXPR_MIN) && !v->affine ? e->nargs : 0;
  tile_value part[4];
  if (n < 1 || n > (int)(sizeof part / sizeof *part))
    return;
  bool good = true;
  for (int i = 0; i < n; i++) {
    value_init(&part[i], all, e->arg[i], &rule->hull, r);
    good = good && part[i].affine && is_near(&part[i], &rule->hull);
  }
  if (!good) {
    for (int i = 0; i < n; i++)
      value_clear(&part[i]);
    return;
  }
  value_clear(v);
  *v = part[0];
  rule->side = mem_grow(rule->side, (size_t)(rule->sides + n - 1), sizeof *rule->side);
  for (int i = 1; i < n; i++)
    rule->side[rule->sides++] = (tile_bound){ r, lower, part[i] };
}

/* Such a bound holds all over the hull. */
static bool is_number(const tile_value *v) { return v->affine && !v->vars; }

/* A bound of index r: a number, or the one slanted side. */
static bool note_bound(tile_rule *rule, int r, const tile_value *v, bool upper)
{
  if (!v->affine || !v->vars)
    return v->affine;
  int var = __builtin_ctz(v->vars);
  if (rule->slanted || (v->vars & (v->vars - 1)) || v->coef[var] != 1)
    return false;
  rule->slanted = true;
  rule->upper = upper;
  rule->along = var;
  rule->at = r;
  rule->by = v->base;
  return true;
}

static void find_slant(tile_rule *rule)
{
  bool simple = !rule->rectangular && !rule->sides;
  for (int r = 0; simple && r < rule->rank; r++)
    simple = note_bound(rule, r, &rule->lo[r], false) && note_bound(rule, r, &rule->hi[r], true);
  rule->slanted &= simple;
}

static void rule_init(tile_rule *rule, const tile_rules *all, const cdag_array *a)
{
  rule->rank = a->rank;
  rule->rectangular = a->rectangular;
  rule->hull = a->hull;
  for (int r = 0; r < a->rank; r++) {
    assert(a->hull.lo[r] > -FAR && a->hull.hi[r] < FAR);
    value_init(&rule->lo[r], all, a->lo[r], &a->hull, r);
    value_init(&rule->hi[r], all, a->hi[r], &a->hull, r);
    split_bound(rule, all, r, true, &rule->lo[r]);
    split_bound(rule, all, r, false, &rule->hi[r]);
    rule->hull_lo |= (unsigned)is_number(&rule->lo[r]) << r;
    rule->hull_hi |= (unsigned)is_number(&rule->hi[r]) << r;
  }
  find_slant(rule);
  rule->term = MEM_NEW(tile_term, (size_t)a->terms);
  for (int t = 0; t < a->terms; t++) {
    if (a->term[t].never) /* present on no element: nothing to look at box by box */
      continue;
    memset(&rule->term[rule->terms], 0, sizeof *rule->term);
    term_init(&rule->term[rule->terms], all, &a->term[t], &a->hull, a->rank);
    int same = 0;
    while (!same_term(&rule->term[same], &rule->term[rule->terms]))
      same++;
    if (same < rule->terms) /* named twice counts once */
      term_clear(&rule->term[rule->terms]);
    else
      rule->terms++;
  }
  for (int t = 0; t < rule->terms; t++)
    rule->folded |= rule->term[t].simple && !rule->term[t].steady;
  rule->rigid = keeps_places(rule, (int)(a - all->g->array));
}

void tile_rules_init(tile_rules *all, const cdag *g)
{
  *all = (tile_rules){ .g = g };
  all->slot = MEM_NEW(int64_t, (size_t)g->params + CDAG_RANK);
  for (int i = 0; i < g->params; i++)
    all->slot[i] = g->param_value[i];
  all->env = (expr_env){ .slot = all->slot, .table = g->table };
  all->rule = MEM_NEW(tile_rule, (size_t)g->arrays);
  all->table = MEM_NEW(tile_table, (size_t)g->tables);
  all->memo = MEM_NEW(tile_memos, 1);
  for (int a = 0; a < g->arrays; a++)
    rule_init(&all->rule[a], all, &g->array[a]);
}

static void rule_clear(tile_rule *rule)
{
  for (int r = 0; r < rule->rank; r++) {
    value_clear(&rule->lo[r]);
    value_clear(&rule->hi[r]);
  }
  for (int i = 0; i < rule->sides; i++)
    value_clear(&rule->side[i].v);
  for (int t = 0; t < rule->terms; t++)
    term_clear(&rule->term[t]);
  mem_free(rule->side);
  mem_free(rule->term);
}

static void memos_free(tile_memos *m)
{
  for (size_t i = 0; i < m->n; i++)
    mem_free(m->of[i]);
  mem_free(m->of);
  mem_free(m);
}

void tile_rules_clear(tile_rules *all)
{
  for (int a = 0; a < all->g->arrays; a++)
    rule_clear(&all->rule[a]);
  for (int t = 0; t < all->g->tables; t++)
    cdag_patches_clear(&all->table[t].patches);
  mem_free(all->table);
  memos_free(all->memo);
  mem_free(all->rule);
  mem_free(all->slot);
  *all = (tile_rules){ 0 };
}

/* ---- values on a box ---- */

/* What a later iteration must decide alike, should this one be recorded.  It follows from the numbers recorded; but so
 * it need not be proved for each. */
static void note(const tile_rules *all, int64_t decision)
{
  if (all->log) /* for safety */
    tile_log_equal(all->log, decision);
}

/* The variables, of those in mask, that have more than one value in b. */
static unsigned wide(const cdag_box *b, unsigned mask)
{
  unsigned w = 0;
  for (unsigned m = mask; m; m &= m - 1) {
    int r = __builtin_ctz(m);
    w |= (unsigned)(b->hi[r] - b->lo[r] > 1) << r;
  }
  return w;
}

static void put_variables(const tile_rules *all, const tile_value *v, const cdag_box *b)
{
  for (unsigned m = v->vars; m; m &= m - 1)
    all->slot[all->g->params + __builtin_ctz(m)] = b->lo[__builtin_ctz(m)];
}

typedef struct { const tile_rules *all; const tile_value *v; } bent_value;

static bool bent_at(void *context, int64_t x, int64_t *out)
{
  const bent_value *b = context;
  b->all->slot[b->all->g->params + __builtin_ctz(b->v->vars)] = x;
  return expr_eval(b->v->e, &b->all->env, out, NULL) == EXPR_OK;
}

/* The same patch in every iteration; or of a family the next of its members, or one so many further on. */
static void note_kin(tile_log *log, cdag_kin kin)
{
  tile_log_equal(log, kin.family);
  if (kin.members < 2)
    return;
  tile_log_sign(log, kin.place + 1);
  tile_log_sign(log, kin.members - kin.place);
}

const cdag_patch *tile_note_table(const tile_rules *all, int table, const int64_t *at)
{
  const expr_table *t = &all->g->table[table];
  tile_table *known = &all->table[table];
  const cdag_patch *p = cdag_patch_at(&known->patches, t, at);
  bool again = p && known->epoch == all->log->epoch && !memcmp(known->at, at, (size_t)t->rank * sizeof *at);
  tile_log_code(all->log, again);
  if (!p || again)
    return p;
  known->epoch = all->log->epoch;
  memcpy(known->at, at, (size_t)t->rank * sizeof *at);
  note_kin(all->log, cdag_patch_kin(&known->patches, t, p));
  p = cdag_patch_at(&known->patches, t, at); /* the patches may have moved */
  for (int i = 0, r = 2 - t->rank; r < 2; i++, r++) {
    tile_log_sign(all->log, at[i] - p->from[r] + 1);
    tile_log_sign(all->log, p->to[r] - at[i]);
  }
  return p;
}

/* With what bends it held, is e affine where it stands?  The patches it reads are recorded.  False when a table has no
 * value there. */
static bool stays_affine(const tile_rules *all, const expr *e)
{
  int64_t at[2];
  bool patch = e->op == EXPR_TABLE && e->nargs <= 2;
  for (int i = 0; i < e->nargs; i++)
    if (!stays_affine(all, e->arg[i]) || (patch && expr_eval(e->arg[i], &all->env, &at[i], NULL) != EXPR_OK))
      return false;
  return !patch || tile_note_table(all, e->slot, at);
}

/* A table or another bend read at these values: they must be the very same in every iteration, or stay where v is
 * affine. */
static void log_bent(const tile_rules *all, const tile_value *v, const cdag_box *b)
{
  bent_value of = { all, v };
  int64_t x = v->stretches ? b->lo[__builtin_ctz(v->vars)] : 0, from, to;
  assert(!v->stretches || (x >= v->lo && x < v->hi));
  if (v->stretches && cdag_stretch_of(v->stretches, bent_at, &of, x, v->lo, v->hi, &from, &to)) {
    tile_log_equal(all->log, from);
    tile_log_equal(all->log, to);
    tile_log_sign(all->log, x - from + 1);
    tile_log_sign(all->log, to - x);
    return;
  }
  put_variables(all, v, b);
  unsigned constant = stays_affine(all, v->e) ? v->held : v->vars;
  for (unsigned m = constant; m; m &= m - 1)
    tile_log_equal(all->log, b->lo[__builtin_ctz(m)]);
}

/* Has the value been recorded where b is, since the last mark?  From now on it has. */
static bool recorded(const tile_rules *all, const tile_value *v, const cdag_box *b)
{
  tile_memo *m = v->memo;
  bool again = m->epoch == all->log->epoch;
  for (unsigned vars = v->vars; vars && again; vars &= vars - 1)
    again = m->at[__builtin_ctz(vars)] == b->lo[__builtin_ctz(vars)];
  tile_log_code(all->log, again);
  if (again)
    return true;
  m->epoch = all->log->epoch;
  for (unsigned vars = v->vars; vars; vars &= vars - 1)
    m->at[__builtin_ctz(vars)] = b->lo[__builtin_ctz(vars)];
  log_bent(all, v, b);
  return false;
}

/* v is not affine. */
static bool bent_value_at(const tile_rules *all, const tile_value *v, const cdag_box *b, int64_t *out)
{
  if (all->log && recorded(all, v, b)) {
    *out = v->memo->value;
    return v->memo->some;
  }
  put_variables(all, v, b);
  bool some = expr_eval(v->e, &all->env, out, NULL) == EXPR_OK;
  if (all->log) {
    v->memo->some = some;
    v->memo->value = some ? *out : 0;
  }
  return some;
}

static int64_t affine_at(const tile_value *v, const cdag_box *b)
{
  int64_t s = v->base;
  for (unsigned m = v->vars; m; m &= m - 1)
    s += v->coef[__builtin_ctz(m)] * b->lo[__builtin_ctz(m)];
  return s;
}

/* The value where every variable it reads is single in b; false when there is none. */
static bool value_at(const tile_rules *all, const tile_value *v, const cdag_box *b, int64_t *out)
{
  if (v->affine)
    *out = affine_at(v, b);
  return v->affine || bent_value_at(all, v, b, out);
}

/* Least and greatest value of an affine v over b. */
static void value_span(const tile_value *v, const cdag_box *b, int64_t *least, int64_t *most)
{
  *least = *most = v->base;
  for (unsigned m = v->vars; m; m &= m - 1) {
    int r = __builtin_ctz(m);
    int64_t p = v->coef[r] * b->lo[r], q = v->coef[r] * (b->hi[r] - 1);
    *least += num_min(p, q);
    *most += num_max(p, q);
  }
}

/* ---- comparisons settled by a box ---- */

/* a += times b; false where numbers grow too large. */
static bool add_form(tile_form *a, const tile_form *b, int64_t times)
{
  int64_t more;
  bool good = num_mul(b->base, times, &more) && num_add(a->base, more, &a->base);
  for (int r = 0; r < CDAG_RANK && good; r++)
    good = num_mul(b->coef[r], times, &more) && num_add(a->coef[r], more, &a->coef[r]);
  return good;
}

/* Least and greatest value of f on the box; false where they are too far. */
static bool form_span(const tile_form *f, const cdag_box *b, int rank, int64_t *least, int64_t *most)
{
  __int128 lo = f->base, hi = f->base;
  for (int r = 0; r < rank; r++) {
    __int128 p = (__int128)f->coef[r] * b->lo[r], q = (__int128)f->coef[r] * (b->hi[r] - 1);
    lo += p < q ? p : q;
    hi += p < q ? q : p;
  }
  *least = (int64_t)lo;
  *most = (int64_t)hi;
  return lo > -FAR && hi < FAR;
}

/* Is `x OP 0` true (1) or false (0) for all x from least to most?  -1: neither. */
static int outcome(expr_op op, int64_t least, int64_t most)
{
  switch (op) {
  case EXPR_EQ: return least == 0 && most == 0 ? 1 : least > 0 || most < 0 ? 0 : -1;
  case EXPR_LT: return most < 0 ? 1 : least >= 0 ? 0 : -1;
  case EXPR_LE: return most <= 0 ? 1 : least > 0 ? 0 : -1;
  case EXPR_NE: case EXPR_GE: case EXPR_GT: break;
  default: return -1;
  }
  int no = outcome(op == EXPR_NE ? EXPR_EQ : op == EXPR_GE ? EXPR_LT : EXPR_LE, least, most);
  return no < 0 ? no : !no;
}

/* Is c affine on all of b, as each of its comparisons has one outcome there?  Then it is `out`. */
static bool settle(const tile_rules *all, const tile_choice *c, const cdag_box *b, int rank, tile_form *out)
{
  tile_form part[2];
  int64_t least, most;
  if (c->affine) {
    *out = c->form;
    return true;
  }
  for (int i = 0; i < 2; i++)
    if (!c->part[i] || !settle(all, c->part[i], b, rank, &part[i]))
      return false;
  *out = part[0];
  if (c->op == EXPR_ADD)
    return add_form(out, &part[1], 1);
  if (!add_form(out, &part[1], -1) || c->op == EXPR_SUB)
    return c->op == EXPR_SUB;
  if (!form_span(out, b, rank, &least, &most))
    return false;
  if (all->log) {
    tile_log_sign(all->log, least);
    tile_log_sign(all->log, most);
  }
  bool chosen = c->op == EXPR_MIN || c->op == EXPR_MAX;
  int is = outcome(chosen ? EXPR_LE : c->op, least, most);
  if (chosen && is >= 0)
    *out = part[is == (c->op == EXPR_MAX)];
  else
    *out = (tile_form){ .base = is };
  return is >= 0;
}

/* v, or what it comes to on b where its comparisons are settled there: put to `own`. */
static const tile_value *on_box(const tile_rules *all, const tile_value *v, const cdag_box *b, int rank,
                                tile_value *own)
{
  if (v->affine || !((all->log && !v->stretches) || wide(b, v->vars)))
    return v;
  int64_t least, most;
  tile_form f;
  bool good = settle(all, v->choice, b, rank, &f) && form_span(&f, b, rank, &least, &most);
  note(all, good);
  if (!good)
    return v;
  unsigned vars = 0;
  for (int r = 0; r < rank; r++)
    vars |= (unsigned)(f.coef[r] != 0) << r;
  *own = form_value(&f, vars);
  return own;
}

/* ---- domains ---- */

static bool clip_lo(cdag_box *b, int r, int64_t lo)
{
  b->lo[r] = num_max(b->lo[r], lo);
  return b->lo[r] < b->hi[r];
}

static bool clip_hi(cdag_box *b, int r, int64_t hi)
{
  b->hi[r] = num_min(b->hi[r], hi);
  return b->lo[r] < b->hi[r];
}

/* Index r of b is the single x; bound v is affine with one wide variable: cut that variable to where x obeys
   `x >= v` (lower) or `x < v`. */
static tile_answer clip_other(const tile_rules *all, int array, cdag_box *b, int x, const tile_value *v,
                              unsigned var_bit, bool lower)
{
  int p = __builtin_ctz(var_bit);
  cdag_box point = *b;
  int64_t rest, limit, c = v->coef[p];
  point.lo[p] = 0;
  rest = affine_at(v, &point);
  /* lower: c*p <= x - rest;  else c*p >= x - rest + 1 */
  limit = b->lo[x] - rest + !lower;
  bool below = lower == (c > 0);
  int64_t end = below ? num_floor_div(limit, c) + 1 : -num_floor_div(-limit, c);
  if (all->log) {
    tile_log_bound(all->log, array, p, below ? TILE_MOST : TILE_LEAST, end);
    all->log->irregular += c != 1 && c != -1; /* the quotient is no affine function */
  }
  bool some = below ? clip_hi(b, p, end) : clip_lo(b, p, end);
  assert(some); /* the least and the greatest value are met somewhere */
  (void)some;
  return TILE_BOX;
}

/* ---- tables that do not fall ---- */

/* The longest run of entries around x, none of which is less than the one before. */
static void rise_of(tile_table *known, const expr_table *t, int64_t x)
{
  if (known->rise_from <= x && x < known->rise_to)
    return;
  for (known->rise_from = x;
       known->rise_from > 0 && expr_entry(t, known->rise_from - 1) <= expr_entry(t, known->rise_from);)
    known->rise_from--;
  for (known->rise_to = x + 1;
       known->rise_to < t->extent[0] && expr_entry(t, known->rise_to - 1) <= expr_entry(t, known->rise_to);)
    known->rise_to++;
}

/* Later iterations, too, must read the table where it does not fall, and its first and last entry inside one patch
 * each. */
static void log_rise(const tile_rules *all, int table, int64_t lo, int64_t hi)
{
  int64_t last = hi - 1;
  const tile_table *known = &all->table[table];
  if (!all->log)
    return;
  tile_log_equal(all->log, known->rise_from);
  tile_log_sign(all->log, lo - known->rise_from + 1);
  tile_log_sign(all->log, known->rise_to - last);
  tile_note_table(all, table, &lo);
  tile_note_table(all, table, &last);
}

/* Least and greatest value over b of v, a table of one index read at a variable, when it does not fall there. */
static bool rising_span(const tile_rules *all, const tile_value *v, const cdag_box *b, int64_t *least, int64_t *most)
{
  const expr *e = v->e;
  if (e->op != EXPR_TABLE || e->nargs != 1 || e->arg[0]->op != EXPR_SLOT)
    return false;
  int r = __builtin_ctz(v->vars);
  const expr_table *t = &all->g->table[e->slot];
  if (b->lo[r] < 0 || b->hi[r] > t->extent[0])
    return false;
  rise_of(&all->table[e->slot], t, b->lo[r]);
  if (b->hi[r] > all->table[e->slot].rise_to)
    return false;
  *least = expr_entry(t, b->lo[r]);
  *most = expr_entry(t, b->hi[r] - 1);
  log_rise(all, e->slot, b->lo[r], b->hi[r]);
  return true;
}

/* One bound of index r against box b. */
static tile_answer fit_bound(const tile_rules *all, int array, cdag_box *b, int r, const tile_value *v, bool lower)
{
  int64_t least, most;
  unsigned w = wide(b, v->vars);
  note(all, w);
  if (!w) {
    if (!value_at(all, v, b, &least))
      return TILE_EMPTY;
    if (all->log)
      tile_log_bound(all->log, array, r, lower ? TILE_LEAST : TILE_MOST, least);
    return (lower ? clip_lo(b, r, least) : clip_hi(b, r, least)) ? TILE_BOX : TILE_EMPTY;
  }
  if (v->affine)
    value_span(v, b, &least, &most);
  else if (!rising_span(all, v, b, &least, &most))
    return TILE_SPLIT;
  if (all->log) {
    tile_log_bound(all->log, array, r, TILE_OTHER, least);
    tile_log_bound(all->log, array, r, TILE_OTHER, most);
    tile_log_equal(all->log, b->hi[r] - b->lo[r] == 1);
  }
  if (lower ? b->lo[r] >= most : b->hi[r] <= least)
    return TILE_BOX;
  if (lower ? b->hi[r] <= least : b->lo[r] >= most)
    return TILE_EMPTY;
  if (v->affine && b->hi[r] - b->lo[r] == 1 && !(w & (w - 1)))
    return clip_other(all, array, b, r, v, w, lower);
  return TILE_SPLIT;
}

/* What one bound says after another: that there are no elements ends it, and a bound that is not the same all over the
 * box does unless the others are asked, too. */
static bool ends(const tile_rules *all, tile_answer answer, bool ask_all, tile_answer *together)
{
  note(all, answer);
  if (answer != TILE_BOX)
    *together = answer;
  return answer == TILE_EMPTY || (answer == TILE_SPLIT && !ask_all);
}

static tile_answer fit(const tile_rules *all, int array, cdag_box *b, bool ask_all)
{
  const tile_rule *rule = &all->rule[array];
  tile_answer together = TILE_BOX;
  if (!pebble_box_clip(b, &rule->hull, rule->rank))
    return TILE_EMPTY;
  for (unsigned m = ~(rule->hull_lo & rule->hull_hi) & ((1u << rule->rank) - 1); m; m &= m - 1) {
    int r = __builtin_ctz(m);
    tile_answer answer = rule->hull_lo >> r & 1 ? TILE_BOX : fit_bound(all, array, b, r, &rule->lo[r], true);
    if (answer == TILE_BOX && !(rule->hull_hi >> r & 1))
      answer = fit_bound(all, array, b, r, &rule->hi[r], false);
    if (ends(all, answer, ask_all, &together))
      return answer;
  }
  for (int i = 0; i < rule->sides; i++) {
    const tile_bound *side = &rule->side[i];
    tile_answer answer = fit_bound(all, array, b, side->at, &side->v, side->lower);
    if (ends(all, answer, ask_all, &together))
      return answer;
  }
  return together;
}

tile_answer tile_fit(const tile_rules *all, int array, cdag_box *b) { return fit(all, array, b, false); }

bool tile_is_void(const tile_rules *all, int array, cdag_box *b) { return fit(all, array, b, true) == TILE_EMPTY; }

/* ---- conditions of terms ---- */

/* x >= 0, where one variable of x, with coefficient 1 or -1, has several values in b: those with which it holds. */
static void clip_to(const tile_rules *all, int array, const tile_form *x, int var, cdag_box *b)
{
  bool below = x->coef[var] < 0;
  int64_t rest = x->base;
  for (int r = 0; r < CDAG_RANK; r++)
    rest += r != var && x->coef[r] ? x->coef[r] * b->lo[r] : 0;
  int64_t end = below ? rest + 1 : -rest;
  if (all->log)
    tile_log_bound(all->log, array, var, below ? TILE_MOST : TILE_LEAST, end);
  bool some = below ? clip_hi(b, var, end) : clip_lo(b, var, end);
  assert(some); /* it holds somewhere */
  (void)some;
}

/* b becomes the part on which a term's condition holds (1).  0: there is none; -1: it is no box. */
static int narrow(const tile_rules *all, int array, const tile_choice *c, cdag_box *b)
{
  int rank = all->rule[array].rank;
  tile_form is;
  if (c->op == EXPR_MIN && !c->affine) {
    int first = narrow(all, array, c->part[0], b);
    return first == 1 ? narrow(all, array, c->part[1], b) : first;
  }
  if (settle(all, c, b, rank, &is))
    return (int)is.base;
  tile_form x = c->part[0]->form;
  add_form(&x, &c->part[1]->form, -1);
  unsigned read = 0;
  for (int r = 0; r < rank; r++)
    read |= (unsigned)(x.coef[r] != 0) << r;
  unsigned w = wide(b, read);
  int var = __builtin_ctz(w);
  note(all, w);
  if (c->op == EXPR_NE || (w & (w - 1)) || (x.coef[var] != 1 && x.coef[var] != -1))
    return -1;
  if (c->op == EXPR_LT || c->op == EXPR_GT)
    x.base += c->op == EXPR_LT ? 1 : -1;
  if (c->op != EXPR_LT && c->op != EXPR_LE)
    clip_to(all, array, &x, var, b);
  tile_form minus = { .base = 0 };
  add_form(&minus, &x, -1);
  if (c->op != EXPR_GT && c->op != EXPR_GE)
    clip_to(all, array, &minus, var, b);
  return 1;
}

/* ---- images ---- */

/* Does v, which is not affine, go up with x[r] by as much? */
static bool bent_goes_with(const tile_rules *all, const tile_value *v, const cdag_box *b, int r)
{
  int64_t first, second;
  if (v->bent >> r & 1)
    return false;
  put_variables(all, v, b);
  bool some = expr_eval(v->e, &all->env, &first, NULL) == EXPR_OK;
  all->slot[all->g->params + r]++;
  /* unreachable: what has no value is an entry of a table, and these stand still */
  some = some && expr_eval(v->e, &all->env, &second, NULL) == EXPR_OK;
  int64_t step = some ? second - first : 0;
  note(all, step);
  return step == 1;
}

/* Is v, on b, a constant plus x[r]?  The other variables it reads are single. */
static bool goes_with(const tile_rules *all, const tile_value *v, const cdag_box *b, int r)
{
  return v->affine ? v->coef[r] == 1 : bent_goes_with(all, v, b, r);
}

/* Numbers that v does not leave on b: its least and its greatest value; of min or max of two affine forms the outcome
   for their least and for their greatest.  False where it is neither. */
static bool span_around(const tile_rules *all, const tile_value *v, const cdag_box *b, int rank, int64_t *least,
                        int64_t *most)
{
  if (v->affine) {
    value_span(v, b, least, most);
    return true;
  }
  const tile_choice *c = v->choice;
  if (c->op != EXPR_MIN && c->op != EXPR_MAX)
    return false;
  int64_t lo[2], hi[2];
  for (int i = 0; i < 2; i++)
    if (!c->part[i] || !c->part[i]->affine || !form_span(&c->part[i]->form, b, rank, &lo[i], &hi[i]))
      return false;
  if (all->log) { /* which of both it is */
    tile_log_sign(all->log, lo[1] - lo[0]);
    tile_log_sign(all->log, hi[1] - hi[0]);
  }
  bool max = c->op == EXPR_MAX;
  *least = max ? num_max(lo[0], lo[1]) : num_min(lo[0], lo[1]);
  *most = max ? num_max(hi[0], hi[1]) : num_min(hi[0], hi[1]);
  return true;
}

/* Index q, on all of b together: from its least value to its greatest. */
static bool spread(const tile_rules *all, const tile_value *lo, const tile_value *hi, const cdag_box *b, int rank,
                   tile_index *x)
{
  int64_t other;
  if (!span_around(all, lo, b, rank, &x->base, &other) || !span_around(all, hi, b, rank, &other, &x->end))
    return false;
  x->end += hi == lo;
  x->kind = TILE_FREE;
  return true;
}

/* The indices of a term on box b: variables that are single become constants.  around: what is no box gets a box around
   it. */
static tile_answer resolve(const tile_rules *all, int array, const tile_term *t, const cdag_box *b, bool around,
                           tile_index *index)
{
  unsigned used = 0;
  int rank = all->rule[array].rank;
  for (int q = 0; q < t->rank; q++) {
    tile_index *x = &index[q];
    *x = (tile_index){ TILE_FIXED, -1, 0, 0 };
    if (t->kind[q] == CDAG_ALL) {
      *x = t->index[q];
      continue;
    }
    tile_value own[2];
    bool range = t->kind[q] == CDAG_RANGE;
    const tile_value *v = on_box(all, &t->lo[q], b, rank, &own[0]),
                     *end = range ? on_box(all, &t->hi[q], b, rank, &own[1]) : v;
    unsigned w = wide(b, v->vars | end->vars);
    note(all, w);
    if (w && (range || (w & (w - 1)) || (used & w) || !goes_with(all, v, b, __builtin_ctz(w)))) {
      if (!around || !spread(all, v, end, b, rank, x))
        return TILE_SPLIT;
      continue;
    }
    cdag_box point = *b;
    if (w)
      point.lo[__builtin_ctz(w)] = 0;
    if (!value_at(all, v, &point, &x->base))
      return TILE_EMPTY; /* a table read outside its bounds */
    x->end = x->base + 1;
    if (range) {
      x->kind = TILE_FREE;
      if (!value_at(all, end, &point, &x->end)) /* a range may be empty: what is recorded of it says so, too */
        return TILE_EMPTY;
    } else if (w) {
      x->kind = TILE_SHIFT;
      x->var = __builtin_ctz(w);
      used |= w;
    }
  }
  return TILE_BOX;
}

int tile_guard_on(const tile_rules *all, int array, const tile_term *t, const cdag_box *b)
{
  cdag_box held;
  int rank = all->rule[array].rank, holds = 1;
  if (!t->guard)
    return 1;
  pebble_box_copy(&held, b, rank);
  holds = narrow(all, array, t->holds, &held);
  holds = holds == 1 && !pebble_box_equal(&held, b, rank) ? -1 : holds;
  note(all, holds);
  return holds;
}

/* A plain term: the image clipped index by index, the part with it. */
static tile_answer plain_image(const tile_rules *all, const tile_term *t, const cdag_box *b, tile_image *out)
{
  const cdag_box *hull = &all->rule[t->array].hull;
  out->index = t->index;
  for (int i = 0; i < t->idle; i++) {
    out->part.lo[t->idle_var[i]] = b->lo[t->idle_var[i]];
    out->part.hi[t->idle_var[i]] = b->hi[t->idle_var[i]];
  }
  for (int q = 0; q < t->rank; q++) {
    const tile_index *x = &t->index[q];
    if (x->kind == TILE_SHIFT) {
      int64_t lo = num_max(b->lo[x->var] + x->base, hull->lo[q]), hi = num_min(b->hi[x->var] + x->base, hull->hi[q]);
      out->image.lo[q] = lo;
      out->image.hi[q] = hi;
      out->part.lo[x->var] = lo - x->base;
      out->part.hi[x->var] = hi - x->base;
    } else {
      out->image.lo[q] = num_max(x->base, hull->lo[q]);
      out->image.hi[q] = num_min(x->end, hull->hi[q]);
    }
    if (out->image.lo[q] >= out->image.hi[q])
      return TILE_EMPTY;
  }
  return TILE_BOX;
}

/* The indices on box b, and where they lead before any clipping. */
static tile_answer raw_image(const tile_rules *all, int array, const tile_term *t, const cdag_box *b, bool around,
                             tile_image *out)
{
  out->index = t->steady ? t->index : out->resolved;
  if (!t->steady) {
    tile_answer answer = resolve(all, array, t, b, around, out->resolved);
    if (answer != TILE_BOX)
      return answer;
  }
  for (int q = 0; q < t->rank; q++) {
    const tile_index *x = &out->index[q];
    bool shift = x->kind == TILE_SHIFT;
    out->image.lo[q] = x->base + (shift ? b->lo[x->var] : 0);
    out->image.hi[q] = shift ? b->hi[x->var] + x->base : x->end;
  }
  return TILE_BOX;
}

static tile_answer bent_image(const tile_rules *all, int array, const tile_term *t, const cdag_box *b, bool around,
                              tile_image *out)
{
  cdag_box held;
  if (t->guard) {
    pebble_box_copy(&held, b, all->rule[array].rank);
    int holds = narrow(all, array, t->holds, &held);
    note(all, holds);
    if (holds != 1)
      return holds < 0 ? TILE_SPLIT : TILE_EMPTY;
    b = &held;
  }
  tile_answer answer = raw_image(all, array, t, b, around, out);
  if (answer == TILE_BOX && all->log)
    tile_log_box(all->log, t->array, t->rank, &out->image);
  if (answer == TILE_BOX)
    answer = tile_fit(all, t->array, &out->image);
  if (answer != TILE_BOX)
    return answer;
  pebble_box_copy(&out->part, b, all->rule[array].rank);
  for (int q = 0; q < t->rank; q++) {
    const tile_index *x = &out->index[q];
    if (x->kind == TILE_SHIFT) {
      out->part.lo[x->var] = out->image.lo[q] - x->base;
      out->part.hi[x->var] = out->image.hi[q] - x->base;
    }
  }
  return TILE_BOX;
}

tile_answer tile_image_of(const tile_rules *all, int array, const tile_term *t, const cdag_box *b, tile_image *out)
{
  out->around = false;
  if (t->plain && !all->log)
    return plain_image(all, t, b, out);
  tile_answer answer = bent_image(all, array, t, b, false, out);
  note(all, answer);
  return answer;
}

tile_answer tile_image_around(const tile_rules *all, int array, const tile_term *t, const cdag_box *b, tile_image *out)
{
  out->around = true;
  tile_answer answer = bent_image(all, array, t, b, true, out);
  note(all, answer);
  return answer;
}
