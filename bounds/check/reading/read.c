/* What the steps of a reduction read, piece by piece of its domain. */
#include "bounds/check/reading/read.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/check/reading/live.h"
#include <stdlib.h>
#include <string.h>

bool checker_boxes_meet(const cdag *g, int a, const cdag_box *x, int b, const cdag_box *y)
{
  return a == b && cdag_box_meets(x, y, g->array[a].rank);
}

/* ---- ranges that must stay apart ---- */

/* Values of an index that reads a table, one range for each piece; pieces with the same values of the loops `given`
 * must not meet. */
typedef struct {
  unsigned given;
  int64_t key[CDAG_RANK], lo, hi;
} piece_range;
typedef struct {
  piece_range *r;
  size_t n, room;
} apart;

static int by_key(const void *a, const void *b)
{
  const piece_range *x = a, *y = b;
  for (int i = 0; i < CDAG_RANK; i++)
    if (x->given >> i & 1 && x->key[i] != y->key[i])
      return x->key[i] < y->key[i] ? -1 : 1;
  return (x->lo > y->lo) - (x->lo < y->lo);
}

static void apart_add(apart *a, unsigned given, const form_domain *s, int64_t lo, int64_t hi)
{
  a->r = mem_room(a->r, a->n, &a->room, sizeof *a->r);
  piece_range *r = &a->r[a->n++];
  *r = (piece_range){ .given = given, .lo = lo, .hi = hi };
  memcpy(r->key, s->lo, sizeof r->key);
}

static bool apart_holds(apart *a)
{
  bool good = true;
  if (a->n > 1)
    qsort(a->r, a->n, sizeof *a->r, by_key);
  for (size_t i = 1; i < a->n; i++) {
    bool same = true;
    for (int k = 0; k < CDAG_RANK; k++)
      same = same && (!(a->r[i].given >> k & 1) || a->r[i].key[k] == a->r[i - 1].key[k]);
    good = good && (!same || a->r[i - 1].hi < a->r[i].lo);
  }
  mem_free(a->r);
  *a = (apart){ 0 };
  return good;
}

/* ---- elements ----
   An element's indices twice: where it is on this piece, and how it is told from others in the whole domain.  An index
   that reads a table has only the loops it depends on. */

typedef struct {
  form at[CDAG_RANK], told[CDAG_RANK];
  bool table[CDAG_RANK];
  unsigned loops[CDAG_RANK];
} place;

/* The reading of one operand's tree on one piece. */
typedef struct {
  const cdag *g;
  int statement;
  unsigned held, keys, own;    /* loops held, loops outside the chain, loops of the operand */
  form_domain s, hull;         /* with the free places of chains */
  int free;
  const expr *length[FORM_PLACES]; /* of a free place that begins at 0: how the description writes its end */
  bound_leaf leaf[BOUND_LEAVES];
  place *leaf_at;
  int table_index[BOUND_LEAVES];    /* which index of the leaf reads a table, or -1 */
  int64_t table_lo[BOUND_LEAVES], table_hi[BOUND_LEAVES];
  int leaves;
  uint64_t tree, whole;        /* whole: arrays of which a whole chain is in it */
  place *met;                  /* where the arrays of the tree are */
  bool bad;
} reading;

static void tell(const cdag *g, const expr *e, const place *from, int n, place *to, int r)
{
  form loop[CDAG_RANK];
  to->loops[r] = 0;
  to->table[r] = false;
  for (int i = 0; i < n; i++) {
    loop[i] = from->table[i] ? form_number(0) : from->told[i];
    if (expr_uses(e, g->params + i, g->params + i + 1)) {
      to->loops[r] |= from->loops[i];
      if (from->table[i])
        to->table[r] = true;
    }
  }
  to->table[r] = to->table[r] || !form_read(g, e, loop, n, &to->told[r]);
  if (!to->table[r])
    to->loops[r] = form_uses(&to->told[r]);
}

/* A free place running over lo .. hi, whose end is written so (NULL: in no way that speaks of this piece alone). */
static bool free_place(reading *k, const form *lo, const form *hi, const expr *end, place *p, int r)
{
  if (!form_is_number(lo) || !form_is_number(hi) || lo->c >= hi->c || k->free == FORM_PLACES)
    return false;
  k->s.lo[k->free] = k->hull.lo[k->free] = lo->c;
  k->s.hi[k->free] = k->hull.hi[k->free] = hi->c;
  k->length[k->free] = lo->c == 0 ? end : NULL;
  p->at[r] = p->told[r] = form_loop(k->free);
  p->table[r] = false;
  p->loops[r] = 1u << k->free++;
  return true;
}

