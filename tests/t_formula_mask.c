/* Formulas of the schedules on block masks: derived at one setting, they give what is moved at others, as it is counted
 * and as it is played. */
#include "schedules/schedule.h"
#include "tests/support.h"
#include "tests/support_formula.h"
#include "tests/support_library.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  support_random r;
  text mask;                   /* the spec but for d and dv */
  char file[32];               /* of the mask, or empty */
  bool dv;                     /* given, apart from d */
  int64_t b;
} question;

static int64_t pick(question *q, int64_t lo, int64_t hi) { return support_between(&q->r, lo, hi); }

/* Numbers of a mask in a file; every row keeps something. */
static void put_file(question *q, int64_t rows, int64_t columns)
{
  snprintf(q->file, sizeof q->file, "/tmp/maskXXXXXX");
  int at = mkstemp(q->file);
  ck_assert_int_ge(at, 0);
  FILE *out = fdopen(at, "w");
  for (int64_t i = 0; i < rows; i++) {
    int64_t kept = pick(q, 0, columns - 1);
    for (int64_t k = 0; k < columns; k++)
      fprintf(out, "%d ", k == kept || pick(q, 0, 2) == 0);
  }
  fclose(out);
  text_printf(&q->mask, ",mask=@%s", q->file);
}

static void put_mask(question *q)
{
  int64_t b = q->b = pick(q, 1, 5), rows = pick(q, 1, 9), n = b * rows - pick(q, 0, b - 1), nk = n,
          kind = pick(q, 0, 6);
  text_printf(&q->mask, "attention-sparse:n=%ld,b=%ld", (long)n, (long)b);
  if (pick(q, 0, 2) == 0) {
    nk = pick(q, n, n + 3 * b); /* every row sees a key */
    text_printf(&q->mask, ",nk=%ld", (long)nk);
  }
  if (kind == 6) {
    put_file(q, rows, (nk + b - 1) / b);
    return;
  }
  text_printf(&q->mask, ",w=%ld", (long)pick(q, 0, 3));
  if (kind >= 2)
    text_printf(&q->mask, ",s=%ld", (long)pick(q, 2, 4));
  if (kind == 5)
    text_printf(&q->mask, ",p=%ld,seed=%ld", (long)pick(q, 5, 60), (long)pick(q, 1, 99));
}

static cdag *open_mask(question *q)
{
  text spec = { 0 };
  cdag *g = NULL;
  diag d = { 0 };
  text_printf(&spec, "%s,d=%ld", text_str(&q->mask), (long)pick(q, 1, 6));
  if (q->dv)
    text_printf(&spec, ",dv=%ld", (long)pick(q, 1, 6));
  ck_assert_msg(cdag_open(&g, text_str(&spec), &d) == OK, "%s: %s", text_str(&spec), d.message);
  text_clear(&spec);
  return g;
}

static bool is_fixed(const text *holds, const char *name)
{
  char what[80];
  snprintf(what, sizeof what, "%s = ", name);
  const char *from = text_str(holds), *at = from;
  while ((at = strstr(at, what)) && at > from && at[-1] != ' ') /* b = 8 in nb = 8 */
    at++;
  return at;
}

/* The schedule with other values of its parameters, but for those that the formula says it rests on. */
static schedule *set(question *q, const cdag *g, const schedule_listing *l, const schedule *like, const text *holds)
{
  schedule *s = NULL;
  diag d = { 0 };
  text assign = { 0 };
  for (int i = 0; i < like->params; i++) {
    int64_t v = is_fixed(holds, like->param[i].name) ? like->param[i].value : pick(q, 1, q->b + 3);
    text_printf(&assign, "%s%s=%ld", i ? "," : "", like->param[i].name, (long)v);
  }
  ck_assert_msg(schedule_parse(&s, g, (uint64_t)pick(q, 10, 400), l->path, l->text, text_str(&assign), &d) == OK, "%s",
                d.message);
  text_clear(&assign);
  return s;
}

/* With room for everything; -1 when the moves are not legal (blocks wider than the schedule is for). */
static int64_t played(const schedule *s)
{
  schedule_play_options o = { .rules = { .m = 1 << 20 }, .engine = PEBBLE_BY_TILE };
  schedule_verdict v;
  diag d = { 0 };
  ck_assert_msg(schedule_play(s, &o, &v, &d) == OK, "%s", d.message);
  int64_t io = v.verdict.legal ? (int64_t)(v.verdict.loads + v.verdict.stores) : -1;
  schedule_verdict_clear(&v);
  return io;
}

