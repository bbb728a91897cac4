/* The compact form of a list says what its text says, to the byte, to the verdict and its place; no damage passes. */
#include "base/digest.h"
#include "base/mem.h"
#include "cdag/graph/graph.h"
#include "schedules/play/compact.h"
#include "schedules/play/elementary.h"
#include "tests/support_boxes.h"
#include "tests/support_random_cdag.h"
#include "tests/support_tile.h"
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 8, HEAD = 12 };

typedef struct { char *s; size_t n; } bytes;

static FILE *open_bytes(const char *s, size_t n)
{
  FILE *in = n > 0 ? fmemopen((void *)(uintptr_t)s, n, "rb") : fopen("/dev/null", "rb");
  ck_assert_ptr_nonnull(in);
  return in;
}

/* ---- both forms of a list ---- */

typedef struct { const cdag *g; text out; compact_writer *compact; } forms;

static bool put_step(void *context, const schedule_step *step)
{
  forms *f = context;
  schedule_step_text(&f->out, f->g, step);
  text_char(&f->out, '\n');
  if (f->compact)
    compact_add(f->compact, step);
  return true;
}

/* The compact form of what each(f) tells put_step. */
static bytes finish_forms(FILE *to, forms *f, bytes *b)
{
  uint64_t n = compact_writer_end(f->compact);
  fclose(to);
  ck_assert_uint_eq(n, b->n);
  return *b;
}

static bytes of_schedule(const schedule *s, const pebble_rules *rules, text *told)
{
  bytes b = { 0 };
  diag d = { 0 };
  FILE *to = open_memstream(&b.s, &b.n);
  forms f = { .g = s->g, .compact = compact_writer_new(to, s->g) };
  ck_assert_int_eq(schedule_each_step(s, rules, put_step, &f, &d), OK);
  finish_forms(to, &f, &b);
  *told = f.out;
  return b;
}

static status tell_back(const bytes *b, const cdag *g, const pebble_rules *rules, text *told, diag *d)
{
  FILE *in = open_bytes(b->s, b->n);
  schedule_reader *r = schedule_reader_of(in, "list");
  forms f = { .g = g };
  ck_assert_msg(schedule_reader_is_list(r), "not taken for a list");
  status st = schedule_each_list_step(r, g, rules, put_step, &f, d);
  schedule_reader_free(r);
  fclose(in);
  *told = f.out;
  return st;
}

static status play(const char *s, size_t n, const cdag *g, const schedule_play_options *o, schedule_verdict *v, diag *d)
{
  FILE *in = open_bytes(s, n);
  status st = schedule_play_stream(in, "list", g, o, v, d);
  fclose(in);
  return st;
}

/* ---- the same ---- */

static void same_verdict(const bytes *b, const text *told, const cdag *g, const pebble_rules *rules)
{
  schedule_verdict v, w;
  diag d = { 0 };
  schedule_play_options o = { .rules = *rules, .engine = PEBBLE_BY_ELEMENT, .want_smallest = true };
  ck_assert_msg(play(text_str(told), told->n, g, &o, &v, &d) == OK, "%s", d.message);
  ck_assert_msg(play(b->s, b->n, g, &o, &w, &d) == OK, "%s", d.message);
  const char *difference = tile_difference(g, &v.verdict, &w.verdict);
  ck_assert_msg(!difference, "%s differs\n%s", difference, text_str(told));
  ck_assert_int_eq(v.line, w.line);
  ck_assert_int_eq(v.column, w.column);
  ck_assert_int_eq(v.has_smallest, w.has_smallest);
  ck_assert_uint_eq(v.smallest_memory, w.smallest_memory);
  schedule_verdict_clear(&v);
  schedule_verdict_clear(&w);
}

static void same_text(const bytes *b, const text *told, const cdag *g, const pebble_rules *rules)
{
  text back;
  diag d = { 0 };
  ck_assert_msg(tell_back(b, g, rules, &back, &d) == OK, "%s", d.message);
  ck_assert_str_eq(text_str(told), text_str(&back));
  text_clear(&back);
}

/* ---- damage ---- */

