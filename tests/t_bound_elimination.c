/* The bound of Cholesky's factorisation: its lemma against words chosen at random and made better step by step,
   descriptions that have the shape and that have not, certificates, and plays that it must not exceed. */
#include "bounds/geometry/elimination.h"
#include "base/json_read.h"
#include "base/num.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <string.h>

/* ---- the lemma ---- */

enum { SIDE = 8, VERTICES = 4096 };
typedef struct {
  const cdag *g;
  bool in[VERTICES];           /* red, loaded, or can be computed from such */
} reachable;

static bool is_in(void *context, const cdag_element *e, int term)
{
  const reachable *r = context;
  (void)term;
  return r->in[cdag_id(r->g, e->array, e->x)];
}

/* All its predecessors are in reach (and it has some). */
static bool can_compute(reachable *r, const cdag_element *e)
{
  return !cdag_is_input(r->g, e->array, e->x) && cdag_each_predecessor(r->g, e->array, e->x, is_in, r);
}

/* Steps U[i,j,k], i > j > k + apart, that can be done with these words. */
static long steps_within(const cdag *g, const uint64_t *word, int n, int apart)
{
  reachable r = { .g = g };
  cdag_element e;
  long steps = 0;
  int u = cdag_find_array(g, "U");
  for (int i = 0; i < n; i++)
    r.in[word[i]] = true;
  for (bool more = true; more;) {
    more = false;
    for (uint64_t id = 0; id < g->vertices; id++) {
      cdag_at(g, id, &e);
      if (!r.in[id] && can_compute(&r, &e))
        r.in[id] = more = true;
    }
  }
  for (uint64_t id = 0; id < g->vertices; id++) {
    cdag_at(g, id, &e);
    steps += e.array == u && e.x[0] > e.x[1] && e.x[1] - e.x[2] > apart && can_compute(&r, &e);
  }
  return steps;
}

static long triangles(int edges)
{
  mpz_t x, most;
  mpz_init_set_si(x, edges);
  mpz_init(most);
  bound_triangles_most(x, most);
  long v = mpz_get_si(most);
  mpz_clears(x, most, NULL);
  return v;
}

/* A vertex of U, L or A off the diagonal: others make no edge; those of the first rows more often. */
static uint64_t some_word(const cdag *g, support_random *r)
{
  cdag_element e;
  uint64_t id;
  do {
    id = (uint64_t)support_between(r, 0, (int64_t)g->vertices - 1);
    cdag_at(g, id, &e);
  } while (strcmp(g->array[e.array].name, "D") == 0 || e.x[0] == e.x[1] || (e.x[0] > 5 && support_between(r, 0, 2)));
  return id;
}

START_TEST(steps_are_triangles)
{
  support_random r = { (uint64_t)_i };
  cdag *g = NULL;
  diag d = { 0 };
  uint64_t word[24];
  char spec[32];
  int n = (int)support_between(&r, 3, 18);
  snprintf(spec, sizeof spec, "cholesky:n=%d", SIDE);
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  ck_assert(g->vertices <= VERTICES);
  for (int i = 0; i < n; i++)
    word[i] = some_word(g, &r);
  long best = steps_within(g, word, n, 0);
  for (int step = 0; step < 150; step++) {
    int i = (int)support_between(&r, 0, n - 1);
    uint64_t old = word[i];
    word[i] = some_word(g, &r);
    long now = steps_within(g, word, n, 0);
    ck_assert_msg(now <= triangles(n), "seed %d: %d words allow %ld steps, not %ld", _i, n, now, triangles(n));
    if (now < best)
      word[i] = old;
    else
      best = now;
  }
  cdag_free(g);
}
END_TEST

/* ---- far steps: docs/theory.md, section 10 ---- */

enum { LONG = 30, FAR_WORDS = 36 };
/* A vertex of the word i, j: the input (made = 0), the partial sum after `made` steps, or (made = j + 1) the finished
 * value. */
typedef struct { int i, j, made; } held;

/* The steps (i,j,k), j - k > apart, that can be done with these vertices and the diagonal.  Finished values of earlier
 * columns first. */
