/* Copies of a computation, and computations that fall into parts. */
#include "base/mem.h"
#include "base/scoped.h"
#include "bounds/bound.h"
#include "bounds/checker.h"
#include "cdag/given.h"
#include "cdag/parts.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include "tests/support_library.h"
#include "tests/support_random_cdag.h"
#include <stdio.h>
#include <string.h>

static cdag *opened(const char *spec)
{
  cdag *g;
  diag d = { 0 };
  ck_assert_msg(cdag_open(&g, spec, &d) == OK, "%s: %s", spec, d.message);
  return g;
}

/* The parts of g have its vertices, edges, inputs and outputs together; returns how many parts there are. */
static uint64_t parts_add_up(const cdag *g, const char *what, int seed)
{
  cdag_parts p;
  cdag_counts all, sum = { 0 }, one;
  diag d = { 0 };
  uint64_t parts = 0;
  ck_assert_int_eq(cdag_count(g, &all, &d), OK);
  cdag_parts_find(g, &p);
  for (int i = 0; i < p.n; i++) {
    cdag *part;
    uint64_t times = p.part[i].copies;
    if (cdag_part_open(&part, g, &p.part[i], &d) != OK) { /* an output that does not exist */
      ck_assert_msg(strstr(d.message, "nothing is an output") || strstr(d.message, "already") ||
                        strstr(d.message, "negative size"),
                    "seed %d, %s: part %d: %s", seed, what, i, d.message);
      cdag_parts_clear(&p);
      return 0;
    }
    ck_assert_int_eq(cdag_count(part, &one, &d), OK);
    sum.vertices += times * one.vertices;
    sum.edges += times * one.edges;
    sum.inputs += times * one.inputs;
    sum.outputs += times * one.outputs;
    parts += times;
    cdag_free(part);
  }
  ck_assert_msg(!p.whole || (sum.vertices == all.vertices && sum.edges == all.edges && sum.inputs == all.inputs &&
                             sum.outputs == all.outputs),
                "seed %d, %s: the parts are not the whole", seed, what);
  cdag_parts_clear(&p);
  return parts;
}

/* ---- what falls apart, and what does not ---- */

static const struct { const char *source; uint64_t parts;
} texts[] = {
  { "input X[h:3,i:4]\noutput Y[h:3,i:4] = Y[h,i-1], X[h,i]\n", 3 },
  { "input X[i:4,h:3]\noutput Y[h:3,i:4] = Y[h,i-1], X[i,h]\n", 3 }, /* at another place */
  { "input X[h:3,i:4]\nY[h:3,i:4] = Y[h,i-1], X[h,i]\noutput Y[*,3]\n", 3 },
  { "input X[h:3,i:4]\nY[h:3,i:4] = Y[h,i-1], X[h,i]\noutput Y[h:3,3]\n", 3 },
  { "input X[h:3,i:4]\nY[h:3,i:4] = Y[h,i-1], X[h,i]\noutput Y[0,*]\n", 1 }, /* the others are dead */
  { "input X[h:3,i:4]\nY[h:3,i:4] = Y[h,i-1], X[h,i]\noutput Y[h:2,3]\n", 1 },
  { "input X[h:3,i:4]\nY[h:3,i:4] = Y[h,i-1], X[h,i]\noutput Y[h:3,h]\n", 1 },
  { "input X[4]\noutput Y[h:3,i:4] = Y[h,i-1], X[i]\n", 1 }, /* shared */
  { "input X[h:3,i:4]\noutput Y[h:6,i:4] = Y[h,i-1], X[h/2,i]\n", 1 },
  { "input X[h:4,i:4]\noutput Y[h:3,i:4] = Y[h,i-1], X[h,i]\n", 1 }, /* another range */
  { "input X[h:3,i:4]\noutput Y[h:3,i:4] = Y[h-1,i], X[h,i]\n", 4 }, /* chains along h: one for each i */
  { "input X[h:3,i:4]\noutput Y[h:3,i:4] = Y[h-1,i-1], X[h,i]\n", 1 },
  { "table n[3] = 2, 4, 1\ninput X[h:3,i:n[h]]\noutput Y[h:3,i:n[h]] = Y[h,i-1], X[h,i]\n",
    3 }, /* each of its own length */
  { "input X[h:3,i:h+1]\noutput Y[h:3,i:h+1] = Y[h,i-1], X[h,i]\n", 3 },
  { "input X[5], A[4]\noutput Y[i:5] = Y[i-1], X[i]\noutput B[i:4] = B[i-1], A[i]\n", 2 }, /* no rule joins them */
  { "input X[2,i:5], A[3,i:4]\noutput Y[h:2,i:5] = Y[h,i-1], X[h,i]\noutput B[k:3,i:4] = B[k,i-1], A[k,i]\n", 5 },
};

