/* The search: predecessors of their own, greedily; for every statement a few sets of reads and powers, the best by
   estimate; groups of these that add up. */
#include "bounds/affine/find.h"
#include "base/num.h"
#include "bounds/segment/segment.h"
#include <math.h>
#include <string.h>

enum { KEPT = 3, READS_MOST = 7, DERIVED_MOST = 1500, POOL = 96 };

typedef struct {
  claim_group group;
  double value;
  bool operands;
} candidate;

typedef struct {
  affine_facts *f;
  int64_t m;
  affine_what what;
  int own[WORDS_MOST], owns;
  int derived;                 /* how many claims were derived */
  double ends;                 /* inputs and outputs: what no claim adds more than that besides its events */
  candidate pool[POOL];
  int candidates;
} search;

/* ---- words ---- */

/* A read of the same array a constant way off, of it otherwise, of another computed array, of an input. */
static int preference(const normal_form *f, const access *a)
{
  if (f->array[a->to].computed.n == 0)
    return 4;
  if (a->from != a->to)
    return f->array[a->from].rank == f->array[a->to].rank ? 2 : 3;
  for (int r = 0; r < f->array[a->from].rank; r++) {
    linear step = a->index[r], x = linear_variable(r);
    if (!linear_add(&step, &x, -1) || !linear_is_constant(&step))
      return 1;
  }
  return 0;
}

/* How many of the reader's loops are indices of what is read, as they are. */
static int loops_kept(const normal_form *f, const access *a)
{
  int kept = 0;
  for (int r = 0; r < f->array[a->from].rank; r++) {
    linear x = linear_variable(r);
    bool there = false;
    for (int k = 0; k < f->array[a->to].rank; k++)
      there = there || linear_equal(&a->index[k], &x);
    kept += there;
  }
  return kept;
}

/* Which kinds come first; what is not named is no predecessor.  Words of inputs may be worth more when nothing grows
   out of them.  Of one kind those come first that keep more loops; or that comes before the kind. */
enum { LEVELS = WORD_LEVELS };
static const word_order orders[] = {
  { false, { 0, 1, 2, 3, 4 }, false },
  { false, { 0, 4, 1, 2, 3 }, false },
  { false, { 0, 1, 2, 3, -1 }, false },
  { true, { 0, 2, 3, 4, 1 }, false },
};

/* Is it an own predecessor that fits with those there are? */
static bool fits(const normal_form *f, int read, int owns, const int *own)
{
  bool apart = words_apart(f, read, read);
  for (int k = 0; k < owns && apart; k++)
    apart = read != own[k] && words_apart(f, read, own[k]);
  return apart;
}

int affine_choose_words(const normal_form *f, const word_order *order, int owns, int *own)
{
  for (int turn = 0; turn < LEVELS * (CDAG_RANK + 1); turn++)
    for (int n = 0; n < f->accesses && owns < WORDS_MOST; n++) {
      int i = order->late ? f->accesses - 1 - n : n, level = order->kept_first ? turn % LEVELS : turn / (CDAG_RANK + 1),
          kept = CDAG_RANK - (order->kept_first ? turn / LEVELS : turn % (CDAG_RANK + 1));
      if (!f->access[i]->single || preference(f, f->access[i]) != order->level[level] ||
          loops_kept(f, f->access[i]) != kept)
        continue;
      if (fits(f, i, owns, own))
        own[owns++] = i;
    }
  return owns;
}

/* Of the reads of the array a constant way off, is this in their middle? */
static bool in_the_middle(const normal_form *f, const access *a)
{
  int rank = f->array[a->from].rank;
  int64_t sum[CDAG_RANK] = { 0 }, n = 0;
  for (int i = 0; i < f->accesses; i++) {
    const access *b = f->access[i];
    if (b->from != a->from || !b->single || preference(f, b) != 0)
      continue;
    n++;
    for (int r = 0; r < rank; r++)
      sum[r] += b->index[r].base - a->index[r].base;
  }
  for (int r = 0; r < rank; r++)
    if (sum[r] != 0)
      return false;
  return n > 1;
}

/* How many steps along the loops is what is read a constant way off?  0 for what is in the middle. */
static int64_t steps_off(const normal_form *f, const access *a)
{
  int64_t steps = 0;
  for (int r = 0; r < f->array[a->from].rank && !in_the_middle(f, a); r++)
    steps += a->index[r].base < 0 ? -a->index[r].base : a->index[r].base;
  return steps;
}

/* The nearest but `nearer` of the reads of an array a constant way off, or, when there are fewer, the farthest; -1. */
static int nearest_read(const normal_form *f, int array, int nearer)
{
  int found = -1;
  for (; nearer >= 0; nearer--) {
    int next = -1;
    for (int i = 0; i < f->accesses; i++) {
      const access *a = f->access[i];
      if (a->from != array || !a->single || preference(f, a) != 0)
        continue;
      int64_t off = steps_off(f, a), last = found < 0 ? -1 : steps_off(f, f->access[found]);
      if ((off > last || (off == last && i > found)) && (next < 0 || off < steps_off(f, f->access[next])))
        next = i;
    }
    if (next < 0)
      break;
    found = next;
  }
  return found;
}

/* For each array first what is in the middle, then what is near: columns of a stencil whose rows are shifted,
   or whose elements read many others of their own array.  False when there is none. */
static bool choose_near(search *s, int nearer)
{
  const normal_form *f = &s->f->form;
  int n = 0;
  for (int x = 0; x < f->arrays && n < WORDS_MOST; x++) {
    int i = nearest_read(f, x, nearer);
    if (i >= 0 && fits(f, i, n, s->own))
      s->own[n++] = i;
  }
  s->owns = n ? affine_choose_words(f, &orders[0], n, s->own) : 0;
  return n > 0;
}

static void choose_words(search *s, const word_order *order)
{
  s->owns = affine_choose_words(&s->f->form, order, 0, s->own);
}

/* ---- what a claim is worth ---- */

static void facts_most(const void *context, const mpz_t x, mpz_t work) { group_most(context, x, work); }

static double facts_guess(const void *context, double x)
{
  const group_facts *g = context;
  return g->guess_c * pow(x, g->guess_s);
}

