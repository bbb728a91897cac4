/* api.c -- strings in, JSON out: see api.h. */
#include "report/api.h"
#include "base/json.h"
#include "base/mem.h"
#include "bounds/bound.h"
#include "report/contradiction.h"
#include "schedules/schedule.h"
#include <locale.h>
#include <math.h>
#include <string.h>

enum { YES, NO, USAGE, INPUT, LIMIT, INTERNAL };

typedef struct {
  cdag *g;
  schedule *s;                 /* or */
  schedule_reader *list;
  pebble_rules rules;
  diag d;
  json j;
  locale_t plain, hosts;       /* numbers are written and read as in C, whatever the host's locale */
} call;

static void begin(call *c)
{
  *c = (call){ .plain = newlocale(LC_ALL_MASK, "C", (locale_t)0) };
  c->hosts = c->plain ? uselocale(c->plain) : (locale_t)0;
}

static void end(call *c)
{
  if (!c->plain)
    return;
  uselocale(c->hosts);
  freelocale(c->plain);
}

static bool is_text(const char *s) { return strchr(s, '\n') != NULL; }

/* ---- reading ---- */

static status read_game(call *c, const char *game)
{
  static const char *const words[] = { "placing", "sliding", "partial", "one-shot" };
  for (const char *at = game ? game : ""; *at; at += strspn(at, " ")) {
    size_t n = strcspn(at, " ");
    int w = 0;
    while (w < 4 && (strlen(words[w]) != n || memcmp(words[w], at, n) != 0))
      w++;
    if (w == 4)
      return diag_set(&c->d, BAD_USAGE, "usage", "a game is placing, sliding or partial, and one-shot; not '%.40s'",
                      at);
    if (w == 3)
      c->rules.one_shot = true;
    else
      c->rules.variant = (pebble_variant)w;
    at += n;
  }
  return OK;
}

static status read_computation(call *c, const char *computation, uint64_t m, const char *game)
{
  c->rules.m = m;
  if (m == 0 || m > INT64_MAX)
    return diag_set(&c->d, BAD_USAGE, "usage", "M is the number of red pebbles, from 1 to 2^63 - 1");
  status st = read_game(c, game);
  if (st != OK)
    return st;
  return is_text(computation) ? cdag_parse(&c->g, "computation", computation, "", &c->d)
                              : cdag_open(&c->g, computation, &c->d);
}

static status tune_unset(call *c)
{
  int unset = schedule_unset(c->s);
  schedule_tuning t = { 0 };
  if (unset < 0)
    return OK;
  if (!c->s->param[unset].automatic && !c->s->param[unset].fallback)
    return diag_set(&c->d, BAD_USAGE, "parameter", "parameter %s of the schedule has no value",
                    c->s->param[unset].name);
  status st = schedule_tune(c->s, &c->rules, &t, &c->d);
  schedule_tuning_clear(&t);
  return st;
}

/* A file that holds a list of moves is played as it is read, never held. */
static status open_list(call *c, const char *sched)
{
  const char *assign;
  char *name = schedule_spec_name(sched, &assign);
  bool file = !*assign && strcmp(name, "-") != 0 && schedule_is_file(c->g, name);
  status st = file ? schedule_reader_new(&c->list, name, &c->d) : OK;
  if (st == OK && c->list && !schedule_reader_is_list(c->list)) {
    schedule_reader_free(c->list);
    c->list = NULL;
  }
  mem_free(name);
  return st;
}

static status read_schedule(call *c, const char *sched, uint64_t m)
{
  if (is_text(sched))
    return schedule_parse(&c->s, c->g, m, "schedule", sched, "", &c->d);
  status st = open_list(c, sched);
  return st == OK && !c->list ? schedule_open(&c->s, c->g, m, sched, &c->d) : st;
}

static status read_both(call *c, const char *computation, const char *sched, uint64_t m, const char *game)
{
  status st = read_computation(c, computation, m, game);
  if (st == OK)
    st = read_schedule(c, sched, m);
  return st == OK && c->s ? tune_unset(c) : st;
}

/* ---- answering ---- */

