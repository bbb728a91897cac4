/* Certificates made wrong on purpose, in every member and in the description they speak of, with the digest mended:
   what is still found valid must be true.  True means: no more than the best bound found for the damaged question, or
   no more than a play of it costs. */
#include "base/json_read.h"
#include "base/mem.h"
#include "bounds/certificate.h"
#include "bounds/checker.h"
#include "bounds/check/reading/mark.h"
#include "bounds/check/reading/read.h"
#include "cdag/polyhedral/ends.h"
#include "pebble/optimal.h"
#include "tests/support.h"
#include "tests/support_random_cdag.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One of each kind at least. */
static const struct { const char *spec; uint64_t m; bool one_shot; } cases[] = {
  { "matmul:m=9,n=8,k=7", 12, false },
  { "matmul:m=9,n=8,k=7,acc=1", 20, false },
  { "attention:n=12,d=3", 14, false },
  { "attention:n=40,d=4", 60, false },
  { "attention:n=16,nk=12,d=2,dv=3", 20, false },
  { "attention-sparse:n=64,d=4,b=8", 60, false },
  { "attention-sparse:n=32,d=2,b=4,w=-1,top=1", 300, false },
  { "attention-backward:n=20,d=2", 30, false },
  { "attention-lowrank:n=24,d=2,r=16", 20, false },
  { "mlp:m=16,k=12,h=16,n=10", 60, false },
  { "grid:r=5,c=5", 4, true },
  { "fft:l=3", 5, true },
};

/* What is found in each case, once for all tests. */
static struct { cdag *g; bound_question q; bound_list list; } of_case[COUNT(cases)];

static void find_all(void)
{
  for (int i = 0; i < COUNT(cases); i++) {
    diag d = { 0 };
    int best;
    ck_assert_int_eq(cdag_open(&of_case[i].g, cases[i].spec, &d), OK);
    of_case[i].q = (bound_question){ .work = SEARCH_WORK, .g = of_case[i].g, .m = cases[i].m,
                                     .one_shot = cases[i].one_shot };
    ck_assert_int_eq(bound_all(&of_case[i].q, &of_case[i].list, &best, &d), OK);
  }
}

static void clear_all(void)
{
  for (int i = 0; i < COUNT(cases); i++) {
    bound_list_clear(&of_case[i].list);
    cdag_free(of_case[i].g);
  }
}

static status check_text(const char *bytes, bound_check_result *r)
{
  diag d = { 0 };
  status st = bound_check(bytes, strlen(bytes), "certificate", r, &d);
  ck_assert(st == OK || st == BAD_INPUT || st == BAD_USAGE || st == GAVE_UP);
  ck_assert_msg(st == OK ? r->valid || r->reason.n > 0 : d.message[0] != '\0', "refused without a sentence");
  return st;
}

/* False when the text is no JSON. */
static bool mend_digest(text *t)
{
  json_value v;
  diag d = { 0 };
  char digits[17], *at = strstr(t->s, "\"digest\": \"");
  if (!at || json_read(&v, t->s, t->n, "x", &d) != OK)
    return false;
  snprintf(digits, sizeof digits, "%016" PRIx64, json_digest(&v, "digest"));
  memcpy(at + strlen("\"digest\": \""), digits, 16);
  json_value_clear(&v);
  return true;
}

/* ---- the truth about what a certificate says ---- */

typedef struct {
  bound_question q;
  cdag *g;
  char theorem[40];
} question;

static bool ask(const char *bytes, question *k, mpz_t value)
{
  json_value v;
  diag d = { 0 };
  int64_t m = 0;
  bool good = json_read(&v, bytes, strlen(bytes), "x", &d) == OK && json_get_int(&v, "M", &m) &&
              json_get_big(&v, "value", value);
  const json_value *c = json_get(&v, "cdag"), *models = json_get(&v, "models");
  const char *source = json_get_string(c, "text"), *assign = json_get_string(c, "assign"),
             *name = json_get_string(c, "name");
  *k = (question){ .q = { .m = (uint64_t)m, .one_shot = true } };
  for (size_t i = 0; models && i < models->n; i++)
    if (models->item[i].type == JSON_STRING && !strcmp(models->item[i].text, "recompute"))
      k->q.one_shot = false;
  good = good && source && assign && cdag_parse(&k->g, name ? name : "x", source, assign, &d) == OK;
  snprintf(k->theorem, sizeof k->theorem, "%s", json_get_string(&v, "theorem") ? json_get_string(&v, "theorem") : "");
  json_value_clear(&v);
  k->q.g = k->g;
  return good;
}

