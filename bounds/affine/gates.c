/* Gates (docs/theory-affine.md, section 7): candidates are tried on a few sample elements, and what passes is derived
 * as the checker does. */
#include "bounds/check/gates/gates.h"
#include "bounds/affine/find.h"
#include "bounds/affine/say.h"
#include "base/random.h"
#include "bounds/bound.h"
#include "bounds/segment/segment.h"
#include <math.h>
#include <string.h>

enum { SAMPLES = 12, TRIES = 400, DERIVED_MOST = 160, FAMILIES_KEPT = 8 };

/* Words along which values move from array to array, and those of the other bounds. */
static const word_order orders[] = {
  { false, { 2, 4, 0, 1, 3 }, false },
  { false, { 2, 4, 0, 1, 3 }, true },
  { false, { 0, 1, 2, 3, 4 }, false },
  { false, { 0, 1, 2, 3, -1 }, false },
  { false, { 0, 4, 1, 2, 3 }, false },
};
enum { ORDERS = sizeof orders / sizeof *orders };

typedef struct {
  int n;
  int64_t at[SAMPLES][CDAG_RANK];
} samples;

typedef struct {
  gates_claim claim;
  mpz_t value;
} gates_best;

typedef struct {
  int n;
  struct { gate_family family; double gain; } item[FAMILIES_KEPT];
} kept_families;

typedef struct {
  gates_facts *g;
  int64_t m;
  int derived, stays;          /* claims tried for one choice of words; of stays, at all */
  gates_claim words;           /* own predecessors, no family */
  struct box { bool read; int64_t lo[CDAG_RANK], hi[CDAG_RANK]; } *box; /* of each array: its domain's */
  samples *element;            /* of each array, once a gate may be any of it */
  gates_best *best;            /* [0] with recomputation, [1] without */
  kept_families waits, alone;  /* the best ones in which something waits, and those that words come after */
  struct { int n; gate_family item[FAMILIES_KEPT]; uint64_t has[FAMILIES_KEPT]; } used; /* words of which components */
} gate_search;

/* ---- sample elements ---- */

static bool holds_at(const polyhedron *p, const int64_t *x, int n)
{
  for (int i = 0; i < p->n; i++) {
    __int128 sum = p->row[i].form.base;
    for (int v = 0; v < n; v++)
      sum += (__int128)p->row[i].form.coef[v] * x[v];
    if (p->row[i].equal ? sum != 0 : sum < 0)
      return false;
  }
  return true;
}

/* A few elements of the pieces: by chance in their boxes, the first ones with the same seed each time. */
static void sample(gate_search *s, const polyhedra *l, int rank, samples *to)
{
  random_source seed = { 1 };
  *to = (samples){ 0 };
  for (int i = 0; i < l->n; i++) {
    bool exact;
    int64_t lo[CDAG_RANK], hi[CDAG_RANK], x[CDAG_RANK];
    const polyhedron *p = polyhedron_project(&s->g->f->memory, l->item[i], rank, &exact);
    bool good = !p->open;
    for (int r = 0; r < rank && good; r++) {
      linear f = linear_variable(r);
      good = polyhedron_span(p, &f, &lo[r], &hi[r]) && lo[r] <= hi[r];
    }
    for (int t = 0; t < TRIES && good && to->n < SAMPLES * (i + 1) / l->n; t++) {
      for (int r = 0; r < rank; r++) {
        x[r] = lo[r] + (int64_t)random_below(&seed, (uint64_t)(hi[r] - lo[r]) + 1);
      }
      if (holds_at(p, x, rank))
        memcpy(to->at[to->n++], x, sizeof x);
    }
  }
}

static bool in_domain(const gate_search *s, int array, const int64_t *x)
{
  const array_form *a = &s->g->f->form.array[array];
  for (int i = 0; i < a->domain.n; i++)
    if (a->domain.item[i]->vars == a->rank && holds_at(a->domain.item[i], x, a->rank))
      return true;
  return false;
}

/* lo > hi: an index without bounds. */
static const struct box *box_of(const gate_search *s, int array)
{
  const array_form *x = &s->g->f->form.array[array];
  struct box *b = &s->box[array];
  for (int r = 0; r < x->rank && !b->read; r++) {
    linear index = linear_variable(r);
    if (!polyhedra_span(&x->domain, &index, &b->lo[r], &b->hi[r]))
      b->lo[r] = INT64_MAX, b->hi[r] = INT64_MIN;
  }
  b->read = true;
  return b;
}

/* The gate with the keys of x. */
static void gate_at(const gate_search *s, const gate_family *k, const gate_keys *keys, const int64_t *x, int64_t *gate)
{
  for (int r = 0; r < s->g->f->form.array[k->array].rank; r++)
    gate[r] = k->role[r] == GATE_KEY ? x[keys->loop[r]] + keys->offset[r] : k->at[r];
}

static bool any_index(const gate_search *s, const gate_family *k)
{
  for (int r = 0; r < s->g->f->form.array[k->array].rank; r++)
    if (k->role[r] == GATE_ANY)
      return true;
  return false;
}

/* What the access reads at x, an element of its reader. */
static bool read_at(const gate_search *s, const access *a, const int64_t *x, int64_t *y)
{
  int rank = s->g->f->form.array[a->from].rank;
  int64_t at[CDAG_RANK] = { 0 };
  if (a->where->vars != rank || !holds_at(a->where, x, rank))
    return false;
  for (int r = 0; r < s->g->f->form.array[a->to].rank; r++) {
    at[r] = a->index[r].base;
    for (int v = 0; v < rank; v++)
      at[r] += a->index[r].coef[v] * x[v];
  }
  memcpy(y, at, sizeof at);
  return true;
}

enum { ROOT_STEPS = 20000 };

/* The array and indices of the input that the word of x begins with; -1 when it is far. */
static int root_of(const gate_search *s, int array, int64_t *x)
{
  const normal_form *f = &s->g->f->form;
  for (int n = 0; n < ROOT_STEPS; n++) {
    bool further = false;
    for (int i = 0; i < s->words.owns && !further; i++) {
      const access *a = f->access[s->words.own[i]];
      further = a->from == array && read_at(s, a, x, x);
      array = further ? a->to : array;
    }
    if (!further)
      return array;
  }
  return -1;
}

/* ---- what a claim is worth ---- */

/* What the part of family k adds with its cut at one value of the key. */
static bool slice(gate_search *s, gates_claim *c, int k, bool twice, gate_cut cut, mpz_t value)
{
  *(twice ? &c->family[k].twice : &c->family[k].cut) = cut;
  return gates_part_value(s->g, c, k, twice, s->m, value);
}

