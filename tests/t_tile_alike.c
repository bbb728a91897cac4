/* Iterations of an outermost loop under other names: random computations whose rows keep blocks here and there, as many
   of them in several rows; both engines, with and without fast-forward, and the count.  Rows, conditions and inputs
   named in ways that may not be taken for the same, other loops that pebble the same elements before, pebbles left on
   the board. */
#include "base/mem.h"
#include "schedules/extrapolate/alike.h"
#include "tests/support.h"
#include "tests/support_tile.h"
#include "tests/support_ways.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  support_random r;
  text *out;
  const char *extra;           /* where X reads U, or NULL */
  bool wild;                   /* with what is not the same, too */
} maker;

static int64_t pick(maker *m, int64_t lo, int64_t hi) { return support_between(&m->r, lo, hi); }
static bool chance(maker *m, int in) { return pick(m, 1, in) == 1; }
#define ONE_OF(m, words) (words)[pick(m, 0, COUNT(words) - 1)]

/* ---- the computation ---- */

static void put_tables(maker *m)
{
  static const char *const mask[] = { "(J >= lo[I])*(J < lo[I]+c[I])",
                                      "(J >= lo[I])*(J < lo[I]+c[I]), J == kb-1",
                                      "(J >= I-1)*(J <= I), (J%4 == 1)*(J < I)",
                                      "(J+3*I)%5 < c[I]",
                                      "J == lo[I], J == 3*I%kb",
                                      "J < 3, J == I/2" };
  static const char *const u[] = { "I/5%3", "I*3%7", "I > 6", "1", "I", "c[I]" };
  static const char *const v[] = { "J%2+1", "J < 6", "2", "J", "J/3" };
  static const char *const t[] = { "I+2*J", "J", "I/4+J", "J%3", "5", "col[I,J]+1", "v[max(0, col[I,J])]", "I/6*J" };
  int64_t b = pick(m, 1, 3), blocks = pick(m, 10, 26), keys = pick(m, 9, 20);
  text_printf(m->out, "param b = %d, n = %d, nk = %d\n", (int)b, (int)(b * blocks - pick(m, 0, b - 1)),
              (int)(b * keys - pick(m, 0, b - 1)));
  text_add(m->out, "param nb = ceil(n, b), kb = ceil(nk, b)\ntable rows[I:nb] = min(b, n - I*b)\ntable cols[J:kb] = "
                   "min(b, nk - J*b)\n");
  text_printf(m->out, "table c[I:nb] = 1 + I/%d%%%d\ntable lo[I:nb] = (I*%d+3) %% (kb-4)\n", (int)pick(m, 2, 9),
              (int)pick(m, 1, 4), (int)pick(m, 0, 9));
  text_printf(m->out,
              "table mask[I:nb, J:kb] = max(J == 2, %s)\ntable cnt[nb] = nonzero_count(mask)\ntable col[nb,kb] = "
              "nonzero_column(mask)\n",
              ONE_OF(m, mask));
  text_printf(m->out, "table u[I:nb] = %s\ntable v[J:kb] = %s\n", ONE_OF(m, u), ONE_OF(m, v));
  text_printf(m->out, "table t[I:nb, J:kb] = %s\n", ONE_OF(m, t));
}

static const char *place(maker *m)
{
  static const char *const tame[] = { "u[I]+q",   "v[col[I,q]]", "I+q",          "3*I+j", "7",
                                      "col[I,q]", "t[I,q]",      "col[I,q]*2+1", "I",     "t[I,cnt[I]-1]",
                                      "v[q]",     "u[I]*b+c[I]", "I*b+i" };
  static const char *const wild[] = { "250-I",         "q*I",    "col[I,q]+q",     "col[I,q]+I",
                                      "2*I+3*q",       "I*I",    "u[I]*j+I",       "col[I,q]*b+2*j",
                                      "t[I,col[I,q]]", "v[I%7]", "2*col[I,q]+q%3", "t[q,u[I]%3]",
                                      "I-4",           "I+240" };
  return m->wild && chance(m, 2) ? ONE_OF(m, wild) : ONE_OF(m, tame);
}

