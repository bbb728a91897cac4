/* common.c -- the game, the schedule and the best bound, as the command line gives them. */
#include "cli/common.h"
#include "schedules/tiler/find.h"
#include "base/mem.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const variants[] = { "placing", "sliding", "partial" };

const char *cli_variant_name(pebble_variant v) { return variants[v]; }

bool cli_prints(const cli_args *a, cli_option_id file) { return a->value[file] && strcmp(a->value[file], "-") == 0; }

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

/* SCHED with every -p NAME=VALUE put after it, as schedule_open reads it; to be freed. */
static char *schedule_spec(const cli_args *a, const char *sched)
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

void cli_json_asked(json *j, const cli_args *a, const uint64_t *m)
{
  char *sched = a->n > 1 ? schedule_spec(a, a->argument[1]) : NULL;
  json_put_string(j, "computation", a->argument[0]);
  json_put_string(j, "schedule", sched);
  json_key(j, "M");
  if (m)
    json_uint(j, *m);
  else
    json_raw(j, "null");
  mem_free(sched);
}

/* -p a is no setting: say so before it is glued to the name. */
static status check_settings(const cli_args *a, diag *d)
{
  for (int i = 0; i < a->times[CLI_PARAM]; i++)
    if (!strchr(a->repeated[CLI_PARAM][i], '=') || a->repeated[CLI_PARAM][i][0] == '=')
      return diag_set(d, BAD_USAGE, "parameter", "a parameter is given as NAME=VALUE, not '%s'",
                      a->repeated[CLI_PARAM][i]);
  return OK;
}

/* No setting is legal: the verb shall answer for the least one, and so say why it is not. */
static status set_least(schedule *s, const diag *d)
{
  status st = OK;
  fprintf(stderr, "redblue: %s; it is answered for the least\n", d->message);
  for (int i; st == OK && (i = schedule_unset(s)) >= 0;)
    st = schedule_set(s, i, 1);
  return st;
}

static status fill_parameters(schedule *s, const pebble_rules *rules, diag *d)
{
  int unset = schedule_unset(s);
  if (unset < 0)
    return OK;
  for (int i = 0; i < s->params; i++)
    if (!s->param[i].known && !s->param[i].automatic && !s->param[i].fallback)
      return diag_set(d, BAD_USAGE, "parameter",
                      "parameter %s of the schedule has no value: give -p %s=N, or -p %s=auto", s->param[i].name,
                      s->param[i].name, s->param[i].name);
  schedule_tuning t = { 0 };
  status st = schedule_tune(s, rules, &t, d);
  schedule_tuning_clear(&t);
  return t.none ? set_least(s, d) : st;
}

/* Tune what is `auto`; nothing may be left without a value. */
static status finish_schedule(const pebble_rules *rules, schedule **s, status st, diag *d)
{
  if (st == OK)
    st = fill_parameters(*s, rules, d);
  if (st != OK) {
    schedule_free(*s);
    *s = NULL;
  }
  return st;
}

status cli_schedule_open(const cli_args *a, const cdag *g, const pebble_rules *rules, const char *sched, schedule **s,
                         diag *d)
{
  *s = NULL;
  status st = check_settings(a, d);
  if (st != OK)
    return st;
  char *spec = schedule_spec(a, sched);
  st = schedule_open_or_find(s, g, rules, spec, d);
  mem_free(spec);
  return st;
}

status cli_schedule(const cli_args *a, const cdag *g, const pebble_rules *rules, const char *sched, schedule **s,
                    diag *d)
{
  return finish_schedule(rules, s, cli_schedule_open(a, g, rules, sched, s, d), d);
}

/* A file that turned out to be a program. */
static status parse_file(const cdag *g, const pebble_rules *rules, schedule_reader *r, const char *name,
                         const char *assign, schedule **s, diag *d)
{
  SCOPED_TEXT source = { 0 };
  status st = schedule_reader_text(r, &source, d);
  if (st == OK)
    st = schedule_parse(s, g, rules->m, strcmp(name, "-") == 0 ? "stdin" : name, text_str(&source), assign, d);
  return finish_schedule(rules, s, st, d);
}

static status open_file(const cdag *g, const pebble_rules *rules, const char *name, const char *assign, schedule **s,
                        schedule_reader **list, diag *d)
{
  schedule_reader *r;
  status st = schedule_reader_new(&r, name, d);
  if (st != OK)
    return st;
  if (schedule_reader_is_list(r) && !*assign)
    *list = r;
  else {
    st = parse_file(g, rules, r, name, assign, s, d);
    schedule_reader_free(r);
  }
  return st;
}

status cli_schedule_or_list(const cli_args *a, const cdag *g, const pebble_rules *rules, const char *sched,
                            schedule **s, schedule_reader **list, diag *d)
{
  *s = NULL;
  *list = NULL;
  status st = check_settings(a, d);
  if (st != OK)
    return st;
  const char *assign;
  char *spec = schedule_spec(a, sched), *name = schedule_spec_name(spec, &assign);
  if (schedule_is_file(g, name))
    st = open_file(g, rules, name, assign, s, list, d);
  else
    st = finish_schedule(rules, s, schedule_open_or_find(s, g, rules, spec, d), d);
  mem_free(name);
  mem_free(spec);
  return st;
}

status cli_best_bound(const cdag *g, const pebble_rules *rules, double seconds, cli_bound *b, bool *found, diag *d)
{
  bound_question q = { .g = g,
                       .m = rules->m,
                       .one_shot = rules->one_shot,
                       .variant = (int)rules->variant,
                       .seconds = seconds,
                       .no_search = true };
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

status cli_picture(const cli_args *a, report_picture *how, diag *d)
{
  const char *name = a->value[CLI_FORMAT], *path = a->value[CLI_OUTPUT];
  *how = REPORT_SVG;
  if (name)
    return report_picture_find(name, how)
               ? OK
               : diag_set(d, BAD_USAGE, "usage", "--format is svg, pdf, png or tex, not '%s'", name);
  if (!path || strcmp(path, "-") == 0)
    return OK;
  const char *dot = strrchr(path, '.');
  if (dot && report_picture_find(dot + 1, how))
    return OK;
  return diag_set(d, BAD_USAGE, "usage",
                  "the file's ending says what to draw: .svg, .pdf, .png or .tex; or give --format");
}

status cli_width(const cli_args *a, double *width, diag *d)
{
  const char *given = a->value[CLI_WIDTH];
  char *end;
  *width = given ? strtod(given, &end) : 0;
  if (given && (end == given || *end || !(*width >= 150 && *width <= 4000)))
    return diag_set(d, BAD_USAGE, "usage",
                    "--width needs a number of points from 150 to 4000, such as 252 for a column, not '%s'", given);
  return OK;
}

void cli_json_best(json *j, const bound_list *list, int best)
{
  json_key(j, "best");
  if (best < 0) {
    json_raw(j, "null");
    return;
  }
  const bound *b = &list->item[best];
  json_open(j, '{');
  json_put_string(j, "name", b->name);
  json_put_big(j, "value", b->value);
  json_put_string(j, "trust", bound_trust_name(b->trust));
  json_close(j, '}');
}