/* Only gates at which more counts than is kept, where that changes once along a key; none, when it never does. */
static void cut_part(gate_search *s, gates_claim *c, int k, bool twice)
{
  const gate_sets *t = &s->g->set[k];
  mpz_t value, best;
  gate_cut least = { -1, 0, 0 };
  mpz_inits(value, best, NULL);
  slice(s, c, k, twice, least, best);
  for (int q = 0; q < t->keys; q++) {
    int64_t lo, hi;
    int of = t->index[q];
    linear key = linear_variable(q);
    if (!polyhedra_span(&t->gates, &key, &lo, &hi) || lo > hi || lo < -(1 << 28) || hi > (1 << 28) ||
        !slice(s, c, k, twice, (gate_cut){ of, lo, lo }, value))
      continue;
    bool falls = mpz_sgn(value) > 0;
    int64_t from = lo, to = hi; /* the sign changes between */
    while (from < to) {
      int64_t mid = from + (to - from) / 2;
      if (!slice(s, c, k, twice, (gate_cut){ of, mid, mid }, value))
        break;
      if ((mpz_sgn(value) > 0) == falls)
        from = mid + 1;
      else
        to = mid;
    }
    gate_cut cut = { of, falls ? lo : from, falls ? from : hi };
    if (slice(s, c, k, twice, cut, value) && mpz_cmp(value, best) > 0) {
      mpz_set(best, value);
      least = cut;
    }
  }
  if (mpz_sgn(best) < 0)
    least = (gate_cut){ -1, 0, -1 };
  *(twice ? &c->family[k].twice : &c->family[k].cut) = least;
  mpz_clears(value, best, NULL);
}

static void cut_family(gate_search *s, gates_claim *c, int k)
{
  cut_part(s, c, k, false);
  if (c->family[k].waits > 0)
    cut_part(s, c, k, true);
}

/* Where words are shared out among families, the cut of a family says what later ones have: then it stays. */
static bool worth(gate_search *s, gates_claim *c, mpz_t value)
{
  text reason = { 0 };
  bool good = ++s->derived <= DERIVED_MOST && gates_derive(s->g, c, &reason), last = good;
  for (int k = c->families - 1; k >= 0 && good; k--) {
    if (last || c->family[k].uses == 0)
      cut_family(s, c, k);
    last = last && c->family[k].alternates;
  }
  good = good && gates_value(s->g, c, s->m, value, &reason);
  text_clear(&reason);
  return good;
}

/* Kept when it is better than what there is in its game, and said so. */
static bool keep_best(gate_search *s, const gates_claim *c, const mpz_t value)
{
  gates_best *best = &s->best[gates_once(c)];
  if (mpz_cmp(value, best->value) <= 0)
    return false;
  mpz_set(best->value, value);
  best->claim = *c;
  return true;
}

static bool consider(gate_search *s, gates_claim *c, mpz_t value)
{
  return worth(s, c, value) && keep_best(s, c, value);
}

/* ---- candidates ---- */

typedef struct {
  gate_use use;
  samples b;
  int root[SAMPLES];           /* of each sample: the array of the input that its word begins with, or -1 */
  int64_t root_at[SAMPLES][CDAG_RANK];
  int component;
  double words;                /* at most so many, whatever the gate */
  uint32_t told;               /* loops that its words tell, each by itself */
} use_candidate;

typedef struct {
  gate_wait wait;
  samples z;
  double paths;
} wait_candidate;

enum { CANDIDATES = 64 };
typedef struct {
  int uses, waits;
  use_candidate use[CANDIDATES];
  wait_candidate wait[CANDIDATES];
} candidates;

static double extent_of(const polyhedra *l, const linear *f)
{
  int64_t least, most;
  if (l->n == 0)
    return 0;
  if (!polyhedra_span(l, f, &least, &most))
    return 1e18;
  return most >= least ? (double)most - (double)least + 1 : 0;
}

static void add_use(gate_search *s, candidates *c, int array, int at)
{
  const normal_form *f = &s->g->f->form;
  const words *w = &s->g->f->words;
  const access *a = at < 0 ? NULL : f->access[at];
  int component = w->component[a ? a->to : array], rank = f->array[array].rank;
  linear x[CDAG_RANK], label[LABELS_MOST];
  polyhedra b = { 0 };
  if (w->unrooted[component] || w->labels[component] == 0 || c->uses == CANDIDATES || component >= CANDIDATES)
    return;
  use_candidate *u = &c->use[c->uses];
  *u = (use_candidate){ .use = { .array = array, .access = at }, .words = 1 };
  linear_variables(x, rank, 0);
  int labels = words_label_of(w, a ? a->to : array, a ? a->index : x, label);
  for (int i = 0; i < f->array[array].live.n; i++) {
    polyhedron *p = polyhedron_copy(&s->g->f->memory, f->array[array].live.item[i]);
    if (a)
      polyhedron_meet(&s->g->f->memory, p, a->where, rank);
    if (!p->open && !polyhedron_empty(p))
      polyhedra_add(&s->g->f->memory, &b, p);
  }
  for (int i = 0; i < labels; i++) {
    int names = 0, last = -1;
    for (int v = 0; v < POLYHEDRON_VARS; v++)
      if (label[i].coef[v])
        names++, last = v;
    if (last >= rank)
      return;
    if (names == 1)
      u->told |= 1u << last;
    u->words *= extent_of(&b, &label[i]);
  }
  if (2 * u->words <= (double)s->m - 1) /* with as many paths that wait they are more than M */
    return;
  sample(s, &b, rank, &u->b);
  u->component = component;
  for (int i = 0; i < u->b.n; i++) {
    memcpy(u->root_at[i], u->b.at[i], sizeof u->root_at[i]);
    u->root[i] = !a || read_at(s, a, u->root_at[i], u->root_at[i]) ? root_of(s, a ? a->to : array, u->root_at[i]) : -1;
  }
  c->uses += u->b.n > 0;
}

/* Along own predecessors as far as arrays do not repeat. */
static void add_waits(gate_search *s, candidates *c, wait_candidate *w, int array)
{
  const normal_form *f = &s->g->f->form;
  if (w->wait.links && c->waits < CANDIDATES)
    c->wait[c->waits++] = *w;
  for (int i = 0; i < s->words.owns && w->wait.links < GATE_LINKS; i++) {
    const access *a = f->access[s->words.own[i]];
    bool again = a->from != array || f->array[a->to].computed.n == 0;
    for (int l = 0; l < w->wait.links; l++)
      again = again || f->access[w->wait.link[l]]->to == a->to;
    if (again)
      continue;
    w->wait.link[w->wait.links++] = s->words.own[i];
    add_waits(s, c, w, a->to);
    w->wait.links--;
  }
}

