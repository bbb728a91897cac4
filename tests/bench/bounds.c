/* What each bound takes: the least of five calls, in milliseconds of processor time, without reading the computation.
 */
#include "bounds/bound.h"
#include "tests/bench/bench.h"
#include <stdio.h>
#include <stdlib.h>

static const struct { const char *spec; uint64_t m;
} cases[] = {
  { "matmul:m=4096,n=4096,k=4096", 65536 },
  { "attention:n=131072,d=128", 262144 },
  { "attention:n=65536,d=64", 4096 },
  { "attention-causal:n=8192,d=64", 262144 },
  { "attention-sparse:n=8192,d=64,b=64", 65536 },
  { "attention-backward:n=65536,d=64", 262144 },
  { "attention-lowrank:n=65536,d=64,r=4096", 4096 },
  { "mlp:m=1024,k=1024,h=4096,n=1024", 65536 },
};

static void time_row(const bound_theorem *row, const bound_question *q)
{
  double least = 0;
  size_t records = 0;
  for (int i = 0; i < 5; i++) {
    bound_list list = { 0 };
    diag d = { 0 };
    double start = now();
    need(row->apply(q, &list, &d), &d);
    double took = 1e3 * (now() - start);
    least = i == 0 || took < least ? took : least;
    records = list.n;
    bound_list_clear(&list);
  }
  if (records > 0)
    printf("  %-24s %8.3f ms\n", row->name, least);
}

int main(void)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cdag *g = NULL;
    diag d = { 0 };
    if (cdag_open(&g, cases[i].spec, &d) != OK) {
      fprintf(stderr, "%s\n", d.message);
      return 1;
    }
    bound_question q = { .g = g, .m = cases[i].m };
    printf("%s, M = %lu\n", cases[i].spec, (unsigned long)cases[i].m);
    for (const bound_theorem *const *t = bound_theorems; *t; t++)
      if (!(*t)->slow)
        time_row(*t, &q);
    cdag_free(g);
  }
  return 0;
}
