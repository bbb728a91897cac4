/* A computation and the way it is respelled have the same elements, which read and put out the same; and a schedule
   that is found for the one is played on the other. */
#include "base/mem.h"
#include "base/num.h"
#include "cdag/respell.h"
#include "tests/support_found.h"
#include <stdlib.h>
#include <string.h>

static const struct { const char *source, *sizes; } texts[] = {
  /* a first step by a rule of its own, indices from 1 */
  { "param n, m\ninput A[1..n+1, 1..m+1], C[n]\nS[i:n, k:0..1] = C[i]\n"
    "S[i:n, k:1..m+1] = S[i,k-1], A[i+1,k]\noutput S[*,m]\n", "n=5,m=6" },
  /* sums that count down, of arrays that count up */
  { "param n, m\ninput A[n,m], x[m]\nS[i:n, k:m] = S[i,k+1], A[i,k], x[m-1-k]\noutput y[i:n] = S[i,0], S[i,1..m]\n",
    "n=4,m=7" },
  { "param n\ninput U[i:n, j:i..n], b[n]\nS[i:n, j:i+1..n] = b[i] if j == n-1, S[i,j+1], U[i,j], x[j]\n"
    "output x[i:n] = S[i,i+1], b[i] if i == n-1, U[i,i]\n", "n=7" },
  /* borders in the same array, ranges, everything there is */
  { "param n, t\ninput A[s:0..1, i:n]\nB[s:1..t+1, i:1..n-1] = A[s-1,i-1..i+2], A[0,i-1] if i == 1,\n"
    "  A[0,*] if i == 2, A[0,0..i-1] if i > 3\n"
    "A[s:1..t+1, i:1..n-1] = B[s,i-1], B[s,i], B[s,i+1], A[0,n-1] if i == n-2\noutput A[t,1..n-1], B[s:1..t+1,s]\n",
    "n=8,t=5" },
  /* rules whose ranges depend on other indices; a rule of outputs, and one of inputs */
  { "param n\ninput r[n]\noutput Y[k:n, i:k..k+1] = r[k], S[k,k-1]\nY[k:n, i:0..k] = Y[k,k], Y[k-1,i], Y[k-1,k-1-i]\n"
    "S[k:1..n, i:k] = S[k,i-1], r[k-i-1], Y[k-1,i]\noutput Y[n-1,*]\n", "n=6" },
  { "param n, m\ninput A[m,n]\nN[i:n, k:min(m,i+2)] = N[i,k+1], A[k,i]\n"
    "output input Z[i:n, j:max(0,i-2)..i+1] = N[i,0..2] if j > 0, Z[i,j-1], Z[i+1,j]\n", "n=6,m=4" },
  /* tables, and sums over two indices */
  { "param n\ntable t[n] = 0, 2, 1, 3\ninput x[1..n+1,2]\nT[i:n, j:1..3] = T[i,j+1], x[t[i]+1,j-1], x[1,j-1]\n"
    "output S[i:n] = sum a:2, b:n { T[b,a+1] if a <= b }\n", "n=4" },
  /* the rows from their other end, and the versions of a closure */
  { "param n\ninput D[n,n]\nP[k:n, i:n, j:n] = D[i,j] if k == n-1, P[k+1,i,j], D[i,k] if k == n-1 && j >= k,\n"
    "  P[k+1,i,k] if j >= k, P[k,i,k] if j < k, D[k,j] if k == n-1 && i >= k, P[k+1,k,j] if i >= k, P[k,k,j] if i < k\n"
    "output P[0,*,*]\n", "n=5" },
  /* distances */
  { "param m, n\ninput A[k:m, i:k], B[m,n]\nS[i:m, j:n, d:1..m-i] = B[i,j] if d == 1, S[i,j,d-1] if d > 1, A[i+d,i], "
    "B[i+d,j]\noutput X[i:m, j:n] = B[i,j] if i == m-1, S[i,j,m-1-i] if i < m-1, S[i,j,*] if j > 2, S[i,j,2..3]\n",
    "m=5,n=4" },
  /* what is read a step further on stands under a condition */
  { "param n\ninput A[i:n, j:i..n]\nS[i:n, j:i..n, k:j+1..n] = A[i,j] if k == n-1, "
    "S[i,j,k+1] if k < n-1, U[i,k], U[j,k]\n"
    "output U[i:n, j:i..n] = A[i,j] if j == n-1, S[i,j,j+1] if j < n-1, U[j,j] if i < j\n", "n=5" },
  /* of the square a triangle leads to outputs; of the sums those above a diagonal, from the third row on */
  { "param n\ninput A[n,n,1]\nC[i:n, j:n, k:min(i,j)] = C[i,j,k-1], A[i,j,k], L[i,k], L[j,k]\n"
    "L[i:n, j:n] = C[i,j,j-1] if j <= i, A[i,j,j], L[j,j] if j < i, C[i,j,i-1] if j > i, A[i,j,i]\n"
    "output L[i:n,j:i+1]\n", "n=5" },
  { "param n, m\ninput A[n,m]\nS[i:n, j:n, k:m] = S[i,j,k+1], A[i,k], A[j,k]\n"
    "output C[i:2..n, j:n-i] = S[i,j,0]\n", "n=5,m=3" },
};

