/* turns.c -- gates at which paths wait and that count by turns: at every second time, third time, ... those of one
   rest, so that paths of several families may share elements, at times of other rests. */
#include "bounds/affine/gates/search.h"
#include <string.h>

enum { TURNS_KEPT = 12, TURNS_TRIED = 20000 };

typedef struct {
  gate_search *s;
  const candidates *c;
  int families;
  gate_family family[TURNS_KEPT];
  mpz_t gain[TURNS_KEPT];
  turn_set meets[TURNS_KEPT][TURNS_KEPT];
  /* what is tried for one lag, and the best of it */
  int lag, tries, n, best, of[GATE_FAMILIES], phase[GATE_FAMILIES], best_of[GATE_FAMILIES], best_phase[GATE_FAMILIES];
  mpz_t sum, most;
} turn_search;

/* ---- one family ---- */

/* Has x, an element of `array`, a gate with its keys among its ancestors? */
static bool some_before(gate_search *s, const gate_family *k, const gate_keys *keys, int array, const int64_t *x)
{
  const normal_form *f = &s->g->f->form;
  const polyhedra *above = reach_from(&s->g->reach, array, k->array);
  int rank = f->array[array].rank, gate_rank = f->array[k->array].rank;
  int64_t at[CDAG_RANK];
  linear value[2 * CDAG_RANK];
  gates_gate_at(s, k, keys, x, 0, at);
  for (int r = 0; r < rank; r++)
    value[r] = linear_constant(x[r]);
  for (int r = 0; r < gate_rank; r++)
    value[rank + r] = k->role[r] == GATE_ANY ? linear_variable(r) : linear_constant(at[r]);
  for (int i = 0; i < above->n; i++) {
    SCOPED_ARENA memory = { 0 };
    polyhedron *p = polyhedron_new(&memory, gate_rank);
    polyhedron_include(&memory, p, above->item[i], value, rank + gate_rank);
    bool none = polyhedron_empty(p);
    if (!none)
      return true;
  }
  return false;
}

/* Is y, an element of `array`, before all elements of the gate of x? */
static bool before_all(gate_search *s, const gate_family *k, const gate_keys *keys, const int64_t *x, int array,
                       const int64_t *y)
{
  const samples *some = gates_elements(s, k->array);
  bool any = gates_any_index(s, k);
  int there = 0;
  for (int i = 0; i < (any ? some->n : 1); i++) {
    int64_t gate[CDAG_RANK];
    gates_gate_at(s, k, keys, x, 0, gate);
    for (int r = 0; r < s->g->f->form.array[k->array].rank; r++)
      if (k->role[r] == GATE_ANY)
        gate[r] = some->at[i][r];
    if (!gates_in_domain(s, k->array, gate))
      continue;
    there++;
    if (!reach_has(&s->g->reach, k->array, gate, array, y))
      return false;
  }
  return there > 0;
}

/* Most samples have such a path. */
static bool path_likely(gate_search *s, const gate_family *k, const wait_candidate *w, const gate_keys *keys)
{
  int there = 0, good = 0, begins = s->g->f->form.access[w->wait.link[w->wait.links - 1]]->to;
  for (int i = 0; i < w->z.n && 2 * (good + w->z.n - i) > there + w->z.n - i; i++) {
    int64_t y[CDAG_RANK];
    memcpy(y, w->z.at[i], sizeof y);
    if (!gates_follow(s, w->wait.link, w->wait.links, y))
      continue;
    there++;
    good += before_all(s, k, keys, w->z.at[i], begins, y) && some_before(s, k, keys, w->wait.array, w->z.at[i]);
  }
  return there > 0 && 2 * good > there;
}

/* One path at this gate: kept when it is worth something at every time, and no other one has its links. */
static bool keep_turn(turn_search *t, const gate_family *k, const wait_candidate *w, const gate_keys *keys)
{
  gate_search *s = t->s;
  gates_claim c = s->words;
  gate_family *f = &c.family[0];
  mpz_t value;
  c.families = 1;
  *f = *k;
  f->waits = 1;
  f->wait[0] = w->wait;
  f->wait[0].keys = *keys;
  mpz_init(value);
  bool good = gates_worth(s, &c, value) && gates_family_value(s->g, &c, 0, s->m, value) && mpz_sgn(value) > 0;
  if (good) {
    t->family[t->families] = *f;
    mpz_set(t->gain[t->families++], value);
  }
  mpz_clear(value);
  return good;
}

static bool known_path(const turn_search *t, const gate_wait *w)
{
  for (int i = 0; i < t->families; i++) {
    const gate_wait *x = t->family[i].wait;
    size_t bytes = (size_t)x->links * sizeof *x->link;
    if (x->array == w->array && x->links <= w->links && memcmp(x->link, w->link, bytes) == 0)
      return true;
  }
  return false;
}

