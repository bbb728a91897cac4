/* The checkers of the theorems, asked directly: every member of a true claim's parameters is taken away, given another
   type, another number, another name; every list is cut short, emptied and made longer.  What is still derived is a
   bound, and no larger than the best there is; what cannot be read is refused with a sentence. */
#include "base/json_read.h"
#include "base/mem.h"
#include "bounds/bound.h"
#include "bounds/checker.h"
#include "tests/support.h"
#include "tests/support_cases.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  cdag *g;
  bound_list list;
  mpz_t most;                  /* the best of all bounds */
  bound_claim claim;
  const bound_checker *checker;
  const char *spec;
  int asked; /* of claims made wrong */
} trial;

/* ---- asking ---- */

static bool derives(trial *t, const char *path, const char *what)
{
  mpz_t value;
  text reason = { 0 };
  mpz_init(value);
  bool good = t->checker->check(&t->claim, value, &reason);
  if (good)
    ck_assert_msg(mpz_cmp(value, t->most) <= 0, "%s of %s with %s %s: %ld follows, it is %ld at most", t->claim.theorem,
                  t->spec, path, what, mpz_get_si(value), mpz_get_si(t->most));
  else
    ck_assert_msg(reason.n > 0, "%s of %s with %s %s is refused without a sentence", t->claim.theorem, t->spec, path,
                  what);
  text_clear(&reason);
  mpz_clear(value);
  return good;
}

/* Of a claim made wrong. */
static bool still_derives(trial *t, const char *path, const char *what)
{
  return support_sampled(t->asked++) && derives(t, path, what);
}

/* ---- one member at a time ---- */

/* Members a claim need not have: without "inputs" every vertex is marked. */
static bool optional(const char *key) { return !strcmp(key, "seed") || !strcmp(key, "inputs"); }

static void number_becomes(trial *t, json_value *v, const char *path)
{
  static const char *const numbers[] = {
    "0",
    "1",
    "-1",
    "2",
    "3",
    "64",
    "1000000",
    "1099511627776",
    "2199023255552",
    "4611686018427387904",
    "9223372036854775807",
    "99999999999999999999999999",
    "999999999999999999999999999999999999999999999999999999999999999999999999999999999999"
  };
  static const int by[] = { -1, 1, 2 };
  char *was = v->text, *digits;
  mpz_t n, other;
  mpz_inits(n, other, NULL);
  ck_assert(json_integer(v, n));
  for (int i = 0; i < COUNT(numbers); i++) {
    v->text = (char *)numbers[i];
    still_derives(t, path, numbers[i]);
  }
  for (int i = 0; i <= COUNT(by); i++) {
    mpz_set_si(other, i < COUNT(by) ? by[i] : 0);
    i < COUNT(by) ? mpz_add(other, other, n) : mpz_mul_ui(other, n, 2);
    digits = mem_new(mpz_sizeinbase(other, 10) + 2, 1);
    v->text = mpz_get_str(digits, 10, other);
    still_derives(t, path, digits);
    mem_free(digits);
  }
  v->text = was;
  mpz_clears(n, other, NULL);
}

static void name_becomes(trial *t, json_value *v, const char *path)
{
  char *was = v->text;
  for (int a = -2; a < t->g->arrays; a++) {
    v->text = a == -2 ? (char *)"" : a == -1 ? (char *)"nobody" : (char *)t->g->array[a].name;
    still_derives(t, path, v->text);
  }
  v->text = was;
}

static void list_becomes(trial *t, json_value *v, const char *path)
{
  json_value was = *v;
  for (size_t n = 0; n < was.n; n += n + 1 < was.n ? was.n - 1 : 1) { /* none, all but the last */
    v->n = n;
    still_derives(t, path, n ? "shorter" : "empty");
  }
  v->item = MEM_NEW(json_value, was.n + 1);
  for (size_t i = 0; i <= was.n && was.n > 0; i++)
    v->item[i] = was.item[i < was.n ? i : was.n - 1];
  v->n = was.n + 1;
  if (was.n > 0)
    still_derives(t, path, "longer");
  if (was.n > 1) {
    v->n = was.n;
    v->item[0] = was.item[1];
    v->item[1] = was.item[0];
    still_derives(t, path, "turned around");
  }
  mem_free(v->item);
  *v = was;
}

static void type_becomes(trial *t, json_value *v, const char *path)
{
  static const json_value others[] = { { .type = JSON_NULL },
                                       { .type = JSON_TRUE },
                                       { .type = JSON_FALSE },
                                       { .type = JSON_STRING, .text = (char *)"3" },
                                       { .type = JSON_NUMBER, .text = (char *)"3" },
                                       { .type = JSON_ARRAY },
                                       { .type = JSON_OBJECT } };
  json_value was = *v;
  bool truth = was.type == JSON_TRUE || was.type == JSON_FALSE;
  for (int i = 0; i < COUNT(others); i++) {
    bool other_truth = others[i].type == JSON_TRUE || others[i].type == JSON_FALSE;
    if (others[i].type == was.type)
      continue;
    *v = others[i];
    if (still_derives(t, path, "of another type"))
      ck_assert_msg(truth || other_truth, "%s of %s holds with %s of another type (%d)", t->claim.theorem, t->spec,
                    path, i);
  }
  *v = was;
}

