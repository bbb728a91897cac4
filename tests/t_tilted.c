/* Strips that lean along two axes and time, and rows played at once: both engines, and the counter, say the same. */
#include "tests/support.h"
#include "tests/support_found.h"
#include "schedules/tiler/sweeps/sweep.h"
#include <string.h>

/* One read of a star, of the level before or, of an array that stands before it, at its own. */
static void add_read(support_random *r, text *out, int k, int arrays)
{
  static const char *const star[] = { "x,y", "x-1,y", "x+1,y", "x,y-1", "x,y+1", "x+1,y-1" };
  int from = (int)support_between(r, 0, arrays - 1);
  bool own = from < k && support_between(r, 0, 1);
  text_printf(out, ", %c[t%s,%s]", 'A' + from, own ? "" : "-1", star[support_between(r, 0, own ? 4 : 5)]);
}

/* Arrays that look at their neighbours, in boxes that differ by a row or a column, with borders that are inputs. */
static void star_stencil(support_random *r, int64_t least, text *out)
{
  int arrays = (int)support_between(r, 1, 3);
  text_printf(out,
              "param n = %d, m = %d, w = %d\ninput S[x:-4..n+4, y:-4..m+4, l:1], R[0..1, y:-4..m+4]\n"
              "input D[x:-4..n+4, m-1..m], F[w], Z[1]\n",
              (int)support_between(r, least + 3, 2 * least + 12), (int)support_between(r, least + 3, 2 * least + 12),
              (int)support_between(r, least + 2, 2 * least + 9));
  for (int k = 0; k < arrays; k++) {
    text_printf(out, "%c[t:w, x:%d..n, y:%d..m-%d] = Z[0], S[x,y,t], S[x%s,y,t]", 'A' + k,
                (int)support_between(r, 0, 1), (int)support_between(r, 0, 1), (int)support_between(r, 0, 1),
                support_between(r, 0, 1) ? "+1" : "-1");
    if (support_between(r, 0, 1))
      text_add(out, ", R[x-1,y], D[x,y+1]");
    if (support_between(r, 0, 3) == 0)
      text_add(out, ", F[t]");
    for (int64_t reads = support_between(r, 1, 5); reads > 0; reads--)
      add_read(r, out, k, arrays);
    text_printf(out, ", %c[t-1,x,y]\n", 'A' + (k + 1) % arrays);
  }
  for (int k = 0; k < arrays; k++)
    if (k == 0 || support_between(r, 0, 1))
      text_printf(out, "output %c[%s,*,*]\n", 'A' + k, support_between(r, 0, 3) ? "w-1" : "*");
}

/* In place: an array that reads its own level in rows that are passed, and the one before; borders by windows. */
static void in_place(support_random *r, int64_t least, text *out)
{
  static const char *const own[] = { "x-1,y", "x,y-1", "x-1,y-1", "x-1,y+1", "x-2,y" };
  static const char *const past[] = { "x,y", "x+1,y", "x,y+1", "x+1,y-1", "x+1,y+1" };
  int arrays = (int)support_between(r, 1, 2);
  text_printf(out,
              "param n = %d, m = %d, w = %d\ninput S[x:n+1, y:m+1, l:1], R[0..1, y:m], D[x:n, 0..1]\n"
              "input E[n-1..n, y:m]\n",
              (int)support_between(r, least + 5, 2 * least + 12), (int)support_between(r, least + 5, 2 * least + 12),
              (int)support_between(r, least + 2, 2 * least + 9));
  for (int k = 0; k < arrays; k++) {
    char name = (char)('A' + k);
    text_printf(out, "%c[t:w, x:1..n-1, y:1..m-1] = %c[t-1,x,y], S[x,y,t]", name, 'A' + (k + 1) % arrays);
    if (support_between(r, 0, 1))
      text_add(out, ", S[x+1,y,t], S[x,y+1,t]");
    if (support_between(r, 0, 1))
      text_add(out, ", R[x-1,y-1..y+2], D[x-1..x+2,y-1], E[x+1,y-1..y+2]");
    for (int64_t reads = support_between(r, 1, 4); reads > 0; reads--)
      text_printf(out, ", %c[t,%s], %c[t-1,%s]", name, own[support_between(r, 0, COUNT(own) - 1)],
                  'A' + (int)support_between(r, 0, arrays - 1), past[support_between(r, 0, COUNT(past) - 1)]);
    if (k > 0 && support_between(r, 0, 1))
      text_add(out, ", A[t,x,y], A[t,x-1,y]");
    text_add(out, "\n");
  }
  for (int k = 0; k < arrays; k++)
    text_printf(out, "output %c[%s,*,*]\n", 'A' + k, support_between(r, 0, 3) ? "w-1" : "*");
}

