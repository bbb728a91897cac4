/* forward.c -- fast-forward: three marks around two iterations (more where what they move grows faster), then as many
   iterations as follow from them.

   A loop that does not repeat itself is asked again after twice as many iterations each time.  Beyond that there is a
   budget: what is spent on a loop may exceed what it has saved by a share of the whole play only, so that fast-forward
   is never much slower than playing every iteration.  All of it is counted, not timed: the same play leaves out the
   same iterations. */
#include "schedules/extrapolate/forward.h"
#include "base/mem.h"
#include "base/num.h"
#include "pebble/extrapolate/forward.h"
#include "schedules/extrapolate/alike.h"
#include "schedules/extrapolate/facts.h"

/* A loop now running. */
typedef struct {
  const schedule_node *node;
  const forward_facts *facts;
  uint64_t period, tables; /* iterations compared with as many before: now, and those after which tables come again */
  uint64_t again;              /* from this iteration on the latter is tried */
  pebble_mark mark[PEBBLE_MARKS];
  int marks;                   /* taken; recording while there is one */
  uint64_t due;                /* the iteration of the next mark, or of the next attempt */
  uint64_t pause;              /* iterations to let pass after a failure */
  int failures;                /* of this attempt */
  uint64_t peak;               /* before the last mark */
  uint64_t worth[PEBBLE_MARKS];           /* of the play up to each mark */
  uint64_t spent, charged;     /* when the recording began */
  uint64_t last;               /* iterations at the end that are kept */
  const forward_alike *alike;  /* or NULL: no iteration is the one before under other names */
  uint64_t run, run_end; /* with alike: some iterations in a row of which all are `same`; the one after them is not */
  uint64_t marked;             /* the iteration of the last mark */
  bool dressed;                /* an iteration could not be a model, as the board was not bare */
  bool modelled;               /* iteration `model` is being played, or was, on a bare board; the counts before it */
  uint64_t model, model_worth;
  pebble_mark before;
} activation;

/* What has become of the attempts on a loop, in entries of the log. */
typedef struct {
  uint64_t cost, gain;
  bool off; /* left alone for now; settled while nobody records, as a rule, so that iterations stay comparable */
} thrift;

struct schedule_forward {
  const schedule *s;
  pebble_forward *by_tile;
  forward_facts *facts;        /* by loop */
  int64_t *rows;               /* by loop: after which the tables it reads come again */
  bool *again;                 /* by index expression of each box: its body has noted an equal one already */
  thrift *thrift;              /* by loop */
  forward_alike *alike;        /* by loop, of those that run outermost */
  activation act[SCHEDULE_DEPTH];
  int depth;
  num_count inferred;
  uint64_t iterations;              /* played */
  uint64_t gained;             /* by all jumps */
  uint64_t charged;            /* to loops, so far */
  int tried;                   /* so many loops */
  uint64_t keep_first, keep_last;
};
enum { COPIED = -1 };             /* among the equal numbers, where an iteration that is played has its loop */
enum { ATTEMPTS = 3, FIRST_PAUSE = 4, PERIOD_MOST = 128, LONG = 16 };
enum { MOVE_WORTH = 32, ITERATION_WORTH = 8, GRACE = 1 << 20, SHARE = 12, FEW_LOOPS = 4, PATIENCE = 2 };

/* ---- equal index expressions of one body: their values and pieces are noted once ---- */

enum { SEEN = 32, ENDS = 2 * CDAG_RANK };

typedef struct { const expr *e[SEEN]; int n; } seen_before;

static void see(seen_before *s, const expr *e, bool *again)
{
  *again = false;
  for (int i = 0; i < s->n && e && !*again; i++)
    *again = expr_equal(s->e[i], e);
  if (e && !*again && s->n < SEEN)
    s->e[s->n++] = e;
}

static void see_boxes(schedule_forward *f, seen_before *s, const schedule_box *b, int n)
{
  for (int k = 0; k < n; k++)
    for (int i = 0; i < b[k].indices; i++) {
      bool *again = &f->again[b[k].number * ENDS + 2 * i];
      see(s, b[k].index[i].lo, &again[0]);
      see(s, b[k].index[i].hi, &again[1]);
    }
}

