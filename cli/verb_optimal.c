/* verb_optimal.c -- the least I/O of any pebbling of a small graph, with a pebbling that attains it. */
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/certificate.h"
#include "bounds/graph/positions.h"
#include "cli/common.h"
#include "cli/digits.h"
#include "report/contradiction.h"
#include "cli/moves_file.h"
#include "pebble/optimal.h"
#include "schedules/any.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_VERTICES = 1 << 20 };     /* beyond, not even a first pebbling is tried */
static const double MOST_EXTRA_SECONDS = 5;

typedef struct {
  cdag *g;
  cdag_graph graph;
  pebble_rules rules;
  pebble_optimal_limits limits;
  pebble_optimum o;
  uint64_t loads, stores;             /* of the pebbling found */
  double extra_seconds;               /* for bounds, and again for schedules, should the search not finish */
  char lower_by[64];                  /* what proves o.lower: "search" or the name of a bound */
} problem;

static void problem_clear(problem *p)
{
  pebble_optimum_clear(&p->o);
  cdag_graph_clear(&p->graph);
  cdag_free(p->g);
}

/* ---- reading the command line ---- */

/* The hard limit of the program stays; the search keeps to three quarters of it. */
static void read_limit_memory(const cli_args *a, problem *p)
{
  int64_t bytes;
  if (a->value[CLI_LIMIT_MEMORY] && num_parse(a->value[CLI_LIMIT_MEMORY], &bytes)) {
    p->limits.bytes = (uint64_t)bytes - (uint64_t)bytes / 4;
    p->limits.go_on = true;
  }
}

/* A fifth of the time that reading has left is kept for what narrows the interval if the search cannot. */
static void share_time(problem *p)
{
  double seconds = cli_seconds_left();
  p->extra_seconds = fmin(MOST_EXTRA_SECONDS, seconds / 10);
  if (isfinite(seconds))
    p->limits.seconds = seconds - 2 * p->extra_seconds;
  cli_keeps_time();
}

static status read_all(const cli_args *a, problem *p, diag *d)
{
  status st = cli_rules(a, &p->rules, d);
  read_limit_memory(a, p);
  p->limits.list = a->value[CLI_CERTIFICATE];
  if (st == OK)
    st = cdag_open(&p->g, a->argument[0], d);
  if (st == OK)
    st = cdag_materialise(p->g, MOST_VERTICES, &p->graph, d);
  share_time(p);
  return st;
}

/* ---- progress ---- */

typedef struct {
  bool terminal, shown;
  uint64_t lower, upper;              /* as last shown */
} speaker;

/* On a terminal one line that changes; in a log a line whenever the interval has narrowed. */
static void show_progress(void *context, uint64_t lower, uint64_t upper, uint64_t states)
{
  speaker *s = context;
  if (s->terminal)
    fprintf(stderr, "\rbetween %" PRIu64 " and %" PRIu64 ", %" PRIu64 " positions ", lower, upper, states);
  else if (!s->shown || lower != s->lower || upper != s->upper)
    fprintf(stderr, "redblue: between %" PRIu64 " and %" PRIu64 ", %" PRIu64 " positions\n", lower, upper, states);
  s->shown = true;
  s->lower = lower;
  s->upper = upper;
}

static void count_moves(problem *p)
{
  p->loads = p->stores = 0;
  for (size_t i = 0; i < p->o.trace.n; i++) {
    p->loads += p->o.trace.step[i].kind == PEBBLE_LOAD;
    p->stores += p->o.trace.step[i].kind == PEBBLE_STORE;
  }
}

static status solve(const cli_args *a, problem *p, diag *d)
{
  speaker s = { .terminal = isatty(STDERR_FILENO) };
  if (!a->value[CLI_QUIET]) {
    p->limits.progress = show_progress;
    p->limits.context = &s;
  }
  clock_catch();
  status st = pebble_optimal(&p->graph, &p->rules, &p->limits, &p->o, d);
  clock_release();
  if (s.terminal && s.shown)
    fprintf(stderr, "\r%60s\r", "");
  count_moves(p);
  return st;
}

typedef struct {
  problem *p;
  diag *d;
  status st;
} theorems;

