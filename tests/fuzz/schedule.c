/* schedule.c SECONDS [SEED] -- random damaged schedules on random computations, tried in every way; stops at the first fault. */
#include "tests/support_random_cdag.h"
#include "tests/support_trial.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int fault(const cdag *g, const char *source, uint64_t m, uint64_t seed, const char *wrong)
{
  text described = { 0 };
  cdag_print(&described, g);
  printf("seed %" PRIu64 ", M = %" PRIu64 ": %s\n---- computation\n%s---- schedule\n%s\n", seed, m, wrong, text_str(&described), source);
  text_clear(&described);
  return 1;
}

static int try_seed(uint64_t seed)
{
  support_random r = { seed };
  random_cdag_options o = { .plain = seed % 2, .most = 60 };
  cdag *g = support_random_cdag(&r, &o, NULL);
  int failed = 0;
  for (uint64_t k = 0; k < 50 && !failed; k++) {
    text source = { 0 }, why = { 0 };
    uint64_t m = k % 4 ? INT64_MAX : (uint64_t)support_between(&r, 0, 12);
    trial_text(&source, g, seed * 50 + k);
    const char *wrong = trial(g, text_str(&source), m, &why);
    if (wrong)
      failed = fault(g, text_str(&source), m, seed, wrong);
    text_clear(&source);
    text_clear(&why);
  }
  cdag_free(g);
  return failed;
}

static double seconds = 10;
static uint64_t seed = 1;

/* Inside a test, because the generator of computations uses Check's assertions. */
START_TEST(fuzzing)
{
  uint64_t first = seed;
  time_t start = time(NULL);
  while (difftime(time(NULL), start) < seconds)
    ck_assert_int_eq(try_seed(seed++), 0);
  printf("schedule: %" PRIu64 " texts, no fault\n", 50 * (seed - first));
}
END_TEST

int main(int argc, char **argv)
{
  Suite *s = suite_create("fuzz");
  TCase *c = support_case(s, "schedule");
  if (argc > 1)
    seconds = atof(argv[1]);
  if (argc > 2)
    seed = strtoull(argv[2], NULL, 10);
  tcase_set_timeout(c, 0);
  tcase_add_test(c, fuzzing);
  return support_run(s);
}