/* What waits at this gate; of a path that waits longer ones say no more. */
static void try_turn(turn_search *t, const gate_family *k)
{
  gate_search *s = t->s;
  for (int i = 0; i < t->c->waits; i++) {
    const wait_candidate *w = &t->c->wait[i];
    gate_keys keys = { .loop = { 0 } };
    if (known_path(t, &w->wait))
      continue;
    for (int n = 0; n < 3 * s->g->f->form.array[w->wait.array].rank && t->families < TURNS_KEPT; n++) {
      keys.loop[k->time] = n / 3;
      keys.offset[k->time] = n % 3 - 1;
      if (path_likely(s, k, w, &keys) && keep_turn(t, k, w, &keys))
        break;
    }
  }
}

/* Each index but the time may be anything, or is its least or greatest value. */
static void each_turn(turn_search *t, gate_family *k, int r)
{
  if (r == t->s->g->f->form.array[k->array].rank) {
    try_turn(t, k);
    return;
  }
  const struct box *b = gates_box_of(t->s, k->array);
  if (r == k->time) {
    each_turn(t, k, r + 1);
    return;
  }
  for (int way = 0; way < (b->lo[r] < b->hi[r] ? 3 : 2); way++) {
    k->role[r] = way == 0 ? GATE_ANY : GATE_AT;
    k->at[r] = way == 0 ? 0 : way == 1 ? b->lo[r] : b->hi[r];
    each_turn(t, k, r + 1);
  }
  k->at[r] = 0;
}

/* ---- families together ---- */

/* May family k, this phase, count beside those that are chosen? */
static bool fits(const turn_search *t, int k, int phase)
{
  for (int i = 0; i <= t->n; i++) {
    int other = i < t->n ? t->of[i] : k, its = i < t->n ? t->phase[i] : phase;
    if (i < t->n && other == k && its == phase)
      return false;
    /* they meet at times d apart, and count together at those (phase - its) + a multiple of the lag apart */
    for (int d = -GATE_LAG; d <= GATE_LAG; d++)
      if (t->meets[k][other] >> (d + GATE_LAG) & 1 && (d - (phase - its)) % t->lag == 0)
        return false;
  }
  return true;
}

/* Families from number `at` on, a number being a family and a phase. */
static void choose(turn_search *t, int at)
{
  if (mpz_cmp(t->sum, t->most) > 0) {
    mpz_set(t->most, t->sum);
    t->best = t->n;
    memcpy(t->best_of, t->of, sizeof t->of);
    memcpy(t->best_phase, t->phase, sizeof t->phase);
  }
  for (; at < t->families * t->lag && t->n < GATE_FAMILIES && t->tries < TURNS_TRIED; at++) {
    int k = at / t->lag, phase = at % t->lag;
    t->tries++;
    if ((t->n == 0 && phase > 0) || !fits(t, k, phase))
      continue;
    t->of[t->n] = k;
    t->phase[t->n++] = phase;
    mpz_add(t->sum, t->sum, t->gain[k]);
    choose(t, at + 1);
    mpz_sub(t->sum, t->sum, t->gain[k]);
    t->n--;
  }
}

static void try_lag(turn_search *t, int lag)
{
  gate_search *s = t->s;
  gates_claim c = s->words;
  t->lag = lag;
  t->tries = t->n = t->best = 0;
  mpz_set_ui(t->sum, 0);
  mpz_set_ui(t->most, 0);
  choose(t, 0);
  mpz_cdiv_q_ui(t->most, t->most, (unsigned long)lag);
  mpz_add(t->most, t->most, s->g->f->inputs);
  mpz_add(t->most, t->most, s->g->f->outputs);
  if (mpz_cmp(t->most, s->best[1].value) <= 0)
    return;
  for (int i = 0; i < t->best; i++) {
    c.family[i] = t->family[t->best_of[i]];
    c.family[i].lag = lag;
    c.family[i].phase = t->best_phase[i];
  }
  c.families = t->best;
  gates_consider(s, &c, t->most);
}

/* ---- words used from gate to gate ---- */

