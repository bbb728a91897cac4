/* Chains whose ends are added up by longer chains: trees of partial sums (docs/theory.md, section 2). */
#include "base/mem.h"
#include "bounds/check/reading/read.h"
#include "bounds/checker.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <stdio.h>
#include <string.h>

/* A product whose sums are split, and what may follow. */
#define PARTS                                                                                                          \
  "param m, k, c\ninput A[m,k*c], B[k*c,m]\nP[i:m, j:m, t:c, l:k] = P[i,j,t,l-1], A[i,t*k+l], B[t*k+l,j]\n"
static const struct { const char *what, *rest; bool trees, product; } shape[] = { /* product: of whole trees */
  { "the sum is the output", "C[i:m, j:m, t:c] = C[i,j,t-1], P[i,j,t,k-1]\noutput C[*,*,c-1]\n", true, true },
  { "an output reads it",
    "C[i:m, j:m, t:c] = C[i,j,t-1], P[i,j,t,k-1]\noutput D[i:m, j:m] = C[i,j,c-1]\n", true, true },
  { "added up from the last", "C[i:m, j:m, t:c] = C[i,j,t-1], P[i,j,c-1-t,k-1]\noutput C[*,*,c-1]\n", false, false },
  { "rows and columns change places", "C[i:m, j:m, t:c] = C[i,j,t-1], P[j,i,t,k-1]\noutput C[*,*,c-1]\n", true, true },
  { "with a scale of its own", "input S[m,c]\nC[i:m, j:m, t:c] = C[i,j,t-1], P[i,j,t,k-1], S[i,t]\noutput C[*,*,c-1]\n",
    true, true },
  { "parts are outputs as well",
    "C[i:m, j:m, t:c] = C[i,j,t-1], P[i,j,t,k-1]\noutput C[*,*,c-1]\noutput P[0,0,0,k-1]\n", false, false },
  { "all sums are outputs", "output C[i:m, j:m, t:c] = C[i,j,t-1], P[i,j,t,k-1]\n", false, false },
  { "not the last of a part", "C[i:m, j:m, t:c] = C[i,j,t-1], P[i,j,t,k-2]\noutput C[*,*,c-1]\noutput E[i:m] = "
    "P[i,i,0,k-1]\n", false, false },
  { "read twice",
    "C[i:m, j:m, t:c, u:2] = C[i,j,t,u-1], C[i,j,t-1,u+1], P[i,j,t,k-1]\noutput C[*,*,c-1,1]\n", false, false },
  { "one output for two sums", "C[i:m, j:m, t:c] = C[i,j,t-1], P[i,j,t,k-1]\n"
    "output D[i:m, j:ceil(m,2)] = C[i,2*j,c-1], C[i,min(2*j+1,m-1),c-1]\n", false, false },
  { "an output for each, read by a sum again", "C[i:m, j:m, t:c] = C[i,j,t-1], P[i,j,t,k-1]\n"
    "output D[i:m, j:m] = C[i,j,c-1]\noutput F[i:m, j:m] = F[i,j-1], D[i,j]\n", true, true },
  { "sums along rows, too",
    "C[i:m, j:m, t:c] = C[i,j-1,t+c-1], C[i,j,t-1], P[i,j,t,k-1]\noutput C[*,m-1,c-1]\n", true, false },
};

static cdag *open_shape(size_t i, int m, int k, int c)
{
  char source[700], assign[40];
  snprintf(source, sizeof source, PARTS "%s", shape[i].rest);
  snprintf(assign, sizeof assign, "m=%d,k=%d,c=%d", m, k, c);
  return bound_text_open(source, assign);
}

static bool gather(const cdag *g, bound_statement *s)
{
  bool *live = checker_live(g), found = false;
  int p = cdag_find_array(g, "P");
  if (live[p] && checker_statement_find(g, live, p, s))
    for (int a = 0; a < g->arrays && !found; a++)
      found = checker_statement_gather(g, live, a, s);
  mem_free(live);
  return found;
}

/* Vertex by vertex: a step of P and its follower are in one tree, and steps that differ in the loops outside s->chain
 * are in different ones. */
