/* forks.c -- gates of which each element waits for the first one: sweeps from both ends, and whatever else has paths
   that begin before it on one side or on the other. */
#include "bounds/affine/gates/search.h"
#include <string.h>

enum { FORK_CANDIDATES = 40, FORK_PAIRS = SAMPLES * SAMPLES, FORK_TRIES = 8 };

typedef struct {
  uint64_t of[(FORK_PAIRS + 63) / 64];
} pair_set;

/* A path from elements of the gate's array, and the pairs (element, first one) in which it begins before that. */
typedef struct {
  fork_path path;
  bool input; /* does it begin with one? */
  int ends;   /* the array that it begins in */
  pair_set there, before;
} fork_candidate;

typedef struct {
  gate_search *s;
  gate_family family;
  int candidates;
  fork_candidate candidate[FORK_CANDIDATES];
  int pairs;
  int64_t z[FORK_PAIRS][CDAG_RANK], first[FORK_PAIRS][CDAG_RANK];
} fork_search;

static bool has(const pair_set *p, int k) { return p->of[k / 64] >> (k % 64) & 1; }

static void put(pair_set *p, int k) { p->of[k / 64] |= (uint64_t)1 << (k % 64); }

/* Every path along single reads that comes to no array twice. */
static void add_paths(fork_search *t, fork_path *p, int array, uint64_t seen)
{
  const normal_form *f = &t->s->g->f->form;
  for (int i = 0; i < f->accesses && p->links < GATE_LINKS; i++) {
    const access *a = f->access[i];
    if (a->from != array || !a->single || a->to >= 64 || seen >> a->to & 1)
      continue;
    p->link[p->links++] = i;
    for (int input = 0; input < 2; input++) {
      if (t->candidates == FORK_CANDIDATES || (input ? f->array[a->to].inputs.n : f->array[a->to].computed.n) == 0)
        continue;
      t->candidate[t->candidates++] = (fork_candidate){ .path = *p, .input = input, .ends = a->to };
    }
    if (f->array[a->to].computed.n > 0)
      add_paths(t, p, a->to, seen | (uint64_t)1 << a->to);
    p->links--;
  }
}

/* Short ones first. */
static void sort_by_links(fork_search *t)
{
  for (int i = 1; i < t->candidates; i++) {
    fork_candidate c = t->candidate[i];
    int k = i;
    for (; k > 0 && t->candidate[k - 1].path.links > c.path.links; k--)
      t->candidate[k] = t->candidate[k - 1];
    t->candidate[k] = c;
  }
}

/* Pairs of samples as elements of one gate. */
static void pair_samples(fork_search *t)
{
  const normal_form *f = &t->s->g->f->form;
  int array = t->family.array, rank = f->array[array].rank;
  const samples *x = gates_elements(t->s, array);
  t->pairs = 0;
  for (int a = 0; a < x->n; a++)
    for (int b = 0; b < x->n; b++) {
      int64_t *first = t->first[t->pairs];
      for (int r = 0; r < rank; r++)
        first[r] = t->family.role[r] == GATE_KEY ? x->at[a][r] : x->at[b][r];
      memcpy(t->z[t->pairs], x->at[a], sizeof x->at[a]);
      if (gates_in_domain(t->s, array, first) && memcmp(first, x->at[a], (size_t)rank * sizeof *first) != 0)
        t->pairs++;
    }
}

static void look_at(fork_search *t, fork_candidate *c)
{
  gate_search *s = t->s;
  c->there = c->before = (pair_set){ { 0 } };
  for (int k = 0; k < t->pairs; k++) {
    int64_t x[CDAG_RANK];
    memcpy(x, t->z[k], sizeof x);
    if (!gates_follow(s, c->path.link, c->path.links, x))
      continue;
    put(&c->there, k);
    if (reach_has(&s->g->reach, t->family.array, t->first[k], c->ends, x))
      put(&c->before, k);
  }
}

/* In most pairs in which both are there, does one of them begin before the first element? */
static bool likely(const fork_search *t, const fork_candidate *a, const fork_candidate *b)
{
  int there = 0, good = 0;
  for (int k = 0; k < t->pairs; k++) {
    there += has(&a->there, k) && has(&b->there, k);
    good += has(&a->there, k) && has(&b->there, k) && (has(&a->before, k) || has(&b->before, k));
  }
  return there > 0 && 10 * good > 9 * there;
}

