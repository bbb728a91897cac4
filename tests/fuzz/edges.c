/* A few bytes may announce a million vertices, and do so legally: such inputs only cost time, and are left out. */
#include "tests/fuzz/fuzz.h"
#include <ctype.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  size_t digits = 0;
  while (digits < size && isdigit(data[digits]))
    digits++;
  if (digits < 5 || digits > 7)
    fuzz_graph(cdag_graph_read_edges, data, size);
  return 0;
}
