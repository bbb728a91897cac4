/* verb_verify.c -- play a schedule, judge it, compare it with the best bound. */
#include "base/json.h"
#include "base/mem.h"
#include "cli/common.h"
#include "cli/digits.h"
#include "cli/on_chip.h"
#include "cli/referee.h"
#include "report/contradiction.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef enum { ELEMENT, TILE, BOTH } engines;

typedef struct {
  cdag *g;
  schedule *s;                 /* or a list of moves, played as it is read */
  schedule_reader *list;
  const char *file;            /* as the verdict calls the text */
  pebble_rules rules;
  engines engine;
  schedule_verdict v;
  bool disagree;               /* --engine both */
  bool bounded;
  cli_bound bound;
  double ratio;                /* io / bound, when bounded */
  double within;               /* 0: not asked */
} verification;

static void verification_clear(verification *x)
{
  schedule_verdict_clear(&x->v);
  schedule_free(x->s);
  schedule_reader_free(x->list);
  cdag_free(x->g);
}

/* ---- reading the command line ---- */

static status read_engine(const cli_args *a, const cdag *g, bool partial, engines *engine, diag *d)
{
  static const char *const words[] = { "element", "tile", "both" };
  const char *word = a->value[CLI_ENGINE];
  *engine = g->graph || partial ? ELEMENT : TILE;
  if (!word)
    return OK;
  bool by_element_only = *engine == ELEMENT;
  for (int i = 0; i < 3; i++)
    if (strcmp(word, words[i]) == 0) {
      *engine = (engines)i;
      if (by_element_only && *engine == TILE)
        return diag_set(d, BAD_USAGE, "usage", "%s has no boxes to play by: --engine is element or both",
                        g->graph ? "an explicit graph" : "the partial game");
      return OK;
    }
  return diag_set(d, BAD_USAGE, "usage", "--engine is element, tile or both, not '%s'", word);
}

static status read_within(const cli_args *a, double *within, diag *d)
{
  const char *word = a->value[CLI_WITHIN];
  if (!word)
    return OK;
  char *end;
  *within = strtod(word, &end);
  if (end == word || *end || !(*within > 0) || *within > 1e18)
    return diag_set(d, BAD_USAGE, "usage", "--within needs a positive number such as 1.1, not '%s'", word);
  return OK;
}

static status read_all(const cli_args *a, verification *x, diag *d)
{
  status st = cli_rules(a, &x->rules, d);
  if (st == OK)
    st = read_within(a, &x->within, d);
  if (st == OK && strcmp(a->argument[0], "-") == 0 && strcmp(a->argument[1], "-") == 0)
    st = diag_set(d, BAD_USAGE, "usage", "standard input cannot be both the computation and the schedule");
  if (st == OK)
    st = cdag_open(&x->g, a->argument[0], d);
  if (st == OK)
    st = read_engine(a, x->g, x->rules.variant == PEBBLE_PARTIAL, &x->engine, d);
  if (st == OK && x->engine == BOTH) /* a list would have to be read twice */
    st = cli_schedule(a, x->g, &x->rules, a->argument[1], &x->s, d);
  else if (st == OK)
    st = cli_schedule_or_list(a, x->g, &x->rules, a->argument[1], &x->s, &x->list, d);
  if (st == OK && x->list && !a->value[CLI_ENGINE])
    x->engine = ELEMENT; /* moves of single elements, mostly */
  if (st == OK)
    x->file = x->s ? x->s->file : strcmp(a->argument[1], "-") == 0 ? "stdin" : a->argument[1];
  return st;
}

/* ---- progress ---- */

typedef struct { struct timespec from, last; bool shown; } clock_face;

static double seconds_between(const struct timespec *a, const struct timespec *b)
{
  return (double)(b->tv_sec - a->tv_sec) + 1e-9 * (double)(b->tv_nsec - a->tv_nsec);
}

/* Only after a second, and then five times a second at most. */
static void show_progress(void *context, double share)
{
  clock_face *c = context;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  if (seconds_between(&c->from, &now) < 1 || seconds_between(&c->last, &now) < 0.2)
    return;
  fprintf(stderr, "\rplaying: %5.1f %%", 100 * share);
  c->last = now;
  c->shown = true;
}

/* ---- playing ---- */

