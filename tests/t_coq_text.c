/* Any affine text as Coq is told of it: what follows from forms on a box, and which texts have their compulsory traffic
   proved, for neither more nor less than there is.  `make proofs` asks Coq about the edges and about what is proved. */
#include "bounds/coq/text.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <string.h>

/* ---- what follows ---- */

static int64_t value_at(const linear *f, const int64_t *x, int n)
{
  int64_t sum = f->base;
  for (int v = 0; v < n; v++)
    sum += f->coef[v] * x[v];
  return sum;
}

static linear random_form(support_random *r, int n, int64_t far)
{
  linear f = linear_constant(support_between(r, -far, far));
  for (int v = 0; v < n; v++)
    f.coef[v] = support_between(r, -2, 2);
  return f;
}

/* Is f somewhere negative where all known forms are not? */
static bool fails(const coq_box *b, const coq_forms *known, const linear *f, int64_t *x)
{
  memset(x, 0, (size_t)b->n * sizeof *x);
  for (int v = b->n; v > 0;) {
    bool there = true;
    for (int i = 0; i < known->n; i++)
      there = there && value_at(&known->item[i], x, b->n) >= 0;
    if (there && value_at(f, x, b->n) < 0)
      return true;
    for (v = b->n; v > 0 && ++x[v - 1] == b->size[v - 1]; v--)
      x[v - 1] = 0;
  }
  return false;
}

/* What is said to follow does; on the box alone all is said that does. */
START_TEST(what_follows)
{
  support_random r = { (uint64_t)_i };
  for (int round = 0; round < 50; round++) {
    coq_box b = { .n = (int)support_between(&r, 1, 3) };
    linear item[3];
    int64_t x[3];
    coq_forms known = { .n = (int)support_between(&r, 0, 3), .item = item };
    for (int v = 0; v < b.n; v++)
      b.size[v] = support_between(&r, 1, 5);
    for (int i = 0; i < known.n; i++)
      item[i] = random_form(&r, b.n, 4);
    linear f = random_form(&r, b.n, 9);
    bool said = coq_implies(&b, &known, &f), wrong = fails(&b, &known, &f, x);
    ck_assert_msg(!said || !wrong, "seed %d, round %d: it does not follow", _i, round);
    ck_assert_msg(known.n > 0 || said || wrong, "seed %d, round %d: it follows", _i, round);
  }
}
END_TEST

/* i - k >= 0 from i - j >= 0 and j - k >= 0, and from neither alone. */
START_TEST(sums)
{
  coq_box b = { .n = 3, .size = { 9, 9, 9 } };
  linear item[2] = { { .coef = { 1, -1 } }, { .coef = { 0, 1, -1 } } }, f = { .coef = { 1, 0, -1 } };
  coq_forms both = { .n = 2, .item = item }, first = { .n = 1, .item = item }, second = { .n = 1, .item = item + 1 };
  ck_assert(coq_implies(&b, &both, &f));
  ck_assert(!coq_implies(&b, &first, &f));
  ck_assert(!coq_implies(&b, &second, &f));
}
END_TEST

/* ---- texts ---- */

static bool proves(const cdag *g, int more)
{
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = 12, .theorem = "compulsory" };
  bound_list list = { 0 };
  diag d = { 0 };
  int best;
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  const bound *found = bound_named(&list, "compulsory");
  ck_assert_ptr_nonnull(found);
  bound asked = *found;
  mpz_init(asked.value);
  mpz_set_si(asked.value, more);
  mpz_add(asked.value, asked.value, found->value);
  bool yes = coq_compulsory_proves(&q, &asked, NULL, NULL);
  mpz_clear(asked.value);
  bound_list_clear(&list);
  return yes;
}

static const struct {
  const char *what, *text;
  bool affine;
} texts[] = {
  { "a sum", "param n = 7\ninput x[n]\ns[k:n] = s[k-1], x[k]\noutput s[n-1]\n", true },
  { "a border in the array of inputs",
    "param n = 7, t = 5\n"
    "input u[s:t, i:n] = u[s-1,i-1], u[s-1,i], u[s-1,i+1]\noutput u[t-1,*]\n",
    true },
  { "a triangle",
    "param n = 7\ninput L[n,n], b[n]\n"
    "S[i:n, j:i+1] = S[i,j-1], L[i,j], S[j,j] if j < i, b[i]\noutput S[i:n,i]\n",
    true },
  { "half of an input", "param n = 8\ninput x[n]\ny[i:n-3] = x[i+3]\noutput y[*]\n", true },
  { "every second word", "param n = 8\ninput x[2*n]\ny[i:n] = x[2*i]\noutput y[*]\n", false },
  { "sums of whole rows", "param n = 40\ninput A[n,n]\ny[i:n] = A[i,*]\noutput y[*]\n", true },
  { "a quotient", "param n = 8\ninput x[n]\ny[i:n] = x[i/2]\noutput y[*]\n", false },
  { "an index below zero", "param n = 8\ninput x[i:-1..n]\ny[i:n] = x[i]\noutput y[*]\n", true },
  { "a range below zero",
    "param n = 8\ninput x[i:-2..n]\ny[i:n] = x[i], x[i-2..i]\noutput y[*]\n", true },
  { "an output in two parts", "param n = 8\ninput x[n]\ny[i:n] = x[i]\noutput y[0]\noutput y[2]\n", false },
};

START_TEST(all_there_is)
{
  cdag *g = bound_text_open(texts[_i].text, "");
  ck_assert_msg(proves(g, 0) == texts[_i].affine, "%s", texts[_i].what);
  ck_assert_msg(!proves(g, 1), "%s: one more", texts[_i].what);
  cdag_free(g);
}
END_TEST

START_TEST(no_graphs)
{
  diag d = { 0 };
  cdag *g;
  ck_assert_int_eq(cdag_open(&g, "pyramid:h=4", &d), OK);
  ck_assert(!proves(g, 0));
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("coq_text");
  TCase *forms = support_case(s, "forms"), *whole = support_case(s, "texts");
  tcase_add_loop_test(forms, what_follows, 0, support_rounds(40));
  tcase_add_test(forms, sums);
  tcase_add_loop_test(whole, all_there_is, 0, COUNT(texts));
  tcase_add_test(whole, no_graphs);
  return support_run(s);
}