static void each_member(trial *t, json_value *v, const char *path);

static void goes_missing(trial *t, json_value *of, size_t i, const char *path)
{
  char *was = of->key[i];
  of->key[i] = (char *)"nothing";
  if (still_derives(t, path, "missing"))
    ck_assert_msg(optional(was), "%s of %s holds without %s", t->claim.theorem, t->spec, path);
  of->key[i] = was;
}

static void damage(trial *t, json_value *v, const char *path)
{
  type_becomes(t, v, path);
  switch (v->type) {
  case JSON_NUMBER: number_becomes(t, v, path); break;
  case JSON_STRING: name_becomes(t, v, path); break;
  case JSON_ARRAY: list_becomes(t, v, path); break;
  default: break;
  }
  each_member(t, v, path);
}

static void each_member(trial *t, json_value *v, const char *path)
{
  /* of a long list, the first ones */
  bool pieces = strncmp(t->claim.theorem, "pieces", strlen("pieces")) == 0; /* each looks through a piece's ways */
  size_t many = strcmp(t->claim.theorem, "projective-sum") ? (size_t)support_rounds(pieces ? 1 : 4) : 3;
  for (size_t i = 0; i < v->n && (i < many || v->type == JSON_OBJECT); i++) {
    char inner[200];
    snprintf(inner, sizeof inner, "%.150s%s%.40s", path, v->type == JSON_OBJECT ? "/" : "[]",
             v->type == JSON_OBJECT ? v->key[i] : "");
    if (v->type == JSON_OBJECT)
      goes_missing(t, v, i, inner);
    damage(t, &v->item[i], inner);
  }
}

/* ---- every theorem ---- */

static const struct { const char *spec; uint64_t m; bool one_shot; int variant; } cases[] = {
  { "matmul:m=9,n=8,k=7", 12, false, 0 },
  { "matmul:m=9,n=8,k=7,acc=1", 20, false, 0 },
  { "dot:k=9", 5, false, 0 },
  { "dot:k=1000000", 5, false, 0 },
  { "attention:n=12,d=3", 14, false, 0 },
  { "attention:n=40,d=4", 60, false, 0 },
  { "attention:n=24,d=12", 60, false, 0 },
  { "attention:n=16,nk=12,d=2,dv=3", 20, false, 0 },
  { "attention-causal:n=20,d=3", 30, false, 0 },
  { "attention-sparse:n=64,d=4,b=8", 60, false, 0 },
  { "attention-backward:n=8,d=2", 12, false, 0 },
  { "attention-backward:n=30,d=1", 12, false, 0 },
  { "attention-lowrank:n=24,d=2,r=16", 20, false, 0 },
  { "mlp:m=16,k=12,h=16,n=10", 60, false, 0 },
  { "grid:r=5,c=5", 4, true, 0 },
  { "hypercube:l=6", 7, true, 0 },
  { "hypercube:l=6", 7, true, 1 },
  { "fft:l=6", 3, true, 0 },
  { "fft:l=6", 3, true, 1 },
  { "fft:l=6", 5, true, 2 },
};

enum { GRAPHS = COUNT(cases) - 6 }; /* from here on what holds for any graph */

/* Of the projective theorems, or of the others. */
static void every_claim(const char *spec, const bound_question *of, bool projective)
{
  trial t = { .spec = spec };
  diag d = { 0 };
  int best;
  ck_assert_msg(cdag_open(&t.g, spec, &d) == OK, "%s", d.message);
  bound_question q = *of;
  q.g = t.g;
  ck_assert_int_eq(bound_all(&q, &t.list, &best, &d), OK);
  ck_assert_int_ge(best, 0);
  mpz_init_set(t.most, t.list.item[best].value);
  for (size_t i = 0; i < t.list.n; i++) /* of every game: claims of one-shot theorems are changed, too */
    if (t.list.item[i].trust <= BOUND_CERTIFIED && mpz_cmp(t.list.item[i].value, t.most) > 0)
      mpz_set(t.most, t.list.item[i].value);
  for (size_t i = 0; i < t.list.n; i++) {
    const bound *b = &t.list.item[i];
    json_value parameters;
    t.checker = bound_checker_find(b->name);
    if (!t.checker || b->parameters.n == 0 || !strncmp(b->name, "projective", 10) != projective)
      continue;
    ck_assert_int_eq(json_read(&parameters, b->parameters.s, b->parameters.n, b->name, &d), OK);
    t.claim = (bound_claim){ b->name, t.g, (int64_t)q.m, &parameters, b->models };
    ck_assert_msg(derives(&t, "", "nothing changed"), "%s of %s does not hold", b->name, spec);
    int before = t.asked;
    each_member(&t, &parameters, "");
    ck_assert_int_ge(t.asked - before, parameters.n > 0 ? 10 : 0);
    json_value_clear(&parameters);
  }
  mpz_clear(t.most);
  bound_list_clear(&t.list);
  cdag_free(t.g);
}

