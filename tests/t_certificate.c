/* Certificates: every bound that has one checks; a certificate with any one number altered does not. */
#include "base/json_read.h"
#include "base/mem.h"
#include "bounds/certificate.h"
#include "bounds/checker.h"
#include "tests/support.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The first ALTERED are altered number by number; the others are here for the theorems and games that those lack. */
enum { ALTERED = 21 };
static const struct { const char *spec; uint64_t m; bool one_shot; int variant; } cases[] = {
  { "matmul:m=6,n=5,k=4", 9, false, 0 },
  { "matmul:m=20,n=22,k=24", 100, false, 0 },
  { "matmul:m=32,n=32,k=4,acc=1", 60, false, 0 },
  { "matmul:m=2000,n=2000,k=32", 4096, false, 0 },
  { "dot:k=9", 5, false, 0 },
  { "attention:n=6,d=2", 12, false, 0 },
  { "attention:n=2048,d=32", 65536, false, 0 },
  { "attention:n=512,nk=768,d=16,dv=24", 8000, false, 0 },
  { "attention:n=512,nk=768,d=24,dv=16", 8000, false, 0 },
  { "attention:n=40,d=12", 60, false, 0 },
  { "attention:n=60,d=8", 64, false, 0 },
  { "attention-causal:n=50,d=8", 120, false, 0 },
  { "attention-online:n=40,d=8,b=8", 150, false, 0 },
  { "attention-sparse:n=96,d=8,b=8", 120, false, 0 },
  { "attention-block:n=64,d=4,b=8,r=5,w=0", 60, false, 0 },
  { "mlp:m=24,k=16,h=24,n=12", 100, false, 0 },
  { "attention-backward:n=40,d=3", 60, false, 0 },
  { "attention-backward:n=100,d=1", 20, false, 0 },
  { "attention-gradient:n=40,d=4", 100, false, 0 },
  { "attention-lowrank:n=60,d=3,r=40", 30, false, 0 },
  { "attention-lowrank:n=30,d=3,g=2", 40, false, 0 },
  { "grid:r=5,c=5", 4, true, 0 },
  { "fft:l=3", 5, true, 0 },
  { "stencil:w=40,t=30", 5, true, 0 },
  { "cholesky:n=12", 6, false, 0 },
  { "pyramid:h=9", 3, true, 0 },
  { "pyramid:h=9", 3, false, 1 },
  { "grid:r=8,c=8", 3, true, 0 },
  { "grid:r=8,c=8", 3, true, 1 },
  { "fft:l=3", 5, true, 2 },
  { "examples/polybench/durbin.cdag:n=8", 5, false, 0 },
  { "examples/polybench/ludcmp.cdag:n=22", 8, true, 0 },
  { "examples/polybench/floyd-warshall.cdag:n=40", 12, true, 0 },
  { "tests/nests/nussinov-lengths.rules.cdag:n=24", 6, true, 0 },
};

typedef struct {
  cdag *g;
  bound_list list;
  bound_question q;
} found;

/* What is found is found once, for all tests; they leave it as it was. */
static found of_case[COUNT(cases)], of_pairs;

static void find(found *f, const char *spec, uint64_t m, bool one_shot, int variant)
{
  diag d = { 0 };
  int best;
  ck_assert_msg(cdag_open(&f->g, spec, &d) == OK, "%s", d.message);
  f->q = (bound_question){ .work = SEARCH_WORK, .g = f->g, .m = m, .one_shot = one_shot, .variant = variant };
  ck_assert_int_eq(bound_all(&f->q, &f->list, &best, &d), OK);
  ck_assert_int_ge(best, 0);
}

static void found_clear(found *f)
{
  bound_list_clear(&f->list);
  cdag_free(f->g);
}

/* A computation keeps what it was counted to have: that is no leak of the test that asks first. */
static void find_all(void)
{
  cdag_counts c;
  diag d = { 0 };
  for (int i = 0; i < COUNT(cases); i++) {
    find(&of_case[i], cases[i].spec, cases[i].m, cases[i].one_shot, cases[i].variant);
    ck_assert_int_eq(cdag_count(of_case[i].g, &c, &d), OK);
  }
  find(&of_pairs, "attention:n=40,d=4", 60, false, 0);
}