static int far_steps(const held *h, int n, int apart)
{
  uint64_t has[LONG][LONG] = { { 0 } };
  bool finished[LONG][LONG] = { { false } };
  int steps = 0;
  for (int t = 0; t < n; t++)
    has[h[t].i][h[t].j] |= UINT64_C(1) << h[t].made;
  for (int j = 0; j < LONG; j++)
    for (int i = j + 1; i < LONG; i++) {
      bool here = has[i][j] & 1;
      for (int k = 0; k < j; k++) {
        here = here && finished[i][k] && finished[j][k];
        steps += here && j - k > apart;
        here = here || has[i][j] >> (k + 1) & 1;
      }
      finished[i][j] = here || has[i][j] >> (j + 1) & 1;
    }
  return steps;
}

static held some_held(support_random *r, int side)
{
  int64_t i = support_between(r, 1, side - 1), j = support_between(r, 0, i - 1), made = support_between(r, 0, j + 1);
  return (held){ (int)i, (int)j, (int)(support_between(r, 0, 2) ? made : support_between(r, 0, 1) * (j + 1)) };
}

START_TEST(far_steps_are_steps)
{
  support_random r = { (uint64_t)_i };
  cdag *g = NULL;
  diag d = { 0 };
  held h[FAR_WORDS];
  uint64_t word[FAR_WORDS + SIDE];
  ck_assert_int_eq(cdag_open(&g, "cholesky:n=8", &d), OK);
  int a = cdag_find_array(g, "A"), u = cdag_find_array(g, "U"), l = cdag_find_array(g, "L"),
      n = (int)support_between(&r, 1, 30);
  for (int t = 0; t < n; t++) {
    h[t] = some_held(&r, SIDE);
    word[t] = cdag_id(g,
                      h[t].made == 0       ? a
                      : h[t].made > h[t].j ? l
                                           : u,
                      (int64_t[]){ h[t].i, h[t].j, h[t].made ? h[t].made - 1 : 0 });
  }
  for (int i = 0; i < SIDE; i++)
    word[n + i] = cdag_id(g, cdag_find_array(g, "D"), (int64_t[]){ i });
  for (int apart = 0; apart < 4; apart++)
    ck_assert_msg(far_steps(h, n, apart) == steps_within(g, word, n + SIDE, apart), "seed %d", _i);
  cdag_free(g);
}
END_TEST

/* One vertex like others: in the row, in the column, across the row, or next to one. */
static held changed(support_random *r, const held *h, int n)
{
  held x = h[support_between(r, 0, n - 1)], y = h[support_between(r, 0, n - 1)];
  int64_t how = support_between(r, 0, 5), last = support_between(r, 0, 2);
  if (how == 0)
    return some_held(r, LONG);
  if (how == 1)
    x.j = y.j;
  else if (how == 2)
    x.i = y.i;
  else if (how == 3)
    x.j = y.i;
  else if (how == 4)
    x.i += (int)support_between(r, -1, 1), x.j += (int)support_between(r, -1, 1);
  if (x.j < 0 || x.i <= x.j || x.i >= LONG)
    return some_held(r, LONG);
  x.made = last == 0 ? 0 : last == 1 ? x.j + 1 : x.j;
  return x;
}

/* What annealing finds. */
static int most_far_steps(support_random *r, int n, int apart, int rounds)
{
  held h[FAR_WORDS];
  for (int t = 0; t < n; t++)
    h[t] = some_held(r, LONG);
  int now = far_steps(h, n, apart), best = now;
  for (int round = 0; round < rounds; round++) {
    int t = (int)support_between(r, 0, n - 1);
    held old = h[t];
    h[t] = changed(r, h, n);
    int then = far_steps(h, n, apart), worse = now - then;
    if (worse > 0 && support_between(r, 0, rounds) < (int64_t)round * (1 + worse)) /* less and less often worse */
      h[t] = old;
    else
      now = then;
    best = now > best ? now : best;
  }
  return best;
}

/* With 9 X <= (apart + 1)^2 no more than sqrt(2) (X/3)^(3/2). */
START_TEST(far_steps_are_few)
{
  support_random r = { (uint64_t)_i };
  static const struct { int words, apart, most; } far[] = { { 16, 11, 17 }, { 25, 14, 34 }, { 36, 17, 58 } };
  for (size_t f = 0; f < COUNT(far); f++) {
    int found = most_far_steps(&r, far[f].words, far[f].apart, 8000);
    ck_assert_msg(found <= far[f].most, "seed %d: %d steps in %d words", _i, found, far[f].words);
  }
}
END_TEST

