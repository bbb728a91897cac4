/* No bound exceeds the optimum, nor any play: random descriptions, random graphs and random reductions against the
   exact optimum, in every game; and every schedule of the library, tuned, at random sizes and memories, in every game
   it can be counted in.  What has a certificate must check. With REDBLUE_TALLY=FILE each test adds a line with what it
   compared. */
#include "base/mem.h"
#include "bounds/certificate.h"
#include "bounds/checker.h"
#include "pebble/optimal.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include "tests/support_random_cdag.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { long computations, plays, optima, bounds, certificates, tight; } tally;

static void write_tally(const char *what, const tally *t)
{
  const char *name = getenv("REDBLUE_TALLY");
  FILE *f = name ? fopen(name, "a") : NULL;
  if (!f)
    return;
  fprintf(f, "%s %ld computations %ld plays %ld proved optima %ld bounds %ld certificates %ld tight\n", what,
          t->computations, t->plays, t->optima, t->bounds, t->certificates, t->tight);
  fclose(f);
}

static void check_certificate(const bound_question *q, const bound *b, const char *what, tally *n)
{
  text t = { 0 };
  diag d = { 0 };
  bound_check_result r;
  ck_assert_int_eq(bound_certificate(q, b, &t, &d), OK);
  ck_assert_msg(bound_check(text_str(&t), t.n, "certificate", &r, &d) == OK, "%s, M=%lu, %s: %s", what,
                (unsigned long)q->m, b->name, d.message);
  ck_assert_msg(r.valid, "%s, M=%lu, %s: %s", what, (unsigned long)q->m, b->name, text_str(&r.reason));
  bound_check_clear(&r);
  text_clear(&t);
  n->certificates++;
}

/* cost: of a play under these rules. */
static void check_bounds(const cdag *g, const pebble_rules *rules, uint64_t cost, const char *what, const char *who,
                         bool certificates, tally *n)
{
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = rules->m, .one_shot = rules->one_shot,
                       .variant = (int)rules->variant, .seconds = g->vertices < 60 ? .05 : 0 };
  bound_list list = { 0 };
  diag d = { 0 };
  int best;
  ck_assert_msg(bound_all(&q, &list, &best, &d) == OK, "%s: %s", what, d.message);
  ck_assert_int_ge(best, 0);
  for (size_t i = 0; i < list.n; i++) {
    const bound *b = &list.item[i];
    if ((b->trust != BOUND_PROVED && b->trust != BOUND_CERTIFIED) || !bound_holds_in(b, &q))
      continue;
    ck_assert_msg(mpz_cmp_ui(b->value, cost) <= 0, "M=%lu variant %d one-shot %d: %s gives %ld, %s costs %lu:\n%s",
                  (unsigned long)rules->m, (int)rules->variant, rules->one_shot, b->name, mpz_get_si(b->value), who,
                  (unsigned long)cost, what);
    n->bounds++;
    if (certificates && bound_has_certificate(b))
      check_certificate(&q, b, what, n);
  }
  n->tight += mpz_cmp_ui(list.item[best].value, cost) == 0;
  n->plays++;
  bound_list_clear(&list);
}

/* ---- against the optimum ---- */

enum { VERTICES = 26 };

static const pebble_rules games[] = {
  { PEBBLE_PLACING, false, 0 }, { PEBBLE_PLACING, true, 0 }, { PEBBLE_SLIDING, false, 0 },
  { PEBBLE_SLIDING, true, 0 },  { PEBBLE_PARTIAL, true, 0 },
};

/* One game, one memory; the bounds against the least cost found. */
static void solve(const cdag *g, support_random *r, const char *what, tally *n)
{
  cdag_graph e = { 0 };
  diag d = { 0 };
  if (g->vertices == 0 || g->vertices > VERTICES || cdag_materialise(g, VERTICES, &e, &d) != OK)
    return;
  pebble_rules rules = games[support_between(r, 0, COUNT(games) - 1)];
  rules.m = pebble_least_memory(&e, &rules) + (uint64_t)support_between(r, 0, 3);
  rules.m += rules.m == 0;
  pebble_optimal_limits limits = { .seconds = .1, .bytes = 50 << 20 };
  pebble_optimum o = { 0 };
  status st = pebble_optimal(&e, &rules, &limits, &o, &d);
  ck_assert(st == OK || st == GAVE_UP);
  n->computations++;
  n->optima += o.possible && o.proved;
  if (o.possible)
    check_bounds(g, &rules, o.upper, what, o.proved ? "the optimum" : "a play", true, n);
  pebble_optimum_clear(&o);
  cdag_graph_clear(&e);
}

START_TEST(descriptions)
{
  support_random r = { (uint64_t)_i };
  random_cdag_options o = { .least = 2, .most = VERTICES, .conditions = _i % 3 == 0 };
  tally n = { 0 };
  text t = { 0 };
  cdag *g = support_random_cdag(&r, &o, &t);
  if (g)
    solve(g, &r, text_str(&t), &n);
  write_tally("descriptions", &n);
  text_clear(&t);
  cdag_free(g);
}
END_TEST