typedef struct { uint64_t id[256]; int n; const cdag *g; const cdag_respelled *r; } listing;

/* An element of the respelled computation in the spelling given. */
static uint64_t given_id(const cdag_respelled *r, const cdag_element *e)
{
  int64_t x[CDAG_RANK] = { 0 };
  for (int q = 0; q < r->g->array[e->array].rank; q++) {
    const cdag_relabel *m = &r->index[e->array][q];
    x[q] = m->turned ? m->by - e->x[q] : e->x[q] + m->by - (m->beside ? e->x[m->beside - 1] : 0);
  }
  ck_assert(cdag_exists(r->given, r->of[e->array], x));
  return cdag_id(r->given, r->of[e->array], x);
}

static bool note(void *context, const cdag_element *e, int term)
{
  listing *l = context;
  (void)term;
  ck_assert(l->n < 256);
  l->id[l->n++] = l->r ? given_id(l->r, e) : cdag_id(l->g, e->array, e->x);
  return true;
}

START_TEST(the_same_graph)
{
  cdag *g;
  diag d = { 0 };
  cdag_respelled r;
  ck_assert_msg(cdag_parse(&g, "text", texts[_i].source, texts[_i].sizes, &d) == OK, "%d: %s", _i, d.message);
  ck_assert_msg(cdag_respell(g, &r), "text %d is left as it is", _i);
  ck_assert(r.trims.n ? r.g->vertices < g->vertices : r.g->vertices == g->vertices);
  bool *seen = MEM_NEW(bool, (size_t)g->vertices);
  for (uint64_t id = 0; id < r.g->vertices; id++) {
    cdag_element e, to;
    cdag_at(r.g, id, &e);
    uint64_t of = given_id(&r, &e);
    ck_assert(!seen[of]);
    seen[of] = true;
    cdag_at(g, of, &to);
    listing now = { .g = r.g, .r = &r }, before = { .g = g };
    cdag_each_predecessor(r.g, e.array, e.x, note, &now);
    cdag_each_predecessor(g, to.array, to.x, note, &before);
    qsort(now.id, (size_t)now.n, sizeof *now.id, num_by_size);
    qsort(before.id, (size_t)before.n, sizeof *before.id, num_by_size);
    ck_assert_msg(now.n == before.n && memcmp(now.id, before.id, (size_t)now.n * sizeof *now.id) == 0,
                  "text %d: vertex %d reads something else", _i, (int)of);
    ck_assert(cdag_is_output(r.g, e.array, e.x) == cdag_is_output(g, to.array, to.x));
  }
  for (uint64_t id = 0; id < g->vertices; id++) { /* what is left reads nothing else, so the others lead to no output */
    cdag_element e;
    cdag_at(g, id, &e);
    ck_assert_msg(seen[id] || !cdag_is_output(g, e.array, e.x), "text %d: output %d is left out", _i, (int)id);
  }
  mem_free(seen);
  cdag_respelled_clear(&r);
  cdag_free(g);
}
END_TEST

START_TEST(left_as_it_is)
{
  cdag *g;
  diag d = { 0 };
  cdag_respelled r;
  ck_assert(cdag_parse(&g, "text", "param n\ninput A[n,n], x[n]\nS[i:n, k:n] = S[i,k-1], A[i,k], x[k]\n"
                       "output S[*,n-1]\n", "n=4", &d) == OK);
  ck_assert(!cdag_respell(g, &r));
  cdag_free(g);
}
END_TEST