static void refused(const bytes *b, size_t at, const cdag *g, const pebble_rules *rules)
{
  schedule_verdict v;
  diag d = { 0 };
  schedule_play_options o = { .rules = *rules, .engine = PEBBLE_BY_ELEMENT };
  status st = play(b->s, b->n, g, &o, &v, &d);
  ck_assert_msg(st == BAD_INPUT, "damage at byte %zu of %zu passes: status %d", at, b->n, st);
  const char *says = strstr(d.message, "begins at byte ") ? strstr(d.message, "begins at byte ") + 7
                                                            : strstr(d.message, "at byte ");
  ck_assert_msg(at < MAGIC || says, "damage at byte %zu: %s", at, d.message);
  ck_assert_msg(!says || strtoull(says + strlen("at byte "), NULL, 10) <= at + HEAD, "damage at byte %zu is put %s", at,
                d.message);
  schedule_verdict_clear(&v);
}

/* A byte changed, the end cut off, a byte more. */
static void damaged(const bytes *b, const cdag *g, const pebble_rules *rules, support_random *r)
{
  bytes c = { MEM_NEW(char, b->n + 1), b->n };
  memcpy(c.s, b->s, b->n);
  for (int i = 0; i < 8; i++) {
    size_t at = (size_t)support_between(r, 0, (int64_t)b->n - 1);
    c.s[at] = (char)(b->s[at] ^ support_between(r, 1, 255));
    refused(&c, at, g, rules);
    c.s[at] = b->s[at];
  }
  c.n = (size_t)support_between(r, MAGIC, (int64_t)b->n - 1);
  refused(&c, c.n, g, rules);
  c.n = b->n + 1;
  refused(&c, b->n, g, rules);
  mem_free(c.s);
}

/* A block that was made wrong and has the digest of what it says now: refused, or a list like any other. */
static void forged(const bytes *b, const cdag *g, const pebble_rules *rules, support_random *r)
{
  size_t length = (unsigned char)b->s[MAGIC] | (size_t)(unsigned char)b->s[MAGIC + 1] << 8;
  diag d = { 0 };
  if (length == 0 || MAGIC + HEAD + length > b->n)
    return;
  bytes c = { MEM_NEW(char, b->n), b->n };
  for (int i = 0; i < 8; i++) {
    text back;
    memcpy(c.s, b->s, b->n);
    for (int64_t k = support_between(r, 1, 3); k > 0; k--)
      c.s[MAGIC + HEAD + (size_t)support_between(r, 0, (int64_t)length - 1)] = (char)support_between(r, 0, 255);
    uint64_t digest = digest_bytes(DIGEST_BEGIN, c.s + MAGIC + HEAD, length);
    for (int k = 0; k < 8; k++)
      c.s[MAGIC + 4 + k] = (char)(digest >> 8 * k);
    status st = tell_back(&c, g, rules, &back, &d);
    ck_assert_msg(st == OK || (st == BAD_INPUT && strstr(d.message, "at byte ")), "status %d: %s", st, d.message);
    text_clear(&back);
  }
  mem_free(c.s);
}

/* ---- random lists ---- */

static void one(const cdag *g, support_random *r)
{
  static const pebble_variant variants[] = { PEBBLE_PLACING, PEBBLE_SLIDING, PEBBLE_PARTIAL };
  pebble_rules rules = { variants[support_between(r, 0, 2)], support_between(r, 0, 1) == 1, 0 };
  boxes_list l = { 0 };
  schedule *s;
  diag d = { 0 };
  text source = { 0 }, told = { 0 };
  rules.m = (uint64_t)support_between(r, 4, 60);
  boxes_random(&l, g, &rules, 40, support_next(r));
  boxes_text(&source, &l, g);
  ck_assert_msg(schedule_parse(&s, g, rules.m, "text", text_str(&source), "", &d) == OK, "%s", d.message);
  bytes b = of_schedule(s, &rules, &told);
  same_text(&b, &told, g, &rules);
  same_verdict(&b, &told, g, &rules);
  damaged(&b, g, &rules, r);
  forged(&b, g, &rules, r);
  free(b.s);
  text_clear(&source);
  text_clear(&told);
  schedule_free(s);
  boxes_clear(&l);
}

