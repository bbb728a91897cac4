/* pebble/tile/rule.c -- reading what boxes ask of an array (docs/tile-engine.md, "What is a box").

   A term whose indices are x[v] + c with each variable used once, constants, `*` or fixed ranges maps a box to a box.
   Everything else becomes one of these when some variables have a single value; until then the answer is TILE_SPLIT. */
#include "pebble/tile/value.h"
#include "base/mem.h"
#include <assert.h>
#include <string.h>

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
  for (unsigned m = v->affine ? 0 : v->vars; m; m &= m - 1)
    v->period[__builtin_ctz(m)] = tile_period(all, e, rank, __builtin_ctz(m));
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
  if (!tile_add_form(&side[0], &side[1], -1))
    return false;
  tile_value apart = tile_form_value(&side[0], (1u << rank) - 1);
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

/* Does v, affine, stay below TILE_FAR wherever its variables are? */
static bool is_near(const tile_value *v, const cdag_box *hull)
{
  __int128 sum = v->base < 0 ? -(__int128)v->base : v->base;
  for (unsigned m = v->vars; m; m &= m - 1) {
    int r = __builtin_ctz(m);
    __int128 lo = (__int128)v->coef[r] * hull->lo[r], hi = (__int128)v->coef[r] * hull->hi[r];
    sum += (lo < 0 ? -lo : lo) + (hi < 0 ? -hi : hi);
  }
  return sum < TILE_FAR;
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
    assert(a->hull.lo[r] > -TILE_FAR && a->hull.hi[r] < TILE_FAR);
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
