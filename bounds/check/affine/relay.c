/* Products of products: a word of an operand's tail is red or loaded, or the tail is computed in the segment, by a row
   and a column of what its chain reads. */
#include "bounds/check/affine/relay.h"
#include "bounds/check/affine/chain.h"
#include "bounds/check/affine/tails.h"
#include "bounds/checker.h"
#include <string.h>

typedef struct {
  affine_facts *f;
  statement_facts *const *t;
  int n;
  int64_t slots;               /* steps that make a word */
  group_facts *g;
} relay;

/* A way of an item of a statement. */
typedef struct { int s, i, w; } place;
static const way_facts *facts_at(const relay *r, place p) { return &r->t[p.s]->way[p.i][p.w]; }
static item_kind kind_at(const relay *r, place p) { return r->t[p.s]->s->item[p.i].way[p.w].kind; }
static int column_at(const relay *r, place p) { return r->t[p.s]->s->item[p.i].column; }

static bool next_place(const relay *r, place *p)
{
  for (p->w++; p->s < r->n; p->s++, p->i = 0)
    for (; p->i < r->t[p->s]->s->items; p->i++, p->w = 0)
      if (p->w < r->t[p->s]->s->item[p->i].ways)
        return true;
  return false;
}

/* Words of the same kind: of one component, and either both met by their tails or not. */
static bool of_one_class(const relay *r, place p, place q)
{
  return facts_at(r, p)->component == facts_at(r, q)->component &&
         (kind_at(r, p) == ITEM_MADE) == (kind_at(r, q) == ITEM_MADE);
}

/* Statements with a column in common, or with others that have, are in one part. */
static void find_parts(const relay *r)
{
  int *of = r->g->part_of;
  for (int s = 0; s < r->n; s++)
    of[s] = s;
  for (place p = { 0, 0, -1 }; next_place(r, &p);)
    for (place q = { 0, 0, -1 }; next_place(r, &q) && q.s < p.s;)
      for (int s = 0, from = of[p.s], to = of[q.s]; s < r->n && column_at(r, p) == column_at(r, q); s++)
        of[s] = of[s] == from ? to : of[s];
}

/* ---- which words differ ---- */

/* Words of different parts are of different components.  What is read by its tail is of no other need, but that the
   steps that make it continue such words, before their tails. */
static bool words_differ(const relay *r, place p, place q, const int *maker)
{
  bool made_p = kind_at(r, p) == ITEM_MADE, made_q = kind_at(r, q) == ITEM_MADE;
  if (facts_at(r, p)->component != facts_at(r, q)->component)
    return true;
  if (made_p && made_q)
    return column_at(r, p) == column_at(r, q);
  if (!made_p && !made_q)
    return r->g->part_of[p.s] == r->g->part_of[q.s];
  place other = made_p ? q : p, of = made_p ? p : q;
  return kind_at(r, other) == ITEM_OWN && other.s == maker[of.s * CLAIM_ITEMS + of.i];
}

/* No element of the array continues a word of computed elements but by the chain's step: so nothing on a word follows
   its tail that counts. */
static bool begins_anew(affine_facts *f, int s, const chain *c)
{
  for (int i = 0; i < f->words.n; i++) {
    const access *a = f->form.access[f->words.own[i]];
    const polyhedra *computed = &f->form.array[a->to].computed;
    bool step = a->to == s;
    for (int r = 0; r < f->form.array[s].rank && step; r++) {
      linear d = a->index[r], x = linear_variable(r);
      step = linear_add(&d, &x, -1) && linear_is_constant(&d) && d.base == c->step[r];
    }
    for (int k = 0; a->from == s && !step && k < computed->n; k++) {
      polyhedron *p = polyhedron_copy(&f->scratch, a->where);
      polyhedron_include(&f->scratch, p, computed->item[k], a->index, f->form.array[a->to].rank);
      if (p->open || !polyhedron_empty(p))
        return false;
    }
  }
  return true;
}

/* ---- who makes what, and how ---- */

/* Where it is read: by the steps, or, where the reader makes words itself, by all of its elements. */
static void readers(const relay *r, place p, bool all, polyhedra *l)
{
  arena *a = &r->f->scratch;
  const polyhedron *where = facts_at(r, p)->where;
  if (all)
    polyhedra_add(a, l, polyhedron_copy(a, where));
  for (int k = 0; !all && k < r->t[p.s]->steps.n; k++) {
    polyhedron *q = polyhedron_copy(a, r->t[p.s]->steps.item[k]);
    polyhedron_meet(a, q, where, r->t[p.s]->rank);
    if (q->open || !polyhedron_empty(q))
      polyhedra_add(a, l, q);
  }
}

