/* common.c -- the game, the schedule and the best bound, as the command line gives them. */
#include "cli/common.h"
#include "base/mem.h"
#include <stdio.h>
#include <string.h>

static const char *const variants[] = { "placing", "sliding", "partial" };

const char *cli_variant_name(pebble_variant v) { return variants[v]; }

status cli_variant(const cli_args *a, pebble_rules *rules, diag *d)
{
  const char *word = a->value[CLI_RULES] ? a->value[CLI_RULES] : variants[0];
  rules->one_shot = a->value[CLI_ONE_SHOT] != NULL;
  for (int i = 0; i < 3; i++)
    if (strcmp(word, variants[i]) == 0) {
      rules->variant = (pebble_variant)i;
      return OK;
    }
  return diag_set(d, BAD_USAGE, "usage", "--rules is placing, sliding or partial, not '%s'", word);
}

status cli_rules(const cli_args *a, pebble_rules *rules, diag *d)
{
  status st = cli_memory(a, &rules->m, d);
  return st == OK ? cli_variant(a, rules, d) : st;
}

char *cli_schedule_spec(const cli_args *a, const char *sched)
{
  text spec = { 0 };
  text_add(&spec, sched);
  bool assigned = schedule_spec_assigns(sched);
  for (int i = 0; i < a->times[CLI_PARAM]; i++) {
    text_add(&spec, assigned ? "," : ":");
    text_add(&spec, a->repeated[CLI_PARAM][i]);
    assigned = true;
  }
  return spec.s ? spec.s : mem_text("");
}

/* -p a is no setting: say so before it is glued to the name. */
static status check_settings(const cli_args *a, diag *d)
{
  for (int i = 0; i < a->times[CLI_PARAM]; i++)
    if (!strchr(a->repeated[CLI_PARAM][i], '=') || a->repeated[CLI_PARAM][i][0] == '=')
      return diag_set(d, BAD_USAGE, "parameter", "a parameter is given as NAME=VALUE, not '%s'", a->repeated[CLI_PARAM][i]);
  return OK;
}

static status fill_parameters(schedule *s, const pebble_rules *rules, diag *d)
{
  int unset = schedule_unset(s);
  if (unset < 0)
    return OK;
  (void)rules;
  return diag_set(d, BAD_USAGE, "parameter", "parameter %s of the schedule has no value: give -p %s=N, or -p %s=auto", s->param[unset].name,
                  s->param[unset].name, s->param[unset].name);
}

status cli_schedule(const cli_args *a, const cdag *g, const pebble_rules *rules, const char *sched, schedule **s, diag *d)
{
  *s = NULL;
  status st = check_settings(a, d);
  if (st != OK)
    return st;
  char *spec = cli_schedule_spec(a, sched);
  st = schedule_open(s, g, rules->m, spec, d);
  mem_free(spec);
  if (st == OK)
    st = fill_parameters(*s, rules, d);
  if (st != OK) {
    schedule_free(*s);
    *s = NULL;
  }
  return st;
}

status cli_best_bound(const cdag *g, const pebble_rules *rules, double seconds, cli_bound *b, bool *found, diag *d)
{
  bound_question q = { .g = g, .m = rules->m, .one_shot = rules->one_shot, .variant = (int)rules->variant, .seconds = seconds };
  bound_list list = { 0 };
  int best = -1;
  mpz_init(b->value);
  status st = bound_all(&q, &list, &best, d);
  *found = st == OK && best >= 0;
  if (*found) {
    mpz_set(b->value, list.item[best].value);
    snprintf(b->name, sizeof b->name, "%s", list.item[best].name);
    b->trust = list.item[best].trust;
  }
  bound_list_clear(&list);
  return st;
}

void cli_bound_clear(cli_bound *b) { mpz_clear(b->value); }