START_TEST(parts_of_texts)
{
  cdag *g = bound_text_open(texts[_i].source, "");
  ck_assert_msg(parts_add_up(g, texts[_i].source, _i) == texts[_i].parts, "%s falls into other parts",
                texts[_i].source);
  cdag_free(g);
}
END_TEST

START_TEST(parts_of_random_texts_add_up)
{
  support_random r = { (uint64_t)_i };
  text source = { 0 };
  cdag *g = support_random_cdag(&r, &(random_cdag_options){ .most = 120, .conditions = _i % 3 == 0 }, &source);
  parts_add_up(g, text_str(&source), _i);
  text_clear(&source);
  cdag_free(g);
}
END_TEST

/* ---- copies ---- */

static const char *const one[] = { "attention:n=5,d=2,nk=7",
                                   "attention-causal:n=6,d=2",
                                   "attention-backward:n=4,d=2",
                                   "matmul:m=3,n=4,k=5",
                                   "cholesky:n=5",
                                   "grid:r=4,c=5",
                                   "attention-sparse:n=12,d=2,b=3,w=2",
                                   "attention-lowrank:n=5,d=2,r=3",
                                   "chain:n=9" };

/* So many times one: vertices and the rest, the bound, its certificate, and the schedules. */
START_TEST(copies_are_copies)
{
  support_random r = { (uint64_t)_i };
  const char *spec = one[_i % COUNT(one)];
  uint64_t h = (uint64_t)support_between(&r, 2, 9), m = (uint64_t)support_between(&r, 12, 60);
  char many[200];
  diag d = { 0 };
  snprintf(many, sizeof many, "%s x%d", spec, (int)h);
  cdag *single = opened(spec), *g = opened(many);
  cdag_counts a, b;
  ck_assert_int_eq(cdag_count(single, &a, &d), OK);
  ck_assert_int_eq(cdag_count(g, &b, &d), OK);
  ck_assert(b.vertices == h * a.vertices && b.edges == h * a.edges && b.inputs == h * a.inputs &&
            b.outputs == h * a.outputs);
  ck_assert_msg(parts_add_up(g, many, _i) % h == 0, "%s is not taken apart", many);
  int best;
  bound_list of_one = { 0 }, of_all = { 0 };
  bound_question q = { .work = SEARCH_WORK, .g = single, .m = m }, all = { .work = SEARCH_WORK, .g = g, .m = m };
  ck_assert_int_eq(bound_all(&q, &of_one, &best, &d), OK);
  const bound *least = &of_one.item[best];
  ck_assert_int_eq(bound_all(&all, &of_all, &best, &d), OK);
  const bound *sum = bound_named(&of_all, "components");
  mpz_t expected;
  mpz_init(expected);
  mpz_mul_ui(expected, least->value, h);
  ck_assert_msg(sum && mpz_cmp(sum->value, expected) == 0, "seed %d, %s M=%d: the bound is not that of one, %d times",
                _i, many, (int)m, (int)h);
  mpz_clear(expected);
  static const char *const number[] = { "\"value\": " };
  if (sum->parameters.n > 0)
    bound_certificate_stands(&all, sum, many, number, 1);
  bound_list_clear(&of_one);
  bound_list_clear(&of_all);
  cdag_free(single);
  cdag_free(g);
}
END_TEST

static uint64_t played(const cdag *g, const char *name, uint64_t m, const char *what, bool *legal)
{
  diag d = { 0 };
  schedule *s;
  schedule_verdict v = { 0 };
  *legal = false;
  if (schedule_open(&s, g, m, name, &d) != OK || schedule_unset(s) >= 0) {
    schedule_free(s);
    return 0;
  }
  schedule_play_options o = { .rules = { .m = m }, .engine = PEBBLE_BY_ELEMENT };
  ck_assert_msg(schedule_play(s, &o, &v, &d) == OK, "%s of %s: %s", name, what, d.message);
  *legal = v.verdict.legal;
  uint64_t io = (uint64_t)(v.verdict.loads + v.verdict.stores);
  schedule_verdict_clear(&v);
  schedule_free(s);
  return io;
}

