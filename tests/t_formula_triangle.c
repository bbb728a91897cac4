/* Formulas of programs over triangles, against the count at every value of the parameters, and what the tuner makes of
 * them. */
#include "schedules/symbolic/walk.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEP = 4 };
typedef struct {
  support_random r;
  text *out;
  bool block[DEEP + 1];        /* x0 .. run over blocks */
} maker;

static int64_t pick(maker *m, int64_t lo, int64_t hi) { return support_between(&m->r, lo, hi); }
static bool chance(maker *m, int in) { return pick(m, 1, in) == 1; }

static void put_computation(maker *m)
{
  static const char *const side[] = { "j:i+1", "j:i+1", "j:i", "j:i..n", "j:i+1..n", "j:i+3", "j:i-2..n" };
  text_printf(m->out, "param n = %d\ninput T[d:9, i:n, %s], W[n]\n", (int)pick(m, 5, 14),
              side[pick(m, 0, COUNT(side) - 1)]);
  text_printf(m->out, "U[d:9, i:n, %s%s] = W[i]\noutput R[1] = W[0]\n", side[pick(m, 0, 4)],
              chance(m, 2) ? ", k:j" : "");
}

static void put_loop(maker *m, int depth)
{
  static const char *const of_block[] = { "hi(x%d)", "lo(x%d)", "lo(x%d)..n",       "hi(x%d)..n",
                                          "x%d",     "x%d",     "lo(x%d)..hi(x%d)", "n" };
  static const char *const of_value[] = { "x%d", "x%d..n", "x%d+1", "x%d+1..n", "n-x%d", "n" };
  text_printf(m->out, "for x%d in ", depth);
  int over = depth ? depth > 1 && chance(m, 3) ? depth - 2 : depth - 1 : -1;
  bool inside = depth > 1 && m->block[depth - 2] && !m->block[depth - 1] && chance(m, 2);
  bool block = !chance(m, 3);
  if (inside)
    text_printf(m->out, chance(m, 2) ? "lo(x%d)..x%d" : "lo(x%d)..x%d+1", depth - 2, depth - 1);
  else if (over < 0)
    text_add(m->out, "n");
  else if (m->block[over])
    text_printf(m->out, of_block[pick(m, 0, COUNT(of_block) - 1)], over, over);
  else
    text_printf(m->out, of_value[pick(m, 0, COUNT(of_value) - 1)], over);
  if (strcmp(text_str(m->out) + m->out->n - 2, " x") == 0 || inside)
    block = false;
  if (block)
    text_add(m->out, chance(m, 6) ? " by b" : " by a");
  m->block[depth] = block;
  text_add(m->out, " { ");
}

static void put_index(maker *m, int depth, char *word, size_t room)
{
  static const char *const of_block[] = { "x%d", "x%d", "x%d", "x%d", "x%d", "lo(x%d)", "0..lo(x%d)", "hi(x%d)..n" };
  static const char *const of_value[] = { "x%d", "x%d", "x%d+1..n", "0..x%d", "x%d+1" };
  int x = (int)pick(m, 0, depth - 1);
  if (chance(m, 6))
    snprintf(word, room, "*");
  else if (depth > 1 && m->block[depth - 2] && !m->block[depth - 1] && chance(m, 3))
    snprintf(word, room, chance(m, 2) ? "x%d+1..hi(x%d)" : "x%d..hi(x%d)", depth - 1, depth - 2);
  else
    snprintf(word, room,
             m->block[x] ? of_block[pick(m, 0, COUNT(of_block) - 1)] : of_value[pick(m, 0, COUNT(of_value) - 1)], x);
}

static void put_nest(maker *m, int depth);

