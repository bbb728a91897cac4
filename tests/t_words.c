/* Loads and stores found without running a program, against its moves one by one; and the tuner that rests on them,
 * against plays of all settings. */
#include "schedules/count/words.h"
#include "tests/support_program.h"
#include "tests/support_random_cdag.h"
#include <stdio.h>
#include <string.h>

typedef struct { const cdag *g; uint64_t words; } total;

static bool add_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  total *sum = context;
  (void)at, (void)box, (void)slot;
  if (move->kind == PEBBLE_LOAD || move->kind == PEBBLE_STORE)
    sum->words += cdag_box_count(sum->g, move->array, &move->box);
  return true;
}

/* True: both ways found them, and they agree. */
static bool check(const cdag *g, const char *source, const char *assign)
{
  schedule *s = NULL;
  diag d = { 0 };
  num_count words;
  ck_assert_msg(schedule_parse(&s, g, 40, "text", source, assign, &d) == OK, "%s\n%s", d.message, source);
  total sum = { g, 0 };
  bool runs = schedule_each_move(s, add_move, &sum, &d) == OK, known = schedule_words(s, &words);
  ck_assert_msg(!runs || !known || words == sum.words, "%ld words, by moves %ld (%s):\n%s", (long)words,
                (long)sum.words, assign, source);
  schedule_free(s);
  return runs && known;
}

START_TEST(random_programs)
{
  support_random r = { (uint64_t)_i };
  random_cdag_options o = { .least = 1, .most = 400, .plain = support_between(&r, 0, 3) > 0 };
  cdag *g = support_random_cdag(&r, &o, NULL);
  text t = { 0 };
  support_random_program(&t, g, (uint64_t)_i);
  check(g, text_str(&t), "");
  text_clear(&t);
  cdag_free(g);
}
END_TEST

static cdag *small_graph(support_random *r)
{
  static const char *const spec[] = { "fft:l=%d", "tree:h=%d", "pyramid:h=%d", "hypercube:l=%d" };
  char name[32];
  cdag *g = NULL;
  diag d = { 0 };
  snprintf(name, sizeof name, spec[support_between(r, 0, COUNT(spec) - 1)], (int)support_between(r, 1, 5));
  ck_assert_int_eq(cdag_open(&g, name, &d), OK);
  return g;
}

/* a, b and c are small; -1 and what lies behind the last vertex are reached now and then. */
static const char *const texts[] = {
  "for i in a by b { load v[lo(i)] }\nfor i in 3..a by c { store v[hi(i)], v[len(i)] }",
  "for i in a by b { for x in i { if first(i) { load v[x] } else { store v[x - 1] } } }",
  "for i in a by b { for x in i by c { if last(x) { load v[x] } else { if last(i) { store v[lo(x)] } } } }",
  "for i in a reversed { if first(i) { load v[i] } }\nfor i in a by b reversed { for x in i { load v[x + c] } }",
  "for i in a { for j in i { for k in j + b { load v[k] } } }",
  "for i in a { for j in b snake { if i + j < c { load v[i*b + j] } } }",
  "for i in a { for j in b { for k in pow(2, i % 3) { load v[i*b + j*c + k - 2] } } }",
  "for i in a { load v[i*c + 20..i*c + 30], v[*] }\nfor i in c { load v[i..a] }",
  "for i in a by b { load v[i] for q in 9 { drop v[q] } }\nfor i in 0 { load v[1] }",
  "for i in a { if i / b >= 1 { load v[i] } if i / b { load v[0], v[1] } else { store v[2] } }",
  "for i in 0 - a..c by b { store v[i], v[min(lo(i), 1)] }\nif a == b { load v[a] }\nif a - b { load v[*] }",
  "for i in a by b snake { for x in i { if last(x) { load v[x - lo(i) % 2] } } }",
  "for i in a by b reversed { if last(i) { load v[lo(i)..hi(i)] } }\nfor j in c { for i in a by b snake { if last(i) { "
  "load v[lo(i)..hi(i)] } } }",
  "for i in a by b reversed { if last(i) { load v[lo(i)..hi(i)] } }",
};

START_TEST(on_graphs)
{
  support_random r = { (uint64_t)_i };
  cdag *g = small_graph(&r);
  char source[400], assign[60];
  snprintf(source, sizeof source, "param a\nparam b\nparam c\n%s", texts[_i % COUNT(texts)]);
  snprintf(assign, sizeof assign, "a=%d,b=%d,c=%d", (int)support_between(&r, 0, 70), (int)support_between(&r, 1, 9),
           (int)support_between(&r, 1, 9));
  check(g, source, assign);
  cdag_free(g);
}
END_TEST

