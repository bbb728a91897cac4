/* any_graph.c -- for explicit graphs: how fast lists of moves are read, what schedules found cost beside depth-first
   plays, and how far they are from what is proved. */
#include "base/mem.h"
#include "bounds/bound.h"
#include "cdag/graph/graph.h"
#include "schedules/any.h"
#include "schedules/any/internal.h"
#include "schedules/schedule.h"
#include "tests/bench/bench.h"
#include <math.h>

static uint64_t depth_first(const cdag_graph *g, const pebble_rules *rules)
{
  any_program p;
  any_sim s;
  any_program_init(&p, g, rules);
  any_sim_init(&s, &p);
  uint32_t *order = MEM_NEW(uint32_t, p.room_events);
  any_order_depth_first(&p, 0, false, order);
  uint64_t io = any_sim_set(&s, order);
  mem_free(order);
  any_sim_clear(&s);
  any_program_clear(&p);
  return io;
}

static void put_moves(FILE *out, const pebble_trace *t, const char *end)
{
  for (size_t i = 0; i < t->n; i++)
    fprintf(out, "%s v[%lu]%s\n", pebble_kind_name(t->step[i].kind), (unsigned long)t->step[i].vertex, end);
}

/* Processor time for a list whose lines end so. */
static double reading(const cdag *c, const pebble_rules *rules, const pebble_trace *t, const char *end)
{
  schedule_play_options o = { .rules = *rules, .engine = PEBBLE_BY_ELEMENT };
  schedule_verdict v;
  diag d = { 0 };
  FILE *list = tmpfile();
  put_moves(list, t, end);
  rewind(list);
  double start = now();
  need(schedule_play_stream(list, "list", c, &o, &v, &d), &d);
  start = now() - start;
  schedule_verdict_clear(&v);
  fclose(list);
  return start;
}

static const struct { const char *spec; uint64_t m;
} cases[] = {
  { "matmul:m=20,n=20,k=20", 64 },
  { "fft:l=9", 32 },
  { "random:n=3000,degree=3,layered=100", 40 },
  { "grid:r=60,c=60", 12 },
  { "attention:n=24,d=4", 64 },
  { "cholesky:n=40", 64 },
};

/* One-shot; adds the logarithms of found over depth-first and of found over proved. */
static void compare(int i, double *play, double *gap)
{
  cdag *c;
  diag d = { 0 };
  cdag_graph g;
  need(cdag_open(&c, cases[i].spec, &d), &d);
  need(cdag_materialise(c, 1 << 20, &g, &d), &d);
  cdag as = { .graph = &g, .vertices = g.n };
  pebble_rules rules = { PEBBLE_PLACING, true, cases[i].m };
  pebble_trace t = { 0 };
  schedule_any_info info;
  bound_list bounds = { 0 };
  int best;
  double start = now();
  need(schedule_any_quick(&g, &rules, &t, &info, &d), &d);
  double searched = now() - start;
  start = now();
  need(bound_all(&(bound_question){ .g = &as, .m = rules.m, .one_shot = true }, &bounds, &best, &d), &d);
  double proved = mpz_get_d(bounds.item[best].value), other = (double)depth_first(&g, &rules);
  printf("%-36s M %3lu   found %7lu in %4.1f s   depth-first %7.0f   proved %7.0f (%s) in %4.1f s\n", cases[i].spec,
         (unsigned long)rules.m, (unsigned long)info.io, searched, other, proved, bounds.item[best].name,
         now() - start);
  *play += log((double)info.io / other);
  *gap += log((double)info.io / proved);
  bound_list_clear(&bounds);
  pebble_trace_clear(&t);
  cdag_graph_clear(&g);
  cdag_free(c);
}

static void read_lists(void)
{
  cdag_graph g;
  diag d = { 0 };
  need(cdag_graph_fft(&g, 14, &d), &d);
  cdag *c;
  need(cdag_open(&c, "fft:l=14", &d), &d);
  pebble_rules rules = { PEBBLE_PLACING, true, 64 };
  any_program p;
  any_sim s;
  pebble_trace t = { 0 };
  any_program_init(&p, &g, &rules);
  any_sim_init(&s, &p);
  uint32_t *order = MEM_NEW(uint32_t, p.room_events);
  any_order_natural(&p, order);
  any_sim_set(&s, order);
  any_sim_record(&s, &t);
  double plain = reading(c, &rules, &t, ""), scanned = reading(c, &rules, &t, " ");
  printf("list of %lu moves   plain lines %.1f M moves/s   lines that end in a blank %.1f M moves/s\n",
         (unsigned long)t.n, (double)t.n / plain / 1e6, (double)t.n / scanned / 1e6);
  printf("  plain lines are read %.2f times as fast\n", scanned / plain);
  mem_free(order);
  pebble_trace_clear(&t);
  any_sim_clear(&s);
  any_program_clear(&p);
  cdag_free(c);
  cdag_graph_clear(&g);
}

int main(void)
{
  enum { CASES = sizeof cases / sizeof *cases };
  double play = 0, gap = 0;
  read_lists();
  for (int i = 0; i < CASES; i++)
    compare(i, &play, &gap);
  printf("  geometric means: found / depth-first %.3f, found / proved %.3f\n", exp(play / CASES), exp(gap / CASES));
  return 0;
}
