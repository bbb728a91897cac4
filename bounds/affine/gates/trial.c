/* trial.c -- one gate: its keys, its uses, and what waits. */
#include "bounds/affine/gates/search.h"
#include "base/scoped.h"
#include <stdlib.h>
#include <string.h>

/* Most samples lie after their gate, the inputs of their words and the gate before them, and all these before the next.
 */
static bool uses_likely(gate_search *s, const gates_claim *c, int at, const use_candidate *u, const gate_keys *keys)
{
  const gate_family *k = &c->family[at], *next = &c->family[at + 1 < c->families ? at + 1 : 0];
  gate_keys next_keys = gates_keys_for(k, keys, next);
  int after = 0, array = u->use.array;
  bool any = gates_any_index(s, k);
  const samples *gates = any ? gates_elements(s, k->array) : NULL;
  for (int i = 0; i < u->b.n && 2 * (after + u->b.n - i) > u->b.n; i++) {
    int64_t gate[CDAG_RANK];
    if (!any)
      gates_gate_at(s, k, keys, u->b.at[i], 0, gate);
    for (int n = 0; n < (any ? gates->n : 1) && u->root[i] >= 0; n++)
      if (!reach_has(&s->g->reach, k->array, any ? gates->at[n] : gate, u->root[i], u->root_at[i]))
        goto next;
    if (!any && !reach_has(&s->g->reach, array, u->b.at[i], k->array, gate))
      goto next;
    if (k->time >= 0 || at + 1 < c->families) {
      gates_gate_at(s, next, &next_keys, u->b.at[i], at + 1 == c->families ? k->lag : 0, gate);
      if (gates_in_domain(s, next->array, gate) && !reach_has(&s->g->reach, next->array, gate, array, u->b.at[i])) {
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

static gate_family *family_of(gate_trial *t) { return &t->claim.family[t->at]; }

static double key_extents(const key_search *k)
{
  const gate_family *f = family_of(k->t);
  const struct box *b = gates_box_of(k->t->s, k->use ? k->use->use.array : k->wait->wait.array);
  double n = 1;
  for (int r = 0; r < k->t->s->g->f->form.array[f->array].rank; r++)
    if (f->role[r] == GATE_KEY && (k->wait || r != f->time))
      n *= (double)b->hi[k->keys.loop[r]] - (double)b->lo[k->keys.loop[r]] + 1;
  return n;
}

static bool same_gate(const gate_family *x, const gate_family *y)
{
  return x->array == y->array && x->time == y->time && x->back == y->back && x->lag == y->lag &&
         memcmp(x->role, y->role, sizeof x->role) == 0 && memcmp(x->at, y->at, sizeof x->at) == 0 &&
         memcmp(x->along, y->along, sizeof x->along) == 0;
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

void gates_keep_family(const gate_search *s, kept_families *l, const gate_family *f, const mpz_t value)
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

/* Alone its words are at most M; with uses of other components they may be more, so it is kept for try_together. */
static void keep_likely(key_search *k, double most)
{
  gate_trial *t = k->t;
  for (int i = 0; i < t->likely; i++)
    if (t->of[i].component == k->use->component)
      return;
  if (t->likely == GATE_USES)
    return;
  t->of[t->likely].use = k->use->use;
  t->of[t->likely].use.keys = k->keys;
  t->of[t->likely].component = k->use->component;
  t->of[t->likely++].words = most;
}

static void try_use(key_search *k)
{
  gate_search *s = k->t->s;
  gates_claim *c = &k->t->claim;
  gate_family *f = family_of(k->t);
  double most = k->use->words / key_extents(k), m = (double)s->m;
  bool many = 4 * most > m && f->uses < GATE_USES, some = 2 * GATE_USES * most > m;
  bool glass = c->families == 1 && f->uses == 0 && f->time >= 0 && f->lag == 1 && k->use->use.access < 0 &&
               2 * k->use->words > m - 1;
  if ((!many && !glass && !some) || !uses_likely(s, c, k->t->at, k->use, &k->keys))
    return;
  if (glass)
    gates_try_hourglass(k);
  keep_likely(k, most);
  if (!many)
    return;
  gates_claim before = *c;
  mpz_t value;
  mpz_init(value);
  f->use[f->uses] = k->use->use;
  f->use[f->uses++].keys = k->keys;
  bool good = gates_worth(s, c, value);
  if (good && c->families == 1)
    gates_keep_family(s, &s->alone, f, value);
  if (good && mpz_cmp(value, k->t->value) > 0) {
    mpz_set(k->t->value, value);
    k->t->has |= (uint64_t)1 << k->use->component;
    gates_keep_best(s, c, value);
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
  int there = 0, good = 0, begins = s->g->f->form.access[w->link[w->links - 1]]->to;
  if (gates_any_index(s, f))
    return false;
  for (int i = 0, n = k->wait->z.n; i < n && 2 * (good + n - i) > there + n - i; i++) {
    int64_t x[CDAG_RANK], gate[CDAG_RANK];
    memcpy(x, k->wait->z.at[i], sizeof x);
    if (!gates_follow(s, w->link, w->links, x))
      continue;
    there++;
    gates_gate_at(s, f, &k->keys, k->wait->z.at[i], 0, gate);
    good += reach_has(&s->g->reach, f->array, gate, begins, x) &&
            reach_has(&s->g->reach, w->array, k->wait->z.at[i], f->array, gate);
  }
  return there > 0 && 2 * good > there;
}

/* The reader's indices as loops of the path's end, each plus a constant, or as constants: `first` is the path's first
 * element in these, and the reader is that one, or (access b) reads it. */
static bool reader_keys(const normal_form *f, const linear *first, int array, const access *b, gate_keys *keys)
{
  for (int q = 0; q < f->array[array].rank; q++) {
    linear is = linear_constant(0);
    int loop = -1;
    bool found = !b;
    for (int r = 0; b && r < f->array[b->to].rank; r++) {
      linear own = linear_variable(q);
      own.base = b->index[r].base;
      if (!linear_equal(&own, &b->index[r]))
        continue;
      is = first[r];
      is.base -= own.base;
      found = true;
    }
    if (!b)
      is = first[q];
    for (int l = 0; l < CDAG_RANK; l++) {
      linear own = linear_variable(l);
      own.base = is.base;
      if (linear_equal(&own, &is))
        loop = l;
    }
    if (!found || (loop < 0 && !linear_is_constant(&is)))
      return false;
    keys->loop[q] = loop;
    keys->offset[q] = is.base;
  }
  return true;
}

/* The words of the reader u that go with more, the best so far. */
static void add_words_of(gate_search *s, gates_claim *c, gate_use u, mpz_t best)
{
  const normal_form *f = &s->g->f->form;
  gate_family *of = &c->family[0];
  SCOPED_TEXT reason = { 0 };
  SCOPED_MPZ value;
  mpz_init(value);
  for (u.access = 0; u.access < f->accesses && of->rows < GATE_ROWS; u.access++) {
    const access *a = f->access[u.access];
    if (a->from != u.array || !a->single || f->array[a->to].computed.n > 0)
      continue;
    of->row[of->rows++] = u;
    if (++s->derived <= DERIVED_MOST && gates_derive(s->g, c, &reason) &&
        gates_family_value(s->g, c, 0, s->m, value) && mpz_cmp(value, best) > 0)
      mpz_set(best, value);
    else
      of->rows--;
  }
}

/* Words of rows, inputs that an element of the path or a reader of it reads: those with which more counts. */
static void add_row_words(gate_search *s, gates_claim *c)
{
  const normal_form *f = &s->g->f->form;
  const gate_wait *w = &c->family[0].wait[0];
  linear at[CDAG_RANK], here[CDAG_RANK];
  SCOPED_TEXT reason = { 0 };
  SCOPED_MPZ best;
  mpz_init(best);
  linear_variables(at, CDAG_RANK, 0);
  bool good = gates_derive(s->g, c, &reason) && gates_family_value(s->g, c, 0, s->m, best);
  for (int l = 0; l < w->links && good; l++) {
    const access *a = f->access[w->link[l]];
    memcpy(here, at, sizeof here);
    for (int r = 0; r < f->array[a->to].rank && good; r++)
      good = linear_substitute(&a->index[r], here, f->array[a->from].rank, 0, &at[r]);
    for (int b = -1; b < f->accesses && good; b++) {
      const access *by = b < 0 ? NULL : f->access[b];
      gate_use u = { .array = by ? by->from : a->to };
      if ((!by || (by->to == a->to && by->single && by->from != w->array)) &&
          reader_keys(f, at, u.array, by, &u.keys))
        add_words_of(s, c, u, best);
    }
  }
}

/* What waits, by the chains that it ends in, and with words of their rows. */
static void try_chains(gate_search *s, const gate_family *f)
{
  mpz_t value;
  mpz_init(value);
  for (int i = 0; i < s->g->f->form.accesses; i++) {
    const access *a = s->g->f->form.access[i];
    gates_claim c = s->words;
    if (f->waits != 1 || f->uses > 0 || a->from != f->wait[0].array || a->to != a->from || !a->single)
      continue;
    c.families = 1;
    c.family[0] = *f;
    c.family[0].chained = i + 1;
    c.family[0].cut = c.family[0].twice = (gate_cut){ -1, 0, 0 };
    gates_consider(s, &c, value);
    c.family[0].cut = c.family[0].twice = (gate_cut){ -1, 0, 0 };
    add_row_words(s, &c);
    if (c.family[0].rows > 0)
      gates_consider(s, &c, value);
  }
  mpz_clear(value);
}

static void try_wait(key_search *k)
{
  gate_search *s = k->t->s;
  if (k->t->claim.family[0].waits == GATE_WAITS || 4 * k->wait->paths <= key_extents(k) * (double)s->m ||
      !waits_likely(k))
    return;
  gates_claim c = k->t->claim;
  gate_family *f = &c.family[0];
  mpz_t value;
  mpz_init(value);
  f->wait[f->waits] = k->wait->wait;
  f->wait[f->waits++].keys = k->keys;
  if (gates_worth(s, &c, value)) {
    if (f->uses == 0 && f->waits == 1) {
      gates_keep_family(s, &s->waits, f, value);
      try_chains(s, f);
    }
    if (gates_keep_best(s, &c, value))
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

/* The likely uses, which bring nothing alone, are counted together at one gate: all of them, or those that can be. */
static void try_together(gate_trial *t)
{
  gate_family *f = family_of(t);
  double all = 0;
  int more = 0;
  for (int i = 0; i < t->likely; i++) {
    all += t->of[i].words;
    more += !(t->has >> t->of[i].component & 1);
  }
  if (more == 0 || t->likely < 2 || all <= (double)t->s->m)
    return;
  gates_claim best = t->claim;
  uint64_t has = t->has, best_has = t->has;
  mpz_t value;
  mpz_init(value);
  for (int i = 0; i < t->likely && f->uses < GATE_USES; i++) {
    if (t->has >> t->of[i].component & 1)
      continue;
    f->use[f->uses++] = t->of[i].use;
    if (!gates_worth(t->s, &t->claim, value)) {
      f->uses--;
      continue;
    }
    has |= (uint64_t)1 << t->of[i].component;
    if (mpz_cmp(value, t->value) <= 0)
      continue;
    mpz_set(t->value, value);
    best = t->claim;
    best_has = has;
    gates_keep_best(t->s, &t->claim, value);
    if (t->claim.families == 1)
      gates_keep_family(t->s, &t->s->alone, f, value);
  }
  t->claim = best;
  t->has = best_has;
  mpz_clear(value);
}

void gates_try_uses(gate_trial *t)
{
  t->likely = 0;
  for (int i = 0; i < t->c->uses; i++) {
    const use_candidate *u = &t->c->use[i];
    if (t->has >> u->component & 1)
      continue; /* words of one kind once */
    key_search k = { .t = t, .rank = t->s->g->f->form.array[u->use.array].rank, .told = u->told, .use = u };
    each_key(&k, 0, 0);
  }
  try_together(t);
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
    bool along = false; /* fixed beside another key than the time */
    for (int r = 0; r < rank; r++)
      along = along || (like->along[r] && abs(like->along[r]) - 1 != time);
    if (along)
      continue;
    gate_trial t = { .s = s, .c = c, .claim = s->words };
    t.claim.families = 1;
    t.claim.family[0] = *like;
    t.claim.family[0].time = time;
    t.claim.family[0].back = back;
    t.claim.family[0].cut.key = t.claim.family[0].twice.key = -1;
    mpz_init_set(t.value, s->best[0].value);
    gates_try_uses(&t);
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

void gates_wait_instead(gate_search *s, const candidates *c)
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

/* Do most elements of the array have one where that index goes along with that key, nearest to it or farthest? */
static bool goes_along(gate_search *s, gate_family *k, int r, int key, int sign, bool least)
{
  linear beside = linear_variable(r);
  int64_t lo, hi;
  const samples *x = gates_elements(s, k->array);
  int there = 0;
  beside.coef[key] = -sign;
  if (!polyhedra_span(&s->g->f->form.array[k->array].computed, &beside, &lo, &hi))
    return false;
  k->at[r] = least ? lo : hi;
  k->along[r] = sign * (key + 1);
  for (int i = 0; i < x->n; i++) {
    int64_t at[CDAG_RANK];
    memcpy(at, x->at[i], sizeof at);
    at[r] = k->at[r] + sign * at[key];
    there += gates_in_domain(s, k->array, at);
  }
  return 2 * there > x->n;
}

/* A gate one of whose fixed indices goes along with a key: the last one of each row of a triangle. */
static void along_keys(gate_search *s, const candidates *c, const gate_family *like)
{
  int rank = s->g->f->form.array[like->array].rank;
  for (int r = 0; r < rank; r++)
    for (int way = 0; way < 4 * rank; way++) {
      gate_family k = *like;
      if (k.role[r] == GATE_AT && k.role[way / 4] == GATE_KEY &&
          goes_along(s, &k, r, way / 4, way % 2 ? -1 : 1, way / 2 % 2))
        try_gate(s, c, &k);
    }
}

/* Each index a key, or its least or greatest value; or none is anything. */
static void each_gate(gate_search *s, const candidates *c, gate_family *k, int r, int keys)
{
  const array_form *x = &s->g->f->form.array[k->array];
  if (r == x->rank) {
    try_gate(s, c, k);
    bool least = k->lag == 1;
    for (int i = 0; i < x->rank; i++)
      least = least && (k->role[i] != GATE_AT || k->at[i] == gates_box_of(s, k->array)->lo[i]);
    if (least)
      along_keys(s, c, k);
    return;
  }
  int64_t lo = gates_box_of(s, k->array)->lo[r], hi = gates_box_of(s, k->array)->hi[r];
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

void gates_each_array(gate_search *s, const candidates *c, int lag)
{
  const normal_form *f = &s->g->f->form;
  for (int x = 0; x < f->arrays; x++) {
    gate_family k = { .array = x, .time = -1, .lag = lag, .cut = { -1, 0, 0 }, .partner = -1 };
    if (f->array[x].computed.n == 0 || f->array[x].rank > GATE_RANK || f->array[x].domain.n == 0)
      continue;
    try_gate(s, c, &k);
    each_gate(s, c, &k, 0, 0);
  }
}

/* The best family comes first; another is kept where the bound grows by it. */
void gates_join_alone(gate_search *s)
{
  bool taken[FAMILIES_KEPT] = { false };
  gates_claim c = s->words;
  mpz_t value, before;
  mpz_inits(value, before, NULL);
  s->derived = 0;
  for (int round = 0; round < s->alone.n && s->alone.n > 1 && c.families < GATE_FAMILIES; round++) {
    int best = -1;
    for (int i = 0; i < s->alone.n; i++)
      if (!taken[i] && (best < 0 || s->alone.item[i].gain > s->alone.item[best].gain))
        best = i;
    taken[best] = true;
    c.family[c.families++] = s->alone.item[best].family;
    if (gates_worth(s, &c, value) && mpz_cmp(value, before) > 0) {
      mpz_set(before, value);
      gates_keep_best(s, &c, value);
    } else
      c.families--;
  }
  mpz_clears(value, before, NULL);
}

void gates_join_families(gate_search *s)
{
  mpz_t value;
  mpz_init(value);
  for (int i = 0; i < s->waits.n; i++) {
    gates_claim c = s->best[1].claim;
    if (c.families == 0 || c.families == GATE_FAMILIES || c.owns != s->words.owns ||
        memcmp(c.own, s->words.own, sizeof c.own) != 0)
      break;
    c.family[c.families++] = s->waits.item[i].family;
    gates_consider(s, &c, value);
  }
  mpz_clear(value);
}
