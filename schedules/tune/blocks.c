/* schedules/tune/blocks.c -- one parameter that cuts ranges into blocks, where no formula can be had: masks by table
   (docs/counting.md, "The tuner").

   Let p be read as the length of blocks only, `for X in R by p` (or what never falls as p grows).  A load or store in
   the body that has X in one index moves, over all blocks, what it moves over the single values of X: that does not
   depend on p.  One without X moves as much for each block, and there are ceil(|R|/p) of them.  One that reads where
   the block begins, first(X) or a single index e + lo(X), moves something in the first block, whose beginning is that
   of R, and in each of the others the same, or no more the farther on that block begins, if what the index must not
   fall below is one number, which it never does fall below there: whatever its upper end, what exists at one value of
   it exists at a lesser one.  The k-th block begins farther on when p is greater, and there are fewer.  So with the end
   of the block and all blocks but the last.  (Iterations go forward: else the first in time is not the first of R.)  So
   if no range, no other condition and no second index reads X, the I/O never grows with p: the longest blocks that fit
   are best, and the shortest of the same I/O are found by galloping and halving. */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/tune/internal.h"
#include <inttypes.h>

enum { LONGEST = 2048 };         /* blocks looked at one by one */
enum { BEGINNING = 1, END = 2 }; /* of a block */

typedef struct {
  const schedule *s;
  int loop;                    /* X */
  int single;                  /* the loop over the values of X that we are in, or -1 */
  unsigned ends;               /* that conditions around read */
} cut;

/* X; or of its values one by one, where they stand. */
static bool reads(const cut *c, const expr *e)
{
  int slot = c->s->loop[c->loop].slot, single = c->single >= 0 ? c->s->loop[c->single].slot : slot;
  return e && (expr_uses(e, slot, slot + SCHEDULE_LOOP_SLOTS) ||
               expr_uses(e, single + SCHEDULE_FIRST, single + SCHEDULE_LAST + 1));
}

/* lo = e + lo(X) and hi = e + hi(X), where e does not read X? */
static bool is_range(const cut *c, const expr *lo, const expr *hi)
{
  int slot = c->s->loop[c->loop].slot;
  if (expr_is_slot(lo, slot + SCHEDULE_LO) && expr_is_slot(hi, slot + SCHEDULE_HI))
    return true;
  if (lo->op != EXPR_ADD || hi->op != EXPR_ADD)
    return false;
  for (int i = 0; i < 2; i++)
    if (expr_equal(lo->arg[i], hi->arg[i]) && !reads(c, lo->arg[i]))
      return is_range(c, lo->arg[1 - i], hi->arg[1 - i]);
  return false;
}

/* ---- where a block begins or ends ---- */

/* Is e a number of the computation and lo(X), or hi(X)? */
static bool is_end(const cut *c, const expr *e, unsigned *which, int64_t *add)
{
  const schedule *s = c->s;
  int slot = s->loop[c->loop].slot;
  int64_t coef[SCHEDULE_LOOP_SLOTS], *value = MEM_NEW(int64_t, (size_t)s->slots);
  schedule_fixed_slots(s, value);
  expr_env env = { value, s->g->table };
  bool others = expr_uses(e, s->g->params, slot) || expr_uses(e, slot + SCHEDULE_LOOP_SLOTS, s->slots);
  bool good = !others && expr_affine(e, &env, slot, SCHEDULE_LOOP_SLOTS, add, coef);
  mem_free(value);
  for (int i = 0; good && i < SCHEDULE_LOOP_SLOTS; i++)
    good = coef[i] == 0 || (coef[i] == 1 && (i == SCHEDULE_LO || i == SCHEDULE_HI));
  *which = good ? (coef[SCHEDULE_LO] ? BEGINNING : 0) | (coef[SCHEDULE_HI] ? END : 0) : 0;
  return good;
}

/* Index i of the box is one value, where the block begins or ends: of all blocks but the first, or the last, does it
   move fewer words the farther on that is?  R begins with 0. */
static bool good_end(const cut *c, const schedule_box *b, int i, unsigned *ends)
{
  const schedule_loop *l = &c->s->loop[c->loop];
  unsigned which;
  int64_t add, least, from;
  if (c->single >= 0 || l->lo || l->over_loop >= 0 || l->reversed || l->snake || b->index[i].kind != CDAG_AT ||
      !is_end(c, b->index[i].lo, &which, &add) || !cdag_free_index(c->s->g, b->array, i, &least) ||
      !num_add(1, add, &from))
    return false;
  *ends |= which;
  return from >= least;
}

/* ---- what the body does ---- */

/* Is what the box holds a sum over the values of X, or the same for every block but perhaps the first, or the last? */
static bool good_box(const cut *c, const schedule_box *b)
{
  int with = 0;
  unsigned ends = c->ends;
  for (int i = 0; i < b->indices; i++) {
    const schedule_index *x = &b->index[i];
    bool varies = reads(c, x->lo) || reads(c, x->hi),
         range = x->kind == CDAG_RANGE && varies && is_range(c, x->lo, x->hi);
    if (varies && !range && !good_end(c, b, i, &ends))
      return false;
    with += range || x->loop == c->loop;
  }
  return with <= (c->single < 0 && !ends) && ends != (BEGINNING | END) && !(ends && c->single >= 0);
}