static void put_computation(maker *m, text *out)
{
  static const char *const key[] = { "col[I,q]*b+j", "col[I,q]*b+j",   "col[I,q]*b+j",
                                     "b*col[I,q]+j", "col[I,q]*b+j+1", "j+b*I" };
  m->out = out;
  put_tables(m);
  m->extra = chance(m, 2) ? place(m) : NULL;
  text_printf(out,
              "input K[nk], Q[n], U[%d]\nX[I:nb, i:rows[I], q:cnt[I], j:cols[col[I,q]]] = X[I,i,q,j-1], "
              "X[I,i,q-1,b-1+j], K[%s]",
              (int)pick(m, 90, 260), m->wild ? ONE_OF(m, key) : key[0]);
  text_add(out, chance(m, 2) ? ", Q[I*b+i]" : "");
  if (m->extra)
    text_printf(out, ", U[%s]", m->extra);
  text_add(out, m->wild && chance(m, 9) ? ", X[I-1,0,0,0]" : "");
  text_add(out, "\noutput O[I:nb, i:rows[I]] = X[I,i,cnt[I]-1,cols[col[I,cnt[I]-1]]-1]\n");
}

/* ---- the program ---- */

/* Its moves cost a word or two, and leave the board as it was. */
static void touch(maker *m)
{
  static const char *const tame[] = {
    "u[I] == 1", "v[col[I,q]] > 1", "t[I,q] > 4", "cnt[I] > 2", "last(q)", "first(q)"
  };
  static const char *const wild[] = { "I%3 == 1", "first(I)",  "last(I)",     "col[I,q] == 3",
                                      "I > 7",    "hi(I) > 6", "col[I,q] < I" };
  text_printf(m->out, "  if %s {\n  load U[5] drop U[5]\n  }\n",
              m->wild && chance(m, 2) ? ONE_OF(m, wild) : ONE_OF(m, tame));
}

static void block(maker *m, const char *i)
{
  text_printf(m->out, "  for j in cols[col[I,q]] {\n  load K[*]\n");
  if (m->extra)
    text_printf(m->out, "  load U[%s]\n  compute X[I,i,q,j] dropping X\n  drop U[%s]\n", m->extra, m->extra);
  else
    text_printf(m->out, "  compute X[I,%s,q,j] dropping X\n", i);
  text_printf(m->out, "  drop K[*]\n  }\n");
}

/* Keys by name; all at once where the rule reads them otherwise. */
static void keys(maker *m, const char *i)
{
  static const char *const name[] = { "col[I,q]*b+j", "col[I,q]*b..col[I,q]*b+b",
                                      "col[I,q]*b..col[I,q]*b+cols[col[I,q]]" };
  if (m->wild && chance(m, 2)) {
    block(m, i);
    return;
  }
  const char *k = ONE_OF(m, name);
  text_add(m->out, "  for j in cols[col[I,q]] {\n");
  text_printf(m->out, "  load K[%s]\n", k);
  if (m->extra)
    text_printf(m->out, "  load U[%s]\n", m->extra);
  text_printf(m->out, "  compute X[I,%s,q,j] dropping X\n", i);
  if (m->extra)
    text_printf(m->out, "  drop U[%s]\n", m->extra);
  text_printf(m->out, "  drop K[%s]\n  }\n", k);
}

static void row(maker *m)
{
  bool single = m->extra || chance(m, 2);
  const char *i = single ? "i" : "*";
  text_add(m->out, "  load Q[I*b..I*b+rows[I]]\n");
  text_add(m->out, single ? "  for i in rows[I] {\n" : "");
  text_printf(m->out, "  for q in cnt[I] {\n");
  if (chance(m, 2))
    touch(m);
  keys(m, i);
  if (chance(m, 4))
    text_printf(m->out, "  store X[I,%s,q,cols[col[I,q]]-1]\n", i);
  text_printf(m->out, "  }\n  compute O[I,%s] dropping X\n  store O[I,%s]\n  drop O[I,%s]\n%s", i, i, i,
              single ? "  }\n" : "");
  text_add(m->out, m->wild && chance(m, 9) ? "  if I != 5 {\n  drop Q[I*b..I*b+rows[I]]\n  }\n"
                                           : "  drop Q[I*b..I*b+rows[I]]\n");
}