/* The best cut of each group. */
static void cut(const search *s, affine_claim *c)
{
  for (int g = 0; g < c->groups; g++) {
    segment_problem p = { .most = facts_most, .guess = facts_guess, .context = &s->f->group[g], .m = s->m };
    segment_cut best;
    segment_cut_init(&best);
    mpz_init_set(p.work, s->f->group[g].work);
    c->group[g].segments = 1;
    c->group[g].first = c->group[g].length = 0;
    if (segment_search(&p, &best)) {
      c->group[g].segments = best.n;
      c->group[g].first = best.first;
      c->group[g].length = best.length;
    }
    mpz_clear(p.work);
    segment_cut_clear(&best);
  }
}

static bool worth(search *s, affine_claim *c, mpz_t value)
{
  text reason = { 0 };
  bool good = ++s->derived <= DERIVED_MOST && affine_derive(s->f, c, &reason);
  if (good) {
    cut(s, c);
    good = affine_value(s->f, c, s->m, value, &reason);
  }
  text_clear(&reason);
  return good;
}

static void begin(const search *s, affine_claim *c)
{
  memset(c, 0, sizeof *c);
  c->reading = s->f->reading;
  c->owns = s->owns;
  memcpy(c->own, s->own, sizeof s->own);
}

/* ---- powers ---- */

/* The logarithm of Q, about, for work that is at most c x^p in x words; all of them as logarithms but p. */
static double estimate(double work, double c, double p, double m)
{
  if (p <= 1 + 1e-9 || work <= c + p * (m + log(p / (p - 1)))) /* one segment does it all */
    return (work - c) / p;
  return (p - 1) * log(p - 1) - p * log(p) - c + work - (p - 1) * m;
}

static const int64_t powers[] = { 0, 3, 4, 6, 8, 9, 12 };
enum { DEN = 12, POWERS = sizeof powers / sizeof *powers };

typedef struct {
  const coordinates *c;
  claim_statement *s;
  uint32_t pivots[CLAIM_ITEMS];
  double work, m, best, extent[CLAIM_LOOPS]; /* logarithms */
  int64_t power[CLAIM_ITEMS];  /* at hand */
} powers_search;

static double value_of(const powers_search *p)
{
  double log_c = 0, sum = 0;
  double column[CLAIM_COLUMNS] = { 0 };
  for (int i = 0; i < p->s->items; i++) {
    column[p->s->item[i].column] += (double)p->power[i] / DEN;
    sum += (double)p->power[i] / DEN;
  }
  if (sum <= 0)
    return -INFINITY;
  for (int q = 0; q < p->c->n; q++) {
    int64_t covered = 0;
    for (int i = 0; i < p->s->items; i++)
      covered += p->pivots[i] >> q & 1 ? p->power[i] : 0;
    if (covered < DEN)
      log_c += (double)(DEN - covered) / DEN * p->extent[q];
  }
  for (int k = 0; k < CLAIM_COLUMNS; k++)
    if (column[k] > 0)
      log_c += column[k] * log(column[k] / sum);
  return estimate(p->work, log_c, sum, p->m);
}

static bool try_powers(powers_search *p, int i)
{
  bool better = false;
  if (i == p->s->items) {
    double value = value_of(p);
    if (value <= p->best + 1e-9)
      return false;
    p->best = value;
    for (int k = 0; k < p->s->items; k++)
      p->s->item[k].power = p->power[k];
    return true;
  }
  for (int k = 0; k < POWERS; k++) {
    p->power[i] = powers[k];
    better = try_powers(p, i + 1) || better;
  }
  return better;
}

/* Coordinates that stand together in some form: their order matters. */
static int coupled(const coordinates *c, int items, int *which)
{
  int n = 0;
  for (int p = 0; p < c->n; p++) {
    bool with = false;
    for (int i = 0; i < items; i++)
      for (int k = 0; k < c->rows[i]; k++)
        for (int q = 0; q < c->n; q++)
          with = with || (q != p && c->row[i][k].coef[p] && c->row[i][k].coef[q]);
    if (with)
      which[n++] = p;
  }
  return n;
}

enum { COUPLED_MOST = 5, PATTERNS = 128 };
typedef struct {
  powers_search p;
  int which[CLAIM_LOOPS], n;
  int order[CLAIM_LOOPS];      /* chosen so far */
  int patterns;
  uint32_t seen[PATTERNS][CLAIM_ITEMS];
} order_search;

static void try_order(order_search *o)
{
  int place[CLAIM_LOOPS], at = 0;
  const coordinates *c = o->p.c;
  uint32_t pivots[CLAIM_ITEMS] = { 0 };
  bool last[CLAIM_LOOPS] = { 0 };
  for (int k = 0; k < o->n; k++)
    last[o->order[k]] = true;
  for (int p = 0; p < c->n; p++)
    if (!last[p])
      place[p] = at++;
  for (int k = 0; k < o->n; k++)
    place[o->order[k]] = at++;
  for (int i = 0; i < o->p.s->items; i++)
    pivots[i] = coordinates_pivots(c, i, place);
  for (int k = 0; k < o->patterns; k++)
    if (memcmp(o->seen[k], pivots, sizeof pivots) == 0)
      return;
  if (o->patterns == PATTERNS)
    return;
  memcpy(o->seen[o->patterns++], pivots, sizeof pivots);
  memcpy(o->p.pivots, pivots, sizeof pivots);
  if (try_powers(&o->p, 0)) {
    o->p.s->loops = o->n;
    for (int k = 0; k < o->n; k++)
      o->p.s->order[k] = c->name[o->order[k]];
  }
}

static void try_orders(order_search *o, int k, uint32_t used)
{
  if (k == o->n) {
    try_order(o);
    return;
  }
  for (int i = 0; i < o->n; i++)
    if (!(used >> i & 1)) {
      o->order[k] = o->which[i];
      try_orders(o, k + 1, used | 1u << i);
    }
}

/* A loop that stands with coefficient 1 beside one with coefficient c is split by c, when it has more than c values. */
static void choose_splits(const coordinates *c, claim_statement *s)
{
  for (int i = 0; i < s->items; i++)
    for (int k = 0; k < c->rows[i]; k++)
      for (int p = 0; p < c->n; p++)
        for (int q = 0; q < c->n; q++) {
          int64_t one = c->row[i][k].coef[p], by = c->row[i][k].coef[q];
          by = by < 0 ? -by : by;
          if (p != q && c->modulus[i][k] == 0 && (one == 1 || one == -1) && by > 1 && by < c->extent[p] &&
              by < (1 << 20) && c->name[p] < CDAG_RANK)
            s->split[c->name[p]] = by;
        }
}

