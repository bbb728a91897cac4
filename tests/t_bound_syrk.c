/* A matrix times its transpose: what the words of rows and chains allow, against words chosen at random and made better
   step by step; which descriptions are of this kind; certificates. */
#include "bounds/segment/segment.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <stdlib.h>
#include <string.h>

/* ---- the lemma ---- */

enum { ROWS = 7, SLICES = 4, WORDS = ROWS * SLICES, CHAINS = ROWS * (ROWS - 1) / 2 };

/* Words of rows, slice by slice, then chains p > q. */
static long steps_of(const bool in[WORDS + CHAINS])
{
  long steps = 0;
  for (int l = 0; l < SLICES; l++)
    for (int p = 0, c = WORDS; p < ROWS; p++)
      for (int q = 0; q < p; q++, c++)
        steps += in[c] && in[l * ROWS + p] && in[l * ROWS + q];
  return steps;
}

static long allowed(long words)
{
  mpz_t x, most;
  mpz_init_set_si(x, words);
  mpz_init(most);
  segment_symmetric(x, most);
  long v = mpz_get_si(most);
  mpz_clears(x, most, NULL);
  return v;
}

START_TEST(no_words_do_more)
{
  support_random r = { (uint64_t)_i };
  bool in[WORDS + CHAINS] = { 0 };
  int words = (int)support_between(&r, 3, WORDS + CHAINS - 1);
  for (int i = 0; i < words; i++)
    in[i * 7 % (WORDS + CHAINS)] = true; /* 7 and 49 share a factor: some fewer */
  words = 0;
  for (int i = 0; i < WORDS + CHAINS; i++)
    words += in[i];
  long best = steps_of(in);
  for (int step = 0; step < 600; step++) {
    int out = (int)support_between(&r, 0, WORDS + CHAINS - 1), to = (int)support_between(&r, 0, WORDS + CHAINS - 1);
    if (!in[out] || in[to])
      continue;
    in[out] = false;
    in[to] = true;
    long now = steps_of(in);
    ck_assert_msg(now <= allowed(words), "seed %d: %d words do %ld steps, not %ld", _i, words, now, allowed(words));
    best = now >= best ? now : (in[out] = true, in[to] = false, best);
  }
}
END_TEST

/* ---- descriptions ---- */

static const struct { const char *text; long diagonal; } shape[] = {
  { "C[i:n, j:i+1, l:k] = C[i,j,l-1], A[i,l], A[j,l]", 60 * 40 },
  { "C[i:n, j:i, l:k] = C[i,j,l-1], A[i,l], A[j,l]", 0 },
  { "C[i:n, j:i..n, l:k] = C[i,j,l-1], A[j,l], A[i,l]", 60 * 40 },
  { "C[i:n, j:i+1..n, l:k] = C[i,j,l-1], A[i,l], A[j,l]", 0 },
  { "C[i:n, j:i-3, l:k] = C[i,j,l-1], A[i,l], A[j,l]", 0 },
  { "C[i:n, j:i..i+3, l:k] = C[i,j,l-1], A[i,l], A[j,l]", 60 * 40 }, /* a band: as many rows meet themselves */
  { "C[i:n, j:i..i+1, l:k] = C[i,j,l-1], A[i,l], A[j,l]", -1 }, /* nothing else */
  { "C[i:n, j:i+2, l:k] = C[i,j,l-1], A[i,l], A[j,l]", -1 }, /* some pairs in both orders */
  { "C[i:n, j:n, l:k] = C[i,j,l-1], A[i,l], A[j,l]", -1 },
  { "C[i:n, j:n-i, l:k] = C[i,j,l-1], A[i,l], A[j,l]", -1 },
  { "C[i:n, j:i+1, l:k] = C[i,j,l-1], A[i,l], A[j,k-1-l]", -1 },
  { "C[i:n, j:i+1, l:k] = C[i,j,l-1], A[i,l], A[n-1-j,l]", -1 },
};

static long diagonal_of(const bound *b)
{
  const char *at = strstr(text_str(&b->parameters), "\"diagonal\": ");
  return at ? atol(at + strlen("\"diagonal\": ")) : -1;
}

static cdag *open_shape(size_t i)
{
  text source = { 0 };
  text_printf(&source, "param n, k\ninput A[n+2,k]\n%s\noutput C[*,*,k-1]\n", shape[i].text);
  cdag *g = bound_text_open(text_str(&source), "n=60,k=40");
  text_clear(&source);
  return g;
}

START_TEST(shapes)
{
  static const char *const number[] = { "\"diagonal\": " };
  diag d = { 0 };
  bound_list list = { 0 };
  int best;
  cdag *g = open_shape((size_t)_i);
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = 50, .theorem = "product-segment" };
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  const bound *b = bound_named(&list, "product-segment");
  ck_assert_ptr_nonnull(b);
  ck_assert_msg(diagonal_of(b) == shape[_i].diagonal, "%s: %s", shape[_i].text, text_str(&b->parameters));
  bound_certificate_stands(&q, b, shape[_i].text, number, shape[_i].diagonal >= 0);
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

/* What is true of the first description is claimed of each: only the checker's own reading tells which have each pair
 * in one order. */
START_TEST(others_are_refused)
{
  cdag *g = open_shape(0);
  text claim = bound_claim_of("product-segment", g, 50);
  for (size_t i = 0; i < COUNT(shape); i++) {
    cdag *other = open_shape(i);
    bool same = shape[i].diagonal == shape[0].diagonal && !strstr(shape[i].text, "i+3"); /* a band has fewer steps */
    ck_assert_msg(bound_claim_holds("product-segment", other, 50, text_str(&claim)) == same, "%s", shape[i].text);
    cdag_free(other);
  }
  text_clear(&claim);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_syrk");
  TCase *c = support_case(s, "syrk");
  tcase_add_loop_test(c, no_words_do_more, 0, support_rounds(200));
  tcase_add_loop_test(c, shapes, 0, COUNT(shape));
  tcase_add_test(c, others_are_refused);
  return support_run(s);
}