/* A condition around what moves words: does it read the block, if at all, only to know whether it is the first, or the
 * last? */
static bool good_condition(cut *c, const expr *e)
{
  int slot = c->s->loop[c->loop].slot, first = slot + SCHEDULE_FIRST, last = slot + SCHEDULE_LAST;
  if (!reads(c, e))
    return true;
  c->ends |= expr_uses(e, first, first + 1) ? BEGINNING : 0;
  c->ends |= expr_uses(e, last, last + 1) ? END : 0;
  return c->single < 0 && !expr_uses(e, slot, first) && !expr_uses(e, last + 1, slot + SCHEDULE_LOOP_SLOTS);
}

/* Depth: SCHEDULE_DEPTH. */
static bool moves_words(const schedule_node *n)
{
  bool any = n->kind == SCHEDULE_MOVE && (n->move == PEBBLE_LOAD || n->move == PEBBLE_STORE);
  for (int i = 0; i < n->children && !any; i++)
    any = moves_words(n->child[i]);
  return any;
}

/* Is all that the node loads and stores?  Depth: SCHEDULE_DEPTH. */
static bool good_node(const cut *c, const schedule_node *n)
{
  cut inside = *c;
  bool good = !moves_words(n) || good_condition(&inside, n->condition);
  for (int i = 0; i < n->boxes && (n->move == PEBBLE_LOAD || n->move == PEBBLE_STORE); i++)
    good = good && good_box(c, &n->box[i]);
  if (n->kind == SCHEDULE_FOR) {
    const schedule_loop *l = &c->s->loop[n->loop];
    bool values = l->over_loop == c->loop;
    good =
        good && !reads(c, l->lo) && !reads(c, l->hi) && !reads(c, l->by) && !(values && (l->blocked || c->single >= 0));
    inside.single = values ? n->loop : c->single;
  }
  for (int i = 0; i < n->children; i++)
    good = good && good_node(&inside, n->child[i]);
  return good;
}

/* Every loop whose blocks have a length that reads the slot. */
static bool good_loops(const schedule *s, const schedule_node *n, int slot)
{
  bool good = true;
  if (n->kind == SCHEDULE_FOR && s->loop[n->loop].by && expr_uses(s->loop[n->loop].by, slot, slot + 1))
    good = good_node(&(cut){ s, n->loop, -1, 0 }, n->child[0]);
  for (int i = 0; i < n->children; i++)
    good = good && good_loops(s, n->child[i], slot);
  return good;
}

bool tune_never_grows(const schedule *s, int slot) { return tune_cuts(s, slot) && good_loops(s, s->body, slot); }

/* ---- the search ---- */

static bool may_fit(tuner *t, int64_t length)
{
  return tune_may_fit(t, (bool[TUNE_MOST]){ true }, (int64_t[TUNE_MOST]){ length });
}
static bool plays(tuner *t, int64_t length)
{
  return tune_play(t, (bool[TUNE_MOST]){ true }, (int64_t[TUNE_MOST]){ length });
}

/* What moves more is not counted to the end. */
static num_count io_of(tuner *t, int64_t length, num_count most)
{
  int64_t value[TUNE_MOST] = { length };
  bool set[TUNE_MOST] = { true };
  return tune_put(t, set, value) ? schedule_counter_io(t->counter, num_plus(most, 1)) : NUM_TOO_MANY;
}

/* The shortest blocks with the I/O of those of length `to`: most often there are no shorter ones, or few. */
static int64_t shortest(tuner *t, int64_t to)
{
  num_count io = io_of(t, to, NUM_TOO_MANY);
  int64_t bad = to, step = 1;
  do {
    to = bad;
    bad = num_max(to - step, 0);
    step *= 2;
  } while (bad > 0 && io_of(t, bad, io) == io);
  while (to - bad > 1) {
    int64_t half = bad + (to - bad) / 2;
    if (io_of(t, half, io) == io)
      to = half;
    else
      bad = half;
  }
  return to;
}

/* Long blocks first.  All longer ones than `to` do not fit: the shortest with its I/O that is legal is the best,
 * whether or not those of length `to` are. */
static void find_best(tuner *t)
{
  for (int64_t to = t->most[0], least; to > 0 && !t->found; to = least - 1) {
    while (to > 0 && !may_fit(t, to))
      to--;
    least = to > 0 ? shortest(t, to) : 1;
    for (int64_t length = least; length <= to && !((length == to || may_fit(t, length)) && plays(t, length));)
      length++;
  }
}

bool tune_by_blocks(tuner *t)
{
  int slot = t->s->slot_param + t->param[0];
  if (t->n != 1 || !t->counter || t->most[0] > LONGEST || !tune_only_cuts(t->s, slot) ||
      !good_loops(t->s, t->s->body, slot))
    return false;
  tune_set_bars(t);
  find_best(t);
  t->exact = true;
  text_printf(t->record,
              "the I/O never grows with the length of the blocks: the longest that may fit were found, and the "
              "shortest of the same I/O that do; %" PRIu64 " settings were looked at",
              t->searched);
  return true;
}
