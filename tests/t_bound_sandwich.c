/* No bound exceeds the exact optimum of a small computation, in any game it claims to hold in; nor what a library
 * schedule costs. */
#include "base/mem.h"
#include "bounds/bound.h"
#include "pebble/optimal.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include <stdio.h>
#include <string.h>

static const struct { const char *family, *names; int64_t most[6]; } computations[] = {
  { "matmul", "m,n,k", { 3, 3, 4 } },           { "matmul:acc=1", "m,n,k", { 3, 3, 3 } },
  { "attention", "n,nk,d,dv", { 3, 3, 2, 2 } }, { "attention-causal", "n,d,dv", { 3, 2, 2 } },
  { "attention-online", "n,d,b", { 3, 2, 2 } }, { "mlp", "m,k,h,n", { 2, 2, 2, 2 } },
  { "dot", "k", { 8 } },                        { "matvec", "m,n", { 4, 4 } },
  { "attention-backward", "n,d", { 2, 1 } },    { "attention-lowrank", "n,d,r", { 2, 2, 2 } },
  { "grid", "r,c", { 4, 4 } },                  { "chain", "n", { 8 } },
};

/* FAMILY:name=value,... with values from 1 to most. */
static void random_spec(support_random *r, int which, char *spec, size_t size)
{
  const char *family = computations[which].family, *names = computations[which].names;
  size_t n = (size_t)snprintf(spec, size, "%s%s", family, strchr(family, ':') ? "," : ":");
  for (int i = 0; *names; i++) {
    size_t length = strcspn(names, ",");
    n += (size_t)snprintf(spec + n, size - n, "%s%.*s=%d", i ? "," : "", (int)length, names,
                          (int)support_between(r, 1, computations[which].most[i]));
    names += length + (names[length] == ',');
  }
}

static bound_list bounds_of(const cdag *g, const pebble_rules *rules, const char *spec)
{
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = rules->m, .one_shot = rules->one_shot,
                       .variant = (int)rules->variant };
  bound_list list = { 0 };
  diag d = { 0 };
  int best;
  ck_assert_msg(bound_all(&q, &list, &best, &d) == OK, "%s: %s", spec, d.message);
  ck_assert(best >= 0);
  return list;
}

static void check_bounds(const bound_list *list, const pebble_rules *rules, uint64_t cost, const char *spec,
                         const char *who)
{
  bound_question q = { .work = SEARCH_WORK, .m = rules->m, .one_shot = rules->one_shot,
                       .variant = (int)rules->variant };
  for (size_t i = 0; i < list->n; i++) {
    const bound *b = &list->item[i];
    bool counts = (b->trust == BOUND_PROVED || b->trust == BOUND_CERTIFIED) && bound_holds_in(b, &q);
    ck_assert_msg(!counts || mpz_cmp_ui(b->value, cost) <= 0,
                  "%s M=%lu variant %d one-shot %d: %s gives %ld, %s costs %lu", spec, (unsigned long)rules->m,
                  (int)rules->variant, rules->one_shot, b->name, mpz_get_si(b->value), who, (unsigned long)cost);
  }
}

enum { VERTICES = 34 };

START_TEST(below_the_optimum)
{
  support_random r = { (uint64_t)_i };
  char spec[256];
  cdag *g = NULL;
  cdag_graph e = { 0 };
  diag d = { 0 };
  random_spec(&r, (int)support_between(&r, 0, COUNT(computations) - 1), spec, sizeof spec);
  ck_assert_msg(cdag_open(&g, spec, &d) == OK, "%s: %s", spec, d.message);
  if (g->vertices <= VERTICES) {
    ck_assert_int_eq(cdag_materialise(g, VERTICES, &e, &d), OK);
    pebble_rules rules = { (pebble_variant)support_between(&r, 0, 1), support_between(&r, 0, 1), 0 };
    rules.m = pebble_least_memory(&e, &rules) + (uint64_t)support_between(&r, 0, 4);
    pebble_optimal_limits limits = { .seconds = 0.2, .bytes = 100 << 20 };
    pebble_optimum o = { 0 };
    status st = pebble_optimal(&e, &rules, &limits, &o, &d);
    ck_assert(st == OK || st == GAVE_UP);
    if (o.possible) {
      bound_list list = bounds_of(g, &rules, spec);
      check_bounds(&list, &rules, o.upper, spec, "the optimum");
      bound_list_clear(&list);
    }
    pebble_optimum_clear(&o);
    cdag_graph_clear(&e);
  }
  cdag_free(g);
}
END_TEST

