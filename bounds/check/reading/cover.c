/* A pair's coordinates are the indices of one array, the anchor, that every kind's value is computed through.
   Everything else -- to which row or column a word belongs, to which pair a vertex -- is compared in these coordinates
   and must be the same wherever an array is met.

   On a mask a column is read from a table at coordinates of the pair.  Where the kinds are work at pairs only after
   their rules have the names of one side (cdag/relist.h), what is looked up is one more place, LOOKED. */
#include "bounds/check/reading/cover.h"
#include "base/mem.h"
#include "base/num.h"
#include <limits.h>
#include <string.h>

enum { ARRAYS = 64, ANY = CDAG_RANK, LOOKED = CDAG_RANK + 1, LOOPS = ((1 << CDAG_RANK) - 1) | 1 << LOOKED };

/* A table read at loops, or at coordinates; -1: none is. */
typedef struct { int table, at[CDAG_RANK]; } look;

/* Where a pair's value meets each array, in the statement's loops.  An index that takes many values (along a chain, a
 * range) is the place ANY. */
typedef struct {
  const cdag *g;
  uint64_t tree;                   /* arrays to walk through */
  bool met[ARRAYS], clash[ARRAYS]; /* clash: at two different places, or at one that is not known */
  form place[ARRAYS][CDAG_RANK];
  bool looks;                      /* tables may be read: */
  look up;                         /* this one, at these loops */
} map;

static unsigned loops_in(const form *f) { return form_uses(f) & LOOPS; }

static bool same_place(const form *a, const form *b, int rank)
{
  for (int r = 0; r < rank; r++)
    if ((loops_in(&a[r]) || loops_in(&b[r])) && !form_same(&a[r], &b[r]))
      return false;
  return true;
}

/* The look-up itself: at single loops, and the one that was met before. */
static bool looked_up(map *m, const expr *e, const form *from, int n, form *f)
{
  look here = { .table = e->slot };
  for (int i = 0; i < e->nargs; i++) {
    form at;
    if (!form_read(m->g, e->arg[i], from, n, &at) || !form_uses(&at))
      return false;
    here.at[i] = __builtin_ctz(form_uses(&at));
    form alone = form_loop(here.at[i]);
    if (here.at[i] >= CDAG_RANK || !form_same(&at, &alone))
      return false;
  }
  if (m->up.table < 0)
    m->up = here;
  *f = form_loop(LOOKED);
  return memcmp(&here, &m->up, sizeof here) == 0;
}

/* Linear in the loops and in what is looked up. */
static bool read_looking(map *m, const expr *e, const form *from, int n, form *f)
{
  form left, right;
  if (form_read(m->g, e, from, n, f))
    return true;
  if (!m->looks)
    return false;
  if (e->op == EXPR_TABLE)
    return looked_up(m, e, from, n, f);
  if ((e->op != EXPR_ADD && e->op != EXPR_SUB && e->op != EXPR_MUL) || !read_looking(m, e->arg[0], from, n, &left) ||
      !read_looking(m, e->arg[1], from, n, &right))
    return false;
  *f = e->op == EXPR_MUL ? form_number(0) : left;
  if (e->op != EXPR_MUL)
    return form_plus(f, &right, e->op == EXPR_ADD ? 1 : -1);
  return form_is_number(&right) ? form_plus(f, &left, right.c) : form_is_number(&left) && form_plus(f, &right, left.c);
}

static bool place_of(map *m, int reader, const cdag_term *t, const form *from, form *to)
{
  for (int r = 0; r < m->g->array[t->array].rank; r++)
    if (t->index[r].kind != CDAG_AT)
      to[r] = form_loop(ANY);
    else if (!read_looking(m, t->index[r].lo, from, m->g->array[reader].rank, &to[r]))
      return false;
  return true;
}