static void put_program(maker *m, text *out)
{
  static const char *const before[] = { "load U[9]\n", "erase K[4]\n",
                                        ("for I in 8..10 {\n  load K[*], Q[*], U[*]\n  for q in cnt[I] {\n  compute "
                                         "X[I,*,q,*] dropping X\n  }\n  compute O[I,*]\n"
                                         "  store O[I,*]\n  drop O[I,*], X[I,*,*,*], K[*], Q[*], U[*]\n}\n"),
                                        "load U[9] drop U[9]\n", "load K[*] store K[*]\n" };
  static const char *const after[] = { "for I in nb {\n  load O[I,*] drop O[I,*]\n}\n",
                                       "for I in nb {\n  erase O[I,*]\n}\n", "load O[*,*]\n" };
  m->out = out;
  if (m->wild && chance(m, 3))
    text_add(out, ONE_OF(m, before));
  text_printf(out, "for I in %s {\n", m->wild && chance(m, 5) ? "2..nb" : "nb");
  row(m);
  text_add(out, "}\n");
  if (chance(m, 5))
    text_add(out, ONE_OF(m, after));
}

static pebble_rules make(uint64_t seed, bool wild, text *computation, text *program)
{
  maker m = { .r = { seed }, .wild = wild };
  put_computation(&m, computation);
  put_program(&m, program);
  return (pebble_rules){ .variant = chance(&m, 4) ? PEBBLE_SLIDING : PEBBLE_PLACING,
                         .one_shot = chance(&m, 3),
                         .m = (uint64_t)(chance(&m, 6) ? pick(&m, 4, 14) : 1000) };
}

static void compare(uint64_t seed, bool wild, ways_tally *of)
{
  text computation = { 0 }, program = { 0 };
  pebble_rules rules = make(seed, wild, &computation, &program);
  ways_try_texts(seed, &computation, &program, &rules, true, "ALIKE_SAY", of);
  text_clear(&computation);
  text_clear(&program);
}

START_TEST(agree)
{
  ways_tally of = { 0 };
  for (int k = 0; k < 4; k++)
    compare(4 * (uint64_t)_i + (uint64_t)k, k % 2, &of);
}
END_TEST

/* Worth something only if many of them are legal, and iterations are left out. */
START_TEST(leave_iterations_out)
{
  for (int wild = 0; wild < 2; wild++) {
    ways_tally of = { 0 };
    for (uint64_t seed = 0; seed < 200; seed++)
      compare(seed, wild, &of);
    ways_say("ALIKE_SAY", &of);
    ck_assert_uint_gt(of.plays, 190);
    ck_assert_uint_gt(of.legal, wild ? 40 : 80);
    ck_assert_uint_gt(of.jumping, wild ? 50 : 100);
  }
}
END_TEST

/* ---- statement by statement: what came before a loop is not in its text ---- */

static pebble_verdict stream(const cdag *g, text *program, const pebble_rules *rules, bool forward)
{
  schedule_play_options o = { .rules = *rules, .engine = PEBBLE_BY_TILE, .fast_forward = forward };
  schedule_verdict v = { 0 };
  diag d = { 0 };
  FILE *in = fmemopen(program->s, program->n, "r");
  ck_assert_int_eq(schedule_play_stream(in, "random.sched", g, &o, &v, &d), OK);
  fclose(in);
  pebble_verdict verdict = v.verdict;
  schedule_verdict_clear(&v);
  return verdict;
}