/* Elements x = base + m step of the maker, m < length: those in the tail, and what follows; one more before them where
   chains follow inputs, as one is in the tail or all make it. */
static bool add_tail(const relay *r, const statement_facts *maker, const chain *c, polyhedron *from,
                     const linear *base, int shift, int64_t length, polyhedra *away)
{
  linear m = linear_variable(maker->rank), last = linear_constant(length - (c->first.n == 0));
  bool exact;
  polyhedron_require(&r->f->scratch, from, &m, &last);
  for (int v = 0; v < maker->rank; v++) {
    linear x = linear_variable(v), moved;
    if (!linear_substitute(&base[v], NULL, 0, shift, &moved))
      return false;
    moved.coef[maker->rank] = c->step[v];
    polyhedron_same(&r->f->scratch, from, &x, &moved);
  }
  from = polyhedron_project(&r->f->scratch, from, maker->rank, &exact);
  polyhedra_add(&r->f->scratch, away, from);
  return !from->open;
}

/* The elements of the maker in tails of what is read at p, or after them: what is read may be an element of its array,
   or follow one. */
static bool find_tails(const relay *r, place p, const polyhedron *where, int s, const chain *c, bool before,
                       polyhedra *away)
{
  arena *a = &r->f->scratch;
  const statement_facts *maker = r->t[s];
  const way_facts *w = facts_at(r, p);
  int shift = maker->rank + 1, rank = r->f->form.array[w->to].rank;
  if (w->to == maker->s->array) {
    polyhedron *from = polyhedron_new(a, shift);
    polyhedron_include(a, from, where, NULL, 0);
    return add_tail(r, maker, c, from, w->index, shift, r->slots + before, away);
  }
  for (int i = 0; i < r->f->words.n; i++) {
    const access *h = r->f->form.access[r->f->words.own[i]];
    if (h->from != w->to || h->to != maker->s->array)
      continue;
    polyhedron *from = polyhedron_new(a, shift + rank);
    polyhedron_include(a, from, where, NULL, 0);
    for (int v = 0; v < rank; v++) {
      linear y = linear_variable(shift + v), moved;
      if (!linear_substitute(&w->index[v], NULL, 0, shift + rank, &moved))
        return false;
      polyhedron_same(a, from, &y, &moved);
    }
    if (!add_tail(r, maker, c, from, h->index, shift, r->slots, away))
      return false;
  }
  return true;
}

static bool classes_differ(const relay *r, int s, int a, int b)
{
  for (int v = 0; v < r->t[s]->s->item[a].ways; v++)
    for (int w = 0; w < r->t[s]->s->item[b].ways; w++)
      if (of_one_class(r, (place){ s, a, v }, (place){ s, b, w }))
        return false;
  return true;
}

/* Words, or what is met by tails: one that is made in its turn is made of what came before. */
static bool are_words(const relay *r, int s, int i)
{
  for (int w = 0; w < r->t[s]->s->item[i].ways; w++)
    if (r->t[s]->s->item[i].way[w].kind != ITEM_READ && r->t[s]->s->item[i].way[w].kind != ITEM_MADE)
      return false;
  return true;
}

/* Item i of statement u is made by s, which reads rows by item a and columns by b; by what is read and the elements
   before it, or by these alone. */
static bool makes(const relay *r, int u, int i, bool all, int s, int a, int b, chain *c, bool *before)
{
  *before = false;
  const statement_facts *t = r->t[s];
  if (!are_words(r, s, a) || !are_words(r, s, b) || t->s->item[a].column == t->s->item[b].column ||
      !chain_find(r->f, t->s->array, c) || !chain_told(r->f, t, a, b, c))
    return false;
  chain_reads(r->f, t, a, c);
  chain_reads(r->f, t, b, c);
  for (place p = { u, i, 0 }; p.w < r->t[u]->s->item[i].ways; p.w++) {
    polyhedra l = { 0 };
    if (kind_at(r, p) != ITEM_MADE)
      continue;
    readers(r, p, all, &l);
    const way_facts *w = facts_at(r, p);
    for (int k = 0; k < l.n; k++)
      if (w->to != t->s->array || !chain_runs(r->f, w->to, l.item[k], w->index, r->slots, c)) {
        *before = true;
        if (!chain_makes(r->f, t->s->array, w, l.item[k], r->slots + 1, c))
          return false;
      }
  }
  return true;
}

