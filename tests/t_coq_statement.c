/* What Coq's writer takes for one statement over a box: the certificate of a text that is one, said of texts that are
   nearly so.  The bound of such a text would be another one, so only here is each word of the reader asked alone. */
#include "bounds/coq/statement.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <string.h>

enum { M = 12 };
static const char *const statement = "param n = 20, f = 8, c = 6, k = 4\n"
                                     "input X[c,n+k], W[f,c,k]\n"
                                     "O[i:f, x:n, s:c, a:k] = O[i,x,s,a-1], O[i,x,s-1,k-1+a], W[i,s,a], X[s,x+a]\n"
                                     "output O[*,*,c-1,k-1]\n";

/* The text with one part exchanged. */
static text with(const char *from, const char *to)
{
  text t = { 0 };
  const char *at = strstr(statement, from);
  ck_assert_msg(at != NULL, "%s is not in the text", from);
  text_add_n(&t, statement, (size_t)(at - statement));
  text_add(&t, to);
  text_add(&t, at + strlen(from));
  return t;
}

/* Is the certificate of the statement, said of g, one of Coq's? */
static bool proves(const bound *b, const cdag *g)
{
  bound_question q = { .g = g, .m = M };
  json_value v;
  diag d = { 0 };
  ck_assert_int_eq(json_read(&v, text_str(&b->parameters), b->parameters.n, "parameters", &d), OK);
  bool yes = coq_statement_proves(&q, b, &v, NULL);
  json_value_clear(&v);
  return yes;
}

static void ask_of(const char *what, const char *theorem, const cdag *plain, const cdag *g, bool statement_of_coq)
{
  bound_question q = { .work = SEARCH_WORK, .g = plain, .m = M, .theorem = theorem };
  bound_list list = { 0 };
  diag d = { 0 };
  int best;
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  const bound *b = bound_named(&list, theorem);
  ck_assert_msg(b != NULL, "no bound %s", theorem);
  ck_assert_msg(proves(b, g) == statement_of_coq, "%s: %s", theorem, what);
  bound_list_clear(&list);
}

static void ask(const char *what, const char *source, bool statement_of_coq)
{
  cdag *plain = bound_text_open(statement, ""), *g = bound_text_open(source, "");
  ask_of(what, "affine", plain, g, statement_of_coq);
  ask_of(what, "projective", plain, g, statement_of_coq);
  cdag_free(plain);
  cdag_free(g);
}

/* An input that nobody reads does no harm. */
START_TEST(a_statement)
{
  text t = with("W[f,c,k]\n", "W[f,c,k], Z[f,n,c,k]\n");
  ask("the statement", statement, true);
  ask("beside another input", text_str(&t), true);
  text_clear(&t);
}
END_TEST

static const struct { const char *from, *to, *what; } other[] = {
  { "O[i,x,s,a-1],", "O[i,x,s,a-1] if x > 0,", "a chain that begins anew" },
  { "O[i,x,s,a-1],", "O[i,x,s,a-1] if x + s > 3,", "a chain that begins anew on a slant" },
  { "O[i,x,s,a-1],", "O[i,x,s,a-1] if x % 2 == 0,", "a chain that begins anew at every other x" },
  { "O[i,x,s,a-1],", "O[i,x,s,a-1] if x < 0,", "no chain" },
  { "W[i,s,a]", "W[i,s,a] if x > 0", "an operand that is not always read" },
  { "W[i,s,a]", "W[i,s,a] if x + s > 3", "an operand that is read on one side of a slant" },
  { "W[i,s,a]", "W[i,s,a] if x % 2 == 0", "an operand that is read at every other x" },
  { "W[i,s,a]", "W[i,s,a] if x < 0", "an operand that is never read" },
  { "O[i,x,s,a-1]", "O[i,x..n,s,a-1]", "a chain of more than its own steps" },
  { "O[i,x,s,a-1]", "O[i,2*x,s,a-1]", "another chain's step" },
  { "O[i,x,s,a-1]", "O[i,x,s,a-2]", "not the step before" },
  { "W[i,s,a]", "W[i,s,a..k]", "several words at once" },
  { "W[i,s,a]", "W[i,s,a+1]", "a word that is not always there" },
  { "X[s,x+a]", "X[s,x+a-1]", "a form that begins below zero" },
  { "X[s,x+a]", "X[s,x-a+k]", "a form that decreases" },
  { "X[s,x+a]", "X[s,x+a], W[i,s,a], W[i,s,0], W[i,0,0], W[0,0,0], W[i,0,a], W[0,s,a], W[0,s,0]", "nine operands" },
  { "O[i:f, x:n", "output O[i:f, x:n", "every step is put out" },
  { "output O[*,*,c-1,k-1]", "output O[*,*,c-1,*]", "more is put out" },
  { "output O[*,*,c-1,k-1]", "output O[*,0..n-1,c-1,k-1]", "less is put out" },
  { "output O[*,*,c-1,k-1]", "output O[*,*,c-1,k-1], O[0,0,0,0]", "another step is put out, too" },
  { "O[i,x,s,a-1],", "O[i,x,s,a-1], O[i,x,s-1,a],", "two ways from one step to the next" },
  { "x:n,", "x:1..n,", "the box does not begin at zero" },
  { "s:c,", "s:min(c,i+1),", "no box" },
  { "O[i:f, x:n", "Y[i:f] = W[i,0,0]\nO[i:f, x:n", "another statement" },
};

START_TEST(other_texts)
{
  text t = with(other[_i].from, other[_i].to);
  ask(other[_i].what, text_str(&t), false);
  text_clear(&t);
}
END_TEST

/* What is put out is not what is summed; and nothing is summed at all. */
START_TEST(outputs_of_another_array)
{
  text t = with("W[f,c,k]\n", "W[f,c,k], Z[f,n,c,k]\n");
  char *at = strstr(t.s, "output O");
  at[strlen("output ")] = 'Z';
  ask("another array is put out", text_str(&t), false);
  text_clear(&t);
  ask("inputs alone", "param n = 20\ninput X[n]\noutput X[*]\n", false);
}
END_TEST

/* Two rules for one array, the second for its last step. */
START_TEST(two_rules)
{
  text t = with("x:n, s:c", "x:n-1, s:c");
  char *output = strstr(t.s, "output O");
  text more = { 0 };
  text_add_n(&more, t.s, (size_t)(output - t.s));
  text_add(&more, "O[i:f, x:n-1..n, s:c, a:k] = O[i,x,s,a-1], O[i,x,s-1,k-1+a], W[i,s,a]\n");
  text_add(&more, output);
  ask("two rules", text_str(&more), false);
  text_clear(&t);
  text_clear(&more);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("coq_statement");
  TCase *texts = support_case(s, "texts");
  tcase_add_test(texts, a_statement);
  tcase_add_loop_test(texts, other_texts, 0, COUNT(other));
  tcase_add_test(texts, outputs_of_another_array);
  tcase_add_test(texts, two_rules);
  return support_run(s);
}