/* The least a play costs when the graph is small (-1: not found), and the best of all bounds. */
static int64_t optimum(const bound_question *q)
{
  cdag_graph e = { 0 };
  diag d = { 0 };
  int64_t cost = -1;
  if (q->g->vertices > 40 || cdag_materialise(q->g, 40, &e, &d) != OK)
    return -1;
  pebble_rules rules = { (pebble_variant)q->variant, q->one_shot, q->m };
  pebble_optimal_limits limits = { .seconds = .2, .bytes = 100 << 20 };
  pebble_optimum o = { 0 };
  if (q->m >= pebble_least_memory(&e, &rules) && pebble_optimal(&e, &rules, &limits, &o, &d) != BAD_INPUT && o.possible)
    cost = (int64_t)o.upper;
  pebble_optimum_clear(&o);
  cdag_graph_clear(&e);
  return cost;
}

/* The best bound of one theorem, or of all (NULL); 0 when there is none. */
static int64_t best_of(const bound_question *of, const char *theorem)
{
  bound_question q = *of;
  bound_list list = { 0 };
  diag d = { 0 };
  int best = -1;
  q.theorem = theorem;
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  int64_t value = best < 0 ? 0 : mpz_get_si(list.item[best].value);
  bound_list_clear(&list);
  return value;
}

/* The last question asked and its answer: most damage leaves the question alone.  At most the optimum may be claimed,
   or the best bound; of these the theorem's own is found quickly, and mostly says as much. */
static struct {
  uint64_t m, digest;
  bool one_shot, of_all;
  int64_t most;
} last;

static void expect_true(const char *bytes, const char *what)
{
  question k;
  mpz_t value;
  mpz_init(value);
  if (ask(bytes, &k, value) && k.q.m < (uint64_t)1 << 40) {
    uint64_t digest = 14695981039346656037u;
    for (const char *s = strstr(bytes, "\"cdag\": {"); *s; s++)
      if (!strncmp(s, "\"digest\"", 8))
        s += 28;
      else
        digest = (digest ^ (unsigned char)*s) * 1099511628211u;
    if (last.m != k.q.m || last.digest != digest || last.one_shot != k.q.one_shot) {
      last.m = k.q.m;
      last.digest = digest;
      last.one_shot = k.q.one_shot;
      last.most = optimum(&k.q);
      last.of_all = last.most >= 0;
      if (!last.of_all)
        last.most = best_of(&k.q, k.theorem);
    }
    if (mpz_cmp_si(value, last.most) > 0 && !last.of_all) {
      last.most = best_of(&k.q, NULL);
      last.of_all = true;
    }
    ck_assert_msg(mpz_cmp_si(value, last.most) <= 0, "%s: %ld was found valid, it is %ld at most", what,
                  mpz_get_si(value), (long)last.most);
  }
  cdag_free(k.g);
  mpz_clear(value);
}

static int accepted(text *t, const char *what)
{
  bound_check_result r;
  if (!mend_digest(t))
    return 0;
  bool valid = check_text(t->s, &r) == OK && r.valid;
  bound_check_clear(&r);
  if (valid)
    expect_true(t->s, what);
  return valid;
}

/* ---- each member, one at a time ---- */

static size_t token_length(const char *s)
{
  if (*s == '"') {
    size_t n = 1;
    while (s[n] && s[n] != '"')
      n += s[n] == '\\' ? 2 : 1;
    return n + 1;
  }
  return strspn(s, "-0123456789abcdefghijklmnopqrstuvwxyz");
}

static const char *const others[] = { "0",
                                      "1",
                                      "2",
                                      "-1",
                                      "7",
                                      "100",
                                      "4611686018427387904",
                                      "99999999999999999999999999",
                                      "null",
                                      "true",
                                      "false",
                                      "\"\"",
                                      "\"V\"",
                                      "\"K\"",
                                      "\"Q\"",
                                      "\"A\"",
                                      "\"C\"",
                                      "\"S\"",
                                      "[]",
                                      "{}",
                                      "[1,2,3]" };

