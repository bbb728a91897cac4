/* Random computations near those that theorems speak of: no bound is more than a play, none more than the optimum of a
   small one, in every game; each certificate is accepted; and a claim with a number changed, or said of a text that was
   changed, is true if the checker accepts it. REDBLUE_FIRST: the first seed. With REDBLUE_TALLY=FILE lines say which
   theorem was best, and how many claims of each were held against plays. */
#include "base/mem.h"
#include "bounds/certificate.h"
#include "bounds/checker.h"
#include "pebble/optimal.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include "tests/support_near.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 26, LARGE = 5000, ORDERS = 12, CHANGES = 12, CHANGED_TEXTS = 40 };

static const pebble_rules games[] = {
  { PEBBLE_PLACING, false, 0 }, { PEBBLE_PLACING, true, 0 }, { PEBBLE_SLIDING, false, 0 },
  { PEBBLE_SLIDING, true, 0 },  { PEBBLE_PARTIAL, true, 0 },
};

/* Numbers of the claim changed one at a time: what the checker makes of it is no more than a play moves. */
static void changed(const bound_question *q, const bound *b, uint64_t cost, support_random *r, int seed,
                    const char *what)
{
  const char *theorem = b->name;
  mpz_t value;
  mpz_init(value);
  for (int k = (int)support_between(r, 0, 5), times = 0; times < CHANGES; k += (int)support_between(r, 1, 6), times++) {
    text t = { 0 }, reason = { 0 };
    json_value v;
    diag d = { 0 };
    if (bound_claim_alter(text_str(&b->parameters), k, &t) &&
        json_read(&v, text_str(&t), t.n, "claim", &d) == OK) {
      bound_claim c = { theorem, q->g, (int64_t)q->m, &v, 0 };
      const bound_checker *checker = bound_checker_find(theorem);
      bool holds = checker && checker->check(&c, value, &reason);
      ck_assert_msg(!holds || mpz_cmp_ui(value, cost) <= 0, "seed %d, M=%lu: %s of %s is %ld, and %lu are enough\n%s",
                    seed, (unsigned long)q->m, theorem, text_str(&t), mpz_get_si(value), (unsigned long)cost, what);
      json_value_clear(&v);
    }
    text_clear(&t);
    text_clear(&reason);
  }
  mpz_clear(value);
}

/* cost: of a play under these rules; changes: also of one that is legal in every game. */
static void hold(const cdag *g, const pebble_rules *rules, uint64_t cost, bool changes, support_random *r, int seed,
                 const char *what)
{
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = rules->m, .one_shot = rules->one_shot,
                       .variant = (int)rules->variant };
  bound_list list = { 0 };
  diag d = { 0 };
  int best;
  if (changes && support_between(r, 0, 3)) { /* those of descriptions alone, without much search */
    best = 0;
    for (int i = 0; bound_theorems[i] && strcmp(bound_theorems[i]->name, "wavefront") != 0; i++)
      ck_assert_msg(bound_theorems[i]->apply(&q, &list, &d) == OK, "seed %d: %s\n%s", seed, d.message, what);
    for (size_t i = 0; i < list.n; i++)
      best = mpz_cmp(list.item[i].value, list.item[best].value) > 0 ? (int)i : best;
  } else {
    ck_assert_msg(bound_all(&q, &list, &best, &d) == OK, "seed %d: %s\n%s", seed, d.message, what);
    ck_assert_int_ge(best, 0);
  }
  FILE *tally = getenv("REDBLUE_TALLY") ? fopen(getenv("REDBLUE_TALLY"), "a") : NULL;
  for (size_t i = 0; i < list.n; i++) {
    const bound *b = &list.item[i];
    if (b->trust != BOUND_PROVED && b->trust != BOUND_CERTIFIED)
      continue;
    if (!changes && !bound_holds_in(b, &q))
      continue;
    ck_assert_msg(mpz_cmp_ui(b->value, cost) <= 0,
                  "seed %d, M=%lu variant %d one-shot %d: %s gives %ld, and %lu are enough\n%s", seed,
                  (unsigned long)rules->m, (int)rules->variant, rules->one_shot, b->name, mpz_get_si(b->value),
                  (unsigned long)cost, what);
    if (bound_has_certificate(b))
      bound_certificate_stands(&q, b, what, NULL, 0);
    if (changes)
      changed(&q, b, cost, r, seed, what);
    if (tally && mpz_cmp(b->value, list.item[0].value) > 0)
      fprintf(tally, "%s%s %s\n", changes ? "" : "small ", b->name, i == (size_t)best ? "best" : "more");
  }
  if (tally) {
    fprintf(tally, changes ? "play\n" : "optimum\n");
    fclose(tally);
  }
  bound_list_clear(&list);
}

