/* Reading an interaction program off a CDAG (docs/theory-lp.md, section 3).

   A kind is a statement with a computed operand (the value of the pair, which has a tree) and an input operand.  The
   trees of the kinds must share an array, the *anchor*, each of whose elements is one pair: then a pair's coordinates
   are the anchor's indices, whatever loops a statement calls them by.  Everything else -- which side a word belongs to,
   which row or column -- is compared in these coordinates, and must be the same wherever an array is read. */
#include "bounds/recognise/shape_covering.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/recognise/shape_internal.h"
#include <string.h>

enum { DEPTH = 8, ARRAYS = 64, WHOLE = (1 << CDAG_RANK) - 1, ANY = CDAG_RANK };

/* Where a statement's pair value meets each array: its indices as forms in the statement's loops.  An index along a
   chain or a range is the slot ANY, which is no loop. */
typedef struct {
  const cdag *g;
  int statement;
  uint64_t tree;                   /* arrays to walk through */
  bool met[ARRAYS], clash[ARRAYS]; /* clash: at two different places */
  affine place[ARRAYS][CDAG_RANK];
} map;

static bool same_forms(const affine *a, const affine *b, int rank)
{
  for (int r = 0; r < rank; r++)
    if (((affine_slots(&a[r]) | affine_slots(&b[r])) & WHOLE) && !affine_equal(&a[r], &b[r]))
      return false;
  return true;
}

static bool place_of(const map *m, int reader, const cdag_term *t, const affine *from, affine *to)
{
  for (int r = 0; r < m->g->array[t->array].rank; r++) {
    to[r] = affine_slot(ANY);
    if (t->index[r].kind == CDAG_AT && !affine_of_expr(m->g, t->index[r].lo, from, m->g->array[reader].rank, &to[r]))
      return false;
  }
  return true;
}

/* An element of a chain stands for all of it; false when its place there depends on the pair. */
static bool along_chains(const cdag *g, int array, affine *at)
{
  const cdag_array *a = &g->array[array];
  affine loop[CDAG_RANK], f;
  for (int r = 0; r < CDAG_RANK; r++)
    loop[r] = affine_slot(r);
  for (int t = 0; t < a->terms; t++)
    for (int r = 0; a->term[t].array == array && r < a->rank; r++) {
      const cdag_index *x = &a->term[t].index[r];
      if (x->kind == CDAG_AT && affine_of_expr(g, x->lo, loop, a->rank, &f) && affine_equal(&f, &loop[r]))
        continue;
      if (affine_slots(&at[r]) & WHOLE)
        return false;
      at[r] = affine_slot(ANY);
    }
  return true;
}

static void walk(map *m, int array, const affine *at, int depth)
{
  const cdag_array *a = &m->g->array[array];
  affine here[CDAG_RANK];
  if (m->met[array]) {
    m->clash[array] = m->clash[array] || !same_forms(m->place[array], at, a->rank);
    return;
  }
  m->met[array] = true;
  memcpy(m->place[array], at, sizeof m->place[array]);
  memcpy(here, at, sizeof here);
  if (m->tree >> array & 1 && !along_chains(m->g, array, here)) {
    m->clash[array] = true;
    return;
  }
  for (int t = 0; t < a->terms && depth < DEPTH && m->tree >> array & 1; t++) {
    affine next[CDAG_RANK] = { { 0 } };
    if (a->term[t].array == array)
      continue;
    if (place_of(m, array, &a->term[t], here, next))
      walk(m, a->term[t].array, next, depth + 1);
    else
      m->clash[a->term[t].array] = true;
  }
}

/* ---- kinds ---- */

typedef struct {
  const bound_statement *s;
  const bound_operand *value, *operand;
  map m;
  int loop_of[CDAG_RANK]; /* the loop that is coordinate r of the anchor; -1: none */
  unsigned row, column;   /* coordinates of the two sides, chain's side first until settled */
  bool chain_on_row;
} kind;

static unsigned keys_of(const bound_statement *s) { return ((1u << s->rank) - 1) & ~s->chain; }

/* Chain and operand must know all slices, one word each, and lie on sides that make up the pair. */
static bool may_be_kind(const bound_statement *s, const bound_operand *value, const bound_operand *operand)
{
  unsigned all = (1u << s->rank) - 1, slices = all & ~value->loops;
  return !value->input && value->always && !value->given && value->leaves > 0 && operand->input && operand->always &&
         !operand->given && operand->term != s->seed && (s->chain & ~value->loops) == 0 &&
         (operand->loops & slices) == slices && (((keys_of(s) | operand->loops) & value->loops) == value->loops);
}

