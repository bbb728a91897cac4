/* Lists of positions of parts of up to 64 vertices, and edges. */
#define WORDS 1
#include "bounds/check/graph/closed.h"

bool positions_closed_1(const positions_claim *c, text *reason) { return is_closed(c, reason); }
