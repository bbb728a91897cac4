/* The engines where other tests do not come: numbers beyond its quick path, outputs that selections name twice, boxes
 * on explicit graphs. */
#include "base/mem.h"
#include "pebble/element/element.h"
#include "tests/support.h"
#include <stdio.h>
#include <string.h>

static cdag *parse(const char *source, const char *assign)
{
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "element", source, assign, &d) == OK, "%s: line %d: %s", source, d.line, d.message);
  return g;
}

/* ---- the quick path and the plain one ---- */

/* The move, and with `resume` what is left of it without a limit when memory was short. */
static bool play(pebble_game *game, const pebble_move *move, bool resume)
{
  bool able;
  return pebble_play(game, move) ||
         (resume && pebble_verdict_of(game)->rule == PEBBLE_MEMORY && pebble_resume(game, move, &able));
}

/* Nothing but the first half of the array along its first index: what reads the rest is to be found out. */
static cdag_box half_of(const cdag_array *a)
{
  cdag_box b = a->hull;
  b.hi[0] -= (b.hi[0] - b.lo[0] + 1) / 2;
  return b;
}

/* Whole arrays: the inputs loaded (of `half` the half), each rule's array computed and stored, then everything dropped.
 */
static void play_arrays(pebble_game *game, const cdag *g, int half, const pebble_drop *drop, bool resume, bool *legal)
{
  for (int phase = 0; phase < 3; phase++)
    for (int a = 0; a < g->arrays && *legal; a++) {
      bool input = g->array[a].terms == 0;
      pebble_move move = { .array = a, .box = a == half ? half_of(&g->array[a]) : g->array[a].hull };
      if (phase == 0 && !input)
        continue;
      move.kind = phase == 0 ? PEBBLE_LOAD : phase == 1 ? PEBBLE_COMPUTE : PEBBLE_DROP;
      if (phase == 1 && input)
        continue;
      move.drops = drop && phase == 1;
      move.drop = drop;
      *legal = play(game, &move, resume);
      move.kind = PEBBLE_STORE;
      if (*legal && phase == 1)
        *legal = play(game, &move, resume);
    }
}

typedef enum { PLAIN, QUICK, TILE } player;

static pebble_verdict verdict_of(const cdag *g, const pebble_rules *rules, int half, const pebble_drop *drop, player by,
                                 bool resume)
{
  pebble_game *game;
  diag d = { 0 };
  bool legal = true;
  ck_assert_msg(pebble_new(&game, g, by == TILE ? PEBBLE_BY_TILE : PEBBLE_BY_ELEMENT, rules, &d) == OK, "%s",
                d.message);
  if (by != TILE)
    element_set_plain(game, by == PLAIN);
  play_arrays(game, g, half, drop, resume, &legal);
  if (legal)
    pebble_end(game);
  pebble_verdict v = *pebble_verdict_of(game);
  pebble_free(game);
  return v;
}

static void compare_players(const cdag *g, const pebble_rules *rules, int half, const pebble_drop *drop, player by,
                            bool resume, const char *what)
{
  pebble_verdict a = verdict_of(g, rules, half, drop, PLAIN, resume), b = verdict_of(g, rules, half, drop, by, resume);
  ck_assert_msg(a.legal == b.legal && a.rule == b.rule && a.loads == b.loads && a.stores == b.stores &&
                    a.computes == b.computes && a.peak == b.peak && a.moves == b.moves && a.needed == b.needed &&
                    a.has_missing == b.has_missing,
                "%s: M=%lu: %s after %lu moves, not %s after %lu", what, (unsigned long)rules->m,
                pebble_rule_name(b.rule), (unsigned long)b.moves, pebble_rule_name(a.rule), (unsigned long)a.moves);
  if (!a.legal)
    ck_assert(a.element.array == b.element.array && a.element.x[0] == b.element.x[0]);
  if (a.has_missing)
    ck_assert(a.missing.array == b.missing.array && a.missing.x[0] == b.missing.x[0]);
}

static void same_verdict(const cdag *g, const pebble_rules *rules, const pebble_drop *drop, const char *what)
{
  for (int half = -1; half < g->arrays && (half < 0 || g->array[half].terms == 0); half++) /* inputs come first */
    for (int resume = 0; resume < 2; resume++) {
      compare_players(g, rules, half, drop, QUICK, resume, what);
      compare_players(g, rules, half, drop, TILE, resume, what);
    }
}