static void clear_all(void)
{
  for (int i = 0; i < COUNT(cases); i++)
    found_clear(&of_case[i]);
  found_clear(&of_pairs);
}

/* Valid?  An unreadable one is not.  The value it claims goes to *value when that is not NULL. */
static bool valid(const char *bytes, char *why, size_t size, mpz_t value)
{
  bound_check_result r;
  diag d = { 0 };
  status st = bound_check(bytes, strlen(bytes), "certificate", &r, &d);
  bool good = st == OK && r.valid;
  snprintf(why, size, "%s", st == OK ? text_str(&r.reason) : d.message);
  mpz_set(value, r.value);
  bound_check_clear(&r);
  return good;
}

/* Replace the digest by that of the altered text; false when it is no JSON any more. */
static bool mend_digest(char *bytes)
{
  json_value v;
  diag d = { 0 };
  char digits[17], *at = strstr(bytes, "\"digest\": \"");
  if (!at || json_read(&v, bytes, strlen(bytes), "x", &d) != OK)
    return false;
  snprintf(digits, sizeof digits, "%016" PRIx64, json_digest(&v, "digest"));
  memcpy(at + strlen("\"digest\": \""), digits, 16);
  json_value_clear(&v);
  return true;
}

/* The next number of the text: a run of digits that is not part of a word. */
static char *next_number(char *s)
{
  for (; *s; s++)
    if (isdigit((unsigned char)*s) && !isalpha((unsigned char)s[-1]) && !isdigit((unsigned char)s[-1]))
      return s;
  return NULL;
}

static void alter(char *number, int how)
{
  size_t n = strspn(number, "0123456789");
  char *digit = how == 0 ? number + n - 1 : number;
  *digit = (char)('0' + (*digit - '0' + (how == 1 && n > 1 && *digit == '9' ? 2 : 1)) % 10);
}

enum { ALTERATIONS = 24 }; /* about so many of one certificate, times ROUNDS: each is derived twice */

static void alter_each(const bound *b, const char *spec, char *bytes)
{
  char why[1024];
  int k = 0, numbers = 0;
  for (char *at = next_number(bytes + 1); at; at = next_number(at + strspn(at, "0123456789")))
    numbers++;
  support_random r = { (uint64_t)numbers };
  mpz_t value;
  mpz_init(value);
  char *parameters = strstr(bytes, "\"parameters\""), *computation = strstr(bytes, "\"cdag\": {"),
       *digest = strstr(bytes, "\"digest\"");
  for (char *at = next_number(bytes + 1); at && at < digest; at = next_number(at + strspn(at, "0123456789")))
    for (int how = 0; how < 2; how++) {
      if (!support_sampled(k++) || support_between(&r, 1, 2 * numbers) > support_rounds(ALTERATIONS))
        continue;
      char *copy = mem_text(bytes);
      alter(copy + (at - bytes), how);
      ck_assert_msg(!valid(copy, why, sizeof why, value), "%s of %s holds after altering %.60s", b->name, spec,
                    copy + (at - bytes));
      /* without the digest's help, the parameters themselves must not prove anything else than the truth */
      if (at > parameters && at < computation && mend_digest(copy) && valid(copy, why, sizeof why, value))
        ck_assert_msg(mpz_cmp(value, b->value) == 0, "%s of %s claims another value after altering %.60s", b->name,
                      spec, copy + (at - bytes));
      mem_free(copy);
    }
  mpz_clear(value);
}

static void check_certificate(const bound_question *q, const bound *b, const char *spec)
{
  text t = { 0 };
  diag d = { 0 };
  char why[1024];
  mpz_t value;
  mpz_init(value);
  ck_assert_int_eq(bound_certificate(q, b, &t, &d), OK);
  ck_assert_msg(valid(text_str(&t), why, sizeof why, value), "%s of %s: %s", b->name, spec, why);
  ck_assert(mpz_cmp(value, b->value) == 0);
  char *bytes = mem_text(text_str(&t));
  alter_each(b, spec, bytes);
  mem_free(bytes);
  text_clear(&t);
  mpz_clear(value);
}