static bool step_into(reading *k, const cdag_term *t, const place *from, int n, place *to)
{
  for (int r = 0; r < k->g->array[t->array].rank; r++) {
    form lo, hi;
    const cdag_index *x = &t->index[r];
    if (x->kind == CDAG_AT) {
      if (!form_read(k->g, x->lo, from->at, n, &to->at[r]))
        return false;
      tell(k->g, x->lo, from, n, to, r);
      continue;
    }
    bool known = x->kind == CDAG_ALL
                     ? form_bounds(k->g, t->array, r, to->at, &lo, &hi)
                     : form_read(k->g, x->lo, from->at, n, &lo) && form_read(k->g, x->hi, from->at, n, &hi);
    if (!known || !free_place(k, &lo, &hi, x->kind == CDAG_ALL ? k->g->array[t->array].hi[r] : x->hi, to, r))
      return false;
  }
  return form_inside(k->g, t->array, to->at, &k->s);
}

/* The indices that read no table, and the places they use. */
static int told_forms(const place *p, int rank, form *f, unsigned *places)
{
  int n = 0;
  *places = 0;
  for (int r = 0; r < rank; r++)
    if (!p->table[r]) {
      *places |= form_uses(&p->told[r]);
      f[n++] = p->told[r];
    }
  return n;
}

enum { LOOPS = (1 << CDAG_RANK) - 1 };

/* Does the value of an index that reads a table tell apart, on this piece, all settings of the loops it names?  (In
 * t[i] + 0 * k it does not.) */
static bool tells(const form *f, unsigned loops, unsigned held, const form_domain *s)
{
  unsigned uses = form_uses(f);
  for (int i = 0; i < CDAG_RANK; i++)
    if (loops >> i & 1 && !(held >> i & 1) && !(uses >> i & 1) && s->hi[i] - s->lo[i] > 1)
      return false;
  return form_distinct(f, 1, uses, s);
}

static void add_leaf(reading *k, int array, const place *p)
{
  form f[CDAG_RANK];
  unsigned places;
  int rank = k->g->array[array].rank, n = told_forms(p, rank, f, &places), table = -1;
  bound_leaf l = { .array = array, .width = 1 };
  if (k->leaves == BOUND_LEAVES || n < rank - 1 || !form_distinct(f, n, places, &k->hull))
    return;
  for (int r = 0; r < rank; r++) {
    if (!form_extremes(&p->at[r], &k->s, &l.box.lo[r], &l.box.hi[r]))
      return;
    l.box.hi[r]++;
    table = p->table[r] ? r : table;
  }
  for (int i = CDAG_RANK; i < k->free; i++)
    l.width *= places >> i & 1 ? k->s.hi[i] - k->s.lo[i] : 1; /* different elements of the array */
  unsigned free = places >> CDAG_RANK;
  l.width_text = free && !(free & (free - 1)) ? k->length[CDAG_RANK + __builtin_ctz(free)] : NULL;
  l.loops = places & LOOPS;
  if (table >= 0) {
    unsigned reads = p->loops[table];
    if (reads & places || reads & ~(unsigned)LOOPS || !tells(&p->at[table], reads, k->held, &k->s))
      return;
    l.given = k->held & k->keys & reads;
    l.loops |= reads;
    k->table_lo[k->leaves] = l.box.lo[table];
    k->table_hi[k->leaves] = l.box.hi[table] - 1;
  }
  k->table_index[k->leaves] = table;
  k->leaf_at[k->leaves] = *p;
  k->leaf[k->leaves++] = l;
}

/* Are elements here of different settings of the operand different? */
static bool is_own(const reading *k, int array, const place *p)
{
  form f[CDAG_RANK];
  unsigned places;
  int n = told_forms(p, k->g->array[array].rank, f, &places);
  return !(k->own & ~places) && form_distinct(f, n, places, &k->hull);
}

