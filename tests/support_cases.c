#include "tests/support_cases.h"
#include "tests/support.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 64 };

/* Lines of a computation, and of the case that changes it.  Nothing here is counted by base/mem: it stays. */
typedef struct { char *line[LINES]; int n; } lines;

typedef struct {
  test_cases out;
  lines base, own;
  char *setting, *reason, *ask;
  bool in_case;
} reader;

/* What is read stays to the end, where the finder of leaks sees it. */
static char *keep(const char *s)
{
  static struct kept { struct kept *before; char text[]; } *last;
  struct kept *k = malloc(sizeof *k + strlen(s) + 1);
  k->before = last;
  last = k;
  return strcpy(k->text, s);
}

static void add_line(lines *of, const char *s)
{
  ck_assert_int_lt(of->n, LINES / 2);
  of->line[of->n++] = keep(s);
}

static size_t head(const char *line) { return strcspn(line, "["); }

static int alike(const lines *of, const char *line)
{
  for (int i = 0; i < of->n; i++)
    if (head(of->line[i]) == head(line) && !strncmp(of->line[i], line, head(line)))
      return i;
  return -1;
}

/* The computation with the case's lines in it. */
static char *changed(const reader *r)
{
  lines all = r->base;
  size_t length = 1;
  for (int i = 0; i < r->own.n; i++) {
    char *line = r->own.line[i];
    int at = alike(&all, line + (*line == '!'));
    ck_assert_msg(*line != '!' || at >= 0, "%s: there is no line %s", r->out.path, line + 1);
    if (*line == '!')
      memmove(&all.line[at], &all.line[at + 1], (size_t)(--all.n - at) * sizeof *all.line);
    else if (at >= 0)
      all.line[at] = line;
    else if (!strncmp(line, "table ", 6)) {
      memmove(&all.line[1], &all.line[0], (size_t)all.n++ * sizeof *all.line);
      all.line[0] = line;
    }
    else
      all.line[all.n++] = line;
  }
  for (int i = 0; i < all.n; i++)
    length += strlen(all.line[i]) + 1;
  char *out = calloc(length, 1), *end = out;
  for (int i = 0; i < all.n; i++)
    end += sprintf(end, "%s\n", all.line[i]);
  return out;
}

static void answer(reader *r, int line, const char *said)
{
  r->out.item = realloc(r->out.item, (size_t)(r->out.n + 1) * sizeof *r->out.item);
  r->out.item[r->out.n++] = (test_case){ line, r->setting, changed(r), r->reason, r->ask, keep(said) };
}

static void goes_on(char **said, const char *more)
{
  char *whole = malloc(strlen(*said) + strlen(more) + 1);
  *said = keep(strcat(strcpy(whole, *said), more));
  free(whole);
}

static void take_line(reader *r, int number, const char *line)
{
  const char *rest = line + strspn(line, "=-<> ");
  if (*line == '#' || *line == '\0')
    return;
  if (!strncmp(line, "==", 2)) {
    r->base.n = r->own.n = 0;
    r->in_case = false;
    r->setting = keep(rest);
    r->ask = r->reason = "";
  } else if (!strncmp(line, "--", 2)) {
    r->own.n = 0;
    r->in_case = true;
    r->reason = keep(rest);
  } else if (*line == '<')
    r->ask = keep(rest);
  else if (*line == '>')
    answer(r, number, line + 1 + (line[1] == ' '));
  else if (*line == ';' && r->out.n > 0)
    goes_on(&r->out.item[r->out.n - 1].answer, line);
  else if (*line == ' ' && *r->ask)
    goes_on(&r->ask, line);
  else
    add_line(r->in_case ? &r->own : &r->base, line);
}

test_cases cases_read(const char *name)
{
  static char path[80];
  char *line = NULL;
  size_t room = 0;
  reader r = { .setting = "", .reason = "", .ask = "" };
  snprintf(path, sizeof path, "tests/cases/%s.txt", name);
  r.out.path = keep(path);
  FILE *in = fopen(path, "r");
  if (!in) {
    perror(path);
    exit(EXIT_FAILURE);
  }
  for (int number = 1; getline(&line, &room, in) >= 0; number++) {
    line[strcspn(line, "\n")] = '\0';
    take_line(&r, number, line);
  }
  free(line);
  fclose(in);
  return r.out;
}
