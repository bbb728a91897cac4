/* visible.h -- text from outside, made harmless for a terminal: what would move the cursor, change colours or turn the
   direction of writing is shown as \x1b. */
#ifndef REDBLUE_VISIBLE_H
#define REDBLUE_VISIBLE_H

#include <stddef.h>

/* How many bytes of s[0 .. n) are the next character: harmless ones are to be shown as they are (*harmless = 1), a byte
   of others as \xNN.  0: s ends within a character.  Tabs are harmless, line ends are not. */
size_t visible_next(const char *s, size_t n, int *harmless);
/* s as a text in out, of at most room bytes with the final zero. */
void visible_text(char *out, size_t room, const char *s);

#endif