static status play(const cli_args *a, const verification *x, pebble_engine engine, schedule_verdict *v, diag *d)
{
  clock_face face = { 0 };
  schedule_play_options o = {
    .rules = x->rules, .engine = engine, .fast_forward = !a->value[CLI_PLAIN], .want_smallest = true
  };
  clock_gettime(CLOCK_MONOTONIC_COARSE, &face.from);
  if (isatty(STDERR_FILENO) && !a->value[CLI_QUIET]) {
    o.progress = show_progress;
    o.progress_context = &face;
  }
  status st = x->list ? schedule_play_list(x->list, x->g, &o, v, d) : schedule_play(x->s, &o, v, d);
  if (face.shown)
    fprintf(stderr, "\r                  \r");
  return st;
}

static bool same_element(const verification *x, const cdag_element *a, const cdag_element *b)
{
  return a->array == b->array && memcmp(a->x, b->x, sizeof *a->x * (size_t)x->g->array[a->array].rank) == 0;
}

static bool same_traffic(const schedule_verdict *v, const schedule_verdict *w)
{
  for (int i = 0; i < v->arrays; i++)
    if (v->loads_by_array[i] != w->loads_by_array[i] || v->stores_by_array[i] != w->stores_by_array[i])
      return false;
  return true;
}

static bool same_verdict(const verification *x, const schedule_verdict *v, const schedule_verdict *w)
{
  const pebble_verdict *a = &v->verdict, *b = &w->verdict;
  bool counts = a->legal == b->legal && a->loads == b->loads && a->stores == b->stores && a->computes == b->computes &&
                a->peak == b->peak && a->rule == b->rule && v->line == w->line && v->column == w->column &&
                v->has_smallest == w->has_smallest && v->smallest_memory == w->smallest_memory && same_traffic(v, w);
  if (!counts || a->legal || a->rule == PEBBLE_VALUE)
    return counts;
  return same_element(x, &a->element, &b->element) && a->needed == b->needed && a->has_missing == b->has_missing &&
         (!a->has_missing || same_element(x, &a->missing, &b->missing));
}

static status play_all(const cli_args *a, verification *x, diag *d)
{
  bool no_boxes = x->g->graph || x->rules.variant == PEBBLE_PARTIAL, agree = true;
  status st = play(a, x, no_boxes || x->engine == ELEMENT ? PEBBLE_BY_ELEMENT : PEBBLE_BY_TILE, &x->v, d);
  if (st != OK || x->engine != BOTH)
    return st;
  if (no_boxes) {
    st = cli_referee(x->s, &x->rules, &x->v.verdict, &agree, d);
    x->disagree = !agree;
    return st;
  }
  schedule_verdict w = { 0 };
  st = play(a, x, PEBBLE_BY_ELEMENT, &w, d);
  x->disagree = st == OK && !same_verdict(x, &x->v, &w);
  schedule_verdict_clear(&w);
  return st;
}

static num_count io_of(const verification *x) { return pebble_io(&x->v.verdict); }

static status compare(verification *x, diag *d)
{
  status st = cli_best_bound(x->g, &x->rules, 0, &x->bound, &x->bounded, d);
  double least = mpz_get_d(x->bound.value);
  if (st == OK && x->bounded && x->v.verdict.legal)
    st = report_not_below(x->s && x->s->name[0] ? x->s->name : x->file, io_of(x), x->bound.value, x->bound.name, d);
  x->ratio = least > 0 ? (double)io_of(x) / least : io_of(x) == 0 ? 1 : HUGE_VAL;
  return st;
}

/* ---- printing ---- */

static void put_element(json *j, const char *key, const verification *x, const cdag_element *e)
{
  SCOPED_TEXT t = { 0 };
  cdag_element_print(&t, x->g, e);
  json_put_string(j, key, text_str(&t));
}

static void put_error(json *j, const verification *x)
{
  const pebble_verdict *v = &x->v.verdict;
  bool placed = v->rule != PEBBLE_OUTPUT;
  json_key(j, "error");
  if (v->legal) {
    json_raw(j, "null");
    return;
  }
  json_open(j, '{');
  json_put_string(j, "file", x->file);
  if (placed) {
    json_put_int(j, "line", x->v.line);
    json_put_int(j, "column", x->v.column);
  } else {
    json_put_string(j, "line", NULL);
    json_put_string(j, "column", NULL);
  }
  json_put_string(j, "loops", text_str(&x->v.loops));
  if (v->rule == PEBBLE_VALUE)
    json_put_string(j, "element", NULL);
  else
    put_element(j, "element", x, &v->element);
  json_put_string(j, "rule", pebble_rule_name(v->rule));
  if (v->has_missing)
    put_element(j, "missing", x, &v->missing);
  else
    json_put_string(j, "missing", NULL);
  if (v->rule == PEBBLE_MEMORY) {
    json_put_uint(j, "needed", v->needed);
    json_put_uint(j, "memory", x->rules.m);
  }
  if (v->rule == PEBBLE_VALUE)
    json_put_string(j, "message", x->v.why);
  json_close(j, '}');
}

