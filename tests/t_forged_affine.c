/* Claims on affine computations drawn at random, not found by a prover: words, needs, columns, powers, ways, gates and
   keys, for tiny texts that are drawn at random, too.  Each claim that the checker derives is given the cut that claims
   most, and is no more than a legal play moves, mostly one that is proved best.  FORGED_SAY=1 prints how many were
   derived; FORGED_FROM=SEED FORGED_MANY=N: a long run in pieces. */
#include "base/mem.h"
#include "base/scoped.h"
#include "bounds/check/affine/claim.h"
#include "bounds/check/affine/stored.h"
#include "bounds/check/gates/gates.h"
#include "pebble/optimal.h"
#include "tests/support_claims.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 26, MEMORIES = 2, CLAIMS = 60, CUT_MOST = 24 };

/* ---- what plays cost ---- */

enum { GAMES = 4 }; /* placing and sliding, with anything computed once, or again */
typedef struct {
  uint64_t m;
  uint64_t cost[GAMES]; /* UINT64_MAX: nothing is known */
} truth;

static truth truth_of(const cdag_graph *e, uint64_t more)
{
  truth is = { 0 };
  diag d = { 0 };
  for (int k = 0; k < GAMES; k++) {
    pebble_rules rules = { k & 1 ? PEBBLE_SLIDING : PEBBLE_PLACING, k < 2, is.m };
    if (k == 0)
      rules.m = is.m = pebble_least_memory(e, &rules) + more;
    pebble_optimal_limits limits = { .seconds = .08, .bytes = 50 << 20 };
    pebble_optimum o = { 0 };
    status st = pebble_optimal(e, &rules, &limits, &o, &d);
    is.cost[k] = (st == OK || st == GAVE_UP) && o.possible ? o.upper : UINT64_MAX;
    pebble_optimum_clear(&o);
  }
  return is;
}

static long derived[7], drawn[7], tight[7];
enum { AFFINE, AGAIN, STORED, GATES, WAITING, SIBLINGS, MIRRORED };
static const char *const kinds[] = { "affine-one-shot", "affine",   "affine-stored", "gates",
                                     "gates-one-shot",  "siblings", "mirrored" };

static void hold(const truth *is, const mpz_t value, bool once, int kind, int seed, const text *t, const char *claim)
{
  for (int k = 0; k < GAMES; k++)
    if (k < 2 || !once) {
      ck_assert_msg(is->cost[k] == UINT64_MAX || mpz_cmp_ui(value, is->cost[k]) <= 0,
                    "seed %d, M=%" PRIu64 ": %s says %ld, and a play costs %" PRIu64 " (sliding %d, one-shot %d)\n%s%s",
                    seed, is->m, kinds[kind], mpz_get_si(value), is->cost[k], k & 1, k < 2, text_str(t), claim);
      tight[kind] += k == 0 && mpz_cmp_ui(value, is->cost[k]) == 0;
    }
}
/* ---- affine claims ---- */

/* The cut that gives most events. */
static void best_cut(const group_facts *g, claim_group *c, int64_t m)
{
  int64_t most = -1;
  SCOPED_MPZ x, first, each, left;
  mpz_inits(x, first, each, left, NULL);
  c->segments = 1, c->first = 0, c->length = 0;
  for (int64_t f = 0; f <= CUT_MOST; f++) {
    mpz_set_si(x, f);
    group_most(g, x, first);
    mpz_sub(left, g->work, first);
    mpz_sub_ui(left, left, 1);
    for (int64_t l = 1; l <= CUT_MOST && mpz_sgn(left) >= 0; l++) {
      mpz_set_si(x, l + m);
      group_most(g, x, each);
      int64_t n = mpz_sgn(each) > 0 ? 0 : 100;
      if (mpz_sgn(each) > 0) {
        mpz_fdiv_q(x, left, each);
        n = mpz_cmp_ui(x, 100) < 0 ? mpz_get_si(x) : 100;
      }
      if (n * l + f > most)
        most = n * l + f, c->segments = n + 1, c->first = f, c->length = l;
    }
  }
}

