/* The .sched language: the first byte says which computation and how much memory, the rest is the text; it is tried in
 * every way there is. */
#include "base/mem.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support_trial.h"

static const char *const specs[] = {
  "attention:n=3,d=2",          "matmul:m=2,n=3,k=2", "attention-causal:n=3,d=1",      "grid:r=2,c=3",
  "attention-backward:n=2,d=1", "stencil:w=3,t=2",    "attention-lowrank:n=2,d=1,g=1", "dot:k=3"
};
enum { SPECS = sizeof specs / sizeof *specs };
static const uint64_t memories[] = { INT64_MAX, 3, 6, 12 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  cdag *g = NULL;
  text why = { 0 };
  diag d = { 0 };
  if (size == 0)
    return 0;
  char *source = fuzz_text(data + 1, size - 1);
  if (!source)
    return 0;
  if (cdag_open(&g, specs[data[0] % SPECS], &d) != OK)
    fuzz_fault("%s", d.message);
  const char *wrong = trial(g, source, memories[data[0] / SPECS % 4], &why);
  if (wrong)
    fuzz_fault("%s on %s", wrong, specs[data[0] % SPECS]);
  text_clear(&why);
  cdag_free(g);
  mem_free(source);
  fuzz_no_leak();
  return 0;
}