static void put_bound(json *j, const verification *x)
{
  json_key(j, "lower_bound");
  if (!x->bounded) {
    json_raw(j, "null");
    json_put_string(j, "ratio", NULL);
    return;
  }
  json_open(j, '{');
  json_put_big(j, "value", x->bound.value);
  json_put_string(j, "name", x->bound.name);
  json_put_string(j, "trust", bound_trust_name(x->bound.trust));
  json_close(j, '}');
  if (x->v.verdict.legal && isfinite(x->ratio))
    json_put_real(j, "ratio", x->ratio);
  else
    json_put_string(j, "ratio", NULL);
}

static void put_arrays(json *j, const verification *x)
{
  json_put_open(j, "arrays", '[');
  for (int i = 0; i < x->g->arrays; i++) {
    json_open(j, '{');
    json_put_string(j, "name", x->g->array[i].name);
    json_put_uint(j, "loads", x->v.loads_by_array[i]);
    json_put_uint(j, "stores", x->v.stores_by_array[i]);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static const char *engine_name(const verification *x)
{
  return x->engine == BOTH ? "both" : x->engine == TILE ? "tile" : "element";
}

static void print_json(const cli_args *a, const verification *x)
{
  const pebble_verdict *v = &x->v.verdict;
  json j = { 0 };
  json_open(&j, '{');
  json_put_bool(&j, "legal", v->legal);
  json_put_uint(&j, "loads", v->loads);
  json_put_uint(&j, "stores", v->stores);
  json_put_uint(&j, "io", io_of(x));
  json_put_uint(&j, "peak", v->peak);
  json_put_uint(&j, "computes", v->computes);
  put_error(&j, x);
  json_key(&j, "smallest_memory");
  if (x->v.has_smallest)
    json_uint(&j, x->v.smallest_memory);
  else
    json_raw(&j, "null");
  put_bound(&j, x);
  put_arrays(&j, x);
  json_key(&j, "params");
  schedule_put_setting(x->s, &j);
  json_put_uint(&j, "memory", x->rules.m);
  json_put_string(&j, "rules", cli_variant_name(x->rules.variant));
  json_put_bool(&j, "one_shot", x->rules.one_shot || x->rules.variant == PEBBLE_PARTIAL);
  json_put_string(&j, "engine", engine_name(x));
  json_put_uint(&j, "inferred", x->v.inferred);
  if (x->engine == BOTH)
    json_put_bool(&j, "engines_agree", !x->disagree);
  cli_json_asked(&j, a, &x->rules.m);
  cli_json_end(&j, "played");
}

/* "illegal: attenio.sched:7:10: compute of S[0,0,0] breaks rule memory: 12 pebbles are needed, M is 11; at I=0..4, j=0"
 */
static void print_reason(const verification *x)
{
  const pebble_verdict *v = &x->v.verdict;
  SCOPED_TEXT t = { 0 };
  text_printf(&t, "illegal    %s", x->file);
  if (v->rule != PEBBLE_OUTPUT)
    text_printf(&t, ":%d:%d", x->v.line, x->v.column);
  text_printf(&t, ": rule '%s'", pebble_rule_name(v->rule));
  if (v->rule == PEBBLE_VALUE)
    text_printf(&t, ": %s", x->v.why);
  else {
    text_add(&t, v->rule == PEBBLE_OUTPUT ? ": not blue at the end: " : " broken at ");
    cdag_element_print(&t, x->g, &v->element);
  }
  if (v->has_missing) {
    text_add(&t, "; not red: ");
    cdag_element_print(&t, x->g, &v->missing);
  }
  if (v->rule == PEBBLE_MEMORY)
    text_printf(&t, "; %" PRIu64 " pebbles needed, M = %" PRIu64, v->needed, x->rules.m);
  if (x->v.loops.n)
    text_printf(&t, "; in the iteration %s", text_str(&x->v.loops));
  puts(text_str(&t));
  if (x->v.has_smallest)
    printf("would do   M = %" PRIu64 " is the least with which these moves are legal\n", x->v.smallest_memory);
}

static void print_on_chip(const verification *x)
{
  SCOPED_TEXT held = { 0 };
  if (x->s && x->v.verdict.rule == PEBBLE_MEMORY && cli_on_chip(x->s, &x->rules, x->v.verdict.moves, &held))
    printf("on chip    %s, at that moment\n", held.s);
}

static void print_arrays(const verification *x, bool grouped)
{
  for (int i = 0; i < x->g->arrays; i++)
    if (x->v.loads_by_array[i] || x->v.stores_by_array[i])
      printf("  %-8s %12s loads %12s stores\n", x->g->array[i].name,
             cli_digits(grouped, x->v.loads_by_array[i]).s, cli_digits(grouped, x->v.stores_by_array[i]).s);
}

static void print_text(const verification *x, bool grouped)
{
  const pebble_verdict *v = &x->v.verdict;
  if (v->legal)
    printf("legal      %s on %s, M = %" PRIu64 "\n", x->s && x->s->name[0] ? x->s->name : x->file, x->g->name,
           x->rules.m);
  else
    print_reason(x), print_on_chip(x);
  for (int i = 0; x->s && i < x->s->params; i++)
    printf("parameter  %s = %" PRId64 "\n", x->s->param[i].name, x->s->param[i].value);
  printf("I/O        %s%s\n", cli_traffic(grouped, io_of(x), v->loads, v->stores).s,
         v->legal ? "" : ", before that move");
  print_arrays(x, grouped);
  printf("peak       %" PRIu64 " red pebbles\ncomputes   %s\n", v->peak, cli_digits(grouped, v->computes).s);
  if (x->v.inferred)
    printf("inferred   %s loop iterations were not played: they repeat the iterations before them, shifted\n",
           cli_digits(grouped, x->v.inferred).s);
  if (!x->bounded)
    return;
  SCOPED_TEXT value = { 0 };
  cli_add_big(&value, grouped, x->bound.value);
  printf("bound      %s (%s, %s)", text_str(&value), x->bound.name, bound_trust_name(x->bound.trust));
  if (v->legal && isfinite(x->ratio))
    printf("; ratio %.4f", x->ratio);
  puts("");
}

/* ---- the verb ---- */

static cli_exit answer(const cli_args *a, const verification *x)
{
  if (a->json)
    print_json(a, x);
  else
    print_text(x, cli_groups(a));
  if (x->disagree)
    fprintf(stderr, "redblue: the two engines disagree on this schedule: please report it\n");
  bool near = x->within == 0 || (x->bounded && x->ratio <= x->within);
  if (x->v.verdict.legal && !near)
    fprintf(stderr, "redblue: the I/O is not within %g times the best proved bound\n", x->within);
  return x->disagree ? EXIT_CONTRADICTION : x->v.verdict.legal && near ? EXIT_YES : EXIT_NO;
}

static cli_exit run(const cli_args *a)
{
  verification x = { 0 };
  diag d = { 0 };
  status st = read_all(a, &x, &d);
  if (st == OK)
    st = play_all(a, &x, &d);
  cli_exit code;
  if (st == OK) {
    st = compare(&x, &d);
    code = st == OK ? answer(a, &x) : cli_fail(a, st, &d);
    cli_bound_clear(&x.bound);
  } else
    code = cli_fail(a, st, &d);
  verification_clear(&x);
  return code;
}

static const cli_option_id options[] = { CLI_M, CLI_MEMORY, CLI_WORD, CLI_RULES, CLI_ONE_SHOT, CLI_PARAM, CLI_ENGINE,
                                         CLI_PLAIN, CLI_WITHIN, CLI_GROUP, CLI_OPTIONS };

const cli_verb cli_verb_verify = {
  .name = "verify",
  .arguments = "SPEC SCHED",
  .least = 2,
  .most = 2,
  .summary = "play a schedule, judge it, compare it with the best bound",
  .description =
      "Plays the schedule move by move under M red pebbles. SCHED is a file, - for standard input, a schedule of "
      "the library\n"
      "(`redblue schedules`), or `found`, the one that redblue tune finds; parameters go after a colon or by -p.\n\n"
      "A legal schedule is answered with its loads, stores, peak and the distance to the best proved lower bound; an "
      "illegal one\n"
      "with the place, the element, the rule that is broken and what was missing, and exit code 1.\n\n"
      "Boxes are judged as wholes, and iterations of a loop that repeat the iterations before them, shifted, are "
      "inferred, not played; --plain\n"
      "plays every iteration. --engine both plays it twice, by boxes and element by element (what has no boxes, a "
      "graph or the partial\n"
      "game, by the engine and by the plain referee), and compares. --within R says no when I/O exceeds R times\n"
      "the best proved bound.",
  .examples = "$ redblue verify attention:n=8,d=2 attenio -M 40\n$ redblue verify attention:n=8,d=2 attenio -M 40 -p "
              "a=2 --json",
  .options = options,
  .run = run,
};
