/* schedules/any/moves.c -- see moves.h. */
#include "schedules/any/moves.h"
#include "base/mem.h"
#include <string.h>

enum { UNIT = 256 };              /* events to a unit, at most */

static bool reads_marked(const any_mover *v, uint32_t e)
{
  const any_program *p = v->s->p;
  for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
    if (v->mark[p->read[r]] == v->stamp)
      return true;
  return false;
}

static void mark_reads(any_mover *v, uint32_t e)
{
  const any_program *p = v->s->p;
  for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
    v->mark[p->read[r]] = v->stamp;
}

static void open_window(any_mover *v, uint32_t a, uint32_t b)
{
  v->a = a;
  v->b = b;
  v->stamp++;
  memcpy(v->before, v->s->order + a, (b - a + 1) * sizeof *v->before);
}

/* The last `block` events of [a, b], with all they depend on there, to a. */
static void move_back(any_mover *v, uint32_t a, uint32_t b, uint32_t block)
{
  uint32_t *order = v->s->order, n = 0, free = b;
  open_window(v, a, b);
  for (uint32_t t = b + 1; t-- > a;) {
    uint32_t e = order[t];
    if (t + block > b || v->mark[v->s->p->write[e]] == v->stamp) {
      v->moved[n++] = e;
      mark_reads(v, e);
    } else
      order[free--] = e;
  }
  for (uint32_t i = 0; i < n; i++)
    order[a + i] = v->moved[n - 1 - i];
}

/* The first `block` events of [a, b], with all that depends on them there, to b. */
static void move_on(any_mover *v, uint32_t a, uint32_t b, uint32_t block)
{
  uint32_t *order = v->s->order, n = 0, free = a;
  open_window(v, a, b);
  for (uint32_t t = a; t <= b; t++) {
    uint32_t e = order[t];
    if (t < a + block || reads_marked(v, e)) {
      v->moved[n++] = e;
      v->mark[v->s->p->write[e]] = v->stamp;
    } else
      order[free++] = e;
  }
  memcpy(order + free, v->moved, n * sizeof *order);
}

/* The listed unit, with all that depends on it there, to b. */
static void move_unit_on(any_mover *v, uint32_t a, uint32_t b)
{
  const any_program *p = v->s->p;
  uint32_t *order = v->s->order, n = 0, free = a;
  open_window(v, a, b);
  for (uint32_t i = 0; i < v->units; i++)
    v->mark[p->write[v->unit[i]]] = v->stamp;
  for (uint32_t t = a; t <= b; t++) {
    uint32_t e = order[t];
    if (v->mark[p->write[e]] == v->stamp || reads_marked(v, e)) {
      v->moved[n++] = e;
      v->mark[p->write[e]] = v->stamp;
    } else
      order[free++] = e;
  }
  memcpy(order + free, v->moved, n * sizeof *order);
}

/* ---- units: a sum with its terms ---- */

static void find_readers(any_mover *v)
{
  const any_program *p = v->p;
  enum { MANY = ANY_NONE - 1 };
  for (uint32_t x = 0; x < p->items; x++)
    v->reader[x] = p->store[x] ? MANY : ANY_NONE;
  for (uint32_t e = 0; e < p->events; e++)
    for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
      v->reader[p->read[r]] = v->reader[p->read[r]] == ANY_NONE ? e : MANY;
  for (uint32_t x = 0; x < p->items; x++)
    if (v->reader[x] == MANY)
      v->reader[x] = ANY_NONE;
}

/* The place of the event at t, or of the only one that reads what it writes, or of the only one that reads that. */
static uint32_t climb(const any_mover *v, uint32_t t, uint32_t levels)
{
  const any_sim *s = v->s;
  for (; levels > 0; levels--) {
    uint32_t r = v->reader[s->p->write[s->order[t]]];
    if (r == ANY_NONE || !s->p->active[r] || s->place[r] < t)
      break;
    t = s->place[r];
  }
  return t;
}

/* The event at place t with what only it needs, and what only that needs, so many levels deep; false if there is too
   much of it.  *first: where the first of it stands. */
static bool list_unit(any_mover *v, uint32_t t, uint32_t levels, uint32_t *first)
{
  const any_sim *s = v->s;
  const any_program *p = s->p;
  v->units = 0;
  v->unit[v->units++] = s->order[t];
  *first = t;
  for (uint32_t i = 0, level = 0, end = 1; i < v->units; i++) {
    uint32_t e = v->unit[i];
    if (i == end) {
      level++;
      end = v->units;
    }
    *first = s->place[e] < *first ? s->place[e] : *first;
    for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1] && level < levels; r++) {
      uint32_t x = p->read[r], w = p->event_of[x];
      if (v->reader[x] != e || w == ANY_NONE || !p->active[w])
        continue;
      if (v->units == UNIT)
        return false;
      v->unit[v->units++] = w;
    }
  }
  return true;
}

/* ---- mending ---- */

/* By what each kind saved for its work. */
static int choose_kind(const any_mover *v)
{
  double worth[ANY_MENDS], sum = 0;
  for (int i = 0; i < ANY_MENDS; i++)
    sum += worth[i] = (v->mend[i].gain + 1) / (v->mend[i].work + 1e5);
  double x = any_uniform(v->random) * sum;
  for (int i = 0; i < ANY_MENDS; i++)
    if ((x -= worth[i]) < 0)
      return i;
  return 0;
}