static void find_candidates(gate_search *s, candidates *c)
{
  const normal_form *f = &s->g->f->form;
  c->uses = c->waits = 0;
  for (int x = 0; x < f->arrays; x++) {
    if (f->array[x].computed.n == 0 || f->array[x].live.n == 0)
      continue;
    add_use(s, c, x, -1);
    for (int i = 0; i < f->accesses; i++)
      if (f->access[i]->from == x && f->access[i]->single && !words_is_own(&s->g->f->words, i))
        add_use(s, c, x, i);
    wait_candidate w = { .wait = { .array = x }, .paths = 1 };
    for (int r = 0; r < f->array[x].rank; r++)
      w.paths *= (double)box_of(s, x)->hi[r] - (double)box_of(s, x)->lo[r] + 1;
    sample(s, &f->array[x].live, f->array[x].rank, &w.z);
    if (w.z.n && w.paths > (double)s->m)
      add_waits(s, c, &w, x);
  }
}

/* ---- one gate ---- */

/* Most samples lie after their gate, the inputs of their words and the gate before them, and all these before the next.
 */
static bool uses_likely(gate_search *s, const gates_claim *c, int at, const use_candidate *u, const gate_keys *keys)
{
  const gate_family *k = &c->family[at], *next = &c->family[at + 1 < c->families ? at + 1 : 0];
  gate_keys next_keys = gates_keys_for(k, keys, next);
  int after = 0, array = u->use.array;
  bool any = any_index(s, k);
  samples *gates = &s->element[k->array];
  if (any && gates->n == 0)
    sample(s, &s->g->f->form.array[k->array].live, s->g->f->form.array[k->array].rank, gates);
  for (int i = 0; i < u->b.n && 2 * (after + u->b.n - i) > u->b.n; i++) {
    int64_t gate[CDAG_RANK];
    if (!any)
      gate_at(s, k, keys, u->b.at[i], gate);
    for (int n = 0; n < (any ? gates->n : 1) && u->root[i] >= 0; n++)
      if (!reach_has(&s->g->reach, k->array, any ? gates->at[n] : gate, u->root[i], u->root_at[i]))
        goto next;
    if (!any && !reach_has(&s->g->reach, array, u->b.at[i], k->array, gate))
      goto next;
    if (k->time >= 0 || at + 1 < c->families) {
      gate_at(s, next, &next_keys, u->b.at[i], gate);
      if (at + 1 == c->families)
        gate[next->time] += next->back ? -k->lag : k->lag;
      if (in_domain(s, next->array, gate) && !reach_has(&s->g->reach, next->array, gate, array, u->b.at[i])) {
        if (c->families > 1)
          goto next; /* the next gate itself, perhaps */
        return false;
      }
    }
    after++;
  next:;
  }
  return 2 * after > u->b.n;
}

typedef struct {
  gate_search *s;
  const candidates *c;
  gates_claim claim;
  int at;                      /* the family that is tried: it has the gate */
  uint64_t has;                /* components whose words it uses */
  mpz_t value;                 /* what a use must bring more than */
  gate_family spare;           /* with a use that brings nothing by itself */
} gate_trial;

static gate_family *family_of(gate_trial *t)
{
  return &t->claim.family[t->at];
}

/* All ways to take loops of the element for the keys, from index r on; `done` says whether one was kept. */
typedef struct {
  gate_trial *t;
  int rank;                    /* of the element */
  uint32_t told;               /* loops for a class; the time's is any */
  const use_candidate *use;
  const wait_candidate *wait;
  gate_keys keys;
} key_search;

static double key_extents(const key_search *k)
{
  const gate_family *f = family_of(k->t);
  const struct box *b = box_of(k->t->s, k->use ? k->use->use.array : k->wait->wait.array);
  double n = 1;
  for (int r = 0; r < k->t->s->g->f->form.array[f->array].rank; r++)
    if (f->role[r] == GATE_KEY && (k->wait || r != f->time))
      n *= (double)b->hi[k->keys.loop[r]] - (double)b->lo[k->keys.loop[r]] + 1;
  return n;
}

static void glass_most(const void *width, const mpz_t x, mpz_t most)
{
  hourglass_most(*(const int64_t *)width, x, most);
}

static double glass_guess(const void *width, double x)
{
  double m = (double)*(const int64_t *)width;
  return 2 * x + x * x / (2 * m);
}

enum { STEPS_TRIED = 400 };

/* The most steps have a jump at every multiple of the width: segments that end just below one may be better than those
 * of the search. */
static void cut_below_jumps(gate_search *s, gates_claim *c)
{
  gate_family *of = &c->family[0], best = *of;
  int64_t width = s->g->set[0].width, least = s->m / width + 1;
  mpz_t x, most, value, largest;
  text reason = { 0 };
  mpz_inits(x, most, value, largest, NULL);
  gates_value(s->g, c, s->m, largest, &reason);
  for (int64_t q = least; q < least + STEPS_TRIED; q++) {
    of->length = q * width - 1 - s->m;
    of->first = 0;
    mpz_set_si(x, q * width - 1);
    hourglass_most(width, x, most);
    mpz_sub_ui(x, s->g->set[0].steps, 1);
    mpz_fdiv_q(x, x, most);
    if (of->length < 1 || !mpz_fits_slong_p(x))
      continue;
    of->segments = mpz_get_si(x) + 1;
    if (gates_value(s->g, c, s->m, value, &reason) && mpz_cmp(value, largest) > 0) {
      mpz_set(largest, value);
      best = *of;
    }
  }
  *of = best;
  mpz_clears(x, most, value, largest, NULL);
  text_clear(&reason);
}

/* ---- stays ---- */

enum { PRICE_SCALE = 1000000000, PRICE_ROUNDS = 60, STAYS_TRIED = 32 };

/* The least of (x h^2 + y h + z) / (n h + 2 w) for h in 0..last: over the reals it falls down to one place and grows
 * behind it, so that it is least beside that. */
static int64_t least_quotient(int64_t x, int64_t y, int64_t z, int64_t n, int64_t w, int64_t last)
{
  double zero = 2 * (double)w / (double)n, /* of the divisor, at -h */
      at = sqrt(((double)z - (double)y * zero) / (double)x + zero * zero) - zero;
  int64_t least = INT64_MAX, first = at < 1 ? 0 : at < (double)last ? (int64_t)at - 1 : last;
  for (int64_t h = first; h <= last && h < first + 4; h++)
    if (n * h + 2 * w > 0 && (x * h * h + y * h + z) / (n * h + 2 * w) < least)
      least = (x * h * h + y * h + z) / (n * h + 2 * w);
  return least;
}