static void some_stencil(support_random *r, int64_t least, text *out)
{
  if (support_between(r, 0, 2))
    star_stencil(r, least, out);
  else
    in_place(r, least, out);
}

static const char *const moves[] = { "load ", "drop ", "erase ", "store ", "compute " };

/* With rows at once and iterations left out, by tiles. */
static bool plays_so(const cdag *g, const pebble_rules *rules, const char *source, pebble_engine engine, bool forward,
                     pebble_verdict *v, text *why)
{
  schedule *s = NULL;
  schedule_play_options o = { .rules = *rules, .engine = engine, .fast_forward = forward };
  schedule_verdict played = { 0 };
  diag d = { 0 };
  ck_assert_msg(schedule_parse(&s, g, rules->m, "tilted", source, "", &d) == OK, "%s\n%s", d.message, source);
  ck_assert_msg(schedule_play(s, &o, &played, &d) == OK, "%s\n%s", d.message, source);
  text_printf(why, "line %d: %s\n", played.line,
              played.verdict.legal ? "legal" : pebble_rule_name(played.verdict.rule));
  *v = played.verdict;
  schedule_verdict_clear(&played);
  schedule_free(s);
  return v->legal;
}

static bool plays(const cdag *g, const pebble_rules *rules, const char *source, pebble_engine engine, pebble_verdict *v,
                  text *why)
{
  return plays_so(g, rules, source, engine, engine == PEBBLE_BY_TILE, v, why);
}

static bool same_verdict(const cdag *g, const pebble_rules *rules, const char *source, text *why)
{
  pebble_verdict one, two;
  bool legal = plays(g, rules, source, PEBBLE_BY_ELEMENT, &one, why);
  bool same = plays(g, rules, source, PEBBLE_BY_TILE, &two, why) == legal;
  return same && one.rule == two.rule && one.loads == two.loads && one.stores == two.stores &&
         one.computes == two.computes && one.peak == two.peak &&
         (legal || memcmp(&one.element.x, &two.element.x, sizeof one.element.x[0]) == 0);
}

/* Without one of the lines that move something. */
static void check_damaged(const cdag *g, const pebble_rules *rules, const text *found, support_random *r, int seed)
{
  const char *end;
  for (const char *at = text_str(found); (end = strchr(at, '\n')); at = end + 1) {
    const char *word = at + strspn(at, " ");
    bool any = false;
    for (size_t k = 0; k < COUNT(moves); k++)
      any = any || strncmp(word, moves[k], strlen(moves[k])) == 0;
    if (!any || support_between(r, 0, 5))
      continue;
    text damaged = { 0 }, why = { 0 };
    text_printf(&damaged, "%.*s%s", (int)(at - text_str(found)), text_str(found), end + 1);
    ck_assert_msg(same_verdict(g, rules, text_str(&damaged), &why), "seed %d\n%.3000s%.100s", seed, text_str(&damaged),
                  text_str(&why));
    text_clear(&damaged);
    text_clear(&why);
  }
}