START_TEST(altered_in_any_number)
{
  const found *f = &of_case[_i];
  int certificates = 0;
  for (size_t i = 0; i < f->list.n; i++)
    if (bound_has_certificate(&f->list.item[i]) &&
        (strcmp(f->list.item[i].name, "compulsory") != 0 ||
         f->g->vertices < 10000)) { /* that one marks every vertex each time */
      check_certificate(&f->q, &f->list.item[i], cases[_i].spec);
      certificates++;
    }
  ck_assert_int_gt(certificates, 0);
}
END_TEST

/* A larger value with everything else in order is refused for what it is, not for the digest. */
START_TEST(a_larger_value)
{
  found *f = &of_case[_i];
  diag d = { 0 };
  char why[1024];
  mpz_t value;
  mpz_init(value);
  for (size_t i = 0; i < f->list.n; i++)
    if (bound_has_certificate(&f->list.item[i])) {
      text t = { 0 };
      mpz_add_ui(f->list.item[i].value, f->list.item[i].value, 1);
      ck_assert_int_eq(bound_certificate(&f->q, &f->list.item[i], &t, &d), OK);
      mpz_sub_ui(f->list.item[i].value, f->list.item[i].value, 1);
      ck_assert(!valid(text_str(&t), why, sizeof why, value));
      ck_assert_msg(strstr(why, "digest") == NULL, "%s", why);
      text_clear(&t);
    }
  mpz_clear(value);
}
END_TEST

/* ---- the games ---- */

/* Written out once more: a claim says how vertices are computed and whether twice, and of the partial game that it is
 * once. */
static bool whole_games(unsigned named)
{
  bool how = named & BOUND_PLACING || named & BOUND_SLIDING || named & BOUND_PARTIAL,
       twice = named & BOUND_RECOMPUTE || named & BOUND_ONE_SHOT;
  return how && twice && (!(named & BOUND_PARTIAL) || named & BOUND_ONE_SHOT);
}

/* The certificate, digest and all, is written anew with every set of games named: it holds when the set says all and
 * the theorem holds there. */
static int name_each_game(const bound_question *q, bound *b, const char *spec, int _i)
{
  const unsigned own = b->models, holds = bound_checker_find(b->name)->models;
  char why[1024];
  int refused = 0;
  mpz_t value;
  mpz_init(value);
  for (unsigned named = 1; named < 1u << BOUND_GAMES; named++) {
    text t = { 0 };
    diag d = { 0 };
    if (named != holds && whole_games(named) && !(named & ~holds) && named % 3 != (unsigned)_i % 3)
      continue; /* what holds is derived whole each time */
    b->models = named;
    ck_assert_int_eq(bound_certificate(q, b, &t, &d), OK);
    bool good = valid(text_str(&t), why, sizeof why, value), whole = whole_games(named);
    ck_assert_msg(good == (whole && !(named & ~holds)), "%s of %s in games %u: %s", b->name, spec, named,
                  good ? "holds" : why);
    ck_assert_msg(good || strstr(why, whole ? "does not hold in every game" : "does not name"), "%s", why);
    refused += !good;
    text_clear(&t);
  }
  b->models = own;
  mpz_clear(value);
  return refused;
}

START_TEST(a_game_the_theorem_does_not_hold_in)
{
  found *f = &of_case[_i];
  int refused = 0;
  if (support_left_out(_i))
    return;
  for (size_t i = 0; i < f->list.n; i++)
    if (bound_has_certificate(&f->list.item[i]) &&
        (strcmp(f->list.item[i].name, "compulsory") != 0 || f->g->vertices < 10000))
      refused += name_each_game(&f->q, &f->list.item[i], cases[_i].spec, _i);
  ck_assert_int_gt(refused, 0);
}
END_TEST

/* Every theorem that is checked says its games, and the cases here speak of every one of them; "optimum" needs time
   (t_bound_optimum), "positions" is no bound of the list (t_positions). */
