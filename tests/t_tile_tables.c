/* Random computations on block masks and other tables of two indices: both engines, with and without fast-forward, and
   the count. Bands, stripes, triangles, blocks, dice and halves of different kinds, ragged ends; tables read through
   tables; long ones with stripes, whose rows come again after several. */
#include "base/mem.h"
#include "tests/support.h"
#include "tests/support_ways.h"
#include <stdio.h>

typedef struct {
  support_random r;
  text *out;
  const char *extra;           /* one more term of X, or NULL */
  bool preload;                /* all of U is loaded first, so that only the rule reads the extra term */
  bool stripes;                /* many rows that come again after several */
} maker;

static int64_t pick(maker *m, int64_t lo, int64_t hi) { return support_between(&m->r, lo, hi); }
static bool chance(maker *m, int in) { return pick(m, 1, in) == 1; }
#define ONE_OF(m, words) (words)[pick(m, 0, COUNT(words) - 1)]

/* ---- the computation ---- */

static const char *one_mask(maker *m)
{
  static const char *const mask[] = { "(J >= I-1)*(J < I+3)",
                                      "(J >= I-2)*(J <= I)",
                                      "(J%4 == 1)*(J < I)",
                                      "(J%6 == 2)*(J < I-1)",
                                      "dice[I,J] < 25",
                                      "J <= I",
                                      "J < 5",
                                      "I/6 == J/6",
                                      "J >= kb-4",
                                      "(J-I/3)*(J-I/3) < 3",
                                      "J == 2*I",
                                      "(J >= I)*(J < I+4)*(J != I+2)" };
  return ONE_OF(m, mask);
}

/* Columns every few, all of them or those before a row's band; now and then another from the middle on. */
static void put_stripes(maker *m)
{
  int every = (int)pick(m, 2, 4), w = (int)pick(m, 0, 2);
  text_printf(m->out, "table mask[I:nb, J:kb] = max(J == min(I, kb-1), (J >= I-%d)*(J < I+%d), (J%%%d == %d)", w,
              (int)pick(m, 0, 3), every, (int)pick(m, 0, every - 1));
  text_add(m->out, chance(m, 4) ? "" : "*(J < I)");
  if (chance(m, 4))
    text_printf(m->out, "*(I < nb-%d)", (int)pick(m, 1, 9));
  text_add(m->out, chance(m, 4) ? "*(J > 9)*(J < 35)" : "");
  if (chance(m, 5))
    text_printf(m->out, ", (I >= 85)*(J%%%d == 0)*(J < I-3)", (int)pick(m, 2, 5));
  if (chance(m, 5))
    text_printf(m->out, ", (I%%%d == 1)*(J < 4)", (int)pick(m, 2, 6));
  text_add(m->out, ")\n");
}

static void put_mask(maker *m)
{
  if (m->stripes) {
    put_stripes(m);
    return;
  }
  text_add(m->out, "table mask[I:nb, J:kb] = max(J == min(I, kb-1), ");
  if (chance(m, 3))
    text_printf(m->out, "(I < 9)*(%s), (I >= 9)*(%s))\n", one_mask(m), one_mask(m));
  else if (chance(m, 2))
    text_printf(m->out, "%s, %s)\n", one_mask(m), one_mask(m));
  else
    text_printf(m->out, "%s)\n", one_mask(m));
}

static void put_tables(maker *m)
{
  static const char *const rule[] = { "I+2*J",
                                      "3*I",
                                      "max(0, I-3)+J",
                                      "(I/7)*5+J",
                                      "min(I, J)",
                                      "(I+J)%11",
                                      "dice[I,J]",
                                      "5",
                                      "2*nb-I+J",
                                      "(J < 3)*4+I",
                                      "I*J",
                                      "col[I,J]+1",
                                      "(I < 8)*(I+J)+(I >= 8)*(2*I-J+40)",
                                      "I%3*7+J",
                                      "(I < nb-8)*(I/3)+J",
                                      "(I > 20)*(I/3)+J",
                                      "(I+J)/5" };
  int64_t b = m->stripes ? 1 : pick(m, 1, 3), blocks = m->stripes ? pick(m, 60, 150) : pick(m, 12, 26);
  text_printf(m->out, "param b = %d, n = %d, nk = %d\n", (int)b, (int)(b * blocks - pick(m, 0, b - 1)),
              (int)(b * pick(m, blocks - 3, blocks + 3) - pick(m, 0, b - 1)));
  text_add(m->out, "param nb = ceil(n, b), kb = ceil(nk, b)\ntable rows[I:nb] = min(b, n - I*b)\ntable cols[J:kb] = "
                   "min(b, nk - J*b)\n");
  text_printf(m->out, "table dice[I:nb, J:kb] = (I*I*7919 + J*J*10007 + I*J*31 + %d) %% 97\n", (int)pick(m, 0, 96));
  put_mask(m);
  text_add(m->out, "table cnt[nb] = nonzero_count(mask)\ntable col[nb,kb] = nonzero_column(mask)\n");
  text_printf(m->out, "table t[I:nb, J:kb] = %s\n", ONE_OF(m, rule));
}

