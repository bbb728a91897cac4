/* Formulas of schedules for explicit graphs: what is printed, read again, against the moves one by one, at the values
 * it was made for and at others. */
#include "base/latex.h"
#include "base/num.h"
#include "cdag/cdag.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include "tests/support_formula.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOVES = 100000 };         /* more are not made, one by one */
typedef struct { const cdag *g; uint64_t words, moves; } total;

static bool add_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  total *sum = context;
  (void)at, (void)box, (void)slot;
  if (move->kind == PEBBLE_LOAD || move->kind == PEBBLE_STORE)
    sum->words += cdag_box_count(sum->g, move->array, &move->box);
  return ++sum->moves < MOVES;
}

typedef struct {
  cdag *g;
  schedule *s;
  text io, holds, reason;
  bool has;
} trial;

static void set_up(trial *t, const char *spec, const char *source, const char *assign)
{
  diag d = { 0 };
  *t = (trial){ 0 };
  ck_assert_msg(cdag_open(&t->g, spec, &d) == OK, "%s", d.message);
  ck_assert_msg(schedule_parse(&t->s, t->g, 100, "text", source, assign, &d) == OK, "%s\n%s", d.message, source);
}

static void clear(trial *t)
{
  text_clear(&t->io);
  text_clear(&t->holds);
  text_clear(&t->reason);
  schedule_free(t->s);
  cdag_free(t->g);
}

static void ask(trial *t)
{
  t->has = schedule_formula(t->s, &t->io, &t->holds, &t->reason);
  ck_assert_msg(t->has || t->reason.n > 0, "no formula, and no reason");
}

/* False: the program cannot be run here. */
static bool is_right(const trial *t, const char *formula, const char *source, const char *where)
{
  total sum = { .g = t->g };
  diag d = { 0 };
  if (schedule_each_move(t->s, add_move, &sum, &d) != OK)
    return false;
  if (sum.moves == MOVES)
    return true;
  double v = formula_text_value(formula, t->s);
  ck_assert_msg(fabs(v - (double)sum.words) < 1e-3, "%s is %g, moved %ld (%s):\n%s", formula, v, (long)sum.words, where,
                source);
  return true;
}

static const char *library_text(const char *family)
{
  const schedule_listing *list;
  for (int n = schedule_library(&list), i = 0; i < n; i++)
    if (!strcmp(list[i].family, family))
      return list[i].text;
  ck_abort_msg("no schedule for %s", family);
  return NULL;
}

/* ---- programs that people write: the formula does not depend on the setting it was made for ---- */

#define BLOCKS "for R in l by s { for w in pow(2, l - hi(R)) { for u in pow(2, lo(R)) { for x in pow(2, len(R)) {"
#define LANE "w*pow(2, hi(R)) + x*pow(2, lo(R)) + u"