/* With paths a and b on two sides, is `c` one for the first side, or for the second? */
static bool fits(const fork_search *t, const fork_candidate *a, const fork_candidate *c, bool second)
{
  int there = 0, good = 0;
  for (int k = 0; k < t->pairs; k++)
    if (has(&a->there, k) && has(&c->there, k) && has(&a->before, k) != second) {
      there++;
      good += has(&c->before, k);
    }
  return there > 0 && 10 * good > 9 * there;
}

static void add_pair(gate_fork *k, const fork_candidate *a, const fork_candidate *b)
{
  k->input[k->paths] = a->input;
  k->side[0][k->paths] = a->path;
  k->side[1][k->paths++] = b->path;
}

/* One more path on each side, computed ones before those that begin with inputs: the first pair that holds. */
static void try_more(fork_search *t, gates_claim *c, int first, int second, mpz_t value)
{
  const fork_candidate *a = &t->candidate[first], *b = &t->candidate[second];
  mpz_t more;
  mpz_init(more);
  for (int input = 0, tries = 0; input < 2 && c->family[0].fork.paths < FORK_PATHS; input++)
    for (int i = 0; i < t->candidates; i++)
      for (int k = 0; k < t->candidates && c->family[0].fork.paths < FORK_PATHS && tries < FORK_TRIES; k++) {
        const fork_candidate *x = &t->candidate[i], *y = &t->candidate[k];
        if (x->input != input || y->input != input || x->path.link[0] == a->path.link[0] ||
            y->path.link[0] == b->path.link[0] || !fits(t, a, x, false) || !fits(t, a, y, true))
          continue;
        gates_claim longer = *c;
        tries++;
        add_pair(&longer.family[0].fork, x, y);
        if (gates_worth(t->s, &longer, more) && mpz_cmp(more, value) > 0) {
          mpz_set(value, more);
          *c = longer;
        }
      }
  mpz_clear(more);
}

/* Two computed paths, one on each side. */
static bool try_pair(fork_search *t, int first, int second)
{
  gate_search *s = t->s;
  gates_claim c = s->words;
  mpz_t value;
  mpz_init(value);
  c.families = 1;
  c.family[0] = t->family;
  add_pair(&c.family[0].fork, &t->candidate[first], &t->candidate[second]);
  bool good = gates_worth(s, &c, value);
  if (good) {
    try_more(t, &c, first, second, value);
    gates_keep_family(s, &s->waits, &c.family[0], value);
    gates_keep_best(s, &c, value);
  }
  mpz_clear(value);
  return good;
}

/* Are there more elements in a gate than are kept, if all wait twice? */
static bool is_large(const fork_search *t)
{
  double n = 1;
  for (int r = 0; r < t->s->g->f->form.array[t->family.array].rank; r++) {
    const struct box *b = gates_box_of(t->s, t->family.array);
    if (b->lo[r] > b->hi[r])
      return false;
    if (t->family.role[r] == GATE_ANY)
      n *= (double)b->hi[r] - (double)b->lo[r] + 1;
  }
  return FORK_PATHS * n > (double)t->s->m;
}

static void try_gate(fork_search *t)
{
  if (!is_large(t))
    return;
  pair_samples(t);
  for (int i = 0; i < t->candidates && t->pairs > 0; i++)
    look_at(t, &t->candidate[i]);
  for (int i = 0, tries = 0; i < t->candidates; i++)
    for (int k = 0; k < t->candidates && tries < FORK_TRIES; k++)
      if (!t->candidate[i].input && !t->candidate[k].input && likely(t, &t->candidate[i], &t->candidate[k]))
        tries = try_pair(t, i, k) ? FORK_TRIES : tries + 1;
}

void gates_find_forks(gate_search *s)
{
  const normal_form *f = &s->g->f->form;
  fork_search *t = ARENA_NEW(&s->g->f->memory, fork_search, 1);
  t->s = s;
  for (int x = 0; x < f->arrays; x++) {
    int rank = f->array[x].rank;
    fork_path p = { .links = 0 };
    if (f->array[x].computed.n == 0 || f->array[x].live.n == 0 || rank > GATE_RANK)
      continue;
    t->candidates = 0;
    add_paths(t, &p, x, x < 64 ? (uint64_t)1 << x : 0);
    sort_by_links(t);
    for (unsigned any = 1; any < 1u << rank && t->candidates > 0; any++) {
      t->family =
          (gate_family){ .array = x, .time = -1, .lag = 1, .cut = { -1, 0, 0 }, .twice = { -1, 0, 0 }, .partner = -1 };
      for (int r = 0; r < rank; r++)
        t->family.role[r] = any >> r & 1 ? GATE_ANY : GATE_KEY;
      s->derived = 0;
      try_gate(t);
    }
  }
}