/* The most that a step may be worth when a red word costs so much, as gates_stays_hold asks; 0: that is too much. */
static int64_t step_price(gate_stays *p)
{
  double root = 2 * sqrt((double)p->scale / (double)p->word) + 3; /* further out nothing binds */
  int64_t last = root < STAYS_MOST ? (int64_t)root : STAYS_MOST, one = 4 * p->scale, least = INT64_MAX;
  for (int64_t w = 0; w <= last; w++) {
    int64_t side = p->word * (w * w + 2 * w);
    least = num_min(least, ((1 + p->stores) * one + side) / (4 + 2 * w));
    least = num_min(least, least_quotient(4 * p->word, 2 * p->word * w, one + side, 4, w, last));
    least = num_min(least, least_quotient(4 * p->word, -4 * p->word, one + side, 2, w, last));
  }
  p->step = least;
  return least <= one && least / p->word < STAYS_MOST ? least : 0;
}

/* What it comes to, but for outputs; it is concave in the price of a word, or nearly. */
static double price_worth(gates_claim *c, int64_t word, const double count[3])
{
  c->stays.word = word;
  return (double)step_price(&c->stays) * count[0] - (double)word * count[1] -
         (double)gates_stays_shared(&c->stays) / 4 * count[2];
}

static void best_prices(gate_search *s, gates_claim *c)
{
  const gate_sets *t = &s->g->set[0];
  mpz_t n;
  mpz_init(n);
  double count[3] = { mpz_get_d(t->steps) };
  count[1] = polyhedra_count(&t->gates, n) ? mpz_get_d(n) * (double)(s->m - t->beside) : 0;
  count[2] = polyhedra_count(&t->words, n) ? mpz_get_d(n) : 0;
  int64_t lo = PRICE_SCALE / ((int64_t)STAYS_MOST * STAYS_MOST / 4), hi = 4 * (int64_t)PRICE_SCALE;
  for (int i = 0; i < PRICE_ROUNDS && hi - lo > 2; i++) {
    int64_t third = (hi - lo) / 3;
    if (price_worth(c, lo + third, count) < price_worth(c, hi - third, count))
      lo += third;
    else
      hi -= third;
  }
  price_worth(c, lo, count);
  mpz_clear(n);
}

/* The use at hand, its partner, and an element that reads both before the gate. */
static void try_stays(gate_search *s, gates_claim *c)
{
  text reason = { 0 };
  c->stays.scale = PRICE_SCALE;
  if (++s->stays <= STAYS_TRIED && gates_derive(s->g, c, &reason))
    for (c->stays.stores = 0; c->stays.stores < 2; c->stays.stores++) {
      mpz_t value;
      mpz_init(value);
      best_prices(s, c);
      if (gates_value(s->g, c, s->m, value, &reason))
        keep_best(s, c, value);
      mpz_clear(value);
    }
  text_clear(&reason);
}

/* Two reads of one element: of what the access `own` reads, which it does not continue, and of what `partner` does. */
static bool reads_likely(const gate_search *s, const access *own, const access *partner, const int read[2])
{
  const access *a = s->g->f->form.access[read[0]], *b = s->g->f->form.access[read[1]];
  return a != b && a->from == b->from && a->to == own->to && b->to == partner->to && a->single && b->single &&
         !words_is_own(&s->g->f->words, read[0]) && s->g->f->form.array[own->to].computed.n > 0;
}

static void find_stays(gate_search *s, const gates_claim *like, int array)
{
  const normal_form *f = &s->g->f->form;
  gates_claim c = *like;
  for (int i = 0; i < s->words.owns; i++)
    for (int n = 0; n < f->accesses * f->accesses; n++) {
      c.stays = (gate_stays){ .own = s->words.own[i], .read = { n / f->accesses, n % f->accesses } };
      if (f->access[c.stays.own]->from == array &&
          reads_likely(s, f->access[c.stays.own], f->access[c.family[0].partner], c.stays.read))
        try_stays(s, &c);
    }
}

/* The use at hand with a partner, whose words each gate needs too: then few words allow few pairs of classes. */
static void try_hourglass(key_search *k)
{
  gate_search *s = k->t->s;
  const normal_form *f = &s->g->f->form;
  for (int i = 0; i < f->accesses; i++) {
    gates_claim c = k->t->claim;
    gate_family *of = &c.family[0];
    text reason = { 0 };
    if (f->access[i]->from != k->use->use.array || !f->access[i]->single || words_is_own(&s->g->f->words, i) ||
        s->g->f->words.component[f->access[i]->to] != k->use->component)
      continue;
    of->use[of->uses] = k->use->use;
    of->use[of->uses++].keys = k->keys;
    of->partner = i;
    find_stays(s, &c, k->use->use.array);
    segment_problem p = { .most = glass_most, .guess = glass_guess, .context = &s->g->set[0].width, .m = s->m };
    segment_cut best;
    mpz_t value;
    mpz_init(value);
    segment_cut_init(&best);
    if (++s->derived <= DERIVED_MOST && gates_derive(s->g, &c, &reason)) {
      mpz_init_set(p.work, s->g->set[0].steps);
      if (segment_search(&p, &best)) {
        of->segments = best.n;
        of->first = best.first;
        of->length = best.length;
      } else
        of->segments = 1;
      cut_below_jumps(s, &c);
      if (gates_value(s->g, &c, s->m, value, &reason))
        keep_best(s, &c, value);
      mpz_clear(p.work);
    }
    segment_cut_clear(&best);
    mpz_clear(value);
    text_clear(&reason);
  }
}

static bool same_gate(const gate_family *x, const gate_family *y)
{
  return x->array == y->array && x->time == y->time && x->back == y->back &&
         memcmp(x->role, y->role, sizeof x->role) == 0 &&
         memcmp(x->at, y->at, sizeof x->at) == 0;
}

/* What the claim is worth beyond inputs and outputs. */
static double gain(const gate_search *s, const mpz_t value)
{
  mpz_t base;
  mpz_init(base);
  mpz_add(base, s->g->f->inputs, s->g->f->outputs);
  mpz_sub(base, value, base);
  double more = mpz_get_d(base);
  mpz_clear(base);
  return more;
}

/* The families with the largest gains are kept for others to join, of one gate one. */
static void keep_family(const gate_search *s, kept_families *l, const gate_family *f, const mpz_t value)
{
  double more = gain(s, value);
  int at = 0;
  for (int i = 1; i < l->n; i++)
    if (l->item[i].gain < l->item[at].gain)
      at = i;
  if (l->n < FAMILIES_KEPT)
    at = l->n;
  for (int i = 0; i < l->n; i++)
    if (same_gate(&l->item[i].family, f))
      at = i;
  if (more <= 0 || (at < l->n && l->item[at].gain >= more))
    return;
  l->n += at == l->n;
  l->item[at].family = *f;
  l->item[at].gain = more;
}

