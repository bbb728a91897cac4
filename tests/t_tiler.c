/* The search for a schedule: what it finds is legal by both engines, the model's I/O is the played one, and families
   under another name reach what the library has. */
#include "base/embed.h"
#include "base/mem.h"
#include "base/num.h"
#include "schedules/tiler/find.h"
#include "schedules/tiler/judge.h"
#include "schedules/tiler/sweeps/sweep.h"
#include "tests/support_found.h"
#include "tests/support_random_cdag.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(random_computations)
{
  support_random r = { (uint64_t)_i };
  random_cdag_options o = { .plain = _i % 2 };
  text source = { 0 };
  cdag *g = support_random_cdag(&r, &o, &source);
  cdag_counts c;
  diag d = { 0 };
  ck_assert_int_eq(cdag_count(g, &c, &d), OK);
  pebble_rules rules = { .m = c.max_in_degree + 1 + (uint64_t)support_between(&r, 0, 20) };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  status st = schedule_find(g, &rules, &options, &f, &d);
  if (st == OK)
    support_check_found(g, &rules, &f, text_str(&source));
  else if (getenv("TILER_SHARE"))
    printf("SEED %d M=%d: %s\n%s\n", _i, (int)rules.m, d.message, text_str(&source));
  schedule_found_clear(&f);
  text_clear(&source);
  cdag_free(g);
}
END_TEST

/* ---- random sums and maps ---- */

/* A random affine computation of 2 to 4 statements: maps and sums over typed dimensions, rectangles and triangles. */
typedef struct { int rank, type[3]; bool chain, slanted; } made_array;

static int pick_index(support_random *r, const made_array *s, int type)
{
  int found[3], n = 0;
  for (int k = 0; k < s->rank; k++)
    if (s->type[k] == type)
      found[n++] = k;
  return n ? found[support_between(r, 0, n - 1)] : -1;
}

static void add_read(support_random *r, text *out, const made_array *a, const char *name, const made_array *s)
{
  static const char var[] = "ijk";
  text_printf(out, "%s[", name);
  for (int q = 0; q < a->rank; q++) {
    int v = pick_index(r, s, a->type[q]);
    text_add(out, q ? "," : "");
    if (a->chain && q == a->rank - 1)
      text_printf(out, "n%d-1", a->type[q]);
    else if (v >= 0 && !a->slanted && support_between(r, 0, 9) == 0)
      text_printf(out, "u%d[%c]", a->type[q], var[v]);
    else if (v >= 0 && (v != s->rank - 1 || support_between(r, 0, 3)))
      text_char(out, var[v]);
    else
      text_printf(out, v >= 0 ? "%c" : "0", v >= 0 ? var[v] : 0);
  }
  text_char(out, ']');
}

/* A condition on a variable of the statement; its first read always holds, so that no element is without one. */
static void add_condition(support_random *r, text *out, const made_array *s)
{
  static const char *const sign[] = { "==", "<=", "<", ">", ">=", "!=" };
  int v = (int)support_between(r, 0, s->rank - 1);
  text_printf(out, " if %c %s %d", "ijk"[v], sign[support_between(r, 0, COUNT(sign) - 1)],
              (int)support_between(r, 0, 2));
  if (support_between(r, 0, 3) == 0)
    text_printf(out, " && %c <= 2", "ijk"[s->rank - 1]);
}

static void random_affine(support_random *r, text *out)
{
  made_array a[8] = { { 0 } };
  char name[8][16];
  int inputs = (int)support_between(r, 1, 3), statements = (int)support_between(r, 2, 4), n = 0;
  text_printf(out, "param n0 = %d, n1 = %d, n2 = %d\n", (int)support_between(r, 1, 5), (int)support_between(r, 2, 5),
              (int)support_between(r, 2, 4));
  for (int t = 0; t < 3; t++)
    text_printf(out, "table u%d[I:n%d] = (I*I*%d + 1) %% n%d\n", t, t, (int)support_between(r, 1, 4), t);
  for (; n < inputs; n++) {
    a[n].rank = (int)support_between(r, 1, 2);
    snprintf(name[n], sizeof name[n], "A%d", n);
    text_printf(out, "input %s[", name[n]);
    for (int q = 0; q < a[n].rank; q++) {
      a[n].type[q] = (int)support_between(r, 0, 2);
      text_printf(out, "%sn%d", q ? "," : "", a[n].type[q]);
    }
    text_add(out, "]\n");
  }
  for (int s = 0; s < statements; s++, n++) {
    a[n].rank = (int)support_between(r, 1, 3);
    a[n].chain = support_between(r, 0, 1);
    snprintf(name[n], sizeof name[n], "S%d", s);
    text_printf(out, "%s%s[", s == statements - 1 && !a[n].chain ? "output " : "", name[n]);
    for (int q = 0; q < a[n].rank; q++) {
      a[n].type[q] = (int)support_between(r, 0, 2);
      bool slant = q == 1 && a[n].rank == 3 && a[n].type[0] == a[n].type[1] && support_between(r, 0, 2) == 0;
      a[n].slanted |= slant;
      text_printf(out, slant ? "%s%c:i+1" : "%s%c:n%d", q ? ", " : "", "ijk"[q], a[n].type[q]);
    }
    text_add(out, "] = ");
    if (a[n].chain) {
      text_printf(out, "%s[", name[n]);
      for (int q = 0; q < a[n].rank; q++)
        text_printf(out, "%s%c%s", q ? "," : "", "ijk"[q], q == a[n].rank - 1 ? "-1" : "");
      text_add(out, "], ");
    }
    int reads = (int)support_between(r, 1, 3),
        from = n > inputs && support_between(r, 0, 3) ? n - 1 : (int)support_between(r, 0, n - 1);
    for (int k = 0; k < reads; k++, from = (int)support_between(r, 0, n - 1)) {
      text_add(out, k ? ", " : "");
      add_read(r, out, &a[from], name[from], &a[n]);
      if (k && support_between(r, 0, 3) == 0)
        add_condition(r, out, &a[n]);
    }
    text_add(out, "\n");
    if (s == statements - 1 && a[n].chain) {
      text_printf(out, "output %s[", name[n]);
      for (int q = 0; q < a[n].rank - 1; q++)
        text_add(out, "*,");
      text_printf(out, "n%d-1]\n", a[n].type[a[n].rank - 1]);
    }
  }
}

/* Each gets a schedule with any memory that holds one element and what it reads. */
START_TEST(random_sums)
{
  support_random r = { (uint64_t)_i };
  text source = { 0 };
  cdag *g;
  cdag_counts c;
  diag d = { 0 };
  random_affine(&r, &source);
  ck_assert_msg(cdag_parse(&g, "random", text_str(&source), "", &d) == OK, "%s", text_str(&source));
  ck_assert_int_eq(cdag_count(g, &c, &d), OK);
  pebble_rules rules = { .m = c.max_in_degree + 1 + (uint64_t)support_between(&r, 0, 12) };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "seed %d, M=%d: %s\n%s", _i, (int)rules.m, d.message,
                text_str(&source));
  support_check_found(g, &rules, &f, text_str(&source));
  schedule_found_clear(&f);
  text_clear(&source);
  cdag_free(g);
}
END_TEST