START_TEST(every_theorem_names_its_games)
{
  int seen[64] = { 0 }, n = 0;
  for (; bound_checkers[n]; n++) {
    ck_assert_int_lt(n, COUNT(seen));
    ck_assert_msg(whole_games(bound_checkers[n]->models), "%s does not name its games", bound_checkers[n]->theorem);
    ck_assert_msg(!(bound_checkers[n]->models & BOUND_RECOMPUTE) || bound_checkers[n]->models & BOUND_ONE_SHOT,
                  "%s holds with recomputation: then also without", bound_checkers[n]->theorem);
  }
  ck_assert_int_gt(n, 20);
  for (int c = 0; c < COUNT(cases); c++) {
    const bound_list *list = &of_case[c].list;
    for (size_t i = 0; i < list->n; i++)
      for (int k = 0; k < n; k++)
        seen[k] += bound_has_certificate(&list->item[i]) && strcmp(bound_checkers[k]->theorem, list->item[i].name) == 0;
  }
  for (int k = 0; k < n; k++)
    ck_assert_msg(seen[k] > 0 || strcmp(bound_checkers[k]->theorem, "components") == 0 ||
                      strcmp(bound_checkers[k]->theorem, "rounds") == 0 ||
                      strcmp(bound_checkers[k]->theorem, "given") == 0 ||
                      strcmp(bound_checkers[k]->theorem, "optimum") == 0 ||
                      strcmp(bound_checkers[k]->theorem, "positions") == 0,
                  "no case here has a certificate of %s", bound_checkers[k]->theorem);
}
END_TEST

/* The set of games is written as a list of names; both ways to name them agree, and the sentence says every one. */
START_TEST(games_in_words)
{
  for (unsigned named = 1; named < 1u << BOUND_GAMES; named++) {
    text list = { 0 }, sentence = { 0 };
    ck_assert((bound_games_unsaid(named) == NULL) == whole_games(named));
    bound_games_text(named, &list);
    bound_games_sentence(named, &sentence);
    for (int i = 0; i < BOUND_GAMES; i++) {
      ck_assert_uint_eq(bound_game_flag(bound_game_name(i)), 1u << i);
      ck_assert((strstr(text_str(&list), bound_game_name(i)) != NULL) == (named >> i & 1));
      ck_assert(i < 2 || (strstr(text_str(&sentence), bound_game_name(i)) != NULL) == (named >> i & 1));
    }
    ck_assert((strstr(text_str(&sentence), "(one-shot)") != NULL) == !(named & BOUND_RECOMPUTE));
    text_clear(&list);
    text_clear(&sentence);
  }
  ck_assert_uint_eq(bound_game_flag("chess"), 0);
}
END_TEST

/* What was checked is read off the computation: another text, other parameters, another memory have another digest or
 * number. */
START_TEST(what_was_checked_is_told)
{
  found *f = &of_case[_i];
  diag d = { 0 };
  text t = { 0 };
  bound_check_result r;
  cdag_counts c;
  ck_assert_int_eq(bound_certificate(&f->q, &f->list.item[0], &t, &d), OK);
  ck_assert_msg(bound_check(t.s, t.n, "x", &r, &d) == OK, "%s", d.message);
  ck_assert_int_eq(r.m, cases[_i].m);
  ck_assert_uint_eq(r.models, f->list.item[0].models);
  ck_assert_uint_eq(r.digest, cdag_digest(f->g));
  ck_assert_str_eq(text_str(&r.name), f->g->name);
  ck_assert_int_eq(cdag_count(f->g, &c, &d), OK);
  ck_assert(r.counted && r.counts.inputs == c.inputs && r.counts.outputs == c.outputs &&
            r.counts.vertices == c.vertices);
  for (int other = 0; other < COUNT(cases); other++) {
    cdag *g = NULL;
    ck_assert_int_eq(cdag_open(&g, cases[other].spec, &d), OK);
    ck_assert_msg((cdag_digest(g) == r.digest) == (strcmp(cases[other].spec, cases[_i].spec) == 0), "%s and %s",
                  cases[other].spec, cases[_i].spec);
    cdag_free(g);
  }
  bound_check_clear(&r);
  text_clear(&t);
}
END_TEST