/* The best powers of a statement whose steps and columns are known: the estimate, 0 when there is none. */
static double choose_powers(const search *s, statement_facts *t, claim_statement *of, double work)
{
  coordinates c;
  if (!coordinates_of(t, &c))
    return 0;
  choose_splits(&c, of);
  if (!coordinates_of(t, &c))
    return 0;
  order_search *o = ARENA_NEW(&s->f->scratch, order_search, 1);
  o->p = (powers_search){ .c = &c, .s = of, .work = log(work), .m = log((double)s->m), .best = -INFINITY };
  for (int q = 0; q < c.n; q++)
    o->p.extent[q] = log((double)c.extent[q]);
  o->n = coupled(&c, of->items, o->which);
  if (o->n > COUPLED_MOST)
    o->n = COUPLED_MOST;
  try_orders(o, 0, 0);
  return exp(o->p.best);
}

/* ---- statements ---- */

/* The least value that is kept of such candidates; 0 while there is room. */
static int worst_kept(const search *s, int array, bool operands, double *value)
{
  int same = 0, worst = -1;
  for (int i = 0; i < s->candidates; i++)
    if (s->pool[i].group.statement[0].array == array && s->pool[i].operands == operands) {
      same++;
      if (worst < 0 || s->pool[i].value < s->pool[worst].value)
        worst = i;
    }
  *value = same < KEPT ? 0 : s->pool[worst].value;
  return same < KEPT ? -1 : worst;
}

static bool keep_one(search *s, const claim_group *g, bool operands)
{
  affine_claim c;
  mpz_t value;
  double least;
  int at = worst_kept(s, g->statement[0].array, operands, &least);
  begin(s, &c);
  c.groups = 1;
  c.group[0] = *g;
  mpz_init(value);
  bool good = worth(s, &c, value);
  if (good && mpz_cmp_d(value, least) > 0 && (at >= 0 || s->candidates < POOL))
    s->pool[at >= 0 ? at : s->candidates++] = (candidate){ c.group[0], mpz_get_d(value), operands };
  mpz_clear(value);
  return good;
}

static bool has_kind(const claim_group *g, item_kind kind)
{
  for (int i = 0; i < g->statement[0].items; i++)
    for (int w = 0; w < g->statement[0].item[i].ways; w++)
      if (g->statement[0].item[i].way[w].kind == kind)
        return true;
  return false;
}

/* Of sqrt(M); where to begin, and which are for chains of the steps' own array. */
static const double tail_lengths[] = { 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 5, 6, 8, 12, 20 };
enum { TAILS = sizeof tail_lengths / sizeof *tail_lengths, TAIL_MIDDLE = 4, OWN_TAILS = 2, OWN_TAILS_END = 11 };
static int64_t tail_of(const search *s, int i) { return 2 + (int64_t)(tail_lengths[i] * sqrt((double)s->m)); }

/* What the group alone gives decides whether it is kept. */
static void keep(search *s, const claim_group *g, bool operands)
{
  claim_group with = *g;
  bool tails = has_kind(g, ITEM_TAIL), good = true;
  for (int i = OWN_TAILS; i < (tails ? OWN_TAILS_END : OWN_TAILS + 1) && good; i++) {
    with.tail = tails ? tail_of(s, i) : 0;
    good = keep_one(s, &with, operands) || i > OWN_TAILS;
  }
}

/* Columns: an item joins that of an earlier one with which it may share words, but where few steps are in the way. */
static void choose_columns(search *s, statement_facts *t, claim_statement *of)
{
  for (int i = 0; i < of->items; i++)
    of->item[i].column = i;
  for (int i = 0; i < of->items; i++)
    for (int k = 0; k < i; k++) {
      int from = of->item[i].column, to = of->item[k].column;
      if (from == to || items_apart(t, i, t, k) || items_part(s->f, t, i, t, k))
        continue;
      for (int q = 0; q < of->items; q++)
        if (of->item[q].column == from)
          of->item[q].column = to;
    }
}

/* The items are set: columns and powers. */
static void try_statement(search *s, claim_group *g)
{
  text reason = { 0 };
  statement_facts t;
  mpz_t work;
  claim_statement *of = &g->statement[0];
  arena_clear(&s->f->scratch);
  mpz_init(work);
  if (statement_facts_of(s->f, of, &t, &reason)) {
    choose_columns(s, &t, of);
    if (steps_count(&t, work)) {
      double value = choose_powers(s, &t, of, mpz_get_d(work)), least;
      worst_kept(s, of->array, has_kind(g, ITEM_OPERAND), &least);
      if (value + s->ends > least)
        keep(s, g, has_kind(g, ITEM_OPERAND));
    }
  }
  mpz_clear(work);
  text_clear(&reason);
}

/* Rows in pairs: the reads in twos. */
static void try_pairs(search *s, const claim_group *like)
{
  claim_group g = *like;
  claim_statement *of = &g.statement[0];
  claim_item own = of->item[0];
  for (int i = 0; i + 1 < of->items; i++) {
    of->item[i] = of->item[i + 1];
    of->item[i].column = 0;
  }
  own.column = 1;
  of->item[of->items - 1] = own;
  g.pairs = (of->items - 1) / 2;
  g.den = 2;
  keep(s, &g, has_kind(&g, ITEM_OPERAND));
}

/* What an array's elements read that may count.  Of reads with the same coefficients one, or several on disjoint parts;
   needs that never meet may be one as well. */
typedef struct { int ways, access[CLAIM_WAYS]; double points; } read_need;
typedef struct {
  int n;
  read_need need[READS_MOST];
} reads;

static bool same_slopes(const normal_form *f, const access *a, const access *b)
{
  if (a->to != b->to)
    return false;
  for (int r = 0; r < f->array[a->to].rank; r++) {
    linear step = a->index[r];
    if (!linear_add(&step, &b->index[r], -1) || !linear_is_constant(&step))
      return false;
  }
  return true;
}

static double points_of(const polyhedron *p)
{
  mpz_t n;
  mpz_init(n);
  double d = polyhedron_count(p, n) ? mpz_get_d(n) : 0;
  mpz_clear(n);
  return d;
}