/* What a branch notes may not be noted where it is not taken, and a loop inside has a body of its own.  Depth:
 * SCHEDULE_DEPTH. */
static void see_body(schedule_forward *f, seen_before *s, const schedule_node *n)
{
  see_boxes(f, s, n->box, n->boxes);
  see_boxes(f, s, n->drop, n->drops);
  for (int i = 0; i < n->children; i++)
    if (n->kind == SCHEDULE_BLOCK) {
      see_body(f, s, n->child[i]);
    } else {
      seen_before inside = n->kind == SCHEDULE_IF ? *s : (seen_before){ .n = 0 };
      see_body(f, &inside, n->child[i]);
    }
}

schedule_forward *schedule_forward_new(const schedule *s, pebble_game *by_tile)
{
  schedule_forward *f = MEM_NEW(schedule_forward, 1);
  f->s = s;
  f->by_tile = pebble_forward_new(by_tile);
  f->facts = MEM_NEW(forward_facts, (size_t)s->loops);
  f->rows = MEM_NEW(int64_t, (size_t)s->loops);
  f->thrift = MEM_NEW(thrift, (size_t)s->loops);
  f->alike = MEM_NEW(forward_alike, (size_t)s->loops);
  f->again = MEM_NEW(bool, (size_t)s->boxes * ENDS);
  see_body(f, &(seen_before){ .n = 0 }, s->body);
  return f;
}

void schedule_forward_free(schedule_forward *f)
{
  if (!f)
    return;
  for (int i = 0; i < SCHEDULE_DEPTH; i++) {
    for (int k = 0; k < PEBBLE_MARKS; k++)
      pebble_mark_clear(&f->act[i].mark[k]);
    pebble_mark_clear(&f->act[i].before);
  }
  for (int l = 0; l < f->s->loops; l++) {
    mem_free(f->facts[l].set);
    schedule_forward_alike_clear(&f->alike[l]);
  }
  mem_free(f->facts);
  mem_free(f->rows);
  mem_free(f->again);
  mem_free(f->thrift);
  mem_free(f->alike);
  pebble_forward_free(f->by_tile);
  mem_free(f);
}

void schedule_forward_keep(schedule_forward *f, uint64_t first, uint64_t last)
{
  f->keep_first = first;
  f->keep_last = last;
}

/* ---- what the runner's own decisions read ---- */

static bool value(const schedule_forward *f, const expr *e, const int64_t *slot, int64_t *v)
{
  expr_env env = { slot, f->s->g->table };
  return expr_eval(e, &env, v, NULL) == EXPR_OK;
}

static void note_range(schedule_forward *f, const schedule_loop *l, const int64_t *slot)
{
  int64_t lo = 0, hi, by = 1, length;
  if ((l->lo && !value(f, l->lo, slot, &lo)) || !value(f, l->hi, slot, &hi) || (l->by && !value(f, l->by, slot, &by)) ||
      !num_sub(hi, lo, &length) || by < 1)
    pebble_forward_irregular(f->by_tile);
  else
    pebble_forward_range(f->by_tile, length, by);
}

static void note_difference(schedule_forward *f, const expr *a, const expr *b, const int64_t *slot, bool whole)
{
  int64_t x = 0, y = 0, difference;
  if ((a && !value(f, a, slot, &x)) || (b && !value(f, b, slot, &y)) || !num_sub(x, y, &difference))
    pebble_forward_irregular(f->by_tile);
  else if (whole)
    pebble_forward_equal(f->by_tile, difference);
  else
    pebble_forward_sign(f->by_tile, difference);
}

/* The signs a condition depends on; its other parts must not change (schedules/extrapolate/facts.c, good_part). */
static void note_condition(schedule_forward *f, const expr *e, const int64_t *slot, bool top)
{
  if (expr_compares_numbers(e)) {
    note_difference(f, e->arg[0], e->arg[1], slot, false);
    return;
  }
  if (!expr_some(e, expr_is_comparison)) {
    note_difference(f, e, NULL, slot, !top);
    return;
  }
  for (int i = 0; i < e->nargs; i++)
    note_condition(f, e->arg[i], slot, false);
}

