/* Reading an interaction program off a CDAG (docs/theory-lp.md, section 3).

   A kind is a statement with a computed operand (the value of the pair, which has a tree) and an input operand.  The
   trees of the kinds must share an array, the *anchor*, each of whose elements is one pair: then a pair's coordinates
   are the anchor's indices, whatever loops a statement calls them by.  Everything else -- which side a word belongs to,
   which row or column -- is compared in these coordinates, and must be the same wherever an array is read.

   On a mask the column of a pair is read from a table, col[I,q].  Rules that walk its lists from the other side are
   first given the names of this one (cdag/relist.h); then the look-up is one more coordinate, LISTED: a column is told
   by it and by coordinates of the pair, the same function of them for all words, and of the pairs of one row no two
   have the same column. */
#include "bounds/recognise/shape_covering.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/recognise/shape_internal.h"
#include "cdag/relist.h"
#include <string.h>

enum { DEPTH = 8, ARRAYS = 64, ANY = CDAG_RANK, LISTED = CDAG_RANK + 1, WHOLE = ((1 << CDAG_RANK) - 1) | 1 << LISTED };

/* A look-up at bare loops, or at coordinates of the pair. */
typedef struct {
  int table, at[CDAG_RANK];
  bool known;
} lookup;

/* Where a statement's pair value meets each array: its indices as forms in the statement's loops.  An index along a
   chain or a range is the slot ANY, which is no loop. */
typedef struct {
  const cdag *g;
  int statement;
  uint64_t tree;                   /* arrays to walk through */
  bool met[ARRAYS], clash[ARRAYS]; /* clash: at two different places */
  affine place[ARRAYS][CDAG_RANK];
  bool listed;                     /* a look-up may be the slot LISTED: */
  lookup listing;                  /* this one and no other */
} map;

static bool same_forms(const affine *a, const affine *b, int rank)
{
  for (int r = 0; r < rank; r++)
    if (((affine_slots(&a[r]) | affine_slots(&b[r])) & WHOLE) && !affine_equal(&a[r], &b[r]))
      return false;
  return true;
}

/* The loop that a form is; -1: it is none. */
static int bare_loop(const affine *f)
{
  unsigned slots = affine_slots(f);
  int q = slots ? __builtin_ctz(slots) : CDAG_RANK;
  affine alone = affine_slot(q);
  return q < CDAG_RANK && affine_equal(f, &alone) ? q : -1;
}

static bool look_up(map *m, const expr *e, const affine *from, int n)
{
  lookup l = { .table = e->slot, .known = true };
  for (int i = 0; i < e->nargs; i++) {
    affine f;
    if (i == CDAG_RANK || !affine_of_expr(m->g, e->arg[i], from, n, &f) || (l.at[i] = bare_loop(&f)) < 0)
      return false;
  }
  if (!m->listing.known)
    m->listing = l;
  return memcmp(&l, &m->listing, sizeof l) == 0;
}

/* Affine in the loops and in what is looked up. */
static bool form_with_listing(map *m, const expr *e, const affine *from, int n, affine *f)
{
  affine right;
  if (affine_of_expr(m->g, e, from, n, f))
    return true;
  if (m->listed && e->op == EXPR_TABLE && look_up(m, e, from, n)) {
    *f = affine_slot(LISTED);
    return true;
  }
  if (!m->listed || (e->op != EXPR_ADD && e->op != EXPR_SUB && e->op != EXPR_MUL) ||
      !form_with_listing(m, e->arg[0], from, n, f) || !form_with_listing(m, e->arg[1], from, n, &right))
    return false;
  if (e->op != EXPR_MUL)
    return affine_add(f, &right, e->op == EXPR_ADD ? 1 : -1);
  affine left = *f;
  *f = affine_const(0);
  return affine_is_const(&right) ? affine_add(f, &left, right.base)
                                 : affine_is_const(&left) && affine_add(f, &right, left.base);
}

