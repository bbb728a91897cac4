/* The gradient of attention by X: two passes over the keys (docs/theory-lp.md, section 10). */
#include "bounds/check/reading/gradient.h"
#include "bounds/program/covering.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a stretch can do with the words it has ---- */

enum { ROWS = 7, COLUMNS = 7, WIDTH = 4 };
enum { FIRST = 1, SECOND = 2 };             /* the sums of P, of p: a row does one, or in one segment both */

typedef struct {
  int rows, columns, d, does[ROWS];
  bool a1[ROWS][WIDTH], t[ROWS][WIDTH], r[ROWS][WIDTH], e[ROWS][WIDTH], c[ROWS][WIDTH], b[ROWS][WIDTH];
  bool a2[COLUMNS][WIDTH], v[COLUMNS][WIDTH], pair[ROWS][COLUMNS];
} stretch;

static int chosen(support_random *r, bool *flag, int n, int percent)
{
  int words = 0;
  for (int i = 0; i < n; i++)
    words += flag[i] = support_between(r, 1, 100) <= percent;
  return words;
}

/* All words that the steps want, but for a few; or carried pairs, and then of the others none. */
static int draw(support_random *r, stretch *s)
{
  int words = 0, full = support_between(r, 0, 2) ? 100 : (int)support_between(r, 60, 99);
  bool carried = support_between(r, 0, 3) == 0;
  int kinds = (int)support_between(r, 0, 3);
  s->rows = (int)support_between(r, 1, ROWS);
  s->columns = (int)support_between(r, 1, COLUMNS);
  s->d = (int)support_between(r, 1, WIDTH);
  for (int i = 0; i < s->rows; i++) {
    s->does[i] = kinds > 0 ? kinds : (int)support_between(r, FIRST, FIRST | SECOND);
    bool first = s->does[i] & FIRST, second = s->does[i] & SECOND, made = support_between(r, 0, 1);
    words += chosen(r, s->a1[i], s->d, !carried * made * full) + chosen(r, s->t[i], s->d, !carried * !made * full);
    words += chosen(r, s->e[i], s->d, !carried * second * made * full);
    words += chosen(r, s->r[i], s->d, !carried * second * !made * full);
    words += chosen(r, s->c[i], s->d, first * full) + chosen(r, s->b[i], s->d, second * full);
    words += chosen(r, s->pair[i], s->columns, carried * full);
  }
  for (int j = 0; j < s->columns; j++)
    words += chosen(r, s->a2[j], s->d, !carried || kinds != FIRST ? full : 0) +
             chosen(r, s->v[j], s->d, !carried || kinds != SECOND ? full : 0);
  return words;
}

static bool whole(const bool *word, int n)
{
  for (int i = 0; i < n; i++)
    if (!word[i])
      return false;
  return true;
}

/* The row's words of A1 X and of R are there, or can be made. */
static bool row_ready(const stretch *s, int i, bool second)
{
  bool good = whole(s->t[i], s->d) || whole(s->a1[i], s->d);
  for (int l = 0; l < s->d && second; l++)
    good = good && (s->r[i][l] || s->e[i][l]);
  return good;
}

static long steps_at(const stretch *s, int weight_second, int i, int j)
{
  long weight = 0;
  bool first = s->pair[i][j] || (row_ready(s, i, false) && whole(s->a2[j], s->d));
  bool second =
      s->pair[i][j] || (row_ready(s, i, true) && whole(s->a2[j], s->d) && whole(s->v[j], s->d));
  for (int l = 0; l < s->d; l++) {
    if (first && (s->does[i] & FIRST) && s->c[i][l] && s->v[j][l])
      weight += 4 * s->d;
    if (second && (s->does[i] & SECOND) && s->b[i][l] && s->a2[j][l])
      weight += weight_second * s->d;
  }
  return weight;
}

START_TEST(no_words_do_more)
{
  support_random r = { (uint64_t)_i };
  stretch *s = calloc(1, sizeof *s);
  int words = draw(&r, s), between = 0, heavy = (int)support_between(&r, 4, 6);
  char spec[80];
  diag d = { 0 };
  cdag *g = NULL;
  checker_gradient x;
  snprintf(spec, sizeof spec, "attention-gradient:n=%d,d=%d", COLUMNS, s->d);
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  ck_assert_msg(checker_gradient_read(g, heavy, &x), "%s", spec);
  bound_carry carry = { .scale = 1, .each = x.each, .sides = x.sides, .keep_num = 1, .keep_den = 1, .pairs = x.pairs };
  long work = 0;
  for (int i = 0; i < s->rows; i++) {
    between += s->does[i] == (FIRST | SECOND);
    for (int j = 0; j < s->columns; j++)
      work += steps_at(s, heavy, i, j);
  }
  double most = bound_carry_guess(&carry, words) + (double)between * (heavy - 4) * s->d * words / 2;
  ck_assert_msg((double)work <= most * (1 + 1e-9), "seed %d: %s: %d words do %ld, more than %.1f", _i, spec, words,
                work, most);
  cdag_free(g);
  free(s);
}
END_TEST