/* ---- rows ---- */

/* Intervals: the row of the one that is computed stays, so that each split brings one word of a column. */
START_TEST(rows_of_intervals)
{
  cdag *g;
  diag d = { 0 };
  char size[16];
  int n = 8 + 8 * _i;
  snprintf(size, sizeof size, "n=%d", n);
  ck_assert_int_eq(cdag_parse(&g, "intervals",
                              "param n\ninput w[n], e[i:n, j:i..i+1]\n"
                              "P[i:n, j:i+1..n] = w[j], S[i,j-1,j-2], S[i+1,j,j-1]\n"
                              "S[i:n, j:i+1..n, k:i..j] = S[i,j,k-1], P[i,j] if k == i, S[i,k,k-1], S[k+1,j,j-1], "
                              "e[i,k], e[k+1,j]\noutput S[0,n-1,n-2]\n",
                              size, &d),
                   OK);
  pebble_rules rules = { .m = (uint64_t)(n + 24) };
  schedule_find_options options = { 0 };
  schedule_found f;
  ck_assert_int_eq(schedule_find(g, &rules, &options, &f, &d), OK);
  support_check_found(g, &rules, &f, size);
  ck_assert_msg((int64_t)(f.loads + f.stores) <= (int64_t)n * n * n / 6 + 2 * n * n, "%s: %s words", size,
                num_digits(f.loads + f.stores).s);
  schedule_found_clear(&f);
  cdag_free(g);
}
END_TEST

/* ---- lanes ---- */

/* The other lane that is read at a level, of 2^l: a butterfly's, from either end, and others that give no blocks, or
   blocks of two. */
static const char *const partners[] = {
  "i + pow(2, max(s-1, 0)) * (1 - 2 * (i / pow(2, max(s-1, 0)) % 2))",
  "i + pow(2, min(l-s, l-1)) * (1 - 2 * (i / pow(2, min(l-s, l-1)) % 2))",
  "pow(2,l) - 1 - i",
  "(5*i + s) % pow(2,l)",
  "i*i % pow(2,l)",
};
enum { BUTTERFLIES = 2 };

/* Levels whose lanes read others through a table: legal whatever the table says, with words of the input, of another
   array at each level, and levels that others want. */
START_TEST(lanes_by_levels)
{
  support_random r = { (uint64_t)_i };
  int l = (int)support_between(&r, 2, 5), kind = _i % (int)COUNT(partners), in_pass = (int)support_between(&r, 1, l);
  bool twiddled = support_between(&r, 0, 1), wanted = support_between(&r, 0, 2) == 0, begun = support_between(&r, 0, 1);
  text source = { 0 };
  text_printf(&source, "param l = %d\ntable p[s:l+1, i:pow(2,l)] = %s\ninput W[pow(2,l), l+1], G[pow(2,l)]\n", l,
              partners[kind]);
  text_printf(&source, "%sX[s:%sl+1, i:pow(2,l)] = X[s-1,i], X[s-1,p[s,i]]%s%s\noutput X[l,*]\n%s",
              begun ? "" : "input ", begun ? "1.." : "", begun ? ", G[i] if s == 1, G[p[s,i]] if s == 1" : "",
              twiddled ? ", W[p[s,i],s]" : "", wanted ? "output Y[i:pow(2,l)] = X[1,i]\n" : "");
  cdag *g;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "lanes", text_str(&source), "", &d) == OK, "%s: %s", text_str(&source), d.message);
  pebble_rules rules = { .m = (uint64_t)(2 + twiddled + begun) << in_pass };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%s: %s", text_str(&source), d.message);
  support_check_found(g, &rules, &f, text_str(&source));
  /* every pass of so many levels brings all lanes and takes them back; others' words come at their level */
  num_count n = (num_count)1 << l, passes = (num_count)((l + in_pass - 1) / in_pass),
            most = 2 * n * passes + (num_count)twiddled * n * (num_count)l +
                   (num_count)wanted * n * (num_count)(l + 2) + n;
  ck_assert_msg(kind >= BUTTERFLIES || f.loads + f.stores <= most, "%s: %s words, not %s", text_str(&source),
                num_digits(f.loads + f.stores).s, num_digits(most).s);
  schedule_found_clear(&f);
  text_clear(&source);
  cdag_free(g);
}
END_TEST

/* ---- sweeps ---- */

/* One read of array `name` at a constant distance, or a window; at the reader's own level only behind it, row by
   row. */
static void add_distance(support_random *r, text *out, char name, int axes, bool own_level)
{
  static const char *const by[] = { "-2", "-1", "", "+1", "+2" };
  bool behind = own_level;
  text_printf(out, "%c[t%s", name, own_level ? "" : support_between(r, 0, 5) ? "-1" : "-2");
  for (int q = 0; q < axes; q++) {
    int64_t d = behind ? support_between(r, 1, 2) : support_between(r, 1, 3);
    behind = behind && d == 2;
    text_printf(out, ",%c%s", "xyz"[q], behind && q == axes - 1 ? by[1] : by[d]);
    if (!own_level && d < 3 && support_between(r, 0, 2) == 0)
      text_printf(out, "..%c%s", "xyz"[q], by[support_between(r, d + 1, 4)]);
  }
  text_char(out, ']');
}

/* One to three arrays over levels of time, their borders inputs, each reading some of them a level or two before, or
   those before it at its own; the last level is output, or all. */
static void random_stencil(support_random *r, text *out)
{
  int axes = (int)support_between(r, 1, 3), n = (int)support_between(r, 1, 3);
  static const char *const over[] = { "x:n", "x:n, y:1..n+1", "x:n, y:1..n+1, z:n-1" };
  static const char *const at[] = { "x", "x,y", "x,y,z" };
  text_printf(out,
              "param n = %d, w = %d\ninput S[x:-4..n+8, l:1], F[x:-4..n+8]\n",
              (int)support_between(r, 3, axes == 1 ? 9 : 5), (int)support_between(r, 3, 8));
  for (int k = 0; k < n; k++) {
    text_printf(out, "%c[t:w, %s] = S[x%s,t], F[x%s]", 'A' + k, over[axes - 1], support_between(r, 0, 1) ? "" : "+1",
                support_between(r, 0, 1) ? "" : "-2");
    for (int64_t reads = support_between(r, 1, 3); reads > 0; reads--) {
      int from = (int)support_between(r, 0, n - 1);
      bool own = from <= k && support_between(r, 0, 2) == 0;
      text_add(out, ", ");
      if (own && from < k && support_between(r, 0, 1))
        text_printf(out, "%c[t,%s]", 'A' + from, at[axes - 1]);
      else
        add_distance(r, out, (char)('A' + from), axes, own);
    }
    text_add(out, "\n");
  }
  for (int k = 0; k < n; k++) {
    text_printf(out, "output %c[%s", 'A' + k, support_between(r, 0, 3) ? "w-1" : "*");
    for (int q = 0; q < axes; q++)
      text_add(out, ",*");
    text_add(out, "]\n");
  }
}