/* A small certificate with other games, the digest mended. */
static const char *const no_games[] = { "\"chess\"",
                                        "null",
                                        "1",
                                        "\"one-shot\", \"chess\"",
                                        "\"chess\", \"one-shot\"",
                                        "\"\"",
                                        "\"placing\", \"one-shot\", \"placing\"",
                                        "" };

START_TEST(games_nobody_knows)
{
  found f = { 0 };
  diag d = { 0 };
  text t = { 0 }, made = { 0 };
  char why[1024];
  mpz_t value;
  mpz_init(value);
  find(&f, "dot:k=3", 4, false, 0);
  ck_assert_int_eq(bound_certificate(&f.q, &f.list.item[0], &t, &d), OK);
  const char *from = strstr(t.s, "\"models\": [") + strlen("\"models\": ["), *to = strchr(from, ']');
  text_printf(&made, "%.*s%s%s", (int)(from - t.s), t.s, no_games[_i], to);
  ck_assert(mend_digest(made.s));
  ck_assert(!valid(made.s, why, sizeof why, value));
  ck_assert_msg(strstr(why, *no_games[_i] ? "the games are names out of" : "names no game"), "%s", why);
  text_clear(&made);
  text_clear(&t);
  mpz_clear(value);
  found_clear(&f);
}
END_TEST

/* ---- the pairs of a covering bound ---- */

/* Fewer pairs than there are, and no number of pairs, are refused for that; more are only a weaker claim. */
static const struct { const char *what; bool refused;
} pair_counts[] = {
  { "\"pairs\": 1600", false }, { "\"pairs\": 1601", false }, { "\"pairs\": 1599", true }, { "\"pairs\": 0", true },
  { "\"pairs\": -1", true },    { "\"pairs\": -1600", true }, { "\"pairs\": null", true }, { "\"pears\": 1600", true },
};

START_TEST(fewer_pairs_than_there_are)
{
  const found *f = &of_pairs;
  diag d = { 0 };
  text t = { 0 }, made = { 0 };
  char why[1024];
  size_t i = 0;
  mpz_t value;
  mpz_init(value);
  while (i < f->list.n && strcmp(f->list.item[i].name, "covering") != 0)
    i++;
  ck_assert_uint_lt(i, f->list.n);
  ck_assert_int_eq(bound_certificate(&f->q, &f->list.item[i], &t, &d), OK);
  const char *from = strstr(t.s, "\"pairs\": 1600"); /* 40 * 40 */
  ck_assert_ptr_nonnull(from);
  text_printf(&made, "%.*s%s%s", (int)(from - t.s), t.s, pair_counts[_i].what, from + strlen("\"pairs\": 1600"));
  ck_assert(mend_digest(made.s));
  bool good = valid(made.s, why, sizeof why, value);
  ck_assert(!good || !pair_counts[_i].refused);
  ck_assert_msg((strstr(why, "more than 'pairs' pairs") != NULL) == pair_counts[_i].refused, "%s: %s",
                pair_counts[_i].what, why);
  text_clear(&made);
  text_clear(&t);
  mpz_clear(value);
}
END_TEST

/* ---- what cannot be read as a certificate ---- */

#define HEAD "{\"redblue\": \"certificate\", \"version\": 1, "
#define CLAIM HEAD "\"theorem\": \"compulsory\", \"M\": 4, \"value\": 3, \"parameters\": {}, "
#define DOT "\"cdag\": {\"text\": \"input A[3]\\noutput B[i:1] = A[*]\\n\", \"assign\": \"\"}}"