static const char *place(maker *m)
{
  static const char *const place[] = { "t[I,q]",           "t[I,q]+col[I,q]", "2*t[I,q]+I",
                                       "cols[col[I,q]]+I", "t[I,cnt[I]-1]",   "7",
                                       "t[I,col[I,q]]",    "t[I,q]*2+q",      "col[min(I, nb-2),q]+9",
                                       "100-col[I,q]",     "t[I,q]*cnt[I]%99" };
  return ONE_OF(m, place);
}

/* Read by the rule only: absent for some elements, and not affine. */
static const char *bent_place(maker *m)
{
  static const char *const place[] = { "t[I-12,q]",  "cols[col[I,q]-13]+5", "max(q+8, I)",     "(I > 13)*9+q",
                                       "t[I,q]*j+I", "cols[q*2]+j",         "(q+I)/9*7",       "t[I,q]*60",
                                       "t[I,j]+3",   "j*(j+1)/2",           "col[I,q]*q%50",   "I*q",
                                       "t[I,q]+2*j", "min(I, 14)+j",        "t[max(0,I-11),q]" };
  return ONE_OF(m, place);
}

static void put_computation(maker *m, text *out)
{
  m->out = out;
  put_tables(m);
  m->preload = chance(m, 3);
  m->extra = m->preload ? bent_place(m) : chance(m, 2) ? place(m) : NULL;
  text_add(out, "input K[nk], U[400]\nX[I:nb, i:rows[I], q:cnt[I], j:cols[col[I,q]]] = X[I,i,q,j-1], X[I,i,q-1,b-1+j], "
                "K[col[I,q]*b+j]");
  if (m->extra)
    text_printf(out, ", U[%s]", m->extra);
  text_add(out, "\noutput O[I:nb, i:rows[I]] = X[I,i,cnt[I]-1,cols[col[I,cnt[I]-1]]-1]\n");
}

/* ---- the program ---- */

static void touch(maker *m)
{
  const char *u = place(m);
  if (m->preload) {
    text_add(m->out, "  erase U[q] store U[q]\n");
    return;
  }
  while (u == m->extra)
    u = place(m);
  if (chance(m, 3))
    text_printf(m->out, "  erase U[%s] ", u);
  else
    text_printf(m->out, "  load U[%s] drop U[%s]\n", u, u);
  if (m->out->s[m->out->n - 1] == ' ')
    text_printf(m->out, "load K[0] drop K[0]\n");
}

static void extras(maker *m)
{
  static const char *const when[] = { "col[I,q] == I",         "t[I,q] > 7", "t[I,q] % 2",   "q < 3",
                                      "col[I,q] + 2 < cnt[I]", "last(q)",    "t[I,0] <= 2*q" };
  if (chance(m, 4)) {
    text_printf(m->out, "  if %s {\n", ONE_OF(m, when));
    touch(m);
    text_add(m->out, "  }\n");
  } else if (chance(m, 3))
    touch(m);
}

/* The keys of one block, all or one by one, on rows `r`. */
static void block(maker *m, const char *r)
{
  bool single = chance(m, 2);
  const char *j = single ? "j" : "*";
  char keys[64];
  snprintf(keys, sizeof keys, single ? "K[col[I,q]*b+j]" : "K[col[I,q]*b..col[I,q]*b+b]");
  if (single)
    text_add(m->out, "  for j in cols[col[I,q]] {\n");
  text_printf(m->out, "  load %s\n", keys);
  if (m->extra && !m->preload)
    text_printf(m->out, "  load U[%s]\n", m->extra);
  text_printf(m->out, "  compute X[I,%s,q,%s] dropping X\n", r, j);
  if (m->extra && !m->preload && !chance(m, 30))
    text_printf(m->out, "  drop U[%s]\n", m->extra);
  if (!chance(m, 30))
    text_printf(m->out, "  drop %s\n", keys);
  text_add(m->out, single ? "  }\n" : "");
}

/* A query block: its rows in parts, or whole. */
static void rows(maker *m)
{
  const char *r = chance(m, 2) ? "R" : "*";
  static const char *const by[] = {
    "1", "2", "2", "max(1, min(2, 4/cnt[I]))", "1 + cnt[I]%2", "cols[col[I,0]]", "max(1, I/5)", "1 + (cnt[I] > t[I,0])"
  };
  if (*r == 'R')
    text_printf(m->out, "  for R in rows[I] by %s {\n", ONE_OF(m, by));
  text_printf(m->out, "  for q in cnt[I]%s {\n", chance(m, 20) ? " reversed" : "");
  extras(m);
  block(m, r);
  extras(m);
  text_printf(m->out, "  }\n  compute O[I,%s] dropping X\n  store O[I,%s]\n  drop O[I,%s]\n%s", r, r, r,
              *r == 'R' ? "  }\n" : "");
}

