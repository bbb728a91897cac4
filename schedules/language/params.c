/* params.c -- the values of a schedule's parameters: given, else the default, else left to the tuner. */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/language/parse.h"
#include <string.h>

/* ---- given on the command line ---- */

static status no_such_param(const schedule *s, const char *name, diag *d)
{
  const char **names = MEM_NEW(const char *, (size_t)s->params + 1);
  for (int i = 0; i < s->params; i++)
    names[i] = s->param[i].name;
  const char *near = diag_nearest(name, names, s->params);
  SCOPED_TEXT list = { 0 };
  for (int i = 0; i < s->params; i++)
    text_printf(&list, "%s%s", i ? ", " : "; it has ", names[i]);
  status st =
      diag_set(d, BAD_USAGE, "parameter", "the schedule %s has no parameter '%s'%s%s%s", s->name[0] ? s->name : s->file,
               name, near ? "; did you mean '" : text_str(&list), near ? near : "", near ? "'?" : "");
  mem_free(names);
  return st;
}

/* One "name=value"; the text is the caller's to cut. */
static status assign_one(schedule *s, char *setting, diag *d)
{
  char *equals = strchr(setting, '=');
  if (!equals)
    return diag_set(d, BAD_USAGE, "parameter", "a parameter is given as NAME=VALUE, not '%s'", setting);
  *equals = '\0';
  for (int i = 0; i < s->params; i++) {
    schedule_param *p = &s->param[i];
    if (strcmp(p->name, setting) != 0)
      continue;
    p->automatic = strcmp(equals + 1, "auto") == 0;
    p->given = !p->automatic;
    if (p->given && !num_parse(equals + 1, &p->value))
      return diag_set(d, BAD_USAGE, "parameter", "%s needs a whole number below 2^63 or auto, not '%s'", p->name,
                      equals + 1);
    return OK;
  }
  return no_such_param(s, setting, d);
}

static status assign_all(schedule *s, const char *assign, diag *d)
{
  char *copy = mem_text(assign), *rest = copy, *setting;
  status st = OK;
  while (st == OK && (setting = strsep(&rest, ",")))
    if (*setting)
      st = assign_one(s, setting, d);
  mem_free(copy);
  return st;
}

/* ---- defaults ---- */

static bool uses_unknown(const schedule *s, const expr *e)
{
  for (int i = 0; i < s->params; i++)
    if (!s->param[i].known && expr_uses(e, s->slot_param + i, s->slot_param + i + 1))
      return true;
  return false;
}

static status evaluate_default(const schedule *s, schedule_param *p, const int64_t *slot, diag *d)
{
  expr_env env = { slot, s->g->table };
  const char *why = NULL;
  expr_result r = expr_eval(p->fallback, &env, &p->value, &why);
  if (r == EXPR_OK)
    return OK;
  return diag_at(d, BAD_INPUT, "value", s->file, p->fallback->line, p->fallback->column,
                 "the default of %s has no value: %s", p->name,
                 r == EXPR_ABSENT ? "a table is read outside its bounds" : why);
}

/* Every parameter in its order: those that have a default see the ones before. */
static status evaluate_defaults(schedule *s, diag *d)
{
  SCOPED_MEM int64_t *slot = MEM_NEW(int64_t, (size_t)s->slots);
  status st = OK;
  schedule_fixed_slots(s, slot);
  for (int i = 0; i < s->params && st == OK; i++) {
    schedule_param *p = &s->param[i];
    p->known = p->given;
    if (!p->given && !p->automatic && p->fallback && !uses_unknown(s, p->fallback)) {
      st = evaluate_default(s, p, slot, d);
      p->known = st == OK;
    }
    slot[s->slot_param + i] = p->value;
  }
  return st;
}

status schedule_assign(schedule *s, const char *assign, diag *d)
{
  status st = assign ? assign_all(s, assign, d) : OK;
  return st == OK ? evaluate_defaults(s, d) : st;
}

status schedule_set(schedule *s, int param, int64_t value)
{
  s->param[param].given = true;
  s->param[param].value = value;
  return evaluate_defaults(s, NULL);
}

void schedule_put_setting(const schedule *s, json *j)
{
  json_open(j, '{');
  for (int i = 0; s && i < s->params; i++)
    json_put_int(j, s->param[i].name, s->param[i].value);
  json_close(j, '}');
}

int schedule_unset(const schedule *s)
{
  for (int i = 0; i < s->params; i++)
    if (!s->param[i].known && (s->param[i].automatic || !s->param[i].fallback))
      return i;
  return -1;
}

void schedule_fixed_slots(const schedule *s, int64_t *slot)
{
  for (int i = 0; i < s->g->params; i++)
    slot[i] = s->g->param[i].value;
  slot[s->slot_m] = (int64_t)s->m;
  for (int i = 0; i < s->params; i++)
    slot[s->slot_param + i] = s->param[i].value;
}
