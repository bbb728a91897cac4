/* copies.c -- `SPEC x8 x4/K,V`: a collection of copies of one computation.  Eight groups, and in each four copies that
   share the inputs K and V.  It is a rewriting of the text: an index more, from 0 to the parameter `copies`, in front
   of every array that is not shared. So a collection is a computation like any other, and its text says all there is.
 */
#include "cdag/language/copies.h"
#include "cdag/cdag_internal.h"
#include "base/mem.h"
#include "base/num.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- the words ---- */

/* Where " x8" begins, or the end of s. */
static char *first_copies(char *s)
{
  for (; *s; s++)
    if (*s == ' ' && s[1] == 'x' && isdigit((unsigned char)s[2]))
      return s;
  return s;
}

static status take_one(copies *c, char *word, diag *d)
{
  char *slash = strchr(word, '/');
  if (slash)
    *slash = '\0';
  if (c->n == CDAG_COPIES)
    return diag_set(d, BAD_USAGE, "usage", "copies of copies are taken %d times at most", CDAG_COPIES);
  copies_level *l = &c->level[c->n++];
  l->shared = slash ? slash + 1 : "";
  if (word[0] != 'x' || !num_parse(word + 1, &l->count) || l->count < 1)
    return diag_set(d, BAD_USAGE, "usage",
                    "'%.60s' is no number of copies: x32, or x4/K,V when copies share the inputs K and V", word);
  return OK;
}

status copies_cut(copies *c, char *s, diag *d)
{
  char *at = first_copies(s);
  status st = OK;
  char *save = NULL, *rest = *at ? at + 1 : at;
  *at = '\0';
  for (char *word = strtok_r(rest, " ", &save); word && st == OK; word = strtok_r(NULL, " ", &save))
    st = take_one(c, word, d);
  return st;
}

/* ---- the text ---- */

static status share_one(const cdag *g, const char *name, bool *shared, diag *d)
{
  int a = cdag_find_array(g, name);
  const char **names = MEM_NEW(const char *, (size_t)g->arrays);
  for (int i = 0; i < g->arrays; i++)
    names[i] = g->array[i].name;
  const char *near = diag_nearest(name, names, g->arrays);
  mem_free(names);
  if (a < 0)
    return diag_set(d, BAD_USAGE, "parameter", "%s has no array '%.60s' that copies could share%s%s%s", g->name, name,
                    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  if (g->array[a].terms > 0)
    return diag_set(d, BAD_USAGE, "parameter", "copies share inputs, and %s of %s is computed", name, g->name);
  shared[a] = true;
  return OK;
}

static status share(const cdag *g, const char *list, bool *shared, diag *d)
{
  char *names = mem_text(list), *save = NULL;
  status st = OK;
  for (char *name = strtok_r(names, ",", &save); name && st == OK; name = strtok_r(NULL, ",", &save))
    st = share_one(g, name, shared, d);
  mem_free(names);
  return st;
}

/* What was given by name stays given; tables are in the text by now. */
static void assigned(const cdag *g, text *out)
{
  for (int i = 0; i < g->params; i++)
    if (cdag_param_given(g, i))
      text_printf(out, "%s%s=%lld", out->n ? "," : "", g->param[i].name, (long long)g->param[i].value);
}

/* *g becomes the copies of one level; shared[a]: array a is not copied. */
static status copy_level(cdag **g, const copies_level *l, bool *shared, char *lead, diag *d)
{
  char count[CDAG_NAME];
  SCOPED_TEXT source = { 0 }, assign = { 0 };
  cdag *one = *g;
  cdag_fresh_name(one, "copy", "", lead);
  cdag_fresh_name(one, "copies", "", count);
  cdag_view view = { .lead = lead, .count = count, .shared = shared };
  text_printf(&source, "param %s = %lld\n", count, (long long)l->count);
  cdag_print_view(&source, one, &view);
  assigned(one, &assign);
  *g = NULL;
  status st = cdag_parse(g, one->name, text_str(&source), text_str(&assign), d);
  cdag_free(one);
  return st;
}

status copies_make(cdag **g, const copies *c, diag *d)
{
  char family[CDAG_NAME], lead[CDAG_COPIES][CDAG_NAME];
  SCOPED_MEM bool *shared = MEM_NEW(bool, (size_t)(*g)->arrays * CDAG_COPIES + 1);
  int arrays = (*g)->arrays;
  status st = (*g)->graph ? diag_set(d, BAD_USAGE, "usage", "%s is a graph without rules: only arrays can be copied",
                                     (*g)->name)
                          : OK;
  snprintf(family, sizeof family, "%s", (*g)->name);
  for (int i = c->n; i-- > 0 && st == OK;) {
    bool *here = shared + (size_t)i * (size_t)arrays;
    st = share(*g, c->level[i].shared, here, d);
    if (st == OK)
      st = copy_level(g, &c->level[i], here, lead[i], d);
  }
  for (int i = 0; i < c->n && st == OK; i++) {
    size_t n = strlen((*g)->name);
    snprintf((*g)->name + n, sizeof(*g)->name - n, " x%lld%s%s", (long long)c->level[i].count,
             c->level[i].shared[0] ? "/" : "", c->level[i].shared);
    snprintf((*g)->copy[i], CDAG_NAME, "%s", lead[i]);
    for (int a = 0; a < arrays; a++)
      (*g)->array[a].copied |= (uint32_t)!shared[(size_t)i * (size_t)arrays + (size_t)a] << i;
  }
  if (st == OK) {
    snprintf((*g)->family, CDAG_NAME, "%s", family);
    (*g)->copies = c->n;
  }
  return st;
}
