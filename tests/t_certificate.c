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

static const struct { const char *spec; uint64_t m; bool one_shot; } cases[] = {
  { "matmul:m=6,n=5,k=4", 9, false },
  { "matmul:m=40,n=50,k=60", 200, false },
  { "matmul:m=64,n=64,k=4,acc=1", 100, false },
  { "matmul:m=2000,n=2000,k=32", 4096, false },
  { "dot:k=9", 5, false },
  { "attention:n=6,d=2", 12, false },
  { "attention:n=2048,d=32", 65536, false },
  { "attention:n=512,nk=768,d=16,dv=24", 8000, false },
  { "attention:n=512,nk=768,d=24,dv=16", 8000, false },
  { "attention:n=90,d=12", 60, false },
  { "attention:n=200,d=8", 64, false },
  { "attention-causal:n=100,d=8", 300, false },
  { "attention-online:n=100,d=8,b=16", 400, false },
  { "attention-sparse:n=256,d=8,b=16", 300, false },
  { "mlp:m=64,k=32,h=64,n=32", 500, false },
  { "attention-backward:n=40,d=3", 60, false },
  { "attention-backward:n=100,d=1", 20, false },
  { "attention-lowrank:n=60,d=3,r=40", 30, false },
  { "attention-lowrank:n=30,d=3,g=2", 40, false },
  { "grid:r=5,c=5", 4, true },
  { "fft:l=3", 5, true },
};

typedef struct {
  cdag *g;
  bound_list list;
} found;

static void find(found *f, const char *spec, uint64_t m, bool one_shot, bound_question *q)
{
  diag d = { 0 };
  int best;
  ck_assert_msg(cdag_open(&f->g, spec, &d) == OK, "%s", d.message);
  *q = (bound_question){ .g = f->g, .m = m, .one_shot = one_shot };
  ck_assert_int_eq(bound_all(q, &f->list, &best, &d), OK);
  ck_assert_int_ge(best, 0);
}

