/* Lists of positions of parts of up to 512 vertices, and edges. */
#define WORDS 8
#include "bounds/check/graph/closed.h"

bool positions_closed_8(const positions_claim *c, text *reason) { return is_closed(c, reason); }