static bool never_together(const normal_form *f, const read_need *x, int more)
{
  bool apart = x->ways < CLAIM_WAYS;
  for (int w = 0; w < x->ways && apart; w++) {
    arena memory = { 0 };
    polyhedron *both = polyhedron_copy(&memory, f->access[x->access[w]]->where);
    polyhedron_meet(&memory, both, f->access[more]->where, f->array[f->access[more]->from].rank);
    apart = polyhedron_empty(both);
    arena_clear(&memory);
  }
  return apart;
}

/* As words where they all can be; as operands, or as words with tails, where they are computed.  False when that is the
   same. */
static bool need_kinds(const search *s, const read_need *n, item_kind kind, claim_item *item)
{
  bool some = false;
  *item = (claim_item){ .ways = n->ways };
  for (int w = 0; w < n->ways; w++) {
    int to = s->f->form.access[n->access[w]]->to;
    bool computed = s->f->form.array[to].computed.n > 0, rooted = !s->f->words.unrooted[s->f->words.component[to]];
    item->way[w] = (claim_way){ kind == ITEM_TAIL || computed ? kind : ITEM_READ, n->access[w] };
    some = some || computed;
    if (!rooted && item->way[w].kind != ITEM_OPERAND)
      return false;
  }
  return some || kind == ITEM_READ;
}

/* How many independent forms tell the need's words or vertices. */
static int need_rank(search *s, int array, const read_need *n)
{
  text reason = { 0 };
  claim_statement of = { .array = array, .items = 1 };
  statement_facts t;
  coordinates c;
  int place[CLAIM_LOOPS], rank = 0;
  for (int p = 0; p < CLAIM_LOOPS; p++)
    place[p] = p;
  for (item_kind kind = ITEM_READ; kind <= ITEM_OPERAND && rank == 0; kind++)
    if (need_kinds(s, n, kind, &of.item[0]) && statement_facts_of(s->f, &of, &t, &reason) && coordinates_of(&t, &c))
      rank = __builtin_popcount(coordinates_pivots(&c, 0, place));
  text_clear(&reason);
  arena_clear(&s->f->scratch);
  return rank;
}

/* One more way of the need, when its words are told as well as before; the most frequent one first. */
static bool widen(search *s, int array, read_need *n, int more)
{
  read_need wide = *n;
  double points = points_of(s->f->form.access[more]->where);
  if (!never_together(&s->f->form, n, more))
    return false;
  wide.access[wide.ways++] = more;
  if (points > points_of(s->f->form.access[n->access[0]]->where)) {
    wide.access[wide.ways - 1] = n->access[0];
    wide.access[0] = more;
  }
  if (need_rank(s, array, &wide) < need_rank(s, array, n))
    return false;
  *n = wide;
  return true;
}

static void find_reads(const search *s, int array, reads *r)
{
  const normal_form *f = &s->f->form;
  for (int i = 0; i < f->accesses; i++) {
    const access *a = f->access[i];
    int like = -1;
    if (a->from != array || !a->single ||
        (words_is_own(&s->f->words, i) && s->f->words.component[a->to] == s->f->words.component[array] &&
         a->to == array))
      continue;
    for (int k = 0; k < r->n; k++)
      if (same_slopes(f, a, f->access[r->need[k].access[0]]))
        like = k;
    if (like < 0 && r->n < READS_MOST)
      like = r->n++;
    if (like >= 0 && points_of(a->where) > r->need[like].points)
      r->need[like] = (read_need){ 1, { i }, points_of(a->where) };
  }
}

/* Needs that take in what is read elsewhere: true when there are such. */
static bool widen_reads(search *s, int array, reads *r)
{
  bool wider = false;
  for (int k = 0; k < r->n; k++)
    for (int i = 0; i < s->f->form.accesses; i++) {
      const access *a = s->f->form.access[i];
      bool there = a->from != array || !a->single || words_is_own(&s->f->words, i);
      for (int q = 0; q < r->n; q++)
        for (int w = 0; w < r->need[q].ways; w++)
          there = there || (r->need[q].access[w] == i && (q == k || r->need[q].points > r->need[k].points));
      wider = (!there && widen(s, array, &r->need[k], i)) || wider;
    }
  return wider;
}

/* Three words of one kind, the step's own among them: triangles; or a pair with its own, and what both read. */
static void try_triangles(search *s, const claim_group *like)
{
  const claim_statement *of = &like->statement[0];
  const words *w = &s->f->words;
  bool kin[3] = { true };
  for (int i = 1; i < 3; i++) {
    const claim_way *way = &of->item[i].way[0];
    kin[i] = way->kind == ITEM_READ && of->item[i].ways == 1 &&
             w->component[s->f->form.access[way->access]->to] == w->component[of->array];
  }
  for (int centre = 0; centre < 3; centre++) {
    claim_group g = *like;
    claim_statement *to = &g.statement[0];
    int a = centre == 1 ? 2 : 1, b = centre == 0 ? 2 : 0;
    if (!kin[a] || !kin[b] || (centre > 0 && kin[centre]))
      continue;
    to->item[0] = of->item[a];
    to->item[1] = of->item[b];
    to->item[2] = of->item[centre];
    to->item[0].column = to->item[1].column = 0;
    to->item[2].column = centre > 0;
    g.pairs = 1;
    g.den = 2;
    keep(s, &g, has_kind(&g, ITEM_OPERAND));
  }
}

/* The needs are set. */
static void try_needs(search *s, const claim_group *g)
{
  const claim_statement *of = &g->statement[0];
  bool own = of->item[0].way[0].kind == ITEM_OWN;
  claim_group copy = *g;
  try_statement(s, &copy);
  if (own && of->items % 2 == 1 && of->items >= 3)
    try_pairs(s, g);
  if (own && of->items == 3)
    try_triangles(s, g);
  for (int k = 3; k <= 4 && own && of->items == 5; k++) { /* which two of four belong together */
    claim_group other = *g;
    claim_item t = other.statement[0].item[2];
    other.statement[0].item[2] = other.statement[0].item[k];
    other.statement[0].item[k] = t;
    try_pairs(s, &other);
  }
}

/* All that is on words of the steps' own kind with tails, when there are two needs and more. */
static void try_tails(search *s, const read_need *const *need, const claim_group *g)
{
  claim_group with = *g;
  claim_statement *of = &with.statement[0];
  const words *w = &s->f->words;
  bool good = of->items >= 3, some = false;
  for (int i = 1; i < of->items && good; i++) {
    bool tail = w->component[s->f->form.access[need[i]->access[0]]->to] == w->component[of->array];
    good = need_kinds(s, need[i], tail ? ITEM_TAIL : ITEM_READ, &of->item[i]);
    some = some || tail;
  }
  if (good && some)
    try_needs(s, &with);
}

