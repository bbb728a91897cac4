#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_graph(cdag_graph_read_graphml, data, size);
  return 0;
}
