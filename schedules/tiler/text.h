/* text.h -- a tree as a schedule's text. */
#ifndef REDBLUE_SCHEDULES_TILER_TEXT_H
#define REDBLUE_SCHEDULES_TILER_TEXT_H

#include "schedules/tiler/tree.h"

/* The loops of one nest, after a comment that says what stays and what comes by; length: the parameter for the blocks
 * of a class. */
void tiler_print(const tiler_tree *t, const char length[][CDAG_NAME], text *out);

#endif