/* An element of a chain stands for all of the chain; false when the place in the chain depends on the pair. */
static bool along_chains(const cdag *g, int array, form *at)
{
  const cdag_array *a = &g->array[array];
  form loop[CDAG_RANK], f;
  for (int r = 0; r < a->rank; r++)
    loop[r] = form_loop(r);
  for (int t = 0; t < a->terms; t++)
    for (int r = 0; a->term[t].array == array && r < a->rank; r++) {
      const cdag_index *x = &a->term[t].index[r];
      if (x->kind == CDAG_AT && form_read(g, x->lo, loop, a->rank, &f) && form_same(&f, &loop[r]))
        continue;
      if (loops_in(&at[r]))
        return false;
      at[r] = form_loop(ANY);
    }
  return true;
}

/* Every array is walked through once, so the depth is no more than their number. */
static void walk(map *m, int array, const form *at)
{
  const cdag_array *a = &m->g->array[array];
  form here[CDAG_RANK], next[CDAG_RANK];
  if (m->met[array]) {
    if (!same_place(m->place[array], at, a->rank))
      m->clash[array] = true;
    return;
  }
  m->met[array] = true;
  memcpy(m->place[array], at, sizeof m->place[array]);
  if (!(m->tree >> array & 1))
    return;
  memcpy(here, at, sizeof here);
  if (!along_chains(m->g, array, here)) {
    m->clash[array] = true;
    return;
  }
  for (int t = 0; t < a->terms; t++) {
    if (a->term[t].array == array)
      continue;
    memset(next, 0, sizeof next);
    if (place_of(m, array, &a->term[t], here, next))
      walk(m, a->term[t].array, next);
    else
      m->clash[a->term[t].array] = true;
  }
}

/* ---- kinds ---- */

typedef struct checker_work {
  bound_statement s;
  const bound_operand *value, *operand;
  int value_term, operand_term;    /* in the description's own terms */
  unsigned keys;
  map m;
  int loop_of[CDAG_RANK];          /* the loop that is coordinate r; -1: none */
  int chain_term;                  /* that says which chain, or -1 */
} kind;

static const bound_operand *operand_at(const bound_statement *s, int64_t term, bool looks)
{
  for (int i = 0; i < s->operands; i++)
    if (s->operand[i].term == term && s->operand[i].always && (looks || !s->operand[i].given))
      return &s->operand[i];
  return NULL;
}

/* Chain and operand know all slices and between them the pair; the chain runs over the pair alone.  (Leaves are a
   computed operand's; a seed is not read at every step.) */
static bool works_at_pairs(const kind *k)
{
  const bound_operand *v = k->value, *o = k->operand;
  unsigned all = (1u << k->s.rank) - 1, slices = all & ~v->loops;
  return v->leaves > 0 && !v->given && o->input && (k->s.chain & ~v->loops) == 0 && (slices & ~o->loops) == 0 &&
         (v->loops & ~(k->keys | o->loops)) == 0;
}

bool checker_cover_statement(const cdag_relisted *names, const bound_statement *listed, bound_statement *s)
{
  *s = *listed;
  int chain_term = names ? names->chain[listed->array] : -1;
  return chain_term < 0 || checker_statement_relisted(names->g, chain_term, listed, s);
}

/* The term under the names in force. */
static int term_now(const cdag *g, const cdag_relisted *names, int array, int term)
{
  if (!names || names->chain[array] < 0)
    return term;
  return term >= 0 && term < g->array[array].terms ? cdag_relisted_new(g, names, array, term) : -1;
}