/* What the quick path must not take for small, or cannot say: coefficients, constants and indices beyond its limits,
 * indices that are not linear. */
static const char *const texts[] = {
  "input A[i:2000000..2000001], B[9]\noutput X[i:5] = A[2000000+300000*i], B[i]\n",
  "input A[i:1..3], B[9]\noutput X[i:5] = A[1-300000*i+300000*i], B[i]\n",
  "input A[i:0..1], B[9]\noutput X[i:5] = A[900000-300000*i], B[i]\n",
  "input A[9], B[9]\noutput X[i:5] = A[i+1152921504606846999], B[i]\n",
  "input A[9], B[9]\noutput X[i:5] = A[-1152921504606846999-i], B[i]\n",
  "input A[9], B[9]\noutput X[i:5] = A[i/2+1152921504606846999], B[i]\n",
  "input A[9], B[9]\noutput X[i:5] = A[-1152921504606846999-i/2], B[i]\n",
  "input A[9], B[9]\noutput X[i:2199023255552..2199023255557] = A[i-2199023255552], B[3]\n",
  "input A[9], B[9]\noutput X[i:-2199023255557..-2199023255552] = A[i+2199023255557], B[3]\n",
  "input A[i:2199023255552..2199023255557], B[9]\noutput X[i:5] = A[i+2199023255552], B[3]\n",
  "input A[9], B[9]\noutput X[i:5, j:300000*i..300000*i+2] = A[i], B[j-300000*i]\n",
  "input A[9], B[9]\noutput X[i:5, j:0-300000*i..2-300000*i] = A[i], B[j+300000*i]\n",
  "input A[9], B[9]\noutput X[i:5, j:i/2..i] = A[i], B[j]\noutput Y[i:5] = X[i,0], B[i]\n",
  "input A[9], B[9]\noutput X[i:5] = A[i/2..9], B[i]\n",
  "input A[9], B[9]\noutput X[i:5] = A[0..i/2+1], B[i]\n",
  "input A[9], B[9]\noutput X[i:5] = A[i..9], B[i]\n",
  "input A[9], B[9]\noutput X[i:5] = A[0..i+1], B[i]\n",
  "input A[9], B[9,9]\noutput X[i:5] = A[i], B[i,*]\noutput Y[i:5] = X[*], A[i]\n",
  "input A[9], B[9,9]\noutput X[i:5] = A[i], B[*,*]\n",
  "input A[9], B[i:9, j:i+1]\noutput X[i:5] = A[i], B[i,*]\n",
  "input A[9], B[9]\noutput X[i:5] = A[1..300000*i+3], B[i]\n",
  "input A[9], B[9]\noutput X[i:5] = A[1-300000*i..3], B[i]\n",
  "input A[0], B[9]\noutput X[i:5] = A[i], B[i]\n",
  "input A[i:5..3], B[9]\noutput X[i:5] = A[i], B[i]\n",
  "input A[i:9, j:5..i], B[9]\noutput X[i:5] = A[i,0], A[7,5], B[i]\n",
  "input A[9], B[u:262144..262146, v:64*(u-262144)..64*(u-262144)+2]\noutput X[i:1099511627773..1099511627776] = A[3], "
  "B[288230376151711744-262144*i,0]\n",
  "input A[9], B[u:262144..262146, v:0..64*(u-262143)]\noutput X[i:1099511627773..1099511627776] = A[3], "
  "B[288230376151711744-262144*i,0]\n",
  "input A[9], B[9]\noutput X[i:5] = A[i], A[i+1], A[i+2], A[i+3], A[i+4], B[0], B[1], B[2], B[3], B[4], B[5], B[6], "
  "B[7], B[8], A[0], A[1], A[2], A[3]\n",
  "input A[9], B[9]\noutput X[i:5, j:5] = A[i/2+1152921504606846999], B[j]\n",
  "input A[9], B[9]\noutput X[i:5, j:5] = A[-1152921504606846999-i/2], B[j]\n",
  "input A[9], B[9]\noutput X[i:1099511627773..1099511627780] = A[i-1099511627773], B[3]\n",
  "input A[9], B[9]\noutput X[i:-1099511627780..-1099511627773] = A[i+1099511627780], B[3]\n",
  "input A[9], B[9]\noutput X[i:2199023255552..2199023255557, j:2] = A[i-2199023255552], B[j]\n",
  "input A[9], B[9]\noutput X[i:0..1, j:0..300000*i+2] = A[i], B[0]\noutput Y[i:2, j:300000*i..300000*i+2, k:2] = "
  "B[k], A[i]\n",
  "input A[9], B[u:262144..262146, w:2, v:64*(u-262144)..64*(u-262144)+2]\noutput X[i:1099511627773..1099511627776] = "
  "A[3], B[288230376151711744-262144*i,0,0]\n",
  "input A[9], B[u:262144..262146, v:8*(u-262144)..8*(u-262144)+2]\noutput X[i:1099511627773..1099511627776] = A[3], "
  "B[288230376151711744-262144*i,0]\n",
  "table w[i:3] = i\ninput A[9], B[9]\noutput X[i:5] = A[w[i]], B[i]\n",
  "table w[i:3] = i\ninput A[9], B[9]\noutput X[i:5, j:5] = A[w[j]], B[i]\n",
  "input A[9], B[9]\noutput X[i:9] = X[i-1], A[i]\noutput Y[i:9] = Y[i-2], B[i]\n",
  "input A[9], B[9]\noutput X[i:9] = X[i-1], A[i], B[0]\n",
  "input A[9], B[9]\noutput X[i:5, j:5] = X[i,j-1], X[i-1,j], A[i], B[j]\n",
  "input A[9], B[9]\noutput X[i:5, j:i+1] = X[i,j-1], A[i], B[j]\n",
  "input A[9], B[9]\noutput X[i:5, j:5] = X[i-1,j+4], A[i], B[j]\n",
  "input A[9], B[9]\noutput X[i:5, j:5] = X[i,j-1], X[i-1,j+4], A[i]\n",
  "input A[9], B[9]\noutput X[i:5, j:3] = A[i+j], B[j]\n",
};