START_TEST(streams_agree)
{
  text computation = { 0 }, program = { 0 }, erased = { 0 };
  cdag *g = NULL;
  diag d = { 0 };
  pebble_rules rules = make((uint64_t)_i, _i % 2, &computation, &program);
  text_printf(&erased, "erase K[%d..%d]\n%s", _i % 7, _i % 7 + 1 + _i % 3, text_str(&program));
  if (cdag_parse(&g, "random.cdag", text_str(&computation), "", &d) == OK) {
    pebble_verdict a = stream(g, &erased, &rules, false), b = stream(g, &erased, &rules, true);
    const char *difference = tile_difference(g, &a, &b);
    ck_assert_msg(!difference, "%s differs in\n%s\n%s", difference, text_str(&computation), text_str(&erased));
  }
  cdag_free(g);
  text_clear(&computation);
  text_clear(&program);
  text_clear(&erased);
}
END_TEST

/* ---- of the library ---- */

static const char *const library[] = { "flat",   "flash2",        "attenio",          "row-by-row", "word-by-word",
                                       "sliced", "square-tiling", "resident-squares", "standard" };
static const char *const masks[] = { "n=96,d=3,b=4,w=1,s=5", "n=97,d=2,b=4,w=2", "n=80,d=2,b=4,w=0,p=30",
                                     "n=90,nk=50,d=2,b=3,w=1,s=4,p=10" };

static const expr_table *table_of(const cdag *g, const char *name)
{
  for (int i = 0; i < g->tables; i++)
    if (!strcmp(g->table[i].name, name))
      return &g->table[i];
  return NULL;
}

/* The loop over the rows of the mask. */
static const schedule_node *outermost(const schedule *s)
{
  ck_assert_int_eq(s->body->child[0]->kind, SCHEDULE_FOR);
  return s->body->child[0];
}

/* Rows of a mask are alike when they have as many rows of elements and as many kept blocks, of the same lengths. */
static bool rows_alike(const cdag *g, int64_t v)
{
  const expr_table *rows = table_of(g, "rows"), *cols = table_of(g, "cols"), *cnt = table_of(g, "cnt"),
                   *col = table_of(g, "col");
  int64_t before = (v - 1) * col->extent[1], now = v * col->extent[1];
  bool all = expr_entry(rows, v - 1) == expr_entry(rows, v) && expr_entry(cnt, v - 1) == expr_entry(cnt, v);
  for (int64_t q = 0; q < expr_entry(cnt, v) && all; q++)
    all = expr_entry(cols, expr_entry(col, before + q)) == expr_entry(cols, expr_entry(col, now + q));
  return all;
}

START_TEST(rows_of_masks)
{
  text spec = { 0 };
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  forward_alike a;
  text_printf(&spec, "attention-sparse:%s", masks[_i / (int)COUNT(library)]);
  ck_assert_int_eq(cdag_open(&g, text_str(&spec), &d), OK);
  ck_assert_int_eq(schedule_open(&s, g, 4000, library[_i % (int)COUNT(library)], &d), OK);
  uint64_t iterations = (uint64_t)table_of(g, "cnt")->extent[0], same = 0;
  schedule_forward_alike(s, outermost(s), 0, iterations, &a);
  ck_assert(a.able);
  for (uint64_t i = 1; i < iterations; i++) {
    ck_assert_int_le(a.same[i], rows_alike(g, (int64_t)i));
    same += a.same[i];
  }
  ck_assert_uint_gt(same, 0);
  schedule_forward_alike_clear(&a);
  schedule_free(s);
  cdag_free(g);
  text_clear(&spec);
}
END_TEST

/* ---- by hand ---- */

#define TOUCH "{ load U[0] drop U[0] }"
#define BARE "load A[0] compute O[I] dropping A store O[I] drop O[I] "

/* Of the iterations of a loop, from the number on that it begins with, or 0: = is like the one before and must be found
   so, . is not; ? is, and need not be found, or comes after the end of the play. */
