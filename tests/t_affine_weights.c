/* Steps of windows that move by more than one place weigh more where the window has fewer places with their rest: no
   set of steps weighs more than the law says of its words (docs/theory-affine.md, section 3, Weights). */
#include "bounds/bound.h"
#include "bounds/check/affine/claim.h"
#include "bounds/check/affine/weigh.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <math.h>
#include <string.h>

/* S[f,y,c,a] reads x[c, st y + a] and w[f,c,a]; 0 <= a < k. */
static const struct { int st, k, f, y, c; } windows[] = {
  { 2, 3, 4, 6, 2 }, { 2, 5, 4, 6, 2 }, { 3, 4, 4, 6, 2 }, { 3, 5, 4, 6, 2 }, { 3, 7, 3, 7, 2 },
};
enum { F = 4, Y = 7, C = 2, K = 7, SETS = 400 };
typedef struct { bool in[F][Y][C][K]; } set;

static double weight(int st, int k, int a)
{
  int most = (k + st - 1) / st, places = (k - a % st + st - 1) / st;
  return sqrt((double)most / places);
}

/* Its words and accumulators, and what its steps weigh. */
static int words_of(const set *s, int row, double *weighs)
{
  bool o[F][Y] = { { false } }, w[F][C][K] = { { { false } } }, x[C][4 * Y + K] = { { false } };
  int n = 0, st = windows[row].st;
  *weighs = 0;
  for (int f = 0; f < windows[row].f; f++)
    for (int y = 0; y < windows[row].y; y++)
      for (int c = 0; c < windows[row].c; c++)
        for (int a = 0; a < windows[row].k; a++) {
          if (!s->in[f][y][c][a])
            continue;
          n += !o[f][y] + !w[f][c][a] + !x[c][st * y + a];
          o[f][y] = w[f][c][a] = x[c][st * y + a] = true;
          *weighs += weight(st, windows[row].k, a);
        }
  return n;
}

#define TEXT(MATRIX, READ)                                                                                             \
  "param st, k, f, y, c\ninput x[c,st*y+k], w[" MATRIX "]\n"                                                           \
  "output S[o:f, i:y] = sum s:c, a:k { x[s,st*i+a], w[" READ "] }\n"
static const char text_of[] = TEXT("f,c,k", "o,s,a");

/* The claim that is found of a large one, changed, derived. */
static void derive(const char *source, int row, const cdag *g, void (*change)(claim_group *), affine_facts *f)
{
  affine_claim c;
  json_value v;
  diag d = { 0 };
  char assign[96];
  snprintf(assign, sizeof assign, "st=%d,k=%d,f=100,y=200,c=100", windows[row].st, windows[row].k);
  cdag *large = bound_text_open(source, assign);
  text reason = { 0 }, found = bound_claim_of("affine", large, 200);
  cdag_free(large);
  ck_assert_int_eq(json_read(&v, text_str(&found), found.n, "claim", &d), OK);
  ck_assert(affine_claim_read(&v, &c, &reason));
  if (change)
    change(&c.group[0]);
  ck_assert(affine_facts_init(f, g, c.reading));
  ck_assert_msg(affine_derive(f, &c, &reason), "%s", text_str(&reason));
  json_value_clear(&v);
  text_clear(&found);
  text_clear(&reason);
}