static bound_question question(int i)
{
  return (bound_question){ .work = SEARCH_WORK, .m = cases[i].m, .one_shot = cases[i].one_shot,
                           .variant = cases[i].variant };
}

START_TEST(a_member_made_wrong)
{
  bound_question q = question(_i);
  every_claim(cases[_i].spec, &q, false);
}
END_TEST

START_TEST(a_projective_member_made_wrong)
{
  bound_question q = question(_i);
  every_claim(cases[_i].spec, &q, true);
}
END_TEST

/* ---- rules made wrong ---- */

/* A family's text with pieces of it replaced (tests/cases/rules.txt: "FROM => TO && FROM => TO" of SPEC -M M): which
   theorems' claims about the family still hold.  (Their parameters stay as they are, so what is refused may be true
   with others.)  64 stands for so many inputs more, \n for a new line. */
static test_cases rules;

/* The text up to the separator, which is passed over, with its new lines. */
static void take_up_to(text *out, const char **at, const char *separator)
{
  const char *end = strstr(*at, separator);
  for (const char *stop = end ? end : *at + strlen(*at); *at < stop; (*at)++)
    if ((*at)[0] == '\\' && (*at)[1] == 'n') {
      text_char(out, '\n');
      (*at)++;
    } else
      text_char(out, **at);
  *at += end ? strlen(separator) : 0;
}

static bool replace(text *t, const char *from, const char *to)
{
  char *at = strstr(t->s, from);
  if (!at)
    return false;
  text made = { 0 };
  text_add_n(&made, t->s, (size_t)(at - t->s));
  for (int i = 0; i < 64 && !strcmp(to, "64"); i++)
    text_printf(&made, "input E%d[1]\n", i);
  text_printf(&made, "%s%s", strcmp(to, "64") ? to : from, at + strlen(from));
  text_clear(t);
  *t = made;
  return true;
}

static void open_changed(const cdag *g, const test_case *c, cdag **changed)
{
  text t = { 0 }, from = { 0 }, to = { 0 };
  diag d = { 0 };
  cdag_print(&t, g);
  for (const char *at = c->ask; *at; text_clear(&from), text_clear(&to)) {
    take_up_to(&from, &at, " => ");
    take_up_to(&to, &at, " && ");
    ck_assert_msg(replace(&t, text_str(&from), text_str(&to)), "line %d: no '%s' in\n%s", c->line, from.s, t.s);
  }
  ck_assert_msg(cdag_parse(changed, g->name, t.s, "", &d) == OK, "line %d: line %d: %s", c->line, d.line, d.message);
  text_clear(&t);
}

/* Do the bounds found so far say so much, of plays that recompute? */
static bool is_found(const bound_list *there, const mpz_t value)
{
  bool found = mpz_sgn(value) <= 0;
  for (size_t i = 0; i < there->n && !found; i++)
    found = there->item[i].trust <= BOUND_CERTIFIED && there->item[i].models & BOUND_RECOMPUTE &&
            mpz_cmp(there->item[i].value, value) >= 0;
  return found;
}

static void find_there(const cdag *changed, uint64_t m, const char *theorem, bound_list *there)
{
  diag d = { 0 };
  int best;
  bound_question q = { .work = SEARCH_WORK, .g = changed, .m = m, .theorem = theorem };
  ck_assert_int_eq(bound_all(&q, there, &best, &d), OK);
}

/* Does the claim about g hold of the changed computation?  Then (with compare) what follows is no more than the best
   bound there, found when first asked for. */
static bool holds_there(const bound *b, const cdag *changed, uint64_t m, bound_list *there, bool compare,
                        const char *what)
{
  json_value parameters;
  diag d = { 0 };
  text reason = { 0 };
  mpz_t value;
  mpz_init(value);
  ck_assert_int_eq(json_read(&parameters, b->parameters.s, b->parameters.n, b->name, &d), OK);
  bound_claim claim = { b->name, changed, (int64_t)m, &parameters, b->models };
  bool good = bound_checker_find(b->name)->check(&claim, value, &reason);
  ck_assert_msg(good || reason.n > 0, "%s of %s is refused without a sentence", b->name, what);
  /* the theorem itself is asked first: mostly it finds as much there */
  if (good && compare && !is_found(there, value)) {
    find_there(changed, m, b->name, there);
    if (!is_found(there, value))
      find_there(changed, m, NULL, there);
    ck_assert_msg(is_found(there, value), "%s of %s: %ld follows, and no bound says so much", b->name, what,
                  mpz_get_si(value));
  }
  json_value_clear(&parameters);
  text_clear(&reason);
  mpz_clear(value);
  return good;
}