static int exit_of(status st)
{
  switch (st) {
  case OK: return YES;
  case BAD_USAGE: return USAGE;
  case GAVE_UP: return LIMIT;
  case CONTRADICTION: return INTERNAL;
  default: return INPUT;
  }
}

static void put_failure(json *j, const diag *d)
{
  json_clear(j);
  json_open(j, '{');
  json_put_error(j, d);
  json_close(j, '}');
}

/* What every answer names: computation and schedule (NULL: none) as they were given, M, version. */
static void open_answer(call *c, const char *computation, const char *sched)
{
  json_open(&c->j, '{');
  json_put_string(&c->j, "computation", computation);
  json_put_string(&c->j, "schedule", sched);
  json_put_uint(&c->j, "M", c->rules.m);
  json_put_string(&c->j, "version", REDBLUE_VERSION);
}

/* code holds when st is OK. */
static int finish(call *c, status st, int code, char **answer)
{
  if (st != OK)
    put_failure(&c->j, &c->d);
  *answer = mem_text(text_str(&c->j.out));
  json_clear(&c->j);
  schedule_free(c->s);
  schedule_reader_free(c->list);
  cdag_free(c->g);
  end(c);
  return st == OK ? code : exit_of(st);
}

static void put_io(json *j, num_count loads, num_count stores, uint64_t peak, num_count computes)
{
  json_put_uint(j, "loads", loads);
  json_put_uint(j, "stores", stores);
  json_put_uint(j, "io", num_plus(loads, stores));
  json_put_uint(j, "peak", peak);
  json_put_uint(j, "computes", computes);
}

static void put_record(json *j, const bound *b)
{
  json_put_string(j, "name", b->name);
  json_put_big(j, "value", b->value);
  json_put_string(j, "trust", bound_trust_name(b->trust));
}

static void put_best(json *j, const char *key, const bound_list *l, int best)
{
  json_key(j, key);
  if (best < 0) {
    json_raw(j, "null");
    return;
  }
  json_open(j, '{');
  put_record(j, &l->item[best]);
  json_close(j, '}');
}

int redblue_bound(const char *computation, uint64_t m, const char *game, char **answer)
{
  call c;
  begin(&c);
  bound_list l = { 0 };
  int best = -1;
  status st = read_computation(&c, computation, m, game);
  bound_question q = { .g = c.g, .m = m, .one_shot = c.rules.one_shot, .variant = (int)c.rules.variant };
  if (st == OK)
    st = bound_all(&q, &l, &best, &c.d);
  open_answer(&c, computation, NULL);
  json_key(&c.j, "bounds");
  json_open(&c.j, '[');
  for (size_t i = 0; st == OK && i < l.n; i++) {
    json_open(&c.j, '{');
    put_record(&c.j, &l.item[i]);
    json_put_bool(&c.j, "holds", bound_holds_in(&l.item[i], &q));
    json_put_string(&c.j, "source", l.item[i].source);
    json_close(&c.j, '}');
  }
  json_close(&c.j, ']');
  put_best(&c.j, "best", &l, best);
  json_close(&c.j, '}');
  bound_list_clear(&l);
  return finish(&c, st, YES, answer);
}

/* ---- verify ---- */

static void put_element(const call *c, json *j, const char *key, bool there, const cdag_element *e)
{
  SCOPED_TEXT t = { 0 };
  if (there)
    cdag_element_print(&t, c->g, e);
  json_put_string(j, key, there ? text_str(&t) : NULL);
}

static void put_error(const call *c, json *j, const schedule_verdict *v)
{
  json_key(j, "error");
  if (v->verdict.legal) {
    json_raw(j, "null");
    return;
  }
  json_open(j, '{');
  json_put_int(j, "line", v->line);
  json_put_int(j, "column", v->column);
  json_put_string(j, "loops", text_str(&v->loops));
  put_element(c, j, "element", v->verdict.rule != PEBBLE_VALUE, &v->verdict.element);
  json_put_string(j, "rule", pebble_rule_name(v->verdict.rule));
  put_element(c, j, "missing", v->verdict.has_missing, &v->verdict.missing);
  if (v->verdict.rule == PEBBLE_VALUE)
    json_put_string(j, "message", v->why);
  json_close(j, '}');
}

