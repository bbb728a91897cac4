#include "cdag/relist.h"
#include "base/mem.h"
#include "cdag/cdag_internal.h"
#include <stdlib.h>
#include <string.h>

enum { SETTINGS = 1 << 17 };

/* One rule and the term whose element gives the steps their names. */
typedef struct {
  const cdag *g;
  int array, of;               /* `of`: the array of the term */
  const cdag_term *t;
  unsigned held, bare, slices; /* loops that tables are read at; that are an index by themselves; the others */
  unsigned chain;              /* loops that the terms to the own array move */
  int table[CDAG_RANK];        /* held loop: the table that gives it from the tabled indices, or -1 */
  int64_t (*seen)[CDAG_RANK];  /* tabled indices, by setting */
  size_t n, room;
} relisting;

static unsigned loops_in(const cdag *g, const expr *e, int n) { return expr_slots(e, g->params, n); }
static bool is_loop(const cdag *g, const expr *e, int r) { return expr_is_slot(e, g->params + r); }

/* Does the range of loop r speak of loops other than these? */
static bool ranges_within(const cdag *g, int array, int r, unsigned loops)
{
  const cdag_array *a = &g->array[array];
  return ((loops_in(g, a->lo[r], r) | loops_in(g, a->hi[r], r)) & ~loops) == 0;
}

static bool plain_terms(const cdag *g, const cdag_array *a)
{
  for (int t = 0; t < a->terms; t++)
    for (int r = 0; r < g->array[a->term[t].array].rank; r++)
      if (a->term[t].guarded || a->term[t].index[r].kind != CDAG_AT || a->rules > 1)
        return false;
  return true;
}

/* Which loops the index tuple of the term is made of. */
static bool read_indices(relisting *k)
{
  const cdag_array *y = &k->g->array[k->array], *x = &k->g->array[k->of];
  for (int s = 0; s < x->rank; s++) {
    const expr *e = k->t->index[s].lo;
    unsigned loops = loops_in(k->g, e, y->rank);
    if (!x->var[s][0] || !loops)
      return false;
    if (expr_uses_table(e))
      k->held |= loops;
    else if (is_loop(k->g, e, __builtin_ctz(loops)) && !(k->bare & loops))
      k->bare |= loops;
    else
      return false;
  }
  k->slices = ((1u << y->rank) - 1) & ~(k->held | k->bare);
  return k->held && !(k->held & k->bare);
}

/* Held loops run over ranges of held ones, slices over ranges of their own, and each index of the other array over
   ranges that bare loops do not move. */
static bool ranges_fit(const relisting *k)
{
  const cdag_array *y = &k->g->array[k->array], *x = &k->g->array[k->of];
  unsigned tabled = 0;
  for (int s = 0; s < x->rank; s++)
    tabled |= (unsigned)expr_uses_table(k->t->index[s].lo) << s;
  for (int r = 0; r < y->rank; r++)
    if (!y->var[r][0] || !ranges_within(k->g, k->array, r, k->slices >> r & 1 ? 0 : k->held))
      return false;
  for (int s = 0; s < x->rank; s++)
    if (!ranges_within(k->g, k->of, s, tabled))
      return false;
  return true;
}

static void find_chain(relisting *k)
{
  const cdag_array *y = &k->g->array[k->array];
  for (int t = 0; t < y->terms; t++)
    for (int r = 0; y->term[t].array == k->array && r < y->rank; r++)
      k->chain |= (unsigned)!is_loop(k->g, y->term[t].index[r].lo, r) << r;
}

/* ---- every setting of the held loops ---- */

static bool inside(const relisting *k, const int64_t *x, const int64_t *at)
{
  const cdag_array *a = &k->g->array[k->of];
  for (int s = 0; s < a->rank; s++) {
    const expr *e = k->t->index[s].lo;
    int64_t lo, hi, from = at[s], to = at[s] + 1;
    cdag_range(k->g, k->of, s, at, &lo, &hi);
    if (!expr_uses_table(e))
      cdag_range(k->g, k->array, __builtin_ctz(loops_in(k->g, e, CDAG_RANK)), x, &from, &to);
    if (from < to && (from < lo || to > hi))
      return false;
  }
  return true;
}

/* Tables that do not give loop r at this setting are none for it. */
static void try_table(relisting *k, int r, int64_t value, const int64_t *at)
{
  for (; k->table[r] >= 0; k->table[r]--) {
    const expr_table *t = &k->g->table[k->table[r]];
    int64_t entry = 0;
    int d = 0;
    bool good = !t->unstored;
    for (int s = 0; s < k->g->array[k->of].rank && good; s++)
      if (expr_uses_table(k->t->index[s].lo)) {
        good = d < t->rank && at[s] >= 0 && at[s] < t->extent[d];
        entry = good ? entry * t->extent[d++] + at[s] : 0;
      }
    if (good && d == t->rank && expr_entry(t, entry) == value)
      return;
  }
}

