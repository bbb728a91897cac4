/* proof.h -- writing an argument once, for reading as text and as LaTeX.

   The format is gmp_printf's (%Zd is an mpz_t), with mathematics between braces: {Q >= 2 m n k / sqrt(M)}.  As text the
   braces fall away; as LaTeX they become $ ... $, with <=, >=, *, sqrt( ), ^( ) and _( ) set as they should be. */
#ifndef REDBLUE_BOUNDS_PROOF_H
#define REDBLUE_BOUNDS_PROOF_H

#include "base/text.h"
#include <gmp.h>

/* Both versions at once: text to plain, LaTeX to latex. */
typedef struct {
  text *plain, *latex;
} proof;
void proof_say(const proof *p, const char *format, ...);
/* The section `key` of the texts beside the theorems: "geometry/lines/plane" is what follows "# plane" in
   bounds/geometry/lines.txt.  A blank line, and the end of a section, ends a paragraph; a last line "..." says that it
   goes on.  In the text $room (or $(room)) is the value that `values` gives it, "room %ld, columns %ld" for two. */
void proof_tell(const proof *p, const char *key, const char *values, ...);
/* End of a paragraph. */
void proof_paragraph(const proof *p);

#endif