static void put_verdict(const call *c, json *j, const schedule_verdict *v, const bound_list *l, int best)
{
  const pebble_verdict *w = &v->verdict;
  double least = best >= 0 ? mpz_get_d(l->item[best].value) : 0;
  json_put_bool(j, "legal", w->legal);
  put_io(j, w->loads, w->stores, w->peak, w->computes);
  json_key(j, "params");
  schedule_put_setting(c->s, j);
  put_error(c, j, v);
  put_best(j, "lower_bound", l, best);
  json_key(j, "ratio");
  if (w->legal && least > 0)
    json_real(j, (double)pebble_io(w) / least);
  else
    json_raw(j, "null");
  json_close(j, '}');
}

int redblue_verify(const char *computation, const char *sched, uint64_t m, const char *game, char **answer)
{
  call c;
  begin(&c);
  bound_list l = { 0 };
  schedule_verdict v = { 0 };
  int best = -1;
  status st = read_both(&c, computation, sched, m, game);
  bool by_element = st == OK && (c.g->graph || c.rules.variant == PEBBLE_PARTIAL);
  schedule_play_options o = { .rules = c.rules,
                              .engine = by_element ? PEBBLE_BY_ELEMENT : PEBBLE_BY_TILE,
                              .fast_forward = true };
  bound_question q = { .g = c.g, .m = m, .one_shot = c.rules.one_shot, .variant = (int)c.rules.variant };
  if (st == OK)
    st = c.list ? schedule_play_list(c.list, c.g, &o, &v, &c.d) : schedule_play(c.s, &o, &v, &c.d);
  if (st == OK)
    st = bound_all(&q, &l, &best, &c.d);
  if (st == OK && v.verdict.legal && best >= 0)
    st = report_not_below("the schedule", pebble_io(&v.verdict), l.item[best].value, l.item[best].name, &c.d);
  if (st == OK)
    open_answer(&c, computation, sched), put_verdict(&c, &c.j, &v, &l, best);
  int code = v.verdict.legal ? YES : NO;
  schedule_verdict_clear(&v);
  bound_list_clear(&l);
  return finish(&c, st, code, answer);
}

/* ---- count ---- */

static status put_count(call *c, const char *computation, const char *sched, const schedule_counts *k)
{
  SCOPED_TEXT formula = { 0 }, holds = { 0 }, reason = { 0 };
  if (!k->countable)
    return diag_set(&c->d, BAD_INPUT, "value", "this cannot be counted without playing it: %s", k->reason);
  open_answer(c, computation, sched);
  put_io(&c->j, k->loads, k->stores, k->peak, k->computes);
  json_key(&c->j, "params");
  schedule_put_setting(c->s, &c->j);
  bool has = c->s && schedule_formula(c->s, &formula, &holds, &reason);
  json_put_string(&c->j, "formula", has ? text_str(&formula) : NULL);
  json_put_string(&c->j, "formula_holds", holds.n ? text_str(&holds) : NULL);
  json_close(&c->j, '}');
  return OK;
}

static status count_list(call *c, schedule_counts *k)
{
  schedule_verdict unused;
  status st = schedule_count_list(c->list, c->g, &c->rules, k, &unused, &c->d);
  schedule_verdict_clear(&unused);
  return st;
}

int redblue_count(const char *computation, const char *sched, uint64_t m, const char *game, char **answer)
{
  call c;
  begin(&c);
  schedule_counts k = { 0 };
  status st = read_both(&c, computation, sched, m, game);
  if (st == OK)
    st = c.list ? count_list(&c, &k) : schedule_count(c.s, &c.rules, &k, &c.d);
  if (st == OK)
    st = put_count(&c, computation, sched, &k);
  schedule_counts_clear(&k);
  return finish(&c, st, YES, answer);
}

void redblue_free(char *answer) { mem_free(answer); }
const char *redblue_version(void) { return REDBLUE_VERSION; }