/* Each of the chosen reads as a word and as an operand, whatever it can be. */
static void try_kinds(search *s, const read_need *const *need, claim_group *g, int i)
{
  claim_statement *of = &g->statement[0];
  if (i == of->items) {
    try_needs(s, g);
    return;
  }
  for (item_kind kind = ITEM_READ; kind <= ITEM_OPERAND; kind++)
    if (need_kinds(s, need[i], kind, &of->item[i]))
      try_kinds(s, need, g, i + 1);
}

/* All sets of needs; wide: only those with a need that has several ways, the others were tried before. */
static void try_reads(search *s, int array, const reads *r, bool wide)
{
  unsigned several = 0;
  for (int k = 0; k < r->n; k++)
    several |= (unsigned)(r->need[k].ways > 1) << k;
  for (unsigned set = 1; set < 1u << r->n; set++) {
    int chosen = __builtin_popcount(set);
    if ((wide && !(set & several)) || chosen > 4 || (chosen > 3 && r->n > 5))
      continue;
    for (int own = 0; own < 2; own++) {
      const read_need *need[CLAIM_ITEMS];
      claim_group g = { .statements = 1, .den = DEN, .segments = 1 };
      claim_statement *of = &g.statement[0];
      of->array = array;
      if (own)
        of->item[of->items++] = (claim_item){ 1, { { ITEM_OWN, -1 } }, 0, 0 };
      for (int k = 0; k < r->n; k++)
        if (set >> k & 1) {
          of->item[of->items].way[0].kind = ITEM_READ;
          need[of->items++] = &r->need[k];
        }
      try_kinds(s, need, &g, own);
      if (own && s->what == AFFINE_ALL)
        try_tails(s, need, &g);
    }
  }
}

static void try_sets(search *s, int array)
{
  reads r = { 0 };
  find_reads(s, array, &r);
  try_reads(s, array, &r, false);
  if (widen_reads(s, array, &r))
    try_reads(s, array, &r, true);
}

/* ---- groups ---- */

static void consider(affine_best *best, const affine_claim *c, const mpz_t value)
{
  if (mpz_cmp(value, best->value) > 0) {
    mpz_set(best->value, value);
    best->claim = *c;
  }
}

/* The statement with its columns renamed: column k becomes to[k]. */
static void rename_columns(claim_statement *s, const int *to)
{
  for (int i = 0; i < s->items; i++)
    s->item[i].column = to[s->item[i].column];
}

static int columns_of(const claim_statement *s)
{
  int n = 0;
  for (int i = 0; i < s->items; i++)
    n = s->item[i].column >= n ? s->item[i].column + 1 : n;
  return n;
}

static void column_sums(const claim_statement *s, int64_t *sum)
{
  memset(sum, 0, CLAIM_COLUMNS * sizeof *sum);
  for (int i = 0; i < s->items; i++)
    sum[s->item[i].column] += s->item[i].power;
}

/* The items of s in the order of the columns of `like`, when each has one of its own. */
static void order_items(claim_statement *s, const claim_statement *like)
{
  claim_statement old = *s;
  for (int i = 0; i < like->items && like->items == old.items; i++)
    for (int k = 0; k < old.items; k++)
      if (old.item[k].column == like->item[i].column)
        s->item[i] = old.item[k];
}

/* The claim with one more statement in group g; and with the steps of that group in one space. */
static void with_sibling(search *s, const affine_claim *now, int g, const claim_statement *sibling, affine_best *best)
{
  affine_claim c = *now;
  mpz_t value;
  claim_group *to = &c.group[g];
  to->statement[to->statements++] = *sibling;
  order_items(&to->statement[to->statements - 1], &to->statement[0]);
  mpz_init(value);
  for (int together = 0; together < 2; together++) {
    if (together ? !affine_embed(s->f, to) : to->together > 0)
      continue;
    if (worth(s, &c, value))
      consider(best, &c, value);
  }
  mpz_clear(value);
}

/* The candidate as one more sibling in group g, its columns in every order that fits. */
static void try_sibling(search *s, const affine_claim *now, int g, const claim_group *more, affine_best *best)
{
  const claim_group *to = &now->group[g];
  int64_t want[CLAIM_COLUMNS], sum[CLAIM_COLUMNS];
  int n = columns_of(&more->statement[0]), order[CLAIM_COLUMNS], at = 0;
  if (to->pairs || more->pairs || to->den != more->den || to->statements == CLAIM_STATEMENTS || n > 4 ||
      columns_of(&to->statement[0]) != n)
    return;
  column_sums(&to->statement[0], want);
  memset(order, -1, sizeof order);
  while (at >= 0) { /* all permutations */
    order[at]++;
    bool taken = false;
    for (int i = 0; i < at; i++)
      taken = taken || order[i] == order[at];
    if (order[at] >= n) {
      order[at--] = -1;
      continue;
    }
    if (taken || at + 1 < n) {
      at += !taken;
      continue;
    }
    claim_statement sibling = more->statement[0];
    rename_columns(&sibling, order);
    column_sums(&sibling, sum);
    if (memcmp(want, sum, sizeof want) != 0)
      continue;
    with_sibling(s, now, g, &sibling, best);
  }
}

/* The n-th read besides that is like the one of this way; -1. */
static int like_access(const normal_form *f, int of, int n)
{
  for (int i = 0; i < f->accesses; i++)
    if (i != of && f->access[i]->from == f->access[of]->from && f->access[i]->single &&
        same_slopes(f, f->access[i], f->access[of]) && n-- == 0)
      return i;
  return -1;
}

/* Once more the steps of the group's first statement, by other reads like those it has: a loop that was unrolled. */
static bool twin_of(const normal_form *f, const claim_group *g, int n, claim_group *twin)
{
  *twin = *g;
  twin->statements = 1;
  for (int i = 0; i < twin->statement[0].items; i++) {
    claim_item *item = &twin->statement[0].item[i];
    if (item->way[0].kind == ITEM_OWN)
      continue;
    item->way[0].access = item->ways > 1 ? -1 : like_access(f, item->way[0].access, n);
    if (item->way[0].access < 0)
      return false;
  }
  return g->statements < CLAIM_STATEMENTS && !g->pairs && !g->tail;
}