/* Without one of the lines that move something: whatever the text is then, both engines say the same. */
static void check_without_lines(const cdag *g, const pebble_rules *rules, const text *found)
{
  static const char *const words[] = { "load ", "drop ", "erase ", "store " };
  const char *end;
  for (const char *at = text_str(found); (end = strchr(at, '\n')); at = end + 1) {
    const char *word = at + strspn(at, " ");
    size_t k = 0;
    while (k < COUNT(words) && strncmp(word, words[k], strlen(words[k])) != 0)
      k++;
    if (k == COUNT(words))
      continue;
    text damaged = { 0 }, why = { 0 };
    pebble_verdict one, two;
    text_printf(&damaged, "%.*s%s", (int)(at - text_str(found)), text_str(found), end + 1);
    bool legal = support_plays(g, rules, text_str(&damaged), PEBBLE_BY_ELEMENT, &one, &why);
    bool same = support_plays(g, rules, text_str(&damaged), PEBBLE_BY_TILE, &two, &why) == legal;
    ck_assert_msg(same && one.rule == two.rule && one.loads == two.loads && one.stores == two.stores &&
                      one.computes == two.computes,
                  "%s%s", text_str(&damaged), text_str(&why));
    text_clear(&damaged);
    text_clear(&why);
  }
}

static const struct { const char *source, *sizes; uint64_t m; } windows[] = {
  { "param n, t\ninput G[n,n]\nA[s:t, i:n, j:n] = A[s-1,i-1..i+2,j-1..j+2], G[i,j] if s == 0\noutput A[t-1,*,*]\n",
    "n=60,t=10", 400 },
  { "param n, t\ninput G[n,n,n]\nA[s:t, i:n, j:n, k:n] = A[s-1,i-1..i+2,j-1..j+2,k-1..k+2], G[i,j,k] if s == 0\n"
    "output A[t-1,*,*,*]\n",
    "n=14,t=3", 300 },
  { "param n, t\ninput S[i:-1..n+1, z:1], W[2]\nB[s:t, i:n] = S[i-1..i+2,s], W[0], A[s-1,i-1..i+2]\n"
    "A[s:t, i:n] = B[s,i-1..i+2], W[1]\noutput A[t-1,*]\n",
    "n=70,t=12", 40 },
};

/* Windows named as ranges, and two arrays in turn whose front moves by two a level: swept, and judged by tiles as by
   elements. */
START_TEST(windows_swept)
{
  cdag *g;
  diag d = { 0 };
  pebble_rules rules = { .m = windows[_i].m };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  ck_assert_int_eq(cdag_parse(&g, "windows", windows[_i].source, windows[_i].sizes, &d), OK);
  ck_assert_int_eq(schedule_find(g, &rules, &options, &f, &d), OK);
  ck_assert_ptr_nonnull(strstr(text_str(&f.source), "schedule sweep"));
  support_check_found(g, &rules, &f, windows[_i].source);
  check_without_lines(g, &rules, &f.source);
  schedule_found_clear(&f);
  cdag_free(g);
}
END_TEST

/* What the sweep prints is legal, whatever the distances; and no text is refused but for its height. */
START_TEST(random_stencils)
{
  support_random r = { (uint64_t)_i };
  text source = { 0 };
  cdag *g;
  diag d = { 0 };
  random_stencil(&r, &source);
  ck_assert_msg(cdag_parse(&g, "random", text_str(&source), "", &d) == OK, "%s: %s", d.message, text_str(&source));
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 30, 400) };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  if (schedule_find(g, &rules, &options, &f, &d) == OK)
    support_check_found(g, &rules, &f, text_str(&source));
  bool tall = strstr(text_str(&f.refused), "rule memory") || strncmp(text_str(&f.refused), "# \n", 3) == 0;
  ck_assert_msg(!strstr(text_str(&f.refused), "schedule sweep") || tall, "seed %d, M=%d\n%s\n%s", _i,
                (int)rules.m, text_str(&source), text_str(&f.refused));
  schedule_found_clear(&f);
  text_clear(&source);
  cdag_free(g);
}
END_TEST

/* Sweeps in Gauss-Seidel order come near what blocks of a levels and strips of a columns cost, a = sqrt(M), of which
   one row a level stays: 4 / sqrt(M) words for each element, and what is moved anyway. */
START_TEST(sweeps_that_lean)
{
  support_random r = { (uint64_t)_i };
  int64_t n = support_between(&r, 500, 900), levels = support_between(&r, 100, 300);
  uint64_t m = (uint64_t)support_between(&r, 300, 1200);
  text spec = { 0 }, source = { 0 };
  cdag *g;
  diag d = { 0 };
  tiler_shape s;
  schedule *found;
  schedule_counts c = { 0 };
  text_printf(&spec,
              "param n = %d, t = %d\ninput B[i:n, j:n, z:1]\noutput A[t-1,*,*]\n"
              "A[s:t, i:n, j:n] = A[s,i-1,j+1], A[s,i,j-1], A[s-1,i,j+1], A[s-1,i+1,j], B[i,j,s]\n",
              (int)n, (int)levels);
  ck_assert_msg(cdag_parse(&g, "lean", text_str(&spec), "", &d) == OK, "%s", d.message);
  tiler_shape_init(&s, g, false);
  ck_assert(tiler_sweep(&s, (double)m, SWEEP_BEST, &source));
  ck_assert_int_eq(schedule_parse(&found, g, m, "lean", text_str(&source), "", &d), OK);
  pebble_rules rules = { .m = m };
  ck_assert(schedule_count(found, &rules, &c, &d) == OK && c.countable);
  double cells = (double)(n * n), expected = cells * (double)levels * 4 / sqrt((double)m) + 2 * cells;
  double io = (double)(c.loads + c.stores);
  ck_assert_msg(io <= 1.4 * expected, "seed %d: n = %d, %d levels, M = %d: %.0f words, not %.0f", _i, (int)n,
                (int)levels, (int)m, io, expected);
  schedule_counts_clear(&c);
  schedule_free(found);
  tiler_shape_clear(&s);
  text_clear(&spec);
  text_clear(&source);
  cdag_free(g);
}
END_TEST

/* Levels whose distances a table gives, multiples of some number, backwards and perhaps forwards. */
static void random_levels(support_random *r, int64_t n, int64_t levels, text *out)
{
  int64_t of = support_between(r, 1, 3);
  bool ahead = support_between(r, 0, 1);
  for (int k = 0; k < 1 + ahead; k++) {
    text_printf(out, "table %c[%d] = 0", 'f' + k, (int)levels);
    for (int64_t t = 1; t < levels; t++)
      text_printf(out, ", %d", (int)(of * support_between(r, k == 0, 6)));
    text_add(out, "\n");
  }
  text_printf(out, "input P[t:%d, i:2..%d] = P[t-1,i], P[t-1,i-f[t]]%s\noutput P[%d,*]\n", (int)levels, (int)n + 2,
              ahead ? ", P[t-1,i+g[t]]" : "", (int)levels - 1);
}

