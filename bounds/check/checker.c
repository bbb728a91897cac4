/* The frame of the independent checker: read the certificate, read the CDAG, let the theorem's checker derive the
 * bound, compare. */
#include "base/scoped.h"
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
  if (!reason)
    return;
  va_start(ap, format);
  vsnprintf(sentence, sizeof sentence, format, ap);
  va_end(ap);
  text_clear(reason);
  text_add(reason, sentence);
}

/* ---- the form ---- */

/* No member but these, in an object: what would not be checked must not stand beside what is. */
static status only_members(const json_value *v, const char *const *known, const char *where, diag *d)
{
  for (size_t i = 0; v->type == JSON_OBJECT && i < v->n; i++) {
    bool found = false;
    for (const char *const *k = known; *k && !found; k++)
      found = strcmp(*k, v->key[i]) == 0;
    if (!found)
      return diag_set(d, BAD_INPUT, "format", "%s has no member '%.60s'", where, v->key[i]);
  }
  return OK;
}

/* An integer written as a string would be read by some members and not by others. */
static status no_quoted_integer(const json_value *v, diag *d)
{
  if (v->type == JSON_STRING && *v->text && !v->text[strspn(v->text, "+-0123456789")])
    return diag_set(d, BAD_INPUT, "format", "the parameters have the text \"%.60s\" where a number belongs", v->text);
  status st = OK;
  for (size_t i = 0; i < v->n && st == OK; i++)
    st = no_quoted_integer(&v->item[i], d);
  return st;
}

/* The CDAG: from its text and parameters, or from an edge list. */
static status open_cdag(const json_value *v, cdag **g, diag *d)
{
  static const char *const known[] = { "name", "text", "assign", "edges", NULL };
  const char *name = json_get_string(v, "name"), *source = json_get_string(v, "text"),
             *assign = json_get_string(v, "assign"), *edges = json_get_string(v, "edges");
  if (v && only_members(v, known, "'cdag'", d) != OK)
    return BAD_INPUT;
  if (edges && (source || assign))
    return diag_set(d, BAD_INPUT, "format",
                    "the certificate describes two computations, one by 'text' and one by 'edges'");
  if (!name)
    name = "cdag";
  for (const unsigned char *s = (const unsigned char *)name; *s; s++)
    if (*s < ' ' || *s == 127 || (*s == 0xc2 && s[1] < 0xa0)) /* it is shown to people, on terminals */
      return diag_set(d, BAD_INPUT, "format", "the name of the certificate's computation holds control characters");
  if (source && assign && strchr(assign, '@')) /* a table's values, table=@FILE: the digest does not cover them */
    return diag_set(d, BAD_INPUT, "format", "the certificate's CDAG depends on a file");
  if (source && assign) {
    SCOPED_TEXT file = { 0 };
    text_printf(&file, "%s.cdag", name); /* a dot in a name begins no ending */
    return cdag_parse(g, text_str(&file), source, assign, d);
  }
  if (!edges)
    return diag_set(d, BAD_INPUT, "format",
                    "the certificate has no CDAG: 'cdag' needs 'text' and 'assign', or 'edges'");
  cdag_graph graph = { 0 };
  status st = cdag_graph_read_edges(&graph, edges, strlen(edges), name, d);
  return st == OK ? cdag_from_graph(g, &graph, name) : st;
}

/* ---- what is compared ---- */

static bool digest_agrees(const json_value *v, text *reason)
{
  char digits[17];
  const char *claimed = json_get_string(v, "digest");
  snprintf(digits, sizeof digits, "%016" PRIx64, json_digest(v, "digest"));
  return (claimed && strcmp(claimed, digits) == 0) ||
         bound_refuse(reason, "the digest is not that of this text: something was altered");
}

/* The games that are named, all of them known; 0 otherwise. */
static unsigned read_models(const json_value *v, text *reason)
{
  const json_value *list = json_get(v, "models");
  unsigned named = 0;
  if (!list || list->type != JSON_ARRAY || list->n == 0)
    return bound_refuse(reason, "the certificate names no game it holds in");
  for (size_t i = 0; i < list->n; i++) {
    unsigned flag = list->item[i].type == JSON_STRING ? bound_game_flag(list->item[i].text) : 0;
    if (!flag || named & flag)
      return bound_refuse(reason,
                          "the games are names out of recompute, one-shot, placing, sliding and partial, each once");
    named |= flag;
  }
  return named;
}