static void add_twins(search *s, affine_claim *now, affine_best *local)
{
  for (int g = 0; g < now->groups; g++)
    for (int n = 0; n < CLAIM_STATEMENTS - 1; n++) {
      claim_group twin;
      if (!twin_of(&s->f->form, &now->group[g], n, &twin))
        break;
      try_sibling(s, now, g, &twin, local);
      *now = local->claim;
    }
}

/* From the best candidate on, each as a ledger of its own or as a sibling, when that is better. */
static void combine(search *s, bool once, int first, affine_best *best)
{
  affine_claim now;
  mpz_t value;
  affine_best local;
  mpz_init(value);
  mpz_init(local.value);
  begin(s, &now);
  for (int n = 0; n < s->candidates; n++) {
    const candidate *k = &s->pool[n == 0 ? first : n <= first ? n - 1 : n];
    if (k->operands && !once)
      continue;
    bool there = false;
    for (int g = 0; g < now.groups; g++)
      for (int i = 0; i < now.group[g].statements; i++)
        there = there || now.group[g].statement[i].array == k->group.statement[0].array;
    if (there || (now.groups && (now.group[0].tail || k->group.tail)))
      continue;
    if (now.groups < CLAIM_GROUPS) {
      affine_claim c = now;
      c.group[c.groups++] = k->group;
      if (worth(s, &c, value))
        consider(&local, &c, value);
    }
    for (int g = 0; g < now.groups; g++)
      try_sibling(s, &now, g, &k->group, &local);
    if (mpz_sgn(local.value) > 0)
      now = local.claim;
    if (n == 0)
      add_twins(s, &now, &local);
  }
  if (mpz_sgn(local.value) > 0)
    consider(best, &local.claim, local.value);
  mpz_clears(value, local.value, NULL);
}

/* ---- operands that other statements make ---- */

/* The best candidate of the array with its own word and two needs. */
static const claim_statement *maker_of(const search *s, int array)
{
  for (int i = 0; i < s->candidates; i++) {
    const claim_group *g = &s->pool[i].group;
    if (g->statement[0].array == array && g->statements == 1 && !g->tail && !g->pairs &&
        g->statement[0].items >= 3 && g->statement[0].item[0].way[0].kind == ITEM_OWN)
      return &g->statement[0];
  }
  return NULL;
}

/* Do they read words of one component? */
static bool share_words(const search *s, const claim_statement *x, const claim_statement *y)
{
  const normal_form *f = &s->f->form;
  for (int i = 0; i < x->items; i++)
    for (int k = 0; k < y->items; k++) {
      const claim_way *a = &x->item[i].way[0], *b = &y->item[k].way[0];
      if (a->kind == ITEM_READ && b->kind == ITEM_READ &&
          s->f->words.component[f->access[a->access]->to] == s->f->words.component[f->access[b->access]->to])
        return true;
    }
  return false;
}

/* What is read as an operand is made. */
static void operands_made(claim_statement *of)
{
  for (int i = 0; i < of->items; i++)
    for (int w = 0; w < of->item[i].ways; w++)
      if (of->item[i].way[w].kind == ITEM_OPERAND)
        of->item[i].way[w].kind = ITEM_MADE;
}

/* A need that is made, of a statement of the group; the statement that makes it. */
typedef struct {
  int statement, item;         /* -1: none */
  const claim_statement *maker;
} made_need;

/* Put the statement in the group: its columns are new, or, turned round so often, those of one that shares words with
   it; or those of the one that it makes something for, which reads it in the column of its own words. */
static bool place(const search *s, claim_group *g, const claim_statement *more, int turned, const made_need *joined)
{
  int like = joined ? joined->statement : -1, next = 0, columns = columns_of(more), to[CLAIM_COLUMNS] = { 0 };
  int of[CLAIM_COLUMNS], n = 0;
  uint32_t seen = 0;
  if (g->statements == CLAIM_STATEMENTS || columns > 4)
    return false;
  for (int k = g->statements - 1; k >= 0; k--) {
    like = !joined && share_words(s, &g->statement[k], more) ? k : like;
    next = columns_of(&g->statement[k]) > next ? columns_of(&g->statement[k]) : next;
  }
  for (int i = 0; like >= 0 && i < g->statement[like].items; i++)
    if (!(seen >> g->statement[like].item[i].column & 1)) {
      of[n++] = g->statement[like].item[i].column;
      seen |= 1u << of[n - 1];
    }
  if ((like < 0 && (turned || next + columns > CLAIM_COLUMNS)) || (like >= 0 && n != columns))
    return false;
  for (int k = 0, left = turned; k < columns; k++) { /* the permutation of this number */
    int at = left % (columns - k);
    left /= columns - k;
    to[k] = like < 0 ? next + k : of[at];
    for (int q = at; q + 1 < n; q++)
      of[q] = of[q + 1];
    if (k + 1 == columns && left > 0)
      return false;
  }
  claim_statement *is = &g->statement[g->statements++];
  *is = *more;
  operands_made(is);
  rename_columns(is, to);
  return !joined || is->item[0].column == g->statement[joined->statement].item[joined->item].column;
}

/* The array of the chain that what is read ends: its own, or that of what the word goes on to. */
static int chain_of(const search *s, int array)
{
  const normal_form *f = &s->f->form;
  if (maker_of(s, array))
    return array;
  for (int i = 0; i < s->owns; i++)
    if (f->access[s->own[i]]->from == array && maker_of(s, f->access[s->own[i]]->to))
      return f->access[s->own[i]]->to;
  return -1;
}

/* The first need that is made by a statement that is not there; false when one is made by none. */
static bool missing(const search *s, const claim_group *g, made_need *n)
{
  *n = (made_need){ -1, -1, NULL };
  for (int k = 0; k < g->statements; k++)
    for (int i = 0; i < g->statement[k].items; i++)
      for (int w = 0; w < g->statement[k].item[i].ways; w++) {
        const claim_way *way = &g->statement[k].item[i].way[w];
        int by = way->kind == ITEM_MADE ? chain_of(s, s->f->form.access[way->access]->to) : -1;
        bool there = way->kind != ITEM_MADE;
        if (!there && by < 0)
          return false;
        for (int q = 0; q < g->statements; q++)
          there = there || g->statement[q].array == by;
        if (!there && !n->maker)
          *n = (made_need){ k, i, maker_of(s, by) };
      }
  return true;
}