static void trees_of_the_graph(const cdag *g, const bound_statement *s, const char *what)
{
  cdag_graph e = { 0 };
  diag d = { 0 };
  const cdag_array *p = &g->array[s->array], *c = &g->array[s->sum];
  ck_assert_int_eq(cdag_materialise(g, 1 << 16, &e, &d), OK);
  uint32_t *root = MEM_NEW(uint32_t, e.n);
  uint64_t roots = 0, *at = MEM_NEW(uint64_t, e.n);
  for (uint64_t v = e.n; v-- > 0;) { /* readers come after what they read, so from the last a root is known */
    bool tree = v - p->first < p->count || v - c->first < c->count;
    if (tree && !root[v])
      root[v] = (uint32_t)v + 1, roots++;
    for (uint64_t i = e.pred_at[v]; tree && i < e.pred_at[v + 1]; i++) {
      uint64_t u = e.pred[i];
      if (u - p->first < p->count || u - c->first < c->count) {
        ck_assert_msg(!root[u], "%s: vertex %lu is read twice in its tree", what, (unsigned long)u);
        root[u] = root[v];
      }
    }
  }
  ck_assert_msg(roots == s->chains, "%s: %lu trees, not %lu", what, (unsigned long)roots, (unsigned long)s->chains);
  for (uint64_t v = p->first; v < p->first + p->count; v++) {
    cdag_element at_v;
    uint64_t key = 0;
    cdag_at(g, v, &at_v);
    for (int r = 0; r < p->rank; r++)
      key = key * 64 + (s->chain >> r & 1 ? 0 : (uint64_t)at_v.x[r] + 1);
    uint64_t *known = &at[root[v] - 1];
    ck_assert_msg(!*known || *known == key, "%s: two keys in the tree of vertex %lu", what, (unsigned long)v);
    *known = key;
  }
  mem_free(at);
  mem_free(root);
  cdag_graph_clear(&e);
}

START_TEST(what_is_a_tree)
{
  cdag *g = open_shape((size_t)_i, 3, 4, 3);
  bound_statement s;
  bool found = gather(g, &s);
  ck_assert_msg(found == shape[_i].trees, "%s: %d", shape[_i].what, found);
  if (found)
    trees_of_the_graph(g, &s, shape[_i].what);
  cdag_free(g);
}
END_TEST

/* A claim with trees, made for the first shape, is accepted where there are such trees and the same outputs. */
START_TEST(other_shapes_are_refused)
{
  cdag *g = open_shape(0, 12, 4, 6), *other = open_shape((size_t)_i, 12, 4, 6);
  text claim = bound_claim_of("product-segment", g, 20);
  ck_assert_ptr_nonnull(strstr(text_str(&claim), "\"sum\": \"C\""));
  
  ck_assert_msg(bound_claim_holds("product-segment", other, 20, text_str(&claim)) == shape[_i].product, "%s",
                shape[_i].what);
  text_clear(&claim);
  cdag_free(g);
  cdag_free(other);
}
END_TEST

START_TEST(split_keys_are_bounded_like_keys)
{
  support_random r = { (uint64_t)_i };
  int n = (int)support_between(&r, 200, 3000), d = (int)support_between(&r, 4, 64), c = (int)support_between(&r, 2, 9);
  uint64_t m = (uint64_t)support_between(&r, 4 * d, 64 * d * d);
  char spec[2][80];
  mpz_t value[2];
  snprintf(spec[0], sizeof spec[0], "attention:n=%d,d=%d", n, d);
  snprintf(spec[1], sizeof spec[1], "attention-split:n=%d,d=%d,c=%d", n, d, c);
  for (int i = 0; i < 2; i++) {
    cdag *g = NULL;
    diag said = { 0 };
    bound_list list = { 0 };
    int best;
    ck_assert_int_eq(cdag_open(&g, spec[i], &said), OK);
    bound_question q = { .g = g, .m = m, .theorem = "attention-segment" };
    ck_assert_int_eq(bound_all(&q, &list, &best, &said), OK);
    const bound *b = bound_named(&list, "attention-segment");
    ck_assert_msg(b != NULL, "seed %d: %s", _i, spec[i]);
    mpz_init_set(value[i], b->value);
    bound_certificate_stands(&q, b, spec[i], NULL, 0);
    bound_list_clear(&list);
    cdag_free(g);
  }
  ck_assert_msg(mpz_cmp(value[0], value[1]) == 0, "seed %d: %s and %s, M = %lu", _i, spec[0], spec[1],
                (unsigned long)m);
  mpz_clears(value[0], value[1], NULL);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_trees");
  TCase *c = support_case(s, "trees");
  tcase_add_loop_test(c, what_is_a_tree, 0, COUNT(shape));
  tcase_add_loop_test(c, other_shapes_are_refused, 0, COUNT(shape));
  tcase_add_loop_test(c, split_keys_are_bounded_like_keys, 0, support_rounds(4));
  return support_run(s);
}
