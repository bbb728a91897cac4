#include "tests/support_flow.h"
#include "base/mem.h"
#include "bounds/graph/graph_tools.h"

enum { MANY = 1000000 };         /* more than there are paths in any test */

support_flow support_flow_new(uint32_t vertices)
{
  return (support_flow){ .source = 2 * vertices, .target = 2 * vertices + 1 };
}

static void add(support_flow *f, uint32_t from, uint32_t to, uint32_t capacity)
{
  if (f->arcs == f->room) {
    f->room = 2 * f->room + 1000;
    f->from = mem_grow(f->from, f->room, sizeof *f->from);
    f->to = mem_grow(f->to, f->room, sizeof *f->to);
    f->capacity = mem_grow(f->capacity, f->room, sizeof *f->capacity);
  }
  f->from[f->arcs] = from;
  f->to[f->arcs] = to;
  f->capacity[f->arcs++] = capacity;
}

void support_flow_through(support_flow *f, uint32_t v, uint32_t most)
{
  add(f, support_flow_in(v), support_flow_out(v), most);
}
void support_flow_arc(support_flow *f, uint32_t from, uint32_t to) { add(f, from, to, MANY); }

uint64_t support_flow_most(support_flow *f)
{
  uint64_t value;
  diag d = { 0 };
  ck_assert_int_eq(
      bound_tools_maxflow(f->target + 1, f->arcs, f->from, f->to, f->capacity, f->source, f->target, &value, &d), OK);
  ck_assert_uint_lt(value, MANY);
  mem_free(f->from);
  mem_free(f->to);
  mem_free(f->capacity);
  *f = (support_flow){ 0 };
  return value;
}