static const struct { const char *declared, *loop, *iteration, *same;
} by_hand[] = {
  /* what is read of a table: directly and through others, through two, over several ranges, in one variable's */
  { "table u[J:4] = 1\ntable t[I:nb, J:3] = I/2%2\n", "nb",
    BARE "for q in 3 { if u[t[I,q]] " TOUCH " } for q in 3 { if t[I,q] " TOUCH " }", ".=.=.=.=" },
  { "table u[J:4] = 1\ntable v[J:4] = J/2\ntable t[I:nb, J:3] = I%4\n", "nb",
    BARE "for q in 3 { if u[t[I,q]] " TOUCH " if v[t[I,q]] " TOUCH " }", ".=.=.=.=" },
  { "table t[I:nb, J:4] = (J < 2)*(I/2%2)\n", "nb",
    BARE "for q in 2..4 { if t[I,q] " TOUCH " } for q in 4 { if t[I,q] " TOUCH " }", ".=.=.=.=" },
  { "table t[I:nb, J:4] = (J >= 2)*(I/2%2)\n", "nb",
    BARE "for q in 2 { if t[I,q] " TOUCH " } for q in 4 { if t[I,q] " TOUCH " }", ".=.=.=.=" },
  { "table t[I:nb, J:4] = (J < 2)*I\n", "nb", BARE "for q in 2..4 { if t[I,q] " TOUCH " }", ".=======" },
  { "table t[I:nb, J:3] = (J == 2)*(I/2%2)\n", "nb", BARE "for q in -2..1 { if t[I,-q] " TOUCH " }", ".=.=.=.=" },
  { "table v[J:4] = J%2\ntable t[I:nb, J:4] = (J > 1)*I\n", "nb",
    BARE "for r in 3 { for q in 3/(r*r-r+1) { if t[I,v[q]] " TOUCH " } }", ".=======" },
  { "table t[I:nb, J:nb] = J > 3\n", "nb", BARE "if t[I,I] " TOUCH, ".???.???" },
  { "table c[I:nb] = I/2%2\ntable v[J:4] = J\n", "nb", BARE "if v[c[I]] " TOUCH, ".=.=.=.=" },
  { "table t[I:nb, J:3] = (J == 2)*(I/4*2)\nY[I:nb, j:3] = A[0]\nX[I:nb, j:3] = Y[I,t[I,j]]\n", "nb",
    "load A[0] compute Y[I,0..2] compute X[I,*] drop A[0], Y[I,*], X[I,*]", ".===.???" },
  /* ranges that are not known, as the divisor's seems to begin below 0 */
  { "table t[I:nb, J:4] = (J == 2)*(I/2%2)\n", "nb", BARE "for r in 3 { for q in 3/(r*r-r+1) { if t[I,q] " TOUCH " } }",
    ".?.?.?.?" },
  { "table t[I:nb] = 1\ninput K[8]\n", "nb", BARE "for r in 3 { for q in 3/(r*r-r+1) { load K[I+q] drop K[I+q] } }",
    ".?????.?" },
  /* entries outside the table that they are an index of, on both sides of it, and far out */
  { "table u[J:4] = 1\ntable t[I:nb, J:2] = 0-(J == 1)*(I/2%2)\n", "nb", BARE "for q in 2 { if u[t[I,q]] " TOUCH " }",
    ".=.=.=.=" },
  { "table u[J:4] = 1\ntable t[I:nb, J:2] = 0-1000000000*(J == 1)*(I/2%2)\n", "nb",
    BARE "for q in 2 { if u[t[I,q]] " TOUCH " }", ".=.=.=.=" },
  { "table u[J:4] = 1\ntable t[I:nb, J:2] = (J == 1)*(I%2*5-1)\n", "nb", BARE "for q in 2 { if u[t[I,q]] " TOUCH " }",
    ".=======" },
  { "table u[J:4] = 1\ntable t[I:nb, J:2] = J == I%2\n", "nb", BARE "for q in 2 { if u[t[I,q]] " TOUCH " }",
    ".=======" },
  /* inputs that move with the iteration: inside, from the first to the last; not all of one array alike; not by as much
     as it seems */
  { "table t[I:nb] = 1\ninput K[20], Q[5]\nX[I:nb] = A[0], K[I], Q[I]\n", "nb",
    "load A[0], K[I], Q[I] compute X[I] drop A[0], K[I], Q[I], X[I]", ".====.??" },
  { "table t[I:nb] = 1\ninput K[8], Q[i:2..8]\nX[I:nb] = A[0], K[I], Q[I]\n", "nb",
    "load A[0], K[I] compute X[I] drop A[0], K[I], X[I]", ".?.?????" },
  { "table t[I:nb] = 1\ninput K[8], Q[8]\nX[I:nb] = A[0], Q[I], K[2*I]\n", "nb",
    "load A[0], Q[I], K[2*I] compute X[I] drop A[0], Q[I], K[2*I], X[I]", ".===.???" },
  { "table t[I:nb] = 1\ninput K[8]\n", "nb", BARE "load K[I] drop K[I]", ".=======" },
  { "table t[I:nb] = 1\ninput K[20]\n", "nb", BARE "load K[I], K[3] drop K[I], K[3]", ".??.????" },
  { "table t[I:nb] = 1\ninput K[20]\n", "nb", BARE "load K[I+3], K[2*I] drop K[I+3], K[2*I]", ".??.????" },
  { "table t[I:nb] = 1\ninput K[99]\n", "nb", BARE "load K[I+3], K[I+I] drop K[I+3], K[I+I]", ".??.????" },
  { "table t[I:nb] = 1\ninput K[12]\n", "nb", BARE "load K[I*I..I*I+1] drop K[I*I..I*I+1]", ".???.???" },
  { "table t[I:nb] = 1\ninput K[12]\n", "nb", BARE "load K[0..I*I] drop K[0..I*I]", ".....???" },
  { "table t[I:nb] = 1\ninput K[2,8]\nX[I:nb] = A[0], K[0,I]\n", "nb",
    "load A[0], K[0,I] compute X[I] for q in 8 by 4 { drop K[0,q] load U[0] drop U[0] } drop A[0], X[I]", ".???.???" },
  /* blocks that a table names: apart, ascending, not beyond their ends */
  { "table t[I:nb, J:2] = J+I/2\ninput K[20]\n", "nb",
    BARE "for q in 2 { load K[2*t[I,q]..2*t[I,q]+2] } for q in 2 { drop K[2*t[I,q]..2*t[I,q]+2] }", ".=======" },
  { "table t[I:nb, J:2] = J*(1-I/2%2)\ninput K[20]\n", "nb",
    BARE "for q in 2 { load K[2*t[I,q]..2*t[I,q]+2] } for q in 2 { drop K[2*t[I,q]..2*t[I,q]+2] }", ".=.?????" },
  { "table t[I:nb, J:2] = J*(1+I/2%2*14)\ninput K[20]\n", "nb",
    BARE "for q in 2 { load K[2*t[I,q]..2*t[I,q]+2] } for q in 2 { drop K[2*t[I,q]..2*t[I,q]+2] }", ".=.=.=.=" },
  { "table t[I:nb, J:2] = J*(I%2)\ninput K[20]\n", "nb",
    BARE "for q in 2 { load K[2*t[I,q]..2*t[I,q]+2] drop K[2*t[I,q]..2*t[I,q]+2] }", "........" },
  { "table t[I:nb, J:2] = J*(5-4*(I/2%2))\ninput K[20]\n", "nb",
    BARE "for q in 2 { load K[2*t[I,q]..2*t[I,q]+3] } for q in 2 { drop K[2*t[I,q]..2*t[I,q]+3] }", ".?.?????" },
  { "table t[I:nb, J:2] = 1+J*(4-3*(I/2%2))\ninput K[20]\n", "nb",
    BARE "for q in 2 { load K[(0-1)+2*t[I,q]..2*t[I,q]+2] } for q in 2 { drop K[(0-1)+2*t[I,q]..2*t[I,q]+2] }",
    ".?.?????" },
  { "table t[I:nb, J:2] = 1+J*(4-3*(I/2%2))\ninput K[20]\n", "nb",
    BARE "load K[2*t[I,0]+1] for q in 0-1..2 { load K[2*t[I,1]+q] drop K[2*t[I,1]+q] } drop K[2*t[I,0]+1]",
    ".?.?????" },
  { "table t[I:nb, J:2] = J*(1+I/2%2)\ninput K[20]\n", "nb",
    BARE "load K[2*t[I,0]..2*t[I,1]] drop K[2*t[I,0]..2*t[I,1]]", ".?.?.?.?" },
  /* elements, named by an iteration's number beyond their first index, and by blocks of a loop inside */
  { "table c[I:nb] = 1+I/2%2\nX[I:nb, j:4] = A[0]\n", "nb", "load A[0] compute X[I,0..c[I]] drop A[0], X[I,*]",
    ".=.=.=.=" },
  { "table t[I:nb] = 1\nX[I:nb, j:4] = A[0]\n", "nb", "load A[0] compute X[I,I] drop A[0], X[I,*]", ".???.???" },
  { "table t[I:nb] = 1\nX[I:nb, j:4] = A[0]\n", "nb", "load A[0] compute X[I,I..I+1] drop A[0], X[I,*]", ".???.???" },
  { "table t[I:nb] = 1\nX[I:nb, j:4] = A[0]\n", "nb", "load A[0] compute X[I,I..4] drop A[0], X[I,*]", ".....???" },
  { "table t[I:nb] = 1\nX[I:nb, j:4] = A[0]\n", "nb", "load A[0] compute X[I,0..I] drop A[0], X[I,*]", ".....???" },
  { "table t[I:nb] = 1\nX[I:nb] = A[0]\n", "nb",
    "load A[0] compute X[I] for q in 8 by 4 { drop X[q] load U[0] drop U[0] } drop A[0]", ".???.???" },
  /* loops: one inside that grows, others outside, which may begin before a table and end after it */
  { "table t[I:nb] = 1\n", "nb", BARE "for q in I " TOUCH, "........" },
  { "table t[I:nb] = I/2%2\n", "nb by 2", "if t[lo(I)] " TOUCH, "...." },
  { "table t[I:nb] = I > 0\n", "nb reversed", BARE "if t[I] " TOUCH, ".??????." },
  { "table t[I:nb] = 0\n", "nb+2", "if t[I] " TOUCH, ".=======.?" },
  { "table t[I:nb] = 0\n", "-2..nb", "if t[I] " TOUCH, "..?=======" },
};

