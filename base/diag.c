#include "base/diag.h"
#include "base/visible.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void fill(diag *d, const char *kind, const char *file, int line, int column, const char *format, va_list ap)
{
  if (!d)
    return;
  d->kind = kind;
  snprintf(d->file, sizeof d->file, "%s", !file ? "" : strcmp(file, "-") == 0 ? "stdin" : file);
  d->line = line;
  d->column = column;
  char said[sizeof d->message];
  vsnprintf(said, sizeof said, format, ap);
  visible_text(d->message, sizeof d->message, said); /* names from files stand in it */
}

status diag_at(diag *d, status st, const char *kind, const char *file, int line, int column, const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  fill(d, kind, file, line, column, format, ap);
  va_end(ap);
  return st;
}

status diag_set(diag *d, status st, const char *kind, const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  fill(d, kind, NULL, 0, 0, format, ap);
  va_end(ap);
  return st;
}

enum { WORD = 64 };

/* Levenshtein distance, one row at a time; words longer than WORD are never near. */
static int edit_distance(const char *a, const char *b)
{
  size_t na = strlen(a), nb = strlen(b);
  int row[WORD + 1];
  if (na > WORD || nb > WORD)
    return WORD;
  for (size_t j = 0; j <= nb; j++)
    row[j] = (int)j;
  for (size_t i = 1; i <= na; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= nb; j++) {
      int best = diagonal + (a[i - 1] != b[j - 1]);
      if (row[j] + 1 < best)
        best = row[j] + 1;
      if (row[j - 1] + 1 < best)
        best = row[j - 1] + 1;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[nb];
}

const char *diag_nearest(const char *word, const char *const *names, int n)
{
  int limit = (int)(strlen(word) / 3);
  if (limit < 2)
    limit = 2;
  const char *best = NULL;
  for (int i = 0; i < n; i++) {
    if (strcasecmp(word, names[i]) == 0)
      return names[i];
    int distance = edit_distance(word, names[i]);
    if (distance <= limit && distance < (int)strlen(names[i])) {
      limit = distance - 1;
      best = names[i];
    }
  }
  return best;
}
