/* The counter's formula: what is printed gives the count, at the values it was made for and at others. */
#include "base/latex.h"
#include "base/mem.h"
#include "schedules/schedule.h"
#include "tests/support_formula.h"
#include "tests/support_library.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static schedule *parse(const cdag *g, uint64_t m, const schedule_listing *l, const char *assign)
{
  schedule *s = NULL;
  diag d = { 0 };
  return g && schedule_parse(&s, g, m, l->path, l->text, assign, &d) == OK ? s : NULL;
}

static bool played_io(const schedule *s, uint64_t *io)
{
  schedule_verdict v = { 0 };
  schedule_play_options o = { .rules = { .m = UINT64_MAX } };
  diag d = { 0 };
  bool ok = schedule_play(s, &o, &v, &d) == OK && v.verdict.legal;
  *io = v.verdict.loads + v.verdict.stores;
  schedule_verdict_clear(&v);
  return ok;
}

static bool io_of(const schedule *s, uint64_t *io)
{
  return s->g->graph ? played_io(s, io) : formula_counted_io(s, io); /* graphs are not countable */
}

START_TEST(gives_the_count)
{
  support_random r = { (uint64_t)_i };
  const schedule_listing *l = library_at(_i);
  cdag *g = library_cdag(l->family, &r);
  schedule *s = parse(g, (uint64_t)support_between(&r, 4, 90), l, "");
  text io = { 0 }, holds = { 0 }, reason = { 0 };
  uint64_t count;
  if (s && schedule_unset(s) < 0 && schedule_formula(s, &io, &holds, &reason)) {
    ck_assert(io_of(s, &count));
    double v = formula_text_value(text_str(&io), s);
    ck_assert_msg(fabs(v - (double)count) < 1e-3, "%s: %s is %g, not %ld", l->path, text_str(&io), v, (long)count);
  } else if (s) {
    ck_assert_msg(reason.n > 0, "%s: no formula, and no reason", l->path);
  }
  text_clear(&io);
  text_clear(&holds);
  text_clear(&reason);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* Formulas known by hand, on sizes where every loop has several iterations and a ragged end. */
static const struct { const char *spec, *schedule, *assign, *formula;
} known[] = {
  { "attention:n=50,d=3", "attenio", "a=7", "2 n d + 2 n d ceil(n/a)" },
  { "attention:n=50,d=3", "flash2", "r=7,c=4", "2 n d + 2 n d ceil(n/r)" },
  { "attention:n=50,d=3,nk=40,dv=2", "flash1", "c=7,r=4",
    "d nk + nk dv + n d ceil(nk/c) + 2 n dv ceil(nk/c) + 2 n ceil(nk/c) - n dv - 2 n" },
  { "attention:n=50,d=9", "square-tiling", "b=4", "n^2 + n d + 2 n + n^2 ceil(d/b) + 3 n d ceil(n/b)" },
  { "attention:n=50,d=9", "standard", "a=4,c=2", "3 n^2 + n d + n + n^2 ceil(d/a) + 3 n d ceil(n/a) + n ceil(d/a)" },
  { "attention-causal:n=50,d=3", "attenio", "a=7", "4 n d + d a ceil(n/a)^2 - d a ceil(n/a)" },
  { "attention-causal:n=50,d=3", "flash2", "r=7,c=4", "4 n d + d r ceil(n/r)^2 - d r ceil(n/r)" },
  { "attention-causal:n=50,d=3", "flash1", "c=7,r=4",
    "n d + 3 n d ceil(n/c) + 2 n ceil(n/c) + 3/2 d c ceil(n/c) + c ceil(n/c) - 2 n - 3/2 d c ceil(n/c)^2 - c "
    "ceil(n/c)^2" },
  { "attention:n=50,d=3", "row-by-row", "a=7", "2 n d + 2 n d ceil(n/a)" },
  { "attention:n=50,d=3,nk=40,dv=2", "word-by-word", "a=7", "n d + n dv + d nk ceil(n/a) + nk dv ceil(n/a)" },
  { "attention-causal:n=50,d=3", "row-by-row", "a=7", "4 n d + d a ceil(n/a)^2 - d a ceil(n/a)" },
  { "attention-causal:n=50,d=3", "word-by-word", "a=7", "4 n d + d a ceil(n/a)^2 - d a ceil(n/a)" },
  { "attention-online:n=50,d=3,b=5", "flash1", "r=4", "3 n d nb + n d + 4 n nb - 4 n" },
  { "attention-online:n=50,d=3,b=7", "row-by-row", "a=4", "2 n d + 2 n d ceil(n/a)" }, /* ragged blocks of keys */
  { "attention-online:n=50,d=3,b=7", "flash1", "r=4", "3 n d nb + n d + 4 n nb - 4 n" },
  { "attention-online:n=50,d=9", "square-tiling", "t=4",
    "n d + n nb + n d ceil(nb/g) + n nb ceil(d/t) + 2 d nb ceil(n/t)" },
  { "attention-online:n=50,d=9", "resident-squares", "t=4",
    "n d + n nb + n d ceil(nb/g) + n nb ceil(d/t) + 2 d nb ceil(n/t)" },
  { "attention-backward:n=50,d=3", "flash2-backward", "c=7", "5 n d + n + 4 n d ceil(n/c) + 2 n ceil(n/c)" },
  { "attention-causal:n=50,d=9", "resident-squares", "b=4",
    "1/2 n^2 + 3 n d + 3/2 n + 1/2 n^2 ceil(d/b) + n d ceil(n/b) + 3/2 n ceil(d/b) + 1/2 d b ceil(n/b)^2 - 1/2 d b "
    "ceil(n/b)" },
  { "attention-causal:n=50,d=9", "square-tiling", "b=4",
    "1/2 n^2 + 3 n d + 5/2 n + 1/2 n^2 ceil(d/b) + n d ceil(n/b) + 1/2 n ceil(d/b) + 1/2 d b ceil(n/b)^2 - 1/2 d b "
    "ceil(n/b)" },
  { "attention-causal:n=50,d=9", "standard", "a=4,c=2",
    "3/2 n^2 + 3 n d + 5/2 n + 1/2 n^2 ceil(d/a) + n d ceil(n/a) + 3/2 n ceil(d/a) + 1/2 d a ceil(n/a)^2 - 1/2 d a "
    "ceil(n/a)" },
  { "cholesky:n=50", "blocked", "b=4",
    "n^2 + n + 1/2 n b ceil(n/b)^2 + 1/4 b^2 ceil(n/b)^2 + 1/4 b ceil(n/b)^2 - 1/2 n b ceil(n/b) - 1/6 b^2 ceil(n/b)^3 "
    "- 1/12 b^2 ceil(n/b) - 1/4 b ceil(n/b)" },
  { "syrk:n=50,k=7", "tiled", "b=4", "1/2 n^2 + 1/2 n + n k ceil(n/b)" },
  { "stencil:w=50,t=40", "skewed", "b=7", "2 w ceil(t/b)" },
  { "cholesky:n=50", "left-looking", "", "1/6 n^3 + n^2 + 5/6 n" },
  { "matmul:m=30,n=40,k=50", "naive", "", "2 m n k + m n" },
  { "fft:l=7", "blocked", "s=3", "2^(l + 1) ceil(l/s)" },
  { "tree:h=5", "depth-first", "", "2^h + 1" },
  { "pyramid:h=9", "diagonal", "", "h + 2" },
  { "pyramid:h=20", "strips", "b=3", "1 + 2 h ceil(h/b) + b ceil(h/b) + ceil(h/b) - h - b ceil(h/b)^2" },
  { "matmul:m=30,n=40,k=50", "tiled", "b=7", "m n + m k ceil(n/b) + n k ceil(m/b)" },
};

START_TEST(known_by_hand)
{
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  char spec[128];
  text io = { 0 }, reason = { 0 };
  ck_assert_int_eq(cdag_open(&g, known[_i].spec, &d), OK);
  snprintf(spec, sizeof spec, "%s%s%s", known[_i].schedule, known[_i].assign[0] ? ":" : "", known[_i].assign);
  ck_assert_msg(schedule_open(&s, g, 1000, spec, &d) == OK, "%s", d.message);
  ck_assert_msg(schedule_formula(s, &io, NULL, &reason), "%s", text_str(&reason));
  ck_assert_str_eq(text_str(&io), known[_i].formula);
  text_clear(&io);
  text_clear(&reason);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* Made at one setting of the tile sizes, right at all others: nothing about them was taken for granted. */
START_TEST(holds_elsewhere)
{
  support_random r = { (uint64_t)_i };
  int k = _i % COUNT(known);
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  ck_assert_int_eq(cdag_open(&g, known[k].spec, &d), OK);
  ck_assert_int_eq(schedule_open(&s, g, 1000, known[k].schedule, &d), OK);
  for (int i = 0; i < s->params; i++)
    schedule_set(s, i, support_between(&r, 1, 60));
  uint64_t count;
  ck_assert(io_of(s, &count));
  double v = formula_text_value(known[k].formula, s);
  ck_assert_msg(fabs(v - (double)count) < 1e-3, "%s: %s is %g, not %ld", known[k].schedule, known[k].formula, v,
                (long)count);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

START_TEST(latex)
{
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  text io = { 0 }, reason = { 0 };
  ck_assert_int_eq(cdag_open(&g, "attention:n=50,d=3", &d), OK);
  ck_assert_int_eq(schedule_open(&s, g, 1000, "attenio:a=7", &d), OK);
  ck_assert(schedule_formula(s, &io, NULL, &reason));
  latex_rewrite(&io);
  ck_assert_str_eq(text_str(&io), "2 n d + 2 n d \\lceil n/a\\rceil ");
  text_clear(&io);
  text_clear(&reason);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* The counts of the theory's table of schedules (docs/theory.md), as printed there, and by how much a play differs: the
 * texts say why. */
static const struct { const char *spec, *schedule, *printed, *more, *less;
} theory[] = {
  { "matmul:m=30,n=40,k=50", "resident:a=9,s=0,u=0", "m n + m k ceil(n/wide) + n k ceil(m/a)", "0", "0" },
  { "matmul:m=60,n=60,k=5", "tall-skinny:a=7", "m n + m k + n k ceil(m/a)", "0", "k ceil(m/a) - k" }, /* to and fro */
  { "attention:n=50,d=3", "flat:r=7", "2 n d + 2 n d ceil(n/r)", "0", "0" },
  { "attention-online:n=50,d=3,b=7", "flash1:r=3", "2 n d + 3 n d ceil(n/b) + 4 n ceil(n/b)", "0",
    "n d + 4 n" },                                                                     /* chains are born */
  { "attention:n=50,d=3", "flash2:r=7,c=4", "2 n d + n + 2 n d ceil(n/r)", "0", "n" }, /* Lse is no output */
  { "attention:n=50,d=3", "attenio:a=7", "2 n d + 2 n d ceil(n/a)", "0", "0" },
  { "attention-online:n=50,d=3", "attenio:a=7", "2 n d + 2 n d ceil(n/a)", "0", "0" },
  { "attention:n=48,d=12", "square-tiling:b=4", "4 n^2 ceil(d/b) + n^2 + n d + 2 n", "0", "0" },
  { "attention:n=48,d=12", "resident-squares:b=4", "4 n^2 ceil(d/b) + n^2 + n d + n + n ceil(d/b)", "0", "0" },
  { "attention-backward:n=30,d=3", "flash-backward:c=7", "4 n d + 5 n d ceil(n/c) + 2 n ceil(n/c)", "0",
    "n d + n ceil(n/c)" }, /* one statistic */
  { "attention-backward:n=30,d=3", "flash2-backward:c=7", "6 n d + n + 4 n d ceil(n/c) + 2 n ceil(n/c)", "0", "n d" },
  { "attention-backward:n=30,d=3", "two-pass:a=7,b=4",
    "7 n d + 2 n + 2 n d ceil(n/a) + 2 n d ceil(n/b) + 2 n ceil(n/b)", "n d", "0" }, /* D from O */
};

START_TEST(the_theory_s_table)
{
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  schedule_verdict v = { 0 };
  schedule_play_options o = { .rules = { .m = 2000 }, .engine = PEBBLE_BY_ELEMENT };
  ck_assert_int_eq(cdag_open(&g, theory[_i].spec, &d), OK);
  ck_assert_msg(schedule_open(&s, g, o.rules.m, theory[_i].schedule, &d) == OK, "%s", d.message);
  ck_assert_int_eq(schedule_play(s, &o, &v, &d), OK);
  ck_assert(v.verdict.legal);
  double printed = formula_text_value(theory[_i].printed, s) + formula_text_value(theory[_i].more, s) -
                   formula_text_value(theory[_i].less, s);
  uint64_t played = v.verdict.loads + v.verdict.stores, counted;
  ck_assert_msg(printed == (double)played, "%s: %s is %g, played %ld", theory[_i].schedule, theory[_i].printed, printed,
                (long)played);
  ck_assert(io_of(s, &counted));
  ck_assert_uint_eq(counted, played);
  schedule_verdict_clear(&v);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* n where nothing could be played: the numbers of the design. */
START_TEST(large)
{
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  schedule_counts c;
  pebble_rules rules = { .m = 262144 };
  ck_assert_int_eq(cdag_open(&g, "attention:n=1000000,d=128", &d), OK);
  ck_assert_int_eq(schedule_open(&s, g, rules.m, "attenio:a=1015", &d), OK);
  ck_assert_int_eq(schedule_count(s, &rules, &c, &d), OK);
  ck_assert_uint_eq(c.loads + c.stores, UINT64_C(2) * 1000000 * 128 * (1 + (1000000 + 1014) / 1015));
  ck_assert_uint_eq(c.peak, 1015 * 258 + 129);
  schedule_counts_clear(&c);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("count");
  TCase *c = support_case(s, "formula");
  tcase_add_loop_test(c, gives_the_count, 0, support_rounds(200));
  tcase_add_loop_test(c, known_by_hand, 0, COUNT(known));
  tcase_add_loop_test(c, holds_elsewhere, 0, support_rounds(150));
  tcase_add_loop_test(c, the_theory_s_table, 0, COUNT(theory));
  tcase_add_test(c, latex);
  tcase_add_test(c, large);
  return support_run(s);
}
