/* cdag/graph/read_matrixmarket.c -- a sparse lower triangular matrix L in MatrixMarket's coordinate format (Boisvert,
   Pozo, Remington 1996) as the computation of solving L x = b row by row.

   Vertex i (from 0) is the unknown x_i = (b_i - sum over j < i of L_ij x_j) / L_ii, with an edge x_j -> x_i for every
   stored entry L_ij below the diagonal.  L and b are not vertices: they are read once each whatever the order, so they
   add the same to every schedule.  All x_i are outputs; rows without an entry below the diagonal are the inputs. */
#include "base/mem.h"
#include "cdag/graph/graph_internal.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
  int values;      /* numbers after the two indices: 0 pattern, 1 real or integer, 2 complex */
  uint64_t n, entries;
} shape;

/* The next word of the line, or an empty one. */
static size_t word(scan *s, const char **start)
{
  scan_more(s);
  *start = s->p;
  while (s->p < s->end && !isspace((unsigned char)*s->p))
    s->p++;
  return (size_t)(s->p - *start);
}

static int choose(scan *s, const char *const *choice, int n)
{
  const char *start;
  size_t length = word(s, &start);
  for (int i = 0; i < n; i++)
    if (strlen(choice[i]) == length && strncasecmp(choice[i], start, length) == 0)
      return i;
  s->p = start;
  return -1;
}

static status read_banner(scan *s, shape *z)
{
  static const char *const fields[] = { "pattern", "real", "integer", "double", "complex" };
  static const char *const kinds[] = { "general", "symmetric", "skew-symmetric", "hermitian" };
  static const char *const banner[] = { "%%MatrixMarket" }, *const matrix[] = { "matrix" },
                           *const coordinate[] = { "coordinate" };
  if (choose(s, banner, 1) < 0 || choose(s, matrix, 1) < 0 || choose(s, coordinate, 1) < 0)
    return scan_fail(s, "expected '%%%%MatrixMarket matrix coordinate FIELD SYMMETRY': a sparse matrix");
  int field = choose(s, fields, 5);
  if (field < 0)
    return scan_fail(s, "expected pattern, real, integer or complex");
  z->values = field == 0 ? 0 : field == 4 ? 2 : 1;
  if (choose(s, kinds, 4) < 0)
    return scan_fail(s, "expected general, symmetric, skew-symmetric or hermitian");
  status st = scan_end_line(s);
  s->comment = '%';
  return st;
}

static status read_size(scan *s, shape *z)
{
  uint64_t columns = 0;
  if (!scan_next_line(s))
    return scan_fail(s, "the file ends before the line 'ROWS COLUMNS ENTRIES'");
  status st = scan_number(s, UINT32_MAX - 1, "the number of rows", &z->n);
  if (st == OK)
    st = scan_number(s, UINT32_MAX - 1, "the number of columns", &columns);
  if (st == OK)
    st = scan_number(s, UINT64_MAX, "the number of entries", &z->entries);
  if (st == OK)
    st = scan_end_line(s);
  if (st == OK && columns != z->n)
    st = scan_fail(s, "a triangular matrix is square, not %llu x %llu", (unsigned long long)z->n,
                   (unsigned long long)columns);
  return st == OK ? scan_plausible(s, z->n, z->entries) : st;
}

/* The value of an entry says nothing about the graph, but it must be a number. */
static status read_value(scan *s)
{
  char copy[64], *stop;
  const char *start;
  size_t length = word(s, &start);
  if (length > 0 && length < sizeof copy) {
    memcpy(copy, start, length);
    copy[length] = '\0';
    (void)strtod(copy, &stop);
    if (stop == copy + length) /* a zero byte ends nothing */
      return OK;
  }
  s->p = start;
  return scan_fail(s, "expected the value of the entry, a number");
}

static status read_entry(scan *s, const shape *z, edge_list *l)
{
  uint64_t row = 0, column = 0;
  status st = scan_number(s, z->n, "a row", &row);
  if (st == OK)
    st = scan_number(s, z->n, "a column", &column);
  if (st == OK && (row == 0 || column == 0))
    st = scan_fail(s, "rows and columns are numbered from 1");
  if (st == OK && column > row)
    st = scan_fail(s, "entry (%llu,%llu) lies above the diagonal: the matrix is not lower triangular",
                   (unsigned long long)row, (unsigned long long)column);
  for (int v = 0; st == OK && v < z->values; v++)
    st = read_value(s);
  if (st == OK)
    st = scan_end_line(s);
  if (st == OK && column < row)
    edge_list_add(l, (uint32_t)column - 1, (uint32_t)row - 1, s->line);
  return st;
}

static status read_entries(scan *s, const shape *z, edge_list *l)
{
  status st = OK;
  edge_list_reserve(l, z->entries);
  for (uint64_t i = 0; st == OK && i < z->entries; i++) {
    if (!scan_next_line(s))
      return scan_fail(s, "the file ends after %llu of %llu entries", (unsigned long long)i,
                       (unsigned long long)z->entries);
    st = read_entry(s, z, l);
  }
  if (st == OK && scan_next_line(s))
    st = scan_fail(s, "there are more lines than the header announces entries");
  return st;
}

status graph_from_matrixmarket(cdag_graph *g, const graph_source *from, diag *d)
{
  scan s;
  shape z = { 0 };
  edge_list l = { 0 };
  uint8_t *output = NULL;
  scan_init(&s, from, 0, d);
  status st = read_banner(&s, &z);
  if (st == OK)
    st = read_size(&s, &z);
  if (st == OK)
    st = read_entries(&s, &z, &l);
  if (st == OK) {
    output = MEM_NEW(uint8_t, z.n);
    memset(output, 1, z.n);
    graph_source_done(from);
    st = edge_list_build(&l, (uint32_t)z.n, output, NULL, from->name, g, d);
  }
  mem_free(output);
  edge_list_clear(&l);
  return st;
}
