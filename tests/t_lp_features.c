/* What few words of a token give (docs/theory-lp.md, section 6): no words do more steps than is said, whichever they
   are; the largest of the formula against every value it goes over; texts that are read as monomials, and others. */
#include "base/mem.h"
#include "base/num.h"
#include "bounds/recognise/shape_lowrank.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <stdio.h>
#include <string.h>

/* ---- the formula ---- */

/* All q, v, c. */
static uint64_t most_of_all(const checker_features *f, int64_t x)
{
  const checker_features_weights *w = &f->weigh;
  uint64_t best = 0, work;
  int64_t again = checker_features_reruns(f, x), high = w->query * w->high;
  mpz_t all;
  mpz_init(all);
  checker_features_work(f, all);
  work = mpz_get_ui(all);
  mpz_clear(all);
  for (int64_t q = 0; q <= num_max(f->d, f->features); q++)
    for (int64_t v = 1; v <= f->dv + f->normaliser; v++)
      for (int64_t c = 0; c <= x; c++) {
        int64_t had = checker_features_had(f, q), each = w->query * num_min(w->high, num_max(w->low, q));
        int64_t few = num_min(num_min(q, had) * v, c + again);
        int64_t query = each * num_min(had * v, c + again) + (high - each) * few, key = w->key * num_min(had * v, c);
        best = num_max(best, (uint64_t)((x - c) * num_max(query, key) / (q + v)));
      }
  return num_min(best, work);
}

static void draw_weights(support_random *r, checker_features *f)
{
  f->weigh = (checker_features_weights){ 1, 1, 1, 1 };
  if (f->degree == 0 || support_between(r, 0, 2) == 0)
    return;
  f->weigh.high = support_between(r, 1, 14);
  f->weigh.low = support_between(r, 0, f->weigh.high);
  f->weigh.query = support_between(r, 1, 5);
  f->weigh.key = support_between(r, 1, f->weigh.query * f->weigh.high);
}

START_TEST(largest_of_all)
{
  support_random r = { (uint64_t)_i };
  checker_features f = { .keys = support_between(&r, 1, 40),
                         .features = support_between(&r, 1, 60),
                         .d = support_between(&r, 1, 12),
                         .dv = support_between(&r, 1, 8),
                         .degree = support_between(&r, 0, 3),
                         .normaliser = support_between(&r, 0, 1),
                         .steps = (uint64_t)support_between(&r, 1, 100000) };
  f.free = f.degree > 0 ? support_between(&r, 0, 2) : 0;
  f.key_steps = f.steps / 3;
  for (int l = 0; l < 20; l++)
    f.longer[l] = (f.steps - f.key_steps) / (uint64_t)(l + 1);
  draw_weights(&r, &f);
  mpz_t x, most;
  mpz_inits(x, most, NULL);
  for (int64_t words = 0; words < 120; words += support_between(&r, 1, 9)) {
    checker_features_where where;
    mpz_set_si(x, words);
    checker_features_most(&f, x, most, &where);
    ck_assert_msg(mpz_cmp_ui(most, most_of_all(&f, words)) == 0, "seed %d: %ld words: %lu, not %lu", _i, (long)words,
                  mpz_get_ui(most), (unsigned long)most_of_all(&f, words));
  }
  mpz_clears(x, most, NULL);
}
END_TEST

/* ---- what a segment can do with the words it has ---- */

enum { TOKENS = 5, WIDTH = 4, MOST = 35 }; /* 35 monomials of degree 3 in 4 variables */

typedef struct {
  bool row[WIDTH], feature[MOST], other[WIDTH + 1]; /* of a token; other: of V, or sums */
} token;
typedef struct {
  int n, d, g, r, dv, slices;
  token key[TOKENS], query[TOKENS];
  bool w[MOST][WIDTH + 1];
} words;

/* What the description reads for a feature of the first token. */
typedef struct { int parent, variable; } made_of;
typedef struct {
  made_of *of;
  int features;
} parents;

static bool note(void *context, const cdag_element *e, int term)
{
  parents *p = context;
  (void)term;
  if (e->array == p->features)
    p->of->parent = (int)e->x[1];
  else
    p->of->variable = (int)e->x[1];
  return true;
}

static int draw_token(support_random *r, const words *s, token *t, int q, int v, int off)
{
  int n = 0;
  memset(t, 0, sizeof *t);
  for (int i = 0; i < s->d; i++)
    n += t->row[i] = (i < q) != (support_between(r, 1, 100) <= off);
  for (int i = s->g > 0; i < s->r; i++)
    n += t->feature[i] = s->g == 0 && q < s->d ? i < q : support_between(r, 1, 100) <= off;
  for (int l = 0; l < v; l++)
    n += t->other[l] = support_between(r, 1, 100) > off;
  return n;
}

