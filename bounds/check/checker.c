/* The frame of the independent checker: read the certificate, read the CDAG, let the theorem's checker derive the bound, compare. */
#include "bounds/checker.h"
#include "base/mem.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void bound_because(text *reason, const char *format, ...)
{
  char sentence[1024];
  va_list ap;
  va_start(ap, format);
  vsnprintf(sentence, sizeof sentence, format, ap);
  va_end(ap);
  text_clear(reason);
  text_add(reason, sentence);
}

/* The CDAG: from its text and parameters, or from an edge list. */
static status open_cdag(const json_value *v, cdag **g, diag *d)
{
  const char *name = json_get_string(v, "name"), *source = json_get_string(v, "text"),
             *assign = json_get_string(v, "assign"), *edges = json_get_string(v, "edges");
  if (!name)
    name = "cdag";
  if (source && assign && strchr(assign, '@')) /* a table's values, table=@FILE: the digest does not cover them */
    return diag_set(d, BAD_INPUT, "format", "the certificate's CDAG depends on a file");
  if (source && assign)
    return cdag_parse(g, name, source, assign, d);
  if (!edges)
    return diag_set(d, BAD_INPUT, "format", "the certificate has no CDAG: 'cdag' needs 'text' and 'assign', or 'edges'");
  cdag_graph graph = { 0 };
  status st = cdag_graph_read_edges(&graph, edges, strlen(edges), name, d);
  return st == OK ? cdag_from_graph(g, &graph, name) : st;
}

static bool digest_agrees(const json_value *v, text *reason)
{
  char digits[17];
  const char *claimed = json_get_string(v, "digest");
  snprintf(digits, sizeof digits, "%016" PRIx64, json_digest(v, "digest"));
  return (claimed && strcmp(claimed, digits) == 0) ||
         bound_refuse(reason, "the digest is not that of this text: something was altered");
}

static bool models_agree(const json_value *v, unsigned models, text *reason)
{
  static const char *const names[] = { "recompute", "one-shot", "placing", "sliding", "partial" };
  const json_value *list = json_get(v, "models");
  if (!list || list->type != JSON_ARRAY || list->n == 0)
    return bound_refuse(reason, "the certificate names no game it holds in");
  for (size_t i = 0; i < list->n; i++) {
    unsigned flag = 0;
    for (unsigned k = 0; k < 5; k++)
      if (list->item[i].type == JSON_STRING && strcmp(list->item[i].text, names[k]) == 0)
        flag = 1u << k;
    if (!(models & flag))
      return bound_refuse(reason, "the theorem does not hold in every game the certificate names");
  }
  return true;
}

const bound_checker *bound_checker_find(const char *theorem)
{
  for (const bound_checker *const *k = bound_checkers; *k; k++)
    if (strcmp((*k)->theorem, theorem) == 0)
      return *k;
  return NULL;
}

/* Derive and compare. */
static bool derive(const bound_checker *k, const bound_claim *c, const json_value *v, bound_check_result *r)
{
  mpz_t value;
  mpz_init(value);
  bool good = models_agree(v, k->models, &r->reason) && k->check(c, value, &r->reason);
  if (good && mpz_cmp(value, r->value) != 0) {
    char *digits = mem_new(mpz_sizeinbase(value, 10) + 2, 1);
    good = bound_refuse(&r->reason, "the value follows as %s, not as claimed", mpz_get_str(digits, 10, value));
    mem_free(digits);
  }
  mpz_clear(value);
  return good && digest_agrees(v, &r->reason);
}

static status check_object(const json_value *v, bound_check_result *r, diag *d)
{
  int64_t version = 0, m = 0;
  const char *kind = json_get_string(v, "redblue"), *theorem = json_get_string(v, "theorem");
  if (!kind || strcmp(kind, "certificate") != 0 || !json_get_int(v, "version", &version) || version != 1)
    return diag_set(d, BAD_INPUT, "format", "this is no certificate of version 1");
  if (!theorem || !json_get_int(v, "M", &m) || m < 1 || !json_get_big(v, "value", r->value) || !json_get(v, "parameters"))
    return diag_set(d, BAD_INPUT, "format", "the certificate lacks its theorem, M, value or parameters");
  text_add(&r->theorem, theorem);
  const bound_checker *k = bound_checker_find(theorem);
  if (!k)
    return diag_set(d, BAD_INPUT, "format", "there is no theorem '%s' to check", theorem);
  cdag *g = NULL;
  status st = open_cdag(json_get(v, "cdag"), &g, d);
  if (st != OK)
    return st;
  bound_claim c = { theorem, g, m, json_get(v, "parameters") };
  r->valid = derive(k, &c, v, r);
  cdag_free(g);
  return OK;
}

status bound_check(const char *bytes, size_t n, const char *name, bound_check_result *r, diag *d)
{
  json_value v;
  *r = (bound_check_result){ 0 };
  mpz_init(r->value);
  status st = json_read(&v, bytes, n, name, d);
  if (st != OK)
    return st;
  st = check_object(&v, r, d);
  json_value_clear(&v);
  return st;
}

void bound_check_clear(bound_check_result *r)
{
  text_clear(&r->theorem);
  text_clear(&r->reason);
  mpz_clear(r->value);
  *r = (bound_check_result){ 0 };
}
