#include "bounds/certificate.h"
#include "base/json.h"
#include "base/json_read.h"
#include "bounds/checker.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

bool bound_has_certificate(const bound *b) { return b->parameters.n > 0 && bound_checker_find(b->name) != NULL; }

void bound_certificate_part(const bound *b, json *j)
{
  json_open(j, '{');
  json_put_string(j, "theorem", b->name);
  json_put_big(j, "value", b->value);
  json_key(j, "parameters");
  json_raw(j, b->parameters.n ? text_str(&b->parameters) : "{}");
  json_close(j, '}');
}

static void write_models(json *j, unsigned models)
{
  json_put_open(j, "models", '[');
  for (int i = 0; i < BOUND_GAMES; i++)
    if (models >> i & 1)
      json_string(j, bound_game_name(i));
  json_close(j, ']');
}

static status write_graph(json *j, const cdag_graph *g, diag *d)
{
  char *bytes = NULL;
  size_t n;
  FILE *out = open_memstream(&bytes, &n);
  status st = out ? cdag_graph_write(g, CDAG_EDGES, out, d) : diag_set(d, IO_ERROR, "file", "no memory stream");
  if (out && fclose(out) != 0 && st == OK)
    st = diag_set(d, IO_ERROR, "file", "the graph cannot be written into the certificate");
  if (st == OK)
    json_put_string(j, "edges", bytes);
  free(bytes);
  return st;
}

static void write_text(json *j, const cdag *g)
{
  SCOPED_TEXT source = { 0 }, assign = { 0 };
  cdag_print(&source, g);
  for (int i = 0; i < g->params; i++)
    text_printf(&assign, "%s%s=%" PRId64, i ? "," : "", g->param[i].name, g->param[i].value);
  json_put_string(j, "text", text_str(&source));
  json_put_string(j, "assign", text_str(&assign));
}

static status write_cdag(json *j, const cdag *g, diag *d)
{
  status st = OK;
  json_put_open(j, "cdag", '{');
  json_put_string(j, "name", g->name);
  if (g->graph)
    st = write_graph(j, g->graph, d);
  else
    write_text(j, g);
  json_close(j, '}');
  return st;
}

/* The digest is of the object read back, without itself. */
static status add_digest(json *j, diag *d)
{
  json_value v;
  SCOPED_TEXT whole = { 0 };
  text_printf(&whole, "%s}", text_str(&j->out));
  status st = json_read(&v, text_str(&whole), whole.n, "the certificate", d);
  if (st == OK) {
    char digits[17];
    snprintf(digits, sizeof digits, "%016" PRIx64, json_digest(&v, "digest"));
    json_put_string(j, "digest", digits);
    json_value_clear(&v);
  }
  return st;
}

status bound_certificate(const bound_question *q, const bound *b, text *out, diag *d)
{
  SCOPED_JSON j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "redblue", "certificate");
  json_put_int(&j, "version", 1);
  json_put_string(&j, "theorem", b->name);
  write_models(&j, b->models);
  json_put_uint(&j, "M", q->m);
  json_put_big(&j, "value", b->value);
  json_key(&j, "parameters");
  json_raw(&j, text_str(&b->parameters));
  status st = write_cdag(&j, q->g, d);
  if (st == OK)
    st = add_digest(&j, d);
  json_close(&j, '}');
  if (st == OK)
    text_printf(out, "%s\n", text_str(&j.out));
  return st;
}

status bound_certify(const bound_question *q, const bound *b, text *out, diag *d)
{
  bound_check_result r;
  status st = bound_certificate(q, b, out, d);
  if (st != OK)
    return st;
  st = bound_check(text_str(out), out->n, "the certificate", &r, d);
  if (st == OK && !(r.valid && mpz_cmp(r.value, b->value) == 0 && r.digest == cdag_digest(q->g)))
    st = diag_set(d, GAVE_UP, "limit", "the checker does not follow this bound of %s%s%.300s", b->name,
                  r.reason.n ? ": " : "", text_str(&r.reason));
  bound_check_clear(&r);
  if (st != OK)
    text_clear(out);
  return st;
}