static void put_by_hand(int k, text *computation, text *program)
{
  text_printf(computation, "param nb = 8\ninput A[1], U[1]\noutput O[I:nb] = A[0]\n%s", by_hand[k].declared);
  text_printf(program, "for I in %s {\n%s\n}\n", by_hand[k].loop, by_hand[k].iteration);
}

static void check_by_hand(const schedule *s, const char *same, int64_t first, const char *program)
{
  forward_alike a;
  schedule_forward_alike(s, outermost(s), first, strlen(same), &a);
  for (size_t i = 0; same[i]; i++) {
    bool found = a.able && a.same[i];
    ck_assert_msg(same[i] == '?' || found == (same[i] == '='), "iteration %d is %sfound like the one before in\n%s",
                  (int)i, found ? "" : "not ", program);
  }
  schedule_forward_alike_clear(&a);
}

START_TEST(iterations_by_hand)
{
  text computation = { 0 }, program = { 0 };
  ways_tally of = { 0 };
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  put_by_hand(_i, &computation, &program);
  ck_assert_msg(cdag_parse(&g, "hand.cdag", text_str(&computation), "", &d) == OK, "%s in\n%s", d.message,
                text_str(&computation));
  ck_assert_msg(schedule_parse(&s, g, 100, "hand.sched", text_str(&program), "", &d) == OK, "%s in\n%s", d.message,
                text_str(&program));
  check_by_hand(s, by_hand[_i].same, strtol(by_hand[_i].loop, NULL, 10), text_str(&program));
  ways_add(s, &(pebble_rules){ .m = 100 }, true, text_str(&program), &of);
  schedule_free(s);
  cdag_free(g);
  text_clear(&computation);
  text_clear(&program);
}
END_TEST

