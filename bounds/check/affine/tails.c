/* Tails: the last elements of an operand's word.  One of them is red or loaded, or all of them are computed in the
   segment, and that takes many other operands, in a row and in a column. */
#include "bounds/check/affine/tails.h"
#include "base/num.h"
#include "bounds/checker.h"
#include <string.h>

enum { BOXES = 16 };

/* Whose tails: of all elements of the array, or of those that the counted steps read. */
typedef struct {
  affine_facts *f;
  statement_facts *t;
  int64_t g;                   /* own predecessors in a tail */
  bool all;
  int own;                     /* the item */
  linear *level;               /* of each array */
} tails;

static bool is_tail(const tails *x, int i) { return x->t->s->item[i].way[0].kind == ITEM_TAIL; }

/* Where item i reads way w, as polyhedra whose first variables are the loops. */
static void readers(const tails *x, int i, int w, polyhedra *l)
{
  arena *a = &x->f->scratch;
  const polyhedron *where = x->t->way[i][w].where;
  if (x->all)
    polyhedra_add(a, l, polyhedron_copy(a, where));
  for (int k = 0; !x->all && k < x->t->steps.n; k++) {
    polyhedron *p = polyhedron_copy(a, x->t->steps.item[k]);
    polyhedron_meet(a, p, where, x->t->rank);
    if (p->open || !polyhedron_empty(p))
      polyhedra_add(a, l, p);
  }
}

/* The level of what is read, in the loops. */
static bool level_of(const tails *x, const way_facts *w, linear *level)
{
  return linear_substitute(&x->level[w->to], w->index, w->indices, 0, level);
}

/* Points of p and q, side by side, on words with the same label, level(p) + least <= level(q) <= level(p) + most. */
typedef struct {
  const linear *label, *level;
  int labels;
} place;
static bool beside(arena *a, const polyhedron *p, const place *x, const polyhedron *q, const place *y, int64_t least,
                   int64_t most, polyhedron **both)
{
  int shift;
  linear moved, low = *x->level, high = *x->level;
  *both = polyhedron_beside(a, p, q, &shift);
  for (int r = 0; r < x->labels; r++)
    if (linear_substitute(&y->label[r], NULL, 0, shift, &moved))
      polyhedron_same(a, *both, &x->label[r], &moved);
  if (!linear_substitute(y->level, NULL, 0, shift, &moved))
    return true;
  low.base += least;
  high.base += most;
  if (least > INT32_MIN)
    polyhedron_require(a, *both, &low, &moved);
  if (most < INT32_MAX)
    polyhedron_require(a, *both, &moved, &high);
  return (*both)->open || !polyhedron_empty(*both);
}

/* Is some pair of readers, of items i and k, so? */
static bool some_beside(const tails *x, int i, int k, int64_t least, int64_t most)
{
  for (int u = 0; u < x->t->s->item[i].ways; u++)
    for (int v = 0; v < x->t->s->item[k].ways; v++) {
      polyhedra p = { 0 }, q = { 0 };
      linear a, b;
      const way_facts *wu = &x->t->way[i][u], *wv = &x->t->way[k][v];
      if (wu->component != wv->component)
        continue;
      if (!level_of(x, wu, &a) || !level_of(x, wv, &b))
        return true;
      place at = { wu->form, &a, wu->forms }, to = { wv->form, &b, wv->forms };
      readers(x, i, u, &p);
      readers(x, k, v, &q);
      for (int m = 0; m < p.n; m++)
        for (int n = 0; n < q.n; n++) {
          polyhedron *both;
          if (beside(&x->f->scratch, p.item[m], &at, q.item[n], &to, least, most, &both))
            return true;
        }
    }
  return false;
}

/* ---- steps in tails go; words that go on after a tail begin anew ---- */

/* Steps at levels that are above what item i reads by least .. most, on its word. */
static bool steps_at(const tails *x, int i, int64_t least, int64_t most, polyhedra *found)
{
  const way_facts *own = &x->t->way[x->own][0];
  linear level = x->level[own->to];
  for (int w = 0; w < x->t->s->item[i].ways; w++) {
    polyhedra l = { 0 };
    linear read;
    const way_facts *way = &x->t->way[i][w];
    if (!level_of(x, way, &read))
      return false;
    place at = { own->form, &level, own->forms }, of = { way->form, &read, way->forms };
    readers(x, i, w, &l);
    int64_t below = most == INT32_MAX ? INT32_MIN : -most;
    for (int p = 0; p < x->t->steps.n; p++)
      for (int q = 0; q < l.n; q++) {
        polyhedron *both;
        bool exact;
        if (!beside(&x->f->scratch, x->t->steps.item[p], &at, l.item[q], &of, below, -least, &both))
          continue;
        both = polyhedron_project(&x->f->scratch, both, x->t->rank, &exact);
        if (both->open)
          return false;
        polyhedra_add(&x->f->scratch, found, both);
      }
  }
  return true;
}