/* A table of one or two indices is as good as affine while it is read inside one patch. */
static void note_table(schedule_forward *f, const expr *e, const int64_t *slot)
{
  int64_t at[2];
  for (int i = 0; i < e->nargs; i++)
    if (!value(f, e->arg[i], slot, &at[i])) {
      pebble_forward_irregular(f->by_tile);
      return;
    }
  pebble_forward_table(f->by_tile, e->slot, at);
}

/* The same in every iteration of every loop? */
static bool is_fixed(const schedule_forward *f, const expr *e)
{
  bool all = e->op != EXPR_TABLE && (e->op != EXPR_SLOT || e->slot < f->s->slot_param + f->s->params);
  for (int i = 0; i < e->nargs; i++)
    all = all && is_fixed(f, e->arg[i]);
  return all;
}

/* limit * y - x, or the other way round: it must stay positive. */
static void note_limit(schedule_forward *f, int64_t limit, int64_t y, int64_t x, bool most)
{
  int64_t product, room;
  if (num_mul(limit, y, &product) &&
      (most ? num_sub(product, x, &room) : num_sub(x, product, &room) && num_add(room, 1, &room)))
    pebble_forward_sign(f->by_tile, room);
  else
    pebble_forward_irregular(f->by_tile);
}

/* The least or greatest number is the first argument that has its value, and the others stay on their side of it. */
static void note_extreme(schedule_forward *f, const expr *e, const int64_t *slot)
{
  int64_t v, limit, one;
  bool greatest = e->op == EXPR_MAX;
  int first = -1;
  if (!value(f, e, slot, &v) || !num_add(v, greatest, &limit)) {
    pebble_forward_irregular(f->by_tile);
    return;
  }
  for (int i = 0; i < e->nargs; i++)
    if (!value(f, e->arg[i], slot, &one))
      pebble_forward_irregular(f->by_tile);
    else if (one == v && first < 0)
      pebble_forward_equal(f->by_tile, first = i);
    else
      note_limit(f, limit, 1, one, greatest);
}

/* Which pieces e is read in: of tables, and of least and greatest numbers.  Tables of more indices are constant in the
 * iteration, or the loop is not able. */
static void note_pieces(schedule_forward *f, const expr *e, const int64_t *slot)
{
  if (!e)
    return;
  if (e->op == EXPR_TABLE && e->nargs <= 2)
    note_table(f, e, slot);
  else if (expr_is_extreme(e) && !is_fixed(f, e))
    note_extreme(f, e, slot);
  for (int i = 0; i < e->nargs; i++)
    note_pieces(f, e->arg[i], slot);
}

/* Is it affine in the slots while its tables are read inside one patch each? */
static bool is_affine(const schedule_forward *f, const expr *e)
{
  bool all = e->op == EXPR_CONST || e->op == EXPR_SLOT || e->op == EXPR_NEG || e->op == EXPR_ADD || e->op == EXPR_SUB ||
             (e->op == EXPR_MUL && (is_fixed(f, e->arg[0]) || is_fixed(f, e->arg[1]))) ||
             (e->op == EXPR_TABLE && e->nargs <= 2);
  for (int i = 0; i < e->nargs; i++)
    all = all && is_affine(f, e->arg[i]);
  return all || is_fixed(f, e);
}

/* ---- numbers that must not change: lengths of blocks ----
   What is affine is recorded as it is.  The lesser of two numbers stays when one of them does and the other is no less;
   a quotient q = floor(x / y), y > 0, when q y <= x < (q + 1) y, where both sides are affine: their signs are recorded.
   Of anything else all that is affine in it must stay. */

static void note_held(schedule_forward *f, const expr *e, const int64_t *slot);

static bool is_quotient(const schedule_forward *f, const expr *e)
{
  return e->op == EXPR_DIV && is_affine(f, e->arg[0]) && is_affine(f, e->arg[1]);
}

