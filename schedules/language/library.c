/* library.c -- the schedules that come with the toolkit, and finding the one that is meant.

   Their texts are schedules/library/FAMILY.NAME.sched, inside the library.  What is listed is read from the texts: the
   first comment line says what it is, one that begins with "source:" where it is from. */
#include "base/embed.h"
#include "base/mem.h"
#include "schedules/language/parse.h"
#include "schedules/play/compact.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LISTED = 256, LINE = 240 };

/* Static, not allocated: the listing lives as long as the program. */
static struct { char name[CDAG_NAME], family[CDAG_NAME], summary[LINE], source[LINE]; } words[LISTED];
static schedule_listing listing[LISTED];
static int listed;

static const char folder[] = "schedules/library/";

static bool is_schedule(const embedded_file *f)
{
  size_t n = strlen(f->path), ending = strlen(".sched");
  return strncmp(f->path, folder, sizeof folder - 1) == 0 && n > ending && strcmp(f->path + n - ending, ".sched") == 0;
}

/* The rest of the first line of `text` that begins with `start`. */
static void take_line(const char *at, const char *start, char *out, size_t size)
{
  size_t n = strlen(start);
  out[0] = '\0';
  while (*at && strncmp(at, start, n) != 0) {
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  if (!*at)
    return;
  at += n;
  at += strspn(at, " ");
  snprintf(out, size, "%.*s", (int)strcspn(at, "\r\n"), at);
}

/* FAMILY.NAME.sched: the family has no dot. */
static void take_names(const char *path, char *family, char *name)
{
  const char *base = path + sizeof folder - 1, *dot = strchr(base, '.');
  size_t length = strlen(base) - strlen(".sched");
  size_t n = dot && dot < base + length ? (size_t)(dot - base) : 0;
  snprintf(family, CDAG_NAME, "%.*s", (int)n, base);
  snprintf(name, CDAG_NAME, "%.*s", (int)(length - n - (n > 0)), base + n + (n > 0));
}

static int by_family(const void *a, const void *b)
{
  const schedule_listing *x = a, *y = b;
  int c = strcmp(x->family, y->family);
  return c ? c : strcmp(x->name, y->name);
}

int schedule_library(const schedule_listing **list)
{
  *list = listing;
  if (listed)
    return listed;
  for (const embedded_file *f = embedded_files; f->path && listed < LISTED; f++) {
    if (!is_schedule(f))
      continue;
    int i = listed++;
    take_names(f->path, words[i].family, words[i].name);
    take_line(f->text, "#", words[i].summary, LINE);
    take_line(f->text, "# source:", words[i].source, LINE);
    listing[i] =
        (schedule_listing){ words[i].name, words[i].family, words[i].summary, words[i].source, f->path, f->text };
  }
  qsort(listing, (size_t)listed, sizeof *listing, by_family);
  return listed;
}

/* ---- which one is meant ---- */

/* NAME for this family, or FAMILY.NAME. */
static const schedule_listing *find(const char *family, const char *name)
{
  const schedule_listing *list;
  int n = schedule_library(&list);
  for (int i = 0; i < n; i++) {
    size_t length = strlen(list[i].family);
    bool full = strncmp(name, list[i].family, length) == 0 && name[length] == '.' &&
                strcmp(name + length + 1, list[i].name) == 0;
    if (full || (strcmp(list[i].family, family) == 0 && strcmp(list[i].name, name) == 0))
      return &list[i];
  }
  return NULL;
}

static status unknown_schedule(const char *family, const char *name, diag *d)
{
  const schedule_listing *list;
  int n = schedule_library(&list), known = 0;
  const char *names[LISTED];
  SCOPED_TEXT all = { 0 };
  for (int i = 0; i < n; i++)
    if (strcmp(list[i].family, family) == 0) {
      names[known++] = list[i].name;
      text_printf(&all, "%s%s", known > 1 ? ", " : "", list[i].name);
    }
  const char *near = diag_nearest(name, names, known);
  return near ? diag_set(d, BAD_USAGE, "usage", "there is no file and no schedule '%s' for %s; did you mean '%s'?",
                         name, family, near)
         : known ? diag_set(d, BAD_USAGE, "usage", "there is no file and no schedule '%s' for %s; there is: %s",
                            name, family, text_str(&all))
                 : diag_set(d, BAD_USAGE, "usage", "there is no file '%s', and the library has no schedule for %s",
                            name, family);
}

/* Where ":a=3,b=auto" begins in a spec, or its end: the last ':' that is followed by a name and '='. */
static const char *assignments(const char *spec)
{
  const char *colon = strrchr(spec, ':');
  if (colon) {
    const char *end = colon + 1;
    while (*end == '_' || (*end >= '0' && *end <= '9') || (*end >= 'a' && *end <= 'z') || (*end >= 'A' && *end <= 'Z'))
      end++;
    if (end > colon + 1 && *end == '=')
      return colon;
  }
  return spec + strlen(spec);
}

bool schedule_spec_assigns(const char *spec) { return *assignments(spec) != '\0'; }

char *schedule_spec_name(const char *spec, const char **assign)
{
  const char *end = assignments(spec);
  *assign = *end ? end + 1 : "";
  return mem_text_n(spec, (size_t)(end - spec));
}

bool schedule_is_file(const cdag *g, const char *name)
{
  bool looks = strcmp(name, "-") == 0 || strchr(name, '/') ||
               (strlen(name) > 6 && strcmp(name + strlen(name) - 6, ".sched") == 0);
  return looks || (!find(g->family, name) && access(name, F_OK) == 0);
}

status schedule_open(schedule **s, const cdag *g, uint64_t m, const char *spec, diag *d)
{
  const char *assign;
  char *name = schedule_spec_name(spec, &assign);
  status st;
  *s = NULL;
  if (schedule_is_file(g, name)) {
    SCOPED_TEXT source = { 0 };
    st = text_read(&source, name, 0, d);
    if (st == OK && schedule_is_compact(text_str(&source)))
      st = diag_at(d, BAD_INPUT, "format", name, 0, 0,
                   "a list in bytes is verified or counted as it is read: `redblue moves SPEC %s` makes text of it",
                   name);
    if (st == OK)
      st = text_plain(&source, name, d);
    if (st == OK)
      st = schedule_parse(s, g, m, strcmp(name, "-") == 0 ? "stdin" : name, text_str(&source), assign, d);
  } else {
    const schedule_listing *l = find(g->family, name);
    st = l ? schedule_parse(s, g, m, l->path, l->text, assign, d) : unknown_schedule(g->family, name, d);
  }
  mem_free(name);
  return st;
}