START_TEST(no_set_weighs_more)
{
  char assign[96];
  affine_facts facts;
  double all, near = 0;
  support_random r = { (uint64_t)_i + 1 };
  static set s;
  snprintf(assign, sizeof assign, "st=%d,k=%d,f=%d,y=%d,c=%d", windows[_i].st, windows[_i].k, windows[_i].f,
           windows[_i].y, windows[_i].c);
  cdag *g = bound_text_open(text_of, assign);
  derive(text_of, _i, g, NULL, &facts);
  const group_facts *of = &facts.group[0];
  ck_assert_int_eq((int)of->unit, WEIGHT_UNIT);
  memset(&s, true, sizeof s);
  words_of(&s, _i, &all);
  double work = mpz_get_d(of->work) / WEIGHT_UNIT;
  ck_assert_msg(work <= all && work >= all * (1 - 2.0 / WEIGHT_UNIT), "%s: %f, not %f", assign, work, all);
  mpz_t x, most;
  mpz_inits(x, most, NULL);
  for (int k = 0; k < SETS; k++) {
    int share = (int)support_between(&r, 30, 110);
    double weighs;
    for (int a = 0; a < K; a++)
      for (int p = 0; p < F * Y * C; p++)
        s.in[p / (Y * C)][p / C % Y][p % C][a] = k == 0 || support_between(&r, 0, 100) < share;
    mpz_set_si(x, words_of(&s, _i, &weighs));
    group_most(of, x, most);
    ck_assert_msg(weighs <= mpz_get_d(most) / WEIGHT_UNIT + 1e-2, "%s: %f by %ld words, and %f are said to be most",
                  assign, weighs, mpz_get_si(x), mpz_get_d(most) / WEIGHT_UNIT);
    near = fmax(near, weighs * WEIGHT_UNIT / mpz_get_d(most));
  }
  ck_assert_msg(near > .8, "%s: at most %f of what is said", assign, near);
  mpz_clears(x, most, NULL);
  affine_facts_clear(&facts);
  cdag_free(g);
}
END_TEST

static void all_covered(claim_group *c) { c->den /= 2; }
static void one_column(claim_group *c)
{
  ck_assert_int_eq(c->statement[0].items, 3);
  c->statement[0].item[1].column = c->statement[0].item[2].column;
}

/* Steps weigh one each: the matrix does not tell the place in the window, so a word of it serves steps with all rests;
   powers cover the quotients, which no extent pays for; matrix and image stand in one column; an image read at each
   place tells rests where the accumulator is known alone; all rests have as many places; two statements are counted
   together.  Or places are the first loop. */
static const struct { const char *source, *assign; void (*change)(claim_group *); int unit; } units[] = {
  { TEXT("f,c", "o,s"), "st=2,k=3,f=4,y=6,c=2", NULL, 1 },
  { text_of, "st=2,k=3,f=4,y=6,c=2", all_covered, 1 },
  { text_of, "st=2,k=3,f=4,y=6,c=2", one_column, 1 },
  { text_of, "st=1,k=3,f=4,y=6,c=2", NULL, 1 },
  { text_of, "st=2,k=4,f=4,y=6,c=2", NULL, 1 },
  { "param st, k, f, y, c\ninput x[c,st*y+k], w[f,c,k], v[f,c,k]\noutput S[o:f, i:y] = sum s:c, a:k { x[s,st*i+a], "
    "w[o,s,a] }\noutput T[o:f, i:y] = sum s:c, a:k { x[s,st*i+a], v[o,s,a] }\n", "st=2,k=3,f=4,y=6,c=2", NULL, 1 },
  { "param st, k, f, y, c\ninput x[c,st*y+k], w[f,c,k]\nP[a:k, o:f, i:y, s:c] = P[a-1,o,i,s], P[k-1,o,i,s-1] if a == 0"
    ", x[s,st*i+a], w[o,s,a]\noutput P[k-1,*,*,c-1]\n", "st=2,k=3,f=4,y=6,c=2", NULL, WEIGHT_UNIT },
};

START_TEST(units_of_steps)
{
  affine_facts facts;
  cdag *g = bound_text_open(units[_i].source, units[_i].assign);
  derive(units[_i].source, 0, g, units[_i].change, &facts);
  ck_assert_int_eq((int)facts.group[0].unit, units[_i].unit);
  affine_facts_clear(&facts);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("affine-weights");
  TCase *t = support_case(s, "weights");
  tcase_add_loop_test(t, no_set_weighs_more, 0, COUNT(windows));
  tcase_add_loop_test(t, units_of_steps, 0, COUNT(units));
  return support_run(s);
}
