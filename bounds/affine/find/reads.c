/* reads.c -- what the elements of an array read that may count, and sets of it. */
#include "bounds/affine/find/search.h"

/* What an array's elements read that may count.  Of reads with the same coefficients one, or several on disjoint parts;
   needs that never meet may be one as well. */
typedef struct {
  bool views;
  int ways, access[CLAIM_WAYS];
  double points;
} read_need;
typedef struct {
  int n;
  read_need need[READS_MOST];
} reads;

bool find_same_slopes(const normal_form *f, const access *a, const access *b)
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
  *item = (claim_item){ .views = n->views, .ways = n->ways };
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

/* One more way of the need, when its words tell as much as before, or its views do; the most frequent one first. */
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
  int rank = need_rank(s, array, n);
  for (int views = n->views; views < 2; views++) {
    wide.views = views;
    if (need_rank(s, array, &wide) >= rank) {
      *n = wide;
      return true;
    }
  }
  return false;
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
      if (find_same_slopes(f, a, f->access[r->need[k].access[0]]))
        like = k;
    if (like < 0 && r->n < READS_MOST)
      like = r->n++;
    if (like >= 0 && (r->need[like].ways == 0 || points_of(a->where) > r->need[like].points))
      r->need[like] = (read_need){ .ways = 1, .access = { i }, .points = points_of(a->where) };
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
    find_keep(s, &g, find_has_kind(&g, ITEM_OPERAND));
  }
}

/* May both be words of one kind? */
static bool kin(const search *s, const claim_item *a, const claim_item *b)
{
  const normal_form *f = &s->f->form;
  const claim_way *x = &a->way[0], *y = &b->way[0];
  return s->f->words.component[f->access[x->access]->to] == s->f->words.component[f->access[y->access]->to];
}

/* Which two needs belong together, and which of two is the first one's row: the text says nothing of that. */
static void try_twos(search *s, const claim_group *like)
{
  static const int four[][4] = { { 1, 2, 3, 4 }, { 1, 2, 4, 3 }, { 1, 3, 2, 4 },
                                 { 1, 3, 4, 2 }, { 1, 4, 2, 3 }, { 1, 4, 3, 2 } };
  const claim_statement *of = &like->statement[0];
  int needs = of->items - 1, ways = needs == 2 ? 1 : needs == 4 ? (int)(sizeof four / sizeof *four) : 0;
  for (int k = 0; k < ways; k++) {
    claim_group g = *like;
    bool twos = true;
    for (int i = 0; i < needs; i++)
      g.statement[0].item[i + 1] = of->item[four[k][i]];
    for (int i = 1; i < needs; i += 2)
      twos = twos && kin(s, &g.statement[0].item[i], &g.statement[0].item[i + 1]);
    if (twos)
      find_try_pairs(s, &g);
  }
}

/* The needs are set. */
static void try_needs(search *s, const claim_group *g)
{
  const claim_statement *of = &g->statement[0];
  bool own = of->item[0].way[0].kind == ITEM_OWN;
  claim_group copy = *g;
  find_try_statement(s, &copy);
  if (own)
    try_twos(s, g);
  if (own && of->items == 3)
    try_triangles(s, g);
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
        of->item[of->items++] = (claim_item){ .ways = 1, .way = { { ITEM_OWN, -1 } } };
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

void find_try_sets(search *s, int array)
{
  reads r = { 0 };
  find_reads(s, array, &r);
  try_reads(s, array, &r, false);
  if (widen_reads(s, array, &r))
    try_reads(s, array, &r, true);
}