START_TEST(of_examples)
{
  support_random r = { (uint64_t)_i };
  cdag *g = tile_open_example(_i % tile_example_count);
  one(g, &r);
  cdag_free(g);
}
END_TEST

START_TEST(of_random_computations)
{
  support_random r = { (uint64_t)_i };
  cdag *g = support_random_cdag(&r, NULL, NULL);
  one(g, &r);
  cdag_free(g);
}
END_TEST

/* ---- on a graph, in several blocks ---- */

/* Pebbles walk along a chain, and sometimes another move comes between. */
static void walk(text *out, support_random *r, int n)
{
  text_add(out, "load v[0]\n");
  for (int i = 1; i < n; i++) {
    if (support_between(r, 0, 3) == 0)
      text_printf(out, "load v[0]\ndrop v[0]\n");
    text_printf(out, "compute v[%d] dropping v[%d]\n", i, i - 1);
    if (support_between(r, 0, 7) == 0)
      text_printf(out, "store v[%d]\n", i);
  }
}

static bytes of_list(const text *list, const cdag *g, const pebble_rules *rules)
{
  bytes b = { 0 };
  diag d = { 0 };
  FILE *to = open_memstream(&b.s, &b.n), *in = open_bytes(list->s, list->n);
  schedule_reader *r = schedule_reader_of(in, "list");
  forms f = { .g = g, .compact = compact_writer_new(to, g) };
  ck_assert_msg(schedule_each_list_step(r, g, rules, put_step, &f, &d) == OK, "%s", d.message);
  finish_forms(to, &f, &b);
  ck_assert_str_eq(text_str(list), text_str(&f.out));
  text_clear(&f.out);
  schedule_reader_free(r);
  fclose(in);
  return b;
}

START_TEST(on_a_graph)
{
  support_random r = { (uint64_t)_i };
  int n = (int)support_between(&r, 2, 40000);
  cdag *g;
  diag d = { 0 };
  text list = { 0 }, source = { 0 };
  pebble_rules rules = { _i % 2 ? PEBBLE_SLIDING : PEBBLE_PLACING, false, 3 };
  text_printf(&source, "%d %d\n", n, n - 1);
  for (int i = 1; i < n; i++)
    text_printf(&source, "%d %d\n", i - 1, i);
  cdag_graph chain = { 0 };
  ck_assert_int_eq(cdag_graph_read_edges(&chain, text_str(&source), source.n, "chain", &d), OK);
  ck_assert_int_eq(cdag_from_graph(&g, &chain, "chain"), OK);
  walk(&list, &r, n);
  bytes b = of_list(&list, g, &rules);
  same_text(&b, &list, g, &rules);
  same_verdict(&b, &list, g, &rules);
  damaged(&b, g, &rules, &r);
  free(b.s);
  text_clear(&list);
  text_clear(&source);
  cdag_free(g);
}
END_TEST

/* ---- another computation ---- */

START_TEST(of_another_computation)
{
  cdag *g, *h;
  diag d = { 0 };
  text list = { 0 };
  schedule_verdict v;
  pebble_rules rules = { .m = 4 };
  schedule_play_options o = { .rules = rules, .engine = PEBBLE_BY_ELEMENT };
  ck_assert_int_eq(cdag_open(&g, "matmul:m=2,n=2,k=2", &d), OK);
  ck_assert_int_eq(cdag_open(&h, "chain:n=4", &d), OK);
  text_add(&list, "load A[0,0]\nload B[0,1]\n");
  bytes b = of_list(&list, g, &rules);
  ck_assert_int_eq(play(b.s, b.n, h, &o, &v, &d), BAD_INPUT);
  ck_assert_msg(strstr(d.message, "at byte 25: chain has no array 'A' with 2 indices"), "%s", d.message);
  schedule_verdict_clear(&v);
  free(b.s);
  text_clear(&list);
  cdag_free(g);
  cdag_free(h);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("compact");
  TCase *c = support_case(s, "lists");
  tcase_add_loop_test(c, of_examples, 0, support_rounds(150));
  tcase_add_loop_test(c, of_random_computations, 0, support_rounds(150));
  tcase_add_loop_test(c, on_a_graph, 0, support_rounds(6));
  tcase_add_test(c, of_another_computation);
  return support_run(s);
}
