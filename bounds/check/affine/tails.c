/* Tails: the last elements of an operand's word.  One of them is red or loaded, or all of them are computed in the
   segment, and that takes many other operands, in a row and in a column. */
#include "bounds/check/affine/tails.h"
#include "bounds/check/affine/chain.h"
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
  return polyhedra_disjoint(&x->f->scratch, &images, forms, &pieces) && polyhedra_count(&pieces, n);
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
      if (!good || (x->all && !both) || !chain_find(x->f, s, &c) || !chain_told(x->f, x->t, a, b, &c))
        continue;
      chain_reads(x->f, x->t, a, &c);
      chain_reads(x->f, x->t, b, &c);
      for (int i = 0; i < of->items && good; i++)
        for (int w = 0; w < of->item[i].ways && is_tail(x, i) && good; w++) {
          polyhedra l = { 0 };
          readers(x, i, w, &l);
          for (int k = 0; k < l.n && good; k++)
            good = chain_makes(x->f, s, &x->t->way[i][w], l.item[k], x->g, &c);
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

void law_most(const power_law *law, const mpz_t x, mpz_t work)
{
  mpz_t t;
  mpz_init(t);
  mpz_pow_ui(t, x, law->power);
  mpz_mul(t, t, law->room);
  mpz_fdiv_q(t, t, law->taken);
  mpz_root(work, t, law->degree);
  mpz_clear(t);
}

/* With s words of tails, t + s - many s^2 / d <= x; on s = low .. high the square lies below its chord. */
static void box_most(const power_law *law, unsigned long power, int64_t many, const mpz_t d, const mpz_t x,
                     const mpz_t low, const mpz_t high, mpz_t work)
{
  mpz_t part, whole, t;
  mpz_inits(part, whole, t, NULL);
  mpz_add(t, low, high);
  mpz_mul_si(t, t, many);
  mpz_sub(part, d, t);         /* over d: what a word of a tail costs */
  mpz_mul(t, low, high);
  mpz_mul_si(t, t, many);
  mpz_mul(whole, x, d);
  mpz_sub(whole, whole, t);    /* over d: the words there are */
  if (mpz_sgn(part) > 0) {
    mpz_pow_ui(work, whole, law->power);
    mpz_mul(work, work, law->room);
    mpz_pow_ui(t, d, power);
    mpz_mul(work, work, t);
    mpz_pow_ui(part, part, power);
    mpz_pow_ui(t, d, law->power);
    mpz_mul(part, part, t);
    mpz_mul(part, part, law->taken);
    mpz_fdiv_q(work, work, part);
    mpz_root(work, work, law->degree);
  } else { /* as many as there may be at all */
    mpz_mul(t, high, high);
    mpz_mul_si(t, t, many);
    mpz_cdiv_q(t, t, d);
    mpz_add(t, t, x);
    law_most(law, t, work);
  }
  mpz_clears(part, whole, t, NULL);
}

void square_most(const power_law *law, unsigned long power, int64_t many, const mpz_t d, const mpz_t x,
                 const mpz_t most, mpz_t work)
{
  mpz_t low, high, part;
  mpz_inits(low, high, part, NULL);
  mpz_set_ui(work, 0);
  for (unsigned long b = 0; b < BOXES; b++) {
    mpz_mul_ui(low, most, b);
    mpz_fdiv_q_ui(low, low, BOXES);
    mpz_mul_ui(high, most, b + 1);
    mpz_cdiv_q_ui(high, high, BOXES);
    box_most(law, power, many, d, x, low, high, part);
    if (mpz_cmp(part, work) > 0)
      mpz_set(work, part);
  }
  mpz_clears(low, high, part, NULL);
}

void tails_most(const group_facts *g, const mpz_t x, mpz_t work)
{
  mpz_t d, part;
  mpz_init_set_si(d, g->tail.slots);
  mpz_init(part);
  mpz_mul(d, d, d);
  mpz_mul_si(d, d, g->tail.share);
  if (g->tail.own_pool)
    square_most(&g->law, g->tail.power, g->tail.many, d, x, x, work);
  else { /* all words there are may be used to make tails */
    mpz_mul(part, x, x);
    mpz_mul_si(part, part, g->tail.many);
    mpz_fdiv_q(part, part, d);
    mpz_add(part, part, x);
    law_most(&g->law, part, work);
  }
  mpz_clears(d, part, NULL);
}
