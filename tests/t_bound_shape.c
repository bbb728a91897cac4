/* Shapes are read off the description: computations that are attention under any name get its bound, with the right
   numbers; those that break a hypothesis do not.  And whatever is recognised in them, no bound exceeds the optimum. */
#include "bounds/bound.h"
#include "bounds/recognise/shape.h"
#include "pebble/optimal.h"
#include "tests/support.h"
#include <stdio.h>
#include <string.h>

static const char plain[] = "param n d\nparam nk = n, dv = d\n"
                            "input Q[n,d], K[nk,d], V[nk,dv]\n";
static const char tail[] = "L[i:n, j:nk] = L[i,j-1], P[i,j]\n"
                           "Z[i:n, l:dv, j:nk] = Z[i,l,j-1], P[i,j], V[j,l]\n"
                           "output O[i:n, l:dv] = Z[i,l,nk-1], L[i,nk-1]\n";

/* head, rules, rest; assignments; what attention is found: pairs, dk, dv, chains (pairs 0: none may be). */
static const struct {
  const char *why, *text[3], *assign;
  uint64_t pairs;
  int64_t dk, dv;
  uint64_t chains;
} shapes[] = {
  { "forward attention",
    { plain, "S[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:n, j:nk] = S[i,j,d-1]\n", tail },
    "n=3,d=2,nk=2",
    6,
    2,
    2,
    6 },
  { "the score backwards",
    { plain, "S[i:n, j:nk, k:d] = S[i,j,k+1], Q[i,k], K[j,k]\nP[i:n, j:nk] = S[i,j,0]\n", tail },
    "n=2,d=3,nk=2,dv=1",
    4,
    3,
    1,
    2 },
  { "a bias for each pair",
    { plain, "input B[n,nk]\nS[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:n, j:nk] = S[i,j,d-1], B[i,j]\n",
      tail },
    "n=2,d=2,nk=2,dv=1",
    4,
    2,
    1,
    2 },
  { "a score stopped half way needs half the words",
    { plain, "S[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:n, j:nk] = S[i,j,d/2-1]\n", tail },
    "n=2,d=4,nk=2,dv=1",
    4,
    2,
    1,
    2 },
  { "a temperature for each row",
    { plain, "input t[n]\nS[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:n, j:nk] = S[i,j,d-1], t[i]\n", tail },
    "n=2,d=2,nk=2,dv=2",
    4,
    2,
    2,
    4 },
  { "through a map of its own",
    { plain, "S[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nT[j:nk, i:n] = S[i,j,d-1]\nP[i:n, j:nk] = T[j,i]\n",
      tail },
    "n=2,d=2,nk=3,dv=1",
    6,
    2,
    1,
    2 },
  { "all words at once", { plain, "P[i:n, j:nk] = Q[i,*], K[j,0..d]\n", tail }, "n=2,d=2,nk=2,dv=2", 4, 2, 2, 4 },
  { "heads that share keys",
    { "param n d g\ninput Q[g,n,d], K[n,d], V[n,d]\n",
      "S[h:g, i:n, j:n, k:d] = S[h,i,j,k-1], Q[h,i,k], K[j,k]\nP[h:g, i:n, j:n] = S[h,i,j,d-1]\n",
      "Z[h:g, i:n, l:d, j:n] = Z[h,i,l,j-1], P[h,i,j], V[j,l]\noutput Z[*,*,*,n-1]\n" },
    "n=2,d=1,g=2",
    8,
    1,
    1,
    4 },
  { "a window of keys",
    { "param n d w\ninput Q[n,d], K[n,d], V[n,d]\n",
      "S[i:w..n, j:i-w..i+1, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:w..n, j:i-w..i+1] = S[i,j,d-1]\n",
      "Z[i:w..n, l:d, j:i-w..i+1] = Z[i,l,j-1], P[i,j], V[j,l]\noutput O[i:w..n, l:d] = Z[i,l,i]\n" },
    "n=4,d=2,w=1",
    6,
    2,
    2,
    6 },
  { "values among the keys' words",
    { plain, "S[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:n, j:nk] = S[i,j,d-1]\n",
      "Z[i:n, l:d, j:nk] = Z[i,l,j-1], P[i,j], K[j,l]\noutput Z[*,*,nk-1]\nW[j:nk, l:dv] = V[j,l]\noutput W[*,*]\n" },
    "n=2,d=2,nk=2",
    0,
    0,
    0,
    0 },
  { "queries that are the keys",
    { "param n d\nparam nk = n, dv = d\ninput X[n,d], V[n,dv]\n",
      "S[i:n, j:nk, k:d] = S[i,j,k-1], X[i,k], X[j,k]\nP[i:n, j:nk] = S[i,j,d-1]\n", tail },
    "n=2,d=2",
    0,
    0,
    0,
    0 },
  { "one score for each row",
    { plain, "S[i:n, k:d] = S[i,k-1], Q[i,k], K[0,k]\nP[i:n, j:nk] = S[i,d-1], K[j,0]\n", tail },
    "n=2,d=2,nk=2",
    0,
    0,
    0,
    0 },
  { "a score shared by two columns",
    { plain,
      "S[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nT[i:n, j:nk] = S[i,j,d-1]\nP[i:n, j:nk] = T[i,j], T[i,j-1]\n",
      tail },
    "n=2,d=2,nk=2",
    4,
    2,
    2,
    4 },
  { "a leaf behind a value that pairs share",
    { "param n d\nparam nk = n, dv = d\ninput Q[n,d], K[nk,d], V[nk,dv], G[nk,d]\nT[x:n+d, j:nk] = G[j,*]\n",
      "S[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], T[i+k,j]\nP[i:n, j:nk] = S[i,j,d-1]\n", tail },
    "n=2,d=2,nk=2",
    0,
    0,
    0,
    0 },
  { "both of a pair's scores",
    { plain,
      "S[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nT[i:n, j:nk] = S[i,j,d-1]\nP[i:n, j:nk] = T[i,j], T[j,i]\n",
      tail },
    "n=2,d=2",
    4,
    2,
    2,
    4 },
  { "values that are computed",
    { plain, "U[j:nk, l:dv] = V[j,l]\nS[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:n, j:nk] = S[i,j,d-1]\n",
      "Z[i:n, l:dv, j:nk] = Z[i,l,j-1], P[i,j], U[j,l]\noutput Z[*,*,nk-1]\n" },
    "n=2,d=2,nk=2",
    0,
    0,
    0,
    0 },
  { "accumulators nobody asks for",
    { plain, "S[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:n, j:nk] = S[i,j,d-1]\n",
      "Z[i:n, l:dv, j:nk] = Z[i,l,j-1], P[i,j], V[j,l]\noutput O[i:n, l:dv] = Z[i,l,0]\n" },
    "n=2,d=2,nk=2",
    0,
    0,
    0,
    0 },
  { "values for some pairs only",
    { "param n d\nparam nk = n, dv = d\ninput Q[n,d], K[nk,d], V[nk-1,dv]\n",
      "S[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:n, j:nk] = S[i,j,d-1]\n", tail },
    "n=2,d=2",
    0,
    0,
    0,
    0 },
  { "a word of both sides counts for neither",
    { "param n d\nparam nk = n, dv = d\ninput Q[n,d], K[nk,d], V[nk,dv], B[n,d]\n",
      "P[i:n, j:nk] = Q[i,*], K[j,*], B[i,*], B[j,*]\n", tail },
    "n=2,d=2",
    4,
    2,
    2,
    4 },
  { "a table that adds a loop times nothing",
    { "param n d\nparam nk = n, dv = d\ntable w[i:n] = i\ninput Q[n,d], K[nk,d], V[nk,dv]\n",
      "P[i:n, j:nk] = Q[i,*], K[j,*]\n",
      "Z[i:n, l:dv, j:nk] = Z[i,l,j-1], P[i,j], V[w[i]+0*j,l]\noutput Z[*,*,nk-1]\n" },
    "n=2,d=2",
    0,
    0,
    0,
    0 },
  { "accumulators that start from words of the keys",
    { "param n d\nparam nk = n, dv = d\ninput Q[n,d], K[n,1], V[nk,dv]\n", "P[i:n, j:nk] = Q[i,*], K[j,0]\n",
      "Z[i:n, l:1, j:nk] = Z[i,l,j-1], P[i,j], V[j,l], K[i,j+l]\noutput Z[*,*,nk-1]\n" },
    "n=2,d=2",
    0,
    0,
    0,
    0 },
  { "two ways along a chain",
    { plain, "S[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:n, j:nk] = S[i,j,d-1]\n",
      "Z[i:n, l:dv, j:nk] = Z[i,l,j-1], Z[i,l-1,j], P[i,j], V[j,l]\noutput Z[*,dv-1,nk-1]\n" },
    "n=2,d=2,nk=2",
    0,
    0,
    0,
    0 },
};