START_TEST(graphs)
{
  support_random r = { (uint64_t)_i };
  char spec[100];
  tally n = { 0 };
  cdag *g = NULL;
  diag d = { 0 };
  snprintf(spec, sizeof spec, "random:n=%d,seed=%d,degree=%d", (int)support_between(&r, 4, 18), _i,
           (int)support_between(&r, 1, 4));
  ck_assert_msg(cdag_open(&g, spec, &d) == OK, "%s: %s", spec, d.message);
  solve(g, &r, spec, &n);
  write_tally("graphs", &n);
  cdag_free(g);
}
END_TEST

/* Reductions put together from parts, small enough to solve: what the bounds recognise, and what nearly is that. */
static const char *const heads[] = {
  "C[i:n, j:m, k:q] = C[i,j,k-1], %s, %s\noutput C[*,*,q-1]\n",
  "C[i:n, j:m, k:q] = C[i,j,k+1], %s, %s\noutput C[*,*,0]\n",
  "C[i:n, j:m, k:q] = C[i,j,k-1], %s, %s, D[i,j,k]\noutput C[*,*,q-1]\n",
  "C[i:n, k:q] = C[i,k-1], %s, %s\noutput C[*,q-1]\n",
  "T[i:n, k:q] = %s, A[k,i]\nC[i:n, j:m, k:q] = C[i,j,k-1], T[i,k], %s\noutput C[*,*,q-1]\n",
  "S[i:n, j:m, k:q] = S[i,j,k-1], A[i,k], B[j,k]\nC[i:n, j:m] = C[i,j-1], S[i,j,q-1], %s, %s\noutput C[*,m-1]\n",
  "C[i:n, j:i+1, k:q] = C[i,j,k-1], %s, %s\noutput C[*,*,q-1]\n",
  "C[i:n, j:m, k:q] = C[i,j,k-1], %s, %s\noutput O[i:n, j:m] = C[i,j,q-1], D[i,j,0]\n",
  "C[i:n, j:m, k:q] = C[i,j,k-1], %s, %s\nE[i:n, j:m, k:q] = E[i,j,k-1], C[i,j,q-1], B[k,j]\noutput E[*,*,q-1]\n",
};
static const char *const parts[] = { "A[i,k]", "B[k,0]",    "A[k,i]",        "B[i,k]",     "A[i+k,0]", "B[k,i]",
                                     "A[0,k]", "A[w[i],k]", "B[w[i]+0*k,k]", "A[2*i+k,1]", "A[i,*]" };

START_TEST(reductions)
{
  support_random r = { (uint64_t)_i };
  tally n = { 0 };
  text t = { 0 };
  char assign[64];
  diag d = { 0 };
  cdag *g = NULL;
  const char *head = heads[support_between(&r, 0, COUNT(heads) - 1)],
             *x = parts[support_between(&r, 0, COUNT(parts) - 1)], *y = parts[support_between(&r, 0, COUNT(parts) - 1)],
             *hole = strstr(head, "%s");
  text_add(&t, "param n m q\ntable w[i:n] = i / 2\ninput A[3*(n+q),n+q], B[n+q+m,n+q+m], D[n,m,1]\n");
  text_printf(&t, "%.*s%s", (int)(hole - head), head, x);
  head = hole + 2;
  hole = strstr(head, "%s");
  text_printf(&t, "%.*s%s%s", (int)(hole - head), head, y, hole + 2);
  snprintf(assign, sizeof assign, "n=%d,m=%d,q=%d", (int)support_between(&r, 1, 3), (int)support_between(&r, 1, 3),
           (int)support_between(&r, 1, 3));
  if (cdag_parse(&g, "random", text_str(&t), assign, &d) == OK) {
    text_add(&t, assign);
    /* inputs nobody reads are no trouble to the game, but to its solver */
    cdag_graph e = { 0 };
    if (g->vertices <= 400 && cdag_materialise(g, 400, &e, &d) == OK) {
      uint64_t used = 0;
      for (uint32_t v = 0; v < e.n; v++)
        used += !cdag_graph_is_input(&e, v) || !cdag_graph_is_sink(&e, v);
      if (used <= VERTICES) {
        pebble_rules rules = games[support_between(&r, 0, COUNT(games) - 1)];
        rules.m = pebble_least_memory(&e, &rules) + (uint64_t)support_between(&r, 0, 3);
        rules.m += rules.m == 0;
        pebble_optimal_limits limits = { .seconds = .1, .bytes = 50 << 20 };
        pebble_optimum o = { 0 };
        status st = pebble_optimal(&e, &rules, &limits, &o, &d);
        ck_assert(st == OK || st == GAVE_UP || st == BAD_INPUT);
        n.computations++;
        n.optima += o.possible && o.proved;
        if (st != BAD_INPUT && o.possible)
          check_bounds(g, &rules, o.upper, text_str(&t), o.proved ? "the optimum" : "a play", true, &n);
        pebble_optimum_clear(&o);
      }
    }
    cdag_graph_clear(&e);
  }
  write_tally("reductions", &n);
  text_clear(&t);
  cdag_free(g);
}
END_TEST