static bool look_at(relisting *k, const int64_t *x)
{
  const cdag_array *a = &k->g->array[k->of];
  int64_t at[CDAG_RANK] = { 0 }, *slot = MEM_NEW(int64_t, k->g->params + CDAG_RANK);
  bool good = k->n < SETTINGS;
  memcpy(slot, k->g->param_value, (size_t)k->g->params * sizeof *slot);
  memcpy(slot + k->g->params, x, CDAG_RANK * sizeof *slot);
  expr_env env = { slot, k->g->table };
  for (int s = 0; s < a->rank && good; s++)
    if (expr_uses_table(k->t->index[s].lo))
      good = expr_eval(k->t->index[s].lo, &env, &at[s], NULL) == EXPR_OK;
  mem_free(slot);
  if (!good || !inside(k, x, at))
    return false;
  for (int r = 0; r < CDAG_RANK; r++)
    if (k->held >> r & 1)
      try_table(k, r, x[r], at);
  k->seen = mem_room(k->seen, k->n, &k->room, sizeof *k->seen);
  memcpy(k->seen[k->n++], at, sizeof at);
  return true;
}

/* Depth: one level a loop. */
static bool each_held(relisting *k, int r, int64_t *x)
{
  int64_t lo, hi;
  while (r < CDAG_RANK && !(k->held >> r & 1))
    r++;
  if (r == CDAG_RANK)
    return look_at(k, x);
  cdag_range(k->g, k->array, r, x, &lo, &hi);
  bool good = true;
  for (x[r] = lo; x[r] < hi && good; x[r]++)
    good = each_held(k, r + 1, x);
  x[r] = 0;
  return good;
}

static int by_indices(const void *a, const void *b)
{
  const int64_t *x = a, *y = b;
  for (int r = 0; r < CDAG_RANK; r++)
    if (x[r] != y[r])
      return x[r] < y[r] ? -1 : 1;
  return 0;
}

/* One step for each element and slice: as many, each inside, no two at one. */
static bool one_to_one(relisting *k)
{
  int64_t x[CDAG_RANK] = { 0 };
  unsigned __int128 steps = k->g->array[k->of].count;
  for (int r = 0; r < CDAG_RANK; r++) {
    int64_t lo, hi;
    k->table[r] = k->g->tables - 1;
    if (!(k->slices >> r & 1))
      continue;
    cdag_range(k->g, k->array, r, x, &lo, &hi);
    steps *= (uint64_t)(hi > lo ? hi - lo : 0);
    if (steps > UINT64_MAX)
      return false;
  }
  if (steps != k->g->array[k->array].count || !each_held(k, 0, x))
    return false;
  if (k->n > 1)
    qsort(k->seen, k->n, sizeof *k->seen, by_indices);
  for (size_t i = 1; i < k->n; i++)
    if (by_indices(k->seen[i - 1], k->seen[i]) == 0)
      return false;
  return k->n > 0;
}

/* ---- the new rule ---- */

/* A loop that is no index by itself; false when it is held and no table gives it. */
static bool print_loop(const relisting *k, text *out, int r)
{
  const cdag_array *y = &k->g->array[k->array], *x = &k->g->array[k->of];
  const char *between = "[";
  if (k->slices >> r & 1) {
    text_add(out, y->var[r]);
    return true;
  }
  if (!(k->held >> r & 1) || k->table[r] < 0)
    return false;
  text_add(out, k->g->table[k->table[r]].name);
  for (int s = 0; s < x->rank; s++)
    if (expr_uses_table(k->t->index[s].lo)) {
      text_printf(out, "%s%s", between, x->var[s]);
      between = ",";
    }
  text_char(out, ']');
  return true;
}

/* The index under the new names; false when they do not say it. */
static bool print_renamed(const relisting *k, text *out, const expr *e)
{
  const cdag_array *y = &k->g->array[k->array], *x = &k->g->array[k->of];
  for (int s = 0; s < x->rank; s++)
    if (expr_equal(e, k->t->index[s].lo)) {
      text_add(out, x->var[s]);
      return true;
    }
  for (int r = 0; r < y->rank; r++)
    if (is_loop(k->g, e, r))
      return print_loop(k, out, r);
  if (!loops_in(k->g, e, y->rank)) {
    text_char(out, '(');
    expr_print(out, e);
    text_char(out, ')');
    return true;
  }
  if (e->op != EXPR_ADD && e->op != EXPR_SUB && e->op != EXPR_MUL)
    return false;
  text_char(out, '(');
  bool left = print_renamed(k, out, e->arg[0]);
  text_char(out, e->op == EXPR_ADD ? '+' : e->op == EXPR_SUB ? '-' : '*');
  bool right = print_renamed(k, out, e->arg[1]);
  text_char(out, ')');
  return left && right;
}

static bool print_term(const relisting *k, text *out, const cdag_term *t)
{
  text_printf(out, " %s", k->g->array[t->array].name);
  for (int r = 0; r < k->g->array[t->array].rank; r++) {
    text_char(out, r ? ',' : '[');
    if (!print_renamed(k, out, t->index[r].lo))
      return false;
  }
  text_add(out, "],");
  return true;
}