static const struct {
  const char *family, *name, *source, *formula;
} known[] = {
  /* formula NULL: it is not proved that all vertices exist */
  { "fft", "l", NULL, "2^(l + 1) ceil(l/s)" },
  { "tree", "h", NULL, "2^h + 1" },
  { "pyramid", "h", NULL, "h + 2" },
  { "fft", "l", "for r in l { for j in pow(2, l) { load v[r*pow(2, l) + j]\n store v[(r + 1)*pow(2, l) + j] } }",
    "2^(l + 1) l" },
  { "fft", "l", "for r in l { for J in pow(2, l) by pow(2, r) { load v[r*pow(2, l) + lo(J)] } }", "2^(l + 1) - 2" },
  { "fft", "l", "for r in l { for j in pow(4, r) { load v[0] } }", "1/3 * 2^(2 l) - 1/3" },
  { "fft", "l",
    "param s\n" BLOCKS " load v[lo(R)*pow(2, l) + " LANE "]\n if last(R) { store v[hi(R)*pow(2, l) + " LANE
    "] } } } } }",
    "2^l + 2^l ceil(l/s)" },
  { "tree", "h", "for q in h { for u in pow(2, h - q) { load v[pow(2, h + 1) - pow(2, h + 1 - q) + u] } }",
    "2^(h + 1) - 2" },
  { "tree", "h",
    "param s\nfor R in h by s { for u in pow(2, h - lo(R)) { load v[pow(2, h + 1) - pow(2, h + 1 - lo(R)) + u] }\n"
    "for u in pow(2, h - hi(R)) { store v[pow(2, h + 1) - pow(2, h + 1 - hi(R)) + u] } }",
    "2^(h + 1)/(2^s - 1) + 2^h + 1 - 2^(h + 1 - s ceil(h/s))/(2^s - 1) - 2^(h + 1 - s ceil(h/s))" },
  { "tree", "h",
    "for i in pow(2, h) { load v[i]\n for q in h { if (i + 1) % pow(2, q + 1) == 0 { drop v[pow(2, h + 1) - pow(2, h - "
    "q) + (i + 1)/pow(2, q + 1) - 1] } } }",
    "2^h" },
  { "tree", "h", "for i in pow(2, h + 1) - 1 { load v[i] }\nfor i in pow(2, h) - 1 { store v[pow(2, h) + i] }",
    "3 * 2^h - 2" },
  { "pyramid", "h", "for q in h + 1 { for x in h + 1 - q { load v[q*(h + 1) - q*(q - 1)/2 + x] } }",
    "1/2 h^2 + 3/2 h + 1" },
  { "pyramid", "h",
    "param b\nfor I in h + 1 by b { load v[I]\n for q in 1..lo(I) + 1 { load v[q*(h + 1) - q*(q - 1)/2 + lo(I) - q] } "
    "}",
    NULL },
  { "pyramid", "h", "load v[*]\nfor x in h { store v[h + x + 1] }", "1/2 h^2 + 5/2 h + 1" },
  { "tree", "h",
    "param s\nfor L in pow(2, h) by pow(2, min(s, h)) { load v[L]\n store v[pow(2, h) + lo(L)/pow(2, 0)] }", NULL },
  { "tree", "h", "for L in pow(2, h) by pow(2, 2) { load v[L]\n store v[lo(L)/4] }", NULL },
  { "fft", "l", "param s\nfor x in s { for y in 2 { load v[pow(2, l)*(l - x + y) + x - y] } }", NULL },
  { "fft", "l", "for j in 2 { load v[l*l + j/2] }", NULL },
  { "fft", "l", "for J in pow(4, l) by pow(2, l) + 3 { load v[0] }", "ceil(2^(2 l), 2^l + 3)" },
  { "fft", "l", "load v[0 - 1], v[l], v[pow(2, l)*(l + 1)]\nstore v[0 - l..0]", "1" },
  { "hypercube", "l", "for x in pow(2, l*(l - 1)/2) { load v[0] }", "2^(1/2 l^2 - 1/2 l)" },
  { "hypercube", "l", "for x in pow(9, l) { load v[0] }\nfor x in pow(3, 2*l) { load v[1] }", "2 * 3^(2 l)" },
  { "hypercube", "l", "load v[0..pow(2, l)]\nstore v[pow(2, l) - 1]", "2^l + 1" },
};

START_TEST(by_hand)
{
  support_random r = { (uint64_t)_i };
  int k = _i % COUNT(known);
  const char *source = known[k].source ? known[k].source : library_text(known[k].family);
  const char *block = strstr(source, "param s") ? "s" : strstr(source, "param b") ? "b" : NULL;
  char spec[32], assign[16] = "", where[64];
  trial made, other;
  int size = 4 + (int)support_between(&r, 0, 3);
  snprintf(spec, sizeof spec, "%s:%s=%d", known[k].family, known[k].name, size);
  if (block)
    snprintf(assign, sizeof assign, "%s=%d", block, (int)support_between(&r, 1, size + 1));
  set_up(&made, spec, source, assign);
  ask(&made);
  snprintf(where, sizeof where, "%s %s", spec, assign);
  ck_assert_msg(made.has, "%s: %s\n%s", where, text_str(&made.reason), source);
  ck_assert_msg(is_right(&made, text_str(&made.io), source, where), "it does not run");
  ck_assert_msg(!strcmp(text_str(&made.holds), known[k].formula ? "" : "every vertex that is named exists"),
                "%s: it holds while %s:\n%s", where, text_str(&made.holds), source);
  if (known[k].formula)
    ck_assert_str_eq(text_str(&made.io), known[k].formula);
  for (int n = 1; n < 9 && made.holds.n == 0; n++) {
    snprintf(spec, sizeof spec, "%s:%s=%d", known[k].family, known[k].name, n);
    if (block)
      snprintf(assign, sizeof assign, "%s=%d", block, (int)support_between(&r, 1, n + 2));
    set_up(&other, spec, source, assign);
    is_right(&other, text_str(&made.io), source, where);
    clear(&other);
  }
  clear(&made);
}
END_TEST