/* It stays v or more, or v or less; v stays. */
static void note_limited(schedule_forward *f, const expr *e, const int64_t *slot, int64_t v, bool most)
{
  int64_t x, y = 1;
  bool quotient = is_quotient(f, e), affine = is_affine(f, e);
  if (!affine && !quotient) {
    note_held(f, e, slot);
    return;
  }
  note_pieces(f, e, slot);
  if (!value(f, affine ? e : e->arg[0], slot, &x) || (!affine && !value(f, e->arg[1], slot, &y)) ||
      (most && !num_add(v, 1, &v)))
    pebble_forward_irregular(f->by_tile);
  else
    note_limit(f, v, y, x, most);
  if (!affine)
    pebble_forward_sign(f->by_tile, y);
}

/* The first of the least, or greatest, stays; the others are no less, or greater. */
static void note_held_extreme(schedule_forward *f, const expr *e, const int64_t *slot, int64_t v)
{
  int64_t one;
  int first = -1;
  for (int i = 0; i < e->nargs; i++)
    if (first < 0 && value(f, e->arg[i], slot, &one) && one == v) {
      first = i;
      pebble_forward_equal(f->by_tile, i);
      note_held(f, e->arg[i], slot);
    } else {
      note_limited(f, e->arg[i], slot, v, e->op == EXPR_MAX);
    }
}

/* Depth: an expression's. */
static void note_held(schedule_forward *f, const expr *e, const int64_t *slot)
{
  int64_t v;
  if (is_fixed(f, e))
    return;
  if (!value(f, e, slot, &v)) {
    pebble_forward_irregular(f->by_tile);
    return;
  }
  pebble_forward_equal(f->by_tile, v);
  if (is_affine(f, e)) {
    note_pieces(f, e, slot);
  } else if (expr_is_extreme(e)) {
    note_held_extreme(f, e, slot, v);
  } else if (is_quotient(f, e)) {
    note_limited(f, e, slot, v, false);
    note_limited(f, e, slot, v, true);
  } else {
    for (int i = 0; i < e->nargs; i++)
      note_held(f, e->arg[i], slot);
  }
}

static void note_box(schedule_forward *f, const schedule_box *b, const int64_t *slot)
{
  const bool *again = &f->again[b->number * ENDS];
  for (int i = 0; i < b->indices; i++) {
    if (!again[2 * i])
      note_pieces(f, b->index[i].lo, slot);
    if (!again[2 * i + 1])
      note_pieces(f, b->index[i].hi, slot);
  }
}

static void note_move(schedule_forward *f, const schedule_node *n, const int64_t *slot)
{
  for (int i = 0; i < n->boxes; i++)
    note_box(f, &n->box[i], slot);
  for (int i = 0; i < n->drops; i++)
    note_box(f, &n->drop[i], slot);
}

static void note_body(schedule_forward *f, const schedule_node *n, const int64_t *slot);

/* The other way is not gone in iterations where the condition goes this one.  Without a value the play ends here. */
static void note_branch(schedule_forward *f, const schedule_node *n, const int64_t *slot)
{
  int64_t condition;
  note_pieces(f, n->condition, slot);
  note_condition(f, n->condition, slot, true);
  if (value(f, n->condition, slot, &condition) && (condition || n->children > 1))
    note_body(f, n->child[!condition], slot);
}

/* Conditions, ranges and pieces that the body reads before any loop inside begins. */
static void note_body(schedule_forward *f, const schedule_node *n, const int64_t *slot)
{
  if (n->kind == SCHEDULE_FOR) {
    const schedule_loop *l = &f->s->loop[n->loop];
    note_pieces(f, l->lo, slot);
    note_pieces(f, l->hi, slot);
    if (l->by)
      note_held(f, l->by, slot);
    if (l->hi)
      note_range(f, l, slot);
    return;
  }
  if (n->kind == SCHEDULE_MOVE && f->act[f->depth - 1].facts->pieces)
    note_move(f, n, slot);
  if (n->kind == SCHEDULE_IF)
    note_branch(f, n, slot);
  for (int i = 0; i < n->children && n->kind == SCHEDULE_BLOCK; i++)
    note_body(f, n->child[i], slot);
}

/* ---- thrift ---- */