/* Those of the library are found, and quickly. */
START_TEST(library)
{
  static const struct {
    const char *spec, *name;
  } known[] = { { "fft:l=%d", "blocked" },
                { "tree:h=%d", "depth-first" },
                { "pyramid:h=%d", "diagonal" },
                { "pyramid:h=%d", "strips" } };
  char spec[32];
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  num_count words;
  schedule_verdict v;
  int k = _i % COUNT(known);
  snprintf(spec, sizeof spec, known[k].spec, 1 + _i / COUNT(known));
  schedule_play_options o = { .rules = { .m = 6 + 5 * (uint64_t)_i } };
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  ck_assert_int_eq(schedule_open(&s, g, o.rules.m, known[k].name, &d), OK);
  ck_assert(schedule_words(s, &words));
  ck_assert_int_eq(schedule_play(s, &o, &v, &d), OK);
  ck_assert(v.verdict.legal);
  ck_assert_uint_eq(words, v.verdict.loads + v.verdict.stores);
  schedule_verdict_clear(&v);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* ---- the tuner ---- */

/* I/O of a legal play, or UINT64_MAX. */
static uint64_t io_at(const cdag *g, const char *source, const schedule_play_options *o, int64_t value)
{
  char assign[32];
  schedule *s = NULL;
  diag d = { 0 };
  uint64_t io = UINT64_MAX;
  schedule_verdict v;
  snprintf(assign, sizeof assign, "s=%d", (int)value);
  ck_assert_int_eq(schedule_parse(&s, g, o->rules.m, "text", source, assign, &d), OK);
  ck_assert_int_eq(schedule_play(s, o, &v, &d), OK);
  if (v.verdict.legal)
    io = v.verdict.loads + v.verdict.stores;
  schedule_verdict_clear(&v);
  schedule_free(s);
  return io;
}

/* Blocks of s inputs come in, perhaps several times, and the graph's outputs leave: more I/O, fewer pebbles, where that
   is legal at all; of the last two, what is moved is not found beforehand. */
static const char *const tuned[] = {
  "param s = 3\nfor x in 40 - s { load v[0]\n drop v[0] }\nfor x in s { load v[x] }\nfor x in s { drop v[x] }\n",
  "param s = 3\nfor I in 20 by s { load v[1]\n drop v[1] }\nload v[s], v[0]\ndrop v[s], v[0]\n",
  "param s = 3\nfor I in 20 by s { load v[lo(I) - 1]\n drop v[lo(I) - 1] }\n",
  "param s = 3\nfor I in 20 by s snake { if first(I) { load v[s % 4]\n drop v[s % 4] } else { load v[0] \n drop v[0] } "
  "}\n",
  "param s = 3\nfor I in 16 { if I % s == 1 { load v[0]\n drop v[0] } }\nfor I in s { load v[I] }\nfor I in s { drop "
  "v[I] }\n",
};

START_TEST(all_settings)
{
  support_random r = { (uint64_t)_i };
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  schedule_tuning t;
  char spec[32], source[1000], end[200] = "";
  int levels = (int)support_between(&r, 2, 4), inputs = 1 << levels;
  const char *blocks = tuned[_i % COUNT(tuned)];
  snprintf(spec, sizeof spec, "tree:h=%d", levels);
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  if (support_between(&r, 0, 9)) /* else it never ends well */
    snprintf(end, sizeof end, "for x in %d { load v[x] }\nfor x in %d..%d { compute v[x] dropping v }\nstore v[%d]\n",
             inputs, inputs, 2 * inputs - 1, 2 * inputs - 2);
  snprintf(source, sizeof source, "%s%s", blocks, end);
  schedule_play_options o = { .rules = { .m = (uint64_t)support_between(&r, inputs, 3 * inputs),
                                         .variant = (pebble_variant)support_between(&r, 0, 2) } };
  uint64_t best = UINT64_MAX;
  for (int64_t x = 1; x <= (int64_t)g->vertices; x++) {
    uint64_t io = io_at(g, source, &o, x);
    best = io < best ? io : best;
  }
  ck_assert_int_eq(schedule_parse(&s, g, o.rules.m, "text", source, "s=auto", &d), OK);
  status st = schedule_tune(s, &o.rules, &t, &d);
  ck_assert_int_eq(st, best == UINT64_MAX ? GAVE_UP : OK);
  ck_assert(st != OK || (t.io == best && t.exact && io_at(g, source, &o, s->param[0].value) == best));
  schedule_tuning_clear(&t);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

START_TEST(fft_blocks)
{
  int levels = 1 + _i % 7, m = 2 + _i / 7;
  char spec[32];
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  schedule_tuning t;
  const schedule_listing *list;
  const char *source = NULL;
  for (int n = schedule_library(&list), i = 0; i < n; i++)
    source = strcmp(list[i].family, "fft") ? source : list[i].text;
  snprintf(spec, sizeof spec, "fft:l=%d", levels);
  schedule_play_options o = { .rules = { .m = (uint64_t)m } };
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  uint64_t best = UINT64_MAX;
  for (int64_t x = levels; x > 0; x--)
    best = best == UINT64_MAX ? io_at(g, source, &o, x) : best;
  ck_assert_int_eq(schedule_open(&s, g, o.rules.m, "blocked", &d), OK);
  status st = schedule_tune(s, &o.rules, &t, &d);
  ck_assert_int_eq(st, best == UINT64_MAX ? GAVE_UP : OK);
  ck_assert(st != OK || (t.io == best && t.exact && t.searched == (uint64_t)levels));
  schedule_tuning_clear(&t);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("words");
  TCase *c = support_case(s, "moves one by one");
  tcase_add_loop_test(c, random_programs, 0, support_rounds(400));
  tcase_add_loop_test(c, on_graphs, 0, support_rounds(600));
  tcase_add_loop_test(c, library, 0, 28);
  c = support_case(s, "tuner");
  tcase_add_loop_test(c, all_settings, 0, support_rounds(200));
  tcase_add_loop_test(c, fft_blocks, 0, 7 * 20);
  return support_run(s);
}
