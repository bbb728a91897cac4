/* words.c -- loads and stores of a program, counted by how often its statements are reached (docs/counting.md).

   Every load or store of a legal play moves one word, wherever the pebbles are: on an explicit graph, where each
   element is moved by itself, the I/O is the number of such statements that are reached with a vertex that exists.  The
   variable of a loop is an interval: all its values.  Where that tells how often its body moves something, all
   iterations move the same; where it does not, they are looked at one by one. */
#include "schedules/count/words.h"
#include "base/mem.h"
#include "base/num.h"
#include "schedules/sign/span.h"
#include "schedules/play/run.h"

enum { STEPS = 1 << 20 };        /* statements looked at before giving up */

typedef struct {
  const schedule *s;
  span *slot;
  bool *moves;                 /* by loop: something is loaded or stored in it */
  int steps;
} walk;

static bool value(const walk *w, const expr *e, span *out)
{
  span_env env = { w->slot, w->s->g->table, false };
  return span_of(e, &env, out);
}

static bool one_value(const walk *w, const expr *e, int64_t *out)
{
  span s;
  bool one = value(w, e, &s) && s.least == s.most;
  if (one)
    *out = s.least;
  return one;
}

/* ---- boxes ---- */

/* How much of lo..hi lies inside? */
static uint64_t inside(int64_t lo, int64_t hi, int64_t least, int64_t end)
{
  lo = num_max(lo, least);
  hi = num_min(hi, end);
  return lo < hi ? (uint64_t)hi - (uint64_t)lo : 0;
}

static bool count_range(span lo, span hi, int64_t least, int64_t end, uint64_t *n)
{
  *n = inside(lo.least, hi.least, least, end);
  return lo.least == lo.most && hi.least == hi.most;
}

/* A single value: inside for all iterations, or for none. */
static bool count_value(const walk *w, const expr *e, int64_t least, int64_t end, uint64_t *n)
{
  span s;
  if (!value(w, e, &s))
    return false;
  *n = s.least >= least && s.most < end;
  return *n || s.most < least || s.least >= end;
}

static bool count_index(const walk *w, const schedule_index *x, int64_t least, int64_t end, uint64_t *n)
{
  span lo, hi;
  *n = inside(least, end, least, end);
  if (x->kind == CDAG_ALL)
    return true;
  if (x->loop >= 0) {
    const span *slot = w->slot + w->s->loop[x->loop].slot;
    return count_range(slot[SCHEDULE_LO], slot[SCHEDULE_HI], least, end, n);
  }
  if (x->kind == CDAG_AT)
    return count_value(w, x->lo, least, end, n);
  return value(w, x->lo, &lo) && value(w, x->hi, &hi) && count_range(lo, hi, least, end, n);
}

static bool count_box(const walk *w, const schedule_box *b, num_count *words)
{
  const cdag_array *a = &w->s->g->array[b->array];
  num_count volume = 1;
  bool known = a->rectangular;
  for (int i = 0; i < b->indices && known; i++) {
    uint64_t n;
    known = count_index(w, &b->index[i], a->hull.lo[i], a->hull.hi[i], &n);
    volume = known ? num_times(volume, n) : volume;
  }
  *words = num_plus(*words, volume);
  return known;
}

static bool count_move(const walk *w, const schedule_node *n, num_count *words)
{
  bool known = true;
  for (int i = 0; i < n->boxes && known && (n->move == PEBBLE_LOAD || n->move == PEBBLE_STORE); i++)
    known = count_box(w, &n->box[i], words);
  return known;
}

/* ---- loops ---- */

typedef struct { int64_t lo, hi, by; uint64_t iterations; } range;

static bool range_of(const walk *w, const schedule_loop *l, range *r)
{
  *r = (range){ .by = 1 };
  if (l->over_loop >= 0) {
    const span *over = w->slot + w->s->loop[l->over_loop].slot;
    r->lo = over[SCHEDULE_LO].least;
    r->hi = over[SCHEDULE_HI].least;
    if (over[SCHEDULE_LO].most != r->lo || over[SCHEDULE_HI].most != r->hi)
      return false;
  } else if ((l->lo && !one_value(w, l->lo, &r->lo)) || !one_value(w, l->hi, &r->hi))
    return false;
  if ((l->by && !one_value(w, l->by, &r->by)) || r->by < 1)
    return false;
  r->iterations = r->hi > r->lo ? ((uint64_t)r->hi - (uint64_t)r->lo - 1) / (uint64_t)r->by + 1 : 0;
  return true;
}

