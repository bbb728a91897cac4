#include "tests/support_flow.h"
#include "base/mem.h"
#include <igraph.h>
#include <math.h>

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
  igraph_vector_int_t ends;
  igraph_vector_t limits;
  igraph_t g;
  igraph_real_t flow = 0;
  igraph_vector_int_init(&ends, (igraph_integer_t)(2 * f->arcs));
  igraph_vector_init(&limits, (igraph_integer_t)f->arcs);
  for (uint64_t i = 0; i < f->arcs; i++) {
    VECTOR(ends)[2 * i] = f->from[i];
    VECTOR(ends)[2 * i + 1] = f->to[i];
    VECTOR(limits)[i] = f->capacity[i];
  }
  igraph_create(&g, &ends, (igraph_integer_t)f->target + 1, IGRAPH_DIRECTED);
  ck_assert_int_eq(igraph_maxflow_value(&g, &flow, f->source, f->target, &limits, NULL), IGRAPH_SUCCESS);
  igraph_destroy(&g);
  igraph_vector_destroy(&limits);
  igraph_vector_int_destroy(&ends);
  uint64_t value = (uint64_t)llround(flow); /* capacities are integers: so is the flow, exactly while below 2^53 */
  ck_assert_uint_lt(value, MANY);
  mem_free(f->from);
  mem_free(f->to);
  mem_free(f->capacity);
  *f = (support_flow){ 0 };
  return value;
}