START_TEST(stars)
{
  support_random r = { (uint64_t)_i };
  text source = { 0 }, found = { 0 };
  cdag *g;
  diag d = { 0 };
  tiler_shape s;
  some_stencil(&r, 0, &source);
  ck_assert_msg(cdag_parse(&g, "star", text_str(&source), "", &d) == OK, "%s: %s", d.message, text_str(&source));
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 60, 300) };
  tiler_shape_init(&s, g, false);
  if (tiler_sweep(&s, (double)rules.m, SWEEP_TILTED, &found)) {
    schedule *p;
    schedule_counts c = { 0 };
    pebble_verdict v;
    text why = { 0 };
    pebble_rules most = { .m = 100000, .variant = support_between(&r, 0, 1) ? PEBBLE_PLACING : PEBBLE_SLIDING };
    ck_assert_msg(plays(g, &most, text_str(&found), PEBBLE_BY_TILE, &v, &why), "seed %d: %.60s%.1500s%.2000s", _i,
                  text_str(&why), text_str(&source), text_str(&found));
    ck_assert_msg(same_verdict(g, &most, text_str(&found), &why), "seed %d: %.60s%.1500s%.2000s", _i, text_str(&why),
                  text_str(&source), text_str(&found));
    ck_assert_msg(same_verdict(g, &(pebble_rules){ .m = v.peak - 1 }, text_str(&found), &why),
                  "seed %d\n%.1500s%.2000s", _i, text_str(&source), text_str(&found));
    ck_assert_int_eq(schedule_parse(&p, g, rules.m, "star", text_str(&found), "", &d), OK);
    ck_assert(schedule_count(p, &most, &c, &d) == OK && c.countable);
    ck_assert_msg(c.loads == v.loads && c.stores == v.stores && c.computes == v.computes && c.peak == v.peak,
                  "seed %d: counted otherwise\n%.1500s%.2000s", _i, text_str(&source), text_str(&found));
    schedule_counts_clear(&c);
    schedule_free(p);
    check_damaged(g, &most, &found, &r, _i);
    text_clear(&why);
  }
  text_clear(&found);
  text_clear(&source);
  tiler_shape_clear(&s);
  cdag_free(g);
}
END_TEST

/* A text is soon judged, or takes long, or neither: no way makes what another one makes. */
START_TEST(lengthy)
{
  static const char source[] = "param n = 2000\ninput S[n,n,1]\n"
                               "A[t:500, i:n, j:n] = A[t,i-1,j], A[t,i,j-1], A[t-1,i,j], A[t-1,i+1,j], A[t-1,i,j+1], "
                               "S[i,j,t]\noutput A[499,*,*]\n";
  int soon = 0, late = 0;
  cdag *g;
  diag d = { 0 };
  tiler_shape s;
  ck_assert_msg(cdag_parse(&g, "in place", source, "", &d) == OK, "%s", d.message);
  tiler_shape_init(&s, g, false);
  for (int m = 256; m <= 1 << 16; m *= 2) {
    text one = { 0 }, two = { 0 };
    bool first = tiler_sweep(&s, m, SWEEP_TILTED, &one), second = tiler_sweep(&s, m, SWEEP_LENGTHY, &two);
    ck_assert_msg(!first || !second, "M = %d", m);
    ck_assert_msg(!late || first || second, "M = %d: neither, though with less there was one", m);
    soon += first;
    late += second;
    text_clear(&one);
    text_clear(&two);
  }
  ck_assert_int_gt(soon, 0);
  ck_assert_int_gt(late, 0);
  tiler_shape_clear(&s);
  cdag_free(g);
}
END_TEST

/* Planes with more walls than a question looks at: with iterations left out, and every one played. */
START_TEST(walls)
{
  support_random r = { (uint64_t)_i };
  text source = { 0 }, found = { 0 }, why = { 0 };
  cdag *g;
  diag d = { 0 };
  tiler_shape s;
  pebble_verdict one, two;
  some_stencil(&r, 20, &source);
  ck_assert_msg(cdag_parse(&g, "star", text_str(&source), "", &d) == OK, "%s: %s", d.message, text_str(&source));
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 60, 300) };
  tiler_shape_init(&s, g, false);
  if (tiler_sweep(&s, (double)rules.m, SWEEP_TILTED, &found)) {
    pebble_rules most = { .m = support_between(&r, 0, 3) ? 100000 : rules.m / 2 };
    bool legal = plays_so(g, &most, text_str(&found), PEBBLE_BY_TILE, false, &one, &why);
    ck_assert_msg(plays(g, &most, text_str(&found), PEBBLE_BY_TILE, &two, &why) == legal && one.rule == two.rule &&
                      one.loads == two.loads && one.stores == two.stores && one.computes == two.computes &&
                      one.peak == two.peak,
                  "seed %d: %.200s%.1500s%.2000s", _i, text_str(&why), text_str(&source), text_str(&found));
  }
  text_clear(&found);
  text_clear(&source);
  text_clear(&why);
  tiler_shape_clear(&s);
  cdag_free(g);
}
END_TEST