static const struct { const char *bytes, *sentence;
} unreadable[] = {
  { "", "JSON" },
  { "{", "JSON" },
  { CLAIM DOT "}", "JSON" },
  { "[]", "no certificate of version 1" },
  { "{}", "no certificate of version 1" },
  { "{\"redblue\": \"certificate\"}", "no certificate of version 1" },
  { "{\"redblue\": \"certificate\", \"version\": 2}", "no certificate of version 1" },
  { "{\"redblue\": \"certificate\", \"version\": 2, \"theorem\": \"compulsory\", \"M\": 4, \"value\": 3, "
    "\"parameters\": {}, " DOT,
    "no certificate of version 1" },
  { "{\"redblue\": \"certificate\", \"theorem\": \"compulsory\", \"M\": 4, \"value\": 3, \"parameters\": {}, " DOT,
    "no certificate of version 1" },
  { "{\"redblue\": \"verdict\", \"version\": 1, \"theorem\": \"compulsory\", \"M\": 4, \"value\": 3, \"parameters\": "
    "{}, " DOT,
    "no certificate of version 1" },
  { "{\"version\": 1, \"theorem\": \"compulsory\", \"M\": 4, \"value\": 3, \"parameters\": {}, " DOT,
    "no certificate of version 1" },
  { HEAD "\"M\": 4, \"value\": 3, \"parameters\": {}, " DOT, "lacks its theorem" },
  { HEAD "\"theorem\": \"compulsory\", \"value\": 3, \"parameters\": {}, " DOT, "lacks its theorem" },
  { HEAD "\"theorem\": \"compulsory\", \"M\": 0, \"value\": 3, \"parameters\": {}, " DOT, "lacks its theorem" },
  { HEAD "\"theorem\": \"compulsory\", \"M\": -4, \"value\": 3, \"parameters\": {}, " DOT, "lacks its theorem" },
  { HEAD "\"theorem\": \"compulsory\", \"M\": 4, \"parameters\": {}, " DOT, "lacks its theorem" },
  { HEAD "\"theorem\": \"compulsory\", \"M\": 4, \"value\": 3, " DOT, "lacks its theorem" },
  { HEAD "\"theorem\": \"none\", \"M\": 4, \"value\": 3, \"parameters\": {}, " DOT, "no theorem 'none'" },
  { HEAD "\"theorem\": \"compulsory\", \"M\": 4, \"value\": 3, \"parameters\": {\"inputs\": \"3\"}, " DOT,
    "the text \"3\" where a number belongs" },
  { HEAD "\"theorem\": \"compulsory\", \"M\": 4, \"value\": 3, \"parameters\": {\"x\": [1, {\"y\": \"-3\"}]}, " DOT,
    "where a number belongs" },
  { HEAD "\"theorem\": \"compulsory\", \"M\": \"4\", \"value\": 3, \"parameters\": {}, " DOT, "lacks its theorem" },
  { HEAD "\"theorem\": \"compulsory\", \"M\": 4, \"value\": \"3\", \"parameters\": {}, " DOT, "lacks its theorem" },
  { CLAIM "\"game\": \"placing\", " DOT, "a certificate has no member 'game'" },
  { CLAIM "\"cdag\": {\"text\": \"output B[i:1] = A[*]\\ninput A[3]\\n\", \"assign\": \"\", \"edges\": \"1 0\"}}",
    "describes two computations" },
  { CLAIM "\"cdag\": {\"text\": \"\", \"edges\": \"1 0\"}}", "describes two computations" },
  { CLAIM "\"cdag\": {\"assign\": \"\", \"edges\": \"1 0\"}}", "describes two computations" },
  { CLAIM "\"cdag\": {\"text\": \"\", \"assign\": \"\", \"n\": 7}}", "'cdag' has no member 'n'" },
  { CLAIM "\"cdag\": {\"name\": \"a\\u001b[2Jb\", \"edges\": \"1 0\"}}", "control characters" },
  { CLAIM "\"cdag\": {\"name\": \"a\\u009b2Jb\", \"edges\": \"1 0\"}}", "control characters" },
  { CLAIM "\"cdag\": {\"name\": \"a\\u007f\", \"edges\": \"1 0\"}}", "control characters" },
  { CLAIM "\"cdag\": {}}", "has no CDAG" },
  { CLAIM "\"cdag\": {\"text\": \"input A[3]\\noutput B[i:1] = A[*]\\n\"}}", "has no CDAG" },
  { CLAIM "\"cdag\": {\"assign\": \"\"}}", "has no CDAG" },
  { CLAIM "\"cdag\": {\"text\": \"input A[3\", \"assign\": \"\"}}", "expected" },
  { CLAIM "\"cdag\": {\"edges\": \"0 x\\n\"}}", "number of edges" },
  { CLAIM
    "\"cdag\": {\"text\": \"table t[1] = 0\\ninput A[3]\\noutput B[i:1] = A[t[i]]\\n\", \"assign\": \"t=@values\"}}",
    "depends on a file" },
};

