/* The parts the checkers are made of, each against its definition tried out point by point: linear forms, boxes, cuts,
 * carried pairs. */
#include "base/json_read.h"
#include "base/mem.h"
#include "bounds/check/cut.h"
#include "bounds/check/reading/form.h"
#include "bounds/check/pairs.h"
#include "bounds/check/reading/read.h"
#include "tests/support.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- linear forms ---- */

enum { LOOPS = 3 };

static form random_form(support_random *r, int64_t most)
{
  form f = form_number(support_between(r, -most, most));
  for (int i = 0; i < LOOPS; i++)
    f.k[i] = support_between(r, 0, 2) ? support_between(r, -most, most) : 0;
  return f;
}

static form_domain random_domain(support_random *r)
{
  form_domain s = { .slanted = 0 };
  for (int i = 0; i < FORM_PLACES; i++) {
    s.lo[i] = i < LOOPS ? support_between(r, -2, 2) : 0;
    s.hi[i] = s.lo[i] + (i < LOOPS ? support_between(r, 1, 4) : 1);
  }
  return s;
}

static int64_t at(const form *f, const int64_t *x)
{
  int64_t v = f->c;
  for (int i = 0; i < LOOPS; i++)
    v += f->k[i] * x[i];
  return v;
}

/* The next point of the domain; false after the last. */
static bool next(const form_domain *s, int64_t *x)
{
  int i = LOOPS - 1;
  while (i >= 0 && ++x[i] >= s->hi[i]) {
    x[i] = s->lo[i];
    i--;
  }
  return i >= 0;
}

START_TEST(extremes_point_by_point)
{
  support_random r = { (uint64_t)_i };
  form f = random_form(&r, 5);
  form_domain s = random_domain(&r);
  int64_t x[LOOPS], least, most, low = INT64_MAX, high = INT64_MIN;
  memcpy(x, s.lo, sizeof x);
  do {
    low = at(&f, x) < low ? at(&f, x) : low;
    high = at(&f, x) > high ? at(&f, x) : high;
  } while (next(&s, x));
  ck_assert(form_extremes(&f, &s, &least, &most));
  ck_assert_int_eq(least, low);
  ck_assert_int_eq(most, high);
}
END_TEST

/* The same where ranges are forms in the loops before: no value is outside, and where no range is empty both are
 * attained. */
START_TEST(extremes_on_slanted_domains)
{
  support_random r = { (uint64_t)_i };
  form f = random_form(&r, 5);
  form_domain s = random_domain(&r);
  int64_t x[LOOPS], least, most, low = INT64_MAX, high = INT64_MIN;
  bool full = true;
  for (int i = 1; i < LOOPS; i++) {
    s.from[i] = s.to[i] = form_number(support_between(&r, -2, 2));
    s.to[i].c += support_between(&r, 1, 3);
    s.from[i].k[support_between(&r, 0, i - 1)] = support_between(&r, -1, 1);
    s.to[i].k[support_between(&r, 0, i - 1)] = support_between(&r, -1, 1);
    s.slanted |= 1u << i;
    ck_assert(form_extremes(&s.from[i], &s, &s.lo[i], &most) && form_extremes(&s.to[i], &s, &least, &s.hi[i]));
  }
  memcpy(x, s.lo, sizeof x);
  do {
    bool inside = true;
    for (int i = 1; i < LOOPS; i++) {
      inside = inside && at(&s.from[i], x) <= x[i] && x[i] < at(&s.to[i], x);
      full = full && at(&s.from[i], x) < at(&s.to[i], x);
    }
    low = inside && at(&f, x) < low ? at(&f, x) : low;
    high = inside && at(&f, x) > high ? at(&f, x) : high;
  } while (next(&s, x));
  ck_assert(form_extremes(&f, &s, &least, &most));
  ck_assert_msg(least <= low && (!full || least == low), "%d: %ld, not %ld", _i, (long)least, (long)low);
  ck_assert_msg(most >= high && (!full || most == high), "%d: %ld, not %ld", _i, (long)most, (long)high);
}
END_TEST