/* Near steps are more in as many words: the search does search. */
START_TEST(near_steps_are_more)
{
  support_random r = { 0 };
  int best = 0;
  for (int run = 0; run < 8; run++)
    best = (int)num_max(best, most_far_steps(&r, 36, 0, 8000));
  ck_assert_int_gt(best, 58);
  ck_assert_int_le(best, triangles(36));
}
END_TEST

/* The words of the first r rows and columns, and s more of the next row: as many steps as triangles. */
START_TEST(triangles_are_steps)
{
  cdag *g = NULL;
  diag d = { 0 };
  uint64_t word[VERTICES];
  int n = 0, a;
  ck_assert_int_eq(cdag_open(&g, "cholesky:n=8", &d), OK);
  a = cdag_find_array(g, "A");
  for (int64_t i = 1; i < SIDE; i++)
    for (int64_t j = 0; j < i; j++)
      if (n < _i)
        word[n++] = cdag_id(g, a, (int64_t[]){ i, j, 0 });
  int edges = n;
  for (int64_t i = 0; i < SIDE; i++) /* the diagonal makes no step off it: free for the lemma */
    word[n++] = cdag_id(g, cdag_find_array(g, "D"), (int64_t[]){ i });
  ck_assert_int_eq(steps_within(g, word, n, 0), triangles(edges));
  cdag_free(g);
}
END_TEST

/* Against counting: every graph on five corners. */
START_TEST(most_triangles)
{
  long most[11] = { 0 };
  for (int set = 0; set < 1 << 10; set++) {
    bool edge[5][5] = { { 0 } };
    long found = 0;
    for (int i = 0, e = 0; i < 5; i++)
      for (int j = 0; j < i; j++, e++)
        edge[i][j] = set >> e & 1;
    for (int i = 0; i < 5; i++)
      for (int j = 0; j < i; j++)
        for (int k = 0; k < j; k++)
          found += edge[i][j] && edge[i][k] && edge[j][k];
    int n = __builtin_popcount((unsigned)set);
    most[n] = found > most[n] ? found : most[n];
  }
  for (int n = 0; n <= 10; n++)
    ck_assert_int_eq(triangles(n), most[n]);
}
END_TEST

/* ---- descriptions ---- */