/* They are legal, and no level comes or goes more than once. */
START_TEST(levels_at_distances)
{
  support_random r = { (uint64_t)_i };
  int64_t n = support_between(&r, 4, 60), levels = support_between(&r, 2, 8);
  text source = { 0 };
  cdag *g;
  diag d = { 0 };
  schedule_found f;
  random_levels(&r, n, levels, &source);
  ck_assert_msg(cdag_parse(&g, "levels", text_str(&source), "", &d) == OK, "%s: %s", d.message, text_str(&source));
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 14, 60) };
  schedule_find_options options = { .no_library = true };
  ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%s: %s", d.message, text_str(&source));
  support_check_found(g, &rules, &f, text_str(&source));
  ck_assert_msg(!strstr(text_str(&f.refused), "schedule classes"), "seed %d, M=%d\n%s\n%s", _i, (int)rules.m,
                text_str(&source), text_str(&f.refused));
  ck_assert_msg(f.loads + f.stores <= (num_count)(2 * n * (levels - 1)), "seed %d, M=%d\n%s\n%s", _i, (int)rules.m,
                text_str(&source), text_str(&f.source));
  schedule_found_clear(&f);
  text_clear(&source);
  cdag_free(g);
}
END_TEST

/* Hillis and Steele's sums: k levels at a time are 2^k - 1 words that stay. */
START_TEST(sums_by_doubling)
{
  cdag *g;
  diag d = { 0 };
  schedule_found f;
  ck_assert_int_eq(cdag_parse(&g, "sums", "table far[s:13] = pow(2, max(s-1, 0))\noutput P[12,*]\n"
                                          "input P[s:13, i:4096] = P[s-1,i], P[s-1,i-far[s]]\n", "", &d), OK);
  for (int k = 2; k <= 12; k++) {
    pebble_rules rules = { .m = (uint64_t)1 << k };
    schedule_find_options options = { 0 };
    int levels = k == 12 ? 11 : k == 2 ? 1 : k - 1; /* two words more: one comes, one is computed */
    ck_assert_int_eq(schedule_find(g, &rules, &options, &f, &d), OK);
    ck_assert_msg(f.loads + f.stores == (num_count)(8192 * ((12 + levels - 1) / levels)), "M = 2^%d: %s", k,
                  text_str(&f.source));
    schedule_found_clear(&f);
  }
  cdag_free(g);
}
END_TEST

/* ---- families under other names ---- */

static const char *const families[][2] = { { "matmul", "m=20,n=18,k=16,acc=1" },
                                           { "attention", "n=40,d=4" },
                                           { "attention-causal", "n=24,d=3" },
                                           { "attention-sparse", "n=24,d=2,b=4" },
                                           { "mlp", "m=16,k=5,h=16,n=5" },
                                           { "cholesky", "n=20" },
                                           { "syrk", "n=20,k=8" },
                                           { "stencil", "w=40,t=9" },
                                           { "stencil2d", "w=14,t=5" },
                                           { "attention-online", "n=16,d=3,b=4" },
                                           { "matvec", "m=12,n=9" } };

static const char *family_text(const char *name)
{
  text path = { 0 };
  const embedded_file *f = embedded_files;
  text_printf(&path, "cdag/families/%s.cdag", name);
  while (f->path && strcmp(f->path, text_str(&path)) != 0)
    f++;
  text_clear(&path);
  ck_assert_ptr_nonnull(f->path);
  return f->text;
}

/* The least I/O of the library's texts, tuned; NUM_TOO_MANY: none fits. */
static num_count library_best(const cdag *g, const char *family, const pebble_rules *rules)
{
  const schedule_listing *list;
  num_count least = NUM_TOO_MANY;
  int n = schedule_library(&list);
  for (int i = 0; i < n; i++) {
    schedule *s = NULL;
    schedule_tuning t = { 0 };
    diag d = { 0 };
    if (strcmp(list[i].family, family) == 0 && schedule_parse(&s, g, rules->m, "", list[i].text, "", &d) == OK &&
        schedule_tune(s, rules, &t, &d) == OK && t.io < least)
      least = t.io;
    schedule_tuning_clear(&t);
    schedule_free(s);
  }
  return least;
}

START_TEST(families_under_other_names)
{
  cdag *own, *g;
  diag d = { 0 };
  text spec = { 0 };
  if (support_left_out(_i))
    return;
  text_printf(&spec, "%s:%s", families[_i][0], families[_i][1]);
  ck_assert_int_eq(cdag_open(&own, text_str(&spec), &d), OK);
  ck_assert_int_eq(cdag_parse(&g, "mine", family_text(families[_i][0]), families[_i][1], &d), OK);
  for (uint64_t m = 12; m <= 108; m *= 9) {
    if (support_rounds(1) == 1 && (m == 12) != (_i % 2)) /* small and large in turn; both with ROUNDS=2 */
      continue;
    pebble_rules rules = { .m = m };
    schedule_find_options options = { 0 };
    schedule_found f;
    num_count least = library_best(own, families[_i][0], &rules);
    status st = schedule_find(g, &rules, &options, &f, &d);
    ck_assert_msg(st == OK || !num_known(least), "%s M=%d: %s", text_str(&spec), (int)m, d.message);
    if (st == OK) {
      support_check_found(g, &rules, &f, text_str(&spec));
      ck_assert_msg(f.loads + f.stores <= least, "%s M=%d: %s", text_str(&spec), (int)m,
                    num_digits(f.loads + f.stores).s);
    }
    schedule_found_clear(&f);
  }
  text_clear(&spec);
  cdag_free(own);
  cdag_free(g);
}
END_TEST

/* Without the library: what the search reaches, against the least of the library (found, per thousand of it at most).
 */
static const struct { const char *family, *sizes; uint64_t m; int most; } hidden[] = {
  { "attention", "n=2048,d=32", 1024, 1000 },      { "attention", "n=2048,d=32", 8192, 1000 },
{ "matmul", "m=2000,n=2000,k=2000", 4096, 1000 },
  { "matmul", "m=4096,n=4096,k=8", 1024, 1000 },   { "mlp", "m=1024,k=256,h=1024,n=256", 4096, 1000 },
  { "mlp", "m=1024,k=16,h=1024,n=16", 4096, 1000 }, { "syrk", "n=500,k=500", 1024, 1000 },
  { "matvec", "m=900,n=800", 100, 1000 },
};