/* ---- rows that are copied beside what was there before ---- */

#define ALL "for I in nb { " BARE "if t[I] " TOUCH " }\n"

static const struct { const char *declared, *program; bool one_shot, legal;
} beside[] = {
  /* an element further on is blue already, or is computed already, and no longer blue */
  { "param nb = 40\ntable t[I:nb] = 1\n", "for I in 20..21 { " BARE " }\n" ALL, false, false },
  { "param nb = 40\ntable t[I:nb] = 1\n", "for I in 20..21 { " BARE " }\n" ALL, true, false },
  { "param nb = 40\ntable t[I:nb] = 1\n", "for I in 20..21 { " BARE " erase O[I] }\n" ALL, true, false },
  /* what ends where the model does, and is not the loop's, stays as it is */
  { "param nb = 40\ntable t[I:nb] = I > 8\nZ[I:nb] = A[0]\n",
    "for I in 10 { load A[0] compute Z[I] dropping A store Z[I] drop Z[I] }\n" ALL "load Z[11]\n", false, false },
  { "param nb = 40\ntable t[I:nb] = I > 8\nZ[I:nb] = A[0]\n",
    "for I in 10 { load A[0] compute Z[I] dropping A store Z[I] drop Z[I] }\n" ALL "load Z[9]\n", false, true },
  /* many boxes, three rows each, found again one by one */
  { "param nb = 900\ntable t[I:nb] = I/3%2\nX[I:nb, j:2] = A[0]\n",
    ALL "for I in nb { load A[0] if t[I] { compute X[I,0] store X[I,0] drop X[I,0] } if t[I] == 0 { compute X[I,1] "
        "store X[I,1] drop X[I,1] } drop A[0] }\n"
        "for I in nb reversed { if t[I] { load X[I,0] drop X[I,0] } if t[I] == 0 { load X[I,1] drop X[I,1] } }\n",
    false, true },
};