/* Like what is best: all tokens have the same variables and slices, and the sums these can use; some words off. */
static int draw(support_random *r, words *s, const int64_t *had)
{
  int q = (int)support_between(r, 0, s->d), v = (int)support_between(r, 1, s->slices), n = 0;
  int off = (int)support_between(r, 0, 3) * 5, queries = (int)support_between(r, 0, 1);
  int some = (int)support_between(r, 1, s->n), skip = support_between(r, 0, 2) == 0;
  some = skip ? s->n : some;
  for (int i = 0; i < s->n; i++) {
    n += draw_token(r, s, &s->key[i], i < some && !queries ? q : 0, i < some && !queries ? num_min(v, s->dv) : 0, off);
    n += draw_token(r, s, &s->query[i], i < some && queries ? q : 0, i < some && queries ? v : 0, off);
  }
  for (int a = 0; a < s->r; a++)
    for (int l = 0; l < s->slices; l++)
      n += s->w[a][l] = (l < v && had[a] <= q && !skip) && support_between(r, 1, 100) > off;
  return n;
}

static void have(const words *s, const token *t, const made_of *of, bool *has)
{
  bool whole = true;
  for (int i = 0; i < s->d; i++)
    whole = whole && t->row[i];
  for (int a = 0; a < s->r; a++) /* a parent comes first */
    has[a] = t->feature[a] || (s->g == 0 ? whole : a == 0 || (has[of[a].parent] && t->row[of[a].variable]));
}

static bool again(const words *s, bool has[TOKENS][MOST], int a, int l)
{
  for (int j = 0; j < s->n; j++)
    if (!has[j][a] || (l < s->dv && !s->key[j].other[l]))
      return false;
  return l < s->dv || a > 0 || s->g == 0;
}

static int count(const bool *flag, int n)
{
  int set = 0;
  for (int i = 0; i < n; i++)
    set += flag[i];
  return set;
}

/* Of one token, and of sums made anew, no more than is said either. */
static void shares(const words *s, const checker_features *f, int64_t x, bool has[TOKENS][MOST], int seed)
{
  int64_t anew = 0;
  for (int j = 0; j < s->n; j++) {
    int64_t own = count(s->key[j].row, s->d) + count(s->key[j].feature, s->r), had = count(has[j], s->r);
    ck_assert_msg(had <= checker_features_had(f, own), "seed %d: %ld words give %ld features", seed, (long)own,
                  (long)had);
  }
  for (int a = 0; a < s->r; a++)
    for (int l = 0; l < s->slices; l++)
      anew += again(s, has, a, l);
  ck_assert_msg(anew <= checker_features_reruns(f, x), "seed %d: %ld words make %ld sums anew", seed, (long)x,
                (long)anew);
}

/* The runs of features in order, found from the last: f counts down to each run's first. */
static void find_runs(const words *s, const made_of *of, int64_t run[MOST])
{
  for (int a = 0, end; a < s->r; a = end) {
    for (end = a + 1; end < s->r && a > 0 && of[end].variable == of[end - 1].variable + 1; end++)
      ;
    for (int x = a; x < end; x++)
      run[x] = a > 0 && of[end - 1].variable == s->d - 1 ? end - a : 0;
  }
}

/* What the steps of keys weigh, and of queries the heaviest consecutive steps of each sum. */
static uint64_t steps(const words *s, const checker_features_weights *w, const made_of *of, bool has[TOKENS][MOST])
{
  bool mine[MOST];
  int64_t run[MOST];
  uint64_t n = 0;
  find_runs(s, of, run);
  for (int i = 0; i < s->n; i++) {
    have(s, &s->query[i], of, mine);
    for (int l = 0; l < s->slices; l++) {
      int64_t now = 0, most = 0;
      for (int a = 0; a < s->r; a++) {
        n += (uint64_t)w->key * (l < s->dv && s->w[a][l] && has[i][a] && s->key[i].other[l]);
        bool can = s->query[i].other[l] && mine[a] && (l < s->dv || a > 0 || s->g == 0) &&
                   (s->w[a][l] || again(s, has, a, l));
        now = can ? now + w->query * num_min(w->high, num_max(w->low, run[a])) : s->g > 0 ? 0 : now;
        most = num_max(most, now);
      }
      n += (uint64_t)most;
    }
  }
  return n;
}

