/* The projective bound, re-derived (docs/theory-lp.md, section 7).  Every need is looked up in the computation: what it
   is, which loops tell it apart, what words it costs and with which other needs it may share them.  The steps that X
   words allow are not computed as the prover does; for an amount of work it is asked whether  work^q D <= X^S N  with
   whole numbers. */
#include "base/scoped.h"
#include "base/big.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/check/cut.h"
#include "bounds/checker.h"
#include "bounds/check/projective.h"
#include "bounds/check/reading/shape.h"
#include <string.h>

/* ---- reading ---- */

static const bound_operand *operand_of(const bound_statement *s, int64_t term)
{
  for (int i = 0; i < s->operands; i++)
    if (s->operand[i].term == term && s->operand[i].always &&
        !s->operand[i].given) /* a seed that is always there is a word as any */
      return &s->operand[i];
  return NULL;
}

static const bound_operand *seed_of(const bound_statement *s)
{
  for (int i = 0; i < s->operands; i++)
    if (s->operand[i].term == s->seed)
      return &s->operand[i];
  return NULL;
}

static const json_value *items(const json_value *v, const char *key, size_t most, size_t *n)
{
  const json_value *list = json_get(v, key);
  *n = list && list->type == JSON_ARRAY ? list->n : 0;
  return *n > 0 && *n <= most ? list->item : NULL;
}

/* The leaf a part names, not taken before: array, loops (among the need's), words for each setting. */
static const bound_leaf *leaf_named(const claim *c, const bound_operand *o, unsigned loops, const json_value *v,
                                    unsigned *taken)
{
  const char *name = json_get_string(v, "array");
  int64_t width, own;
  bool read = name && json_get_int(v, "words", &width) && json_get_int(v, "loops", &own);
  for (int i = 0; read && i < o->leaves; i++)
    if (!(*taken >> i & 1) && !strcmp(c->g->array[o->leaf[i].array].name, name) && o->leaf[i].width == width &&
        !o->leaf[i].given && (o->leaf[i].loops & ~loops) == 0 && o->leaf[i].loops == own) {
      *taken |= 1u << i;
      return &o->leaf[i];
    }
  return NULL;
}

/* Words of leaves: together they must tell all the need's loops, by powers that cover each. */
static bool read_made(const claim *c, const json_value *v, const bound_operand *o, need *n)
{
  size_t parts;
  unsigned taken = 0;
  int64_t cover[CDAG_RANK] = { 0 }, factor;
  const json_value *of = items(v, "of", PARTS, &parts);
  if (!of || !json_get_int64_in(v, "power_den", 1, 1 << 10, &n->power_den) ||
      !json_get_int64_in(v, "factor", 1, 1, &factor))
    return false;
  for (n->parts = 0; n->parts < (int)parts; n->parts++) {
    part *p = &n->part[n->parts];
    const bound_leaf *l = leaf_named(c, o, n->loops, &of[n->parts], &taken);
    if (!l || !json_get_int64_in(&of[n->parts], "power", 0, 1 << 10, &p->power))
      return false;
    *p = (part){ { .input = true, .array = l->array, .box = l->box }, l->width, p->power };
    for (int r = 0; r < CDAG_RANK; r++)
      cover[r] += l->loops >> r & 1 ? p->power : 0;
  }
  for (int r = 0; r < CDAG_RANK; r++)
    if (n->loops >> r & 1 && cover[r] < n->power_den)
      return false;
  return true;
}

