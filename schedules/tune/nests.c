/* schedules/tune/nests.c -- statements of the top level that share no parameter, each tuned alone (docs/counting.md,
   "The tuner").

   What a top-level statement moves depends on the parameters it reads only, so the I/O of the whole is the sum.  The
   least of each statement alone, among settings whose own peak, counted from an empty board, is within M, adds up to no
   more than any legal setting moves: a board is never less than empty, so the peak of the whole is at least that of
   each part.  So if the settings found alone are legal together, and each was proved best, no setting of all is better.
 */
#include "base/mem.h"
#include "schedules/language/parse.h"
#include "schedules/tune/internal.h"
#include <inttypes.h>
#include <string.h>

typedef struct {
  tuner *t;
  int group[TUNE_MOST];        /* of each free parameter: the first that is tuned with it */
  bool *reads;                 /* child * n + parameter */
} division;

static bool reads(const expr *e, const schedule *s, int p)
{
  return e && expr_uses(e, s->slot_param + p, s->slot_param + p + 1);
}

/* Parameter p, or one whose default follows it. */
static void with_followers(const schedule *s, int p, bool *set)
{
  set[p] = true;
  for (int i = p + 1; i < s->params; i++) /* a default reads earlier ones */
    for (int k = p; k < i; k++)
      set[i] |= set[k] && !s->param[i].given && reads(s->param[i].fallback, s, k);
}

static void find_reads(division *d)
{
  const schedule *s = d->t->s;
  SCOPED_MEM bool *set = MEM_NEW(bool, (size_t)s->params + 1);
  for (int i = 0; i < d->t->n; i++) {
    memset(set, 0, (size_t)s->params);
    with_followers(s, d->t->param[i], set);
    for (int c = 0; c < s->body->children; c++)
      for (int p = 0; p < s->params; p++)
        d->reads[c * d->t->n + i] |= set[p] && tune_node_reads(s, s->body->child[c], s->slot_param + p);
  }
}

/* Parameters that one statement reads are tuned together; how many groups are left. */
static int unite(division *d)
{
  int n = d->t->n, groups = 0;
  for (int i = 0; i < n; i++)
    d->group[i] = i;
  for (int c = 0; c < d->t->s->body->children; c++) {
    int first = -1;
    for (int i = 0; i < n; i++) {
      if (!d->reads[c * n + i])
        continue;
      int from = d->group[i], to = first < 0 ? from : d->group[first];
      for (int k = 0; k < n; k++)
        d->group[k] = d->group[k] == from ? to : d->group[k];
      first = first < 0 ? i : first;
    }
  }
  for (int i = 0; i < n; i++)
    groups += d->group[i] == i;
  return groups;
}

/* The statements of one group as a program of their own, counted only. */
static bool tune_group(division *d, int group, bool *set, int64_t *value)
{
  tuner *all = d->t, t = { .rules = all->rules, .part = true };
  schedule s = *all->s;
  schedule_node body = *s.body;
  SCOPED_TEXT record = { 0 };
  body.child = MEM_NEW(schedule_node *, (size_t)body.children + 1);
  body.children = 0;
  for (int c = 0; c < s.body->children; c++) {
    bool mine = false;
    for (int i = 0; i < all->n; i++)
      mine |= d->group[i] == group && d->reads[c * all->n + i];
    if (mine)
      body.child[body.children++] = s.body->child[c];
  }
  s.body = &body;
  t.s = &s;
  t.record = &record;
  for (int i = 0; i < all->n; i++)
    if (d->group[i] == group) {
      t.param[t.n] = all->param[i];
      t.cut[t.n] = all->cut[i];
      t.most[t.n++] = all->most[i];
    }
  schedule_counts_init(&t.counts, s.g);
  t.counter = schedule_counter_new(&s, &t.rules, &t.counts);
  if (t.counter)
    tune_one(&t);
  for (int i = 0, k = 0; i < all->n; i++)
    if (d->group[i] == group) {
      set[i] = t.set[k];
      value[i] = t.best[k++];
    }
  all->searched += t.searched;
  all->exact = all->exact && t.exact;
  text_printf(all->record, "%s%s", all->record->n ? "; " : "", text_str(&record));
  tune_clear_bars(&t);
  schedule_counter_free(t.counter);
  schedule_counts_clear(&t.counts);
  mem_free(t.value);
  mem_free(body.child);
  return t.found && !t.outside;
}

/* Every free parameter 1, so that all defaults have values. */
static bool put_ones(tuner *t)
{
  bool set[TUNE_MOST];
  int64_t one[TUNE_MOST];
  for (int i = 0; i < TUNE_MOST; i++) {
    set[i] = true;
    one[i] = 1;
  }
  return tune_put(t, set, one);
}

bool tune_by_nests(tuner *t)
{
  division d = { .t = t };
  bool set[TUNE_MOST] = { 0 }, good = t->n > 1 && t->counter && !t->value;
  int64_t value[TUNE_MOST] = { 0 };
  if (!good)
    return false;
  d.reads = MEM_NEW(bool, (size_t)(t->s->body->children * t->n) + 1);
  find_reads(&d);
  good = unite(&d) > 1 && put_ones(t);
  t->exact = good;
  for (int i = 0; i < t->n && good; i++)
    if (d.group[i] == i)
      good = tune_group(&d, i, set, value) && put_ones(t);
  good = good && tune_play(t, set, value);
  if (good)
    text_add(t->record, "; these parts share no parameter, and what they move adds up");
  else {
    t->found = t->exact = false;
    t->searched = 0;
    text_clear(t->record);
  }
  mem_free(d.reads);
  return good;
}