static void open_shape(int i, cdag **g)
{
  text t = { 0 };
  diag d = { 0 };
  for (int k = 0; k < 3; k++)
    text_add(&t, shapes[i].text[k]);
  ck_assert_msg(cdag_parse(g, "shape", text_str(&t), shapes[i].assign, &d) == OK, "%s: line %d: %s", shapes[i].why,
                d.line, d.message);
  text_clear(&t);
}

START_TEST(attention_by_any_name)
{
  cdag *g;
  bound_live l;
  bound_attention a;
  int found = 0;
  open_shape(_i, &g);
  bound_live_find(g, &l);
  for (int k = 0; k < g->arrays; k++)
    if (bound_attention_find(g, &l, k, &a)) {
      found++;
      ck_assert_msg(a.pairs == shapes[_i].pairs, "%s: %lu pairs", shapes[_i].why, (unsigned long)a.pairs);
      const int64_t *dk = a.sides.words;
      ck_assert_msg(dk[1] == shapes[_i].dk && dk[0] >= dk[1], "%s: dk %ld, %ld", shapes[_i].why, (long)dk[0],
                    (long)dk[1]);
      ck_assert_msg(a.dv == shapes[_i].dv, "%s: dv %ld", shapes[_i].why, (long)a.dv);
      ck_assert_msg(a.z.chains == shapes[_i].chains, "%s: %lu chains", shapes[_i].why, (unsigned long)a.z.chains);
    }
  ck_assert_msg(found == (shapes[_i].pairs > 0), "%s: found %d times", shapes[_i].why, found);
  bound_live_clear(&l);
  cdag_free(g);
}
END_TEST