/* Every schedule of the library is played copy by copy; what one leaves on chip may leave no room for the next, which
 * is no fault of theirs. */
START_TEST(library_schedules_of_copies)
{
  support_random r = { (uint64_t)_i };
  const schedule_listing *l = library_at(_i);
  cdag *single = library_cdag(l->family, &r), *g;
  if (!single)
    return;
  text spec = { 0 };
  text_printf(&spec, "%s:", l->family);
  for (int p = 0; p < single->params; p++)
    text_printf(&spec, "%s%s=%lld", p ? "," : "", single->param[p].name, (long long)single->param[p].value);
  text_add(&spec, " x3");
  uint64_t m = (uint64_t)support_between(&r, 20, 90);
  bool legal, all_legal;
  g = opened(text_str(&spec));
  uint64_t io = played(single, l->name, m, l->family, &legal), sum = played(g, l->name, m, text_str(&spec), &all_legal);
  ck_assert_msg(!all_legal || (legal && sum == 3 * io), "seed %d: %s of %s, M=%d: %d a copy, %d all (legal %d, %d)", _i,
                l->name, text_str(&spec), (int)m, (int)io, (int)sum, legal, all_legal);
  text_clear(&spec);
  cdag_free(single);
  cdag_free(g);
}
END_TEST

START_TEST(shared_inputs_are_there_once)
{
  cdag *g = opened("attention:n=4,d=2,nk=6 x3 x5/K,V");
  cdag_counts c;
  diag d = { 0 };
  ck_assert_int_eq(cdag_count(g, &c, &d), OK);
  ck_assert_int_eq((int)c.inputs, 3 * (5 * 4 * 2 + 2 * 6 * 2));
  ck_assert_int_eq((int)c.outputs, 3 * 5 * 4 * 2);
  ck_assert_int_eq((int)parts_add_up(g, "groups", 0), 3);
  cdag_free(g);
  g = opened("attention x3:n=4,d=2"); /* the words may stand behind the name */
  ck_assert_str_eq(g->family, "attention");
  ck_assert_str_eq(g->name, "attention x3");
  cdag_free(g);
}
END_TEST

static const char *const wrong[] = {
  "attention:n=4,d=2 x0", "attention:n=4,d=2 x3/O",           "attention:n=4,d=2 x3/X", "attention:n=4,d=2 x3 y4",
  "tree:h=2 x2",          "attention:n=4,d=2 x1 x1 x1 x1 x1", "attention:n=4 x3",       "attention:n=4,d=2 x3.5"
};

START_TEST(wrong_words_are_refused)
{
  cdag *g;
  diag d = { 0 };
  ck_assert_msg(cdag_open(&g, wrong[_i], &d) != OK && d.message[0], "%s is opened", wrong[_i]);
  ck_assert_ptr_null(g);
}
END_TEST

/* ---- what is made of an input of its own ---- */