/* How many claims of each theorem held, and of how many. */
static struct { const char *theorem; long held, of; } claimed[32];

static void count_claim(const char *theorem, bool holds)
{
  int i = 0;
  while (claimed[i].theorem && strcmp(claimed[i].theorem, theorem) != 0)
    i++;
  claimed[i].theorem = theorem;
  claimed[i].held += holds;
  claimed[i].of++;
}

static void write_claims(void)
{
  const char *name = getenv("REDBLUE_TALLY");
  FILE *f = name ? fopen(name, "a") : NULL;
  for (int i = 0; f && claimed[i].theorem; i++)
    fprintf(f, "claims of %s: %ld hold of %ld\n", claimed[i].theorem, claimed[i].held, claimed[i].of);
  memset(claimed, 0, sizeof claimed);
  if (f)
    fclose(f);
}

static int first_seed(void)
{
  const char *first = getenv("REDBLUE_FIRST");
  return first ? atoi(first) : 0;
}

START_TEST(below_plays)
{
  int seed = first_seed() + _i;
  support_random r = { (uint64_t)seed * 2 + 1 };
  text t = { 0 };
  cdag *g = near_computation(&r, false, LARGE, &t);
  cdag_graph e = { 0 };
  diag d = { 0 };
  if (g && g->vertices > 0 && cdag_materialise(g, LARGE, &e, &d) == OK) {
    pebble_rules rules = { PEBBLE_PLACING, true, 0 };
    uint64_t least = pebble_least_memory(&e, &rules) + 1, most = e.n / 3;
    for (int times = 0; times < 2; times++) {
      rules.m = least + (uint64_t)support_between(&r, 0, times ? 4 + most / 4 : 8);
      hold(g, &rules, near_play(g, &e, rules.m, &r, ORDERS), true, &r, seed, text_str(&t));
    }
  }
  cdag_graph_clear(&e);
  cdag_free(g);
  text_clear(&t);
}
END_TEST

START_TEST(below_optima)
{
  int seed = first_seed() + _i;
  support_random r = { (uint64_t)seed * 2 };
  text t = { 0 };
  cdag *g = near_computation(&r, true, 400, &t);
  cdag_graph e = { 0 };
  diag d = { 0 };
  if (g && g->vertices > 0 && cdag_materialise(g, 400, &e, &d) == OK) {
    uint32_t used = 0;
    for (uint32_t v = 0; v < e.n; v++)
      used += !cdag_graph_is_input(&e, v) || !cdag_graph_is_sink(&e, v);
    for (int k = 0; k < COUNT(games) && used <= SMALL; k++) {
      pebble_rules rules = games[k];
      rules.m = pebble_least_memory(&e, &rules) + (uint64_t)support_between(&r, 0, 2);
      rules.m += rules.m == 0;
      pebble_optimal_limits limits = { .seconds = .1, .bytes = 50 << 20 };
      pebble_optimum o = { 0 };
      status st = pebble_optimal(&e, &rules, &limits, &o, &d);
      if (st != BAD_INPUT && o.possible)
        hold(g, &rules, o.upper, false, &r, seed, text_str(&t));
      pebble_optimum_clear(&o);
    }
  }
  cdag_graph_clear(&e);
  cdag_free(g);
  text_clear(&t);
}
END_TEST

/* ---- what holds of one said of others ---- */

/* What the claim gives, if the checker accepts it, is no more than a play moves. */
static void said_of(const cdag *g, int64_t m, const bound *b, const char *parameters, const uint64_t *cost, int seed,
                    const char *what)
{
  text reason = { 0 };
  json_value v;
  diag d = { 0 };
  mpz_t value;
  const bound_checker *checker = bound_checker_find(b->name);
  mpz_init(value);
  if (checker && json_read(&v, parameters, strlen(parameters), "claim", &d) == OK) {
    bound_claim c = { b->name, g, m, &v, 0 };
    bool holds = checker->check(&c, value, &reason);
    uint64_t most = cost[(checker->models & BOUND_RECOMPUTE) != 0];
    ck_assert_msg(!holds || mpz_cmp_ui(value, most) <= 0,
                  "seed %d, M=%lu: %s is %ld, and %lu are enough: %s\n%s", seed, (unsigned long)m, b->name,
                  mpz_get_si(value), (unsigned long)most, parameters, what);
    count_claim(b->name, holds);
    json_value_clear(&v);
  }
  mpz_clear(value);
  text_clear(&reason);
}