/* The words that item i reads, by their labels: no fewer. */
static bool count_words(const tails *x, int i, mpz_t n)
{
  polyhedra images = { 0 }, pieces = { 0 };
  mpz_t part;
  int forms = x->t->way[i][0].forms;
  for (int w = 0; w < x->t->s->item[i].ways; w++) {
    polyhedra l = { 0 };
    readers(x, i, w, &l);
    for (int k = 0; k < l.n; k++) {
      polyhedron *p = polyhedron_new(&x->f->scratch, forms);
      bool exact;
      polyhedron_include(&x->f->scratch, p, l.item[k], NULL, 0);
      for (int r = 0; r < forms; r++) {
        linear y = linear_variable(r), moved;
        if (linear_substitute(&x->t->way[i][w].form[r], NULL, 0, forms, &moved))
          polyhedron_same(&x->f->scratch, p, &y, &moved);
      }
      polyhedra_add(&x->f->scratch, &images, polyhedron_project(&x->f->scratch, p, forms, &exact));
    }
  }
  bool good = polyhedra_disjoint(&x->f->scratch, &images, forms, &pieces);
  mpz_init(part);
  mpz_set_ui(n, 0);
  for (int k = 0; k < pieces.n && good; k++) {
    good = polyhedron_count(pieces.item[k], part);
    mpz_add(n, n, part);
  }
  mpz_clear(part);
  return good;
}

static bool clear_tails(tails *x, mpz_t births, text *reason)
{
  polyhedra away = { 0 };
  mpz_t n;
  bool good = true;
  for (int i = 0; i < x->t->s->items; i++)
    if (is_tail(x, i) && (some_beside(x, i, i, 2, INT32_MAX) || !steps_at(x, i, -x->g, 1, &away)))
      return bound_refuse(reason, "what is read of a word lies at several levels");
  if (away.n && !steps_part(x->f, x->t, &away))
    return bound_refuse(reason, "all steps are in tails");
  mpz_init(n);
  for (int i = 0; i < x->t->s->items && good; i++) {
    polyhedra after = { 0 };
    good = !is_tail(x, i) || steps_at(x, i, 1, INT32_MAX, &after);
    if (after.n == 0)
      continue;
    good = good && !x->all && count_words(x, i, n);
    mpz_add(births, births, n);
  }
  mpz_clear(n);
  return good || bound_refuse(reason, "words go on after tails");
}

/* ---- tails are made by steps of the statement's own array ---- */

/* The elements of the statement's array whose own predecessor is one step before in it; those that follow an input. */
typedef struct {
  polyhedra regular, first;
  int64_t step[CDAG_RANK];     /* from an element to its own predecessor */
  bool found;
} chain;

static bool constant_step(const access *a, int rank, int64_t *step)
{
  for (int r = 0; r < rank; r++) {
    linear d = a->index[r], x = linear_variable(r);
    if (!linear_add(&d, &x, -1) || !linear_is_constant(&d))
      return false;
    step[r] = d.base;
  }
  return true;
}

static void add_first(const tails *x, const access *a, polyhedra *first)
{
  const array_form *to = &x->f->form.array[a->to];
  for (int k = 0; k < to->inputs.n; k++) {
    polyhedron *p = polyhedron_copy(&x->f->scratch, a->where);
    polyhedron_include(&x->f->scratch, p, to->inputs.item[k], a->index, to->rank);
    if (!p->open && !polyhedron_empty(p))
      polyhedra_add(&x->f->scratch, first, p);
  }
}

static bool find_chain(const tails *x, int s, chain *c)
{
  for (int i = 0; i < x->f->words.n; i++) {
    const access *a = x->f->form.access[x->f->words.own[i]];
    int64_t step[CDAG_RANK] = { 0 };
    if (a->from != s)
      continue;
    add_first(x, a, &c->first);
    if (a->to != s || !constant_step(a, x->t->rank, step))
      continue;
    if (c->found && memcmp(step, c->step, sizeof step) != 0)
      return false;
    memcpy(c->step, step, sizeof step);
    c->found = true;
    polyhedra_add(&x->f->scratch, &c->regular, polyhedron_copy(&x->f->scratch, a->where));
  }
  return c->found;
}