/* What is left, or NULL; inputs that matter beyond those, and outputs among what is given. */
static const struct { const char *source, *left; int besides, stored;
} made[] = {
  /* scaled, the scales besides; with an index shifted, and others read too */
  { "input X[3,2], s[3], Y[3,2]\na[i:3, k:2] = X[i,k], s[i]\noutput z[i:3, j:3] = a[i,*], Y[j,*]\n",
    "input Y[3,2]\ninput a[0..3, 0..2]\noutput z[i:3, j:3] = a[i,*], Y[j,*]\n", 3, 0 },
  { "input X[1..5], Y[2]\na[i:4] = X[i+1], X[i+2]\noutput z[i:4, j:2] = a[i], Y[j]\n",
    "input Y[2]\ninput a[0..4]\noutput z[i:4, j:2] = a[i], Y[j]\n", 0, 0 },
  /* turned in halves: both of a pair are read */
  { "input q[3,2,2], c[3,2], k[3,2]\nr[i:3, z:2, j:2] = q[i,*,j], c[i,j]\noutput s[i:3, j:3] = r[i,0,*], r[i,1,*], "
    "k[j,*]\n",
    "input k[3,2]\ninput r[0..3, 0..2, 0..2]\noutput s[i:3, j:3] = r[i,0,*], r[i,1,*], k[j,*]\n", 6, 0 },
  /* halves apart, of one input; and one made of another that is made */
  { "input q[6], k[2]\na[i:3] = q[i], q[i+3]\nb[i:3] = q[i+3], q[i]\noutput s[i:3, j:2] = a[i], b[i], k[j]\n",
    "input k[2]\ninput a[0..3]\ninput b[0..3]\noutput s[i:3, j:2] = a[i], b[i], k[j]\n", 0, 0 },
  { "input q[3], s[3], t[3], k[2]\na[i:3] = q[i], s[i]\nb[i:3] = a[i], t[i]\noutput z[i:3, j:2] = b[i], k[j]\n",
    "input k[2]\ninput b[0..3]\noutput z[i:3, j:2] = b[i], k[j]\n", 6, 0 },
  /* what is read beside it loses its reader's read */
  { "input x[3], y[3]\na[i:3] = x[i], y[i]\nb[i:3] = b[i-1], x[i], y[i]\noutput z[i:3, j:3] = a[i], b[j]\n",
    "input y[3]\ninput a[0..3]\nb[i:3] = b[i-1], y[i]\noutput z[i:3, j:3] = a[i], b[j]\n", 0, 0 },
  /* some are put out */
  { "input X[3], Y[2]\na[i:3] = X[i], Y[0]\noutput z[i:3, j:2] = a[i], Y[j]\noutput a[1..3]\n",
    "input Y[2]\ninput a[0..3]\noutput z[i:3, j:2] = a[i], Y[j]\n", 0, 2 },
  /* what is read beside it would have no predecessor left, and be an input */
  { "input X[3]\na[i:3] = X[i]\ninput s[i:3] = X[i] if i >= 1, s[i-1] if i >= 2\noutput z[i:3] = a[i], s[i], z[i-1]\n",
    NULL, 0, 0 },
  /* the upper half first; some that another has; elements that do not begin at 0 */
  { "input q[6], k[2]\na[i:3] = q[i+3]\nb[i:3] = q[i]\noutput s[i:3, j:2] = a[i], b[i], k[j]\n",
    "input k[2]\ninput a[0..3]\ninput b[0..3]\noutput s[i:3, j:2] = a[i], b[i], k[j]\n", 0, 0 },
  { "input q[5], k[2]\na[i:3] = q[i], k[0]\nb[i:3] = q[i+2], k[1]\noutput s[i:3, j:2] = a[i], b[i], k[j]\n",
    "input k[2]\ninput a[0..3]\nb[i:3] = k[1]\noutput s[i:3, j:2] = a[i], b[i], k[j]\n", 2, 0 },
  { "input q[1..4], k[2]\na[i:1..4] = q[i], k[0]\noutput s[i:1..4, j:2] = a[i], k[j]\n",
    "input k[2]\ninput a[1..4]\noutput s[i:1..4, j:2] = a[i], k[j]\n", 0, 0 },
  /* a number among the indices; all of an index that does not begin at 0 */
  { "input X[3,2], Y[2]\na[i:3] = X[i,1], Y[0]\noutput z[i:3, j:2] = a[i], Y[j]\n",
    "input Y[2]\ninput a[0..3]\noutput z[i:3, j:2] = a[i], Y[j]\n", 0, 0 },
  { "input q[3,1..3], k[3]\nr[i:3, z:1..3] = q[i,*], k[i]\noutput s[i:3, j:3] = r[i,*], k[j]\n",
    "input k[3]\ninput r[0..3, 1..3]\noutput s[i:3, j:3] = r[i,*], k[j]\n", 0, 0 },
  /* an index that is no variable, shifted, and one twice the same: where they are is not seen */
  { "input X[3,3], Y[2]\na[i:3] = X[i,(i*i)%3], Y[0]\noutput z[i:3, j:2] = a[i], Y[j]\n", NULL, 0, 0 },
  { "input X[3,3], Y[2]\na[i:3] = X[i,i], Y[0]\noutput z[i:3, j:2] = a[i], Y[j]\n", NULL, 0, 0 },
  /* no box, and several rules */
  { "input X[3,3], Y[2]\na[i:3, k:i+1] = X[i,k], Y[0]\noutput z[i:3, j:2] = a[i,*], Y[j]\n", NULL, 0, 0 },
  { "input X[3], Y[2]\na[i:0..2] = X[i], Y[0]\na[i:2..3] = X[i], Y[1]\noutput z[i:3, j:2] = a[i], Y[j]\n", NULL, 0,
    0 },
  { "input X[3]\na[i:3] = X[i]\ninput s[i:3] = X[i] if i >= 1\noutput z[i:3] = a[i], s[i], z[i-1]\n", NULL, 0, 0 },
  /* read beside what is made of it */
  { "input q[3], k[2]\na[i:3] = q[i], k[0]\nb[i:3] = a[i], k[1]\noutput z[i:3, j:2] = b[i], a[i], k[j]\n",
    "input k[2]\ninput a[0..3]\nb[i:3] = a[i], k[1]\noutput z[i:3, j:2] = b[i], a[i], k[j]\n", 0, 0 },
  /* not their own; not of all; nothing left; a sum; under a condition; twice the same */
  { "input X[3], Y[2]\na[i:3, j:2] = X[i], Y[j]\noutput z[i:3, j:2, k:2] = a[i,j], a[i,k]\n", NULL, 0, 0 },
  { "input X[3], Y[2]\na[i:3] = X[i], X[i+1], Y[0] if i == 2\noutput z[i:3, j:2] = a[i], a[0], Y[j]\n",
    "input Y[2]\ninput a[0..3]\noutput z[i:3, j:2] = a[i], a[0], Y[j]\n", 0, 0 },
  { "input X[3], Y[2]\na[i:3] = X[i+1], Y[*]\noutput z[i:3, j:2] = a[i], Y[j]\n", NULL, 0, 0 },
  { "input X[3], Y[2]\noutput a[i:3] = X[i], Y[0]\n", NULL, 0, 0 },
  { "input X[3], Y[2]\na[i:3] = a[i-1], Y[*]\noutput z[i:3, j:2] = a[i], Y[j]\n", NULL, 0, 0 },
  { "input X[3], Y[2]\na[i:3] = X[i] if i < 9, Y[*]\noutput z[i:3, j:2] = a[i], Y[j]\n", NULL, 0, 0 },
};