static void found_clear(found *f)
{
  bound_list_clear(&f->list);
  cdag_free(f->g);
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

static void alter_each(const bound *b, const char *spec, char *bytes)
{
  char why[1024];
  int k = 0;
  mpz_t value;
  mpz_init(value);
  char *parameters = strstr(bytes, "\"parameters\""), *computation = strstr(bytes, "\"cdag\": {"), *digest = strstr(bytes, "\"digest\"");
  for (char *at = next_number(bytes + 1); at && at < digest; at = next_number(at + strspn(at, "0123456789")))
    for (int how = 0; how < 2; how++) {
      if (!support_sampled(k++))
        continue;
      char *copy = mem_text(bytes);
      alter(copy + (at - bytes), how);
      ck_assert_msg(!valid(copy, why, sizeof why, value), "%s of %s holds after altering %.60s", b->name, spec, copy + (at - bytes));
      /* without the digest's help, the parameters themselves must not prove anything else than the truth */
      if (at > parameters && at < computation && mend_digest(copy) && valid(copy, why, sizeof why, value))
        ck_assert_msg(mpz_cmp(value, b->value) == 0, "%s of %s claims another value after altering %.60s", b->name, spec, copy + (at - bytes));
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
  found f = { 0 };
  bound_question q;
  int certificates = 0;
  find(&f, cases[_i].spec, cases[_i].m, cases[_i].one_shot, &q);
  for (size_t i = 0; i < f.list.n; i++)
    if (bound_has_certificate(&f.list.item[i]) &&
        (strcmp(f.list.item[i].name, "compulsory") != 0 || f.g->vertices < 10000)) { /* that one marks every vertex each time */
      check_certificate(&q, &f.list.item[i], cases[_i].spec);
      certificates++;
    }
  ck_assert_int_gt(certificates, 0);
  found_clear(&f);
}
END_TEST

/* A larger value with everything else in order is refused for what it is, not for the digest. */
START_TEST(a_larger_value)
{
  found f = { 0 };
  bound_question q;
  diag d = { 0 };
  char why[1024];
  mpz_t value;
  mpz_init(value);
  find(&f, cases[_i].spec, cases[_i].m, cases[_i].one_shot, &q);
  for (size_t i = 0; i < f.list.n; i++)
    if (bound_has_certificate(&f.list.item[i])) {
      text t = { 0 };
      mpz_add_ui(f.list.item[i].value, f.list.item[i].value, 1);
      ck_assert_int_eq(bound_certificate(&q, &f.list.item[i], &t, &d), OK);
      ck_assert(!valid(text_str(&t), why, sizeof why, value));
      ck_assert_msg(strstr(why, "digest") == NULL, "%s", why);
      text_clear(&t);
    }
  mpz_clear(value);
  found_clear(&f);
}
END_TEST

/* ---- the games ---- */

static const unsigned games[] = { BOUND_RECOMPUTE, BOUND_ONE_SHOT, BOUND_PLACING, BOUND_SLIDING, BOUND_PARTIAL };

/* The certificate, digest and all, is written anew with one more game named: it holds as long as the theorem does in that game. */
static int name_each_game(const bound_question *q, bound *b, const char *spec)
{
  const unsigned own = b->models, holds = bound_checker_find(b->name)->models;
  char why[1024];
  int refused = 0;
  mpz_t value;
  mpz_init(value);
  for (int k = 0; k < COUNT(games); k++) {
    text t = { 0 };
    diag d = { 0 };
    b->models = own | games[k];
    ck_assert_int_eq(bound_certificate(q, b, &t, &d), OK);
    bool good = valid(text_str(&t), why, sizeof why, value);
    ck_assert_msg(good == ((holds & games[k]) != 0), "%s of %s in game %u: %s", b->name, spec, games[k], good ? "holds" : why);
    ck_assert_msg(good || strstr(why, "does not hold in every game"), "%s", why);
    refused += !good;
    text_clear(&t);
  }
  b->models = own;
  mpz_clear(value);
  return refused;
}

START_TEST(a_game_the_theorem_does_not_hold_in)
{
  found f = { 0 };
  bound_question q;
  int refused = 0;
  find(&f, cases[_i].spec, cases[_i].m, cases[_i].one_shot, &q);
  for (size_t i = 0; i < f.list.n; i++)
    if (bound_has_certificate(&f.list.item[i]) && (strcmp(f.list.item[i].name, "compulsory") != 0 || f.g->vertices < 10000))
      refused += name_each_game(&q, &f.list.item[i], cases[_i].spec);
  if (cases[_i].one_shot)
    ck_assert_int_gt(refused, 0);
  found_clear(&f);
}
END_TEST

/* A small certificate with other games, the digest mended. */
static const char *const no_games[] = { "\"chess\"", "null", "1", "\"one-shot\", \"chess\"", "\"chess\", \"one-shot\"", "\"\"", "" };

START_TEST(games_nobody_knows)
{
  found f = { 0 };
  bound_question q;
  diag d = { 0 };
  text t = { 0 }, made = { 0 };
  char why[1024];
  mpz_t value;
  mpz_init(value);
  find(&f, "dot:k=3", 4, false, &q);
  ck_assert_int_eq(bound_certificate(&q, &f.list.item[0], &t, &d), OK);
  const char *from = strstr(t.s, "\"models\": [") + strlen("\"models\": ["), *to = strchr(from, ']');
  text_printf(&made, "%.*s%s%s", (int)(from - t.s), t.s, no_games[_i], to);
  ck_assert(mend_digest(made.s));
  ck_assert(!valid(made.s, why, sizeof why, value));
  ck_assert_msg(strstr(why, *no_games[_i] ? "does not hold in every game" : "names no game"), "%s", why);
  text_clear(&made);
  text_clear(&t);
  mpz_clear(value);
  found_clear(&f);
}
END_TEST

/* ---- the pairs of a covering bound ---- */

/* Fewer pairs than there are, and no number of pairs, are refused for that; more are only a weaker claim. */
static const struct { const char *what; bool refused; } pair_counts[] = {
  { "\"pairs\": 1600", false }, { "\"pairs\": 1601", false }, { "\"pairs\": 1599", true }, { "\"pairs\": 0", true },   { "\"pairs\": -1", true },
  { "\"pairs\": -1600", true }, { "\"pairs\": null", true },  { "\"pears\": 1600", true }, { "\"pairs\": \"1600\"", true },
};

START_TEST(fewer_pairs_than_there_are)
{
  found f = { 0 };
  bound_question q;
  diag d = { 0 };
  text t = { 0 }, made = { 0 };
  char why[1024];
  size_t i = 0;
  mpz_t value;
  mpz_init(value);
  find(&f, "attention:n=40,d=4", 60, false, &q);
  while (i < f.list.n && strcmp(f.list.item[i].name, "covering") != 0)
    i++;
  ck_assert_uint_lt(i, f.list.n);
  ck_assert_int_eq(bound_certificate(&q, &f.list.item[i], &t, &d), OK);
  const char *from = strstr(t.s, "\"pairs\": 1600"); /* 40 * 40 */
  ck_assert_ptr_nonnull(from);
  text_printf(&made, "%.*s%s%s", (int)(from - t.s), t.s, pair_counts[_i].what, from + strlen("\"pairs\": 1600"));
  ck_assert(mend_digest(made.s));
  bool good = valid(made.s, why, sizeof why, value);
  ck_assert(!good || !pair_counts[_i].refused);
  ck_assert_msg((strstr(why, "more than 'pairs' pairs") != NULL) == pair_counts[_i].refused, "%s: %s", pair_counts[_i].what, why);
  text_clear(&made);
  text_clear(&t);
  mpz_clear(value);
  found_clear(&f);
}
END_TEST

/* ---- what cannot be read as a certificate ---- */

#define HEAD "{\"redblue\": \"certificate\", \"version\": 1, "
#define CLAIM HEAD "\"theorem\": \"compulsory\", \"M\": 4, \"value\": 3, \"parameters\": {}, "
#define DOT "\"cdag\": {\"text\": \"input A[3]\\noutput B[i:1] = A[*]\\n\", \"assign\": \"\"}}"

static const struct { const char *bytes, *sentence; } unreadable[] = {
  { "", "JSON" },
  { "{", "JSON" },
  { CLAIM DOT "}", "JSON" },
  { "[]", "no certificate of version 1" },
  { "{}", "no certificate of version 1" },
  { "{\"redblue\": \"certificate\"}", "no certificate of version 1" },
  { "{\"redblue\": \"certificate\", \"version\": 2}", "no certificate of version 1" },
  { "{\"redblue\": \"certificate\", \"version\": 2, \"theorem\": \"compulsory\", \"M\": 4, \"value\": 3, \"parameters\": {}, " DOT,
    "no certificate of version 1" },
  { "{\"redblue\": \"certificate\", \"theorem\": \"compulsory\", \"M\": 4, \"value\": 3, \"parameters\": {}, " DOT, "no certificate of version 1" },
  { "{\"redblue\": \"verdict\", \"version\": 1, \"theorem\": \"compulsory\", \"M\": 4, \"value\": 3, \"parameters\": {}, " DOT,
    "no certificate of version 1" },
  { "{\"version\": 1, \"theorem\": \"compulsory\", \"M\": 4, \"value\": 3, \"parameters\": {}, " DOT, "no certificate of version 1" },
  { HEAD "\"M\": 4, \"value\": 3, \"parameters\": {}, " DOT, "lacks its theorem" },
  { HEAD "\"theorem\": \"compulsory\", \"value\": 3, \"parameters\": {}, " DOT, "lacks its theorem" },
  { HEAD "\"theorem\": \"compulsory\", \"M\": 0, \"value\": 3, \"parameters\": {}, " DOT, "lacks its theorem" },
  { HEAD "\"theorem\": \"compulsory\", \"M\": -4, \"value\": 3, \"parameters\": {}, " DOT, "lacks its theorem" },
  { HEAD "\"theorem\": \"compulsory\", \"M\": 4, \"parameters\": {}, " DOT, "lacks its theorem" },
  { HEAD "\"theorem\": \"compulsory\", \"M\": 4, \"value\": 3, " DOT, "lacks its theorem" },
  { HEAD "\"theorem\": \"none\", \"M\": 4, \"value\": 3, \"parameters\": {}, " DOT, "no theorem 'none'" },
  { CLAIM "\"cdag\": {}}", "has no CDAG" },
  { CLAIM "\"cdag\": {\"text\": \"input A[3]\\noutput B[i:1] = A[*]\\n\"}}", "has no CDAG" },
  { CLAIM "\"cdag\": {\"assign\": \"\"}}", "has no CDAG" },
  { CLAIM "\"cdag\": {\"text\": \"input A[3\", \"assign\": \"\"}}", "expected" },
  { CLAIM "\"cdag\": {\"edges\": \"0 x\\n\"}}", "number of edges" },
  { CLAIM "\"cdag\": {\"text\": \"table t[1] = 0\\ninput A[3]\\noutput B[i:1] = A[t[i]]\\n\", \"assign\": \"t=@values\"}}", "depends on a file" },
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
  { "\"models\": [\"recompute\"], ", "the digest is not that of this text" },
  { "\"models\": [\"recompute\"], \"digest\": 7, ", "the digest is not that of this text" },
  { "\"models\": \"recompute\", ", "names no game" },
  { "\"models\": {\"recompute\": 1}, ", "names no game" },
  { "", "names no game" },
};

START_TEST(members_that_lack)
{
  text t = { 0 };
  bound_check_result r;
  diag d = { 0 };
  text_printf(&t, "%s%s%s", HEAD "\"theorem\": \"compulsory\", \"M\": 4, \"value\": 4, \"parameters\": {}, ", lacking[_i].members, DOT);
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
  tcase_add_loop_test(c, altered_in_any_number, 0, COUNT(cases));
  tcase_add_loop_test(c, a_larger_value, 0, COUNT(cases));
  tcase_add_loop_test(c, a_game_the_theorem_does_not_hold_in, 0, COUNT(cases));
  tcase_add_loop_test(c, games_nobody_knows, 0, COUNT(no_games));
  tcase_add_loop_test(c, fewer_pairs_than_there_are, 0, COUNT(pair_counts));
  tcase_add_test(c, the_least_memory);
  tcase_add_loop_test(c, members_that_lack, 0, COUNT(lacking));
  tcase_add_loop_test(c, unreadable_certificates, 0, COUNT(unreadable));
  return support_run(s);
}
