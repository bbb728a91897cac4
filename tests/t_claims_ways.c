/* Claims whose numbers agree with each other but may be too good: of three ways of counting a step, for attention with
   n = 64, d = 8, M = 64; and of products, where words suffice exactly. */
#include "tests/support.h"
#include "tests/support_bound.h"
#include <inttypes.h>
#include <string.h>

enum { M = 64, STEPS = 64 * 64 * 8, DK = 8, CHAINS = 64 * 8, SHARE = 5, SHARES = 20, SEGMENTS = 99 };
typedef struct { int64_t share, shares, segments, length; } ways;

/* The other numbers follow from these. */
static text claim_of(const ways *w)
{
  text t = { 0 };
  text_printf(&t,
              "{\"statement\": \"Z\", \"pair\": 1, \"column\": 2, \"scores\": \"S\", \"dk\": 8, \"dv\": 8, \"pairs\": "
              "4096, \"work\": %" PRId64 ", \"share\": %" PRId64 ", \"share_of\": %" PRId64 ", \"segments\": %" PRId64
              ", \"first\": %" PRId64 ", \"length\": %" PRId64 ", \"events\": %" PRId64 ", \"births\": %d}",
              STEPS * DK * w->shares, w->share, w->shares, w->segments, M + w->length, w->length,
              M + w->length + (w->segments - 1) * w->length + 1, CHAINS);
  return t;
}

static bool holds(const cdag *g, ways w)
{
  text t = claim_of(&w);
  bool good = bound_claim_holds("attention-three-way", g, M, text_str(&t));
  text_clear(&t);
  return good;
}

static void refused(const cdag *g, ways w, const char *why)
{
  text t = claim_of(&w);
  bound_claim_refused("attention-three-way", g, M, text_str(&t), why);
  text_clear(&t);
}

static cdag *attention(void)
{
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_int_eq(cdag_open(&g, "attention:n=64,d=8", &d), OK);
  return g;
}

/* Longer segments do more: from some length on all claims are refused, and it is not far beyond the one the prover
 * finds. */
START_TEST(lengths_have_an_end)
{
  cdag *g = attention();
  int64_t last = 0;
  for (int64_t length = 40; length < 200; length++)
    if (holds(g, (ways){ SHARE, SHARES, SEGMENTS, length }))
      last = length;
  ck_assert_int_ge(last, 109);
  ck_assert_int_le(last, 112);
  for (int64_t length = 1; length <= last; length++)
    ck_assert(holds(g, (ways){ SHARE, SHARES, SEGMENTS, length }));
  cdag_free(g);
}
END_TEST

/* More segments leave each a smaller part of the work. */
START_TEST(segments_have_an_end)
{
  cdag *g = attention();
  int64_t last = 0;
  for (int64_t n = SEGMENTS / 2; n < 2 * SEGMENTS; n++)
    if (holds(g, (ways){ SHARE, SHARES, n, 109 }))
      last = n;
  ck_assert_int_ge(last, SEGMENTS);
  ck_assert_int_le(last, SEGMENTS + 3);
  cdag_free(g);
}
END_TEST

/* The prover finds the last of them, also where its guess, which does not round, is less. */
START_TEST(found_to_the_last_segment)
{
  static const struct { const char *spec; int m;
  } question[] = { { "attention:n=100,nk=30,d=16,dv=5", 300 },
                   { "attention:n=100,d=8", 16 },
                   { "attention:n=64,d=4", 40 } };
  for (size_t i = 0; i < COUNT(question); i++) {
    cdag *g = NULL;
    diag d = { 0 };
    text more = { 0 };
    int64_t n, first, length;
    ck_assert_int_eq(cdag_open(&g, question[i].spec, &d), OK);
    text found = bound_claim_of("attention-three-way", g, (uint64_t)question[i].m);
    char *at = strstr(found.s, "\"segments\""), *rest = strstr(found.s, ", \"births\"");
    ck_assert(at && rest &&
              sscanf(at, "\"segments\": %" SCNd64 ", \"first\": %" SCNd64 ", \"length\": %" SCNd64, &n, &first,
                     &length) == 3);
    text_printf(&more,
                "%.*s\"segments\": %" PRId64 ", \"first\": %" PRId64 ", \"length\": %" PRId64 ", \"events\": %" PRId64
                "%s",
                (int)(at - found.s), found.s, n + 1, first, length, first + n * length + 1, rest);
    bound_claim_refused("attention-three-way", g, question[i].m, text_str(&more), "could do more");
    text_clear(&more);
    text_clear(&found);
    cdag_free(g);
  }
}
END_TEST

