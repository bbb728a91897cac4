/* Recursive filters: a pass forwards along a line, one backwards, and what is made of both.  The result needs no pass
   of its own: where two lines fit each word comes once, and where none does what went forwards is stored and comes
   again. */
#include "schedules/tiler/find.h"
#include "tests/support_found.h"
#include <stdio.h>

typedef struct {
  bool columns, first_back, direct; /* along the first index; the backward pass is the first; the input is read, too */
  int order[2], lines, length;
} filter;

static filter draw(support_random *r)
{
  filter f = { .columns = support_between(r, 0, 1), .first_back = support_between(r, 0, 1),
               .direct = support_between(r, 0, 1), .lines = (int)support_between(r, 30, 50),
               .length = (int)support_between(r, 60, 90) };
  for (int k = 0; k < 2; k++)
    f.order[k] = (int)support_between(r, 1, 3);
  return f;
}

static void put_element(text *t, const filter *f, char array, int by)
{
  char at[16] = "j";
  if (by)
    snprintf(at, sizeof at, "j%+d", by);
  text_printf(t, f->columns ? "%c[%s,i]" : "%c[i,%s]", array, at);
}

static void put_domain(text *t, const filter *f, char array)
{
  text_printf(t, f->columns ? "%c[j:n, i:m] = " : "%c[i:m, j:n] = ", array);
}

static void put_pass(text *t, const filter *f, char array, bool back)
{
  put_domain(t, f, array);
  for (int k = 1; k <= f->order[back]; k++) {
    put_element(t, f, array, back ? k : -k);
    text_add(t, ", ");
  }
  put_element(t, f, 'I', 0);
  text_char(t, '\n');
}

static void put_text(text *t, const filter *f)
{
  text_printf(t, "param m = %d, n = %d\ninput I[%s]\n", f->lines, f->length, f->columns ? "n,m" : "m,n");
  put_pass(t, f, 'Y', f->first_back);
  put_pass(t, f, 'Z', !f->first_back);
  text_add(t, "output ");
  put_domain(t, f, 'O');
  put_element(t, f, 'Y', 0);
  text_add(t, ", ");
  put_element(t, f, 'Z', 0);
  if (f->direct) {
    text_add(t, ", ");
    put_element(t, f, 'I', 0);
  }
  text_char(t, '\n');
}

static void check_moves(const cdag *g, uint64_t m, int words, const filter *f, int seed, const char *source)
{
  schedule_find_options options = { .no_library = true };
  pebble_rules rules = { .m = m };
  schedule_found found;
  diag d = { 0 };
  ck_assert_msg(schedule_find(g, &rules, &options, &found, &d) == OK, "seed %d: %s\n%s", seed, d.message, source);
  num_count io = num_plus(found.loads, found.stores), most = (num_count)(words * f->lines * f->length);
  ck_assert_msg(io <= most, "seed %d, M = %d: %s words, not %s\n%s%s", seed, (int)m, num_digits(io).s,
                num_digits(most).s, source, text_str(&found.source));
  support_check_found(g, &rules, &found, source);
  schedule_found_clear(&found);
}

START_TEST(passes_both_ways)
{
  support_random r = { (uint64_t)_i };
  filter f = draw(&r);
  text source = { 0 };
  cdag *g;
  diag d = { 0 };
  put_text(&source, &f);
  ck_assert_msg(cdag_parse(&g, "filter", text_str(&source), "", &d) == OK, "%s\n%s", d.message, text_str(&source));
  check_moves(g, (uint64_t)(2 * f.length + 12), 2, &f, _i, text_str(&source));
  check_moves(g, 40, 5, &f, _i, text_str(&source));
  text_clear(&source);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tiler_passes");
  TCase *t = support_case(s, "passes");
  tcase_add_loop_test(t, passes_both_ways, 0, support_rounds(8));
  return support_run(s);
}
