/* formula.c -- the I/O of a schedule as a formula to be read: 2 n d + 2 n d ceil(n/a) (docs/counting.md). */
#include "schedules/symbolic/graph.h"
#include "schedules/symbolic/internal.h"

/* A default that the reader had better see instead of the name: nk = n, acc = 0.  Not M, nor anything with a function.
 */
static bool plain(const expr *e, int slot_m)
{
  if (e->op == EXPR_SLOT)
    return e->slot != slot_m;
  return e->op == EXPR_CONST;
}

static void note_alias(formula *f, int slot, const expr *fallback, bool given)
{
  expr_env env = { f->slot, f->s->g->table };
  int64_t v;
  if (!given && fallback && plain(fallback, f->s->slot_m) && expr_eval(fallback, &env, &v, NULL) == EXPR_OK &&
      v == f->slot[slot])
    f->alias[slot] = fallback;
}

/* Parameters that a computation says by others, nb = ceil(nk, b), are what it says. */
static void note_defaults(formula *f)
{
  const cdag *g = f->s->g;
  expr_env env = { f->slot, g->table };
  int64_t v;
  for (int i = 0; i < g->params; i++) {
    const expr *e = g->param[i].fallback;
    if (e && !f->alias[i] && e->op != EXPR_CONST && expr_eval(e, &env, &v, NULL) == EXPR_OK && v == f->slot[i])
      formula_add_default(f, i, e);
    f->known = f->granted.n;
  }
}

static void note_aliases(formula *f)
{
  const schedule *s = f->s;
  for (int i = 0; i < s->g->params; i++)
    note_alias(f, i, s->g->param[i].fallback, cdag_param_given(s->g, i));
  for (int i = 0; i < s->params; i++)
    note_alias(f, s->slot_param + i, s->param[i].fallback, s->param[i].given);
}

static bool counted_io(formula *f, num_count *io)
{
  schedule_counts c;
  diag d;
  pebble_rules rules = { .variant = PEBBLE_PLACING, .m = f->s->m };
  bool counted = schedule_count(f->s, &rules, &c, &d) == OK && c.countable;
  *io = schedule_counts_io(&c);
  if (!counted)
    formula_fail(f, 0, "the schedule cannot be counted: %s", c.reason);
  schedule_counts_clear(&c);
  return counted;
}

/* Does the formula give the count here? */
static bool agrees(formula *f, poly total)
{
  bool graph = f->s->g->graph;
  expr_env env = { f->slot, f->s->g->table };
  num_count io;
  int64_t v;
  if (graph ? !formula_graph_io(f, &io) : !counted_io(f, &io))
    return false;
  if (!poly_value(&f->world, total, &env, &v))
    return formula_fail(f, 0, "it has no value below 2^63 here");
  if (v < 0 || (num_count)v != io)
    return formula_fail(
        f, 0,
        graph ? "not all vertices that are named exist, or a loop has too few iterations here for its general formula"
              : "a loop has too few iterations here for its general formula");
  return true;
}

static bool derive(formula *f, poly *total)
{
  f->entered = ENTERED_NEVER;
  return formula_add(f, f->s->body, total) && (!f->world.failed || formula_fail(f, 0, "the formula grows too large")) &&
         agrees(f, *total);
}

bool schedule_formula(const schedule *s, text *io, text *holds, text *reason)
{
  formula f;
  poly total = { 0 };
  SCOPED_TEXT unread = { 0 };
  if (schedule_unset(s) >= 0) {
    text_add(reason, "a parameter has no value");
    return false;
  }
  formula_init(&f, s, reason);
  f.holds = holds ? holds : &unread;
  note_aliases(&f);
  if (formula_at_hand(&f))
    note_defaults(&f);
  bool ok = derive(&f, &total);
  if (ok && formula_at_hand(&f))
    formula_say_granted(&f);
  if (ok)
    poly_print(&f.world, total, io);
  formula_clear(&f);
  return ok;
}