static bool read_kind(const cdag *g, const cdag_relisted *names, const bound_statement *s, int value, int term,
                      kind *k)
{
  form loop[CDAG_RANK], start[CDAG_RANK] = { { 0 } };
  int array = s->array;
  k->s = *s;
  k->chain_term = names ? names->chain[array] : -1;
  k->value_term = value;
  k->operand_term = term;
  k->value = operand_at(&k->s, term_now(g, names, array, value), names);
  k->operand = operand_at(&k->s, term_now(g, names, array, term), names);
  k->keys = ((1u << s->rank) - 1) & ~s->chain;
  if (!k->value || !k->operand || !works_at_pairs(k))
    return false;
  for (int r = 0; r < CDAG_RANK; r++)
    loop[r] = form_loop(r);
  g = names ? names->g : g;
  k->m.g = g;
  k->m.tree = k->value->tree;
  k->m.looks = names;
  k->m.up.table = -1;
  /* unreachable: false of a value, which has a tree of its own only when no table places it */
  if (!place_of(&k->m, array, &g->array[array].term[k->value->term], loop, start))
    return false;
  walk(&k->m, k->value->array, start);
  for (int i = 0; i < g->arrays; i++)
    if (k->value->tree >> i & 1 && k->m.clash[i])
      return false; /* what lies below may have been met from the wrong place */
  return true;
}

checker_work *checker_work_read(const cdag *g, const cdag_relisted *names, const bound_statement *s, int value,
                                int operand)
{
  kind *k = mem_new(1, sizeof *k);
  if (g->arrays <= ARRAYS && (!names || names->g->arrays <= ARRAYS) && read_kind(g, names, s, value, operand, k))
    return k;
  mem_free(k);
  return NULL;
}

/* ---- coordinates ---- */

/* Each of the value's loops by itself is one index of the anchor, and no index is anything else of them.  (No loop is
   two indices: the tree would not have the anchor for its own.) */