/* Several query blocks read the same keys together. */
static void group(maker *m)
{
  text_printf(m->out,
              "for G in nb by %d {\n  for J in kb {\n  load K[J*b..J*b+b]\n  for I in G {\n  for q in cnt[I] {\n  if "
              "col[I,q] == J {\n",
              (int)pick(m, 2, 4));
  if (m->extra && !m->preload)
    text_printf(m->out, "  load U[%s]\n  compute X[I,*,q,*] dropping X\n  drop U[%s]\n", m->extra, m->extra);
  else
    text_add(m->out, "  compute X[I,*,q,*] dropping X\n");
  text_add(m->out, "  } } }\n  drop K[J*b..J*b+b]\n  }\n  for I in G {\n  compute O[I,*] dropping X\n  store O[I,*]\n  "
                   "drop O[I,*]\n  }\n}\n");
}

/* Every key block, whatever rows keep it. */
static void scattered(maker *m)
{
  text_add(m->out, "for J in kb {\n  load K[J*b..J*b+b]\n  for I in nb {\n  for q in cnt[I] {\n  if col[I,q] == J {\n  "
                   "load X[I,*,q-1,b-1]\n  compute X[I,*,q,*] dropping X\n"
                   "  if last(q) {\n  compute O[I,*] dropping X\n  store O[I,*]\n  drop O[I,*]\n  } else {\n  store "
                   "X[I,*,q,b-1]\n  drop X[I,*,q,b-1]\n  }\n"
                   "  } } }\n  drop K[J*b..J*b+b]\n}\n");
}

static void put_program(maker *m, text *out)
{
  m->out = out;
  if (m->stripes && !m->extra && chance(m, 3)) {
    scattered(m);
    return;
  }
  if (m->preload) { /* some may be missing */
    text_add(out, "load U[*]\n");
    for (int64_t k = pick(m, 0, 2), at = pick(m, 0, chance(m, 2) ? 6 : 40); k > 0; k--, at += 7)
      text_printf(out, "drop U[%d]\n", (int)at);
  }
  if (chance(m, 6)) {
    group(m);
    return;
  }
  bool iterations = chance(m, 3);
  if (iterations)
    text_printf(out, "for G in nb by %d {\n", (int)pick(m, 2, 3));
  text_printf(out, "for I in %s {\n", iterations ? "G" : chance(m, m->stripes ? 2 : 4) ? "nb reversed" : "nb");
  rows(m);
  text_add(out, iterations ? "}\n}\n" : "}\n");
}

/* ---- the comparison ---- */

static void compare(uint64_t seed, bool stripes, ways_tally *of)
{
  text computation = { 0 }, program = { 0 };
  maker m = { .r = { seed }, .stripes = stripes };
  diag d = { 0 };
  put_computation(&m, &computation);
  put_program(&m, &program);
  pebble_rules rules = { .variant = chance(&m, 4) ? PEBBLE_SLIDING : PEBBLE_PLACING,
                         .one_shot = chance(&m, 3),
                         .m = (uint64_t)(chance(&m, 4) ? pick(&m, 4, 12) : 1000) };
  ck_assert_msg(ways_add_texts(seed, &computation, &program, &rules, true, of, &d), "seed %lu: %s in\n%s\n%s",
                (unsigned long)seed, d.message, text_str(&computation), text_str(&program));
  text_clear(&computation);
  text_clear(&program);
}

/* ---- elements one by one, whose predecessors tables name: now two, now one and the same ---- */

static const char *one_parent(maker *m)
{
  static const char *const parent[] = { "x/5",           "x/9",       "x",          "7",           "m-1-x",
                                        "max(0, x-20)",  "x/2",       "x/5*(x>70)", "x/5+(x%40<9)", "min(x, 60)",
                                        "x-(x>50)*(x-50)", "dice[x]*m/100" };
  return ONE_OF(m, parent);
}

/* The first m elements are parents, the others have two of them, or one twice. */
static void put_parents(maker *m, text *out)
{
  text_printf(out, "param n = %d, m = %d\ntable dice[x:m] = (x*x*7919 + x*31) %% 97\n", (int)pick(m, 3, 6),
              (int)pick(m, 20, 120));
  text_printf(out, "table s[x:m] = %s\n", one_parent(m));
  text_printf(out, chance(m, 2) ? "table t[x:m] = %s\n" : "table t[x:m] = min(m-1, s[x] + (%s > 30))\n", one_parent(m));
  text_add(out, "table p[x:2*m] = (x >= m)*(s[max(0, x-m)] + 1) - 1\n"
                "table q[x:2*m] = (x >= m)*(t[max(0, x-m)] + 1) - 1\n"
                "input K[2*m]\nF[j:n, x:2*m] = F[j,p[x]], F[j,q[x]], K[x]\n"
                "output W[j:n, x:m] = W[j,x-1], F[j,x+m]\n");
}