static void try_use(key_search *k)
{
  gate_search *s = k->t->s;
  gates_claim *c = &k->t->claim;
  gate_family *f = family_of(k->t);
  bool many = 4 * k->use->words > key_extents(k) * (double)s->m && f->uses < GATE_USES;
  bool glass = c->families == 1 && f->uses == 0 && f->time >= 0 && f->lag == 1 && k->use->use.access < 0;
  if ((!many && !glass) || !uses_likely(s, c, k->t->at, k->use, &k->keys))
    return;
  if (glass)
    try_hourglass(k);
  if (!many)
    return;
  gates_claim before = *c;
  mpz_t value;
  mpz_init(value);
  f->use[f->uses] = k->use->use;
  f->use[f->uses++].keys = k->keys;
  bool good = worth(s, c, value);
  if (good && c->families == 1)
    keep_family(s, &s->alone, f, value);
  if (good && mpz_cmp(value, k->t->value) > 0) {
    mpz_set(k->t->value, value);
    k->t->has |= (uint64_t)1 << k->use->component;
    keep_best(s, c, value);
  } else {
    if (good && f->uses == 1 && k->t->spare.uses == 0)
      k->t->spare = *f;
    *c = before;
  }
  mpz_clear(value);
}

/* Most samples with such a path: it begins before the gate and ends after. */
static bool waits_likely(const key_search *k)
{
  gate_search *s = k->t->s;
  const gate_family *f = &k->t->claim.family[0];
  const gate_wait *w = &k->wait->wait;
  int there = 0, good = 0;
  if (any_index(s, f))
    return false;
  for (int i = 0, n = k->wait->z.n; i < n && 2 * (good + n - i) > there + n - i; i++) {
    int64_t x[CDAG_RANK], gate[CDAG_RANK];
    bool exists = true;
    int array = w->array;
    memcpy(x, k->wait->z.at[i], sizeof x);
    for (int l = 0; l < w->links && exists; l++) {
      const access *a = s->g->f->form.access[w->link[l]];
      exists = read_at(s, a, x, x);
      array = a->to;
    }
    if (!exists)
      continue;
    there++;
    gate_at(s, f, &k->keys, k->wait->z.at[i], gate);
    good += reach_has(&s->g->reach, f->array, gate, array, x) &&
            reach_has(&s->g->reach, w->array, k->wait->z.at[i], f->array, gate);
  }
  return there > 0 && 2 * good > there;
}

static void try_wait(key_search *k)
{
  gate_search *s = k->t->s;
  gates_claim c = k->t->claim;
  gate_family *f = &c.family[0];
  if (f->waits == GATE_WAITS || 4 * k->wait->paths <= key_extents(k) * (double)s->m || !waits_likely(k))
    return;
  mpz_t value;
  mpz_init(value);
  f->wait[f->waits] = k->wait->wait;
  f->wait[f->waits++].keys = k->keys;
  if (worth(s, &c, value)) {
    if (f->uses == 0 && f->waits == 1)
      keep_family(s, &s->waits, f, value);
    if (keep_best(s, &c, value))
      k->t->claim = c;
  }
  mpz_clear(value);
}

static void each_key(key_search *k, int r, uint32_t taken)
{
  const gate_family *f = family_of(k->t);
  int rank = k->t->s->g->f->form.array[f->array].rank;
  while (r < rank && f->role[r] != GATE_KEY)
    r++;
  if (r == rank) {
    if (k->use)
      try_use(k);
    else
      try_wait(k);
    return;
  }
  for (int l = 0; l < k->rank; l++) {
    if (taken >> l & 1 || (k->use && r != f->time && !(k->told >> l & 1)))
      continue;
    k->keys.loop[r] = l;
    for (int o = 0; o < (k->use && r != f->time ? 1 : 2); o++) {
      k->keys.offset[r] = r == f->time && f->back ? o : -o;
      each_key(k, r + 1, taken | 1u << l);
    }
  }
}

static void try_uses(gate_trial *t)
{
  for (int i = 0; i < t->c->uses; i++) {
    const use_candidate *u = &t->c->use[i];
    if (t->has >> u->component & 1)
      continue; /* words of one kind once */
    key_search k = { .t = t, .rank = t->s->g->f->form.array[u->use.array].rank, .told = u->told, .use = u };
    each_key(&k, 0, 0);
  }
}

/* Paths along words of these components. */
static void try_waits(gate_trial *t, uint64_t components)
{
  for (int i = 0; i < t->c->waits; i++) {
    const wait_candidate *w = &t->c->wait[i];
    int of = t->s->g->f->words.component[w->wait.array];
    if (components != UINT64_MAX && (of >= CANDIDATES || !(components >> of & 1)))
      continue;
    key_search k = { .t = t, .rank = t->s->g->f->form.array[w->wait.array].rank, .wait = w };
    each_key(&k, 0, 0);
  }
}

/* The gate is set but for the time. */
static void try_gate(gate_search *s, const candidates *c, const gate_family *like)
{
  int rank = s->g->f->form.array[like->array].rank;
  for (int way = -1; way < 2 * rank; way++) { /* no time; each key upwards, and downwards */
    int time = way < 0 ? -1 : way / 2;
    bool back = way > 0 && way % 2;
    if (time < 0 ? like->lag > 1 : like->role[time] != GATE_KEY)
      continue;
    gate_trial t = { .s = s, .c = c, .claim = s->words };
    t.claim.families = 1;
    t.claim.family[0] = *like;
    t.claim.family[0].time = time;
    t.claim.family[0].back = back;
    t.claim.family[0].cut.key = t.claim.family[0].twice.key = -1;
    mpz_init_set(t.value, s->best[0].value);
    try_uses(&t);
    mpz_clear(t.value);
    if (time < 0 || t.claim.family[0].uses)
      try_waits(&t, UINT64_MAX);
    if (t.claim.family[0].uses && s->used.n < FAMILIES_KEPT) {
      s->used.item[s->used.n] = t.claim.family[0];
      s->used.has[s->used.n++] = t.has;
    } else if (t.spare.uses) { /* fewer than M words, and fewer than M paths */
      t.claim.family[0] = t.spare;
      try_waits(&t, UINT64_MAX);
    }
  }
}