/* All of a chain up to this element, when that is the same for all.  Is it the chain's last? */
static bool up_to(reading *k, int array, place *p)
{
  place all = *p;
  checker_chain c;
  form lo, hi, last;
  checker_chain_read(k->g, array, &c);
  if (c.self != 1 || __builtin_popcount(c.loops) != 1 || !c.straight)
    return false;
  int r = __builtin_ctz(c.loops);
  form_bounds(k->g, array, r, p->at, &lo, &hi); /* which the element was found to be in */
  bool back = c.step[r] < 0;
  last = back ? hi : lo;
  if (back)
    hi = p->at[r], hi.c++;
  else
    lo = p->at[r];
  bool whole = form_same(&last, back ? &hi : &lo);
  if (!free_place(k, &lo, &hi, whole || !back ? k->g->array[array].hi[r] : NULL, &all, r) || !is_own(k, array, &all))
    return false;
  *p = all;
  return whole;
}

static bool met_elsewhere(const reading *k, int array, const place *p)
{
  if (!(k->tree >> array & 1))
    return false;
  for (int r = 0; r < k->g->array[array].rank; r++) {
    const place *q = &k->met[array];
    if (p->table[r] || q->table[r] || (p->loops[r] & LOOPS) != (q->loops[r] & LOOPS) ||
        (p->loops[r] & LOOPS && !form_same(&p->told[r], &q->told[r])))
      return true;
  }
  return false;
}

/* Depth: one level an array of the tree. */
static void read_tree(reading *k, int array, place p, int depth)
{
  const cdag_array *b = &k->g->array[array];
  if (b->terms == 0) {
    add_leaf(k, array, &p);
    return;
  }
  if (b->declared_input || !is_own(k, array, &p))
    return;
  if (array == k->statement || depth > 7 || array >= 64) {
    k->bad = true;
    return;
  }
  if (met_elsewhere(k, array, &p))
    return;
  k->tree |= (uint64_t)1 << array;
  k->met[array] = p;
  if (up_to(k, array, &p))
    k->whole |= (uint64_t)1 << array;
  for (int t = 0; t < b->terms; t++) {
    place next;
    if (b->term[t].array != array && step_into(k, &b->term[t], &p, b->rank, &next))
      read_tree(k, b->term[t].array, next, depth + 1);
  }
}

/* ---- the statement ---- */

/* What tells elements apart must be the same on every piece: X[i] on one and X[i-3] on another are the same words for
 * different i. */
typedef struct {
  place at;
  int64_t lo[CDAG_RANK], hi[CDAG_RANK]; /* of the free places */
} spot;
typedef struct {
  spot leaf[BOUND_LEAVES], tree[64];
  uint64_t met;
} spots;

static bool told_alike(const spot *a, const spot *b, int rank)
{
  for (int r = 0; r < rank; r++) {
    const form *f = &a->at.told[r], *g = &b->at.told[r];
    if (a->at.table[r] != b->at.table[r])
      return false;
    if (a->at.table[r] || !((form_uses(f) | form_uses(g)) & LOOPS))
      continue;
    if (!form_same(f, g))
      return false;
    for (int i = 0; i < CDAG_RANK; i++)
      if (f->k[CDAG_RANK + i] && (a->lo[i] != b->lo[i] || a->hi[i] != b->hi[i]))
        return false;
  }
  return true;
}

static spot spot_of(const reading *k, const place *p)
{
  spot here = { .at = *p };
  memcpy(here.lo, k->s.lo + CDAG_RANK, sizeof here.lo);
  memcpy(here.hi, k->s.hi + CDAG_RANK, sizeof here.hi);
  return here;
}

/* Of the arrays of the tree, those met on an earlier piece: where they were? */
static bool trees_alike(const reading *k, spots *known)
{
  bool same = true;
  for (int a = 0; a < k->g->arrays && a < 64; a++) {
    if (!(k->tree >> a & 1))
      continue;
    spot here = spot_of(k, &k->met[a]);
    if (known->met >> a & 1)
      same = same && told_alike(&here, &known->tree[a], k->g->array[a].rank);
    else
      known->tree[a] = here;
  }
  known->met |= k->tree;
  return same;
}

/* Large, and only read where something was put. */
typedef struct {
  spots at[BOUND_OPERANDS];
  place met[64], leaf_at[BOUND_LEAVES]; /* of the tree being read */
} scratch;