START_TEST(families_without_the_library)
{
  cdag *g;
  diag d = { 0 };
  text spec = { 0 };
  pebble_rules rules = { .m = hidden[_i].m };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  text_printf(&spec, "%s:%s", hidden[_i].family, hidden[_i].sizes);
  ck_assert_int_eq(cdag_open(&g, text_str(&spec), &d), OK);
  ck_assert_int_eq(schedule_find(g, &rules, &options, &f, &d), OK);
  num_count least = library_best(g, hidden[_i].family, &rules), io = f.loads + f.stores;
  ck_assert_msg(io * 1000 <= least * (num_count)hidden[_i].most, "%s: %s, the library %s", text_str(&spec),
                num_digits(io).s, num_digits(least).s);
  schedule_found_clear(&f);
  text_clear(&spec);
  cdag_free(g);
}
END_TEST

/* ---- I/O worked out by hand ---- */

static const struct { const char *source, *sizes; uint64_t m, io;
} known[] = {
  /* C stays, 4 x 4 words and one more; A and B come twice each: 2 * 64 / 4 ... 8 x 8 x 8 in tiles of a x b: 64 * 8/a +
     64 * 8/b + 64 */
  { "param n\ninput A[n,n], B[n,n]\nC[i:n,j:n,k:n] = C[i,j,k-1], A[i,k], B[k,j]\noutput C[*,*,n-1]\n", "n=8", 23,
    64 + 128 + 128 },
  /* one pass: both sums read a word of A once, x and y whole: 6*7 + 7 + 6 words in, 6 + 7 out */
  { "param m n\ninput A[m,n], x[n], y[m]\nu[i:m,j:n] = u[i,j-1], A[i,j], x[j]\nv[j:n,i:m] = v[j,i-1], A[i,j], "
    "y[i]\noutput u[*,n-1], v[*,m-1]\n",
    "m=6,n=7", 40, 42 + 13 + 13 },
  /* the same with sums that begin with inputs, in less memory: five of v and of x stay, all y and u come by for each of
     the four: 400 + 2 * 20 in and 20 out, 4 * 20 of y, 4 * 2 * 20 of u */
  { "param n\ninput A[n,n], x[n], y[n], a[n,1], b[n,1]\nu[i:n,j:n] = u[i,j-1], a[i,j], A[i,j], x[j]\n"
    "v[j:n,i:n] = v[j,i-1], b[j,i], A[i,j], y[i]\noutput u[*,n-1], v[*,n-1]\n",
    "n=20", 14, 400 + 60 + 80 + 160 },
  /* a map of a map: nothing but inputs and outputs moves */
  { "param n\ninput A[n,n]\nB[i:n,j:n] = A[i,j]\noutput C[i:n,j:n] = B[i,j], A[i,j]\n", "n=9", 4, 162 },
  /* a sum that begins where another ends: all fits, so every word moves once, 6 + 4 + 12 + 8 in and 2 out */
  { "param n\ninput Q[2,3], R[2,2], C[n,3], K[n,2]\nS[i:2,j:n,k:3] = S[i,j,k-1], Q[i,k], C[j,k]\n"
    "T[i:2,j:n,k:2] = T[i,j,k-1], S[i,j,2+k], R[i,k], K[j,k]\nL[i:2,j:n] = L[i,j-1], T[i,j,1]\noutput L[*,n-1]\n",
    "n=4", 40, 32 },
  /* two blocks of levels: the input, the levels between them twice and the last one; the names are those of the text's
     own loops */
  { "param a, t\ninput x[a]\nB[s:t, i:a] = x[i] if s == 0, B[s-1,i-1], B[s-1,i], B[s-1,i+1]\noutput B[t-1,*]\n",
    "a=40,t=12", 20, 4 * 40 },
  /* two blocks of 30 rows: A once, B twice, the row between them twice, and of the last one the output alone */
  { "param n\ninput A[n], B[n]\nL[i:n, j:n] = L[i-1,j-1], L[i-1,j], L[i,j-1], A[i], B[j]\noutput L[n-1,n-1]\n", "n=60",
    64, 5 * 60 + 1 },
  /* a gather, whose index is no affine form, and a product: each array moves once */
  { "param n\ntable p[i:n] = 3*i % n\ninput A[n,n], B[n,n]\nP[i:n, k:n] = A[p[i],k]\n"
    "C[i:n, j:n, k:n] = C[i,j,k-1], P[i,k], B[k,j]\noutput C[*,*,n-1]\n",
    "n=8", 80, 3 * 64 },
  /* rows of two matrices, as a table says: 6 x 6 sums stay with two rows of B and a word of A; A and B come once for
     each of the tiles that share them, 2 * 144 + 2 * 2 * 144 words, and C goes */
  { "param n\ntable w[i:n] = i / 3 % 2\ninput A[n,n], B[2,n,n]\n"
    "C[i:n, j:n, k:n] = C[i,j,k-1], A[i,k], B[w[i],k,j]\noutput C[*,*,n-1]\n",
    "n=12", 49, 2 * 144 + 4 * 144 + 144 },
  /* powers of a matrix: four rows of A stay, the others come three times, x once; what is multiplied stays until it has
     been read */
  { "param n t\ninput A[n,n], x[n]\nY[s:t, i:n] = sum j:n { A[i,j], Y[s-1,j], x[j] if s == 0 }\noutput Y[t-1,*]\n",
    "n=8,t=3", 60, 32 + 3 * 32 + 8 + 8 },
  /* y of one iteration and the one before, both sums, and z whole; w is loaded once for each s */
  { "param n t\ninput z[n], w[t]\ny[s:t, i:n] = y[s-1,i], y[s-1,n-1-i], z[i], q[s-1]\n"
    "q[s:t] = sum i:n { y[s,i], w[s] }\noutput q[t-1]\n",
    "n=6,t=5", 40, 6 + 5 + 1 },
  /* the same in place: y[s,i] and y[s,n-1-i] take the places of the two they read */
  { "param n t\ninput z[n], w[t]\ny[s:t, i:n] = y[s-1,i], y[s-1,n-1-i], z[i], q[s-1]\n"
    "q[s:t] = sum i:n { y[s,i], w[s] }\noutput q[t-1]\n",
    "n=60,t=5", 60 + 60 + 2 + 4 + 16, 60 + 5 + 1 },
  /* so does a range that grows, from its other end, with a reader of the old ones before */
  { "param n\ninput a[n], b[n]\nZ[k:1..n, i:2..k+2] = Z[k-1,i], Z[k-1,k+3-i], S[k,k+1], b[k-1] if k == i - 1\n"
    "S[k:1..n, i:1..k+2] = S[k,i-1], Z[k-1,i], a[k]\noutput Z[n-1,*]\n",
    "n=40", 40 + 2 + 4 + 16, 3 * 39 },
  /* Levinson and Durbin: the state of a step stays on chip, and the last one alone is stored */
  { "param n\ninput r[n]\ny[k:1, z:1] = r[0]\nb[k:1..n] = b[k-1], a[k-1,0], y[k-1,0]\n"
    "S[k:1..n, i:k] = S[k,i-1], r[k-i-1], Z[k-1,i], a[k-1,i-k+1], y[k-1,i-k+1]\n"
    "a[k:1..n, z:1] = r[k], S[k,k-1], b[k]\n"
    "Z[k:1..n, i:k] = a[k,0], Z[k-1,i], a[k-1,i-k+1], y[k-1,i-k+1], Z[k-1,k-1-i], a[k-1,-i], y[k-1,-i]\n"
    "output Z[n-1,*], a[n-1,0]\n",
    "n=40", 150, 2 * 40 + 3 },
  /* the last element of a row reads none of the row before; indices from 1, and a first step that reads none */
  { "param n\ninput r[n]\nb[k:n] = r[0] if k == 0, b[k-1] if k > 0, y[k-1,k-1] if k > 0\n"
    "a[k:n] = r[k], b[k], s[k,k-1] if k > 0\ns[k:1..n, i:k] = s[k,i-1], r[k-1-i], y[k-1,i]\n"
    "y[k:n, i:k+1] = a[k], y[k-1,i] if i < k, y[k-1,k-1-i] if i < k\noutput y[n-1,*]\n",
    "n=40", 150, 2 * 40 },
  { "param n\ninput R[1..n+1]\nc[i:2..n+1, j:1..i] = c[i,j-1], t[i-1,j], q[i-1] if j+1 == i, R[i-j]\n"
    "q[i:1..n+1] = R[i], c[i,i-1], e[i-1]\ne[i:1..n+1] = e[i-1], q[i]\n"
    "t[i:2..n+1, j:1..i] = q[i-1] if j+1 == i, t[i-1,j], q[i], q[i-1] if j == 1, t[i-1,i-j]\n"
    "output q[n]\noutput t[n,*]\n", "n=40", 150, 2 * 40 },
  /* there along rows and back down columns: three columns of the level before stay, and the row under way; what hands
     on down a column keeps one word of it, and nothing is kept for the first level alone */
  { "param n, t\ninput x[n,n,1]\n"
    "q[s:t, i:n, j:n] = q[s,i,j-1], u[s-1,j,i-1], u[s-1,j,i], u[s-1,j,i+1], x[j,i,s]\n"
    "u[s:t, j:n, i:n] = u[s,j+1,i], q[s,i,j]\noutput u[*,*,*]\n",
    "n=20,t=3", 4 * 20 + 18, 3 * 400 + 3 * 400 },
  /* where the last level alone goes out, a pass walks across the columns and makes a level and the sums there of the
     next one; another makes the rest */
  { "param n, t\ninput x[n,n,1]\n"
    "q[s:t, i:n, j:n] = q[s,i,j-1], u[s-1,j,i-1], u[s-1,j,i], u[s-1,j,i+1], x[j,i,s]\n"
    "u[s:t, j:n, i:n] = u[s,j+1,i], q[s,i,j]\noutput u[t-1,*,*]\n",
    "n=20,t=3", 4 * 20 + 18, 2 * 400 + 2 * 400 },
  /* along rows forwards, and backwards, and their sum: a row comes once, and its sums go */
  { "param n\ninput A[n,n]\nf[i:n, j:n] = f[i,j-2], f[i,j-1], A[i,j]\nb[i:n, j:n] = b[i,j+2], b[i,j+1], A[i,j]\n"
    "output S[i:n, j:n] = f[i,j], b[i,j]\n",
    "n=8", 60, 2 * 64 },
  /* all pairs of one array: a block of six stays, and the others come by */
  { "param n\ninput x[n]\nF[i:n, j:n] = F[i,j-1], x[i], x[j]\noutput F[*,n-1]\n", "n=36", 14, 6 * 36 + 36 },
  /* windows given as ranges are swept as listed neighbours are; where each level goes out, it does so once, and of what
     was computed 56 words beside strips of five columns come again */
  { "param n, t\ninput G[n,n]\nA[s:t, i:n, j:n] = A[s-1,i-1..i+2,j-1..j+2], G[i,j] if s == 0\noutput A[t-1,*,*]\n",
    "n=8,t=3", 60, 240 },
  { "param n, t\ninput G[n,n]\noutput A[s:t, i:n, j:n] = A[s-1,i-1..i+2,j-1..j+2], G[i,j] if s == 0\n",
    "n=8,t=3", 60, 64 + 3 * 64 + 56 },
};