START_TEST(rows_beside)
{
  text computation = { 0 }, program = { 0 };
  ways_tally of = { 0 };
  diag d = { 0 };
  text_printf(&computation, "%sinput A[7], U[7]\noutput O[I:nb] = A[0]\n", beside[_i].declared);
  text_add(&program, beside[_i].program);
  ck_assert_msg(ways_add_texts(0, &computation, &program, &(pebble_rules){ .one_shot = beside[_i].one_shot, .m = 100 },
                               true, &of, &d),
                "%s in\n%s\n%s", d.message, text_str(&computation), text_str(&program));
  ck_assert_int_eq(of.legal, beside[_i].legal);
  text_clear(&computation);
  text_clear(&program);
}
END_TEST

/* Rows that are the same but for what earlier rows left on the board are left out as other iterations are: of each that
   were played, four thousand iterations inside it would be left out by themselves. */
START_TEST(rows_beside_others)
{
  schedule_verdict v = { 0 };
  ways_play_library("attention-online:n=4099,d=7", "standard:a=10,g=10", 3000, &v);
  ck_assert_uint_gt(v.inferred, 4000);
  ck_assert_uint_lt(v.inferred, 100 * 4099);
  schedule_verdict_clear(&v);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tile_alike");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, agree, 100, 100 + support_rounds(150));
  tcase_add_loop_test(c, streams_agree, 0, 60);
  if (!support_sanitized())
    tcase_add_test(c, leave_iterations_out);
  tcase_add_test(c, rows_beside_others);
  tcase_add_loop_test(c, iterations_by_hand, 0, COUNT(by_hand));
  tcase_add_loop_test(c, rows_beside, 0, COUNT(beside));
  tcase_add_loop_test(c, rows_of_masks, 0, COUNT(masks) * COUNT(library));
  return support_run(s);
}