#define STEPS "U[i:n, j:i+1, k:j] = "
#define OPERANDS "A[i,j], L[i,k], L[j,k]"
#define DIAGONAL "\noutput D[j:n] = U[j,j,j-1], A[j,j]\n"
#define FINISHED "output L[i:n, j:i] = "
#define OUTPUTS DIAGONAL FINISHED "U[i,j,j-1], A[i,j], D[j]\n"
#define WHOLE STEPS "U[i,j,k-1], " OPERANDS OUTPUTS
/* holds: is what is claimed of the first true of it? */
static const struct { const char *text; bool found, holds;
} shape[] = {
  { "input A[n,n]\n" WHOLE, true, true },
  { "input A[n,n], B[n,n]\n" STEPS "U[i,j,k-1], B[i,j], L[i,k], L[j,k]" OUTPUTS, true, true },
  { "input A[n,n], E[n]\n" STEPS "U[i,j,k-1], " OPERANDS ", E[k]" OUTPUTS, true, true },
  { "input A[n,n]\n" STEPS "U[i,j,k-1], " OPERANDS
    "\nD[j:n] = U[j,j,j-1], A[j,j]\nL[i:n, j:i] = U[i,j,j-1], A[i,j], D[j]\noutput F[i:n, j:i] = L[i,j]\n",
    true, false }, /* F has fewer outputs */
  { "input A[i:n, j:i+1]\n" WHOLE, true, true },
  /* steps read one operand only; others; from other rows; not the step before; a range of them */
  { "input A[n,n]\n" STEPS "U[i,j,k-1], A[i,j], L[i,k]" OUTPUTS, false, false },
  { "input A[n,n]\n" STEPS "U[i,j,k-1], A[i,j], L[j,k]" OUTPUTS, false, false },
  { "input A[n,n]\n" STEPS "U[i,j,k-1], A[i,j], L[i,k], L[j,0]" OUTPUTS, false, false },
  { "input A[n,n]\n" STEPS "U[i,j,k-1], A[i,j], L[i,k], L[j,k-1]" OUTPUTS, false, false },
  { "input A[n,n]\n" STEPS "U[i,j,k-1], A[i,j], L[i,k], L[j,*]" OUTPUTS, false, false },
  { "input A[n,n]\n" STEPS "U[i,j,k-2], " OPERANDS OUTPUTS, false, false },
  { "input A[n,n]\n" STEPS "U[i-1,j,k-1], " OPERANDS OUTPUTS, false, false },
  { "input A[n,n]\n" STEPS "U[i,j,0..k], " OPERANDS OUTPUTS, false, false },
  { "input A[n,n]\n" STEPS "U[i,j,max(k-1,0)..k], " OPERANDS OUTPUTS, false, false },
  { "input A[n,n], L2[n,n]\n" STEPS "U[i,j,k-1], A[i,j], L2[i,k], L2[j,k]" OUTPUTS, false, false },
  { "input A[n,n]\n" STEPS "U[i,j,k-1], A[i,j], L[i,k], L[j,min(k,k+1)]" OUTPUTS, false, false },
  /* finished values that nobody wants; made from any step, from the last but one */
  { "input A[n,n]\n" STEPS "U[i,j,k-1], " OPERANDS DIAGONAL "L[i:n, j:i] = U[i,j,j-1], A[i,j]\n", false, false },
  { "input A[n,n]\n" STEPS "U[i,j,k-1], " OPERANDS DIAGONAL FINISHED "U[i,j,0], A[i,j]\n", false, false },
  { "input A[n,n]\n" STEPS "U[i,j,k-1], " OPERANDS DIAGONAL FINISHED "U[i,j,j-2], A[i,j]\n", false, false },
  /* steps and finished values that are not there, or whose ranges cannot be read */
  { "input A[n,n]\nU[i:n, j:i+1, k:1..j] = U[i,j,k-1], " OPERANDS OUTPUTS, true, false },
  { "input A[n,n]\nU[i:3..n, j:i+1, k:j] = U[i,j,k-1], " OPERANDS OUTPUTS, false, false },
  { "input A[n,n]\nU[i:n, j:i, k:j-1] = U[i,j,k-1], " OPERANDS
    "\noutput D[j:n] = A[j,j]\noutput L[i:n, j:i] = U[i,j,j-1], A[i,j], D[j]\n",
    false, false },
  { "input A[n,n]\nU[i:n, j:i+1, k:min(j,n)] = U[i,j,k-1], " OPERANDS OUTPUTS, false, false },
  { "input A[n,n]\nU[i:n, j:i+1, k:max(0,0*j)..j] = U[i,j,k-1], " OPERANDS OUTPUTS, false, false },
  { "input A[n,n]\n" STEPS "U[i,j,k-1], " OPERANDS DIAGONAL "output L[i:n, j:min(i,n)] = U[i,j,j-1], A[i,j], D[j]\n",
    false, false },
  { "input A[n,n]\n" STEPS "U[i,j,k-1], " OPERANDS DIAGONAL "output L[i:n, j:i-1] = U[i,j,j-1], A[i,j], D[j]\n", false,
    false },
  /* steps that start from an input for a whole row, column; from one that another key starts from; from one of several,
     from any of them; from a computed value; not all of them; from one whose range cannot be read */
  { "input A[n,n], B[n]\n" STEPS "U[i,j,k-1], B[i], L[i,k], L[j,k]" OUTPUTS, false, false },
  { "input A[n,n], B[n]\n" STEPS "U[i,j,k-1], B[j], L[i,k], L[j,k]" OUTPUTS, false, false },
  { "input A[n,n], B[2*n,n]\n" STEPS "U[i,j,k-1], B[i+j,j], L[i,k], L[j,k]" OUTPUTS, false, false },
  { "input A[n,n], B[n,2*n]\n" STEPS "U[i,j,k-1], B[i,i+j], L[i,k], L[j,k]" OUTPUTS, false, false },
  { "input A[n,n]\n" STEPS "U[i,j,k-1], A[j,i], L[i,k], L[j,k]" OUTPUTS, false, false },
  { "input A[n,n+1]\n" STEPS "U[i,j,k-1], A[i,j+1], L[i,k], L[j,k]" OUTPUTS, false, false },
  { "input A[n+1,n]\n" STEPS "U[i,j,k-1], A[i+1,j], L[i,k], L[j,k]" OUTPUTS, false, false },
  { "input A[n,n]\n" STEPS "U[i,j,k-1], A[i,0..j+1], L[i,k], L[j,k]" OUTPUTS, false, false },
  { "input A[n,n], X[n,n]\nB[i:n, j:n] = X[i,j]\n" STEPS "U[i,j,k-1], B[i,j], L[i,k], L[j,k]" OUTPUTS, false, false },
  { "input A[n,n], B[i:n, j:n-1]\n" STEPS "U[i,j,k-1], B[i,j+1], L[i,k], L[j,k]" OUTPUTS, false, false },
  { "input A[n,n], B[i:n-1, j:n]\n" STEPS "U[i,j,k-1], B[i,j], L[i,k], L[j,k]" OUTPUTS, false, false },
  { "input A[n,n], B[i:n, j:min(i+1,n)]\n" STEPS "U[i,j,k-1], B[i,j], L[i,k], L[j,k]" OUTPUTS, false, false },
  { "input A[n,n], B[i:n, j:n]\n" STEPS "U[i,j,k-1], B[max(i,1),j], L[i,k], L[j,k]" OUTPUTS, false, false },
  /* so do finished values */
  { "input A[n,n], B[n]\n" STEPS "U[i,j,k-1], " OPERANDS DIAGONAL FINISHED "U[i,j,j-1], B[i], D[j]\n", false, false },
  { "input A[n,n], B[n]\n" STEPS "U[i,j,k-1], " OPERANDS DIAGONAL FINISHED "U[i,j,j-1], B[j], D[j]\n", false, false },
  { "input A[n,n]\n" STEPS "U[i,j,k-1], " OPERANDS DIAGONAL FINISHED "U[i,j,j-1], A[i,0..j+1], D[j]\n", false, false },
  { "input A[n,n]\n" STEPS "U[i,j,k-1], " OPERANDS DIAGONAL FINISHED "U[i,j,j-1], D[j]\n", false, false },
  { "input A[n,n], X[n,n]\nB[i:n, j:n] = X[i,j]\n" STEPS "U[i,j,k-1], " OPERANDS DIAGONAL FINISHED
    "U[i,j,j-1], B[i,j], D[j]\n",
    false, false },
  { "input A[n,n], B[i:n-1, j:n]\n" STEPS "U[i,j,k-1], " OPERANDS DIAGONAL FINISHED "U[i,j,j-1], B[i,j], D[j]\n", false,
    false },
  { "input A[n,n], B[i:n, j:1..n]\n" STEPS "U[i,j,k-1], " OPERANDS DIAGONAL FINISHED "U[i,j,j-1], B[i,j], D[j]\n",
    false, false },
  /* an input for every second row; one that finished values read in their first column
     alone */
  { "input A[2*n,n]\n" STEPS "U[i,j,k-1], A[2*i,j], L[i,k], L[j,k]"
    "\noutput D[j:n] = U[j,j,j-1], A[2*j,j]\n" FINISHED "U[i,j,j-1], A[2*i,j], D[j]\n",
    true, true },
  { "input A[n,n], B[n,1]\n" STEPS "U[i,j,k-1], " OPERANDS DIAGONAL FINISHED "U[i,j,j-1], B[i,j], D[j]\n", true, true },
};

