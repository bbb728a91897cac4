/* assign.c -- "n=3,d=2": values for parameters, then the defaults of the others.

   name=@FILE, where name is a table, has the table read from that file instead of its definition. */
#include "cdag/cdag_internal.h"
#include "base/mem.h"
#include "base/num.h"
#include <stdio.h>
#include <string.h>

static status unknown(const cdag *g, const char *name, diag *d)
{
  const char **names = MEM_NEW(const char *, (size_t)(g->params + g->tables));
  int n = 0;
  for (int i = 0; i < g->params; i++)
    names[n++] = g->param[i].name;
  const char *near = diag_nearest(name, names, n);
  SCOPED_TEXT list = { 0 };
  for (int i = 0; i < g->params; i++)
    text_printf(&list, "%s%s", i ? ", " : "", g->param[i].name);
  status st =
      strcmp(name, "M") == 0
          ? diag_set(d, BAD_USAGE, "parameter", "M is fast memory and no parameter of %s: -M gives it", g->name)
      : near
          ? diag_set(d, BAD_USAGE, "parameter", "%s has no parameter '%s'; did you mean '%s'?", g->name, name, near)
      : list.n
          ? diag_set(d, BAD_USAGE, "parameter", "%s has no parameter '%s'; it has %s", g->name, name, text_str(&list))
          : diag_set(d, BAD_USAGE, "parameter", "%s has no parameter '%s', and no other", g->name, name);
  mem_free(names);
  return st;
}

static status assign_table(cdag *g, int table, const char *value, diag *d)
{
  if (value[0] != '@' || !value[1])
    return diag_set(d, BAD_USAGE, "parameter", "%s is a table of %s: give it a file of values, %s=@FILE",
                    g->table[table].name, g->name, g->table[table].name);
  mem_free(g->priv->table_file[table]);
  g->priv->table_file[table] = mem_text(value + 1);
  return OK;
}

static status assign_param(cdag *g, int i, const char *value, diag *d)
{
  if (g->priv->given[i])
    return diag_set(d, BAD_USAGE, "parameter", "parameter %s is given twice", g->param[i].name);
  if (!num_parse(value, &g->param[i].value))
    return diag_set(d, BAD_USAGE, "parameter", "parameter %s needs a whole number below 2^63, not '%s'",
                    g->param[i].name, value);
  g->priv->given[i] = true;
  return OK;
}

/* `*=V`: of all that would have no value. */
static status assign_rest(cdag *g, const char *value, diag *d)
{
  g->priv->rest_given = num_parse(value, &g->priv->rest);
  return g->priv->rest_given ? OK : diag_set(d, BAD_USAGE, "parameter", "* needs a whole number, not '%s'", value);
}

/* A nest in C may have a parameter of a reserved name: in its text it has a line behind it. */
static int find_param(const cdag *g, const char *name)
{
  char reserved[CDAG_NAME + 1];
  snprintf(reserved, sizeof reserved, "%.*s_", CDAG_NAME - 1, name);
  int param = cdag_find_param(g, name);
  return param < 0 && cdag_reserved(name) ? cdag_find_param(g, reserved) : param;
}

static status assign_one(cdag *g, const char *name, const char *value, diag *d)
{
  if (strcmp(name, "*") == 0)
    return assign_rest(g, value, d);
  int param = find_param(g, name);
  if (param >= 0)
    return assign_param(g, param, value, d);
  for (int i = 0; i < g->tables; i++)
    if (strcmp(g->table[i].name, name) == 0)
      return assign_table(g, i, value, d);
  return unknown(g, name, d);
}

static status assign_all(cdag *g, char *list, diag *d)
{
  status st = OK;
  for (char *item = list, *next; item && st == OK; item = next) {
    next = strchr(item, ',');
    if (next)
      *next++ = '\0';
    char *equals = strchr(item, '=');
    if (!equals)
      return diag_set(d, BAD_USAGE, "parameter", "expected name=value, such as n=8, found '%.100s'", text_trim(item));
    *equals = '\0';
    st = assign_one(g, text_trim(item), text_trim(equals + 1), d);
  }
  return st;
}

static status fill_default(cdag *g, int64_t *value, int i, diag *d)
{
  cdag_param *p = &g->param[i];
  place at = g->priv->param_place[i];
  const char *why = "";
  expr_env env = { value, NULL };
  if (!p->fallback && g->priv->rest_given) {
    p->value = g->priv->rest;
    return OK;
  }
  if (!p->fallback)
    return diag_set(d, BAD_USAGE, "parameter", "parameter %s of %s has no value; give it as %s:%s=...", p->name,
                    g->name, g->name, p->name);
  if (expr_uses_table(p->fallback))
    return diag_at(d, BAD_INPUT, "name", g->priv->file, at.line, at.column,
                   "the default of %s may use earlier parameters, not tables", p->name);
  if (expr_eval(p->fallback, &env, &p->value, &why) != EXPR_OK)
    return diag_at(d, BAD_INPUT, "value", g->priv->file, p->fallback->line, p->fallback->column,
                   "the default of %s has no value: %s", p->name, why);
  return OK;
}

bool cdag_param_given(const cdag *g, int param) { return g->priv && g->priv->given && g->priv->given[param]; }

status cdag_assign(cdag *g, const char *assign, diag *d)
{
  g->priv->given = MEM_NEW(bool, (size_t)g->params);
  g->priv->table_file = MEM_NEW(char *, (size_t)g->tables);
  int64_t *value = MEM_NEW(int64_t, (size_t)g->params);
  char *list = mem_text(assign), *items = text_trim(list);
  g->param_value = value;
  status st = *items ? assign_all(g, items, d) : OK;
  mem_free(list);
  for (int i = 0; i < g->params && st == OK; i++) {
    if (!g->priv->given[i])
      st = fill_default(g, value, i, d);
    value[i] = g->param[i].value;
  }
  return st;
}
