/* machine.c -- reading machines. */
#include "report/machine.h"
#include "base/embed.h"
#include "base/mem.h"
#include "base/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char folder[] = "report/machines/", ending[] = ".machine";
static const char *const field_names[] = { "word", "memory", "multiply_adds", "special", "clock", "bandwidth" };
enum { FIELDS = sizeof field_names / sizeof *field_names, NEEDED = 2 };

static double *field(report_machine *m, int i)
{
  double *const at[FIELDS] = { &m->word, &m->memory, &m->multiply_adds, &m->special, &m->clock, &m->bandwidth };
  return at[i];
}

static bool positive(double v) { return isfinite(v) && v > 0 && v <= 1e18; }

static status array_line(report_machine *m, double rows, double columns, const char *file, int number, diag *d)
{
  if (!positive(rows) || !positive(columns) || rows != floor(rows) || columns != floor(columns) || rows > 1e6 ||
      columns > 1e6)
    return diag_at(d, BAD_INPUT, "value", file, number, 1, "an array has two whole numbers of units: array 64 32");
  if (m->rows > 0 || m->multiply_adds > 0)
    return diag_at(d, BAD_INPUT, "name", file, number, 1, "the multiply-add units are given twice");
  m->rows = rows;
  m->columns = columns;
  m->multiply_adds = rows * columns;
  return OK;
}

int report_machine_part(const report_machine *m, const char *array)
{
  char name[sizeof m->buffer->arrays];
  int i = 0;
  snprintf(name, sizeof name, " %s ", array);
  while (i < m->buffers && !strstr(m->buffer[i].arrays, name))
    i++;
  return i;
}

/* The names behind the words, each once in all buffers. */
static bool buffer_arrays(report_machine *m, report_buffer *b, char *names)
{
  SCOPED_TEXT all = { 0 };
  bool good = true;
  text_char(&all, ' ');
  for (char *name; good && (name = strsep(&names, " \t"));)
    if (*name) {
      good = report_machine_part(m, name) == m->buffers && all.n + strlen(name) + 1 < sizeof b->arrays;
      text_printf(&all, "%s ", name);
      snprintf(b->arrays, sizeof b->arrays, "%s", text_str(&all));
    }
  return good && strlen(b->arrays) > 1;
}

static status buffer_line(report_machine *m, const char *line, const char *file, int number, diag *d)
{
  int at = 0;
  report_buffer b = { .words = 0 };
  char *names = NULL;
  bool good = m->buffers < REPORT_BUFFERS &&
              sscanf(line, " buffer %31s %lf %n", b.name, &b.words, &at) == 2 && at > 0 && positive(b.words) &&
              b.words == floor(b.words);
  if (good) {
    names = mem_text(line + at);
    good = buffer_arrays(m, &b, names);
    mem_free(names);
  }
  if (!good)
    return diag_at(d, BAD_INPUT, "value", file, number, 1,
                   "a buffer has a name, a whole number of words and arrays that no other has: buffer kv 4096 K V");
  m->buffer[m->buffers++] = b;
  return OK;
}

