/* Rates of the tile engine, of fast-forward and of the counter on the design's schedule of attention. */
#include "schedules/schedule.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const diag *d)
{
  fprintf(stderr, "%s: %s\n", d->kind, d->message);
  exit(1);
}

static bool count_box(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  (void)move, (void)at, (void)box, (void)slot;
  ++*(uint64_t *)context;
  return true;
}

int main(int argc, char **argv)
{
  const char *spec = argc > 1 ? argv[1] : "attention:n=131072,d=128", *sched = argc > 2 ? argv[2] : "attenio";
  uint64_t m = argc > 3 ? strtoull(argv[3], NULL, 10) : 262144, boxes = 0;
  bool plain = argc > 4;
  cdag *g;
  schedule *s;
  diag d = { 0 };
  schedule_verdict v;
  schedule_counts c;
  pebble_rules rules = { .m = m };
  if (cdag_open(&g, spec, &d) != OK || schedule_open(&s, g, m, sched, &d) != OK)
    die(&d);
  double t = now();
  if (schedule_count(s, &rules, &c, &d) != OK)
    die(&d);
  printf("count         %10.6f s  loads %" PRIu64 " stores %" PRIu64 " peak %" PRIu64 " %s\n", now() - t, c.loads, c.stores, c.peak, c.reason);
  schedule_play_options o = { .rules = rules, .engine = PEBBLE_BY_TILE, .fast_forward = true };
  t = now();
  if (schedule_play(s, &o, &v, &d) != OK)
    die(&d);
  printf("fast-forward  %10.6f s  legal %d loads %" PRIu64 " stores %" PRIu64 " peak %" PRIu64 " computes %" PRIu64 " inferred %" PRIu64 "\n", now() - t, v.verdict.legal,
         v.verdict.loads, v.verdict.stores, v.verdict.peak, v.verdict.computes, v.inferred);
  schedule_verdict_clear(&v);
  if (plain) {
    t = now();
    schedule_each_move(s, count_box, &boxes, &d);
    double t1 = now() - t;
    o.fast_forward = false;
    t = now();
    schedule_play(s, &o, &v, &d);
    double t2 = now() - t;
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    printf("program only  %10.6f s  %" PRIu64 " boxes, %.1f ns each\n", t1, boxes, 1e9 * t1 / (double)boxes);
    printf("every turn    %10.6f s  %.1f ns each, legal %d loads %" PRIu64 " stores %" PRIu64 " peak %" PRIu64 " computes %" PRIu64 ", %ld KB\n", t2, 1e9 * t2 / (double)boxes, v.verdict.legal,
           v.verdict.loads, v.verdict.stores, v.verdict.peak, v.verdict.computes, u.ru_maxrss);
    schedule_verdict_clear(&v);
  }
  schedule_counts_clear(&c);
  schedule_free(s);
  cdag_free(g);
  return 0;
}