/* What moves the same: texts of one computation. */
static const struct { const char *plain, *other, *sizes; uint64_t m; } pairs[] = {
  { "param n\ninput A[n,n], B[n,n]\nS[i:n, j:n, k:n] = S[i,j,k-1], A[i,k], B[k,j]\noutput S[*,*,n-1]\n",
    "param n\ninput A[n,n], B[n,n]\nS[k:n, j:n, i:n] = S[k+1,j,i], A[i,k], B[k,j]\noutput S[0,*,*]\n", "n=30", 60 },
  { "param n\ninput A[n,n], x[n]\nT[i:n, j:n] = T[i,j-1], A[i,j], x[j]\n"
    "output Y[j:n] = sum i:n { A[i,j], T[i,n-1] }\n",
    "param n\ninput A[n,n], x[n]\nT[i:n, j:1..n+1] = T[i,j-1], A[i,j-1], x[j-1]\n"
    "Y[i:1..n+1, j:n] = Y[i-1,j], A[i-1,j], T[i-1,n]\noutput Y[n,*]\n", "n=60", 80 },
  { "param n, t\ninput S[i:1..n-1, z:1], w[0..1], e[n-1..n]\n"
    "A[s:t, i:1..n-1] = A[s-1,i-1], A[s-1,i], A[s-1,i+1], S[i-1,s], S[i,s], S[i+1,s], w[i-1], e[i+1]\n"
    "output A[t-1,*]\n",
    "param n, t\ninput A[s:0..1, i:n]\n"
    "A[s:1..t+1, i:1..n-1] = A[s-1,i-1..i+2], A[0,i-1] if i == 1, A[0,i+1] if i == n-2\n"
    "output A[t,1..n-1]\n", "n=60,t=40", 64 },
  { "param n\ninput A[i:n, j:i+1]\nS[i:n, j:i+1, k:j] = A[i,j] if k == 0, S[i,j,k-1], L[i,k], L[j,k]\n"
    "output L[i:n, j:i+1] = A[i,j] if j == 0, S[i,j,j-1], L[j,j] if j < i\n",
    "param n\ninput A[i:n, j:i..n]\nS[i:n, j:i..n, k:j+1..n] = A[i,j] if k == n-1, "
    "S[i,j,k+1] if k < n-1, U[i,k], U[j,k]\n"
    "output U[i:n, j:i..n] = A[i,j] if j == n-1, S[i,j,j+1] if j < n-1, U[j,j] if i < j\n", "n=40", 100 },
  { "param n\ninput A[k:n, i:k], B[n,n]\nS[i:n-1, j:n, k:i+1..n] = B[i,j] if k == i+1, S[i,j,k-1] if k > i+1, "
    "A[k,i], B[k,j]\n"
    "output X[i:n, j:n] = B[i,j] if i == n-1, S[i,j,n-1] if i < n-1\n",
    "param n\ninput A[k:n, i:k], B[n,n]\nS[i:n-1, j:n, d:1..n-i] = B[i,j] if d == 1, S[i,j,d-1] if d > 1, "
    "A[i+d,i], B[i+d,j]\n"
    "output X[i:n, j:n] = B[i,j] if i == n-1, S[i,j,n-1-i] if i < n-1\n", "n=40", 60 },
};

START_TEST(plays_move_the_same)
{
  num_count io[2];
  for (int k = 0; k < 2; k++) {
    cdag *g;
    diag d = { 0 };
    pebble_rules rules = { .m = pairs[_i].m, .one_shot = true };
    schedule_find_options options = { .no_library = true };
    schedule_found f;
    const char *source = k ? pairs[_i].other : pairs[_i].plain;
    ck_assert_msg(cdag_parse(&g, "spelling", source, pairs[_i].sizes, &d) == OK, "%s", d.message);
    ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%s: %s", source, d.message);
    support_check_found(g, &rules, &f, source);
    io[k] = num_plus(f.loads, f.stores);
    schedule_found_clear(&f);
    cdag_free(g);
  }
  ck_assert_msg((double)io[1] <= 1.03 * (double)io[0] + 8, "pair %d: %s words, but %s in the other spelling", _i,
                num_digits(io[0]).s, num_digits(io[1]).s);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("cdag_respell");
  TCase *t = support_case(s, "respelled");
  tcase_add_loop_test(t, the_same_graph, 0, sizeof texts / sizeof *texts);
  tcase_add_test(t, left_as_it_is);
  tcase_add_loop_test(t, plays_move_the_same, 0, sizeof pairs / sizeof *pairs);
  return support_run(s);
}
