/* Rings folded in two are the same computations, and what is found for them is legal. */
#include "cdag/fold.h"
#include "tests/support_found.h"

/* An element of the folded computation in the spelling given. */
static uint64_t given_id(const void *context, const cdag_element *e)
{
  const cdag_respelled *r = context;
  int64_t x[CDAG_RANK] = { 0 };
  for (int q = 0; q < r->g->array[e->array].rank; q++) {
    const cdag_relabel *m = &r->index[e->array][q];
    x[q] = m->turned ? m->by - e->x[q] : e->x[q] + m->by;
  }
  ck_assert(cdag_exists(r->given, r->of[e->array], x));
  return cdag_id(r->given, r->of[e->array], x);
}

static cdag *parse(const char *source)
{
  cdag *g;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "ring", source, "", &d) == OK, "%s: %s", d.message, source);
  return g;
}

/* The place `by` further on a ring of n places that begins at `from`, or on an open axis. */
static void put_place(text *out, const char *x, bool ring, int by, int from)
{
  if (!ring)
    text_printf(out, "%s%+d", x, by);
  else
    text_printf(out, "(%s-%d+n%+d)%%n+%d", x, from, by, from);
}

/* Levels of some arrays on a ring, a torus or a ring with two open ends.  False: nothing is read beside its place on a
   ring. */
static bool some_ring(support_random *r, text *out)
{
  bool wraps = false;
  int arrays = (int)support_between(r, 1, 2), axes = (int)support_between(r, 1, 2), n = (int)support_between(r, 16, 21);
  int from = (int)support_between(r, 0, 2), m = axes == 1 ? 1 : (int)support_between(r, 3, 8);
  bool torus = axes == 2 && support_between(r, 0, 1);
  text_printf(out, "param n = %d, w = %d\ninput S[i:%d..n+%d, j:%s, z:1], F[w], Z[1]\n", n,
              (int)support_between(r, 2, 5), from, from, torus ? "n" : m == 1 ? "1" : "8");
  for (int k = 0; k < arrays; k++) {
    text_printf(out, "%c[t:w, i:%d..n+%d, j:%s] = S[i,j,t], %c[t-1,i,j]", 'A' + k, from, from,
                torus ? "n" : m == 1 ? "1" : "8", 'A' + (k + 1) % arrays);
    if (support_between(r, 0, 1))
      text_add(out, ", F[t] if i == j");
    if (support_between(r, 0, 1))
      text_add(out, ", Z[0] if t > 1");
    for (int64_t reads = support_between(r, 1, 5); reads > 0; reads--) {
      int of = (int)support_between(r, 0, arrays - 1);
      text_printf(out, ", %c[t%s,", 'A' + of, of < k && support_between(r, 0, 1) ? "" : "-1");
      int by = (int)support_between(r, 0, 4) - 2, side = axes == 1 ? 0 : (int)support_between(r, 0, 2) - 1;
      wraps = wraps || by != 0 || (torus && side != 0);
      put_place(out, "i", true, by, from);
      text_char(out, ',');
      put_place(out, "j", torus, side, 0);
      text_char(out, ']');
    }
    text_char(out, '\n');
  }
  for (int k = 0; k < arrays; k++)
    text_printf(out, "output %c[w-1,*,*]\n", 'A' + k);
  return wraps;
}

START_TEST(rings)
{
  support_random r = { (uint64_t)_i };
  text source = { 0 };
  cdag_respelled folded;
  bool wraps = some_ring(&r, &source);
  cdag *g = parse(text_str(&source));
  bool folds = cdag_fold(g, &folded);
  ck_assert_msg(folds == wraps, "seed %d: %s", _i, text_str(&source));
  if (folds)
    support_same_computation(folded.g, g, given_id, &folded, text_str(&source));
  cdag_respelled_clear(&folded);
  text_clear(&source);
  cdag_free(g);
}
END_TEST

static const struct { const char *source; bool folds; uint64_t m, times; } texts[] = {
  /* five points of a torus: less than a word for each element, so many times as much */
  { "param n = 40, w = 30\ninput S[n,n,1]\nA[t:w, i:n, j:n] = S[i,j,t], A[t-1,i,j], A[t-1,(i+1)%n,j], "
    "A[t-1,(i+n-1)%n,j], A[t-1,i,(j+1)%n], A[t-1,i,(j+n-1)%n]\noutput A[w-1,*,*]\n", true, 500, 1 },
  /* the way round said by conditions; two arrays in turn; an odd ring */
  { "param n = 101, w = 40\ninput S[n,1]\nB[t:w, i:n] = S[i,t], A[t-1,i], A[t-1,i+1] if i < n-1, A[t-1,0] if i == n-1, "
    "A[t-1,i-1] if i > 0, A[t-1,n-1] if i == 0\nA[t:w, i:n] = B[t,(i+2)%n], B[t,i], B[t,(i+n-1)%n]\n"
    "output A[w-1,*]\n", true, 60, 2 },
  /* no ring; one whose reads reach far; one that is read as a whole; one that is put out in part */
  { "param n = 40, w = 5\ninput S[n,1]\nA[t:w, i:n] = S[i,t], A[t-1,i-1], A[t-1,i+1]\noutput A[w-1,*]\n",
    false, 60, 0 },
  { "param n = 40, w = 5\ninput S[n,1]\nA[t:w, i:n] = S[i,t], A[t-1,i], A[t-1,(i+20)%n]\noutput A[w-1,*]\n",
    false, 60, 0 },
  { "param n = 40, w = 5\ninput S[n,1]\nA[t:w, i:n] = S[i,t], A[t-1,i], A[t-1,(i+1)%n]\n"
    "output X[t:w] = A[t,*]\n", false, 60, 0 },
  { "param n = 40, w = 5\ninput S[n,1]\nA[t:w, i:n] = S[i,t], A[t-1,i], A[t-1,(i+1)%n]\n"
    "output A[w-1,3..8]\n", false, 60, 0 },
};

START_TEST(chosen)
{
  cdag *g = parse(texts[_i].source);
  cdag_respelled folded;
  bool folds = cdag_fold(g, &folded);
  ck_assert_msg(folds == texts[_i].folds, "text %d", _i);
  if (folds) {
    pebble_rules rules = { .m = texts[_i].m };
    schedule_find_options o = { .seconds = 30 };
    schedule_found f;
    diag d = { 0 };
    support_same_computation(folded.g, g, given_id, &folded, texts[_i].source);
    ck_assert_msg(schedule_find(g, &rules, &o, &f, &d) == OK, "text %d: %s", _i, d.message);
    support_check_found(g, &rules, &f, texts[_i].source);
    ck_assert_msg(texts[_i].times * (f.loads + f.stores) < g->vertices, "text %d: %lld", _i,
                  (long long)(f.loads + f.stores));
    schedule_found_clear(&f);
  }
  cdag_respelled_clear(&folded);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("cdag_fold");
  TCase *t = support_case(s, "rings");
  tcase_add_loop_test(t, rings, 0, support_rounds(60));
  tcase_add_loop_test(t, chosen, 0, COUNT(texts));
  return support_run(s);
}