/* Iterations that come nearer to boxes which no question before has reached: the loads of some are illegal. */
START_TEST(far_boxes)
{
  cdag *g;
  diag d = { 0 };
  text source = { 0 }, why = { 0 };
  int past = 40 + _i; /* up to the boxes, or among them */
  ck_assert_int_eq(cdag_parse(&g, "rows", "input S[x:400, y:12]\nA[y:12] = S[0,y]\noutput A[*]\n", "", &d), OK);
  text_printf(&source,
              "for k in 30 {\n  for x in 200 + 4*k..202 + 4*k {\n    load S[x,max(0,x - 200 - 4*k)..8]\n  }\n}\n"
              "for k in %d {\n  for x in 4*k..4*k + 2 {\n    load S[x,max(0,x - 4*k)..6]\n  }\n"
              "  for x in 4*k..4*k + 2 {\n    drop S[x,max(0,x - 4*k)..6]\n  }\n}\n",
              past);
  ck_assert_msg(same_verdict(g, &(pebble_rules){ .m = 1000 }, text_str(&source), &why), "%d\n%s%s", past,
                text_str(&source), text_str(&why));
  text_clear(&source);
  text_clear(&why);
  cdag_free(g);
}
END_TEST

/* Iterations that ask far apart: what they change there is not among the boxes that are compared. */
START_TEST(two_places)
{
  cdag *g;
  diag d = { 0 };
  text source = { 0 }, why = { 0 };
  ck_assert_int_eq(cdag_parse(&g, "rows", "input S[x:900, y:12]\nA[y:12] = S[0,y]\noutput A[*]\n", "", &d), OK);
  for (int at = 0; at < 600; at += 500)
    text_printf(&source,
                "for k in 30 {\n  for x in %d + 4*k..%d + 4*k {\n    load S[x,max(0,x - %d - 4*k)..8]\n  }\n}\n",
                200 + at, 202 + at, 200 + at);
  text_printf(&source,
              "for k in 40 {\n  for x in 4*k..4*k + 2 {\n    load S[x,max(0,x - 4*k)..6]\n  }\n"
              "  for x in 600..603 {\n    load S[x,max(0,x - 600)..6]\n  }\n"
              "  for x in 600..603 {\n    drop S[x,max(0,x - 600)..6]\n  }\n}\n"
              "for x in %d..%d {\n    load S[x,max(0,x - %d)..6]\n  }\n",
              8 * _i, 8 * _i + 2, 8 * _i);
  ck_assert_msg(same_verdict(g, &(pebble_rules){ .m = 2000 }, text_str(&source), &why), "%d\n%s%s", _i,
                text_str(&source), text_str(&why));
  text_clear(&source);
  text_clear(&why);
  cdag_free(g);
}
END_TEST

