/* The libraries that are loaded when they are called, in a build that has GLPK alone: what a call finds is a table.
   What is left out says so, by name, and nothing is answered without it. */
#ifdef __wasm__
#include "base/late.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <glpk.h>

static const struct { const char *name; void *at; } table[] = {
#define HAS(name) { #name, (void *)name },
#include "late_table.h"
};

void *late_symbol(const char *soname, const char *name)
{
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].name, name) == 0)
      return table[i].at;
  fprintf(stderr, "redblue: %.*s is not part of this build, and is needed here\n", (int)strcspn(soname, "."), soname);
  exit(3);
}
#endif