/* ---- no formula, and why ---- */

static const struct { const char *source, *reason; } refused[] = {
  { "for r in l { for x in pow(2, r) { for y in pow(3, r) { load v[0] } } }", "do not add up" },
  { "for r in l { for x in r { for y in pow(2, r) { load v[0] } } }", "do not add up" },
  { "for r in l { for x in pow(2, r*r) { load v[0] } }", "do not add up" },
  { "for x in pow(2, l + 9) { load v[x] }", "not all vertices that are named exist" },
  { "load v[0 - 1], v[5], v[9*l*l]", "not all vertices that are named exist" },
  { "for j in pow(2, l) { if j % 2 == 0 { load v[j] } }", "bends with a loop" },
  { "for x in pow(2, 10*l) { for y in x { load v[y % 2] } }", "cannot be counted" },
};

START_TEST(reasons)
{
  trial t;
  set_up(&t, "fft:l=4", refused[_i].source, "");
  ask(&t);
  ck_assert_msg(!t.has && strstr(text_str(&t.reason), refused[_i].reason), "%s%s:\n%s", text_str(&t.io),
                text_str(&t.reason), refused[_i].source);
  clear(&t);
}
END_TEST

START_TEST(latex)
{
  trial t;
  set_up(&t, "fft:l=6", library_text("fft"), "s=4");
  ck_assert(schedule_formula(t.s, &t.io, NULL, &t.reason));
  latex_rewrite(&t.io);
  ck_assert_str_eq(text_str(&t.io), "2^{l + 1} \\lceil l/s\\rceil ");
  clear(&t);
  set_up(&t, "tree:h=6", "param s\nfor R in h by s { for u in pow(2, h - lo(R)) { load v[0], v[1], v[2] } }", "s=2");
  ck_assert(schedule_formula(t.s, &t.io, NULL, &t.reason));
  latex_rewrite(&t.io);
  ck_assert_str_eq(
      text_str(&t.io),
      "3 \\cdot 2^{h}/(2^{s} - 1) + 3 \\cdot 2^{h} - 3 \\cdot 2^{h - s \\lceil h/s\\rceil }/(2^{s} - 1) - "
      "3 \\cdot 2^{h - s \\lceil h/s\\rceil }");
  clear(&t);
}
END_TEST

/* ---- random programs ---- */

typedef struct {
  support_random r;
  text out;
  const char *n;               /* the graph's parameter */
  int most;                    /* its values */
  int loops;
  bool blocked[8], large[8];   /* large: not for exponents */
} writer;

static int64_t any(writer *w, int64_t lo, int64_t hi) { return support_between(&w->r, lo, hi); }

/* A number that loops around it may change. */
static void amount(writer *w, bool small)
{
  int loop = (int)any(w, 0, w->loops);
  const char *const plain[] = { "a", "b", small && w->most > 6 ? "1" : w->n, "2", "a + 1", "b + 2" };
  if (loop == w->loops || (small && w->large[loop]))
    text_add(&w->out, plain[any(w, 0, COUNT(plain) - 1)]);
  else if (w->blocked[loop])
    text_printf(&w->out, "%s(x%d)", any(w, 0, 2) ? any(w, 0, 1) ? "len" : "hi" : "lo", loop);
  else
    text_printf(&w->out, "x%d", loop);
}

static void power(writer *w)
{
  text_add(&w->out, any(w, 0, 3) ? "pow(2, " : "pow(4, ");
  amount(w, true);
  text_add(&w->out, ")");
}

static void open_loop(writer *w)
{
  int outer = (int)any(w, 0, 2 * w->loops + 2), id = w->loops;
  text_printf(&w->out, "for x%d in ", id);
  w->large[id] = true;
  if (outer < w->loops && w->blocked[outer])
    text_printf(&w->out, "x%d", outer);
  else if (any(w, 0, 1))
    power(w);
  else {
    amount(w, true);
    w->large[id] = false;
  }
  w->blocked[id] = any(w, 0, 2) == 0;
  if (w->blocked[id])
    text_add(&w->out, any(w, 0, 1) ? " by a" : any(w, 0, 1) ? " by 2" : " by pow(2, b)");
  text_add(&w->out, any(w, 0, 9) ? " {\n" : " reversed {\n");
  w->loops++;
}