/* Rows by hand: ends that lean by any slope, upwards and down, moves that repeat others, rows that are missing. */
static void random_rows(support_random *r, text *out)
{
  static const char *const verb[] = { "load S", "compute A", "drop S", "store A", "drop A",
                                      "erase S", "load A", "erase A", "load B" };
  static const char *const slope[] = { "",           " + x",       " - x",      " + 2*x",     " - 2*x",
                                       " + hi(x)", " - 2*hi(x)", " - lo(x)", " + len(x)", " + first(x)" };
  enum { SLOPES = sizeof slope / sizeof *slope };
  int lines = (int)support_between(r, 3, 9);
  text_add(out, support_between(r, 0, 1) ? "load B[*,*]\nfor t in 2 {\n" : "for t in 2 {\n");
  for (int i = 0; i < lines; i++) {
    int k = i == 0 ? 0 : i == 1 ? 1 : (int)support_between(r, 0, COUNT(verb) - 1);
    bool array = verb[k][strlen(verb[k]) - 1] == 'A', one = support_between(r, 0, 1);
    text_printf(out, "  for x in %d..%d%s {\n    %s[%s%s%s,", (int)support_between(r, -2, 2),
                (int)support_between(r, 3, 10), support_between(r, 0, 1) ? " reversed" : "", verb[k], array ? "t," : "",
                array ? "2*t" : "t", one ? " + x" : " - x + 7");
    text_printf(out, "max(%d%s,%d%s)..", (int)support_between(r, -2, 5), slope[support_between(r, 0, SLOPES - 1)],
                (int)support_between(r, -4, 3), slope[support_between(r, 0, SLOPES - 1)]);
    text_printf(out, "min(%d%s,%d%s)]", (int)support_between(r, 3, 9), slope[support_between(r, 0, SLOPES - 1)],
                (int)support_between(r, 4, 14), slope[support_between(r, 0, SLOPES - 1)]);
    if (k == 1 && support_between(r, 0, 1))
      text_printf(out, " dropping S[t%s,*]", one ? " + x" : " - x + 7");
    text_add(out, "\n  }\n");
  }
  text_add(out, "}\n");
}

/* An array whose rows read one another, some of them forwards, and a border by windows. */
static cdag *rows_of_own(support_random *r)
{
  static const char *const own[] = { "", ", A[t,x-1,y]", ", A[t,x,y-1]", ", A[t,x-1,y+1], A[t,x,y-2]", ", A[t,x+1,y-1]",
                                     ", A[t,x,y+1]", ", A[t,x+1,y]", ", S[x-1,y-1..y+2] if x == 1",
                                     ", B[x-1..x+2,y-1]", ", B[x..x+2,y-1], A[t,x-1,y-1]" };
  cdag *g;
  diag d = { 0 };
  text graph = { 0 };
  text_printf(&graph, "input S[x:9, y:10], B[x:9, 0..1]\nA[t:2, x:1..8, y:10] = S[x,y], S[x-1,y], A[t-1,x,y]%s\n"
                      "output A[1,*,*]\n",
              own[support_between(r, 0, COUNT(own) - 1)]);
  ck_assert_msg(cdag_parse(&g, "rows", text_str(&graph), "", &d) == OK, "%s\n%s", d.message, text_str(&graph));
  text_clear(&graph);
  return g;
}

/* All that is read from outside is there: what decides is the order of the rows and of what is in them. */
START_TEST(own_rows)
{
  support_random r = { (uint64_t)_i };
  cdag *g = rows_of_own(&r);
  text source = { 0 }, why = { 0 };
  int first = (int)support_between(&r, 1, 2), ends = (int)support_between(&r, 0, 1);
  text_printf(&source,
              "load S[*,*]\nload B[*,*]\nfor t in 2 {\n  for x in %d..%d%s {\n    compute A[t,x,max(%d,x - %d)..%s]\n"
              "  }\n}\n",
              first, (int)support_between(&r, 7, 8), support_between(&r, 0, 1) ? " reversed" : "",
              (int)support_between(&r, 0, 1), (int)support_between(&r, 3, 9), ends ? "min(10,x + 6)" : "10");
  ck_assert_msg(same_verdict(g, &(pebble_rules){ .m = 300 }, text_str(&source), &why), "seed %d\n%s%s", _i,
                text_str(&source), text_str(&why));
  text_clear(&source);
  text_clear(&why);
  cdag_free(g);
}
END_TEST

START_TEST(rows)
{
  support_random r = { (uint64_t)_i };
  cdag *g = rows_of_own(&r);
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 20, 120) };
  for (int i = 0; i < 40; i++) {
    text source = { 0 }, why = { 0 };
    random_rows(&r, &source);
    ck_assert_msg(same_verdict(g, &rules, text_str(&source), &why), "seed %d, M = %d\n%s%s", _i, (int)rules.m,
                  text_str(&source), text_str(&why));
    text_clear(&source);
    text_clear(&why);
  }
  cdag_free(g);
}
END_TEST

/* An array whose rows depend on what is behind them, computed from the last word of each down: a loop whose body is one
   word of a row, or some of an index behind it. */