static void replace(const text *from, size_t at, size_t n, const char *by, text *to)
{
  text_clear(to);
  text_printf(to, "%.*s%s%s", (int)at, from->s, by, from->s + at + n);
}

static int damage_members(const text *certificate, const char *what)
{
  const int one_of = support_sanitized() ? 2100 : 700;
  text t = { 0 };
  int tried = 0;
  const char *stop = strstr(certificate->s, "\"cdag\": {");
  for (const char *s = certificate->s + 1; s < stop;
       s += *s == '"' || isalnum((unsigned char)*s) || *s == '-' ? token_length(s) : 1) {
    size_t n = *s == '"' || isalnum((unsigned char)*s) || *s == '-' ? token_length(s) : 0,
           at = (size_t)(s - certificate->s);
    char place[200];
    snprintf(place, sizeof place, "%.100s at %.60s", what, s);
    for (int i = 0; n > 0 && i < COUNT(others); i++, tried++) {
      if ((tried * 7 + tried / 21) % one_of >= support_rounds(1)) /* all with ROUNDS=700 */
        continue;
      replace(certificate, at, n, s[n] == ':' && others[i][0] != '"' ? "\"x\"" : others[i],
              &t); /* of a key: its member is missing */
      accepted(&t, place);
    }
  }
  text_clear(&t);
  return tried;
}

START_TEST(every_member)
{
  const bound_list *list = &of_case[_i].list;
  int tried = 0;
  for (size_t i = 0; i < list->n; i++)
    if (bound_has_certificate(&list->item[i])) {
      text t = { 0 };
      diag d = { 0 };
      char what[200];
      ck_assert_int_eq(bound_certificate(&of_case[_i].q, &list->item[i], &t, &d), OK);
      snprintf(what, sizeof what, "%s of %s", list->item[i].name, cases[_i].spec);
      ck_assert_msg(accepted(&t, what), "%s does not hold", what);
      tried += damage_members(&t, what);
      text_clear(&t);
    }
  ck_assert_int_gt(tried, 20);
}
END_TEST

/* ---- a wrong description ---- */

/* Pieces that descriptions have, to be put in place of others. */
static const char *const pieces[] = { "i", "j", "k", "l", "0", "1",   "n",   "d",   "i+1", "j-1", "Q",   "K",   "V",
                                      "A", "B", "S", "P", "Z", "n-1", "d-1", "i,j", "j,i", "i:n", "j:n", "l:dv" };

/* Put a piece in place of a word of the computation's text (which is one JSON string). */
static void damage_text(support_random *r, text *t)
{
  const char *begin = strstr(t->s, "\"cdag\": {"), *from = begin ? strstr(begin, "\"text\": \"") : NULL;
  if (!from)
    return;
  from += strlen("\"text\": \"");
  size_t n = token_length(from - 1) - 2;
  for (int iteration = 0; iteration < 100; iteration++) {
    const char *s = from + support_between(r, 0, (int64_t)n - 1);
    while (s > from && isalnum((unsigned char)s[-1]))
      s--;
    size_t word = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
    if (word == 0 || s[-1] == '\\')
      continue;
    text made = { 0 };
    replace(t, (size_t)(s - t->s), word, pieces[support_between(r, 0, COUNT(pieces) - 1)], &made);
    text_clear(t);
    *t = made;
    return;
  }
}

static const struct { const char *spec; uint64_t m;
} small[] = {
  { "matmul:m=2,n=3,k=2", 4 },         { "matmul:m=3,n=3,k=2", 5 },
  { "matmul:m=2,n=2,k=3,acc=1", 5 },   { "attention:n=2,d=1", 5 },
  { "attention:n=2,nk=3,d=1", 4 },     { "attention:n=2,nk=2,d=2,dv=1", 5 },
  { "attention-backward:n=2,d=1", 6 }, { "attention-lowrank:n=3,d=1,r=2", 5 },
  { "mlp:m=2,k=2,h=2,n=2", 5 },        { "matvec:m=3,n=4", 4 },
  { "attention-causal:n=3,d=1", 5 },
};

