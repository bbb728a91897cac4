/* terminal.c -- what goes to a terminal passes here, so that no name in a file can give it commands (base/visible.h).
 */
#include "base/visible.h"
#include "cli/cli_internal.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { TAIL = 4 };

typedef struct {
  int fd;
  bool returns;                /* a carriage return is the program's own: progress on stderr */
  char tail[TAIL];             /* the beginning of a character whose rest is still to come */
  size_t n;
} terminal;

static bool write_fully(int fd, const char *s, size_t n)
{
  while (n) {
    ssize_t done = write(fd, s, n);
    if (done < 0 && errno != EINTR)
      return false;
    s += done > 0 ? done : 0;
    n -= done > 0 ? (size_t)done : 0;
  }
  return true;
}

static size_t put_next(terminal *t, text *out, const char *s, size_t n)
{
  int harmless;
  size_t length = visible_next(s, n, &harmless);
  if (harmless || *s == '\n' || (*s == '\r' && t->returns))
    text_add_n(out, s, length);
  else if (length)
    text_printf(out, "\\x%02x", (unsigned char)*s);
  return length;
}

static ssize_t put(void *cookie, const char *s, size_t n)
{
  terminal *t = cookie;
  SCOPED_TEXT all = { 0 }, out = { 0 };
  text_add_n(&all, t->tail, t->n);
  text_add_n(&all, s, n);
  size_t at = 0, step = 1;
  for (; at < all.n && step; at += step)
    step = put_next(t, &out, all.s + at, all.n - at);
  t->n = all.n - at;
  memcpy(t->tail, all.s + at, t->n);
  bool good = write_fully(t->fd, text_str(&out), out.n);
  return good ? (ssize_t)n : 0;
}

/* Puts a stream in front of t's descriptor into *stream, where that is a terminal. */
static void guard(terminal *t, FILE **stream, int buffering)
{
  FILE *guarded = isatty(t->fd) ? fopencookie(t, "w", (cookie_io_functions_t){ .write = put }) : NULL;
  if (!guarded)
    return;
  setvbuf(guarded, NULL, buffering, BUFSIZ);
  *stream = guarded;
}

void cli_guard_terminal(void)
{
  static terminal out = { .fd = STDOUT_FILENO }, err = { .fd = STDERR_FILENO, .returns = true };
  guard(&out, &stdout, _IOLBF);
  guard(&err, &stderr, _IONBF);
}