START_TEST(what_is_made_of_an_input_is_given)
{
  cdag *g = bound_text_open(made[_i].source, ""), *left;
  uint64_t stored;
  left = cdag_given_open(g, &stored);
  ck_assert_msg(!left == !made[_i].left, "%s: %s is left", made[_i].source, left ? "something" : "nothing");
  if (left) {
    cdag *wanted = bound_text_open(made[_i].left, "");
    text is = { 0 }, should = { 0 };
    cdag_print(&is, left);
    cdag_print(&should, wanted);
    ck_assert_str_eq(text_str(&is), text_str(&should));
    text_clear(&is);
    text_clear(&should);
    char besides[64];
    snprintf(besides, sizeof besides, "\"besides\": %d, \"stored\": %d,", made[_i].besides, made[_i].stored);
    text claim = bound_claim_of("given", g, 5);
    ck_assert_msg(strstr(text_str(&claim), besides), "%s: %s", made[_i].source, text_str(&claim));
    text_clear(&claim);
    static const char *const number[] = { "\"besides\": ", "\"stored\": " };
    bound_own_certificate_stands("given", g, 5, made[_i].source, number, 2);
    cdag_free(wanted);
  }
  cdag_free(left);
  cdag_free(g);
}
END_TEST

#define OF_LEFT(THEOREM, VALUE, MORE)                                                                                  \
  LEFT_OUT ", \"left\": {\"theorem\": \"" THEOREM "\", \"value\": " VALUE ", \"parameters\": {}" MORE "}"