/* Where the paths of the one family end those of the other begin: *later, so much later its gate stands. */
static bool continues(const turn_search *t, int k, int next, int64_t *later)
{
  const normal_form *f = &t->s->g->f->form;
  const gate_family *a = &t->family[k], *b = &t->family[next];
  const gate_wait *w = b->wait;
  int time = a->wait[0].keys.loop[a->time], rank = f->array[w->array].rank, array = w->array;
  linear at[CDAG_RANK], moved[CDAG_RANK];
  linear_variables(at, rank, 0);
  for (int l = 0; l < w->links; l++) { /* the indices of the path's first element, by those of its last */
    const access *x = f->access[w->link[l]];
    for (int r = 0; r < f->array[x->to].rank; r++)
      if (!linear_substitute(&x->index[r], at, f->array[array].rank, 0, &moved[r]))
        return false;
    array = x->to;
    memcpy(at, moved, sizeof at);
  }
  linear gate = linear_variable(w->keys.loop[b->time]);
  if (array != a->wait[0].array || !linear_add(&at[time], &gate, -1) || !linear_is_constant(&at[time]))
    return false;
  *later = w->keys.offset[b->time] - at[time].base - a->wait[0].keys.offset[a->time];
  return true;
}

/* The family with the shortest such paths; -1: there is none. */
static int shortest_after(const turn_search *t, int k, int64_t *later)
{
  int best = -1;
  for (int i = 0; i < t->families; i++) {
    int64_t its;
    if ((best >= 0 && t->family[i].wait[0].links >= t->family[best].wait[0].links) || !continues(t, k, i, &its))
      continue;
    best = i;
    *later = its;
  }
  return best;
}

/* From gate to gate, each path beginning where the one before ends, until a gate comes again: what the paths end in
   uses words between. */
static void try_round(turn_search *t, int first)
{
  gate_search *s = t->s;
  gates_claim c = s->words;
  int64_t phase = 0, later = 0;
  int k = first, next;
  mpz_t value;
  do {
    gate_family *f = &c.family[c.families];
    *f = t->family[k];
    f->uses = 1;
    f->use[0] = (gate_use){ .array = f->wait[0].array, .access = -1, .keys = f->wait[0].keys };
    f->waits = 0;
    f->phase = (int)phase;
    f->alternates = c.families++ > 0;
    next = shortest_after(t, k, &later);
    if (next < 0 || later < 0 || (phase += later) > GATE_LAG)
      return;
    k = next;
  } while (k != first && c.families < GATE_FAMILIES);
  if (k != first || phase < 1)
    return;
  for (int i = 0; i < c.families; i++)
    c.family[i].lag = (int)phase;
  mpz_init(value);
  gates_consider(s, &c, value);
  mpz_clear(value);
}

/* Does an own predecessor of own predecessors lead back to an array, by way of another? */
static bool has_circle(const gate_search *s)
{
  const normal_form *f = &s->g->f->form;
  uint64_t circle = 0;
  for (int x = 0; x < f->arrays && x < 64; x++) {
    uint64_t seen = 0, from = (uint64_t)1 << x;
    for (int round = 0; round < s->words.owns; round++, from = seen)
      for (int i = 0; i < s->words.owns; i++) {
        const access *a = f->access[s->words.own[i]];
        if (a->to != a->from && a->to < 64 && a->from < 64 && from >> a->from & 1)
          seen |= (uint64_t)1 << a->to;
      }
    circle |= seen & (uint64_t)1 << x;
  }
  return circle != 0;
}

void gates_find_turns(gate_search *s, const candidates *c)
{
  const normal_form *f = &s->g->f->form;
  if (c->waits == 0 || !has_circle(s))
    return;
  turn_search *t = ARENA_NEW(&s->g->f->memory, turn_search, 1);
  t->s = s;
  t->c = c;
  s->derived = 0;
  mpz_inits(t->sum, t->most, NULL);
  for (int i = 0; i < TURNS_KEPT; i++)
    mpz_init(t->gain[i]);
  for (int x = 0; x < f->arrays; x++)
    for (int time = 0; time < f->array[x].rank; time++) {
      gate_family k = { .array = x, .time = time, .lag = GATE_LAG, .partner = -1 };
      if (f->array[x].computed.n == 0 || f->array[x].live.n == 0 || f->array[x].rank > GATE_RANK)
        continue;
      k.role[k.time] = GATE_KEY;
      k.cut.key = k.twice.key = -1;
      each_turn(t, &k, 0);
    }
  for (int a = 0; a < t->families; a++)
    for (int b = 0; b < t->families; b++)
      if (!gates_wait_meets(s->g, &t->family[a], &t->family[b], &t->meets[a][b]))
        t->meets[a][b] = UINT32_MAX;
  for (int lag = 2; lag <= GATE_LAG; lag++)
    try_lag(t, lag);
  for (int k = 0; k < t->families; k++)
    try_round(t, k);
  for (int i = 0; i < TURNS_KEPT; i++)
    mpz_clear(t->gain[i]);
  mpz_clears(t->sum, t->most, NULL);
}