START_TEST(a_wrong_description)
{
  support_random r = { (uint64_t)_i };
  cdag *g = NULL;
  bound_list list = { 0 };
  diag d = { 0 };
  int best, which = _i % COUNT(small);
  ck_assert_int_eq(cdag_open(&g, small[which].spec, &d), OK);
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = small[which].m };
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  for (size_t i = 0; i < list.n; i++)
    for (int iteration = 0; iteration < 6 && bound_has_certificate(&list.item[i]); iteration++) {
      text t = { 0 };
      ck_assert_int_eq(bound_certificate(&q, &list.item[i], &t, &d), OK);
      for (int64_t times = support_between(&r, 1, 3); times > 0; times--)
        damage_text(&r, &t);
      accepted(&t, t.s);
      text_clear(&t);
    }
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

/* The certificate of one computation, the description of another. */
START_TEST(another_description)
{
  diag d = { 0 };
  text other = { 0 };
  if (_i % 10 >= support_rounds(1))
    return;
  const bound_question q = of_case[_i % COUNT(cases)].q;
  const cdag *h = of_case[_i / COUNT(cases)].g;
  const bound_list *list = &of_case[_i % COUNT(cases)].list;
  bound_question p = q;
  p.g = h;
  for (size_t i = 0; i < list->n; i++) {
    if (!bound_has_certificate(&list->item[i]) || q.g->graph || h->graph)
      continue;
    text t = { 0 }, made = { 0 };
    ck_assert_int_eq(bound_certificate(&q, &list->item[i], &t, &d), OK);
    text_clear(&other);
    ck_assert_int_eq(bound_certificate(&p, &list->item[i], &other, &d), OK);
    const char *tail = strstr(other.s, "\"cdag\": {");
    text_printf(&made, "%.*s%s", (int)(strstr(t.s, "\"cdag\": {") - t.s), t.s, tail);
    accepted(&made, list->item[i].name);
    text_clear(&made);
    text_clear(&t);
  }
  text_clear(&other);
}
END_TEST

/* ---- compulsory traffic from the description ---- */

static const char *const large[] = {
  "matmul:m=500,n=500,k=500",
  "matmul:m=300,n=200,k=500,acc=1",
  "attention:n=4096,nk=2000,d=64,dv=32",
  "attention-causal:n=2048,d=64",
  "attention-online:n=2048,d=64,b=100",
  "attention-sparse:n=4096,d=64,b=64",
  "attention-backward:n=1024,d=64",
  "attention-lowrank:n=4096,d=64,r=300",
  "attention-lowrank:n=4096,d=8,g=3",
  "mlp:m=300,k=300,h=300,n=200",
  "dot:k=1000000",
  "matvec:m=3000,n=3000",
  "cholesky:n=300",
  "stencil:w=600,t=600",
  "examples/polybench/lu.cdag:n=200",
  "examples/polybench/floyd-warshall.cdag:n=200",
  "examples/polybench/jacobi-2d.cdag:tsteps=9,n=200",
};

START_TEST(compulsory_of_many_vertices)
{
  cdag *g = NULL;
  bound_list list = { 0 };
  diag d = { 0 };
  text t = { 0 };
  int best;
  ck_assert_int_eq(cdag_open(&g, large[_i], &d), OK);
  ck_assert_uint_gt(g->vertices, 1 << 18);
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = 300, .theorem = "compulsory" };
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  ck_assert_str_eq(list.item[0].name, "compulsory");
  ck_assert(bound_has_certificate(&list.item[0]));
  ck_assert_int_eq(bound_certificate(&q, &list.item[0], &t, &d), OK);
  ck_assert_msg(accepted(&t, large[_i]), "%s: the certificate does not hold", large[_i]);
  text_clear(&t);
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

