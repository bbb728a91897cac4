/* graph_files.c -- megabytes a second at which a graph of ten million edges is written and read, in every format. */
#include "base/mem.h"
#include "base/random.h"
#include "cdag/graph/graph.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef status (*reader)(cdag_graph *g, const char *bytes, size_t n, const char *name, diag *d);
static const struct { const char *name; reader read; cdag_graph_format format; } formats[] = {
  { "edges", cdag_graph_read_edges, CDAG_EDGES },
  { "dot", cdag_graph_read_dot, CDAG_DOT },
  { "graphml", cdag_graph_read_graphml, CDAG_GRAPHML },
  { "hyperdag", cdag_graph_read_hyperdag, CDAG_HYPERDAG },
};

static int bench(const cdag_graph *g, int f)
{
  diag d = { 0 };
  text bytes = { 0 };
  cdag_graph back;
  FILE *file = tmpfile();
  double start = now();
  status st = file ? cdag_graph_write(g, formats[f].format, file, &d) : IO_ERROR;
  if (st == OK && fflush(file) == 0) {
    double megabytes = (double)ftell(file) / 1e6, wrote = now() - start;
    bytes.s = mem_new((size_t)(1e6 * megabytes) + 1, 1);
    rewind(file);
    start = now();
    bytes.n = fread(bytes.s, 1, (size_t)(1e6 * megabytes + 0.5), file);
    st = formats[f].read(&back, bytes.s, bytes.n, formats[f].name, &d);
    if (st == OK) {
      printf("%-10s %6.0f MB   write %5.0f MB/s   read %5.0f MB/s\n", formats[f].name, megabytes, megabytes / wrote,
             megabytes / (now() - start));
      cdag_graph_clear(&back);
    }
  }
  if (st != OK)
    printf("%s: %s\n", formats[f].name, d.message);
  text_clear(&bytes);
  if (file)
    fclose(file);
  return st != OK;
}

int main(int argc, char **argv)
{
  cdag_graph g;
  diag d = { 0 };
  int64_t edges = argc > 1 ? atoll(argv[1]) : 10000000;
  int failed = 0;
  if (cdag_graph_random(&g, edges / 5, 1, 10, 0, &d) != OK) {
    fprintf(stderr, "%s\n", d.message);
    return 1;
  }
  printf("%lu vertices, %llu edges\n", (unsigned long)g.n, (unsigned long long)g.m);
  for (int f = 0; f < 4; f++)
    failed |= bench(&g, f);
  cdag_graph_clear(&g);
  return failed;
}