static void put_children(maker *m, text *out)
{
  bool all = chance(m, 2);
  text_printf(out, "load K[*]\nfor j in n {\n  for x in m%s {\n", chance(m, 12) ? " reversed" : "");
  text_add(out, "    compute F[j,s[x]]\n    if s[x] != t[x] { compute F[j,t[x]] }\n");
  text_add(out, all ? "    compute F[j,x+m] dropping F\n" : "    compute F[j,x+m] dropping F[j,s[x]]\n");
  text_add(out, all ? "" : "    if s[x] != t[x] { drop F[j,t[x]] }\n");
  text_add(out, "    compute W[j,x] dropping W, F\n    if x < m-1 { store W[j,x] }\n  }\n  store W[j,m-1]\n"
                "  drop W[j,m-1]\n}\n");
}

static void compare_parents(uint64_t seed, ways_tally *of)
{
  text computation = { 0 }, program = { 0 };
  maker m = { .r = { seed } };
  diag d = { 0 };
  put_parents(&m, &computation);
  put_children(&m, &program);
  pebble_rules rules = { .variant = chance(&m, 4) ? PEBBLE_SLIDING : PEBBLE_PLACING,
                         .m = chance(&m, 4) ? (uint64_t)pick(&m, 40, 244) : 1000 };
  ck_assert_msg(ways_add_texts(seed, &computation, &program, &rules, true, of, &d), "seed %lu: %s in\n%s\n%s",
                (unsigned long)seed, d.message, text_str(&computation), text_str(&program));
  text_clear(&computation);
  text_clear(&program);
}

/* An iteration may drop two pebbles where the next drops one; where all name a parent of their own, or one for several,
   iterations are left out. */
START_TEST(parents)
{
  ways_tally of = { 0 };
  for (uint64_t seed = 0; seed < 100; seed++)
    compare_parents(seed, &of);
  ways_say("TABLES_SAY", &of);
  ck_assert_uint_gt(of.legal, 50);
  ck_assert_uint_gt(of.inferred, 6000);
}
END_TEST

START_TEST(agree)
{
  ways_tally of = { 0 };
  for (int k = 0; k < 4; k++)
    compare(4 * (uint64_t)_i + (uint64_t)k, false, &of);
}
END_TEST

START_TEST(agree_on_stripes)
{
  ways_tally of = { 0 };
  compare((uint64_t)_i, true, &of);
}
END_TEST

/* Worth something only if many of them are legal, and iterations are left out. */
START_TEST(leave_iterations_out)
{
  ways_tally of = { 0 };
  for (uint64_t seed = 0; seed < 300; seed++)
    compare(seed, false, &of);
  ways_say("TABLES_SAY", &of);
  ck_assert_uint_gt(of.legal, 100);
  ck_assert_uint_gt(of.jumping, 110);
}
END_TEST

START_TEST(leave_stripes_out)
{
  ways_tally of = { 0 };
  for (uint64_t seed = 0; seed < 60; seed++)
    compare(seed, true, &of);
  ways_say("TABLES_SAY", &of);
  ck_assert_uint_gt(of.legal, 20);
  ck_assert_uint_gt(of.jumping, 20);
}
END_TEST

/* A table that comes again after 100 entries, blocks of which 100 are 2^64 + 84 elements long: so many iterations of
 * blocks are 100 all the same. */
START_TEST(long_blocks)
{
  ways_tally of = { 0 };
  text computation = { 0 }, program = { 0 };
  diag d = { 0 };
  text_add(&computation, "table t[i:1000] = i % 100\ninput A[100]\noutput X[i:1] = A[i]\n");
  text_add(&program, "for I in 4611686018427387904 by 184467440737095517 {\nif lo(I) == 0 { load A[t[lo(I)]] compute "
                     "X[0] store X[0] }\n}\n");
  ck_assert_msg(ways_add_texts(0, &computation, &program, &(pebble_rules){ .m = 2 }, true, &of, &d), "%s", d.message);
  ck_assert_uint_eq(of.legal, 1);
  text_clear(&computation);
  text_clear(&program);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tile_tables");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, agree, 100, 100 + support_rounds(150));
  tcase_add_loop_test(c, agree_on_stripes, 60, 60 + support_rounds(30));
  tcase_add_test(c, long_blocks);
  tcase_add_test(c, parents);
  if (!support_sanitized()) {
    tcase_add_test(c, leave_iterations_out);
    tcase_add_test(c, leave_stripes_out);
  }
  return support_run(s);
}