/* Words that are used may be those that wait: then each costs two moves. */
static void wait_instead(gate_search *s, const candidates *c)
{
  for (int i = 0; i < s->used.n; i++) {
    gate_trial t = { .s = s, .c = c, .claim = s->words };
    t.claim.families = 1;
    t.claim.family[0] = s->used.item[i];
    t.claim.family[0].uses = t.claim.family[0].waits = 0;
    t.claim.family[0].cut.key = t.claim.family[0].twice.key = -1;
    try_waits(&t, s->used.has[i]);
  }
}

enum { GATE_RANK = 4 };

/* Each index a key, or its least or greatest value; or none is anything. */
static void each_gate(gate_search *s, const candidates *c, gate_family *k, int r, int keys)
{
  const array_form *x = &s->g->f->form.array[k->array];
  if (r == x->rank) {
    try_gate(s, c, k);
    return;
  }
  int64_t lo = box_of(s, k->array)->lo[r], hi = box_of(s, k->array)->hi[r];
  if (lo > hi)
    return;
  if (lo < hi && keys < 2) {
    k->role[r] = GATE_KEY;
    each_gate(s, c, k, r + 1, keys + 1);
  }
  k->role[r] = GATE_AT;
  k->at[r] = lo;
  each_gate(s, c, k, r + 1, keys);
  k->at[r] = hi;
  if (hi > lo)
    each_gate(s, c, k, r + 1, keys);
  k->at[r] = 0;
}

static void each_array(gate_search *s, const candidates *c, int lag)
{
  const normal_form *f = &s->g->f->form;
  for (int x = 0; x < f->arrays; x++) {
    gate_family k = { .array = x, .time = -1, .lag = lag, .cut = { -1, 0, 0 }, .partner = -1 };
    if (!f->g->array[x].terms || f->array[x].rank > GATE_RANK || f->array[x].domain.n == 0)
      continue;
    try_gate(s, c, &k);
    each_gate(s, c, &k, 0, 0);
  }
}

/* More families in which something waits. */
static void join_families(gate_search *s)
{
  mpz_t value;
  mpz_init(value);
  for (int i = 0; i < s->waits.n; i++) {
    gates_claim c = s->best[1].claim;
    if (c.families == 0 || c.families == GATE_FAMILIES || c.owns != s->words.owns ||
        memcmp(c.own, s->words.own, sizeof c.own) != 0)
      break;
    c.family[c.families++] = s->waits.item[i].family;
    consider(s, &c, value);
  }
  mpz_clear(value);
}

/* The gates alternate: words between each and the next. */
static bool try_alternating(gate_search *s, const candidates *c, const gate_family *const *gate, int n)
{
  gate_trial t = { .s = s, .c = c, .claim = s->words };
  mpz_t before;
  mpz_init_set(before, s->best[0].value);
  mpz_init(t.value);
  mpz_add(t.value, s->g->f->inputs, s->g->f->outputs);
  for (t.claim.families = 0; t.claim.families < n; t.claim.families++) {
    gate_family *f = &t.claim.family[t.claim.families];
    *f = *gate[t.claim.families];
    f->alternates = t.claim.families > 0;
    f->cut.key = -1;
    f->uses = 0;
  }
  s->derived = 0;
  for (; t.at < n; t.at++) {
    t.has = 0;
    try_uses(&t);
  }
  bool better = mpz_cmp(s->best[0].value, before) > 0;
  mpz_clears(t.value, before, NULL);
  return better;
}

/* Two gates, each with words after it when it is alone, then what joins the best pair. */
static void find_alternating(gate_search *s, const candidates *c)
{
  const gate_family *gate[GATE_FAMILIES], *best[2];
  int kept = s->alone.n, n = 0;
  for (int i = 0; i < kept * kept; i++) {
    gate[0] = &s->alone.item[i / kept].family;
    gate[1] = &s->alone.item[i % kept].family;
    if (i / kept != i % kept && gates_same_keys(gate[0], gate[1]) && try_alternating(s, c, gate, 2)) {
      memcpy(best, gate, sizeof best);
      n = 2;
    }
  }
  memcpy(gate, best, n ? sizeof best : 0);
  for (bool better = n > 0; better && n < GATE_FAMILIES; n += better) {
    const gate_family *joins = NULL;
    for (int i = 0; i < kept; i++) {
      gate[n] = &s->alone.item[i].family;
      if (gates_same_keys(gate[0], gate[n]) && try_alternating(s, c, gate, n + 1))
        joins = gate[n];
    }
    better = joins;
    gate[n] = joins;
  }
}

static bool choose_words(gate_search *s, const word_order *order)
{
  affine_claim like = { 0 };
  text reason = { 0 };
  s->words = (gates_claim){ .reading = s->g->f->reading };
  s->words.owns = like.owns = affine_choose_words(&s->g->f->form, order, 0, s->words.own);
  memcpy(like.own, s->words.own, sizeof like.own);
  bool good = affine_words(s->g->f, &like, &reason);
  text_clear(&reason);
  return good;
}

/* ---- cells ---- */

static void cells_steps(const void *cells, const mpz_t x, mpz_t most)
{
  cells_most(cells, x, most);
}

static double cells_guess(const void *cells, double x)
{
  const gate_cells *p = cells;
  double size = (double)p->least, cap = (double)p->cap, f = x / size, shared = f * f;
  for (int round = 0; round < 3; round++)
    shared = fmin(shared, (x + shared) * (x + shared) / (4 * size * size));
  return 2 * cap * x + fmin(cap * f * x, (x + shared) * (x + shared) / 4);
}

/* Cells of at least so many steps, each worth its cell's up to the cap, and the best cut. */
static void try_cap(gate_search *s, gates_claim *c, int64_t least, int64_t cap)
{
  gate_family *of = &c->family[0];
  text reason = { 0 };
  c->cells.least = least;
  c->cells.cap = cap;
  if (gates_derive(s->g, c, &reason) && mpz_sgn(s->g->set[0].steps) > 0) {
    segment_problem p = { .most = cells_steps, .guess = cells_guess, .context = &c->cells, .m = s->m };
    segment_cut best;
    mpz_t value;
    mpz_init(value);
    mpz_init_set(p.work, s->g->set[0].steps);
    segment_cut_init(&best);
    of->segments = 1;
    of->first = of->length = 0;
    if (segment_search(&p, &best)) {
      of->segments = best.n;
      of->first = best.first;
      of->length = best.length;
    }
    if (gates_value(s->g, c, s->m, value, &reason))
      keep_best(s, c, value);
    segment_cut_clear(&best);
    mpz_clears(value, p.work, NULL);
  }
  text_clear(&reason);
}