/* What is read off never exceeds what is counted vertex by vertex. */
START_TEST(compulsory_read_and_counted)
{
  support_random r = { (uint64_t)_i };
  char assign[64];
  diag d = { 0 };
  text source = { 0 };
  static const char *const domains[] = { "i:n, j:m", "i:n, j:i+1", "i:n, j:i..n", "i:1..n, j:m", "i:n, j:w[i]" };
  static const char *const reads[] = { "A[i,j]", "A[j,i]", "A[i,0]",    "A[i+1,j]", "B[i+j]", "B[2*i]",
                                       "A[i,*]", "B[i]",   "A[w[i],j]", "U[i,j]",   "U[i,*]" };
  static const char *const ends[] = {
    "output O[i:n, j:m] = X[i,j]\n", "output X[*,*]\n",   "output X[*,0]\n",
    "output X[a:n,0..1]\n",          "output X[a:n,a]\n", "output O[i:n] = X[i,*]\n"
  };
  text_printf(&source,
              "param n m\ntable w[i:n] = i / 2\ninput A[2*(n+m),n+m], B[2*(n+m)]\nU[i:n+m, j:n+m] = A[i,j], "
              "B[0]\nX[%s] = %s, %s, X[i,j-1]\n%s",
              domains[support_between(&r, 0, COUNT(domains) - 1)], reads[support_between(&r, 0, COUNT(reads) - 1)],
              reads[support_between(&r, 0, COUNT(reads) - 1)], ends[support_between(&r, 0, COUNT(ends) - 1)]);
  snprintf(assign, sizeof assign, "n=%d,m=%d", (int)support_between(&r, 1, 4), (int)support_between(&r, 1, 4));
  cdag *g = NULL;
  if (cdag_parse(&g, "random", text_str(&source), assign, &d) == OK) {
    bound_question q = { .work = SEARCH_WORK, .g = g, .m = 100 };
    bound_list list = { 0 };
    int best;
    ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
    bool *live = checker_live(g);
    uint64_t read = checker_inputs(g, live) + checker_outputs(g);
    ck_assert_msg(mpz_cmp_ui(list.item[0].value, read) >= 0, "%lu read off, %ld counted:\n%s%s", (unsigned long)read,
                  mpz_get_si(list.item[0].value), text_str(&source), assign);
    mem_free(live);
    bound_list_clear(&list);
  }
  cdag_free(g);
  text_clear(&source);
}
END_TEST

/* The sets of the normal form do not either, and of most computations they tell all. */
START_TEST(compulsory_of_sets)
{
  int all = 0, tries = 0;
  for (int k = 0; k < 60; k++) {
    support_random r = { 60 * (uint64_t)_i + (uint64_t)k };
    random_cdag_options o = { .conditions = k % 2 };
    text t = { 0 };
    cdag *g = support_random_cdag(&r, &o, &t);
    uint64_t inputs = 0, outputs = 0, ends, matter = 0;
    uint8_t *seen = MEM_NEW(uint8_t, g->vertices);
    ck_assert(checker_mark(g, MARK_VERTICES, MARK_EDGES, seen, &ends));
    for (uint64_t id = 0; id < g->vertices; id++) {
      cdag_element e;
      cdag_at(g, id, &e);
      matter += seen[id] && cdag_is_input(g, e.array, e.x);
    }
    cdag_ends(g, &inputs, &outputs);
    ck_assert_msg(inputs <= matter && outputs <= ends, "seed %d, %d: %lu and %lu, of %lu and %lu:\n%s", _i, k,
                  (unsigned long)inputs, (unsigned long)outputs, (unsigned long)matter, (unsigned long)ends,
                  text_str(&t));
    all += inputs == matter && outputs == ends;
    tries++;
    mem_free(seen);
    cdag_free(g);
    text_clear(&t);
  }
  ck_assert_int_ge(10 * all, 8 * tries);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("check_damage");
  TCase *c = support_case(s, "damage");
  tcase_add_unchecked_fixture(c, find_all, clear_all);
  tcase_add_loop_test(c, every_member, 0, COUNT(cases));
  tcase_add_loop_test(c, a_wrong_description, 0, support_rounds(22));
  tcase_add_loop_test(c, another_description, 0, COUNT(cases) * COUNT(cases));
  tcase_add_loop_test(c, compulsory_of_many_vertices, 0, COUNT(large));
  tcase_add_loop_test(c, compulsory_read_and_counted, 0, support_rounds(120));
  tcase_add_loop_test(c, compulsory_of_sets, 0, support_rounds(2));
  return support_run(s);
}