static cdag *open_shape(size_t i)
{
  text source = { 0 };
  text_printf(&source, "param n\n%s", shape[i].text);
  cdag *g = bound_text_open(text_str(&source), "n=60");
  text_clear(&source);
  return g;
}

START_TEST(shapes)
{
  static const char *const number[] = { "\"from\": ", "\"apart\": ",  "\"to\": ",    "\"work\": ",
                                        "\"most\": ", "\"events\": ", "\"stores\": " };
  diag d = { 0 };
  bound_list list = { 0 };
  int best;
  cdag *g = open_shape((size_t)_i);
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = 40, .want_proof = true, .theorem = "elimination" };
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  const bound *b = bound_named(&list, "elimination");
  ck_assert_msg(!b == !shape[_i].found, "%s: %s", shape[_i].text, b ? "a bound" : "no bound");
  if (b) {
    ck_assert_ptr_eq(b, &list.item[best]);
    bound_certificate_stands(&q, b, shape[_i].text, number, COUNT(number));
  }
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

/* The parameters of a true claim, said of each description: the checker finds for itself which of them have the shape.
 */
START_TEST(other_computations_are_refused)
{
  cdag *g = open_shape(0);
  text claim = bound_claim_of("elimination", g, 40);
  for (size_t i = 0; i < COUNT(shape); i++) {
    cdag *other = open_shape(i);
    ck_assert_msg(bound_claim_holds("elimination", other, 40, text_str(&claim)) == shape[i].holds, "%s", shape[i].text);
    cdag_free(other);
  }
  text_clear(&claim);
  cdag_free(g);
}
END_TEST

