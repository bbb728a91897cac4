/* Libraries loaded at their first call. */
#include "base/late.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *late_symbol(const char *soname, const char *name)
{
  void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL), *found = library ? dlsym(library, name) : NULL;
  if (found)
    return found;
  fprintf(stderr, "redblue: %s of %s is needed here: %s\n", name, soname, dlerror());
  exit(3);
}
