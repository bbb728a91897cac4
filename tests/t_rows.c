/* Innermost loops unfolded many iterations at once, against the same program move by move: the verdict, and the place
 * where a rule breaks. */
#include "schedules/play/rows.h"
#include "schedules/language/parse.h"
#include "tests/support.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  pebble_game *game;
  const schedule_box *at;
} plain;

static bool play_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  plain *p = context;
  (void)slot;
  p->at = &at->box[box];
  return pebble_play(p->game, move);
}

static void play_plainly(const schedule *s, const pebble_rules *rules, schedule_verdict *v)
{
  plain p = { 0 };
  diag d = { 0 };
  schedule_run run;
  schedule_verdict_init(v, s->g);
  ck_assert_int_eq(pebble_new(&p.game, s->g, PEBBLE_BY_ELEMENT, rules, &d), OK);
  schedule_run_init(&run, s, play_move, &p);
  schedule_flow flow = schedule_run_node(&run, s->body);
  schedule_verdict_end(v, flow, &run, p.game, p.at);
  schedule_run_clear(&run);
  pebble_free(p.game);
}

static void print(const schedule_verdict *v, char *out, size_t n)
{
  const pebble_verdict *w = &v->verdict;
  snprintf(out, n,
           "legal %d: %ld loads, %ld stores, %ld computes, peak %ld, %ld moves, rule %d at %ld, missing %d %ld, needed "
           "%ld, line %d:%d, loops %s, why %s, by array %ld %ld",
           w->legal, (long)w->loads, (long)w->stores, (long)w->computes, (long)w->peak, (long)w->moves, (int)w->rule,
           w->legal ? 0 : (long)w->element.x[0], w->has_missing, w->has_missing ? (long)w->missing.x[0] : 0,
           (long)w->needed, v->line, v->column, v->loops.s ? v->loops.s : "", v->why, (long)v->loads_by_array[0],
           (long)v->stores_by_array[0]);
}

static void check(const cdag *g, const char *source, const char *assign, const pebble_rules *rules)
{
  schedule *s = NULL;
  diag d = { 0 };
  schedule_verdict fast, slow;
  char a[600], b[600];
  schedule_play_options o = { .rules = *rules };
  ck_assert_msg(schedule_parse(&s, g, rules->m, "text", source, assign, &d) == OK, "%s\n%s", d.message, source);
  play_plainly(s, rules, &slow);
  ck_assert_int_eq(schedule_play(s, &o, &fast, &d), OK);
  print(&fast, a, sizeof a);
  print(&slow, b, sizeof b);
  ck_assert_msg(!strcmp(a, b), "\nat once:     %s\none by one:  %s\n%s %s", a, b, assign, source);
  schedule_verdict_clear(&fast);
  schedule_verdict_clear(&slow);
  schedule_free(s);
}

static pebble_rules any_rules(support_random *r)
{
  return (pebble_rules){ .variant = (pebble_variant)support_between(r, 0, 2),
                         .one_shot = support_between(r, 0, 3) == 0,
                         .m = (uint64_t)support_between(r, 1, 40) };
}

/* ---- the library ---- */

START_TEST(library)
{
  static const struct {
    const char *family, *spec;
  } shape[] = { { "fft", "fft:l=%d" }, { "tree", "tree:h=%d" }, { "pyramid", "pyramid:h=%d" } };
  support_random r = { (uint64_t)_i };
  const schedule_listing *list;
  int k = _i % COUNT(shape), n = schedule_library(&list);
  char spec[32], assign[32] = "";
  cdag *g = NULL;
  diag d = { 0 };
  snprintf(spec, sizeof spec, shape[k].spec, (int)support_between(&r, 1, 7));
  if (k == 0)
    snprintf(assign, sizeof assign, "s=%d", (int)support_between(&r, 1, 7));
  pebble_rules rules = any_rules(&r);
  rules.m += support_between(&r, 0, 1) ? 140 : 0;
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  for (int i = 0; i < n; i++)
    if (!strcmp(list[i].family, shape[k].family))
      check(g, list[i].text, assign, &rules);
  cdag_free(g);
}
END_TEST