START_TEST(quick_and_plain)
{
  cdag *g = parse(texts[_i], "");
  for (uint64_t m = 1; m < 60; m += 1 + m / 4)
    for (int game = 0; game < 4; game++)
      for (int a = -1; a < g->arrays; a++) {
        pebble_drop drop = { .array = a, .whole = true };
        pebble_rules rules = { game % 2 ? PEBBLE_SLIDING : PEBBLE_PLACING, game / 2, m };
        same_verdict(g, &rules, a < 0 ? NULL : &drop, texts[_i]);
      }
  cdag_free(g);
}
END_TEST

/* A chain whose drops stop, begin late or skip: the row is then played one by one. */
START_TEST(chains_dropped_in_part)
{
  cdag *g = parse("input A[12]\noutput X[i:12] = X[i-1], A[i]\noutput Y[i:12] = Y[i-2], A[i]\n", "");
  for (int a = 1; a < 3; a++)
    for (int64_t lo = 0; lo < 12; lo++)
      for (int64_t hi = lo; hi < 13; hi++)
        for (uint64_t m = 13; m < 40; m += 4) {
          pebble_drop drop = { .array = a, .box = { { lo }, { hi } } };
          pebble_rules rules = { lo % 2 ? PEBBLE_SLIDING : PEBBLE_PLACING, false, m };
          same_verdict(g, &rules, &drop, "a chain");
        }
  cdag_free(g);
}
END_TEST

/* One-shot: an element computed before, alone or with others, is not computed again. */
START_TEST(computed_twice)
{
  cdag *g = parse("input A[4]\noutput X[i:4] = A[i]\n", "");
  for (int by = PLAIN; by <= TILE; by++)
    for (int one_shot = 0; one_shot < 2; one_shot++)
      for (int64_t lo = 0; lo < 4; lo++)
        for (int64_t hi = lo + 1; hi <= 4; hi++) {
          pebble_game *game;
          diag d = { 0 };
          pebble_move moves[] = { { .kind = PEBBLE_LOAD, .array = 0, .box = { { 0 }, { 4 } } },
                                  { .kind = PEBBLE_COMPUTE, .array = 1, .box = { { lo }, { hi } } },
                                  { .kind = PEBBLE_DROP, .array = 1, .box = { { lo }, { hi } } },
                                  { .kind = PEBBLE_COMPUTE, .array = 1, .box = { { 0 }, { 4 } } } };
          ck_assert_int_eq(pebble_new(&game, g, by == TILE ? PEBBLE_BY_TILE : PEBBLE_BY_ELEMENT,
                                      &(pebble_rules){ PEBBLE_PLACING, one_shot, 8 }, &d),
                           OK);
          if (by != TILE)
            element_set_plain(game, by == PLAIN);
          for (int i = 0; i < 3; i++)
            ck_assert(pebble_play(game, &moves[i]));
          ck_assert(pebble_play(game, &moves[3]) == !one_shot);
          const pebble_verdict *v = pebble_verdict_of(game);
          if (one_shot)
            ck_assert(v->rule == PEBBLE_RECOMPUTE && v->element.array == 1 && v->element.x[0] == lo &&
                      v->computes == (uint64_t)hi);
          pebble_free(game);
        }
  cdag_free(g);
}
END_TEST