/* Forms as large as numbers get: no answer rather than a wrong one. */
START_TEST(extremes_far_out)
{
  form_domain s = { .slanted = 0 };
  int64_t least, most;
  for (int i = 0; i < FORM_PLACES; i++)
    s.hi[i] = i < 6 ? INT64_MAX : 1;
  form f = form_number(0), g = form_number(INT64_MAX / 2), h = form_number(INT64_MIN / 2);
  ck_assert(form_extremes(&g, &s, &least, &most) && most == INT64_MAX / 2);
  ck_assert(form_extremes(&h, &s, &least, &most) && least == INT64_MIN / 2);
  g.c++;
  h.c--;
  ck_assert(!form_extremes(&g, &s, &least, &most));
  ck_assert(!form_extremes(&h, &s, &least, &most));
  for (int i = 0; i < 6; i++) {
    f.k[i] = INT64_MAX;
    ck_assert(!form_extremes(&f, &s, &least, &most));
  }
  for (int i = 0; i < 6; i++)
    f.k[i] = -INT64_MAX;
  ck_assert(!form_extremes(&f, &s, &least, &most));
}
END_TEST

START_TEST(sums_of_forms)
{
  support_random r = { (uint64_t)_i };
  form f = random_form(&r, 5), g = random_form(&r, 5), sum = f;
  form_domain s = random_domain(&r);
  int64_t x[LOOPS], times = support_between(&r, -3, 3);
  memcpy(x, s.lo, sizeof x);
  ck_assert(form_plus(&sum, &g, times));
  do
    ck_assert_int_eq(at(&sum, x), at(&f, x) + times * at(&g, x));
  while (next(&s, x));
  ck_assert(form_same(&f, &f));
  ck_assert(form_same(&f, &g) == (memcmp(&f, &g, sizeof f) == 0));
}
END_TEST

START_TEST(sums_that_overflow)
{
  form large = form_number(INT64_MAX), loop = form_loop(0), two = form_number(2), f;
  large.k[1] = 0;
  f = large;
  ck_assert(!form_plus(&f, &large, 2));            /* the constant's product */
  f = large;
  ck_assert(!form_plus(&f, &two, 1));              /* the constant's sum */
  loop.k[0] = INT64_MAX;
  f = form_number(0);
  ck_assert(!form_plus(&f, &loop, 2));             /* a coefficient's product */
  f = loop;
  ck_assert(!form_plus(&f, &loop, 1));             /* a coefficient's sum */
}
END_TEST

/* True only of forms that give every setting of the places another tuple. */
START_TEST(distinct_point_by_point)
{
  support_random r = { (uint64_t)_i };
  form f[2] = { random_form(&r, 4), random_form(&r, 4) };
  form_domain s = random_domain(&r);
  int n = (int)support_between(&r, 1, 2);
  unsigned places = (unsigned)support_between(&r, 0, 7);
  if (support_between(&r, 0, 1)) { /* each loop in one form, as is mostly so */
    f[0].k[2] = 0, f[1].k[0] = f[1].k[1] = 0;
    places = form_uses(&f[0]) | (n > 1 ? form_uses(&f[1]) : 0);
  }
  bool distinct = true;
  int64_t x[LOOPS], y[LOOPS];
  memcpy(x, s.lo, sizeof x);
  do {
    memcpy(y, s.lo, sizeof y);
    do {
      bool same_place = true, same = true;
      for (int i = 0; i < LOOPS; i++)
        same_place = same_place && (!(places >> i & 1) || x[i] == y[i]);
      for (int i = 0; i < n; i++)
        same = same && at(&f[i], x) == at(&f[i], y);
      distinct = distinct && (same_place || !same);
    } while (next(&s, y));
  } while (next(&s, x));
  unsigned uses = form_uses(&f[0]) | (n > 1 ? form_uses(&f[1]) : 0);
  bool said = form_distinct(f, n, places, &s);
  ck_assert(!said || (distinct && uses == places));
}
END_TEST