/* Many columns and few words. */
START_TEST(far_certificate)
{
  static const char *const number[] = { "\"from\": ", "\"to\": ",     "\"apart\": ", "\"work\": ",
                                        "\"most\": ", "\"events\": ", "\"stores\": " };
  diag d = { 0 };
  bound_list list = { 0 };
  int best;
  int64_t apart;
  json_value p;
  cdag *g = NULL;
  ck_assert_int_eq(cdag_open(&g, "cholesky:n=700", &d), OK);
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = 30, .want_proof = true, .theorem = "elimination" };
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  const bound *b = bound_named(&list, "elimination");
  ck_assert_ptr_nonnull(b);
  bound_certificate_stands(&q, b, "n = 700", number, COUNT(number));
  ck_assert_int_eq(json_read(&p, text_str(&b->parameters), b->parameters.n, "parameters", &d), OK);
  ck_assert(json_get_int(&p, "apart", &apart) && apart > 0);
  json_value_clear(&p);
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

START_TEST(wrong_claims)
{
#define NAMES "{\"statement\": \"U\", \"finished\": \"L\""
#define ALL NAMES ", \"from\": 0, \"to\": 60"
#define FAR(first, most, events)                                                                                       \
  ALL ", \"apart\": 11, \"work\": 18424, \"births\": 0, \"stores\": 1830, \"segments\": 1, \"first\": " first          \
      ", \"length\": 0, \"most_first\": " most ", \"most\": 0, \"events\": " events "}"
#define END ", \"segments\": 1, \"first\": 3, \"length\": 0, \"most_first\": 1, \"most\": 0, \"events\": 4}"
  static const char names[] = "is no array of rank", sides[] = "leave no steps",
                    steps[] = "do not read the step before";
  static const struct { const char *claim, *why; } wrong[] = {
    { "{}", names },
    { "{\"statement\": \"L\", \"finished\": \"L\"}", names },
    { "{\"statement\": \"U\"}", names },
    { "{\"statement\": \"U\", \"finished\": \"nobody\"}", names },
    { "{\"statement\": \"U\", \"finished\": \"D\"}", names },
    { "{\"statement\": \"U\", \"finished\": \"A\", \"from\": 0, \"to\": 60, \"apart\": 0}", steps },
    { NAMES "}", sides },
    { NAMES ", \"from\": 0}", sides },
    { NAMES ", \"from\": 0, \"to\": 2}", sides },
    { NAMES ", \"from\": 9223372036854775807, \"to\": -5}", sides },
    { NAMES ", \"from\": 0, \"to\": -9223372036854775807}", sides },
    { NAMES ", \"from\": -1048577, \"to\": 60}", sides },
    { NAMES ", \"from\": -1048576, \"to\": 60, \"apart\": 0}", steps },
    { NAMES ", \"from\": 0, \"to\": 1048577}", sides },
    { NAMES ", \"from\": 0, \"to\": 1048576, \"apart\": 0}", steps },
    { NAMES ", \"from\": -1, \"to\": 60, \"apart\": 0}", steps },
    { NAMES ", \"from\": 0, \"to\": 61, \"apart\": 0}", steps },
    { ALL "}", "'apart'" },
    { ALL ", \"apart\": -1}", "'apart'" },
    { ALL ", \"apart\": 58}", "'apart'" },
    { NAMES ", \"from\": 58, \"to\": 60, \"apart\": 0}", sides },
    { ALL ", \"apart\": 57}", "'work'" },
    { ALL ", \"apart\": 0, \"work\": 34221, \"births\": 0, \"stores\": 1830" END, "'work'" },
    { ALL ", \"apart\": 0, \"work\": 34220, \"births\": 1, \"stores\": 1830" END, "'births'" },
    { ALL ", \"apart\": 0, \"work\": 34220, \"births\": 0, \"stores\": 1831" END, "'stores'" },
    { ALL ", \"apart\": 0, \"work\": 34220, \"births\": 0, \"stores\": 1830}", "'segments'" },
    { ALL ", \"apart\": 1, \"work\": 34220, \"births\": 0, \"stores\": 1830" END, "'work'" },
    { FAR("17", "19", "18"), "more is possible" },
    { FAR("16", "20", "17"), "it is too much" },
    { FAR("16", "16", "17"), "more is possible" },
  };
  cdag *g = open_shape(0);
  for (size_t i = 0; i < COUNT(wrong); i++)
    bound_claim_refused("elimination", g, 40, wrong[i].claim, wrong[i].why);
  ck_assert(bound_claim_holds("elimination", g, 40,
                              ALL ", \"apart\": 0, \"work\": 34220, \"births\": 0, \"stores\": 1830" END));
  /* sixteen words are few, 9 * 16 = 12 * 12, and one more are not */
  ck_assert(bound_claim_holds("elimination", g, 40, FAR("16", "17", "17")));
  ck_assert(bound_claim_holds("elimination", g, 40, FAR("17", "21", "18")));
  ck_assert(bound_claim_holds("elimination", g, 40, FAR("6", "4", "7"))); /* 27 * 4 * 4 = 2 * 6 * 6 * 6 */
  /* a part of it is true as well, from another column on, down to one step */
  ck_assert(bound_claim_holds(
      "elimination", g, 40,
      NAMES ", \"from\": 1, \"to\": 60, \"apart\": 0, \"work\": 32509, \"births\": 0, \"stores\": 1830" END));
  ck_assert(bound_claim_holds("elimination", g, 40,
                              NAMES ", \"from\": 57, \"to\": 60, \"apart\": 0, \"work\": 1, \"births\": 0, \"stores\": "
                                    "0, \"segments\": 1, \"first\": 2, "
                                    "\"length\": 0, \"most_first\": 0, \"most\": 0, \"events\": 3}"));
  cdag_free(g);
  diag d = { 0 };
  ck_assert_int_eq(cdag_open(&g, "fft:l=2", &d), OK);
  bound_claim_refused("elimination", g, 40, "{\"statement\": \"v\", \"finished\": \"v\"}", names);
  cdag_free(g);
}
END_TEST