void any_move_was_worth(any_mover *v, uint64_t saved, uint64_t work)
{
  static const double LATE = 4e6; /* older work counts less */
  if (v->kind == ANY_MENDS)
    return;
  v->mend[v->kind].gain += (double)saved;
  v->mend[v->kind].work += (double)work;
  if (v->mend[v->kind].work > LATE) {
    v->mend[v->kind].gain /= 2;
    v->mend[v->kind].work /= 2;
  }
}

/* Two touches of an item that was missed, its miss among them; false if there are none here. */
static bool choose_touches(const any_mover *v, uint32_t *lo, uint32_t *hi)
{
  const any_sim *s = v->s;
  uint32_t t = s->from + (uint32_t)random_below(v->random, s->to - s->from), x = s->missed[s->order[t]];
  if (x == ANY_NONE)
    return false;
  uint32_t from = s->use_at[x], n = s->use_at[x + 1] - 1 - from;
  uint32_t u = s->use[from + random_below(v->random, n)]; /* some other touch, often the one before */
  if (random_below(v->random, 2))
    for (uint32_t i = 0; i < n && s->use[from + i] < t; i++)
      u = s->use[from + i];
  *lo = u < t ? u : t;
  *hi = u < t ? t : u;
  return *lo >= s->from && *hi < s->to;
}

/* What touches the item at hi, with all it depends on, to behind what touches it at lo. */
static bool mend_back(any_mover *v, uint32_t lo, uint32_t hi, uint32_t levels, bool whole, uint32_t longest)
{
  lo = climb(v, lo, whole);
  hi = climb(v, hi, levels);
  if (hi < lo + 2 || hi - lo > longest || hi >= v->s->to)
    return false;
  move_back(v, lo + 1, hi, 1);
  return true;
}

/* What touches the item at lo, with all that only this needs, to before what touches it at hi. */
static bool mend_on(any_mover *v, uint32_t lo, uint32_t hi, uint32_t levels, bool whole, uint32_t longest)
{
  uint32_t first;
  if (whole && !list_unit(v, climb(v, hi, 1), 1, &hi))
    return false;
  lo = climb(v, lo, levels);
  if (!list_unit(v, lo, levels, &first) || hi < lo + 2 || hi - first > longest || first < v->s->from || hi > v->s->to)
    return false;
  move_unit_on(v, first, hi - 1);
  return true;
}

/* Bring together two touches of an item that was missed; false if none was found. */
static bool mend(any_mover *v)
{
  enum { TRIES = 12 };
  static const uint32_t reach[ANY_REACHES] = { 40, 160, 640, 3000 };
  int kind = choose_kind(v);
  uint32_t way = (uint32_t)kind % ANY_WAYS, rest = (uint32_t)kind / ANY_WAYS, levels = rest % ANY_LEVELS;
  uint32_t longest = reach[rest / ANY_LEVELS];
  bool whole = way / 2;
  v->kind = kind;
  for (int tries = 0; tries < TRIES; tries++) {
    uint32_t lo, hi;
    if (!choose_touches(v, &lo, &hi) || hi - lo < 2 || hi - lo > longest)
      continue;
    if (way % 2 ? mend_back(v, lo, hi, levels, whole, longest) : mend_on(v, lo, hi, levels, whole, longest))
      return true;
  }
  return false;
}

/* ---- wandering ---- */

/* One event or a block of them, a short way or a long one; long windows take long to play and seldom bring more. */
static void wander(any_mover *v)
{
  enum { BLOCK = 16, SHORT = 20 };
  const any_sim *s = v->s;
  uint32_t events = s->to - s->from, most = (v->scarce ? 30 : 100) * (random_below(v->random, 8) ? 1 : 4);
  uint32_t far = events / 4 < most ? events / 4 + 1 : most;
  uint32_t reach = random_below(v->random, 2) ? far : SHORT;
  uint32_t block = random_below(v->random, 2) ? 1 : 2 + (uint32_t)random_below(v->random, BLOCK - 2);
  uint32_t t = (uint32_t)random_below(v->random, events), span = (uint32_t)random_below(v->random, reach) + block;
  bool back = random_below(v->random, 2);
  v->kind = ANY_MENDS;
  if (t == 0 || (t + 1 < events && !back))
    move_on(v, s->from + t, s->from + (t + span < events ? t + span : events - 1), block);
  else
    move_back(v, s->from + (t > span ? t - span : 0), s->from + t, block);
}

void any_move(any_mover *v)
{
  if (random_below(v->random, v->scarce ? 8 : 2) == 0 || !mend(v))
    wander(v);
}

void any_mover_init(any_mover *v)
{
  const any_program *p = v->p;
  v->before = MEM_NEW(uint32_t, p->room_events);
  v->moved = MEM_NEW(uint32_t, p->room_events);
  v->order = MEM_NEW(uint32_t, p->room_events);
  v->mark = MEM_NEW(uint32_t, p->items);
  v->reader = MEM_NEW(uint32_t, p->items);
  v->unit = MEM_NEW(uint32_t, UNIT);
  v->base = p->length;
  find_readers(v);
}

void any_mover_clear(any_mover *v)
{
  void *blocks[] = { v->before, v->moved, v->order, v->mark, v->reader, v->unit };
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    mem_free(blocks[i]);
}