static void vertex(writer *w)
{
  text_add(&w->out, "v[");
  for (int64_t terms = num_min(any(w, 1, 3), any(w, 1, 3)); terms > 0; terms--) {
    if (any(w, 0, 4) == 0) {
      amount(w, false);
      text_add(&w->out, "*");
      power(w);
    } else
      amount(w, false);
    text_add(&w->out, terms == 1 ? "" : any(w, 0, 4) ? " + " : " - ");
  }
  text_add(&w->out, any(w, 0, 9) ? "]\n" : " / 2]\n");
}

static void move(writer *w)
{
  static const char *const conditions[] = { "if a > 1 { ", "if a + b == 4 { ", "if b < a { " };
  int loop = (int)any(w, 0, 4 * w->loops);
  bool guarded = any(w, 0, 9) == 0;
  if (guarded)
    text_add(&w->out, conditions[any(w, 0, COUNT(conditions) - 1)]);
  text_add(&w->out, any(w, 0, 1) ? "load " : "store ");
  if (loop < w->loops)
    text_printf(&w->out, "v[x%d]\n", loop);
  else
    vertex(w);
  if (guarded)
    text_add(&w->out, "}\n");
}

/* Loops inside each other, moves before and after the inner ones. */
static void write_program(writer *w)
{
  text_add(&w->out, "param a\nparam b\n");
  for (int64_t depth = any(w, 1, 3); depth > 0; depth--) {
    open_loop(w);
    if (any(w, 0, 2) == 0)
      move(w);
  }
  move(w);
  for (int i = 0; i < w->loops; i++)
    text_add(&w->out, "}\n");
}

typedef struct { const char *family, *name; int least, most; } family;

static void random_setting(support_random *r, const family *f, char *spec, char *assign)
{
  sprintf(spec, "%s:%s=%d", f->family, f->name, (int)support_between(r, f->least, f->most));
  sprintf(assign, "a=%d,b=%d", (int)support_between(r, 1, 4), (int)support_between(r, 1, 3));
}

/* Does the program have a formula?  Then it is right where it was made; without conditions, elsewhere too. */
static bool check_program(uint64_t seed)
{
  static const family graphs[] = {
    { "fft", "l", 2, 6 }, { "tree", "h", 4, 8 }, { "pyramid", "h", 6, 30 }, { "hypercube", "l", 4, 10 }
  };
  writer w = { .r = { seed } };
  int k = (int)any(&w, 0, COUNT(graphs) - 1);
  char spec[32], assign[32], where[160];
  trial made, other;
  w.n = graphs[k].name;
  w.most = graphs[k].most;
  write_program(&w);
  random_setting(&w.r, &graphs[k], spec, assign);
  set_up(&made, spec, text_str(&w.out), assign);
  ask(&made);
  snprintf(where, sizeof where, "%ld: %s %s", (long)seed, spec, assign);
  bool has = made.has;
  ck_assert_msg(!has || is_right(&made, text_str(&made.io), text_str(&w.out), where),
                "a formula of what does not run: %s", text_str(&w.out));
  for (int i = 0; i < 6 && has && made.holds.n == 0; i++) {
    random_setting(&w.r, &graphs[k], spec, assign);
    snprintf(where + strlen(where), sizeof where - strlen(where), ", %s %s", spec, assign);
    set_up(&other, spec, text_str(&w.out), assign);
    is_right(&other, text_str(&made.io), text_str(&w.out), where);
    clear(&other);
  }
  text_clear(&w.out);
  clear(&made);
  return has;
}

START_TEST(random_programs)
{
  enum { EACH = 200 };
  int with = 0;
  for (int i = 0; i < EACH; i++)
    with += check_program((uint64_t)(EACH * _i + i));
  ck_assert_msg(with > EACH / 8, "only %d of %d random programs have a formula", with, EACH);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("formula_graph");
  TCase *c = support_case(s, "known by hand");
  tcase_add_loop_test(c, by_hand, 0, support_rounds(COUNT(known) * 3));
  tcase_add_loop_test(c, reasons, 0, COUNT(refused));
  tcase_add_test(c, latex);
  c = support_case(s, "random programs");
  tcase_add_loop_test(c, random_programs, 0, support_rounds(4));
  return support_run(s);
}