static void try_stored(support_random *r, affine_facts *f, const affine_claim *c, const truth *is, int memories,
                       int seed, const text *t, const char *claim)
{
  stored_facts s;
  text reason = { 0 };
  mpz_t value;
  mpz_init(value);
  stored_facts_init(&s);
  int64_t degree = support_between(r, 1, 3);
  drawn[STORED]++;
  if (stored_derive(f, c, degree, &s, &reason)) {
    derived[STORED]++;
    for (int k = 0; k < 60; k++) {
      stored_claim of = { .starts = support_between(r, 1, 5), .degree = degree, .length = support_between(r, 1, 24) };
      of.ends = support_between(r, 0, of.starts);
      for (int q = 0; q < memories; q++)
        if (stored_value(&s, &of, affine_pebbles(f, (int64_t)is[q].m), value, &reason))
          hold(&is[q], value, true, STORED, seed, t, claim);
    }
  }
  stored_facts_clear(&s);
  mpz_clear(value);
  text_clear(&reason);
}

static void try_affine(support_random *r, affine_facts *f, const truth *is, int memories, int seed, const text *t)
{
  affine_claim c;
  text reason = { 0 };
  json j = { 0 };
  mpz_t value;
  if (f->form.accesses == 0)
    return;
  mpz_init(value);
  claims_affine(r, f, &c);
  json_open(&j, '{');
  affine_claim_write(&c, &j);
  json_close(&j, '}');
  drawn[AFFINE]++;
  if (affine_derive(f, &c, &reason)) {
    derived[f->operands ? AFFINE : AGAIN]++;
    derived[SIBLINGS] += c.group[0].statements > 1 && !c.group[0].together;
    derived[MIRRORED] += f->group[0].mirrored;
    for (int q = 0; q < memories; q++) {
      int64_t m = affine_pebbles(f, (int64_t)is[q].m);
      for (int g = 0; g < c.groups; g++)
        best_cut(&f->group[g], &c.group[g], m);
      if (affine_value(f, &c, m, value, &reason))
        hold(&is[q], value, f->operands, f->operands ? AFFINE : AGAIN, seed, t, text_str(&j.out));
    }
  }
  if (c.reading != READ_FUSED && c.groups == 1 && c.group[0].statements == 1 && c.group[0].statement[0].items == 3)
    try_stored(r, f, &c, is, memories, seed, t, text_str(&j.out));
  json_clear(&j);
  text_clear(&reason);
  mpz_clear(value);
}
/* ---- gates ---- */

static void random_keys(support_random *r, int rank, const gate_family *of, int of_rank, gate_keys *k)
{
  for (int q = 0; q < of_rank; q++) {
    k->loop[q] = claims_chance(r, 80) && q < rank ? q : (int)support_between(r, 0, rank - 1);
    k->offset[q] = of->role[q] == GATE_KEY && claims_chance(r, 20) ? support_between(r, -1, 1) : 0;
  }
}

static void random_wait(support_random *r, const affine_facts *f, gate_family *of, int of_rank, gate_wait *w)
{
  const access *a = f->form.access[support_between(r, 0, f->form.accesses - 1)];
  int at = w->array = a->from;
  do {
    int link = -1;
    for (int tries = 0; tries < 12 && link < 0; tries++) {
      int k = (int)support_between(r, 0, f->form.accesses - 1);
      link = f->form.access[k]->from == at && (words_is_own(&f->words, k) || claims_chance(r, 10)) ? k : -1;
    }
    if (link < 0)
      break;
    w->link[w->links++] = link;
    at = f->form.access[link]->to;
  } while (w->links < 3 && claims_chance(r, 30));
  if (w->links == 0)
    w->link[w->links++] = 0;
  random_keys(r, f->form.array[w->array].rank, of, of_rank, &w->keys);
}

static void random_use(support_random *r, const affine_facts *f, gate_family *of, int of_rank, gate_use *u)
{
  int k = (int)support_between(r, 0, f->form.accesses - 1);
  u->array = f->form.access[k]->from;
  u->access = words_is_own(&f->words, k) && claims_chance(r, 90) ? -1 : k;
  for (int tries = 0; tries < 6 && u->via == 0 && u->access >= 0 && claims_chance(r, 40); tries++) {
    int by = (int)support_between(r, 0, f->form.accesses - 1);
    u->via = f->form.access[by]->from == f->form.access[k]->to || claims_chance(r, 5) ? by + 1 : 0;
  }
  random_keys(r, f->form.array[u->array].rank, of, of_rank, &u->keys);
}

