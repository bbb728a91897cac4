#include "cli/moves_file.h"
#include "base/output.h"

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
  output o;
  status st = output_open(&o, path, d);
  if (st != OK)
    return st;
  SCOPED_TEXT line = { 0 };
  for (size_t i = 0; i < t->n && !ferror(o.to); i++) {
    line.n = 0;
    put_step(&line, g, &t->step[i]);
    fputs(text_str(&line), o.to);
  }
  return output_close(&o, d);
}