START_TEST(digits_are_told_apart)
{
  form f = form_number(3), g = form_loop(2);
  form_domain s = { .hi = { 4, 5, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 } };
  f.k[0] = -5, f.k[1] = 1;
  ck_assert(form_distinct(&f, 1, 3, &s));          /* 5 i + j with j < 5 */
  ck_assert(form_distinct((form[]){ f, g }, 2, 7, &s));
  ck_assert(!form_distinct(&f, 1, 1, &s));         /* speaks of a place that was not named */
  ck_assert(!form_distinct(&f, 1, 7, &s));         /* does not speak of one that was */
  ck_assert(!form_distinct((form[]){ f, form_loop(0) }, 2, 3, &s)); /* a place in two forms */
  f.k[0] = 1, f.k[1] = 4;
  ck_assert(form_distinct(&f, 1, 3, &s));          /* i + 4 j with i < 4: the smaller step comes first */
  f.k[0] = 4, f.k[1] = 1;
  ck_assert(!form_distinct(&f, 1, 3, &s));
  s.hi[1] = 1;
  ck_assert(form_distinct(&f, 1, 3, &s));          /* one value of j */
}
END_TEST

/* ---- expressions and domains ---- */

static const char *const expressions[] = { "i",
                                           "j",
                                           "3",
                                           "-i",
                                           "-(i+j)",
                                           "-(i*j)",
                                           "-(-i)",
                                           "i+j",
                                           "i-j",
                                           "2*i",
                                           "i*2",
                                           "i*j",
                                           "i*(n-n+3)",
                                           "i+2*j-n",
                                           "(i*j)+i",
                                           "i-(i*j)",
                                           "i/2",
                                           "min(i,j)",
                                           "w[i]",
                                           "w[2]+j",
                                           "i*w[1]",
                                           "-w[i]",
                                           "i+w[j]",
                                           "9223372036854775807*(2*i)",
                                           "(2*i)*9223372036854775807",
                                           "-(i*-9223372036854775807-i)",
                                           "i*9223372036854775807+i*9223372036854775807",
                                           "i*9223372036854775807+9223372036854775807+i*0+9223372036854775807",
                                           "i+w[9]",
                                           "(i+9223372036854775807)+j*0+9223372036854775807",
                                           "n",
                                           "(i*(0-9223372036854775807)-i)-i",
                                           "0*i",
                                           "(j*0+9223372036854775807)*2",
                                           "i-i",
                                           "-9223372036854775807*i-9223372036854775807*i" };

/* What is read as a form has its value everywhere; what is none is said to be none. */
START_TEST(expressions_as_forms)
{
  cdag *g = NULL;
  diag d = { 0 };
  char source[400];
  form loop[2] = { form_loop(0), form_loop(1) }, f;
  snprintf(source, sizeof source, "param n\ntable w[i:5] = i*i\ninput A[1]\noutput input X[i:n, j:n] = A[%s]\n",
           expressions[_i]);
  status st = cdag_parse(&g, "forms", source, "n=2", &d);
  if (st == OK) { /* an index that overflows is refused when the computation is read */
    const expr *e = g->array[1].term[0].index[0].lo;
    bool read = form_read(g, e, loop, 2, &f);
    for (int64_t i = 0; i < 2 && read; i++)
      for (int64_t j = 0; j < 2; j++) {
        int64_t slot[] = { 2, i, j }, v;
        expr_env env = { slot, g->table };
        ck_assert_int_eq(expr_eval(e, &env, &v, NULL), EXPR_OK);
        ck_assert_int_eq(v, f.c + f.k[0] * i + f.k[1] * j);
      }
    loop[0] = form_number(1);
    loop[1] = form_number(0);
    ck_assert(!form_read(g, e, loop, 2, &f) || form_is_number(&f));
  }
  cdag_free(g);
}
END_TEST

/* Numbers too large for a form: 777 stands for 2^63 - 1, which no description may say there. */
static const struct { const char *expression; bool form;
} large[] = {
  { "777*i", true },         { "-(777*i)", true },       { "2*(777*i)", false },   { "(777*i)*2", false },
  { "-(0-777*i-i)", false }, { "777*i+i", false },       { "i+777*i", false },     { "-(777*i)-i", true },
  { "-(777*i)-2*i", false }, { "-(777*i)-777-1", true }, { "-777-i-2", false },    { "i+777+777", false },
  { "777-(-3-i)", false },   { "(777+i)+3", false },     { "-(-777-i-1)", false }, { "-(i/2)", false },
  { "i/2+i", false },        { "i+i/2", false },         { "i*(i/2)", false },     { "(i/2)*3", false },
  { "-(i*2)", true },        { "i*(i+1)", false },       { "(i+1)*i", false },     { "w[i]*3", false },
  { "w[i]", false },         { "w[3]*i", true },         { "w[7]", false },        { "w[7]*i", false },
  { "i*w[7]", false },
};