START_TEST(known_io)
{
  cdag *g;
  diag d = { 0 };
  pebble_rules rules = { .m = known[_i].m };
  schedule_find_options options = { 0 };
  schedule_found f;
  ck_assert_int_eq(cdag_parse(&g, "known", known[_i].source, known[_i].sizes, &d), OK);
  ck_assert_int_eq(schedule_find(g, &rules, &options, &f, &d), OK);
  support_check_found(g, &rules, &f, known[_i].source);
  ck_assert_msg(f.loads + f.stores == known[_i].io, "%s: %s", known[_i].source, num_digits(f.loads + f.stores).s);
  schedule_found_clear(&f);
  cdag_free(g);
}
END_TEST

/* ---- what ebbs ---- */

/* An array that comes by in each step where another one stays: what that leaves of M holds the front of it, all but 26
   words; grows: that is a row of k words in step k. */
static const struct { const char *source; bool grows; } ebbing[] = {
  { "param n, t\ninput z[n], w[t]\ny[s:t, i:n] = y[s-1,i], y[s-1,n-1-i], z[i], q[s-1]\n"
    "q[s:t] = sum i:n { y[s,i], w[s] }\noutput q[t-1]\n", false },
  { "param n, t\ninput r[n]\ny[k:1, z:1] = r[0]\nb[k:1..n] = b[k-1], a[k-1,0], y[k-1,0]\n"
    "S[k:1..n, i:k] = S[k,i-1], r[k-i-1], Z[k-1,i], a[k-1,i-k+1], y[k-1,i-k+1]\n"
    "a[k:1..n, z:1] = r[k], S[k,k-1], b[k]\n"
    "Z[k:1..n, i:k] = a[k,0], Z[k-1,i], a[k-1,i-k+1], y[k-1,i-k+1], Z[k-1,k-1-i], a[k-1,-i], y[k-1,-i]\n"
    "output Z[n-1,*], a[n-1,0]\n", true },
  { "param n, t\ninput r[n]\nb[k:n] = r[0] if k == 0, b[k-1] if k > 0, y[k-1,k-1] if k > 0\n"
    "a[k:n] = r[k], b[k], s[k,k-1] if k > 0\ns[k:1..n, i:k] = s[k,i-1], r[k-1-i], y[k-1,i]\n"
    "y[k:n, i:k+1] = a[k], y[k-1,i] if i < k, y[k-1,k-1-i] if i < k\noutput y[n-1,*]\n", true },
};