/* The columns of the part that hold words of the classes of items a and b, and of all others these columns hold. */
static uint32_t block_of(const relay *r, int s, int a, int b)
{
  uint32_t block = 1u << r->t[s]->s->item[a].column | 1u << r->t[s]->s->item[b].column, before = 0;
  while (block != before) {
    before = block;
    for (place p = { 0, 0, -1 }; next_place(r, &p);)
      for (place q = { 0, 0, -1 }; next_place(r, &q);)
        if (block >> column_at(r, p) & 1 && of_one_class(r, p, q))
          block |= 1u << column_at(r, q);
  }
  return block;
}

static bool is_made(const relay *r, int s, int i)
{
  for (int w = 0; w < r->t[s]->s->item[i].ways; w++)
    if (r->t[s]->s->item[i].way[w].kind == ITEM_MADE)
      return true;
  return false;
}

/* The column of its own words; -1. */
static int own_column(const statement_facts *t)
{
  for (int i = 0; i < t->s->items; i++)
    if (t->s->item[i].way[0].kind == ITEM_OWN)
      return t->s->item[i].column;
  return -1;
}

/* Who makes item i of statement u, with which rows and columns; quarters of their square over slots^2 is what is made.
   The maker, or -1. */
static int find_maker(const relay *r, int u, int i, bool all, polyhedra *away)
{
  for (int s = 0; s < r->n; s++)
    for (int a = 0; a < r->t[s]->s->items; a++)
      for (int b = 0; b < a && own_column(r->t[s]) >= 0; b++) {
        chain c = { 0 };
        bool before;
        if (!makes(r, u, i, all, s, a, b, &c, &before) || !begins_anew(r->f, r->t[s]->s->array, &c))
          continue;
        int from = r->g->part_of[s], to = r->g->part_of[u];
        r->g->part[to].made[from] += classes_differ(r, s, a, b) ? 1 : 4;
        if (from == to)
          r->g->part[to].block |= block_of(r, s, a, b);
        for (place p = { u, i, 0 }; p.w < r->t[u]->s->item[i].ways; p.w++) {
          polyhedra l = { 0 };
          /* words of one column count once, whether they are continued or read */
          if (kind_at(r, p) == ITEM_MADE && column_at(r, p) != own_column(r->t[s]))
            readers(r, p, all, &l);
          for (int k = 0; k < l.n; k++)
            if (!find_tails(r, p, l.item[k], s, &c, before, away))
              return -1;
        }
        return s;
      }
  return -1;
}

/* Parts in an order in which each is made of those before it, and of itself. */
static bool order_parts(const relay *r)
{
  group_facts *g = r->g;
  bool done[CLAIM_STATEMENTS] = { 0 };
  g->parts = 0;
  for (int turn = 0; turn < r->n; turn++)
    for (int p = 0; p < r->n; p++) {
      bool ready = g->part_of[p] == p && !done[p];
      for (int q = 0; q < r->n; q++)
        ready = ready && (q == p || g->part[p].made[q] == 0 || done[q]);
      if (ready)
        g->order[g->parts++] = p;
      done[p] = done[p] || ready;
    }
  for (int p = 0; p < r->n; p++)
    if (g->part_of[p] == p && !done[p])
      return false;
  return true;
}