/* Only those at which item i is read, one way or the other. */
static void regular_reads(const tails *x, int i, chain *c)
{
  polyhedra next = { 0 };
  for (int k = 0; k < c->regular.n; k++)
    for (int w = 0; w < x->t->s->item[i].ways; w++) {
      polyhedron *p = polyhedron_copy(&x->f->scratch, c->regular.item[k]);
      polyhedron_meet(&x->f->scratch, p, x->t->way[i][w].where, x->t->rank);
      if (!p->open && !polyhedron_empty(p))
        polyhedra_add(&x->f->scratch, &next, p);
    }
  c->regular = next;
}

/* Does every element of `from` - m step, 0 <= m < run, that there is read both slots, or follow an input, or is one? */
static bool runs(const tails *x, int s, const polyhedron *from, const linear *base, int64_t run, const chain *c)
{
  arena *a = &x->f->scratch;
  int rank = x->t->rank;
  polyhedron *p = polyhedron_new(a, rank + 1);
  bool exact;
  linear m = linear_variable(rank), zero = linear_constant(0), last = linear_constant(run - 1);
  polyhedron_require(a, p, &zero, &m);
  polyhedron_require(a, p, &m, &last);
  polyhedron_include(a, p, from, NULL, 0);
  for (int r = 0; r < rank; r++) {
    linear y = linear_variable(r), moved;
    if (!linear_substitute(&base[r], NULL, 0, rank + 1, &moved))
      return false;
    moved.coef[rank] = c->step[r];
    polyhedron_same(a, p, &y, &moved);
  }
  p = polyhedron_project(a, p, rank, &exact);
  const array_form *form = &x->f->form.array[s];
  for (int k = 0; k < form->domain.n; k++) {
    polyhedra here = { 0 }, rest = { 0 }, more = { 0 }, left = { 0 };
    polyhedron *q = polyhedron_copy(a, p);
    polyhedron_meet(a, q, form->domain.item[k], rank);
    polyhedra_add(a, &here, q);
    if (p->open || q->open || !polyhedra_minus(a, &here, &c->regular, rank, &rest) ||
        !polyhedra_minus(a, &rest, &c->first, rank, &more) || !polyhedra_minus(a, &more, &form->inputs, rank, &left) ||
        left.n > 0)
      return false;
  }
  return true;
}

/* The elements that item i reads, way w, at p: in the statement's array, or one step before it. */
static bool made_by_runs(const tails *x, int s, const way_facts *w, const polyhedron *p, const chain *c)
{
  arena *a = &x->f->scratch;
  int to = x->f->form.array[w->to].rank;
  polyhedra here = { 0 }, rest = { 0 }, heads = { 0 };
  if (w->to == s)
    return runs(x, s, p, w->index, x->g, c);
  polyhedron *image = polyhedron_new(a, to);
  bool exact;
  polyhedron_include(a, image, p, NULL, 0);
  for (int r = 0; r < to; r++) {
    linear y = linear_variable(r), moved;
    if (!linear_substitute(&w->index[r], NULL, 0, to, &moved))
      return false;
    polyhedron_same(a, image, &y, &moved);
  }
  image = polyhedron_project(a, image, to, &exact);
  polyhedra_add(a, &here, image);
  for (int i = 0; i < x->f->words.n; i++) {
    const access *h = x->f->form.access[x->f->words.own[i]];
    if (h->from != w->to)
      continue;
    add_first(x, h, &heads);
    if (h->to != s)
      continue;
    polyhedron *from = polyhedron_copy(a, image);
    polyhedron_meet(a, from, h->where, to);
    if (from->open || h->where->vars != to || (!polyhedron_empty(from) && !runs(x, s, from, h->index, x->g - 1, c)))
      return false;
    polyhedra_add(a, &heads, polyhedron_copy(a, h->where));
  }
  for (int k = 0; k < x->f->form.array[w->to].inputs.n; k++)
    polyhedra_add(a, &heads, x->f->form.array[w->to].inputs.item[k]);
  return !image->open && polyhedra_minus(a, &here, &heads, to, &rest) && rest.n == 0;
}

/* ---- rows and columns ---- */

/* The parts of the item's labels that do not move along a chain, as rows over the loops that vary; false when no part
   moves. */