static bool make_kind(const cdag *g, const bound_statement *s, const bound_operand *value, const bound_operand *operand,
                      kind *k)
{
  affine start[CDAG_RANK] = { { 0 } }, loop[CDAG_RANK];
  *k = (kind){ .s = s, .value = value, .operand = operand };
  k->m = (map){ .g = g, .statement = s->array, .tree = value->tree };
  for (int r = 0; r < CDAG_RANK; r++)
    loop[r] = affine_slot(r);
  if (g->arrays > ARRAYS || !place_of(&k->m, s->array, &g->array[s->array].term[value->term], loop, start))
    return false;
  walk(&k->m, value->array, start, 0);
  for (int i = 0; i < g->arrays; i++)
    if (value->tree >> i & 1 && k->m.clash[i])
      return false; /* what lies below may have been met from the wrong place */
  return true;
}

/* ---- coordinates ---- */

/* Is each of the value's loops by itself one index of the anchor, and no index anything else of them? */
static bool anchored(kind *k, int anchor)
{
  unsigned seen = 0;
  if (!(k->value->tree >> anchor & 1) || !k->m.met[anchor] || k->m.clash[anchor])
    return false;
  for (int r = 0; r < CDAG_RANK; r++) {
    k->loop_of[r] = -1;
    if (r >= k->m.g->array[anchor].rank)
      continue;
    const affine *f = &k->m.place[anchor][r];
    unsigned slots = affine_slots(f);
    if (!(slots & WHOLE))
      continue;
    int loop = __builtin_ctz(slots);
    if (slots != 1u << loop || f->coef[loop] != 1 || f->base != 0 || seen >> loop & 1)
      return false;
    seen |= 1u << loop;
    k->loop_of[r] = loop;
  }
  return seen == k->value->loops;
}

static unsigned coordinates_of(const kind *k, unsigned loops)
{
  unsigned c = 0;
  for (int r = 0; r < CDAG_RANK; r++)
    c |= (unsigned)(k->loop_of[r] >= 0 && loops >> k->loop_of[r] & 1) << r;
  return c;
}

/* The forms of an array's indices in coordinates; indices that do not speak of the pair become 0. */
static void in_coordinates(const kind *k, const affine *place, int rank, affine *out)
{
  for (int r = 0; r < rank; r++) {
    out[r] = affine_const(0);
    if (!(affine_slots(&place[r]) & k->value->loops))
      continue;
    out[r].base = place[r].base;
    for (int c = 0; c < CDAG_RANK; c++)
      if (k->loop_of[c] >= 0)
        out[r].coef[c] = place[r].coef[k->loop_of[c]];
  }
}

/* An index may speak of the pair or of a slice, not of both. */
static bool indices_separate(const kind *k, const affine *place, int rank)
{
  for (int r = 0; r < rank; r++)
    if (affine_slots(&place[r]) & k->value->loops && affine_slots(&place[r]) & ~k->value->loops)
      return false;
  return true;
}

/* ---- the program ---- */

typedef struct {
  cover_shape *c;
  const cdag *g;
  unsigned row, column; /* coordinates of a row, of a column */
  affine place[COVER_ARRAYS][CDAG_RANK];
} builder;

/* The word array, made when new; -1 when the place or the side differs from earlier uses. */
static int word_array(builder *b, const kind *k, int array, const affine *place, bool column, int64_t width)
{
  affine here[CDAG_RANK];
  int rank = b->g->array[array].rank;
  if (!indices_separate(k, place, rank))
    return -1;
  in_coordinates(k, place, rank, here);
  for (int i = 0; i < b->c->p.arrays; i++)
    if (b->c->array[i] == array) {
      for (int r = 0; r < rank; r++)
        if (!affine_equal(&here[r], &b->place[i][r]))
          return -1;
      if (b->c->p.array[i].column != column)
        return -1;
      b->c->p.array[i].width = num_max(b->c->p.array[i].width, width);
      return i;
    }
  if (b->c->p.arrays == COVER_ARRAYS)
    return -1;
  int i = b->c->p.arrays++;
  cover_array *w = &b->c->p.array[i];
  *w = (cover_array){ .column = column, .width = width };
  memcpy(w->name, b->g->array[array].name, sizeof w->name - 1);
  b->c->array[i] = array;
  memcpy(b->place[i], here, sizeof here);
  return i;
}

