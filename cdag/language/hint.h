/* cdag/language/hint.h -- how to say in a .cdag what was written as in mathematics or in C. */
#ifndef REDBLUE_CDAG_HINT_H
#define REDBLUE_CDAG_HINT_H

#include "base/diag.h"
#include "cdag/language/lex.h"

/* Add to a complaint about the line of the current token, where there is something to add. */
void cdag_hint(const lexer *l, diag *d);

#endif
