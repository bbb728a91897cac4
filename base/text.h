/* text.h -- a growing string, and reading a whole file into one.  Zero-initialised is empty. */
#ifndef REDBLUE_TEXT_H
#define REDBLUE_TEXT_H

#include "base/diag.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
  char *s;    /* always ends in '\0' once something was added; NULL before */
  size_t n;   /* bytes without the final '\0' */
  size_t room;
} text;

void text_add(text *t, const char *s);
void text_add_n(text *t, const char *s, size_t n);
/* n digits in groups of three. */
void text_add_groups(text *t, const char *digits, size_t n, const char *separator);
void text_add_xml(text *t,
                  const char *s); /* as the text of an element or attribute; control characters become spaces */
void text_char(text *t, char c);
void text_int(text *t, int64_t value);
void text_printf(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *text_str(const text *t); /* "" when empty; borrowed */
void text_clear(text *t);
#define SCOPED_TEXT __attribute__((cleanup(text_clear))) text /* cleared where its block ends */
char *text_trim(char *s); /* past the spaces before; those behind are cut off */

/* Read the whole file (path "-" is stdin) into t, at most limit bytes (0: 1 GiB). */
status text_read(text *t, const char *path, size_t limit, diag *d);
/* OK, or refuse a text that holds a zero byte: whoever reads text_str would not see what stands behind it.  path: for
 * the diagnostic. */
status text_plain(const text *t, const char *path, diag *d);
status text_read_plain(text *t, const char *path, size_t limit, diag *d);   /* both */
/* Write t as the whole file (path "-" or NULL is stdout). */
status text_write(const text *t, const char *path, diag *d);

#endif
