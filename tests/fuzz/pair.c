/* Computation and schedule together, both made from the input's bytes: each byte is a decision of the generators, so
   that what the fuzzer changes is the structure.  The property is that all readings agree: by element, by tile, with
   iterations inferred, as a list, counted.  FUZZ_PAIR=FILE: write the pair there first, for tests/fuzz/shrink. */
#include "base/mem.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support_pair.h"
#include "tests/support_random_cdag.h"
#include "tests/support_trial.h"
#include <stdlib.h>

static void make(pair *p, const uint8_t *data, size_t size)
{
  support_random r = { size };
  support_tape(data, size);
  random_cdag_options o = { .plain = support_between(&r, 0, 1), .most = 40 };
  p->rules.variant = support_between(&r, 0, 3) ? PEBBLE_PLACING : (pebble_variant)support_between(&r, 1, 2);
  p->rules.one_shot = !support_between(&r, 0, 3);
  p->rules.m = support_between(&r, 0, 2) ? INT64_MAX : (uint64_t)support_between(&r, 0, 12);
  cdag *g = support_random_cdag(&r, &o, &p->computation);
  trial_text(&p->schedule, g, size);
  support_tape(NULL, 0);
  cdag_free(g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  pair p = { 0 };
  text why = { 0 };
  const char *show = getenv("FUZZ_PAIR");
  make(&p, data, size);
  if (show)
    pair_write(&p, show);
  const char *wrong = pair_trial(&p, &why);
  if (wrong) {
    pair_write(&p, "-");
    fuzz_fault("%s", wrong);
  }
  pair_clear(&p);
  text_clear(&why);
  fuzz_no_leak();
  return 0;
}