/* More parameters than the quick path keeps. */
START_TEST(many_parameters)
{
  text t = { 0 };
  text_add(&t, "param p0 = 1");
  for (int i = 1; i < 200; i++)
    text_printf(&t, ", p%d = %d", i, i);
  text_add(&t, "\ninput A[9]\noutput X[i:5, j:2] = A[i/2], A[p3+i/p2]\n");
  cdag *g = parse(text_str(&t), "");
  for (uint64_t m = 1; m < 30; m++)
    same_verdict(g, &(pebble_rules){ .m = m }, NULL, "many parameters");
  text_clear(&t);
  cdag_free(g);
}
END_TEST

/* Arrays too large to be held. */
static const char *const too_large[] = { "input A[1099511627777]\noutput X[i:1] = A[0]\n",
                                         "input A[2097152,1048576]\noutput X[i:1] = A[0,0]\n" };

START_TEST(arrays_too_large)
{
  cdag *g = parse(too_large[_i], "");
  pebble_game *game;
  diag d = { 0 };
  ck_assert_int_eq(pebble_new(&game, g, PEBBLE_BY_ELEMENT, &(pebble_rules){ .m = 3 }, &d), GAVE_UP);
  ck_assert_ptr_nonnull(strstr(d.message, "too many elements"));
  cdag_free(g);
}
END_TEST

/* ---- the first output that is missing ---- */

static const struct { const char *text; const char *missing[4]; } outputs[] = {
  { "input A[9]\nX[i:2, j:3] = A[i+j]\noutput X[1,*]\noutput X[*,1]\n", { "X[0,1]", "X[1,0]" } },
  { "input A[9]\nX[i:2, j:3] = A[i+j]\noutput X[*,1]\noutput X[1,*]\noutput X[0,1]\n", { "X[0,1]" } },
  { "input A[9]\nX[i:2, j:3] = A[i+j]\noutput X[1,2]\noutput X[1,1]\noutput X[1,2]\n", { "X[1,1]" } },
  { "input A[9]\nX[i:2, j:3] = A[i+j]\noutput X[1,1]\noutput X[1,2]\noutput X[1,1]\n", { "X[1,1]" } },
  { "table w[i:2] = i\ninput A[9]\nX[i:4, j:3] = A[i+j]\noutput X[a:4,w[a]]\n", { "X[0,0]" } },
  { "table w[i:2] = 1+i\ninput A[9]\nX[i:4, j:3] = A[i+j]\noutput X[a:4,0..w[a]]\n", { "X[0,0]" } },
  { "table w[i:2] = 1+i\ninput A[9]\nX[i:4, j:3] = A[i+j]\noutput X[a:4,w[a]..3]\n", { "X[0,1]" } },
  { "table w[i:2] = 1+i\ninput A[9]\nX[i:4, j:3] = A[i+j]\noutput X[a:1..4,b:w[a]]\n", { "X[1,0]" } },
  { "table w[i:2] = 1+i\ninput A[9]\nX[i:4, j:3] = A[i+j]\noutput X[a:1..4,b:w[a]..3]\n", { "X[1,2]" } },
  { "input A[9]\nZ[i:2] = A[i]\nB[i:2] = A[i]\noutput Z[*]\noutput B[1]\n", { "B[1]" } },
  { "input A[9]\noutput Z[i:2] = A[i]\noutput B[i:2] = A[i+1]\n", { "B[0]" } },
};

