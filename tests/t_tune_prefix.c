/* Settings that are said to exceed M with the same moves, against playing each of them; and the tuner where nothing
 * else proves its answer. */
#include "base/mem.h"
#include "pebble/extrapolate/forward.h"
#include "schedules/tune/prefix.h"
#include "tests/support_library.h"
#include <stdio.h>
#include <string.h>

/* ---- the moves until M is exceeded, one by one ---- */

typedef struct {
  pebble_game *game;
  const cdag *g;
  uint64_t m;
  text moves;                  /* what they hold of the arrays; empty ones left out */
  bool above, bad;
} replay;

/* False: it holds nothing. */
static bool print_box(const replay *p, int array, const cdag_box *b, text *out)
{
  const cdag_array *a = &p->g->array[array];
  bool any = true;
  text_printf(out, " %s[", a->name);
  for (int i = 0; i < a->rank; i++) {
    int64_t lo = b->lo[i] > a->hull.lo[i] ? b->lo[i] : a->hull.lo[i],
            hi = b->hi[i] < a->hull.hi[i] ? b->hi[i] : a->hull.hi[i];
    any &= lo < hi;
    text_printf(out, "%s%ld..%ld", i ? "," : "", (long)lo, (long)hi);
  }
  text_add(out, "]");
  return any;
}

static void print_drop(const replay *p, const pebble_drop *drop, text *out)
{
  text box = { 0 };
  if (drop->whole)
    text_printf(out, " whole %d", drop->array);
  else if (print_box(p, drop->array, &drop->box, &box))
    text_add(out, text_str(&box));
  text_clear(&box);
}

static bool replay_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  replay *p = context;
  text one = { 0 };
  (void)at, (void)box, (void)slot;
  text_printf(&one, "%d", move->kind);
  bool any = print_box(p, move->array, &move->box, &one);
  for (int i = 0; i < move->drops; i++)
    print_drop(p, &move->drop[i], &one);
  if (any)
    text_printf(&p->moves, "%s\n", text_str(&one));
  text_clear(&one);
  p->above = pebble_play(p->game, move) && pebble_verdict_of(p->game)->peak > p->m;
  return !p->above;
}

/* With the parameter at x. */
static replay replay_at(tuner *t, int64_t x)
{
  replay p = { .g = t->s->g, .m = t->rules.m };
  diag d;
  ck_assert_int_eq(pebble_blind_new(&p.game, p.g, &t->rules, &d), OK);
  p.bad = schedule_set(t->s, t->param[0], x) != OK || schedule_each_move(t->s, replay_move, &p, &d) != OK;
  pebble_free(p.game);
  return p;
}

/* ---- what is said of them ---- */

static long said, equal;         /* of so many first settings; so many others begin alike */

static void compare_all(tuner *t, int64_t v, const char *what)
{
  replay first = replay_at(t, v);
  ck_assert(first.above);
  said++;
  for (int64_t x = v + 1; x <= t->most[0]; x++) {
    replay p = replay_at(t, x);
    ck_assert_msg(p.bad || (p.above && !strcmp(text_str(&p.moves), text_str(&first.moves))),
                  "%ld and %ld do not begin alike, M = %ld:\n%s", (long)v, (long)x, (long)t->rules.m, what);
    equal += !p.bad;
    text_clear(&p.moves);
  }
  text_clear(&first.moves);
}

static void compare(schedule *s, const pebble_rules *rules, int param, int64_t most, const char *what)
{
  tuner t = { .s = s, .rules = *rules, .n = 1, .param = { param }, .most = { most } };
  schedule_counts_init(&t.counts, s->g);
  t.counter = schedule_counter_new(s, rules, &t.counts);
  ck_assert_ptr_nonnull(t.counter);
  for (int64_t v = 1; v <= most; v++)
    if (tune_prefix_bars(&t, v))
      compare_all(&t, v, what);
  schedule_counter_free(t.counter);
  schedule_counts_clear(&t.counts);
}

/* ---- random texts ---- */