START_TEST(numbers_are_in_range)
{
  static const char share[] = "the share must be between", more[] = "could do more";
  static const struct { ways w; const char *why;
  } claim[] = {
    { { -1, SHARES, SEGMENTS, 9 }, share },
    { { 21, SHARES, SEGMENTS, 9 }, share },
    { { 0, 0, SEGMENTS, 9 }, share },
    { { SHARE, SHARES, 0, 9 }, share },
    { { SHARE, SHARES, SEGMENTS, 0 }, share },
    { { SHARE, SHARES, SEGMENTS, -70 }, share },
    { { SHARES, SHARES, SEGMENTS, 500 }, more },
    { { 0, 1, SEGMENTS, 500 }, more },
    { { SHARE, SHARES, 1 << 20, 1 }, more },
  };
  cdag *g = attention();
  for (size_t i = 0; i < COUNT(claim); i++)
    refused(g, claim[i].w, claim[i].why);
  ck_assert(holds(g, (ways){ SHARE, SHARES, 1, 1 }));
  bound_claim_refused(
      "attention-three-way", g, M,
      "{\"statement\": \"Z\", \"pair\": 1, \"column\": 2, \"scores\": \"S\", \"dk\": 8, \"dv\": 8, \"pairs\": 4096}",
      "a number of the certificate is missing");
  cdag_free(g);
}
END_TEST

/* One segment of x words does just h steps: (x/3)^(3/2), 2 (sqrt(4 + x) - 2)^2, 8 (x - 8) / 6. */
START_TEST(words_suffice_exactly)
{
  static const struct { const char *spec, *fibers; int x, h, work, chains;
  } product[] = {
    { "matmul:m=8,n=8,k=8", "8, 8, 8", 12, 8, 512, 64 },  { "matmul:m=8,n=8,k=8", "8, 8, 8", 27, 27, 512, 64 },
    { "matmul:m=8,n=8,k=2", "2, 8, 8", 21, 18, 128, 64 }, { "matmul:m=8,n=8,k=2", "2, 8, 8", 32, 32, 128, 64 },
    { "matmul:m=4,n=8,k=2", "2, 4, 8", 35, 36, 64, 32 },
  };
  for (size_t i = 0; i < COUNT(product); i++)
    for (int more = -1; more <= 1; more++) {
      cdag *g = NULL;
      diag d = { 0 };
      text t = { 0 };
      ck_assert_int_eq(cdag_open(&g, product[i].spec, &d), OK);
      text_printf(&t,
                  "{\"statement\": \"C\", \"operands\": [2, 3], \"seed\": -1, \"shared\": false, \"fibers\": [%s], "
                  "\"work\": %d, \"segments\": 1, \"first\": %d, "
                  "\"length\": 0, \"most_first\": %d, \"most\": 0, \"events\": %d, \"births\": %d, \"stores\": %d}",
                  product[i].fibers, product[i].work, product[i].x, product[i].h + more, product[i].x + 1,
                  product[i].chains, product[i].chains);
      ck_assert_msg(bound_claim_holds("product-segment", g, 16, text_str(&t)) == (more == 0), "%s: %s", product[i].spec,
                    text_str(&t));
      text_clear(&t);
      cdag_free(g);
    }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("claims_ways");
  TCase *c = support_case(s, "ways");
  tcase_add_test(c, lengths_have_an_end);
  tcase_add_test(c, segments_have_an_end);
  tcase_add_test(c, found_to_the_last_segment);
  tcase_add_test(c, numbers_are_in_range);
  tcase_add_test(c, words_suffice_exactly);
  return support_run(s);
}