static uint64_t plus(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }
static uint64_t times(uint64_t a, uint64_t b) { return b && a > UINT64_MAX / b ? UINT64_MAX : a * b; }

/* What playing every iteration would have cost so far. */
static uint64_t worth(const schedule_forward *f)
{
  return plus(MOVE_WORTH * pebble_forward_played(f->by_tile) + ITERATION_WORTH * f->iterations, f->gained);
}

/* The recording of a ends: what it cost, less what recordings inside it have cost, is its loop's. */
static void charge(schedule_forward *f, const activation *a)
{
  uint64_t own = pebble_forward_spent(f->by_tile) - a->spent - (f->charged - a->charged);
  f->charged += own;
  f->tried += f->thrift[a->node->loop].cost == 0 && own > 0;
  f->thrift[a->node->loop].cost += own;
}

/* Many loops share what they may spend.  Inside a recording only what costs several times as much is left alone: the
   iteration recorded is like no other then. */
static bool is_off(schedule_forward *f, const activation *a)
{
  thrift *t = &f->thrift[a->node->loop];
  uint64_t share = worth(f) / SHARE / (uint64_t)(1 + f->tried / FEW_LOOPS),
           budget = plus(GRACE, plus(t->gain, share));
  if (!pebble_forward_recording(f->by_tile))
    t->off = t->cost > budget;
  else if (t->cost > times(budget, PATIENCE))
    t->off = true;
  return t->off;
}

static void credit(schedule_forward *f, const activation *a, uint64_t jumps)
{
  uint64_t one = a->worth[a->marks - 1] - a->worth[a->marks - 2], gain = times(one, jumps);
  f->gained = plus(f->gained, gain);
  f->thrift[a->node->loop].gain = plus(f->thrift[a->node->loop].gain, gain);
}

/* ---- marks ---- */

static void stop_recording(schedule_forward *f, activation *a)
{
  if (!a->marks)
    return;
  charge(f, a);
  pebble_forward_restore_peak(f->by_tile, a->peak);
  pebble_forward_rest(f->by_tile);
  a->marks = 0;
}

/* Loops that have ended since. */
static void leave(schedule_forward *f, int depth)
{
  while (f->depth > depth)
    stop_recording(f, &f->act[--f->depth]);
}

/* ---- tables whose patches come again ---- */

typedef struct { schedule_forward *f; const schedule_loop *l; int64_t rows; } period_walk;

static int64_t common(int64_t a, int64_t b) { return a / num_gcd(a, b) * b; }

/* Does e read the bounds of the loop, or of one that runs over its block? */
static bool follows(const period_walk *w, const expr *e)
{
  for (int l = 0; l < w->f->s->loops; l++) {
    const schedule_loop *inside = &w->f->s->loop[l];
    bool over = inside->over_loop >= 0 && &w->f->s->loop[inside->over_loop] == w->l;
    if ((inside == w->l || over) && expr_uses(e, inside->slot + SCHEDULE_LO, inside->slot + SCHEDULE_HI + 1))
      return true;
  }
  return false;
}

static void note_period(period_walk *w, int table)
{
  int64_t rows = common(w->rows, pebble_forward_period(w->f->by_tile, table));
  w->rows = rows <= PERIOD_MOST ? rows : w->rows;
}

/* Tables whose row, or only index, goes with the loop; or of two indices what is compared with it.  Depth: an
 * expression's. */
static void walk_expr(period_walk *w, const expr *e)
{
  if (!e)
    return;
  if (e->op == EXPR_TABLE && e->nargs <= 2 && follows(w, e->arg[0]))
    note_period(w, e->slot);
  for (int i = 0; i < e->nargs; i++) {
    if (expr_is_comparison(e) && e->arg[i]->op == EXPR_TABLE && e->arg[i]->nargs == 2 && follows(w, e->arg[1 - i]))
      note_period(w, e->arg[i]->slot);
    walk_expr(w, e->arg[i]);
  }
}

static void walk_boxes(period_walk *w, const schedule_box *b, int n)
{
  for (int k = 0; k < n; k++)
    for (int i = 0; i < b[k].indices; i++) {
      walk_expr(w, b[k].index[i].lo);
      walk_expr(w, b[k].index[i].hi);
    }
}