static bool read_need(const claim *c, const json_value *v, need *n)
{
  int64_t term, loops;
  const json_value *made = json_get(v, "made");
  unsigned all = (1u << c->s->rank) - 1;
  if (!json_get_int64_in(v, "term", -1, 1 << 20, &term) || !json_get_int64_in(v, "loops", 0, all, &loops) || !made)
    return false;
  *n = (need){
    .term = (int)term, .made = made->type == JSON_TRUE, .loops = (unsigned)loops, .power_den = 1, .parts = 1
  };
  n->part[0] = (part){ { .array = -1 }, 1, 1 };
  if (term == -1) {
    n->part[0].of.arrays = (uint64_t)1 << c->s->array;
    return !n->made && n->loops == (all & ~c->s->chain);
  }
  const bound_operand *o = operand_of(c->s, term);
  if (!o || (!o->input && o->leaves == 0))
    return false;
  n->computed = !o->input;
  n->operand_loops = o->loops;
  if (n->made)
    return n->computed && (n->loops & ~o->loops) == 0 && read_made(c, v, o, n);
  n->part[0].of = (words){ .input = o->input, .array = o->array, .box = o->box, .arrays = o->input ? 0 : o->tree };
  return n->loops == o->loops;
}

enum { FINEST = 1 << 10, SETS = 16 };

/* Of the needs' powers. */
static int64_t least_common(const way *w)
{
  int64_t l = 1;
  for (int i = 0; i < w->needs; i++)
    l = l / num_gcd(l, w->need[i].power_den) * w->need[i].power_den;
  return l;
}

static bool read_way(const claim *c, const json_value *v, way *w)
{
  size_t needs, sets;
  const json_value *list = items(v, "needs", NEEDS, &needs);
  w->exponents = json_get(v, "exponents");
  if (!list || !items(v, "exponents", SETS, &sets))
    return false;
  for (size_t i = 0; i < needs; i++) {
    if (!read_need(c, &list[i], &w->need[i]))
      return false;
    w->needs = (int)i + 1;
    if (least_common(w) > FINEST)
      return false;
  }
  return true;
}

/* ---- are these all the ways? ---- */

/* Way 0 carries every computed operand it speaks of; way number b makes those whose bit is set.  A need may be left
   out. */
static bool ways_complete(const claim *c)
{
  int term[NEEDS], choices = 0;
  for (int i = 0; i < c->way[0].needs; i++)
    if (c->way[0].need[i].computed)
      term[choices++] = c->way[0].need[i].term;
  if (c->ways != 1 << choices)
    return false;
  for (int b = 0; b < c->ways; b++)
    for (int i = 0; i < c->way[b].needs; i++) {
      const need *n = &c->way[b].need[i];
      bool known = !n->computed;
      for (int k = 0; k < choices; k++)
        known = known || (n->term == term[k] && n->made == (bool)(b >> k & 1));
      if (!known)
        return false;
    }
  return true;
}

/* ---- pools of words ---- */

/* Does one of the claims' chains start from a word of the input array? */
static bool seeded_by(claim *const *c, int n, uint64_t arrays, int input)
{
  for (int i = 0; i < n; i++) {
    const bound_operand *seed = seed_of(c[i]->s);
    if (seed && arrays >> c[i]->s->array & 1 && seed->array == input)
      return true;
  }
  return false;
}

static bool may_share(claim *const *c, int n, const words *a, const words *b)
{
  if (a->input != b->input) /* a chain that starts from an input word has that word */
    return seeded_by(c, n, a->input ? b->arrays : a->arrays, a->input ? a->array : b->array);
  return a->input ? checker_boxes_meet(c[0]->g, a->array, &a->box, b->array, &b->box) : (a->arrays & b->arrays) != 0;
}

static int parts_of(claim *const *c, int claims, part **all)
{
  int n = 0;
  for (int m = 0; m < claims; m++)
    for (int b = 0; b < c[m]->ways; b++)
      for (int i = 0; i < c[m]->way[b].needs; i++)
        for (int k = 0; k < c[m]->way[b].need[i].parts; k++)
          all[n++] = &c[m]->way[b].need[i].part[k];
  return n;
}

/* Pool ids become 0, 1, 2 ... */
static int number_pools(part **all, int n)
{
  int pools = 0;
  for (int i = 0; i < n; i++) {
    int id = all[i]->of.pool;
    if (id < 0)
      continue;
    for (int m = i; m < n; m++)
      if (all[m]->of.pool == id)
        all[m]->of.pool = -1 - pools;
    pools++;
  }
  for (int i = 0; i < n; i++)
    all[i]->of.pool = -1 - all[i]->of.pool;
  return pools;
}