START_TEST(no_words_do_more)
{
  support_random r = { (uint64_t)_i };
  words *s = MEM_NEW(words, 1);
  made_of of[MOST] = { { 0, 0 } };
  int64_t had[MOST];
  bool has[TOKENS][MOST];
  char spec[120];
  diag d = { 0 };
  cdag *g = NULL;
  lowrank_shape l;
  s->n = (int)support_between(&r, 2, TOKENS);
  s->d = (int)support_between(&r, 1, WIDTH);
  s->g = (int)support_between(&r, 0, 3);
  s->dv = (int)support_between(&r, 1, WIDTH);
  snprintf(spec, sizeof spec, "attention-lowrank:n=%d,d=%d,dv=%d,%s=%d", s->n, s->d, s->dv, s->g > 0 ? "g" : "r",
           s->g > 0 ? s->g : (int)support_between(&r, 2, 8));
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  ck_assert_msg(bound_lowrank_find(g, NULL, &l), "%s", spec);
  s->r = (int)l.read.features;
  s->slices = s->dv + l.read.normaliser; /* not where its features are one */
  parents p = { NULL, l.read.key_feature };
  for (int a = 0; a < s->r; a++) { /* the variables a monomial has, the last of them: 1 + the greatest */
    p.of = &of[a];
    if (s->g > 0 && a > 0)
      cdag_each_predecessor(g, p.features, (int64_t[CDAG_RANK]){ 0, a }, note, &p);
    had[a] = s->g == 0 ? 0 : a == 0 ? 0 : num_max(had[of[a].parent], of[a].variable + 1);
  }
  mpz_t x, most;
  mpz_inits(x, most, NULL);
  mpz_set_si(x, draw(&r, s, had));
  checker_features_where where;
  draw_weights(&r, &l.read);
  checker_features_most(&l.read, x, most, &where);
  for (int j = 0; j < s->n; j++)
    have(s, &s->key[j], of, has[j]);
  uint64_t done = steps(s, &l.read.weigh, of, has);
  shares(s, &l.read, mpz_get_si(x), has, _i);
  ck_assert_msg(mpz_cmp_ui(most, done) >= 0, "seed %d: %s: %lu words do work of %lu, more than %lu", _i, spec,
                mpz_get_ui(x), (unsigned long)done, mpz_get_ui(most));
  mpz_clears(x, most, NULL);
  mem_free(s);
  cdag_free(g);
}
END_TEST

/* Of consecutive features that q words give at most q are in runs of more than q, in any text of monomials. */
START_TEST(few_of_longer_runs)
{
  enum { VARIABLES = 8, PLACES = 165 }; /* monomials of degree 3 in 8 variables */
  support_random r = { (uint64_t)_i };
  int d = (int)support_between(&r, 1, VARIABLES), g = (int)support_between(&r, 1, 3), n = 1;
  int variable[PLACES] = { 0 }, parent[PLACES] = { 0 };
  int64_t run[PLACES] = { 0 };
  for (int degree = 1, from = 0, end = 1; degree <= g; degree++, from = end, end = n)
    for (int a = from; a < end; a++)
      for (int x = variable[a]; x < d; x++) {
        parent[n] = a;
        variable[n++] = x;
      }
  for (int a = 1, end; a < n; a = end) {
    for (end = a + 1; end < n && variable[end] == variable[end - 1] + 1; end++)
      ;
    for (int x = a; x < end; x++)
      run[x] = end - a;
  }
  for (int round = 0; round < 200; round++) {
    bool row[VARIABLES], has[PLACES] = { true };
    int q = 0, on = (int)support_between(&r, 20, 100), there = (int)support_between(&r, 0, 20);
    for (int x = 0; x < d; x++)
      q += row[x] = support_between(&r, 1, 100) <= on;
    for (int a = 1; a < n; a++) {
      bool word = support_between(&r, 1, 100) <= there;
      q += word;
      has[a] = word || (has[parent[a]] && row[variable[a]]);
    }
    for (int a = 0, longer = 0; a < n; a++) {
      longer = has[a] ? longer + (run[a] > q) : 0;
      ck_assert_msg(longer <= q, "seed %d: %d words, %d features of longer runs", _i, q, longer);
    }
  }
}
END_TEST

/* ---- the computation ---- */

