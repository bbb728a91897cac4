/* The tuner against counting every setting. */
#include "base/mem.h"
#include "schedules/schedule.h"
#include "tests/support_library.h"
#include <stdio.h>
#include <string.h>

static int64_t longest(const cdag *g)
{
  int64_t most = 1;
  for (int a = 0; a < g->arrays; a++)
    for (int r = 0; r < g->array[a].rank; r++)
      if (g->array[a].hull.hi[r] - g->array[a].hull.lo[r] > most)
        most = g->array[a].hull.hi[r] - g->array[a].hull.lo[r];
  return most;
}

typedef struct {
  const cdag *g;
  const schedule_listing *l;
  pebble_rules rules;
  char name[2][CDAG_NAME];     /* of the parameters tuned */
  int n;
} question;

static schedule *parse(const question *q, const char *assign)
{
  schedule *s = NULL;
  diag d = { 0 };
  return schedule_parse(&s, q->g, q->rules.m, q->l->path, q->l->text, assign, &d) == OK ? s : NULL;
}

/* Count and play one setting: its I/O if it is legal, else UINT64_MAX. */
static uint64_t io_at(const question *q, const int64_t *x)
{
  char assign[256];
  int n = snprintf(assign, sizeof assign, "%s=%ld", q->name[0], (long)x[0]);
  if (q->n > 1)
    snprintf(assign + n, sizeof assign - (size_t)n, ",%s=%ld", q->name[1], (long)x[1]);
  schedule *s = parse(q, assign);
  uint64_t io = UINT64_MAX;
  if (s && schedule_unset(s) < 0) {
    schedule_verdict v;
    diag d = { 0 };
    schedule_play_options o = { .rules = q->rules, .engine = PEBBLE_BY_ELEMENT };
    if (schedule_play(s, &o, &v, &d) == OK && v.verdict.legal)
      io = v.verdict.loads + v.verdict.stores;
    schedule_verdict_clear(&v);
  }
  schedule_free(s);
  return io;
}

static uint64_t brute_force(const question *q)
{
  uint64_t best = UINT64_MAX;
  int64_t most = longest(q->g), x[2];
  for (x[0] = 1; x[0] <= most; x[0]++)
    for (x[1] = 1; x[1] <= (q->n > 1 ? most : 1); x[1]++) {
      uint64_t io = io_at(q, x);
      best = io < best ? io : best;
    }
  return best;
}

static void check(const question *q)
{
  char assign[256];
  int n = snprintf(assign, sizeof assign, "%s=auto", q->name[0]);
  if (q->n > 1)
    snprintf(assign + n, sizeof assign - (size_t)n, ",%s=auto", q->name[1]);
  schedule *s = parse(q, assign);
  if (!s)
    return;
  schedule_tuning t;
  diag d = { 0 };
  uint64_t best = brute_force(q);
  status st = schedule_tune(s, &q->rules, &t, &d);
  ck_assert_msg(st == (best == UINT64_MAX ? GAVE_UP : OK), "%s %s: status %d, best %ld", q->l->path, assign, st,
                (long)best);
  ck_assert_int_eq(t.none, st != OK);
  if (st == OK) {
    int64_t x[2] = { 0 };
    for (int i = 0; i < s->params; i++)
      for (int k = 0; k < q->n; k++)
        if (!strcmp(s->param[i].name, q->name[k]))
          x[k] = s->param[i].value;
    ck_assert_msg(t.io == best && t.exact, "%s %s M=%ld: %ld, best %ld (%s)", q->l->path, assign, (long)q->rules.m,
                  (long)t.io, (long)best, text_str(&t.record));
    ck_assert_uint_eq(io_at(q, x), best);
    ck_assert_uint_le(t.peak, q->rules.m);
  }
  schedule_tuning_clear(&t);
  schedule_free(s);
}

/* One or two of the schedule's parameters. */
static bool choose(question *q, support_random *r)
{
  schedule *s = parse(q, "");
  int n = s ? s->params : 0;
  q->n = n > 1 ? (int)support_between(r, 1, 2) : n;
  if (q->n > 0) {
    int i = (int)support_between(r, 0, n - 1), k = q->n > 1 ? (i + (int)support_between(r, 1, n - 1)) % n : 0;
    snprintf(q->name[0], sizeof q->name[0], "%s", s->param[i].name);
    snprintf(q->name[1], sizeof q->name[1], "%s", s->param[k].name);
  }
  schedule_free(s);
  return q->n > 0;
}

START_TEST(as_good_as_all)
{
  support_random r = { (uint64_t)_i };
  question q = { .l = library_at(_i),
                 .rules = { .variant = support_between(&r, 0, 2) ? PEBBLE_PLACING : PEBBLE_SLIDING } };
  cdag *g = library_cdag(q.l->family, &r);
  q.g = g;
  q.rules.m = (uint64_t)support_between(&r, 4, 70);
  if (g && choose(&q, &r))
    check(&q);
  cdag_free(g);
}
END_TEST

/* The block sizes that papers print, and those of the texts: where they are legal the tuner is no worse, and it is
 * always legal. */