START_TEST(no_more_than_a_play)
{
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  schedule_verdict v = { 0 };
  bound_list list = { 0 };
  int best;
  char spec[32];
  bool blocked = _i % 2;
  snprintf(spec, sizeof spec, "cholesky:n=%d",
           blocked && _i > 30 ? _i * 3 : _i); /* the longer ones by steps that are far apart */
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = blocked ? 8 + (uint64_t)_i % 9 * 5 : (uint64_t)_i + 3 };
  if (_i % 6 >= support_rounds(1))
    q.theorem = "elimination"; /* the others at every sixth size */
  schedule_play_options o = { .rules = { .m = q.m }, .engine = PEBBLE_BY_TILE, .fast_forward = true };
  ck_assert_int_eq(schedule_open(&s, g, q.m, blocked ? "blocked" : "left-looking", &d), OK);
  ck_assert_int_eq(schedule_play(s, &o, &v, &d), OK);
  ck_assert(v.verdict.legal);
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  ck_assert_ptr_nonnull(bound_named(&list, "elimination"));
  for (size_t i = 0; i < list.n; i++)
    ck_assert_msg(list.item[i].trust > BOUND_CERTIFIED ||
                      mpz_cmp_ui(list.item[i].value, v.verdict.loads + v.verdict.stores) <= 0,
                  "%s: %s exceeds a play", spec, list.item[i].name);
  schedule_verdict_clear(&v);
  schedule_free(s);
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_elimination");
  TCase *claims = support_case(s, "claims"), *lemma = support_case(s, "lemma"), *plays = support_case(s, "plays");
  tcase_add_test(claims, wrong_claims);
  tcase_add_test(claims, other_computations_are_refused);
  tcase_add_loop_test(claims, shapes, 0, COUNT(shape));
  tcase_add_test(claims, far_certificate);
  tcase_add_loop_test(lemma, steps_are_triangles, 0, support_rounds(40));
  tcase_add_loop_test(lemma, far_steps_are_steps, 0, support_rounds(60));
  tcase_add_loop_test(lemma, far_steps_are_few, 0, support_rounds(4));
  tcase_add_test(lemma, near_steps_are_more);
  tcase_add_loop_test(lemma, triangles_are_steps, 0, SIDE * (SIDE - 1) / 2 + 1);
  tcase_add_test(lemma, most_triangles);
  tcase_add_loop_test(plays, no_more_than_a_play, 4, 40);
  return support_run(s);
}