static void enlarge(expr *e)
{
  if (e->op == EXPR_CONST && (e->value == 777 || e->value == -777))
    e->value = e->value < 0 ? -INT64_MAX : INT64_MAX;
  for (int i = 0; i < e->nargs; i++)
    enlarge(e->arg[i]);
}

START_TEST(expressions_too_large)
{
  cdag *g = NULL;
  diag d = { 0 };
  char source[400];
  form loop[1] = { form_loop(0) }, f;
  snprintf(source, sizeof source,
           "param n\ntable w[i:5] = i*i\ninput A[1]\ninput X[i:n] = A[%s]\noutput Y[i:1] = A[i]\n",
           large[_i].expression);
  ck_assert_msg(cdag_parse(&g, "forms", source, "n=0", &d) == OK, "%s: %s", large[_i].expression, d.message);
  enlarge(g->array[1].term[0].index[0].lo);
  ck_assert_msg(form_read(g, g->array[1].term[0].index[0].lo, loop, 1, &f) == large[_i].form, "%s",
                large[_i].expression);
  cdag_free(g);
}
END_TEST

static const char *const domains[] = { "i:n, j:n",      "i:n, j:i+1",         "i:n, j:i..n", "i:n, j:w[i]",
                                       "i:n, j:n-i",    "i:1..n, j:i-1..i+1", "i:n, j:i*i",  "i:n, j:0",
                                       "i:n, j:5-i..5", "i:n, j:0*i+2" };

/* Inside: at every point of the domain the element exists. */
START_TEST(inside_point_by_point)
{
  support_random r = { (uint64_t)_i };
  cdag *g = NULL;
  diag d = { 0 };
  char source[400];
  snprintf(source, sizeof source, "param n\ntable w[i:9] = 1 + i %% 3\ninput A[n]\noutput X[%s] = A[i]\noutput A[*]\n",
           domains[_i % COUNT(domains)]);
  ck_assert_msg(cdag_parse(&g, "inside", source, "n=4", &d) == OK, "%s: %s", source, d.message);
  form index[2] = { random_form(&r, 2), random_form(&r, 2) };
  form_domain s = random_domain(&r);
  int64_t x[LOOPS];
  bool inside = true, small = support_between(&r, 0, 1);
  for (int i = 0; i < LOOPS && small; i++)
    s.hi[i] = s.lo[i] + 1;
  memcpy(x, s.lo, sizeof x);
  do {
    int64_t e[CDAG_RANK] = { at(&index[0], x), at(&index[1], x) };
    inside = inside && cdag_exists(g, 1, e);
  } while (next(&s, x));
  ck_assert(!form_inside(g, 1, index, &s) || inside);
  if (g->array[1].rectangular)
    ck_assert(form_inside(g, 1, index, &s) == inside);
  ck_assert(!form_depends(g, 1, 0, 1) && !form_depends(g, 1, 1, 1));
  cdag_free(g);
}
END_TEST

/* Where the difference to an end of a range is no number of 64 bits, nothing is said to be inside. */
START_TEST(inside_far_out)
{
  cdag *g = NULL;
  diag d = { 0 };
  form_domain s = { .slanted = 0 };
  for (int i = 0; i < FORM_PLACES; i++)
    s.hi[i] = 1;
  ck_assert_int_eq(cdag_parse(&g, "far", "input A[i:1..9], C[9]\noutput A[*], C[*]\n", "", &d), OK);
  static const struct { int array; int64_t c, k; bool inside;
  } far[] = {
    { 0, 1, 0, true },          { 0, 8, INT64_MAX, true },  { 0, 0, 0, false },         { 0, 9, 0, false },
    { 0, INT64_MIN, 0, false }, { 0, INT64_MAX, 0, false }, { 1, 0, INT64_MIN, false }, { 1, 0, INT64_MAX, true },
  };
  for (int i = 0; i < COUNT(far); i++) {
    form index = form_number(far[i].c);
    index.k[0] = far[i].k;
    ck_assert_msg(form_inside(g, far[i].array, &index, &s) == far[i].inside, "%d", i);
  }
  cdag_free(g);
}
END_TEST

