/* reader.c -- see reader.h. */
#include "schedules/play/reader.h"
#include "base/mem.h"
#include <errno.h>
#include <string.h>

enum { CHUNK = 1 << 20 };
#define WINDOW ((size_t)1 << 30) /* the longest single statement */

status schedule_reader_new(schedule_reader **r, const char *path, diag *d)
{
  bool standard = strcmp(path, "-") == 0;
  FILE *in = standard ? stdin : fopen(path, "rb");
  *r = NULL;
  if (!in)
    return diag_set(d, IO_ERROR, "file", "cannot read %s: %s", path, strerror(errno));
  *r = schedule_reader_of(in, standard ? "stdin" : path);
  (*r)->close = !standard;
  return OK;
}

schedule_reader *schedule_reader_of(FILE *in, const char *name)
{
  schedule_reader *r = MEM_NEW(schedule_reader, 1);
  r->in = in;
  snprintf(r->name, sizeof r->name, "%s", name);
  r->window = MEM_NEW(char, 1);
  r->at = r->window;
  r->line = r->column = 1;
  return r;
}

void schedule_reader_free(schedule_reader *r)
{
  if (!r)
    return;
  if (r->close)
    fclose(r->in);
  mem_free(r->window);
  mem_free(r);
}

/* Let the window end after its last whole line. */
static void end_at_line(schedule_reader *r, size_t bytes)
{
  size_t end = bytes;
  if (!r->ended)
    while (end > 0 && r->window[end - 1] != '\n')
      end--;
  r->tail = bytes - end;
  r->size = end;
  r->cut = r->window[end];
  r->window[end] = '\0';
}

bool schedule_reader_more(schedule_reader *r)
{
  if (r->ended || r->size + r->tail > WINDOW)
    return false;
  size_t gone = (size_t)(r->at - r->window), bytes = r->size + r->tail - gone;
  r->window[r->size] = r->cut;
  memmove(r->window, r->window + gone, bytes);
  size_t want =
      bytes < CHUNK ? CHUNK : bytes; /* double, so that reading a long statement again and again stays cheap */
  r->window = mem_grow(r->window, bytes + want + 1, 1);
  size_t got = fread(r->window + bytes, 1, want, r->in);
  r->ended = got < want || memchr(r->window + bytes, '\0', got); /* no text goes on behind a zero byte */
  r->window[bytes + got] = '\0';
  r->at = r->window;
  end_at_line(r, bytes + got);
  return true;
}

bool schedule_reader_all(const schedule_reader *r) { return r->ended || r->size + r->tail > WINDOW; }

status schedule_reader_failed(const schedule_reader *r, diag *d)
{
  if (ferror(r->in))
    return diag_at(d, IO_ERROR, "file", r->name, 0, 0, "cannot read: %s", strerror(errno));
  const char *nul = memchr(r->window, '\0', r->size);
  return nul ? diag_at(d, BAD_INPUT, "syntax", r->name, r->line, 1, "there is a zero byte in the text") : OK;
}

size_t schedule_reader_bytes(schedule_reader *r, size_t n)
{
  size_t gone = (size_t)(r->at - r->window), bytes = r->size + r->tail - gone;
  r->window[r->size] = r->cut;
  if (bytes < n) {
    size_t want = n - bytes > CHUNK ? n - bytes : CHUNK;
    memmove(r->window, r->window + gone, bytes);
    r->window = mem_grow(r->window, bytes + want + 1, 1);
    bytes += fread(r->window + bytes, 1, want, r->in);
    r->at = r->window;
    gone = 0;
  }
  r->size = gone + bytes;
  r->tail = 0;
  r->cut = r->window[r->size] = '\0';
  return bytes;
}