/* ---- random texts ---- */

typedef struct { text out; support_random r; } writer;

static int64_t any(writer *w, int64_t lo, int64_t hi) { return support_between(&w->r, lo, hi); }

/* Of the variables i, outside, and x; mostly small. */
static void expression(writer *w, int depth)
{
  static const char *const op[] = { "+", "+", "-", "*", "/", "%" };
  int kind = (int)any(w, 0, depth > 0 ? 9 : 3);
  if (kind <= 1)
    text_add(&w->out, "x");
  else if (kind == 2)
    text_add(&w->out, any(w, 0, 2) ? "i" : "pow(2, i)");
  else if (kind == 3)
    text_printf(&w->out, any(w, 0, 200) ? "%d" : "%d00000000000000000", (int)any(w, 0, 9));
  else if (kind == 4)
    text_add(&w->out, any(w, 0, 9) ? "-x" : "max(x, 3)");
  else {
    int k = (int)any(w, 0, 5);
    text_add(&w->out, "(");
    expression(w, depth - 1);
    text_printf(&w->out, " %s ", op[k]);
    if (k >= 4 && any(w, 0, 9))
      text_printf(&w->out, any(w, 0, 3) ? "%d" : "pow(2, %d)", (int)any(w, 1, 9));
    else
      expression(w, depth - 1);
    text_add(&w->out, ")");
  }
}

static void vertex(writer *w)
{
  text_add(&w->out, "v[");
  expression(w, 3);
  text_add(&w->out, "]");
}

static void one_move(writer *w)
{
  static const char *const verb[] = { "load", "load", "load", "store", "drop", "erase", "compute", "compute" };
  int kind = (int)any(w, 0, 7);
  text_printf(&w->out, "    %s ", verb[kind]);
  vertex(w);
  if (any(w, 0, 4) == 0) {
    text_add(&w->out, ", ");
    vertex(w);
  }
  if (kind >= 6 && any(w, 0, 2)) {
    text_add(&w->out, " dropping ");
    if (any(w, 0, 1))
      vertex(w);
    else
      text_add(&w->out, "v");
    if (any(w, 0, 5) == 0) {
      text_add(&w->out, ", ");
      vertex(w);
    }
  }
  text_add(&w->out, "\n");
}

/* Everything is loaded first, most of the time: else few moves are legal. */
static void write_text(writer *w, uint64_t vertices)
{
  static const char *const how[] = { "", "", " reversed", " snake" };
  if (any(w, 0, 3))
    text_printf(&w->out, "for x in %d { load v[x] }\n", (int)any(w, 1, (int64_t)vertices));
  text_printf(&w->out, "for i in %d {\n  for x in %d..%d%s {\n", (int)any(w, 1, 4), (int)any(w, -2, 3),
              (int)any(w, 0, 30), how[any(w, 0, 3)]);
  for (int k = (int)any(w, 1, 3); k > 0; k--)
    one_move(w);
  text_add(&w->out, "  }\n}\n");
}

static cdag *small_graph(support_random *r)
{
  char spec[64];
  cdag *g = NULL;
  diag d = { 0 };
  if (support_between(r, 0, 1))
    snprintf(spec, sizeof spec, "fft:l=%d", (int)support_between(r, 1, 4));
  else
    snprintf(spec, sizeof spec, "random:n=%d,seed=%d,degree=%d", (int)support_between(r, 5, 40),
             (int)support_between(r, 0, 99), (int)support_between(r, 1, 3));
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  return g;
}

START_TEST(random_texts)
{
  for (int k = 0; k < 20; k++) {
    writer w = { .r = { (uint64_t)_i * 20 + (uint64_t)k } };
    cdag *g = small_graph(&w.r);
    pebble_rules rules = any_rules(&w.r);
    write_text(&w, g->vertices);
    check(g, text_str(&w.out), "", &rules);
    text_clear(&w.out);
    cdag_free(g);
  }
}
END_TEST

