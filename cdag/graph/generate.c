/* generate.c -- classic computations as explicit graphs.  docs/graph-formats.md tells how their vertices are numbered.
 */
#include "base/mem.h"
#include "base/random.h"
#include "cdag/graph/graph_internal.h"
#include <assert.h>

enum { LARGEST = 1 << 26 }; /* vertices of a generated graph */

/* Predecessors, row by row: edges are added in the order of their ends, and begin at smaller vertices. */
typedef struct {
  uint32_t n;           /* vertices so far */
  uint64_t m;
  size_t room, at_room;
  uint32_t *at;         /* of the first `rows` vertices: where their predecessors begin */
  uint32_t rows, *from;
  bool doubles;         /* an edge may have been added twice */
} edges;

/* So many vertices and edges are to come. */
static void edges_expect(edges *l, uint32_t n, uint64_t m)
{
  l->at_room = (size_t)n + 2;
  l->at = mem_grow(NULL, l->at_room, sizeof *l->at);
  l->room = m;
  l->from = mem_grow(NULL, l->room, sizeof *l->from);
  mem_fill_soon(l->at, l->at_room * sizeof *l->at);
  mem_fill_soon(l->from, l->room * sizeof *l->from);
}

/* The rows up to that of `to` begin here, if not before. */
static void open_rows(edges *l, uint32_t to)
{
  for (; l->rows <= to; l->rows++) {
    l->at = mem_room(l->at, l->rows, &l->at_room, sizeof *l->at);
    l->at[l->rows] = l->m;
  }
}

static inline void edges_add(edges *l, uint32_t from, uint32_t to)
{
  assert(from < to && to + 1 >= l->rows);
  if (l->rows <= to)
    open_rows(l, to);
  if (l->m == l->room)
    l->from = mem_room(l->from, l->m, &l->room, sizeof *l->from);
  l->from[l->m++] = from;
}

/* Build g from the list, which is gone then. */
static status edges_build(edges *l, cdag_graph *g)
{
  open_rows(l, l->n);
  cdag_graph_take_rows(g, l->n, mem_grow(l->at, (size_t)l->n + 1, sizeof *l->at),
                       mem_grow(l->from, l->m, sizeof *l->from), l->doubles);
  return OK;
}

static status in_range(const char *family, const char *parameter, int64_t value, int64_t least, int64_t most, diag *d)
{
  if (value >= least && value <= most)
    return OK;
  return diag_set(d, BAD_INPUT, "value", "%s: %s = %lld is outside %lld..%lld", family, parameter, (long long)value,
                  (long long)least, (long long)most);
}

status cdag_graph_tree(cdag_graph *g, int64_t h, diag *d)
{
  edges l = { 0 };
  status st = in_range("tree", "h", h, 0, 24, d);
  if (st != OK)
    return st;
  uint32_t row = 0; /* first vertex of the level below */
  l.n = 1u << h;
  edges_expect(&l, 2 * l.n - 1, 2 * (uint64_t)l.n - 2);
  for (uint32_t width = 1u << h >> 1; width; width /= 2) {
    for (uint32_t j = 0; j < 2 * width; j++)
      edges_add(&l, row + j, l.n + j / 2);
    row = l.n;
    l.n += width;
  }
  return edges_build(&l, g);
}

status cdag_graph_pyramid(cdag_graph *g, int64_t h, diag *d)
{
  edges l = { 0 };
  status st = in_range("pyramid", "h", h, 0, 10000, d);
  if (st != OK)
    return st;
  uint32_t row = 0;
  l.n = (uint32_t)h + 1;
  edges_expect(&l, l.n * (l.n + 1) / 2, (uint64_t)h * l.n);
  for (uint32_t width = (uint32_t)h; width; width--) {
    for (uint32_t j = 0; j < width; j++) {
      edges_add(&l, row + j, l.n + j);
      edges_add(&l, row + j + 1, l.n + j);
    }
    row = l.n;
    l.n += width;
  }
  return edges_build(&l, g);
}