static void print_bounds(text *out, const cdag_array *a, int r)
{
  text_printf(out, "%s:", a->var[r]);
  expr_print(out, a->lo[r]);
  text_add(out, "..");
  expr_print(out, a->hi[r]);
}

static bool print_rule(const relisting *k, text *out)
{
  const cdag_array *y = &k->g->array[k->array], *x = &k->g->array[k->of];
  text_printf(out, "output %s", y->name);
  for (int s = 0; s < x->rank; s++) {
    text_char(out, s ? ',' : '[');
    print_bounds(out, x, s);
  }
  for (int r = 0; r < y->rank; r++)
    if (k->slices >> r & 1) {
      text_char(out, ',');
      print_bounds(out, y, r);
    }
  text_add(out, "] =");
  for (int t = 0; t < y->terms; t++)
    if (y->term[t].array != k->array && !print_term(k, out, &y->term[t]))
      return false;
  text_printf(out, " %s_chain", y->name);
  for (int r = 0; r < y->rank; r++) {
    text_char(out, r ? ',' : '[');
    bool bare = k->bare >> r & 1;
    for (int s = 0; bare && !(k->chain >> r & 1) && s < x->rank; s++)
      if (is_loop(k->g, k->t->index[s].lo, r))
        text_add(out, x->var[s]);
    if (k->chain >> r & 1)
      text_char(out, '0');
    else if (!bare && !print_loop(k, out, r))
      return false;
  }
  text_add(out, "]\n");
  return true;
}

static void print_chain_input(const relisting *k, text *out)
{
  const cdag_array *y = &k->g->array[k->array];
  text_printf(out, "input %s_chain", y->name);
  for (int r = 0; r < y->rank; r++)
    text_printf(out, "%s%lld", r ? "," : "[", (long long)(k->chain >> r & 1 ? 1 : y->hull.hi[r]));
  text_add(out, "]\n");
}

/* ---- all rules ---- */

static bool try_term(relisting *k, text *rule)
{
  bool good = read_indices(k) && ranges_fit(k);
  if (good) {
    find_chain(k);
    good = one_to_one(k) && print_rule(k, rule);
  }
  mem_free(k->seen);
  return good;
}

/* The rule anew, and its chains' input; false when no term of it names the steps. */
static bool try_array(const cdag *g, int array, text *rule, text *chains)
{
  const cdag_array *y = &g->array[array];
  if (y->terms == 0 || y->count == 0 || y->declared_input || !plain_terms(g, y))
    return false;
  for (int t = 0; t < y->terms; t++) {
    relisting k = { .g = g, .array = array, .of = y->term[t].array, .t = &y->term[t] };
    if (k.of == array || g->array[k.of].terms == 0 || g->array[k.of].count == 0)
      continue;
    text_clear(rule);
    if (try_term(&k, rule)) {
      print_chain_input(&k, chains);
      return true;
    }
  }
  return false;
}

static bool print_found(const cdag_view *v, int array, int part, text *out)
{
  const text *rule = v->own;
  (void)part;
  text_add(out, text_str(&rule[array]));
  return rule[array].n > 0;
}

static bool is_told(const cdag_view *v, const cdag_selection *s, int part)
{
  (void)part;
  return ((const text *)v->own)[s->array].n == 0;
}

void cdag_relist(const cdag *g, cdag_relisted *out)
{
  text source = { 0 }, chains = { 0 }, *rule = MEM_NEW(text, (size_t)g->arrays);
  bool found = false;
  diag d = { 0 };
  *out = (cdag_relisted){ NULL, MEM_NEW(int, (size_t)g->arrays) };
  for (int a = 0; a < g->arrays; a++) {
    out->chain[a] = -1;
    if (!g->graph && g->tables > 0 && try_array(g, a, &rule[a], &chains))
      found = true;
    else
      text_clear(&rule[a]);
  }
  if (found) {
    cdag_print_view(&source, g, &(cdag_view){ .own = rule, .rule = print_found, .puts_out = is_told });
    text_add(&source, text_str(&chains));
    if (cdag_parse(&out->g, "relisted", text_str(&source), "", &d) != OK)
      out->g = NULL;
  }
  for (int a = 0; a < g->arrays; a++) {
    if (out->g && rule[a].n)
      out->chain[a] = out->g->array[a].terms - 1;
    text_clear(&rule[a]);
  }
  text_clear(&source);
  text_clear(&chains);
  mem_free(rule);
}

void cdag_relisted_clear(cdag_relisted *r)
{
  cdag_free(r->g);
  mem_free(r->chain);
  *r = (cdag_relisted){ 0 };
}

int cdag_relisted_old(const cdag *g, const cdag_relisted *r, int array, int t)
{
  const cdag_array *y = &g->array[array];
  if (r->chain[array] < 0)
    return t;
  for (int old = 0; old < y->terms; old++)
    if (y->term[old].array != array && t-- == 0)
      return old;
  return -1;
}

int cdag_relisted_new(const cdag *g, const cdag_relisted *r, int array, int t)
{
  for (int now = 0; now < r->g->array[array].terms; now++)
    if (cdag_relisted_old(g, r, array, now) == t)
      return now;
  return -1;
}