typedef struct {
  const cdag *g;
  bound_statement *s;
  unsigned held, within;
  bool first, back[CDAG_RANK]; /* back: the chain's first element is at the loop's first value */
  scratch *room;
  apart term[BOUND_OPERANDS], leaf[BOUND_OPERANDS][BOUND_LEAVES];
  int table[BOUND_OPERANDS];   /* the index of the operand that reads a table, or -1 */
} survey;

static unsigned all_loops(const bound_statement *s) { return (1u << s->rank) - 1; }

static void survey_leaves(survey *v, bound_operand *o, int i, reading *k, const form_domain *s)
{
  bool same = trees_alike(k, &v->room->at[i]) && (v->first || k->leaves == o->leaves);
  for (int m = 0; same && m < k->leaves; m++) {
    bound_leaf *known = &o->leaf[m];
    const bound_leaf *f = &k->leaf[m];
    spot here = spot_of(k, &k->leaf_at[m]);
    if (v->first)
      *known = *f, v->room->at[i].leaf[m] = here;
    same = known->array == f->array && known->loops == f->loops && known->given == f->given &&
           known->width == f->width && told_alike(&here, &v->room->at[i].leaf[m], v->g->array[f->array].rank);
    for (int r = 0; same && r < v->g->array[f->array].rank; r++) {
      known->box.lo[r] = num_min(known->box.lo[r], f->box.lo[r]);
      known->box.hi[r] = num_max(known->box.hi[r], f->box.hi[r]);
    }
    if (same && k->table_index[m] >= 0)
      apart_add(&v->leaf[i][m], f->given, s, k->table_lo[m], k->table_hi[m]);
  }
  o->leaves = same && !k->bad ? k->leaves : 0;
  o->tree |= k->tree;
  o->partial |= k->tree & ~k->whole;
}

/* Loop r, which runs back (forth) along the chain, where the chain begins. */
static void to_beginning(form_domain *s, int r, bool back)
{
  if (back) {
    s->hi[r] = s->lo[r] + 1;
    s->to[r] = s->from[r];
    s->to[r].c++;
  } else {
    s->lo[r] = s->hi[r] - 1;
    s->from[r] = s->to[r];
    s->from[r].c--;
  }
}

static void survey_operand(survey *v, int i, const form_domain *s)
{
  bound_operand *o = &v->s->operand[i];
  const cdag_term *t = &v->g->array[v->s->array].term[o->term];
  reading k = { .g = v->g,
                .statement = v->s->array,
                .held = v->held,
                .keys = all_loops(v->s) & ~v->s->chain,
                .own = o->loops,
                .s = *s,
                .free = CDAG_RANK,
                .met = v->room->met,
                .leaf_at = v->room->leaf_at };
  place from, at;
  form_domain start = *s;
  form_hull(v->g, v->s->array, &k.hull);
  form_loops(s, v->held, from.at);
  for (int r = 0; r < CDAG_RANK; r++) {
    from.told[r] = form_loop(r);
    from.table[r] = false;
    from.loops[r] = 1u << r;
    if (v->s->chain >> r & 1)
      to_beginning(&start, r, v->back[r]);
  }
  bool inside = step_into(&k, t, &from, v->s->rank, &at);
  o->always = o->always && inside;
  if (v->table[i] >= 0 && inside) {
    int64_t lo, hi;
    if (form_extremes(&at.at[v->table[i]], s, &lo, &hi) &&
        tells(&at.at[v->table[i]], at.loops[v->table[i]], v->held, s))
      apart_add(&v->term[i], o->given, s, lo, hi);
    else
      o->always = false;
  }
  if (o->term == v->s->seed) {
    k.s = start;
    if (!step_into(&k, t, &from, v->s->rank, &at))
      v->s->seed = -1;
    k.s = *s;
  }
  if (o->input || (!v->first && o->leaves == 0))
    return;
  if (o->always) /* of one told by a table no tree is its own */
    read_tree(&k, o->array, at, 0);
  survey_leaves(v, o, i, &k, s);
}

/* Most values of each loop while those before it keep theirs. */
static bool survey_extents(survey *v, const form_domain *s)
{
  for (int r = 0; r < v->s->rank; r++) {
    int64_t lo, hi, none;
    if (s->slanted >> r & 1) {
      form values = s->to[r];
      lo = 0;
      if (!form_plus(&values, &s->from[r], -1) || !form_extremes(&values, s, &none, &hi))
        return false;
    } else
      cdag_range(v->g, v->s->array, r, s->lo, &lo, &hi); /* which is the same for all values of loops not held */
    v->s->extent[r] = num_max(v->s->extent[r], hi - lo);
  }
  return true;
}