/* Leaves that belong to exactly one row or one column; two leaves of one array count as the wider. */
static bool add_leaves(builder *b, const kind *k, unsigned *whole)
{
  for (int i = 0; i < k->value->leaves; i++) {
    const bound_leaf *l = &k->value->leaf[i];
    unsigned side = coordinates_of(k, l->loops);
    if (l->given || (side != b->row && side != b->column) || l->loops & ~k->value->loops)
      continue;
    if (!k->m.met[l->array] || k->m.clash[l->array])
      return false;
    int w = word_array(b, k, l->array, k->m.place[l->array], side == b->column, l->width);
    if (w < 0)
      return false;
    *whole |= 1u << w;
  }
  return true;
}

static int operand_array(builder *b, const kind *k)
{
  affine loop[CDAG_RANK], place[CDAG_RANK] = { { 0 } };
  for (int r = 0; r < CDAG_RANK; r++)
    loop[r] = affine_slot(r);
  if (!place_of(&k->m, k->s->array, &b->g->array[k->s->array].term[k->operand->term], loop, place))
    return -1;
  return word_array(b, k, k->operand->array, place, coordinates_of(k, k->operand->loops) == b->column, 0);
}

static bool width_of(const kind *k, int64_t *width)
{
  *width = 1;
  for (int r = 0; r < k->s->rank; r++)
    if (!(k->value->loops >> r & 1) && !num_mul(*width, k->s->extent[r], width))
      return false;
  return *width < 1 << 28;
}

/* Pairs of the kind: exactly, when the slices are the same at every pair; else the settings there may be. */
static int64_t pairs_of(const builder *b, const kind *k, int64_t width)
{
  unsigned slices = ((1u << k->s->rank) - 1) & ~k->value->loops;
  for (int r = 0; r < k->s->rank; r++)
    for (int q = 0; q < r; q++)
      if (((slices >> q | slices >> r) & 1) && affine_range_uses(b->g, k->s->array, r, q))
        return (int64_t)k->value->words;
  return (int64_t)(k->s->steps / (uint64_t)width);
}

static int seed_array(const bound_statement *s)
{
  for (int i = 0; i < s->operands; i++)
    if (s->operand[i].term == s->seed)
      return s->operand[i].array;
  return -1;
}

/* A chain that starts from an input word has that word: no kind may count words of that array for anything else. */
static bool seeds_apart(const builder *b, kind *const *chosen, int n)
{
  for (int i = 0; i < n; i++) {
    int seed = seed_array(chosen[i]->s);
    for (int a = 0; seed >= 0 && a < b->c->p.arrays; a++)
      if (b->c->array[a] == seed)
        return false;
    for (int k = 0; seed >= 0 && k < i; k++)
      if (seed_array(chosen[k]->s) == seed)
        return false;
  }
  return true;
}

static bool add_kind(builder *b, const kind *k)
{
  cover_program *p = &b->c->p;
  cover_kind w = { .steps = k->s->steps };
  unsigned chain_side = coordinates_of(k, keys_of(k->s));
  affine identity[CDAG_RANK] = { { 0 } };
  if (p->kinds == COVER_KINDS || !width_of(k, &w.width) || !add_leaves(b, k, &w.whole))
    return false;
  for (int r = 0; r < k->s->rank; r++)
    identity[r] = keys_of(k->s) >> r & 1 ? affine_slot(r) : affine_const(0);
  w.operand = operand_array(b, k);
  w.chain = word_array(b, k, k->s->array, identity, chain_side == b->column, 0);
  if (w.operand < 0 || w.chain < 0 || k->value->words > INT64_MAX / 8 || k->s->steps > INT64_MAX / 8)
    return false;
  memcpy(w.name, b->g->array[k->s->array].name, sizeof w.name - 1);
  w.value_term = k->value->term;
  w.operand_term = k->operand->term;
  b->c->statement[p->kinds] = k->s->array;
  p->kind[p->kinds++] = w;
  p->pairs += pairs_of(b, k, w.width); /* the kinds' pairs may be others: no more than the anchor has, see try_anchor */
  p->births += k->s->seed >= 0 ? 0 : k->s->chains;
  b->c->seeded = b->c->seeded || k->s->seed >= 0;
  return true;
}

/* Arrays that two trees share must be met at the same place, so that a vertex belongs to one pair. */
static bool trees_agree(const kind *a, const kind *b)
{
  for (int i = 0; i < a->m.g->arrays; i++) {
    affine x[CDAG_RANK], y[CDAG_RANK];
    int rank = a->m.g->array[i].rank;
    if (!(a->value->tree & b->value->tree & (uint64_t)1 << i))
      continue;
    if (a->m.clash[i] || b->m.clash[i])
      return false;
    in_coordinates(a, a->m.place[i], rank, x);
    in_coordinates(b, b->m.place[i], rank, y);
    for (int r = 0; r < rank; r++)
      if (!affine_equal(&x[r], &y[r]))
        return false;
  }
  return true;
}

