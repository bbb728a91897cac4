/* late.h -- libraries that are loaded when they are first called.

   Most runs of the program need no linear program, eigenvalue or picture, and loading those libraries with the forty
   they need in turn takes longer than most answers.  base/late.sh writes, for one source file or folder and one
   library, a header that routes its calls through late_symbol; nothing else changes there. */
#ifndef REDBLUE_BASE_LATE_H
#define REDBLUE_BASE_LATE_H

/* The address of a function of a shared library, which stays loaded.  Without the library, or the function in it, the
   program ends with a sentence and exit code 3, as the dynamic linker would end it at its start. */
void *late_symbol(const char *soname, const char *name);

#endif
