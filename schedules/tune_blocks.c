/* tune_blocks.c -- one parameter that cuts ranges into blocks, where no formula can be had: masks by table
   (docs/counting.md, "The tuner").

   Let p be read as the length of blocks only, `for X in R by p` (or what never falls as p grows).  A load or store in the body that has X in one index moves,
   over all blocks, what it moves over the single values of X: that does not depend on p.  One without X moves as much for each
   block, and there are ceil(|R|/p) of them.  So if no range, no condition and no second index reads X, the I/O never grows
   with p: the longest blocks that fit are best, and the shortest of the same I/O are found by halving. */
#include "schedules/tune_internal.h"
#include <inttypes.h>

enum { LONGEST = 2048 };         /* blocks looked at one by one */

typedef struct {
  const schedule *s;
  int loop;                    /* X */
  int single;                  /* the loop over the values of X that we are in, or -1 */
} cut;

/* X; or of its values one by one, where they stand. */
static bool reads(const cut *c, const expr *e)
{
  int slot = c->s->loop[c->loop].slot, single = c->single >= 0 ? c->s->loop[c->single].slot : slot;
  return e && (expr_uses(e, slot, slot + SCHEDULE_LOOP_SLOTS) || expr_uses(e, single + SCHEDULE_FIRST, single + SCHEDULE_LAST + 1));
}

static bool is_slot(const expr *e, int slot) { return e->op == EXPR_SLOT && e->slot == slot; }

/* lo = e + lo(X) and hi = e + hi(X), where e does not read X? */
static bool is_range(const cut *c, const expr *lo, const expr *hi)
{
  int slot = c->s->loop[c->loop].slot;
  if (is_slot(lo, slot + SCHEDULE_LO) && is_slot(hi, slot + SCHEDULE_HI))
    return true;
  if (lo->op != EXPR_ADD || hi->op != EXPR_ADD)
    return false;
  for (int i = 0; i < 2; i++)
    if (expr_equal(lo->arg[i], hi->arg[i]) && !reads(c, lo->arg[i]))
      return is_range(c, lo->arg[1 - i], hi->arg[1 - i]);
  return false;
}

/* Is what the box holds a sum over the values of X, or the same for every block? */
static bool good_box(const cut *c, const schedule_box *b)
{
  int with = 0;
  for (int i = 0; i < b->indices; i++) {
    const schedule_index *x = &b->index[i];
    bool varies = reads(c, x->lo) || reads(c, x->hi);
    if (varies && !(x->kind == CDAG_RANGE && is_range(c, x->lo, x->hi)))
      return false;
    with += varies || x->loop == c->loop;
  }
  return with <= (c->single < 0);
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
  bool good = !reads(c, n->condition) || !moves_words(n);
  for (int i = 0; i < n->boxes && (n->move == PEBBLE_LOAD || n->move == PEBBLE_STORE); i++)
    good = good && good_box(c, &n->box[i]);
  if (n->kind == SCHEDULE_FOR) {
    const schedule_loop *l = &c->s->loop[n->loop];
    bool values = l->over_loop == c->loop;
    good = good && !reads(c, l->lo) && !reads(c, l->hi) && !reads(c, l->by) && !(values && (l->blocked || c->single >= 0));
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
    good = good_node(&(cut){ s, n->loop, -1 }, n->child[0]);
  for (int i = 0; i < n->children; i++)
    good = good && good_loops(s, n->child[i], slot);
  return good;
}

bool tune_never_grows(const schedule *s, int slot) { return tune_cuts(s, slot) && good_loops(s, s->body, slot); }

/* ---- the search ---- */

static bool fits(tuner *t, int64_t length, uint64_t *io)
{
  int64_t value[TUNE_MOST] = { length };
  bool set[TUNE_MOST] = { true };
  bool yes = tune_count(t, set, value);
  *io = t->counts.loads + t->counts.stores;
  return yes;
}

static bool take(tuner *t, int64_t length)
{
  int64_t value[TUNE_MOST] = { length };
  bool set[TUNE_MOST] = { true };
  return tune_try(t, set, value);
}

bool tune_by_blocks(tuner *t)
{
  int slot = t->s->slot_param + t->param[0];
  uint64_t best = 0, io;
  if (t->n != 1 || !t->counter || t->most[0] > LONGEST || !tune_only_cuts(t->s, slot) || !good_loops(t->s, t->s->body, slot))
    return false;
  int64_t from = 1, to = t->most[0];
  while (to > 0 && !fits(t, to, &best))
    to--;
  while (from < to) {
    int64_t half = from + (to - from) / 2;
    if (fits(t, half, &io) && io == best)
      to = half;
    else
      from = half + 1;
  }
  if (to > 0 && !take(t, to))
    return false;
  t->exact = true;
  text_printf(t->record, "the I/O never grows with the length of the blocks: the longest that fit were found, and the shortest of the same I/O; %" PRIu64
              " settings were counted", t->searched);
  return true;
}
