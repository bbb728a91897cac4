/* time_array.c -- what a schedule computes, by array, and how many cycles an array of units takes for it.

   An array of rows x columns units works on one compute move at a time: it covers two indices of the move's box, and
   goes through the others one by one.  Which two is chosen for each move.  Iterations of a loop after the second are
   taken to be as the second, the last one apart; the caller knows how many vertices are computed in all, so a schedule
   whose iterations differ otherwise is found out. */
#include "report/time.h"
#include "base/mem.h"
#include "schedules/play/run.h"
#include <math.h>

typedef struct {
  const cdag *g;
  double rows, columns, cycles;
  num_count *vertices;
  /* by depth of loops: what was known when the second iteration began */
  double cycles_before[SCHEDULE_DEPTH];
  num_count *vertices_before;  /* SCHEDULE_DEPTH x arrays */
} tally;

bool report_time_on_array(const cdag *g, int array)
{
  const cdag_array *a = &g->array[array];
  int others = 0;
  for (int i = 0; i < a->terms; i++)
    others += a->term[i].array != array;
  return others >= 2 && others < a->terms;
}

static double steps(double extent, double units) { return ceil(extent / units); }

/* Least cycles over the choices of two indices, each other index one after the other; a box of one index leaves a side
 * idle. */
static double least_cycles(const double *extent, int n, double rows, double columns)
{
  double volume = 1, best = INFINITY;
  for (int i = 0; i < n; i++)
    volume *= extent[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i != j)
        best = fmin(best, volume / (extent[i] * extent[j]) * steps(extent[i], rows) * steps(extent[j], columns));
  return best;
}

double report_time_extent(const cdag_array *a, const pebble_move *move, int r)
{
  return (double)(num_min(move->box.hi[r], a->hull.hi[r]) - num_max(move->box.lo[r], a->hull.lo[r]));
}

double report_time_cycles(const cdag *g, const pebble_move *move, double rows, double columns)
{
  const cdag_array *a = &g->array[move->array];
  double extent[CDAG_RANK + 2] = { 0 };
  for (int i = 0; i < a->rank; i++)
    extent[i] = report_time_extent(a, move, i);
  extent[a->rank] = extent[a->rank + 1] = 1;
  return least_cycles(extent, a->rank + 2, rows, columns);
}

static bool count_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  tally *t = context;
  (void)at, (void)box, (void)slot;
  if (move->kind != PEBBLE_COMPUTE)
    return true;
  uint64_t n = cdag_box_count(t->g, move->array, &move->box);
  t->vertices[move->array] = num_plus(t->vertices[move->array], n);
  if (n > 0 && t->rows > 0 && report_time_on_array(t->g, move->array))
    t->cycles += report_time_cycles(t->g, move, t->rows, t->columns);
  return true;
}

/* Before the third iteration: leave out all but the last, each as the second was. */
static uint64_t leave_out(void *context, schedule_run *run)
{
  tally *t = context;
  int depth = run->depth - 1;
  uint64_t iteration = run->iteration[depth], iterations = run->iterations[depth];
  num_count *before = t->vertices_before + (size_t)depth * (size_t)t->g->arrays;
  if (iteration == 1) {
    t->cycles_before[depth] = t->cycles;
    for (int a = 0; a < t->g->arrays; a++)
      before[a] = t->vertices[a];
  }
  if (iteration != 2 || iterations < 4)
    return 0;
  uint64_t left_out = iterations - 3;
  t->cycles += (double)left_out * (t->cycles - t->cycles_before[depth]);
  for (int a = 0; a < t->g->arrays; a++)
    t->vertices[a] = num_plus(t->vertices[a], num_times(left_out, t->vertices[a] - before[a]));
  return left_out;
}

bool report_time_operations(const schedule *s, num_count computes, double rows, double columns, num_count *vertices,
                            double *cycles)
{
  tally t = { .g = s->g, .rows = rows, .columns = columns, .vertices = vertices };
  t.vertices_before = MEM_NEW(num_count, (size_t)SCHEDULE_DEPTH * (size_t)s->g->arrays);
  schedule_run run;
  schedule_run_init(&run, s, count_move, &t);
  run.skip = leave_out;
  bool done = schedule_run_node(&run, s->body) == SCHEDULE_ON;
  schedule_run_clear(&run);
  mem_free(t.vertices_before);
  num_count sum = 0;
  for (int a = 0; a < s->g->arrays; a++)
    sum = num_plus(sum, vertices[a]);
  *cycles = t.cycles;
  return done && sum == computes;
}
