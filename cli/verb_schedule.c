/* verb_schedule.c -- a good schedule for any graph, found by heuristics and judged. */
#include "base/clock.h"
#include "base/json.h"
#include "base/num.h"
#include "cli/common.h"
#include "cli/digits.h"
#include "cli/moves_file.h"
#include "schedules/any.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VERTICES = 1 << 26 };

typedef struct {
  cdag *g;
  cdag_graph graph;
  pebble_rules rules;
  double seconds;
  int64_t seed;
  pebble_trace moves;
  schedule_any_info info;
} search;

static void search_clear(search *s)
{
  pebble_trace_clear(&s->moves);
  cdag_graph_clear(&s->graph);
  cdag_free(s->g);
}

static status read_all(const cli_args *a, search *s, diag *d)
{
  status st = cli_rules(a, &s->rules, d);
  if (st == OK)
    st = cli_integer(a, CLI_SEED, 0, 1, &s->seed, d);
  if (st == OK)
    st = cdag_open(&s->g, a->argument[0], d);
  if (st == OK)
    st = cdag_materialise(s->g, MOST_VERTICES, &s->graph, d);
  if (st == GAVE_UP && s->g && !s->g->graph) {
    size_t n = strlen(d->message);
    snprintf(d->message + n, sizeof d->message - n, "; redblue tune finds a schedule by the rules, whatever the size");
  }
  s->seconds = a->value[CLI_LIMIT_TIME] ? cli_seconds_left() : 0;
  cli_keeps_time();
  return st;
}

static bool one_shot(const search *s) { return s->rules.one_shot || s->rules.variant == PEBBLE_PARTIAL; }

static void put_found(json *j, const schedule_any_info *i)
{
  json_put_uint(j, "io", i->io);
  json_put_uint(j, "loads", i->loads);
  json_put_uint(j, "stores", i->stores);
  json_put_uint(j, "computes", i->computes);
  json_put_uint(j, "moves", i->moves);
  json_put_uint(j, "peak", i->peak);
  json_put_string(j, "order", i->order);
  json_put_string(j, "eviction", i->eviction);
  json_put_uint(j, "evaluations", i->evaluations);
  json_put_bool(j, "stopped", i->stopped);
}

static void put_nothing(json *j)
{
  static const char *const found[] = { "io", "loads", "stores", "computes", "moves", "peak", "order", "eviction" };
  for (size_t i = 0; i < sizeof found / sizeof *found; i++)
    json_put_string(j, found[i], NULL);
}

/* side: what kept the moves from being written, or NULL. */
static void print_json(const cli_args *a, const search *s, const diag *side)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_bool(&j, "legal", s->info.legal);
  if (s->info.legal)
    put_found(&j, &s->info);
  else
    put_nothing(&j);
  json_put_uint(&j, "needed", s->info.needed);
  json_put_uint(&j, "compulsory", s->info.compulsory);
  json_put_int(&j, "seed", s->seed);
  json_put_uint(&j, "memory", s->rules.m);
  json_put_string(&j, "rules", cli_variant_name(s->rules.variant));
  json_put_bool(&j, "one_shot", one_shot(s));
  if (side)
    json_put_error(&j, side);
  cli_json_asked(&j, a, &s->rules.m);
  cli_json_end(&j, "played");
}

static void print_text(const search *s)
{
  const schedule_any_info *i = &s->info;
  if (!i->legal) {
    printf("impossible no %s schedule of %s exists with M = %" PRIu64 ": it takes %" PRIu64 " red pebbles\n",
           cli_variant_name(s->rules.variant), s->g->name, s->rules.m, i->needed);
    return;
  }
  printf("I/O        %s (every schedule moves at least %" PRIu64 ")\n",
         cli_traffic(false, i->io, i->loads, i->stores).s, i->compulsory);
  printf("game       %s on %s, M = %" PRIu64 ", %s; peak %" PRIu64 "\n", cli_variant_name(s->rules.variant), s->g->name,
         s->rules.m, one_shot(s) ? "one-shot" : "recomputation allowed", i->peak);
  printf("order      %s\n", i->order);
  printf("eviction   %s\n", i->eviction);
  printf("seed       %" PRId64 "%s\n", s->seed,
         i->stopped ? "; stopped by the clock: another run may find something else" : "");
}

static status find(search *s, diag *d)
{
  double began = clock_seconds();
  clock_catch();
  status st = schedule_any(&s->graph, &s->rules, (uint64_t)s->seed, s->seconds, &s->moves, &s->info, d);
  clock_release();
  if (s->seconds > 0 && clock_seconds() - began > s->seconds + 1 && !clock_interrupted())
    fprintf(stderr, "redblue: the search took %.0f seconds: a few orders, the moves and their replay alone "
                    "take longer than the limit\n",
            clock_seconds() - began);
  return st;
}

static void print_answer(const cli_args *a, const search *s, const diag *side)
{
  if (s->info.legal && (cli_prints(a, CLI_MOVES) || cli_prints(a, CLI_OUTPUT)))
    return;
  if (a->json)
    print_json(a, s, side);
  else
    print_text(s);
}

/* The answer is printed even when the moves could not be written. */
static cli_exit show(const cli_args *a, const search *s)
{
  diag side = { 0 };
  const char *moves = a->value[CLI_MOVES] ? a->value[CLI_MOVES] : a->value[CLI_OUTPUT];
  status written = s->info.legal && moves ? cli_write_moves(s->g, &s->moves, moves, &side) : OK;
  print_answer(a, s, written == OK ? NULL : &side);
  if (written != OK)
    return cli_side_failed(&side);
  if (clock_interrupted())
    fprintf(stderr, "redblue: interrupted: this is the best schedule found until then\n");
  return clock_interrupted() ? EXIT_GAVE_UP : s->info.legal ? EXIT_YES : EXIT_NO;
}

static cli_exit run(const cli_args *a)
{
  search s = { 0 };
  diag d = { 0 };
  status st = read_all(a, &s, &d);
  if (st == OK)
    st = find(&s, &d);
  cli_exit code = st == OK ? show(a, &s) : cli_fail(a, st, &d);
  search_clear(&s);
  return code;
}

static const cli_option_id options[] = { CLI_M,     CLI_MEMORY, CLI_WORD, CLI_RULES,      CLI_ONE_SHOT,
                                         CLI_MOVES, CLI_OUTPUT, CLI_SEED, CLI_LIMIT_TIME, CLI_OPTIONS };

const cli_verb cli_verb_schedule = {
  .name = "schedule",
  .arguments = "SPEC",
  .least = 1,
  .most = 1,
  .summary = "a good schedule for any graph",
  .description = "Looks for an order of computation with little I/O by local search, and for each order chooses what "
                 "leaves fast memory. The\n"
                 "moves are played by the referee before anything is printed; they are good, not proved best (see "
                 "optimal and bound).\n\n"
                 "The search is counted in work, not in seconds: the same seed gives the same moves. It takes seconds, "
                 "half a minute at\n"
                 "a million vertices. --limit-time N stops it by the clock, and the answer says so; N beyond 8 buys "
                 "that much more.\n"
                 "--moves FILE (or -o FILE) writes the moves as a schedule; - prints them instead of the answer. "
                 "Exit code 1: M is too small for any schedule.",
  .examples = "$ redblue schedule fft:l=4 -M 6\n$ redblue schedule graph.dot -M 16 --one-shot --moves good.sched\n$ "
              "redblue verify graph.dot good.sched -M 16 --one-shot",
  .options = options,
  .run = run,
};