START_TEST(part_of_what_has_no_room)
{
  enum { N = 44, T = 6 };
  cdag *g;
  diag d = { 0 };
  ck_assert_int_eq(cdag_parse(&g, "ebbing", ebbing[_i].source, "n=44,t=6", &d), OK);
  for (int m = N + 30; m < 2 * N + 30; m += 9) {
    pebble_rules rules = { .m = (uint64_t)m, .one_shot = m % 2 };
    schedule_find_options options = { .no_library = true };
    schedule_found f;
    int most = 2 * N + T + 6; /* each word once, and in each step what is not held */
    for (int k = 1; k < (ebbing[_i].grows ? N : T); k++)
      most += ebbing[_i].grows ? (int)num_max(0, k + 1 - num_max(0, m - 26 - k)) : (int)num_max(0, 2 * N + 26 - m);
    ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "M = %d: %s", m, d.message);
    support_check_found(g, &rules, &f, ebbing[_i].source);
    ck_assert_msg(f.loads + f.stores <= (num_count)most, "M = %d: %s words, not %d, for %s", m,
                  num_digits(f.loads + f.stores).s, most, ebbing[_i].source);
    schedule_found_clear(&f);
  }
  cdag_free(g);
}
END_TEST

/* An input that each step reads whole and that does not fit: its first words stay, the fewer the longer the state of
   the steps, and the others come by.  Of the state the same where it does not fit: of pairs that come by each is loaded
   by the sum and with its pair. */
static const char *const in_part[] = {
  "param n, t\ninput r[n], x[t,n]\nS[k:t, i:n] = S[k,i-1], r[i], x[k,i], S[k-1,n-1]\noutput S[t-1,n-1]\n",
  "param n, t\ninput r[n]\ny[k:1, z:1] = r[0]\nb[k:1..n] = b[k-1], a[k-1,0], y[k-1,0]\n"
  "S[k:1..n, i:k] = S[k,i-1], r[k-i-1], Z[k-1,i], a[k-1,i-k+1], y[k-1,i-k+1]\n"
  "a[k:1..n, z:1] = r[k], S[k,k-1], b[k]\n"
  "Z[k:1..n, i:k] = a[k,0], Z[k-1,i], a[k-1,i-k+1], y[k-1,i-k+1], Z[k-1,k-1-i], a[k-1,-i], y[k-1,-i]\n"
  "output Z[n-1,*], a[n-1,0]\n"
};
START_TEST(words_stay_in_part)
{
  enum { FIXED, GROWING, SMALL, CASES, OTHERS = 40 }; /* words that may go elsewhere */
  support_random r = { (uint64_t)_i };
  int64_t n = support_between(&r, 60, 110), t = support_between(&r, 3, 20);
  int which = _i % CASES;
  int64_t left = support_between(&r, 4, n - 10), m = OTHERS + left + (which == GROWING ? n : 0), most = 2 * n + 4;
  const char *source = in_part[which != FIXED];
  for (int64_t k = 1; k < (which == FIXED ? t + 1 : n); k++)
    most += which == FIXED     ? n + n - left
            : which == GROWING ? num_max(k - (left + n - k), 0)
                               : k + 2 * num_max(k - left, 0);
  cdag *g;
  diag d = { 0 };
  text sizes = { 0 };
  pebble_rules rules = { .m = (uint64_t)m };
  schedule_find_options options = { 0 };
  schedule_found f;
  text_printf(&sizes, "n=%d,t=%d", (int)n, (int)t);
  ck_assert_int_eq(cdag_parse(&g, "part", source, text_str(&sizes), &d), OK);
  ck_assert_int_eq(schedule_find(g, &rules, &options, &f, &d), OK);
  support_check_found(g, &rules, &f, source);
  ck_assert_msg(f.loads <= (num_count)most, "seed %d, %s, M=%d: loads %s, not %d", _i, text_str(&sizes), (int)m,
                num_digits(f.loads).s, (int)most);
  schedule_found_clear(&f);
  text_clear(&sizes);
  cdag_free(g);
}
END_TEST

/* ---- pairs of rows ---- */

/* A A^T in five spellings: below the diagonal or above it, with and without it, rows that begin at 3, a word that all
   pairs of a step share, two operands and a statement that takes the sum.  Then without its symmetry, (j,i) beside
   (i,j): also with a first value, rows from 3 on, two operands, and with sums of the results' rows and columns.
   words: of an operand's row in a step; all: both orders. */
static const struct { const char *source; int words; bool all; } pairs[] = {
  { "param n, m\ninput A[n,m]\nR[i:n, j:i+1, k:m] = R[i,j,k-1], A[i,k], A[j,k]\noutput R[*,*,m-1]\n", 1, false },
  { "param n, m\ninput A[m,n]\nR[i:n-1, j:i+1..n, k:m] = A[k,j], A[k,i], R[i,j,k-1]\noutput R[*,*,m-1]\n", 1, false },
  { "param n, m\ninput A[m,3..n+3], w[m]\nR[i:3..n+3, j:3..i, k:m] = R[i,j,k-1], A[k,i], A[k,j], w[k]\n"
    "output R[*,*,m-1]\n", 1, false },
  { "param n, m\ninput A[n,m], C[n,n]\nR[k:m, j:n, i:j..n] = R[k-1,j,i], A[i,k], A[j,k]\n"
    "Z[i:n, j:i+1] = R[m-1,j,i], C[i,j]\noutput Z[*,*]\n", 1, false },
  { "param n, m\ninput A[n,m], B[n,m]\nR[i:n, j:i+1, k:m] = R[i,j,k-1], A[i,k], B[j,k], B[i,k], A[j,k]\n"
    "output R[*,*,m-1]\n", 2, false },
  { "param n, m\ninput A[m,n]\noutput R[i:n, j:n] = sum k:m { A[k,i], A[k,j] }\n", 1, true },
  { "param n, m\ninput A[n,m], C[n,n]\nR[k:m, i:n, j:n] = R[k-1,i,j], C[j,i] if k == 0, A[j,k], A[i,k]\n"
    "output R[m-1,*,*]\n", 1, true },
  { "param n, m\ninput A[3..n+3,m], q[3..n+3]\nR[i:3..n+3, j:3..n+3] = sum k:m { A[i,k], A[j,k] }\n"
    "output Z[j:3..n+3, i:3..n+3] = R[i,j], q[i], q[j]\n", 1, true },
  { "param n, m\ninput A[n,m], B[n,m]\noutput R[j:n, i:n] = sum k:m { A[i,k], B[j,k], B[i,k], A[j,k] }\n", 2, true },
  { "param n, m\ninput A[n,m]\noutput R[i:n, j:n] = sum k:m { A[i,k], A[j,k] }\noutput r[i:n] = sum j:n { R[i,j] }\n"
    "output c[j:n] = sum i:n { R[i,j] }\n", 1, true },
};