/* ---- against the optimum, on computations made up at random from parts that fit and parts that do not ---- */

static const char *const scores[] = {
  "S[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:n, j:nk] = S[i,j,d-1]\n",
  "S[i:n, j:nk, k:d] = S[i,j,k+1], Q[i,k], K[j,k]\nP[i:n, j:nk] = S[i,j,0]\n",
  "P[i:n, j:nk] = Q[i,*], K[j,*]\n",
  "P[i:n, j:nk] = Q[i,0], K[j,0]\n",
  "S[i:n, k:d] = S[i,k-1], Q[i,k]\nP[i:n, j:nk] = S[i,d-1], K[j,0]\n",
  "S[i:n, j:nk, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:n, j:nk] = S[i,j,0]\n",
  "P[i:n, j:nk] = P[i,j-1], Q[i,0], K[j,0]\n",
  "T[j:nk, i:n] = Q[i,*], K[j,0]\nP[i:n, j:nk] = T[j,i], T[j,i-1]\n",
};
static const char *const sums[] = {
  "Z[i:n, l:dv, j:nk] = Z[i,l,j-1], P[i,j], V[j,l]\noutput O[i:n, l:dv] = Z[i,l,nk-1]\n",
  "Z[i:n, l:dv, j:nk] = Z[i,l,j-1], P[i,j], V[j,l]\noutput Z[*,*,nk-1]\n",
  "Z[i:n, l:dv, j:nk] = Z[i,l,j-1], P[i,j], V[j,l], K[j,0]\noutput Z[*,*,nk-1]\n",
  "Z[i:n, l:dv, j:nk] = Z[i,l,j-1], P[i,j], K[j,l]\noutput Z[*,*,nk-1]\n",
  "Z[i:n, l:dv, j:nk] = Z[i,l,j-1], P[i,j], V[j,l]\noutput Z[*,*,0]\n",
  "Z[i:n, j:nk] = Z[i,j-1], P[i,j], V[j,0]\noutput Z[*,nk-1]\n",
  "Z[i:n, j:nk] = Z[i-1,j], P[i,j], V[j,0]\noutput Z[n-1,*]\n",
  "Z[i:n, l:dv, j:nk] = Z[i,l,j-1], P[i,j], P[i,0], V[j,l]\noutput Z[*,*,nk-1]\n",
};

static void check_against(const cdag *g, const pebble_rules *rules, uint64_t cost, const char *what)
{
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = rules->m, .one_shot = rules->one_shot,
                       .variant = (int)rules->variant };
  bound_list list = { 0 };
  diag d = { 0 };
  int best;
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  for (size_t i = 0; i < list.n; i++) {
    const bound *b = &list.item[i];
    bool counts = (b->trust == BOUND_PROVED || b->trust == BOUND_CERTIFIED) && bound_holds_in(b, &q);
    ck_assert_msg(!counts || mpz_cmp_ui(b->value, cost) <= 0,
                  "M=%lu variant %d one-shot %d: %s gives %ld, the optimum is %lu, for\n%s", (unsigned long)rules->m,
                  (int)rules->variant, rules->one_shot, b->name, mpz_get_si(b->value), (unsigned long)cost, what);
  }
  bound_list_clear(&list);
}