static bool count_pieces(void *context, const form_domain *s)
{
  int64_t *count = context;
  *count += s->hi[1] - s->lo[1];
  return *count < 1000000;
}

/* Domains whose bounds are held are walked value by value, up to a number of them; and no further than the visitor
 * wants. */
START_TEST(patience)
{
  static const struct {
    const char *n;
    bool all;
  } sizes[] = { { "n=262144", true }, { "n=262145", false }, { "n=1000001", false } };
  cdag *g = NULL;
  diag d = { 0 };
  int64_t count = 0;
  ck_assert_int_eq(
      cdag_parse(&g, "held", "param n\ninput A[n]\nX[i:n, j:i%2+1] = A[i]\noutput X[*,0]\n", sizes[_i].n, &d), OK);
  unsigned held = form_held(g, 1, false);
  ck_assert_uint_eq(held, 1);
  ck_assert(form_each(g, 1, held, count_pieces, &count) == sizes[_i].all);
  ck_assert_uint_eq((uint64_t)count, sizes[_i].all ? g->array[1].count : 0);
  count = 1000000;
  ck_assert(!form_each(g, 1, held, count_pieces, &count));
  cdag_free(g);
}
END_TEST

/* Held by a rule: the loops inside what is no sum of multiples. */
static const struct { const char *index; unsigned held;
} rules[] = {
  { "i+j", 0 },    { "i/2", 1 },     { "j%2+i", 2 }, { "-(j/2)+3*i", 2 }, { "i*j", 3 },    { "i-(j%2)", 2 },
  { "w[i]+j", 1 }, { "(i/2)*j", 3 }, { "*", 0 },     { "i..i+1", 0 },     { "i/2..3", 1 }, { "0..j/2+1", 2 },
};

START_TEST(held_by_a_rule)
{
  cdag *g = NULL;
  diag d = { 0 };
  char source[400];
  snprintf(source, sizeof source,
           "param n\ntable w[i:9] = i\ninput A[20], B[n]\nX[i:n, j:n] = A[%s], B[i]\noutput X[*,*]\n", rules[_i].index);
  ck_assert_msg(cdag_parse(&g, "rule", source, "n=3", &d) == OK, "%s", d.message);
  ck_assert_uint_eq(form_held(g, 2, true), rules[_i].held);
  ck_assert_uint_eq(form_held(g, 2, false), 0);
  cdag_free(g);
}
END_TEST

/* ---- boxes ---- */

START_TEST(boxes_point_by_point)
{
  support_random r = { (uint64_t)_i };
  cdag *g = NULL;
  diag d = { 0 };
  cdag_box a = { { 0 }, { 0 } }, b = a;
  ck_assert_int_eq(cdag_parse(&g, "boxes", "input A[9,9], B[9,9]\noutput X[i:1] = A[0,0], B[0,0]\n", "", &d), OK);
  for (int k = 0; k < 2; k++) {
    a.lo[k] = support_between(&r, 0, 4), a.hi[k] = a.lo[k] + support_between(&r, 1, 3);
    b.lo[k] = support_between(&r, 0, 4), b.hi[k] = b.lo[k] + support_between(&r, 1, 3);
  }
  bool meet = false;
  for (int64_t x = 0; x < 9; x++)
    for (int64_t y = 0; y < 9; y++)
      meet = meet || (a.lo[0] <= x && x < a.hi[0] && a.lo[1] <= y && y < a.hi[1] && b.lo[0] <= x && x < b.hi[0] &&
                      b.lo[1] <= y && y < b.hi[1]);
  ck_assert(checker_boxes_meet(g, 0, &a, 0, &b) == meet);
  ck_assert(!checker_boxes_meet(g, 0, &a, 1, &b));
  cdag_free(g);
}
END_TEST

/* ---- cuts ---- */

/* At most 2 x + 1 work with x words. */
static bool doubles(const void *context, const mpz_t work, const mpz_t x)
{
  mpz_t most;
  (void)context;
  mpz_init_set_ui(most, 1);
  mpz_addmul_ui(most, x, 2);
  bool can = mpz_cmp(work, most) <= 0;
  mpz_clear(most);
  return can;
}

