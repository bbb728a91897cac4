#include "tests/fuzz/fuzz.h"
#include "base/mem.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzz_fault(const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  fputs("fault: ", stderr);
  vfprintf(stderr, format, ap);
  fputc('\n', stderr);
  va_end(ap);
  abort();
}

void fuzz_no_leak(void)
{
  static uint64_t before;
  static int calls;
  if (calls++ == 0)
    before = mem_live();
  if (mem_live() != before)
    fuzz_fault("%ld blocks leaked", (long)(mem_live() - before));
}

void fuzz_refused(status st, const diag *d)
{
  if (st == OK || st == SOLVER)
    fuzz_fault("refused with status %d: %s", st, d->message);
  if (!d->kind || !d->message[0])
    fuzz_fault("refused without a sentence");
}

char *fuzz_text(const uint8_t *data, size_t size)
{
  return memchr(data, 0, size) ? NULL : mem_text_n((const char *)data, size);
}

/* ---- graph formats ---- */

enum { SMALL = 2000 };       /* a few bytes can announce a million vertices: written out, they only cost time */

static const struct { cdag_graph_format format; fuzz_reader read; const char *name; } formats[] = {
  { CDAG_EDGES, cdag_graph_read_edges, "edges" },
  { CDAG_DOT, cdag_graph_read_dot, "dot" },
  { CDAG_GRAPHML, cdag_graph_read_graphml, "graphml" },
  { CDAG_HYPERDAG, cdag_graph_read_hyperdag, "hyperdag" },
};

static bool same_rows(const cdag_graph *a, const cdag_graph *b)
{
  const cdag_rows *p = cdag_graph_successors(a), *q = cdag_graph_successors(b);
  return memcmp(a->pred_at, b->pred_at, ((size_t)a->n + 1) * sizeof *a->pred_at) == 0 &&
         memcmp(p->at, q->at, ((size_t)a->n + 1) * sizeof *p->at) == 0 &&
         memcmp(p->to, q->to, a->m * sizeof *p->to) == 0 && memcmp(a->output, b->output, a->n) == 0;
}

static void write_and_read(const cdag_graph *g, int format)
{
  char *bytes = NULL;
  size_t n = 0;
  cdag_graph h = { 0 };
  diag d = { 0 };
  FILE *out = open_memstream(&bytes, &n);
  status st = cdag_graph_write(g, formats[format].format, out, &d);
  fclose(out);
  if (st != OK)
    fuzz_refused(st, &d);
  else if (formats[format].read(&h, bytes, n, "again", &d) != OK)
    fuzz_fault("%s cannot be read back: %d: %s\n%s", formats[format].name, d.line, d.message, bytes);
  else if (h.n != g->n || h.m != g->m || !same_rows(g, &h))
    fuzz_fault("%s reads back as another graph\n%s", formats[format].name, bytes);
  cdag_graph_clear(&h);
  free(bytes);
}

void fuzz_graph(fuzz_reader read, const uint8_t *data, size_t size)
{
  cdag_graph g = { 0 };
  diag d = { 0 };
  status st = read(&g, (const char *)data, size, "input", &d);
  if (st != OK) {
    fuzz_refused(st, &d);
    if (d.line < 1)
      fuzz_fault("refused without a line: %s", d.message);
  } else {
    const char *broken = cdag_graph_check(&g);
    if (broken)
      fuzz_fault("read as a broken graph: %s", broken);
    for (int f = 0; f < 4 && g.n < SMALL; f++)
      write_and_read(&g, f);
    cdag_graph_clear(&g);
  }
  fuzz_no_leak();
}
