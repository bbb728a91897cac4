#include "tests/support_library.h"
#include <stdio.h>
#include <string.h>

const schedule_listing *library_at(int i)
{
  const schedule_listing *list;
  int n = schedule_library(&list);
  return &list[i % n];
}

const schedule_listing *library_of(const char *family, int i)
{
  const schedule_listing *list;
  int n = schedule_library(&list), of = 0;
  for (int k = 0; k < n; k++)
    of += !strcmp(list[k].family, family);
  for (int k = 0; k < n; k++)
    if (!strcmp(list[k].family, family) && i-- % of == 0)
      return &list[k];
  return NULL;
}

/* %1$d up to 12, %2$d up to 6, %3$d up to 5, %4$d up to 12, %5$d up to 6 */
static const struct { const char *family, *format; } sizes[] = {
  { "attention", "attention:n=%1$d,d=%2$d,nk=%4$d,dv=%5$d" },
  { "attention-backward", "attention-backward:n=%1$d,d=%2$d,nk=%4$d,dv=%5$d" },
  { "attention-causal-backward", "attention-causal-backward:n=%1$d,d=%2$d,dv=%5$d" },
  { "attention-decode", "attention-decode:n=%1$d,d=%2$d,T=%3$d" },
  { "attention-online", "attention-online:n=%1$d,d=%2$d,b=%3$d,nk=%4$d" },
  { "attention-causal", "attention-causal:n=%1$d,d=%2$d,dv=%5$d" },
  { "attention-sparse", "attention-sparse:n=%1$d,d=%2$d,b=%3$d" },
  { "attention-sparse-backward", "attention-sparse-backward:n=%1$d,d=%2$d,b=%3$d" },
  { "attention-block", "attention-block:n=%1$d,d=%2$d,b=%3$d,r=%5$d" },
  { "attention-gradient", "attention-gradient:n=%1$d,d=%3$d" },
  { "attention-split", "attention-split:n=%1$d,d=%2$d,c=%3$d,nk=%4$d" },
  { "attention-lowrank", "attention-lowrank:n=%1$d,d=%2$d,r=%3$d" },
  { "matmul", "matmul:m=%1$d,n=%2$d,k=%4$d" },
  { "mlp", "mlp:m=%1$d,k=%2$d,h=%3$d,n=%4$d" },
  { "stencil", "stencil:w=%1$d,t=%2$d" },
  { "stencil2d", "stencil2d:w=%3$d,h=%4$d,t=%2$d" },
  { "grid", "grid:r=%1$d,c=%2$d" },
  { "tree", "tree:h=%2$d" },
  { "pyramid", "pyramid:h=%2$d" },
  { "fft", "fft:l=%3$d" },
  { "dot", "dot:k=%1$d" },
  { "matvec", "matvec:m=%1$d,n=%4$d" },
  { "chain", "chain:n=%1$d" },
  { "cholesky", "cholesky:n=%1$d" },
  { "syrk", "syrk:n=%1$d,k=%2$d" },
};

cdag *library_cdag(const char *family, support_random *r)
{
  char spec[160] = "";
  int a = (int)support_between(r, 1, 12), b = (int)support_between(r, 1, 6), c = (int)support_between(r, 1, 5);
  int n = (int)support_between(r, 1, 12), w = (int)support_between(r, 1, 6);
  diag d = { 0 };
  cdag *g = NULL;
  for (int i = 0; i < COUNT(sizes); i++)
    if (!strcmp(sizes[i].family, family))
      snprintf(spec, sizeof spec, sizes[i].format, a, b, c, n, w);
  ck_assert_msg(spec[0], "no sizes for family %s", family);
  status st = cdag_open(&g, spec, &d);
  ck_assert_msg(st == OK || strstr(d.message, "there is no family"), "%s: %s", spec, d.message);
  if (g && g->graph) {
    cdag_free(g);
    return NULL;
  }
  return g;
}