/* cost: what plays move in which nothing is computed twice, and others. */
static void said_of_all(const cdag *g, int64_t m, const bound_list *claims, support_random *r, int seed,
                        const char *what)
{
  cdag_graph e = { 0 };
  diag d = { 0 };
  pebble_rules rules = { PEBBLE_PLACING, true, (uint64_t)m };
  if (cdag_materialise(g, LARGE, &e, &d) == OK && pebble_least_memory(&e, &rules) <= rules.m) {
    uint64_t cost[2];
    cost[0] = cost[1] = near_play(g, &e, rules.m, r, ORDERS);
    if (e.n < 60) {
      pebble_optimal_limits limits = { .seconds = .01, .bytes = 50 << 20 };
      pebble_optimum o = { 0 };
      rules.one_shot = false;
      if (pebble_optimal(&e, &rules, &limits, &o, &d) <= GAVE_UP && o.possible)
        cost[1] = o.upper < cost[1] ? o.upper : cost[1];
      pebble_optimum_clear(&o);
    }
    for (size_t i = 0; i < claims->n; i++) {
      const char *parameters = text_str(&claims->item[i].parameters);
      said_of(g, m, &claims->item[i], parameters, cost, seed, what);
      for (int k = (int)support_between(r, 0, 60); k < 200; k += (int)support_between(r, 20, 100)) {
        text changed = { 0 };
        if (bound_claim_alter(parameters, k, &changed))
          said_of(g, m, &claims->item[i], text_str(&changed), cost, seed, what);
        text_clear(&changed);
      }
    }
  }
  cdag_graph_clear(&e);
}

START_TEST(said_of_others)
{
  int seed = first_seed() + _i;
  support_random r = { (uint64_t)seed * 2 + 1 };
  text t = { 0 }, assign = { 0 };
  cdag *g = NULL;
  cdag_graph e = { 0 };
  diag d = { 0 };
  pebble_rules rules = { PEBBLE_PLACING, true, 0 };
  for (int times = 0; times < 50 && !g; times++) {
    near_text(&r, (int)support_between(&r, 6, 16), &t, &assign);
    g = near_read(&t, text_str(&assign), 100, LARGE);
  }
  if (g && cdag_materialise(g, LARGE, &e, &d) == OK) {
    rules.m = pebble_least_memory(&e, &rules) + (uint64_t)support_between(&r, 0, 6);
    bound_question q = { .work = SEARCH_WORK, .g = g, .m = rules.m, .one_shot = true };
    bound_list claims = { 0 };
    for (int i = 0; bound_theorems[i] && strcmp(bound_theorems[i]->name, "wavefront") != 0; i++)
      ck_assert_int_eq(bound_theorems[i]->apply(&q, &claims, &d), OK);
    for (int times = 0; times < CHANGED_TEXTS; times++) {
      text other = { 0 }, sizes = { 0 };
      text_add(&other, text_str(&t));
      for (int k = (int)support_between(&r, times > 0, 2); k > 0; k--)
        near_change(&r, &other);
      text_add(&sizes, text_str(&assign));
      if (support_between(&r, 0, 2) == 0)
        near_sizes(&r, &other, (int)support_between(&r, 2, 14), &sizes);
      cdag *h = near_read(&other, text_str(&sizes), 6, LARGE);
      text_printf(&other, "# %s\n", text_str(&sizes));
      if (h)
        said_of_all(h, (int64_t)rules.m + support_between(&r, -2, 3), &claims, &r, seed, text_str(&other));
      cdag_free(h);
      text_clear(&other);
      text_clear(&sizes);
    }
    bound_list_clear(&claims);
  }
  write_claims();
  cdag_graph_clear(&e);
  cdag_free(g);
  text_clear(&t);
  text_clear(&assign);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_near");
  TCase *c = support_case(s, "near");
  tcase_add_loop_test(c, below_plays, 0, support_rounds(3));
  tcase_add_loop_test(c, below_optima, 0, support_rounds(5));
  c = support_case(s, "others");
  tcase_add_loop_test(c, said_of_others, 0, support_rounds(3));
  return support_run(s);
}