/* Depth: SCHEDULE_DEPTH. */
static void walk_body(period_walk *w, const schedule_node *n)
{
  if (n->kind == SCHEDULE_FOR) {
    walk_expr(w, w->f->s->loop[n->loop].lo);
    walk_expr(w, w->f->s->loop[n->loop].hi);
  }
  walk_expr(w, n->condition);
  walk_boxes(w, n->box, n->boxes);
  walk_boxes(w, n->drop, n->drops);
  for (int i = 0; i < n->children; i++)
    walk_body(w, n->child[i]);
}

/* How many rows of the tables its body reads are a period of all of them? */
static int64_t rows_of(schedule_forward *f, const schedule_node *n)
{
  period_walk w = { f, &f->s->loop[n->loop], 1 };
  if (f->facts[n->loop].able && f->s->g->tables)
    walk_body(&w, n->child[0]);
  return w.rows;
}

/* So many rows are how many iterations of the loop? */
static int64_t iterations_of(const schedule_forward *f, const schedule_node *n, const int64_t *slot)
{
  const schedule_loop *l = &f->s->loop[n->loop];
  int64_t by = 1;
  if (l->by && (!value(f, l->by, slot, &by) || by < 1))
    return 1;
  return f->rows[n->loop] / num_gcd(f->rows[n->loop], by);
}

/* Of an outermost loop; what is known from another run of the program is good as long as its range is the same. */
static const forward_alike *alike_of(schedule_forward *f, const schedule_run *run)
{
  const schedule_node *n = run->open[0];
  forward_alike *a = &f->alike[n->loop];
  int64_t first = run->slot[f->s->loop[n->loop].slot + SCHEDULE_LO];
  if (a->iterations != run->iterations[0] || a->first != first) {
    schedule_forward_alike_clear(a);
    schedule_forward_alike(f->s, n, first, run->iterations[0], a);
  }
  return a->able ? a : NULL;
}

static void enter(schedule_forward *f, const schedule_run *run)
{
  const schedule_node *n = run->open[run->depth - 1];
  activation *a = &f->act[f->depth++];
  forward_facts *facts = &f->facts[n->loop];
  if (!facts->known) {
    schedule_forward_facts(f->s, n, facts);
    f->rows[n->loop] = rows_of(f, n);
  }
  a->node = n;
  a->facts = facts;
  a->marks = 0;
  const schedule_loop *l = &f->s->loop[n->loop];
  bool first_differs =
      facts->first || (l->blocked && (l->reversed || l->snake)); /* a ragged block comes first when going down */
  a->due = first_differs > f->keep_first ? first_differs : f->keep_first;
  a->last = f->keep_last;
  a->pause = FIRST_PAUSE;
  a->again = 0;
  a->alike = run->depth == 1 ? alike_of(f, run) : NULL;
  a->run = a->run_end = 0;
  a->dressed = a->modelled = false;
  a->tables = (uint64_t)common(facts->period, iterations_of(f, n, run->slot));
}

/* The first iteration that may not be left out. */
static uint64_t end_of(const activation *a, const schedule_forward *f, uint64_t iterations)
{
  bool last_differs = f->s->loop[a->node->loop].blocked || a->facts->last;
  uint64_t kept = a->last > last_differs ? a->last : last_differs;
  return iterations > kept ? iterations - kept : 0;
}

static void mark(schedule_forward *f, activation *a, pebble_mark *m, bool with_place)
{
  pebble_forward_mark(f->by_tile, a->facts->set, a->facts->sets, with_place, m);
}

static void begin(schedule_forward *f, activation *a, uint64_t iteration)
{
  a->spent = pebble_forward_spent(f->by_tile);
  a->charged = f->charged;
  pebble_forward_record(f->by_tile);
  a->peak = pebble_forward_peak(f->by_tile);
  mark(f, a, &a->mark[0], pebble_forward_tilted(f->by_tile));
  a->worth[0] = worth(f);
  a->marks = 1;
  a->marked = iteration;
  a->failures = 0;
  a->due = iteration + a->period;
}

