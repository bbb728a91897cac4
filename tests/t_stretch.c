/* Stretches of a function of one integer: always affine, always around the place asked for, and long where it is simple. */
#include "cdag/stretch.h"
#include "tests/support.h"

enum { N = 60 };
typedef struct { int64_t value[N]; bool absent[N]; } sample;

static bool value_at(void *context, int64_t x, int64_t *value)
{
  const sample *s = context;
  ck_assert(x >= 0 && x < N);
  *value = s->value[x];
  return !s->absent[x];
}

/* Pieces of random length and slope, some entries missing. */
static void random_sample(sample *s, support_random *r)
{
  int64_t at = 0, slope = 0;
  for (int x = 0; x < N; x++) {
    if (support_between(r, 0, 9) == 0)
      slope = support_between(r, -2, 2);
    at += slope + (support_between(r, 0, 19) == 0 ? 7 : 0);
    s->value[x] = at;
    s->absent[x] = support_between(r, 0, 29) == 0;
  }
}

START_TEST(of_random_samples)
{
  support_random r = { (uint64_t)_i };
  cdag_stretches known = { 0 };
  sample s;
  random_sample(&s, &r);
  for (int k = 0; k < 200; k++) {
    int64_t x = support_between(&r, 0, N - 1), from, to;
    bool some = cdag_stretch_of(&known, value_at, &s, x, 0, N, &from, &to);
    ck_assert_int_eq(some, !s.absent[x]);
    if (!some)
      continue;
    ck_assert(0 <= from && from <= x && x < to && to <= N);
    for (int64_t y = from; y < to; y++)
      ck_assert(!s.absent[y]);
    for (int64_t y = from + 2; y < to; y++)
      ck_assert_int_eq(s.value[y] - s.value[y - 1], s.value[y - 1] - s.value[y - 2]);
    /* nothing more would fit at either end */
    bool more = to < N && to - from > 1 && !s.absent[to] && s.value[to] - s.value[to - 1] == s.value[to - 1] - s.value[to - 2];
    bool before = from > 0 && to - from > 1 && !s.absent[from - 1] && s.value[from] - s.value[from - 1] == s.value[from + 1] - s.value[from];
    ck_assert(!more && !before);
  }
}
END_TEST

static bool line_at(void *context, int64_t x, int64_t *value)
{
  ++*(uint64_t *)context;
  *value = 3 * x - 5;
  return true;
}

/* Asked again inside a stretch, it is not evaluated again. */
START_TEST(is_remembered)
{
  uint64_t asked = 0;
  cdag_stretches known = { 0 };
  int64_t from, to;
  ck_assert(cdag_stretch_of(&known, line_at, &asked, 500, 0, 1000, &from, &to));
  ck_assert_int_eq(from, 0);
  ck_assert_int_eq(to, 1000);
  uint64_t once = asked;
  for (int64_t x = 0; x < 1000; x++)
    ck_assert(cdag_stretch_of(&known, line_at, &asked, x, 0, 1000, &from, &to) && from == 0 && to == 1000);
  ck_assert_uint_eq(asked, once);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("stretch");
  TCase *c = support_case(s, "affine");
  tcase_add_loop_test(c, of_random_samples, 0, support_rounds(60));
  tcase_add_test(c, is_remembered);
  return support_run(s);
}