/* An unfinished search may know less than a theorem; if none applies, or one fails, its interval stands. */
static void ask_theorems(void *context)
{
  theorems *t = context;
  problem *p = t->p;
  cli_bound b;
  bool found;
  diag ignored = { 0 };
  bool known = cli_best_bound(p->g, &p->rules, p->extra_seconds, &b, &found, &ignored) == OK && found;
  t->st = known && p->o.possible ? report_not_below("the best play found", p->o.upper, b.value, b.name, t->d) : OK;
  if (known && mpz_cmp_ui(b.value, p->o.lower) > 0 && mpz_cmp_ui(b.value, p->o.upper) <= 0) {
    p->o.lower = mpz_get_ui(b.value);
    p->o.proved = p->o.lower == p->o.upper;
    memcpy(p->lower_by, b.name, sizeof p->lower_by);
  }
  cli_bound_clear(&b);
}

/* A schedule found by local search may be better than what the exact search has met; the referee has judged it. */
static void ask_schedules(void *context)
{
  problem *p = context;
  pebble_trace moves = { 0 };
  schedule_any_info info;
  diag d = { 0 };
  if (schedule_any(&p->graph, &p->rules, 1, p->extra_seconds, &moves, &info, &d) == OK && info.legal &&
      info.io < p->o.upper) {
    pebble_trace swap = p->o.trace;
    p->o.trace = moves;
    moves = swap;
    p->o.upper = info.io;
    p->o.proved = p->o.lower == p->o.upper;
    count_moves(p);
  }
  pebble_trace_clear(&moves);
}

static status answer(const cli_args *a, problem *p, diag *d)
{
  status st = solve(a, p, d);
  memcpy(p->lower_by, "search", sizeof "search");
  if (st != GAVE_UP)
    return st;
  if (clock_interrupted())
    return OK;
  theorems t = { .p = p, .d = d };
  mem_attempt(ask_schedules, p); /* what the search knows is an answer without them */
  mem_attempt(ask_theorems, &t);
  return t.st;
}

/* ---- printing ---- */

static bool one_shot(const problem *p) { return p->rules.one_shot || p->rules.variant == PEBBLE_PARTIAL; }

static void put_number(json *j, const char *key, bool known, uint64_t value)
{
  json_key(j, key);
  if (known)
    json_uint(j, value);
  else
    json_raw(j, "null");
}

/* side: what kept the moves from being written, or NULL. */
static void print_json(const cli_args *a, const problem *p, const diag *side)
{
  const pebble_optimum *o = &p->o;
  json j = { 0 };
  json_open(&j, '{');
  put_number(&j, "io", o->proved, o->upper);
  json_put_bool(&j, "proved", o->proved);
  json_put_bool(&j, "possible", o->possible);
  put_number(&j, "lower", o->possible, o->lower);
  put_number(&j, "upper", o->possible, o->upper);
  json_put_string(&j, "lower_by", o->possible ? p->lower_by : NULL);
  put_number(&j, "loads", o->possible, p->loads);
  put_number(&j, "stores", o->possible, p->stores);
  json_put_uint(&j, "states", o->states);
  json_put_uint(&j, "memory", p->rules.m);
  json_put_uint(&j, "needed", o->needed);
  json_put_string(&j, "rules", cli_variant_name(p->rules.variant));
  json_put_bool(&j, "one_shot", one_shot(p));
  json_put_string(&j, "model", one_shot(p) ? "one-shot" : "recomputation");
  if (side)
    json_put_error(&j, side);
  cli_json_asked(&j, a, &p->rules.m);
  cli_json_end(&j, o->proved ? "proved" : "bracketed");
}

static void print_impossible(const problem *p)
{
  static const char *const why[] = { "its largest in-degree and the vertex itself take", "its largest in-degree takes",
                                     "an edge takes" };
  printf("impossible no %s pebbling of %s exists with M = %" PRIu64 ": %s %" PRIu64 " red pebble%s\n",
         cli_variant_name(p->rules.variant), p->g->name, p->rules.m, why[p->rules.variant], p->o.needed,
         p->o.needed == 1 ? "" : "s");
}