START_TEST(no_worse_than_the_paper)
{
  static const struct { const char *spec, *name; bool online;
  } paper[] = {
    { "attention:n=%d,d=%d", "attenio", false },
    { "attention:n=%d,d=%d", "flash1", false },
    { "attention:n=%d,d=%d", "flash2", false },
    { "attention:n=%d,d=%d", "flat", false },
    { "attention-online:n=%d,d=%d", "attenio", true },
    { "attention-causal:n=%d,d=%d", "attenio", false },
    { "attention-backward:n=%d,d=%d", "two-pass", false },
    { "attention:n=%d,d=%d", "square-tiling", false },
  };
  support_random r = { (uint64_t)_i };
  int k = _i % COUNT(paper), n = (int)support_between(&r, 4, 90), width = (int)support_between(&r, 1, 5);
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 10, 400) };
  char spec[80];
  snprintf(spec, sizeof spec, paper[k].spec, n, width);
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  schedule_tuning t = { 0 };
  schedule_verdict v = { 0 };
  schedule_play_options o = { .rules = rules, .engine = PEBBLE_BY_TILE, .fast_forward = true };
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  ck_assert_int_eq(schedule_open(&s, g, rules.m, paper[k].name, &d), OK);
  if (paper[k].online) /* as printed: a word short in the placing game when 2d + 4 divides M - d */
    schedule_set(s, 0, ((int64_t)rules.m - width) / (2 * width + 4));
  bool legal = schedule_play(s, &o, &v, &d) == OK && v.verdict.legal;
  uint64_t io = v.verdict.loads + v.verdict.stores;
  schedule_verdict_clear(&v);
  schedule_free(s);
  ck_assert_int_eq(schedule_open(&s, g, rules.m, paper[k].name, &d), OK);
  status st = schedule_tune(s, &rules, &t, &d);
  ck_assert_msg(st == OK || !legal, "%s %s M=%ld: nothing found", spec, paper[k].name, (long)rules.m);
  if (st == OK) {
    ck_assert_msg(!legal || t.io <= io, "%s %s M=%ld: %ld, printed %ld", spec, paper[k].name, (long)rules.m, (long)t.io,
                  (long)io);
    ck_assert_int_eq(schedule_play(s, &o, &v, &d), OK);
    ck_assert(v.verdict.legal);
    ck_assert_uint_eq(v.verdict.loads + v.verdict.stores, t.io);
    schedule_verdict_clear(&v);
  }
  schedule_tuning_clear(&t);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* How many settings are looked at when all are: up to the longest range that x cuts, or the longest array. */
START_TEST(as_far_as_ranges_reach)
{
  static const struct { const char *text; uint64_t settings;
  } play[] = {
    { "param x\nfor I in nb { for X in rows[I] by x { load Q[I*b+lo(X)..I*b+hi(X),*]\n drop Q[I*b+lo(X)..I*b+hi(X),*] "
      "} }",
      3 },
    { "param x\nfor I in 5..n-1 by 4 { for X in I by x { load Q[X,*]\n drop Q[X,*] } }", 4 },
    { "param x\nfor I in cnt[0] { for q in col[I,0] by x { load Q[q,*]\n drop Q[q,*] } }",
      4 }, /* no block of keys has a number above 4 */
    { "param x\nfor X in 5 by x { if x > 2 { load Q[X,*]\n drop Q[X,*] } }", 13 },
    { "param y = auto\nparam x = auto\nfor X in y by x { load Q[X,*]\n drop Q[X,*] }", 13 * 13 },
    { "param x\nfor X in 5 by x { for Y in X by x { load Q[Y,*]\n drop Q[Y,*] } }", 5 },
  };
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  schedule_tuning t = { 0 };
  pebble_rules rules = { .m = 1000 };
  ck_assert_int_eq(cdag_open(&g, "attention-sparse:n=13,d=2,b=3,w=1", &d), OK);
  ck_assert_int_eq(schedule_parse(&s, g, rules.m, "text", play[_i].text, "", &d), OK);
  schedule_tune(s, &rules, &t, &d); /* a play that does not end blue: only the search is of interest */
  ck_assert_uint_eq(t.searched, play[_i].settings);
  schedule_tuning_clear(&t);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* The default moves the fewest words, and is illegal: the best is among those that move more. */
START_TEST(default_is_illegal)
{
  const char *program = "param p = 2\nif p < 3 { store A[0] }\nfor k in 3*(p-2)*(p-2) { load A[k]\n drop A[k] }\nload "
                        "A[*]\ncompute X[*] dropping A\nstore X[*]";
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  schedule_tuning t = { 0 };
  pebble_rules rules = { .m = 1000 };
  ck_assert_int_eq(cdag_parse(&g, "late.cdag", "input A[400]\nX[i:400] = A[i]\noutput X[*]\n", "", &d), OK);
  ck_assert_int_eq(schedule_parse(&s, g, rules.m, "text", program, "", &d), OK);
  ck_assert_int_eq(schedule_tune(s, &rules, &t, &d), OK);
  ck_assert_uint_eq(t.io, 803);
  ck_assert(t.exact);
  ck_assert_uint_eq(t.searched, 400);
  schedule_tuning_clear(&t);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tune");
  TCase *c = support_case(s, "brute force");
  tcase_add_loop_test(c, as_good_as_all, 0, support_rounds(300));
  tcase_add_loop_test(c, no_worse_than_the_paper, 0, support_rounds(120));
  tcase_add_loop_test(c, as_far_as_ranges_reach, 0, 6);
  tcase_add_test(c, default_is_illegal);
  return support_run(s);
}