static bool lines_of(const tails *x, int i, const int64_t *step, const bool *still, __int128 (*row)[CDAG_RANK],
                     int *rows)
{
  int64_t moves[CDAG_RANK] = { 0 };
  int pivot = -1;
  for (int k = 0; k < x->t->forms[i]; k++) {
    for (int r = 0; r < x->t->rank; r++)
      moves[k] += x->t->form[i][k].coef[r] * step[r];
    pivot = moves[k] ? k : pivot;
  }
  for (int k = 0; k < x->t->forms[i] && pivot >= 0; k++) {
    for (int r = 0; k != pivot && r < x->t->rank; r++) {
      __int128 here = x->t->form[i][k].coef[r], there = x->t->form[i][pivot].coef[r];
      row[*rows][r] = still[r] ? 0 : here * moves[pivot] - there * moves[k];
    }
    *rows += k != pivot;
  }
  return pivot >= 0;
}

/* Do row and column tell the chain? */
static bool lines_tell(const tails *x, int s, int a, int b, const chain *c)
{
  __int128 row[2 * CDAG_RANK][CDAG_RANK] = { 0 };
  bool still[CDAG_RANK] = { 0 };
  int rows = 0, vary = 0;
  uint32_t columns;
  int64_t gcd = 0;
  const polyhedra *domain = &x->f->form.array[s].domain;
  for (int r = 0; r < x->t->rank; r++) {
    linear v = linear_variable(r);
    int64_t lo, hi;
    still[r] = polyhedra_span(domain, &v, &lo, &hi) && lo == hi;
    vary += !still[r];
    gcd = num_gcd(gcd, c->step[r] < 0 ? -c->step[r] : c->step[r]);
  }
  return gcd == 1 && lines_of(x, a, c->step, still, row, &rows) && lines_of(x, b, c->step, still, row, &rows) &&
         integer_rank(&row[0][0], CDAG_RANK, rows, x->t->rank, &columns) == vary - 1;
}

static bool rooted(const tails *x, int i)
{
  bool good = true;
  for (int w = 0; w < x->t->s->item[i].ways; w++)
    good = good && !x->f->words.unrooted[x->t->way[i][w].component];
  return good;
}

/* Do items i and k, wherever they are read, never read the same word? */
static bool words_differ(const tails *x, int i, int k)
{
  tails y = *x;
  y.all = true;
  return !some_beside(&y, i, k, INT32_MIN, INT32_MAX);
}

/* made <= many w^2 / slots^2, w the words of the tails, or all words of the segment. */
static bool find_lines(const tails *x, int s, group_facts *g, text *reason)
{
  const claim_statement *of = x->t->s;
  for (int a = 0; a < of->items; a++)
    for (int b = 0; b < a; b++) {
      chain c = { 0 };
      bool both = is_tail(x, a) && is_tail(x, b), good = a != x->own && b != x->own && rooted(x, a) && rooted(x, b);
      if (!good || (x->all && !both) || !find_chain(x, s, &c) || !lines_tell(x, s, a, b, &c))
        continue;
      regular_reads(x, a, &c);
      regular_reads(x, b, &c);
      for (int i = 0; i < of->items && good; i++)
        for (int w = 0; w < of->item[i].ways && is_tail(x, i) && good; w++) {
          polyhedra l = { 0 };
          readers(x, i, w, &l);
          for (int k = 0; k < l.n && good; k++)
            good = made_by_runs(x, s, &x->t->way[i][w], l.item[k], &c);
        }
      if (!good)
        continue;
      g->tail.slots = x->g - 1;
      g->tail.share = words_differ(x, a, b) ? 4 : 1;
      return true;
    }
  return bound_refuse(reason, "tails are not made by rows and columns");
}

/* ---- */

/* Tails of different columns are apart; how many columns may hold one word. */
static bool columns_apart(const tails *x, int *many)
{
  *many = 1;
  for (int i = 0; i < x->t->s->items; i++)
    for (int k = 0; k < i; k++) {
      if (!is_tail(x, i) || !is_tail(x, k) || x->t->s->item[i].column == x->t->s->item[k].column)
        continue;
      if (some_beside(x, i, k, -x->g, x->g))
        return false;
      if (some_beside(x, i, k, INT32_MIN, INT32_MAX))
        *many = CLAIM_COLUMNS;
    }
  return true;
}

static int tail_columns(const tails *x)
{
  uint32_t seen = 0;
  for (int i = 0; i < x->t->s->items; i++)
    seen |= is_tail(x, i) ? 1u << x->t->s->item[i].column : 0;
  return __builtin_popcount(seen);
}