/* ---- the computation ---- */

static const struct {
  const char *what, *from, *to;
  bool same;
} texts[] = {
  { "as it is", "", "", true },
  { "wider", "param d = 2", "param d = 3", true },
  { "no waiting for the rows' sums", "R[i:n, l:d] = C[i,l,n-1]", "R[i:n, l:d] = C[i,l,0]", false },
  { "another pass", "G[i:n, j:n, l:d] = G[i,j,l-1], R[i,l], V[j,l]", "G[i:n, j:n, l:d] = G[i,j,l-1], V[j,l]", false },
  { "one key for all", "B[i:n, l:d, j:n] = B[i,l,j-1], p[i,j], A2[j,l]",
    "B[i:n, l:d, j:n] = B[i,l,j-1], p[i,j], A2[0,l]", false },
};

START_TEST(only_of_this_text)
{
  static const char *const number[] = { "\"second\": ", "\"words\": ", "\"work\": ", "\"births\": ", "\"stores\": ",
                                        "\"most\": ", "\"length\": " };
  enum { M = 40 };
  cdag *g = bound_family_changed("attention-gradient:n=60,d=2", "", ""),
       *other = bound_family_changed("attention-gradient:n=60,d=2", texts[_i].from, texts[_i].to);
  text claim = bound_claim_of("attention-gradient", g, M);
  checker_gradient x;
  ck_assert_msg(checker_gradient_read(other, 6, &x) == texts[_i].same, "%s", texts[_i].what);
  bool holds = bound_claim_holds("attention-gradient", other, M, text_str(&claim));
  ck_assert_msg(holds == (_i == 0), "%s", texts[_i].what);
  if (texts[_i].same)
    bound_own_certificate_stands("attention-gradient", other, M, texts[_i].what, number, COUNT(number));
  text_clear(&claim);
  cdag_free(other);
  cdag_free(g);
}
END_TEST

/* The number after a key, or another in its place. */
static void put_number(text *out, const char *claim, const char *key, const char *number)
{
  const char *at = strstr(claim, key);
  ck_assert_msg(at != NULL, "%s in %s", key, claim);
  at += strlen(key);
  text_printf(out, "%.*s%s%s", (int)(at - claim), claim, number, at + strspn(at, "0123456789"));
}

/* Fewer words in a segment leave more work; but the segments have more. */
START_TEST(segments_have_no_more_words)
{
  enum { M = 200, HEAVY = 6 };
  cdag *g = bound_family_changed("attention-gradient:n=60,d=2", "param n = 60", "param n = 2000");
  checker_gradient x;
  text claim = bound_claim_of("attention-gradient", g, M), fewer = { 0 }, forged = { 0 };
  mpz_t words, work;
  ck_assert(checker_gradient_read(g, HEAVY, &x) && bound_claim_holds("attention-gradient", g, M, text_str(&claim)));
  ck_assert_msg(strstr(text_str(&claim), "\"second\": 6"), "%s", text_str(&claim));
  mpz_init_set_si(words, M);
  mpz_init(work);
  checker_gradient_work(&x, words, work);
  char *number = mpz_get_str(NULL, 10, work);
  put_number(&fewer, text_str(&claim), "\"words\": ", "200");
  put_number(&forged, text_str(&fewer), "\"work\": ", number);
  ck_assert(!bound_claim_holds("attention-gradient", g, M, text_str(&forged)));
  free(number);
  mpz_clears(words, work, NULL);
  text_clear(&claim);
  text_clear(&fewer);
  text_clear(&forged);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_gradient");
  TCase *c = support_case(s, "gradient");
  tcase_add_loop_test(c, no_words_do_more, 0, support_rounds(400));
  tcase_add_loop_test(c, only_of_this_text, 0, COUNT(texts));
  tcase_add_test(c, segments_have_no_more_words);
  return support_run(s);
}