static bool survey_piece(void *context, const form_domain *s)
{
  survey *v = context;
  for (int i = 0; i < v->s->operands; i++)
    survey_operand(v, i, s);
  v->first = false;
  return survey_extents(v, s);
}

/* Which loops tell the operand's elements apart, and its box; false when it names none that can be told. */
static bool operand_names(survey *v, const cdag_term *t, bound_operand *o, int *table)
{
  place from, to = { .loops = { 0 } };
  form f[CDAG_RANK];
  form_domain hull;
  unsigned places;
  int rank = v->g->array[t->array].rank;
  form_hull(v->g, v->s->array, &hull);
  *table = -1;
  o->box = v->g->array[t->array].hull;
  for (int r = 0; r < CDAG_RANK; r++) {
    from.told[r] = form_loop(r);
    from.table[r] = false;
    from.loops[r] = 1u << r;
  }
  for (int r = 0; r < rank; r++) {
    int64_t lo = o->box.lo[r], hi = o->box.hi[r] - 1;
    if (t->index[r].kind != CDAG_AT)
      return false;
    tell(v->g, t->index[r].lo, &from, v->s->rank, &to, r);
    if (to.table[r] && *table >= 0)
      return false;
    if (to.table[r])
      *table = r;
    else { /* an index too large for its extremes is not told apart below */
      form_extremes(&to.told[r], &hull, &lo, &hi);
      o->box.lo[r] = num_max(o->box.lo[r], lo);
      o->box.hi[r] = num_min(o->box.hi[r], hi + 1);
    }
  }
  int n = told_forms(&to, rank, f, &places);
  if (!form_distinct(f, n, places, &hull) || (*table >= 0 && places & to.loops[*table]))
    return false;
  o->loops = places | (*table >= 0 ? to.loops[*table] : 0);
  o->given = *table >= 0 ? v->held & v->within & ~v->s->chain & to.loops[*table] : 0;
  return true;
}

static void list_operands(survey *v)
{
  const cdag_array *a = &v->g->array[v->s->array];
  for (int t = 0; t < a->terms; t++) {
    bound_operand o = { .term = t, .array = a->term[t].array, .always = true };
    if (o.array == v->s->array || v->s->operands == BOUND_OPERANDS ||
        !operand_names(v, &a->term[t], &o, &v->table[v->s->operands]))
      continue;
    o.input = v->g->array[o.array].terms == 0;
    v->s->operand[v->s->operands++] = o;
  }
}

/* A term to an input array no other operand reads, telling all chains apart; an index that reads a table is known to
   tell at every step only, and a seed is read at the first. */
static int possible_seed(const survey *v)
{
  const bound_statement *s = v->s;
  unsigned keys = all_loops(s) & ~s->chain;
  int seed = -1;
  for (int i = 0; i < s->operands; i++) {
    int readers = 0;
    for (int m = 0; m < s->operands; m++)
      readers += s->operand[m].array == s->operand[i].array;
    if (s->operand[i].input && v->table[i] < 0 && !s->operand[i].given && (s->operand[i].loops & keys) == keys &&
        readers == 1)
      seed = s->operand[i].term;
  }
  return seed;
}

/* At most so many values of the loops together.  Where a range depends on a loop that is not among them, what counts is
   not how many values it has at a time but how many it has in all. */
static uint64_t settings(const cdag *g, const bound_statement *s, unsigned loops, uint64_t most)
{
  const cdag_box *hull = &g->array[s->array].hull;
  unsigned __int128 n = 1;
  for (int r = 0; r < s->rank && n <= most; r++) {
    bool slides = false;
    for (int q = 0; q < r; q++)
      slides = slides || (!(loops >> q & 1) && form_depends(g, s->array, r, q));
    if (loops >> r & 1)
      n *= (unsigned __int128)(uint64_t)(slides ? hull->hi[r] - hull->lo[r] : s->extent[r]);
  }
  return n < most ? (uint64_t)n : most;
}