static void compare(question *q, const schedule_listing *l, const schedule *at, const text *io, const text *holds)
{
  cdag *g = open_mask(q);
  schedule *s = set(q, g, l, at, holds);
  if (formula_covers(holds, s)) {
    double v = formula_text_value(text_str(io), s);
    uint64_t count;
    int64_t play = played(s);
    ck_assert(formula_counted_io(s, &count));
    ck_assert_msg(fabs(v - (double)count) < 1e-3 && (play < 0 || (uint64_t)play == count),
                  "%s on %s: %s\nis %g, counted %ld, played %ld; it holds while %s", l->name, text_str(&q->mask),
                  text_str(io), v, (long)count, (long)play, text_str(holds));
  }
  schedule_free(s);
  cdag_free(g);
}

START_TEST(gives_the_play)
{
  question q = { .r = { (uint64_t)_i } };
  const schedule_listing *l = library_of("attention-sparse", _i);
  put_mask(&q);
  q.dv = pick(&q, 0, 1);
  cdag *g = open_mask(&q);
  q.dv = q.dv && g->param_value[cdag_find_param(g, "dv")] !=
                     g->param_value[cdag_find_param(g, "d")]; /* else d stands for both */
  schedule *s = NULL;
  diag d = { 0 };
  text io = { 0 }, holds = { 0 }, reason = { 0 };
  bool parsed = schedule_parse(&s, g, (uint64_t)pick(&q, 20, 400), l->path, l->text, "", &d) == OK;
  bool found = parsed && schedule_formula(s, false, &io, &holds, &reason);
  bool other =
      (!strcmp(l->name, "grouped") && (*q.file || strstr(text_str(&q.mask), ",p="))) || /* a mask it is not for */
      !strcmp(l->name, "spill") || /* a last block that is narrower, or rows that keep nothing: no formula is known */
      strstr(text_str(&reason), "a block size below 1");
  ck_assert_msg(found || !parsed || other || s->param[0].value < 1, "%s on %s: %s", l->name, text_str(&q.mask),
                text_str(&reason));
  for (int k = 0; k < 6 && found; k++)
    compare(&q, l, s, &io, &holds);
  if (*q.file)
    unlink(q.file);
  text_clear(&q.mask);
  text_clear(&io);
  text_clear(&holds);
  text_clear(&reason);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

/* Eight rows of blocks of eight, of which a band of three keeps 22: 176 keys meet a block of rows, each so many times
   as the block is cut; what is unfinished of a row goes out and comes back once less than the pieces of its keys. */
static const struct { const char *spec, *schedule, *formula;
} by_hand[] = {
  { "n=64,d=4,b=8", "flash2", "128 d + 352 d ceil(8/r)" },
  { "n=64,d=4,b=8", "attenio", "128 d + 352 d ceil(8/a)" },
  { "n=64,d=4,dv=3,b=8", "word-by-word", "64 d + 64 dv + 176 d ceil(8/a) + 176 dv ceil(8/a)" },
  { "n=64,d=4,dv=9,b=8", "sliced", "64 d + 64 dv + 176 d ceil(8/a) ceil(dv/y) + 176 dv ceil(8/a)" },
  { "n=64,d=4,b=8", "flash1", "64 d + 528 d ceil(8/c) + 352 ceil(8/c) - 128" },
  { "n=64,d=4,b=8", "grouped", "256 d" }, /* at M = 1000 all of them stay */
  { "n=62,d=4,b=8", "attenio",
    "124 d + 316 d ceil(8/a) + 28 d ceil(6/a)" }, /* the last block has six rows and six keys */
  { "n=131072,d=128,b=64,w=2", "flash1", "131072 d + 1964928 d ceil(64/c) + 1309952 ceil(64/c) - 262144" },
};

START_TEST(known)
{
  text spec = { 0 }, io = { 0 }, holds = { 0 }, reason = { 0 };
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  text_printf(&spec, "attention-sparse:%s", by_hand[_i].spec);
  ck_assert_int_eq(cdag_open(&g, text_str(&spec), &d), OK);
  ck_assert_int_eq(schedule_open(&s, g, strstr(by_hand[_i].spec, "131072") ? 1 << 18 : 1000, by_hand[_i].schedule, &d),
                   OK);
  ck_assert_msg(schedule_formula(s, false, &io, &holds, &reason), "%s", text_str(&reason));
  ck_assert_str_eq(text_str(&io), by_hand[_i].formula);
  ck_assert_ptr_nonnull(strstr(text_str(&holds), "the table cnt is as it is here"));
  ck_assert_int_eq(is_fixed(&holds, "g"), !strcmp(by_hand[_i].schedule, "grouped"));
  ck_assert(is_fixed(&holds, "b") && !is_fixed(&holds, "d"));
  text_clear(&spec);
  text_clear(&io);
  text_clear(&holds);
  text_clear(&reason);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("formula_mask");
  TCase *c = support_case(s, "masks");
  tcase_add_loop_test(c, gives_the_play, 0, support_rounds(165));
  tcase_add_loop_test(c, known, 0, COUNT(by_hand));
  return support_run(s);
}
