/* Work at pairs as the checker reads it: descriptions near attention, the kinds a certificate might name, and what is
   then true.

   The cases (tests/cases/cover.txt) ask "S; Z 1 2": whose element is the pair; statements, their terms of value and
   operand.
   Words are printed as ARRAY/r or /c (row, column), the width, and the indices in coordinates x0, x1 ... of the pair;
   kinds as STATEMENT, slices x steps, the operand and the chain, and after = the words needed whole. */
#include "base/json_read.h"
#include "bounds/check/reading/cover.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include "tests/support_cases.h"
#include <stdio.h>
#include <string.h>


static test_cases cases;

static void put_place(text *t, const form *place, int rank)
{
  for (int r = 0; r < rank; r++) {
    text_printf(t, "%s", r ? "," : "[");
    for (int c = 0; c < CDAG_RANK; c++)
      if (place[r].k[c])
        text_printf(t, "%s%ldx%d", place[r].k[c] > 0 ? "+" : "", (long)place[r].k[c], c);
    text_printf(t, "%+ld", (long)place[r].c);
  }
  text_printf(t, "]");
}

static void put_cover(text *t, const cdag *g, const checker_cover *k)
{
  text_printf(t, "%lu pairs %lu births %lu outputs%s;", (unsigned long)k->pairs, (unsigned long)k->births,
              (unsigned long)k->outputs, k->seeded ? " seeded" : "");
  for (int w = 0; w < k->words; w++) {
    const cdag_array *a = &g->array[k->word[w].array];
    text_printf(t, " %s/%c%ld", a->name, k->word[w].column ? 'c' : 'r', (long)k->word[w].width);
    put_place(t, k->word[w].place, a->rank);
  }
  text_printf(t, ";");
  for (int w = 0; w < k->kinds; w++) {
    const checker_kind *of = &k->kind[w];
    text_printf(t, " %s %ldx%lu %s %s =", g->array[of->array].name, (long)of->slices, (unsigned long)of->steps,
                g->array[k->word[of->operand].array].name, g->array[k->word[of->chain].array].name);
    for (int a = 0; a < k->words; a++)
      if (of->whole >> a & 1)
        text_printf(t, " %s", g->array[k->word[a].array].name);
  }
}

/* "S; Z 1 2; Y 1 2": the pairs, then statements with the terms of value and operand.  What is not of this form is left
   as it is: a member list by hand. */
static void put_parameters(text *t, const char *ask)
{
  char name[16];
  int value, term, n, pairs = (int)strcspn(ask, ";");
  const char *kinds = ask + pairs + strspn(ask + pairs, "; ");
  text_printf(t, "{\"pairs_of\":\"%.*s\",\"kinds\":[", pairs, ask);
  if (*kinds == '{')
    text_printf(t, "%s", kinds);
  for (const char *separator = ""; sscanf(kinds, "%15[^ {] %d %d%n", name, &value, &term, &n) == 3; separator = ",") {
    text_printf(t, "%s{\"statement\":\"%s\",\"value\":%d,\"term\":%d}", separator, name, value, term);
    kinds += n;
    kinds += strspn(kinds, "; ");
  }
  text_printf(t, "]}");
}

START_TEST(work_at_pairs)
{
  text parameters = { 0 }, reason = { 0 }, read = { 0 };
  json_value v;
  diag d = { 0 };
  checker_cover k;
  const test_case *of = &cases.item[_i];
  cdag *g = bound_text_open(of->text, of->setting);
  put_parameters(&parameters, of->ask);
  ck_assert_int_eq(json_read(&v, parameters.s, parameters.n, "kinds", &d), OK);
  bool good = checker_cover_read(&(bound_claim){ "covering", g, 5, &v, 0 }, &k, &reason);
  if (good)
    put_cover(&read, g, &k);
  ck_assert_msg(good || strstr(text_str(&reason), "their words are not told apart"), "%s", text_str(&reason));
  ck_assert_msg(strcmp(text_str(&read), of->answer) == 0, "%s:%d: %s:\n%s", cases.path, of->line, of->reason,
                text_str(&read));
  json_value_clear(&v);
  text_clear(&parameters);
  text_clear(&reason);
  text_clear(&read);
  cdag_free(g);
}
END_TEST

/* Six kinds and 64 arrays are read, of one more nothing is said. */
static bool reads_many(int kinds, int arrays)
{
  text source = { 0 }, asked = { 0 }, parameters = { 0 }, reason = { 0 };
  json_value v;
  diag d = { 0 };
  checker_cover k;
  text_printf(&source, "param n d\ninput Q[n,d], K[n,d], V[n,d], W[n,d]\n"
                       "S[i:n, j:n, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\n"
                       "P[i:n, j:n] = S[i,j,d-1]\n");
  text_printf(&asked, "S");
  for (int i = 0; i < kinds; i++) {
    text_printf(&source, "Z%d[i:n, l:d, j:n] = Z%d[i,l,j-1], P[i,j], V[j,l]\noutput Z%d[*,*,n-1]\n", i, i, i);
    text_printf(&asked, "; Z%d 1 2", i);
  }
  for (int i = 6 + kinds; i < arrays; i++)
    text_printf(&source, "input E%d[1]\n", i);
  cdag *g = bound_text_open(source.s, "n=6,d=2");
  put_parameters(&parameters, asked.s);
  ck_assert_int_eq(json_read(&v, parameters.s, parameters.n, "kinds", &d), OK);
  bool good = checker_cover_read(&(bound_claim){ "covering", g, 5, &v, 0 }, &k, &reason);
  ck_assert(!good || (k.kinds == kinds && g->arrays == arrays));
  json_value_clear(&v);
  text_clear(&source);
  text_clear(&asked);
  text_clear(&parameters);
  text_clear(&reason);
  cdag_free(g);
  return good;
}

START_TEST(how_many)
{
  ck_assert(reads_many(6, 12));
  ck_assert(!reads_many(7, 13));
  ck_assert(reads_many(1, 64));
  ck_assert(!reads_many(1, 65));
}
END_TEST

int main(void)
{
  cases = cases_read("cover");
  Suite *s = suite_create("checker_cover");
  TCase *c = support_case(s, "cover");
  tcase_add_loop_test(c, work_at_pairs, 0, cases.n);
  tcase_add_test(c, how_many);
  return support_run(s);
}