enum { TURNS = 24 };

static bool try_tail(search *s, affine_claim *c, int i, affine_best *best, mpz_t value)
{
  c->group[0].tail = tail_of(s, i);
  bool good = worth(s, c, value);
  if (good)
    consider(best, c, value);
  return good;
}

/* From a middle length longer and longer, and shorter and shorter, while that is better. */
static void best_tail(search *s, affine_claim *c, affine_best *best)
{
  mpz_t value, last, middle;
  mpz_inits(value, last, middle, NULL);
  int from = try_tail(s, c, TAIL_MIDDLE, best, middle) ? TAIL_MIDDLE : 0;
  bool good = from > 0 || try_tail(s, c, 0, best, middle);
  for (int step = 1; step >= -1 && good; step -= 2) {
    mpz_set(last, middle);
    for (int i = from + step; i >= 0 && i < TAILS; i += step) {
      if (!try_tail(s, c, i, best, value) || mpz_cmp(value, last) < 0)
        break;
      mpz_set(last, value);
    }
  }
  mpz_clears(value, last, middle, NULL);
}

/* The claim with all that makes what it reads, in columns of their own, or in those of who reads it. */
static void complete(search *s, affine_claim *c, affine_best *best)
{
  made_need more;
  if (!missing(s, &c->group[0], &more))
    return;
  if (!more.maker)
    best_tail(s, c, best);
  for (int joined = 0; joined < 2 && more.maker; joined++)
    for (int turned = 0; turned < TURNS; turned++) {
      affine_claim with = *c;
      if (place(s, &with.group[0], more.maker, turned, joined ? &more : NULL))
        complete(s, &with, best);
    }
}

/* One more statement, when that is better. */
static void extend(search *s, affine_best *local)
{
  for (int n = 0; n < s->candidates; n++) {
    const claim_group *k = &s->pool[n].group;
    bool there = k->pairs || k->tail || k->statements > 1;
    for (int q = 0; q < local->claim.group[0].statements; q++)
      there = there || local->claim.group[0].statement[q].array == k->statement[0].array;
    const affine_claim now = local->claim;
    for (int turned = 0; turned < TURNS && !there; turned++) {
      affine_claim with = now;
      if (place(s, &with.group[0], &k->statement[0], turned, NULL))
        complete(s, &with, local);
    }
  }
}

static void relays(search *s, affine_best *best)
{
  for (int n = 0; n < s->candidates; n++) {
    affine_best local = { 0 };
    if (s->pool[n].group.pairs || !s->pool[n].operands || s->pool[n].group.statements > 1)
      continue;
    mpz_init(local.value);
    begin(s, &local.claim);
    local.claim.groups = 1;
    local.claim.group[0] = s->pool[n].group;
    operands_made(&local.claim.group[0].statement[0]);
    affine_claim first = local.claim;
    complete(s, &first, &local);
    if (mpz_sgn(local.value) > 0) {
      extend(s, &local);
      consider(best, &local.claim, local.value);
    }
    mpz_clear(local.value);
  }
}

static void sort_pool(search *s)
{
  for (int i = 1; i < s->candidates; i++)
    for (int k = i; k > 0 && s->pool[k].value > s->pool[k - 1].value; k--) {
      candidate t = s->pool[k];
      s->pool[k] = s->pool[k - 1];
      s->pool[k - 1] = t;
    }
}

/* Sets of own predecessors that were tried. */
enum { ORDERS = sizeof orders / sizeof *orders, NEAR = 5 };
typedef struct {
  int n, owns[ORDERS + NEAR], own[ORDERS + NEAR][WORDS_MOST];
} tried_words;

/* Is the choice at hand a new one? */
static bool is_new(tried_words *t, const search *s)
{
  for (int k = 0; k < t->n; k++) {
    int same = 0;
    for (int i = 0; i < s->owns; i++)
      for (int j = 0; j < t->owns[k]; j++)
        same += s->own[i] == t->own[k][j];
    if (same == s->owns && same == t->owns[k])
      return false;
  }
  t->owns[t->n] = s->owns;
  memcpy(t->own[t->n++], s->own, sizeof s->own);
  return true;
}

static void find_with(search *s, affine_best best[2])
{
  text reason = { 0 };
  affine_claim none;
  mpz_t value;
  begin(s, &none);
  s->candidates = 0;
  mpz_init(value);
  if (worth(s, &none, value))
    for (int k = 0; k < 2; k++)
      consider(&best[k], &none, value);
  s->ends = mpz_get_d(value);
  if (affine_words(s->f, &none, &reason))
    for (int x = 0; x < s->f->form.arrays; x++)
      if (s->f->form.array[x].computed.n)
        try_sets(s, x);
  sort_pool(s);
  for (int once = 0; once < 2; once++)
    for (int first = 0, tried = 0; first < s->candidates && tried < KEPT; first++)
      if (once || !s->pool[first].operands) {
        combine(s, once, first, &best[once]);
        tried++;
      }
  if (s->what == AFFINE_ALL)
    relays(s, &best[0]);
  mpz_clear(value);
  text_clear(&reason);
}

void affine_find(affine_facts *f, int64_t m, affine_what what, affine_best best[2])
{
  search *s = ARENA_NEW(&f->memory, search, 1);
  tried_words *t = ARENA_NEW(&f->memory, tried_words, 1);
  s->f = f;
  s->m = affine_pebbles(f, m);
  s->what = what;
  for (size_t k = 0; k < ORDERS; k++) {
    s->derived = 0;
    choose_words(s, &orders[k]);
    if (is_new(t, s))
      find_with(s, best);
  }
}

unsigned bound_readings(const cdag *g, affine_reading end, affine_facts f[READINGS])
{
  unsigned there = 0;
  for (affine_reading r = 0; r < end; r++)
    there |= (unsigned)affine_facts_init(&f[r], g, r) << r;
  return there;
}

void bound_readings_clear(affine_facts f[READINGS], unsigned there)
{
  for (affine_reading r = 0; r < READINGS; r++)
    if (there >> r & 1)
      affine_facts_clear(&f[r]);
}

/* ---- stencils ---- */

enum { MARGIN = 2, LENGTHS = 160 };