void claim_unite(claim *const *c, int claims)
{
  part **all = MEM_NEW(part *, (size_t)POOLS * (size_t)claims);
  int n = parts_of(c, claims, all);
  for (int i = 0; i < n; i++)
    all[i]->of.pool = i;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++)
      if (all[i]->of.pool != all[k]->of.pool && may_share(c, claims, &all[i]->of, &all[k]->of)) {
        int from = all[i]->of.pool, to = all[k]->of.pool;
        for (int m = 0; m < n; m++)
          all[m]->of.pool = all[m]->of.pool == from ? to : all[m]->of.pool;
      }
  int pools = number_pools(all, n);
  for (int i = 0; i < claims; i++)
    c[i]->pools = pools;
  mem_free(all);
}

/* ---- exponents ---- */

/* Every loop is covered. */
bool claim_powers(const claim *c, const way *w, const json_value *v, powers *p)
{
  if (!json_get_int64_in(v, "den", 1, 1 << 10, &p->den) || w->needs < 1 || c->s->rank < 1 ||
      json_get_int64s(v, "needs", w->needs, 0, 4 * p->den, p->need) != w->needs ||
      json_get_int64s(v, "loops", c->s->rank, 0, 4 * p->den, p->loop) != c->s->rank)
    return false;
  for (int r = 0; r < c->s->rank; r++) {
    int64_t sum = p->loop[r];
    for (int i = 0; i < w->needs; i++)
      sum += w->need[i].loops >> r & 1 ? p->need[i] : 0;
    if (sum < p->den)
      return false;
  }
  return true;
}

/* Powers of the pools over den * fine, and their sum. */
static int64_t pool_powers(const claim *c, const way *w, const powers *p, int64_t fine, int64_t *pool)
{
  int64_t sum = 0;
  memset(pool, 0, (size_t)c->pools * sizeof *pool);
  for (int i = 0; i < w->needs; i++)
    for (int k = 0; k < w->need[i].parts; k++) {
      int64_t power = p->need[i] * w->need[i].part[k].power * (fine / w->need[i].power_den);
      pool[w->need[i].part[k].of.pool] += power;
      sum += power;
    }
  return sum;
}

void claim_pool_powers(const claim *c, const way *w, const powers *p, int64_t *pool, int64_t *den)
{
  int64_t fine = least_common(w);
  pool_powers(c, w, p, fine, pool);
  *den = p->den * fine;
}

/* ---- steps that words allow ---- */

/* By one set of exponents X words allow all work with  work^degree taken <= room:
   work^(den fine) S^S prod cost^power <= X^S prod pool^pool prod extent^loop. */
typedef struct {
  unsigned long degree;
  mpz_t taken, room;
} limit;

static void limit_set(limit *l, const claim *c, const way *w, const powers *p, const mpz_t x)
{
  int64_t fine = least_common(w), *pool = MEM_NEW(int64_t, c->pools), sum = pool_powers(c, w, p, fine, pool);
  l->degree = (unsigned long)(p->den * fine);
  mpz_init_set_ui(l->taken, 1);
  big_times_power64(l->taken, sum, sum);
  for (int i = 0; i < w->needs; i++)
    for (int k = 0; k < w->need[i].parts; k++)
      big_times_power64(l->taken, w->need[i].part[k].cost,
                        p->need[i] * w->need[i].part[k].power * (fine / w->need[i].power_den));
  mpz_init(l->room);
  mpz_pow_ui(l->room, x, (unsigned long)sum);
  for (int k = 0; k < c->pools; k++)
    if (pool[k])
      big_times_power64(l->room, pool[k], pool[k]);
  for (int r = 0; r < c->s->rank; r++)
    big_times_power64(l->room, c->s->extent[r], p->loop[r] * fine);
  mem_free(pool);
}

/* Those of all of the way's exponents, or of these alone. */
static int limits_of(limit *l, const claim *c, const way *w, const powers *only, const mpz_t x)
{
  powers p;
  int n = 0;
  if (only)
    limit_set(&l[n++], c, w, only, x);
  for (size_t k = 0; !only && k < w->exponents->n; k++) {
    claim_powers(c, w, &w->exponents->item[k], &p); /* claim_read has seen that they are some */
    limit_set(&l[n++], c, w, &p, x);
  }
  return n;
}

