/* time_queues.c -- turn by turn: multiply-adds, special functions and transfers are three queues, each in the order of
   the schedule.

   A computation begins when its unit is free and what it reads is there: a block that is loaded when all of it is; of
   what the other unit makes, as much as its first elements need, and it ends no sooner than the last of them allow.
   How finely two computations mesh is read off the description: by the indices that both have in common.  A load that
   is made before the computations in front of it are done, and a store after them, hold words that the schedule does
   not count; there is room for as many as its part of the memory leaves beside what the schedule holds there. */
#include "report/time.h"
#include "base/mem.h"
#include "schedules/play/run.h"
#include <math.h>

typedef struct {
  double from, until;
  uint64_t words;
  int part;
} extra;

enum { MULTIPLY_ADDS, SPECIAL, UNITS };

typedef struct {
  const cdag *g;
  const report_machine *m;
  const report_time *t;
  int *part;                      /* of the memory, by array */
  double unit[UNITS], channel;    /* when each is free; channel: for what is loaded next */
  double storing;                 /* when the last store is done */
  double done;                    /* when all computations so far are */
  double *start, *ready, *stored; /* by array: of its last move; when its last store is done */
  bool *made;                     /* it was computed last, not loaded */
  extra *held, *store;            /* store: when the channel is taken, in order; loads go between */
  size_t n, space, stores, store_space;
  double before[SCHEDULE_DEPTH], beat[SCHEDULE_DEPTH];
} queues;

/* ---- room ---- */

static uint64_t held_at(const queues *q, int part, double t)
{
  uint64_t words = 0;
  for (size_t i = 0; i < q->n; i++)
    if (q->held[i].part == part && q->held[i].from <= t && t < q->held[i].until)
      words += q->held[i].words;
  return words;
}

static bool is_over(const queues *q, double t)
{
  bool over = false;
  for (int i = 0; i < q->t->parts; i++)
    over = over || held_at(q, i, t) > q->t->room[i];
  return over;
}

static double next_end(const queues *q, double t)
{
  double next = INFINITY;
  for (size_t i = 0; i < q->n; i++)
    if (q->held[i].until > t)
      next = fmin(next, q->held[i].until);
  return next;
}

/* Those that end after a time. */
static size_t still(extra *e, size_t n, double time)
{
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (e[i].until > time)
      e[kept++] = e[i];
  return kept;
}

static void hold(queues *q, int array, double from, double until, uint64_t words)
{
  q->n = still(q->held, q->n, fmin(q->channel, q->done));
  q->held = mem_room(q->held, q->n, &q->space, sizeof *q->held);
  q->held[q->n++] = (extra){ from, until, words, q->part[array] };
}

/* ---- transfers ---- */

static double moving(const queues *q, uint64_t words) { return (double)words * q->m->word / q->m->bandwidth; }

/* Words loaded from t on, or when the stores that are in the way are done. */
static double load_words(queues *q, double t, uint64_t words)
{
  double long_ = moving(q, words);
  for (size_t i = 0; i < q->stores && t + long_ > q->store[i].from; i++)
    t = fmax(t, q->store[i].until);
  q->channel = t + long_;
  return t;
}

static void load(queues *q, int array, uint64_t words)
{
  double t = fmax(q->channel, q->stored[array]), from = INFINITY;
  uint64_t room = q->t->room[q->part[array]], early = words < room ? words : room;
  while (t < q->done && early > 0 && held_at(q, q->part[array], t) + early > room)
    t = next_end(q, t);
  if (t >= q->done || early == 0)
    early = 0, t = fmax(t, q->done);
  if (early > 0) {
    from = load_words(q, t, early);
    if (from < q->done)
      hold(q, array, from, q->done, early);
    t = fmax(q->channel, q->done);
  }
  if (words > early)
    from = fmin(from, load_words(q, t, words - early));
  q->start[array] = from;
  q->ready[array] = q->channel;
  q->made[array] = false;
}

static void store(queues *q, int array, uint64_t words)
{
  double made = q->ready[array], t = fmax(fmax(q->channel, q->storing), made);
  q->storing = q->stored[array] = t + moving(q, words);
  q->stores = still(q->store, q->stores, q->channel);
  q->store = mem_room(q->store, q->stores, &q->store_space, sizeof *q->store);
  q->store[q->stores++] = (extra){ .from = t, .until = q->storing };
  hold(q, array, made, q->storing, words);
}

/* ---- computations ---- */

/* Is the index the loop itself? */
static bool is_loop(const cdag *g, const cdag_index *x, int loop)
{
  return x->kind == CDAG_AT && expr_is_slot(x->lo, g->params + loop);
}

/* In how many steps the elements of the move can follow those of the array that the term names. */
static double steps_in_common(const queues *q, const pebble_move *move, const cdag_term *t)
{
  const cdag_array *a = &q->g->array[move->array];
  double steps = 1;
  for (int loop = 0; loop < a->rank; loop++)
    for (int r = 0; r < q->g->array[t->array].rank; r++)
      if (is_loop(q->g, &t->index[r], loop)) {
        steps *= report_time_extent(a, move, loop);
        break;
      }
  return steps;
}