static status field_line(report_machine *m, const char *name, int values, double value, const char *file, int number,
                         diag *d)
{
  int i = 0;
  while (i < FIELDS && strcmp(name, field_names[i]) != 0)
    i++;
  const char *near =
      diag_nearest(name, field_names, FIELDS); /* and not the word itself: the file may be none of ours */
  if (i == FIELDS)
    return diag_at(d, BAD_INPUT, "name", file, number, 1,
                   "a machine has word, memory, multiply_adds (or array), special, clock, bandwidth and buffers%s%s%s",
                   near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
  if (values != 1 || !positive(value))
    return diag_at(d, BAD_INPUT, "value", file, number, 1, "%s takes one positive number", name);
  if (*field(m, i) > 0)
    return diag_at(d, BAD_INPUT, "name", file, number, 1, "%s is given twice", name);
  *field(m, i) = value;
  return OK;
}

static status machine_line(report_machine *m, const char *line, const char *file, int number, diag *d)
{
  char name[64], extra;
  double value = 0, second = 0;
  int n = sscanf(line, "%63s %lf %lf %c", name, &value, &second, &extra);
  if (n <= 0)
    return OK;
  if (strcmp(name, "buffer") == 0)
    return buffer_line(m, line, file, number, d);
  if (strcmp(name, "array") == 0)
    return array_line(m, n == 3 ? value : 0, second, file, number, d);
  return field_line(m, name, n - 1, value, file, number, d);
}

static status parse(report_machine *m, const char *source, const char *file, diag *d)
{
  char *copy = mem_text(source), *rest = copy;
  int number = 0;
  status st = OK;
  for (char *line = strsep(&rest, "\n"); line && st == OK; line = strsep(&rest, "\n")) {
    line[strcspn(line, "#")] = '\0';
    st = machine_line(m, line, file, ++number, d);
  }
  mem_free(copy);
  for (int i = 0; i < NEEDED && st == OK; i++)
    if (!(*field(m, i) > 0))
      st = diag_at(d, BAD_INPUT, "value", file, 1, 1, "the machine has no %s", field_names[i]);
  double words = 0;
  for (int i = 0; i < m->buffers; i++)
    words += m->buffer[i].words;
  if (st == OK && words >= m->memory)
    st = diag_at(d, BAD_INPUT, "value", file, 1, 1, "the buffers take the whole memory");
  return st;
}

static const embedded_file *find_preset(const char *name)
{
  char path[300];
  snprintf(path, sizeof path, "%s%.200s%s", folder, name, ending);
  for (const embedded_file *e = embedded_files; e->path; e++)
    if (strcmp(e->path, path) == 0)
      return e;
  return NULL;
}

/* Neither a preset nor a file: most likely a name misspelt. */
static status nothing_so_called(const char *name, diag *d)
{
  report_machine_listing *list;
  const char *names[64];
  int n = report_machines(&list);
  for (int i = 0; i < n && i < 64; i++)
    names[i] = list[i].name;
  const char *near = diag_nearest(name, names, n < 64 ? n : 64);
  status st =
      diag_set(d, BAD_USAGE, "usage", "no machine, and no file, is called '%s'%s%s%s; 'redblue machines' lists them",
               name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  report_machines_free(list, n);
  return st;
}

status report_machine_open(report_machine *m, const char *name, diag *d)
{
  const embedded_file *preset = find_preset(name);
  *m = (report_machine){ 0 };
  snprintf(m->name, sizeof m->name, "%s", name);
  if (preset)
    return parse(m, preset->text, preset->path, d);
  if (strcmp(name, "-") != 0 && access(name, F_OK) != 0)
    return nothing_so_called(name, d);
  SCOPED_TEXT source = { 0 };
  status st = text_read_plain(&source, name, 1 << 16, d);
  if (st == OK)
    st = parse(m, text_str(&source), name, d);
  return st;
}

/* ---- the list ---- */

/* What stands behind `mark` in a comment line, up to the line's end. */
static void comment(const char *source, const char *mark, char *to, size_t room)
{
  const char *at = strstr(source, mark);
  at = at ? at + strlen(mark) : "";
  snprintf(to, room, "%.*s", (int)strcspn(at, "\n"), at);
}

int report_machines(report_machine_listing **list)
{
  size_t n = 0, room = 0;
  *list = NULL;
  for (const embedded_file *e = embedded_files; e->path; e++) {
    size_t before = sizeof folder - 1, length = strlen(e->path);
    if (strncmp(e->path, folder, before) != 0 || length < before + sizeof ending)
      continue;
    *list = mem_room(*list, n, &room, sizeof **list);
    report_machine_listing *l = &(*list)[n++];
    *l = (report_machine_listing){ .name = mem_text_n(e->path + before, length - before - (sizeof ending - 1)),
                                   .text = e->text };
    comment(e->text, "# ", l->summary, sizeof l->summary);
    comment(e->text, "# source: ", l->source, sizeof l->source);
  }
  return (int)n;
}

void report_machines_free(report_machine_listing *list, int n)
{
  for (int i = 0; i < n; i++)
    mem_free(list[i].name);
  mem_free(list);
}