/* Elements that the operand's term may name: those at its indices that are numbers, as the last step of a sum. */
static uint64_t elements_named(const cdag *g, const bound_statement *s, const bound_operand *o)
{
  const cdag_array *a = &g->array[o->array];
  const cdag_term *t = &g->array[s->array].term[o->term];
  cdag_box box = a->hull;
  uint64_t n = a->count;
  for (int r = 0; r < a->rank; r++)
    if (t->index[r].kind == CDAG_AT && t->index[r].var == -1) {
      box.lo[r] = t->index[r].base;
      box.hi[r] = box.lo[r] + 1;
      n = 0;
    }
  n = n > 0 ? n : cdag_box_count(g, o->array, &box);
  return n > 0 ? n : a->count;
}

static void finish(survey *v, const checker_chain *c)
{
  bound_statement *s = v->s;
  for (int i = 0; i < BOUND_OPERANDS; i++) {
    if (!apart_holds(&v->term[i]))
      s->operand[i].always = false;
    for (int m = 0; m < BOUND_LEAVES; m++)
      if (!apart_holds(&v->leaf[i][m]))
        s->operand[i].leaves = 0;
  }
  for (int i = 0; i < s->operands; i++) {
    s->operand[i].words = settings(v->g, s, s->operand[i].loops, elements_named(v->g, s, &s->operand[i]));
    if (s->operand[i].term == s->seed && s->operand[i].always)
      s->seed = -1;
  }
  if (!checker_chain_count(v->g, s->array, c, &s->chains))
    s->chains = settings(v->g, s, all_loops(s) & ~s->chain, s->steps);
}

/* All that the steps read, with the chain known; back: its first element is at the loop's first value. */
static bool survey_steps(const cdag *g, unsigned within, const checker_chain *c, bound_statement *s)
{
  SCOPED_MEM survey *v = MEM_NEW(survey, 1);
  v->g = g;
  v->s = s;
  v->held = form_held(g, s->array, true);
  v->within = within;
  v->first = true;
  v->room = mem_grow(NULL, 1, sizeof *v->room);
  for (int i = 0; i < BOUND_OPERANDS; i++)
    v->room->at[i].met = 0;
  for (int r = 0; r < CDAG_RANK; r++)
    v->back[r] = c->step[r] < 0;
  list_operands(v);
  s->seed = possible_seed(v);
  bool whole = form_each(g, s->array, v->held, survey_piece, v);
  finish(v, c);
  mem_free(v->room);
  return whole;
}

bool checker_statement_within(const cdag *g, const bool *live, int array, unsigned within, bound_statement *s)
{
  const cdag_array *a = &g->array[array];
  checker_chain c;
  *s = (bound_statement){ .array = array, .rank = a->rank, .steps = a->count, .sum = -1, .seed = -1 };
  if (a->terms == 0 || a->declared_input || a->count == 0 || !live[array])
    return false;
  checker_chain_read(g, array, &c);
  s->chain = c.loops;
  return c.straight && c.self == (c.outer >= 0 ? 2 : 1) && __builtin_popcount(c.loops) == c.self &&
         survey_steps(g, within, &c, s);
}

bool checker_statement_relisted(const cdag *g, int chain_term, const bound_statement *listed, bound_statement *s)
{
  const cdag_array *a = &g->array[listed->array];
  const cdag_term *t = &a->term[chain_term];
  checker_chain none = { .outer = -1, .inner = -1 };
  *s = (bound_statement){ .array = listed->array, .rank = a->rank, .steps = a->count, .sum = -1, .seed = -1 };
  s->chain = all_loops(s);
  for (int r = 0; r < g->array[t->array].rank; r++)
    s->chain &= ~expr_slots(t->index[r].lo, g->params, a->rank);
  if (listed->seed >= 0 || !survey_steps(g, LOOPS, &none, s))
    return false;
  s->chains = listed->chains;
  return s->seed < 0;
}

bool checker_statement_find(const cdag *g, const bool *live, int array, bound_statement *s)
{
  return checker_statement_within(g, live, array, LOOPS, s);
}

bool checker_statement_gather(const cdag *g, const bool *live, int sum, bound_statement *s)
{
  unsigned along;
  uint64_t trees;
  if (s->seed >= 0 || s->sum >= 0 || !live[sum] || !checker_sums_of_chains(g, s->array, sum, &along, &trees))
    return false;
  s->chain |= along;
  s->chains = trees;
  s->sum = sum;
  return true;
}