/* No work at all with fewer than 9 words. */
static bool idle(const void *context, const mpz_t work, const mpz_t x)
{
  (void)context;
  return mpz_sgn(work) <= 0 || mpz_cmp_ui(x, 9) >= 0;
}

/* M = 5.  A first segment of 4 events does 9, another of 3 (8 words) 17; three segments: 4 + 3 + 3 + 1 events. */
static const struct { const char *parameters, *reason; checker_feasible can;
} cuts[] = {
  { "{\"work\":44,\"segments\":3,\"first\":4,\"length\":3,\"most_first\":9,\"most\":17,\"events\":11,\"births\":2,"
    "\"stores\":3}",
    NULL, doubles },
  { "{\"work\":43,\"segments\":3,\"first\":4,\"length\":3,\"most_first\":9,\"most\":17,\"events\":11,\"births\":2,"
    "\"stores\":3}",
    "all the work", doubles },
  { "{\"work\":44,\"segments\":3,\"first\":4,\"length\":3,\"most_first\":8,\"most\":17,\"events\":11,\"births\":2,"
    "\"stores\":3}",
    "'most_first' is not the most work its words allow: more", doubles },
  { "{\"work\":44,\"segments\":3,\"first\":4,\"length\":3,\"most_first\":10,\"most\":16,\"events\":11,\"births\":2,"
    "\"stores\":3}",
    "'most_first' is not the most work its words allow: it is too much", doubles },
  { "{\"work\":44,\"segments\":3,\"first\":4,\"length\":3,\"most_first\":9,\"most\":16,\"events\":11,\"births\":2,"
    "\"stores\":3}",
    "'most' is not the most work its words allow: more", doubles },
  { "{\"work\":46,\"segments\":3,\"first\":4,\"length\":3,\"most_first\":9,\"most\":18,\"events\":11,\"births\":2,"
    "\"stores\":3}",
    "'most' is not the most work its words allow: it is too much", doubles },
  { "{\"work\":44,\"segments\":3,\"first\":4,\"length\":3,\"most_first\":9,\"most\":17,\"events\":12,\"births\":2,"
    "\"stores\":3}",
    "the events are not", doubles },
  { "{\"work\":44,\"segments\":0,\"first\":4,\"length\":0,\"most_first\":9,\"most\":0,\"events\":5,\"births\":2,"
    "\"stores\":3}",
    "there must be a segment", doubles },
  { "{\"work\":44,\"segments\":1,\"first\":4,\"length\":0,\"most_first\":9,\"most\":0,\"events\":5,\"births\":2,"
    "\"stores\":3}",
    NULL, doubles },
  { "{\"work\":44,\"segments\":1,\"first\":4,\"length\":3,\"most_first\":9,\"most\":0,\"events\":5,\"births\":2,"
    "\"stores\":3}",
    "other segments have a length", doubles },
  { "{\"work\":44,\"segments\":1,\"first\":4,\"length\":0,\"most_first\":9,\"most\":1,\"events\":5,\"births\":2,"
    "\"stores\":3}",
    "other segments have a length", doubles },
  { "{\"work\":44,\"segments\":2,\"first\":4,\"length\":0,\"most_first\":9,\"most\":11,\"events\":5,\"births\":2,"
    "\"stores\":3}",
    "other segments have a length", doubles },
  { "{\"work\":1,\"segments\":1,\"first\":8,\"length\":0,\"most_first\":0,\"most\":0,\"events\":9,\"births\":2,"
    "\"stores\":3}",
    NULL, idle },
  { "{\"work\":1,\"segments\":1,\"first\":9,\"length\":0,\"most_first\":0,\"most\":0,\"events\":10,\"births\":2,"
    "\"stores\":3}",
    "more is possible", idle },
  { "{\"segments\":3,\"first\":4,\"length\":3,\"most_first\":9,\"most\":17,\"events\":11,\"births\":2,\"stores\":3}",
    "'work' is missing", doubles },
  { "{\"work\":44,\"first\":4,\"length\":3,\"most_first\":9,\"most\":17,\"events\":11,\"births\":2,\"stores\":3}",
    "'segments' is missing", doubles },
  { "{\"work\":44,\"segments\":3,\"length\":3,\"most_first\":9,\"most\":17,\"events\":11,\"births\":2,\"stores\":3}",
    "'first' is missing", doubles },
  { "{\"work\":44,\"segments\":3,\"first\":4,\"most_first\":9,\"most\":17,\"events\":11,\"births\":2,\"stores\":3}",
    "'length' is missing", doubles },
  { "{\"work\":44,\"segments\":3,\"first\":4,\"length\":3,\"most\":17,\"events\":11,\"births\":2,\"stores\":3}",
    "'most_first' is missing", doubles },
  { "{\"work\":44,\"segments\":3,\"first\":4,\"length\":3,\"most_first\":9,\"events\":11,\"births\":2,\"stores\":3}",
    "'most' is missing", doubles },
  { "{\"work\":44,\"segments\":3,\"first\":4,\"length\":3,\"most_first\":9,\"most\":17,\"births\":2,\"stores\":3}",
    "'events' is missing", doubles },
  { "{\"work\":44,\"segments\":3,\"first\":4,\"length\":3,\"most_first\":9,\"most\":17,\"events\":11,\"stores\":3}",
    "'births' is missing", doubles },
  { "{\"work\":44,\"segments\":3,\"first\":4,\"length\":3,\"most_first\":9,\"most\":17,\"events\":11,\"births\":2}",
    "'stores' is missing", doubles },
  { "{\"work\":44,\"segments\":3,\"first\":4,\"length\":3,\"most_first\":9,\"most\":17,\"events\":11,\"births\":2,"
    "\"stores\":-3}",
    "'stores' is missing or no natural number", doubles },
};

