/* A sum over several loops is one sum, however its text says so: written as `sum`, as a chain whose ends are read at
   most - 1 + the index or under a condition, or as a loop nest in C; with a value to begin with, or without. */
#include "cdag/import/import.h"
#include "tests/support_found.h"
#include <stdio.h>
#include <string.h>

enum { LOOPS = 3 };
typedef enum { AS_SUM, BY_ENDS, BY_CONDITIONS, TURNED_CONDITIONS, AS_NEST, WAYS } way;
typedef struct {
  int n, m, loops, size[LOOPS]; /* Y[i:n, j:m] summed over loops of these sizes, the outermost first */
  int stride;                  /* of the window over i: what is read at i * stride + the last loop's index */
  bool window, begun;          /* begun: from a value of its own on */
} product;
static const char *const name[LOOPS] = { "s", "a", "b" };

static product draw(support_random *r)
{
  product p = { .n = (int)support_between(r, 12, 30), .m = (int)support_between(r, 12, 30) };
  p.loops = (int)support_between(r, 2, LOOPS);
  p.size[0] = (int)support_between(r, 4, 16);
  for (int k = 1; k < p.loops; k++)
    p.size[k] = (int)support_between(r, 2, 4);
  p.window = support_between(r, 0, 1);
  p.stride = (int)support_between(r, 1, 2);
  p.begun = support_between(r, 0, 1);
  return p;
}

/* What is read of X and of W at one step, with these brackets between the indices. */
static void put_operands(const product *p, const char *between, const char *then, text *t)
{
  int last = p->loops - 1;
  text_add(t, "X[");
  for (int k = 0; k < last; k++)
    text_printf(t, "%s%s", name[k], between);
  if (p->window)
    text_printf(t, "%d*i+%s]", p->stride, name[last]);
  else
    text_printf(t, "%s%si]", name[last], between);
  text_printf(t, "%sW[", then);
  for (int k = 0; k <= last; k++)
    text_printf(t, "%s%s", name[k], between);
  text_add(t, "j]");
}

static void put_inputs(const product *p, text *t)
{
  int last = p->loops - 1;
  text_add(t, "input X[");
  for (int k = 0; k < last; k++)
    text_printf(t, "%d,", p->size[k]);
  if (p->window)
    text_printf(t, "%d]\ninput W[", p->stride * (p->n - 1) + p->size[last]);
  else
    text_printf(t, "%d,%d]\ninput W[", p->size[last], p->n);
  for (int k = 0; k <= last; k++)
    text_printf(t, "%d,", p->size[k]);
  text_printf(t, "%d]\n", p->m);
  if (p->begun)
    text_printf(t, "input Z[%d,%d]\n", p->n, p->m);
}

static void put_condition(const product *p, int from, bool turned, text *t)
{
  for (int k = from; k < p->loops; k++)
    text_printf(t, "%s%s == 0", k == from ? " if " : " && ", name[turned ? from + p->loops - 1 - k : k]);
}

/* The step before: of loop c, those inside it at their ends. */
static void put_step(const product *p, int c, way w, text *t)
{
  text_add(t, "Y[i,j");
  for (int k = 0; k < p->loops; k++)
    if (k < c)
      text_printf(t, ",%s", name[k]);
    else if (k == c)
      text_printf(t, ",%s-1", name[k]);
    else if (w == BY_ENDS)
      text_printf(t, ",%d+%s", p->size[k] - 1, name[k]);
    else
      text_printf(t, ",%d", p->size[k] - 1);
  text_add(t, "]");
  if (w != BY_ENDS && c + 1 < p->loops)
    put_condition(p, c + 1, w == TURNED_CONDITIONS, t);
  text_add(t, ", ");
}

static void put_text(const product *p, way w, text *t)
{
  put_inputs(p, t);
  if (w == AS_SUM) {
    text_printf(t, "output Y[i:%d, j:%d] = sum ", p->n, p->m);
    for (int k = 0; k < p->loops; k++)
      text_printf(t, "%s%s:%d", k ? ", " : "", name[k], p->size[k]);
    text_add(t, " { ");
    put_operands(p, ",", ", ", t);
    text_add(t, " }\n");
    return;
  }
  text_printf(t, "Y[i:%d, j:%d", p->n, p->m);
  for (int k = 0; k < p->loops; k++)
    text_printf(t, ", %s:%d", name[k], p->size[k]);
  text_add(t, "] = ");
  for (int c = 0; c < p->loops; c++)
    put_step(p, c, w, t);
  if (p->begun) {
    text_add(t, "Z[i,j]");
    put_condition(p, 0, w == TURNED_CONDITIONS, t);
    text_add(t, ", ");
  }
  put_operands(p, ",", ", ", t);
  text_add(t, "\noutput Y[*,*");
  for (int k = 0; k < p->loops; k++)
    text_printf(t, ",%d", p->size[k] - 1);
  text_add(t, "]\n");
}