/* The best length of a segment: multiples of M / 16. */
static void find_length(stencil_claim *c, int64_t m, mpz_t best)
{
  mpz_t value;
  int64_t length = 0;
  mpz_init(value);
  mpz_set_ui(best, 0);
  for (int i = 1; i <= LENGTHS; i++) {
    c->length = num_max(1, m / 16 * i + m % 16 * i / 16);
    stencil_count(c, m, value);
    if (mpz_cmp(value, best) > 0) {
      mpz_set(best, value);
      length = c->length;
    }
  }
  c->length = length;
  mpz_clear(value);
}

static int64_t narrowest_side(const stencil_claim *c)
{
  int64_t w = INT64_MAX;
  for (int a = 0; a < c->axes; a++)
    w = num_min(w, c->hi[a] - c->lo[a] + 1);
  return w;
}

/* Cubes of columns: the box's sides are cut in equal parts, and what is left over does not count. */
static void best_sections(const stencil_claim *c, int64_t m, mpz_t value, stencil_claim *best)
{
  enum { PARTS = 12 };
  mpz_t at;
  mpz_init(at);
  mpz_set_ui(value, 0);
  for (int i = 0; i < c->axes * PARTS; i++) {
    stencil_claim k = *c;
    int axis = i / PARTS;
    k.cube = (c->hi[axis] - c->lo[axis] + 1) / (i % PARTS + 1);
    for (int a = 0; a < c->axes && k.cube > 1; a++)
      k.hi[a] -= (k.hi[a] - k.lo[a] + 1) % k.cube;
    if (k.cube < 2 || narrowest_side(&k) < 2)
      continue;
    find_length(&k, m, at);
    if (mpz_cmp(at, value) > 0) {
      mpz_set(value, at);
      *best = k;
    }
  }
  mpz_clear(at);
}

/* Sets of columns of one height, with the neighbours along axes, with all, and with those between: what holds is found
   out where it would be worth more. */
static void try_sections(affine_facts *f, int64_t m, const stencil_claim *c, stencil_best *best)
{
  enum { OPEN = 1, CORNERS = 2, FIELDS = 4 };
  static const int kinds[] = { 0, OPEN, CORNERS, CORNERS | OPEN, FIELDS | OPEN };
  mpz_t value, beside[STENCIL_BESIDE];
  mpz_inits(value, beside[0], beside[1], beside[2], NULL);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && c->stride == 1; i++) {
    int kind = kinds[i];
    stencil_claim k = *c, found;
    SCOPED_TEXT reason = { 0 };
    k.once = k.sections = true;
    k.open = kind & OPEN;
    k.corners = kind & CORNERS;
    k.fields = kind & FIELDS;
    if ((k.corners && (c->axes < 2 || (c->axes > 2 && !k.open))) ||
        (k.fields && (c->axes > STENCIL_FIELD_AXES || !stencil_drops_twice(c))))
      continue;
    stencil_find_constants(f, &k);
    best_sections(&k, m, value, &found);
    if (mpz_sgn(value) > 0 && stencil_holds(f, &found, beside, &reason)) {
      stencil_total(&found, m, beside, value);
      if (mpz_cmp(value, best->value) > 0) {
        mpz_set(best->value, value);
        best->claim = found;
      }
    }
  }
  mpz_clears(value, beside[0], beside[1], beside[2], NULL);
}

static void try_stencil(affine_facts *f, int64_t m, stencil_claim *c, stencil_best best[2])
{
  text reason = { 0 };
  mpz_t value, beside[STENCIL_BESIDE];
  mpz_inits(value, beside[0], beside[1], beside[2], NULL);
  bool stencil_is = stencil_holds(f, c, beside, &reason);
  if (stencil_is)
    for (int once = 0; once < 2; once++) {
      int64_t levels = (c->top - c->bottom) / c->stride, side = narrowest_side(c);
      const int64_t root = num_isqrt(m), rooms[] = {
        0,        levels + 1, side / 4, side / 6,     side / 8, side / 12, side / 16, side / 24, side / 32,
        root / 2, root,       2 * root, 3 * root / 2, 3 * root, 4 * root,  m / 2,     m + 1,     2 * m,
        3 * m
      };
      for (size_t i = 0; i < 2 * (sizeof rooms / sizeof *rooms); i++) {
        stencil_claim k = *c;
        k.once = once;
        k.tall = i % 2;
        k.room = rooms[i / 2];
        if ((i > 0 && (k.room < 2 || 2 * k.room >= side)) || (k.tall && k.axes > STENCIL_TALL_AXES))
          continue;
        find_length(&k, m, value);
        if (mpz_sgn(value) > 0)
          mpz_add(value, value, beside[once]);
        if (mpz_cmp(value, best[once].value) > 0) {
          mpz_set(best[once].value, value);
          best[once].claim = k;
        }
      }
    }
  mpz_clears(value, beside[0], beside[1], beside[2], NULL);
  text_clear(&reason);
  if (stencil_is)
    try_sections(f, m, c, &best[1]);
}

/* Columns of a component are tried once; those that count one array only, where two take turns. */
static bool has_columns(const affine_facts *f, int x, int stride)
{
  int computed = 0;
  for (int y = 0; y < f->form.arrays; y++)
    computed += f->words.component[y] == f->words.component[x] && f->form.array[y].computed.n > 0;
  return stride == 1 ? f->words.component[x] == x : f->form.array[x].computed.n > 0 && computed == 2;
}

void affine_find_stencil(affine_facts *f, int64_t m, stencil_best best[2])
{
  search *s = ARENA_NEW(&f->memory, search, 1);
  affine_claim like;
  text reason = { 0 };
  tried_words *t = ARENA_NEW(&f->memory, tried_words, 1);
  s->f = f;
  for (int k = 0; k < ORDERS + NEAR; k++) {
    if (k < ORDERS)
      choose_words(s, &orders[k]);
    else if (!choose_near(s, k - ORDERS))
      continue;
    begin(s, &like);
    if (!is_new(t, s) || !affine_words(f, &like, &reason))
      continue;
    for (int x = 0; x < f->form.arrays; x++)
      for (int stride = 1; stride <= 2; stride++)
        for (int margin = 0; has_columns(f, x, stride) && margin <= MARGIN; margin++) {
          stencil_claim c = { .owns = s->owns, .reading = f->reading };
          memcpy(c.own, s->own, sizeof s->own);
          arena_clear(&f->scratch);
          if (stencil_guess(f, x, stride, margin, &c))
            try_stencil(f, m, &c, best);
        }
  }
  text_clear(&reason);
}