START_TEST(cuts_by_hand)
{
  json_value v;
  diag d = { 0 };
  checker_cut c;
  text reason = { 0 };
  mpz_t value;
  mpz_init(value);
  checker_cut_init(&c);
  ck_assert_int_eq(json_read(&v, cuts[_i].parameters, strlen(cuts[_i].parameters), "cut", &d), OK);
  bool good = checker_cut_read(&c, &v, &reason) && checker_cut_holds(&c, 5, cuts[_i].can, NULL, &reason);
  ck_assert_msg(good == !cuts[_i].reason && (good || strstr(text_str(&reason), cuts[_i].reason)), "%s: %s",
                cuts[_i].parameters, text_str(&reason));
  if (good) {
    checker_cut_value(&c, value);
    ck_assert_int_eq(mpz_get_si(value), mpz_get_si(c.events) + 1);
  }
  json_value_clear(&v);
  checker_cut_clear(&c);
  text_clear(&reason);
  mpz_clear(value);
}
END_TEST

START_TEST(numbers_compared)
{
  json_value v;
  diag d = { 0 };
  text reason = { 0 };
  static const char bytes[] = "{\"n\":7,\"none at all\":0,\"less\":-1,\"text\":\"7\"}";
  ck_assert_int_eq(json_read(&v, bytes, strlen(bytes), "numbers", &d), OK);
  ck_assert(checker_equal(&v, "n", 7, &reason) && !checker_equal(&v, "n", 8, &reason) &&
            !checker_equal(&v, "none", 7, &reason));
  ck_assert(checker_at_most(&v, "n", 7, &reason) && checker_at_most(&v, "n", 8, &reason) &&
            !checker_at_most(&v, "n", 6, &reason));
  ck_assert(checker_at_most(&v, "none at all", 0, &reason) && checker_equal(&v, "none at all", 0, &reason));
  ck_assert(!checker_at_most(&v, "less", 6, &reason) && !checker_at_most(&v, "text", 9, &reason) &&
            !checker_at_most(&v, "none", 9, &reason));
  json_value_clear(&v);
  text_clear(&reason);
}
END_TEST

/* ---- carried pairs ---- */