/* A condition that holds for one of several iterations, or for the one there is if it holds at all. */
static span one_of(bool one, bool holds) { return one ? (span){ holds, holds } : (span){ 0, 1 }; }

/* The loop's variable in its iterations from `first` to `last`, counted upwards: in one of them, or in all. */
static void set_iterations(walk *w, const schedule_loop *l, const range *r, uint64_t first, uint64_t last)
{
  span *slot = w->slot + l->slot;
  int64_t lo = (int64_t)((uint64_t)r->lo + first * (uint64_t)r->by),
          end = (int64_t)((uint64_t)r->lo + last * (uint64_t)r->by);
  int64_t most = num_min(r->by, (int64_t)((uint64_t)r->hi - (uint64_t)lo)),
          least = num_min(r->by, (int64_t)((uint64_t)r->hi - (uint64_t)end));
  bool low = first == 0, high = last + 1 == r->iterations, snake = l->snake && r->iterations > 1,
       one = first == last && !snake;
  slot[SCHEDULE_LO] = (span){ lo, end };
  slot[SCHEDULE_LEN] = (span){ least, most };
  slot[SCHEDULE_HI] = (span){ lo + most, end + least };
  slot[SCHEDULE_FIRST] = one_of(one, l->reversed ? high : low); /* on a snake, which end comes first is not asked */
  slot[SCHEDULE_LAST] = one_of(one, l->reversed ? low : high);
}

static bool count_node(walk *w, const schedule_node *n, num_count *words);

static bool iteration_by_iteration(walk *w, const schedule_node *n, const range *r, num_count *words)
{
  bool known = r->iterations <= STEPS;
  for (uint64_t i = 0; i < r->iterations && known; i++) {
    set_iterations(w, &w->s->loop[n->loop], r, i, i);
    known = count_node(w, n->child[0], words);
  }
  return known;
}

static bool count_for(walk *w, const schedule_node *n, num_count *words)
{
  const schedule_loop *l = &w->s->loop[n->loop];
  range r;
  num_count each = 0;
  if (!w->moves[n->loop])
    return true;
  if (!range_of(w, l, &r))
    return false;
  if (r.iterations == 0)
    return true;
  set_iterations(w, l, &r, 0, r.iterations - 1);
  if (!count_node(w, n->child[0], &each))
    return iteration_by_iteration(w, n, &r, words);
  *words = num_plus(*words, num_times(each, r.iterations));
  return true;
}

static bool count_if(walk *w, const schedule_node *n, num_count *words)
{
  span s;
  if (!value(w, n->condition, &s) || (s.least <= 0 && s.most >= 0 && s.least != s.most))
    return false;
  bool holds = s.least != 0 || s.most != 0;
  int way = !holds;
  return way >= n->children || count_node(w, n->child[way], words);
}

/* Depth: SCHEDULE_DEPTH. */
static bool count_node(walk *w, const schedule_node *n, num_count *words)
{
  bool known = w->steps++ < STEPS;
  switch (n->kind) {
  case SCHEDULE_FOR: return known && count_for(w, n, words);
  case SCHEDULE_IF: return known && count_if(w, n, words);
  case SCHEDULE_MOVE: return known && count_move(w, n, words);
  case SCHEDULE_BLOCK: break;
  }
  for (int i = 0; i < n->children && known; i++)
    known = count_node(w, n->child[i], words);
  return known;
}

/* Depth: SCHEDULE_DEPTH. */
bool schedule_note_moves(const schedule_node *n, bool *moves)
{
  bool any = n->kind == SCHEDULE_MOVE && (n->move == PEBBLE_LOAD || n->move == PEBBLE_STORE);
  for (int i = 0; i < n->children; i++)
    any |= schedule_note_moves(n->child[i], moves);
  if (n->kind == SCHEDULE_FOR)
    moves[n->loop] = any;
  return any;
}

bool schedule_words(const schedule *s, num_count *words)
{
  walk w = { .s = s, .slot = MEM_NEW(span, (size_t)s->slots), .moves = MEM_NEW(bool, (size_t)s->loops) };
  SCOPED_MEM int64_t *fixed = MEM_NEW(int64_t, (size_t)s->slots);
  *words = 0;
  schedule_fixed_slots(s, fixed);
  for (int i = 0; i < s->slots; i++)
    w.slot[i] = (span){ fixed[i], fixed[i] };
  schedule_note_moves(s->body, w.moves);
  bool known = count_node(&w, s->body, words);
  mem_free(w.slot);
  mem_free(w.moves);
  return known;
}