/* A theorem is about games, and so is a claim: what the claim leaves unsaid, its reader would fill in as he likes. */
static bool models_agree(const json_value *v, unsigned models, unsigned *named, text *reason)
{
  *named = read_models(v, reason);
  if (!*named)
    return false;
  const char *unsaid = bound_games_unsaid(*named);
  if (unsaid) {
    *named = 0; /* nobody is told half a game */
    return bound_refuse(reason, "the certificate does not name %s", unsaid);
  }
  return !(*named & ~models) || bound_refuse(reason, "the theorem does not hold in every game the certificate names");
}

const bound_checker *bound_checker_find(const char *theorem)
{
  for (const bound_checker *const *k = bound_checkers; *k; k++)
    if (strcmp((*k)->theorem, theorem) == 0)
      return *k;
  return NULL;
}

bool bound_value_agrees(const mpz_t value, const mpz_t claimed, text *reason)
{
  if (mpz_cmp(value, claimed) == 0)
    return true;
  SCOPED_MEM char *digits = mem_new(mpz_sizeinbase(value, 10) + 2, 1);
  bound_because(reason, "the value follows as %s, not as claimed", mpz_get_str(digits, 10, value));
  return false;
}

/* Derive and compare. */
static bool derive(const bound_checker *k, bound_claim *c, const json_value *v, bound_check_result *r)
{
  SCOPED_MPZ value;
  mpz_init(value);
  bool good = models_agree(v, k->models, &r->models, &r->reason);
  c->models = r->models;
  good = good && k->check(c, value, &r->reason) && bound_value_agrees(value, r->value, &r->reason);
  return good && digest_agrees(v, &r->reason);
}

/* What the claim is about, from the computation itself and not from what is written beside it. */
static void describe(const cdag *g, bound_check_result *r)
{
  diag ignored = { 0 };
  text_add(&r->name, g->name);
  for (int i = 0; i < g->params; i++)
    text_printf(&r->assign, "%s%s=%" PRId64, i ? "," : "", g->param[i].name, g->param[i].value);
  r->digest = cdag_digest(g);
  r->counted = cdag_count(g, &r->counts, &ignored) == OK;
}

static const char *const members[] = { "redblue", "version",    "theorem", "models", "M",
                                       "value",   "parameters", "cdag",    "digest", NULL };

static status check_object(const json_value *v, bound_check_result *r, diag *d)
{
  int64_t version = 0, m = 0;
  const char *kind = json_get_string(v, "redblue"), *theorem = json_get_string(v, "theorem");
  if (!kind || strcmp(kind, "certificate") != 0 || !json_get_int(v, "version", &version) || version != 1)
    return diag_set(d, BAD_INPUT, "format", "this is no certificate of version 1");
  if (!theorem || !json_get_int(v, "M", &m) || m < 1 || !json_get_big(v, "value", r->value) ||
      !json_get(v, "parameters"))
    return diag_set(d, BAD_INPUT, "format", "the certificate lacks its theorem, M, value or parameters");
  text_add(&r->theorem, theorem);
  if (only_members(v, members, "a certificate", d) != OK || no_quoted_integer(json_get(v, "parameters"), d) != OK)
    return BAD_INPUT;
  const bound_checker *k = bound_checker_find(theorem);
  if (!k)
    return diag_set(d, BAD_INPUT, "format", "there is no theorem '%s' to check", theorem);
  cdag *g = NULL;
  status st = open_cdag(json_get(v, "cdag"), &g, d);
  if (st != OK)
    return st;
  bound_claim c = { theorem, g, m, json_get(v, "parameters"), 0 };
  r->m = m;
  describe(g, r);
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
  text_clear(&r->name);
  text_clear(&r->assign);
  mpz_clear(r->value);
  *r = (bound_check_result){ 0 };
}