static void put_nest(const product *p, text *t)
{
  text_add(t, "void f(double Y[99][99], double Z[99][99]");
  for (int o = 0; o < 2; o++) {
    text_printf(t, ", double %s[99]", o ? "W" : "X");
    for (int k = o == 0 && p->window; k < p->loops; k++)
      text_add(t, "[99]");
  }
  text_add(t, ") {\n");
  text_printf(t, "for (int i = 0; i < %d; i++) for (int j = 0; j < %d; j++) {\n", p->n, p->m);
  text_printf(t, "Y[i][j] = %s;\n", p->begun ? "Z[i][j]" : "0");
  for (int k = 0; k < p->loops; k++)
    text_printf(t, "for (int %s = 0; %s < %d; %s++)\n", name[k], name[k], p->size[k], name[k]);
  text_add(t, "Y[i][j] += ");
  put_operands(p, "][", " * ", t);
  text_add(t, "; } }\n");
}

static cdag *open_way(const product *p, way w, text *source)
{
  cdag *g = NULL;
  diag d = { 0 };
  if (w == AS_NEST) {
    text nest = { 0 };
    put_nest(p, &nest);
    ck_assert_msg(cdag_import_c("f.c", text_str(&nest), NULL, source, &d) == OK, "%s\n%s", d.message, text_str(&nest));
    text_clear(&nest);
  } else
    put_text(p, w, source);
  ck_assert_msg(cdag_parse(&g, "f", text_str(source), "", &d) == OK, "%s\n%s", d.message, text_str(source));
  return g;
}

START_TEST(sums_in_many_spellings)
{
  support_random r = { (uint64_t)_i };
  product p = draw(&r);
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 60, 300) };
  schedule_find_options options = { .no_library = true };
  num_count least = NUM_TOO_MANY, most = 0;
  text first = { 0 };
  for (way w = p.begun ? BY_ENDS : AS_SUM; w < WAYS; w++) {
    text source = { 0 };
    schedule_found f;
    diag d = { 0 };
    cdag *g = open_way(&p, w, &source);
    ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "seed %d: %s\n%s", _i, d.message,
                  text_str(&source));
    support_check_found(g, &rules, &f, text_str(&source));
    num_count io = num_plus(f.loads, f.stores);
    least = io < least ? io : least;
    most = io > most ? io : most;
    if (!first.n)
      text_add(&first, text_str(&source));
    ck_assert_msg(most == least, "seed %d, M = %d: %s words, or %s\n%s\n%s", _i, (int)rules.m, num_digits(most).s,
                  num_digits(least).s, text_str(&first), text_str(&source));
    schedule_found_clear(&f);
    text_clear(&source);
    cdag_free(g);
  }
  text_clear(&first);
}
END_TEST

/* ---- sums that go on through time ---- */

/* Points that pull at each other: v gathers in all steps, in an array of its own, or in the array of the sums, which
   says in two ways what its first step at j reads. */
#define POINTS "param T = 3, n = 400\ninput x[n], v[n]\n"
#define MOVED "y[t:-1..T, i:n] = x[i] if t == -1, y[t-1,i], "
static const char *const through_time[] = {
  POINTS "a[t:T, i:n, j:n] = a[t,i,j-1], y[t-1,i], y[t-1,j]\nw[t:T, i:n] = a[t,i,n-1], w[t-1,i], v[i] if t == 0\n"
  MOVED "w[t,i]\noutput y[T-1,*]\n",
  POINTS "a[t:T, i:n, j:n] = a[t,i,j-1], v[i] if j == 0 && t == 0, a[t-1,i,n-1] if j == 0, y[t-1,i], y[t-1,j]\n"
  MOVED "a[t,i,n-1]\noutput y[T-1,*]\n",
  POINTS "a[t:T, i:n, j:n] = a[t,i,j-1], a[t-1,i,n-1+j], v[i] if j == 0 && t == 0, y[t-1,i], y[t-1,j]\n"
  MOVED "a[t,i,n-1]\noutput y[T-1,*]\n",
};

START_TEST(sums_through_time)
{
  pebble_rules rules = { .m = 100 };
  schedule_find_options options = { .no_library = true };
  num_count apart = 0;
  for (int k = 0; k < 3; k++) {
    cdag *g;
    schedule_found f;
    diag d = { 0 };
    ck_assert_int_eq(cdag_parse(&g, "points", through_time[k], "", &d), OK);
    ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%s\n%s", d.message, through_time[k]);
    support_check_found(g, &rules, &f, through_time[k]);
    num_count io = num_plus(f.loads, f.stores);
    apart = k ? apart : io;
    ck_assert_msg((double)io <= 1.3 * (double)apart, "%s words, in an array of its own %s\n%s", num_digits(io).s,
                  num_digits(apart).s, through_time[k]);
    schedule_found_clear(&f);
    cdag_free(g);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tiler_sums");
  TCase *t = support_case(s, "sums");
  tcase_add_loop_test(t, sums_in_many_spellings, 0, support_rounds(8));
  tcase_add_test(t, sums_through_time);
  return support_run(s);
}