/* The last two marks are the first of the next attempt. */
static void roll(activation *a)
{
  for (; a->marks > 2; a->marks--) {
    pebble_mark oldest = a->mark[0];
    for (int i = 1; i < a->marks; i++) {
      a->mark[i - 1] = a->mark[i];
      a->worth[i - 1] = a->worth[i];
    }
    a->mark[a->marks - 1] = oldest;
  }
}

static void give_up(schedule_forward *f, activation *a, uint64_t iteration)
{
  bool of_tables = a->period > (uint64_t)a->facts->period;
  stop_recording(f, a);
  a->due = iteration + (of_tables ? 0 : a->pause);
  a->again = iteration + a->pause;
  a->pause *= 2;
}

/* Where an iteration before the last mark was copied, those that follow like it must be the same as theirs, too: how
 * many periods are so? */
static uint64_t periods_alike(const activation *a, uint64_t iteration, uint64_t most)
{
  const forward_alike *alike = a->alike;
  uint64_t to = iteration, end = iteration + most * a->period;
  while (to < end && (alike->same[to] || !alike->copied[iteration - a->period + (to - iteration) % a->period]))
    to++;
  return (to - iteration) / a->period;
}

/* Some iterations are recorded: how many follow? */
static uint64_t try_jump(schedule_forward *f, activation *a, uint64_t iteration, uint64_t end, uint64_t peak)
{
  uint64_t period = a->period, most = iteration < end ? (end - iteration) / period : 0;
  most = a->alike ? periods_alike(a, iteration, most) : most;
  bool few;
  uint64_t jumps = pebble_forward_jump(f->by_tile, a->facts->set, a->facts->sets, a->mark, a->marks, peak, most, &few);
  uint64_t done = period * jumps;
  if (done) {
    credit(f, a, jumps);
    stop_recording(f, a);
    a->due = iteration + done;
    a->pause = FIRST_PAUSE;
  } else if (few && a->marks < PEBBLE_MARKS) {
    a->due = iteration + period;
  } else if (++a->failures < ATTEMPTS && most > 0) {
    roll(a);
    a->due = iteration + period;
  } else {
    give_up(f, a, iteration);
  }
  return done;
}

static uint64_t step(schedule_forward *f, activation *a, uint64_t iteration, uint64_t iterations)
{
  uint64_t end = end_of(a, f, iterations);
  if (!a->facts->able || iteration < a->due)
    return 0;
  if (!a->marks) {
    a->period = iteration >= a->again && iteration + 3 * a->tables <= end ? a->tables : (uint64_t)a->facts->period;
    if (iteration == 0 && a->alike && a->period > (uint64_t)a->facts->period && LONG * a->period < end)
      return 0; /* a mask's first row is seldom like another: with it a period would be lost */
    bool room = iteration + 3 * a->period <= end,
         to_copy = room && a->alike && !a->dressed && a->period == 1 && a->alike->same[iteration + 1];
    if (room && !to_copy && !is_off(f, a))
      begin(f, a, iteration);
    return 0;
  }
  uint64_t peak = pebble_forward_peak(f->by_tile);
  a->peak = peak > a->peak ? peak : a->peak;
  a->worth[a->marks] = worth(f);
  mark(f, a, &a->mark[a->marks++], true);
  a->marked = iteration;
  a->due = iteration + a->period;
  return a->marks >= 3 ? try_jump(f, a, iteration, end, peak) : 0;
}

/* The log is full: the outermost recording is too long, and those inside go with it. */
static void abandon(schedule_forward *f)
{
  activation *outermost = NULL;
  for (int i = f->depth; i-- > 0;) /* those inside are charged first */
    if (f->act[i].marks) {
      outermost = &f->act[i];
      stop_recording(f, outermost);
    }
  if (outermost) {
    outermost->due += outermost->pause;
    outermost->pause *= 2;
  }
}

/* ---- iterations under other names (docs/tile-engine.md) ---- */

static int64_t value_of(const activation *a, uint64_t iteration) { return a->alike->first + (int64_t)iteration; }