START_TEST(unreadable_certificates)
{
  bound_check_result r;
  diag d = { 0 };
  ck_assert_int_eq(bound_check(unreadable[_i].bytes, strlen(unreadable[_i].bytes), "x", &r, &d), BAD_INPUT);
  ck_assert_msg(strstr(d.message, unreadable[_i].sentence), "'%s', not '%s'", d.message, unreadable[_i].sentence);
  bound_check_clear(&r);
}
END_TEST

/* M = 1 is a memory; what is wrong then is the value, or the digest. */
START_TEST(the_least_memory)
{
  static const char bytes[] = HEAD "\"theorem\": \"compulsory\", \"M\": 1, \"value\": 3, \"parameters\": {}, " DOT;
  bound_check_result r;
  diag d = { 0 };
  ck_assert_msg(bound_check(bytes, strlen(bytes), "x", &r, &d) == OK, "%s", d.message);
  ck_assert(!r.valid);
  ck_assert_msg(r.reason.n > 0, "refused without a sentence");
  bound_check_clear(&r);
}
END_TEST

/* A certificate that lacks its digest, or whose games are no list: everything else is in order. */
static const struct { const char *members, *sentence; } lacking[] = {
  { "\"models\": [\"recompute\", \"placing\"], ", "the digest is not that of this text" },
  { "\"models\": [\"recompute\", \"placing\"], \"digest\": 7, ", "the digest is not that of this text" },
  { "\"models\": [\"recompute\"], ", "does not name how a vertex is computed" },
  { "\"models\": [\"placing\"], ", "does not name whether a vertex may be computed twice" },
  { "\"models\": [\"recompute\", \"partial\"], ", "does not name 'one-shot'" },
  { "\"models\": \"recompute\", ", "names no game" },
  { "\"models\": {\"recompute\": 1}, ", "names no game" },
  { "", "names no game" },
};

START_TEST(members_that_lack)
{
  text t = { 0 };
  bound_check_result r;
  diag d = { 0 };
  text_printf(&t, "%s%s%s", HEAD "\"theorem\": \"compulsory\", \"M\": 4, \"value\": 4, \"parameters\": {}, ",
              lacking[_i].members, DOT);
  ck_assert_msg(bound_check(t.s, t.n, "x", &r, &d) == OK, "%s", d.message);
  ck_assert(!r.valid);
  ck_assert_msg(strstr(text_str(&r.reason), lacking[_i].sentence), "%s: %s", lacking[_i].members, text_str(&r.reason));
  bound_check_clear(&r);
  text_clear(&t);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("certificate");
  TCase *c = support_case(s, "certificate");
  tcase_add_unchecked_fixture(c, find_all, clear_all);
  tcase_add_loop_test(c, altered_in_any_number, 0, ALTERED);
  tcase_add_loop_test(c, a_larger_value, 0, ALTERED);
  tcase_add_loop_test(c, a_game_the_theorem_does_not_hold_in, 0, COUNT(cases));
  tcase_add_test(c, every_theorem_names_its_games);
  tcase_add_test(c, games_in_words);
  tcase_add_loop_test(c, what_was_checked_is_told, 0, COUNT(cases));
  tcase_add_loop_test(c, games_nobody_knows, 0, COUNT(no_games));
  tcase_add_loop_test(c, fewer_pairs_than_there_are, 0, COUNT(pair_counts));
  tcase_add_test(c, the_least_memory);
  tcase_add_loop_test(c, members_that_lack, 0, COUNT(lacking));
  tcase_add_loop_test(c, unreadable_certificates, 0, COUNT(unreadable));
  return support_run(s);
}
