#include "cli/moves_file.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void put_vertex(text *t, const cdag *g, uint32_t v)
{
  cdag_element e;
  cdag_at(g, v, &e);
  cdag_element_print(t, g, &e);
}

static void put_step(text *t, const cdag *g, const pebble_step *s)
{
  text_printf(t, "%s ", pebble_kind_name(s->kind));
  put_vertex(t, g, s->vertex);
  if (s->slide != PEBBLE_NO_SLIDE) {
    text_add(t, " dropping ");
    put_vertex(t, g, s->slide);
  }
  text_char(t, '\n');
}

status cli_write_moves(const cdag *g, const pebble_trace *t, const char *path, diag *d)
{
  bool standard = strcmp(path, "-") == 0, good = true;
  errno = 0;
  FILE *out = standard ? stdout : fopen(path, "w");
  if (!out)
    return diag_set(d, IO_ERROR, "file", "cannot write %s: %s", path, strerror(errno));
  text line = { 0 };
  for (size_t i = 0; i < t->n && good; i++) {
    line.n = 0;
    put_step(&line, g, &t->step[i]);
    good = fputs(text_str(&line), out) >= 0;
  }
  text_clear(&line);
  good &= (standard ? fflush(out) : fclose(out)) == 0;
  return good ? OK : diag_set(d, IO_ERROR, "file", "cannot write %s: %s", path, strerror(errno));
}