/* The least cells that count and the cap, in parts of the longest cell. */
enum { LEASTS = 24 };
static const int cells_tried[][2] = {
  { 1, 6 }, { 1, 10 }, { 1, 14 }, { 1, 18 }, { 2, 4 },  { 2, 6 },   { 2, 8 },   { 2, 10 },  { 2, 12 },  { 2, 14 },
  { 2, 16 }, { 2, 20 }, { 4, 4 },  { 4, 6 },  { 4, 8 },  { 4, 10 },  { 4, 12 },  { 4, 14 },  { 4, 16 },  { 4, 20 },
  { 6, 6 }, { 6, 10 }, { 6, 14 },  { 8, 8 },  { 8, 12 }, { 10, 10 }, { 12, 12 }, { 14, 14 }, { 16, 16 },
};
enum { CELLS_TRIED = sizeof cells_tried / sizeof *cells_tried };

enum { ENDS = 9 };
typedef struct { int n; int64_t form[ENDS][3]; } cell_ends;

/* Forms that the third loop reaches and never passes: times row and times column 1, 0 or -1. */
static void find_ends(const polyhedra *both, const samples *at, int row, int column, bool low, cell_ends *to)
{
  int third = 3 - row - column;
  to->n = 0;
  for (int e = 0; e < ENDS; e++) {
    int64_t r = (e + 1) % 3 - 1, c = (e / 3 + 1) % 3 - 1, least, most;
    linear f = linear_variable(third);
    f.coef[row] = -r;
    f.coef[column] = -c;
    if (!polyhedra_span(both, &f, &least, &most))
      continue;
    int64_t base = low ? least : most;
    bool reached = at->n > 0;
    for (int i = 0; i < at->n && reached; i++) {
      int64_t x[CDAG_RANK];
      memcpy(x, at->at[i], sizeof x);
      x[third] = r * x[row] + c * x[column] + base;
      reached = false;
      for (int k = 0; k < both->n && !reached; k++)
        reached = both->item[k]->vars == 3 && holds_at(both->item[k], x, 3);
    }
    if (reached)
      memcpy(to->form[to->n++], (int64_t[]){ r, c, base }, sizeof *to->form);
  }
}

static void try_ends(gate_search *s, gates_claim *c, const polyhedra *both, const samples *at, int row, int column)
{
  cell_ends lo, hi;
  find_ends(both, at, row, column, true, &lo);
  find_ends(both, at, row, column, false, &hi);
  for (int e = 0; e < lo.n * hi.n; e++) {
    const int64_t *from = lo.form[e / hi.n], *to = hi.form[e % hi.n];
    linear length = linear_constant(to[2] - from[2] + 1);
    length.coef[row] = to[0] - from[0];
    length.coef[column] = to[1] - from[1];
    memcpy(c->cells.lo, from, sizeof c->cells.lo);
    memcpy(c->cells.hi, to, sizeof c->cells.hi);
    c->cells.least = c->cells.cap = 1;
    text reason = { 0 };
    int64_t least, most;
    bool good = gates_derive(s->g, c, &reason) && mpz_sgn(s->g->set[0].steps) > 0 &&
                polyhedra_span(both, &length, &least, &most);
    text_clear(&reason);
    for (int k = 0; k < CELLS_TRIED && good; k++)
      if (most * cells_tried[k][0] / LEASTS > 0)
        try_cap(s, c, most * cells_tried[k][0] / LEASTS, most * cells_tried[k][1] / LEASTS);
    if (good)
      return;
  }
}

/* Is each sample before an element one step on along the loop? */
static bool steps_on(gate_search *s, int array, const samples *at, int loop, int step)
{
  int there = 0;
  for (int i = 0; i < at->n; i++) {
    int64_t next[CDAG_RANK];
    memcpy(next, at->at[i], sizeof next);
    next[loop] += step;
    if (!in_domain(s, array, next))
      continue;
    if (!reach_has(&s->g->reach, array, next, array, at->at[i]))
      return false;
    there++;
  }
  return there > 0;
}

static bool told_by(const linear *label, int loop)
{
  linear is = linear_variable(loop);
  is.base = label->base;
  return linear_equal(label, &is);
}

/* Columns, in the order of their rows, by the word that one access reads, rows by that of another; gates are the
 * elements of a cell themselves. */
static void try_cells(gate_search *s, int array, int by_column, int by_row)
{
  const normal_form *f = &s->g->f->form;
  const access *a[2] = { f->access[by_column], f->access[by_row] };
  linear label[2][LABELS_MOST];
  polyhedra both = { 0 };
  for (int i = 0; i < f->array[array].live.n; i++) {
    polyhedron *p = polyhedron_copy(&s->g->f->memory, f->array[array].live.item[i]);
    for (int k = 0; k < 2; k++)
      polyhedron_meet(&s->g->f->memory, p, a[k]->where, 3);
    if (!p->open && !polyhedron_empty(p))
      polyhedra_add(&s->g->f->memory, &both, p);
  }
  for (int k = 0; k < 2; k++)
    if (words_label_of(&s->g->f->words, a[k]->to, a[k]->index, label[k]) != 2)
      return;
  samples at;
  sample(s, &both, 3, &at);
  for (int way = 0; way < 6 * 2; way++) {
    int row = way % 3, column = (row + 1 + way / 3 % 2) % 3;
    bool back = way / 6, told = false;
    gates_claim c = s->words;
    gate_family *of = &c.family[0];
    for (int p = 0; p < 2; p++)
      told = told || (told_by(&label[0][p], column) && told_by(&label[1][1 - p], row));
    if (!told || !steps_on(s, array, &at, row, back ? -1 : 1))
      continue;
    c.families = 1;
    *of = (gate_family){ .array = array, .time = row, .back = back, .lag = 1, .uses = 2, .partner = -1,
                         .cut = { -1, 0, 0 } };
    of->role[row] = of->role[column] = GATE_KEY;
    for (int k = 0; k < 2; k++) {
      of->use[k] = (gate_use){ .array = array, .access = k ? by_row : by_column };
      for (int r = 0; r < 3; r++)
        of->use[k].keys.loop[r] = r;
    }
    try_ends(s, &c, &both, &at, row, column);
  }
}

/* Words that keep the row and the column, along sums or each with an input of its own. */
static const word_order cell_orders[] = {
  { true, { 0, 2, 3, 4, 1 }, false },
  { false, { 0, 2, 4, 3, 1 }, false },
};

static void find_cells(gate_search *s)
{
  const normal_form *f = &s->g->f->form;
  const words *w = &s->g->f->words;
  for (size_t k = 0; k < sizeof cell_orders / sizeof *cell_orders; k++)
    for (int n = 0, all = f->accesses, good = choose_words(s, &cell_orders[k]); good && n < all * all; n++) {
      int column = n / all, row = n % all;
      const access *a = f->access[column], *b = f->access[row];
      if (row != column && a->from == b->from && f->array[a->from].rank == 3 && a->single && b->single &&
          w->component[a->to] == w->component[b->to] && !w->unrooted[w->component[a->to]] &&
          !words_is_own(w, row) && !words_is_own(w, column))
        try_cells(s, a->from, column, row);
    }
}

