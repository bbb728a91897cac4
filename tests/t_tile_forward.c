/* Fast-forward against playing every iteration: loops long enough to be left out, texts as written and damaged. */
#include "base/mem.h"
#include "tests/support_library.h"
#include "tests/support_ways.h"
#include <stdio.h>
#include <string.h>

/* Long in one direction, small in the others, so that every iteration can still be played. */
static const struct { const char *family, *format; } sizes[] = {
  { "attention", "attention:n=%1$d,d=%3$d,nk=%2$d,dv=%4$d" },
  { "attention-backward", "attention-backward:n=%1$d,d=%3$d,nk=%2$d,dv=%4$d" },
  { "attention-online", "attention-online:n=%1$d,d=%3$d,b=%4$d" },
  { "attention-causal", "attention-causal:n=%1$d,d=%3$d" },
  { "attention-sparse", "attention-sparse:n=%1$d,d=%3$d,b=%4$d" },
  { "attention-lowrank", "attention-lowrank:n=%1$d,d=%3$d,r=%2$d" },
  { "matmul", "matmul:m=%1$d,n=%2$d,k=%3$d" },
  { "mlp", "mlp:m=%1$d,k=%3$d,h=%2$d,n=%4$d" },
  { "stencil", "stencil:w=%1$d,t=%2$d" },
  { "grid", "grid:r=%1$d,c=%2$d" },
};

static cdag *open_long(const char *family, support_random *r)
{
  char spec[160] = "";
  diag d = { 0 };
  cdag *g = NULL;
  for (int i = 0; i < COUNT(sizes); i++)
    if (!strcmp(sizes[i].family, family))
      snprintf(spec, sizeof spec, sizes[i].format, (int)support_between(r, 10, 60), (int)support_between(r, 8, 40),
               (int)support_between(r, 1, 4), (int)support_between(r, 1, 4));
  if (spec[0])
    cdag_open(&g, spec, &d);
  if (g && g->graph) {
    cdag_free(g);
    g = NULL;
  }
  return g;
}

/* A line left out, said twice, or two neighbours exchanged; a number changed. */
static void damage(text *t, support_random *r)
{
  char *line[400];
  int n = 0, at;
  char *copy = mem_text(text_str(t)), *rest = copy;
  for (char *l; n < 400 && (l = strsep(&rest, "\n"));)
    line[n++] = l;
  at = (int)support_between(r, 0, n - 1);
  int kind = (int)support_between(r, 0, 3);
  bool brace = strpbrk(line[at], "{}") != NULL;
  t->n = 0;
  for (int i = 0; i < n; i++) {
    char *digit = i == at && kind == 3 ? strpbrk(line[i], "0123456789") : NULL;
    if (digit)
      *digit = (char)('0' + support_between(r, 0, 3));
    if (!(i == at && kind == 0 && !brace))
      text_printf(t, "%s\n", line[i]);
    if (i == at && kind == 1 && !brace)
      text_printf(t, "%s\n", line[i]);
    if (i == at && kind == 2 && i + 1 < n && !brace && !strpbrk(line[i + 1], "{}")) {
      text_printf(t, "%s\n", line[i + 1]);
      line[i + 1] = "";
    }
  }
  mem_free(copy);
}

static uint64_t compare(const schedule_listing *l, support_random *r, int damages, bool *legal)
{
  cdag *g = open_long(l->family, r);
  schedule *s = NULL;
  diag d = { 0 };
  uint64_t inferred = 0;
  text t = { 0 };
  pebble_rules rules = { .variant = support_between(r, 0, 3) ? PEBBLE_PLACING : PEBBLE_SLIDING,
                         .one_shot = !support_between(r, 0, 5), .m = (uint64_t)support_between(r, 12, 400) };
  text_add(&t, l->text);
  for (int i = 0; i < damages; i++)
    damage(&t, r);
  if (g && schedule_parse(&s, g, rules.m, l->path, text_str(&t), "", &d) == OK && schedule_unset(s) < 0) {
    text what = { 0 };
    text_printf(&what, "%s, n = %ld, M = %ld:\n%s", g->name, (long)g->param[0].value, (long)rules.m, text_str(&t));
    inferred = ways_compare(s, &rules, false, text_str(&what), legal);
    text_clear(&what);
  }
  text_clear(&t);
  schedule_free(s);
  cdag_free(g);
  return inferred;
}

START_TEST(as_written)
{
  support_random r = { (uint64_t)_i };
  compare(library_at(_i), &r, 0, NULL);
}
END_TEST

START_TEST(damaged)
{
  support_random r = { (uint64_t)_i };
  compare(library_at(_i), &r, (int)support_between(&r, 1, 2), NULL);
}
END_TEST

/* Loops inside that get longer from iteration to iteration, with ragged ends everywhere; two rows of blocks at least.
 */