static void solve_and_check(const cdag *g, support_random *r, const char *what)
{
  enum { VERTICES = 40 };
  cdag_graph e = { 0 };
  diag d = { 0 };
  if (g->vertices > VERTICES)
    return;
  ck_assert_int_eq(cdag_materialise(g, VERTICES, &e, &d), OK);
  pebble_rules rules = { (pebble_variant)support_between(r, 0, 1), support_between(r, 0, 1), 0 };
  rules.m = pebble_least_memory(&e, &rules) + (uint64_t)support_between(r, 0, 3);
  pebble_optimal_limits limits = { .seconds = 0.2, .bytes = 100 << 20 };
  pebble_optimum o = { 0 };
  status st = pebble_optimal(&e, &rules, &limits, &o, &d);
  ck_assert(st == OK || st == GAVE_UP);
  if (o.possible)
    check_against(g, &rules, o.upper, what);
  pebble_optimum_clear(&o);
  cdag_graph_clear(&e);
}

START_TEST(made_up_computations)
{
  support_random r = { (uint64_t)_i };
  char source[1024], assign[64];
  cdag *g = NULL;
  diag d = { 0 };
  snprintf(source, sizeof source, "%s%s%s", plain, scores[support_between(&r, 0, COUNT(scores) - 1)],
           sums[support_between(&r, 0, COUNT(sums) - 1)]);
  snprintf(assign, sizeof assign, "n=%d,nk=%d,d=%d,dv=%d", (int)support_between(&r, 1, 3),
           (int)support_between(&r, 1, 3), (int)support_between(&r, 1, 2), (int)support_between(&r, 1, 2));
  if (cdag_parse(&g, "made up", source, assign, &d) == OK) /* some parts do not go together */
    solve_and_check(g, &r, source);
  cdag_free(g);
}
END_TEST

START_TEST(shapes_against_the_optimum)
{
  cdag *g;
  support_random r = { (uint64_t)_i };
  open_shape(_i % COUNT(shapes), &g);
  solve_and_check(g, &r, shapes[_i % COUNT(shapes)].why);
  cdag_free(g);
}
END_TEST

/* ---- what bound_all finds out once, against every theorem on its own ---- */

static void compare_records(const char *spec, const bound_list *all, const bound_list *alone)
{
  ck_assert_msg(all->n == alone->n && all->n > 0, "%s: %zu and %zu records", spec, all->n, alone->n);
  for (size_t i = 0; i < all->n; i++) {
    const bound *a = &all->item[i], *b = &alone->item[i];
    ck_assert_str_eq(a->name, b->name);
    ck_assert_msg(mpz_cmp(a->value, b->value) == 0 && !strcmp(text_str(&a->parameters), text_str(&b->parameters)),
                  "%s: %s", spec, a->name);
  }
}

START_TEST(found_once_for_all)
{
  static const char *const spec[] = {
    "attention:n=40,d=4",
    "attention-causal:n=30,d=3",
    "attention-sparse:n=60,d=3,b=5,w=1",
    "attention-backward:n=40,d=4",
    "attention-online:n=20,d=3",
    "attention-lowrank:n=40,d=3,r=5",
    "mlp:n=20,m=4,k=5,h=6",
    "matmul:m=20,n=20,k=20",
    "cholesky:n=30",
    "stencil:w=60,t=60",
    "stencil2d:w=20,h=20,t=20",
    "syrk:n=20,k=20",
    "fft:l=4",
  };
  cdag *g = NULL;
  diag d = { 0 };
  bound_list all = { 0 }, alone = { 0 };
  int best;
  if (support_left_out(_i))
    return;
  ck_assert_msg(cdag_open(&g, spec[_i], &d) == OK, "%s: %s", spec[_i], d.message);
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = 24 };
  ck_assert_int_eq(bound_all(&q, &all, &best, &d), OK);
  for (const bound_theorem *const *t = bound_theorems; *t; t++)
    if (!(*t)->slow)
      ck_assert_int_eq((*t)->apply(&q, &alone, &d), OK);
  for (size_t i = 0; i < all.n; i++)
    ck_assert_msg(mpz_sgn(all.item[i].value) > 0 || !strcmp(all.item[i].name, "compulsory"), "%s: %s says nothing",
                  spec[_i], all.item[i].name);
  for (size_t i = alone.n; i-- > 0;) /* what says nothing is no record of all */
    if (mpz_sgn(alone.item[i].value) <= 0) {
      bound_clear(&alone.item[i]);
      memmove(&alone.item[i], &alone.item[i + 1], (--alone.n - i) * sizeof *alone.item);
    }
  compare_records(spec[_i], &all, &alone);
  bound_list_clear(&all);
  bound_list_clear(&alone);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_shape");
  TCase *c = support_case(s, "shapes");
  tcase_add_loop_test(c, attention_by_any_name, 0, COUNT(shapes));
  tcase_add_loop_test(c, shapes_against_the_optimum, 0, COUNT(shapes) * support_rounds(1));
  tcase_add_loop_test(c, found_once_for_all, 0, 13);
  tcase_add_loop_test(c, made_up_computations, 0, support_rounds(30));
  return support_run(s);
}