static bool of_one_component(const tails *x)
{
  int component = x->t->way[x->own][0].component;
  bool good = !x->f->words.unrooted[component];
  for (int i = 0; i < x->t->s->items; i++)
    for (int w = 0; w < x->t->s->item[i].ways && is_tail(x, i); w++)
      good = good && x->t->s->item[i].way[w].kind == ITEM_TAIL && x->t->way[i][w].component == component;
  return good;
}

/* One of the two ways of counting: the tails of all that the array reads, or of what counted steps read. */
static bool hold(tails *x, group_facts *g, text *reason)
{
  int many, s = x->t->s->array;
  if (!clear_tails(x, g->births, reason))
    return false;
  if (!columns_apart(x, &many) || (x->all && many > 1))
    return bound_refuse(reason, "tails of different columns meet");
  g->tail.many = many > 1 ? tail_columns(x) : 1;
  g->tail.own_pool = x->all;
  return find_lines(x, s, g, reason);
}

bool tails_hold(affine_facts *f, statement_facts *t, const claim_group *c, group_facts *g, text *reason)
{
  tails x = { .f = f, .t = t, .g = c->tail, .own = -1 };
  bool only = true;
  for (int i = 0; i < t->s->items; i++)
    if (t->s->item[i].way[0].kind == ITEM_OWN)
      x.own = x.own < 0 ? i : CLAIM_ITEMS;
    else
      only = only && t->s->item[i].way[0].kind == ITEM_TAIL;
  if (c->statements != 1 || x.own < 0 || x.own >= CLAIM_ITEMS || c->tail < 2 || c->pairs > 1 || !of_one_component(&x))
    return bound_refuse(reason, "tails need one statement with its own word, and rooted words");
  x.level = ARENA_NEW(&f->scratch, linear, (size_t)f->form.arrays);
  if (!words_levels(&f->words, t->way[x.own][0].component, x.level))
    return bound_refuse(reason, "the words have no levels");
  text why = { 0 };
  polyhedra steps = t->steps;
  x.all = only;
  bool good = only && hold(&x, g, &why);
  text_clear(&why);
  if (good)
    return true;
  x.all = false;
  t->steps = steps;
  return hold(&x, g, reason);
}

/* With s words of tails, t + s - many s^2 / D <= x; on s = b x / 16 .. (b + 1) x / 16 the square lies below its
   chord. */
static bool box_most(const group_facts *g, const mpz_t x, const mpz_t d, int b, mpz_t work)
{
  mpz_t k, part, whole;
  mpz_inits(k, part, whole, NULL);
  mpz_mul_ui(k, d, BOXES * BOXES);
  mpz_mul_si(part, x, g->tail.many * BOXES * (2 * b + 1));
  mpz_sub(part, k, part);                       /* of k: what a word of a tail costs */
  mpz_mul(whole, x, x);
  mpz_mul_si(whole, whole, g->tail.many * b * (b + 1));
  mpz_mul(work, x, k);
  mpz_sub(whole, work, whole);                  /* of k: the words there are */
  bool good = mpz_sgn(part) > 0;
  mpz_pow_ui(work, whole, g->power);
  mpz_mul(work, work, g->room);
  mpz_pow_ui(whole, k, g->tail.power);
  mpz_mul(work, work, whole);
  mpz_pow_ui(part, part, g->tail.power);
  mpz_pow_ui(k, k, g->power);
  mpz_mul(part, part, k);
  mpz_mul(part, part, g->taken);
  if (good)
    mpz_fdiv_q(work, work, part);
  mpz_root(work, work, g->degree);
  mpz_clears(k, part, whole, NULL);
  return good;
}

void tails_most(const group_facts *g, const mpz_t x, mpz_t work)
{
  mpz_t d, part;
  mpz_init_set_si(d, g->tail.slots);
  mpz_init(part);
  mpz_mul(d, d, d);
  mpz_mul_si(d, d, g->tail.share);
  mpz_set_ui(work, 0);
  bool good = g->tail.own_pool;
  for (int b = 0; b < BOXES && good; b++) {
    good = box_most(g, x, d, b, part);
    if (mpz_cmp(part, work) > 0)
      mpz_set(work, part);
  }
  if (!good) { /* all words there are may be used to make tails */
    mpz_mul(part, x, x);
    mpz_mul_si(part, part, g->tail.many);
    mpz_fdiv_q(part, part, d);
    mpz_add(part, part, x);
    mpz_pow_ui(part, part, g->power);
    mpz_mul(part, part, g->room);
    mpz_fdiv_q(part, part, g->taken);
    mpz_root(work, part, g->degree);
  }
  mpz_clears(d, part, NULL);
}
