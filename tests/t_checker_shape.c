/* What the checker says of a claimed product, of forward attention and of its scores: descriptions near these, claims
   with every number the least that is true and one less, and why what is refused is refused. */
#include "base/json_read.h"
#include "bounds/check/reading/shape.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include "tests/support_cases.h"
#include <string.h>

/* tests/cases/shape.txt.  Asked: parameters with ' for ".  What is read: numbers, or part of the reason. */
static test_cases cases;

static bool product_read(const bound_claim *c, const checker_statement *s, text *read, text *reason)
{
  checker_operands p;
  if (!checker_product_shape(c, s, &p, reason))
    return false;
  text_printf(read, "%ld %ld %ld%s diagonal %ld%s", (long)p.fiber[0], (long)p.fiber[1], (long)p.fiber[2],
              p.shared ? " shared" : "", (long)p.diagonal, s->seeded ? " seeded" : "");
  return true;
}

static bool attention_read(const bound_claim *c, const checker_statement *s, text *read, text *reason)
{
  checker_pairs k = { .dk = 0 };
  uint64_t chains, steps;
  if (!checker_attention_shape(c, s, &k, reason))
    return false;
  text_printf(read, "dk %ld dv %ld pairs %lu", (long)k.dk, (long)k.dv, (unsigned long)k.pairs);
  if (json_get(c->parameters, "fibers"))
    text_printf(read, " fibers %ld %ld %ld", (long)k.fiber[0], (long)k.fiber[1], (long)k.fiber[2]);
  if (!json_get(c->parameters, "scores"))
    return true;
  if (!checker_scores_shape(c, s, &k, &chains, &steps, reason))
    return false;
  text_printf(read, " scores %lu %lu", (unsigned long)chains, (unsigned long)steps);
  return true;
}

START_TEST(claimed_shapes)
{
  text parameters = { 0 }, read = { 0 }, reason = { 0 };
  json_value v;
  diag d = { 0 };
  checker_statement s;
  const test_case *of = &cases.item[_i];
  cdag *g = bound_text_open(of->text, of->setting);
  text_printf(&parameters, "%s", of->ask);
  for (char *at = parameters.s; (at = strchr(at, '\''));)
    *at = '"';
  ck_assert_msg(json_read(&v, parameters.s, parameters.n, "claim", &d) == OK, "%s: %s", parameters.s, d.message);
  bound_claim c = { "", g, 5, &v, 0 };
  bool good =
      checker_statement_read(&c, &s, &reason) &&
      (json_get(&v, "operands") ? product_read(&c, &s, &read, &reason) : attention_read(&c, &s, &read, &reason));
  ck_assert_msg(good ? !strcmp(read.s, of->answer) : *of->answer && strstr(text_str(&reason), of->answer),
                "%s:%d: %s: %s gives\n%s", cases.path, of->line, of->reason, of->ask,
                good ? read.s : text_str(&reason));
  json_value_clear(&v);
  text_clear(&parameters);
  text_clear(&read);
  text_clear(&reason);
  cdag_free(g);
}
END_TEST

int main(void)
{
  cases = cases_read("shape");
  Suite *s = suite_create("checker_shape");
  tcase_add_loop_test(support_case(s, "shape"), claimed_shapes, 0, cases.n);
  return support_run(s);
}