START_TEST(triangles)
{
  static const char *const name[] = { "attenio:a=%d", "flat:r=%d", "flash2:r=%d,c=%d", "flash1:c=%d,r=%d" };
  support_random r = { (uint64_t)_i };
  char spec[80], sched[80];
  int block = (int)support_between(&r, 1, 6),
      other = support_between(&r, 0, 1) ? block : (int)support_between(&r, 1, 6);
  snprintf(spec, sizeof spec, "attention-causal:n=%d,d=%d", (int)support_between(&r, 8 * block, 20 * block + 20),
           (int)support_between(&r, 1, 2));
  snprintf(sched, sizeof sched, name[_i % COUNT(name)], block, other);
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  text what = { 0 };
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 20, 600), .one_shot = support_between(&r, 0, 1) };
  text_printf(&what, "%s %s M = %ld", spec, sched, (long)rules.m);
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  ck_assert_int_eq(schedule_open(&s, g, rules.m, sched, &d), OK);
  ways_compare(s, &rules, false, text_str(&what), NULL);
  text_clear(&what);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* Boxes whose ends are least and greatest numbers, and what is stored along a slant of a triangle: a factorisation by
 * tiles, as written and with one number or end changed.  The blue rows of one tile after another are one box. */
static const char factors[] = "param n\ninput A[n,n,1]\n"
                              "U[i:n, j:n, k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], A[k,j,k]\n"
                              "L[i:n, j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\n"
                              "output A[0,*,0], U[i:1..n, j:i..n, i-1], L[*,*]\n";
static const char by_tiles[] =
    "for I in 0..n by a {\n for J in 0..n by a {\n  for k in 0..min(lo(I) - 1, lo(J)) {\n"
    "   if (k <= 0) { load A[max(lo(I), 1)..hi(I),max(lo(J), 1)..hi(J),k] }\n   load L[I,k]\n   load U[k,J,k - 1]\n"
    "   if (k <= 0) { load A[k,max(lo(J), 1)..hi(J),k] }\n"
    "   compute U[I,J,k] dropping U[I,J,k - 1], A[max(lo(I), 1)..hi(I),max(lo(J), 1)..hi(J),k]\n"
    "   drop L[I,k]\n   drop U[k,J,k - 1]\n   if (k <= 0) { drop A[k,max(lo(J), 1)..hi(J),k] }\n  }\n"
    "  for k in max(min(lo(I) - 1, lo(J)), 0)..min(n - 1, hi(I) - 1, hi(J)) {\n"
    "   if (lo(J) <= k) * (k < hi(J)) * (max(lo(I), k + 1) < hi(I)) {\n"
    "    if (k <= 0) { load A[max(lo(I), 1)..hi(I),k,k] }\n    if (k < lo(I)) { load U[k,k,k - 1] }\n"
    "    if (k <= 0) { load A[k,k,k] }\n"
    "    compute L[max(lo(I), k + 1)..hi(I),k] dropping U[max(lo(I), k + 1)..hi(I),k,k - 1]\n"
    "    store L[max(lo(I), k + 1)..hi(I),k]\n    if (k <= 0) { drop A[max(lo(I), 1)..hi(I),k,k] }\n"
    "    if (k < lo(I)) { drop U[k,k,k - 1] }\n    if (k <= 0) { drop A[k,k,k] }\n   }\n"
    "   if (max(lo(I), k + 1) < hi(I)) * (max(lo(J), k + 1) < hi(J)) {\n"
    "    if (k <= 0) { load A[max(lo(I), 1)..hi(I),max(lo(J), 1)..hi(J),k] }\n"
    "    if (k < lo(J)) { load L[max(lo(I), k + 1)..hi(I),k] }\n"
    "    if (k < lo(I)) { load U[k,max(lo(J), k + 1)..hi(J),k - 1] }\n"
    "    if (k <= 0) { load A[k,max(lo(J), 1)..hi(J),k] }\n"
    "    compute U[max(lo(I), k + 1)..hi(I),max(lo(J), k + 1)..hi(J),k] dropping U[max(lo(I), k + 1)..hi(I),max(lo(J), "
    "k + 1)..hi(J),k - 1], A[max(lo(I), 1)..hi(I),max(lo(J), 1)..hi(J),k]\n"
    "    store U[max(lo(I), k + 1)..min(hi(I), k + 2),max(lo(J), k + 1)..hi(J),k]\n"
    "    if (k < lo(J)) { drop L[max(lo(I), k + 1)..hi(I),k] }\n"
    "    if (k < lo(I)) { drop U[k,max(lo(J), k + 1)..hi(J),k - 1] }\n"
    "    if (k <= 0) { drop A[k,max(lo(J), 1)..hi(J),k] }\n   }\n"
    "   if (lo(J) <= k) * (k < hi(J)) * (max(lo(I), k + 1) < hi(I)) { drop L[max(lo(I), k + 1)..hi(I),k] }\n  }\n"
    "  for k in max(0, lo(I) - 1)..min(n - 1, hi(I) - 1, hi(J) - 1) {\n"
    "   drop U[max(lo(I), k + 1)..min(hi(I), k + 2),max(lo(J), k + 1)..hi(J),k]\n  }\n }\n}\n";

/* The text with some of its small words changed. */
static void change_ends(support_random *r, int changes, text *t)
{
  static const char *const words[][2] = { { "k + 1", "k + 2" }, { "k - 1", "k" },       { "max(", "min(" },
                                          { "min(", "max(" },   { "lo(I)", "lo(J)" },   { "hi(J)", "hi(I)" },
                                          { "k <= 0", "k < 2" }, { "min(n - 1, ", "min(20, " } };
  for (; changes > 0; changes--) {
    const char *const *w = words[support_between(r, 0, COUNT(words) - 1)];
    char *copy = mem_text(text_str(t)), *at = copy + support_between(r, 0, (int64_t)t->n - 1);
    at = (at = strstr(at, w[0])) ? at : strstr(copy, w[0]);
    if (at) {
      t->n = 0;
      text_printf(t, "%.*s%s%s", (int)(at - copy), copy, w[1], at + strlen(w[0]));
    }
    mem_free(copy);
  }
}