/* Something that happens in some iterations. */
static void put_condition(maker *m, int depth)
{
  static const char *const end[] = { "lo(x%d)", "lo(x%d)", "hi(x%d)", "hi(x%d)-1" };
  static const char *const op[] = { "<", "<=", ">", ">=", "==", "!=" };
  text_add(m->out, "if ");
  text_printf(m->out, end[pick(m, 0, COUNT(end) - 1)], depth - 1);
  text_printf(m->out, " %s ", op[pick(m, 0, COUNT(op) - 1)]);
  text_printf(m->out, end[pick(m, 0, COUNT(end) - 1)], (int)pick(m, 0, depth - 1));
  text_add(m->out, " { load W[2] drop W[2] } else { load W[3..5] drop W[3..5] } ");
}

/* A box comes, is there while other things happen, and goes. */
static void put_box(maker *m, int depth)
{
  char row[48], column[48];
  put_index(m, depth, row, sizeof row);
  put_index(m, depth, column, sizeof column);
  text_printf(m->out, "load T[%d,%s,%s] ", depth, row, column);
  if (depth < DEEP && !chance(m, 4))
    put_nest(m, depth);
  text_printf(m->out, "drop T[%d,%s,%s] ", depth, row, column);
}

static void put_nest(maker *m, int depth)
{
  put_loop(m, depth);
  put_box(m, depth + 1);
  if (chance(m, 4))
    put_box(m, depth + 1);
  if (chance(m, 3))
    put_condition(m, depth + 1);
  text_add(m->out, "} ");
}

static void put_program(maker *m)
{
  text_add(m->out, "param a = 2\nparam b = 3\nload W[0] compute R[0] store R[0] drop R[0], W[0]\n");
  put_nest(m, 0);
}

/* ---- the questions ---- */

typedef struct { uint64_t programs, formulas, cut, tuned, exact; } tally;
typedef struct {
  cdag *g;
  text program, what;
  int64_t most;
  tally *of;
} question;

static schedule *parse(const question *q, uint64_t m, const char *assign)
{
  schedule *s = NULL;
  diag d = { 0 };
  ck_assert_msg(schedule_parse(&s, q->g, m, "triangle.sched", text_str(&q->program), assign, &d) == OK, "%s\n%s",
                d.message, text_str(&q->what));
  return s;
}

static void count_at(const question *q, int64_t a, int64_t b, schedule_counts *c)
{
  char assign[64];
  diag d = { 0 };
  pebble_rules rules = { .variant = PEBBLE_PLACING, .m = 1 << 20 };
  snprintf(assign, sizeof assign, "a=%ld,b=%ld", (long)a, (long)b);
  schedule *s = parse(q, rules.m, assign);
  ck_assert_int_eq(schedule_count(s, &rules, c, &d), OK);
  schedule_free(s);
}

static void name_parameters(formula *f, const schedule *s, int64_t most)
{
  for (int i = 0; i < s->slot_param + s->params; i++)
    f->number[i] = i < s->slot_param;
  for (int i = 0; i < s->params; i++)
    f->span[s->slot_param + i] = (span){ 1, most };
}

static void same_at(const question *q, formula *f, poly p, int64_t a, int64_t b)
{
  schedule_counts c;
  int64_t v = -1, *at = f->slot + f->s->slot_param;
  expr_env env = { f->slot, f->s->g->table };
  count_at(q, a, b, &c);
  at[0] = a;
  at[1] = b;
  ck_assert_msg(poly_value(&f->world, p, &env, &v) && v == (f->net ? 0 : (int64_t)(c.loads + c.stores)),
                "a = %ld, b = %ld: %s %ld, not %ld\n%s", (long)a, (long)b, f->net ? "net" : "formula", (long)v,
                (long)(c.loads + c.stores), text_str(&q->what));
  schedule_counts_clear(&c);
}

