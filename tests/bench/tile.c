/* Rates of the counter, of fast-forward and of the tile engine with every iteration played: the design's schedule of
   attention at full size, and schedules that are harder on boxes.  Processor time; memory is the most this program has
   held so far. */
#include "schedules/schedule.h"
#include "tests/bench/bench.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static bool count_box(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  (void)move, (void)at, (void)box, (void)slot;
  ++*(uint64_t *)context;
  return true;
}

static void line(const char *what, double seconds, const schedule_verdict *v)
{
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  printf("  %-14s %10.6f s  %s, I/O %s, peak %" PRIu64 ", %s iterations inferred, %ld KB\n", what, seconds,
         v->verdict.legal ? "legal" : "ILLEGAL", num_digits(pebble_io(&v->verdict)).s, v->verdict.peak,
         num_digits(v->inferred).s, u.ru_maxrss);
}

static double play(const schedule *s, const pebble_rules *rules, pebble_engine engine, bool fast_forward,
                   const char *what)
{
  schedule_play_options o = { .rules = *rules, .engine = engine, .fast_forward = fast_forward };
  schedule_verdict v;
  diag d = { 0 };
  double start = now();
  need(schedule_play(s, &o, &v, &d), &d);
  double seconds = now() - start;
  line(what, seconds, &v);
  schedule_verdict_clear(&v);
  return seconds;
}

static void count(const schedule *s, const pebble_rules *rules)
{
  schedule_counts c;
  diag d = { 0 };
  double start = now();
  need(schedule_count(s, rules, &c, &d), &d);
  printf("  %-14s %10.6f s  I/O %" PRIu64 ", peak %" PRIu64 " %s\n", "count", now() - start, c.loads + c.stores, c.peak,
         c.reason);
  schedule_counts_clear(&c);
}

static void every_iteration(const schedule *s, const pebble_rules *rules)
{
  uint64_t boxes = 0;
  diag d = { 0 };
  double start = now();
  need(schedule_each_move(s, count_box, &boxes, &d), &d);
  double program = now() - start, seconds = play(s, rules, PEBBLE_BY_TILE, false, "every iteration");
  printf("  %-14s %10.1f ns of %" PRIu64 ", of which the program %.1f ns\n", "a box", 1e9 * seconds / (double)boxes,
         boxes, 1e9 * program / (double)boxes);
}

typedef enum { FAST = 1, EVERY = 2, ELEMENTS = 4 } ways;

static void run(const char *spec, const char *name, uint64_t m, ways how)
{
  cdag *g;
  schedule *s;
  diag d = { 0 };
  pebble_rules rules = { .m = m };
  need(cdag_open(&g, spec, &d), &d);
  need(schedule_open(&s, g, m, name, &d), &d);
  printf("%s, %s, M = %" PRIu64 ": %" PRIu64 " vertices\n", spec, name, m, g->vertices);
  if (how & FAST) {
    count(s, &rules);
    play(s, &rules, PEBBLE_BY_TILE, true, "fast-forward");
  }
  if (how & EVERY)
    every_iteration(s, &rules);
  if (how & ELEMENTS)
    play(s, &rules, PEBBLE_BY_ELEMENT, false, "by element");
  schedule_free(s);
  cdag_free(g);
}

/* With arguments: SPEC SCHEDULE M, every way but by element. */
int main(int argc, char **argv)
{
  if (argc > 3) {
    run(argv[1], argv[2], strtoull(argv[3], NULL, 10), FAST | EVERY);
    return 0;
  }
  run("attention:n=131072,d=128", "attenio", 262144, FAST | EVERY);
  run("attention:n=1000000,d=128", "attenio", 262144, FAST);
  run("attention-online:n=131072,d=128", "attenio", 262144, FAST);
  run("attention-causal:n=131072,d=128", "attenio", 262144, FAST);
  run("stencil:w=1000,t=1000", "skewed", 1000000, FAST | EVERY | ELEMENTS);
  return 0;
}