static void random_downwards(support_random *r, text *computation, text *out)
{
  static const char *const read[] = { "A[t,x%c1,y]",  "A[t,x%c2,y]", "A[t,x%c1,y-1]", "A[t-1,x%c1,y]", "S[x%c1,y]",
                                      "A[t-1,x-1,y]", "S[x,y]",      "S[1,y]",        "R[t]" };
  static const char *const drops[] = { "A", "A[t-1,*,*]", "A[t,*,*]", "S", "A, S", "R", "S[2..6,*]", "A[t-1,3..6,*]" };
  bool wide = support_between(r, 0, 2) == 0;
  int steps = support_between(r, 0, 1) ? 4 : 20;
  char ahead = support_between(r, 0, 3) ? '+' : '-';
  text_printf(computation, "input S[12,3], R[%d]\nA[t:%d, x:1..9, y:%s] = R[0], S[x,0], A[t-1,x,y]", steps, steps,
              wide ? "3" : "1");
  for (int64_t k = support_between(r, 1, 4); k > 0; k--) {
    const char *one = read[support_between(r, 0, COUNT(read) - 1)], *sign = strchr(one, '%');
    text_printf(computation, ", %.*s", (int)(sign ? sign - one : 100), one);
    if (sign)
      text_printf(computation, "%c%s", ahead, sign + 2);
  }
  text_add(computation, "\noutput A[*,1,0]\n");
  text_add(out, "load R[*]\n");
  if (support_between(r, 0, 3))
    text_add(out, "load S[*,*]\n");
  text_printf(out, "for t in %d {\n", steps);
  if (support_between(r, 0, 3) == 0)
    text_printf(out, "  if t > %d { load S[*,*] }\n", (int)support_between(r, -1, 2));
  bool up = support_between(r, 0, 4) == 0, from_end = support_between(r, 0, 2) == 0;
  int lo = support_between(r, 0, 5) ? 0 : 3, hi = support_between(r, 0, 5) ? 10 : 8;
  text_printf(out, "  for x in %d..%d%s { compute A[t,%s,%s]", lo, hi, up == from_end ? " reversed" : "",
              from_end ? "9 - x" : "x", support_between(r, 0, 3) ? "*" : "0..2");
  if (support_between(r, 0, 2))
    text_printf(out, " dropping %s", drops[support_between(r, 0, COUNT(drops) - 1)]);
  text_add(out, " }\n");
  if (support_between(r, 0, 3))
    text_add(out, "  store A[t,1,0]\n");
  text_add(out, "}\n");
}

START_TEST(downwards)
{
  support_random r = { (uint64_t)_i };
  for (int i = 0; i < 40; i++) {
    text computation = { 0 }, source = { 0 }, why = { 0 };
    cdag *g = NULL;
    diag d = { 0 };
    random_downwards(&r, &computation, &source);
    ck_assert_msg(cdag_parse(&g, "downwards", text_str(&computation), "", &d) == OK, "%s", d.message);
    pebble_rules rules = { .m = (uint64_t)support_between(&r, 50, 160),
                           .variant = support_between(&r, 0, 1) ? PEBBLE_PLACING : PEBBLE_SLIDING,
                           .one_shot = support_between(&r, 0, 1) };
ck_assert_msg(same_verdict(g, &rules, text_str(&source), &why), "seed %d, M = %d\n%s%s%s", _i, (int)rules.m,
                  text_str(&computation), text_str(&source), text_str(&why));
    cdag_free(g);
    text_clear(&computation);
    text_clear(&source);
    text_clear(&why);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tilted");
  TCase *t = support_case(s, "tilted");
  tcase_add_loop_test(t, stars, 0, support_rounds(60));
  tcase_add_test(t, lengthy);
  tcase_add_loop_test(t, walls, 0, support_rounds(12));
  tcase_add_loop_test(t, far_boxes, 0, 20);
  tcase_add_loop_test(t, two_places, 0, 20);
  tcase_add_loop_test(t, own_rows, 0, support_rounds(200));
  tcase_add_loop_test(t, rows, 0, support_rounds(100));
  tcase_add_loop_test(t, downwards, 0, support_rounds(100));
  return support_run(s);
}
