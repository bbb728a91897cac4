/* Lists of moves in bytes: the first byte says which computation and how much memory, the rest is what a block holds,
   whose digest is right.  What is read is told, told back and played as its text is. */
#include "base/digest.h"
#include "base/mem.h"
#include "schedules/play/compact.h"
#include "tests/fuzz/fuzz.h"
#include <stdlib.h>
#include <string.h>

static const char *const specs[] = { "attention:n=3,d=2", "matmul:m=2,n=3,k=2", "grid:r=2,c=3",
                                     "attention-causal:n=3,d=1", "random:n=12,seed=1,degree=2" };
enum { SPECS = sizeof specs / sizeof *specs };
static const uint64_t memories[] = { INT64_MAX, 3, 6 };

typedef struct { const cdag *g; text out; compact_writer *compact; uint64_t moves; } telling;

static bool tell(void *context, const schedule_step *step)
{
  telling *t = context;
  schedule_step_text(&t->out, t->g, step);
  text_char(&t->out, '\n');
  compact_add(t->compact, step);
  return true;
}

static void put_fixed(text *t, uint64_t v, int bytes)
{
  for (; bytes-- > 0; v >>= 8)
    text_char(t, (char)(unsigned char)v);
}

/* A list of one block; its end says `moves`, which only the reader knows. */
static void wrap(text *list, const uint8_t *data, size_t size, uint64_t moves)
{
  text_add(list, "\xb7rbm1\r\n\n");
  put_fixed(list, size, size ? 4 : 0);
  put_fixed(list, digest_bytes(DIGEST_BEGIN, (const char *)data, size), size ? 8 : 0);
  text_add_n(list, (const char *)data, size);
  put_fixed(list, 0, 4);
  put_fixed(list, moves, 8);
}

static status told(const char *list, size_t n, const cdag *g, telling *t, char **again, size_t *bytes, diag *d)
{
  pebble_rules rules = { .m = 9 };
  FILE *in = fmemopen((void *)(uintptr_t)list, n, "rb"), *to = open_memstream(again, bytes);
  schedule_reader *r = schedule_reader_of(in, "list");
  *t = (telling){ .g = g, .compact = compact_writer_new(to, g) };
  status st = schedule_each_list_step(r, g, &rules, tell, t, d);
  compact_writer_end(t->compact);
  schedule_reader_free(r);
  fclose(in);
  fclose(to);
  return st;
}

static status play(const char *list, size_t n, const cdag *g, uint64_t m, schedule_verdict *v, diag *d)
{
  schedule_play_options o = { .rules.m = m, .engine = PEBBLE_BY_ELEMENT, .want_smallest = true };
  FILE *in = fmemopen((void *)(uintptr_t)list, n, "rb");
  status st = schedule_play_stream(in, "list", g, &o, v, d);
  fclose(in);
  return st;
}

/* Moves of elements that there are not are none in the text, so lines are compared of the list told again. */
static void same(const cdag *g, uint64_t m, const telling *t, const char *again, size_t bytes)
{
  schedule_verdict v, w;
  telling back;
  char *thrice;
  size_t n;
  diag d = { 0 };
  if (told(again, bytes, g, &back, &thrice, &n, &d) != OK || strcmp(text_str(&back.out), text_str(&t->out)) != 0 ||
      n != bytes || memcmp(thrice, again, n) != 0)
    fuzz_fault("told again: %s\n%s\n%s", d.message, text_str(&t->out), text_str(&back.out));
  if (play(again, bytes, g, m, &v, &d) != OK || play(text_str(&t->out), t->out.n, g, m, &w, &d) != OK)
    fuzz_fault("played: %s\n%s", d.message, text_str(&t->out));
  if (v.verdict.legal != w.verdict.legal || v.verdict.rule != w.verdict.rule || v.line != w.line ||
      v.column != w.column || v.verdict.peak != w.verdict.peak || pebble_io(&v.verdict) != pebble_io(&w.verdict))
    fuzz_fault("bytes at %d:%d, text at %d:%d\n%s", v.line, v.column, w.line, w.column, text_str(&t->out));
  schedule_verdict_clear(&v);
  schedule_verdict_clear(&w);
  text_clear(&back.out);
  free(thrice);
}

/* How many moves the block holds, as the refusal of a wrong number does not say: by reading it. */
static uint64_t count(const text *list, const cdag *g)
{
  FILE *in = fmemopen(list->s, list->n, "rb");
  schedule_reader *r = schedule_reader_of(in, "list");
  compact_reader c;
  diag d;
  status st = OK;
  bool more = true;
  schedule_reader_is_list(r);
  compact_reader_init(&c, r, g);
  if (compact_block(&c, &more, &d) == OK && more)
    while (compact_next(&c, &st, &d))
      ;
  uint64_t moves = c.moves;
  compact_reader_clear(&c);
  schedule_reader_free(r);
  fclose(in);
  return moves;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  cdag *g = NULL;
  text list = { 0 };
  telling t;
  char *again;
  size_t bytes;
  diag d = { 0 };
  if (size == 0)
    return 0;
  if (cdag_open(&g, specs[data[0] % SPECS], &d) != OK)
    fuzz_fault("%s", d.message);
  wrap(&list, data + 1, size - 1, 0);
  uint64_t moves = count(&list, g);
  list.n = 0;
  wrap(&list, data + 1, size - 1, moves);
  status st = told(list.s, list.n, g, &t, &again, &bytes, &d);
  if (st != OK)
    fuzz_refused(st, &d);
  else if (t.out.n > 0)
    same(g, memories[data[0] / SPECS % 3], &t, again, bytes);
  text_clear(&t.out);
  free(again);
  text_clear(&list);
  cdag_free(g);
  fuzz_no_leak();
  return 0;
}
