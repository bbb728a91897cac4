#include "cli/bound_schedules.h"
#include "base/json.h"
#include "base/mem.h"
#include <inttypes.h>
#include <string.h>
#include <time.h>

static void write_parameters(const schedule *s, cli_upper *u)
{
  json j = { 0 };
  json_open(&j, '{');
  for (int i = 0; i < s->params; i++) {
    json_put_int(&j, s->param[i].name, s->param[i].value);
    text_printf(&u->shown, "%s%s=%" PRId64, i ? ", " : "", s->param[i].name, s->param[i].value);
  }
  json_close(&j, '}');
  text_add(&u->params, text_str(&j.out));
  json_clear(&j);
}

/* Count it as it stands. */
static void count(const schedule *s, const pebble_rules *rules, cli_upper *u)
{
  schedule_counts c = { 0 };
  diag d = { 0 };
  if (schedule_count(s, rules, &c, &d) == OK && c.countable && c.peak <= rules->m) {
    u->fits = true;
    u->io = c.loads + c.stores;
    write_parameters(s, u);
  }
  schedule_counts_clear(&c);
}

/* The best setting of its parameters, and what it costs. */
static void tune(schedule *s, const pebble_rules *rules, cli_upper *u)
{
  schedule_tuning t = { 0 };
  diag d = { 0 };
  if (schedule_tune(s, rules, &t, &d) == OK && t.peak <= rules->m && (!u->fits || t.io < u->io)) {
    text_clear(&u->params);
    text_clear(&u->shown);
    u->fits = true;
    u->io = t.io;
    write_parameters(s, u);
  }
  schedule_tuning_clear(&t);
}

/* Tuning counts some hundreds of settings: left out when that would take longer than `seconds` of this processor. */
enum { SETTINGS = 300 };

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void consider(const cdag *g, const pebble_rules *rules, const char *name, double *seconds, cli_uppers *u)
{
  double start = now();
  schedule *s = NULL;
  diag d = { 0 };
  u->item = mem_room(u->item, u->n, &u->room, sizeof *u->item);
  cli_upper *item = &u->item[u->n++];
  *item = (cli_upper){ .name = name };
  if (schedule_open(&s, g, rules->m, name, &d) == OK) {
    if (schedule_unset(s) < 0)
      count(s, rules, item);
    if (s->params > 0 && (now() - start) * SETTINGS < *seconds)
      tune(s, rules, item);
  }
  schedule_free(s);
  *seconds -= now() - start;
}

void cli_uppers_find(const cdag *g, const pebble_rules *rules, double seconds, cli_uppers *u)
{
  const schedule_listing *list;
  int n = schedule_library(&list);
  *u = (cli_uppers){ 0 };
  for (int i = 0; i < n; i++)
    if (strcmp(list[i].family, g->name) == 0)
      consider(g, rules, list[i].name, &seconds, u);
}

void cli_uppers_clear(cli_uppers *u)
{
  for (size_t i = 0; i < u->n; i++) {
    text_clear(&u->item[i].params);
    text_clear(&u->item[i].shown);
  }
  mem_free(u->item);
  *u = (cli_uppers){ 0 };
}

const cli_upper *cli_uppers_best(const cli_uppers *u)
{
  const cli_upper *best = NULL;
  for (size_t i = 0; i < u->n; i++)
    if (u->item[i].fits && (!best || u->item[i].io < best->io))
      best = &u->item[i];
  return best;
}