/* The first iteration from this one on that is not the same as the one before it.  Runs are long and asked about
 * iteration by iteration: the last is kept. */
static uint64_t same_to(activation *a, uint64_t iteration)
{
  if (iteration < a->run || iteration > a->run_end) {
    a->run = a->run_end = iteration;
    while (a->run_end < a->alike->iterations && a->alike->same[a->run_end])
      a->run_end++;
  }
  return a->run_end;
}

/* How many iterations from this one on are the same as the one before it?  Not beyond the next mark. */
static uint64_t run_from(const schedule_forward *f, activation *a, uint64_t iteration, uint64_t iterations)
{
  uint64_t end = end_of(a, f, iterations), to = same_to(a, iteration);
  end = a->marks && a->due < end ? a->due : end;
  end = to < end ? to : end;
  return end > iteration ? end - iteration : 0;
}

/* This iteration is to be played: the model of those that follow, if they are the same. */
static void begin_model(schedule_forward *f, activation *a, uint64_t iteration, uint64_t iterations)
{
  uint64_t n = run_from(f, a, iteration + 1, iterations);
  a->alike->copied[iteration] = false;
  a->modelled = n > 0 && pebble_forward_bare(f->by_tile, a->alike->slices, value_of(a, iteration),
                                             value_of(a, iteration) + 1 + (int64_t)n);
  a->dressed |= n > 0 && !a->modelled;
  a->model = iteration;
  a->model_worth = worth(f);
  if (a->modelled)
    pebble_forward_counts(f->by_tile, &a->before);
}

/* The iteration before was the model: those that do as it did need not be played. */
static uint64_t copy_iterations(schedule_forward *f, activation *a, uint64_t iteration, uint64_t iterations)
{
  if (!a->modelled || a->model + 1 != iteration || iteration < f->keep_first || (a->marks && a->model < a->marked))
    return 0;
  uint64_t n = run_from(f, a, iteration, iterations);
  if (n == 0 ||
      !pebble_forward_bare(f->by_tile, a->alike->slices, value_of(a, iteration), value_of(a, iteration) + (int64_t)n))
    return 0;
  if (pebble_forward_recording(f->by_tile)) {
    pebble_forward_equal(f->by_tile, COPIED);
    pebble_forward_equal(f->by_tile, (int64_t)n);
  }
  pebble_forward_copy(f->by_tile, a->alike->slices, &a->before, value_of(a, iteration) - 1, n);
  f->gained = plus(f->gained, times(worth(f) - a->model_worth, n));
  for (uint64_t i = 0; i < n; i++)
    a->alike->copied[iteration + i] = true;
  a->modelled = false;
  return n;
}

uint64_t schedule_forward_iteration(schedule_forward *f, const schedule_run *run)
{
  int d = run->depth - 1;
  activation *a = &f->act[d];
  leave(f, run->iteration[d] == run->first[d] ? d : d + 1);
  if (run->iteration[d] == run->first[d])
    enter(f, run);
  if (pebble_forward_full(f->by_tile))
    abandon(f);
  uint64_t done = a->alike ? copy_iterations(f, a, run->iteration[d], run->iterations[d]) : 0;
  if (done > 0) {
    f->inferred = num_plus(f->inferred, done);
    return done;
  }
  f->iterations++;
  /* which loop, and whether it begins: iterations outside are alike only when the loops inside ran iteration by
   * iteration alike */
  if (pebble_forward_recording(f->by_tile))
    pebble_forward_equal(f->by_tile, 2 * (int64_t)run->open[d]->loop + (run->iteration[d] == run->first[d]));
  done = step(f, a, run->iteration[d], run->iterations[d]);
  f->inferred = num_plus(f->inferred, done);
  f->iterations -= done > 0;
  if (!done && pebble_forward_recording(f->by_tile))
    note_body(f, run->open[d]->child[0], run->slot);
  if (!done && a->alike)
    begin_model(f, a, run->iteration[d], run->iterations[d]);
  return done;
}

num_count schedule_forward_finish(schedule_forward *f)
{
  num_count inferred = f->inferred;
  leave(f, 0);
  f->inferred = 0;
  return inferred;
}
