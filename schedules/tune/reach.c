/* schedules/tune/reach.c -- how far it is worth varying a parameter (docs/counting.md, "The tuner").

   A parameter that the text reads only as the length of blocks, `by p` or p between limits (`by max(1, min(p, q))`),
   cuts no range once it is as long as the longest of them: every larger value plays the same moves.  Any other can be
   no longer than the longest array. */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/sign/span.h"
#include "schedules/tune/internal.h"
#include <string.h>

static int64_t longest(const cdag *g)
{
  int64_t most = 1;
  for (int a = 0; a < g->arrays; a++)
    for (int r = 0; r < g->array[a].rank; r++)
      most = num_max(most, g->array[a].hull.hi[r] - g->array[a].hull.lo[r]);
  return most;
}

/* ---- is it read as the length of blocks only? ---- */

static bool reads(const expr *e, int slot) { return e && expr_uses(e, slot, slot + 1); }

/* The slot, or the lesser or greater of it and what does not read it: it never falls as the slot grows. */
static bool is_length(const expr *e, int slot)
{
  bool any = false, all = expr_is_extreme(e);
  for (int i = 0; all && i < e->nargs; i++) {
    bool length = reads(e->arg[i], slot);
    all = !length || is_length(e->arg[i], slot);
    any |= length;
  }
  return (e->op == EXPR_SLOT && e->slot == slot) || (all && any);
}

static bool box_reads(const schedule_box *b, int slot)
{
  for (int i = 0; i < b->indices; i++)
    if (reads(b->index[i].lo, slot) || reads(b->index[i].hi, slot))
      return true;
  return false;
}

/* Depth: SCHEDULE_DEPTH. */
static bool node_reads(const schedule_node *n, int slot)
{
  bool found = reads(n->condition, slot);
  for (int i = 0; i < n->boxes; i++)
    found |= box_reads(&n->box[i], slot);
  for (int i = 0; i < n->drops; i++)
    found |= box_reads(&n->drop[i], slot);
  for (int i = 0; i < n->children; i++)
    found |= node_reads(n->child[i], slot);
  return found;
}

bool tune_node_reads(const schedule *s, const schedule_node *n, int slot)
{
  bool found = node_reads(n, slot);
  if (n->kind == SCHEDULE_FOR)
    found |= reads(s->loop[n->loop].lo, slot) || reads(s->loop[n->loop].hi, slot) || reads(s->loop[n->loop].by, slot);
  for (int i = 0; i < n->children && !found; i++)
    found = tune_node_reads(s, n->child[i], slot);
  return found;
}

bool tune_cuts(const schedule *s, int slot)
{
  bool other = node_reads(s->body, slot);
  for (int l = 0; l < s->loops; l++)
    other |= reads(s->loop[l].lo, slot) || reads(s->loop[l].hi, slot) ||
             (reads(s->loop[l].by, slot) && !is_length(s->loop[l].by, slot));
  return !other;
}

bool tune_only_cuts(const schedule *s, int slot)
{
  bool followed = false;
  for (int i = 0; i < s->params; i++)
    followed |= reads(s->param[i].fallback, slot);
  return !followed && tune_cuts(s, slot);
}

/* ---- how long are the ranges it cuts? ---- */

typedef struct {
  const schedule *s;
  span *span;                  /* of every slot */
  bool *known;                 /* by slot: its span is */
  int64_t *length;             /* by loop, where known: of its range, at most */
} reach;

static bool all_known(const reach *r, const expr *e)
{
  for (int i = 0; i < r->s->slots; i++)
    if (!r->known[i] && expr_uses(e, i, i + 1))
      return false;
  return true;
}

/* Parameters to be tuned are not known, nor those that follow them: a default reads the parameters before it. */
static void span_fixed(reach *r, const tuner *t)
{
  const schedule *s = r->s;
  SCOPED_MEM int64_t *value = MEM_NEW(int64_t, (size_t)s->slots);
  schedule_fixed_slots(s, value);
  for (int i = 0; i < s->slot_param + s->params; i++) {
    r->span[i] = (span){ value[i], value[i] };
    r->known[i] = i < s->slot_param;
  }
  for (int i = 0, k = 0; i < s->params; i++) {
    const schedule_param *p = &s->param[i];
    bool free = k < t->n && t->param[k] == i;
    k += free;
    r->known[s->slot_param + i] = !free && (p->given || (p->fallback && all_known(r, p->fallback)));
  }
}

static bool span_known(const reach *r, const expr *e, span *out)
{
  span_env env = { r->span, r->s->g->table, true };
  return all_known(r, e) && span_of(e, &env, out);
}

static bool span_range(const reach *r, const schedule_loop *l, span *lo, span *hi)
{
  *lo = (span){ 0, 0 };
  if (l->over_loop < 0)
    return (!l->lo || span_known(r, l->lo, lo)) && span_known(r, l->hi, hi);
  int slot = r->s->loop[l->over_loop].slot;
  *lo = r->span[slot + SCHEDULE_LO];
  *hi = r->span[slot + SCHEDULE_HI];
  return r->known[slot];
}

/* Loops stand in the order of the text: those around it were seen before. */
static void span_loop(reach *r, int which)
{
  const schedule_loop *l = &r->s->loop[which];
  span lo, hi, by = { 1, 1 }, *slot = r->span + l->slot;
  int64_t length;
  if (!span_range(r, l, &lo, &hi) || !num_sub(hi.most, lo.least, &length))
    return;
  if (l->over_loop >= 0)
    length = num_min(length, r->span[r->s->loop[l->over_loop].slot + SCHEDULE_LEN].most);
  length = num_max(length, 1);
  r->length[which] = length;
  slot[SCHEDULE_LO] = (span){ lo.least, num_max(lo.least, hi.most - 1) };
  slot[SCHEDULE_HI] = (span){ lo.least + 1, num_max(lo.least + 1, hi.most) };
  slot[SCHEDULE_FIRST] = slot[SCHEDULE_LAST] = (span){ 0, 1 };
  if (l->by && !span_known(r, l->by, &by))
    by.most = length;
  slot[SCHEDULE_LEN] = (span){ 1, num_min(by.most, length) };
  memset(r->known + l->slot, true, SCHEDULE_LOOP_SLOTS * sizeof *r->known);
}

static int64_t longest_cut(const reach *r, int slot, int64_t most)
{
  int64_t longest = 1;
  for (int l = 0; l < r->s->loops; l++)
    if (reads(r->s->loop[l].by, slot))
      longest = num_max(longest, r->known[r->s->loop[l].slot] ? r->length[l] : most);
  return num_min(longest, most);
}

void tune_reach(tuner *t)
{
  const schedule *s = t->s;
  int64_t most = longest(s->g);
  reach r = { .s = s, .span = MEM_NEW(span, (size_t)s->slots), .known = MEM_NEW(bool, (size_t)s->slots),
              .length = MEM_NEW(int64_t, (size_t)s->loops) };
  span_fixed(&r, t);
  for (int l = 0; l < s->loops; l++)
    span_loop(&r, l);
  for (int k = 0; k < t->n; k++) {
    int slot = s->slot_param + t->param[k];
    t->cut[k] = tune_cuts(s, slot) ? longest_cut(&r, slot, most) : most;
    t->most[k] = tune_only_cuts(s, slot) ? t->cut[k] : most;
  }
  mem_free(r.span);
  mem_free(r.known);
  mem_free(r.length);
}