/* Tree of one kind, chain or words of another: then a word would be counted twice. */
static bool roles_separate(const kind *a, const kind *b)
{
  return !(a->value->tree >> b->s->array & 1) && !(b->value->tree >> a->s->array & 1);
}

static bool belongs(builder *b, const kind *k, kind *const *chosen, int n)
{
  unsigned chain = coordinates_of(k, keys_of(k->s)), operand = coordinates_of(k, k->operand->loops);
  if (n == 0) {
    b->row = chain;
    b->column = operand;
    return chain != operand;
  }
  bool fits = (chain == b->row && operand == b->column) || (chain == b->column && operand == b->row);
  for (int i = 0; i < n && fits; i++)
    fits = chosen[i]->s != k->s && trees_agree(chosen[i], k) && roles_separate(chosen[i], k);
  return fits;
}

/* Different pairs have different vertices of the anchor: as many as it has elements, or chains. */
static int64_t anchors(const cdag *g, int anchor)
{
  const cdag_array *a = &g->array[anchor];
  cdag_box first = a->hull;
  shape_chain c;
  shape_chain_find(g, anchor, &c);
  if (shape_straight(g, anchor, &c))
    for (int r = 0; r < a->rank; r++) {
      bool varies = false;
      for (int q = 0; q < r; q++)
        varies = varies || affine_range_uses(g, anchor, r, q);
      if (shape_chain_loops(&c) >> r & 1 && !varies)
        first.hi[r] = first.lo[r] + 1;
    }
  return num_min((int64_t)cdag_box_count(g, anchor, &first), INT64_MAX / 8);
}

static int try_anchor(const cdag *g, kind *const *k, int kinds, int anchor, cover_shape *c)
{
  kind *chosen[COVER_KINDS];
  builder *b = mem_new(1, sizeof *b);
  int n = 0;
  *c = (cover_shape){ .anchor = anchor };
  b->c = c;
  b->g = g;
  for (int i = 0; i < kinds && n < COVER_KINDS; i++) {
    cover_shape before = *c;
    if (!anchored(k[i], anchor) || !belongs(b, k[i], chosen, n))
      continue;
    chosen[n] = k[i];
    if (add_kind(b, k[i]) && seeds_apart(b, chosen, n + 1))
      n++;
    else
      *c = before;
  }
  mem_free(b);
  c->p.pairs = num_min(c->p.pairs, anchors(g, anchor));
  return n;
}

/* ---- search ---- */

enum { MOST = 12 };

static void find_kinds(const cdag *g, bound_statement *s, int statements, kind **k, int *n)
{
  for (int i = 0; i < statements; i++)
    for (int v = 0; v < s[i].operands; v++)
      for (int o = 0; o < s[i].operands && *n < MOST; o++) {
        if (!may_be_kind(&s[i], &s[i].operand[v], &s[i].operand[o]))
          continue;
        k[*n] = mem_new(1, sizeof **k);
        if (make_kind(g, &s[i], &s[i].operand[v], &s[i].operand[o], k[*n]))
          (*n)++;
        else
          mem_free(k[*n]);
      }
}

static int find_statements(const cdag *g, const bound_live *known, bound_statement *s, uint64_t *stores)
{
  int n = 0;
  bound_live own;
  const bound_live *live = bound_live_of(g, known, &own);
  *stores = live->outputs;
  for (int a = 0; a < g->arrays && n < MOST; a++)
    n += bound_statement_find(g, live, a, &s[n]);
  bound_live_clear(&own);
  return n;
}

bool bound_cover_find(const cdag *g, const bound_live *known, cover_shape *c)
{
  if (g->graph || g->arrays > ARRAYS)
    return false;
  bound_statement *s = MEM_NEW(bound_statement, MOST);
  kind *k[MOST] = { 0 };
  uint64_t stores;
  int kinds = 0, most = 0, n = find_statements(g, known, s, &stores);
  find_kinds(g, s, n, k, &kinds);
  for (int anchor = 0; anchor < g->arrays; anchor++) {
    cover_shape one;
    int here = try_anchor(g, k, kinds, anchor, &one);
    if (here > most) {
      most = here;
      *c = one;
    }
  }
  for (int i = 0; i < kinds; i++)
    mem_free(k[i]);
  mem_free(s);
  c->p.outputs = most ? stores : 0;
  return most > 0;
}