/* Plays that go far: all values of x are of use.  What is longer than a row, what is not a row, and numbers at the
 * edge. */
static const char *const texts[] = {
  "for x in 3000 { load v[x % 7]\n drop v[x % 7] }",
  "for x in 3000 reversed { load v[x / 500]\n drop v[x / 500], v[x + 100] }",
  "for x in 2000 { load v[(x - 1000)*(x - 1000) % 5]\n drop v[(x*x - 2000*x + 1000000) % 5] }",
  "for x in 1500 { load v[-(x - 1500) / 400]\n drop v[(1500 - x) / 400] }\nfor x in 700 { load v[x % 8]\n drop v[(x + "
  "x / 699) % 8] }",
  "for x in 1100 { load v[x*8 % 8 + 9000000000*x]\n drop v[0] }\nfor x in 10 { load v[x] }",
  "for x in 600 { load v[2305843009213693951 - 2305843009213693951 + x*0]\n drop v[0*x] }\nfor x in 9 { load "
  "v[x*4000000000000000000 / 4000000000000000000] }",
  "for x in 600 { load v[x % 3 * 2]\n drop v[2*(x % 3)] }\nfor x in 5 { load v[x % (3 - x)] }",
  "for x in 600 { load v[x - 7 - x / 2 - x / 2]\n drop v[0 - 7 + x - x / 2*2] }\nfor x in 5 { load v[x / (3 - 3)] }",
  "for x in 16 { load v[x] }\nfor x in 8 { compute v[16 + 2*x] dropping v[2*x], v[2*x + 1] }\nfor x in 8 { load v[2*x "
  "+ 1] }\nfor x in 8 { load v[2*x] }",
  "for x in 5 { load v[x + len(x) + 8*first(x)] }\nfor x in 5 { drop v[hi(x) + 1 - last(x)] }",
  "for x in 20 { load v[x*1000000000000000000 / 1000000000000000000] }",
  "for x in 20 { load v[(x*100000000000000000 + x*100000000000000000 + x*100000000000000000 + x*100000000000000000 + "
  "x*100000000000000000) / 500000000000000000] }",
  "for x in 20 { load v[(x % 20*1000000000 + 1)*(x % 20*1000000000 + 1) / 1000000000000000000] }",
  "for x in 20 { load v[x % 20*1000000000000000000 / 1000000000000000000] }",
  "for x in 20 { load v[(9223372036854775800 + x) % 16] }",
  "for x in 6 { load v[(x%2 + x%3 + x%4 + x%5 + x%6 + x%7 + x%8 + x%9 + x%10 + x%11 + x%12 + x%13 + x%14 + x%15 + x%16 "
  "+ x%17 + x%18 + x%19)] }",
  "for x in 1..600 { load v[600 / x % 4]\n drop v[600 / x % 4] }\nfor x in 4 { load v[6 / (3 - x)] }",
  "for i in 5..6 { for x in i { load v[x]\n if last(i) { drop v[x] } } }\nfor x in 5 { load v[x + len(x) + 8*first(x)] "
  "}\nfor x in 5 { drop v[hi(x) + 1 - last(x)] }",
};

START_TEST(long_loops)
{
  cdag *g = NULL;
  diag d = { 0 };
  pebble_rules rules = { .m = _i % 2 ? 40 : 3 };
  ck_assert_int_eq(cdag_open(&g, "fft:l=4", &d), OK);
  check(g, texts[_i / 2], "", &rules);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("rows");
  TCase *c = support_case(s, "at once and one by one");
  tcase_add_loop_test(c, library, 0, support_rounds(300));
  tcase_add_loop_test(c, random_texts, 0, support_rounds(200));
  tcase_add_loop_test(c, long_loops, 0, 2 * COUNT(texts));
  return support_run(s);
}
