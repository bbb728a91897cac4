/* One computation in five spellings has one bound: random sums over three loops, their loops and arrays renamed, loops
   in another order, terms permuted, single indices as ranges, domains shifted, bounds and indices with cases that never
   come. */
#include "bounds/checker.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <stdlib.h>
#include <string.h>

enum { N = 24, SPELLINGS = 5, NEEDS = 3, FAR = 9 * N };

/* coef[3] is the constant */
typedef struct { int rank, coef[2][4]; } need;
typedef struct {
  int below[3][4];             /* each loop from 0 to below that */
  int needs, array[NEEDS];     /* which array a need reads: the same one, or others */
  need need[NEEDS];
  bool start;                  /* sums start from an input */
} computation;

static const need pool[] = {
  { 2, { { 1, 0, 0, 0 }, { 0, 0, 1, 0 } } },
  { 2, { { 0, 0, 1, 0 }, { 0, 1, 0, 0 } } },
  { 2, { { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } },
  { 1, { { 1, 0, 1, 0 } } },
  { 2, { { 1, 0, 1, 0 }, { 0, 1, 0, 0 } } },
  { 2, { { 1, 0, 0, 0 }, { 0, 1, 1, 0 } } },
  { 2, { { 0, 0, 1, 1 }, { 0, 1, 0, 0 } } },
  { 2, { { 1, 0, 0, 0 }, { 0, 0, 2, 0 } } },
  { 2, { { 1, 1, 0, 0 }, { 0, 0, 1, 0 } } },
  { 1, { { 0, 0, 1, 0 } } },
};

static void draw(support_random *r, computation *c)
{
  static const int box[4] = { 0, 0, 0, N }, first[4] = { 1, 0, 0, 1 }, second[4] = { 0, 1, 0, 1 };
  int shape = (int)support_between(r, 0, 4);
  bool same = support_between(r, 0, 2) == 0;
  *c = (computation){ .needs = support_between(r, 0, 3) ? 2 : 3, .start = support_between(r, 0, 1) };
  for (int v = 0; v < 3; v++)
    memcpy(c->below[v], box, sizeof box);
  if (shape == 1 || shape == 3)
    memcpy(c->below[1], first, sizeof first);
  if (shape == 2 || shape == 3)
    memcpy(c->below[2], shape == 2 ? first : second, sizeof first);
  for (int i = 0; i < c->needs; i++) {
    int64_t k = support_between(r, 0, COUNT(pool) - 1);
    c->need[i] = pool[k];
    c->array[i] = same && c->need[i].rank == 2 ? 0 : i + 1;
    for (int q = 0; q < i; q++)
      if (memcmp(&c->need[q], &c->need[i], sizeof(need)) == 0) /* all different */
        c->needs = i;
  }
}

/* How a spelling writes it. */
typedef struct {
  int way, shift[3], order[3]; /* order: which loop comes first, second, third */
  const char *const *loop, *const *array;
} spelling;

static spelling spell(const computation *c, int way)
{
  static const char *const plain[] = { "i", "j", "k" }, *const other[] = { "p", "q", "t" };
  static const char *const arrays[] = { "X", "Y", "Z", "W", "S", "C" };
  static const char *const renamed[] = { "Left", "Right", "More", "u0", "Z", "Sum" };
  spelling s = { .way = way, .shift = { way == 3, way == 3 ? 2 : 0, way == 4 ? 3 : 0 }, .order = { 0, 1, 2 } };
  s.loop = way == 1 ? other : plain;
  s.array = way == 1 ? renamed : arrays;
  bool free1 = c->below[1][3] == N, free2 = c->below[2][3] == N;
  static const int orders[4][3] = { { 0, 1, 2 }, { 2, 0, 1 }, { 0, 2, 1 }, { 1, 2, 0 } }; /* bounds name loops before */
  if (way == 1)
    memcpy(s.order, orders[2 * free1 + free2], sizeof s.order);
  return s;
}

/* The form, in shifted loops, and `more`. */
static void put(text *t, const spelling *s, const int *coef, int more)
{
  int constant = coef[3] + more;
  bool some = false;
  for (int v = 0; v < 3; v++) {
    constant -= coef[v] * s->shift[v];
    if (coef[v] == 0)
      continue;
    text_add(t, some ? "+" : "");
    if (coef[v] != 1)
      text_printf(t, "%d*", coef[v]);
    text_add(t, s->loop[v]);
    some = true;
  }
  if (constant || !some)
    text_printf(t, some ? "%+d" : "%d", constant);
}

static void put_range(text *t, const computation *c, const spelling *s, int v)
{
  text_printf(t, "%s:", s->loop[v]);
  if (s->way == 4 && v == 0)
    text_printf(t, "max(0,0-3)..");
  else if (s->shift[v])
    text_printf(t, "%d..", s->shift[v]);
  text_add(t, s->way == 3 && v == 1 ? "min(" : "");
  put(t, s, c->below[v], s->shift[v]);
  if (s->way == 3 && v == 1)
    text_printf(t, ",%d)", N + 7);
}

static void put_need(text *t, const computation *c, const spelling *s, int i)
{
  const need *n = &c->need[i];
  text_printf(t, ", %s[", s->array[c->array[i]]);
  for (int k = 0; k < n->rank; k++) {
    text_add(t, k ? "," : "");
    put(t, s, n->coef[k], 0);
    if (s->way == 2 && k == 0) {
      text_add(t, "..");
      put(t, s, n->coef[k], 1);
    }
    if (s->way == 4 && k + 1 == n->rank)
      text_printf(t, "+%d*(%s<0)", FAR, s->loop[2]);
  }
  text_char(t, ']');
}

static void put_inputs(text *t, const computation *c, const spelling *s)
{
  bool shared = false;
  text_printf(t, "input %s[%d,%d,1]", s->array[4], N, N);
  for (int i = 0; i < c->needs; i++) {
    if (c->array[i] != 0 || !shared)
      text_printf(t, c->need[i].rank == 2 ? ", %s[%d,%d]" : ", %s[%d]", s->array[c->array[i]], 3 * N, 3 * N);
    shared = shared || c->array[i] == 0;
  }
}

static void put_sum(text *t, const computation *c, const spelling *s)
{
  for (int k = 0; k < 3; k++) {
    text_add(t, k ? "," : "");
    put_range(t, c, s, s->order[k]);
  }
  text_printf(t, "] = %s[", s->array[5]);
  for (int k = 0; k < 3; k++) {
    text_printf(t, k ? ",%s" : "%s", s->loop[s->order[k]]);
    text_add(t, s->order[k] == 2 ? "-1" : "");
  }
  text_char(t, ']');
  for (int i = 0; i < c->needs; i++)
    put_need(t, c, s, s->way == 1 || s->way == 2 ? c->needs - 1 - i : i);
  if (c->start) {
    const int a[4] = { 1, 0, 0, 0 }, b[4] = { 0, 1, 0, 0 }, k[4] = { 0, 0, 1, 0 };
    text_printf(t, ", %s[", s->array[4]);
    put(t, s, a, 0);
    text_char(t, ',');
    put(t, s, b, 0);
    text_char(t, ',');
    put(t, s, k, 0);
    text_char(t, ']');
  }
}

static void write_text(const computation *c, int way, text *t)
{
  spelling s = spell(c, way);
  put_inputs(t, c, &s);
  text_printf(t, "\n%s[", s.array[5]);
  put_sum(t, c, &s);
  text_printf(t, "\noutput %s[", s.array[5]);
  for (int k = 0; k < 3; k++) {
    text_add(t, k ? "," : "");
    if (s.order[k] == 2)
      put(t, &s, c->below[2], s.shift[2] - 1);
    else
      put_range(t, c, &s, s.order[k]);
  }
  text_add(t, "]\n");
}

/* The values of the theorem's records, as one word. */
static void values_of(const char *theorem, const char *source, uint64_t m, text *values)
{
  cdag *g = bound_text_open(source, "");
  bound_question q = { .g = g, .m = m };
  bound_list list = { 0 };
  diag d = { 0 };
  ck_assert_int_eq(bound_theorem_find(theorem)->apply(&q, &list, &d), OK);
  for (size_t i = 0; i < list.n; i++)
    text_printf(values, "%s %.0f ", list.item[i].name, mpz_get_d(list.item[i].value));
  bound_list_clear(&list);
  cdag_free(g);
}

START_TEST(five_spellings)
{
  support_random r = { (uint64_t)_i + 1 };
  computation c;
  text first = { 0 };
  draw(&r, &c);
  for (int way = 0; way < SPELLINGS; way++) {
    text source = { 0 }, values = { 0 };
    write_text(&c, way, &source);
    values_of("affine", text_str(&source), 16, way ? &values : &first);
    bool same = way == 0 || strcmp(text_str(&values), text_str(&first)) == 0;
    ck_assert_msg(same, "seed %d: %s, but\n%s\nhas %s", _i, text_str(&first), text_str(&source), text_str(&values));
    text_clear(&source);
    text_clear(&values);
  }
  ck_assert(first.n > 0);
  text_clear(&first);
}
END_TEST

static void same_values(const char *theorem, const char *one, const char *other)
{
  SCOPED_TEXT its = { 0 }, others = { 0 };
  values_of(theorem, one, 16, &its);
  values_of(theorem, other, 16, &others);
  ck_assert_msg(strcmp(text_str(&its), text_str(&others)) == 0, "%s, but %s:\n%s", text_str(&its), text_str(&others),
                other);
}

/* The first step of a sum, or the last, in a rule of its own; or each product. */
#define READS "input A[80,80], B[80,80], D[24,24,1]\n"
static const struct { const char *one, *apart; } sums[] = {
  { READS "S[i:24, j:24, k:24] = S[i,j,k-1], A[i,k], B[k,j]\noutput S[*,*,23]\n",
    READS "G[i:24, j:24] = A[i,0], B[0,j]\nS[i:24, j:24, k:1..24] = S[i,j,k-1], G[i,j] if k == 1, A[i,k], B[k,j]\n"
          "output S[*,*,23]\n" },
  { READS "S[i:24, j:24, k:24] = S[i,j,k-1], A[i,k], B[k,j]\noutput S[*,*,23]\n",
    READS "S[i:24, j:24, k:23] = S[i,j,k-1], A[i,k], B[k,j]\noutput G[i:24, j:24] = S[i,j,22], A[i,23], B[23,j]\n" },
  /* it begins with what the others do not read */
  { READS "S[i:24, j:24, k:24] = S[i,j,k-1], D[i,j,0] if k == 0, A[i,k], B[k,j]\noutput S[*,*,23]\n",
    READS "G[i:24, j:24] = D[i,j,0], A[i,0], B[0,j]\nS[i:24, j:24, k:1..24] = S[i,j,k-1], G[i,j] if k == 1, A[i,k], "
          "B[k,j]\noutput S[*,*,23]\n" },
  /* its place is told by the second read before the first */
  { READS "S[i:24, j:i..24, k:24] = S[i,j,k-1], A[i+j,k], B[k,j]\noutput S[i:24,j:i..24,23]\n",
    READS "G[i:24, j:i..24] = A[i+j,0], B[0,j]\nS[i:24, j:i..24, k:1..24] = S[i,j,k-1], G[i,j] if k == 1, A[i+j,k], "
          "B[k,j]\noutput S[i:24,j:i..24,23]\n" },
  { READS "S[i:24, j:24, k:24] = S[i,j,k-1], A[i,k], B[k,j]\noutput S[*,*,23]\n",
    READS "P[i:24, j:24, k:24] = A[i,k], B[k,j]\nS[i:24, j:24, k:24] = S[i,j,k-1], P[i,j,k]\noutput S[*,*,23]\n" },
  /* two products, one after the other, each with a first step */
  { READS "S[i:24, j:24, k:24] = S[i,j,k-1], A[i,k], B[k,j]\nE[i:24, j:24, k:24] = E[i,j,k-1], S[i,k,23], B[k,j+30]\n"
          "output E[*,*,23]\n",
    READS "G[i:24, j:24] = A[i,0], B[0,j]\nS[i:24, j:24, k:1..24] = S[i,j,k-1], G[i,j] if k == 1, A[i,k], B[k,j]\n"
          "H[i:24, j:24] = S[i,0,23], B[0,j+30]\n"
          "E[i:24, j:24, k:1..24] = E[i,j,k-1], H[i,j] if k == 1, S[i,k,23], B[k,j+30]\noutput E[*,*,23]\n" },
};

START_TEST(steps_apart)
{
  same_values("affine", sums[_i].one, sums[_i].apart);
}
END_TEST

/* Other things that may be said in two ways. */
#define RANKS "input A[24,24], u[24], v[24], p[24], q[24], x[24], y[24], w[24]\n"
#define SOLVED                                                                                                         \
  "X[i:24,j:24] = x[i] if j == 0, X[i,j-1], B[j,i], y[j]\n"                                                            \
  "W[i:24,j:24] = w[i] if j == 0, W[i,j-1], B[i,j], X[j,23]\noutput W[*,23]\n"
#define HALF "input A[i:90,k:i+1], B[90,90], Z[90,90]\n"
#define STEPS "B[t-1,i,j], A[t-1,i] if i < t-1, "
static const struct { const char *theorem, *one, *other; } others[] = {
  /* inputs that begin an array, or stand beside it */
  { "affine", "input A[24,24], B0[24,24]\nB[t:1..25,i:24,j:24] = B0[i,j] if t == 1, " STEPS
              "B[t-1,t-1,j] if i < t-1\noutput B[24,*,*]\n",
    "input A[24,24], B[0..1,24,24]\nB[t:1..25,i:24,j:24] = " STEPS "B[t-1,t-1,j] if i < t-1\noutput B[24,*,*]\n" },
  /* one half of a symmetric matrix is stored: all of a row in one sum, or what is before the diagonal and behind it */
  { "affine", HALF "C[i:90,j:90,k:90] = C[i,j,k-1], Z[i,j] if k == 0, A[i,k] if k <= i, A[k,i] if k > i, B[k,j]\n"
              "output C[*,*,89]\n",
    HALF "C[i:90,j:90,k:i+1] = C[i,j,k-1], Z[i,j] if k == 0, A[i,k], B[k,j]\n"
         "D[i:89,j:90,k:i+1..90] = D[i,j,k-1], C[i,j,i] if k == i+1, A[k,i], B[k,j]\n"
         "output C[89,*,89]\noutput D[*,*,89]\n" },
  /* a matrix of rank two added at once, or in two steps */
  { "gates", RANKS "B[i:24,j:24] = A[i,j], u[i], v[j], p[i], q[j]\n" SOLVED,
    RANKS "C[i:24,j:24] = A[i,j], u[i], v[j]\nB[i:24,j:24] = C[i,j], p[i], q[j]\n" SOLVED },
};

START_TEST(said_otherwise)
{
  same_values(others[_i].theorem, others[_i].one, others[_i].other);
}
END_TEST

/* Two products a step, in two rules, the first a part of the second, or in a sum of two: a segment has as many steps
   more as it has words, so the bound is somewhat less than in one rule, and more than that of products apart. */
#define BOTH "input A[200,200], B[200,200]\n"
START_TEST(words_through_parts)
{
  static const char *const said[] = {
    BOTH "S[i:200,j:i+1,k:200] = S[i,j,k-1], A[i,k], B[j,k], B[i,k], A[j,k]\noutput S[*,*,199]\n",
    BOTH "P[i:200,j:i+1,k:200] = S[i,j,k-1], A[i,k], B[j,k]\nS[i:200,j:i+1,k:200] = P[i,j,k], B[i,k], A[j,k]\n"
         "output S[*,*,199]\n",
    BOTH "S[i:200,j:i+1,k:200,s:2] = S[i,j,k,s-1], S[i,j,k-1,1] if s == 0, A[i,k] if s == 0, B[j,k] if s == 0, "
         "B[i,k] if s == 1, A[j,k] if s == 1\noutput S[*,*,199,1]\n",
  };
  double value[3];
  for (int i = 0; i < 3; i++) {
    SCOPED_TEXT values = { 0 };
    values_of("affine", said[i], 1024, &values);
    value[i] = strtod(text_str(&values) + strlen("affine "), NULL);
  }
  ck_assert(value[0] > 320000);
  ck_assert_msg(value[1] == value[2], "%.0f, %.0f", value[1], value[2]);
  ck_assert_msg(value[1] < value[0] && value[1] > 0.85 * value[0], "%.0f, %.0f", value[0], value[1]);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("spellings");
  TCase *t = support_case(s, "spellings");
  tcase_add_loop_test(t, five_spellings, 0, support_rounds(12));
  tcase_add_loop_test(t, steps_apart, 0, COUNT(sums));
  tcase_add_loop_test(t, said_otherwise, 0, COUNT(others));
  tcase_add_test(t, words_through_parts);
  return support_run(s);
}