/* ---- against the library ---- */

/* What the schedule costs at its best parameters; NUM_TOO_MANY: it is not legal, or not counted. */
static num_count cost_of(const cdag *g, pebble_rules rules, const char *name)
{
  num_count io = NUM_TOO_MANY;
  schedule *s = NULL;
  schedule_counts c = { 0 };
  schedule_tuning t = { 0 };
  diag d = { 0 };
  bool ready = schedule_open(&s, g, rules.m, name, &d) == OK &&
               (schedule_unset(s) < 0 || schedule_tune(s, &rules, &t, &d) == OK);
  if (ready && schedule_unset(s) < 0 && schedule_count(s, &rules, &c, &d) == OK && c.countable && c.peak <= rules.m)
    io = c.loads + c.stores;
  schedule_tuning_clear(&t);
  schedule_counts_clear(&c);
  schedule_free(s);
  return io;
}

/* Sizes for a family: names, least and most. */
static const struct { const char *family, *names; int64_t most[6];
} sizes[] = {
  { "matmul", "m,n,k", { 300, 300, 200 } },
  { "matmul:acc=1", "m,n,k", { 200, 200, 100 } },
  { "attention", "n,nk,d,dv", { 400, 400, 24, 24 } },
  { "attention", "n,d", { 900, 32 } },
  { "attention-causal", "n,d", { 300, 16 } },
  { "attention-online", "n,d,b", { 200, 16, 20 } },
  { "attention-sparse", "n,d,b", { 200, 12, 12 } },
  { "attention-backward", "n,d", { 200, 12 } },
  { "attention-lowrank", "n,d,r", { 300, 16, 100 } },
  { "mlp", "m,k,h,n", { 100, 40, 100, 40 } },
  { "dot", "k", { 200 } },
  { "matvec", "m,n", { 100, 100 } },
  { "chain", "n", { 60 } },
  { "grid", "r,c", { 40, 40 } },
  { "stencil", "w,t", { 40, 20 } },
  { "cholesky", "n", { 40 } },
  { "syrk", "n,k", { 200, 60 } },
  { "fft", "l", { 6 } },
  { "tree", "h", { 8 } },
  { "pyramid", "h", { 20 } },
  { "strassen", "l", { 3 } },
  { "stencil2d", "w,t", { 12, 6 } },
};

START_TEST(schedules)
{
  support_random r = { (uint64_t)_i };
  int which = _i % COUNT(sizes);
  char spec[256], family[64];
  const char *names = sizes[which].names;
  tally n = { 0 };
  diag d = { 0 };
  cdag *g = NULL;
  size_t at =
      (size_t)snprintf(spec, sizeof spec, "%s%s", sizes[which].family, strchr(sizes[which].family, ':') ? "," : ":");
  for (int i = 0; *names; i++) {
    size_t length = strcspn(names, ",");
    int64_t most = support_between(&r, 1, sizes[which].most[i]);
    at += (size_t)snprintf(spec + at, sizeof spec - at, "%s%.*s=%d", i ? "," : "", (int)length, names,
                           (int)support_between(&r, 1, most));
    names += length + (names[length] == ',');
  }
  snprintf(family, sizeof family, "%.*s", (int)strcspn(sizes[which].family, ":"), sizes[which].family);
  if (cdag_open(&g, spec, &d) == OK && g->vertices <= (uint64_t)1 << 26) {
    pebble_rules rules = games[support_between(&r, 0, COUNT(games) - 2)]; /* no schedule of the library aggregates */
    rules.m = (uint64_t)support_between(&r, 3, (int64_t)1 << support_between(&r, 2, 13));
    const schedule_listing *list;
    int count = schedule_library(&list);
    n.computations = 1;
    num_count least = NUM_TOO_MANY; /* what is below the cheapest is below all */
    const char *name = NULL;
    for (int i = 0; i < count; i++) {
      num_count io = strcmp(list[i].family, family) ? NUM_TOO_MANY : cost_of(g, rules, list[i].name);
      if (io < least) {
        least = io;
        name = list[i].name;
      }
    }
    if (name)
      check_bounds(g, &rules, least, spec, name, false, &n);
  }
  write_tally("schedules", &n);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_optimum");
  TCase *c = support_case(s, "optimum");
  tcase_add_loop_test(c, descriptions, 0, support_rounds(30));
  tcase_add_loop_test(c, graphs, 0, support_rounds(20));
  c = support_case(s, "reductions");
  tcase_add_loop_test(c, reductions, 0, support_rounds(50));
  c = support_case(s, "schedules");
  tcase_add_loop_test(c, schedules, 0, support_rounds(2 * COUNT(sizes)));
  return support_run(s);
}
