/* certificates [QUOTA [TRIES]] < LINES -- many bounds as theorems in Coq, one after the other, for certificates.sh: a
   line asks for "SPEC MEMORY BOUND".  Each answer is a line "@ THEOREM SPEC MEMORY BOUND", the file that
   `redblue bound --coq -` would write, and a line "@"; or "@none" or "@unchecked" with the line, when there is no
   such computation or bound, or none of Coq's.
   A theorem is asked for QUOTA times; a kind of line is tried TRIES times, and no more when ENOUGH in a row, or
   QUOTA where that is less, led to theorems that were asked for often enough. */
#include "base/mem.h"
#include "base/text.h"
#include "bounds/coq.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 160, KINDS = 400, ENOUGH = 12 };

/* How often a theorem was had, or a kind of line was tried, and how often in a row for nothing new. */
struct tally {
  struct counted {
    char name[NAME];
    long n, idle;
  } item[KINDS];
  int n;
};

static struct counted *count_of(struct tally *t, const char *name)
{
  int i = 0;
  while (i < t->n && strcmp(t->item[i].name, name) != 0)
    i++;
  if (i == t->n && t->n < KINDS)
    snprintf(t->item[t->n++].name, NAME, "%s", name);
  return &t->item[i - (i == KINDS)];
}

/* The line without its numbers. */
static void kind_of(const char *spec, const char *name, char *kind)
{
  const char *slash = strrchr(spec, '/');
  size_t n = 0;
  for (const char *p = slash ? slash + 1 : spec; *p && n + 2 < NAME; p++)
    if (!isdigit((unsigned char)*p))
      kind[n++] = *p;
  snprintf(kind + n, NAME - n, " %s", name);
}

static bool ends_in(const char *name, const char *end)
{
  size_t n = strlen(name), m = strlen(end);
  return n >= m && strcmp(name + n - m, end) == 0;
}

/* The theorem of the table whose records have this name, as "backward-14" is one of "backward": its name is where
   theirs begin.  NULL: all are asked. */
static const char *table_row(const char *bound_name, char *row)
{
  snprintf(row, NAME, "%s", bound_name);
  for (char *dash; !bound_theorem_find(row); *dash = '\0')
    if (!(dash = strrchr(row, '-')))
      return NULL;
  return row;
}

/* The largest of this name of those that are machine-checked, or of all when none is. */
static const bound *named(const bound_question *q, const bound_list *list, const char *name)
{
  const bound *b = NULL;
  for (int checked = 1; checked >= 0 && !b; checked--)
    for (size_t i = 0; i < list->n; i++)
      if (strcmp(list->item[i].name, name) == 0 && (!b || mpz_cmp(list->item[i].value, b->value) > 0) &&
          (!checked || bound_machine_checked(q, &list->item[i])))
        b = &list->item[i];
  return b;
}

static const char *answer(const char *spec, uint64_t m, const char *name, text *out)
{
  char row[NAME];
  cdag *g = NULL;
  diag d = { 0 };
  bound_list list = { 0 };
  const char *theorem = "";
  int best;
  if (cdag_open(&g, spec, &d) != OK) { /* a random mask may leave a row without a key */
    fprintf(stderr, "%s: %s\n", spec, d.message);
    return "";
  }
  bound_question q = { .g = g, .m = m, .variant = ends_in(name, "-sliding"), .theorem = table_row(name, row) };
  const bound *b = bound_all(&q, &list, &best, &d) == OK ? named(&q, &list, name) : NULL;
  if (b)
    theorem = bound_machine_checked(&q, b) && bound_coq(&q, b, out, &d) == OK ? bound_machine_checked(&q, b)->theorem :
                                                                                NULL;
  bound_list_clear(&list);
  cdag_free(g);
  return theorem;
}

int main(int argc, char **argv)
{
  static struct tally had, tried;
  long quota = argc > 1 ? strtol(argv[1], NULL, 10) : 500, tries = argc > 2 ? strtol(argv[2], NULL, 10) : 4 * quota;
  char spec[512], name[64], kind[NAME];
  uint64_t m;
  while (scanf("%511s %" SCNu64 " %63s", spec, &m, name) == 3) {
    kind_of(spec, name, kind);
    struct counted *of_kind = count_of(&tried, kind);
    if (of_kind->n >= tries || of_kind->idle >= (quota < ENOUGH ? quota : ENOUGH))
      continue;
    of_kind->n++;
    text out = { 0 };
    const char *theorem = answer(spec, m, name, &out);
    struct counted *of_theorem = theorem && *theorem ? count_of(&had, theorem) : NULL;
    if (!of_theorem)
      printf("@%s %s %" PRIu64 " %s\n", theorem ? "none" : "unchecked", spec, m, name);
    else if (of_theorem->n >= quota)
      of_kind->idle++;
    else {
      of_kind->idle = 0;
      of_theorem->n++;
      printf("@ %s %s %" PRIu64 " %s\n%s@\n", theorem, spec, m, name, text_str(&out));
    }
    fflush(stdout);
    text_clear(&out);
  }
  return ferror(stdout) != 0;
}