/* ---- library schedules ---- */

static void check_schedule(const cdag *g, const pebble_rules *rules, const bound_list *list, const char *name,
                           const char *spec)
{
  schedule *s = NULL;
  schedule_counts c = { 0 };
  diag d = { 0 };
  if (schedule_open(&s, g, rules->m, name, &d) == OK && schedule_unset(s) < 0 &&
      schedule_count(s, rules, &c, &d) == OK && c.countable && c.peak <= rules->m)
    check_bounds(list, rules, c.loads + c.stores, spec, name);
  schedule_counts_clear(&c);
  schedule_free(s);
}

static const char *const scheduled[] = { "matmul",
                                         "attention",
                                         "attention-causal",
                                         "attention-online",
                                         "attention-backward",
                                         "mlp",
                                         "attention-lowrank",
                                         "attention-gradient",
                                         "attention-split",
                                         "attention-block",
                                         "attention-sparse",
                                         "attention-sparse-backward" };

static bool in_blocks(const char *family)
{
  return !strcmp(family, "attention-block") || !strncmp(family, "attention-sparse", strlen("attention-sparse"));
}

START_TEST(below_every_schedule)
{
  support_random r = { (uint64_t)_i };
  const char *family = scheduled[support_between(&r, 0, COUNT(scheduled) - 1)];
  int d = (int)support_between(&r, 1, 24), n = (int)support_between(&r, 1, 12) * (int)support_between(&r, 1, 40);
  uint64_t m = (uint64_t)(d * d) * (uint64_t)support_between(&r, 1, 40) / 8 + 3 * (uint64_t)d +
               (uint64_t)support_between(&r, 4, 60);
  char spec[256];
  if (strcmp(family, "matmul") == 0)
    snprintf(spec, sizeof spec, "matmul:m=%d,n=%d,k=%d", n, (int)support_between(&r, 1, 300), d);
  else if (strcmp(family, "mlp") == 0)
    snprintf(spec, sizeof spec, "mlp:m=%d,k=%d,h=%d,n=%d", n, d, (int)support_between(&r, 1, 300),
             (int)support_between(&r, 1, 40));
  else if (strcmp(family, "attention-lowrank") == 0)
    snprintf(spec, sizeof spec, "attention-lowrank:n=%d,d=%d,r=%d", n, d, (int)support_between(&r, 1, 60));
  else if (in_blocks(family)) {
    int b = (int)support_between(&r, 2, 16), blocks = (int)support_between(&r, 1, 8);
    int w = (int)support_between(&r, 0, 3), top = (int)support_between(&r, 0, blocks);
    snprintf(spec, sizeof spec, "%s:n=%d,d=%d,b=%d,w=%d,top=%d", family, b * blocks, d, b, w, top);
  } else
    snprintf(spec, sizeof spec, "%s:n=%d,d=%d", family, n, d);
  cdag *g = NULL;
  diag dg = { 0 };
  ck_assert_msg(cdag_open(&g, spec, &dg) == OK, "%s: %s", spec, dg.message);
  pebble_rules rules = { .m = m };
  bound_list bounds = bounds_of(g, &rules, spec);
  const schedule_listing *list;
  int count = schedule_library(&list);
  for (int i = 0; i < count; i++)
    if (strcmp(list[i].family, family) == 0)
      check_schedule(g, &rules, &bounds, list[i].name, spec);
  bound_list_clear(&bounds);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_sandwich");
  TCase *c = support_case(s, "optimum");
  tcase_add_loop_test(c, below_the_optimum, 0, support_rounds(35));
  c = support_case(s, "schedules");
  tcase_add_loop_test(c, below_every_schedule, 0, support_rounds(12));
  return support_run(s);
}