static void print_text(const problem *p)
{
  const pebble_optimum *o = &p->o;
  if (!o->possible) {
    print_impossible(p);
    return;
  }
  if (o->proved)
    printf("optimum    %s\n", cli_traffic(false, o->upper, p->loads, p->stores).s);
  else
    printf("optimum    between %" PRIu64 " and %" PRIu64 "\n", o->lower, o->upper);
  if (strcmp(p->lower_by, "search") != 0)
    printf("bound      %" PRIu64 " is proved by %s\n", o->lower, p->lower_by);
  printf("game       %s on %s, M = %" PRIu64 ", %s, %s\n", cli_variant_name(p->rules.variant), p->g->name, p->rules.m,
         one_shot(p) ? "one-shot" : "recomputation allowed", o->proved ? "proved" : "not finished");
  printf("positions  %" PRIu64 "\n", o->states);
}

/* ---- the verb ---- */

static void print_answer(const cli_args *a, const problem *p, const diag *side)
{
  if (p->o.possible && (cli_prints(a, CLI_MOVES) || cli_prints(a, CLI_CERTIFICATE)))
    return;
  if (a->json)
    print_json(a, p, side);
  else
    print_text(p);
}

/* Why nothing costs less, looked through by the checker before it is written. */
static status write_certificate(const problem *p, const char *path, diag *d)
{
  bound_question q = { .g = p->g, .m = p->rules.m, .one_shot = p->rules.one_shot, .variant = (int)p->rules.variant };
  SCOPED_TEXT t = { 0 };
  bound b;
  if (!p->o.proved) /* the exit code says so */
    return OK;
  if (!p->o.list)
    return diag_set(d, GAVE_UP, "limit", "there is no certificate: not all of the optimum is proved by the search");
  bound_positions(&q, &p->o, &b);
  status st = bound_certify(&q, &b, &t, d);
  bound_clear(&b);
  return st == OK ? text_write(&t, path, d) : st;
}

static status write_files(const cli_args *a, const problem *p, diag *d)
{
  const char *moves = a->value[CLI_MOVES], *certificate = a->value[CLI_CERTIFICATE];
  status st = moves ? cli_write_moves(p->g, &p->o.trace, moves, d) : OK;
  return st == OK && certificate ? write_certificate(p, certificate, d) : st;
}

/* The answer is printed even when the moves could not be written: it may have taken hours. */
static cli_exit show(const cli_args *a, const problem *p)
{
  diag side = { 0 };
  status written = p->o.possible ? write_files(a, p, &side) : OK;
  print_answer(a, p, written == OK ? NULL : &side);
  if (p->o.possible && !p->o.proved)
    fprintf(stderr, "redblue: %s before the optimum was proved\n",
            clock_interrupted() ? "interrupted" : "a limit of time, memory or size was reached");
  if (written != OK)
    return cli_side_failed(&side);
  return !p->o.possible ? EXIT_NO : p->o.proved ? EXIT_YES : EXIT_GAVE_UP;
}

static cli_exit run(const cli_args *a)
{
  problem p = { 0 };
  diag d = { 0 };
  status st = read_all(a, &p, &d);
  if (st == OK)
    st = answer(a, &p, &d);
  cli_exit code = st == OK ? show(a, &p) : cli_fail(a, st, &d);
  problem_clear(&p);
  return code;
}

static const cli_option_id options[] = { CLI_M,     CLI_MEMORY,     CLI_WORD,         CLI_RULES,  CLI_ONE_SHOT,
                                         CLI_MOVES, CLI_CERTIFICATE, CLI_LIMIT_TIME, CLI_LIMIT_MEMORY, CLI_OPTIONS };

const cli_verb cli_verb_optimal = {
  .name = "optimal",
  .arguments = "SPEC",
  .least = 1,
  .most = 1,
  .summary = "the least I/O of any pebbling of a small graph, proved",
  .description =
      "Searches all pebblings, in normal forms that lose nothing, and plays the best one before it answers. The time "
      "grows\n"
      "exponentially with the graph: some thirty vertices with recomputation, some fifty with --one-shot.\n\n"
      "With --limit-memory the search goes on, slower, when so much is full; without, it ends at 2G of positions. When "
      "it ends there,\n"
      "or --limit-time is reached, the answer is the proved interval, its upper end attained by the pebbling of "
      "--moves,\nand exit code 4. --moves - prints the moves instead of the answer. --certificate "
      "writes why\n"
      "nothing costs less, for redblue check. Exit code 1: M is too small for any pebbling.",
  .examples =
      "$ redblue optimal fft:l=2 -M 5\n$ redblue optimal grid:r=3,c=3 -M 3 --one-shot --moves best.sched --json",
  .options = options,
  .run = run,
};