/* One polynomial for all values. */
static void check_formula(const question *q, bool net)
{
  schedule *s = parse(q, 1 << 20, "");
  formula f;
  poly p = { 0 };
  text reason = { 0 };
  formula_init(&f, s, &reason);
  f.net = net;
  name_parameters(&f, s, q->most);
  if (formula_add(&f, s->body, &p) && !f.world.failed) {
    q->of->formulas++;
    for (int64_t a = 1; a <= q->most; a++)
      for (int64_t b = 1; b <= q->most; b++)
        same_at(q, &f, p, a, b);
  } else
    q->of->cut += strstr(text_str(&reason), "slanted") != NULL;
  if (getenv("TRIANGLE_SAY") && p.n == 0 && reason.n)
    fprintf(stderr, "%s\n", text_str(&reason));
  formula_clear(&f);
  text_clear(&reason);
  schedule_free(s);
}

static uint64_t best_within(const question *q, uint64_t m)
{
  uint64_t best = UINT64_MAX;
  for (int64_t a = 1; a <= q->most; a++)
    for (int64_t b = 1; b <= q->most; b++) {
      schedule_counts c;
      count_at(q, a, b, &c);
      if (c.peak <= m && c.loads + c.stores < best)
        best = c.loads + c.stores;
      schedule_counts_clear(&c);
    }
  return best;
}

static void check_tuning(const question *q, uint64_t m)
{
  schedule *s = parse(q, m, "");
  schedule_tuning t;
  diag d = { 0 };
  pebble_rules rules = { .variant = PEBBLE_PLACING, .m = m };
  uint64_t best = best_within(q, m);
  status st = schedule_tune(s, &rules, &t, &d);
  ck_assert_msg(st == (best == UINT64_MAX ? GAVE_UP : OK), "M = %ld: status %d, best %ld\n%s", (long)m, st, (long)best,
                text_str(&q->what));
  q->of->tuned++;
  q->of->exact += st == OK && strncmp(text_str(&t.record), "I/O", 3) == 0;
  ck_assert_msg(st != OK || !t.exact || t.io == best, "M = %ld: %ld is not the best, %ld is\n%s\n%s", (long)m,
                (long)t.io, (long)best, text_str(&t.record), text_str(&q->what));
  schedule_tuning_clear(&t);
  schedule_free(s);
}

static void check(uint64_t seed, tally *of)
{
  text computation = { 0 };
  maker m = { .r = { seed } };
  question q = { .of = of };
  diag d = { 0 };
  m.out = &computation;
  put_computation(&m);
  m.out = &q.program;
  put_program(&m);
  text_printf(&q.what, "seed %lu\n%s%s", (unsigned long)seed, text_str(&computation), text_str(&q.program));
  ck_assert_msg(cdag_parse(&q.g, "triangle.cdag", text_str(&computation), "", &d) == OK, "%s\n%s", d.message,
                text_str(&q.what));
  q.most = q.g->array[0].hull.hi[1];
  of->programs++;
  check_formula(&q, false);
  check_formula(&q, true);
  if (seed % 4 == 0)
    check_tuning(&q, (uint64_t)pick(&m, 4, 60));
  cdag_free(q.g);
  text_clear(&computation);
  text_clear(&q.program);
  text_clear(&q.what);
}

START_TEST(agree)
{
  tally of = { 0 };
  for (uint64_t k = 0; k < 4; k++)
    check(4 * (uint64_t)_i + k, &of);
}
END_TEST

START_TEST(many_have_formulas)
{
  tally of = { 0 };
  for (uint64_t seed = 0; seed < 100; seed++)
    check(seed, &of);
  if (getenv("TRIANGLE_SAY"))
    fprintf(stderr, "%lu programs, %lu formulas, %lu cut, %lu tuned, %lu by formula\n", (unsigned long)of.programs,
            (unsigned long)of.formulas, (unsigned long)of.cut, (unsigned long)of.tuned, (unsigned long)of.exact);
  ck_assert_uint_gt(of.formulas, 40);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("formula_triangle");
  TCase *c = support_case(s, "formula");
  tcase_add_loop_test(c, agree, 25, 25 + support_rounds(25));
  if (!support_sanitized())
    tcase_add_test(c, many_have_formulas);
  return support_run(s);
}