static const char *const computation =
  "param n\ntable w[I:n] = 1 + I*I%4\ninput A[n], B[n,n]\n"
  "S[i:n, j:n] = S[i-1,j], B[i,j]\nT[i:n, j:0..i+1] = A[i], A[j]\n"
  "output O[i:n] = S[n-1,i], T[i,i]\n";

static const char *const outer[] = {
  "for X in n by a",
  "for X in n by max(2, a)",
  "for X in 1..n by min(a, f)",
  "for X in n by 2",
  "for X in a",
  "for X in 1..a",
  "for X in a by 3",
  "for X in n by a reversed",
  "for X in n by a snake",
  "for X in a..n",
  "for X in n/2..n by n - a + 1",
  "for X in n by f",
  "for X in n reversed",
  "for X in n - a by a",
};

static const char *const inner[] = {
  "load A[X]",
  "load B[lo(X),0..hi(X)]",
  "load B[0..a,2]",
  "load B[a..n+3,1]",
  "load B[n-a..n,1]",
  "load B[*,lo(X)] drop B[0..f,lo(X)]",
  "for s in len(X) { load B[lo(X)+s,0] }",
  "for x in n + len(X) { load A[x] for s in len(X) { load B[s,x-s-1] if x - s == 3 { drop B[s,x-s-1] } } store "
  "A[x-len(X)] drop A[x-len(X)] }",
  "for x in n + a { load A[x] for s in a { compute S[s,x-s] dropping S[s-1,x-s] if x > s { load T[x-s,*] } } }",
  "if a > 3 { load A[*] }",
  "if a > lo(X) { load A[*] } else { load B[3,*] }",
  "if a * 0 { load A[*] }",
  "for y in 3 snake { load B[y,lo(X)..y+1] }",
  "for Y in X by 2 { load B[Y,Y] }",
  "for Y in n by a { load T[Y,X] }",
  "for Y in len(X) by 2 { load B[Y,1] }",
  "for y in X { load T[y,*] drop T[y,a..n] }",
  "for i in a..n { load A[i] }",
  "for i in a { load A[i] if last(i) { drop A[*] } }",
  "for i in a { for y in 3 snake { load B[y,n-2+i..n+y] } }",
  "for i in w[lo(X)] { load B[i,*] drop B[i,a] }",
  "for i in w[a-1] { load B[i,*] }",
  "if last(X) { load B[*,*] }",
  "if last(X) { load A[1] } else { load A[0..a] }",
  "if first(X) { load B[1,*] }",
  "if lo(X) + a > 4 { drop B[*,*] }",
  "load B[lo(X),*] store B[a-1,*] load B[*,lo(X)] drop B[0,0]",
  "for y in n reversed { load B[y,0..len(X)] if first(y) { drop B[y,0] } }",
  "for y in a reversed { load B[y,*] }",
  "load B[X,lo(X)-a..lo(X)+a]",
  "for Y in n by 3 { load T[Y,*] for Z in Y by a { load B[Z,Y] drop B[Z,Y] } }",
  "for Y in 6 by n + a { load B[Y,1] }",
  "for Y in 6 by a { if last(Y) { load B[Y,*] } }",
  "for y in a reversed { if first(y) { load B[y,*] } load T[y,0] }",
  "for y in a { if last(y) { load B[y,*] } load T[y,0] }",
  "for Y in a by 3 { load B[lo(Y),len(Y)] }",
  "for Y in 9 * n by a { load B[lo(Y),lo(Y)..lo(Y)+2] }",
  "for i in n { load S[n-1,i] compute O[i] dropping S[a..n,i] }",
};