/* Theorems that read any description: their own tests change rules; the rows here say what becomes of the others. */
static bool reads_anything(const char *theorem)
{
  static const char *const general[] = { "affine",     "affine-one-shot", "columns", "columns-one-shot",
                                         "dominators", "components",      "rounds",  "given" };
  for (int i = 0; i < COUNT(general); i++)
    if (strcmp(theorem, general[i]) == 0)
      return true;
  return false;
}

static bool is_asked(const bound *b)
{
  return b->parameters.n > 0 && b->models & BOUND_RECOMPUTE && strcmp(b->name, "compulsory") &&
         !reads_anything(b->name) && bound_checker_find(b->name);
}

/* "product-segment x2 covering": which theorems' claims hold of the changed computation. */
static void put_holding(text *out, const cdag *changed, uint64_t m, const bound_list *list, bool compare,
                        const char *what)
{
  bound_list there = { 0 };
  const char *last = "";
  for (size_t i = 0, times = 0; i <= list->n; i++) {
    const bound *b = i < list->n ? &list->item[i] : NULL;
    bool holds = b && is_asked(b) && holds_there(b, changed, m, &there, compare, what);
    if (b && !(holds && strcmp(b->name, last))) {
      times += holds;
      continue;
    }
    if (times > 1)
      text_printf(out, " x%zu", times);
    if (b)
      text_printf(out, "%s%s", out->n ? " " : "", last = b->name);
    times = 1;
  }
  bound_list_clear(&there);
}

static void change_rules(const cdag *g, uint64_t m, const bound_list *list, int row)
{
  const test_case *c = &rules.item[row];
  cdag *changed = NULL;
  text hold = { 0 };
  open_changed(g, c, &changed);
  put_holding(&hold, changed, m, list, row % 4 < support_rounds(1), c->ask);
  ck_assert_msg(!strcmp(text_str(&hold), c->answer), "%s:%d: %s: '%s' hold", rules.path, c->line, c->reason,
                text_str(&hold));
  text_clear(&hold);
  cdag_free(changed);
}