static bool place_of(map *m, int reader, const cdag_term *t, const affine *from, affine *to)
{
  for (int r = 0; r < m->g->array[t->array].rank; r++) {
    to[r] = affine_slot(ANY);
    if (t->index[r].kind == CDAG_AT && !form_with_listing(m, t->index[r].lo, from, m->g->array[reader].rank, &to[r]))
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

enum { MOST = 12 };

typedef struct {
  const bound_statement *s;
  const bound_operand *value, *operand;
  map m;
  int loop_of[CDAG_RANK]; /* the loop that is coordinate r of the anchor; -1: none */
  unsigned row, column;   /* coordinates of the two sides, chain's side first until settled */
  int chain_term;         /* of a rule under other names: the term that says which chain; else -1 */
} kind;

static unsigned keys_of(const bound_statement *s) { return ((1u << s->rank) - 1) & ~s->chain; }

/* Chain and operand must know all slices, one word each, and lie on sides that make up the pair. */
static bool may_be_kind(const bound_statement *s, const bound_operand *value, const bound_operand *operand, bool listed)
{
  unsigned all = (1u << s->rank) - 1, slices = all & ~value->loops;
  return !value->input && value->always && !value->given && value->leaves > 0 && operand->input && operand->always &&
         (listed || !operand->given) && operand->term != s->seed && (s->chain & ~value->loops) == 0 &&
         (operand->loops & slices) == slices && (((keys_of(s) | operand->loops) & value->loops) == value->loops);
}

static bool make_kind(const cdag *g, const bound_statement *s, const bound_operand *value, const bound_operand *operand,
                      const cdag_relisted *names, kind *k)
{
  affine start[CDAG_RANK] = { { 0 } }, loop[CDAG_RANK];
  *k = (kind){ .s = s, .value = value, .operand = operand, .chain_term = names ? names->chain[s->array] : -1 };
  k->m = (map){ .g = g, .statement = s->array, .tree = value->tree, .listed = names };
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

static unsigned pair_slots(const kind *k) { return k->value->loops | 1u << LISTED; }

/* The forms of an array's indices in coordinates; indices that do not speak of the pair become 0. */
static void in_coordinates(const kind *k, const affine *place, int rank, affine *out)
{
  for (int r = 0; r < rank; r++) {
    out[r] = affine_const(0);
    if (!(affine_slots(&place[r]) & pair_slots(k)))
      continue;
    out[r].base = place[r].base;
    out[r].coef[LISTED] = place[r].coef[LISTED];
    for (int c = 0; c < CDAG_RANK; c++)
      if (k->loop_of[c] >= 0)
        out[r].coef[c] = place[r].coef[k->loop_of[c]];
  }
}

/* An index may speak of the pair or of a slice, not of both. */
static bool indices_separate(const kind *k, const affine *place, int rank)
{
  for (int r = 0; r < rank; r++)
    if (affine_slots(&place[r]) & pair_slots(k) && affine_slots(&place[r]) & ~pair_slots(k))
      return false;
  return true;
}

/* ---- the program ---- */

typedef struct {
  cover_shape *c;
  const cdag *g;
  const cdag *under;          /* the description as it was given, in whose terms the program speaks */
  const cdag_relisted *names; /* NULL: none are new */
  unsigned row, column;       /* coordinates of a row, of a column */
  affine place[COVER_ARRAYS][CDAG_RANK];
  lookup listing;             /* in coordinates: of all kinds that have one */
  affine_domain hull;         /* of the anchor, and the slot LISTED */
  unsigned slots[2];          /* that tell a row, a column apart, when names are new */
  bool told;                  /* pairs of one row are known to have different columns */
} builder;

/* ---- look-ups ---- */

/* All kinds look up the same; the slot's range is the table's. */
static bool same_listing(builder *b, const kind *k)
{
  lookup l = k->m.listing;
  affine lo = affine_const(0), hi = affine_const(0);
  int64_t entries = 1;
  if (!l.known)
    return true;
  const expr_table *t = &b->g->table[l.table];
  for (int i = 0; i < t->rank; i++) {
    int r = 0;
    while (r < CDAG_RANK && k->loop_of[r] != l.at[i])
      r++;
    if (r == CDAG_RANK)
      return false;
    l.at[i] = r;
    entries *= t->extent[i];
  }
  if (b->listing.known)
    return memcmp(&l, &b->listing, sizeof l) == 0;
  b->listing = l;
  expr_table_span(t, entries, &lo.base, &hi.base);
  hi.base++;
  return affine_domain_extend(&b->hull, LISTED, &lo, &hi);
}

/* Are rows and columns told by the same slots in every array, injectively?  The side that nothing is looked up for is
   told by its coordinates. */
static bool side_told(builder *b, bool column, const affine *here, int rank)
{
  unsigned slots = 0, *known = &b->slots[column];
  for (int r = 0; r < rank; r++)
    slots |= affine_slots(&here[r]);
  if (!*known)
    *known = slots;
  return slots == *known && (slots >> LISTED & 1 || slots == (column ? b->column : b->row)) &&
         affine_injective(&b->hull, here, rank, slots);
}

/* Of words whose column is looked up: are those of different pairs of one row known to differ?  Then the columns are,
   and once for all, as every array tells them by the same function. */
static void note_given(builder *b, bool column, const kind *k, unsigned given)
{
  b->told = b->told || (b->slots[column] >> LISTED & 1 &&
                        (coordinates_of(k, given) & ~(column ? b->row : b->column)) == 0);
}

/* The word array, made when new; -1 when the place or the side differs from earlier uses. */
static int word_array(builder *b, const kind *k, int array, const affine *place, bool column, int64_t width)
{
  affine here[CDAG_RANK];
  int rank = b->g->array[array].rank;
  if (!indices_separate(k, place, rank))
    return -1;
  in_coordinates(k, place, rank, here);
  if (b->names && !side_told(b, column, here, rank))
    return -1;
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
    if ((l->given && !b->names) || (side != b->row && side != b->column) || l->loops & ~k->value->loops)
      continue;
    if (!k->m.met[l->array] || k->m.clash[l->array])
      return false;
    int w = word_array(b, k, l->array, k->m.place[l->array], side == b->column, l->width);
    if (w < 0)
      return false;
    note_given(b, side == b->column, k, l->given);
    *whole |= 1u << w;
  }
  return true;
}

static int operand_array(builder *b, kind *k)
{
  affine loop[CDAG_RANK], place[CDAG_RANK] = { { 0 } };
  bool column = coordinates_of(k, k->operand->loops) == b->column;
  for (int r = 0; r < CDAG_RANK; r++)
    loop[r] = affine_slot(r);
  if (!place_of(&k->m, k->s->array, &b->g->array[k->s->array].term[k->operand->term], loop, place) ||
      !same_listing(b, k))
    return -1;
  int w = word_array(b, k, k->operand->array, place, column, 0);
  note_given(b, column, k, k->operand->given);
  return w;
}

/* A chain is told by its statement's loops outside it, or by the term that stands for it. */
static int chain_array(builder *b, kind *k)
{
  bool column = coordinates_of(k, keys_of(k->s)) == b->column;
  affine loop[CDAG_RANK], place[CDAG_RANK] = { { 0 } };
  for (int r = 0; r < CDAG_RANK; r++)
    loop[r] = affine_slot(r);
  for (int r = 0; r < k->s->rank; r++)
    place[r] = keys_of(k->s) >> r & 1 ? loop[r] : affine_const(0);
  if (k->chain_term < 0)
    return word_array(b, k, k->s->array, place, column, 0);
  const cdag_term *t = &b->g->array[k->s->array].term[k->chain_term];
  if (!place_of(&k->m, k->s->array, t, loop, place) || !same_listing(b, k))
    return -1;
  int w = word_array(b, k, t->array, place, column, 0);
  if (w >= 0) {
    b->c->array[w] = k->s->array;
    memcpy(b->c->p.array[w].name, b->g->array[k->s->array].name, sizeof b->c->p.array[w].name - 1);
  }
  return w;
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

static int old_term(const builder *b, const kind *k, int term)
{
  return b->names ? cdag_relisted_old(b->under, b->names, k->s->array, term) : term;
}

static bool add_kind(builder *b, kind *k)
{
  cover_program *p = &b->c->p;
  cover_kind w = { .steps = k->s->steps };
  if (p->kinds == COVER_KINDS || !width_of(k, &w.width) || !same_listing(b, k) || !add_leaves(b, k, &w.whole))
    return false;
  w.operand = operand_array(b, k);
  w.chain = chain_array(b, k);
  if (w.operand < 0 || w.chain < 0 || k->value->words > INT64_MAX / 8 || k->s->steps > INT64_MAX / 8)
    return false;
  memcpy(w.name, b->g->array[k->s->array].name, sizeof w.name - 1);
  w.value_term = old_term(b, k, k->value->term);
  w.operand_term = old_term(b, k, k->operand->term);
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

/* What is looked at: a description, its rules perhaps under other names (g is then theirs). */
typedef struct {
  const cdag *g, *under;
  const cdag_relisted *names;
  kind *k[MOST];
  int kinds;
} candidates;

static int try_anchor(const candidates *from, int anchor, cover_shape *c)
{
  kind *chosen[COVER_KINDS];
  builder *b = mem_new(2, sizeof *b), *before = b + 1;
  int n = 0;
  *c = (cover_shape){ .anchor = anchor };
  *b = (builder){ .c = c, .g = from->g, .under = from->under, .names = from->names };
  shape_hull_domain(from->g, anchor, &b->hull);
  for (int i = 0; i < from->kinds && n < COVER_KINDS; i++) {
    cover_shape shape = *c;
    *before = *b;
    if (!anchored(from->k[i], anchor) || !belongs(b, from->k[i], chosen, n))
      continue;
    chosen[n] = from->k[i];
    if (add_kind(b, from->k[i]) && seeds_apart(b, chosen, n + 1))
      n++;
    else {
      *c = shape;
      *b = *before;
    }
  }
  if (b->listing.known && !b->told)
    n = 0;
  mem_free(b);
  c->p.pairs = num_min(c->p.pairs, anchors(from->under, anchor));
  return n;
}

/* ---- search ---- */

static void find_kinds(candidates *c, bound_statement *s, int statements)
{
  for (int i = 0; i < statements; i++)
    for (int v = 0; v < s[i].operands; v++)
      for (int o = 0; o < s[i].operands && c->kinds < MOST; o++) {
        if (!may_be_kind(&s[i], &s[i].operand[v], &s[i].operand[o], c->names))
          continue;
        kind *k = c->k[c->kinds] = mem_new(1, sizeof *k);
        if (make_kind(c->g, &s[i], &s[i].operand[v], &s[i].operand[o], c->names, k))
          c->kinds++;
        else
          mem_free(k);
      }
}

static int find_statements(const candidates *c, const bound_live *live, bound_statement *s)
{
  int n = 0;
  for (int a = 0; a < c->under->arrays && n < MOST; a++) {
    bound_statement listed;
    if (!bound_statement_find(c->under, live, a, &listed))
      continue;
    s[n] = listed;
    n += !c->names || c->names->chain[a] < 0 ||
         bound_statement_relisted(c->g, c->names->chain[a], &listed, &s[n]);
  }
  return n;
}

/* The anchor with the most kinds, if there are more than `most`. */
static int best_anchor(const cdag *g, const cdag_relisted *names, const bound_live *live, int most, cover_shape *best)
{
  candidates c = { .g = names ? names->g : g, .under = g, .names = names };
  bound_statement *s = MEM_NEW(bound_statement, MOST);
  find_kinds(&c, s, find_statements(&c, live, s));
  for (int anchor = 0; anchor < g->arrays; anchor++) {
    cover_shape one;
    int here = try_anchor(&c, anchor, &one);
    if (here > most) {
      most = here;
      *best = one;
    }
  }
  for (int i = 0; i < c.kinds; i++)
    mem_free(c.k[i]);
  mem_free(s);
  return most;
}

bool bound_cover_find(const cdag *g, const bound_live *known, cover_shape *c)
{
  if (g->graph || g->arrays > ARRAYS)
    return false;
  bound_live own;
  const bound_live *live = bound_live_of(g, known, &own);
  int most = best_anchor(g, NULL, live, 0, c);
  cdag_relisted names;
  cdag_relist(g, &names);
  if (names.g && names.g->arrays <= ARRAYS)
    most = best_anchor(g, &names, live, most, c);
  cdag_relisted_clear(&names);
  c->p.outputs = most ? live->outputs : 0;
  bound_live_clear(&own);
  return most > 0;
}