static uint64_t factor(support_random *r, int changes)
{
  char size[40], block[40];
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  text t = { 0 };
  int a = (int)support_between(r, 2, 5), n = (int)support_between(r, 5 * a, 14 * a);
  pebble_rules rules = { .m = (uint64_t)(a * a + 2 * a + (changes ? support_between(r, 0, 60) : 1)),
                         .one_shot = support_between(r, 0, 1) };
  uint64_t inferred = 0;
  bool legal = false;
  snprintf(size, sizeof size, "n=%d", n);
  snprintf(block, sizeof block, "param a = %d\n", a);
  text_add(&t, block);
  text_add(&t, by_tiles);
  change_ends(r, changes, &t);
  ck_assert_int_eq(cdag_parse(&g, "factors.cdag", factors, size, &d), OK);
  if (schedule_parse(&s, g, rules.m, "factors.sched", text_str(&t), "", &d) == OK) {
    text what = { 0 };
    text_printf(&what, "n = %d, a = %d, M = %ld:\n%s", n, a, (long)rules.m, text_str(&t));
    inferred = ways_compare(s, &rules, n < 30, text_str(&what), &legal);
    ck_assert_msg(legal || changes, "%s", text_str(&what));
    text_clear(&what);
  }
  text_clear(&t);
  schedule_free(s);
  cdag_free(g);
  return inferred;
}

START_TEST(factorised)
{
  support_random r = { (uint64_t)_i };
  factor(&r, (int)support_between(&r, 0, 2));
}
END_TEST