static void random_family(support_random *r, const affine_facts *f, gates_claim *c, gate_family *k)
{
  const gate_family *before = c->families ? &c->family[c->families - 1] : NULL;
  k->array = f->form.access[support_between(r, 0, f->form.accesses - 1)]->from;
  int rank = f->form.array[k->array].rank, keys[CDAG_RANK], n = 0;
  k->time = k->partner = -1;
  k->lag = before ? before->lag : claims_chance(r, 8) ? 2 : 1;
  for (int q = 0; q < rank; q++) {
    k->role[q] = claims_chance(r, 50) ? GATE_KEY : claims_chance(r, 50) ? GATE_AT : GATE_ANY;
    if (k->role[q] == GATE_KEY)
      keys[n++] = q;
    k->at[q] = k->role[q] == GATE_AT ? support_between(r, 0, 2) : 0;
  }
  for (int q = 0; q < rank && n; q++)
    if (k->role[q] == GATE_AT && claims_chance(r, 50)) {
      k->along[q] = (1 + keys[support_between(r, 0, n - 1)]) * (claims_chance(r, 75) ? 1 : -1);
      k->at[q] = support_between(r, -1, k->along[q] < 0 ? 2 : 1);
    }
  if (n && claims_chance(r, 60))
    k->time = keys[support_between(r, 0, n - 1)];
  if (k->time < 0)
    k->lag = 1;
  k->back = claims_chance(r, 10);
  k->phase = claims_chance(r, 8);
  if (before && claims_chance(r, 70)) {
    k->back = before->back;
    k->time = before->time < 0 ? -1 : k->time < 0 && n ? keys[0] : k->time;
    k->alternates = gates_same_keys(before, k);
  }
  k->cut = k->twice = (gate_cut){ .key = -1, .lo = 0, .hi = 9 };
  if (n && claims_chance(r, 25))
    k->cut = (gate_cut){ keys[0], support_between(r, 0, 1), support_between(r, 1, 3) };
  k->twice = claims_chance(r, 70) ? k->cut : (gate_cut){ -1, 0, claims_chance(r, 50) ? 9 : -1 };
  if (claims_chance(r, 10)) {
    k->time = -1, k->lag = 1, k->alternates = false;
    k->fork.paths = (int)support_between(r, 1, FORK_PATHS);
    for (int i = 0; i < k->fork.paths; i++)
      for (int side = 0; side < 2; side++) {
        gate_wait w = { 0 };
        random_wait(r, f, k, rank, &w);
        k->fork.side[side][i].links = w.links;
        memcpy(k->fork.side[side][i].link, w.link, sizeof w.link);
        k->fork.input[i] = claims_chance(r, 50);
      }
    return;
  }
  for (int wanted = (int)support_between(r, 0, 2); k->uses < wanted; k->uses++)
    random_use(r, f, k, rank, &k->use[k->uses]);
  for (int wanted = (int)support_between(r, k->uses == 0, 2); k->waits < wanted; k->waits++)
    random_wait(r, f, k, rank, &k->wait[k->waits]);
  if (k->waits == 1 && claims_chance(r, 20)) {
    k->chained = 1 + (int)support_between(r, 0, f->form.accesses - 1);
    for (int wanted = (int)support_between(r, 0, 1); k->rows < wanted; k->rows++)
      random_use(r, f, k, rank, &k->row[k->rows]);
    for (int q = 0; q < CDAG_RANK; q++)
      k->row[0].keys.loop[q] %= f->form.array[k->wait[0].array].rank;
  }
  if (k->uses == 1 && claims_chance(r, 8)) {
    k->partner = (int)support_between(r, 0, f->form.accesses - 1);
    k->segments = support_between(r, 1, 4), k->first = support_between(r, 0, 6), k->length = support_between(r, 1, 8);
  }
}