#define LEFT_OUT "{\"besides\": 3, \"stored\": 0"
static const struct { const char *claim, *why; } false_claims[] = {
  { LEFT_OUT "}", "lacks what is 'left'" },
  { LEFT_OUT ", \"more\": 0}", "lacks what is 'left'" },
  { OF_LEFT("compulsory", "21", "") ", \"more\": 0}", "lacks what is 'left'" },
  { OF_LEFT("compulsory", "21", ", \"more\": 0") "}", "it needs a 'theorem' that can be checked" },
  { OF_LEFT("none", "21", "") "}", "it needs a 'theorem' that can be checked" },
  { LEFT_OUT ", \"left\": 7}", "it needs a 'theorem' that can be checked" },
  { OF_LEFT("compulsory", "20", "") "}", "the value follows as 21, not as claimed" },
  { OF_LEFT("affine-one-shot", "21", "") "}", "affine-one-shot does not hold in every game" },
};

START_TEST(false_claims_of_what_is_given)
{
  const char *claim = _i < COUNT(false_claims) ? false_claims[_i].claim : OF_LEFT("compulsory", "21", "") "}";
  const char *why = _i < COUNT(false_claims) ? false_claims[_i].why : NULL;
  cdag *g = bound_text_open(made[0].source, "");
  SCOPED_TEXT reason = { 0 };
  SCOPED_MPZ value;
  json_value v;
  diag d = { 0 };
  mpz_init(value);
  ck_assert_int_eq(json_read(&v, claim, strlen(claim), "claim", &d), OK);
  bound_claim c = { "given", g, 5, &v, BOUND_ANY };
  ck_assert_msg(bound_checker_find("given")->check(&c, value, &reason) == !why, "%s: %s", claim, text_str(&reason));
  ck_assert_msg(!why || strstr(text_str(&reason), why), "%s is refused for: %s", claim, text_str(&reason));
  if (!why) {
    ck_assert_int_eq((int)mpz_get_si(value), 24);
    cdag_free(g);
    g = bound_text_open(made[0].left, "");
    bound_claim_refused("given", g, 5, claim, "nothing is made of an input of its own");
    cdag_free(g);
    g = opened("strassen:l=1");
    bound_claim_refused("given", g, 5, claim, "of a computation with rules");
  }
  json_value_clear(&v);
  cdag_free(g);
}
END_TEST

/* No play of random texts moves less. */
START_TEST(what_is_given_moves_no_more)
{
  support_random r = { (uint64_t)_i };
  for (int met = 0, k = 0; met < 3 && k < 200; k++) {
    text source = { 0 };
    cdag *g = support_random_cdag(&r, &(random_cdag_options){ .most = 22 }, &source), *left;
    uint64_t stored;
    cdag_counts c;
    diag d = { 0 };
    uint64_t cost;
    bool once = k % 2;
    left = cdag_given_open(g, &stored);
    ck_assert_int_eq(cdag_count(g, &c, &d), OK);
    bound_question q = { .work = SEARCH_WORK, .g = g, .m = c.max_in_degree + 1, .one_shot = once, .theorem = "given" };
    bound_list list = { 0 };
    int best;
    if (left && bound_least_cost(g, q.m, once, &cost) && bound_all(&q, &list, &best, &d) == OK && list.n > 0) {
      met++;
      ck_assert_msg(mpz_cmp_ui(list.item[0].value, cost) <= 0, "seed %d: a play moves %d words: %s", _i, (int)cost,
                    text_str(&source));
    }
    bound_list_clear(&list);
    text_clear(&source);
    cdag_free(left);
    cdag_free(g);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("collections");
  TCase *t = support_case(s, "collections");
  const schedule_listing *list;
  tcase_add_loop_test(t, parts_of_texts, 0, COUNT(texts));
  tcase_add_loop_test(t, parts_of_random_texts_add_up, 0, support_rounds(300));
  tcase_add_loop_test(t, copies_are_copies, 0, support_rounds(2 * COUNT(one)));
  tcase_add_loop_test(t, library_schedules_of_copies, 0, 2 * schedule_library(&list));
  tcase_add_test(t, shared_inputs_are_there_once);
  tcase_add_loop_test(t, wrong_words_are_refused, 0, COUNT(wrong));
  tcase_add_loop_test(t, what_is_made_of_an_input_is_given, 0, COUNT(made));
  tcase_add_loop_test(t, false_claims_of_what_is_given, 0, COUNT(false_claims) + 1);
  tcase_add_loop_test(t, what_is_given_moves_no_more, 0, support_rounds(4));
  return support_run(s);
}