/* Ends and bounds that are least and greatest numbers, another one from some iteration on. */
START_TEST(extremes)
{
  static const char *const end[] = { "min(x + %d, %d)", "max(x - %d, %d)", "max(min(x, %d), %d - x)",
                                     "min(2*x + %d, x + %d)", "max(%d, min(%d, x))" };
  support_random r = { (uint64_t)_i };
  char low[40], high[40], bound[40], program[300];
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  pebble_rules rules = { .m = 60 };
  char *const to[] = { low, high, bound };
  for (int k = 0; k < 3; k++)
    snprintf(to[k], sizeof low, end[support_between(&r, 0, COUNT(end) - 1)], (int)support_between(&r, 0, 30),
             (int)support_between(&r, 0, 30));
  const char *body = "load A[%s..%s] drop A[%s..%s]";
  char moves[200];
  snprintf(moves, sizeof moves, body, low, high, low, high);
  if (support_between(&r, 0, 1))
    snprintf(program, sizeof program, "for x in 0..40 { for y in 0..%s { load A[y] %s } %s }\n", bound,
             support_between(&r, 0, 1) ? "drop A[y]" : "", "drop A[*]");
  else
    snprintf(program, sizeof program, "for x in 0..40 { if %s < 12 { %s } }\n", bound, moves);
  ck_assert_int_eq(cdag_parse(&g, "extremes.cdag", "input A[-40..90]\noutput O[i:1] = A[0]\n", "", &d), OK);
  ck_assert_msg(schedule_parse(&s, g, rules.m, "extremes.sched", program, "", &d) == OK, "%s: %s", d.message, program);
  ways_compare(s, &rules, true, program, NULL);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* Windows that outgrow their array: as long before it was clipped as after, and shorter from then on. */
START_TEST(windows)
{
  support_random r = { (uint64_t)_i };
  char spec[40], program[200];
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  pebble_rules rules = { .m = 50 };
  int p = (int)support_between(&r, 1, 3), q = p + (int)support_between(&r, -1, 2),
      shift = (int)support_between(&r, 0, 6);
  snprintf(spec, sizeof spec, "n=%d", (int)support_between(&r, 6, 24));
  snprintf(program, sizeof program,
           "for x in n {\n  load A[%d*x..%d*x+%d]\n  drop A[%d*x..%d*x+%d]\n}\nfor i in n { load A[i] compute O[i] "
           "dropping A store O[i] drop O[i] }\n",
           p, q, shift, p, q, shift);
  ck_assert_int_eq(cdag_parse(&g, "windows.cdag", "param n\ninput A[n]\noutput O[i:n] = A[i]\n", spec, &d), OK);
  ck_assert_int_eq(schedule_parse(&s, g, rules.m, "windows.sched", program, "", &d), OK);
  ways_compare(s, &rules, true, program, NULL);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* Terms whose range is empty at first, or from some iteration on, with not all of it red. */
START_TEST(ranges)
{
  support_random r = { (uint64_t)_i };
  char computation[200], program[200];
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  pebble_rules rules = { .m = 90, .one_shot = support_between(&r, 0, 1) };
  int n = (int)support_between(&r, 10, 40), a = (int)support_between(&r, -1, 2),
      b = a + (int)support_between(&r, -1, 1);
  int meet = (int)support_between(&r, 0, n), c = 50 + (int)support_between(&r, -3, 3),
      red = (int)support_between(&r, 0, 60);
  snprintf(computation, sizeof computation,
           "param n = %d\ninput B[-200..300]\nX[i:n] = B[0], B[%d*i+%d..%d*i+%d]\noutput X[*]\n", n, a, c, b,
           c + (a - b) * meet + (int)support_between(&r, 0, 1));
  snprintf(program, sizeof program, "load B[0] load B[%d..%d]\nfor i in n%s { compute X[i] store X[i] drop X[i] }\n",
           red + 1, red + 80, support_between(&r, 0, 1) ? " reversed" : "");
  ck_assert_int_eq(cdag_parse(&g, "ranges.cdag", computation, "", &d), OK);
  ck_assert_int_eq(schedule_parse(&s, g, rules.m, "ranges.sched", program, "", &d), OK);
  text what = { 0 };
  text_printf(&what, "%s%s", computation, program);
  ways_compare(s, &rules, true, text_str(&what), NULL);
  text_clear(&what);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* What begins with a move is played as it is read, too: to the same verdict, at the same place.  Gives the iterations
 * inferred. */
static uint64_t play_as_list(const cdag *g, const char *source, const schedule_play_options *o,
                             const schedule_verdict *v)
{
  schedule_verdict w = { 0 };
  diag d = { 0 };
  FILE *in = fmemopen((void *)(uintptr_t)source, strlen(source), "r");
  ck_assert_int_eq(schedule_play_stream(in, "list", g, o, &w, &d), OK);
  fclose(in);
  ck_assert_msg(v->verdict.rule == w.verdict.rule && v->verdict.loads == w.verdict.loads &&
                    v->verdict.stores == w.verdict.stores && v->verdict.computes == w.verdict.computes &&
                    v->verdict.peak == w.verdict.peak && v->line == w.line && v->column == w.column &&
                    !strcmp(text_str(&v->loops), text_str(&w.loops)) && v->has_smallest == w.has_smallest &&
                    (!v->has_smallest || v->smallest_memory == w.smallest_memory),
                "as a list: %d:%d %s, peak %lu, not %d:%d %s, peak %lu, in\n%s", w.line, w.column,
                pebble_rule_name(w.verdict.rule), (unsigned long)w.verdict.peak, v->line, v->column,
                pebble_rule_name(v->verdict.rule), (unsigned long)v->verdict.peak, source);
  uint64_t inferred = w.inferred;
  schedule_verdict_clear(&w);
  return inferred;
}

static void some_range(support_random *r, const int *in, int *out)
{
  out[0] = (int)support_between(r, in[0], in[1]);
  out[1] = (int)support_between(r, out[0], in[1]);
}

/* Loops of few kinds of moves, each of which asks for the sets it must: some are found in the way, or missing, at some
   iteration, and what the loop left is looked at in the end. */
START_TEST(colors)
{
  static const char *const move[] = { "load", "store", "drop", "erase", "compute", "load A[x] compute" };
  support_random r = { (uint64_t)_i };
  char program[400];
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  pebble_rules rules = { .m = 200, .one_shot = support_between(&r, 0, 1) };
  int red[2], blue[2], gone[2], seen[2];
  some_range(&r, (int[]){ 0, 40 }, red);
  some_range(&r, red, blue);
  some_range(&r, red, gone);
  some_range(&r, red, seen);
  const char *first = move[support_between(&r, 0, 5)], *second = move[support_between(&r, 0, 5)];
  const int start[] = { seen[0], blue[0], gone[0] };
  int n = snprintf(program, sizeof program,
                   "load A[*] compute X[%d..%d] store X[%d..%d] drop X[%d..%d]%s\nfor x in %d..n%s { %s X[x]", red[0],
                   red[1], blue[0], blue[1], gone[0], gone[1], strchr(first, 'A') ? " drop A[*]" : "",
                   start[support_between(&r, 0, 2)], support_between(&r, 0, 1) ? " reversed" : "", first);
  if (support_between(&r, 0, 1))
    n += snprintf(program + n, sizeof program - (size_t)n, " %s X[x+%d]", second,
                  support_between(&r, 0, 1) ? (int)support_between(&r, -3, 3) : 0);
  if (support_between(&r, 0, 7) == 0)
    n += snprintf(program + n, sizeof program - (size_t)n, " if 1 / (x - %d) { }", (int)support_between(&r, 0, 60));
  snprintf(program + n, sizeof program - (size_t)n, " }\nload X[%d..%d] store X[*]\n", seen[0], seen[1]);
  ck_assert_int_eq(cdag_parse(&g, "colors.cdag", "param n\ninput A[n]\nX[i:n] = A[i]\noutput X[*]\n", "n=40", &d), OK);
  ck_assert_msg(schedule_parse(&s, g, rules.m, "colors.sched", program, "", &d) == OK, "%s: %s", d.message, program);
  ways_compare(s, &rules, true, program, NULL);
  schedule_verdict v = { 0 };
  schedule_play_options o = { .rules = rules, .engine = PEBBLE_BY_TILE, .fast_forward = true, .want_smallest = true };
  o.rules.m = (uint64_t)support_between(&r, 40, 80); /* A is loaded first */
  ck_assert_int_eq(schedule_play(s, &o, &v, &d), OK);
  play_as_list(g, program, &o, &v);
  schedule_verdict_clear(&v);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* A value that there is not, in the midst of what is recorded or not. */
START_TEST(no_value)
{
  char program[200];
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  schedule_verdict v = { 0 };
  schedule_play_options o = { .rules = { .m = 40 }, .engine = PEBBLE_BY_TILE, .fast_forward = true };
  snprintf(program, sizeof program, "load A[*] drop A[*]\nfor x in n { load A[x] drop A[x] for Y in 1 by %d - x { } }",
           _i);
  ck_assert_int_eq(cdag_parse(&g, "value.cdag", "param n\ninput A[n]\nX[i:n] = A[i]\noutput X[*]\n", "n=40", &d), OK);
  ck_assert_int_eq(schedule_parse(&s, g, o.rules.m, "value.sched", program, "", &d), OK);
  ck_assert_int_eq(schedule_play(s, &o, &v, &d), OK);
  ck_assert_int_eq(v.verdict.rule, PEBBLE_VALUE);
  ck_assert_uint_eq(v.verdict.peak, 40);
  play_as_list(g, program, &o, &v);
  schedule_verdict_clear(&v);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* Blocks inside whose length bends with the iteration: quotients that stay for some iterations, least and greatest of
 * what moves. */
static uint64_t compare_lengths(support_random *r)
{
  static const char *const length[] = {
    "%d / (%d * w[x] + %d)",          "max(1, min(%d, %d / (w[x] + %d)))", "(%d * w[x] + %d) / %d",
    "min(%d + x, %d * w[x], %d)",     "max(%d, x - %d, w[x] / %d)",        "max(1, x %% %d) * %d + w[%d]",
    "(%d + x) / max(1, %d - x / %d)", "min(w[x] / %d, x + %d) + %d",       "max(%d - x / 2, w[x], %d - x) / %d + 1",
    "ceil(%d + x * %d, w[x] + %d)",   "min(%d, 90 / (%d * 5 - x))",
  };
  static const char *const table[] = {
    "1 + x/5", "3 + x%4", "max(2, 30 - x)", "1 + x", "4", "1 + x*x%7", "2 + (x+1)/8"
  };
  char computation[200], program[300], by[120];
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  pebble_rules rules = { .m = (uint64_t)support_between(r, 20, 200) };
  snprintf(computation, sizeof computation, "table w[x:50] = %s\ninput A[50,30]\nX[i:50] = A[i,0]\noutput X[*]\n",
           table[support_between(r, 0, COUNT(table) - 1)]);
  const char *format = length[support_between(r, 0, COUNT(length) - 1)];
  snprintf(by, sizeof by, format, (int)support_between(r, 1, 90), (int)support_between(r, 1, 9),
           (int)support_between(r, 1, 9));
  snprintf(program, sizeof program,
           "for x in 50 {\n  for Y in %s by %s { load A[x,Y] drop A[x,Y] }\n  load A[x,0] compute X[x] dropping A "
           "store X[x] drop X[x]\n}\n",
           support_between(r, 0, 1) ? "30" : "min(30, w[x])", by);
  ck_assert_msg(cdag_parse(&g, "lengths.cdag", computation, "", &d) == OK, "%s", d.message);
  ck_assert_msg(schedule_parse(&s, g, rules.m, "lengths.sched", program, "", &d) == OK, "%s: %s", d.message, program);
  text what = { 0 };
  text_printf(&what, "%s%s", computation, program);
  uint64_t inferred = ways_compare(s, &rules, true, text_str(&what), NULL);
  text_clear(&what);
  schedule_free(s);
  cdag_free(g);
  return inferred;
}

START_TEST(lengths)
{
  support_random r = { (uint64_t)_i };
  compare_lengths(&r);
}
END_TEST

/* ---- written down ---- */

#define CUBE "table t[I:3] = I+1\ninput B[60]\nA[i:9, j:9, k:3] = B[i], A[i,j,k-1]\noutput "
#define SWEEP "load B[*]\nfor i in 9 { for j in 9 { compute A[i,j,*] "
static const struct { const char *computation, *program;
} written[] = {
  /* selections of outputs: what comes to be blue, and what does not */
  { CUBE "A[i:3, j:3, i+j]\n", SWEEP "store A[i,j,*] drop A[i,j,*] } }\n" },
  { CUBE "A[i:3, j:3, i+j]\n", SWEEP "if i + j < 2 { store A[i,j,i+j] } drop A[i,j,*] } }\n" },
  { CUBE "A[i:3, j:i+1, 0]\n", SWEEP "if j <= i { store A[i,j,0] } drop A[i,j,*] } }\n" },
  { CUBE "A[i:3, j:i+1, 0]\n", SWEEP "if j < i { store A[i,j,0] } drop A[i,j,*] } }\n" },
  { CUBE "A[i:9, j:2..4+i, 0]\n", SWEEP "if j > 1 { store A[i,j,0] } drop A[i,j,*] } }\n" },
  { CUBE "A[i:3, j:i..4, 2]\n", SWEEP "if j >= i { store A[i,j,2] } drop A[i,j,*] } }\n" },
  { CUBE "A[i:3, j:i..4, 2]\n", SWEEP "if j > i { store A[i,j,2] } drop A[i,j,*] } }\n" },
  { CUBE "A[i:3, 0..i+1, 2]\n", SWEEP "store A[i,0..i+1,2] drop A[i,j,*] } }\n" },
  { CUBE "A[i:3, 0..i+1, 2]\n", SWEEP "if j < i { store A[i,j,2] } drop A[i,j,*] } }\n" },
  { CUBE "A[i:9, t[i], 2]\n", SWEEP "if j > 0 { if j < 4 { store A[j-1,j,2] store A[i,j,2] } } drop A[i,j,*] } }\n" },
  { CUBE "A[i:9, t[i], 2]\n", SWEEP "if j > 1 { store A[i,j,2] } drop A[i,j,*] } }\n" },
  { CUBE "A[i:9, j:t[i], 2]\n", SWEEP "if j < 3 { store A[i,j,2] } drop A[i,j,*] } }\n" },
  { CUBE "A[i:9, j:t[i], 2]\n", SWEEP "if j < 2 { store A[i,j,2] } drop A[i,j,*] } }\n" },
  { CUBE "A[i:9, j:t[i]..5, 2]\n", SWEEP "if j > 0 { store A[i,j,2] } drop A[i,j,*] } }\n" },
  { CUBE "A[i:9, 2..t[i+1], 2]\n", SWEEP "if j < 2 { store A[i,j,2] } drop A[i,j,*] } }\n" },
  { CUBE "A[i:9, t[2*i]..4, 2]\n", SWEEP "if j > 2 { store A[i,j,2] } drop A[i,j,*] } }\n" },
  { CUBE "A[i:3, i, 2]\n", SWEEP "if i == j { store A[i,j,2] } drop A[i,j,*] } }\n" },
  { CUBE "A[i:3, i, 2]\n", SWEEP "if i == j { if i < 2 { store A[i,j,2] } } drop A[i,j,*] } }\n" },
  { CUBE "A[i:3, j:4, 2]\n", SWEEP "if j < 4 { store A[i,j,2] } drop A[i,j,*] } }\n" },
  { CUBE "A[i:3, j:4, 2]\n", SWEEP "if j < 3 { store A[i,j,2] } drop A[i,j,*] } }\n" },
  { CUBE "A[*, i:3, 2*i]\n", SWEEP "if j < 2 { store A[i,j,2*j] } drop A[i,j,*] } }\n" },
  { CUBE "A[*, i:3, 2*i]\n", SWEEP "if j < 1 { store A[i,j,0] } drop A[i,j,*] } }\n" },
  /* blocks that a side cuts, read behind another side; of some rows what they read goes, of others it stays */
  { "input A[12]\nT[i:12, j:i..12] = A[i]\nU[i:12, j:i+1] = A[i], T[i,j]\noutput U[*,*]\n",
    "load A[*] compute T[*,*] for x in 12 by 3 { compute U[x,*] store U[x,*] drop U[x,*] }\n" },
  { "input B[12,12]\nU[i:12, j:i+1] = B[i,j]\noutput U[*,*]\n",
    "for x in 12 by 6 { load B[x,*] compute U[x,*] dropping B[0..4,*] store U[x,*] drop U[x,*], B[x,*] }\n" },
  { "input B[12,12]\nU[i:12, j:i+1] = B[i,j]\noutput U[*,*]\n",
    "for x in 12 by 6 { load B[x,0..hi(x)] compute U[x,*] dropping B[0..4,*] store U[x,*] drop U[x,*] }\n" },
  { "input Z[12,12], T[i:12, j:i+1]\nX[i:12, j:12] = Z[i,i], T[i,j]\noutput X[*,*]\n",
    "for x in 12 by 4 { load Z[x,*], T[x,*] compute X[x,*] store X[x,*] drop X[x,*], Z[x,*], T[x,*] }\n" },
  { "input B[1], T[i:6, j:i+1]\nX[i:6, j:i+1, k:6] = B[0], T[k,j]\noutput X[*,*,*]\n",
    "load B[0] for i in 6 { load T[*,*] compute X[i,*,*] dropping T store X[i,*,*] drop X[i,*,*], T[*,i+1..6] }\n" },
  { "input B[1], T[i:6, j:i+1]\nX[i:6, j:i+1, k:6] = B[0], T[i,k]\noutput X[*,*,*]\n",
    "load B[0] for j in 6 { load T[*,*] compute X[*,j,*] dropping T store X[*,j,*] drop X[*,j,*], T[0..j,*] }\n" },
  /* one pebble dropped by two terms, and not quite */
  { "input A[9,3]\nX[i:9] = A[i,0], A[i,2], A[i,1]\noutput X[*]\n",
    "load A[*,*] compute X[*] dropping A store X[*]\n" },
  { "input A[9,3]\nX[i:9] = A[i,0], A[i,2], A[i,1], A[0,i]\noutput X[*]\n",
    "load A[*,*] compute X[*] dropping A store X[*]\n" },
  { "input A[9,9]\nX[i:9, j:9] = A[i,j], A[j,i]\noutput X[*,*]\n",
    "load A[*,*] compute X[0..3,5..9] dropping A store X[*,*]\n" },
  { "input A[9,9]\nX[i:9, j:9] = A[i,j], A[j,i]\noutput X[*,*]\n",
    "load A[*,*] compute X[0..3,2..9] dropping A store X[*,*]\n" },
};

START_TEST(as_said)
{
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  for (uint64_t m = 62; m < 200; m += 110)
    for (int one_shot = 0; one_shot < 2; one_shot++) {
      pebble_rules rules = { .m = m, .one_shot = one_shot };
      ck_assert_msg(cdag_parse(&g, "written.cdag", written[_i].computation, "", &d) == OK, "%s: %s", d.message,
                    written[_i].computation);
      ck_assert_msg(schedule_parse(&s, g, rules.m, "written.sched", written[_i].program, "", &d) == OK, "%s: %s",
                    d.message, written[_i].program);
      ways_compare(s, &rules, true, written[_i].program, NULL);
      schedule_free(s);
      cdag_free(g);
    }
}
END_TEST

/* More parts than the engine looks at together. */
START_TEST(many_terms)
{
  text computation = { 0 }, program = { 0 };
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  pebble_rules rules = { .m = 800, .variant = _i & 1 ? PEBBLE_SLIDING : PEBBLE_PLACING };
  text_add(&computation, "input A[9,60]\nX[i:9] = A[i,0]");
  for (int k = 1; k < 20 + 10 * _i; k++)
    text_printf(&computation, ", A[i,%d]", k);
  text_add(&computation, "\noutput X[*]\n");
  text_add(&program, "load A[*,*] compute X[*] dropping A store X[*]\n");
  ck_assert_msg(cdag_parse(&g, "many.cdag", text_str(&computation), "", &d) == OK, "%s", d.message);
  ck_assert_int_eq(schedule_parse(&s, g, rules.m, "many.sched", text_str(&program), "", &d), OK);
  ways_compare(s, &rules, true, text_str(&computation), NULL);
  schedule_free(s);
  cdag_free(g);
  text_clear(&computation);
  text_clear(&program);
}
END_TEST

/* A triangle of 10^6 rows takes no time, and its sums are those of the rows. */
START_TEST(large_triangle)
{
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  schedule_verdict v = { 0 };
  schedule_play_options o = { .rules = { .m = 2000 }, .engine = PEBBLE_BY_TILE, .fast_forward = true };
  ck_assert_int_eq(cdag_open(&g, "attention-causal:n=1000000,d=3", &d), OK);
  ck_assert_int_eq(schedule_open(&s, g, o.rules.m, "attenio:a=32", &d), OK);
  ck_assert_int_eq(schedule_play(s, &o, &v, &d), OK);
  ck_assert(v.verdict.legal);
  ck_assert_uint_eq(v.verdict.stores, 3000000);
  ck_assert_uint_eq(v.verdict.loads, UINT64_C(3) * 1000000 + UINT64_C(6) * 32 * 31250 * 31251 / 2);
  ck_assert_uint_eq(v.verdict.peak, 32 * 8 + 4);
  ck_assert_uint_gt(v.inferred, 31000);
  schedule_verdict_clear(&v);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* More boxes than are ever compared are no matter to a loop that asks for pebbles of another color. */
START_TEST(other_color)
{
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  schedule_verdict v = { 0 };
  schedule_play_options o = { .rules = { .m = 2 }, .engine = PEBBLE_BY_TILE, .fast_forward = true };
  const char *scatter = "for x in 19000 { compute X[2*x*x % 200003] store X[2*x*x % 200003] drop X[2*x*x % 200003] }";
  const char *sweep = "for y in 200003 { compute X[y] drop X[y] }";
  text program = { 0 };
  text_printf(&program, "load A[0]\n%s\n%s\n", scatter, sweep);
  ck_assert_int_eq(cdag_parse(&g, "colors.cdag", "input A[1]\nX[i:200003] = A[0]\noutput X[0]\n", "", &d), OK);
  ck_assert_int_eq(schedule_parse(&s, g, o.rules.m, "colors.sched", text_str(&program), "", &d), OK);
  ck_assert_int_eq(schedule_play(s, &o, &v, &d), OK);
  ck_assert(v.verdict.legal);
  ck_assert_uint_gt(v.inferred, 190000);
  ck_assert_uint_eq(play_as_list(g, text_str(&program), &o, &v), v.inferred);
  schedule_verdict_clear(&v);
  schedule_free(s);
  cdag_free(g);
  text_clear(&program);
}
END_TEST

/* Quotients and remainders, alone, within one another, under conditions and beside another variable, with part of what
   they name not red: blocks of whole periods are left out, others are not, and the verdict is the same.  Gives the
   iterations left out. */
static uint64_t quotients_of(uint64_t seed)
{
  static const char *const form[] = { "i/%d+%d",          "i%%%d+%d",          "i%%%d/%d",
                                      "(3*i+%d)/%d",      "i/%d/%d",           "%d-i/%d",
                                      "min(i/%d,9+%d)",   "i/%d+i%%%d",        "i/2*3+max(i%%%d,%d)",
                                      "(i%%%d==%d)*i/2",  "i/%d+j%%%d",        "(i+j)/%d+%d",
                                      "(i+9*j)%%%d/%d",   "i/%d*j%%%d" };
  static const char *const walk[] = { "for I in n by %d { for i in I { %s } }",
                                      "for I in n by %d { for i in I reversed { %s } }",
                                      "for i in n by %d { %s }", "for k in n/%d { for i in k..k+2 { %s } }" };
  support_random r = { seed };
  char index[2][40], computation[300], program[300];
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  pebble_rules rules = { .m = 300 };
  for (int k = 0; k < 2; k++)
    snprintf(index[k], sizeof *index, form[support_between(&r, 0, COUNT(form) - 1)], (int)support_between(&r, 1, 6),
             (int)support_between(&r, 1, 4));
  snprintf(computation, sizeof computation,
           "param n = %d\ninput B[-90..140], C[9]\nX[i:n, j:3] = B[%s], B[%s] if %s, C[j]\noutput X[*,*]\n",
           (int)support_between(&r, 30, 90), index[0], index[1], support_between(&r, 0, 1) ? "i%2 == 0" : "i >= 9");
  int red = (int)support_between(&r, -90, 0),
      some = support_between(&r, 0, 3) ? 300 : (int)support_between(&r, 60, 180);
  snprintf(program, sizeof program, "load B[%d..%d] load C[*]\n", some < 300 ? red : -90, red + some);
  snprintf(program + strlen(program), sizeof program - strlen(program), walk[support_between(&r, 0, COUNT(walk) - 1)],
           (int)support_between(&r, 1, 6), "compute X[i,*] store X[i,*] drop X[i,*]");
  ck_assert_msg(cdag_parse(&g, "quotients.cdag", computation, "", &d) == OK, "%s: %s", d.message, computation);
  ck_assert_msg(schedule_parse(&s, g, rules.m, "quotients.sched", program, "", &d) == OK, "%s: %s", d.message, program);
  text what = { 0 };
  text_printf(&what, "%s%s", computation, program);
  uint64_t inferred = ways_compare(s, &rules, true, text_str(&what), NULL);
  text_clear(&what);
  schedule_free(s);
  cdag_free(g);
  return inferred;
}

START_TEST(quotients) { quotients_of((uint64_t)_i); }
END_TEST

/* Blocks that lie within a stretch of a quotient for long, and then leave it; and blocks of whole periods. */
START_TEST(blocks_of_quotients)
{
  static const char *const index[] = { "i/19", "i%19", "(i+j)/19", "i/19*2+i%19", "3-i/19" };
  static const int by[] = { 2, 19, 38 };
  cdag *g = NULL;
  diag d = { 0 };
  char computation[120], program[120];
  snprintf(computation, sizeof computation, "input B[-9..90]\nX[i:190, j:3] = B[%s]\noutput X[*,*]\n", index[_i]);
  ck_assert_int_eq(cdag_parse(&g, "blocks.cdag", computation, "", &d), OK);
  for (int k = 0; k < 2 * COUNT(by); k++) {
    schedule *s = NULL;
    pebble_rules rules = { .m = 300 };
    snprintf(program, sizeof program, "load B[-9..%d] for i in 190 by %d { compute X[i,*] store X[i,*] drop X[i,*] }",
             k % 2 ? 90 : 2, by[k / 2]);
    ck_assert_int_eq(schedule_parse(&s, g, rules.m, "blocks.sched", program, "", &d), OK);
    uint64_t inferred = ways_compare(s, &rules, true, computation, NULL);
    ck_assert_msg(k != 3 || inferred > 3, "%s", index[_i]);
    schedule_free(s);
  }
  cdag_free(g);
}
END_TEST

/* The tests above would be worth nothing if nothing were left out. */
START_TEST(leaves_iterations_out)
{
  support_random r = { 7 };
  uint64_t inferred = 0, plays = 0;
  for (int i = 0; i < 150; i++) {
    uint64_t iterations = compare(library_at(i), &r, 0, NULL);
    inferred += iterations;
    plays += iterations > 0;
  }
  ck_assert_uint_gt(plays, 50);
  ck_assert_uint_gt(inferred, 5000);
  ck_assert_uint_gt(factor(&r, 0), 100);
  uint64_t of_quotients = 0;
  for (uint64_t seed = 0; seed < 60; seed++)
    of_quotients += quotients_of(seed);
  ck_assert_uint_gt(of_quotients, 60);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tile_forward");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, as_written, 0, support_rounds(200));
  tcase_add_loop_test(c, damaged, 0, support_rounds(600));
  tcase_add_loop_test(c, triangles, 0, support_rounds(200));
  tcase_add_loop_test(c, factorised, 0, support_rounds(100));
  tcase_add_loop_test(c, extremes, 0, support_rounds(200));
  tcase_add_loop_test(c, windows, 0, support_rounds(100));
  tcase_add_loop_test(c, ranges, 0, support_rounds(100));
  tcase_add_loop_test(c, blocks_of_quotients, 0, 5);
  tcase_add_loop_test(c, quotients, 60, 60 + support_rounds(200));
  tcase_add_loop_test(c, colors, 0, support_rounds(600));
  tcase_add_loop_test(c, lengths, 0, support_rounds(400));
  tcase_add_loop_test(c, no_value, 0, 30);
  tcase_add_test(c, other_color);
  tcase_add_loop_test(c, as_said, 0, COUNT(written));
  tcase_add_loop_test(c, many_terms, 0, 5);
  tcase_add_test(c, large_triangle);
  tcase_add_test(c, leaves_iterations_out);
  return support_run(s);
}