/* Do the orders before this one choose the same words? */
static bool known_words(const gate_search *s, int order)
{
  for (int k = 0; k < order; k++) {
    int own[WORDS_MOST], n = affine_choose_words(&s->g->f->form, &orders[k], 0, own);
    if (n == s->words.owns && memcmp(own, s->words.own, (size_t)n * sizeof *own) == 0)
      return true;
  }
  return false;
}

static void try_order(gate_search *s, candidates *c, int order, int lag)
{
  s->derived = s->waits.n = s->alone.n = s->used.n = 0;
  if (choose_words(s, &orders[order]) && !known_words(s, order)) {
    find_candidates(s, c);
    if (c->uses + c->waits > 0)
      each_array(s, c, lag);
    if (c->uses + c->waits > 0 && lag == 1) {
      join_families(s);
      find_alternating(s, c);
      s->derived = 0;
      wait_instead(s, c);
    }
  }
}

/* Before the family with a lag, one with none: of the same elements those at which index r is at least h, which come
   after the first of its array that gets so far, before the first one time later. */
static bool split_at(gate_search *s, int r, int64_t h, int64_t offset)
{
  gates_claim c = s->best[0].claim;
  gate_family *last = &c.family[c.families - 1], *of = last;
  const gate_use u = last->use[0];
  int time = u.keys.loop[last->time];
  mpz_t value;
  if (c.families == GATE_FAMILIES || time == r)
    return false;
  c.family[c.families++] = *last;
  *of = (gate_family){ .array = u.array, .time = time, .lag = 1, .uses = 1, .partner = -1 };
  /* after the last gate more words count, which others would lose */
  of->cut = (gate_cut){ time, box_of(s, u.array)->lo[time], box_of(s, u.array)->hi[time] - 1 };
  of->role[time] = GATE_KEY;
  of->role[r] = GATE_AT;
  of->at[r] = h;
  of->use[0] = u;
  of->use[0].keys.loop[time] = time;
  of->use[0].keys.offset[time] = offset;
  mpz_init(value);
  bool better = consider(s, &c, value);
  mpz_clear(value);
  return better;
}

enum { SPLITS = 8 };

/* Where it serves, at halves, quarters and eighths. */
static void split_lag(gate_search *s)
{
  const gates_claim *c = &s->best[0].claim;
  if (c->families != 1 || c->family[0].lag < 2 || c->family[0].uses != 1 || c->family[0].back)
    return;
  int array = c->family[0].use[0].array;
  const struct box *b = box_of(s, array);
  s->derived = 0;
  for (int r = 0; r < s->g->f->form.array[array].rank; r++)
    for (int64_t part = 2; part <= SPLITS; part *= 2) {
      int families = c->families;
      for (int64_t k = 1; k < part && b->lo[r] < b->hi[r]; k += 2)
        split_at(s, r, b->lo[r] + (b->hi[r] - b->lo[r]) * k / part, 0);
      if (c->families == families)
        break;
    }
}

static void find_gates(gates_facts *g, int64_t m, gates_best *best)
{
  gate_search *s = ARENA_NEW(&g->f->memory, gate_search, 1);
  candidates *c = ARENA_NEW(&g->f->memory, candidates, 1);
  text reason = { 0 };
  s->g = g;
  s->m = m;
  s->best = best;
  s->box = ARENA_NEW(&g->f->memory, struct box, (size_t)g->f->form.arrays);
  s->element = ARENA_NEW(&g->f->memory, samples, (size_t)g->f->form.arrays);
  bool good = gates_derive(g, &s->words, &reason);
  text_clear(&reason);
  if (!good)
    return;
  for (int k = 0; k < 2; k++) /* inputs and outputs: a gate must say more */
    if (best[k].claim.families == 0)
      mpz_add(best[k].value, g->f->inputs, g->f->outputs);
  for (int k = 0; k < ORDERS; k++)
    try_order(s, c, k, 1);
  for (int k = 0; k < ORDERS; k++) /* steps of a chain that each depend on all of the step before */
    try_order(s, c, k, 2);
  find_cells(s);
  if (best[0].claim.reading == g->f->reading)
    split_lag(s);
}

/* ---- the theorem ---- */

static void add_gates(const bound_question *q, gates_facts *g, const gates_best *best, bool once, bound_list *out)
{
  bound *b = bound_list_add(out, once ? "gates-one-shot" : "gates", BOUND_PROVED,
                            once ? BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING : BOUND_ANY,
                            "docs/theory-affine.md, section 7");
  json j = { 0 };
  mpz_set(b->value, best->value);
  json_open(&j, '{');
  gates_claim_write(&best->claim, &j);
  json_close(&j, '}');
  text_add(&b->parameters, text_str(&j.out));
  json_clear(&j);
  text reason = { 0 };
  if (q->want_proof && gates_derive(g, &best->claim, &reason))
    gates_say_proof(g, &best->claim, (int64_t)q->m, b);
  text_clear(&reason);
}

static status apply(const bound_question *q, bound_list *out, diag *d)
{
  (void)d;
  if (q->g->graph || q->m > INT64_MAX / 4)
    return OK;
  affine_facts f[READINGS];
  gates_facts g[READINGS];
  unsigned there = bound_readings(q->g, READ_TAPPED, f);
  gates_best *best = ARENA_NEW(&f[0].memory, gates_best, 2);
  for (int k = 0; k < 2; k++)
    mpz_init(best[k].value);
  for (int r = 0; r < READINGS; r++) {
    if (!(there >> r & 1))
      continue;
    gates_facts_init(&g[r], &f[r]);
    find_gates(&g[r], (int64_t)q->m, best);
  }
  for (int k = 0; k < 2; k++)
    if (best[k].claim.families && (k == 0 || mpz_cmp(best[1].value, best[0].value) > 0))
      add_gates(q, &g[best[k].claim.reading], &best[k], k, out);
  for (int k = 0; k < 2; k++)
    mpz_clear(best[k].value);
  for (int r = 0; r < READINGS; r++)
    if (there >> r & 1)
      gates_facts_clear(&g[r]);
  bound_readings_clear(f, there);
  return OK;
}

BOUND_THEOREM(96, gates) = {
  .name = "gates",
  .summary =
      "two passes over more than M words, and values that wait: what lies between a computed element and the next",
  .source = "docs/theory-affine.md, section 7",
  .apply = apply,
};
