#include "tests/support_bound.h"
#include "bounds/certificate.h"
#include "bounds/checker.h"
#include "pebble/optimal.h"
#include "tests/support.h"
#include <stdlib.h>
#include <string.h>

cdag *bound_text_open(const char *source, const char *assign)
{
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "own", source, assign, &d) == OK, "%s: %s", source, d.message);
  return g;
}

cdag *bound_family_changed(const char *spec, const char *from, const char *to)
{
  cdag *g = NULL;
  text t = { 0 }, changed = { 0 };
  diag d = { 0 };
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  cdag_print(&t, g);
  const char *at = strstr(text_str(&t), from);
  ck_assert_msg(at != NULL, "no '%s' in\n%s", from, text_str(&t));
  text_printf(&changed, "%.*s%s%s", (int)(at - text_str(&t)), text_str(&t), to, at + strlen(from));
  cdag *other = bound_text_open(text_str(&changed), "");
  text_clear(&t);
  text_clear(&changed);
  cdag_free(g);
  return other;
}

bool bound_least_cost(const cdag *g, uint64_t m, bool one_shot, uint64_t *cost)
{
  cdag_graph e = { 0 };
  diag d = { 0 };
  pebble_rules rules = { PEBBLE_PLACING, one_shot, m };
  pebble_optimal_limits limits = { .seconds = .02, .bytes = 50 << 20 };
  pebble_optimum o = { 0 };
  ck_assert_int_eq(cdag_materialise(g, 100, &e, &d), OK);
  bool found =
      m >= pebble_least_memory(&e, &rules) && pebble_optimal(&e, &rules, &limits, &o, &d) <= GAVE_UP && o.possible;
  *cost = found ? o.upper : 0;
  pebble_optimum_clear(&o);
  cdag_graph_clear(&e);
  return found;
}

const bound *bound_named(const bound_list *l, const char *theorem)
{
  for (size_t i = 0; i < l->n; i++)
    if (strcmp(l->item[i].name, theorem) == 0)
      return &l->item[i];
  return NULL;
}

static void check(const text *certificate, const bound *b, bool valid, const char *what, const char *altered)
{
  bound_check_result r;
  diag d = { 0 };
  ck_assert_int_eq(bound_check(text_str(certificate), certificate->n, "certificate", &r, &d), OK);
  ck_assert_msg(r.valid == valid, "%s%s%s: %s", what, altered ? " with another " : "", altered ? altered : "",
                text_str(&r.reason));
  ck_assert(!valid || (mpz_cmp(r.value, b->value) == 0 && strcmp(text_str(&r.theorem), b->name) == 0));
  bound_check_clear(&r);
}

void bound_certificate_stands(const bound_question *q, const bound *b, const char *what, const char *const *number,
                              int numbers)
{
  text t = { 0 };
  diag d = { 0 };
  ck_assert_int_eq(bound_certificate(q, b, &t, &d), OK);
  check(&t, b, true, what, NULL);
  for (int i = 0; i < numbers; i++) {
    char *at = strstr(t.s, number[i]);
    ck_assert_msg(at != NULL, "%s has no %s", what, number[i]);
    char *digit = at + strlen(number[i]), old = *digit;
    *digit = old == '9' ? '8' : (char)(old + 1);
    check(&t, b, false, what, number[i]);
    *digit = old;
  }
  text_clear(&t);
}

void bound_own_certificate_stands(const char *theorem, const cdag *g, uint64_t m, const char *what,
                                  const char *const *number, int numbers)
{
  diag d = { 0 };
  int best;
  bound_list list = { 0 };
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = m, .theorem = theorem };
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  bound_certificate_stands(&q, bound_named(&list, theorem), what, number, numbers);
  bound_list_clear(&list);
}

text bound_claim_of(const char *theorem, const cdag *g, uint64_t m)
{
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = m, .theorem = bound_theorem_find(theorem) ? theorem : NULL };
  bound_list list = { 0 };
  diag d = { 0 };
  text t = { 0 };
  int best;
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  const bound *b = bound_named(&list, theorem);
  ck_assert_msg(b != NULL, "no bound %s", theorem);
  text_add(&t, text_str(&b->parameters));
  bound_list_clear(&list);
  return t;
}

static bool ask(const char *theorem, const cdag *g, int64_t m, const char *parameters, mpz_t value, text *reason)
{
  json_value v;
  diag d = { 0 };
  ck_assert_int_eq(json_read(&v, parameters, strlen(parameters), "parameters", &d), OK);
  bound_claim c = { theorem, g, m, &v, 0 };
  bool holds = bound_checker_find(theorem)->check(&c, value, reason);
  json_value_clear(&v);
  return holds;
}

static bool find(const char *theorem, const cdag *g, int64_t m, const char *parameters, mpz_t value)
{
  text reason = { 0 };
  bool holds = ask(theorem, g, m, parameters, value, &reason);
  ck_assert_msg(holds || reason.n > 0, "%s refuses %s without a sentence", theorem, parameters);
  text_clear(&reason);
  return holds;
}

bool bound_claim_holds(const char *theorem, const cdag *g, int64_t m, const char *parameters)
{
  mpz_t value;
  mpz_init(value);
  bool holds = find(theorem, g, m, parameters, value);
  mpz_clear(value);
  return holds;
}

bool bound_claim_gives(const char *theorem, const cdag *g, int64_t m, const char *parameters, const mpz_t value)
{
  mpz_t found;
  mpz_init(found);
  bool same = find(theorem, g, m, parameters, found) && mpz_cmp(found, value) == 0;
  mpz_clear(found);
  return same;
}

bool bound_claim_alter(const char *from, int k, text *to)
{
  for (const char *c = from; *c; c++)
    if (*c >= '0' && *c <= '9' && (c == from || c[-1] < '0' || c[-1] > '9') && k-- == 0) {
      char *end;
      unsigned long long v = strtoull(c, &end, 10);
      text_add_n(to, from, (size_t)(c - from));
      text_printf(to, "%llu%s", v + 1, end);
      return true;
    }
  return false;
}

void bound_claim_refused(const char *theorem, const cdag *g, int64_t m, const char *parameters, const char *why)
{
  text reason = { 0 };
  mpz_t value;
  mpz_init(value);
  ck_assert_msg(!ask(theorem, g, m, parameters, value, &reason), "%s: %s holds", theorem, parameters);
  ck_assert_msg(strstr(text_str(&reason), why), "%s: %s is refused for: %s", theorem, parameters, text_str(&reason));
  mpz_clear(value);
  text_clear(&reason);
}