static void limits_clear(limit *l, int n)
{
  for (int i = 0; i < n; i++)
    mpz_clears(l[i].taken, l[i].room, NULL);
}

static bool within_all(const limit *l, int n, const mpz_t work)
{
  bool within = true;
  SCOPED_MPZ t;
  mpz_init(t);
  for (int i = 0; i < n && within; i++) {
    mpz_pow_ui(t, work, l[i].degree);
    mpz_mul(t, t, l[i].taken);
    within = mpz_cmp(t, l[i].room) <= 0;
  }
  return within;
}

/* Not excluded by any of the way's exponents. */
static bool way_allows(const claim *c, const way *w, const mpz_t work, const mpz_t x)
{
  limit l[SETS];
  int n = limits_of(l, c, w, NULL, x);
  bool allowed = within_all(l, n, work);
  limits_clear(l, n);
  return allowed;
}

/* By bisection. */
void claim_most(const claim *c, const way *w, const powers *only, const mpz_t x, mpz_t most)
{
  limit l[SETS];
  int n = limits_of(l, c, w, only, x);
  mpz_t lo, hi, middle;
  mpz_inits(lo, middle, NULL);
  mpz_init_set_ui(hi, 1);
  while (within_all(l, n, hi)) {
    mpz_set(lo, hi);
    mpz_mul_2exp(hi, hi, 1);
  }
  for (;;) {
    mpz_sub(middle, hi, lo);
    if (mpz_cmp_ui(middle, 1) <= 0)
      break;
    mpz_fdiv_q_2exp(middle, middle, 1);
    mpz_add(middle, middle, lo);
    mpz_set(within_all(l, n, middle) ? lo : hi, middle);
  }
  mpz_set(most, lo);
  mpz_clears(lo, hi, middle, NULL);
  limits_clear(l, n);
}

static bool projective_can(const void *context, const mpz_t work, const mpz_t x)
{
  const claim *c = context;
  bool can = false;
  SCOPED_MPZ sum, one;
  mpz_inits(sum, one, NULL);
  for (int b = 0; b < c->ways && !can; b++)
    if (c->alone)
      can = way_allows(c, &c->way[b], work, x);
    else {
      claim_most(c, &c->way[b], NULL, x, one);
      mpz_add(sum, sum, one);
      can = mpz_cmp(sum, work) >= 0;
    }
  return can;
}

/* ---- the best way alone ---- */

/* Is the pool of this part used by another need anywhere? */
static bool private_pool(const claim *c, int pool, int term, bool made)
{
  for (int b = 0; b < c->ways; b++)
    for (int i = 0; i < c->way[b].needs; i++)
      for (int k = 0; k < c->way[b].need[i].parts; k++)
        /* unreachable: the same operand carried: that is computed, and what it is made of are inputs, which no chain in
         * a tree starts from */
        if (c->way[b].need[i].part[k].of.pool == pool &&
            (c->way[b].need[i].term != term || c->way[b].need[i].made != made))
          return false;
  return true;
}

/* First reason: each computed operand costs words of its own either way, and made ones get cheaper the more are made.
 */
static bool falling_price(const claim *c)
{
  for (int b = 0; b < c->ways; b++)
    for (int i = 0; i < c->way[b].needs; i++) {
      const need *n = &c->way[b].need[i];
      int64_t sum = 0;
      for (int k = 0; k < n->parts && n->computed; k++) {
        sum += n->part[k].power;
        if (!private_pool(c, n->part[k].of.pool, n->term, n->made))
          return false;
      }
      if (n->computed && (n->loops != n->operand_loops || sum < n->power_den))
        return false;
      for (int k = 0; k < i && n->computed; k++)
        if (c->way[b].need[k].term == n->term)
          return false;
    }
  /* one and the same way of making an operand in all ways */
  for (int b = 1; b < c->ways; b++)
    for (int i = 0; i < c->way[b].needs; i++)
      for (int k = 0; k < c->way[c->ways - 1].needs; k++) {
        const need *n = &c->way[b].need[i], *m = &c->way[c->ways - 1].need[k];
        if (!n->made || n->term != m->term)
          continue;
        if (n->parts != m->parts || n->power_den != m->power_den)
          return false;
        for (int q = 0; q < n->parts; q++)
          if (n->part[q].power != m->part[q].power || n->part[q].cost != m->part[q].cost ||
              n->part[q].of.pool != m->part[q].of.pool)
            return false;
      }
  return true;
}