static const char base[] =
    "param n = 30, m = 20, d = 4, v = 3, r = 15\n"
    "table par[r] = monomial_parent(d, 2)\ntable var[r] = monomial_variable(d, 2)\n"
    "input Q[m,d], K[n,d], V[n,v]\n"
    "FK[j:n, a:1..r] = FK[j,par[a]], K[j,var[a]]\nFQ[i:m, a:1..r] = FQ[i,par[a]], Q[i,var[a]]\n"
    "W[a:r, l:v, j:n] = W[a,l,j-1], FK[j,a], V[j,l]\nU[a:1..r, j:n] = U[a,j-1], FK[j,a]\n"
    "N[i:m, l:v, a:r] = N[i,l,a-1], FQ[i,a], W[a,l,n-1]\nS[i:m, a:1..r] = S[i,a-1], FQ[i,a], U[a,n-1]\n"
    "output O[i:m, l:v] = N[i,l,r-1], S[i,r-1]\n";

/* degree: -1 where they are no monomials.  runs: the lengths of the runs of all features, summed.  Two changes, each of
   all places. */
static const struct {
  const char *what;
  struct { const char *from, *to; } change[4];
  int degree, free, runs;
} texts[] = {
  { "as it is", { { "", "" } }, 2, 1, 46 },
  { "tokens last",
    { { "FK[j:n, a:1..r]", "FK[a:1..r, j:n]" }, { "FK[j,par[a]]", "FK[par[a],j]" }, { "FK[j,a]", "FK[a,j]" } }, 2, 1,
    46 },
  { "variables before tokens", { { "K[n,d]", "K[d,n]" }, { "K[j,var[a]]", "K[var[a],j]" } }, 2, 1, 46 },
  { "1 among the words",
    { { "FK[j,par[a]], K", "FK[j,par[a]], X[j,0], K" }, { "V[n,v]", "V[n,v], X[n,1]" } }, -1, 0, 0 },
  { "two variables each, and no parents",
    { { "FK[j,par[a]], K[j,var[a]]", "K[j,a%d], K[j,d+a/d]" }, { "K[n,d]", "K[n,2*d]" } }, 2, 1, 46 },
  { "the same products twice", { { "FK[j,par[a]], K[j,var[a]]", "K[j,a%d], K[j,a/d]" } }, -1, 0, 0 },
  { "variables alone", { { "d = 4", "d = 14" }, { "(d, 2)", "(d, 1)" } }, 1, 1, 196 },
  { "features of degree 1 alone", { { "FK[j,par[a]], ", "" }, { "FQ[i,par[a]], ", "" } }, -1, 0, 0 },
  { "two parents", { { "FK[j,par[a]]", "FK[j,par[a]], FK[j,a-1]" } }, -1, 0, 0 },
  { "a parent of another token", { { "FK[j,par[a]]", "FK[j-1,par[a]]" } }, -1, 0, 0 },
  { "a variable of another token", { { "K[j,var[a]]", "K[n-1-j,var[a]]" } }, -1, 0, 0 },
  { "variables from the last on",
    { { "K[j,var[a]]", "K[j,d-1-var[a]]" }, { "Q[i,var[a]]", "Q[i,d-1-var[a]]" } }, 2, 1, 2 },
  { "sums that step by two",
    { { "N[i,l,a-1]", "N[i,l,a-2]" }, { "S[i,a-1]", "S[i,a-2]" },
      { "S[i,r-1]", "S[i,r-1], N[i,l,r-2], S[i,r-2]" } }, -1, 0, 0 },
  { "sums from the last on",
    { { "N[i,l,a-1]", "N[i,l,a+1]" }, { "S[i,a-1]", "S[i,a+1]" }, { "N[i,l,r-1], S[i,r-1]", "N[i,l,0], S[i,1]" } },
    2, 1, 46 },
  { "sums by columns first",
    { { "N[i:m, l:v, a:r] = N[i,l,a-1]", "N[l:v, i:m, a:r] = N[l,i,a-1]" }, { "N[i,l,r-1]", "N[l,i,r-1]" } }, 2, 1,
    46 },
  { "a variable told by both", { { "K[j,var[a]]", "K[j,(var[a]+j)%d]" } }, -1, 0, 0 },
  { "computed variables",
    { { "K[j,var[a]]", "G[j,var[a]]" }, { "FK[j:n", "G[j:n, k:d] = K[j,k]\nFK[j:n" } }, -1, 0, 0 },
  { "keys that are queries", { { "FQ[i,par[a]], Q[i", "FQ[i,par[a]], K[i" } }, -1, 0, 0 },
  { "keys that are values", { { "V[j,l]", "K[j,l]" } }, -1, 0, 0 },
  { "features of the last tokens only",
    { { "FK[j:n, a:1..r]", "FK[j:1..n, a:1..r]" }, { "a:1..r, j:n", "a:1..r, j:1..n" } }, -1, 0, 0 },
  { "fewer features, and no normaliser",
    { { "FK[j:n, a:1..r]", "FK[j:n, a:1..r-2]" }, { "U[a:1..r", "U[a:1..r-2" } }, 2, 3, 46 },
  { "another feature of the row", { { "FQ[i,a], W", "FQ[i,r-1-a], W" } }, -1, 0, 0 },
  { "rows for columns", { { "FQ[i,a], W", "FQ[i,l], W" } }, -1, 0, 0 },
};