static bool anchor_kind(kind *k, int anchor)
{
  unsigned seen = 0;
  if (!(k->value->tree >> anchor & 1))
    return false;
  for (int r = 0; r < CDAG_RANK; r++) {
    k->loop_of[r] = -1;
    if (!loops_in(&k->m.place[anchor][r])) /* beyond the rank there are none */
      continue;
    int q = __builtin_ctz(loops_in(&k->m.place[anchor][r]));
    form alone = form_loop(q);
    if (!form_same(&k->m.place[anchor][r], &alone))
      return false;
    seen |= 1u << q;
    k->loop_of[r] = q;
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

/* Indices that speak of the pair, in coordinates, and of nothing else; the others become 0. */
static bool in_coordinates(const kind *k, const form *place, int rank, form *out)
{
  for (int r = 0; r < rank; r++) {
    out[r] = form_number(0);
    unsigned uses = form_uses(&place[r]), pair = k->value->loops | 1u << LOOKED;
    if (!(uses & pair))
      continue;
    if (uses & ~pair)
      return false;
    out[r].c = place[r].c;
    out[r].k[LOOKED] = place[r].k[LOOKED];
    for (int c = 0; c < CDAG_RANK; c++)
      if (k->loop_of[c] >= 0)
        out[r].k[c] = place[r].k[k->loop_of[c]];
  }
  return true;
}

/* ---- words ---- */

typedef struct {
  const cdag *g;
  checker_cover *c;
  unsigned row, column;            /* coordinates */
  look up;                         /* in coordinates */
  form_domain hull;                /* of the coordinates and of what is looked up */
  unsigned told[2];                /* places that tell rows, columns, where names are new */
  bool looks, apart;               /* names are new; looked-up columns of one row are known to differ */
} builder;

/* ---- look-ups ---- */

/* One and the same for all kinds, in coordinates. */
static bool same_look(builder *b, const kind *k)
{
  look here = k->m.up;
  int64_t entries = 1, least, most;
  if (here.table < 0)
    return true;
  const expr_table *t = &b->g->table[here.table];
  for (int i = 0; i < t->rank; i++) {
    int r = CDAG_RANK - 1;
    while (r >= 0 && k->loop_of[r] != here.at[i])
      r--;
    if (r < 0)
      return false;
    here.at[i] = r;
    entries *= t->extent[i];
  }
  if (b->up.table >= 0)
    return memcmp(&here, &b->up, sizeof here) == 0;
  b->up = here;
  expr_table_span(t, entries, &least, &most);
  b->hull.lo[LOOKED] = least;
  b->hull.hi[LOOKED] = most + 1;
  return true;
}

/* Every array tells the rows (columns) by the same places, injectively; the side without look-ups by its coordinates.
 */
static bool tells_side(builder *b, bool column, const form *here, int rank)
{
  unsigned places = 0;
  for (int r = 0; r < rank; r++)
    places |= form_uses(&here[r]);
  if (b->told[column] == 0)
    b->told[column] = places;
  return places == b->told[column] && form_distinct(here, rank, places, &b->hull) &&
         (places >> LOOKED & 1 || places == (column ? b->column : b->row));
}

/* Words of looked-up columns that differ where the other side's coordinates are the same. */
static void see_apart(builder *b, bool column, const kind *k, unsigned given)
{
  unsigned other = column ? b->row : b->column;
  b->apart = b->apart || (b->told[column] >> LOOKED & 1 && (coordinates_of(k, given) & ~other) == 0);
}

/* -1 when the place mixes the pair with something else, or the array is placed in two ways. */
static int word_of(builder *b, const kind *k, int array, const form *place, bool column, int64_t width)
{
  form here[CDAG_RANK];
  int rank = b->g->array[array].rank, i = 0;
  if (!in_coordinates(k, place, rank, here) || (b->looks && !tells_side(b, column, here, rank)))
    return -1;
  while (i < b->c->words && b->c->word[i].array != array)
    i++;
  if (i == CHECKER_WORDS)
    return -1;
  checker_word *w = &b->c->word[i];
  if (i == b->c->words) {
    *w = (checker_word){ .array = array, .column = column };
    memcpy(w->place, here, sizeof here);
    b->c->words++;
  }
  for (int r = 0; r < rank; r++)
    if (!form_same(&w->place[r], &here[r]))
      return -1;
  w->width = num_max(w->width, width);
  return i; /* at the same place, so of the same side */
}

/* Leaves of exactly one row or column; two leaves of one array count as the wider.  (Each was met on the way, or would
 * have been at a clash.) */
static bool add_leaves(builder *b, const kind *k, unsigned *whole)
{
  for (int i = 0; i < k->value->leaves; i++) {
    const bound_leaf *l = &k->value->leaf[i];
    unsigned side = coordinates_of(k, l->loops);
    if ((l->given && !b->looks) || (side != b->row && side != b->column))
      continue;
    if (k->m.clash[l->array])
      return false;
    int w = word_of(b, k, l->array, k->m.place[l->array], side == b->column, l->width);
    if (w < 0)
      return false;
    see_apart(b, side == b->column, k, l->given);
    *whole |= 1u << w;
  }
  return true;
}

static int operand_word(builder *b, kind *k)
{
  bool column = coordinates_of(k, k->operand->loops) == b->column;
  form loop[CDAG_RANK], place[CDAG_RANK] = { { 0 } };
  for (int r = 0; r < CDAG_RANK; r++)
    loop[r] = form_loop(r);
  if (!place_of(&k->m, k->s.array, &b->g->array[k->s.array].term[k->operand->term], loop, place) || !same_look(b, k))
    return -1;
  int w = word_of(b, k, k->operand->array, place, column, 0);
  see_apart(b, column, k, k->operand->given);
  return w;
}

static int chain_word(builder *b, kind *k)
{
  bool column = coordinates_of(k, k->keys) == b->column;
  form loop[CDAG_RANK], place[CDAG_RANK] = { { 0 } };
  for (int r = 0; r < CDAG_RANK; r++)
    loop[r] = form_loop(r);
  for (int r = 0; r < k->s.rank; r++)
    place[r] = k->keys >> r & 1 ? loop[r] : form_number(0);
  if (k->chain_term < 0)
    return word_of(b, k, k->s.array, place, column, 0);
  const cdag_term *t = &b->g->array[k->s.array].term[k->chain_term];
  if (!place_of(&k->m, k->s.array, t, loop, place) || !same_look(b, k))
    return -1;
  int w = word_of(b, k, t->array, place, column, 0);
  if (w >= 0)
    b->c->word[w].array = k->s.array;
  return w;
}

static int64_t slices_of(const kind *k)
{
  int64_t n = 1;
  for (int r = 0; r < k->s.rank; r++)
    if (!(k->value->loops >> r & 1) && (n *= num_min(k->s.extent[r], 1 << 28)) >= 1 << 28)
      return 0;
  return n;
}

/* Pairs of the kind: exactly when every pair has the same slices, else at most so many; never more than there are
 * steps. */
static uint64_t pairs_of(const builder *b, const kind *k, int64_t slices)
{
  for (int r = 0; r < k->s.rank; r++)
    for (int q = 0; q < r; q++)
      if (!(k->value->loops >> q & 1 && k->value->loops >> r & 1) && form_depends(b->g, k->s.array, r, q))
        return (uint64_t)num_min((int64_t)k->value->words, (int64_t)k->s.steps);
  return k->s.steps / (uint64_t)slices;
}

static bool add_kind(builder *b, kind *k)
{
  checker_kind *w = &b->c->kind[b->c->kinds];
  *w = (checker_kind){ .array = k->s.array,
                       .value_term = k->value_term,
                       .operand_term = k->operand_term,
                       .slices = slices_of(k),
                       .steps = k->s.steps };
  if (w->slices < 1 || k->s.steps > INT64_MAX / 8 || !same_look(b, k) || !add_leaves(b, k, &w->whole))
    return false;
  w->operand = operand_word(b, k);
  w->chain = chain_word(b, k);
  if (w->operand < 0 || w->chain < 0)
    return false;
  b->c->kinds++;
  b->c->pairs += pairs_of(b, k, w->slices);
  b->c->births += k->s.seed < 0 ? k->s.chains : 0;
  b->c->seeded = b->c->seeded || k->s.seed >= 0;
  return true;
}

/* ---- kinds together ---- */

static int seed_of(const cdag *g, const kind *k)
{
  return k->s.seed < 0 ? -1 : g->array[k->s.array].term[k->s.seed].array;
}

/* A vertex belongs to one pair whichever kind it is met by; no chain is in another's tree; no word is a seed's. */
static bool together(const cdag *g, const kind *a, const kind *b)
{
  form x[CDAG_RANK], y[CDAG_RANK];
  uint64_t both = a->value->tree & b->value->tree;
  if (a->s.array == b->s.array || a->value->tree >> b->s.array & 1 || b->value->tree >> a->s.array & 1 ||
      (seed_of(g, a) >= 0 && seed_of(g, a) == seed_of(g, b)))
    return false;
  for (int i = 0; i < g->arrays; i++) {
    if (!(both >> i & 1))
      continue;
    int rank = g->array[i].rank;
    if (!in_coordinates(a, a->m.place[i], rank, x) || !in_coordinates(b, b->m.place[i], rank, y))
      return false;
    for (int r = 0; r < rank; r++)
      if (!form_same(&x[r], &y[r]))
        return false;
  }
  return true;
}

/* The row and the column are those of the first kind: different, since its operand knows the loops its chain runs over.
 */
static bool sides_fit(const builder *b, const kind *k)
{
  unsigned chain = coordinates_of(k, k->keys), operand = coordinates_of(k, k->operand->loops);
  return (chain == b->row && operand == b->column) || (chain == b->column && operand == b->row);
}

static bool seeds_apart(const builder *b, kind *const *k, int n)
{
  for (int i = 0; i < n; i++)
    for (int w = 0; w < b->c->words; w++)
      if (b->c->word[w].array == seed_of(b->g, k[i]))
        return false;
  return true;
}

/* Different pairs have different vertices of the anchor: as many as it has elements, or chains. */
static uint64_t anchors(const cdag *g, int anchor)
{
  checker_chain c;
  uint64_t n;
  checker_chain_read(g, anchor, &c);
  return c.straight && checker_chain_count(g, anchor, &c, &n) ? n : g->array[anchor].count;
}

bool checker_cover_build(const cdag *g, const cdag_relisted *names, checker_work *const *k, int n, int anchor,
                         checker_cover *c)
{
  *c = (checker_cover){ .kinds = 0 };
  builder b = { .g = names ? names->g : g, .c = c, .up = { .table = -1 }, .looks = names };
  form_hull(g, anchor, &b.hull);
  for (int i = 0; i < n; i++) {
    if (!anchor_kind(k[i], anchor))
      return false;
    b.row = i ? b.row : coordinates_of(k[0], k[0]->keys);
    b.column = i ? b.column : coordinates_of(k[0], k[0]->operand->loops);
    for (int m = 0; m < i; m++)
      if (!together(b.g, k[m], k[i]))
        return false;
    if (!sides_fit(&b, k[i]) || !add_kind(&b, k[i]))
      return false;
    c->tree |= k[i]->value->tree;
  }
  c->pairs = (uint64_t)num_min((int64_t)c->pairs, (int64_t)anchors(g, anchor));
  c->apart = b.up.table < 0 || b.apart;
  return seeds_apart(&b, k, n);
}

uint64_t checker_cover_others(const cdag *g, const bool *live, const checker_cover *c)
{
  uint64_t counted = c->tree, all = 0;
  for (int w = 0; w < c->words; w++)
    counted |= (uint64_t)1 << c->word[w].array;
  for (int a = 0; a < g->arrays && !c->seeded; a++)
    if (!(counted >> a & 1) && g->array[a].terms == 0 && !g->array[a].declared_output)
      all += checker_inputs_of(g, live, a);
  return all;
}

/* The kind that a certificate names. */
static checker_work *named_kind(const cdag *g, const cdag_relisted *names, const bool *live, const json_value *v)
{
  const char *name = json_get_string(v, "statement");
  int array = name ? cdag_find_array(g, name) : -1;
  int value, term;
  bound_statement listed, s;
  if (array < 0 || !json_get_int_in(v, "value", 0, INT_MAX, &value) || !json_get_int_in(v, "term", 0, INT_MAX, &term) ||
      !checker_statement_find(g, live, array, &listed) || !checker_cover_statement(names, &listed, &s))
    return NULL;
  return checker_work_read(g, names, &s, value, term);
}

/* All kinds, under the names of the description or under new ones. */
static bool read_as(const bound_claim *c, const cdag_relisted *names, const bool *live, const json_value *list,
                    int anchor, checker_cover *cover)
{
  int n = (int)list->n;
  checker_work *k[CHECKER_KINDS] = { NULL };
  bool good = !names || names->g;
  for (int i = 0; i < n && good; i++)
    good = (k[i] = named_kind(c->g, names, live, &list->item[i]));
  good = good && checker_cover_build(c->g, names, k, n, anchor, cover) && cover->apart;
  for (int i = 0; i < n; i++)
    mem_free(k[i]);
  return good;
}

bool checker_cover_read(const bound_claim *c, checker_cover *cover, text *reason)
{
  const json_value *list = json_get(c->parameters, "kinds");
  const char *name = json_get_string(c->parameters, "pairs_of");
  int anchor = name ? cdag_find_array(c->g, name) : -1, n = list && list->type == JSON_ARRAY ? (int)list->n : 0;
  *cover = (checker_cover){ .kinds = 0 };
  if (c->g->graph || c->g->arrays > ARRAYS)
    return bound_refuse(reason, "the computation is a graph, or has more than %d arrays", ARRAYS);
  if (n < 1 || n > CHECKER_KINDS || anchor < 0)
    return bound_refuse(reason, "'kinds' or 'pairs_of' is missing");
  bool *live = checker_live(c->g), good = read_as(c, NULL, live, list, anchor, cover);
  if (!good) {
    cdag_relisted names;
    cdag_relist(c->g, &names);
    good = read_as(c, &names, live, list, anchor, cover);
    cdag_relisted_clear(&names);
  }
  cover->outputs = checker_outputs(c->g);
  mem_free(live);
  return good ||
         bound_refuse(reason, "the kinds are not work at the pairs of '%s', or their words are not told apart", name);
}