/* Second reason: one set of exponents a way, and in pools no other way uses an exponent of at least 1. */
static bool own_degree(const claim *c)
{
  SCOPED_MEM int *users = MEM_NEW(int, c->pools);
  SCOPED_MEM int64_t *pool = MEM_NEW(int64_t, c->pools);
  powers p;
  bool good = true;
  for (int round = 0; round < 2; round++)
    for (int b = 0; b < c->ways; b++) {
      int64_t own = 0, den;
      claim_powers(c, &c->way[b], c->way[b].exponents->item, &p);
      claim_pool_powers(c, &c->way[b], &p, pool, &den);
      for (int k = 0; k < c->pools; k++) {
        users[k] += round == 0 && pool[k] > 0;
        own += users[k] == 1 ? pool[k] : 0;
      }
      good = good && c->way[b].exponents->n == 1 && (round == 0 || own >= den);
    }
  return good;
}

/* ---- */

bool claim_read(const json_value *v, claim *c, text *reason)
{
  size_t ways;
  powers p;
  const json_value *list = items(v, "ways", WAYS, &ways),
                   *alone = json_get(v, "best_way_alone");
  if (!list || !alone)
    return bound_refuse(reason, "'ways' or 'best_way_alone' is missing");
  if (c->s->array >= 64)
    return bound_refuse(reason, "the statement stands after too many arrays");
  c->alone = alone->type == JSON_TRUE;
  for (c->ways = 0; c->ways < (int)ways; c->ways++)
    if (!read_way(c, &list[c->ways], &c->way[c->ways]))
      return bound_refuse(reason, "a step does not need what way %d says, or not for these words", c->ways);
  if (!ways_complete(c))
    return bound_refuse(reason, "a step could have what it needs in another way");
  for (int w = 0; w < c->ways; w++)
    for (size_t k = 0; k < c->way[w].exponents->n; k++)
      if (!claim_powers(c, &c->way[w], &c->way[w].exponents->item[k], &p))
        return bound_refuse(reason, "the exponents of way %d do not cover every loop", w);
  return true;
}

static bool check_claim(const bound_claim *b, const checker_statement *s, claim *c, mpz_t value, text *reason)
{
  checker_cut cut;
  checker_cut_init(&cut);
  bool good = claim_read(b->parameters, c, reason);
  if (good)
    claim_unite(&c, 1);
  good = good &&
         (!c->alone || c->ways == 1 || falling_price(c) || own_degree(c) ||
          bound_refuse(reason, "mixtures of the ways are not excluded")) &&
         checker_equal(b->parameters, "work", s->steps, reason) &&
         checker_equal(b->parameters, "births", s->seeded ? 0 : s->chains, reason) &&
         checker_equal(b->parameters, "stores", s->outputs, reason) && checker_cut_read(&cut, b->parameters, reason) &&
         checker_cut_holds(&cut, b->m, projective_can, c, reason);
  checker_cut_value(&cut, value);
  checker_cut_clear(&cut);
  return good;
}

static bool check_projective(const bound_claim *b, mpz_t value, text *reason)
{
  checker_statement s;
  if (!checker_statement_read(b, &s, reason))
    return false;
  SCOPED_MEM claim *c = mem_new(1, sizeof *c);
  c->g = b->g;
  c->s = &s.s;
  return check_claim(b, &s, c, value, reason);
}

BOUND_CHECKER(projective) = { "projective", BOUND_ANY, check_projective };