static void replace(text *t, const char *from, const char *to)
{
  text out = { 0 };
  const char *at = text_str(t), *next;
  for (; *from && (next = strstr(at, from)) != NULL; at = next + strlen(from))
    text_printf(&out, "%.*s%s", (int)(next - at), at, to);
  text_add(&out, at);
  text_clear(t);
  *t = out;
}

static cdag *changed(int i)
{
  text t = { 0 };
  cdag *g = NULL;
  diag d = { 0 };
  text_add(&t, base);
  for (size_t c = 0; c < COUNT(texts[i].change) && texts[i].change[c].from; c++) {
    ck_assert_msg(strstr(text_str(&t), texts[i].change[c].from) != NULL, "%s", texts[i].what);
    replace(&t, texts[i].change[c].from, texts[i].change[c].to);
  }
  ck_assert_msg(cdag_parse(&g, "mine", text_str(&t), "", &d) == OK, "%s: line %d: %s", texts[i].what, d.line,
                d.message);
  text_clear(&t);
  return g;
}

START_TEST(known_by_what_they_read)
{
  static const char *const number[] = { "\"work\": ", "\"low\": ", "\"births\": ", "\"stores\": ", "\"most\": ",
                                       "\"length\": " };
  enum { M = 40 };
  cdag *g = changed(_i), *same = changed(0);
  lowrank_shape l;
  uint64_t longer = 0;
  bool found = bound_lowrank_find(g, NULL, &l) && l.read.degree > 0;
  ck_assert_msg(found == (texts[_i].degree > 0), "%s", texts[_i].what);
  if (found) {
    bound_list list = { 0 };
    bound_question q = { .work = SEARCH_WORK, .g = g, .m = M, .theorem = "features" };
    diag d = { 0 };
    int best;
    ck_assert_msg(l.read.degree == texts[_i].degree && l.read.free == texts[_i].free, "%s: degree %ld, free %ld",
                  texts[_i].what, (long)l.read.degree, (long)l.read.free);
    for (int64_t a = 0; a < CHECKER_RUN_MOST; a++)
      longer += l.read.longer[a];
    ck_assert_msg(longer == (uint64_t)(texts[_i].runs * 20 * (3 + l.read.normaliser)), "%s: %lu", texts[_i].what,
                  longer);
    ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
    for (size_t i = 0; i < list.n; i++)
      if (strcmp(list.item[i].name, "features") == 0)
        bound_certificate_stands(&q, &list.item[i], texts[_i].what, number, COUNT(number));
    bound_list_clear(&list);
  } else {
    text claim = bound_claim_of("features", same, M);
    bound_claim_refused("features", g, M, text_str(&claim), "");
    text_clear(&claim);
  }
  cdag_free(same);
  cdag_free(g);
}
END_TEST

/* Dense features have no runs: nothing is weighed. */
START_TEST(dense_ones_are_not_weighed)
{
  static const char *const change[][2] = {
    { "\"key\": 1,", "\"key\": 2," }, { "\"query\": 1,", "\"query\": 2," }, { "\"low\": 1,", "\"low\": 0," },
    { "\"high\": 1,", "\"high\": 2," },
  };
  cdag *g;
  diag d = { 0 };
  ck_assert_int_eq(cdag_open(&g, "attention-lowrank:n=30,d=3,r=12", &d), OK);
  text claim = bound_claim_of("features", g, 40);
  ck_assert(bound_claim_holds("features", g, 40, text_str(&claim)));
  for (int i = 0; i < COUNT(change); i++) {
    text other = { 0 };
    text_add(&other, text_str(&claim));
    replace(&other, change[i][0], change[i][1]);
    bound_claim_refused("features", g, 40, text_str(&other), "steps are weighed");
    text_clear(&other);
  }
  text_clear(&claim);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("lp_features");
  TCase *c = support_case(s, "features");
  tcase_add_loop_test(c, largest_of_all, 0, support_rounds(60));
  tcase_add_loop_test(c, no_words_do_more, 0, support_rounds(300));
  tcase_add_loop_test(c, few_of_longer_runs, 0, support_rounds(60));
  tcase_add_loop_test(c, known_by_what_they_read, 0, COUNT(texts));
  tcase_add_test(c, dense_ones_are_not_weighed);
  return support_run(s);
}