status cdag_graph_fft(cdag_graph *g, int64_t levels, diag *d)
{
  status st = in_range("fft", "l", levels, 0, 20, d);
  if (st != OK)
    return st;
  uint32_t lanes = 1u << levels, n = lanes * ((uint32_t)levels + 1);
  size_t m = 2 * (size_t)(n - lanes);
  uint32_t *at = MEM_NEW(uint32_t, (size_t)n + 1);
  uint32_t *pred = MEM_NEW(uint32_t, m);
  mem_fill_soon(at, (size_t)n * sizeof *at);
  mem_fill_soon(pred, m * sizeof *pred);
  for (uint32_t r = 0, v = lanes, *p = pred; r < levels; r++)
    for (uint32_t j = 0; j < lanes; j++) {
      *p++ = r * lanes + j;
      *p++ = r * lanes + (j ^ 1u << r);
      at[++v] = (uint32_t)(p - pred);
    }
  cdag_graph_take_rows(g, n, at, pred, false);
  return OK;
}

status cdag_graph_hypercube(cdag_graph *g, int64_t levels, diag *d)
{
  edges l = { 0 };
  status st = in_range("hypercube", "l", levels, 0, 20, d);
  if (st != OK)
    return st;
  l.n = 1u << levels;
  edges_expect(&l, l.n, (uint64_t)levels * l.n / 2);
  for (uint32_t v = 0; v < l.n; v++)
    for (uint32_t bit = 1; bit < l.n; bit *= 2)
      if (v & bit)
        edges_add(&l, v ^ bit, v);
  return edges_build(&l, g);
}

/* ---- Strassen (1969): every addition is one vertex with two predecessors ---- */

/* A square block of vertex ids inside a larger row-major matrix. */
typedef struct {
  const uint32_t *id;
  uint32_t stride;
} block;

static block quarter(block b, uint32_t half, int row, int column)
{
  return (block){ b.id + (size_t)row * half * b.stride + (size_t)column * half, b.stride };
}

/* c = a + b or a - b elementwise: half * half new vertices, row by row. */
static void combine(edges *l, uint32_t half, block a, block b, uint32_t *c)
{
  for (uint32_t i = 0; i < half; i++)
    for (uint32_t j = 0; j < half; j++) {
      edges_add(l, a.id[(size_t)i * a.stride + j], l->n);
      edges_add(l, b.id[(size_t)i * b.stride + j], l->n);
      c[(size_t)i * half + j] = l->n++;
    }
}

/* The operands of the seven products: quarters 11, 12, 21, 22 are 0..3, second -1 when the quarter stands alone. */
static const struct { int8_t a, a2, b, b2; } product[7] = {
  { 0, 3, 0, 3 }, { 2, 3, 0, -1 }, { 0, -1, 1, 3 }, { 3, -1, 2, 0 }, { 0, 1, 3, -1 }, { 2, 0, 0, 1 }, { 1, 3, 2, 3 },
};
/* C11 = ((M1 + M4) - M5) + M7, C12 = M3 + M5, C21 = M2 + M4, C22 = ((M1 - M2) + M3) + M6; -1 ends a sum. */
static const int8_t sum[4][4] = { { 0, 3, 4, 6 }, { 2, 4, -1, -1 }, { 1, 3, -1, -1 }, { 0, 1, 2, 5 } };

static block operand(edges *l, uint32_t half, block x, int first, int second, uint32_t *scratch)
{
  block a = quarter(x, half, first / 2, first % 2);
  if (second < 0)
    return a;
  combine(l, half, a, quarter(x, half, second / 2, second % 2), scratch);
  return (block){ scratch, half };
}

static void join(edges *l, uint32_t half, uint32_t *const m[7], const int8_t *term, uint32_t *into, uint32_t stride)
{
  size_t count = (size_t)half * half;
  SCOPED_MEM uint32_t *s = MEM_NEW(uint32_t, count);
  combine(l, half, (block){ m[term[0]], half }, (block){ m[term[1]], half }, s);
  for (int t = 2; t < 4 && term[t] >= 0; t++)
    combine(l, half, (block){ s, half }, (block){ m[term[t]], half }, s);
  for (size_t i = 0; i < count; i++)
    into[i / half * stride + i % half] = s[i];
}