bool relay_holds(affine_facts *f, statement_facts *const *t, int n, const claim_group *c, group_facts *g,
                 text *reason)
{
  relay r = { f, t, n, c->tail, g };
  int maker[CLAIM_STATEMENTS * CLAIM_ITEMS];
  bool makes_some[CLAIM_STATEMENTS] = { 0 };
  polyhedra away[CLAIM_STATEMENTS] = { 0 };
  if (c->pairs)
    return bound_refuse(reason, "pairs where words are made");
  memset(maker, -1, sizeof maker);
  find_parts(&r);
  /* who makes words reads them by tails wherever it reads: first it is seen who does */
  for (int pass = 0; pass < 2; pass++) {
    for (int s = 0; s < n; s++) {
      memset(g->part[s].made, 0, sizeof g->part[s].made);
      g->part[s].block = 0;
      away[s] = (polyhedra){ 0 };
    }
    for (int s = 0; s < n; s++)
      for (int i = 0; i < t[s]->s->items; i++) {
        polyhedra tails = { 0 };
        int m = is_made(&r, s, i) ? find_maker(&r, s, i, pass > 0 && makes_some[s], &tails) : -1;
        if (is_made(&r, s, i) && (m < 0 || (pass > 0 && m != maker[s * CLAIM_ITEMS + i])))
          return bound_refuse(reason, "what is read is not made by rows and columns");
        maker[s * CLAIM_ITEMS + i] = m;
        if (m >= 0)
          makes_some[m] = true;
        for (int k = 0; k < tails.n; k++)
          polyhedra_add(&f->scratch, &away[m], tails.item[k]);
      }
  }
  for (place p = { 0, 0, -1 }; next_place(&r, &p);) {
    if (kind_at(&r, p) > ITEM_READ && kind_at(&r, p) != ITEM_MADE)
      return bound_refuse(reason, "a need of a relay is neither a word nor made");
    for (place q = { 0, 0, -1 }; next_place(&r, &q);)
      if (!words_differ(&r, p, q, maker))
        return bound_refuse(reason, "the statements of a relay share words");
  }
  for (int s = 0; s < n; s++)
    if (away[s].n && !steps_part(f, t[s], &away[s]))
      return bound_refuse(reason, "all steps are in tails");
  if (!order_parts(&r))
    return bound_refuse(reason, "parts of a relay are made of each other");
  g->tail.slots = c->tail;
  return true;
}

/* ---- what words allow ---- */

/* Of y words with a vertex, or made by others, those that are read at all, n <= y + quarters n^2 / k: the smaller root
   2 y / (1 + sqrt(1 - 4 quarters y / k)), and no less.  False when there is none: all may be made. */
static bool words_read(int64_t quarters, const mpz_t y, const mpz_t k, mpz_t n)
{
  mpz_t root;
  if (!quarters) {
    mpz_set(n, y);
    return true;
  }
  mpz_init(root);
  mpz_mul(n, y, k);
  mpz_mul_si(root, n, -4 * quarters);
  mpz_addmul(root, k, k);
  bool good = mpz_sgn(root) >= 0;
  if (good) {
    mpz_sqrt(root, root);
    mpz_add(root, root, k);
    mpz_mul_ui(n, n, 2);
    mpz_cdiv_q(n, n, root);
  }
  mpz_clear(root);
  return good;
}

/* What all parts do when one has x words and the others what is made for them; false when that may be all. */
static bool corner_most(const group_facts *g, int most, const mpz_t x, const mpz_t k, mpz_t sum)
{
  mpz_t n[CLAIM_STATEMENTS], y, work;
  bool good = true;
  mpz_inits(y, work, NULL);
  for (int i = 0; i < g->parts; i++)
    mpz_init(n[i]);
  mpz_set_ui(sum, (unsigned long)g->parts - 1); /* each is rounded down */
  for (int i = 0; i < g->parts && good; i++) {
    const part_facts *p = &g->part[g->order[i]];
    int64_t own = p->made[g->order[i]];
    mpz_set_ui(y, 0);
    for (int q = 0; q < i; q++) {
      mpz_mul(work, n[q], n[q]);
      mpz_mul_si(work, work, p->made[g->order[q]]);
      mpz_add(y, y, work);
    }
    mpz_cdiv_q(y, y, k);
    if (i == most)
      mpz_add(y, y, x);
    good = words_read(own, y, k, n[i]);
    if (good && own)
      square_most(&p->law, p->power, own, k, y, n[i], work);
    else
      law_most(&p->law, y, work);
    mpz_add(sum, sum, work);
  }
  for (int i = 0; i < g->parts; i++)
    mpz_clear(n[i]);
  mpz_clears(y, work, NULL);
  return good;
}

/* The sum of the work is convex in how the words are shared out.  n words read in a part make quarters n^2 / k for
   another, k = 4 slots^2, and so on. */
void relay_most(const group_facts *g, const mpz_t x, mpz_t work)
{
  mpz_t k, sum;
  mpz_init(sum);
  mpz_init_set_si(k, g->tail.slots);
  mpz_mul(k, k, k);
  mpz_mul_ui(k, k, 4);
  mpz_set_ui(work, 0);
  for (int most = 0; most < g->parts; most++)
    if (!corner_most(g, most, x, k, sum))
      mpz_set(work, g->work);
    else if (mpz_cmp(sum, work) > 0)
      mpz_set(work, sum);
  mpz_clears(k, sum, NULL);
}