START_TEST(texts)
{
  support_random r = { (uint64_t)_i };
  text program = { 0 };
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  int64_t n = support_between(&r, 4, 10);
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 2, 60) };
  char assign[32];
  snprintf(assign, sizeof assign, "n=%d", (int)n);
  ck_assert_msg(cdag_parse(&g, "prefix.cdag", computation, assign, &d) == OK, "%s", d.message);
  text_printf(&program, "param a = 1\nparam f = %s\n%s {\n", support_between(&r, 0, 1) ? "n / a" : "max(2, n - 2*a)",
              outer[support_between(&r, 0, COUNT(outer) - 1)]);
  for (int64_t k = support_between(&r, 1, 3); k > 0; k--)
    text_printf(&program, "  %s\n", inner[support_between(&r, 0, COUNT(inner) - 1)]);
  text_add(&program, "}\n");
  ck_assert_msg(schedule_parse(&s, g, rules.m, "prefix.sched", text_str(&program), "", &d) == OK, "%s in\n%s",
                d.message, text_str(&program));
  compare(s, &rules, 0, n + support_between(&r, 0, 3), text_str(&program));
  schedule_free(s);
  text_clear(&program);
  cdag_free(g);
}
END_TEST

/* ---- the library ---- */

START_TEST(library)
{
  support_random r = { (uint64_t)_i };
  const schedule_listing *l = library_at(_i);
  schedule *s = NULL;
  diag d = { 0 };
  cdag *g = library_cdag(l->family, &r);
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 4, 60),
                         .variant = support_between(&r, 0, 2) ? PEBBLE_PLACING : PEBBLE_SLIDING };
  if (g && schedule_parse(&s, g, rules.m, l->path, l->text, "", &d) == OK && s->params > 0) {
    int param = (int)support_between(&r, 0, s->params - 1);
    compare(s, &rules, param, support_between(&r, 2, 12), l->path);
  }
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* Worth something only if it is said, and not of the last setting alone. */
START_TEST(is_said)
{
  for (int i = 0; i < 60; i++) {
    char spec[64];
    cdag *g = NULL;
    schedule *s = NULL;
    diag d = { 0 };
    support_random r = { (uint64_t)i };
    int w = (int)support_between(&r, 3, 20), t = (int)support_between(&r, 3, 20);
    pebble_rules rules = { .m = (uint64_t)support_between(&r, 4, 40) };
    snprintf(spec, sizeof spec, "stencil:w=%d,t=%d", w, t);
    ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
    ck_assert_int_eq(schedule_open(&s, g, rules.m, "skewed", &d), OK);
    compare(s, &rules, 0, t, spec);
    schedule_free(s);
    cdag_free(g);
  }
  ck_assert_msg(said > 100 && equal > 100, "%ld, %ld", said, equal);
}
END_TEST

/* More settings than are counted, and no polynomial says that none of them fits. */
START_TEST(proves_the_skewed_sweep)
{
  static const struct { const char *spec; uint64_t m; int64_t b; } sweep[] = {
    { "stencil:w=131072,t=131072", 4096, 2017 },    /* 65 sweeps; 64 need b = 2048, and 2b + 2 pebbles */
    { "stencil:w=131072,t=131072", 16384, 7711 },
    { "stencil:w=1000000,t=2000000", 1000000, 400000 },
    { "stencil:w=500,t=100000", 800, 399 },
  };
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  schedule_tuning t = { 0 };
  pebble_rules rules = { .m = sweep[_i].m };
  ck_assert_int_eq(cdag_open(&g, sweep[_i].spec, &d), OK);
  ck_assert_int_eq(schedule_open(&s, g, rules.m, "skewed:b=auto", &d), OK);
  ck_assert_int_eq(schedule_tune(s, &rules, &t, &d), OK);
  ck_assert_msg(t.exact, "%s", text_str(&t.record));
  ck_assert_int_eq(s->param[0].value, sweep[_i].b);
  schedule_tuning_clear(&t);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tune_prefix");
  TCase *c = support_case(s, "prefixes");
  tcase_add_loop_test(c, texts, 0, support_rounds(600));
  tcase_add_loop_test(c, library, 0, support_rounds(120));
  tcase_add_test(c, is_said);
  tcase_add_loop_test(c, proves_the_skewed_sweep, 0, 4);
  return support_run(s);
}