/* c = a * b, size x size; the depth of the recursion is the parameter l, at most 7. */
static void multiply(edges *l, uint32_t size, block a, block b, uint32_t *c)
{
  uint32_t half = size / 2, *m[7];
  if (size == 1) {
    edges_add(l, *a.id, l->n);
    edges_add(l, *b.id, l->n);
    *c = l->n++;
    return;
  }
  uint32_t *left = MEM_NEW(uint32_t, (size_t)half * half), *right = MEM_NEW(uint32_t, (size_t)half * half);
  for (int p = 0; p < 7; p++) {
    block x = operand(l, half, a, product[p].a, product[p].a2, left);
    block y = operand(l, half, b, product[p].b, product[p].b2, right);
    m[p] = MEM_NEW(uint32_t, (size_t)half * half);
    multiply(l, half, x, y, m[p]);
  }
  for (int q = 0; q < 4; q++)
    join(l, half, m, sum[q], c + (size_t)(q / 2) * half * size + (size_t)(q % 2) * half, size);
  for (int p = 0; p < 7; p++)
    mem_free(m[p]);
  mem_free(left);
  mem_free(right);
}

status cdag_graph_strassen(cdag_graph *g, int64_t levels, diag *d)
{
  edges l = { 0 };
  status st = in_range("strassen", "l", levels, 0, 7, d);
  if (st != OK)
    return st;
  uint32_t size = 1u << levels, count = size * size;
  uint32_t *id = MEM_NEW(uint32_t, 2 * (size_t)count), *c = MEM_NEW(uint32_t, count);
  l.n = 2 * count;
  for (uint32_t i = 0; i < l.n; i++)
    id[i] = i;
  multiply(&l, size, (block){ id, size }, (block){ id + count, size }, c);
  mem_free(id);
  mem_free(c);
  return edges_build(&l, g);
}

/* ---- random ---- */

typedef struct {
  int64_t n, degree, layers;
} random_shape;

/* Where the predecessors of v may lie: all earlier vertices, or the layer before v's. */
static void earlier(const random_shape *s, int64_t v, int64_t *lo, int64_t *hi)
{
  int64_t layer = s->layers ? v * s->layers / s->n : 0;
  *lo = 0;
  *hi = v;
  if (s->layers) {
    *lo = layer ? ((layer - 1) * s->n + s->layers - 1) / s->layers : 0;
    *hi = (layer * s->n + s->layers - 1) / s->layers;
  }
}

status cdag_graph_random(cdag_graph *g, int64_t n, int64_t seed, int64_t degree, int64_t layered, diag *d)
{
  edges l = { .doubles = true };
  random_shape s = { n, degree, layered };
  random_source r = { (uint64_t)seed };
  status st = in_range("random", "n", n, 0, LARGEST, d);
  if (st == OK)
    st = in_range("random", "degree", degree, 1, n > 1000 ? 1000 : n > 1 ? n : 1, d);
  if (st == OK)
    st = in_range("random", "layered", layered, 0, n, d);
  if (st == OK && n * degree > (int64_t)1 << 28)
    st = diag_set(d, BAD_INPUT, "value", "random: n * degree = %lld is more than 2^28 edges", (long long)(n * degree));
  if (st != OK)
    return st;
  l.n = (uint32_t)n;
  for (int64_t v = 0; v < n; v++) {
    int64_t lo, hi, in = (int64_t)random_below(&r, (uint64_t)degree + (layered == 0)) + (layered != 0);
    earlier(&s, v, &lo, &hi);
    for (int64_t i = 0; i < in && hi > lo; i++)
      edges_add(&l, (uint32_t)(lo + (int64_t)random_below(&r, (uint64_t)(hi - lo))), (uint32_t)v);
  }
  return edges_build(&l, g);
}