static int unit_of(const cdag *g, int array) { return report_time_is_chain(g, array) ? MULTIPLY_ADDS : SPECIAL; }

static double computing(const queues *q, const pebble_move *move, uint64_t n)
{
  const report_machine *m = q->m;
  if (unit_of(q->g, move->array) == SPECIAL)
    return m->special > 0 ? (double)n / m->special / m->clock : 0;
  if (m->rows > 0 && report_time_on_array(q->g, move->array))
    return report_time_cycles(q->g, move, m->rows, m->columns) / m->clock;
  return (double)n / m->multiply_adds / m->clock;
}

static void compute(queues *q, const pebble_move *move, uint64_t n)
{
  const cdag_array *a = &q->g->array[move->array];
  int unit = unit_of(q->g, move->array);
  double t = q->unit[unit], long_ = computing(q, move, n), end = 0;
  for (int i = 0; i < a->terms; i++) {
    int from = a->term[i].array;
    double steps = steps_in_common(q, move, &a->term[i]);
    if (from == move->array)
      continue;
    if (!q->made[from] || unit_of(q->g, from) == unit)
      t = fmax(t, q->ready[from]);
    else {
      t = fmax(t, q->start[from] + (q->ready[from] - q->start[from]) / steps);
      end = fmax(end, q->ready[from] + long_ / steps);
    }
  }
  while (is_over(q, t))
    t = next_end(q, t);
  end = fmax(end, t + long_);
  q->unit[unit] = q->ready[move->array] = end;
  q->start[move->array] = t;
  q->made[move->array] = true;
  q->done = fmax(q->done, end);
}

static bool queue_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  queues *q = context;
  uint64_t n = cdag_box_count(q->g, move->array, &move->box);
  (void)at, (void)box, (void)slot;
  if (n > 0 && move->kind == PEBBLE_LOAD)
    load(q, move->array, n);
  if (n > 0 && move->kind == PEBBLE_STORE)
    store(q, move->array, n);
  if (n > 0 && move->kind == PEBBLE_COMPUTE)
    compute(q, move, n);
  return true;
}

/* ---- iterations that are left out ---- */

/* Iterations are looked at by fours, for queues may beat in twos or fours: when four take as long as the four before,
   so do those behind them, all but the last.  What begins a loop (a store of the iteration before is in the way) is
   over by then; and if no two are alike for long, the last four are taken. */
enum { BEAT = 4, PATIENT = 64 };

static void later(queues *q, double by)
{
  double *const at[] = { &q->unit[MULTIPLY_ADDS], &q->unit[SPECIAL], &q->channel, &q->storing, &q->done };
  for (size_t i = 0; i < sizeof at / sizeof *at; i++)
    *at[i] += by;
  for (int a = 0; a < q->g->arrays; a++)
    q->start[a] += by, q->ready[a] += by, q->stored[a] += by;
  for (size_t i = 0; i < q->n; i++)
    q->held[i].from += by, q->held[i].until += by;
  for (size_t i = 0; i < q->stores; i++)
    q->store[i].from += by, q->store[i].until += by;
}

static uint64_t leave_out(void *context, schedule_run *run)
{
  queues *q = context;
  int depth = run->depth - 1;
  uint64_t iteration = run->iteration[depth], iterations = run->iterations[depth];
  double beat = q->done - q->before[depth], last = iteration > BEAT ? q->beat[depth] : INFINITY;
  if (iteration == 0 || iteration % BEAT != 0)
    beat = 0;
  if (iteration % BEAT == 0)
    q->before[depth] = q->done, q->beat[depth] = beat;
  if (iterations < iteration + BEAT + 1 || beat == 0 || (fabs(beat - last) > 1e-6 * beat && iteration < PATIENT))
    return 0;
  uint64_t times = (iterations - iteration - 1) / BEAT;
  later(q, (double)times * beat);
  return times * BEAT;
}

bool report_time_queues(const schedule *s, const report_machine *m, const report_time *t, double *seconds)
{
  size_t arrays = (size_t)s->g->arrays;
  queues q = { .g = s->g, .m = m, .t = t };
  q.start = MEM_NEW(double, arrays);
  q.ready = MEM_NEW(double, arrays);
  q.stored = MEM_NEW(double, arrays);
  q.made = MEM_NEW(bool, arrays);
  q.part = MEM_NEW(int, arrays);
  for (int a = 0; a < s->g->arrays; a++)
    q.part[a] = report_machine_part(m, s->g->array[a].name);
  schedule_run run;
  schedule_run_init(&run, s, queue_move, &q);
  run.skip = leave_out;
  bool done = schedule_run_node(&run, s->body) == SCHEDULE_ON;
  schedule_run_clear(&run);
  *seconds = fmax(fmax(q.unit[MULTIPLY_ADDS], q.unit[SPECIAL]), fmax(q.channel, q.storing));
  mem_free(q.start);
  mem_free(q.ready);
  mem_free(q.stored);
  mem_free(q.made);
  mem_free(q.part);
  mem_free(q.held);
  mem_free(q.store);
  return done;
}