/* scale Y^2/4 + min(each p, sides/2 sqrt(p) Y) + plus X for the best p, Y = X - p keep_num / keep_den */
static double carried_most(const checker_carried *k, int64_t x)
{
  double best = 0;
  for (int64_t p = 0; p <= (int64_t)k->pairs && p <= x; p++) {
    double y = (double)x - (double)p * (double)k->keep_num / (double)k->keep_den;
    y = y < 0 ? 0 : y;
    double made = (double)k->scale * y * y / 4,
           carried = fmin((double)(k->each * p), (double)k->sides / 2 * sqrt((double)p) * y);
    best = fmax(best, made + carried);
  }
  return best + (double)(k->plus * x);
}

START_TEST(carried_pair_by_pair)
{
  support_random r = { (uint64_t)_i };
  checker_carried k = { .scale = support_between(&r, 0, 3),
                        .each = support_between(&r, 0, 12),
                        .sides = support_between(&r, 0, 8),
                        .keep_den = support_between(&r, 1, 4),
                        .plus = support_between(&r, 0, 2),
                        .pairs = (uint64_t)support_between(&r, 0, 30) };
  k.keep_num = support_between(&r, 0, k.keep_den + (_i % 4 == 0));
  mpz_t work, x;
  mpz_inits(work, x, NULL);
  for (int64_t words = 0; words < 40; words++) {
    double most = carried_most(&k, words);
    mpz_set_si(x, words);
    mpz_set_si(work, (int64_t)floor(most + 1e-6));
    ck_assert(checker_carried_can(&k, work, x));
    mpz_set_si(work, (int64_t)floor(most + 1e-6) + 1);
    ck_assert(!checker_carried_can(&k, work, x));
    mpz_set_si(work, -1);
    ck_assert(checker_carried_can(&k, work, x));
  }
  mpz_clears(work, x, NULL);
}
END_TEST

/* Too many iterations: the answer is yes, which proves nothing. */
START_TEST(carried_without_end)
{
  checker_carried k = { .scale = 0, .each = 1, .sides = 1, .keep_num = 1, .keep_den = 1, .pairs = INT64_MAX / 4 };
  mpz_t work, x;
  mpz_inits(work, x, NULL);
  mpz_set_si(x, (int64_t)1 << 40);
  int yes = 0;
  for (int bits = 20; bits < 70; bits++) {
    mpz_set_ui(work, 1);
    mpz_mul_2exp(work, work, (mp_bitcnt_t)bits);
    yes += checker_carried_can(&k, work, x);
  }
  ck_assert_int_gt(yes, 0);
  ck_assert_int_lt(yes, 50);
  /* one pair more an iteration, and 2 * 10^9 words that could carry 63246 */
  k = (checker_carried){
    .scale = 1, .each = 1000000000, .sides = 1 << 20, .keep_num = 1, .keep_den = 1, .pairs = INT64_MAX / 4
  };
  mpz_set_ui(x, 2000000000);
  mpz_set_ui(work, 1000000001000000000);
  ck_assert(checker_carried_can(&k, work, x));
  mpz_clears(work, x, NULL);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("checker_parts");
  TCase *c = support_case(s, "parts");
  tcase_add_loop_test(c, extremes_point_by_point, 0, support_rounds(200));
  tcase_add_loop_test(c, extremes_on_slanted_domains, 0, support_rounds(200));
  tcase_add_test(c, extremes_far_out);
  tcase_add_loop_test(c, sums_of_forms, 0, support_rounds(100));
  tcase_add_test(c, sums_that_overflow);
  tcase_add_loop_test(c, distinct_point_by_point, 0, support_rounds(2000));
  tcase_add_test(c, digits_are_told_apart);
  tcase_add_loop_test(c, expressions_as_forms, 0, COUNT(expressions));
  tcase_add_loop_test(c, expressions_too_large, 0, COUNT(large));
  tcase_add_loop_test(c, inside_point_by_point, 0, support_rounds(2000));
  tcase_add_test(c, inside_far_out);
  tcase_add_loop_test(c, patience, 0, 3);
  tcase_add_loop_test(c, held_by_a_rule, 0, COUNT(rules));
  tcase_add_loop_test(c, boxes_point_by_point, 0, support_rounds(500));
  tcase_add_loop_test(c, cuts_by_hand, 0, COUNT(cuts));
  tcase_add_test(c, numbers_compared);
  tcase_add_loop_test(c, carried_pair_by_pair, 0, support_rounds(200));
  tcase_add_test(c, carried_without_end);
  return support_run(s);
}
