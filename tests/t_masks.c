/* Every schedule of block-sparse attention, forward and backward, on random masks: bands, stripes, dice, ragged blocks;
   long enough for iterations to be left out. */
#include "tests/support_ways.h"
#include "tests/support_library.h"
#include <stdio.h>
#include <string.h>

static void put_mask(text *out, support_random *r, const char *family, int most)
{
  int b = (int)support_between(r, 1, 4), blocks = (int)support_between(r, 12, most);
  text_printf(out, "%s:n=%d,d=%d,b=%d,w=%d", family, b * blocks - (int)support_between(r, 0, b - 1),
              (int)support_between(r, 1, 3), b, (int)support_between(r, 0, 3));
  if (support_between(r, 0, 4))
    text_printf(out, ",s=%d", (int)support_between(r, 2, 9));
  if (!support_between(r, 0, 5))
    text_printf(out, ",p=%d,seed=%d", (int)support_between(r, 1, 8), (int)support_between(r, 1, 99));
  if (!support_between(r, 0, 3))
    text_printf(out, ",top=%d,dilate=%d", (int)support_between(r, 1, 3), (int)support_between(r, 1, 3));
  if (!support_between(r, 0, 3))
    text_printf(out, ",dv=%d", (int)support_between(r, 1, 4));
}

static void compare(int seed, ways_tally *of)
{
  support_random r = { (uint64_t)seed };
  bool back = seed % 2;
  const char *family = back ? "attention-sparse-backward" : "attention-sparse";
  const schedule_listing *l = library_of(family, seed / 2);
  text spec = { 0 }, what = { 0 };
  schedule *s = NULL;
  cdag *g = NULL;
  diag d = { 0 };
  put_mask(&spec, &r, family, back ? 36 : 90);
  pebble_rules rules = { .m = (uint64_t)support_between(&r, 12, 200), .one_shot = !support_between(&r, 0, 5) };
  text_printf(&what, "seed %d: %s %s M = %ld%s", seed, text_str(&spec), l->name, (long)rules.m,
              rules.one_shot ? " one-shot" : "");
  ck_assert_msg(cdag_open(&g, text_str(&spec), &d) == OK, "%s: %s", text_str(&what), d.message);
  if (schedule_parse(&s, g, rules.m, l->path, l->text, "", &d) == OK)
    ways_add(s, &rules, false, text_str(&what), of);
  schedule_free(s);
  cdag_free(g);
  text_clear(&spec);
  text_clear(&what);
}

START_TEST(agree)
{
  ways_tally of = { 0 };
  for (int k = 0; k < 11; k++)
    compare(11 * _i + k, &of);
}
END_TEST

/* Worth something only if many of them are legal, and iterations are left out. */
START_TEST(leave_iterations_out)
{
  ways_tally of = { 0 };
  for (int seed = 0; seed < 60; seed++)
    compare(seed, &of);
  ways_say("MASKS_SAY", &of);
  ck_assert_uint_gt(of.legal, 32);
  ck_assert_uint_gt(of.jumping, 32);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("masks");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, agree, 10, 10 + support_rounds(12));
  if (!support_sanitized())
    tcase_add_test(c, leave_iterations_out);
  return support_run(s);
}