START_TEST(pairs_by_triangles)
{
  enum { M = 60, SIDE = 7 };   /* a square of 7 x 7, its row and one word more */
  bool all = pairs[_i].all;
  int64_t rows = all ? 70 : 110, steps = all ? 30 : 60;
  cdag *g;
  diag d = { 0 };
  pebble_rules rules = { .m = M };
  schedule_find_options options = { 0 };
  schedule_found f;
  ck_assert_int_eq(cdag_parse(&g, "pairs", pairs[_i].source, all ? "n=70,m=30" : "n=110,m=60", &d), OK);
  ck_assert_int_eq(schedule_find(g, &rules, &options, &f, &d), OK);
  support_check_found(g, &rules, &f, pairs[_i].source);
  num_count squares = (num_count)(pairs[_i].words * rows * (rows - 1) * steps / SIDE);
  if (all) /* made apart they load twice as much, and together 7/10 of that and what comes with the results */
    squares = squares * 2 * 9 / 10;
  else
    ck_assert_msg(strstr(text_str(&f.source), "triangular blocks") != NULL, "%s", text_str(&f.source));
  ck_assert_msg(f.loads < squares, "%s: %s, squares load %s", pairs[_i].source, num_digits(f.loads).s,
                num_digits(squares).s);
  schedule_found_clear(&f);
  cdag_free(g);
}
END_TEST

/* A play and a count whose time is over say so, and are no verdict. */
START_TEST(time_is_over)
{
  cdag *g;
  schedule *s;
  diag d = { 0 };
  pebble_rules rules = { .m = 10 };
  schedule_find_options options = { 0 };
  schedule_found f;
  ck_assert_int_eq(cdag_parse(&g, "chain", "param n\ninput A[n,n]\noutput S[i:n, j:n] = S[i,j-1], S[i-1,j], A[i,j]\n",
                              "n=30", &d), OK);
  ck_assert_int_eq(schedule_find(g, &rules, &options, &f, &d), OK);
  ck_assert(f.played);
  ck_assert_int_eq(schedule_parse(&s, g, rules.m, "found", text_str(&f.source), "", &d), OK);
  s->until = 1e-9;
  schedule_play_options o = { .rules = rules, .engine = PEBBLE_BY_ELEMENT };
  schedule_verdict played = { 0 };
  schedule_counts c = { 0 };
  ck_assert_int_eq(schedule_play(s, &o, &played, &d), GAVE_UP);
  ck_assert_int_eq(schedule_count(s, &rules, &c, &d), OK);
  ck_assert(!c.countable);
  schedule_verdict_clear(&played);
  schedule_counts_clear(&c);
  schedule_free(s);
  schedule_found_clear(&f);
  cdag_free(g);
}
END_TEST

/* An element and all that it reads are red at once. */
START_TEST(more_is_read_than_fits)
{
  cdag *g;
  diag d = { 0 };
  schedule_find_options options = { 0 };
  ck_assert_int_eq(cdag_parse(&g, "rows", "input X[3,9]\noutput Y[i:3] = X[i,*]\n", "", &d), OK);
  for (uint64_t m = 9; m <= 10; m++) {
    pebble_rules rules = { .m = m };
    schedule_found f;
    status st = schedule_find(g, &rules, &options, &f, &d);
    if (m == 10)
      ck_assert_msg(st == OK, "%s", d.message);
    else
      ck_assert_msg(st == GAVE_UP && strstr(d.message, "reads 9 others, and 8 fit"), "%s", d.message);
    schedule_found_clear(&f);
  }
  cdag_free(g);
}
END_TEST

/* What was seen of a text is kept: its count where the play was given up, and where it went to the end all of it. */
START_TEST(a_text_is_judged_once)
{
  static const char *const source = "schedule s\nfor i in n {\n  load A[i]\n  compute X[i] dropping A\n  store X[i]\n"
                                    "  if i % 7 == i*i % 5 { load A[i] drop A[i] }\n  drop X[i]\n}\n",
                            *const tall = "schedule s\nload A[*]\ncompute X[*] dropping A\nstore X[*]\ndrop X[*]\n";
  tiler_patience counted = { .count_only = true }, once = { .iterations = 1 }, all = { .iterations = 0 },
                 less = { .below = 20 };
  pebble_rules rules = { .m = 10 };
  tiler_docket judged = { 0 };
  tiler_verdict v, w;
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_int_eq(cdag_parse(&g, "once", "param n = 300\ninput A[n]\noutput X[i:n] = A[i]\n", "", &d), OK);
  tiler_judge(g, &rules, source, &counted, &judged, &v);
  ck_assert_msg(v.counted && v.fits && v.long_winded && !v.legal, "%s", v.why);
  tiler_judge(g, &rules, source, &once, &judged, &v); /* which a count would not end in, either */
  ck_assert_msg(v.counted && v.fits && v.long_winded && !v.legal, "%s", v.why);
  tiler_judge(g, &rules, source, &all, &judged, &w);
  ck_assert_msg(w.legal && !w.long_winded, "%s", w.why);
  ck_assert(w.loads == v.loads && w.stores == v.stores && w.peak == v.peak);
  tiler_judge(g, &rules, source, &once, &judged, &v);
  ck_assert_msg(v.legal && !v.long_winded && v.loads == w.loads, "%s", v.why);
  tiler_judge(g, &rules, source, &less, &judged, &v);
  ck_assert(v.dear && !v.legal);
  tiler_judge(g, &rules, tall, &all, &judged, &v);
  ck_assert_msg(v.counted && !v.fits && !v.legal && v.peak > rules.m, "peak %d", (int)v.peak);
  ck_assert_uint_eq(judged.n, 2);
  tiler_docket_clear(&judged);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tiler");
  TCase *t = support_case(s, "random");
  tcase_add_loop_test(t, random_computations, 0, support_rounds(120));
  tcase_add_loop_test(t, random_sums, 0, support_rounds(36));
  tcase_add_loop_test(t, pairs_by_triangles, 0, COUNT(pairs));
  tcase_add_loop_test(t, rows_of_intervals, 0, 3);
  tcase_add_loop_test(t, lanes_by_levels, 0, support_rounds(60));
  tcase_add_loop_test(t, random_stencils, 0, support_rounds(24));
  tcase_add_loop_test(t, sweeps_that_lean, 0, support_rounds(6));
  tcase_add_loop_test(t, windows_swept, 0, COUNT(windows));
  tcase_add_loop_test(t, levels_at_distances, 0, support_rounds(40));
  tcase_add_test(t, sums_by_doubling);
  t = support_case(s, "families");
  tcase_add_loop_test(t, families_under_other_names, 0, COUNT(families));
  tcase_add_loop_test(t, families_without_the_library, 0, COUNT(hidden));
  tcase_add_loop_test(t, part_of_what_has_no_room, 0, COUNT(ebbing));
  tcase_add_loop_test(t, known_io, 0, COUNT(known));
  tcase_add_loop_test(t, words_stay_in_part, 0, support_rounds(30));
  tcase_add_test(t, time_is_over);
  tcase_add_test(t, more_is_read_than_fits);
  tcase_add_test(t, a_text_is_judged_once);
  return support_run(s);
}