static void try_gates(support_random *r, affine_facts *f, const truth *is, int memories, int seed, const text *t)
{
  affine_claim like = { .reading = f->reading };
  gates_claim c = { .reading = f->reading };
  gates_facts g;
  text reason = { 0 };
  json j = { 0 };
  mpz_t value;
  if (f->form.accesses == 0)
    return;
  mpz_init(value);
  claims_words(r, f, &like);
  if (like.owns == 0 || !affine_words(f, &like, &reason))
    goto done;
  memcpy(c.own, like.own, sizeof c.own);
  c.owns = like.owns;
  for (int wanted = claims_chance(r, 60) ? 1 : (int)support_between(r, 2, 3); c.families < wanted; c.families++)
    random_family(r, f, &c, &c.family[c.families]);
  if (claims_chance(r, 12)) {
    c.cells.least = support_between(r, 1, 2);
    c.cells.cap = c.cells.least + support_between(r, 0, 2);
    for (int q = 0; q < 3; q++)
      c.cells.lo[q] = q < 2 ? claims_chance(r, 25) : support_between(r, -1, 1),
      c.cells.hi[q] = q < 2 ? 0 : support_between(r, 1, 3);
    c.cells.chained = claims_chance(r, 50), c.cells.once = claims_chance(r, 50), c.cells.ordered = c.families > 1;
    c.family[0].segments = support_between(r, 1, 5), c.family[0].first = support_between(r, 0, 6);
    c.family[0].length = support_between(r, 1, 8);
  }
  json_open(&j, '{');
  gates_claim_write(&c, &j);
  json_close(&j, '}');
  gates_facts_init(&g, f);
  int kind = gates_once(&c) ? WAITING : GATES;
  drawn[kind]++;
  if (gates_derive(&g, &c, &reason)) {
    derived[kind]++;
    for (int q = 0; q < memories; q++)
      if (gates_value(&g, &c, (int64_t)is[q].m, value, &reason))
        hold(&is[q], value, gates_once(&c), kind, seed, t, text_str(&j.out));
  }
  gates_facts_clear(&g);
done:
  json_clear(&j);
  text_clear(&reason);
  mpz_clear(value);
}
/* ---- a text and its claims ---- */

START_TEST(random_claims)
{
  support_random r = { (uint64_t)_i + 1 };
  text t = { 0 };
  cdag_graph e = { 0 };
  diag d = { 0 };
  truth is[MEMORIES];
  cdag *g = claims_text(&r, false, &t);
  if (!g) {
    text_clear(&t);
    return;
  }
  ck_assert_int_eq(cdag_materialise(g, MOST, &e, &d), OK);
  for (int q = 0; q < MEMORIES; q++)
    is[q] = truth_of(&e, (uint64_t)(q + (q && claims_chance(&r, 50))));
  for (int reading = 0; reading < READ_ENDS; reading++) {
    affine_facts f;
    if (!affine_facts_init(&f, g, (affine_reading)reading))
      continue;
    for (int k = 0; k < (reading ? CLAIMS / 4 : CLAIMS); k++)
      if (claims_chance(&r, 60) || reading > READ_MERGED)
        try_affine(&r, &f, is, MEMORIES, _i, &t);
      else
        try_gates(&r, &f, is, MEMORIES, _i, &t);
    affine_facts_clear(&f);
  }
  cdag_graph_clear(&e);
  cdag_free(g);
  text_clear(&t);
}
END_TEST
static void say(void)
{
  for (int k = 0; k < COUNT(kinds); k++)
    printf("%-16s drawn %7ld derived %7ld as much as the optimum %7ld\n", kinds[k], drawn[k], derived[k], tight[k]);
}

static int number_in(const char *variable, int otherwise)
{
  const char *digits = getenv(variable);
  return digits ? atoi(digits) : otherwise;
}

int main(void)
{
  Suite *s = suite_create("forged_affine");
  TCase *c = support_case(s, "claims");
  int first = number_in("FORGED_FROM", 0), many = number_in("FORGED_MANY", 0);
  tcase_set_timeout(c, 0);
  tcase_add_loop_test(c, random_claims, first, first + (many ? many : support_rounds(14)));
  if (getenv("FORGED_SAY"))
    atexit(say);
  return support_run(s);
}
