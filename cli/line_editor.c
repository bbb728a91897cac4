/* line_editor.c -- keys of a terminal in raw mode become a line. */
#include "cli/line_editor.h"
#include "base/mem.h"
#include "base/text.h"
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { CTRL_A = 1, CTRL_C = 3, CTRL_D, CTRL_E, TAB = 9, CTRL_K = 11, CTRL_U = 21, CTRL_W = 23 };
enum { ESCAPE = 27, DELETE = 127 };
enum { KEY_LEFT = 256, KEY_RIGHT, KEY_UP, KEY_DOWN, KEY_HOME, KEY_END, KEY_DELETE, KEY_NONE, KEY_END_OF_INPUT };

typedef struct {
  line_editor *e;
  char *s;                     /* the line, n bytes, the cursor before byte at */
  size_t size, n, at;
  size_t shown;                /* which line of the past stands here; e->lines: the new one */
} edit;

void line_editor_clear(line_editor *e)
{
  for (size_t i = 0; i < e->lines; i++)
    mem_free(e->past[i]);
  mem_free(e->past);
}

/* ---- the screen ---- */

static void put(const text *t)
{
  for (size_t done = 0; done < t->n;) {
    ssize_t k = write(STDOUT_FILENO, t->s + done, t->n - done);
    if (k <= 0)
      return;
    done += (size_t)k;
  }
}

static bool is_inside(char c) { return ((unsigned char)c & 0xc0) == 0x80; } /* a byte within a character */

static size_t columns(const char *s, size_t n)
{
  size_t c = 0;
  for (size_t i = 0; i < n; i++)
    c += !is_inside(s[i]);
  return c;
}

/* Of a line longer than the terminal is wide, the part before the cursor. */
static void redraw(const edit *d)
{
  struct winsize size;
  bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20;
  size_t prompt = strlen(d->e->prompt), wide = known ? size.ws_col : 80;
  size_t room = wide - prompt - 1, from = 0, to = d->n;
  while (columns(d->s + from, d->at - from) > room)
    from++;
  while (columns(d->s + from, to - from) > room)
    to--;
  SCOPED_TEXT out = { 0 };
  text_printf(&out, "\r%s", d->e->prompt);
  text_add_n(&out, d->s + from, to - from);
  text_printf(&out, "\x1b[K\r\x1b[%zuC", prompt + columns(d->s + from, d->at - from));
  put(&out);
}

static void put_string(const char *s)
{
  SCOPED_TEXT out = { 0 };
  text_add(&out, s);
  put(&out);
}

/* ---- the keys ---- */

/* Between two lines the terminal is in its own mode and keeps what is typed: an end of input as a zero byte. */
static int read_byte(void)
{
  unsigned char c;
  return read(STDIN_FILENO, &c, 1) != 1 ? KEY_END_OF_INPUT : c ? c : CTRL_D;
}

static int key_numbered(int digit)
{
  if (read_byte() != '~')
    return KEY_NONE;
  return digit == '1' || digit == '7'   ? KEY_HOME
         : digit == '4' || digit == '8' ? KEY_END
         : digit == '3'                 ? KEY_DELETE
                                        : KEY_NONE;
}

static int read_key(void)
{
  static const char letters[] = "DCABHF";
  static const int key[] = { KEY_LEFT, KEY_RIGHT, KEY_UP, KEY_DOWN, KEY_HOME, KEY_END };
  int c = read_byte();
  if (c != ESCAPE)
    return c;
  int kind = read_byte(), last = kind == '[' || kind == 'O' ? read_byte() : KEY_NONE;
  const char *found = last < 256 && last ? strchr(letters, last) : NULL;
  return found ? key[found - letters] : last >= '0' && last <= '9' ? key_numbered(last) : KEY_NONE;
}

/* ---- the line ---- */

static size_t before(const edit *d)
{
  size_t i = d->at;
  while (i > 0 && is_inside(d->s[--i]))
    ;
  return i;
}

static size_t after(const edit *d)
{
  size_t i = d->at + (d->at < d->n);
  while (i < d->n && is_inside(d->s[i]))
    i++;
  return i;
}

static void cut(edit *d, size_t from, size_t to)
{
  memmove(d->s + from, d->s + to, d->n - to);
  d->n -= to - from;
  d->at = from;
}