START_TEST(missing_outputs)
{
  cdag *g = parse(outputs[_i].text, "");
  pebble_game *game;
  diag d = { 0 };
  text name = { 0 };
  for (int by = 0; by < 3; by++) {
    pebble_rules rules = { by == 1 ? PEBBLE_PARTIAL : PEBBLE_PLACING, false, 9 };
    ck_assert_int_eq(pebble_new(&game, g, by == 2 ? PEBBLE_BY_TILE : PEBBLE_BY_ELEMENT, &rules, &d), OK);
    ck_assert(!pebble_end(game));
    ck_assert_int_eq(pebble_verdict_of(game)->rule, PEBBLE_OUTPUT);
    text_clear(&name);
    cdag_element_print(&name, g, &pebble_verdict_of(game)->element);
    ck_assert_msg(!strcmp(text_str(&name), outputs[_i].missing[0]), "%s: %s is missing first", outputs[_i].text,
                  text_str(&name));
    pebble_free(game);
  }
  text_clear(&name);
  cdag_free(g);
}
END_TEST

/* ---- boxes of an explicit graph ---- */

START_TEST(boxes_on_a_graph)
{
  static const char edges[] = "6 5\n0 3\n1 3\n2 4\n3 5\n4 5\n";
  cdag_graph graph = { 0 };
  cdag *g = NULL;
  diag d = { 0 };
  pebble_game *game;
  ck_assert_int_eq(cdag_graph_read_edges(&graph, edges, strlen(edges), "graph", &d), OK);
  ck_assert_int_eq(cdag_from_graph(&g, &graph, "graph"), OK);
  ck_assert_int_eq(pebble_new(&game, g, PEBBLE_BY_ELEMENT, &(pebble_rules){ .m = 6 }, &d), OK);
  ck_assert(pebble_takes_steps(game));
  static const struct {
    pebble_kind kind;
    int64_t lo, hi;
  } moves[] = { { PEBBLE_LOAD, 0, 3 },
                { PEBBLE_COMPUTE, 3, 6 },
                { PEBBLE_STORE, 5, 6 },
                { PEBBLE_DROP, 0, 6 },
                { PEBBLE_ERASE, 0, 3 } };
  for (int i = 0; i < COUNT(moves); i++)
    ck_assert(pebble_play(game, &(pebble_move){ .kind = moves[i].kind, .box = { { moves[i].lo }, { moves[i].hi } } }));
  ck_assert(pebble_end(game));
  const pebble_verdict *v = pebble_verdict_of(game);
  ck_assert(v->loads == 3 && v->computes == 3 && v->stores == 1 && v->peak == 6 && v->moves == 16);
  pebble_free(game);
  pebble_free(NULL);
  cdag_free(g);
}
END_TEST

/* ---- many pages at once ---- */

START_TEST(pages_given_back)
{
  enum { PAGES = 100 };
  pebble_bits b;
  pebble_bits_init(&b, (uint64_t)PAGES * PEBBLE_PAGE);
  for (uint64_t p = 0; p < PAGES; p++)
    pebble_bits_set(&b, p * PEBBLE_PAGE + p);
  for (uint64_t p = 0; p < PAGES; p++)
    pebble_bits_unset(&b, p * PEBBLE_PAGE + p);
  for (uint64_t p = 0; p < PAGES; p++) {
    ck_assert(!pebble_bits_get(&b, p * PEBBLE_PAGE + p));
    pebble_bits_set(&b, p * PEBBLE_PAGE + 1);
    ck_assert(pebble_bits_get(&b, p * PEBBLE_PAGE + 1) && !pebble_bits_get(&b, p * PEBBLE_PAGE) &&
              !pebble_bits_get(&b, p * PEBBLE_PAGE + 2));
  }
  pebble_bits_clear(&b);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("element");
  TCase *c = support_case(s, "element");
  tcase_add_loop_test(c, quick_and_plain, 0, COUNT(texts));
  tcase_add_test(c, chains_dropped_in_part);
  tcase_add_test(c, computed_twice);
  tcase_add_test(c, many_parameters);
  tcase_add_loop_test(c, arrays_too_large, 0, COUNT(too_large));
  tcase_add_loop_test(c, missing_outputs, 0, COUNT(outputs));
  tcase_add_test(c, boxes_on_a_graph);
  tcase_add_test(c, pages_given_back);
  return support_run(s);
}