/* The rows of one family, which stand together. */
START_TEST(rules_made_wrong)
{
  const char *setting = rules.item[_i].setting;
  char spec[80];
  unsigned long m;
  cdag *g = NULL;
  bound_list list = { 0 };
  diag d = { 0 };
  int best;
  if (_i > 0 && setting == rules.item[_i - 1].setting)
    return;
  ck_assert_int_eq(sscanf(setting, "%79s -M %lu", spec, &m), 2);
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  ck_assert_int_eq(bound_all(&(bound_question){ .work = SEARCH_WORK, .g = g, .m = m }, &list, &best, &d), OK);
  for (int row = _i; row < rules.n && rules.item[row].setting == setting; row++)
    change_rules(g, m, &list, row);
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

/* ---- claims by hand ---- */

static const struct { const char *spec; int64_t m; const char *theorem, *parameters, *reason;
} by_hand[] = {
  { "dot:k=3000000", 5, "compulsory", "{}", "too many to mark one by one" },
  { "input A[4194303]\noutput Z[i:1] = A[0]\n", 5, "compulsory", "{}", NULL },
  { "input A[4194304]\noutput Z[i:1] = A[0]\n", 5, "compulsory", "{}", "too many to mark one by one" },
  { "fft:l=2", 5, "compulsory", "{\"inputs\":4,\"outputs\":4}", "counted one by one" },
  { "fft:l=2", 5, "product-segment", "{\"statement\":\"v\"}", "a graph has no statements" },
  { "fft:l=2", 5, "covering", "{\"pairs_of\":\"v\",\"kinds\":[{}]}", "the computation is a graph" },
  { "fft:l=2", 5, "lowrank", "{\"normaliser\":true,\"weigh_normaliser\":false}", "has not the shape" },
  { "fft:l=2", 5, "projective-sum", "{\"statements\":[{}]}", "the computation is a graph" },
  { "dot:k=3", 5, "projective-sum", "{\"statements\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]}",
    "'statements' is missing" },
  { "matmul:m=2,n=2,k=2", 5, "covering", "{\"pairs_of\":\"A\",\"kinds\":[1,2,3,4,5,6,7]}",
    "'kinds' or 'pairs_of' is missing" },
  { "matmul:m=2,n=2,k=2", 5, "covering", "{\"pairs_of\":\"A\",\"kinds\":[]}", "'kinds' or 'pairs_of' is missing" },
  { "attention-backward:n=6,d=129", 300, "backward-12",
    "{\"d\":129,\"pairs\":36,\"pairs_of\":\"S\",\"kinds\":[{\"statement\":\"dQ\",\"value\":1,\"term\":2},{"
    "\"statement\":\"dK\",\"value\":1,\"term\":2},{\"statement\":\"dV\",\"value\":1,\"term\":2}],"
    "\"dQ\":\"dQ\",\"dK\":\"dK\",\"dV\":\"dV\",\"Q\":\"Q\",\"dO\":\"dO\",\"K\":\"K\",\"V\":\"V\",\"work\":7188912,"
    "\"segments\":2,\"first\":1835,\"length\":1535,\"most_first\":3593952,\"most\":3593952,\"events\":3371,\"births\":"
    "2322,\"stores\":2322}",
    NULL },
  { "param n d\ninput Q[n,d], K[n,d], V[n,d]\nP[i:n, j:n] = T1[i,j]\nT1[i:n, j:n] = T2[i,j]\nT2[i:n, j:n] = "
    "T3[i,j]\nT3[i:n, j:n] = T4[i,j]\nT4[i:n, j:n] = T5[i,j]\nT5[i:n, j:n] = T6[i,j]\n"
    "T6[i:n, j:n] = T7[i,j]\nT7[i:n, j:n] = T8[i,j]\nT8[i:n, j:n] = T9[i,j]\nT9[i:n, j:n] = Q[i,*], K[j,*]\nZ[i:n, "
    "l:d, j:n] = Z[i,l,j-1], P[i,j], V[j,l]\noutput Z[*,*,n-1]\n",
    6, "covering",
    "{\"pairs_of\":\"T1\",\"pairs\":36,\"words\":[{\"array\":\"V\",\"column\":true,\"width\":0},{\"array\":\"Z\","
    "\"column\":false,\"width\":0}],"
    "\"kinds\":[{\"statement\":\"Z\",\"value\":1,\"term\":2,\"slices\":2,\"steps\":72,\"operand\":\"V\",\"whole\":[],"
    "\"weight\":1}],\"scale\":1}",
    "the kinds are not work at the pairs" },
  { "attention:n=12,d=3", 14, "covering",
    "{\"pairs_of\":\"S\",\"pairs\":144,\"words\":[{\"array\":\"Q\",\"column\":false,\"width\":3},{\"array\":\"K\","
    "\"column\":true,\"width\":3},{\"array\":\"V\",\"column\":true,\"width\":0},"
    "{\"array\":\"Z\",\"column\":false,\"width\":0}],\"kinds\":[{\"statement\":\"Z\",\"value\":1,\"term\":2,\"slices\":"
    "3,\"steps\":432,\"operand\":\"V\",\"whole\":[\"Q\",\"K\"],\"weight\":12}],"
    "\"scale\":1,\"sides\":12,\"work\":5184,\"segments\":6,\"first\":45,\"length\":32,\"most_first\":848,\"most\":866,"
    "\"events\":206,\"births\":36,\"stores\":36}",
    NULL },
  { "attention:n=12,d=3", 14, "covering",
    "{\"pairs_of\":\"S\",\"pairs\":143,\"words\":[{\"array\":\"Q\",\"column\":false,\"width\":3},{\"array\":\"K\","
    "\"column\":true,\"width\":3},{\"array\":\"V\",\"column\":true,\"width\":0},"
    "{\"array\":\"Z\",\"column\":false,\"width\":0}],\"kinds\":[{\"statement\":\"Z\",\"value\":1,\"term\":2,\"slices\":"
    "3,\"steps\":432,\"operand\":\"V\",\"whole\":[\"Q\",\"K\"],\"weight\":12}],"
    "\"scale\":1,\"sides\":12,\"work\":5184,\"segments\":6,\"first\":45,\"length\":32,\"most_first\":848,\"most\":866,"
    "\"events\":206,\"births\":36,\"stores\":36}",
    "there may be more than 'pairs' pairs" },
  { "attention:n=12,d=3", 14, "covering",
    "{\"pairs_of\":\"S\",\"pairs\":-144,\"words\":[{\"array\":\"Q\",\"column\":false,\"width\":3},{\"array\":\"K\","
    "\"column\":true,\"width\":3},{\"array\":\"V\",\"column\":true,\"width\":0},"
    "{\"array\":\"Z\",\"column\":false,\"width\":0}],\"kinds\":[{\"statement\":\"Z\",\"value\":1,\"term\":2,\"slices\":"
    "3,\"steps\":432,\"operand\":\"V\",\"whole\":[\"Q\",\"K\"],\"weight\":12}],"
    "\"scale\":1,\"sides\":12,\"work\":5184,\"segments\":6,\"first\":45,\"length\":32,\"most_first\":848,\"most\":866,"
    "\"events\":206,\"births\":36,\"stores\":36}",
    "there may be more than 'pairs' pairs" },
  { "attention:n=12,d=3", 14, "covering",
    "{\"pairs_of\":\"S\",\"pairs\":144,\"words\":[{\"array\":\"Q\",\"column\":false,\"width\":3},{\"array\":\"K\","
    "\"column\":true,\"width\":3},{\"array\":\"V\",\"column\":true,\"width\":0},"
    "{\"array\":\"Z\",\"column\":false,\"width\":0}],\"kinds\":[{\"statement\":\"Z\",\"value\":1,\"term\":2,\"slices\":"
    "3,\"steps\":432,\"operand\":\"V\",\"whole\":[\"Q\",\"K\"],\"weight\":12}],"
    "\"scale\":0,\"sides\":12,\"work\":5184,\"segments\":6,\"first\":45,\"length\":32,\"most_first\":848,\"most\":866,"
    "\"events\":206,\"births\":36,\"stores\":36}",
    "'scale' is missing or out of range" },
  { "attention:n=12,d=3", 14, "covering",
    "{\"pairs_of\":\"S\",\"pairs\":144,\"words\":[{\"array\":\"Q\",\"column\":false,\"width\":3},{\"array\":\"K\","
    "\"column\":true,\"width\":3},{\"array\":\"V\",\"column\":true,\"width\":0},"
    "{\"array\":\"Z\",\"column\":false,\"width\":0}],\"kinds\":[{\"statement\":\"Z\",\"value\":1,\"term\":2,\"slices\":"
    "3,\"steps\":432,\"operand\":\"V\",\"whole\":[\"Q\",\"K\"],\"weight\":12}],"
    "\"scale\":-1,\"sides\":12,\"work\":5184,\"segments\":6,\"first\":45,\"length\":32,\"most_first\":848,\"most\":866,"
    "\"events\":206,\"births\":36,\"stores\":36}",
    "'scale' is missing or out of range" },
  { "attention:n=12,d=3", 14, "covering",
    "{\"pairs_of\":\"S\",\"pairs\":144,\"words\":[{\"array\":\"Q\",\"column\":false,\"width\":3},{\"array\":\"K\","
    "\"column\":true,\"width\":3},{\"array\":\"V\",\"column\":true,\"width\":0},"
    "{\"array\":\"Z\",\"column\":false,\"width\":0}],\"kinds\":[{\"statement\":\"Z\",\"value\":1,\"term\":2,\"slices\":"
    "3,\"steps\":432,\"operand\":\"V\",\"whole\":[\"Q\",\"K\"],\"weight\":12}],"
    "\"scale\":2097153,\"sides\":12,\"work\":5184,\"segments\":6,\"first\":45,\"length\":32,\"most_first\":848,"
    "\"most\":866,\"events\":206,\"births\":36,\"stores\":36}",
    "'scale' is missing or out of range" },
  { "attention:n=2,d=1,dv=200000000", 6, "covering",
    "{\"pairs_of\":\"S\",\"pairs\":4,\"words\":[{\"array\":\"Q\",\"column\":false,\"width\":1},{\"array\":\"K\","
    "\"column\":true,\"width\":1},{\"array\":\"V\",\"column\":true,\"width\":0},"
    "{\"array\":\"Z\",\"column\":false,\"width\":0}],\"kinds\":[{\"statement\":\"Z\",\"value\":1,\"term\":2,\"slices\":"
    "200000000,\"steps\":800000000,\"operand\":\"V\",\"whole\":[\"Q\",\"K\"],"
    "\"weight\":1}],\"scale\":1}",
    "too many amounts of work" },
  { "input Q[2,4194304], K[2,4194304], V[2,131072], W[2,1]\nP[i:2, j:2] = Q[i,*], K[j,*]\nZ[i:2, l:131072, j:2] = "
    "Z[i,l,j-1], P[i,j], V[j,l]\nY[i:2, l:1, j:2] = Y[i,l,j-1], P[i,j], W[j,l]\n"
    "output Z[*,*,1], Y[*,*,1]\n",
    6, "covering",
    "{\"pairs_of\":\"P\",\"pairs\":4,\"words\":[{\"array\":\"Q\",\"column\":false,\"width\":4194304},{\"array\":\"K\","
    "\"column\":true,\"width\":4194304},{\"array\":\"V\",\"column\":true,\"width\":0},"
    "{\"array\":\"Z\",\"column\":false,\"width\":0},{\"array\":\"W\",\"column\":true,\"width\":0},{\"array\":\"Y\","
    "\"column\":false,\"width\":0}],"
    "\"kinds\":[{\"statement\":\"Z\",\"value\":1,\"term\":2,\"slices\":131072,\"steps\":524288,\"operand\":\"V\","
    "\"whole\":[\"Q\",\"K\"],\"weight\":140737488355327},"
    "{\"statement\":\"Y\",\"value\":1,\"term\":2,\"slices\":1,\"steps\":4,\"operand\":\"W\",\"whole\":[\"Q\",\"K\"],"
    "\"weight\":140737488355327}],\"scale\":2097152}",
    "the weights are too large" },
  { "input Q[2,4194304], K[2,4194304], V[2,65536], W[2,1]\nP[i:2, j:2] = Q[i,*], K[j,*]\nZ[i:2, l:65536, j:2] = "
    "Z[i,l,j-1], P[i,j], V[j,l]\nY[i:2, l:1, j:2] = Y[i,l,j-1], P[i,j], W[j,l]\n"
    "output Z[*,*,1], Y[*,*,1]\n",
    6, "covering",
    "{\"pairs_of\":\"P\",\"pairs\":4,\"words\":[{\"array\":\"Q\",\"column\":false,\"width\":4194304},{\"array\":\"K\","
    "\"column\":true,\"width\":4194304},{\"array\":\"V\",\"column\":true,\"width\":0},"
    "{\"array\":\"Z\",\"column\":false,\"width\":0},{\"array\":\"W\",\"column\":true,\"width\":0},{\"array\":\"Y\","
    "\"column\":false,\"width\":0}],"
    "\"kinds\":[{\"statement\":\"Z\",\"value\":1,\"term\":2,\"slices\":65536,\"steps\":262144,\"operand\":\"V\","
    "\"whole\":[\"Q\",\"K\"],\"weight\":140737488355327},"
    "{\"statement\":\"Y\",\"value\":1,\"term\":2,\"slices\":1,\"steps\":4,\"operand\":\"W\",\"whole\":[\"Q\",\"K\"],"
    "\"weight\":140737488355327}],\"scale\":2097152}",
    "the weights are too large" },
  { "attention:n=2,d=1,dv=300000000", 6, "covering",
    "{\"pairs_of\":\"S\",\"kinds\":[{\"statement\":\"Z\",\"value\":1,\"term\":2}]}",
    "the kinds are not work at the pairs" },
  { "attention:n=6,d=2", 6, "attention-three-way",
    "{\"statement\":\"Z\",\"pair\":1,\"column\":2,\"scores\":\"S\",\"dk\":2,\"dv\":2,\"pairs\":36,\"share\":1,\"share_"
    "of\":2,\"segments\":1,\"first\":1000006,\"length\":1000000,\"events\":1000007,"
    "\"work\":288,\"births\":12,\"stores\":12}",
    "could do more" },
  { "attention:n=6,d=2", 6, "attention-three-way",
    "{\"statement\":\"Z\",\"pair\":1,\"column\":2,\"scores\":\"S\",\"dk\":2,\"dv\":2,\"pairs\":36,\"share\":1,\"share_"
    "of\":2,\"segments\":1,\"first\":4611686018427387910,"
    "\"length\":4611686018427387904,\"events\":4611686018427387911,\"work\":288,\"births\":12,\"stores\":12}",
    "the first segment M + length events" },
  { "attention:n=12,d=2", 14,
    "attention-two-products", /* (20 - 4) 2 / 2 + 16^2 / 32 = 24 at 4 pairs, where one more brings nothing */
    "{\"statement\":\"Z\",\"pair\":1,\"column\":2,\"scores\":\"S\",\"dk\":2,\"dv\":2,\"pairs\":144,\"work\":576,"
    "\"segments\":1,\"first\":20,\"length\":0,\"most_first\":24,\"most\":0,"
    "\"events\":21,\"births\":168,\"stores\":24}",
    NULL },
  { "attention:n=12,d=2,dv=3", 14, "attention-two-products",
    "{\"statement\":\"Z\",\"pair\":1,\"column\":2,\"scores\":\"S\",\"dk\":2,\"dv\":3,\"pairs\":144,\"work\":720,"
    "\"segments\":1,\"first\":20,\"length\":0,\"most_first\":24,\"most\":0,"
    "\"events\":21,\"births\":180,\"stores\":36}",
    "asks for equal widths" },
  { "attention:n=40,d=2", 6, "attention-three-way", /* a stretch does its part of the work exactly, less one */
    "{\"statement\":\"Z\",\"pair\":1,\"column\":2,\"scores\":\"S\",\"dk\":2,\"dv\":2,\"pairs\":1600,\"work\":128000,"
    "\"share\":4,\"share_of\":20,\"segments\":399,\"first\":14,\"length\":8,"
    "\"events\":3199,\"births\":80}",
    NULL },
  { "attention:n=40,d=2", 6, "attention-three-way",
    "{\"statement\":\"Z\",\"pair\":1,\"column\":2,\"scores\":\"S\",\"dk\":2,\"dv\":2,\"pairs\":1600,\"work\":128000,"
    "\"share\":4,\"share_of\":20,\"segments\":399,\"first\":14,\"length\":8,"
    "\"events\":3200,\"births\":80}",
    "the events are not first" },
  { "attention:n=40,d=2", 6, "attention-three-way",
    "{\"statement\":\"Z\",\"pair\":1,\"column\":2,\"scores\":\"S\",\"dk\":2,\"dv\":2,\"pairs\":1600,\"work\":128000,"
    "\"share\":4,\"share_of\":20,\"segments\":399,\"first\":14,\"length\":8,"
    "\"events\":3199,\"births\":79}",
    "'births'" },
  { "attention:n=60,d=2,dv=1", 60, "attention-segment", /* 4 (dk + dv)^2 400 = dv 120^2 */
    "{\"statement\":\"Z\",\"pair\":1,\"column\":2,\"dk\":2,\"dv\":1,\"pairs\":3600,\"seed\":-1,\"fibers\":[1,60,60],"
    "\"work\":3600,\"segments\":1,\"first\":120,\"length\":0,\"most_first\":400,\"most\":0,"
    "\"events\":121,\"births\":60,\"stores\":60}",
    NULL },
  { "attention:n=6,d=2", 6, "attention-three-way",
    "{\"statement\":\"Z\",\"pair\":1,\"column\":2,\"scores\":\"S\",\"dk\":2,\"dv\":2,\"pairs\":36,\"share\":1,\"share_"
    "of\":2,\"segments\":1,\"first\":2305843009213693951,"
    "\"length\":2305843009213693945,\"events\":2305843009213693952,\"work\":288,\"births\":12,\"stores\":12}",
    "could do more" },
  { "attention:n=20000000,d=3000", 10000000,
    "attention-three-way", /* true, but to see it takes longer than the checker looks */
    "{\"statement\":\"Z\",\"pair\":1,\"column\":2,\"scores\":\"S\",\"dk\":3000,\"dv\":3000,\"pairs\":400000000000000,"
    "\"work\":72000000000000000000000,\"share\":5,\"share_of\":20,"
    "\"segments\":66246950,\"first\":24743416,\"length\":14743416,\"events\":976706352581201,\"births\":60000000000}",
    "could do more" },
  { "input Q[6,2], K[6,2], V[6,2], C[6,2,1]\nS[i:6, j:6, k:2] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:6, j:6] = "
    "S[i,j,1]\nZ[i:6, l:2, j:6] = Z[i,l,j-1], C[i,l,j], P[i,j], V[j,l]\noutput Z[*,*,5]\n",
    14, "attention-segment",
    "{\"statement\":\"Z\",\"pair\":2,\"column\":3,\"dk\":2,\"dv\":2,\"pairs\":36,\"seed\":1,\"fibers\":[2,6,6],"
    "\"work\":72,\"segments\":2,\"first\":34,\"length\":20,\"most_first\":36,\"most\":34,"
    "\"events\":55,\"births\":0,\"stores\":12}",
    NULL },
};

START_TEST(claims_by_hand)
{
  cdag *g = NULL;
  diag d = { 0 };
  json_value parameters;
  text reason = { 0 };
  mpz_t value;
  mpz_init(value);
  status st = strchr(by_hand[_i].spec, '\n')
                  ? cdag_parse(&g, "text", by_hand[_i].spec, strstr(by_hand[_i].spec, "param") ? "n=6,d=2" : "", &d)
                  : cdag_open(&g, by_hand[_i].spec, &d);
  ck_assert_msg(st == OK, "%s", d.message);
  ck_assert_int_eq(json_read(&parameters, by_hand[_i].parameters, strlen(by_hand[_i].parameters), "claim", &d), OK);
  bound_claim claim = { by_hand[_i].theorem, g, by_hand[_i].m, &parameters, 0 };
  bool good = bound_checker_find(by_hand[_i].theorem)->check(&claim, value, &reason);
  ck_assert(!good || mpz_sgn(value) != 0);
  ck_assert_msg(good == !by_hand[_i].reason && (good || strstr(text_str(&reason), by_hand[_i].reason)), "%s of %s: %s",
                by_hand[_i].theorem, by_hand[_i].spec, text_str(&reason));
  json_value_clear(&parameters);
  text_clear(&reason);
  mpz_clear(value);
  cdag_free(g);
}
END_TEST

int main(void)
{
  rules = cases_read("rules");
  Suite *s = suite_create("claims");
  TCase *hand = support_case(s, "hand"), *rule = support_case(s, "rules"), *graphs = support_case(s, "graphs"),
        *arrays = support_case(s, "arrays"), *projective = support_case(s, "projective");
  tcase_add_loop_test(hand, claims_by_hand, 0, COUNT(by_hand));
  tcase_add_loop_test(rule, rules_made_wrong, 0, rules.n);
  tcase_add_loop_test(graphs, a_member_made_wrong, GRAPHS, COUNT(cases));
  tcase_add_loop_test(arrays, a_member_made_wrong, 0, GRAPHS);
  tcase_add_loop_test(projective, a_projective_member_made_wrong, 0, GRAPHS);
  return support_run(s);
}