static void insert(edit *d, const char *s, size_t n)
{
  if (d->n + n + 1 > d->size)
    return;
  memmove(d->s + d->at + n, d->s + d->at, d->n - d->at);
  memcpy(d->s + d->at, s, n);
  d->n += n;
  d->at += n;
}

static void show_past(edit *d, size_t line)
{
  if (line > d->e->lines)
    return;
  const char *s = line < d->e->lines ? d->e->past[line] : "";
  d->shown = line;
  d->n = d->at = 0;
  insert(d, s, strlen(s));
}

static bool in_word(char c)
{
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* What all words that begin as the one before the cursor have in common; several that have no more are listed. */
static void complete(edit *d)
{
  size_t from = d->at, common = 0, found = 0;
  while (from > 0 && in_word(d->s[from - 1]))
    from--;
  size_t n = d->at - from;
  const char *first = NULL;
  SCOPED_TEXT list = { 0 };
  for (const char *const *w = d->e->word; w && *w; w++) {
    if (strncmp(*w, d->s + from, n) != 0)
      continue;
    size_t same = 0;
    while (first && first[same] && first[same] == (*w)[same])
      same++;
    common = first ? (same < common ? same : common) : strlen(*w);
    first = *w;
    found++;
    text_printf(&list, "%s  ", *w);
  }
  if (found && common > n)
    insert(d, first + n, common - n);
  else if (found > 1) {
    put_string("\r\n");
    put_string(text_str(&list));
    put_string("\r\n");
  } else
    put_string("\a");
  if (found == 1)
    insert(d, " ", d->at == d->n);
}

static size_t word_before(const edit *d)
{
  size_t i = d->at;
  while (i > 0 && d->s[i - 1] == ' ')
    i--;
  while (i > 0 && d->s[i - 1] != ' ')
    i--;
  return i;
}

static void obey(edit *d, int key)
{
  char c = (char)key;
  switch (key) {
  case KEY_LEFT: d->at = before(d); break;
  case KEY_RIGHT: d->at = after(d); break;
  case KEY_HOME: case CTRL_A: d->at = 0; break;
  case KEY_END: case CTRL_E: d->at = d->n; break;
  case KEY_UP: if (d->shown) show_past(d, d->shown - 1); break;
  case KEY_DOWN: show_past(d, d->shown + 1); break;
  case KEY_DELETE: case CTRL_D: cut(d, d->at, after(d)); break;
  case DELETE: case '\b': cut(d, before(d), d->at); break;
  case CTRL_K: cut(d, d->at, d->n); break;
  case CTRL_U: cut(d, 0, d->at); break;
  case CTRL_W: cut(d, word_before(d), d->at); break;
  case TAB: complete(d); break;
  default: if (key >= ' ' && key < 256) insert(d, &c, 1); break;
  }
}

static line_end edit_line(edit *d)
{
  for (;;) {
    redraw(d);
    int key = read_key();
    if (key == '\r' || key == '\n')
      return LINE_READ;
    if (key == CTRL_C)
      return LINE_INTERRUPTED;
    if (key == KEY_END_OF_INPUT || (key == CTRL_D && d->n == 0))
      return LINE_END;
    obey(d, key);
  }
}

static void keep(line_editor *e, const char *line)
{
  if (!*line || (e->lines && strcmp(e->past[e->lines - 1], line) == 0))
    return;
  e->past = mem_room(e->past, e->lines, &e->room, sizeof *e->past);
  e->past[e->lines++] = mem_text(line);
}

line_end line_editor_read(line_editor *e, char *buffer, size_t size)
{
  struct termios was, raw;
  edit d = { .e = e, .s = buffer, .size = size, .shown = e->lines };
  fflush(stdout);
  if (tcgetattr(STDIN_FILENO, &was) != 0)
    return LINE_END;
  raw = was;
  raw.c_lflag &= (tcflag_t)~(ICANON | ECHO | ISIG | IEXTEN);
  raw.c_iflag &= (tcflag_t)~(IXON | ICRNL);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  line_end end = edit_line(&d);
  put_string("\r\n");
  tcsetattr(STDIN_FILENO, TCSADRAIN, &was);
  buffer[d.n] = '\0';
  if (end == LINE_READ)
    keep(e, buffer);
  return end;
}
